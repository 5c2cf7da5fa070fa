#!/usr/bin/env python3
"""costab compare: the points whose class differs between two results files, against h5py's own comparison. Prints TAP."""
import collections
import csv
import io
import itertools
import json
import pathlib
import tempfile

import h5py
import numpy as np

from tap import costab, finish, ok, refused, spread

CODES = {0: "UU", 1: "US", 2: "SU", 3: "SS", 34: "SN", 32: "UN", 8: "failed"}
PLANAR = """system: planar
schemes: [cross, strong]
axes: {{a: [{a}, 0.5], gamma: {{from: -6, to: 2, points: {points}}}, delta: {{from: -2, to: 14, points: 45}}}}
fields: [class]
"""
NETWORK = """system: network
parameters: {{g: {g}, H: 0.1}}
subsystems:
  - {{name: one, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y], method: {method}, substeps: 2}}
  - {{name: two, A: [[-1]], B: [[g]], C: [[1]], inputs: [u], outputs: [y], method: {method}, substeps: 2}}
connections: [{{from: one.y, to: two.u}}, {{from: two.y, to: one.u}}]
coupling: [{{name: one, macro_step: H}}, {{name: two, scheme: gauss-seidel, macro_step: H}}]
axes: {{H: {{from: {low}, to: 2, points: 300}}}}
fields: [class, spectral_radius]
"""


def text_of(value):
    return value.decode() if isinstance(value, bytes) else value


def swept(folder, name, text):
    path = pathlib.Path(folder, name)
    path.with_suffix(".yaml").write_text(text)
    done = costab("sweep", path.with_suffix(".yaml"), "-o", path.with_suffix(".h5"), "-q")
    if done.returncode:
        ok(False, f"{name}: swept", done.stderr)
    return path.with_suffix(".h5")


def differences(a, b):
    """Rows as text, and how many there are of each pair."""
    with h5py.File(a) as first, h5py.File(b) as second:
        one, two = first["class"][:], second["class"][:]
        names = [first["class"].dims[k][0].name.lstrip("/") for k in range(one.ndim)]
        axes = [first[n].asstr()[:] if first[n].dtype.kind in "OS" else first[n][:] for n in names]
    rows = collections.Counter()
    pairs = collections.Counter()
    for index in itertools.product(*map(range, one.shape)):
        if one[index] != two[index]:
            pair = CODES[one[index]], CODES[two[index]]
            rows[tuple(str(axis[i]) for axis, i in zip(axes, index)) + pair] += 1
            pairs[pair] += 1
    return names, rows, pairs


def check(a, b, what):
    names, rows, pairs = differences(a, b)
    done = costab("compare", a, b)
    table = list(csv.reader(io.StringIO(done.stdout)))
    ok(table[0] == names + ["class_a", "class_b"], f"{what}: columns", table[0])
    told = collections.Counter(tuple(str(float(v)) if v[:1] in "-0123456789" else v for v in row) for row in table[1:])
    true = collections.Counter({tuple(str(float(v)) if v[:1] in "-0123456789" else v for v in row): n for row, n in rows.items()})
    ok(told == true and sum(true.values()) > 10, f"{what}: the points that differ, each once", told - true, true - told)
    ok(done.returncode == 1, f"{what}: exit status 1", done.returncode)
    ok(all(f"{p} in the first file, {q} in the second: {n} of" in done.stderr for (p, q), n in pairs.items()) and
       done.stderr.count("in the first file") == len(pairs), f"{what}: counts of each pair", done.stderr, pairs)


with tempfile.TemporaryDirectory() as folder:
    a = swept(folder, "a", PLANAR.format(a=-0.5, points=65))
    b = swept(folder, "b", PLANAR.format(a=-0.5, points=65).replace("schemes", "substeps: 3\nschemes"))
    check(a, b, "planar")
    n = swept(folder, "n", NETWORK.format(g=-8, method="exact", low=0.01))
    m = swept(folder, "m", NETWORK.format(g=-8, method="euler", low=0.01))
    check(n, m, "network")
    same = costab("compare", n, n)
    ok(same.returncode == 0 and "all 600 points have the same class" in same.stderr and len(same.stdout.splitlines()) == 1,
       "a file and itself: exit status 0", same.stdout, same.stderr)
    objects = json.loads(costab("compare", n, m, "--format", "json").stdout)
    ok(len(objects) == sum(differences(n, m)[1].values()) and set(objects[0]) == {"coupling", "H", "class_a", "class_b"},
       "as JSON")
    for other, say in ((swept(folder, "c", PLANAR.format(a=-0.4, points=65)), "number 1 of 'a' is -0.5"),
                       (swept(folder, "more", PLANAR.format(a=-0.5, points=66)), "'gamma' has 65 points in the first file, 66"),
                       (n, "the axes differ: 4 in the first file, 2 in the second")):
        done = costab("compare", a, other)
        ok(done.returncode == 2 and say in done.stderr and done.stdout == "", f"other axes are refused: {say}", done.stderr)
    done = costab("compare", n, swept(folder, "low", NETWORK.format(g=-8, method="exact", low=0.02)))
    ok(done.returncode == 2 and "number 1 of 'H'" in done.stderr, "other values of an axis are refused", done.stderr)
    # as in the files of an earlier version
    one = PLANAR.format(a=-0.5, points=130).replace("from: -6", "from: -0.1").replace("to: 2", "to: 0.7")
    rounded = np.linspace(-0.1, 0.7, 130).tolist()
    old = one.replace("{from: -0.1, to: 0.7, points: 130}", repr(rounded))
    done = costab("compare", swept(folder, "new", one), swept(folder, "old", old))
    ok(rounded != spread("-0.1", "0.7", 130) and done.returncode == 0, "an axis may differ by the rounding of numpy.linspace", done.stderr)
    far = one.replace("from: -0.1", "from: -0.100000000000001")
    refused("but by no more", "number 1 of 'gamma'", "compare", pathlib.Path(folder, "new.h5"), swept(folder, "far", far))
    no_class = swept(folder, "r", NETWORK.format(g=-8, method="exact", low=0.01).replace("[class, ", "["))
    ok(costab("compare", n, no_class).returncode == 2, "a file without classes is refused")
    done = costab("compare", n, pathlib.Path(folder, "nowhere.h5"))
    ok(done.returncode == 2 and done.stdout == "", "a missing file is refused", done.stderr)

    # a results file of both classes, and its figure
    for one, two, out in ((a, b, "d.h5"), (n, m, "e.h5")):
        out = pathlib.Path(folder, out)
        done = costab("compare", one, two, "-o", out)
        with h5py.File(one) as first, h5py.File(two) as second, h5py.File(out) as made:
            left, right = first["class"][:], second["class"][:]
            words = dict(zip(made["difference"].attrs["flag_values"].tolist(), text_of(made["difference"].attrs["flag_meanings"]).split()))
            found = np.vectorize(words.get)(made["difference"][:])
            lost = ((left | right) & 12) != 0
            stable = [codes & 1 for codes in (left, right)]
            wanted = np.select([lost, (stable[0] == 1) & (stable[1] == 0), (stable[0] == 0) & (stable[1] == 1), left != right, stable[0] == 1],
                               ["no_class", "first_only", "second_only", "other", "both_stable"], "both_unstable")
            axes = [made["difference"].dims[k][0].name for k in range(left.ndim)] == [first["class"].dims[k][0].name for k in range(left.ndim)]
            ok((made["class_a"][:] == left).all() and (made["class_b"][:] == right).all() and (found == wanted).all() and axes and len(set(wanted.ravel())) > 2,
               f"{out.name}: both classes and what differs", collections.Counter(found.ravel()), collections.Counter(wanted.ravel()))
        ok(done.returncode == 1 and done.stdout == "" and f"{int((left != right).sum())} of {left.size} points" in done.stderr, f"{out.name}: exit status 1, no table", done.stderr)
    done = costab("plot", pathlib.Path(folder, "d.h5"), "-o", folder, "--script-only", "--select", "scheme=cross", "--select", "a=0.5")
    script, data = (pathlib.Path(folder, f"d.{ending}").read_text() for ending in ("gp", "dat"))
    with h5py.File(pathlib.Path(folder, "d.h5")) as made:
        codes = made["difference"][0, 1]
    for word, style, code in (("stable in both", "in_both", 1), ("in the first only", "in_first", 2), ("in the second only", "in_second", 3)):
        ok((word in script) == (style in data) == (code in codes), f"plot draws what is {word}", done.stderr)
    ok("a.h5 and b.h5" in script, "the title names the files", script[:2000])
    done = costab("plot", pathlib.Path(folder, "e.h5"), "-o", folder, "--script-only")
    ok(done.returncode == 2 and "difference" in done.stderr or "two axes" in done.stderr, "one axis is refused", done.stderr)
    ok(costab("compare", a, a, "-o", pathlib.Path(folder, "same.h5")).returncode == 0, "equal files: exit status 0")
    ok(costab("compare", a, b, "-o", folder).returncode == 1 and pathlib.Path(folder, "a-b.h5").exists(), "in a folder the file has both names")
    refused("one of the files is not replaced", "is one of the compared files", "compare", a, b, "-o", b)
    refused("numbers in a file", "a file, --output, has classes only", "compare", a, b, "-o", pathlib.Path(folder, "x.h5"), "--numbers", "0")

with tempfile.TemporaryDirectory() as folder:
    for name, command in (("class_a", "compare"), ("class_b", "compare"), ("piece", "boundary")):
        text = NETWORK.replace("{{g: {g}", f"{{{{{name}: -8").replace("[[g]]", f"[[{name}]]").replace("axes: {{", f"axes: {{{{{name}: [-8, 1], ")
        files = [swept(folder, name + method, text.format(method=method, low=0.01)) for method in ("exact", "euler")]
        refused(f"{command}: an axis {name}", f"two columns have the name '{name}'", command, *files[:1 + (command == "compare")])

with tempfile.TemporaryDirectory() as folder:
    n = swept(folder, "n", NETWORK.format(g=-8, method="exact", low=0.01))
    with h5py.File(n) as whole:
        radius = whole["spectral_radius"][:]
    near = swept(folder, "near", NETWORK.format(g=-8.000001, method="exact", low=0.01))
    with h5py.File(near) as whole:
        other = whole["spectral_radius"][:]
    apart = abs(radius - other) / np.maximum(1, np.maximum(abs(radius), abs(other)))
    for tolerance in (0, 1e-9, 1e-7):
        many = int((apart > tolerance).sum())
        done = costab("compare", n, near, "--numbers", str(tolerance))
        ok(f"spectral_radius: {many} of 600 values differ, at most by {apart.max():.3g}\n" in done.stderr and 0 < many and done.returncode == 1,
           f"numbers that are further apart than {tolerance} are counted", done.stderr, many)
    done = costab("compare", n, near, "--numbers", "1e-3")
    ok("all other common fields agree within 0.001" in done.stderr, "numbers within the tolerance agree", done.stderr)
    done = costab("compare", n, n, "--numbers", "0")
    ok(done.returncode == 0 and "all 600 points have the same class" in done.stderr, "a file and itself, to the last bit", done.stderr)
    text = NETWORK.format(g=-8, method="exact", low=0.01)
    alone = [swept(folder, name, text.replace("[class, ", "[").replace("g: -8,", f"g: {g},")) for name, g in (("p", -8), ("q", -8.1))]
    ok(costab("compare", alone[0], alone[0], "--numbers", "0").returncode == 0 and costab("compare", *alone, "--numbers", "1e-9").returncode == 1,
       "files without classes are compared by their numbers")
    for pair, which in (((n, alone[0]), "first"), ((alone[0], n), "second")):
        done = costab("compare", *pair, "--numbers", "0")
        ok(done.returncode == 0 and done.stdout == "" and f"only the {which} file has the field 'class'\n" in done.stderr and
           "all other common fields agree within 0\n" in done.stderr, f"a field of the {which} file alone is listed, the common ones are compared", done.stderr)
    done = costab("compare", n, alone[1], "--numbers", "1e-9")
    ok(done.returncode == 1 and "only the first file has the field 'class'\n" in done.stderr and "spectral_radius: " in done.stderr,
       "common fields that differ are reported beside a field of one file alone", done.stderr)
    plane = "system: planar\nschemes: [cross]\naxes: {{a: 0.5, gamma: -2, delta: [1, 2]}}\nfields: [{}]\n"
    two = [swept(folder, field, plane.format(field)) for field in ("class", "trace")]
    refused("files without a common field are refused", "no field in common", "compare", *two, "--numbers", "0")
    ok(costab("compare", n, n, "--numbers", "-1").returncode == 2, "a negative tolerance is refused")
finish()
