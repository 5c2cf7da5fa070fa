/* [LIM], [PRE], [SKSP], [KYL]: benchmark models of co-simulation. Their sources print no critical steps; the
 * numbers beside ours come from a second program, written on its own. */
#include "claims/claims.h"

/* The first critical macro step of a coupling with exact subsystems; `stride` 0: the model has none. */
typedef struct critical_step {
    const char *model, *coupling;
    int stride;
    const char *quantity, *value;
} critical_step;

static const char second_program[] = "the number beside it is a second program's";

/* A parameter that all of them have, and where they are searched for. */
typedef struct critical_setting {
    const char *parameter;
    double value, low, high;
} critical_setting;

static void critical_steps(claims *c, const critical_step *steps, size_t count,
                           const critical_setting *setting) {
    for (size_t i = 0; i < count; i++) {
        claims_model(c, steps[i].model);
        claims_set(c, setting->parameter, setting->value);
        if (steps[i].stride > 0) claims_set(c, "S", steps[i].stride);
        claim_number(c, steps[i].quantity, steps[i].value,
                     claims_limit(c, steps[i].coupling, "H", setting->low, setting->high), second_program);
    }
}

/* What a coupling adds to the slowest decay, of the model at hand. */
typedef struct growth {
    const char *coupling, *quantity, *value;
} growth;

static void growths(claims *c, const growth *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        (void)claims_radius(c, rows[i].coupling);
        claim_number(c, rows[i].quantity, rows[i].value, c->point.growth, second_program);
    }
}

void claims_lim(claims *c) {
    static const critical_step steps[] = {
        {"lim/springs", "jacobi", 0, "case 1, displacements: critical H, constant", "0.0022223657"},
        {"lim/springs", "jacobi-linear", 0, "case 1, displacements: critical H, linear", "0.0143025659"},
        {"lim/springs", "jacobi-quadratic", 0, "case 1, displacements: critical H, quadratic",
         "0.0297730644"},
        {"lim/springs", "jacobi-cubic", 0, "case 1, displacements: critical H, cubic", "0.0443505226"},
        {"lim/springs", "jacobi-linear-smoothed", 0, "case 1, displacements: critical H, smoothed linear",
         "0.0098907134"},
        {"lim/springs", "both-linear", 0, "case 1, displacements: critical H by gauss-seidel, both linear",
         "0.0188557455"},
        {"lim/springs", "jacobi", 2, "case 1, displacements, strides 1 and 2: critical H, constant",
         "0.0011111828"},
        {"lim/springs", "jacobi-linear", 2, "case 1, displacements, strides 1 and 2: critical H, linear",
         "0.0077650437"},
        {"lim/springs", "jacobi", 5, "case 1, displacements, strides 1 and 5: critical H, constant",
         "0.0004444731"},
        {"lim/springs-newton", "newton", 0, "case 1, displacements: critical H by newton, constant",
         "0.0018202101"},
        {"lim/springs-newton", "newton-linear", 0, "case 1, displacements: critical H by newton, linear",
         "0.0944391737"},
        {"lim/springs-newton", "newton-quadratic", 0,
         "case 1, displacements: critical H by newton, quadratic", "0.0306353714"},
        {"lim/springs-newton", "newton-cubic", 0, "case 1, displacements: critical H by newton, cubic",
         "0.0355006034"},
        {"lim/force", "jacobi", 0, "case 1, force: critical H, constant", "0.0001387496"},
        {"lim/force", "jacobi-linear", 0, "case 1, force: critical H, linear", "0.0052411220"},
        {"lim/force", "gauss-seidel", 0, "case 1, force: critical H by gauss-seidel", "0.0004440007"},
    };
    static const critical_setting damped = {"c", 0.01, 1e-5, 0.2};
    critical_steps(c, steps, sizeof steps / sizeof *steps, &damped);
    static const growth jacobi[] = {
        {"jacobi", "case 0, displacements, H = 0.001: growth in 1/s, constant", "0.0049492"},
        {"jacobi-linear", "case 0, displacements, H = 0.001: growth in 1/s, linear", "0.0000036643"},
        {"jacobi-quadratic", "case 0, displacements, H = 0.001: growth in 1/s, quadratic", "0.00000037125"},
    };
    static const growth newton = {"newton-quadratic",
                                  "case 0, displacements, H = 0.001: growth in 1/s by newton, quadratic",
                                  "0.00000045784"};
    claims_model(c, "lim/springs");
    claims_set(c, "c", 0);
    growths(c, jacobi, sizeof jacobi / sizeof *jacobi);
    claims_model(c, "lim/springs-newton");
    claims_set(c, "c", 0);
    growths(c, &newton, 1);
}

void claims_precice(claims *c) {
    static const critical_step steps[] = {
        {"precice/oscillator", "jacobi", 0, "damping 1: critical H, constant", "0.0127259619"},
        {"precice/oscillator", "jacobi-linear", 0, "damping 1: critical H, linear", "0.0379243843"},
        {"precice/oscillator", "jacobi-quadratic", 0, "damping 1: critical H, quadratic", "0.0623570882"},
        {"precice/oscillator", "jacobi-cubic", 0, "damping 1: critical H, cubic", "0.0683089095"},
        {"precice/oscillator", "jacobi-linear-smoothed", 0, "damping 1: critical H, smoothed linear",
         "0.0261559966"},
        {"precice/oscillator", "both-linear", 0, "damping 1: critical H by gauss-seidel, both linear",
         "0.0527316056"},
        {"precice/oscillator", "jacobi", 2, "damping 1, strides 1 and 2: critical H, constant",
         "0.0063629809"},
        {"precice/oscillator", "jacobi-linear", 2, "damping 1, strides 1 and 2: critical H, linear",
         "0.0206178224"},
        {"precice/oscillator", "jacobi", 5, "damping 1, strides 1 and 5: critical H, constant",
         "0.0025451924"},
        {"precice/newton", "newton", 0, "damping 1: critical H by newton, constant", "0.0126718634"},
        {"precice/newton", "newton-linear", 0, "damping 1: critical H by newton, linear", "0.1746343085"},
        {"precice/newton", "newton-quadratic", 0, "damping 1: critical H by newton, quadratic",
         "0.0885418081"},
        {"precice/newton", "newton-cubic", 0, "damping 1: critical H by newton, cubic", "0.0841813056"},
    };
    static const critical_setting damped = {"d", 1, 1e-5, 0.2};
    critical_steps(c, steps, sizeof steps / sizeof *steps, &damped);
    static const growth jacobi[] = {
        {"jacobi", "undamped, H = 0.004: growth in 1/s, constant", "0.15777"},
        {"jacobi-linear", "undamped, H = 0.004: growth in 1/s, linear", "0.00059914"},
        {"jacobi-quadratic", "undamped, H = 0.004: growth in 1/s, quadratic", "0.000074764"},
        {"jacobi-cubic", "undamped, H = 0.004: growth in 1/s, cubic", "0.00000007837"},
    };
    static const growth newton = {"newton-quadratic",
                                  "undamped, H = 0.004: growth in 1/s by newton, quadratic", "0.000074743"};
    claims_model(c, "precice/oscillator");
    claims_set(c, "H", 0.004);
    growths(c, jacobi, sizeof jacobi / sizeof *jacobi);
    claims_model(c, "precice/newton");
    claims_set(c, "H", 0.004);
    growths(c, &newton, 1);
    claims_model(c, "precice/newmark");
    (void)claims_radius(c, "newton-cubic");
    claim_number(c, "undamped, H = 0.04, Newmark, four micro steps, cubic waveforms: growth in 1/s",
                 "0.0180517084", c->point.growth, second_program);
    claims_model(c, "precice/generalized-alpha");
    (void)claims_radius(c, "newton-cubic");
    claim_number(c, "undamped, H = 0.04, generalized alpha, four micro steps, cubic waveforms: growth in 1/s",
                 "0.0200489631", c->point.growth, second_program);
}

void claims_quarter_car(claims *c) {
    static const critical_step steps[] = {
        {"quarter-car/quarter-car", "jacobi", 0, "critical H, constant", "0.0533652784"},
        {"quarter-car/quarter-car", "jacobi-linear", 0, "critical H, linear", "0.111798841"},
        {"quarter-car/quarter-car", "gauss-seidel", 0, "critical H by gauss-seidel", "0.286037380"},
        {"quarter-car/quarter-car", "iterated-linear", 0, "critical H, iterated, linear", "0.288231364"},
    };
    static const critical_setting published = {"dC", 1000, 1e-3, 0.4};
    critical_steps(c, steps, sizeof steps / sizeof *steps, &published);
}

void claims_kyllingstad(claims *c) {
    static const char *const rows[][3] = {
        {"jacobi", "H = 0.1: radius beside the neutral mode, constant", "0.948766654613"},
        {"jacobi-linear", "H = 0.1: radius beside the neutral mode, linear", "0.950785654179"},
        {"newton-linear", "H = 0.1: radius beside the neutral mode, newton, linear", "0.951308637360"}};
    claims_model(c, "kyllingstad/oscillator");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        claim_number(c, rows[i][1], rows[i][2], claims_radius(c, rows[i][0]), second_program);
    claim_statement(c, "H = 0.1: neutral modes", "1", c->point.neutral, c->point.neutral == 1,
                    "the displacement is integrated twice");
}
