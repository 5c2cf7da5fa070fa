"""Charts of classes of ordinary models."""
import os
import pathlib
import random
import re
import resource
import subprocess

import families
import h5py

COUPLINGS = {"jacobi": "scheme: jacobi", "jacobi-linear": "scheme: jacobi, extrapolation: linear",
             "gauss-seidel": "scheme: gauss-seidel", "gauss-seidel-linear": "scheme: gauss-seidel, interpolation: linear",
             "iterated": "scheme: iterated, iterations: converged",
             "iterated-linear": "scheme: iterated, iterations: converged, interpolation: linear"}

# Two lightly damped modes and a filtered controller: narrow tongues of instability.
ARM = """title: flexible arm
system: network
parameters: {H: 0.01, gain: 860}
subsystems:
  - {name: arm, A: [[0, 1, 0, 0], [-3600, -0.7, 0, 0], [0, 0, 0, 1], [0, 0, -77000, -15]], B: [[0], [0.34], [0], [0.57]],
     C: [[0.34, 0, 0.57, 0]], inputs: [F], outputs: [q], method: exact, substeps: 1}
  - {name: ctrl, A: [[-24]], B: [[24]], C: [[-gain]], inputs: [e], outputs: [F], method: exact, substeps: 1}
connections: [{from: arm.q, to: ctrl.e}, {from: ctrl.F, to: arm.F}]
coupling: {scheme: %s, macro_step: H}
axes: {H: {from: 0.01, to: 0.1, points: %d}, gain: {from: 100, to: 3000, points: %d}}
fields: [class]
"""


def scaled(made, r, name):
    """Makes one physical number a parameter: the gain of a connection or, as often, the entries of a row of A that has more than
    one. Returns its nominal value."""
    value = families.number(families.draw(r, 0.5, 2))
    rows = [(q, i) for q in made["subsystems"] for i, row in enumerate(q["A"]) if sum(x != 0 for x in row) > 1]
    if rows and r.random() < 0.5:
        q, i = r.choice(rows)
        q["A"][i] = ["%s*%s" % (x, name) if x != 0 else x for x in q["A"][i]]
    else:
        k = r.randrange(len(made["connections"]))
        source, target, *gain = made["connections"][k]
        made["connections"][k] = (source, target, "*".join(gain + [name]))
    return value


def chart(number, points):
    """A spec over two parameters of a random model of families.py: mostly the macro step and another, log-uniform around their
    values; axes are linear or logarithmic."""
    family = families.NAMES[number % len(families.NAMES)]
    r = random.Random("chart %d" % number)
    made = families.model(family, 5000 + number)
    high = made["high"] if made["over"] == "H" else 0.5 if family == "structure" else 20 * made["parameters"]["H"]
    own = [name for name in made["parameters"] if name != "H"]
    for name in ("P", "Q"):
        made["parameters"][name] = scaled(made, r, name)
    pair = r.sample(own + ["P", "Q"], 2)
    axes = {name: [made["parameters"][name] / families.draw(r, 2, 30), made["parameters"][name] * families.draw(r, 1.5, 10)]
            for name in pair}
    if r.random() < 0.75:
        axes.pop(pair[0])
        to = high / families.draw(r, 1, 10)
        axes["H"] = [to / families.draw(r, 10, 1000), to]
    else:
        made["parameters"]["H"] = families.draw(r, high / 300, high / 2)
    lines = [line for line in families.yaml(made).splitlines() if not line.startswith("coupling:")]
    lines += ["coupling: {%s, macro_step: H, feedthrough: %s}" % (COUPLINGS[r.choice(families.COUPLINGS)], made["feedthrough"]),
              "axes:"]
    spacing = ", spacing: log" if r.random() < 0.3 else ""
    lines += ["  %s: {from: %.9g, to: %.9g, points: %d%s}" % (name, *ends, points, spacing) for name, ends in axes.items()]
    return "\n".join(lines + ["fields: [class]"]) + "\n"


def sweep(costab, folder, text, name):
    """(path, classes, evaluations, seconds of processor time) of a spec."""
    path = os.path.join(folder, name)
    pathlib.Path(path + ".yaml").write_text(text, encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run([costab, "sweep", path + ".yaml", "-o", path + ".h5", "--force"], check=True, capture_output=True,
                          text=True).stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = re.search(r"analysed (\d+)", said)
    with h5py.File(path + ".h5") as file:
        return (path + ".h5", file["class"][...],
                int(spent.group(1)) if spent else 0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
