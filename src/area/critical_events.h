/* area/critical_events.h - the kinds of areas (zero, finite, infinite) at one a, and the events at a
 * critical value of a, where a kind changes. */
#pragma once

#include "area/exact.h"
#include "area/real_roots.h"
#include "costab/area.h"

/* ---- Kinds ---- */

typedef enum area_kind { AREA_ZERO, AREA_FINITE, AREA_INFINITE } area_kind;

/* The regions whose areas are looked at: SS, US, and the part of US with Gamma > 0. */
typedef enum critical_region {
    CRITICAL_SS,
    CRITICAL_US,
    CRITICAL_US_RIGHT,
    CRITICAL_REGIONS
} critical_region;

/* The kind of each region's area, at one a. */
typedef struct critical_kinds {
    area_kind of[CRITICAL_REGIONS];
} critical_kinds;

/* The events found so far. */
typedef struct critical_events {
    costab_critical *critical; /* borrowed; room for COSTAB_CRITICAL_MAX */
    size_t count;
    costab_search search; /* how events that are added are found */
    bool full;            /* one more did not fit */
} critical_events;

/* Adds the events of a region whose area goes from one kind to another at a. */
void critical_add_change(critical_events *events, double a, critical_region region, area_kind from,
                         area_kind to);

/* A search for all events in a range of a, of one scheme and method. */
typedef struct critical_scan {
    area_system system;
    const fmpq *range[2]; /* borrowed: its ends, ascending */
    real_roots roots;     /* the numbers a at which a kind may change, and both ends of the range */
    search_watch watch;
    critical_events *events;
} critical_scan;

/* The kinds at one rational a. False where memory is out. */
bool critical_kinds_at(const critical_scan *scan, const fmpq_t a, critical_kinds *kinds);

/* The same at a number between the roots i and i + 1. [out] a: that number. */
bool critical_kinds_between(const critical_scan *scan, int i, fmpq_t a, critical_kinds *kinds);

/* Whether the interval between the roots i and i + 1 lies in the range. */
bool critical_is_in_range(const critical_scan *scan, int i);

/* Adds the events at root i, given the kinds before and after it. False where memory is out. */
bool critical_add_events(critical_scan *scan, int i, const critical_kinds *before,
                         const critical_kinds *after);

/* Adds the events that sampling in a and bisection find, for many micro steps. [in] scan: its roots are the
 * ends of the range alone. False where memory is out or the watch stops it. */
bool critical_add_sampled(critical_scan *scan);
