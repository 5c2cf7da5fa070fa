#!/usr/bin/env python3
"""docs/python.md, step by step, with Octave's own load. Prints TAP."""
import pathlib
import re
import shutil
import subprocess
import sys

from tap import ROOT, costab, finish, ok, workplace

if shutil.which("octave-cli") is None:
    print("1..0 # SKIP octave-cli is not installed")
    sys.exit(0)
import h5py

page = (ROOT / "docs/python.md").read_text().split("## Octave")[1]
spec = next(block for block in re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/planar.md").read_text(), re.S) if "system: planar" in block)
with workplace():
    pathlib.Path("zigzag.yaml").write_text(spec)
    for command in re.findall(r"^    costab (.*)$", page, re.M):
        done = costab(*command.split("#")[0].split())
        ok(done.returncode == 0, f"costab {command}", done.stderr)
    with h5py.File("zigzag.h5") as file:
        classes = file["class"][0, 1]
    expected = f"stable both ways: {(classes == 3).sum()} of {classes.size} points"
    for number, block in enumerate(re.findall(r"```octave\n(.*?)```", page, re.S)):
        name = f"block{number}.m"
        pathlib.Path(name).write_text("1;\n" + block)
        done = subprocess.run(["octave-cli", "--no-init-file", "--quiet", name], capture_output=True, text=True, timeout=600)
        ok(expected in done.stdout.splitlines(), f"block {number + 1}: Octave counts the same points", done.stdout, done.stderr)
        sizes = re.search(r"size\(s\.class\)\s*# ([\d ]+):", block).group(1).split()
        ok(sizes == done.stdout.split("ans =")[1].split()[:len(sizes)], f"block {number + 1}: the sizes are those of the page", done.stdout)
    ok(pathlib.Path("zigzag-octave.png").stat().st_size > 5000, "the chart is drawn")
finish()
