"""Pages in a headless Chromium, which starts once per test program and is driven over DevTools' pipe: no driver package. A script that is
appended to a copy of the page operates it and writes what it found into the page. The copy's policy is the page's own, and allows the
driving scripts besides: what it refuses, such as a request, is reported."""
import atexit
import base64
import functools
import hashlib
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import time

from tap import ok, skip

HEAD = """
const tell = (...words) => document.getElementById("told").append(words.map(w => typeof w === "string" ? w : JSON.stringify(w)).join(" ") + "\\n");
addEventListener("error", e => tell("TROUBLE", e.message, String(e.lineno)));
addEventListener("unhandledrejection", e => tell("TROUBLE", String(e.reason?.stack ?? e.reason)));
addEventListener("securitypolicyviolation", e => tell("TROUBLE refused", e.blockedURI, e.violatedDirective, e.sample));
for (const name of ["error", "warn"]) console[name] = (...words) => tell("TROUBLE console", ...words.map(String));
"""
TOOLS = """const pause = ms => new Promise(done => setTimeout(done, ms));
await window.costab?.ready;
"""


# What every page keeps: what can be operated has a name and the order of the text, one live region, contrast of text by WCAG's formula
# in both palettes of page.css; on a phone nothing is wider than the screen, and no text of a drawing is small. Numbers do not break in
# their middle, no text of a drawing leaves it, and labels of an axis above a table do not lie on each other.
RULES = """
const operated = [...document.querySelectorAll("button, input, select, summary, a, [tabindex]")].filter(e => e.checkVisibility());
tell("nameless", operated.filter(e => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length)).length);
tell("order", operated.every(e => e.tabIndex === 0), document.querySelectorAll("[aria-live=polite]").length);
const light = hex => [1, 3, 5].map(k => parseInt(hex.slice(k, k + 2), 16) / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const sheet = [...document.styleSheets[0].cssRules], palettes = [sheet.find(r => r.selectorText === ":root"), sheet.find(r => r.media?.mediaText.includes("dark")).cssRules[0]];
const pairs = [["ink", "paper"], ["ink", "panel"], ["soft", "paper"], ["soft", "panel"], ["blue", "paper"], ["red", "paper"], ["green", "paper"], ["ink", "blue-tint"], ["ink", "yellow-tint"], ["ink", "red-tint"]];
tell("contrast", palettes.flatMap(p => pairs.map(pair => contrast(...pair.map(n => p.style.getPropertyValue("--" + n).trim())))).filter(c => !(c >= 4.5)).length, palettes.length);
const cutOff = page => [...page.querySelectorAll("svg text")].filter(t => {
  const own = t.getBoundingClientRect(), of = t.ownerSVGElement.getBoundingClientRect();
  return own.width > 0 && (own.left < of.left - 2 || own.right > of.right + 2);
}).map(t => t.textContent);
const collisions = page => [...page.querySelectorAll(".axis")].flatMap(axis => {
  const labels = [...axis.querySelectorAll("span")].map(span => [span.getBoundingClientRect(), span.textContent]).filter(([box]) => box.width > 0);
  return labels.flatMap(([a, text], i) => labels.slice(i + 1).filter(([b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4).map(([, other]) => `${text}|${other}`));
});
tell("texts", cutOff(document).join("; "), collisions(document).join("; "), document.body.innerText.includes(String.fromCharCode(0x2009)));
const phone = document.createElement("iframe");
phone.style = "width: 390px; height: 800px; border: 0";
phone.srcdoc = new TextDecoder().decode(Uint8Array.from(atob(ORIGINAL), c => c.charCodeAt(0)));
document.body.append(phone);
await new Promise(done => phone.onload = done);
await phone.contentWindow.costab?.ready;
await pause(1000);
const small = phone.contentDocument, sizes = [...small.querySelectorAll("svg text")].map(t => parseFloat(phone.contentWindow.getComputedStyle(t).fontSize) * (t.ownerSVGElement.clientWidth || 1) / (t.ownerSVGElement.viewBox.baseVal.width || t.ownerSVGElement.clientWidth || 1));
tell("phone", small.documentElement.scrollWidth <= small.documentElement.clientWidth, sizes.length > 0, Math.min(...sizes) >= 10.5, cutOff(small).join("; "), collisions(small).join("; "));
phone.remove();
"""
RULES_TOLD = ["nameless 0", "order true 1", "contrast 0 2", "texts   false", "phone true true true  "]


def rules(page):
    return f"const ORIGINAL = '{base64.b64encode(pathlib.Path(page).read_bytes()).decode()}';" + RULES


def quiet(told, what):
    """Nothing went wrong in the page, and it came to the script's end."""
    ok(told and told[-1] == "END" and not [t for t in told if t.startswith("TROUBLE")], f"{what}: no error, no request", *told[-20:])
    return told[:-1]


def expect(told, expected, what):
    for wanted, found in zip(expected, told + [""] * len(expected)):
        ok(found == wanted, f"{what}: {wanted}", found)


# Content that a page does not have: none of it runs, is loaded or is shown otherwise.
FOREIGN = """<script>window.ran = 1</script><img id="foreign" src="http://127.0.0.1:9/x.png" alt=""><style>body { color: rgb(1, 2, 3) }</style>
<p id="styled" style="color: rgb(1, 2, 3)" onclick="window.ran = 2">x</p><iframe src="https://127.0.0.1:9/"></iframe>"""
TRY_FOREIGN = """document.getElementById("styled").click();
const attempts = [fetch("http://127.0.0.1:9/data"), import("data:text/javascript,window.ran=3"), new Promise((done, failed) => { try { done(eval("window.ran = 4")); } catch (e) { failed(e); } })];
const outcomes = (await Promise.allSettled(attempts)).map(a => a.status);
tell("outcomes", ...outcomes, String(window.ran), getComputedStyle(document.body).color === "rgb(1, 2, 3)", getComputedStyle(document.getElementById("styled")).color === "rgb(1, 2, 3)");
"""


def guarded(page, what, images=False):
    """The page's policy allows its own script and style, by their hashes, and pictures that it makes if it does; nothing else."""
    text = pathlib.Path(page).read_text()
    own = {name: re.findall(rf"<{name}>(.*?)</{name}>", text, re.S) for name in ("script", "style")}
    wanted = {"default-src": ["'none'"], "script-src": [hashed(s) for s in own["script"]], "style-src": [hashed(s) for s in own["style"]],
              **({"img-src": ["blob:", "data:"]} if images else {}), "base-uri": ["'none'"], "form-action": ["'none'"]}
    ok(policy(page) == wanted and len(own["script"]) == len(own["style"]) == 1, f"{what}: a policy of its own script and style alone", policy(page))
    ok(text.index("Content-Security-Policy") < min(text.index("<script"), text.index("<style")), f"{what}: before what it is about")
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "foreign.html")
        copy.write_text(text.replace("</main>", f"</main>{FOREIGN}", 1))
        told = visit(copy, TRY_FOREIGN)
    ok("outcomes rejected rejected rejected undefined false false" in told, f"{what}: content of strangers does nothing", *told)
    ok(sum(line.startswith("TROUBLE refused") for line in told) >= 8, f"{what}: and is refused by the policy", *told)


def data_of(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', pathlib.Path(page).read_text(), re.S).group(1))


def well_formed(page, what):
    if not shutil.which("tidy"):
        ok(False, f"tidy reads {what}", "tidy is missing")
        return
    done = subprocess.run(["tidy", "-q", "-e"], input=pathlib.Path(page).read_text(), capture_output=True, text=True)
    ok(done.returncode == 0, f"tidy finds nothing wrong with {what}", *done.stderr.splitlines()[:8])


def chromium():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def ready(what):
    """Whether there is a browser. Where there is none that is a failure, unless it was said with BROWSER=skip."""
    if chromium():
        return True
    if os.environ.get("BROWSER") == "skip":
        skip(what, "BROWSER=skip")
    else:
        ok(False, what, "Chromium is missing: install it, or say BROWSER=skip")
    return False


class Browser:
    """Chromium with one page. `ask` calls a method of the DevTools protocol and returns its result; RuntimeError if the browser refuses or ends,
    or does not answer in time."""

    def __init__(self, folder):
        (theirs_in, self.out), (self.back, theirs_out) = os.pipe(), os.pipe()
        ends = [os.dup(fd) for fd in (theirs_in, theirs_out)]  # not 3 and 4, which they become
        self.process = subprocess.Popen(["sh", "-c", f'exec "$@" 3<&{ends[0]} 4>&{ends[1]}', "sh", chromium(), "--headless=new", "--no-sandbox", "--disable-gpu",
                                         f"--user-data-dir={folder}/profile", "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1400,900",
                                         "--remote-debugging-pipe", "about:blank"], pass_fds=ends, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (theirs_in, theirs_out, *ends):
            os.close(fd)
        self.number, self.rest, self.session = 0, b"", {}
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.ask("Page.enable")

    def ask(self, method, seconds=240, **parameters):
        self.number += 1
        os.write(self.out, json.dumps({"id": self.number, "method": method, "params": parameters, **self.session}).encode() + b"\0")
        end = time.monotonic() + seconds
        while True:
            while b"\0" not in self.rest:
                ready = select.select([self.back], [], [], max(end - time.monotonic(), 0))[0]
                found = os.read(self.back, 1 << 20) if ready else b""
                if not found:
                    raise RuntimeError(f"{method}: the browser {'ended' if ready else f'did not answer within {seconds} s'}")
                self.rest += found
            line, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def run(self, script):
        """The value that an asynchronous script of the page returns."""
        answer = self.ask("Runtime.evaluate", expression=f"(async () => {{ {script} }})()", awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def open(self, page, fragment=""):
        """Opens a page; returns when it is loaded."""
        self.ask("Page.navigate", url=f"file://{page}{fragment}")
        while self.run("return document.readyState === 'complete' && decodeURIComponent(location.pathname)") != str(page):
            time.sleep(0.02)

    def close(self):
        self.session = {}
        self.ask("Browser.close")
        self.process.wait(20)


@functools.cache
def started():
    """The browser, which ends with the test."""
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    browser = Browser(folder.name)
    atexit.register(folder.cleanup)
    atexit.register(browser.close)
    return browser


def printed(page):
    """The page on paper, as PDF."""
    browser = started()
    browser.open(pathlib.Path(page).resolve())
    return base64.b64decode(browser.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])


def hashed(script):
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def policy(page):
    """The page's Content-Security-Policy: directives, each with its sources."""
    found = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', pathlib.Path(page).read_text())
    return {words[0]: words[1:] for words in map(str.split, found[0].split(";"))} if len(found) == 1 else {}


def told_by(folder, text, fragment="", seconds=240, dark=False):
    """What a page with the element `told` says there, line by line: until 0.2 s after the line END, as refusals are reported late."""
    copy = pathlib.Path(folder, "page.html").resolve()
    copy.write_text(text)
    browser, end, found = started(), time.monotonic() + seconds, ""
    browser.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
    try:
        browser.open(copy, fragment)
        while not found and time.monotonic() < end:
            time.sleep(0.02)
            found = browser.run("const told = document.getElementById('told'); if (!/^END$/m.test(told.textContent)) return ''; await new Promise(done => setTimeout(done, 200)); return told.textContent;")
        found = found or browser.run("return document.getElementById('told').textContent")
    except RuntimeError as problem:
        return [*found.splitlines(), f"TROUBLE {problem}"]
    return found.splitlines()


def look(looks):
    """What each script tells of its page, for pairs (page, script): pages stand in frames, scripts read
    `document` alone."""
    frames = ", ".join(f"['{base64.b64encode(pathlib.Path(page).read_bytes()).decode()}', document => {{ {script} }}]" for page, script in looks)
    driver = f"""for (const [page, look] of [{frames}]) {{
  const frame = Object.assign(document.createElement("iframe"), {{ srcdoc: new TextDecoder().decode(Uint8Array.from(atob(page), c => c.charCodeAt(0))) }});
  document.body.append(frame);
  await new Promise(done => frame.onload = done);
  await frame.contentWindow.costab?.ready;
  look(frame.contentDocument);
}}"""
    with tempfile.TemporaryDirectory() as folder:
        return told_by(folder, f'<body><pre id="told" hidden></pre><script>{HEAD}</script><script type="module">{driver}\n{TOOLS}tell("END");</script></body>')


def visit(page, script, fragment="", seconds=240, dark=False, tool=""):
    """What the script told, line by line; its lines that begin with TROUBLE are errors, and what the page's policy refused. tool: a script
    that runs before."""
    text = pathlib.Path(page).read_text()
    driver = f'{TOOLS}{script}\ntell("END");'
    text = re.sub(r"(script-src )(.*?>)", lambda m: f"{m[1]}{hashed(HEAD)} {hashed(tool)} {hashed(driver)} {m[2]}<script>{HEAD}</script><script>{tool}</script>", text, count=1)
    text = text.replace("<body>", '<body><pre id="told" hidden></pre>', 1).replace("</body>", f'<script type="module">{driver}</script></body>')
    with tempfile.TemporaryDirectory() as folder:
        return told_by(folder, text, fragment, seconds, dark)
