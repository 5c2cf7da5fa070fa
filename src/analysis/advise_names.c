/* Names of the couplings to be compared.
 * 1. The couplings of the model, by their names.
 * 2. The fixed list (costab_coupling_name), first plain, then -smoothed. Left out: -solved without
 *    feedthrough; -smoothed if nothing is extrapolated, and for spectral extrapolation.
 * 3. gauss-seidel also in all other orders of up to PERMUTED_MOST subsystems; of more, only in the reversed
 *    order.
 * The list may have equal couplings; the comparison drops these (advise_same_coupling). */
#include <string.h>

#include "analysis/advise.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "network/words.h"

enum { PERMUTED_MOST = 4 };

const char *const advise_basic_names[ADVISE_BASIC] = {
    "jacobi",          "jacobi-linear", "jacobi-hermite", "gauss-seidel", "gauss-seidel-linear",
    "iterated-linear", "newton",        "newton-hermite"};

costab_status advise_names_add(advise_names *all, const char *name, costab_error *error) {
    TRY(memory_reserve(&all->names, &all->capacity, all->count + 1, error));
    all->names[all->count] = memory_copy(name);
    return all->names[all->count++] == NULL ? error_memory(error) : COSTAB_OK;
}

/* Adds gauss-seidel-linear in an order: gauss-seidel(b,a)-linear. */
static costab_status add_ordered(advise_names *all, const char *name, const costab_network *network,
                                 const int *order, costab_error *error) {
    const size_t base = strlen("gauss-seidel");
    text_local whole = {0};
    text_append_n(&whole, name, base);
    for (int i = 0; i < network->subsystem_count; i++)
        text_printf(&whole, "%s%s", i == 0 ? "(" : ",", network->subsystems[order[i]].name);
    text_printf(&whole, ")%s", name + base);
    return whole.failed ? error_memory(error) : advise_names_add(all, whole.data, error);
}

static void swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

/* Computes the next permutation in lexical order; returns false after the last one. */
static bool permute(int *order, int count) {
    int i = count - 2, j = count - 1;
    while (i >= 0 && order[i] > order[i + 1]) i--;
    if (i < 0) return false;
    while (order[j] < order[i]) j--;
    swap(&order[i], &order[j]);
    for (int a = i + 1, b = count - 1; a < b; a++, b--) swap(&order[a], &order[b]);
    return true;
}

/* Adds all orders except the listed one (the plain name); for more than PERMUTED_MOST subsystems only the
 * reversed one. */
static costab_status add_orders(advise_names *all, const char *name, const costab_network *network,
                                costab_error *error) {
    int count = network->subsystem_count;
    memory_local_array(int, order, (size_t)count + 1, error);
    for (int i = 0; i < count; i++) order[i] = count > PERMUTED_MOST ? count - 1 - i : i;
    if (count > PERMUTED_MOST) TRY(add_ordered(all, name, network, order, error));
    while (count <= PERMUTED_MOST && permute(order, count))
        TRY(add_ordered(all, name, network, order, error));
    return COSTAB_OK;
}

/* Writes a name of the fixed list, optionally with -smoothed, before -solved. */
static costab_status mark_smoothed(const char *name, bool smoothed, text *marked, costab_error *error) {
    const char *solved = strstr(name, "-solved");
    size_t length = solved != NULL ? (size_t)(solved - name) : strlen(name);
    text_append_n(marked, name, length);
    if (smoothed) text_append(marked, "-smoothed");
    text_append(marked, name + length);
    return marked->failed ? error_memory(error) : COSTAB_OK;
}

bool advise_feeds_through(const costab_network *network) {
    bool feedthrough = false;
    for (int s = 0; s < network->subsystem_count; s++)
        feedthrough = feedthrough || (network->subsystems[s].D != NULL && network->subsystems[s].inputs > 0);
    return feedthrough;
}

/* Adds a coupling of the fixed list if it is meaningful for the network, and its orders. */
static costab_status add_known(advise_names *all, const char *name, bool smoothed,
                               const costab_network *network, costab_error *error) {
    bool feedthrough = advise_feeds_through(network), late = false;
    text_local marked = {0};
    costab_coupling known = {.macro_step = 1};
    for (int c = 0; c < network->connection_count; c++)
        late = late || network->connections[c].delay > 0 || network->connections[c].delay_time > 0;
    TRY(mark_smoothed(name, smoothed, &marked, error));
    TRY(costab_coupling_find(marked.data, &known, error));
    bool extrapolates = known.scheme != COSTAB_ITERATED || late;
    if (!(known.feedthrough == COSTAB_SOLVED && !feedthrough) &&
        !(smoothed && (!extrapolates || known.extrapolation == COSTAB_SPECTRAL))) {
        TRY(advise_names_add(all, marked.data, error));
        if (known.scheme == COSTAB_GAUSS_SEIDEL) TRY(add_orders(all, marked.data, network, error));
    }
    return COSTAB_OK;
}

costab_status advise_names_make(const costab_model *model, const costab_network *network, advise_names *all,
                                costab_error *error) {
    *all = (advise_names){.count = 0};
    for (int c = 0; c < model->coupling_count; c++)
        TRY(advise_names_add(all, model->coupling_names[c], error));
    for (int smoothed = 0; smoothed < 2; smoothed++)
        for (int i = 0; i < costab_coupling_count(); i++)
            TRY(add_known(all, costab_coupling_name(i), smoothed != 0, network, error));
    return COSTAB_OK;
}

void advise_names_free(advise_names *all) {
    for (size_t i = 0; i < all->count; i++) memory_free(all->names[i]);
    memory_free(all->names);
    *all = (advise_names){.count = 0};
}

bool advise_same_coupling(const costab_coupling *a, const costab_coupling *b, int subsystems) {
    costab_coupling one = *a, other = *b;
    one.macro_step = other.macro_step;
    one.micro_steps = other.micro_steps;
    one.order = other.order = NULL;
    if (one.relaxation == 0) one.relaxation = 1;
    if (other.relaxation == 0) other.relaxation = 1;
    if (!coupling_same(&one, &other)) return false;
    for (int i = 0; i < subsystems && a->scheme == COSTAB_GAUSS_SEIDEL; i++)
        if ((a->order ? a->order[i] : i) != (b->order ? b->order[i] : i)) return false;
    return true;
}
