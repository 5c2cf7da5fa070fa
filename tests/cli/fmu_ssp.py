#!/usr/bin/env python3
"""Systems of FMUs (SSP) from the command line: the two-mass system as SSP has the limits of the same network in YAML, its
parts are found, its parameters set, and what is wrong or not supported is refused. Prints TAP."""
import csv
import io
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from systems import (COUPLED, KINDS, MASS, TIES, binding, component, connection, connector, fmu, inline, pack, system, two,  # noqa: E402
                     values)
from tap import costab, finish, ok  # noqa: E402

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

    def rows(done):
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def radius(path, *more):
        done = run("map", path, *more)
        found = [float(r["value"]) for r in rows(done) if r["name"] == "spectral_radius"]
        return (found or [None])[0], done

    def limits(path, couplings):
        return {(r["coupling"], r["from"] == "0.05"): float(r["to"])
                for r in rows(run("limit", path, "--over", "H=0.05:0.12", "--coupling", couplings))}

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
    found, truth = limits(both, "jacobi"), {k: v for k, v in truth.items() if k[0] == "jacobi"}
    ok(found.keys() == truth.keys() and all(abs(found[k] / truth[k] - 1) < 1e-6 for k in truth), "limit: co-simulation", found, truth)
    done = run("map", both)
    ok(rows(done) and any(r["name"] == "class" and r["value"] == "NS" for r in rows(done)), "co-simulation is chosen", done.stderr)
    done = run("simulate", both, "--until", "0.5", "--set", "a.x=1")
    ok(done.returncode == 0 and len(rows(done)) > 30, "simulate", done.stderr)

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

    # ---- transformations, units, nested systems
    reference, _ = radius(exact)
    metre = '<ssd:Units><ssc:Unit name="m"><ssc:BaseUnit m="1"/></ssc:Unit><ssc:Unit name="mm"><ssc:BaseUnit m="1" factor="0.001"/></ssc:Unit>' \
            '<ssc:Unit name="s"><ssc:BaseUnit s="1"/></ssc:Unit></ssd:Units>'
    millimetres = two("ModelExchange", units=metre).replace(connector("position", "output"), connector("position", "output", ' unit="m"'))
    same = millimetres.replace(connector("position", "input"), connector("position", "input", ' unit="mm"'))
    scaled, done = radius(pack(folder / "units.ssp", same.replace(connection("a.position", "b.position"), connection(
        "a.position", "b.position", '<ssc:LinearTransformation factor="0.001"/>'))))
    ok(scaled is not None and abs(scaled - reference) < 1e-9, "units and a linear transformation cancel", scaled, reference, done.stderr)
    inner = (f'<ssd:System name="sub"><ssd:Connectors>{connector("p", "input")}{connector("v", "input")}{connector("f", "output")}</ssd:Connectors>'
             f'<ssd:Elements>{component("b", "resources/coupled.fmu", COUPLED, "", KINDS["ModelExchange"])}</ssd:Elements><ssd:Connections>'
             f'{connection("p", "b.position")}{connection("v", "b.speed")}{connection("b.reaction", "f")}</ssd:Connections></ssd:System>')
    nested = system(component("a", "resources/mass.fmu", MASS, inline(m=1.5, k=12, x=0), KINDS["ModelExchange"]) + inner,
                    connection("a.position", "sub.p") + connection("a.speed", "sub.v") + connection("sub.f", "a.force"))
    now, done = radius(pack(folder / "nested.ssp", nested))
    ok(now is not None and abs(now - reference) < 1e-9, "a nested system", now, reference, done.stderr)

    # ---- a loose .ssd, and import
    (folder / "resources").mkdir()
    for name, of in (("mass", "mass-2"), ("coupled", "coupled-3")):
        (folder / f"resources/{name}.fmu").write_bytes(fmu(of).read_bytes())
    (folder / "loose.ssd").write_text(two("ModelExchange"))
    now, done = radius(folder / "loose.ssd")
    ok(now is not None and abs(now - reference) < 1e-9, "a loose .ssd", done.stderr)

    # ---- import: matrices in place of model exchange, entries of co-simulation
    done = run("import", exchange, "-o", folder / "imported.yaml")
    text = (folder / "imported.yaml").read_text() if done.returncode == 0 else ""
    now, _ = radius(folder / "imported.yaml")
    ok("fmu:" not in text and now is not None and abs(now - reference) < 1e-12, "import: matrices", now, reference, done.stderr)
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
    ok(done.returncode == 0 and "D: [[-20" in done.stdout and "body_x" in done.stdout and "# by differences" in done.stdout, "import: an FMU alone", done.stdout, done.stderr)
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
    refused("another type", good.replace("x-fmu-sharedlibrary", "x-other", 1), "is not supported")
    refused("no such connector", good.replace('startConnector="speed"', 'startConnector="sped"'), "no connector 'sped'")
    refused("two sources", two("ModelExchange", ties=TIES + connection("a.speed", "b.position")), "has two sources")
    refused("units of other quantities", millimetres.replace(connector("position", "input"), connector("position", "input", ' unit="s"')),
            "not those of one quantity")
    refused("a signal dictionary", good.replace("<ssd:Elements>", '<ssd:Elements><ssd:SignalDictionaryReference name="d" dictionary="d"/>'), "not supported")
    refused("a mapping of parameters", two("ModelExchange", a=binding("<ssd:ParameterMapping/>")), "parameter mappings are not supported")
    refused("a connected flag", good.replace(f'{connector("force", "input")}', '<ssd:Connector name="force" kind="input"><ssc:Boolean/></ssd:Connector>'),
            "only real signals")
    refused("SSP 2.0", good.replace('version="1.0" name="two', 'version="2.0" name="two'), "SSP 2.0 is not supported")
    refused("no XML", "<ssd", "it is no XML")
    refused("an entity", good.replace("<ssd:System", '<!DOCTYPE a [<!ENTITY e "x">]><ssd:System', 1), "document type")
    refused("a wrong value", two("ModelExchange", a=inline(k="ten")), "not a finite number")
    done = run("map", folder / "nothing.ssp")
    ok(done.returncode in (1, 2) and "nothing.ssp" in done.stderr, "no such file", done.returncode, done.stderr)

    # ---- memory that runs out, here and there
    count = int(costab("map", exchange, env={**os.environ, "COSTAB_FAIL_ALLOC": "0"}).stderr.rsplit("costab: ", 1)[1].split()[0])
    bad = []
    for k in range(1, count, count // 25):
        done = costab("map", exchange, env={**os.environ, "TMPDIR": temporary, "COSTAB_FAIL_ALLOC": str(k)})
        if done.returncode not in (0, 1) or " 0 not freed" not in done.stderr:
            bad.append((k, done.returncode, done.stderr[-300:]))
    ok(not bad, "allocations that fail: exit 1 and nothing lost", *bad)
    ok(not list(pathlib.Path(temporary).iterdir()), "no temporary folder is left")
finish()
