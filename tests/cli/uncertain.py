#!/usr/bin/env python3
"""Uncertain axes: probabilities with closed forms and beside plain samples, and what is refused.

The loop x' = -c g x, held over each step, is stable where 0 < c g H < 2. A set of 64 low-discrepancy values has one in each 64th of
one parameter's distribution, so that its share of stable ones is right to 1/64."""
import math
import pathlib
import random
import tempfile

from table import swept
from tap import costab, csv_rows, finish, NETWORK, ok, refused, seed

LOOP = """system: network
parameters: {c: 2, g: 1, d: c, H: 1}
subsystems: [{name: tank, A: [[0]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}]
connections: [{from: tank.y, to: tank.u, gain: -d*g}]
coupling: {macro_step: H}
"""
SHARE = 1 / 64


def normal(z):
    return 0.5 * math.erfc(-z / math.sqrt(2))


def test_closed_forms(folder):
    cases = {"{from: 1, to: 3}": lambda most: (most - 1) / 2,
             "{mean: 2, deviation: 0.25}": lambda most: normal((most - 2) / 0.25),
             "10 %": lambda most: (most - 1.8) / 0.4}
    for uncertain, share in cases.items():
        text = LOOP + f"axes: {{H: [0.5, 0.8, 0.95, 1, 1.05, 1.5, 3], c: {{uncertain: {uncertain}}}}}\nfields: [probability]\n"
        found = swept(folder, text, "probability")
        off = [abs(float(row["probability"]) - min(max(share(2 / float(row["H"])), 0), 1)) for row in found]
        errors = [float(row["probability_error"]) for row in found]
        ok(len(off) == 7 and max(off) <= SHARE and max(errors) <= SHARE and errors[0] == 1 / 1024,
           f"the probability over {uncertain} is the closed form's", off, errors)


def eigenvalue_radius(k, H):
    """Of one RK4 step of NETWORK's mass with its input held: x'' = -k x - x' + u, u = x at the step's start."""
    def slope(x, v, u):
        return v, -k * x - v + u
    columns = []
    for x, v in ((1, 0), (0, 1)):
        stages, u = [], x
        for part in (0, H / 2, H / 2, H):
            last = stages[-1] if stages else (0, 0)
            stages.append(slope(x + part * last[0], v + part * last[1], u))
        columns.append([s + H / 6 * (stages[0][i] + 2 * stages[1][i] + 2 * stages[2][i] + stages[3][i])
                        for i, s in enumerate((x, v))])
    trace, determinant = columns[0][0] + columns[1][1], columns[0][0] * columns[1][1] - columns[0][1] * columns[1][0]
    square = trace * trace / 4 - determinant
    return math.sqrt(determinant) if square < 0 else abs(trace) / 2 + math.sqrt(square)


def test_plain_samples(folder):
    text = NETWORK.split("axes:")[0] + "axes: {H: [0.6, 0.8, 0.9], k: {uncertain: {mean: 10, deviation: 2}}}\nfields: [probability, worst_radius]\n"
    draw = random.Random(seed(7))
    values, good, said = [draw.gauss(10, 2) for _ in range(30000)], True, []
    found = swept(folder, text, "probability")
    for row in found:
        rank = sorted(eigenvalue_radius(k, float(row["H"])) for k in values)
        plain = sum(radius < 1 for radius in rank) / len(rank)
        mine, error = float(row["probability"]), float(row["probability_error"])
        most = 4 * math.sqrt(error**2 + plain * (1 - plain) / len(values)) + 1e-5
        good = good and abs(mine - plain) <= most
        said.append((row["H"], mine, error, plain))
        # 1,024 values: the largest is beyond all but a 64th of the plain ones
        good = good and rank[len(rank) * 63 // 64] <= float(row["worst_radius"]) <= 1.5 * rank[-1]
    ok(len(found) == 3 and good and any(0.01 < p < 0.99 for _, p, _, _ in said), "RK4's probabilities are those of plain samples", said)


def test_threads(folder):
    text = NETWORK.replace("axes: {k:", "axes: {d: {uncertain: 30 %}, k:").replace("{k: 10,", "{k: 10, d: 1,").replace("-1]]", "-d]]")
    text = text.replace("fields: [class, spectral_radius]", "fields: [spectral_radius, probability, worst_radius]")
    files = [swept(folder, text, "probability", "-t", threads) for threads in (1, 3)]
    ok(len(files[0]) == 81 and files[0] == files[1], "any number of threads gives the same numbers", files[0])
    done = costab("plot", pathlib.Path(folder, "sweep.h5"), "--of", "probability", "--script-only", "-o", folder)
    ok(done.returncode == 0, "contours of the probability are drawn", done.stderr)


def test_level(folder):
    """Half of all c from 1 to 3 are stable where g H = 1. At steps h of H = x/g the straight line between points is off by h^2/(4 x) there,
    the samples' share by 1/64, which moves x by 1/64 more."""
    swept(folder, LOOP + """axes:
  H: {from: 0.75, to: 1.25, points: 21}
  g: {from: 0.8, to: 1.25, points: 10}
  c: {uncertain: {from: 1, to: 3}}
fields: [probability]
""", "probability")
    done = costab("boundary", pathlib.Path(folder, "sweep.h5"), "--of", "probability", "-f", "csv")
    off = [abs(float(row["H"]) * float(row["g"]) - 1) for row in csv_rows(done.stdout)]
    ok(len(off) >= 10 and max(off) <= SHARE + 0.0625**2 / 4, "half of the samples are stable on the probability's line", done.stderr, off)


TWO = """system: network
parameters: {a: 1, b: 1, n: 2}
subsystems:
  - {name: one, A: [[-a]], B: [[0]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: euler}
  - {name: two, A: [[-b]], B: [[0]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: euler}
coupling: {macro_step: 1}
axes: {n: [2], a: {uncertain: {from: 1, to: 3}}, b: {uncertain: {from: 1.2, to: 2.2}}}
samples: 4096
"""


def margin(folder, text, *options):
    spec = pathlib.Path(folder, "m.yaml")
    spec.write_text(text)
    done = costab("margin", spec, "--uncertain", *options)
    return done, {row["name"]: row for row in csv_rows(done) if "name" in row}


def test_margin(folder):
    """Stable where a < 2 and b < 2, independent: of the variance of a product of two events p and q, p alone makes q (1 - p) / (1 - p q)."""
    p, q = 1 / 2, 0.8
    done, found = margin(folder, TWO)
    wanted = {"probability": p * q, "a": q * (1 - p) / (1 - p * q), "b": p * (1 - q) / (1 - p * q)}
    for name, value in wanted.items():
        off, error = abs(float(found[name]["value"]) - value), float(found[name]["error"])
        ok(off < 5 * error and error < 0.03, f"margin --uncertain: {name} is the closed form's within its error", off, error)
    field = swept(folder, TWO + "fields: [probability, probability_error]\n", "probability")[0]
    ok(float(field["probability"]) == float(found["probability"]["value"]) and
       abs(float(field["probability_error"]) / float(found["probability"]["error"]) - 1) < 1e-9, "the probability is the sweep's field", field, found)
    done, found = margin(folder, TWO, "-f", "text")
    ok("a alone makes" in done.stdout, "a sentence names the one that decides most", done.stdout)
    done, found = margin(folder, LOOP, "--parameters", "c", "--set", "H=0.9")
    ok(float(found["probability"]["value"]) == 1 and found["c"]["value"] == "" and "within 10 % of its value" in done.stderr,
       "without uncertain axes those of --parameters, by 10 %", done.stdout, done.stderr)
    done, _ = margin(folder, LOOP + "axes: {c: {uncertain: 10 %}}\nsamples: 784\n", "--set", "H=0.9", "-f", "text")
    done_csv, found = margin(folder, LOOP + "axes: {c: {uncertain: 10 %}}\nsamples: 784\n", "--set", "H=0.9")
    ok(float(found["probability"]["value"]) == 1 and found["c"]["value"] == "" and "each of 784 samples is stable" in done.stdout,
       "sets of 49 samples: a probability of 1 has no share", done_csv.stdout, done.stdout)
    done, _ = margin(folder, LOOP, "--connections")
    ok(done.returncode == 2 and "no --connections" in done.stderr, "refused with --connections", done.stderr)
    done, _ = margin(folder, LOOP.replace("c: 2,", "c: 2, " + ", ".join(f"e{i}: 1" for i in range(8)) + ","))
    ok(done.returncode == 2 and "name 1 to 8 of them: --parameters k,m" in done.stderr, "refused with more than are possible", done.stderr)


def test_refused(folder):
    wrong = {"fields: [probability]\naxes: {H: [1]}": "is over uncertain parameters",
             "fields: [probability]\naxes: {H: [1], c: {uncertain: 10}}": "expected 10 %",
             "fields: [probability]\naxes: {H: [1], c: {uncertain: -1 %}}": "expected 10 %",
             "axes: {H: [1], c: {uncertain: {from: 2, to: 1}}}": "'to' must be more than 'from'",
             "axes: {H: [1], c: {uncertain: {from: -1e308, to: 1e308}}}": "'to' must be more than 'from'",
             "axes: {H: [1], c: {uncertain: {from: 2, mean: 1}}}": "write {from: 1, to: 2} or",
             "axes: {H: [1], c: {uncertain: 1 %}}\nsamples: 17": "a multiple of 16",
             "axes: {H: [1]}\nsamples: 32": "no axis is uncertain",
             "axes: {H: [1], d: {uncertain: 1 %}}": "'d' is computed from others",
             "axes: {c: [1], c: {uncertain: 1 %}}": "repeated"}
    for text, word in wrong.items():
        said = swept(folder, LOOP + text + "\n", "class")
        ok(isinstance(said, str) and word in said and ":" in said, f"refused, with the remedy: {text!r}", said)
    path, table = pathlib.Path(folder, "counted.yaml"), pathlib.Path(folder, "counted.csv")
    path.write_text(LOOP.replace("c: 2,", "c: 2, n: 3,").replace("exact", "exact, substeps: n"))
    named = [row["name"] for row in csv_rows(costab("margin", path, "--uncertain"))]
    ok(named == ["probability", "c", "g", "H"], "counts are certain", named)
    refused("a count is named", "'n' is a count", "margin", path, "--uncertain", "--parameters", "n")
    refused("a parameter is named twice", "'c' is named twice", "margin", path, "--parameters", "c,H", "--parameters", "c")
    refused("a coupling is named twice", "--coupling: 'jacobi' is named twice", "map", path, "--coupling", "jacobi,jacobi")
    refused("a share of 0 is 0", "'c' is 0, and so is any share of it; give its distribution", "margin", path, "--uncertain", "--set", "c=0")
    spec = pathlib.Path(folder, "zero.yaml")
    spec.write_text(LOOP + "axes: {H: [0.5], c: {uncertain: 10 %}}\nfields: [probability]\n")
    refused("in a sweep, too", "axes, c: a share of its value 0 is 0; give {uncertain: {from: .., to: ..}}", "sweep", spec, "--set", "c=0")
    path.write_text(LOOP.replace("macro_step: H", "macro_step: 1").replace("exact", "exact, step: H"))
    refused("the map of a sample", "is longer than the macro step", "margin", path, "--uncertain", "--parameters", "H", "-o", table)
    ok(not table.exists(), "and no table is written")


with tempfile.TemporaryDirectory() as folder:
    for test in (test_closed_forms, test_plain_samples, test_margin, test_threads, test_level, test_refused):
        test(folder)
finish()
