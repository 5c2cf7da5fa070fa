#!/usr/bin/env python3
"""A notebook's cells, one after the other: figure 14 of [KNS] and README's drive, drawn with matplotlib.

    python3 notebook.py [FOLDER]      # writes fig14.png, drive.png and history.png; PYTHONPATH=build/python, or the module installed
"""
# %% A chart of the planar system: four ways to take a step, at three values of a
import pathlib
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")  # a notebook shows its figures itself: leave this out there
import matplotlib.pyplot as plt  # noqa: E402

import costab  # noqa: E402

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
schemes = ("simulation", "cross", "zigzag", "strong")
gamma, delta = np.linspace(-6, 1, 401), np.linspace(-2, 12, 401)
figure, panels = plt.subplots(1, 3, figsize=(12, 4), sharey=True, layout="constrained")
for panel, a in zip(panels, (-0.3, 0, 0.3)):
    panel.axvspan(-6, 0, (0 + 2) / 14, 1, color="0.85")  # where the system is stable: Gamma < 0 < Delta
    for scheme, colour, hatch in zip(schemes, ("black", "tab:orange", "tab:blue", "tab:green"), ("//", "\\\\", "..", "--")):
        classes = costab.planar.classify(a, gamma[:, None], delta, scheme=scheme)
        stable = classes & 1  # US and SS
        panel.contourf(gamma, delta, stable.T, [0.5, 1.5], colors="none", hatches=[hatch])
        panel.contour(gamma, delta, stable.T, [0.5], colors=colour)
        share = (classes == 3).mean(), (classes == 1).mean()
        print(f"fig14,{a},{scheme},{share[0]!r},{share[1]!r}")
    panel.set(title=f"a = {a:g}", xlabel=r"$\Gamma$", xlim=(-6, 1), ylim=(-2, 12))
panels[0].set_ylabel(r"$\Delta$")
figure.savefig(folder / "fig14.png", dpi=100)

# %% A network from arrays: a motor that is held in position, and its load on an elastic shaft
J1, J2, k, d, kp, kd = 0.1, 0.5, 50, 0.2, 20, 1
motor = costab.Subsystem("motor", [[0, 1], [-kp / J1, -kd / J1]], [[0], [1 / J1]], np.eye(2), inputs=["torque"], outputs=["angle", "speed"],
                         x0=[0.1, 0], substeps=10)
load = costab.Subsystem("load", [[0, 1], [-k / J2, -d / J2]], [[0, 0], [k / J2, d / J2]], [[k, d]], [[-k, -d]], inputs=["angle", "speed"],
                        outputs=["torque"], substeps=10)
drive = costab.Model.from_arrays([motor, load], [("motor.angle", "load.angle"), ("motor.speed", "load.speed"), ("load.torque", "motor.torque")],
                                 macro_step=0.01)
here = drive.map()
print(f"drive,{here.radius!r},{here.verdict}")

# %% Which coupling, and how large a step?
names = ["jacobi", "jacobi-linear", "jacobi-hermite", "gauss-seidel", "gauss-seidel-linear", "iterated-linear", "iterated-hermite"]
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
for piece in drive.limit("H", 5e-4, 0.5, coupling=names):
    axes.barh(names.index(piece.coupling), piece.upper - piece.lower, left=piece.lower, color="tab:blue")
    print(f"limit,{piece.coupling},{piece.lower!r},{piece.upper!r}")
axes.set(xscale="log", xlabel="macro step H (s)", yticks=range(len(names)), yticklabels=names, title="stable macro steps")
axes.invert_yaxis()
figure.savefig(folder / "drive.png", dpi=100)

# %% A little above the limit it grows
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
for H in (0.01, 0.017):
    angle = drive.simulate(2, H=H)["motor.angle"]
    axes.plot(angle["t"], angle["value"], label=f"H = {H:g} s")
    print(f"history,{H},{np.abs(angle['value'][-200:]).max()!r}")
axes.plot(angle["t"], angle["monolithic"], "k--", label="monolithic")
axes.set(xlabel="t (s)", ylabel="motor's angle (rad)")
axes.legend()
figure.savefig(folder / "history.png", dpi=100)
