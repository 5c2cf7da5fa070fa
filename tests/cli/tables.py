#!/usr/bin/env python3
"""Tables for people on a terminal and CSV elsewhere, tables in files, one grammar of numbers, options that every command has, charts of models,
what a run says it wrote, and messages that name the remedy. Prints TAP."""
import fcntl
import functools
import json
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios

import h5py

from tap import COSTAB, costab, csv_rows, finish, NETWORK, ok, refused, ROOT, stride, workplace

MODEL = NETWORK.split("axes:")[0]
COMMANDS = {
    "classify": ["--a", "0.5", "--gamma", "-2", "--delta", "3"], "area": ["--a", "0.5", "--scheme", "cross"],
    "critical": ["--scheme", "simulation"], "boundary": ["--a", "0", "--scheme", "cross"], "map": ["model.yaml"],
    "limit": ["model.yaml", "--over", "H=0.01:0.5"], "margin": ["model.yaml", "--parameters", "k"], "advise": ["model.yaml", "--over", "H=0.01:0.5"],
    "pattern": ["model.yaml", "--steps", "0.1,0.2"], "tune": ["model.yaml", "--over", "H=0.1:0.5", "--vary", "0"], "simulate": ["model.yaml", "--until", "0.1"], "info": ["model.yaml"],
}

# What is the same code for all commands is tried with every third, and with all of them from EFFORT 10 on.
SOME = dict(list(COMMANDS.items())[::stride(3)])


@functools.cache
def plain(command):
    """The command's table where there is no terminal."""
    return costab(command, *COMMANDS[command]).stdout


@functools.cache
def terminal(*arguments, width=0):
    """What a terminal shows of the standard output, and the exit status. width: columns of the terminal, 0 for a terminal without a size."""
    here, there = pty.openpty()
    fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    child = subprocess.Popen([COSTAB, *arguments], stdout=there, stderr=subprocess.DEVNULL)
    os.close(there)
    shown = b""
    while True:
        try:
            piece = os.read(here, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.close(here)
    return shown.decode().replace("\r\n", "\n"), child.wait()


def blocks(shown):
    """The parts between empty lines."""
    return [part.splitlines() for part in shown.strip("\n").split("\n\n")]


def cells(line):
    return re.split(r" {2,}", line.strip())


def dash():
    """-o - would make a file that is called so: every command that has the option refuses it, and says how its standard output is had."""
    operands = {**COMMANDS, "sweep": ["model.yaml"], "merge": ["model.yaml"], "plot": ["model.yaml"], "report": ["model.yaml"], "export": ["model.yaml"],
                "import": ["model.yaml"], "compare": ["model.yaml", "model.yaml"], "bound": ["model.yaml", "--error", "1"], "reproduce": []}
    reference = re.split(r"^## ", costab("help", "--markdown", "commands").stdout, flags=re.M)[1:]
    having = [part.split()[0] for part in reference if "| `-o`, `--output" in part]
    ok(set(having) == set(operands), "the commands with -o", *sorted(set(having) ^ set(operands)))
    for k, name in enumerate(having):
        prints = name not in ("sweep", "merge", "plot", "report")
        remedy = "to write to the standard output, leave --output out" if prints else "this command does not write to the standard output: give the name of a file"
        for option in (["-o", "-"], ["--output=-"])[::-1 if k % 2 else 1][::stride(2)]:
            refused(f"{name} {' '.join(option)} is refused: {remedy}", f"--output: '-' is not a file name; {remedy}", name, *operands[name], *option)
            ok(not os.path.lexists("-"), f"{name} {' '.join(option)}: no file")
    ok(costab("map", "model.yaml", "-o", "./-").returncode == 2, "a table's ending is asked for as ever")


def on_a_terminal():
    for command, arguments in COMMANDS.items():
        shown, status = terminal(command, *arguments)
        away = plain(command)
        ok(status == 0 and shown != away and (len(blocks(shown)) >= 2 or command == "critical") and len(blocks(shown)[-1]) <= 2,
           f"{command}: a table and a sentence below", status, shown)
        if command in SOME:
            again, _ = terminal(command, *arguments, "--format", "csv")
            ok(away == again, f"{command}: CSV is the same on a terminal and elsewhere", again)
            ok(costab(command, *arguments, "-f", "text").stdout == shown, f"{command}: --format text is what a terminal shows")
    shown, _ = terminal("limit", *COMMANDS["limit"])
    head, row = blocks(shown)[0][:2]
    ok(cells(head) == ["coupling", "parameter", "lower [s]", "upper [s]", "class", "lower_kind", "upper_kind"] and cells(row)[4] == "stable", "limit: names and words", shown)
    number = float(csv_rows(costab("limit", *COMMANDS["limit"]))[0]["upper"])
    ok(cells(row)[3] == f"{number:.6g}" and head.index("upper [s]") + 9 == row.index(cells(row)[3]) + len(cells(row)[3]), "limit: six digits, below the name's end", shown)
    ok(f"from 0.01 to {number:.6g}" in shown and "costab margin model.yaml" in shown, "limit: the answer and the next command", shown)
    ok("Extra delays are in macro steps." in terminal("margin", "model.yaml", "--connections")[0], "margin: the unit of extra delays")
    shown, _ = terminal("advise", *COMMANDS["advise"])
    ok(f"{len(blocks(shown)[0]) - 1} of 21 couplings are shown; --all shows all." in shown and
       "are shown" not in terminal("advise", *COMMANDS["advise"], "--all")[0], "advise: how to see the rows that are not shown", shown)
    shown, _ = terminal("limit", "model.yaml", "--over", f"H=0.01:{number / 2!r}")
    ok("all of the range" in shown and "Margins there" not in shown and "costab margin model.yaml" in shown, "limit: nothing ends where all is stable", shown)
    shown, _ = terminal("classify", "--a", "0.5", "--gamma", "-2,1", "--delta", "3", "--scheme", "cross,zigzag")
    found = [cells(line) for line in blocks(shown)[0]]
    ok("unstable, system stable" in found[1] and "stable" in found[2] and "unstable" in found[3] and "SU" not in shown, "classes in words", shown)
    shown, _ = terminal("map", "model.yaml", "--coupling", "jacobi,gauss-seidel")
    points, modes, links, _ = blocks(shown)
    ok(len(points) == 3 and "frequency [Hz]" in modes[0] and "mass 100 %" in modes[1], "map: a table of points, a table of modes", shown)
    ok(cells(links[0]) == ["coupling", "mode", "connection", "participation"] and links[1].split()[:2] == ["jacobi", "1"] and
       all(0.005 <= float(line.split()[-1]) <= 1 for line in links[1:]), "map: a table of the modes' connections", shown)
    tableau = [any(part[0].startswith("method") and part[0].split()[-3:] == ["A", "b", "c"] for part in blocks(terminal("info", "model.yaml", *more)[0]))
               for more in ((), ("-v",))]
    ok(tableau == [False, True], "info: tableaus with -v", tableau)


def on_a_narrow_terminal():
    """A table that is too wide is split into blocks of columns; each block repeats the columns that distinguish the rows."""
    arguments = ["margin", "model.yaml"]
    wide, narrow = (blocks(terminal(*arguments, width=width)[0])[:-1] for width in (400, 60))
    ok(len(wide) == 1 and len(narrow) > 1 and all(len(line) <= 60 for part in narrow for line in part), "blocks fit 60 columns", narrow)
    names, rows = cells(wide[0][0]), len(wide[0])
    found = [cells(part[0]) for part in narrow]
    ok(sorted({name for part in found for name in part}) == sorted(names) and all(len(part) == rows for part in narrow), "with all columns of all rows", found)
    keys = [name for name in found[0] if all(name in part for part in found)]
    ok("name" in keys and "side" in keys and "coupling" not in keys and sum(len(part) - len(keys) for part in found) == len(names) - len(keys),
       "name and side in every block, other columns once", found)
    ok(all(terminal("map", "model.yaml", "-f", form, width=60) == terminal("map", "model.yaml", "-f", form) for form in ("csv", "json", "md")), "CSV, JSON and Markdown ignore the width")


def in_files():
    for command, arguments in COMMANDS.items():
        there = plain(command)
        done = costab(command, *arguments, "-o", f"{command}.csv")
        made = pathlib.Path(f"{command}.csv")
        ok(done.returncode == 0 and done.stdout == "" and made.read_bytes().decode() == there, f"{command} -o FILE.csv", done.stderr)
        if command in SOME:
            refused(f"{command} -o FILE.other", "ends in none of", command, *arguments, "-o", "file.other")
            ok(not pathlib.Path("file.other").exists(), f"{command}: nothing is written")
    costab("limit", *COMMANDS["limit"], "-o", "limit.json")
    ok(json.loads(pathlib.Path("limit.json").read_text())[0]["class"] == "SS", "-o FILE.json")
    costab("limit", *COMMANDS["limit"], "-o", "limit.md")
    ok(pathlib.Path("limit.md").read_text().startswith("| coupling |"), "-o FILE.md")
    costab("limit", *COMMANDS["limit"], "-o", "limit.txt")
    ok(pathlib.Path("limit.txt").read_text() == terminal("limit", *COMMANDS["limit"])[0], "-o FILE.txt is what a terminal shows")
    replaced_tables()
    refused("an ending against the format", "does not go with --format json", "limit", *COMMANDS["limit"], "-o", "new.csv", "-f", "json")
    done = costab("limit", *COMMANDS["limit"], "-o", "limit.h5")
    ok(done.returncode == 0 and pathlib.Path("limit.h5").read_bytes()[1:4] == b"HDF", "-o FILE.h5 is a results file", done.stderr)
    pathlib.Path("nonsense.yaml").write_text(MODEL.replace("force]", "]"))
    costab("limit", "nonsense.yaml", "--over", "H=0.1:0.2", "-o", "never.csv")
    ok(not pathlib.Path("never.csv").exists(), "nothing is left of a table that failed")


def replaced_tables():
    """Nothing in them tells whose they are."""
    other = ["limit", "model.yaml", "--over", "H=0.1:0.2", "-o"]
    for ending in ("csv", "json", "md", "txt")[::stride(3)]:
        name = f"limit.{ending}"
        made = pathlib.Path(name)
        before = made.read_bytes()
        refused(f"a table is kept: {name}", f"'{name}' is there already, and costab does not know it as its own: choose another name, or replace it with --force",
                *other, name)
        ok(made.read_bytes() == before, "it is as it was")
        ok(costab(*other, name, "--force").returncode == 0 and made.read_bytes() != before, "with --force it is replaced")


def in_every_command():
    version = costab("-V").stdout
    for command in SOME:
        done = costab(command, "-V")
        ok(done.returncode == 0 and done.stdout == version == costab(command, "nothing.yaml", "--version").stdout, f"{command} -V", done.stderr)
    for command, arguments in SOME.items():
        done = costab(command, *arguments, "-q", "-v", "-t", "1")
        ok(done.returncode == 0 and f"costab {command}: " in done.stderr, f"{command}: -q, -v and -t", done.stderr)
    ok(costab("-V").stdout == costab("--version").stdout != "", "-V is --version")
    for command in (["help", "--man"], ["simulate", "model.yaml", "--until", "2000"]):
        reader = subprocess.run(["bash", "-c", 'costab=$1; shift; "$costab" "$@" 2>said | head -1 >/dev/null; echo "${PIPESTATUS[0]}"', "-", COSTAB, *command],
                                capture_output=True, text=True)
        ok(reader.stdout.strip() == "0" and pathlib.Path("said").read_text() == "", f"head ends {command[0]} silently", reader.stdout)
    one = costab("margin", "model.yaml", "--parameters", "k,H").stdout
    ok(one == costab("margin", "model.yaml", "--parameters", "k", "--parameters", "H").stdout != costab("margin", "model.yaml", "--parameters", "k").stdout, "margin: --parameters is repeatable")
    old = costab("margin", "model.yaml", "--over", "k", "--over=H")
    ok(old.stdout == one and old.stderr.count("costab margin: warning: --over is now --parameters; ") == 2, "margin: the old name of --parameters is accepted with a warning", old.stderr)
    old, new = costab("pattern", "model.yaml", "--over", "H=0.1,0.2"), costab("pattern", "model.yaml", "--steps", "0.1,0.2")
    ok(old.stdout == new.stdout != "" and "warning: --over is a range NAME=LO:HI; write --steps 0.1,0.2." in old.stderr and "warning" not in new.stderr,
       "pattern: a list of steps after --over is accepted with a warning", old.stderr)
    overview = re.findall(r"^  (\w+)", costab("help").stdout.split("Commands:\n", 1)[1].split("\n\nMore commands:\n")[0], re.M)
    ok(overview == ["sweep", "plot", "limit", "advise", "map", "simulate", "margin", "info"], "help lists the everyday commands first", overview)


def what_was_written():
    pathlib.Path("chart.yaml").write_text(NETWORK)
    done = costab("sweep", "chart.yaml")
    ok(re.search(r"^wrote chart.h5: 81 points, [\d.]+ % SS; draw it: costab plot chart.h5$", done.stderr, re.M), "sweep says what it wrote", done.stderr)
    ok(costab("sweep", "chart.yaml", "-q").stderr == "", "not with -q")
    pathlib.Path("runs.yaml").write_text("system: planar\nschemes: [simulation, cross]\nmethod: rk4\nhistory: {matrix: [0.5, -4.25, 1, -2.5], h: 1, x0: [1, 0], until: 12}\n")
    pathlib.Path("run.yaml").write_text(MODEL + "history: {until: 1}\n")
    for name, count in (("runs", "2 time histories"), ("run", "1 time history")):
        done = costab("sweep", name + ".yaml")
        ok(done.stderr == f"wrote {name}.h5: {count}; draw it: costab plot {name}.h5\n", f"a sweep of histories counts these: {count}", done.stderr)
    for name, arguments in (("says.csv", ["map"]), ("says.md", ["advise", "--over", "H=0.01:0.1"]), ("says.txt", ["limit", "--over", "H=0.01:0.1"])):
        done = costab(arguments[0], "model.yaml", *arguments[1:], "-o", name)
        ok(done.stderr.endswith(f"wrote {name}\n") and done.stdout == "", f"{arguments[0]} -o says what it wrote", done.stderr)
    for command in ("limit", "margin", "map", "pattern", "simulate"):
        arguments = (command, *COMMANDS[command], "-o", command + "-said.h5")
        done = costab(*arguments)
        ok(f"wrote {command}-said.h5; draw it: costab plot {command}-said.h5\n" in done.stderr, f"{command} -o says what it wrote", done.stderr)
        if command in SOME:
            ok("wrote" not in costab(*arguments, "-q", "--force").stderr, "not with -q")
    done = costab("plot", "chart.h5", "--script-only")
    ok(done.stderr == "wrote chart.gp and its data; draw it again: gnuplot chart.gp\n", "plot says what it wrote", done.stderr)
    ok(costab("plot", "chart.h5", "--script-only", "-q").stderr == "", "not with -q")
    pathlib.Path("three.yaml").write_text(NETWORK.replace("axes: {", "axes: {b: [1, 2], c: [1, 2], ").replace("-k, -1", "-k*c, -b").replace("{k: 10,", "{k: 10, b: 1, c: 1,"))
    costab("sweep", "three.yaml")
    scripts = []
    for select in (["--select", "b=2,c=1"], ["--select", "b=2", "--select", "c=1"]):
        done = costab("plot", "three.h5", "--script-only", "--kind", "classes", *select)
        scripts.append((done.returncode, pathlib.Path("three.dat").read_bytes() if done.returncode == 0 else done.stderr))
    ok(scripts[0] == scripts[1] and scripts[0][0] == 0, "plot: --select is repeatable", *scripts)


def charts_of_models():
    """sweep --axis: the file of the spec that it amounts to."""
    pathlib.Path("small.yaml").write_text(MODEL)
    pathlib.Path("amounts.yaml").write_text("system: network\nmodel: small.yaml\naxes:\n  k: {from: 1, to: 400, points: 9}\n  H: {from: 0.01, to: 1/2, points: 33}\n"
                                            "fields: [class, spectral_radius]\n")
    done = costab("sweep", "small.yaml", "--axis", "k=1:400:9", "--axis", "H=0.01:1/2:33")
    ok(done.returncode == 0 and "wrote small.h5: 297 points" in done.stderr, "sweep --axis", done.stderr)
    costab("sweep", "amounts.yaml")
    with h5py.File("small.h5") as file, h5py.File("amounts.h5") as spec:
        fields = ["class", "spectral_radius", "level_one_k", "level_one_H", "k", "H"]
        ok(all(file[name][()].tobytes() == spec[name][()].tobytes() for name in fields), "the same numbers as by a spec")
        text = file["spec"][()].decode()
    pathlib.Path("again.yaml").write_text(text)
    ok(costab("sweep", "again.yaml").returncode == 0 and costab("compare", "small.h5", "again.h5").returncode == 0, "the spec that the file holds makes it again", text)
    ok(costab("plot", "small.h5", "--script-only").returncode == 0 and pathlib.Path("small.gp").exists(), "plot draws it")
    done = costab("sweep", "small.yaml", "--axis", "k=1:400:9", "--set", "H=0.2", "-o", "set.h5")
    with h5py.File("set.h5") as file:
        ok(done.returncode == 0 and "H: 0.2" in file["spec"][()].decode() and file["class"].shape == (1, 9), "one axis, with --set", done.stderr)
    pathlib.Path("listed.yaml").write_text("system: network\nmodel: small.yaml\naxes:\n  k: [1, 10, 100/3]\n  H: [0.25]\nfields: [class, spectral_radius]\n")
    done = [costab("sweep", "small.yaml", "--axis", "k=1,10,100/3", "--axis", "H=0.25", "-o", "lists.h5"), costab("sweep", "listed.yaml"), costab("compare", "lists.h5", "listed.h5", "--numbers", "0")]
    ok(all(d.returncode == 0 for d in done) and "wrote lists.h5: 3 points" in done[0].stderr, "--axis takes X,Y and X, as a spec does", *(d.stderr for d in done))
    for given, says in (("k=1:2", "is not LO:HI:N"), ("k=2:1:5", "do not ascend"), ("k=1:2:1", "is not LO:HI:N"), ("k=3,1", "do not ascend"), ("k=1,x", "'x'"),
                        ("k", "NAME=NUMBERS"), ("=1:2:3", "NAME=NUMBERS"), ("zz=1:2:3", "axes: 'zz' is not a parameter")):
        refused(f"--axis {given}", says, "sweep", "small.yaml", "--axis", given, "-o", "never.h5")
    refused("an axis twice", "given twice", "sweep", "small.yaml", "--axis", "k=1:2:3", "--axis", "k=1:2:3")
    refused("a spec of another file", "name that file", "sweep", "amounts.yaml", "--axis", "k=1:2:3", "-o", "never.h5")
    pathlib.Path("planar.yaml").write_text("system: planar\nscheme: cross\naxes: {gamma: {from: -2, to: 1, points: 3}}\n")
    refused("a planar spec", "planar", "sweep", "planar.yaml", "--axis", "k=1:2:3", "-o", "never.h5")
    refused("the standard input", "as a file", "sweep", "-", "--axis", "k=1:2:3", "-o", "never.h5")
    ok(not pathlib.Path("never.h5").exists(), "nothing is written")


def of_models():
    found = json.loads(costab("info", "model.yaml", "-f", "json").stdout)
    kinds = [next(key for key in ("subsystem", "connection", "parameter", "method", "coupling") if next(iter(row)) == key) for row in found]
    ok(kinds == ["subsystem", "connection", "parameter", "parameter", "method", "coupling"], "info of a model: its parts", found)
    ok(found[0] == {"subsystem": "mass", "states": ["x1", "x2"], "inputs": ["force"], "outputs": ["place"], "method": "rk4", "stride": 1, "substeps": 1, "step": None}
       and found[2] == {"parameter": "k", "value": 10, "label": "", "unit": ""} and found[5] == {
           "coupling": "jacobi", "macro_step": 0.1, "scheme": "jacobi", "extrapolation": "constant", "interpolation": "constant", "feedthrough": "delayed",
           "micro_steps": "whole", "iterations": None, "newton": "no", "smoothed": "no", "predictor": "constant", "relaxation": None,
           "area_correction": None, "a0": None, "a1": None, "b0": None, "b1": None, "order": []}, "info of a model: their numbers", found)
    tableau = found[4]
    ok(tableau["method"] == "rk4" and tableau["A"] == [0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 1, 0] and abs(sum(tableau["b"]) - 1) < 1e-15 and
       tableau["c"] == [0, 0.5, 0.5, 1] and tableau["implicit"] == "no" and (tableau["order"], tableau["stages"]) == (4, 4), "info: a method's tableau", tableau)
    pathlib.Path("weights.yaml").write_text(MODEL.replace("coupling: {", "coupling: {extrapolation: {a: [1, 0]}, "))
    found = json.loads(costab("info", "weights.yaml", "-f", "json").stdout)[-1]
    ok([found[key] for key in ("extrapolation", "a0", "a1", "b0", "b1")] == ["tuned", 1, 0, None, None], "info: weights of a coupling, 0 too", found)
    ok("mass,x1 x2,force,place,rk4,1,1," in costab("info", "model.yaml").stdout, "elsewhere names are divided by blanks")


def suggested():
    """Commands that a table suggests analyse the same system and coupling."""
    given = ["--set", "k=9", "--coupling", "jacobi(1,0)"]
    words = "model.yaml --set k=9 --coupling 'jacobi(1,0)'"
    for command, follows in {"map": "margin", "limit": "margin", "margin": "limit", "pattern": "limit", "simulate": "simulate"}.items():
        shown = costab(command, *COMMANDS[command], *given, "-f", "text").stdout
        ok(f"costab {follows} {words}" in shown, f"{command} suggests a command with --set and --coupling", shown[-400:])
    pathlib.Path("other.yaml").write_text(MODEL.replace("H: 0.1", "T: 0.1").replace("macro_step: H", "macro_step: T"))
    for command, *options in (("map", "-c", "jacobi,newton"), ("pattern", "--steps", "0.1,0.2")):
        shown = costab(command, "other.yaml", *options, "-f", "text").stdout
        ok("--over T=LO:HI" in shown, f"{command} suggests the parameter that is the macro step", shown[-300:])
    shown = costab("margin", "model.yaml", "--set", "k=0", "--parameters", "k", "-f", "text").stdout
    ok("Nearest is k: the class changes at 0.99999" in shown and "times its value" not in shown, "margin: the nearest change of a parameter that is 0", shown)
    shown = costab("map", "model.yaml", "--over", "H=0.1:0.2", "-f", "text").stdout
    ok(shown == "No eigenvalue passes its limit for H from 0.1 to 0.2.\n", "map --over: that nothing passes its limit", shown)
    for more in (["--over", "H=0.1:0.2"], ["-o", "matrix.h5"]):
        refused(f"map --matrix {' '.join(more)}", "--matrix prints the map of one point", "map", "model.yaml", "--matrix", *more)
    shown = costab("info", "model.yaml", "--set", "k=9", "-f", "text").stdout
    ok("costab map model.yaml --set k=9" in shown, "info suggests a command with --set", shown[-400:])
    shown = costab("simulate", "model.yaml", "--until", "0.1234567", "--steps", "0.01,0.02", "-f", "text").stdout
    ok("--until 0.1234567 --steps 0.01,0.02 -o" in shown, "simulate suggests all digits of --until, and --steps", shown[-400:])


def of_planar_specs():
    done = costab("info", ROOT / "sweeps/kns2014/fig09.yaml")
    ok(done.returncode == 0 and all(words in done.stdout for words in ("title   Zigzag coupling", "method  rk4", "points  1924803", "scheme     1: zigzag", "gamma      801: -4 ... 0.5",
       "class            uint8   (scheme, a, gamma, delta)")), "info of a planar spec: its axes and fields, before it is run", done.stdout, done.stderr)
    done = costab("info", ROOT / "sweeps/kns2014/fig05.yaml")
    ok(done.returncode == 0 and "\nfields\n" in done.stdout, "info of planar histories", done.stdout, done.stderr)
    spec = ROOT / "sweeps/kns2014/fig09.yaml"
    refused("info of a planar spec: -f", "only a model's contents are tables", "info", spec, "-f", "json")
    refused("info of a planar spec: -o", "ends in .txt", "info", spec, "-o", "never.json")
    refused("info of a planar spec: --set", "is not a model", "info", spec, "--set", "a=1")
    costab("simulate", "model.yaml", "--until", "0.1", "-o", "history.h5")
    refused("info of a results file: -f", "only a model's contents are tables", "info", "history.h5", "-f", "csv")
    done = costab("info", "history.h5", "-o", "contents.txt")
    ok(done.returncode == 0 and pathlib.Path("contents.txt").read_text().startswith("title") and not pathlib.Path("never.json").exists(), "info into a .txt", done.stderr)


def messages():
    def model(name, old, new):
        assert old in MODEL
        pathlib.Path(name).write_text(MODEL.replace(old, new))
        return name
    refused("a comma inside max(..) asks for quotes", "quote an expression that has commas", "map", model("comma.yaml", "[-k, -1]", "[-k, -max(k, 1)]"))
    refused("** names ^", "a power is written x^2, not x**2", "map", model("power.yaml", "[-k,", "[-k**2,"))
    refused("a zero denominator in a model", "the denominator k is 0", "map", model("zero.yaml", "[-k,", "[-1/k,"), "--set", "k=0")
    refused("a zero denominator of an option", "its denominator is 0", "map", "model.yaml", "--set", "k=1/0")
    refused("a range where points are listed", "LO:HI:N", "classify", "--a", "0:1", "--gamma", "1", "--delta", "1")
    for command in ("limit", "advise", "report"):
        for points in ("H=0.1", "H=0.1,0.2", "H=0.1:1:5")[::stride(3) if command != "limit" else 1]:
            refused(f"{command} --over {points}: points where a range is searched", "a search takes no points", command, "model.yaml", "--over", points)
    refused("--steps of a range names --over", "all steps of a range: --over NAME=LO:HI", "pattern", "model.yaml", "--steps", "0.1:0.2")
    refused("margin --parameters takes names", "--set H=X", "margin", "model.yaml", "--parameters", "H=0.1:1")
    for count, given in (("rint(H/0.05)", "H=0.1"), ("H/0.001", "H=2")):
        model("rounded.yaml", "method: rk4", f"method: rk4, substeps: {count}")
        for command in ("limit", "advise"):
            refused(f"{command}: a count computed as {count}", "changes by jumps along it", command, "rounded.yaml", "--over", "H=0.1:1", "--set", given)
        done = costab("margin", "rounded.yaml", "--set", given)
        ok(done.returncode == 0 and "H is skipped" in done.stderr and "parameter,k" in done.stdout, "margin skips it", done.stdout, done.stderr)
    pathlib.Path("unused.yaml").write_text(MODEL.replace("method: rk4", "method: rk4, substeps: m", 1).replace("H: 0.1", "H: 0.1, m: 2, n: rint(m)"))
    done = costab("limit", "unused.yaml", "--over", "m=1:9")
    ok(done.returncode == 0 and "1,9" in done.stdout, "limit searches a count from which an unused number is rounded", done.stdout, done.stderr)
    corner = ("system: network\nparameters: {H: 0.1}\nsubsystems:\n  - {name: a, states: [x], f: [abs(x) - u], g: [x], inputs: [u], outputs: [y]}\n"
              "connections: [{from: a.y, to: a.u}]\ncoupling: {macro_step: H}\n")
    pathlib.Path("corner.yaml").write_text(corner)
    refused("a corner names operating_point", "the key operating_point", "map", "corner.yaml")
    done = costab("map", "model.yaml", "--coupling", "jacobi-quadratik")
    ok(done.returncode == 2 and "unknown coupling 'jacobi-quadratik'; did you mean 'jacobi-quadratic'?\n" in done.stderr, "a coupling that is meant is all that is named", done.stderr)
    done = costab("map", "model.yaml", "--coupling", "none")
    ok(done.returncode == 2 and len(done.stderr) < 400 and "gauss-seidel" in done.stderr, "couplings in two lines", done.stderr)
    many = ", ".join(f"parameter{i}: 1" for i in range(40))
    done = costab("map", model("many.yaml", "{k: 10,", "{k: 10, " + many + ","), "--set", "stiffness=1")
    ok(done.returncode == 2 and "parameter7" not in done.stderr.splitlines()[-2] and ", .." in done.stderr, "of 40 parameters a few", done.stderr.splitlines()[-2])


def long_cells():
    """Lists of many values in one cell are whole in all forms; long units, and units with commas, stay out of the columns' names."""
    def chain(count):
        names = [f"a_state_with_a_long_name_{i}" for i in range(count)]
        rows = [[-1.5 if i == k else 1/3 if i == k + 1 else 0 for k in range(count)] for i in range(count)]
        pathlib.Path("long.yaml").write_text("system: network\nparameters: {H: 0.1}\nsubsystems:\n"
            f"  - {{name: chain, A: {rows}, B: {[[1]] + [[0]]*(count - 1)}, C: {[[0]*(count - 1) + [1]]}, states: {names}, inputs: [u], outputs: [y], method: exact}}\n"
            "connections: [{from: chain.y, to: chain.u, gain: -0.1}]\ncoupling: {scheme: jacobi, macro_step: H}\n")
        return names

    names = chain(200)
    csv, md = (costab("info", "long.yaml", "--format", form).stdout.splitlines() for form in ("csv", "md"))
    ok(csv[1].split(",")[1].split() == names and md[2].split(" | ")[1].replace("\\", "").split() == names, "info: the names of 200 states", csv[1][-80:], md[2][-80:])
    chain(60)
    rows = csv_rows(costab("map", "long.yaml", "--matrix", "--format", "csv").stdout)
    matrix = json.loads(costab("map", "long.yaml", "--matrix", "--format", "json").stdout)[0]["matrix"]
    given = [[float(x) for x in row["value"].split()] for row in rows if row["name"].startswith("row ")]
    ok(given == matrix and len(given) == 60, "map --matrix: CSV has the numbers of JSON", len(given), len(given[0]), len(matrix))
    for unit in ("N,m", "J"*600):
        pathlib.Path("unit.yaml").write_text(re.sub("H: ([0-9.]+)", f"H: {{value: \\1, unit: '{unit}'}}", MODEL, 1))
        done = subprocess.run([COSTAB, "limit", "unit.yaml", "--over", "H=0.01:0.5", "--format", "text"], capture_output=True, text=True, timeout=60)
        ok(done.returncode == 0 and done.stdout.splitlines()[0].split()[:4] == ["coupling", "parameter", "lower", "upper"],
           f"limit: a table with the unit {unit[:9]}", done.stdout[:300], done.stderr[-300:])


with workplace():
    pathlib.Path("model.yaml").write_text(MODEL)
    for test in (dash, on_a_terminal, on_a_narrow_terminal, in_files, in_every_command, what_was_written, charts_of_models, of_models, suggested, of_planar_specs, messages, long_cells):
        test()
finish()
