#include "claims/claims.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "costab/study.h"

static const struct {
    const char *name;
    claims_source *all;
} sources[] = {{"kns2014", claims_kns2014},
               {"skjong2019", claims_skjong2019},
               {"gomes2018", claims_gomes2018},
               {"ma2015", claims_ma2015},
               {"lim", claims_lim},
               {"precice", claims_precice},
               {"quarter-car", claims_quarter_car},
               {"kyllingstad", claims_kyllingstad}};

enum { SOURCES = sizeof sources / sizeof sources[0] };

const char *costab_claims_source(int index) {
    return index >= 0 && index < SOURCES ? sources[index].name : NULL;
}

const char *costab_verdict_name(costab_verdict verdict) {
    static const char *const names[] = {"agrees", "differs", "not printed"};
    return (unsigned)verdict <= COSTAB_NOT_PRINTED ? names[verdict] : "unknown";
}

/* ---- One claim ---- */

/* Half a unit of the last printed digit, and the rounding of the decimal number itself. */
static double printed_error(const char *printed, double value) {
    const char *point = strchr(printed, '.');
    double digits = point != NULL ? (double)strlen(point + 1) : 0;
    return 0.5 * pow(10, -digits) + 1e-15 * fabs(value);
}

void claim_number(claims *c, const char *quantity, const char *printed, double computed, const char *reason) {
    double value;
    bool agrees = number_parse_double(printed, strlen(printed), &value) &&
                  fabs(computed - value) <= printed_error(printed, value);
    claim_statement(c, quantity, printed, computed, agrees, reason);
}

void claim_statement(claims *c, const char *quantity, const char *printed, double computed, bool holds,
                     const char *reason) {
    costab_verdict verdict = printed[0] == '\0' ? COSTAB_NOT_PRINTED : holds ? COSTAB_AGREES : COSTAB_DIFFERS;
    costab_claim claim = {c->source, quantity, printed, computed, verdict, reason};
    if (isnan(computed))
        CLAIMS_TRY(
            c, error_set(c->error, COSTAB_NUMERIC, "%s: '%s' could not be computed", c->source, quantity));
    CLAIMS_TRY(c, c->take(c->context, &claim, c->error));
}

/* ---- A network ---- */

static void forget_model(claims *c) {
    costab_model_instance_destroy(&c->instance);
    costab_spec_destroy(&c->spec);
}

void claims_model(claims *c, const char *name) {
    const claims_text *m = claims_models;
    while (m->name != NULL && strcmp(m->name, name) != 0) m++;
    forget_model(c);
    if (m->name == NULL) CLAIMS_TRY(c, error_set(c->error, COSTAB_INVALID, "there is no model '%s'", name));
    CLAIMS_TRY(c, costab_spec_parse(name, m->yaml, strlen(m->yaml), &c->spec, c->error));
    CLAIMS_TRY(c, costab_model_instance_create(c->spec->model, &c->instance, c->error));
}

void claims_set(claims *c, const char *parameter, double value) {
    int index;
    CLAIMS_TRY(c, costab_model_find_parameter(c->spec->model, parameter, &index, c->error));
    if (!c->status) costab_model_instance_set(c->instance, index, value);
}

const costab_network *claims_network(claims *c) {
    CLAIMS_TRY(c, costab_model_instance_update(c->instance, c->error));
    return !c->status ? costab_model_instance_network(c->instance) : NULL;
}

const costab_coupling *claims_coupling(claims *c, const char *name) {
    int index = !c->status ? costab_model_coupling(c->spec->model, name) : -1;
    if (index >= 0) return costab_model_instance_coupling(c->instance, index);
    CLAIMS_TRY(c, error_set(c->error, COSTAB_INVALID, "there is no coupling '%s'", name));
    return NULL;
}

double claims_radius(claims *c, const char *name) {
    const costab_network *network = claims_network(c);
    const costab_coupling *coupling = claims_coupling(c, name);
    CLAIMS_TRY(c, costab_network_analyse(c->work, network, coupling, &c->point, c->error));
    return !c->status ? c->point.spectral_radius : (double)NAN;
}

double claims_modulus(claims *c, int i) {
    if (c->status) return (double)NAN;
    const double *re = costab_network_eigenvalues_real(c->work);
    const double *im = costab_network_eigenvalues_imaginary(c->work);
    for (int k = 0; k < c->point.size; k++) {
        double value = hypot(re[k], im[k]);
        int above = 0;
        for (int other = 0; other < c->point.size; other++) {
            double there = hypot(re[other], im[other]);
            above += there > value || (there == value && other < k);
        }
        if (above == i) return value;
    }
    return (double)NAN;
}

double claims_second_eigenvalue(claims *c) {
    int states = 0;
    const double *A = !c->status ? costab_network_monolithic(c->work, &states) : NULL;
    return states == 2 ? A[0] + A[3] - c->point.spectral_abscissa : (double)NAN;
}

double claims_limit(claims *c, const char *name, const char *parameter, double low, double high) {
    costab_study_family family = {.instance = c->instance, .work = c->work, .count = 1};
    costab_study_limit_options options = {.lower = low, .upper = high};
    costab_study_limit limit = {.places = 0};
    (void)claims_coupling(c, name);
    if (!c->status) family.own = costab_model_coupling(c->spec->model, name);
    CLAIMS_TRY(c, costab_model_find_parameter(c->spec->model, parameter, &family.parameters[0], c->error));
    CLAIMS_TRY(c, costab_study_limit_find(&family, &options, &limit, c->error));
    const costab_piece *first = limit.found.pieces;
    bool begins = limit.found.count > 0 && first->from_is == COSTAB_END_RANGE &&
                  (first->class_code & COSTAB_DISCRETE_STABLE) != 0;
    double end = !c->status && begins ? first->to : (double)NAN;
    costab_limit_free(&limit.found);
    return end;
}

/* ---- All of a source ---- */

costab_status costab_claims(const char *source, costab_claim_taker *take, void *context,
                            costab_error *error) {
    for (int k = 0; k < SOURCES; k++) {
        if (strcmp(sources[k].name, source) != 0) continue;
        claims c = {.source = sources[k].name, .take = take, .context = context, .error = error};
        CLAIMS_TRY(&c, costab_network_work_create(&c.work, error));
        sources[k].all(&c);
        forget_model(&c);
        costab_network_work_destroy(&c.work);
        return c.status;
    }
    return error_set(error, COSTAB_INVALID, "there is no source '%s'", source);
}
