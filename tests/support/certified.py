"""Certified charts of ordinary models: what is certified held against the class of every point, and against `costab prove`."""
import os
import pathlib
import subprocess

import families
import h5py
import numpy as np
from sealed import seal, unsealed

CERTIFIED, COMPUTED, GREY = range(3)


def chart(family, seed, points, refine):
    """A spec over the macro step and a parameter of a model of families.py; None where the model has no second parameter."""
    made = families.model(family, seed)
    others = [name for name in made["parameters"] if name != "H"]
    high = made["high"] if made["over"] == "H" else made["parameters"]["H"] * 10
    if not others:
        return None
    name = made["vary"] or others[0]
    value = made["parameters"][name]
    coupling = "coupling: {scheme: %s, macro_step: H, feedthrough: %s%s}" % (
        ("jacobi", "gauss-seidel", "iterated")[seed % 3], made["feedthrough"], ", interpolation: linear" if seed % 2 else "")
    lines = [line for line in families.yaml(made).splitlines() if not line.startswith("coupling:")]
    lines += [coupling, "axes:", "  H: {from: %r, to: %r, points: %d}" % (high / 100, high, points),
              "  %s: {from: %r, to: %r, points: %d}" % (name, value / 5, value * 5, points), "fields: [class]"]
    return "\n".join(lines + (["refine: {certified: true}"] if refine else [])) + "\n"


def sweep(costab, folder, text, name):
    path = os.path.join(folder, name)
    with open(path + ".yaml", "w", encoding="utf-8") as spec:
        spec.write(text)
    said = subprocess.run([costab, "sweep", path + ".yaml", "-o", path + ".h5", "--force"], check=True, capture_output=True,
                          text=True).stderr
    with h5py.File(path + ".h5") as file:
        return path + ".h5", file["class"][...], file["certificate"][...] if "certificate" in file else None, said


def hold(costab, folder, family, seed, points):
    """(faults, shares of certified, computed and grey points, evaluations per point) of one chart; None: it has none."""
    text = chart(family, seed, points, True)
    if text is None:
        return None
    path, classes, certificate, said = sweep(costab, folder, text, "certified")
    _, truth, _, _ = sweep(costab, folder, chart(family, seed, points, False), "full")
    faults = []
    differ = classes != truth
    if differ.any():
        faults.append("%d classes differ, %d of them certified" % (differ.sum(), (differ & (certificate == CERTIFIED)).sum()))
    shares = [float(np.mean(certificate == kind)) for kind in (CERTIFIED, COMPUTED, GREY)]
    spent = int(said.split("analysed ")[1].split()[0]) / classes.size
    return faults, shares, spent, path


def corrupt(path, r):
    """Gives one certified point of a file another class, at random, and seals the file anew."""
    path = pathlib.Path(path)
    path.write_bytes(unsealed(path))
    with h5py.File(path, "r+") as file:
        certified = np.argwhere(file["certificate"][...] == CERTIFIED)
        at = tuple(int(i) for i in certified[r.integers(len(certified))])
        file["class"][at] = (file["class"][at] + 1 + r.integers(3)) % 4
    seal(path)
    return at
