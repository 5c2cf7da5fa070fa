/* costab critical: values of a at which an area changes its kind. */
#include "base/error.h"
#include "base/memory.h"
#include "cli/table.h"
#include "cli/value.h"
#include "costab/area.h"

costab_status cli_critical(const cli_arguments *arguments, costab_error *error) {
    static const char *const columns[] = {"scheme", "method", "substeps", "a", "event"};
    static const double default_a[2] = {-8, 8};
    cli_planar planar;
    cli_table table;
    double a[2];
    costab_critical *found = memory_alloc(COSTAB_CRITICAL_MAX, sizeof *found);
    if (found == NULL) return error_memory(error);
    costab_status status = cli_planar_options(arguments, &planar, error);
    if (status == COSTAB_OK) status = cli_window(arguments, OPTION_A_WINDOW, default_a, a, error);
    if (status == COSTAB_OK)
        status =
            cli_table_begin(&table, arguments, columns, (int)(sizeof columns / sizeof columns[0]), error);
    for (int s = 0; s < planar.count && status == COSTAB_OK; s++) {
        size_t count = 0;
        status = costab_planar_critical(&planar.schemes[s], a[0], a[1], found, &count, error);
        for (size_t i = 0; i < count && status == COSTAB_OK; i++) {
            cli_table_planar(&table, &planar.schemes[s]);
            cli_table_number(&table, found[i].a);
            cli_table_text(&table, costab_event_name(found[i].event));
        }
    }
    if (status == COSTAB_OK) status = cli_table_end(&table, error);
    memory_free(found);
    return status;
}
