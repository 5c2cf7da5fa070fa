/* analysis/margin.h - what margins are searched over, and the parts of the search. */
#pragma once

#include "analysis/crew.h"
#include "analysis/variant.h"
#include "costab/margin.h"

/* The two measures that decide a class. */
typedef enum margin_measure { MARGIN_DISCRETE, MARGIN_CONTINUOUS, MARGIN_MEASURES } margin_measure;

/* What a margin is of: one number that varies, under one coupling. It is the value of a parameter, the factor
 * of a connection's gain, or the macro steps by which a connection's delay is longer. */
typedef struct margin_quantity {
    costab_study_family family;   /* its parameters are not used */
    const study_variant *variant; /* borrowed; NULL: margin_quantity_end leaves the parameter where it is */
    int coupling;                 /* of the variant */
    costab_margin_kind kind;
    int number; /* of the parameter in the model, or of the connection in the network */
    double nominal;
    costab_network network; /* with connections of its own, where one of them varies; of a subsystem alone */
    costab_connection *connections;
    study_crew crew;                /* workers for searches */
    struct margin_quantity *others; /* one per worker: the same, with that worker's instance and workspace */
} margin_quantity;

/* Workers for a quantity that has variant and family, as in study_crew_make: crew and others are to be freed.
 */
costab_status margin_quantity_make_crew(margin_quantity *quantity, int threads, costab_error *error);

/* Makes the quantity ready; end with margin_quantity_end, which gives the parameter its nominal value again,
 * and returns `status` or, where that is COSTAB_OK, what went wrong then. */
costab_status margin_quantity_begin(margin_quantity *quantity, costab_error *error);
costab_status margin_quantity_end(margin_quantity *quantity, costab_status status, costab_error *error);

/* The network and the coupling at a value; both stay until the next call. */
costab_status margin_quantity_network(margin_quantity *quantity, double value, const costab_network **network,
                                      costab_coupling *coupling, costab_error *error);

/* The class at a value; COSTAB_INVALID where it is ill-posed there. */
costab_status margin_quantity_class(margin_quantity *quantity, double value, uint8_t *class_code,
                                    costab_error *error);

/* costab_study_values_find of a parameter, of a count some next to its value; at NULL where all of the range
 * makes sense. */
costab_status margin_quantity_values(margin_quantity *quantity, const double range[2],
                                     costab_study_values *values, costab_error *error);

/* Whether a parameter can be searched: not where it is a delay in seconds, or no value beside it can be
 * analysed. */
costab_status margin_quantity_is_continuous(margin_quantity *quantity, bool *continuous, costab_error *error);

/* The family over the quantity's number. */
costab_family margin_quantity_family(margin_quantity *quantity);

/* The nearest change on one side. */
typedef struct margin_change {
    bool found, ill_posed;
    bool jumps; /* `value` is the first of single values with another class */
    double value;
    margin_measure measure;
    double undecided[2]; /* NaN: none */
    costab_reason why;   /* of undecided */
} margin_change;

/* Searches outwards on the side -1 or 1. `code`: the nominal class. */
costab_status margin_find_change(margin_quantity *quantity, int side, uint8_t code, margin_change *change,
                                 costab_error *error);

/* Fills cause, mode and blame of a row, where the network is not ill-posed. */
costab_status margin_fill_cause(margin_quantity *quantity, const margin_change *change, costab_margin *row,
                                costab_error *error);

/* The same, and the class. `code`: the nominal class. */
costab_status margin_fill_change(margin_quantity *quantity, const margin_change *change, uint8_t code,
                                 costab_margin *row, costab_error *error);
