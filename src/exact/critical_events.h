/* exact/critical_events.h - the kinds of areas (nothing, finite, infinite) at one a, and the events at a
 * critical value of a, where a kind changes. */
#pragma once

#include "costab/area.h"
#include "exact/area_exact.h"
#include "exact/real_roots.h"

/* The regions whose kinds are watched: SS, US, and the part of US with Gamma > 0. */
enum { CRITICAL_REGIONS = 3 };

typedef enum critical_kind { KIND_NONE, KIND_FINITE, KIND_INFINITE } critical_kind;

typedef struct critical_kinds {
    critical_kind of[CRITICAL_REGIONS];
} critical_kinds;

typedef struct critical_events {
    costab_critical *critical; /* room for COSTAB_CRITICAL_MAX */
    size_t count;
    costab_search search; /* how the events that follow were found */
    bool full;            /* there were more than fit */
} critical_events;

/* Adds the events of a region whose area goes from one kind to another at a. */
void critical_change(critical_events *events, double a, int region, critical_kind from, critical_kind to);

/* A search for all events between two numbers. */
typedef struct critical_scan {
    area_system system;
    fmpq_t range[2];
    real_roots roots; /* where kinds may change, and both ends of the range */
    search_watch watch;
    critical_events *events;
} critical_scan;

/* Adds a number to the roots. */
void critical_add_number(real_roots *roots, const fmpq_t number);

/* The kinds at one rational a. False where memory is out. */
bool critical_kinds_at(const critical_scan *scan, const fmpq_t a, critical_kinds *kinds);

/* The same at a number between the roots i and i + 1. [out] a: that number. */
bool critical_kinds_between(const critical_scan *scan, int i, fmpq_t a, critical_kinds *kinds);

/* Whether what lies between the roots i and i + 1 is in the range. */
bool critical_inside(const critical_scan *scan, int i);

/* Adds the events at root i, with the kinds before and after it. False where memory is out. */
bool critical_add_events(critical_scan *scan, int i, const critical_kinds *before,
                         const critical_kinds *after);

/* By sampling in a and bisection, for many micro steps. [in] scan: with the ends alone. False where memory is
 * out or the watch stops it. */
bool critical_sampled(critical_scan *scan);
