/* Data of a planar explorer page in addition to the grid and the text.
 *   1. The methods, with the polynomials for the page's kernel (plots/explorer_planar.js).
 *   2. For each co-simulation scheme the areas of SS and US at AREAS values of a, infinite areas as null, and
 *      the critical values of a in that range, if stages times micro steps are at most DEGREE_MOST. Not for
 *      the simulation: its areas do not depend on a and take long.
 *
 * Cost: some milliseconds for each area. */
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "costab/area.h"
#include "page/explore.h"

/* Number of areas along a; largest stages times micro steps for some milliseconds per area. */
enum { AREAS = 121, DEGREE_MOST = 24 };

/* Finds the range of a: that of the axis, or for a single value a range with the critical values of rk4 and
 * this value. */
static void range_of(const costab_axis *axis, double *low, double *high) {
    *low = *high = axis->values[0];
    for (size_t i = 0; i < axis->count; i++) {
        *low = fmin(*low, axis->values[i]);
        *high = fmax(*high, axis->values[i]);
    }
    if (axis->count > 1) return;
    *low = fmin(*low - 1, -4);
    *high = fmax(*high + 1, 4);
}

static const char own_title[] = "the spec's own";

/* Puts the entries as --method takes them; c is A times 1. */
static void put_tableau(json *out, const costab_method *method) {
    text_local t = {0};
    text_append(&t, "{A: ");
    for (int i = 0; i < method->stages; i++)
        for (int j = 0; j < method->stages; j++)
            text_append_number(&t, j > 0 ? ", " : i > 0 ? "], [" : "[[", method->A[i][j]);
    for (int j = 0; j < method->stages; j++) text_append_number(&t, j > 0 ? ", " : "]], b: [", method->b[j]);
    text_append(&t, "]}");
    if (t.failed) out->failed = true;
    json_text(out, "tableau", t.failed ? "" : t.data);
}

/* Puts a method with its polynomials. The exact solution has none. */
static void put_method(json *out, const costab_method *method, const char *title) {
    json_object(out, NULL);
    json_text(out, "name", method->name);
    json_text(out, "title", title);
    if (title == own_title) put_tableau(out, method);
    if (method->kind == COSTAB_RUNGE_KUTTA) {
        json_numbers(out, "phi", method->phi, (size_t)method->phi_degree + 1);
        json_numbers(out, "p1", method->p1, (size_t)method->p1_degree + 1);
        json_numbers(out, "denominator", method->denominator, (size_t)method->denominator_degree + 1);
    }
    json_end_object(out);
}

/* Puts the spec's own tableau, if it has one, and all named methods. */
static costab_status put_methods(json *out, const costab_method *own, costab_error *error) {
    costab_method method;
    costab_error unknown;
    json_array(out, "methods");
    if (costab_method_find(own->name, &method, &unknown)) put_method(out, own, own_title);
    for (int i = 0; i < costab_method_count(); i++) {
        TRY(costab_method_find(costab_method_name(i), &method, error));
        put_method(out, &method, costab_method_title(i));
    }
    json_end_array(out);
    return COSTAB_OK;
}

/* Puts rows of a, the area of SS and the area of US; null for an infinite area. Leaves out values of a that
 * are refused. */
static void put_areas(json *out, const costab_planar *planar, double low, double high) {
    costab_error why;
    json_array(out, "areas");
    for (size_t i = 0; i < AREAS; i++) {
        costab_areas areas;
        double a = number_linspace(low, high, AREAS, i);
        if (costab_planar_areas(planar, a, &areas, &why)) continue;
        json_array(out, NULL);
        json_number(out, NULL, a);
        json_maybe(out, NULL, isfinite(areas.ss) ? areas.ss : (double)NAN);
        json_maybe(out, NULL, isfinite(areas.us) ? areas.us : (double)NAN);
        json_end_array(out);
    }
    json_end_array(out);
}

static void put_critical(json *out, const costab_planar *planar, double low, double high) {
    const costab_critical_options options = {.low = low, .high = high};
    costab_critical critical[COSTAB_CRITICAL_MAX];
    costab_error why;
    size_t count = 0;
    json_array(out, "critical");
    if (costab_planar_critical(planar, &options, critical, &count, &why)) count = 0;
    for (size_t i = 0; i < count; i++) {
        json_object(out, NULL);
        json_number(out, "a", critical[i].a);
        json_text(out, "event", costab_event_name(critical[i].event));
        json_end_object(out);
    }
    json_end_array(out);
}

/* Puts areas and critical values of a scheme with the spec's method. Leaves out the simulation, whose areas
 * do not depend on a and take long, and methods with too many stages or micro steps. */
static costab_status put_scheme(json *out, const costab_spec *spec, int scheme, double low, double high,
                                costab_error *error) {
    const costab_planar_body *body = &spec->planar;
    costab_planar planar;
    int substeps = body->substeps[0] > body->substeps[1] ? body->substeps[0] : body->substeps[1];
    bool few = (body->method.kind == COSTAB_EXACT ? 1 : body->method.stages) * substeps <= DEGREE_MOST;
    if (!few || scheme == COSTAB_SIMULATION) return COSTAB_OK;
    TRY(costab_planar_init(&planar, (costab_scheme)scheme, &body->method, body->substeps[0],
                           body->substeps[1], error));
    json_object(out, costab_scheme_name((costab_scheme)scheme));
    put_areas(out, &planar, low, high);
    put_critical(out, &planar, low, high);
    json_end_object(out);
    return COSTAB_OK;
}

costab_status explore_planar(json *out, const costab_spec *spec, costab_error *error) {
    const costab_planar_body *body = &spec->planar;
    double low, high;
    json_object(out, "planar");
    json_text(out, "method", body->method.name);
    json_numbers(out, "substeps", (const double[]){body->substeps[0], body->substeps[1]}, 2);
    TRY(put_methods(out, &body->method, error));
    if (spec->axes[COSTAB_AXIS_A].count > 0) {
        range_of(&spec->axes[COSTAB_AXIS_A], &low, &high);
        json_numbers(out, "range", (const double[]){low, high}, 2);
        json_object(out, "along");
        for (int s = 0; s < COSTAB_SCHEME_COUNT; s++) TRY(put_scheme(out, spec, s, low, high, error));
        json_end_object(out);
    }
    json_end_object(out);
    return COSTAB_OK;
}
