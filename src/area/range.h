/* area/range.h - the values of a range of equal steps. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* [out] values: `count` numbers, of which number k is the double nearest to FROM + k (TO - FROM) / (count -
 * 1), ties to even. [in] list: FROM:TO:COUNT, which was read (number_parse); the ends are the decimals or
 * fractions that are written there, but one with an exponent of ten beyond 400 the double next to it. False
 * where memory is out. */
bool range_values(const char *list, size_t count, double *values);
