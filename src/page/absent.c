/* The functions of costab/page.h in a library without pages (make PAGES=0); each returns an error. */
#include <stddef.h>

#include "base/error.h"
#include "costab/page.h"

static costab_status refuse(costab_error *error) {
    return error_invalid(error, "this costab is built without pages: build it with make PAGES=1");
}

costab_status costab_report(const costab_variant *variant, const costab_report_options *options, char **page,
                            costab_error *error) {
    (void)variant, (void)options;
    *page = NULL;
    return refuse(error);
}

costab_status costab_explore(const costab_results *results, const char *name, char **page,
                             costab_error *error) {
    (void)results, (void)name;
    *page = NULL;
    return refuse(error);
}

costab_status costab_page_write(const char *path, const char *page, bool force, costab_error *error) {
    (void)path, (void)page, (void)force;
    return refuse(error);
}

void costab_page_free(char **page) {
    *page = NULL;
}
