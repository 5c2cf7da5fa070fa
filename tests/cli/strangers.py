#!/usr/bin/env python3
"""Files that somebody made to do harm: results files, specs with orders for a terminal (TAP).

None makes the program open another file, take much memory, crash, or print what a terminal obeys."""
import os
import pathlib
import re
import resource
import shutil

import h5py
import numpy as np

from tap import EFFORT, NETWORK, costab, finish, ok, workplace

SPEC = """title: T
system: planar
schemes: [zigzag, cross]
axes: {a: [-0.5, 0.5], gamma: {from: -6, to: 2, points: 9}, delta: {from: -2, to: 14, points: 9}}
fields: [class, trace]
"""
ORDERS = "\x1b]0;owned\x07 \x9b31m \u202egnp\u2066 \x85 end"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def forged(name, change, base="planar.h5"):
    """A copy of a good file, changed through HDF5."""
    path = pathlib.Path(name + ".h5")
    shutil.copy(base, path)
    with h5py.File(path, "r+") as file:
        change(file)
    return path


def numbered(name, base, axis):
    """A copy whose axis has numbers instead of words. It is made anew: axes come before their fields."""
    path = pathlib.Path(name + ".h5")
    names = []
    with h5py.File(base) as old, h5py.File(path, "w", track_order=True, libver=("earliest", "v108")) as new:
        for key in old.attrs:
            from_one = h5py.h5a.open(old.id, key.encode())
            value = np.empty(from_one.shape, from_one.dtype)
            from_one.read(value)
            h5py.h5a.create(new.id, key.encode(), from_one.get_type(), from_one.get_space()).write(value)
        old.id.links.iterate(lambda link: names.append(link.decode()), idx_type=h5py.h5.INDEX_CRT_ORDER)
        for each in names:
            if each == axis:
                new.create_dataset(each, data=np.arange(len(old[each])) + 1.0).attrs["CLASS"] = np.bytes_("DIMENSION_SCALE")
            else:
                old.copy(each, new)
    return path


def replace(make):
    """A change: the field `class` goes, make(file, shape, attributes) puts another one."""

    def change(file):
        old = file["class"]
        shape, attributes = old.shape, {name: old.attrs[name] for name in ("DIMENSION_LABELS",)}
        del file["class"]
        make(file, shape)
        if isinstance(file.get("class", getlink=True), h5py.HardLink):
            file["class"].attrs.create("DIMENSION_LABELS", attributes["DIMENSION_LABELS"],
                                       dtype=h5py.string_dtype("utf-8"))

    return change


def large_chunks(file, shape):
    """Only the interface below h5py's lets chunks be larger than their dataset."""
    space = h5py.h5s.create_simple(shape, tuple([h5py.h5s.UNLIMITED] * len(shape)))
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_chunk((64,) * len(shape))
    h5py.h5d.create(file.id, b"class", h5py.h5t.NATIVE_UINT8, space, properties)


def outer_storage(file, shape):
    file.create_dataset("class", shape, "u1", external=[("secret.bin", 0, int(np.prod(shape)))])


def virtual(file, shape):
    layout = h5py.VirtualLayout(shape, "u1")
    layout[...] = h5py.VirtualSource("secret.h5", "class", shape)
    file.create_virtual_dataset("class", layout)


FORGED = {
    "a soft link": (replace(lambda file, shape: file.__setitem__("class", h5py.SoftLink("/trace"))), "is a link"),
    "an external link": (replace(lambda file, shape: file.__setitem__("class", h5py.ExternalLink("secret.h5", "/class"))),
                         "is a link"),
    "values in another file": (replace(outer_storage), "in another file"),
    "a virtual dataset": (replace(virtual), "in other files or datasets"),
    "chunks larger than their dataset": (replace(large_chunks), "chunks that are larger"),
    "a filter of no use here": (replace(lambda file, shape: file.create_dataset(
        "class", shape, "u1", chunks=shape, scaleoffset=4)), "a filter that costab does not use"),
    "a filter that is a plug-in": (replace(lambda file, shape: file.create_dataset(
        "class", shape, "u1", chunks=shape, compression="lzf")), "a filter that costab does not use"),
}


def run(*arguments):
    """With 4 GB of address space, but for sanitizers, which take more; and for a minute."""
    limit = 4 << 30
    sanitizer = {"ASAN_OPTIONS", "TSAN_OPTIONS"} & os.environ.keys()
    return costab(*arguments, timeout=60,
                  preexec_fn=None if sanitizer else lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))


def refused(name, path, words, number=0):
    """By info and plot; if EFFORT is at most 1, by one of them in turn."""
    commands = ["info", path], ["plot", path, "--script-only", "-o", "out"]
    for command in commands if EFFORT > 1 else [commands[number % 2]]:
        done = run(*command)
        if not ok(done.returncode == 2 and words in done.stderr and not os.listdir("out") and not done.stdout,
                  f"{name}: costab {command[0]} refuses it", done.returncode, done.stderr):
            return


def is_plain(said):
    return not OBEYED.search(said)


def main():
    for name, spec in (("planar", SPEC), ("network", "title: T\n" + NETWORK)):
        pathlib.Path(name + ".yaml").write_text(spec)
        done = costab("sweep", name + ".yaml")
        ok(done.returncode == 0 and costab("info", name + ".h5").returncode == 0, f"{name}: the good file", done.stderr)
    os.mkdir("out")
    shutil.copy("planar.h5", "secret.h5")
    pathlib.Path("secret.bin").write_bytes(bytes(10000))
    for number, (name, (change, words)) in enumerate(FORGED.items()):
        refused(name, forged(f"forged{number}", change), words, number)

    def huge(file):
        for axis in ("gamma", "delta"):
            attributes = dict(file[axis].attrs)
            del file[axis]
            file.create_dataset(axis, (1 << 20,), "f8", chunks=(1 << 10,), compression="gzip")
            for key in ("CLASS", "NAME"):
                file[axis].attrs[key] = attributes[key]

    refused("axes of a million values that are not there", forged("huge", huge), "huge.h5")

    # ---- Numbers where a figure has words.
    pathlib.Path("model.yaml").write_text(NETWORK[:NETWORK.index("axes:")])
    for kind, axis, command in (("limit", "parameter", ["limit", "--over", "k=1:400"]), ("tornado", "margin", ["margin", "--parameters", "k"]),
                                ("time", "signal", ["simulate", "--until", "1"])):
        done = costab(command[0], "model.yaml", *command[1:], "-o", kind + ".h5")
        again = run("plot", kind + ".h5", "--kind", kind, "--script-only", "-o", "drawn-" + kind + ".gp")
        ok(done.returncode == again.returncode == 0, f"{kind}: the good file is drawn", done.stderr, again.stderr)
        path = numbered("numbers-" + kind, kind + ".h5", axis)
        said, done = run("info", path), run("plot", path, "--kind", kind, "--script-only", "-o", "out")
        ok(said.returncode == 0 and done.returncode == 2 and "draws" in done.stderr and not os.listdir("out"),
           f"{kind}: numbers on the axis '{axis}'", said.stderr, done.returncode, done.stderr)

    # ---- What codes mean goes into tables of other programs as it stands: a plain word per code.
    def meaning(words):
        return lambda file: file["class"].attrs.create("flag_meanings", words, dtype=h5py.string_dtype("utf-8"))

    for name, words in (("a comma", "UU US SU SS,x not_computed failed"), ("a quote", 'UU US SU SS" not_computed failed'), ("too few", "UU US SU SS"),
                        ("too many", "UU US SU SS not_computed failed more"), ("an empty one", "UU US  SU SS not_computed")):
        refused("meanings of codes: " + name, forged("meaning", meaning(words)), "one plain word each")

    # ---- The stored spec names files: none is opened. A named pipe would be waited for.
    os.mkfifo("pipe.mat")
    os.mkfifo("pipe.yaml")
    for name, text in (("matrix", NETWORK.replace("[[0, 1], [-k, -1]]", "{file: pipe.mat, name: A}")),
                       ("model", "title: T\nsystem: network\nmodel: pipe.yaml\naxes: {k: [1, 2]}\nfigure: {kind: curve}\n")):

        def other_spec(file, words=text):
            file["spec"][()] = words

        path = forged("names-" + name, other_spec, "network.h5")
        for what in (["--script-only", "-o", "out"], ["-o", "out/page.html"]):
            done = run("plot", path, *what)
            ok(done.returncode == 0, f"a stored spec that names a {name}'s file: plot {what[-1]} does not open it", done.returncode, done.stderr)

    # ---- What a terminal would obey.
    def orders(file):
        for key in ("title", "source", "revision"):
            was = file.attrs[key]
            was = was.decode() if isinstance(was, bytes) else was
            value = (was + ORDERS).encode()
            file.attrs.create(key, np.bytes_(value), dtype=h5py.string_dtype("utf-8", len(value)))
        file["spec"][()] = SPEC + "# " + ORDERS + "\n"

    done = run("info", forged("orders", orders))
    ok(done.returncode == 0 and "\\x1b]0;owned" in done.stdout and is_plain(done.stdout),
       "orders to a terminal in a title and a spec are shown as numbers", done.stdout, done.stderr)
    quoted = '"' + "".join(f"\\u{ord(c):04x}" if ord(c) > 126 or ord(c) < 32 else c for c in ORDERS) + '"'
    for name, spec in (("a value", SPEC.replace("zigzag, cross", quoted)), ("a key", SPEC + quoted + ": 1\n"),
                       ("a title", SPEC.replace("title: T", "title: " + quoted)),
                       ("a subsystem's name", NETWORK.replace("name: mass", "name: " + quoted)),
                       ("a raw mark", SPEC.replace("title: T", "title: [\u202egnp, \u2066x]"))):
        pathlib.Path("orders.yaml").write_text(spec)
        done = run("sweep", "orders.yaml", "-o", "orders-out.h5", "--force")
        ok(done.returncode in (0, 2) and is_plain(done.stderr), f"orders in {name} of a spec", done.stderr)

    # ---- Fonts go into gnuplot's commands and SVG files.
    for font in ("<script>alert(1)</script>", "Sans'; system('id')", 'x" y', "a/b", "a\\nb"):
        pathlib.Path("font.yaml").write_text(SPEC + f"figure: {{kind: regions, font: {font!r}}}\n")
        done = run("sweep", "font.yaml", "--dry-run")
        ok(done.returncode == 2 and "font.yaml:6" in done.stderr and "letters, digits" in done.stderr,
           f"the font {font}", done.returncode, done.stderr)
    finish()


with workplace():
    main()
