"""Large class sweeps for `make bench`: the rate of a whole process against write(2), and the peak memory for 1, 10 and 60 GB.
Usage: large.py COSTAB FOLDER"""
import os
import subprocess
import sys
import time

COSTAB, FOLDER = sys.argv[1:]
SPEC = """system: planar
schemes: all
axes:
  a: {a}
  gamma: {{from: -6, to: 2, points: {side}}}
  delta: {{from: -2, to: 14, points: {side}}}
"""


def sweep(a, side):
    """Seconds, peak resident MiB and the file's size of one run."""
    spec, output = os.path.join(FOLDER, "large.yaml"), os.path.join(FOLDER, "large.h5")
    with open(spec, "w") as file:
        file.write(SPEC.format(a=a, side=side))
    begin = time.perf_counter()
    process = subprocess.Popen([COSTAB, "sweep", spec, "-o", output, "--quiet"])
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    if status != 0:
        sys.exit("a sweep failed")
    size = os.path.getsize(output)
    os.unlink(output)
    return seconds, usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20), size


def write_raw(count):
    """Seconds to write so many bytes into a new file of the same folder, a MiB a call; not synchronised."""
    block, path = bytes(1 << 20), os.path.join(FOLDER, "raw")
    begin = time.perf_counter()
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    while count > 0:
        count -= os.write(target, block[:min(count, len(block))])
    os.close(target)
    seconds = time.perf_counter() - begin
    os.unlink(path)
    return seconds


points = 4 * 8001 * 8001
both = [(sweep(0.25, 8001)[0], write_raw(points)) for _ in range(7)]
ours, raw = (min(times) for times in zip(*both))
print(f"class sweep of 8001 x 8001 x 4 schemes to a compressed file, whole process, synchronised: {ours * 1e3:.0f} ms, "
      f"{points / ours / 1e9:.1f} GB/s; as many raw bytes with write(2), not synchronised: {raw * 1e3:.0f} ms; ratio {raw / ours:.1f}")
for count in (1, 10, 60):
    seconds, memory, size = sweep("{from: -1, to: 1, points: %d}" % count if count > 1 else "0.25", 15812)
    print(f"class sweep of {4 * count * 15812**2 / 1e9:.0f} GB: {seconds:.2f} s, peak resident memory {memory:.0f} MiB, "
          f"file {size / 1e6:.1f} MB")
