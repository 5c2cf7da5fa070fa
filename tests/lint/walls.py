#!/usr/bin/env python3
"""The walls between the rooms of src: who may include whom, and where OpenMP pragmas may stand. Prints TAP."""
import pathlib
import re

from rooms import ROOMS
from tap import finish, ok

# Headers that the build writes, and the rooms that may include each.
GENERATED = {"version.h": {"base"}, "plots.h": {"figure", "page"}}
# Public headers that do not have their room's name; costab.h is of all rooms.
DOORS = {"area": "exact", "checkpoint": "store", "style": "spec", "modes": "network", "margin": "study", "advise": "study", "tune": "study", "locus": "study",
         "pattern": "proof", "model": "spec", "costab": "cli"}
DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*include\b[ \t]*(?:([\"<])([^\">]*)[\">])?")
OPENMP = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b|_Pragma.*omp")


def room_of(path):
    """src/ROOM/FILE and include/costab/ROOM.h belong to ROOM."""
    name = path.parts[1] if path.parts[0] == "src" else DOORS.get(path.stem, path.stem)
    return name if name in ROOMS else None


def may_use(room, other):
    return other is not None and (room == other or other in ROOMS[room])


def may_include(path, quote, header):
    room, named, public = room_of(path), pathlib.PurePath(header), path.parts[0] == "include"
    if room is None or ".." in named.parts:
        return False
    if named.parts[0] == "costab":
        return may_use(room, room_of("include" / named))
    if len(named.parts) > 1 and named.parts[0] in ROOMS:
        return not public and may_use(room, named.parts[0])
    if quote == "<":
        return True  # the system's
    return len(named.parts) == 1 and not public and (path.with_name(header).exists() or room in GENERATED.get(header, ()))


def within_walls(path, line):
    path, include = pathlib.Path(path), DIRECTIVE.match(line)
    if OPENMP.search(line):
        return path.parts[:2] == ("src", "sweep")
    return include is None or (include[2] is not None and may_include(path, *include.groups()))


FORBIDDEN = """src/base/x.c #include "costab/method.h"
src/base/x.c #include <costab/method.h>
src/planar/x.c   #  include "network/model.h"
src/planar/x.c #include <sweep/plan.h>
src/store/x.h #include "../planar/row.h"
src/store/x.c #include "costab/planar.h"
src/attic/x.c #include <stdio.h>
src/store/x.c #include "costab/area.h"
src/planar/x.c #include "costab/nowhere.h"
src/planar/x.c #include "nowhere.h"
src/planar/x.c #include "plots.h"
src/planar/x.c #include HEADER
include/costab/sweep.h #include "costab/planar.h"
include/costab/sweep.h #include "base/error.h"
src/planar/x.c #pragma omp simd
src/planar/x.c     _Pragma("omp parallel for")"""
ALLOWED = """src/base/x.c #include "base/error.h"
src/base/x.c #include "version.h"
src/planar/x.c #include "costab/method.h"
src/planar/x.c #include <sys/stat.h>
src/figure/x.c #include "plots.h"
src/exact/x.c #include "costab/area.h"
src/cli/x.c #include "costab/store.h"
src/sweep/run.c #pragma omp parallel for
src/planar/x.c #pragma GCC unroll 4
include/costab/study.h #include "costab/spec.h\""""


def main():
    for files, least in ((pathlib.Path().glob("src/*/*.[ch]"), 300), (pathlib.Path("include/costab").glob("*.h"), 10)):
        lines = [(path, number, line) for path in sorted(files) for number, line in enumerate(path.read_text().splitlines(), 1)]
        faults = [f"{path}:{number}: {line}" for path, number, line in lines if not within_walls(path, line)]
        read = len({path for path, _, _ in lines})
        ok(not faults and read > least, f"{read} files of {lines[0][0].parts[0]} keep to the table of src/README.md", *faults)
    names = list(ROOMS)
    up = [f"{room} may use {other}" for i, room in enumerate(names) for other in ROOMS[room] if other not in names[:i]]
    ok(not up and "planar" not in ROOMS["network"], "the table's rooms use only rooms above their own line", *up)
    folders = {path.name for path in pathlib.Path("src").iterdir() if path.is_dir()}
    ok(folders == set(names), "the table has every room", *folders ^ set(names))
    for lines, expected in ((FORBIDDEN, False), (ALLOWED, True)):
        wrong = [line for line in lines.splitlines() if within_walls(*line.split(" ", 1)) != expected]
        ok(not wrong, f"examples of what is {'allowed' if expected else 'forbidden'} are", *wrong)
    finish()


main()
