/* costab/area.h - areas of the stability regions of the planar system, the values of a at which they change
 * their kind, and boundaries at numbers that are not doubles. [KNS] sections 4 and 5. */
#ifndef COSTAB_AREA_H
#define COSTAB_AREA_H

#include "costab/planar.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Largest number of stages times micro steps, in each subsystem, for which areas of the co-simulation schemes
 * are computed. */
#define COSTAB_AREA_DEGREE_MAX 1024

/* The same limit for critical values, which need the kinds of the areas at hundreds of values of a. */
#define COSTAB_CRITICAL_DEGREE_MAX 256

/* Areas of the regions SS and US in the whole (Gamma, Delta) plane, dimensionless; either may be 0 or
 * infinite. The errors bound the distance to the true areas. An area of 0 or infinity is decided and not
 * computed; its error is 0. */
typedef struct costab_areas {
    double ss, us;
    double error_ss, error_us;
} costab_areas;

/* Computes the areas of a discretisation at a, which must be finite (areas of the simulation do not depend on
 * a). They are the areas at exactly this double, which for 0.3 is not 3/10 (see costab_planar_areas_at). A
 * method is represented by its exact entries (costab/method.h). The bounds of rows, and the areas 0 and
 * infinity, are decided in exact arithmetic; other areas are integrated in balls with proved errors and
 * rounded to doubles.
 *
 * COSTAB_NUMERIC if the working precision does not suffice. For the simulation also if two curves |R(z)| = 1
 * cross at a point with R(z) neither 1 nor -1, or at any point if R has square roots among its coefficients;
 * the message has the point.
 *
 * COSTAB_INVALID for the co-simulation schemes with more than COSTAB_AREA_DEGREE_MAX stages times micro steps
 * in one subsystem: exact arithmetic would take minutes.
 *
 * Safe to call from several threads at once. FLINT keeps memory for each thread, which is freed when the
 * thread ends (flint_cleanup). Cost: about 0.3 ms for one micro step of rk4, 1 s for 256 stages times micro
 * steps, a minute for 1024; 0.1 s for the simulation. */
COSTAB_API costab_status costab_planar_areas(const costab_planar *planar, double a, costab_areas *areas,
                                             costab_error *error);

/* Like costab_planar_areas, at the number that the text `a` denotes: a decimal, a fraction or a sum,
 * difference, product or quotient of such, such as 0.3, 1/3 or 0.1+(0.9-0.1)*3/7, of at most 1000 characters.
 * COSTAB_INVALID also if it is not such a number. */
COSTAB_API costab_status costab_planar_areas_at(const costab_planar *planar, const char *a,
                                                costab_areas *areas, costab_error *error);

/* Areas as text, with bounds of the distance from the printed number to the true area. */
typedef struct costab_area_digits {
    char *ss, *us;
    double error_ss, error_us;
} costab_area_digits;

/* Computes the areas with `digits` correct decimal digits, 1 <= digits <= 1000; exact areas are "0" and
 * "inf". `a` is written as for costab_planar_areas_at. [out] areas: free with costab_area_digits_free. Errors
 * as in costab_planar_areas_at. */
COSTAB_API costab_status costab_planar_area_digits(const costab_planar *planar, const char *a, int digits,
                                                   costab_area_digits *areas, costab_error *error);
COSTAB_API void costab_area_digits_free(costab_area_digits *areas);

/* A number as it is written (costab_planar_areas_at), or with written = NULL the double `value`. */
typedef struct costab_number {
    double value;
    const char *written;
} costab_number;

/* Areas of the four classes inside a window, indexed by the class code COSTAB_UU ... COSTAB_SS, with bounds
 * of their errors. */
typedef struct costab_window_areas {
    double area[4], error[4];
} costab_window_areas;

/* Computes the areas inside the window gamma[0] < Gamma < gamma[1], delta[0] < Delta < delta[1], with proved
 * errors. Those of the co-simulation schemes with a Runge-Kutta method are decided exactly, as in the whole
 * plane. Those of the simulation and of the method `exact` are integrated in balls, to about 2^-50 of the
 * window's area; if rows change their nature too often for that, the errors are larger. The
 * simulation takes seconds for methods of order 4 and more. COSTAB_INVALID unless all five are finite numbers
 * and the window's ends ascend, and for too many micro steps (see above). */
COSTAB_API costab_status costab_planar_window_areas(const costab_planar *planar, costab_number a,
                                                    const costab_number gamma[2],
                                                    const costab_number delta[2], costab_window_areas *areas,
                                                    costab_error *error);

/* The boundary curves (costab_planar_boundary) at the number that `a` writes (costab_planar_areas_at). phi,
 * P0 and P1 of the subsystem a are those of this number, each rounded once to a double (one below 2^-1000 is
 * 0), of the method with its exact entries; all else is rounded as there. COSTAB_INVALID also if it is
 * not such a number. */
COSTAB_API costab_status costab_planar_boundary_at(const costab_planar *planar, const char *a,
                                                   const double gamma[2], const double delta[2],
                                                   costab_boundary *boundary, costab_error *error);

/* The change of an area at a critical value of a, as a increases. us_right is the area of US with Gamma > 0.
 * List of name and text. */
#define COSTAB_EVENT_LIST(X)                                                                                 \
    X(SS_BEGINS, "ss_begins")                                                                                \
    X(SS_ENDS, "ss_ends")                                                                                    \
    X(SS_INFINITE_BEGINS, "ss_infinite_begins")                                                              \
    X(SS_INFINITE_ENDS, "ss_infinite_ends")                                                                  \
    X(US_BEGINS, "us_begins")                                                                                \
    X(US_ENDS, "us_ends")                                                                                    \
    X(US_INFINITE_BEGINS, "us_infinite_begins")                                                              \
    X(US_INFINITE_ENDS, "us_infinite_ends")                                                                  \
    X(US_RIGHT_BEGINS, "us_right_begins")                                                                    \
    X(US_RIGHT_ENDS, "us_right_ends")                                                                        \
    X(US_RIGHT_INFINITE_BEGINS, "us_right_infinite_begins")                                                  \
    X(US_RIGHT_INFINITE_ENDS, "us_right_infinite_ends")

typedef enum costab_event {
#define COSTAB_EVENT_ENUM(name, text) COSTAB_##name,
    COSTAB_EVENT_LIST(COSTAB_EVENT_ENUM)
#undef COSTAB_EVENT_ENUM
        COSTAB_EVENT_COUNT
} costab_event;

/* The name of an event, such as "ss_begins"; NULL for any other number. */
COSTAB_API const char *costab_event_name(costab_event event);

/* How an event was found. COMPLETE: by a search that finds every event of the range. NOT_COMPLETE: by
 * sampling. UNDECIDED: the search is complete, but at this a, an irrational number with the area on both
 * sides, it is not decided whether any area is left. */
typedef enum costab_search {
    COSTAB_SEARCH_COMPLETE,
    COSTAB_SEARCH_NOT_COMPLETE,
    COSTAB_SEARCH_UNDECIDED
} costab_search;

typedef struct costab_critical {
    double a;
    costab_event event;
    costab_search search;
} costab_critical;

#define COSTAB_CRITICAL_MAX 256

typedef struct costab_critical_options {
    double low, high; /* the range of a; finite, low < high */
    /* The ends as text, decimals or fractions; low and high are then the nearest doubles. NULL: the ends are
     * exactly these doubles. */
    const char *written[2];
    /* Called from time to time with the finished share (0 to 1) of the search; returning true ends the search
     * with COSTAB_CANCELLED. May be NULL. */
    bool (*progress)(void *context, double share);
    void *progress_context;
    /* Both ends of a window in Gamma and in Delta; only areas inside it count. Both NULL: the whole plane. */
    const costab_number *gamma, *delta;
} costab_critical_options;

/* Finds the values of a in (low, high) at which an area becomes 0 or positive, finite or infinite, in
 * ascending order. An area that is 0 at one value of a only ends and begins there. The simulation has no
 * critical values, and in a window no area is infinite. [out] critical: space for COSTAB_CRITICAL_MAX events;
 * *count: their number.
 *
 * For the method `exact`, and for Runge-Kutta methods with at most 16 stages times micro steps in each
 * subsystem, the search is complete: the values are roots of functions that are known exactly, and none is
 * missed, however close they are. Not searched: an area that is finite on both sides of one irrational a and
 * infinite there, or the other way round. With more stages times micro steps, changes that cancel each other
 * within (high - low) / 256 may be missed, except at a = 0 and at the roots of phi, P0, P1 and their
 * denominator; every reported change is real, to a double. Irrational entries of a method give polynomials
 * with many digits, and take longer.
 *
 * COSTAB_INVALID unless low < high, both finite; for more than COSTAB_CRITICAL_DEGREE_MAX stages times micro
 * steps; for a window in one direction only, or with ends that do not ascend; for the method `exact` in a
 * window, because its rows end at transcendental functions of a. COSTAB_NUMERIC for more than
 * COSTAB_CRITICAL_MAX events. */
COSTAB_API costab_status costab_planar_critical(const costab_planar *planar,
                                                const costab_critical_options *options,
                                                costab_critical *critical, size_t *count,
                                                costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
