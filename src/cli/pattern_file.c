/* costab pattern -o: axes coupling and step, the steps of the cycle over both, and the rows of the table over
 * the couplings. Shorter cycles are filled up with NaN. */
#include "cli/pattern_file.h"

#include <math.h>
#include <string.h>

#include "cli/arrays_file.h"

enum { LOWER, UPPER, RATE_LOWER, RATE_UPPER, SAFE_FROM, SAFE_TO, ASKED_FROM, ASKED_TO, NUMBERS };
enum { STEPS = NUMBERS, PROVED, FIELDS };

/* Over the couplings; and the steps. */
enum { EACH = 1, BOTH = 3 };

static const study_field fields[FIELDS] = {
    [LOWER] = {0, EACH, "lower", "growth per step that the pattern attains", NULL},
    [UPPER] = {0, EACH, "upper", "bound of the growth per step of all sequences", NULL},
    [RATE_LOWER] = {0, EACH, "rate_lower", "growth per second that a cycle attains, in 1/s", NULL},
    [RATE_UPPER] = {0, EACH, "rate_upper", "bound of the growth per second of all sequences, in 1/s", NULL},
    [SAFE_FROM] = {0, EACH, "safe_from", "all sequences of steps are stable from here", NULL},
    [SAFE_TO] = {0, EACH, "safe_to", "all sequences of steps are stable up to here", NULL},
    [ASKED_FROM] = {0, EACH, "from", "shortest step of the sequences", NULL},
    [ASKED_TO] = {0, EACH, "to", "longest step of the sequences", NULL},
    [STEPS] = {0, BOTH, "pattern", "steps of the cycle that grows most, the first to be taken first", NULL},
    [PROVED] = {0, EACH, "proved", "whether the upper bounds hold but for rounding", &arrays_file_yes}};

static const costab_axis axes[] = {{.name = "coupling", .long_name = "coupling of the subsystems"},
                                   {.name = "step", .long_name = "number of the step in its cycle"}};

static void fill(arrays_file *f, const costab_pattern *patterns, const double asked[2]) {
    size_t longest = f->plan.axes[1].count;
    for (size_t c = 0; c < f->plan.axes[0].count; c++) {
        const costab_pattern *p = &patterns[c];
        bool left_out = isnan(p->lower);
        const double row[NUMBERS] = {p->lower,
                                     p->upper,
                                     p->rate_lower,
                                     p->rate_upper,
                                     p->safe_from,
                                     p->safe_to,
                                     left_out ? p->lower : asked[0],
                                     left_out ? p->lower : asked[1]};
        for (int k = 0; k < NUMBERS; k++) f->numbers[k][c] = row[k];
        if (p->length > 0) memcpy(f->numbers[STEPS] + c * longest, p->steps, p->length * sizeof *p->steps);
        if (!left_out) f->codes[PROVED][c] = p->proved;
    }
}

costab_status pattern_file_write(const cli_network *network, const costab_pattern *patterns,
                                 const double asked[2], const cli_arguments *arguments, costab_error *error) {
    arrays_file f;
    costab_status status = arrays_file_begin(&f, axes, 2, network, error);
    size_t *longest = &f.plan.axes[1].count;
    *longest = 1;
    for (size_t c = 0; c < f.plan.axes[0].count; c++)
        if (patterns[c].length > *longest) *longest = patterns[c].length;
    if (!status) status = arrays_file_make(&f, fields, FIELDS, error);
    if (!status) fill(&f, patterns, asked);
    if (!status) status = arrays_file_write(&f, network, arguments, error);
    arrays_file_free(&f);
    return status;
}
