"""A page in a headless Chromium. A script that is appended to a copy of the page drives it, --dump-dom reads what it said: no
driver package. A policy in the copy refuses every request, so that one that is made is told of."""
import html
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from tap import ok, skip

POLICY = ("default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src blob: data:")
HEAD = f"""<meta http-equiv="Content-Security-Policy" content="{POLICY}"><script>
const tell = (...words) => document.getElementById("told").append(words.map(w => typeof w === "string" ? w : JSON.stringify(w)).join(" ") + "\\n");
addEventListener("error", e => tell("TROUBLE", e.message, String(e.lineno)));
addEventListener("unhandledrejection", e => tell("TROUBLE", String(e.reason?.stack ?? e.reason)));
addEventListener("securitypolicyviolation", e => tell("TROUBLE request", e.blockedURI, e.violatedDirective));
// The clock is virtual and leaps where nothing is to be done but on other threads, such as to compile a module: this gives them time.
const beat = setInterval(() => {{ for (let k = 0, x = 1; k < 1e6; k++) x = Math.sin(x); }}, 50);
for (const name of ["error", "warn"]) console[name] = (...words) => tell("TROUBLE console", ...words.map(String));
</script>"""
TOOLS = """const pause = ms => new Promise(done => setTimeout(done, ms));
await window.costab?.ready;
clearInterval(beat);
"""


def chromium():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def ready(what):
    """Whether there is a browser. Where there is none that is a failure, unless it was said with PAGES=skip."""
    if chromium():
        return True
    if os.environ.get("PAGES") == "skip":
        skip(what, "PAGES=skip")
    else:
        ok(False, what, "Chromium is missing: install it, or say PAGES=skip")
    return False


def visit(page, script, fragment="", seconds=240):
    """What the script told, line by line; its lines that begin with TROUBLE are errors and requests."""
    text = pathlib.Path(page).read_text()
    text = text.replace("<head>", f"<head>{HEAD}", 1).replace("<body>", '<body><pre id="told" hidden></pre>', 1)
    text = text.replace("</body>", f'<script type="module">{TOOLS}{script}\ntell("END");</script></body>')
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "page.html")
        copy.write_text(text)
        done = subprocess.run([chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                               "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=120000", "--window-size=1400,900", "--dump-dom",
                               f"file://{copy}{fragment}"], capture_output=True, text=True, timeout=seconds)
    found = re.search(r'<pre id="told" hidden="">(.*?)</pre>', done.stdout, re.S)
    return html.unescape(found.group(1)).splitlines() if found else ["TROUBLE no page", done.stderr[-500:]]
