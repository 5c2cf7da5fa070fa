#!/usr/bin/env python3
"""The iteration radius of a sweep: where it passes 1, stored and drawn, against closed forms. Prints TAP.

Two scalar equations a = -1.5, d = -0.5, one Euler step each, coupled by 1 and w < 0: the guesses' map has the radius
H sqrt(-w). The jacobi map [[1 + aH, H], [wH, 1 + dH]] is stable where its determinant is below 1 and 1 + trace +
determinant above 0."""
import pathlib
import tempfile

import h5py
import numpy as np

import scripts
from tap import costab, finish, ok, ROOT as root, words


def block(data, name):
    """The points of a block of the data file."""
    if f"# {name}: " not in data:
        return np.empty((0, 2))
    rows = data.split(f"# {name}: ")[1].split("\n\n\n")[0].splitlines()[1:]
    return np.array([row.split() for row in rows if row], float)


def test_plane(folder):
    done = costab("sweep", root / "sweeps/gomes2018/iteration.yaml", "-o", folder)
    ok(done.returncode == 0 and words(done.stderr) == "", "a sweep with iteration radii", done.stderr)
    with h5py.File(folder / "iteration.h5") as file:
        H, w, iteration = file["H"][:], file["w"][:], file["iteration_radius"][:]
        along_H, along_w = file["iteration_one_H"][:], file["iteration_one_w"][:]
    exact = H[:, None] * np.sqrt(-w)
    ok(np.allclose(iteration[1], exact, rtol=1e-14) and np.isnan(iteration[0]).all(), "the iteration radius is H sqrt(-w)")
    ok(np.isnan(along_H[0]).all() and np.isnan(along_w[0]).all(), "no crossings where there is no iteration")
    inside = exact < 1
    for name, found, ends, place in (("H", along_H[1, :-1], inside[:-1] != inside[1:], along_H[1, :-1] * np.sqrt(-w)),
                                     ("w", along_w[1, :, :-1], inside[:, :-1] != inside[:, 1:],
                                      H[:, None] * np.sqrt(-along_w[1, :, :-1]))):
        ok(np.array_equal(np.isfinite(found), ends) and ends.sum() > 50, f"a crossing on every edge along {name} that has one")
        ok(np.allclose(place[ends], 1, rtol=0, atol=1e-12), f"there the radius is 1, along {name}", np.abs(place[ends] - 1).max())

    done = costab("plot", folder / "iteration.h5", "--script-only", "-o", folder)
    data, script = ((folder / ("iteration." + e)).read_text() for e in ("dat", "gp"))
    ok(done.returncode == 0 and scripts.panels(script) == 3, "no contours for the coupling that does not iterate", done.stderr)
    ok("has no iteration_radius, as it does not iterate." in done.stderr, "which stderr says", done.stderr)
    one = block(data, "3.curve.one")
    # On lines of the grid to the last digit written, between them as the interpolant is.
    off = np.abs(one[:, 0] * np.sqrt(-one[:, 1]) - 1)
    stored = np.isclose(one[:, 0, None], H, rtol=0, atol=1e-12).any(axis=1) | np.isclose(one[:, 1, None], w, rtol=0, atol=1e-12).any(axis=1)
    ok(stored.sum() > 100 and off[stored].max() < 1e-9 and off.max() < 1e-4, "the contour's level 1 is exact on the grid's lines", off.max())
    edge = block(data, "1.curve.edge")
    h, v = edge.T
    off = np.minimum(np.abs((0.75 - v) * h - 2), np.abs(4 - 4 * h + (0.75 - v) * h**2))
    ok(len(edge) > 100 and off.max() < 1e-8, "the classes' boundary is that of the map, at points with a radius of 1 too",
       off.max(), edge[off.argmax()])
    edge = block(data, "2.curve.edge")
    h, v = edge.T
    off = np.abs(h * np.sqrt(-v) - 1)
    ok((off < 1e-9).sum() > 80, "where the iteration limits stability the classes' boundary is its level 1")
    return edge


def test_unasked(folder, edge):
    """Without the field iteration_radius; and beside couplings whose iteration need not converge."""
    model = root / "sweeps/gomes2018/models/exceptions.yaml"
    couplings = {"all": """coupling:
  - {name: converged, scheme: iterated, macro_step: H}
  - {name: newton, scheme: iterated, iterations: newton, macro_step: H}
  - {name: twice, scheme: iterated, iterations: 2, macro_step: H}
""", "few": "coupling: {name: newton, scheme: iterated, iterations: newton, macro_step: H}\n"}
    couplings["refined"] = "refine: {cell: 8}\n" + couplings["all"]
    for name, coupling in couplings.items():
        (folder / (name + ".yaml")).write_text(f"""system: network
model: {model}
parameters: {{a: -1.5, d: -0.5}}
{coupling}axes: {{H: {{from: 0.05, to: 2, points: 79}}, w: {{from: -3, to: -0.1, points: 59}}}}
fields: [class, spectral_radius]
figure: {{kind: classes}}
""")
        done = costab("sweep", folder / (name + ".yaml"), "-o", folder)
        ok(done.returncode == 0, f"{name}: swept without the iteration radius", done.stderr)
    with h5py.File(folder / "all.h5") as file, h5py.File(folder / "refined.h5") as refined:
        ok(all(np.array_equal(file[n][:], refined[n][:], equal_nan=True) for n in ("iteration_one_H", "iteration_one_w"))
           and refined["computed"][:].mean() < 0.6, "refined, too", refined["computed"][:].mean())
    with h5py.File(folder / "all.h5") as file, h5py.File(folder / "few.h5") as few, h5py.File(folder / "iteration.h5") as asked:
        ok("iteration_radius" not in file and all(
            np.array_equal(file[n][0], asked[n][1], equal_nan=True) and np.isnan(file[n][1:]).all()
            for n in ("iteration_one_H", "iteration_one_w")), "where an iteration that has to converge diverges is stored all the same")
        ok({n for n in few if "_one_" in n} == {"level_one_H", "level_one_w"}, "nothing is stored where none has to converge")
    done = costab("plot", folder / "all.h5", "--script-only", "-o", folder)
    drawn = block((folder / "all.dat").read_text(), "1.curve.edge")
    ok(done.returncode == 0 and np.array_equal(drawn, edge), "and drawn as where it is asked for", done.stderr)


def test_curve(folder):
    (folder / "curve.yaml").write_text(f"""system: network
model: {root}/sweeps/gomes2018/models/exceptions.yaml
parameters: {{a: -1.5, d: -0.5, w: -4}}
axes: {{H: {{from: 0.1, to: 1, points: 14}}}}
fields: iteration_radius
figure: {{kind: curve, of: iteration_radius}}
""")
    ran = costab("sweep", folder / "curve.yaml", "-o", folder), costab("plot", folder / "curve.h5", "--script-only", "-o", folder)
    data, script = ((folder / ("curve." + e)).read_text() for e in ("dat", "gp"))
    ok(all(r.returncode == 0 for r in ran) and "iteration radius" in script, "a curve of the iteration radius")
    ok(np.allclose(block(data, "1.point.c2"), [[0.5, 1]], rtol=1e-9), "it passes 1 at H = 1/2")
    ok(len(block(data, "1.curve.c1")) == 0 and "fmi-jacobi" not in scripts.legend(script),
       "the coupling without iteration is not in the legend")


with tempfile.TemporaryDirectory() as name:
    test_unasked(pathlib.Path(name), test_plane(pathlib.Path(name)))
    test_curve(pathlib.Path(name))
finish()
