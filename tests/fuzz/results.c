/* Results files whose HDF5 is sound and whose content is not: a good file, changed through HDF5 as the input
 * says. It is refused in words, or can be read and drawn. (Damaged bytes: property/strangers.) */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "costab/figure.h"
#include "costab/store.h"
#include "costab/study.h"
#include "fuzz.h"
#include "store/store.h"
#include "study/create.h"
#include "support/scratch.h"
#include "support/support.h"
#include "sweep/run.h"

enum { CHANGES_MAX = 6, VALUES_MAX = 4096, PATH_SIZE = 512 };

#define LINK                                                                                                 \
    "subsystems: [{name: p, A: [[-k]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y]}]\n"           \
    "parameters: {k: 1, H: 0.5}\nconnections: [{from: p.y, to: p.u}]\ncoupling: {macro_step: H}\n"

static const char *const specs[] = {
    "system: planar\nschemes: [zigzag]\naxes: {a: [0.5], gamma: [-6, -4, -2, 0, 2], delta: [0, 4, 8]}\n"
    "fields: [class, cause, row_intervals]\nfigure: {kind: regions}\n",
    "system: planar\nschemes: [cross, strong]\naxes: {a: [0], gamma: [-2, 0], delta: [0, 4]}\n"
    "fields: [class, trace]\nfigure: {kind: comparison}\n",
    "system: planar\nschemes: [cross]\naxes: {a: [-1, 0.5]}\nfields: areas\nfigure: {kind: areas}\n",
    "system: planar\nschemes: [cross]\nfigure: {kind: time}\n"
    "history: {matrix: [10, 3000, -2767, -110], h: 1e-3, x0: [1, 0], until: 0.005}\n",
    "system: network\n" LINK "axes: {k: [1, 2, 8], H: [0.2, 0.4, 0.9]}\nfields: [class, spectral_radius]\n"
    "figure: {kind: [contour, classes]}\n",
    "system: network\n" LINK "axes: {H: [0.2, 0.4, 0.9, 2, 3]}\nfields: [class, spectral_radius]\n"
    "figure: {kind: curve}\n",
    "system: network\n" LINK "history: {until: 2, local: true}\nfigure: {kind: time}\n",
};
enum { SPECS = sizeof specs / sizeof *specs };

static text bases[SPECS];

/* ---- The good files */

static void make_base(int number) {
    costab_spec *spec = NULL;
    costab_study *study = NULL;
    costab_error error = {0};
    costab_status status = costab_spec_parse("m.yaml", specs[number], strlen(specs[number]), &spec, &error);
    if (!status) status = costab_study_create(spec, &study, &error);
    costab_store_info info = {.title = "T", .spec_path = "m.yaml", .spec_text = specs[number]};
    check_true(!status, "%s", error.message);
    costab_evaluator evaluator = costab_study_evaluator(study);
    status =
        costab_store_write(scratch_path("good.h5"), costab_study_plan(study), &info, &evaluator, 1, &error);
    if (!status) status = text_read_file(scratch_path("good.h5"), (size_t)1 << 20, &bases[number], &error);
    check_true(!status, "good file %d: %s", number, error.message);
    costab_study_destroy(&study);
    costab_spec_destroy(&spec);
}

static void start(void) {
    if (bases[0].size > 0) return;
    for (int i = 0; i < SPECS; i++) make_base(i);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* ---- Changes; each takes what it needs from the input, 0 after its end. Changes that HDF5 refuses are skipped. */

typedef struct input {
    const uint8_t *next, *end;
} input;

static uint8_t take(input *in) {
    return in->next < in->end ? *in->next++ : 0;
}

static void take_word(input *in, char word[40]) {
    size_t length = take(in) % 39, n = 0;
    while (n < length && in->next < in->end) word[n++] = (char)take(in);
    word[n] = '\0';
}

static double take_number(input *in) {
    static const double numbers[] = {0,  1, -1, 0.5, 1e308, -1e308, 5e-324, (double)NAN, (double)INFINITY,
                                     1e9};
    return numbers[take(in) % (sizeof numbers / sizeof *numbers)];
}

/* Extents up to some that no memory holds. */
static int take_extents(input *in, hsize_t extents[8]) {
    static const hsize_t choices[] = {
        0, 1, 2, 3, 5, 9, 1000, (hsize_t)1 << 20, (hsize_t)1 << 34, (hsize_t)1 << 62};
    int rank = take(in) % 8;
    for (int i = 0; i < rank; i++) extents[i] = choices[take(in) % (sizeof choices / sizeof *choices)];
    return rank;
}

static hid_t take_type(input *in) {
    hid_t type = -1;
    switch (take(in) % 8) {
    case 0:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 1:
        return H5Tcopy(H5T_NATIVE_UINT8);
    case 2:
        return H5Tcopy(H5T_STD_I64BE);
    case 3:
        type = H5Tcopy(H5T_C_S1);
        (void)H5Tset_size(type, H5T_VARIABLE);
        return type;
    case 4:
        type = H5Tcopy(H5T_C_S1);
        (void)H5Tset_size(type, 1 + (size_t)take(in));
        return type;
    case 5:
        return H5Tvlen_create(H5T_NATIVE_DOUBLE);
    case 6:
        type = H5Tcreate(H5T_COMPOUND, 16);
        (void)H5Tinsert(type, "x", 0, H5T_NATIVE_DOUBLE);
        (void)H5Tinsert(type, "y", 8, H5T_NATIVE_INT);
        return type;
    default:
        return H5Tcopy(H5T_IEEE_F32LE);
    }
}

static bool name_of(hid_t file, input *in, char name[64]) {
    H5G_info_t group;
    if (H5Gget_info(file, &group) < 0 || group.nlinks == 0) return false;
    hsize_t index = take(in) % group.nlinks;
    ssize_t n = H5Lget_name_by_idx(file, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, index, name, 64, H5P_DEFAULT);
    return n > 0 && n < 64;
}

static void change_values(hid_t file, input *in, const char *name) {
    static double numbers[VALUES_MAX];
    static uint8_t bytes[VALUES_MAX];
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = dataset >= 0 ? H5Dget_space(dataset) : -1;
    hid_t type = dataset >= 0 ? H5Dget_type(dataset) : -1;
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    if (count > 0 && count <= VALUES_MAX && H5Tget_class(type) == H5T_FLOAT &&
        H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) >= 0) {
        for (int k = take(in) % 4; k >= 0; k--) numbers[take(in) % count] = take_number(in);
        (void)H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    } else if (count > 0 && count <= VALUES_MAX && H5Tget_class(type) == H5T_INTEGER &&
               H5Dread(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0) {
        for (int k = take(in) % 4; k >= 0; k--) bytes[take(in) % count] = take(in);
        (void)H5Dwrite(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
    }
    if (type >= 0) (void)H5Tclose(type);
    if (space >= 0) (void)H5Sclose(space);
    if (dataset >= 0) (void)H5Dclose(dataset);
}

/* Another text in place of the one in `name`, its `path` kept out: a part of the spec is written over. */
static void change_spec(hid_t file, input *in, int base) {
    char *changed = strdup(specs[base]), word[40];
    assert_non_null(changed);
    size_t length = strlen(changed), at = (size_t)(take(in) * 256 + take(in)) % length;
    take_word(in, word);
    for (size_t i = 0; word[i] != '\0' && at + i < length; i++) changed[at + i] = word[i];
    hid_t dataset = H5Dopen2(file, "spec", H5P_DEFAULT), type = dataset >= 0 ? H5Dget_type(dataset) : -1;
    hid_t space = dataset >= 0 ? H5Dget_space(dataset) : -1;
    if (type >= 0 && H5Tis_variable_str(type) > 0 && H5Sget_simple_extent_npoints(space) == 1) {
        const char *const written = changed;
        (void)H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &written);
    }
    if (space >= 0) (void)H5Sclose(space);
    if (type >= 0) (void)H5Tclose(type);
    if (dataset >= 0) (void)H5Dclose(dataset);
    free(changed);
}

/* A dataset, empty or never written, in place of the one of this name. */
static void replace_dataset(hid_t file, input *in, const char *name) {
    hsize_t extents[8], chunk[8];
    int rank = take_extents(in, extents);
    hid_t type = take_type(in),
          space = rank > 0 ? H5Screate_simple(rank, extents, NULL) : H5Screate(H5S_SCALAR);
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    for (int i = 0; i < rank; i++) chunk[i] = extents[i] < 4 ? (extents[i] > 0 ? extents[i] : 1) : 4;
    if (rank > 0 && take(in) % 4 != 0) (void)H5Pset_chunk(properties, rank, chunk);
    (void)H5Ldelete(file, name, H5P_DEFAULT);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (dataset >= 0) (void)H5Dclose(dataset);
    (void)H5Pclose(properties);
    if (space >= 0) (void)H5Sclose(space);
    if (type >= 0) (void)H5Tclose(type);
}

/* An attribute of an object or the root, taken away or replaced by bytes or words. */
static void change_attribute(hid_t file, input *in) {
    static const char *const names[] = {
        "CLASS", "DIMENSION_LABELS", "long_name", "flag_values", "flag_masks", "flag_meanings",
        "path",  "source",           "revision",  "title",       "units",      "NAME"};
    char object[64] = "/", word[40];
    if (take(in) % 4 != 0 && !name_of(file, in, object)) return;
    const char *name = names[take(in) % (sizeof names / sizeof *names)];
    hid_t at = H5Oopen(file, object, H5P_DEFAULT), type = -1, space = -1, attribute = -1;
    if (at < 0) return;
    (void)H5Adelete(at, name);
    uint8_t kind = take(in) % 4;
    hsize_t extent = 1 + (hsize_t)take(in) % 40;
    take_word(in, word);
    const char *words[40];
    for (int i = 0; i < 40; i++) words[i] = i % 3 == 2 ? NULL : word;
    if (kind == 1) {
        type = H5Tcopy(H5T_C_S1);
        (void)H5Tset_size(type, sizeof word);
        space = H5Screate(H5S_SCALAR);
    } else if (kind == 2) {
        type = H5Tcopy(H5T_C_S1);
        (void)H5Tset_size(type, H5T_VARIABLE);
        space = H5Screate_simple(1, &extent, NULL);
    } else if (kind == 3) {
        type = H5Tcopy(H5T_NATIVE_UINT8);
        space = H5Screate_simple(1, &extent, NULL);
    }
    if (type >= 0 && (attribute = H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT)) >= 0)
        (void)H5Awrite(attribute, type, kind == 2 ? (const void *)words : word);
    if (attribute >= 0) (void)H5Aclose(attribute);
    if (space >= 0) (void)H5Sclose(space);
    if (type >= 0) (void)H5Tclose(type);
    (void)H5Oclose(at);
}

static void change(hid_t file, input *in, int base) {
    char name[64], other[64], word[40];
    uint8_t what = take(in) % 9;
    if (what == 0) {
        change_spec(file, in, base);
        return;
    }
    if (what == 1) {
        change_attribute(file, in);
        return;
    }
    if (!name_of(file, in, name)) return;
    hid_t group = -1;
    switch (what) {
    case 2:
        replace_dataset(file, in, name);
        break;
    case 3:
        (void)H5Ldelete(file, name, H5P_DEFAULT);
        break;
    case 4: /* two names change places */
        if (!name_of(file, in, other)) return;
        (void)H5Lmove(file, name, file, "between", H5P_DEFAULT, H5P_DEFAULT);
        (void)H5Lmove(file, other, file, name, H5P_DEFAULT, H5P_DEFAULT);
        (void)H5Lmove(file, "between", file, other, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 5:
        take_word(in, word);
        (void)H5Lmove(file, name, file, word, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 6: /* a link to itself, to another link, to another file */
        if (!name_of(file, in, other)) return;
        (void)H5Ldelete(file, name, H5P_DEFAULT);
        if (take(in) % 2 == 0)
            (void)H5Lcreate_soft(other, file, name, H5P_DEFAULT, H5P_DEFAULT);
        else
            (void)H5Lcreate_external("m.h5", other, file, name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 7:
        (void)H5Ldelete(file, name, H5P_DEFAULT);
        group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0) (void)H5Gclose(group);
        break;
    default:
        change_values(file, in, name);
    }
}

/* The changed file under its name; false where HDF5 cannot make it. */
static bool make_file(const char *path, input *in) {
    int base = take(in) % SPECS;
    FILE *copy = fopen(path, "wb");
    bool fine = copy != NULL && fwrite(bases[base].data, 1, bases[base].size, copy) == bases[base].size;
    if (copy != NULL && fclose(copy) != 0) fine = false;
    assert_true(fine);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    for (int i = 0; i < CHANGES_MAX && in->next < in->end; i++) change(file, in, base);
    return H5Fclose(file) >= 0;
}

/* ---- The contract */

static void read_field(const costab_results *results, int number) {
    const costab_plan *plan = costab_results_plan(results);
    const costab_field *field = &plan->fields[number];
    size_t from[COSTAB_AXES_MAX] = {0}, count[COSTAB_AXES_MAX], values = 1;
    costab_error error = {0};
    for (int i = 0; i < field->rank; i++) {
        count[i] = plan->axes[field->axes[i]].count;
        if (count[i] > VALUES_MAX / values) count[i] = VALUES_MAX / values;
        values *= count[i];
    }
    void *block = malloc(values * costab_type_size(field->type));
    assert_non_null(block);
    costab_status status = costab_results_read(results, number, from, count, block, &error);
    check_true(!status || error.message[0] != '\0', "a message");
    free(block);
}

static void promise_results(const costab_results *results) {
    const costab_plan *plan = costab_results_plan(results);
    assert_in_range(plan->axis_count, 1, COSTAB_AXES_MAX);
    for (int i = 0; i < plan->axis_count; i++) {
        assert_true(plan->axes[i].count >= 1);
        assert_true((plan->axes[i].values != NULL) != (plan->axes[i].labels != NULL));
    }
    assert_true(costab_results_title(results) && costab_results_spec_text(results) &&
                costab_results_spec_path(results) && costab_results_source(results));
    for (int f = 0; f < plan->field_count; f++) read_field(results, f);
    /* Drawing areas computes them, for a second each. */
    if (strstr(costab_results_spec_text(results), "areas") != NULL) return;
    costab_plot_options options = {.folder = scratch_folder(), .name = "m", .script_only = true};
    costab_plot_outcome outcome;
    costab_error error = {0};
    costab_status status = costab_plot(results, &options, &outcome, &error);
    check_true(!status || error.message[0] != '\0', "a message");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    costab_results *results;
    costab_error error = {0};
    input in = {data, data + size};
    char path[PATH_SIZE];
    start();
    (void)snprintf(path, sizeof path, "%s", scratch_path("m.h5"));
    if (!make_file(path, &in)) return 0;
    costab_status status = costab_results_open(path, &results, &error);
    if (!status)
        promise_results(results);
    else
        check_true(status == COSTAB_INVALID && error.message[0] != '\0', "status %d: %s", (int)status,
                   error.message);
    if (size <= 1) check_true(!status, "a good file: %s", error.message);
    costab_results_close(&results);
    return 0;
}
