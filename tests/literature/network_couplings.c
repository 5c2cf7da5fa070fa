/* Couplings of higher order, slopes, smoothing, sweeps, relaxation, newton, strides, area correction and
 * solvers with structure against values of an independent program (reference/couplings.txt): critical macro
 * steps, spectra without equilibria and rigid motions, growth of modes. */
#include <math.h>
#include <stdio.h>

#include "network/words.h"
#include "support/network_model.h"

enum { MODELS = 40, COUPLINGS = 60, MODES = 4 };

typedef struct named_model {
    char name[40];
    model m;
} named_model;

typedef struct named_coupling {
    char name[40];
    costab_coupling choices;
    int strides[2];
} named_coupling;

/* Spectra at one macro step. */
typedef struct spectrum {
    char model[40], coupling[40], method[80];
    int substeps, neutral, chain, kept, modes;
    double H, rho, beside, abscissa, growth, drift;
    double frequency[MODES], mode_growth[MODES], shift[MODES];
} spectrum;

static named_model models[MODELS];
static named_coupling couplings[COUPLINGS];
static int model_count, coupling_count;

static costab_hold hold_named(const char *name) {
    for (int i = 0; i < COSTAB_HOLD_COUNT; i++)
        if (strcmp(network_hold_words[i], name) == 0) return (costab_hold)i;
    fail_msg("no polynomial is called %s", name);
    return COSTAB_CONSTANT;
}

static void read_matrix(FILE *file, double *values, int count) {
    for (int i = 0; i < count; i++) assert_int_equal(fscanf(file, "%lf", &values[i]), 1);
}

/* Positions and velocities of a subsystem with two states: x' = v. */
static const int first_state[] = {0}, second_state[] = {1};

static void set_method(costab_subsystem *subsystem, const char *name) {
    double numbers[4];
    if (sscanf(name, "generalized-alpha:%lf:%lf:%lf:%lf", &numbers[0], &numbers[1], &numbers[2],
               &numbers[3]) == 4) {
        /* alpha_m, alpha_f, gamma, beta */
        check_ok(costab_method_generalized_alpha(numbers[0], numbers[1], numbers[3], numbers[2],
                                                 &subsystem->method, &why));
    } else if (sscanf(name, "newmark:%lf:%lf", &numbers[0], &numbers[1]) == 2) {
        check_ok(costab_method_newmark(numbers[0], numbers[1], &subsystem->method, &why));
    } else {
        check_ok(costab_solver_find(name, &subsystem->method, &why));
    }
    bool structured = subsystem->method.kind > COSTAB_EXACT;
    subsystem->pairs = structured ? 1 : 0;
    subsystem->positions = structured ? first_state : NULL;
    subsystem->velocities = structured ? second_state : NULL;
}

static void read_model(FILE *file) {
    named_model *to = &models[model_count++];
    int subsystems, connections;
    assert_true(model_count <= MODELS);
    assert_int_equal(fscanf(file, "%39s %d %d", to->name, &subsystems, &connections), 3);
    model_start(&to->m);
    for (int s = 0; s < subsystems; s++) {
        int n, m, q, substeps, structured;
        char method[40];
        assert_int_equal(fscanf(file, " sub %d %d %d %39s %d %d", &n, &m, &q, method, &substeps, &structured),
                         6);
        model_add(&to->m, n, m, q, "exact", substeps, 0);
        set_method(&to->m.subsystems[s], method);
        read_matrix(file, to->m.A[s], n * n);
        read_matrix(file, to->m.B[s], n * m);
        read_matrix(file, to->m.C[s], q * n);
        read_matrix(file, to->m.D[s], q * m);
        bool direct = false;
        for (int i = 0; i < q * m; i++) direct = direct || to->m.D[s][i] != 0;
        if (direct) model_feedthrough(&to->m, s);
    }
    for (int c = 0; c < connections; c++) {
        int from, output, into, input, delay;
        double gain;
        assert_int_equal(
            fscanf(file, " conn %d %d %d %d %lf %d", &from, &output, &into, &input, &gain, &delay), 6);
        model_connect(&to->m, from, output, into, input, gain, delay);
    }
}

static void read_coupling(FILE *file) {
    named_coupling *to = &couplings[coupling_count++];
    char scheme[40], interpolation[40], extrapolation[40], predictor[40];
    int smoothed, solved;
    assert_true(coupling_count <= COUPLINGS);
    costab_coupling *c = &to->choices;
    assert_int_equal(fscanf(file, "%39s %39s %39s %39s %d %39s %d %d %lf %lf %d %d", to->name, scheme,
                            interpolation, extrapolation, &c->iterations, predictor, &smoothed, &solved,
                            &c->relaxation, &c->area_correction, &to->strides[0], &to->strides[1]),
                     12);
    for (int i = 0; i < COSTAB_COUPLING_SCHEME_COUNT; i++)
        if (strcmp(network_scheme_words[i], scheme) == 0) c->scheme = (costab_coupling_scheme)i;
    c->interpolation = hold_named(interpolation);
    c->extrapolation = hold_named(extrapolation);
    c->predictor = hold_named(predictor);
    c->smoothed = smoothed;
    c->feedthrough = solved ? COSTAB_SOLVED : COSTAB_DELAYED;
}

static model *find_model(const char *name) {
    for (int i = 0; i < model_count; i++)
        if (strcmp(models[i].name, name) == 0) return &models[i].m;
    fail_msg("no model %s", name);
    return NULL;
}

static const named_coupling *find_coupling(const char *name) {
    for (int i = 0; i < coupling_count; i++)
        if (strcmp(couplings[i].name, name) == 0) return &couplings[i];
    fail_msg("no coupling %s", name);
    return NULL;
}

static void set_strides(model *m, const named_coupling *coupling) {
    for (int s = 0; s < m->network.subsystem_count; s++) m->subsystems[s].stride = coupling->strides[s];
}

/* max(spectral radius, iteration radius) - 1 at a macro step; newton, sweeps: the spectral radius. */
static double excess(costab_network_work *work, const model *m, const named_coupling *coupling, double H) {
    costab_coupling c = coupling->choices;
    c.macro_step = H;
    costab_network_point point = model_analyse(work, m, &c);
    bool converging = c.scheme == COSTAB_ITERATED && c.iterations == 0;
    return (converging ? fmax(point.spectral_radius, point.iteration_radius) : point.spectral_radius) - 1;
}

static void check_critical(FILE *file, costab_network_work *work) {
    char model_name[40], coupling_name[40];
    double lower, upper, value, tolerance;
    assert_int_equal(fscanf(file, "%39s %39s %lf %lf %lf %lf", model_name, coupling_name, &lower, &upper,
                            &value, &tolerance),
                     6);
    model *m = find_model(model_name);
    const named_coupling *coupling = find_coupling(coupling_name);
    set_strides(m, coupling);
    double top = isnan(value) ? upper : value * (1 - 1e-6), below = value * (1 - 1e-6),
           above = value * (1 + 1e-6);
    for (int i = 0; i <= 60; i++) {
        double H = lower * pow(top / lower, i / 60.0), found = excess(work, m, coupling, H);
        check_true(found < 1e-12, "%s, %s: stable at %.12g, found %g", model_name, coupling_name, H, found);
    }
    if (isnan(value)) return;
    check_true(excess(work, m, coupling, above) > 0, "%s, %s: not stable at %.12g", model_name, coupling_name,
               above);
    while (above - below > 1e-13 * value) {
        double middle = (below + above) / 2;
        *(excess(work, m, coupling, middle) < 0 ? &below : &above) = middle;
    }
    check_near(below, value, 1e-9L * (real)value, "%s, %s: critical macro step", model_name, coupling_name);
}

static void read_spectrum(FILE *file, spectrum *s) {
    assert_int_equal(fscanf(file, "%39s %39s %79s %d %lf %lf %lf %lf %lf %d %d %d %lf", s->model, s->coupling,
                            s->method, &s->substeps, &s->H, &s->rho, &s->beside, &s->abscissa, &s->growth,
                            &s->neutral, &s->chain, &s->kept, &s->drift),
                     13);
    s->modes = 0;
    long at = ftell(file);
    while (s->modes < MODES && fscanf(file, " mode %lf %lf %lf", &s->frequency[s->modes],
                                      &s->mode_growth[s->modes], &s->shift[s->modes]) == 3) {
        s->modes++;
        at = ftell(file);
    }
    (void)fseek(file, at, SEEK_SET);
}

/* Growth ln|mu|/H and frequency shift of an undamped mode: mu is the eigenvalue nearest to exp(i omega H). */
static void check_mode(const costab_network_work *work, const costab_network_point *point, const spectrum *s,
                       int k, const char *where) {
    costab_complex values[64];
    assert_in_range(point->size, 1, 64);
    costab_network_spectrum(work, values, NULL);
    double length = s->H * (double)point->period, best = (double)INFINITY, growth = 0, shift = 0;
    double x = cos(s->frequency[k] * length), y = sin(s->frequency[k] * length);
    for (int i = 0; i < point->size; i++) {
        const double re = values[i].re, im = values[i].im;
        double distance = hypot(re - x, im - y);
        if (distance >= best) continue;
        best = distance;
        growth = log(hypot(re, im)) / length;
        shift = atan2(im * x - re * y, re * x + im * y) / length;
    }
    /* An eigenvalue is known to some roundings of the map, which is divided by H. */
    double noise = 2e-13 / s->H;
    check_near(growth, (real)s->mode_growth[k], noise + 1e-9L * fabsl((real)s->mode_growth[k]),
               "%s: growth of mode %d", where, k + 1);
    check_near(shift, (real)s->shift[k], noise + 1e-9L * fabsl((real)s->shift[k]), "%s: shift of mode %d",
               where, k + 1);
}

static void check_spectrum(FILE *file, costab_network_work *work) {
    spectrum s;
    read_spectrum(file, &s);
    model local = *find_model(s.model);
    local.network.subsystems = local.subsystems;
    local.network.connections = local.connections;
    const named_coupling *coupling = find_coupling(s.coupling);
    set_strides(&local, coupling);
    for (int i = 0; i < local.network.subsystem_count; i++) {
        if (strcmp(s.method, "-") != 0) set_method(&local.subsystems[i], s.method);
        if (s.substeps > 0) local.subsystems[i].substeps = s.substeps;
    }
    char where[200];
    snprintf(where, sizeof where, "%s, %s, %s, H = %g", s.model, s.coupling, s.method, s.H);
    costab_coupling c = coupling->choices;
    c.macro_step = s.H;
    costab_network_point point = model_analyse(work, &local, &c);
    assert_int_equal(point.neutral, s.neutral);
    check_true(point.motions == s.chain && point.kept == s.kept, "%s: motions %d, kept %d", where,
               point.motions, point.kept);
    check_near(point.spectral_radius, (real)s.beside, 1e-11L, "%s: radius", where);
    if (s.kept) return; /* the reference's abscissa and growth leave the motion in */
    check_near(point.spectral_abscissa, (real)s.abscissa, 1e-11L, "%s: abscissa", where);
    check_near(point.growth, (real)s.growth, 1e-9L * fabsl((real)s.growth) + 1e-13L / s.H, "%s: growth",
               where);
    for (int k = 0; k < s.modes; k++) check_mode(work, &point, &s, k, where);
}

TEST(test_values) {
    costab_network_work *work = work_open();
    FILE *file = fopen("tests/reference/couplings.txt", "r");
    assert_non_null(file);
    char word[40];
    int critical = 0, spectra = 0;
    while (fscanf(file, "%39s", word) == 1) {
        if (word[0] == '#') {
            for (int c = 0; c != '\n' && c != EOF;) c = fgetc(file);
        } else if (strcmp(word, "model") == 0) {
            read_model(file);
        } else if (strcmp(word, "coupling") == 0) {
            read_coupling(file);
        } else if (strcmp(word, "critical") == 0) {
            check_critical(file, work);
            critical++;
        } else {
            assert_string_equal(word, "at");
            check_spectrum(file, work);
            spectra++;
        }
    }
    fclose(file);
    costab_network_work_destroy(&work);
    print_message("# %d critical macro steps, %d spectra\n", critical, spectra);
    assert_int_equal(critical, 150);
    assert_int_equal(spectra, 61);
}
