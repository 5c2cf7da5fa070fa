#include "planar/projection_pairs.h"

#include "base/memory.h"

/* Two factors; or, of one factor f of degree n, n f - d f' and f', whose resultant is n^(n-2) times the
 * discriminant: that of f and f' also has f's leading coefficient in it. */
typedef struct meeting_pair {
    resultant_pair pair; /* borrowed coefficients, or those of `own` */
    resultant_poly *own; /* f', then n f - d f', or NULL */
    int made;            /* coefficients in `own` */
} meeting_pair;

/* to := factor of */
static bool set_multiple(resultant_poly *to, const resultant_poly *of, unsigned long factor) {
    if (!resultant_poly_init(to, (size_t)of->length)) return false;
    to->length = of->length;
    for (long i = 0; i < of->length; i++) mpz_mul_ui(to->c[i], of->c[i], factor);
    return true;
}

static bool make_own(const projection_factor *f, meeting_pair *m) {
    const int n = f->degree;
    m->own = memory_alloc(2 * (size_t)n, sizeof *m->own);
    bool fine = m->own != NULL;
    for (; m->made < 2 * n && fine; m->made++) {
        const int k = m->made % n;
        const bool slope = m->made < n;
        fine = set_multiple(&m->own[m->made], &f->coefficient[slope ? k + 1 : k],
                            (unsigned long)(slope ? k + 1 : n - k));
    }
    if (!fine) return false;
    m->pair = (resultant_pair){{m->own + n, m->own}, {n - 1, n - 1}};
    while (m->pair.degree[0] > 0 && m->own[n + m->pair.degree[0]].length == 0) m->pair.degree[0]--;
    return true;
}

static bool pair_make(const projection_factor *f, const projection_factor *g, meeting_pair *m) {
    *m = (meeting_pair){.pair = {{f->coefficient, g->coefficient}, {f->degree, g->degree}}};
    return f != g || make_own(f, m);
}

static void pair_clear(meeting_pair *m) {
    for (int k = 0; k < m->made; k++) resultant_poly_clear(&m->own[k]);
    memory_free(m->own);
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
    const planar_range *meets = factors[i].meets;
    if (meets != NULL && meets[j].low > meets[j].high) return false;
    return projection_matters(factors, i, j);
}

static double cost_of(const projection_factor *f, const projection_factor *g) {
    const projection_factor *both[2] = {f, g};
    long degree[2], degree_in_a[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        degree[k] = both[k]->degree - (f == g);
        for (int i = 0; i <= both[k]->degree; i++)
            if (both[k]->coefficient[i].length > degree_in_a[k] + 1)
                degree_in_a[k] = both[k]->coefficient[i].length - 1;
    }
    return resultant_cost(degree, degree_in_a);
}

/* What all resultants cost. */
static double whole_cost(const projection_factor *factors, int count) {
    double cost = 0;
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++)
            if (is_wanted(factors, i, j)) cost += cost_of(&factors[i], &factors[j]);
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
        *done += cost_of(f, g) / cost;
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
    for (int i = 0; i < count && !outcome; i++) {
        const planar_range *far = factors[i].far;
        if (far == NULL || far->low <= far->high)
            outcome = sink->add(sink->context, &factors[i].coefficient[factors[i].degree], far);
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
