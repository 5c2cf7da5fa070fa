#!/usr/bin/env python3
"""costab simulate into a results file: the same numbers as its rows, and the parameters that were set. Prints TAP."""
import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import xarray as xr

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from tap import COSTAB as costab, ROOT as root, finish, ok  # noqa: E402

model = root / "sweeps/gomes2018/models/two-mass.yaml"


with tempfile.TemporaryDirectory() as folder:
    arguments = [costab, "simulate", str(model), "--until", "0.2", "--set", "H=0.02"]
    rows = list(csv.DictReader(io.StringIO(subprocess.run(arguments, capture_output=True, text=True).stdout)))
    done = subprocess.run(arguments + ["-o", folder + "/"], capture_output=True, text=True)
    ok(done.returncode == 0 and done.stdout == "" and os.listdir(folder) == ["two-mass.h5"], "a folder gets NAME.h5", done.stderr)
    with xr.open_dataset(folder + "/two-mass.h5") as data:
        for signal in data.signal.values:
            for point, value, time in (("communication", "value", "time"), ("local", "local_value", "local_time")):
                mine = [r for r in rows if f"{r['subsystem']}.{r['signal']}" == signal and r["point"] == point]
                stored = data[value].sel(signal=signal).values[0]
                stored = stored[~np.isnan(stored)]
                ok(np.array_equal(stored, [float(r["value"]) for r in mine]), f"{signal}, {point}: the rows' values")
        ok("# --set H=0.02" in str(data.spec.values), "the parameters set stand in the stored text")
    done = subprocess.run(arguments + ["-o", folder + "/none/x.h5"], capture_output=True, text=True)
    ok(done.returncode == 1 and "none" in done.stderr, "a folder that is not there is a failure of the run", done.stderr)
finish()
