/* costab/network.h - networks of coupled subsystems: the macro-step map, its spectrum, time histories,
 * limits, bounds.
 *
 * Subsystem i: x' = A x + B u, y = C x + D u, with its own method and micro step. Connections feed outputs to
 * inputs: u = L y, gains allowed; several connections into one input add up. A master exchanges the signals
 * once per macro step H in a chosen way (costab_coupling). One macro step is then a linear map of the state:
 * all x, and what the master remembers. The co-simulation is stable iff the spectral radius of that map is
 * below 1; the continuous (monolithic) system x' = (A + B (I - L D)^-1 L C) x is stable iff its spectral
 * abscissa is below 0. [SP] sections 2 and 3, [GTL] section 3. Where a subsystem is known by the map of its
 * own steps only (COSTAB_SAMPLED), the continuous system is not known: its abscissa is NaN, its class letter
 * X.
 *
 * A model is plain data that the caller owns: its sizes, names and connections stay while its numbers may
 * change from point to point. Nothing here keeps state: all memory is in workspaces, one per thread. A
 * workspace grows when a point needs more than any point before it, and allocates nothing otherwise. */
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

/* A nonlinear subsystem x' = f(t, x, u), y = g(t, x, u); used by costab_network_simulate and
 * costab_network_bound, the analysis takes the matrices of the subsystem, its linearisation. Called by one
 * thread at a time for each workspace; [out] dx: `states` values, y: `outputs` values. An error ends the
 * simulation. */
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
     * rate = dg/dt, `outputs` values. An exchange of slopes (hermite) needs them; NULL: a central difference
     * of g along the solution stands for them, which is good to about ten digits. */
    costab_status (*output_jacobian)(void *context, double t, const double *x, const double *u, double *C,
                                     double *D, double *rate, costab_error *error);
    /* A micro step of a simulation has ended at t: where that is an event, [in, out] x may change, and [out]
     * *event is true; the monolithic solution is not followed from there on. NULL: there are no events. */
    costab_status (*accept)(void *context, double t, double *x, const double *u, bool *event,
                            costab_error *error);
} costab_dynamics;

/* A subsystem with a solver of its own, which a simulation calls as a master does: from t over `length`
 * seconds with the inputs u, which rise by `rise` over these (NULL: they are held). [out] y: its outputs at
 * the end. t is that of the call before, which then did not count, or its end, or 0: the run begins anew. */
typedef struct costab_stepper {
    void *context;
    costab_status (*step)(void *context, double t, double length, const double *u, const double *rise,
                          double *y, costab_error *error);
} costab_stepper;

/* A subsystem. Matrices are row-major: A states x states, B states x inputs, C outputs x states, D outputs x
 * inputs; D is zero where NULL, x0 (states values) too; a matrix without entries may be NULL. A subsystem
 * without states is a gain y = D u. */
typedef struct costab_subsystem {
    const char *name;
    int states, inputs, outputs;
    const char *const *state_names;  /* NULL: x1, x2, ... */
    const char *const *input_names;  /* NULL: u1, u2, ... */
    const char *const *output_names; /* NULL: y1, y2, ... */
    const double *A, *B, *C, *D, *x0;
    costab_method method;
    int substeps; /* micro steps per step of its own; 0: `step` gives the micro step's length */
    double step;  /* in seconds */
    const costab_dynamics *dynamics; /* NULL: linear */
    /* It exchanges signals every `stride` macro steps and is advanced over all of them at once; 0 counts as
     * 1, at most COSTAB_STRIDE_MAX. */
    int stride;
    /* Numbers of the states that are positions q and velocities v, `pairs` of each, q' = v; for methods that
     * need them every state is one of the two. NULL where pairs is 0. */
    int pairs;
    const int *positions, *velocities;
    /* Relative error of the entries of A, B, C and D beside that of rounding them; it widens `rounding` and
     * `abscissa_rounding` of costab_network_point. 0: none. */
    double doubt;
    /* With the method COSTAB_SAMPLED, whose A and B are the map of one step of length `step` (substeps is 0),
     * y = C x, D is NULL: what simulations call instead; its states are not known then, x0 begins with the
     * outputs at the start. NULL: they use the map. */
    const costab_stepper *stepper;
    /* With the method COSTAB_SAMPLED: states x inputs, what an input does to a step that rises by 1 over it
     * from 0; NULL: inputs are held. */
    const double *rise;
    /* With the method COSTAB_SAMPLED: the step of its own solver, of which `step` is a multiple; 0: not
     * known. */
    double own_step;
    uint64_t version; /* of A, B, C, D, rise and doubt; see costab_network */
} costab_subsystem;

/* The polynomial that a connection delivers over a step: through 1 to 4 values, or through values and slopes
 * of the source. The last three extrapolate only, by a line in local time s = 0..1 that is no polynomial
 * through values, with the differences y_n - y_(n-1) and y_n - 2 y_(n-1) + y_(n-2):
 *     y_n + (a0 + a1 s) (first difference) + (b0 + b1 s) (second difference),
 * after steps of other lengths with divided differences times the step's length, and its square. */
typedef enum costab_hold {
    COSTAB_CONSTANT,
    COSTAB_LINEAR,
    COSTAB_QUADRATIC,
    COSTAB_CUBIC,
    COSTAB_HERMITE,
    COSTAB_SPECTRAL, /* a0 = 5/2, a1 = -4: no error of third order in the eigenvalues of masses that
                        exchange displacements */
    COSTAB_TUNED,    /* a0 and a1 of one's own */
    COSTAB_TUNED_2,  /* b0 and b1, too */
    COSTAB_HOLD_COUNT
} costab_hold;

typedef struct costab_extrapolation {
    costab_hold hold;
    double a0, a1, b0, b1; /* of COSTAB_TUNED and COSTAB_TUNED_2 */
} costab_extrapolation;

/* Output `output` of subsystem `from`, times gain, to input `input` of subsystem `to`, `delay` macro steps
 * late; or, where delay_time > 0 (delay is 0 then), this many seconds, which a message waits until the next
 * exchange: ceil(delay_time / macro step) whole macro steps. */
typedef struct costab_connection {
    int from, output, to, input;
    double gain;
    int delay;
    double delay_time;
    bool extrapolates; /* in its own way, whatever the coupling says: */
    costab_extrapolation extrapolation;
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

/* Versions let one workspace analyse many points of a network without computing anew what has not changed:
 * within a workspace, equal versions other than 0 promise equal contents. A version 0 promises nothing. Give
 * contents that change a version that the workspace has not seen. Limitation: a wrong version gives wrong
 * results; builds with -DCOSTAB_CHECK_VERSIONS abort instead. */
typedef struct costab_network {
    int subsystem_count, connection_count, bond_count, source_count;
    const costab_subsystem *subsystems;
    const costab_connection *connections;
    const costab_bond *bonds;
    const costab_source *sources;
    /* The modes that the model has at all values of its parameters. NULL: every number of the network counts
     * as fixed, and costab_network_structure finds the modes of these numbers. */
    const costab_structure *structure;
    uint64_t
        structure_version; /* of everything but gains, `structure`, and what subsystems' versions are of */
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
    COSTAB_WHOLE,      /* a whole number of micro steps per macro step, else an error */
    COSTAB_CLOCKS,     /* each subsystem steps while its own clock is behind the master's: [SP] Algorithm 1 */
    COSTAB_REAL_POWER, /* a real number of micro steps by complex powers, as [SP] computes; analysis only */
    COSTAB_MICRO_STEPS_COUNT
} costab_micro_steps;

typedef struct costab_coupling {
    costab_coupling_scheme scheme;
    double macro_step;
    costab_hold interpolation; /* where the new value is known: it held, or a polynomial through it */
    costab_hold extrapolation; /* where it is not: a polynomial of the last values */
    costab_feedthrough feedthrough;
    const int *order; /* gauss-seidel: the subsystems' numbers in order; NULL: as listed */
    int iterations;   /* iterated: number of sweeps; 0: to convergence; COSTAB_NEWTON: the loop is solved */
    costab_micro_steps micro_steps;
    /* Extrapolations run on from where the last one ended, to where the next would end. */
    bool smoothed;
    costab_hold predictor;  /* sweeps: the extrapolation that is the first guess; not hermite */
    double relaxation;      /* iterated: share of a sweep's values in the next guess, below 2; 0: all, 1 */
    double area_correction; /* jacobi, constant: share of the last step's error that is made good */
    double a0, a1, b0, b1;  /* of the extrapolations COSTAB_TUNED and COSTAB_TUNED_2 */
} costab_coupling;

/* "jacobi", "constant", "delayed", "whole", ...: the words of a model file; NULL outside the range. */
COSTAB_API const char *costab_coupling_scheme_name(costab_coupling_scheme scheme);
COSTAB_API const char *costab_hold_name(costab_hold hold);
COSTAB_API const char *costab_feedthrough_name(costab_feedthrough feedthrough);
COSTAB_API const char *costab_micro_steps_name(costab_micro_steps micro_steps);

/* The couplings one compares: jacobi-K (K the extrapolation), gauss-seidel-K, iterated-K (to convergence) and
 * newton-K (K the interpolation), K one of linear, quadratic, cubic, hermite or absent (constant); each
 * with delayed feedthrough and, with -solved behind it, solved; and jacobi-spectral. The i-th name of the
 * fixed list. */
COSTAB_API int costab_coupling_count(void);
COSTAB_API const char *costab_coupling_name(int i);
/* Sets all choices of `coupling` but macro_step and micro_steps by a name of the list, or one with
 * -smoothed or -solved or both behind it (-extrapolated is taken for -linear), or jacobi(A0,A1) with weights
 * of COSTAB_TUNED, perhaps with -solved. The planar system's names cross, zigzag and strong stand for jacobi,
 * gauss-seidel-linear and iterated-linear. What the name does not say is as by default. COSTAB_INVALID with
 * the grammar of names for any other. */
#define COSTAB_COUPLING_GRAMMAR                                                                              \
    "jacobi, jacobi(phi,theta) with weights, gauss-seidel, gauss-seidel(b,a) in an order, iterated or "      \
    "newton, then perhaps -linear, "                                                                         \
    "-quadratic, -cubic or -hermite (of jacobi -spectral, too), then -smoothed, -solved or both; cross, "    \
    "zigzag, strong mean jacobi, gauss-seidel-linear, iterated-linear"
COSTAB_API costab_status costab_coupling_find(const char *name, costab_coupling *coupling,
                                              costab_error *error);
/* Writes a name that costab_coupling_find takes as answers have it: -linear for the older word -extrapolated,
 * jacobi, gauss-seidel-linear and iterated-linear for cross, zigzag and strong. [out] *plain: free with
 * memory_free. */
COSTAB_MODULE costab_status costab_coupling_plain_name(const char *name, char **plain, costab_error *error);
/* The same with an order for gauss-seidel, as in gauss-seidel(b,a)-linear: the names of all subsystems of the
 * network. [out] order: as many places as subsystems, which coupling->order then points to (NULL where the
 * name has none). */
COSTAB_API costab_status costab_coupling_find_ordered(const char *name, const costab_network *network,
                                                      int *order, costab_coupling *coupling,
                                                      costab_error *error);

/* Checks the model: sizes, names, indices, finite numbers, methods, micro steps; every mistake is one line of
 * the message. */
COSTAB_API costab_status costab_network_check(const costab_network *network, costab_error *error);
/* Checks the choices against a checked model, micro steps that do not divide the macro step included. */
COSTAB_API costab_status costab_coupling_check(const costab_network *network, const costab_coupling *coupling,
                                               costab_error *error);
/* Whether inputs keep their values between exchanges: no connection and no choice lets them change. */
COSTAB_MODULE bool costab_coupling_holds(const costab_network *network, const costab_coupling *coupling);
/* Calls `say` for each choice that is allowed but probably not meant: an input without a connection; a
 * chain of feedthrough subsystems under jacobi, which adds a macro step of delay per link ([MS] section 3).
 */
COSTAB_API void costab_network_warnings(const costab_network *network, const costab_coupling *coupling,
                                        void (*say)(void *context, const char *warning), void *context);

/* ---- The macro-step map ---- */

/* Bits of a class: together 0 UU, 1 US, 2 SU, 3 SS, as in costab/planar.h; where rounding, or a neutral mode,
 * hides on which side of the limit a system is, 16 NU, 17 NS, 34 SN, 32 UN, 48 NN; where the continuous
 * system is not known (an FMU for co-simulation is part of it), 64 XU, 65 XS, 96 XN. */
enum {
    COSTAB_DISCRETE_STABLE = 1,
    COSTAB_CONTINUOUS_STABLE = 2,
    COSTAB_CONTINUOUS_NEUTRAL = 16,
    COSTAB_DISCRETE_NEUTRAL = 32,
    COSTAB_CONTINUOUS_UNKNOWN = 64
};

/* What is known of a network at one point.
 *
 * Structural modes. An equilibrium, A_mono x = 0, is a fixed point of every coupling: an eigenvalue 0 and 1
 * that says nothing about stability. The equilibria of costab_network.structure are removed, and so are its
 * rigid motions if the coupling keeps them; radius, abscissa, their roundings, growth and class are those of
 * what remains. An eigenvalue 0 that only the present values of parameters have is a limit: it remains, and
 * the class is N. Nothing is removed under COSTAB_REAL_POWER, whose maps are complex.
 *
 * Rounding. The map M is known to about e = size epsilon ||M||, and so are its eigenvalues if they are
 * well-conditioned: the co-simulation counts as stable only where spectral_radius + e < 1. An eigenvalue that
 * is ill-conditioned moves further, a double one of a Jordan block by sqrt(e): so do those at 1 of a network
 * with free drift (two masses without a spring to the ground), which rounding would call stable here and
 * unstable there. Near the unit circle `rounding` is therefore the larger of e and (1 + l (c - 1)) e/2:
 * c = (1 - spectral_radius) ||(z I - M)^-1|| is the condition of an eigenvalue, z the place of the circle
 * next to it, M balanced and part by part; l = 1 + log2 of the most micro steps in a macro step, which are
 * composed by as many squarings. A normal M has c = 1 and nothing added; an ill-conditioned one is stable
 * where no such perturbation of it brings an eigenvalue to the circle. The abscissa is treated alike, with l
 * = 1. What lies on the limit, an integrator without feedback for one, counts as unstable.
 */
typedef struct costab_network_point {
    int size;               /* of the map */
    long period;            /* macro steps after which the pattern of micro steps repeats: 1 but for clocks */
    double spectral_radius; /* of one macro step: of the product over the period, to the power 1/period */
    double beyond;          /* spectral_radius - 1; for short macro steps formed without cancellation */
    double rounding; /* e = size * epsilon * ||M||_F, more for ill-conditioned eigenvalues near the circle
                        (above); of short macro steps by ||M - I||: stable iff beyond + rounding < 0 */
    double iteration_radius; /* of the map of guesses to guesses (the largest over the period); NaN but for
                                iterated */
    double spectral_abscissa;
    int neutral;       /* equilibria that were removed */
    int motions, kept; /* rigid motions among them, and those that the co-simulation keeps: removed, too */
    double growth;     /* ln(spectral_radius)/macro step - spectral_abscissa, in 1/s: what the coupling
                          and the solvers add to the slowest decay; of what remains */
    double decay;      /* ln(spectral_radius)/macro step, in 1/s: below 0 where the co-simulation decays. The
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
 * singular in its direction. COSTAB_NUMERIC if LAPACK finds no singular values, COSTAB_MEMORY. */
COSTAB_API costab_status costab_network_structure(const costab_network *network, costab_structure *structure,
                                                  costab_error *error);

typedef struct costab_network_work costab_network_work;

/* A workspace, empty at first; one per thread. [out] *work: free with costab_network_work_destroy. */
COSTAB_API costab_status costab_network_work_create(costab_network_work **work, costab_error *error);
COSTAB_API void costab_network_work_destroy(costab_network_work **work);

/* Analyses one point of a network that costab_network_check has passed. Under an iteration to convergence the
 * class counts iteration_radius >= 1 as unstable.
 * COSTAB_INVALID for choices that do not fit the model and for a singular loop; COSTAB_NUMERIC if the map or
 * the continuous system's matrix overflows, and if LAPACK gives up. */
COSTAB_API costab_status costab_network_analyse(costab_network_work *work, const costab_network *network,
                                                const costab_coupling *coupling, costab_network_point *point,
                                                costab_error *error);

/* The class alone, the same that costab_network_analyse finds, faster: powers of the map tell most points
 * apart for sure, and only the rest needs eigenvalues. The eigenvalues of this point cannot be asked for
 * afterwards. */
COSTAB_API costab_status costab_network_classify(costab_network_work *work, const costab_network *network,
                                                 const costab_coupling *coupling, uint8_t *class_code,
                                                 costab_error *error);

/* How many eigenvalues of the last point's map were removed: those of equilibria and of kept motions. */
COSTAB_API int costab_network_removed(const costab_network_work *work);

/* Is nothing of the last point left to analyse: has neither the continuous system a state beside the removed
 * modes, nor the map an eigenvalue other than 0? If an iteration is part of the map there always is.
 * COSTAB_MEMORY. */
COSTAB_MODULE costab_status costab_network_vacuous(const costab_network_work *work, bool *vacuous,
                                                   costab_error *error);

/* The map of the last point analysed: size x size, row-major, the product over the period; *imaginary is NULL
 * for a real map. Borrowed until the workspace is used again. */
COSTAB_API void costab_network_matrix(const costab_network_work *work, const double **real,
                                      const double **imaginary);

/* Its eigenvalues, largest modulus first, a pair with its positive imaginary part first. [out] values:
 * as many as the point's size; neutral (may be NULL): of each whether it was set aside, as the 1 of an
 * equilibrium or of a rigid motion that is kept. */
COSTAB_API void costab_network_spectrum(const costab_network_work *work, costab_complex *values,
                                        bool *neutral);

/* The monolithic matrix of the last point, states x states, row-major; and the number of states. */
COSTAB_API const double *costab_network_monolithic(const costab_network_work *work, int *states);

/* What the i-th entry of the map's state is, such as "plant.x1" or "plant.force held": into text (size
 * bytes); "" where there is none, and before the first analysis. */
COSTAB_API void costab_network_label(const costab_network_work *work, int i, char *text, size_t size);

/* The unit of macro steps under COSTAB_WHOLE: the least common multiple of the micro steps; 0 where every
 * subsystem has `substeps`. COSTAB_INVALID where they have no common multiple within reason. */
COSTAB_MODULE costab_status costab_network_macro_unit(const costab_network *network, double *unit,
                                                      costab_error *error);

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

/* The name of a signal: the model's, with " (input)" behind that of an input that an output of the subsystem
 * has too, or x1, u1, y1, bond1.power, bond1.energy, bond1.energy_made written into `name`; "" where the
 * network has no such signal. */
COSTAB_API const char *costab_signal_name(const costab_network *network, int subsystem,
                                          costab_signal_kind kind, int index,
                                          char name[COSTAB_SIGNAL_NAME_MAX]);

typedef struct costab_signal {
    int subsystem, index; /* as in costab_row */
    costab_signal_kind kind;
} costab_signal;

/* The signal of a name: "motor.x2", a state, else an output, else an input of this name of the subsystem; or
 * a bond's, "bond1.power". COSTAB_INVALID where there is none. */
COSTAB_API costab_status costab_signal_find(const costab_network *network, const char *name,
                                            costab_signal *signal, costab_error *error);

typedef struct costab_row {
    double t;
    int subsystem, index;
    costab_signal_kind kind;
    bool communication;       /* a value at a communication point, else one at a micro step's end */
    double value, monolithic; /* monolithic: NaN where not asked for */
} costab_row;

/* Takes one row; returning false stops the simulation with COSTAB_CANCELLED. */
typedef bool (*costab_row_sink)(void *context, const costab_row *row);

typedef struct costab_simulate_options {
    double until; /* in seconds: up to the last macro step that does not begin after it: t <= until */
    /* Lengths of macro steps in seconds, above 0, that are taken in turn, over and over, in place of the
     * coupling's; borrowed. NULL: all are the coupling's. COSTAB_INVALID with strides, own clocks, real
     * powers. costab_network_measure takes none. */
    const double *steps;
    long step_count;
    bool local;      /* rows at micro steps too */
    bool monolithic; /* the reference beside */
    /* 2 or more: rows of so many communication points alone, those next to as many times that are spread
     * evenly from the first to the last; with strides of those at which all subsystems communicate. `local`
     * has no effect. Peaks between them are not seen. 0: all. */
    long points;
    double blow_up; /* magnitude of a state that stops the run; 0: 1e100 */
    /* Rows of COSTAB_SIGNAL_ENERGY_MADE too: W = int (u1 y1 + sigma u2 y2) dt over each macro step, u what
     * the bond's connections deliver, y along the subsystems' own solutions; above 0 where the coupling makes
     * energy. The exact integral for the method exact, the method's own quadrature for Runge-Kutta methods,
     * NaN where a subsystem of the bond has another method. With strides each side counts where its own step
     * begins. */
    bool energy_made;
    /* Asked every few micro steps; true ends with COSTAB_CANCELLED. NULL: never. */
    bool (*stop)(void *context);
    void *stop_context;
} costab_simulate_options;

#define COSTAB_REASON_MAX 400

typedef struct costab_simulate_outcome {
    double t; /* the last communication point */
    long macro_steps;
    bool diverged; /* stopped: a state passed blow_up or was no number; rows up to there were handed over */
    int subsystem; /* whose */
    /* diverged: what happened, where and when, such as "f of 'h' in subsystem 'tank' is not a number at t =
     * 0.425, where h = -0.0079"; whether it is that an equation has no finite value there; and the time. */
    char reason[COSTAB_REASON_MAX];
    bool no_value;
    double ended_at;
} costab_simulate_outcome;

/* Checks the network and the coupling (costab_network_check, costab_coupling_check), and simulates as [SP]
 * Algorithm 1 with the coupling's choices: own clocks, held or interpolated inputs, the
 * subsystems' methods; before the start every output has its initial value. Rows come in order of time. The
 * reference is exact for a linear network without sources, else a fine fifth-order Runge-Kutta solution.
 * Without bonds and rows of micro steps a linear subsystem without sources takes all those of a macro step
 * at once: the numbers are those of the micro steps but for rounding. Divergence of the values is an
 * outcome, not an error;
 * COSTAB_NUMERIC where a coupling iteration or an implicit stage does not converge. */
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

/* Does the same and keeps the rows. [out] rows: free with costab_rows_free, also after an error. */
COSTAB_API costab_status costab_network_rows(const costab_network *network, const costab_coupling *coupling,
                                             const costab_simulate_options *options, costab_rows *rows,
                                             costab_simulate_outcome *outcome, costab_error *error);
COSTAB_API void costab_rows_free(costab_rows *rows);

/* The same for a network and a coupling that are checked already, in a workspace of one's own, one per
 * thread, for many runs: memory grows where a run needs more than any before, and else none is allocated. */
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
    bool error, energy_residual, energy_made; /* what is wanted */
    bool exchanges; /* the error at communication points alone: errors between them are not seen */
    double enough;  /* a run whose error passes this ends there; 0: none */
    bool (*stop)(void *context); /* as in costab_simulate_options */
    void *stop_context;
} costab_measure_options;

/* A run in numbers; NaN where not wanted. */
typedef struct costab_measures {
    double error; /* the largest difference between a state and the monolithic one, over all micro steps (with
                     `exchanges` at communication points); infinite where the run diverges */
    double energy_residual; /* the residual energies dP H of all bonds and macro steps, summed, [VPF]:
                               negative where more energy goes into the subsystems than comes out of them,
                               infinite where the run diverges. It sees communication points alone: it is 0
                               for a converged iteration, whatever happens inside its steps */
    double energy_made; /* the energy that the coupling makes inside the macro steps, of all bonds, summed:
                           above 0 where the subsystems take in more than they give; infinite where the run
                           diverges. costab_network_measure returns COSTAB_INVALID where a bond's method has
                           no quadrature */
} costab_measures;

/* Simulates and measures. Errors as costab_network_simulate. */
COSTAB_API costab_status costab_network_measure(costab_network_simulator *simulator,
                                                const costab_network *network,
                                                const costab_coupling *coupling,
                                                const costab_measure_options *wanted,
                                                costab_measures *measures, costab_error *error);

/* How far one signal is from the monolithic one. */
typedef struct costab_signal_error {
    costab_signal signal; /* a state or an output */
    double error;         /* the largest difference over all micro steps; infinite of what diverges */
    double t;             /* the first time at which it is so large */
    double largest;       /* the largest value of the monolithic signal */
} costab_signal_error;

typedef struct costab_signal_errors {
    size_t count;
    costab_signal_error *rows; /* subsystem by subsystem, states first */
    long worst; /* the state with the largest error, which is that of costab_measures; -1: no states */
    costab_simulate_outcome outcome;
} costab_signal_errors;

/* Simulates up to options->until, whose `local`, `monolithic`, `points` and `energy_made` have no effect, and
 * measures every state and output. Of a system that is not known (an FMU for co-simulation) the errors are
 * infinite. [out] errors: free with costab_signal_errors_free, also after an error. Errors as
 * costab_network_simulate. */
COSTAB_API costab_status costab_network_signal_errors(const costab_network *network,
                                                      const costab_coupling *coupling,
                                                      const costab_simulate_options *options,
                                                      costab_signal_errors *errors, costab_error *error);
COSTAB_API void costab_signal_errors_free(costab_signal_errors *errors);

/* One macro step from a given map state (size values, in place), by the simulation's own micro steps: for
 * comparison with the map. `index` >= 0 is the number of the macro step, which matters under COSTAB_CLOCKS.
 */
COSTAB_API costab_status costab_network_macro_step(const costab_network *network,
                                                   const costab_coupling *coupling, long index, double *state,
                                                   costab_error *error);

/* ---- Error bound [MS] ---- */

typedef struct costab_bound_options {
    double error;   /* the error allowed, Delta E*; above 0 */
    double horizon; /* in seconds; 0: twenty times the slowest time constant */
    bool printed; /* the recipe as [MS] section 5 carries it out: M_f the largest later extremum of |f|, M_g =
                     M_f */
} costab_bound_options;

typedef struct costab_bound {
    double f[2], g[2]; /* M_f and M_g of the first subsystem (plant, p) and the second (controller, c) */
    double factor;     /* sqrt(M_fc^2 (1 + M_gc^2) + M_fp^2 (1 + 2 M_gp^2)): Delta E <= factor T */
    double macro_step; /* T_max = error / factor, in seconds */
    double horizon;    /* that was taken, in seconds */
} costab_bound;

/* [MS] eq. 30 and 31 for a network of two subsystems. COSTAB_INVALID for another number of them, an error or
 * a horizon that is not positive, no horizon where the continuous system is not stable, and with `printed`
 * where |f| has no extremum after the start; COSTAB_NUMERIC where the solution cannot be followed. */
COSTAB_API costab_status costab_network_bound(const costab_network *network,
                                              const costab_bound_options *options, costab_bound *bound,
                                              costab_error *error);

/* The same in a workspace of one's own. */
COSTAB_API costab_status costab_network_simulator_bound(costab_network_simulator *simulator,
                                                        const costab_network *network,
                                                        const costab_bound_options *options,
                                                        costab_bound *bound, costab_error *error);

/* The largest difference between a state of the distributed run with this coupling and the monolithic one,
 * over all micro steps up to the horizon, in seconds. [out] *error_found; infinite where the run diverges.
 * Errors as costab_network_simulate. */
COSTAB_API costab_status costab_network_error(const costab_network *network, const costab_coupling *coupling,
                                              double horizon, double *error_found, costab_error *error);

#ifdef __cplusplus
}
#endif
#endif
