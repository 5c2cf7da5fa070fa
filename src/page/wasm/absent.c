/* What a page does not have: files. And what Debian's runtime library for WebAssembly asks of its program, as
 * it is compiled with a stack protector. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/file.h"
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
