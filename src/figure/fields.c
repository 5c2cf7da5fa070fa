/* The fields of numbers, with their labels, symbols and limits in figures: those of the planar system, then
 * those of networks. Both have the spectral radius, which is the default of both: lists start there, and that
 * of the planar system runs backwards. */
#include "figure/fields.h"

#include <string.h>

static const figure_field fields[] = {
    {.name = "determinant", .label = "determinant of the map", .reference = true},
    {.name = "trace", .label = "trace of the map", .reference = true},
    {.name = "spectral_radius", .label = "spectral radius", .symbol = "ρ", .reference = true, .limit = 1},
    {.name = "spectral_abscissa", .label = "spectral abscissa", .reference = true},
    {.name = "iteration_radius",
     .label = "iteration radius",
     .symbol = "ρ",
     .index = "it",
     .reference = true,
     .limit = 1},
    {.name = "growth", .label = "growth", .reference = true, .decades = true},
    {.name = "decay", .label = "decay", .reference = true},
    {.name = "error", .label = "largest error of a state", .decades = true},
    {.name = "error_bound", .label = "bound of the error", .decades = true},
    {.name = "energy_residual", .label = "residual energy", .reference = true, .decades = true},
    {.name = "spurious_energy", .label = "spurious energy", .reference = true, .decades = true},
    {.name = "pattern_radius",
     .label = "joint spectral radius",
     .symbol = "ρ",
     .index = "J",
     .reference = true,
     .limit = 1},
    {.name = "probability",
     .label = "probability of stability",
     .symbol = "P",
     .reference = true,
     .limit = 0.5,
     .rising = true},
    {.name = "probability_error", .label = "standard error of the probability"},
    {.name = "worst_radius",
     .label = "largest sampled spectral radius",
     .symbol = "ρ",
     .index = "max",
     .reference = true,
     .limit = 1},
    {.name = "best_step", .label = "longest macro step", .decades = true},
    {.name = "best_cost", .label = "cost in subsystem steps per simulated second", .decades = true},
};
enum { COUNT = sizeof fields / sizeof *fields, PLANAR = 3, FIRST_OF_NETWORKS = 2 };

const figure_field *figure_field_find(const char *name) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(fields[i].name, name) == 0) return &fields[i];
    return NULL;
}

const figure_field *figure_field_at(bool planar, int i) {
    if (i < 0 || i >= (planar ? (int)PLANAR : COUNT - FIRST_OF_NETWORKS)) return NULL;
    return planar ? &fields[PLANAR - 1 - i] : &fields[FIRST_OF_NETWORKS + i];
}
