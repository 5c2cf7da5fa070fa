#include "network_figure.h"

#include "base/memory.h"

#include <string.h>

costab_status figure_make(const costab_results *results, text *script, text *data, costab_error *error) {
    const char *bytes = costab_results_spec_text(results);
    costab_spec *spec = NULL;
    costab_status status =
        costab_spec_parse(costab_results_spec_path(results), bytes, strlen(bytes), &spec, error);
    if (status == COSTAB_OK) status = network_figure_make(results, spec, "test", script, data, error);
    costab_spec_destroy(&spec);
    return status;
}

void figure_fail_allocations(costab_results *results) {
    costab_status status = COSTAB_MEMORY;
    long k = 0;
    while (status != COSTAB_OK) {
        text script = {0}, data = {0};
        memory_fail_at(++k);
        status = figure_make(results, &script, &data, NULL);
        assert_true(status == COSTAB_OK || status == COSTAB_MEMORY);
        text_free(&script);
        text_free(&data);
    }
    memory_fail_at(0);
    assert_true(k > 20);
}
