/* Plans and evaluates a planar sweep over scheme, a, gamma and delta; with areas alone gamma and delta may be
 * missing. A row has all points of one scheme, a and gamma; a plane all points of one scheme and a.
 *   1. Classes row by row: the intervals of delta with a stable map, and the sign conditions of the
 *      continuous system, become runs of codes (docs/explanation/algorithms.md, Rows and areas).
 *   2. Numbers (trace, determinant, spectral radius, cause) point by point.
 *   3. Areas once for each scheme and a, in exact arithmetic; the areas of the simulation do not depend on a
 *      and are computed once.
 *   4. Curves for figures, found when the plan is made. For each scheme and a: the outline of the stable set
 *      (planar/trace.c) in the window of the sweep, wider by MARGIN on each side, so that the cut is outside
 *      every figure; and in the same window the parts of the conditions' zero sets that bound nothing
 *      (planar/beyond.c), with an isolated point as a loop of one point. For each scheme: the limits of areas
 *      at critical values (area/limits.c).
 *
 * Cost: classes by row, not by point; outlines some milliseconds for each scheme and a. Codes belong to the
 * doubles nearest to the values; bounds of areas hold for the values as written. Limitation: no outlines are
 * stored for more than PLANES_MAX pairs of scheme and a, nor for a window in which rounding errors prevent
 * them (planar/strips.c). */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "area/limits.h"
#include "area/planar_points.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/outline.h"
#include "base/text.h"
#include "costab/area.h"
#include "costab/spec.h"
#include "costab/study.h"
#include "planar/beyond.h"
#include "planar/row.h"
#include "planar/trace.h"
#include "study/study.h"
#include "sweep/run.h"

/* ---- Curves ---- */

/* The curves of all planes. beyond: parts of the conditions' zero sets beyond the stable set. */
typedef struct planar_curves {
    size_t planes;                 /* number of planes with stored outlines */
    outline *boundary, *beyond;    /* of each plane */
    size_t vertices, beyond_count; /* largest number of entries of a boundary, of curves beyond it */
    size_t schemes, critical;      /* number of `limits`; largest number of critical values of a scheme */
    area_limits *limits;           /* of each scheme; NULL without areas or with a single a */
} planar_curves;

#define MARGIN     0.05 /* relative to the window */
#define TOLERANCE  1e-5 /* largest distance of the segments from the curve, relative to the window */
#define PLANES_MAX 64   /* limits the time before the first tile and the size of the file */

/* [out] *box: the window of the sweep, or of its figure along an axis with a single value, wider by MARGIN.
 * Returns false without a window. */
static bool find_window(const costab_spec *spec, outline_box *box) {
    for (int k = 0; k < 2; k++) {
        const costab_axis *axis = &spec->axes[k == 0 ? COSTAB_AXIS_GAMMA : COSTAB_AXIS_DELTA];
        const costab_figure_range *shown = k == 0 ? &spec->figure.x : &spec->figure.y;
        double *range = k == 0 ? box->x : box->y;
        if (axis->count == 0) return false;
        const bool single = axis->count == 1;
        const double low = single ? shown->from : axis->values[0],
                     high = single ? shown->to : axis->values[axis->count - 1];
        if (!(low < high)) return false;
        range[0] = low - MARGIN * (high - low);
        range[1] = high + MARGIN * (high - low);
    }
    return true;
}

/* Finds the curves beyond the stable set of a plane in a window; an isolated point is a loop of one point. */
static costab_status find_beyond(const costab_planar_slice *slice, const outline_box *box, outline *beyond,
                                 costab_error *error) {
    ends_by(costab_boundary_free) costab_boundary zero = {0};
    TRY(costab_planar_boundary(slice->planar, slice->a, box->x, box->y, &zero, error));
    for (size_t k = 0; k < zero.count; k++) {
        const costab_curve *curve = &zero.curves[k];
        beyond_curve(slice, box, curve, beyond);
        if (curve->count > 1) continue;
        const size_t first = beyond->point_count;
        outline_add_point(beyond, curve->gamma[0], curve->delta[0], curve->cause);
        outline_add_loop(beyond, first, curve->cause, false);
    }
    return COSTAB_OK;
}

/* Returns the number of entries that planar_curves_put needs for an outline. */
static size_t entries_of(const outline *source) {
    size_t entries = source->loop_count > 0 ? source->loop_count - 1 : 0;
    for (size_t l = 0; l < source->loop_count; l++)
        entries += source->loops[l].count + source->loops[l].closed;
    return entries;
}

/* Traces the curves of all pairs of scheme and a. COSTAB_NUMERIC if the window does not allow it. */
static costab_status trace_planes(const costab_spec *spec, const costab_planar *schemes,
                                  const outline_box *box, planar_curves *curves, costab_error *error) {
    const costab_axis *a = &spec->axes[COSTAB_AXIS_A];
    const size_t planes = (size_t)spec->planar.scheme_count * a->count;
    if (planes > PLANES_MAX) return COSTAB_OK;
    TRY(memory_make(&curves->boundary, planes, error));
    TRY(memory_make(&curves->beyond, planes, error));
    curves->planes = planes;
    curves->vertices = curves->beyond_count = 1;
    for (size_t p = 0; p < planes; p++) {
        const costab_planar_slice slice = costab_planar_at(&schemes[p / a->count], a->values[p % a->count]);
        TRY(outline_trace(&slice, box, TOLERANCE, &curves->boundary[p], error));
        TRY(find_beyond(&slice, box, &curves->beyond[p], error));
        if (curves->boundary[p].failed || curves->beyond[p].failed) return error_memory(error);
        const size_t vertices = entries_of(&curves->boundary[p]), beyond = entries_of(&curves->beyond[p]);
        if (vertices > curves->vertices) curves->vertices = vertices;
        if (beyond > curves->beyond_count) curves->beyond_count = beyond;
    }
    return COSTAB_OK;
}

static void planar_curves_free(planar_curves *curves) {
    for (size_t p = 0; p < curves->planes; p++) {
        outline_free(&curves->boundary[p]);
        outline_free(&curves->beyond[p]);
    }
    for (size_t s = 0; s < curves->schemes; s++) area_limits_free(&curves->limits[s]);
    memory_free_all(curves->boundary, curves->beyond, curves->limits);
    *curves = (planar_curves){0};
}

/* Finds the curves of the spec's sweep. [out] *curves: free with planar_curves_free in any case. */
static costab_status planar_curves_find(const costab_spec *spec, const costab_planar *schemes,
                                        planar_curves *curves, costab_error *error) {
    const costab_axis *a = &spec->axes[COSTAB_AXIS_A];
    outline_box box;
    *curves = (planar_curves){0};
    if (find_window(spec, &box)) {
        const costab_status status = trace_planes(spec, schemes, &box, curves, error);
        if (status == COSTAB_NUMERIC)
            planar_curves_free(curves);
        else
            TRY(status);
    }
    if ((spec->fields & COSTAB_FIELD_AREAS) == 0 || a->count < 2) return COSTAB_OK;
    TRY(memory_make(&curves->limits, (size_t)spec->planar.scheme_count, error));
    curves->schemes = (size_t)spec->planar.scheme_count;
    for (size_t s = 0; s < curves->schemes; s++) {
        TRY(area_limits_find(&schemes[s], a->values[0], a->values[a->count - 1], &curves->limits[s], error));
        if (curves->limits[s].count > curves->critical) curves->critical = curves->limits[s].count;
    }
    return COSTAB_OK;
}

/* Writes an outline into `count` entries: its points in turn, the first point of a closed loop again at its
 * end, NaN between loops and after the last. cause: of the segment to the next point. NULL: not requested. */
static void planar_curves_put(const outline *source, size_t count, double *x, double *y, uint8_t *cause) {
    for (size_t i = 0; i < count; i++) {
        if (x != NULL) x[i] = (double)NAN;
        if (y != NULL) y[i] = (double)NAN;
        if (cause != NULL) cause[i] = OUTLINE_CUT;
    }
    size_t at = 0;
    for (size_t l = 0; l < source->loop_count; l++, at++) {
        const outline_run *run = &source->loops[l];
        for (size_t i = 0; i < run->count + run->closed; i++, at++) {
            const outline_point *p = &source->points[run->first + i % run->count];
            if (x != NULL) x[at] = p->x;
            if (y != NULL) y[at] = p->y;
            if (cause != NULL) cause[at] = p->edge;
        }
    }
}

/* ---- The study ---- */

/* The possible axes of a field. `place` gives the position of each axis in the plan. */
enum { SCHEME, A, GAMMA, DELTA, PIECE, CLASS, VERTEX, BEYOND, CRITICAL, AXES };

/* Points of a full tile: a chunk of class codes is then 128 KiB, one of doubles 1 MiB. */
#define TILE_POINTS 131072
/* Values of a in a tile of areas alone: each costs some 300 microseconds. */
#define TILE_AREAS 16

/* Content of a field, finer than the flags of the spec. */
typedef enum value {
    VALUE_CLASS,
    VALUE_CAUSE,
    VALUE_TRACE,
    VALUE_DETERMINANT,
    VALUE_SPECTRAL_RADIUS,
    VALUE_LOWER,
    VALUE_UPPER,
    VALUE_AREA_SS,
    VALUE_AREA_US,
    VALUE_AREA_SS_ERROR,
    VALUE_AREA_US_ERROR,
    VALUE_WINDOW_AREA,
    VALUE_WINDOW_AREA_ERROR,
    VALUE_BOUNDARY_X,
    VALUE_BOUNDARY_Y,
    VALUE_BOUNDARY_CAUSE,
    VALUE_BEYOND_X,
    VALUE_BEYOND_Y,
    VALUE_BEYOND_CAUSE,
    VALUE_CRITICAL,
    VALUE_LIMIT, /* the first of AREA_SIDES values, in the order of area_limits */
    VALUE_LIMIT_LAST = VALUE_LIMIT + AREA_SIDES - 1,
    VALUE_COUNT
} value;

/* Areas of the simulation, which do not depend on a. */
typedef struct simulation_areas {
    pthread_mutex_t lock;
    bool known; /* the areas were computed, with the first tile */
    costab_areas areas;
    costab_window_areas inside; /* if gamma and delta are axes */
} simulation_areas;

typedef struct planar_study {
    costab_study base;
    costab_planar schemes[COSTAB_SCHEME_COUNT];
    int place[AXES];        /* of each axis in the plan, -1 if it is not there */
    int field[VALUE_COUNT]; /* index of each value's field in the plan, -1 if not requested */
    simulation_areas *simulation;
    planar_curves curves;
} planar_study;

enum {
    OF_POINT = 1U << SCHEME | 1U << A | 1U << GAMMA | 1U << DELTA,
    OF_ROW = 1U << SCHEME | 1U << A | 1U << GAMMA | 1U << PIECE,
    OF_PLANE = 1U << SCHEME | 1U << A,
    OF_WINDOW = 1U << SCHEME | 1U << A | 1U << CLASS,
    OF_VERTEX = 1U << SCHEME | 1U << A | 1U << VERTEX,
    OF_BEYOND = 1U << SCHEME | 1U << A | 1U << BEYOND,
    OF_CRITICAL = 1U << SCHEME | 1U << CRITICAL,
};

#define ANY_FIELD (~0U) /* stored whenever its axes exist */

static const study_codes class_codes = {.kind = COSTAB_CODES_VALUES,
                                        .count = 6,
                                        .values = {0, 1, 2, 3, 4, 8},
                                        .meanings = "UU US SU SS not_computed failed",
                                        .fill = COSTAB_NOT_COMPUTED};
static const study_codes cause_codes = {
    .kind = COSTAB_CODES_MASKS, .count = 4, .values = {1, 2, 4, 8}, .meanings = "det fold flip iteration"};

static const study_field known_fields[VALUE_COUNT] = {
    [VALUE_CLASS] = {COSTAB_FIELD_CLASS, OF_POINT, "class",
                     "stability class: continuous system, then discretised system (S stable, U unstable)",
                     &class_codes, NULL},
    [VALUE_CAUSE] = {COSTAB_FIELD_CAUSE, OF_POINT, "cause", "conditions for a stable map that are violated",
                     &cause_codes, NULL},
    [VALUE_TRACE] = {COSTAB_FIELD_TRACE, OF_POINT, "trace", "trace of the macro step's map", NULL, NULL},
    [VALUE_DETERMINANT] = {COSTAB_FIELD_DETERMINANT, OF_POINT, "determinant",
                           "determinant of the macro step's map", NULL, NULL},
    [VALUE_SPECTRAL_RADIUS] = {COSTAB_FIELD_SPECTRAL_RADIUS, OF_POINT, "spectral_radius",
                               "spectral radius of the macro step's map", NULL, NULL},
    [VALUE_LOWER] = {COSTAB_FIELD_ROW_INTERVALS, OF_ROW, "stable_lower",
                     "lower ends of the open intervals of delta in which the map is stable", NULL, NULL},
    [VALUE_UPPER] = {COSTAB_FIELD_ROW_INTERVALS, OF_ROW, "stable_upper",
                     "upper ends of the open intervals of delta in which the map is stable", NULL, NULL},
    [VALUE_AREA_SS] = {COSTAB_FIELD_AREAS, OF_PLANE, "area_ss",
                       "area of SS in the whole (gamma, delta) plane", NULL, NULL},
    [VALUE_AREA_US] = {COSTAB_FIELD_AREAS, OF_PLANE, "area_us",
                       "area of US in the whole (gamma, delta) plane", NULL, NULL},
    [VALUE_AREA_SS_ERROR] = {COSTAB_FIELD_AREAS, OF_PLANE, "area_ss_error", "bound of the error of area_ss",
                             NULL, NULL},
    [VALUE_AREA_US_ERROR] = {COSTAB_FIELD_AREAS, OF_PLANE, "area_us_error", "bound of the error of area_us",
                             NULL, NULL},
    [VALUE_WINDOW_AREA] = {COSTAB_FIELD_AREAS, OF_WINDOW, "window_area",
                           "area of each class inside the sweep's window", NULL, NULL},
    [VALUE_WINDOW_AREA_ERROR] = {COSTAB_FIELD_AREAS, OF_WINDOW, "window_area_error",
                                 "bound of the error of window_area", NULL, NULL},
    [VALUE_BOUNDARY_X] = {ANY_FIELD, OF_VERTEX, "boundary_x",
                          "gamma of the outlines of the stable set: closed polygons, NaN between them", NULL,
                          NULL},
    [VALUE_BOUNDARY_Y] = {ANY_FIELD, OF_VERTEX, "boundary_y", "delta of the outlines", NULL, NULL},
    [VALUE_BOUNDARY_CAUSE] = {ANY_FIELD, OF_VERTEX, "boundary_cause",
                              "condition that ends on the segment to the next vertex; 0: the window does",
                              &cause_codes, NULL},
    [VALUE_BEYOND_X] = {ANY_FIELD, OF_BEYOND, "beyond_x",
                        "gamma of curves on which a condition is an equality beyond the stable set, NaN "
                        "between them; a single one is an isolated point",
                        NULL, NULL},
    [VALUE_BEYOND_Y] = {ANY_FIELD, OF_BEYOND, "beyond_y", "delta of these curves", NULL, NULL},
    [VALUE_BEYOND_CAUSE] = {ANY_FIELD, OF_BEYOND, "beyond_cause", "the condition", &cause_codes, NULL},
    [VALUE_CRITICAL] = {COSTAB_FIELD_AREAS, OF_CRITICAL, "critical_a",
                        "values of a at which an area begins, ends or becomes infinite", NULL, NULL},
    [VALUE_LIMIT + AREA_SS_LEFT] = {COSTAB_FIELD_AREAS, OF_CRITICAL, "ss_left",
                                    "limit of area_ss as a goes up to critical_a", NULL, NULL},
    [VALUE_LIMIT + AREA_SS_RIGHT] = {COSTAB_FIELD_AREAS, OF_CRITICAL, "ss_right",
                                     "limit of area_ss as a goes down to critical_a", NULL, NULL},
    [VALUE_LIMIT + AREA_US_LEFT] = {COSTAB_FIELD_AREAS, OF_CRITICAL, "us_left",
                                    "limit of area_us as a goes up to critical_a", NULL, NULL},
    [VALUE_LIMIT + AREA_US_RIGHT] = {COSTAB_FIELD_AREAS, OF_CRITICAL, "us_right",
                                     "limit of area_us as a goes down to critical_a", NULL, NULL},
};

/* Returns the largest number of intervals in a row of the sweep. Only rows of the simulation can have
 * several; their intervals do not depend on a. */
static size_t most_pieces(const planar_study *study) {
    const costab_spec *spec = study->base.spec;
    size_t most = 1;
    for (int s = 0; s < spec->planar.scheme_count; s++) {
        if (study->schemes[s].scheme != COSTAB_SIMULATION) continue;
        costab_planar_slice slice = costab_planar_at(&study->schemes[s], 0);
        for (size_t g = 0; g < spec->axes[COSTAB_AXIS_GAMMA].count; g++) {
            costab_interval pieces[COSTAB_ROW_PIECES_MAX];
            size_t count = (size_t)costab_planar_row(&slice, spec->axes[COSTAB_AXIS_GAMMA].values[g], pieces);
            if (count > most) most = count;
        }
    }
    return most;
}

static const char *class_label(const void *context, size_t i, char space[STUDY_LABEL_MAX]) {
    (void)context;
    (void)space;
    return costab_class_name((int)i);
}

/* Adds the axes of the curves. */
static void add_curves(planar_study *study) {
    const struct {
        int place;
        costab_axis axis;
    } axes[] = {
        {VERTEX, {"vertex", study->curves.vertices, .long_name = "number of the vertex of an outline"}},
        {BEYOND, {"beyond", study->curves.beyond_count, .long_name = "number of the point of these curves"}},
        {CRITICAL, {"critical", study->curves.critical, .long_name = "number of the critical value"}}};
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++)
        if (axes[k].axis.count > 0) study->place[axes[k].place] = study_add_axis(&study->base, axes[k].axis);
}

static costab_status plan_axes(planar_study *study, costab_error *error) {
    const costab_spec *spec = study->base.spec;
    costab_plan *plan = &study->base.plan;
    bool grid = spec->axes[COSTAB_AXIS_GAMMA].count > 0, areas = (spec->fields & COSTAB_FIELD_AREAS) != 0;
    for (int k = 0; k < AXES; k++) study->place[k] = -1;
    TRY(study_add_schemes(&study->base, study->schemes, error));
    study->place[SCHEME] = 0;
    study->place[A] = study_add_axis(&study->base, spec->axes[COSTAB_AXIS_A]);
    if (grid) study->place[GAMMA] = study_add_axis(&study->base, spec->axes[COSTAB_AXIS_GAMMA]);
    if (grid) study->place[DELTA] = study_add_axis(&study->base, spec->axes[COSTAB_AXIS_DELTA]);
    plan->swept = plan->axis_count;
    if ((spec->fields & COSTAB_FIELD_ROW_INTERVALS) != 0)
        study->place[PIECE] = study_add_axis(
            &study->base, (costab_axis){.name = "piece",
                                        .count = most_pieces(study),
                                        .long_name = "number of the stable interval in its row"});
    if (areas && grid) {
        study->place[CLASS] = plan->axis_count; /* an axis named `class` would clash with the field */
        costab_axis classes = {.name = "area_class", .count = 4, .long_name = "stability class"};
        TRY(study_add_labelled(&study->base, classes, class_label, NULL, error));
    }
    TRY(planar_curves_find(spec, study->schemes, &study->curves, error));
    add_curves(study);
    return COSTAB_OK;
}

static void plan_fields(planar_study *study) {
    costab_plan *plan = &study->base.plan;
    const costab_spec *spec = study->base.spec;
    for (int k = 0; k < VALUE_COUNT; k++) {
        bool wanted = (spec->fields & known_fields[k].flag) != 0;
        study->field[k] = wanted ? study_plan_field(&study->base.plan, &known_fields[k], study->place) : -1;
    }
    bool areas_alone = spec->fields == COSTAB_FIELD_AREAS;
    costab_plan_choose_tiles(plan, areas_alone && spec->axes[COSTAB_AXIS_GAMMA].count == 0 ? TILE_AREAS
                                                                                           : TILE_POINTS);
}

static costab_status plane_areas(const costab_planar *planar, costab_number a, costab_areas *areas,
                                 costab_error *error) {
    return a.written != NULL ? costab_planar_areas_at(planar, a.written, areas, error)
                             : costab_planar_areas(planar, a.value, areas, error);
}

/* Returns the i-th value of an axis, exactly as the spec writes it. [in, out] exact: space for the text. */
static costab_number exact_value(const costab_spec *spec, int axis, size_t i, text *exact) {
    const char *list = spec->words[axis].written;
    if (list != NULL) number_list_exact(list, i, exact);
    return (costab_number){spec->axes[axis].values[i], exact->data};
}

static costab_status window_areas(const planar_study *study, const costab_planar *planar, costab_number a,
                                  costab_window_areas *inside, costab_error *error) {
    static const int axes[2] = {COSTAB_AXIS_GAMMA, COSTAB_AXIS_DELTA};
    const costab_spec *spec = study->base.spec;
    text exact[4] = {{0}};
    costab_number end[4];
    bool failed = false;
    for (int k = 0; k < 4; k++) {
        end[k] =
            exact_value(spec, axes[k / 2], k % 2 == 0 ? 0 : spec->axes[axes[k / 2]].count - 1, &exact[k]);
        failed |= exact[k].failed;
    }
    costab_status status =
        failed ? error_memory(error) : costab_planar_window_areas(planar, a, end, end + 2, inside, error);
    for (int k = 0; k < 4; k++) text_free(&exact[k]);
    return status;
}

/* Computes the areas of the scheme `simulation`, if the sweep has it and stores areas. */
static costab_status compute_simulation_areas(const planar_study *study, costab_error *error) {
    const costab_spec *spec = study->base.spec;
    const costab_planar *simulation = NULL;
    const costab_number any = {0, NULL};
    for (int s = 0; s < spec->planar.scheme_count; s++)
        if (study->schemes[s].scheme == COSTAB_SIMULATION) simulation = &study->schemes[s];
    if (simulation != NULL && (spec->fields & COSTAB_FIELD_AREAS) != 0)
        TRY(costab_planar_areas(simulation, 0, &study->simulation->areas, error));
    if (simulation != NULL && study->field[VALUE_WINDOW_AREA] >= 0)
        TRY(window_areas(study, simulation, any, &study->simulation->inside, error));
    return COSTAB_OK;
}

/* Computes the areas of the scheme `simulation` once for all tiles. */
static costab_status ensure_simulation_areas(const planar_study *study, costab_error *error) {
    simulation_areas *k = study->simulation;
    costab_status status = COSTAB_OK;
    (void)pthread_mutex_lock(&k->lock);
    if (!k->known) status = compute_simulation_areas(study, error);
    k->known = !status;
    (void)pthread_mutex_unlock(&k->lock);
    return status;
}

/* Returns the block of a field from index `at` on; NULL if the tile does not have the field. */
static double *values_of(const planar_study *study, void *const *blocks, value which, size_t at) {
    int f = study->field[which];
    return f >= 0 && blocks[f] != NULL ? (double *)blocks[f] + at : NULL;
}

static uint8_t *codes_of(const planar_study *study, void *const *blocks, value which, size_t at) {
    int f = study->field[which];
    return f >= 0 && blocks[f] != NULL ? (uint8_t *)blocks[f] + at : NULL;
}

/* Writes the intervals of a row into `width` entries, NaN after the last. */
static void put_intervals(const planar_pieces *found, size_t width, double *lower, double *upper) {
    size_t count = (size_t)found->count;
    for (size_t p = 0; p < width; p++) {
        lower[p] = p < count ? found->piece[p].lower : (double)NAN;
        upper[p] = p < count ? found->piece[p].upper : (double)NAN;
    }
}

/* Evaluates the rows of one scheme and one a in a tile. [in, out] *row: number of the next row in the tile.
 */
static costab_status evaluate_rows(const planar_study *study, const costab_planar_slice *slice,
                                   const costab_tile *tile, void *const *blocks, size_t *row,
                                   costab_error *error) {
    const costab_axis *axes = study->base.plan.axes;
    int gamma_axis = study->place[GAMMA], delta_axis = study->place[DELTA];
    const double *delta = axes[delta_axis].values + tile->start[delta_axis];
    size_t width = tile->count[delta_axis],
           pieces = study->place[PIECE] >= 0 ? axes[study->place[PIECE]].count : 0;
    planar_grid grid = planar_grid_of(width, delta);
    for (size_t g = 0; g < tile->count[gamma_axis]; g++, ++*row) {
        size_t at = *row * width;
        double gamma = axes[gamma_axis].values[tile->start[gamma_axis] + g],
               *lower = values_of(study, blocks, VALUE_LOWER, *row * pieces);
        uint8_t *class_code = codes_of(study, blocks, VALUE_CLASS, at);
        costab_planar_fields fields = {
            .trace = values_of(study, blocks, VALUE_TRACE, at),
            .determinant = values_of(study, blocks, VALUE_DETERMINANT, at),
            .spectral_radius = values_of(study, blocks, VALUE_SPECTRAL_RADIUS, at),
            .cause = codes_of(study, blocks, VALUE_CAUSE, at),
        };
        const bool simulation = slice->planar->scheme == COSTAB_SIMULATION;
        planar_row own = {.finite = false}, *coefficients = simulation ? NULL : &own;
        if (!simulation && !exact_planar_row(slice, gamma, &own)) return error_memory(error);
        planar_pieces found;
        if (class_code != NULL || lower != NULL) planar_row_find(slice, coefficients, gamma, &found);
        if (class_code != NULL) planar_fill_row(slice, gamma, &found, &grid, class_code);
        const bool wanted = fields.trace != NULL || fields.determinant != NULL ||
                            fields.spectral_radius != NULL || fields.cause != NULL;
        if (wanted && !exact_planar_fields(slice, coefficients, gamma, width, delta, &fields))
            return error_memory(error);
        if (lower != NULL)
            put_intervals(&found, pieces, lower, values_of(study, blocks, VALUE_UPPER, *row * pieces));
    }
    return COSTAB_OK;
}

/* Writes the areas of one scheme and one a, the `at`-th pair of the tile. */
static costab_status evaluate_areas(const planar_study *study, const costab_planar *planar, costab_number a,
                                    void *const *blocks, size_t at, costab_error *error) {
    double *ss = values_of(study, blocks, VALUE_AREA_SS, at);
    if (ss == NULL) return COSTAB_OK;
    costab_areas areas = study->simulation->areas;
    if (planar->scheme != COSTAB_SIMULATION) TRY(plane_areas(planar, a, &areas, error));
    *ss = areas.ss;
    *values_of(study, blocks, VALUE_AREA_US, at) = areas.us;
    *values_of(study, blocks, VALUE_AREA_SS_ERROR, at) = areas.error_ss;
    *values_of(study, blocks, VALUE_AREA_US_ERROR, at) = areas.error_us;

    double *window = values_of(study, blocks, VALUE_WINDOW_AREA, 4 * at);
    if (window == NULL) return COSTAB_OK;
    costab_window_areas inside = study->simulation->inside;
    if (planar->scheme != COSTAB_SIMULATION) TRY(window_areas(study, planar, a, &inside, error));
    memcpy(window, inside.area, sizeof inside.area);
    memcpy(values_of(study, blocks, VALUE_WINDOW_AREA_ERROR, 4 * at), inside.error, sizeof inside.error);
    return COSTAB_OK;
}

/* Writes the areas at value `i` of the axis a, as the spec writes it. */
static costab_status evaluate_areas_at(const planar_study *study, const costab_planar *planar, size_t i,
                                       void *const *blocks, size_t at, costab_error *error) {
    text_local exact = {0};
    if (study->field[VALUE_AREA_SS] < 0) return COSTAB_OK;
    const costab_number a = exact_value(study->base.spec, COSTAB_AXIS_A, i, &exact);
    return exact.failed ? error_memory(error) : evaluate_areas(study, planar, a, blocks, at, error);
}

/* Writes the limits of areas of the scheme `s`, the `at`-th of the tile. */
static void put_limits(const planar_study *study, size_t s, void *const *blocks, size_t at) {
    const area_limits *limits = study->curves.schemes > 0 ? &study->curves.limits[s] : NULL;
    const size_t count = study->curves.critical;
    for (int v = VALUE_CRITICAL; v <= VALUE_LIMIT_LAST; v++) {
        double *to = values_of(study, blocks, (value)v, at * count);
        for (size_t k = 0; to != NULL && k < count; k++)
            to[k] = k >= limits->count    ? (double)NAN
                    : v == VALUE_CRITICAL ? limits->a[k]
                                          : limits->limit[k][v - VALUE_LIMIT];
    }
}

/* Writes the curves of the `plane`-th pair of scheme and a, the `at`-th of the tile. */
static void put_curves(const planar_study *study, size_t plane, void *const *blocks, size_t at) {
    const planar_curves *c = &study->curves;
    if (c->planes == 0) return;
    planar_curves_put(&c->boundary[plane], c->vertices,
                      values_of(study, blocks, VALUE_BOUNDARY_X, at * c->vertices),
                      values_of(study, blocks, VALUE_BOUNDARY_Y, at * c->vertices),
                      codes_of(study, blocks, VALUE_BOUNDARY_CAUSE, at * c->vertices));
    planar_curves_put(&c->beyond[plane], c->beyond_count,
                      values_of(study, blocks, VALUE_BEYOND_X, at * c->beyond_count),
                      values_of(study, blocks, VALUE_BEYOND_Y, at * c->beyond_count),
                      codes_of(study, blocks, VALUE_BEYOND_CAUSE, at * c->beyond_count));
}

static costab_status evaluate(const costab_study *base, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const planar_study *study = (const planar_study *)base;
    const double *a = study->base.plan.axes[study->place[A]].values;
    size_t row = 0, at = 0;
    TRY(ensure_simulation_areas(study, error));
    for (size_t s = 0; s < tile->count[0]; s++) {
        put_limits(study, tile->start[0] + s, blocks, s);
        for (size_t i = 0; i < tile->count[1]; i++, at++) {
            const costab_planar *planar = &study->schemes[tile->start[0] + s];
            costab_planar_slice slice = costab_planar_at(planar, a[tile->start[1] + i]);
            if (study->place[GAMMA] >= 0) TRY(evaluate_rows(study, &slice, tile, blocks, &row, error));
            TRY(evaluate_areas_at(study, planar, tile->start[1] + i, blocks, at, error));
            put_curves(study,
                       (tile->start[0] + s) * study->base.plan.axes[study->place[A]].count + tile->start[1] +
                           i,
                       blocks, at);
        }
    }
    return COSTAB_OK;
}

static void destroy(costab_study *base) {
    simulation_areas *k = ((planar_study *)base)->simulation;
    if (k != NULL) (void)pthread_mutex_destroy(&k->lock);
    memory_free(k);
    planar_curves_free(&((planar_study *)base)->curves);
}

costab_status planar_study_create(const costab_spec *spec, costab_study **created, costab_error *error) {
    planar_study *study = memory_alloc(1, sizeof *study);
    if (study == NULL) return error_memory(error);
    study->base = (costab_study){.spec = spec, .evaluate = evaluate, .destroy = destroy};
    *created = &study->base;
    TRY(memory_make(&study->simulation, 1, error));
    *study->simulation = (simulation_areas){.lock = PTHREAD_MUTEX_INITIALIZER};
    TRY(plan_axes(study, error));
    plan_fields(study);
    return COSTAB_OK;
}
