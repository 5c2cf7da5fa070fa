/* Determines the cause of a change of class, and the dominant subsystem of its mode.
 * 1. Evaluates the class at the change and slightly beyond, until it differs.
 * 2. Own step, for changes of the co-simulation that are not due to its iteration: a subsystem whose own map,
 *    with zero inputs, passes the circle there is the cause.
 * 3. Mode: otherwise the mode (costab/modes.h) of the continuous system, the map or the iteration with the
 *    eigenvalue nearest to its limit at the change; the dominant subsystem has the largest participation.
 * Cost: up to ten eigenvalue problems with vectors for each of map and iteration, and two maps per subsystem.
 * Limitation: selects one of several modes that pass within rounding, and none further than 1e-3 from its
 * limit. */
#include <math.h>
#include <string.h>

#include "analysis/margin.h"
#include "base/error.h"
#include "base/memory.h"
#include "costab/modes.h"
#include "model/instance.h"
#include "network/network.h"

/* Number of examined modes: the passing one is among the largest. */
enum { MODES_MOST = 16, STEPS = 4 };

/* Relative distances beyond a change at which the class is evaluated. The search for the passing mode ends at
 * the first one with a mode closer than AT_LIMIT to its limit. */
static const double beyond[STEPS] = {1e-9, 1e-8, 1e-7, 1e-6};
#define AT_LIMIT 1e-5
/* An angle below SMALL_ANGLE counts as 0 at the change if it is at least VANISHES times as large at FURTHER
 * times the distance from the change. */
#define SMALL_ANGLE 1e-3
#define FURTHER     100
#define VANISHES    3
/* A mode further from its limit is not reported as the passing one. */
#define FAR_OFF 1e-3

static double scale_of(const margin_quantity *quantity, double value) {
    return fmax(fabs(value), 1e-3 * (quantity->nominal == 0 ? 1 : fabs(quantity->nominal)));
}

/* Finds the class beyond a change; COSTAB_CLASS_FAILED if all evaluations beyond fail. */
static costab_status class_beyond(margin_quantity *quantity, const margin_change *change, int side,
                                  uint8_t code, costab_margin *row, costab_error *error) {
    costab_error why;
    uint8_t there = code;
    int failures = 0;
    costab_status status = margin_quantity_class(quantity, change->value, &there, &why);
    if (status == COSTAB_MEMORY) return error_memory(error);
    row->class_code = status ? (uint8_t)COSTAB_CLASS_FAILED : there;
    if (change->jumps || (quantity->kind == COSTAB_MARGIN_CONNECTION && change->value == 0 && there != code))
        return COSTAB_OK;
    for (int k = 0; k < STEPS; k++) {
        status = margin_quantity_class(
            quantity, change->value + side * beyond[k] * scale_of(quantity, change->value), &there, &why);
        if (status == COSTAB_MEMORY) return error_memory(error);
        failures += status != COSTAB_OK;
        if (failures == STEPS) row->class_code = COSTAB_CLASS_FAILED;
        if (status || there == code) continue;
        row->class_code = there;
        bool neutral = ((there & ~code) & (COSTAB_DISCRETE_NEUTRAL | COSTAB_CONTINUOUS_NEUTRAL)) != 0;
        if (!neutral) break;
    }
    return COSTAB_OK;
}

/* ---- The passing mode ---- */

typedef struct passing {
    double distance; /* from its limit */
    costab_mode mode;
    int own;        /* the subsystem with the own step as cause; -1: none */
    int blame;      /* dominant subsystem; -1: no mode was found */
    double *shares; /* participation factors of all subsystems, in the caller's array; NULL: not requested */
} passing;

/* Finds the passing mode among the modes at `value`: the mode nearest to its limit, or the leading one if the
 * class jumps. The dominant subsystem is found->own or, if that is -1, the subsystem with the
 * largest participation. */
static costab_status find_passing(margin_quantity *quantity, double value, costab_modes_of of, bool leading,
                                  passing *found, costab_error *error) {
    const costab_network *network;
    costab_coupling coupling;
    costab_modes modes;
    const int own = found->own;
    *found = (passing){.distance = (double)INFINITY, .own = own, .blame = -1, .shares = found->shares};
    TRY(margin_quantity_network(quantity, value, &network, &coupling, error));
    costab_status status = costab_network_modes(network, &coupling, of, MODES_MOST, &modes, error);
    for (int m = 0; m < modes.count && !status; m++) {
        const costab_mode *mode = &modes.modes[m];
        double distance = of == COSTAB_MODES_CONTINUOUS ? fabs(mode->re) / (1 + hypot(mode->re, mode->im))
                                                        : fabs(hypot(mode->re, mode->im) - 1);
        if (!(distance < found->distance) || (leading && m > 0)) continue;
        const double *shares = modes.shares + m * modes.subsystems;
        int blame = own >= 0 ? own : 0;
        for (int s = 1; s < modes.subsystems && own < 0; s++)
            if (shares[s] > shares[blame]) blame = s;
        *found = (passing){distance, *mode, own, blame, found->shares};
        if (found->shares) memcpy(found->shares, shares, (size_t)modes.subsystems * sizeof *shares);
    }
    costab_modes_free(&modes);
    return status;
}

/* Sets the frequency of a mode found at a distance `step` from the change to 0 if it vanishes towards the
 * change. A double real eigenvalue at the change makes it vanish like the square root of the step or
 * faster. */
static costab_status drop_frequency(margin_quantity *quantity, double value, double step, costab_modes_of of,
                                    passing *found, costab_error *error) {
    passing further = {.own = found->own};
    costab_error why;
    if (!(fabs(found->mode.im) > 0) || fabs(found->mode.im) > SMALL_ANGLE) return COSTAB_OK;
    costab_status status = find_passing(quantity, value + FURTHER * step, of, false, &further, &why);
    if (status) return why.status == COSTAB_MEMORY ? error_memory(error) : COSTAB_OK;
    if (further.blame >= 0 && fabs(further.mode.im) < VANISHES * fabs(found->mode.im)) return COSTAB_OK;
    found->mode.im = found->mode.frequency = 0;
    return COSTAB_OK;
}

/* Calls find_passing at the change, or slightly beyond if the eigenvalue at the change counts as a removed
 * equilibrium. */
static costab_status find_passing_near(margin_quantity *quantity, const margin_change *change,
                                       costab_modes_of of, passing *found, costab_error *error) {
    for (int k = -1; k < STEPS; k++)
        for (int side = 1; side >= (k < 0 ? 1 : -1); side -= 2) {
            double step = k < 0 ? 0 : side * beyond[k] * scale_of(quantity, change->value);
            costab_error why;
            costab_status status =
                find_passing(quantity, change->value + step, of, change->jumps, found, &why);
            if (status && why.status == COSTAB_MEMORY) return error_memory(error);
            if (status || !(change->jumps || found->distance < AT_LIMIT)) continue;
            return k < 0 || change->jumps ? COSTAB_OK
                                          : drop_frequency(quantity, change->value, step, of, found, error);
        }
    return COSTAB_OK;
}

/* ---- A subsystem's own step ---- */

/* Returns the spectral radius of a single subsystem with zero inputs; NaN if unavailable. */
static double own_radius(margin_quantity *quantity, int s, double value) {
    const costab_network *network;
    costab_coupling coupling;
    costab_network_point point;
    if (margin_quantity_network(quantity, value, &network, &coupling, NULL)) return (double)NAN;
    const costab_network alone = costab_model_instance_alone(quantity->family.instance, s);
    costab_coupling plain = {
        .scheme = COSTAB_JACOBI, .macro_step = coupling.macro_step, .micro_steps = coupling.micro_steps};
    if (costab_network_analyse(quantity->family.work, &alone, &plain, &point, NULL)) return (double)NAN;
    return point.spectral_radius;
}

/* Returns the subsystem with its own spectral radius passing 1 at the change; -1: none. */
static int find_own_radius(margin_quantity *quantity, const margin_change *change, int side) {
    double step = 1e-6 * scale_of(quantity, change->value);
    double far = change->jumps ? change->value : change->value + side * step;
    double near = change->jumps ? quantity->nominal : change->value - side * step;
    for (int s = 0; s < quantity->network.subsystem_count; s++) {
        double before = own_radius(quantity, s, near), after = own_radius(quantity, s, far);
        if ((before < 1 && after > 1) || (before > 1 && after < 1)) return s;
    }
    return -1;
}

/* ---- The cause ---- */

static costab_passes eigenvalue_cause(const passing *map) {
    if (map->blame < 0) return COSTAB_PASSES_NOTHING;
    if (map->mode.im != 0) return COSTAB_PASSES_OSCILLATION;
    return map->mode.re > 0 ? COSTAB_PASSES_FOLD : COSTAB_PASSES_FLIP;
}

/* Finds the passing mode of the map, or of the iteration if that passes its limit. `workspace`: participation
 * factors of another mode. */
static costab_status find_map_or_iteration(margin_quantity *quantity, const margin_change *change, int side,
                                           double *workspace, costab_margin *row, passing *found,
                                           costab_error *error) {
    passing iteration = {.distance = (double)INFINITY, .own = -1, .blame = -1, .shares = workspace};
    found->own = find_own_radius(quantity, change, side);
    costab_status status = find_passing_near(quantity, change, COSTAB_MODES_MAP, found, error);
    const costab_coupling coupling = analysis_family_coupling(&quantity->family);
    if (!status && coupling.scheme == COSTAB_ITERATED && coupling.iterations == 0)
        status = find_passing_near(quantity, change, COSTAB_MODES_ITERATION, &iteration, error);
    if (status) return status;
    row->cause = eigenvalue_cause(found);
    bool diverges = change->jumps ? hypot(iteration.mode.re, iteration.mode.im) >= 1
                                  : iteration.distance < found->distance;
    if (iteration.blame >= 0 && diverges) {
        *found = iteration;
        row->cause = COSTAB_PASSES_ITERATION;
    } else if (found->own >= 0) {
        row->cause = COSTAB_PASSES_OWN;
    }
    return COSTAB_OK;
}

static costab_status find_mode(margin_quantity *quantity, const margin_change *change, double *workspace,
                               costab_margin *row, costab_error *error) {
    passing found = {.own = -1, .shares = workspace};
    const int subsystems = quantity->network.subsystem_count;
    if (change->measure == MARGIN_CONTINUOUS) {
        row->cause = COSTAB_PASSES_CONTINUOUS;
        TRY(find_passing_near(quantity, change, COSTAB_MODES_CONTINUOUS, &found, error));
    } else {
        TRY(find_map_or_iteration(quantity, change, row->side, workspace + subsystems, row, &found, error));
    }
    if (found.blame >= 0 && !change->jumps && found.distance > FAR_OFF) {
        if (row->cause != COSTAB_PASSES_CONTINUOUS) row->cause = COSTAB_PASSES_NOTHING;
        return COSTAB_OK;
    }
    if (found.blame < 0) return COSTAB_OK;
    row->frequency = found.mode.frequency;
    row->growth = found.mode.growth;
    row->blame = found.blame;
    row->share = found.shares[found.blame];
    TRY(memory_make(&row->shares, (size_t)subsystems + 1, error));
    memcpy(row->shares, found.shares, (size_t)subsystems * sizeof *row->shares);
    return COSTAB_OK;
}

costab_status margin_fill_cause(margin_quantity *quantity, const margin_change *change, costab_margin *row,
                                costab_error *error) {
    memory_local double *workspace =
        memory_alloc(2 * (size_t)quantity->network.subsystem_count + 1, sizeof *workspace);
    return workspace != NULL ? find_mode(quantity, change, workspace, row, error) : error_memory(error);
}

costab_status margin_fill_change(margin_quantity *quantity, const margin_change *change, uint8_t code,
                                 costab_margin *row, costab_error *error) {
    TRY(class_beyond(quantity, change, row->side, code, row, error));
    if (change->ill_posed && (row->class_code == code || row->class_code == COSTAB_CLASS_FAILED)) {
        row->cause = COSTAB_PASSES_ILL_POSED;
        return COSTAB_OK;
    }
    return margin_fill_cause(quantity, change, row, error);
}
