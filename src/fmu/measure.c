/* The map of an FMU's own steps, measured (fmu/measure.h). For one length H of the step, with q outputs and
 * m inputs (and their rises):
 *   0. At once: impulses of nominal values, up only, beside a run without any; 4 and 5 of these. Where the
 *      long run of 5 is AT_ONCE or less from what the map answers, that is the map; 1 to 3 are looked at for
 *      the first such map only. Which way is taken depends on the FMU and on H alone.
 *   1. Impulses of every input, up and down, give the Markov parameters G_k by differences. Their size is
 *      the one of 1, 0.1, .. 1e-6 nominal values, then of 10, 100, .. 1e5, at which an impulse answers most
 *      like half of it and like the same one LATER steps later: the checks `nonlinearity` and
 *      `time_variance`. Beyond the accuracy asked for there is no map.
 *   2. A run without impulses shows whether the start is an equilibrium.
 *   3. The FMU is asked once whether setting its state back changes its answers (checks.c).
 *   4. Ho's and Kalman's realisation (realise.c) of G_k with strides of 1, 4, .. 256 steps, as slow modes
 *      need long ones: the first that is well conditioned, else the best. An order counts where the singular
 *      values have a gap of GAP behind it.
 *   5. A long run with inputs that change all the time is compared with what the map answers (checks.c).
 *   6. Where answers change with time (1 and 5), once more at H (1 - 1e-9), then at H (1 - 1e-7).
 *   7. Where that all fails: the same at the ports that a loop of connections passes through alone, and with
 *      held inputs where all couplings hold them. Stability of the whole depends on these alone, but for
 *      modes that only the others show.
 * Cost: at once m + 1 runs of 48 steps and one or two of 256; else three to sixteen times 2 m runs of 48
 * steps more, fewer the more linear it is; each longer stride m + 1 or 2 m runs of 46 strides. Not
 * guaranteed: modes that inputs do not move or outputs do not show are not in the map, and what is smaller
 * than noise (10 times the checks' numbers) is not. */
#include "fmu/measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Singular values below this, beside the largest, are noise. */
#define NOISE 1e-10
/* Between the last singular value that counts and the first that does not. */
#define GAP 100.0
/* A realisation whose least singular value is above this is not improved by longer strides. */
#define PLAIN 1e-4
/* What a map that was measured at once may be missed by in a long run. */
#define AT_ONCE 1e-9
/* Where the numbers of a check are this small, nothing better is looked for. */
#define FINE 1e-12
/* Above this larger impulses than nominal values are tried, up to the largest. */
#define COARSE  1e-9
#define LARGEST 1e5
/* The impulse of the check of time comes so many steps later. */
#define LATER 7

enum {
    HINT_MAX = 40,
    BLOCKS = 24,
    VALUES_MOST = 400,
    STRIDES = 5,
    AMPLITUDES = 7,
    STATES_SPARE = 8,
    STATES_UNKNOWN = 32
};

int measure_room(const fmu_part *part) {
    int known = 0, ports = part->inputs.count + part->outputs.count;
    for (int i = 0; i < part->fmu->state_count; i++)
        known += (int)part->fmu->variables[part->fmu->states[i].variable].size;
    return (known > 0 ? known + STATES_SPARE : STATES_UNKNOWN) + ports;
}

/* The outputs of a run with a change of one input (-1: of none) during step `at`. */
static costab_status run(const measure *m, int steps, int at, int input, double change, double *outputs,
                         costab_error *error) {
    const fmu_request request = {.operation = FMU_RESPONSE,
                                 .t = m->s->start_time,
                                 .length = m->numbers->length,
                                 .count = steps,
                                 .at = at};
    memset(m->change, 0, (size_t)m->m * sizeof *m->change);
    if (input >= 0) m->change[input] = change;
    return measure_run(m, &request, m->change, outputs, error);
}

/* The outputs of two runs per column, up and down, or of one without changes and one per column, one behind
 * the other in m->up. */
static costab_status run_each(const measure *m, int steps, int at, double amplitude, costab_error *error) {
    const fmu_part *part = m->s->part;
    const fmu_request request = {.operation = FMU_RESPONSE,
                                 .t = m->s->start_time,
                                 .length = m->numbers->length,
                                 .count = steps,
                                 .at = at,
                                 .manner = m->at_once ? FMU_UP : FMU_EACH};
    costab_status status = COSTAB_OK;
    for (int j = 0; j < m->m; j++) m->change[j] = amplitude * measure_nominal(m, j);
    if (!part->fmu->interfaces[part->kind].once) {
        status = measure_run(m, &request, m->change, m->up, error);
        if (!status || !fmu_run_makes_few(m->s->run)) return status;
        status = COSTAB_OK;
    }
    for (int r = 0; r < child_runs(part, &request) && !status; r++) {
        for (int j = 0; j < m->m; j++) m->change[j] = amplitude * measure_nominal(m, j);
        int column;
        double change = child_change(&request, r, m->change, &column);
        status = run(m, steps, at, column, change, m->up + (size_t)(r * steps) * (size_t)m->q, error);
    }
    return status;
}

/* Markov parameters 0 .. steps-1 of impulses of this size during step `at`. */
static costab_status impulses(measure *m, int steps, int at, double amplitude, double *G,
                              costab_error *error) {
    size_t all = (size_t)(steps + at) * (size_t)m->q;
    costab_status status = run_each(m, steps + at, at, amplitude, error);
    for (int j = 0; j < m->m && !status; j++) {
        const double *first = m->up + (size_t)(at * m->q);
        const double *up = first + (m->at_once ? 1 + (size_t)j : 2 * (size_t)j) * all;
        const double *down = m->at_once ? first : up + all;
        double apart = (m->at_once ? 1 : 2) * amplitude * measure_nominal(m, j);
        for (int e = 0; e < steps * m->q; e++)
            G[e * m->m + j] = apart > 0 ? measure_difference(up[e], down[e], 1) / apart : 0;
    }
    return status;
}

/* The largest difference of two sets of Markov parameters; each entry beside the largest of its output and
 * input. */
static double apart(const measure *m, int steps, const double *one, const double *two) {
    double worst = 0;
    int matrix = m->q * m->m;
    for (int e = 0; e < matrix; e++) {
        double most = 0, off = 0;
        for (int k = 0; k < steps; k++) {
            most = fmax(most, fabs(one[k * matrix + e]));
            off = fmax(off, fabs(one[k * matrix + e] - two[k * matrix + e]));
        }
        if (off > 0) worst = fmax(worst, most > 0 ? off / most : (double)INFINITY);
    }
    return worst;
}

/* Tries impulses of a size beside half of them and beside later ones: the best are those whose answers
 * differ the least from both. Their Markov parameters are left in m->G. */
static costab_status try_amplitude(measure *m, int steps, double amplitude, costab_error *error) {
    costab_status status = impulses(m, steps, 0, amplitude / 2, m->other, error);
    if (!status) status = impulses(m, steps, 0, amplitude, m->G, error);
    double half = status ? (double)INFINITY : apart(m, steps, m->G, m->other);
    bool first = isinf(m->nonlinear + m->changing);
    if (!status && !first && !(half < m->nonlinear + m->changing)) return COSTAB_OK;
    if (!status) status = impulses(m, steps, LATER, amplitude, m->other, error);
    double later = status ? (double)INFINITY : apart(m, steps, m->G, m->other);
    if (status || (!first && !(half + later < m->nonlinear + m->changing))) return status;
    m->nonlinear = half;
    m->changing = later;
    m->amplitude = amplitude;
    return COSTAB_OK;
}

/* Impulses as large as the model is linear for. A solver with a tolerance drowns small ones in its error,
 * and what a start far from rest does to its steps is less beside larger ones. */
static costab_status choose_amplitude(measure *m, int steps, costab_error *error) {
    double amplitude = 1, last = 1;
    costab_status status = COSTAB_OK;
    costab_error ignored;
    m->nonlinear = m->changing = (double)INFINITY;
    for (int i = 0; i < AMPLITUDES && m->nonlinear + m->changing > FINE && !fmu_run_is_silent(m->s->run);
         i++) {
        status = try_amplitude(m, steps, last = amplitude, error); /* too large a one may be too much */
        amplitude /= 10;
    }
    if (isinf(m->nonlinear) && status) return status;
    for (amplitude = 10; m->nonlinear + m->changing > COARSE && amplitude <= LARGEST; amplitude *= 10)
        (void)try_amplitude(m, steps, last = amplitude, &ignored);
    return m->amplitude == last ? COSTAB_OK : impulses(m, steps, 0, m->amplitude, m->G, error);
}

/* How far outputs move without any change, which is the first run of m->up, beside what an impulse moves. */
static void find_drift(measure *m, int steps) {
    for (int k = 0; k < steps; k++)
        for (int i = 0; i < m->q; i++) {
            double first = m->up[i], off = fabs(m->up[k * m->q + i] - first);
            m->drift = fmax(m->drift, off / fmax(1, fabs(first)));
        }
}

static costab_status check_rest(measure *m, int steps, costab_error *error) {
    costab_status status = run(m, steps, steps, -1, 0, m->up, error);
    if (!status) find_drift(m, steps);
    return status;
}

/* "; --fmu-accuracy 2e-05 takes it", where that is allowed; `words`: room for it. */
static const char *hint(double found, char words[HINT_MAX]) {
    words[0] = '\0';
    if (found <= 0.005) (void)snprintf(words, HINT_MAX, "; --fmu-accuracy %.1g takes it", 1.5 * found);
    return words;
}

static costab_status judge(const measure *m, costab_error *error) {
    const char *name = m->s->part->name;
    char words[HINT_MAX];
    double H = m->numbers->length;
    if (!(m->nonlinear <= fmu_accuracy()))
        return error_set(
            error, COSTAB_INVALID,
            "%s: at H = %.9g its answers to an impulse and to half of it are %.2g apart, relative: "
            "the model, or the step control of its solver, is not linear enough for a map%s%s",
            name, H, m->nonlinear, m->drift > fmu_accuracy() ? "; it does not start at an equilibrium" : "",
            hint(m->nonlinear, words));
    if (!(m->changing <= fmu_accuracy()))
        return error_set(
            error, COSTAB_INVALID,
            "%s: at H = %.9g an impulse %d steps later has another answer (%.2g apart, relative): "
            "%sit depends on time, or H is no multiple of its solver's step%s",
            name, H, LATER, m->changing,
            m->drift > fmu_accuracy() ? "it is not linear and does not start at an equilibrium, " : "",
            hint(m->changing, words));
    return COSTAB_OK;
}

/* Whether steps that are far longer, up to a second, have answers: then the macro step is far below the
 * solver's own. */
static bool answers_later(measure *m) {
    enum { STEPS = 4, LONGER = 100 };
    const double most = 1;
    double length = m->numbers->length;
    bool answers = false;
    costab_error ignored;
    while (m->numbers->length * LONGER <= most * 1.1 && !answers && !fmu_run_is_silent(m->s->run)) {
        m->numbers->length *= LONGER;
        bool done = impulses(m, STEPS, 0, 1, m->other, &ignored) == COSTAB_OK;
        for (int e = 0; e < STEPS * m->q * m->m && done; e++) answers = answers || m->other[e] != 0;
    }
    m->numbers->length = length;
    return answers;
}

/* The best of several strides: slow modes need long ones. */
static costab_status find_map(measure *m, double *F, double *E, double *K, fmu_realisation *best,
                              costab_error *error) {
    static const int strides[STRIDES] = {1, 4, 16, 64, 256};
    const double tolerance = fmax(NOISE, 10 * fmax(m->nonlinear, m->changing));
    const double most = fmax(tolerance, m->at_once ? 0 : fmu_accuracy());
    int room = m->numbers->found.states;
    *best = (fmu_realisation){.order = -1, .residual = (double)INFINITY};
    double *f = memory_alloc((size_t)(room * (room + m->m + m->q)) + 1, sizeof *f);
    if (f == NULL) return error_memory(error);
    double *e = f + room * room, *k = e + room * m->m;
    costab_status status = COSTAB_OK;
    for (int i = 0; i < m->strides && !status; i++) {
        int steps = strides[i] * (2 * m->blocks - 2) + 2;
        fmu_realisation now;
        if (!measure_room_for(m, (size_t)steps + LATER)) status = error_memory(error);
        /* The first stride needs just the steps that the checks have left in m->G. */
        if (!status && i > 0) status = impulses(m, steps, 0, m->amplitude, m->G, error);
        const fmu_markov g = {m->q, m->m, steps, m->G};
        bool clear = false;
        for (double noise = tolerance; !status && !clear && noise <= most; noise *= 10) {
            status = realise(&g, m->blocks, strides[i], noise, room, f, e, k, &now, error);
            clear =
                !status && now.order <= room && now.least >= GAP * now.next && now.residual <= 100 * noise;
        }
        bool better =
            clear && (now.order > best->order || (now.order == best->order && now.least > best->least));
        if (better) {
            *best = now;
            memcpy(F, f, (size_t)(now.order * now.order) * sizeof *f);
            memcpy(E, e, (size_t)(now.order * m->m) * sizeof *e);
            memcpy(K, k, (size_t)(now.order * m->q) * sizeof *k);
        }
        if (best->order >= 0 && (best->least > PLAIN || best->order == 0)) break;
        if (best->order < 0 && m->at_once) break; /* nor would a long run tell more */
        if (!status || i == 0) continue;
        m->strides = i; /* a long run may be too much for the model, or for our patience */
        if (best->order >= 0) status = COSTAB_OK;
    }
    memory_free(f);
    if (!status && best->order < 0)
        status = error_set(
            error, COSTAB_INVALID,
            "%s: at H = %.9g no order explains its answers: its singular values fall without a gap, "
            "or it has more than %d states",
            m->s->part->name, m->numbers->length, room);
    if (!status && best->order == 0 && answers_later(m))
        status =
            error_set(error, COSTAB_INVALID,
                      "%s: at H = %.9g its outputs answer nothing, but with longer steps they do: H is far "
                      "below its solver's step",
                      m->s->part->name, m->numbers->length);
    return status;
}

/* A, B and C of the numbers, with states that are always 0 where it has fewer than outputs. */
static void hand_over(const measure *m, const fmu_realisation *found, const double *F, const double *E,
                      const double *K) {
    costab_foreign_numbers *numbers = m->numbers;
    int order = found->order, n = order > m->q ? order : m->q, inputs = m->s->part->inputs.count;
    if (n == 0) n = 1;
    memset(numbers->A, 0, (size_t)(n * n) * sizeof *numbers->A);
    memset(numbers->B, 0, (size_t)(n * inputs) * sizeof *numbers->B);
    if (m->m > inputs) memset(numbers->rise, 0, (size_t)(n * inputs) * sizeof *numbers->rise);
    memset(numbers->C, 0, (size_t)(n * m->q) * sizeof *numbers->C);
    for (int a = 0; a < order; a++) {
        for (int b = 0; b < order; b++) numbers->A[a * n + b] = F[a * order + b];
        for (int j = 0; j < m->m; j++) {
            double *to = j < inputs ? &numbers->B[a * inputs + j] : &numbers->rise[a * inputs + j - inputs];
            *to = E[a * m->m + j];
        }
        for (int i = 0; i < m->q; i++) numbers->C[i * n + a] = K[i * order + a];
    }
    for (int a = m->q; a < n && numbers->x0 != NULL; a++) numbers->x0[a] = 0;
    numbers->found.states = n;
    numbers->found.drift = 0;
    double checked = m->at_once ? m->shaken : fmax(m->nonlinear, m->changing);
    if (m->shaken > FMU_ACCURACY_USUAL) checked = fmax(checked, m->shaken);
    numbers->found.doubt = fmax(m->below, fmax(found->residual, checked));
}

void measure_note(costab_foreign_numbers *numbers, const char *name, double value) {
    if (isnan(value) || numbers->found.check_count == COSTAB_CHECKS_MAX) return;
    numbers->found.checks[numbers->found.check_count++] = (costab_check){name, value};
}

static void note(const measure *m, const fmu_realisation *found) {
    costab_foreign_numbers *to = m->numbers;
    measure_note(to, "nonlinearity", m->at_once ? m->s->conduct[m->narrow].nonlinear : m->nonlinear);
    measure_note(to, "time_variance", m->at_once ? m->s->conduct[m->narrow].changing : m->changing);
    measure_note(to, "drift", m->drift);
    measure_note(to, "residual", found->residual);
    measure_note(to, "long_run", m->shaken);
    measure_note(to, "rollback", m->s->conduct[m->narrow].rollback);
    measure_note(to, "set_back_flag", m->s->conduct[m->narrow].flag);
    measure_note(to, "measured_below", m->below > 0 ? m->below : (double)NAN);
}

void measure_warn(costab_foreign_numbers *numbers, const char *format, ...) {
    size_t size = sizeof numbers->found.warning, used = strlen(numbers->found.warning);
    va_list arguments;
    if (used > 0 && used + 3 < size)
        used += (size_t)snprintf(numbers->found.warning + used, size - used, "; ");
    va_start(arguments, format);
    if (used + 1 < size) (void)vsnprintf(numbers->found.warning + used, size - used, format, arguments);
    va_end(arguments);
}

static void warn(const measure *m, const fmu_realisation *found) {
    const costab_fmu *fmu = m->s->part->fmu;
    const fmu_conduct *conduct = &m->s->conduct[m->narrow];
    const char *name = m->s->part->name;
    int known = 0;
    for (int i = 0; i < fmu->state_count; i++) known += (int)fmu->variables[fmu->states[i].variable].size;
    if (found->order < known)
        measure_warn(
            m->numbers,
            "%.80s shows %d of its %d states at its ports; modes that they do not show are not analysed",
            name, found->order, known);
    if (m->drift > fmu_accuracy())
        measure_warn(
            m->numbers,
            "%.80s does not start at an equilibrium (its outputs move by %.2g): its map is that of its start",
            name, m->drift);
    if (m->below > 0)
        measure_warn(
            m->numbers,
            "%.80s was measured just below, at H (1 - %g): at H = %.9g its map changes with time, as "
            "where a solver with a step of its own takes one too many",
            name, m->below, m->length);
    if (!m->starts_elsewhere)
        measure_warn(m->numbers,
                     "%.80s cannot be started at another time: whether it depends on it is not known", name);
    if (conduct->rollback > fmu_accuracy())
        measure_warn(
            m->numbers,
            "%.80s cannot be set back: its answers are then %.2g apart from those of a new instance, "
            "relative; no master can iterate it",
            name, conduct->rollback);
    if (conduct->flag > fmu_accuracy())
        measure_warn(
            m->numbers,
            "%.80s answers otherwise (%.2g apart, relative) where noSetFMUStatePriorToCurrentPoint is "
            "false; costab sets it to true",
            name, conduct->flag);
}

/* Whether what failed is that answers change with time. */
static bool is_timed(const measure *m) {
    return m->nonlinear <= fmu_accuracy() &&
           !(m->changing <= fmu_accuracy() && m->shaken <= fmu_accuracy() * 10);
}

/* The same impulses, half as large and later, beside those of m->G: once in the life of a subsystem. */
static costab_status look_closer(measure *m, int steps, costab_error *error) {
    fmu_conduct *to = &m->s->conduct[m->narrow];
    m->at_once = false;
    costab_status status = impulses(m, steps, 0, m->amplitude / 2, m->other, error);
    if (!status) to->nonlinear = apart(m, steps, m->G, m->other);
    if (!status) status = impulses(m, steps, LATER, m->amplitude, m->other, error);
    if (!status) to->changing = apart(m, steps, m->G, m->other);
    m->at_once = true;
    return status ? status : measure_conduct(m, steps, error);
}

/* With one run per column, which the long run with other inputs, from another time, has to confirm: where it
 * does to AT_ONCE, nothing else that is checked can be wrong by more. */
static costab_status measure_at_once(measure *m, double *map, fmu_realisation *found, costab_error *error) {
    costab_error why = {.status = COSTAB_OK};
    int room = m->numbers->found.states, steps = 2 * m->blocks;
    double *E = map + room * room, *K = E + room * m->m;
    m->at_once = true;
    m->amplitude = 1;
    m->nonlinear = m->changing = 0;
    costab_status status = impulses(m, steps, 0, 1, m->G, &why);
    if (!status) find_drift(m, steps);
    for (int i = 0; i < m->q && !status; i++) m->rest[i] = m->up[i];
    if (!status && !m->s->conduct[m->narrow].known) status = look_closer(m, steps, &why);
    if (!status) status = find_map(m, map, E, K, found, &why);
    if (!status) status = measure_shake(m, found->order, map, E, K, &why);
    m->at_once = !status && m->shaken <= AT_ONCE && m->starts_elsewhere;
    if (status && fmu_run_is_silent(m->s->run)) return error_set(error, status, "%s", why.message);
    return status == COSTAB_MEMORY ? error_memory(error) : COSTAB_OK;
}

static costab_status with_checks(measure *m, double *map, fmu_realisation *found, costab_error *error) {
    int room = m->numbers->found.states, steps = 2 * m->blocks;
    double *E = map + room * room, *K = E + room * m->m;
    m->drift = m->shaken = 0;
    costab_status status = choose_amplitude(m, steps, error);
    if (!status) status = check_rest(m, steps, error);
    if (!status) status = judge(m, error);
    if (!status && !m->s->conduct[m->narrow].known) status = measure_conduct(m, steps, error);
    if (!status) status = find_map(m, map, E, K, found, error);
    return status ? status : measure_shake(m, found->order, map, E, K, error);
}

static costab_status all(measure *m, double *map, costab_error *error) {
    int room = m->numbers->found.states, steps = 2 * m->blocks;
    fmu_realisation found = {.order = 0};
    if (!measure_room_for(m, (size_t)steps + LATER)) return error_memory(error);
    costab_status status = measure_at_once(m, map, &found, error);
    if (!status && !m->at_once) status = with_checks(m, map, &found, error);
    if (status) return status;
    hand_over(m, &found, map, map + room * room, map + room * (room + m->m));
    note(m, &found);
    warn(m, &found);
    return COSTAB_OK;
}

/* A solver that sums up its own steps until it is at the end of the macro step takes one too many where
 * rounding has left it just short of that: a little below it does not. */
static costab_status at_or_below(measure *m, double *map, costab_error *error) {
    static const double below[] = {1e-9, 1e-7};
    const int count = (int)(sizeof below / sizeof *below);
    costab_status status = all(m, map, error);
    for (int i = 0; i < count && status == COSTAB_INVALID && is_timed(m); i++) {
        costab_error ignored;
        m->below = below[i];
        m->changing = m->drift = m->shaken = 0;
        m->numbers->length = m->length * (1 - below[i]);
        if (all(m, map, &ignored) == COSTAB_OK) status = COSTAB_OK;
    }
    m->numbers->length = m->length;
    return status;
}

/* Measures at one step of the FMU's own solver, where that is known, and takes the power; else, and where
 * that is not what the FMU answers, the macro step itself. */
static costab_status own_step_or_whole(measure *m, double *map, costab_error *error) {
    costab_foreign_numbers *numbers = m->numbers;
    const double most = 1e6, ratio = numbers->own_step > 0 ? m->length / numbers->own_step : 0;
    const int room = numbers->found.states, steps = ratio <= most ? (int)rint(ratio) : 0;
    bool right = false;
    if (steps < 2 || fabs(ratio - steps) > 1e-9 * steps) return at_or_below(m, map, error);
    costab_error ignored;
    numbers->length = numbers->own_step;
    bool found = known_find(m->s, numbers);
    measure own = *m;
    own.length = numbers->length;
    costab_status status = found ? COSTAB_OK : at_or_below(&own, map, &ignored);
    m->up = own.up, m->down = own.down, m->G = own.G, m->other = own.other, m->room = own.room;
    if (!status && !found) known_keep(m->s, numbers);
    numbers->length = m->length;
    if (!status) status = measure_power(m, steps, &right, error);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (right) measure_note(numbers, "own_steps", steps);
    if (right) return COSTAB_OK;
    m->shaken = 0;
    numbers->found.states = room;
    numbers->found.check_count = 0;
    numbers->found.warning[0] = '\0';
    return at_or_below(m, map, error);
}

/* Where its equations are to be had, they need no measurement; a solver that is given a tolerance by its
 * description may be given a smaller one. */
static costab_status tell_ways(const fmu_part *part, costab_error *error) {
    const fmu_interface *other = &part->fmu->interfaces[COSTAB_FMU_MODEL_EXCHANGE];
    char said[sizeof error->message], finer[64] = "";
    if (error == NULL) return COSTAB_INVALID;
    if (part->fmu->tolerance > 0)
        (void)snprintf(finer, sizeof finer, "; its tolerance is %.3g: try a smaller 'tolerance'",
                       part->tolerance);
    memcpy(said, error->message, sizeof said);
    return error_set(error, COSTAB_INVALID, "%s%s%s", said, finer,
                     other->library != NULL ? "; it offers 'kind: model-exchange', too" : "");
}

/* Without inputs, or outputs, nothing of a step comes back to it: all is held, in states that are always 0.
 */
static costab_status hold(const measure *m) {
    const fmu_realisation none = {.order = 0};
    hand_over(m, &none, NULL, NULL, NULL);
    return COSTAB_OK;
}

/* Names the first port that was left out, and how many there are. */
static void warn_of_idle(const measure *m) {
    const fmu_part *part = m->s->part;
    const char *first = NULL;
    int count = 0;
    for (int i = 0; i < part->inputs.count + part->outputs.count; i++) {
        if (!m->numbers->idle[i] || count++ > 0) continue;
        first = i < part->inputs.count ? part->inputs.names[i] : part->outputs.names[i - part->inputs.count];
    }
    if (count > 0)
        measure_warn(m->numbers,
                     "%.80s has no linear map of all its ports: %d that no loop of connections passes "
                     "through ('%.60s'%s) are left out, with modes that these alone show",
                     part->name, count, first, count > 1 ? ", .." : "");
}

/* Whether some ports are in a loop of connections, and of the others less is needed. */
static bool can_be_narrow(const measure *m) {
    const costab_foreign_numbers *numbers = m->numbers;
    const int inputs = m->s->part->inputs.count;
    int idle[2] = {0, 0};
    for (int i = 0; numbers->idle != NULL && i < inputs + m->q; i++) idle[i >= inputs] += numbers->idle[i];
    bool looped = numbers->idle != NULL && idle[0] < inputs && idle[1] < m->q;
    return looped && (idle[0] + idle[1] > 0 || (numbers->found.held && m->m > inputs));
}

/* What is no part of a loop may be as it will. */
static costab_status wide_or_narrow(measure *m, double *map, costab_error *error) {
    const int room = m->numbers->found.states;
    costab_error why = {.status = COSTAB_OK};
    costab_status status = own_step_or_whole(m, map, &why);
    m->s->narrow = status == COSTAB_INVALID && can_be_narrow(m);
    if (!m->s->narrow) {
        m->numbers->found.held = false;
        return status ? error_set(error, status, "%s", why.message) : COSTAB_OK;
    }
    m->narrow = true;
    m->shaken = m->below = 0;
    m->numbers->found.states = room;
    m->numbers->found.check_count = 0;
    m->numbers->found.warning[0] = '\0';
    status = own_step_or_whole(m, map, error);
    if (!status) warn_of_idle(m);
    return status;
}

/* Runs are new instances: the one that simulations step is made anew behind them. */
costab_status measure_update(fmu_subsystem *s, costab_foreign_numbers *numbers, costab_error *error) {
    const fmu_part *part = s->part;
    measure m = {.s = s,
                 .numbers = numbers,
                 .length = numbers->length,
                 .q = part->outputs.count,
                 .m = fmu_part_columns(part),
                 .amplitude = 1,
                 .strides = STRIDES,
                 .shaking = MEASURE_SHAKING};
    int wider = m.q > m.m ? m.q : m.m, room = numbers->found.states;
    m.blocks = BLOCKS * wider <= VALUES_MOST ? BLOCKS : VALUES_MOST / wider;
    if (!(numbers->length > 0))
        return error_set(error, COSTAB_INVALID, "%s: the macro step is not positive", part->name);
    if (m.blocks < 4)
        return error_set(error, COSTAB_INVALID,
                         "%s: its map cannot be measured with %d inputs and %d outputs", part->name, m.m,
                         m.q);
    double *map = memory_alloc((size_t)(room * (room + m.m + m.q)) + 1, sizeof *map);
    m.change = memory_alloc((size_t)(m.m + m.q) + 1, sizeof *m.change);
    m.rest = m.change + m.m;
    bool found = known_find(s, numbers);
    bool room_found = map != NULL && m.change != NULL;
    costab_status status = !room_found                            ? error_memory(error)
                           : found                                ? COSTAB_OK
                           : wider * (m.q < m.m ? m.q : m.m) == 0 ? hold(&m)
                                                                  : wide_or_narrow(&m, map, error);
    if (status == COSTAB_INVALID) status = tell_ways(part, error);
    if (!status && !found) known_keep(s, numbers);
    memory_free_all(map, m.change, m.up, m.down, m.G, m.other);
    if (status) return status;
    part_starts(part, numbers, s->asked);
    memcpy(s->asked + part->starts.count, numbers->point, (size_t)part->inputs.count * sizeof *s->asked);
    return fmu_run_ask(s->run, &(fmu_request){.operation = FMU_START, .t = s->start_time}, s->asked,
                       s->answer, error);
}
