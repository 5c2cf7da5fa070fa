/* costab/page.h - pages for a browser: one HTML file each, usable offline.
 *
 *     costab_variant variant = {.model = spec->model};
 *     costab_report_options options = {.spec = spec};
 *     char *page;
 *     costab_report(&variant, &options, &page, &error);
 *     ... write it to report.html ...
 *     costab_page_free(&page); */
#ifndef COSTAB_PAGE_H
#define COSTAB_PAGE_H

#include "costab/advise.h"
#include "costab/spec.h"
#include "costab/store.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct costab_report_options {
    const costab_spec *spec; /* the file of variant->model: title, name and text */
    const char *parameter;   /* parameter of the macro step; NULL: the first one that equals the macro
                              step, also at twice its value */
    double lower, upper;     /* its range; both 0: from 1/20 of its value to 400 times it (20 times if the map
                                has more than 24 rows) */
    const costab_advise_error *errors;
    int error_count; /* 0: 1 % of every state's largest value */
    double until; /* end time of errors and histories; 0: that of the model's history, otherwise three of its
                     slowest time constants, between 20 and 2000 macro steps */
    int threads;  /* as costab_run_options says */
    /* Each part has a share of this time; the page marks parts that need more. 0: no limit. */
    double seconds;
    const char *fmu_accuracy; /* value of --fmu-accuracy in printed commands; NULL: without */
    bool tune; /* compare jacobi with weights tuned to the model, too (costab_advise_options) */
    /* Called often with the finished share; returning true ends the work, and the page marks the missing
     * parts. May be NULL. */
    bool (*progress)(void *context, size_t done, size_t total);
    void *progress_context;
} costab_report_options;

/* Makes the report of a model under the variant's first coupling (couplings NULL: the model's own first): its
 * class and limits, all couplings compared (costab_advise), margins, modes, histories, a chart, settings for
 * a master, and the commands that print these numbers. If the map has more than 24 rows, only the basic
 * couplings are compared, and margins are those of parameters only. If the model does not allow a part, the
 * page gives the reason there. Equal calls without `seconds` give equal bytes; the page contains a date only
 * if the environment has SOURCE_DATE_EPOCH. [out] *page: free with costab_page_free. COSTAB_INVALID if the
 * nominal model cannot be analysed, the parameter is unknown or not the macro step, the library was built
 * without pages, or the range is empty or not positive; also errors of costab_network_analyse.
 * COSTAB_CANCELLED with a page: parts are missing because the time was over or `progress` returned true. */
COSTAB_API costab_status costab_report(const costab_variant *variant, const costab_report_options *options,
                                       char **page, costab_error *error);
COSTAB_API void costab_page_free(char **page);

/* Writes a page as a file, complete or not at all. COSTAB_INVALID if `path` is an existing file that costab
 * did not write, unless `force`; COSTAB_IO if it cannot be written. */
COSTAB_API costab_status costab_page_write(const char *path, const char *page, bool force,
                                           costab_error *error);

/* ---- An interactive chart ---- */

/* Makes the page of a results file, with its stored grid. Planar charts are computed in the page, for any a,
 * method and number of micro steps. name: the displayed file name of the results. [out] *page: the HTML
 * file's bytes, NUL-terminated; free with costab_page_free. Equal results give equal bytes. If the
 * stored spec cannot be parsed, the page lacks the labels of the model and the computed chart. COSTAB_INVALID
 * if the results have no field over an axis with several values. */
COSTAB_API costab_status costab_explore(const costab_results *results, const char *name, char **page,
                                        costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
