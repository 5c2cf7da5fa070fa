#!/usr/bin/env python3
"""costab critical of several schemes, which are searched on threads (TAP): however many there are, the rows of each scheme are
those of that scheme alone, in the usual order of the schemes."""
import os
import resource

from tap import costab, effort, finish, ok, stride

SCHEMES = ["cross", "zigzag", "strong"]


def rows(threads, *options):
    done = costab("critical", *options, env={**os.environ, "OMP_NUM_THREADS": str(threads)})
    return done.returncode, done.stdout.splitlines(), done.stderr


# complete, and by samples
for options in [[], ["--method", "trapezoidal"], ["--method", "heun", "--a=-3:3"],
                ["--substeps", "2", "--a=-1:1"], ["--method", "exact"]][::stride(2)]:
    alone = [rows(1, "--scheme", scheme, *options) for scheme in SCHEMES]
    ok(all(status == 0 for status, _, _ in alone) and sum(len(lines) > 1 for _, lines, _ in alone) > 1,
       f"{options}: more than one scheme has critical values", alone)
    if not options:
        ok(abs(float(alone[0][1][-1].split(",")[3]) - 0.548155220383393130) < 1e-15, "cross ends at a known value", *alone[0][1])
    wanted = alone[0][1][:1] + [line for _, lines, _ in alone for line in lines[1:]]
    for threads in (1, 2, 3)[::stride(2)]:
        status, lines, said = rows(threads, *options)
        ok((status, lines) == (0, wanted), f"{options}: all at once, {threads} threads", said, *lines)

# what goes wrong is said once, whoever comes upon it
for threads in (1, 3):
    status, lines, said = rows(threads, "--substeps", "300")
    ok(status == 2 and len(lines) < 2 and said.count("error:") == 1, f"too many micro steps, {threads} threads", said)

# threads in a limited address space: some times, as it would fail now and then (no sanitizer works in a limited one)
if not {"ASAN_OPTIONS", "TSAN_OPTIONS"} & os.environ.keys():
    SPACE = 700 << 20
    few = ["critical", "--substeps", "2", "--a=-0.5:-0.3"]
    calm = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    limited = [costab(*few, env=calm, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))) for _ in range(effort(3))]
    free = costab(*few).stdout
    ok(all((done.returncode, done.stdout) == (0, free) for done in limited), "an address space of 700 MiB is enough",
       *[done.stderr for done in limited])

done = costab("critical", "--scheme", "simulation")
ok(done.returncode == 0 and "the same for every a" in done.stderr, "simulation has none, and stderr tells why", done.stdout, done.stderr)
finish()
