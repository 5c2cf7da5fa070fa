/* area/watch.h - progress of a long search in exact arithmetic, and requests to stop it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct search_watch {
    bool (*progress)(void *context, double share); /* may be NULL; returns true to stop the search */
    void *context;
    double from, to; /* fractions of the whole search at the start and end of the current part */
    bool stopped;    /* progress() returned true */
} search_watch;

/* Reports the completed fraction (0 to 1) of the current part. Returns true if the search is stopped. */
static inline bool search_watch_stops(search_watch *watch, double share) {
    if (!watch->stopped && watch->progress != NULL)
        watch->stopped = watch->progress(watch->context, watch->from + share * (watch->to - watch->from));
    return watch->stopped;
}

/* Starts the next part. to: its end as a fraction of the whole search. */
static inline void search_watch_next(search_watch *watch, double to) {
    watch->from = watch->to;
    watch->to = to;
}
