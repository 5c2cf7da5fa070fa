/* study/margin.h - what margins are searched over, and the parts of the search. */
#pragma once

#include "costab/margin.h"
#include "study/crew.h"
#include "study/variant.h"

/* The two measures that decide a class. */
typedef enum margin_measure { MARGIN_DISCRETE, MARGIN_CONTINUOUS, MARGIN_MEASURES } margin_measure;

/* One quantity of one coupling: a number that stands for a parameter, a gain's factor or further delay. */
typedef struct margin_item {
    costab_study_family family;   /* its parameters are not used */
    const study_variant *variant; /* borrowed; NULL: margin_item_end leaves the parameter where it is */
    int coupling;                 /* of the variant */
    costab_margin_kind kind;
    int number; /* of the parameter or connection */
    double nominal;
    costab_network network; /* with connections of its own, where one of them varies; of a subsystem alone */
    costab_connection *connections;
    study_crew crew;            /* workers for searches */
    struct margin_item *others; /* the same quantity for each worker, with its instance and workspace */
} margin_item;

/* Workers for an item that has variant and family, as in study_crew_make: crew and others are to be freed. */
costab_status margin_item_crew(margin_item *item, int threads, costab_error *error);

/* Makes the item ready; end with margin_item_end, which gives the parameter its nominal value again, and
 * returns `status` or, where that is COSTAB_OK, what went wrong then. */
costab_status margin_item_begin(margin_item *item, costab_error *error);
costab_status margin_item_end(margin_item *item, costab_status status, costab_error *error);

/* The network and the coupling at a value; both stay until the next call. */
costab_status margin_item_at(margin_item *item, double value, const costab_network **network,
                             costab_coupling *coupling, costab_error *error);

/* The class at a value; COSTAB_INVALID where it is ill-posed there. */
costab_status margin_item_class(margin_item *item, double value, uint8_t *class_code, costab_error *error);

/* costab_study_values_find of a parameter, of a count some next to its value; at NULL where all of the range
 * makes sense. */
costab_status margin_item_values(margin_item *item, const double range[2], costab_study_values *values,
                                 costab_error *error);

/* Whether a parameter can be searched: not where it is a delay in seconds, or no value beside it can be
 * analysed. */
costab_status margin_item_smooth(margin_item *item, bool *smooth, costab_error *error);

/* The family over the item's number. */
costab_family margin_item_family(margin_item *item);

/* The nearest change on one side. */
typedef struct margin_change {
    bool found, ill_posed;
    bool jumps; /* `value` is the first of single values with another class */
    double value;
    margin_measure measure;
    double undecided[2]; /* NaN: none */
} margin_change;

/* Searches outwards on the side -1 or 1. `code`: the nominal class. */
costab_status margin_search(margin_item *item, int side, uint8_t code, margin_change *change,
                            costab_error *error);

/* Fills cause, mode and blame of a row, where the network is not ill-posed. */
costab_status margin_passing(margin_item *item, const margin_change *change, costab_margin *row,
                             costab_error *error);

/* The same, and the class. `code`: the nominal class. */
costab_status margin_blame(margin_item *item, const margin_change *change, uint8_t code, costab_margin *row,
                           costab_error *error);
