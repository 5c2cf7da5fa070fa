/* [GTL] C. Gomes, C. Thule, K. Lausdahl, P. G. Larsen, H. Vangheluwe, Demo: Stabilization Technique in
 * INTO-CPS, 2018: its figure 1 and its case study, computed when asked. */
#include "cli/claims_network.h"

static const char figure_1[] =
    "system: network\n"
    "parameters: {h: 0.1, m: 1, c: 1, d: 1e-4}\n"
    "subsystems:\n"
    "  - {name: mass, A: [[0, 1], [-c/m, -d/m]], x0: [1, 0], method: euler, substeps: 1}\n"
    "coupling: {name: euler, scheme: jacobi, macro_step: h}\n";

/* The second subsystem computes the coupling force f = K (x2 - x1): its output sees its input. */
static const char two_masses[] =
    "system: network\n"
    "parameters: {H: 0.01, K: 200, m1: 1, c1: 1, d1: 1, m2: 1, c2: 1, d2: 2}\n"
    "subsystems:\n"
    "  - {name: left, A: [[0, 1], [-c1/m1, -d1/m1]], B: [[0], [1/m1]], C: [[1, 0]], inputs: [f], outputs: "
    "[x], "
    "method: rk4, substeps: 1}\n"
    "  - {name: right, A: [[0, 1], [-(c2 + K)/m2, -d2/m2]], B: [[0], [K/m2]], C: [[K, 0]], D: [[-K]], "
    "inputs: [x], outputs: [f], method: rk4, substeps: 1}\n"
    "connections: [{from: left.x, to: right.x}, {from: right.f, to: left.f}]\n"
    "coupling:\n"
    "  - {name: jacobi, scheme: jacobi, macro_step: H}\n"
    "  - {name: stabilised, scheme: iterated, macro_step: H}\n";

/* Two scalar subsystems, one Euler step each, H = 1. */
static const char scalars[] =
    "system: network\n"
    "parameters: {a: -1.5, d: -0.5, w: -1.1}\n"
    "subsystems:\n"
    "  - {name: one, A: [[a]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: euler, substeps: 1}\n"
    "  - {name: two, A: [[d]], B: [[w]], C: [[1]], inputs: [u], outputs: [y], method: euler, substeps: 1}\n"
    "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\n"
    "coupling:\n"
    "  - {name: jacobi, scheme: jacobi, macro_step: 1}\n"
    "  - {name: stabilised, scheme: iterated, macro_step: 1}\n";

static void case_study(network_claims *n) {
    static const char step[] = "both are stable at this step, the one of the case study's own files";
    network_claims_model(n, two_masses);
    double jacobi = network_claims_radius(n, "jacobi"), stabilised = network_claims_radius(n, "stabilised");
    claim_statement(&n->rows, "case study, H = 0.01: spectral radius of (14)", "growth", jacobi, jacobi > 1,
                    "");
    claim_statement(&n->rows, "case study, H = 0.01: spectral radius of (18)", "decay", stabilised,
                    stabilised < 1, "");
    claim_number(&n->rows, "case study: critical H of (14)", "",
                 network_claims_limit(n, "jacobi", "H", 1e-4, 0.05, 0), "");
    claim_number(&n->rows, "case study: critical H of (18)", "",
                 network_claims_limit(n, "stabilised", "H", 1e-4, 0.05, 0), "");
    network_claims_set(n, "H", 0.001);
    claim_number(&n->rows, "case study, H = 0.001: spectral radius of (14)", "",
                 network_claims_radius(n, "jacobi"), step);
    claim_number(&n->rows, "case study, H = 0.001: spectral radius of (18)", "",
                 network_claims_radius(n, "stabilised"), step);
}

/* (18) is reached only where the iteration contracts, and is not always the better one. */
static void counterexamples(network_claims *n) {
    network_claims_model(n, scalars);
    claim_number(&n->rows, "Euler, H = 1, a = -1.5, d = -0.5, bc = -1.1: spectral radius of (14)", "",
                 network_claims_radius(n, "jacobi"), "stable");
    network_claims_radius(n, "stabilised");
    claim_number(&n->rows, "Euler, H = 1, a = -1.5, d = -0.5, bc = -1.1: iteration radius of (18)", "",
                 n->point.iteration_radius, "the iteration diverges: (18) is never reached");
    network_claims_set(n, "a", -0.1);
    network_claims_set(n, "d", -1.5);
    network_claims_set(n, "w", -0.5);
    double jacobi = network_claims_radius(n, "jacobi"), stabilised = network_claims_radius(n, "stabilised");
    claim_number(&n->rows, "Euler, H = 1, a = -0.1, d = -1.5, bc = -0.5: spectral radius of (14)", "", jacobi,
                 "");
    claim_number(&n->rows, "Euler, H = 1, a = -0.1, d = -1.5, bc = -0.5: spectral radius of (18)", "",
                 stabilised, "the larger one: one of the exceptions to the source's \"in most cases\"");
}

costab_status claims_gomes2018(claim_taker *take, void *context, costab_error *error) {
    network_claims n;
    network_claims_begin(&n, take, context, error);
    network_claims_model(&n, figure_1);
    double radius = network_claims_radius(&n, "euler");
    claim_statement(&n.rows, "figure 1: spectral radius of Euler's method, h = 0.1", "growth", radius,
                    radius > 1, "");
    claim_number(&n.rows, "figure 1: Euler's method is stable below h", "",
                 network_claims_limit(&n, "euler", "h", 1e-6, 1e-3, 0),
                 "1e-4, as far as double precision tells the radius from 1");
    case_study(&n);
    counterexamples(&n);
    return network_claims_end(&n);
}
