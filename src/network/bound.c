/* Macro step that bounds the error of a co-simulation of two subsystems ([MS] eq. 31): error / sqrt(F_2^2 (1
 * + G_2^2) + F_1^2 (1 + 2 G_1^2)). Subsystem 1 is the plant, 2 the controller: x_i' = f_i, y_i = g_i(x_i).
 * F_i is the supremum of |f_i| along the continuous solution up to a horizon, G_i the Lipschitz constant of
 * g_i.
 *
 * 1. Horizon, unless given: 20 time constants of the slowest mode.
 * 2. Continuous solution (reference.h) at 2,000 to 200,000 samples: |f_i|, and the largest singular value of
 *    dg_i/dx.
 * 3. Refinement: 400 finer samples around the largest |f_i|, and the vertex of the parabola through the
 *    largest sample and its two neighbours.
 * 4. With options->printed, the recipe printed in the paper: the largest local maximum of |f_i| after the
 * start instead of the supremum, and F_i in place of G_i.
 *
 * Cost: three simulations of the continuous system. Limitation: a peak between samples is missed. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "network/dynamics.h"
#include "network/history.h"
#include "network/network.h"
#include "network/spectrum.h"

enum { SAMPLES_MIN = 2000, SAMPLES_MAX = 200000, FINER = 400 };
/* Samples per unit of ||A_mono|| t. */
#define DENSITY 40.0
/* Length of the default horizon in slowest time constants. */
#define TIME_CONSTANTS 20.0

typedef struct bounding {
    const costab_network *network;
    costab_network_work *work; /* with the reference's matrices */
    reference *ref;
    long samples;
    double dt;
    double *f[2]; /* |f| of both subsystems at all samples, later at the finer samples */
    double g[2];  /* largest Lipschitz constants so far */
    double *dz, *y, *C, *square;
} bounding;

/* Largest singular value of dg/dx at the reference's state: from C of a linear subsystem, otherwise from
 * differences. */
static costab_status lipschitz(bounding *b, int i, double *value, costab_error *error) {
    const network_subsystem *sub = &b->work->subs[i];
    const costab_subsystem *subsystem = &b->network->subsystems[i];
    int n = sub->n, q = sub->q;
    double *x = b->ref->z + sub->x, size = matrix_norm((size_t)n, x), abscissa;
    if (subsystem->dynamics == NULL && n > 0) memcpy(b->C, subsystem->C, (size_t)(q * n) * sizeof *b->C);
    for (int j = 0; subsystem->dynamics != NULL && j < n; j++) {
        static const double places[4] = {1, -1, 2, -2};
        const double kept = x[j], h = ldexp(fmax(fabs(kept), fmax(1e-3 * size, 1e-6)), -10);
        for (int k = 0; k < 4; k++) {
            x[j] = kept + places[k] * h;
            TRY(dynamics_output(subsystem, b->ref->t, x, b->ref->u + sub->u, b->y + k * q, error));
        }
        x[j] = kept;
        for (int o = 0; o < q; o++)
            b->C[o * n + j] = (8 * (b->y[o] - b->y[q + o]) - (b->y[2 * q + o] - b->y[3 * q + o])) / (12 * h);
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            b->square[r * n + c] = 0;
            for (int o = 0; o < q; o++) b->square[r * n + c] += b->C[o * n + r] * b->C[o * n + c];
        }
    TRY(spectrum_radius(b->work, n, b->square, value, &abscissa, error));
    *value = sqrt(*value);
    return COSTAB_OK;
}

/* Computes |f| of both subsystems at the `count` + 1 times t0 + k dt; outputs: Lipschitz constants as
 * well. */
static costab_status march(bounding *b, double t0, double dt, long count, bool outputs, costab_error *error) {
    for (long k = 0; k <= count; k++) {
        double t = t0 + (double)k * dt;
        TRY(reference_to(b->ref, t, error));
        if (b->ref->failed)
            return error_set(error, COSTAB_NUMERIC,
                             "the continuous solution cannot be followed beyond t = %.6g", t);
        TRY(reference_slope(b->ref, t, b->ref->z, b->dz, error));
        for (int i = 0; i < 2; i++) {
            const network_subsystem *sub = &b->work->subs[i];
            double g = 0;
            b->f[i][k] = matrix_norm((size_t)sub->n, b->dz + sub->x);
            if (!outputs || (k > 0 && b->network->subsystems[i].dynamics == NULL)) continue;
            TRY(lipschitz(b, i, &g, error));
            b->g[i] = fmax(b->g[i], g);
        }
    }
    return COSTAB_OK;
}

/* Returns the index of the largest sample, or (`later`) of the largest local maximum after the start; -1:
 * none. */
static long choose(const double *f, long count, bool later) {
    long best = later ? -1 : 0;
    for (long k = later ? 1 : 0; k <= count; k++) {
        bool peak = !later || (k < count && f[k] > f[k - 1] && f[k] >= f[k + 1]);
        if (peak && (best < 0 || f[k] > f[best])) best = k;
    }
    return best;
}

/* Largest value, refined by the vertex of a parabola. */
static double vertex(const double *f, long count) {
    long k = choose(f, count, false);
    if (k == 0 || k == count) return f[k];
    double left = f[k - 1] - f[k], right = f[k + 1] - f[k];
    if (left + right == 0) return f[k];
    return f[k] - (right - left) * (right - left) / (8 * (left + right));
}

/* [out] f: suprema of |f| of both subsystems. */
static costab_status suprema(bounding *b, bool later, double *f, costab_error *error) {
    TRY(march(b, 0, b->dt, b->samples, true, error));
    long at[2] = {choose(b->f[0], b->samples, later), choose(b->f[1], b->samples, later)};
    for (int i = 0; i < 2; i++) {
        if (at[i] < 0)
            return error_invalid(error,
                                 "the printed recipe needs an extremum of |f| after the start; "
                                 "subsystem '%s' has none up to t = %.6g",
                                 b->network->subsystems[i].name, b->dt * (double)b->samples);
        long from = at[i] > 0 ? at[i] - 1 : 0;
        TRY(reference_make(b->ref, b->network, b->work, error));
        TRY(march(b, (double)from * b->dt, 2 * b->dt / FINER, FINER, false, error));
        f[i] = vertex(b->f[i], FINER);
    }
    return COSTAB_OK;
}

static costab_status horizon_of(bounding *b, const costab_bound_options *options, double *horizon,
                                costab_error *error) {
    double radius, abscissa;
    TRY(spectrum_radius(b->work, b->work->states, b->work->mono.matrix, &radius, &abscissa, error));
    *horizon = options->horizon;
    if (*horizon > 0 && isfinite(*horizon)) return COSTAB_OK;
    if (*horizon != 0) return error_invalid(error, "the horizon %g must be positive and finite", *horizon);
    if (!(abscissa < 0))
        return error_invalid(error,
                             "the continuous system is not stable (abscissa %.6g): give a horizon, "
                             "because a supremum over all time does not exist",
                             abscissa);
    *horizon = TIME_CONSTANTS / -abscissa;
    return COSTAB_OK;
}

static void lay(void *owner, network_arena *arena) {
    bounding *b = owner;
    size_t states = (size_t)b->work->states, outputs = (size_t)b->work->outputs;
    for (int i = 0; i < 2; i++) b->f[i] = arena_take(arena, (size_t)b->samples + 1, sizeof(double));
    b->dz = arena_take(arena, states, sizeof(double));
    b->y = arena_take(arena, 4 * outputs, sizeof(double));
    b->C = arena_take(arena, outputs * states, sizeof(double));
    b->square = arena_take(arena, states * states, sizeof(double));
}

static void choose_samples(bounding *b, double horizon) {
    size_t states = (size_t)b->work->states;
    double wanted = DENSITY * matrix_norm(states * states, b->work->mono.matrix) * horizon;
    b->samples = (long)fmin(SAMPLES_MAX, fmax(SAMPLES_MIN, wanted));
    b->dt = horizon / (double)b->samples;
}

static costab_status check(const costab_network *network, const costab_bound_options *options,
                           costab_error *error) {
    if (network->subsystem_count != 2)
        return error_invalid(error,
                             "the bound is for two subsystems, plant and controller; this network "
                             "has %d",
                             network->subsystem_count);
    for (int s = 0; s < 2; s++)
        if (network->subsystems[s].method.kind == COSTAB_SAMPLED)
            return error_invalid(
                error,
                "bound: not with the subsystem '%s', which is known only by its own steps (an "
                "FMU for co-simulation): its derivatives are unknown",
                network->subsystems[s].name);
    if (!(options->error > 0 && isfinite(options->error)))
        return error_invalid(error, "the error %g must be positive and finite", options->error);
    return COSTAB_OK;
}

costab_status costab_network_simulator_bound(costab_network_simulator *h, const costab_network *network,
                                             const costab_bound_options *options, costab_bound *bound,
                                             costab_error *error) {
    *bound = (costab_bound){.factor = 0};
    TRY(check(network, options, error));
    TRY(network_refuse_sampled_data(network, "bound", "[MS] eq. 30 and 31 hold for continuous subsystems",
                                    error));
    TRY(network_refuse_dead_time(network, "bound",
                                 "[MS] eq. 30 and 31 hold for ordinary differential equations", error));
    /* The continuous system does not depend on the macro step: any value serves for the workspace. */
    costab_subsystem subs[2] = {network->subsystems[0], network->subsystems[1]};
    costab_network plain = *network;
    subs[0].substeps = subs[1].substeps = 1;
    plain.subsystems = subs;
    plain.structure_version = 0;
    costab_coupling coupling = {.macro_step = 1e-6};
    bounding b = {.network = &plain, .work = h->reference_work, .ref = &h->reference};
    TRY(work_prepare(b.work, &plain, &coupling, NULL, error));
    TRY(reference_make(b.ref, &plain, b.work, error));
    TRY(horizon_of(&b, options, &bound->horizon, error));
    choose_samples(&b, bound->horizon);
    TRY(arena_fill(&h->bound_memory, lay, &b, error));
    TRY(suprema(&b, options->printed, bound->f, error));
    for (int i = 0; i < 2; i++) bound->g[i] = options->printed ? bound->f[i] : b.g[i];
    double plant = bound->f[0] * bound->f[0] * (1 + 2 * bound->g[0] * bound->g[0]);
    double controller = bound->f[1] * bound->f[1] * (1 + bound->g[1] * bound->g[1]);
    bound->factor = sqrt(controller + plant);
    bound->macro_step = options->error / bound->factor;
    return COSTAB_OK;
}

costab_status costab_network_bound(const costab_network *network, const costab_bound_options *options,
                                   costab_bound *bound, costab_error *error) {
    ends_by(costab_network_simulator_destroy) costab_network_simulator *h = NULL;
    *bound = (costab_bound){.factor = 0};
    TRY(costab_network_check(network, error));
    TRY(costab_network_simulator_create(&h, error));
    return costab_network_simulator_bound(h, network, options, bound, error);
}
