#!/usr/bin/env python3
"""The documentation's examples, run as they stand: commands with their printed output, specs, and every command that a
source's README names as evidence. Prints TAP."""
import csv
import io
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import systems  # noqa: E402
from tap import COSTAB as costab, ROOT as root, finish, ok  # noqa: E402


def run(command, folder):
    words = [costab if w == "costab" else w for w in shlex.split(command, comments=True)]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)


def rows(command, folder):
    return list(csv.DictReader(io.StringIO(run(command, folder).stdout)))


readme = (root / "README.md").read_text()
with tempfile.TemporaryDirectory() as folder:
    # the FMUs that it names
    (pathlib.Path(folder) / "mass.fmu").write_bytes(systems.fmu("mass-2").read_bytes())
    systems.pack(f"{folder}/two-masses.ssp", systems.two("any", a=systems.inline(m=1.5, k=12, x=0, steps=10), b=systems.inline(steps=10)))
    # the specs, under the names that the commands use
    blocks = re.findall(r"```yaml\n(.*?)```", readme, re.S)
    for name, key in (("zigzag.yaml", "system: planar"), ("drive.yaml", "system: network")):
        found = [block for block in blocks if key in block]
        ok(len(found) == 1, f"README: one spec with {key}")
        (pathlib.Path(folder) / name).write_text(found[0])
    for command in ("costab sweep zigzag.yaml", "costab plot --script-only zigzag.h5", "costab info zigzag.h5",
                    *(f"{c} --script-only" for c in re.findall(r"^    (costab plot zigzag.h5 --.*)$", readme, re.M))):
        done = run(command, folder)
        ok(done.returncode == 0, f"README: {command}", done.stderr)

    sliced = re.findall(r"^    (costab (?:sweep zigzag.yaml --slice|merge) .*)$", readme, re.M)
    serial = (pathlib.Path(folder) / "zigzag.h5").read_bytes()
    (pathlib.Path(folder) / "zigzag.h5").unlink()
    for command in sliced:
        done = run(command, folder)
        ok(done.returncode == 0, f"README: {command}", done.stderr)
    ok(len(sliced) == 3 and (pathlib.Path(folder) / "zigzag.h5").read_bytes() == serial, "README: slices merge into the same file")

    # "$ command" blocks: the lines below the command are its output, numbers to 10 digits. Bounds of rounding, which are as
    # small as it is, are not digits.
    def shortened(text):
        def digits(m):
            return f"{float(m.group()):.10g}" if abs(float(m.group())) > 1e-13 else "0"
        return re.sub(r"-?\d+\.\d{6,}(e-?\d+)?", digits, text).splitlines()

    def check_blocks(page, text, folder):
        for block in re.findall(r"(?:^    .*\n)+", text, re.M):
            lines = [line[4:] for line in block.splitlines()]
            if lines[0].startswith("$ costab "):
                done = run(lines[0][2:], folder)
                ok(shortened(done.stdout) == shortened("\n".join(lines[1:])), f"{page}: {lines[0]}", done.stdout, done.stderr)

    check_blocks("README", readme, folder)

    # other indented commands of the planar part
    for command in re.findall(r"^    (costab (?:area|boundary|critical|reproduce|map|limit|margin|advise|simulate|bound) .*)$", readme, re.M):
        done = run(command, folder)
        ok(done.returncode == 0 and len(done.stdout.splitlines()) > 1, f"README: {command}", done.stderr)

    for program in re.findall(r"```c\n(.*?)```", readme, re.S):
        compiler = shlex.split(os.environ.get("CC", "gcc"))
        done = subprocess.run([*compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{root}/include", "-xc", "-"],
                              input=program, capture_output=True, text=True)
        ok(done.returncode == 0, "README: the C program compiles", done.stderr)

    # every command that the pages of a folder of specs name
    for source in sorted({page.parent for page in root.glob("sweeps/*/*.md")}):
        pages = {page: page.read_text() for page in sorted(source.glob("*.md"))}
        for page, text in pages.items():
            check_blocks(f"{source.name}/{page.name}", text, root)
            for command in re.findall(r"`(costab [^`]*)`", text) + re.findall(r"^    (costab .*)$", text, re.M):
                done = run(re.sub(r"\s+", " ", command), root)
                ok(done.returncode == 0, f"{source.name}: {command}", done.stderr)
        named = set(re.findall(r"`([\w-]+\.yaml)`", "".join(pages.values())))
        ok(all((source / name).exists() for name in named), f"{source.name}: every spec that is named is there", named)
        present = {p.name for p in source.glob("*.yaml") if "system: planar" in p.read_text()}
        ok(present <= named, f"{source.name}: every planar spec is named", present - named)

    # sweeps/FORMAT.md knows every key: a text where a mapping is wanted is answered with its keys
    reference = (root / "sweeps/FORMAT.md").read_text()
    planar = "system: planar\nschemes: [cross]\naxes: {a: 0, gamma: [-1, 0], delta: [0, 1]}\n"
    part = "{name: p, A: [[-1]], B: [[1]], C: [[1]], inputs: [u], outputs: [y]}"
    network = f"system: network\nparameters: {{H: 1}}\nsubsystems: [{part}]\n"
    probes = {
        "planar": "system: planar\nkey: 1\n", "planar figure": planar + "figure: x\n",
        "planar axes": "system: planar\nschemes: [cross]\naxes: x\n", "planar history": "system: planar\nschemes: [cross]\nhistory: x\n",
        "tableau": planar + "method: {X: 1}\n", "range": planar.replace("[-1, 0]", "{key: 1}"),
        "network": network + "key: 1\n", "subsystem": network.replace(part, "x"), "connection": network + "connections: [x]\n",
        "coupling": network + "coupling: x\n", "refine": network + "refine: {key: 1}\n", "network history": network + "history: x\n",
        "network figure": network + "figure: x\n", "matrix": network.replace("[[-1]]", "{key: 1}"),
    }
    for what, spec in probes.items():
        (pathlib.Path(folder) / "probe.yaml").write_text(spec)
        said = run("costab sweep probe.yaml", folder).stderr
        keys = [k for m in re.findall(r"(?:with the keys|the keys here are) ((?:\w+, )*\w+(?: and \w+)?)", said) for k in re.split(r", | and ", m)]
        keys += re.findall(r"the key '(\w+)' is missing", said)
        missing = [k for k in keys if not any(re.search(rf"\b{k}\b", code) for code in re.findall(r"`([^`]*)`", reference))]
        ok(len(keys) > 0 and not missing, f"sweeps/FORMAT.md knows the keys of a {what}", missing, said)

    # the gallery shows every spec once, and nothing else
    gallery = (root / "sweeps/README.md").read_text()
    specs = sorted(p.relative_to(root / "sweeps").with_suffix("").as_posix() for p in root.glob("sweeps/*/*.yaml"))
    shown = re.findall(r"!\[([\w-]+)\]\(\.\./(results/gallery/[\w-]+\.png)\) \| \[\1\]\(([\w-]+)/\1\.yaml\) \S", gallery)
    # and what commands make of models, not of specs
    of_models = {f"results/gallery/{source}-{name}.png" for name, source in
                 re.findall(r"!\[([\w-]+)\]\(\.\./results/gallery/[\w-]+\.png\) \| \[\1\]\(([\w-]+)/(?!\1\.yaml)[\w/-]+\.yaml\) \S", gallery)}
    ok(sorted(f"{source}/{name}" for name, _, source in shown) == specs, "the gallery names every spec once",
       set(specs) ^ {f"{source}/{name}" for name, _, source in shown})
    pictures = {picture for _, picture, _ in shown}
    ok(all(picture == f"results/gallery/{source}-{name}.png" for name, picture, source in shown) and
       pictures == {p.relative_to(root).as_posix() for p in root.glob("results/gallery/*")} - of_models,
       "the gallery has a picture of each, and no other")

    def pixels(picture):
        return struct.unpack(">II", (root / picture).read_bytes()[16:24])

    # a picture is as large as its figure is now
    for name, picture, source in shown:
        spec = root / f"sweeps/{source}/{name}.yaml"
        if re.search(r"size: \[([\d.]+)cm, *([\d.]+)cm\]", spec.read_text()) is None:
            continue
        size = re.search(r"size: \[([\d.]+)cm, *([\d.]+)cm\]", spec.read_text()).groups()
        ok(pixels(picture) == tuple(int(float(cm) / 2.54 * 130 + 0.5) for cm in size),
           f"the picture of {source}/{name} has the figure's size", pixels(picture), size)

    # what sweeps/kns2014/README.md says of them
    def near(x, y, digits):
        return abs(float(x) - y) <= 0.51 * 10**-digits

    (r,) = rows("costab classify --a 0 --gamma -2.785293563405282 --delta 0 --scheme simulation", folder)
    ok(near(r["trace"], 2, 12) and near(r["determinant"], 1, 12), "kns2014: both boundaries pass through (p, 0)", r)
    r = rows("costab area --a 0 --scheme simulation", folder)[0]
    ss, us = float(r["area_ss"]), float(r["area_us"])
    ok(near(us / (ss + us), 0.0579, 4) and near(us / (ss - us), 0.0654, 4), "kns2014: the share of misleading results", r)
    r = rows("costab area --a -3 --scheme cross", folder)[0]
    ok(float(r["area_ss"]) == 0 and near(r["area_us"], 8.885, 3), "kns2014: cross at a = -3", r)
    (r,) = rows("costab classify --a 1 --gamma 2 --delta 1 --scheme cross", folder)
    ok(near(r["trace"], 65 / 12, 12), "kns2014: the trace of cross coupling of two uncoupled halves", r)
    (r,) = rows("costab classify --a 0.5 --gamma 0.001 --delta 2 --scheme strong", folder)
    ok(r["class"] == "US", "kns2014: strong coupling has US points", r)
    r = rows("costab area --a 0.5 --scheme strong", folder)[0]
    ok(near(r["area_us"], 0.00489, 5), "kns2014: strong coupling's sliver", r)
    found = {r["scheme"]: float(r["area_ss"]) for r in rows("costab area --a -2", folder)}
    ok(near(found["simulation"], 32.57, 2) and near(found["zigzag"], 42.80, 2) and near(found["strong"], 35.13, 2),
       "kns2014: areas at a = -2", found)
    case = [r["class"] for r in rows("costab classify --matrix 10,3000,-2767,-110 --step 1e-3 --scheme simulation", folder)]
    case += [r["class"] for r in rows("costab classify --matrix 10,3000,-2000,290 --step 1e-3 --scheme simulation", folder)]
    ok(case == ["SU", "US"], "kns2014: figure 5 at h = 1e-3", case)
finish()
