/* The simulation's areas inside a window, row by row. */
#include <float.h>
#include <math.h>

#include "planar/area_simulation.h"

enum { PANELS = 64 };

typedef struct window_rows {
    costab_planar_slice slice;
    const double *delta;
    bool ss;
} window_rows;

static double clamped(double value, double low, double high) {
    return fmin(fmax(value, low), high);
}

/* What the rows of one class take of the window. */
static quadrature_sample row_share(void *context, wide x) {
    const window_rows *rows = context;
    costab_interval pieces[COSTAB_ROW_PIECES_MAX];
    double gamma = (double)x, low = rows->delta[0], high = rows->delta[1];
    int count = costab_planar_row(&rows->slice, gamma, pieces);
    double zero = gamma < 0 ? clamped(0, low, high) : high; /* SS lies above */
    if (rows->ss)
        low = zero;
    else
        high = zero;
    quadrature_sample sample = {0, 0};
    for (int k = 0; k < count; k++) {
        double from = clamped(pieces[k].lower, low, high), to = clamped(pieces[k].upper, low, high);
        sample.value += to - from;
        sample.noise += 64 * DBL_EPSILON * (fabs(from) + fabs(to) + (to > from ? gamma * gamma : 0));
    }
    return sample;
}

void area_simulation_window(const costab_planar *planar, const double gamma[2], const double delta[2],
                            quadrature_sum *sums) {
    window_rows rows = {.slice = costab_planar_at(planar, 0), .delta = delta};
    for (int k = 0; k < 2; k++) {
        rows.ss = k == 1;
        sums[k] = (quadrature_sum){.converged = true};
        double middle = clamped(0, gamma[0], gamma[1]);
        const double ends[3] = {gamma[0], middle, gamma[1]};
        for (int half = 0; half < 2; half++)
            for (int i = 0; i < PANELS && ends[half] < ends[half + 1]; i++) {
                wide step = ((wide)ends[half + 1] - ends[half]) / PANELS, from = ends[half] + i * step;
                quadrature_add(row_share, &rows, from, from + step, 1e-13L, &sums[k]);
            }
    }
}
