/* base/shortest.h - the shortest decimal digits that read back as a double. */
#pragma once

#include <stdbool.h>

enum { SHORTEST_MAX = 20 };

/* The digits of a positive number: d.ddd times 10^exponent, without zeros at the end; of all decimals that
 * are as short and read back, the nearest. False, where they are not known this way: for subnormal numbers
 * and powers of two always. */
bool shortest_digits(double value, char digits[SHORTEST_MAX], int *length, int *exponent);
