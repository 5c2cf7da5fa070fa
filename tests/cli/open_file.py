#!/usr/bin/env python3
"""Other people's tools open a results file with named axes and read right values (TAP)."""
import os
import subprocess
import tempfile
import warnings

import numpy as np

from tap import COSTAB, attempt, finish, ok, skip, spread

SCHEMES = ["simulation", "cross", "zigzag", "strong"]
A = [-0.5, 0.1, 0.5]
GAMMA = np.array(spread(-6, 2, 81))
DELTA = np.array(spread(-2, 14, 163))
GRID = ("scheme", "a", "gamma", "delta")
ROW = ("scheme", "a", "gamma", "piece")
CURVES = ("vertex", "beyond")  # of the outlines that figures draw
SPEC = """title: A file for everybody  # \u0393, \u0394
system: planar
schemes: all
method: rk4
axes:
  a: [-0.5, 0.1, 0.5]
  gamma: {from: -6, to: 2, points: 81}
  delta: {from: -2, to: 14, points: 163}
fields: [class, trace, row_intervals, cause]
"""


def package(name):
    """A reader, or None: its tests are then skipped and do not count as passed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return __import__(name)
    except ImportError:
        return None


# The maps of [KNS], written down anew for RK4: phi = P0 + P1, R = 1 + z phi.
def weights(z):
    phi = 1 + z / 2 + z**2 / 6 + z**3 / 24
    p1 = 1 / 2 + z / 6 + z**2 / 24
    return 1 + z * phi, phi, phi - p1, p1


def maps(scheme, a, g, e):
    """Trace and determinant of the macro step's map and the square of its iteration radius."""
    d = g - a
    w = a * d - e
    ra, fa, p0a, p1a = weights(a)
    rd, fd, p0d, p1d = weights(d)
    none = np.zeros_like(w)
    if scheme == "cross":
        return ra + rd + none, ra * rd - w * fa * fd, none
    if scheme == "zigzag":
        return ra + rd + w * fa * p1d, ra * rd - w * fa * p0d, none
    if scheme == "strong":
        k = 1 - w * p1a * p1d
        return ((ra + rd + w * (p1a * p0d + p0a * p1d)) / k, (ra * rd - w * p0a * p0d) / k,
                np.abs(w * p1a * p1d))
    trace = (g**4 + 4 * g**3 + 12 * g**2 + 24 * g + 48 - 4 * (g**2 + 3 * g + 6) * e + 2 * e**2) / 24
    det = (e**4 + 4 * (g - 2) * e**3 + 12 * g * (g - 2) * e**2 + 24 * g**3 * e
           + 24 * (g**4 + 4 * g**3 + 12 * g**2 + 24 * g + 24)) / 576
    return trace, det, none


def expected():
    """Class, cause and trace of the whole grid; and where no condition is nearer to its bound than the rounding of
    these short formulas (values up to some 1e4, a few dozen roundings: 1e-10 is far above)."""
    shape = (len(SCHEMES), len(A), GAMMA.size, DELTA.size)
    classes, cause = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    trace, clear = np.zeros(shape), np.zeros(shape, bool)
    g, e = GAMMA[:, None], DELTA[None, :]
    for i, scheme in enumerate(SCHEMES):
        for j, a in enumerate(A):
            tr, det, radius = maps(scheme, a, g, e)
            flags = (1 * (det >= 1) + 2 * (1 - tr + det <= 0) + 4 * (1 + tr + det <= 0) + 8 * (radius >= 1))
            margins = [np.abs(det - 1), np.abs(1 - tr + det), np.abs(1 + tr + det), np.abs(radius - 1)]
            margin = np.minimum.reduce([m + 0 * e for m in margins]) / np.maximum(1, np.abs(tr) + np.abs(det))
            cause[i, j] = flags
            classes[i, j] = 2 * ((g < 0) & (e > 0)) + (flags == 0)
            trace[i, j] = tr
            clear[i, j] = margin > 1e-10
    return classes, cause, trace, clear


def test_values(source, get):
    """`get` delivers a field as a numpy array."""
    classes, cause, trace, clear = expected()
    attempt(f"{source}: classes equal an independent evaluation", lambda: clear.mean() > 0.95
            and get("class").dtype == np.uint8 and np.array_equal(get("class")[clear], classes[clear]))
    attempt(f"{source}: causes equal an independent evaluation",
            lambda: get("cause").dtype == np.uint8 and np.array_equal(get("cause")[clear], cause[clear]))
    attempt(f"{source}: traces equal an independent evaluation", lambda: get("trace").dtype == np.float64
            and np.all(np.abs(get("trace") - trace) <= 1e-11 * np.maximum(1, np.abs(trace))))  # the short formula loses digits near a pole

    def inside_rows():
        lower, upper = get("stable_lower"), get("stable_upper")
        stable = np.any((DELTA[:, None] > lower[..., None, :]) & (DELTA[:, None] < upper[..., None, :]), axis=-1)
        return np.array_equal(stable[clear], (classes & 1 == 1)[clear])

    attempt(f"{source}: a point is stable where it lies inside an interval of its row", inside_rows)


def test_xarray(xarray, path, engine):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        with xarray.open_dataset(path, engine=engine) as ds:
            name = f"xarray, {engine}"
            attempt(f"{name}: named axes", lambda: ds["class"].dims == ds["cause"].dims == ds["trace"].dims == GRID
                    and ds["stable_lower"].dims == ds["stable_upper"].dims == ROW)
            attempt(f"{name}: all axes are coordinates", lambda: set(ds.coords) == {*GRID, *ROW, *CURVES})
            attempt(f"{name}: values of the axes", lambda: list(ds["scheme"].values) == SCHEMES
                    and np.array_equal(ds["a"], A) and np.array_equal(ds["gamma"], GAMMA)
                    and np.array_equal(ds["delta"], DELTA) and ds["piece"].values[0] == 0)
            attempt(f"{name}: selection by names", lambda: np.array_equal(
                ds["class"].sel(scheme="zigzag", a=0.5).values, ds["class"].values[2, 2])
                and ds["class"].sel(scheme="zigzag", a=0.5).dims == ("gamma", "delta"))
            attempt(f"{name}: flags", lambda: list(ds["class"].attrs["flag_values"][:4]) == [0, 1, 2, 3]
                    and ds["class"].attrs["flag_meanings"].split()[:4] == ["UU", "US", "SU", "SS"]
                    and len(ds["class"].attrs["flag_values"]) == len(ds["class"].attrs["flag_meanings"].split())
                    and ds["class"].attrs["flag_values"].dtype == np.uint8
                    and list(ds["cause"].attrs["flag_masks"]) == [1, 2, 4, 8]
                    and ds["cause"].attrs["flag_meanings"] == "det fold flip iteration")
            attempt(f"{name}: no fill value turns codes into doubles", lambda: "_FillValue" not in ds["class"].attrs
                    and "_FillValue" not in ds["class"].encoding)
            attempt(f"{name}: what the file says about itself", lambda: ds.attrs["Conventions"] == "CF-1.10"
                    and ds.attrs["title"] == "A file for everybody" and ds.attrs["source"].startswith("costab ")
                    and ds.attrs["revision"] and "history" not in ds.attrs)
            attempt(f"{name}: the spec's text", lambda: ds["spec"].item() == SPEC
                    and os.path.basename(ds["spec"].attrs["path"]) == "open.yaml")
            attempt(f"{name}: units and names", lambda: all(
                ds[v].attrs["long_name"] and ds[v].attrs["units"] == "1" for v in ("class", "trace", "gamma", "a")))
            test_values(name, lambda field: ds[field].values)


def test_h5py(h5py, path):
    with h5py.File(path, "r") as file:
        attempt("h5py: labels and scales of dimensions", lambda: all(
            tuple(dim.label for dim in file[v].dims) == names and tuple(dim[0].name[1:] for dim in file[v].dims) == names
            for v, names in (("class", GRID), ("trace", GRID), ("stable_lower", ROW))))
        attempt("h5py: axes know their fields", lambda: h5py.h5ds.is_scale(file["gamma"].id)
                and {file[r[0]].name for r in file["gamma"].attrs["REFERENCE_LIST"]}
                == {"/class", "/cause", "/trace", "/stable_lower", "/stable_upper"})
        attempt("h5py: filters", lambda: file["class"].compression == "gzip" and not file["class"].shuffle
                and file["class"].fletcher32 and file["trace"].compression is None and file["trace"].fletcher32)
        attempt("h5py: fill values", lambda: np.isnan(file["trace"].fillvalue) and file["class"].fillvalue == 4)
        attempt("h5py: the spec's text", lambda: file["spec"].asstr()[()] == SPEC)
        test_values("h5py", lambda field: file[field][()])


def test_netcdf4(netCDF4, path):
    with netCDF4.Dataset(path) as ds:
        attempt("netCDF4: no code is masked", lambda: not np.ma.is_masked(ds["class"][:])
                and not np.ma.is_masked(ds["cause"][:]) and ds["class"].dimensions == GRID)
        attempt("netCDF4: axes first, in the order of the dimensions",
                lambda: list(ds.variables)[:7] == list(ds.dimensions) == [*GRID, "piece", *CURVES])


def test_ncdump(path):
    try:
        header = subprocess.run(["ncdump", "-h", path], capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        skip("ncdump", "not installed")
        return
    ok("ubyte class(scheme, a, gamma, delta) ;" in header and "double trace(scheme, a, gamma, delta) ;" in header
       and "double stable_lower(scheme, a, gamma, piece) ;" in header and "string scheme(scheme) ;" in header
       and 'class:flag_values = 0UB, 1UB, 2UB, 3UB' in header and 'cause:flag_masks = 1UB, 2UB, 4UB, 8UB' in header,
       "ncdump: named axes and flags")


def sweep(folder, name, *more, **environment):
    path = os.path.join(folder, name)
    subprocess.run([COSTAB, "sweep", "open.yaml", "-o", path, *more], cwd=folder, check=True,
                   env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    with open(path, "rb") as file:
        return path, file.read()


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "open.yaml"), "w", encoding="utf-8") as file:
            file.write(SPEC)
        path, first = sweep(folder, "open.h5")
        for engine in ("h5netcdf", "netcdf4"):
            if package("xarray") and package({"netcdf4": "netCDF4"}.get(engine, engine)):
                test_xarray(package("xarray"), path, engine)
            else:
                skip(f"xarray, {engine}", "not installed")
        for name, test in (("h5py", test_h5py), ("netCDF4", test_netcdf4)):
            if package(name):
                test(package(name), path)
            else:
                skip(name, "not installed")
        test_ncdump(path)
        ok(all(sweep(folder, "same.h5", "--threads", n)[1] == first for n in ("1", "2", "7")),
           "the same bytes with 1, 2 and 7 threads")
        # glibc then fills fresh memory with a pattern: uninitialised bytes in the file would show.
        ok(all(sweep(folder, "same.h5", MALLOC_PERTURB_=n)[1] == first for n in ("85", "170")),
           "the same bytes whatever fresh memory holds")
    finish()


if __name__ == "__main__":
    main()
