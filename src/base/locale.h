/* base/locale.h - numbers with a decimal point, whatever locale the calling program has set. */
#pragma once

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "costab/base.h"

/* Switches this thread to the C locale. Returns the previous locale for locale_leave. */
locale_t locale_enter(void);
/* Switches back to the locale from locale_enter; 0: does nothing. */
void locale_leave(locale_t before);

/* vsnprintf in the C locale: writes at most `size` bytes including the NUL. Returns the length of the
 * complete text. */
int locale_format(char *to, size_t size, const char *format, va_list arguments) COSTAB_PRINTF(3, 0);
