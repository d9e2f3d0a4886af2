#!/usr/bin/env python3
"""Checks docs/how-to-add.md: every block of C++ stands, as it is, in the test named by the comment above it, and every
file that the page names exists."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/how-to-add.md"
BLOCK = re.compile(r"(?:<!-- (tests/\S+_test\.cpp) -->\n+)?```cpp\n(.*?)```", re.DOTALL)
FILE = re.compile(r"`((?:cmake|docs|experiments|include|python|src|tests)/[\w./-]+)`")


def complaints(page):
    for test, code in BLOCK.findall(page):
        first = code.splitlines()[0]
        if not test:
            yield f"the block '{first}' has no comment <!-- tests/..._test.cpp --> above it"
        elif not (ROOT / test).exists():
            yield f"{test} does not exist"
        elif code not in (ROOT / test).read_text(encoding="utf-8"):
            yield f"the block '{first}' differs from {test}"
    for name in FILE.findall(page):
        if "NAME" not in name and not (ROOT / name).exists():
            yield f"{name} does not exist"


def main():
    page = PAGE.read_text(encoding="utf-8")
    found = list(complaints(page))
    if not BLOCK.search(page):
        found.append("there is no block of C++")
    for complaint in found:
        print(f"{PAGE.relative_to(ROOT)}: {complaint}.")
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main())
