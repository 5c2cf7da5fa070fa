/* Evaluations of a search on several threads. They are the tiles of a run (costab_run), which has the
 * threads:
 *   1. Each worker has an instance of the model and a workspace of its own.
 *   2. The places of one call are tiles of one point; an idle worker takes the next one.
 *   3. Each place is evaluated as one thread would do it: results do not depend on the number of threads.
 * Networks of fewer than STATES_LEAST states get no crew: they are evaluated faster than threads are woken.
 */
#include "study/crew.h"

#include <pthread.h>

#include "base/error.h"
#include "base/memory.h"
#include "costab/sweep.h"
#include "spec/model_body.h"

/* Networks of fewer states are evaluated faster than threads are woken; no cell has more new nodes at once.
 */
enum { STATES_LEAST = 32, WORKERS_MOST = 16 };

typedef struct crew_worker {
    study_worker own;
    bool busy;
} crew_worker;

struct study_crew {
    costab_crew crew;
    crew_worker *workers;
    costab_family *families;
    pthread_mutex_t lock;
    bool locked; /* there is a lock */
};

/* What is done with every place of one call. */
typedef struct crew_run {
    study_crew *crew;
    costab_status (*one)(void *of, int worker, int item, costab_error *error);
    void *of;
} crew_run;

static int take(study_crew *crew) {
    int worker = 0;
    (void)pthread_mutex_lock(&crew->lock);
    while (crew->workers[worker].busy) worker++; /* there are as many as threads */
    crew->workers[worker].busy = true;
    (void)pthread_mutex_unlock(&crew->lock);
    return worker;
}

static void give(study_crew *crew, int worker) {
    (void)pthread_mutex_lock(&crew->lock);
    crew->workers[worker].busy = false;
    (void)pthread_mutex_unlock(&crew->lock);
}

static costab_status evaluate(const void *context, const costab_tile *tile, void *const *blocks,
                              costab_error *error) {
    const crew_run *run = context;
    (void)blocks;
    int worker = take(run->crew);
    costab_status status = run->one(run->of, worker, (int)tile->start[0], error);
    give(run->crew, worker);
    return status;
}

static costab_status each(void *context, int count,
                          costab_status (*one)(void *of, int worker, int item, costab_error *error), void *of,
                          costab_error *error) {
    static const costab_sink nothing = {0};
    study_crew *crew = context;
    crew_run run = {crew, one, of};
    costab_plan plan = {.axis_count = 1, .swept = 1, .tile_shape = {1}};
    plan.axes[0] = (costab_axis){.name = "place", .count = (size_t)count};
    costab_evaluator evaluator = {&run, evaluate};
    costab_run_options options = {.threads = crew->crew.size};
    return costab_run(&plan, &evaluator, &nothing, &options, error);
}

static costab_status worker_make(const costab_model_instance *instance, study_worker *own,
                                 costab_error *error) {
    const costab_model *model = model_instance_model(instance);
    costab_status status = model_instance_make(model, &own->instance, error);
    if (!status) status = costab_network_work_create(&own->work, error);
    for (int p = 0; p < model->parameter_count && !status; p++)
        if (!model->parameters[p].derived || model_instance_is_set(instance, p))
            costab_model_instance_set(own->instance, p, costab_model_instance_value(instance, p));
    return status ? status : costab_model_instance_update(own->instance, error);
}

/* Is a network worth threads? */
static bool is_large(const costab_network *network) {
    int states = 0;
    for (int s = 0; s < network->subsystem_count; s++) states += network->subsystems[s].states;
    return states >= STATES_LEAST;
}

static costab_status make(const costab_model_instance *instance, study_crew *crew, costab_error *error) {
    size_t size = (size_t)crew->crew.size;
    crew->workers = memory_alloc(size, sizeof *crew->workers);
    crew->families = memory_alloc(size, sizeof *crew->families);
    if (crew->workers == NULL || crew->families == NULL) return error_memory(error);
    crew->locked = pthread_mutex_init(&crew->lock, NULL) == 0;
    costab_status status = crew->locked ? COSTAB_OK : error_memory(error);
    for (size_t w = 0; w < size && !status; w++) status = worker_make(instance, &crew->workers[w].own, error);
    crew->crew.families = crew->families;
    crew->crew.each = each;
    crew->crew.context = crew;
    return status;
}

costab_status study_crew_create(const costab_model_instance *instance, int threads, study_crew **crew,
                                costab_error *error) {
    int size = costab_run_threads(threads, WORKERS_MOST);
    *crew = NULL;
    if (size < 2 || !is_large(costab_model_instance_network(instance))) return COSTAB_OK;
    *crew = memory_alloc(1, sizeof **crew);
    if (*crew == NULL) return error_memory(error);
    (*crew)->crew.size = size;
    costab_status status = make(instance, *crew, error);
    if (status) study_crew_destroy(crew);
    return status;
}

int study_crew_size(const study_crew *crew) {
    return crew != NULL ? crew->crew.size : 0;
}

study_worker study_crew_worker(const study_crew *crew, int number) {
    return crew->workers[number].own;
}

void study_crew_set(study_crew *crew, int number, costab_family family) {
    crew->families[number] = family;
}

void study_crew_destroy(study_crew **crew) {
    study_crew *c = *crew;
    if (c == NULL) return;
    for (int w = 0; w < c->crew.size && c->workers != NULL; w++) {
        costab_model_instance_destroy(&c->workers[w].own.instance);
        costab_network_work_destroy(&c->workers[w].own.work);
    }
    if (c->locked) (void)pthread_mutex_destroy(&c->lock);
    memory_free_all(c->workers, c->families, c);
    *crew = NULL;
}

const costab_crew *study_crew_of(const study_crew *crew) {
    return crew != NULL ? &crew->crew : NULL;
}
