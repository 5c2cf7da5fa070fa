"""Tables that the program prints, with numbers as numbers."""
import pathlib

from tap import costab, csv_rows


def rows_of(numbers, command, path, *arguments):
    """The rows of a command's table, the columns `numbers` as numbers (None: empty), and what was said on stderr."""
    done = costab(command, path, *arguments)
    if done.returncode not in ((0, 3) if "--time" in arguments else (0,)):
        raise RuntimeError(done.stderr)
    rows = csv_rows(done)
    for row in rows:
        for key in numbers:
            row[key] = float(row[key]) if row[key] else None
    return rows, done.stderr


def table(*arguments):
    """The rows of a command's table as it prints them; none where it refuses."""
    return csv_rows(costab(*arguments, "-f", "csv"))


def exported(file, of):
    """The rows of a field of a results file."""
    return table("export", file, "--of", of)


def swept(folder, text, of, *options):
    """The rows of a field of the sweep `text`, which stays in the folder as sweep.yaml and sweep.h5, or what it was refused with."""
    spec, file = pathlib.Path(folder, "sweep.yaml"), pathlib.Path(folder, "sweep.h5")
    spec.write_text(text)
    done = costab("sweep", spec, "-o", file, "--force", "-q", *options)
    return done.stderr if done.returncode != 0 else exported(file, of)
