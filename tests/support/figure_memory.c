#include "figure_memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/store.h"
#include "study/study.h"
#include "support/memory.h"

costab_results *figure_results(const costab_plan *plan, const costab_evaluator *evaluator,
                               const char *spec_text) {
    costab_spec *spec = NULL;
    text figure = {0};
    check_ok(costab_spec_parse("test.yaml", spec_text, strlen(spec_text), &spec, &why));
    check_ok(study_figure_text(spec, &figure, &why));
    costab_spec_destroy(&spec);
    const costab_store_info info = {
        .title = "A test", .spec_path = "test.yaml", .spec_text = spec_text, .figure = figure.data};
    costab_results *results = NULL;
    char path[] = "/tmp/costab-plot-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    check_ok(costab_store_write(path, plan, &info, evaluator, 1, &why));
    check_ok(costab_results_open(path, &results, &why));
    unlink(path);
    text_free(&figure);
    return results;
}

costab_status figure_of(const costab_results *results, text *script, text *data, costab_error *error) {
    char notes[FIGURE_NOTES_MAX];
    store_request request = {.until = 0};
    const char *written = costab_results_figure(results);
    costab_status status = store_request_read(written, "test.yaml", &request, error);
    if (!status) status = figure_make(results, &request, "test", script, data, notes, error);
    store_request_free(&request);
    return status;
}

void figure_draw(costab_results *results, text *script, text *data) {
    check_ok(figure_of(results, script, data, &why));
    costab_results_close(&results);
}

void figure_fail_allocations(costab_results *results) {
    costab_status status = COSTAB_MEMORY;
    size_t total, before = memory_kept(&total);
    long k = 0;
    while (status) {
        text script = {0}, data = {0};
        memory_fail_at(k += (long)effort_stride(5));
        status = figure_of(results, &script, &data, NULL);
        assert_true(!status || status == COSTAB_MEMORY);
        text_free(&script);
        text_free(&data);
        memory_fail_at(0);
        check_true(memory_kept(&total) == before, "nothing is left where allocation %ld fails", k);
    }
    assert_true(k > 20);
}
