/* [GTL]: its figure 1 and its case study. */
#include "claims/claims.h"

static void case_study(claims *c) {
    static const char stream[] =
        "0.01 is the interval of the live stream in its files; their master steps by 0.001";
    claims_model(c, "gomes2018/two-mass");
    double jacobi = claims_radius(c, "fmi-jacobi"), stabilised = claims_radius(c, "stabilised");
    claim_statement(c, "case study, H = 0.01: spectral radius of (14)", "growth", jacobi, jacobi > 1, stream);
    claim_statement(c, "case study, H = 0.01: spectral radius of (18)", "decay", stabilised, stabilised < 1,
                    stream);
    claim_number(c, "case study: critical H of (14)", "", claims_limit(c, "fmi-jacobi", "H", 1e-4, 0.05), "");
    claim_number(c, "case study: critical H of (18)", "", claims_limit(c, "stabilised", "H", 1e-4, 0.05), "");
    claims_set(c, "H", 0.001);
    jacobi = claims_radius(c, "fmi-jacobi");
    stabilised = claims_radius(c, "stabilised");
    claim_statement(c, "case study, H = 0.001, the master's step: spectral radius of (14)", "growth", jacobi,
                    jacobi > 1,
                    "stable at the step in the case study's own files, which do not show the instability");
    claim_statement(c, "case study, H = 0.001, the master's step: spectral radius of (18)", "decay",
                    stabilised, stabilised < 1, "");
}

/* (18) is reached only where the iteration contracts, and is not always the better one. */
static void counterexamples(claims *c) {
    claims_model(c, "gomes2018/exceptions");
    claims_set(c, "a", -1.5);
    claims_set(c, "d", -0.5);
    claims_set(c, "w", -1.1);
    claim_number(c, "Euler, H = 1, a = -1.5, d = -0.5, bc = -1.1: spectral radius of (14)", "",
                 claims_radius(c, "fmi-jacobi"), "stable");
    claims_radius(c, "stabilised");
    claim_number(c, "Euler, H = 1, a = -1.5, d = -0.5, bc = -1.1: iteration radius of (18)", "",
                 c->point.iteration_radius, "the iteration diverges: (18) is never reached");
    claims_set(c, "a", -0.1);
    claims_set(c, "d", -1.5);
    claims_set(c, "w", -0.5);
    double jacobi = claims_radius(c, "fmi-jacobi"), stabilised = claims_radius(c, "stabilised");
    claim_number(c, "Euler, H = 1, a = -0.1, d = -1.5, bc = -0.5: spectral radius of (14)", "", jacobi, "");
    claim_number(c, "Euler, H = 1, a = -0.1, d = -1.5, bc = -0.5: spectral radius of (18)", "", stabilised,
                 "the larger one: one of the exceptions to the source's \"in most cases\"");
}

void claims_gomes2018(claims *c) {
    claims_model(c, "gomes2018/figure1");
    double radius = claims_radius(c, "jacobi");
    claim_statement(c, "figure 1: spectral radius of Euler's method, h = 0.1", "growth", radius, radius > 1,
                    "");
    claim_number(c, "figure 1: Euler's method is stable below h", "",
                 claims_limit(c, "jacobi", "h", 1e-6, 1e-3),
                 "1e-4, as far as double precision tells the radius from 1");
    case_study(c);
    counterexamples(c);
}
