/* Part of the report on limits.
 *   1. The stable intervals of today's coupling, with the causes at each end (costab limit).
 *   2. Today's interval: the interval with the nominal step; of adjacent intervals the last. Later parts use
 *      its end.
 *   3. The stand-alone limits of the subsystems' solvers (costab limit --alone). */
#include <math.h>

#include "analysis/analysis.h"
#include "base/error.h"
#include "base/memory.h"
#include "page/report.h"

static bool limit_stops(void *context, double share, size_t evaluations) {
    (void)evaluations;
    return report_progress(context, share);
}

static costab_analysis_limit_options search(report *r) {
    return (costab_analysis_limit_options){.lower = r->range[0],
                                           .upper = r->range[1],
                                           .progress = limit_stops,
                                           .progress_context = r,
                                           .threads = r->options->threads};
}

static void put_cause(report *r, const char *end, const costab_limit_cause *cause) {
    char key[40];
    json *out = &r->out;
    if (cause->cause == COSTAB_PASSES_NOTHING) return;
    (void)text_format(key, sizeof key, "%s_cause", end);
    json_object(out, key);
    report_cause(r, cause->cause, cause->frequency, cause->blame, cause->share);
    json_end_object(out);
}

void report_intervals(report *r, const costab_piece *pieces, size_t count, const costab_limit_cause *causes) {
    json *out = &r->out;
    json_array(out, "intervals");
    for (size_t i = 0; i < count; i++) {
        json_object(out, NULL);
        json_number(out, "from", pieces[i].from);
        json_number(out, "to", pieces[i].to);
        json_text(out, "class", costab_class_name(pieces[i].class_code));
        json_text(out, "from_is", costab_end_name(pieces[i].from_is));
        json_text(out, "to_is", costab_end_name(pieces[i].to_is));
        if (causes != NULL) put_cause(r, "from", &causes[2 * i]);
        if (causes != NULL) put_cause(r, "to", &causes[2 * i + 1]);
        json_end_object(out);
    }
    json_end_array(out);
}

/* Takes the end of the stable interval with the nominal step; of adjacent intervals the end of the last.
 * Otherwise takes the end of the last interval below the nominal step. */
static void take_limit(report *r, const costab_limit *found, const costab_limit_cause *causes) {
    for (size_t i = 0; i < found->count; i++) {
        const costab_piece *piece = &found->pieces[i];
        bool touches = i > 0 && piece->from == r->limit;
        if ((piece->from > r->step && !touches) || piece->class_code == COSTAB_CLASS_UNDECIDED) continue;
        r->limit = piece->to;
        r->limit_is = piece->to_is;
        r->dominant = causes[2 * i + 1].blame;
    }
}

static costab_status put_limit(report *r, const costab_analysis_limit *limit,
                               const costab_limit_cause *causes) {
    json *out = &r->out;
    char tried[COSTAB_TRIED_MAX];
    costab_limit_tried(limit, r->name, tried);
    take_limit(r, &limit->found, causes);
    r->single = limit->single;
    json_maybe(out, "end", r->limit);
    if (r->limit_is != COSTAB_END_COUNT) json_text(out, "end_is", costab_end_name(r->limit_is));
    if (limit->single) json_text(out, "tried", tried);
    json_number(out, "sampled", (double)limit->sampled);
    report_intervals(r, limit->found.pieces, limit->found.count, causes);
    return COSTAB_OK;
}

costab_status report_limit(report *r, costab_error *error) {
    const costab_analysis_limit_options options = search(r);
    costab_analysis_limit limit = {.single = false};
    memory_local costab_limit_cause *causes = NULL;
    costab_error why;
    text_local over = {0};
    json_object(&r->out, "limit");
    costab_status status = r->parameter < 0 ? error_invalid(&why, "%s", r->refusal) : COSTAB_OK;
    if (!status) status = costab_model_limit(&r->requested, 0, r->name, &options, &limit, &why);
    if (!status) status = memory_make(&causes, 2 * limit.found.count + 1, &why);
    if (!status)
        status = costab_model_limit_causes(&r->requested, 0, r->name, &options, &limit, causes, &why);
    status = status ? report_refused(r, status, &why, error) : put_limit(r, &limit, causes);
    if (r->parameter >= 0) {
        report_add_over(r, &over);
        report_command_alone(r, "limit", NULL, &over);
    }
    json_end_object(&r->out);
    costab_limit_free(&limit.found);
    return status;
}

/* ---- Own limits ---- */

costab_status report_own(report *r, costab_error *error) {
    analysis_family family = analysis_variant_family(&r->variant, r->instance, r->work, 0);
    const costab_analysis_limit_options options = search(r);
    ends_by(costab_own_limits_free) costab_own_limits own = {.count = 0};
    costab_error why;
    family.parameter = r->parameter;
    costab_status status = costab_own_limits_find(&family, &options, &own, &why);
    json_array(&r->out, "own");
    for (size_t i = 0; i < own.count && !status; i++) {
        json_object(&r->out, NULL);
        json_text(&r->out, "subsystem", report_network(r)->subsystems[own.ends[i].subsystem].name);
        json_bool(&r->out, "upper", own.ends[i].upper);
        json_number(&r->out, "value", own.ends[i].value);
        json_end_object(&r->out);
    }
    json_end_array(&r->out);

    if (status == COSTAB_MEMORY || (status == COSTAB_CANCELLED && !r->late))
        return error_set(error, status, "%s", why.message);
    return report_reset(r, error);
}
