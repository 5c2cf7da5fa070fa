/* costab critical: values of a at which an area changes its kind. */
#include "cli/table.h"
#include "cli/value.h"
#include "costab/area.h"

static const char *const searches[] = {[COSTAB_SEARCH_COMPLETE] = "complete",
                                       [COSTAB_SEARCH_NOT_COMPLETE] = "not complete",
                                       [COSTAB_SEARCH_UNDECIDED] = "undecided"};

costab_status cli_critical(const cli_arguments *arguments, costab_error *error) {
    static const double default_a[2] = {-8, 8};
    cli_planar planar;
    cli_table table;
    double a[2];
    costab_critical found[COSTAB_CRITICAL_MAX];
    costab_status status = cli_planar_options(arguments, &planar, error);
    if (!status) status = cli_window(arguments, OPTION_A_WINDOW, default_a, a, error);
    if (!status) status = cli_table_begin(&table, arguments, "scheme,method,substeps,a,event,search", error);
    for (int s = 0; s < planar.count && !status; s++) {
        size_t count = 0;
        status = costab_planar_critical(&planar.schemes[s], a[0], a[1], found, &count, error);
        for (size_t i = 0; i < count && !status; i++) {
            cli_table_planar(&table, &planar.schemes[s]);
            cli_table_numbers(&table, found[i].a);
            cli_table_text(&table, costab_event_name(found[i].event));
            cli_table_text(&table, searches[found[i].search]);
        }
    }
    return status ? status : cli_table_end(&table, error);
}
