#!/usr/bin/env python3
"""costab sweep of networks: the file, its bytes, its crossings, and what goes wrong (TAP)."""
import os
import shutil
import subprocess
import tempfile
import zipfile

import numpy as np

from tap import COSTAB, EFFORT, attempt, finish, ok, skip, spread, words

SYSTEM = """parameters: {K: 200, H: 0.01}
subsystems:
  - name: left
    A: [[0, 1], [-1, -1]]
    B: [[0], [1]]
    C: [[1, 0]]
    inputs: [force]
    outputs: [position]
    method: rk4
    substeps: 1
  - name: right
    A: [[0, 1], [-(K + 1), -2]]
    B: [[0], [K]]
    C: [[K, 0]]
    D: [[-K]]
    inputs: [position]
    outputs: [force]
    method: rk4
    substeps: 1
connections:
  - {from: left.position, to: right.position}
  - {from: right.force, to: left.force}
coupling:
  - {name: delayed, macro_step: H}
  - {name: converged, scheme: iterated, macro_step: H}
"""
SWEEP = """axes:
  K: {from: 1, to: 300, points: 21}
  H: {from: 0.001, to: 0.1, points: 23}
fields: [class, spectral_radius, spectral_abscissa, iteration_radius]
figure: {kind: contour}
"""
HEAD = "title: Two masses\nsystem: network\n"
GRID = ("coupling", "K", "H")
K = np.array(spread(1, 300, 21))
H = np.array(spread("0.001", "0.1", 23))


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def costab(folder, *arguments):
    return subprocess.run([COSTAB, *arguments], cwd=folder, capture_output=True, text=True, timeout=300)


def content(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def rk4(a, b, h):
    """Phi and Gamma of one step of RK4 with the input held: powers of hA, summed as they stand."""
    n = a.shape[0]
    z, phi, gamma, power, factorial = h * a, np.eye(n), np.zeros((n, n)), np.eye(n), 1.0
    for k in range(1, 5):
        factorial *= k
        gamma = gamma + power / factorial
        power = power @ z
        phi = phi + power / factorial
    return phi, h * gamma @ b


def delayed_map(k, h):
    """[GTL] eq. 14 for the two masses: on x1, v1, x2, v2 and the held input of the right mass."""
    p1, g1 = rk4(np.array([[0, 1], [-1, -1.0]]), np.array([[0], [1.0]]), h)
    p2, g2 = rk4(np.array([[0, 1], [-(k + 1), -2.0]]), np.array([[0], [k]]), h)
    m = np.zeros((5, 5))
    m[:2, :2] = p1
    m[:2, 2:3] = k * g1  # f = k x2 - k (the input held before)
    m[:2, 4:5] = -k * g1
    m[2:4, 2:4] = p2
    m[2:4, 0:1] = g2
    m[4, 0] = 1
    return m


def radius(matrix):
    return np.abs(np.linalg.eigvals(matrix)).max()


def monolithic(k):
    return np.array([[0, 1, 0, 0], [-1 - k, -1, k, 0], [0, 0, 0, 1], [k, 0, -(k + 1), -2]])


def test_values(ds):
    attempt("named axes, the coupling first", lambda: all(ds[v].dims == GRID for v in ds.data_vars if v != "spec"))
    attempt("values of the axes", lambda: list(ds["coupling"].values) == ["delayed", "converged"]
            and np.array_equal(ds["K"], K) and np.array_equal(ds["H"], H))
    attempt("fields", lambda: set(ds.data_vars) == {"class", "spectral_radius", "spectral_abscissa", "spec", "removed_modes",
                                                    "iteration_radius", "level_one_K", "level_one_H",
                                                    "iteration_one_K", "iteration_one_H"})
    attempt("flags as in every file", lambda: ds["class"].attrs["flag_meanings"].split()
            == ["UU", "US", "SU", "SS", "NU", "NS", "SN", "UN", "NN", "XU", "XS", "XN", "not_computed", "failed"]
            and list(ds["class"].attrs["flag_values"]) == [0, 1, 2, 3, 16, 17, 34, 32, 48, 64, 65, 96, 4, 8])
    attempt("title, and no paper that is not the user's", lambda: ds.attrs["title"] == "Two masses"
            and "references" not in ds.attrs)
    attempt("the spec's text", lambda: ds["spec"].item() == HEAD + SYSTEM + SWEEP)
    expected = np.array([[radius(delayed_map(k, h)) for h in H] for k in K])
    # Eigenvalues of a matrix of norm up to K; LAPACK's are backward stable, and none of these is nearly multiple.
    attempt("spectral radii equal an independent evaluation", lambda: np.abs(
        ds["spectral_radius"].values[0] - expected).max() < 1e-11)
    attempt("spectral abscissas equal an independent evaluation", lambda: np.allclose(
        ds["spectral_abscissa"].values, np.array([[np.linalg.eigvals(monolithic(k)).real.max()] for k in K]),
        rtol=0, atol=1e-11))
    attempt("the delayed coupling does not iterate, the other does", lambda: np.isnan(
        ds["iteration_radius"].values[0]).all() and np.isfinite(ds["iteration_radius"].values[1]).all())
    stable = (ds["spectral_radius"].values < 1) & ~(ds["iteration_radius"].values >= 1)
    attempt("the class says what the numbers say", lambda: np.array_equal(
        ds["class"].values, 2 * (ds["spectral_abscissa"].values < 0) + stable) and 0.1 < stable.mean() < 0.9)


def test_crossings(ds):
    inside = ds["spectral_radius"].values < 1
    for axis, name, values in ((1, "K", K), (2, "H", H)):
        level = ds[f"level_one_{name}"].values
        changes = np.zeros(level.shape, bool)
        first = tuple(slice(None, -1) if k == axis else slice(None) for k in range(3))
        second = tuple(slice(1, None) if k == axis else slice(None) for k in range(3))
        changes[first] = inside[first] != inside[second]
        attempt(f"level_one_{name}: on every edge whose ends differ, and on no other",
                lambda: np.array_equal(np.isfinite(level), changes) and changes.sum() > 20)

        def on_the_edge():
            at = np.argwhere(changes)
            low, high = values[at[:, axis]], values[at[:, axis] + 1]
            return np.all((level[changes] >= low) & (level[changes] <= high))

        attempt(f"level_one_{name}: between the ends of its edge", on_the_edge)

        def radius_is_one():
            worst = 0
            for c, i, j in np.argwhere(changes):
                if c == 0:
                    k, h = (level[c, i, j], H[j]) if axis == 1 else (K[i], level[c, i, j])
                    worst = max(worst, abs(radius(delayed_map(k, h)) - 1))
            return worst < 1e-11

        attempt(f"level_one_{name}: there an independent evaluation gives the radius 1", radius_is_one)


def test_file(folder):
    write(folder, "two.yaml", HEAD + SYSTEM + SWEEP)
    done = costab(folder, "sweep", "two.yaml", "--threads", "2")
    ok(done.returncode == 0 and words(done.stderr) == "", "a sweep of a network runs without a word")
    first = content(folder, "two.h5")
    ok(all(costab(folder, "sweep", "two.yaml", "-o", "same.h5", "--threads", n).returncode == 0
           and content(folder, "same.h5") == first for n in ("1", "7")), "the same bytes with 1, 2 and 7 threads")
    info = costab(folder, "info", "two.h5")
    ok(info.returncode == 0 and "coupling   2: delayed, converged" in info.stdout
       and "level_one_H      float64 (coupling, K, H)" in info.stdout and HEAD in info.stdout, "info reads it")
    try:
        import xarray
    except ImportError:
        skip("values in the file", "xarray is not installed")
        return
    with xarray.open_dataset(os.path.join(folder, "two.h5")) as ds:
        test_values(ds)
        test_crossings(ds)


def test_order_of_axes(folder):
    """Whichever axis is the last: the same bits at the same parameters, those of a step that is derived too."""
    try:
        import h5py
    except ImportError:
        skip("axes in another order", "h5py is not installed")
        return
    axes = {"K": "K: [1, 90, 200, 300]", "c": "c: {from: 0.2, to: 3, points: 7}",
            "r": "r: {from: 10, to: 1000, points: 41, spacing: log}"}
    system = SYSTEM.replace("{K: 200, H: 0.01}", "{K: 200, c: 2, r: 100, H: 1/r}").replace("-2]]", "-c]]")
    values = {}
    for order in ("Kcr", "rcK", "crK", "cr", "rc"):
        write(folder, f"{order}.yaml", HEAD + system + "axes: {" + ", ".join(axes[a] for a in order)
              + "}\nfields: [class, spectral_radius, spectral_abscissa, iteration_radius]\n")
        done = costab(folder, "sweep", f"{order}.yaml")
        ok(done.returncode == 0, f"axes {order}: swept")
        back = [0] + [1 + order.index(a) for a in sorted(order)]
        with h5py.File(os.path.join(folder, f"{order}.h5")) as file:
            values[order] = {v: file[v][()].transpose(back) for v in file if v in (
                "class", "spectral_radius", "spectral_abscissa", "iteration_radius")}
        if os.path.exists(os.path.join(folder, "classes.h5")):
            os.remove(os.path.join(folder, "classes.h5"))
        write(folder, "classes.yaml", HEAD + system + "axes: {" + ", ".join(axes[a] for a in order)
              + "}\nfields: [class]\n")
        done = costab(folder, "sweep", "classes.yaml")
        with h5py.File(os.path.join(folder, "classes.h5")) as file:
            ok(done.returncode == 0 and np.array_equal(file["class"][()].transpose(back), values[order]["class"]),
               f"axes {order}: classes alone are those beside numbers")
    for order, other in (("rcK", "Kcr"), ("crK", "Kcr"), ("rc", "cr")):
        ok(all(values[order][v].tobytes() == values[other][v].tobytes() for v in values[order])
           and len(values[order]) == 4 and len(np.unique(values[order]["class"])) > 1,
           f"axes {order} and {other}: the same bits")


def test_two_files(folder):
    """A spec whose system stands in another file: the results hold both, and need neither."""
    os.mkdir(os.path.join(folder, "models"))
    write(folder, "models/masses.yaml", HEAD + SYSTEM)
    write(folder, "split.yaml", HEAD + "model: models/masses.yaml\n" + SWEEP)
    done = costab(folder, "sweep", "split.yaml")
    text = costab(folder, "info", "split.h5").stdout.partition("spec text\n")[2]
    ok(done.returncode == 0 and "points: 23" in text and "D: [[-K]]" in text, "both texts are stored")
    write(folder, "again.yaml", text)
    os.remove(os.path.join(folder, "models/masses.yaml"))
    ok(costab(folder, "sweep", "split.yaml", "-o", "other.h5").returncode == 2, "without that file: exit 2")
    # The spec's file name stands in the results: the same name, to compare bytes.
    os.replace(os.path.join(folder, "again.yaml"), os.path.join(folder, "split.yaml"))
    done = costab(folder, "sweep", "split.yaml", "-o", "other.h5")
    ok(done.returncode == 0 and content(folder, "other.h5") == content(folder, "split.h5"),
       "the stored text is a spec again: the same bytes")


def test_matrices_from_files(folder):
    """MATLAB's v7.3 files keep a matrix by columns. The results hold the matrices, and do without those files."""
    try:
        import h5py
    except ImportError:
        skip("matrices from files", "h5py is not installed")
        return
    os.mkdir(os.path.join(folder, "data"))
    with h5py.File(os.path.join(folder, "data", "it's.mat"), "w") as file:
        left = file.create_dataset("A", data=np.array([[0, 1], [-1, -1]]).T)
        left.attrs["MATLAB_class"] = np.bytes_("double")
    write(folder, "mat.yaml", HEAD + SYSTEM.replace("A: [[0, 1], [-1, -1]]", 'A: {file: "data/it\'s.mat", name: A}')
          + SWEEP)
    write(folder, "plain.yaml", HEAD + SYSTEM + SWEEP)
    ran = [costab(folder, "sweep", name).returncode for name in ("mat.yaml", "plain.yaml")]
    with h5py.File(os.path.join(folder, "mat.h5")) as one, h5py.File(os.path.join(folder, "plain.h5")) as other:
        ok(ran == [0, 0] and all(np.array_equal(one[v][()], other[v][()], equal_nan=True)
                                 for v in ("spectral_radius", "level_one_K", "level_one_H")),
           "a matrix from a file gives the numbers of the same one written down")
        text = one["spec"].asstr()[()]
    first = content(folder, "mat.h5")
    os.remove(os.path.join(folder, "data", "it's.mat"))
    write(folder, "mat.yaml", text)
    done = costab(folder, "sweep", "mat.yaml", "-o", "other.h5")
    ok(done.returncode == 0 and content(folder, "other.h5") == first, "the stored text does without the file")
    write(folder, "broken.yaml", text.replace("[[0, 1], [-1, -1]]]", "[[0, 1], [-1, x]]]"))
    done = costab(folder, "sweep", "broken.yaml")
    ok(done.returncode == 2 and "it's.mat" in done.stderr, "matrices that cannot be read: exit 2")


def test_words(folder):
    write(folder, "dry.yaml", HEAD + SYSTEM + SWEEP)
    done = costab(folder, "sweep", "--dry-run", "dry.yaml")
    ok(done.returncode == 0 and "points  966 (2 coupling x 21 K x 23 H)" in done.stdout
       and not os.path.exists(os.path.join(folder, "dry.h5")), "--dry-run: the points, and no file")
    write(folder, "alone.yaml", HEAD + SYSTEM)
    done = costab(folder, "sweep", "alone.yaml")
    ok(done.returncode == 2 and "alone.yaml: error: a sweep needs the key 'axes'" in done.stderr
       and not os.path.exists(os.path.join(folder, "alone.h5")), "a model without axes is refused")
    write(folder, "bad.yaml", HEAD + SYSTEM.replace("right.position}", "right.speed}") + SWEEP)
    done = costab(folder, "sweep", "bad.yaml")
    ok(done.returncode == 2 and "bad.yaml:23:31: error: " in done.stderr and "speed" in done.stderr,
       "mistakes with their place")
    write(folder, "warn.yaml", HEAD + SYSTEM.replace("  - {from: right.force, to: left.force}\n", "")
          + "axes: {H: [0.1, 0.2]}\n")
    done = costab(folder, "sweep", "warn.yaml")
    ok(done.returncode == 0 and "warning: " in done.stderr and "left.force" in done.stderr, "warnings are passed on")
    write(folder, "fixed.yaml", HEAD + SYSTEM.replace("substeps: 1", "step: 0.01")
          + "axes: {H: [0.01, 0.015, 0.02]}\n")
    done = costab(folder, "sweep", "fixed.yaml")
    ok(done.returncode == 0 and "fixed.yaml: warning: 2 of 6 points cannot be analysed" in done.stderr
       and os.path.exists(os.path.join(folder, "fixed.h5")), "points that cannot be analysed are told of")
    done = costab(folder, "sweep", "fixed.yaml", "--slice", "1/1")
    ok("2 of 6 points cannot be analysed" in done.stderr, "by slices, too", done.stderr)
    done = costab(folder, "sweep", "nowhere.yaml")
    ok(done.returncode == 2 and "nowhere.yaml" in done.stderr, "no such file: exit 2")


def test_threads(folder):
    """LAPACK from two threads at a time, which its library must allow: the file's bytes are those of one thread."""
    spec = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../sweeps/findings/sequences.yaml")
    files = [os.path.join(folder, f"{threads}.h5") for threads in (1, 2, 2)]
    for threads, file in zip((1, 2, 2), files):
        subprocess.run([COSTAB, "sweep", spec, "-o", file, "--threads", str(threads), "--quiet"], check=True)
    told = [subprocess.run([COSTAB, "compare", "--numbers", "0", files[0], file], capture_output=True, text=True, check=False) for file in files[1:]]
    ok(all(done.returncode == 0 for done in told), "two threads give the numbers of one", *(done.stderr for done in told))


def test_plot_of_a_spec(folder):
    write(folder, "spec.yaml", HEAD + SYSTEM + "axes: {K: {from: 1, to: 300, points: 9}, H: [0.001, 0.1]}\n")
    first, second = (costab(folder, "plot", "spec.yaml", "--script-only") for _ in range(2))
    ok(first.returncode == 0 and "wrote spec.h5" in first.stderr and "spec.h5: is up to date" in second.stderr and os.path.exists(os.path.join(folder, "spec.gp")),
       "plot of a spec sweeps it, once", first.stderr, second.stderr)
    page = costab(folder, "plot", "spec.yaml", "-o", "spec.html")
    ok(page.returncode == 0 and os.path.exists(os.path.join(folder, "spec.html")), "and writes a page of it", page.stderr)
    write(folder, "bad.yaml", HEAD + SYSTEM)
    done = costab(folder, "plot", "bad.yaml")
    ok(done.returncode == 2 and "bad.yaml: error: a sweep needs the key 'axes'" in done.stderr, "a spec with mistakes is refused as by sweep", done.stderr)
    write(folder, "model.yaml", HEAD + SYSTEM)
    costab(folder, "sweep", "model.yaml", "--axis", "H=0.001:0.1:5:log", "-o", "log.h5")
    rows = costab(folder, "export", "log.h5").stdout.splitlines()[1:6]
    ok([row.split(",")[1] for row in rows] == ["0.001", "0.0031622776601683794", "0.01", "0.03162277660168379", "0.1"], "an axis with equal ratios", rows)
    for wrong in ("H=0:0.1:5:log", "H=0.1,0.2:log"):
        done = costab(folder, "sweep", "model.yaml", "--axis", wrong)
        ok(done.returncode == 2 and "log needs LO:HI:N:log with LO above 0" in done.stderr, f"--axis {wrong} is refused", done.stderr)


def test_up_to_date(folder):
    """Nothing is computed if the results are of the same spec, files and program. Each change of one of them is noticed."""
    try:
        import h5py
    except ImportError:
        skip("results that are up to date", "h5py is not installed")
        return
    path = os.path.join(folder, "spec.h5")
    os.mkdir(os.path.join(folder, "data"))
    write(folder, "model.yaml", HEAD + SYSTEM.replace("A: [[0, 1], [-1, -1]]", "A: {file: data/A.h5, name: A}"))
    spec = "system: network\nmodel: model.yaml\naxes: {K: {from: 1, to: 300, points: 9}, H: [0.001, 0.1]}\nfigure: {kind: classes, points: seen.csv}\n"

    def matrix(damping):
        with h5py.File(os.path.join(folder, "data", "A.h5"), "w") as file:
            file["A"] = [[0., 1.], [-1., damping]]

    def sweep(*options):
        """Whether the sweep computes; otherwise it says so and leaves the file alone."""
        if os.path.exists(path):
            os.utime(path, (1e9, 1e9))
        planned = costab(folder, "sweep", "spec.yaml", "--dry-run", *options).stdout
        done = costab(folder, "sweep", "spec.yaml", *options)
        computed = os.stat(path).st_mtime != 1e9
        said = "spec.h5: is up to date; --force computes it again" in done.stderr
        return computed if done.returncode == 0 and computed == (not said) and ("exists  spec.h5: up to date" in planned) == said else done.stderr + planned

    matrix(-1)
    write(folder, "seen.csv", "x,y\n10,0.05\n")
    write(folder, "spec.yaml", spec)
    ok(sweep() is True and sweep() is False and sweep("--threads", "2") is False, "results that are up to date are left as they are")
    ok(costab(folder, "sweep", "spec.yaml", "-q").stderr == "", "silently with --quiet")
    costab(folder, "sweep", "spec.yaml", "--force")
    ok(os.stat(path).st_mtime != 1e9, "--force computes them again")
    drawn = [costab(folder, "plot", "spec.yaml", "--fmu-accuracy", "1e-6").stderr.count("up to date") for _ in range(2)]
    ok(drawn == [0, 1] and sweep() is True, "plot takes results of the same accuracy of FMUs", *drawn)
    for what, options in (("other couplings", ("--coupling", "jacobi")), ("another accuracy of FMUs", ("--fmu-accuracy", "1e-5"))):
        found = [sweep(*options), sweep(*options), sweep()]
        ok(found == [True, False, True], f"{what} are another sweep", *found)
    for what, change in (("the spec", lambda: write(folder, "spec.yaml", spec + "# edited\n")), ("the model", lambda: write(folder, "model.yaml", content(folder, "model.yaml").decode().replace("-2]", "-2.5]"))),
                         ("a matrix", lambda: matrix(-1.5)), ("points of the figure", lambda: write(folder, "seen.csv", "x,y\n10,0.06\n"))):
        change()
        found = sweep()
        ok(found is True, f"computed again after a change of {what}", found)
    with h5py.File(path, "r+") as file:
        file.attrs.modify("revision", np.bytes_(b"0" * len(file.attrs["revision"])))
    found = [sweep(), sweep()]
    ok(found == [True, False], "computed again by another commit, then up to date", *found)
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) - 100)
    found = [sweep("--force"), sweep()]
    ok(found == [True, False] or "--force" in str(found[0]), "a file that is cut short is not up to date", *found)
    fmus = os.environ.get("COSTAB_FMUS", "")
    if not os.path.exists(os.path.join(fmus, "mass-2.fmu")):
        skip("an FMU with other contents", "there are no FMUs")
        return
    shutil.copy(os.path.join(fmus, "mass-2.fmu"), os.path.join(folder, "mass.fmu"))
    for name in ("spec", "model"):
        os.remove(os.path.join(folder, name + ".yaml"))
    costab(folder, "import", "mass.fmu", "-o", "model.yaml")
    write(folder, "spec.yaml", "system: network\nmodel: model.yaml\naxes: {H: [0.01, 0.02]}\n")
    found = [sweep(), sweep()]
    with zipfile.ZipFile(os.path.join(folder, "mass.fmu"), "a") as archive:
        archive.writestr("resources/more.txt", "1")
    found += [sweep(), sweep()]
    ok(found == [True, False, True, False], "computed again after a change inside an FMU", *found)


def main():
    for test in (test_file, test_order_of_axes, test_two_files, test_matrices_from_files, test_words, test_plot_of_a_spec, test_up_to_date, *([test_threads] if EFFORT > 1 else [])):
        with tempfile.TemporaryDirectory() as folder:
            test(folder)
    finish()


if __name__ == "__main__":
    main()
