/* Every polynomial in a and d whose roots in d cut the rows (area_cells.c) is split into irreducible factors.
 * What changes with a is told by contents and leading coefficients (a root comes from infinity or is there
 * for one a only), discriminants (two roots of one factor meet) and resultants (roots of two factors meet).
 * Of the resultants those are left out that tell of no change:
 *
 *  - x0_i and x1_j, i != j, or x1_i and the meeting of j and k: bound i ends at infinity there, the others do
 * not;
 *  - the meeting of i and j with x0_i or x1_i: all that happens is found from x0_i with x0_j, x0_i with x1_i
 * and x1_i with x1_j; with x0_k: ends at 0 and ends elsewhere, one above the other;
 *  - det, flip and contracting meet where K = K Tr = K Det = 0 only, which is at Delta = 0 or phi_d = 0;
 *  - det, flip and converging: where two of the three meetings coincide the third does.
 *
 * Both variables are packed into one, a = x^K, until the factors are found. */
#include "planar/projection.h"

#include "base/memory.h"

/* What a polynomial is, as a flag. */
enum {
    FROM_PHI = 1,
    FROM_DEN = 2,
    FROM_GAMMA = 4,
    FROM_X0 = 8,          /* << bound, 4 bounds */
    FROM_X1 = 8 << 4,     /* << bound */
    FROM_MEETING = 8 << 8 /* << number of the meeting */
};

enum { BOUNDS = BOUND_CONVERGING + 1, FACTORS_MAX = 64 };

/* A factor with positive degree in d: coefficient[k] of d^k, a polynomial in a. */
typedef struct factor {
    unsigned from;
    int degree;
    fmpz_poly_struct *coefficient;
    fmpz_mpoly_t packed;
} factor;

typedef struct projection {
    int root;
    ulong pack; /* K */
    fmpz_mpoly_ctx_t ring;
    int count;
    factor factors[FACTORS_MAX];
    double cost; /* of all resultants */
    real_roots *out;
    bool failed;
} projection;

/* ---- factors ---- */

/* Spreads x^(K i + j) to a^i d^j. */
static void unpack(projection *p, const fmpz_poly_t packed, fmpz_mpoly_t f) {
    fmpz_mpoly_zero(f, p->ring);
    for (slong e = fmpz_poly_degree(packed); e >= 0; e--) {
        const fmpz *c = fmpz_poly_get_coeff_ptr(packed, e);
        if (fmpz_is_zero(c)) continue;
        const ulong powers[2] = {(ulong)e / p->pack, (ulong)e % p->pack};
        fmpz_mpoly_push_term_fmpz_ui(f, c, powers, p->ring);
    }
    fmpz_mpoly_sort_terms(f, p->ring);
}

static void split(projection *p, const fmpz_mpoly_t f, factor *to) {
    fmpz_t c;
    fmpz_init(c);
    to->degree = (int)fmpz_mpoly_degree_si(f, 1, p->ring);
    to->coefficient = memory_alloc((size_t)to->degree + 1, sizeof *to->coefficient);
    if (to->coefficient == NULL) p->failed = true;
    for (int k = 0; !p->failed && k <= to->degree; k++) fmpz_poly_init(&to->coefficient[k]);
    for (slong t = 0; !p->failed && t < fmpz_mpoly_length(f, p->ring); t++) {
        ulong powers[2];
        fmpz_mpoly_get_term_exp_ui(powers, f, t, p->ring);
        fmpz_mpoly_get_term_coeff_fmpz(c, f, t, p->ring);
        fmpz_poly_set_coeff_fmpz(&to->coefficient[powers[1]], (slong)powers[0], c);
    }
    fmpz_clear(c);
}

/* Keeps an irreducible polynomial; one in a alone goes out at once. */
static void keep(projection *p, const fmpz_mpoly_t f, unsigned from) {
    factor spare = {.from = from};
    if (fmpz_mpoly_degree_si(f, 1, p->ring) < 1) {
        split(p, f, &spare);
        if (p->failed) return;
        (void)real_roots_add(p->out, &spare.coefficient[0]);
        fmpz_poly_clear(&spare.coefficient[0]);
        memory_free(spare.coefficient);
        return;
    }
    for (int k = 0; k < p->count; k++)
        if (fmpz_mpoly_equal(p->factors[k].packed, f, p->ring)) {
            p->factors[k].from |= from;
            return;
        }
    if (p->count == FACTORS_MAX) {
        p->failed = true;
        return;
    }
    factor *next = &p->factors[p->count++];
    *next = spare;
    fmpz_mpoly_init(next->packed, p->ring);
    fmpz_mpoly_set(next->packed, f, p->ring);
    split(p, f, next);
}

static void add_polynomial(projection *p, const surd_poly *packed, unsigned from) {
    if (p->failed) return;
    fmpz_poly_t norm;
    fmpz_mpoly_t f;
    fmpz_mpoly_factor_t factors;
    fmpz_poly_init(norm);
    fmpz_mpoly_init(f, p->ring);
    fmpz_mpoly_factor_init(factors, p->ring);
    surd_norm(norm, packed, p->root);
    unpack(p, norm, f);
    if (!fmpz_mpoly_is_zero(f, p->ring)) {
        if (!fmpz_mpoly_factor(factors, f, p->ring)) p->failed = true;
        for (slong k = 0; !p->failed && k < factors->num; k++) keep(p, factors->poly + k, from);
    }
    fmpz_poly_clear(norm);
    fmpz_mpoly_clear(f, p->ring);
    fmpz_mpoly_factor_clear(factors, p->ring);
}

static slong side_degree(const area_side *side) {
    const surd_poly *const all[6] = {&side->den, &side->phi, &side->p0, &side->p1, &side->zphi, &side->zp1};
    slong degree = 0;
    for (int k = 0; k < 6; k++)
        if (surd_degree(all[k]) > degree) degree = surd_degree(all[k]);
    return degree;
}

static void inflate(area_side *side, const area_side *of, ulong power) {
    area_side source = *of; /* borrowed */
    surd_poly *const from[6] = {&source.den, &source.phi, &source.p0, &source.p1, &source.zphi, &source.zp1};
    surd_poly *const to[6] = {&side->den, &side->phi, &side->p0, &side->p1, &side->zphi, &side->zp1};
    for (int k = 0; k < 6; k++) {
        surd_set(to[k], from[k]);
        surd_inflate(to[k], power);
    }
}

static void find_factors(projection *p, const area_system *system) {
    area_bounds b;
    area_side A;
    surd_poly meeting;
    area_bounds_init(&b);
    area_side_init(&A);
    surd_init(&meeting);
    b.root = system->root;
    /* a product of two bounds, and its norm */
    p->pack = (ulong)(4 * side_degree(&system->sides[1]) + 2);
    inflate(&A, &system->sides[0], p->pack);
    area_bounds_combine(&b, system->scheme, &A, &system->sides[1], NULL);
    fmpz_poly_set_coeff_ui(b.gamma.u, 1, 1);
    fmpz_poly_set_coeff_ui(b.gamma.u, (slong)p->pack, 1);
    add_polynomial(p, &b.fold, FROM_PHI);
    add_polynomial(p, &b.den, FROM_DEN);
    add_polynomial(p, &b.gamma, FROM_GAMMA);
    int meetings = 0;
    for (int i = 0; i < BOUNDS; i++) {
        if (!b.bound[i].used) continue;
        add_polynomial(p, &b.bound[i].x0, (unsigned)FROM_X0 << i);
        add_polynomial(p, &b.bound[i].x1, (unsigned)FROM_X1 << i);
        for (int j = i + 1; j < BOUNDS; j++) {
            if (!b.bound[j].used || i == BOUND_CONTRACTING) continue;
            area_bounds_meeting(&b, i, j, &meeting);
            add_polynomial(p, &meeting, (unsigned)FROM_MEETING << meetings++);
        }
    }
    area_bounds_clear(&b);
    area_side_clear(&A);
    surd_clear(&meeting);
}

/* ---- resultants ---- */

/* Two factors, or one and its derivative: all of `pair` is borrowed but for the derivative. */
typedef struct meeting_pair {
    resultant_pair pair;
    fmpz_poly_struct *slope; /* the derivative, or NULL */
} meeting_pair;

static bool pair_make(const factor *f, const factor *g, meeting_pair *m) {
    const bool own = f == g;
    *m = (meeting_pair){.pair = {{f->coefficient, g->coefficient}, {f->degree, g->degree - own}}};
    if (!own) return true;
    m->slope = memory_alloc((size_t)f->degree, sizeof *m->slope);
    if (m->slope == NULL) return false;
    for (int k = 0; k < f->degree; k++) {
        fmpz_poly_init(&m->slope[k]);
        fmpz_poly_scalar_mul_si(&m->slope[k], &f->coefficient[k + 1], k + 1);
    }
    m->pair.f[1] = m->slope;
    return true;
}

static void pair_clear(meeting_pair *m) {
    for (int k = 0; m->slope != NULL && k < m->pair.degree[0]; k++) fmpz_poly_clear(&m->slope[k]);
    memory_free(m->slope);
}

/* Whether a change may happen where roots of two polynomials meet. */
static bool matters(unsigned one, unsigned other) {
    const unsigned lines = FROM_PHI | FROM_DEN | FROM_GAMMA;
    const unsigned all_x0 = FROM_X0 * 15u, all_x1 = FROM_X1 * 15u;
    if (one & other) return true;
    if ((one | other) & lines) return true;
    if ((one & all_x0) && (other & all_x0)) return true;
    if ((one & all_x1) && (other & all_x1)) return true;
    unsigned x0 = ((one | other) & all_x0) / FROM_X0, x1 = ((one | other) & all_x1) / FROM_X1;
    if (x0 & x1) return true;
    /* det-flip, det-contracting, det-converging, flip-contracting, flip-converging: the last two with a bound
     */
    const unsigned det_converging = FROM_MEETING << 2, flip_converging = FROM_MEETING << 4;
    return (one & det_converging && other & flip_converging) ||
           (other & det_converging && one & flip_converging);
}

/* Whether the resultant of factors i and j, or of i and its derivative, is to be found. */
static bool is_wanted(const projection *p, int i, int j) {
    return i == j ? p->factors[i].degree > 1 : matters(p->factors[i].from, p->factors[j].from);
}

/* What all resultants cost. */
static double whole_cost(projection *p) {
    double cost = 0;
    for (int i = 0; i < p->count; i++)
        for (int j = i; j < p->count; j++) {
            meeting_pair m;
            if (!is_wanted(p, i, j)) continue;
            if (pair_make(&p->factors[i], &p->factors[j], &m))
                cost += resultant_cost(&m.pair);
            else
                p->failed = true;
            pair_clear(&m);
        }
    return cost;
}

static resultant_outcome add_resultant(projection *p, const factor *f, const factor *g, planar_watch *watch,
                                       double *done) {
    meeting_pair m;
    fmpz_poly_t resultant;
    resultant_outcome outcome = RESULTANT_MEMORY;
    fmpz_poly_init(resultant);
    if (pair_make(f, g, &m)) {
        double from = watch->from, to = watch->to;
        watch->from = from + (to - from) * *done;
        *done += resultant_cost(&m.pair) / p->cost;
        watch->to = from + (to - from) * *done;
        outcome = resultant_in_d(resultant, &m.pair, watch);
        watch->from = from;
        watch->to = to;
    }
    if (outcome == RESULTANT_FOUND) (void)real_roots_add(p->out, resultant);
    pair_clear(&m);
    fmpz_poly_clear(resultant);
    return outcome;
}

static resultant_outcome add_resultants(projection *p, planar_watch *watch) {
    resultant_outcome outcome = RESULTANT_FOUND;
    double done = 0;
    p->cost = whole_cost(p);
    for (int i = 0; i < p->count && !p->failed && !outcome; i++) {
        const factor *f = &p->factors[i];
        (void)real_roots_add(p->out, &f->coefficient[f->degree]);
        for (int j = i; j < p->count && !outcome; j++)
            if (is_wanted(p, i, j)) outcome = add_resultant(p, f, &p->factors[j], watch, &done);
    }
    return outcome;
}

resultant_outcome projection_add(const area_system *system, real_roots *roots, planar_watch *watch) {
    projection p = {.root = system->root, .out = roots};
    resultant_outcome outcome = RESULTANT_FOUND;
    fmpz_mpoly_ctx_init(p.ring, 2, ORD_LEX);
    find_factors(&p, system);
    if (!p.failed) outcome = add_resultants(&p, watch);
    if (p.failed || roots->failed) outcome = RESULTANT_MEMORY;
    for (int i = 0; i < p.count; i++) {
        for (int k = 0; p.factors[i].coefficient != NULL && k <= p.factors[i].degree; k++)
            fmpz_poly_clear(&p.factors[i].coefficient[k]);
        memory_free(p.factors[i].coefficient);
        fmpz_mpoly_clear(p.factors[i].packed, p.ring);
    }
    fmpz_mpoly_ctx_clear(p.ring);
    return outcome;
}
