/* One request for runs of an FMU (FMU_RESPONSE): room for the outputs, the nominal values by which inputs
 * are changed, and the outputs, with 0 for those that the measurement leaves out. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fmu/measure.h"

double measure_output_difference(double one, double other, int steps) {
    double off = one - other;
    return fabs(off) > 8 * DBL_EPSILON * steps * (fabs(one) + fabs(other)) ? off : 0;
}

bool measure_grow(measure *m, size_t steps) {
    size_t outputs = (size_t)m->q, inputs = (size_t)m->m;
    if (steps <= m->room) return true;
    double **blocks[] = {&m->outputs, &m->opposite, &m->G, &m->G_other};
    const size_t columns[] = {2 * inputs, 1, inputs, inputs};
    for (int i = 0; i < 4; i++) {
        memory_free(*blocks[i]);
        *blocks[i] = memory_alloc(steps * outputs * columns[i], sizeof(double));
    }
    m->room = steps;
    return m->outputs != NULL && m->opposite != NULL && m->G != NULL && m->G_other != NULL;
}

double measure_nominal(const measure *m, int input) {
    const fmu_part *part = m->s->part;
    int first = 0;
    bool rise = input >= part->inputs.count;
    if (rise) input -= part->inputs.count;
    if (m->loops_only && (m->numbers->idle[input] || (rise && m->numbers->found.held))) return 0;
    for (int k = 0; k < part->inputs.variable_count; k++) {
        const fmu_variable *v = &part->fmu->variables[part->inputs.variables[k]];
        first += (int)v->size;
        if (input < first) return fmu_part_is_usual(part->kind, v) ? v->nominal : 0;
    }
    return 1;
}

costab_status measure_run(const measure *m, const fmu_request *request, const double *change, double *outputs,
                          costab_error *error) {
    double *asked = m->s->asked, *inputs = asked + m->s->part->starts.count;
    measure_copy_starts(m->s->part, m->numbers, asked);
    size_t values = (size_t)m->s->part->inputs.count;
    memcpy(inputs, m->numbers->point, values * sizeof *inputs);
    memcpy(inputs + values, change, (size_t)m->m * sizeof *inputs);
    costab_status status = fmu_run_ask(m->s->run, request, asked, outputs, error);
    size_t count = child_answer_size(m->s->part, request);
    for (size_t i = 0; i < count && !status; i++) {
        size_t output = i % (size_t)m->q;
        bool idle = m->loops_only && m->numbers->idle[values + output];
        if (idle || m->s->part->outputs.held[output]) outputs[i] = 0;
    }
    return status;
}

void measure_copy_starts(const fmu_part *part, const costab_foreign_numbers *numbers, double *to) {
    for (int i = 0; i < part->starts.count; i++) to[i] = numbers->starts[i];
}
