#!/usr/bin/env python3
"""An input that cannot be opened or read: one answer of all commands, exit status 2 and the file's name (TAP)."""
import os
import pathlib
import re

from tap import costab, finish, NETWORK, ok, refused, workplace

# What a command needs beside its input; nothing where its row is missing.
MORE = {"limit": ["--over", "k=1:2"], "advise": ["--over", "H=0.1:1"], "pattern": ["--steps", "0.1,0.2"], "tune": ["--over", "H=0.1:1"],
        "export": ["--format", "csv"], "sweep": ["-o", "out.h5"], "merge": ["-o", "out.h5"]}
# Beside the operands of the overview: options that name an input.
ASKED = [["classify", "--points", "{}.csv"], ["info", "{}.fmu"], ["import", "{}.ssp"], ["map", "{}.ssd"]]


def inputs():
    """Each command that takes an input file, with one of a name that `{}` begins."""
    overview = costab("--help").stdout.split("Commands:\n", 1)[1].split("\n\ncostab ")[0]
    for command, operands in re.findall(r"^  (\w+) ([^a-z ]\S*(?: B\.h5)?)", overview, re.M):
        if command != "help":
            ending = ".h5" if ".h5" in operands or operands.startswith("SLICE") else ".fmu" if operands.startswith("FMU") else ".yaml"
            yield [command, *["{}" + ending] * (2 if "B.h5" in operands else 1), *MORE.get(command, [])]
    yield from ASKED


def check(command, stem, what):
    words = [word.replace("{}", stem) for word in command]
    name = next(word for word in words if word.startswith(stem))
    done = costab(*words, timeout=60)
    ok(done.returncode == 2 and name in done.stderr and not done.stdout and not os.path.exists("out.h5"), f"{command[0]} {name}: {what}", words,
       done.returncode, done.stderr, done.stdout)


with workplace() as folder:
    all_of_them = list(inputs())
    ok(len(all_of_them) >= 20, "the overview lists the commands that take files", all_of_them)
    for each in all_of_them:
        check(each, "nothing", "no such file")
        check(each, "no-folder/nothing", "no such folder")
        ending = next(word for word in each if word.startswith("{}"))[2:]
        os.makedirs("folder" + ending, exist_ok=True)
        check(each, "folder", "a folder")
    pathlib.Path("closed.yaml").write_text(NETWORK)
    os.chmod("closed.yaml", 0)
    if os.geteuid() != 0:
        check(["map", "{}.yaml"], "closed", "no permission")
    # A file that the input names.
    pathlib.Path("model.yaml").write_text(re.sub(r"subsystems:\n.*\n", "subsystems:\n  - {name: mass, fmu: nothing.fmu}\n", NETWORK))
    for command in (["map", "model.yaml"], ["sweep", "model.yaml", "-o", "out.h5"]):
        refused(f"{command[0]}: an FMU that is not there", "nothing.fmu", *command)
    drawn = NETWORK.replace("figure: {", "figure: {lines: nothing.csv, ")
    pathlib.Path("drawn.yaml").write_text(drawn)
    line, column = drawn[:drawn.index("nothing.csv")].count("\n") + 1, drawn.index("nothing.csv") - drawn.rindex("\n", 0, drawn.index("nothing.csv"))
    refused("sweep: a figure's file that is not there, at its place", f"drawn.yaml:{line}:{column}: error: figure, lines: nothing.csv: cannot be opened",
            "sweep", "drawn.yaml", "-o", "out.h5")
    # An output that cannot be written is no input.
    pathlib.Path("good.yaml").write_text(NETWORK)
    refused("an output that cannot be written is exit status 1", "nowhere", "sweep", "good.yaml", "-o", "nowhere/out.h5", status=1)
finish()
