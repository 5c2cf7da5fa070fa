/* Measures the map of an FMU's own steps of length H (fmu/measure.h; docs/explanation/algorithms.md, FMU
 * measurement). A column of the map belongs to an input's value, or to its slope within a step. One
 * measurement (measure_map); each step may refuse the FMU with a number:
 * 1. Markov parameters G_k, one-sided: from the first step if the FMU's states can be set (by_states.c);
 *    otherwise from impulses of nominal values and a run without impulses (markov.c).
 * 2. Realisation (realise.c) of G_k with strides of 1, 4, .. 256 steps, since slow modes need long strides:
 *    takes the first well-conditioned stride, otherwise the best. The order is the number of singular values
 *    above the error of G_k; the next one must be GAP times smaller than the last of these.
 * 3. Long run: compares outputs under pseudo-random changes of all inputs with the map's (checks.c). A
 *    one-sided map with a deviation of at most ONE_SIDED_MOST is the result.
 * 4. Central differences: otherwise repeats these steps with differences between an impulse and its opposite,
 *    of the best amplitude (markov.c). The FMU has no map if G_k depends on the amplitude (`nonlinearity`) or
 *    on the time of the impulse (`time_variance`) by more than the requested accuracy. The first one-sided
 *    map gets both checks as well.
 * 5. Rollback, the first time: checks if restoring a saved state changes outputs (checks.c).
 * A brief measurement, after a complete one, has 16 steps in the long run.
 * Objects of the measurement, each tried if the previous one has no map:
 *  a. If the step of the FMU's own solver is known: one such step, and the power of its map (powers.c).
 *  b. A step of length H. If its map varies with time, H (1 - 1e-9), then H (1 - 1e-7), because a solver that
 *     accumulates its steps may take one too many at H.
 *  c. Cases a and b without the ports outside all loops of connections, and with held inputs if all couplings
 *     hold them. Stability depends on the other ports alone, except for modes visible only at the excluded
 *     ones.
 * Cost, with m columns: one-sided m + 1 runs of 48 steps, and one to four of 256; otherwise 2 m more runs of
 * 48 steps three times for a linear FMU, up to 37 times for 12 amplitudes; for a stride of s > 1 steps m + 1
 * or 2 m runs of 46 s steps. Limitation: the map lacks modes that no input excites or no output shows, and
 * effects below 10 times the checks' numbers. */
#include "fmu/measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Relative size of singular values regarded as noise. */
#define NOISE 1e-10
/* Ratio between the last significant singular value and the next. */
#define GAP 100.0
/* Least relative singular value of a well-conditioned realisation. */
#define WELL_CONDITIONED 1e-4
/* Permitted deviation of a long run from a one-sided map. */
#define ONE_SIDED_MOST 1e-9

enum {
    BLOCKS = 24,         /* largest number of block rows and columns of the Hankel matrices */
    VALUES_MOST = 400,   /* largest number of rows and columns of the Hankel matrices */
    STRIDES = 5,         /* largest number of strides */
    STATES_SPARE = 8,    /* largest excess of the map's states over the FMU's states and ports */
    STATES_UNKNOWN = 32, /* the same if the FMU lists no states */
    HINT_MAX = 40
};

/* Returns the number of states in the description; 0: none given. */
static int count_states(const costab_fmu *fmu) {
    int count = 0;
    for (int i = 0; i < fmu->state_count; i++) count += (int)fmu->variables[fmu->states[i].variable].size;
    return count;
}

int measure_states_most(const fmu_part *part) {
    const int known = count_states(part->fmu), ports = part->inputs.count + part->outputs.count;
    return (known > 0 ? known + STATES_SPARE : STATES_UNKNOWN) + ports;
}

/* Writes "; --fmu-accuracy 2e-05 takes it" if that accuracy is permitted. */
static const char *hint(double found, char words[HINT_MAX]) {
    words[0] = '\0';
    if (found <= 0.005) (void)snprintf(words, HINT_MAX, "; --fmu-accuracy %.1g takes it", 1.5 * found);
    return words;
}

/* Returns an error if `nonlinearity` or `time_variance` exceeds the requested accuracy. */
static costab_status refuse_nonlinear(const measure *m, costab_error *error) {
    const char *name = m->s->part->name;
    char words[HINT_MAX];
    double H = m->numbers->length;
    if (!(m->nonlinearity <= fmu_accuracy(m->s->part)))
        return error_invalid(error,
                             "%s: at H = %.9g its answers to an impulse and to half of it are %.2g "
                             "apart, relative: the model, or the step control of its solver, is not linear "
                             "enough for a map%s%s",
                             name, H, m->nonlinearity,
                             m->drift > fmu_accuracy(m->s->part) ? "; it does not start at an equilibrium"
                                                                 : "",
                             hint(m->nonlinearity, words));
    if (!(m->time_variance <= fmu_accuracy(m->s->part)))
        return error_invalid(error,
                             "%s: at H = %.9g an impulse %d steps later has another answer (%.2g "
                             "apart, relative): %sit depends on time, or H is not a multiple of its solver's "
                             "step%s",
                             name, H, MEASURE_LATER, m->time_variance,
                             m->drift > fmu_accuracy(m->s->part)
                                 ? "it is not linear and does not start at an equilibrium, "
                                 : "",
                             hint(m->time_variance, words));
    return COSTAB_OK;
}

/* Returns true if outputs respond to far longer steps, up to a second: H is then far below the solver's own
 * step. */
static bool answers_longer_steps(measure *m) {
    const bool uses_states = m->uses_states;
    enum { STEPS = 4, LONGER = 100 };
    const double most = 1;
    double length = m->numbers->length;
    bool answers = m->uses_states = false;
    costab_error ignored;
    while (m->numbers->length * LONGER <= most * 1.1 && !answers && !fmu_run_timed_out(m->s->run)) {
        m->numbers->length *= LONGER;
        bool done = measure_markov(m, STEPS, 0, 1, m->G_other, &ignored) == COSTAB_OK;
        for (int e = 0; e < STEPS * m->output_count * m->columns && done; e++)
            answers = answers || m->G_other[e] != 0;
    }
    m->numbers->length = length;
    m->uses_states = uses_states;
    return answers;
}

/* The current realisation and the best one so far. */
typedef struct realising {
    double *F, *E, *K, *best_F, *best_E, *best_K;
    fmu_realisation now, *best;
    bool clear, better; /* now: it has a gap and a small residual; it is the best */
} realising;

/* Realises m->G at a stride. Singular values are cut at 10 times the checks' numbers. Without a gap there,
 * and unless the measurement is one-sided, the cut is raised tenfold up to the requested accuracy. */
static costab_status realise_at(const measure *m, int stride, realising *r, costab_error *error) {
    const double tolerance = fmax(NOISE, 10 * fmax(m->nonlinearity, m->time_variance));
    const double accuracy = fmu_accuracy(m->s->part), most = fmax(tolerance, m->one_sided ? 0 : accuracy);
    const int steps = stride * (2 * m->blocks - 2) + 2, most_order = m->numbers->found.states;
    const fmu_markov g = {m->output_count, m->columns, steps, m->G};
    fmu_realisation *now = &r->now, *best = r->best;
    r->clear = r->better = false;
    for (double noise = tolerance; !r->clear && noise <= most; noise *= 10) {
        TRY(realise(&g, m->blocks, stride, noise, most_order, r->F, r->E, r->K, now, error));
        r->clear = now->order <= most_order && now->least >= GAP * now->next &&
                   now->residual <= fmin(100 * noise, 10 * accuracy);
    }
    r->better =
        r->clear && (now->order > best->order || (now->order == best->order && now->least > best->least));
    if (!r->better) return COSTAB_OK;
    *best = *now;
    memcpy(r->best_F, r->F, (size_t)(now->order * now->order) * sizeof *r->F);
    memcpy(r->best_E, r->E, (size_t)(now->order * m->columns) * sizeof *r->E);
    memcpy(r->best_K, r->K, (size_t)(now->order * m->output_count) * sizeof *r->K);
    return COSTAB_OK;
}

/* Measures Markov parameters for a stride in m->G. If stride 1 was not checked for time dependence, a later
 * impulse comes first, to reject time-varying maps before long runs. */
static costab_status measure_for_stride(measure *m, int stride, costab_error *error) {
    int steps = stride * (2 * m->blocks - 2) + 2, first = 2 * m->blocks;
    if (m->one_sided && !m->uses_states && !m->later_known) {
        TRY(measure_markov(m, first, MEASURE_LATER, 1, m->G_other, error));
        double later = measure_markov_difference(m, first, m->G, m->G_other);
        if (!(later <= fmu_accuracy(m->s->part))) return error_invalid(error, "its map changes with time");
        m->later_known = true;
    }
    if (!measure_grow(m, (size_t)steps + MEASURE_LATER)) return error_memory(error);
    return measure_markov(m, steps, 0, m->amplitude, m->G, error);
}

/* Realises the map with increasing strides. The stride of the last map is tried first; the same order
 * confirms it. */
static costab_status realise_with_strides(measure *m, double *F, double *E, double *K, fmu_realisation *best,
                                          costab_error *error) {
    static const int strides[STRIDES] = {1, 4, 16, 64, 256};
    const int most_order = m->numbers->found.states, last = m->s->stride, order = m->s->order,
              told = count_states(m->s->part->fmu);
    m->later_known = false;
    bool measured = true; /* the first stride was measured before */
    costab_status status = COSTAB_OK;
    *best = (fmu_realisation){.order = -1, .residual = (double)INFINITY};
    memory_local_array(double, f, (size_t)(most_order * (most_order + m->columns + m->output_count)) + 1,
                       error);
    realising r = {.F = f,
                   .E = f + most_order * most_order,
                   .best_F = F,
                   .best_E = E,
                   .best_K = K,
                   .best = best,
                   .clear = false};
    r.K = r.E + most_order * m->columns;
    if (order > 0 && last < m->strides) {
        measured = last == 0;
        if (!measured) status = measure_for_stride(m, strides[last], error);
        if (!status) status = realise_at(m, strides[last], &r, error);
        if (status || best->order == order) return status;
        *best = (fmu_realisation){.order = -1, .residual = (double)INFINITY};
    }
    m->s->order = -1;
    for (int i = 0; i < m->strides && !status; i++) {
        if (i > 0 || !measured) status = measure_for_stride(m, strides[i], error);
        if (!status) status = realise_at(m, strides[i], &r, error);
        if (!status && r.better) m->s->stride = i;
        if (told > 0 && best->order >= told && !r.better) break; /* all states were found */
        if (best->order >= 0 && (best->least > WELL_CONDITIONED || best->order == 0)) break;
        if (best->order < 0 && m->one_sided) break; /* a long run would not help */
        if (!status || i == 0) continue;
        m->strides = i; /* further strides may be too long for the model */
        if (best->order >= 0) status = COSTAB_OK;
    }
    if (!status) m->s->order = best->order;
    if (!status && best->order < 0)
        status = error_invalid(error,
                               "%s: at H = %.9g no order explains its answers: its singular values "
                               "fall without a gap, or it has more than %d states",
                               m->s->part->name, m->numbers->length, most_order);
    if (!status && best->order == 0 && answers_longer_steps(m))
        status = error_invalid(error,
                               "%s: at H = %.9g its outputs do not react, but with longer steps they do: H "
                               "is far below its solver's step",
                               m->s->part->name, m->numbers->length);
    return status;
}

/* Writes the map into A, B, C and rise, padded with zero states if its order is below the number of
 * outputs. */
static void store_map(const measure *m, const fmu_realisation *found, const double *F, const double *E,
                      const double *K) {
    costab_foreign_numbers *numbers = m->numbers;
    int order = found->order, n = order > m->output_count ? order : m->output_count,
        inputs = m->s->part->inputs.count;
    if (n == 0) n = 1;
    memset(numbers->A, 0, (size_t)(n * n) * sizeof *numbers->A);
    memset(numbers->B, 0, (size_t)(n * inputs) * sizeof *numbers->B);
    if (m->columns > inputs) memset(numbers->rise, 0, (size_t)(n * inputs) * sizeof *numbers->rise);
    memset(numbers->C, 0, (size_t)(n * m->output_count) * sizeof *numbers->C);
    for (int a = 0; a < order; a++) {
        for (int b = 0; b < order; b++) numbers->A[a * n + b] = F[a * order + b];
        for (int j = 0; j < m->columns; j++) {
            double *to = j < inputs ? &numbers->B[a * inputs + j] : &numbers->rise[a * inputs + j - inputs];
            *to = E[a * m->columns + j];
        }
        for (int i = 0; i < m->output_count; i++) numbers->C[i * n + a] = K[i * order + a];
    }
    for (int a = m->output_count; a < n && numbers->x0 != NULL; a++) numbers->x0[a] = 0;
    numbers->found.states = n;
    double *last = &m->s->first_checks[m->loops_only].long_run, long_run = m->long_run;
    if (m->long_run_steps == MEASURE_LONG_RUN) *last = long_run;
    long_run = fmax(long_run, *last);
    double checked = m->one_sided ? long_run : fmax(m->nonlinearity, m->time_variance);
    if (long_run > FMU_ACCURACY_OF_DERIVATIVES) checked = fmax(checked, long_run);
    numbers->found.doubt = fmax(m->below, fmax(found->residual, checked));
}

void measure_note(costab_foreign_numbers *numbers, const char *name, double value) {
    if (isnan(value) || numbers->found.check_count == COSTAB_CHECKS_MAX) return;
    numbers->found.checks[numbers->found.check_count++] = (costab_check){name, value};
}

static void note_checks(const measure *m, const fmu_realisation *found) {
    costab_foreign_numbers *to = m->numbers;
    measure_note(to, "nonlinearity",
                 m->one_sided ? m->s->first_checks[m->loops_only].nonlinearity : m->nonlinearity);
    measure_note(to, "time_variance",
                 m->one_sided ? m->s->first_checks[m->loops_only].time_variance : m->time_variance);
    measure_note(to, "drift", m->drift);
    measure_note(to, "residual", found->residual);
    measure_note(to, "long_run", m->long_run);
    measure_note(to, "rollback", m->s->first_checks[m->loops_only].rollback);
    measure_note(to, "set_back_flag", m->s->first_checks[m->loops_only].flag);
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

static void warn_of_checks(const measure *m, const fmu_realisation *found) {
    const costab_fmu *fmu = m->s->part->fmu;
    const fmu_first_checks *checks = &m->s->first_checks[m->loops_only];
    const char *name = m->s->part->name;
    const double doubt = m->numbers->found.doubt;
    const int known = count_states(fmu);
    if (found->order < known)
        measure_warn(
            m->numbers,
            "%.80s shows %d of its %d states at its ports; modes that they do not show are not analysed",
            name, found->order, known);
    if (doubt > FMU_ACCURACY_OF_DERIVATIVES)
        measure_warn(m->numbers,
                     "%.80s answers as a linear map to %.2g, relative, which undecided parts count", name,
                     doubt);
    if (m->drift > fmu_accuracy(m->s->part))
        measure_warn(
            m->numbers,
            "%.80s does not start at an equilibrium (its outputs move by %.2g): its map is that of its start",
            name, m->drift);
    if (m->below > 0)
        measure_warn(
            m->numbers,
            "%.80s was measured just below, at H (1 - %g): at H = %.9g its map changes with time, probably "
            "because its solver takes one step too many",
            name, m->below, m->length);
    if (!m->starts_later)
        measure_warn(m->numbers,
                     "%.80s cannot be started at another time: whether it depends on it is not known", name);
    if (checks->rollback > fmu_accuracy(m->s->part))
        measure_warn(
            m->numbers,
            "%.80s cannot be set back: its answers are then %.2g apart from those of a new instance, "
            "relative; no master can iterate it",
            name, checks->rollback);
    if (checks->flag > fmu_accuracy(m->s->part))
        measure_warn(
            m->numbers,
            "%.80s answers differently (%.2g apart, relative) if noSetFMUStatePriorToCurrentPoint is "
            "false; costab sets it to true",
            name, checks->flag);
}

/* Returns true if the map is linear but varies with time. */
static bool varies_with_time(const measure *m) {
    return m->nonlinearity <= fmu_accuracy(m->s->part) &&
           !(m->time_variance <= fmu_accuracy(m->s->part) && m->long_run <= fmu_accuracy(m->s->part) * 10);
}

/* Runs the checks of the first one-sided map. */
static costab_status check_impulses_once(measure *m, int steps, costab_error *error) {
    fmu_first_checks *to = &m->s->first_checks[m->loops_only];
    const bool uses_states = m->uses_states;
    m->one_sided = m->uses_states = false;
    TRY(measure_markov(m, steps, 0, m->amplitude / 2, m->G_other, error));
    to->nonlinearity = measure_markov_difference(m, steps, m->G, m->G_other);
    TRY(measure_markov(m, steps, MEASURE_LATER, m->amplitude, m->G_other, error));
    to->time_variance = measure_markov_difference(m, steps, m->G, m->G_other);
    m->one_sided = true;
    m->uses_states = uses_states;
    return measure_first_checks(m, steps, error);
}

/* Measures the Markov parameters of one-sided impulses and the outputs at rest. */
static costab_status start_one_sided(measure *m, int steps, costab_error *error) {
    const bool brief = m->long_run_steps < MEASURE_LONG_RUN;
    if (m->uses_states) TRY(measure_by_states(m, error));
    if (m->uses_states) TRY(measure_check_drift(m, brief ? MEASURE_BRIEF_RUN / 2 : steps, error));
    TRY(measure_markov(m, steps, 0, 1, m->G, error));
    if (!m->uses_states) measure_find_drift(m, steps);
    for (int i = 0; i < m->output_count; i++) m->rest_outputs[i] = m->outputs[i];
    return COSTAB_OK;
}

/* Measures a one-sided map. If the long run, with other inputs and another start, agrees to ONE_SIDED_MOST,
 * all other checks are at least as good. m->one_sided: it agrees. */
static costab_status try_one_sided(measure *m, double *map, fmu_realisation *found, costab_error *error) {
    costab_error why = {.status = COSTAB_OK};
    int most_order = m->numbers->found.states, steps = 2 * m->blocks;
    double *E = map + most_order * most_order, *K = E + most_order * m->columns;
    m->one_sided = true;
    m->amplitude = 1;
    m->nonlinearity = m->time_variance = m->drift = 0;
    costab_status status = start_one_sided(m, steps, &why);
    if (!status && !m->s->first_checks[m->loops_only].known) status = check_impulses_once(m, steps, &why);
    if (!status) status = realise_with_strides(m, map, E, K, found, &why);
    if (!status) status = measure_check_long_run(m, found->order, map, E, K, &why);
    m->one_sided = !status && m->long_run <= ONE_SIDED_MOST && m->starts_later;
    if (status && fmu_run_timed_out(m->s->run)) return error_set(error, status, "%s", why.message);
    return status == COSTAB_MEMORY ? error_memory(error) : COSTAB_OK;
}

/* Measures by the FMU's own states if they can be set, otherwise by impulses. */
static costab_status measure_one_sided(measure *m, double *map, fmu_realisation *found, costab_error *error) {
    const fmu_part *part = m->s->part;
    m->uses_states = part->own_states.count > 0 && !m->s->hides_states &&
                     !part->fmu->interfaces[part->kind].single_instance;
    if (!m->uses_states) return try_one_sided(m, map, found, error);
    TRY(try_one_sided(m, map, found, error));
    m->uses_states = false;
    if (m->one_sided) return COSTAB_OK;
    m->s->hides_states = true;
    return try_one_sided(m, map, found, error);
}

static costab_status measure_with_checks(measure *m, double *map, fmu_realisation *found,
                                         costab_error *error) {
    int most_order = m->numbers->found.states, steps = 2 * m->blocks;
    double *E = map + most_order * most_order, *K = E + most_order * m->columns;
    m->drift = m->long_run = 0;
    TRY(measure_choose_amplitude(m, steps, error));
    TRY(measure_check_drift(m, steps, error));
    TRY(refuse_nonlinear(m, error));
    if (!m->s->first_checks[m->loops_only].known) TRY(measure_first_checks(m, steps, error));
    TRY(realise_with_strides(m, map, E, K, found, error));
    return measure_check_long_run(m, found->order, map, E, K, error);
}

static costab_status measure_map(measure *m, double *map, costab_error *error) {
    int most_order = m->numbers->found.states, steps = 2 * m->blocks;
    fmu_realisation found = {.order = 0};
    if (!measure_grow(m, (size_t)steps + MEASURE_LATER)) return error_memory(error);
    TRY(measure_one_sided(m, map, &found, error));
    if (!m->one_sided) TRY(measure_with_checks(m, map, &found, error));
    store_map(m, &found, map, map + most_order * most_order, map + most_order * (most_order + m->columns));
    note_checks(m, &found);
    warn_of_checks(m, &found);
    return COSTAB_OK;
}

/* Measures at H or, if the map varies with time, slightly below. A solver that accumulates its steps up to
 * the macro step's end takes one too many if rounding leaves it just short of the end. */
static costab_status measure_at_or_below(measure *m, double *map, costab_error *error) {
    static const double below[] = {1e-9, 1e-7};
    const int count = (int)(sizeof below / sizeof *below);
    costab_status status = measure_map(m, map, error);
    for (int i = 0; i < count && status == COSTAB_INVALID && varies_with_time(m); i++) {
        costab_error ignored;
        m->below = below[i];
        m->time_variance = m->drift = m->long_run = 0;
        m->numbers->length = m->length * (1 - below[i]);
        if (measure_map(m, map, &ignored) == COSTAB_OK) status = COSTAB_OK;
    }
    m->numbers->length = m->length;
    return status;
}

/* Measures one step of the FMU's own solver, if its length is known and divides H, and takes the power of its
 * map. Without that, or if the FMU's outputs differ from the power, measures the macro step itself. */
static costab_status measure_own_step_or_whole(measure *m, double *map, costab_error *error) {
    costab_foreign_numbers *numbers = m->numbers;
    const double most = 1e6, ratio = numbers->own_step > 0 ? m->length / numbers->own_step : 0;
    const int most_order = numbers->found.states, steps = ratio <= most ? (int)rint(ratio) : 0;
    bool right = false;
    if (steps < 2 || fabs(ratio - steps) > 1e-9 * steps) return measure_at_or_below(m, map, error);
    costab_error ignored;
    numbers->length = numbers->own_step;
    bool found = map_cache_find(m->s, numbers);
    measure own = *m;
    own.length = numbers->length;
    costab_status status = found ? COSTAB_OK : measure_at_or_below(&own, map, &ignored);
    m->outputs = own.outputs, m->compared = own.compared, m->G = own.G, m->G_other = own.G_other,
    m->capacity = own.capacity, m->by_states = own.by_states;
    if (!status && !found) map_cache_store(m->s, numbers);
    numbers->length = m->length;
    if (!status) status = measure_power(m, steps, &right, error);
    if (status == COSTAB_MEMORY) return error_memory(error);
    if (right) measure_note(numbers, "own_steps", steps);
    if (right) return COSTAB_OK;
    m->long_run = 0;
    m->s->first_checks[m->loops_only].known = false;
    numbers->found.states = most_order;
    numbers->found.check_count = 0;
    numbers->found.warning[0] = '\0';
    return measure_at_or_below(m, map, error);
}

/* Appends alternatives to the error: a smaller tolerance, model exchange (derivatives need no measurement),
 * and simulation, which needs no map. */
static costab_status suggest_alternatives(const fmu_part *part, costab_error *error) {
    const fmu_interface *other = &part->fmu->interfaces[COSTAB_FMU_MODEL_EXCHANGE];
    char said[sizeof error->message], finer[64] = "";
    if (error == NULL) return COSTAB_INVALID;
    if (part->fmu->tolerance > 0)
        (void)snprintf(finer, sizeof finer, "; its tolerance is %.3g: try a smaller 'tolerance'",
                       part->tolerance);
    memcpy(said, error->message, sizeof said);
    return error_invalid(error, "%s%s%s; costab simulate runs this model", said, finer,
                         other->library != NULL ? "; it offers 'kind: model-exchange', too" : "");
}

/* Stores the zero map: for an FMU without inputs or outputs, without a map, or for simulations, which step
 * the FMU itself. */
static costab_status hold_outputs(const measure *m) {
    const fmu_realisation none = {.order = 0};
    store_map(m, &none, NULL, NULL, NULL);
    return COSTAB_OK;
}

/* Checks for simulations, without a map, if the FMU can be set back. Failed runs are ignored; the simulation
 * itself reports them. */
static costab_status prepare_simulation(measure *m, costab_error *error) {
    enum { STEPS = 8 };
    const fmu_part *part = m->s->part;
    costab_error ignored;
    m->numbers->found.held = false;
    bool asked = part->fmu->interfaces[part->kind].keeps_state && m->columns > 0 && m->output_count > 0;
    if (!asked || m->s->first_checks[0].known) return hold_outputs(m);
    if (!measure_grow(m, STEPS)) return error_memory(error);
    if (measure_first_checks(m, STEPS, &ignored) == COSTAB_MEMORY) return error_memory(error);
    m->s->loops_only = false;
    return hold_outputs(m);
}

/* Names the first excluded port and their number. */
static void warn_of_ports_left_out(const measure *m) {
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

/* Returns true if some ports are in a loop of connections, and others are not or inputs may be held. */
static bool can_restrict_to_loops(const measure *m) {
    const costab_foreign_numbers *numbers = m->numbers;
    const int inputs = m->s->part->inputs.count;
    int idle[2] = {0, 0};
    for (int i = 0; numbers->idle != NULL && i < inputs + m->output_count; i++)
        idle[i >= inputs] += numbers->idle[i];
    bool looped = numbers->idle != NULL && idle[0] < inputs && idle[1] < m->output_count;
    return looped && (idle[0] + idle[1] > 0 || (numbers->found.held && m->columns > inputs));
}

/* Measures all ports or, without a map of all, only the ports in loops, since the others may be nonlinear or
 * time-dependent. */
static costab_status measure_all_or_loop_ports(measure *m, double *map, costab_error *error) {
    const int most_order = m->numbers->found.states;
    costab_error why = {.status = COSTAB_OK};
    costab_status status = measure_own_step_or_whole(m, map, &why);
    m->s->loops_only = status == COSTAB_INVALID && can_restrict_to_loops(m);
    if (!m->s->loops_only) {
        m->numbers->found.held = false;
        return status ? error_set(error, status, "%s", why.message) : COSTAB_OK;
    }
    m->loops_only = true;
    m->long_run = m->below = 0;
    m->numbers->found.states = most_order;
    m->numbers->found.check_count = 0;
    m->numbers->found.warning[0] = '\0';
    status = measure_own_step_or_whole(m, map, error);
    if (!status) warn_of_ports_left_out(m);
    return status;
}

/* Runs replace the FMU's instance, so a new one is created for simulations at the end. */
costab_status measure_update(fmu_subsystem *s, costab_foreign_numbers *numbers, costab_error *error) {
    const fmu_part *part = s->part;
    measure m = {.s = s,
                 .numbers = numbers,
                 .length = numbers->length,
                 .output_count = part->outputs.count,
                 .columns = fmu_part_columns(part),
                 .amplitude = 1,
                 .strides = STRIDES,
                 .long_run_steps = numbers->brief && s->first_checks[s->loops_only].known ? MEASURE_BRIEF_RUN
                                                                                          : MEASURE_LONG_RUN};
    int wider = m.output_count > m.columns ? m.output_count : m.columns, most_order = numbers->found.states;
    m.blocks = BLOCKS * wider <= VALUES_MOST ? BLOCKS : VALUES_MOST / wider;
    if (!(numbers->length > 0)) return error_invalid(error, "%s: the macro step is not positive", part->name);
    if (m.blocks < 4)
        return error_invalid(error, "%s: its map cannot be measured with %d inputs and %d outputs",
                             part->name, m.columns, m.output_count);
    memory_local double *map =
        memory_alloc((size_t)(most_order * (most_order + m.columns + m.output_count)) + 1, sizeof *map);
    m.change = memory_alloc((size_t)(m.columns + m.output_count) + 1, sizeof *m.change);
    m.rest_outputs = m.change + m.columns;
    bool found = !s->runs_only && map_cache_find(s, numbers);
    bool allocated = map != NULL && m.change != NULL;
    costab_status status = !allocated                        ? error_memory(error)
                           : found                           ? COSTAB_OK
                           : s->runs_only                    ? prepare_simulation(&m, error)
                           : m.output_count * m.columns == 0 ? hold_outputs(&m)
                                                             : measure_all_or_loop_ports(&m, map, error);
    if (!status && !found && !s->runs_only) map_cache_store(s, numbers);
    if (status == COSTAB_INVALID)
        status = numbers->time_varying ? hold_outputs(&m) : suggest_alternatives(part, error);
    memory_free_all(m.change, m.outputs, m.compared, m.G, m.G_other, m.by_states);
    if (status) return status;
    measure_copy_starts(part, numbers, s->asked);
    memcpy(s->asked + part->starts.count, numbers->point, (size_t)part->inputs.count * sizeof *s->asked);
    return fmu_run_ask(s->run, &(fmu_request){.operation = FMU_START, .t = s->start_time}, s->asked,
                       s->answer, error);
}
