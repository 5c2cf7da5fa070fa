#!/usr/bin/env python3
"""The shape of the source: no function is longer than a screen, no passage stands twice, and no two functions with versions for
several machines have one name. Prints TAP."""
import pathlib
import re

from tap import finish, ok

LINES_PER_FUNCTION = 60
LINES_PER_PASSAGE = 6

# Comments, and what stands in quotes, whose braces are no braces.
TOKEN = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)


def blank(match):
    text = match.group()
    return re.sub(r"[^\n]", " ", text) if text[0] == "/" else text[0] + "_" * (len(text) - 2) + text[-1]


def functions(code):
    """(name, first line, last line) of every function: a block at the outermost level behind a closing parenthesis."""
    depth, begin = 0, 0
    for at, character in enumerate(code):
        if character == "{":
            head = code[begin:at].strip()
            if depth == 0:
                name = re.search(r"(\w+)\)?\s*\(", head) if head.endswith(")") else None
                opened = (name.group(1) if name else None, begin + len(code[begin:at]) - len(code[begin:at].lstrip()))
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                if opened[0]:
                    yield opened[0], code.count("\n", 0, opened[1]) + 1, code.count("\n", 0, at) + 1
                begin = at + 1
        elif depth == 0 and (character == ";" or (character == "\n" and code[begin:at].lstrip().startswith("#"))):
            begin = at + 1


def passages(text):
    """(line number, lines) of every run of lines that say something, without indents, comments and includes."""
    said = []
    for number, line in enumerate(TOKEN.sub(lambda m: blank(m) if m.group()[0] == "/" else m.group(), text).split("\n"), 1):
        line = " ".join(line.split())
        if re.search(r"\w", line) and not line.startswith("#include"):
            said.append((number, line))
    for at in range(len(said) - LINES_PER_PASSAGE + 1):
        run = said[at:at + LINES_PER_PASSAGE]
        yield run[0][0], "\n".join(line for _, line in run)


def main():
    files = {path: path.read_text() for path in sorted(pathlib.Path("src").glob("*/*.[ch]"))}
    long, count = [], 0
    for path, text in files.items():
        # a macro's definition goes on behind a backslash: one line, as far as functions go
        for name, first, last in functions(TOKEN.sub(blank, text).replace("\\\n", " \n")):
            count += 1
            if last - first + 1 > LINES_PER_FUNCTION:
                long.append(f"{path}:{first}: {name} has {last - first + 1} lines")
    ok(not long, f"no function is longer than {LINES_PER_FUNCTION} lines", *long)
    ok(count > 1000, f"the scan found {count} functions")

    places, twice = {}, []
    for path, text in files.items():
        for number, run in passages(text):
            if run in places:
                twice.append(f"{path}:{number}: also at {places[run]}")
            places.setdefault(run, f"{path}:{number}")
    ok(not twice, f"no passage of {LINES_PER_PASSAGE} lines stands twice", *twice)
    found = [(name, path) for path, text in files.items() for name in re.findall(r"^BASE_CLONES\s[^;{]*?(\w+)\(", text, re.M)]
    names = [name for name, _ in found]
    ok(len(names) > 20 and len(set(names)) == len(names), f"the {len(names)} functions with several versions have names of their own",
       *(f"{path}: {name}" for name, path in found if names.count(name) > 1))
    key = re.compile(r"\[([A-Z][A-Za-z]{1,4})\]")
    headers = {path: path.read_text() for path in sorted(pathlib.Path("include/costab").glob("*.h"))}
    listed = set(re.findall(r"^ \*   " + key.pattern, headers.pop(pathlib.Path("include/costab/costab.h")), re.M))
    cited = {(k, path) for path, text in {**files, **headers}.items()
             for comment in TOKEN.findall(text) if comment.startswith("/*") for k in key.findall(comment)}
    unknown = sorted(f"{path}: [{k}]" for k, path in cited if k not in listed)
    ok(not unknown, "every source that a comment cites by a key is in the list of costab.h", *unknown)
    ok(listed == {k for k, _ in cited}, f"the list's {len(listed)} sources are cited", *listed - {k for k, _ in cited})
    finish()


main()
