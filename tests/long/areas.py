#!/usr/bin/env python3
"""All rows of tests/reference/planar_areas.csv, as doubles and to 35 digits, and ten new
random cases against the program that made the tables."""

import csv
import os
import subprocess
import sys
from fractions import Fraction

import tap

HERE = os.path.dirname(os.path.abspath(__file__))
REFERENCE = os.path.join(HERE, '..', 'reference')


def area(row, *options):
    substeps = [row['substeps_a'], row['substeps_d']][:1 if row['scheme'] == 'simulation' else 2]
    command = [tap.COSTAB, 'area', '--scheme', row['scheme'], '--method', row['method'], '--substeps', ','.join(substeps), '--a',
               row['a'], *options]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return tap.csv_rows(out)[0]


def wrong(row):
    """What is wrong with the areas of a row."""
    found = [('double', area(row), lambda text: Fraction(float(text))), ('35 digits', area(row, '--digits', '35'), Fraction)]
    for how, columns, number in found:
        for name in ('ss', 'us'):
            text, expected, error = columns['area_' + name], row['area_' + name], float(columns['error_' + name])
            if 'inf' in (text, expected) or '0' in (text, expected):
                if text != expected:
                    return f'{how}: {name} is {text}, not {expected}'
                continue
            off, true = abs(number(text) - Fraction(expected)), Fraction(expected)
            share = Fraction(2) ** -52 if how == 'double' else Fraction(1, 10 ** 34)
            if off > share * true or off > Fraction(error) + true / 10 ** 40 or number(text) < 0:
                return f'{how}: {name} is {text}, not {expected}'
    return None


def check(rows, what):
    problems = [f"{r['scheme']} {r['method']} {r['a']}: {found}" for r in rows if (found := wrong(r))]
    tap.ok(not problems, f'{len(rows)} {what}', '\n'.join(problems[:20]))


with open(os.path.join(REFERENCE, 'planar_areas.csv')) as table:
    check(list(csv.DictReader(table)), 'areas at decimals and fractions agree')
fresh = subprocess.run([sys.executable, os.path.join(REFERENCE, 'planar_areas.py'), '10', '20261121'],
                       capture_output=True, text=True)
if fresh.returncode == 0:
    check(tap.csv_rows(fresh), 'new random areas agree')
else:
    tap.skip('new random areas', 'mpmath is not here')
tap.finish()
