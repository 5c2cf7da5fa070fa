/* How far rounding may have moved computed eigenvalues (eigen.h; docs/explanation/algorithms.md, Verdicts and
 * rounding):
 *
 *  1. The error of their balanced component: e = (n + entry_error) eps ||M|| + noise.
 *  2. Away from the limit e is the slack; nothing more is asked for.
 *  3. Near it e is multiplied by a condition: the norm of the resolvent at the point half-way to the limit,
 *     times half the distance. Where many eigenvalues are near, that norm is bounded from the conditions of
 *     all eigenvalues, by one Schur form.
 *  4. Where that leaves open on which side of the limit the eigenvalue is, points further and further beyond
 *     the limit are tried, by factors of 4, until no matrix within rounding has an eigenvalue there: 1 /
 *     ||R(z)|| exceeds e.
 *
 * Cost: n^2 for each eigenvalue near the limit. Not guaranteed: estimates of first order, not bounds. */
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "method/eigen.h"
#include "method/eigen_components.h"
#include "method/matrix.h"

/* The bound of the resolvent's norm by a sum over all eigenvalues is used where it is less than CLOSE (or,
 * when looked at closely, SURELY) times its largest term, or where bound times error is below HARMLESS. Else
 * it may be much too large: terms of multiple eigenvalues are large and cancel each other. Below 2 the norm
 * is at least the largest term minus the others, with SURELY a third of the sum. */
#define CLOSE    4
#define SURELY   1.5
#define HARMLESS 1e-5
/* From so many eigenvalues near the limit on a Schur form is made. */
enum { MANY = 4 };

/* x + i y := the point that is `beyond` the limit, next to the eigenvalue re + i im. */
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

/* An eigenvalue is near the limit if a number is between low and high: its squared modulus (circle), its
 * squared real part (axis), or how far it is beyond the limit (increment). */
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

/* An eigenvalue of a component whose slack is asked for. */
typedef struct query {
    const eigen_component *component;
    eigen_limit limit;
    double re, im, error;          /* im >= 0; the component's backward error */
    const eigen_conditions *known; /* the conditions of all eigenvalues; or NULL */
    double close;                  /* CLOSE or SURELY */
    double *work;
    int *iwork;
} query;

/* || (z I - component)^-1 || at the point z that is `beyond` the limit next to the eigenvalue. */
static double resolvent_beyond(const query *a, double beyond, double im) {
    double x, y;
    point_beyond(a->limit, beyond, a->re, im, &x, &y);
    double most, bound = a->known == NULL ? 0 : eigen_conditions_resolvent(a->known, x, y, &most);
    if (a->known != NULL && (bound < a->close * most || bound * a->error < HARMLESS)) return bound;
    return eigen_resolvent(a->component, x, y, a->work, a->iwork);
}

/* The same; of an eigenvalue so near the real axis that it may be two real ones, the larger norm of both. */
static double resolvent(const query *a, double beyond) {
    double most = resolvent_beyond(a, beyond, a->im);
    if (a->im == 0 || a->im > eigen_vicinity(a->component->n) * a->component->norm) return most;
    return fmax(most, resolvent_beyond(a, beyond, 0));
}

/* Steps 3 and 4. */
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
    const double first = fmax(4 * a->error, distance); /* 0: both vanish beside what doubles hold */
    for (double beyond = first; beyond > 0 && beyond < EIGEN_FURTHEST * a->component->norm; beyond *= 4)
        if (roundings * a->error * resolvent(a, beyond) < 1) return distance + beyond;
    return fmax(a->error, EIGEN_FURTHEST * a->component->norm);
}

/* The Schur form of the whole matrix, where it is known. */
static const eigen_schur *schur_of(const eigen_found *found) {
    return found->schur != NULL && found->schur->n == found->count ? found->schur : NULL;
}

/* The error of step 1; infinite where it is not known. */
static double error_of(const eigen_found *found, int n, double norm) {
    const double error = (n + found->entry_error) * DBL_EPSILON * norm + found->noise;
    return isnan(error) ? (double)INFINITY : error;
}

/* Whether MANY of `count` eigenvalues are near the limit. */
static bool many_near(const eigen_found *found, int first, int count, const vicinity *near) {
    int many = 0;
    for (int i = first; i < first + count; i++) many += is_near(near, found->re[i], found->im[i]);
    return many >= MANY;
}

/* Brings the component to Hessenberg form and, if `many`, sets *known to the conditions of all eigenvalues.
 * False where LAPACK fails. */
static bool prepare(const eigen_component *component, const eigen_found *found, bool many,
                    eigen_conditions *conditions, const eigen_conditions **known, double *work) {
    size_t n = (size_t)component->n, square = n * n;
    double *room = work + 3 * square + 8 * n;
    const eigen_schur *schur = schur_of(found);
    if (schur == NULL && !eigen_component_reduce(component, work, work + square)) return false;
    if (!many) return true;
    if (schur != NULL ? eigen_conditions_of_schur(schur, found->re, found->im, conditions, room)
                      : eigen_conditions_find(component, conditions, room))
        *known = conditions;
    return true;
}

/* Steps 1 to 4 for the eigenvalues of one component. */
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

/* Steps 1 and 2 from the sizes and norms of components alone; false where an eigenvalue is near the limit. */
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

/* ---- Conditions ---- */

/* The conditions of all eigenvalues of a large component from one real Schur form:
 *
 *  1. The Schur form T is made (LAPACK's dhseqr), or it is known; then its left and right vectors w and v
 *     (dtrevc).
 *  2. The condition of an eigenvalue is |w| |v| / |w* v|. It is the same for T and for the matrix, as the
 *     Schur form is reached by an orthogonal transformation.
 *  3. The resolvent's norm at z is at most the sum of condition / |z - l| over all eigenvalues l.
 *
 * Cost: some 20 n^3; worth it from 41 rows and 4 eigenvalues near the limit on. */

/* Below this many rows eigen_resolvent() for each eigenvalue is as fast. */
enum { CONDITIONS_LEAST = 41 };

size_t eigen_condition_work(int n) {
    size_t k = (size_t)n;
    return n < CONDITIONS_LEAST ? 0 : 3 * k * k + (3 + EIGEN_PANEL) * k;
}

static double condition_of(int n, const double *left, const double *right, bool pair) {
    double sums[4] = {0}; /* |w|^2, |v|^2, and the two parts of w* v */
    for (int i = 0; i < n; i++) {
        double w = left[i], v = right[i], wi = pair ? left[n + i] : 0, vi = pair ? right[n + i] : 0;
        sums[0] += w * w + wi * wi;
        sums[1] += v * v + vi * vi;
        sums[2] += w * v + wi * vi;
        sums[3] += w * vi - wi * v;
    }
    return sqrt(sums[0]) * sqrt(sums[1]) / hypot(sums[2], sums[3]);
}

/* Of the form T, by columns; the vectors of T have the same angles as those of the matrix. */
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
