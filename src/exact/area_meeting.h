/* exact/area_meeting.h - where roots of R(z) = e^(i theta) meet at theta = 0 or pi, as those of 1 + z + z^2
 * / 8 do at z = -4.
 *
 * Let L = e^(i theta), L0 = 1 or -1 its value at that end, and delta the distance of theta from there. The
 * level polynomial N - (L - L0) Q, N = P + (1 - L0) Q, has at L0 a root `place` as often as N has it, count
 * times. Nearby these roots are analytic in the count-th root of delta: with delta = s^order, t = s^(order /
 * count) and z = place + t v it is t^count times
 *
 *     v^count above(t v) - kappa below(t v),    kappa = (L - L0) / delta,
 *
 * which has simple roots v, s = 0 included. */
#ifndef EXACT_AREA_MEETING_H
#define EXACT_AREA_MEETING_H

#include "exact/area_curves.h"

/* Roots that meet, in balls. */
typedef struct area_meeting {
    acb_t place;
    int count, power;        /* power: order / count */
    acb_poly_t above, below; /* N / (z - place)^count and Q, expanded at the place */
} area_meeting;

/* All of them at one end. */
typedef struct area_meetings {
    int order, count;
    area_meeting each[COSTAB_STAGES_MAX];
} area_meetings;

/* N at one end, as below. */
void area_end_level(const area_curves *curves, int end, surd_poly *N);

/* Those of curves without square roots in their coefficients. end: 0 at theta = 0, 1 at pi. Clear them. */
void area_meetings_init(area_meetings *meetings, const area_curves *curves, int end, slong precision);
void area_meetings_clear(area_meetings *meetings);

/* P(v) = v^count above(t v), and Q(v) = below(t v). */
void area_meeting_polynomials(const area_meeting *meeting, const acb_t t, slong precision, acb_poly_t P,
                              acb_poly_t Q);

/* Roots may meet at other angles too, or have coefficients with square roots: such meetings are not resolved.
 * Whether there is one, as far as 256 bits tell: |R(z)| = 1 and R'(z) = 0 at [out] place. */
bool area_meetings_elsewhere(const area_curves *curves, double place[2]);

#endif
