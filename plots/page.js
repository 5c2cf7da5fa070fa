// What the pages share: the data, elements, numbers and classes in words, commands to copy.
const data = JSON.parse(document.getElementById("data").textContent);

// ---- Elements. Texts become text nodes, so that nothing in them is taken for HTML. The page's policy allows no attribute `style`.
const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (name === "style") element.style.cssText = value ?? "";
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
};
const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const byId = id => document.getElementById(id);
let drawings = 0;
// A drawing at its true size in CSS pixels, with a title and a description for those who do not see it.
const drawing = (width, height, title, description, ...children) => {
  const id = `drawing${++drawings}`;
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": `${id}-title ${id}-text` },
    draw("title", { id: `${id}-title` }, title), draw("desc", { id: `${id}-text` }, description), children);
};

// ---- Numbers
const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const isNumber = value => typeof value === "number" && Number.isFinite(value);
// A number to so many digits, for people: 0.0159, 4 144, 2.1 · 10⁻⁷; – where there is none.
const shown = (value, digits = 3) => {
  if (!isNumber(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(+value.toPrecision(digits));
  if (size < 1e-4 || size >= 1e7) {
    const [mantissa, power] = value.toExponential(digits - 1).split("e");
    return `${String(+mantissa).replace("-", "−")} · 10${[...String(+power)].map(c => SUPERSCRIPT[c]).join("")}`;
  }
  const [whole, rest] = String(size >= 10 ** digits ? Math.round(size) : size).split(".");
  return (value < 0 ? "−" : "") + whole.replace(/\B(?=(\d{3})+$)/g, "\u202f") + (rest ? `.${rest}` : "");
};
// The decimal of so many digits that is not above a value: for a step that a reader may set.
const down = (value, digits = 3) => {
  if (!isNumber(value) || value === 0) return value;
  const nearest = +value.toPrecision(digits);
  if (nearest <= value) return nearest;
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
  return +(nearest - unit).toPrecision(digits);
};
// A limit, rounded into the interval that it ends: its upper end down, its lower end up.
const LIMIT_DIGITS = 6;
const shownDown = value => shown(down(value, LIMIT_DIGITS), LIMIT_DIGITS);
const shownUp = value => shown(isNumber(value) ? -down(-value, LIMIT_DIGITS) : value, LIMIT_DIGITS);
const percent = share => share > 0 && share < 0.005 ? "<\u00a01\u00a0%" : `${Math.round(100 * share)}\u00a0%`;
// A factor up to which something holds, rounded toward 1, with the digits that tell it from 1.
const times = factor => {
  const rounded = digits => factor < 1 ? -down(-factor, digits) : down(factor, digits);
  let digits = 3;
  while (digits < 9 && rounded(digits) === 1 && factor !== 1) digits++;
  return `×\u202f${shown(rounded(digits), digits)}`;
};
// Round numbers from `from` to `to`, some `wanted` of them; of a logarithmic axis its decades.
const ticks = (from, to, wanted = 5) => {
  const raw = (to - from) / Math.max(1, wanted), unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find(m => m * unit >= raw * (1 - 1e-9)) * unit, found = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; k++) found.push(+(k * step).toPrecision(12));
  return found.length > 1 || wanted > 20 ? found : ticks(from, to, 2 * wanted);
};
const decades = (from, to) => {
  const found = [];
  for (let k = Math.ceil(Math.log10(from) - 1e-9); 10 ** k <= to * (1 + 1e-9); k++) found.push(+`1e${k}`);
  return found;
};

// ---- Labels and units that the model gives parameters and signals
const words = new Map((data.words ?? []).map(word => [word.name, word]));
const withUnit = (value, name) => words.get(name)?.unit ? `${value}\u00a0${words.get(name).unit}` : value;
const labelOf = name => words.get(name)?.label ?? "";
const labelled = name => labelOf(name) ? `${name} (${labelOf(name)})` : name;
const quantity = name => words.get(name)?.unit ? `${labelled(name)} in ${words.get(name).unit}` : labelled(name);
// motor.angle->load.angle as people write it
const arrowed = name => name.replaceAll("->", " \u2192 ");

// ---- Classes: their codes, what they mean, how they are drawn
const CLASSES = { 0: "UU", 1: "US", 2: "SU", 3: "SS", 16: "NU", 17: "NS", 34: "SN", 32: "UN", 48: "NN", 64: "XU", 65: "XS", 96: "XN",
  4: "not_computed", 8: "failed", 12: "undecided" };
const SYSTEM_WORDS = { S: "the system is stable", U: "the system is unstable", N: "the system is neutral", X: "the system itself is not known" };
const COUPLED_WORDS = { S: "its co-simulation is stable", U: "its co-simulation is unstable", N: "its co-simulation is on the limit" };
const classWords = name => {
  if (name === "not_computed") return "not computed";
  if (name === "failed") return "it could not be analysed";
  if (name === "undecided") return "undecided";
  return `${SYSTEM_WORDS[name[0]]}, ${COUPLED_WORDS[name[1]]}`;
};
// Tint, colour and path of the hatching in a square of 8: classes differ by more than colour.
const HATCHES = {
  SS: ["--blue-tint", "--blue", "M-2 2L2 -2M0 8L8 0M6 10L10 6"], US: ["--red-tint", "--red", "M0 4H8M4 0V8"],
  SU: ["--yellow-tint", null, null], UU: ["--paper", null, null],
  NS: ["--green-tint", "--green", "M4 0V8"], XS: ["--blue-tint", "--blue", "M4 0V8"], XU: ["--paper", null, null], NU: ["--neutral-tint", null, null],
  SN: ["--limit-tint", null, null], UN: ["--limit-tint", null, null], NN: ["--limit-tint", null, null], XN: ["--limit-tint", null, null], failed: ["--grey", null, null],
};
// Couplings by their numbers: colours of Okabe and Ito that are far from either palette's paper; the ninth has the first one's with dots.
// Ties are hatched.
const BEST_TINTS = ["#56b4e9", "#e69f00", "#2fb38a", "#f0e442", "#cc79a7", "#4f86c6", "#d9743a", "#a8a8a8"];
for (let k = 0; k < 64; k++) {
  const tint = BEST_TINTS[k % BEST_TINTS.length], dots = k < BEST_TINTS.length ? null : "M3.5 4H4.5";
  HATCHES[`best-${k}`] = [tint, dots && "#000000", dots];
  HATCHES[`tie-${k}`] = [tint, "#000000", "M-2 6L2 10M0 0L8 8M6 -2L10 2"];
}
HATCHES.none = ["--paper", "--soft", null];
const ofPalette = name => name.startsWith("#") ? name : `var(${name})`;
const hatchOf = name => HATCHES[name] ?? ["--grid", "--soft", "M4 3V5"];
const hatching = names => draw("defs", null, names.map(name => {
  const [tint, colour, path] = hatchOf(name);
  return draw("pattern", { id: `class-${name}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    draw("rect", { width: 8, height: 8, fill: ofPalette(tint) }), path && draw("path", { d: path, fill: "none", stroke: ofPalette(colour), "stroke-width": 1 }));
}));

// ---- Commands to copy
const command = line => {
  const button = html("button", { type: "button", "aria-label": `Copy: ${line}` }, "Copy");
  button.onclick = () => navigator.clipboard.writeText(line).then(() => {
    button.textContent = "Copied";
    setTimeout(() => button.textContent = "Copy", 1200);
  });
  return html("div", { class: "command" }, html("code", { tabindex: 0 }, line), button);
};
