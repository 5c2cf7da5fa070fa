/* planar/critical_events.h - what changes at a critical value, for both ways to find them. */
#ifndef PLANAR_CRITICAL_EVENTS_H
#define PLANAR_CRITICAL_EVENTS_H

#include "costab/area.h"

/* SS, US, and US with Gamma > 0. */
enum { CRITICAL_PARTS = 3 };

typedef enum critical_kind { KIND_NONE, KIND_FINITE, KIND_INFINITE } critical_kind;

typedef struct critical_events {
    costab_critical *critical; /* COSTAB_CRITICAL_MAX places */
    size_t count;
    bool complete, full; /* full: there were more than fit */
} critical_events;

/* Adds the events of a part whose area goes from one kind to another at a. */
void critical_change(critical_events *events, double a, int part, critical_kind from, critical_kind to);

/* By sampling in a and bisection, for many micro steps. */
costab_status critical_sampled(const costab_planar *planar, double low, double high, critical_events *events,
                               costab_error *error);

#endif
