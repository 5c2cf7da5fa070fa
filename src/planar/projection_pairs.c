#include "planar/projection_pairs.h"

#include "base/memory.h"

/* Two factors, or one and its derivative: all of `pair` is borrowed but for the derivative. */
typedef struct meeting_pair {
    resultant_pair pair;
    resultant_poly *slope; /* the derivative, or NULL */
} meeting_pair;

static bool pair_make(const projection_factor *f, const projection_factor *g, meeting_pair *m) {
    const bool own = f == g;
    *m = (meeting_pair){.pair = {{f->coefficient, g->coefficient}, {f->degree, g->degree - own}}};
    if (!own) return true;
    m->slope = memory_alloc((size_t)f->degree, sizeof *m->slope);
    for (int k = 0; m->slope != NULL && k < f->degree; k++) {
        const resultant_poly *of = &f->coefficient[k + 1];
        resultant_poly *slope = &m->slope[k];
        if (!resultant_poly_init(slope, (size_t)of->length)) return false;
        slope->length = of->length;
        for (long i = 0; i < of->length; i++) mpz_mul_ui(slope->c[i], of->c[i], (unsigned long)k + 1);
    }
    m->pair.f[1] = m->slope;
    return m->slope != NULL;
}

static void pair_clear(meeting_pair *m) {
    for (int k = 0; m->slope != NULL && k < m->pair.degree[0]; k++) resultant_poly_clear(&m->slope[k]);
    memory_free(m->slope);
}

/* Whether a change may happen where roots of two polynomials meet. */
static bool matters(unsigned one, unsigned other) {
    const unsigned lines = PROJECTION_PHI | PROJECTION_DEN | PROJECTION_GAMMA;
    const unsigned all_x0 = PROJECTION_X0 * 15u, all_x1 = PROJECTION_X1 * 15u;
    if (one & other) return true;
    if ((one | other) & lines) return true;
    if ((one & all_x0) && (other & all_x0)) return true;
    if ((one & all_x1) && (other & all_x1)) return true;
    unsigned x0 = ((one | other) & all_x0) / PROJECTION_X0, x1 = ((one | other) & all_x1) / PROJECTION_X1;
    if (x0 & x1) return true;
    /* det-flip, det-contracting, det-converging, flip-contracting, flip-converging: the last two with a bound
     */
    const unsigned det_converging = PROJECTION_MEETING << 2, flip_converging = PROJECTION_MEETING << 4;
    return (one & det_converging && other & flip_converging) ||
           (other & det_converging && one & flip_converging);
}

bool projection_matters(const projection_factor *factors, int i, int j) {
    return i == j ? factors[i].degree > 1 : matters(factors[i].from, factors[j].from);
}

/* Whether the resultant of factors i and j, or of i and its derivative, is to be found. */
static bool is_wanted(const projection_factor *factors, int i, int j) {
    const projection_range *meets = factors[i].meets;
    if (meets != NULL && meets[j].low > meets[j].high) return false;
    return projection_matters(factors, i, j);
}

/* What all resultants cost; below 0 where memory is out. */
static double whole_cost(const projection_factor *factors, int count) {
    double cost = 0;
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) {
            meeting_pair m;
            if (!is_wanted(factors, i, j)) continue;
            const bool made = pair_make(&factors[i], &factors[j], &m);
            cost = made && cost >= 0 ? cost + resultant_cost(&m.pair) : -1;
            pair_clear(&m);
        }
    return cost;
}

/* [in, out] done: the share of all costs. */
static resultant_outcome add_resultant(const projection_factor *factors, int i, int j,
                                       const projection_sink *sink, double cost, double *done) {
    const projection_factor *f = &factors[i], *g = &factors[j];
    meeting_pair m;
    resultant_poly resultant = {.length = 0};
    resultant_outcome outcome = RESULTANT_MEMORY;
    planar_watch *watch = sink->watch;
    if (pair_make(f, g, &m)) {
        double from = watch->from, to = watch->to;
        watch->from = from + (to - from) * *done;
        *done += resultant_cost(&m.pair) / cost;
        watch->to = from + (to - from) * *done;
        outcome = resultant_in_d(&resultant, &m.pair, watch);
        watch->from = from;
        watch->to = to;
    }
    if (outcome == RESULTANT_FOUND)
        outcome = sink->add(sink->context, &resultant, f->meets != NULL ? &f->meets[j] : NULL);
    pair_clear(&m);
    resultant_poly_clear(&resultant);
    return outcome;
}

resultant_outcome projection_pairs(const projection_factor *factors, int count, const projection_sink *sink) {
    resultant_outcome outcome = RESULTANT_FOUND;
    const double cost = whole_cost(factors, count);
    double done = 0;
    if (cost < 0) return RESULTANT_MEMORY;
    for (int i = 0; i < count && !outcome; i++) {
        outcome = sink->add(sink->context, &factors[i].coefficient[factors[i].degree], NULL);
        for (int j = i; j < count && !outcome; j++)
            if (is_wanted(factors, i, j)) outcome = add_resultant(factors, i, j, sink, cost, &done);
    }
    return outcome;
}

void projection_factor_clear(projection_factor *factor) {
    for (int k = 0; factor->coefficient != NULL && k <= factor->degree; k++)
        resultant_poly_clear(&factor->coefficient[k]);
    memory_free(factor->coefficient);
    factor->coefficient = NULL;
}
