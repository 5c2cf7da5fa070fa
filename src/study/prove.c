/* Checks the certificates of a results file. A certified point claims that its class holds on all of its
 * parcel, the rectangle half the way to the next points.
 *   1. The sweep certifies the parcel again, from the model in the file.
 *   2. The class of both systems, map and continuous system, is found in ball arithmetic at the point and
 *      at the corners of its parcel, by Schur's and Cohn's recursion, which needs no crossing functions.
 *      Where one of these contradicts, the certificate is wrong.
 *   3. Rectangles of certified parcels of one class are tried as a whole: balls show the class on all of
 *      it. Such rectangles are halved, until shown or smaller than RECTANGLE_LEAST.
 * Cost: a tile of the sweep, two points in balls for each parcel, and the rectangles. Not guaranteed:
 * outside of the rectangles of step 3 a class is shown at points only. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "proof/chart.h"
#include "study/balls.h"
#include "study/network_study.h"
#include "sweep/plan.h"

/* Rectangles that are tried as a whole have at least so many points along each side. */
enum { RECTANGLE_LEAST = 16 };

enum { SYSTEMS = 2 }; /* the map, the continuous system */

/* What steps 1 and 2 have found of a parcel. */
typedef enum parcel { PARCEL_FINE, PARCEL_UNSURE, PARCEL_WRONG } parcel;

typedef struct prover {
    const costab_results *results;
    const costab_prove_options *options;
    costab_prove_outcome *outcome;
    costab_study *study; /* the sweep of the spec in the file */
    const costab_plan *plan;
    study_balls *balls;
    int class_field, certificate_field, axes[2]; /* of the file, of the two axes */
    costab_tile tile;
    size_t count[2];                 /* points of the tile along the two */
    uint8_t *classes, *certificates; /* the codes in the file */
    uint8_t *parcels;                /* of each point of the tile */
    void *blocks[COSTAB_FIELDS_MAX]; /* the tile as it is computed again */
    int across; /* the one of the two axes on which the continuous system depends alone; -1: both */
    ball_verdict *continuous; /* what is shown of it: for the parcel of each point of that axis; */
    ball_verdict *sampled;    /* at each edge and point of that axis, in turn */
} prover;

/* Points first <= i < end along each of the two axes, numbered within the tile. */
typedef struct rectangle {
    size_t first[2], end[2];
} rectangle;

static double value_of(const prover *p, int a, size_t i) {
    return p->plan->axes[p->axes[a]].values[p->tile.start[p->axes[a]] + i];
}

static bool evaluations_are_used_up(const prover *p) {
    return p->options->evaluations > 0 && p->balls->confirmer.evaluations >= p->options->evaluations;
}

/* ---- Regions ---- */

static bool is_stable(uint8_t code, int system) {
    return (code & (system == 0 ? COSTAB_DISCRETE_STABLE : COSTAB_CONTINUOUS_STABLE)) != 0;
}

/* 1 where a verdict in balls is the class, -1 where it is the opposite, 0 where it is undecided. */
static int compare_verdict(ball_verdict verdict, bool stable) {
    if (verdict == BALL_UNDECIDED) return 0;
    return (verdict == BALL_INSIDE) == stable ? 1 : -1;
}

static void note_refuted(prover *p, const double at[2], uint8_t code) {
    costab_prove_outcome *o = p->outcome;
    if (o->refuted++ > 0) return;
    o->first_refuted[0] = at[0];
    o->first_refuted[1] = at[1];
    o->first_class = code;
    o->first_coupling = p->tile.start[NETWORK_COUPLING];
}

/* The region of a rectangle's parcels. */
static ball_region rectangle_region(const prover *p, const rectangle *w) {
    ball_region region = {.dimensions = 2};
    for (int a = 0; a < 2; a++) {
        const costab_axis *axis = &p->plan->axes[p->axes[a]];
        size_t begin = p->tile.start[p->axes[a]];
        region.from[a] = chart_edge(axis->values, axis->count, begin + w->first[a]);
        region.to[a] = chart_edge(axis->values, axis->count, begin + w->end[a]);
    }
    return region;
}

static size_t length_of(const rectangle *w, int a) {
    return w->end[a] - w->first[a];
}

/* Whether the continuous system's class was shown before, where it depends on one axis alone. */
static bool shown_before(const prover *p, const rectangle *w, bool stable) {
    size_t begin = p->across < 0 ? 0 : p->tile.start[p->axes[p->across]];
    for (size_t i = p->across < 0 ? 0 : w->first[p->across]; p->across >= 0 && i < w->end[p->across]; i++)
        if (compare_verdict(p->continuous[begin + i], stable) != 1) return false;
    return p->across >= 0;
}

/* Whether balls show the class of one system on all of a rectangle. */
static bool show_class(prover *p, const rectangle *w, int system, bool stable) {
    ball_region region = rectangle_region(p, w);
    if (system > 0 && shown_before(p, w, stable)) return true;
    if (evaluations_are_used_up(p) || !confirm_region(&p->balls->confirmer, &region, stable, system > 0))
        return false;
    for (size_t i = 0; system > 0 && p->across >= 0 && i < length_of(w, p->across); i++)
        p->continuous[p->tile.start[p->axes[p->across]] + w->first[p->across] + i] =
            stable ? BALL_INSIDE : BALL_OUTSIDE;
    return true;
}

/* ---- Samples ---- */

/* The verdict in balls at a node: edges and points of the tile are numbered in turn along both axes. */
static ball_verdict verdict_at(prover *p, const size_t node[2], int system) {
    ball_verdict *kept = NULL;
    double at[2];
    for (int a = 0; a < 2; a++) {
        const costab_axis *axis = &p->plan->axes[p->axes[a]];
        size_t i = p->tile.start[p->axes[a]] + node[a] / 2;
        at[a] = node[a] % 2 == 1 ? axis->values[i] : chart_edge(axis->values, axis->count, i);
        if (system > 0 && a == p->across) kept = &p->sampled[2 * p->tile.start[p->axes[a]] + node[a]];
    }
    if (kept != NULL && *kept != BALL_UNDECIDED) return *kept;
    ball_verdict verdict =
        evaluations_are_used_up(p) ? BALL_UNDECIDED : confirm_point(&p->balls->confirmer, at, system > 0);
    if (kept != NULL) *kept = verdict;
    return verdict;
}

/* Compares the verdict at a node with the classes of the parcels there: one at a point, up to four at a
 * corner. */
static void compare_with_parcels(prover *p, const size_t node[2]) {
    size_t numbers[4], count = 0, first[2], end[2];
    for (int a = 0; a < 2; a++) { /* the parcels on both sides of an edge, or that of the point */
        first[a] = node[a] % 2 == 1 || node[a] == 0 ? node[a] / 2 : node[a] / 2 - 1;
        end[a] = node[a] / 2 < p->count[a] ? node[a] / 2 + 1 : p->count[a];
    }
    for (size_t i = first[0]; i < end[0]; i++)
        for (size_t j = first[1]; j < end[1]; j++) {
            size_t number = i * p->count[1] + j;
            bool certified = p->certificates[number] == COSTAB_CERTIFIED;
            if (certified && p->parcels[number] != PARCEL_WRONG) numbers[count++] = number;
        }
    for (int system = 0; system < SYSTEMS && count > 0; system++) {
        ball_verdict verdict = verdict_at(p, node, system);
        for (size_t k = 0; k < count; k++) {
            int said = compare_verdict(verdict, is_stable(p->classes[numbers[k]], system));
            uint8_t *known = &p->parcels[numbers[k]];
            if (said < 0) *known = PARCEL_WRONG;
            if (said == 0 && *known == PARCEL_FINE) *known = PARCEL_UNSURE;
        }
    }
}

/* A field of codes over the swept axes; -1: there is none. */
static int field_named(const costab_plan *plan, const char *name) {
    int f = costab_plan_field(plan, name);
    return f >= 0 && plan->fields[f].type == COSTAB_U8 && plan->fields[f].rank == plan->swept ? f : -1;
}

/* Steps 1 and 2. */
static void check_parcels(prover *p) {
    const uint8_t *again = p->blocks[field_named(&p->study->plan, "certificate")];
    for (size_t number = 0; number < p->count[0] * p->count[1]; number++) {
        bool wrong = (p->classes[number] & ~(COSTAB_DISCRETE_STABLE | COSTAB_CONTINUOUS_STABLE)) != 0;
        p->parcels[number] = wrong                               ? PARCEL_WRONG /* no class of a cell */
                             : again[number] != COSTAB_CERTIFIED ? PARCEL_UNSURE
                                                                 : PARCEL_FINE;
    }
    /* The macro step, if it is one of the two, stays the same for a while: its exponentials do, too. */
    const int outer = p->across == 0 ? 1 : 0;
    for (size_t i = 0; i < 2 * p->count[outer] + 1; i++)
        for (size_t j = i % 2; j < 2 * p->count[1 - outer] + 1; j += 2)
            compare_with_parcels(p, outer == 0 ? (size_t[2]){i, j} : (size_t[2]){j, i});
}

/* ---- Windows ---- */

/* Whether all points of a rectangle are certified, of one class and not wrong. [out] *any: one is
 * certified. */
static bool is_uniform(const prover *p, const rectangle *w, bool *any) {
    uint8_t code = p->classes[w->first[0] * p->count[1] + w->first[1]];
    bool all = true;
    *any = false;
    for (size_t i = w->first[0]; i < w->end[0]; i++)
        for (size_t j = w->first[1]; j < w->end[1]; j++) {
            size_t number = i * p->count[1] + j;
            bool certified = p->certificates[number] == COSTAB_CERTIFIED;
            *any = *any || certified;
            all = all && certified && p->classes[number] == code && p->parcels[number] != PARCEL_WRONG;
        }
    return all;
}

/* Whether balls show the class of both systems on all of a rectangle. */
static bool class_is_shown(prover *p, const rectangle *w) {
    uint8_t code = p->classes[w->first[0] * p->count[1] + w->first[1]];
    for (int system = 0; system < SYSTEMS; system++)
        if (!show_class(p, w, system, is_stable(code, system))) return false;
    return true;
}

static void count_parcel(prover *p, size_t i, size_t j) {
    size_t number = i * p->count[1] + j;
    if (p->certificates[number] != COSTAB_CERTIFIED) return;
    if (p->parcels[number] == PARCEL_WRONG)
        note_refuted(p, (double[2]){value_of(p, 0, i), value_of(p, 1, j)}, p->classes[number]);
    else if (p->parcels[number] == PARCEL_FINE)
        p->outcome->confirmed++;
    else
        p->outcome->undecided++;
}

/* Step 3, by recursion; parcels that are in no shown rectangle are counted by steps 1 and 2. */
static void prove_rectangle(prover *p, const rectangle *w) {
    bool any, large = length_of(w, 0) >= RECTANGLE_LEAST && length_of(w, 1) >= RECTANGLE_LEAST;
    bool all = is_uniform(p, w, &any);
    if (!any) return;
    if (large && all && class_is_shown(p, w)) {
        p->outcome->confirmed += length_of(w, 0) * length_of(w, 1);
        p->outcome->whole += length_of(w, 0) * length_of(w, 1);
        return;
    }
    int d = length_of(w, 0) >= length_of(w, 1) ? 0 : 1;
    if (length_of(w, d) < 2 * RECTANGLE_LEAST) {
        for (size_t i = w->first[0]; i < w->end[0]; i++)
            for (size_t j = w->first[1]; j < w->end[1]; j++) count_parcel(p, i, j);
        return;
    }
    rectangle low = *w, high = *w;
    low.end[d] = high.first[d] = w->first[d] + length_of(w, d) / 2;
    prove_rectangle(p, &low);
    prove_rectangle(p, &high);
}

/* ---- The file ---- */

/* The tile at hand. */
static costab_status prove_tile(prover *p, costab_error *error) {
    const costab_tile *tile = &p->tile;
    for (int a = 0; a < 2; a++) p->count[a] = tile->count[p->axes[a]];
    TRY(costab_results_read(p->results, p->class_field, tile->start, tile->count, p->classes, error));
    TRY(costab_results_read(p->results, p->certificate_field, tile->start, tile->count, p->certificates,
                            error));
    TRY(p->study->evaluate(p->study, tile, p->blocks, error));
    rectangle whole = {.first = {0, 0}, .end = {p->count[0], p->count[1]}};
    check_parcels(p);
    prove_rectangle(p, &whole);
    return COSTAB_OK;
}

/* Sets the model to the tile's values of all other axes, and makes its family in balls. */
static costab_status set_other_axes(prover *p, costab_study_family *family, costab_error *error) {
    const costab_spec *spec = p->study->spec;
    long evaluations = p->balls != NULL ? p->balls->confirmer.evaluations : 0;
    study_balls_destroy(&p->balls);
    for (int k = NETWORK_FIRST_AXIS; k < p->plan->swept; k++)
        costab_model_instance_set(family->instance, spec->axis_parameters[k - NETWORK_FIRST_AXIS],
                                  p->plan->axes[k].values[p->tile.start[k]]);
    family->own = (int)p->tile.start[NETWORK_COUPLING];
    p->across = -1;
    for (int a = 0; a < 2; a++)
        if (!costab_model_instance_shapes(family->instance, family->parameters[a])) p->across = 1 - a;
    size_t count = p->across >= 0 ? p->plan->axes[p->axes[p->across]].count : 0;
    for (size_t i = 0; i < 3 * count + 1; i++) p->continuous[i] = BALL_UNDECIDED;
    p->sampled = p->continuous + count;
    TRY(costab_model_instance_update(family->instance, error));
    double ranges[2][2];
    for (int a = 0; a < 2; a++) {
        const costab_axis *axis = &p->plan->axes[p->axes[a]];
        ranges[a][0] = fmin(axis->values[0], chart_edge(axis->values, axis->count, 0));
        ranges[a][1] =
            fmax(axis->values[axis->count - 1], chart_edge(axis->values, axis->count, axis->count));
    }
    TRY(study_balls_create(family, (const double(*)[2])ranges, &p->balls, error));
    p->balls->confirmer.evaluations = evaluations;
    return COSTAB_OK;
}

/* Whether the tile has other values of the other axes than the tile before. */
static bool other_axes_change(const prover *p, const costab_tile *before) {
    for (int k = 0; k < p->plan->swept; k++)
        if (k != p->axes[0] && k != p->axes[1] && p->tile.start[k] != before->start[k]) return true;
    return p->tile.index == 0;
}

static costab_status prove_all(prover *p, costab_study_family *family, costab_error *error) {
    size_t tiles, points;
    costab_status status = costab_plan_size(&p->study->plan, &tiles, &points, error);
    for (size_t t = 0; t < tiles && !status; t++) {
        costab_tile before = p->tile;
        costab_plan_tile(&p->study->plan, t, &p->tile);
        if (other_axes_change(p, &before)) status = set_other_axes(p, family, error);
        if (!status) status = prove_tile(p, error);
        if (!status && p->options->progress != NULL &&
            p->options->progress(p->options->progress_context, t, tiles))
            status = error_set(error, COSTAB_CANCELLED, "cancelled");
    }
    if (p->balls != NULL) p->outcome->evaluations = p->balls->confirmer.evaluations;
    return status;
}

/* What must stand in a file for this. */
static costab_status find_fields_and_axes(prover *p, const costab_spec *spec, const char *path,
                                          costab_error *error) {
    int wide = 0;
    p->class_field = field_named(p->plan, "class");
    p->certificate_field = field_named(p->plan, "certificate");
    if (!spec->certified || p->certificate_field < 0 || p->class_field < 0)
        return error_invalid(
            error, "%s: it holds no certificates; sweep a network with 'refine: {certified: true}'", path);
    bool fits = p->plan->swept == NETWORK_FIRST_AXIS + spec->axis_count &&
                p->plan->axes[NETWORK_COUPLING].count == (size_t)spec->model->coupling_count;
    for (int k = NETWORK_FIRST_AXIS; k < p->plan->swept && fits; k++) {
        const costab_axis *axis = &p->plan->axes[k], *wanted = &spec->axes[k - NETWORK_FIRST_AXIS];
        fits = axis->count == wanted->count && axis->values != NULL;
        for (size_t i = 0; i < axis->count && fits; i++) fits = plan_has_value(axis, i, wanted->values[i]);
        if (fits)
            memcpy(wanted->values, axis->values, axis->count * sizeof *axis->values); /* the file's count */
        if (axis->count < 2) continue;
        p->axes[0] = p->axes[1];
        p->axes[1] = k;
        wide++;
    }
    if (!fits || wide < 2)
        return error_invalid(error, "%s: its axes are not those of the spec that it holds", path);
    return COSTAB_OK;
}

static costab_status make_room(prover *p, costab_error *error) {
    const costab_plan *plan = &p->study->plan;
    size_t most = 1, longest = 0;
    for (int k = 0; k < plan->swept; k++) {
        most *= plan->tile_shape[k];
        if (plan->axes[k].count > longest) longest = plan->axes[k].count;
    }
    TRY(memory_make(&p->classes, 3 * most, error));
    TRY(memory_make(&p->continuous, 3 * longest + 1, error));
    p->certificates = p->classes + most;
    p->parcels = p->certificates + most;
    for (int f = 0; f < plan->field_count; f++)
        if ((p->blocks[f] = memory_alloc(most, sizeof(double))) == NULL) return error_memory(error);
    return COSTAB_OK;
}

costab_status costab_study_prove(const costab_results *results, const char *path,
                                 const costab_prove_options *options, costab_prove_outcome *outcome,
                                 costab_error *error) {
    const char *written = costab_results_spec_text(results);
    prover p = {
        .results = results, .options = options, .outcome = outcome, .plan = costab_results_plan(results)};
    costab_study_family family = {.count = 2};
    *outcome = (costab_prove_outcome){.confirmed = 0};
    costab_status status =
        study_parse_stored(costab_results_spec_path(results), written, strlen(written), &p.study, error);
    if (!status) status = find_fields_and_axes(&p, p.study->spec, path, error);
    if (!status) status = make_room(&p, error);
    if (!status) status = costab_model_instance_create(p.study->spec->model, &family.instance, error);
    if (!status) status = costab_network_work_create(&family.work, error);
    if (!status) {
        for (int a = 0; a < 2; a++)
            family.parameters[a] = p.study->spec->axis_parameters[p.axes[a] - NETWORK_FIRST_AXIS];
        status = prove_all(&p, &family, error);
    }
    study_balls_destroy(&p.balls);
    for (int f = 0; f < COSTAB_FIELDS_MAX; f++) memory_free(p.blocks[f]);
    memory_free_all(p.continuous, p.classes);
    costab_network_work_destroy(&family.work);
    costab_model_instance_destroy(&family.instance);
    costab_study_destroy(&p.study);
    return status;
}
