/* Critical values of a: where an area changes its kind (nothing, finite, infinite).
 *
 * Between neighbouring roots of the polynomials in a of projection.c the kinds stay the same; they are
 * decided at one rational number between each two. At a root itself an area can be less than on both sides.
 * Where the root is rational that is decided as anywhere else; where phi_a vanishes or is infinite nothing is
 * stable; at other roots an area counts as nothing if next to it, at a distance of 2^-400, no piece of rows
 * is of an ordinary size. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "planar/area_exponential.h"
#include "planar/critical_events.h"
#include "planar/projection.h"

enum { DEGREE_MAX = 16, NEAR_BITS = 400 };

static const char *const event_names[] = {
#define EVENT_NAME(name, text) text,
    COSTAB_EVENT_LIST(EVENT_NAME)
#undef EVENT_NAME
};

const char *costab_event_name(costab_event event) {
    return (unsigned)event < COSTAB_EVENT_COUNT ? event_names[event] : NULL;
}

/* ---- events ---- */

static void emit(critical_events *events, double a, int part, int what) {
    events->full = events->full || events->count == COSTAB_CRITICAL_MAX;
    if (events->full) return;
    events->critical[events->count++] =
        (costab_critical){a, (costab_event)(4 * part + what), events->complete};
}

/* Begins 0, ends 1, infinite begins 2, infinite ends 3. */
void critical_change(critical_events *events, double a, int part, critical_kind from, critical_kind to) {
    if (from == KIND_NONE && to != KIND_NONE) emit(events, a, part, 0);
    if (from != KIND_INFINITE && to == KIND_INFINITE) emit(events, a, part, 2);
    if (from == KIND_INFINITE && to != KIND_INFINITE) emit(events, a, part, 3);
    if (from != KIND_NONE && to == KIND_NONE) emit(events, a, part, 1);
}

static int by_place(const void *left, const void *right) {
    const costab_critical *a = left, *b = right;
    if (a->a != b->a) return (a->a > b->a) - (a->a < b->a);
    return (int)a->event - (int)b->event;
}

/* ---- kinds at one rational a ---- */

typedef struct kinds {
    critical_kind of[CRITICAL_PARTS];
    bool ordinary[CRITICAL_PARTS]; /* some piece is neither tiny nor far away */
} kinds;

/* Whether a piece holds rows of some length within some distance: it is not about to vanish. */
static bool is_ordinary(area_cells *cells, const area_piece *p) {
    enum { TINY = -40, FAR = 40, BITS = 128 };
    arb_t from, to, bottom;
    acb_poly_t top;
    acb_t middle, value;
    arb_init(from);
    arb_init(to);
    arb_init(bottom);
    acb_poly_init(top);
    acb_init(middle);
    acb_init(value);
    arb_set_si(from, -1);
    arb_set_si(to, 1);
    arb_mul_2exp_si(from, from, FAR);
    arb_mul_2exp_si(to, to, FAR);
    if (p->from >= 0) real_roots_ball(&cells->roots, p->from, BITS, bottom);
    if (p->from >= 0 && arb_gt(bottom, from)) arb_set(from, bottom);
    if (p->to < cells->roots.count) real_roots_ball(&cells->roots, p->to, BITS, bottom);
    if (p->to < cells->roots.count && arb_lt(bottom, to)) arb_set(to, bottom);
    arb_add(acb_realref(middle), from, to, BITS);
    acb_mul_2exp_si(middle, middle, -1);
    acb_get_mid(middle, middle);
    arb_sub(to, to, from, BITS);
    arb_one(from);
    arb_mul_2exp_si(from, from, TINY);
    bool ordinary = arb_gt(to, from) != 0;
    if (ordinary && p->lower != END_INFINITE && p->upper != END_INFINITE) {
        surd_get_acb(top, &p->top, cells->bounds->root, BITS);
        acb_poly_evaluate(value, top, middle, BITS);
        surd_get_acb(top, &p->bottom, cells->bounds->root, BITS);
        acb_poly_evaluate(middle, top, middle, BITS);
        acb_div(value, value, middle, BITS);
        ordinary = arb_gt(acb_realref(value), from) != 0;
    }
    arb_clear(from);
    arb_clear(to);
    arb_clear(bottom);
    acb_poly_clear(top);
    acb_clear(middle);
    acb_clear(value);
    return ordinary;
}

/* False where memory is out. */
static bool kinds_at(const area_system *system, const fmpq_t a, bool sizes, kinds *k) {
    area_bounds bounds;
    area_cells cells;
    *k = (kinds){{KIND_NONE, KIND_NONE, KIND_NONE}, {false, false, false}};
    area_bounds_init(&bounds);
    area_bounds_at(&bounds, system->scheme, system->sides, system->root, a, NULL);
    bool fine = area_cells_find(&bounds, NULL, &cells);
    for (int i = 0; fine && i < cells.count; i++) {
        const area_piece *p = &cells.piece[i];
        bool ordinary = sizes && is_ordinary(&cells, p);
        for (int part = p->ss ? 0 : 1; part < (p->ss ? 1 : 2 + p->right); part++) {
            if (k->of[part] != KIND_INFINITE) k->of[part] = p->infinite ? KIND_INFINITE : KIND_FINITE;
            k->ordinary[part] = k->ordinary[part] || ordinary;
        }
    }
    area_cells_clear(&cells);
    area_bounds_clear(&bounds);
    return fine;
}

/* ---- candidates ---- */

typedef struct scan {
    area_system system;
    real_roots roots; /* the candidates, and both ends of the range */
    critical_events *events;
} scan;

/* Adds x - end. */
static void add_end(real_roots *roots, const arf_t end) {
    fmpq_t q;
    fmpz_poly_t f;
    fmpq_init(q);
    fmpz_poly_init(f);
    arf_get_fmpq(q, end);
    fmpz_poly_set_coeff_fmpz(f, 1, fmpq_denref(q));
    fmpz_neg(fmpq_numref(q), fmpq_numref(q));
    fmpz_poly_set_coeff_fmpz(f, 0, fmpq_numref(q));
    (void)real_roots_add(roots, f);
    fmpq_clear(q);
    fmpz_poly_clear(f);
}

/* Candidate i as a rational number: exactly, and then true is returned, or one very close to it. */
static bool rational_near(real_roots *roots, int i, fmpq_t a) {
    real_roots_refine(roots, i, NEAR_BITS);
    const real_root *root = &roots->root[i];
    fmpq_t low, high, value;
    fmpq_init(low);
    fmpq_init(high);
    fmpq_init(value);
    arf_get_fmpq(low, root->low);
    arf_get_fmpq(high, root->high);
    fmpq_simplest_between(a, low, high);
    fmpz_poly_evaluate_fmpq(value, roots->polynomial[root->polynomial].f, a);
    bool is = fmpq_is_zero(value) != 0;
    if (!is) fmpq_set(a, low);
    fmpq_clear(low);
    fmpq_clear(high);
    fmpq_clear(value);
    return is;
}

/* The kinds at candidate i itself, where those beside it are the same for some part. */
static bool kinds_at_candidate(scan *s, int i, const kinds *beside, kinds *at) {
    const area_side *side = &s->system.sides[0];
    int root = s->system.root;
    fmpq_t a;
    fmpq_init(a);
    bool fine = true;
    *at = *beside;
    if (rational_near(&s->roots, i, a)) {
        fine = kinds_at(&s->system, a, false, at);
    } else if (real_roots_vanishes(&s->roots, i, &side->phi, root) ||
               real_roots_vanishes(&s->roots, i, &side->den, root)) {
        for (int part = 0; part < CRITICAL_PARTS; part++) at->of[part] = KIND_NONE;
    } else {
        fine = kinds_at(&s->system, a, true, at);
        for (int part = 0; part < CRITICAL_PARTS; part++)
            at->of[part] = at->ordinary[part] ? beside->of[part] : KIND_NONE;
    }
    fmpq_clear(a);
    return fine;
}

static bool add_events(scan *s, int i, const kinds *before, const kinds *after) {
    arb_t place;
    arb_init(place);
    real_roots_ball(&s->roots, i, 100, place);
    double a = arf_get_d(arb_midref(place), ARF_RND_NEAR);
    arb_clear(place);
    bool fine = true, asked = false;
    kinds at = *before;
    for (int part = 0; part < CRITICAL_PARTS && fine; part++) {
        if (before->of[part] != after->of[part]) {
            critical_change(s->events, a, part, before->of[part], after->of[part]);
            continue;
        }
        if (before->of[part] == KIND_NONE) continue; /* what is stable at a is so beside it */
        if (!asked) fine = kinds_at_candidate(s, i, before, &at);
        asked = true;
        critical_change(s->events, a, part, before->of[part], at.of[part]);
        critical_change(s->events, a, part, at.of[part], after->of[part]);
    }
    return fine;
}

/* The kinds between the candidates i and i + 1. */
static bool kinds_between(const scan *s, int i, kinds *k) {
    fmpq_t a;
    fmpz_t den;
    ulong shift;
    fmpq_init(a);
    fmpz_init_set_ui(den, 1);
    real_roots_between(&s->roots, i, fmpq_numref(a), &shift);
    fmpz_mul_2exp(fmpq_denref(a), den, shift);
    _fmpq_canonicalise(fmpq_numref(a), fmpq_denref(a));
    bool fine = kinds_at(&s->system, a, false, k);
    fmpq_clear(a);
    fmpz_clear(den);
    return fine;
}

static bool all_events(scan *s, const arf_t low, const arf_t high) {
    kinds before, after;
    bool started = false;
    for (int i = 0; i + 1 < s->roots.count; i++) {
        if (arf_cmp(s->roots.root[i].low, low) < 0 || arf_cmp(s->roots.root[i + 1].high, high) > 0) continue;
        if (!kinds_between(s, i, &after)) return false;
        if (started && !add_events(s, i, &before, &after)) return false;
        before = after;
        started = true;
    }
    return true;
}

/* By exact arithmetic throughout. */
static costab_status critical_exact(const costab_planar *planar, double low, double high,
                                    critical_events *events, costab_error *error) {
    scan s = {.events = events};
    arf_t from, to;
    arf_init(from);
    arf_init(to);
    arf_set_d(from, low);
    arf_set_d(to, high);
    real_roots_init(&s.roots);
    s.roots.low = from;
    s.roots.high = to;
    area_system_init(planar, &s.system);
    add_end(&s.roots, from);
    add_end(&s.roots, to);
    bool fine = projection_add(&s.system, &s.roots) && real_roots_find(&s.roots) && all_events(&s, from, to);
    area_system_clear(&s.system);
    real_roots_clear(&s.roots);
    arf_clear(from);
    arf_clear(to);
    return fine ? COSTAB_OK : error_memory(error);
}

static bool has_degree(const costab_planar *planar, int degree) {
    const costab_method *m = &planar->method;
    int most = planar->substeps[0] > planar->substeps[1] ? planar->substeps[0] : planar->substeps[1];
    return m->kind == COSTAB_RUNGE_KUTTA && most * (long)m->stages <= degree;
}

static costab_status find(const costab_planar *planar, double low, double high, critical_events *events,
                          costab_error *error) {
    events->complete = true;
    if (has_degree(planar, DEGREE_MAX)) return critical_exact(planar, low, high, events, error);
    if (planar->method.kind == COSTAB_EXACT) {
        area_exponential_critical(planar->scheme, low, high, events);
        return COSTAB_OK;
    }
    events->complete = false;
    return critical_sampled(planar, low, high, events, error);
}

costab_status costab_planar_critical(const costab_planar *planar, double low, double high,
                                     costab_critical *critical, size_t *count, costab_error *error) {
    *count = 0;
    if (!isfinite(low) || !isfinite(high) || !(low < high))
        return error_set(error, COSTAB_INVALID,
                         "critical values need a range of a from low to high, not %g to %g", low, high);
    if (planar->scheme == COSTAB_SIMULATION) return COSTAB_OK;
    critical_events events = {.critical = critical};
    costab_status status = find(planar, low, high, &events, error);
    if (!status && events.full)
        status = error_set(
            error, COSTAB_NUMERIC, "%s with %s has more than %d critical values between %g and %g",
            costab_scheme_name(planar->scheme), planar->method.name, COSTAB_CRITICAL_MAX, low, high);
    if (status) return status;
    *count = events.count;
    qsort(critical, *count, sizeof *critical, by_place);
    return COSTAB_OK;
}
