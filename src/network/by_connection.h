/* network/by_connection.h - copy of a network with a separate output for every connection and a feedthrough
 * matrix, possibly zero, in every subsystem.
 *
 * Its map has the same nonzero eigenvalues. A history value of an output then belongs to one connection; with
 * delayed feedthrough every input has a history value. */
#pragma once

#include "costab/network.h"

typedef struct by_connection {
    costab_network network; /* without bonds and sources; it borrows matrices of the original network */
    costab_subsystem *subsystems;
    costab_connection *connections; /* in the original order; may be changed */
    double *rows;                   /* rows of C and D */
    int *of_output;                 /* connection of each output, subsystem by subsystem */
} by_connection;

costab_status by_connection_create(const costab_network *network, by_connection **split, costab_error *error);
void by_connection_destroy(by_connection **split);
