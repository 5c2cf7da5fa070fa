/* Common divisors are looked for modulo primes p that do not divide both leading coefficients: the images'
 * one is of the true one's degree at least. So where that is 0 there is none; and a polynomial of its degree,
 * joined from some primes, that does divide both is the greatest. Only a few primes give a degree that is too
 * large, and when the product of the others is above twice the coefficients, these are found. */
#include "method/integer_poly.h"

/* ---- common divisors ---- */

/* A polynomial modulo a prime. */
typedef struct image {
    int length;
    uint64_t c[INTEGER_LENGTH_MAX];
} image;

/* The largest primes, 2^61 - first[k]. */
static const uint64_t first[] = {1,    31,   45,   229,  259,  283,  339,  391,  403,  465,  531,  579,
                                 675,  759,  799,  819,  829,  843,  859,  939,  985,  1015, 1153, 1195,
                                 1215, 1281, 1299, 1351, 1371, 1425, 1489, 1525, 1533, 1543, 1609, 1621,
                                 1669, 1741, 1753, 1813, 1845, 1849, 1855, 1863, 1869, 1909, 1921, 1923};

enum { FIRST = sizeof first / sizeof first[0], PRIME_BITS = 61, MERSENNE = 1 };

static uint64_t prime_of(uint64_t less) {
    return (UINT64_C(1) << PRIME_BITS) - less;
}

__extension__ typedef unsigned __int128 wide;

/* Modulo the prime 2^61 - less: 2^61 is `less`, so what is above is folded down, twice. */
static uint64_t product(uint64_t x, uint64_t y, uint64_t less) {
    const uint64_t mask = (UINT64_C(1) << PRIME_BITS) - 1;
    wide sum = (wide)x * y;
    for (int k = 0; k < 2; k++) sum = (sum & mask) + (sum >> PRIME_BITS) * less;
    const uint64_t value = (uint64_t)sum, prime = prime_of(less);
    return value >= prime ? value - prime : value;
}

static uint64_t power(uint64_t x, uint64_t exponent, uint64_t less) {
    uint64_t result = 1;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = product(result, x, less);
        x = product(x, x, less);
    }
    return result;
}

static uint64_t inverse(uint64_t x, uint64_t less) {
    return x == 1 ? 1 : power(x, prime_of(less) - 2, less); /* Fermat's theorem */
}

/* Whether 2^61 - less is prime: below 2^64 no other number passes Miller and Rabin's test for the first 12
 * primes (Sorenson and Webster, 2017). */
static bool is_prime(uint64_t less) {
    static const uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    const uint64_t minus = prime_of(less) - 1;
    int twos = 0;
    while ((minus >> twos) % 2 == 0) twos++;
    for (size_t k = 0; k < sizeof bases / sizeof bases[0]; k++) {
        uint64_t x = power(bases[k], minus >> twos, less);
        bool passes = x == 1 || x == minus;
        for (int i = 1; i < twos && !passes; i++) {
            x = product(x, x, less);
            passes = x == minus;
        }
        if (!passes) return false;
    }
    return true;
}

/* The prime below 2^61 - less. */
static uint64_t next_prime(uint64_t less) {
    do less += 2;
    while (!is_prime(less));
    return less;
}

static void trim(image *f) {
    while (f->length > 0 && f->c[f->length - 1] == 0) f->length--;
}

static uint64_t residue(const mpz_t c, uint64_t less) {
    const uint64_t prime = prime_of(less);
    if (mpz_sgn(c) == 0) return 0;
    if (mpz_sizeinbase(c, 2) >= PRIME_BITS) return mpz_fdiv_ui(c, prime);
    const uint64_t size = mpz_get_ui(c); /* below 2^60 */
    return mpz_sgn(c) > 0 ? size : prime - size;
}

static void set_image(image *g, const integer_poly *f, uint64_t less) {
    g->length = f->length;
    for (int k = 0; k < f->length; k++) g->c[k] = residue(f->c[k], less);
    trim(g);
}

/* a := a + factor x^shift b, but for the coefficients of b from `count` on. */
static void image_add(image *a, const image *b, int count, int shift, uint64_t factor, uint64_t less) {
    const uint64_t prime = prime_of(less);
    for (int k = 0; k < count; k++) {
        const uint64_t sum = a->c[k + shift] + product(b->c[k], factor, less);
        a->c[k + shift] = sum >= prime ? sum - prime : sum;
    }
}

/* a := the remainder of a divided by b, up to a factor. Where b is not much shorter, a is multiplied by the
 * leading coefficient of b instead: an inverse takes longer than a product for each coefficient. */
static void image_remainder(image *a, const image *b, uint64_t less) {
    const uint64_t prime = prime_of(less), lead = b->c[b->length - 1];
    const bool divides = a->length > b->length + 2;
    const uint64_t factor = divides ? inverse(lead, less) : 1;
    while (a->length >= b->length) {
        const uint64_t minus = product(prime - a->c[a->length - 1], factor, less);
        for (int k = 0; k < a->length && !divides; k++) a->c[k] = product(a->c[k], lead, less);
        image_add(a, b, b->length, a->length - b->length, minus, less);
        trim(a);
    }
}

/* The common divisor of two images, up to a factor; changes both. */
static image *image_gcd(image *a, image *b, uint64_t less) {
    while (b->length > 1) {
        image_remainder(a, b, less);
        image *spare = a;
        a = b;
        b = spare;
    }
    return b->length == 1 ? b : a;
}

/* Whether it is seen that f and g have no common root. */
static bool seen_coprime(const integer_poly *f, const integer_poly *g) {
    image room[2];
    set_image(&room[0], f, MERSENNE);
    set_image(&room[1], g, MERSENNE);
    if (room[0].length < f->length && room[1].length < g->length) return false;
    return image_gcd(&room[0], &room[1], MERSENNE)->length == 1;
}

/* ---- packed polynomials ---- */

void integer_image_set(integer_image *at, const integer_poly *f, int pack) {
    const uint64_t a = 11, prime = prime_of(MERSENNE);
    int degree = -1;
    at->length = 0;
    for (int k = 0; k < pack; k++) {
        uint64_t value = 0;
        for (int e = (f->length - 1 - k + pack) / pack * pack + k - pack; e >= 0; e -= pack) {
            if (mpz_sgn(f->c[e]) != 0) degree = k;
            value = product(value, a, MERSENNE) + residue(f->c[e], MERSENNE);
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
    return image_gcd(&room[0], &room[1], MERSENNE)->length == 1;
}

/* slope := f' */
static void set_slope(image *slope, const image *f) {
    slope->length = f->length - 1;
    for (int k = 1; k < f->length; k++) slope->c[k - 1] = product(f->c[k], (uint64_t)k, MERSENNE);
    trim(slope);
}

bool integer_seen_simple_in_x(const integer_image *f) {
    image room[2];
    if (!f->keeps || f->length == 0) return false;
    set_room(&room[0], f);
    set_slope(&room[1], &room[0]);
    return image_gcd(&room[0], &room[1], MERSENNE)->length == 1;
}

bool integer_seen_simple(const integer_poly *f) {
    image room[2];
    set_image(&room[0], f, MERSENNE);
    if (room[0].length < f->length) return false;
    set_slope(&room[1], &room[0]);
    return image_gcd(&room[0], &room[1], MERSENNE)->length == 1;
}

/* a := a / b; false, with anything in a, where a remainder is left. [in] over: 1 over b's leading
 * coefficient. */
static bool image_divide(image *a, const image *b, uint64_t over, uint64_t less) {
    const uint64_t prime = prime_of(less);
    const int below = b->length - 1;
    for (int k = a->length - b->length; k >= 0; k--) {
        const uint64_t top = product(a->c[k + below], over, less), minus = top == 0 ? 0 : prime - top;
        image_add(a, b, below, k, minus, less);
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
    set_image(&by, g, MERSENNE);
    set_image(&rest, f, MERSENNE);
    if (by.length < g->length || rest.length == 0) return (f->length - 1) / (g->length - 1);
    const uint64_t over = inverse(by.c[by.length - 1], MERSENNE);
    while (image_divide(&rest, &by, over, MERSENNE)) times++;
    return times;
}

bool integer_divide_out(integer_poly *f, const integer_poly *g) {
    integer_poly quotient, next;
    bool found = false;
    integer_init(&quotient);
    integer_init(&next);
    for (int times = most_times(f, g); times > 0 && !found; times--) {
        integer_set(&quotient, f);
        found = true;
        for (int k = 0; k < times && found; k++) {
            found = integer_quotient(&next, &quotient, g);
            integer_swap(&next, &quotient);
        }
    }
    if (found) integer_swap(f, &quotient);
    integer_clear(&quotient);
    integer_clear(&next);
    return found;
}

/* Joins lead times the monic image to what is known modulo the primes before it, whose product is M. */
static void join(integer_poly *sum, image *f, const mpz_t lead, const mpz_t M, uint64_t less) {
    const uint64_t prime = prime_of(less), over = inverse(mpz_fdiv_ui(M, prime), less);
    const uint64_t scale = product(mpz_fdiv_ui(lead, prime), inverse(f->c[f->length - 1], less), less);
    for (int k = 0; k < f->length; k++) {
        const uint64_t wanted = product(f->c[k], scale, less), have = mpz_fdiv_ui(sum->c[k], prime);
        const uint64_t t = product(wanted >= have ? wanted - have : wanted + (prime - have), over, less);
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
    f->length = length;
    while (f->length > 0 && mpz_sgn(f->c[f->length - 1]) == 0) f->length--;
    integer_remove_content(f);
    mpz_clear(half);
}

/* The greatest common divisor of primitive polynomials. */
static void modular_gcd(integer_poly *gcd, const integer_poly *f, const integer_poly *g) {
    mpz_t lead, M;
    integer_poly known;
    integer_init(&known);
    mpz_init(lead);
    mpz_init_set_ui(M, 1);
    mpz_gcd(lead, f->c[f->length - 1], g->c[g->length - 1]);
    bool found = false;
    int length = INTEGER_LENGTH_MAX + 1;
    uint64_t less = 0;
    for (size_t which = 0; !found; which++) { /* few primes divide lead, or are not right for other reasons */
        image room[2];
        less = which < FIRST ? first[which] : next_prime(less);
        if (mpz_divisible_ui_p(lead, prime_of(less))) continue;
        set_image(&room[0], f, less);
        set_image(&room[1], g, less);
        image *common = image_gcd(&room[0], &room[1], less);
        if (common->length > length) continue; /* by chance, of this prime alone */
        if (common->length < length) {
            integer_reserve(&known, common->length);
            for (int k = 0; k < common->length || k < known.length; k++) mpz_set_ui(known.c[k], 0);
            mpz_set_ui(M, 1);
        }
        known.length = length = common->length;
        join(&known, common, lead, M, less);
        mpz_mul_ui(M, M, prime_of(less));
        set_least(gcd, &known, length, M);
        found = length == 1 || (gcd->length == length && integer_divides(gcd, f) && integer_divides(gcd, g));
    }
    if (found && length == 1) integer_set_si(gcd, 1);
    integer_clear(&known);
    mpz_clear(lead);
    mpz_clear(M);
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
    modular_gcd(gcd, &room[0], &room[1]);
    for (int k = 0; k < 2; k++) integer_clear(&room[k]);
}
