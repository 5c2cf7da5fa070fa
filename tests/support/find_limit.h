/* A complete limit of a family between two values, as tests ask for it, and one of its pieces. */
#pragma once

#include <math.h>

#include "costab/limit.h"
#include "limit/limit.h"
#include "network_model.h"

static inline costab_limit find_limit(const costab_family *family, double lower, double upper) {
    costab_limit limit;
    costab_limit_options options = {.lower = lower, .upper = upper};
    check_ok(limit_find(family, &options, &limit, &why));
    return limit;
}

static inline void check_piece(const costab_limit *limit, size_t i, double from, double to,
                               costab_end from_is, costab_end to_is, int code) {
    assert_true(i < limit->count);
    const costab_piece *p = &limit->pieces[i];
    check_near(p->from, from, 1e-12L * (real)fmax(fabs(from), 1e-3), "from of piece %zu", i);
    check_near(p->to, to, 1e-12L * (real)fmax(fabs(to), 1e-3), "to of piece %zu", i);
    assert_int_equal(p->from_is, from_is);
    assert_int_equal(p->to_is, to_is);
    assert_int_equal(p->class_code, code);
}
