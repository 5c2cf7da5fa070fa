// The chart: classes as pixels, lines and axes above them.
const plot = byId("plot"), canvas = plot.querySelector("canvas"), overlay = plot.querySelector("svg"), ink = canvas.getContext("2d");
const isDark = matchMedia("(prefers-color-scheme: dark)");
// On paper the light palette, which is the sheet's first rule, whatever the screen has.
const lightPalette = [...document.styleSheets[0].cssRules].find(rule => rule.selectorText === ":root").style;
let onPaper = false;
const colour = name => name.startsWith("#") ? name : (onPaper ? lightPalette : getComputedStyle(document.documentElement)).getPropertyValue(name).trim();
const frame = { width: 0, height: 0, left: 74, right: 16, top: 12, bottom: 44, scale: 1 };
const inner = () => [Math.max(40, frame.width - frame.left - frame.right), Math.max(40, frame.height - frame.top - frame.bottom)];
const xOf = value => frame.left + (linear(X, value) - linear(X, S.view[0])) / (linear(X, S.view[1]) - linear(X, S.view[0])) * inner()[0];
const yOf = value => frame.top + (1 - (linear(Y, value) - linear(Y, S.view[2])) / (linear(Y, S.view[3]) - linear(Y, S.view[2]))) * inner()[1];
const valueOfX = x => fromLinear(X, linear(X, S.view[0]) + (x - frame.left) / inner()[0] * (linear(X, S.view[1]) - linear(X, S.view[0])));
const valueOfY = y => fromLinear(Y, linear(Y, S.view[2]) + (1 - (y - frame.top) / inner()[1]) * (linear(Y, S.view[3]) - linear(Y, S.view[2])));
// The i-th of n places along a view.
const placeIn = (axis, from, to, n, i) => n < 2 ? from : fromLinear(axis, linear(axis, from) + (linear(axis, to) - linear(axis, from)) * i / (n - 1));

// ---- Colours of classes: a square of pixels each, with its hatching
let tiles = new Map(), tileSize = 8;
const makeTile = name => {
  const [tint, line, path] = hatchOf(name), tile = new OffscreenCanvas(tileSize, tileSize), c = tile.getContext("2d", { willReadFrequently: true });
  c.fillStyle = colour(tint);
  c.fillRect(0, 0, tileSize, tileSize);
  if (path) {
    c.scale(tileSize / 8, tileSize / 8);
    c.strokeStyle = colour(line);
    c.globalAlpha = 0.75;
    c.stroke(new Path2D(path));
  }
  return new Uint32Array(c.getImageData(0, 0, tileSize, tileSize).data.buffer);
};
const tileOf = code => {
  if (!tiles.has(code)) tiles.set(code, code === UNKNOWN ? new Uint32Array(tileSize * tileSize) : makeTile(nameOf(code)));
  return tiles.get(code);
};
const UNKNOWN = 255;
// Codes behind those of classes: which choice is the best, the same where another one ties with it, none.
const BEST = 100, TIE = 164, NONE = 228, UNDECIDED = 229;
const nameOf = code => code < BEST ? className(code) : code === NONE ? "none" : code === UNDECIDED ? "undecided" : code < TIE ? `best-${code - BEST}` : `tie-${code - TIE}`;
const wordsOf = name => {
  const [kind, k] = name.split("-");
  if (kind === "best") return CHOICES[k];
  return kind === "tie" ? `${CHOICES[k]}, another one within 1 %` : name === "none" ? "none is stable" : `${name.length === 2 ? `${name} ` : ""}${classWords(name)}`;
};

// ---- A grid of classes over the view: {nx, ny, classes}, x slowest
let grid = null, present = new Set();
const paintGrid = () => {
  const [w, h] = inner().map(n => Math.round(n * frame.scale)), image = new ImageData(w, h), pixels = new Uint32Array(image.data.buffer), { nx, ny, classes } = grid;
  const places = (size, count) => Uint32Array.from({ length: size }, (_, p) => Math.round(p / Math.max(1, size - 1) * (count - 1)));
  const column = places(w, nx), row = places(h, ny);
  present = new Set();
  for (let q = 0; q < h; q++) {
    const j = row[h - 1 - q], line = (q % tileSize) * tileSize;
    let last = -1, tile = null;
    for (let p = 0; p < w; p++) {
      const code = classes[column[p] * ny + j];
      if (code !== last) {
        tile = tileOf(last = code);
        present.add(code);
      }
      pixels[q * w + p] = tile[line + p % tileSize];
    }
  }
  ink.clearRect(0, 0, canvas.width, canvas.height);
  ink.putImageData(image, Math.round(frame.left * frame.scale), Math.round(frame.top * frame.scale));
  present.delete(UNKNOWN);
};
// The stored classes, or codes of another field, at so many places.
const storedGrid = (nx, ny, field = fields.class, choice = S.choice) => {
  const classes = new Uint8Array(nx * ny).fill(UNKNOWN);
  if (!field) return classes.fill(0);
  const rank = field.own.length, strides = field.counts.map((_, r) => field.counts.slice(r + 1).reduce((p, n) => p * n, 1));
  let base = 0;
  for (let r = 0; r < rank; r++) {
    const axis = field.own[r];
    if (axis === X || axis === Y) continue;
    base += strides[r] * (axis.labels ? axis.labels.indexOf(choice) : Math.max(0, nearestIndex(axis, S.values[axis.name], field.steps[r], field.counts[r])));
  }
  const places = (axis, from, to, n) => {
    const r = field.own.indexOf(axis);
    return Array.from({ length: n }, (_, i) => {
      const k = nearestIndex(axis, placeIn(axis, from, to, n, i), field.steps[r], field.counts[r]);
      return k < 0 ? -1 : k * strides[r];
    });
  };
  const xs = places(X, S.view[0], S.view[1], nx), ys = places(Y, S.view[2], S.view[3], ny);
  for (let i = 0; i < nx; i++) for (let j = 0; j < ny; j++) if (xs[i] >= 0 && ys[j] >= 0) classes[i * ny + j] = field.values[base + xs[i] + ys[j]];
  return classes;
};

// The best choice at so many places.
const bestGrid = (nx, ny) => {
  const codes = CHOICES.map(choice => storedGrid(nx, ny, fields.best, choice));
  return Uint8Array.from({ length: nx * ny }, (_, k) => {
    const best = codes.findIndex(of => of[k] === 1);
    if (best >= 0) return (codes.some(of => of[k] === 2) ? TIE : BEST) + best;
    return codes[0][k] === UNKNOWN ? UNKNOWN : codes.every(of => of[k] === 16) ? NONE : UNDECIDED;
  });
};

// ---- Lines
// The planar limits: what passes 0 there, its words and its dashes.
const LIMITS = [[step => step.conditions[0], "det: an oscillation begins to grow", []], [step => step.conditions[1], "fold: a drift begins to grow", [9, 4]],
  [step => step.conditions[2], "flip: it alternates and begins to grow", [2, 3]], [step => 1 - step.iteration, "the iteration ceases to converge", [9, 4, 2, 4]]];
let lines = [];
// 1 if a class is stable; no number of points that are undecided, not computed or beyond the grid.
const STABLE = Array.from({ length: 256 }, (_, code) => className(code).length === 2 ? code & 1 : NaN);
const LEVELS = [0.25, 0.5, 0.75, 0.9, 1.1, 1.5, 2];
// What levels are of: ρ, else the first field of numbers. A chart without classes is drawn by levels alone.
const levelField = () => S.field && S.field !== "best" && isChart ? S.field : isComputed || fields.spectral_radius ? "spectral_radius" : Object.values(fields).find(f => !f.codes)?.name;
// What the colours are of: classes, or a field of numbers.
const showsClasses = () => hasClasses() && !S.field, showsBest = () => isChart && S.field === "best", showsCodes = () => showsClasses() || showsBest();
const fieldWords = name => name === "spectral_radius" ? "ρ" : name === "best" ? `best ${choiceAxis.name}` : name.replaceAll("_", " ");
const isShare = name => name === "probability";
const levelsOf = values => {
  if (/radius/.test(levelField())) return showsCodes() ? LEVELS : [...LEVELS, 1];
  if (isShare(levelField())) return [0.01, 0.1, 0.5, 0.9, 0.99];
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  return [...new Set([0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.95].map(q => +(sorted[Math.floor(q * (sorted.length - 1))] ?? 0).toPrecision(2)))];
};
// Marching squares: the stretches on which values[i ny + j] passes a level, in places of the grid.
const stretches = (values, nx, ny, level) => {
  const found = [];
  for (let i = 0; i + 1 < nx; i++) for (let j = 0; j + 1 < ny; j++) {
    const at = i * ny + j, below = values[at] < level;
    if (values[at + 1] < level === below && values[at + ny] < level === below && values[at + ny + 1] < level === below) continue;
    const corner = [values[at], values[at + ny], values[at + ny + 1], values[at + 1]], ends = [];
    if (!corner.every(Number.isFinite)) continue;
    for (let k = 0; k < 4; k++) {
      const a = corner[k], b = corner[(k + 1) % 4];
      if ((a < level) === (b < level)) continue;
      const t = (level - a) / (b - a);
      ends.push([[i + t, j], [i + 1, j + t], [i + 1 - t, j + 1], [i, j + 1 - t]][k]);
    }
    for (let k = 0; k + 1 < ends.length; k += 2) found.push([ends[k], ends[k + 1]]);
  }
  return found;
};
// The lines on which values over the view pass a level, in pixels.
const levelLines = (values, nx, ny, level) => {
  const [w, h] = inner(), at = ([i, j]) => [frame.left + i / (nx - 1) * w, frame.top + (1 - j / (ny - 1)) * h];
  return joined(stretches(values, nx, ny, level).map(([a, b]) => [...at(a), ...at(b)]));
};
const LEVEL_POINTS = 121;
let radiiKey = "", radiiKept = null;
const radiiOfView = () => {
  const key = JSON.stringify([S.choice, S.method, S.substeps, S.values, S.view, levelField()]);
  if (key !== radiiKey) radiiKept = findRadii();
  radiiKey = key;
  return radiiKept;
};
const findRadii = () => {
  const n = LEVEL_POINTS;
  if (isComputed && levelField() === "spectral_radius") return { n, values: planarGrid(Float64Array, n, n, S.view, S.choice, (gamma, delta, step) => radiusOf(step)) };
  const values = Float64Array.from({ length: n * n }, (_, k) => {
    const place = placeOf([placeIn(X, S.view[0], S.view[1], n, Math.floor(k / n)), placeIn(Y, S.view[2], S.view[3], n, k % n)]);
    return storedAt(levelField(), place, S.choice) ?? NaN;
  });
  return { n, values };
};
// {dash, width, colour, parts: [[x, y, x, y, ...]]} in pixels, for the screen and for files.
const makeLines = () => {
  const found = [], [w, h] = inner();
  if (isComputed) {
    const limits = [];
    if (S.view[0] < 0 && S.view[1] > 0) limits.push([xOf(0), frame.top, xOf(0), frame.top + h]);
    if (S.view[2] < 0 && S.view[3] > 0) limits.push([frame.left, yOf(0), frame.left + w, yOf(0)]);
    found.push({ name: "the system's own limit", dash: [], width: 1.4, colour: "--grey", parts: limits });
    for (const { name, dash, parts } of limitLines()) if (parts.length) found.push({ name, dash, width: 1.8, colour: "--ink", parts });
  }
  if (showsClasses() && !isComputed) found.push({ name: "where stability is lost", dash: [], width: 1.8, colour: "--ink", parts: levelLines(Float32Array.from(grid.classes, code => STABLE[code]), grid.nx, grid.ny, 0.5) });
  if (S.levels || !showsCodes()) {
    const { n, values } = radiiOfView();
    for (const level of levelsOf(values)) {
      const parts = levelLines(values, n, n, level);
      if (parts.length) found.push({ level, dash: [], width: level === 1 ? 2 : 0.9, colour: !showsCodes() ? isDark.matches && !onPaper ? "--paper" : "--ink" : level > 1 ? "--red" : level === 1 ? "--ink" : "--blue", parts });
    }
  }
  return found;
};
// Colours from the least to the largest value, of 98 in 100 points; by their logarithms where these are positive and far apart.
const STOPS = [[84, 104, 171], [52, 118, 160], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const shade = share => {
  const at = Math.min(0.9999, Math.max(0, share)) * (STOPS.length - 1), k = Math.floor(at);
  return STOPS[k].map((v, c) => Math.round(v + (STOPS[k + 1][c] - v) * (at - k)));
};
let scale = null;
const scaleOf = values => {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b), at = q => sorted[Math.round(q * (sorted.length - 1))] ?? 0;
  const [from, to] = isShare(levelField()) ? [0, 1] : [at(0.01), at(0.99)], log = from > 0 && to > 100 * from, place = v => log ? Math.log(v) : v;
  return { from, to, log, share: v => to > from ? (place(v) - place(from)) / (place(to) - place(from)) : 0.5 };
};
const paintField = () => {
  const [w, h] = inner().map(n => Math.round(n * frame.scale)), { n, values } = radiiOfView(), image = new ImageData(w, h), pixels = new Uint32Array(image.data.buffer);
  scale = scaleOf(values);
  const colours = values.map(v => Number.isFinite(v) ? scale.share(v) : NaN);
  for (let p = 0; p < w; p++) for (let q = 0; q < h; q++) {
    const u = p / (w - 1) * (n - 1), v = (1 - q / (h - 1)) * (n - 1), i = Math.min(n - 2, Math.floor(u)), j = Math.min(n - 2, Math.floor(v)), s = u - i, t = v - j, c = i * n + j;
    const share = (1 - s) * ((1 - t) * colours[c] + t * colours[c + 1]) + s * ((1 - t) * colours[c + n] + t * colours[c + n + 1]);
    if (Number.isNaN(share)) continue;
    const [red, green, blue] = shade(share);
    pixels[q * w + p] = 0xff000000 | blue << 16 | green << 8 | red;
  }
  grid = null;
  ink.clearRect(0, 0, canvas.width, canvas.height);
  ink.putImageData(image, Math.round(frame.left * frame.scale), Math.round(frame.top * frame.scale));
};
const scaleKey = () => html("span", null, `${fieldWords(levelField())}: ${shown(scale.from, 3)} `, draw("svg", { width: 140, height: 14, role: "img", "aria-label": `from ${shown(scale.from, 3)} to ${shown(scale.to, 3)}${scale.log ? ", logarithmic" : ""}` },
  Array.from({ length: 35 }, (_, k) => draw("rect", { x: 4 * k, y: 1, width: 4.2, height: 12, fill: `rgb(${shade(k / 34)})` }))), ` ${shown(scale.to, 3)}${scale.log ? ", by logarithms" : ""}; no colour: no value${isComputed && levelField() !== "spectral_radius" ? "; stored" : ""}`);
const paint = () => {
  if (showsCodes()) paintGrid();
  else paintField();
  paintLines();
  showKey();
};
const LIMIT_POINTS = 201;
const limitLines = () => {
  const n = LIMIT_POINTS, steps = planarGrid(Array, n, n, S.view, S.choice, (gamma, delta, step) => step);
  return LIMITS.map(([valueOf, name, dash]) => ({ name, dash, parts: levelLines(steps.map(valueOf), n, n, 0) }));
};
const clipToFrame = c => {
  const [w, h] = inner();
  c.beginPath();
  c.rect(frame.left, frame.top, w, h);
  c.clip();
};
// Stretches that meet, as one line each.
const joined = parts => {
  const key = (x, y) => `${x.toFixed(2)} ${y.toFixed(2)}`, at = new Map(), left = new Set(parts.keys()), found = [];
  parts.forEach((p, k) => [key(p[0], p[1]), key(p[2], p[3])].forEach(e => at.set(e, [...at.get(e) ?? [], k])));
  const follow = line => {
    for (;;) {
      const end = line[line.length - 1], k = (at.get(key(...end)) ?? []).find(n => left.has(n));
      if (k === undefined) return line;
      left.delete(k);
      const p = parts[k], same = key(p[0], p[1]) === key(...end);
      line.push(same ? [p[2], p[3]] : [p[0], p[1]]);
    }
  };
  for (const k of left) {
    left.delete(k);
    found.push(follow(follow([[parts[k][0], parts[k][1]], [parts[k][2], parts[k][3]]]).reverse()).flat());
  }
  return found;
};
const paintLines = () => {
  lines = makeLines();
  ink.save();
  ink.scale(frame.scale, frame.scale);
  clipToFrame(ink);
  strokeLines();
  ink.restore();
};
const strokeLines = () => {
  for (const line of lines) {
    ink.beginPath();
    for (const part of line.parts) for (let k = 0; k < part.length; k += 2) k ? ink.lineTo(part[k], part[k + 1]) : ink.moveTo(part[k], part[k + 1]);
    ink.setLineDash(line.dash);
    ink.lineWidth = line.width;
    ink.strokeStyle = colour(line.colour);
    ink.stroke();
  }
};

// ---- Axes, marks
const ticksOf = (axis, from, to, count) => axis.log ? (decades(from, to).length > 1 ? decades(from, to) : ticks(from, to, count).filter(v => v > 0)) : ticks(from, to, count);
const titleOf = axis => axis.unit ? `${axis.symbol} in ${axis.unit}` : words.has(axis.name) ? quantity(axis.name) : axis.symbol;
let band = null;
const drawAxes = () => {
  const [w, h] = inner(), right = frame.left + w, bottom = frame.top + h, parts = [];
  for (const v of ticksOf(X, S.view[0], S.view[1], Math.max(3, w / 90)))
    parts.push(draw("path", { d: `M${xOf(v)} ${bottom}v5`, stroke: "var(--ink)" }), draw("text", { x: Math.min(xOf(v), frame.width - 3.8 * shown(v, 6).length), y: bottom + 18, "text-anchor": "middle" }, shown(v, 6)));
  for (const v of ticksOf(Y, S.view[2], S.view[3], Math.max(3, h / 60)))
    parts.push(draw("path", { d: `M${frame.left} ${yOf(v)}h-5`, stroke: "var(--ink)" }), draw("text", { x: frame.left - 8, y: yOf(v) + 4, "text-anchor": "end" }, shown(v, 6)));
  parts.push(draw("rect", { x: frame.left, y: frame.top, width: w, height: h, fill: "none", stroke: "var(--ink)" }),
    draw("text", { class: "label", x: frame.left + w / 2, y: bottom + 37, "text-anchor": "middle", "font-style": "italic" }, titleOf(X)),
    draw("text", { class: "label", transform: `translate(14 ${frame.top + h / 2}) rotate(-90)`, "text-anchor": "middle", "font-style": "italic" }, titleOf(Y)));
  overlay.replaceChildren(...parts, draw("g", { id: "marks" }));
  drawMarks();
};
const inView = p => p && p[0] >= S.view[0] && p[0] <= S.view[1] && p[1] >= S.view[2] && p[1] <= S.view[3];
const drawMarks = () => {
  const marks = [], [w, h] = inner();
  if (inView(S.at)) marks.push(draw("path", { d: `M${xOf(S.at[0])} ${frame.top}v${h}M${frame.left} ${yOf(S.at[1])}h${w}`, stroke: "var(--ink)", "stroke-opacity": 0.35 }));
  if (inView(S.pin)) marks.push(draw("circle", { cx: xOf(S.pin[0]), cy: yOf(S.pin[1]), r: 6, fill: "var(--paper)", stroke: "var(--ink)", "stroke-width": 2 }),
    draw("circle", { cx: xOf(S.pin[0]), cy: yOf(S.pin[1]), r: 2, fill: "var(--ink)" }));
  if (band) marks.push(draw("rect", { x: Math.min(band[0], band[2]), y: Math.min(band[1], band[3]), width: Math.abs(band[2] - band[0]), height: Math.abs(band[3] - band[1]),
    fill: "var(--blue)", "fill-opacity": 0.12, stroke: "var(--blue)" }));
  byId("marks").replaceChildren(...marks);
};
const showKey = () => {
  const names = [...present].sort((a, b) => b - a).map(nameOf);
  const parts = names.map(name => html("span", null, draw("svg", { width: 26, height: 14, "aria-hidden": "true" }, hatching([name]),
    draw("rect", { x: 0.5, y: 0.5, width: 25, height: 13, fill: `url(#class-${name})`, stroke: "var(--line)" })), wordsOf(name)));
  if (!showsCodes()) parts.splice(0, parts.length, scaleKey());
  for (const line of lines.filter(l => l.name && l.parts.length)) parts.push(html("span", null, draw("svg", { width: 26, height: 14, "aria-hidden": "true" },
    draw("path", { d: "M0 7H26", stroke: `var(${line.colour})`, "stroke-width": line.width, "stroke-dasharray": line.dash.join(" ") || null })), line.name));
  const levels = lines.filter(l => l.level !== undefined).map(l => l.level).sort((a, b) => a - b);
  if (levels.length) parts.push(html("span", null, `thin lines: ${fieldWords(levelField())} of ${levels.map(v => shown(v, 3)).join(", ")}`));
  byId("key").replaceChildren(...parts);
};

// ---- One frame
let asked = 0;
const timing = milliseconds => {
  const count = grid ? grid.nx * grid.ny : radiiKept?.values.length ?? 0;
  byId("speed").textContent = `${shown(count)} points, ${milliseconds < 1 ? "less than 1" : shown(milliseconds, 2)} ms${isComputed ? "" : ", from the stored grid"}.`;
};
const drawNow = () => {
  const began = performance.now(), [w, h] = inner();
  if (!isChart) return drawCurves();
  const [nx, ny] = [Math.round(w * frame.scale), Math.round(h * frame.scale)];
  if (showsBest()) grid = { nx, ny, classes: bestGrid(nx, ny) };
  else if (showsClasses()) grid = { nx, ny, classes: isComputed ? planarGrid(Uint8Array, nx, ny, S.view, S.choice, planarClass) : storedGrid(nx, ny) };
  paint();
  timing(performance.now() - began);
  drawAxes();
};
const drawSoon = () => {
  if (!asked) asked = requestAnimationFrame(() => {
    asked = 0;
    refresh();
  });
};
const layOut = () => {
  frame.width = plot.clientWidth;
  frame.height = Math.round(Math.min(660, Math.max(300, frame.width * 0.68)));
  plot.style.height = `${frame.height}px`;
  plot.style.aspectRatio = `${frame.width} / ${frame.height}`; // on paper the height follows the width
  frame.scale = Math.min(2, devicePixelRatio || 1);
  tileSize = 8 * Math.round(frame.scale);
  tiles = new Map();
  canvas.width = Math.round(frame.width * frame.scale);
  canvas.height = Math.round(frame.height * frame.scale);
  overlay.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
};
