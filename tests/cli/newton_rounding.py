#!/usr/bin/env python3
"""The map of Newton's method beyond the stability of a subsystem's own solver. There the next state without the new signal and the part
due to it are larger than the map by up to 26 decades, so that nothing of the map may be left in double precision. The exact map is
computed in rationals: of x' = p x + b u and z' = q z + c x, with z = u and RK4 micro steps, one macro step satisfies
x+ = R1 x + P1 z+, z+ = R2 z + P2 x+."""
import json
from fractions import Fraction as F

from tap import costab, csv_rows, finish, ok, workplace

MODEL = """system: network
parameters: {H: 0.1}
subsystems:
  - {name: fast, A: [[-500]], B: [[3]], C: [[1]], inputs: [u], outputs: [y], method: rk4, substeps: 10}
  - {name: slow, A: [[-1]], B: [[-2]], C: [[1]], inputs: [u], outputs: [y], method: rk4, substeps: 10}
connections: [{from: slow.y, to: fast.u}, {from: fast.y, to: slow.u}]
coupling: {scheme: iterated, iterations: newton, macro_step: H}
"""


def parts(pole, gain, H, steps=10):
    """R and P of `steps` RK4 steps of x' = pole x + gain u with a constant input."""
    z = pole * H / steps
    phi = 1 + z / 2 + z**2 / 6 + z**3 / 24
    R, P = F(1), F(0)
    for _ in range(steps):
        R, P = R * (1 + z * phi), P * (1 + z * phi) + gain * H / steps * phi
    return R, P


def exact_radius(H):
    R1, P1 = parts(F(-500), F(3), H)
    R2, P2 = parts(F(-1), F(-2), H)
    trace, det = (R1 + R2) / (1 - P1 * P2), R1 * R2 / (1 - P1 * P2)
    root = trace**2 / 4 - det
    return float(det) ** 0.5 if root < 0 else abs(float(trace)) / 2 + float(root) ** 0.5


with workplace():
    with open("model.yaml", "w") as f:
        f.write(MODEL)
    steps = [F(k, 200) for k in range(2, 41)]
    wrong, undecided, decided = [], 0, 0
    far = 1e-13  # beyond the limit: the tenth power of R, a sum whose terms cancel, is less accurate than entries near the limit are
    swept = costab("sweep", "model.yaml", "--axis", "H=0.01:0.2:39", "-o", "x.h5", "-q")
    rows = csv_rows(costab("export", "x.h5"))
    ok(swept.returncode == 0 and len(rows) == len(steps), "a sweep over macro steps", swept.stderr)
    for H, row in zip(steps, rows):
        point, = json.loads(costab("map", "model.yaml", "--set", f"H={float(H)}", "-f", "json").stdout)
        radius = exact_radius(H)
        right = "SS" if radius < 1 else "SU"
        undecided += point["class"] == "SN"
        decided += point["class"] == right
        if point["class"] not in (right, "SN") or abs(point["spectral_radius"] - radius) > max(point["rounding"], far * radius) or row["class"] != point["class"]:
            wrong.append(f"H = {float(H)}: {point['class']}, {row['class']} in a sweep; radius {point['spectral_radius']}, rounding "
                         f"{point['rounding']}, exact {right}, {radius}")
    ok(not wrong, "each class is right or undecided, and the error of the radius is within its bound", "\n".join(wrong))
    ok(undecided >= 5 and decided >= 10, "both are met", f"{undecided} undecided, {decided} decided")
finish()
