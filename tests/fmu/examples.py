"""examples.py FOLDER: the FMUs and the system of docs/how-to/fmu.md, mass.fmu, coupled.fmu and two-masses.ssp (`make examples`)."""
import pathlib
import sys

import systems


def write(folder):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("mass", "coupled"):
        (folder / f"{name}.fmu").write_bytes(systems.fmu(f"{name}-2").read_bytes())
    systems.pack(str(folder / "two-masses.ssp"), systems.two("any", a=systems.inline(m=1.5, k=12, x=0, steps=10), b=systems.inline(steps=10)))


if __name__ == "__main__":
    write(sys.argv[1])
