/* planar/resultant_image.h - resultants of polynomials in a and d modulo a prime, for many a at once. */
#ifndef PLANAR_RESULTANT_IMAGE_H
#define PLANAR_RESULTANT_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include <gmp.h>

/* A polynomial in a, in GMP's integers: c[i] a^i, i < length; the zero polynomial has the length 0. */
typedef struct resultant_poly {
    long length;
    size_t room; /* initialised coefficients, those from length on 0 */
    mpz_t *c;
} resultant_poly;

/* The polynomials f = sum of f[k] d^k, k <= degree[0], and g likewise. */
typedef struct resultant_pair {
    const resultant_poly *f[2]; /* borrowed */
    long degree[2];
} resultant_pair;

/* Room for one pair, at `points` values of a (a power of 2). */
typedef struct resultant_image {
    const resultant_pair *pair;
    size_t points, width; /* width: coefficients in d of both, in the order of f, then g */
    uint32_t p, inverse;  /* the prime, below 2^30 and 1 modulo `points`; -1 / p modulo 2^32 */
    uint32_t one, square; /* 2^32 and 2^64 modulo p */
    uint32_t *rows;       /* points x width: coefficients of a^i, then values at the points */
    uint32_t *lanes;      /* a group of points at work */
    int lane_count;       /* in it: a power of 2 */
    uint32_t *turn;       /* powers of a root of unity: points / 2, then as many of its inverse */
    uint32_t *value;      /* the resultant's coefficients in the end */
} resultant_image;

/* False where memory is out. [out] image: clear it in any case. */
bool resultant_image_init(resultant_image *image, const resultant_pair *pair, size_t points);
void resultant_image_clear(resultant_image *image);

/* The primes are 1 modulo this, or modulo the number of points where that is larger. */
enum { RESULTANT_IMAGE_COMMON = 1024 };

/* The next prime below `from`, 0 where there is none; from = 0: the first. */
uint32_t resultant_image_prime(size_t points, uint32_t from);

/* Computes the coefficients of the resultant with respect to d, of degree below `points`, modulo the prime:
 * image->value. */
void resultant_image_find(resultant_image *image, uint32_t prime);

#endif
