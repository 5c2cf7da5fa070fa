#!/usr/bin/env python3
"""axe-core finds nothing wrong with the accessibility of a report and of explorers, in both palettes. It comes from npm; where that is
missing or has no network nothing is counted. Prints TAP."""
import pathlib
import subprocess

import browser
from tap import ROOT, costab, finish, ok, skip, workplace

ASK = """
for (const details of document.querySelectorAll("details")) details.open = true;
const found = await axe.run(document, { resultTypes: ["violations"] });
tell(found.passes.length > 10, found.violations.map(v => `${v.id}: ${v.nodes.length}, ${v.nodes[0].target}, ${v.nodes[0].failureSummary.replace(/\\s+/g, " ")}`).join("; "));
"""
CHART = "title: A chart\nsystem: planar\nschemes: [cross, zigzag]\naxes: {a: [-1, 0, 1], gamma: {from: -5, to: 1, points: 50}, delta: {from: -2, to: 12, points: 50}}\nfields: [class]\n"


def axe():
    try:
        done = subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "axe-core@4"], capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return pathlib.Path("node_modules/axe-core/axe.min.js").read_text() if done.returncode == 0 else None


def pages():
    drive = ROOT / "sweeps/findings/models/drive.yaml"
    pathlib.Path("chart.yaml").write_text(CHART)
    for arguments in (("report", drive, "--until", "1", "--over", "H=0.005:0.1", "-o", "report.html"), ("sweep", "chart.yaml"), ("plot", "chart.h5", "-o", "chart.html"),
                      ("sweep", drive, "--axis", "k=20:100:20", "--axis", "H=0.005:0.05:20", "-o", "drive.h5"), ("plot", "drive.h5", "-o", "drive.html")):
        done = costab(*arguments, "-q")
        ok(done.returncode == 0, " ".join(map(str, arguments)), done.stderr)
    return "report.html", "chart.html", "drive.html"


def main():
    with workplace():
        script = axe() if browser.chromium() else None
        if script is None:
            skip("axe-core", "npm, its registry or Chromium is missing")
        else:
            for page in pages():
                for dark in (False, True):
                    told = browser.quiet(browser.visit(page, ASK, dark=dark, tool=script.replace("</script", "<\\/script")), page)
                    ok(told == ["true "], f"axe-core and {page}, {'dark' if dark else 'light'}", told)
    finish()


main()
