#!/usr/bin/env python3
"""Who includes whom, who calls whom by the symbols of the objects that make builds, and the sources that comments cite. A file may use
what its module may use (the table of src/README.md), and no more than two files depend on each other in a circle. Prints TAP.

A circle is a strongly connected component of more than one file of the graph of calls, found as the files that reach each other."""
import os
import pathlib
import re
import subprocess

from tap import COSTAB, finish, ok

LARGEST_CIRCLE = 2
# The modules, the lowest first, and the modules that each may use.
ROW = re.compile(r"^\| ([a-z]\w*) \|[^|]*\| ([a-z, -]+) \|$", re.M)
MODULES = {module: set(re.findall(r"\w+", uses)) for module, uses in ROW.findall(pathlib.Path("src/README.md").read_text()) if module != "module"}
# Public headers that do not have their module's name; costab.h includes all headers.
DOORS = {"checkpoint": "store", "style": "base", "modes": "network", "margin": "analysis", "advise": "analysis", "tune": "analysis", "locus": "analysis",
         "costab": "cli"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]*)', re.M)
KEY = r"\[([A-Z][A-Za-z]{1,4})\]"


def module_of(path):
    """src/MODULE/FILE and include/costab/MODULE.h belong to MODULE."""
    return path.parts[1] if path.parts[0] == "src" else DOORS.get(path.stem, path.stem)


def included(path, header):
    """The module of an included header; None for a header of the system, a generated header and one in the same folder."""
    first, *rest = pathlib.PurePath(header).parts
    if first == "costab":
        return module_of(pathlib.Path("include", header))
    return first if first == ".." or (rest and pathlib.Path("src", first).is_dir()) else None


def calls(files):
    """Of each source the sources that define what it lacks, with one of these names."""
    objects = {f"{pathlib.Path(COSTAB).parent}/obj/{path.with_suffix(width + '.o')}": path
               for path in files for width in ([".2"] if path.stem.endswith("_kernel") else [""])}
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
    names = list(MODULES)
    ok(all(MODULES[module] <= set(names[:at]) for at, module in enumerate(names)), "a module uses modules above its own line of the table alone", MODULES)
    texts = {path: path.read_text() for path in sorted([*pathlib.Path().glob("src/*/*.[ch]"), *pathlib.Path().glob("include/costab/*.h")])}
    uses = [(path, header, included(path, header)) for path, text in texts.items() for header in INCLUDE.findall(text)]
    wrong = [f"{path} includes {header}" for path, header, module in uses if module not in {None, module_of(path)} | MODULES.get(module_of(path), set())]
    ok(len(uses) > 2000 and not wrong, f"of {len(uses)} includes none is of a module that the file may not use", *wrong)
    wrong = [f"{path} includes {header}" for path, header, module in uses if module_of(path) == "figure" and module not in {None, "figure", "base", "store"}
             and not header.startswith("costab/")]
    ok(not wrong, "figure includes public headers, base and store alone", *wrong)
    wrong = [path for path, text in texts.items() if re.search(r"^[ \t]*#[ \t]*pragma[ \t]+omp\b", text, re.M) and path.parts[:2] != ("src", "sweep")]
    ok(not wrong, "OpenMP's pragmas stand in sweep alone", *wrong)
    clones = [name for text in texts.values() for name in re.findall(r"^BASE_CLONES\s[^;{]*?(\w+)\(", text, re.M)]
    ok(len(clones) == len(set(clones)) > 10, f"the {len(clones)} functions with several versions have names of their own", *clones)

    files = [path for path in texts if path.suffix == ".c" and path.name != "absent.c"]  # which is of builds without that part
    graph = calls(files)
    ok(sum(map(len, graph.values())) > 1000, f"{len(files)} objects were read")
    wrong = [f"{p} calls {name} of {q}" for p in files for q, name in graph[p].items() if module_of(q) not in {module_of(p)} | MODULES[module_of(p)]]
    ok(not wrong, "no file calls what its module may not use", *wrong)
    reach = {path: reached(graph, path) for path in files}
    circles = {frozenset(q for q in reach[p] if p in reach[q]) for p in files}
    large = [" ".join(map(str, sorted(circle))) for circle in circles if len(circle) > LARGEST_CIRCLE]
    ok(not large, f"no circle has more than {LARGEST_CIRCLE} files", *large)

    index = pathlib.Path("include/costab/costab.h")
    listed = set(re.findall(r"^ \*   " + KEY, texts.pop(index), re.M))
    cited = {key for text in texts.values() for comment in re.findall(r"/\*.*?\*/", text, re.S) for key in re.findall(KEY, comment)}
    ok(listed == cited, f"the sources that comments cite are the {len(listed)} in the list of {index}", *listed ^ cited)
    finish()


main()
