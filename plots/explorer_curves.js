// Curves along one axis: a field's values for every scheme or coupling. The value axis takes the place of Y.
// Of codes only those of classes have words.
const curveFields = () => Object.values(fields).filter(f => f.own.includes(X) && (!f.codes || f.name === "class"));
const COLOURS = ["--blue", "--red", "--green", "--ink", "--orange", "--grey"], DASHES = [[], [8, 4], [2, 3], [8, 3, 2, 3]];
const styleOf = k => ({ colour: COLOURS[k % COLOURS.length], dash: DASHES[Math.floor(k / COLOURS.length + k) % DASHES.length] });
// Limits that a field must not pass: 1 for radii, 0 for what is per second.
const limitOf = name => /radius/.test(name) ? 1 : /^(decay|growth|spectral_abscissa)$/.test(name) ? 0 : null;
// Stored values along the view: [[x, value], ...].
const curveOf = choice => {
  const field = fields[S.field], step = field.steps[field.own.indexOf(X)];
  return X.values.filter((_, i) => i % step === 0).map(x => [x, storedAt(S.field, { ...S.values, [X.name]: x }, choice)]);
};
const choicesShown = () => fields[S.field].own.some(axis => axis.labels) ? CHOICES : [CHOICES[0]];
// Sets the value axis to the field's range.
const takeField = name => {
  const values = fields[name].codes ? [0, CHOICES.length] : CHOICES.flatMap(c => X.values.map(x => storedAt(name, { ...S.values, [X.name]: x }, c))).filter(Number.isFinite);
  const sorted = values.sort((a, b) => a - b), common = sorted[Math.floor(0.9 * (sorted.length - 1))];
  let from = sorted[0], to = sorted[sorted.length - 1];
  if (common > 0 && to > 10 * common) to = 4 * common;  // a pole would press all else to the ground
  const log = !fields[name].codes && from > 0 && to / from > 1000, room = log ? 0 : 0.04 * (to - from || Math.abs(to) || 1);
  S.field = name;
  if (!(from <= to)) [from, to] = [0, 1];
  Object.assign(Y, { symbol: fields[name].codes ? choiceAxis?.name ?? "" : fields[name].label?.length <= 40 ? fields[name].label : name.replaceAll("_", " "), log, from: from - room, to: log && from === to ? 10 * to : to + room, values: [] });
};
const fieldKnob = () => {
  const list = curveFields(), select = html("select", { "aria-label": "Field" }, list.map(f => html("option", { value: f.name, selected: f.name === S.field }, f.name.replaceAll("_", " "))));
  select.onchange = () => {
    takeField(select.value);
    goHome();
  };
  return named("Field", select);
};
const codeBands = () => {
  const [w, h] = inner(), high = h / CHOICES.length;
  CHOICES.forEach((choice, c) => {
    for (let p = 0; p < w; p++) {
      ink.fillStyle = colour(hatchOf(classAt({ ...S.values, [X.name]: valueOfX(frame.left + p) }, choice))[0]);
      ink.fillRect(frame.left + p, frame.top + h - (c + 1) * high, 1.5, high - 2);
    }
  });
};
const drawCurves = () => {
  const [w, h] = inner(), limit = limitOf(S.field);
  ink.clearRect(0, 0, canvas.width, canvas.height);
  ink.save();
  ink.scale(frame.scale, frame.scale);
  clipToFrame(ink);
  lines = [];
  if (limit !== null) lines.push({ name: "the limit", dash: [], width: 1, colour: "--grey", parts: [[frame.left, yOf(limit), frame.left + w, yOf(limit)]] });
  if (fields[S.field].codes) codeBands();
  else choicesShown().forEach((choice, k) => {
    const parts = [[]];
    for (const [x, value] of curveOf(choice))
      if (Number.isFinite(value) && !(Y.log && value <= 0)) parts[parts.length - 1].push(xOf(x), Math.max(-1e4, Math.min(1e4, yOf(value))));
      else if (parts[parts.length - 1].length) parts.push([]);
    lines.push({ name: choice, ...styleOf(k), width: choice === S.choice ? 2.6 : 1.6, parts: parts.filter(p => p.length) });
  });
  strokeLines();
  ink.restore();
  drawAxes();
  byId("key").replaceChildren(...lines.map(line => html("span", null, draw("svg", { width: 30, height: 14, "aria-hidden": "true" },
    draw("path", { d: "M0 7H30", stroke: `var(${line.colour})`, "stroke-width": line.width, "stroke-dasharray": line.dash.join(" ") || null })), line.name)));
};
const showCurveReadout = () => {
  const place = placeOf(readoutPoint());
  const values = choicesShown().map(choice => {
    const value = storedAt(S.field, place, choice);
    return [choice || S.field, fields[S.field].codes ? className(value) : shown(value, 6)];
  });
  byId("readout").replaceChildren(html("p", { class: "class" }, `${titleOf(X)} ${shown(place[X.name], 5)}`), html("p", { class: "why" }, fields[S.field].label ?? S.field), rows(values), fields.class && choiceAxis ? chips(place) : "");
  return values.map(([choice, value]) => `${choice} ${value}`).join(", ");
};
const startCurves = () => {
  const list = curveFields();
  takeField((list.find(f => f.name === data.of) ?? list.find(f => f.name === "spectral_radius") ?? list.find(f => !f.codes) ?? list[0]).name);
  if (!S.view.every(Number.isFinite)) S.view = wholeView();
};
