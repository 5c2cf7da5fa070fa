/* Untrusted files: results files and MATLAB files whose bytes were changed. HDF5 may crash on them or
 * never come back, in a child process; here each is read, or refused in words that name it. The limit of time
 * is short, so that this ends. */
#define _GNU_SOURCE /* syscall */
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "costab/store.h"
#include "costab/study.h"
#include "support/scratch.h"
#include "support/support.h"
#include "sweep/run.h"

enum { MILLISECONDS = 200, CHANGES_MAX = 8, BLOCK_MAX = 64, BYTES_MAX = 1 << 20 };

#define LINK                                                                                                 \
    "subsystems: [{name: p, A: [[-k]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y]}]\n"           \
    "parameters: {k: 1, H: 0.5}\nconnections: [{from: p.y, to: p.u}]\ncoupling: {macro_step: H}\n"

static const char *const specs[] = {
    "title: T\nsystem: planar\nschemes: [zigzag, cross]\naxes: {a: [0.5], gamma: [-6, -4, -2, 0, 2], delta: "
    "[0, 4, 8]}\nfields: [class, trace, row_intervals]\n",
    "system: network\n" LINK "axes: {k: [1, 2, 8], H: [0.2, 0.4, 0.9]}\nfields: [class, spectral_radius]\n",
};
enum { SPECS = sizeof specs / sizeof *specs };

static const char model[] =
    "system: network\ncoupling: {macro_step: 1}\nsubsystems:\n- {name: s, A: {file: plant.mat, name: A}, B: "
    "{file: plant.mat, name: B}, C: {file: plant.mat, name: group/C}, inputs: [u], outputs: [y, z]}\n";

/* Counts of the outcomes. */
typedef struct outcomes {
    size_t read, refused, crashed, late, failed;
} outcomes;

static void count(outcomes *o, costab_status status, const costab_error *error, const char *name) {
    if (!status)
        o->read++;
    else if (strstr(error->message, "crashed on it"))
        o->crashed++;
    else if (strstr(error->message, "takes too long"))
        o->late++;
    else
        o->refused++;
    if (status && (strstr(error->message, name) == NULL || status == COSTAB_CANCELLED)) {
        o->failed++;
        print_error("status %d: %s\n", status, error->message);
    }
}

static void tell(const char *what, size_t total, const outcomes *o) {
    printf("# %zu %s tried and survived: %zu read, %zu refused, %zu crashed HDF5 and %zu kept it busy, in a "
           "process of its own\n",
           total, what, o->read, o->refused, o->crashed, o->late);
    assert_int_equal(o->failed, 0);
    assert_int_equal(o->read + o->refused + o->crashed + o->late, total);
}

static void put_word(rng *r, char *bytes, size_t size) {
    static const uint64_t words[] = {0,      1,      2,          8,          0x7f,      0xff,
                                     0x7fff, 0xffff, 0x7fffffff, 0xffffffff, UINT64_MAX};
    size_t width = (size_t)1 << rng_int(r, 0, 3), at = rng_bits(r) % (size - width);
    int k = rng_int(r, 0, sizeof words / sizeof *words);
    uint64_t word = k < (int)(sizeof words / sizeof *words) ? words[k] : rng_bits(r) % size;
    memcpy(bytes + at, &word, width);
}

static void put_block(rng *r, char *bytes, size_t size) {
    size_t width = (size_t)rng_int(r, 1, BLOCK_MAX), from = rng_bits(r) % (size - width);
    memmove(bytes + rng_bits(r) % (size - width), bytes + from, width);
}

/* Changes a few bytes; the size that is left. */
static size_t change(rng *r, char *bytes, size_t size) {
    for (int k = rng_int(r, 1, CHANGES_MAX); k > 0; k--) {
        size_t at = rng_bits(r) % size;
        switch (rng_int(r, 0, 9)) {
        case 0:
        case 1:
        case 2:
            bytes[at] = (char)(bytes[at] ^ 1 << rng_int(r, 0, 7));
            break;
        case 3:
        case 4:
            bytes[at] = (char)rng_bits(r);
            break;
        case 5:
        case 6:
        case 7:
            put_word(r, bytes, size);
            break;
        case 8:
            put_block(r, bytes, size);
            break;
        default:
            memset(bytes + at, rng_int(r, 0, 1) * 0xff, size - at < BLOCK_MAX ? size - at : BLOCK_MAX / 2);
        }
    }
    return rng_int(r, 0, 19) == 0 ? size / 2 + rng_bits(r) % (size / 2) : size;
}

static void put_file(const char *path, const char *bytes, size_t size) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(file_put(fd, bytes, size), 0);
    assert_int_equal(close(fd), 0);
}

static void make_base(const char *spec, text *bytes) {
    costab_study *study = NULL;
    const char *path = scratch_path("good.h5");
    costab_study_run_options options = {.threads = 1};
    costab_status status = costab_study_parse("m.yaml", spec, strlen(spec), &study, &why);
    if (!status) status = costab_study_run(study, path, &options, NULL, &why);
    if (!status) status = text_read_file(path, BYTES_MAX, bytes, &why);
    check_ok(status);
    costab_study_destroy(&study);
}

/* Opens a file and reads all its values. */
static costab_status read_all(const char *path, costab_error *error) {
    static char values[BYTES_MAX];
    costab_results *results = NULL;
    costab_status status = costab_results_open(path, &results, error);
    const costab_plan *plan = status ? NULL : costab_results_plan(results);
    for (int f = 0; !status && f < plan->field_count; f++) {
        size_t start[COSTAB_AXES_MAX] = {0}, extent[COSTAB_AXES_MAX],
               size = costab_type_size(plan->fields[f].type);
        for (int i = 0; i < plan->fields[f].rank; i++) {
            extent[i] = plan->axes[plan->fields[f].axes[i]].count;
            size = extent[i] > BYTES_MAX / size ? BYTES_MAX + 1 : size * extent[i];
        }
        if (size <= BYTES_MAX) status = costab_results_read(results, f, start, extent, values, error);
    }
    costab_results_close(&results);
    return status;
}

TEST(results_files) {
    rng r = rng_start("results files of strangers");
    outcomes found = {0};
    text base[SPECS] = {{0}}, changed = {0};
    size_t total = effort(100);
    for (int i = 0; i < SPECS; i++) make_base(specs[i], &base[i]);
    for (size_t i = 0; i < total; i++) {
        const text *good = &base[i % SPECS];
        const char *path = scratch_path("forged.h5");
        costab_error error = {.status = COSTAB_OK};
        changed.size = 0;
        text_append_n(&changed, good->data, good->size);
        assert_false(changed.failed);
        size_t size = i < SPECS ? good->size : change(&r, changed.data, changed.size);
        put_file(path, changed.data, size);
        count(&found, read_all(path, &error), &error, "forged.h5");
    }
    tell("results files", total, &found);
    assert_true(found.read >= SPECS && found.refused > 0);
    text_free(&changed);
    for (int i = 0; i < SPECS; i++) text_free(&base[i]);
}

static void put_matrix(hid_t at, const char *name, hsize_t rows, hsize_t columns, const double *values) {
    hid_t space = H5Screate_simple(2, (hsize_t[]){rows, columns}, NULL), scalar = H5Screate(H5S_SCALAR);
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE), string = H5Tcopy(H5T_C_S1);
    assert_true(H5Pset_chunk(properties, 2, (hsize_t[]){rows, columns}) >= 0);
    assert_true(H5Pset_deflate(properties, 3) >= 0 && H5Tset_size(string, 6) >= 0);
    hid_t dataset = H5Dcreate2(at, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    assert_true(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    hid_t attribute = H5Acreate2(dataset, "MATLAB_class", string, scalar, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, string, "double") >= 0);
    H5Aclose(attribute);
    H5Dclose(dataset);
    H5Pclose(properties);
    H5Tclose(string);
    H5Sclose(scalar);
    H5Sclose(space);
}

/* As MATLAB writes them: after a block of 512 bytes, matrices deflated and by columns. */
static void make_matlab(const char *path) {
    hid_t layout = H5Pcreate(H5P_FILE_CREATE);
    assert_true(H5Pset_userblock(layout, 512) >= 0);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, layout, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    put_matrix(file, "A", 2, 2, (const double[]){0, -5, 1, -0.5});
    put_matrix(file, "B", 1, 2, (const double[]){0, 2});
    put_matrix(group, "C", 2, 2, (const double[]){1, 0, 0, 1});
    H5Gclose(group);
    H5Pclose(layout);
    assert_true(H5Fclose(file) >= 0);
}

TEST(matlab_files) {
    rng r = rng_start("MATLAB files of strangers");
    outcomes found = {0};
    text good = {0}, changed = {0};
    size_t total = effort(30);
    char path[512], model_path[512];
    (void)snprintf(path, sizeof path, "%s", scratch_path("plant.mat"));
    (void)snprintf(model_path, sizeof model_path, "%s", scratch_path("model.yaml"));
    make_matlab(path);
    check_ok(text_read_file(path, BYTES_MAX, &good, &why));
    for (size_t i = 0; i < total; i++) {
        costab_spec *spec = NULL;
        changed.size = 0;
        text_append_n(&changed, good.data, good.size);
        assert_false(changed.failed);
        size_t size = i == 0 ? good.size : change(&r, changed.data, changed.size);
        put_file(path, changed.data, size);
        costab_status status = costab_spec_parse(model_path, model, sizeof model - 1, &spec, &why);
        count(&found, status, &why, "model.yaml:");
        costab_spec_destroy(&spec);
    }
    tell("MATLAB files", total, &found);
    assert_true(found.read >= 1 && found.refused > 0);
    text_free(&good);
    text_free(&changed);
}

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define SECONDS_STAY /* this sanitizer holds signals back from a loop, and may answer before it is ready */
#endif
#endif

/* True while a test of this file runs: all C tests are one program. */
static bool hurries;

static int hurry(void **state) {
    (void)state;
    hurries = true;
    return 0;
}

static int rest(void **state) {
    (void)state;
    hurries = false;
    return 0;
}

TESTS_AROUND(hurry, rest)

#ifndef SECONDS_STAY
/* Children get milliseconds in place of the seconds that they ask for. */
static void end_late(int number) {
    (void)number;
    (void)raise(SIGXCPU);
}

/* The address sanitizer's library calls it before it is ready. */
__attribute__((no_sanitize("address"))) int setrlimit(__rlimit_resource_t resource,
                                                      const struct rlimit *limit) {
    static const struct itimerval timer = {.it_value = {.tv_usec = 1000 * MILLISECONDS}};
    if (resource != RLIMIT_CPU || !hurries) return (int)syscall(SYS_prlimit64, 0, resource, limit, NULL);
    (void)signal(SIGPROF, end_late);
    return setitimer(ITIMER_PROF, &timer, NULL);
}
#endif
