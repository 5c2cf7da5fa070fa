/* Constructs a Runge-Kutta method from its tableau, or by its name (table.c): checks, and stability functions
 * as quotients of polynomials.
 *
 * 1. Checks: row sums of A equal c, and the sum of b is 1.
 * 2. Denominator det(I - zA) = exp(-sum t_k z^k / k), t_k = trace A^k, by Newton's identities.
 * 3. Numerators of b' (I - zA)^-1 v, for the vectors v of phi and P0 to P3 (1, 1 - c, c, c^2, c^3): the
 *    denominator times the series sum (b' A^k v) z^k, of degree at most stages - 1 (Cayley and Hamilton).
 * 4. Sums use pairs of doubles and error-free transformations (T. J. Dekker, Numer. Math. 18, 1971), so all
 *    machines compute equal coefficients. Coefficients within rounding of 0 become 0, which gives numerators
 *    their true degrees.
 *
 * Cost: stages^4. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/spelling.h"
#include "base/text.h"
#include "costab/method.h"
#include "formula/formula.h"
#include "method/table.h"

enum { S = COSTAB_STAGES_MAX };

/* A sum value + low, |low| at most half a unit in the last place of value, with the sum of the magnitudes of
 * its terms, which bounds its rounding. */
typedef struct tracked {
    double value, low, size;
} tracked;

static tracked tracked_of(double value) {
    return (tracked){value, 0, fabs(value)};
}

/* Normalises value + low; |low| is at most about |value|. */
static tracked renormalised(double value, double low, double size) {
    double sum = value + low;
    return (tracked){sum, low - (sum - value), size};
}

static tracked plus(tracked a, tracked b) {
    double sum = a.value + b.value, part = sum - a.value;
    double lost = (a.value - (sum - part)) + (b.value - part);
    return renormalised(sum, lost + (a.low + b.low), a.size + b.size);
}

static tracked product(tracked a, tracked b) {
    double value = a.value * b.value, lost = fma(a.value, b.value, -value);
    return renormalised(value, lost + (a.value * b.low + a.low * b.value), a.size * b.size);
}

static tracked divided(tracked a, int by) {
    double value = a.value / by, rest = fma(-value, by, a.value);
    return renormalised(value, (rest + a.low) / by, a.size / by);
}

static tracked negated(tracked a) {
    return (tracked){-a.value, -a.low, a.size};
}

/* Returns the sum as a double, 0 if it is within rounding of 0. */
static double cleaned(tracked t, int stages) {
    return fabs(t.value) <= 8 * stages * DBL_EPSILON * t.size ? 0.0 : t.value;
}

/* x = A x. */
static void apply_A(const costab_method *m, tracked *x) {
    tracked y[S];
    for (int i = 0; i < m->stages; i++) {
        y[i] = tracked_of(0);
        for (int j = 0; j < m->stages; j++) y[i] = plus(y[i], product(tracked_of(m->A[i][j]), x[j]));
    }
    memcpy(x, y, (size_t)m->stages * sizeof *x);
}

/* series[k] = b' A^k v, k < n. */
static void krylov(const costab_method *m, const double *v, int n, tracked *series) {
    tracked x[S];
    for (int i = 0; i < m->stages; i++) x[i] = tracked_of(v[i]);
    for (int k = 0; k < n; k++) {
        series[k] = tracked_of(0);
        for (int i = 0; i < m->stages; i++) series[k] = plus(series[k], product(tracked_of(m->b[i]), x[i]));
        apply_A(m, x);
    }
}

/* det(I - zA), ascending powers. */
static void characteristic(const costab_method *m, tracked *den) {
    tracked traces[S + 1];
    for (int k = 0; k <= S; k++) traces[k] = tracked_of(0);
    for (int column = 0; column < m->stages; column++) {
        tracked x[S] = {{0, 0, 0}};
        x[column] = tracked_of(1);
        for (int k = 1; k <= m->stages; k++) {
            apply_A(m, x);
            traces[k] = plus(traces[k], x[column]);
        }
    }
    den[0] = tracked_of(1);
    for (int k = 1; k <= m->stages; k++) {
        den[k] = tracked_of(0);
        for (int i = 1; i <= k; i++)
            den[k] = plus(den[k], negated(divided(product(den[k - i], traces[i]), k)));
    }
}

/* Numerator of b' (I - zA)^-1 v over den. */
static void numerator(const costab_method *m, const double *v, const tracked *den, double *out) {
    tracked series[S];
    krylov(m, v, m->stages, series);
    for (int k = 0; k < m->stages; k++) {
        tracked sum = tracked_of(0);
        for (int j = 0; j <= k; j++) sum = plus(sum, product(den[j], series[k - j]));
        out[k] = cleaned(sum, m->stages);
    }
}

static int true_degree(const double *coefficients, int degree) {
    while (degree > 0 && coefficients[degree] == 0) degree--;
    return degree;
}

static void derive(costab_method *m) {
    double ones[S], rest[S], squares[S], cubes[S];
    for (int i = 0; i < m->stages; i++) {
        ones[i] = 1;
        rest[i] = 1 - m->c[i];
        squares[i] = m->c[i] * m->c[i];
        cubes[i] = squares[i] * m->c[i];
        for (int j = i; j < m->stages; j++)
            if (m->A[i][j] != 0) m->implicit = true;
    }
    tracked den[S + 1] = {{1, 0, 1}};
    if (m->implicit) characteristic(m, den);
    for (int k = 0; k <= m->stages; k++) m->denominator[k] = cleaned(den[k], m->stages);
    numerator(m, ones, den, m->phi);
    numerator(m, m->c, den, m->p1);
    numerator(m, rest, den, m->p0);
    numerator(m, squares, den, m->p2);
    numerator(m, cubes, den, m->p3);
    m->phi_degree = true_degree(m->phi, m->stages - 1);
    m->p0_degree = true_degree(m->p0, m->stages - 1);
    m->p1_degree = true_degree(m->p1, m->stages - 1);
    m->p2_degree = true_degree(m->p2, m->stages - 1);
    m->p3_degree = true_degree(m->p3, m->stages - 1);
    m->denominator_degree = true_degree(m->denominator, m->stages);
}

static costab_status check_sum(const char *what, int row, const double *terms, int n, double expected,
                               costab_error *error) {
    double sum = 0, size = fabs(expected);
    for (int i = 0; i < n; i++) {
        sum += terms[i];
        size += fabs(terms[i]);
    }
    if (fabs(sum - expected) <= 16 * n * DBL_EPSILON * size) return COSTAB_OK;
    if (row < 0)
        return error_invalid(error, "inconsistent tableau: the weights %s sum to %.17g, not 1", what, sum);
    return error_invalid(
        error, "inconsistent tableau: row %d of %s sums to %.17g, but c there is %.17g; c must be A times 1",
        row + 1, what, sum, expected);
}

/* Checks a tableau and computes its functions; `A` is stages x stages, row-major. */
static costab_status make(costab_method *m, const double *A, const double *b, const double *c,
                          costab_error *error) {
    int stages = m->stages;
    for (int i = 0; i < stages; i++) {
        m->b[i] = b[i];
        m->c[i] = c[i];
        bool finite = isfinite(b[i]) && isfinite(c[i]);
        for (int j = 0; j < stages; j++) {
            m->A[i][j] = A[i * stages + j];
            finite = finite && isfinite(m->A[i][j]);
        }
        if (!finite) return error_invalid(error, "a tableau's entries must be finite (stage %d)", i + 1);
    }
    TRY(check_sum("b", -1, m->b, stages, 1, error));
    for (int i = 0; i < stages; i++) TRY(check_sum("A", i, m->A[i], stages, m->c[i], error));
    derive(m);
    return COSTAB_OK;
}

static costab_status check_stages(int stages, costab_error *error) {
    if (stages >= 1 && stages <= COSTAB_STAGES_MAX) return COSTAB_OK;
    return error_invalid(error, "a tableau has 1 to %d stages, not %d", COSTAB_STAGES_MAX, stages);
}

costab_status costab_method_from_tableau(int stages, const double *A, const double *b, const double *c,
                                         costab_method *method, costab_error *error) {
    TRY(check_stages(stages, error));
    costab_method m = {.name = "tableau", .kind = COSTAB_RUNGE_KUTTA, .stages = stages};
    TRY(make(&m, A, b, c, error));
    *method = m;
    return COSTAB_OK;
}

/* Evaluates entries and appends their texts to the source. [in, out] used: size of the source,
 * COSTAB_SOURCE_MAX if a text is missing or does not fit. */
static costab_status read_entries(const costab_entry *entries, int n, costab_method *m, size_t *used,
                                  double *values) {
    for (int i = 0; i < n; i++) {
        const costab_entry *entry = &entries[i];
        char reason[200];
        costab_status status = COSTAB_INVALID;
        if (entry->text != NULL)
            status = formula_constant(entry->text, entry->size, &values[i], reason, sizeof reason);
        if (status == COSTAB_MEMORY) return status;
        if (status) values[i] = entry->value;
        const bool fits = !status && *used + entry->size + 1 < COSTAB_SOURCE_MAX;
        if (fits) memcpy(m->source + *used, entry->text, entry->size);
        *used = fits ? *used + entry->size : COSTAB_SOURCE_MAX;
        if (fits) m->source[(*used)++] = ';';
    }
    return COSTAB_OK;
}

costab_status costab_method_from_entries(int stages, const costab_entry *A, const costab_entry *b,
                                         const costab_entry *c, costab_method *method, costab_error *error) {
    TRY(check_stages(stages, error));
    costab_method m = {.name = "tableau", .kind = COSTAB_RUNGE_KUTTA, .stages = stages};
    double A_value[S * S], b_value[S], c_value[S];
    size_t used = 0;
    if (read_entries(A, stages * stages, &m, &used, A_value) || read_entries(b, stages, &m, &used, b_value) ||
        (c != NULL && read_entries(c, stages, &m, &used, c_value)))
        return error_memory(error);
    if (used >= COSTAB_SOURCE_MAX) memset(m.source, 0, sizeof m.source);
    for (int i = 0; i < stages && c == NULL; i++) {
        tracked sum = tracked_of(0);
        for (int j = 0; j < stages; j++) sum = plus(sum, tracked_of(A_value[i * stages + j]));
        c_value[i] = sum.value;
    }
    TRY(make(&m, A_value, b_value, c_value, error));
    *method = m;
    return COSTAB_OK;
}

static costab_entry entry_of(const char *source) {
    if (source == NULL) source = "0";
    return (costab_entry){.text = source, .size = strlen(source)};
}

/* Constructs the method of a row of the table. */
static costab_status make_named(const method_entry *entry, costab_method *method, costab_error *error) {
    enum { T = METHOD_TABLE_STAGES };
    costab_entry A[T * T], b[T], c[T];
    int n = entry->stages;
    for (int i = 0; i < n; i++) {
        b[i] = entry_of(entry->b[i]);
        c[i] = entry_of(entry->c[i]);
        for (int j = 0; j < n; j++) A[i * n + j] = entry_of(entry->A[i][j]);
    }
    if (entry->exact)
        *method = (costab_method){.kind = COSTAB_EXACT};
    else
        TRY(costab_method_from_entries(n, A, b, c, method, error));
    method->order = entry->order;
    memset(method->name, 0, sizeof method->name);
    strncpy(method->name, entry->name, sizeof method->name - 1);
    return COSTAB_OK;
}

costab_status costab_method_find(const char *name, costab_method *method, costab_error *error) {
    for (int e = 0; e < method_table_count; e++)
        if (strcmp(name, method_table[e].name) == 0) return make_named(&method_table[e], method, error);
    const char *const *known = &method_table[0].name;
    size_t count = (size_t)method_table_count, stride = sizeof *method_table;
    char names[400], guess[SPELLING_GUESS_MAX];
    return error_invalid(error, "unknown method '%s'%s; expected one of: %s", name,
                         spelling_guess(name, known, count, stride, guess),
                         spelling_list(known, count, stride, ", ", names, sizeof names));
}

int costab_method_count(void) {
    return method_table_count;
}

const char *costab_method_name(int i) {
    return i >= 0 && i < method_table_count ? method_table[i].name : NULL;
}

const char *costab_method_title(int i) {
    return i >= 0 && i < method_table_count ? method_table[i].title : NULL;
}
