/* limit/decision.h - what becomes of a cell of a search. */
#pragma once

#include "limit/search.h"

/* A search_decide: one verdict, several intervals with theirs, or new cells. */
costab_status decision_make(search *s, double from, double to, bool first, costab_error *error);
