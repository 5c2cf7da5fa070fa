/* Ticks and their numbers: as many as fit on paper.
 *   1. Equal steps of 1, 2 or 5 times a power of ten, the least for which numbers keep GAP apart; minor
 *      ticks divide them.
 *   2. Logarithmic axes: the powers of ten that there is room for; where they are few also 2 and 5 times
 *      these, or 3.
 *   3. What DIGITS digits do not tell apart gets an offset at the axis, and large or small numbers a power
 *      of ten.
 * Widths are those of the font's metrics (rich.c), so that all machines draw the same. */
#include "figure/ticks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "figure/rich.h"

#define GAP     0.25 /* cm, between numbers side by side */
#define HEIGHT  0.6  /* cm, from one number to the next above it, at least */
#define LEAST   0.85 /* cm, from tick to tick side by side */
#define DIGITS  6    /* that tell numbers apart */
#define CLOSEST 0.55 /* of both, where there would be a single number */

static double round_up(double least, const double *steps, int count) {
    double decade = pow(10, floor(log10(least)));
    for (int i = 0; i < count; i++)
        if (decade * steps[i] >= least * (1 - 1e-9)) return decade * steps[i];
    return 10 * decade;
}

double ticks_round_up(double least) {
    static const double steps[] = {1, 2, 5};
    return round_up(least, steps, 3);
}

double ticks_step(const double *range, double length, double room) {
    return ticks_round_up((range[1] - range[0]) / fmax(1, length / room));
}

/* A tick, whose number is `shown`; NaN: it has none. */
static void add(ticks *t, double value, bool minor, double shown, bool plain) {
    if (t->count == TICKS_MAX) return;
    tick *added = &t->of[t->count++];
    *added = (tick){.value = value, .minor = minor};
    if (isnan(shown)) return;
    if (plain)
        snprintf(added->number, sizeof added->number, "%s%.10g", rich_sign(shown), fabs(shown));
    else
        rich_number(shown, added->number);
    t->widest = fmax(t->widest, rich_width(added->number));
}

/* How far the numbers at the ends reach out of the axis. */
static void measure_ends(const scene_axis *axis, const double *range, double length, ticks *t) {
    double scale = length / (range[1] - range[0]);
    t->first = t->last = 0;
    for (int i = 0; i < t->count; i++) {
        double place = axis->log ? log10(t->of[i].value) : t->of[i].value,
               half = 0.5 * rich_width(t->of[i].number);
        t->first = fmax(t->first, half - scale * (place - range[0]));
        t->last = fmax(t->last, half - scale * (range[1] - place));
    }
}

/* ---- Equal steps */

/* Numbers of more than five digits before the point, or of zeros behind it, have their power of ten at the
 * axis; plain ones of more than seven, or of four zeros. */
static int power_of(double largest, bool plain) {
    if (!(largest > 0) || (largest < (plain ? 1e7 : 1e5) && largest >= (plain ? 1e-4 : 0.002))) return 0;
    return (int)floor(log10(largest) + 1e-9);
}

/* What the numbers have in common where DIGITS digits do not tell them apart: a multiple of the power of ten
 * that the axis has room for; 0 else. */
static double offset_of(const double *range, double step) {
    double largest = fmax(fabs(range[0]), fabs(range[1])), unit = pow(10, ceil(log10(range[1] - range[0])));
    double last_digit = pow(10, floor(log10(step) + 1e-9)), lead = step / last_digit;
    if (fabs(lead - round(lead)) > 1e-6) last_digit /= 10;
    if (largest < pow(10, DIGITS) * last_digit) return 0;
    return unit * round(0.5 * (range[0] + range[1]) / unit);
}

/* Numbers are counted in steps from the offset, so that what they share does not round them. */
static void choose_steps(const scene_axis *axis, const double *range, double last, double step, ticks *t) {
    double first = ceil(range[0] / step - 1e-9);
    t->offset = offset_of(range, step);
    double largest = fmax(fabs(range[0] - t->offset), fabs(range[1] - t->offset));
    double before = round(t->offset / step);
    t->power = power_of(largest, axis->plain);
    t->count = 0;
    t->widest = 0;
    for (int i = 0; i < TICKS_MAX && (first + i) * step <= last + 1e-9 * step; i++)
        add(t, (first + i) * step, false, (first + i - before) * step / pow(10, t->power),
            axis->plain && t->power == 0);
}

/* Steps with this much room each. Side by side the step depends on the width of the numbers, which depends on
 * the step. */
static void try_room(const scene_axis *axis, const double *range, double length, double room, bool across,
                     ticks *t) {
    double last = axis->last_number > 0 ? axis->last_number : range[1];
    double step = ticks_step(range, length, room);
    choose_steps(axis, range, last, step, t);
    for (int i = 0; i < 4 && across && t->widest + GAP > step / (range[1] - range[0]) * length; i++) {
        step = ticks_round_up(1.01 * step);
        choose_steps(axis, range, last, step, t);
    }
}

/* A single number does not tell the scale: numbers stand closer then, or at less usual steps. */
static void choose_linear(const scene_axis *axis, const double *range, double length, bool across, ticks *t) {
    static const double steps[] = {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    const double usual = across ? LEAST : HEIGHT, least = CLOSEST * usual;
    for (double room = usual; room >= least; room *= 0.75) {
        try_room(axis, range, length, room, across, t);
        if (t->count >= 2) return;
    }
    const ticks before = *t;
    double last = axis->last_number > 0 ? axis->last_number : range[1], size = range[1] - range[0];
    double step = round_up(size * least / length, steps, sizeof steps / sizeof *steps);
    choose_steps(axis, range, last, step, t);
    if (t->count < 2 || (across && t->widest + GAP > step / size * length)) *t = before;
}

/* ---- Decades */

/* The room that a number needs: its own width and a gap across, `room` upwards. */
static double room_of_numbers(const double *range, double room, bool across) {
    double width = 0;
    for (int k = 0; k < 2 && across; k++) {
        char number[40];
        text_format(number, sizeof number, "%g", pow(10, floor(range[k] + 1e-9)));
        width = fmax(width, rich_width(number) + GAP);
    }
    return across ? width : room;
}

/* Whether there is room for a number at every multiple of a power of 10; `decade` is the length of one. */
static bool all_fit(const double *range, double decade, double room) {
    double first = floor(range[0] + 1e-9), last = floor(range[1] + 1e-9);
    double most = floor(pow(10, range[1] - last) + 1e-9), narrowest = log10(10.0 / 9);
    if (first == last && most > 1) narrowest = log10(most / (most - 1));
    return decade * narrowest > room;
}

/* Decades, with 2 and 5 where there are few and both have room (3 where they have none), but for powers of
 * 10; the others without numbers. */
static void choose_decades(const double *range, double length, bool across, ticks *t) {
    double room = across ? 0.85 : HEIGHT, decades = range[1] - range[0];
    bool far = range[0] < -3 || range[1] > 4;
    bool powers = far && floor(range[1] + 1e-9) > ceil(range[0] - 1e-9);
    int every = (int)ceil(decades * room / length);
    bool fine = !powers && length / decades > 3.2 * room;
    double wanted = room_of_numbers(range, room, across);
    bool finest = fine && all_fit(range, length / decades, wanted);
    bool halves = !across || length / decades * log10(2) > wanted,
         thirds = length / decades * log10(3) > wanted;
    double most = 9 * (floor(range[1] + 1e-9) - floor(range[0]) + 1);
    bool whole = every > 1 || most > TICKS_MAX; /* powers of 10 alone */
    for (int d = (int)floor(range[0]), last = (int)floor(range[1] + 1e-9); d <= last; d++)
        for (int m = 1; m <= 9; m++) {
            double place = d + log10(m), value = m * pow(10, d);
            bool shown = (m == 1 && d % every == 0) || finest ||
                         (fine && (halves ? m == 2 || m == 5 : thirds && m == 3));
            if (place < range[0] - 1e-9 || place > range[1] + 1e-9 || (whole && m > 1)) continue;
            if (t->count == TICKS_MAX || (most > 9 * TICKS_MAX && !shown)) continue;
            add(t, value, !shown, shown && !powers ? value : (double)NAN, false);
            if (!shown || !powers) continue;
            tick *named = &t->of[t->count - 1];
            snprintf(named->number, sizeof named->number, "10" RICH_POWER("%s%d"), rich_sign(d), abs(d));
            t->widest = fmax(t->widest, rich_width(named->number));
        }
}

void ticks_name(const ticks *t, text *name) {
    text_append(name, "");
    if (t->offset != 0)
        text_printf(name, "%s%s %.15g", name->size > 0 ? " " : "", t->offset > 0 ? "−" : "+",
                    fabs(t->offset));
    if (t->power != 0)
        text_printf(name, "%s(×10" RICH_POWER("%s%d") ")", name->size > 0 ? " " : "", rich_sign(t->power),
                    abs(t->power));
}

void ticks_choose(const scene_axis *axis, const double *range, double length, bool across, ticks *t) {
    t->count = t->power = 0;
    t->offset = 0;
    t->widest = 0;
    if (axis->log)
        choose_decades(range, length, across, t);
    else if (!axis->bare)
        choose_linear(axis, range, length, across, t);
    measure_ends(axis, range, length, t);
}
