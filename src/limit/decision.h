/* limit/decision.h - decides the cells of a search. */
#pragma once

#include "limit/search.h"

/* A search_decide: gives one verdict, several intervals with verdicts, or new cells. */
costab_status decision_make(search *s, double from, double to, bool first, costab_error *error);
