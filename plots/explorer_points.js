// Questions about a point: a planar chart computes the answer for any point, other pages answer with the nearest stored point.
const className = code => CLASSES[code] ?? "failed";
const CAUSES = [["det", "an oscillation grows"], ["fold", "a drift grows"], ["flip", "it alternates and grows"], ["iteration", "the iteration diverges"]];

// ---- The planar system
const parameterA = () => S.values.a ?? 0;
const methodNamed = name => data.planar.methods.find(m => m.name === name);
const rowOf = (choice, a, gamma) => planarRow(choice, methodNamed(S.method), S.substeps, a, gamma);
const planarClass = (gamma, delta, step) => (gamma < 0 && delta > 0 ? 2 : 0) + (failing(step) ? 0 : 1);
const rootsOf = (trace, determinant) => {
  const half = trace / 2, q = half * half - determinant, w = Math.sqrt(Math.abs(q));
  return q < 0 ? [[half, w], [half, -w]] : [[half + w, 0], [half - w, 0]];
};
const radiusOf = ({ trace, determinant }) => Math.max(...rootsOf(trace, determinant).map(z => Math.hypot(...z)));
const planarAt = (place, choice) => {
  const { a = 0, gamma, delta } = place, step = rowOf(choice, a, gamma)(delta), cause = failing(step);
  return { point: place, class: className(planarClass(gamma, delta, step)), trace: step.trace, determinant: step.determinant, spectral_radius: radiusOf(step),
    iteration_radius: choice === "strong" ? Math.sqrt(step.iteration) : null, cause: CAUSES.filter((_, k) => cause >> k & 1).map(c => c[0]), eigenvalues: rootsOf(step.trace, step.determinant) };
};
// A value of each of nx x ny points over the view, gamma slowest: `valueOf(gamma, delta, step)`.
const planarGrid = (Type, nx, ny, view, choice, valueOf) => {
  const values = new Type(nx * ny), deltas = Float64Array.from({ length: ny }, (_, j) => placeIn(Y, view[2], view[3], ny, j));
  for (let i = 0; i < nx; i++) {
    const gamma = placeIn(X, view[0], view[1], nx, i), row = rowOf(choice, parameterA(), gamma);
    for (let j = 0; j < ny; j++) values[i * ny + j] = valueOf(gamma, deltas[j], row(deltas[j]));
  }
  return values;
};
// The first state from (1, 0) at macro steps, by the map's characteristic polynomial, and that of the exact solution `fine` times per macro step.
const planarHistory = (place, steps, fine) => {
  const a = parameterA(), { trace, determinant, first } = rowOf(S.choice, a, place.gamma)(place.delta), states = [1, first];
  while (states.length <= steps) states.push(trace * states[states.length - 1] - determinant * states[states.length - 2]);
  const exact = Array.from({ length: steps * fine + 1 }, (_, i) => {
    const t = i / fine;
    return monolithicRow({}, 1, a * t, place.gamma * t)(place.delta * t * t).first;
  });
  return { states, exact };
};

// ---- Stored grids
// `points`: of each field the stored point that is nearest, {axis name: value}; a page keeps fewer points of numbers than of classes. `point`: that of the
// class, or of the first field.
const storedPointAt = (place, choice) => {
  const found = { class: classAt(place, choice), cause: [], points: {} };
  for (const [name, field] of Object.entries(fields)) {
    const at = nearestPoint(field, place, choice);
    if (name !== "class") found[name] = storedAt(name, place, choice);
    if (at) found.points[name] = Object.fromEntries(field.own.map((axis, r) => [axis.name, (axis.values ?? axis.labels)[at[r] * field.steps[r]]]));
  }
  return { ...found, point: found.points.class ?? Object.values(found.points)[0] };
};

// ---- Either
const classAt = (place, choice = S.choice) => isComputed ? planarAt(place, choice).class : className(storedAt("class", place, choice) ?? 4);
const pointAt = (place, choice = S.choice) => isComputed ? planarAt(place, choice) : storedPointAt(place, choice);
// The readout's answer for scripts and tests. values: by the names of axes, with `scheme` or `coupling`, and of a planar chart `method` and `substeps`, if
// others than the chosen ones are meant. The answer's `point` is where it holds.
const answerAt = values => {
  const { scheme, coupling, method, substeps, ...numbers } = values, kept = { method: S.method, substeps: S.substeps };
  S.method = method ?? S.method;
  S.substeps = substeps ?? S.substeps;
  const place = { ...S.values, ...numbers }, found = { ...pointAt(place, scheme ?? coupling ?? S.choice), all: Object.fromEntries(CHOICES.map(c => [c, classAt(place, c)])) };
  Object.assign(S, kept);
  return found;
};
