/* network/by_connection.h - copy of a network with a separate output for every connection and a feedthrough
 * matrix, possibly zero, in every subsystem except sampled and discrete-time ones.
 *
 * Its map has the same nonzero eigenvalues. A history value of an output then belongs to one connection; with
 * delayed feedthrough every input has a history value. */
#pragma once

#include "costab/network.h"

typedef struct by_connection {
    costab_network network; /* without bonds and sources; it borrows A, B and names of the original network */
    costab_subsystem *subsystems;
    costab_connection *connections; /* in the original order; may be changed */
    double *rows;                   /* rows of C and D */
    int *of_output;                 /* connection of each output, subsystem by subsystem */
} by_connection;

/* COSTAB_MEMORY. [out] *split: free with by_connection_destroy, also after an error. */
costab_status by_connection_create(const costab_network *network, by_connection **split, costab_error *error);
void by_connection_destroy(by_connection **split);
