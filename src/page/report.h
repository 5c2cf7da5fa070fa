/* page/report.h - the parts of the report on a model (costab report), an HTML page with the results of
 * several commands. The parts write JSON, which the page draws. Each part computes its numbers before it
 * writes them, so that it can write one sentence instead if the model is refused (report_refused).
 *
 * "Today": the coupling and macro step that the model has, or that the user requests. "Put": write into the
 * JSON.
 */
#pragma once

#include "analysis/variant.h"
#include "base/json.h"
#include "costab/margin.h"
#include "costab/modes.h"
#include "costab/page.h"
#include "costab/study.h"

typedef struct report {
    const costab_report_options *options;
    analysis_variant variant; /* with today's coupling */
    costab_variant requested; /* the requested variant, with one coupling */
    const char *first;        /* the model's first coupling, if none was requested */
    costab_model_instance *instance;
    costab_network_work *work;
    int parameter;       /* of the macro step; -1: none */
    const char *name;    /* its name; NULL: none */
    const char *refusal; /* the reason if there is no such parameter */
    double step;         /* the nominal macro step */
    double range[2];     /* of macro steps */
    const costab_advise_error *errors;
    int error_count;
    double until;
    costab_network_point point; /* today */
    bool large;                 /* the map has more rows than REPORT_SMALL: less is searched */
    /* Upper end of the stable interval around today's step; if that step is not stable, of the last interval
     * below it; NaN and COSTAB_END_COUNT without such an interval. */
    double limit;
    costab_end limit_is;
    bool single;  /* the macro step takes only separate values, such as multiples of a micro step */
    int dominant; /* subsystem with the largest share at the limit, or of the leading mode; -1: unknown */
    int nearest;  /* the parameter with the nearest margin, except that of the macro step; -1: none */
    double nearest_value;    /* value at which the class changes */
    char *recommended;       /* the recommended coupling; NULL: none */
    double recommended_step; /* its macro step */
    json out;                /* writes into `data` */
    text data;
    size_t done, part_work; /* shares of REPORT_WORK: before the current part, and of this part */
    double begun;           /* time of the start, in seconds of number_seconds */
    bool stopped;           /* options->progress has ended the report: all further parts are late */
    bool cut;               /* a part was late, and its text says this */
    bool late;              /* the time limit of the current part is over */
    bool unfinished;        /* the last comparison of couplings is incomplete */
} report;

/* Unit of progress: thousandths of the total work. */
enum { REPORT_WORK = 1000 };

/* Largest number of rows of a map for which all couplings and margins are searched. */
enum { REPORT_SMALL = 24 };

/* ---- Shared by the parts ---- */

/* Reports the share of the current part that is done. Returns true if the part must end: its time is over, or
 * the report was stopped. report_counts and report_stops do the same as callbacks of searches; context: the
 * report. */
bool report_progress(report *r, double share);
bool report_counts(void *context, size_t done, size_t total);
bool report_stops(void *context);

/* Puts a message; names of the model's files lose their folders, which are private. */
void report_text(report *r, const char *key, const char *words);

/* Puts the reason for a failed part, or that its time was over. Returns an error only if memory is out or the
 * report must end. The object of the part is open. */
costab_status report_refused(report *r, costab_status status, const costab_error *why, costab_error *error);

/* Puts the cause at a limit, its frequency, and the dominant subsystem (-1: unknown) with its share. */
void report_cause(report *r, costab_passes cause, double frequency, int dominant, double share);

/* report_command puts a command that gives the numbers of the part into an open array; report_command_alone
 * puts the array with a single command. The command line is `command`, the model's file, --set,
 * --fmu-accuracy, --coupling and `options` (NULL: none). coupling: a name; "": without --coupling; NULL:
 * today's coupling, unless it is the model's default. After an allocation failure in the options the report
 * fails. */
void report_command(report *r, const char *command, const char *coupling, const text *options);
void report_command_alone(report *r, const char *command, const char *coupling, const text *options);

/* Append " --over H=LO:HI", " --set H=STEP" unless it is today's step, and " --error .. --until T". */
void report_add_over(const report *r, text *t);
void report_add_step(const report *r, text *t, double step);
void report_add_error(const report *r, text *t);

/* Rounds `value` to few digits for a short command: to the nearest number (side 0), or to a number not above
 * it (-1). */
double report_rounded(double value, int digits, int side);

/* Sets another macro step in the instance. */
costab_status report_set(report *r, double step, costab_error *error);
/* Makes the instance again, with the requested parameters. */
costab_status report_reset(report *r, costab_error *error);

/* Puts an object of this key: how far one coupling is stable and accurate, and its cost; or the reason if it
 * has no result. */
costab_status report_coupling(report *r, const char *key, const char *coupling, costab_error *error);

/* Puts the intervals of a limit, with the causes at their ends unless `causes` is NULL. */
void report_intervals(report *r, const costab_piece *pieces, size_t count, const costab_limit_cause *causes);

/* Puts the stand-alone limits of the subsystems' solvers. */
costab_status report_own(report *r, costab_error *error);

/* Returns the network, borrowed from the instance. */
const costab_network *report_network(const report *r);

/* ---- The parts ---- */

costab_status report_head(report *r, costab_error *error);      /* file, version, requested numbers, class */
costab_status report_structure(report *r, costab_error *error); /* subsystems and connections */
costab_status report_limit(report *r, costab_error *error);     /* stable macro steps */
costab_status report_couplings(report *r, costab_error *error); /* largest step and cost of each coupling */
costab_status report_margins(report *r, costab_error *error);   /* nearest changes of class */
costab_status report_uncertainty(report *r, costab_error *error); /* probability of stability */
costab_status report_patterns(report *r, costab_error *error);    /* sequences of different macro steps */
costab_status report_modes(report *r, costab_error *error);       /* eigenvalues and their causes */
costab_status report_histories(report *r, costab_error *error);   /* simulations */
costab_status report_chart(report *r, costab_error *error); /* classes over the macro step and a parameter */
costab_status report_masters(report *r, costab_error *error); /* settings of other co-simulation programs */
costab_status report_files(report *r, costab_error *error);   /* texts of the model's files */
