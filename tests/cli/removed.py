#!/usr/bin/env python3
"""Names that were removed after 0.1.0 (src/base/removed.c): each is refused with exit status 2 and a message that names its
replacement. Every row of the table has a case here."""
import re

from tap import NETWORK, ROOT, finish, ok, refused, workplace

DRIVE = ROOT / "sweeps/findings/models/drive.yaml"
PLANAR = ROOT / "sweeps/kns2014/fig09.yaml"
# kind and name in the table; how a user meets it: arguments, or the spec's text that is swept; words of the replacement
CASES = [
    ("COMMAND", "prove", ["prove", "chart.h5"], "costab limit"),
    ("OPTION", "prove", ["limit", DRIVE, "--over", "H=0.001:0.1", "--prove"], "costab limit"),
    ("OPTION", "order", ["limit", DRIVE, "--over", "H=0.001:0.1", "--order", "motor,load"], "gauss-seidel(b,a)"),
    ("KEY", "certified", NETWORK + "refine: {certified: true}\n", "refine: true"),
    ("FIGURE", "certificate", NETWORK.replace("contour", "certificate"), "classes"),
    ("FORMAT", "mat", ["export", "chart.h5", "--format", "mat"], "h5read"),
    ("FIGURE", "cause", PLANAR.read_text().replace("kind: regions", "kind: cause"), "classes"),
    ("FIGURE", "jury", PLANAR.read_text().replace("kind: regions", "kind: jury"), "regions"),
    ("FIELD", "worst", NETWORK.replace("fields: [class, ", "fields: [worst, "), "probability"),
]


def main():
    table = set(re.findall(r'\{REMOVED_(\w+), "([^"]+)"', (ROOT / "src/base/removed.c").read_text()))
    ok(table == {case[:2] for case in CASES}, "every removed name has a case", table ^ {case[:2] for case in CASES})
    with workplace():
        for kind, name, how, words in CASES:
            if isinstance(how, str):
                refused(f"{kind.lower()} {name}: its replacement is named", words, "sweep", "-", "-o", "chart.h5", input=how)
            else:
                refused(f"{kind.lower()} {name}: its replacement is named", words, *how)


main()
finish()
