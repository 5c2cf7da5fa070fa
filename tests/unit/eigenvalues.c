/* The workspace for eigenvalues of a family's matrices. */
#include "limit/eigenvalues.h"

#include "support/memory.h"
#include "support/network_model.h"

/* Whichever of its allocations fails, first or when it grows: the next one who asks gets what is right. */
TEST(memory_fails_once) {
    static const double one[] = {0.5}, two[] = {0.5, 0, 7, -0.25};
    const costab_matrix matrices[] = {{.size = 1, .entries = one}, {.size = 2, .entries = two}};
    for (int first = 0; first < 2; first++)
        for (long k = 1; k <= 2; k++) {
            double re[2], im[2], slack[2], ranks[2];
            eigenvalues_workspace workspace = {.size = 0};
            crossing_spectrum s = {.n = 2, .re = re, .im = im, .slack = slack, .ranks = ranks};
            if (first > 0) {
                s.n = 1;
                check_ok(eigenvalues_find(&workspace, &matrices[0], NULL, false, &s, &why));
                s.n = 2;
            }
            memory_fail_at(k);
            assert_int_equal(eigenvalues_find(&workspace, &matrices[1], NULL, false, &s, &why),
                             COSTAB_MEMORY);
            memory_fail_at(0);
            check_ok(eigenvalues_find(&workspace, &matrices[1], NULL, false, &s, &why));
            check_near(re[0] + re[1], 0.25L - 2, 1e-15L, "trace");
            check_near(s.furthest, -0.5L, 1e-15L, "the furthest");
            eigenvalues_workspace_free(&workspace);
        }
}
