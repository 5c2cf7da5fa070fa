/* network/pencil.h - single eigenvalues of the continuous system from the model's own numbers.
 *
 * The eigenvalues of A_mono are those of the pencil M - l E of the equations at rest (structure.h). A_mono
 * contains (I - L D)^-1, so that its entries, and its computed eigenvalues, lose digits if a loop of
 * feedthrough is nearly singular or large entries cancel. M has the model's own numbers as entries. */
#pragma once

#include "network/spectrum.h"
#include "network/work.h"

/* After spectrum_reach_of the n eigenvalues of A_mono, or of what remains of it, and with the numbers of the
 * network at hand: replaces each eigenvalue whose side of the axis is open by that of the pencil, and its
 * slack by the pencil's, if it is surely a single one. [in, out] reach: of all. */
costab_status pencil_refine(costab_network_work *work, int n, spectrum_reach *reach, costab_error *error);

void pencil_free(pencil_room *room);
