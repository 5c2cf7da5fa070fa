#!/usr/bin/env python3
"""The key `compression`: files that any HDF5 opens, with the same values; how large they are; the same bytes however they come
about. Prints TAP."""
import os
import pathlib

import h5py
import numpy as np

from tap import costab, EFFORT, finish, ok, workplace

PLANAR = """system: planar
schemes: [zigzag, strong]
axes:
  a: [-0.5, 0.5]
  gamma: {from: -6, to: 2, points: 101}
  delta: {from: -2, to: 14, points: 223}
fields: [class, trace, determinant, spectral_radius, row_intervals]
"""
NETWORK = """system: network
parameters: {k: 1, H: 0.1}
subsystems:
  - {name: left, A: [[0, 1], [-1-k, -0.1]], B: [[0], [k]], C: [[1, 0]], inputs: [u], outputs: [x], method: rk4, substeps: 1}
  - {name: right, A: [[0, 1], [-1-k, -0.1]], B: [[0], [k]], C: [[1, 0]], inputs: [u], outputs: [x], method: rk4, substeps: 1}
connections: [{from: left.x, to: right.u}, {from: right.x, to: left.u}]
coupling: {scheme: jacobi, macro_step: H}
axes:
  H: {from: 0.01, to: 1.5, points: 65}
  k: {from: 0.1, to: 10, points: 61}
fields: [class, spectral_radius]
refine: true
"""
CHOICES = ["fast", "none", "integers"]


def read(path):
    """Every dataset over axes, as bytes, and the filters of those of doubles and of codes; all have checksums."""
    with h5py.File(path) as file:
        fields = {name: data for name, data in file.items() if isinstance(data, h5py.Dataset) and data.chunks and data.ndim > 1}
        filters = {(data.dtype.kind, data.compression, data.shuffle) for data in fields.values() if data.fletcher32}
        return {name: data[...].tobytes() for name, data in fields.items()}, filters


def sweep(name, text, *options):
    with open(name + ".yaml", "w") as file:
        file.write(text)
    run = costab("sweep", name + ".yaml", "--quiet", *options)
    return run.returncode == 0 and run.stderr == ""


def check(system, spec):
    files = {}
    for choice in CHOICES:
        ok(sweep(choice, f"compression: {choice}\n" + spec), f"{system}: compression: {choice}")
        files[choice] = read(choice + ".h5")
        run = costab("info", choice + ".h5")
        ok(run.returncode == 0 and "class" in run.stdout, f"{system}: {choice}: costab reads it", run.stderr)
    values = [file[0] for file in files.values()]
    ok(values[0] == values[1] == values[2] and len(values[0]) > 1, f"{system}: the same values, bit for bit, read by h5py")
    ok([file[1] for file in files.values()] == [{("f", "gzip", True), ("u", "gzip", False)}, {("f", None, False), ("u", None, False)},
                                                {("f", None, False), ("u", "gzip", False)}],
       f"{system}: HDF5's own filters, or none, and checksums", *(file[1] for file in files.values()))
    sizes = [os.path.getsize(choice + ".h5") for choice in CHOICES]
    ok(sizes[0] < sizes[2] < sizes[1], f"{system}: fast is smaller than integers, and that smaller than none", sizes)
    # the spec's text is another one; without the key integers are compressed
    ok(sweep("absent", spec) and read("absent.h5") == files["integers"] and abs(os.path.getsize("absent.h5") - sizes[2]) < 100,
       f"{system}: without the key it is integers")


def check_many_chunks():
    """So many that HDF5 gives up texts that it keeps in memory while the chunks are counted."""
    points = 65537
    grid = f"{{gamma: {{from: -6, to: 2, points: {points}}}, delta: {{from: -2, to: 14, points: {points}}}, a: 0.5}}"
    good, spec = sweep("many", f"system: planar\nschemes: [zigzag]\naxes: {grid}\n"), pathlib.Path("many.yaml").read_text()
    if good:
        with h5py.File("many.h5") as file:
            field = file["class"]
            scales = [field.dims[i][0] for i in range(4)]
            good = field.id.get_num_chunks() == points and file["spec"][()].decode() == spec and list(file["scheme"].asstr()) == ["zigzag"] \
                and [scale.name[1:] for scale in scales] == ["scheme", "a", "gamma", "delta"] and scales[2][-1] == 2 and scales[3][-1] == 14
    pathlib.Path("many.h5").unlink(missing_ok=True)
    ok(good, f"a field of {points} chunks has its axes and their texts")


with workplace():
    if EFFORT > 1:
        check_many_chunks()
    check("planar", PLANAR)
    sweep("one", PLANAR, "--threads", "1", "-o", "one.h5")
    parts = [f"{k}.part" for k in (1, 2)]
    good = all(sweep("one", PLANAR, "--slice", f"{k}/2", "-o", part) for k, part in enumerate(parts, 1))
    good = good and costab("merge", *parts, "-o", "merged.h5").returncode == 0 and sweep("one", PLANAR, "--threads", "3", "-o", "three.h5")
    whole = pathlib.Path("one.h5").read_bytes()
    ok(good and pathlib.Path("merged.h5").read_bytes() == whole == pathlib.Path("three.h5").read_bytes(),
       "the same bytes for one thread, three, and slices that are merged")
    check("network", NETWORK)
    run = costab("compare", "fast.h5", "none.h5")
    ok(run.returncode == 0, "costab compares files of different compression", run.stderr)
    for system, spec in ("planar", PLANAR), ("network", NETWORK):
        good = not sweep("before", "compression: small\n" + spec) and sweep("fast", "compression: fast\n" + spec)
        run = costab("sweep", "before.yaml", "--quiet")
        ok(run.returncode == 0 and run.stderr == "before.yaml:1:14: warning: compression: 'small' was removed, 'fast' is used\n",
           f"{system}: small is read as fast, with a warning", run.stderr)
        ok(good and read("before.h5") == read("fast.h5"), f"{system}: and makes the same file as fast")
        for command in ["info", "before.h5"], ["plot", "before.h5", "--script-only", "-q"]:
            run = costab(*command)
            ok(run.returncode == 0 and run.stderr == "", f"{system}: costab {command[0]} of that file says nothing of it", run.stderr)
    with open("wrong.yaml", "w") as file:
        file.write("compression: tiny\n" + PLANAR)
    run = costab("sweep", "wrong.yaml")
    ok(run.returncode == 2 and "wrong.yaml:1:14: error: compression: " in run.stderr and "fast" in run.stderr, "another word is refused", run.stderr)
    finish()
