// What an explorer draws from: the stored grid, and the state that its knobs turn.
const SYMBOLS = { gamma: "Γ", delta: "Δ" };
const isEqualRatios = values => values.length > 2 && values[0] > 0 && values.every(v => v > 0) &&
  values.every((v, i) => i === 0 || Math.abs(Math.log(v / values[i - 1]) / Math.log(values[1] / values[0]) - 1) < 1e-6) &&
  Math.abs(values[1] / values[0] - 1) > 1e-3;
const axes = data.axes.map((axis, number) => ({ ...axis, number, symbol: SYMBOLS[axis.name] ?? axis.name, log: !!axis.values && isEqualRatios(axis.values),
  from: axis.values ? Math.min(...axis.values) : 0, to: axis.values ? Math.max(...axis.values) : 0 }));
const isPlanar = data.planar !== undefined;
const choiceAxis = axes.find(axis => axis.labels);
const several = axes.filter(axis => axis.values && axis.values.length > 1);
const axisOf = name => axes.find(axis => axis.name === name);
const isChart = isPlanar ? ["gamma", "delta"].every(name => several.includes(axisOf(name))) : several.length > 1;
// A planar chart is computed in the page, at any point and any a. Other pages show the stored points.
const isComputed = isPlanar && isChart;
const X = isComputed ? axisOf("gamma") : several.reduce((best, axis) => isChart || best.values.length >= axis.values.length ? best : axis, several[0]);
// Of curves the values' axis, which is none of the grid's: explorer_curves.js sets it.
const Y = !isChart ? { name: null, symbol: "", log: false, from: NaN, to: NaN } : isPlanar ? axisOf("delta") : several[1];
const PLANAR_SCHEMES = ["simulation", "cross", "zigzag", "strong"];
// A planar chart has all schemes, whichever were swept.
const CHOICES = isComputed ? PLANAR_SCHEMES : choiceAxis ? choiceAxis.labels : [""];
// Logarithms of a logarithmic axis, values of another: in these, places are linear.
const linear = (axis, value) => axis.log ? Math.log(value) : value;
const fromLinear = (axis, place) => axis.log ? Math.exp(place) : place;

// ---- Bytes in base64, deflated
const unpack = async base64 => {
  const bytes = Uint8Array.from(atob(base64), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

// ---- The stored grid
const fields = {};
const readField = async field => {
  const bytes = await unpack(field.data), own = field.axes.map(number => axes[number]);
  const counts = own.map((axis, r) => Math.floor(((axis.values ?? axis.labels).length - 1) / field.steps[r]) + 1);
  let values = bytes;
  if (!field.codes) {
    const total = bytes.length / 4, view = new DataView(new ArrayBuffer(4));
    values = Float64Array.from({ length: total }, (_, i) => {
      for (let k = 0; k < 4; k++) view.setUint8(k, bytes[k * total + i]);
      return view.getFloat32(0, true);
    });
  }
  fields[field.name] = { ...field, own, counts, values, data: null };
};
// The index of the stored value of an axis that is nearest; -1 beyond its ends by more than half a step.
const nearestIndex = (axis, value, step, count) => {
  if (count === 1) return 0;
  const at = linear(axis, value), low = linear(axis, axis.values[0]), high = linear(axis, axis.values[(count - 1) * step]);
  let i = Math.round((at - low) / (high - low) * (count - 1));
  const away = k => Math.abs(linear(axis, axis.values[k * step]) - at);
  if (!(i >= 0 && i < count)) return -1;
  while (i > 0 && away(i - 1) < away(i)) i--;
  while (i < count - 1 && away(i + 1) < away(i)) i++;
  return i;
};
// The numbers, along a field's axes, of the stored point that is nearest to a place {axis name: value}, for a choice; null beyond the ends.
const nearestPoint = (field, place, choice) => {
  const found = field.own.map((axis, r) => axis.labels ? axis.labels.indexOf(choice) : nearestIndex(axis, place[axis.name] ?? axis.from, field.steps[r], field.counts[r]));
  return found.includes(-1) ? null : found;
};
// The value there; undefined if there is none.
const storedAt = (name, place, choice) => {
  const field = fields[name], found = field && nearestPoint(field, place, choice);
  return found ? field.values[found.reduce((at, i, r) => at * field.counts[r] + i, 0)] : undefined;
};

// ---- The state, and its copy in the address
const S = { choice: choiceAxis?.labels[0] ?? "", method: data.planar?.method, substeps: data.planar?.substeps ?? [1, 1], field: null, values: {}, view: null, pin: null, at: null, levels: false };
const wholeView = () => [X.from, X.to, Y.from, Y.to];
const sliderAxes = axes.filter(axis => axis.values && axis !== X && axis !== Y);
for (const axis of sliderAxes) {
  if (isPlanar && axis.name === "a" && data.planar.range) [axis.low, axis.high] = data.planar.range;
  else [axis.low, axis.high] = [axis.from, axis.to];
  S.values[axis.name] = axis.values[Math.floor((axis.values.length - 1) / 2)];
}
S.view = wholeView();
const brief = value => +value.toPrecision(10);
const fragment = () => {
  const parts = [[isPlanar ? "scheme" : "coupling", S.choice]];
  if (isPlanar) parts.push(["method", S.method], ["substeps", S.substeps]);
  for (const axis of sliderAxes) parts.push([axis.name, brief(S.values[axis.name])]);
  parts.push(["view", S.view.map(brief)]);
  if (S.pin) parts.push(["pin", S.pin.map(brief)]);
  if (S.levels) parts.push(["levels", 1]);
  if (isChart && S.field !== fieldAtFirst()) parts.push(["field", S.field ?? "classes"]);
  return parts.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join("&");
};
// Takes what is right of a fragment; the rest stays as it was.
const readFragment = () => {
  const given = new URLSearchParams(location.hash.slice(1)), choice = given.get(isPlanar ? "scheme" : "coupling");
  const numbers = (name, count) => {
    const found = (given.get(name) ?? "").split(",").map(Number);
    return given.get(name) && found.length === count && found.every(Number.isFinite) ? found : null;
  };
  if (CHOICES.includes(choice)) S.choice = choice;
  if (data.planar?.methods.some(m => m.name === given.get("method"))) S.method = given.get("method");
  const substeps = numbers("substeps", 2), view = numbers("view", 4);
  if (isPlanar && substeps?.every(n => Number.isInteger(n) && n >= 1 && n <= 1000)) S.substeps = substeps;
  if (view && view[0] < view[1] && view[2] < view[3] && !(X.log && view[0] <= 0) && !(Y.log && view[2] <= 0)) S.view = view;
  S.pin = numbers("pin", 2) ?? S.pin;
  S.levels = given.get("levels") === "1";
  if (isChart) S.field = chosenField(given.get("field"));
  for (const axis of sliderAxes) S.values[axis.name] = numbers(axis.name, 1)?.[0] ?? S.values[axis.name];
};
let writing = 0;
const writeFragment = () => {
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", `#${fragment()}`), 200);
};
// What a chart's colours are of at first: what the spec's figure shows, else classes; and what is asked for, where there is that.
const isOverBoth = f => [X, Y].every(axis => f.axes.includes(axis.number));
const fieldsOfChart = () => [...new Set([...data.fields.some(f => f.name === "best" && isOverBoth(f)) ? ["best"] : [], ...isComputed ? ["spectral_radius"] : [], ...data.fields.filter(f => !f.codes && isOverBoth(f)).map(f => f.name)])];
const hasClasses = () => isComputed || data.fields.some(f => f.name === "class");
const fieldAtFirst = () => fieldsOfChart().find(name => name === data.of || name === "best") ?? (hasClasses() ? null : fieldsOfChart()[0] ?? null);
const chosenField = asked => asked === "classes" && hasClasses() ? null : fieldsOfChart().includes(asked) ? asked : fieldAtFirst();
const placeOf = point => ({ ...S.values, [X.name]: point[0], ...(isChart ? { [Y.name]: point[1] } : {}) });
