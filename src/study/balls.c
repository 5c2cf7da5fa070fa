/* A model's parameters to the network's matrices, ball by ball, for proofs (docs/algorithms.md, Ball
 * proofs).
 *   1. The slots of the model at balls of the parameters that vary (spec/model_balls.c).
 *   2. From these the matrices, gains and steps of the network at hand; what does not vary is the nominal
 *      double, exactly.
 *   3. The proof's rooms make the map of them (proof/ball_map.c).
 * Every ball contains the number for all values of the parameters within theirs. */
#include "study/balls.h"

#include "base/error.h"
#include "base/memory.h"
#include "method/matrix.h"
#include "network/analyse.h"
#include "proof/ball_neutral.h"
#include "spec/model_body.h"
#include "study/variant.h"

enum { PRECISION = 128 };

static void copy_matrix(const study_balls *balls, int slot, acb_mat_t to) {
    acb_srcptr from = model_balls_slots(balls->numbers, slot);
    if (from == NULL) return;
    for (slong i = 0; i < acb_mat_nrows(to); i++)
        for (slong j = 0; j < acb_mat_ncols(to); j++)
            acb_set(acb_mat_entry(to, i, j), from + i * acb_mat_ncols(to) + j);
}

static void copy_number(const study_balls *balls, int slot, acb_t to) {
    if (slot >= 0) acb_set(to, model_balls_slots(balls->numbers, slot));
}

static const model_coupling *coupling_of(const study_balls *balls) {
    return &balls->body->couplings[balls->coupling];
}

static void copy_weights(const study_balls *balls, int slot, acb_ptr to) {
    for (int i = 0; i < 4 && slot >= 0; i++) copy_number(balls, slot + i, to + i);
}

/* The network's numbers at the parameters `at`. */
static bool update_network(study_balls *balls, acb_srcptr at, slong precision) {
    ball_network *network = &balls->network;
    if (!model_balls_update(balls->numbers, at, precision)) return false;
    for (int s = 0; s < network->subsystem_count; s++) {
        ball_subsystem *to = &network->subsystems[s];
        const model_subsystem *from = &balls->body->subsystems[balls->first + s];
        copy_matrix(balls, from->A, to->A);
        copy_matrix(balls, from->B, to->B);
        copy_matrix(balls, from->C, to->C);
        copy_matrix(balls, from->D, to->D);
        if (!to->feedthrough && !acb_mat_is_zero(to->D)) return false;
    }
    for (int c = 0; c < network->connection_count; c++) {
        const model_connection *from = &balls->body->connections[c];
        network->connections[c].seconds = from->delay_time >= 0;
        copy_number(balls, from->gain, network->connections[c].gain);
        copy_number(balls, from->delay_time, network->connections[c].delay_time);
        copy_weights(balls, from->weights, network->connections[c].weights);
    }
    copy_number(balls, coupling_of(balls)->macro_step, network->macro_step);
    if (!balls->whole) return true;
    copy_weights(balls, coupling_of(balls)->weights, network->weights);
    copy_number(balls, coupling_of(balls)->slot[COUPLING_OF_relaxation], network->relaxation);
    copy_number(balls, coupling_of(balls)->slot[COUPLING_OF_area_correction], network->area_correction);
    return network->corrects_area || acb_is_zero(network->area_correction);
}

/* A ball_family's function: one of the network's matrices at the parameters `at`. */
static bool make_matrix(void *context, acb_srcptr at, slong precision, acb_mat_t matrix) {
    const struct study_ball_part *part = context;
    study_balls *balls = part->balls;
    if (!update_network(balls, at, precision)) {
        acb_mat_init(matrix, 0, 0);
        return false;
    }
    return ball_network_matrix(&balls->network, part->part, balls->shift, precision, matrix);
}

/* Updates the network at the parameters `at`, and fits its whole numbers to the macro step there. */
static bool fit(void *context, acb_srcptr at, bool choose, slong precision) {
    study_balls *balls = context;
    return update_network(balls, at, precision) && ball_network_fit(&balls->network, choose, precision);
}

/* t of (t - A_mono)^-1 (t + A_mono): any positive number; one of the size of the eigenvalues keeps most
 * digits. */
static costab_status choose_shift(const costab_study_family *family, const costab_coupling *coupling,
                                  arb_t shift, costab_error *error) {
    costab_network_point point;
    int states;
    costab_network network = costab_study_family_network(family);
    costab_status status = costab_network_analyse(family->work, &network, coupling, &point, error);
    arb_one(shift);
    if (status == COSTAB_MEMORY) return status;
    if (status) return COSTAB_OK; /* ill-posed at this point */
    const double *matrix = costab_network_monolithic(family->work, &states);
    double norm = matrix_norm((size_t)states * (size_t)states, matrix);
    if (norm > 0) arb_set_d(shift, norm);
    return COSTAB_OK;
}

/* Can the coupling correct areas, and does the model say by how much? */
static bool may_correct_area(const study_balls *balls, const costab_network *network,
                             costab_coupling coupling) {
    coupling.area_correction = 1;
    return coupling_of(balls)->slot[COUPLING_OF_area_correction] >= 0 &&
           costab_coupling_check(network, &coupling, NULL) == COSTAB_OK;
}

/* Properties that hold for all values of the parameters in their ranges: equilibria, what feeds through, and
 * that no area is corrected. Numbers that do not depend on the parameters there stay exact when these are
 * balls around the ranges, and so show them. */
static void find_exact_properties(study_balls *balls, const costab_study_family *family,
                                  const double ranges[][2]) {
    ball_network *network = &balls->network;
    flint_local_vector(acb, at, family->count);
    flint_local(arb, end);
    for (int i = 0; i < family->count; i++) {
        arb_set_d(acb_realref(at + i), ranges[i][0]);
        arb_set_d(end, ranges[i][1]);
        arb_union(acb_realref(at + i), acb_realref(at + i), end, PRECISION);
    }
    for (int s = 0; s < network->subsystem_count; s++) network->subsystems[s].feedthrough = true;
    if (!update_network(balls, at, PRECISION)) return;
    for (int s = 0; s < network->subsystem_count; s++)
        network->subsystems[s].feedthrough = !acb_mat_is_zero(network->subsystems[s].D);
    if (acb_is_zero(network->area_correction)) network->corrects_area = false;
    ball_neutral_find(network);
}

costab_status study_balls_create(const costab_study_family *family, const double ranges[][2],
                                 study_balls **created, costab_error *error) {
    study_balls *balls = *created = memory_alloc(1, sizeof *balls);
    if (balls == NULL) return error_memory(error);
    flint_ends_with_thread();
    costab_coupling coupling = study_family_coupling(family);
    costab_network network = costab_study_family_network(family);
    arb_init(balls->shift);
    acb_init(balls->network.macro_step);
    balls->body = model_instance_model(family->instance)->body;
    balls->whole = family->own >= 0 && family->alone == 0;
    balls->first = family->alone > 0 ? family->alone - 1 : 0;
    balls->coupling = family->own >= 0 ? family->own : 0;
    costab_status status = choose_shift(family, &coupling, balls->shift, error);
    if (!status) status = ball_network_make(&network, &coupling, &balls->network, error);
    if (!status) ball_network_set(&network, &coupling, &balls->network);
    if (!status)
        status =
            model_balls_create(family->instance, family->parameters, family->count, &balls->numbers, error);
    if (!status) {
        if (balls->whole) balls->network.corrects_area = may_correct_area(balls, &network, coupling);
        find_exact_properties(balls, family, ranges);
    }
    for (int p = 0; p < BALL_PART_COUNT; p++) {
        balls->parts[p] = (struct study_ball_part){balls, (ball_part)p};
        balls->confirmer.families[p] = (ball_family){&balls->parts[p], make_matrix};
    }
    balls->confirmer.fit = fit;
    balls->confirmer.fit_context = balls;
    if (!analyse_converges(&coupling)) balls->confirmer.families[BALL_ITERATION].make = NULL;
    balls->confirmer.precision = PRECISION;
    if (status) study_balls_destroy(created);
    return status;
}

void study_balls_destroy(study_balls **destroyed) {
    if (*destroyed == NULL) return;
    study_balls *balls = *destroyed;
    model_balls_destroy(&balls->numbers);
    ball_network_free(&balls->network);
    arb_clear(balls->shift);
    memory_free(balls);
    *destroyed = NULL;
}
