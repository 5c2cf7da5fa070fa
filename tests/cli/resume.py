#!/usr/bin/env python3
"""Sweeps that are killed, and go on (TAP): the finished file is that of an uninterrupted run, byte for byte.

Most are killed at a drawn call to the disk (tests/shim/faults.c), so that the same moments are hit on any machine, busy or not;
the others after a drawn time.

EFFORT multiplies the six moments and the places that are damaged. Moments go on until one sweep has gone on from a checkpoint."""
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import time
import zlib

from tap import COSTAB, costab, effort, finish, half, note, ok, preload, seed, stride, words, workplace

KILLS = effort(6)
SPEC = """title: Killed
system: planar
schemes: [zigzag, strong]
axes:
  a: [-0.5, 0.25]
  gamma: {from: -6, to: 2, points: 41}
  delta: {from: -2, to: 14, points: 41}
fields: [class, trace, cause]
"""
HEAD = struct.Struct("=16sIIQQQQII")  # magic, order, format, size of the head, plan, first, last, sum of the texts, sum
TEXTS = HEAD.size
cached = []


def older():
    """A results file of another sweep, which may be replaced."""
    if not cached:
        done = costab("sweep", "-", "-o", "older.h5", input="system: planar\nschemes: [zigzag]\naxes: {a: 0, gamma: [0, 1], delta: [0, 1]}\n")
        assert done.returncode == 0, done.stderr
        cached.append(pathlib.Path("older.h5").read_bytes())
        pathlib.Path("older.h5").unlink()
    return cached[0]


def started(*arguments, **options):
    return subprocess.Popen([COSTAB, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **options)


PRELOAD = preload("faults")


def started_until(call, number, *arguments, **options):
    """A run that gets this signal right before so many calls to the disk."""
    return started(*arguments, env={**os.environ, "LD_PRELOAD": PRELOAD, "COSTAB_FAULT_AT": str(call),
                                    "COSTAB_FAULT_SIGNAL": str(int(number))}, **options)


def killed_at(call, *arguments):
    """kill -9 right before so many calls to the disk. Whether it had ended before."""
    process = started_until(call, signal.SIGKILL, *arguments)
    process.communicate()
    return process.returncode != -signal.SIGKILL


def killed_after(seconds, *arguments):
    """Runs for so long; then kill -9. Whether it had ended before."""
    process = started(*arguments)
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        pass
    ended = process.poll() is not None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return ended


def calls_of(spec):
    """How many calls to the disk a sweep on one thread makes."""
    done = costab("sweep", spec, "-o", "counted.h5", "--threads", "1", env={**os.environ, "LD_PRELOAD": PRELOAD, "COSTAB_FAULT_CALLS": "calls"})
    assert done.returncode == 0, done.stderr
    calls = int(pathlib.Path("calls").read_text())
    for name in ("counted.h5", "calls"):
        pathlib.Path(name).unlink()
    return calls


def kept(calls):
    """A checkpoint with some tiles in it, but not all: from a run that is killed on the way."""
    killed_at(calls // 2, "sweep", "spec.yaml", "-o", "x.h5", "--threads", "1")
    return pathlib.Path("x.h5.checkpoint").read_bytes()


def stopped(folder):
    """A run that stands still at its beginning, its checkpoint open."""
    (folder / "large.yaml").write_text(SPEC.replace("points: 41", "points: 51"))
    run = started_until(12, signal.SIGSTOP, "sweep", "large.yaml", "-o", "x.h5", cwd=folder)
    os.waitid(os.P_PID, run.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    return run


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_kills(folder, whole, length, calls):
    generator = random.Random(seed(20140814))
    bad, kills, runs, resumed = [], 0, 0, 0
    while kills < KILLS or resumed == 0:
        runs += 1
        for name in ("x.h5", "x.h5.checkpoint"):
            (folder / name).unlink(missing_ok=True)
        if runs % 2 == 0:
            (folder / "x.h5").write_bytes(older())
        for attempt in range(generator.choice([1, 1, 2, 3])):
            arguments = ["sweep", "spec.yaml", "-o", "x.h5", "--resume", "--threads", str(generator.choice([1, 2, 5]))]
            if attempt > 0 and generator.random() < 0.5:
                ended = killed_after(generator.uniform(0, 1.05) * length, *arguments)
            else: # threads that wait for each other may save a call or two
                ended = killed_at(generator.randint(1, calls * 9 // 10), *arguments)
            kills += not ended
            if (folder / "x.h5").exists() and (folder / "x.h5").read_bytes() not in (whole, older()):
                bad.append(f"run {runs}: an unfinished file under the final name")
            if ended:
                break
        last = costab("sweep", "spec.yaml", "-o", "x.h5", "--resume", "--threads", str(generator.choice([1, 2, 5])), cwd=folder)
        resumed += "continues after tile" in last.stderr
        if last.returncode != 0 or (folder / "x.h5").read_bytes() != whole or names(folder) != ["spec.yaml", "x.h5"]:
            bad.append(f"run {runs}: exit status {last.returncode}, {names(folder)}, {last.stderr}")
        if runs == 5 * KILLS + 25:
            bad.append(f"only {kills} of {runs} runs could be killed")
            break
    note(f"{kills} times kill -9 in {runs} sweeps, {runs - len(bad)} of them survived; {resumed} went on from a checkpoint")
    ok(not bad and resumed > 0, f"kill -9 at {KILLS} moments or more, then --resume: the same bytes, nothing else left", *bad)


def test_every_call(folder, whole, calls):
    """kill -9 before calls to the disk, with EFFORT=10 before each, the last steps of the file among them."""
    bad = []
    for call in range(calls, 0, -stride(20)):
        (folder / "x.h5").write_bytes(older())
        killed_at(call, "sweep", "spec.yaml", "-o", "x.h5", "--threads", "1")
        between = (folder / "x.h5").read_bytes()
        last = costab("sweep", "spec.yaml", "-o", "x.h5", "--resume", cwd=folder)
        if between not in (older(), whole) or last.returncode != 0 or (folder / "x.h5").read_bytes() != whole \
                or names(folder) != ["spec.yaml", "x.h5"]:
            bad.append(f"call {call}: exit status {last.returncode}, {names(folder)}, {last.stderr}")
    (folder / "x.h5").unlink()
    ok(calls > 12 and not bad, f"kill -9 before calls to the disk, of {calls}, then --resume: the same bytes", *bad)


def written_by(folder, *arguments):
    """How many bytes a command writes to files."""
    done = costab(*arguments, cwd=folder, env={**os.environ, "LD_PRELOAD": PRELOAD, "COSTAB_FAULT_WRITTEN": "written"})
    count = int((folder / "written").read_text()) if done.returncode == 0 else 0
    (folder / "written").unlink(missing_ok=True)
    return count


def test_written_twice(folder, whole):
    """So many bytes are written, and none is taken away: the disk never needs more than that."""
    size, files = len(whole), {}
    files["in one go"] = written_by(folder, "sweep", "spec.yaml", "-o", "x.h5")
    good = (folder / "x.h5").read_bytes() == whole
    for k in (1, 2):
        files[f"slice {k}"] = written_by(folder, "sweep", "spec.yaml", "-o", f"{k}.part", "--slice", f"{k}/2")
    files["merge"] = written_by(folder, "merge", "1.part", "2.part", "-o", "x.h5")
    good = good and (folder / "x.h5").read_bytes() == whole
    checkpoint = folder / "y.h5.checkpoint"
    for _ in range(20):  # all tiles may be there by then
        run = started("sweep", "spec.yaml", "-o", "y.h5", cwd=folder, env={**os.environ, "LD_PRELOAD": PRELOAD, "COSTAB_FAULT_AT": "3",
                                                                             "COSTAB_FAULT_SIGNAL": str(int(signal.SIGINT))})
        run.communicate()
        if checkpoint.exists():
            break
        (folder / "y.h5").unlink()
    kept = checkpoint.stat().st_size
    files["resumed"] = kept + written_by(folder, "sweep", "spec.yaml", "-o", "y.h5", "--resume")
    parts = files.pop("slice 1") + files.pop("slice 2")
    merged = files.pop("merge")
    ok(good and all(0.99 * size <= count <= 2.1 * size for count in files.values()) and parts <= size and 0.99 * size <= merged <= 1.1 * size,
       f"each byte is written twice at most: a file of {size} bytes with {files}, merged with {merged}, its slices with {parts}")
    for name in ("x.h5", "y.h5", "1.part", "2.part"):
        (folder / name).unlink(missing_ok=True)


def resume(folder, log, *more):
    (folder / "x.h5").unlink(missing_ok=True)
    (folder / "x.h5.checkpoint").write_bytes(log)
    return costab("sweep", "spec.yaml", "-o", "x.h5", *more, cwd=folder)


def test_damage(folder, whole, log):
    generator = random.Random(seed(7))
    bad = []
    head = HEAD.unpack_from(log)[3]
    cuts = [0, 5, 20, TEXTS - 1, TEXTS, head - 1, head, head + 31, head + 32]
    cuts += [generator.randrange(head, len(log)) for _ in range(effort(3))]
    for cut in cuts:
        done = resume(folder, log[:cut], "--resume")
        if done.returncode != 0 or (folder / "x.h5").read_bytes() != whole:
            bad.append(f"cut at {cut}: exit status {done.returncode}, {done.stderr}")
    ok(not bad, f"a checkpoint cut short at {len(cuts)} places: what is whole is used, the same bytes", *bad)
    done = resume(folder, bytes(4096) + log[4096:], "--resume")
    ok(done.returncode == 0 and (folder / "x.h5").read_bytes() == whole,
       "a checkpoint whose first page a loss of power left empty is begun anew", done.stderr)
    bad, refused = [], 0
    places = [generator.randrange(8)] + [generator.randrange(head) for _ in range(effort(3))] + [generator.randrange(head, len(log)) for _ in range(effort(4))]
    for place in places:
        wrong = bytearray(log)
        wrong[place] ^= 1 << generator.randrange(8)
        done = resume(folder, wrong, "--resume")
        if place < head:
            refused += 1
            good = done.returncode == 2 and (folder / "x.h5.checkpoint").read_bytes() == wrong and "x.h5.checkpoint" in done.stderr
        else:
            good = done.returncode == 0 and (folder / "x.h5").read_bytes() == whole and "damaged" in done.stderr
        if not good:
            bad.append(f"bit at {place} of {len(log)} (head {head}): exit status {done.returncode}, {done.stderr}")
    (folder / "taken.h5").write_bytes(log)
    done = costab("info", "taken.h5", cwd=folder)
    (folder / "taken.h5").unlink()
    ok(done.returncode == 2 and "--resume" in done.stderr, "info of a checkpoint says what to do with it", done.stderr)
    ok(not bad, f"{len(places)} wrong bits: in the head refused, behind it detected and gone on with before it, the same bytes", *bad)


def head_with(log, **changes):
    """The log with another head that is right in itself."""
    magic, order, form, size, plan, first, last, texts, _ = HEAD.unpack_from(log)
    body = changes.get("texts", log[TEXTS:size])
    start = HEAD.pack(magic, changes.get("order", order), changes.get("form", form), TEXTS + len(body),
                      changes.get("plan", plan), first, last, zlib.crc32(body), 0)
    return start[:-4] + struct.pack("=I", zlib.crc32(start[:-4])) + body + log[size:]


def test_others(folder, whole, log):
    size = HEAD.unpack_from(log)[3]
    texts = log[TEXTS:size]
    version = texts.split(b"\0")[0]
    assert head_with(log) == log
    swapped = bytearray(log)
    order = slice(16, 20)
    swapped[order] = swapped[order][::-1]
    cases = [
        ("of another spec", head_with(log, texts=texts.replace(b"0.25", b"0.75")), "another spec"),
        ("of another version", head_with(log, texts=texts.replace(version, b"costab 0.0.9 (old) with zlib 1")), "costab 0.0.9"),
        ("of another grid", head_with(log, plan=1), "another grid"),
        ("of another format", head_with(log, form=99), "another format"),
        ("of 0.1.0, with a front before its head", log[:8] + bytes(504) + log, "another format"),
        ("of another byte order", bytes(swapped), "byte order"),
        ("that is a text", b"my notes\n" * 20, "checkpoint of costab"),
    ]
    for what, wrong, word in cases:
        done = resume(folder, wrong, "--resume")
        ok(done.returncode == 2 and word in done.stderr and names(folder) == ["spec.yaml", "x.h5.checkpoint"]
           and (folder / "x.h5.checkpoint").read_bytes() == wrong, f"a checkpoint {what} is refused and stays", done.stderr)
        done = resume(folder, wrong)
        if word == "checkpoint of costab":
            ok(done.returncode == 2 and (folder / "x.h5.checkpoint").read_bytes() == wrong,
               f"a file {what} in its place is never written over", done.stderr)
        else:
            ok(done.returncode == 0 and (folder / "x.h5").read_bytes() == whole and names(folder) == ["spec.yaml", "x.h5"],
               f"without --resume a checkpoint {what} is replaced", done.stderr)
    done = resume(folder, log)
    ok(done.returncode == 0 and "with --resume it would have continued after tile" in done.stderr
       and (folder / "x.h5").read_bytes() == whole, "without --resume a run begins anew, and says what --resume would have done",
       done.stderr)
    (folder / "x.h5.checkpoint").unlink(missing_ok=True)
    (folder / "x.h5").unlink()
    done = costab("sweep", "spec.yaml", "-o", "x.h5", "--resume", cwd=folder)
    ok(done.returncode == 0 and words(done.stderr) == "" and (folder / "x.h5").read_bytes() == whole,
       "--resume without a checkpoint just begins", done.stderr)


def test_two_at_once(folder):
    (folder / "x.h5").write_bytes(older())
    first = stopped(folder)
    second = costab("sweep", "large.yaml", "-o", "x.h5", "--resume", cwd=folder)
    os.symlink("x.h5", folder / "link.h5")
    third = costab("sweep", "spec.yaml", "-o", "link.h5", cwd=folder)
    (folder / "link.h5").unlink(missing_ok=True)
    first.send_signal(signal.SIGCONT)
    said = first.communicate()[1]
    ok(all(run.returncode == 1 and "another process" in run.stderr for run in (second, third)),
       "a second run into the same file, or a link to it, is refused", second.stderr, third.stderr)
    costab("sweep", "large.yaml", "-o", "whole.h5", cwd=folder)
    whole = (folder / "whole.h5").read_bytes()
    (folder / "whole.h5").unlink()
    ok(first.returncode == 0 and (folder / "x.h5").read_bytes() == whole and names(folder) == ["large.yaml", "spec.yaml", "x.h5"],
       "and does not disturb the first", said, names(folder))
    return whole


def test_taken_away(folder, whole):
    """Files that vanish while the sweep runs: its own are safe, an older result is not needed."""
    (folder / "x.h5").write_bytes(older())
    run = stopped(folder)
    for name in names(folder):
        if not name.endswith(".yaml"):
            (folder / name).unlink()
    run.send_signal(signal.SIGCONT)
    said = run.communicate()[1]
    hidden = [name for name in names(folder) if name.startswith(".")]
    ok((run.returncode == 0 and (folder / "x.h5").read_bytes() == whole or run.returncode == 1) and not hidden,
       f"older result and checkpoint removed while it runs (exit status {run.returncode})", said, names(folder))


def test_failures(folder):
    """The count of points that cannot be analysed, and the first of them, after --resume."""
    (folder / "spec.yaml").write_text(half(60))
    whole = costab("sweep", "spec.yaml", "-o", "whole.h5", cwd=folder)
    said = [line for line in whole.stderr.splitlines() if "cannot be analysed" in line]
    content = (folder / "whole.h5").read_bytes()
    bad, resumed, calls = [], 0, calls_of("spec.yaml")
    for k in range(2, 7)[::stride(3)]:
        (folder / "x.h5").unlink(missing_ok=True)
        killed_at(calls * k // 8, "sweep", "spec.yaml", "-o", "x.h5", "--threads", "1")
        done = costab("sweep", "spec.yaml", "-o", "x.h5", "--resume", cwd=folder)
        resumed += "continues after" in done.stderr
        if said != [line for line in done.stderr.splitlines() if "cannot be analysed" in line] or (folder / "x.h5").read_bytes() != content:
            bad.append(done.stderr)
    ok(len(said) == 1 and not bad and resumed > 0, f"points that cannot be analysed are counted over {resumed} interruptions", *said, *bad)


def main():
    with workplace() as name:
        folder = pathlib.Path(name)
        (folder / "spec.yaml").write_text(SPEC)
        begin = time.monotonic()
        first = costab("sweep", "spec.yaml", "-o", "x.h5", cwd=folder)
        length = time.monotonic() - begin
        if not ok(first.returncode == 0 and names(folder) == ["spec.yaml", "x.h5"], "an uninterrupted run", first.stderr):
            finish()
        whole = (folder / "x.h5").read_bytes()
        (folder / "x.h5").unlink()
        calls = calls_of("spec.yaml")
        test_kills(folder, whole, length, calls)
        (folder / "x.h5").unlink()
        test_every_call(folder, whole, calls)
        test_written_twice(folder, whole)
        log = kept(calls)
        test_damage(folder, whole, log)
        test_others(folder, whole, log)
        test_taken_away(folder, test_two_at_once(folder))
        for name in names(folder):
            (folder / name).unlink()
        test_failures(folder)
    finish()


if __name__ == "__main__":
    main()
