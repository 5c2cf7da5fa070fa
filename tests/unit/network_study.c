/* Sweeps of networks: the grid that the threads fill against the network module called point by point, and
 * the crossings of the level 1 against what is known and against bisection. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "network_sweep.h"
#include "study/create.h"
#include "support/memory.h"
#include "sweep/run.h"

/* ---- The grid, point by point ---- */

typedef struct probe {
    const costab_spec *spec;
    costab_model_instance *instance;
    costab_network_work *work;
} probe;

static probe probe_start(const costab_spec *spec) {
    probe p = {.spec = spec};
    check_ok(costab_model_instance_create(spec->model, &p.instance, &why));
    check_ok(costab_network_work_create(&p.work, &why));
    return p;
}

static void probe_end(probe *p) {
    costab_model_instance_destroy(&p->instance);
    costab_network_work_destroy(&p->work);
}

/* at: one value an axis of the model. */
static bool probe_look(const probe *p, int coupling, const double *at, costab_network_point *point,
                       costab_error *error) {
    for (int i = 0; i < p->spec->axis_count; i++)
        costab_model_instance_set(p->instance, p->spec->axis_parameters[i], at[i]);
    return costab_model_instance_update(p->instance, error) == COSTAB_OK &&
           costab_network_analyse(p->work, costab_model_instance_network(p->instance),
                                  costab_model_instance_coupling(p->instance, coupling), point,
                                  error) == COSTAB_OK;
}

/* The index of a point along every axis of the plan, from its number in the grid. */
static void index_of(const costab_plan *plan, size_t number, size_t *index) {
    for (int k = plan->axis_count - 1; k >= 0; k--) {
        index[k] = number % plan->axes[k].count;
        number /= plan->axes[k].count;
    }
}

static void place_of(const costab_plan *plan, const size_t *index, double *at) {
    for (int k = 1; k < plan->axis_count; k++) at[k - 1] = plan->axes[k].values[index[k]];
}

/* ---- Models ---- */

#define COUPLED TEXT_OSCILLATOR("2*k")

/* Stable where 0 < a H < 2; an input that nothing feeds does not matter. */
#define DECAY                                                                                                \
    "system: network\n"                                                                                      \
    "parameters: {H: 0.5, a: 1}\n"                                                                           \
    "subsystems: [{name: s, A: [[-a]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: euler, "       \
    "substeps: 1}]\n"                                                                                        \
    "coupling: {macro_step: H}\n"

/* The two masses of [GTL]: the right one computes the force between. */
#define TWO_MASSES                                                                                           \
    "system: network\n"                                                                                      \
    "parameters: {K: 200, H: 0.01}\n"                                                                        \
    "subsystems:\n"                                                                                          \
    "  - {name: left, A: [[0, 1], [-1, -1]], B: [[0], [1]], C: [[1, 0]], inputs: [f], outputs: [x],\n"       \
    "     method: rk4, substeps: 1}\n"                                                                       \
    "  - {name: right, A: [[0, 1], [-(K + 1), -2]], B: [[0], [K]], C: [[K, 0]], D: [[-K]], inputs: [x],\n"   \
    "     outputs: [f], method: rk4, substeps: 1}\n"                                                         \
    "connections: [{from: left.x, to: right.x}, {from: right.f, to: left.f}]\n"                              \
    "coupling:\n"                                                                                            \
    "  - {name: delayed, macro_step: H}\n"                                                                   \
    "  - {name: converged, scheme: iterated, macro_step: H}\n"

enum { FAILED = 8 }; /* the code of a point that cannot be analysed */

/* Every entry moves; beyond k = 8 there are none. The second coupling's macro step follows the damping. */
#define MOVING                                                                                               \
    "system: network\n"                                                                                      \
    "parameters: {k: 1, c: 1, w: sqrt(8 - k), g: c/(1 + w)}\n"                                               \
    "subsystems:\n"                                                                                          \
    "  - {name: a, A: [[0, 1], [-1 - 2*k, -c]], B: [[0], [k]], C: [[1, 0]], inputs: [u], outputs: [y],\n"    \
    "     method: rk4, substeps: 2}\n"                                                                       \
    "  - {name: b, A: [[0, 1], [-1 - w, -c]], B: [[0], [w]], C: [[1, 0]], inputs: [u], outputs: [y],\n"      \
    "     method: heun, substeps: 1}\n"                                                                      \
    "connections: [{from: a.y, to: b.u, gain: g}, {from: b.y, to: a.u}]\n"                                   \
    "coupling:\n"                                                                                            \
    "  - {name: one, macro_step: 0.9}\n"                                                                     \
    "  - {name: two, scheme: gauss-seidel, macro_step: 0.02 + c/9}\n"                                        \
    "axes: {k: {from: -0.3, to: 9, points: 37}, c: {from: -0.05, to: 2, points: 45}}\n"

/* ---- Tests ---- */

static void check_grid(const sweep *s) {
    probe p = probe_start(s->spec);
    const double *radius = sweep_numbers(s, "spectral_radius"),
                 *abscissa = sweep_numbers(s, "spectral_abscissa");
    const double *iteration = sweep_numbers(s, "iteration_radius");
    size_t points = sweep_points(s->plan, sweep_find(s, "class"));
    for (size_t i = 0; i < points; i++) {
        size_t number = i * 7919 % points, index[COSTAB_AXES_MAX]; /* in another order than the sweep's */
        double at[COSTAB_AXES_MAX];
        costab_network_point point;
        index_of(s->plan, number, index);
        place_of(s->plan, index, at);
        assert_true(probe_look(&p, (int)index[0], at, &point, NULL));
        assert_int_equal(sweep_codes(s)[number], point.class_code);
        check_same(radius[number], point.spectral_radius, "radius", number);
        check_same(abscissa[number], point.spectral_abscissa, "abscissa", number);
        check_same(iteration[number], point.iteration_radius, "iteration radius", number);
        assert_true(isnan(iteration[number]) == (index[0] != 2));
    }
    assert_int_equal(costab_study_failures(s->study, NULL), 0);
    probe_end(&p);
}

/* Axes in any order, a derived parameter and a whole number among them. */
TEST(grid_equals_points) {
    static const char *const axes[] = {
        "axes: {k: {from: 0.1, to: 30, points: 21}, H: {from: 0.05, to: 2, points: 27}}\n",
        "axes: {n: [1, 3], H: {from: 0.05, to: 2, points: 23}, k: {from: 0.1, to: 9, points: 11}}\n",
        "axes: {d: {from: -1, to: 30, points: 155}}\n",
        "axes: {H: 1, d: 3, n: [1, 2, 4], k: 5}\n",
        "axes: {H: 1}\n",
    };
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        for (int threads = 1; threads <= 7; threads += 6) {
            char text[4096];
            sweep s;
            snprintf(text, sizeof text, COUPLED TEXT_ALL "%s", axes[i]);
            sweep_run(&s, text, threads);
            check_grid(&s);
            sweep_end(&s);
        }
}

/* Points that come eight at a time with all of their numbers, some of which are out of range. */
TEST(lanes_equal_points) {
    static const char *const fields[] = {"fields: [class]\n", "fields: [class, decay]\n"};
    for (int run = 0; run < 4; run++) {
        char text[4096];
        sweep s;
        snprintf(text, sizeof text, MOVING "%s", fields[run % 2]);
        sweep_run(&s, text, run < 2 ? 1 : 7);
        probe p = probe_start(s.spec);
        size_t points = sweep_points(s.plan, sweep_find(&s, "class")), failed = 0, found[256] = {0};
        for (size_t i = 0; i < points; i++) {
            size_t index[COSTAB_AXES_MAX];
            double at[COSTAB_AXES_MAX];
            costab_network_point point;
            index_of(s.plan, i, index);
            place_of(s.plan, index, at);
            bool fine = probe_look(&p, (int)index[0], at, &point, &why);
            failed += !fine;
            assert_true(fine == (at[0] <= 8));
            assert_int_equal(sweep_codes(&s)[i], fine ? point.class_code : FAILED);
            if (run % 2 == 1)
                check_same(sweep_numbers(&s, "decay")[i], fine ? point.decay : (double)NAN, "decay", i);
            found[sweep_codes(&s)[i]]++;
        }
        assert_true(failed > 0 && costab_study_failures(s.study, NULL) == failed);
        for (int code = 0; code < 4; code++) assert_true(code == 1 || found[code] > 0);
        probe_end(&p);
        sweep_end(&s);
    }
}

TEST(plan_is_as_promised) {
    sweep s;
    sweep_run(&s, COUPLED "axes: {k: [1, 2], d: 4, H: [0.1, 0.2, 0.4]}\nfields: [class, spectral_radius]\n",
              2);
    assert_int_equal(s.plan->axis_count, 4);
    assert_int_equal(s.plan->swept, 4);
    assert_string_equal(s.plan->axes[0].name, "coupling");
    assert_string_equal(s.plan->axes[0].labels[1], "zigzag");
    assert_string_equal(s.plan->axes[1].name, "k");
    assert_string_equal(s.plan->axes[2].name, "d");
    assert_string_equal(s.plan->axes[3].name, "H");
    assert_int_equal(s.plan->field_count, 7); /* one of the couplings iterates */
    assert_true(sweep_find(&s, "level_one_k") >= 0 && sweep_find(&s, "level_one_H") >= 0);
    assert_true(sweep_find(&s, "iteration_one_k") >= 0 && sweep_find(&s, "iteration_one_H") >= 0);
    const costab_field *field = &s.plan->fields[sweep_find(&s, "class")];
    assert_true(field->codes == COSTAB_CODES_VALUES && field->fill == 4 && field->code_count == 14);
    assert_string_equal(field->code_meanings, "UU US SU SS NU NS SN UN NN XU XS XN not_computed failed");
    for (int f = 0; f < s.plan->field_count; f++) assert_int_equal(s.plan->fields[f].rank, 4);
    sweep_end(&s);
    sweep_run(&s, COUPLED "axes: {k: [1, 2], d: [3, 4], H: [0.1, 0.2]}\nfields: [spectral_radius]\n", 2);
    assert_int_equal(s.plan->field_count, 2); /* three axes: no edges */
    sweep_end(&s);
    sweep_run(&s, COUPLED "axes: {k: [1, 2]}\n", 2);
    assert_int_equal(s.plan->field_count, 2);
    assert_true(sweep_find(&s, "class") == 0 && sweep_find(&s, "removed_modes") == 1);
    sweep_end(&s);
}

/* |1 - a H| passes 1 at a H = 2 and, downwards, at a H = 0. */
TEST(crossings_of_a_decay) {
    enum { H = 70, A = 90 };
    for (int threads = 1; threads <= 2; threads++) {
        sweep s;
        sweep_run(&s,
                  DECAY "axes: {H: {from: 0.1, to: 3, points: 70}, a: {from: -1.05, to: 5, points: 90}}\n"
                        "fields: [class, spectral_radius, spectral_abscissa]\n",
                  threads);
        const double *along_h = sweep_numbers(&s, "level_one_H"), *along_a = sweep_numbers(&s, "level_one_a");
        const double *h = s.plan->axes[1].values, *a = s.plan->axes[2].values;
        int crossings[2] = {0, 0};
        for (size_t i = 0; i < H; i++)
            for (size_t j = 0; j < A; j++) {
                size_t at = i * A + j;
                double x = a[j] > 0 ? 2 / a[j] : (double)INFINITY, y = 2 / h[i];
                if (i + 1 < H && h[i] < x && x < h[i + 1]) {
                    crossings[0]++;
                    check_near(along_h[at], (real)x, 1e-12L * (real)x, "crossing along H at %zu, %zu", i, j);
                } else {
                    check_same(along_h[at], (double)NAN, "no crossing along H", at);
                }
                if (j + 1 < A && a[j] < y && y < a[j + 1]) {
                    crossings[1]++;
                    check_near(along_a[at], (real)y, 1e-12L * (real)y, "crossing along a at %zu, %zu", i, j);
                } else if (j + 1 < A && a[j] < 0 && a[j + 1] > 0) {
                    crossings[1]++;
                    check_near(along_a[at], 0, 1e-14L, "crossing along a at %zu, %zu", i, j);
                } else {
                    check_same(along_a[at], (double)NAN, "no crossing along a", at);
                }
                check_near(sweep_numbers(&s, "spectral_abscissa")[at], (real)-a[j], 0, "abscissa");
                check_near(sweep_numbers(&s, "spectral_radius")[at], (real)fabs(1 - a[j] * h[i]), 4e-16L * 20,
                           "radius");
            }
        assert_true(crossings[0] > 50 && crossings[1] > 100);
        sweep_end(&s);
    }
}

/* The quantity that passes 1: the spectral radius, or the iteration radius where there is one. */
static bool below_one(const costab_network_point *point, bool iteration) {
    return iteration ? !(point->iteration_radius >= 1) : point->spectral_radius < 1;
}

/* Independent of the root-finder: 200 bisections on every edge whose ends differ. */
static void check_crossings(const sweep *s, int axis, const char *name, int *crossings) {
    bool iteration = strncmp(name, "iteration", 9) == 0;
    probe p = probe_start(s->spec);
    const double *found = sweep_numbers(s, name);
    size_t points = sweep_points(s->plan, sweep_find(s, name));
    for (size_t number = 0; number < points; number++) {
        size_t index[COSTAB_AXES_MAX];
        double at[COSTAB_AXES_MAX];
        costab_network_point point;
        index_of(s->plan, number, index);
        place_of(s->plan, index, at);
        double expected = (double)NAN;
        if (index[axis] + 1 < s->plan->axes[axis].count) {
            double low = at[axis - 1], high = s->plan->axes[axis].values[index[axis] + 1];
            bool stable[2];
            for (int side = 0; side < 2; side++) {
                at[axis - 1] = side == 0 ? low : high;
                assert_true(probe_look(&p, (int)index[0], at, &point, NULL));
                stable[side] = below_one(&point, iteration);
            }
            for (int i = 0; i < 200 && stable[0] != stable[1]; i++) {
                at[axis - 1] = expected = low + 0.5 * (high - low);
                assert_true(probe_look(&p, (int)index[0], at, &point, NULL));
                *(below_one(&point, iteration) == stable[0] ? &low : &high) = expected;
            }
        }
        if (isnan(expected)) {
            check_same(found[number], expected, name, number);
        } else {
            check_near(found[number], (real)expected, 3e-12L * (real)fabs(expected), "%s at point %zu", name,
                       number);
            (*crossings)++;
        }
    }
    probe_end(&p);
}

TEST(crossings_equal_bisection) {
    sweep s;
    int crossings = 0;
    sweep_run(&s,
              TWO_MASSES
              "axes: {K: {from: 1, to: 300, points: 37}, H: {from: 0.001, to: 0.1, points: 40}}\n" TEXT_ALL,
              2);
    check_crossings(&s, 1, "level_one_K", &crossings);
    check_crossings(&s, 2, "level_one_H", &crossings);
    assert_true(crossings > 60);
    sweep_end(&s);
    crossings = 0;
    sweep_run(&s,
              TWO_MASSES "axes: {K: {from: 1, to: 300, points: 17}, H: {from: 0.01, to: 0.4, points: 33}}\n"
                         "fields: iteration_radius\n",
              2);
    assert_int_equal(s.plan->field_count, 4);
    check_crossings(&s, 1, "iteration_one_K", &crossings);
    check_crossings(&s, 2, "iteration_one_H", &crossings);
    assert_true(crossings > 20);
    sweep_end(&s);
    crossings = 0;
    sweep_run(&s, COUPLED "axes: {k: {from: 0.1, to: 40, points: 203}}\n" TEXT_ALL, 2);
    check_crossings(&s, 1, "level_one_k", &crossings);
    assert_true(crossings > 0);
    sweep_end(&s);
}

/* [GTL]: the critical macro steps of the two masters. */
TEST(two_oscillators) {
    static const char *const axes[] = {"{from: 0.001, to: 0.05, points: 50}", "[0.001, 0.05]",
                                       "{from: 0.0005, to: 0.1, points: 2001}"};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        char text[4096];
        sweep s;
        snprintf(text, sizeof text, TWO_MASSES "fields: spectral_radius\naxes: {H: %s}\n", axes[i]);
        sweep_run(&s, text, 2);
        const double *found = sweep_numbers(&s, "level_one_H"),
                     expected[2] = {0.00604874153518, 0.0300123518297};
        size_t count = s.plan->axes[1].count;
        for (size_t c = 0; c < 2; c++) {
            int crossings = 0;
            for (size_t k = 0; k < count; k++) {
                double value = found[c * count + k];
                if (isnan(value)) continue;
                crossings++;
                assert_true(s.plan->axes[1].values[k] < value && value < s.plan->axes[1].values[k + 1]);
                /* half a unit of the last digit given, and the requested precision */
                check_near(value, (real)expected[c], 0.5e-13L * (c == 0 ? 0.1L : 1) + 1e-12L * (real)value,
                           "H");
            }
            assert_int_equal(crossings, 1);
        }
        sweep_end(&s);
    }
}

TEST(points_that_fail) {
    sweep s;
    sweep_run(&s, TEXT_FIXED "axes: {H: {from: 0.1, to: 4, points: 79}}\n" TEXT_ALL,
              7); /* 0.1, 0.15, 0.2, ... */
    const double *radius = sweep_numbers(&s, "spectral_radius"), *level = sweep_numbers(&s, "level_one_H");
    for (size_t i = 0; i < 79; i++) {
        bool divides = i % 2 == 0;
        assert_int_equal(sweep_codes(&s)[i], divides ? 3 : 8);
        if (divides) check_near(radius[i], powl(0.9L, (real)(i / 2 + 1)), 1e-14L, "radius at %zu", i);
        if (!divides) check_same(radius[i], (double)NAN, "radius", i);
        if (!divides) check_same(sweep_numbers(&s, "spectral_abscissa")[i], (double)NAN, "abscissa", i);
        check_same(level[i], (double)NAN, "crossing", i);
    }
    costab_error first = {.message = ""};
    assert_int_equal(costab_study_failures(s.study, &first), 39);
    check_true(strstr(first.message, "0.1") != NULL, "the message names numbers: %s", first.message);

    /* The first point in the order of the grid is reported, whichever thread was first. */
    probe p = probe_start(s.spec);
    costab_network_point point;
    costab_error expected = {.message = ""};
    assert_false(probe_look(&p, 0, &s.plan->axes[1].values[1], &point, &expected));
    /* After the place in the file. */
    assert_int_equal(strncmp(first.message, "t.yaml:", 7), 0);
    assert_non_null(strstr(first.message, expected.message));
    probe_end(&p);
    sweep_end(&s);
}

/* |1 - a/2| is 1 at a = 4, which a - 4 = 20 (p - 0.1) (p - 0.12) (p - 0.9) passes three times between the
 * points: the first one counts, from whichever side it is seen. */
TEST(first_of_three_crossings) {
    sweep s;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        sweep_run(
            &s,
            mirrored == 0
                ? "system: network\nparameters: {p: 0, a: 4 + 20*(p - 0.1)*(p - 0.12)*(p - 0.9)}\n"
                  "subsystems: [{name: s, A: [[-a]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], "
                  "method: euler, substeps: 1}]\ncoupling: {macro_step: 0.5}\naxes: {p: [0, 1]}\n" TEXT_ALL
                : "system: network\nparameters: {p: 0, a: 4 + 20*(0.9 - p)*(0.88 - p)*(0.1 - p)}\n"
                  "subsystems: [{name: s, A: [[-a]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], "
                  "method: euler, substeps: 1}]\ncoupling: {macro_step: 0.5}\naxes: {p: [0, 1]}\n" TEXT_ALL,
            1);
        assert_int_equal(sweep_codes(&s)[0], mirrored == 0 ? 3 : 2);
        assert_int_equal(sweep_codes(&s)[1], mirrored == 0 ? 2 : 3);
        check_near(sweep_numbers(&s, "level_one_p")[0], 0.1L, 1e-13L, "the first crossing");
        sweep_end(&s);
    }
}

/* x'' = 100 ((0.3 - p) x - x'): an eigenvalue passes 1 itself at p = 0.3, whatever the step. That is a
 * limit, at a point of the grid too; beside it, in the second model, a structural mode is removed everywhere.
 */
TEST(an_eigenvalue_that_passes_one_itself) {
    static const char *const models[] = {
        "A: [[0, 1], [100*(0.3 - p), -100]], B: [[0], [1]], C: [[1, 0]]",
        "A: [[0, 1, 0], [100*(0.3 - p), -100, 0], [0, 0, 0]], B: [[0], [1], [0]], "
        "C: [[1, 0, 0]]"};
    for (int i = 0; i < 4; i++) {
        char text[1024];
        sweep s;
        snprintf(text, sizeof text,
                 "system: network\nparameters: {p: 0, H: 0.1}\nsubsystems: [{name: s, %s, inputs: [u], "
                 "outputs: [y], method: exact}]\ncoupling: {macro_step: H}\n"
                 "axes: {p: [0, %s], H: [0.01, 0.1, 1]}\n" TEXT_ALL,
                 models[i % 2], i < 2 ? "1" : "0.3, 1");
        sweep_run(&s, text, 1);
        for (size_t h = 0; h < 3; h++) {
            size_t begin = i < 2 ? h : 3 + h; /* of the edge */
            assert_true(sweep_codes(&s)[h] == 0 && sweep_codes(&s)[begin + 3] == 3);
            check_near(sweep_numbers(&s, "level_one_p")[begin], 0.3L, 0.3e-12L, "the eigenvalue 1");
            if (i < 2) continue;
            assert_true(sweep_codes(&s)[begin] == COSTAB_NN);
            check_same(sweep_numbers(&s, "level_one_p")[h], (double)NAN, "before it", h);
        }
        sweep_end(&s);
    }
}

/* Stability that changes where there are no points between, or in a jump: nothing passes 1 there. */
TEST(changes_that_are_no_crossings) {
    sweep s;
    sweep_run(&s, TEXT_FIXED "axes: {a: [19.9, 20.1], H: [0.1, 0.2]}\n" TEXT_ALL, 1);
    check_same(sweep_numbers(&s, "level_one_H")[0], (double)NAN, "H", 0);
    check_near(sweep_numbers(&s, "level_one_a")[0], 20, 20e-12L, "a at H = 0.1");
    check_near(sweep_numbers(&s, "level_one_a")[1], 20, 20e-12L, "a at H = 0.2");
    check_same(sweep_numbers(&s, "level_one_a")[2], (double)NAN, "a", 2);
    sweep_end(&s);
    /* a jumps from 1 to 5 at p = 1/3: |1 - a / 2| from 1/2 to 3/2 */
    sweep_run(
        &s,
        "system: network\nparameters: {p: 0, a: 3 + 2*sign(3*p - 1)}\n"
        "subsystems: [{name: s, A: [[-a]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: euler, "
        "substeps: 1}]\ncoupling: {macro_step: 0.5}\naxes: {p: [0, 1]}\n" TEXT_ALL,
        1);
    assert_true(sweep_codes(&s)[0] == 3 && sweep_codes(&s)[1] == 2);
    check_same(sweep_numbers(&s, "level_one_p")[0], (double)NAN, "a jump", 0);
    sweep_end(&s);
    /* An integrator is an equilibrium, which is set aside: what remains is stable, and never a crossing. */
    sweep_run(
        &s,
        "system: network\nparameters: {k: 1}\nsubsystems:\n"
        "  - {name: i, A: [[0]], B: [[k]], C: [[1]], inputs: [u], outputs: [y], method: rk4, substeps: 3}\n"
        "  - {name: s, A: [[-k, 0.1], [0.3, -2]], B: [[1], [k]], C: [[1, 1]], inputs: [u], outputs: [y], "
        "method: rk4, substeps: 3}\n"
        "connections: [{from: i.y, to: s.u}]\ncoupling: {macro_step: 0.1}\n"
        "axes: {k: {from: 0.1, to: 3, points: 500}}\n" TEXT_ALL,
        2);
    for (size_t i = 0; i < 500; i++) {
        assert_int_equal(sweep_codes(&s)[i], 3);
        check_same(sweep_numbers(&s, "level_one_k")[i], (double)NAN, "an integrator", i);
    }
    sweep_end(&s);
}

static void refused(const char *text, const char *expected) {
    costab_error error = {.message = ""};
    costab_study *study = NULL;
    costab_spec *spec = spec_of(text);
    assert_int_equal(costab_study_create(spec, &study, &error), COSTAB_INVALID);
    assert_null(study);
    check_true(strstr(error.message, expected) != NULL, "expected: %s\nfound: %s", expected, error.message);
    costab_spec_destroy(&spec);
}

TEST(mistakes) {
    refused(DECAY, "t.yaml: error: a sweep needs the key 'axes'");
    refused("system: network\nparameters: {H: 0.5, level_one_H: 1}\n"
            "subsystems: [{name: s, A: [[-level_one_H]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], "
            "method: euler, substeps: 1}]\ncoupling: {macro_step: H}\n"
            "axes: {H: [1, 2], level_one_H: [1, 2]}\nfields: spectral_radius\n",
            "axes, level_one_H: the results file has a field of this name");
}

/* The file that `model` names may follow the first file in the same text. */
TEST(joined_texts) {
    const char *first = "# spec\nsystem: network\nmodel: nowhere/decay.yaml\nparameters: {a: 4}\n"
                        "axes: {H: [0.25, 1]}\nfields: spectral_radius\n";
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", first, COSTAB_JOINT_MODEL, DECAY);
    sweep s;
    sweep_run(&s, text, 1);
    assert_string_equal(s.spec->text, first);
    assert_string_equal(s.spec->model->base_text, DECAY);
    check_near(sweep_numbers(&s, "level_one_H")[0], 0.5L, 0.5e-12L,
               "the first file's a = 4, the second one's system");
    sweep_end(&s);

    costab_spec *spec = NULL;
    costab_error error = {.message = ""};
    snprintf(text, sizeof text, "%s%s%s", DECAY, COSTAB_JOINT_MODEL, DECAY);
    assert_int_equal(costab_spec_parse("s.yaml", text, strlen(text), &spec, &error), COSTAB_INVALID);
    check_true(strstr(error.message, "the key 'model' is missing") != NULL, "%s", error.message);
}

/* Matrices of HDF5 files may follow the text; broken matrices are refused, whatever it is. */
TEST(joined_matrices) {
    static const char first[] =
        "system: network\nparameters: {H: 0.5}\n"
        "subsystems: [{name: s, A: {file: p.mat, name: A}, B: {file: p.mat, name: B}, "
        "C: [[1, 0]], inputs: [u], outputs: [y], method: euler, substeps: 1}]\n"
        "coupling: {macro_step: H}\naxes: {H: [0.1, 1]}\nfields: spectral_radius\n";
    static const char matrices[] =
        "- [\"p.mat\", \"A\", [[-4, 0], [1, -3]]]\n- [\"p.mat\", \"B\", [[1], [0]]]\n";
    static const char *const broken[] = {
        "",
        "x",
        "- [",
        "- ['p.mat', 'A', 1]\n",
        "- ['p.mat', 'A']\n",
        "- ['p.mat', 'A', [[1, 0], [1]]]\n",
        "- ['p.mat', 'A', [[1, k], [1, 2]]]\n",
        "- ['p.mat', 'A', {file: p.mat, name: A}]\n",
        "- ['p.mat', 'B', [[1], [0]]]\n",
    };
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", first, COSTAB_JOINT_MATRICES, matrices);
    sweep s;
    sweep_run(&s, text, 1);
    check_near(sweep_numbers(&s, "level_one_H")[0], 0.5L, 0.5e-12L, "the eigenvalue -4 decides");
    char *whole = NULL;
    check_ok(costab_spec_whole(s.spec, &whole, &why));
    assert_string_equal(whole, text);
    costab_spec_free_text(&whole);
    assert_null(whole);
    sweep_end(&s);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        costab_spec *spec = NULL;
        costab_error error = {.message = ""};
        snprintf(text, sizeof text, "%s%s%s", first, COSTAB_JOINT_MATRICES, broken[i]);
        assert_int_equal(costab_spec_parse("s.yaml", text, strlen(text), &spec, &error), COSTAB_INVALID);
        assert_null(spec);
        assert_non_null(strstr(error.message, "p.mat"));
    }
}

/* One in 40 allocations of making and evaluating, and with EFFORT=10 each, fails once: a clean error, and no
 * file is left. */
TEST(memory_runs_out) {
    const char *text =
        COUPLED "sources: {a.u: 1}\naxes: {k: [1, 40], H: [0.1, 2]}\nhistory: {until: 1}\nfields: [class, "
                "spectral_radius, iteration_radius, error, error_bound]\n";
    costab_spec *spec = spec_of(text);
    static double values[COSTAB_FIELDS_MAX][4];
    void *blocks[COSTAB_FIELDS_MAX];
    for (int f = 0; f < COSTAB_FIELDS_MAX; f++) blocks[f] = values[f];
    bool complete = false;
    for (long k = 1; k < 2000 && !complete; k += (long)effort_stride(80)) {
        costab_study *study = NULL;
        memory_fail_at(k);
        costab_status status = costab_study_create(spec, &study, NULL);
        if (!status) {
            costab_evaluator evaluator = costab_study_evaluator(study);
            costab_tile tile;
            costab_plan_tile(costab_study_plan(study), 2, &tile);
            status = evaluator.evaluate(evaluator.context, &tile, blocks, NULL);
            complete = !status;
        }
        memory_fail_at(0);
        check_true(complete || status == COSTAB_MEMORY, "allocation %ld: status %d", k, (int)status);
        costab_study_destroy(&study);
    }
    assert_true(complete);
    costab_spec_destroy(&spec);
}
