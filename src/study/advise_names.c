/* Names of couplings to be compared. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "study/advise.h"

enum { PERMUTED_MOST = 4 };

static costab_status add(advise_names *all, const char *name, costab_error *error) {
    char **grown = memory_grow(all->names, &all->capacity, all->count + 1, sizeof *all->names);
    if (grown == NULL) return error_memory(error);
    all->names = grown;
    all->names[all->count] = memory_copy(name);
    return all->names[all->count++] == NULL ? error_memory(error) : COSTAB_OK;
}

/* gauss-seidel-linear in an order: gauss-seidel(b,a)-linear. */
static costab_status add_ordered(advise_names *all, const char *name, const costab_network *network,
                                 const int *order, costab_error *error) {
    const size_t base = strlen("gauss-seidel");
    text whole = {0};
    text_append_n(&whole, name, base);
    for (int i = 0; i < network->subsystem_count; i++)
        text_printf(&whole, "%s%s", i == 0 ? "(" : ",", network->subsystems[order[i]].name);
    text_printf(&whole, ")%s", name + base);
    costab_status status = whole.failed ? error_memory(error) : add(all, whole.data, error);
    text_free(&whole);
    return status;
}

/* The next permutation in lexical order; false behind the last. */
static bool permute(int *order, int count) {
    int i = count - 2, j = count - 1;
    while (i >= 0 && order[i] > order[i + 1]) i--;
    if (i < 0) return false;
    while (order[j] < order[i]) j--;
    for (int k = order[i];; k = order[i]) {
        order[i] = order[j];
        order[j] = k;
        break;
    }
    for (int a = i + 1, b = count - 1; a < b; a++, b--) {
        int kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    return true;
}

/* All orders but the one as listed, which the plain name stands for; of many subsystems the reversed one. */
static costab_status add_orders(advise_names *all, const char *name, const costab_network *network,
                                costab_error *error) {
    int count = network->subsystem_count;
    costab_status status = COSTAB_OK;
    int *order = memory_alloc((size_t)count + 1, sizeof *order);
    if (order == NULL) return error_memory(error);
    for (int i = 0; i < count; i++) order[i] = count > PERMUTED_MOST ? count - 1 - i : i;
    if (count > PERMUTED_MOST) status = add_ordered(all, name, network, order, error);
    while (count <= PERMUTED_MOST && !status && permute(order, count))
        status = add_ordered(all, name, network, order, error);
    memory_free(order);
    return status;
}

costab_status advise_names_make(const costab_model *model, const costab_network *network, advise_names *all,
                                costab_error *error) {
    costab_status status = COSTAB_OK;
    bool feedthrough = false;
    *all = (advise_names){.count = 0};
    for (int s = 0; s < network->subsystem_count; s++)
        feedthrough = feedthrough || (network->subsystems[s].D != NULL && network->subsystems[s].inputs > 0);
    for (int c = 0; c < model->coupling_count && !status; c++)
        status = add(all, model->coupling_names[c], error);
    for (int i = 0; i < costab_coupling_count() && !status; i++) {
        const char *name = costab_coupling_name(i);
        costab_coupling known = {.macro_step = 1};
        status = costab_coupling_find(name, &known, error);
        if (status || (known.feedthrough == COSTAB_SOLVED && !feedthrough)) continue;
        status = add(all, name, error);
        if (!status && known.scheme == COSTAB_GAUSS_SEIDEL) status = add_orders(all, name, network, error);
    }
    return status;
}

void advise_names_free(advise_names *all) {
    for (size_t i = 0; i < all->count; i++) memory_free(all->names[i]);
    memory_free(all->names);
    *all = (advise_names){.count = 0};
}

bool advise_same(const costab_coupling *a, const costab_coupling *b, int subsystems) {
    if (a->scheme != b->scheme || a->interpolation != b->interpolation ||
        a->extrapolation != b->extrapolation || a->feedthrough != b->feedthrough ||
        a->iterations != b->iterations || a->smoothed != b->smoothed || a->predictor != b->predictor)
        return false;
    double one = a->relaxation > 0 ? a->relaxation : 1, other = b->relaxation > 0 ? b->relaxation : 1;
    if (one != other || a->area_correction != b->area_correction) return false;
    for (int i = 0; i < subsystems && a->scheme == COSTAB_GAUSS_SEIDEL; i++)
        if ((a->order ? a->order[i] : i) != (b->order ? b->order[i] : i)) return false;
    return true;
}
