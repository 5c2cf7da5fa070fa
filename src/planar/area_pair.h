/* planar/area_pair.h - numbers as pairs of doubles, in which sums and products are known to 2^-100 (Dekker,
 * 1971; the operations here err by less than 16 2^-106: Joldes, Muller, Popescu, 2017). */
#ifndef PLANAR_AREA_PAIR_H
#define PLANAR_AREA_PAIR_H

/* hi + lo */
typedef struct area_pair {
    double hi, lo;
} area_pair;

static inline area_pair pair_fast_sum(double x, double y) {
    double sum = x + y;
    return (area_pair){sum, y - (sum - x)};
}

static inline area_pair pair_sum_of(double x, double y) {
    double sum = x + y, part = sum - x;
    return (area_pair){sum, (x - (sum - part)) + (y - part)};
}

static inline area_pair pair_add(area_pair x, area_pair y) {
    area_pair high = pair_sum_of(x.hi, y.hi), low = pair_sum_of(x.lo, y.lo);
    high = pair_fast_sum(high.hi, high.lo + low.hi);
    return pair_fast_sum(high.hi, high.lo + low.lo);
}

static inline area_pair pair_negative(area_pair x) {
    return (area_pair){-x.hi, -x.lo};
}

static inline area_pair pair_product_of(double x, double y) {
    const double split = 134217729; /* 2^27 + 1 */
    double xs = split * x, ys = split * y, xh = xs - (xs - x), yh = ys - (ys - y);
    double xl = x - xh, yl = y - yh, product = x * y;
    return (area_pair){product, ((xh * yh - product) + xh * yl + xl * yh) + xl * yl};
}

static inline area_pair pair_multiply(area_pair x, area_pair y) {
    area_pair product = pair_product_of(x.hi, y.hi);
    return pair_fast_sum(product.hi, product.lo + (x.hi * y.lo + x.lo * y.hi));
}

static inline area_pair pair_divide(area_pair x, area_pair y) {
    double first = x.hi / y.hi;
    area_pair rest = pair_add(x, pair_multiply(y, (area_pair){-first, 0}));
    double second = rest.hi / y.hi;
    rest = pair_add(rest, pair_multiply(y, (area_pair){-second, 0}));
    return pair_add(pair_fast_sum(first, second), (area_pair){rest.hi / y.hi, 0});
}

#endif
