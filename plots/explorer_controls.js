// Knobs, pointer, keys, files.
const refresh = () => {
  drawNow();
  showReadout();
  if (S.pin) pinnedSoon();
  writeFragment();
};
let pinning = 0;
// The pinned point's numbers follow when a knob rests.
const pinnedSoon = () => {
  clearTimeout(pinning);
  pinning = setTimeout(showPinned, 120);
};

// ---- Knobs
const named = (name, ...children) => html("div", null, html("span", { class: "name" }, name), ...children);
const choiceKnob = () => {
  const group = html("div", { class: "choice", role: "radiogroup", "aria-label": choiceAxis.name }, CHOICES.map(choice => {
    const input = html("input", { type: "radio", name: "choice", value: choice, checked: choice === S.choice });
    input.onchange = () => setChoice(choice);
    return html("label", null, input, html("span", null, choice));
  }));
  return named(choiceAxis.name === "scheme" ? "Scheme" : "Coupling", group);
};
const setChoice = choice => {
  S.choice = choice;
  for (const input of document.getElementsByName("choice")) input.checked = input.value === choice;
  drawSpark();
  drawSoon();
};
const methodKnob = () => {
  const select = html("select", { "aria-label": "Method" }, data.planar.methods.map(m => html("option", { value: m.name, selected: m.name === S.method, title: m.title }, m.name)));
  select.onchange = () => {
    S.method = select.value;
    drawSpark();
    drawSoon();
  };
  return named("Method", select);
};
const substepsKnob = () => {
  const inputs = [0, 1].map(k => {
    const input = html("input", { type: "number", min: 1, max: 1000, step: 1, value: S.substeps[k], "aria-label": `Micro steps of the ${k ? "second" : "first"} subsystem`, style: "width: 70px" });
    input.onchange = () => {
      S.substeps = S.substeps.with ? S.substeps.with(k, wholeOf(input)) : S.substeps.map((n, i) => i === k ? wholeOf(input) : n);
      drawSpark();
      drawSoon();
    };
    return input;
  });
  return named("Micro steps", inputs[0], " ", inputs[1]);
};
const wholeOf = input => {
  const value = Math.min(1000, Math.max(1, Math.round(+input.value) || 1));
  input.value = value;
  return value;
};
const levelsKnob = () => {
  const box = html("input", { type: "checkbox", checked: S.levels });
  box.onchange = () => {
    S.levels = box.checked;
    drawSoon();
  };
  return html("label", { class: "small" }, box, " levels");
};
// Of a chart: colours of the classes, or of a field.
const colourKnob = () => {
  const names = fieldsOfChart(), select = html("select", { "aria-label": "Colours" }, [...hasClasses() ? [["", "classes"]] : [], ...names.map(name => [name, fieldWords(name)])]
    .map(([value, word]) => html("option", { value, selected: value === (S.field ?? ""), title: fields[value]?.label }, word)));
  select.onchange = () => {
    S.field = select.value || null;
    drawSoon();
  };
  return names.length ? named("Colours", select) : [];
};
// A range and a number that show and set one value; positions along the range are linear in `linear`.
const STEPS = 1000;
const slider = (name, axis, value, set, below) => {
  const span = linear(axis, axis.high) - linear(axis, axis.low);
  const range = html("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": name }), number = html("input", { type: "number", step: "any", "aria-label": `${name}, as a number` });
  const put = v => {
    range.value = Math.round((linear(axis, v) - linear(axis, axis.low)) / span * STEPS);
    number.value = brief(v);
  };
  put(value);
  range.oninput = () => {
    const v = +fromLinear(axis, linear(axis, axis.low) + span * range.value / STEPS).toPrecision(6);
    number.value = v;
    set(v);
  };
  number.onchange = () => {
    if (number.value === "" || !Number.isFinite(+number.value) || (axis.log && +number.value <= 0)) return put(value);
    range.value = Math.round((linear(axis, +number.value) - linear(axis, axis.low)) / span * STEPS);
    set(+number.value);
  };
  return { element: html("div", { class: "slider" }, html("i", null, name), range, number, below), put };
};
const nearestStored = (axis, v) => isComputed ? v : axis.values.reduce((best, w) => Math.abs(w - v) < Math.abs(best - v) ? w : best);
const sliderKnobs = [];
const showSliders = () => {
  for (const axis of sliderAxes) {
    if (!isComputed && axis.values.length < 2) continue;
    if (axis.low === axis.high) [axis.low, axis.high] = rangeAround(axis.low);
    const spark = isPlanar && axis.name === "a" ? html("div", { class: "along" }, html("div", { id: "spark" })) : null;
    const made = slider(titleOf(axis), axis, S.values[axis.name], v => {
      S.values[axis.name] = nearestStored(axis, v);
      drawSpark();
      drawSoon();
    }, spark);
    sliderKnobs.push({ axis, ...made });
    byId("sliders").append(made.element);
  }
};
const rangeAround = value => value === 0 ? [-1, 1] : [Math.min(0.1 * value, 10 * value), Math.max(0.1 * value, 10 * value)];
// Areas along a, and the values at which regions begin and end.
const drawSpark = () => {
  const box = byId("spark"), along = data.planar?.along?.[S.choice];
  if (!box) return;
  const stays = S.method === data.planar.method && S.substeps.join() === data.planar.substeps.join();
  if (!along || !stays) {
    box.replaceChildren();
    return;
  }
  const [low, high] = data.planar.range, width = Math.max(120, box.clientWidth), height = 36, x = a => (a - low) / (high - low) * (width - 16) + 8;
  const finite = along.areas.map(row => row[1]).filter(v => v !== null), most = finite.length ? finite.sort((a, b) => a - b)[Math.floor(0.9 * (finite.length - 1))] || 1 : 1;
  const y = v => v === null ? 0 : height - Math.min(1, v / most / 1.15) * (height - 4), curve = k => along.areas.map((row, i) => `${i ? "L" : "M"}${x(row[0]).toFixed(1)} ${y(row[k]).toFixed(1)}`).join("");
  const nearest = along.areas.reduce((best, row) => Math.abs(row[0] - parameterA()) < Math.abs(best[0] - parameterA()) ? row : best, along.areas[0]), area = v => v === null ? "infinite" : shown(v, 4);
  box.replaceChildren(drawing(width, height, "Areas along a", `Area of SS and of US along a, with ${along.critical.length} critical values`,
    draw("path", { d: `${curve(1)}L${x(high)} ${height}L${x(low)} ${height}Z`, fill: "var(--blue-tint)", stroke: "var(--blue)" }), draw("path", { d: curve(2), fill: "none", stroke: "var(--red)" }),
    along.critical.map(c => draw("path", { d: `M${x(c.a)} 0V${height}`, stroke: "var(--red)", "stroke-dasharray": "2 3" }, draw("title", null, `a = ${shown(c.a, 7)}: ${c.event.replaceAll("_", " ")}`)))),
    html("div", { class: "small soft" }, `area of SS ${area(nearest[1])}, of US ${area(nearest[2])} at a = ${shown(nearest[0], 4)}; dotted: where one begins or ends`));
};

// ---- Pointer
const where = event => {
  const box = plot.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
};
const isInside = ([x, y]) => x >= frame.left && x <= frame.width - frame.right && y >= frame.top && y <= frame.height - frame.bottom;
const pointOf = ([x, y]) => [valueOfX(x), valueOfY(y)];
const zoomTo = (axisValues, f, centre) => axisValues.map(v => centre + (v - centre) * f);
const zoom = (f, centre = [fromLinear(X, (linear(X, S.view[0]) + linear(X, S.view[1])) / 2), fromLinear(Y, (linear(Y, S.view[2]) + linear(Y, S.view[3])) / 2)]) => {
  const x = zoomTo([linear(X, S.view[0]), linear(X, S.view[1])], f, linear(X, centre[0])), y = zoomTo([linear(Y, S.view[2]), linear(Y, S.view[3])], f, linear(Y, centre[1]));
  if (x[1] - x[0] < 1e-11 * (1 + Math.abs(x[0])) || y[1] - y[0] < 1e-11 * (1 + Math.abs(y[0])) || x[1] - x[0] > 1e6 || y[1] - y[0] > 1e6) return;
  S.view = [fromLinear(X, x[0]), fromLinear(X, x[1]), fromLinear(Y, y[0]), fromLinear(Y, y[1])];
  drawSoon();
};
const goHome = () => {
  S.view = wholeView();
  drawSoon();
};
const shift = (view, dx, dy) => {
  const [w, h] = inner(), u = dx / w * (linear(X, view[1]) - linear(X, view[0])), v = dy / h * (linear(Y, view[3]) - linear(Y, view[2]));
  S.view = [fromLinear(X, linear(X, view[0]) - u), fromLinear(X, linear(X, view[1]) - u), fromLinear(Y, linear(Y, view[2]) + v), fromLinear(Y, linear(Y, view[3]) + v)];
  drawSoon();
};
const fingers = new Map();
let drag = null, pinch = null;
const spread = () => {
  const [a, b] = [...fingers.values()];
  return { away: Math.hypot(a[0] - b[0], a[1] - b[1]), middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
};
const onDown = event => {
  const p = where(event);
  if (event.target.closest("button") || !isInside(p)) return;
  fingers.set(event.pointerId, p);
  if (fingers.size === 2) {
    pinch = spread();
    drag = null;
    return;
  }
  drag = { from: p, view: S.view, moves: event.shiftKey || event.button === 1, far: false, touch: event.pointerType === "touch" };
  if (!drag.touch) plot.setPointerCapture(event.pointerId);
};
const onMove = event => {
  const p = where(event);
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, p);
  if (pinch && fingers.size === 2) {
    const now = spread();
    zoom(pinch.away / Math.max(1, now.away), pointOf(pinch.middle));
    pinch = now;
    return;
  }
  if (drag && !drag.touch && Math.hypot(p[0] - drag.from[0], p[1] - drag.from[1]) > 4) drag.far = true;
  if (drag?.far && drag.moves) return shift(drag.view, p[0] - drag.from[0], p[1] - drag.from[1]);
  const [w, h] = inner();
  if (drag?.far) band = [...drag.from, Math.max(frame.left, Math.min(frame.left + w, p[0])), Math.max(frame.top, Math.min(frame.top + h, p[1]))];
  S.at = isInside(p) ? pointOf(p) : null;
  drawMarks();
  showReadout();
};
const onUp = event => {
  fingers.delete(event.pointerId);
  if (fingers.size < 2) pinch = null;
  if (!drag) return;
  const { from, far, moves } = drag, framed = band;
  drag = band = null;
  if (framed && Math.abs(framed[2] - framed[0]) > 6 && Math.abs(framed[3] - framed[1]) > 6) {
    const ascending = (a, b) => [a, b].sort((p, q) => p - q);
    S.view = [...ascending(valueOfX(framed[0]), valueOfX(framed[2])), ...ascending(valueOfY(framed[1]), valueOfY(framed[3]))];
    drawSoon();
  } else if (!far && !moves) {
    pin(pointOf(from));
  } else {
    drawMarks();
  }
};
const onLeave = event => {
  fingers.delete(event.pointerId);
  if (drag) return;
  S.at = null;
  drawMarks();
  showReadout();
};
const onWheel = event => {
  const p = where(event);
  if (!isInside(p)) return;
  event.preventDefault();
  zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 400))), pointOf(p));
};

// ---- Keys
const moveBy = (dx, dy) => {
  const from = S.at ?? readoutPoint();
  S.at = [fromLinear(X, linear(X, from[0]) + dx * (linear(X, S.view[1]) - linear(X, S.view[0]))), fromLinear(Y, linear(Y, from[1]) + dy * (linear(Y, S.view[3]) - linear(Y, S.view[2])))];
  drawMarks();
  byId("say").textContent = `${X.symbol} ${shown(S.at[0], 4)}, ${Y.symbol} ${shown(S.at[1], 4)}: ${showReadout()}`;
};
const slide = sign => {
  const knob = sliderKnobs[0];
  if (!knob) return;
  const { axis } = knob, from = linear(axis, S.values[axis.name]), span = linear(axis, axis.high) - linear(axis, axis.low);
  const stored = axis.values.indexOf(S.values[axis.name]) + sign;
  S.values[axis.name] = isComputed ? +Math.max(axis.low, Math.min(axis.high, fromLinear(axis, from + sign * span / 100))).toPrecision(6) : axis.values[stored] ?? S.values[axis.name];
  knob.put(S.values[axis.name]);
  drawSpark();
  drawSoon();
};
const onKey = event => {
  if (event.target !== plot || event.ctrlKey || event.metaKey || event.altKey) return;
  const far = event.shiftKey ? 0.1 : 0.01, arrows = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, far], ArrowDown: [0, -far] }, number = "123456789".indexOf(event.key);
  const acts = { Enter: () => pin(readoutPoint()), Escape: () => pin(null), "+": () => zoom(0.8, S.at ?? undefined), "=": () => zoom(0.8, S.at ?? undefined), "-": () => zoom(1.25, S.at ?? undefined), 0: goHome, "[": () => slide(-1), "]": () => slide(1) };
  if (arrows[event.key]) moveBy(...arrows[event.key]);
  else if (acts[event.key]) acts[event.key]();
  else if (number >= 0 && CHOICES[number] !== undefined) setChoice(CHOICES[number]);
  else return;
  event.preventDefault();
};

// ---- Files of this view
const save = (name, blob) => {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
const solid = text => text.replace(/var\((--[\w-]+)\)/g, (_, name) => colour(name));
// Regions as areas, with the lines and axes of the screen; colours are those of the screen.
const svgText = () => {
  const [w, h] = inner(), { nx, ny, classes } = grid ?? { nx: 0, ny: 0, classes: [] }, paths = new Map(), px = i => (frame.left + i / (nx - 1) * w).toFixed(1), py = j => (frame.top + (1 - j / (ny - 1)) * h).toFixed(1);
  for (let i = 0; i < nx; i++) for (let j = 0; j < ny;) {
    const code = classes[i * ny + j];
    let end = j;
    while (end < ny && classes[i * ny + end] === code) end++;
    paths.set(code, `${paths.get(code) ?? ""}M${px(Math.max(0, i - 0.5))} ${py(Math.max(0, j - 0.5))}V${py(Math.min(ny - 1, end - 0.5))}H${px(Math.min(nx - 1, i + 0.5))}V${py(Math.max(0, j - 0.5))}z`);
    j = end;
  }
  paths.delete(UNKNOWN);
  const names = [...paths.keys()].map(nameOf);
  const picture = draw("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${frame.width} ${frame.height}`, width: frame.width, height: frame.height, "font-family": "sans-serif", "font-size": 13 },
    draw("title", null, `${document.title}, ${S.choice}`), draw("metadata", null, fragment()), hatching(names),
    draw("clipPath", { id: "frame" }, draw("rect", { x: frame.left, y: frame.top, width: w, height: h })), draw("rect", { width: frame.width, height: frame.height, fill: "var(--paper)" }),
    draw("g", { "clip-path": "url(#frame)" }, isChart && !showsCodes() ? draw("image", { href: canvas.toDataURL(), width: frame.width, height: frame.height }) : null, [...paths].map(([code, d]) => draw("path", { d, fill: `url(#class-${nameOf(code)})`, "shape-rendering": "crispEdges" })),
      lines.map(line => draw("path", { d: line.parts.map(part => part.reduce((t, v, k) => t + (k % 2 ? ` ${v.toFixed(1)}` : `${k ? "L" : "M"}${v.toFixed(1)}`), "")).join(""), fill: "none", stroke: `var(${line.colour})`,
        "stroke-width": line.width, "stroke-dasharray": line.dash.join(" ") || null }))));
  for (const part of overlay.children) picture.append(part.cloneNode(true));
  return solid(new XMLSerializer().serializeToString(picture)).replaceAll("<text ", `<text fill="${colour("--ink")}" `);
};
const saveSvg = name => save(`${name}.svg`, new Blob([svgText()], { type: "image/svg+xml" }));
const savePng = name => {
  const image = new Image();
  image.onload = () => {
    const twice = html("canvas", { width: 2 * frame.width, height: 2 * frame.height });
    twice.getContext("2d").drawImage(image, 0, 0, twice.width, twice.height);
    twice.toBlob(blob => save(`${name}.png`, blob));
  };
  image.src = URL.createObjectURL(new Blob([svgText()], { type: "image/svg+xml" }));
};
const copyLink = target => {
  const link = `${location.href.split("#")[0]}#${fragment()}`, label = target.textContent;
  navigator.clipboard.writeText(link).then(() => target.textContent = "Copied", () => prompt("Copy:", link));
  setTimeout(() => target.textContent = label, 1200);
};
const onButton = event => {
  const target = event.target.closest("[data-do]"), name = `${data.file.replace(/\.h5$/, "")}-${S.choice}`.replace(/[^\w.-]+/g, "_");
  const acts = { in: () => zoom(0.7), out: () => zoom(1 / 0.7), home: goHome, link: () => copyLink(target), svg: () => saveSvg(name), png: () => savePng(name) };
  if (target) acts[target.dataset.do]?.();
};

// ---- Beginning
const listen = () => {
  plot.onpointerdown = onDown;
  plot.onpointermove = onMove;
  plot.onpointerup = onUp;
  plot.onpointercancel = event => {
    fingers.delete(event.pointerId);
    drag = band = pinch = null;
    drawMarks();
  };
  plot.onpointerleave = onLeave;
  plot.ondblclick = goHome;
  plot.onkeydown = onKey;
  plot.addEventListener("wheel", onWheel, { passive: false });
  document.addEventListener("click", onButton);
  const anew = () => {
    layOut();
    drawSpark();
    drawNow();
  };
  new ResizeObserver(() => requestAnimationFrame(() => {
    if (plot.clientWidth !== frame.width) anew();
  })).observe(plot);
  isDark.onchange = anew;
  for (const [name, paper] of [["beforeprint", true], ["afterprint", false]]) addEventListener(name, () => {
    onPaper = paper;
    tiles = new Map();
    if (!isChart) drawCurves();
    else if (grid || !showsClasses()) paint();
  });
  addEventListener("hashchange", () => {
    readFragment();
    setChoice(S.choice);
    for (const knob of sliderKnobs) knob.put(S.values[knob.axis.name]);
    drawSoon();
    showPinned();
  });
};
const HELP = [["Click", "pins a point"], ["Drag", "zooms to a frame, with Shift it moves"], ["wheel or two fingers", "zoom"], ["← → ↑ ↓", "a point, with Shift far"], ["Enter", "pin"], ["Esc", "unpin"], ["+ − 0", "zoom"], ["[ ]", "slider"], ["1 – 9", "scheme or coupling"]];
const showTexts = () => {
  const title = data.title || data.file;
  document.title = `${title} – costab explorer`;
  byId("title").textContent = title;
  byId("kind").textContent = isPlanar ? "one macro step of z′ = [a b; c d] z, scaled by the step" : "stability of a coupling";
  byId("origin").textContent = `${data.file} · ${data.source}`;
  byId("text").textContent = data.text;
  byId("help").replaceChildren(...HELP.flatMap(([key, does], i) => [i ? "; " : "", html("kbd", null, key), ` ${does}`]), ".");
  byId("live").textContent = isComputed ? "Everything is computed here." : isChart ? "The stored grid is shown." : "The curves are the stored values.";
};
const start = async () => {
  await Promise.all(data.fields.map(readField));
  readFragment();
  if (!isChart) startCurves();
  showTexts();
  const knobsOfChart = [isComputed ? [methodKnob(), substepsKnob()] : [], fieldsOfChart().length ? levelsKnob() : []];
  byId("bar").append(...(choiceAxis ? [choiceKnob()] : []), ...(isChart ? [colourKnob(), knobsOfChart].flat(2) : [fieldKnob()]));
  showSliders();
  layOut();
  listen();
  drawSpark();
  drawNow();
  showReadout();
  showPinned();
};
window.costab = { at: answerAt, state: S, ready: start() };
