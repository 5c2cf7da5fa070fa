/* The polynomials of projection_pairs.h are split into irreducible factors. Both variables are packed into
 * one, a = x^K, until these are found. */
#include "planar/projection.h"

#include "base/memory.h"
#include "planar/projection_pairs.h"

enum { BOUNDS = BOUND_CONVERGING + 1, FACTORS_MAX = 64 };

typedef struct projection {
    int root;
    ulong pack; /* K */
    fmpz_mpoly_ctx_t ring;
    int count;
    projection_factor factors[FACTORS_MAX];
    fmpz_mpoly_t packed[FACTORS_MAX];
    real_roots *out;
    bool failed;
} projection;

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

static void split(projection *p, const fmpz_mpoly_t f, projection_factor *to) {
    fmpz_t c;
    fmpz_init(c);
    const slong degree = fmpz_mpoly_degree_si(f, 0, p->ring);
    to->degree = (int)fmpz_mpoly_degree_si(f, 1, p->ring);
    to->coefficient = memory_alloc((size_t)to->degree + 1, sizeof *to->coefficient);
    if (to->coefficient == NULL) p->failed = true;
    for (int k = 0; !p->failed && k <= to->degree; k++)
        p->failed = !resultant_poly_init(&to->coefficient[k], (size_t)degree + 1);
    for (slong t = 0; !p->failed && t < fmpz_mpoly_length(f, p->ring); t++) {
        ulong powers[2];
        fmpz_mpoly_get_term_exp_ui(powers, f, t, p->ring);
        fmpz_mpoly_get_term_coeff_fmpz(c, f, t, p->ring);
        resultant_poly *row = &to->coefficient[powers[1]];
        fmpz_get_mpz(row->c[powers[0]], c);
        if (row->length <= (long)powers[0]) row->length = (long)powers[0] + 1;
    }
    fmpz_clear(c);
}

/* Adds a polynomial in a to the roots: projection_sink. */
static resultant_outcome add_out(void *context, const resultant_poly *f, const planar_range *range) {
    (void)range;
    real_roots *roots = context;
    fmpz_poly_t g;
    fmpz_t c;
    fmpz_poly_init(g);
    fmpz_init(c);
    for (slong k = f->length - 1; k >= 0; k--) {
        fmpz_set_mpz(c, f->c[k]);
        fmpz_poly_set_coeff_fmpz(g, k, c);
    }
    (void)real_roots_add(roots, g);
    fmpz_poly_clear(g);
    fmpz_clear(c);
    return roots->failed ? RESULTANT_MEMORY : RESULTANT_FOUND;
}

/* Keeps an irreducible polynomial; one in a alone goes out at once. */
static void keep(projection *p, const fmpz_mpoly_t f, unsigned from) {
    for (int k = 0; k < p->count; k++)
        if (fmpz_mpoly_equal(p->packed[k], f, p->ring)) {
            p->factors[k].from |= from;
            return;
        }
    projection_factor next = {.from = from};
    split(p, f, &next);
    if (p->failed || next.degree < 1 || p->count == FACTORS_MAX) {
        p->failed = p->failed || next.degree > 0;
        p->failed = p->failed || add_out(p->out, &next.coefficient[0], NULL) != RESULTANT_FOUND;
        projection_factor_clear(&next);
        return;
    }
    fmpz_mpoly_init(p->packed[p->count], p->ring);
    fmpz_mpoly_set(p->packed[p->count], f, p->ring);
    p->factors[p->count++] = next;
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
    add_polynomial(p, &b.fold, PROJECTION_PHI);
    add_polynomial(p, &b.den, PROJECTION_DEN);
    add_polynomial(p, &b.gamma, PROJECTION_GAMMA);
    int meetings = 0;
    for (int i = 0; i < BOUNDS; i++) {
        if (!b.bound[i].used) continue;
        add_polynomial(p, &b.bound[i].x0, (unsigned)PROJECTION_X0 << i);
        add_polynomial(p, &b.bound[i].x1, (unsigned)PROJECTION_X1 << i);
        for (int j = i + 1; j < BOUNDS; j++) {
            if (!b.bound[j].used || i == BOUND_CONTRACTING) continue;
            area_bounds_meeting(&b, i, j, &meeting);
            add_polynomial(p, &meeting, (unsigned)PROJECTION_MEETING << meetings++);
        }
    }
    area_bounds_clear(&b);
    area_side_clear(&A);
    surd_clear(&meeting);
}

resultant_outcome projection_add(const area_system *system, real_roots *roots, planar_watch *watch) {
    projection p = {.root = system->root, .out = roots};
    const projection_sink sink = {add_out, roots, watch};
    resultant_outcome outcome = RESULTANT_MEMORY;
    fmpz_mpoly_ctx_init(p.ring, 2, ORD_LEX);
    find_factors(&p, system);
    if (!p.failed) outcome = projection_pairs(p.factors, p.count, &sink);
    for (int i = 0; i < p.count; i++) {
        projection_factor_clear(&p.factors[i]);
        fmpz_mpoly_clear(p.packed[i], p.ring);
    }
    fmpz_mpoly_ctx_clear(p.ring);
    return outcome;
}
