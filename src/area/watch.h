/* area/watch.h - how far a long search in exact arithmetic has come, and whether it is to end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct search_watch {
    bool (*progress)(void *context, double share); /* NULL: nobody watches; true ends the search */
    void *context;
    double from, to; /* the shares of the whole at which the present part of the search begins and ends */
    bool stopped;    /* progress() has said that the search is to end */
} search_watch;

/* Reports that a share (0 to 1) of the present part is done. Returns whether the search is to end. */
static inline bool search_watch_stops(search_watch *watch, double share) {
    if (!watch->stopped && watch->progress != NULL)
        watch->stopped = watch->progress(watch->context, watch->from + share * (watch->to - watch->from));
    return watch->stopped;
}

/* Begins the next part, which ends at the share `to` of the whole. */
static inline void search_watch_next(search_watch *watch, double to) {
    watch->from = watch->to;
    watch->to = to;
}
