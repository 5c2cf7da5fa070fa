#!/usr/bin/env python3
"""Systems of FMUs as OspSystemStructure.xml: each has, number for number, the maps of the same network in YAML, and the two-mass
system those of the same SSP; functions, groups, strides and power bonds are those of connections; what is wrong is refused with
its line. Prints TAP."""
import os
import pathlib
import re
import tempfile
import zipfile

from systems import fmu, inline, pack, two
from tap import costab, finish, ok

YAML = """system: network
title: system
parameters: {H: 0.05}
subsystems:
  - {name: a, fmu: mass.fmu, kind: co-simulation, start: {m: 1.5, k: 12, x: 0, steps: 4}A}
  - {name: b, fmu: coupled.fmu, kind: co-simulation, start: {steps: 4}B}
connections:
TIES
coupling: {scheme: jacobi, macro_step: H}
"""
GROUPS = {"mass": '<Generic name="port"><Generic name="state"><Variable ref="position"/><Variable ref="speed"/></Generic><Variable ref="force"/></Generic>'
                  '<Generic name="force"><Variable ref="force"/></Generic>',
          "coupled": '<Generic name="outer"><Generic name="port"><Generic name="inputs"><Variable ref="position" unit="m"/><Variable ref="speed"/></Generic>'
                     '<Variable ref="reaction"/></Generic></Generic><Generic name="reaction"><Variable ref="reaction"/></Generic>'}


def ties(*rows):
    return "\n".join(f"  - {{from: {a}, to: {b}, gain: {gain}}}" for a, b, gain in rows)


def end(of, name="Variable", attributes=""):
    element, _, variable = of.partition(".")
    return f'<{name} {"function" if name.startswith("Signal") else "simulator"}="{element}" name="{variable}"{attributes}/>'


def variables(one, other, attributes=""):
    return f"<VariableConnection{attributes}>{end(one)}{end(other)}</VariableConnection>"


def signal(variable, of):
    return f'<SignalConnection>{end(variable)}{end(of, "Signal")}</SignalConnection>'


def simulator(name, source, attributes="", **values):
    rows = "".join(f'<InitialValue variable="{n}"><Real value="{v}"/></InitialValue>' for n, v in values.items())
    return f'<Simulator name="{name}" source="{source}"{attributes}><InitialValues>{rows}</InitialValues></Simulator>'


def osp(connections, functions="", a="", b="", base="<BaseStepSize> 0.05 </BaseStepSize>", first="mass.fmu", second="coupled.fmu"):
    return ('<?xml version="1.0"?>\n<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">\n'
            f'{base}<Simulators>\n{simulator("a", first, a, m=1.5, k=12, x=0, steps=4)}\n{simulator("b", second, b, steps=4)}\n</Simulators>\n'
            f"<Functions>{functions}</Functions>\n<Connections>\n{connections}\n</Connections></OspSystemStructure>\n")


PLAIN = (("a.position", "b.position", 1), ("a.speed", "b.speed", 1), ("b.reaction", "a.force", 1))
TWO = variables("a.position", "b.position") + variables("b.speed", "a.speed") + variables("b.reaction", "a.force")
BACK = variables("b.reaction", "a.force")

with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(folder)
    for name in ("mass", "coupled"):
        (folder / f"{name}.fmu").write_bytes(fmu(f"{name}-2").read_bytes())
        model = re.search(r'modelName="([^"]*)"', zipfile.ZipFile(folder / f"{name}.fmu").read("modelDescription.xml").decode()).group(1)
        (folder / f"{model}_OspModelDescription.xml").write_text(
            f'<OspModelDescription xmlns="x" version="1.0"><VariableGroups>{GROUPS[name]}</VariableGroups></OspModelDescription>')

    def run(command, content, *more, file="OspSystemStructure.xml"):
        (folder / file).write_text(content)
        return costab(command, folder / file, *more, env={**os.environ, "TMPDIR": temporary})

    def yaml(rows=PLAIN, a="", b=""):
        return YAML.replace("TIES", ties(*rows)).replace("4}A", "4}" + a).replace("4}B", "4}" + b)

    # ---- the same system as SSP, as YAML and as OspSystemStructure: the same numbers
    archive = pack(folder / "system.ssp", two("CoSimulation", a=inline(m=1.5, k=12, x=0, steps=4), b=inline(steps=4)), second="coupled-2")
    for command, more in (("map", ("--coupling", "jacobi,gauss-seidel,iterated")), ("limit", ("--over", "H=0.05:0.12")),
                          ("simulate", ("--until", "1", "--set", "a.x=1"))):
        given, written = run(command, osp(TWO), *more), run(command, yaml(), *("a.x" not in m and m or "H=0.05" for m in more), file="system.yaml")
        packed = costab(command, archive, *more, env={**os.environ, "TMPDIR": temporary})
        ok(given.returncode == 0 and given.stdout.count("\n") > 1 and given.stdout == packed.stdout, f"{command}: as the same SSP", given.stdout[:900],
           packed.stdout[:900], given.stderr)
        ok(command == "simulate" or given.stdout == written.stdout, f"{command}: as the same YAML", given.stdout[:900], written.stdout[:900], written.stderr)

    given = run("report", osp(TWO), "--over", "H=0.04:0.07", "--until", "1", "-q", "--fmu-accuracy", "5e-4", "-o", folder / "osp.html")
    ok(given.returncode == 0 and '"costab map OspSystemStructure.xml --fmu-accuracy 5e-4"' in (folder / "osp.html").read_text(), "report takes it, too", given.stderr)

    # ---- functions, groups, strides and sources are connections like others
    group = f'<VariableGroupConnection>{end("b.port", "VariableGroup")}{end("a.port", "VariableGroup")}</VariableGroupConnection>'
    sums = '<Sum name="s" inputCount="2"/><LinearTransformation name="t" factor="-2.5" offset="7"/>'
    tied = signal("a.position", "s.in[0]") + signal("a.position", "s.in[1]") + signal("b.position", "s.out") + BACK
    spread = signal("a.position", "s.in[0]") + signal("a.speed", "s.in[1]") + signal("b.position", "s.out") + BACK
    turned = variables("a.position", "b.position") + signal("a.speed", "t.in") + signal("b.speed", "t.out") + BACK
    ends = "".join(f'<SignalGroupConnection>{end(f"v.in[{i}]", "SignalGroup")}{end("b.reaction", "VariableGroup")}</SignalGroupConnection>' for i in range(3))
    vector = variables("a.position", "b.position") + ends + f'<SignalGroupConnection>{end("a.force", "VariableGroup")}{end("v.out", "SignalGroup")}</SignalGroupConnection>'
    p, v, f = PLAIN
    uri = f"file://{folder}/m%61ss.fmu"
    for name, system, network in (
            ("groups inside groups", osp(group), yaml()),
            ("a sum of a signal with itself", osp(tied, sums), yaml((("a.position", "b.position", 2), f))),
            ("a sum of two signals", osp(spread, sums), yaml((p, ("a.speed", "b.position", 1), f))),
            ("a linear transformation", osp(turned, sums), yaml((p, ("a.speed", "b.speed", -2.5), f))),
            ("a sum of vectors", osp(vector, '<VectorSum name="v" inputCount="3" dimension="1"/>'), yaml((p, ("b.reaction", "a.force", 3)))),
            ("step sizes", osp(TWO, a=' stepSize="0.15"', b=' stepSize="0.01"'), yaml(a=", stride: 3")),
            ("no base step", osp(TWO, base=""), yaml().replace("0.05", "0.1")),
            ("file: and %61", osp(TWO, first=uri), yaml()),
            ("a proxy", osp(TWO, first="proxyfmu://localhost?file=mass.fmu"), yaml())):
        given, written = run("map", system), run("map", network, file="system.yaml")
        ok(given.returncode == 0 and "spectral_radius" in given.stdout and given.stdout == written.stdout, f"map: {name}", given.stdout[:700], written.stdout[:700],
           given.stderr, written.stderr)
        ok(("not a multiple" in given.stderr) == (name == "step sizes"), f"warnings: {name}", given.stderr)
    done = run("import", osp(turned, sums))
    ok('sources:\n  "b.speed": 7\n' in done.stdout, "the offset of a transformation", done.stdout, done.stderr)
    done = run("map", osp(TWO).replace('variable="m"><Real value="1.5"', 'variable="m"><String value="x"'))
    ok(done.returncode == 0 and "OspSystemStructure.xml:4: warning: 'm' is not a number or flag: it is ignored" in done.stderr, "a text is ignored, with a warning", done.stderr)

    # ---- power bonds, parameters, specs of sweeps
    bonded = variables("a.speed", "b.speed", ' powerBond="w"') + variables("b.reaction", "a.force", ' powerBond="w"') + variables("a.position", "b.position")
    done = run("import", osp(bonded))
    ok('power_bonds:\n  - ["b.speed", "b.reaction", "a.force", "a.speed"]' in done.stdout, "a power bond", done.stdout, done.stderr)
    done = run("info", osp(TWO))
    ok(done.returncode == 0 and "a_k,12" in done.stdout and "\nH,0.05" in done.stdout, "info", done.stdout, done.stderr)
    (folder / "sweep.yaml").write_text("system: network\nmodel: OspSystemStructure.xml\naxes: {H: {from: 0.05, to: 0.11, points: 6}}\nfields: [spectral_radius]\n")
    done = costab("sweep", folder / "sweep.yaml", "-o", folder / "sweep.h5", "-q", env={**os.environ, "TMPDIR": temporary})
    ok(done.returncode == 0, "sweep: a spec whose model it is", done.stderr)

    # ---- refusals, with file and line
    def refused(name, content, line, expected):
        done = run("map", content)
        place = f"OspSystemStructure.xml:{line}: error: "
        ok(done.returncode == 2 and place in done.stderr and expected in done.stderr, f"refused: {name}", done.returncode, done.stderr)

    def tie(*rows):
        return osp("\n".join(rows))

    refused("no such simulator", tie(variables("a.position", "c.position")), 9, "there is no simulator 'c'")
    refused("no such variable", tie(variables("a.position", "b.positio")), 9, "no variable 'positio'; did you mean 'position'")
    refused("two inputs", tie(BACK, variables("a.force", "b.position")), 10, "are both inputs")
    refused("two outputs", tie(variables("a.speed", "b.reaction")), 9, "are both outputs")
    refused("a parameter", tie(variables("a.speed", "b.steps")), 9, "'steps' of 'b' is neither an input nor an output")
    refused("two sources", tie(BACK, variables("a.speed", "b.position"), variables("a.position", "b.position")), 11, "'position' has two sources")
    refused("no such group", tie(group.replace("a.port", "a.x").replace('simulator="a" name="port"', 'simulator="a" name="door"')), 9, "'a' has no group 'door'")
    refused("groups of other sizes", tie(group.replace('simulator="a" name="port"', 'simulator="a" name="state"')), 9, "differ in size")
    refused("no such signal", osp(signal("a.position", "s.in[2]"), sums), 9, "the function 's' has no signal 'in[2]'")
    refused("no such function", osp(signal("a.position", "q.in"), sums), 9, "the function 'q' has no signal 'in'")
    refused("functions of one name", osp("", sums + sums), 7, "two have the name 's'")
    refused("a function that is unknown", osp("", '<Product name="p"/>'), 7, "the function 'Product' is not known")
    refused("too many inputs", osp("", '<Sum name="s" inputCount="1001"/>'), 7, "inputCount = 1001 is not between 1 and 1000")
    refused("half a bond", tie(BACK, variables("a.speed", "b.speed", ' powerBond="w"')), 10, "is not set at two connections")
    refused("a bond of three", tie(*(variables(x, y, ' powerBond="w"') for x, y, _ in PLAIN)), 11, "at more than two connections")
    refused("one end", tie("<VariableConnection>" + end("a.speed") + "</VariableConnection>"), 9, "two ends are needed")
    refused("two signals", osp("<SignalConnection>" + 2 * end("s.out", "Signal") + "</SignalConnection>", sums), 9, "one of the ends must belong to a simulator")
    refused("a base step of 0", osp(TWO, base="<BaseStepSize>0</BaseStepSize>"), 3, "BaseStepSize is not positive")
    refused("a base step that is none", osp(TWO, base="<BaseStepSize>x</BaseStepSize>"), 3, "content = 'x' is not a finite number")
    refused("a step that is negative", osp(TWO, b=' stepSize="-1"'), 5, "stepSize = -1 is not between 0")
    refused("a value of an output", osp(TWO).replace('variable="m"', 'variable="speed"'), 4, "cannot be given a value")
    refused("another machine", osp(TWO, first="proxyfmu://there?file=mass.fmu"), 4, "leads out of the system")
    refused("a file that is none", osp(TWO, first="file:///%00"), 4, "names no file")
    refused("simulators of one name", osp(TWO).replace('name="b" source', 'name="a" source'), 5, "two have the name 'a'")
    refused("no simulators", '<OspSystemStructure version="0.1"/>', 1, "it contains no component")
    (folder / "other_OspModelDescription.xml").write_text("<x/>")
    for path in folder.glob("*_OspModelDescription.xml"):
        path.write_text("<OspModelDescription>\n</OspModelDescription>")
    done = run("map", osp(group))
    ok(done.returncode == 2 and "_OspModelDescription.xml:1: error: the element 'VariableGroups' is missing" in done.stderr, "refused: no groups", done.stderr)
    for path in folder.glob("*_OspModelDescription.xml"):
        path.unlink()
    refused("no description", osp(group), 9, "the groups of 'b' are not known: ")
    ok(not list(pathlib.Path(temporary).iterdir()), "no temporary folder is left")
finish()
