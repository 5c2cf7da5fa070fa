#!/usr/bin/env python3
"""Solved operating points of networks with FMUs for model exchange: against closed forms and SciPy's fsolve, limits against maps by NumPy. Prints TAP."""
import os
import pathlib

import numpy as np
from scipy.linalg import expm
from scipy.optimize import fsolve
from tap import EFFORT, ROOT, costab, csv_rows, finish, ok, stride, workplace

FMUS = pathlib.Path(os.environ.get("COSTAB_FMUS", ROOT / "build/tests/fmu"))
K, C, D, H = 2, 3, 0.7, 0.02

# The servo drives the energy of a hardening spring to E: k x^2/2 + c x^4/4 = E at rest, whose force is k x + c x^3.
SERVO = f"""system: network
parameters: {{E: 2, Ki: 0.4, H: {H}, k: {K}}}
operating_point: solve
subsystems:
  - {{name: spring, fmu: FMUS/duffing-V.fmu, kind: model-exchange, start: {{k: k, c: {C}, d: {D}}}, method: exact}}
  - {{name: servo, states: [z], f: ["Ki*(E - e)"], g: [z], inputs: [e], outputs: [z], method: rk4}}
connections: [{{from: spring.energy, to: servo.e}}, {{from: servo.z, to: spring.force}}]
coupling: {{scheme: jacobi, macro_step: H}}
"""
# FMUs alone: a spring pushes a mass by its energy, the mass a second one, which pushes the spring back.
CHAIN = """system: network
parameters: {G: 4, R: 0.5, F: 5}
operating_point: solve
subsystems:
  - {name: spring, fmu: FMUS/duffing-V.fmu, kind: model-exchange, start: {k: 2, c: 3, d: 0.7}}
  - {name: mass, fmu: FMUS/mass-V.fmu, kind: model-exchange, start: {k: 10}}
  - {name: link, fmu: FMUS/coupled-V.fmu, kind: model-exchange, start: {k: 5, kc: 20}}
connections:
  - {from: spring.energy, to: mass.force, gain: G}
  - {from: mass.position, to: link.position}
  - {from: mass.speed, to: link.speed}
  - {from: link.reaction, to: spring.force, gain: R}
sources: {spring.force: F}
coupling: {macro_step: 0.01}
"""

# Its numbers, those that start the FMU included, are varied by tune; the other values of the FMU are its own.
LINEAR = """system: network
parameters: {k: 12, K: -0.4, H: 0.05}
subsystems:
  - {name: a, fmu: FMUS/mass-2.fmu, kind: model-exchange, start: {k: k}}
  - {name: b, A: [[-1]], B: [[K]], C: [[1]], inputs: [e], outputs: [z]}
connections: [{from: a.position, to: b.e}, {from: b.z, to: a.force}]
coupling: {scheme: jacobi, macro_step: H}
"""


def answers(text, *options):
    done = costab("map", "-", "-f", "csv", *options, input=text)
    found = {row["name"]: float(row["value"]) for row in csv_rows(done) if row["name"].split()[0] in ("point", "spectral_abscissa", "spectral_radius")}
    return found, done


def spring(E, k=K):
    x = np.sqrt((-k + np.sqrt(k * k + 4 * C * E)) / C)
    return x, k * x + C * x**3, k + 3 * C * x * x


def servo(E, Ki, k=K, H=H):
    """Abscissa, and radius of the jacobi map with held inputs and exact steps."""
    _, force, stiffness = spring(E, k)
    A = np.array([[0, 1, 0], [-stiffness, -D, 1], [-Ki * force, 0, 0]])
    step = expm(np.array([[0, 1, 0], [-stiffness, -D, 1], [0, 0, 0]]) * H)
    return np.linalg.eigvals(A).real.max(), abs(np.linalg.eigvals(np.vstack([step[:2], [-Ki * force * H, 0, 1]]))).max()


def chain(v, G, R, F):
    x, position, body = v
    reaction = -20 * (position - body)
    return [F + R * reaction - 2 * x - 3 * x**3, G * (x * x + 0.75 * x**4) - 10 * position, 20 * (position - body) - 5 * body]


def check_tune():
    text = LINEAR.replace("FMUS", str(FMUS))
    done = costab("tune", "-", "--over", "H=0.005:3", "-f", "csv", input=text)
    best = csv_rows(done)[0] if done.returncode == 0 else {"robust_to": "nan", "fixed": "jacobi"}
    ends = [csv_rows(costab("limit", "-", "--over", "H=0.005:3", "--coupling", best["fixed"], "--set", value, "-f", "csv", input=text))[0]["upper"]
            for value in ("k=13.2", "k=10.8", "K=-0.44", "K=-0.36")]
    ok(abs(float(best["robust_to"]) / min(map(float, ends)) - 1) < 1e-6, "tune varies the numbers of a network of FMUs", done.stdout, done.stderr, ends)


def main():
    with workplace():
        for version in "32"[::stride(2)]:
            text = SERVO.replace("FMUS", str(FMUS)).replace("-V", f"-{version}")
            off = []
            for E, k in ((2, 5.5), (0.3, K), (9, K), (2, K))[::stride(2)]:
                found, done = answers(text, "--set", f"E={E}", "--set", f"k={k}")
                x, force, _ = spring(E, k)
                abscissa, radius = servo(E, 0.4, k)
                off += [abs(found.get(name, np.nan) - value) for name, value in
                        (("point spring.x", x), ("point servo.z", force), ("point spring.force", force), ("point servo.e", E), ("spectral_abscissa", abscissa), ("spectral_radius", radius))]
            ok(max(off) < 1e-6, f"FMI {version}: point, abscissa and radius of a servo in closed form", off, done.stderr)
            # Each value of the energy has an operating point of its own, of which some thousand are solved.
            for name, low, high, Ki, radius in (("H", 0.02, 1.5, 1.2, lambda H: servo(2, 1.2, H=H)[1]), ("E", 1, 3, 1.5, lambda E: servo(E, 1.5)[1]))[:2 if EFFORT >= 10 else 1]:
                done = costab("limit", "-", "--over", f"{name}={low}:{high}", "--set", f"Ki={Ki}", "-f", "csv", input=text)
                end, above = low, high
                for _ in range(60):
                    middle = (end + above) / 2
                    end, above = (middle, above) if radius(middle) < 1 else (end, middle)
                rows = [row for row in csv_rows(done) if row["class"] == "SS"]
                ok(len(rows) == 1 and low < end < 0.99 * high and abs(float(rows[0]["upper"]) / end - 1) < 1e-6, f"FMI {version}: the limit of {name}, {end:.8g}", done.stdout, done.stderr)
            text, off = CHAIN.replace("FMUS", str(FMUS)).replace("-V", f"-{version}"), []
            for G, R, F in ((4, 0.5, 5), (1, 2, 3), (20, 0.1, 40))[::stride(2)]:
                found, done = answers(text, *(word for name, value in (("G", G), ("R", R), ("F", F)) for word in ("--set", f"{name}={value}")))
                x, position, body = fsolve(chain, [0.5, 1, 0], (G, R, F), xtol=1e-14)
                off += [abs(found.get(f"point {name}", np.nan) - value) for name, value in (("spring.x", x), ("mass.x", position), ("link.body.x", body))]
            ok(max(off) < 1e-8, f"FMI {version}: a chain of three FMUs, by fsolve", off, done.stdout, done.stderr)
            found, done = answers(SERVO.replace("FMUS", str(FMUS)).replace("-V", f"-{version}"), "--set", "E=-1")
            ok(done.returncode == 2 and "no equilibrium was found" in done.stderr and "followed up to E = " in done.stderr, f"FMI {version}: no negative energy", done.stderr)
        if EFFORT > 1:
            check_tune()
    finish()


main()
