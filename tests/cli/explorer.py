#!/usr/bin/env python3
"""costab plot CHART.h5 -o CHART.html: the pages in a browser, against the program. Prints TAP.

Of planar pages classes are compared by their checksums, over ten million points, and numbers at ten thousand random points with what
classify prints. The page's formulas are other ones than the program's; both are some hundred operations of doubles deep: 1e-11. Of
networks the page has the stored points, numbers in 32 bits."""
import contextlib
import json
import pathlib
import random
import shlex
import subprocess
import tempfile
import zlib

import h5py
import numpy as np

import browser
from browser import data_of, quiet, well_formed
from tap import COSTAB as costab, csv_rows, EFFORT, finish, ok, seed, stride

NEAR, STORED = 1e-11, 1e-7
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
# Areas that a page has soonest.
SMALL = PLANAR.replace("[simulation, cross, zigzag, strong]", "[simulation]").replace("{points}", "9") + "method: euler\n"
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
CRC = """
const table = Uint32Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ n >>> 1 : n >>> 1; return n });
const crc = bytes => { let c = 0xffffffff; for (const b of bytes) c = table[(c ^ b) & 255] ^ c >>> 8; return (c ^ 0xffffffff) >>> 0 };
"""


def run(folder, *arguments):
    return subprocess.run([costab, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=folder)


def page_of(folder, name, spec, *more):
    """The page of a spec's sweep, beside its results."""
    pathlib.Path(folder, f"{name}.yaml").write_text(spec)
    for arguments in (["sweep", f"{name}.yaml", "-o", f"{name}.h5", *more], ["plot", f"{name}.h5", "-o", f"{name}.html"]):
        done = run(folder, *arguments, "--quiet")
        if done.returncode:
            raise RuntimeError(done.stderr)
    return pathlib.Path(folder, f"{name}.html")


def near(a, b, within=NEAR):
    return a == b or abs(a - b) <= within * max(1, abs(a), abs(b))


def together(page, what, *checks):
    """Checks that yield a script and take what it told: one visit for all of them."""
    scripts = [next(check) for check in checks]
    told = quiet(browser.visit(page, "".join(f"{{\n{script}\n}}\ntell('NEXT');" for script in scripts)), what)
    for check in checks:
        end = told.index("NEXT") if "NEXT" in told else len(told)
        part, told = told[:end], told[end + 1:]
        with contextlib.suppress(StopIteration):
            check.send(part)


# ---- The planar kernel

def planar_classes(folder):
    """All points of a chart, with EFFORT=10 of two larger ones."""
    n = 560 if EFFORT >= 10 else 240
    for a in (-0.5, 0.75)[::stride(2)]:
        page = page_of(folder, "planes", PLANAR.format(title="Planes", a=[a], points=n))
        with h5py.File(page.with_suffix(".h5")) as file:
            native = [zlib.crc32(file["class"][s].tobytes()) for s in range(4)]
        told = browser.visit(page, CRC + f"""
for (const scheme of CHOICES) tell(crc(planarGrid(Uint8Array, {n}, {n}, wholeView(), scheme, planarClass)));""")
        told = quiet(told, f"the chart at a = {a}")
        ok(told == [str(n) for n in native], f"4 x {n} x {n} classes at a = {a} are the program's", told, native)


def planar_points(folder, methods):
    draw, wrong, total = random.Random(seed(29)), [], 0
    groups = [(m, n, s) for m in methods for n in ([1, 1], [2, 3], [40, 7]) for s in SCHEMES]
    asked = [[{"a": draw.uniform(-3, 3), "gamma": draw.uniform(-5, 1), "delta": draw.uniform(-2, 12), "scheme": s, "method": m, "substeps": n} for _ in range(50)]
             for m, n, s in groups]
    groups, asked = groups[::stride(11)], asked[::stride(11)]
    told = yield f"for (const group of {json.dumps(asked)}) tell(group.map(asked => window.costab.at(asked)));"
    for (method, substeps, scheme), points, answers in zip(groups, asked, map(json.loads, told)):
        pathlib.Path(folder, "points.csv").write_text("a,gamma,delta\n" + "".join(f"{p['a']!r},{p['gamma']!r},{p['delta']!r}\n" for p in points))
        # 2/3 and 1/4, 3/4 are Ralston's
        done = run(folder, "classify", "--points", "points.csv", "--scheme", scheme, "--method", "ralston" if method == "tableau" else method, "--substeps",
                   ",".join(map(str, substeps[:1] if scheme == "simulation" else substeps)), "-f", "csv")
        for point, answer, row in zip(points, answers, csv_rows(done.stdout)):
            total += 1
            same = row["class"] == answer["class"] and row["cause"].split("+") == (answer["cause"] or [""]) and answer["point"]["a"] == point["a"] and \
                all(near(float(row[n]), answer[n]) for n in ("trace", "determinant", "spectral_radius")) and \
                (answer["iteration_radius"] is None if row["iteration_radius"] == "" else near(float(row["iteration_radius"]), answer["iteration_radius"]))
            wrong += [] if same else [(point, answer, row)]
    ok(len(told) == len(groups) and total > 40 * len(groups) and not wrong, f"{total} random points have classify's class, cause, trace, determinant and radii, {methods[0]} and others", len(told), *wrong[:3])


def planar_histories(folder):
    """Of systems with bc = ad - delta, from (1, 0): the first state at 24 macro steps, and the exact one at every third."""
    wrong, total, script, stored = [], 0, "", []
    for (a, b, c, d), method, substeps in (((-0.5, 1.5, -2, -1.2), "rk4", [1, 1]), ((0.3, 2, -1, -0.8), "radau2", [2, 3]), ((-1, 0.5, 0.7, -2), "exact", [1, 1]),
                                           ((-1, 1, 0, -1), "heun", [1, 1])):
        schemes = SCHEMES if substeps[0] == substeps[1] else SCHEMES[1:]
        pathlib.Path(folder, "history.yaml").write_text(f"{{title: Two, system: planar, schemes: {schemes}, method: {method}, substeps: {substeps}, "
                                                        f"history: [{{title: one, matrix: [{a}, {b}, {c}, {d}], h: 1, x0: [1, 0], until: 24}}]}}")
        run(folder, "sweep", "history.yaml", "-o", "history.h5", "--force")
        script += (f"Object.assign(S, {{ method: {json.dumps(method)}, substeps: {substeps} }}); S.values.a = {a};"
                   f"for (const scheme of {schemes}) {{ S.choice = scheme; tell(planarHistory({{ gamma: {a + d!r}, delta: {a * d - b * c!r} }}, 24, 4)); }}\n")
        with h5py.File(pathlib.Path(folder, "history.h5")) as file:
            exact = file["exact_state"][0, ::250, 0]
            stored += [(scheme, method, native, exact) for scheme, native in zip(schemes, file["state"][:, 0, :, 0])]
    told = yield script
    for (scheme, method, native, exact), found in zip(stored, map(json.loads, told)):
        total += native.size + exact.size
        pairs = [*zip(native, found["states"], strict=True), *zip(exact, found["exact"][::12], strict=True)]
        wrong += [(scheme, method, theirs, ours) for theirs, ours in pairs if not near(theirs, ours, 1e-9)]
    ok(total == 15 * (25 + 9) and not wrong, "histories are those that the program stores", total, wrong[:4])


def planar_locus(folder):
    """Along a, the eigenvalues have the trace and the determinant of the point there."""
    told = yield ("pin([-1.75, 5.5]); const place = { a: 0, gamma: -1.75, delta: 5.5 }; locusName = 'a'; const way = locusThrough(place); tell(way.length);"
                  "for (const i of [0, 120, 240]) tell({ a: placeIn(axisOf('a'), axisOf('a').low, axisOf('a').high, 241, i), values: way.slice(2 * i, 2 * i + 2), scheme: S.choice });")
    wrong = []
    for row in map(json.loads, told[1:]):
        printed = csv_rows(run(folder, "classify", f"--a={row['a']!r}", "--gamma=-1.75", "--delta=5.5", "--scheme", row["scheme"], "-f", "csv").stdout)[0]
        first, second = (complex(*z) for z in row["values"])
        wrong += [] if near(float(printed["trace"]), (first + second).real) and near(float(printed["determinant"]), (first * second).real) else [(row, printed)]
    ok(told[0] == "482" and len(told) == 4 and not wrong, "eigenvalues go along a as classify has them", told[0], wrong)


def pinned_tableau(folder):
    """The command of a pinned point names a tableau by its entries."""
    told = yield "pin([-1.75, 5.5]); tell(byId('pinned').querySelector('code').textContent, pointAt(placeOf(S.pin)).spectral_radius);"
    line, radius = told[0].rsplit(" ", 1)
    done = run(folder, *shlex.split(line)[1:], "-f", "csv")
    ok(done.returncode == 0 and near(float(csv_rows(done.stdout)[0]["spectral_radius"]), float(radius)), "the command of a point has the tableau", line, done.stdout, done.stderr)


# ---- Stored points of a network

def network_points(folder):
    axes = {"k": np.linspace(5, 200, 25), "H": np.linspace(0.001, 0.3, 25), "J2": np.array([0.3, 0.5, 0.9])}
    page = page_of(folder, "drive", DRIVE + "axes: {k: {from: 5, to: 200, points: 25}, H: {from: 0.001, to: 0.3, points: 25}, J2: [0.3, 0.5, 0.9]}\nfields: [class, spectral_radius]\n", "--set", "J1=0.12")
    draw, wrong = random.Random(seed(30)), []
    asked = [{**{name: draw.uniform(values[0], 0.97 * values[-1]) for name, values in axes.items()}, "coupling": c} for _ in range(100) for c in ("jacobi", "zig-zag", "loop", "smooth")]
    told = quiet(browser.visit(page, f"tell(byId('live').textContent); for (const asked of {json.dumps(asked)}) tell(window.costab.at(asked));"
                               "pin([50, 0.05]); tell(byId('pinned').querySelector('code').textContent);"
                               "S.view = [-195, 400, -0.3, 0.6]; drawNow(); const step = (xOf(200) - xOf(5)) / 24, along = lines[0].parts.flatMap(part => part.filter((_, k) => k % 2 === 0));"
                               "tell(along.length > 30, along.filter(x => Math.abs(x - xOf(5) + step / 2) < 1.5 || Math.abs(x - xOf(200) - step / 2) < 1.5).length);"),
                 "random points of the network, and a pinned one")
    found, at_ends = told.pop().split()
    command = told.pop()
    ok(found == "true" and int(at_ends) < 10, "the line where stability is lost does not follow the ends of the grid", at_ends)
    ok(told[0] == "The stored grid is shown.", "it says that it shows the stored grid", told[0])
    with h5py.File(page.with_suffix(".h5")) as file:
        couplings = [name.decode() if isinstance(name, bytes) else name for name in file["coupling"][:]]
        codes, radii = file["class"][:], file["spectral_radius"][:]
    names = {0: "UU", 1: "US", 2: "SU", 3: "SS"}
    index = lambda name, value: int(abs(axes[name] - value).argmin())
    for values, answer in zip(asked, map(json.loads, told[1:])):
        at = (couplings.index(values["coupling"]), *(index(name, values[name]) for name in axes))
        of = (at[0], *(index(name, answer["points"]["spectral_radius"][name]) for name in axes))
        same = answer["class"] == names[int(codes[at])] and all(abs(answer["point"][name] - axes[name][i]) < 1e-12 for name, i in zip(axes, at[1:])) and \
            near(answer["spectral_radius"], radii[of], STORED) and all(abs(o - i) <= 8 for o, i in zip(of, at))
        wrong += [] if same else [(values, answer)]
    ok(len(told) == 401 and not wrong, "400 random points are answered with the class of the nearest stored point, and with the radius of the nearest one that the page has", *wrong[:2])
    done = run(folder, *command.split()[1:], "-f", "json")
    ok(done.returncode == 0 and "--set k=50 " in command and "--set J1=0.12 " in command and json.loads(done.stdout), "it prints the command that computes more", command, done.stderr)
    return page


# ---- What a reader does

HANDS = CRC + """
const [w, h] = inner(), box = plot.getBoundingClientRect(), key = (name, shiftKey = false) => plot.dispatchEvent(new KeyboardEvent("keydown", { key: name, shiftKey, bubbles: true, cancelable: true }));
const point = (type, x, y) => plot.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y, bubbles: true, pointerId: 1, pointerType: "mouse" }));
plot.setPointerCapture = () => 0;
let same = 0;
for (let k = 0; k < 40; k++) {
  point("pointermove", frame.left + w * (k + 0.5) / 40, frame.top + h * ((7 * k) % 40 + 0.5) / 40);
  const answer = window.costab.at(placeOf(S.at));
  same += byId("readout").querySelector(".class").textContent.startsWith(answer.class + ":") && byId("readout").textContent.includes(shown(answer.spectral_radius, isComputed ? 7 : 5));
}
tell("hover", same);
plot.focus();
const before = S.at.slice();
key("ArrowRight"); key("ArrowUp", true);
tell("keys move", S.at[0] > before[0] && S.at[1] > before[1], byId("say").textContent.includes(window.costab.at(placeOf(S.at)).class));
key("Enter");
tell("pinned", S.pin !== null && byId("pinned").textContent.includes("costab "), byId("pinned").querySelectorAll("svg").length > 1 === isComputed);
key("Escape");
tell("unpinned", S.pin === null);
key("2");
tell("choice", S.choice === CHOICES[1], document.querySelector("input[name=choice]:checked").value === CHOICES[1]);
refresh();
const first = crc(grid.classes), view = S.view.slice();
key("+"); refresh();
tell("zoom", S.view[1] - S.view[0] < view[1] - view[0], crc(grid.classes) !== first);
key("0"); refresh();
tell("home", crc(grid.classes) === first);
point("pointerdown", frame.left + 0.2 * w, frame.top + 0.3 * h); point("pointermove", frame.left + 0.6 * w, frame.top + 0.8 * h); point("pointerup", frame.left + 0.6 * w, frame.top + 0.8 * h);
tell("frame", Math.abs((S.view[1] - S.view[0]) / (view[1] - view[0]) - 0.4) < 0.01);
S.view = wholeView(); refresh();
plot.dispatchEvent(new WheelEvent("wheel", { clientX: box.left + frame.left + w / 2, clientY: box.top + frame.top + h / 2, deltaY: -200, bubbles: true, cancelable: true }));
tell("wheel", Math.abs((S.view[1] - S.view[0]) / (view[1] - view[0]) - Math.exp(-0.5)) < 1e-9);
S.view = wholeView();
const finger = (type, pointerId, x) => plot.dispatchEvent(new PointerEvent(type, { clientX: box.left + frame.left + x * w, clientY: box.top + frame.top + h / 2, bubbles: true, pointerId, pointerType: "touch" }));
finger("pointerdown", 7, 0.4); finger("pointerdown", 8, 0.6); finger("pointermove", 7, 0.3); finger("pointermove", 8, 0.7); finger("pointerup", 7, 0.3); finger("pointerup", 8, 0.7);
tell("pinch", Math.abs((S.view[1] - S.view[0]) / (view[1] - view[0]) - 0.5) < 0.01, S.pin === null);
S.view = wholeView(); refresh();
const edge = lines.filter(l => l.colour === "--ink").flatMap(l => l.parts), changes = edge.flatMap(part => part.length > 20 ? [part[2 * Math.floor(part.length / 4)], part[2 * Math.floor(part.length / 4) + 1]] : []);
let beside = 0;
for (let k = 0; k < changes.length; k += 2) beside += new Set([[-3, 0], [3, 0], [0, -3], [0, 3]].map(([dx, dy]) => classAt(placeOf(pointOf([changes[k] + dx, changes[k + 1] + dy]))))).size > 1;
tell("lines", changes.length > 0, isPlanar || beside === changes.length / 2);
const shade0 = ink.getImageData(Math.round((frame.left + 3) * frame.scale), Math.round((frame.top + 3) * frame.scale), 8, 8).data.join();
dispatchEvent(new Event("beforeprint"));
const paper = ink.getImageData(Math.round((frame.left + 3) * frame.scale), Math.round((frame.top + 3) * frame.scale), 8, 8).data;
tell("paper", paper.filter((_, k) => k % 4 < 3).reduce((sum, v) => sum + v, 0) / 192 > 140, (paper.join() !== shade0) === isDark.matches);
dispatchEvent(new Event("afterprint"));
const colours = document.querySelector("select[aria-label=Colours]");
colours.value = "spectral_radius"; colours.dispatchEvent(new Event("change")); refresh();
tell("field", byId("key").textContent.startsWith("ρ: "), lines.some(l => l.level === 1), fragment().includes("field=spectral_radius"));
colours.value = ""; colours.dispatchEvent(new Event("change")); refresh();
const range = document.querySelector(".slider input[type=range]");
range.value = 30; range.dispatchEvent(new Event("input")); refresh();
tell("slider", crc(grid.classes) !== first);
tell("svg", new DOMParser().parseFromString(svgText(), "image/svg+xml").querySelectorAll("parsererror").length === 0 && svgText().length > 5000);
const link = fragment();
location.hash = "#scheme=nonsense&view=3,1,x,2&pin=1"; await pause(100);
tell("bad fragment", fragment() === link);
"""
EXPECTED = ["hover 40", "keys move true true", "pinned true true", "unpinned true", "choice true true", "zoom true true", "home true", "frame true", "wheel true", "pinch true true", "lines true true", "paper true true", "field true true true", "slider true",
            "svg true", "bad fragment true", *browser.RULES_TOLD]


PNG = """const colours = document.querySelector("select[aria-label=Colours]"), [w, h] = inner();
colours.value = "spectral_radius"; colours.dispatchEvent(new Event("change")); refresh();
const made = [], create = URL.createObjectURL;
URL.createObjectURL = blob => { made.push(blob); return create.call(URL, blob); };
HTMLAnchorElement.prototype.click = () => 0;
savePng("view");
while (made.length < 2) await pause(20);
const bitmap = await createImageBitmap(made[1]), tones = new Set();
const twice = Object.assign(document.createElement("canvas"), { width: bitmap.width, height: bitmap.height }).getContext("2d");
twice.drawImage(bitmap, 0, 0);
for (let k = 0; k < 100; k++) tones.add(twice.getImageData(2 * frame.left + 20 * k % (2 * w), 2 * frame.top + 2 * h * k / 100, 1, 1).data.join());
tell("png", made.map(blob => blob.type).join(" "), tones.size > 10);
"""


def saved():
    told = yield PNG
    ok(told == ["png image/svg+xml image/png true"], "a planar page saves its view as a picture with the field in it", *told)


def hands(page, what, dark=False):
    browser.expect(quiet(browser.visit(page, HANDS + browser.rules(page), dark=dark), f"a reader's hands on {what}"), EXPECTED, what)


# ---- Curves, best couplings

def curves(folder):
    page = page_of(folder, "curve", DRIVE + "axes: {H: {from: 0.001, to: 0.1, points: 51}}\nfields: [spectral_radius, decay]\n")
    with h5py.File(page.with_suffix(".h5")) as file:
        radius, H = file["spectral_radius"][1], file["H"][:]
    told = quiet(browser.visit(page, CRC + f"tell(curveFields().map(f => f.name).join()); tell(curveOf('zig-zag').length, lines.length); for (const H of {json.dumps(list(H))}) tell(storedAt('spectral_radius', {{ H }}, 'zig-zag'), "
                               "window.costab.at({ H, coupling: 'zig-zag' }).spectral_radius);"), "a page of curves")
    ok(told.pop(0) == "spectral_radius,decay", "curves are of numbers and classes", *told[:1])
    pairs = [tuple(map(float, line.split())) for line in told[1:]]
    ok(told[0] == "51 5" and len(pairs) == 51 and all(abs(a - r) < STORED * r and a == b for (a, b), r in zip(pairs, radius)),
       "curves have the stored values to 32 bits", told[:3])


def best_names(folder):
    axes = "axes: {k: {from: 5, to: 500, points: 9, spacing: log}, kd: {from: 0.2, to: 9, points: 7, spacing: log}}\n"
    page = page_of(folder, "best", DRIVE + axes + "best: {over: H, range: [0.001, 0.3]}\nfields: [class, best, best_step]\n")
    with h5py.File(page.with_suffix(".h5")) as file:
        codes, k, kd = file["best"][:], file["k"][:], file["kd"][:]
        names = [name.decode() if isinstance(name, bytes) else name for name in file["coupling"][:]]
    told = quiet(browser.visit(page, CRC + f"for (const k of {json.dumps(list(k))}) for (const kd of {json.dumps(list(kd))}) tell(bestText({{ k, kd }}));"
                               "tell(svgText().includes('class-failed'), svgText().includes('class-best-')); const drawn = bestGrid(9, 7); tell(S.field, grid.classes.length, byId('key').textContent); for (const code of drawn) tell(code < TIE ? code - BEST : code - TIE, code >= TIE);"),
                 "a page of best couplings")
    expected = [names[list(codes[:, i, j]).index(1)] for i in range(len(k)) for j in range(len(kd))]
    drawn, told = told[len(expected):], told[:len(expected)]
    ok(drawn.pop(0) == "false true", "a saved picture shows them", drawn[:2])
    ties = [any(codes[:, i, j] == 2) for i in range(len(k)) for j in range(len(kd))]
    ok(drawn[0].startswith("best ") and all(name in drawn[0] for name in expected) and
       drawn[1:] == [f"{names.index(name)} {str(tie).lower()}" for name, tie in zip(expected, ties)], "and drawn as its region, hatched where another one ties", drawn[:5])
    ok([line.split(",")[0] for line in told] == expected and len(set(expected)) > 1, "the best coupling is named at every point", told[:5], expected[:5])


# ---- Texts of strangers, HTML, refusals

HOSTILE = ["</script><script>window.ran = 1</script>", "<img src=x onerror=window.ran=1>", "${window.ran=1}", "--><b>", "\" onload=\"x", "'\\u003c", "`", "&lt;",
           "\u2028\u2029", "]]>", "<!--<script>", "\\"]


def hostile(folder):
    page = page_of(folder, "hostile", SMALL.format(title=json.dumps(" ".join(HOSTILE)), a=[0]))
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
    done = run(folder, "plot", "hostile.h5", "-o", "mine.html")
    ok(done.returncode == 2 and pathlib.Path(folder, "mine.html").read_text() == "<p>mine", "a page of somebody else's is not replaced", done.stderr)
    pathlib.Path(folder, "time.yaml").write_text("{title: Two, system: planar, schemes: [cross], history: [{title: one, matrix: [-1, 2, -2, -1], h: 0.1, x0: [1, 0], until: 3}]}\n")
    run(folder, "sweep", "time.yaml", "-o", "time.h5")
    done = run(folder, "plot", "time.h5", "-o", "time.html")
    ok(done.returncode == 2 and "costab report" in done.stderr and not pathlib.Path(folder, "time.html").exists(),
       "results without a chart: what page there is instead", done.stderr)
    pathlib.Path(folder, "drive.yaml").write_text(DRIVE)
    for command, *options in (("map",), ("limit", "--over", "H=0.005:0.02"), ("margin", "--parameters", "k"), ("pattern", "--steps", "0.005,0.01"), ("simulate", "--until", "0.1")):
        done = run(folder, command, "drive.yaml", *options, "--coupling", "jacobi", "-o", "no.h5", "--force", "-q")
        ok(done.returncode == 0, f"{command} -o", done.stderr)
        done = run(folder, "plot", "no.h5", "-o", "no.html")
        ok(done.returncode == 2 and "costab report" in done.stderr and not pathlib.Path(folder, "no.html").exists(), f"what costab {command} stores is no chart: what page there is instead", done.stderr)
    for name, k in (("one", 50), ("two", 60)):
        run(folder, "sweep", "drive.yaml", "--axis", "H=0.01:0.1:5", "--axis", "J2=0.1:1:5", "--set", f"k={k}", "-o", f"{name}.h5", "--force", "-q")
    run(folder, "compare", "one.h5", "two.h5", "-o", "difference.h5")
    done = run(folder, "plot", "difference.h5", "-o", "difference.html")
    ok(done.returncode == 2 and "no classes or numbers" in done.stderr and not pathlib.Path(folder, "difference.html").exists(), "a comparison has no page", done.stderr)
    first, second = (page_of(folder, "again", SMALL.format(title="Again", a=[0])).read_bytes() for _ in range(2))
    ok(first == second, "the same results give the same bytes")


def main():
    with tempfile.TemporaryDirectory() as folder:
        large = page_of(folder, "large", PLANAR.format(title="Large", a=[-0.5], points=801))
        ok(large.stat().st_size < 500e3, "a page of 4 x 801 x 801 classes is smaller than 500 kB", large.stat().st_size)
        if browser.ready("pages in a browser"):
            planar_classes(folder)
            methods = [m["name"] for m in data_of(large)["planar"]["methods"]]
            together(large, "a planar page", saved(), planar_points(folder, methods), planar_locus(folder), planar_histories(folder))
            tableau = page_of(folder, "tableau", PLANAR.format(title="Own", a=[0], points=9) + "method: {A: [[0, 0], [2/3, 0]], b: [1/4, 3/4]}\n")
            together(tableau, "a page with a tableau", planar_points(folder, ["tableau"]), pinned_tableau(folder))
            drive = network_points(folder)
            hands(large, "a planar chart")
            hands(drive, "a network's chart, in the dark", dark=True)
            curves(folder)
            best_names(folder)
            hostile(folder)
            well_formed(drive, "a network's page")
            browser.guarded(large, "a planar page", images=True)
            refusals(folder)
    finish()


main()
