/* The entries of a map's state in words, from the table of its rows (rows.h): the signal's name, what is
 * remembered of it (held, a slope, a mean, ..), and how many steps ago, such as "plant.y1 2 macro steps ago".
 */
#include <stdio.h>

#include "network/work.h"

static const char *const texts[ROW_KINDS] = {[ROW_STATE] = "",
                                             [ROW_HELD] = " held",
                                             [ROW_HELD_SLOPE] = "' held",
                                             [ROW_PAST] = "",
                                             [ROW_PAST_SLOPE] = "'",
                                             [ROW_BEFORE] = "",
                                             [ROW_BEFORE_SLOPE] = "' of the method",
                                             [ROW_MEAN] = " mean",
                                             [ROW_SENT] = " sent"};

void costab_network_label(const costab_network_work *work, int i, char *text, size_t size) {
    static const costab_signal_kind signals[] = {[ROW_OF_STATE] = COSTAB_SIGNAL_STATE,
                                                 [ROW_OF_INPUT] = COSTAB_SIGNAL_INPUT,
                                                 [ROW_OF_OUTPUT] = COSTAB_SIGNAL_OUTPUT};
    char name[COSTAB_SIGNAL_NAME_MAX], ago[48] = "";
    if (size > 0) text[0] = '\0';
    if (i < 0 || i >= work->size) return;
    const map_row *row = &work->rows[i];
    bool micro = row_port_of(row->kind) == ROW_OF_STATE;
    int steps = micro ? row->back : row->back * work->subs[row->subsystem].stride;
    if (micro && steps == 1)
        (void)snprintf(ago, sizeof ago, " one micro step ago");
    else if (steps > 0)
        (void)snprintf(ago, sizeof ago, " %d %s step%s ago", steps, micro ? "micro" : "macro",
                       steps == 1 ? "" : "s");
    (void)snprintf(
        text, size, "%s.%s%s%s", work->network->subsystems[row->subsystem].name,
        costab_signal_name(work->network, row->subsystem, signals[row_port_of(row->kind)], row->index, name),
        texts[row->kind], ago);
}
