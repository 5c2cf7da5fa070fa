/* The certificates of a results file, shown again in balls: blocks of points of one class as rectangles or,
 * where these are not shown, point by point. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "study/balls.h"
#include "study/network_study.h"

enum {
    BLOCK = 64,           /* points along the side of what is read at once */
    RECTANGLE_LEAST = 16, /* rectangles have at least so many points along each side */
};

typedef struct prover {
    const costab_results *results;
    const costab_prove_options *options;
    costab_prove_outcome *outcome;
    const costab_plan *plan;
    study_balls *balls;
    int class_field, certificate_field, axes[2];
    size_t at[COSTAB_AXES_MAX]; /* of all axes; of the two: where the block begins */
    size_t count[2];            /* points of the block */
    uint8_t *classes, *certificates;
} prover;

/* Points first <= i < end along each of the two axes, numbered within the block. */
typedef struct window {
    size_t first[2], end[2];
} window;

static double value_of(const prover *p, int a, size_t i) {
    return p->plan->axes[p->axes[a]].values[p->at[p->axes[a]] + i];
}

static bool spent(const prover *p) {
    return p->options->evaluations > 0 && p->balls->confirmer.evaluations >= p->options->evaluations;
}

/* ---- Points ---- */

/* Does a verdict in balls say the same as a bit of the class? 1, -1 for the opposite, 0 where it says
 * nothing. */
static int agrees(ball_verdict verdict, bool stable) {
    if (verdict == BALL_UNDECIDED) return 0;
    return (verdict == BALL_INSIDE) == stable ? 1 : -1;
}

static void note_refuted(prover *p, const double at[2], uint8_t code) {
    costab_prove_outcome *o = p->outcome;
    if (o->refuted++ > 0) return;
    o->first_refuted[0] = at[0];
    o->first_refuted[1] = at[1];
    o->first_class = code;
    o->first_coupling = p->at[NETWORK_COUPLING];
}

static void prove_point(prover *p, size_t i, size_t j) {
    uint8_t code = p->classes[i * p->count[1] + j];
    const double at[2] = {value_of(p, 0, i), value_of(p, 1, j)};
    int said[2] = {0, 0};
    if (spent(p)) {
        p->outcome->undecided++;
        return;
    }
    if ((code & ~(COSTAB_DISCRETE_STABLE | COSTAB_CONTINUOUS_STABLE)) == 0)
        for (int continuous = 0; continuous < 2; continuous++) {
            ball_verdict verdict = confirm_point(&p->balls->confirmer, at, continuous > 0);
            said[continuous] = agrees(
                verdict, (code & (continuous > 0 ? COSTAB_CONTINUOUS_STABLE : COSTAB_DISCRETE_STABLE)) != 0);
        }
    else
        said[0] = -1; /* neither stable nor unstable: that is no class of a cell */
    if (said[0] < 0 || said[1] < 0)
        note_refuted(p, at, code);
    else if (said[0] > 0 && said[1] > 0)
        p->outcome->confirmed++;
    else
        p->outcome->undecided++;
}

/* ---- Rectangles ---- */

/* Are all points of the window certified, or none? And of one class? */
static bool survey(const prover *p, const window *w, bool *any) {
    bool all = true;
    uint8_t code = p->classes[w->first[0] * p->count[1] + w->first[1]];
    *any = false;
    for (size_t i = w->first[0]; i < w->end[0]; i++)
        for (size_t j = w->first[1]; j < w->end[1]; j++) {
            bool certified = p->certificates[i * p->count[1] + j] == NETWORK_CERTIFIED;
            *any = *any || certified;
            all = all && certified && p->classes[i * p->count[1] + j] == code;
        }
    return all;
}

static bool shown(prover *p, const window *w) {
    uint8_t code = p->classes[w->first[0] * p->count[1] + w->first[1]];
    ball_region region = {.dimensions = 2};
    for (int a = 0; a < 2; a++) {
        if (w->end[a] - w->first[a] < RECTANGLE_LEAST) return false;
        region.from[a] = value_of(p, a, w->first[a]);
        region.to[a] = value_of(p, a, w->end[a] - 1);
        for (size_t i = w->first[a]; i + 1 < w->end[a]; i++) /* values that do not ascend fill no rectangle */
            if (!(value_of(p, a, i) < value_of(p, a, i + 1))) return false;
    }
    if ((code & ~(COSTAB_DISCRETE_STABLE | COSTAB_CONTINUOUS_STABLE)) != 0 || spent(p)) return false;
    return confirm_region(&p->balls->confirmer, &region, (code & COSTAB_DISCRETE_STABLE) != 0, false) &&
           confirm_region(&p->balls->confirmer, &region, (code & COSTAB_CONTINUOUS_STABLE) != 0, true);
}

static void prove_window(prover *p, const window *w) {
    bool any;
    bool all = survey(p, w, &any);
    if (!any) return;
    if (all && shown(p, w)) {
        p->outcome->confirmed += (w->end[0] - w->first[0]) * (w->end[1] - w->first[1]);
        p->outcome->rectangles++;
        return;
    }
    int d = w->end[0] - w->first[0] >= w->end[1] - w->first[1] ? 0 : 1;
    if (w->end[d] - w->first[d] < 2 * RECTANGLE_LEAST) {
        for (size_t i = w->first[0]; i < w->end[0]; i++)
            for (size_t j = w->first[1]; j < w->end[1]; j++)
                if (p->certificates[i * p->count[1] + j] == NETWORK_CERTIFIED) prove_point(p, i, j);
        return;
    }
    window low = *w, high = *w;
    low.end[d] = high.first[d] = w->first[d] + (w->end[d] - w->first[d]) / 2;
    prove_window(p, &low);
    prove_window(p, &high);
}

/* ---- The file ---- */

static int field_named(const costab_plan *plan, const char *name) {
    for (int f = 0; f < plan->field_count; f++)
        if (strcmp(plan->fields[f].name, name) == 0 && plan->fields[f].type == COSTAB_U8 &&
            plan->fields[f].rank == plan->swept)
            return f;
    return -1;
}

/* The block that begins at p->at. */
static costab_status prove_block(prover *p, costab_error *error) {
    size_t count[COSTAB_AXES_MAX];
    for (int k = 0; k < p->plan->axis_count; k++) count[k] = 1;
    for (int a = 0; a < 2; a++) {
        size_t left = p->plan->axes[p->axes[a]].count - p->at[p->axes[a]];
        count[p->axes[a]] = p->count[a] = left < BLOCK ? left : BLOCK;
    }
    costab_status status = costab_results_read(p->results, p->class_field, p->at, count, p->classes, error);
    if (!status)
        status = costab_results_read(p->results, p->certificate_field, p->at, count, p->certificates, error);
    window whole = {.first = {0, 0}, .end = {p->count[0], p->count[1]}};
    if (!status) prove_window(p, &whole);
    return status;
}

/* Goes on to the next block; *sheet: with other values of the other axes. false after the last. */
static bool next_block(prover *p, bool *sheet) {
    *sheet = false;
    for (int pass = 0; pass < 2; pass++)
        for (int k = p->plan->swept - 1; k >= 0; k--) {
            bool inner = k == p->axes[0] || k == p->axes[1];
            if (inner != (pass == 0)) continue;
            p->at[k] += inner ? BLOCK : 1;
            *sheet = !inner;
            if (p->at[k] < p->plan->axes[k].count) return true;
            p->at[k] = 0;
        }
    return false;
}

/* The model at the values of the other axes, in balls. */
static costab_status turn_to_sheet(prover *p, const costab_spec *spec, costab_study_family *family,
                                   costab_error *error) {
    study_balls_destroy(&p->balls);
    for (int k = NETWORK_FIRST_AXIS; k < p->plan->swept; k++)
        costab_model_instance_set(family->instance, spec->axis_parameters[k - NETWORK_FIRST_AXIS],
                                  p->plan->axes[k].values[p->at[k]]);
    family->own = (int)p->at[NETWORK_COUPLING];
    costab_status status = costab_model_instance_update(family->instance, error);
    return status ? status : study_balls_create(family, &p->balls, error);
}

static costab_status prove_all(prover *p, const costab_spec *spec, costab_study_family *family,
                               costab_error *error) {
    bool more = true, sheet = true;
    long evaluations = 0;
    costab_status status = COSTAB_OK;
    for (size_t done = 0; more && !status; done++) {
        if (sheet) {
            if (p->balls != NULL) evaluations = p->balls->confirmer.evaluations;
            status = turn_to_sheet(p, spec, family, error);
            if (!status) p->balls->confirmer.evaluations = evaluations;
        }
        if (!status) status = prove_block(p, error);
        if (!status && p->options->progress != NULL &&
            p->options->progress(p->options->progress_context, done))
            status = error_set(error, COSTAB_CANCELLED, "cancelled");
        if (!status) more = next_block(p, &sheet);
    }
    if (p->balls != NULL) p->outcome->evaluations = p->balls->confirmer.evaluations;
    return status;
}

/* What must stand in a file for this. */
static costab_status bind(prover *p, const costab_spec *spec, const char *path, costab_error *error) {
    int wide = 0;
    p->class_field = field_named(p->plan, "class");
    p->certificate_field = field_named(p->plan, "certificate");
    if (spec->model == NULL || p->certificate_field < 0 || p->class_field < 0)
        return error_set(error, COSTAB_INVALID,
                         "%s: it holds no certificates; sweep a network with 'refine: {certified: true}'",
                         path);
    bool fits = p->plan->swept == NETWORK_FIRST_AXIS + spec->axis_count &&
                p->plan->axes[NETWORK_COUPLING].count == (size_t)spec->model->coupling_count;
    for (int k = NETWORK_FIRST_AXIS; k < p->plan->swept && fits; k++) {
        const costab_axis *axis = &p->plan->axes[k], *wanted = &spec->axes[k - NETWORK_FIRST_AXIS];
        fits = axis->count == wanted->count && axis->values != NULL &&
               memcmp(axis->values, wanted->values, axis->count * sizeof *axis->values) == 0;
        if (axis->count < 2) continue;
        p->axes[0] = p->axes[1];
        p->axes[1] = k;
        wide++;
    }
    if (!fits || wide < 2)
        return error_set(error, COSTAB_INVALID, "%s: its axes are not those of the spec that it holds", path);
    return COSTAB_OK;
}

costab_status costab_study_prove(const costab_results *results, const char *path,
                                 const costab_prove_options *options, costab_prove_outcome *outcome,
                                 costab_error *error) {
    const char *written = costab_results_spec_text(results);
    prover p = {
        .results = results, .options = options, .outcome = outcome, .plan = costab_results_plan(results)};
    costab_spec *spec = NULL;
    costab_study_family family = {.count = 2};
    *outcome = (costab_prove_outcome){.confirmed = 0};
    costab_status status =
        costab_spec_parse_stored(costab_results_spec_path(results), written, strlen(written), &spec, error);
    if (!status) status = bind(&p, spec, path, error);
    if (!status) status = costab_model_instance_create(spec->model, &family.instance, error);
    if (!status) status = costab_network_work_create(&family.work, error);
    p.classes = memory_alloc(2 * BLOCK * BLOCK, sizeof *p.classes);
    if (!status && p.classes == NULL) status = error_memory(error);
    if (!status) {
        p.certificates = p.classes + BLOCK * BLOCK;
        for (int a = 0; a < 2; a++)
            family.parameters[a] = spec->axis_parameters[p.axes[a] - NETWORK_FIRST_AXIS];
        status = prove_all(&p, spec, &family, error);
    }
    study_balls_destroy(&p.balls);
    memory_free(p.classes);
    costab_network_work_destroy(&family.work);
    costab_model_instance_destroy(&family.instance);
    costab_spec_destroy(&spec);
    return status;
}
