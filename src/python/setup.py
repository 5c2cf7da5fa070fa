"""For pip: `make`, then `pip install --no-build-isolation ./src/python`. The library that `make` built is copied beside the module;
where there is none, the module is linked with the installed one, which pkg-config finds."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WORK = ROOT / "build" / "pip"
BUILT = ROOT / "build" / "libcostab.so"


def installed():
    words = subprocess.run(["pkg-config", "--variable=includedir", "costab"], capture_output=True, text=True)
    if words.returncode != 0:
        sys.exit(f"libcostab was not found: run `make` in {ROOT}, or install costab so that pkg-config finds it")
    return words.stdout.strip()


class Build(build_ext):
    """Without a library of its own the module needs the installed one; with it, the library goes beside the module."""

    def build_extension(self, ext):
        if BUILT.exists():
            ext.library_dirs = [str(BUILT.parent)]
            ext.runtime_library_dirs = ["$ORIGIN"]
        super().build_extension(ext)
        if BUILT.exists():
            name = next(link.name for link in BUILT.parent.glob("libcostab.so.*") if link.is_symlink())
            shutil.copyfile(BUILT, pathlib.Path(self.get_ext_fullpath(ext.name)).parent / name)


if not BUILT.exists():
    os.environ["COSTAB_INCLUDE"] = installed()
WORK.mkdir(parents=True, exist_ok=True)
os.chdir(HERE)
version = re.search(r'^#define COSTAB_VERSION +"(.*)"', (ROOT / "include/costab/base.h").read_text(), re.M)
setup(version=version.group(1), cffi_modules=["declare.py:builder"], cmdclass={"build_ext": Build},
      options={"build": {"build_base": str(WORK)}, "egg_info": {"egg_base": str(WORK)}})
