#include "network_figure.h"

#include "base/memory.h"

void figure_fail_allocations(costab_results *results) {
    costab_status status = COSTAB_MEMORY;
    long k = 0;
    while (status != COSTAB_OK) {
        text script = {0}, data = {0};
        memory_fail_at(++k);
        status = network_figure_make(results, "test", NULL, &script, &data, NULL);
        assert_true(status == COSTAB_OK || status == COSTAB_MEMORY);
        text_free(&script);
        text_free(&data);
    }
    memory_fail_at(0);
    assert_true(k > 20);
}
