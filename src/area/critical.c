/* Critical values of a, at which an area changes its kind (zero, finite, infinite), by projection and sample
 * points as in cylindrical algebraic decomposition (docs/explanation/algorithms.md, Critical values).
 *
 * 1. Projection (below): polynomials in a. Between adjacent real roots the kinds of all areas are
 *    constant.
 * 2. Roots: isolated and ordered exactly (real_roots.c).
 * 3. Kinds: decided exactly at one rational number between adjacent roots, and at a root itself if the kinds
 *    on both sides are equal (critical_events.c).
 *
 * The search is complete with two exceptions. At an irrational root with equal kinds on both sides it may
 * remain undecided whether the region is empty. An area that is infinite only at such a root, or finite only
 * there, is not searched for. Above DEGREE_MAX stages times micro steps the projection takes too long, and a
 * is sampled instead. Cost: dominated by the projection. */
#include <math.h>
#include <stdlib.h>

#include "area/critical_events.h"
#include "area/exact.h"
#include "area/exponential.h"
#include "area/number.h"
#include "area/real_roots.h"
#include "area/resultant.h"
#include "base/error.h"
#include "base/memory.h"

/* ---- Projection ----
 * The bounds of the rows (cells.h) are quotients of polynomials in d with polynomials in a as coefficients.
 * From these, polynomials in a alone are derived. Between their adjacent real roots, the roots in d relevant
 * to the rows' ends keep their number and their order, and none of them goes to infinity. The kinds of all
 * areas are therefore constant there. */

/* Projection of the bounds' polynomials in a and d to the a-axis (McCallum, An improved projection operation
 * for cylindrical algebraic decomposition, 1998), reduced to the part needed here.
 *
 * 1. Every polynomial with roots in d that cut the rows (cells.c) is split into irreducible factors: phi_d,
 *    the denominator, Gamma, x0 and x1 of each bound, and the crossing polynomial x0_i x1_j - x0_j x1_i of
 *    each two bounds i and j. They are computed as polynomials in one variable x with d = x and a = x^pack.
 * 2. Factors in a alone are added: at their roots a polynomial vanishes for all d.
 * 3. In a window, Gamma minus each of its ends, and each bound's x0 + x1 Delta at both ends of Delta, are
 *    factors, too.
 * 4. From all other factors are added: the leading coefficient (a root in d goes to infinity), the
 *    discriminant (two roots coincide), and the resultant of each two factors (a common root).
 *
 * Some resultants are omitted, because no stable interval changes at their roots:
 *
 * - x0_i and x1_j, i != j; x1_i and the crossing of j and k: only bound i goes to infinity.
 * - The crossing of i and j with x0_i or x1_i: found also from x0_i with x0_j, x0_i with x1_i and x1_i with
 *   x1_j. With x0_k: two bounds are 0, and two others are equal elsewhere.
 * - The crossings of det, flip and contracting with each other: all three are equal only if K = K Tr D = K
 *   Det D = 0 (planar/row.h), which requires Delta = 0 or phi_d = 0.
 * - The crossings of det, flip and converging with each other, except for one pair: if two of the three
 *   vanish, so does the third.
 *
 * Exact. Cost: dominated by the resultants (resultant.c): for n stages times micro steps about 100, of
 * degrees of about 2n in both variables. */

enum { BOUNDS = BOUND_CONVERGING + 1 };

/* The polynomials divided by a factor, as flags. */
enum {
    OF_PHI = 1,
    OF_DEN = 2,
    OF_GAMMA = 4,        /* Gamma, and the conditions at the window's ends */
    OF_X0 = 8,           /* << number of the bound, 0 to 3 */
    OF_X1 = 8 << 4,      /* << number of the bound */
    OF_CROSSING = 8 << 8 /* << number of the crossing, ordered by i, then by j > i; contracting and converging
                          * have no crossing */
};

/* An irreducible factor with positive degree in d. */
typedef struct factor {
    unsigned of;
    fmpz_mpoly_t packed;
    bivariate f;
} factor;

typedef struct projection {
    int radicand;
    const area_window *window; /* NULL: the whole plane */
    ulong pack;                /* a = x^pack */
    fmpz_mpoly_ctx_t ring;
    int count;
    factor *factors;
    size_t capacity;
    real_roots *roots; /* destination of the polynomials in a */
    search_watch *watch;
    bool failed;
} projection;

/* Turns x^(pack i + j) into a^i d^j. */
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

/* Sorts the terms by powers of d. */
static void to_bivariate(const projection *p, const fmpz_mpoly_t packed, bivariate *f) {
    flint_local(fmpz, c);
    f->degree = (int)fmpz_mpoly_degree_si(packed, 1, p->ring);
    f->coefficient = memory_alloc((size_t)f->degree + 1, sizeof *f->coefficient);
    for (int k = 0; f->coefficient != NULL && k <= f->degree; k++) fmpz_poly_init(&f->coefficient[k]);
    for (slong t = 0; f->coefficient != NULL && t < fmpz_mpoly_length(packed, p->ring); t++) {
        ulong powers[2];
        fmpz_mpoly_get_term_exp_ui(powers, packed, t, p->ring);
        fmpz_mpoly_get_term_coeff_fmpz(c, packed, t, p->ring);
        fmpz_poly_set_coeff_fmpz(&f->coefficient[powers[1]], (slong)powers[0], c);
    }
}

static void bivariate_clear(bivariate *f) {
    for (int k = 0; f->coefficient != NULL && k <= f->degree; k++) fmpz_poly_clear(&f->coefficient[k]);
    memory_free(f->coefficient);
}

/* Adds a polynomial in a alone. */
static void add_in_a(projection *p, const fmpz_poly_t f) {
    real_roots_add(p->roots, f);
    p->failed = p->failed || p->roots->failed;
}

/* Adds an irreducible factor to the list, or to the roots at once if it is in a alone. */
static void add_factor(projection *p, const fmpz_mpoly_t packed, unsigned of) {
    for (int k = 0; k < p->count; k++)
        if (fmpz_mpoly_equal(p->factors[k].packed, packed, p->ring)) {
            p->factors[k].of |= of;
            return;
        }
    bivariate f;
    to_bivariate(p, packed, &f);
    p->failed = p->failed || f.coefficient == NULL ||
                (f.degree > 0 && !memory_grows(&p->factors, &p->capacity, (size_t)p->count + 1));
    if (!p->failed && f.degree > 0) {
        factor *next = &p->factors[p->count++];
        *next = (factor){.of = of, .f = f};
        fmpz_mpoly_init(next->packed, p->ring);
        fmpz_mpoly_set(next->packed, packed, p->ring);
        return;
    }
    if (!p->failed) add_in_a(p, &f.coefficient[0]);
    bivariate_clear(&f);
}

/* Adds the irreducible factors of a polynomial, or of its norm over Q. */
static void add_polynomial(projection *p, const surd_poly *packed, unsigned of) {
    if (p->failed) return;
    fmpz_mpoly_t f;
    fmpz_mpoly_factor_t factors;
    flint_local(fmpz_poly, norm);
    fmpz_mpoly_init(f, p->ring);
    fmpz_mpoly_factor_init(factors, p->ring);
    surd_norm(norm, packed, p->radicand);
    unpack(p, norm, f);
    if (!fmpz_mpoly_is_zero(f, p->ring)) {
        if (!fmpz_mpoly_factor(factors, f, p->ring)) p->failed = true;
        for (slong k = 0; !p->failed && k < factors->num; k++) add_factor(p, factors->poly + k, of);
    }
    fmpz_mpoly_clear(f, p->ring);
    fmpz_mpoly_factor_clear(factors, p->ring);
}

/* The largest degree of the functions of a subsystem. */
static slong largest_degree(const area_subsystem *s) {
    const surd_poly *const all[6] = {&s->den, &s->phi, &s->p0, &s->p1, &s->zphi, &s->zp1};
    slong degree = 0;
    for (int k = 0; k < 6; k++)
        if (surd_degree(all[k]) > degree) degree = surd_degree(all[k]);
    return degree;
}

/* The functions of a subsystem, with x^power as their variable. */
static void inflate(area_subsystem *s, const area_subsystem *of, ulong power) {
    area_subsystem source = *of; /* borrowed */
    surd_poly *const from[6] = {&source.den, &source.phi, &source.p0, &source.p1, &source.zphi, &source.zp1};
    surd_poly *const to[6] = {&s->den, &s->phi, &s->p0, &s->p1, &s->zphi, &s->zp1};
    for (int k = 0; k < 6; k++) {
        surd_set(to[k], from[k]);
        surd_inflate(to[k], power);
    }
}

/* Adds the factors of the window (step 3). */
static void add_window(projection *p, const area_bounds *b) {
    for (int k = 0; k < 2; k++) {
        flint_local(surd, f);
        flint_local(fmpz, end);
        fmpz_neg(end, fmpq_numref(&p->window->gamma[k]));
        surd_set(f, &b->gamma);
        surd_scale(f, fmpq_denref(&p->window->gamma[k]));
        fmpz_poly_set_coeff_fmpz(f->u, 0, end);
        add_polynomial(p, f, OF_GAMMA);
        for (int i = 0; i < BOUNDS; i++) {
            if (!b->bound[i].used) continue;
            area_bound_at(&b->bound[i], &p->window->delta[k], f);
            add_polynomial(p, f, OF_GAMMA);
        }
    }
}

/* Finds the irreducible factors, and adds those in a alone. */
static void find_factors(projection *p, const area_system *system) {
    ends_by(area_bounds_clear) area_bounds b;
    flint_local(area_subsystem, A);
    flint_local(surd, crossing);
    area_bounds_init(&b);
    b.radicand = system->radicand;
    /* exceeds the degree in d of the norm of every crossing polynomial */
    p->pack = (ulong)(4 * largest_degree(&system->subsystem[1]) + 2);
    inflate(A, &system->subsystem[0], p->pack);
    area_bounds_combine(&b, system->scheme, A, &system->subsystem[1], NULL);
    fmpz_poly_set_coeff_ui(b.gamma.u, 1, 1);
    fmpz_poly_set_coeff_ui(b.gamma.u, (slong)p->pack, 1);
    add_polynomial(p, &b.fold, OF_PHI);
    add_polynomial(p, &b.den, OF_DEN);
    add_polynomial(p, &b.gamma, OF_GAMMA);
    int crossings = 0;
    for (int i = 0; i < BOUNDS; i++) {
        if (!b.bound[i].used) continue;
        add_polynomial(p, &b.bound[i].x0, (unsigned)OF_X0 << i);
        add_polynomial(p, &b.bound[i].x1, (unsigned)OF_X1 << i);
        for (int j = i + 1; j < BOUNDS; j++) {
            if (!b.bound[j].used || i == BOUND_CONTRACTING) continue;
            area_bounds_crossing(&b, i, j, crossing);
            add_polynomial(p, crossing, (unsigned)OF_CROSSING << crossings++);
        }
    }
    if (p->window != NULL) add_window(p, &b);
}

/* Returns true if a stable interval may change at a common root of two factors. */
static bool matters(unsigned one, unsigned other) {
    const unsigned no_bound = OF_PHI | OF_DEN | OF_GAMMA, all_x0 = OF_X0 * 15u, all_x1 = OF_X1 * 15u;
    if (one & other) return true;
    if ((one | other) & no_bound) return true;
    if ((one & all_x0) && (other & all_x0)) return true;
    if ((one & all_x1) && (other & all_x1)) return true;
    const unsigned x0 = ((one | other) & all_x0) / OF_X0, x1 = ((one | other) & all_x1) / OF_X1;
    if (x0 & x1) return true;
    /* crossings 0 to 4: det-flip, det-contracting, det-converging, flip-contracting, flip-converging */
    const unsigned det_converging = OF_CROSSING << 2, flip_converging = OF_CROSSING << 4;
    return (one & det_converging && other & flip_converging) ||
           (other & det_converging && one & flip_converging);
}

/* Returns true if the resultant of factors i and j (or the discriminant for i = j) is needed. */
static bool is_wanted(const projection *p, int i, int j) {
    return i == j ? p->factors[i].f.degree > 1 : matters(p->factors[i].of, p->factors[j].of);
}

/* Adds the resultants and discriminants (step 4), and reports progress in proportion to their estimated
 * cost. */
static void add_resultants(projection *p) {
    double cost = 0, done = 0;
    for (int i = 0; i < p->count; i++)
        for (int j = i; j < p->count; j++)
            if (is_wanted(p, i, j)) cost += resultant_cost(&p->factors[i].f, &p->factors[j].f);
    const search_watch whole = *p->watch;
    flint_local(fmpz_poly, resultant);
    for (int i = 0; i < p->count; i++)
        for (int j = i; j < p->count && !p->failed && !p->watch->stopped; j++) {
            const bivariate *f = &p->factors[i].f, *g = &p->factors[j].f;
            if (!is_wanted(p, i, j)) continue;
            p->watch->from = whole.from + (whole.to - whole.from) * done;
            done += resultant_cost(f, g) / cost;
            p->watch->to = whole.from + (whole.to - whole.from) * done;
            if (resultant_in_d(resultant, f, g, p->watch)) add_in_a(p, resultant);
        }
    p->watch->from = whole.from;
    p->watch->to = whole.to;
}

/* Adds the polynomials in a to `roots`. Returns false if memory is exhausted or the search is stopped. */
static bool projection_add(const area_system *system, const area_window *window, real_roots *roots,
                           search_watch *watch) {
    projection p = {.radicand = system->radicand, .window = window, .roots = roots, .watch = watch};
    fmpz_mpoly_ctx_init(p.ring, 2, ORD_LEX);
    find_factors(&p, system);
    for (int i = 0; i < p.count && !p.failed; i++)
        add_in_a(&p, &p.factors[i].f.coefficient[p.factors[i].f.degree]);
    if (!p.failed) add_resultants(&p);
    for (int i = 0; i < p.count; i++) {
        bivariate_clear(&p.factors[i].f);
        fmpz_mpoly_clear(p.factors[i].packed, p.ring);
    }
    memory_free(p.factors);
    fmpz_mpoly_ctx_clear(p.ring);
    return !p.failed && !watch->stopped;
}

/* ---- The search ---- */

/* RANGE_BITS: precision of the range for root isolation, rounded outwards. */
enum { DEGREE_MAX = 16, RANGE_BITS = 64 };

/* Adds the events at all roots in the range. */
static bool add_all_events(critical_scan *s) {
    critical_kinds before, after;
    bool started = false;
    flint_local(fmpq, a);
    for (int i = 0; i + 1 < s->roots.count; i++) {
        if (search_watch_stops(&s->watch, (double)i / (double)s->roots.count)) return false;
        if (!critical_is_in_range(s, i)) continue;
        if (!critical_kinds_between(s, i, a, &after)) return false;
        if (started && !critical_add_events(s, i, &before, &after)) return false;
        before = after;
        started = true;
    }
    return true;
}

/* Runs the complete search. */
static bool add_complete(critical_scan *s) {
    const double projected = 0.6, isolated = 0.8; /* approximate fractions of the run time */
    search_watch_next(&s->watch, projected);
    if (!projection_add(&s->system, s->window, &s->roots, &s->watch)) return false;
    search_watch_next(&s->watch, isolated);
    if (!real_roots_find(&s->roots)) return false;
    search_watch_next(&s->watch, 1);
    return add_all_events(s);
}

/* Adds the events in the range for a Runge-Kutta method. [in, out] events: empty; events->search selects one
 * of the two searches. */
static costab_status search_range(const costab_planar *planar, const costab_critical_options *options,
                                  const fmpq_t low, const fmpq_t high, const area_window *window,
                                  critical_events *events, costab_error *error) {
    flint_local(arf, from, to);
    critical_scan s = {.window = window,
                       .range = {low, high},
                       .roots = {.low = from, .high = to, .watch = &s.watch},
                       .watch = {.progress = options->progress, .context = options->progress_context},
                       .events = events};
    arf_set_fmpq(from, low, RANGE_BITS, ARF_RND_FLOOR);
    arf_set_fmpq(to, high, RANGE_BITS, ARF_RND_CEIL);
    bool fine = area_system_init(planar, &s.system);
    real_roots_add_number(&s.roots, low);
    real_roots_add_number(&s.roots, high);
    if (fine) fine = events->search == COSTAB_SEARCH_COMPLETE ? add_complete(&s) : critical_add_sampled(&s);
    area_system_clear(&s.system);
    real_roots_clear(&s.roots);
    if (s.watch.stopped)
        return error_set(error, COSTAB_CANCELLED, "the critical values of %s are not all found",
                         costab_scheme_name(planar->scheme));
    return fine ? COSTAB_OK : error_memory(error);
}

/* Adds the events in the range for any method. */
static costab_status find_events(const costab_planar *planar, const costab_critical_options *options,
                                 critical_events *events, costab_error *error) {
    const costab_method *m = &planar->method;
    const int most = planar->substeps[0] > planar->substeps[1] ? planar->substeps[0] : planar->substeps[1];
    const costab_number range[2] = {{options->low, options->written[0]},
                                    {options->high, options->written[1]}};
    flint_local(fmpq, low, high);
    TRY(area_system_check(planar, "critical values", COSTAB_CRITICAL_DEGREE_MAX, error));
    TRY(rational_range(range, "a", low, high, error));
    flint_local_vector(fmpq, ends, 4);
    const area_window window = {ends, ends + 2};
    const bool windowed = options->gamma != NULL;
    if (windowed != (options->delta != NULL))
        return error_missing(error, windowed ? "a range of Delta" : "a range of Gamma");
    if (windowed) TRY(area_window_read(&window, options->gamma, options->delta, error));
    events->search = most * m->stages > DEGREE_MAX ? COSTAB_SEARCH_NOT_COMPLETE : COSTAB_SEARCH_COMPLETE;
    if (m->kind != COSTAB_EXACT)
        return search_range(planar, options, low, high, windowed ? &window : NULL, events, error);
    if (windowed)
        return error_invalid(error, "critical values in a window are not for the method exact, whose rows "
                                    "end at transcendental functions of a");
    area_exponential_critical(planar->scheme, low, high, events);
    return COSTAB_OK;
}

/* Returns true if an event follows another in the order by a, then by region. */
static bool is_after(const costab_critical *event, const costab_critical *other) {
    return event->a != other->a ? event->a > other->a
                                : critical_region_of(event->event) > critical_region_of(other->event);
}

/* Sorts by a, then by region. Events of one region at one a keep the order in which they happen. */
static void sort_events(costab_critical *events, size_t count) {
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && is_after(&events[k - 1], &events[k]); k--) {
            const costab_critical moved = events[k];
            events[k] = events[k - 1];
            events[k - 1] = moved;
        }
}

costab_status costab_planar_critical(const costab_planar *planar, const costab_critical_options *options,
                                     costab_critical *critical, size_t *count, costab_error *error) {
    const double low = options->low, high = options->high;
    *count = 0;
    if (!isfinite(low) || !isfinite(high) || !(low < high))
        return error_invalid(error, "critical values need a range of a from low to high, not %g to %g", low,
                             high);
    if (planar->scheme == COSTAB_SIMULATION) return COSTAB_OK;
    critical_events events = {.critical = critical};
    TRY(find_events(planar, options, &events, error));
    if (events.full)
        return error_set(
            error, COSTAB_NUMERIC, "%s with %s has more than %d critical values between %g and %g",
            costab_scheme_name(planar->scheme), planar->method.name, COSTAB_CRITICAL_MAX, low, high);
    *count = events.count;
    sort_events(critical, *count);
    return COSTAB_OK;
}

/* ---- Sampling ----
 * Critical values of a by sampling, for degrees with too expensive resultants
 * (docs/explanation/algorithms.md, Critical values).
 *
 * 1. Cuts: the range is divided into 2^SAMPLE_BITS equal parts, and at the roots of the polynomials in a that
 *    form the bounds (cells.h): one subsystem's denominator, phi, P0 and P1.
 * 2. Kinds of the areas (zero, finite, infinite) are decided exactly at one number between adjacent cuts.
 * 3. If the kinds at two adjacent numbers differ, they are also decided at relative distance 2^-OFFSET_BITS
 *    before and after the cut between them. A change between these two is an event at the cut; other changes
 *    are bisected to adjacent doubles.
 *
 * Limitation: changes that cancel between two sample numbers are missed. Cost: the cells (cells.c) at about
 * 300 numbers, and at 53 per bisection. */

enum { SAMPLE_BITS = 8, OFFSET_BITS = 60 };

static bool equal_kinds(const critical_kinds *left, const critical_kinds *right) {
    for (critical_region region = 0; region < CRITICAL_REGIONS; region++)
        if (left->of[region] != right->of[region]) return false;
    return true;
}

/* Adds the cuts. */
static void add_cuts(critical_scan *s) {
    const area_subsystem *A = &s->system.subsystem[0];
    const surd_poly *const all[4] = {&A->den, &A->phi, &A->p0, &A->p1};
    flint_local(fmpq, a, step);
    for (int k = 0; k < 4; k++) real_roots_add_surd(&s->roots, all[k], s->system.radicand);
    real_roots_add_number(&s->roots, a); /* 0 */
    fmpq_sub(step, s->range[1], s->range[0]);
    fmpq_div_2exp(step, step, SAMPLE_BITS);
    fmpq_set(a, s->range[0]);
    for (int k = 1; k < 1 << SAMPLE_BITS; k++) {
        fmpq_add(a, a, step);
        real_roots_add_number(&s->roots, a);
    }
}

/* Adds the changes between two numbers without a cut between them, by bisection to adjacent doubles. */
static bool add_changes_between(critical_scan *s, const fmpq_t left, const critical_kinds *at_left,
                                const fmpq_t right, const critical_kinds *at_right) {
    if (equal_kinds(at_left, at_right)) return true;
    double low = fmpq_get_d(left), high = fmpq_get_d(right), middle = low + 0.5 * (high - low);
    if (middle > low && middle < high) {
        critical_kinds at_middle;
        flint_local(fmpq, a);
        rational_of(a, middle);
        return critical_kinds_at(s, a, &at_middle) && add_changes_between(s, left, at_left, a, &at_middle) &&
               add_changes_between(s, a, &at_middle, right, at_right);
    }
    for (critical_region region = 0; region < CRITICAL_REGIONS; region++)
        critical_add_change(s->events, high, region, at_left->of[region], at_right->of[region]);
    return true;
}

/* Kinds very close to root i: before it for side -1, after it for side 1. [out] a: the number used. */
static bool kinds_next_to(critical_scan *s, int i, int side, fmpq_t a, critical_kinds *k) {
    flint_local(arf, x, step);
    real_roots_refine(&s->roots, i, OFFSET_BITS + 20);
    arf_set(x, side < 0 ? s->roots.root[i].low : s->roots.root[i].high);
    arf_abs(step, x);
    if (arf_is_zero(x)) arf_one(step);
    arf_mul_2exp_si(step, step, -OFFSET_BITS);
    arf_set_round(step, step, 2, ARF_RND_NEAR);
    (side < 0 ? arf_sub : arf_add)(x, x, step, OFFSET_BITS + 10, ARF_RND_NEAR);
    arf_get_fmpq(a, x);
    return critical_kinds_at(s, a, k);
}

/* Adds the changes between two numbers separated by one cut, root i. */
static bool add_changes_around(critical_scan *s, int i, const fmpq_t left, const critical_kinds *before,
                               const fmpq_t right, const critical_kinds *after) {
    if (equal_kinds(before, after)) return critical_add_events(s, i, before, after);
    critical_kinds beside[2];
    flint_local(fmpq, low, high);
    return kinds_next_to(s, i, -1, low, &beside[0]) && kinds_next_to(s, i, 1, high, &beside[1]) &&
           add_changes_between(s, left, before, low, &beside[0]) &&
           critical_add_events(s, i, &beside[0], &beside[1]) &&
           add_changes_between(s, high, &beside[1], right, after);
}

bool critical_add_sampled(critical_scan *s) {
    search_watch_next(&s->watch, 1);
    add_cuts(s);
    critical_kinds before, after;
    flint_local(fmpq, left, right);
    bool started = false, fine = real_roots_find(&s->roots);
    for (int i = 0; i + 1 < s->roots.count && fine; i++) {
        if (search_watch_stops(&s->watch, (double)i / (double)s->roots.count)) fine = false;
        if (!fine || !critical_is_in_range(s, i)) continue;
        fine = critical_kinds_between(s, i, right, &after);
        if (started && fine) fine = add_changes_around(s, i, left, &before, right, &after);
        before = after;
        fmpq_swap(left, right);
        started = true;
    }
    return fine;
}
