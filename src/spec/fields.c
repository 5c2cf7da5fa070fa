/* Lists the fields of a network sweep, in the order of the datasets in results files. Append new rows at the
 * end: the flags of costab/spec.h are row indices (tests/unit/spec.c compares them). */
#include "spec/fields.h"

#include <string.h>

#include "costab/spec.h"
#include "network/batch.h"
#include "spec/spec.h"

static const network_field fields[] = {
    {.name = "class",
     .meaning =
         "stability class: continuous system, then co-simulation (S stable, U unstable, N on the limit, X "
         "not known)",
     .layer = FIELD_CLASS},
    {.name = "spectral_radius",
     .meaning = "spectral radius of the macro step's map",
     .layer = FIELD_POINT,
     .at = offsetof(costab_network_point, spectral_radius),
     .asked = NETWORK_OF_RADIUS},
    {.name = "spectral_abscissa",
     .unit = "1/s",
     .meaning = "spectral abscissa of the monolithic system",
     .layer = FIELD_POINT,
     .at = offsetof(costab_network_point, spectral_abscissa),
     .asked = NETWORK_OF_RADIUS | NETWORK_OF_RATES | NETWORK_OF_MONO},
    {.name = "iteration_radius",
     .meaning = "spectral radius of the iteration over a macro step; nan for couplings that do not iterate",
     .layer = FIELD_POINT,
     .at = offsetof(costab_network_point, iteration_radius),
     .asked = NETWORK_OF_RADIUS},
    {.name = "growth",
     .unit = "1/s",
     .meaning = "growth of the slowest decay by coupling and solvers, in 1/s: the logarithm of the spectral "
                "radius per macro step, less the spectral abscissa",
     .layer = FIELD_POINT,
     .at = offsetof(costab_network_point, growth),
     .asked = NETWORK_OF_RADIUS | NETWORK_OF_RATES | NETWORK_OF_MONO},
    {.name = "decay",
     .unit = "1/s",
     .meaning = "logarithm of the spectral radius per macro step, in 1/s: below 0 where it decays",
     .layer = FIELD_POINT,
     .at = offsetof(costab_network_point, decay),
     .asked = NETWORK_OF_RADIUS | NETWORK_OF_RATES},
    {.name = "error",
     .meaning = "largest difference between a state and the monolithic one, over all micro steps of the run; "
                "inf where it diverges",
     .layer = FIELD_RUN,
     .at = offsetof(costab_measures, error)},
    {.name = "error_bound",
     .meaning = "bound of the error [MS] eq. 30: proportional to the macro step",
     .layer = FIELD_BOUND},
    {.name = "energy_residual",
     .meaning =
         "residual energy of the run: of all power bonds and macro steps, summed; inf where it diverges",
     .layer = FIELD_RUN,
     .at = offsetof(costab_measures, energy_residual)},
    {.name = "spurious_energy",
     .meaning =
         "energy that the coupling makes inside the macro steps of the run, of all power bonds, summed; "
         "inf where it diverges",
     .layer = FIELD_RUN,
     .at = offsetof(costab_measures, energy_made)},
    {.name = "pattern_radius",
     .meaning =
         "upper bound of the growth per step of all sequences of the macro steps H1 and H2; below 1 all "
         "are stable",
     .layer = FIELD_STEPS},
    {.name = "probability",
     .meaning = "probability that the co-simulation is stable, over the uncertain parameters",
     .layer = FIELD_SAMPLES,
     .at = offsetof(network_sampled, probability)},
    {.name = "probability_error",
     .meaning =
         "standard error of the probability, from the scatter of 16 independent sets of samples; at least 1/samples",
     .layer = FIELD_SAMPLES,
     .at = offsetof(network_sampled, probability_error)},
    {.name = "worst_radius",
     .meaning = "largest spectral radius of the samples of the uncertain parameters",
     .layer = FIELD_SAMPLES,
     .at = offsetof(network_sampled, worst_radius)},
    {.name = "best",
     .meaning = "whether the coupling is the best at the point, by the key best",
     .layer = FIELD_BEST},
    {.name = "best_step",
     .unit = "s",
     .meaning = "macro step up to which the coupling is stable; if the key `error` is given, the step of "
                "least cost; nan where the coupling cannot be the best",
     .layer = FIELD_BEST_OF,
     .at = offsetof(network_best, step)},
    {.name = "best_cost",
     .unit = "1/s",
     .meaning =
         "least cost of the coupling in subsystem steps per simulated second, with errors as allowed; nan where "
         "the coupling cannot be the best",
     .layer = FIELD_BEST_OF,
     .at = offsetof(network_best, cost)},
};

enum { COUNT = sizeof fields / sizeof *fields };
_Static_assert((int)COUNT <= (int)NETWORK_FIELDS_MOST, "each field has a place in a point's numbers");

const network_field *network_field_at(int i) {
    return i >= 0 && i < COUNT ? &fields[i] : NULL;
}

int network_field_count(void) {
    return COUNT;
}

const network_field *network_field_find(const char *name) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(fields[i].name, name) == 0) return &fields[i];
    return NULL;
}

const char *costab_network_field_name(int i) {
    return i >= 0 && i < COUNT ? fields[i].name : NULL;
}
