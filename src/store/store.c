/* A whole plan at once into a results file: a log without a name, until it is one. */
#include "costab/store.h"

#include "costab/checkpoint.h"

costab_status costab_store_write(const char *path, const costab_plan *plan, const costab_store_info *info,
                                 const costab_evaluator *evaluator, int threads, costab_error *error) {
    const costab_checkpoint_key key = {.plan = plan, .info = info};
    const costab_run_options options = {.threads = threads};
    costab_checkpoint *log = NULL;
    costab_sink sink;
    costab_status status = costab_checkpoint_open(path, &key, COSTAB_CHECKPOINT_HIDDEN, &log, error);
    if (!status) status = costab_checkpoint_sink(log, &sink, error);
    if (!status) status = costab_run(plan, evaluator, &sink, &options, error);
    if (!status) status = costab_checkpoint_finish(&log, path, error);
    costab_checkpoint_close(&log, false);
    return status;
}
