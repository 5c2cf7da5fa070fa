#!/usr/bin/env python3
"""Hostile names and texts in everything that costab generates: scripts, data, figures, pages, batch scripts and tables. Each would run a
command, end a string or a row, or open a tag where it is not escaped. Scripts are run by gnuplot and bash, SVG is read by an XML
parser, the data of pages as JSON, CSV and Markdown by their rules. EFFORT and SEED set how many random ones there are, and which.
Prints TAP."""
import csv
import io
import json
import os
import pathlib
import random
import re
import subprocess
import xml.etree.ElementTree

from tap import COSTAB, NETWORK, ROOT, costab, effort, finish, note, ok, seed, stride, workplace

WHOLE = ["\n!touch pwned\n", "\r!touch pwned\r", "\r\n!touch pwned\r\n", "'; system('touch pwned'); x='", '"; system("touch pwned"); x="', "`touch pwned`",
         "$(touch pwned)", "; touch pwned;", "| touch pwned", "&& touch pwned &", "%{touch pwned}", "@{}^_~&\\", "\\", "ends in \\", "\\\n!touch pwned", "]]>",
         "a]]>b<c", "<script>touch('pwned')</script>", "<!--", "&amp;&lt;&#10;", "=cmd|' /C calc'!A0", "+1", "@SUM(1)", "\u2028!touch pwned\u2029", "-e", "--help",
         "\u202egnp.exe", "%s%n%d", "%", "#", "# costab drew x", "'", "''", "'''", '"', "{/:Bold", "}", "{", "^", "_", "\\input{pwned}", "\\write18{touch pwned}",
         "$x$", "~/pwned", "*", "?", "[a]", "!touch pwned", "a,b", 'a"b,c', "|a|b|", "- x", "1. x", "\t", " ", "x" * 180, "ü∞²", "\x01\x05", "\x1b[31m", "\x7f", "\u0085x", "\x05'@a", "''@GPVAL_VERSION",
         "`", "${IFS}touch${IFS}pwned", "$((1))", "*/ touch", "EOF\ntouch pwned\nEOF", "\nEOD\n!touch pwned", "e\n!touch pwned", "\n\nload 'pwned'"]
PIECES = ["\n", "\r", "'", '"', "`", "$(", ")", ";", "|", "%", "{", "}", "^", "_", "\\", "]]>", "<", ">", "&", "=", "\u2028", "-", "#", "!", "touch pwned", "touch${IFS}pwned",
          "system('touch pwned')", "a", " ", ",", "*", "~", "@", "ß", "\x02", "\x05", "[", "]", "/"]


def texts():
    source = random.Random(seed(27))
    made = list(WHOLE)
    while len(made) < len(WHOLE) + effort(6):
        made.append("".join(source.choice(PIECES) for _ in range(source.randint(1, 12))))
    return made


def harmed():
    return [str(path) for path in pathlib.Path().rglob("pwned*") if path.name.startswith("pwned")]


def names(strings):
    """What a file may be called, and gnuplot does not take for a command: the program refuses those."""
    made = {re.sub("[/\0]", "", string)[:60].encode()[:200] for string in strings}
    made |= {b"\xff\xfe\n!touch pwned", b"\xe2\x80", b"a\x80'b"}  # no UTF-8
    return sorted(name for name in made if name not in (b"", b".", b".."))


def problems_of_figure(made):
    """Of an SVG file that gnuplot wrote."""
    try:
        xml.etree.ElementTree.fromstring(made.read_bytes())
    except xml.etree.ElementTree.ParseError as problem:
        return [str(problem)]
    return []


def test_names(strings):
    """As names of results files: of script, data and figure, and in them."""
    wrong, tried = [], names(strings)[::stride(16)]
    for name in tried:
        os.mkdir("one")
        path = b"one/" + name + b".h5"
        with open("chart.h5", "rb") as source, open(path, "wb") as file:
            file.write(source.read())
        for run in range(2):  # the second one reads the first one's script
            done = subprocess.run([os.fsencode(COSTAB), b"plot", b"./" + path, b"-o", b"one", b"--format", b"svg"], capture_output=True, stdin=subprocess.DEVNULL)
            refused = done.returncode == 2 and b"rename the results file" in done.stderr
            if done.returncode != 0 and not refused:
                wrong.append((name, run, done.stderr))
        script = b"./" + name + b".gp"
        if not refused:
            subprocess.run([b"gnuplot", script], cwd="one", capture_output=True, stdin=subprocess.DEVNULL)
        if harmed():
            wrong.append((name, "ran", harmed()))
            for path in harmed():
                os.remove(path)
        subprocess.run(["rm", "-rf", "one"], check=True)
    ok(not wrong, f"{len(tried)} names of results files: gnuplot runs no command of theirs, and figures are drawn again", *wrong[:5])


def test_texts(strings):
    """As titles and labels, and labels of points."""
    wrong, kinds, done = [], {"gp", "dat", "svg", "tex"}, 0
    for at in range(0, len(strings), 3):
        title, label, point = (strings[at:at + 3] * 3)[:3]
        figure = {"kind": "classes", "x_label": label, "y_label": label}
        spec = NETWORK.replace("figure: {kind: contour}", f"title: {json.dumps(title)}\nfigure: {json.dumps(figure)}")
        pathlib.Path("text.yaml").write_text(spec, encoding="utf-8")
        pathlib.Path("points.csv").write_text("x,y,label\n10,1," + '"' + point.replace('"', '""').replace("\n", " ").replace("\r", " ") + '"\n', encoding="utf-8")
        swept = costab("sweep", "text.yaml", "-q", "-o", "text.h5", "--force")
        if swept.returncode == 2:
            continue  # a text that no spec may have
        plotted = costab("plot", "text.h5", "--points", "points.csv", "--format", "svg,tex", "--force", "-o", ".")
        if plotted.returncode == 2 and "points.csv" in plotted.stderr:
            plotted = costab("plot", "text.h5", "--format", "svg,tex", "--force", "-o", ".")
        done += 3
        if plotted.returncode != 0:
            wrong.append((title, label, point, plotted.stderr))
            continue
        for ending in kinds:
            if not pathlib.Path(f"text.{ending}").exists():
                wrong.append((title, ending, "is not there"))
        wrong += [(title, label, point, problem) for problem in problems_of_figure(pathlib.Path("text.svg"))]
        if harmed():
            wrong.append((title, label, point, "ran"))
            for path in harmed():
                os.remove(path)
        tex = pathlib.Path("text-inc.tex" if pathlib.Path("text-inc.tex").exists() else "text.tex").read_text(errors="replace")
        if re.search(r"(?<!\\)\\(input|write)", re.sub(r"\\textbackslash\{\}", "", "\n".join(line for line in tex.splitlines() if "pwned" in line))):
            wrong.append((title, label, point, "TeX"))
    ok(done >= len(strings) / 4 and not wrong, f"{done} titles and labels: no command runs, figures are well-formed", done, *wrong[:5])


def parts_of_page(path):
    """What a page is without its data and its checksum, and the data."""
    with open(path, encoding="utf-8", newline="") as file:
        page = re.sub(r"(the lines below have the CRC-32) [0-9a-f]{8}\n", r"\1\n", file.read(), count=1)
    begin = page.index('<script type="application/json" id="data">') + len('<script type="application/json" id="data">')
    end = page.index("</script>", begin)
    return page[:begin] + page[end:], page[begin:end]


def strings_in(value):
    """All texts in the data."""
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in strings_in(part)]
    return [text for part in value for text in strings_in(part)] if isinstance(value, list) else [value] if isinstance(value, str) else []


def problems_of_page(path, plain, title):
    """Outside of its data a page is that of harmless texts; the data opens no tag, and holds the title as it is."""
    frame, data = parts_of_page(path)
    problems = [] if frame == plain else ["another page"]
    problems += ["a bracket in the data"] if "<" in data else []
    title = title.removeprefix("~/")  # a page cuts paths to their last part
    return problems + ([] if any(title in text for text in strings_in(json.loads(data))) else ["the title is not there"])


def make_page(name, texts, report):
    """The explorer and, if wanted, the report of a model with a title and two labels: the paths of the pages, or None where no spec
    may have them."""
    figure = {"kind": "classes", "x_label": texts[1], "y_label": texts[2]}
    spec = NETWORK.replace("figure: {kind: contour}", f"title: {json.dumps(texts[0])}\nfigure: {json.dumps(figure)}")
    pathlib.Path("page.yaml").write_text(spec, encoding="utf-8")
    swept = costab("sweep", "page.yaml", "-q", "-o", "page.h5", "--force")
    if swept.returncode == 2:
        return None
    os.replace("page.h5", os.fsencode("./") + name + b".h5")
    pages = [["plot", os.fsencode("./") + name + b".h5", "-o", "explorer.html", "--force"]]
    pages += [["report", "page.yaml", "--over", "H=0.1:0.2", "-o", "report.html", "--force"]] if report else []
    for words in pages:
        done = subprocess.run([COSTAB, *words], capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            return [done.stderr]
    os.remove(os.fsencode("./") + name + b".h5")
    return ["explorer.html", "report.html"][:len(pages)]


def test_pages(strings):
    """As titles and labels, and names of results files, in pages; a browser opens reports of 200 such texts in report_page.py."""
    harmless = [parts_of_page(path)[0] for path in make_page(b"page", ["harmless"] * 3, True)]
    wrong, done, files = [], 0, names(strings)
    strings = sorted(strings, key=lambda text: re.search(r"[\x00-\x1f\x7f-\x9f]", text) is not None)  # no spec may have these
    for at in range(0, len(strings), 3):
        texts = (strings[at:at + 3] * 3)[:3]
        made = make_page(files[at // 3 * 7 % len(files)], texts, at % 30 == 0)  # reports take longer
        if made is None:
            continue  # a text that no spec may have
        done += 3
        if isinstance(made[0], bytes):
            wrong.append((texts, made))
            continue
        for path, plain in zip(made, harmless):
            wrong += [(texts, path, problem) for problem in problems_of_page(path, plain, texts[0].strip())]
    ok(done >= len(strings) / 3 and not wrong, f"{done} titles, labels and names in pages: data alone, without a tag", done, *wrong[:5])


def test_tables(strings):
    """As names of couplings and subsystems, in CSV and Markdown."""
    wrong, done = [], 0
    for string in strings:
        pathlib.Path("table.yaml").write_text(NETWORK.split("axes")[0].replace("{macro_step: H}", "[{name: " + json.dumps(string) + ", macro_step: H}]"), encoding="utf-8")
        said = costab("limit", "table.yaml", "--over", "H=0.1:0.3")
        if said.returncode == 2:
            continue  # no name
        done += 1
        rows = list(csv.reader(io.StringIO(said.stdout)))
        if said.returncode != 0 or len({len(row) for row in rows}) != 1:
            wrong.append((string, said.stdout, said.stderr))
        table = costab("limit", "table.yaml", "--over", "H=0.1:0.3", "--format", "md").stdout
        cells = [re.split(r"(?<!\\)(?:\\\\)*\|", line)[1].strip() for line in table.splitlines()[2:]]
        shown = [re.sub(r"\\([!-/:-@[-`{-~])", r"\1", cell) for cell in cells]
        bare = re.sub(r"\\[!-/:-@[-`{-~]", "", "".join(cells))
        if shown != [row[0].strip() for row in rows[1:]] or re.search(r"[<`*_[\]|$]", bare):
            wrong.append((string, table))
        for row in json.loads(costab("limit", "table.yaml", "--over", "H=0.1:0.3", "--format", "json").stdout):
            if not isinstance(row["coupling"], str):
                wrong.append((string, row))
        swept = costab("sweep", "table.yaml", "-q", "-o", "table.h5", "--force", "--set", "H=0.1")
        if swept.returncode == 0:
            exported = costab("export", "table.h5", "--format", "csv", "-o", "table.csv", "--force")
            with open("table.csv", newline="") as file:
                if exported.returncode != 0 or len({len(row) for row in csv.reader(file)}) != 1:
                    wrong.append((string, exported.stderr))
    ok(not wrong, f"{done} names of couplings are cells of CSV, Markdown and JSON, {len(strings) - done} are refused", *wrong[:5])


def test_batch(strings):
    """As names of specs and programs in batch scripts, which bash runs."""
    wrong, done = [], 0
    for string in strings:
        name = re.sub(r"[/\0\s]", "", string)[:60]
        if not name or name.startswith("-"):
            continue
        folder = pathlib.Path("batch")
        folder.mkdir()
        (folder / f"{name}.yaml").write_text(NETWORK)
        program = folder / f"{name}.program"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        made = subprocess.run([ROOT / "src/cli/batch/write"], cwd=folder, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                              env={**os.environ, "SPEC": f"{name}.yaml", "PROGRAM": str(program.resolve()), "SUBMIT": "0"})
        scripts = list((folder / "results/batch").glob("*.sh"))
        if made.returncode == 0 and scripts:
            done += 1
            ran = subprocess.run(["bash", scripts[0].resolve()], capture_output=True, text=True, errors="replace", cwd=folder, stdin=subprocess.DEVNULL)
            if ran.returncode != 0:
                wrong.append((name, ran.stderr))
        elif made.returncode not in (1, 2):
            wrong.append((name, made.returncode, made.stderr))
        if harmed():
            wrong.append((name, "ran"))
        subprocess.run(["rm", "-rf", "batch"], check=True)
    ok(done >= len(strings) / 4 and not wrong, f"{done} names of specs and programs in batch scripts", done, *wrong[:5])


with workplace() as folder:
    pathlib.Path("chart.yaml").write_text(NETWORK.replace("kind: contour", "kind: classes"))
    costab("sweep", "chart.yaml", "-q", "-o", "chart.h5")
    every, step = texts(), min(stride(4), 8)  # with EFFORT 1 each text is at least in one of the places
    if subprocess.run(["sh", "-c", "command -v gnuplot"], capture_output=True).returncode == 0:
        test_names(every)
        test_texts(every[::step])
    else:
        note("no gnuplot here")
    test_pages(every[1 % step::step])
    test_tables(every[2 % step::step])
    test_batch(every[3 % step::step])
finish()
