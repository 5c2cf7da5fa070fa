#!/usr/bin/env python3
"""`costab limit` on oscillators without damping, whose modes are on the unit circle within rounding or beyond it by no more
than that: a few rows, few evaluations, and right where growth is known. Prints TAP."""
import pathlib
import re
import subprocess

from tap import COSTAB, csv_rows, finish, ok

here = pathlib.Path(__file__).resolve().parents[1]

LOW, HIGH = 1e-4, 0.2
SPRINGS = [str(here.parent / "sweeps/lim/models/springs.yaml"), "--set", "c=0"]  # [LIM] case 0
OSCILLATOR = [str(here.parent / "sweeps/precice/models/oscillator.yaml")]        # [PRE]


def limit(model, coupling):
    p = subprocess.run([COSTAB, "limit", *model, "--over", "H=%r:%r" % (LOW, HIGH), "--coupling", coupling, "--verbose"],
                       capture_output=True, text=True, check=True)
    rows = [(float(r["lower"]), float(r["upper"]), r["class"]) for r in csv_rows(p)]
    return rows, int(re.search(r"(\d+) evaluations", p.stderr).group(1)), p.stderr


def at(rows, h):
    """The second letter of the class; U between rows."""
    return next((c[-1] if len(c) == 2 else c for low, high, c in rows if low <= h <= high), "U")


# With order k a mode grows like H^(k+1) where k is even and H^(k+2) where it is odd: by more than rounding from these H on.
GROWS = {"jacobi": 1e-4, "jacobi-linear": 1e-4, "jacobi-quadratic": 2e-4, "jacobi-cubic": 2e-3,
         "newton-quadratic": 2e-4, "newton-cubic": 2e-3, "gauss-seidel-quadratic": 1e-4}
for name, model in (("springs", SPRINGS), ("oscillator", OSCILLATOR)):
    wrong = []
    for coupling, grows in GROWS.items():
        rows, spent, said = limit(model, coupling)
        undecided = sum(b - a for a, b, c in rows if c == "undecided")
        if len(rows) > 6 or spent > 2600 or "evaluations ended" in said or undecided > 0.01 * HIGH:
            wrong.append("%s: %d rows, %d evaluations, %g undecided" % (coupling, len(rows), spent, undecided))
        if any(at(rows, grows * f) != "U" for f in (1, 1.5, 2, 3, 5)):
            wrong.append("%s: not unstable from %g on: %s" % (coupling, grows, rows))
        if any(c[0] not in "Nu" or c == "NS" and low < 0.05 for low, _, c in rows):
            wrong.append("%s: stable at small steps, or not neutral: %s" % (coupling, rows))
    ok(not wrong, f"{name}: modes that grow", "\n".join(wrong))

    # Reversible: the modes stay on the circle until two of them meet.
    rows, spent, _ = limit(model, "gauss-seidel")
    ok([c for *_, c in rows] == ["NN"] and spent <= 2600, f"{name}: gauss-seidel keeps all modes on the circle",
       "%s, %d evaluations" % (rows, spent))

# Where they meet, by the 4 x 4 map of exponentials in another program (numpy).
for name, model, end in (("springs", SPRINGS, 0.0944), ("oscillator", OSCILLATOR, 0.17395)):
    rows, spent, _ = limit(model, "newton-linear")
    ok(rows and rows[0][0] == LOW and abs(rows[0][1] - end) < 1e-4 and rows[0][2] == "NN" and spent <= 2600,
       f"{name}: newton-linear keeps them until two meet", "%s, %d evaluations" % (rows, spent))
finish()
