/* Common divisors are looked for modulo primes p that do not divide both leading coefficients: the images'
 * one is of the true one's degree at least. So where that is 0 there is none; and a polynomial of its degree,
 * joined from some primes, that does divide both is the greatest. What these primes do not find is found by
 * Euclid's algorithm with primitive remainders. */
#include "method/integer_poly.h"

void integer_init(integer_poly *f) {
    f->length = f->made = 0;
    integer_reserve(f, 1);
}

void integer_clear(integer_poly *f) {
    for (int k = 0; k < f->made; k++) mpz_clear(f->c[k]);
    f->length = f->made = 0;
}

void integer_reserve(integer_poly *f, int length) {
    for (; f->made < length; f->made++) mpz_init(f->c[f->made]);
}

/* Sets the length, from one that is at least as large. */
static void set_length(integer_poly *f, int at_most) {
    f->length = at_most;
    while (f->length > 0 && mpz_sgn(f->c[f->length - 1]) == 0) f->length--;
}

void integer_set(integer_poly *f, const integer_poly *g) {
    integer_reserve(f, g->length);
    for (int k = 0; k < g->length; k++) mpz_set(f->c[k], g->c[k]);
    for (int k = g->length; k < f->length; k++) mpz_set_ui(f->c[k], 0);
    f->length = g->length;
}

void integer_swap(integer_poly *f, integer_poly *g) {
    const int made = f->made > g->made ? f->made : g->made, length = f->length;
    integer_reserve(f, made);
    integer_reserve(g, made);
    for (int k = 0; k < made; k++) mpz_swap(f->c[k], g->c[k]);
    f->length = g->length;
    g->length = length;
}

void integer_set_si(integer_poly *f, long value) {
    for (int k = 0; k < f->length; k++) mpz_set_si(f->c[k], 0);
    mpz_set_si(f->c[0], value);
    f->length = value != 0;
}

void integer_set_coefficient(integer_poly *f, int k, const mpz_t value) {
    integer_reserve(f, k + 1);
    mpz_set(f->c[k], value);
    set_length(f, k < f->length ? f->length : k + 1);
}

void integer_scale(integer_poly *f, const mpz_t factor) {
    for (int k = 0; k < f->length; k++) mpz_mul(f->c[k], f->c[k], factor);
    set_length(f, f->length);
}

void integer_times_x(integer_poly *f) {
    if (f->length == 0) return;
    integer_reserve(f, f->length + 1);
    for (int k = f->length++; k > 0; k--) mpz_swap(f->c[k], f->c[k - 1]);
}

void integer_derivative(integer_poly *slope, const integer_poly *f) {
    integer_set_si(slope, 0);
    integer_reserve(slope, f->length - 1);
    for (int k = 1; k < f->length; k++) mpz_mul_ui(slope->c[k - 1], f->c[k], (unsigned long)k);
    slope->length = f->length > 1 ? f->length - 1 : 0;
}

void integer_add_product(integer_poly *sum, const integer_poly *f, const integer_poly *g, long factor) {
    if (f->length == 0 || g->length == 0) return;
    const int length = f->length + g->length - 1;
    mpz_t scaled;
    integer_reserve(sum, length);
    mpz_init(scaled);
    for (int i = 0; i < f->length; i++) {
        if (mpz_sgn(f->c[i]) == 0) continue;
        mpz_mul_si(scaled, f->c[i], factor);
        for (int j = 0; j < g->length; j++) mpz_addmul(sum->c[i + j], scaled, g->c[j]);
    }
    mpz_clear(scaled);
    set_length(sum, length > sum->length ? length : sum->length);
}

void integer_remove_content(integer_poly *f) {
    mpz_t content;
    mpz_init(content);
    for (int k = f->length - 1; k >= 0 && mpz_cmp_ui(content, 1) != 0; k--)
        mpz_gcd(content, content, f->c[k]);
    for (int k = 0; k < f->length && mpz_cmp_ui(content, 1) != 0; k++)
        mpz_divexact(f->c[k], f->c[k], content);
    mpz_clear(content);
}

/* The quotient takes the place of the coefficients from g->length - 1 on, the remainder that of those below;
 * false, with anything in f, where the quotient is not one of integers, or leaves a remainder. */
static bool divide_in_place(integer_poly *f, const integer_poly *g) {
    const int below = g->length - 1;
    const bool monic = mpz_cmp_ui(g->c[below], 1) == 0;
    for (int k = f->length - g->length; k >= 0; k--) {
        mpz_t *const top = &f->c[k + below];
        if (!monic && !mpz_divisible_p(*top, g->c[below])) return false;
        if (!monic) mpz_divexact(*top, *top, g->c[below]);
        for (int j = 0; j < below && mpz_sgn(*top) != 0; j++) mpz_submul(f->c[k + j], *top, g->c[j]);
    }
    bool exact = f->length >= g->length;
    for (int k = 0; k < below && exact; k++) exact = mpz_sgn(f->c[k]) == 0;
    return exact;
}

void integer_divide_x(integer_poly *f, int count) {
    for (int k = 0; k + count < f->length && count > 0; k++) mpz_swap(f->c[k], f->c[k + count]);
    f->length -= count;
}

void integer_divide(integer_poly *f, const integer_poly *g) {
    (void)divide_in_place(f, g);
    integer_divide_x(f, g->length - 1);
}

bool integer_divides(const integer_poly *g, const integer_poly *f) {
    integer_poly rest;
    integer_init(&rest);
    integer_set(&rest, f);
    const bool divides = divide_in_place(&rest, g);
    integer_clear(&rest);
    return divides;
}

bool integer_quotient(integer_poly *quotient, const integer_poly *f, const integer_poly *g) {
    if (f->length < g->length) return false;
    integer_set(quotient, f);
    const bool divides = divide_in_place(quotient, g);
    if (divides)
        integer_divide_x(quotient, g->length - 1);
    else
        integer_set_si(quotient, 0); /* what is left is not to lie beyond its length */
    return divides;
}

/* ---- common divisors ---- */

/* A polynomial modulo a prime. */
typedef struct image {
    int length;
    uint64_t c[INTEGER_LENGTH_MAX];
} image;

/* The primes 2^61 - less[k], largest first: coefficients of up to 2928 bits are found. */
static const uint64_t less[] = {1,    31,   45,   229,  259,  283,  339,  391,  403,  465,  531,  579,
                                675,  759,  799,  819,  829,  843,  859,  939,  985,  1015, 1153, 1195,
                                1215, 1281, 1299, 1351, 1371, 1425, 1489, 1525, 1533, 1543, 1609, 1621,
                                1669, 1741, 1753, 1813, 1845, 1849, 1855, 1863, 1869, 1909, 1921, 1923};

enum { PRIMES = sizeof less / sizeof less[0], PRIME_BITS = 61 };

static uint64_t prime_of(int which) {
    return (UINT64_C(1) << PRIME_BITS) - less[which];
}

__extension__ typedef unsigned __int128 wide;

/* 2^61 is less[which]: what is above is folded down, twice. */
static uint64_t product(uint64_t x, uint64_t y, int which) {
    const uint64_t mask = (UINT64_C(1) << PRIME_BITS) - 1;
    wide sum = (wide)x * y;
    for (int k = 0; k < 2; k++) sum = (sum & mask) + (sum >> PRIME_BITS) * less[which];
    const uint64_t value = (uint64_t)sum, prime = prime_of(which);
    return value >= prime ? value - prime : value;
}

static uint64_t inverse(uint64_t x, int which) {
    uint64_t result = 1;
    if (x == 1) return 1;
    for (uint64_t e = prime_of(which) - 2; e > 0; e >>= 1) { /* Fermat's theorem */
        if (e & 1) result = product(result, x, which);
        x = product(x, x, which);
    }
    return result;
}

static void trim(image *f) {
    while (f->length > 0 && f->c[f->length - 1] == 0) f->length--;
}

static uint64_t residue(const mpz_t c, int which) {
    const uint64_t prime = prime_of(which);
    if (mpz_sgn(c) == 0) return 0;
    if (mpz_sizeinbase(c, 2) >= PRIME_BITS) return mpz_fdiv_ui(c, prime);
    const uint64_t size = mpz_get_ui(c); /* below 2^60 */
    return mpz_sgn(c) > 0 ? size : prime - size;
}

static void set_image(image *g, const integer_poly *f, int which) {
    g->length = f->length;
    for (int k = 0; k < f->length; k++) g->c[k] = residue(f->c[k], which);
    trim(g);
}

/* a := a + factor x^shift b, but for the coefficients of b from `count` on. */
static void image_add(image *a, const image *b, int count, int shift, uint64_t factor, int which) {
    const uint64_t prime = prime_of(which);
    for (int k = 0; k < count; k++) {
        const uint64_t sum = a->c[k + shift] + product(b->c[k], factor, which);
        a->c[k + shift] = sum >= prime ? sum - prime : sum;
    }
}

/* a := the remainder of a divided by b, up to a factor. Where b is not much shorter, a is multiplied by the
 * leading coefficient of b instead: an inverse takes longer than a product for each coefficient. */
static void image_remainder(image *a, const image *b, int which) {
    const uint64_t prime = prime_of(which), lead = b->c[b->length - 1];
    const bool divides = a->length > b->length + 2;
    const uint64_t factor = divides ? inverse(lead, which) : 1;
    while (a->length >= b->length) {
        const uint64_t minus = product(prime - a->c[a->length - 1], factor, which);
        for (int k = 0; k < a->length && !divides; k++) a->c[k] = product(a->c[k], lead, which);
        image_add(a, b, b->length, a->length - b->length, minus, which);
        trim(a);
    }
}

/* The common divisor of two images, up to a factor; changes both. */
static image *image_gcd(image *a, image *b, int which) {
    while (b->length > 1) {
        image_remainder(a, b, which);
        image *spare = a;
        a = b;
        b = spare;
    }
    return b->length == 1 ? b : a;
}

/* Whether it is seen that f and g have no common root. */
static bool seen_coprime(const integer_poly *f, const integer_poly *g) {
    image room[2];
    set_image(&room[0], f, 0);
    set_image(&room[1], g, 0);
    if (room[0].length < f->length && room[1].length < g->length) return false;
    return image_gcd(&room[0], &room[1], 0)->length == 1;
}

/* ---- packed polynomials ---- */

void integer_image_set(integer_image *at, const integer_poly *f, int pack) {
    const uint64_t a = 11, prime = prime_of(0);
    int degree = -1;
    at->length = 0;
    for (int k = 0; k < pack; k++) {
        uint64_t value = 0;
        for (int e = (f->length - 1 - k + pack) / pack * pack + k - pack; e >= 0; e -= pack) {
            if (mpz_sgn(f->c[e]) != 0) degree = k;
            value = product(value, a, 0) + residue(f->c[e], 0);
            if (value >= prime) value -= prime;
        }
        at->c[k] = value;
        if (value != 0) at->length = k + 1;
    }
    at->keeps = at->length == degree + 1;
}

static void set_room(image *room, const integer_image *f) {
    room->length = f->length;
    for (int k = 0; k < f->length; k++) room->c[k] = f->c[k];
}

bool integer_seen_coprime(const integer_image *f, const integer_image *g) {
    image room[2];
    if ((!f->keeps && !g->keeps) || f->length == 0 || g->length == 0) return false;
    set_room(&room[0], f);
    set_room(&room[1], g);
    return image_gcd(&room[0], &room[1], 0)->length == 1;
}

/* slope := f' */
static void set_slope(image *slope, const image *f) {
    slope->length = f->length - 1;
    for (int k = 1; k < f->length; k++) slope->c[k - 1] = product(f->c[k], (uint64_t)k, 0);
    trim(slope);
}

bool integer_seen_simple_in_x(const integer_image *f) {
    image room[2];
    if (!f->keeps || f->length == 0) return false;
    set_room(&room[0], f);
    set_slope(&room[1], &room[0]);
    return image_gcd(&room[0], &room[1], 0)->length == 1;
}

bool integer_seen_simple(const integer_poly *f) {
    image room[2];
    set_image(&room[0], f, 0);
    if (room[0].length < f->length) return false;
    set_slope(&room[1], &room[0]);
    return image_gcd(&room[0], &room[1], 0)->length == 1;
}

/* a := a / b; false, with anything in a, where a remainder is left. [in] over: 1 over b's leading
 * coefficient. */
static bool image_divide(image *a, const image *b, uint64_t over, int which) {
    const uint64_t prime = prime_of(which);
    const int below = b->length - 1;
    for (int k = a->length - b->length; k >= 0; k--) {
        const uint64_t top = product(a->c[k + below], over, which), minus = top == 0 ? 0 : prime - top;
        image_add(a, b, below, k, minus, which);
        a->c[k + below] = top;
    }
    bool exact = a->length >= b->length;
    for (int k = 0; k < below && exact; k++) exact = a->c[k] == 0;
    a->length -= below;
    for (int k = 0; k < a->length && exact; k++) a->c[k] = a->c[k + below];
    return exact;
}

/* How often g, primitive, divides f, at most: modulo a prime, where that mostly is right. */
static int most_times(const integer_poly *f, const integer_poly *g) {
    image rest, by;
    int times = 0;
    set_image(&by, g, 0);
    set_image(&rest, f, 0);
    if (by.length < g->length || rest.length == 0) return (f->length - 1) / (g->length - 1);
    const uint64_t over = inverse(by.c[by.length - 1], 0);
    while (image_divide(&rest, &by, over, 0)) times++;
    return times;
}

bool integer_divide_out(integer_poly *f, const integer_poly *g) {
    integer_poly quotient;
    bool found = false;
    integer_init(&quotient);
    for (int times = most_times(f, g); times > 0 && !found; times--) {
        integer_set(&quotient, f);
        found = true;
        for (int k = 0; k < times && found; k++) {
            found = divide_in_place(&quotient, g);
            if (found) integer_divide_x(&quotient, g->length - 1);
        }
    }
    if (found) integer_set(f, &quotient);
    integer_clear(&quotient);
    return found;
}

/* Joins lead times the monic image to what is known modulo the primes before it, whose product is M. */
static void join(integer_poly *sum, image *f, const mpz_t lead, const mpz_t M, int which) {
    const uint64_t prime = prime_of(which), over = inverse(mpz_fdiv_ui(M, prime), which);
    const uint64_t scale = product(mpz_fdiv_ui(lead, prime), inverse(f->c[f->length - 1], which), which);
    for (int k = 0; k < f->length; k++) {
        const uint64_t wanted = product(f->c[k], scale, which), have = mpz_fdiv_ui(sum->c[k], prime);
        const uint64_t t = product(wanted >= have ? wanted - have : wanted + (prime - have), over, which);
        mpz_addmul_ui(sum->c[k], M, t);
    }
}

/* [in] known: modulo M, each from 0 to M - 1. [out] f: those of the least magnitudes, primitive. */
static void set_least(integer_poly *f, const integer_poly *known, int length, const mpz_t M) {
    mpz_t half;
    mpz_init(half);
    mpz_fdiv_q_2exp(half, M, 1);
    integer_set_si(f, 0);
    integer_reserve(f, length);
    for (int k = 0; k < length; k++) {
        mpz_set(f->c[k], known->c[k]);
        if (mpz_cmp(f->c[k], half) > 0) mpz_sub(f->c[k], f->c[k], M);
    }
    set_length(f, length);
    integer_remove_content(f);
    mpz_clear(half);
}

/* The greatest common divisor of primitive polynomials; false where these primes do not find it. */
static bool modular_gcd(integer_poly *gcd, const integer_poly *f, const integer_poly *g) {
    mpz_t lead, M;
    integer_poly known;
    integer_init(&known);
    mpz_init(lead);
    mpz_init_set_ui(M, 1);
    mpz_gcd(lead, f->c[f->length - 1], g->c[g->length - 1]);
    bool found = false;
    int length = INTEGER_LENGTH_MAX + 1;
    for (int which = 0; which < PRIMES && !found; which++) {
        image room[2];
        if (mpz_divisible_ui_p(lead, prime_of(which))) continue;
        set_image(&room[0], f, which);
        set_image(&room[1], g, which);
        image *common = image_gcd(&room[0], &room[1], which);
        if (common->length > length) continue; /* by chance, of this prime alone */
        if (common->length < length) {
            integer_reserve(&known, common->length);
            for (int k = 0; k < common->length || k < known.length; k++) mpz_set_ui(known.c[k], 0);
            mpz_set_ui(M, 1);
        }
        known.length = length = common->length;
        join(&known, common, lead, M, which);
        mpz_mul_ui(M, M, prime_of(which));
        set_least(gcd, &known, length, M);
        found = length == 1 || (gcd->length == length && integer_divides(gcd, f) && integer_divides(gcd, g));
    }
    if (found && length == 1) integer_set_si(gcd, 1);
    integer_clear(&known);
    mpz_clear(lead);
    mpz_clear(M);
    return found;
}

/* a := the remainder of a divided by b, up to a factor, primitive. */
static void primitive_remainder(integer_poly *a, const integer_poly *b) {
    mpz_t lead;
    mpz_init(lead);
    while (a->length >= b->length) {
        const int shift = a->length - b->length;
        mpz_set(lead, a->c[a->length - 1]);
        for (int k = 0; k < a->length; k++) mpz_mul(a->c[k], a->c[k], b->c[b->length - 1]);
        for (int k = 0; k < b->length; k++) mpz_submul(a->c[k + shift], lead, b->c[k]);
        set_length(a, a->length);
    }
    mpz_clear(lead);
    integer_remove_content(a);
}

/* The same by Euclid's algorithm; changes both. */
static void euclid(integer_poly *gcd, integer_poly *a, integer_poly *b) {
    while (b->length > 1) {
        primitive_remainder(a, b);
        integer_poly *spare = a;
        a = b;
        b = spare;
    }
    if (b->length == 1)
        integer_set_si(gcd, 1);
    else
        integer_set(gcd, a);
}

void integer_gcd(integer_poly *gcd, const integer_poly *f, const integer_poly *g) {
    if (seen_coprime(f, g)) {
        integer_set_si(gcd, 1);
        return;
    }
    integer_poly room[2];
    for (int k = 0; k < 2; k++) {
        integer_init(&room[k]);
        integer_set(&room[k], k == 0 ? f : g);
        integer_remove_content(&room[k]);
    }
    if (!modular_gcd(gcd, &room[0], &room[1])) euclid(gcd, &room[0], &room[1]);
    for (int k = 0; k < 2; k++) integer_clear(&room[k]);
}

/* ---- other variables ---- */

void integer_value(mpz_t value, const integer_poly *f, const mpz_t num, unsigned long shift, int length) {
    mpz_t term;
    mpz_init(term);
    mpz_set_ui(value, 0);
    for (int k = f->length - 1; k >= 0; k--) {
        mpz_mul(value, value, num);
        mpz_mul_2exp(term, f->c[k], shift * (unsigned long)(length - k));
        mpz_add(value, value, term);
    }
    mpz_clear(term);
}

void integer_value_at(mpz_t value, const integer_poly *f, const mpz_t num, const mpz_t den, int length) {
    mpz_t power;
    mpz_init_set_ui(power, 1);
    mpz_set_ui(value, 0);
    for (int k = length; k >= 0; k--) {
        mpz_mul(value, value, num);
        if (k < f->length) mpz_addmul(value, f->c[k], power);
        mpz_mul(power, power, den);
    }
    mpz_clear(power);
}

void integer_move(integer_poly *f, const mpz_t middle, const mpz_t half, unsigned long shift) {
    mpz_t power;
    mpz_init_set_ui(power, 1);
    for (int k = 0; k < f->length; k++)
        mpz_mul_2exp(f->c[k], f->c[k], shift * (unsigned long)(f->length - 1 - k));
    for (int i = 0; i < f->length - 1; i++)
        for (int k = f->length - 2; k >= i; k--) mpz_addmul(f->c[k], f->c[k + 1], middle);
    for (int k = 0; k < f->length; k++) {
        mpz_mul(f->c[k], f->c[k], power);
        mpz_mul(power, power, half);
    }
    mpz_clear(power);
    set_length(f, f->length);
}
