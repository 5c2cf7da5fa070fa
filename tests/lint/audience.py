#!/usr/bin/env python3
"""Whom public functions are for: every one in include/costab is marked, the examples and the page on top of costab.h need what is for
users alone, the Python module nothing that is for rooms. Prints TAP."""
import pathlib
import re

from tap import finish, ok

COMMENT = re.compile(r"/\*.*?\*/", re.S)
PROTOTYPE = re.compile(r"^(\w+)[^;{}()=]*?\b(costab_\w+)\([^;{}]*\);", re.M)


def main():
    headers = {path: path.read_text() for path in sorted(pathlib.Path("include/costab").glob("*.h"))}
    found = {}
    for path, text in headers.items():
        for mark, name in PROTOTYPE.findall(COMMENT.sub("", text)):
            if mark != "typedef":
                found[name] = mark
    marks = ("COSTAB_API", "COSTAB_BINDING", "COSTAB_ROOM")
    without = [name for name, mark in found.items() if mark not in marks]
    ok(len(found) > 150 and not without, f"each of {len(found)} public functions says whom it is for", *without)

    def called(paths):
        words = set()
        for path in paths:
            words |= set(re.findall(r"\bcostab_\w+(?=\()|(?<=lib\.)costab_\w+", path.read_text()))
        return words

    examples = called(pathlib.Path("tests/examples").glob("*.c"))
    wrong = sorted(name for name in examples if name in found and found[name] != "COSTAB_API")
    ok(len(examples) > 30 and not wrong, "examples call what is for users", *wrong)
    page = re.findall(r"\bcostab_\w+(?=\()", headers[pathlib.Path("include/costab/costab.h")])
    wrong = [name for name in page if found.get(name) != "COSTAB_API"] + [name for name in page if name not in examples]
    ok(len(page) > 10 and not wrong, "the page of costab.h has functions for users, which examples show", *wrong)
    module = called(pathlib.Path("src/python").glob("**/*.py"))
    wrong = sorted(name for name in module if found.get(name) == "COSTAB_ROOM")
    ok(len(module) > 50 and not wrong, "the Python module calls nothing that is for rooms", *wrong)


main()
finish()
