/* The planar system as a family of matrices (costab_family): from a, Gamma = a + d and Delta = a d - b c to
 * the map, A = [a, 1; bc, d], and for the strong scheme its iteration's matrix J. */
#include <string.h>

#include "costab/proof.h"

static costab_status at(void *context, const double *values, unsigned wanted, costab_family_point *point,
                        costab_error *error) {
    costab_planar_family *system = context;
    const costab_planar *planar = system->planar;
    double numbers[3];
    (void)wanted;
    (void)error;
    memcpy(numbers, system->at, sizeof numbers);
    for (int i = 0; i < system->count; i++) numbers[system->vary[i]] = values[i];
    double a = numbers[0], d = numbers[1] - a, product = a * d - numbers[2];
    /* b = 1, c = bc: only their product matters. */
    double matrix[4] = {a, 1, product, d};
    memcpy(system->continuous, matrix, sizeof matrix);
    costab_planar_map(planar, matrix, system->map);
    *point = (costab_family_point){.turn = 0};
    point->map = (costab_matrix){.size = 2, .entries = system->map};
    point->continuous = (costab_matrix){.size = 2, .entries = system->continuous};
    if (planar->scheme != COSTAB_STRONG) return COSTAB_OK;
    costab_weights one = costab_method_weights(&planar->method, planar->substeps[0], a);
    costab_weights two = costab_method_weights(&planar->method, planar->substeps[1], d);
    double guesses[4] = {0, one.p1, product * two.p1, 0};
    memcpy(system->guesses, guesses, sizeof guesses);
    point->guesses = (costab_matrix){.size = 2, .entries = system->guesses};
    return COSTAB_OK;
}

costab_family costab_planar_family_of(costab_planar_family *system) {
    return (costab_family){.at = at, .context = system};
}
