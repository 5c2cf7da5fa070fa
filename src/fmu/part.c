/* A part: the portion of an FMU used by a subsystem.
 * 1. Kind: the requested one, otherwise the only one offered; the FMU must have a library for this machine.
 * 2. Ports: states and their derivatives (model exchange), inputs and outputs: the named ones, otherwise all
 *    usual ones. Arrays contribute all their values.
 * 3. Outputs that are neither states nor held are listed separately (`computed_outputs`), because FMUs
 * provide directional derivatives of these only.
 * 4. Variables with start values.
 * Errors suggest the closest variable. */
#include "fmu/part.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/spelling.h"

#define VALUES_MAX 2000 /* states, inputs or outputs of a subsystem */

/* ---- Lists of variables ---- */

static costab_status ports_allocate(fmu_ports *p, size_t variables, costab_error *error) {
    TRY(memory_make(&p->variables, variables + 1, error));
    TRY(memory_make(&p->references, variables + 1, error));
    TRY(memory_make(&p->names, VALUES_MAX, error));
    TRY(memory_make(&p->units, VALUES_MAX, error));
    return memory_make(&p->held, VALUES_MAX, error);
}

static costab_status ports_add(const fmu_part *part, fmu_ports *p, int variable, costab_error *error) {
    const fmu_variable *v = &part->fmu->variables[variable];
    if (v->size > (size_t)(VALUES_MAX - p->count))
        return error_invalid(error, "%s: more than %d states, inputs or outputs; name those that are needed",
                             part->name, VALUES_MAX);
    p->references[p->variable_count] = v->reference;
    p->variables[p->variable_count++] = variable;
    for (size_t i = 0; i < v->size; i++) {
        size_t size = strlen(v->name) + 24;
        char *name = memory_alloc(size, 1);
        if (name == NULL) return error_memory(error);
        (void)snprintf(name, size, v->size > 1 ? "%s[%zu]" : "%s", v->name, i + 1);
        p->units[p->count] = v->unit;
        p->held[p->count] = !fmu_part_is_usual(part->kind, v);
        p->names[p->count++] = name;
    }
    return COSTAB_OK;
}

static void ports_free(fmu_ports *p) {
    for (int i = 0; p->names != NULL && i < p->count; i++) memory_free(p->names[i]);
    memory_free_all(p->names, p->units, p->variables, p->references, p->held);
}

/* ---- Ports ---- */

bool fmu_part_is_usual(costab_fmu_kind kind, const fmu_variable *v) {
    fmu_variability least = kind == COSTAB_FMU_CO_SIMULATION ? FMU_DISCRETE : FMU_CONTINUOUS;
    return v->type == FMU_REAL && v->variability >= least;
}

bool fmu_part_is_possible(const fmu_variable *v) {
    bool number = v->type == FMU_REAL || v->type == FMU_INTEGER || v->type == FMU_INT64 ||
                  v->type == FMU_UINT64 || v->type == FMU_BOOLEAN;
    return number && v->variability >= FMU_DISCRETE && (v->size == 1 || v->type == FMU_REAL);
}

static costab_status no_such(const fmu_part *part, const char *what, const char *name, costab_error *error) {
    char words[SPELLING_GUESS_MAX];
    return error_invalid(error, "%s has no variable '%s', which %s%s", part->name, name, what,
                         spelling_meant(description_nearest(part->fmu, name), "", "", words, sizeof words));
}

static costab_status find_named(const fmu_part *part, fmu_ports *p, fmu_causality causality,
                                const char *const *names, int count, costab_error *error) {
    const char *word = causality == FMU_INPUT ? "input" : "output";
    for (int i = 0; i < count; i++) {
        int at = description_find(part->fmu, names[i]);
        if (at < 0) return no_such(part, "is to be a port", names[i], error);
        const fmu_variable *v = &part->fmu->variables[at];
        bool local = causality == FMU_OUTPUT && v->causality == FMU_LOCAL &&
                     fmu_part_is_usual(part->kind, v); /* any readable variable may be an output */
        if (!(v->causality == causality && fmu_part_is_possible(v)) && !local)
            return error_invalid(error, "%s: '%s' is not a variable %s, a real or whole number or a flag",
                                 part->name, names[i], word);
        TRY(ports_add(part, p, at, error));
    }
    return COSTAB_OK;
}

static costab_status find_ports(const fmu_part *part, fmu_ports *p, fmu_causality causality,
                                const char *const *names, int count, costab_error *error) {
    const costab_fmu *fmu = part->fmu;
    TRY(ports_allocate(p, (size_t)(fmu->variable_count > count ? fmu->variable_count : count), error));
    if (names != NULL) return find_named(part, p, causality, names, count, error);
    for (int i = 0; i < fmu->variable_count; i++)
        if (fmu->variables[i].causality == causality && fmu_part_is_usual(part->kind, &fmu->variables[i]))
            TRY(ports_add(part, p, i, error));
    return COSTAB_OK;
}

static costab_status find_own_states(fmu_part *part, costab_error *error) {
    const costab_fmu *fmu = part->fmu;
    for (int i = 0; i < fmu->state_count; i++) {
        const fmu_variable *v = &fmu->variables[fmu->states[i].variable];
        if (!fmu_part_is_usual(part->kind, v) || !description_may_start(v)) return COSTAB_OK;
    }
    for (int i = 0; i < fmu->state_count; i++)
        TRY(ports_add(part, &part->own_states, fmu->states[i].variable, error));
    return COSTAB_OK;
}

static costab_status find_states(fmu_part *part, costab_error *error) {
    const costab_fmu *fmu = part->fmu;
    TRY(ports_allocate(&part->states, (size_t)fmu->state_count, error));
    TRY(ports_allocate(&part->derivatives, (size_t)fmu->state_count, error));
    TRY(ports_allocate(&part->own_states, (size_t)fmu->state_count, error));
    if (part->kind == COSTAB_FMU_CO_SIMULATION) return find_own_states(part, error);
    for (int i = 0; i < fmu->state_count; i++) {
        TRY(ports_add(part, &part->states, fmu->states[i].variable, error));
        TRY(ports_add(part, &part->derivatives, fmu->states[i].derivative, error));
    }
    for (int i = 0; i < part->states.count; i++) part->states.held[i] = false;
    return COSTAB_OK;
}

static costab_status find_computed_outputs(fmu_part *part, costab_error *error) {
    int row = 0;
    TRY(ports_allocate(&part->computed_outputs, (size_t)part->outputs.variable_count, error));
    TRY(memory_make(&part->computed_rows, (size_t)part->outputs.count + 1, error));
    for (int i = 0; i < part->outputs.variable_count; i++) {
        int variable = part->outputs.variables[i], size = (int)part->fmu->variables[variable].size;
        int first = part->computed_outputs.count;
        bool state = part->kind == COSTAB_FMU_MODEL_EXCHANGE && part->fmu->variables[variable].is_state;
        bool held = !fmu_part_is_usual(part->kind, &part->fmu->variables[variable]);
        if (!state && !held) TRY(ports_add(part, &part->computed_outputs, variable, error));
        for (int k = first; k < part->computed_outputs.count; k++) part->computed_rows[k] = row + k - first;
        row += size;
    }
    return COSTAB_OK;
}

static costab_status find_starts(fmu_part *part, const costab_foreign_wish *wish, costab_error *error) {
    TRY(ports_allocate(&part->starts, (size_t)wish->start_count, error));
    for (int i = 0; i < wish->start_count; i++) {
        int at = description_find(part->fmu, wish->starts[i]);
        if (at < 0) return no_such(part, "'start' gives a value", wish->starts[i], error);
        if (part->fmu->variables[at].causality == FMU_STRUCTURAL_PARAMETER)
            return error_invalid(
                error,
                "%s: '%s' is a structural parameter, which 'start' cannot change: the sizes of arrays, "
                "and so the numbers of states and ports, are those of its start value",
                part->name, wish->starts[i]);
        if (!description_may_start(&part->fmu->variables[at]))
            return error_invalid(
                error,
                "%s: '%s' cannot be given a value by 'start': that is for parameters and start "
                "values, single numbers or flags, that the FMU lets be set before its "
                "initialisation",
                part->name, wish->starts[i]);
        TRY(ports_add(part, &part->starts, at, error));
    }
    return COSTAB_OK;
}

/* ---- The kind ---- */

static costab_status no_binary(const fmu_part *part, costab_error *error) {
    const costab_fmu *fmu = part->fmu;
    const char *sources = fmu->sources ? " (and sources, which costab does not compile)" : "";
    if (description_folder(fmu->version) == NULL)
        return error_invalid(
            error, "%s: costab runs FMUs on Linux with x86-64 (FMI 3.0 also with aarch64) only", part->name);
    if (fmu->platforms[0] == '\0')
        return error_invalid(error, "%s: it contains no binary for any machine%s", part->name, sources);
    return error_invalid(error,
                         "%s: there is no %s%s.so in it, which this machine needs; it has binaries for %s%s",
                         part->name, description_folder(fmu->version), fmu->interfaces[part->kind].identifier,
                         fmu->platforms, sources);
}

/* Chooses the requested kind, otherwise the only one offered. */
static costab_status choose_kind(fmu_part *part, const char *kind, costab_error *error) {
    const costab_fmu *fmu = part->fmu;
    int k = 0;
    while (kind != NULL && k < COSTAB_FMU_KIND_COUNT &&
           strcmp(kind, costab_fmu_kind_name((costab_fmu_kind)k)) != 0)
        k++;
    if (k == COSTAB_FMU_KIND_COUNT)
        return error_invalid(error, "'%s' is not a kind of FMU: take model-exchange or co-simulation", kind);
    if (kind == NULL && fmu->interfaces[k].identifier == NULL) k = COSTAB_FMU_CO_SIMULATION;
    if (kind == NULL && k == COSTAB_FMU_MODEL_EXCHANGE &&
        fmu->interfaces[COSTAB_FMU_CO_SIMULATION].identifier != NULL)
        return error_invalid(
            error, "%s offers both kinds; give one: 'kind: model-exchange' or 'kind: co-simulation'",
            part->name);
    part->kind = (costab_fmu_kind)k;
    if (fmu->interfaces[k].identifier == NULL && fmu->interfaces[!k].identifier == NULL)
        return error_invalid(error,
                             "%s offers neither model exchange nor co-simulation%s; costab runs no other",
                             part->name, fmu->scheduled ? ", but scheduled execution" : "");
    if (fmu->interfaces[k].identifier == NULL)
        return error_invalid(error, "%s does not offer %s, but %s", part->name,
                             costab_fmu_kind_name(part->kind), costab_fmu_kind_name((costab_fmu_kind)!k));
    return fmu->interfaces[k].library != NULL ? COSTAB_OK : no_binary(part, error);
}

/* ---- The part ---- */

bool fmu_part_feeds_through(const fmu_part *part) {
    for (int i = 0; i < part->outputs.variable_count && part->inputs.count > 0; i++)
        if (!part->fmu->variables[part->outputs.variables[i]].no_feedthrough &&
            fmu_part_is_usual(part->kind, &part->fmu->variables[part->outputs.variables[i]]))
            return true;
    return false;
}

static costab_status make(fmu_part *part, const costab_foreign_wish *wish, costab_error *error) {
    TRY(costab_fmu_read(wish->path, &part->fmu, error));
    if ((part->name = memory_copy(file_name(wish->path))) == NULL) return error_memory(error);
    part->tolerance = wish->tolerance > 0 ? wish->tolerance : part->fmu->tolerance;
    TRY(choose_kind(part, wish->kind, error));
    TRY(find_states(part, error));
    TRY(find_ports(part, &part->inputs, FMU_INPUT, wish->inputs, wish->input_count, error));
    TRY(find_ports(part, &part->outputs, FMU_OUTPUT, wish->outputs, wish->output_count, error));
    TRY(find_computed_outputs(part, error));
    return find_starts(part, wish, error);
}

costab_status fmu_part_make(const costab_foreign_wish *wish, fmu_part **part, costab_error *error) {
    TRY(memory_make(part, 1, error));
    costab_status status = make(*part, wish, error);
    if (status) fmu_part_free(part);
    return status;
}

void fmu_part_free(fmu_part **part) {
    if (part == NULL || *part == NULL) return;
    fmu_ports *lists[] = {&(*part)->states,    &(*part)->derivatives, &(*part)->inputs,
                          &(*part)->outputs,   &(*part)->starts,      &(*part)->computed_outputs,
                          &(*part)->own_states};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) ports_free(lists[i]);
    costab_fmu_free(&(*part)->fmu);
    memory_free_all((*part)->name, (*part)->computed_rows, *part);
    *part = NULL;
}

/* For all parts; 0: the default of their kind. */
static double accuracy;

costab_status costab_fmu_set_accuracy(double given, costab_error *error) {
    if (!(given >= 1e-12 && given <= 1e-2))
        return error_invalid(error, "an accuracy of %g is not between 1e-12 and 0.01", given);
    accuracy = given;
    return COSTAB_OK;
}

double fmu_accuracy(const fmu_part *part) {
    if (accuracy > 0) return accuracy;
    return part->kind == COSTAB_FMU_CO_SIMULATION ? FMU_ACCURACY_OF_STEPS : FMU_ACCURACY_OF_DERIVATIVES;
}
