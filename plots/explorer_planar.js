// The planar kernel: one macro step of z' = [a b; c d] z, with any method and number of micro steps. A method of data.planar.methods has phi, P1 and their
// denominator as polynomials: R(z) = 1 + z phi(z) is its stability function, P1 the weight of an input's new value, P0 = phi - P1. The exact solution has none.
const INVERSE_FACTORIALS = [1];
for (let k = 1; k < 24; k++) INVERSE_FACTORIALS.push(INVERSE_FACTORIALS[k - 1] / k);
const polynomial = (terms, z) => terms.reduceRight((sum, term) => sum * z + term, 0);
const phiAt = ({ phi, denominator }, z) => denominator ? polynomial(phi, z) / polynomial(denominator, z) : Math.abs(z) < 1 ? polynomial(INVERSE_FACTORIALS.slice(1), z) : Math.expm1(z) / z;
const microStep = (method, z) => {
  const { p1, denominator } = method, phi = phiAt(method, z);
  const next = denominator ? polynomial(p1, z) / polynomial(denominator, z) : Math.abs(z) < 1 ? polynomial(INVERSE_FACTORIALS.slice(2), z) : (phi - 1) / z;
  return { R: 1 + z * phi, p0: phi - next, p1: next };
};
// k micro steps and then l more; the input is linear over all of them.
const composed = (first, k, second, l) => {
  const joint = second.R * first.p1 + second.p0;
  return { R: second.R * first.R, p0: second.R * first.p0 + joint * l / (k + l), p1: joint * k / (k + l) + second.p1 };
};
const macroStep = (method, count, z) => {
  let power = microStep(method, z / count), size = 1, sum = null, done = 0;
  for (let rest = count; rest > 0; rest = Math.floor(rest / 2), power = composed(power, size, power, size), size *= 2) {
    if (rest % 2) [sum, done] = [sum ? composed(sum, done, power, size) : power, done + size];
  }
  return { R: sum.R, p0: sum.p0 / count, p1: sum.p1 / count };
};
const complexPolynomial = (terms, x, y) => {
  let re = 0, im = 0;
  for (let k = terms.length - 1; k >= 0; k--) [re, im] = [re * x - im * y + terms[k], re * y + im * x];
  return [re, im];
};
// R - 1 of one micro step at z = x + iy.
const increment = ({ phi, denominator }, x, y) => {
  if (!denominator) return [Math.expm1(x) * Math.cos(y) - 2 * Math.sin(y / 2) ** 2, Math.exp(x) * Math.sin(y)];
  const [a, b] = complexPolynomial(phi, x, y), [c, d] = complexPolynomial(denominator, x, y), size = c * c + d * d, re = (a * c + b * d) / size, im = (b * c - a * d) / size;
  return [x * re - y * im, x * im + y * re];
};
// (1 + u)^count - 1
const compounded = (u, count) => u > -1 ? Math.expm1(count * Math.log1p(u)) : (1 + u) ** count - 1;
// Each row (a, gamma) is a function of delta. It returns of the map D: trace, determinant, first entry, the square of the iteration's radius, K, which is above
// 0 if the iteration converges, and the conditions K (1 - det), K (1 - trace + det), K (1 + trace + det), which have the sign of K in a stable map.
const monolithicRow = (method, count, a, gamma) => delta => {
  const x = gamma / 2 / count, scaled = delta / count ** 2, square = x * x - scaled, y = Math.max(Math.sqrt(Math.abs(square)), 1e-9), far = x < 0 ? x - y : x + y, near = scaled / far;
  if (square > 0) {
    const u = compounded(far * phiAt(method, far), count), v = compounded(near * phiAt(method, near), count);
    return { trace: 2 + u + v, determinant: (1 + u) * (1 + v), first: 1 + v + (u - v) * (a / count - near) / (far - near), iteration: 0, K: 1, conditions: [-(u + v + u * v), u * v, (2 + u) * (2 + v)] };
  }
  const [re, im] = increment(method, x, y), growth = compounded(method.denominator ? 2 * re + re * re + im * im : Math.expm1(2 * x), count);
  const size = Math.sqrt((1 + re) ** 2 + im * im) ** count, angle = count * Math.atan2(im, 1 + re), away = (growth / (1 + size)) ** 2;
  return { trace: 2 * size * Math.cos(angle), determinant: size * size, first: size * (Math.cos(angle) + Math.sin(angle) * (a / count - x) / y), iteration: 0, K: 1,
    conditions: [-growth, away + 4 * size * Math.sin(angle / 2) ** 2, away + 4 * size * Math.cos(angle / 2) ** 2] };
};
const planarRow = (scheme, method, substeps, a, gamma) => {
  if (scheme === "simulation") return monolithicRow(method, substeps[0], a, gamma);
  const d = gamma - a, A = macroStep(method, substeps[0], a), D = macroStep(method, substeps[1], d), phiA = A.p0 + A.p1, phiD = D.p0 + D.p1, isStrong = scheme === "strong";
  const g = scheme === "cross" ? 0 : phiA * D.p1 + (isStrong ? A.p1 * phiD : 0), q = isStrong ? A.p1 * D.p1 : 0, p = isStrong ? A.p1 * D.p0 : 0;
  return delta => {
    const bc = a * d - delta, K = 1 - bc * q, more = a * phiA + d * phiD + bc * g, fold = delta * phiA * phiD;
    return { trace: 2 + more / K, determinant: 1 + (more + fold) / K, first: (A.R + bc * p) / K, iteration: Math.abs(bc * q), K, conditions: [-(more + fold), fold, 4 * K + 2 * more + fold] };
  };
};
// The conditions that fail, as bits.
const failing = ({ conditions: [det, fold, flip], iteration, K }) => (det * K > 0 ? 0 : 1) | (fold * K > 0 ? 0 : 2) | (flip * K > 0 ? 0 : 4) | (iteration < 1 ? 0 : 8);
