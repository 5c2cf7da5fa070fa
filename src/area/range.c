/* The values of a range of equal steps:
 *
 *  1. Both ends are read as fractions and brought to one denominator: value k is (N + k D) / M, all of them
 *     whole numbers.
 *  2. Each quotient is rounded once (number.c).
 *
 * Cost: some 0.1 us for each value. */
#include "area/range.h"

#include <string.h>

#include "area/number.h"
#include "base/text.h"

/* An end, of n bytes. */
static bool read_end(const char *written, size_t n, fmpq_t end) {
    flint_local(exact_number, number);
    double near = 0;
    const costab_status status = exact_number_read(written, n, number, NULL, NULL);
    fmpq_set(end, number->u);
    if (status == COSTAB_INVALID && number_parse(written, n, &near)) rational_of(end, near);
    return status != COSTAB_MEMORY;
}

bool range_values(const char *list, size_t count, double *values) {
    const char *to = strchr(list, ':') + 1;
    flint_ends_with_thread();
    flint_local(fmpq, first, step);
    flint_local(fmpz, top, add, bottom);
    if (!read_end(list, (size_t)(to - list) - 1, first) || !read_end(to, strcspn(to, ":"), step))
        return false;
    fmpq_sub(step, step, first);
    fmpz_set_ui(bottom, count > 1 ? count - 1 : 1);
    fmpq_div_fmpz(step, step, bottom);
    fmpz_mul(top, fmpq_numref(first), fmpq_denref(step));
    fmpz_mul(add, fmpq_numref(step), fmpq_denref(first));
    fmpz_mul(bottom, fmpq_denref(first), fmpq_denref(step));
    for (size_t k = 0; k < count; k++, fmpz_add(top, top, add)) values[k] = rational_nearest(top, bottom);
    return true;
}
