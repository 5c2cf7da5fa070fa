/* A results file as a MATLAB file of version 7.3: HDF5 behind a block of 512 bytes.
 *   1. MATLAB stores arrays by columns, so that HDF5 sees their dimensions in reverse: tiles are turned as
 *      they are copied.
 *   2. Labels become cell arrays of UTF-16 texts, and each dataset says its MATLAB class.
 * Memory: a tile at a time. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/seal.h"
#include "base/text.h"
#include "costab/store.h"
#include "store/hdf5.h"

enum { USER_BLOCK = 512, HEAD = 116, NAME_MAX_LENGTH = 63 };
#define CELLS "#refs#"

typedef struct writer {
    const costab_results *results;
    const costab_plan *plan;
    store_job *job;
    hid_t file, cells; /* the group that holds what cells point to */
    unsigned cell_count;
} writer;

/* ---- Attributes and names */

/* MATLAB's own: a string of exactly its length. */
static void put_class(writer *w, hid_t object, const char *name) {
    if (w->job->status) return;
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0 || H5Tset_size(type, strlen(name)) < 0) store_fail(w->job, "MATLAB_class");
    store_put(w->job, object, "MATLAB_class", type, 0, name);
    store_close(w->job, &type);
}

/* A name that MATLAB takes for a variable, of `name` and an ending; another one where it is taken. */
static void make_name(writer *w, const char *name, const char *ending, char made[NAME_MAX_LENGTH + 1]) {
    int room = NAME_MAX_LENGTH - (int)strlen(ending) - 2;
    (void)snprintf(made, NAME_MAX_LENGTH + 1, "%s%.*s%s", isalpha((unsigned char)name[0]) ? "" : "x_", room,
                   name, ending);
    for (char *c = made; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    for (size_t n = strlen(made);
         !w->job->status && n < NAME_MAX_LENGTH && H5Lexists(w->file, made, H5P_DEFAULT) > 0; n++)
        memcpy(made + n, "_", 2);
}

/* ---- Variables */

/* Times of objects are not kept: the same results give the same bytes. */
static hid_t timeless(void) {
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    return store_made(properties, properties >= 0 && H5Pset_obj_track_times(properties, false) >= 0);
}

/* A dataset of a class with these dimensions, MATLAB's in reverse; -1 after a failure. */
static hid_t create(writer *w, hid_t where, const char *name, const char *class_name, hid_t type,
                    const hsize_t dimensions[2]) {
    if (w->job->status) return -1;
    hid_t space = H5Screate_simple(2, dimensions, NULL), properties = timeless(), dataset = -1;
    if (space < 0 || properties < 0 ||
        (dataset = H5Dcreate2(where, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT)) < 0)
        store_fail(w->job, name);
    store_close_all(w->job, &properties, &space);
    put_class(w, dataset, class_name);
    return dataset;
}

static void write_all(writer *w, hid_t *dataset, hid_t type, const void *values, const char *name) {
    if (!w->job->status && H5Dwrite(*dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        store_fail(w->job, name);
    store_close(w->job, dataset);
}

/* UTF-8 to UTF-16; what is no UTF-8 is taken byte by byte. Returns the number of units. */
static size_t to_utf16(const char *string, uint16_t *units) {
    size_t count = 0;
    while (*string != '\0') {
        uint32_t code;
        size_t length = text_character(string, TEXT_CHARACTER_MAX, &code);
        if (length == 0) code = (unsigned char)*string;
        string += length > 0 ? length : 1;
        if (code > 0xffff) {
            units[count++] = (uint16_t)(0xd7c0 + (code >> 10));
            code = 0xdc00 | (code & 0x3ff);
        }
        units[count++] = (uint16_t)code;
    }
    return count;
}

/* A row of characters. An empty one is the list of its dimensions, as MATLAB writes it. */
static void put_chars(writer *w, hid_t where, const char *name, const char *string) {
    memory_local uint16_t *units = memory_alloc(strlen(string) + 1, sizeof *units);
    if (units == NULL && !w->job->status) w->job->status = error_memory(w->job->error);
    if (w->job->status) return;
    size_t count = to_utf16(string, units);
    const uint64_t empty[2] = {0, 0};
    const int32_t decode = 2;
    const uint8_t yes = 1;
    const hsize_t dimensions[2] = {count > 0 ? count : 2, 1};
    hid_t dataset = create(w, where, name, "char", count > 0 ? H5T_STD_U16LE : H5T_STD_U64LE, dimensions);
    store_put(w->job, dataset, "MATLAB_int_decode", H5T_STD_I32LE, 0, &decode);
    if (count == 0) store_put(w->job, dataset, "MATLAB_empty", H5T_STD_U8LE, 0, &yes);
    write_all(w, &dataset, count > 0 ? H5T_NATIVE_UINT16 : H5T_NATIVE_UINT64,
              count > 0 ? (const void *)units : empty, name);
}

/* A column of texts. */
static void put_cell(writer *w, const char *name, size_t count, const char *const *words) {
    memory_local hobj_ref_t *references = memory_alloc(count, sizeof *references);
    if (references == NULL && !w->job->status) w->job->status = error_memory(w->job->error);
    for (size_t i = 0; i < count && !w->job->status; i++) {
        char cell[32];
        (void)snprintf(cell, sizeof cell, "c%u", w->cell_count++);
        put_chars(w, w->cells, cell, words[i]);
        if (!w->job->status && H5Rcreate(&references[i], w->cells, cell, H5R_OBJECT, -1) < 0)
            store_fail(w->job, name);
    }
    hid_t dataset = create(w, w->file, name, "cell", H5T_STD_REF_OBJ, (const hsize_t[2]){1, count});
    write_all(w, &dataset, H5T_STD_REF_OBJ, references, name);
}

static void put_axis(writer *w, const costab_axis *axis) {
    char name[NAME_MAX_LENGTH + 1];
    make_name(w, axis->name, "", name);
    if (axis->labels != NULL) {
        put_cell(w, name, axis->count, (const char *const *)axis->labels);
        return;
    }
    memory_local double *numbers = memory_alloc(axis->values != NULL ? 1 : axis->count, sizeof *numbers);
    if (numbers == NULL && !w->job->status) w->job->status = error_memory(w->job->error);
    for (size_t i = 0; i < axis->count && numbers != NULL && axis->values == NULL; i++)
        numbers[i] = (double)i;
    hid_t dataset = create(w, w->file, name, "double", H5T_IEEE_F64LE, (const hsize_t[2]){1, axis->count});
    write_all(w, &dataset, H5T_NATIVE_DOUBLE, axis->values != NULL ? axis->values : numbers, name);
}

/* ---- Fields */

static void put_words(writer *w, const costab_field *field) {
    char name[NAME_MAX_LENGTH + 1], words[sizeof field->code_values][COSTAB_NAME_MAX];
    const char *axes[COSTAB_AXES_MAX], *meanings[sizeof field->code_values], *word = field->code_meanings;
    for (int k = 0; k < field->rank; k++) axes[k] = w->plan->axes[field->axes[k]].name;
    make_name(w, field->name, "_axes", name);
    put_cell(w, name, (size_t)field->rank, axes);
    if (field->codes == COSTAB_CODES_NONE || field->code_count == 0) return;
    make_name(w, field->name, "_codes", name);
    hid_t dataset =
        create(w, w->file, name, "uint8", H5T_STD_U8LE, (const hsize_t[2]){1, (hsize_t)field->code_count});
    write_all(w, &dataset, H5T_NATIVE_UINT8, field->code_values, name);
    for (int k = 0; k < field->code_count; k++) {
        size_t size = strcspn(word, " ");
        (void)snprintf(words[k], sizeof words[k], "%.*s", (int)size, word);
        meanings[k] = words[k];
        word += size + (word[size] == ' ');
    }
    make_name(w, field->name, "_meanings", name);
    put_cell(w, name, (size_t)field->code_count, meanings);
}

/* The dimensions of an array that HDF5 sees: those of the box in reverse; a column has a 1 in front. */
static int reverse(int rank, const size_t *box, hsize_t *reversed) {
    int more = rank == 1;
    reversed[0] = 1;
    for (int k = 0; k < rank; k++) reversed[more + k] = box[rank - 1 - k];
    return rank + more;
}

static hid_t create_field(writer *w, int number, const char *name) {
    const costab_field *field = &w->plan->fields[number];
    size_t extent[COSTAB_AXES_MAX], tile[COSTAB_AXES_MAX];
    hsize_t dimensions[COSTAB_AXES_MAX + 1], chunk[COSTAB_AXES_MAX + 1];
    for (int k = 0; k < field->rank; k++) extent[k] = w->plan->axes[field->axes[k]].count;
    costab_tile_shape(w->plan, number, NULL, tile);
    int rank = reverse(field->rank, extent, dimensions);
    (void)reverse(field->rank, tile, chunk);
    if (w->job->status) return -1;
    bool doubles = field->type == COSTAB_F64;
    hid_t space = H5Screate_simple(rank, dimensions, NULL), properties = timeless(), dataset = -1;
    if (space < 0 || properties < 0 || H5Pset_chunk(properties, rank, chunk) < 0 ||
        (doubles && H5Pset_shuffle(properties) < 0) || H5Pset_deflate(properties, 1) < 0 ||
        (dataset = H5Dcreate2(w->file, name, doubles ? H5T_IEEE_F64LE : H5T_STD_U8LE, space, H5P_DEFAULT,
                              properties, H5P_DEFAULT)) < 0)
        store_fail(w->job, name);
    store_close_all(w->job, &properties, &space);
    put_class(w, dataset, doubles ? "double" : "uint8");
    return dataset;
}

/* A box in C order to the order of columns. */
static void transpose(int rank, const size_t *count, size_t size, const char *from, char *to) {
    size_t index[COSTAB_AXES_MAX] = {0}, total = 1;
    for (int k = 0; k < rank; k++) total *= count[k];
    for (size_t p = 0; p < total; p++) {
        size_t at = 0;
        for (int k = rank - 1; k >= 0; k--) at = at * count[k] + index[k];
        memcpy(to + at * size, from + p * size, size);
        for (int k = rank - 1; k >= 0 && ++index[k] == count[k]; k--) index[k] = 0;
    }
}

/* Writes a box of a field, of which `values` was read; `turned` is room for as much. */
static void put_box(writer *w, hid_t dataset, const costab_field *field, const size_t *start,
                    const size_t *count, const char *values, char *turned) {
    hsize_t from[COSTAB_AXES_MAX + 1], many[COSTAB_AXES_MAX + 1];
    int rank = reverse(field->rank, count, many);
    (void)reverse(field->rank, start, from);
    if (rank > field->rank) from[0] = 0;
    transpose(field->rank, count, costab_type_size(field->type), values, turned);
    hid_t type = field->type == COSTAB_F64 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT8;
    hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(rank, many, NULL);
    if (space < 0 || memory < 0 || H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, many, NULL) < 0 ||
        H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, turned) < 0)
        store_fail(w->job, field->name);
    store_close_all(w->job, &memory, &space);
}

static void put_field(writer *w, int number) {
    const costab_field *field = &w->plan->fields[number];
    char name[NAME_MAX_LENGTH + 1];
    size_t tiles = 0, points, size = costab_type_size(field->type);
    for (int k = 0; k < field->rank; k++) size *= w->plan->tile_shape[field->axes[k]];
    memory_local char *values = memory_alloc(size, 1), *turned = memory_alloc(size, 1);
    if ((values == NULL || turned == NULL) && !w->job->status) w->job->status = error_memory(w->job->error);
    make_name(w, field->name, "", name);
    hid_t dataset = create_field(w, number, name);
    if (!w->job->status) w->job->status = costab_plan_size(w->plan, &tiles, &points, w->job->error);
    for (size_t t = 0; t < tiles && !w->job->status; t++) {
        size_t start[COSTAB_AXES_MAX], count[COSTAB_AXES_MAX];
        costab_tile tile;
        costab_plan_tile(w->plan, t, &tile);
        if (costab_tile_values(w->plan, number, &tile) == 0) continue;
        for (int k = 0; k < field->rank; k++) {
            start[k] = tile.start[field->axes[k]];
            count[k] = tile.count[field->axes[k]];
        }
        w->job->status = costab_results_read(w->results, number, start, count, values, w->job->error);
        if (!w->job->status) put_box(w, dataset, field, start, count, values, turned);
    }
    store_close(w->job, &dataset);
    put_words(w, field);
}

/* ---- The file */

static void put_all(writer *w) {
    const costab_results *r = w->results;
    if (!w->job->status && (w->cells = H5Gcreate2(w->file, CELLS, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) < 0)
        store_fail(w->job, CELLS);
    put_chars(w, w->file, "title", costab_results_title(r));
    put_chars(w, w->file, "source", costab_results_source(r));
    put_chars(w, w->file, "spec", costab_results_spec_text(r));
    for (int k = 0; k < w->plan->axis_count; k++) put_axis(w, &w->plan->axes[k]);
    for (int f = 0; f < w->plan->field_count; f++) put_field(w, f);
    store_close(w->job, &w->cells);
}

static void create_file(writer *w, store_disk *disk, const char *path) {
    if (w->job->status) return;
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = store_access(disk);
    if (creation < 0 || access < 0 || H5Pset_userblock(creation, USER_BLOCK) < 0 ||
        H5Pset_obj_track_times(creation, false) < 0 ||
        (w->file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access)) < 0)
        store_fail(w->job, "the file");
    store_close_all(w->job, &access, &creation);
}

/* What MATLAB reads first: a text, the version and the order of bytes. Behind it the mark of costab's files;
 * and their seal, which tells what was changed. */
static costab_status put_user_block(const file_draft *draft, const char *path, costab_error *error) {
    char block[USER_BLOCK] = {0};
    text_local mark = {0};
    int length = snprintf(block, HEAD + 1, "MATLAB 7.3 MAT-file, Platform: GLNXA64, written by costab %s",
                          COSTAB_VERSION);
    memset(block + length, ' ', (size_t)(HEAD - length));
    memset(block + HEAD, 0, 8);
    memcpy(block + HEAD + 8, "\x00\x02IM", 4);
    block[HEAD + 12] = '\n';
    file_mark(&mark, "file");
    if (!mark.failed && mark.size < USER_BLOCK - HEAD - 13) memcpy(block + HEAD + 13, mark.data, mark.size);
    costab_status status = mark.failed ? error_memory(error) : COSTAB_OK;
    int number = status ? 0 : file_write_at(draft->descriptor, block, sizeof block, 0);
    struct stat about;
    if (!status && !number && fstat(draft->descriptor, &about) != 0) number = errno;
    if (!status && !number) number = seal_append(draft->descriptor, (size_t)about.st_size);
    return number != 0 ? file_error(error, "write", path, number) : status;
}

costab_status costab_export_mat(const costab_results *results, const char *path, bool force,
                                costab_error *error) {
    store_disk disk = STORE_DISK_NONE;
    file_draft draft = FILE_DRAFT_NONE;
    TRY(file_create(path, &(file_terms){.force = force}, &draft, error));
    disk.descriptor = draft.descriptor;
    store_job job = store_begin(true, path, error);
    writer w = {
        .results = results, .plan = costab_results_plan(results), .job = &job, .file = -1, .cells = -1};
    create_file(&w, &disk, path);
    put_all(&w);
    store_close(&job, &w.file);
    costab_status status = store_disk_status(&disk, path, store_end(&job), error);
    store_disk_close(&disk);
    if (!status) status = put_user_block(&draft, path, error);
    if (!status) return file_publish(&draft, path, error);
    file_discard(&draft);
    return status;
}
