#include "oscillators.h"

#include <math.h>
#include <string.h>

costab_status on_oscillators(void *context, double value, unsigned wanted, costab_family_point *point,
                             costab_error *error) {
    static double map[4 * OSCILLATORS_MAX * OSCILLATORS_MAX], continuous = -1;
    const oscillators *o = context;
    int size = 2 * o->count;
    double H = value, island = o->depth * ((H - o->at) * (H - o->at) - o->half * o->half);
    (void)wanted;
    (void)error;
    memset(map, 0, sizeof map);
    for (int k = 0; k < o->count; k++) {
        double rate = k == 0 && o->depth != 0 ? island : o->rate[k] + o->slope[k] * H;
        double modulus = exp(-rate * H), turn = (1 + o->stiffer * k) * H, *at = map + 2 * k * (size + 1);
        at[0] = at[size + 1] = modulus * cos(turn);
        at[1] = modulus * sin(turn);
        at[size] = -at[1];
    }
    *point = (costab_family_point){.map = {.size = size, .entries = map, .noise = o->noise},
                                   .continuous = {.size = 1, .entries = &continuous}};
    return COSTAB_OK;
}
