/* Low-discrepancy points, and the distributions of uncertain parameters. */
#include <math.h>

#include "analysis/sobol.h"
#include "support/support.h"

/* Of 2^k points each of 2^k equal intervals has one, in every dimension and under any scrambling. */
TEST(each_dimension_is_stratified) {
    enum { BITS = 10 };
    for (int d = 0; d < SOBOL_DIMENSIONS; d++)
        for (uint32_t seed = 0; seed < 3; seed++)
            for (int k = 1; k <= BITS; k++) {
                bool seen[1 << BITS] = {false};
                for (uint32_t i = 0; i < 1U << k; i++) {
                    int at = (int)(sobol_coordinate(d, i, seed) * (1 << k));
                    assert_true(at >= 0 && at < 1 << k && !seen[at]);
                    seen[at] = true;
                }
            }
}

/* Sobol's first two dimensions are a net of quality 0: of 2^k points one is in each box of 2^-j by 2^(j-k),
 * which Owen's scrambling keeps. */
TEST(two_dimensions_are_a_net) {
    enum { BITS = 8 };
    for (int j = 0; j <= BITS; j++) {
        bool seen[1 << BITS] = {false};
        for (uint32_t i = 0; i < 1U << BITS; i++) {
            int x = (int)(sobol_coordinate(0, i, 5) * (1 << j));
            int y = (int)(sobol_coordinate(1, i, 5) * (1 << (BITS - j)));
            int at = x << (BITS - j) | y;
            assert_false(seen[at]);
            seen[at] = true;
        }
    }
}

/* Sets under different seeds differ, and their means scatter as independent ones do or less. */
TEST(seeds_are_independent) {
    double sum = 0, square = 0;
    for (uint32_t seed = 0; seed < 64; seed++) {
        double product = 0;
        for (uint32_t i = 0; i < 64; i++)
            product += sobol_coordinate(4, i, seed) * sobol_coordinate(9, i, seed) / 64;
        sum += product / 64;
        square += product * product / 64;
    }
    double deviation = sqrt(square - sum * sum);
    assert_true(deviation > 1e-6 && deviation < sqrt(7.0 / 144 / 64)); /* of 64 independent products */
    assert_true(fabs(sum - 0.25) < 5 * deviation / 8);
}

TEST(quantiles_are_the_distributions) {
    const costab_uncertain normal = {0, COSTAB_DISTRIBUTION_NORMAL, 3, 0.5},
                           range = {0, COSTAB_DISTRIBUTION_RANGE, -1, 3},
                           part = {0, COSTAB_DISTRIBUTION_PART, 0.1, 0};
    for (double u = 1e-9; u < 1; u += 0.0101) {
        double z = (uncertain_value(&normal, 7, u) - 3) / 0.5;
        assert_true(fabs(0.5 * erfc(-z / sqrt(2)) - u) < 1e-14);
        assert_true(fabs(uncertain_value(&range, 7, u) - (4 * u - 1)) < 1e-15 * 8);
        assert_true(fabs(uncertain_value(&part, -20, u) - (4 * u - 22)) < 1e-13);
    }
}
