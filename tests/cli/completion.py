#!/usr/bin/env python3
"""Completion in a real bash: keys are typed into a pseudo-terminal, and what readline made of the line is printed by a
function that takes the place of costab. What may be completed is compared with the help. Prints TAP."""
import os
import pathlib
import pty
import re
import select
import subprocess
import tempfile

from tap import COSTAB as costab, finish, ok


def said(*words):
    return subprocess.run([costab, *words], capture_output=True, text=True, check=True, timeout=60).stdout


class Shell:
    """An interactive bash in a folder; typed() gives the words that the command line became."""

    def __init__(self, folder):
        self.log = ""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", LC_ALL="C", COLUMNS="1000", PS1="", HISTFILE="")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        self.send("bind 'set completion-query-items 0' 'set bell-style none' 'set enable-bracketed-paste off'\n")
        self.send("source ./costab.bash; costab() { printf '\\n@%s' \"$@\"; printf '\\n@end\\n'; }; stty -echo\n")
        self.send("echo @ready@ | tr @ =\n")
        self.until("=ready=")

    def send(self, keys):
        os.write(self.terminal, keys.encode())

    def until(self, mark):
        """Reads up to a mark; 20 seconds without any output end the test."""
        text = ""
        while mark not in text:
            if not select.select([self.terminal], [], [], 20)[0]:
                raise RuntimeError(f"bash says no more after: {text}")
            text += os.read(self.terminal, 65536).decode(errors="replace")
        return text

    def typed(self, keys):
        self.send(keys + "\n")
        text = self.until("@end").replace("\r", "")
        return [line[1:] for line in text.splitlines() if line.startswith("@")][:-1]

    def close(self):
        self.send("\x03exit\n")
        try:
            os.close(self.terminal)
        finally:
            os.waitpid(self.pid, 0)


TAB, ALL = "\t", "\x1b*"  # ALL: readline's insert-completions

overview = said("--help")
commands = re.findall(r"^  (\w+)", re.search(r"Commands:\n(.*?)\n\ncostab ", overview, re.S).group(1), re.M)
methods = re.findall(r"^  ([\w-]+)", re.search(r"Methods:\n(.*?)\n\n", overview, re.S).group(1), re.M)
schemes = ["simulation", "cross", "zigzag", "strong", "all"]
orders = ["", "-linear", "-quadratic", "-cubic", "-hermite"]
couplings = [scheme + order for scheme in ("jacobi", "gauss-seidel", "iterated", "newton") for order in orders] + ["jacobi-spectral"]
couplings = [name + solved for name in couplings for solved in ("", "-solved")] + ["all"]

with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "costab.bash").write_text(said("help", "--completion", "bash"))
    for file in ("fig.yaml", "two words.yaml", "old.yml", "fig.h5", "fig.csv", "notes.txt"):
        (folder / file).touch()
    (folder / "models").mkdir()
    (folder / "models" / "plant.yaml").touch()
    shell = Shell(name)

    def check(keys, words, what):
        got = shell.typed(keys)
        ok(sorted(got) == sorted(words), what, f"typed {keys!r}", f"became {got}", f"instead of {words}")

    check("costab cl" + TAB, ["classify"], "a command")
    check("costab " + ALL, [*commands, "--help", "--version"], "all commands, as the help lists them")
    for command in commands:
        options = ["--" + o for o in re.findall(r"^  .{3} --([\w-]+)", said("help", command), re.M)]
        check(f"costab {command} --" + ALL, [command, *options], f"{command}: all options, as its help lists them")

    check("costab classify --sch" + TAB + "cro" + TAB, ["classify", "--scheme", "cross"], "an option and its value")
    check("costab classify -s " + ALL, ["classify", "-s", *schemes], "all schemes")
    check("costab classify -s cross,zig" + TAB, ["classify", "-s", "cross,zigzag"], "a scheme behind a comma")
    check("costab classify -s cross,zig" + TAB + ",str" + TAB, ["classify", "-s", "cross,zigzag,strong"],
          "a list goes on without a blank")
    check("costab classify -s cross,simulation,zigzag,all," + ALL,
          ["classify", "-s", "cross,simulation,zigzag,all,strong"], "no scheme twice in a list")
    check("costab classify --scheme=zig" + TAB, ["classify", "--scheme=zigzag"], "a value behind =")
    check("costab classify --scheme=" + ALL, ["classify", "--scheme=all", *schemes[:-1]],
          "all values behind =")
    check("costab area -m " + ALL, ["area", "-m", *methods], "all methods, as the help lists them")
    check("costab limit x.yaml --coupling " + ALL, ["limit", "x.yaml", "--coupling", *couplings], "all couplings")
    check("costab reproduce --source kns2014,go" + TAB, ["reproduce", "--source", "kns2014,gomes2018"], "a source")
    check("costab merge --format x --a -1 " + ALL, ["merge", "--format", "x", "--a", "-1", "models"],
          "nothing of an option that the command does not take")
    check("costab plot -f pdf,p" + TAB, ["plot", "-f", "pdf,png"], "a figure's format")

    check("costab sweep " + ALL, ["sweep", "fig.yaml", "two words.yaml", "old.yml", "models"], "specs and folders")
    check("costab sweep two" + TAB, ["sweep", "two words.yaml"], "a file with a blank in its name")
    check("costab sweep mod" + TAB + TAB, ["sweep", "models/plant.yaml"], "a file in a folder")
    check("costab sweep fig.yaml -o " + ALL, ["sweep", "fig.yaml", "-o", "fig.h5", "models"], "results files")
    check("costab classify --points " + ALL, ["classify", "--points", "fig.csv", "models"], "CSV files")
    check("costab plot fig.h5 -o " + ALL, ["plot", "fig.h5", "-o", "models"], "folders")
    check("costab sweep --threads " + TAB + "2", ["sweep", "--threads", "2"], "nothing for a number")
    check("costab help " + ALL, ["help", *commands], "help: all commands")
    shell.close()

finish()
