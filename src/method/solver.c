/* Methods without a Butcher tableau: a table with sources, and methods from a user's numbers (Nystrom
 * tableaux, Newmark, generalized alpha).
 *
 * A user's numbers must be finite, and a tableau consistent: the sum of its weights b is 1 within rounding.
 * Limitation: order and stability are not checked. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "costab/method.h"
#include "method/method.h"

typedef struct solver_entry {
    const char *name, *title;
    costab_method method;
} solver_entry;

/* tests/unit/solver.c verifies order and stability of each. */
static const solver_entry solvers[] = {
    {.name = "semi-implicit-euler",
     .title = "semi-implicit (symplectic) Euler method",
     /* E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, section I.1.2 */
     .method = {.kind = COSTAB_NYSTROM, .order = 1, .stages = 1, .b = {1}, .b_bar = {1}}},
    {.name = "newmark",
     .title = "Newmark's method, beta = 1/4, gamma = 1/2",
     /* N. M. Newmark, Journal of the Engineering Mechanics Division 85, 1959 */
     .method = {.kind = COSTAB_NYSTROM,
                .order = 2,
                .stages = 2,
                .implicit = true,
                .A_bar = {{0}, {0.25, 0.25}},
                .A = {{0}, {0.5, 0.5}},
                .b_bar = {0.25, 0.25},
                .b = {0.5, 0.5},
                .c = {0, 1}}},
    {.name = "generalized-alpha",
     .title = "generalized alpha method, rho = 0.8",
     /* J. Chung, G. M. Hulbert, Journal of Applied Mechanics 60, 1993 */
     .method = {.kind = COSTAB_GENERALIZED_ALPHA,
                .order = 2,
                .implicit = true,
                .alpha_m = 0.6 / 1.8,
                .alpha_f = 0.8 / 1.8,
                .beta = 1 / 3.24,
                .gamma = 0.5 + 0.2 / 1.8}},
    {.name = "bdf2",
     .title = "two-step backward differentiation formula",
     /* E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section V.1 */
     .method = {.kind = COSTAB_BDF,
                .order = 2,
                .implicit = true,
                .former = 1,
                .weights = {4, -1},
                .slope = 2,
                .divisor = 3}},
};

int costab_solver_count(void) {
    return (int)(sizeof solvers / sizeof solvers[0]);
}

/* Row i of the table, or NULL. */
static const solver_entry *entry(int i) {
    return i >= 0 && i < costab_solver_count() ? &solvers[i] : NULL;
}

const char *costab_solver_name(int i) {
    return entry(i) != NULL ? entry(i)->name : NULL;
}

const char *costab_solver_title(int i) {
    return entry(i) != NULL ? entry(i)->title : NULL;
}

bool costab_method_paired(const costab_method *method) {
    return method->kind == COSTAB_NYSTROM || method->kind == COSTAB_GENERALIZED_ALPHA;
}

static void set_name(costab_method *method, const char *name) {
    (void)strncpy(method->name, name, sizeof method->name - 1);
}

costab_status costab_solver_find(const char *name, costab_method *method, costab_error *error) {
    for (int i = 0; i < costab_solver_count(); i++) {
        if (strcmp(name, solvers[i].name) != 0) continue;
        *method = solvers[i].method;
        set_name(method, name);
        return COSTAB_OK;
    }
    costab_error unknown = {.status = COSTAB_OK};
    if (costab_method_find(name, method, &unknown) == COSTAB_OK) return COSTAB_OK;
    text_local names = {0};
    for (int i = 0; i < costab_solver_count(); i++) text_printf(&names, ", %s", solvers[i].name);
    return error_set(error, unknown.status, "%s%s", unknown.message, names.failed ? "" : names.data);
}

static bool all_finite(const double *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

costab_status costab_method_nystrom(const costab_nystrom *tableau, costab_method *method,
                                    costab_error *error) {
    int n = tableau->stages;
    if (n < 1 || n > COSTAB_STAGES_MAX)
        return error_invalid(error, "a Nystrom tableau has 1 to %d stages, not %d", COSTAB_STAGES_MAX, n);
    if (!all_finite(tableau->A_bar, n * n) || !all_finite(tableau->A, n * n) ||
        !all_finite(tableau->b_bar, n) || !all_finite(tableau->b, n) || !all_finite(tableau->c, n))
        return error_invalid(error, "a Nystrom tableau's entries must be finite");
    double sum = 0, size = 1;
    for (int i = 0; i < n; i++) {
        sum += tableau->b[i];
        size += fabs(tableau->b[i]);
    }
    if (!(fabs(sum - 1) <= 16 * n * DBL_EPSILON * size))
        return error_invalid(
            error, "inconsistent Nystrom tableau: the weights b of the velocities sum to %.17g, not 1", sum);
    costab_method m = {.name = "nystrom", .kind = COSTAB_NYSTROM, .stages = n};
    for (int i = 0; i < n; i++) {
        m.b_bar[i] = tableau->b_bar[i];
        m.b[i] = tableau->b[i];
        m.c[i] = tableau->c[i];
        for (int j = 0; j < n; j++) {
            m.A_bar[i][j] = tableau->A_bar[i * n + j];
            m.A[i][j] = tableau->A[i * n + j];
            m.implicit = m.implicit || (j >= i && (m.A_bar[i][j] != 0 || m.A[i][j] != 0));
        }
    }
    *method = m;
    return COSTAB_OK;
}

costab_status costab_method_newmark(double beta, double gamma, costab_method *method, costab_error *error) {
    const double A_bar[4] = {0, 0, 0.5 - beta, beta}, A[4] = {0, 0, 1 - gamma, gamma};
    const double b_bar[2] = {0.5 - beta, beta}, b[2] = {1 - gamma, gamma}, c[2] = {0, 1};
    costab_nystrom tableau = {2, A_bar, A, b_bar, b, c};
    if (!isfinite(beta) || !isfinite(gamma))
        return error_invalid(error, "newmark: beta %g and gamma %g must be finite", beta, gamma);
    TRY(costab_method_nystrom(&tableau, method, error));
    set_name(method, "newmark");
    return COSTAB_OK;
}

costab_status costab_method_generalized_alpha(double alpha_m, double alpha_f, double beta, double gamma,
                                              costab_method *method, costab_error *error) {
    if (!isfinite(alpha_m) || !isfinite(alpha_f) || !isfinite(beta) || !isfinite(gamma) || !(alpha_m < 1))
        return error_invalid(
            error, "generalized-alpha: alpha_m %g (below 1), alpha_f %g, beta %g and gamma %g must be finite",
            alpha_m, alpha_f, beta, gamma);
    *method = (costab_method){.name = "generalized-alpha",
                              .kind = COSTAB_GENERALIZED_ALPHA,
                              .implicit = true,
                              .alpha_m = alpha_m,
                              .alpha_f = alpha_f,
                              .beta = beta,
                              .gamma = gamma};
    return COSTAB_OK;
}

costab_status costab_method_generalized_alpha_rho(double rho, costab_method *method, costab_error *error) {
    if (!(rho >= 0 && rho <= 1))
        return error_invalid(
            error, "generalized-alpha: rho, the spectral radius at infinity, is %g; 0 to 1 are possible",
            rho);
    double alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1), length = 1 - alpha_m + alpha_f;
    return costab_method_generalized_alpha(alpha_m, alpha_f, length * length / 4, 0.5 - alpha_m + alpha_f,
                                           method, error);
}
