"""The Python module that was built beside the program, on the path; a test that imports this is skipped where there is none."""
import pathlib
import sys

from tap import COSTAB

BUILT = pathlib.Path(COSTAB).resolve().parent / "python"
if not list(BUILT.glob("costab/_costab*.so")):
    print("1..0 # SKIP the Python module was not built: it needs python3-numpy, python3-cffi and python3-dev, and goes with no sanitizer")
    sys.exit(0)
sys.path.insert(0, str(BUILT))
