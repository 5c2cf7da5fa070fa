/* study/balls.h - a model's parameters as a family of matrices in ball arithmetic. */
#pragma once

#include "costab/study.h"
#include "proof/confirm.h"
#include "spec/model_balls.h"

typedef struct study_balls {
    model_balls *numbers;
    const struct model_body *body; /* of the model */
    ball_network network;
    arb_t shift;  /* t of (t - A_mono)^-1 (t + A_mono), the part BALL_SYSTEM (proof/ball_map.h); positive */
    int coupling; /* number of the model's coupling from which the macro step comes */
    bool whole;   /* weights, relaxation and area correction come from it, too */
    int first;    /* the model's number of the network's first subsystem */
    struct study_ball_part {
        struct study_balls *balls;
        ball_part part;
    } parts[BALL_PART_COUNT];
    confirmer confirmer; /* its families are those of the parts */
} study_balls;

/* The family's model, parameters and coupling, in balls; ranges: of each parameter, in which all balls lie.
 * The family is borrowed and must not be used meanwhile. COSTAB_INVALID with the reason where there is no
 * ball arithmetic for it. [out] *balls: free with study_balls_destroy, which leaves *balls NULL. */
costab_status study_balls_create(const costab_study_family *family, const double ranges[][2],
                                 study_balls **balls, costab_error *error);
void study_balls_destroy(study_balls **balls);
