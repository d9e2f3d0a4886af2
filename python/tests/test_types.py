"""Stubs and annotations are what a user's strict type checker needs."""

import os
import pathlib

import pytest

import perslay

CONSUMER = pathlib.Path(__file__).with_name("consumer.py")


def test_a_users_code_passes_strict_checks(monkeypatch, tmp_path):
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    monkeypatch.setenv("MYPYPATH", os.path.dirname(os.path.dirname(perslay.__file__)))
    options = ["--strict", "--ignore-missing-imports", "--follow-imports=silent", f"--cache-dir={tmp_path}"]
    lines = api.run([*options, str(CONSUMER)])[0].splitlines()
    mistake = CONSUMER.read_text(encoding="utf-8").splitlines().index('wrong: int = found["ext1"]') + 1
    assert len(lines) == 2 and f":{mistake}: error: Incompatible types" in lines[0], "\n".join(lines)
