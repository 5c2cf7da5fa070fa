#!/usr/bin/env python3
"""Trace, determinant and radii of the planar system have all their digits, or are nan: near their zeros, where two eigenvalues of the map
meet, and far from a = 0. The oracle computes trace and determinant in fractions, from the tableaux, and roots to 80 digits. Prints TAP."""
import csv
import decimal
import fractions
import random

from tap import costab, effort, finish, ok, workplace

decimal.getcontext().prec = 80
decimal.getcontext().Emax, decimal.getcontext().Emin = 10 ** 6, -10 ** 6
Q = fractions.Fraction
SEED = 20
BOUND = 5e-12  # planar/row.h: at most 10 bits are lost to cancellation, of some roundings
TABLEAUX = {
    "rk4": ([[0] * 4, [Q(1, 2), 0, 0, 0], [0, Q(1, 2), 0, 0], [0, 0, 1, 0]], [Q(1, 6), Q(1, 3), Q(1, 3), Q(1, 6)]),
    "heun": ([[0, 0], [1, 0]], [Q(1, 2), Q(1, 2)]),
    "backward-euler": ([[1]], [1]),
}


def micro(tableau, z):
    """R, and the weights of a linear input's values at both ends, of one step: b' (I - z A)^-1, A lower triangular."""
    A, b = tableau
    phi, p1, ones, times = Q(0), Q(0), [], []
    for i, row in enumerate(A):
        c = sum(map(Q, row))
        pivot = 1 - z * row[i]
        ones.append((1 + z * sum(row[j] * ones[j] for j in range(i))) / pivot)
        times.append((c + z * sum(row[j] * times[j] for j in range(i))) / pivot)
        phi += b[i] * ones[i]
        p1 += b[i] * times[i]
    return 1 + z * phi, phi - p1, p1


def macro(tableau, m, z):
    """The same of m micro steps."""
    R, p0, p1 = micro(tableau, z / m)
    P0 = P1 = Q(0)
    for k in range(m):
        P0 = R * P0 + (p0 * (m - k) + p1 * (m - k - 1)) / m / m
        P1 = R * P1 + (p0 * k + p1 * (k + 1)) / m / m
    return R ** m, P0, P1


def product(X, Y):
    return [[sum(X[i][k] * Y[k][j] for k in range(2)) for j in range(2)] for i in range(2)]


def stability_matrix(tableau, A):
    """1 + A b' (I - A (x) tableau)^-1 1, stage by stage in matrices."""
    rows, b = tableau
    unit = [[Q(1), Q(0)], [Q(0), Q(1)]]
    stages = []
    for i, row in enumerate(rows):
        stage = [list(r) for r in unit]
        for j in range(i):
            part = product(A, stages[j])
            stage = [[stage[p][q] + row[j] * part[p][q] for q in range(2)] for p in range(2)]
        M = [[unit[p][q] - row[i] * A[p][q] for q in range(2)] for p in range(2)]
        det = M[0][0] * M[1][1] - M[0][1] * M[1][0]
        inverse = [[M[1][1] / det, -M[0][1] / det], [-M[1][0] / det, M[0][0] / det]]
        stages.append(product(inverse, stage))
    total = [[sum(b[i] * stages[i][p][q] for i in range(len(b))) for q in range(2)] for p in range(2)]
    step = product(A, total)
    return [[unit[p][q] + step[p][q] for q in range(2)] for p in range(2)]


def invariants(scheme, tableau, m, a, gamma, delta):
    """Trace and determinant of D for the matrix [[a, 1], [bc, d]], and the square of the iteration's radius."""
    a, gamma, delta = Q(a), Q(gamma), Q(delta)
    if scheme == "simulation":
        one = D = stability_matrix(tableau, [[Q(0), -delta / m[0] ** 2], [Q(1), gamma / m[0]]])
        for _ in range(m[0] - 1):
            D = product(D, one)
    else:
        d, (Ra, p0, p1), (Rd, q0, q1) = gamma - a, macro(tableau, m[0], a), macro(tableau, m[1], gamma - a)
        c = a * d - delta
        D = [[Ra, p0 + p1], [c * (q0 + q1), Rd]]
        if scheme == "zigzag":
            D[1] = [c * (q0 + q1 * D[0][0]), Rd + c * q1 * D[0][1]]
        if scheme == "strong":
            # x1 = Ra x + p0 y + p1 y1, y1 = Rd y + c (q0 x + q1 x1)
            K = 1 - p1 * c * q1
            D = [[(Ra + p1 * c * q0) / K, (p0 + p1 * Rd) / K], [c * (q0 + q1 * Ra) / K, (Rd + c * q1 * p0) / K]]
            return D[0][0] + D[1][1], D[0][0] * D[1][1] - D[0][1] * D[1][0], abs(c * p1 * q1)
    return D[0][0] + D[1][1], D[0][0] * D[1][1] - D[0][1] * D[1][0], None


def number(q):
    return decimal.Decimal(q.numerator) / decimal.Decimal(q.denominator)


def right_answers(*point):
    trace, determinant, square = invariants(*point)
    disc = trace * trace / 4 - determinant
    radius = number(determinant).sqrt() if disc < 0 else abs(number(trace)) / 2 + number(disc).sqrt()
    return number(trace), number(determinant), radius, None if square is None else number(square).sqrt()


def zero(f, low, high):
    """A double next to a change of sign."""
    if (f(low) > 0) == (f(high) > 0):
        return None
    start = f(low) > 0
    while low < (middle := low + (high - low) / 2) < high:
        low, high = (middle, high) if (f(middle) > 0) == start else (low, middle)
    return low


def near_zeros(rng, scheme, tableau, m):
    """Points at and next to zeros of trace, determinant and discriminant along a row."""
    for _ in range(effort(3)):
        a, gamma, low = rng.uniform(-3, 3), rng.uniform(-6, 2), rng.uniform(-20, 20)
        high = low + rng.uniform(1, 20)

        def at(delta):
            return invariants(scheme, tableau, m, a, gamma, delta)[:2]

        for f in (lambda x: at(x)[0], lambda x: at(x)[1], lambda x: at(x)[0] ** 2 / 4 - at(x)[1]):
            delta = zero(f, low, high)
            if delta is not None:
                yield from ((a, gamma, delta * (1 + by)) for by in (0, 2e-16, -2e-15, 1e-9 * rng.random(), 1e-4 * rng.random()))
        yield a, gamma, gamma * gamma / 4


def far_points(rng):
    for decades in (0, 1, 3, 5, 8, 12):
        for _ in range(4):
            by = 10.0 ** decades
            yield rng.uniform(-3, 3) * by, rng.uniform(-6, 2) * rng.choice((1, by)), rng.uniform(-4, 14) * rng.choice((1, by, by * by))


def check(rng, scheme, method, m):
    tableau = TABLEAUX[method]
    points = [*near_zeros(rng, scheme, tableau, m), *far_points(rng)]
    with open("points.csv", "w") as file:
        file.write("a,gamma,delta\n" + "".join("%r,%r,%r\n" % p for p in points))
    substeps = str(m[0]) if scheme == "simulation" else "%d,%d" % m
    result = costab("classify", "--points", "points.csv", "--scheme", scheme, "--method", method, "--substeps", substeps, "-f", "csv")
    worst, compared, wrong = 0, 0, []
    for point, row in zip(points, csv.DictReader(result.stdout.splitlines()), strict=True):
        answers = right_answers(scheme, tableau, m, *point)
        largest = max(answers[2], answers[3] or 0)
        if abs(largest - 1) > BOUND and (row["class"][1] == "S") != (largest < 1):
            wrong.append(f"{row['class']} at {point}, where the larger radius is {float(largest)!r}")
        for name, right in zip(("trace", "determinant", "spectral_radius", "iteration_radius"), answers):
            if right is None or row[name] == "nan":
                continue
            error = abs(decimal.Decimal(row[name]) - right)
            compared += 1
            if error > abs(right) * decimal.Decimal(BOUND):
                wrong.append(f"{name} at {point}: {row[name]}, right: {float(right)!r}")
            worst = max(worst, float(error / abs(right)) if right else 0)
    expected = len(points) * (4 if scheme == "strong" else 3)
    ok(not wrong and compared > 0.98 * expected, f"{scheme}, {method} with {substeps} micro steps: {compared} of {expected} numbers, relative error at most {worst:.1e}", *wrong[:5])


def main():
    rng = random.Random(SEED)
    with workplace():
        for method, m in (("rk4", (1, 1)), ("rk4", (3, 2)), ("heun", (1, 1)), ("backward-euler", (2, 1))):
            for scheme in ("simulation", "cross", "zigzag", "strong"):
                check(rng, scheme, method, m)
    finish()


if __name__ == "__main__":
    main()
