/* costab area: areas of the regions SS and US in the whole plane, with proved errors. An area too close to a
 * critical value is nan; a note gives the reason. */
#include "costab/area.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/value.h"

static CLI_OPTION(opt_digits, "digits", 0, "N", NULL,
                  "correct decimal digits of the areas, 1 to 1000 (default: those of a double)");

/* The areas at one a, to the digits of a double, or (digits > 0) to more as text. */
typedef struct found_areas {
    costab_areas numbers;
    costab_area_digits texts;
} found_areas;

/* `a` is written as costab_planar_areas_at takes it. */
static costab_status find(const costab_planar *planar, const char *a, long digits, found_areas *found,
                          costab_error *error) {
    if (digits == 0) return costab_planar_areas_at(planar, a, &found->numbers, error);
    costab_area_digits_free(&found->texts);
    return costab_planar_area_digits(planar, a, (int)digits, &found->texts, error);
}

static costab_status find_listed(const cli_arguments *arguments, const costab_planar *planar, size_t i,
                                 long digits, found_areas *found, costab_error *error) {
    text_local exact = {0};
    number_list_exact(cli_value(arguments, &opt_a_list), i, &exact);
    return exact.failed ? error_memory(error) : find(planar, exact.data, digits, found, error);
}

/* Leaves out one area, just above a critical value; the other areas are still printed. */
static void leave_out(found_areas *found, const costab_error *why) {
    costab_area_digits_free(&found->texts);
    found->texts = (costab_area_digits){NULL, NULL, (double)INFINITY, (double)INFINITY};
    found->numbers = (costab_areas){
        .ss = (double)NAN, .us = (double)NAN, .error_ss = (double)INFINITY, .error_us = (double)INFINITY};
    fprintf(stderr, "costab area: note: %s\n", why->message);
}

static void print_areas(long digits, const found_areas *found) {
    const costab_areas *n = &found->numbers;
    if (digits == 0) {
        table_numbers(n->ss, n->us, n->error_ss, n->error_us);
        return;
    }
    table_digits(found->texts.ss != NULL ? found->texts.ss : "nan");
    table_digits(found->texts.us != NULL ? found->texts.us : "nan");
    table_numbers(found->texts.error_ss, found->texts.error_us);
}

static costab_status cli_area(const cli_arguments *arguments, costab_error *error) {
    static const char columns[] = "scheme,method,substeps,a,area_ss,area_us,error_ss,error_us";
    cli_planar planar;
    memory_local double *a = NULL;
    size_t count = 0;
    long digits = 0;
    progress bar;
    found_areas found = {.texts = {NULL, NULL, 0, 0}};
    costab_status status = cli_planar_options(arguments, &planar, error);
    if (!status) status = cli_list(arguments, &opt_a_list, &a, &count, error);
    if (!status) status = cli_whole(arguments, &opt_digits, 1, 1000, 0, &digits, error);
    if (!status) table_begin(arguments, columns);
    progress_start(&bar, "area", "areas", 1, arguments->quiet);
    for (int s = 0; s < planar.count && !status; s++)
        for (size_t i = 0; i < count && !status; i++) {
            progress_update(&bar, (size_t)s * count + i, (size_t)planar.count * count);
            if (i == 0 || planar.schemes[s].scheme != COSTAB_SIMULATION)
                status = find_listed(arguments, &planar.schemes[s], i, digits, &found, error);
            if (status == COSTAB_NUMERIC) {
                leave_out(&found, error);
                status = COSTAB_OK;
            }
            if (status) break;
            table_planar(&planar.schemes[s]);
            cli_list_cell(arguments, &opt_a_list, i, a[i]);
            print_areas(digits, &found);
        }
    progress_end(&bar);
    if (!status)
        table_say("The errors are proved bounds. Where an area becomes 0 or infinite: costab critical");
    if (!status) status = table_end(error);
    costab_area_digits_free(&found.texts);
    return status;
}

const cli_command cli_area_command = {
    .name = "area",
    .summary = "areas of the regions SS and US",
    .details = "Prints, for every scheme and a, the areas of SS and US in the whole (Gamma, Delta) plane, "
               "each with a proved bound of its error; what is 0 or inf is decided exactly. The simulation "
               "does not depend on a.",
    .examples = "costab area --a 0.5\n"
                "costab area --a 0.3 --scheme strong --digits 30\n"
                "costab area --a -4:4:801 --scheme zigzag --method heun --substeps 2,1",
    .options = {&opt_a_list, &opt_digits, CLI_PLANAR, CLI_TABLE, CLI_COMMON},
    .run = cli_area};
