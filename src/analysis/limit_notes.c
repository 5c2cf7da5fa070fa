/* Sentences on what a limit leaves undecided, and on what its completeness does not cover. */
#include <stdarg.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/text.h"
#include "costab/analysis.h"

const char *analysis_reason_words(costab_reason reason) {
    static const char *const reasons[COSTAB_REASON_COUNT] = {
        [COSTAB_REASON_NARROW] = "where the limit is touched, or crossed so often that ends fall together",
        [COSTAB_REASON_ROUNDING] = "where rounding hides what happens",
        [COSTAB_REASON_ILL_POSED] = "if there is no map",
        [COSTAB_REASON_CAP] = "where the evaluations ended: a smaller range of limit may decide it",
        [COSTAB_REASON_DELAYS] =
            "where delays are more macro steps than are searched: take single values, by map",
        [COSTAB_REASON_UNBOUNDED] =
            "where a formula varies too fast to be bounded between samples: a smaller range of limit may decide it"};
    return reasons[reason] != NULL ? reasons[reason] : "for another reason";
}

/* A buffer of COSTAB_LIMIT_NOTES_MAX bytes that is filled up to `size`. What does not fit is cut. */
typedef struct notes {
    char *words;
    size_t size;
} notes;

static void COSTAB_PRINTF(2, 3) add(notes *to, const char *format, ...) {
    va_list arguments;
    text_local line = {0};
    va_start(arguments, format);
    text_vprintf(&line, format, arguments);
    va_end(arguments);
    if (line.data != NULL)
        (void)text_format(to->words + to->size, COSTAB_LIMIT_NOTES_MAX - to->size, "%s\n", line.data);
    to->size += strlen(to->words + to->size);
}

static void add_values(notes *to, const costab_analysis_limit *limit, const char *parameter) {
    if (limit->sampled > 0)
        add(to,
            "%zu values of %s were tried, and ends between them found to %.1g: with maps that are measured (FMUs "
            "for co-simulation) the answer is not complete",
            limit->sampled, parameter, limit->end_error);
    if (limit->refused > 0 && limit->single)
        add(to, "the model is not defined at %zu of the tried values, the first %s", limit->refused,
            limit->refusal);
    else if (limit->refused > 0)
        add(to, "%zu values are undecided, the first %s", limit->refused, limit->refusal);
}

void costab_limit_notes(const costab_analysis_limit *limit, const char *parameter, const char *unit,
                        char words[COSTAB_LIMIT_NOTES_MAX]) {
    notes to = {.words = words};
    const costab_limit *found = &limit->found;
    const char *blank = unit != NULL ? " " : "";
    if (unit == NULL) unit = "";
    words[0] = '\0';
    add_values(&to, limit, parameter);
    for (int end = 0; end < 2; end++)
        if (limit->lost[end])
            add(&to, "%s %s = %.10g%s%.300s: %s", end == 0 ? "below" : "above", parameter,
                limit->lost_at[end], blank, unit, limit->lost_reason[end]);
    for (int r = 0; r < COSTAB_REASON_COUNT; r++)
        if (found->undecided[r] > 0)
            add(&to, "%.3g%s%.300s of %s is undecided, %s", found->undecided[r], blank, unit, parameter,
                analysis_reason_words((costab_reason)r));
    if (found->count == 0 && found->nearest_radius < 1)
        add(&to,
            "no interval was found, though the co-simulation is stable at %s = %.6g%s%.300s: what is stable is "
            "narrower than the search resolves; take a smaller range",
            parameter, found->nearest, blank, unit);
    if (found->unbounded != NULL)
        add(&to, "%.300s could not be bounded over all of the range", found->unbounded);
    if (found->compared > 0)
        add(&to,
            "numbers without a formula (solved operating points, FMUs) were sampled at %zu values of %s and "
            "compared with their interpolants; a change between two of these may be missed",
            found->compared, parameter);
}
