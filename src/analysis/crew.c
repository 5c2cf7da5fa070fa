/* Evaluates a search on several threads, as tiles of a run (costab_run):
 * 1. Each thread has its own instance of the model and workspace.
 * 2. The values of one call are tiles of one point; an idle thread takes the next one.
 * 3. Each value is evaluated as in a single thread, so results are independent of the number of threads.
 * Networks with fewer than STATES_LEAST states get no crew: waking threads would take longer. */
#include "analysis/crew.h"

#include "base/error.h"
#include "base/memory.h"
#include "costab/sweep.h"
#include "model/body.h"
#include "model/instance.h"
#include "sweep/run.h"

/* Least number of states for threads; largest number of threads, as cells have few new nodes at once. */
enum { STATES_LEAST = 32, WORKERS_MOST = 16 };

/* The function applied to every value of one call. */
typedef struct crew_run {
    costab_status (*one)(void *of, int worker, int item, costab_error *error);
    void *of;
} crew_run;

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const crew_run *run = context;
    (void)blocks;
    return run->one(run->of, tile->worker, (int)tile->start[0], error);
}

static costab_status each(void *context, int count,
                          costab_status (*one)(void *of, int worker, int item, costab_error *error), void *of,
                          costab_error *error) {
    static const costab_sink nothing = {0};
    const costab_crew *crew = context;
    crew_run run = {one, of};
    costab_plan plan = {.axis_count = 1, .swept = 1, .tile_shape = {1}};
    plan.axes[0] = (costab_axis){.name = "place", .count = (size_t)count};
    costab_evaluator evaluator = {&run, evaluate};
    costab_run_options options = {.threads = crew->size};
    return costab_run(&plan, &evaluator, &nothing, &options, error);
}

static costab_status worker_make(const costab_model_instance *instance, analysis_worker *own,
                                 costab_error *error) {
    const costab_model *model = model_instance_model(instance);
    TRY(model_instance_make(model, &own->instance, error));
    TRY(costab_network_work_create(&own->work, error));
    for (int p = 0; p < model->parameter_count; p++)
        if (!model->parameters[p].derived || model_instance_is_set(instance, p))
            costab_model_instance_set(own->instance, p, costab_model_instance_value(instance, p));
    TRY(costab_model_instance_update(own->instance, error));
    costab_model_instance_anchor(own->instance);
    return COSTAB_OK;
}

/* Returns true if a network is large enough for threads. */
static bool is_large(const costab_network *network) {
    int states = 0;
    for (int s = 0; s < network->subsystem_count; s++) states += network->subsystems[s].states;
    return states >= STATES_LEAST;
}

costab_status analysis_crew_make(const costab_model_instance *instance, int threads, analysis_crew *crew,
                                 costab_error *error) {
    int size = costab_run_threads(threads, WORKERS_MOST);
    *crew = (analysis_crew){.workers = NULL};
    if (size < 2 || !is_large(costab_model_instance_network(instance))) return COSTAB_OK;
    TRY(memory_make(&crew->workers, (size_t)size, error));
    TRY(memory_make(&crew->families, (size_t)size, error));
    crew->of = (costab_crew){.size = size, .families = crew->families, .each = each, .context = &crew->of};
    for (int w = 0; w < size; w++) TRY(worker_make(instance, &crew->workers[w], error));
    return COSTAB_OK;
}

void analysis_crew_free(analysis_crew *crew) {
    for (int w = 0; w < crew->of.size; w++) {
        costab_model_instance_destroy(&crew->workers[w].instance);
        costab_network_work_destroy(&crew->workers[w].work);
    }
    memory_free_all(crew->workers, crew->families);
}
