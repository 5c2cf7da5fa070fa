/* costab area: region areas in the whole plane. */
#include "costab/area.h"

#include "base/memory.h"
#include "cli/table.h"
#include "cli/value.h"

costab_status cli_area(const cli_arguments *arguments, costab_error *error) {
    static const char columns[] = "scheme,method,substeps,a,area_ss,area_us,error_ss,error_us";
    cli_planar planar;
    cli_table table;
    double *a = NULL;
    size_t count = 0;
    costab_status status = cli_planar_options(arguments, &planar, error);
    if (!status) status = cli_list(arguments, OPTION_A_LIST, &a, &count, error);
    if (!status) status = cli_table_begin(&table, arguments, columns, error);
    for (int s = 0; s < planar.count && !status; s++) {
        costab_areas areas;
        for (size_t i = 0; i < count && !status; i++) {
            if (i == 0 || planar.schemes[s].scheme != COSTAB_SIMULATION)
                status = costab_planar_areas(&planar.schemes[s], a[i], &areas, error);
            if (status) break;
            cli_table_planar(&table, &planar.schemes[s]);
            cli_table_numbers(&table, a[i], areas.ss, areas.us, areas.error_ss, areas.error_us);
        }
    }
    if (!status) status = cli_table_end(&table, error);
    memory_free(a);
    return status;
}
