/* Uncertain axes: the distribution of a parameter, equal over a range (`10 %` about the model's value, or
 * from and to) or normal (mean and deviation); and how many samples there are, a multiple of
 * COSTAB_SCRAMBLINGS. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "spec/sections.h"

typedef struct uncertain_axis {
    const spec_node *uncertain;
} uncertain_axis;

typedef struct distribution {
    double from, to, mean, deviation;
} distribution;

static const spec_key axis_keys[] = {
    {"uncertain", true, "uncertain: 10 %",
     "of networks: the parameter has no values of its own but a distribution, for the fields probability and worst_radius: 10 % about the model's value, or a mapping",
     SPEC_VALUE(SPEC_NODE, uncertain_axis, uncertain)},
};
const spec_keys spec_uncertain_keys = {SPEC_TABLE(axis_keys)};

static const spec_key distribution_keys[] = {
    {"from", false, "from: 1", "all values from here", SPEC_VALUE(SPEC_NUMBER, distribution, from)},
    {"to", false, "to: 2", "up to here are equally likely", SPEC_VALUE(SPEC_NUMBER, distribution, to)},
    {"mean", false, "mean: 1.5", "instead: of a normal distribution",
     SPEC_VALUE(SPEC_NUMBER, distribution, mean)},
    {"deviation", false, "deviation: 0.1", "its standard deviation",
     SPEC_VALUE(SPEC_POSITIVE, distribution, deviation)},
};
const spec_keys spec_distribution_keys = {SPEC_TABLE(distribution_keys)};

bool spec_is_uncertain(const spec_file *file, const spec_node *node) {
    return node->kind == SPEC_MAPPING && spec_find(file, node, "uncertain") != NULL;
}

/* "10 %": a number above 0, and a sign behind it. */
static bool read_part(spec_file *file, const spec_node *node, const char *what, double *part) {
    const char *written = spec_text(file, node);
    size_t length = node->kind == SPEC_SCALAR ? node->size : 0;
    bool sign = length > 0 && written[length - 1] == '%';
    if (sign) length--;
    while (sign && length > 0 && written[length - 1] == ' ') length--;
    if (!sign || !number_parse(written, length, part) || !(*part > 0))
        return spec_expected(file, node, what, "10 %, {from: 1, to: 2} or {mean: 1, deviation: 0.1}");
    *part /= 100;
    return true;
}

static bool read_distribution(spec_file *file, const spec_node *node, const char *what,
                              costab_uncertain *uncertain) {
    distribution d = {.from = (double)NAN, .to = (double)NAN, .mean = (double)NAN, .deviation = (double)NAN};
    if (!spec_read_mapping(file, node, what, SPEC_TABLE(distribution_keys), &d)) return false;
    bool range = !isnan(d.from) && !isnan(d.to) && isnan(d.mean) && isnan(d.deviation);
    bool normal = isnan(d.from) && isnan(d.to) && !isnan(d.mean) && !isnan(d.deviation);
    if (!range && !normal)
        return spec_complain(file, node, "%s: write {from: 1, to: 2} or {mean: 1, deviation: 0.1}", what);
    if (range && !(d.from < d.to && isfinite(d.to - d.from)))
        return spec_complain(file, spec_find(file, node, "to"), "%s: 'to' must be more than 'from'", what);
    uncertain->distribution = range ? COSTAB_DISTRIBUTION_RANGE : COSTAB_DISTRIBUTION_NORMAL;
    uncertain->first = range ? d.from : d.mean;
    uncertain->second = range ? d.to : d.deviation;
    return true;
}

bool spec_read_uncertain(spec_file *file, const spec_node *node, const char *name,
                         costab_uncertain *uncertain) {
    char what[COSTAB_NAME_MAX + 24];
    uncertain_axis axis = {NULL};
    (void)snprintf(what, sizeof what, "axis '%.60s', uncertain", name);
    if (!spec_read_mapping(file, node, what, SPEC_TABLE(axis_keys), &axis)) return false;
    if (axis.uncertain->kind == SPEC_MAPPING) return read_distribution(file, axis.uncertain, what, uncertain);
    uncertain->distribution = COSTAB_DISTRIBUTION_PART;
    return read_part(file, axis.uncertain, what, &uncertain->first);
}

void spec_read_samples(spec_file *file, const spec_node *node, costab_spec *spec) {
    size_t samples = COSTAB_SAMPLES;
    if (node != NULL && !spec_whole(file, node, "samples", COSTAB_SCRAMBLINGS, COSTAB_SAMPLES_MAX, &samples))
        return;
    if (samples % COSTAB_SCRAMBLINGS != 0)
        spec_complain(file, node, "samples: a multiple of %d, as there are so many independent sets",
                      COSTAB_SCRAMBLINGS);
    if (node != NULL && spec->uncertain_count == 0)
        spec_complain(file, node,
                      "samples: there is no uncertain axis; write for instance 'axes: {k: {uncertain: 10 "
                      "%%}}'");
    spec->samples = (int)samples;
}
