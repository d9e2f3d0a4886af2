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
    for threads in (None, -1, -100, 2, 5):
        np.testing.assert_array_equal(work(threads=threads), expected)


COUNT = """
import os, perslay
perslay.vertex_function(perslay.shapes(per_class=100, threads=1), "closeness", threads=THREADS)
print(len(os.listdir("/proc/self/task")))
"""


def count_of_threads(threads=None, **variables):
    environment = {k: v for k, v in os.environ.items() if k not in ("PERSLAY_THREADS", "OMP_NUM_THREADS")}
    return int(
        subprocess.run(
            [sys.executable, "-c", COUNT.replace("THREADS", repr(threads))],
            env={**environment, "OPENBLAS_NUM_THREADS": "1", **variables},
            capture_output=True,
            check=True,
        ).stdout
    )


def test_the_environment_says_how_many_threads():
    alone = count_of_threads(1)
    assert count_of_threads(PERSLAY_THREADS="4", OMP_NUM_THREADS="2") == alone + 3
    assert count_of_threads(OMP_NUM_THREADS="3,2") == alone + 2
    assert count_of_threads(5, PERSLAY_THREADS="2") == alone + 4


def test_a_wrong_number_of_threads_in_the_environment(monkeypatch):
    monkeypatch.setenv("PERSLAY_THREADS", "many")
    with pytest.raises(ValueError, match="PERSLAY_THREADS needs an integer from 1 to 256, not 'many'"):
        perslay.shapes(per_class=1)
    assert len(perslay.shapes(per_class=1, threads=2)) == 3


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


def succeeds_in_child(call):
    """Whether call() is true in a forked child, which is killed if it hangs."""
    child = os.fork()
    if child == 0:  # nothing but an exit status leaves the child
        code = 1
        try:
            code = 0 if call() else 2
        finally:
            os._exit(code)
    handle = os.pidfd_open(child)
    end = select.poll()
    end.register(handle, select.POLLIN)
    if not end.poll(60_000):
        os.kill(child, signal.SIGKILL)
    os.close(handle)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork_after_use():
    expected = work()
    assert succeeds_in_child(lambda: np.array_equal(work(), expected))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning", "ignore:A .csv file:UserWarning")
@pytest.mark.parametrize("suffix", [".h5", ".csv", ".safetensors"])
def test_fork_while_others_use_files(tmp_path, suffix):
    """A lock that another thread held at the moment of the fork is nobody's in the child."""
    graphs = perslay.shapes(per_class=5)
    if suffix == ".safetensors":
        item, read = perslay.train(graphs, "svm:sw"), perslay.load_model
    else:
        item, read = perslay.diagrams(graphs), perslay.read_diagrams
    going = True

    def write_and_read(i):
        item.write(tmp_path / f"{i}{suffix}")
        return read(tmp_path / f"{i}{suffix}") is not None

    def go_on(i):
        while going:
            write_and_read(i)

    with ThreadPoolExecutor(3) as pool:
        done = [pool.submit(go_on, i) for i in range(3)]
        try:
            assert all(succeeds_in_child(lambda: write_and_read("child")) for _ in range(8))
        finally:
            going = False
        for one in done:
            one.result()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_interrupt_in_a_child_that_a_thread_forked():
    """While the main thread of the parent was in a call; the thread that forked is the child's main thread."""
    clouds = many_clouds(60)

    def is_interrupted():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            meanwhile(
                lambda: os.kill(os.getpid(), signal.SIGINT),
                lambda: perslay.distance_matrix(clouds, metric="wasserstein:1"),
            )
        except KeyboardInterrupt:
            return True

    found = []
    meanwhile(
        lambda: found.append(succeeds_in_child(is_interrupted)),
        lambda: perslay.distance_matrix(clouds[:30], metric="wasserstein:1"),
    )
    assert found == [True]


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
