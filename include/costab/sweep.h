/* costab/sweep.h - a grid, its tiles, and the run over them.
 *
 * A plan names the axes of a grid and the fields on it. The run cuts the grid into numbered tiles, calls an
 * evaluator for each on all threads and hands the results to a sink in the order of the numbers. Neither who
 * evaluates nor who stores is known here. Memory is bounded by the tiles in flight: one in
 * full per thread, and a few packed ones. */
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

/* An axis: `count` values, or `count` labels where `labels` is not NULL (then `values` is NULL). An axis with
 * neither counts from 0. */
typedef struct costab_axis {
    char name[COSTAB_NAME_MAX];
    size_t count;
    double *values;
    char **labels;
    const char *long_name; /* borrowed, as long as the plan lives; may be NULL */
    const char *unit;      /* of the values, borrowed likewise; NULL: they have none */
} costab_axis;

typedef enum costab_type { COSTAB_U8, COSTAB_F64 } costab_type;

/* Size of one value: 1 or 8 bytes. */
COSTAB_API size_t costab_type_size(costab_type type);

/* How the codes of an 8-bit field read: values with their meanings (mutually exclusive), or bit masks. */
typedef enum costab_codes { COSTAB_CODES_NONE, COSTAB_CODES_VALUES, COSTAB_CODES_MASKS } costab_codes;

/* A field: an array over some of the plan's axes, in the plan's order of axes. */
typedef struct costab_field {
    char name[COSTAB_NAME_MAX];
    costab_type type;
    int rank;
    int axes[COSTAB_AXES_MAX]; /* indices into plan.axes, ascending */
    const char *long_name;     /* static */
    costab_codes codes;
    int code_count;
    uint8_t code_values[16];
    const char *code_meanings; /* static, blank-separated, as CF flag_meanings */
    uint8_t fill;              /* the code where nothing was computed */
} costab_field;

/* The first `swept` axes are cut into tiles; the rest ("inner" axes, such as the piece of a row) belong whole
 * to every tile. tile_shape: extent of a full tile along each axis (inner axes: their count); tiles at the
 * end of an axis may be smaller. Plain data; who builds it owns what it points to. */
typedef struct costab_plan {
    int axis_count, swept;
    costab_axis axes[COSTAB_AXES_MAX];
    int field_count;
    costab_field fields[COSTAB_FIELDS_MAX];
    size_t tile_shape[COSTAB_AXES_MAX];
} costab_plan;

/* A tile: a box of the grid. start and count have plan.axis_count entries. */
typedef struct costab_tile {
    size_t index;
    size_t start[COSTAB_AXES_MAX];
    size_t count[COSTAB_AXES_MAX];
    void *run; /* the run that the tile is evaluated in, for costab_tile_stopped; else NULL */
} costab_tile;

/* Whether the run of a tile has failed or is cancelled. An evaluator that takes long asks now and then (a
 * question costs as much as reading the clock), and gives up with COSTAB_CANCELLED where it is told so. The
 * run's progress is called here as well. */
COSTAB_API bool costab_tile_stopped(const costab_tile *tile);

/* Chooses tile_shape so that a full tile has at most `target` points (at least one): whole rows along the
 * last swept axis if they fit, then as many rows as fit; one along the axes before. */
COSTAB_API void costab_plan_choose_tiles(costab_plan *plan, size_t target);

/* Checks a plan and counts. [out] *tiles: the number of tiles; *points: of grid points over the swept axes.
 * COSTAB_INVALID where the plan contradicts itself (indices out of range, axes without points, names missing
 * or twice) or the numbers do not fit size_t. costab_run and the store refuse what this function refuses. */
COSTAB_API costab_status costab_plan_size(const costab_plan *plan, size_t *tiles, size_t *points,
                                          costab_error *error);

/* The tile of a number below that of costab_plan_size, last axis fastest. */
COSTAB_API void costab_plan_tile(const costab_plan *plan, size_t index, costab_tile *tile);

/* Values of a field in a tile; 0 where the tile does not carry the field: of the tiles that differ only along
 * axes which the field lacks, the first carries it. */
COSTAB_API size_t costab_tile_values(const costab_plan *plan, int field, const costab_tile *tile);

/* The extent of a field's block in a tile, or of a full tile where tile is NULL: one entry per axis of
 * the field. */
COSTAB_API void costab_tile_shape(const costab_plan *plan, int field, const costab_tile *tile, size_t *shape);

/* Who computes. evaluate fills, for every field of the plan, blocks[field] (C order, the field's axes; NULL
 * where the tile does not carry the field). Called by several threads at once. */
typedef struct costab_evaluator {
    const void *context;
    costab_status (*evaluate)(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error);
} costab_evaluator;

/* Bytes made ready for writing, owned by the run, grown by the sink with realloc. */
typedef struct costab_packed {
    void *bytes;
    size_t size, capacity;
    uint32_t flags; /* the sink's own */
} costab_packed;

/* Who stores. pack is called by several threads at once, commit by one at a time, in the order of tiles and,
 * inside a tile, of fields; both only for fields that the tile carries. */
typedef struct costab_sink {
    void *context;
    costab_status (*pack)(void *context, const costab_tile *tile, int field, const void *block,
                          costab_packed *packed, costab_error *error);
    costab_status (*commit)(void *context, const costab_tile *tile, int field, const costab_packed *packed,
                            costab_error *error);
} costab_sink;

/* A message between two ranks of a team. */
typedef struct costab_message {
    int from; /* -1: there is none */
    int kind; /* from COSTAB_MESSAGE_FREE on: not the run's own */
    const void *bytes;
    size_t size;
} costab_message;

#define COSTAB_MESSAGE_FREE 16

/* The ranks that run one plan together: processes with the same plan and evaluator, on machines of one kind.
 * Rank 0 hands out the tiles and commits them in order, the others evaluate and pack. This is the interface
 * to whatever carries their messages; every call comes from the thread that called costab_run. */
typedef struct costab_team {
    void *context;
    int rank, size;
    /* Sends without waiting for the receiver; the bytes may be used again at once. Messages from one rank to
     * another arrive in their order. */
    costab_status (*send)(void *context, int to, int kind, const void *bytes, size_t size,
                          costab_error *error);
    /* Takes the next message, if there is one. Its bytes are valid until the next call. */
    costab_status (*receive)(void *context, costab_message *message, costab_error *error);
} costab_team;

/* What an evaluator notes of a tile beside its fields, such as how many of its points failed: bytes that only
 * the evaluator understands. A checkpoint stores them with the tile. take is called once per tile, in the
 * order of tiles, when the tile is committed; it leaves note->size 0 where there is nothing. give hands the
 * bytes back to the evaluator when a run goes on from a checkpoint, and on rank 0 when another rank has
 * computed the tile; they can then be taken again. Both may be NULL. */
typedef struct costab_notes {
    void *context;
    costab_status (*take)(void *context, const costab_tile *tile, costab_packed *note, costab_error *error);
    costab_status (*give)(void *context, const costab_tile *tile, const void *bytes, size_t size,
                          costab_error *error);
} costab_notes;

typedef struct costab_run_options {
    int threads; /* 0: as OpenMP chooses */
    /* The tiles to run, first <= i < last; last 0: up to the end. A tile's results do not depend on the range
     * that it is run in. */
    size_t first, last;
    /* Called now and then by one thread at a time with the tiles of the range that are done and their total;
     * may be NULL. Returning true cancels: on any rank of a team the whole of it. The numbers are those of
     * rank 0. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
    const costab_team *team; /* NULL: alone */
    const char
        *identity; /* with a team: a text that must be the same on all ranks, such as the input; or NULL */
    const costab_notes
        *notes; /* with a team: what other ranks' evaluators note goes to that of rank 0; or NULL */
} costab_run_options;

/* The threads that a run of so many tiles takes, `asked` being those of the options. */
COSTAB_API int costab_run_threads(int asked, size_t tiles);

/* Runs the plan. Returns the first error; COSTAB_CANCELLED where progress asked for it, COSTAB_INVALID for a
 * range beyond the plan's tiles. With a team every rank calls it, and all return once the run is over: rank
 * 0, whose range counts, with the first error of any rank; the others with their own, or COSTAB_CANCELLED
 * where the run failed elsewhere. */
COSTAB_API costab_status costab_run(const costab_plan *plan, const costab_evaluator *evaluator,
                                    const costab_sink *sink, const costab_run_options *options,
                                    costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
