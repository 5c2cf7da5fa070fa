/* costab/network.h - networks of coupled subsystems: the macro-step map, its spectrum, time histories,
 * limits, bounds.
 *
 * Subsystem i: x' = A x + B u, y = C x + D u, with its own method and micro step. Connections feed outputs to
 * inputs: u = L y, gains allowed; several connections into one input add up. A master exchanges the signals
 * once per macro step H in a chosen way (costab_coupling). One macro step is then a linear map of the state:
 * all x, and the values that the master stores. The co-simulation is stable iff the spectral radius of that
 * map is below 1; the continuous (monolithic) system x' = (A + B (I - L D)^-1 L C) x is stable iff its
 * spectral abscissa is below 0. [SP] sections 2 and 3, [GTL] section 3. If a subsystem is known only by the
 * map of its own steps (COSTAB_SAMPLED), the continuous system is unknown: its abscissa is NaN, its class
 * letter X. With discrete-time subsystems (COSTAB_DISCRETE) the sampled-data system takes the place of the
 * continuous one. Let r be the spectral radius of its map over T, the least common multiple of the sample
 * times: it is stable iff r < 1, and its abscissa is ln(r)/T.
 *
 * A model is plain data that the caller owns. Its sizes, names and connections are fixed; its numbers may
 * change from point to point. Functions keep no state: all memory is in workspaces, one per thread. A
 * workspace grows if a point needs more memory than all points before it, and allocates nothing otherwise. */
#ifndef COSTAB_NETWORK_H
#define COSTAB_NETWORK_H

#include <stdint.h>

#include "costab/method.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COSTAB_DELAY_MAX      10000
#define COSTAB_ITERATIONS_MAX 100000
#define COSTAB_PERIOD_MAX     1000000
#define COSTAB_CLOCK_PARTS    10000 /* largest q of a ratio p/q of macro step and micro step */
#define COSTAB_STRIDE_MAX     1000
#define COSTAB_NEWTON         (-1) /* iterations: the loop of new values is solved */

/* ---- The model ---- */

/* A nonlinear subsystem x' = f(t, x, u), y = g(t, x, u). costab_network_simulate and costab_network_bound
 * call it; the analysis uses the matrices of the subsystem, its linearisation. Each workspace calls it from
 * one thread at a time. [out] dx: `states` values, y: `outputs` values. An error ends the simulation. */
typedef struct costab_dynamics {
    void *context;
    costab_status (*f)(void *context, double t, const double *x, const double *u, double *dx,
                       costab_error *error);
    costab_status (*g)(void *context, double t, const double *x, const double *u, double *y,
                       costab_error *error);
    /* The derivatives of f: [out] A = df/dx, states x states; B = df/du, states x inputs; both row-major.
     * Implicit methods need them; NULL: they are approximated by differences of f. */
    costab_status (*jacobian)(void *context, double t, const double *x, const double *u, double *A, double *B,
                              costab_error *error);
    /* The derivatives of g: [out] C = dg/dx, outputs x states; D = dg/du, outputs x inputs; both row-major;
     * rate = dg/dt, `outputs` values. An exchange of slopes (hermite) needs them. NULL: a central difference
     * of g along the solution replaces them, with about ten correct digits. */
    costab_status (*output_jacobian)(void *context, double t, const double *x, const double *u, double *C,
                                     double *D, double *rate, costab_error *error);
    /* Called when a micro step of a simulation has ended at t. At an event, [in, out] x may change and [out]
     * *event is true; the monolithic solution ends there. NULL: the subsystem has no events. */
    costab_status (*accept)(void *context, double t, double *x, const double *u, bool *event,
                            costab_error *error);
} costab_dynamics;

/* A subsystem with its own solver. A simulation calls `step` as a master does: from t over `length` seconds
 * with the inputs u, which change linearly by `rise` during the step (NULL: they are held). [out] y: the
 * outputs at the end of the step. t is the end of the previous call; or the start of the previous call, which
 * is then repeated; or 0, which starts a new run. */
typedef struct costab_stepper {
    void *context;
    costab_status (*step)(void *context, double t, double length, const double *u, const double *rise,
                          double *y, costab_error *error);
} costab_stepper;

/* A subsystem. Matrices are row-major: A states x states, B states x inputs, C outputs x states, D outputs x
 * inputs. D and x0 (`states` values) are zero if NULL; a matrix without entries may be NULL. A subsystem
 * without states is a gain y = D u. */
typedef struct costab_subsystem {
    const char *name;
    int states, inputs, outputs;
    const char *const *state_names;  /* NULL: x1, x2, ... */
    const char *const *input_names;  /* NULL: u1, u2, ... */
    const char *const *output_names; /* NULL: y1, y2, ... */
    const double *A, *B, *C, *D, *x0;
    costab_method method;
    int substeps; /* micro steps per step of the subsystem; 0: `step` is the length of a micro step */
    double step;  /* in seconds */
    const costab_dynamics *dynamics; /* NULL: linear */
    /* The subsystem exchanges signals every `stride` macro steps and advances over them in one step; 0 counts
     * as 1, at most COSTAB_STRIDE_MAX. */
    int stride;
    /* Numbers of the states that are positions q and velocities v, `pairs` of each, q' = v. Methods that need
     * pairs require that every state is a position or a velocity. NULL if pairs is 0. */
    int pairs;
    const int *positions, *velocities;
    /* Relative error of the entries of A, B, C and D, in addition to rounding; it widens `rounding` and
     * `abscissa_rounding` of costab_network_point. */
    double doubt;
    /* For the method COSTAB_SAMPLED, whose A and B are the map of one step of length `step` (substeps is 0, y
     * = C x, D is NULL): simulations call this instead of the map. The states are then unknown, and x0 begins
     * with the outputs at the start. NULL: simulations use the map. */
    const costab_stepper *stepper;
    /* For the method COSTAB_SAMPLED: states x inputs, the effect on one step of an input that rises from 0 to
     * 1 during the step; NULL: inputs are held. */
    const double *rise;
    /* For the method COSTAB_SAMPLED: the step of the internal solver; `step` is a multiple of it. 0: unknown.
     */
    double own_step;
    /* With the method COSTAB_DISCRETE it is a discrete-time system, such as a digital controller: `step` is
     * its sample time (substeps is 0). At each multiple of it x+ = A x + B u; y = C x is held in between, and
     * D is NULL. u are the values just before the sample, except that outputs of other such systems that
     * change at that time are new. Of z+ = Ad z + Bd u, y = Cd z + Dd u the states are (z, y): A = [Ad 0; Cd
     * 0], B = [Bd; Dd], C = [0 I]. If y is released one sample late they are (z, released y, computed y):
     * A = [Ad 0 0; 0 0 I; Cd 0 0], B = [Bd; 0; Dd], C = [0 I 0]. */
    uint64_t version; /* of A, B, C, D, rise and doubt; see costab_network */
} costab_subsystem;

/* The polynomial that a connection delivers during a step: through 1 to 4 values, or through values and
 * slopes of the source. The last three only extrapolate, by a line in local time s = 0..1 that need not pass
 * through old values, with the differences y_n - y_(n-1) and y_n - 2 y_(n-1) + y_(n-2): y_n + (a0 + a1 s)
 * (first difference) + (b0 + b1 s) (second difference), after steps of other lengths with divided differences
 * times the step's length, and its square. */
typedef enum costab_hold {
    COSTAB_CONSTANT,
    COSTAB_LINEAR,
    COSTAB_QUADRATIC,
    COSTAB_CUBIC,
    COSTAB_HERMITE,
    COSTAB_SPECTRAL, /* a0 = 5/2, a1 = -4: no error of third order in the eigenvalues of masses that
                        exchange displacements */
    COSTAB_TUNED,    /* a0 and a1 are given */
    COSTAB_TUNED_2,  /* a0, a1, b0 and b1 are given */
    COSTAB_HOLD_COUNT
} costab_hold;

typedef struct costab_extrapolation {
    costab_hold hold;
    double a0, a1, b0, b1; /* of COSTAB_TUNED and COSTAB_TUNED_2 */
} costab_extrapolation;

/* Output `output` of subsystem `from`, times `gain`, to input `input` of subsystem `to`, delayed by `delay`
 * macro steps. If delay_time > 0 (then delay is 0) the delay is this many seconds; a message waits for the
 * next exchange, so the delay is ceil(delay_time / macro step) macro steps. These delays belong to the
 * coupling: the continuous system has none. `dead_time`, in seconds, belongs to the system: the source
 * publishes y(t - dead_time), and the continuous system is a delay differential equation. Before t = 0
 * outputs have their initial values. The co-simulation takes y(t - dead_time) from the line between two
 * values at communication points; a delay then follows as the message's latency. */
typedef struct costab_connection {
    int from, output, to, input;
    double gain;
    int delay;
    double delay_time;
    bool extrapolates; /* `extrapolation` replaces the extrapolation of the coupling */
    costab_extrapolation extrapolation;
    double dead_time;
} costab_connection;

/* A power bond: two ports, each an input and an output of a subsystem, whose products are powers; the model
 * connects u1 = g1 y2 and u2 = g2 y1. Its residual power is -(u1 y1 + sigma u2 y2), sigma = -g1/g2 [VPF]. */
typedef struct costab_bond {
    int subsystem1, input1, output1;
    int subsystem2, input2, output2;
} costab_bond;

/* A signal of time added to an input; simulation only. */
typedef struct costab_source {
    int subsystem, input;
    void *context;
    double (*value)(void *context, double t);
    /* Its derivative, in units of the value per second, for an exchange of slopes (hermite); NULL: a central
     * difference of the value. */
    double (*slope)(void *context, double t);
} costab_source;

/* Structural modes: the equilibria (states x with A_mono x = 0) that a model has whatever the values of its
 * parameters are, and the rigid motions (drift at constant speed, A_mono x1 = x) among them. */
typedef struct costab_structure {
    int equilibria;
    int motions; /* at most `equilibria` */
} costab_structure;

/* Versions let one workspace reuse results for the parts of a network that did not change since an earlier
 * point: within a workspace, equal versions other than 0 promise equal contents. A version 0 promises
 * nothing. Give contents that change a version that the workspace has not seen. Limitation: a wrong version
 * gives wrong results; builds with -DCOSTAB_CHECK_VERSIONS abort instead. */
typedef struct costab_network {
    int subsystem_count, connection_count, bond_count, source_count;
    const costab_subsystem *subsystems;
    const costab_connection *connections;
    const costab_bond *bonds;
    const costab_source *sources;
    /* The modes that the model has at all values of its parameters. NULL: every number of the network counts
     * as fixed, and costab_network_structure finds the modes of these numbers. */
    const costab_structure *structure;
    /* Version of everything except the gains, `structure`, and the numbers of the subsystems' versions. */
    uint64_t structure_version;
    uint64_t gains_version;
} costab_network;

/* ---- The master's choices ---- */

typedef enum costab_coupling_scheme {
    COSTAB_JACOBI,       /* all subsystems in parallel */
    COSTAB_GAUSS_SEIDEL, /* one after the other, in an order */
    COSTAB_ITERATED,     /* sweeps over the macro step, a number of them or to convergence */
    COSTAB_COUPLING_SCHEME_COUNT
} costab_coupling_scheme;

typedef enum costab_feedthrough {
    COSTAB_DELAYED, /* y_n sees the input of the end of the previous step: the FMI rule [GTL] eq. 12 */
    COSTAB_SOLVED,  /* the loop of the connections without delay is solved at t_n */
    COSTAB_FEEDTHROUGH_COUNT
} costab_feedthrough;

typedef enum costab_micro_steps {
    COSTAB_WHOLE,  /* a whole number of micro steps per step of a subsystem, otherwise an error */
    COSTAB_CLOCKS, /* each subsystem steps until its own clock has reached the master's: [SP] Algorithm 1 */
    COSTAB_REAL_POWER, /* a real number of micro steps by complex powers, as [SP] computes; analysis only */
    COSTAB_MICRO_STEPS_COUNT
} costab_micro_steps;

typedef struct costab_coupling {
    costab_coupling_scheme scheme;
    double macro_step;
    costab_hold interpolation; /* if the new value is known: the new value held, or a polynomial through it */
    costab_hold extrapolation; /* if it is unknown: a polynomial of the last values */
    costab_feedthrough feedthrough;
    const int *order; /* gauss-seidel: the subsystems' numbers in order; NULL: as listed */
    int iterations;   /* iterated: number of sweeps; 0: until convergence; COSTAB_NEWTON: Newton's method */
    costab_micro_steps micro_steps;
    /* Each extrapolation starts at the end of the previous one and ends where the next would end. */
    bool smoothed;
    costab_hold predictor;  /* sweeps: the extrapolation that is the first guess; not hermite */
    double relaxation;      /* iterated: share of a sweep's values in the next guess, below 2; 0: all, 1 */
    double area_correction; /* jacobi, constant: share of the last step's error that is corrected */
    double a0, a1, b0, b1;  /* of the extrapolations COSTAB_TUNED and COSTAB_TUNED_2 */
} costab_coupling;

/* The couplings that comparisons use: jacobi-K (K the extrapolation), gauss-seidel-K, iterated-K (to
 * convergence) and newton-K (K the interpolation), K one of linear, quadratic, cubic, hermite or absent
 * (constant); each with delayed feedthrough, and with the suffix -solved; and jacobi-spectral.
 * costab_coupling_name returns the i-th name of this fixed list. */
COSTAB_API int costab_coupling_count(void);
COSTAB_API const char *costab_coupling_name(int i);
/* Sets all choices of `coupling` except macro_step and micro_steps from a name: a name of the list, with
 * -smoothed or -solved or both appended (-extrapolated means -linear); or jacobi(A0,A1) with weights of
 * COSTAB_TUNED, optionally with -solved. The planar system's names cross, zigzag and strong mean jacobi,
 * gauss-seidel-linear and iterated-linear. Other choices get their defaults. Any other name is
 * COSTAB_INVALID, with the grammar of names as message. */
#define COSTAB_COUPLING_GRAMMAR                                                                              \
    "jacobi, jacobi(phi,theta) with weights, gauss-seidel, gauss-seidel(b,a) in an order, iterated or "      \
    "newton, then perhaps -linear, "                                                                         \
    "-quadratic, -cubic or -hermite (of jacobi -spectral, too), then -smoothed, -solved or both; cross, "    \
    "zigzag, strong mean jacobi, gauss-seidel-linear, iterated-linear"
COSTAB_API costab_status costab_coupling_find(const char *name, costab_coupling *coupling,
                                              costab_error *error);
/* Like costab_coupling_find, but the name may contain an order for gauss-seidel, as in
 * gauss-seidel(b,a)-linear: the names of all subsystems of the network. [out] order: one entry per subsystem;
 * coupling->order then points to it (NULL if the name has no order). */
COSTAB_API costab_status costab_coupling_find_ordered(const char *name, const costab_network *network,
                                                      int *order, costab_coupling *coupling,
                                                      costab_error *error);

/* Checks the model: sizes, names, indices, finite numbers, methods, micro steps. Each mistake is one line of
 * the message. */
COSTAB_API costab_status costab_network_check(const costab_network *network, costab_error *error);
/* Checks the choices against a checked model, including that micro steps divide the macro step. */
COSTAB_API costab_status costab_coupling_check(const costab_network *network, const costab_coupling *coupling,
                                               costab_error *error);
/* Calls `say` for each choice that is allowed but probably not meant:
 * - an input without connection and source;
 * - an output with the name of a state and another value;
 * - under jacobi, a chain of feedthrough subsystems, which adds a macro step of delay per link ([MS] section
 *   3);
 * - an extrapolation by weights into an input with delayed feedthrough;
 * - under gauss-seidel, a discrete-time subsystem that advances from extrapolated inputs. */
COSTAB_API void costab_network_warnings(const costab_network *network, const costab_coupling *coupling,
                                        void (*say)(void *context, const char *warning), void *context);

/* ---- The macro-step map ---- */

/* Bits of a class. 0 UU, 1 US, 2 SU, 3 SS, as in costab/planar.h. If rounding or a neutral mode hides on
 * which side of the limit a system is: 16 NU, 17 NS, 34 SN, 32 UN, 48 NN. If the continuous system is
 * unknown, because an FMU for co-simulation is part of it: 64 XU, 65 XS, 96 XN. */
enum {
    COSTAB_DISCRETE_STABLE = 1,
    COSTAB_CONTINUOUS_STABLE = 2,
    COSTAB_CONTINUOUS_NEUTRAL = 16,
    COSTAB_DISCRETE_NEUTRAL = 32,
    COSTAB_CONTINUOUS_UNKNOWN = 64
};

/* The analysis of a network at one point.
 *
 * Structural modes. An equilibrium, A_mono x = 0, is a fixed point of every coupling: an eigenvalue 0 of the
 * system and 1 of the map, independent of stability. The equilibria of costab_network.structure are removed,
 * and its rigid motions if the coupling keeps them; radius, abscissa, their roundings, growth and class
 * belong to the remaining modes. An eigenvalue 0 that exists only at the present values of parameters is a
 * limit: it remains, and the class is N. Nothing is removed from a complex map (COSTAB_REAL_POWER).
 *
 * Rounding. M is known to about e = size epsilon ||M||, and so are its well-conditioned eigenvalues: the
 * co-simulation counts as stable only if spectral_radius + e < 1. An ill-conditioned eigenvalue moves
 * further; a double eigenvalue of a Jordan block moves by sqrt(e), such as the eigenvalues 1 of a network
 * with free drift (two masses without a spring to the ground). Near the unit circle `rounding` is therefore
 * the larger of e and (1 + l (c - 1)) e/2. Here c = (1 - spectral_radius) ||(z I - M)^-1|| is the condition
 * of an eigenvalue, z the nearest point of the circle, M balanced and split into its strongly connected
 * parts. The factor l is 1 + log2 of the largest number of micro steps in a macro step, which are composed by
 * repeated squaring. A normal M has c = 1. An ill-conditioned M is stable if no perturbation of this size
 * moves an eigenvalue to the circle. The abscissa is treated alike, with l = 1. A system on the limit, such
 * as an integrator without feedback, counts as unstable.
 */
typedef struct costab_network_point {
    int size;    /* of the map */
    long period; /* macro steps after which the pattern of steps repeats; above 1 only with own clocks,
                    samples or strides */
    double spectral_radius; /* of one macro step: of the product over the period, to the power 1/period */
    double beyond;          /* spectral_radius - 1; for short macro steps formed without cancellation */
    double rounding; /* e = size * epsilon * ||M||_F, more for ill-conditioned eigenvalues near the circle
                        (above); of short macro steps by ||M - I||: stable iff beyond + rounding < 0 */
    double iteration_radius; /* of the map of guesses to guesses (the largest over the period); NaN unless
                                the scheme is iterated */
    double spectral_abscissa;
    int neutral;       /* equilibria that were removed */
    int motions, kept; /* rigid motions among them, and those that the co-simulation keeps: removed, too */
    double growth;     /* ln(spectral_radius)/macro step - spectral_abscissa, in 1/s: the growth
                          that coupling and solvers add to the slowest decay, without removed modes */
    double decay;      /* ln(spectral_radius)/macro step, in 1/s: below 0 if the co-simulation decays. The
                          radius itself tends to 1 with the macro step, the decay to the abscissa */
    double abscissa_rounding; /* states * epsilon * ||A_mono||_F, more likewise: stable iff spectral_abscissa
                                 + abscissa_rounding < 0 */
    uint8_t class_code;
} costab_network_point;

/* The structural modes of a network all of whose numbers are fixed. An equilibrium counts if changes of each
 * number by 16 epsilon and its subsystem's `doubt` can make the equations
 *
 *     A x + B u = 0, C x + D u - y = 0, L y - u = 0
 *
 * singular in its direction. Requires a network that costab_network_check has passed. COSTAB_NUMERIC if a
 * number is not finite or LAPACK finds no singular values, COSTAB_MEMORY. */
COSTAB_API costab_status costab_network_structure(const costab_network *network, costab_structure *structure,
                                                  costab_error *error);

typedef struct costab_network_work costab_network_work;

/* A workspace, empty at first; one per thread. [out] *work: free with costab_network_work_destroy. */
COSTAB_API costab_status costab_network_work_create(costab_network_work **work, costab_error *error);
COSTAB_API void costab_network_work_destroy(costab_network_work **work);

/* Analyses one point of a network that costab_network_check has passed. Under an iteration to convergence the
 * class counts iteration_radius >= 1 as unstable.
 * COSTAB_INVALID for choices that do not fit the model, for a singular loop, and for a loop of feedthrough
 * through connections with dead time. COSTAB_NUMERIC if the map or the continuous system's matrix overflows,
 * if LAPACK fails, or if the rightmost eigenvalue of a system with dead time is not resolved. */
COSTAB_API costab_status costab_network_analyse(costab_network_work *work, const costab_network *network,
                                                const costab_coupling *coupling, costab_network_point *point,
                                                costab_error *error);

/* Computes the class only, equal to that of costab_network_analyse, faster: powers of the map decide most
 * points with certainty, and only the others need eigenvalues. The eigenvalues of this point are not
 * available afterwards. */
COSTAB_API costab_status costab_network_classify(costab_network_work *work, const costab_network *network,
                                                 const costab_coupling *coupling, uint8_t *class_code,
                                                 costab_error *error);

/* Number of eigenvalues removed from the last point's map: those of equilibria and of kept motions. */
COSTAB_API int costab_network_removed(const costab_network_work *work);

/* The map of the last point analysed: size x size, row-major, the product over the period; *imaginary is NULL
 * for a real map. Borrowed until the workspace is used again. */
COSTAB_API void costab_network_matrix(const costab_network_work *work, const double **real,
                                      const double **imaginary);

/* Eigenvalues of the last point's map, largest modulus first, a pair with its positive imaginary part first;
 * NaN if the map is not finite. [out] values: as many as the point's size; neutral (may be NULL): for each
 * value, whether it was removed as the eigenvalue 1 of an equilibrium or of a rigid motion that is kept. */
COSTAB_API void costab_network_spectrum(const costab_network_work *work, costab_complex *values,
                                        bool *neutral);

/* The monolithic matrix of the last point, states x states, row-major, with dead times left out; and the
 * number of states. With discrete-time subsystems it is the map over the common multiple of the sample times;
 * it is zero if the continuous system is unknown. Borrowed until the workspace is used again. */
COSTAB_API const double *costab_network_monolithic(const costab_network_work *work, int *states);

/* Writes a label of the i-th entry of the map's state, such as "plant.x1" or "plant.force held", into text
 * (size bytes); "" for another index, and before the first analysis. */
COSTAB_API void costab_network_label(const costab_network_work *work, int i, char *text, size_t size);

/* ---- Time histories ---- */

typedef enum costab_signal_kind {
    COSTAB_SIGNAL_STATE,
    COSTAB_SIGNAL_INPUT,
    COSTAB_SIGNAL_OUTPUT,
    COSTAB_SIGNAL_POWER,      /* residual power of a bond; `subsystem` is -1, `index` the bond */
    COSTAB_SIGNAL_ENERGY,     /* residual energy of a bond over the macro step */
    COSTAB_SIGNAL_ENERGY_MADE /* energy that the coupling makes at a bond inside the macro step */
} costab_signal_kind;

#define COSTAB_SIGNAL_NAME_MAX 96

/* The name of a signal: the name in the model, or x1, u1, y1, bond1.power, bond1.energy,
 * bond1.spurious_energy written into `name`. An input with the name of an output or a state of its subsystem
 * gets the suffix " (input)", after 80 bytes at most. "" if the network has no such signal. */
COSTAB_API const char *costab_signal_name(const costab_network *network, int subsystem,
                                          costab_signal_kind kind, int index,
                                          char name[COSTAB_SIGNAL_NAME_MAX]);

typedef struct costab_signal {
    int subsystem, index; /* as in costab_row */
    costab_signal_kind kind;
} costab_signal;

/* Finds the signal of a name: "motor.x2" is a state, otherwise an output, otherwise an input of the
 * subsystem; "bond1.power" belongs to a bond. COSTAB_INVALID for an unknown signal. */
COSTAB_API costab_status costab_signal_find(const costab_network *network, const char *name,
                                            costab_signal *signal, costab_error *error);

typedef struct costab_row {
    double t;
    int subsystem, index;
    costab_signal_kind kind;
    bool communication;       /* at a communication point; otherwise at the end of a micro step */
    double value, monolithic; /* monolithic: NaN unless requested */
} costab_row;

/* Takes one row; returning false stops the simulation with COSTAB_CANCELLED. */
typedef bool (*costab_row_sink)(void *context, const costab_row *row);

typedef struct costab_simulate_options {
    double until; /* in seconds: the run takes all macro steps that end at t <= until; COSTAB_INVALID if
                     until > 0 and none does */
    /* Lengths of macro steps in seconds, above 0, that are taken in turn, over and over, in place of the
     * coupling's; borrowed. NULL: all are the coupling's. COSTAB_INVALID with strides, own clocks, real
     * powers, discrete-time subsystems, dead time, and multistep methods that have `substeps`.
     * costab_network_measure takes none. */
    const double *steps;
    long step_count;
    bool local;      /* also rows at micro steps */
    bool monolithic; /* also the monolithic reference */
    /* 2 or more: rows at this number of communication points only, nearest to times spread evenly from the
     * first to the last; with strides, points at which all subsystems communicate. `local` then has no
     * effect. Peaks between these points are not visible. 0: all points. */
    long points;
    double blow_up; /* magnitude of a state that stops the run; 0: 1e100 */
    /* Also rows of COSTAB_SIGNAL_ENERGY_MADE: W = int (u1 y1 + sigma u2 y2) dt over each macro step, u as
     * the bond's connections deliver it, y along the subsystems' own solutions. W > 0 means that the coupling
     * makes energy. The integral is exact for the method exact and the method's quadrature for Runge-Kutta
     * methods; NaN if a subsystem of the bond has another method. With strides each side counts at the start
     * of its own step. */
    bool energy_made;
    /* Called every few micro steps; returning true ends the run with COSTAB_CANCELLED. May be NULL. */
    bool (*stop)(void *context);
    void *stop_context;
} costab_simulate_options;

#define COSTAB_REASON_MAX 400

typedef struct costab_simulate_outcome {
    double t; /* the last communication point */
    long macro_steps;
    bool diverged; /* stopped: a state passed blow_up or became NaN; all rows before were delivered */
    int subsystem; /* of that state */
    /* If diverged: the reason, such as "f of 'h' in subsystem 'tank' is not a number at t = 0.425, where h =
     * -0.0079"; whether an equation has no finite value there; and the time. */
    char reason[COSTAB_REASON_MAX];
    bool no_value;
    double ended_at;
} costab_simulate_outcome;

/* Checks the network and the coupling (costab_network_check, costab_coupling_check), and simulates as [SP]
 * Algorithm 1 with the coupling's choices: own clocks, held or interpolated inputs, the
 * subsystems' methods; before the start every output has its initial value. Rows come in order of time. The
 * reference is exact for a linear network without sources, otherwise a fine fifth-order Runge-Kutta solution.
 * Without bonds and rows of micro steps, a linear subsystem without sources takes all micro steps of a macro
 * step at once, with equal numbers up to rounding. Divergence of the values is an outcome, not an error.
 * COSTAB_NUMERIC if a coupling iteration or an implicit stage does not converge. */
COSTAB_API costab_status costab_network_simulate(const costab_network *network,
                                                 const costab_coupling *coupling,
                                                 const costab_simulate_options *options, costab_row_sink sink,
                                                 void *context, costab_simulate_outcome *outcome,
                                                 costab_error *error);

/* All rows of a simulation. */
typedef struct costab_rows {
    size_t count, capacity;
    costab_row *items;
} costab_rows;

/* Like costab_network_simulate, but stores the rows. [out] rows: free with costab_rows_free, also after an
 * error. */
COSTAB_API costab_status costab_network_rows(const costab_network *network, const costab_coupling *coupling,
                                             const costab_simulate_options *options, costab_rows *rows,
                                             costab_simulate_outcome *outcome, costab_error *error);
COSTAB_API void costab_rows_free(costab_rows *rows);

/* Like costab_network_simulate, for many runs of checked networks and couplings in a caller's workspace, one
 * per thread. Memory grows only if a run needs more than all runs before it. */
typedef struct costab_network_simulator costab_network_simulator;

COSTAB_API costab_status costab_network_simulator_create(costab_network_simulator **simulator,
                                                         costab_error *error);
COSTAB_API void costab_network_simulator_destroy(costab_network_simulator **simulator);
COSTAB_API costab_status costab_network_simulator_run(costab_network_simulator *simulator,
                                                      const costab_network *network,
                                                      const costab_coupling *coupling,
                                                      const costab_simulate_options *options,
                                                      costab_row_sink sink, void *context,
                                                      costab_simulate_outcome *outcome, costab_error *error);

typedef struct costab_measure_options {
    double horizon;                           /* the run's end: `until` of costab_simulate_options */
    bool error, energy_residual, energy_made; /* the requested measures */
    bool exchanges; /* the error at communication points only; errors between them are not seen */
    double enough;  /* the run ends when its error exceeds this; 0: no such limit */
    bool (*stop)(void *context); /* as in costab_simulate_options */
    void *stop_context;
} costab_measure_options;

/* Measures of a run; NaN if not requested. */
typedef struct costab_measures {
    double error; /* the largest difference between a state and the monolithic one, over all micro steps (with
                     `exchanges` at communication points); infinite if the run diverges */
    double energy_residual; /* the residual energies dP H of all bonds and macro steps, summed, [VPF]:
                               negative if more energy goes into the subsystems than comes out of them,
                               infinite if the run diverges. It uses communication points only: it is 0 for
                               a converged iteration, whatever happens inside its steps */
    double energy_made; /* the energy that the coupling makes inside the macro steps, of all bonds, summed:
                           above 0 if the subsystems take in more than they give; infinite if the run
                           diverges. costab_network_measure returns COSTAB_INVALID if a bond's method has
                           no quadrature */
} costab_measures;

/* Simulates and measures a network that costab_network_check has passed. Errors as costab_network_simulate.
 * COSTAB_INVALID also if the error is requested of a network with an FMU for co-simulation, whose continuous
 * system is unknown, or with dead time and sources or nonlinear subsystems. */
COSTAB_API costab_status costab_network_measure(costab_network_simulator *simulator,
                                                const costab_network *network,
                                                const costab_coupling *coupling,
                                                const costab_measure_options *wanted,
                                                costab_measures *measures, costab_error *error);

/* The error of one signal against the monolithic solution. */
typedef struct costab_signal_error {
    costab_signal signal; /* a state or an output */
    double error;         /* the largest difference over all micro steps; infinite if it diverges */
    double t;             /* the first time at which the difference is this large */
    double largest;       /* the largest magnitude of the monolithic signal */
} costab_signal_error;

typedef struct costab_signal_errors {
    size_t count;
    costab_signal_error *rows; /* subsystem by subsystem, states first */
    long worst; /* the row of the state with the largest error (costab_measures.error); -1: no states */
    costab_simulate_outcome outcome;
} costab_signal_errors;

/* Simulates up to options->until, whose `local`, `monolithic`, `points` and `energy_made` have no effect, and
 * measures every state and output. [out] errors: free with costab_signal_errors_free, also after an error.
 * Errors as costab_network_simulate, and COSTAB_INVALID if the continuous system is unknown (an FMU for
 * co-simulation). */
COSTAB_API costab_status costab_network_signal_errors(const costab_network *network,
                                                      const costab_coupling *coupling,
                                                      const costab_simulate_options *options,
                                                      costab_signal_errors *errors, costab_error *error);
COSTAB_API void costab_signal_errors_free(costab_signal_errors *errors);

/* ---- Error bound [MS] ---- */

typedef struct costab_bound_options {
    double error;   /* the error allowed, Delta E*; above 0 */
    double horizon; /* in seconds; 0: twenty times the slowest time constant */
    bool printed; /* as in the example of [MS] section 5: M_f is the largest later extremum of |f|, M_g = M_f
                   */
} costab_bound_options;

typedef struct costab_bound {
    double f[2], g[2]; /* M_f and M_g of the first subsystem (plant, p) and the second (controller, c) */
    double factor;     /* sqrt(M_fc^2 (1 + M_gc^2) + M_fp^2 (1 + 2 M_gp^2)): Delta E <= factor T */
    double macro_step; /* T_max = error / factor, in seconds */
    double horizon;    /* used, in seconds */
} costab_bound;

/* Computes [MS] eq. 30 and 31 for a network of two subsystems. COSTAB_INVALID for another number of
 * subsystems, for discrete-time subsystems, FMUs for co-simulation and dead time, for an error or horizon
 * that is not positive, for a missing horizon if the continuous system is not stable, and with `printed` if
 * |f| has no extremum after the start. COSTAB_NUMERIC if the solution cannot be computed. */
COSTAB_API costab_status costab_network_bound(const costab_network *network,
                                              const costab_bound_options *options, costab_bound *bound,
                                              costab_error *error);

/* Like costab_network_bound, in a caller's workspace. */
COSTAB_API costab_status costab_network_simulator_bound(costab_network_simulator *simulator,
                                                        const costab_network *network,
                                                        const costab_bound_options *options,
                                                        costab_bound *bound, costab_error *error);

/* The largest difference between a state of the distributed run with this coupling and the monolithic one,
 * over all micro steps up to the horizon, in seconds. [out] *error_found: infinite if the run diverges.
 * Requirements and errors as costab_network_measure. */
COSTAB_API costab_status costab_network_error(const costab_network *network, const costab_coupling *coupling,
                                              double horizon, double *error_found, costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
