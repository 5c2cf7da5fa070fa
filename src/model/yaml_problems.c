/* Collects the errors of a file, at most PROBLEMS_MAX, and combines them into one message sorted by
 * position. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "model/yaml.h"

/* Far more than a message can show; beyond it, the later half is dropped. */
#define PROBLEMS_MAX 512

static int compare_problems(const void *left, const void *right) {
    const spec_problem *a = left, *b = right;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static void sort_problems(spec_file *file) {
    if (file->problem_count > 1)
        qsort(file->problems, file->problem_count, sizeof *file->problems, compare_problems);
}

static void cut_problems(spec_file *file) {
    sort_problems(file);
    while (file->problem_count > PROBLEMS_MAX / 2) memory_free(file->problems[--file->problem_count].message);
}

static void add_problem(spec_file *file, size_t line, size_t column, const char *format, va_list arguments)
    COSTAB_PRINTF(4, 0);
static void add_problem(spec_file *file, size_t line, size_t column, const char *format, va_list arguments) {
    if (file->memory_failed) return;
    if (file->problems == NULL) file->problems = memory_alloc(PROBLEMS_MAX, sizeof *file->problems);
    if (file->problem_count == PROBLEMS_MAX) cut_problems(file);
    char message[900];
    vsnprintf(message, sizeof message, format, arguments);
    /* Text quoted from the file may contain line ends; an error is one line. */
    for (char *c = message; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r' || *c == '\t') *c = ' ';
    char *copy = file->problems != NULL ? memory_copy(message) : NULL;
    if (copy == NULL) {
        file->memory_failed = true;
        return;
    }
    file->problems[file->problem_count++] =
        (spec_problem){(uint32_t)line, (uint32_t)column, file->problem_order++, copy};
}

bool spec_complain_at(spec_file *file, size_t line, size_t column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_problem(file, line, column, format, arguments);
    va_end(arguments);
    return false;
}

bool spec_complain(spec_file *file, const spec_node *node, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_problem(file, node->line, node->column, format, arguments);
    va_end(arguments);
    return false;
}

void spec_warn(spec_file *to, const spec_file *file, const spec_node *node, const char *words) {
    char place[SPEC_PLACE_MAX];
    text_local line = {0};
    text_printf(&line, "%s: warning: %s", spec_show_place(file->path, node->line, node->column, place),
                words);
    bool known = line.failed || (to->warnings.data != NULL && strstr(to->warnings.data, line.data) != NULL);
    if (!known) text_printf(&to->warnings, "%s%s", to->warnings.size > 0 ? "\n" : "", line.data);
    if (line.failed || to->warnings.failed) to->memory_failed = true;
}

const char *spec_show_place(const char *path, uint32_t line, uint32_t column, char shown[SPEC_PLACE_MAX]) {
    if (line > 0)
        (void)snprintf(shown, SPEC_PLACE_MAX, "%.400s:%u:%u", path, (unsigned)line, (unsigned)column);
    else
        (void)snprintf(shown, SPEC_PLACE_MAX, "%.400s", path);
    return shown;
}

void spec_forget_problems(spec_file *file) {
    for (size_t i = 0; i < file->problem_count; i++) memory_free(file->problems[i].message);
    memory_free(file->problems);
    text_free(&file->warnings);
    file->problems = NULL;
    file->problem_count = 0;
    file->memory_failed = false;
    file->failure = COSTAB_OK;
}

costab_status spec_finish(spec_file *file, costab_error *error) {
    if (file->memory_failed) return error_memory(error);
    if (file->problem_count == 0) return COSTAB_OK;
    sort_problems(file);
    if (error != NULL) error->message[0] = '\0';
    for (size_t i = 0; i < file->problem_count; i++) {
        const spec_problem *p = &file->problems[i];
        char place[SPEC_PLACE_MAX];
        if (file->path == NULL)
            error_append(error, "%s", p->message);
        else
            error_append(error, "%s: error: %s", spec_show_place(file->path, p->line, p->column, place),
                         p->message);
    }
    return COSTAB_INVALID;
}
