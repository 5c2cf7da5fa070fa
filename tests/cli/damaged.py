#!/usr/bin/env python3
"""Results files that are cut, changed or not ours, given to `plot`, `info` and `export` (TAP).

Each is refused with exit status 2 and a message that names the file and says what to do; nothing is printed or
written. Where one bit was changed the values may be read instead, but then they are the right ones: all chunks have
checksums, and the structure too, but for the texts of the spec and of labels (HDF5's global heaps)."""
import os
import pathlib
import random
import shutil
import socket
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import netCDF4
import numpy as np

from tap import COSTAB, NETWORK, costab, effort, finish, note, ok, stride

SPEC = """system: planar
schemes: [zigzag]
axes: {a: [-0.5, 0.5], gamma: {from: -6, to: 2, points: 33}, delta: {from: -2, to: 14, points: 33}}
fields: [class, trace]
figure: {kind: regions, panels: a}
"""
FIELDS = {"planar": ("class", "trace"), "network": ("class", "spectral_radius")}
CUTS, FLIPS = effort(2), effort(5)
ADVICE = ("run the sweep again", "a file that costab sweep wrote", "cannot read")
tried = 0


def complaint(path, command, folder, words=None, **options):
    """What is wrong with how a command refuses a file, or None."""
    arguments = [command, path] + (["--script-only", "-o", folder] if command == "plot" else [])
    done = costab(*arguments, timeout=60, **options)
    if done.returncode != 2:
        return f"{command}: exit status {done.returncode}: {done.stderr.strip()}"
    if done.stdout:
        return f"{command}: printed {done.stdout[:100]!r}"
    if os.path.basename(path) not in done.stderr or not any(a in done.stderr for a in words or ADVICE):
        return f"{command}: said {done.stderr.strip()!r}"
    return None


def refused(paths, what, folder, words=None, **options):
    """Every one of the files, by both commands."""
    global tried
    jobs = [(path, command) for path in paths for command in ("info", "plot")]
    tried += len(jobs)
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        said = list(pool.map(lambda job: complaint(*job, folder, words, **options), jobs))
    bad = [f"{os.path.basename(job[0])}: {s}" for job, s in zip(jobs, said) if s]
    left = os.listdir(folder)
    ok(not bad and not left, f"{what}: exit status 2, {len(jobs)} times", *bad[:5], *left)


def values(path):
    """All fields as CSV; None where one of them, or the file, is refused as it should be; or what is wrong."""
    found = []
    for field in FIELDS[path.parts[-2].split("-")[0]]:
        done = costab("export", path, "--of", field, timeout=60)
        if done.returncode == 2 and path.name in done.stderr:
            return None
        if done.returncode != 0:
            return f"exit status {done.returncode}: {done.stderr.strip()}"
        found.append(done.stdout)
    return found


def noticed(good, paths, what):
    """Files with one other bit: refused, or read as the good one is."""
    global tried
    tried += len(paths)
    right = values(pathlib.Path(good))
    with ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        found = list(pool.map(values, map(pathlib.Path, paths)))
    bad = [f"{path}: {str(one)[:200]}" for path, one in zip(paths, found) if one is not None and one != right]
    refusals = found.count(None)
    ok(isinstance(right, list) and not bad and refusals > len(paths) / 3,
       f"{what}: {refusals} of {len(paths)} are refused, and the others have the right values", *bad[:5])


def in_heap(good, bit):
    """Whether it is in one of HDF5's collections of texts, which have no checksum."""
    at = good.find(b"GCOL")
    while at >= 0:
        size = int.from_bytes(good[at + 8:at + 16], "little")
        if at <= bit // 8 < at + size:
            return True
        at = good.find(b"GCOL", at + 4)
    return False


def write_all(folder, contents):
    os.makedirs(folder)
    for number, content in enumerate(contents):
        pathlib.Path(folder, f"bad{number}.h5").write_bytes(content)
    return [os.path.join(folder, f"bad{number}.h5") for number in range(len(contents))]


def flipped(good, bit):
    changed = bytearray(good)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def foreign(folder):
    """Files of other programs, and some that only look like one of ours."""
    with h5py.File(f"{folder}/h5py.h5", "w") as file:
        file["class"] = np.zeros((4, 4), np.uint8)
    with netCDF4.Dataset(f"{folder}/netcdf4.h5", "w") as file:
        file.createDimension("a", 3)
        file.createVariable("a", "f8", ("a",))[:] = [1, 2, 3]
    with netCDF4.Dataset(f"{folder}/netcdf3.h5", "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("a", 3)
        file.createVariable("a", "f8", ("a",))[:] = [1, 2, 3]
    np.save(f"{folder}/array.npy", np.zeros(100))
    pathlib.Path(folder, "spec.txt").write_text(SPEC)
    pathlib.Path(folder, "empty.h5").write_bytes(b"")
    pathlib.Path(folder, "signature.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    pathlib.Path(folder, "noise.h5").write_bytes(random.Random(1).randbytes(100000))
    pathlib.Path(folder, "signed-noise.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + random.Random(2).randbytes(100000))
    pathlib.Path(folder, "zeros.h5").write_bytes(bytes(100000))
    os.makedirs(f"{folder}/folder.h5")
    os.mkfifo(f"{folder}/pipe.h5")
    os.symlink("nothing.h5", f"{folder}/dangling.h5")
    os.symlink("loop.h5", f"{folder}/loop.h5")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"{folder}/socket.h5")
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


def main():
    with tempfile.TemporaryDirectory() as work:
        out = os.path.join(work, "out")
        os.makedirs(out)
        for name, text in (("planar", SPEC), ("network", NETWORK)):
            path = os.path.join(work, name)
            pathlib.Path(path + ".yaml").write_text(text)
            made = costab("sweep", path + ".yaml", "-o", path + ".h5")
            drawn = costab("plot", path + ".h5", "--script-only", "-o", work)
            ok(made.returncode == 0 and drawn.returncode == 0, f"{name}: the whole file can be drawn",
               made.stderr, drawn.stderr)
            good = pathlib.Path(path + ".h5").read_bytes()
            chance = random.Random(name)
            cuts = sorted({0, 1, 7, 8, 9, len(good) - 1} | {chance.randrange(len(good)) for _ in range(CUTS)})
            refused(write_all(path + "-cut", [good[:n] for n in cuts]), f"{name}, cut short", out)
            bits = [*range(0, 64, 8), *(8 * len(good) - 1 - k for k in range(0, 448, 24))][::stride(6)]
            bits += [chance.randrange(8 * len(good)) for _ in range(FLIPS)]
            bits = [bit for bit in bits if not in_heap(good, bit)]
            os.makedirs(path + "-good")
            noticed(shutil.copy(path + ".h5", path + "-good"), write_all(path + "-bit", [flipped(good, b) for b in bits]),
                    f"{name}, one bit changed")
            page = bytes(512)
            more = [good[:600] + page + good[1112:], good[512:], b"\n" + good]
            refused(write_all(path + "-more", more), f"{name}, shifted or with a hole", out)
        other = os.path.join(work, "other")
        os.makedirs(other)
        refused(foreign(other), "other kinds of files", out)
        refused([os.path.join(work, "absent.h5"), os.path.join(work, "no", "absent.h5")], "no file", out, ["No such file"])
        locked = os.path.join(work, "locked.h5")
        pathlib.Path(locked).write_bytes(good)
        os.chmod(locked, 0)
        options = {}
        if os.geteuid() == 0:  # somebody else, with a copy of the program where everybody may read
            os.chmod(work, 0o755)
            options = {"user": 65534, "program": shutil.copy(COSTAB, work)}
        refused([locked], "a file without permission", out, ["Permission denied"], **options)
        note(f"{tried} damaged or foreign files given to commands")
    finish()


if __name__ == "__main__":
    main()
