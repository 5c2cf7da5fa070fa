/* [MS]: every number of its section 5. */
#include <math.h>

#include "base/text.h"
#include "claims/claims.h"

static costab_bound bound_at(claims *c, double R, bool printed) {
    costab_bound bound = {
        {(double)NAN, (double)NAN}, {(double)NAN, (double)NAN}, (double)NAN, (double)NAN, 0};
    costab_bound_options options = {.error = 0.5, .printed = printed};
    claims_set(c, "R", R);
    const costab_network *network = claims_network(c);
    CLAIMS_TRY(c, costab_network_bound(network, &options, &bound, c->error));
    return bound;
}

/* The largest difference to the continuous solution up to t = 6, where it has died away. */
static double error_at(claims *c, double T) {
    double found = (double)NAN;
    claims_set(c, "T", T);
    const costab_network *network = claims_network(c);
    const costab_coupling *coupling = claims_coupling(c, "jacobi");
    CLAIMS_TRY(c, costab_network_error(network, coupling, 6, &found, c->error));
    return found;
}

/* The signs of the largest later extrema of x1' and x2', searched on a grid. */
typedef struct extrema {
    double R, x[2], before[2], last[2], largest[2];
} extrema;

static bool take_row(void *context, const costab_row *row) {
    extrema *e = context;
    if (row->kind != COSTAB_SIGNAL_STATE || !row->communication) return true;
    e->x[row->subsystem] = row->monolithic;
    if (row->subsystem == 0) return true;
    double f[2] = {e->x[1], -5 * e->x[0] - e->R * e->x[1]};
    for (int i = 0; i < 2; i++) {
        bool extremum = (e->last[i] - e->before[i]) * (f[i] - e->last[i]) < 0;
        if (extremum && fabs(e->last[i]) > fabs(e->largest[i])) e->largest[i] = e->last[i];
        e->before[i] = e->last[i];
        e->last[i] = f[i];
    }
    return true;
}

static void signed_extrema(claims *c, double R, double out[2]) {
    costab_bound bound = bound_at(c, R, true);
    extrema e = {.R = R, .before = {(double)NAN, (double)NAN}, .last = {(double)NAN, (double)NAN}};
    costab_simulate_options options = {.until = 6, .monolithic = true};
    costab_simulate_outcome outcome;
    claims_set(c, "T", 0.01);
    const costab_network *network = claims_network(c);
    const costab_coupling *coupling = claims_coupling(c, "jacobi");
    CLAIMS_TRY(c, costab_network_simulate(network, coupling, &options, take_row, &e, &outcome, c->error));
    for (int i = 0; i < 2; i++) out[i] = copysign(bound.f[i], e.largest[i]);
}

static void suprema(claims *c) {
    static const char start[] = "the printed constant is a later extremum for R = 2; this one is at t = 0";
    costab_bound five = bound_at(c, 5, false), two = bound_at(c, 2, false);
    double later5[2], later2[2];
    signed_extrema(c, 5, later5);
    signed_extrema(c, 2, later2);
    claim_number(c, "M_fx1, R = 5: supremum of |x1'| (section 5)", "-1.3844", five.f[0], start);
    claim_number(c, "M_fx2, R = 5: supremum of |x2'| (section 5)", "-1.7796", five.f[1], start);
    claim_number(c, "M_fx1, R = 5: later extremum of x1' (section 5)", "-1.3844", later5[0],
                 "the printed constant is that of R = 2");
    claim_number(c, "M_fx2, R = 5: later extremum of x2' (section 5)", "-1.7796", later5[1],
                 "the printed constant is that of R = 2, and its sign is wrong");
    claim_number(c, "M_fx1, R = 2: later extremum of x1'", "-1.3844", later2[0], "");
    claim_number(c, "M_fx2, R = 2: later extremum of x2'", "-1.7796", later2[1],
                 "its amount is right, its sign is not; as an upper bound it has none");
    claim_number(c, "M_fx1, R = 2: supremum of |x1'|", "", two.f[0], "");
    claim_number(c, "M_fx2, R = 2: supremum of |x2'|", "", two.f[1], "at t = 0");
    claim_number(c, "M_gx1: Lipschitz constant of y1 = x1 (section 5)", "-1.3844", five.g[0],
                 "the output is the state: the constant is 1, the source takes the bound of x1'");
    claim_number(c, "M_gx2: Lipschitz constant of y2 = x2 (section 5)", "-1.7796", five.g[1],
                 "the output is the state: the constant is 1, the source takes the bound of x2'");
}

static void steps(claims *c) {
    const double f1 = -1.3844, f2 = -1.7796;
    double factor = sqrt(f2 * f2 * (1 + f2 * f2) + f1 * f1 * (1 + 2 * f1 * f1));
    claim_number(c, "(34): T_max / Delta E with the printed constants", "0.211", 1 / factor, "");
    claim_number(c, "T_max at Delta E = 0.5 with the printed constants (section 5)", "0.1055", 0.5 / factor,
                 "");
    claim_number(c, "T_max at Delta E = 0.5, R = 5, by (31)", "0.1055", bound_at(c, 5, false).macro_step,
                 "with M_g = 1 and the suprema over the whole horizon");
    claim_number(c, "T_max at Delta E = 0.5, R = 2, by (31)", "0.1055", bound_at(c, 2, false).macro_step,
                 "with M_g = 1 and the suprema over the whole horizon");
}

static void errors(claims *c) {
    static const double steps[] = {0.1, 0.15, 0.2};
    for (int delay = 1; delay >= 0; delay--) {
        claims_set(c, "R", 5);
        claims_set(c, "delay", delay);
        for (int i = 0; i < 3; i++) {
            char quantity[80];
            double found = error_at(c, steps[i]);
            bool holds = (found < 0.5) == (i == 0);
            text_format(quantity, sizeof quantity, "largest error at T = %g, R = 5, %s", steps[i],
                        delay ? "delay 1 (figure 7)" : "no delay");
            claim_statement(c, quantity, i == 0 ? "below 0.5" : "not below 0.5", found, holds,
                            delay   ? "the distributed system taken literally: inputs one step late"
                            : holds ? "outputs exchanged without a delay"
                                    : "without the delay of the literal system the error stays below 0.5");
        }
    }
}

/* (31) as a statement on runs: the error stays below Delta E for every step below T_max. */
static void unstable_step(claims *c) {
    claims_set(c, "delay", 1);
    costab_bound bound = bound_at(c, 0.5, false);
    claims_set(c, "T", bound.macro_step);
    double radius = claims_radius(c, "jacobi"), found = (double)NAN;
    const costab_network *network = claims_network(c);
    const costab_coupling *coupling = claims_coupling(c, "jacobi");
    CLAIMS_TRY(c, costab_network_error(network, coupling, bound.horizon, &found, c->error));
    claim_number(c, "T_max at Delta E = 0.5, R = 0.5, by (31)", "", bound.macro_step, "");
    claim_number(c, "spectral radius at that T_max, R = 0.5, delay 1", "", radius,
                 "not stable: the step that (31) allows makes the run grow");
    claim_statement(c, "(31): error below 0.5 for T < T_max; largest error at T_max, R = 0.5, delay 1",
                    "below 0.5", found, found < 0.5,
                    "false: (30) is no bound over a horizon on which the run grows");
}

void claims_ma2015(claims *c) {
    claims_model(c, "ma2015/components");
    suprema(c);
    steps(c);
    errors(c);
    unstable_step(c);
}
