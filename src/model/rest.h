/* model/rest.h - the operating point of the whole network.
 *
 * Equations of a network at rest in z = (states of all subsystems, then their inputs):
 *
 *     F(z) = (f(x, u); u - L g(x, u) - s),   L: gains of the connections, s: sources at t = 0.
 *
 * Delays have no effect. An unknown has the equation of the same index; given values (`unknown` false) have
 * none. A motion is a combination of states with constant F, such as the common angle of coupled shafts. One
 * of its states is held at the given value, and the network may move along it at a constant speed c, an
 * additional unknown of z: F of the states is then f - V_x c. */
#pragma once

#include "model/instance.h"

/* Matrices are stored by columns, as in LAPACK. */
typedef struct model_rest {
    costab_model_instance *instance;
    int states, size;           /* states of z; states and inputs, without speeds */
    int *state, *input;         /* per subsystem: index of its first state and input in z */
    bool *unknown, *held;       /* per entry of z */
    int *rows, row_count;       /* indices of the unknown entries: the equations */
    int *columns, column_count; /* unknowns not held, and the speeds */
    int *moving, motions;       /* held states with a constant speed */
    double *z;                  /* the point; z[size + k]: speed of the state moving[k] */
    double *F, *terms;          /* equations at z, and the largest term of each */
    double *J;                  /* derivatives of F, size x (size + motions) */
    double *V;                  /* motions, size x motions; the k-th has 1 at moving[k] */
    double *start;              /* given values, the start of Newton's method */
    /* Start of the continuation and its point: the model's own parameters, or those of
     * costab_model_instance_anchor. */
    double *own, *nominal;
    bool begun, at_rest, anchored; /* it was tried; it has a point; it is not the model's own */
    bool solved, finite;           /* the present parameters have a point; the last correction was finite */
    double *kept;                  /* last point of the continuation */
    double *target;                /* target parameters */
    /* Results of the last Newton step: units of equations and unknowns, the smallest singular value relative
     * to the largest, the share of F left by the step, the equation with most of it, and the rank. regular:
     * some step since the start could remove all of F. */
    double *row_units, *column_units, *step, ratio, lost;
    int worst, rank;
    bool regular;
    double *matrix, *copy, *right, *singular, *trial, *trial_F, *trial_terms;
    double *local; /* of one subsystem: states, inputs, t; slopes of an equation; values of an FMU */
    double *slopes, *values;
    char reason[400]; /* the reason for a failure */
} model_rest;

/* `all`: treats the states and connected inputs of all nonlinear subsystems as unknown, whatever the model
 * says. Free with model_rest_free. COSTAB_MEMORY. */
costab_status model_rest_make(costab_model_instance *instance, bool all, model_rest **rest,
                              costab_error *error);
void model_rest_free(model_rest **rest);

/* Finds the point at the instance's present parameters; reports an error on failure. Does nothing if a
 * subsystem has no numbers. */
void model_rest_update(model_update *u);

/* Copies the point of subsystem s: states, then inputs. */
static inline void model_rest_point(const model_rest *rest, int s, double *point) {
    const model_subsystem *from = &rest->instance->model->body->subsystems[s];
    for (int i = 0; i < from->states; i++) point[i] = rest->z[rest->state[s] + i];
    for (int i = 0; i < from->inputs; i++) point[from->states + i] = rest->z[rest->input[s] + i];
}

/* Smallest misfit worth a warning. */
#define MODEL_MISFIT 1e-3

/* Consistency of given operating points with the network: the largest relative change of an eigenvalue of the
 * monolithic system by one Newton step towards the network's own point. */
typedef struct model_misfit {
    double misfit;
    int subsystem;                 /* subsystem of the least consistent value */
    char words[COSTAB_MISFIT_MAX]; /* description of that value */
    bool skipped;                  /* the network is too large */
} model_misfit;

/* Measures the misfit at the instance's last update. Leaves FMUs at another point. May return
 * COSTAB_MEMORY. */
costab_status model_misfit_find(costab_model_instance *instance, model_misfit *found, costab_error *error);

/* Determines if the network settles elsewhere than at the point found. [out] entry: index in z of the state
 * with the largest difference, -1: none; there: its final value. May return COSTAB_MEMORY. */
costab_status rest_settle(model_rest *r, int *entry, double *there, costab_error *error);

/* Returns the subsystem of an entry of z. [out] i: index among its states, followed by its inputs. */
int rest_subsystem(const model_rest *r, int entry, int *i);
enum { REST_NAME_MAX = 200 };
/* Writes the name of an entry of z, such as "motor.w". */
const char *rest_name(const model_rest *r, int entry, char name[REST_NAME_MAX]);

/* ---- Internal functions of the search ---- */

/* Computes F, the largest terms and, unless J is NULL, the derivatives at z. Returns false if a value is not
 * finite. */
bool rest_evaluate(model_rest *r, const double *z, double *F, double *terms, double *J);
/* Writes the given values of all subsystems into z. Returns false if an FMU fails. */
bool rest_load(model_rest *r, double *z);
/* Computes the k-th point near z with finite F and J, in the units of the columns, into r->trial, with F and
 * J. */
bool rest_nearby(model_rest *r, const double *z, const double *units, int k);
/* Sets entries of r->trial below a share of the largest, in the units of the columns, to 0. */
void rest_drop_roundings(model_rest *r, double share);
/* Marks the unknown values. */
void rest_mark_unknown(model_rest *r, bool all);
/* Computes units, powers of 2, such that a[i, j] rows[i] columns[j] is about 1. */
void rest_equilibrate(int rows, int columns, const double *a, double *row_units, double *column_units);
/* Chooses the held states at z. Returns COSTAB_INVALID if a state to be held is determined by the network. */
costab_status rest_choose_held(model_rest *r, const double *z, costab_error *error);
/* Computes the motions V at z: J V = 0, 1 at the moving states. Returns false on failure. */
bool rest_find_motions(model_rest *r, const double *z);
/* Computes the minimum-norm solution of matrix x = right in units of the equations, without singular values
 * below 1e-12 of the largest. The matrix, rows x columns, is in r->matrix. r->right has `sides` right sides,
 * replaced by the solutions, with leading dimension r->size. Returns false if LAPACK fails. */
bool rest_solve(model_rest *r, int rows, int columns, int sides);
/* Computes a Newton step from known F and J into r->step, one entry per column. */
bool rest_step(model_rest *r);
/* Copies the derivatives by the columns into r->matrix. */
void rest_put_columns(model_rest *r);
