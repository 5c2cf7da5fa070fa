/* Coupling iterations over a macro step (docs/explanation/algorithms.md, Maps). A sweep takes values of the
 * new signals, runs all subsystems, and returns updated signals.
 *
 * 1. Iteration matrix J: a sweep from unit values. The iteration converges if the spectral radius of (1 - w)
 *    I + w J, w the relaxation factor, is below 1.
 * 2. To convergence, linear: the fixed point (I - J)^-1 b, with b from one sweep from 0, then a final sweep.
 * 3. Fixed number of sweeps: from the predictor. The relaxed next iterate is (1 - w) times the last iterate
 *    plus w times the result of the sweep.
 * 4. To convergence, nonlinear (simulations): sweeps until the iterate is stationary, or Newton's method.
 * 5. Cancellation in Newton's method, linear: beyond the stability of a subsystem's own solver, the next
 *    states without the new signals and the part due to the new signals may be larger by many decades than
 *    their sum, the map. Another sweep from 0 computes the first part, which bounds the rounding of the map.
 *
 * Cost: one sweep with g columns for g iteration variables, and g^3. Limitation: nonlinear sweeps may fail to
 * converge, which is an error. */
#include "network/iterate.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "network/rows.h"
#include "network/spectrum.h"
#include "network/step.h"

/* Relative change per sweep below which a nonlinear iteration has converged. */
#define GUESS_TOLERANCE 1e-13
/* An iteration also counts as converged if the relative change is below this bound and has not decreased for
 * GUESS_STALE sweeps. Such changes are rounding errors of the subsystems, for example of slopes from
 * differences. */
#define GUESS_ROUNDING 1e-9
enum { GUESS_SWEEPS_MAX = 2000, GUESS_STALE = 20 };

/* Iteration radius from which the terms of a map are compared with their sum. Below, they exceed it by a few
 * decades at most. */
#define CANCELS 8

void iterate_take(const costab_network_work *work, int width, const double *signals, double *rows) {
    for (int o = 0; o < work->signals; o++)
        if (work->guess_number[o] >= 0)
            memcpy(rows + cells(work->guess_number[o], width), signals + cells(o, width),
                   (size_t)width * sizeof *rows);
}

void iterate_put(const costab_network_work *work, int width, const double *rows, double *signals) {
    for (int o = 0; o < work->signals; o++)
        if (work->guess_number[o] >= 0)
            memcpy(signals + cells(o, width), rows + cells(work->guess_number[o], width),
                   (size_t)width * sizeof *rows);
}

/* Returns true if I - J is singular within rounding, by the eigenvalues of J, which do not depend on
 * units. */
static bool has_eigenvalue_one(const costab_network_work *work, int n) {
    for (int i = 0; i < n; i++)
        if (hypot(1 - work->eigen.real[i], work->eigen.imaginary[i]) <=
            n * DBL_EPSILON * fmax(1, work->iteration.radius))
            return true;
    return false;
}

double iterate_relaxation(const costab_network_work *work) {
    return work->coupling.relaxation > 0 ? work->coupling.relaxation : 1;
}

double iterate_radius(const costab_network_work *work) {
    int n = work->halves * work->guesses;
    double radius = 0, w = iterate_relaxation(work);
    for (int i = 0; i < n; i++) {
        double modulus = hypot(1 - w + w * work->eigen.real[i], w * work->eigen.imaginary[i]);
        radius = isnan(modulus) ? (double)INFINITY : fmax(radius, modulus);
    }
    return radius;
}

void iterate_factor(costab_network_work *work, double radius) {
    int n = work->halves * work->guesses;
    double *matrix = work->iteration.loop.matrix, w = iterate_relaxation(work);
    work->iteration.radius = radius;
    bool finite = isfinite(radius);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double *entry = &matrix[i * n + j];
            work->iteration.matrix[i * n + j] = w * *entry + (i == j ? 1 - w : 0);
            *entry = (i == j) - *entry;
        }
    work->iteration.singular = !finite || !loop_factor_any(n, &work->iteration.loop);
    if (work->coupling.iterations == COSTAB_NEWTON && !work->iteration.singular)
        work->iteration.singular = has_eigenvalue_one(work, n);
    work->iteration.cancels =
        work->coupling.iterations == COSTAB_NEWTON && !work->iteration.singular && radius > CANCELS;
}

double iterate_cancellation(costab_network_work *work) {
    const iterate_space *iteration = &work->iteration;
    if (work->coupling.scheme != COSTAB_ITERATED || !iteration->cancels) return 0;
    int n = work->size;
    double *balanced = work->next, *scale = work->eigen.slack, terms = 0;
    memcpy(balanced, work->map, cells(n, n) * sizeof *balanced);
    loop_balance(n, balanced, scale);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double apart = i < work->states ? iteration->apart[i * n + j] : 0;
            double sum = fabs(apart) + fabs(work->map[i * n + j] - apart);
            terms = hypot(terms, matrix_scaled(sum, scale[i], scale[j]));
        }
    return (n + SPECTRUM_ENTRY_ERROR) * DBL_EPSILON * terms;
}

costab_status iterate_map(costab_network_work *work, costab_error *error) {
    int g = work->guesses, halves = work->halves, width = g * halves;
    const network_hooks *hooks = work->hooks;
    double *matrix = work->iteration.loop.matrix, *rows = work->iteration.rows, radius, abscissa;
    memset(work->y0, 0, cells(work->signals, width) * sizeof *rows);
    memset(work->y1, 0, cells(work->signals, width) * sizeof *rows);
    memset(rows, 0, cells(g, width) * sizeof *rows);
    for (int i = 0; i < g; i++) rows[cells(i, width) + (size_t)i] = 1;
    iterate_put(work, width, rows, work->y1);
    work->hooks = NULL;
    costab_status status = step_run(work, PART_SWEEP, width, NULL, work->next, error);
    work->hooks = hooks;
    if (status) return status;
    iterate_take(work, width, work->y1, rows);
    spectrum_real_form(g, halves, rows, matrix);
    TRY(spectrum_radius(work, halves * g, matrix, &radius, &abscissa, error));
    iterate_factor(work, iterate_radius(work));
    work->iteration.known = work->period == 1;
    return COSTAB_OK;
}

/* Replaces work->iteration.rows by (I - J)^-1 times these rows. */
static void solve_guesses(costab_network_work *work, int width) {
    int g = work->guesses, half = width / 2;
    double *rows = work->iteration.rows;
    if (work->halves == 1) {
        loop_solve(g, &work->iteration.loop, width, rows);
        return;
    }
    /* Complex rows [re | im] are rearranged to real parts above imaginary parts, and back. */
    double *stacked = work->y1;
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < g; i++)
            memcpy(stacked + cells(part * g + i, half), rows + cells(i, width) + (size_t)(part * half),
                   (size_t)half * sizeof *rows);
    loop_solve(2 * g, &work->iteration.loop, half, stacked);
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < g; i++)
            memcpy(rows + cells(i, width) + (size_t)(part * half), stacked + cells(part * g + i, half),
                   (size_t)half * sizeof *rows);
}

/* Computes the next states without the new signals into work->iteration.apart. */
static costab_status keep_apart(costab_network_work *work, int width, const double *state, double *next,
                                costab_error *error) {
    memset(work->y1, 0, cells(work->signals, width) * sizeof *work->y1);
    work->final_sweep = true;
    costab_status status = step_run(work, PART_SWEEP, width, state, next, error);
    if (!status) status = step_run(work, PART_KEEP, width, state, next, error);
    work->final_sweep = false;
    memcpy(work->iteration.apart, next, cells(work->states, width) * sizeof *next);
    return status;
}

/* Computes the linear fixed point by one Newton step: a sweep from w0 (0 or `start`) gives w = w0 + (I -
 * J)^-1 (J w0 + b - w0). */
static costab_status converge_linear(costab_network_work *work, int width, const double *state, double *next,
                                     costab_error *error) {
    bool newton = work->coupling.iterations == COSTAB_NEWTON;
    if (work->hooks != NULL && newton && work->iteration.singular)
        return error_set(
            error, COSTAB_NUMERIC,
            "the loop of new values cannot be solved: I - J is singular; take another macro step");
    if (work->hooks != NULL && !newton && !(work->iteration.radius < 1))
        return error_set(
            error, COSTAB_NUMERIC,
            "the coupling iteration does not converge (iteration radius %.6g): take a smaller macro step or "
            "another coupling",
            work->iteration.radius);
    if (work->iteration.singular) {
        for (size_t e = 0; e < cells(work->guesses, width); e++) work->iteration.rows[e] = (double)INFINITY;
    } else {
        const double *start = work->iteration.start;
        memset(work->y1, 0, cells(work->signals, width) * sizeof *work->y1);
        if (start != NULL) iterate_put(work, width, start, work->y1);
        TRY(step_run(work, PART_SWEEP, width, state, next, error));
        iterate_take(work, width, work->y1, work->iteration.rows);
        for (size_t e = 0; e < cells(work->guesses, width) && start != NULL; e++)
            work->iteration.rows[e] -= start[e];
        solve_guesses(work, width);
        for (size_t e = 0; e < cells(work->guesses, width) && start != NULL; e++)
            work->iteration.rows[e] += start[e];
    }
    if (work->iteration.cancels && work->hooks == NULL) TRY(keep_apart(work, width, state, next, error));
    iterate_put(work, width, work->iteration.rows, work->y1);
    return COSTAB_OK;
}

void iterate_relax(const costab_network_work *work, int width, const double *last, double *signals) {
    double w = iterate_relaxation(work);
    for (int o = 0; o < work->signals && w != 1; o++) {
        if (work->guess_number[o] < 0) continue;
        double *fresh = signals + cells(o, width);
        const double *former = last + cells(work->guess_number[o], width);
        for (int j = 0; j < width; j++) fresh[j] = (1 - w) * former[j] + w * fresh[j];
    }
}

static costab_status not_converging(costab_error *error) {
    return error_set(
        error, COSTAB_NUMERIC,
        "the coupling iteration does not converge: take a smaller macro step or another coupling");
}

/* Scale of a signal: a slope counts by its change over a macro step. */
static double unit_of(const costab_network_work *work, int signal) {
    return signal < work->outputs ? 1 : work->coupling.macro_step;
}

/* Nonlinear iteration, one column: sweeps until the iterate is stationary. */
static costab_status converge_sweeps(costab_network_work *work, const double *state, double *next,
                                     costab_error *error) {
    double least = (double)INFINITY;
    int stale = 0;
    memcpy(work->y1, work->y0, cells(work->signals, 1) * sizeof *work->y1);
    for (int k = 0; k < GUESS_SWEEPS_MAX; k++) {
        iterate_take(work, 1, work->y1, work->iteration.rows);
        TRY(step_run(work, PART_SWEEP, 1, state, next, error));
        double moved = 0, size = 0;
        for (int o = 0; o < work->signals; o++) {
            if (work->guess_number[o] < 0) continue;
            double unit = unit_of(work, o);
            double change = unit * fabs(work->y1[o] - work->iteration.rows[work->guess_number[o]]);
            if (!(change <= moved)) moved = change;
            size = fmax(size, unit * fabs(work->y1[o]));
        }
        iterate_relax(work, 1, work->iteration.rows, work->y1);
        if (moved <= GUESS_TOLERANCE * fmax(size, 1e-300)) return COSTAB_OK;
        if (!isfinite(moved)) break;
        stale = moved < least ? 0 : stale + 1;
        least = fmin(least, moved);
        if (stale >= GUESS_STALE && moved <= GUESS_ROUNDING * size) return COSTAB_OK;
    }
    return not_converging(error);
}

typedef struct nonlinear_loop {
    costab_network_work *work;
    const double *state;
    double *next;
} nonlinear_loop;

/* Copies signals of one column to the scaled unknowns of Newton's method, and back. */
static void take_unknowns(const costab_network_work *work, const double *signals, double *v) {
    for (int o = 0; o < work->signals; o++)
        if (work->guess_number[o] >= 0) v[work->guess_number[o]] = unit_of(work, o) * signals[o];
}

static void put_unknowns(const costab_network_work *work, const double *v, double *signals) {
    for (int o = 0; o < work->signals; o++)
        if (work->guess_number[o] >= 0) signals[o] = v[work->guess_number[o]] / unit_of(work, o);
}

/* Residual: the iterate v minus the result of a sweep. */
static costab_status sweep_residual(void *context, const double *v, double *r, costab_error *error) {
    const nonlinear_loop *loop = (const nonlinear_loop *)context;
    costab_network_work *work = loop->work;
    put_unknowns(work, v, work->y1);
    costab_status status = step_run(work, PART_SWEEP, 1, loop->state, loop->next, error);
    take_unknowns(work, work->y1, r);
    for (int i = 0; i < work->guesses; i++) r[i] = v[i] - r[i];
    return status;
}

/* Nonlinear iteration, one column, by Newton's method. */
static costab_status solve_sweeps(costab_network_work *work, const double *state, double *next,
                                  costab_error *error) {
    nonlinear_loop loop = {work, state, next};
    bool found = false;
    double *v = work->iteration.unknowns;
    take_unknowns(work, work->y0, v);
    costab_status status = newton_solve(&work->iteration.newton, sweep_residual, &loop, v, &found, error);
    put_unknowns(work, v, work->y1);
    return status != COSTAB_OK || found ? status : not_converging(error);
}

costab_status iterate_step(costab_network_work *work, int width, const double *state, double *next,
                           costab_error *error) {
    int sweeps = work->coupling.iterations > 0 ? work->coupling.iterations : 1;
    if (work->coupling.iterations > 0)
        TRY(step_run(work, PART_GUESS, width, state, NULL, error));
    else if (work->hooks == NULL || !work->hooks->iterate)
        TRY(converge_linear(work, width, state, next, error));
    else if (work->coupling.iterations == COSTAB_NEWTON)
        TRY(solve_sweeps(work, state, next, error));
    else
        TRY(converge_sweeps(work, state, next, error));
    for (int k = 1; k <= sweeps; k++) {
        work->final_sweep = k == sweeps;
        bool keep = work->final_sweep ? work->hooks != NULL : iterate_relaxation(work) != 1;
        if (keep) iterate_take(work, width, work->y1, work->iteration.rows);
        TRY(step_run(work, PART_SWEEP, width, state, next, error));
        if (!work->final_sweep) iterate_relax(work, width, work->iteration.rows, work->y1);
    }
    return COSTAB_OK;
}
