#include "support/complaints.h"

#include <stdio.h>
#include <string.h>

#include "costab/spec.h"
#include "costab/study.h"

costab_status complaint_use(const costab_model *model, costab_error *error) {
    const costab_variant variant = {.model = model, .time_varying = true};
    costab_setup *setup;
    costab_coupling coupling;
    costab_status status = costab_setup_create(&variant, &setup, error);
    for (int c = 0; c < model->coupling_count && !status; c++)
        status = costab_setup_coupling(setup, c, &coupling, error);
    costab_setup_destroy(&setup);
    return status;
}

costab_status complaint_read(const char *path, const char *text, size_t size, costab_error *error) {
    costab_spec *spec;
    costab_status status = costab_spec_parse(path, text, size, &spec, error);
    check_true((!status) == (spec != NULL), "there is a spec exactly where it is fine");
    if (!status && spec->figure.kind_count > 0) {
        costab_study *study;
        status = costab_study_parse(path, text, size, &study, error);
        costab_study_destroy(&study);
    }
    if (!status && spec->model != NULL) status = complaint_use(spec->model, error);
    costab_spec_destroy(&spec);
    return status;
}

static bool matches(const char *found, const char *pattern) {
    if (strcmp(pattern, "\n~") == 0) return *found == '\n' || *found == '\0';
    if (*pattern == '~') {
        for (;; found++) {
            if (matches(found, pattern + 1)) return true;
            if (*found == '\0' || *found == '\n') return false;
        }
    }
    return *pattern == *found && (*pattern == '\0' || matches(found + 1, pattern + 1));
}

void complaint_check(const char *path, const char *text, size_t size, const char *expected) {
    costab_error error = {.message = "old"};
    costab_status status = complaint_read(path, text, size, &error);
    if (expected[0] == '\0') {
        check_true(!status, "refused: %s\n%s", error.message, text);
        return;
    }
    check_true(status == COSTAB_INVALID, "accepted, instead of: %s\n%s", expected, text);
    check_true(error.status == COSTAB_INVALID, "the status in the error is the one returned");
    size_t length = strlen(path);
    bool same = strncmp(error.message, path, length) == 0 && error.message[length] == ':' &&
                matches(error.message + length + 1, expected);
    check_true(same, "expected %s:%s\nfound    %s\nof\n%s", path, expected, error.message, text);
}

void complaint_check_cases(const char *path, const char *const *good, size_t lines,
                           const complaint_case *cases, size_t count) {
    const complaint_case unchanged = {0, "", ""};
    for (size_t k = 0; k <= count; k++) {
        const complaint_case *c = k < count ? &cases[k] : &unchanged;
        char text[4000];
        size_t used = 0;
        for (size_t i = 1; i <= lines; i++) {
            const char *line = (int)i == c->line ? c->text : good[i - 1];
            if (line[0] != '\0') used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", line);
            assert_true(used < sizeof text);
        }
        complaint_check(path, text, used, c->expected);
    }
}
