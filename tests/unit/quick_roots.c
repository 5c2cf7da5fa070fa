/* Polynomials in GMP's integers and their roots, where both are known from how the polynomials are made. */
#include "planar/quick_roots.h"

#include <math.h>

#include "support/support.h"

static void random_integer(rng *r, int bits, mpz_t value) {
    mpz_set_si(value, rng_int(r, -1000, 1000));
    for (int have = 10; have < bits; have += 20) {
        mpz_mul_2exp(value, value, 20);
        mpz_add_ui(value, value, (unsigned long)rng_int(r, 1, 1 << 19));
    }
}

static void random_polynomial(rng *r, int degree, int bits, integer_poly *f) {
    mpz_t c;
    mpz_init(c);
    for (int k = 0; k <= degree; k++) {
        random_integer(r, bits, c);
        if (k == degree && mpz_sgn(c) == 0) mpz_set_ui(c, 1);
        integer_set_coefficient(f, k, c);
    }
    mpz_clear(c);
}

static void multiply(integer_poly *f, const integer_poly *g) {
    integer_poly product;
    integer_init(&product);
    integer_add_product(&product, f, g, 1);
    integer_set(f, &product);
    integer_clear(&product);
}

/* f (x - first) (x - first - step) .. */
static void multiply_lines(integer_poly *f, int first, int step, int count) {
    integer_poly line;
    integer_init(&line);
    for (int k = 0; k < count; k++) {
        integer_set_si(&line, 1);
        integer_times_x(&line);
        mpz_set_si(line.c[0], -(first + k * step));
        multiply(f, &line);
    }
    integer_clear(&line);
}

/* h u and h v, where u and v have no root in common: h is the greatest common divisor. With more digits than
 * the primes have, too. */
static void common_divisors(void **state) {
    (void)state;
    rng r = rng_start("common_divisors");
    const int rounds = (int)effort(60);
    for (int i = 0; i < rounds; i++) {
        integer_poly h, f, g, gcd;
        integer_poly *const all[4] = {&h, &f, &g, &gcd};
        for (int k = 0; k < 4; k++) integer_init(all[k]);
        random_polynomial(&r, rng_int(&r, 1, 24), i % 6 == 5 ? 600 : rng_int(&r, 5, 160), &h);
        integer_remove_content(&h);
        integer_set(&f, &h);
        integer_set(&g, &h);
        multiply_lines(&f, -41, 2, rng_int(&r, 1, 40));
        multiply_lines(&g, -40, 2, rng_int(&r, 1, 40));
        integer_gcd(&gcd, &f, &g);
        check_true(gcd.length == h.length && integer_divides(&h, &gcd) && integer_divides(&gcd, &h),
                   "round %d: a common divisor of degree %d, not %d", i, gcd.length - 1, h.length - 1);
        check_true(integer_divides(&h, &f), "round %d: it divides", i);
        check_true(!integer_divides(&f, &h), "round %d: what is longer does not", i);
        integer_set(&gcd, &h);
        integer_set_coefficient(&gcd, 0, f.c[0]);
        mpz_add_ui(gcd.c[0], gcd.c[0], 1);
        mpz_t at, value[2];
        mpz_init_set_si(at, 43); /* a divisor of f has values that divide f's */
        for (int k = 0; k < 2; k++) mpz_init(value[k]);
        integer_value(value[0], &f, at, 0, f.length - 1);
        integer_value(value[1], &gcd, at, 0, gcd.length - 1);
        if (mpz_sgn(value[1]) != 0 && !mpz_divisible_p(value[0], value[1]))
            check_true(!integer_divides(&gcd, &f), "round %d: what does not divide", i);
        mpz_clear(at);
        for (int k = 0; k < 2; k++) mpz_clear(value[k]);
        for (int k = 0; k < 4; k++) integer_clear(all[k]);
    }
}

/* Common divisors with coefficients of 5000 bits, beyond the product of the primes that are listed. */
static void long_divisors(void **state) {
    (void)state;
    rng r = rng_start("long_divisors");
    for (int i = 0; i < 4; i++) {
        integer_poly f, g, h, gcd, *all[4] = {&f, &g, &h, &gcd};
        mpz_t c;
        mpz_init(c);
        for (int k = 0; k < 4; k++) integer_init(all[k]);
        for (int k = 0; k <= 3 + i; k++) {
            mpz_set_ui(c, 0);
            for (int n = 0; n < 80; n++) { /* odd */
                mpz_mul_2exp(c, c, 63);
                mpz_add_ui(c, c, (unsigned long)rng_bits(&r) | 1);
            }
            integer_set_coefficient(&h, k, c);
        }
        integer_remove_content(&h);
        integer_set(&f, &h);
        integer_set(&g, &h);
        multiply_lines(&f, -41, 2, 5);
        multiply_lines(&g, -40, 2, 7);
        integer_gcd(&gcd, &f, &g);
        check_true(gcd.length == h.length && integer_divides(&h, &gcd) && integer_divides(&gcd, &h),
                   "round %d: a common divisor of degree %d, not %d", i, gcd.length - 1, h.length - 1);
        integer_set_si(&f, 0);
        integer_divide(&f, &h);
        check_true(f.length == 0, "0 divided is 0");
        mpz_clear(c);
        for (int k = 0; k < 4; k++) integer_clear(all[k]);
    }
}

/* Quotients that multiply back, and none where 1 is left. */
static void quotients(void **state) {
    (void)state;
    rng r = rng_start("quotients");
    const int rounds = (int)effort(50);
    for (int i = 0; i < rounds; i++) {
        integer_poly f, g, quotient, back, *all[4] = {&f, &g, &quotient, &back};
        for (int k = 0; k < 4; k++) integer_init(all[k]);
        integer_set_si(&g, 1);
        multiply_lines(&g, -40, 3, rng_int(&r, 1, 9));
        integer_set(&f, &g);
        multiply_lines(&f, -41, 2, rng_int(&r, 1, 40));
        check_true(integer_quotient(&quotient, &f, &g), "round %d: it divides", i);
        integer_add_product(&back, &quotient, &g, 1);
        integer_swap(&back, &quotient);
        for (int k = 0; k < f.length; k++)
            check_true(mpz_cmp(quotient.c[k], f.c[k]) == 0, "round %d: times g it is f", i);
        check_true(quotient.length == f.length && back.length == f.length - g.length + 1, "lengths");
        mpz_add_ui(f.c[0], f.c[0], 1);
        check_true(!integer_quotient(&quotient, &f, &g), "round %d: it leaves 1", i);
        for (int k = quotient.length; k < quotient.made; k++)
            check_true(mpz_sgn(quotient.c[k]) == 0, "round %d: coefficient %d beyond the length", i, k);
        check_true(!integer_quotient(&quotient, &g, &f), "round %d: what is longer does not divide", i);
        for (int k = 0; k < 4; k++) integer_clear(all[k]);
    }
}

/* f := f ((l a + m) x + c) or so, where x^9 stands for a. */
static void multiply_packed(integer_poly *f, rng *r, long l, long m) {
    enum { PACK = 9 };
    integer_poly line, product;
    mpz_t c[3];
    const int places[3] = {PACK + 1, 1, rng_int(r, 0, 1) * PACK};
    const long values[3] = {l, m, 2 * rng_int(r, 1, 99) + 1};
    integer_init(&line);
    integer_init(&product);
    for (int k = 0; k < 3; k++) {
        mpz_init_set_si(c[k], values[k]);
        integer_set_coefficient(&line, places[k], c[k]);
        mpz_clear(c[k]);
    }
    integer_add_product(&product, f, &line, 1);
    integer_set(f, &product);
    integer_clear(&line);
    integer_clear(&product);
}

static bool seen_coprime(const integer_poly *f, const integer_poly *g) {
    enum { PACK = 9 };
    integer_image image[2];
    integer_image_set(&image[0], f, PACK);
    integer_image_set(&image[1], g, PACK);
    return integer_seen_coprime(&image[0], &image[1]);
}

/* Of f g. */
static bool product_seen_simple(const integer_poly *f, const integer_poly *g) {
    integer_poly product;
    integer_image image;
    integer_init(&product);
    integer_add_product(&product, f, g, 1);
    integer_image_set(&image, &product, 9);
    integer_clear(&product);
    return integer_seen_simple_in_x(&image);
}

/* Polynomials in a and x that are coprime are mostly seen to be; those of which one is a factor of both never
 * are, not even where all degrees fall at the number that is tried for a: 11 - a before x. */
static void packed_divisors(void **state) {
    (void)state;
    rng r = rng_start("packed_divisors");
    int seen = 0, simple = 0;
    const int rounds = (int)effort(100);
    for (int i = 0; i < rounds; i++) {
        const long l = i % 2 == 0 ? -1 : rng_int(&r, 1, 9), m = i % 2 == 0 ? 11 : rng_int(&r, 1, 99);
        integer_poly f, g;
        integer_init(&f);
        integer_init(&g);
        integer_set_si(&f, 1);
        multiply_packed(&f, &r, l, m);
        integer_set(&g, &f);
        for (int k = 0; k < 3; k++) multiply_packed(&f, &r, rng_int(&r, 1, 9), 2);
        for (int k = 0; k < 2; k++) multiply_packed(&g, &r, -rng_int(&r, 1, 9), 3);
        check_true(!seen_coprime(&f, &g), "round %d: a common divisor", i);
        check_true(!product_seen_simple(&f, &g), "round %d: a double factor", i);
        integer_set_si(&f, 1);
        multiply_packed(&f, &r, 1, 7);
        multiply_packed(&f, &r, 3, -2);
        seen += seen_coprime(&f, &g);
        integer_set_si(&g, 1);
        simple += product_seen_simple(&f, &g);
        integer_clear(&f);
        integer_clear(&g);
    }
    check_true(seen > rounds * 9 / 10, "%d of %d are seen to be coprime", seen, rounds);
    check_true(simple > rounds * 9 / 10, "%d of %d are seen to be simple", simple, rounds);
}

/* 7^n f(num / 7) at num = 7 x is 7^n f(x), and vanishes at its roots alone. */
static void values(void **state) {
    (void)state;
    integer_poly f;
    mpz_t num, den, value, expected;
    integer_init(&f);
    mpz_init(num);
    mpz_init_set_ui(den, 7);
    mpz_init(value);
    mpz_init(expected);
    integer_set_si(&f, 3);
    multiply_lines(&f, -5, 3, 4); /* -5, -2, 1, 4 */
    for (int n = -50; n <= 50; n++) {
        mpz_set_si(num, n);
        integer_value_at(value, &f, num, den, 6);
        mpz_set_si(expected, 3L * 49 * (n + 35) * (n + 14) * (n - 7) * (n - 28));
        check_true(mpz_cmp(value, expected) == 0, "at %d / 7", n);
    }
    mpz_clear(num);
    mpz_clear(den);
    mpz_clear(value);
    mpz_clear(expected);
    integer_clear(&f);
}

/* A sign is told where no root is between the ends, and then it is the right one; between ends that are near
 * it mostly is told. */
static void signs_between(void **state) {
    (void)state;
    rng r = rng_start("signs_between");
    const int rounds = (int)effort(2000);
    int told = 0;
    for (int i = 0; i < rounds; i++) {
        integer_poly f;
        quick_form form;
        integer_init(&f);
        integer_set_si(&f, i % 2 == 0 ? 1 : -1);
        const int first = rng_int(&r, -9, 0), step = rng_int(&r, 1, 4), count = rng_int(&r, 1, 12);
        multiply_lines(&f, first, step, count);
        quick_form_set(&form, &f);
        const double low = rng_uniform(&r, -10, 10), high = low + ldexp(rng_uniform(&r, 0, 1), -(i % 40));
        int beyond = 0;
        bool crossed = false;
        for (int k = 0; k < count; k++) {
            const double root = first + k * step;
            crossed = crossed || (low <= root && root <= high);
            beyond += root > high;
        }
        const int expected = (i % 2 == 0) == (beyond % 2 == 0) ? 1 : -1,
                  sign = quick_sign_between(&form, low, high);
        check_true(sign == 0 || (!crossed && sign == expected), "round %d: from %.17g to %.17g", i, low,
                   high);
        told += i % 40 > 20 && sign != 0;
        integer_clear(&f);
    }
    check_true(told > rounds * 2 / 5, "%d of %d are told", told, rounds);
}

/* (x - 1) .. (x - n), whose roots are lost in coefficients known to a double's digits (Wilkinson, 1959), and
 * beside it others that share some roots with it; in a range, which may miss those outside. */
static void many_roots(void **state) {
    (void)state;
    static quick_roots roots;
    for (int n = 10; n <= 60; n += 10)
        for (int range = 0; range < 2; range++) {
            integer_poly f, g;
            integer_init(&f);
            integer_init(&g);
            integer_set_si(&f, 1);
            integer_set_si(&g, -5);
            multiply_lines(&f, 1, 1, n);
            multiply_lines(&g, 3 - n % 20, 2, n / 2);
            quick_roots_init(&roots);
            if (range == 1) {
                roots.low = 3.3;
                roots.high = 8.7;
            }
            quick_roots_add(&roots, &f);
            quick_roots_add(&roots, &g);
            quick_roots_add(&roots, &f);
            quick_roots_find(&roots);
            assert_false(roots.doubt);
            int found = 0, expected = 0;
            for (int x = -20; x <= 2 * n + 20; x++) {
                const bool of_g =
                    (x - (3 - n % 20)) % 2 == 0 && x >= 3 - n % 20 && x < 3 - n % 20 + 2 * (n / 2);
                const bool is = (x >= 1 && x <= n) || of_g, wanted = range == 0 || (x > 3 && x < 9);
                expected += is && wanted;
                int there = 0;
                for (int i = 0; i < roots.count; i++)
                    there += roots.root[i].low < x && x < roots.root[i].high;
                check_true(there <= is && (there == is || !wanted), "degree %d: the root %d", n, x);
                found += there;
            }
            check_true(found == roots.count && found >= expected, "degree %d: %d roots, %d in all", n, found,
                       roots.count);
            for (int i = 0; i + 1 < roots.count; i++) {
                const double between = quick_roots_between(&roots, i);
                check_true(roots.root[i].high < between && between < roots.root[i + 1].low,
                           "degree %d: apart", n);
            }
            quick_roots_clear(&roots);
            integer_clear(&f);
            integer_clear(&g);
        }
}

/* Of polynomials that are added for a range, some of which divide others, all roots in the ranges are found,
 * those at an end, too; what is found is a root of one of them. */
static void roots_in_ranges(void **state) {
    (void)state;
    enum { PLACES = 40, POLYNOMIALS = 6 };
    static quick_roots roots;
    rng r = rng_start("roots_in_ranges");
    const int rounds = (int)effort(200);
    for (int i = 0; i < rounds; i++) {
        bool wanted[PLACES] = {false}, any[PLACES] = {false};
        quick_roots_init(&roots);
        for (int k = 0; k < POLYNOMIALS; k++) {
            const int first = rng_int(&r, 1, 3) * 4, count = rng_int(&r, 1, 12), low = rng_int(&r, 0, 16),
                      high = low + rng_int(&r, 1, 12);
            const bool all = k == POLYNOMIALS - 1 && i % 2 == 0;
            integer_poly f;
            integer_init(&f);
            integer_set_si(&f, rng_int(&r, 1, 9));
            multiply_lines(&f, first, 2, count);
            if (all)
                quick_roots_add(&roots, &f);
            else
                quick_roots_add_between(&roots, &f, &(planar_range){low, high});
            integer_clear(&f);
            for (int x = first; x < first + 2 * count; x += 2) {
                any[x] = true;
                wanted[x] = wanted[x] || all || (low <= x && x <= high);
            }
        }
        quick_roots_find(&roots);
        assert_false(roots.doubt);
        int found = 0;
        for (int x = 0; x < PLACES; x++) {
            int there = 0;
            for (int k = 0; k < roots.count; k++) there += roots.root[k].low < x && x < roots.root[k].high;
            check_true(there <= any[x] && there >= wanted[x], "round %d: the root %d", i, x);
            found += there;
        }
        assert_int_equal(found, roots.count);
        quick_roots_clear(&roots);
    }
}

/* The double next to a root is that of the quotient p / q which it is: none of these roots is a double, or
 * halfway between two. */
static void rounded_roots(void **state) {
    (void)state;
    static quick_roots roots;
    rng r = rng_start("rounded_roots");
    const int rounds = (int)effort(300);
    int seen = 0, all = 0;
    for (int i = 0; i < rounds; i++) {
        integer_poly f, line;
        double expected[6];
        const int count = rng_int(&r, 1, 6), most = i % 3 == 0 ? 30 : 1 << 28;
        integer_init(&f);
        integer_init(&line);
        integer_set_si(&f, 1);
        for (int k = 0; k < count; k++) {
            const long p = 2L * rng_int(&r, 1, most) - 1, q = 3 * (2L * rng_int(&r, 0, most) + 1);
            integer_set_si(&line, rng_int(&r, 0, 1) ? p : -p);
            expected[k] = -mpz_get_d(line.c[0]) / (double)q;
            integer_reserve(&line, 2);
            mpz_set_si(line.c[1], q);
            line.length = 2;
            multiply(&f, &line);
        }
        quick_roots_init(&roots);
        quick_roots_add(&roots, &f);
        quick_roots_find(&roots);
        for (int n = 0; n < roots.count && !roots.doubt; n++) {
            double value = 0;
            bool right = false;
            all++;
            if (!quick_roots_round(&roots, n, &value)) continue;
            seen++;
            for (int k = 0; k < count; k++) right = right || expected[k] == value;
            check_true(right, "round %d: %.17g is none of the roots", i, value);
        }
        quick_roots_clear(&roots);
        integer_clear(&f);
        integer_clear(&line);
    }
    check_true(seen * 10 > all * 9, "%d of %d are seen", seen, all);
}

/* g divides f as often as it was multiplied into it, and once more it does not. */
static void dividing_out(void **state) {
    (void)state;
    rng r = rng_start("dividing_out");
    for (int i = 0; i < 100; i++) {
        integer_poly f, g, h;
        integer_init(&f);
        integer_init(&g);
        integer_init(&h);
        random_polynomial(&r, rng_int(&r, 1, 6), rng_int(&r, 5, 120), &g);
        if (i % 4 == 0) { /* its leading coefficient is 0 modulo the prime */
            mpz_set_ui(g.c[g.length - 1], (1ul << 61) - 1);
            mpz_add_ui(g.c[0], g.c[0], mpz_divisible_ui_p(g.c[0], (1ul << 61) - 1) != 0);
        }
        integer_remove_content(&g);
        integer_set_si(&f, rng_int(&r, 1, 50));
        multiply_lines(&f, -20, 3, rng_int(&r, 1, 12));
        while (integer_divide_out(&f, &g)) {
        }
        integer_set(&h, &f);
        const int times = rng_int(&r, 0, 4);
        for (int k = 0; k < times; k++) multiply(&f, &g);
        assert_true(integer_divide_out(&f, &g) == (times > 0));
        assert_int_equal(f.length, h.length);
        for (int k = 0; k < f.length; k++) assert_int_equal(mpz_cmp(f.c[k], h.c[k]), 0);
        integer_clear(&f);
        integer_clear(&g);
        integer_clear(&h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(common_divisors), cmocka_unit_test(packed_divisors),
                                       cmocka_unit_test(quotients),       cmocka_unit_test(long_divisors),
                                       cmocka_unit_test(values),          cmocka_unit_test(signs_between),
                                       cmocka_unit_test(many_roots),      cmocka_unit_test(roots_in_ranges),
                                       cmocka_unit_test(dividing_out),    cmocka_unit_test(rounded_roots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
