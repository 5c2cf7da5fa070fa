/* Models with further files; their memory, and several at once. */
#include <hdf5.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "model_file.h"
#include "scratch.h"
#include "spec/spec.h"
#include "support/complaints.h"
#include "support/memory.h"

/* ---- Files ---- */

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(scratch_path(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void write_dataset(hid_t file, const char *name, int rank, const hsize_t *extent, const double *values,
                          hid_t type, bool matlab) {
    hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, extent, NULL);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (matlab) {
        hid_t string = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR);
        H5Tset_size(string, 6);
        hid_t attribute = H5Acreate2(dataset, "MATLAB_class", string, scalar, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(attribute, string, "double") >= 0);
        H5Aclose(attribute);
        H5Sclose(scalar);
        H5Tclose(string);
    }
    H5Dclose(dataset);
    H5Sclose(space);
}

static void write_matrices(void) {
    /* MATLAB puts 512 bytes of its own before the HDF5 file. */
    hid_t layout = H5Pcreate(H5P_FILE_CREATE);
    assert_true(H5Pset_userblock(layout, 512) >= 0);
    hid_t file = H5Fcreate(scratch_path("plant.mat"), H5F_ACC_TRUNC, layout, H5P_DEFAULT);
    H5Pclose(layout);
    assert_true(file >= 0);
    const double A[4] = {0, 1, -5, -0.5}, transposed[4] = {0, -5, 1, -0.5}, B[2] = {0, 2}, bad[1] = {NAN};
    const double C[6] = {1, 2, 3, 4, 5, 6};
    write_dataset(file, "A", 2, (hsize_t[]){2, 2}, A, H5T_IEEE_F64LE, false);
    write_dataset(file, "At", 2, (hsize_t[]){2, 2}, transposed, H5T_IEEE_F64LE, true);
    write_dataset(file, "B", 1, (hsize_t[]){2}, B, H5T_STD_I16BE, false);
    write_dataset(file, "C", 2, (hsize_t[]){3, 2}, C, H5T_IEEE_F32BE, false);
    write_dataset(file, "one", 0, NULL, B + 1, H5T_IEEE_F64LE, false);
    write_dataset(file, "bad", 1, (hsize_t[]){1}, bad, H5T_IEEE_F64LE, false);
    write_dataset(file, "cube", 3, (hsize_t[]){1, 2, 1}, A, H5T_IEEE_F64LE, false);
    hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    write_dataset(group, "A", 2, (hsize_t[]){2, 2}, A, H5T_IEEE_F64LE, false);
    H5Gclose(group);
    assert_true(H5Fclose(file) >= 0);
}

static costab_status read_model(const char *text, costab_spec **spec, costab_error *error) {
    write_text("model.yaml", text);
    return costab_spec_read(scratch_path("model.yaml"), spec, error);
}

#define FROM_FILE(A, B)                                                                                      \
    "system: network\ncoupling: {macro_step: 1}\nsubsystems:\n- {name: s, A: {file: plant.mat, name: " A     \
    "}, B: {file: plant.mat, name: " B "},\n   C: {file: plant.mat, name: C}, inputs: [u], outputs: [x, "    \
    "y, z]}\n"

TEST(matrices_from_files) {
    write_matrices();
    static const char *const good[] = {FROM_FILE("A", "B"), FROM_FILE("At", "B"), FROM_FILE("group/A", "B")};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        costab_spec *spec;
        fixture f;
        check_ok(read_model(good[i], &spec, &why));
        fixture_from(&f, spec);
        const costab_subsystem *s = &f.network->subsystems[0];
        assert_true(s->A[0] == 0 && s->A[1] == 1 && s->A[2] == -5 && s->A[3] == -0.5);
        assert_true(s->B[0] == 0 && s->B[1] == 2 && s->C[1] == 2 && s->C[4] == 5);
        fixture_end(&f);
    }
    static const char *const bad[][3] = {
        {FROM_FILE("Q", "B"), "'Q' of '", "/plant.mat': no dataset has this name"},
        {FROM_FILE("group", "B"), "'group' of '",
         "/plant.mat': it is a group, as MATLAB's sparse matrices and structures are; save a full matrix"},
        {FROM_FILE("cube", "B"), "'cube' of '",
         "/plant.mat': it is not a matrix: it has more than two dimensions"},
        {FROM_FILE("bad", "B"), "'bad' of '", "/plant.mat': it holds a number that is not finite"},
        {FROM_FILE("A", "one"), NULL, "B: expected 2 x 1 numbers (states x inputs), found 1 x 1"},
        {FROM_FILE("C", "B"), NULL, "A: expected 3 x 3 numbers (states x states), found 3 x 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        costab_error error = {0};
        costab_spec *spec;
        char words[600];
        snprintf(words, sizeof words, "%s%s%s", bad[i][1] != NULL ? bad[i][1] : "",
                 bad[i][1] != NULL ? scratch_folder() : "", bad[i][2]);
        assert_int_equal(read_model(bad[i][0], &spec, &error), COSTAB_INVALID);
        check_true(strstr(error.message, words) != NULL, "\"%s\" is in: %s", words, error.message);
    }
}

/* A dataset of 2 x 2 doubles with these creation properties; its first `written` rows are those of the unit
 * matrix, its others are not written. */
static void write_rows(hid_t file, const char *name, hid_t properties, hsize_t written) {
    const double unit[4] = {1, 0, 0, 1};
    const hsize_t start[2] = {0, 0}, count[2] = {written, 2};
    hid_t space = H5Screate_simple(2, (hsize_t[]){2, 2}, NULL);
    hid_t dataset = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    assert_true(dataset >= 0);
    if (written > 0) {
        assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
        hid_t memory = H5Screate_simple(2, count, NULL);
        assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, unit) >= 0);
        H5Sclose(memory);
    }
    H5Sclose(space);
    H5Dclose(dataset);
}

/* A dataset of whole numbers, 2 x 2, with a text attribute and, if `flag` >= 0, a number MATLAB_empty. */
static void write_matlab(hid_t file, const char *name, const char *class, int flag) {
    const int values[4] = {2, 2, 2, 2};
    hid_t space = H5Screate_simple(2, (hsize_t[]){2, 2}, NULL), scalar = H5Screate(H5S_SCALAR);
    hid_t dataset = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    hid_t string = H5Tcopy(H5T_C_S1);
    H5Tset_size(string, strlen(class));
    hid_t attribute = H5Acreate2(dataset, "MATLAB_class", string, scalar, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, string, class) >= 0);
    H5Aclose(attribute);
    if (flag >= 0) {
        attribute = H5Acreate2(dataset, "MATLAB_empty", H5T_STD_U8LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(H5Awrite(attribute, H5T_NATIVE_INT, &flag) >= 0);
        H5Aclose(attribute);
    }
    H5Tclose(string);
    H5Dclose(dataset);
    H5Sclose(scalar);
    H5Sclose(space);
}

/* Datasets that HDF5 reads without an error although the file does not hold their numbers. */
static void write_hollow(void) {
    const hsize_t square[2] = {2, 2}, row[2] = {1, 2}, one[2] = {1, 1};
    hid_t file = H5Fcreate(scratch_path("plant.mat"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, square, NULL), properties = H5Pcreate(H5P_DATASET_CREATE);
    write_rows(file, "whole", H5P_DEFAULT, 2);
    write_rows(file, "never", H5P_DEFAULT, 0);
    assert_true(H5Pset_virtual(properties, space, ".", "whole", space) >= 0);
    write_rows(file, "virtual", properties, 0);
    H5Pclose(properties);
    properties = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_external(properties, "values.raw", 0, 32) >= 0);
    write_rows(file, "external", properties, 0);
    H5Pclose(properties);
    properties = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Pset_chunk(properties, 2, row) >= 0);
    write_rows(file, "no chunks", properties, 0);
    write_rows(file, "one chunk", properties, 1);
    write_rows(file, "all chunks", properties, 2);
    assert_true(H5Pset_chunk(properties, 2, one) >= 0 && H5Pset_deflate(properties, 1) >= 0);
    write_rows(file, "deflated", properties, 2);
    write_rows(file, "half deflated", properties, 1);
    H5Pclose(properties);
    H5Sclose(space);
    space = H5Screate(H5S_NULL);
    H5Dclose(H5Dcreate2(file, "null", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    write_matlab(file, "emptied", "double", 1);
    write_matlab(file, "filled", "double", 0);
    write_matlab(file, "flags", "logical", -1);
    write_matlab(file, "letters", "char", -1);
    write_matlab(file, "object", "string", -1);
    assert_true(H5Fclose(file) >= 0);
}

#define SQUARE_FROM_FILE(name)                                                                               \
    "system: network\ncoupling: {macro_step: 1}\nsubsystems:\n- {name: s, A: {file: plant.mat, name: " name  \
    "}, B: [[1], [1]], C: [[1, 0]], inputs: [u], outputs: [y]}\n"

/* Zeros in place of numbers that are not there, and codes in place of numbers, are refused with the reason.
 */
TEST(matrices_without_numbers) {
    write_hollow();
    static const char *const good[] = {SQUARE_FROM_FILE("whole"), SQUARE_FROM_FILE("all chunks"),
                                       SQUARE_FROM_FILE("deflated"), SQUARE_FROM_FILE("filled"),
                                       SQUARE_FROM_FILE("flags")};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        costab_spec *spec;
        check_ok(read_model(good[i], &spec, &why));
        costab_spec_destroy(&spec);
    }
    static const char *const bad[][2] = {
        {SQUARE_FROM_FILE("never"), "'never' of"},
        {SQUARE_FROM_FILE("never"), "/plant.mat': its numbers were never written"},
        {SQUARE_FROM_FILE("no chunks"), "/plant.mat': its numbers were never written"},
        {SQUARE_FROM_FILE("one chunk"), "/plant.mat': some of its numbers were never written"},
        {SQUARE_FROM_FILE("half deflated"), "/plant.mat': some of its numbers were never written"},
        {SQUARE_FROM_FILE("virtual"),
         "/plant.mat': it is a virtual dataset, whose numbers are in others; store a copy of the numbers"},
        {SQUARE_FROM_FILE("external"),
         "/plant.mat': its numbers are in another file; store a copy of them in this file"},
        {SQUARE_FROM_FILE("null"), "/plant.mat': it is empty"},
        {SQUARE_FROM_FILE("emptied"), "/plant.mat': it is empty"},
        {SQUARE_FROM_FILE("letters"), "/plant.mat': it does not hold real numbers"},
        {SQUARE_FROM_FILE("object"), "/plant.mat': it does not hold real numbers"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        costab_error error = {0};
        costab_spec *spec;
        assert_int_equal(read_model(bad[i][0], &spec, &error), COSTAB_INVALID);
        check_true(strstr(error.message, bad[i][1]) != NULL, "\"%s\" is in: %s", bad[i][1], error.message);
    }
}

TEST(models_of_other_files) {
    costab_error error = {0};
    costab_spec *spec;
    fixture f;
    write_text("base.yaml", two_masses);
    check_ok(read_model("system: network\nmodel: base.yaml\nparameters: {K: 100, H: s/2, s: 0.25}\n"
                        "axes: {K: [1, 2, 3]}\n",
                        &spec, &why));
    fixture_from(&f, spec);
    assert_int_equal(f.model->coupling_count, 2);
    assert_true(f.network->subsystems[1].B[1] == 100);
    assert_true(costab_model_instance_coupling(f.instance, 1)->macro_step == 0.125);
    assert_string_equal(f.model->base_text, two_masses);
    fixture_end(&f);
    check_ok(read_model("system: network\nmodel: base.yaml\ncoupling: {scheme: gauss-seidel, macro_step: "
                        "H, order: [second, first]}\n",
                        &spec, &why));
    fixture_from(&f, spec);
    assert_int_equal(f.model->coupling_count, 1);
    assert_int_equal(costab_model_instance_coupling(f.instance, 0)->order[0], 1);
    fixture_end(&f);

    /* Messages have the place of the mistake. */
    char words[600];
    snprintf(words, sizeof words,
             "%s/model.yaml:3:18: error: parameter 'm1': its value is not finite: a denominator is 0",
             scratch_folder());
    check_ok(read_model("system: network\nmodel: base.yaml\nparameters: {m1: 1/0}\n", &spec, &why));
    assert_int_equal(complaint_use(spec->model, &error), COSTAB_INVALID);
    costab_spec_destroy(&spec);
    assert_string_equal(error.message, words);
    snprintf(words, sizeof words,
             "%s/base.yaml:4:30: error: subsystem 'first', A(2,1): its value is not finite",
             scratch_folder());
    check_ok(read_model("system: network\nmodel: base.yaml\nparameters: {m1: 0}\n", &spec, &why));
    assert_int_equal(complaint_use(spec->model, &error), COSTAB_INVALID);
    costab_spec_destroy(&spec);
    assert_int_equal(strncmp(error.message, words, strlen(words)), 0);
    assert_int_equal(read_model("system: network\nmodel: model.yaml\n", &spec, &error), COSTAB_INVALID);
    assert_non_null(strstr(error.message, "name that file instead"));
}

/* ---- Memory and threads ---- */

/* Whichever allocation fails: out of memory or the usual end, nothing in between, nothing lost. */
TEST(every_allocation_fails_once) {
    static const char bad[] = "system: network\nparameters: {a: b}\nsubsystems: [{name: s, A: [[x]]}]\n"
                              "connections: [{from: s.y, to: q.u}]\ncoupling: {macro_step: 1, order: [q]}\n";
    const char *const texts[] = {regulated, pendulum, two_masses, bad};
    const costab_status ends[] = {COSTAB_OK, COSTAB_OK, COSTAB_OK, COSTAB_INVALID};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        int failures = 0;
        for (long k = 1; k <= 600; k++) {
            costab_spec *spec;
            costab_model_instance *instance = NULL;
            costab_error error = {0};
            memory_fail_at(k);
            costab_status status = costab_spec_parse("t.yaml", texts[t], strlen(texts[t]), &spec, &error);
            check_true((spec != NULL) == (!status), "a model only where all is fine");
            if (!status) status = costab_model_instance_create(spec->model, &instance, &error);
            memory_fail_at(0);
            check_true(status == COSTAB_MEMORY || status == ends[t], "status %d: %s", (int)status,
                       error.message);
            if (status) assert_int_equal(error.status, status);
            failures += status == COSTAB_MEMORY;
            costab_model_instance_destroy(&instance);
            costab_spec_destroy(&spec);
        }
        assert_true(failures > 20);
    }
}

/* Anything else after a text stays there. */
TEST(files_beside_settings) {
    static const char text[] =
        "system: network\nparameters: {k: 2, H: 0.1, d: 1}\n"
        "subsystems: [{name: s, A: [[-k*d]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}]\n"
        "coupling: {macro_step: H}\naxes: {H: [0.1, 1], k: [1, 2]}\n"
        "figure: {kind: classes, points: p.csv, lines: l.csv}\n" COSTAB_JOINT_POINTS
        "x,y\n0.5,1\n" COSTAB_JOINT_LINES "x,y\n0,1\n1,2\n";
    costab_spec *spec;
    char *whole;
    check_ok(costab_spec_parse_stored("t.yaml", text, strlen(text), &spec, &why));
    for (int k = 3; k < 5; k++) {
        check_ok(costab_spec_set(&spec, &(costab_setting){"d", k}, 1, &why));
        assert_true(fixture_value(spec, "d") == k && spec->stored);
        assert_string_equal(spec->figure.points.text, "x,y\n0.5,1\n");
        assert_string_equal(spec->figure.lines.text, "x,y\n0,1\n1,2\n");
    }
    check_ok(costab_spec_whole(spec, &whole, &why));
    assert_non_null(
        strstr(whole, COSTAB_JOINT_SET "d: 4\n" COSTAB_JOINT_POINTS "x,y\n0.5,1\n" COSTAB_JOINT_LINES));
    costab_spec_free_text(&whole);
    costab_spec_destroy(&spec);
}

/* A stored text's names that were removed since is passed over; a new text is refused. */
TEST(removed_names) {
    static const char text[] =
        "system: network\nparameters: {k: 2, H: 0.1}\n"
        "subsystems: [{name: s, A: [[-k]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}]\n"
        "coupling: {macro_step: H}\naxes: {H: [0.1, 1], k: [1, 2]}\n"
        "fields: [worst, class]\nrefine: {certified: true}\n";
    costab_spec *spec;
    check_ok(costab_spec_parse_stored("t.yaml", text, strlen(text), &spec, &why));
    assert_int_equal(spec->fields, COSTAB_NETWORK_CLASS);
    assert_true(spec->refine_cell > 0);
    costab_spec_destroy(&spec);
    assert_int_equal(costab_spec_parse("t.yaml", text, strlen(text), &spec, &why), COSTAB_INVALID);
    assert_non_null(strstr(why.message, "write 'refine: true'"));
    assert_non_null(strstr(why.message, "use 'probability'"));
}

/* Names that mean something else since version 0.1.0 keep their meaning in a stored text, and options that
 * the scheme does not use are read. */
TEST(names_of_earlier_versions) {
    static const char network[] = "system: network\nsubsystems: [{name: s, A: [[-1]]}]\n"
                                  "coupling: {name: jacobi, extrapolation: linear, macro_step: 1}\n";
    static const char unused[] = "system: network\nsubsystems: [{name: s, A: [[-1]]}]\n"
                                 "coupling: {scheme: jacobi, iterations: 3, macro_step: 1}\n";
    static const char planar[] = "system: planar\nschemes: [iterated, gauss-seidel, cross]\n"
                                 "axes: {a: 0, gamma: [0, 1], delta: [0, 1]}\n";
    costab_spec *spec;
    check_ok(costab_spec_parse_stored("t.yaml", network, strlen(network), &spec, &why));
    assert_string_equal(spec->model->coupling_names[0], "jacobi");
    costab_spec_destroy(&spec);
    assert_int_equal(costab_spec_parse("t.yaml", network, strlen(network), &spec, &why), COSTAB_INVALID);
    check_ok(costab_spec_parse_stored("t.yaml", unused, strlen(unused), &spec, &why));
    assert_string_equal(spec->model->coupling_names[0], "jacobi");
    costab_spec_destroy(&spec);
    assert_int_equal(costab_spec_parse("t.yaml", unused, strlen(unused), &spec, &why), COSTAB_INVALID);
    check_ok(costab_spec_parse_stored("t.yaml", planar, strlen(planar), &spec, &why));
    assert_true(spec->planar.schemes[0] == COSTAB_STRONG && spec->planar.schemes[1] == COSTAB_ZIGZAG);
    costab_spec_destroy(&spec);
    assert_int_equal(costab_spec_parse("t.yaml", planar, strlen(planar), &spec, &why), COSTAB_INVALID);
}

/* Setting parameters: where memory runs out the spec is still what it was. */
TEST(setting_runs_out_of_memory) {
    static const costab_setting settings[] = {{"k", 3}, {"m", 5}};
    costab_status status = COSTAB_MEMORY;
    long k = 0;
    while (status == COSTAB_MEMORY) {
        costab_spec *spec;
        spec = spec_of(regulated);
        memory_fail_at(++k);
        status = costab_spec_set(&spec, settings, 2, &why);
        memory_fail_at(0);
        assert_true(status == COSTAB_OK || status == COSTAB_MEMORY);
        assert_true((fixture_value(spec, "k") == 3) == (status == COSTAB_OK));
        costab_spec_destroy(&spec);
    }
    assert_true(k > 20);
}

/* An update needs no allocation: it succeeds if all of them fail. */
TEST(updates_do_not_allocate) {
    fixture f;
    fixture_start(&f, pendulum);
    /* Setting a derived parameter for the first time changes what varies freely in the model. */
    for (int i = 0; i < f.model->parameter_count; i++) costab_model_instance_set(f.instance, i, 1.5 + i);
    check_ok(costab_model_instance_update(f.instance, &why));
    memory_fail_at(1);
    for (int i = 0; i < f.model->parameter_count; i++) costab_model_instance_set(f.instance, i, 1.25 + i);
    check_ok(costab_model_instance_update(f.instance, &why));
    assert_null(memory_alloc(1, 1)); /* it was still to fail */
    memory_fail_at(0);
    fixture_end(&f);
}

typedef struct job {
    costab_model_instance *instance;
    double sum;
} job;

static void *sweep(void *context) {
    job *j = context;
    const costab_network *network = costab_model_instance_network(j->instance);
    for (int i = 0; i < 2000; i++) {
        costab_model_instance_set(j->instance, 4, 0.001 * i);
        costab_model_instance_set(j->instance, 1, 1 + 0.01 * i);
        if (costab_model_instance_update(j->instance, NULL) != COSTAB_OK) return NULL;
        for (int k = 0; k < 4; k++) j->sum += network->subsystems[0].A[k] + network->subsystems[0].C[k];
    }
    return NULL;
}

TEST(instances_in_threads) {
    costab_spec *spec;
    job jobs[4] = {{NULL, 0}};
    pthread_t threads[4];
    spec = spec_of(pendulum);
    for (int i = 0; i < 4; i++) check_ok(costab_model_instance_create(spec->model, &jobs[i].instance, &why));
    for (int i = 1; i < 4; i++) assert_int_equal(pthread_create(&threads[i], NULL, sweep, &jobs[i]), 0);
    sweep(&jobs[0]);
    for (int i = 1; i < 4; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(jobs[0].sum != 0);
    for (int i = 0; i < 4; i++) {
        assert_true(jobs[i].sum == jobs[0].sum);
        costab_model_instance_destroy(&jobs[i].instance);
    }
    costab_spec_destroy(&spec);
}
