/* The sections of a spec: the keys of both systems in one table, what they may be for each system, and the
 * names of systems and fields. */
#include <string.h>

#include "spec/sections.h"

static const char *const planar_fields[] = {"class", "trace",         "determinant", "spectral_radius",
                                            "cause", "row_intervals", "areas"};
static const char *const network_fields[COSTAB_NETWORK_FIELD_COUNT] = {
    "class", "spectral_radius", "spectral_abscissa", "iteration_radius",
    "error", "error_bound",     "energy_residual",   "growth",
    "decay", "energy_made",     "pattern_radius"};

/* `what` names the whole file in messages. */
static const struct {
    const char *name, *what;
    const char *const *fields;
    size_t field_count;
} systems[COSTAB_SYSTEM_COUNT] = {
    [COSTAB_SYSTEM_PLANAR] = {"planar", "spec", SPEC_TABLE(planar_fields)},
    [COSTAB_SYSTEM_NETWORK] = {"network", "model", SPEC_TABLE(network_fields)},
};

const char *costab_system_name(costab_system system) {
    return (unsigned)system < COSTAB_SYSTEM_COUNT ? systems[system].name : NULL;
}

const char *costab_network_field_name(int i) {
    return i >= 0 && i < COSTAB_NETWORK_FIELD_COUNT ? network_fields[i] : NULL;
}

enum { PLANAR = 1 << COSTAB_SYSTEM_PLANAR, NETWORK = 1 << COSTAB_SYSTEM_NETWORK, BOTH = PLANAR | NETWORK };

#define SECTION(systems, name, required, example)                                                            \
    {                                                                                                        \
        systems, {                                                                                           \
#name, required, example, SPEC_VALUE(SPEC_NODE, spec_sections, name)                             \
        }                                                                                                    \
    }

static const struct {
    int systems; /* that know the key */
    spec_key key;
} sections[] = {
    SECTION(BOTH, title, false, "title: Zigzag coupling"),
    SECTION(PLANAR, system, true, "system: planar"),
    SECTION(NETWORK, system, true, "system: network"),
    SECTION(PLANAR, schemes, true, "schemes: [zigzag]"),
    SECTION(PLANAR, method, false, "method: rk4"),
    SECTION(PLANAR, substeps, false, "substeps: 1"),
    SECTION(NETWORK, model, false, "model: plant.yaml"),
    SECTION(NETWORK, parameters, false, "parameters: {m: 2, k: 10}"),
    SECTION(NETWORK, subsystems, false, "subsystems:"),
    SECTION(NETWORK, connections, false, "connections: [{from: a.y, to: b.u}]"),
    SECTION(NETWORK, power_bonds, false, "power_bonds: [[a.u, a.y, b.u, b.y]]"),
    SECTION(NETWORK, sources, false, "sources: {a.u: sin(t)}"),
    SECTION(NETWORK, coupling, false, "coupling: {scheme: jacobi, macro_step: 0.1}"),
    SECTION(BOTH, axes, false, "axes: {a: 0, gamma: [-2, -1], delta: [1, 2]}"),
    SECTION(BOTH, history, false, "history: {until: 20}"),
    SECTION(BOTH, fields, false, "fields: [class]"),
    SECTION(BOTH, refine, false, "refine: true"),
    SECTION(BOTH, compression, false, "compression: none"),
    SECTION(BOTH, figure, false, "figure: {kind: classes}"),
};

/* Where the system is not understood, the keys tell which one is meant, so that the rest can be read. */
bool spec_read_sections(spec_file *file, const spec_node *root, spec_sections *found, costab_system *system) {
    const char *names[COSTAB_SYSTEM_COUNT];
    const spec_node *node = spec_find(file, root, "system");
    bool network = root->kind == SPEC_MAPPING && spec_find(file, root, "schemes") == NULL;
    size_t index = network ? COSTAB_SYSTEM_NETWORK : COSTAB_SYSTEM_PLANAR;
    size_t said, count = 0;
    for (int i = 0; i < COSTAB_SYSTEM_COUNT; i++) names[i] = systems[i].name;
    if (node != NULL && spec_choice(file, node, "system", names, COSTAB_SYSTEM_COUNT, &said)) index = said;
    *system = (costab_system)index;
    *found = (spec_sections){.root = root};
    spec_key keys[sizeof sections / sizeof *sections];
    for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
        if ((sections[k].systems >> index & 1) != 0) keys[count++] = sections[k].key;
    spec_read_mapping(file, root, systems[index].what, keys, count, found);
    return root->kind == SPEC_MAPPING;
}

void spec_read_fields(spec_file *file, const spec_node *node, costab_spec *spec) {
    size_t indices[sizeof planar_fields / sizeof *planar_fields + COSTAB_NETWORK_FIELD_COUNT], count;
    if (!spec_choices(file, node, "fields", systems[spec->system].fields, systems[spec->system].field_count,
                      indices, &count))
        return;
    spec->fields = 0;
    for (size_t i = 0; i < count; i++) spec->fields |= 1U << indices[i];
}

typedef struct refine {
    int cell;
    bool certified;
} refine;

static const spec_key refine_keys[] = {
    {"cell", false, "cell: 16", SPEC_VALUE(SPEC_WHOLE, refine, cell), .most = COSTAB_REFINE_CELL_MAX,
     .least = 2},
    {"certified", false, "certified: true", SPEC_VALUE(SPEC_FLAG, refine, certified)},
};

/* Axes with several values. */
static int wide_axes(const costab_spec *spec) {
    int wide = 0;
    for (int i = 0; i < spec->axis_count; i++) wide += spec->axes[i].count > 1;
    return wide;
}

/* The side of coarse cells where it is not given: larger ones on large grids, whose boundaries are as long
 * in cells. */
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
        spec_complain(file, node, "refine: there is no grid to refine; give 'axes' or leave the key out");
    else if ((spec->fields & COSTAB_NETWORK_CLASS) == 0)
        spec_complain(file, node, "refine: it fills the field 'class', which is not among 'fields'");
    else if ((spec->fields & COSTAB_NETWORK_OF_RUN) != 0)
        spec_complain(
            file, node,
            "refine: 'fields' has one of a run, which is for every point; leave one of the two out");
    else if (chosen.certified && wide_axes(spec) < 2)
        spec_complain(file, node,
                      "refine: certified cells are of two axes with several values; for one axis use "
                      "'costab limit', whose answer is complete");
    else {
        spec->refine_cell = (size_t)chosen.cell;
        spec->certified = chosen.certified;
    }
}

size_t spec_find_joint(const char *joint, const char *bytes, size_t size) {
    const size_t length = strlen(joint);
    for (size_t i = 0; i + length <= size; i++)
        if (bytes[i] == joint[0] && memcmp(bytes + i, joint, length) == 0) return i;
    return size;
}
