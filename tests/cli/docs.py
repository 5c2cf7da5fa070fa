#!/usr/bin/env python3
"""README, docs/ and the pages of sweeps/, run as they stand: every command, with its printed output where a page shows one; programs;
links; the generated references. Commands that take many seconds run with EFFORT above 1, and so does
every second one of the pages of sweeps/. Prints TAP."""
import os
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "fmu"))
import examples
from scipy.io import loadmat
from tap import COSTAB as costab, csv_rows, EFFORT, finish, ok, ROOT as root, stride


# The program and stand-ins for launchers, by the names that pages call them.
bins = tempfile.TemporaryDirectory()
for name, there in {"costab": costab, **{name: root / "tests/support/launch" for name in ("mpirun", "srun", "sbatch")}}.items():
    (pathlib.Path(bins.name) / name).symlink_to(there)


# Commands that only print: pages share some of them. drive.yaml of the pages is the drive of sweeps/findings; FMUs are in each page's folder.
PURE = re.compile(r"costab (classify|area|critical|map|limit|margin|advise|pattern|bound|simulate|reproduce) (?!.*( -o |[|>]))")
DRIVE = "sweeps/findings/models/drive.yaml"
kept = {}


def run(command, folder):
    if not PURE.match(command):
        return in_shell(command, folder)
    asked = re.sub(r"(?<=\s)drive\.yaml", DRIVE, command.partition(" #")[0].strip()).replace("build/examples/", "")
    if asked not in kept:
        kept[asked] = in_shell(command, folder)
    return kept[asked]


def in_shell(command, folder):
    paths = {**os.environ, "PATH": f"{bins.name}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=paths, capture_output=True, text=True, timeout=300)


def rows(command, folder):
    return csv_rows(run(command, folder))


def text_of(page):
    return (root / page).read_text()


def cells(text):
    return [line.split(",") for line in text.splitlines()]


def same(printed, computed):
    """A number on a page is the computed one, rounded: within a unit of its last place, or of the tenth digit. What is no number is the
    same text. Bounds of rounding, which are as small as it is, have no digits to compare."""
    number = r"-?\d+(\.\d+)?(e-?\d+)?"
    if not (re.fullmatch(number, printed) and re.fullmatch(number, computed)):
        return printed == computed
    mantissa, _, exponent = printed.partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    p, c = float(printed), float(computed)
    return abs(p - c) <= max(unit if "." in mantissa else 0, 1e-9 * abs(c)) or max(abs(p), abs(c)) < 1e-13


# Error bounds over long times, searches for weights, many digits, reports and large sweeps: other tests run smaller ones.
SLOW = re.compile(r"--digits 30|bound (?!.*--printed)|bound .* R=2|tune .*jacobi-solved$|report .*report.html$|pattern .*(--over H=0.0005|newton-hermite)|"
                  r"pattern sweeps/findings/models/drive.yaml --steps|(sweep sweeps/kns2014/fig15.yaml|plot fig15.h5)$|two-mass-stiffness")


def check_block(page, block, folder):
    """A "$ command": the lines below it are what it prints."""
    lines = [line[4:] for line in block.splitlines()]
    if SLOW.search(lines[0]) and EFFORT <= 1:
        return
    done = run(lines[0][2:], folder)
    printed, computed = cells("\n".join(lines[1:])), cells(done.stdout)
    ok(len(printed) == len(computed) and all(len(p) == len(c) and all(map(same, p, c)) for p, c in zip(printed, computed)),
       f"{page}: {lines[0]}", done.stdout, done.stderr)


def check_blocks(page, text, folder):
    for block in re.findall(r"(?:^    .*\n)+", text, re.M):
        if block.startswith("    $ costab "):
            check_block(page, block, folder)


def spec_of(page):
    return re.search(r"```yaml\n(.*?)```", text_of(page), re.S).group(1)


POINTS = 801 if EFFORT > 1 else 101  # of both axes of the planar sweep
generated = {"commands.md", "keys.md", "python-api.md"}  # by make docs
pages = ["README.md", "CONTRIBUTING.md", *sorted(p.relative_to(root).as_posix() for p in root.glob("docs/**/*.md") if p.name not in generated)]
ok(len(text_of("README.md").splitlines()) <= 150, "README has 150 lines at most")
ok(spec_of("docs/how-to/own-model.md") == text_of("sweeps/findings/models/drive.yaml"), "docs/how-to/own-model.md shows the drive of sweeps/findings")
for page in ("commands", "keys"):
    made = run(f"costab help --markdown {page}", root).stdout
    ok(made == text_of(f"docs/reference/{page}.md"), f"docs/reference/{page}.md is what the program prints (make docs)")
made = subprocess.run([sys.executable, root / "src/python/reference.py"], capture_output=True, text=True).stdout
ok(made == text_of("docs/reference/python-api.md"), "docs/reference/python-api.md is what the docstrings say (make docs)")
for page in [*pages, *(f"docs/reference/{name}" for name in sorted(generated)), "sweeps/README.md", "sweeps/FORMAT.md"]:
    links = re.findall(r"\]\(([^)#\s]+)(?:#([^)\s]+))?\)", text_of(page))
    here = (root / page).parent
    ok(all((here / name).exists() for name, _ in links if "://" not in name), f"{page}: what it links to is there", links)
    heads = {name: {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", (here / name).read_text(), re.M)}
             for name, part in links if part}
    ok(all(part in heads[name] for name, part in links if part), f"{page}: and so are the sections", links)

# `make examples` finds what it needs by itself, not by what tests/run sets.
plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "MAKEFLAGS", "MAKELEVEL")}
done = subprocess.run(["make", "-s", "-C", root, "examples", "DEPS=skip", "VARIANT="], env=plain, capture_output=True, text=True)
ok(done.returncode == 0 and (root / "build/examples/two-masses.ssp").exists(), "make examples", done.stderr)

# Every command of every page (the tutorial's: tutorial.py), in the order of the page and in a folder of its own, with the specs and FMUs
# that pages name.
for page in sorted(set(pages) - {"docs/tutorial.md"}):
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        (here / "sweeps").symlink_to(root / "sweeps")
        (here / "drive.yaml").write_text(spec_of("docs/how-to/own-model.md"))
        (here / "zigzag.yaml").write_text(spec_of("docs/how-to/planar.md").replace("points: 801", f"points: {POINTS}"))
        examples.write(folder)
        (here / "build").mkdir()
        (here / "build/examples").symlink_to(here)
        if page in ("docs/how-to/figures.md", "docs/how-to/python.md"):
            run("costab sweep zigzag.yaml", folder)
        if page == "docs/how-to/cluster.md":
            run("costab sweep zigzag.yaml -o whole.h5", folder)
        text = text_of(page)
        if page == "docs/how-to/cluster.md" and EFFORT <= 1:  # 3 jobs in place of 16
            text = text.replace("=1-16", "=1-3").replace("=3,7", "=2,3").replace("auto/16", "auto/3").replace("of-16", "of-3")
        if EFFORT <= 1:  # coarser grids
            text = text.replace("--a -4:4:161", "--a -4:4:9").replace("k=1:100:101 --axis H=0.001:0.05:201", "k=1:100:11 --axis H=0.001:0.05:21")
        for block in re.findall(r"^    \$ costab .*\n(?:    .*\n)*|^    (?:costab|mpirun|srun|sbatch|seq) .*\n", text, re.M):
            if block.startswith("    $ "):
                check_block(page, block, folder)
                continue
            for command in block.strip().split(" && "):
                if SLOW.search(command) and EFFORT <= 1:
                    continue
                done = run(command + (" --script-only" if " plot " in command else ""), folder)
                ok(done.returncode == 0, f"{page}: {command}", done.stderr)
                if "costab merge" in command:
                    ok((here / "zigzag.h5").read_bytes() == (here / "whole.h5").read_bytes(), f"{page}: into the same file")
                    (here / "zigzag.h5").unlink()
        if page == "docs/how-to/python.md":
            program = re.search(r"```python\n(import h5py.*?)```", text_of(page), re.S).group(1)
            os.chdir(folder)
            exec(program, {})
            os.chdir(root)
            ok(loadmat(here / "zigzag.mat")["class"].shape == (1, 3, POINTS, POINTS), f"{page}: a MATLAB file by SciPy")
    for program in re.findall(r"```c\n(.*?)```", text_of(page), re.S):
        compiler = shlex.split(os.environ.get("CC", "gcc"))
        done = subprocess.run([*compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{root}/include", "-xc", "-"],
                              input=program, capture_output=True, text=True)
        ok(done.returncode == 0, f"{page}: the C program compiles", done.stderr)

# What README says of the drive: stable at H = 0.01, and 0.92 off in the motor's speed, of 1.85.
speed = [(float(r["value"]), float(r["monolithic"])) for r in rows(f"costab simulate {DRIVE} --set H=0.01 --until 2", root)
         if (r["subsystem"], r["signal"]) == ("motor", "x2")]
off, largest = max(abs(v - m) for v, m in speed), max(abs(m) for _, m in speed)
ok(abs(off - 0.92) < 0.005 and abs(largest - 1.85) < 0.005, "README: stable is not accurate", off, largest)

# Every column that a command prints, and every name of a row, is in its section of the reference of columns.
sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", text_of("docs/reference/columns.md"), re.M | re.S))
for command in ("classify --a 0.5 --gamma -2 --delta 3", "area --a 0.5 --scheme cross", "boundary --a 0 --scheme cross", "critical --scheme cross", "map DRIVE",
                "map DRIVE --over H=0.01:0.05", "limit DRIVE --over H=0.001:0.1", "margin DRIVE --connections", "margin DRIVE --uncertain --over k",
                "advise DRIVE --over H=0.001:0.1 --coupling jacobi", "pattern DRIVE --steps 0.001,0.025 --coupling jacobi-linear", "tune DRIVE --over H=0.02:0.05 --coupling jacobi-solved --vary 0",
                "simulate DRIVE --until 0.02", "simulate DRIVE --until 0.02 --error", "bound DRIVE --error 0.5 --horizon 0.02 --at 0.01", "reproduce --source kns2014"):
    name = command.split()[0]
    documented = {word for first in re.findall(r"^\| ([^|]+) \|", sections[name], re.M) for word in re.findall(r"\w+", first)}
    printed = rows(f"costab {command}".replace("DRIVE", DRIVE), root)
    columns = set(printed[0]) | ({r["name"].split()[0] for r in printed} if list(printed[0]) == ["coupling", "name", "value"] or name == "bound" else set())
    ok(columns - {"name"} <= documented | {"coupling", "value", "error"} and printed, f"columns.md has all of costab {command}", columns - documented)

with tempfile.TemporaryDirectory() as folder:
    # every command that the pages of a folder of specs name
    for source in sorted({page.parent for page in root.glob("sweeps/*/*.md")}):
        pages = {page: page.read_text() for page in sorted(source.glob("*.md"))}
        for page, text in pages.items():
            check_blocks(f"{source.name}/{page.name}", text, root)
            for command in (re.findall(r"`(costab [^`]*)`", text) + re.findall(r"^    (costab .*)$", text, re.M))[::stride(2)]:
                if SLOW.search(command) and EFFORT <= 1:
                    continue
                done = run(re.sub(r"\s+", " ", command), root)
                ok(done.returncode == 0, f"{source.name}: {command}", done.stderr)
        named = set(re.findall(r"`([\w-]+\.yaml)`", "".join(pages.values())))
        ok(all((source / name).exists() for name in named), f"{source.name}: every spec that is named is there", named)
        present = {p.name for p in source.glob("*.yaml") if "system: planar" in p.read_text()}
        ok(present <= named, f"{source.name}: every planar spec is named", present - named)

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
    r, = (r for r in rows("costab area --a -0.5,0,1/3", folder) if (r["scheme"], r["a"]) == ("simulation", "0"))
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
    found = {r["scheme"]: float(r["area_ss"]) for r in rows("costab area --a=-2,-4 --method rk4", folder) if float(r["a"]) == -2}
    ok(near(found["simulation"], 32.57, 2) and near(found["zigzag"], 42.80, 2) and near(found["strong"], 35.13, 2),
       "kns2014: areas at a = -2", found)
    case = [r["class"] for r in rows("costab classify --matrix 10,3000,-2767,-110 --step 1e-3 --scheme simulation", folder)]
    case += [r["class"] for r in rows("costab classify --matrix 10,3000,-2000,290 --step 1e-3 --scheme simulation", folder)]
    ok(case == ["SU", "US"], "kns2014: figure 5 at h = 1e-3", case)
finish()
