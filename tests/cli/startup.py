#!/usr/bin/env python3
"""Which shared libraries each command loads: those that the program names, and of the ones that it loads late only the groups
that the command computes with, each with what it brings itself. Prints TAP."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from tap import COSTAB, costab, finish, ok  # noqa: E402

SWEEP = """system: planar
schemes: all
axes: {a: [0.5], gamma: {from: -4, to: 0, points: 33}, delta: {from: -1, to: 9, points: 33}}
"""
POINT = ["classify", "--a", "0.5", "--gamma", "-2", "--delta", "3", "--scheme", "cross"]
# The groups hdf5 and gmp are empty where these are in the program itself.
GROUPS = {"hdf5": r"libhdf5", "blas": r"libopenblas|liblapack", "gmp": r"libgmp", "flint": r"libflint|libarb", "xml": r"libxml2",
          "zip": r"libzip"}
# The program's own libraries and those of the groups that it may have from archives, by their names there: file and pattern.
ARCHIVES = {"hdf5": ("libhdf5", "libhdf5"), "gmp": ("libgmp", "libgmp"), "yaml": ("libyaml", "libyaml"), "zlib": ("libz", r"libz\."),
            "openmp": ("libgomp", "libgomp")}
# Commands, and the groups that they may load. (FLINT brings C++ where it was built with NTL, as Debian 12's was.)
COMMANDS = [
    (["--version"], ""),
    (["--help"], ""),
    (["help", "sweep"], ""),
    (POINT, ""),
    (["classify", "--a", "0.5", "--gamma", "-4:0:5", "--delta", "0:9:7", "--method", "dopri5", "--scheme", "all"], ""),
    (["area", "--a", "0.5,-0.3,0,2", "--scheme", "cross,zigzag,strong"], "gmp flint"),
    (["area", "--a", "-4:4:41", "--scheme", "cross,zigzag,strong", "--method", "dopri5"], "gmp flint"),
    (["area", "--a", "0.5"], "gmp flint"),
    (["area", "--a", "0.5", "--scheme", "simulation", "--method", "radau2"], "gmp flint"),
    (["area", "--a", "0.5", "--scheme", "cross", "--digits", "30"], "gmp flint"),
    (["critical", "--scheme", "cross"], "gmp flint"),
    (["critical", "--method", "heun"], "gmp flint"),
    (["critical", "--a=-0.1:0.3"], "gmp flint"),
    (["critical", "--scheme", "cross", "--substeps", "2"], "gmp flint"),
    (["sweep", "sweep.yaml", "-o", "sweep.h5"], "hdf5"),
    (["info", "sweep.h5"], "hdf5"),
    (["compare", "sweep.h5", "sweep.h5"], "hdf5"),
]


def name(path):
    """Without the version: libz.so.1.2.13 and libz.so.1 are one."""
    return re.sub(r"\.so.*", "", os.path.basename(path))


def loaded(command):
    run = costab(*command, env=dict(os.environ, LD_DEBUG="files"))
    return run, {name(path) for path in re.findall(r"calling init: (\S+)", run.stderr)}


def brought(path):
    """A library or program, and all that it needs."""
    output = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
    return {name(path)} | {name(line.split()[0]) for line in output.splitlines() if line.strip()}


def late_libraries():
    """The files of each group, as the program holds their names."""
    with open(COSTAB, "rb") as file:
        texts = set(re.findall(rb"\0(lib[a-z0-9_+-]+\.so\.[0-9.]+)(?=\0)", file.read()))
    cache = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    paths = {}
    for soname, path in re.findall(r"^\t(\S+) \(libc6,x86-64.*\) => (\S+)$", cache, re.M):
        paths.setdefault(soname.encode(), path)
    return {g: [paths[t] for t in sorted(texts) if t in paths and re.match(p, t.decode())] for g, p in GROUPS.items()}


def main():
    needed = subprocess.run(["readelf", "-d", COSTAB], capture_output=True, text=True, check=True).stdout
    with open(os.path.join(os.path.dirname(COSTAB), "gen", "settings")) as file:
        settings = dict(re.findall("^([A-Z0-9]+) := *(.*)$", file.read(), re.M))
    if settings.get("LATE", "") in ("", "0", "no"):
        print("1..0 # SKIP built to load all libraries at its start")
        return
    ok(not re.search("NEEDED.*(hdf5|lapack|blas|flint|xml2|zip|stdc)", needed), "the program names no large library", needed)
    for archive in settings["ARCHIVES"].split():
        file, pattern = ARCHIVES[archive]
        output = subprocess.run([*settings["CC"].split(), f"-print-file-name={file}.a"], capture_output=True, text=True).stdout
        if archive != "hdf5" and os.path.isabs(output.strip()):
            ok(not re.search("NEEDED.*" + pattern, needed), f"{archive} is in the program, from its archive", needed)
    late = late_libraries()
    inside, told = not late["hdf5"], costab("--version").stdout.splitlines()[-1]
    ok(re.match(r"HDF5 library version: [1-9]" if inside else "HDF5 shared library", told), "--version tells which HDF5 it has", told)
    ok(all(paths for g, paths in late.items() if g not in settings["ARCHIVES"].split()), "it holds the names of those that it loads late", str(late))
    with open(COSTAB, "rb") as file:
        ok(inside == (b"HDF5: infinite loop closing library" in file.read()), "HDF5 is in it, or loaded late", str(late))
    for path, text in ("sweep.yaml", SWEEP), ("areas.yaml", SWEEP + "fields: [areas]\n"):
        with open(path, "w") as file:
            file.write(text)
    for command, groups in COMMANDS:
        run, found = loaded(command)
        allowed = brought(COSTAB).union(*(brought(path) for g in groups.split() for path in late[g]))
        needs = all(any(re.match(GROUPS[g], library) for library in found) or not late[g] for g in groups.split())
        ok(run.returncode == 0 and found and needs and not found - allowed,
               f"costab {' '.join(command[:2])} loads {groups or 'nothing'} beside its own", f"{sorted(found - allowed)}\n{run.stderr[-300:]}")

    # The right library under its name, but no library.
    os.mkdir("broken")
    soname = next(os.path.basename(path) for path in late["flint"] if "flint" in path)
    open("broken/" + soname, "w").close()
    environment = dict(os.environ, LD_LIBRARY_PATH=os.path.abspath("broken"))
    run = costab("sweep", "areas.yaml", "-o", "areas.h5", env=environment)
    ok(run.returncode == 1 and "a library cannot be loaded: " in run.stderr and soname in run.stderr and not os.path.exists("areas.h5"),
           "a library that cannot be loaded is named", run.stderr)
    for command in (POINT, ["sweep", "sweep.yaml", "-o", "other.h5"]):
        run = costab(*command, env=environment)
        ok(run.returncode == 0, "what does not need it works without it", run.stderr)
    finish()


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
