#include "figure_memory.h"

#include "support/memory.h"

costab_status figure_of(const costab_results *results, text *script, text *data, costab_error *error) {
    char notes[FIGURE_NOTES_MAX];
    return figure_make(results, "test", NULL, script, data, notes, error);
}

void figure_fail_allocations(costab_results *results) {
    costab_status status = COSTAB_MEMORY;
    size_t total, before = memory_kept(&total);
    long k = 0;
    while (status) {
        text script = {0}, data = {0};
        memory_fail_at(++k);
        status = figure_of(results, &script, &data, NULL);
        assert_true(!status || status == COSTAB_MEMORY);
        text_free(&script);
        text_free(&data);
        memory_fail_at(0);
        check_true(memory_kept(&total) == before, "nothing is left where allocation %ld fails", k);
    }
    assert_true(k > 20);
}
