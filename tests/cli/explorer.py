#!/usr/bin/env python3
"""costab plot CHART.h5 -o CHART.html: the page's kernels against the program, in a browser. Prints TAP.

Classes are compared by their checksums, over ten million points of the planar system and a hundred thousand of a network; numbers of
random points with what classify and map print. Both sides do the same operations: they differ by libm alone, a few units in the
last place per operation, some hundred operations deep: 1e-12."""
import json
import pathlib
import random
import subprocess
import tempfile
import zlib

import h5py

import browser
from browser import data_of, quiet, well_formed
from tap import COSTAB as costab, csv_rows, finish, ok

NEAR = 1e-12
SCHEMES = ["simulation", "cross", "zigzag", "strong"]
PLANAR = """title: {title}
system: planar
schemes: [simulation, cross, zigzag, strong]
axes:
  a: {a}
  gamma: {{from: -5, to: 1, points: {points}}}
  delta: {{from: -2, to: 12, points: {points}}}
fields: [class]
"""
DRIVE = """title: A drive
system: network
parameters: {J1: 0.1, J2: 0.5, k: 50, d: 0.2, kp: 20, kd: 1, H: 0.01, stiff: 2*k}
subsystems:
  - {name: motor, A: [[0, 1], [-kp/J1, -kd/J1]], B: [[0], [1/J1]], C: [[1, 0], [0, 1]], inputs: [torque], outputs: [angle, speed],
     x0: [0.1, 0], method: rk4, substeps: 10}
  - {name: load, A: [[0, 1], [-stiff/2/J2, -d/J2]], B: [[0, 0], [k/J2, d/J2]], C: [[k, d]], D: [[-k, -d]], inputs: [angle, speed],
     outputs: [torque], method: radau2, substeps: 2}
connections: [{from: motor.angle, to: load.angle}, {from: motor.speed, to: load.speed}, {from: load.torque, to: motor.torque}]
coupling:
  - {name: jacobi, scheme: jacobi, macro_step: H}
  - {name: zig-zag, scheme: gauss-seidel, interpolation: linear, extrapolation: linear, macro_step: H}
  - {name: loop, scheme: iterated, interpolation: linear, macro_step: H}
  - {name: smooth, scheme: jacobi, extrapolation: linear, smoothed: true, macro_step: H}
"""
CHAIN = """title: A chain
system: network
parameters: {{k: 60, c: 0.6, H: 0.01}}
subsystems:
{masses}
connections: [{ties}]
coupling:
  - {{name: jacobi, scheme: jacobi, macro_step: H}}
  - {{name: zig-zag, scheme: gauss-seidel, extrapolation: linear, macro_step: H}}
axes: {{k: {{from: 5, to: 200, points: {n}}}, H: {{from: 0.001, to: 0.1, points: {n}}}}}
fields: [class]
"""
MASS = "  - {{name: m{0}, A: [[0, 1], [-2*k, -c]], B: [[0, 0], [k, k]], C: [[1, 0]], inputs: [left, right], outputs: [x], x0: [0.1, 0], method: rk4}}"
CRC = """
const table = Uint32Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1; return n });
const crc = bytes => { let c = 0xffffffff; for (const b of bytes) c = table[(c ^ b) & 255] ^ c >>> 8; return (c ^ 0xffffffff) >>> 0 };
"""


def run(folder, *arguments):
    return subprocess.run([costab, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=folder)


def page_of(folder, name, spec):
    """The page of a spec's sweep, beside its results."""
    pathlib.Path(folder, f"{name}.yaml").write_text(spec)
    for arguments in (["sweep", f"{name}.yaml", "-o", f"{name}.h5"], ["plot", f"{name}.h5", "-o", f"{name}.html"]):
        done = run(folder, *arguments, "--quiet")
        if done.returncode:
            raise RuntimeError(done.stderr)
    return pathlib.Path(folder, f"{name}.html")


def near(a, b):
    return a == b or abs(a - b) <= NEAR * max(1, abs(a), abs(b))


# ---- Classes

def planar_classes(folder):
    """Two values of a, one of them moved to by the slider's number."""
    told = None
    for a in (-0.5, 0.75):
        page = page_of(folder, "planes", PLANAR.format(title="Planes", a=[a], points=1120))
        with h5py.File(page.with_suffix(".h5")) as file:
            native = [zlib.crc32(file["class"][s].tobytes()) for s in range(4)]
        told = browser.visit(page, CRC + """
for (const scheme of CHOICES) tell(crc(planarGrid("planar_classes", Uint8Array, 1120, 1120, wholeView(), scheme)));""")
        told = quiet(told, f"the chart at a = {a}")
        ok(told == [str(n) for n in native], f"4 x 1120 x 1120 classes at a = {a} are the program's", told, native)


def network_classes(folder):
    page = page_of(folder, "drive", DRIVE + "axes: {k: {from: 5, to: 200, points: 160}, H: {from: 0.001, to: 0.3, points: 160}}\nfields: [class]\n")
    with h5py.File(page.with_suffix(".h5")) as file:
        native = [zlib.crc32(file["class"][c].tobytes()) for c in range(4)]
    told = quiet(browser.visit(page, NETWORK_CRC), "the network's chart")
    ok(told == [str(n) for n in native], "4 x 160 x 160 classes of a network are the program's", told, native)
    return page


NETWORK_CRC = CRC + """
job++; // the chart itself is not waited for
for (const choice of CHOICES) {
  S.choice = choice;
  const n = X.values.length;
  tell(crc(networkGrid("network_classes", Uint8Array, n, n, wholeView(), Uint32Array.from({ length: n * n }, (_, k) => k))));
}"""


def chain_classes(folder):
    """Sums have one order in the program's lanes and in the page's at any size."""
    total = 0
    for masses, n in ((4, 210), (8, 80), (20, 24)):
        ties = ", ".join(f"{{from: m{i}.x, to: m{j}.{port}}}" for i in range(masses) for j, port in ((i + 1, "left"), (i - 1, "right")) if 0 <= j < masses)
        page = page_of(folder, "chain", CHAIN.format(masses="\n".join(map(MASS.format, range(masses))), ties=ties, n=n))
        with h5py.File(page.with_suffix(".h5")) as file:
            native = [zlib.crc32(file["class"][c].tobytes()) for c in range(2)]
            total += file["class"].size
        told = quiet(browser.visit(page, NETWORK_CRC, seconds=500), f"a chain of {masses} masses")
        ok(told == [str(n) for n in native], f"2 x {n} x {n} classes of {2 * masses} states are the program's", told, native)
    ok(total > 100_000, f"{total} points of 8, 16 and 40 states")


# ---- Points

def planar_points(folder, page):
    draw, asked, wrong = random.Random(29), [], []
    for method, substeps in (("rk4", [1, 1]), ("heun", [2, 3]), ("radau2", [1, 1]), ("exact", [1, 1]), ("dopri5", [4, 1])):
        for _ in range(20):
            place = {"a": draw.uniform(-3, 3), "gamma": draw.uniform(-5, 1), "delta": draw.uniform(-2, 12)}
            asked += [{**place, "scheme": s, "method": method, "substeps": substeps} for s in SCHEMES]
    told = quiet(browser.visit(page, CRC + f"for (const asked of {json.dumps(asked)}) tell(window.costab.at(asked));"), "random points of the planar system")
    answers = [json.loads(line) for line in told]
    for values, answer in zip(asked, answers):
        substeps = values["substeps"][:1] if values["scheme"] == "simulation" else values["substeps"]
        printed = run(folder, "classify", *(f"--{n}={values[n]!r}" for n in ("a", "gamma", "delta")), "--scheme", values["scheme"], "--method",
                      values["method"], "--substeps", ",".join(map(str, substeps)), "-f", "csv").stdout
        row = csv_rows(printed)[0]
        same = row["class"] == answer["class"] and all(near(float(row[n]), answer[n]) for n in ("trace", "determinant", "spectral_radius")) and \
            row["cause"].split("+") == (answer["cause"] or [""])
        wrong += [] if same else [(values, answer, row)]
    ok(len(answers) == 400 and not wrong, "400 random points have classify's class, cause, trace, determinant and radius", *wrong[:3])


def network_points(folder, page):
    draw, asked, wrong = random.Random(30), [], []
    for _ in range(25):
        place = {"k": draw.uniform(5, 200), "H": draw.uniform(0.001, 0.3), "J2": draw.uniform(0.2, 1)}
        asked += [{**place, "coupling": c} for c in ("jacobi", "zig-zag", "loop", "smooth")]
    told = quiet(browser.visit(page, CRC + f"for (const asked of {json.dumps(asked)}) tell(window.costab.at(asked));"), "random points of the network")
    answers = [json.loads(line) for line in told]
    for values, answer in zip(asked, answers):
        done = run(folder, "map", "drive.yaml", *(f"--set={n}={values[n]!r}" for n in ("k", "H", "J2")), "--coupling", values["coupling"], "-f", "json")
        row = json.loads(done.stdout)
        row = row[0] if isinstance(row, list) else row
        mode, theirs = answer["modes"][0], row["modes"][0]
        # vectors come from another algorithm than LAPACK's: their condition, below 1e4 here, counts
        same = row["class"] == answer["class"] and near(row["spectral_radius"], answer["spectral_radius"]) and near(row["decay"], answer["decay"]) and \
            abs(theirs["frequency"] - mode["frequency"]) < 1e-8 and all(abs(theirs["participation"][s] - mode["shares"][s]) < 1e-8 for s in mode["shares"]) and \
            all(abs(theirs["connections"][c] - mode["links"][c]) < 1e-8 for c in mode["links"])
        wrong += [] if same else [(values, answer, row)]
    ok(len(answers) == 100 and not wrong, "100 random points have map's class, radius, decay, frequency, participation and blame", *wrong[:2])


def network_locus(folder, page):
    """The way of the eigenvalues along a knob has those of `map` where the knob is, and moves with another knob."""
    told = quiet(browser.visit(page, CRC + "pin([50, 0.05]); const axis = locusAxes().find(a => a.name === 'kd'), shownWay = () => document.querySelector('.locus').getAttribute('d');"
                               "locusName = 'kd'; showPinned(); const first = shownWay(), all = locusThrough({ k: 50, H: 0.05 }), size = eigenvaluesAt({ k: 50, H: 0.05 }).length;"
                               "S.knobs.J2 = 0.9; showPinned(); tell(first.split('M').length - 1, all.length / size, shownWay() !== first, [...document.querySelector('.circle + p select').options].length); S.knobs = {};"
                               "for (const i of [0, 120, 240]) tell({ kd: placeIn(axis, axis.low, axis.high, 241, i), values: all.slice(i * size, (i + 1) * size) });"), "the locus of a point")
    head, wrong = told[0].split(), []
    for row in map(json.loads, told[1:]):
        done = run(folder, "map", "drive.yaml", "--set=k=50", "--set=H=0.05", f"--set=kd={row['kd']!r}", "--coupling", "jacobi", "-f", "json")
        theirs = [complex(*z) for z in json.loads(done.stdout)[0]["eigenvalues"]]
        # what the master remembers is a multiple 0, known to the root of rounding
        wrong += [z for z in row["values"] if min(abs(complex(*z) - w) for w in theirs) > (1e-10 if abs(complex(*z)) > 1e-3 else 1e-3)]
    ok(int(head[0]) > 500 and head[1:3] == ["241", "true"] and int(head[3]) > 5 and len(told) == 4 and not wrong,
       "eigenvalues go along a parameter as map has them, and their way moves with another one", told[0], wrong)


# ---- What a reader does

HANDS = CRC + """
const [w, h] = inner(), box = plot.getBoundingClientRect(), key = (name, shiftKey = false) => plot.dispatchEvent(new KeyboardEvent("keydown", { key: name, shiftKey, bubbles: true, cancelable: true }));
const point = (type, x, y) => plot.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y, bubbles: true, pointerId: 1, pointerType: "mouse" }));
plot.setPointerCapture = () => 0;
let same = 0;
for (let k = 0; k < 40; k++) {
  point("pointermove", frame.left + w * (k + 0.5) / 40, frame.top + h * ((7 * k) % 40 + 0.5) / 40);
  const answer = window.costab.at(placeOf(S.at));
  same += byId("readout").querySelector(".class").textContent.startsWith(answer.class + ":") && byId("readout").textContent.includes(shown(answer.spectral_radius, 7));
}
tell("hover", same);
plot.focus();
const before = S.at.slice();
key("ArrowRight"); key("ArrowUp", true);
tell("keys move", S.at[0] > before[0] && S.at[1] > before[1], byId("say").textContent.includes(window.costab.at(placeOf(S.at)).class));
key("Enter");
tell("pinned", S.pin !== null && byId("pinned").textContent.includes("costab "), byId("pinned").querySelectorAll("svg").length > 1);
key("Escape");
tell("unpinned", S.pin === null);
key("2");
tell("choice", S.choice === CHOICES[1], document.querySelector("input[name=choice]:checked").value === CHOICES[1]);
refresh(); await pause(3000);
const first = crc(grid.classes), view = S.view.slice();
key("+"); refresh(); await pause(3000);
tell("zoom", S.view[1] - S.view[0] < view[1] - view[0], crc(grid.classes) !== first, grid.stride);
key("0"); refresh(); await pause(3000);
tell("home", crc(grid.classes) === first);
point("pointerdown", frame.left + 0.2 * w, frame.top + 0.3 * h); point("pointermove", frame.left + 0.6 * w, frame.top + 0.8 * h); point("pointerup", frame.left + 0.6 * w, frame.top + 0.8 * h);
tell("frame", Math.abs((S.view[1] - S.view[0]) / (view[1] - view[0]) - 0.4) < 0.01);
S.view = wholeView(); refresh(); await pause(3000);
plot.dispatchEvent(new WheelEvent("wheel", { clientX: box.left + frame.left + w / 2, clientY: box.top + frame.top + h / 2, deltaY: -200, bubbles: true, cancelable: true }));
tell("wheel", Math.abs((S.view[1] - S.view[0]) / (view[1] - view[0]) - Math.exp(-0.5)) < 1e-9);
S.view = wholeView();
const finger = (type, pointerId, x) => plot.dispatchEvent(new PointerEvent(type, { clientX: box.left + frame.left + x * w, clientY: box.top + frame.top + h / 2, bubbles: true, pointerId, pointerType: "touch" }));
finger("pointerdown", 7, 0.4); finger("pointerdown", 8, 0.6); finger("pointermove", 7, 0.3); finger("pointermove", 8, 0.7); finger("pointerup", 7, 0.3); finger("pointerup", 8, 0.7);
tell("pinch", Math.abs((S.view[1] - S.view[0]) / (view[1] - view[0]) - 0.5) < 0.01, S.pin === null);
S.view = wholeView(); refresh(); await pause(3000);
const edge = lines.filter(l => l.colour === "--ink").flatMap(l => l.parts), changes = edge.flatMap(part => part.length > 20 ? [part[2 * Math.floor(part.length / 4)], part[2 * Math.floor(part.length / 4) + 1]] : []);
let beside = 0;
for (let k = 0; k < changes.length; k += 2) beside += new Set([[-3, 0], [3, 0], [0, -3], [0, 3]].map(([dx, dy]) => classAt(placeOf(pointOf([changes[k] + dx, changes[k + 1] + dy]))))).size > 1;
tell("lines", changes.length > 0, isPlanar || beside === changes.length / 2);
const shade0 = ink.getImageData(Math.round((frame.left + 3) * frame.scale), Math.round((frame.top + 3) * frame.scale), 8, 8).data.join();
dispatchEvent(new Event("beforeprint"));
const paper = ink.getImageData(Math.round((frame.left + 3) * frame.scale), Math.round((frame.top + 3) * frame.scale), 8, 8).data;
tell("paper", Math.max(...paper.slice(0, 3)) > 180, (paper.join() !== shade0) === isDark.matches);
dispatchEvent(new Event("afterprint"));
const colours = document.querySelector("select[aria-label=Colours]");
colours.value = "spectral_radius"; colours.dispatchEvent(new Event("change")); refresh(); await pause(500);
tell("field", byId("key").textContent.startsWith("ρ: "), lines.some(l => l.level === 1), fragment().includes("field=spectral_radius"));
colours.value = ""; colours.dispatchEvent(new Event("change")); refresh(); await pause(3000);
const range = document.querySelector(".slider input[type=range]");
range.value = 300; range.dispatchEvent(new Event("input")); refresh(); await pause(3000);
tell("slider", crc(grid.classes) !== first);
tell("svg", new DOMParser().parseFromString(svgText(), "image/svg+xml").querySelectorAll("parsererror").length === 0 && svgText().length > 5000);
const link = fragment();
location.hash = "#scheme=nonsense&view=3,1,x,2&pin=1"; await pause(100);
tell("bad fragment", fragment() === link);
"""
EXPECTED = ["hover 40", "keys move true true", "pinned true true", "unpinned true", "choice true true", "zoom true true 1", "home true", "frame true", "wheel true", "pinch true true", "lines true true", "paper true true", "field true true true", "slider true",
            "svg true", "bad fragment true", *browser.RULES_TOLD]


def hands(page, what, dark=False):
    browser.expect(quiet(browser.visit(page, HANDS + browser.rules(page), dark=dark), f"a reader's hands on {what}"), EXPECTED, what)


# ---- Without kernels, and curves

def without_kernels(page):
    """The same page as a costab without the tools would write it: the stored classes at the stored points."""
    data, text = data_of(page), page.read_text()
    bare = page.with_name("bare.html")
    bare.write_text(text.replace(data["kernels"], "").replace(data["trees"], ""))
    with h5py.File(page.with_suffix(".h5")) as file:
        k, H, codes = file["k"][::13], file["H"][::11], file["class"][:, ::13, ::11]
    names = {0: "UU", 1: "US", 2: "SU", 3: "SS"}
    asked = [{"k": float(x), "H": float(y), "coupling": c} for c in ("jacobi", "loop") for x in k for y in H]
    told = quiet(browser.visit(bare, CRC + f"tell(byId('live').textContent); for (const asked of {json.dumps(asked)}) tell(window.costab.at(asked).class);"), "a page without kernels")
    ok("stored grid" in told[0] and "no kernels" in told[0], "it says that it shows the stored grid, and why", told[0])
    expected = [names[int(codes[c, i, j])] for c in (0, 2) for i in range(len(k)) for j in range(len(H))]
    ok(told[1:] == expected, f"{len(expected)} stored points have the stored class", told[1:9], expected[:8])


def curves(folder):
    page = page_of(folder, "curve", DRIVE + "axes: {H: {from: 0.001, to: 0.1, points: 51}}\nfields: [spectral_radius, decay]\n")
    with h5py.File(page.with_suffix(".h5")) as file:
        radius, H = file["spectral_radius"][1], file["H"][:]
    told = quiet(browser.visit(page, CRC + f"tell(curveOf('zig-zag').length, lines.length); for (const H of {json.dumps(list(H))}) tell(storedAt('spectral_radius', {{ H }}, 'zig-zag'), "
                               "window.costab.at({ H, coupling: 'zig-zag' }).spectral_radius);"), "a page of curves")
    pairs = [tuple(map(float, line.split())) for line in told[1:]]
    ok(told[0] == "241 5" and len(pairs) == 51 and all(abs(a - r) < 1e-7 * r and near(b, r) for (a, b), r in zip(pairs, radius)),
       "curves have the stored values to 32 bits, and the kernels' the program's", told[:3])


def best_names(folder):
    axes = "axes: {k: {from: 5, to: 500, points: 9, spacing: log}, kd: {from: 0.2, to: 9, points: 7, spacing: log}}\n"
    page = page_of(folder, "best", DRIVE + axes + "best: {over: H, range: [0.001, 0.3]}\nfields: [class, best, best_step]\n")
    with h5py.File(page.with_suffix(".h5")) as file:
        codes, k, kd = file["best"][:], file["k"][:], file["kd"][:]
        names = [name.decode() if isinstance(name, bytes) else name for name in file["coupling"][:]]
    told = quiet(browser.visit(page, CRC + f"for (const k of {json.dumps(list(k))}) for (const kd of {json.dumps(list(kd))}) tell(bestText({{ k, kd }}));"
                               "const drawn = bestGrid(9, 7); tell(S.field, grid.classes.length, byId('key').textContent); for (const code of drawn) tell(code < TIE ? code - BEST : code - TIE, code >= TIE);"),
                 "a page of best couplings")
    expected = [names[list(codes[:, i, j]).index(1)] for i in range(len(k)) for j in range(len(kd))]
    drawn, told = told[len(expected):], told[:len(expected)]
    ties = [any(codes[:, i, j] == 2) for i in range(len(k)) for j in range(len(kd))]
    ok(drawn[0].startswith("best ") and all(name in drawn[0] for name in expected) and
       drawn[1:] == [f"{names.index(name)} {str(tie).lower()}" for name, tie in zip(expected, ties)], "and drawn as its region, hatched where another one ties", drawn[:5])
    ok([line.split(",")[0] for line in told] == expected and len(set(expected)) > 1, "the best coupling is named at every point", told[:5], expected[:5])


# ---- Texts of strangers, HTML, refusals

HOSTILE = ["</script><script>window.ran = 1</script>", "<img src=x onerror=window.ran=1>", "${window.ran=1}", "--><b>", "\" onload=\"x", "'\\u003c", "`", "&lt;",
           "\u2028\u2029", "]]>", "<!--<script>", "\\"]


def hostile(folder):
    page = page_of(folder, "hostile", PLANAR.format(title=json.dumps(" ".join(HOSTILE)), a=[0], points=9))
    ok(data_of(page)["title"] == " ".join(HOSTILE), "a hostile title comes through as it is")
    text = page.read_text()
    ok(text.count("</script") == text.count("<script") and "<img" not in text, "and is no element of the page")
    told = quiet(browser.visit(page, CRC + "tell(window.ran ?? 0, byId('title').textContent === data.title, document.images.length);"), "a page with a hostile title")
    ok(told == ["0 true 0"], "it runs nothing", told)


def refusals(folder):
    done = run(folder, "plot", "planes.h5", "drive.h5", "-o", "two.html")
    ok(done.returncode == 2 and "one page" in done.stderr, "one page of two files is refused", done.stderr)
    done = run(folder, "plot", "planes.h5", "-o", "x.html", "--kind", "classes")
    ok(done.returncode == 2 and "leave the options" in done.stderr, "options of figures are refused", done.stderr)
    pathlib.Path(folder, "mine.html").write_text("<p>mine")
    done = run(folder, "plot", "planes.h5", "-o", "mine.html")
    ok(done.returncode == 2 and pathlib.Path(folder, "mine.html").read_text() == "<p>mine", "a page of somebody else's is not replaced", done.stderr)
    pathlib.Path(folder, "time.yaml").write_text("{title: Two, system: planar, schemes: [cross], history: [{title: one, matrix: [-1, 2, -2, -1], h: 0.1, x0: [1, 0], until: 3}]}\n")
    run(folder, "sweep", "time.yaml", "-o", "time.h5")
    done = run(folder, "plot", "time.h5", "-o", "time.html")
    ok(done.returncode == 2 and "costab report" in done.stderr and not pathlib.Path(folder, "time.html").exists(),
       "results without a chart: what page there is instead", done.stderr)
    pathlib.Path(folder, "drive.yaml").write_text(DRIVE)
    for command, *options in (("map",), ("limit", "--over", "H=0.005:0.02"), ("margin", "--over", "k"), ("pattern", "--steps", "0.005,0.01"), ("simulate", "--until", "0.1")):
        done = run(folder, command, "drive.yaml", *options, "--coupling", "jacobi", "-o", "no.h5", "--force", "-q")
        ok(done.returncode == 0, f"{command} -o", done.stderr)
        done = run(folder, "plot", "no.h5", "-o", "no.html")
        ok(done.returncode == 2 and "costab report" in done.stderr and not pathlib.Path(folder, "no.html").exists(), f"what costab {command} stores is no chart: what page there is instead", done.stderr)
    first = page_of(folder, "again", PLANAR.format(title="Again", a=[0], points=50)).read_bytes()
    ok(first == page_of(folder, "again", PLANAR.format(title="Again", a=[0], points=50)).read_bytes(), "the same results give the same bytes")


def main():
    with tempfile.TemporaryDirectory() as folder:
        large = page_of(folder, "large", PLANAR.format(title="Large", a=[-0.5], points=801))
        ok(large.stat().st_size < 500e3, "a page of 4 x 801 x 801 classes is smaller than 500 kB", large.stat().st_size)
        if "kernels for pages: yes" not in run(folder, "--version").stdout:
            ok(False, "this costab has the kernels for pages", "clang, lld, wasi-libc or libclang-rt-dev-wasm32 was missing")
        elif browser.ready("pages in a browser"):
            planar_classes(folder)
            drive = network_classes(folder)
            chain_classes(folder)
            planar_points(folder, large)
            network_points(folder, drive)
            network_locus(folder, drive)
            hands(large, "a planar chart")
            hands(drive, "a network's chart, in the dark", dark=True)
            without_kernels(drive)
            curves(folder)
            best_names(folder)
            hostile(folder)
            well_formed(drive, "a network's page")
            refusals(folder)
    finish()


main()
