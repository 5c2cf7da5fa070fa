"""Tables that the program prints, with numbers as numbers."""
import csv
import io

from tap import costab


def rows_of(numbers, command, path, *arguments):
    """The rows of a command's table, the columns `numbers` as numbers (None: empty), and what was said on stderr."""
    done = costab(command, path, *arguments)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    for row in rows:
        for key in numbers:
            row[key] = float(row[key]) if row[key] else None
    return rows, done.stderr
