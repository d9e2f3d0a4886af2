"""Threads, forks, and Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time
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


def test_other_threads_run_meanwhile():
    """A call that takes long leaves the interpreter to others: they count on while it runs."""
    clouds = perslay.alpha_persistence(perslay.orbits(4, points=600))["h1"]
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(1e-4)

    counter = threading.Thread(target=count)
    counter.start()
    before = counted[0]
    perslay.distance_matrix(clouds, metric="wasserstein:1", threads=1)
    during = counted[0] - before
    stop.set()
    counter.join()
    assert during > 10


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
    for _ in range(600):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the forked process hangs")
    assert os.waitstatus_to_exitcode(status) == 0


LONG_CALL = """
import signal, sys, perslay
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the tests in the background
clouds = perslay.alpha_persistence(perslay.orbits(400, points=1000))["h1"]
print("started", flush=True)
try:
    perslay.distance_matrix(clouds, metric="wasserstein:1")
except KeyboardInterrupt:
    print("interrupted", perslay.distance([(0, 1)], []), flush=True)
    sys.exit(7)
"""


def test_interrupt():
    """Minutes of work end soon after the signal, and the library goes on working."""
    process = subprocess.Popen([sys.executable, "-c", LONG_CALL], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "started\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        assert out == "interrupted 0.5\n" and process.returncode == 7
    finally:
        process.kill()  # nothing is left behind, whatever failed


def test_a_handler_may_raise_anything_and_use_the_library():
    class Alarm(Exception):
        pass

    def handler(*_):
        raise Alarm(perslay.distance([(0, 1)], []))

    clouds = perslay.alpha_persistence(perslay.orbits(100, points=600))["h1"]
    previous = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Alarm, match="0.5"):
            perslay.distance_matrix(clouds, metric="wasserstein:1")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_a_handler_that_returns_changes_nothing():
    seen = []
    clouds = perslay.alpha_persistence(perslay.orbits(4, points=600))["h1"]
    expected = perslay.distance_matrix(clouds, metric="wasserstein:1")
    previous = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
        found = perslay.distance_matrix(clouds, metric="wasserstein:1")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    np.testing.assert_array_equal(found, expected)


def test_torch_lives_beside_us():
    torch = pytest.importorskip("torch")
    expected = work()
    assert torch.linalg.eigvalsh(torch.eye(3)).tolist() == [1, 1, 1]
    np.testing.assert_array_equal(work(), expected)
