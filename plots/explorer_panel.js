// What is said of a point: under the pointer, and of the one that is pinned.
const pairText = z => z[0][1] ? `${shown(z[0][0], 5)} ± ${shown(Math.abs(z[0][1]), 5)} i` : `${shown(z[0][0], 5)}, ${shown(z[1][0], 5)}`;
const rows = list => html("dl", null, list.filter(Boolean).map(([name, value]) => [html("dt", null, name), html("dd", null, value)]));
const whyText = found => found.cause.map(name => `${CAUSES.find(c => c[0] === name)[1]} (${name})`).join(", ");
const motionText = found => {
  if (!isComputed) return "The nearest stored point.";
  const [re, im] = found.eigenvalues[0];
  return im ? `it swings with a period of ${shown(2 * Math.PI / Math.atan2(Math.abs(im), re), 3)} macro steps` : "it does not swing";
};
const chips = place => html("div", { class: "chips", role: "group", "aria-label": `Class under each ${choiceAxis.name}` }, CHOICES.map(choice => {
  const name = classAt(place, choice);
  return html("div", { class: choice === S.choice ? "on" : null, style: `background: var(${hatchOf(name)[0]})` }, html("b", null, name), choice);
}));
const placeRows = place => [X, Y].filter(axis => axis.name in place).map(axis => [titleOf(axis), shown(place[axis.name], 5)]);
// Which choices are the best one at the nearest stored point, and which tie with it.
const bestText = place => {
  const of = code => CHOICES.filter(choice => storedAt("best", place, choice) === code), [best, ties] = [of(1), of(2)];
  return best.length ? best[0] + (ties.length ? `, within 1 %: ${ties.join(", ")}` : "") : of(16).length === CHOICES.length ? "none is stable" : "undecided";
};
// The stored value of a field, with its point if that is not the class's.
const storedText = (found, name) => {
  const point = found.points[name];
  return shown(found[name], 5) + (point && [X, Y].some(axis => axis.name in point && point[axis.name] !== found.point[axis.name]) ? ` at ${placeRows(point).map(([, value]) => value).join(", ")}` : "");
};
const numberRows = (found, place) => isComputed
  ? [["spectral radius ρ", shown(found.spectral_radius, 7)], ["eigenvalues", pairText(found.eigenvalues)], ["trace, determinant", `${shown(found.trace, 5)}, ${shown(found.determinant, 5)}`],
    found.iteration_radius !== null && ["iteration radius", shown(found.iteration_radius, 5)]]
  : [fields.best && ["best", bestText(place)], ...Object.values(fields).filter(f => !f.codes).map(f => [fieldWords(f.name), storedText(found, f.name)])];
const classLine = found => html("p", { class: "class" }, !hasClasses() ? "Stored values" : `${found.class}: ${classWords(found.class)}`);

// ---- Under the pointer
const readoutPoint = () => S.at ?? S.pin ?? [fromLinear(X, (linear(X, S.view[0]) + linear(X, S.view[1])) / 2), fromLinear(Y, (linear(Y, S.view[2]) + linear(Y, S.view[3])) / 2)];
const showReadout = () => {
  if (!isChart) return showCurveReadout();
  const place = placeOf(readoutPoint()), found = pointAt(place);
  byId("readout").replaceChildren(classLine(found), html("p", { class: "why" }, whyText(found) || motionText(found)), rows([...placeRows(found.point ?? place), ...numberRows(found, place)]), hasClasses() ? chips(place) : "");
  return `${found.class}, ${classWords(found.class)}`;
};

// ---- How far each axis may go before the class changes
const REACH_STEPS = 160, REACH_HALVINGS = 46;
const stepsOf = (axis, value) => {
  if (isComputed) {
    const span = axis === X ? S.view[1] - S.view[0] : axis === Y ? S.view[3] - S.view[2] : axis.high - axis.low;
    return k => value + span * k / 80;
  }
  const low = axis.from ?? axis.low, high = axis.to ?? axis.high, size = (linear(axis, high) - linear(axis, low)) / REACH_STEPS;
  return k => fromLinear(axis, linear(axis, value) + size * k);
};
// The nearest value in a direction at which the class is another one, and which; null where there is none within reach.
const reachOf = (axis, place, sign, name) => {
  const valueAt = stepsOf(axis, place[axis.name]), limits = isComputed ? [-Infinity, Infinity] : [axis.from, axis.to];
  let last = place[axis.name];
  for (let k = 1; k <= REACH_STEPS; k++) {
    let value = valueAt(sign * k);
    if (value < limits[0] || value > limits[1]) return null;
    const other = classAt({ ...place, [axis.name]: value });
    if (other === name) {
      last = value;
      continue;
    }
    for (let h = 0; isComputed && h < REACH_HALVINGS; h++) {
      const middle = (last + value) / 2;
      if (classAt({ ...place, [axis.name]: middle }) === name) last = middle;
      else value = middle;
    }
    return { value, other };
  }
  return null;
};
const reachRows = (place, name) => [X, Y, ...sliderAxes.filter(axis => isComputed || axis.values.length > 1)].filter(axis => axis.name).map(axis => {
  const [low, high] = [-1, 1].map(sign => reachOf(axis, place, sign, name));
  const digits = v => Math.abs(v) < 1e-9 * (axis.to - axis.from) ? "0" : shown(v, 5);
  return [`${axis.symbol} may go`, [low ? `down to ${digits(low.value)} (${low.other})` : "no change seen below", html("br"), high ? `up to ${digits(high.value)} (${high.other})` : "no change seen above"]];
});

// ---- The unit circle, what is exact beside it, and where the eigenvalues go along one parameter
const LOCUS_POINTS = 241;
const locusAxes = [X, Y, ...sliderAxes];
let locusName = X.name;
const locusThrough = place => {
  const axis = locusAxes.find(a => a.name === locusName), n = LOCUS_POINTS;
  if (!axis) return [];
  const [low, high] = axis === X ? S.view : axis === Y ? S.view.slice(2) : [axis.low, axis.high];
  return Array.from({ length: n }, (_, i) => planarAt({ ...place, [axis.name]: placeIn(axis, low, high, n, i) }, S.choice).eigenvalues).flat();
};
const locusKnob = () => {
  const select = html("select", { "aria-label": "Locus along" }, html("option", { value: "" }, "nothing"), locusAxes.map(a => html("option", { value: a.name, selected: a.name === locusName }, a.symbol)));
  select.onchange = () => {
    locusName = select.value;
    showPinned();
  };
  return html("p", { class: "hint" }, "The eigenvalues' way along ", select);
};
const circle = (values, exact, locus) => {
  const size = 168, c = size / 2, most = Math.min(2.5, Math.max(1, ...values.map(z => Math.hypot(...z)))), r = (c - 8) / most;
  const at = z => {
    const away = Math.hypot(...z), f = away > most ? most / away : 1;
    return { cx: c + r * z[0] * f, cy: c - r * z[1] * f };
  };
  return drawing(size, size, "Eigenvalues in the unit circle", `${values.length} eigenvalues of the map, the largest of modulus ${shown(Math.max(0, ...values.map(z => Math.hypot(...z))), 5)}`,
    draw("circle", { cx: c, cy: c, r, fill: "var(--blue-tint)", "fill-opacity": 0.5, stroke: "var(--ink)", "stroke-width": 1.3 }),
    draw("path", { d: `M0 ${c}H${size}M${c} 0V${size}`, stroke: "var(--line)" }),
    draw("path", { class: "locus", d: locus.filter(z => Math.hypot(...z) <= most * 1.05).map(z => `M${(c + r * z[0]).toFixed(1)} ${(c - r * z[1]).toFixed(1)}h0`).join(""), stroke: "var(--soft)", "stroke-width": 1.6, "stroke-linecap": "round" }),
    exact.map(z => draw("circle", { ...at(z), r: 4.5, fill: "none", stroke: "var(--grey)", "stroke-width": 2 })),
    values.map(z => draw("circle", { ...at(z), r: 4, fill: Math.hypot(...z) < 1 ? "var(--blue)" : "var(--red)" })));
};
// Points at times of the co-simulation over a line of the exact solution.
const historyDrawing = (run, exact) => {
  const width = 350, height = 138, left = 40, top = 6, bottom = 118, finite = run.filter(p => Number.isFinite(p[1]));
  const size = Math.max(...exact.map(p => Math.abs(p[1])).filter(Number.isFinite), 1e-300), most = Math.min(6 * size, Math.max(size, ...finite.map(p => Math.abs(p[1]))));
  const end = Math.max(exact[exact.length - 1][0], run[run.length - 1][0]), x = t => left + (width - left - 6) * t / end, y = v => top + (bottom - top) / 2 * (1 - Math.max(-40, Math.min(40, v / most)));
  const path = list => list.map((p, i) => `${i ? "L" : "M"}${x(p[0]).toFixed(1)} ${y(p[1]).toFixed(1)}`).join("");
  const clip = `clip${++drawings}`, last = finite[finite.length - 1];
  return drawing(width, height, "Time history", `At ${shown(last[0])} macro steps the co-simulation is at ${shown(last[1])}, the exact solution ends at ${shown(exact[exact.length - 1][1])}`,
    draw("clipPath", { id: clip }, draw("rect", { x: left, y: 0, width: width - left, height: bottom + 4 })),
    [most, 0, -most].map(v => [draw("path", { d: `M${left} ${y(v)}H${width}`, stroke: "var(--grid)" }), draw("text", { x: left - 5, y: y(v) + 4, "text-anchor": "end" }, shown(v, 2))]),
    ticks(0, end, 5).map(t => draw("text", { x: x(t), y: height - 4, "text-anchor": "middle" }, shown(t, 4))),
    draw("g", { "clip-path": `url(#${clip})` }, draw("path", { d: path(exact), fill: "none", stroke: "var(--grey)", "stroke-width": 3, "stroke-opacity": 0.7 }),
      draw("path", { d: path(finite), fill: "none", stroke: "var(--ink)" }), run.length <= 80 ? finite.map(p => draw("circle", { cx: x(p[0]), cy: y(p[1]), r: 2.3, fill: "var(--blue)" })) : null));
};

const PLANAR_STEPS = 24, FINE = 20;
const planarParts = (place, found) => {
  const exact = rootsOf(place.gamma, place.delta).map(([re, im]) => [Math.exp(re) * Math.cos(im), Math.exp(re) * Math.sin(im)]);
  const run = planarHistory(place, PLANAR_STEPS, FINE);
  return [html("div", { class: "circle" }, circle(found.eigenvalues, exact, locusThrough(place)), rows([["ρ", shown(found.spectral_radius, 7)], ["exact", shown(Math.max(...exact.map(z => Math.hypot(...z))), 7)], ...reachRows(place, found.class)])), locusKnob(),
    historyDrawing(run.states.map((v, k) => [k, v]), run.exact.map((v, k) => [k / FINE, v])),
    html("p", { class: "hint" }, html("b", { class: "soft" }, "● "), "co-simulation, grey: exact, first state from (1, 0); macro steps")];
};
// ---- The command that prints the same numbers
const quoted = text => /^[\w./=:,%+@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
const commandOf = place => {
  if (isPlanar) return ["costab classify", ...["a", "gamma", "delta"].map(name => `--${name}=${brief(place[name] ?? 0)}`), `--scheme ${S.choice}`,
    `--method ${quoted(methodNamed(S.method).tableau ?? S.method)}`, S.substeps.some(n => n !== 1) ? `--substeps ${S.choice === "simulation" ? S.substeps[0] : S.substeps}` : null].filter(Boolean).join(" ");
  return ["costab map", quoted(data.path), ...[...Object.entries(data.set ?? {}), ...Object.entries(place).map(([name, value]) => [name, brief(value)])].map(([name, value]) => `--set ${quoted(`${name}=${value}`)}`), `--coupling ${quoted(S.choice)}`].join(" ");
};
const button = (text, act) => {
  const b = html("button", { type: "button" }, text);
  b.onclick = act;
  return b;
};
const STORED_HINT = isPlanar ? "The page has the stored values alone." : "To the spacing of the stored grid. The command prints eigenvalues, frequencies and the participation of each subsystem at this very point.";
const showPinned = () => {
  const box = byId("pinned");
  box.classList.toggle("empty", !S.pin);
  if (!S.pin) {
    box.replaceChildren(html("h2", null, "Pinned point"), html("p", { class: "hint" }, "Click into the chart, or press Enter, to keep a point: its eigenvalues, its history, how far it is from the limit, its command."));
    return;
  }
  const place = placeOf(S.pin), found = pointAt(place), title = `Pinned: ${placeRows(place).map(([name, value]) => `${name} ${value}`).join(", ")}`;
  const parts = isComputed ? planarParts(place, found) : [isChart && hasClasses() ? rows(reachRows(place, found.class)) : "", html("p", { class: "hint" }, STORED_HINT)];
  box.replaceChildren(html("h2", null, hasClasses() ? `${title}: ${found.class}` : title), ...parts.flat(), isPlanar && !isComputed ? "" : command(commandOf(place)), html("div", { class: "row" }, button("Unpin", () => pin(null))));
};
const pin = point => {
  S.pin = point;
  drawMarks();
  showReadout();
  showPinned();
  writeFragment();
};
