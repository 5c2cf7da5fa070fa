/* network/pencil.h - accurate single eigenvalues of the continuous system from the model's own numbers.
 *
 * The eigenvalues of A_mono are those of the pencil M - l E of the equations at rest (structure.h). Entries
 * and eigenvalues of A_mono lose digits if I - L D is nearly singular or large entries cancel; the entries of
 * M are the model's numbers themselves. */
#pragma once

#include "network/spectrum.h"
#include "network/work.h"

/* After spectrum_reach_of for the n eigenvalues of A_mono, or of its reduced matrix: recomputes each
 * eigenvalue with an undecided side, and its error bound, from the pencil, if the eigenvalue is provably
 * single. [in, out] reach: excess of all eigenvalues. COSTAB_MEMORY. */
costab_status pencil_refine(costab_network_work *work, int n, spectrum_reach *reach, costab_error *error);

void pencil_free(pencil_space *space);
