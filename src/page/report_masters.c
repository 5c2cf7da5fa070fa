/* Part of the report on settings for programs that run co-simulations (masters). A row describes the
 * behaviour of a master at its communication points, from its documentation or source, and names the
 * equivalent coupling. The page replaces {H} by the step size. */
#include <stdio.h>
#include <string.h>

#include "analysis/limit_sampled.h"
#include "base/error.h"
#include "base/memory.h"
#include "page/report.h"

/* of, revision: the source of the row. loops: the row is shown only if outputs depend on inputs of the same
 * instant. */
static const struct {
    const char *master, *coupling, *setting, *needs, *of, *revision;
    bool loops;
} masters[] = {
    {"OMSimulator", "jacobi", "solver method oms-ma;  oms.setFixedStepSize(\"model.root\", {H})", "",
     "github.com/OpenModelica/OMSimulator: doc/UsersGuide/source/api/setFixedStepSize.rst, "
     "src/OMSimulatorLib/SystemWC.cpp",
     "2940ef11c231", false},
    {"OMSimulator", "jacobi-solved", "solver method oms-ma;  oms.setFixedStepSize(\"model.root\", {H})",
     "FMUs whose outputs follow new inputs at once: connections are sorted and algebraic loops solved",
     "github.com/OpenModelica/OMSimulator: src/OMSimulatorLib/SystemWC.cpp", "2940ef11c231", true},
    {"OMSimulator", "jacobi-hermite",
     "solver method oms-ma;  oms.setFixedStepSize(\"model.root\", {H});  --inputExtrapolation=true",
     "FMUs that give derivatives of outputs, at least one of which cannot save its state: where all can, "
     "each step is taken twice, which is another coupling",
     "github.com/OpenModelica/OMSimulator: src/OMSimulatorLib/Flags.h, src/OMSimulatorLib/SystemWC.cpp",
     "2940ef11c231", false},
    {"libcosim (OSP)", "jacobi", "<BaseStepSize>{H}</BaseStepSize> <Algorithm>fixedStep</Algorithm>", "",
     "github.com/open-simulation-platform/libcosim: data/xsd/OspSystemStructure.xsd, "
     "include/cosim/algorithm/fixed_step_algorithm.hpp",
     "52cc82513d30", false},
    {"PyFMI", "jacobi", "opts[\"step_size\"] = {H}", "",
     "github.com/modelon-community/PyFMI: src/pyfmi/master.pyx, class MasterAlgOptions", "b704ebd099f4",
     false},
    {"PyFMI", "jacobi-solved", "opts[\"step_size\"] = {H}; opts[\"linear_correction\"] = True",
     "FMUs that give directional derivatives",
     "github.com/modelon-community/PyFMI: src/pyfmi/master.pyx, class MasterAlgOptions", "b704ebd099f4",
     true},
    {"PyFMI", "jacobi-linear",
     "opts[\"step_size\"] = {H}; opts[\"extrapolation_order\"] = 1; opts[\"smooth_coupling\"] = False",
     "FMUs that take derivatives of inputs and give none of outputs",
     "github.com/modelon-community/PyFMI: src/pyfmi/master.pyx, class MasterAlgOptions", "b704ebd099f4",
     false},
    {"PyFMI", "jacobi-linear-smoothed", "opts[\"step_size\"] = {H}; opts[\"extrapolation_order\"] = 1",
     "FMUs that take derivatives of inputs and give none of outputs",
     "github.com/modelon-community/PyFMI: src/pyfmi/master.pyx, class MasterAlgOptions", "b704ebd099f4",
     false},
    {"PyFMI", "jacobi-hermite",
     "opts[\"step_size\"] = {H}; opts[\"extrapolation_order\"] = 1; opts[\"smooth_coupling\"] = False",
     "FMUs that take derivatives of inputs and give those of outputs",
     "github.com/modelon-community/PyFMI: src/pyfmi/master.pyx, class MasterAlgOptions", "b704ebd099f4",
     false},
    {"FMPy, container FMU", "jacobi", "<CoSimulation fixedInternalStepSize=\"{H}\" .../>", "",
     "github.com/CATIA-Systems/FMPy: src/fmpy/container_fmu/__init__.py, "
     "native/container-fmu/container-fmu/src/lib.rs",
     "e8b71b702fb4", false},
    {"FMPy, a loop by hand", "jacobi",
     "fmu.doStep(t, {H}) of each, then getReal of all outputs and setReal of all inputs", "",
     "github.com/CATIA-Systems/FMPy: src/fmpy/examples/custom_input.py", "e8b71b702fb4", false},
};
enum { MASTERS = sizeof masters / sizeof *masters };

static bool has_loops(const costab_network *network) {
    for (int s = 0; s < network->subsystem_count; s++) {
        const costab_subsystem *of = &network->subsystems[s];
        for (int i = 0; of->D != NULL && i < of->outputs * of->inputs; i++)
            if (of->D[i] != 0) return true;
    }
    return false;
}

/* Describes the loop of a self-written master between two communication points, by the scheme. */
static const char *own_loop(const costab_coupling *coupling) {
    if (coupling->scheme == COSTAB_JACOBI)
        return "doStep of all over {H} with inputs from the last point, then exchange all";
    if (coupling->scheme == COSTAB_GAUSS_SEIDEL)
        return "doStep over {H} one after the other, each with the newest values of those before it";
    if (coupling->iterations == COSTAB_NEWTON)
        return "solve for the values at the end of {H}: save states, doStep of all, restore, correct by the "
               "derivatives of the outputs at the end with respect to inputs, doStep again";
    return "save states; doStep of all over {H}, exchange, restore, and again until the values stay; then go on";
}

static const char *own_needs(const costab_coupling *coupling) {
    if (coupling->scheme != COSTAB_ITERATED) return "";
    return coupling->iterations == COSTAB_NEWTON
               ? "FMUs that save and restore their state; derivatives, or differences of repeated steps"
               : "FMUs that save and restore their state";
}

static void put_words(report *r, const char *master, const char *setting, const char *needs) {
    json_text(&r->out, "master", master);
    json_text(&r->out, "setting", setting);
    json_text(&r->out, "needs", needs);
}

/* Puts the recommended coupling as a loop of a self-written master. */
static costab_status put_own_loop(report *r, costab_error *error) {
    const char *names[] = {r->recommended};
    costab_variant requested = r->requested;
    ends_by(analysis_variant_free) analysis_variant variant = {.coupling_count = 0};
    costab_coupling coupling;
    requested.couplings = names;
    TRY(analysis_variant_make(&variant, &requested, error));
    TRY(analysis_variant_coupling(&variant, r->instance, 0, &coupling, error));
    json_object(&r->out, NULL);
    put_words(r, "a loop of your own", own_loop(&coupling), own_needs(&coupling));
    json_text(&r->out, "coupling", r->recommended);
    json_end_object(&r->out);
    return COSTAB_OK;
}

costab_status report_masters(report *r, costab_error *error) {
    const bool loops = has_loops(report_network(r)), measured = analysis_is_sampled(report_network(r));
    json *out = &r->out;
    json_object(out, "masters");
    if (r->parameter < 0) json_text(out, "refused", r->refusal);
    json_array(out, "rows");
    for (int i = 0; i < MASTERS && r->parameter >= 0; i++) {
        if (masters[i].loops && !loops) continue;
        json_object(out, NULL);
        put_words(r, masters[i].master, masters[i].setting, masters[i].needs);
        json_text(out, "coupling", masters[i].coupling);
        json_text(out, "of", masters[i].of);
        json_text(out, "revision", masters[i].revision);
        json_end_object(out);
    }
    if (r->recommended != NULL) TRY(put_own_loop(r, error));
    json_end_array(out);
    json_object(out, "couplings");
    for (int i = 0; i < MASTERS && r->parameter >= 0 && !measured; i++) {
        bool first = !masters[i].loops || loops;
        for (int j = 0; j < i; j++) first = first && strcmp(masters[i].coupling, masters[j].coupling) != 0;
        if (first) TRY(report_coupling(r, masters[i].coupling, masters[i].coupling, error));
    }
    json_end_object(out);
    json_end_object(out);
    return COSTAB_OK;
}
