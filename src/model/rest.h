/* model/rest.h - the operating point of the whole network.
 *
 * The equations of a network at rest, in z = (states of all subsystems, then their inputs):
 *
 *     F(z) = (f(x, u); u - L g(x, u) - s),   L: gains of the connections, s: sources at t = 0.
 *
 * Delays drop out. An unknown has an equation of the same index; values that are given (`unknown` is false)
 * have none. A motion is a combination of states along which F does not change, such as the common angle of
 * coupled shafts: one state of it is held at its given value, and the network may move along it at a constant
 * speed c, an unknown behind the others in z: F of the states is f - V_x c. */
#pragma once

#include "model/instance.h"

/* Matrices are stored by columns, as LAPACK has them. */
typedef struct model_rest {
    costab_model_instance *instance;
    int states, size;           /* of z: its states; states and inputs, without speeds */
    int *state, *input;         /* of each subsystem: where its states and its inputs begin in z */
    bool *unknown, *held;       /* of each entry of z */
    int *rows, row_count;       /* the unknown entries: equations */
    int *columns, column_count; /* those that are not held, and the speeds */
    int *moving, motions;       /* held states that may move at a constant speed */
    double *z;                  /* the point; z[size + k]: the speed of the state moving[k] */
    double *F, *terms;          /* equations at z, and the largest term of each */
    double *J;                  /* derivatives of F, size x (size + motions) */
    double *V;                  /* motions, size x motions; the k-th has 1 at moving[k] */
    double *start;              /* given values, where Newton's method begins */
    /* Parameters from which the point is followed, and the point there: the model's own, or those at which
     * the instance was anchored. */
    double *own, *nominal;
    bool begun, at_rest, anchored; /* they were tried; they have a point; they are not the model's */
    bool solved, finite; /* the present parameters have one; the last correction met finite values alone */
    double *kept;        /* the last point on the way to other parameters */
    double *target;      /* values of the parameters */
    /* The last step of Newton's method: units of equations and unknowns, the smallest singular value relative
     * to the largest, the share of F that no step removes, and the equation that has the most of it; whether
     * a step since the start could remove all of F. */
    double *row_units, *column_units, *step, ratio, lost;
    int worst, rank;
    bool regular;
    double *matrix, *copy, *right, *singular, *trial, *trial_F, *trial_terms;
    double *local; /* of one subsystem: states, inputs, t; slopes of an equation; values of another program */
    double *slopes, *values;
    char reason[400]; /* why no point was found */
} model_rest;

/* `all`: the inputs and states of all nonlinear subsystems are unknown, whatever the model says. Free with
 * model_rest_free. */
costab_status model_rest_make(costab_model_instance *instance, bool all, model_rest **rest,
                              costab_error *error);
void model_rest_free(model_rest **rest);

/* Finds the point at the instance's present parameters; otherwise tells a mistake. */
void model_rest_update(model_update *u);

/* Writes the point of subsystem s: states, then inputs. */
static inline void model_rest_point(const model_rest *rest, int s, double *point) {
    const model_subsystem *from = &rest->instance->model->body->subsystems[s];
    for (int i = 0; i < from->states; i++) point[i] = rest->z[rest->state[s] + i];
    for (int i = 0; i < from->inputs; i++) point[from->states + i] = rest->z[rest->input[s] + i];
}

/* A larger change of an eigenvalue by the misfit of operating points is worth a warning. */
#define MODEL_MISFIT 1e-3

/* How well given operating points fit the network: the largest relative change of an eigenvalue of the
 * monolithic system by one step of Newton's method towards the network's own point. */
typedef struct model_misfit {
    double misfit;
    int subsystem;                 /* whose value fits least, */
    char words[COSTAB_MISFIT_MAX]; /* and which it is */
    bool skipped;                  /* the network is too large */
} model_misfit;

/* Measures the misfit at the instance's last update. Programs of FMUs are left at another point.
 * COSTAB_MEMORY.
 */
costab_status model_misfit_find(costab_model_instance *instance, model_misfit *found, costab_error *error);

/* Whether the network comes to rest elsewhere than at the point that was found. [out] entry: of z, the state
 * that ends furthest apart, -1: none; there: its value. COSTAB_MEMORY. */
costab_status rest_settle(model_rest *r, int *entry, double *there, costab_error *error);

/* Whose entry of z it is. [out] i: which of its states and, behind them, inputs. */
int rest_subsystem(const model_rest *r, int entry, int *i);
enum { REST_NAME_MAX = 200 };
/* An entry of z by its name: "motor.w". */
const char *rest_name(const model_rest *r, int entry, char name[REST_NAME_MAX]);

/* ---- Between the files of the search */

/* Computes F, the largest terms and, unless J is NULL, the derivatives at z. False if something is not
 * finite. */
bool rest_evaluate(model_rest *r, const double *z, double *F, double *terms, double *J);
/* Writes the given values of all subsystems into z. False if another program fails. */
bool rest_load(model_rest *r, double *z);
/* A point near z where F and J are finite, into r->trial; the k-th choice, in the units of the columns. F and
 * J there are computed. */
bool rest_nearby(model_rest *r, const double *z, const double *units, int k);
/* Entries of r->trial below a share of the largest, in the units of the columns, become 0. */
void rest_drop_roundings(model_rest *r, double share);
/* Marks the values that are unknown. */
void rest_mark_unknown(model_rest *r, bool all);
/* Units in which the entries of a matrix are about 1: a[i, j] rows[i] columns[j], powers of 2. */
void rest_equilibrate(int rows, int columns, const double *a, double *row_units, double *column_units);
/* Chooses the held states at z. COSTAB_INVALID: a state that the model wants held is determined. */
costab_status rest_choose_held(model_rest *r, const double *z, costab_error *error);
/* The motions V at z: J V = 0, 1 at the moving states. False if there are none there. */
bool rest_find_motions(model_rest *r, const double *z);
/* Minimum-norm solution of matrix x = right, each with `sides` columns, in units of the equations, without
 * singular values below 1e-12 of the largest. The matrix is in r->matrix, the right sides and the solution in
 * r->right, with leading dimension r->size. */
bool rest_solve(model_rest *r, int rows, int columns, int sides);
/* A step of Newton's method from where F and J are known, into r->step: of each column. */
bool rest_step(model_rest *r);
/* The derivatives by the columns into r->matrix. */
void rest_put_columns(model_rest *r);
