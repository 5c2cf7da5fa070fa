"""One rank of mpirun against two, one thread each, on a network sweep; and what writing costs rank 0, taken as the time of
`costab merge` on the finished tiles of the whole sweep: it does nothing else (and checks them twice). Usage: ranks.py PROGRAM,
one built with MPI=1."""
import os
import resource
import subprocess
import sys
import tempfile
import time

program = os.path.abspath(sys.argv[1])
ROUNDS = 3
SPEC = """system: network
parameters: {J1: 0.1, J2: 0.5, k: 50, d: 0.2, kp: 20, kd: 1, H: 0.01}
subsystems:
  - {name: motor, A: [[0, 1], [-kp/J1, -kd/J1]], B: [[0], [1/J1]], C: [[1, 0], [0, 1]], inputs: [torque],
     outputs: [angle, speed], method: rk4, substeps: 10}
  - {name: load, A: [[0, 1], [-k/J2, -d/J2]], B: [[0, 0], [k/J2, d/J2]], C: [[k, d]], D: [[-k, -d]], inputs: [angle, speed],
     outputs: [torque], method: rk4, substeps: 10}
connections: [{from: motor.angle, to: load.angle}, {from: motor.speed, to: load.speed}, {from: load.torque, to: motor.torque}]
coupling: {scheme: jacobi, macro_step: H}
axes:
  H: {from: 0.001, to: 0.2, points: 1000}
  k: {from: 10, to: 100, points: 1000}
fields: [class, spectral_radius]
"""
environment = dict(os.environ, OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_plm="isolated", OMPI_MCA_btl="self,vader",
                   OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_hwloc_base_binding_policy="none", HWLOC_HIDE_ERRORS="2")

with tempfile.TemporaryDirectory() as folder:
    open(folder + "/net.yaml", "w").write(SPEC)

    def seconds(*command):
        begin = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder, env=environment)
        return time.perf_counter() - begin

    def sweep(ranks):
        """Wall and processor time."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall = seconds("mpirun", "-n", str(ranks), program, "sweep", "net.yaml", "-o", f"{ranks}.h5", "--quiet")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    pairs = [(sweep(1), sweep(2)) for _ in range(ROUNDS)]
    (one, one_busy), (two, two_busy) = (tuple(min(p[k][i] for p in pairs) for i in (0, 1)) for k in (0, 1))
    start = min(seconds("mpirun", "-n", "2", program, "--version") for _ in range(ROUNDS))
    assert open(folder + "/1.h5", "rb").read() == open(folder + "/2.h5", "rb").read()
    seconds(program, "sweep", "net.yaml", "--slice", "1/1", "-o", "whole.part", "--quiet")
    merge = min(seconds(program, "merge", "whole.part", "-o", "merged.h5") for _ in range(ROUNDS))
    print(f"network sweep of 10^6 points, 1 and 2 ranks of one thread, on {os.cpu_count()} processors: {one:.2f} and {two:.2f} s, of which "
          f"mpirun takes {start:.2f}; ratio {one / two:.2f}, without mpirun {(one - start) / (two - start):.2f}")
    print(f"  processor time, of all ranks: {one_busy:.2f} and {two_busy:.2f} s: where both have a processor of their own the ratio is at most "
          f"{2 * one_busy / two_busy:.2f}")
    print(f"  writing the file from finished tiles: {merge * 1e3:.0f} ms, {100 * merge / one_busy:.1f} % of one thread's work: one "
          f"writer keeps up with {one_busy / merge:.0f} threads")
