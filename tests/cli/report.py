#!/usr/bin/env python3
"""costab report: one page whose numbers are those of the commands that stand beside them, whose bytes repeat, and in which texts of
strangers do nothing; what a model does not allow is said in place of the part. Prints TAP."""
import html.parser
import json
import os
import pathlib
import re
import shlex
import shutil

import systems
from tap import costab, csv_rows, effort, EFFORT, finish, ok, preload, ROOT, workplace

# Names in the page's data and of the columns.
STEPS = (("stable_to", "max_stable_step"), ("accurate_to", "max_accurate_step"), ("cost", "cost"))
# One page of the drive is made and looked at by several checks.
ASKED = ("--over", "H=0.0005:0.5", "--error", "1e-3", "--until", "2", "--set", "H=0.01")

# A report that is made several times, with the same bytes.
SAME = ("drive.yaml", *ASKED) if EFFORT > 1 else ("small.yaml", "--over", "H=0.05:0.4", "--error", "1e-3", "--until", "1")

# Time that is over at once: a page without what has to be searched for.
LATE = ("--time", "1e-6")

# A small model, in whose title texts of strangers are put.
SMALL = """title: TITLE
system: network
parameters: {k: 10, H: 0.1}
subsystems:
  - {name: mass, A: [[0, 1], [-k, -1]], B: [[0], [1]], C: [[1, 0]], x0: [1, 0], inputs: [force], outputs: [place], method: rk4}
connections: [{from: mass.place, to: mass.force}]
coupling: {macro_step: H}
"""
# One state, whose weights are found soon.
DECAY = """system: network
parameters: {H: 0.1}
subsystems: [{name: a, A: [[-1]], B: [[1]], C: [[1]], x0: [1], inputs: [u], outputs: [y], method: exact}]
connections: [{from: a.y, to: a.u, gain: -6}]
coupling: {macro_step: H}
"""


class Page(html.parser.HTMLParser):
    """The block of data, and what else a page has: names of elements, addresses, handlers of events."""

    def __init__(self, text):
        super().__init__()
        self.data, self.open, self.tags, self.addresses, self.handlers, self.texts = "", [], [], [], [], []
        self.feed(text)
        self.close()
        self.json = json.loads(self.data)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.open = [tag, *(v for k, v in attributes if k == "id")] if tag == "script" else self.open
        self.addresses += [v for k, v in attributes if k in ("src", "href", "action") and not v.startswith("#")]
        self.handlers += [k for k, _ in attributes if k.startswith("on")]

    def handle_endtag(self, tag):
        self.open = [] if tag == "script" else self.open

    def handle_data(self, data):
        if self.open == ["script", "data"]:
            self.data += data


def report(model, *options, name="report.html"):
    done = costab("report", model, *options, "-o", name, "--force", "-q")
    ok(done.returncode == (3 if options[-2:] == LATE else 0), f"report {model} {' '.join(options)}", done.stderr)
    return Page(pathlib.Path(name).read_text()) if done.returncode in (0, 3) else None


def rows(command):
    done = costab(*shlex.split(command)[1:], "-f", "csv")
    return csv_rows(done)


def same(shown, printed):
    """Both are there, and the same double; or neither is."""
    return (shown is None) == (printed == "") and (shown is None or shown == float(printed))


def command_of(part, verb, having=""):
    return next(c for c in part["commands"] if shlex.split(c)[1] == verb and having in c)


# ---- Numbers

def check_couplings(data):
    couplings = data["couplings"]
    table = {}
    for row in rows(command_of(couplings, "limit", "--coupling all")):
        table.setdefault(row["coupling"], []).append(row)
    both = [row for row in couplings["rows"] if row["coupling"] in table]
    good = [len(row["intervals"]) == len(table[row["coupling"]]) and all(
        same(i["from"], t["lower"]) and same(i["to"], t["upper"]) and (i["class"], i["from_is"], i["to_is"]) == (t["class"], t["lower_kind"], t["upper_kind"])
        for i, t in zip(row["intervals"], table[row["coupling"]])) for row in both]
    ok(len(both) > 10 and all(good), f"the intervals of {len(both)} couplings are those of limit", *(row["coupling"] for row, g in zip(both, good) if not g))
    printed = rows(command_of(couplings, "advise"))
    wrong = [p["coupling"] for p, s in zip(printed, couplings["rows"]) if p["coupling"] != s["coupling"] or not all(same(s[old], p[key]) for old, key in STEPS)]
    ok(len(printed) == 10 and not wrong, "ends and costs are those of advise", *wrong)
    one = [row for row in rows(command_of(couplings["today"], "advise"))][0]
    ok(all(same(couplings["today"][old], one[key]) for old, key in STEPS), "today's row is that of advise --coupling", one, couplings["today"])
    own = {row["coupling"]: row for row in rows(command_of(couplings, "limit", "--alone"))}
    ok(all(float(own[f"alone:{end['subsystem']}"]["upper" if end["upper"] else "lower"]) == end["value"] for end in couplings["own"]), "own limits are those of limit --alone", own, couplings["own"])
    for name, row in data["masters"]["couplings"].items():
        printed = rows(command_of(row, "advise"))[0]
        ok(all(same(row[old], printed[key]) for old, key in STEPS[:2]), f"{name}: the steps for masters are those of advise", printed, row)


def check_limit(data):
    limit, printed = data["limit"], rows(command_of(data["limit"], "limit"))
    good = len(printed) == len(limit["intervals"]) and all(same(i["from"], p["lower"]) and same(i["to"], p["upper"]) and i.get("to_cause", {}).get("cause", "") == p["upper_cause"] and
                                                           i.get("to_cause", {}).get("blame", "") == p["upper_subsystem"] for i, p in zip(limit["intervals"], printed))
    ok(good and limit["end"] == limit["intervals"][0]["to"], "today's limit and its cause are those of limit", printed, limit)


def check_margins(data):
    printed = [row for row in rows(command_of(data["margins"], "margin")) if row["kind"] in ("parameter", "connection", "delay")]
    shown = data["margins"]["rows"]
    good = len(printed) == len(shown) and all(same(s["value"], p["value"]) and same(s["factor"], p["factor"]) and s["cause"] == p["cause"] and s.get("blame", "") == p["subsystem"]
                                              for s, p in zip(shown, printed))
    ok(good and len(shown) > 10, f"{len(shown)} margins are those of margin", len(printed))


def check_pattern(data):
    named = {row["name"]: row["value"] for row in rows(command_of(data["pattern"], "pattern"))}
    ok(all(same(data["pattern"][key], named[key]) for key in ("lower", "upper", "safe_from", "safe_to")), "which steps may follow each other is that of pattern", named)


def check_maps(data):
    for shown in data["maps"]:
        done = costab(*shlex.split(command_of(shown, "map"))[1:], "-f", "json")
        printed = json.loads(done.stdout)[0]
        modes = len(shown["modes"]) == len(printed["modes"]) and all(
            s["eigenvalue"] == p["eigenvalue"] and s["frequency"] == p["frequency"] and s["shares"] == list(p["participation"].values()) for s, p in zip(shown["modes"], printed["modes"]))
        ok(modes and [z[:2] for z in shown["eigenvalues"]] == printed["eigenvalues"], f"{shown['label']}: eigenvalues and modes are those of map")


def check_histories(data):
    for run in data["histories"]:
        printed = rows(command_of(run, "simulate"))
        at = {(f"{r['subsystem']}.{r['signal']}", f"{float(r['t']):.6g}"): r for r in printed if r["point"] == "communication"}
        pairs = [(s, at[s["name"], f"{t:.6g}"], v, m) for s in run["signals"] for t, v, m in zip(s["t"], s["value"], s["monolithic"])]
        ok(len(pairs) > 100 and all(float(f"{float(r['value']):.6g}") == v and float(f"{float(r['monolithic']):.6g}") == m for _, r, v, m in pairs),
           f"{run['title']}: {len(pairs)} values are those of simulate")
        told = {f"{r['subsystem']}.{r['signal']}": float(r["error"]) for r in rows(command_of(run, "simulate", "--error"))}
        ok(told[run["error_of"]] == run["error"], f"{run['title']}: the error is that of simulate --error", told, run["error"])
        errors = [abs(float(r["value"]) - float(r["monolithic"])) for r in printed if f"{r['subsystem']}.{r['signal']}" == run["error_of"]]
        ok(max(errors) == run["error"], f"{run['title']}: the error is the largest difference that simulate prints", max(errors), run["error"])


def check_chart(data):
    chart = data["chart"]
    x, y = chart["x"], chart["y"]
    codes = [code for code, count in zip(chart["runs"][::2], chart["runs"][1::2]) for _ in range(count)]
    names = {"UU": 0, "US": 1, "SU": 2, "SS": 3}
    ok(len(codes) == x["points"] * y["points"], "the runs fill the chart")
    wrong = []
    for k in range(0, len(codes), len(codes) // effort(5) + 7):
        i, j = divmod(k, y["points"])
        place = [axis["from"] + (axis["to"] - axis["from"]) * n / (axis["points"] - 1) for axis, n in ((x, i), (y, j))]
        printed = {row["name"]: row["value"] for row in rows(f"costab map drive.yaml --set {x['name']}={place[0]!r} --set {y['name']}={place[1]!r}")}
        wrong += [(place, printed["class"], codes[k])] if names[printed["class"]] != codes[k] else []
    ok(not wrong, "classes of the chart are those of map", *wrong[:3])
    done = costab(*shlex.split(command_of(chart, "sweep"))[1:], "-q")
    swept = [names[row["class"]] for row in csv_rows(costab("export", "chart.h5", "--format", "csv"))]
    ok(done.returncode == 0 and swept == codes, "and those of sweep --axis", done.stderr)


WORDS = {"k: 50": "k: {value: 50, label: stiffness of the shaft, unit: N m}", "coupling:": "coupling:\n  - {name: now, macro_step: H}\n  - {name: loop, scheme: iterated, iterations: 3, predictor: linear, relaxation: 0.5, macro_step: H}\n  - {name: back, scheme: gauss-seidel, order: [load, motor], macro_step: H}\n#"}


def check_structure():
    """The network, its labels and units are those of info."""
    text = pathlib.Path("drive.yaml").read_text()
    for old, new in WORDS.items():
        ok(old in text, f"the model has {old}")
        text = text.replace(old, new, 1)
    pathlib.Path("words.yaml").write_text(text)
    data = report("words.yaml", *LATE).json
    printed = json.loads(costab(*shlex.split(command_of(data["network"], "info"))[1:], "-f", "json").stdout)
    of = {kind: [row for row in printed if kind in row] for kind in ("subsystem", "connection", "parameter", "signal", "coupling")}
    ok([[s[key] for key in ("name", "states", "inputs", "outputs", "method", "substeps")] for s in data["network"]["subsystems"]] ==
       [[s[key] for key in ("subsystem", "states", "inputs", "outputs", "method", "substeps")] for s in of["subsystem"]], "subsystems are those of info")
    ok([c["label"] for c in data["network"]["connections"]] == [c["connection"] for c in of["connection"]], "so are connections")
    ok([(p["name"], p["value"]) for p in data["parameters"]] == [(p["parameter"], p["value"]) for p in of["parameter"]], "and parameters")
    words = {w["name"]: (w.get("label", ""), w.get("unit", "")) for w in data["words"]}
    told = {row.get("parameter") or row["signal"]: (row["label"], row["unit"]) for kind in ("parameter", "signal") for row in of[kind] if row["label"] or row["unit"]}
    ok(words == told and words["k"] == ("stiffness of the shaft", "N m") and words["motor.angle"] == ("", "rad"), "and labels and units", words, told)
    ok([(c["iterations"], c["predictor"], c["relaxation"], c["order"]) for c in of["coupling"][1:]] == [(3, "linear", 0.5, []), (None, "constant", None, ["load", "motor"])],
       "info has a coupling's predictor, relaxation and order", of["coupling"])


def check_numbers():
    shutil.copy(ROOT / "sweeps/findings/models/drive.yaml", "drive.yaml")
    page = report("drive.yaml", *ASKED, name="drive.html")
    data = page.json
    check_limit(data)
    check_couplings(data)
    check_margins(data)
    check_maps(data)
    check_histories(data)
    check_chart(data)
    printed = {row["name"]: row["value"] for row in rows(command_of(data["today"], "map"))}
    ok(data["today"]["class"] == printed["class"] and same(data["today"]["spectral_radius"], printed["spectral_radius"]), "today's point is that of map")
    ok(data["files"][0]["text"] == pathlib.Path("drive.yaml").read_text(), "the model's text is the file's")
    ok(not page.addresses and not page.handlers and page.tags.count("script") == 2, "the page names no address", *page.addresses, *page.handlers)
    return data


def check_tuned():
    """With --tune weights of the model's own are compared, as advise does, and are beside the best fixed ones on the page."""
    pathlib.Path("decay.yaml").write_text(DECAY)
    page = report("decay.yaml", "--tune", "--coupling", "jacobi", "--over", "H=0.01:5", "--until", "1", name="tuned.html")
    couplings = page.json["couplings"]
    shown, = (row for row in couplings["rows"] if row["coupling"].startswith("jacobi("))
    fixed = max(row["stable_to"] or 0 for row in couplings["rows"] if row["coupling"] in ("jacobi", "jacobi-linear", "jacobi-quadratic", "jacobi-spectral"))
    ok(couplings["tuned"] and shown["stable_to"] > 1.05 * fixed, "tuned weights are stable longer", shown, fixed)
    if EFFORT > 1:
        printed = {row["coupling"]: row for row in rows(command_of(couplings, "advise", "--tune") + " --all")}
        ok(same(shown["stable_to"], printed[shown["coupling"]]["max_stable_step"]), "tuned weights are those of advise --tune", shown, printed)


def check_bytes():
    first, second = (report(*SAME, "--threads", threads, name=f"{threads}.html") for threads in ("1", "3"))
    ok(first.json == second.json and pathlib.Path("1.html").read_bytes() == pathlib.Path("3.html").read_bytes(), "the same model gives the same bytes, on any number of threads")
    ok("date" not in first.json, "no date stands in it")
    check_pattern(first.json)
    done = costab("report", "small.yaml", "--until", "0.2", "--over", "H=0.05:0.2", "-o", "drive.html", env={**os.environ, "SOURCE_DATE_EPOCH": "86400"})
    ok(done.returncode == 0 and Page(pathlib.Path("drive.html").read_text()).json["date"] == "1970-01-02", "SOURCE_DATE_EPOCH gives a page a date, which replaces another one", done.stderr)


# ---- Files and options

def check_options():
    page = report("small.yaml", "--set", "k=12", "--coupling", "gauss-seidel", "--until", "0.2", "--over", "H=0.1:0.2")
    commands = [c for part in (page.json["today"], page.json["margins"], *page.json["maps"]) for c in part["commands"]]
    ok(all("--set k=12" in c and "--coupling gauss-seidel" in c for c in commands), "commands have the settings and the coupling", *commands)
    for what, *wrong in (("a range that is none", "--over", "H=1"), ("another parameter", "--over", "k=1:2"), ("an unknown parameter", "--over", "Q=1:2"), ("a negative range", "--over", "H=-1:1"),
                         ("two couplings", "--coupling", "jacobi,iterated"), ("an error that is none", "--error", "x"), ("an end that is none", "--until", "-1")):
        done = costab("report", "drive.yaml", *wrong, "-o", "none.html")
        ok(done.returncode == 2 and "error" in done.stderr and not os.path.exists("none.html"), f"{what} is refused", done.returncode, done.stderr)
    pathlib.Path("mine.html").write_text("<!DOCTYPE html>\nmine\n")
    done = costab("report", "drive.yaml", *ASKED, "-o", "mine.html")
    ok(done.returncode == 2 and "--force" in done.stderr and pathlib.Path("mine.html").read_text().endswith("mine\n"), "a file of somebody else stays", done.stderr)


# ---- Models that do not allow all

def check_refusals():
    text = pathlib.Path("drive.yaml").read_text()
    pathlib.Path("fixed.yaml").write_text(text.replace("macro_step: H", "macro_step: 0.01").replace(", H: 0.01", "").replace("substeps: 10", "step: 0.002", 1))
    data = report("fixed.yaml").json
    ok([(box.get("substeps"), box.get("micro_step")) for box in data["network"]["subsystems"]] == [(None, 0.002), (10, None)], "micro steps, by number or by length", data["network"])
    ok("not a parameter" in data["couplings"]["refused"] and data["margins"]["rows"] and data["maps"][0]["modes"] and data["histories"][0]["signals"],
       "a macro step that is no parameter: no couplings, the other parts are there", data["couplings"])
    pathlib.Path("still.yaml").write_text(SMALL.replace("x0: [1, 0]", "x0: [0, 0]"))
    data = report("still.yaml", "--over", "H=0.05:0.2", "--error", "1e-3", "--until", "0.5").json
    ok(data["couplings"]["no_errors"] and data["couplings"]["rows"], "a model at rest: errors are not looked at, stability is", data["couplings"].get("no_errors"))
    pathlib.Path("system.ssd").write_text(systems.two("CoSimulation"))
    os.makedirs("resources", exist_ok=True)
    for name in ("mass", "coupled"):
        shutil.copy(systems.fmu(f"{name}-2"), f"resources/{name}.fmu")
    # every call of the progress is printed, as the clock runs fast
    fast = {**os.environ, "LD_PRELOAD": preload("clock"), "COSTAB_CLOCK_RATE": "100000"}
    done = costab("report", "system.ssd", "-o", "system.html", "-v", "--fmu-timeout", "1000000", env=fast)
    shown = [0.0, *(float(word) for word in re.findall(r"([0-9.]+) %", done.stderr)), 100.0]
    ok(done.returncode == 0 and len(shown) > 20 and all(0 <= b - a < 30 for a, b in zip(shown, shown[1:])),
       "progress of a report of FMUs follows the work", shown, done.stderr)
    data = Page(pathlib.Path("system.html").read_text()).json
    ok(data["sampled"] and data["limit"]["end"] and data["couplings"]["refused"] and data["today"]["class"][0] == "X" and data["margins"]["refused"] and data["histories"][0]["signals"] and "monolithic" not in data["histories"][0]["signals"][0],
       "FMUs for co-simulation: a page without a system solved as one", data["today"]["class"], data["margins"])
    done = costab("report", "nowhere.yaml")
    ok(done.returncode == 2 and not os.path.exists("nowhere.html"), "a model that is not there is refused", done.returncode, done.stderr)


# ---- Texts of strangers



def check_uncertain(whole):
    # Stable for k > 1, of which values lie between 0.1 and 19.9.
    pathlib.Path("damped.yaml").write_text(SMALL.replace("-k, -1", "-k, -d").replace("k: 10", "k: 10, d: 1"))
    pathlib.Path("unsure.yaml").write_text("system: network\nmodel: damped.yaml\naxes: {H: [0.05, 0.1], k: {uncertain: 99 %}, d: {uncertain: 10 %}}\nfields: [probability]\n")
    found = report("unsure.yaml", "--until", "0.5", "--over", "H=0.05:0.2").json["uncertainty"]
    printed = rows(command_of(found, "margin", "--uncertain"))
    ok([(row["name"], row["value"], row["error"]) for row in printed] == [(name, f"{row['value']!r}", f"{row['error']!r}") for name, row in
       (("probability", found["probability"]), *((row["name"], row) for row in found["alone"]))] and 0.9 < found["probability"]["value"] < 1 and len(printed) == 3,
       "the probability where parameters are uncertain is that of margin --uncertain", printed, found)
    ok("uncertainty" not in whole, "without uncertain parameters there is none")


def check_time():
    """Time that is over before all was compared: a page with what there is, which says so."""
    page = report("drive.yaml", *ASKED, *LATE, name="short.html")
    parts = [page.json["margins"], *page.json["histories"]]
    ok(page.json["today"]["class"] == "SS" and page.json["limit"].get("refused", "").startswith("Not found within --time 1e-06"), "a report without time has today's class", page.json["limit"])
    ok(all(part["refused"] == "Not found within --time 1e-06: more time finds it." for part in parts), "and every search says that it had none", *parts)
    whole, timed = Page(pathlib.Path("1.html").read_text()).json, report(*SAME, "--time", "1e6").json
    ok(whole == timed and "refused" not in timed["margins"] and "unfinished" not in timed["couplings"], "time enough changes nothing")
    done = costab("report", "drive.yaml", "--time", "0", "-o", "none.html")
    ok(done.returncode == 2 and "--time: '0' is not positive" in done.stderr and not os.path.exists("none.html"), "no time is refused", done.stderr)


def check_hostile():
    hostile = ["</script><script>alert(1)</script>", "<!--<script>", "<img src=x onerror=alert(1)>", "]]>\u2028\u2029", "'\"`${alert(1)}", "&lt;b&gt;\u202e", "</title></style>", "\\u003c/script>"]
    whole = report("small.yaml", *LATE)
    # Each in a page of its own, or with EFFORT 1 all in one; and a name for the file.
    for k, words in enumerate(hostile if EFFORT > 1 else [" ".join(hostile)]):
        pathlib.Path("hostile.yaml").write_text(SMALL.replace("TITLE", json.dumps(words)) + f"# {' '.join(words.splitlines())}\n")
        page = report("hostile.yaml", *LATE, name="hostile.html")
        ok(page.json["title"] == words and page.tags == whole.tags and not page.handlers and not page.addresses, f"hostile text {k} is a title and nothing else", words)
    name = "a'; touch pwned; '.yaml"
    pathlib.Path(name).write_text(SMALL)
    page = report(name, "--until", "1", "--over", "H=0.05:0.4", name="hostile.html")
    commands = page.json["margins"]["commands"] + page.json["limit"]["commands"]
    ok(all(name in shlex.split(c) for c in commands) and not os.path.exists("pwned"), "a file's name is one word in the commands", *commands)


def main():
    with workplace():
        pathlib.Path("small.yaml").write_text(SMALL)
        whole = check_numbers()
        check_structure()
        check_tuned()
        check_bytes()
        check_options()
        check_refusals()
        check_uncertain(whole)
        check_time()
        check_hostile()
    finish()


main()
