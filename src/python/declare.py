"""Makes the declarations of the module's C part from include/costab alone, for cffi's API mode: the compiler then checks every
struct, enum and function against the headers. Run by make and by setup.py; `declare.py FILE.c` writes the C source."""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from cffi import FFI

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = pathlib.Path(os.environ.get("COSTAB_INCLUDE", HERE.parents[1] / "include"))

# OpenBLAS's own threads (other builds of the library lack these functions), and a run that another thread stops.
EXTRA = """
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));

static int python_blas_threads(int count) {
    int before = openblas_get_num_threads ? openblas_get_num_threads() : 0;
    if (count > 0 && openblas_set_num_threads) openblas_set_num_threads(count);
    return before;
}

typedef struct python_run { volatile int stop; volatile size_t done, total; } python_run;

static bool python_stopped(void *context) { return ((python_run *)context)->stop != 0; }

static bool python_progress(void *context, size_t done, size_t total) {
    python_run *run = (python_run *)context;
    run->done = done;
    run->total = total;
    return run->stop != 0;
}

static bool python_share(void *context, double share) {
    (void)share;
    return ((python_run *)context)->stop != 0;
}

static bool python_search(void *context, double share, size_t evaluations) {
    (void)evaluations;
    return python_share(context, share);
}
"""
EXTRA_DECLARATIONS = """
int python_blas_threads(int count);
typedef struct python_run { volatile int stop; volatile size_t done, total; } python_run;
bool python_stopped(void *context);
bool python_progress(void *context, size_t done, size_t total);
bool python_share(void *context, double share);
bool python_search(void *context, double share, size_t evaluations);
static char *const COSTAB_JOINT_MODEL;
extern "Python" costab_status python_claim(void *context, const costab_claim *claim, costab_error *error);
"""


def declarations():
    """What the headers declare, as cffi reads it: preprocessed without the system's headers."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stdbool.h", "stddef.h", "stdint.h"):
            pathlib.Path(empty, name).touch()
        compiler = shlex.split(os.environ.get("CC", "cc"))
        text = subprocess.run([*compiler, "-E", "-P", "-U__GNUC__", "-nostdinc", f"-I{empty}", f"-I{INCLUDE}",
                               str(INCLUDE / "costab" / "costab.h")], check=True, capture_output=True, text=True).stdout
    headers = "\n".join(path.read_text() for path in sorted((INCLUDE / "costab").glob("*.h")))
    numbers = re.findall(r"^#define (COSTAB_[A-Z_]+)\s+\(?(-?\d+)\)?\s*(?:/\*|$)", headers, re.M)
    return "\n".join(f"#define {name} ..." for name, _ in numbers) + "\n" + text + EXTRA_DECLARATIONS


def builder(**options):
    ffi = FFI()
    ffi.cdef(declarations())
    ffi.set_source("costab._costab", "#include <costab/costab.h>\n" + EXTRA, include_dirs=[str(INCLUDE)], libraries=["costab"], **options)
    return ffi


if __name__ == "__main__":
    builder().emit_c_code(sys.argv[1])
