#!/usr/bin/env python3
"""Systems of FMUs (SSP) from the command line: the two-mass system as SSP has the limits of the same network in YAML, its
parts are found, its parameters set, and what is wrong or not supported is refused. Prints TAP."""
import os
import pathlib
import re
import subprocess
import tempfile
import time

from systems import (COUPLED, KINDS, MASS, TIES, binding, component, connection, connector, enlarged, fmu, inline, mapping, pack,
                     system, two, values)
from tap import COSTAB, costab, csv_rows, effort, EFFORT, finish, FORGETFUL, note, ok

LONG = EFFORT > 1  # limits that take some more seconds
PLAIN = """system: network
parameters: {k: 12, H: 0.05}
subsystems:
  - {name: a, A: [[0, 1], [-k/1.5, -0.5/1.5]], B: [[0], [1/1.5]], C: [[1, 0], [0, 1]], inputs: [force], outputs: [position, speed], HOW}
  - {name: b, A: [[0, 1], [-50, -1.4]], B: [[0, 0], [40, 0.8]], C: [[20, 0.4]], D: [[-20, -0.4]], inputs: [position, speed], outputs: [reaction], HOW}
connections:
  - {from: a.position, to: b.position}
  - {from: a.speed, to: b.speed}
  - {from: b.reaction, to: a.force}
coupling: {scheme: jacobi, macro_step: H}
"""


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(folder)

    def run(*words):
        return costab(*words, env={**os.environ, "TMPDIR": temporary})


    def radius(path, *more):
        done = run("map", path, *more)
        found = [float(r["value"]) for r in csv_rows(done) if r["name"] == "spectral_radius"]
        return (found or [None])[0], done

    def limits(path, couplings, end=0.12):
        return {(r["coupling"], r["lower"] == "0.05"): float(r["upper"])
                for r in csv_rows(run("limit", path, "--over", f"H=0.05:{end}", "--coupling", couplings))}

    exact = folder / "exact.yaml"
    exact.write_text(PLAIN.replace("HOW", "method: exact"))

    # ---- model exchange: the limits of the network in YAML to 1e-8, for all couplings
    exchange = pack(folder / "exchange.ssp", two("ModelExchange"))
    couplings = "jacobi,gauss-seidel,iterated,jacobi-linear,gauss-seidel-linear,iterated-linear,newton,jacobi-cubic,jacobi-smoothed"
    found, truth = limits(exchange, couplings), limits(exact, couplings)
    ok(found.keys() == truth.keys() and len(found) >= 5 and all(abs(found[k] / truth[k] - 1) < 1e-8 for k in truth),
       "limit: model exchange", found, truth)

    # ---- co-simulation, which is what is taken where both are offered: the limit of exact solvers to 1e-6
    both = pack(folder / "both.ssp", two("any"))
    held = "jacobi,gauss-seidel,iterated,newton"
    lines = "jacobi-linear,gauss-seidel-linear,iterated-linear,newton-linear,jacobi-smoothed"
    for coupling in held.split(","):
        (now, done), (then, _) = radius(both, "--coupling", coupling), radius(exact, "--coupling", coupling)
        ok(now is not None and abs(now / then - 1) < 1e-8, f"map: co-simulation, {coupling}", now, then, done.stderr)
    rising = pack(folder / "lines.ssp", two("any", a=inline(m=1.5, k=12, x=0, steps=60), b=inline(steps=60)), second="coupled-2")
    for couplings, path in ((held, both), (f"{held},{lines}", rising)) if LONG else ():
        found, truth = limits(path, couplings, 0.6), limits(exact, couplings, 0.6)
        ok(found.keys() == truth.keys() and {k[0] for k in truth} == set(couplings.split(",")) and all(abs(found[k] / truth[k] - 1) < 1e-6 for k in truth),
           f"limit: co-simulation, {couplings}", found, truth)
    done = run("map", both)
    ok(csv_rows(done) and any(r["name"] == "class" and r["value"] == "XS" for r in csv_rows(done)), "co-simulation is chosen", done.stderr)
    done = run("simulate", both, "--until", "0.5", "--set", "a.x=1")
    ok(done.returncode == 0 and len(csv_rows(done)) > 30 and "nothing moves" not in done.stderr, "simulate", done.stderr)
    done = run("simulate", both, "--until", "0.5", "--set", "a.x=0")
    ok(done.returncode == 0 and "nothing moves: every value stays as it begins; set start values of the FMUs" in done.stderr, "a system at rest is told", done.stderr)

    # ---- parameters: of components, by --set, of systems, from files
    reference, _ = radius(exact, "--set", "k=40")
    for what, path, more in (("--set component.variable", exchange, ("--set", "a.k=40")),
                             ("--set component_variable", exchange, ("--set", "a_k=40")),
                             ("a file of values", pack(folder / "file.ssp", two("ModelExchange", a=binding("", ' source="extra/set.ssv"')),
                                                       set=values(m=1.5, k=40, x=0)), ()),
                             ("the system's values count", pack(folder / "outer.ssp", two("ModelExchange", more=inline(a__k=40))), ()),
                             ("a prefix", pack(folder / "prefix.ssp", two("ModelExchange", more=binding(
                                 f"<ssd:ParameterValues>{values(k=40)}</ssd:ParameterValues>", ' prefix="a."'))), ())):
        now, done = radius(path, *more)
        ok(now is not None and abs(now - reference) < 1e-9, f"parameters: {what}", now, reference, done.stderr)

    (folder / "names.fmu").write_bytes(enlarged(fmu("mass-3"), {}, "modelDescription.xml", lambda s: s.replace("<ModelVariables>", "<ModelVariables>" + "".join(
        f'<Float64 name="q{i}" valueReference="403" causality="parameter" start="1"/>' for i in range(300)))))
    many = system(component("a", "names.fmu", MASS, inline(m=1.5, k=40, x=0), KINDS["ModelExchange"]) +
                  component("b", "resources/coupled.fmu", COUPLED, "", KINDS["ModelExchange"]), TIES)
    now, done = radius(pack(folder / "many.ssp", many, more={"names.fmu": (folder / "names.fmu").read_bytes()}))
    ok(now is not None and abs(now - reference) < 1e-9, "parameters: values behind more than 200 others", now, reference, done.stderr)

    # ---- mappings of parameters, and files inside a component
    def mapped(*entries, extra=""):
        return f"<ssd:ParameterMapping{extra}>{mapping(*entries) if entries else ''}</ssd:ParameterMapping>"

    raw = f"<ssd:ParameterValues>{values(mass=1.5, stiff=4, x=0)}</ssd:ParameterValues>"
    entries = (("mass", "m"), ("stiff", "k", '<ssc:LinearTransformation factor="12" offset="-8"/>'), ("x", "x"))
    outer = f"<ssd:ParameterValues>{values(m=1.5, stiff=4, x=0)}</ssd:ParameterValues>"
    one = [(f"p.{s}", f"a.{t}", *more) for s, t, *more in entries]
    for what, ssd, more in (
            ("inline", two("ModelExchange", a=binding(raw + mapped(*entries))), {}),
            (".ssm", two("ModelExchange", a=binding(raw + mapped(extra=' source="extra/m.ssm"'))), {"more": {"extra/m.ssm": mapping(*entries)}}),
            ("with a prefix, of the system", two("ModelExchange", more=binding(raw + mapped(*one), ' prefix="p."')), {}),
            ("both inside the component", two("ModelExchange", a=binding(mapped(extra=' source="resources/m.ssm" sourceBase="component"'),
                                                                         ' source="resources/p.ssv" sourceBase="component"')),
             {"inside": {"resources/m.ssm": mapping(*entries), "resources/p.ssv": values(mass=1.5, stiff=4, x=0)}})):
        now, done = radius(pack(folder / "mapped.ssp", ssd, **more))
        ok(now is not None and abs(now - reference) < 1e-9 and "warning" not in done.stderr, f"a mapping of parameters: {what}", now, reference, done.stderr)
    now, done = radius(pack(folder / "mapped.ssp", two("ModelExchange", a=binding(
        f"<ssd:ParameterValues>{values(m=1.5, k=40, d=0.7, x=0)}</ssd:ParameterValues>" + mapped(("m", "m"), ("k", "k"), ("x", "x"))))))
    ok(now is not None and abs(now - reference) < 1e-9 and "'d' is not in the mapping" in done.stderr, "what a mapping does not name is ignored", done.stderr)

    for count, sources, expected in ((1001, [f"s{i}" for i in range(1001)], "more than 1000 entries"), (600, ["k"] * 600, "gives more than 1000 values")):
        done = run("map", pack(folder / "mapped.ssp", two("ModelExchange", a=binding(
            f"<ssd:ParameterValues>{values(k=40)}</ssd:ParameterValues>".replace("<ssv:Parameter name", "<ssv:Parameter name='k'><ssv:Real value='1'/></ssv:Parameter><ssv:Parameter name")
            + mapped(*((s, "k") for s in sources))))))
        ok(done.returncode == 2 and expected in done.stderr, f"a mapping: {expected}", done.stderr[-300:])

    # ---- a folder whose name ends as that of an archive
    inner = folder / "un.ssp" / "packed.ssp"
    inner.mkdir(parents=True)
    for name in ("mass-2", "coupled-3"):
        (inner / f"{name}.fmu").write_bytes(fmu(name).read_bytes())
    loose = two("ModelExchange").replace("resources/mass.fmu", "mass-2.fmu").replace("resources/coupled.fmu", "coupled-3.fmu")
    (inner / "system.ssd").write_text(loose)
    for path in (inner / "system.ssd", pack(inner / "system.ssp", two("ModelExchange"))):
        now, done = radius(path, "--set", "a.k=40")
        ok(now is not None and abs(now - reference) < 1e-9, f"{path.name} in a folder whose name ends in .ssp", now, reference, done.stderr)

    # ---- units of parameters: 40 N/m are 0.04 N/mm
    stiffness = '<ssd:Units><ssc:Unit name="N/m"><ssc:BaseUnit kg="1" s="-2"/></ssc:Unit><ssc:Unit name="N/mm"><ssc:BaseUnit kg="1" s="-2" factor="1000"/></ssc:Unit>' \
                '<ssc:Unit name="s"><ssc:BaseUnit s="1"/></ssc:Unit></ssd:Units>'
    unit = connector("k", "parameter", ' unit="N/m"')
    measured = values(m=1.5, k=0.04, x=0).replace('value="0.04"', 'value="0.04" unit="N/mm"')
    ssd = two("ModelExchange", a=binding(f"<ssd:ParameterValues>{measured}</ssd:ParameterValues>"), units=stiffness).replace(MASS, MASS + unit)
    now, done = radius(pack(folder / "units.ssp", ssd))
    ok(now is not None and abs(now - reference) < 1e-9, "units of parameters", now, reference, done.stderr)
    done = run("info", folder / "units.ssp", "-f", "json")
    ok('{"parameter": "a_k", "value": 40, "label": "", "unit": "N/m"}' in done.stdout, "info says the unit", done.stdout[:900], done.stderr)
    done = run("sweep", folder / "units.ssp", "--axis", "a_k=20:60:3", "--axis", "H=0.02:0.06:3", "-q", "-o", folder / "axes.h5")
    ok(done.returncode == 0 and (folder / "axes.h5").exists(), "sweep --axis takes a system", done.stderr)
    done = run("map", pack(folder / "units.ssp", ssd.replace('unit="N/mm"', 'unit="s"')))
    ok(done.returncode == 2 and "not those of one quantity" in done.stderr, "units of parameters of other quantities", done.stderr)

    # ---- names that fit nothing: warnings at their places
    misspelt = two("ModelExchange", a=inline(m=1.5, k=12, x=0, stif=3), more=inline(c__k=1, a__speeed=2)).replace("<ssv:Parameter ", "\n  <ssv:Parameter ")
    done = run("map", pack(folder / "misspelt.ssp", misspelt))
    places = {}
    for n, line in enumerate(misspelt.split("\n"), 1):
        for name in ("stif", "c.k", "a.speeed"):
            if f'<ssv:Parameter name="{name}"' in line:
                places[name] = f"misspelt.ssp/SystemStructure.ssd:{n}: warning: "
    ok(done.returncode == 0 and len(places) == 3 and all(p in done.stderr for p in places.values()) and "did you mean 'speed'?" in done.stderr
       and "'c.k' is not a parameter of a component" in done.stderr and "has no variable 'stif'" in done.stderr, "names that fit nothing", places, done.stderr)

    # ---- a sweep whose model is a system; a changed FMU is another sweep
    grid = "system: network\nmodel: swept.ssp\naxes: {H: {from: 0.02, to: 0.1, points: 3}, a_k: [5, 40]}\nfields: [class, spectral_radius]\n"
    (folder / "grid.yaml").write_text(grid)
    for kind in KINDS:
        pack(folder / "swept.ssp", two(kind))
        done = run("sweep", folder / "grid.yaml", "-o", folder / "grid.h5", "-q", "--force")
        ok(done.returncode == 0, f"sweep: model: swept.ssp ({kind})", done.stderr)
    try:
        import h5py
        with h5py.File(folder / "grid.h5") as h:
            now, done = radius(folder / "swept.ssp", "--set", "H=0.1", "--set", "a.k=5")
            ok(h["spectral_radius"].shape[-2:] == (3, 2) and abs(float(h["spectral_radius"][..., 2, 0].ravel()[0]) - now) < 1e-12, "sweep: a point of it", done.stderr)
    except ImportError:
        note("no h5py here")
    pack(folder / "swept.ssp", two("ModelExchange"))
    (folder / "long.yaml").write_text(grid.replace("points: 3", "points: 40").replace("[5, 40]", "{from: 1, to: 40, points: 60}"))
    command = ("sweep", folder / "long.yaml", "-o", folder / "long.h5", "-q", "--threads", "1")
    process = subprocess.Popen([COSTAB, *map(str, command)], env={**os.environ, "TMPDIR": temporary}, stderr=subprocess.DEVNULL)
    checkpoint = folder / "long.h5.checkpoint"
    while process.poll() is None and not (checkpoint.exists() and checkpoint.stat().st_size > 6000):
        time.sleep(0.01)
    process.kill()
    process.wait()
    kept = checkpoint.read_bytes()
    pack(folder / "swept.ssp", two("ModelExchange"), inside={"resources/other": "1"})
    done = run(*command, "--resume")
    ok(done.returncode == 2 and "is of another spec" in done.stderr and checkpoint.read_bytes() == kept, "sweep --resume: an FMU has changed", done.stderr)
    pack(folder / "swept.ssp", two("ModelExchange"))
    done = run(*command[:-3], "--resume")
    ok(done.returncode == 0 and "continues after tile" in done.stderr, "sweep --resume: none has", done.stderr)
    (folder / "wrong.yaml").write_text(grid.replace("swept", "misspelt"))
    done = run("sweep", folder / "wrong.yaml", "-o", folder / "wrong.h5", "-q")
    ok(done.returncode == 0 and places["stif"] in done.stderr, "sweep: warnings of its system", done.stderr)

    # ---- transformations, units, nested systems
    reference, _ = radius(exact)
    metre = '<ssd:Units><ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit><ssc:Unit name="mm"><ssc:BaseUnit m="1" factor="0.001"/></ssc:Unit>' \
            '<ssc:Unit name="s"><ssc:BaseUnit s="1"/></ssc:Unit></ssd:Units>'
    millimetres = two("ModelExchange", units=metre).replace(connector("position", "output"), connector("position", "output", ' unit="m"'))
    same = millimetres.replace(connector("position", "input"), connector("position", "input", ' unit="mm"'))
    scaled, done = radius(pack(folder / "units.ssp", same.replace(connection("a.position", "b.position"), connection(
        "a.position", "b.position", '<ssc:LinearTransformation factor="0.001"/>'))))
    ok(scaled is not None and abs(scaled - reference) < 1e-9, "units and a linear transformation cancel", scaled, reference, done.stderr)
    for name, other in (("an empty unit", millimetres.replace(connector("position", "input"), connector("position", "input", ' unit=""'))),
                        ("a unit that is not defined", same.replace('unit="mm"', 'unit="inch"'))):
        now, done = radius(pack(folder / "units.ssp", other))
        warned = "SystemStructure.ssd:1: warning: the unit 'inch' is not defined here" in done.stderr
        ok(now is not None and abs(now - reference) < 1e-9 and warned == ("inch" in other), f"{name} converts nothing", now, reference, done.stderr)
    owned = {f"own/{name}.fmu": enlarged(fmu(of), {}, "modelDescription.xml", lambda s, old=old, new=new: s.replace(old, new)) for name, of, old, new in (
        ("mass", "mass-2", "<Real />", '<Real unit="m"/>'), ("coupled", "coupled-3", 'name="position"', 'name="position" unit="mm"'))}
    own = two("ModelExchange", units=metre).replace("resources/", "own/").replace(connection("a.speed", "b.speed"), connection(
        "a.speed", "b.speed", attributes=' suppressUnitConversion="true"'))
    scaled, done = radius(pack(folder / "units.ssp", own.replace(connection("a.position", "b.position"), connection(
        "a.position", "b.position", '<ssc:LinearTransformation factor="0.001"/>')), more=owned))
    ok(scaled is not None and abs(scaled - reference) < 1e-9 and "warning" not in done.stderr, "units of the FMUs' variables", scaled, reference, done.stderr)
    offset = folder / "offset.yaml"
    for kind in ("ModelExchange", "CoSimulation"):
        if kind == "ModelExchange":
            offset.write_text(PLAIN.replace("HOW", "method: exact"))
        else:
            offset.write_text(run("import", pack(folder / "whole.ssp", two(kind))).stdout)
        offset.write_text(offset.read_text() + "sources: {b.speed: -3}\n")
        path = pack(folder / "offset.ssp", two(kind).replace(connection("a.speed", "b.speed"), connection("a.speed", "b.speed", '<ssc:LinearTransformation offset="-3"/>')))
        found, truth = ({(r["t"], r["subsystem"], r["signal"]): float(r["value"]) for r in csv_rows(run("simulate", of, "--until", "0.5"))
                         if r["signal"] in ("position", "speed", "reaction")} for of in (path, offset))
        ok(len(truth) > 50 and found.keys() == truth.keys() and all(abs(found[k] - truth[k]) < 1e-9 for k in truth) and max(map(abs, truth.values())) > 0.1,
           f"an offset moves a simulation ({kind})", list(found.items())[-4:], list(truth.items())[-4:])
    done = run("simulate", pack(folder / "late.ssp", two("ModelExchange").replace('startTime="0"', 'startTime="5"')), "--set", "a.x=1", "--until", "0.1")
    ok(done.returncode == 0 and "warning: startTime = 5 is not used: the FMU of 'a' starts at 0" in done.stderr, "another start time than the FMUs'", done.stderr)
    lax = {"prefixes without a declaration": re.sub(r' xmlns:\w+="[^"]*"', "", two("ModelExchange", a=inline(m=1.5, k=12, x=0, steps=30))),
           "an empty startElement": None,
           "SSP 2.0": two("ModelExchange").replace('version="1.0" name="two', 'version="2.0" name="two').replace("ssc:Real", "ssc:Float64"),
           "\\ in a source": two("ModelExchange").replace("resources/", ".\\resources\\")}
    inner = (f'<ssd:System name="sub"><ssd:Connectors>{connector("p", "input")}{connector("v", "input")}{connector("f", "output")}</ssd:Connectors>'
             f'<ssd:Elements>{component("b", "resources/coupled.fmu", COUPLED, "", KINDS["ModelExchange"])}</ssd:Elements><ssd:Connections>'
             f'{connection("p", "b.position")}{connection("v", "b.speed")}{connection("b.reaction", "f")}</ssd:Connections></ssd:System>')
    nested = system(component("a", "resources/mass.fmu", MASS, inline(m=1.5, k=12, x=0), KINDS["ModelExchange"]) + inner,
                    connection("a.position", "sub.p") + connection("a.speed", "sub.v") + connection("sub.f", "a.force"))
    now, done = radius(pack(folder / "nested.ssp", nested))
    ok(now is not None and abs(now - reference) < 1e-9, "a nested system", now, reference, done.stderr)
    passed = nested.replace('<ssd:System name="top">', metre + '<ssd:System name="top">').replace(connector("position", "output"), connector("position", "output", ' unit="m"')) \
        .replace(connector("position", "input"), connector("position", "input", ' unit="mm"')).replace(
            connection("a.position", "sub.p"), connection("a.position", "sub.p", '<ssc:LinearTransformation factor="0.001"/>'))
    now, done = radius(pack(folder / "nested.ssp", passed))
    ok(now is not None and abs(now - reference) < 1e-9 and "warning" not in done.stderr, "units on both sides of a connector without one", now, reference, done.stderr)
    passed = nested.replace(connection("a.position", "sub.p"), connection("a.position", "sub.p", '<ssc:LinearTransformation factor="3" offset="2"/>')) \
        .replace(connection("p", "b.position"), connection("p", "b.position", '<ssc:LinearTransformation factor="-1" offset="1"/>'))
    done = run("import", pack(folder / "nested.ssp", passed))
    ok('to: "sub/b.position", gain: -3}' in done.stdout and 'sources:\n  "sub/b.position": -1\n' in done.stdout, "transformations one after the other", done.stdout, done.stderr)
    lax["an empty startElement"] = nested.replace("<ssd:Connection startConnector", '<ssd:Connection startElement="" startConnector')
    for name, ssd in lax.items():
        now, done = radius(pack(folder / "lax.ssp", ssd))
        ok(now is not None and abs(now - reference) < 1e-9 and "warning" not in done.stderr, f"read: {name}", now, reference, done.stderr)

    # ---- a loose .ssd, and import
    (folder / "resources").mkdir()
    for name, of in (("mass", "mass-2"), ("coupled", "coupled-3")):
        (folder / f"resources/{name}.fmu").write_bytes(fmu(of).read_bytes())
    (folder / "loose.ssd").write_text(two("ModelExchange"))
    now, done = radius(folder / "loose.ssd")
    ok(now is not None and abs(now - reference) < 1e-9, "a loose .ssd", done.stderr)
    (folder / "proxy.ssd").write_text(two("ModelExchange").replace('source="', 'source="proxyfmu://localhost?file='))
    now, done = radius(folder / "proxy.ssd")
    ok(now is not None and abs(now - reference) < 1e-9, "proxies", done.stderr)

    # ---- import
    done = run("import", exchange, "-o", folder / "imported.yaml")
    text = (folder / "imported.yaml").read_text() if done.returncode == 0 else ""
    now, _ = radius(folder / "imported.yaml")
    ok(text.count("fmu: ") == 2 and now is not None and abs(now - reference) < 1e-9, "import: model exchange", now, reference, done.stderr)
    ok(run("import", exchange, "-o", folder / "imported.yaml").returncode == 0, "import replaces its own file")
    (folder / "mine.yaml").write_text("mine: 1\n")
    ok(run("import", exchange, "-o", folder / "mine.yaml").returncode == 2 and (folder / "mine.yaml").read_text() == "mine: 1\n",
       "import replaces no other file")
    (folder / "elsewhere").mkdir()
    done = run("import", both, "-o", folder / "elsewhere/model.yaml")
    now, _ = radius(both)
    there, said = radius(folder / "elsewhere/model.yaml", "--set", "a_k=12")
    ok(now is not None and now == there, "import: co-simulation, from another folder", now, there, done.stderr, said.stderr)
    done = run("import", fmu("coupled-3"))
    ok(done.returncode == 0 and "kind: model-exchange" in done.stdout and str(fmu("coupled-3")) in done.stdout, "import: an FMU alone", done.stdout, done.stderr)
    done = run("import", folder / "exact.yaml")
    ok(done.returncode == 2, "import: a model file is none", done.stderr)

    # ---- refusals
    def refused(name, ssd, expected, **files):
        done = run("map", pack(folder / "bad.ssp", ssd, **files))
        ok(done.returncode == 2 and expected in done.stderr, f"refused: {name}", done.returncode, done.stderr)

    good = two("ModelExchange")
    refused("a source that leads out", good.replace("resources/mass.fmu", "../mass.fmu"), "leads out")
    refused("a source elsewhere", good.replace("resources/mass.fmu", "http://x/mass.fmu"), "leads out")
    refused("no such FMU", good.replace("resources/mass.fmu", "resources/other.fmu"), "there is no 'resources/other.fmu'")
    refused("two that are not there", good.replace("resources/mass.fmu", "resources/other.fmu").replace("resources/coupled.fmu", "resources/third.fmu"),
            "there is no 'resources/third.fmu'")
    refused("another type", good.replace("x-fmu-sharedlibrary", "x-other", 1), "is not supported")
    refused("no such connector", good.replace('startConnector="speed"', 'startConnector="sped"'), "unknown connector 'sped'")
    refused("two sources", two("ModelExchange", ties=TIES + connection("a.speed", "b.position")), "has two sources")
    refused("units of other quantities", millimetres.replace(connector("position", "input"), connector("position", "input", ' unit="s"')),
            "not those of one quantity")
    refused("a signal dictionary", good.replace("<ssd:Elements>", '<ssd:Elements><ssd:SignalDictionaryReference name="d" dictionary="d"/>'), "not supported")
    refused("a mapping that is no line", two("ModelExchange", a=binding(raw + mapped(("mass", "m", "<ssc:BooleanMappingTransformation/>")))),
            "only linear transformations")
    refused("a mapping that is not there", two("ModelExchange", a=binding(raw + mapped(extra=' source="m.ssm"'))), "there is no 'm.ssm'")
    refused("a mapping of another type", two("ModelExchange", a=binding(raw + mapped(("mass", "m"), extra=' type="x/y"'))), "type = 'x/y' is not supported")
    refused("a base that is unknown", two("ModelExchange", a=binding("", ' source="p.ssv" sourceBase="x"')), "sourceBase = 'x'")
    refused("a component of a system", two("ModelExchange", more=binding("", ' source="p.ssv" sourceBase="component"')), "for the bindings of components")
    refused("a source that leads out of the component", two("ModelExchange", a=binding("", ' source="../p.ssv" sourceBase="component"')), "leads out of the component")
    refused("SSP 3.0", good.replace('version="1.0" name="two', 'version="3.0" name="two'), "SSP 3.0 is not supported")
    refused("no XML", "<ssd", "it is not valid XML")
    refused("an entity", good.replace("<ssd:System", '<!DOCTYPE a [<!ENTITY e "x">]><ssd:System', 1), "document type")
    refused("a value of an output", two("ModelExchange", a=inline(speed=1)), "SystemStructure.ssd:1:")
    refused("a value that nothing takes", two("ModelExchange", a=inline(speed=1)), "'speed' of 'a' cannot be given a value")
    refused("a wrong value", two("ModelExchange", a=inline(k="ten")), "not a finite number")
    refused("a flag without a value", two("ModelExchange", a=inline(k=1).replace('<ssv:Real value="1"/>', "<ssv:Boolean/>")), "'value' is missing")
    refused("a value beyond all doubles", two("ModelExchange", a=binding(raw + mapped(("stiff", "k", '<ssc:LinearTransformation factor="1e308"/>')))),
            "the value of 'k' becomes too large")
    refused("half a power", good.replace("<ssd:System ", '<ssd:Units><ssc:Unit name="q"><ssc:BaseUnit m="0.5"/></ssc:Unit></ssd:Units><ssd:System ', 1),
            "is not an integer")
    (folder / "doubled.fmu").write_bytes(enlarged(fmu("mass-2"), {}, "modelDescription.xml", lambda s: s.replace("</ModelVariables>", 2000 * (
        '<ScalarVariable name="q" valueReference="400" causality="parameter" variability="fixed" initial="exact"><Real start="1"/></ScalarVariable>') +
        "</ModelVariables>")))
    (folder / "doubled.ssd").write_text(system(component("a", "doubled.fmu", MASS, inline(q=1), KINDS["ModelExchange"]), ""))
    done = run("map", folder / "doubled.ssd")
    ok(done.returncode == 2 and "two variables have the name 'q'" in done.stderr, "refused: 2000 variables of one name", done.returncode, done.stderr)
    crowd = two("ModelExchange", a=inline(**{f"z{i}": 1 for i in range(200)}))
    done = run("map", pack(folder / "crowd.ssp", crowd))
    shown = [line for line in done.stderr.splitlines() if ": warning: " in line]
    ok(done.returncode == 0 and 10 < len(shown) < 200 and "further warnings are not shown" in done.stderr, "that not all warnings are shown is said", len(shown))
    done = run("map", folder / "nothing.ssp")
    ok(done.returncode in (1, 2) and "nothing.ssp" in done.stderr, "no such file", done.returncode, done.stderr)

    # ---- memory that runs out, here and there
    count = int(costab("map", exchange, program=FORGETFUL, env={**os.environ, "COSTAB_FAIL_ALLOC": "0"}).stderr.rsplit("costab: ", 1)[1].split()[0])
    bad = []
    for k in range(1, count, max(count // effort(8), 1)):
        done = costab("map", exchange, program=FORGETFUL, env={**os.environ, "TMPDIR": temporary, "COSTAB_FAIL_ALLOC": str(k)})
        if done.returncode not in (0, 1) or " 0 not freed" not in done.stderr:
            bad.append((k, done.returncode, done.stderr[-300:]))
    ok(not bad, "allocations that fail: exit 1 and nothing lost", *bad)
    ok(not list(pathlib.Path(temporary).iterdir()), "no temporary folder is left")
finish()
