/* What a page does not have: files, and exact arithmetic. And what Debian's runtime library for WebAssembly
 * asks of its program, as it is compiled with a stack protector. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "exact/range.h"
#include "spec/model_body.h"

uintptr_t __stack_chk_guard = 0x5bd1e995;
void __stack_chk_fail(void);
void __stack_chk_fail(void) {
    abort();
}

int file_open(const char *path, int flags) {
    (void)path, (void)flags;
    errno = ENOENT;
    return -1;
}

bool model_matrix_load(model_reader *r, const spec_node *node, const char *what, const char *path,
                       const char *name, model_matrix *matrix) {
    (void)name, (void)matrix;
    return spec_complain(r->file, node, "%s: '%s': a page opens no files", what, path);
}

/* Nothing but whether they ascend is asked: a page has the axes' values beside its spec. */
bool range_values(const char *list, size_t count, double *values) {
    double from = 0, to = 0;
    const char *second = strchr(list, ':') + 1;
    (void)number_parse(list, (size_t)(second - list) - 1, &from);
    (void)number_parse(second, strcspn(second, ":"), &to);
    for (size_t k = 0; k < count; k++) values[k] = number_linspace(from, to, count, k);
    return true;
}
