/* A store: a log without a name, until it is a results file. */
#include "costab/store.h"

#include "base/error.h"
#include "base/memory.h"
#include "store/seal.h"
#include "store/writer.h"

struct costab_store {
    char *path;
    costab_checkpoint *log;
    costab_sink sink;
};

costab_status costab_store_create(const char *path, const costab_plan *plan, const costab_store_info *info,
                                  costab_store **store, costab_error *error) {
    if (!store) return error_missing(error, "room for the store");
    *store = NULL;
    const costab_checkpoint_key key = {.plan = plan, .info = info};
    costab_store *s = memory_alloc(1, sizeof *s);
    if (!s) return error_memory(error);
    costab_status status = costab_checkpoint_open(path, &key, COSTAB_CHECKPOINT_HIDDEN, &s->log, error);
    if (!status && !(s->path = memory_copy(path))) status = error_memory(error);
    if (!status) status = costab_checkpoint_sink(s->log, NULL, &s->sink, error);
    if (status) costab_store_discard(&s);
    *store = s;
    return status;
}

costab_sink costab_store_sink(costab_store *store) {
    return store ? store->sink : checkpoint_sink(NULL);
}

costab_status costab_store_publish(costab_store **store, costab_error *error) {
    costab_store *s = store ? *store : NULL;
    if (!s) return error_missing(error, "a store");
    costab_status status = costab_checkpoint_finish(&s->log, s->path, error);
    costab_store_discard(store);
    return status;
}

void costab_store_discard(costab_store **store) {
    costab_store *s = store ? *store : NULL;
    if (!s) return;
    *store = NULL;
    costab_checkpoint_close(&s->log, false);
    memory_free_all(s->path, s);
}

costab_status costab_checkpoint_finish(costab_checkpoint **checkpoint, const char *path,
                                       costab_error *error) {
    costab_checkpoint *c = checkpoint ? *checkpoint : NULL;
    size_t tiles, points, size = 0;
    if (!c || !path || c->reading) return error_missing(error, "a checkpoint that is written, or a path");
    costab_status status = costab_plan_size(c->plan, &tiles, &points, error);
    if (!status && (c->head.first > 0 || c->head.last < tiles))
        status = error_set(error, COSTAB_INVALID, "'%s' has a part of the tiles only", c->path);
    if (!status) status = checkpoint_is_whole(c, error);
    if (!status) status = store_write_around(c, &size, error);
    const store_summed log = {.from = CHECKPOINT_FRONT, .to = (size_t)c->end, .sum = c->sum};
    if (!status) status = store_seal(c->draft.descriptor, c->path, size, &log, error);
    return status ? status : checkpoint_give_name(checkpoint, path, error);
}
