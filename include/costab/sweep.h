/* costab/sweep.h - a grid, its tiles, and the types of a run over them (costab_study_run in costab/study.h).
 *
 * A plan names the axes of a grid and the fields on it. The run cuts the grid into numbered tiles. On all
 * threads it calls an evaluator for each tile, and it hands the results to a sink in the order of the
 * numbers. Evaluator and sink are the caller's. Memory is bounded: each thread has one tile in full, and a
 * few packed tiles wait to be written. */
#ifndef COSTAB_SWEEP_H
#define COSTAB_SWEEP_H

#include <stdint.h>

#include "costab/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COSTAB_AXES_MAX   16
#define COSTAB_FIELDS_MAX 24
#define COSTAB_NAME_MAX   64

/* An axis. It has `count` values, or `count` labels (then `values` is NULL), or neither: then it counts from
 * 0. */
typedef struct costab_axis {
    char name[COSTAB_NAME_MAX];
    size_t count;          /* at least 1 */
    double *values;        /* NULL: none */
    char **labels;         /* NULL: none */
    const char *long_name; /* borrowed, as long as the plan lives; may be NULL */
    const char *unit;      /* of the values, borrowed likewise; NULL: they have none */
} costab_axis;

typedef enum costab_type { COSTAB_U8, COSTAB_F64 } costab_type;

/* How to read the codes of an 8-bit field: as values that exclude each other, or as bits. */
typedef enum costab_codes { COSTAB_CODES_NONE, COSTAB_CODES_VALUES, COSTAB_CODES_MASKS } costab_codes;

/* A field: an array over some of the plan's axes, in the plan's order of axes. */
typedef struct costab_field {
    char name[COSTAB_NAME_MAX];
    costab_type type;
    int rank;                  /* how many axes it has, at least 1 */
    int axes[COSTAB_AXES_MAX]; /* indices into plan.axes, ascending */
    const char *long_name;     /* static */
    costab_codes codes;
    int code_count;            /* how many codes there are; 0 without codes */
    uint8_t code_values[16];   /* each code, or each bit */
    const char *code_meanings; /* static; as CF flag_meanings: a word of letters, digits and _-.+@ per code, a
                                * blank between two */
    uint8_t fill;              /* the code of a point that was not computed */
    const char *unit;          /* borrowed; NULL: "1" */
} costab_field;

/* Which fields of a file are compressed, by HDF5's own filters: deflate, for doubles after shuffle. */
typedef enum costab_compression {
    COSTAB_COMPRESSION_INTEGERS, /* those of 8-bit codes and counts */
    COSTAB_COMPRESSION_FAST,     /* all */
    COSTAB_COMPRESSION_NONE,
    COSTAB_COMPRESSION_COUNT
} costab_compression;

/* A plan. The first `swept` axes are cut into tiles; every tile has the whole of the other, inner axes (such
 * as the intervals of a row). tile_shape has the extent of a full tile along each axis: for an inner axis its
 * count. Tiles at the end of an axis may be smaller. A plan is plain data; the caller who fills it owns what
 * it points to. */
typedef struct costab_plan {
    int axis_count, swept;
    costab_axis axes[COSTAB_AXES_MAX];
    int field_count;
    costab_field fields[COSTAB_FIELDS_MAX];
    size_t tile_shape[COSTAB_AXES_MAX];
    costab_compression compression; /* of the fields; not known of a file that was read */
} costab_plan;

/* A tile: the box of the grid that begins at `start` and has `count` points along each axis of the plan. */
typedef struct costab_tile {
    size_t index;
    size_t start[COSTAB_AXES_MAX];
    size_t count[COSTAB_AXES_MAX];
    void *run;                  /* for costab_tile_stopped; NULL outside a run */
    struct costab_packed *note; /* costab_notes; NULL: notes are not kept */
    int worker;                 /* tiles that are evaluated at the same time have different ones, from 0 on */
} costab_tile;

/* Return the number of an axis or a field by its name; -1 if there is none. A field is also found by its name
 * in version 0.1.0. */
COSTAB_API int costab_plan_axis(const costab_plan *plan, const char *name);
COSTAB_API int costab_plan_field(const costab_plan *plan, const char *name);

/* Computes tiles. evaluate fills blocks[field] for every field of the plan, row-major over the field's axes;
 * the block is NULL if the tile does not carry the field. Several threads call it at once. */
typedef struct costab_evaluator {
    const void *context;
    costab_status (*evaluate)(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error);
} costab_evaluator;

/* A packed block, ready to be written. The run owns the bytes; the sink lets them grow. */
typedef struct costab_packed {
    void *bytes;
    size_t size;     /* bytes in use */
    size_t capacity; /* bytes allocated */
    uint32_t sum;    /* for the sink's use */
} costab_packed;

/* Stores tiles. Several threads call pack at once. One thread at a time calls commit, in the order of tiles
 * and, within a tile, of fields; if commit is NULL, pack stores the block. Both are called only for fields
 * that the tile carries. */
typedef struct costab_sink {
    void *context;
    costab_status (*pack)(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error);
    costab_status (*commit)(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error);
} costab_sink;

/* Notes of an evaluator about a tile, such as the number of its failed points: bytes that only the evaluator
 * understands, which it puts into tile->note. A checkpoint stores them with the tile. give
 * hands them back to the evaluator when a run continues from a checkpoint; it may be NULL. */
typedef struct costab_notes {
    void *context;
    costab_status (*give)(void *context, const costab_tile *tile, const void *bytes, size_t size,
                          costab_error *error);
} costab_notes;

typedef struct costab_run_options {
    int threads; /* 0: as many as OpenMP would take here (OMP_NUM_THREADS). OMP_THREAD_LIMIT bounds both. With
                    OpenBLAS' serial build, which is not thread-safe, one thread is used */
    /* The tiles to run: first, first + step, first + 2 * step and so on; step 0 means 1. The results of
     * a tile do not depend on the others. */
    size_t first, step;
    /* One thread at a time calls this from time to time, with the number of finished tiles and their total.
     * Returning true cancels the run. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_run_options;

#ifdef __cplusplus
}
#endif
#endif
