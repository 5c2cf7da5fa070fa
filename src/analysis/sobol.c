/* Low-discrepancy points of the unit cube, mapped to values of uncertain parameters.
 * 1. Sobol's sequence: a coordinate of point i is the exclusive or of the direction numbers of i's bits, from
 *    the primitive polynomials and initial numbers of S. Joe and F. Y. Kuo, SIAM J. Sci. Comput. 30 (2008),
 *    table new-joe-kuo-6.
 * 2. Owen's scrambling: a hash of the seed and of the previous digits flips each binary digit or keeps it (B.
 *    Burley, J. Comput. Graph. Tech. 9(4), 2020, with the hash of S. Laine and T. Karras). Points of one seed
 *    keep the stratification of the sequence. Sets of different seeds are independent, so the scatter of
 *    their means is a standard error.
 * 3. The inverse of the distribution; the normal one by Halley's iterations on erfc.
 * Cost: b^2 / 2 operations per coordinate of a point i < 2^b, and about 200. Limitation: the randomness of
 * the hash is tested, not proved. */
#include "analysis/sobol.h"

#include <math.h>

enum { BITS = 32, DEGREE_MOST = 6 };

/* Primitive polynomials and initial direction numbers from dimension 1 on; dimension 0 is van der Corput's
 * sequence. */
static const struct {
    unsigned degree, polynomial; /* its inner coefficients as bits */
    uint32_t initial[DEGREE_MOST];
} dimensions[SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
};

/* Returns the digits of coordinate `dimension` of point i, the first one in the lowest bit. */
static uint32_t digits(int dimension, uint32_t i) {
    uint32_t m[BITS], sum = 0;
    if (dimension == 0) return i; /* digits of i in reverse order */
    unsigned degree = dimensions[dimension - 1].degree, inner = dimensions[dimension - 1].polynomial;
    for (unsigned k = 0; k < BITS && i >> k != 0; k++) {
        m[k] = k < degree ? dimensions[dimension - 1].initial[k] : m[k - degree] ^ (m[k - degree] << degree);
        for (unsigned j = 1; k >= degree && j < degree; j++)
            if ((inner >> (degree - 1 - j) & 1) != 0) m[k] ^= m[k - j] << j;
        if ((i >> k & 1) == 0) continue;
        for (unsigned b = 0; b <= k; b++) sum ^= (m[k] >> (k - b) & 1) << b;
    }
    return sum;
}

/* Hashes a seed, so that seeds of consecutive integers differ in all bits. */
static uint32_t mixed(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352dU;
    x = (x ^ x >> 15) * 0x846ca68bU;
    return x ^ x >> 16;
}

/* Hashes a number; each bit depends only on itself and on lower bits. */
static uint32_t scrambled(uint32_t x, uint32_t seed) {
    x ^= x * 0x3d20adeaU;
    x += seed;
    x *= (seed >> 16) | 1;
    x ^= x * 0x05526c56U;
    x ^= x * 0x53a22864U;
    return x;
}

double sobol_coordinate(int dimension, uint32_t i, uint32_t seed) {
    uint32_t low = scrambled(digits(dimension, i), mixed(mixed(seed + 1) + (uint32_t)dimension)), high = 0;
    for (int b = 0; b < BITS; b++) high |= (low >> b & 1) << (BITS - 1 - b);
    return ((double)high + 0.5) * 0x1p-32;
}

/* Returns the standard normal quantile. Hastings' formula starts with an error below 5e-4; each of Halley's
 * iterations cubes it. */
static double normal_quantile(double u) {
    const double lower = u < 0.5 ? u : 1 - u, root_half = 0.70710678118654752, scale = 0.39894228040143268;
    double t = sqrt(-2 * log(lower));
    double z =
        t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int step = 0; step < 2; step++) {
        double off = (0.5 * erfc(z * root_half) - lower) / (scale * exp(-z * z / 2));
        z += off / (1 - z * off / 2);
    }
    return u < 0.5 ? -z : z;
}

double uncertain_value(const costab_uncertain *uncertain, double nominal, double u) {
    double part = uncertain->first * fabs(nominal);
    switch (uncertain->distribution) {
    case COSTAB_DISTRIBUTION_PART:
        return (1 - u) * (nominal - part) + u * (nominal + part);
    case COSTAB_DISTRIBUTION_NORMAL:
        return uncertain->first + uncertain->second * normal_quantile(u);
    default:
        return (1 - u) * uncertain->first + u * uncertain->second;
    }
}

costab_sampled sampled_mean(const double values[COSTAB_SCRAMBLINGS]) {
    double mean = 0, square = 0;
    for (int k = 0; k < COSTAB_SCRAMBLINGS; k++) mean += values[k] / COSTAB_SCRAMBLINGS;
    for (int k = 0; k < COSTAB_SCRAMBLINGS; k++) square += (values[k] - mean) * (values[k] - mean);
    return (costab_sampled){mean, sqrt(square / (COSTAB_SCRAMBLINGS * (COSTAB_SCRAMBLINGS - 1.0)))};
}

costab_sampled sampled_share(const double shares[COSTAB_SCRAMBLINGS], int samples) {
    costab_sampled share = sampled_mean(shares);
    share.error = fmax(share.error, 1.0 / samples);
    return share;
}
