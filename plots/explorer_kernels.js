// Questions to the kernels, and where there are none, to the stored grid.
const className = code => CLASSES[code] ?? "failed";
const CAUSES = [["det", "an oscillation grows"], ["fold", "a drift grows"], ["flip", "it alternates and grows"], ["iteration", "the iteration diverges"]];

// ---- The planar system
let prepared = "";
// The method and the micro steps; false where the kernels refuse them, such as too many micro steps.
const preparePlanar = () => {
  const asked = `${S.method} ${S.substeps}`;
  if (asked === prepared) return true;
  const own = S.method === data.planar.method;
  if (!kernels.exports.planar_set(cString("method", S.method).address, own, ...S.substeps)) return false;
  prepared = asked;
  return true;
};
const schemeOf = choice => PLANAR_SCHEMES.indexOf(choice);
const parameterA = () => S.values.a ?? 0;
const rootsOf = (trace, determinant) => {
  const half = trace / 2, q = half * half - determinant, w = Math.sqrt(Math.abs(q));
  return q < 0 ? [[half, w], [half, -w]] : [[half + w, 0], [half - w, 0]];
};
const planarAt = (place, choice) => {
  preparePlanar();
  room("point", Float64Array, 6);
  kernels.exports.planar_point(schemeOf(choice), place.a ?? 0, place.gamma, place.delta, addressOf("point"));
  const [trace, determinant, radius, iteration, code, cause] = room("point", Float64Array, 6);
  return { class: className(code), trace, determinant, spectral_radius: radius, iteration_radius: choice === "strong" ? iteration : null,
    cause: CAUSES.filter((_, k) => cause >> k & 1).map(c => c[0]), eigenvalues: rootsOf(trace, determinant) };
};
const planarGrid = (call, Type, nx, ny, view, choice) => {
  preparePlanar();
  room(call, Type, nx * ny);
  kernels.exports[call](schemeOf(choice), parameterA(), view[0], view[1], nx, view[2], view[3], ny, addressOf(call));
  return room(call, Type, nx * ny);
};
// Boundary curves of a window: [{cause, points: [x, y, ...]}].
const CURVE_NUMBERS = 400000;
const planarCurves = view => {
  preparePlanar();
  const found = [];
  room("window", Float64Array, 4).set(view);
  room("curves", Float64Array, CURVE_NUMBERS);
  const count = kernels.exports.planar_boundary(schemeOf(S.choice), parameterA(), addressOf("window"), addressOf("curves"), CURVE_NUMBERS);
  const numbers = room("curves", Float64Array, CURVE_NUMBERS);
  for (let k = 0; k < count; k += 2 + 2 * numbers[k + 1]) found.push({ cause: numbers[k], points: numbers.slice(k + 2, k + 2 + 2 * numbers[k + 1]) });
  return found;
};
// The first state from (1, 0) at macro steps, and that of the exact solution `fine` times per macro step.
const planarHistory = (point, steps, fine) => {
  preparePlanar();
  room("states", Float64Array, steps + 1);
  room("exact", Float64Array, steps * fine + 1);
  kernels.exports.planar_history(schemeOf(S.choice), parameterA(), ...point, steps + 1, fine, addressOf("states"), addressOf("exact"));
  return { states: [...room("states", Float64Array, steps + 1)], exact: [...room("exact", Float64Array, steps * fine + 1)] };
};

// ---- Networks
const couplingOf = choice => data.network.couplings.indexOf(choice);
const parameterNumbers = new Map();
const parameterOf = name => {
  if (!parameterNumbers.has(name)) parameterNumbers.set(name, kernels.exports.network_find(cString("name", name).address));
  return parameterNumbers.get(name);
};
const setNetwork = place => {
  kernels.exports.network_reset();
  for (const [name, value] of Object.entries({ ...S.knobs, ...place })) if (parameterOf(name) >= 0) kernels.exports.network_set(parameterOf(name), value);
};
const MODES_MOST = 6;
const networkClass = (place, choice) => {
  setNetwork(place);
  return className(kernels.exports.network_class(couplingOf(choice)));
};
// What makes an eigenvalue leave the circle: the same words as of the planar system.
const causeOf = (re, im, iteration) => iteration >= 1 ? "iteration" : im !== 0 ? "det" : re > 0 ? "fold" : "flip";
// Of the last point that was analysed.
const lastEigenvalues = size => {
  room("values", Float64Array, 2 * size);
  kernels.exports.network_eigenvalues(addressOf("values"));
  const values = room("values", Float64Array, 2 * size);
  return Array.from({ length: size }, (_, i) => [values[2 * i], values[2 * i + 1]]);
};
const networkAt = (place, choice) => {
  const { subsystems, connections } = data.network, row = 5 + subsystems.length + connections.length, head = 10;
  setNetwork(place);
  room("point", Float64Array, head + MODES_MOST * row);
  if (!kernels.exports.network_point(couplingOf(choice), MODES_MOST, addressOf("point")))
    return { class: "failed", why: message(), cause: [], modes: [], eigenvalues: [] };
  const n = room("point", Float64Array, head + MODES_MOST * row).slice(), size = n[7], modes = [];
  for (let m = 0; m < n[9]; m++) {
    const k = head + m * row, shares = k + 5, links = shares + subsystems.length;
    modes.push({ re: n[k], im: n[k + 1], frequency: n[k + 2], damping: n[k + 3], growth: n[k + 4],
      shares: Object.fromEntries(subsystems.map((s, i) => [s.name, n[shares + i]])), links: Object.fromEntries(connections.map((c, i) => [c, n[links + i]])) });
  }
  const name = className(n[0]);
  const found = { class: name, spectral_radius: n[1], iteration_radius: Number.isNaN(n[2]) ? null : n[2], spectral_abscissa: n[3], decay: n[4], growth: n[5],
    macro_step: n[6], size, neutral: n[8], modes, cause: [], eigenvalues: lastEigenvalues(size) };
  if (name[1] === "U") found.cause = [causeOf(modes[0]?.re ?? 2, modes[0]?.im ?? 0, found.iteration_radius)];
  return found;
};
// Writes the parameters of a grid of points over a view, and numbers some of its points.
const networkGrid = (call, Type, nx, ny, view, which) => {
  setNetwork(S.values);
  const total = nx * ny;
  room("spans", Float64Array, 10).set([parameterOf(X.name), view[0], view[1], X.log, nx, parameterOf(Y.name), view[2], view[3], Y.log, ny]);
  room("which", Uint32Array, which.length).set(which);
  room(call, Type, total);
  kernels.exports[call](couplingOf(S.choice), addressOf("spans"), addressOf("which"), which.length, addressOf(call));
  return room(call, Type, total);
};
const HISTORY_NUMBERS = 60000;
const networkHistory = (place, until, subsystem, kind, index) => {
  setNetwork(place);
  room("history", Float64Array, HISTORY_NUMBERS);
  const count = kernels.exports.network_history(couplingOf(S.choice), until, subsystem, kind, index, addressOf("history"), HISTORY_NUMBERS);
  return count < 0 ? { why: message() } : { numbers: room("history", Float64Array, HISTORY_NUMBERS).slice(0, count) };
};

// ---- Either
// The eigenvalues alone; none where the point fails.
const eigenvaluesAt = (place, choice = S.choice) => {
  if (isPlanar) return planarAt(place, choice).eigenvalues;
  setNetwork(place);
  const numbers = room("point", Float64Array, 10);
  return kernels.exports.network_point(couplingOf(choice), 0, numbers.byteOffset) ? lastEigenvalues(room("point", Float64Array, 10)[7]) : [];
};
const classAt = (place, choice = S.choice) => {
  if (!isLive()) return className(storedAt("class", place, choice) ?? 4);
  return isPlanar ? planarAt(place, choice).class : networkClass(place, choice);
};
const pointAt = (place, choice = S.choice) => {
  if (isLive()) return isPlanar ? planarAt(place, choice) : networkAt(place, choice);
  const found = { class: classAt(place, choice), cause: [], modes: [], eigenvalues: [], stored: true };
  for (const name of Object.keys(fields)) if (name !== "class") found[name] = storedAt(name, place, choice);
  return found;
};
// What scripts and tests ask: the same answer as the readout's. values: by axes' and parameters' names, with `scheme` or
// `coupling` and of a planar chart `method` and `substeps` where others than the chosen ones are meant.
const answerAt = values => {
  const { scheme, coupling, method, substeps, ...numbers } = values, kept = { method: S.method, substeps: S.substeps };
  S.method = method ?? S.method;
  S.substeps = substeps ?? S.substeps;
  const place = { ...S.values, ...numbers }, choice = scheme ?? coupling ?? S.choice;
  const found = { ...pointAt(place, choice), all: Object.fromEntries(CHOICES.map(c => [c, classAt(place, c)])) };
  Object.assign(S, kept);
  return found;
};
