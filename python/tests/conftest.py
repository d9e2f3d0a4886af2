"""What all tests share: random graphs and diagrams, and the real datasets where they are."""

import os
import pathlib
import subprocess

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st

import perslay

hypothesis.settings.register_profile("perslay", deadline=None, max_examples=60)
hypothesis.settings.load_profile("perslay")


@st.composite
def graphs_with_values(draw, most=12):
    """A graph and a function on its vertices, with many ties."""
    n = draw(st.integers(1, most))
    pairs = [(a, b) for a in range(n) for b in range(a)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    values = draw(st.lists(st.integers(-4, 4), min_size=n, max_size=n))
    return edges, np.array(values, float)


@st.composite
def diagrams(draw, most=12):
    """An array (N, 2) above the diagonal; now and then an empty one."""
    n = draw(st.integers(0, most))
    numbers = draw(st.lists(st.integers(0, 20), min_size=2 * n, max_size=2 * n))
    points = np.sort(np.array(numbers, float).reshape(n, 2), axis=1)
    points[:, 1] += 1
    return points / 7


@pytest.fixture(scope="session")
def read_dataset():
    """Reads a real dataset by its name."""
    folder = os.environ.get("PERSLAY_DATASETS")
    if not folder:
        pytest.skip("PERSLAY_DATASETS does not name the folder with the real datasets")
    return lambda name: perslay.read_graphs(next(pathlib.Path(folder).glob(name + ".*")))


@pytest.fixture(scope="session")
def program():
    """Runs the program `perslay` with one thread; skips where there is none."""
    folder = pathlib.Path(__file__).resolve().parents[2]
    path = os.environ.get("PERSLAY_PROGRAM") or folder / "build" / "release" / "src" / "cli" / "perslay"
    if not pathlib.Path(path).exists():
        pytest.skip("PERSLAY_PROGRAM does not name the program")

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments), "--quiet", "--threads", "1"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    return run
