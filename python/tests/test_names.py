"""The tables of names and what is made from them: `perslay.names`, and the stubs' types `Family` and `Kind`.

PERSLAY_WRITE_DOCS=1 writes `_names.py` anew.
"""

import inspect
import os
import pathlib
from typing import get_args

import pytest

import perslay
from perslay import _core, _names
from perslay._persistence import EXTENDED, ORDINARY

HEADER = '''"""Types for editors and type checkers. Made by tests/test_names.py from the library's tables: do not edit."""

from typing import Literal

'''


def literal(name, values):
    return f"{name} = Literal[\n" + "".join(f'    "{value}",\n' for value in values) + "]\n"


def test_types_are_those_of_the_tables():
    expected = (
        HEADER + literal("Family", _core.family_names()) + literal("Kind", [name for name, _ in _core.names("kinds")])
    )
    path = pathlib.Path(__file__).parent.parent / "perslay" / "_names.py"
    if os.environ.get("PERSLAY_WRITE_DOCS"):
        path.write_text(expected)
    assert path.read_text() == expected
    assert pathlib.Path(_names.__file__).read_text() == expected  # the installed one


def test_every_family_has_names_with_help():
    for family in get_args(_names.Family):
        names = perslay.names(family)
        assert names and all(names) and all(names.values()), family
    assert set(perslay.names("inputs")) == {"graphs", "clouds", "diagrams"}
    with pytest.raises(ValueError, match="There are names of settings, filtrations, .*, not of 'colours'"):
        perslay.names("colours")


def test_names_of_kinds_are_the_ones_that_diagrams_have():
    kinds = get_args(_names.Kind)
    assert kinds == tuple(perslay.names("kinds"))
    assert set(kinds) == {*EXTENDED, *ORDINARY, "h0", "h1"}
    with pytest.raises(ValueError, match="There is no kind of diagram called 'ext2'"):
        perslay.diagrams([[(0, 1)]], kinds=["ext2"])


def test_documented_families_are_all_families():
    documentation = " ".join(inspect.getdoc(perslay.names).split())
    for family in get_args(_names.Family):
        assert family in documentation, family
