/* costab/planar.h - the planar test system z' = [a b; c d] z in variables scaled by the macro step.
 *
 * Parameters: a, the trace Gamma = a + d and the determinant Delta = ad - bc, all dimensionless; b and c
 * matter only through bc = ad - Delta. A scheme turns the system into a map D of one macro step. The
 * continuous system is asymptotically stable iff Gamma < 0 and Delta > 0; the map is stable iff |Tr D| - 1 <
 * Det D < 1 (the Jury conditions) and, for strong coupling, the coupling iteration contracts. Equality is not
 * stable. [KNS] sections 3 to 5; costab.h lists the sources. */
#ifndef COSTAB_PLANAR_H
#define COSTAB_PLANAR_H

#include <stdint.h>

#include "costab/method.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the two subsystems are coupled. */
typedef enum costab_scheme {
    COSTAB_SIMULATION, /* monolithic: both states in one solver */
    COSTAB_CROSS,      /* Jacobi: each holds the other's old value */
    COSTAB_ZIGZAG,     /* Gauss-Seidel: the first holds the old value, the second interpolates the first */
    COSTAB_STRONG,     /* both interpolate the other's new value, iterated to convergence */
    COSTAB_SCHEME_COUNT
} costab_scheme;

/* Class of a point: bit 0 the discretised system is stable, bit 1 the continuous one is; bits 4 and 5: the
 * continuous, the discretised system is on the limit within rounding; bit 6: the continuous system is not
 * known (networks only). */
enum {
    COSTAB_UU = 0,
    COSTAB_US = 1,
    COSTAB_SU = 2,
    COSTAB_SS = 3,
    COSTAB_NU = 16,
    COSTAB_NS = 17,
    COSTAB_SN = 34,
    COSTAB_UN = 32,
    COSTAB_NN = 48,
    COSTAB_XU = 64,
    COSTAB_XS = 65,
    COSTAB_XN = 96,
    COSTAB_NOT_COMPUTED = 4,
    COSTAB_CLASS_FAILED = 8,
    COSTAB_CLASS_UNDECIDED = 12
};

/* Flags: the conditions that an unstable map violates. A condition whose value overflows counts as violated.
 */
enum {
    COSTAB_CAUSE_DET = 1,      /* Det D >= 1 */
    COSTAB_CAUSE_FOLD = 2,     /* 1 - Tr D + Det D <= 0 */
    COSTAB_CAUSE_FLIP = 4,     /* 1 + Tr D + Det D <= 0 */
    COSTAB_CAUSE_ITERATION = 8 /* iteration radius >= 1 (strong only) */
};

/* The name of a scheme: "simulation", "cross", "zigzag" or "strong"; NULL for any other number. */
COSTAB_API const char *costab_scheme_name(costab_scheme scheme);

/* Finds a scheme by its name or alias (monolithic, jacobi, gauss-seidel-linear, iterated-linear).
 * COSTAB_INVALID, listing all, where there is none. */
COSTAB_API costab_status costab_scheme_find(const char *name, costab_scheme *scheme, costab_error *error);

/* "UU", "US", "SU", "SS", "NU", "NS", "SN", "UN", "NN", "XU", "XS", "XN", "not_computed", "failed",
 * "undecided"; NULL for another code. */
COSTAB_API const char *costab_class_name(int class_code);

/* A discretisation of the planar system: plain data, nothing to free. Set it up with costab_planar_init only.
 */
typedef struct costab_planar {
    costab_scheme scheme;
    costab_method method;
    int substeps[2]; /* micro steps per macro step of the subsystems a and d; equal for the simulation */
    /* Simulation only: the real stability set {z : |R(z)| < 1} of one micro step as open intervals. */
    int real_count;
    double real_lower[2 * COSTAB_STAGES_MAX + 2];
    double real_upper[2 * COSTAB_STAGES_MAX + 2];
    uint8_t
        real_lower_cause[2 * COSTAB_STAGES_MAX + 2]; /* fold or flip of the macro step's map; 0 at infinity */
    uint8_t real_upper_cause[2 * COSTAB_STAGES_MAX + 2];
} costab_planar;

/* Sets up a discretisation; copies `method`. 1 <= substeps <= COSTAB_SUBSTEPS_MAX; for the simulation both
 * must be equal. COSTAB_INVALID otherwise. */
COSTAB_API costab_status costab_planar_init(costab_planar *planar, costab_scheme scheme,
                                            const costab_method *method, int substeps_a, int substeps_d,
                                            costab_error *error);

/* The analysis of one point. Its floating-point numbers have a relative error of at most 5e-12. They are nan
 * at a pole of the method or of the iteration, if memory is exhausted, and if terms cancel by more than 900
 * bits (far to the right, such as zigzag with `exact` at Gamma = 1000); infinite beyond the largest double.
 */
typedef struct costab_planar_point {
    double trace, determinant; /* of D; strong: of the limit of the iteration, even where it diverges */
    double spectral_radius;    /* of D */
    double iteration_radius;   /* of M, strong only: sqrt |bc P1_a P1_d|; NaN for the other schemes */
    uint8_t class_code;        /* COSTAB_UU ... COSTAB_SS */
    uint8_t cause;             /* flags, 0 where D is stable */
} costab_planar_point;

/* Classifies n points. [in] a, gamma, delta: n finite values each; [out] points: n results.
 */
COSTAB_API void costab_planar_points(const costab_planar *planar, size_t n, const double *a,
                                     const double *gamma, const double *delta, costab_planar_point *points);

/* Fields of points, each in an array of its own; NULL: not wanted. */
typedef struct costab_planar_columns {
    double *trace, *determinant, *spectral_radius, *iteration_radius;
    uint8_t *class_code, *cause;
} costab_planar_columns;

/* Like costab_planar_points, into arrays. [in] a, gamma, delta: n values each; [out] columns: n values in
 * each array. COSTAB_INVALID, naming the first, where a point is not finite; the arrays are then not to be
 * used. */
COSTAB_API costab_status costab_planar_fill(const costab_planar *planar, size_t n, const double *a,
                                            const double *gamma, const double *delta,
                                            const costab_planar_columns *columns, costab_error *error);

/* A discretisation at one value of a, so that rows need not compute it again. */
typedef struct costab_planar_slice {
    const costab_planar *planar; /* borrowed */
    double a;
    costab_weights weights_a;
} costab_planar_slice;

/* The slice at a finite a; `planar` must outlive it. */
COSTAB_API costab_planar_slice costab_planar_at(const costab_planar *planar, double a);

/* Stable intervals of a row, at most. */
#define COSTAB_ROW_PIECES_MAX (3 * COSTAB_STAGES_MAX + 4)

/* An open interval of Delta in which D is stable; lower < upper, ends may be infinite. */
typedef struct costab_interval {
    double lower, upper;
    uint8_t lower_cause,
        upper_cause; /* the COSTAB_CAUSE_ flag violated just outside each end; 0 at infinity */
} costab_interval;

/* The stable set of the row (a, gamma): disjoint open intervals in ascending order, in [out] pieces
 * (COSTAB_ROW_PIECES_MAX places). Returns their number, 0 where nothing is stable. Co-simulation schemes have
 * at most one, in closed form; the simulation's ends are roots. */
COSTAB_API int costab_planar_row(const costab_planar_slice *slice, double gamma, costab_interval *pieces);

/* One row of the grid. [in] delta: n values in ascending order; [out] n codes, the same as
 * costab_planar_points gives point by point. */
COSTAB_API void costab_planar_class_row(const costab_planar_slice *slice, double gamma, size_t n,
                                        const double *delta, uint8_t *class_code);

/* Float fields of one row; any output may be NULL. [in] delta: ascending; [out] n values each. */
typedef struct costab_planar_fields {
    double *trace, *determinant, *spectral_radius;
    uint8_t *cause;
} costab_planar_fields;

COSTAB_API void costab_planar_field_row(const costab_planar_slice *slice, double gamma, size_t n,
                                        const double *delta, const costab_planar_fields *fields);

/* The map D of one macro step itself. [in] matrix: a, b, c, d, scaled by the macro step; [out] map:
 * row-major, on the state (x, y). For strong coupling the limit of the iteration, even where it diverges
 * ([KNS] eqs. 31, 36, 37). */
COSTAB_API void costab_planar_map(const costab_planar *planar, const double matrix[4], double map[4]);

/* The continuous system's map e^(A t). [in] matrix: unscaled; [out] map: row-major. */
COSTAB_API void costab_planar_exponential(const double matrix[4], double t, double map[4]);

/* A time history: the states at t = 0, h, ..., (n - 1) h. [in] matrix: unscaled, in 1/time; h: macro step,
 * time; start: x and y at t = 0. [out] x, y: n values each; they overflow to inf or nan where the map is
 * unstable enough. */
COSTAB_API void costab_planar_history(const costab_planar *planar, const double matrix[4], double h,
                                      const double start[2], size_t n, double *x, double *y);

/* A boundary curve in the (Gamma, Delta) plane: a polyline of `count` points; one point is an isolated point.
 */
typedef struct costab_curve {
    uint8_t cause; /* the COSTAB_CAUSE_ flag whose condition is an equality on the curve */
    size_t count;
    double *gamma, *delta; /* owned by the costab_boundary */
} costab_curve;

typedef struct costab_boundary {
    size_t count, capacity;
    costab_curve *curves; /* by cause, then from left to right */
} costab_boundary;

/* The zero sets of 1 - Det D, 1 - Tr D + Det D, 1 + Tr D + Det D ([KNS] eqs. 20 to 22) and, for strong
 * coupling, of 1 - |bc P1_a P1_d|, inside the window gamma[0] .. gamma[1], delta[0] .. delta[1] (finite,
 * ascending). The curves are cut at the window; no straight segment is off by more than 1e-4 of the window's
 * width and height. Where phi(a) = 0 the fold's zero set is the whole plane and is left out. COSTAB_NUMERIC
 * if rounding errors are larger than that, as in a window of 1e5 by 1. [out] boundary: free with
 * costab_boundary_free in any case. */
COSTAB_API costab_status costab_planar_boundary(const costab_planar *planar, double a, const double gamma[2],
                                                const double delta[2], costab_boundary *boundary,
                                                costab_error *error);
COSTAB_API void costab_boundary_free(costab_boundary *boundary);

#ifdef __cplusplus
}
#endif
#endif
