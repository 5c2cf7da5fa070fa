/* network/by_connection.h - a network in which every connection has an output of its own, and every subsystem
 * a feedthrough, if only of zeros. Its map has the same eigenvalues and further zeros; what the master
 * remembers of an output then serves one connection, and with delayed feedthrough every input is remembered.
 */
#pragma once

#include "costab/network.h"

typedef struct by_connection {
    costab_network network; /* without bonds and sources; it borrows the other network's matrices */
    costab_subsystem *subsystems;
    costab_connection *connections; /* in their order; may be changed */
    double *rows;                   /* of C and D */
    int *of_output;                 /* the connection of each output, subsystem by subsystem */
} by_connection;

costab_status by_connection_create(const costab_network *network, by_connection **split, costab_error *error);
void by_connection_destroy(by_connection **split);
