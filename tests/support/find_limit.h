/* A complete limit of a family between two values, as tests ask for it. */
#ifndef TEST_FIND_LIMIT_H
#define TEST_FIND_LIMIT_H

#include "costab/proof.h"
#include "network_model.h"

static inline costab_limit find_limit(const costab_family *family, double lower, double upper) {
    costab_error error = {0};
    costab_limit limit;
    costab_limit_options options = {.lower = lower, .upper = upper};
    check_status(costab_limit_find(family, &options, &limit, &error), &error);
    return limit;
}

#endif
