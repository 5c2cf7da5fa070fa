#!/usr/bin/env python3
"""Results in place of older files: every command that writes a file keeps the mode of the one that it replaces, follows symbolic
links to it, and leaves its other names (hard links) to the older file. Prints TAP."""
import os
import pathlib
import stat

from tap import NETWORK, costab, finish, ok, stride, workplace

PLANAR = """system: planar
schemes: [cross]
axes: {a: [0.5], gamma: {from: -4, to: 0, points: 9}, delta: {from: -1, to: 9, points: 9}}
fields: [class]
figure: {kind: classes}
"""
# What writes a file: its ending, and the arguments before its name.
WRITERS = [
    (".h5", ["sweep", "planar.yaml", "-o"]),
    (".part", ["sweep", "planar.yaml", "--slice", "1/1", "-o"]),
    (".h5", ["merge", "whole.part", "-o"]),
    (".h5", ["simulate", "network.yaml", "--until", "1", "-o"]),
    (".h5", ["map", "network.yaml", "-o"]),
    (".h5", ["limit", "network.yaml", "--over", "H=0.01:0.5", "-o"]),
    (".csv", ["export", "whole.h5", "--format", "csv", "--force", "-o"]),
    (".svg", ["plot", "whole.h5", "-o"]),
]


def listing():
    """All that is there, except what plot writes beside a figure; and of what kind."""
    return {str(p): stat.S_IFMT(p.lstat().st_mode) for p in sorted(pathlib.Path().rglob("*")) if p.suffix not in (".gp", ".dat")}


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def write(arguments, name):
    done = costab(*arguments, name)
    return done.returncode == 0, done.stderr


def check(number, ending, arguments):
    said = " ".join(arguments[:4])
    plain = f"plain{ending}"
    os.umask(0o027)
    good, problem = write(arguments, plain)
    ok(good and mode(plain) == 0o640, f"{said}: a new file has the mode that the umask leaves", oct(mode(plain)), problem)
    bytes_ = pathlib.Path(plain).read_bytes()
    found = []
    for umask, kept in ((0o022, 0o600), (0o077, 0o664), (0o000, 0o644))[number % stride(3)::stride(3)]:
        os.chmod(plain, kept)
        os.umask(umask)
        good, problem = write(arguments, plain)
        found.append(good and mode(plain) == kept)
        os.umask(0o022)
    ok(all(found), f"{said}: one in place of another has the mode of that", found, problem)

    # A second name of the older file: it keeps what it was, as a copy that someone put aside.
    os.link(plain, f"aside{ending}")
    os.truncate(plain, 0)  # both are empty now
    before = listing()
    good, problem = write(arguments, plain)
    ok(good and os.path.getsize(f"aside{ending}") == 0 and not os.path.samefile(plain, f"aside{ending}") and
       os.path.getsize(plain) == len(bytes_) and listing() == before, f"{said}: another hard link keeps the older file", problem)

    # Links to links, into a folder that is linked itself.
    os.mkdir("store")
    os.symlink("store", "linked")
    os.symlink(f"linked/target{ending}", f"one{ending}")
    os.symlink(f"one{ending}", f"two{ending}")
    pathlib.Path(f"store/target{ending}").touch(0o600)
    before = listing()
    good, problem = write(arguments, f"two{ending}")
    ok(good and listing() == before and os.path.getsize(f"store/target{ending}") == len(bytes_) and mode(f"store/target{ending}") == 0o600,
       f"{said}: symbolic links stay, and what they lead to is replaced", sorted(set(listing()) ^ set(before)), problem)

    os.unlink(f"store/target{ending}")
    before = listing()
    done = costab(*arguments, f"two{ending}")
    ok(done.returncode == 1 and f"two{ending}" in done.stderr and listing() == before,
       f"{said}: a link to nothing is refused, and nothing is made", done.returncode, done.stderr, sorted(set(listing()) ^ set(before)))


def main():
    for name, text in ("planar.yaml", PLANAR), ("network.yaml", NETWORK):
        pathlib.Path(name).write_text(text)
    inputs = {"planar.yaml", "network.yaml"}
    for arguments in ["sweep", "planar.yaml", "-o", "whole.h5"], ["sweep", "planar.yaml", "--slice", "1/1", "-o", "whole.part"]:
        done = costab(*arguments)
        assert done.returncode == 0, done.stderr
        inputs.add(arguments[-1])
    for number, (ending, arguments) in enumerate(WRITERS):
        os.mkdir(str(number))
        for name in inputs:
            os.link(name, f"{number}/{name}")
        os.chdir(str(number))
        check(number, ending, arguments)
        os.chdir("..")
    finish()


with workplace() as folder:
    main()
