/* Output as plain text. Each part is formatted in memory first; after an allocation failure nothing more is
 * printed. */
#include "cli/print.h"

#include "cli/progress.h"

static bool no_memory;
static text word; /* of cli_word */

void cli_print(FILE *to, const char *format, ...) {
    text_local raw = {0}, plain = {0};
    va_list arguments;
    if (no_memory) return;
    progress_clear();
    va_start(arguments, format);
    text_vprintf(&raw, format, arguments);
    va_end(arguments);
    if (!raw.failed && raw.data != NULL) text_append_plain(&plain, raw.data);
    if (raw.failed || plain.failed) no_memory = true;
    if (!no_memory && plain.data != NULL) fputs(plain.data, to);
}

const char *cli_word(const char *string) {
    text_free(&word);
    escape(&word, ESCAPE_SHELL, string);
    if (word.failed) no_memory = true;
    return word.failed ? "" : word.data;
}

void cli_print_end(void) {
    text_free(&word);
}

void cli_print_stop(void) {
    no_memory = true;
}

bool cli_printed(void) {
    return !no_memory;
}
