"""Types for editors and type checkers. Made by tests/test_names.py from the library's tables: do not edit."""

from typing import Literal

Family = Literal[
    "settings",
    "filtrations",
    "graph filtrations",
    "cloud filtrations",
    "kinds",
    "inputs",
    "transforms",
    "metrics",
    "kernels",
    "vectorizations",
    "phi",
    "weight",
    "op",
    "models",
]
Kind = Literal[
    "ord0",
    "rel1",
    "ext0",
    "ext1",
    "sub0",
    "sup0",
    "sub1",
    "h0",
    "h1",
]
