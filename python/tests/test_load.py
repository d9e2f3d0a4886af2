"""The cases of `scripts/campaign load`, each once; and that they find what they are to find."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import load_cases
import load_jobs
import perslay

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")

QUICK = ("diagrams", "alpha", "bottleneck", "train a network", "diagram files", "model files")


@pytest.fixture(scope="module")
def load(tmp_path_factory):
    jobs = {name: load_jobs.JOBS[name] for name in QUICK}
    long_jobs = {name: load_jobs.LONG_JOBS[name] for name in ("many vectors", "checkpoint")}
    return load_cases.Load(tmp_path_factory.mktemp("load"), jobs, long_jobs, patience=120)


@pytest.mark.parametrize("way", load_cases.WAYS)
def test_a_case_of_each_way(load, way):
    if way == "torch" and "torch" not in sys.modules:
        pytest.skip("PyTorch takes seconds to load; it is there if other tests have loaded it")
    assert load.case(way, "test")


def test_every_job_runs(load, tmp_path):
    """Those of about a second are left to the campaign."""
    for name, job in load_jobs.JOBS.items():
        assert load_jobs.digest(job(load.world, None, tmp_path)), name


def test_digests_differ_where_results_do():
    batches = [perslay.DiagramBatch(items) for items in ([[(0, 1)], []], [[], [(0, 1)]], [[(0, 2)], []])]
    arrays = [np.array([1.0, 2.0]), np.array([[1.0, 2.0]]), np.array([1.0, 2.5]), np.array([1, 2]), [1.0, 2.0]]
    digests = [load_jobs.digest(value) for value in [*batches, *arrays]]
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize("way", ["threads", "forks", "interrupts"])
def test_a_wrong_result_is_found(load, way, monkeypatch):
    monkeypatch.setattr(load, "expected", dict.fromkeys(load.expected, "another"))
    with pytest.raises(load_cases.Failure, match="another result"):
        load.case(way, "test")


def test_a_file_left_behind_is_found(load, monkeypatch):
    leave = lambda load, rng, folder: (folder / ".d.h5.partial-1-0").touch()  # noqa: E731
    monkeypatch.setitem(load_cases.WAYS, "leaves a file", leave)
    with pytest.raises(load_cases.Failure, match="partial-1-0"):
        load.case("leaves a file", "test")


@pytest.mark.parametrize("mistake", ["taken", "other", "no sentence"])
def test_input_that_is_not_refused_is_found(load, tmp_path, mistake, monkeypatch):
    def act(world, folder):
        if mistake != "taken":
            raise TypeError("A mistake.") if mistake == "other" else ValueError("two\nlines")

    monkeypatch.setitem(load_cases.BAD, "one", act)
    with pytest.raises(load_cases.Failure, match="Bad input, 'one'"):
        load_cases.refuse(load, "one", tmp_path)


def test_children_that_hang_or_crash_are_found(load, monkeypatch):
    monkeypatch.setattr(load, "patience", 0.1)
    with pytest.raises(load_cases.Failure, match="did not end"):
        load.in_child(threading.Event().wait)
    monkeypatch.setattr(load, "patience", 60)
    with pytest.raises(load_cases.Failure, match="ended with -9"):
        load.in_child(lambda: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(load_cases.Failure, match="KeyError: 'no'"):
        load.in_child(lambda: {}["no"])


@pytest.mark.parametrize(
    ("samples", "grew"),
    [
        ([(300e6, 9, 4)] * 400, ""),
        ([(300e6 * (1 + 0.008 * i / 400), 9, 4) for i in range(400)], ""),
        ([(100e6 + 1e6 * (i % 7), 9, 4) for i in range(400)], ""),
        ([(9e6, 3, 1)] * 40 + [(300e6, 9, 4)] * 360, ""),  # warm-up
        ([(600e6 * (1 + 0.03 * i / 400), 9, 4) for i in range(400)], "memory"),
        ([(300e6, 9 + i // 100, 4) for i in range(400)], "open files"),
        ([(300e6, 9, 4 + i // 100) for i in range(400)], "threads"),
        ([(300e6 * (1 + i), 9, 4) for i in range(20)], ""),  # too few
    ],
)
def test_growth(samples, grew):
    assert load_cases.growth(samples)["grew"] == grew


def test_ways_are_dealt_in_rounds():
    count = len(load_cases.WAYS)
    for begin in (0, 5 * count):
        assert {load_cases.way_of(3, number) for number in range(begin, begin + count)} == set(load_cases.WAYS)


SERVICE = """#!/bin/sh
[ "$1" = -c ] && exit 0  # import perslay
echo '{"ready": 1}'
case "$*" in *"--first 0 "*) MISHAP ;; esac
echo '{"case": 1, "way": "threads", "said": "done", "failed": false, "results": 3, "seconds": 0.1, "memory": 1000000}'
echo '{"end": {"grew": "", "said": "nothing grew"}}'
"""


@pytest.mark.parametrize(
    ("mishap", "said"),
    [("sleep 60", "case 0: FAILED: It did not end within 0.5 s"), ("kill -9 $$", "case 0: FAILED: The process ended")],
)
def test_the_campaign_goes_on_after_a_mishap_and_adds_up(tmp_path, mishap, said):
    """A script stands for the service: it hangs or crashes in case 0, and does case 1."""
    python = tmp_path / "python"
    python.write_text(SERVICE.replace("MISHAP", mishap))
    python.chmod(0o755)
    script = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "campaigns" / "load"

    def run(cases):
        return subprocess.run(
            [sys.executable, script, "--cases", str(cases), "--patience", "0.5", "--python", python],
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip

    first = run(2)
    assert first.returncode == 1 and said in first.stdout and "case 1: done" in first.stdout, first
    state = json.loads((tmp_path / "campaign-load" / "state.json").read_text())
    assert state["done"] == 2 and state["results"] == 3 and len(state["failures"]) == 1
    again = run(0)
    assert again.returncode == 1 and "2 cases with seed 0 (1 threads), 3 results compared" in again.stdout, again
