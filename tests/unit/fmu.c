/* FMUs as subsystems: what they say of themselves, and their derivatives against the truth. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "costab/fmu.h"
#include "costab/study.h"
#include "fmu/child.h"
#include "fmu/description.h"
#include "study/create.h"
#include "support/support.h"

#define PATH_SIZE 1000

static const char *fmu_path(const char *name, int version, char path[PATH_SIZE]) {
    const char *folder = getenv("COSTAB_FMUS");
    snprintf(path, PATH_SIZE, "%s/%s-%d.fmu", folder != NULL ? folder : "build/tests/fmu", name, version);
    return path;
}

static void succeeded(costab_status status, const costab_error *error) {
    if (status) fail_msg("%s", error->message);
}

/* ---- Descriptions ---- */

TEST(test_description) {
    for (int version = 2; version <= 3; version++) {
        char path[PATH_SIZE];
        costab_fmu *fmu = NULL;
        costab_fmu_info info;
        costab_fmu_variable v;
        check_ok(costab_fmu_read(fmu_path("mass", version, path), &fmu, &why));
        costab_fmu_get_info(fmu, &info);
        assert_string_equal(info.name, "mass");
        assert_string_equal(info.version, version == 2 ? "2.0" : "3.0");
        assert_int_equal(info.states, 2);
        assert_int_equal(info.variables, 2 + 2 + 1 + 2 + 5);
        assert_true(info.offers[COSTAB_FMU_MODEL_EXCHANGE] && info.derivatives[COSTAB_FMU_MODEL_EXCHANGE]);
        assert_true(info.runs[COSTAB_FMU_CO_SIMULATION] && info.keeps_state[COSTAB_FMU_CO_SIMULATION]);
        assert_true(info.step_size == 0.01);
        assert_true(costab_fmu_get_variable(fmu, 0, &v) && v.state && v.start == 1);
        assert_string_equal(v.name, "x");
        assert_true(costab_fmu_get_variable(fmu, 4, &v) && strcmp(v.causality, "input") == 0);
        assert_false(costab_fmu_get_variable(fmu, info.variables, &v));
        costab_fmu_free(&fmu);
        assert_null(fmu);
    }
}

/* A description of these variables and this structure. */
static costab_status parse(int version, const char *variables, const char *structure, costab_fmu *fmu,
                           costab_error *error) {
    char bytes[4000];
    int size = snprintf(bytes, sizeof bytes,
                        "<fmiModelDescription fmiVersion='%d.0' modelName='m' guid='g' "
                        "instantiationToken='g'><CoSimulation modelIdentifier='m'/><ModelVariables>%s"
                        "</ModelVariables><ModelStructure>%s</ModelStructure></fmiModelDescription>",
                        version, variables, structure);
    *fmu = (costab_fmu){.path = NULL};
    return description_parse(fmu, "m.xml", bytes, (size_t)size, error);
}

static void refused(int version, const char *variables, const char *structure, const char *words) {
    costab_fmu fmu;
    costab_error error;
    assert_int_equal(parse(version, variables, structure, &fmu, &error), COSTAB_INVALID);
    if (strstr(error.message, words) == NULL) fail_msg("%s", error.message);
    description_clear(&fmu);
}

/* A name stands for one variable; the numbers of a structure may be as large as 32 bits hold. */
TEST(test_forged) {
    static const char *const of_2 = "<ScalarVariable name='x' valueReference='1'><Real/></ScalarVariable>"
                                    "<ScalarVariable name='%s' valueReference='2' causality='output'>"
                                    "<Real derivative='%s'/></ScalarVariable>",
                             *const states = "<Derivatives><Unknown index='2'/></Derivatives>";
    char variables[1000];
    costab_fmu fmu;
    snprintf(variables, sizeof variables, of_2, "x", "1");
    refused(2, variables, states, "two variables have the name 'x'");
    static const char *const nobodys[] = {"0", "3", "2147483648", "4294967295"};
    for (size_t i = 0; i < sizeof nobodys / sizeof *nobodys; i++) {
        snprintf(variables, sizeof variables, of_2, "y", nobodys[i]);
        refused(2, variables, states, "is missing, or has a different type");
    }
    snprintf(variables, sizeof variables, of_2, "y", "1");
    check_ok(parse(2, variables,
                   "<Outputs><Unknown index='2' dependencies='2147483648 4294967295 0'/></Outputs>", &fmu,
                   &why));
    assert_true(fmu.variables[1].no_feedthrough);
    description_clear(&fmu);
    for (int depends = 0; depends < 2; depends++) {
        check_ok(parse(3,
                       "<Float64 name='u' valueReference='3000000000' causality='input' start='0'/>"
                       "<Float64 name='y' valueReference='1' causality='output'/>",
                       depends ? "<Output valueReference='1' dependencies='3000000000'/>"
                               : "<Output valueReference='1' dependencies=''/>",
                       &fmu, &why));
        assert_int_equal(fmu.variables[1].no_feedthrough, !depends);
        description_clear(&fmu);
    }
}

/* Variables are found by references in any order, whatever is between them; the length of an array may
 * precede or follow it. */
TEST(test_references) {
    enum { COUNT = 20 };
    char variables[4000] = "", structure[1000] = "";
    costab_fmu fmu;
    for (int i = 0; i < COUNT; i++) {
        size_t at = strlen(variables), end = strlen(structure);
        unsigned reference = (unsigned)(i * 7 % COUNT) * 200000000u; /* up to 3.8e9 */
        snprintf(variables + at, sizeof variables - at, "<Float64 name='v%d' valueReference='%u' %s/>", i,
                 reference, i % 2 == 0 ? "causality='output'" : "causality='input' start='0'");
        if (i % 2 == 0)
            snprintf(structure + end, sizeof structure - end,
                     "<Output valueReference='%u' dependencies='%u'/>", reference,
                     (i / 2 % 2 == 0 ? 0u : 7u) * 200000000u);
    }
    check_ok(parse(3, variables, structure, &fmu, &why));
    for (int i = 0; i < COUNT; i++) { /* 0 is that of v0, an output; 7 that of v1, an input */
        char name[20];
        snprintf(name, sizeof name, "v%d", i);
        assert_int_equal(description_find(&fmu, name), i);
        assert_int_equal(fmu.variables[i].no_feedthrough, i % 4 == 0);
    }
    assert_int_equal(description_find(&fmu, "v20"), -1);
    assert_int_equal(description_find(&fmu, ""), -1);
    description_clear(&fmu);
    static const char
        *const before = "<UInt64 name='n' valueReference='7' causality='structuralParameter' start='3'/>",
               *const array = "<Float64 name='x' valueReference='1' causality='output'>"
                              "<Dimension valueReference='7'/><Dimension start='2'/></Float64>";
    for (int behind = 0; behind < 2; behind++) {
        snprintf(variables, sizeof variables, "%s%s", behind ? array : before, behind ? before : array);
        check_ok(parse(3, variables, "<Output valueReference='1'/>", &fmu, &why));
        assert_int_equal(fmu.variables[behind ? 0 : 1].size, 6);
        description_clear(&fmu);
    }
    refused(3, array, "", "no structural parameter has the value reference 7");
}

/* A name is one line: the texts of models and tables have it. */
TEST(test_names) {
    static const char *const wrong[] = {"a&#10;b",
                                        "a&#9;b",
                                        "a&#13;",
                                        "a\xc2\x85"
                                        "b",
                                        "\xc2\x90",
                                        "a\xe2\x80\xa8"
                                        "b"},
                             *const right[] = {"a b", "f\xc3\xbcr", "der('x: {#')", "\xe2\x82\xac"};
    char variables[300];
    costab_fmu fmu;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(variables, sizeof variables, "<Float64 name=\"%s\" valueReference='1'/>", wrong[i]);
        refused(3, variables, "", "has control characters");
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        snprintf(variables, sizeof variables, "<Float64 name=\"%s\" valueReference='1'/>", right[i]);
        check_ok(parse(3, variables, "", &fmu, &why));
        assert_string_equal(fmu.variables[0].name, right[i]);
        description_clear(&fmu);
    }
}

/* ---- Derivatives ---- */

enum { MOST = 8 };

/* A subsystem at one update. */
typedef struct linear {
    costab_foreign_ports ports; /* names are gone with the part */
    char first_state[64];
    double A[MOST * MOST], B[MOST * MOST], C[MOST * MOST], D[MOST * MOST], x0[MOST], point[2 * MOST];
    costab_foreign_numbers numbers;
    void *part, *instance;
    costab_status status;
    costab_error error;
} linear;

/* Opens the FMU and updates it once. */
static void begin(const char *name, int version, costab_fmu_kind kind, const char *const *starts,
                  const double *values, int count, const double *point, linear *l) {
    char path[PATH_SIZE];
    const costab_foreign *foreign = costab_fmu_foreign();
    costab_foreign_wish wish = {.path = fmu_path(name, version, path),
                                .kind = costab_fmu_kind_name(kind),
                                .starts = starts,
                                .start_count = count};
    *l = (linear){.status = COSTAB_OK};
    succeeded(foreign->find(&wish, &l->part, &l->ports, &l->error), &l->error);
    succeeded(foreign->open(l->part, &l->instance, &l->error), &l->error);
    for (int i = 0; i < 2 * MOST; i++) l->point[i] = point != NULL ? point[i] : (double)NAN;
    l->numbers = (costab_foreign_numbers){.starts = values,
                                          .point = l->point,
                                          .length = 0.1,
                                          .A = l->A,
                                          .B = l->B,
                                          .C = l->C,
                                          .D = l->D,
                                          .x0 = l->x0};
    l->status = foreign->update(l->instance, &l->numbers, &l->error);
}

static void end(linear *l) {
    costab_fmu_foreign()->close(l->instance);
    costab_fmu_foreign()->leave(l->part);
}

/* Opens it for model exchange, closed again. */
static void linearise(const char *name, int version, const char *const *starts, const double *values,
                      int count, const double *point, linear *l) {
    begin(name, version, COSTAB_FMU_MODEL_EXCHANGE, starts, values, count, point, l);
    snprintf(l->first_state, sizeof l->first_state, "%s", l->ports.state_names[0]);
    end(l);
}

static void assert_near(const double *found, const double *expected, int count, double tolerance) {
    double most = 0, worst = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(expected[i]));
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(found[i] - expected[i]));
    if (!(worst <= tolerance * most)) fail_msg("off by %g of %g", worst, most);
}

/* The mass gives its derivatives: exact products of its parameters. */
TEST(test_given) {
    const char *const starts[] = {"k", "m"};
    const double values[] = {30, 4}, A[] = {0, 1, -30.0 / 4, -0.5 / 4}, B[] = {0, 0.25}, C[] = {1, 0, 0, 1};
    for (int version = 2; version <= 3; version++) {
        linear l;
        linearise("mass", version, starts, values, 2, NULL, &l);
        succeeded(l.status, &l.error);
        assert_true(l.ports.states == 2 && l.ports.inputs == 1 && l.ports.outputs == 2 &&
                    !l.ports.feedthrough);
        assert_near(l.A, A, 4, 1e-10);
        assert_near(l.B, B, 2, 1e-10);
        assert_near(l.C, C, 4, 1e-10);
        assert_true(l.x0[0] == 1 && l.x0[1] == 0);
    }
}

/* The other mass does not: differences. */
TEST(test_differences) {
    const double A[] = {0, 1, -(5 + 20) / 0.5, -(0.3 + 0.4) / 0.5}, B[] = {0, 0, 20 / 0.5, 0.4 / 0.5},
                 C[] = {20, 0.4}, D[] = {-20, -0.4};
    for (int version = 2; version <= 3; version++) {
        linear l;
        linearise("coupled", version, NULL, NULL, 0, NULL, &l);
        succeeded(l.status, &l.error);
        assert_true(l.ports.feedthrough);
        assert_string_equal(l.first_state, "body.x");
        assert_near(l.A, A, 4, 1e-7);
        assert_near(l.B, B, 4, 1e-7);
        assert_near(l.C, C, 2, 1e-7);
        assert_near(l.D, D, 2, 1e-7);
        assert_true(l.numbers.found.doubt < 1e-7);
    }
}

/* At a given point. */
TEST(test_nonlinear) {
    const double given[] = {0.8, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int version = 2; version <= 3; version++) {
        linear l;
        linearise("duffing", version, NULL, NULL, 0, given, &l);
        succeeded(l.status, &l.error);
        const double A[] = {0, 1, -2 - 9 * 0.8 * 0.8, -0.7}, C[] = {2 * 0.8 + 3 * 0.8 * 0.8 * 0.8, -1};
        assert_near(l.A, A, 4, 1e-7);
        assert_near(l.C, C, 2, 1e-7);
        /* The error is that of the output's: h^2/6 times its third derivative. It is reported, and not too
         * small.
         */
        double error = fmax(fabs(l.C[0] - C[0]), fabs(l.A[2] - A[2]));
        assert_true(error <= 10 * l.numbers.found.doubt * 8 + 1e-15);
    }
}

/* At x = 0 the stop's slopes to both sides differ. */
TEST(test_kink) {
    const double beside[2 * MOST] = {0.5};
    for (int version = 2; version <= 3; version++) {
        linear l;
        linearise("stop", version, NULL, NULL, 0, NULL, &l);
        assert_int_equal(l.status, COSTAB_INVALID);
        assert_non_null(strstr(l.error.message, "slopes by 'x'"));
        linearise("stop", version, NULL, NULL, 0, beside, &l);
        succeeded(l.status, &l.error);
        assert_true(fabs(l.A[2] + 10) < 1e-6 && l.numbers.found.warning[0] == '\0');
    }
}

/* Without inputs nothing is measured: all is held, whatever its start values are. */
TEST(test_held) {
    const char *const starts[] = {"rate"};
    const double values[] = {2};
    for (int version = 2; version <= 3; version++) {
        linear l;
        begin("source", version, COSTAB_FMU_CO_SIMULATION, starts, values, 1, NULL, &l);
        succeeded(l.status, &l.error);
        assert_true(l.numbers.found.states == 1 && l.A[0] == 0 && l.C[0] == 0 && l.x0[0] == 0);
        end(&l);
    }
}

/* An FMU that was replaced after its description was read is not run: it may be another model. */
TEST(test_replaced) {
    char path[PATH_SIZE], own[] = "/tmp/costab-XXXXXX", command[3 * PATH_SIZE];
    const costab_foreign *foreign = costab_fmu_foreign();
    const costab_foreign_wish wish = {.path = own, .kind = "model-exchange"};
    linear l = {.status = COSTAB_OK};
    int made = mkstemp(own);
    assert_true(made >= 0 && close(made) == 0);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(command, sizeof command, "cp '%s' %s", fmu_path(i == 0 ? "mass" : "chassis", 2, path),
                       own);
        assert_int_equal(system(command), 0);
        if (i == 0) succeeded(foreign->find(&wish, &l.part, &l.ports, &l.error), &l.error);
    }
    succeeded(foreign->open(l.part, &l.instance, &l.error), &l.error);
    l.numbers = (costab_foreign_numbers){.point = l.point, .A = l.A, .B = l.B, .C = l.C};
    assert_int_equal(foreign->update(l.instance, &l.numbers, &l.error), COSTAB_INVALID);
    assert_non_null(strstr(l.error.message, "the file was replaced after the model was read"));
    end(&l);
    assert_int_equal(remove(own), 0);
}

/* ---- Not run ---- */

/* A byte that an FMU writes may be any: no flag that it can reach is a bool. */
#define IS_BOOL(value) _Generic((value), bool : true, default : false)
_Static_assert(!IS_BOOL(((fmu_board *)0)->timed), "fmu_board is shared with FMUs");
_Static_assert(!IS_BOOL(((fmu_answer *)0)->memory), "fmu_answer comes from their processes");
_Static_assert(!IS_BOOL(((fmu_answer *)0)->used_up), "fmu_answer comes from their processes");
_Static_assert(!IS_BOOL(*(fmi3_boolean *)0), "FMI 3 functions write flags");

static costab_status read_with_fmu(const costab_foreign *foreign) {
    char path[PATH_SIZE], bytes[2 * PATH_SIZE];
    costab_spec *spec = NULL;
    int length = snprintf(bytes, sizeof bytes,
                          "system: network\nsubsystems:\n  - {name: a, fmu: %s, kind: model-exchange}\n"
                          "coupling: {scheme: jacobi, macro_step: 0.05}\n",
                          fmu_path("mass", 2, path));
    costab_status status = costab_spec_parse_with("a.yaml", bytes, (size_t)length, foreign, &spec, &why);
    costab_spec_destroy(&spec);
    return status;
}

TEST(test_forbidden) {
    assert_int_equal(setenv("COSTAB_NO_FMU", "1", 1), 0);
    assert_int_equal(read_with_fmu(costab_fmu_foreign()), COSTAB_INVALID);
    assert_non_null(strstr(why.message, "a.yaml:3:"));
    assert_non_null(strstr(why.message, "COSTAB_NO_FMU"));
    costab_fmu_set_running(false);
    const costab_foreign *described = costab_fmu_foreign();
    costab_fmu_set_running(true);
    check_ok(read_with_fmu(described));
    assert_int_equal(unsetenv("COSTAB_NO_FMU"), 0);
    check_ok(read_with_fmu(costab_fmu_foreign()));
}

/* ---- f and g ---- */

TEST(test_slopes) {
    const costab_foreign *foreign = costab_fmu_foreign();
    const double x[] = {0.3, -0.2}, u[] = {0.7}, k = 2, c = 3, d = 0.7;
    double dx[2], y[1];
    linear l;
    begin("duffing", 3, COSTAB_FMU_MODEL_EXCHANGE, NULL, NULL, 0, NULL, &l);
    succeeded(l.status, &l.error);
    succeeded(foreign->f(l.instance, 1, x, u, dx, &l.error), &l.error);
    succeeded(foreign->g(l.instance, 1, x, u, y, &l.error), &l.error);
    assert_true(dx[0] == x[1]);
    assert_true(fabs(dx[1] - (u[0] - k * x[0] - c * x[0] * x[0] * x[0] - d * x[1])) < 1e-15);
    assert_true(fabs(y[0] - (x[1] * x[1] / 2 + k * x[0] * x[0] / 2 + c * pow(x[0], 4) / 4)) < 1e-15);
    end(&l);
}

/* ---- Histories ---- */

/* The states of an FMU for co-simulation are those of its measured map: a run does not have them. */
TEST(test_history) {
    char path[PATH_SIZE], bytes[2 * PATH_SIZE];
    costab_spec *spec = NULL;
    costab_study *study = NULL;
    int length = snprintf(bytes, sizeof bytes,
                          "system: network\nsubsystems:\n"
                          "  - {name: a, fmu: %s, kind: co-simulation, start: {steps: 4}}\n"
                          "coupling: {scheme: jacobi, macro_step: 0.05}\n",
                          fmu_path("coupled", 3, path));
    check_ok(costab_spec_parse_with("a.yaml", bytes, (size_t)length, costab_fmu_foreign(), &spec, &why));
    struct costab_network_signal signal = {.kind = COSTAB_SIGNAL_OUTPUT};
    const costab_network_history wanted = {.until = 0.2, .signal_count = 1, .signals = &signal};
    const costab_study_history history = {.variant = {.model = spec->model}, .wanted = &wanted};
    check_ok(costab_study_create_history(&history, &study, &why));
    costab_study_destroy(&study);
    signal.kind = COSTAB_SIGNAL_STATE;
    assert_int_equal(costab_study_create_history(&history, &study, &why), COSTAB_INVALID);
    assert_null(study);
    costab_spec_destroy(&spec);
}
