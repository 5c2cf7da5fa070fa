#!/usr/bin/env python3
"""Certified charts of random models against the class of every point: at least a million points, no contradiction, little grey.
Then `costab prove` confirms files of small charts, and 1,000 corrupted ones are refuted, or at least not confirmed. Prints TAP,
and what the charts cost. COSTAB_CHARTS, COSTAB_POINTS (a side) and COSTAB_FIRST (number of the first) choose other charts,
COSTAB_CORRUPTED the number of corrupted files; COSTAB_VERBOSE prints each chart."""
import os
import statistics
import tempfile

import certified_charts as certified
import families
from tap import COSTAB, finish, note, ok

CHARTS = int(os.environ.get("COSTAB_CHARTS", "100"))
POINTS = int(os.environ.get("COSTAB_POINTS", "129"))
FIRST = int(os.environ.get("COSTAB_FIRST", "0"))
CORRUPTED = int(os.environ.get("COSTAB_CORRUPTED", "1000"))
SMALL, PER_CHART = 9, 40


class Sum:
    """What is found of some charts."""

    def __init__(self):
        self.points = self.certified = self.contradictions = self.differing = 0
        self.shares, self.cost, self.seconds = [], [], [0.0, 0.0]

    def add(self, folder, number):
        text = certified.chart(number, POINTS)
        _, classes, certificate, spent, seconds = certified.sweep(COSTAB, folder, text + "refine: {certified: true}\n", "chart")
        _, truth, _, _, full = certified.sweep(COSTAB, folder, text, "full")
        held = certificate == certified.CERTIFIED
        self.points += truth.size
        self.certified += int(held.sum())
        self.contradictions += int((held & (classes != truth)).sum())
        self.differing += int((classes != truth).sum())
        self.shares.append([float((certificate == kind).mean()) for kind in range(3)])
        self.cost.append(spent / truth.size)
        self.seconds[0] += seconds
        self.seconds[1] += full
        if os.environ.get("COSTAB_VERBOSE"):
            note("%3d %.3f %.3f %.3f cost %.2f %.2f s of %.2f s" % (number, *self.shares[-1], self.cost[-1], seconds, full),
                 *text.splitlines()[-6:-1])

    def words(self):
        shares = [100 * statistics.mean(row[kind] for row in self.shares) for kind in range(3)]
        return ("certified %.1f %%, computed %.1f %%, grey %.1f %% of the points on average, at most %.1f %% grey; evaluations "
                "%.2f of the full grid on average, %.2f in the middle, at most %.2f; time %.2f of it"
                % (*shares, 100 * max(row[2] for row in self.shares), statistics.mean(self.cost), statistics.median(self.cost),
                   max(self.cost), self.seconds[0] / self.seconds[1]))


every = Sum()
with tempfile.TemporaryDirectory() as folder:
    of_family = {family: Sum() for family in families.NAMES}
    for number in range(FIRST, FIRST + CHARTS):
        of_family[families.NAMES[number % len(families.NAMES)]].add(folder, number)
for family, found in of_family.items():
    note("%s: %d charts, %s" % (family, len(found.cost), found.words()))
    for name, value in vars(found).items():
        setattr(every, name, [a + b for a, b in zip(every.seconds, value)] if name == "seconds" else getattr(every, name) + value)
ok(every.contradictions == 0 and every.differing == 0,
   "%d points of certified cells among %d, %d contradictions; %d classes differ in all"
   % (every.certified, every.points, every.contradictions, every.differing))
ok(every.certified >= 10**6 * CHARTS // 100, "a million points of certified cells for a hundred charts")
grey = statistics.mean(row[certified.GREY] for row in every.shares)
ok(grey <= 0.1, "%d charts: %s" % (CHARTS, every.words()))


class Corrupted:
    """What `costab prove` says of corrupted files."""

    def __init__(self):
        self.files = self.to_refute = self.refuted = self.own = self.own_points = 0
        self.undecided, self.faults = 0, []

    def add(self, folder, number):
        """A small chart of its own, then corruptions of it."""
        text = certified.chart(number, SMALL)
        refine = "refine: {certified: true}\n"
        path, classes, certificates, *_ = certified.sweep(COSTAB, folder, text + refine, "own")
        status, found, said = certified.prove(COSTAB, path)
        if status != 0 or found["refuted"] > 0:
            self.faults.append("own file of chart %d: %d, %s, %s" % (number, status, found, said))
            return
        self.own, self.own_points = self.own + 1, self.own_points + found["confirmed"]
        self.undecided += found["undecided"]
        if found["confirmed"] == 0:
            return
        for k in range(PER_CHART):
            how = certified.CORRUPTIONS[k % len(certified.CORRUPTIONS)]
            made = certified.corrupt(path, os.path.join(folder, "corrupted.h5"), how, 1000 * number + k)
            if made is None or self.files == CORRUPTED:
                continue
            honest = classes, certificates
            if how is certified.other_model:
                honest = certified.sweep(COSTAB, folder, made[2], "honest")[1:3]
            faults, refuted, wrong = certified.judge(COSTAB, folder, os.path.join(folder, "corrupted.h5"), *made, honest)
            self.files, self.refuted, self.to_refute = self.files + 1, self.refuted + (refuted and wrong), self.to_refute + wrong
            self.faults += ["chart %d, %s %d: %s" % (number, how.__name__, k, fault) for fault in faults]


corrupted = Corrupted()
with tempfile.TemporaryDirectory() as folder:
    for number in range(FIRST, FIRST + 10 * CORRUPTED):
        if corrupted.files < CORRUPTED:
            corrupted.add(folder, number)
ok(not corrupted.faults,
   "%d own files: %d points confirmed, %d undecided, none refuted; %d corrupted files, of which %d have certified points of a wrong "
   "class: %d of these are refuted, and no wrong point is confirmed" % (corrupted.own, corrupted.own_points, corrupted.undecided,
   corrupted.files, corrupted.to_refute, corrupted.refuted), *corrupted.faults[:20])
finish()
