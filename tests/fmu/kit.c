/* Included at the end of a model (kit.h): all functions of FMI that an FMU has. */
#include <fcntl.h>
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Value references: of the first state, derivative, input, output, parameter. */
enum { AT_STATE = 0, AT_SLOPE = 100, AT_INPUT = 200, AT_OUTPUT = 300, AT_PARAMETER = 400, AT_LINK = 500 };
enum { ON = AT_LINK, LEVEL, WARM, COUNT, LABEL };
enum { STEPS = PARAMETERS, FAULT, ALL_PARAMETERS };
enum { OK, WARNING, DISCARD, ERROR, FATAL };
#define ROOM(n) ((n) > 0 ? (n) : 1)
#ifndef HIDDEN
#define HIDDEN 0 /* 1: the states cannot be set before its initialisation */
#endif
#ifndef LINES
#define LINES 0 /* 1: with FMI 2.0 its inputs can rise within a step */
#endif

#ifdef DESCRIBE
/* ---- The description ---- */

static void variable(const char *name, int reference, const char *attributes, const char *inner) {
#if FMI == 2
    printf("<ScalarVariable name=\"%s\" valueReference=\"%d\" %s><Real %s/></ScalarVariable>\n", name,
           reference, attributes, inner);
#else
    printf("<Float64 name=\"%s\" valueReference=\"%d\" %s %s/>\n", name, reference, attributes, inner);
#endif
}

#ifdef LINKS
static void port(const char *name, int reference, const char *type_2, const char *type_3,
                 const char *causality, const char *start) {
    if (FMI == 2)
        printf(
            "<ScalarVariable name=\"%s\" valueReference=\"%d\" causality=\"%s\" variability=\"discrete\"><%s%s/></ScalarVariable>\n",
            name, reference, causality, type_2, start);
    else
        printf("<%s name=\"%s\" valueReference=\"%d\" causality=\"%s\"%s/>\n", type_3, name, reference,
               causality, start);
}
#endif

static void unknown(const char *element, int index, int reference, const char *dependencies) {
#if FMI == 2
    (void)element;
    (void)reference;
    printf("<Unknown index=\"%d\"%s/>\n", index, dependencies);
#else
    (void)index;
    printf("<%s valueReference=\"%d\"%s/>\n", element, reference, dependencies);
#endif
}

static void list(const char *name, bool open) {
    if (FMI == 2) printf(open ? "<%s>\n" : "</%s>\n", name);
}

int main(void) {
    char inner[100];
    const char *state = FMI == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState";
    const char *given = FMI == 2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives";
#ifdef DERIVATIVES
    const char *has = "true";
#else
    const char *has = "false";
#endif
    printf(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%s\" modelName=\"%s\" %s=\"{kit}\"",
        FMI == 2 ? "2.0" : "3.0", MODEL, FMI == 2 ? "guid" : "instantiationToken");
    if (FMI == 2) printf(" numberOfEventIndicators=\"%d\"", INDICATORS);
    printf(">\n<ModelExchange modelIdentifier=\"model\" %s=\"%s\"/>\n", given, has);
    printf(
        "<CoSimulation modelIdentifier=\"model\" canHandleVariableCommunicationStepSize=\"true\" %s=\"true\"%s/>\n",
        state, FMI == 2 && LINES ? " canInterpolateInputs=\"true\"" : "");
    printf("<DefaultExperiment startTime=\"0\" stepSize=\"0.01\"/>\n<ModelVariables>\n");
    for (int i = 0; i < STATES; i++) {
        snprintf(inner, sizeof inner, "start=\"%.17g\"", state_starts[i]);
        variable(state_names[i], AT_STATE + i,
                 HIDDEN ? "causality=\"local\" variability=\"continuous\" initial=\"calculated\""
                        : "causality=\"local\" variability=\"continuous\" initial=\"exact\"",
                 HIDDEN ? "" : inner);
    }
    for (int i = 0; i < STATES; i++) {
        char name[60];
        snprintf(name, sizeof name, "der(%s)", state_names[i]);
        snprintf(inner, sizeof inner, "derivative=\"%d\"", FMI == 2 ? i + 1 : AT_STATE + i);
        variable(name, AT_SLOPE + i, "causality=\"local\" variability=\"continuous\"", inner);
    }
    for (int i = 0; i < INPUTS; i++)
        variable(input_names[i], AT_INPUT + i, "causality=\"input\" variability=\"continuous\"",
                 "start=\"0\"");
    for (int i = 0; i < OUTPUTS; i++)
        variable(output_names[i], AT_OUTPUT + i, "causality=\"output\" variability=\"continuous\"", "");
    for (int i = 0; i < ALL_PARAMETERS; i++) {
        const char *name = i < PARAMETERS ? parameter_names[i] : i == STEPS ? "steps" : "fault";
        snprintf(inner, sizeof inner, "start=\"%.17g\"",
                 i < PARAMETERS ? parameter_starts[i]
                 : i == STEPS   ? 1.0
                                : 0.0);
        variable(name, AT_PARAMETER + i, "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"",
                 inner);
    }
#ifdef LINKS
    port("on", ON, "Boolean", "Boolean", "input", " start=\"false\"");
    port("level", LEVEL, "Integer", "Int32", "input", " start=\"0\"");
    port("warm", WARM, "Boolean", "Boolean", "output", "");
    port("count", COUNT, "Integer", "Int32", "output", "");
    port("label", LABEL, "String", "String", "output", "");
#endif
    printf("</ModelVariables>\n<ModelStructure>\n");
    list("Outputs", true);
    for (int i = 0; i < OUTPUTS; i++)
        unknown("Output", 2 * STATES + INPUTS + 1 + i, AT_OUTPUT + i,
                FEEDTHROUGH ? "" : " dependencies=\"\"");
    list("Outputs", false);
    list("Derivatives", true);
    for (int i = 0; i < STATES; i++) unknown("ContinuousStateDerivative", STATES + 1 + i, AT_SLOPE + i, "");
    list("Derivatives", false);
    for (int i = 0; i < INDICATORS && FMI == 3; i++)
        printf("<EventIndicator valueReference=\"%d\"/>\n", AT_STATE);
    printf("</ModelStructure>\n</fmiModelDescription>\n");
    return 0;
}

#else
/* ---- The program ---- */

typedef void (*log_2)(void *, const char *, int, const char *, const char *, ...);
typedef void (*log_3)(void *, int, const char *, const char *);

typedef struct values {
    double p[ALL_PARAMETERS], t, x[ROOM(STATES)], u[ROOM(INPUTS)], y[ROOM(OUTPUTS)];
    double rate[ROOM(INPUTS)]; /* of the inputs, from the last exchange on */
    int on, level, count;
} values;

typedef struct instance {
    values v;
    bool simulation, stepped, continuous;
    double last;      /* where the last step ended */
    double tolerance; /* of FAULT_SOLVER */
    log_2 log2;
    log_3 log3;
    void *environment;
} instance;

static void say(instance *s, const char *words) {
    if (s->log2) s->log2(s->environment, "kit", ERROR, "error", "%s", words);
    if (s->log3) s->log3(s->environment, ERROR, "error", words);
}

__attribute__((constructor)) static void note_loading(void) {
    const char *path = getenv("KIT_LOADED");
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT, 0600) : -1;
    if (file >= 0) (void)close(file);
}

/* A folder in the folder for temporary files. */
static void leave_folder(void) {
    char path[1000];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/of-an-fmu-XXXXXX", folder != NULL ? folder : "/tmp");
    (void)!mkdtemp(path);
}

/* FAULT_SESSION, once in a process. */
static void leave_behind(void) {
    static bool done;
    if (done) return;
    done = true;
    leave_folder();
    (void)(mkdir("closed", 0700) + mkdir("closed/inside", 0700) + chmod("closed", 0));
    if (fork() != 0) return;
    if (setsid() < 0 || fork() != 0) _exit(0);
    for (;;) leave_folder(), usleep(10000);
}

/* Commits the fault that `fault` names. Returns a status. */
static int misbehave(instance *s) {
    switch ((int)s->v.p[FAULT]) {
    case FAULT_CRASH:
        *(volatile int *)0 = 1;
        break;
    case FAULT_HANG:
        for (;;) (void)pause();
    case FAULT_EXIT:
        exit(3);
    case FAULT_PRINT:
        printf("what an FMU says on the standard output\n"), fflush(stdout);
        break;
    case FAULT_ROUND:
        fesetround(FE_UPWARD);
        break;
    case FAULT_ERROR:
        say(s, "the spring\nbroke");
        return ERROR;
    case FAULT_ABORT:
        abort();
    case FAULT_FATAL:
        say(s, "all is lost");
        return FATAL;
    case FAULT_CHILDREN:
        if (fork() == 0)
            for (;;) (void)pause();
        abort();
    case FAULT_MEMORY:
        for (int i = 0; i < 64 && malloc((size_t)1 << 24) != NULL; i++) (void)i;
        return ERROR;
    case FAULT_WARN:
        fprintf(stderr, "what an FMU says\non the standard error\n");
        break;
    case FAULT_SLOW:
        for (clock_t start = clock(); clock() < start + CLOCKS_PER_SEC / 800;) (void)start;
        break;
    case FAULT_SCRIBBLE:
        memset(s->environment, 0xa5, 100);
        return ERROR;
    case FAULT_SESSION:
        leave_behind();
        break;
    case FAULT_STOP:
        for (;;) (void)kill(getppid(), SIGSTOP), usleep(100);
    case FAULT_SUSPEND:
        (void)raise(SIGSTOP);
        break;
    case FAULT_TRAP:
        feenableexcept(FE_DIVBYZERO), s->v.t = 1 / (s->v.p[FAULT] - FAULT_TRAP);
        break;
    }
    return OK;
}

static kit_values point(values *v) {
    return (kit_values){v->p, v->t, v->x, v->u, v->on, v->level};
}

static void micro_step(values *v, double h) {
    double k[4][ROOM(STATES)], x[ROOM(STATES)], u[ROOM(INPUTS)], t = v->t;
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    memcpy(x, v->x, sizeof x);
    memcpy(u, v->u, sizeof u);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < STATES; i++) v->x[i] = x[i] + (s > 0 ? at[s] * h * k[s - 1][i] : 0);
        for (int i = 0; i < INPUTS; i++) v->u[i] = u[i] + at[s] * h * v->rate[i];
        v->t = t + at[s] * h;
        kit_values p = point(v);
        slopes(&p, k[s]);
    }
    for (int i = 0; i < STATES; i++) {
        v->x[i] = x[i];
        for (int s = 0; s < 4; s++) v->x[i] += weight[s] * h * k[s][i];
    }
    v->t = t + h;
}

/* Where a step that may be set back begins. */
static void go_back(instance *s, bool may) {
    if (may && s->v.p[FAULT] == FAULT_FLAG) memcpy(s->v.x, state_starts, sizeof *state_starts * STATES);
}

/* Whether a step ends at its half: not one that is a half. */
static bool ends_early(instance *s, double h) {
    static double first; /* all of a run are of one length */
    if (s->v.p[FAULT] != FAULT_EARLY) return false;
    if (h > first) first = h;
    return h > 0.75 * first;
}

/* How many micro steps, a power of 2, end within the relative tolerance of half as many. */
static int enough(const instance *s, double h) {
    double off = INFINITY, size = 0, before[ROOM(STATES)] = {0};
    int steps = 1;
    for (; steps < 4096 && off > s->tolerance * size; steps *= 2) {
        values v = s->v;
        for (int i = 0; i < steps; i++) micro_step(&v, h / steps);
        off = steps > 1 ? 0 : INFINITY;
        for (int i = 0; i < STATES; i++) {
            size = fmax(size, fabs(v.x[i]));
            off = fmax(off, fabs(v.x[i] - before[i]));
        }
        memcpy(before, v.x, sizeof before);
    }
    return steps / 2;
}

enum { FEW = 3 };
static bool makes_few; /* FAULT_FEW was asked for in this process */
static int made;

/* Appends a byte to the file that KIT_STEPS names, whose size is the number of steps requested. */
static void count_step(void) {
    static int file = -2;
    const char *path = getenv("KIT_STEPS");
    if (file == -2) file = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0600) : -1;
    if (file >= 0 && write(file, "", 1) != 1) file = -1;
}

static int step(instance *s, double t, double h) {
    double u[ROOM(INPUTS)];
    int steps = (int)s->v.p[STEPS], status = misbehave(s);
    count_step();
    makes_few = makes_few || s->v.p[FAULT] == FAULT_FEW;
    memcpy(u, s->v.u, sizeof u);
    const double grid = 0.02;
    if (status != OK) return status;
    if (s->v.p[FAULT] == FAULT_GRID) {
        while (s->v.t + grid <= t + h * (1 + 1e-9)) micro_step(&s->v, grid);
        t = s->v.t, h = steps = 0;
    }
    if (s->v.p[FAULT] == FAULT_CLOCK) {
        while (s->v.t < t + h) micro_step(&s->v, grid);
        t = s->v.t, h = steps = 0;
    }
    if (s->v.p[FAULT] == FAULT_SOLVER) steps = enough(s, h);
    for (int i = 0; i < steps; i++) {
        double clock = s->v.p[FAULT] == FAULT_LATE && t > 12 ? 1 + 1e-2 : 1;
        s->v.t = t + h * i / steps;
        for (int j = 0; j < INPUTS; j++) s->v.u[j] = u[j] + h * i / steps * s->v.rate[j];
        micro_step(&s->v, clock * h / steps);
    }
    s->v.count++;
    s->v.t = t + h;
    for (int j = 0; j < INPUTS; j++) s->v.u[j] = u[j] + h * s->v.rate[j];
    kit_values p = point(&s->v);
    outputs(&p, s->v.y);
    memcpy(s->v.u, u, sizeof u);
    s->stepped = true;
    return OK;
}

static int get(instance *s, uint32_t reference, double *value) {
    double dx[ROOM(STATES)], y[ROOM(OUTPUTS)];
    kit_values p = point(&s->v);
    slopes(&p, dx);
    outputs(&p, y);
    if (reference < STATES)
        *value = s->v.x[reference];
    else if (reference - AT_SLOPE < STATES)
        *value = dx[reference - AT_SLOPE];
    else if (reference - AT_INPUT < INPUTS)
        *value = s->v.u[reference - AT_INPUT];
    else if (reference - AT_OUTPUT < OUTPUTS)
        *value = s->stepped ? s->v.y[reference - AT_OUTPUT] : y[reference - AT_OUTPUT];
    else if (reference - AT_PARAMETER < ALL_PARAMETERS)
        *value = s->v.p[reference - AT_PARAMETER];
    else
        return ERROR;
    return OK;
}

static int set(instance *s, uint32_t reference, double value) {
    if (reference < STATES)
        s->v.x[reference] = value;
    else if (reference - AT_INPUT < INPUTS)
        s->v.u[reference - AT_INPUT] = value;
    else if (reference - AT_PARAMETER < ALL_PARAMETERS)
        s->v.p[reference - AT_PARAMETER] = value;
    else
        return ERROR;
    return OK;
}

static int get_link(instance *s, uint32_t reference, int *value) {
#ifdef LINKS
    kit_values p = point(&s->v);
    if (reference == ON) *value = s->v.on;
    if (reference == LEVEL) *value = s->v.level;
    if (reference == WARM) *value = warm(&p);
    if (reference == COUNT) *value = s->v.count;
    return reference >= ON && reference <= COUNT ? OK : ERROR;
#else
    (void)s, (void)reference, (void)value;
    return ERROR;
#endif
}

static int set_link(instance *s, uint32_t reference, int value) {
#ifdef LINKS
    if (reference == ON) s->v.on = value;
    if (reference == LEVEL) s->v.level = value;
    return (reference == ON || reference == LEVEL) && !s->continuous ? OK : ERROR;
#else
    (void)s, (void)reference, (void)value;
    return ERROR;
#endif
}

/* True where states have changed. */
static bool discrete(instance *s) {
#ifdef EVENT
    return event(s->v.x);
#else
    (void)s;
    return false;
#endif
}

static int get_all(instance *s, const uint32_t *r, size_t n, double *values) {
    int status = OK;
    for (size_t i = 0; i < n && status == OK; i++) status = get(s, r[i], &values[i]);
    return status;
}

static int set_all(instance *s, const uint32_t *r, size_t n, const double *values) {
    int status = OK;
    for (size_t i = 0; i < n && status == OK; i++) status = set(s, r[i], values[i]);
    return status;
}

static int directional(instance *s, const uint32_t *unknown, size_t n, const uint32_t *known, size_t m,
                       const double *seed, double *result) {
#ifdef DERIVATIVES
    double J[(STATES + OUTPUTS) * (STATES + INPUTS)];
    kit_values p = point(&s->v);
    jacobian(&p, J);
    for (size_t i = 0; i < n; i++) {
        size_t row = unknown[i] >= AT_OUTPUT ? STATES + unknown[i] - AT_OUTPUT : unknown[i] - AT_SLOPE;
        result[i] = 0;
        for (size_t j = 0; j < m; j++) {
            size_t column = known[j] >= AT_INPUT ? STATES + known[j] - AT_INPUT : known[j];
            result[i] += J[row * (STATES + INPUTS) + column] * seed[j];
        }
        if (s->v.p[FAULT] == FAULT_SLOPES && known[0] == STATES - 1) result[i] *= 1.01;
    }
    return OK;
#else
    (void)s, (void)unknown, (void)n, (void)known, (void)m, (void)seed, (void)result;
    return ERROR;
#endif
}

static instance *make(const char *token, bool simulation, void *environment) {
    bool may = strcmp(token, "{kit}") == 0 && !(makes_few && made >= FEW);
    instance *s = may ? calloc(1, sizeof *s) : NULL;
    if (s == NULL) return NULL;
    made++;
    s->simulation = simulation;
    s->environment = environment;
    memcpy(s->v.x, state_starts, sizeof *state_starts * STATES);
    memcpy(s->v.p, parameter_starts, sizeof *parameter_starts * PARAMETERS);
    s->v.p[STEPS] = 1;
    return s;
}

#define API __attribute__((visibility("default")))

/* ---- Parts of both versions ---- */

#if FMI == 2
#define NAME(of_2, of_3) fmi2##of_2
#else
#define NAME(of_2, of_3) fmi3##of_3
#endif
#define BOTH(name) NAME(name, name)

API const char *BOTH(GetVersion)(void) {
    return FMI == 2 ? "2.0" : "3.0";
}
API void BOTH(FreeInstance)(void *s) {
    free(s);
}
API int BOTH(ExitInitializationMode)(void *s) {
    (void)s;
    return OK;
}
API int BOTH(Terminate)(void *s) {
    (void)s;
    return OK;
}
API int NAME(GetFMUstate, GetFMUState)(instance *s, void **state) {
    if (*state == NULL) *state = malloc(sizeof *s);
    if (*state == NULL) return ERROR;
    memcpy(*state, s, sizeof *s);
    return OK;
}
API int NAME(SetFMUstate, SetFMUState)(instance *s, const instance *state) {
    values now = s->v;
    *s = *state;
    if (s->v.p[FAULT] == FAULT_FORGETS) memcpy(s->v.x, now.x, sizeof now.x);
    return OK;
}
API int NAME(FreeFMUstate, FreeFMUState)(void *s, void **state) {
    (void)s;
    free(*state);
    *state = NULL;
    return OK;
}
API int BOTH(EnterEventMode)(instance *s) {
    s->continuous = false;
    return OK;
}
API int BOTH(EnterContinuousTimeMode)(instance *s) {
    s->continuous = true;
    return OK;
}
API int BOTH(SetTime)(instance *s, double t) {
    s->v.t = t;
    return OK;
}
API int BOTH(SetContinuousStates)(instance *s, const double *x, size_t n) {
    memcpy(s->v.x, x, n * sizeof *x);
    return OK;
}
API int BOTH(GetContinuousStates)(instance *s, double *x, size_t n) {
    memcpy(x, s->v.x, n * sizeof *x);
    return OK;
}
API int BOTH(GetNominalsOfContinuousStates)(void *s, double *x, size_t n) {
    (void)s;
    for (size_t i = 0; i < n; i++) x[i] = 1;
    return OK;
}
API int NAME(GetDerivatives, GetContinuousStateDerivatives)(instance *s, double *dx, size_t n) {
    int status = misbehave(s);
    kit_values p = point(&s->v);
    slopes(&p, dx);
    if (s->v.p[FAULT] == FAULT_NAN && n > 0) dx[0] = NAN;
    return status;
}
API int BOTH(GetEventIndicators)(instance *s, double *z, size_t n) {
    for (size_t i = 0; i < n; i++) z[i] = s->v.x[0];
    return OK;
}

/* ---- Differences of the versions ---- */

#if FMI == 2
typedef struct callbacks {
    log_2 log;
    void *allocate, *release, *finished, *environment;
} callbacks;
typedef struct events {
    int again, terminate, nominals, values, next;
    double time;
} events;

API void *fmi2Instantiate(const char *n, int type, const char *guid, const char *uri, const callbacks *c,
                          int v, int l) {
    (void)n, (void)v, (void)l;
    instance *s = strncmp(uri, "file:///", 8) == 0 ? make(guid, type == 1, c->environment) : NULL;
    if (s != NULL) s->log2 = c->log;
    return s;
}
API int fmi2SetupExperiment(instance *s, int d, double tol, double start, int sd, double stop) {
    (void)sd, (void)stop;
    s->tolerance = d ? tol : 1e-4;
    s->v.t = start;
    return OK;
}
API int fmi2EnterInitializationMode(void *s) {
    (void)s;
    return OK;
}
API int fmi2GetReal(instance *s, const uint32_t *r, size_t n, double *v) {
    return get_all(s, r, n, v);
}
API int fmi2SetReal(instance *s, const uint32_t *r, size_t n, const double *v) {
    return set_all(s, r, n, v);
}
API int fmi2SetInteger(instance *s, const uint32_t *r, size_t n, const int *v) {
    return n == 1 ? set_link(s, *r, *v) : ERROR;
}
API int fmi2SetBoolean(instance *s, const uint32_t *r, size_t n, const int *v) {
    return n == 1 ? set_link(s, *r, *v) : ERROR;
}
API int fmi2GetInteger(instance *s, const uint32_t *r, size_t n, int *v) {
    return n == 1 ? get_link(s, *r, v) : ERROR;
}
API int fmi2GetBoolean(instance *s, const uint32_t *r, size_t n, int *v) {
    return n == 1 ? get_link(s, *r, v) : ERROR;
}
API int fmi2GetRealStatus(instance *s, int kind, double *v) {
    *v = s->last;
    return kind == 2 ? OK : ERROR;
}
API int fmi2CompletedIntegratorStep(void *s, int no, int *enter, int *end) {
    (void)s, (void)no;
    *enter = *end = 0;
    return OK;
}
API int fmi2GetDirectionalDerivative(instance *s, const uint32_t *a, size_t n, const uint32_t *b, size_t m,
                                     const double *d, double *r) {
    return directional(s, a, n, b, m, d, r);
}
API int fmi2NewDiscreteStates(instance *s, events *e) {
    memset(e, 0, sizeof *e);
    e->values = discrete(s);
    return OK;
}
API int fmi2SetRealInputDerivatives(instance *s, const uint32_t *r, size_t n, const int *order,
                                    const double *v) {
    for (size_t i = 0; i < n; i++) {
        if (!LINES || order[i] != 1 || r[i] - AT_INPUT >= INPUTS) return ERROR;
        s->v.rate[r[i] - AT_INPUT] = v[i];
    }
    return OK;
}
API int fmi2DoStep(instance *s, double t, double h, int no) {
    bool early = ends_early(s, h);
    go_back(s, no == 0);
    s->last = t + (early ? h / 2 : h);
    int status = step(s, t, s->last - t);
    return status == OK && early ? DISCARD : status;
}
#else
API void *fmi3InstantiateModelExchange(const char *n, const char *token, const char *path, bool v, bool l,
                                       void *e, log_3 log) {
    (void)n, (void)path, (void)v, (void)l;
    instance *s = make(token, false, e);
    if (s != NULL) s->log3 = log;
    return s;
}
API void *fmi3InstantiateCoSimulation(const char *n, const char *token, const char *path, bool v, bool l,
                                      bool events, bool early, const uint32_t *r, size_t count, void *e,
                                      log_3 log, void *update) {
    (void)n, (void)path, (void)v, (void)l, (void)events, (void)early, (void)r, (void)count, (void)update;
    instance *s = make(token, true, e);
    if (s != NULL) s->log3 = log;
    return s;
}
API int fmi3EnterInitializationMode(instance *s, bool d, double tol, double start, bool sd, double stop) {
    (void)sd, (void)stop;
    s->tolerance = d ? tol : 1e-4;
    s->v.t = start;
    return OK;
}
API int fmi3GetFloat64(instance *s, const uint32_t *r, size_t n, double *v, size_t m) {
    (void)m;
    return get_all(s, r, n, v);
}
API int fmi3SetFloat64(instance *s, const uint32_t *r, size_t n, const double *v, size_t m) {
    (void)m;
    return set_all(s, r, n, v);
}
API int fmi3GetDirectionalDerivative(instance *s, const uint32_t *a, size_t n, const uint32_t *b, size_t m,
                                     const double *d, size_t nd, double *r, size_t nr) {
    (void)nd, (void)nr;
    return directional(s, a, n, b, m, d, r);
}
/* A flag as the FMU writes it. */
static void put_flag(const instance *s, unsigned char *flag, bool value) {
    *flag = value ? s->v.p[FAULT] == FAULT_BYTES ? 2 : 1 : 0;
}

API int fmi3UpdateDiscreteStates(instance *s, unsigned char *again, unsigned char *end,
                                 unsigned char *nominals, unsigned char *values, unsigned char *next,
                                 double *time) {
    (void)time;
    *again = *end = *nominals = *next = 0;
    put_flag(s, values, discrete(s) || s->v.p[FAULT] == FAULT_BYTES);
    return OK;
}
API int fmi3SetInt32(instance *s, const uint32_t *r, size_t n, const int32_t *v, size_t m) {
    return n == 1 && m == 1 ? set_link(s, *r, *v) : ERROR;
}
API int fmi3GetInt32(instance *s, const uint32_t *r, size_t n, int32_t *v, size_t m) {
    return n == 1 && m == 1 ? get_link(s, *r, v) : ERROR;
}
API int fmi3SetBoolean(instance *s, const uint32_t *r, size_t n, const bool *v, size_t m) {
    return n == 1 && m == 1 ? set_link(s, *r, *v) : ERROR;
}
API int fmi3GetBoolean(instance *s, const uint32_t *r, size_t n, unsigned char *v, size_t m) {
    int value = 0, status = n == 1 && m == 1 ? get_link(s, *r, &value) : ERROR;
    put_flag(s, v, value != 0);
    return status;
}
API int fmi3GetNumberOfEventIndicators(void *s, size_t *n) {
    (void)s;
    *n = INDICATORS;
    return OK;
}
API int fmi3DoStep(instance *s, double t, double h, bool no, unsigned char *event, unsigned char *end,
                   unsigned char *early, double *last) {
    bool half = ends_early(s, h);
    go_back(s, !no);
    put_flag(s, event, s->v.p[FAULT] == FAULT_BYTES);
    put_flag(s, early, half);
    *end = 0;
    *last = t + (half ? h / 2 : h);
    return step(s, t, *last - t);
}
#endif
#endif
