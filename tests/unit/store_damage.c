/* The store: nothing but a whole results file is accepted, and where memory runs out nothing is left behind.
 */
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "store/seal.h"
#include "support/memory.h"
#include "support/stored.h"

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

/* Every single cut and every single flipped bit of a byte is noticed (CRC-32 finds all errors of up to 32
 * bits in a row); all cuts and a stride through all bits are tried. */
TEST(test_damage) {
    text whole;
    costab_plan plan = stored_plan(1000000);
    stored_write(stored_path("round.h5"), &plan, 1);
    stored_bytes(stored_path("round.h5"), &whole);
    const char *path = stored_path("damaged.h5");
    for (size_t size = 0; size < whole.size; size += size < 2048 || whole.size - size < 2048 ? 61 : 4099) {
        put_file(path, whole.data, size);
        check_refused(path, "a file cut short");
    }
    put_file(path, whole.data, whole.size - 1);
    check_refused(path, "a file cut short by one byte");
    size_t stride = whole.size * 8 / effort(400) | 1;
    for (size_t bit = 0; bit < whole.size * 8; bit += stride) {
        whole.data[bit / 8] = (char)(whole.data[bit / 8] ^ (1 << bit % 8));
        put_file(path, whole.data, whole.size);
        check_refused(path, "a file with one bit flipped");
        whole.data[bit / 8] = (char)(whole.data[bit / 8] ^ (1 << bit % 8));
    }
    put_file(path, whole.data, whole.size);
    costab_results *results = stored_open(path);
    costab_results_close(&results);
    text_free(&whole);
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

static void seal_file(const char *path) {
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    check_ok(store_seal(fd, path, (size_t)about.st_size, NULL, &why));
    assert_int_equal(close(fd), 0);
}

/* A right seal around wrong contents: the contents are checked all the same. */
TEST(test_forged_files) {
    text whole;
    size_t size;
    costab_plan plan = stored_plan(200);
    const char *path = stored_path("forged.h5"), *good = stored_path("round.h5");
    stored_write(good, &plan, 1);
    int descriptor;
    check_ok(store_open_sealed(good, &descriptor, &size, &why));
    assert_int_equal(close(descriptor), 0);
    stored_bytes(good, &whole);
    static const char *const removed[] = {"scheme", "a", "delta", "spec"};
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++) {
        put_file(path, whole.data, size);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0 && H5Ldelete(file, removed[i], H5P_DEFAULT) >= 0 && H5Fclose(file) >= 0);
        seal_file(path);
        check_refused(path, removed[i]);
    }
    static const char *const attributes[] = {"source", "revision", "title"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        put_file(path, whole.data, size);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0 && H5Adelete(file, attributes[i]) >= 0 && H5Fclose(file) >= 0);
        seal_file(path);
        check_refused(path, attributes[i]);
    }
    put_file(path, whole.data, size);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(group >= 0 && H5Gclose(group) >= 0 && H5Fclose(file) >= 0);
    seal_file(path);
    check_refused(path, "a file with a group");
    text_free(&whole);
    (void)unlink(path);
}

/* Out of memory anywhere: an error, nothing left behind. */
TEST(test_no_memory) {
    costab_plan plan = stored_plan(2000);
    costab_evaluator evaluator = {.context = &plan, .evaluate = stored_evaluate};
    long k = 0;
    bool done = false;
    (void)unlink(stored_path("round.h5"));
    while (!done && ++k < 2000) {
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
    for (k = 1, done = false; !done && k < 2000; k++) {
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
