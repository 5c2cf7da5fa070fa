/* costab/method.h - one-step methods and what one step does to a linear equation with input.
 *
 * A method (A, b, c) of s stages with step h on x' = lambda x + beta u, the input u linear over the step from
 * u0 to u1, gives with z = lambda h
 *
 *     x+ = R(z) x + beta h [ P0(z) u0 + P1(z) u1 ],      R(z) = 1 + z phi(z),   phi = P0 + P1,
 *     phi(z) = b' (I - zA)^-1 1,                         P1(z) = b' (I - zA)^-1 c.
 *
 * R is the stability function. All quantities are dimensionless. */
#ifndef COSTAB_METHOD_H
#define COSTAB_METHOD_H

#include "costab/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COSTAB_STAGES_MAX   16
#define COSTAB_SUBSTEPS_MAX 1000000

typedef enum costab_method_kind {
    COSTAB_RUNGE_KUTTA, /* a Butcher tableau */
    COSTAB_EXACT        /* the exact solution operator: R = e^z; it has no tableau */
} costab_method_kind;

/* A one-step method. Plain data: copy it freely, nothing to free.
 *
 * phi, p0, p1 and denominator are the coefficients, in ascending powers of z, of
 *     phi(z) = phi[] / denominator[],  P0(z) = p0[] / denominator[],  P1(z) = p1[] / denominator[];
 * the numerators have `stages` coefficients, the denominator has stages + 1 and denominator[0] = 1
 * (denominator[k > 0] = 0 for an explicit method). For COSTAB_EXACT stages is 0 and no coefficient is used.
 */
typedef struct costab_method {
    char name[32];
    costab_method_kind kind;
    int order;     /* classical order of consistency; 0 for a tableau of one's own: not checked */
    int stages;    /* s */
    bool implicit; /* A is not strictly lower triangular */
    double A[COSTAB_STAGES_MAX][COSTAB_STAGES_MAX];
    double b[COSTAB_STAGES_MAX];
    double c[COSTAB_STAGES_MAX];
    double phi[COSTAB_STAGES_MAX];
    double p0[COSTAB_STAGES_MAX];
    double p1[COSTAB_STAGES_MAX];
    double denominator[COSTAB_STAGES_MAX + 1];
    int phi_degree, p0_degree, p1_degree, denominator_degree; /* without leading zeros */
} costab_method;

/* R, phi, P0 and P1 of one macro step at one real z. */
typedef struct costab_weights {
    double R, phi, p0, p1;
} costab_weights;

typedef struct costab_complex {
    double re, im;
} costab_complex;

/* R, phi, P0 and P1 of one macro step at one complex z. */
typedef struct costab_weights_complex {
    costab_complex R, phi, p0, p1;
} costab_weights_complex;

/* Number of named methods, and the name, full title and citation of the i-th (0 <= i < count): static
 * strings. */
COSTAB_API int costab_method_count(void);
COSTAB_API const char *costab_method_name(int i);
COSTAB_API const char *costab_method_title(int i);
COSTAB_API const char *costab_method_citation(int i);

/* Finds a named method. [out] method. COSTAB_INVALID, listing the names, where there is none of that name. */
COSTAB_API costab_status costab_method_find(const char *name, costab_method *method, costab_error *error);

/* Makes a method from a tableau of one's own. [in] A: stages x stages, row-major; b, c: stages values each.
 * 1 <= stages <= COSTAB_STAGES_MAX, all finite. It must be consistent: sum b = 1 and c = A 1, each to
 * 16 stages epsilon times the sum of the magnitudes added; otherwise COSTAB_INVALID with the sums found. */
COSTAB_API costab_status costab_method_from_tableau(int stages, const double *A, const double *b,
                                                    const double *c, costab_method *method,
                                                    costab_error *error);

/* R, phi, P0, P1 of a macro step made of `substeps` equal micro steps (1 <= substeps), z = lambda H of the
 * whole macro step; the input is linear over the macro step. Values that overflow come out as inf or nan. */
COSTAB_API costab_weights costab_method_weights(const costab_method *method, int substeps, double z);
COSTAB_API costab_weights_complex costab_method_weights_complex(const costab_method *method, int substeps,
                                                                costab_complex z);

#ifdef __cplusplus
}
#endif
#endif
