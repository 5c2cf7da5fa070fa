/* base/locale.h - numbers with a decimal point, whatever locale the calling program has set. */
#pragma once

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "costab/base.h"

/* Switches this thread to the C locale; the locale returned goes to locale_leave. Nothing in between may call
 * back into the calling program. */
locale_t locale_enter(void);
void locale_leave(locale_t before);

/* vsnprintf in the C locale. */
int locale_format(char *to, size_t size, const char *format, va_list arguments) COSTAB_PRINTF(3, 0);
