/* The polynomials are those of a and e = d / UNIT, which have the same roots in a. Both variables are packed
 * into one, a = x^K and e = x, where K is above all degrees in e: packing turns sums and products into the
 * same of polynomials in x, and nothing is lost as long as degrees in e stay below K.
 *
 * Irreducible factors are not needed: polynomials are divided by their contents and multiple factors, and by
 * common divisors until no two that are left have one. A common divisor of two polynomials in a and d packs
 * to one of the packed ones. Of these the greatest is found up to powers of x, since packing sends every
 * polynomial without a constant to one that x divides; that x^m times it stands for a common divisor in a and
 * e is seen where the degrees in e of it and of the quotients add up. Then it is the greatest one. It does
 * not where both vanish at some (x^K, x): for d = 1 and other usual numbers UNIT makes that unlikely. */
#include "planar/projection_quick.h"

#include <math.h>

#include "base/memory.h"
#include "planar/projection_apart.h"

/* UNIT: of d. */
enum { PARTS_MAX = APART_CURVES, UNIT = 7 };

/* A polynomial with positive degree in e, primitive and without multiple factors. */
typedef struct part {
    unsigned from;
    integer_poly packed;
    integer_image image;
} part;

typedef struct projection {
    int pack; /* K */
    int count;
    part parts[PARTS_MAX];
    unsigned from_e; /* the polynomials that e divides: e becomes a part in the end */
    quick_roots *out;
    apart *apart;
} projection;

/* ---- packed polynomials ---- */

static int degree_in_e(const projection *p, const integer_poly *f) {
    int degree = -1;
    for (int e = 0; e < f->length; e++)
        if (mpz_sgn(f->c[e]) != 0 && e % p->pack > degree) degree = e % p->pack;
    return degree;
}

/* The coefficient of e^k, a polynomial in a. [in, out] row: anything. */
static void get_row(const projection *p, const integer_poly *f, int k, integer_poly *row) {
    integer_set_si(row, 0);
    for (int i = (f->length - 1) / p->pack; i >= 0; i--)
        if (i * p->pack + k < f->length) integer_set_coefficient(row, i, f->c[i * p->pack + k]);
}

/* f(x^power) */
static void inflate(integer_poly *f, int power) {
    integer_reserve(f, (f->length - 1) * power + 1);
    for (int k = f->length - 1; k > 0; k--) mpz_swap(f->c[k * power], f->c[k]);
    if (f->length > 0) f->length = (f->length - 1) * power + 1;
}

/* f(unit x) */
static void scale_variable(integer_poly *f, unsigned long unit) {
    for (int k = 1; k < f->length; k++)
        for (int i = 0; i < k; i++) mpz_mul_ui(f->c[k], f->c[k], unit);
}

/* The derivative with respect to e. */
static void slope_in_e(const projection *p, const integer_poly *f, integer_poly *slope) {
    mpz_t c;
    mpz_init(c);
    integer_set_si(slope, 0);
    for (int e = f->length - 1; e > 0; e--) {
        mpz_mul_ui(c, f->c[e], (unsigned long)(e % p->pack));
        if (mpz_sgn(c) != 0) integer_set_coefficient(slope, e - 1, c);
    }
    mpz_clear(c);
}

/* Divides by all powers of x. */
static void strip(integer_poly *f) {
    int zeros = 0;
    while (zeros < f->length && mpz_sgn(f->c[zeros]) == 0) zeros++;
    integer_divide_x(f, zeros);
}

/* quotient := f / g, where g stands for a divisor of f in a and e; false, with anything in it, where it does
 * not. */
static bool divide_packed(const projection *p, integer_poly *quotient, const integer_poly *f,
                          const integer_poly *g) {
    return integer_quotient(quotient, f, g) &&
           degree_in_e(p, g) + degree_in_e(p, quotient) == degree_in_e(p, f);
}

/* The greatest common divisor of two polynomials in a and e, of which the first is primitive and not divided
 * by e. */
static void common_divisor(projection *p, integer_poly *common, const integer_poly *f,
                           const integer_poly *g) {
    integer_poly stripped[2], quotient;
    integer_init(&quotient);
    for (int k = 0; k < 2; k++) {
        integer_init(&stripped[k]);
        integer_set(&stripped[k], k == 0 ? f : g);
        strip(&stripped[k]);
    }
    integer_gcd(common, &stripped[0], &stripped[1]);
    bool found = common->length < 2;
    for (int m = 0; m < p->pack && !found; m++) {
        found = divide_packed(p, &quotient, f, common) && divide_packed(p, &quotient, g, common);
        if (!found && common->length == INTEGER_LENGTH_MAX) break;
        if (!found) integer_times_x(common);
    }
    if (!found) {
        p->out->doubt = true;
        integer_set_si(common, 1);
    }
    for (int k = 0; k < 2; k++) integer_clear(&stripped[k]);
    integer_clear(&quotient);
}

/* ---- parts ---- */

/* Divides f by what is in a alone, which goes out at once. */
static void take_content(projection *p, integer_poly *f) {
    integer_poly content, row, common;
    integer_init(&content);
    integer_init(&row);
    integer_init(&common);
    for (int k = degree_in_e(p, f); k >= 0 && content.length != 1; k--) {
        get_row(p, f, k, &row);
        if (row.length == 0) continue;
        if (content.length > 0) integer_gcd(&common, &row, &content);
        integer_set(&content, content.length > 0 ? &common : &row);
    }
    integer_remove_content(&content);
    if (content.length > 1) {
        quick_roots_add(p->out, &content);
        inflate(&content, p->pack);
        integer_divide(f, &content);
    }
    integer_remove_content(f);
    integer_clear(&content);
    integer_clear(&row);
    integer_clear(&common);
}

/* Makes a part of f, which becomes anything. */
static void append(projection *p, integer_poly *f, unsigned from) {
    if (p->count == PARTS_MAX) {
        p->out->doubt = true;
        return;
    }
    part *next = &p->parts[p->count++];
    next->from = from;
    integer_init(&next->packed);
    integer_swap(&next->packed, f);
    integer_image_set(&next->image, &next->packed, p->pack);
}

/* Takes what f has in common with the parts out of it, and makes parts of it. Changes f and its image. */
static void divide_parts(projection *p, integer_poly *f, integer_image *image, unsigned from) {
    integer_poly common;
    integer_init(&common);
    for (int k = 0; k < p->count && degree_in_e(p, f) > 0 && !p->out->doubt; k++) {
        part *known = &p->parts[k];
        if (integer_seen_coprime(image, &known->image)) continue;
        if (divide_packed(p, &common, f, &known->packed)) {
            known->from |= from;
            integer_swap(f, &common);
        } else {
            common_divisor(p, &common, f, &known->packed);
            if (common.length < 2) continue;
            integer_divide(f, &common);
            integer_divide(&known->packed, &common);
            integer_image_set(&known->image, &known->packed, p->pack);
            append(p, &common, known->from | from);
        }
        integer_image_set(image, f, p->pack);
    }
    if (degree_in_e(p, f) > 0) append(p, f, from);
    integer_clear(&common);
}

/* Divides f by its multiple factors, as often as makes them simple. */
static void make_simple(projection *p, integer_poly *f, integer_image *image) {
    integer_poly slope, multiple;
    if (integer_seen_simple_in_x(image)) return;
    integer_init(&slope);
    integer_init(&multiple);
    slope_in_e(p, f, &slope);
    common_divisor(p, &multiple, f, &slope);
    if (multiple.length > 1) integer_divide(f, &multiple);
    integer_image_set(image, f, p->pack);
    integer_clear(&slope);
    integer_clear(&multiple);
}

static void add_polynomial(projection *p, const integer_poly *packed, unsigned from) {
    if (packed->length == 0 || p->out->doubt) return;
    integer_poly f, row;
    integer_image image;
    integer_init(&f);
    integer_init(&row);
    integer_set(&f, packed);
    take_content(p, &f);
    for (get_row(p, &f, 0, &row); row.length == 0; get_row(p, &f, 0, &row)) { /* e divides it */
        p->from_e |= from;
        integer_divide_x(&f, 1);
    }
    if (degree_in_e(p, &f) > 0) {
        integer_image_set(&image, &f, p->pack);
        make_simple(p, &f, &image);
        divide_parts(p, &f, &image, from);
    }
    integer_clear(&f);
    integer_clear(&row);
}

/* What is stable, for projection_apart.h. */
static void set_stable(projection *p, const quick_bounds *b) {
    apart_form *form = &p->apart->form[APART_CURVES];
    bool fine = apart_form_set(form++, &b->den, p->pack) && apart_form_set(form++, &b->fold, p->pack);
    for (int k = 0; k < b->count; k++)
        fine = fine && apart_form_set(form++, &b->bound[k].x0, p->pack) &&
               apart_form_set(form++, &b->bound[k].x1, p->pack);
    if (!fine || !apart_forms_align(&p->apart->form[APART_CURVES + 2], 2 * b->count)) p->apart->unit = 0;
    p->apart->bounds = fine ? b->count : 0;
}

static void find_parts(projection *p, const quick_side *side, costab_scheme scheme) {
    quick_bounds b;
    quick_side A, E;
    integer_poly other;
    quick_bounds_init(&b, scheme);
    quick_side_init(&A);
    quick_side_init(&E);
    integer_init(&other);
    for (int k = 0; k < QUICK_SIDE; k++) {
        integer_set(&A.of[k], &side->of[k]);
        inflate(&A.of[k], p->pack);
        integer_set(&E.of[k], &side->of[k]);
        scale_variable(&E.of[k], UNIT);
    }
    quick_bounds_set(&b, scheme, &A, &E);
    set_stable(p, &b);
    integer_set_si(&other, 1); /* a + d */
    integer_times_x(&other);
    inflate(&other, p->pack);
    mpz_set_si(other.c[1], UNIT);
    add_polynomial(p, &b.fold, PROJECTION_PHI);
    add_polynomial(p, &b.den, PROJECTION_DEN);
    add_polynomial(p, &other, PROJECTION_GAMMA);
    int meetings = 0;
    for (int i = 0; i < b.count; i++) {
        add_polynomial(p, &b.bound[i].x0, (unsigned)PROJECTION_X0 << i);
        add_polynomial(p, &b.bound[i].x1, (unsigned)PROJECTION_X1 << i);
        for (int j = i + 1; j < b.count; j++) {
            if (i == QUICK_CONTRACTING) continue;
            integer_set_si(&other, 0);
            quick_bounds_meeting(&b, i, j, &other);
            p->apart->meeting_degree[meetings] = degree_in_e(p, &other);
            add_polynomial(p, &other, (unsigned)PROJECTION_MEETING << meetings++);
        }
    }
    integer_set_si(&other, 1);
    integer_times_x(&other);
    if (p->from_e != 0) append(p, &other, p->from_e);
    quick_bounds_clear(&b);
    quick_side_clear(&A);
    quick_side_clear(&E);
    integer_clear(&other);
}

/* ---- projection ---- */

/* projection_sink */
static resultant_outcome add_out(void *context, const resultant_poly *f, const planar_range *range) {
    quick_roots *roots = context;
    integer_poly g;
    /* 0 it cannot be: the parts have no factor in common */
    if (f->length > INTEGER_LENGTH_MAX || f->length == 0) return RESULTANT_TOO_LARGE;
    integer_init(&g);
    for (int k = (int)f->length - 1; k >= 0; k--) integer_set_coefficient(&g, k, f->c[k]);
    if (range != NULL)
        quick_roots_add_between(roots, &g, range);
    else
        quick_roots_add(roots, &g);
    integer_clear(&g);
    return roots->doubt ? RESULTANT_TOO_LARGE : RESULTANT_FOUND;
}

/* Divides a factor's coefficients by what powers of UNIT they have in common: at most this one. */
static void remove_unit(projection_factor *factor, unsigned long common) {
    for (int k = 0; k <= factor->degree && common > 1; k++)
        for (long i = 0; i < factor->coefficient[k].length && common > 1; i++)
            common = mpz_gcd_ui(NULL, factor->coefficient[k].c[i], common);
    for (int k = 0; k <= factor->degree && common > 1; k++)
        for (long i = 0; i < factor->coefficient[k].length; i++)
            mpz_divexact_ui(factor->coefficient[k].c[i], factor->coefficient[k].c[i], common);
}

/* A part, which is primitive, as a polynomial in a and d, primitive, too: all resultants are smaller then. */
static bool set_factor(const projection *p, const part *of, projection_factor *factor) {
    const integer_poly *f = &of->packed;
    unsigned long power = 1;
    *factor = (projection_factor){.from = of->from, .degree = degree_in_e(p, f)};
    factor->coefficient = memory_alloc((size_t)factor->degree + 1, sizeof *factor->coefficient);
    bool fine = factor->coefficient != NULL;
    for (int k = factor->degree; k >= 0 && fine; k--) {
        resultant_poly *to = &factor->coefficient[k];
        const int most = k < f->length ? (f->length - 1 - k) / p->pack + 1 : 0;
        fine = resultant_poly_init(to, (size_t)most);
        for (int i = 0; i < most && fine; i++) {
            mpz_mul_ui(to->c[i], f->c[i * p->pack + k], power);
            if (mpz_sgn(to->c[i]) != 0) to->length = i + 1;
        }
        if (k > 0) power *= UNIT;
    }
    if (fine) remove_unit(factor, power);
    return fine;
}

/* Whether all roots of a factor in d alone are places, as numbers a. */
static bool is_content(const projection *p, const projection_factor *f) {
    const quick_roots *out = p->out;
    integer_poly line;
    bool found = false, alone = true;
    integer_init(&line);
    for (int k = 0; k <= f->degree; k++) {
        alone = alone && f->coefficient[k].length < 2;
        if (f->coefficient[k].length > 0) integer_set_coefficient(&line, k, f->coefficient[k].c[0]);
    }
    for (int k = 0; k < out->factor_count && alone && !found; k++)
        found = out->range[k].low == -HUGE_VAL && out->range[k].high == HUGE_VAL &&
                integer_divides(&line, &out->factor[k]);
    integer_clear(&line);
    return found;
}

/* Finds the curves with isolated points on lines whose numbers are places. */
static void find_isolated(const projection *p, const projection_factor *factors) {
    enum { LARGE = 4 }; /* of degrees from which on a discriminant is large */
    apart *a = p->apart;
    a->isolated_count = 0;
    for (int line = 0; line < p->count; line++) {
        if (!(factors[line].from & PROJECTION_PHI) || !is_content(p, &factors[line])) continue;
        for (int i = line + 1; i < p->count && a->isolated_count < APART_ISOLATED; i++) {
            if (factors[i].degree < LARGE || !projection_matters(factors, i, i)) continue;
            if (isolated_make(&a->isolated[a->isolated_count].at, &factors[i], &factors[line])) {
                a->isolated[a->isolated_count].curve = i;
                a->isolated[a->isolated_count++].line = line;
            }
        }
    }
}

/* Finds where factors may meet. False where memory is out. */
static bool find_meetings(projection *p, projection_factor *factors) {
    apart *a = p->apart;
    bool fine = a->bounds > 0; /* else den and fold, by which boxes are unstable, may not be set */
    for (int i = 0; i < p->count && fine; i++) {
        fine = apart_form_set(&a->form[i], &p->parts[i].packed, p->pack);
        a->from[i] = p->parts[i].from;
        a->wanted[i] = 0;
        for (int j = 0; j < p->count; j++)
            if (projection_matters(factors, i, j)) a->wanted[i] |= UINT32_C(1) << j;
    }
    if (!fine) return true; /* then they may anywhere */
    a->curves = p->count;
    a->low = p->out->low;
    a->high = p->out->high;
    find_isolated(p, factors);
    a->rising = 0;
    for (int i = 0; i < p->count; i++) {
        if (factors[i].coefficient[factors[i].degree].length > 1) a->rising |= UINT32_C(1) << i;
        factors[i].meets = a->range[i];
        factors[i].far = &a->far[i];
    }
    return apart_find(a);
}

static resultant_outcome find_places(projection *p, planar_watch *watch) {
    const projection_sink sink = {add_out, p->out, watch};
    projection_factor factors[PARTS_MAX] = {{.from = 0}};
    int made = 0;
    bool fine = true;
    for (; made < p->count && fine; made++) fine = set_factor(p, &p->parts[made], &factors[made]);
    fine = fine && find_meetings(p, factors);
    resultant_outcome outcome = fine ? projection_pairs(factors, made, &sink) : RESULTANT_MEMORY;
    for (int k = 0; k < made; k++) projection_factor_clear(&factors[k]);
    return outcome;
}

resultant_outcome projection_quick(const quick_side *side, costab_scheme scheme, quick_roots *roots,
                                   apart *plane, planar_watch *watch) {
    plane->curves = plane->bounds = 0;
    plane->unit = UNIT;
    const int most = 2 * (quick_side_length(side) - 1); /* of products of two bounds, in a and in d */
    if (most * (most + 1) + most >= INTEGER_LENGTH_MAX) {
        roots->doubt = true;
        return RESULTANT_FOUND;
    }
    projection *p = memory_resize(NULL, 1, sizeof *p); /* large: what is not used is not set to 0 either */
    resultant_outcome outcome = RESULTANT_MEMORY;
    if (p != NULL) {
        p->apart = plane;
        p->pack = most + 1;
        p->count = 0;
        p->from_e = 0;
        p->out = roots;
        find_parts(p, side, scheme);
        outcome = roots->doubt ? RESULTANT_FOUND : find_places(p, watch);
        for (int k = 0; k < p->count; k++) integer_clear(&p->parts[k].packed);
    }
    memory_free(p);
    return outcome;
}
