#!/usr/bin/env python3
"""costab report's page in a browser: what a reader points at, chooses and prints, on a screen, a phone, in the dark and on paper;
and texts of strangers, which do nothing. Prints TAP."""
import json
import pathlib
import random
import re

import browser
from tap import ROOT, costab, effort, finish, ok, seed, stride, workplace

K, LABELLED = "k: 50", "k: {value: 50, label: stiffness of the shaft, unit: N m}"


def report(model, name, *options):
    done = costab("report", model, *options, "-o", name, "--force", "-q")
    ok(done.returncode == (3 if "--time" in options else 0), f"report {model}", done.returncode, done.stderr)
    return pathlib.Path(name)


# ---- What a reader does

HANDS = """
const codes = chart.runs.flatMap((code, k) => k % 2 ? [] : Array(chart.runs[k + 1]).fill(code));
const part = byId("chart"), picture = part.querySelector("svg[tabindex]"), readout = part.querySelector(".readout"), box = picture.getBoundingClientRect();
const frame = [...picture.querySelectorAll("rect")].find(r => r.getAttribute("fill") === "none").getBoundingClientRect();
let same = 0;
for (let k = 0; k < 40; k++) {
  const i = Math.round((k + 0.5) / 40 * (chart.x.points - 1)), j = Math.round(((7 * k) % 40 + 0.5) / 40 * (chart.y.points - 1));
  picture.dispatchEvent(new PointerEvent("pointermove", { clientX: frame.left + frame.width * i / (chart.x.points - 1), clientY: frame.bottom - frame.height * j / (chart.y.points - 1), bubbles: true }));
  same += readout.textContent.includes(`: ${CLASSES[codes[i * chart.y.points + j]]}, `);
}
tell("hover", same, byId("say").textContent);
const told = readout.textContent;
picture.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", shiftKey: true, bubbles: true, cancelable: true }));
tell("keys", readout.textContent !== told, byId("say").textContent === readout.textContent);
const dots = [...byId("modes").querySelectorAll("g[tabindex]")], words = dots.map(d => { d.dispatchEvent(new Event("focus")); return byId("modes").querySelector(".readout").textContent; });
tell("eigenvalues", dots.length === maps.reduce((sum, map) => sum + map.eigenvalues.length, 0), dots.every((d, k) => d.getAttribute("aria-label") === words[k]), words.every(w => w.includes("|z| = ")));
const boxes0 = byId("modes").querySelector("figure desc").textContent, radios = document.getElementsByName("mode");
radios[radios.length - 1].click();
tell("mode", radios.length > 2, byId("modes").querySelector("figure desc").textContent !== boxes0);
const buttons = [...document.querySelectorAll(".command button")];
tell("commands", buttons.length > 10, buttons.every(b => b.getAttribute("aria-label").startsWith("Copy: costab ")));
tell("links", [...document.querySelectorAll("nav a")].every(a => document.querySelector(a.getAttribute("href")).children.length > 1));
tell("heads", [...document.querySelectorAll("table")].every(t => t.caption && [...t.querySelectorAll("th")].every(th => th.scope)), [...document.querySelectorAll("svg[role=img]")].every(s => s.querySelector("title") && s.querySelector("desc")));
tell("words", document.body.textContent.includes("stiffness of the shaft"), document.body.textContent.includes("50\\u00a0N m"));
dispatchEvent(new Event("beforeprint"));
tell("paper", [...document.querySelectorAll("details.file")].every(d => d.open));
"""
TOLD = ["hover 40 ", "keys true true", "eigenvalues true true true", "mode true true", "commands true true", "links true", "heads true true", "words true true",
        "paper true"]


def hands():
    pathlib.Path("drive.yaml").write_text((ROOT / "sweeps/findings/models/drive.yaml").read_text().replace(K, LABELLED))
    page = report("drive.yaml", "drive.html", "--over", "H=0.0005:0.5", "--error", "1e-3", "--until", "0.5")
    for dark in (False, True)[::stride(2)]:
        browser.expect(browser.quiet(browser.visit(page, HANDS + browser.rules(page), dark=dark), f"a reader's hands, {'dark' if dark else 'light'}"),
                       TOLD + browser.RULES_TOLD, "report")
    browser.well_formed(page, "a report")
    browser.guarded(page, "a report")
    return page


def paper(page):
    """A4, and all of it: as many pages as a hand can hold."""
    paper = browser.printed(page)
    boxes, pages = set(re.findall(rb"/MediaBox \[0 0 (\d+)[\d.]* (\d+)", paper)), len(re.findall(rb"/Type /Page\b", paper))
    ok(boxes == {(b"594", b"841")} and 3 <= pages <= 12, f"it prints on A4, {pages} pages", boxes)


def refusals():
    """A part that is refused says so, and no part is empty."""
    small = SMALL.format(*["word"] * LINES)
    drive, example = pathlib.Path("drive.yaml").read_text(), (ROOT / "sweeps/skjong2019/models/example6.yaml").read_text()
    whole = 'tell([...document.querySelectorAll("main section")].every(s => s.textContent.length > 60), '
    looks, checks = [], []
    for model, words, options, script, check in (
            ("fixed", drive.replace("macro_step: H", "macro_step: 0.01").replace(", H: 0.01", ""), (), whole + 'document.querySelectorAll(".refused").length > 1);',
             lambda told: ok(told == "true true", "each part has words where parts are refused", told)),
            ("short", drive, ("--time", "1e-6"), whole + 'document.body.textContent.includes("Not found within --time 1e-06"));',
             lambda told: ok(told == "true true", "a report that had no time says so in words", told)),
            ("bent", example, ("--over", "T_d=0.07:0.08", "--until", "0.5"), 'tell(document.querySelector(".cautions").textContent);',
             lambda told: ok("plant is nonlinear" in told and "is not an equilibrium" in told and "(line 9 of the model)" in told, "cautions of the model are in the report", told)),
            ("elsewhere", small, ("--over", "H=0.01:0.05"), 'tell(document.getElementById("tiles").textContent);',
             lambda told: ok("Stable up to–today’s step is outside the range that was searched" in told, "a range without today's step is no limit of it", told)),
            ("still", small.replace("x0: [1, 0]", "x0: [0, 0]"), ("--over", "H=0.05:0.2"),
             'tell(document.querySelectorAll(".tag.take").length, document.getElementById("verdict").textContent.includes("no coupling is recommended"), document.getElementById("tiles").textContent.includes("Farthest stable"));',
             lambda told: ok(told == "0 true true", "where errors are not known nothing is recommended", told))):
        pathlib.Path(f"{model}.yaml").write_text(words)
        looks.append((report(f"{model}.yaml", f"{model}.html", *options), script))
        checks.append(check)
    told = browser.quiet(browser.look(looks), "reports with parts that are refused")
    for check, line in zip(checks, told + [""] * len(checks)):
        check(line)


# ---- Texts of strangers: some are lines (titles, labels, units), some comments of the file

PIECES = ["</script><script>window.ran = 1</script>", "<img src=x onerror=window.ran=1>", "<svg onload=window.ran=1>", "${window.ran=1}", "--><b>", "\" onload=\"window.ran=1", "'\\u003c",
          "`;window.ran=1;`", "&lt;script&gt;", "\u2028\u2029", "]]>", "<!--<script>", "\\", "javascript:window.ran=1", "</title></style>", "\u202e", "{{7*7}}", "\\u003c/script>", "__proto__",
          "constructor", "#{window.ran=1}", "<iframe srcdoc='<script>parent.ran=1</script>'>", "<a href=javascript:window.ran=1>x</a>", "%3Cscript%3E", "é😀", "<style>*{display:none}</style>"]
SMALL = """title: {}
system: network
parameters:
  k: {{value: 10, label: {}, unit: {}}}
  H: {{value: 0.1, label: {}, unit: {}}}
subsystems:
  - {{name: mass, A: [[0, 1], [-k, -1]], B: [[0], [1]], C: [[1, 0]], x0: [1, 0], method: rk4, states: [{{name: s, label: {}, unit: {}}}, v],
     inputs: [{{name: force, label: {}, unit: {}}}], outputs: [{{name: place, label: {}, unit: {}}}]}}
connections: [{{from: mass.place, to: mass.force}}]
coupling: {{macro_step: H}}
"""
LINES, COMMENTS, MODELS = SMALL.count("{}"), 9, effort(1)


def yaml(text):
    """In double quotes; what YAML or a terminal takes for a line's end or worse is escaped, what lies beyond 16 bits is not."""
    return re.sub("[\u2028\u2029\u202e]", lambda c: f"\\u{ord(c[0]):04x}", json.dumps(text, ensure_ascii=False))


def script(value):
    """As a script of the page, which `</script>` would end."""
    return json.dumps(value).replace("<", "\\u003c")


def hostile():
    draw, page, texts = random.Random(seed(29)), None, 0
    for k in range(MODELS):
        lines = [" ".join(draw.sample(PIECES, 3)) for _ in range(LINES + COMMENTS)]
        comments = [" ".join(line.split()) for line in lines[LINES:]]
        pathlib.Path("hostile.yaml").write_text(SMALL.format(*map(yaml, lines[:LINES])) + "".join(f"# {yaml(c)}\n" for c in comments))
        page = report("hostile.yaml", "hostile.html", "--until", "1", "--over", "H=0.05:0.1")
        data = browser.data_of(page)
        kept = [data["title"], *(w[key] for w in data["words"] for key in ("label", "unit"))]
        ok(sorted(kept) == sorted(lines[:LINES]) and all(yaml(c) in data["files"][0]["text"] for c in comments), f"{len(lines)} hostile texts of model {k} come through as they are", kept)
        shown = [lines[n] for n in (0, 1, 2, 9, 10)]
        told = browser.quiet(browser.visit(page, f"""
const shown = {script(shown)}, all = document.body.textContent.replaceAll("\\u00a0", " ");
tell(window.ran ?? 0, document.images.length, document.querySelectorAll("iframe, style, object, embed").length, document.querySelectorAll("body a").length === document.querySelectorAll("nav a").length);
tell(shown.map(text => all.includes(text.replaceAll("\\u00a0", " "))).filter(Boolean).length, byId("title").textContent === data.title, all.includes(data.files[0].text));"""), f"hostile model {k}")
        ok(told == ["0 0 1 true", f"{len(shown)} true true"], f"model {k} runs nothing, and its texts are shown as texts", told)
        texts += len(lines)
    ok(texts >= 20 * MODELS, f"{texts} hostile texts")


def main():
    if browser.ready("reports in a browser"):
        with workplace():
            paper(hands())
            refusals()
            hostile()
    finish()


main()
