/* area/critical_events.h - kinds of areas (zero, finite, infinite) at one a, and events at critical values of
 * a, at which a kind changes. */
#pragma once

#include "area/exact.h"
#include "area/real_roots.h"
#include "costab/area.h"

/* ---- Kinds ---- */

typedef enum area_kind { AREA_ZERO, AREA_FINITE, AREA_INFINITE } area_kind;

/* The analysed regions: SS, US, and the part of US with Gamma > 0. */
typedef enum critical_region {
    CRITICAL_SS,
    CRITICAL_US,
    CRITICAL_US_RIGHT,
    CRITICAL_REGIONS
} critical_region;

/* Kind of each region's area at one a. */
typedef struct critical_kinds {
    area_kind of[CRITICAL_REGIONS];
} critical_kinds;

/* Events found so far. */
typedef struct critical_events {
    costab_critical *critical; /* borrowed; space for COSTAB_CRITICAL_MAX */
    size_t count;
    costab_search search; /* search attribute of added events */
    bool full;            /* an event did not fit */
} critical_events;

/* The region of an event. */
critical_region critical_region_of(costab_event event);

/* Adds the events of a region whose area changes between two kinds at a. */
void critical_add_change(critical_events *events, double a, critical_region region, area_kind from,
                         area_kind to);

/* Search for all events in a range of a, for one scheme and method. */
typedef struct critical_scan {
    area_system system;
    const area_window *window; /* borrowed; NULL: the whole plane */
    const fmpq *range[2];      /* borrowed: its ends, ascending */
    real_roots roots;          /* numbers a at which a kind may change, and both ends of the range */
    search_watch watch;
    critical_events *events;
} critical_scan;

/* Decides the kinds at one rational a. Returns false if memory is exhausted. */
bool critical_kinds_at(const critical_scan *scan, const fmpq_t a, critical_kinds *kinds);

/* Decides the kinds at a number between roots i and i + 1. [out] a: this number. */
bool critical_kinds_between(const critical_scan *scan, int i, fmpq_t a, critical_kinds *kinds);

/* Returns true if the interval between roots i and i + 1 is in the range. */
bool critical_is_in_range(const critical_scan *scan, int i);

/* Adds the events at root i from the kinds before and after it. Returns false if memory is exhausted. */
bool critical_add_events(critical_scan *scan, int i, const critical_kinds *before,
                         const critical_kinds *after);

/* Adds the events found by sampling and bisection, for many micro steps. [in] scan: its roots are the ends of
 * the range only. Returns false if memory is exhausted or the search is stopped. */
bool critical_add_sampled(critical_scan *scan);
