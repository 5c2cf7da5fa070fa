#!/usr/bin/env python3
"""Files of others: only what costab wrote and nobody changed is replaced without --force; what is no regular file is no input, and
is refused at once; a link that leads nowhere is named as that. Prints TAP."""
import os
import pathlib
import shutil
import subprocess

import h5py

from tap import costab, finish, NETWORK, ok, refused, workplace


def kept(what, path, *command, words="--force"):
    """It stays as it is, exit 2, with these words, and --force replaces it."""
    before = pathlib.Path(path).read_bytes()
    done = costab(*command)
    same = pathlib.Path(path).read_bytes() == before
    forced = costab(*command, "--force")
    ok(done.returncode == 2 and "--force" in done.stderr and words in done.stderr and same and forced.returncode == 0 and pathlib.Path(path).read_bytes() != before,
       f"{what} is kept but for --force", done.returncode, done.stderr, forced.stderr)


def test_changed():
    sweep = ("sweep", "chart.yaml", "-q", "-o", "a.h5")
    limit = ("limit", "chart.yaml", "--over", "H=0.01:0.5", "-o", "a.h5")
    for command in (sweep, limit):
        again = [costab(*command, "--force"), costab(*command)]
        ok(not any(done.returncode for done in again), f"{command[0]}: what it wrote is replaced", *(done.stderr for done in again))
    for command in (sweep, limit):
        costab(*command, "--force")
        with h5py.File(command[-1], "r+") as file:
            file.create_dataset("mine", data=[1.0, 2.0])
        kept(f"{command[0]}: a file to which somebody added a dataset", command[-1], *command)
        with h5py.File(command[-1], "r+") as file:
            del file["spec"]
            file["spec"] = "mine"
        kept(f"{command[0]}: one in which somebody put another dataset in place of one", command[-1], *command)
        with h5py.File(command[-1], "r+") as file:
            del file.attrs["datasets"]
        with open(command[-1], "ab") as file:
            file.write(b"\ncostab results, size 0000000000000000, crc32 00000000\n")
        ok(costab("info", command[-1]).returncode == 0, f"{command[0]}: one with a seal and without a list, as of 0.1.0, is read")
        kept(f"{command[0]}: and that one", command[-1], *command)
        with h5py.File("chart.h5") as ours, h5py.File(command[-1], "w") as file:
            file.attrs.update(ours.attrs)
            file["mine"] = [1.0]
        kept(f"{command[0]}: a stranger's file with costab's attributes", command[-1], *command)


def test_texts():
    for command in (("plot", "chart.h5", "-o", "a.html"), ("tune", "chart.yaml", "--over", "H=0.01:0.5", "--vary", "0", "-o", "a.yaml"), ("plot", "chart.h5", "--script-only", "-o", ".")):
        path = pathlib.Path(command[-1] if command[-1] != "." else "chart.gp")
        again = [costab(*command), costab(*command)]
        ok(not any(done.returncode for done in again), f"{path}: what it wrote is replaced", *(done.stderr for done in again))
        text = path.read_text()
        start = text.index("CRC-32 ")
        for what, edited in (("one with a line more", text + "\n"), ("one with a line less", "\n".join(text.splitlines()[:-1]) + "\n"),
                             ("one with another letter", text[:start + 40] + text[start + 40:].replace("e", "E", 1))):
            path.write_text(edited)
            kept(f"{path}: {what}", path, *command, words="it was edited since costab wrote it: ")
        path.write_text(text[:text.index(" replaces it")] + " replaces it without asking while this line stands in it\n" + text[text.index("\n", start) + 1:])
        kept(f"{path}: one without a checksum, as of costab 0.1.0", path, *command)


def test_pipes():
    """Everything that is read; were one opened, the program would wait for a writer."""
    os.mkfifo("pipe")
    for ending in ("yaml", "h5", "csv", "fmu", "ssp", "ssd", "mat", "style.yaml"):
        os.symlink("pipe", f"pipe.{ending}")
    pathlib.Path("drawn.yaml").write_text(NETWORK.replace("figure: {", "figure: {points: pipe.csv, "))
    pathlib.Path("unit.yaml").write_text(NETWORK.replace("A: [[0, 1], [-k, -1]]", "A: {file: pipe.mat, name: A}"))
    commands = [("sweep", "pipe.yaml", "-o", "s.h5"), ("sweep", "drawn.yaml"), ("sweep", "unit.yaml"), ("info", "pipe.h5"), ("info", "pipe.fmu"), ("import", "pipe.fmu"),
                ("import", "pipe.ssp"), ("import", "pipe.ssd"), ("plot", "pipe.h5"), ("plot", "chart.h5", "--points", "pipe.csv"),
                ("plot", "chart.h5", "--line", "pipe.csv"), ("export", "pipe.h5", "--format", "csv"), ("compare", "chart.h5", "pipe.h5"),
                ("merge", "pipe", "-o", "m.h5"), ("classify", "--points", "pipe.csv"), *((command, "pipe.yaml", *more) for command, *more in (
                    ("map",), ("margin",), ("limit", "--over", "H=0.1:1"), ("advise", "--over", "H=0.1:1"), ("pattern", "--steps", "0.1,0.2"), ("tune", "--over", "H=0.1:1"),
                    ("simulate", "--until", "1"), ("bound", "--error", "1")))]
    for command in commands:
        try:
            done = costab(*command, timeout=20)
            ok(done.returncode in (1, 2) and "regular file" in done.stderr and "Traceback" not in done.stderr, f"a named pipe: {' '.join(command)}", done.returncode,
               done.stderr)
        except subprocess.TimeoutExpired:
            ok(False, f"a named pipe: {' '.join(command)}", "it waits")
    for command in (("map", "/dev/zero"), ("plot", "chart.h5", "--points", "/dev/zero"), ("plot", "/dev/zero")):
        refused(f"a device: {' '.join(command)}", "regular file", *command, timeout=20)


def test_links():
    os.symlink("nowhere/x.h5", "dangling.h5")
    for command in (("sweep", "chart.yaml", "-q", "-o", "dangling.h5"), ("limit", "chart.yaml", "--over", "H=0.01:0.5", "-o", "dangling.h5")):
        done = costab(*command)
        ok(done.returncode == 1 and "symbolic link to 'nowhere/x.h5', which is not there" in done.stderr and os.path.islink("dangling.h5"),
           f"{command[0]}: a link that leads nowhere", done.stderr)


with workplace():
    pathlib.Path("chart.yaml").write_text(NETWORK)
    ok(costab("sweep", "chart.yaml", "-o", "chart.h5").returncode == 0, "a results file")
    shutil.copy("chart.h5", "other.h5")
    test_changed()
    test_texts()
    test_pipes()
    test_links()
finish()
