"""Time histories of rings of oscillators beside a NumPy script that knows what costab has to find out: that one macro step is
one matrix M (jacobi, held inputs, one RK4 step) and the monolithic system one exponential E, that inputs are sums of outputs.
The script steps both with a matrix-vector product each, keeps the states, gets inputs and outputs by one product over all
steps, and writes values and monolithic values with h5py and lzf. Usage: history.py COSTAB FOLDER, or history.py STATES STEPS
FILE.h5 for the script alone."""
import os
import subprocess
import sys
import time

H = 0.01


def script(states, steps, path):
    import h5py
    import numpy as np
    from scipy.linalg import expm

    count = states // 2
    A = np.array([[0, 1], [-3, -0.1]])
    B = np.array([[0, 0], [1, 1.0]])
    C = np.kron(np.eye(count), [[1.0, 0]])
    ring = np.roll(np.eye(count), 1, axis=0)
    L = np.zeros((2 * count, count))
    L[0::2], L[1::2] = ring, ring.T  # left and right neighbours
    Z = H * A
    phi = np.eye(2) + Z @ (np.eye(2) / 2 + Z @ (np.eye(2) / 6 + Z / 24))
    M = np.kron(np.eye(count), np.eye(2) + Z @ phi) + np.kron(np.eye(count), H * phi @ B) @ L @ C
    E = expm(H * (np.kron(np.eye(count), A) + np.kron(np.eye(count), B) @ L @ C))
    begin = time.perf_counter()
    x, z = np.empty((steps + 1, states)), np.empty((steps + 1, states))
    x[0] = z[0] = 0
    x[0, 0] = z[0, 0] = 1
    for k in range(steps):
        x[k + 1] = M @ x[k]
        z[k + 1] = E @ z[k]
    loop = time.perf_counter() - begin
    with h5py.File(path, "w") as file:
        for name, values in (("value", x), ("monolithic", z)):
            y = values @ C.T
            file.create_dataset(name, data=np.hstack([values, y @ L.T, y]), chunks=(2**18 // (2 * states + count), 2 * states + count),
                                shuffle=True, compression="lzf")
    return loop, x, z


def model(states):
    count = states // 2
    lines = ["system: network", f"parameters: {{H: {H}}}", "subsystems:"]
    lines += [f"  - {{name: s{i}, A: [[0, 1], [-3, -0.1]], B: [[0, 0], [1, 1]], C: [[1, 0]], inputs: [l, r], outputs: [x], "
              f"x0: [{int(i == 0)}, 0], method: rk4, substeps: 1}}" for i in range(count)]
    lines += ["connections:"]
    lines += [f"  - {{from: s{i}.x, to: s{(i + d) % count}.{port}}}" for i in range(count) for d, port in ((1, "l"), (-1, "r"))]
    return "\n".join(lines + ["coupling: {scheme: jacobi, macro_step: H}", ""])


def seconds(*command, **options):
    begin = time.perf_counter()
    done = subprocess.run(command, check=True, **options)
    return time.perf_counter() - begin, done


def measure(costab, folder, states, steps):
    import h5py
    import numpy as np

    path = os.path.join(folder, "history.yaml")
    text = model(states)
    one = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with open(path, "w") as file:
        file.write(text + f"history: {{until: {(steps + 0.5) * H}}}\n")
    output, other = os.path.join(folder, "history.h5"), os.path.join(folder, "numpy.h5")
    ours = min(seconds(costab, "sweep", path, "-o", output, "--quiet", "--threads", "1")[0] for _ in range(3))
    runs = [seconds(sys.executable, __file__, str(states), str(steps), other, capture_output=True, text=True, env=one) for _ in range(3)]
    theirs, loop = min(run[0] for run in runs), min(float(run[1].stdout) for run in runs)
    with h5py.File(output) as file, h5py.File(other) as numbers:
        order = [f"s{i // 2}.x{i % 2 + 1}" for i in range(states)]
        names = [name.decode() for name in file["signal"][:]]
        columns = sorted(range(states), key=lambda i: names.index(order[i]))
        apart = max(np.abs(file[name][0][:, [names.index(order[i]) for i in columns]] - numbers[name][:, columns]).max()
                    for name in ("value", "monolithic"))
        values = 2 * file["value"].size
    program = os.path.join(os.path.dirname(costab), "bench", "history")
    memory = float(seconds(program, str(states), str(steps), capture_output=True, text=True, env=one)[1].stdout)
    print(f"history of {states} states, {steps} steps, co-simulation and monolithic, all signals to a sink in memory: {memory:.2f} s; NumPy's "
          f"loop of two matrix-vector products per step, states alone: {loop:.2f} s, ratio {loop / memory:.1f}")
    print(f"history of {states} states, {steps} steps, {values * 8 / 1e6:.0f} MB, co-simulation and monolithic, all signals to a file, whole "
          f"process, one thread, synchronised: {ours:.2f} s; NumPy + h5py script with lzf, not synchronised: {theirs:.2f} s, ratio {theirs / ours:.1f}; largest difference {apart:.1g}")
    rows = max(2, steps // 20)
    with open(path, "w") as file:
        file.write(text)
    csv, done = seconds(costab, "simulate", path, "--until", str((rows + 0.5) * H), capture_output=True)
    lines = done.stdout.count(b"\n") - 1
    print(f"  as CSV, with the rows of micro steps: {lines / csv / 1e6:.2f} million rows per second, {len(done.stdout) / csv / 1e6:.0f} MB/s")


if len(sys.argv) == 4:
    print(script(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])[0])
else:
    measure(sys.argv[1], sys.argv[2], 20, 200000)
    measure(sys.argv[1], sys.argv[2], 200, 20000)
