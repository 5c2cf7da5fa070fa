#!/usr/bin/env python3
"""Nothing to analyse: what has no mode beside its structural ones is refused, whatever the values of its parameters are; what has none
for the present values alone is answered, and so is a subsystem without connections. Radii in closed form."""
import math
import os

from tap import costab, csv_rows, finish, ok, refused, workplace

HEAD = "system: network\nparameters: {H: 0.1, m: 2, k: %s}\nsubsystems:\n"
BALL = '  - {name: ball, A: [[0, 1], [0, 0]], B: [[0], ["1/m"]], C: [[1, 0]], inputs: [F], outputs: [z], method: rk4}\n'
TANK = "  - {name: tank, A: [[-10]], B: [[1]], C: [[1]], inputs: [q], outputs: [h], method: rk4}\n"
CLOCK = "  - {name: clock, A: [[0]], B: [[m]], C: [[1]], inputs: [rate], outputs: [t], method: rk4}\n"
GAINS = "  - {name: one, D: [[k]], inputs: [u], outputs: [y]}\n  - {name: two, D: [[1]], inputs: [u], outputs: [y]}\n"
RING = "connections: [{from: one.y, to: two.u}, {from: two.y, to: one.u}]\n"
ROW = "connections: [{from: clock.t, to: one.u}, {from: one.y, to: two.u}]\n"
END = "coupling: {scheme: jacobi, macro_step: H}\n"
FALL = (HEAD + BALL + END) % 1
# Held inputs of a row of gains follow one another: the map has the clock's 1, and zeros only.
READ = (HEAD + CLOCK + GAINS + ROW + END) % 1
LOOP = HEAD + CLOCK + GAINS + RING + END
WORDS = "nothing to analyse: "


def numbers(text, *options):
    done = costab("map", "-", "-f", "csv", *options, input=text)
    return {row["name"]: row["value"] for row in csv_rows(done)} if done.returncode == 0 else {}, done


def main():
    with workplace():
        for name, text in (("a free fall", FALL), ("an integrator that gains read", READ)):
            refused(f"map refuses {name}", WORDS, "map", "-", input=text)
            refused(f"limit refuses {name}", WORDS, "limit", "-", "--over", "H=0.01:1", input=text)
            with open("chart.yaml", "w") as file:
                file.write(text + "axes: {m: [1, 2], H: [0.1, 0.2]}\n")
            done = costab("sweep", "chart.yaml", "-o", "chart.h5")
            ok(done.returncode == 2 and "none of the 4 points" in done.stderr and WORDS in done.stderr and not os.path.exists("chart.h5"),
               f"all points of a sweep of {name} fail: there is no file", done.returncode, done.stderr)
        found, done = numbers((HEAD + TANK + END) % 1)
        z = -1.0
        ok(abs(float(found.get("spectral_radius", "nan")) - (1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24)) < 1e-14, "a subsystem alone is answered", done.stderr)
        rows = csv_rows(costab("limit", "-", "--over", "H=0.01:1", input=(HEAD + TANK + END) % 1))
        ok(len(rows) == 1 and abs(float(rows[0]["upper"]) - 0.2785293563405282) < 1e-10, "its limit is that of rk4, |R(z)| = 1", rows)
        found, done = numbers(LOOP % 0.25)
        ok(abs(float(found.get("spectral_radius", "nan")) - math.sqrt(0.25)) < 1e-14, "a loop of gains has modes of its own", done.stderr)
        found, done = numbers(LOOP % 0)
        ok(found.get("spectral_radius") is not None and abs(float(found["spectral_radius"])) < 1e-7,
           "a map that is nilpotent for the present gain alone is answered", done.stdout, done.stderr)


main()
finish()
