/* Finds the sections of a spec by one table with the keys of both systems, and reads fields and refinement.
 * Also lists all keys for the reference (costab_key_at). */
#include "spec/sections.h"

#include <string.h>

#include "model/body.h"
#include "spec/fields.h"
#include "spec/spec.h"

static const char *const planar_fields[] = {"class", "trace",         "determinant", "spectral_radius",
                                            "cause", "row_intervals", "areas"};
/* `what` names the whole file in messages. */
static const struct {
    const char *name, *what;
} systems[COSTAB_SYSTEM_COUNT] = {
    [COSTAB_SYSTEM_PLANAR] = {"planar", "spec"},
    [COSTAB_SYSTEM_NETWORK] = {"network", "model"},
};

const char *costab_system_name(costab_system system) {
    return (unsigned)system < COSTAB_SYSTEM_COUNT ? systems[system].name : NULL;
}

enum { PLANAR = 1 << COSTAB_SYSTEM_PLANAR, NETWORK = 1 << COSTAB_SYSTEM_NETWORK, BOTH = PLANAR | NETWORK };

#define SECTION(systems, name, required, example, help)                                                      \
    {                                                                                                        \
        systems, {                                                                                           \
#name, required, example, help, SPEC_VALUE(SPEC_NODE, spec_sections, name)                       \
        }                                                                                                    \
    }

static const struct {
    int systems; /* systems with this key */
    spec_key key;
} sections[] = {
    SECTION(BOTH, title, false, "title: Zigzag coupling", "one line, drawn above the figure"),
    SECTION(PLANAR, system, true, "system: planar", "planar: the two-state test system"),
    SECTION(NETWORK, system, true, "system: network", "network: subsystems with connections"),
    SECTION(PLANAR, schemes, true, "schemes: [zigzag]",
            "a list of simulation, cross, zigzag, strong, or all"),
    SECTION(PLANAR, method, false, "method: rk4", "of both subsystems (rk4)"),
    SECTION(PLANAR, substeps, false, "substeps: 1",
            "micro steps per macro step, 1, or a list for each subsystem"),
    SECTION(
        NETWORK, model, false, "model: plant.yaml",
        "another file, relative to this file, for subsystems, connections, power_bonds and sources, and for title, parameters, operating_point and coupling if this file does not have them; its parameters can be given other values here; its other keys are not used"),
    SECTION(NETWORK, parameters, false, "parameters: {m: 2, k: 10}",
            "names and numbers; a number may be an expression in other parameters"),
    SECTION(NETWORK, subsystems, false, "subsystems:", "a list of subsystems"),
    SECTION(NETWORK, connections, false, "connections: [{from: a.y, to: b.u}]", "a list of connections"),
    SECTION(
        NETWORK, power_bonds, false, "power_bonds: [[a.u, a.y, b.u, b.y]]",
        "a list of [u1, y1, u2, y2], each as subsystem.port: input and output of one side, then of the other, connected crosswise; u1 y1 is a power. The coupling produces or loses the difference between the power entering on one side and the power leaving on the other ([VPF])"),
    SECTION(
        NETWORK, sources, false, "sources: {a.u: sin(t)}",
        "expressions in t, added to an input; in all runs (simulate, errors, histories), without effect on stability"),
    SECTION(
        NETWORK, operating_point, false, "operating_point: solve",
        "solve: nonlinear subsystems are linearised at the equilibrium of the whole network, which is found for every set of parameters, from the subsystems' own operating_point on; or a mapping, below. Values of a subsystem with `solve: false` stay as they are"),
    SECTION(
        NETWORK, coupling, false, "coupling: {scheme: jacobi, macro_step: 0.1}",
        "the master's choices; or a name of `costab help couplings`, which stands for such a mapping with the macro step H; or a list of names and of mappings with names: then coupling is an axis of the results"),
    SECTION(PLANAR, axes, false, "axes: {a: 0, gamma: [-2, -1], delta: [1, 2]}",
            "varied quantities: a, gamma and delta, each a number, a list in increasing order, or a mapping"),
    SECTION(NETWORK, axes, false, "axes: {H: {from: 0.01, to: 1, points: 100}}",
            "varied quantities: any parameters, each a number, a list in increasing order, or a mapping"),
    SECTION(NETWORK, samples, false, "samples: 1024",
            "number of samples of the uncertain axes at each point, a multiple of 16 (1024)"),
    SECTION(NETWORK, best, false, "best: {over: H, range: [0.001, 0.1]}",
            "comparison of the couplings at each point, for the fields best, best_step and best_cost"),
    SECTION(PLANAR, history, false, "history: {matrix: [0, 1, -1, -0.1], h: 0.1, x0: [1, 0], until: 20}",
            "time histories instead of axes: a case or a list of cases"),
    SECTION(
        NETWORK, history, false, "history: {until: 20}",
        "simulates each point, for fields of a run; without axes it stores the signals of each coupling's run"),
    SECTION(
        PLANAR, fields, false, "fields: [class]",
        "stored at every point: class (the default), trace, determinant, spectral_radius, cause, row_intervals, areas (alone, these need only the axis a)"),
    SECTION(
        NETWORK, fields, false, "fields: [class]",
        "stored at every point: class (the default), and numbers (`costab help fields`); fields of a run need history with until. With spectral_radius over one or two axes with several values, two more fields are stored for each axis NAME: level_one_NAME, its value between this point and the next at which the spectral radius passes 1, and iteration_one_NAME, at which an iteration starts to diverge. Figures draw the boundaries of the classes through these values; without spectral_radius the boundaries are half-way between points"),
    SECTION(BOTH, refine, false, "refine: true",
            "for networks: true or a mapping; analyses only points near boundaries"),
    SECTION(
        BOTH, compression, false, "compression: none",
        "of the results file, by zlib: integers (the default: classes, causes and counts), fast (all fields) or none; small, of earlier versions, is read as fast, with a warning"),
    SECTION(BOTH, figure, false, "figure: {kind: classes}", "how costab plot draws it"),
};

/* Lists the keys of a system's file, SPEC_KEYS_MAX at most. Returns their number. */
static size_t section_keys(costab_system system, spec_key *keys) {
    size_t count = 0;
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        if ((sections[k].systems >> system & 1) != 0) keys[count++] = sections[k].key;
    return count;
}

/* If the system is unreadable, it is inferred from the keys, so the rest can be read. */
bool spec_read_sections(spec_file *file, const spec_node *root, spec_sections *found, costab_system *system) {
    const char *names[COSTAB_SYSTEM_COUNT];
    const spec_node *node = spec_find(file, root, "system");
    bool network = root->kind == SPEC_MAPPING && spec_find(file, root, "schemes") == NULL;
    size_t index = network ? COSTAB_SYSTEM_NETWORK : COSTAB_SYSTEM_PLANAR;
    size_t given;
    for (int i = 0; i < COSTAB_SYSTEM_COUNT; i++) names[i] = systems[i].name;
    if (node != NULL && spec_choice(file, node, "system", names, COSTAB_SYSTEM_COUNT, &given)) index = given;
    *system = (costab_system)index;
    *found = (spec_sections){.root = root};
    spec_key keys[SPEC_KEYS_MAX];
    size_t count = section_keys(*system, keys);
    spec_read_mapping(file, root, systems[index].what, keys, count, found);
    return root->kind == SPEC_MAPPING;
}

/* Lists the names of a system's fields. */
static void field_names(costab_system system, const char *names[NETWORK_FIELDS_MOST], size_t *count) {
    bool planar = system == COSTAB_SYSTEM_PLANAR;
    *count = planar ? sizeof planar_fields / sizeof *planar_fields : (size_t)network_field_count();
    for (size_t i = 0; i < *count; i++)
        names[i] = planar ? planar_fields[i] : costab_network_field_name((int)i);
}

/* Reads a name or a list of distinct names. */
void spec_read_fields(spec_file *file, const spec_node *node, costab_spec *spec) {
    const char *names[NETWORK_FIELDS_MOST];
    size_t known, index;
    unsigned fields = 0;
    bool fine = (node->kind == SPEC_SCALAR && node->size > 0) || spec_list(file, node, "fields", 0);
    field_names(spec->system, names, &known);
    if (!fine) return;
    SPEC_EACH_OF(item, file, node) {
        if (spec_passes_over(file, item)) continue;
        if (spec->system == COSTAB_SYSTEM_NETWORK &&
            spec_is(file, item, "energy_made")) /* the name in version 0.1.0 */
            fields |= COSTAB_NETWORK_ENERGY_MADE;
        else if (!spec_choice(file, item, "fields", names, known, &index))
            fine = false;
        else if ((fields >> index & 1) != 0)
            fine = spec_complain(file, item, "fields: '%s' is repeated", names[index]);
        else
            fields |= 1U << index;
    }
    if (fine && fields != 0) spec->fields = fields;
    if (!fine && spec->system == COSTAB_SYSTEM_PLANAR) spec->fields = 0; /* unknown */
}

typedef struct refine {
    int cell;
} refine;

static const spec_key refine_keys[] = {
    {"cell", false, "cell: 16", "side of the first cells of the refinement, in points",
     SPEC_VALUE(SPEC_WHOLE, refine, cell), .most = COSTAB_REFINE_CELL_MAX, .least = 2},
};
static const spec_keys spec_refine_keys = {SPEC_TABLE(refine_keys)};

/* Returns the default side of coarse cells. Large grids have larger cells, because their boundaries keep
 * their length in cells. */
static int usual_cell(const costab_spec *spec) {
    size_t least = SIZE_MAX;
    int sides = 0, cell = COSTAB_REFINE_CELL;
    for (int i = spec->axis_count - 1; i >= 0 && sides < 2; i--) {
        if (spec->axes[i].count < 2) continue;
        least = spec->axes[i].count < least ? spec->axes[i].count : least;
        sides++;
    }
    for (size_t side = COSTAB_REFINE_LARGE; sides == 2 && side <= least && 2 * cell <= COSTAB_REFINE_CELL_MAX;
         side *= 4)
        cell *= 2;
    return cell;
}

void spec_read_refine(spec_file *file, const spec_node *node, costab_spec *spec) {
    bool wanted = true;
    refine chosen = {.cell = usual_cell(spec)};
    if (node == NULL) return;
    if (spec->system == COSTAB_SYSTEM_PLANAR) {
        spec_complain(
            file, node,
            "refine: a planar sweep needs none, its rows are filled in closed form; leave the key out (it "
            "is for 'system: network')");
        return;
    }
    bool fine = node->kind != SPEC_MAPPING
                    ? spec_flag(file, node, "refine", &wanted)
                    : spec_read_mapping(file, node, "refine", SPEC_TABLE(refine_keys), &chosen);
    if (!fine || !wanted) return;
    if (spec->axis_count == 0)
        spec_complain(file, node, "refine: the spec has no grid to refine; give 'axes' or leave the key out");
    else if ((spec->fields & COSTAB_NETWORK_CLASS) == 0)
        spec_complain(file, node, "refine: it fills the field 'class', which is not among 'fields'");
    else if ((spec->fields & (COSTAB_NETWORK_OF_RUN | COSTAB_NETWORK_OF_BEST)) != 0)
        spec_complain(
            file, node,
            "refine: 'fields' has one of a run, or of the best coupling, which is for every point; leave one "
            "of the two out");
    else {
        spec->refine_cell = (size_t)chosen.cell;
    }
}

/* ---- All keys, in the order of docs/reference/keys.md */

static const struct {
    const char *mapping;
    const spec_keys *keys; /* NULL: the keys of a whole file */
    costab_system system;
} mappings[] = {
    {"A spec of the planar system", NULL, COSTAB_SYSTEM_PLANAR},
    {"axes of the planar system", &spec_axes_keys, 0},
    {"history of the planar system", &spec_case_keys, 0},
    {"A network", NULL, COSTAB_SYSTEM_NETWORK},
    {"A parameter", &spec_parameter_keys, 0},
    {"A subsystem", &spec_subsystem_keys, 0},
    {"A state, input or output", &spec_signal_keys, 0},
    {"A matrix of another file", &spec_file_keys, 0},
    {"A connection", &spec_connection_keys, 0},
    {"A coupling", &spec_coupling_keys, 0},
    {"The weights of an extrapolation", &spec_extrapolation_keys, 0},
    {"history of a network", &spec_history_keys, 0},
    {"refine", &spec_refine_keys, 0},
    {"An axis", &spec_range_keys, 0},
    {"An uncertain axis", &spec_uncertain_keys, 0},
    {"uncertain", &spec_distribution_keys, 0},
    {"best", &spec_best_keys, 0},
    {"operating_point", &spec_rest_keys, 0},
    {"figure", &spec_figure_keys, 0},
    {"method: a tableau", &spec_tableau_keys, 0},
    {"method: {newmark: ..}", &spec_newmark_keys, 0},
    {"method: {generalized_alpha: ..}", &spec_alpha_keys, 0},
    {"method: {nystrom: ..}", &spec_nystrom_keys, 0},
};

bool costab_key_at(int i, costab_key *key) {
    for (size_t m = 0; m < sizeof mappings / sizeof *mappings; m++) {
        spec_key own[SPEC_KEYS_MAX];
        spec_keys keys = {own, 0};
        if (mappings[m].keys != NULL)
            keys = *mappings[m].keys;
        else
            keys.count = section_keys(mappings[m].system, own);
        if (i >= 0 && (size_t)i < keys.count) {
            const spec_key *row = &keys.rows[i];
            *key = (costab_key){mappings[m].mapping, row->name, row->example, row->help, row->required};
            return true;
        }
        i -= (int)keys.count;
    }
    return false;
}
