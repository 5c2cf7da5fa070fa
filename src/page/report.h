/* page/report.h - the parts of a report. Each finds its numbers first and then puts them, so that a part that
 * the model does not allow puts one sentence instead (report_refused). */
#pragma once

#include "analysis/variant.h"
#include "base/json.h"
#include "costab/margin.h"
#include "costab/modes.h"
#include "costab/page.h"
#include "costab/study.h"

typedef struct report {
    const costab_report_options *options;
    analysis_variant variant; /* its first coupling is today's */
    costab_variant asked;     /* the same, as it was asked for, of one coupling */
    const char *first;        /* the model's own first coupling, where none was asked for */
    costab_model_instance *instance;
    costab_network_work *work;
    int parameter;       /* of the macro step; -1: none */
    const char *name;    /* its name; NULL: none */
    const char *refusal; /* why there is none */
    double step;         /* the nominal macro step */
    double range[2];
    const costab_advise_error *errors;
    int error_count;
    double until;
    costab_network_point point; /* today */
    bool large;                 /* the map has more rows than REPORT_SMALL: less is searched */
    /* The stable interval that today's step is in, of the first coupling; NaN, and COSTAB_END_COUNT: none. */
    double limit;
    costab_end limit_is;
    bool single;             /* only single macro steps are possible, such as multiples of a micro step */
    int blame;               /* the subsystem with the largest share of what passes there, or leads today */
    int nearest;             /* the parameter with the nearest margin, but the macro step's; -1: none */
    double nearest_value;    /* where the class changes */
    char *recommended;       /* a coupling; NULL: none */
    double recommended_step; /* of it */
    json out;                /* what is put */
    text data;
    size_t done, work_now; /* of REPORT_WORK: before the part at hand, and by it */
    double begun;          /* in seconds of a clock */
    bool stopped;          /* by options->progress: all parts are late */
    bool cut;              /* a part is late and says so */
    bool late;             /* the part at hand has had its time, */
    bool unfinished;       /* and what was compared last is less than all */
} report;

/* What progress counts: shares of the whole in thousandths. */
enum { REPORT_WORK = 1000 };

/* The most rows of a map of which all is searched. */
enum { REPORT_SMALL = 24 };

/* ---- Shared by the parts ---- */

/* Tells progress: this share of the part at hand is done. True: the report is to end. The others have the
 * forms that searches ask for, with the report as context: of counts, and of no share. */
bool report_progress(report *r, double share);
bool report_counts(void *context, size_t done, size_t total);
bool report_stops(void *context);

/* Puts a message, which names the model's files without their folders. */
void report_text(report *r, const char *key, const char *words);

/* A part could not be found: its reason, or that its time was over, unless memory is out or the report is to
 * end, which is returned. The object of the part is open. */
costab_status report_refused(report *r, costab_status status, const costab_error *why, costab_error *error);

/* What passes, how fast, and whose it is. */
void report_cause(report *r, costab_passes cause, double frequency, int blame, double share);

/* One of a part's commands, in an open array; or the only one, as the array. The operands and --set are added
 * to `command`, and --coupling with `coupling` or, where it is NULL, today's if the model's own would be
 * another one. Options whose memory ended make the report fail. */
void report_command(report *r, const char *command, const char *coupling, const text *options);
void report_command_alone(report *r, const char *command, const char *coupling, const text *options);

/* Appends " --over H=LO:HI", " --set H=STEP" where it is not today's, and " --error .. --until T". */
void report_add_over(const report *r, text *t);
void report_add_step(const report *r, text *t, double step);
void report_add_error(const report *r, text *t);

/* `value` with so few digits that its command is short: the nearest number (side 0), or one not above it
 * (-1). */
double report_rounded(double value, int digits, int side);

/* The instance with another macro step, and all as it was. */
costab_status report_set(report *r, double step, costab_error *error);
costab_status report_reset(report *r, costab_error *error);

/* Puts an object of this key: how far one coupling is stable and accurate, and its cost, each found for it
 * alone; or why not. */
costab_status report_coupling(report *r, const char *key, const char *coupling, costab_error *error);

/* Puts the pieces of a limit, with what passes at their ends; causes NULL: without. */
void report_intervals(report *r, const costab_piece *pieces, size_t count, const costab_limit_cause *causes);

/* Puts the own limits of the subsystems. */
costab_status report_own(report *r, costab_error *error);

/* The network, borrowed from the instance. */
const costab_network *report_network(const report *r);

/* ---- The parts, in the order of the page ---- */

costab_status report_head(report *r, costab_error *error);
costab_status report_structure(report *r, costab_error *error);
costab_status report_limit(report *r, costab_error *error);
costab_status report_ladder(report *r, costab_error *error);
costab_status report_margins(report *r, costab_error *error);
costab_status report_uncertainty(report *r, costab_error *error);
costab_status report_patterns(report *r, costab_error *error);
costab_status report_modes(report *r, costab_error *error);
costab_status report_histories(report *r, costab_error *error);
costab_status report_chart(report *r, costab_error *error);
costab_status report_masters(report *r, costab_error *error);
costab_status report_files(report *r, costab_error *error);
