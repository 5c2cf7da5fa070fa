/* Error bounds of computed eigenvalues (eigen.h; docs/explanation/algorithms.md, Verdicts and rounding).
 *
 * 1. Backward error of their balanced component: e = (n + entry_error) eps ||M|| + noise.
 * 2. Away from the limit the bound is e.
 * 3. Near the limit e is multiplied by a condition: the norm of the resolvent at the point half-way to the
 *    limit, times half the distance. If many eigenvalues are near, the conditions of all eigenvalues from one
 *    Schur form bound this norm.
 * 4. If the side of the limit remains undecided, points further and further beyond the limit are tested, by
 *    factors of 4, until no matrix within rounding has an eigenvalue there: 1 / ||R(z)|| exceeds e.
 *
 * Cost: n^3 once, then n^2 per eigenvalue near the limit. Limitation: estimates of first order. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "method/eigen.h"
#include "method/eigen_components.h"
#include "method/matrix.h"

/* The bound of the resolvent's norm by a sum over eigenvalues is used if it is below CLOSE (in a second
 * attempt SURELY) times its largest term, or if bound times error is below HARMLESS. Otherwise it may be far
 * too large, because terms of multiple eigenvalues are large and cancel. Below 2 the norm is at least the
 * largest term minus the others, with SURELY a third of the sum. */
#define CLOSE    4
#define SURELY   1.5
#define HARMLESS 1e-5
/* Number of eigenvalues near the limit from which a Schur form is computed. */
enum { MANY = 4 };

/* x + i y := the point at excess `beyond`, closest to the eigenvalue re + i im. */
static void point_beyond(eigen_limit limit, double beyond, double re, double im, double *x, double *y) {
    if (limit == EIGEN_AXIS) {
        *x = beyond;
        *y = im;
        return;
    }
    bool increment = limit == EIGEN_INCREMENT;
    double now = eigen_beyond(limit, re, im), modulus = 1 + now, away = 1 + beyond;
    /* z (1 + beyond) / |z| - 1 = (z - 1 + beyond z - (|z| - 1)) / |z| */
    *x = increment ? (re - now + beyond * (1 + re)) / modulus : re / modulus * away;
    *y = im / modulus * away;
}

/* An eigenvalue is near the limit if a quantity is between low and high: squared modulus (circle), squared
 * real part (axis), or excess (increment). */
typedef struct vicinity {
    eigen_limit limit;
    double low, high;
} vicinity;

static vicinity vicinity_of(int n, double norm, eigen_limit limit) {
    double distance = eigen_vicinity(n) * norm;
    if (n == 1) return (vicinity){limit, 1, -1}; /* its condition is 1 */
    if (limit == EIGEN_AXIS) return (vicinity){limit, 0, distance * distance};
    if (limit == EIGEN_INCREMENT) return (vicinity){limit, -distance, distance};
    return (vicinity){limit, distance < 1 ? (1 - distance) * (1 - distance) : 0,
                      (1 + distance) * (1 + distance)};
}

static bool is_near(const vicinity *v, double re, double im) {
    double square = v->limit == EIGEN_AXIS     ? re * re
                    : v->limit == EIGEN_CIRCLE ? re * re + im * im
                                               : eigen_beyond(v->limit, re, im);
    return square >= v->low && square <= v->high;
}

/* Request for the error bound of an eigenvalue of a component. */
typedef struct query {
    const eigen_component *component;
    eigen_limit limit;
    double re, im, error;          /* im >= 0; backward error of the component */
    const eigen_conditions *known; /* conditions of all eigenvalues, or NULL */
    double close;                  /* CLOSE or SURELY */
    double *work;
    int *iwork;
} query;

/* || (z I - component)^-1 || at the point z with excess `beyond`, closest to the eigenvalue. */
static double resolvent_beyond(const query *a, double beyond, double im) {
    double x, y;
    point_beyond(a->limit, beyond, a->re, im, &x, &y);
    double most, bound = a->known == NULL ? 0 : eigen_conditions_resolvent(a->known, x, y, &most);
    if (a->known != NULL && (bound < a->close * most || bound * a->error < HARMLESS)) return bound;
    return eigen_resolvent(a->component, x, y, a->work, a->iwork);
}

/* Like resolvent_beyond. If the eigenvalue is close to the real axis and may be two real ones, the larger
 * norm of both cases. */
static double resolvent(const query *a, double beyond) {
    double most = resolvent_beyond(a, beyond, a->im);
    if (a->im == 0 || a->im > eigen_vicinity(a->component->n) * a->component->norm) return most;
    return fmax(most, resolvent_beyond(a, beyond, 0));
}

/* Error bound near the limit. */
static double slack_near(const query *a, double roundings) {
    double inside = eigen_beyond(a->limit, a->re, a->im), distance = fabs(inside), half = distance / 2;
    double condition = half * resolvent(a, inside < 0 ? -half : half);
    double slack = fmax(a->error, (1 + roundings * (condition - 1)) / 2 * a->error);
    if (slack < half) return slack;
    if (a->known != NULL && a->close > SURELY) {
        query closely = *a;
        closely.close = SURELY;
        return slack_near(&closely, roundings);
    }
    const double first = fmax(4 * a->error, distance); /* 0 if both underflow */
    for (double beyond = first; beyond > 0 && beyond < EIGEN_FURTHEST * a->component->norm; beyond *= 4)
        if (roundings * a->error * resolvent(a, beyond) < 1) return distance + beyond;
    return fmax(a->error, EIGEN_FURTHEST * a->component->norm);
}

/* Returns the Schur form of the whole matrix, or NULL. */
static const eigen_schur *schur_of(const eigen_found *found) {
    return found->schur != NULL && found->schur->n == found->count ? found->schur : NULL;
}

/* Backward error of a component; infinite if it is unknown. */
static double error_of(const eigen_found *found, int n, double norm) {
    const double error = (n + found->entry_error) * DBL_EPSILON * norm + found->noise;
    return isnan(error) ? (double)INFINITY : error;
}

/* Returns true if at least MANY of `count` eigenvalues are near the limit. */
static bool many_near(const eigen_found *found, int first, int count, const vicinity *near) {
    int many = 0;
    for (int i = first; i < first + count; i++) many += is_near(near, found->re[i], found->im[i]);
    return many >= MANY;
}

/* Reduces the component to Hessenberg form and, if `many`, sets *known to the conditions of all eigenvalues.
 * Returns false if LAPACK fails. */
static bool prepare(const eigen_component *component, const eigen_found *found, bool many,
                    eigen_conditions *conditions, const eigen_conditions **known, double *work) {
    size_t n = (size_t)component->n, square = n * n;
    double *space = work + 3 * square + 8 * n;
    const eigen_schur *schur = schur_of(found);
    if (schur == NULL && !eigen_component_reduce(component, work, work + square)) return false;
    if (!many) return true;
    if (schur != NULL ? eigen_conditions_of_schur(schur, found->re, found->im, conditions, space)
                      : eigen_conditions_find(component, conditions, space))
        *known = conditions;
    return true;
}

/* Error bounds of the eigenvalues of one component. */
static void slack_of_component(const eigen_component *component, eigen_found *found, int first, int count,
                               double *work, int *iwork) {
    eigen_conditions conditions;
    const eigen_conditions *known = NULL;
    double error = error_of(found, component->n, component->norm);
    vicinity near = vicinity_of(component->n, component->norm, found->limit);
    bool tried = false, reduced = false;
    found->backward = fmax(found->backward, error);
    for (int i = first; i < first + count; i++) {
        double re = found->re[i], im = fabs(found->im[i]), slack = error;
        bool again = i > first && re == found->re[i - 1] && im == fabs(found->im[i - 1]);
        if (again) {
            found->slack[i] = found->slack[i - 1];
            continue;
        }
        if (is_near(&near, re, im)) {
            if (!tried)
                reduced = prepare(component, found, many_near(found, first, count, &near), &conditions,
                                  &known, work);
            tried = true;
            slack = fmax(error, EIGEN_FURTHEST * component->norm);
            if (reduced)
                slack =
                    slack_near(&(query){component, found->limit, re, im, error, known, CLOSE, work, iwork},
                               found->roundings);
        }
        found->slack[i] = fmax(found->slack[i], slack);
    }
}

/* Error bounds from sizes and norms of components alone; returns false if an eigenvalue is near the limit. */
static bool slack_of_component_norms(eigen_found *found) {
    const eigen_component_norm *last = NULL;
    vicinity near = {.low = 0};
    double error = 0, most = 0;
    for (int i = 0; i < found->count; i++) {
        const eigen_component_norm *component = &found->components[i];
        if (last == NULL || component->n != last->n || component->norm != last->norm) {
            near = vicinity_of(component->n, component->norm, found->limit);
            error = error_of(found, component->n, component->norm);
            if (error > most) most = error;
        }
        if (is_near(&near, found->re[i], found->im[i])) return false;
        found->slack[i] = error;
        last = component;
    }
    found->backward = most;
    return true;
}

void eigen_slack(int n, const double *a, eigen_found *found, double *work, int *iwork) {
    eigen_component component;
    bool own = found->count == n;
    int at = 0, first = 0;
    if (own && found->components != NULL && !found->unbalanced && slack_of_component_norms(found)) return;
    for (int i = 0; i < found->count; i++) found->slack[i] = a == NULL ? (double)INFINITY : 0;
    found->backward = 0;
    if (a == NULL) return;
    if (own && found->unbalanced) {
        eigen_found whole = *found;
        whole.schur = NULL;
        memcpy(work, a, (size_t)n * (size_t)n * sizeof *a);
        component =
            (eigen_component){.n = n, .norm = matrix_norm((size_t)n * (size_t)n, a), .hessenberg = work};
        slack_of_component(&component, &whole, 0, n, work, iwork + 3 * n);
        found->backward = whole.backward;
        return;
    }
    const eigen_schur *schur = schur_of(found);
    if (own && schur != NULL) {
        component = (eigen_component){.n = n, .norm = schur->norm, .hessenberg = schur->hessenberg};
        slack_of_component(&component, found, 0, n, work, iwork + 3 * n);
        return;
    }
    eigen_components_start(n, iwork);
    while (eigen_component_gather(n, a, &first, &component, work, iwork)) {
        slack_of_component(&component, found, own ? at : 0, own ? component.n : found->count, work,
                           iwork + 3 * n);
        at += component.n;
    }
}

/* ---- Conditions ----
 * Conditions of all eigenvalues of a large component from one real Schur form.
 *
 * 1. Schur form T (LAPACK's dhseqr), unless known, and its left and right vectors w and v (dtrevc).
 * 2. The condition of an eigenvalue is |w| |v| / |w* v|. It is equal for T and the matrix because the
 *    transformation is orthogonal.
 * 3. The norm of the resolvent at z is at most the sum of condition / |z - l| over all eigenvalues l.
 *
 * Cost: about 20 n^3; efficient from 41 rows and 4 eigenvalues near the limit. */

/* For fewer rows eigen_resolvent() per eigenvalue is as fast. */
enum { CONDITIONS_LEAST = 41 };

size_t eigen_condition_work(int n) {
    size_t k = (size_t)n;
    return n < CONDITIONS_LEAST ? 0 : 3 * k * k + (3 + EIGEN_PANEL) * k;
}

static double condition_of(int n, const double *left, const double *right, bool pair) {
    double sums[4] = {0}; /* |w|^2, |v|^2, both parts of w* v */
    for (int i = 0; i < n; i++) {
        double w = left[i], v = right[i], wi = pair ? left[n + i] : 0, vi = pair ? right[n + i] : 0;
        sums[0] += w * w + wi * wi;
        sums[1] += v * v + vi * vi;
        sums[2] += w * v + wi * vi;
        sums[3] += w * vi - wi * v;
    }
    return sqrt(sums[0]) * sqrt(sums[1]) / hypot(sums[2], sums[3]);
}

/* Computes conditions from the form T, column-major. Vectors of T have the same angles as those of the
 * matrix. */
static bool find(int n, const double *form, double *left, double *right, eigen_conditions *found,
                 double *inner) {
    int count = 0;
    if (LAPACKE_dtrevc_work(LAPACK_COL_MAJOR, 'B', 'A', NULL, n, form, n, left, n, right, n, n, &count,
                            inner) != 0)
        return false;
    for (int i = 0; i < n; i++) {
        bool pair = found->im[i] != 0;
        found->condition[i] =
            condition_of(n, left + (size_t)i * (size_t)n, right + (size_t)i * (size_t)n, pair);
        if (pair) {
            found->condition[i + 1] = found->condition[i];
            i++;
        }
    }
    return true;
}

static eigen_conditions conditions_at(int n, double *values) {
    return (eigen_conditions){.n = n, .re = values, .im = values + n, .condition = values + 2 * n};
}

bool eigen_conditions_find(const eigen_component *component, eigen_conditions *found, double *work) {
    int n = component->n;
    size_t square = (size_t)n * (size_t)n;
    double *schur = work, *left = schur + square, *right = left + square, *inner = right + square + 3 * n;
    *found = conditions_at(n, right + square);
    if (n < CONDITIONS_LEAST) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) schur[j * n + i] = component->hessenberg[i * n + j];
    return LAPACKE_dhseqr_work(LAPACK_COL_MAJOR, 'S', 'N', n, 1, n, schur, n, found->re, found->im, NULL, 1,
                               inner, EIGEN_PANEL * n) == 0 &&
           find(n, schur, left, right, found, inner);
}

bool eigen_conditions_of_schur(const eigen_schur *schur, const double *re, const double *im,
                               eigen_conditions *found, double *work) {
    int n = schur->n;
    size_t square = (size_t)n * (size_t)n, row = (size_t)n * sizeof *re;
    double *left = work, *right = left + square, *inner = right + square + 3 * n;
    *found = conditions_at(n, right + square);
    memcpy(found->re, re, row);
    memcpy(found->im, im, row);
    return find(n, schur->form, left, right, found, inner);
}

double eigen_conditions_resolvent(const eigen_conditions *known, double re, double im, double *most) {
    double sum = 0;
    *most = 0;
    for (int i = 0; i < known->n; i++) {
        double share = known->condition[i] / hypot(re - known->re[i], im - known->im[i]);
        sum += share;
        *most = fmax(*most, share);
    }
    return sum;
}
