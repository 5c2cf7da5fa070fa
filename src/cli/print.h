/* cli/print.h - what strangers wrote, printed so that it does no harm. */
#pragma once

#include <stdio.h>

#include "base/escape.h"

/* printf to a stream, what strangers wrote being made harmless for a terminal (text_append_plain). */
void cli_print(FILE *to, const char *format, ...) COSTAB_PRINTF(2, 3);

/* The string as a word of a shell's command line that people copy; valid until the next call. */
const char *cli_word(const char *string);

/* At the program's end: gives back what cli_word keeps. */
void cli_print_end(void);

/* From now on nothing more is printed: something is missing, as memory was out. */
void cli_print_stop(void);

/* Whether memory sufficed for all that was to be printed so. */
bool cli_printed(void);
