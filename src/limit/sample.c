/* Crossing functions and verdicts of one sample (docs/explanation/algorithms.md, Complete limits).
 *
 * 1. The sample stores its crossing functions at the limit; functions beyond the limit are computed on
 *    request.
 * 2. Poles: f1 and f2 are multiplied once by det(I - J) and det(I - D L), f3 n - 1 times (Lemma 3).
 * 3. Verdict: unstable if an eigenvalue is beyond the limit by more than its error bound, stable if all are
 *    inside by more than their bounds, otherwise neutral.
 *
 * Limitation: error bounds are of first order. */
#include "limit/sample.h"

#include <math.h>
#include <string.h>

#include "limit/eigenvalues.h"

/* ---- Functions ---- */

void sample_take_poles(const sample *at, crossing_kind kind, crossing_value values[CROSSING_FUNCTIONS]) {
    int n = at->spectra[SAMPLE_MAP].n;
    for (int p = 0; p < SAMPLE_MAP; p++) {
        if (at->spectra[p].n == 0) continue;
        /* A pole of rank one is simple in det(I - M) and of order n - 1 in the second compound. */
        crossing_value d = at->functions[p][0];
        if (kind == CROSSING_CIRCLE) {
            values[0] = crossing_without_pole(values[0], d, 1);
            values[1] = crossing_without_pole(values[1], d, 1);
            values[2] = crossing_without_pole(values[2], d, n - 1);
        } else if (kind == CROSSING_LINE) {
            values[0] = crossing_without_pole(values[0], d, 1);
            values[1] = crossing_without_pole(values[1], d, n - 1);
        } else {
            values[0] = crossing_without_pole(values[0], d, n);
        }
    }
}

void sample_functions_at(const sample *at, sample_matrix matrix, crossing_kind kind, double beyond,
                         crossing_value values[CROSSING_FUNCTIONS]) {
    if (beyond == 0 && (matrix != SAMPLE_MAP || at->kind == kind))
        memcpy(values, at->functions[matrix], sizeof at->functions[matrix]);
    else
        crossing_values(kind, &at->spectra[matrix], beyond, values);
}

void sample_fill_functions(sample *at) {
    crossing_value *loop = at->functions[SAMPLE_LOOP], *guesses = at->functions[SAMPLE_GUESSES];
    const crossing_spectrum *s = at->spectra;
    if (s[SAMPLE_LOOP].n > 0 && !s[SAMPLE_LOOP].overflow)
        crossing_values(CROSSING_ONE, &s[SAMPLE_LOOP], 0, loop);
    if (s[SAMPLE_GUESSES].n > 0 && !s[SAMPLE_GUESSES].overflow)
        crossing_values(CROSSING_CIRCLE, &s[SAMPLE_GUESSES], 0, guesses);
    bool overflow = s[SAMPLE_MAP].overflow || s[SAMPLE_LOOP].overflow || s[SAMPLE_GUESSES].overflow;
    if (!overflow) crossing_values(at->kind, &s[SAMPLE_MAP], 0, at->functions[SAMPLE_MAP]);
}

/* ---- Verdicts ---- */

bool sample_has_form_of(const sample *at, const sample *other) {
    bool same = at->waits == other->waits;
    for (int s = SAMPLE_GUESSES; s <= SAMPLE_MAP; s++) same = same && at->spectra[s].n == other->spectra[s].n;
    return same;
}

bool sample_is_comparable(const sample *at, const sample *other) {
    bool goes = at->posed && sample_has_form_of(at, other);
    for (int s = 0; s < SAMPLE_SPECTRA; s++)
        goes = goes && at->spectra[s].n == other->spectra[s].n && !at->spectra[s].overflow;
    return goes;
}

sample_matrix sample_furthest(const sample *at) {
    const crossing_spectrum *map = &at->spectra[SAMPLE_MAP], *guesses = &at->spectra[SAMPLE_GUESSES];
    return guesses->n > 0 && !(guesses->furthest <= map->furthest) ? SAMPLE_GUESSES : SAMPLE_MAP;
}

static costab_outcome spectrum_verdict(const crossing_spectrum *s, bool line) {
    bool certain = true;
    if (s->overflow) return COSTAB_OUTCOME_UNSTABLE;
    for (int i = 0; i < s->n; i++) {
        double margin = eigenvalues_beyond(s, line, i);
        if (margin - s->slack[i] > 0) return COSTAB_OUTCOME_UNSTABLE;
        certain = certain && margin + s->slack[i] < 0;
    }
    return certain ? COSTAB_OUTCOME_STABLE : COSTAB_OUTCOME_NEUTRAL;
}

costab_outcome sample_outcome(const sample *at) {
    if (!at->posed) return COSTAB_OUTCOME_ILL_POSED;
    costab_outcome guesses = spectrum_verdict(&at->spectra[SAMPLE_GUESSES], false);
    costab_outcome map = spectrum_verdict(&at->spectra[SAMPLE_MAP], at->kind == CROSSING_LINE);
    if (guesses == COSTAB_OUTCOME_UNSTABLE) return guesses;
    return map == COSTAB_OUTCOME_STABLE ? guesses : map;
}

sample_margin sample_margin_of(const sample *at) {
    sample_matrix matrix = sample_furthest(at);
    const crossing_spectrum *s = &at->spectra[matrix];
    sample_margin found = {(double)NAN, s->backward, 0};
    if (!at->posed) return found;
    found.beyond = s->furthest;
    for (int i = 0; i < s->n && !s->overflow; i++)
        if (eigenvalues_beyond(s, matrix == SAMPLE_MAP && at->kind == CROSSING_LINE, i) == s->furthest)
            found.slack = fmax(found.slack, s->slack[i]);
    return found;
}
