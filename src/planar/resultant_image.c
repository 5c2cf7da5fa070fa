/* With a at all powers of a root of unity, values and coefficients are each other's Fourier transforms
 * (Cooley and Tukey, 1965). At each a the resultant is found by Euclid's algorithm without division: with c
 * the leading coefficient of g, and degrees that count even where the leading coefficient is 0,
 *
 *     f' = c f - lead(f) x^(m-n) g,   Res_m,n(f, g) = (-1)^n c^(1-n) Res_m-1,n(f', g)
 *     Res_m,n(f, g) = lead(f) Res_m,n-1(f, g) where the leading coefficient of g is 0
 *
 * Many a go side by side. Where c vanishes at some a of a group and not at others, those few are computed one
 * by one, with division.
 *
 * Numbers x are kept as 2^32 x modulo p (Montgomery, 1985). */
#include "planar/resultant_image.h"

#include <string.h>

#include "base/clones.h"
#include "base/memory.h"

/* LANES: values of a side by side, at most; LANES_LEAST: at least, some of them more than once. PRIME_MOST:
 * the sum of three products stays below 2^32 p. */
enum { LANES = 64, LANES_LEAST = 16, PRIME_MOST = 1 << 30 };

/* ---- numbers ---- */

/* t / 2^32 modulo p, for t < 2^32 p. */
static inline uint32_t reduced(uint64_t t, uint32_t p, uint32_t inverse) {
    uint32_t m = (uint32_t)t * inverse;
    uint32_t x = (uint32_t)((t + (uint64_t)m * p) >> 32), y = x - p;
    return y < x ? y : x;
}

static inline uint32_t product(const resultant_image *r, uint32_t x, uint32_t y) {
    return reduced((uint64_t)x * y, r->p, r->inverse);
}

static uint32_t power(const resultant_image *r, uint32_t x, uint64_t exponent) {
    uint32_t result = r->one;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = product(r, result, x);
        x = product(r, x, x);
    }
    return result;
}

/* x^exponent modulo p, as plain numbers. */
static uint64_t plain_power(uint64_t x, uint32_t exponent, uint32_t p) {
    uint64_t result = 1;
    for (x %= p; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = result * x % p;
        x = x * x % p;
    }
    return result;
}

/* Whether an odd number above 61 is prime: below 4,759,123,141 no other passes Miller and Rabin's test for
 * the bases 2, 7 and 61 (Jaeschke, 1993). */
static bool is_prime(uint32_t p) {
    static const uint32_t bases[] = {2, 7, 61}, small[] = {3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    for (size_t k = 0; k < sizeof small / sizeof small[0]; k++)
        if (p % small[k] == 0) return false;
    int twos = 0;
    while ((p - 1) >> twos << twos == p - 1) twos++;
    twos--; /* the largest power of 2 that divides p - 1 */
    for (size_t k = 0; k < sizeof bases / sizeof bases[0]; k++) {
        uint64_t x = plain_power(bases[k], (p - 1) >> twos, p);
        bool passes = x == 1 || x == p - 1;
        for (int i = 1; i < twos && !passes; i++) {
            x = x * x % p;
            passes = x == p - 1;
        }
        if (!passes) return false;
    }
    return true;
}

/* The largest ones, 2^30 + 1 - COMMON largest[k]: most resultants need no others. */
enum { COMMON = RESULTANT_IMAGE_COMMON };

static const uint8_t largest[] = {3, 9, 34, 42, 48, 58, 72, 81, 84, 87, 88, 96, 103, 109, 118, 133};

uint32_t resultant_image_prime(size_t points, uint32_t from) {
    const uint64_t step = points > COMMON ? points : COMMON;
    for (size_t k = 0; k < sizeof largest && step == COMMON; k++) {
        const uint32_t prime = PRIME_MOST + 1 - COMMON * (uint32_t)largest[k];
        if (from == 0 || prime < from) return prime;
    }
    uint64_t candidate = from > 0 ? from : (PRIME_MOST - 2) / step * step + 1 + step;
    while (candidate > step + 61) {
        candidate -= step;
        if (is_prime((uint32_t)candidate)) return (uint32_t)candidate;
    }
    return 0;
}

/* Everything that depends on the prime alone. */
static void set_prime(resultant_image *r, uint32_t prime) {
    r->p = prime;
    uint32_t inverse = 1; /* of p modulo 2^32, by Newton's method */
    for (int k = 0; k < 5; k++) inverse *= 2 - prime * inverse;
    r->inverse = 0 - inverse;
    r->one = (uint32_t)((UINT64_C(1) << 32) % prime);
    r->square = (uint32_t)((uint64_t)r->one * r->one % prime);
    if (r->points < 2) return;
    uint32_t w = 0, minus = prime - r->one;
    for (uint32_t x = 2; w == 0;
         x++) { /* half of all x give a root of unity of this order and no smaller one */
        uint32_t root = power(r, product(r, x, r->square), (prime - 1) / r->points);
        if (power(r, root, r->points / 2) == minus) w = root;
    }
    const size_t half = r->points / 2;
    uint32_t *turn = r->turn, *turn_back = r->turn + half;
    turn[0] = turn_back[0] = r->one;
    for (size_t k = 1; k < half; k++) {
        turn[k] = product(r, turn[k - 1], w);
        turn_back[half - k] = prime - turn[k]; /* w^half = -1 */
    }
}

/* ---- rows of numbers ---- */

/* u, v := u + v, (u - v) w */
BASE_CLONES static void turn_rows(uint32_t *restrict u, uint32_t *restrict v, size_t n, uint32_t w,
                                  uint32_t p, uint32_t inverse) {
    for (size_t k = 0; k < n; k++) {
        uint32_t sum = u[k] + v[k], less = sum - p;
        v[k] = reduced((uint64_t)(u[k] + p - v[k]) * w, p, inverse);
        u[k] = less < sum ? less : sum;
    }
}

/* u, v := u + v w, u - v w */
static void turn_back(const resultant_image *r, uint32_t *u, uint32_t *v, uint32_t w) {
    uint32_t x = product(r, *v, w), sum = *u + x, less = *u - x;
    *v = *u < x ? less + r->p : less;
    *u = sum >= r->p ? sum - r->p : sum;
}

/* f := c f */
BASE_CLONES static void multiply(uint32_t *restrict f, const uint32_t *restrict c, int lanes, uint32_t p,
                                 uint32_t inverse) {
    for (int l = 0; l < lanes; l++) f[l] = reduced((uint64_t)c[l] * f[l], p, inverse);
}

/* The size of a row. */
static size_t row_size(const resultant_image *r) {
    return (size_t)r->lane_count * sizeof *r->lanes;
}

static void multiply_row(const resultant_image *r, uint32_t *f, const uint32_t *c) {
    multiply(f, c, r->lane_count, r->p, r->inverse);
}

/* f := c f - h g */
BASE_CLONES static void combine(uint32_t *restrict f, const uint32_t *restrict c, const uint32_t *restrict h,
                                const uint32_t *restrict g, int lanes, uint32_t p, uint32_t inverse) {
    for (int l = 0; l < lanes; l++)
        f[l] = reduced((uint64_t)c[l] * f[l] + (uint64_t)(p - h[l]) * g[l], p, inverse);
}

/* What g is taken away with: h[0] x + h[1], after f was multiplied by c. */
typedef struct quotient {
    uint32_t c[LANES], h[2][LANES];
} quotient;

/* f := c f - h[0] below - h[1] g */
BASE_CLONES static void combine_both(uint32_t *restrict f, const quotient *restrict q,
                                     const uint32_t *restrict below, const uint32_t *restrict g, int lanes,
                                     uint32_t p, uint32_t inverse) {
    for (int l = 0; l < lanes; l++)
        f[l] = reduced((uint64_t)q->c[l] * f[l] + (uint64_t)(p - q->h[0][l]) * below[l] +
                           (uint64_t)(p - q->h[1][l]) * g[l],
                       p, inverse);
}

/* result := result x^exponent */
static void multiply_power(const resultant_image *r, uint32_t *result, const uint32_t *x, long exponent) {
    uint32_t square[LANES];
    memcpy(square, x, row_size(r));
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) multiply_row(r, result, square);
        uint32_t factor[LANES];
        memcpy(factor, square, row_size(r));
        multiply_row(r, square, factor);
    }
}

/* x := 1 / x, none of which is 0: of one product of all, from which the others are taken away. */
static void invert(const resultant_image *r, uint32_t x[LANES]) {
    uint32_t tree[2 * LANES]; /* the product of `half` pairs from 2 half on lies from half on;
                                         tree[1]: of all */
    const int lanes = r->lane_count;
    memcpy(tree + lanes, x, row_size(r));
    for (int half = lanes / 2; half > 0; half /= 2)
        for (int l = 0; l < half; l++) tree[half + l] = product(r, tree[2 * half + l], tree[3 * half + l]);
    tree[1] = power(r, tree[1], r->p - 2);
    for (int half = 1; half < lanes; half *= 2)
        for (int l = 0; l < half; l++) { /* 1 / (u v) to 1 / u and 1 / v */
            const uint32_t over = tree[half + l], u = tree[2 * half + l];
            tree[2 * half + l] = product(r, over, tree[3 * half + l]);
            tree[3 * half + l] = product(r, over, u);
        }
    memcpy(x, tree + lanes, row_size(r));
}

/* ---- one group of points ---- */

/* The two polynomials at some values of a: coefficient k of d in row k. */
typedef struct group {
    uint32_t *f, *g;
    long m, n;                         /* their degrees */
    bool negative;                     /* the sign gathered so far */
    uint32_t top[LANES], below[LANES]; /* factors gathered */
    bool failed[LANES];                /* c was 0 */
} group;

/* Takes c = 0 out of lanes, where it is 0 in some; returns whether it is 0 in all. */
static bool leading_is_zero(const resultant_image *r, group *s) {
    uint32_t *c = s->g + s->n * r->lane_count;
    int zeros = 0;
    for (int l = 0; l < r->lane_count; l++) zeros += c[l] == 0;
    if (zeros == 0 || zeros == r->lane_count) return zeros > 0;
    for (int l = 0; l < r->lane_count; l++)
        if (c[l] == 0) {
            s->failed[l] = true;
            c[l] = r->one;
        }
    return false;
}

static void swap(group *s) {
    uint32_t *rows = s->f;
    long degree = s->m;
    s->negative = s->negative != (s->m % 2 != 0 && s->n % 2 != 0);
    s->f = s->g;
    s->m = s->n;
    s->g = rows;
    s->n = degree;
}

/* Lowers the degree of f by one: f' above. */
static void lower(const resultant_image *r, group *s) {
    const uint32_t *c = s->g + s->n * r->lane_count, *lead = s->f + s->m * r->lane_count;
    const long shift = s->m - s->n;
    for (long k = 0; k < shift; k++) multiply_row(r, s->f + k * r->lane_count, c);
    for (long k = shift; k < s->m; k++)
        combine(s->f + k * r->lane_count, c, lead, s->g + (k - shift) * r->lane_count, r->lane_count, r->p,
                r->inverse);
    s->m--;
    s->negative = s->negative != (s->n % 2 != 0);
}

/* The same twice at once, from m = n + 1 on. */
static void lower_twice(const resultant_image *r, group *s) {
    const uint32_t *c = s->g + s->n * r->lane_count, *lead = s->f + s->m * r->lane_count;
    const uint32_t zero[LANES] = {0};
    quotient q;
    memcpy(q.c, c, row_size(r));
    multiply_row(r, q.c, c);
    memcpy(q.h[0], lead, row_size(r));
    multiply_row(r, q.h[0], c);
    memcpy(q.h[1], lead - r->lane_count, row_size(r));
    combine(q.h[1], c, lead, c - r->lane_count, r->lane_count, r->p, r->inverse);
    for (long k = 0; k < s->n; k++) {
        const uint32_t *g = s->g + k * r->lane_count;
        combine_both(s->f + k * r->lane_count, &q, k > 0 ? g - r->lane_count : zero, g, r->lane_count, r->p,
                     r->inverse);
    }
    s->m -= 2;
}

/* Lowers the degree of f to below that of g. */
static void divide(const resultant_image *r, group *s) {
    const long before = s->m;
    while (s->m > s->n + 1) lower(r, s);
    if (s->m == s->n + 1)
        lower_twice(r, s);
    else
        lower(r, s);
    multiply_power(r, s->below, s->g + s->n * r->lane_count, (before - s->m) * (s->n - 1));
}

/* The resultants of a group. */
static void solve(const resultant_image *r, group *s, uint32_t *result) {
    s->negative = false;
    for (int l = 0; l < r->lane_count; l++) {
        s->top[l] = s->below[l] = r->one;
        s->failed[l] = false;
    }
    if (s->m < s->n) swap(s);
    while (s->n > 0) {
        if (leading_is_zero(r, s)) {
            multiply_row(r, s->top, s->f + s->m * r->lane_count);
            s->n--;
            continue;
        }
        divide(r, s);
        swap(s);
    }
    memcpy(result, s->top, row_size(r));
    multiply_power(r, result, s->g, s->m);
    invert(r, s->below);
    multiply_row(r, result, s->below);
    for (int l = 0; s->negative && l < r->lane_count; l++) result[l] = result[l] == 0 ? 0 : r->p - result[l];
}

/* The resultant at one point, in the same steps with c = 1: f' = f - lead(f) / c x^(m-n) g,
 * Res_m,n(f, g) = (-1)^n c Res_m-1,n(f', g). Changes the row. */
static uint32_t solve_alone(const resultant_image *r, uint32_t *row) {
    long m = r->pair->degree[0], n = r->pair->degree[1];
    uint32_t *f = row, *g = row + m + 1, result = r->one;
    bool negative = false;
    while (n > 0) {
        if (g[n] == 0) {
            result = product(r, result, f[m]);
            n--;
        } else if (m < n) {
            uint32_t *const rows = f;
            const long degree = m;
            negative = negative != (m % 2 != 0 && n % 2 != 0);
            f = g;
            m = n;
            g = rows;
            n = degree;
        } else {
            const uint32_t q = product(r, f[m], power(r, g[n], r->p - 2));
            for (long k = 0; k < n; k++) {
                uint32_t *x = &f[m - n + k];
                const uint32_t less = product(r, q, g[k]);
                *x = *x < less ? *x + (r->p - less) : *x - less;
            }
            result = product(r, result, g[n]);
            negative = negative != (n % 2 != 0);
            m--;
        }
    }
    result = product(r, result, power(r, g[0], (uint64_t)m));
    return negative && result != 0 ? r->p - result : result;
}

/* The resultants at the points from `first` on that go side by side. */
static void solve_group(resultant_image *r, size_t first, uint32_t *lanes) {
    const long *degree = r->pair->degree;
    const size_t count = r->points < LANES ? r->points : LANES, all = (size_t)r->lane_count;
    for (size_t l = 0; l < all; l++) {
        const uint32_t *row = &r->rows[(first + l % count) * r->width];
        for (size_t k = 0; k < r->width; k++) lanes[k * all + l] = row[k];
    }
    group s = {.f = lanes, .g = lanes + (degree[0] + 1) * r->lane_count, .m = degree[0], .n = degree[1]};
    uint32_t result[LANES];
    solve(r, &s, result);
    for (size_t l = 0; l < count; l++)
        r->value[first + l] = s.failed[l] ? solve_alone(r, &r->rows[(first + l) * r->width]) : result[l];
}

/* ---- all points ---- */

/* The coefficients modulo p, wrapped around where there are more than points: a^points = 1. Returns how many
 * rows are used. */
static size_t load(resultant_image *r) {
    size_t most = 0;
    uint32_t *column = r->rows;
    memset(r->rows, 0, r->points * r->width * sizeof *r->rows);
    for (int k = 0; k < 2; k++)
        for (long j = 0; j <= r->pair->degree[k]; j++, column++) {
            const resultant_poly *f = &r->pair->f[k][j];
            size_t length = (size_t)f->length;
            if (length > most) most = length;
            for (size_t i = 0; i < length; i++) {
                uint32_t *place = &column[i % r->points * r->width];
                uint32_t c = (uint32_t)mpz_fdiv_ui(f->c[i], r->p);
                *place = (*place + product(r, c, r->square)) % r->p;
            }
        }
    return most;
}

/* From coefficients to values, in bit-reversed order. */
static void transform(resultant_image *r, size_t used) {
    for (size_t half = r->points / 2, step = 1; half > 0; half /= 2, step *= 2)
        for (size_t start = 0; start < r->points; start += 2 * half)
            for (size_t j = 0; j < half && j < used; j++)
                turn_rows(&r->rows[(start + j) * r->width], &r->rows[(start + j + half) * r->width], r->width,
                          r->turn[j * step], r->p, r->inverse);
}

/* From values in bit-reversed order to coefficients, which leave Montgomery's form. */
static void transform_back(resultant_image *r) {
    const uint32_t *turn = r->turn + r->points / 2;
    for (size_t half = 1, step = r->points / 2; half < r->points; half *= 2, step /= 2)
        for (size_t start = 0; start < r->points; start += 2 * half)
            for (size_t j = 0; j < half; j++)
                turn_back(r, &r->value[start + j], &r->value[start + j + half], turn[j * step]);
    const uint32_t share = r->p - (uint32_t)((r->p - 1) / r->points); /* 1 / points */
    for (size_t i = 0; i < r->points; i++) r->value[i] = product(r, r->value[i], share);
}

void resultant_image_find(resultant_image *r, uint32_t prime) {
    set_prime(r, prime);
    transform(r, load(r));
    for (size_t first = 0; first < r->points; first += LANES) solve_group(r, first, r->lanes);
    transform_back(r);
}

bool resultant_image_init(resultant_image *r, const resultant_pair *pair, size_t points) {
    *r = (resultant_image){.pair = pair, .points = points};
    r->lane_count = points >= LANES ? LANES : points > LANES_LEAST ? (int)points : LANES_LEAST;
    r->width = (size_t)(pair->degree[0] + pair->degree[1] + 2);
    r->rows = memory_alloc(points * r->width, sizeof *r->rows);
    r->lanes = memory_alloc(r->width * (size_t)r->lane_count, sizeof *r->lanes);
    r->turn = memory_alloc(points, sizeof *r->turn);
    r->value = memory_alloc(points, sizeof *r->value);
    return r->rows != NULL && r->lanes != NULL && r->turn != NULL && r->value != NULL;
}

void resultant_image_clear(resultant_image *r) {
    memory_free(r->rows);
    memory_free(r->lanes);
    memory_free(r->turn);
    memory_free(r->value);
    *r = (resultant_image){.pair = NULL};
}
