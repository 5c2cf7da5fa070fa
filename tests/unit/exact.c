/* Exact arithmetic: the entries of tableaux as numbers, stability functions with exact coefficients,
 * polynomials over Z[sqrt D], and real roots that are told apart. */
#include <math.h>
#include <string.h>

#include "area/exact_method.h"
#include "area/real_roots.h"
#include "costab/method.h"
#include "support/support.h"

/* ---- numbers ---- */

static void check_number(const char *source, int radicand, slong num, slong den, slong root_num,
                         slong root_den) {
    exact_number x;
    int found = 0;
    exact_number_init(&x);
    check_ok(exact_number_read(source, strlen(source), &x, &found, &why));
    check_true(found == radicand && fmpz_equal_si(fmpq_numref(x.u), num) &&
                   fmpz_equal_si(fmpq_denref(x.u), den) && fmpz_equal_si(fmpq_numref(x.v), root_num) &&
                   fmpz_equal_si(fmpq_denref(x.v), root_den),
               "'%s' is %ld/%ld + %ld/%ld sqrt %d", source, num, den, root_num, root_den, radicand);
    exact_number_clear(&x);
}

TEST(numbers) {
    check_number("1/3", 0, 1, 3, 0, 1);
    check_number(" -0.125 ", 0, -1, 8, 0, 1);
    check_number("0.1", 0, 1, 10, 0, 1);
    check_number("25e-3", 0, 1, 40, 0, 1);
    check_number("2*(1 - 1/4)/3", 0, 1, 2, 0, 1);
    check_number("1/4 - sqrt(3)/6", 3, 1, 4, -1, 6);
    check_number("-1/48/(1/4 + sqrt(3)/6)", 3, 1, 4, -1, 6);
    check_number("1 - 1/sqrt(2)", 2, 1, 1, -1, 2);
    check_number("sqrt(12)", 3, 0, 1, 2, 1);
    check_number("sqrt(1/2)", 2, 0, 1, 1, 2);
    check_number("sqrt(9/4)", 0, 3, 2, 0, 1);
    check_number("(1 + sqrt(2))*(1 - sqrt(2))", 2, -1, 1, 0, 1);
    check_number("1/(2 - sqrt(3))", 3, 2, 1, 1, 1);
    check_number("1e40/3e40 - 123456789123456789123456789/123456789123456789123456789", 0, -2, 3, 0, 1);
    static const char *const wrong[] = {"",
                                        "pi",
                                        "1/0",
                                        "sqrt(5)",
                                        "sqrt(2)+sqrt(3)",
                                        "1 2",
                                        "sqrt(-2)",
                                        "(1",
                                        "1)",
                                        "0x10",
                                        "1e",
                                        "1e999",
                                        "nan",
                                        "sqrt 2",
                                        "..1",
                                        "--",
                                        "2^2",
                                        "1/(1-1)",
                                        "1/(sqrt(2)-sqrt(2))"};
    exact_number x;
    exact_number_init(&x);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int radicand = 0;
        check_true(exact_number_read(wrong[i], strlen(wrong[i]), &x, &radicand, NULL) == COSTAB_INVALID,
                   "'%s' is refused", wrong[i]);
    }
    int radicand = 0;
    assert_int_equal(exact_number_read("sqrt(4)", 7, &x, NULL, NULL), COSTAB_INVALID);
    check_ok(exact_number_read("12;", 2, &x, &radicand, &why));
    assert_true(fmpz_equal_si(fmpq_numref(x.u), 12));
    exact_number_clear(&x);
}

/* ---- entries ---- */

static costab_entry entry(const char *source) {
    return (costab_entry){source, strlen(source), NAN};
}

/* Whether a method's entries are those that were written. */
static bool is_exact(const costab_method *m) {
    exact_tableau t;
    assert_true(exact_tableau_init(&t, m));
    const bool exact = t.exact;
    fmpq_t x;
    fmpq_init(x);
    for (int i = 0; i < m->stages; i++) { /* c is A times 1 */
        fmpq_zero(x);
        for (int j = 0; j < m->stages; j++) fmpq_add(x, x, fmpq_mat_entry(t.A.u, i, j));
        check_true(!exact || fmpq_equal(x, fmpq_mat_entry(t.c.u, i, 0)), "c of %s", m->name);
    }
    fmpq_clear(x);
    exact_tableau_clear(&t);
    return exact;
}

TEST(entries) {
    costab_method m;
    const costab_entry A[4] = {entry("0"), entry("0"), entry("2/3"), entry("0")};
    const costab_entry b[2] = {entry("1/4"), entry("3/4")}, c[2] = {entry("0"), entry("2/3")};
    check_ok(costab_method_from_entries(2, A, b, c, &m, &why));
    check_true(is_exact(&m) && m.A[1][0] == 2. / 3 && m.b[1] == 0.75 && m.c[1] == 2. / 3, "ralston");
    check_ok(costab_method_from_entries(2, A, b, NULL, &m, &why));
    check_true(is_exact(&m) && m.c[1] == 2. / 3, "c is A times 1");
    /* rounded entries are taken as the doubles that they are */
    const costab_entry rounded[2] = {entry("0.25"), {NULL, 0, 0.75}};
    check_ok(costab_method_from_entries(2, A, rounded, c, &m, &why));
    check_true(!is_exact(&m) && m.b[1] == 0.75, "an entry without a text");
    const costab_entry words[2] = {entry("0.25"), {"3 quarters", 10, 0.75}};
    check_ok(costab_method_from_entries(2, A, words, c, &m, &why));
    check_true(!is_exact(&m) && m.b[1] == 0.75, "a text that is no expression");
    const costab_entry turned[2] = {entry("sin(pi/6)/2"), entry("0.75")};
    check_ok(costab_method_from_entries(2, A, turned, c, &m, &why));
    check_true(!is_exact(&m) && fabs(m.b[0] - 0.25) < 1e-16, "an expression of another kind");
    const costab_entry nearly[2] = {entry("0.3333333333333333"), entry("0.6666666666666667")};
    check_ok(costab_method_from_entries(2, A, nearly, c, &m, &why));
    check_true(is_exact(&m), "decimals that add up to 1 are exact");
    const costab_entry off[2] = {entry("0.3333333333333333"), entry("0.6666666666666666")};
    check_ok(costab_method_from_entries(2, A, off, c, &m, &why));
    check_true(!is_exact(&m), "decimals that do not are doubles");
    assert_int_equal(costab_method_from_entries(0, A, b, c, &m, &why), COSTAB_INVALID);
}

/* Texts beyond the method's room for them are doubles. */
TEST(long_entries) {
    char text[900];
    for (size_t i = 0; i < sizeof text; i++) text[i] = "0+"[i % 2];
    text[sizeof text - 1] = '\0';
    costab_entry A[9], b[3] = {entry("1/4"), entry("1/4"), entry("1/2")};
    costab_method m;
    for (int i = 0; i < 9; i++) A[i] = entry(text);
    check_ok(costab_method_from_entries(3, A, b, NULL, &m, &why));
    check_true(is_exact(&m), "8,100 characters");
    b[0] = entry(text);
    b[1] = entry("1/2");
    check_ok(costab_method_from_entries(3, A, b, NULL, &m, &why));
    check_true(!is_exact(&m), "9,000 characters");
}

/* The double nearest to entry (i, j) of a matrix u + v sqrt(radicand). */
static double nearest(const surd_matrix *M, int radicand, slong i, slong j) {
    arb_t x, root;
    arb_init(x);
    arb_init(root);
    arb_sqrt_ui(root, (ulong)radicand, 128);
    arb_set_fmpq(x, fmpq_mat_entry(M->v, i, j), 128);
    arb_mul(root, root, x, 128);
    arb_set_fmpq(x, fmpq_mat_entry(M->u, i, j), 128);
    arb_add(x, x, root, 128);
    const double found = arf_get_d(arb_midref(x), ARF_RND_NEAR);
    arb_clear(x);
    arb_clear(root);
    return found;
}

/* The doubles of the named methods are next to their exact entries. */
TEST(named) {
    for (int k = 0; k < costab_method_count(); k++) {
        const costab_method m = method_named(costab_method_name(k));
        if (m.kind == COSTAB_EXACT) continue;
        check_true(is_exact(&m), "%s is exact", m.name);
        exact_tableau t;
        assert_true(exact_tableau_init(&t, &m));
        for (int i = 0; i < m.stages; i++) {
            for (int j = 0; j < m.stages; j++)
                check_true(nearest(&t.A, t.radicand, i, j) == m.A[i][j], "A %d %d of %s", i, j, m.name);
            check_true(nearest(&t.b, t.radicand, 0, i) == m.b[i], "b %d of %s", i, m.name);
            check_true(nearest(&t.c, t.radicand, i, 0) == m.c[i], "c %d of %s", i, m.name);
        }
        exact_tableau_clear(&t);
    }
}

/* ---- stability functions ---- */

static real value_of(const surd_poly *f, int radicand, double x) {
    real sum = 0;
    for (slong k = surd_degree(f); k >= 0; k--) {
        fmpz_t c;
        fmpz_init(c);
        fmpz_poly_get_coeff_fmpz(c, f->u, k);
        real coefficient = (real)fmpz_get_d(c);
        fmpz_poly_get_coeff_fmpz(c, f->v, k);
        coefficient += (real)fmpz_get_d(c) * sqrtl(radicand);
        sum = sum * x + coefficient;
        fmpz_clear(c);
    }
    return sum;
}

/* The exact functions have the values of the functions in doubles, for any number of micro steps. Both lose
 * what cancels in sums of the size of the coefficients at |z| <= 2. */
TEST(functions) {
    rng r = rng_start("exact functions");
    for (int i = 0; i < costab_method_count(); i++) {
        costab_method m = method_named(costab_method_name(i));
        for (int substeps = 1; substeps <= 5 && m.kind == COSTAB_RUNGE_KUTTA; substeps++) {
            method_exact e;
            method_exact_make(&m, substeps, &e);
            double z = rng_uniform(&r, -1.4, 0.8);
            costab_weights w = costab_method_weights(&m, substeps, z);
            real den = value_of(&e.den, e.radicand, z);
            check_near(w.phi, value_of(&e.phi, e.radicand, z) / den, 1e-12L, "phi of %s at %g", m.name, z);
            check_near(w.p0, value_of(&e.p0, e.radicand, z) / den, 1e-12L, "P0 of %s at %g", m.name, z);
            check_near(w.p1, value_of(&e.p1, e.radicand, z) / den, 1e-12L, "P1 of %s at %g", m.name, z);
            method_exact_clear(&e);
        }
    }
}

/* R of gauss2 is (12 + 6 z + z^2) / (12 - 6 z + z^2): rational, though the tableau is not. */
TEST(gauss2_is_rational) {
    costab_method m = method_named("gauss2");
    method_exact e;
    method_exact_make(&m, 1, &e);
    assert_int_equal(e.radicand, 0);
    check_true(fmpz_poly_is_zero(e.phi.v) && fmpz_poly_is_zero(e.p1.v) && fmpz_poly_is_zero(e.den.v),
               "no root of 3");
    assert_int_equal(surd_degree(&e.den), 2);
    fmpz_poly_t R;
    fmpz_poly_init(R);
    fmpz_poly_shift_left(R, e.phi.u, 1);
    fmpz_poly_add(R, R, e.den.u);
    slong unit = fmpz_get_si(fmpz_poly_get_coeff_ptr(R, 2));
    static const slong top[3] = {12, 6, 1}, bottom[3] = {12, -6, 1};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(fmpz_get_si(fmpz_poly_get_coeff_ptr(R, k)), top[k] * unit);
        assert_int_equal(fmpz_get_si(fmpz_poly_get_coeff_ptr(e.den.u, k)), bottom[k] * unit);
    }
    fmpz_poly_clear(R);
    method_exact_clear(&e);
}

/* ---- polynomials over Z[sqrt D] ---- */

/* (x + n + m sqrt D) */
static void linear(surd_poly *f, slong n, slong m) {
    surd_zero(f);
    fmpz_poly_set_coeff_si(f->u, 1, 1);
    fmpz_poly_set_coeff_si(f->u, 0, n);
    fmpz_poly_set_coeff_si(f->v, 0, m);
}

TEST(common_divisors) {
    surd_poly f, g, h, gcd;
    surd_init(&f);
    surd_init(&g);
    surd_init(&h);
    surd_init(&gcd);
    for (int radicand = 2; radicand <= 3; radicand++) {
        linear(&f, 1, 2);
        linear(&g, -3, 1);
        linear(&h, 5, -7);
        surd_mul(&f, &f, &h, radicand);
        surd_mul(&g, &g, &h, radicand);
        surd_gcd(&gcd, &f, &g, radicand);
        assert_int_equal(surd_degree(&gcd), 1);
        /* f / g = (x + 1 + 2 sqrt D) / (x - 3 + sqrt D) */
        real before = value_of(&f, radicand, 0.5) / value_of(&g, radicand, 0.5);
        surd_reduce(&f, &g, radicand);
        assert_int_equal(surd_degree(&f), 1);
        assert_int_equal(surd_degree(&g), 1);
        check_near((double)(value_of(&f, radicand, 0.5) / value_of(&g, radicand, 0.5)), before, 1e-15L,
                   "the quotient");
        linear(&h, 0, 1); /* its conjugate is not a divisor */
        linear(&f, 0, -1);
        surd_gcd(&gcd, &f, &h, radicand);
        assert_int_equal(surd_degree(&gcd), 0);
    }
    surd_clear(&f);
    surd_clear(&g);
    surd_clear(&h);
    surd_clear(&gcd);
}

/* ---- real roots ---- */

/* Adds the product of (den x - num)^power for the given roots, times x^2 + 1. */
static void add_product(real_roots *roots, const slong (*given)[3], int n) {
    fmpz_poly_t f, factor;
    fmpz_poly_init(f);
    fmpz_poly_init(factor);
    fmpz_poly_set_str(f, "3  1 0 1");
    for (int i = 0; i < n; i++) {
        fmpz_poly_zero(factor);
        fmpz_poly_set_coeff_si(factor, 1, given[i][1]);
        fmpz_poly_set_coeff_si(factor, 0, -given[i][0]);
        fmpz_poly_pow(factor, factor, (ulong)given[i][2]);
        fmpz_poly_mul(f, f, factor);
    }
    real_roots_add(roots, f);
    fmpz_poly_clear(f);
    fmpz_poly_clear(factor);
}

/* Roots of several polynomials, common ones, multiple ones, dyadic ones, 0, and two 1e-18 apart: each once.
 */
TEST(roots_are_told_apart) {
    static const slong first[][3] = {
        {0, 1, 1}, {1, 3, 2}, {-7, 2, 1}, {1000000000000000000, 999999999999999999, 1}};
    static const slong second[][3] = {{1, 3, 1}, {1, 1, 1},  {-7, 2, 3},
                                      {5, 1, 1}, {-4, 1, 1}, {-1, 1000000007, 1}};
    static const double expected[] = {-4, -3.5, -1 / 1000000007., 0, 1 / 3., 1, 1, 5};
    real_roots roots = {.count = 0};
    add_product(&roots, first, 4);
    add_product(&roots, second, 6);
    assert_true(real_roots_find(&roots));
    assert_int_equal(roots.count, 8);
    arb_t ball, last;
    arb_init(ball);
    arb_init(last);
    for (int i = 0; i < roots.count; i++) {
        real_roots_ball(&roots, i, 200, ball);
        check_near(arf_get_d(arb_midref(ball), ARF_RND_NEAR), (real)expected[i],
                   1e-16L * fabsl((real)expected[i]), "root %d", i);
        check_true(i == 0 || arb_gt(ball, last), "root %d lies above the one before", i);
        arb_set(last, ball);
    }
    surd_poly f;
    surd_init(&f);
    fmpz_poly_set_str(f.u, "3  -1 2 3"); /* (3x - 1)(x + 1) */
    for (int i = 0; i < roots.count; i++)
        check_true(real_roots_vanishes(&roots, i, &f, 0) == (i == 4), "3x^2 + 2x - 1 at root %d", i);
    surd_clear(&f);
    arb_clear(ball);
    arb_clear(last);
    real_roots_clear(&roots);
}

/* Mignotte's polynomials x^n - 2 (2^k x - 1)^2 have two roots within 2^(-k (n + 2) / 2) of each other. */
TEST(close_roots) {
    for (slong n = 5; n <= 13; n += 4) {
        fmpz_poly_t f, line;
        real_roots roots = {.count = 0};
        fmpz_poly_init(f);
        fmpz_poly_init(line);
        fmpz_poly_set_coeff_si(line, 1, 1 << 20);
        fmpz_poly_set_coeff_si(line, 0, -1);
        fmpz_poly_sqr(line, line);
        fmpz_poly_scalar_mul_si(line, line, -2);
        fmpz_poly_set_coeff_si(f, n, 1);
        fmpz_poly_add(f, f, line);
        real_roots_add(&roots, f);
        assert_true(real_roots_find(&roots));
        assert_int_equal(roots.count, (int)fmpz_poly_num_real_roots(f));
        assert_int_equal(roots.count, 3);
        fmpz_poly_clear(f);
        fmpz_poly_clear(line);
        real_roots_clear(&roots);
    }
}
