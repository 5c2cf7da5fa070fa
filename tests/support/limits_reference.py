#!/usr/bin/env python3
"""Makes tests/reference/limits.json: of models of families.py the intervals in which each coupling is stable, and those
in which the continuous system is, by truth.py. Takes about half an hour.

    tests/support/limits_reference.py FILE [COUNT [FIRST]]: COUNT models a family (75), from number FIRST (0) on"""
import json
import sys

import families
import truth


def limit(family, seed, made, coupling):
    f = truth.Family(made, coupling)
    ends = made["low"], made["high"]
    constant = made["over"] == "H"
    continuous = [list(ends)] if constant and f.continuous_margin([ends[0]])[0] < 0 else [] if constant else truth.intervals(
        f.continuous_margin, *ends, samples=20000)
    stable = truth.intervals(f.margin, *ends)
    return {"family": family, "seed": seed, "coupling": coupling, "stable": stable, "continuous": continuous}


def main():
    count, first = (int(x) for x in (sys.argv[2:] + ["75", "0"][len(sys.argv) - 2:])[:2])
    found = []
    for seed in range(first, first + count):
        for family in families.NAMES:
            made = families.model(family, seed)
            found += [limit(family, seed, made, c) for c in made["couplings"]]
        with open(sys.argv[1], "w", encoding="utf-8") as file:
            lines = ",\n".join(json.dumps(x) for x in found)
            file.write('{"samples": %d, "limits": [\n%s\n]}\n' % (truth.SAMPLES, lines))
        print(seed, len(found), file=sys.stderr)


if __name__ == "__main__":
    main()
