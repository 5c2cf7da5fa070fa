/* analysis/margin.h - quantities of margins, and the parts of their search. */
#pragma once

#include "analysis/analysis.h"
#include "analysis/crew.h"
#include "analysis/variant.h"
#include "costab/margin.h"

/* The two measures that determine a class. */
typedef enum margin_measure { MARGIN_DISCRETE, MARGIN_CONTINUOUS, MARGIN_MEASURES } margin_measure;

/* The quantity of a margin: one number under one coupling. It is the value of a parameter, the factor of a
 * connection's gain, or an additional delay of a connection in macro steps. */
typedef struct margin_quantity {
    analysis_family family;          /* its member `parameter` is unused */
    const analysis_variant *variant; /* borrowed; NULL: margin_quantity_end leaves the parameter unchanged */
    int coupling;                    /* index in the variant */
    costab_margin_kind kind;
    int number; /* index of the parameter in the model, or of the connection in the network */
    double nominal;
    size_t compared;        /* costab_limit.compared of the latest search; 0: none was sampled */
    costab_network network; /* of the model, with the copy of the connections; or of a single subsystem */
    costab_connection *connections; /* copy; one gain or delay in it varies */
    /* Called during searches; returning true ends them with COSTAB_CANCELLED. */
    bool (*stop)(void *context);
    void *stop_context;
    analysis_crew crew; /* workers for searches */
    struct margin_quantity
        *others; /* one per worker: the same quantity with that worker's instance and workspace */
} margin_quantity;

/* Creates workers for a quantity with variant and family, as in analysis_crew_make; free crew and others. */
costab_status margin_quantity_make_crew(margin_quantity *quantity, int threads, costab_error *error);

/* margin_quantity_begin prepares the quantity. margin_quantity_end restores the nominal value of the
 * parameter, and returns `status` or, if that is COSTAB_OK, the status of the restoration. */
costab_status margin_quantity_begin(margin_quantity *quantity, costab_error *error);
costab_status margin_quantity_end(margin_quantity *quantity, costab_status status, costab_error *error);

/* Returns the network and the coupling at a value, valid until the next call. */
costab_status margin_quantity_network(margin_quantity *quantity, double value, const costab_network **network,
                                      costab_coupling *coupling, costab_error *error);

/* Computes the class at a value; COSTAB_INVALID if it is ill-posed there. */
costab_status margin_quantity_class(margin_quantity *quantity, double value, uint8_t *class_code,
                                    costab_error *error);

/* Determines if the model is analysed at single values of the parameter only, as a count or a macro step with
 * micro steps of fixed length or samples. */
costab_status margin_quantity_has_values(margin_quantity *quantity, bool *has, costab_error *error);

/* Finds the single values of a parameter (analysis_values_find), of a count or with sample times only those
 * near the nominal value. values->at is NULL if the whole range is continuous, and for connections. [in,out]
 * range: of the single values; ends far from the nominal value move nearer if there are too many. */
costab_status margin_quantity_values(margin_quantity *quantity, double range[2], analysis_values *values,
                                     costab_error *error);

/* Determines if a parameter can be searched: it has single values (margin_quantity_values), or the network
 * can be analysed right next to the nominal value on one side. Excluded: parameters that change delays in
 * seconds. */
costab_status margin_quantity_is_continuous(margin_quantity *quantity, bool *continuous, costab_error *error);

/* Returns the family over the quantity's number. */
costab_family margin_quantity_family(margin_quantity *quantity);

/* The nearest change on one side. */
typedef struct margin_change {
    bool found, ill_posed;
    bool jumps; /* `value` is the first single value with another class */
    double value;
    margin_measure measure;
    double tried;        /* the last single value that was tried; NaN: of the whole range */
    double undecided[2]; /* NaN: none */
    costab_reason why;   /* reason of `undecided` */
} margin_change;

/* Searches outwards on the side -1 or 1. `code`: the nominal class. */
costab_status margin_find_change(margin_quantity *quantity, int side, uint8_t code, margin_change *change,
                                 costab_error *error);

/* Fills cause, mode and dominant subsystem of a row, unless the network is ill-posed. */
costab_status margin_fill_cause(margin_quantity *quantity, const margin_change *change, costab_margin *row,
                                costab_error *error);

/* Fills the class of a row as well. `code`: the nominal class. */
costab_status margin_fill_change(margin_quantity *quantity, const margin_change *change, uint8_t code,
                                 costab_margin *row, costab_error *error);
