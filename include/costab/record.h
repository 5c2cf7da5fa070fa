/* costab/record.h - rows of results, each type described once.
 *
 * A description (costab_record) names the columns of a row: name, unit, meaning, place in the struct. From it
 * come the tables of the program (text, CSV, JSON, Markdown), the datasets of a results file, which
 * costab_record_write makes, and the attributes of Python's rows.
 *
 *     costab_names names = {.counts = {1, 0, network->subsystem_count}, .of = {couplings, NULL, subsystems}};
 *     costab_record_write("margins.h5", spec, NULL, &costab_margin_record, margins.rows, margins.count,
 *                         &names, false, &error);
 *
 * Descriptions are constant data. */
#ifndef COSTAB_RECORD_H
#define COSTAB_RECORD_H

#include <stddef.h>

#include "costab/advise.h"
#include "costab/locus.h"
#include "costab/margin.h"
#include "costab/pattern.h"
#include "costab/study.h"
#include "costab/tune.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The lists of names that columns number, and the unit of the parameters; NULL: none, or not all the same. */
typedef enum costab_list {
    COSTAB_LIST_COUPLINGS,
    COSTAB_LIST_PARAMETERS,
    COSTAB_LIST_SUBSYSTEMS,
    COSTAB_LIST_COUNT
} costab_list;

typedef struct costab_names {
    int counts[COSTAB_LIST_COUNT];
    const char **of[COSTAB_LIST_COUNT];
    const char *unit;
} costab_names;

/* Types of columns, with the type of the struct member. */
typedef enum costab_column_type {
    COSTAB_COLUMN_REAL,  /* double; NaN: no value */
    COSTAB_COLUMN_WHOLE, /* int or long */
    COSTAB_COLUMN_YES,   /* bool */
    COSTAB_COLUMN_NAME,  /* const char *; NULL: no value */
    COSTAB_COLUMN_CHARS, /* char array */
    COSTAB_COLUMN_CODE,  /* enum or uint8_t, one of `codes` */
    COSTAB_COLUMN_INDEX, /* int, the number of a name in `list`; negative: no value */
    COSTAB_COLUMN_WORDS  /* none: `words` makes the cell; not in results files */
} costab_column_type;

/* Codes and their words. In results files an empty word is `nothing`, and `fill` is `not_computed`. */
typedef struct costab_code_words {
    const char *(*word)(int code);
    int count;
    const uint8_t *codes; /* NULL: 0, 1, .. */
    uint8_t fill;
} costab_code_words;

/* Stability classes. */
COSTAB_API extern const costab_code_words costab_class_codes;

/* Room for a cell that is made. */
enum { COSTAB_CELL_MAX = 400 };

/* Forms without the column. */
enum {
    COSTAB_HIDDEN_TEXT = 1, /* aligned text, where the words of another column include it */
    COSTAB_HIDDEN_ROWS = 2  /* all tables */
};

/* The unit of a column that has that of the parameters. */
#define COSTAB_UNIT_OF_PARAMETER ""

typedef struct costab_column {
    costab_column_type type;
    const char *name;       /* in tables and Python */
    const char *dataset;    /* NULL: the name */
    const char *unit;       /* NULL: dimensionless */
    const char *meaning;    /* long_name in results files; NULL: not in them */
    size_t offset, size;    /* of the member */
    size_t stride, element; /* of an array, to which the member points: bytes from one entry to the next, and
                               where the value is in an entry; stride 0: no array */
    const costab_code_words *codes;
    costab_list list;
    unsigned hidden; /* COSTAB_HIDDEN_ flags */
    unsigned over;   /* in results files: bits of the record's axes */
    /* For people. side: what is printed is rounded to numbers that are not above (-1) or not below (1) the
     * value; NULL: nearest. range: the next column is the other end of an interval, and both are rounded into
     * it, or out of it if record->outward. */
    int (*side)(const void *row);
    bool range;
    /* The cell in words, instead of the value: in aligned text, and in all tables for COSTAB_COLUMN_WORDS.
     * Returns `space` or a constant string. */
    const char *(*words)(const void *row, const costab_names *names, char space[COSTAB_CELL_MAX]);
} costab_column;

/* Axes of a results file: where a row's values are along them. */
typedef enum costab_axis_place {
    COSTAB_PLACE_LIST,   /* int at `offset`: the number of a name in `list` */
    COSTAB_PLACE_SIDE,   /* int at `offset`: -1 lower, 1 upper, 0 both */
    COSTAB_PLACE_NUMBER, /* int at `offset`: from 1; 0: the row has no values over this axis */
    COSTAB_PLACE_LABEL,  /* `label`: equal labels are one position, in order of appearance */
    COSTAB_PLACE_ARRAY,  /* size_t at `offset`: how many entries the arrays over this axis have */
    COSTAB_PLACE_LISTED  /* arrays with an entry per name of `list` */
} costab_axis_place;

typedef struct costab_record_axis {
    const char *name, *meaning;
    costab_axis_place place;
    costab_list list;
    size_t offset;
    const char *(*label)(const void *row, char space[COSTAB_CELL_MAX]);
    bool optional; /* of the last axis, of arrays: if no row has entries, the file has no axis and no fields
                      over it */
} costab_record_axis;

enum { COSTAB_RECORD_AXES_MAX = 5 };

/* A row type. Axes of arrays come last. */
typedef struct costab_record {
    const char *name, *meaning;
    size_t size; /* of the struct */
    int column_count, axis_count;
    const costab_column *columns;
    costab_record_axis axes[COSTAB_RECORD_AXES_MAX];
    bool (*outward)(const void *row); /* NULL: never */
    int rows_axis; /* a table has a row per entry of the arrays over this axis; 0: one row */
} costab_record;

/* ---- Row types ---- */

/* An interval of a parameter (costab_limit). A search without one has a row, too, whose interval is 0. */
typedef struct costab_limit_row {
    int coupling, parameter;
    int interval;    /* from 1 on, of this coupling and parameter */
    double range[2]; /* that was searched */
    costab_piece piece;
    costab_limit_cause causes[2]; /* of its lower and upper end */
    /* The values that were tried, ascending, if the search tried single values only; in its first row only.
     * Borrowed. */
    size_t tried_count;
    const double *tried;
} costab_limit_row;

/* Result of map: a point with its eigenvalues, largest modulus first. */
typedef struct costab_map_row {
    int coupling;
    costab_network_point point;
    size_t eigenvalue_count;
    const costab_complex *eigenvalues;
} costab_map_row;

typedef struct costab_locus_row {
    int coupling; /* the names of couplings may end with that of the continuous system */
    int parameter;
    bool continuous;
    costab_locus locus;
} costab_locus_row;

typedef struct costab_pattern_row {
    int coupling;
    double range[2]; /* the shortest step and the longest */
    costab_pattern pattern;
} costab_pattern_row;

/* A group of connections that costab_tune gives the same weights. */
typedef struct costab_tune_result {
    int coupling, order;
    costab_tune_row group;
    costab_tuned tuned;
} costab_tune_result;

COSTAB_API extern const costab_record costab_limit_record; /* of costab_limit_row, and so on */
COSTAB_API extern const costab_record costab_margin_record;
COSTAB_API extern const costab_record costab_map_record;
COSTAB_API extern const costab_record costab_locus_record;
COSTAB_API extern const costab_record costab_pattern_record;
COSTAB_API extern const costab_record costab_tune_record;   /* of costab_tune_result */
COSTAB_API extern const costab_record costab_advice_record; /* of costab_advice_row; not in results files */

/* ---- Cells ---- */

/* The number of a column of type REAL, WHOLE, YES, CODE or INDEX; NaN: no value. entry: of an array. */
COSTAB_API double costab_column_number(const costab_column *column, const void *row, size_t entry);

/* The word of a column of another type, or of CODE, INDEX or YES; "" if there is none. */
COSTAB_API const char *costab_column_word(const costab_column *column, const void *row, size_t entry,
                                          const costab_names *names, char space[COSTAB_CELL_MAX]);

/* Entries of a row's arrays over an axis; 1 for an axis without arrays. */
COSTAB_API size_t costab_record_entries(const costab_record *record, int axis, const void *row,
                                        const costab_names *names);

/* ---- Results files ---- */

/* Writes rows as a results file, which costab_plot draws. The spec gives the title, the text that the file
 * stores and what its figure shows; notes: lines to store above that text, such as parameters that were set;
 * NULL: none. Arrays that are shorter than others, and rows that do not exist, are filled up with NaN and
 * codes that say `not_computed`. COSTAB_INVALID if the file exists and costab did not write it, unless
 * `force`; errors of the file system. */
COSTAB_API costab_status costab_record_write(const char *path, const costab_spec *spec, const char *notes,
                                             const costab_record *record, const void *rows, size_t count,
                                             const costab_names *names, bool force, costab_error *error);

/* Simulates, and writes the time histories as a results file; spec and notes as above. Errors of
 * costab_study_create_history and costab_study_run. */
COSTAB_API costab_status costab_history_write(const char *path, const costab_spec *spec, const char *notes,
                                              const costab_study_history *history, bool force,
                                              costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
