/* What the entries of a map's state are, in words. */
#include <stdio.h>

#include "network/work.h"

/* Is i one of `count` rows from `first` on? */
static bool within(int i, int first, int count) {
    return first >= 0 && i >= first && i < first + count;
}

typedef struct label {
    char *text;
    size_t size;
    const char *subsystem;
} label;

static bool put(const label *to, const char *signal, const char *what) {
    (void)snprintf(to->text, to->size, "%s.%s%s", to->subsystem, signal, what);
    return true;
}

/* Former values, and new ones of a step under way, of output o of a subsystem (or of its slope). */
static bool label_signal(const costab_network_work *work, const network_subsystem *sub, int signal, int i,
                         const char *name, const label *to) {
    char what[64];
    const char *mark = signal >= work->outputs ? "'" : "";
    if (work->ahead[signal] == i) {
        (void)snprintf(what, sizeof what, "%s ahead", mark);
        return put(to, name, what);
    }
    if (!within(i, work->history[signal], work->depth[signal])) return false;
    int ago = (i - work->history[signal] + 1) * sub->stride;
    (void)snprintf(what, sizeof what, "%s %d macro step%s ago", mark, ago, ago == 1 ? "" : "s");
    return put(to, name, what);
}

/* What the method carries, or the mean outputs. */
static bool label_extra(const costab_network_work *work, int s, int i, const label *to) {
    const network_subsystem *sub = &work->subs[s];
    const costab_subsystem *subsystem = &work->network->subsystems[s];
    char name[COSTAB_SIGNAL_NAME_MAX];
    int k = i - sub->extra_row;
    if (!within(i, sub->extra_row, sub->extra)) return false;
    if (sub->means)
        return put(to, costab_signal_name(work->network, s, COSTAB_SIGNAL_OUTPUT, k, name), " mean");
    bool acceleration = subsystem->method.kind == COSTAB_GENERALIZED_ALPHA;
    int state = acceleration ? subsystem->velocities[k] : k;
    return put(to, costab_signal_name(work->network, s, COSTAB_SIGNAL_STATE, state, name),
               acceleration ? "' of the method" : " one micro step ago");
}

static bool label_subsystem(const costab_network_work *work, int s, int i, const label *to) {
    const network_subsystem *sub = &work->subs[s];
    char name[COSTAB_SIGNAL_NAME_MAX];
    static const char *const kinds[] = {" held", "' held", " sent"};
    const int firsts[] = {sub->held, sub->bend, sub->sent};
    if (within(i, sub->x, sub->n))
        return put(to, costab_signal_name(work->network, s, COSTAB_SIGNAL_STATE, i - sub->x, name), "");
    for (int k = 0; k < 3; k++)
        if (within(i, firsts[k], sub->m))
            return put(to, costab_signal_name(work->network, s, COSTAB_SIGNAL_INPUT, i - firsts[k], name),
                       kinds[k]);
    for (int o = 0; o < sub->q; o++) {
        const char *output = costab_signal_name(work->network, s, COSTAB_SIGNAL_OUTPUT, o, name);
        for (int signal = sub->y + o; signal < work->signals; signal += work->outputs)
            if (label_signal(work, sub, signal, i, output, to)) return true;
    }
    return label_extra(work, s, i, to);
}

void costab_network_label(const costab_network_work *work, int i, char *text, size_t size) {
    if (size > 0) text[0] = '\0';
    if (i < 0 || i >= work->size) return;
    for (int s = 0; s < work->count; s++) {
        const label to = {text, size, work->network->subsystems[s].name};
        if (label_subsystem(work, s, i, &to)) return;
    }
    (void)snprintf(text, size, "entry %d", i + 1);
}
