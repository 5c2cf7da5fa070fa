/* exact/watch.h - how far a long search in exact arithmetic has come, and whether it is to end. */
#pragma once

#include <stdbool.h>

typedef struct planar_watch {
    bool (*progress)(void *context, double share); /* NULL: nobody watches; true ends the search */
    void *context;
    double from, to; /* the part of the whole that is at hand */
    bool stopped;    /* it is to end */
} planar_watch;

/* Tells that a share (0 to 1) of the part at hand is done; whether the search is to end. */
static inline bool planar_watch_stops(planar_watch *watch, double share) {
    if (!watch->stopped && watch->progress != NULL)
        watch->stopped = watch->progress(watch->context, watch->from + share * (watch->to - watch->from));
    return watch->stopped;
}

/* Goes on to the next part, which ends at `to` of the whole. */
static inline void planar_watch_next(planar_watch *watch, double to) {
    watch->from = watch->to;
    watch->to = to;
}
