#!/usr/bin/env python3
"""Areas of random schemes, methods, micro steps and a, for planar_areas.csv (whose last rows are the published ones):
python3 planar_areas.py N [SEED [SCHEME]].

Nothing here is shared with costab. Values of a are decimals of 1 to 17 digits and fractions. Trace and determinant of a macro step are polynomials in d, made by interpolation
through steps that are played micro step by micro step with numbers of 160 digits; what is 0 is told by 110 of them. A row's
stable interval follows from the Jury conditions at two values of Delta, areas from partial fractions. The simulation's areas
(dGamma dDelta is |x - y| dx dy for real eigenvalues, 4 y dx dy for x +- iy) are integrals over x of the measure of |R| < 1 in
y^2, by tanh-sinh quadrature between the roots of a discriminant, which is made with fractions."""

import random
import sys
from fractions import Fraction

from mpmath import mp, mpf, mpc, sqrt, log, inf, matrix, lu_solve, polyroots, fabs

mp.dps = 160
ZERO = mpf(10) ** -110
CLOSE = mpf(10) ** -60

s2, s3 = sqrt(mpf(2)), sqrt(mpf(3))
r = lambda p, q=1: mpf(p) / q
TABLEAUX = {
    'euler': ([[0]], [1]),
    'heun': ([[0, 0], [1, 0]], [r(1, 2), r(1, 2)]),
    'midpoint': ([[0, 0], [r(1, 2), 0]], [0, 1]),
    'ralston': ([[0, 0], [r(2, 3), 0]], [r(1, 4), r(3, 4)]),
    'kutta3': ([[0] * 3, [r(1, 2), 0, 0], [-1, 2, 0]], [r(1, 6), r(2, 3), r(1, 6)]),
    'ssprk3': ([[0] * 3, [1, 0, 0], [r(1, 4), r(1, 4), 0]], [r(1, 6), r(1, 6), r(2, 3)]),
    'rk4': ([[0] * 4, [r(1, 2), 0, 0, 0], [0, r(1, 2), 0, 0], [0, 0, 1, 0]], [r(1, 6), r(1, 3), r(1, 3), r(1, 6)]),
    'rk38': ([[0] * 4, [r(1, 3), 0, 0, 0], [-r(1, 3), 1, 0, 0], [1, -1, 1, 0]],
             [r(1, 8), r(3, 8), r(3, 8), r(1, 8)]),
    'bs3': ([[0] * 3, [r(1, 2), 0, 0], [0, r(3, 4), 0]], [r(2, 9), r(1, 3), r(4, 9)]),
    'dopri5': ([[0] * 6, [r(1, 5)] + [0] * 5, [r(3, 40), r(9, 40)] + [0] * 4,
                [r(44, 45), -r(56, 15), r(32, 9), 0, 0, 0],
                [r(19372, 6561), -r(25360, 2187), r(64448, 6561), -r(212, 729), 0, 0],
                [r(9017, 3168), -r(355, 33), r(46732, 5247), r(49, 176), -r(5103, 18656), 0]],
               [r(35, 384), 0, r(500, 1113), r(125, 192), -r(2187, 6784), r(11, 84)]),
    'backward-euler': ([[1]], [1]),
    'trapezoidal': ([[0, 0], [r(1, 2), r(1, 2)]], [r(1, 2), r(1, 2)]),
    'gauss2': ([[r(1, 4), r(1, 4) - s3 / 6], [r(1, 4) + s3 / 6, r(1, 4)]], [r(1, 2), r(1, 2)]),
    'radau2': ([[r(5, 12), -r(1, 12)], [r(3, 4), r(1, 4)]], [r(3, 4), r(1, 4)]),
    'sdirk2': ([[1 - 1 / s2, 0], [1 / s2, 1 - 1 / s2]], [1 / s2, 1 - 1 / s2]),
}


def stage_determinant(A, z):
    n = len(A)
    M = matrix(n, n)
    for i in range(n):
        for j in range(n):
            M[i, j] = (1 if i == j else 0) - z * A[i][j]
    return mp.det(M)


def step(A, b, z, x, u0, u1):
    """One step of x' = z x + u, u linear from u0 to u1."""
    n = len(A)
    c = [sum(map(mpf, row)) for row in A]
    M, right = matrix(n, n), matrix(n, 1)
    for i in range(n):
        right[i] = z * x + u0 + (u1 - u0) * c[i]
        for j in range(n):
            M[i, j] = (1 if i == j else 0) - z * A[i][j]
    k = lu_solve(M, right)
    return x + sum(b[i] * k[i] for i in range(n))


def macro(method, m, z):
    """den R, den P0, den P1 and den of a macro step, den = det(I - z/m A)^m."""
    A, b = TABLEAUX[method]
    out = []
    for x, u0, u1 in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        x = mpf(x)
        for j in range(m):
            here, there = mpf(j) / m, mpf(j + 1) / m
            x = step(A, b, z / m, x, (u0 + (u1 - u0) * here) / m, (u0 + (u1 - u0) * there) / m)
        out.append(x)
    den = stage_determinant(A, z / m) ** m
    return [den * v for v in out] + [den]


def polynomial(places, values):
    """The coefficients, ascending, of the polynomial through the points (Newton's form, multiplied out)."""
    n = len(places)
    d = list(values)
    for level in range(1, n):
        for i in range(n - 1, level - 1, -1):
            d[i] = (d[i] - d[i - 1]) / (places[i] - places[i - level])
    coefficients = [mpf(0)]
    for i in range(n - 1, -1, -1):
        coefficients = [mpf(0)] + coefficients
        for k in range(len(coefficients) - 1):
            coefficients[k] -= places[i] * coefficients[k + 1]
        coefficients[0] += d[i]
    return trimmed(coefficients)


def trimmed(p, size=None):
    """Without what is rounding beside `size`, the largest coefficient if it is not given, and without leading zeros."""
    size = max((fabs(c) for c in p), default=mpf(0)) if size is None else size
    p = [c if fabs(c) > ZERO * size else mpf(0) for c in p]
    while p and p[-1] == 0:
        p.pop()
    return p


def add(p, q, factor=1):
    n, size = max(len(p), len(q)), max((fabs(c) for c in p + q), default=mpf(0))
    p, q = p + [mpf(0)] * (n - len(p)), q + [mpf(0)] * (n - len(q))
    return trimmed([x + factor * y for x, y in zip(p, q)], size)


def mul(p, q):
    if not p or not q:
        return []
    out = [0] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            out[i + j] += x * y
    return out


def value(p, x):
    total = mpf(0)
    for c in reversed(p):
        total = total * x + c
    return total


def size_at(p, x):
    return sum((fabs(c) * fabs(x) ** k for k, c in enumerate(p)), mpf(0))


def vanishes(p, x):
    """Within CLOSE: x may be a double root's half of the digits."""
    return fabs(value(p, x)) <= mpf(10) ** -50 * size_at(p, x)


def all_roots(p):
    if len(p) < 2:
        return []
    low = 0
    while p[low] == 0:
        low += 1
    q = p[low:]
    found = [mpc(0)] * low
    if len(q) > 1:
        found += polyroots(list(reversed(q)), maxsteps=400, extraprec=500)
    return found


def real_roots(p):
    return [z.real for z in map(mpc, all_roots(p)) if fabs(z.imag) <= CLOSE * (fabs(z) + ZERO)]


def bounds(scheme, method, m0, m1, a):
    """The conditions (x0 + x1 Delta) / den > 0 as polynomials in d, and den."""
    Ra, A0, A1, qa = macro(method, m0, a)
    if fabs(qa) < ZERO:
        return None
    Ra, A0, A1 = Ra / qa, A0 / qa, A1 / qa
    if fabs(A0 + A1) < ZERO:
        return None
    degree = len(TABLEAUX[method][0]) * m1
    places = [mpf(i) / 3 - mpf(degree) / 5 + mpf(1) / 7 for i in range(degree + 1)]
    tables = list(zip(*(macro(method, m1, x) for x in places)))
    R, P0, P1, q = (polynomial(places, list(t)) for t in tables)
    phi = add(P0, P1)
    aphi = A0 + A1
    conditions = []

    def at(delta):
        """den K, den K Tr, den K Det at one Delta."""
        w = [-mpf(delta), mpf(a)]  # bc = a d - Delta
        if scheme == 'cross':
            return q, add([Ra * c for c in q], R), add([Ra * c for c in R],
                                                                                   mul(w, [aphi * c for c in phi]), -1)
        if scheme == 'zigzag':
            trace = add(add([Ra * c for c in q], R), mul(w, [aphi * c for c in P1]))
            return q, trace, add([Ra * c for c in R], mul(w, [aphi * c for c in P0]), -1)
        K = add(q, mul(w, [A1 * c for c in P1]), -1)
        trace = add(add([Ra * c for c in q], R), mul(w, add([A1 * c for c in P0], [A0 * c for c in P1])))
        return K, trace, add([Ra * c for c in R], mul(w, [A0 * c for c in P0]), -1)

    values = []
    for delta in (0, 1):
        K, T, N = at(delta)
        row = [add(add(K, T, -1), N), add(K, N, -1), add(add(K, T), N)]
        if scheme == 'strong':
            row += [K, add([2 * c for c in q], K, -1)]
        values.append(row)
    for k in range(len(values[0])):
        conditions.append((values[0][k], add(values[1][k], values[0][k], -1)))
    conditions[0] = ([], conditions[0][1])  # 1 - Tr + Det = Delta phi phi exactly
    return conditions, q


def row(conditions, den, d):
    """(lower, upper) as numbers of conditions, None for no end; None if empty."""
    sign = 1 if value(den, d) > 0 else -1
    low, high, lower, upper = -inf, inf, None, None
    for k, (p0, p1) in enumerate(conditions):
        x0, x1 = sign * value(p0, d), sign * value(p1, d)
        if fabs(x1) <= ZERO * size_at(p1, d):
            if x0 <= 0:
                return None
            continue
        end = -x0 / x1
        if x1 > 0 and end > low:
            low, lower = end, k
        if x1 < 0 and end < high:
            high, upper = end, k
    return (lower, upper) if low < high else None


def quotient(p, q):
    """Without the common roots, which are told by their values."""
    for z in all_roots(q):
        while len(q) > 1 and vanishes(q, z) and vanishes(p, z):
            p, q = deflate(p, z), deflate(q, z)
    return p, q


def deflate(p, z):
    out, carry = [], mpc(0)
    for c in reversed(p):
        carry = carry * z + c
        out.append(carry)
    out.pop()
    return list(reversed(out))


def integral(p, q, low, high):
    """Of p / q from low to high by partial fractions; inf where it has none."""
    if not p:
        return mpf(0)
    p, q = quotient(p, q)
    n, m = len(p) - 1, len(q) - 1
    if (low == -inf or high == inf) and n - m >= -1:
        return inf
    poles = all_roots(q)
    for z in poles:
        for end in (low, high):
            if fabs(end) != inf and fabs(z - end) <= CLOSE * (1 + fabs(end)):
                return inf
    total = mpc(0)
    rest = list(map(mpc, p))
    while len(rest) >= len(q):  # the polynomial part
        c = rest[-1] / q[-1]
        k = len(rest) - len(q)
        for i in range(len(q)):
            rest[i + k] -= c * q[i]
        rest.pop()
        total += c * (mpf(high) ** (k + 1) - mpf(low) ** (k + 1)) / (k + 1)
    slope = slope_of(q)
    for i, z in enumerate(poles):
        if any(i != j and fabs(z - y) <= mpf(10) ** -40 * (1 + fabs(z)) for j, y in enumerate(poles)):
            raise ArithmeticError('a double pole')
        c = value(rest, z) / value(slope, z)
        real = fabs(z.imag) <= CLOSE * (1 + fabs(z))
        for end, sign in ((high, 1), (low, -1)):
            if fabs(end) == inf:
                if not real and end == -inf:  # arg(x - z) -> -+pi
                    total += sign * c * mpc(0, -mp.pi if z.imag > 0 else mp.pi)
            elif real:
                total += sign * c * log(fabs(end - z.real))
            else:
                total += sign * c * log(mpc(end) - z)
    return total.real


def areas(scheme, method, m0, m1, a):
    """(A_SS, A_US)"""
    made = bounds(scheme, method, m0, m1, mpf(a))
    if made is None:
        return mpf(0), mpf(0)
    conditions, den = made
    breaks = [-mpf(a)] + real_roots(den)
    for i, (p0, p1) in enumerate(conditions):
        breaks += real_roots(p0) + real_roots(p1)
        for r0, r1 in conditions[i + 1:]:
            breaks += real_roots(add(mul(p0, r1), mul(r0, p1), -1))
    breaks.sort()
    cuts = []
    for x in breaks:
        if not cuts or x - cuts[-1] > CLOSE * (fabs(x) + ZERO):
            cuts.append(x)
    cuts = [-inf] + cuts + [inf]
    total = {True: mpf(0), False: mpf(0)}
    for low, high in zip(cuts, cuts[1:]):
        d = high - 1 if low == -inf else low + 1 if high == inf else (low + high) / 2
        ends = row(conditions, den, d)
        if ends is None:
            continue
        above = ends[0] is not None and value(conditions[0][1], d) * value(den, d) > 0
        ss = above and d < -a
        if None in ends:
            total[ss] = inf
            continue
        (l0, l1), (u0, u1) = conditions[ends[0]], conditions[ends[1]]
        top = add(mul(l0, u1), mul(u0, l1), -1)
        total[ss] += integral(top, mul(l1, u1), low, high)
    return total[True], total[False]


# ---- the simulation: pairs of eigenvalues inside |R| < 1, by slices x = const of the plane ----


def rational(p):
    """The coefficients, which are quotients of small integers, as such."""
    return [Fraction(int(mp.nint(c * 10 ** 30)), 10 ** 30).limit_denominator(10 ** 9) for c in p]


def growth_in_w(P, Q, x):
    """|P|^2 - |Q|^2 at x + iy, as a polynomial in w = y^2."""
    total = []
    for sign, f in ((1, P), (-1, Q)):
        shifted, rest = [], list(f)  # f(x + t), by repeated division by t
        while rest:
            for k in range(len(rest) - 2, -1, -1):
                rest[k] += x * rest[k + 1]
            shifted.append(rest.pop(0))
        for parity in (0, 1):
            part = [(-1) ** k * c for k, c in enumerate(shifted[parity::2])]
            square = [0] * parity + mul(part, part)
            total += [0] * (len(square) - len(total))
            for k, c in enumerate(square):
                total[k] += sign * c
    return total


def resultant(f, g):
    """By Euclid's algorithm."""
    if len(g) == 1:
        return g[0] ** (len(f) - 1)
    rest = remainder(f, g)
    if not rest:
        return Fraction(0)
    return (-1) ** ((len(f) - 1) * (len(g) - 1)) * g[-1] ** (len(f) - len(rest)) * resultant(g, rest)


def slope_of(p):
    return [k * c for k, c in enumerate(p)][1:]


def remainder(p, q):
    p = list(p)
    while len(p) >= len(q):
        factor = p[-1] / q[-1]
        for k in range(len(q)):
            p[k - len(q)] -= factor * q[k]
        p.pop()
    while p and p[-1] == 0:
        p.pop()
    return p


def simple_roots(p):
    """The real roots of a polynomial with rational coefficients, each once."""
    while p and p[-1] == 0:
        p.pop()
    q, rest = slope_of(p), p
    while q:
        rest, q = q, remainder(rest, q)
        q = [c / q[-1] for c in q]
    quotient_, p = [], list(p)
    while len(p) >= len(rest):  # p without its multiple factors
        factor = p[-1] / rest[-1]
        for k in range(len(rest)):
            p[k - len(rest)] -= factor * rest[k]
        p.pop()
        quotient_.insert(0, factor)
    return real_roots([mpf(c.numerator) / c.denominator for c in quotient_])


def through(values):
    """The polynomial with these values at 0, 1, 2, ..."""
    d, coefficients = list(values), []
    for level in range(1, len(d)):
        for i in range(len(d) - 1, level - 1, -1):
            d[i] = (d[i] - d[i - 1]) / level
    for i in range(len(d) - 1, -1, -1):
        coefficients = mul(coefficients, [Fraction(-i), Fraction(1)]) or [Fraction(0)]
        coefficients[0] += d[i]
    return coefficients


def measure(P, Q, x):
    """Of all w > 0 with |R| < 1; twice that is the integral of 4 y dy."""
    with mp.workdps(120):
        f = trimmed([mpf(c) for c in growth_in_w(P, Q, x)])
        ends = [mpf(0)] + sorted(w for w in real_roots(f) if w > 0)
        return sum((high - low for low, high in zip(ends, ends[1:]) if value(f, (low + high) / 2) < 0), mpf(0))


def pairs(intervals, others):
    """The integral of |x - y| over x and y of two lists of intervals, each of which is one or lies beside the other."""
    total = mpf(0)
    for a, b in intervals:
        for c, d in others:
            total += (b - a) ** 3 / 3 if (a, b) == (c, d) else fabs((a + b) - (c + d)) / 2 * (b - a) * (d - c)
    return total


def bounded_areas(P, Q):
    """Where |R| < 1 is a bounded set."""
    exact_P, exact_Q = rational(P), rational(Q)
    count = 2 * max(len(P), len(Q)) ** 2
    discriminants = through([resultant(f, slope_of(f)) for f in (growth_in_w(exact_P, exact_Q, Fraction(x)) for x in range(count))])
    on_axis = add(mul(P, P), mul(Q, Q), -1)
    cuts = sorted([mpf(0)] + simple_roots(discriminants) + [x for x in real_roots(on_axis) if fabs(x) > CLOSE])
    inside = [(low, high) for low, high in zip(cuts, cuts[1:]) if value(on_axis, (low + high) / 2) < 0]
    left, right = [i for i in inside if i[1] <= 0], [i for i in inside if i[0] >= 0]
    real = [pairs(left, left) / 2, pairs(left, right) + pairs(right, right) / 2]
    complexes = [mpf(0), mpf(0)]
    for low, high in zip(cuts, cuts[1:]):
        with mp.workdps(50):
            complexes[low >= 0] += 2 * mp.quad(lambda x: measure(P, Q, x), [low, high])
    return [r + c for r, c in zip(real, complexes)]


KNOWN = {}


def simulation_areas(method, m):
    """Of a macro step of m micro steps |R| < 1 is m times as large, so areas m^3 times."""
    degree = len(TABLEAUX[method][0])
    places = [mpf(i) / 3 + mpf(1) / 7 for i in range(degree + 1)]
    tables = list(zip(*(macro(method, 1, x) for x in places)))
    P, Q = polynomial(places, list(tables[0])), polynomial(places, list(tables[3]))
    if len(P) == len(Q) and fabs(fabs(P[-1] / Q[-1]) - 1) < ZERO:
        mirrored = [(-1) ** k * c for k, c in enumerate(P)]
        if add(mul(P, mirrored), mul(Q, [(-1) ** k * c for k, c in enumerate(Q)]), -1):
            raise ArithmeticError('|R| = 1 at infinity')
        return inf, mpf(0)  # R(z) R(-z) = 1: the left half of the plane
    if len(P) < len(Q) or len(P) == len(Q) and fabs(P[-1]) < fabs(Q[-1]):
        return inf, inf
    key = tuple(rational(P) + rational(Q))
    if key not in KNOWN:
        KNOWN[key] = bounded_areas(P, Q)
    return tuple(m ** 3 * area for area in KNOWN[key])


def text(x):
    return 'inf' if x == inf else '0' if x == 0 else mp.nstr(x, 45)


def written(rng):
    """A decimal of 1 to 17 digits, or a fraction: mostly of ordinary size, some small or large."""
    kind = rng.random()
    if kind < 0.1:
        return rng.choice(['-3', '-2', '-1', '-0.5', '0', '0.5', '1', '2'])
    if kind < 0.4:
        q = rng.randint(2, rng.choice([9, 99, 10 ** 6]))
        return f'{rng.randint(-4 * q, 3 * q)}/{q}'
    a = rng.choice([-1, 1]) * 10 ** rng.uniform(-4, 2) if kind < 0.6 else rng.uniform(-4, 3)
    return f'{a:.{rng.randint(1, 17)}g}'


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    rng = random.Random(seed)
    schemes = sys.argv[3:] or 3 * ['cross', 'zigzag', 'strong'] + ['simulation']
    print('scheme,method,substeps_a,substeps_d,a,area_ss,area_us')
    while count > 0:
        scheme = rng.choice(schemes)
        method = rng.choice(sorted(TABLEAUX))
        m0, m1 = (rng.randint(1, 3), rng.randint(1, 3)) if rng.random() < 0.2 else (1, 1)
        if scheme == 'simulation':
            m0 = m1 = rng.randint(1, 3)
        elif len(TABLEAUX[method][0]) * max(m0, m1) > 9:
            m0 = m1 = 1
        a = written(rng)
        try:
            at = mpf(Fraction(a).numerator) / Fraction(a).denominator
            ss, us = simulation_areas(method, m0) if scheme == 'simulation' else areas(scheme, method, m0, m1, at)
        except (ArithmeticError, mp.NoConvergence) as problem:
            print(f'{scheme} {method} {m0} {m1} {a}: {problem}', file=sys.stderr)
            continue
        print(f'{scheme},{method},{m0},{m1},{a},{text(ss)},{text(us)}', flush=True)
        count -= 1


if __name__ == '__main__':
    main()
