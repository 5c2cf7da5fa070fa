#!/usr/bin/env python3
"""Who calls whom, by the symbols of the objects that make builds: a file may use what its room may use (the table of src/README.md),
and no more than two files depend on each other in a circle. (tests/lint/walls.py sees includes, which need not be used.) Prints TAP.

A circle is a strongly connected component of more than one file of the graph of calls, found as the files that reach each other."""
import os
import pathlib
import subprocess

from rooms import ROOMS
from tap import COSTAB, finish, ok

LARGEST_CIRCLE = 2


def calls(files):
    """Of each source the sources that define what it lacks, with one of these names."""
    objects = {f"{pathlib.Path(COSTAB).parent}/obj/{path.with_suffix('.o')}": path for path in files}
    symbols = subprocess.run([os.environ.get("NM", "nm"), "-A", "-P", *objects], check=True, capture_output=True, text=True).stdout
    rows = [(objects[where.rstrip(":")], name, kind) for where, name, kind, *_ in map(str.split, symbols.splitlines())]
    defined = {name: path for path, name, kind in rows if kind.isupper() and kind != "U"}
    graph = {path: {} for path in files}
    for path, name, kind in rows:
        if kind == "U" and name in defined:
            graph[path][defined[name]] = name
    return graph


def reached(graph, path):
    found, open_ends = set(), [path]
    while open_ends:
        new = [q for q in graph[open_ends.pop()] if q not in found]
        found.update(new)
        open_ends += new
    return found


def main():
    files = sorted(pathlib.Path().glob("src/*/*.c"))
    graph = calls(files)
    ok(sum(map(len, graph.values())) > 1000, f"{len(files)} objects were read")
    room = {path: path.parts[1] for path in files}
    through = [f"{p} calls {name} of {q}" for p in files for q, name in graph[p].items() if room[q] != room[p] and room[q] not in ROOMS[room[p]]]
    ok(not through, "no file calls what its room may not use", *through)
    reach = {path: reached(graph, path) for path in files}
    circles = {frozenset(q for q in reach[p] if p in reach[q]) for p in files}
    large = [" ".join(map(str, sorted(circle))) for circle in circles if len(circle) > LARGEST_CIRCLE]
    ok(not large, f"no circle has more than {LARGEST_CIRCLE} files", *large)
    finish()


main()
