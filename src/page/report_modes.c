/* Part of the report on modes (costab map), at today's macro step and at the limit.
 *   1. All eigenvalues of the map, with those removed as structural.
 *   2. For the MODES leading modes: frequency, growth and the participation of subsystems and connections.
 *   3. If the limit has no dominant subsystem, that of the first mode is taken. */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "page/report.h"

enum { MODES = 6 };

static void put_mode(report *r, const costab_modes *modes, int m) {
    const costab_mode *mode = &modes->modes[m];
    json *out = &r->out;
    json_object(out, NULL);
    json_numbers(out, "eigenvalue", (const double[]){mode->re, mode->im}, 2);
    json_maybe(out, "frequency", mode->frequency);
    json_maybe(out, "damping", mode->damping);
    json_maybe(out, "growth", mode->growth);
    json_numbers(out, "shares", modes->shares + (size_t)m * (size_t)modes->subsystems,
                 (size_t)modes->subsystems);
    json_numbers(out, "links", modes->links + (size_t)m * (size_t)modes->connections,
                 (size_t)modes->connections);
    json_end_object(out);
}

/* Puts an array per eigenvalue: real part, imaginary part, and 1 if it was removed. */
static costab_status put_eigenvalues(report *r, int size, costab_error *error) {
    memory_local costab_complex *values = memory_alloc((size_t)size + 1, sizeof *values);
    memory_local bool *neutral = memory_alloc((size_t)size + 1, sizeof *neutral);
    bool good = values != NULL && neutral != NULL;
    if (good) costab_network_spectrum(r->work, values, neutral);
    json_array(&r->out, "eigenvalues");
    for (int i = 0; i < size && good; i++)
        json_numbers(&r->out, NULL, (const double[]){values[i].re, values[i].im, 1}, neutral[i] ? 3 : 2);
    json_end_array(&r->out);
    return good ? COSTAB_OK : error_memory(error);
}

/* Takes the dominant subsystem of the first mode, unless one is known. */
static void take_dominant(report *r, const costab_modes *modes) {
    if (r->dominant >= 0 || modes->count == 0) return;
    r->dominant = 0;
    for (int s = 1; s < modes->subsystems; s++)
        if (modes->shares[s] > modes->shares[r->dominant]) r->dominant = s;
}

static costab_status put_map(report *r, const char *label, double step, costab_error *error) {
    ends_by(costab_modes_free) costab_modes modes = {.count = 0};
    costab_network_point point;
    costab_coupling coupling;
    costab_error why;
    text_local set = {0};
    json *out = &r->out;
    json_object(out, NULL);
    json_text(out, "label", label);
    json_number(out, "step", step);
    costab_status status = analysis_variant_coupling(&r->variant, r->instance, 0, &coupling, &why);
    if (!status)
        status =
            costab_network_analyse_modes(r->work, report_network(r), &coupling, MODES, &point, &modes, &why);
    if (status) {
        status = report_refused(r, status, &why, error);
    } else {
        take_dominant(r, &modes);
        status = put_eigenvalues(r, point.size, error);
        json_array(out, "modes");
        for (int m = 0; m < modes.count; m++) put_mode(r, &modes, m);
        json_end_array(out);
    }
    report_add_step(r, &set, step);
    report_command_alone(r, "map", NULL, &set);
    json_end_object(out);
    return status;
}

costab_status report_modes(report *r, costab_error *error) {
    json_array(&r->out, "maps");
    if (!isnan(r->limit) && r->limit_is == COSTAB_END_LIMIT && r->limit != r->step) {
        TRY(report_set(r, r->limit, error));
        TRY(put_map(r, "at the limit", r->limit, error));
        TRY(report_reset(r, error));
    }
    TRY(put_map(r, "today", r->step, error));
    json_end_array(&r->out);
    return COSTAB_OK;
}
