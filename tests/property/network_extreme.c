/* Models whose numbers are of any size that doubles have: all functions return the same class, or report the
 * same reason why there is none; and an eigenvalue search ends. */
#include <math.h>

#include "costab/planar.h"
#include "network_model.h"

enum { PARTS = 3, STATES = 8 };

/* A number of any size up to 10^most and down to 10^-most. */
static double any_size(rng *r, int most) {
    return rng_uniform(r, -1, 1) * pow(10, rng_int(r, -most, most));
}

/* `dense` of ten entries of A are not 0. */
static void random_network(rng *r, int most, int dense, model *m) {
    static const char *const methods[] = {"exact", "rk4", "trapezoidal", "backward-euler", "bdf2", "euler"};
    int parts = rng_int(r, 1, PARTS);
    model_start(m);
    for (int s = 0; s < parts; s++) {
        int n = rng_int(r, 1, STATES);
        model_add(m, n, 2, 2, methods[rng_int(r, 0, 5)], rng_int(r, 1, 4), 0);
        for (int e = 0; e < n * n; e++) m->A[s][e] = rng_int(r, 0, 9) < dense ? any_size(r, most) : 0;
        for (int e = 0; e < 2 * n; e++) {
            m->B[s][e] = any_size(r, most / 4);
            m->C[s][e] = any_size(r, most / 4);
        }
    }
    for (int from = 0; from < parts; from++)
        for (int to = 0; to < parts; to++)
            for (int port = 0; port < 2; port++)
                if (from != to && rng_int(r, 0, 1))
                    model_connect(m, from, port, to, rng_int(r, 0, 1), rng_uniform(r, -1, 1), 0);
}

/* Classes by both ways. Returns whether there is one. */
static bool agree(costab_network_work *work, const model *m, const costab_coupling *coupling, int number) {
    costab_error error = {0}, other = {0};
    costab_network_point point;
    uint8_t quick;
    costab_status status = costab_network_analyse(work, &m->network, coupling, &point, &error);
    costab_status also = costab_network_classify(work, &m->network, coupling, &quick, &other);
    check_true(status == also, "network %d: '%s', but classified: '%s'", number, error.message,
               other.message);
    if (status) {
        assert_string_equal(error.message, other.message);
        bool known = strstr(error.message, "singular") != NULL || strstr(error.message, "overflow") != NULL;
        check_true(known, "network %d: %s", number, error.message);
        return false;
    }
    check_true(point.class_code == quick, "network %d: %s, but classified as %s", number,
               costab_class_name(point.class_code), costab_class_name(quick));
    check_true(point.spectral_radius >= 0, "network %d: radius %g", number, point.spectral_radius);
    const double *map, *imaginary;
    bool finite = point.spectral_abscissa < (double)INFINITY; /* -inf: all modes are equilibria */
    costab_network_matrix(work, &map, &imaginary);
    for (int e = 0; e < point.size * point.size && point.period == 1; e++)
        finite = finite && isfinite(map[e]);
    check_true(finite, "network %d: a class %s of a map that is not finite: size %d, abscissa %g, radius %g",
               number, costab_class_name(point.class_code), point.size, point.spectral_abscissa,
               point.spectral_radius);
    return true;
}

TEST(test_sizes) {
    static const int sizes[] = {2, 4, 20, 100, 250, 300};
    (void)state;
    rng r = rng_start("numbers of any size");
    costab_network_work *work = work_open();
    size_t classes = 0, points = 0;
    for (int i = 0; i < (int)effort(150); i++) {
        static model m;
        random_network(&r, sizes[i % 6], 3 + i % 8, &m);
        for (int c = i % 3; c < costab_coupling_count(); c += 3, points++) {
            costab_coupling coupling = {.macro_step = 0.1 * rng_int(&r, 1, 20)};
            check_ok(costab_coupling_find(costab_coupling_name(c), &coupling, &why));
            classes += agree(work, &m, &coupling, i);
        }
    }
    costab_network_work_destroy(&work);
    print_message("# %zu of %zu points have a class\n", classes, points);
    assert_true(classes > points / 2);
}
