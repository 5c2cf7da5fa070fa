"""Ordinary models of four families, by number: flexible structures, chains of masses, hydraulics in SI units, drives.
Numbers are drawn log-uniformly, with a fixed seed a model, and written with nine digits."""
import math
import random

NAMES = ("structure", "chain", "hydraulics", "drive")
COUPLINGS = ("jacobi", "jacobi-linear", "gauss-seidel", "gauss-seidel-linear", "iterated", "iterated-linear")


def number(x):
    return float("%.9g" % x)


def draw(r, low, high):
    return number(math.exp(r.uniform(math.log(low), math.log(high))))


def solver(r):
    """A method and its micro steps: most subsystems are solved exactly."""
    if r.random() < 0.6:
        return {"method": "exact", "substeps": 1}
    name = r.choice(("rk4", "heun", "backward-euler", "trapezoidal"))
    return {"method": name, "substeps": r.choice((1, 2, 5, 10))}


def subsystem(r, name, A, B, C, inputs, outputs, D=None):
    q = {"name": name, "A": A, "B": B, "C": C, "inputs": inputs, "outputs": outputs}
    if D is not None:
        q["D"] = D
    q.update(solver(r))
    return q


def rows(matrix):
    return [[x if isinstance(x, str) else number(x) for x in row] for row in matrix]


def structure(r):
    """Lightly damped modes, their position fed back through a filter."""
    n = r.randint(2, 6)
    w = sorted(draw(r, 20, 300) for _ in range(n))
    z = [draw(r, 0.002, 0.03) for _ in range(n)]
    shape = [draw(r, 0.2, 1) * r.choice((1, 1, -1)) for _ in range(n)]
    f = draw(r, 10, 100)
    # The gain at which the lag of the filter takes away the damping of a mode, by its shift of first order.
    gain = min(2 * z[k] * w[k] * (f * f + w[k] ** 2) / (shape[k] ** 2 * f) for k in range(n))
    gain = number(gain * draw(r, 0.03, 1.2))
    A = [[0.0] * (2 * n) for _ in range(2 * n)]
    B, C = [], [0.0] * (2 * n)
    for k in range(n):
        A[2 * k][2 * k + 1] = 1.0
        A[2 * k + 1][2 * k] = -w[k] ** 2
        A[2 * k + 1][2 * k + 1] = -2 * z[k] * w[k]
        B += [[0.0], [shape[k]]]
        C[2 * k] = shape[k]
    parts = [subsystem(r, "plant", rows(A), rows(B), rows([C]), ["force"], ["position"]),
             subsystem(r, "control", [[-f]], [[f]], [["-K"]], ["e"], ["force"])]
    wires = [("plant.position", "control.e"), ("control.force", "plant.force")]
    return {"parameters": {"K": gain}, "subsystems": parts, "connections": wires, "fast": max(w), "vary": "K"}


def chain_part(r, k, lo, hi, m, spring, damper):
    """Masses lo..hi-1 with the springs between them, and the one to the left of lo, whose far end is an input; the
    force at the right end is another. spring[i] is on the left of mass i."""
    n = hi - lo
    A = [[0.0] * (2 * n) for _ in range(2 * n)]
    for i in range(n):
        A[2 * i][2 * i + 1] = 1.0
        for j, mass in ((lo + i, i), (lo + i + 1, i)):
            if j >= len(spring) or (j == hi and i == n - 1):
                continue
            other = i - 1 if j == lo + i else i + 1
            A[2 * i + 1][2 * i] -= spring[j] / m[lo + i]
            A[2 * i + 1][2 * i + 1] -= damper[j] / m[lo + i]
            if 0 <= other < n:
                A[2 * i + 1][2 * other] += spring[j] / m[lo + i]
                A[2 * i + 1][2 * other + 1] += damper[j] / m[lo + i]
    inputs, B = [], [[] for _ in range(2 * n)]
    outputs, C, D = [], [], []
    if k > 0:
        inputs += ["xl", "vl"]
        for i in range(2 * n):
            B[i] += [spring[lo] / m[lo] if i == 1 else 0.0, damper[lo] / m[lo] if i == 1 else 0.0]
    if hi < len(m):
        inputs.append("f")
        for i in range(2 * n):
            B[i].append(1 / m[hi - 1] if i == 2 * n - 1 else 0.0)
        for s, name in ((0, "x"), (1, "v")):
            outputs.append(name)
            C.append([1.0 if i == 2 * (n - 1) + s else 0.0 for i in range(2 * n)])
            D.append([0.0] * len(inputs))
    if k > 0:
        outputs.append("fl")
        C.append([spring[lo] if i == 0 else damper[lo] if i == 1 else 0.0 for i in range(2 * n)])
        D.append([-spring[lo], -damper[lo]] + [0.0] * (len(inputs) - 2))
    return subsystem(r, "s%d" % k, rows(A), rows(B), rows(C), inputs, outputs, rows(D) if k > 0 else None)


def chain(r):
    """Masses on springs, held at the left, cut in two or three between masses."""
    n = r.randint(3, 7)
    m = [draw(r, 0.1, 10) for _ in range(n)]
    spring = [draw(r, 10, 10000) for _ in range(n)]
    damper = [number(2 * draw(r, 0.001, 0.03) * math.sqrt(spring[i] * m[i])) for i in range(n)]
    cuts = sorted(r.sample(range(1, n), r.choice((1, 2)) if n > 2 else 1))
    ends = [0] + cuts + [n]
    parts = [chain_part(r, k, ends[k], ends[k + 1], m, spring, damper) for k in range(len(ends) - 1)]
    wires = []
    for k in range(len(parts) - 1):
        wires += [("s%d.x" % k, "s%d.xl" % (k + 1)), ("s%d.v" % k, "s%d.vl" % (k + 1)), ("s%d.fl" % (k + 1), "s%d.f" % k)]
    fast = max(2 * math.sqrt(spring[i] / min(m[max(0, i - 1):i + 1])) for i in range(n))
    return {"parameters": {}, "subsystems": parts, "connections": wires, "fast": fast, "vary": None}


def hydraulics(r):
    """A pump's volume, a line and a cylinder's chamber, in pascal and cubic metres a second; the load is a mass on a
    spring, whose speed displaces oil."""
    bulk, v1, v2 = 1.4e9, draw(r, 1e-4, 3e-3), draw(r, 1e-4, 3e-3)
    inertia, resistance, leak = draw(r, 1e6, 1e8), draw(r, 1e7, 1e9), draw(r, 1e-13, 1e-11)
    area, mass, spring = draw(r, 3e-4, 5e-3), draw(r, 20, 2000), draw(r, 1e4, 1e7)
    damper = number(2 * draw(r, 0.01, 0.2) * math.sqrt(spring * mass))
    c1, c2 = bulk / v1, bulk / v2
    A = [[-c1 * leak * 10, -c1, 0], [1 / inertia, -resistance / inertia, -1 / inertia], [0, c2, -c2 * leak]]
    parts = [subsystem(r, "line", rows(A), rows([[0], [0], [-c2 * area]]), [[0.0, 0.0, 1.0]], ["v"], ["p"]),
             subsystem(r, "load", rows([[0, 1], [-spring / mass, -damper / mass]]), rows([[0], [area / mass]]),
                       [[0.0, 1.0]], ["p"], ["v"])]
    wires = [("line.p", "load.p"), ("load.v", "line.v")]
    fast = max(math.sqrt((c1 + c2) / inertia), math.sqrt((spring + c2 * area * area) / mass))
    return {"parameters": {}, "subsystems": parts, "connections": wires, "fast": fast, "vary": None}


def drive(r):
    """A motor with its current, a shaft that twists, a load; the motor's angle is controlled."""
    inductance, ohm, k = draw(r, 1e-3, 1e-2), draw(r, 0.2, 2), draw(r, 0.05, 0.5)
    j1, j2 = draw(r, 1e-3, 1e-2), draw(r, 2e-3, 5e-2)
    shaft = draw(r, 5, 500)
    twist = number(2 * draw(r, 0.002, 0.05) * math.sqrt(shaft * j1))
    b = draw(r, 1e-4, 1e-2)
    kp, ki, kd = draw(r, 0.3, 10), draw(r, 0.1, 10), draw(r, 0.01, 0.5)
    motor = [[-ohm / inductance, -k / inductance, 0], [k / j1, -b / j1, 0], [0, 1, 0]]
    parts = [subsystem(r, "motor", rows(motor), rows([[1 / inductance, 0], [0, 1 / j1], [0, 0]]),
                       [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], ["u", "torque"], ["w", "angle"]),
             subsystem(r, "load", rows([[0, 1], [-shaft / j2, -(twist + b) / j2]]),
                       rows([[0, 0], [twist / j2, shaft / j2]]), rows([[shaft, twist]]), ["w", "angle"], ["torque"],
                       rows([[-twist, -shaft]])),
             subsystem(r, "control", [[0.0]], [[0.0, 1.0]], [["-KI"]], ["w", "angle"], ["u"], [["-KD", "-KP"]])]
    wires = [("motor.w", "load.w"), ("motor.angle", "load.angle"), ("load.torque", "motor.torque"),
             ("motor.w", "control.w"), ("motor.angle", "control.angle"), ("control.u", "motor.u")]
    fast = max(math.sqrt(shaft * (1 / j1 + 1 / j2)), k / math.sqrt(inductance * j1))
    return {"parameters": {"KP": kp, "KI": ki, "KD": kd}, "subsystems": parts, "connections": wires, "fast": fast, "vary": "KP"}


MAKERS = {"structure": structure, "chain": chain, "hydraulics": hydraulics, "drive": drive}


def model(family, seed):
    """The model of that number, with the parameter to vary, its range, and the macro step where that is another."""
    r = random.Random("%s %d" % (family, seed))
    made = MAKERS[family](r)
    scale = {"structure": 0.5, "drive": 60 / made["fast"]}.get(family, 150 / made["fast"])
    high = float("%.3g" % min(0.5, scale))
    made["parameters"]["H"] = float("%.3g" % (high / 20))
    made["over"], made["low"], made["high"] = "H", float("%.3g" % (high / (10000 if family == "drive" else 1000))), high
    made["feedthrough"] = r.choice(("delayed", "solved"))
    if made["vary"] is not None and r.random() < 0.25:
        made["over"] = made["vary"]
        made["parameters"]["H"] = float("%.3g" % draw(r, high / 1000, high / 3))
        value = made["parameters"][made["over"]]
        made["low"], made["high"] = float("%.3g" % (value / 30)), float("%.3g" % (value * 30))
    made["couplings"] = COUPLINGS if seed % 10 == 0 else (r.choice(COUPLINGS),)
    return made


def entry(x):
    return '"%s"' % x if isinstance(x, str) else repr(x)


def flow(matrix):
    return "[" + ", ".join("[" + ", ".join(entry(x) for x in row) + "]" for row in matrix) + "]"


def yaml(made):
    """The model as costab reads it."""
    lines = ["title: a model of tests/support/families.py", "system: network",
             "parameters: {" + ", ".join("%s: %r" % item for item in made["parameters"].items()) + "}", "subsystems:"]
    for q in made["subsystems"]:
        lines.append("  - name: " + q["name"])
        lines += ["    %s: %s" % (key, flow(q[key])) for key in "ABCD" if key in q]
        lines += ["    %s: [%s]" % (key, ", ".join(q[key])) for key in ("inputs", "outputs")]
        lines += ["    method: " + q["method"], "    substeps: %d" % q["substeps"]]
    lines.append("connections:")
    lines += ["  - {from: %s, to: %s%s}" % (source, target, ", gain: " + gain[0] if gain else "")
              for source, target, *gain in made["connections"]]
    lines.append("coupling: {scheme: jacobi, macro_step: H, feedthrough: %s}" % made["feedthrough"])
    return "\n".join(lines) + "\n"
