#!/usr/bin/env python3
"""Checks the pages that show C++: every block stands, as it is, in the test named by the comment above it, and every
file that the page names exists."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs/how-to-add.md", ROOT / "docs/layer.md"]
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
    failed = False
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        found = list(complaints(page))
        if not BLOCK.search(page):
            found.append("there is no block of C++")
        for complaint in found:
            print(f"{path.relative_to(ROOT)}: {complaint}.")
        failed = failed or bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
