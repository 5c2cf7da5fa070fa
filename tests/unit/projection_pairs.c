/* What is made of one factor, against FLINT's discriminants of it at whole numbers a. */
#include "planar/projection_pairs.h"

#include "base/flint.h"
#include "support/support.h"

enum { DEGREE = 7, LENGTH = 4 };

/* The values of two polynomials in a that came out: the leading coefficient and the discriminant. */
typedef struct values {
    long a;
    int count;
    fmpz_t of[2];
} values;

static void set_value(fmpz_t value, const resultant_poly *f, long a) {
    fmpz_t c;
    fmpz_init(c);
    fmpz_zero(value);
    for (long i = f->length - 1; i >= 0; i--) {
        fmpz_set_mpz(c, f->c[i]);
        fmpz_mul_si(value, value, a);
        fmpz_add(value, value, c);
    }
    fmpz_clear(c);
}

/* projection_sink */
static resultant_outcome take(void *context, const resultant_poly *f, const planar_range *range) {
    values *v = context;
    assert_null(range);
    assert_true(v->count < 2);
    set_value(v->of[v->count++], f, v->a);
    return RESULTANT_FOUND;
}

/* Coefficients below the leading one are 0 with some chance, those right below it often. */
static void set_random(rng *r, projection_factor *f) {
    for (int k = 0; k <= f->degree; k++) {
        const bool zero = k < f->degree && k > 0 && rng_int(r, 0, k == f->degree - 1 ? 1 : 3) == 0;
        assert_true(resultant_poly_init(&f->coefficient[k], LENGTH));
        f->coefficient[k].length = zero ? 0 : rng_int(r, 1, LENGTH);
        for (long i = 0; i < f->coefficient[k].length; i++)
            mpz_set_si(f->coefficient[k].c[i], 2 * rng_int(r, -500, 500) + 1);
    }
}

/* n^(n-2) D is what is expected; (n l)^t times that which came out, where f has no terms of t degrees right
 * below the leading one, l d^n. */
static void check_at(const projection_factor *f, long a) {
    values v = {.a = a};
    planar_watch watch = {.progress = NULL, .to = 1};
    const projection_sink sink = {take, &v, &watch};
    fmpz_poly_t at;
    fmpz_t c, n;
    for (int k = 0; k < 2; k++) fmpz_init(v.of[k]);
    fmpz_poly_init(at);
    fmpz_init(c);
    fmpz_init_set_si(n, f->degree);
    assert_int_equal(projection_pairs(f, 1, &sink), RESULTANT_FOUND);
    assert_int_equal(v.count, 2);
    for (int k = 0; k <= f->degree; k++) {
        set_value(c, &f->coefficient[k], a);
        fmpz_poly_set_coeff_fmpz(at, k, c);
    }
    check_true(fmpz_equal(v.of[0], c) != 0, "the leading coefficient comes out");
    for (int k = f->degree - 1; k > 0 && f->coefficient[k].length == 0; k--) {
        fmpz_mul(v.of[1], v.of[1], n);
        fmpz_mul(v.of[1], v.of[1], c);
    }
    fmpz_poly_discriminant(c, at);
    fmpz_pow_ui(n, n, (ulong)f->degree - 2);
    fmpz_mul(c, c, n);
    check_true(fmpz_cmpabs(c, v.of[1]) == 0, "degree %d, a = %ld: the discriminant", f->degree, a);
    for (int k = 0; k < 2; k++) fmpz_clear(v.of[k]);
    fmpz_poly_clear(at);
    fmpz_clear(c);
    fmpz_clear(n);
}

static void discriminants(void **state) {
    (void)state;
    rng r = rng_start("discriminants");
    for (int which = 0; which < (int)effort(60); which++) {
        resultant_poly room[DEGREE + 1];
        projection_factor f = {.degree = rng_int(&r, 2, DEGREE), .coefficient = room};
        set_random(&r, &f);
        for (long a = -4; a <= 4; a += 2) check_at(&f, a); /* odd, so no leading coefficient is 0 there */
        for (int k = 0; k <= f.degree; k++) resultant_poly_clear(&room[k]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(discriminants)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
