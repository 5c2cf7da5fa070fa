/* The ground floor: numbers as text and back, whatever the locale of the calling program; blocks that grow;
 * files without a name until they are complete. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include <dirent.h>
#include <fcntl.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "support/memory.h"
#include "support/scratch.h"
#include "support/support.h"

/* The text that printf writes with the fewest digits that read back: digits by integers give the same
 * characters. For numbers with fewer than 15 digits printf leaves the zeros out. */
static void check_against_printf(double value) {
    char shown[NUMBER_SHOWN_MAX], expected[64];
    double read;
    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(expected, sizeof expected, "%.*g", digits, value);
        if (strtod(expected, NULL) == value) break;
    }
    assert_string_equal(number_shortest(value, shown), expected);
    assert_true(number_parse_double(shown, strlen(shown), &read) && read == value);
}

TEST(the_shortest_form_is_that_of_printf) {
    rng r = rng_start("as printf");
    for (int exponent = -1074; exponent <= 1023; exponent++)
        for (int beside = -1; beside <= 1; beside++) {
            double power = ldexp(1, exponent);
            check_against_printf(beside == 0 ? power : nextafter(power, beside * (double)INFINITY));
        }
    for (int exponent = -323; exponent <= 308; exponent++)
        for (int beside = -2; beside <= 2; beside++) {
            char written[16];
            snprintf(written, sizeof written, "1e%d", exponent);
            double value = strtod(written, NULL);
            for (int k = 0; k < abs(beside); k++) value = nextafter(value, beside * (double)INFINITY);
            check_against_printf(value);
            check_against_printf(-value);
        }
    for (size_t i = 0; i < effort(30000); i++) {
        uint64_t bits = rng_bits(&r);
        double value, few = (double)(rng_bits(&r) % 100000), many = (double)(rng_bits(&r) >> 10);
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) check_against_printf(value);
        check_against_printf(few / 1000);
        check_against_printf(few * 0.001);
        check_against_printf(many);
        check_against_printf(many / 1e10);
        check_against_printf(rng_uniform(&r, -1, 1));
        check_against_printf(rng_uniform(&r, -1, 1) * 1e-5);
    }
    check_against_printf(0);
    check_against_printf(-0.0);
    check_against_printf(DBL_MAX);
    check_against_printf(DBL_MIN);
    check_against_printf(4.9406564584124654e-324);
}

TEST(numbers_that_are_none_have_names) {
    char shown[NUMBER_SHOWN_MAX];
    assert_string_equal(number_shortest((double)NAN, shown), "nan");
    assert_string_equal(number_shortest(-(double)NAN, shown), "nan");
    assert_string_equal(number_shortest((double)INFINITY, shown), "inf");
    assert_string_equal(number_shortest(-(double)INFINITY, shown), "-inf");
}

/* On the requested side, less than one unit of the last digit away (the spacing of doubles is below a quarter
 * of that of 15 digits), and the same again. */
TEST(numbers_are_rounded_to_one_side) {
    rng r = rng_start("one side");
    char shown[NUMBER_SHOWN_MAX], again[NUMBER_SHOWN_MAX];
    for (size_t i = 0; i < effort(30000); i++) {
        const int digits = 1 + (int)(rng_bits(&r) % DBL_DIG), side = i % 2 == 0 ? 1 : -1;
        double value = rng_magnitude(&r, -20, 20);
        if (i % 8 < 2) value = nextafter(pow(10, round(log10(fabs(value)))), i % 16 < 8 ? 0 : HUGE_VAL);
        double found = strtod(number_rounded(value, digits, side, shown), NULL);
        assert_true(side * found >= side * value);
        assert_true(fabs(found - value) < 1.25 * pow(10, floor(log10(fabs(value)) + 1e-9) - digits + 1));
        assert_string_equal(number_rounded(found, digits, side, again), shown);
    }
    assert_string_equal(number_rounded(0.9999999, 6, -1, shown), "0.999999");
    assert_string_equal(number_rounded(0.1234566, 6, -1, shown), "0.123456");
    assert_string_equal(number_rounded(-0.1234561, 6, -1, shown), "-0.123457");
    assert_string_equal(number_rounded(0, 6, 1, shown), "0");
    assert_string_equal(number_rounded((double)INFINITY, 6, -1, shown), "inf");
}

/* Makes a locale with a decimal comma and sets it; false where the system cannot. */
static bool set_comma(void) {
    static const char source[] =
        "escape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\n"
        "END LC_NUMERIC\n";
    FILE *file = fopen(scratch_path("comma.src"), "w");
    char command[2048];
    if (file == NULL || fputs(source, file) < 0 || fclose(file) != 0) return false;
    snprintf(command, sizeof command, "cd '%s' && localedef -c --no-archive -i comma.src ./comma >made 2>&1",
             scratch_folder());
    (void)!system(command); /* it warns about all that the locale lacks */
    return setenv("LOCPATH", scratch_folder(), 1) == 0 && setlocale(LC_NUMERIC, "comma") != NULL;
}

TEST(a_decimal_comma_changes_nothing) {
    char shown[NUMBER_SHOWN_MAX], plain[NUMBER_SHOWN_MAX], command[2048];
    costab_error error;
    text t = {0};
    double value = 0;
    bool set = set_comma();
    if (set) {
        snprintf(plain, sizeof plain, "%.1f", 0.5);
        assert_string_equal(plain, "0,5"); /* the test's own locale works */
        number_shortest(0.1, shown);
        text_printf(&t, "%g and %.3f", 0.5, 2.25);
        (void)error_set(&error, COSTAB_INVALID, "%g", 1.5);
        error_append(&error, "%g", 3.5);
        text_format(plain, sizeof plain, "%g", 2.5);
        bool parsed = number_parse_double("0.25", 4, &value), comma = number_parse_double("0,25", 4, &value);
        /* the calling program keeps its locale */
        assert_string_equal(localeconv()->decimal_point, ",");
        setlocale(LC_ALL, "C");
        assert_true(parsed && !comma && value == 0.25);
        assert_string_equal(shown, "0.1");
        assert_string_equal(t.data, "0.5 and 2.250");
        assert_string_equal(error.message, "1.5\n3.5");
        assert_string_equal(plain, "2.5");
        text_free(&t);
    }
    snprintf(command, sizeof command, "rm -rf '%s'/comma '%s'/comma.src '%s'/made", scratch_folder(),
             scratch_folder(), scratch_folder());
    assert_int_equal(system(command), 0);
    if (!set) skip();
}

/* The smallest double above 0 is 2^-1074 = 4.94e-324; half of it, 2.47e-324, is the border of what becomes 0.
 */
TEST(numbers_out_of_range_are_refused) {
    static const char *const small[] = {"1e-400", "-1e-400", "2.47e-324", "0.0001e-330", "1e-99999"};
    static const char *const large[] = {"1e309", "-1.8e308", "17976931348623159e292"};
    static const char *const fit[] = {
        "0", "-0.0", "0e-400", "00.000e9999", "4.94e-324", "2.48e-324", "1.7976931348623157e308"};
    double value = 7;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        assert_false(number_parse(small[i], strlen(small[i]), &value));
        assert_string_equal(number_out_of_range(small[i], strlen(small[i])), "too close to 0 for");
    }
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        assert_false(number_parse(large[i], strlen(large[i]), &value));
        assert_string_equal(number_out_of_range(large[i], strlen(large[i])), "too large for");
    }
    assert_true(value == 7);
    for (size_t i = 0; i < sizeof fit / sizeof *fit; i++) {
        assert_true(number_parse(fit[i], strlen(fit[i]), &value));
        assert_null(number_out_of_range(fit[i], strlen(fit[i])));
    }
    assert_null(number_out_of_range("1e-400x", 7));
}

TEST(blocks_grow) {
    size_t capacity = 0, moves = 0;
    int *block = NULL;
    for (size_t n = 1; n <= 10000; n++) {
        size_t before = capacity;
        assert_true(memory_grows(&block, &capacity, n));
        assert_true(capacity >= n);
        moves += capacity != before;
        block[n - 1] = (int)n;
    }
    for (int n = 1; n <= 10000; n++) assert_int_equal(block[n - 1], n);
    assert_true(moves < 40); /* it grows by half: log(10000) / log(1.5) = 23 */
    size_t kept = capacity;
    assert_false(memory_grows(&block, &capacity, SIZE_MAX));
    memory_fail_at(1);
    assert_false(memory_grows(&block, &capacity, kept + 1));
    memory_fail_at(0);
    assert_int_equal(capacity, kept);
    assert_int_equal(block[9999], 10000);
    memory_free(block);
}

/* Each block is its own, zeroed, and keeps what is in it when it grows and moves; so are blocks of no bytes.
 */
TEST(blocks_are_zeroed_and_apart) {
    enum { BLOCKS = 40 };
    size_t total, kept = memory_kept(&total), length[BLOCKS];
    unsigned char *block[BLOCKS];
    for (int k = 0; k < BLOCKS; k++) {
        length[k] = (size_t)(k * k) * 137;
        block[k] = memory_alloc(length[k], 1);
        assert_non_null(block[k]);
        assert_int_equal((uintptr_t)block[k] % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < length[k]; i++)
            if (block[k][i] != 0) fail();
        for (int i = 0; i < k; i++) assert_ptr_not_equal(block[i], block[k]);
        if (length[k] > 0) memset(block[k], k + 1, length[k]);
    }
    for (int k = 0; k < BLOCKS; k += 3) {
        block[k] = memory_resize(block[k], length[k] + 5000, 1);
        assert_non_null(block[k]);
        memset(block[k] + length[k], k + 1, 5000);
        length[k] += 5000;
    }
    memory_fail_at(1);
    assert_null(memory_resize(block[1], 100000, 1));
    assert_null(memory_resize(block[1], SIZE_MAX / 2, 4));
    assert_null(memory_alloc(SIZE_MAX / 2, 4));
    for (int k = 0; k < BLOCKS; k++)
        for (size_t i = 0; i < length[k]; i++)
            if (block[k][i] != k + 1) fail();
    assert_int_equal(memory_kept(&total), kept + BLOCKS);
    for (int k = 0; k < BLOCKS; k++) memory_free(block[(7 * k) % BLOCKS]);
    assert_int_equal(memory_kept(&total), kept);
}

#ifdef O_TMPFILE
static int files_in(const char *path) {
    DIR *folder = opendir(path);
    int count = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

/* Where the file system has files without a name, a draft is one: nothing is left of a program that is
 * killed. */
TEST(drafts_have_no_name) {
    file_draft draft;
    const int before = files_in(scratch_folder()), probe = open(scratch_folder(), O_TMPFILE | O_RDWR, 0600);
    if (probe < 0) skip();
    close(probe);
    check_ok(file_create(scratch_path("draft"), NULL, &draft, &why));
    assert_int_equal(file_put(draft.descriptor, "draft", 5), 0);
    assert_null(draft.name);
    assert_int_equal(files_in(scratch_folder()), before);
    check_ok(file_publish(&draft, scratch_path("draft"), &why));
    assert_int_equal(files_in(scratch_folder()), before + 1);
    assert_int_equal(unlink(scratch_path("draft")), 0);
}
#endif
