#!/usr/bin/env python3
"""costab tune on 100 random models: the tuned coupling is stable on all of the range up to max_stable_step by `limit` with the block that it
writes, and in 1,000 macro steps each of models with one number 10 % off, or less, up to robust_to, by SciPy's maps. Then the table of finding 13.
Prints TAP.
SEED and EFFORT (tens of models) as of other random tests."""
import pathlib
import re

import numpy as np

from table import rows_of
from tap import effort, finish, ok, seed, workplace
from weighted import Net

SAMPLES = 1000
NUMBERS = "a0", "a1", "b0", "b1", "max_stable_step", "robust_to", "fixed_to", "gain", "robust_gain"


def matrix(values, factor):
    return "[" + ", ".join("[" + ", ".join(f"{factor}*({v:.6g})" for v in row) + "]" for row in values) + "]"


def drawn(random):
    """A stable model of 2 to 4 subsystems of one or two states in a ring, or a chain there and back; a third feed through. Half are
    lightly damped, as structures are."""
    while True:
        count, light, through = random.integers(2, 5), random.random() < 0.5, random.random() < 1 / 3
        ring = count > 2 and random.random() < 0.5
        links = [(i, (i + 1) % count) for i in range(count)] if ring else [(i, i + s) for i in range(count) for s in (-1, 1) if 0 <= i + s < count]
        parts = []
        for i in range(count):
            ins = [k for k, link in enumerate(links) if link[1] == i]
            if light or random.random() < 0.5:
                w, d = random.uniform(1, 4), random.uniform(0.02, 0.2 if light else 1)
                A, B = [[0, 1], [-w * w, -2 * d * w]], [[0] * len(ins), [random.uniform(-1, 1) * w * w * 2 for _ in ins]]
            else:
                A, B = [[-random.uniform(0.3, 3)]], [[random.uniform(-4, 4) for _ in ins]]
            C = [[random.uniform(0.5, 1.5)] + [0] * (len(A) - 1)]
            D = [[random.uniform(-0.5, 0.5) if through and i == 0 else 0 for _ in ins]]
            parts.append(f"  - {{name: s{i}, A: {matrix(A, f'p{i}')}, B: {matrix(B, 'g')}, C: {matrix(C, '1')}, D: {matrix(D, 'f')}, "
                         f"inputs: [{', '.join(f'u{k}' for k in ins)}], outputs: [y], method: exact}}\n")
        words = ("system: network\nparameters: {H: 0.01, g: 1, f: 1, " + ", ".join(f"p{i}: 1" for i in range(count)) + "}\nsubsystems:\n" + "".join(parts) +
                 "connections:\n" + "".join(f"  - {{from: s{a}.y, to: s{b}.u{k}}}\n" for k, (a, b) in enumerate(links)))
        net = Net(words)
        rates = np.linalg.eigvals(net.whole)
        if rates.real.max() < -0.02:
            return words, net, through, 20 / np.abs(rates).max()


def taken(words, block):
    """The model with the block, weights of connections in their places."""
    for link, own in re.findall(r"\{(from: \S+ to: \S+), (extrapolation: \{.*?\})\}", block):
        link = link.replace('"', "")
        words = words.replace("{" + link + "}", "{" + link + ", " + own + "}")
    return words + block.split("# to be added")[0]


def weights_of(rows, words):
    """Of each connection of such a model, in their order; none where it is a fixed coupling without such weights."""
    every = next((tuple(row[k] for k in ("a0", "a1", "b0", "b1")) for row in rows if row["group"] == "all"), None)
    if every is not None and None in every:
        return None
    links = re.findall(r"\{from: .*?\}\}?\n", words.split("\nconnections:")[1].split("\ncoupling")[0])
    own = [[eval(f"({values})") for values in re.findall(r"\b[ab]: \[(.*?)\]", link)] for link in links]
    return [sum(pairs, ()) + (0, 0) * (2 - len(pairs)) if pairs else every for pairs in own]


def hold(number, random):
    words, net, through, upper = drawn(random)
    order, solved = int(random.integers(1, 4)), bool(through and random.random() < 0.5)
    path, lower = pathlib.Path("model.yaml"), upper * 1e-3
    path.write_text(words + f"coupling: {{scheme: jacobi, macro_step: H, feedthrough: {'solved' if solved else 'delayed'}}}\n")
    what = f"model {number}, order {order}{', solved' if solved else ''}"
    over = f"H={lower!r}:{upper!r}"
    try:
        rows, said = rows_of(NUMBERS, "tune", path, "--over", over, "--order", order, "-o", "block.yaml", "--force")
    except RuntimeError as refused:
        ok("start the range at a smaller value" in str(refused), f"{what}: refused", refused)
        return None
    path.write_text(taken(words, pathlib.Path("block.yaml").read_text()))
    found, _ = rows_of(("lower", "upper"), "limit", path, "--over", over)
    row = rows[0]
    if row["fixed_to"] == upper:
        return None  # nothing to tune
    ok(found and found[0]["lower"] == lower and abs(found[0]["upper"] / row["max_stable_step"] - 1) < 1e-9, f"{what}: stable up to {row['max_stable_step']:.6g}", rows, found)
    each = weights_of(rows, path.read_text())
    if each is None:
        return row, 0, 0
    names = [name for name in net.values if name[0] in "gfp" and name[-1] != "i" and (through or name != "f")]
    bad = {True: [], False: []}
    for k in range(SAMPLES):
        name, ends = names[random.integers(len(names))], k % 2 == 0
        factor = (0.9 if random.random() < 0.5 else 1.1) if ends else random.uniform(0.9, 1.1)
        varied = Net(words, **{name: factor})
        if np.linalg.eigvals(varied.whole).real.max() >= 0:
            continue
        H = row["robust_to"] * (1 - random.random() ** 2 * 0.999) * (1 - 1e-9)
        if H >= lower and varied.radius(H, each, solved) >= 1:
            bad[ends].append((name, factor, H))
    ok(not bad[True], f"{what}: no number 10 % off makes it unstable up to {row['robust_to']:.6g}", bad[True][:3], rows)
    ok(not bad[False], f"{what}: nor one between", bad[False][:3], rows, words)
    return row, len(bad[True]), len(bad[False])


def hold_finding():
    """Every cell of the table is what limit and tune print, rounded."""
    sweeps = pathlib.Path(__file__).resolve().parents[2] / "sweeps"
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in (sweeps / "findings/tuned.md").read_text().splitlines()
             if line.startswith("| ") and "/models/" in line]
    for path, option, polynomial, spectral, tuned, robust, gain, third in table:
        suffix = "-solved" if option == "solved" else ""
        where = (sweeps / f"{path}.yaml", *(("--set", option) if "=" in option else ()))
        lower, upper = (0.005, 8) if re.match("kyll|two-masses", path) else (1e-4, 0.4)
        over = "--over", f"H={lower}:{upper}"
        ends = {}
        for name in ("", "-linear", "-quadratic", "-cubic", "-smoothed", "-linear-smoothed", "-spectral"):
            name += suffix
            found, _ = rows_of(("lower", "upper"), "limit", *where, *over, "--coupling", "jacobi" + name)
            ends[name] = found[0]["upper"] if found and found[0]["lower"] == lower else 0
        two, three = (rows_of(NUMBERS, "tune", *where, *over, "--coupling", "jacobi" + suffix, "--order", order)[0][0] for order in (2, 3))
        better = two["gain"] != 1
        computed = [max(end for name, end in ends.items() if "spectral" not in name), ends["-spectral" + suffix], two["max_stable_step"] if better else 0,
                    two["robust_to"] if better else 0, two["gain"], three["max_stable_step"] if three["gain"] != 1 else 0]
        printed = [polynomial, spectral, tuned, robust, gain, third]
        wrong = [(p, c) for p, c in zip(printed, computed) if abs(float(p or 0) - c) > 0.51 * 10.0 ** -len(p.partition(".")[2] if p else "123")]
        ok(not wrong, f"finding 13: {path} {option}", wrong)
    ok(len(table) == 14, "finding 13 has its table", table)


random, gains = np.random.default_rng(seed(31)), []
with workplace():
    while len(gains) < effort(10):
        found = hold(len(gains), random)
        if found is not None:
            gains.append(found[0])
hold_finding()
better = [row["robust_gain"] for row in gains if row["gain"] != 1]
print(f"# {len(better)} of {len(gains)} gain, the median of them {np.median(better):.3f} and the most {max(better):.3f} times the best fixed coupling in the worst varied model")
finish()
