#!/usr/bin/env python3
"""--slice auto and auto/N under the variables of launchers and job arrays, as Open MPI 4.1, Slurm 22.05 and PBS set them: which slice each
process takes, where they are nested too; what is refused; and that the parts of every launcher, computed two at a time, merge into the file
of one process. Prints TAP."""
import os
import pathlib
import shlex
import subprocess

from tap import COSTAB, NETWORK, costab, effort, finish, ok, refused, stride, workplace

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMI", "SLURM", "PBS_"))}


def open_mpi(rank, size):
    return {"OMPI_COMM_WORLD_RANK": rank, "OMPI_COMM_WORLD_SIZE": size, "OMPI_COMM_WORLD_LOCAL_RANK": rank % 2, "OMPI_COMM_WORLD_LOCAL_SIZE": 2,
            "OMPI_COMM_WORLD_NODE_RANK": rank % 2, "OMPI_APP_CTX_NUM_PROCS": size, "OMPI_FIRST_RANKS": 0, "PMIX_RANK": rank}


def pmi(rank, size):
    return {"PMI_RANK": rank, "PMI_SIZE": size, "PMI_FD": 11, "PMI_JOBID": "1.1"}


def batch_shell(rank, size):
    """The script of a job: no step, whatever its rank seems to be."""
    return {"SLURM_JOB_ID": 7, "SLURM_JOBID": 7, "SLURM_PROCID": 0, "SLURM_LOCALID": 0, "SLURM_NODEID": 0, "SLURM_NTASKS": size, "SLURM_NPROCS": size,
            "SLURM_GTIDS": 0, "SLURM_TASKS_PER_NODE": size, "SLURM_NNODES": 1}


def step(rank, size):
    return {**batch_shell(rank, size), "SLURM_PROCID": rank, "SLURM_LOCALID": rank, "SLURM_STEP_ID": 0, "SLURM_STEPID": 0,
            "SLURM_STEP_NUM_TASKS": size, "SLURM_STEP_NUM_NODES": 1, "SLURM_GTIDS": ",".join(map(str, range(size)))}


def array(index, count, first=1):
    """Task `index` of an array of which so many tasks were submitted."""
    return {"SLURM_ARRAY_JOB_ID": 7, "SLURM_ARRAY_TASK_ID": index, "SLURM_ARRAY_TASK_COUNT": count, "SLURM_ARRAY_TASK_MIN": first,
            "SLURM_ARRAY_TASK_MAX": index, "SLURM_ARRAY_TASK_STEP": 1}


def pbs(index):
    return {"PBS_ARRAY_INDEX": index, "PBS_ARRAY_ID": "7[].server", "PBS_JOBID": f"7[{index}].server"}


# Each launcher alone and inside another: the variables of a rank.
LAUNCHERS = {
    "mpirun": open_mpi,
    "PMI": pmi,
    "srun": step,
    "mpirun in sbatch": lambda rank, size: {**batch_shell(0, 2 * size), **open_mpi(rank, size)},
    "mpirun in a job array": lambda rank, size: {**batch_shell(0, 1), **array(5, 2), **open_mpi(rank, size)},
    "mpirun in a step": lambda rank, size: {**step(1, 3), **open_mpi(rank, size)},
    "srun with PMI": lambda rank, size: {**step(rank, size), **pmi(rank, size)},
    "srun in a job array": lambda rank, size: {**step(rank, size), **array(5, 2)},
}


def under(variables, *arguments, **options):
    return costab("sweep", *arguments, env={**CLEAN, **{name: str(value) for name, value in variables.items()}}, **options)


def takes(what, variables, given, slice_, *used):
    """One test: the process computes that slice, and says from which variables."""
    done = under(variables, "chart.yaml", "--slice", given, "-v", "--force")
    name = "chart.{}-of-{}.part".format(*slice_)
    said = "slice   {} of {} ({})\n".format(*slice_, ", ".join(f"{name}={variables[name]}" for name in used))
    ok(done.returncode == 0 and said in done.stderr and pathlib.Path(name).exists(), f"{what}: slice {slice_[0]} of {slice_[1]}", done.stderr)
    pathlib.Path(name).unlink(missing_ok=True)


def refuses(what, words, variables, *given):
    refused(f"{what}: refused", words, "sweep", "chart.yaml", *given, env={**CLEAN, **{name: str(value) for name, value in variables.items()}})
    ok(not list(pathlib.Path().glob("*.part*")), f"{what}: and nothing is written")


def check_nearest():
    mpi, hydra, slurm = ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), ("PMI_RANK", "PMI_SIZE"), ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS")
    for name, variables in LAUNCHERS.items():
        used = mpi if "mpirun" in name else hydra if "PMI" in name else slurm
        for rank in (3, 0)[::stride(2)]:
            takes(f"{name}, rank {rank} of 4", variables(rank, 4), "auto", (rank + 1, 4), *used)
    takes("one process", step(0, 1), "auto", (1, 1), *slurm)


def check_arrays():
    takes("a job array", {**batch_shell(0, 1), **array(3, 4)}, "auto/4", (3, 4), "SLURM_ARRAY_TASK_ID")
    takes("tasks 5 and 7 of 8, submitted again", {**batch_shell(0, 1), **array(7, 2, 5)}, "auto/8", (7, 8), "SLURM_ARRAY_TASK_ID")
    takes("srun in a job array", {**step(1, 2), **array(3, 4)}, "auto/4", (3, 4), "SLURM_ARRAY_TASK_ID")
    takes("a job array of PBS", pbs(2), "auto/3", (2, 3), "PBS_ARRAY_INDEX")
    for index in (0, 5):
        refuses(f"index {index} of 4", f"SLURM_ARRAY_TASK_ID={index}: no such slice: submit the array with --array=1-4", array(index, 5, 0), "--slice", "auto/4")
    refuses("index 0 of PBS", "-J 1-3", pbs(0), "--slice", "auto/3")


def check_refused():
    for name, variables in {"no launcher": {}, "the shell of a job": batch_shell(0, 4), "the shell of an array's task": {**batch_shell(0, 1), **array(2, 4)}}.items():
        refuses(name, "none of OMPI_COMM_WORLD_RANK (mpirun), PMI_RANK and SLURM_STEP_ID (srun) is set", variables, "--slice", "auto")
    refuses("no array", "neither SLURM_ARRAY_TASK_ID nor PBS_ARRAY_INDEX is set", step(1, 2), "--slice", "auto/4")
    for name, value in {"RANK": "", "SIZE": "four"}.items():
        refuses(f"{name} '{value}'", f"OMPI_COMM_WORLD_{name} is '{value}'", {**open_mpi(1, 4), f"OMPI_COMM_WORLD_{name}": value}, "--slice", "auto")
    for value in ("-1", "1 ", "+1", "0x1", "1.0", "99999999", "18446744073709551617")[::stride(3)]:
        refuses(f"rank '{value}'", f"PMI_RANK is '{value}'", pmi(value, 4), "--slice", "auto")
        refuses(f"index '{value}'", f"SLURM_ARRAY_TASK_ID is '{value}'", array(value, 4), "--slice", "auto/4")
    for rank, size in ((4, 4), (0, 0)):
        refuses(f"rank {rank} of {size}", f"PMI_RANK={rank}, PMI_SIZE={size}: ranks count from 0", pmi(rank, size), "--slice", "auto")
    for set_, missing, variables in (("PMI_RANK", "PMI_SIZE", pmi(0, 2)), ("SLURM_STEP_ID", "SLURM_PROCID", step(0, 2)),
                                     ("SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS", step(0, 2))):
        del variables[missing]
        refuses(f"{missing} is missing", f"{set_} is set, but {missing} is not", variables, "--slice", "auto")
    for given in ("auto/", "auto/0", "auto/x", "auto/4x", "auto/-1", "auto4", "auto/99999999", "AUTO")[::stride(3)]:
        refuses(f"--slice {given}", f"'{given}' is not auto, auto/N or K/N", {**step(0, 2), **array(1, 2)}, "--slice", given)
    for name, variables in list(LAUNCHERS.items())[::stride(3)]:
        refuses(f"{name}, without --slice", "each of 4 processes", variables(1, 4))
    refuses("one file for all", "give a folder, not 'x.part'", step(0, 2), "--slice", "auto", "-o", "x.part")


def check_merged(name, variables, given, size):
    """All parts by xargs, two at a time."""
    parts = pathlib.Path("parts")
    parts.mkdir()
    lines = [shlex.join([*(f"{k}={v}" for k, v in variables(rank).items()), COSTAB, "sweep", "chart.yaml", "--slice", given, "-o", "parts/", "-q"])
             for rank in range(size)]
    done = subprocess.run(["xargs", "-P", "2", "-L", "1", "env"], input="\n".join(lines) + "\n", env=CLEAN, capture_output=True, text=True, timeout=300)
    there = sorted(parts.iterdir())
    merged = costab("merge", *there, "-o", "merged.h5", "--force")
    ok(done.returncode == 0 and len(there) == size and merged.returncode == 0 and pathlib.Path("merged.h5").read_bytes() == WHOLE,
       f"{name}: {size} parts merge into the file of one process", done.stderr, merged.stderr)
    for part in there:
        part.unlink()
    parts.rmdir()


PARTS = effort(4)
with workplace():
    pathlib.Path("chart.yaml").write_text(NETWORK.replace("points: 9", "points: 41"))
    ok(under({}, "chart.yaml", "-o", "whole.h5").returncode == 0, "one process")
    WHOLE = pathlib.Path("whole.h5").read_bytes()
    tiles = int(under({}, "chart.yaml", "--dry-run").stdout.split("tiles")[1])
    check_nearest()
    check_arrays()
    check_refused()
    for each, of in list(LAUNCHERS.items())[::stride(3)]:
        check_merged(each, lambda rank, of=of: of(rank, PARTS), "auto", PARTS)
    check_merged("a job array", lambda rank: {**batch_shell(0, 1), **array(rank + 1, PARTS)}, f"auto/{PARTS}", PARTS)
    check_merged("a job array of PBS", lambda rank: pbs(rank + 1), f"auto/{PARTS}", PARTS)
    check_merged(f"more ranks than the {tiles} tiles", lambda rank: step(rank, tiles + 3), "auto", tiles + 3)
finish()
