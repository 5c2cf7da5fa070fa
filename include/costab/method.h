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

#include <stdint.h>

#include "costab/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COSTAB_STAGES_MAX   16
#define COSTAB_FORMER_MAX   5 /* earlier states that a method keeps */
#define COSTAB_SUBSTEPS_MAX 1000000
#define COSTAB_SOURCE_MAX   8192

typedef enum costab_method_kind {
    COSTAB_RUNGE_KUTTA,       /* a Butcher tableau */
    COSTAB_EXACT,             /* the exact solution operator: R = e^z; it has no tableau */
    COSTAB_NYSTROM,           /* a Nystrom tableau, for positions q and velocities v with q' = v */
    COSTAB_GENERALIZED_ALPHA, /* a structural method: it advances positions and velocities and keeps an
                                 acceleration from step to step */
    COSTAB_BDF,     /* a backward differentiation formula of several steps, which keeps earlier states */
    COSTAB_SAMPLED, /* no solver: A and B are themselves the map of one step, x+ = A x + B u, u held */
    COSTAB_DISCRETE /* no solver: A and B are one sample of a discrete-time system, x+ = A x + B u */
} costab_method_kind;

/* A method that advances a subsystem by one micro step. Plain data: copy it freely, nothing to free.
 *
 * Runge-Kutta. phi, p0, p1, p2, p3 and denominator are the coefficients, in ascending powers of z, of
 *     phi(z) = phi[] / denominator[],  P0(z) = p0[] / denominator[],  Pl(z) = pl[] / denominator[],
 * Pl(z) = b' (I - zA)^-1 c^l the weight of an input s^l, s = 0..1 over the step (powers by component); the
 * numerators have `stages` coefficients, the denominator has stages + 1 and denominator[0] = 1
 * (denominator[k > 0] = 0 for an explicit method). All other kinds leave them at 0.
 *
 * Nystrom, with stages K_i = a(q + c_i h v + h^2 sum A_bar_ij K_j, v + h sum A_ij K_j, u(c_i)):
 *     q+ = q + h v + h^2 sum b_bar_i K_i,   v+ = v + h sum b_i K_i.
 *
 * Generalized alpha: q1 = q + h v + h^2 ((1/2 - beta) a0 + beta a1), v1 = v + h ((1 - gamma) a0 + gamma a1),
 * (1 - alpha_m) a1 + alpha_m a0 = a((1 - alpha_f) q1 + alpha_f q, (1 - alpha_f) v1 + alpha_f v, u at
 * 1 - alpha_f). Backward differentiation, x_k the state k micro steps ago:
 *     divisor x+ = weights[0] x + weights[1] x_1 + .. + weights[former] x_former + slope h (A x+ + B u1).
 * Stages is 0 for these two and for the exact solution.
 */
typedef struct costab_method {
    char name[32];
    costab_method_kind kind;
    int order;     /* classical order of consistency; 0 for a caller's tableau, whose order is not checked */
    int stages;    /* s, the number of stages */
    bool implicit; /* A (or A_bar) is not strictly lower triangular */
    double A[COSTAB_STAGES_MAX][COSTAB_STAGES_MAX];
    double b[COSTAB_STAGES_MAX];
    double c[COSTAB_STAGES_MAX];
    double phi[COSTAB_STAGES_MAX];
    double p0[COSTAB_STAGES_MAX];
    double p1[COSTAB_STAGES_MAX];
    double p2[COSTAB_STAGES_MAX];
    double p3[COSTAB_STAGES_MAX];
    double denominator[COSTAB_STAGES_MAX + 1];
    /* Degrees without leading zeros. */
    int phi_degree, p0_degree, p1_degree, p2_degree, p3_degree, denominator_degree;
    double A_bar[COSTAB_STAGES_MAX][COSTAB_STAGES_MAX]; /* Nystrom: of the positions */
    double b_bar[COSTAB_STAGES_MAX];
    double alpha_m, alpha_f, beta, gamma; /* generalized alpha */
    int former; /* how many earlier states it keeps, each a micro step before the next; 0: none */
    int weights[COSTAB_FORMER_MAX + 1], slope, divisor; /* backward differentiation */
    /* The entries as written, each followed by a semicolon: A row by row, b, and c unless it is A times 1;
     * empty if an entry was not written as text, or if they are too long. Areas and critical values go by
     * these where all are numbers of Q(sqrt 2), or all of Q(sqrt 3), and sum b = 1 and c = A 1 exactly.
     * Otherwise the method stands for the doubles phi[], p0[], p1[] and denominator[]. */
    char source[COSTAB_SOURCE_MAX];
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

/* Number of named methods, and the name and full title of the i-th (0 <= i < count): static strings. */
COSTAB_API int costab_method_count(void);
COSTAB_API const char *costab_method_name(int i);
COSTAB_API const char *costab_method_title(int i);

/* Finds a method by its name. COSTAB_INVALID, with a list of the names, for an unknown name. */
COSTAB_API costab_status costab_method_find(const char *name, costab_method *method, costab_error *error);

/* Makes a method from a tableau. [in] A: stages x stages, row-major; b, c: stages values each; all finite,
 * and 1 <= stages <= COSTAB_STAGES_MAX. The tableau must be consistent: sum b = 1 and c = A 1, each up to 16
 * stages epsilon times the sum of the magnitudes that are added. COSTAB_INVALID, with the sums, where it is
 * not. */
COSTAB_API costab_status costab_method_from_tableau(int stages, const double *A, const double *b,
                                                    const double *c, costab_method *method,
                                                    costab_error *error);

/* An entry of a caller's tableau. `text`, of `size` bytes, is its source, an expression such as 1/4 -
 * sqrt(3)/6 or 0.1; it may be NULL. `value` counts where it is, or cannot be parsed. */
typedef struct costab_entry {
    const char *text;
    size_t size;
    double value;
} costab_entry;

/* Makes a method as costab_method_from_tableau does, of the doubles that the texts evaluate to, and keeps the
 * texts (`source` above). They are exact numbers if every entry is a decimal, a fraction, or a sum,
 * difference, product or quotient of such and of sqrt(2) or of sqrt(3). [in] c: NULL stands for A times 1. */
COSTAB_API costab_status costab_method_from_entries(int stages, const costab_entry *A, const costab_entry *b,
                                                    const costab_entry *c, costab_method *method,
                                                    costab_error *error);

/* ---- Solvers with structure or memory, for the subsystems of a network ---- */

/* The named ones: semi-implicit-euler, newmark (beta 1/4, gamma 1/2), generalized-alpha (rho 0.8), bdf2.
 * These functions correspond to the functions for one-step methods above, which cover Runge-Kutta
 * methods and `exact` only.
 */
COSTAB_API int costab_solver_count(void);
COSTAB_API const char *costab_solver_name(int i);
COSTAB_API const char *costab_solver_title(int i);
/* Finds a solver of this list or a one-step method. COSTAB_INVALID, listing all names, where there is none.
 */
COSTAB_API costab_status costab_solver_find(const char *name, costab_method *method, costab_error *error);

/* Makes a method from a Nystrom tableau. [in] A_bar, A: stages x stages, row-major; b_bar, b, c: stages
 * values each; 1 <= stages <= COSTAB_STAGES_MAX. COSTAB_INVALID unless all are finite and sum b = 1. */
typedef struct costab_nystrom {
    int stages;
    const double *A_bar, *A, *b_bar, *b, *c;
} costab_nystrom;
COSTAB_API costab_status costab_method_nystrom(const costab_nystrom *tableau, costab_method *method,
                                               costab_error *error);
/* Makes Newmark's method, whose accelerations use the input at both ends of the micro step. COSTAB_INVALID
 * unless both numbers are finite. */
COSTAB_API costab_status costab_method_newmark(double beta, double gamma, costab_method *method,
                                               costab_error *error);
/* Generalized alpha from its four numbers, alpha_m < 1, all finite; or from the spectral radius at infinity,
 * 0 <= rho <= 1: alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1), gamma = 1/2 - alpha_m + alpha_f,
 * beta = (1 - alpha_m + alpha_f)^2/4 (J. Chung, G. M. Hulbert 1993). */
COSTAB_API costab_status costab_method_generalized_alpha(double alpha_m, double alpha_f, double beta,
                                                         double gamma, costab_method *method,
                                                         costab_error *error);
COSTAB_API costab_status costab_method_generalized_alpha_rho(double rho, costab_method *method,
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
