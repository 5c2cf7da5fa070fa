#!/usr/bin/env python3
"""Random limits over parameters of which single values make sense, against plain scanning: EFFORT times six
networks of two subsystems, each over micro steps, a stride, a delay, iterations, the length of a micro step and the macro step; and
over a gain and a delay in seconds, whose ends are held against values on both sides. Prints TAP."""
import json
import pathlib
import random
import subprocess
import tempfile

from tap import COSTAB, csv_rows, effort, finish, ok, seed

here = pathlib.Path(__file__).resolve().parents[1]

answered = []
MODEL = """system: network
parameters: {{H: {H}, n: {n}, s: 1, d: {d}, k: {k}, h: {h}, g: 1, late: {late}}}
subsystems:
  - {{name: a, A: [[0, 1], [-{w1}, -{c1}]], B: [[0], [1]], C: [[1, 0]], inputs: [u], outputs: [y], method: {m1}, substeps: n{stride}}}
  - {{name: b, A: [[0, 1], [-{w2}, -{c2}]], B: [[0], [{b2}]], C: [[1, 0]], inputs: [u], outputs: [y], method: {m2}, step: h}}
connections:
  - {{from: a.y, to: b.u, delay: d, gain: g}}
  - {{from: b.y, to: a.u, gain: {back}, delay: late s}}
coupling: {{scheme: {scheme}, macro_step: H{more}}}
"""


def make(draw):
    """A model's text, and which counts it has."""
    scheme = draw.choice(["jacobi", "gauss-seidel", "iterated"])
    H, parts = draw.choice([0.05, 0.1, 0.2]), draw.randint(1, 8)
    over = {"n": (1, 9), "d": (0, 7)}
    if scheme == "iterated":
        over["k"] = (1, 8)
    else:
        over["s"] = (1, 5)
    text = MODEL.format(H=H, n=draw.randint(1, 6), d=draw.randint(0, 2), k=draw.randint(1, 4), h=repr(H / parts), late=draw.choice([0, 0, H / 2, 2 * H, 2.6 * H]), w1=f"{10 ** draw.uniform(0, 3.3):.4g}", c1=f"{10 ** draw.uniform(-1, 1.6):.3g}",
                        w2=f"{10 ** draw.uniform(0, 3):.4g}", c2=f"{10 ** draw.uniform(-1, 1.3):.3g}",
                        b2=f"{10 ** draw.uniform(0, 3):.4g}", back=f"{draw.uniform(-2, 2):.3g}",
                        m1=draw.choice(["euler", "heun", "rk4", "exact"]), m2=draw.choice(["euler", "rk4"]), scheme=scheme,
                        stride=", stride: s" if scheme != "iterated" else "", more=", iterations: k" if scheme == "iterated" else "")
    return text, over, [H / k for k in range(12, 0, -1)], [H / parts * k for k in range(1, 21)]


def code_at(model, name, value):
    done = subprocess.run([COSTAB, "map", model, "--set", f"{name}={value!r}", "-f", "json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)[0]["class"] if done.returncode == 0 else None


def rows_of(model, name, low, high):
    """Its exit status and rows, which are counted."""
    done = subprocess.run([COSTAB, "limit", model, "--over", f"{name}={low!r}:{high!r}"], capture_output=True, text=True, check=False)
    rows = [(float(r["lower"]), float(r["upper"]), r["class"]) for r in csv_rows(done)]
    answered.append((done.returncode, len(rows)))
    return done.returncode, rows


def wrong_values(model, name, values):
    """What limit says of each value, where map says something else."""
    status, rows = rows_of(model, name, values[0], values[-1])
    said = []
    for value in values:
        inside = [code for low, high, code in rows if low * (1 - 1e-12) <= value <= high * (1 + 1e-12)]
        code = code_at(model, name, value)
        expected = [] if code is None or code[1] == "U" else [code]
        if inside != expected:
            said.append(f"{name} = {value!r}: limit {inside}, map {code}")
    return said + ([f"{name}: exit {status}"] if status not in (0, 2) else [])


def wrong_range(model, name, first, last):
    """The same of a parameter of which every value makes sense."""
    _, rows = rows_of(model, name, first, last)
    said = []
    for low, high, code in rows:
        if high - low <= 1e-9 * high:
            continue  # both letters change here: the ends are known to 1e-12, and between them rounding decides
        for value in (low + 1e-6 * (high - low), (low + high) / 2, high - 1e-6 * (high - low)):
            if code != "undecided" and code_at(model, name, value) != code:
                said.append(f"{name} = {value!r}: limit {code}, map {code_at(model, name, value)}")
    for (_, end, _), (begin, _, _) in zip(rows, rows[1:]):
        middle = (end + begin) / 2
        if begin - end > 1e-6 and (code_at(model, name, middle) or "SU")[1] != "U":
            said.append(f"{name} = {middle!r}: no interval of limit, map {code_at(model, name, middle)}")
    return said


def wrong_delay(model, H):
    """And of a delay in seconds, which jumps from step to step, and is the same between: nothing is undecided."""
    _, rows = rows_of(model, "late", 0.0, 6.5 * H)
    codes = [(value, code_at(model, "late", value)) for k in range(7) for value in ((k + 0.01) * H, (k + 0.49) * H)]
    said = [f"late = {low!r}: undecided" for low, _, code in rows if code == "undecided" and not any(c and "N" in c for _, c in codes)]
    for value, code in codes:
        inside = [c for low, high, c in rows if low <= value <= high and c != "undecided"]
        if code is not None and "N" not in code and inside != ([] if code[1] == "U" else [code]):
            said.append(f"late = {value!r}: limit {inside}, map {code}")
    return said + wrong_range(model, "late", 0.0, 6.5 * H)


def main():
    draw, said = random.Random(seed(1)), []
    with tempfile.TemporaryDirectory() as folder:
        model = str(pathlib.Path(folder) / "model.yaml")
        for number in range(effort(6)):
            text, over, steps, multiples = make(draw)
            pathlib.Path(model).write_text(text, encoding="utf-8")
            found = wrong_range(model, "g", 0.01, 20.0) + wrong_delay(model, steps[-1]) + wrong_values(model, "h", steps) + wrong_values(model, "H", multiples)
            for name, (first, last) in over.items():
                found += wrong_values(model, name, list(range(first, last + 1)))
            said += [f"model {number}: {one}" for one in found]
    empty = sum(status == 0 and rows == 0 for status, rows in answered)
    ok(not said, f"{len(answered)} limits over counts, steps, delays and gains: none contradicts map", "\n".join(said[:20]))
    ok(all(status == 0 for status, _ in answered) and empty < len(answered) / 2, f"all are answered, {empty} of them by no interval", answered[:20])
    finish()


main()
