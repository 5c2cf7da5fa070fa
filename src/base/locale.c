/* Sets the C locale while numbers are read or written, in the calling thread alone (POSIX uselocale). If
 * memory for it is out, the thread keeps its locale. */
#include "base/locale.h"

#include <stdatomic.h>
#include <stdio.h>

/* The C locale, made once and kept. If two threads make it at the same time, the second frees its own. */
static _Atomic(locale_t) plain;

locale_t locale_enter(void) {
    locale_t made = atomic_load(&plain);
    if (made == (locale_t)0) {
        locale_t first = (locale_t)0; /* becomes the locale that another thread has made meanwhile */
        made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        if (made != (locale_t)0 && !atomic_compare_exchange_strong(&plain, &first, made)) {
            freelocale(made);
            made = first;
        }
    }
    return made != (locale_t)0 ? uselocale(made) : (locale_t)0;
}

void locale_leave(locale_t before) {
    if (before != (locale_t)0) (void)uselocale(before);
}

int locale_format(char *to, size_t size, const char *format, va_list arguments) {
    locale_t before = locale_enter();
    int length = vsnprintf(to, size, format, arguments);
    locale_leave(before);
    return length;
}
