#!/usr/bin/env python3
"""The float fields' kernels in the program itself. A build with gcc and -O3 for x86-64 Linux holds each of them for AVX2
and for AVX-512, and there objdump must show packed arithmetic on ymm and zmm registers and nowhere a fused
multiply-add. In every build the fields that a sweep writes are those that classify, whose kernel is scalar and has no
clones, gives for the same points, bit for bit."""
import csv
import io
import os
import platform
import re
import subprocess
import tempfile

import h5py
import numpy as np

COSTAB = os.environ["COSTAB"]
KERNELS = {
    "co-simulations": "trace_line determinant_line radius_line trace_row determinant_row radius_row",
    "simulation, explicit": "simple_trace simple_determinant simple_radius",
    "simulation, implicit": "shape_block quotient_trace quotient_determinant divide_block radius_block",
    "simulation, micro steps": "excess_block divided_excess_block determinant_block compose_block square_block trace_block",
}
ARITHMETIC = re.compile(r"\bv(?:add|sub|mul|div)pd\b.*%(ymm|zmm)")
count = 0


def report(good, what, why=""):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {what}" + (f"\n# {why}" if not good else ""))


def run(*arguments, **options):
    return subprocess.run(arguments, check=True, capture_output=True, text=True, **options).stdout


def clones():
    """Of each clone in the program the registers of its packed arithmetic, and whether it fuses."""
    found, name = {}, None
    for line in run("objdump", "-d", "--no-show-raw-insn", COSTAB).splitlines():
        head = re.match(r"[0-9a-f]+ <(.*)>:", line)
        if head:
            clone = re.match(r"(\w+)\.(avx2|avx512f)\b", head[1])
            name = clone and clone.groups()
            if name:
                found[name] = [set(), False]
        elif name:
            packed = ARITHMETIC.search(line)
            if packed:
                found[name][0].add(packed[1])
            found[name][1] |= bool(re.search(r"\bvfn?m(?:add|sub)", line))
    return found


def check_code():
    found = clones()
    for group, names in KERNELS.items():
        for level, register in (("avx2", "ymm"), ("avx512f", "zmm")):
            missing = [n for n in names.split() if register not in found.get((n, level), [()])[0]]
            report(not missing, f"{group}: packed arithmetic on {register} registers", "not in " + ", ".join(missing))
    fused = [name for name, clone in found.items() if clone[1]]
    report(found and not fused, f"no fused multiply-add in {len(found)} clones", str(fused))


def check_values(method, substeps):
    fields = ("trace", "determinant", "spectral_radius")
    spec = f"""system: planar
schemes: all
method: {method}
substeps: {substeps}
axes:
  a: [-0.5, 0.3]
  gamma: {{from: -6, to: 2, points: 23}}
  delta: {{from: -2, to: 14, points: 37}}
fields: [{', '.join(fields)}]
"""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/s.yaml", "w") as file:
            file.write(spec)
        run(COSTAB, "sweep", folder + "/s.yaml", "-o", folder + "/s.h5", "--quiet")
        with h5py.File(folder + "/s.h5") as file:
            a, gamma, delta = (file[k][:] for k in ("a", "gamma", "delta"))
            grids = {k: file[k][:] for k in fields}
    points = [(x, g, d) for x in a for g in gamma for d in delta]
    text = "a,gamma,delta\n" + "".join("%.17g,%.17g,%.17g\n" % p for p in points)
    rows = csv.DictReader(io.StringIO(run(COSTAB, "classify", "--points", "-", "--scheme", "all", "--method", method,
                                          "--substeps", str(substeps), input=text)))
    rows = list(rows)
    for k in fields:
        values = np.array([float(r[k]) for r in rows]).reshape(len(a), len(gamma), len(delta), 4)
        same = np.moveaxis(values, 3, 0) == grids[k]
        report(same.all(), f"{method}, {substeps} micro steps: {same.size} values of {k} are classify's",
               f"{(~same).sum()} differ")


def main():
    version = run(COSTAB, "--version")
    expected = platform.system() == "Linux" and platform.machine() == "x86_64" and ", gcc " in version \
        and " -O3 " in version and "-fsanitize" not in version
    if expected:
        check_code()
    else:
        print("# no build with gcc -O3 for x86-64 Linux: the generated code is not looked at, only its values")
    for method, substeps in (("rk4", 1), ("rk4", 3), ("radau2", 1), ("gauss2", 2), ("dopri5", 1), ("exact", 1)):
        check_values(method, substeps)
    print(f"1..{count}")


main()
