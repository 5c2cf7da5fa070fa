/* costab pattern -o: axes coupling and step, the steps of the cycle over both, and the rows of the table over
 * the couplings. Shorter cycles are filled up with NaN. */
#include "cli/pattern_file.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/arrays_file.h"

enum { LOWER, UPPER, RATE_LOWER, RATE_UPPER, SAFE_FROM, SAFE_TO, ASKED_FROM, ASKED_TO, NUMBERS };
enum { STEPS = NUMBERS, PROVED, FIELDS };

#define NUMBER(word, words)                                                                                  \
    { .name = word, .type = COSTAB_F64, .rank = 1, .axes = {0}, .long_name = words }

static const costab_field fields[FIELDS] = {
    [LOWER] = NUMBER("lower", "growth per step that the pattern attains"),
    [UPPER] = NUMBER("upper", "bound of the growth per step of all sequences"),
    [RATE_LOWER] = NUMBER("rate_lower", "growth per second that a cycle attains, in 1/s"),
    [RATE_UPPER] = NUMBER("rate_upper", "bound of the growth per second of all sequences, in 1/s"),
    [SAFE_FROM] = NUMBER("safe_from", "all sequences of steps are stable from here"),
    [SAFE_TO] = NUMBER("safe_to", "all sequences of steps are stable up to here"),
    [ASKED_FROM] = NUMBER("from", "shortest step of the sequences"),
    [ASKED_TO] = NUMBER("to", "longest step of the sequences"),
    [STEPS] = {.name = "pattern",
               .type = COSTAB_F64,
               .rank = 2,
               .axes = {0, 1},
               .long_name = "steps of the cycle that grows most, the first to be taken first"},
    [PROVED] = {.name = "proved",
                .type = COSTAB_U8,
                .rank = 1,
                .axes = {0},
                .long_name = "whether the upper bounds hold but for rounding",
                .codes = COSTAB_CODES_VALUES,
                .code_count = 2,
                .code_values = {0, 1},
                .code_meanings = "no yes",
                .fill = 0}};

costab_status pattern_file_write(const cli_network *network, const costab_pattern *patterns,
                                 const double asked[2], const cli_arguments *arguments, costab_error *error) {
    size_t count = (size_t)network->coupling_count, longest = 1;
    costab_plan plan = {.axis_count = 2, .swept = 1, .field_count = FIELDS};
    for (size_t c = 0; c < count; c++)
        if (patterns[c].length > longest) longest = patterns[c].length;
    char **labels = arrays_file_couplings(network);
    double *numbers = memory_alloc(count * (NUMBERS + longest) + longest, sizeof *numbers);
    uint8_t *proved = memory_alloc(count, sizeof *proved);
    const void *all[FIELDS];
    costab_status status = labels && numbers && proved ? COSTAB_OK : error_memory(error);
    for (size_t c = 0; c < count && !status; c++) {
        const costab_pattern *p = &patterns[c];
        const double row[NUMBERS] = {p->lower,
                                     p->upper,
                                     p->rate_lower,
                                     p->rate_upper,
                                     p->safe_from,
                                     p->safe_to,
                                     isnan(p->lower) ? p->lower : asked[0],
                                     isnan(p->lower) ? p->lower : asked[1]};
        for (int f = 0; f < NUMBERS; f++) numbers[(size_t)f * count + c] = row[f];
        for (size_t k = 0; k < longest; k++)
            numbers[NUMBERS * count + c * longest + k] = k < p->length ? p->steps[k] : (double)NAN;
        proved[c] = p->proved;
    }
    for (int f = 0; f <= STEPS && !status; f++) all[f] = numbers + (size_t)f * count;
    all[PROVED] = proved;
    double *places = numbers != NULL ? numbers + count * (NUMBERS + longest) : NULL;
    for (size_t k = 0; k < longest && !status; k++) places[k] = (double)k + 1;
    plan.axes[0] = (costab_axis){
        .name = "coupling", .count = count, .labels = labels, .long_name = "coupling of the subsystems"};
    plan.axes[1] = (costab_axis){
        .name = "step", .count = longest, .values = places, .long_name = "number of the step in its cycle"};
    memcpy(plan.fields, fields, sizeof fields);
    costab_plan_choose_tiles(&plan, 1 << 16);
    if (!status) status = arrays_file_write(&plan, all, network, arguments, error);
    arrays_file_free_labels(labels, count);
    memory_free(numbers);
    memory_free(proved);
    return status;
}
