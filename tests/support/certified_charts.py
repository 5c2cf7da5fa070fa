"""Certified charts of ordinary models: what is certified held against the class of every point, and against `costab prove`."""
import os
import pathlib
import random
import re
import resource
import subprocess

import families
import h5py
import numpy as np

CERTIFIED, COMPUTED, GREY = range(3)
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
    """(path, classes, certificate or None, evaluations, seconds of processor time) of a spec."""
    path = os.path.join(folder, name)
    pathlib.Path(path + ".yaml").write_text(text, encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run([costab, "sweep", path + ".yaml", "-o", path + ".h5", "--force"], check=True, capture_output=True,
                          text=True).stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = re.search(r"analysed (\d+)", said) or re.search(r"(\d+) evaluations for", said)
    with h5py.File(path + ".h5") as file:
        return (path + ".h5", file["class"][...], file["certificate"][...] if "certificate" in file else None,
                int(spent.group(1)) if spent else 0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def prove(costab, path, *options):
    """(exit status, {confirmed, refuted, undecided}, what it says) of `costab prove`."""
    done = subprocess.run([costab, "prove", path, "--quiet", *map(str, options)], capture_output=True, text=True)
    rows = dict(row.split(",") for row in done.stdout.splitlines()[1:])
    return done.returncode, {name: int(value) for name, value in rows.items()}, done.stderr


# ---- Corruption: each changes the arrays of classes and certificates, or the text of the spec, and returns the text ----


def some(r, where):
    """One of the places of a mask, or None."""
    places = np.argwhere(where)
    return tuple(places[r.integers(len(places))]) if len(places) else None


def another_class(r, classes, certificates, text):
    at = some(r, certificates == CERTIFIED)
    classes[at] = (classes[at] + 1 + r.integers(3)) % 4
    return text


def no_class(r, classes, certificates, text):
    classes[some(r, certificates == CERTIFIED)] = r.choice([4, 8, 16, 255])
    return text


def raised(r, classes, certificates, text, otherwise=False):
    """A certificate where the search gave none, with another class if wanted; None where it gave all."""
    at = some(r, certificates != CERTIFIED)
    if at is None:
        return None
    certificates[at] = CERTIFIED
    if otherwise:
        classes[at] = (classes[at] + 1 + r.integers(3)) % 4
    return text


def raised_otherwise(*given):
    return raised(*given, otherwise=True)


def swapped(r, classes, certificates, text):
    """Two certified points of different classes."""
    one = some(r, certificates == CERTIFIED)
    other = some(r, (certificates == CERTIFIED) & (classes != classes[one]))
    if other is None:
        return None
    classes[one], classes[other] = classes[other], classes[one]
    return text


def flipped(r, classes, certificates, text):
    axis = 1 + int(r.integers(2))
    for array in (classes, certificates):
        array[...] = np.flip(array, axis).copy()
    return text


def moved(r, classes, certificates, text):
    axis = 1 + int(r.integers(2))
    for array in (classes, certificates):
        array[...] = np.roll(array, 1, axis)
    return text


def other_model(r, classes, certificates, text):
    """A number of the subsystems is another in the spec."""
    begin, end = text.index("subsystems:"), text.index("connections:")
    numbers = [m for m in re.finditer(r"(?<![\w.])-?\d+\.\d+(?:e[-+]?\d+)?", text) if begin < m.start() < end and float(m[0])]
    at = numbers[int(r.integers(len(numbers)))]
    return text[:at.start()] + "%r" % (float(at[0]) * float(np.exp(r.choice([-1, 1]) * r.uniform(0.3, 3)))) + text[at.end():]


CORRUPTIONS = (another_class, no_class, raised, raised_otherwise, swapped, flipped, moved, other_model)


def corrupt(path, target, how, seed):
    """A copy of a results file with something changed and the right checksum: (classes, certificates, spec) of it. None: this
    corruption changes nothing in the file."""
    r = np.random.default_rng(seed)
    target = pathlib.Path(target)
    target.write_bytes(pathlib.Path(path).read_bytes())
    with h5py.File(target, "r+") as file:
        arrays = file["class"][...], file["certificate"][...]
        classes, certificates = (array.copy() for array in arrays)
        old = file["spec"][()].decode()
        text = how(r, classes, certificates, old)
        if text is None or (text == old and (classes == arrays[0]).all() and (certificates == arrays[1]).all()):
            return None
        file["class"][...], file["certificate"][...] = classes, certificates
        if text != old:
            file["spec"][()] = text
    return classes, certificates, text


def judge(costab, folder, file, classes, certificates, text, honest):
    """What is wrong with the answer of `costab prove` to a corrupted file; honest: (classes, certificates) of the spec in it, as a
    sweep finds them. Also whether it was refuted, and whether there was anything to refute."""
    status, found, said = prove(costab, file)
    held = certificates == CERTIFIED
    wrong, right = int((held & (classes != honest[0])).sum()), int((held & (classes == honest[0]) & (honest[1] == CERTIFIED)).sum())
    faults = []
    if status not in (0, 1) or not found:
        faults.append("exit status %d: %s" % (status, said))
    else:
        if found["refuted"] + found["undecided"] < wrong or found["confirmed"] > right:
            faults.append("%d wrong points, at most %d to confirm, but %s" % (wrong, right, found))
        if (status == 1) != (found["refuted"] > 0):
            faults.append("exit status %d with %d refuted" % (status, found["refuted"]))
        if sum(found.values()) != held.sum():
            faults.append("%d points counted, %d certified" % (sum(found.values()), held.sum()))
    return faults, status == 1, wrong > 0
