/* Names of the coupling's options, the list of usual couplings, and the parser of coupling names such as
 * gauss-seidel-linear-solved.
 *
 * A name consists of, from left to right:
 * 1. Base: jacobi, gauss-seidel, iterated or newton gives the scheme. The planar system's names cross, zigzag
 *    and strong give the polynomial as well.
 * 2. Brackets: for gauss-seidel and zigzag the order of all subsystems, (b,a); for jacobi weights,
 *    (phi,theta).
 * 3. Polynomial: of extrapolation for jacobi, otherwise of interpolation. Default: constant.
 * 4. Marks: smoothed and solved, in any order.
 *
 * Any other name is an error; the message proposes the nearest usual name. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "base/text.h"
#include "network/network.h"
#include "network/words.h"

const char *const network_scheme_words[] = {"jacobi", "gauss-seidel", "iterated",
                                            "cross",  "zigzag",       "strong"};
const char *const network_hold_words[] = {"constant", "linear",   "quadratic", "cubic",
                                          "hermite",  "spectral", "tuned",     "tuned-2"};
const char *const network_feedthrough_words[] = {"delayed", "solved"};
const char *const network_micro_step_words[] = {"whole", "clocks", "real-power"};

/* ---- All options ---- */

/* The initialiser lists no member names, so the compiler warns if a member is missing in COUPLING_CHOICES. */
#define ZERO(...) 0,
_Static_assert(sizeof((costab_coupling){COUPLING_CHOICES(ZERO, ZERO, ZERO)}) > 0, "all members, in order");

bool coupling_same(const costab_coupling *a, const costab_coupling *b) {
#define WORD(member, words, count) &&a->member == b->member
#define NUMBER(member)             &&a->member == b->member
#define LIST(member)               &&(a->member == NULL) == (b->member == NULL)
    return true COUPLING_CHOICES(WORD, NUMBER, LIST);
#undef WORD
#undef NUMBER
#undef LIST
}

void costab_coupling_put_keys(const costab_coupling *c, text *t) {
#define WORD(member, words, count)                                                                           \
    if (COUPLING_OF_##member == COUPLING_OF_scheme || c->member != 0)                                        \
        text_printf(t, "%s" #member ": %s", t->size > 0 ? ", " : "", words[c->member]);
#define NUMBER(member)
#define LIST(member)
    COUPLING_CHOICES(WORD, NUMBER, LIST)
#undef WORD
#undef NUMBER
#undef LIST
    if (c->iterations == COSTAB_NEWTON) text_append(t, ", iterations: newton");
    if (c->smoothed) text_append(t, ", smoothed: true");
}

/* ---- Polynomials of connections ---- */

costab_extrapolation coupling_extrapolation(const costab_network *network, const costab_coupling *coupling,
                                            int c) {
    const costab_connection *connection = &network->connections[c];
    if (coupling_is_held(network, c)) return (costab_extrapolation){.hold = COSTAB_CONSTANT};
    if (connection->extrapolates) return connection->extrapolation;
    return (costab_extrapolation){coupling->extrapolation, coupling->a0, coupling->a1, coupling->b0,
                                  coupling->b1};
}

bool coupling_is_held(const costab_network *network, int c) {
    return network->subsystems[network->connections[c].from].method.kind == COSTAB_DISCRETE;
}

costab_hold coupling_interpolation(const costab_network *network, const costab_coupling *coupling, int c) {
    return coupling_is_held(network, c) ? COSTAB_CONSTANT : coupling->interpolation;
}

bool coupling_extrapolates(const costab_network *network, const costab_coupling *coupling, unsigned holds) {
    bool found = (holds & HOLD_BIT(coupling->extrapolation)) != 0;
    for (int c = 0; c < network->connection_count; c++)
        found = found || (holds & HOLD_BIT(coupling_extrapolation(network, coupling, c).hold)) != 0;
    return found;
}

/* ---- Names of couplings ---- */

static const struct {
    const char *name;
    costab_coupling_scheme scheme;
    int iterations;
    bool extrapolates; /* the polynomial belongs to extrapolation, otherwise to interpolation */
    bool planar;       /* the name fixes the polynomial */
} bases[] = {
    {"jacobi", COSTAB_JACOBI, 0, true, false},      {"gauss-seidel", COSTAB_GAUSS_SEIDEL, 0, false, false},
    {"iterated", COSTAB_ITERATED, 0, false, false}, {"newton", COSTAB_ITERATED, COSTAB_NEWTON, false, false},
    {"cross", COSTAB_JACOBI, 0, true, true},        {"zigzag", COSTAB_GAUSS_SEIDEL, 0, false, true},
    {"strong", COSTAB_ITERATED, 0, false, true},
};

void coupling_set_planar(costab_coupling *coupling, int word) {
    coupling->scheme = (costab_coupling_scheme)(word % COSTAB_COUPLING_SCHEME_COUNT);
    coupling->extrapolation = COSTAB_CONSTANT;
    coupling->interpolation = coupling->scheme == COSTAB_JACOBI ? COSTAB_CONSTANT : COSTAB_LINEAR;
}

/* Older name of -linear. */
static const char older_linear[] = "extrapolated";

/* With delayed and with solved feedthrough. */
#define BOTH(name) name, name "-solved"

static const char *const listed[] = {
    BOTH("jacobi"),
    BOTH("jacobi-linear"),
    BOTH("jacobi-quadratic"),
    BOTH("jacobi-cubic"),
    BOTH("jacobi-hermite"),
    BOTH("jacobi-spectral"),
    BOTH("gauss-seidel"),
    BOTH("gauss-seidel-linear"),
    BOTH("gauss-seidel-quadratic"),
    BOTH("gauss-seidel-cubic"),
    BOTH("gauss-seidel-hermite"),
    BOTH("iterated"),
    BOTH("iterated-linear"),
    BOTH("iterated-quadratic"),
    BOTH("iterated-cubic"),
    BOTH("iterated-hermite"),
    BOTH("newton"),
    BOTH("newton-linear"),
    BOTH("newton-quadratic"),
    BOTH("newton-cubic"),
    BOTH("newton-hermite"),
};

int costab_coupling_count(void) {
    return (int)(sizeof listed / sizeof listed[0]);
}

const char *costab_coupling_name(int i) {
    return i >= 0 && i < costab_coupling_count() ? listed[i] : NULL;
}

static costab_status unknown(const char *name, costab_error *error) {
    size_t count = sizeof listed / sizeof *listed;
    char words[600];
    const char *near = spelling_nearest(name, listed, count, sizeof *listed);
    return error_invalid(
        error, "unknown coupling '%s'%s", name,
        spelling_meant(near, "; a coupling is ", COSTAB_COUPLING_GRAMMAR, words, sizeof words));
}

/* Advances *rest past `word` if it starts with `word`, followed by a delimiter or the end. */
static bool take_word(const char **rest, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*rest, word, length) != 0) return false;
    char next = (*rest)[length];
    if (next != '\0' && next != '-' && next != '(' && next != ',' && next != ')') return false;
    *rest += length;
    return true;
}

/* Parses -linear, -quadratic, ...; `end` is the first enumerator not allowed. */
static bool take_hold(const char **rest, costab_hold end, costab_hold *hold) {
    const char *at = *rest + 1;
    if (**rest != '-') return false;
    for (int h = COSTAB_LINEAR; h < (int)end; h++)
        if (take_word(&at, network_hold_words[h]) || (h == COSTAB_LINEAR && take_word(&at, older_linear))) {
            *hold = (costab_hold)h;
            *rest = at;
            return true;
        }
    return false;
}

static bool take_mark(const char **rest, const char *mark, bool *set) {
    const char *at = *rest + 1;
    if (**rest != '-' || *set || !take_word(&at, mark)) return false;
    *set = true;
    *rest = at;
    return true;
}

/* Parses (b,a): all subsystems, each once. */
static costab_status take_order(const char **rest, const costab_network *network, int *order,
                                costab_error *error) {
    int count = 0;
    if (network == NULL || order == NULL)
        return error_invalid(error, "the order '%s' requires the subsystems of a model; there is none here",
                             *rest);
    while (**rest == '(' || **rest == ',') {
        const char *name = ++*rest;
        size_t length = strcspn(name, ",)");
        int found = -1;
        for (int s = 0; s < network->subsystem_count; s++)
            if (strlen(network->subsystems[s].name) == length &&
                strncmp(network->subsystems[s].name, name, length) == 0)
                found = s;
        for (int i = 0; i < count; i++)
            if (order[i] == found) found = -1;
        if (found < 0)
            return error_invalid(
                error,
                "order: '%.*s' is not a subsystem, or appears twice; each of the %d subsystems is needed once",
                length < 100 ? (int)length : 100, name, network->subsystem_count);
        order[count++] = found;
        *rest += length;
    }
    if (**rest != ')' || count != network->subsystem_count)
        return error_invalid(error, "order: each of the %d subsystems is needed once, as in (b,a)",
                             network->subsystem_count);
    ++*rest;
    return COSTAB_OK;
}

/* Parses (phi,theta). */
static costab_status take_weights(const char **rest, costab_coupling *coupling, costab_error *error) {
    const char *first = *rest + 1;
    size_t length = strcspn(first, ",)");
    const char *second = first + length + (first[length] == ',');
    size_t other = strcspn(second, ",)");
    if (first[length] != ',' || second[other] != ')' || !number_parse(first, length, &coupling->a0) ||
        !number_parse(second, other, &coupling->a1))
        return error_invalid(error, "weights '%.100s': expected (phi,theta), as in jacobi(5/2,-4)", *rest);
    coupling->extrapolation = COSTAB_TUNED;
    *rest = second + other + 1;
    return COSTAB_OK;
}

costab_status costab_coupling_find_ordered(const char *name, const costab_network *network, int *order,
                                           costab_coupling *coupling, costab_error *error) {
    costab_coupling found = {.macro_step = coupling->macro_step, .micro_steps = coupling->micro_steps};
    const char *rest = name;
    bool known = false, smoothed = false, solved = false, extrapolates = false, planar = false;
    for (size_t b = 0; b < sizeof bases / sizeof *bases && !known; b++) {
        if (!take_word(&rest, bases[b].name)) continue;
        known = true;
        found.scheme = bases[b].scheme;
        found.iterations = bases[b].iterations;
        extrapolates = bases[b].extrapolates;
        planar = bases[b].planar;
        if (planar) coupling_set_planar(&found, (int)found.scheme);
    }
    if (known && *rest == '(' && found.scheme == COSTAB_GAUSS_SEIDEL) {
        TRY(take_order(&rest, network, order, error));
        found.order = order;
    }
    if (known && *rest == '(' && found.scheme == COSTAB_JACOBI && !planar) {
        TRY(take_weights(&rest, &found, error));
    } else if (known && !planar)
        (void)take_hold(&rest, extrapolates ? COSTAB_TUNED : COSTAB_SPECTRAL,
                        extrapolates ? &found.extrapolation : &found.interpolation);
    while (known && (take_mark(&rest, "smoothed", &smoothed) || take_mark(&rest, "solved", &solved)))
        continue;
    if (!known || *rest != '\0') return unknown(name, error);
    found.smoothed = smoothed;
    found.feedthrough = solved ? COSTAB_SOLVED : COSTAB_DELAYED;
    *coupling = found;
    return COSTAB_OK;
}

costab_status costab_coupling_plain_name(const char *name, char **plain, costab_error *error) {
    const char *rest = name;
    text_local t = {0};
    bool planar = false;
    for (size_t b = 0; b < sizeof bases / sizeof *bases && rest == name; b++)
        if (bases[b].planar && take_word(&rest, bases[b].name)) {
            text_append(&t, network_scheme_words[bases[b].scheme]);
            planar = bases[b].scheme != COSTAB_JACOBI;
        }
    const char *close = strrchr(rest, ')'); /* names in brackets may contain any text */
    const size_t brackets = close != NULL ? (size_t)(close + 1 - rest) : 0;
    text_append_n(&t, rest, brackets);
    rest += brackets;
    const char *at = strstr(rest, older_linear);
    if (at != NULL) text_append_n(&t, rest, (size_t)(at - rest));
    if (at != NULL || planar) text_append(&t, at != NULL ? "linear" : "-linear");
    text_append(&t, at != NULL ? at + sizeof older_linear - 1 : rest);
    *plain = t.failed ? NULL : t.data;
    if (t.failed) return error_memory(error);
    t.data = NULL; /* ownership passes to the caller */
    return COSTAB_OK;
}

costab_status costab_coupling_find(const char *name, costab_coupling *coupling, costab_error *error) {
    return costab_coupling_find_ordered(name, NULL, NULL, coupling, error);
}
