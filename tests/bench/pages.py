"""Pages in a headless Chromium beside the program, in one run: sizes, seconds to make and to open, frames per second while a slider moves,
points per second of one thread. Usage: pages.py COSTAB."""
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
COSTAB, ROUNDS = sys.argv[1], 3
PLANAR = "title: Planar\nsystem: planar\nschemes: [cross]\naxes: {{a: [-0.5], gamma: {{from: -5, to: 1, points: {n}}}, delta: {{from: -2, to: 12, points: {n}}}}}\nfields: [class]\n"


def opened(browser, page):
    """Seconds from the start of the navigation until the page has drawn."""
    browser.open(page)
    return browser.run("await window.costab?.ready; const n = performance.getEntriesByType('navigation')[0]; return (window.costab ? performance.now() : n.loadEventEnd) / 1000")


def seconds(*command, cwd):
    begin = time.perf_counter()
    subprocess.run([COSTAB, *map(str, command)], cwd=cwd, check=True, capture_output=True)
    return time.perf_counter() - begin


def page(folder, name, spec):
    """The page of a spec, how long it takes to make of its results, and points per second of the sweep on one thread."""
    pathlib.Path(folder, f"{name}.yaml").write_text(spec)
    swept = min(seconds("sweep", f"{name}.yaml", "-o", f"{name}.h5", "-t", "1", "--force", "-q", cwd=folder) for _ in range(ROUNDS))
    made = min(seconds("plot", f"{name}.h5", "-o", f"{name}.html", "--force", "-q", cwd=folder) for _ in range(ROUNDS))
    return pathlib.Path(folder, f"{name}.html"), made, swept


RATE = """const time = act => { let best = Infinity; for (let k = 0; k < 3; k++) { const t = performance.now(); act(); best = Math.min(best, performance.now() - t); } return best / 1000; };
const slider = document.querySelector("#sliders input[type=range]");
const frames = await new Promise(done => { let k = 0, began = 0; const next = () => { if (k === 0) began = performance.now(); if (k === 60) return done(60000 / (performance.now() - began));
  slider.value = 300 + 5 * k++; slider.dispatchEvent(new Event("input")); requestAnimationFrame(next); }; requestAnimationFrame(next); });
"""


with tempfile.TemporaryDirectory() as folder:
    browser = Browser(folder)
    for model, *options in (("sweeps/findings/models/drive.yaml", "--over", "H=0.0005:0.5", "--error", "1e-3", "--until", "2"), ("sweeps/quarter-car/models/quarter-car.yaml",)):
        report = pathlib.Path(folder, "report.html")
        made = min(seconds("report", ROOT / model, *options, "-o", report, "--force", "-q", cwd=folder) for _ in range(ROUNDS))
        print(f"report of {model}: {report.stat().st_size / 1e3:.0f} kB, made in {made:.2f} s, open in {min(opened(browser, report) for _ in range(ROUNDS)):.2f} s")
    n, rows = 4001, 250
    file, made, swept = page(folder, "planar", PLANAR.format(n=n))
    drawn_after = min(opened(browser, file) for _ in range(ROUNDS))
    frames, drawn, classes = browser.run(RATE + f"return [frames, 1000 * time(refresh), time(() => planarGrid(Uint8Array, {rows}, {n}, wholeView(), 'cross', planarClass))];")
    print(f"planar: {file.stat().st_size / 1e3:.0f} kB, made in {made:.2f} s, open in {drawn_after:.2f} s, {frames:.0f} frames per second while a slider moves ({drawn:.1f} ms of scripts each); "
          f"page {rows * n / classes / 1e6:.3g} million points per second, program {n * n / swept / 1e6:.3g} million on one thread with its file")
    browser.close()
