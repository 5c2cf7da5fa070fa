/* The store: only a whole results file is accepted, and if memory runs out no file is left.
 */
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "store/store.h"
#include "support/memory.h"
#include "support/stored.h"
#include "sweep/run.h"

static void put_file(const char *path, const char *bytes, size_t size) {
    check_ok(file_write(path, &(file_terms){.force = true}, bytes, size, &why));
}

/* Opening must fail with COSTAB_INVALID and name the file. */
static void check_refused(const char *path, const char *what) {
    costab_error error = {0};
    costab_results *results = NULL;
    check_true(costab_results_open(path, &results, &error) == COSTAB_INVALID, "%s was accepted", what);
    assert_null(results);
    check_true(strstr(error.message, path) != NULL, "%s: the file is not named: %s", what, error.message);
}

/* Whether a file can be read and has the values of the plan, its numbers on the axes included: COSTAB_OK,
 * or the message names the file. */
static costab_status read_all(const char *path, const costab_plan *plan, costab_error *error) {
    costab_results *results = NULL;
    costab_status status = costab_results_open(path, &results, error);
    const costab_plan *found = status ? NULL : costab_results_plan(results);
    for (int i = 0; !status && i < plan->axis_count; i++) {
        const costab_axis *axis = &plan->axes[i];
        check_true(found->axes[i].count == axis->count &&
                       (!axis->values ||
                        memcmp(found->axes[i].values, axis->values, axis->count * sizeof *axis->values) == 0),
                   "axis %s is another one", axis->name);
    }
    for (int f = 0; !status && f < plan->field_count; f++) {
        const costab_field *field = &plan->fields[f];
        size_t start[COSTAB_AXES_MAX] = {0}, count[COSTAB_AXES_MAX], size = costab_type_size(field->type);
        for (int k = 0; k < field->rank; k++) size *= count[k] = plan->axes[field->axes[k]].count;
        void *values = memory_alloc(size, 1), *expected = memory_alloc(size, 1);
        assert_true(values && expected);
        stored_fill(plan, f, start, count, expected);
        status = costab_results_read(results, f, start, count, values, error);
        check_true(status || memcmp(values, expected, size) == 0, "field %s has other values", field->name);
        memory_free(values);
        memory_free(expected);
    }
    costab_results_close(&results);
    return status;
}

/* What became of wrong bits: those noticed, and those of them that the error ascribes to a chunk. */
typedef struct wrong_bits {
    size_t noticed, named;
} wrong_bits;

/* Whether flipping the bit makes an entry of an index refer to another chunk, or to unused space: the word is
 * then equal to another one of the same node, above any index of a point, or the address of zeros, whose
 * checksum is 0. The reader cannot notice either. */
static bool is_other_chunk(const text *whole, size_t bit) {
    enum { HEAD = 24, NODE = 6000, ADDRESS_LEAST = 2000 };
    static const char zeros[48] = {0};
    const size_t byte = bit / 8, from = byte > NODE ? byte - NODE : 0;
    size_t node = byte;
    while (node > from && memcmp(whole->data + node, "TREE", 4) != 0) node--;
    if (memcmp(whole->data + node, "TREE", 4) != 0 || byte < node + HEAD) return false;
    uint64_t word, other;
    const size_t at = byte - (byte - node) % sizeof word;
    memcpy(&word, whole->data + at, sizeof word);
    word ^= (uint64_t)1 << (bit - 8 * at);
    if (word < ADDRESS_LEAST) return false;
    if (word + sizeof zeros <= whole->size && memcmp(whole->data + word, zeros, sizeof zeros) == 0)
        return true;
    for (size_t i = node + HEAD; i < node + NODE && i + sizeof other <= whole->size; i += sizeof other) {
        memcpy(&other, whole->data + i, sizeof other);
        if (other == word) return true;
    }
    return false;
}

/* Flips one bit of the file `whole` in `path`: no value changes unnoticed. */
static void try_bit(const char *path, text *whole, size_t bit, const costab_plan *plan, wrong_bits *of) {
    costab_error error = {0};
    if (is_other_chunk(whole, bit)) return;
    whole->data[bit / 8] = (char)(whole->data[bit / 8] ^ (1 << bit % 8));
    put_file(path, whole->data, whole->size);
    bool bad = read_all(path, plan, &error) != COSTAB_OK;
    check_true(!bad || strstr(error.message, path) != NULL, "the file is not named: %s", error.message);
    of->noticed += bad;
    of->named += strstr(error.message, "the chunk of dataset '") != NULL;
    whole->data[bit / 8] = (char)(whole->data[bit / 8] ^ (1 << bit % 8));
}

/* Every single cut is noticed, and no flipped bit but those of is_other_chunk changes a value unnoticed:
 * HDF5's checksums of chunks find it, or the reader does. All cuts and a stride through all bits are tried.
 */
TEST(test_damage) {
    text whole;
    costab_plan plan = stored_plan(200);
    stored_write(stored_path("round.h5"), &plan, 1);
    stored_bytes(stored_path("round.h5"), &whole);
    const char *path = stored_path("damaged.h5");
    for (size_t size = 0; size < whole.size;
         size += size < 2048 || whole.size - size < 2048 ? 61 * effort_stride(3) : 4099) {
        put_file(path, whole.data, size);
        check_refused(path, "a file cut short");
    }
    put_file(path, whole.data, whole.size - 1);
    check_refused(path, "a file cut short by one byte");
    size_t stride = whole.size * 8 / effort(50) | 1;
    wrong_bits of = {0};
    for (size_t bit = 0; bit < whole.size * 8; bit += stride) try_bit(path, &whole, bit, &plan, &of);
    check_true(of.noticed > effort(50) / 4 && of.named > 0, "%zu wrong bits noticed, %zu in chunks",
               of.noticed, of.named);
    put_file(path, whole.data, whole.size);
    costab_results *results = stored_open(path);
    costab_results_close(&results);
    text_free(&whole);
    (void)unlink(path);
}

/* The same for the index of chunks, the nodes TREE, which has no checksum: a lost chunk would be read as fill
 * values. */
TEST(test_damaged_index) {
    enum { HEAD = 24, ENTRY = 8 + 8 * 5 + 8 }; /* bytes of a node's head and, with 4 axes, of its entries */
    text whole;
    costab_plan plan = stored_plan(200);
    const char *path = stored_path("damaged.h5");
    stored_write(stored_path("round.h5"), &plan, 1);
    stored_bytes(stored_path("round.h5"), &whole);
    wrong_bits of = {0}, lost = {0};
    size_t nodes = 0, stride = 8 * (HEAD + 2 * ENTRY) / effort(2) | 1;
    for (size_t at = 0; at + HEAD + 2 * ENTRY < whole.size; at++) {
        if (memcmp(whole.data + at, "TREE", 4) != 0) continue;
        if (nodes++ == 0) { /* of an axis with one chunk: 9 entries; an entry at another place */
            try_bit(path, &whole, 8 * (at + 6) + 3, &plan, &lost);
            try_bit(path, &whole, 8 * (at + 33), &plan, &lost);
        }
        for (size_t bit = 40 + nodes % stride; bit < 8 * (HEAD + 2 * ENTRY); bit += stride)
            try_bit(path, &whole, 8 * at + bit, &plan, &of);
    }
    check_true(nodes > 10 && of.noticed > 0 && lost.noticed == 2, "%zu nodes, %zu and %zu wrong bits noticed",
               nodes, of.noticed, lost.noticed);
    text_free(&whole);
    (void)unlink(path);
}

/* A damaged chunk is named by its dataset and its first point; other chunks can be read. */
TEST(test_damaged_chunk) {
    costab_plan plan = stored_plan(200);
    const char *path = stored_path("round.h5");
    size_t shape[COSTAB_AXES_MAX], start[COSTAB_AXES_MAX] = {0}, one[] = {1, 1, 1, 1};
    costab_error error = {0};
    double value;
    stored_write(path, &plan, 1);
    costab_tile_shape(&plan, TRACE, NULL, shape);
    assert_int_equal(plan.fields[TRACE].rank, 4);
    start[1] = shape[1];
    const hsize_t offset[] = {0, start[1], 0, 0};
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), field = H5Dopen2(file, "trace", H5P_DEFAULT);
    hsize_t stored = 0;
    assert_true(H5Dget_chunk_storage_size(field, offset, &stored) >= 0 && stored > 8);
    char *bytes = memory_alloc(stored, 1);
    uint32_t mask;
    assert_true(bytes && H5Dread_chunk(field, H5P_DEFAULT, offset, &mask, bytes) >= 0);
    bytes[stored / 2] ^= 1;
    assert_true(H5Dwrite_chunk(field, H5P_DEFAULT, mask, offset, stored, bytes) >= 0);
    assert_true(H5Dclose(field) >= 0 && H5Fclose(file) >= 0);
    memory_free(bytes);
    costab_results *results = stored_open(path);
    assert_int_equal(costab_results_read(results, TRACE, start, one, &value, &error), COSTAB_INVALID);
    char expected[512];
    (void)snprintf(
        expected, sizeof expected, "the chunk of dataset 'trace' that begins at %s[0], %s[%zu], %s[0], %s[0]",
        plan.axes[SCHEME].name, plan.axes[A].name, start[1], plan.axes[GAMMA].name, plan.axes[DELTA].name);
    check_true(strstr(error.message, expected) != NULL, "'%s' is not in: %s", expected, error.message);
    start[1] = 0;
    check_ok(costab_results_read(results, TRACE, start, one, &value, &why));
    costab_results_close(&results);
}

/* Who may replace a file: it has all datasets that it lists, and no others. */
TEST(test_replacing) {
    costab_plan plan = stored_plan(200);
    const char *path = stored_path("round.h5");
    costab_error error = {0};
    stored_write(path, &plan, 1);
    check_ok(costab_store_may_replace(path, false, &why));
    check_ok(costab_store_may_replace(stored_path("absent.h5"), false, &why));
    for (int change = 0; change < 4; change++) {
        (void)unlink(path);
        stored_write(path, &plan, 1);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), scalar = H5Screate(H5S_SCALAR);
        hid_t made = -1;
        if (change == 0)
            made = H5Dcreate2(file, "mine", H5T_NATIVE_DOUBLE, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (change == 1) made = H5Gcreate2(file, "mine", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (change == 2) assert_true(H5Ldelete(file, "cause", H5P_DEFAULT) >= 0);
        if (change == 3) assert_true(H5Adelete(file, "datasets") >= 0);
        assert_true(made < 0 || H5Idec_ref(made) >= 0);
        assert_true(H5Sclose(scalar) >= 0 && H5Fclose(file) >= 0);
        check_true(costab_store_may_replace(path, false, &error) == COSTAB_INVALID, "change %d is replaced",
                   change);
        check_true(strstr(error.message, path) && strstr(error.message, "--force"), "change %d: %s", change,
                   error.message);
        check_ok(costab_store_may_replace(path, true, &why));
    }
    (void)unlink(path);
}

TEST(test_foreign_files) {
    const char *path = stored_path("foreign.h5");
    costab_results *results = NULL;
    assert_int_equal(costab_results_open(stored_path("absent.h5"), &results, NULL), COSTAB_UNREADABLE);
    assert_null(results);
    check_refused(stored_folder, "a folder");
    check_refused("/dev/null", "a device");
    put_file(path, "", 0);
    check_refused(path, "an empty file");
    put_file(path, "title: a spec\n", 14);
    check_refused(path, "a text");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0 && H5Fclose(file) >= 0);
    check_refused(path, "somebody else's HDF5 file");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    check_refused(path, "a named pipe");
    assert_int_equal(unlink(path), 0);
}

/* Datasets, attributes or groups that a results file must have, or must not. */
TEST(test_forged_files) {
    text whole;
    costab_plan plan = stored_plan(200);
    const char *path = stored_path("forged.h5"), *good = stored_path("round.h5");
    stored_write(good, &plan, 1);
    stored_bytes(good, &whole);
    static const char *const removed[] = {"scheme", "a", "delta", "spec"};
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++) {
        put_file(path, whole.data, whole.size);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0 && H5Ldelete(file, removed[i], H5P_DEFAULT) >= 0 && H5Fclose(file) >= 0);
        check_refused(path, removed[i]);
    }
    static const char *const attributes[] = {"source", "revision", "title"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        put_file(path, whole.data, whole.size);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0 && H5Adelete(file, attributes[i]) >= 0 && H5Fclose(file) >= 0);
        check_refused(path, attributes[i]);
    }
    put_file(path, whole.data, whole.size);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(group >= 0 && H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
    check_refused(path, "a file with a group");
    text_free(&whole);
    (void)unlink(path);
}

/* Out of memory at one in five allocations, and with EFFORT=10 at each: an error, and no file left. */
TEST(test_no_memory) {
    costab_plan plan = stored_plan(2000);
    costab_evaluator evaluator = {.context = &plan, .evaluate = stored_evaluate};
    long k = 0;
    bool done = false;
    (void)unlink(stored_path("round.h5"));
    while (!done && (k += (long)effort_stride(15)) < 2000) {
        memory_fail_at(k);
        costab_status status =
            costab_store_write(stored_path("memory.h5"), &plan, &stored_info, &evaluator, 1, NULL);
        done = !status;
        memory_fail_at(0);
        check_true(done || status == COSTAB_MEMORY || status == COSTAB_IO, "allocation %ld: status %d", k,
                   status);
        check_true(done || stored_entries() == 0, "allocation %ld left something behind", k);
    }
    check_true(done && k > 20, "%ld allocations", k);
    for (k = 1, done = false; !done && k < 2000; k += (long)effort_stride(15)) {
        costab_results *results = NULL;
        memory_fail_at(k);
        done = costab_results_open(stored_path("memory.h5"), &results, NULL) == COSTAB_OK;
        memory_fail_at(0);
        costab_results_close(&results);
    }
    check_true(done && k > 20, "%ld allocations in reading", k);
    (void)unlink(stored_path("memory.h5"));
}

TESTS_AROUND(stored_begin, stored_end)
