/* A planar sweep: axes scheme, a, gamma, delta; class rows from intervals, float fields point by point. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/study.h"
#include "planar/row.h"
#include "study/row_cache.h"

enum { SCHEME, A, GAMMA, DELTA, PIECE };

/* Points of a full tile: a chunk of class codes is then 128 KiB, one of doubles 1 MiB. */
#define TILE_POINTS 131072

struct costab_study {
    const costab_sweep_spec *spec;
    costab_plan plan;
    costab_planar schemes[COSTAB_SCHEME_COUNT];
    char *labels[COSTAB_SCHEME_COUNT];
    double pieces[COSTAB_ROW_PIECES_MAX]; /* values of the axis `piece` */
    unsigned parts[COSTAB_FIELDS_MAX];    /* the COSTAB_FIELD_ flag of each field of the plan */
    row_cache simulation;                 /* its rows, where several values of a share them */
    bool upper[COSTAB_FIELDS_MAX];        /* row intervals: this field holds the upper ends */
};

static const struct {
    unsigned part;
    bool upper;
    costab_field field;
} known_fields[] = {
    {COSTAB_FIELD_CLASS,
     false,
     {.name = "class",
      .type = COSTAB_U8,
      .rank = 4,
      .axes = {SCHEME, A, GAMMA, DELTA},
      .long_name = "stability class: continuous system, then discretised system (S stable, U unstable)",
      .codes = COSTAB_CODES_VALUES,
      .code_count = 6,
      .code_values = {0, 1, 2, 3, 4, 8},
      .code_meanings = "UU US SU SS not_computed failed",
      .fill = 4}},
    {COSTAB_FIELD_CAUSE,
     false,
     {.name = "cause",
      .type = COSTAB_U8,
      .rank = 4,
      .axes = {SCHEME, A, GAMMA, DELTA},
      .long_name = "conditions for a stable map that are violated",
      .codes = COSTAB_CODES_MASKS,
      .code_count = 4,
      .code_values = {1, 2, 4, 8},
      .code_meanings = "det fold flip iteration"}},
    {COSTAB_FIELD_TRACE,
     false,
     {.name = "trace",
      .type = COSTAB_F64,
      .rank = 4,
      .axes = {SCHEME, A, GAMMA, DELTA},
      .long_name = "trace of the macro step's map"}},
    {COSTAB_FIELD_DETERMINANT,
     false,
     {.name = "determinant",
      .type = COSTAB_F64,
      .rank = 4,
      .axes = {SCHEME, A, GAMMA, DELTA},
      .long_name = "determinant of the macro step's map"}},
    {COSTAB_FIELD_SPECTRAL_RADIUS,
     false,
     {.name = "spectral_radius",
      .type = COSTAB_F64,
      .rank = 4,
      .axes = {SCHEME, A, GAMMA, DELTA},
      .long_name = "spectral radius of the macro step's map"}},
    {COSTAB_FIELD_ROW_INTERVALS,
     false,
     {.name = "stable_lower",
      .type = COSTAB_F64,
      .rank = 4,
      .axes = {SCHEME, A, GAMMA, PIECE},
      .long_name = "lower ends of the open intervals of delta in which the map is stable"}},
    {COSTAB_FIELD_ROW_INTERVALS,
     true,
     {.name = "stable_upper",
      .type = COSTAB_F64,
      .rank = 4,
      .axes = {SCHEME, A, GAMMA, PIECE},
      .long_name = "upper ends of the open intervals of delta in which the map is stable"}},
};

/* The most intervals that any row of the sweep has, at least one. */
static size_t most_pieces(const costab_study *study) {
    size_t most = 1;
    for (int s = 0; s < study->spec->scheme_count; s++) {
        if (study->schemes[s].scheme != COSTAB_SIMULATION) continue;
        costab_planar_slice slice = costab_planar_at(&study->schemes[s], 0);
        for (size_t g = 0; g < study->spec->gamma.count; g++) {
            costab_interval pieces[COSTAB_ROW_PIECES_MAX];
            size_t count = (size_t)costab_planar_row(&slice, study->spec->gamma.values[g], pieces);
            if (count > most) most = count;
        }
    }
    return most;
}

static costab_status plan_axes(costab_study *study, costab_error *error) {
    const costab_sweep_spec *spec = study->spec;
    costab_plan *plan = &study->plan;
    for (int s = 0; s < spec->scheme_count; s++) {
        study->labels[s] = memory_copy(costab_scheme_name(spec->schemes[s]));
        if (study->labels[s] == NULL) return error_memory(error);
    }
    plan->axes[SCHEME] = (costab_axis){.name = "scheme",
                                       .count = (size_t)spec->scheme_count,
                                       .labels = study->labels,
                                       .long_name = "coupling scheme"};
    plan->axes[A] = spec->a;
    plan->axes[GAMMA] = spec->gamma;
    plan->axes[DELTA] = spec->delta;
    plan->axis_count = plan->swept = 4;
    if ((spec->fields & COSTAB_FIELD_ROW_INTERVALS) != 0) {
        size_t count = most_pieces(study);
        for (size_t p = 0; p < count; p++) study->pieces[p] = (double)p;
        plan->axes[PIECE] = (costab_axis){.name = "piece",
                                          .count = count,
                                          .values = study->pieces,
                                          .long_name = "number of the stable interval in its row"};
        plan->axis_count = 5;
    }
    return COSTAB_OK;
}

static void plan_fields(costab_study *study) {
    costab_plan *plan = &study->plan;
    for (size_t k = 0; k < sizeof known_fields / sizeof known_fields[0]; k++) {
        if ((study->spec->fields & known_fields[k].part) == 0) continue;
        int f = plan->field_count++;
        plan->fields[f] = known_fields[k].field;
        study->parts[f] = known_fields[k].part;
        study->upper[f] = known_fields[k].upper;
    }
    costab_plan_choose_tiles(plan, TILE_POINTS);
}

static costab_status keep_simulation(costab_study *study, costab_error *error) {
    if (study->spec->a.count < 2 || (study->spec->fields & COSTAB_FIELD_CLASS) == 0) return COSTAB_OK;
    for (int s = 0; s < study->spec->scheme_count; s++)
        if (study->schemes[s].scheme == COSTAB_SIMULATION)
            return row_cache_make(&study->simulation, &study->schemes[s], &study->spec->gamma, error);
    return COSTAB_OK;
}

costab_status costab_study_create(const costab_sweep_spec *spec, costab_study **study, costab_error *error) {
    *study = NULL;
    costab_study *made = memory_alloc(1, sizeof *made);
    if (made == NULL) return error_memory(error);
    made->spec = spec;
    costab_status status = COSTAB_OK;
    for (int s = 0; s < spec->scheme_count && status == COSTAB_OK; s++)
        status = costab_sweep_spec_planar(spec, s, &made->schemes[s], error);
    if (status == COSTAB_OK) status = plan_axes(made, error);
    if (status == COSTAB_OK) status = keep_simulation(made, error);
    if (status == COSTAB_OK) {
        plan_fields(made);
        size_t tiles, points;
        status = costab_plan_size(&made->plan, &tiles, &points, error);
    }
    if (status == COSTAB_OK)
        *study = made;
    else
        costab_study_destroy(&made);
    return status;
}

void costab_study_destroy(costab_study **study) {
    if (study == NULL || *study == NULL) return;
    for (int s = 0; s < COSTAB_SCHEME_COUNT; s++) memory_free((*study)->labels[s]);
    row_cache_free(&(*study)->simulation);
    memory_free(*study);
    *study = NULL;
}

const costab_plan *costab_study_plan(const costab_study *study) {
    return &study->plan;
}

static void put_intervals(const costab_planar_slice *slice, double gamma, size_t width, double *lower,
                          double *upper) {
    costab_interval pieces[COSTAB_ROW_PIECES_MAX];
    size_t count = (size_t)costab_planar_row(slice, gamma, pieces);
    for (size_t p = 0; p < width; p++) {
        lower[p] = p < count ? pieces[p].lower : (double)NAN;
        upper[p] = p < count ? pieces[p].upper : (double)NAN;
    }
}

/* Where a row of each part begins in the blocks of a tile; NULL for what is not asked for. */
typedef struct row_target {
    uint8_t *class_code;
    costab_planar_fields fields;
    double *lower, *upper;
} row_target;

static row_target target_of(const costab_study *study, void *const *blocks, size_t row, size_t width,
                            size_t pieces) {
    row_target t = {0};
    for (int f = 0; f < study->plan.field_count; f++) {
        if (blocks[f] == NULL) continue;
        uint8_t *codes = (uint8_t *)blocks[f] + (study->plan.fields[f].type == COSTAB_U8 ? row * width : 0);
        double *values = (double *)blocks[f];
        switch (study->parts[f]) {
        case COSTAB_FIELD_CLASS:
            t.class_code = codes;
            break;
        case COSTAB_FIELD_CAUSE:
            t.fields.cause = codes;
            break;
        case COSTAB_FIELD_TRACE:
            t.fields.trace = values + row * width;
            break;
        case COSTAB_FIELD_DETERMINANT:
            t.fields.determinant = values + row * width;
            break;
        case COSTAB_FIELD_SPECTRAL_RADIUS:
            t.fields.spectral_radius = values + row * width;
            break;
        default:
            *(study->upper[f] ? &t.upper : &t.lower) = values + row * pieces;
            break;
        }
    }
    return t;
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    (void)error;
    const costab_study *study = (const costab_study *)context;
    const costab_axis *axes = study->plan.axes;
    const double *delta = axes[DELTA].values + tile->start[DELTA];
    size_t width = tile->count[DELTA], pieces = study->plan.axis_count > PIECE ? axes[PIECE].count : 0,
           row = 0;
    bool floats = (study->spec->fields & (COSTAB_FIELD_CAUSE | COSTAB_FIELD_TRACE | COSTAB_FIELD_DETERMINANT |
                                          COSTAB_FIELD_SPECTRAL_RADIUS)) != 0;

    for (size_t s = 0; s < tile->count[SCHEME]; s++)
        for (size_t i = 0; i < tile->count[A]; i++) {
            costab_planar_slice slice = costab_planar_at(&study->schemes[tile->start[SCHEME] + s],
                                                         axes[A].values[tile->start[A] + i]);
            for (size_t g = 0; g < tile->count[GAMMA]; g++, row++) {
                double gamma = axes[GAMMA].values[tile->start[GAMMA] + g];
                row_target t = target_of(study, blocks, row, width, pieces);
                if (t.class_code != NULL)
                    row_cache_fill(&study->simulation, &slice, tile->start[GAMMA] + g, gamma, width, delta,
                                   t.class_code);
                if (floats) costab_planar_field_row(&slice, gamma, width, delta, &t.fields);
                if (t.lower != NULL) put_intervals(&slice, gamma, pieces, t.lower, t.upper);
            }
        }
    return COSTAB_OK;
}

costab_evaluator costab_study_evaluator(const costab_study *study) {
    return (costab_evaluator){.context = study, .evaluate = evaluate};
}
