/* cli/print.h - printing of untrusted strings, safe for terminals and shells. */
#pragma once

#include <stdio.h>

#include "base/escape.h"

/* Prints like fprintf, with untrusted strings made safe for a terminal (text_append_plain). */
void cli_print(FILE *to, const char *format, ...) COSTAB_PRINTF(2, 3);

/* Returns the string quoted as a word of a shell command; valid until the next call. */
const char *cli_word(const char *string);

/* Frees the memory of cli_word at the end of the program. */
void cli_print_end(void);

/* Stops all further output, because a part is missing for want of memory. */
void cli_print_stop(void);

/* Returns true if no output was lost for want of memory. */
bool cli_printed(void);
