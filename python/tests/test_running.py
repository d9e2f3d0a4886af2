"""Threads, forks, and Ctrl-C."""

import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import perslay


def work(seed=0, threads=None):
    graphs = perslay.shapes(per_class=10, seed=seed)
    found = perslay.diagrams(graphs, ["hks:10", "degree"], threads=threads)
    return perslay.vectorize(found, "landscape:3x20", threads=threads)


def test_threads_change_nothing():
    expected = work(threads=1)
    for threads in (None, 0, 2, 5):
        np.testing.assert_array_equal(work(threads=threads), expected)


def test_several_threads_at_once():
    expected = [work(seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        for found, wanted in zip(pool.map(work, range(8)), expected):
            np.testing.assert_array_equal(found, wanted)


def test_files_from_several_threads(tmp_path):
    found = perslay.diagrams(perslay.shapes(per_class=5))

    def write_and_read(i):
        found.write(tmp_path / f"{i}.h5")
        return perslay.read_diagrams(tmp_path / f"{i}.h5")["ext1"] == found["ext1"]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(write_and_read, range(12)))


def meanwhile(action, call):
    """Runs `action` on another thread as soon as `call` lets it: without turns, only a release of the lock does."""
    gate = threading.Event()
    other = threading.Thread(target=lambda: (gate.wait(), action()))
    other.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        gate.set()
        return call()
    finally:
        sys.setswitchinterval(interval)
        other.join()


def many_clouds(count=100):
    return perslay.alpha_persistence(perslay.orbits(count, points=600))["h1"]


def test_other_threads_run_meanwhile():
    clouds, order = many_clouds(4), []

    def call():
        perslay.distance_matrix(clouds, metric="wasserstein:1", threads=1)
        order.append("call")

    meanwhile(lambda: order.append("other"), call)
    assert order == ["other", "call"]


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork_after_use():
    expected = work()
    child = os.fork()
    if child == 0:  # nothing but an exit status leaves the child
        code = 1
        try:
            code = 0 if np.array_equal(work(), expected) else 2
        finally:
            os._exit(code)
    end = select.poll()
    end.register(os.pidfd_open(child), select.POLLIN)
    if not end.poll(60_000):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, "it failed, or hung and was killed"


LONG_CALL = """
import signal, sys, perslay
from test_running import many_clouds, meanwhile
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests in the background
clouds = many_clouds(400)
try:
    meanwhile(lambda: print("started", flush=True), lambda: perslay.distance_matrix(clouds, metric="wasserstein:1"))
except KeyboardInterrupt:
    print("interrupted", perslay.distance([(0, 1)], []), flush=True)
    sys.exit(7)
"""


def test_interrupt():
    """Minutes of work end soon after the signal, and the library goes on working."""
    here = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *sys.path])}
    process = subprocess.Popen([sys.executable, "-c", LONG_CALL], stdout=subprocess.PIPE, text=True, env=here)
    try:
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert out == "interrupted 0.5\n" and process.returncode == 7
    finally:
        process.kill()  # nothing is left behind, whatever failed


@pytest.fixture
def alarm():
    """A function that handles SIGALRM by another."""
    previous = signal.getsignal(signal.SIGALRM)
    yield lambda handler: signal.signal(signal.SIGALRM, handler)
    signal.signal(signal.SIGALRM, previous)


def test_a_handler_may_raise_anything_and_use_the_library(alarm):
    class Alarm(Exception):
        pass

    def handler(*_):
        raise Alarm(perslay.distance([(0, 1)], []))

    alarm(handler)
    clouds = many_clouds()
    with pytest.raises(Alarm, match="0.5"):
        meanwhile(
            lambda: signal.raise_signal(signal.SIGALRM),
            lambda: perslay.distance_matrix(clouds, metric="wasserstein:1"),
        )


def test_a_handler_that_returns_changes_nothing(alarm):
    seen = []
    clouds = many_clouds(4)
    expected = perslay.distance_matrix(clouds, metric="wasserstein:1")
    alarm(lambda *_: seen.append(1))
    found = meanwhile(
        lambda: signal.raise_signal(signal.SIGALRM),
        lambda: perslay.distance_matrix(clouds, metric="wasserstein:1"),
    )
    np.testing.assert_array_equal(found, expected)
    assert seen == [1]


def test_numpy_keeps_its_threads():
    """A NumPy that shares our OpenBLAS, as Debian's does."""
    try:
        blas = ctypes.CDLL("libopenblas.so.0")
    except OSError:
        pytest.skip("there is no libopenblas.so.0")
    before = blas.openblas_get_num_threads()
    blas.openblas_set_num_threads(2)
    try:
        graphs = perslay.shapes(per_class=5)
        for model in ("network", "ridge"):
            perslay.train(graphs, model, overrides=["training.epochs=1"])
            assert blas.openblas_get_num_threads() == 2, model
    finally:
        blas.openblas_set_num_threads(before)


def test_torch_lives_beside_us():
    torch = pytest.importorskip("torch")
    expected = work()
    assert torch.linalg.eigvalsh(torch.eye(3)).tolist() == [1, 1, 1]
    np.testing.assert_array_equal(work(), expected)
