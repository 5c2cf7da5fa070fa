/* study/network_study.h - internals of a network sweep, shared by the files study/network_*.c: its points,
 * and the workers that analyse them. A worker is the data of one thread. A box is a rectangular part of the
 * grid, analysed by one worker: a tile, a block of a refined tile, or a line. An edge joins two neighbouring
 * points of the grid. A level is a radius whose crossings of 1 on the edges are stored. */
#pragma once

#include <pthread.h>

#include "analysis/analysis.h"
#include "costab/model.h"
#include "model/lanes.h"
#include "spec/fields.h"
#include "study/study.h"

/* Axes of the plan: the coupling, then the swept parameters. */
enum { NETWORK_COUPLING, NETWORK_FIRST_AXIS };

/* Content of a dataset: a field of spec/fields.h, by its row, or one of these. */
typedef enum network_value {
    NETWORK_VALUE_CLASS,
    NETWORK_VALUE_BEST = 14,                      /* the row of the field `best` */
    NETWORK_VALUE_COMPUTED = NETWORK_FIELDS_MOST, /* of refined sweeps */
    NETWORK_VALUE_REMOVED,
    NETWORK_VALUE_LEVEL_ONE, /* along each of up to two axes with several values */
    NETWORK_VALUE_LEVEL_ONE_2,
    NETWORK_VALUE_ITERATION_ONE, /* likewise */
    NETWORK_VALUE_ITERATION_ONE_2,
    NETWORK_VALUE_COUNT
} network_value;

/* Largest number of axes along which crossings are stored. */
enum { NETWORK_EDGES_MAX = 2 };

/* The quantities with stored crossings of 1. */
typedef enum network_level {
    NETWORK_LEVEL_RADIUS,
    NETWORK_LEVEL_ITERATION,
    NETWORK_LEVEL_COUNT
} network_level;

/* Returns the dataset of a level's crossings along the first (edge 0) or second axis with edges. */
static inline network_value network_level_value(network_level level, int edge) {
    return (network_value)((level == NETWORK_LEVEL_RADIUS ? NETWORK_VALUE_LEVEL_ONE
                                                          : NETWORK_VALUE_ITERATION_ONE) +
                           edge);
}

/* Codes of the field `class` besides those of costab_network_point. */
enum { NETWORK_NOT_COMPUTED = 4, NETWORK_FAILED = 8 };

/* Codes of the field `removed_modes`: counts up to NETWORK_REMOVED_MOST, which includes larger counts, and
 * codes for missing counts. */
enum { NETWORK_REMOVED_MOST = 13, NETWORK_REMOVED_NOT_COMPUTED = 254, NETWORK_REMOVED_FAILED = 255 };

/* Results of a point of a tile, and the radii whose margins lead to crossings. */
typedef struct network_known {
    uint8_t code;                       /* of the field `class` */
    uint8_t removed;                    /* of the field `removed_modes` */
    bool analysed;                      /* false: the code is that of the cell around the point */
    double values[NETWORK_FIELDS_MOST]; /* by the rows of spec/fields.h; NaN if not available */
    double radii[NETWORK_LEVEL_COUNT];  /* rho + e, and the iteration radius; NaN if not available */
    uint8_t best;                       /* costab_best_code or NETWORK_FAILED */
} network_known;

/* Data of one thread. */
typedef struct network_worker {
    struct network_worker *next;
    int number; /* of the thread: costab_tile.worker */
    costab_model_instance *instance;
    costab_network_work *work;
    model_lanes *lanes;                  /* NULL: points are evaluated one by one */
    bool lanes_asked;                    /* whether making `lanes` was tried */
    costab_network_simulator *simulator; /* NULL: no field needs a run */
    uint8_t *sample_codes;               /* classes of a point's samples */
    struct contender *contenders;        /* couplings in the comparison at a point */
    network_known *known;                /* results of the points of a box */
    struct refine_work *refine;          /* NULL if not refined */
    size_t analysed;                     /* analysed points of its tiles not yet counted in the report */
} network_worker;

/* Return the network and the coupling at the worker's present parameters. */
static inline const costab_network *network_of(const network_worker *worker) {
    return costab_model_instance_network(worker->instance);
}
static inline const costab_coupling *coupling_of(const network_worker *worker, size_t coupling) {
    return costab_model_instance_coupling(worker->instance, (int)coupling);
}
/* Returns the family over one parameter. */
static inline analysis_family network_family(const network_worker *worker, size_t coupling, int parameter) {
    return (analysis_family){
        .instance = worker->instance, .work = worker->work, .own = (int)coupling, .parameter = parameter};
}

/* The workers of all threads, and the report of the run. */
typedef struct network_pool {
    pthread_mutex_t lock;
    network_worker *made; /* a list, by network_worker.next */
    study_report report;
    size_t first_failure; /* number of the first failed point in the order of the grid */
} network_pool;

typedef struct network_study {
    costab_study base;
    const costab_model *model;
    int field[NETWORK_VALUE_COUNT];                 /* index of each value's field in the plan; -1: none */
    bool runs;                                      /* a field needs a run */
    bool class_only;                                /* no field has a number of the spectrum */
    int number_count, numbers[NETWORK_FIELDS_MOST]; /* rows of stored fields except the class */
    unsigned asked;                                 /* numbers of network/batch.h that the fields need */
    bool levels[NETWORK_LEVEL_COUNT];               /* the quantities with fields of crossings */
    int edge_count;                                 /* number of axes with crossings */
    int edge_axes[NETWORK_EDGES_MAX];
    int refine_axes[2];        /* the two last axes with several values; -1: there is none */
    size_t box_points;         /* of the largest box */
    int walk[COSTAB_AXES_MAX]; /* the plan's axes in the order of the walk through a tile, the fastest last */
    bool grouped;              /* points are analysed in SIMD lanes if the model allows it */
    double nominal[COSTAB_UNCERTAIN_MAX]; /* the model's own values of the uncertain parameters */
    double *samples;     /* spec.samples x uncertain_count values; NULL: no field requires samples */
    double best_nominal; /* the model's own macro step, restored after the comparison of couplings */
    int *simplicity;     /* for each coupling the number of simpler couplings; NULL: without comparison */
    network_pool *pool;
} network_study;

/* Returns true if a requested field has the radius of a level. */
bool network_level_asked(const network_study *study, network_level level);
/* Returns true if the crossings of a level are computed under a coupling. */
bool network_level_wanted(const network_study *study, network_level level, const costab_coupling *coupling);

/* Counts a failed point of a tile, with `index` its number in the grid. The tile's note records it. */
costab_status network_pool_fail(network_pool *pool, const costab_tile *tile, size_t index,
                                const costab_error *why, costab_error *error);

/* Returns the receiver of the notes of network_pool_fail. */
costab_notes network_pool_notes(network_pool *pool);

/* Analyses the point at the worker's present parameters. *failed: the point cannot be analysed, for the
 * reason in *error. Returns only COSTAB_MEMORY as an error. */
costab_status network_worker_analyse(const network_worker *worker, size_t coupling,
                                     costab_network_point *point, bool *failed, costab_error *error);

/* Like network_worker_analyse, for the class alone; faster. */
costab_status network_worker_classify(const network_worker *worker, size_t coupling, uint8_t *class_code,
                                      bool *failed, costab_error *error);

/* Returns the radius of a level: rho, or rho + e if `rounded`; or the iteration radius, NaN without
 * iteration.
 */
double network_radius(const costab_network_point *point, network_level level, bool rounded);

/* Returns the logarithm of a radius, negative for stable, limited to +-1000. */
double network_margin(double radius);

/* An edge of the grid: one axis' parameter varies, all others have the values of the worker's instance. */
typedef struct network_edge {
    const network_worker *worker;
    size_t coupling;
    network_level level;
    int parameter;
} network_edge;

/* [out] *crossing: the first value between the ends at which the radius passes 1; NaN if the radius jumps
 * over 1, or if some points cannot be analysed. margins: network_margin at the ends, of different signs. */
costab_status network_edge_find_first(const network_edge *edge, const double ends[2], const double margins[2],
                                      double *crossing, costab_error *error);

/* ---- Boxes: tiles and blocks of tiles ---- */

/* Points of the grid, numbered with the last axis fastest: count[k] points from start[k] on along each swept
 * axis. The tile's blocks receive written[k] of them from first_written[k] on. */
typedef struct network_box {
    const network_study *study;
    network_worker *worker;
    const costab_tile *tile;
    size_t start[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX];
    size_t first_written[COSTAB_AXES_MAX], written[COSTAB_AXES_MAX];
    size_t points, stride[COSTAB_AXES_MAX]; /* network_box_set_strides sets them */
} network_box;

void network_box_set_strides(network_box *box);
/* Returns the box of a tile, with the points after it if edges lead there. */
network_box network_box_of(const network_study *study, network_worker *worker, const costab_tile *tile);
/* Returns the index of a point of the box along an axis of the plan. */
size_t network_box_index(const network_box *box, int axis, size_t number);
/* Sets the worker's parameters to the values at a point of the box. */
void network_box_set_parameters(const network_box *box, size_t number);
/* Indices of a point along every axis of the plan. */
typedef struct network_place {
    size_t index[COSTAB_AXES_MAX];
} network_place;
/* Returns the indices of a point of the box. */
network_place network_box_place(const network_box *box, size_t number);
void network_box_set_parameters_at(const network_box *box, const network_place *place);
/* Returns true if a point is outside the points that the box writes into its tile. */
bool network_box_is_beyond_tile(const network_box *box, const network_place *place);

/* Returns the number of points in a batch of the worker: the number of SIMD lanes. */
int network_lanes_width(const network_worker *worker);
/* Makes worker->lanes the first time; NULL if its model is not for lanes. */
costab_status network_box_lanes(const network_box *box, costab_error *error);
/* Sets `count` values of a lane from number `first` on: values of the axes, then of the uncertain parameters.
 */
void network_lanes_set(const network_worker *worker, int lane, int first, const double *values, int count);
/* Analyses the points in the first `count` lanes like network_run_lanes (network/batch.h), with the same
 * results. Returns false if the lanes cannot analyse this batch. Afterwards the instance may have the values
 * of any of these points. */
bool network_lanes_run(const network_box *box, size_t coupling, int count, unsigned asked,
                       costab_network_point points[LANES_MOST], bool decided[LANES_MOST]);

/* Makes the samples for all points, study->samples, from the instance's present values. COSTAB_INVALID if a
 * parameter varies by a share of its value, and the value is 0. */
costab_status network_samples_make(network_study *study, const costab_model_instance *instance,
                                   costab_error *error);
/* Evaluates the samples of the uncertain parameters at the worker's other parameters. [out] *sampled: their
 * statistics; *failed: a sample cannot be analysed, for the reason in *error. */
costab_status network_worker_sample(const network_box *box, size_t coupling, network_sampled *sampled,
                                    bool *failed, costab_error *error);

/* Prepares study->simplicity for the comparison of couplings. COSTAB_INVALID if the key `best` is not over
 * the macro step. */
costab_status network_best_make(network_study *study, network_worker *worker, costab_error *error);
/* Compares the couplings at all written points of a box, into worker->known; the box has all couplings. */
costab_status network_box_best(const network_box *box, costab_error *error);

/* Computes the requested fields of runs, bounds, sequences of steps and samples at the worker's present
 * parameters, into *known. *failed: a requested field is not available, for the reason in *error.
 * COSTAB_CANCELLED if the sweep was stopped. */
costab_status network_worker_run(const network_box *box, size_t coupling, network_known *known, bool *failed,
                                 costab_error *error);

/* Counts a failed point of the box, if the point is written. */
costab_status network_box_fail(const network_box *box, size_t number, const costab_error *why,
                               costab_error *error);

/* Analyses a point of the box into worker->known. A failed point is counted if it is written. [out] point:
 * the result; unset for `class_only` and after a failure. */
costab_status network_box_analyse(const network_box *box, size_t number, bool class_only,
                                  costab_network_point *point, costab_error *error);

/* Receiver of analysed points. `take` is called for each, with its class in worker->known. point: its
 * numbers, zeros after a failure; with class_only they are not set. */
typedef struct network_listener {
    void *context;
    void (*take)(void *context, size_t number, const costab_network_point *point);
} network_listener;
/* Analyses some points of the box into worker->known, in lanes if possible. */
costab_status network_box_analyse_some(const network_box *box, const size_t *numbers, size_t count,
                                       bool class_only, const network_listener *listener,
                                       costab_error *error);

/* Analyses all points of a box, in lanes if possible, into worker->known. With codes (otherwise NULL) it
 * stores only the classes there, and the removed modes in `removed` if that is not NULL; worker->known is
 * then undefined. The box of codes has no points beyond its tile. */
costab_status network_box_analyse_all(const network_box *box, uint8_t *codes, uint8_t *removed,
                                      costab_error *error);

/* [out] *space: the classes on a line, a box of one row along `axis`, and their changes. Searches the line if
 * it is long and a search is possible; otherwise analyses all points. */
struct refine_line;
costab_status network_line_classes(const network_box *line, int axis, const struct refine_line *space,
                                   costab_error *error);

/* Sets the code of a point that is not analysed; all its other results are not available. */
void network_know_code(network_known *known, uint8_t code);

/* Copies the numbers of the stored fields of a layer (spec/fields.h) from its result into values[row]. */
void network_copy_values(const network_study *study, field_layer layer, const void *result,
                         double values[NETWORK_FIELDS_MOST]);

/* Writes the results of the box, and the crossings on the edges from its points. */
costab_status network_box_write(const network_box *box, void *const *blocks, costab_error *error);

/* Fills the blocks of a tile by analysing all its points. */
costab_status network_tile_evaluate(const network_study *study, network_worker *worker,
                                    const costab_tile *tile, void *const *blocks, costab_error *error);
/* Fills the blocks of a tile of a refined sweep. */
costab_status network_refine_evaluate(const network_study *study, network_worker *worker,
                                      const costab_tile *tile, void *const *blocks, costab_error *error);

/* Returns the side of a block in points. Along a refined axis, tiles are multiples of it, except the last. */
size_t network_refine_block(const network_study *study);
/* Returns the number of points of the largest block and of a line. */
size_t network_refine_points(const network_study *study);
