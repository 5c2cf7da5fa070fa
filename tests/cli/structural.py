#!/usr/bin/env python3
"""Structural modes: counts and classes of random models against exact fractions: the rank of the equations at random rational values of
all parameters, and signs of eigenvalues by Routh's array of the exact characteristic polynomial. S where that says U, or the reverse, is
an error, and so is a wrong count; N where the numbers are stiff is allowed. With an argument: so many models."""
import math
import random
import re
from fractions import Fraction

from tap import costab, csv_rows, effort, finish, ok, workplace

# A number in an expression, but for the digits of a name.
NUMBER = re.compile(r"(?<![\w.])(\d+\.?\d*(?:e[-+]?\d+)?)")
KINDS = ["free", "limit", "loop", "slow", "stiff"]


def quoted(text):
    return text if NUMBER.fullmatch(text.lstrip("-")) else f'"{text}"'


class Model:
    """Numbers are texts, named or not; subsystems have texts of parameters as entries."""

    def __init__(self, rng):
        self.rng, self.parameters, self.subsystems, self.connections = rng, {}, [], []

    def number(self, low, high, sign=1, named=None):
        text = f"{sign * 10 ** self.rng.uniform(low, high):.4g}".replace("e-0", "e-")
        return self.name(text) if (self.rng.random() < 0.6 if named is None else named) else text

    def name(self, text):
        name = f"p{len(self.parameters)}"
        self.parameters[name] = text
        return name

    def add(self, a, b, c, d):
        self.subsystems.append((a, b, c, d))
        return len(self.subsystems) - 1

    def connect(self, source, output, to, port, gain="1"):
        self.connections.append((source, output, to, port, gain))

    def yaml(self):
        lines = ["system: network", "parameters: {" + ", ".join(f"{k}: {v}" for k, v in {**self.parameters, "H": "1e-3"}.items()) + "}", "subsystems:"]
        for s, blocks in enumerate(self.subsystems):
            inputs, outputs = len((blocks[1] or blocks[3])[0]), len(blocks[2] or blocks[3])
            text = ", ".join(f"{k}: [" + ", ".join("[" + ", ".join(quoted(e) for e in row) + "]" for row in m) + "]" for k, m in zip("ABCD", blocks) if m)
            ports = ", ".join(f"{k}: [" + ", ".join(f"{k[0]}{i}" for i in range(n)) + "]" for k, n in (("inputs", inputs), ("outputs", outputs)))
            lines.append(f"  - {{name: s{s}, {text}, {ports}" + (", method: exact}" if blocks[0] else "}"))
        lines.append("connections:")
        lines += [f'  - {{from: s{a}.o{i}, to: s{b}.i{j}, gain: {quoted(g)}}}' for a, i, b, j, g in self.connections]
        return "\n".join(lines) + "\ncoupling: {scheme: jacobi, macro_step: H}\n"

    def equations(self, values):
        """M of (x, u, y), and how many states there are."""
        def at(text):
            return eval(NUMBER.sub(r"Fraction('\1')", text), {"Fraction": Fraction}, values) + Fraction(0)
        sizes = [(len(a or []), len((b or d)[0]), len(c or d)) for a, b, c, d in self.subsystems]
        n, m, q = (sum(size[k] for size in sizes) for k in range(3))
        rows = [[Fraction(0)] * (n + m + q) for _ in range(n + m + q)]
        at_x, at_u, at_y = [0], [n], [n + m]
        for size in sizes:
            for list_, k in ((at_x, 0), (at_u, 1), (at_y, 2)):
                list_.append(list_[-1] + size[k])
        for s, (a, b, c, d) in enumerate(self.subsystems):
            for block, row, column in ((a, at_x[s], at_x[s]), (b, at_x[s], at_u[s]), (c, at_y[s] - m, at_x[s]), (d, at_y[s] - m, at_u[s])):
                for i, line in enumerate(block or []):
                    for j, entry in enumerate(line):
                        rows[row + i][column + j] += at(entry)
        for k in range(q):
            rows[n + k][n + m + k] -= 1
        for k in range(m):
            rows[n + q + k][n + k] -= 1
        for a, i, b, j, gain in self.connections:
            rows[n + q + at_u[b] - n + j][at_y[a] + i] += at(gain)
        return rows, n


def reduced(rows, first):
    """Gauss-Jordan of the columns from `first` on; returns rows and how many pivots there were."""
    rows, done = [list(row) for row in rows], 0
    for c in range(first, len(rows[0])):
        pivot = next((r for r in range(done, len(rows)) if rows[r][c]), None)
        if pivot is None:
            continue
        rows[done], rows[pivot] = rows[pivot], rows[done]
        rows[done] = [e / rows[done][c] for e in rows[done]]
        for r in range(len(rows)):
            if r != done and rows[r][c]:
                factor = rows[r][c]
                rows[r] = [e - factor * p for e, p in zip(rows[r], rows[done])]
        done += 1
    return rows, done


def monolithic(rows, n):
    """A + B (I - L D)^-1 L C: signals eliminated by Gauss-Jordan of their own equations. None: ill-posed."""
    signals, done = reduced([row[n:] + row[:n] for row in rows[n:]], 0)
    if done < len(signals) or any(signals[i][j] != (i == j) for i in range(len(signals)) for j in range(len(signals))):
        return None
    count = len(signals)
    return [[rows[i][j] - sum(rows[i][n + k] * signals[k][count + j] for k in range(count) if rows[i][n + k]) for j in range(n)] for i in range(n)]


def characteristic(a):
    """Faddeev and LeVerrier; leading coefficient first."""
    n = len(a)
    m, result = [[Fraction(0)] * n for _ in range(n)], [Fraction(1)]
    for k in range(1, n + 1):
        m = [[sum(a[i][l] * m[l][j] for l in range(n) if a[i][l]) + (result[-1] if i == j else 0) for j in range(n)] for i in range(n)]
        result.append(-sum(a[i][l] * m[l][i] for i in range(n) for l in range(n) if a[i][l]) / k)
    return result


def letter(polynomial):
    """S, U or N by Routh's array; None where a row begins with 0 and no sign tells."""
    rows = [polynomial[0::2], polynomial[1::2] or [Fraction(0)]]
    if polynomial[-1] == 0:
        return "N" if any(c for c in polynomial[:-1]) and all(c >= 0 for c in polynomial) else None
    while len(rows) < len(polynomial):
        one, two = rows[-2:]
        if not two or two[0] == 0:
            return None
        rows.append([one[i + 1] - one[0] / two[0] * (two[i + 1] if i + 1 < len(two) else 0) for i in range(len(one) - 1)])
    firsts = [row[0] for row in rows[:len(polynomial)] if row]
    return None if any(f == 0 for f in firsts) else "S" if all(f > 0 for f in firsts) else "U"


def chain(model, kind):
    """Masses, and springs with dampers between them, subsystems each; one to the ground: none, or 0, or weak."""
    rng, count, ports = model.rng, model.rng.randint(2, 3), []
    masses = []
    for _ in range(count):
        m, springs = model.number(-1, 1), 2
        masses.append(model.add([["0", "1"], ["0", "0"]], [["0"] * springs, [f"1/{m}"] * springs], [["1", "0"], ["0", "1"]], None))
        ports.append(0)
    wide = 8 if kind == "stiff" else 2
    for i in range(count - 1):
        k, d = model.number(-1, wide), model.number(-1, 2)
        spring = model.add(None, None, None, [[f"-{k}", f"-{d}", k, d], [k, d, f"-{k}", f"-{d}"]])
        for side in (0, 1):
            for port in (0, 1):
                model.connect(masses[i + side], port, spring, 2 * side + port)
            model.connect(spring, side, masses[i + side], ports[i + side])
            ports[i + side] += 1
    if kind != "free" or rng.random() < 0.5:
        if kind == "free":
            k = "0"
        elif kind == "limit":
            k = model.name("0")
        else:
            k = model.number(-6, -3, rng.choice([-1, 1]))
        damper = model.number(-1, 1)
        i = rng.choice([i for i in range(count) if ports[i] < 2])
        ground = model.add(None, None, None, [[f"-({k})" if k[0] == "-" else f"-{k}", f"-{damper}"]])
        for port in (0, 1):
            model.connect(masses[i], port, ground, port)
        model.connect(ground, 0, masses[i], ports[i])


def loop(model):
    """x' = -a x + b u, y = c x + D u with a gain g = (1 - e)/D back: the loop is nearly singular."""
    rng = model.rng
    a, b, c = (model.number(-1, 1) for _ in range(3))
    e = Fraction(rng.choice([-1, 1])) / 10 ** rng.randint(3, 10)
    feedthrough = Fraction(rng.choice(["0.5", "2", "0.25", "4", "1"]))
    decimal = f"{float((1 - e) / feedthrough):.17g}"
    back = model.name(decimal) if rng.random() < 0.5 else decimal
    one = model.add([[f"-{a}"]], [[b]], [[c]], [[str(float(feedthrough))]])
    other = model.add(None, None, None, [["1"]])
    model.connect(one, 0, other, 0)
    model.connect(other, 0, one, 0, back)
    if rng.random() < 0.5:
        model.add([["0"]], [[model.number(-1, 1)]], [["1"]], None)
        model.connect(one, 0, len(model.subsystems) - 1, 0)


def integrators(model):
    """Integrators in a ring or in a row, with slow feedback or none."""
    rng, count = model.rng, model.rng.randint(2, 3)
    rate = model.number(-9, -5, rng.choice([-1, 1]))
    for i in range(count):
        model.add([["0"]] if i > 0 or rng.random() < 0.5 else [[rate]], [["1"]], [["1"]], None)
    for i in range(count - 1):
        model.connect(i, 0, i + 1, 0, model.number(-1, 1))
        if rng.random() < 0.5:
            model.connect(i + 1, 0, i, 0, model.number(-1, 1, -1))
    if rng.random() < 0.5:
        model.connect(count - 1, 0, count - 1, 0, model.number(-8, 0, rng.choice([-1, 1])))


def random_model(rng, kind):
    model = Model(rng)
    if kind == "loop":
        loop(model)
    elif kind == "slow":
        integrators(model)
    else:
        chain(model, kind)
    return model


def drawn(model):
    return {k: Fraction(model.rng.randint(500, 2000), 1009) * (-1 if v[0] == "-" else 1) for k, v in model.parameters.items()}


def nullity(rows):
    return len(rows) - reduced(rows, 0)[1]


def truth(model):
    """How many structural zeros the model has, and the letter of what is left; None where these are not known."""
    rows, n = model.equations({k: Fraction(v) for k, v in model.parameters.items()})
    a = monolithic(rows, n)
    if a is None:
        return None
    count = min(nullity(model.equations(drawn(model))[0]) for _ in range(2))
    polynomial = characteristic(a)
    if any(polynomial[len(polynomial) - count:]):
        return None
    # A rigid motion leaves a second zero, which the jacobi map with held inputs keeps only if nothing reads it.
    rest = polynomial[:len(polynomial) - count]
    return count, letter(rest) if len(rest) > 1 else "S"


def rows_of(text):
    done = costab("map", "-", "-f", "csv", input=text)
    return ({row["name"]: row["value"] for row in csv_rows(done)} if done.returncode == 0 else None), done


def judge(tally, model, kind, seed):
    expected = truth(model)
    if expected is None or expected[1] is None:
        tally["unknown"] += 1
        return
    values, done = rows_of(model.yaml())
    if values is None:
        tally["refused"] += 1
        tally["wrong"] += not ("singular" in done.stderr or "ill-posed" in done.stderr or "nothing to analyse" in done.stderr)
        return
    found, count = values["class"][0], int(values["removed_modes"])
    kept = int(values["kept"])
    tally["models"] += 1
    tally[kind] += 1
    tally["open"] += found == "N" != expected[1]
    tally["removed"] += count > 0
    wrong = count != expected[0] or (found != "N" and found != expected[1] and not kept)
    tally["wrong"] += wrong
    if wrong:
        print(f"# {kind} {seed}: {count} removed, {values['class']}; {expected}")


CASES = [("spring at k = 0", "k: 0", (0, "N")), ("spring at k = 1", "k: 1", (0, "S"))]
SPRING = """system: network
parameters: {%s, H: 0.05}
subsystems:
  - {name: mass, A: [[0, 1], [0, 0]], B: [[0], [1]], C: [[1, 0], [0, 1]], inputs: [F], outputs: [x, v], method: exact}
  - {name: spring, D: [["-k", -2]], inputs: [x, v], outputs: [F]}
connections: [{from: mass.x, to: spring.x}, {from: mass.v, to: spring.v}, {from: spring.F, to: mass.F}]
coupling: {scheme: gauss-seidel, macro_step: H}
"""
FREE = SPRING.replace('"-k"', "0").replace("%s, ", "")


CANCELS = """system: network
parameters: {c: %s, r: "%s", H: 1e3}
subsystems:
  - {name: free, %s, inputs: [u], outputs: [y]}
  - {name: slow, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: exact}
connections: [{from: free.y, to: slow.u}%s]
coupling: {scheme: jacobi, macro_step: H}
"""
# The rate of `free` is r: an entry, a gain, a derived parameter, terms of an equation.
FORMS = {"an entry": ('A: [["%s"]], B: [[1]], C: [[1]], method: exact', ""), "a gain": ("A: [[0]], B: [[1]], C: [[1]], method: exact", ', {from: free.y, to: free.u, gain: "%s"}'), "a parameter": ('A: [["r"]], B: [[1]], C: [[1]], method: exact', ""),
         "a factor": ('states: [x], f: ["(%s)*x + u"], g: [x], method: rk4', ""), "terms": ('states: [x], f: ["%s + u"], g: [x], method: rk4', "")}


def cancelling(rng, place):
    """a*c - b, or a + c - d - e, whose terms cancel at c, or nearly so."""
    c, a, d = (Fraction(rng.randint(1, 999), 10 ** rng.randint(0, 4)) for _ in range(3))
    off = Fraction(rng.choice([0, 0, 1, -1]), 10 ** 6)
    if rng.random() < 0.5:
        parts = [f"{float(a)!r}*c", f"-{float(a * c * (1 + off))!r}"]
    else:
        parts = [repr(float(a)), "+c", f"-{float(d)!r}", f"{float(d - a - c - off):+.17g}"]
    expression = "".join(parts)
    terms = "".join(f"{part}*x" for part in parts)
    block, gain = FORMS[place]
    fill = lambda text: text % (terms if place == "terms" else expression) if "%" in text else text
    return CANCELS % (float(c), expression, fill(block), fill(gain)), "NSU"[(off > 0) - (off < 0)]


def main():
    count = effort(20)
    tally = dict.fromkeys(["models", "unknown", "refused", "wrong", "open", "removed"] + KINDS, 0)
    with workplace():
        for seed in range(count):
            kind = KINDS[seed % len(KINDS)]
            judge(tally, random_model(random.Random(seed), kind), kind, seed)
        print("#", tally)
        ok(tally["wrong"] == 0 and tally["models"] > 0.6 * count, "no count is wrong, no S where fractions say U", tally)
        ok(tally["open"] <= 0.15 * tally["models"] and tally["removed"] > 0.1 * tally["models"], "few are left open", tally)
        for name, text, expected in CASES:
            values, done = rows_of(SPRING % text)
            ok((int(values["removed_modes"]), values["class"][0]) == expected, name, done.stdout)
        wrong, rng = [], random.Random(1)
        for place in list(FORMS) * effort(4) + ["terms"] * effort(10):
            text, expected = cancelling(rng, place)
            values, done = rows_of(text)
            if values is None or values["class"][:2 if place in ("an entry", "a parameter") else 1] not in 2 * expected:
                wrong.append((place, expected, values and values["class"], done.stderr, text))
        ok(not wrong, "sums that cancel at the present values are on the limit, whatever their rounding", *wrong)
        values, done = rows_of(FREE)
        ok((values["removed_modes"], values["class"]) == ("1", "SS"), "a literal 0 for no spring: the mode is structural", done.stdout)
        # Removed modes of a sweep over k, whose first point is on the limit; decay there is 0, elsewhere that of x'' + 2x' + kx.
        with open("spring.yaml", "w") as file:
            file.write(SPRING % "k: 1" + "axes: {k: [0, 0.5]}\nfields: [class, spectral_radius, spectral_abscissa]\n")
        ok(costab("sweep", "spring.yaml", "-o", "spring.h5").returncode == 0, "a sweep from k = 0 on")
        rows = csv_rows(costab("export", "spring.h5"))
        ok([row["removed_modes"] for row in rows] == ["0", "0"] and [row["class"] for row in rows] == ["NN", "SS"], "removes nothing there", rows)
        ok(float(rows[0]["spectral_radius"]) == 1 and abs(float(rows[1]["spectral_abscissa"]) - (math.sqrt(0.5) - 1)) < 1e-12, "and is on the limit", rows)
        with open("free.yaml", "w") as file:
            file.write(FREE.replace("H: 0.05", "H: 0.05, m: 1").replace("[1]]", '["1/m"]]') + "axes: {m: [1, 2]}\n")
        ok(costab("sweep", "free.yaml", "-o", "free.h5").returncode == 0, "a sweep of a free mass with a damper")
        rows = csv_rows(costab("export", "free.h5"))
        ok([(row["removed_modes"], row["class"]) for row in rows] == [("1", "SS")] * 2, "removes its equilibria", rows)


main()
finish()
