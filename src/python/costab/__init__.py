"""costab: where is a co-simulation numerically stable?

    import numpy as np, costab
    costab.planar.classify(0.5, np.linspace(-4, 0, 5), 3.0, scheme="cross")   # uint8: UU 0, US 1, SU 2, SS 3
    drive = costab.Model("drive.yaml")
    drive.map(H=0.01).radius
    print(drive.limit("H", 5e-4, 0.5, coupling="all"))
    costab.Model.connect({"plant": P, "controller": K}, [("plant.y", "controller.u"), ("controller.y", "plant.u", -1.0)])
    grid = drive.sweep({"H": np.geomspace(1e-3, 0.1, 50), "k": [20, 50, 100]}, ["class", "spectral_radius"])

A thin layer over the C library libcostab. The headers in include/costab describe what functions mean and guarantee. Errors are
exceptions with the library's message. Numbers are doubles in NumPy arrays. Long calls leave other threads of Python running.
Ctrl-C raises KeyboardInterrupt within half a second. Work that cannot stop by then, such as areas with many digits, continues on
its thread until it can stop, and the next call waits for it. One thread at a time calls HDF5; do not call h5py from another thread
meanwhile."""
from . import planar
from ._library import CLASSES, Error, FileError, InputError, NumericError, build_info, version
from ._model import (Advice, AdviceRow, Bound, History, Limits, Locus, Map, Margin, Margins, Mode, Model, Pattern, Piece, SignalError, Subsystem, Tuned, Uncertainty)
from ._results import Claim, Grid, Line, Page, claims, compare, explore, lines, open, plot, sweep

__version__ = version()
__all__ = ["Advice", "AdviceRow", "Bound", "CLASSES", "Claim", "Error", "FileError", "Grid", "History", "InputError", "Limits", "Line", "Locus", "Map", "Margin",
           "Margins", "Mode", "Model", "NumericError", "Page", "Pattern", "Piece", "SignalError", "Subsystem", "Tuned", "Uncertainty", "build_info", "claims", "compare",
           "explore", "lines", "open", "planar", "plot", "sweep"]


def __dir__():
    return [*__all__, "__version__"]
