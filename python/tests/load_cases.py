"""The cases of `scripts/campaign load`: the package under a service's load.

A case computes jobs (load_jobs.py) in one of the WAYS: on many threads, in forked processes, with interruptions. Every
result is compared with the one that was computed at the start, on one thread, with nothing else going on; after every
case no unfinished file may be left. Run as a program, it is the service that the campaign starts and watches: it
prints a line of JSON for each case, and how its memory grew at the end.
"""

import argparse
import contextlib
import ctypes
import faulthandler
import gc
import json
import multiprocessing
import os
import pathlib
import random
import select
import shutil
import signal
import statistics
import sys
import tempfile
import threading
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import resource_tracker

import perslay
from load_jobs import JOBS, LONG_JOBS, NETWORK, World, digest, torch_job

THREADS = [None, 1, 2, 5]  # values of the argument threads=


class Failure(Exception):
    """What a case found wrong."""


class Load:
    """The jobs with the results that they must have."""

    def __init__(self, folder, jobs=JOBS, long_jobs=LONG_JOBS, patience=300):
        self.folder, self.patience = pathlib.Path(folder), patience
        self.world = World.make()
        self.jobs, self.long_jobs = jobs, long_jobs
        self.all_jobs = jobs | long_jobs
        self.expected, self.seconds = {}, {}
        self.checked = []  # names of the jobs whose results were compared; threads may append at once
        with self.place() as folder:
            for name, job in self.all_jobs.items():
                begun = time.monotonic()
                self.expected[name] = digest(job(self.world, 1, folder))
                self.seconds[name] = time.monotonic() - begun

    @contextlib.contextmanager
    def place(self):
        """A folder for one case, also for its temporary files. Nothing unfinished may be left in it."""
        folder = self.folder / "case"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "temporary").mkdir(parents=True)
        before, tempfile.tempdir = tempfile.tempdir, str(folder / "temporary")
        try:
            yield folder
            left = [*folder.rglob(".*.partial-*"), *(folder / "temporary").iterdir()]
            if left:
                raise Failure(f"Left behind: {', '.join(str(path.relative_to(folder)) for path in left)}.")
        finally:
            tempfile.tempdir = before
            shutil.rmtree(folder, ignore_errors=True)

    def case(self, way, seed):
        """Runs a case and says what was done; raises Failure."""
        with self.place() as folder:
            return WAYS[way](self, random.Random(seed), folder)

    # ---- parts of cases

    def compare(self, name, result):
        if digest(result) != self.expected[name]:
            raise Failure(f"'{name}' has another result than at the start.")
        self.checked.append(name)

    def check(self, name, threads, folder, world=None):
        self.compare(name, self.all_jobs[name](world or self.world, threads, folder))

    def some(self, rng, count):
        return [(rng.choice(list(self.jobs)), rng.choice(THREADS)) for _ in range(count)]

    def check_all(self, jobs, folder, world=None):
        own = pathlib.Path(tempfile.mkdtemp(dir=folder))  # checkpoints have one name
        for name, threads in jobs:
            self.check(name, threads, own, world)

    def in_child(self, work):
        """Forks; the child does the work. Raises Failure if that fails or does not end."""
        listen, tell = os.pipe()
        child = os.fork()
        if child == 0:  # nothing but a sentence leaves the child
            said = b"It ended with SystemExit."
            try:
                work()
                said = b""
            except BaseException as error:
                said = f"{type(error).__name__}: {error}".encode()[:4000]
            finally:
                os.write(tell, said)
                os._exit(0)
        os.close(tell)
        try:
            self.wait_for(child)
            said = os.read(listen, 4096).decode()
        finally:
            os.close(listen)
        if said:
            raise Failure(f"In a forked child: {said}")

    def wait_for(self, child):
        handle = os.pidfd_open(child)
        try:
            ends = select.poll()
            ends.register(handle, select.POLLIN)
            hung = not ends.poll(500 * self.patience)  # half of the time that the case itself has
            if hung:
                os.kill(child, signal.SIGUSR1)  # faulthandler tells where it is, if the service registered it
                time.sleep(1)
                os.kill(child, signal.SIGKILL)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        finally:
            os.close(handle)
        if hung:
            raise Failure(f"A forked child did not end within {self.patience / 2:g} s.")
        if code != 0:
            raise Failure(f"A forked child ended with {code}.")


class Beside:
    """Threads that compute jobs, again and again, as long as this lives."""

    def __init__(self, load, rng, folder, count):
        self.load, self.folder, self.going, self.failures = load, folder, True, []
        self.threads = [
            threading.Thread(target=self.work, args=(random.Random(rng.random()),), daemon=True) for _ in range(count)
        ]

    def work(self, rng):
        try:
            while self.going:
                self.load.check_all(self.load.some(rng, 1), self.folder)
        except Exception as failure:
            self.failures.append(failure)

    def __enter__(self):
        for thread in self.threads:
            thread.start()

    def __exit__(self, kind, *_):
        self.going = False
        for thread in self.threads:
            thread.join()
        if self.failures and kind is None:
            raise self.failures[0]


def at_once(works):
    """Runs functions on threads of their own, and raises what one of them raised."""
    failures = []

    def run(work):
        try:
            work()
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def interrupted(work, delay):
    """Does the work, with a Ctrl-C after so many seconds; returns whether that ended the work. In any case it does not
    return before the signal has come."""
    heeded, ready, ended, failure = [], threading.Event(), False, None

    def handle(*_):
        heeded.append(True)
        raise KeyboardInterrupt

    def send():
        ready.wait()
        time.sleep(delay)
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    before = signal.signal(signal.SIGINT, handle)
    try:
        ready.set()
        try:
            work()
            ended = True
        except Exception as error:
            failure = error
        while not heeded:
            time.sleep(0.001)
    except KeyboardInterrupt:
        pass
    finally:
        sender.join()
        signal.signal(signal.SIGINT, before)
    if failure is not None:
        raise failure
    return not ended


# ---- ways


def many_threads(load, rng, folder):
    """Jobs on several threads at once, on shared objects and on copies."""
    lists = [load.some(rng, rng.randint(2, 5)) for _ in range(rng.randint(2, 6))]
    worlds = [load.world.copy() if rng.random() < 0.3 else load.world for _ in lists]
    at_once([lambda j=jobs, w=world: load.check_all(j, folder, w) for jobs, world in zip(lists, worlds)])
    return f"{len(lists)} threads"


def forks(load, rng, folder):
    """Forks while other threads compute, and computes in the child."""
    beside, count = rng.randint(1, 3), rng.randint(1, 3)
    with Beside(load, rng, folder, beside):
        for _ in range(count):
            jobs = load.some(rng, 2)
            load.in_child(lambda jobs=jobs: load.check_all(jobs, folder))
    return f"forks: {count}, beside threads: {beside}"


def forks_on_threads(load, rng, folder):
    """A thread forks while the main thread computes. In the child it is the main thread, and heeds Ctrl-C."""
    name = rng.choice(list(load.long_jobs))
    jobs = load.some(rng, 2)
    many = perslay.concatenate([load.world.holes] * 100)  # minutes of work

    def in_child():
        load.check_all(jobs, folder)
        if not interrupted(lambda: perslay.distance_matrix(many, metric="wasserstein:1"), 0.1):
            raise Failure("Ctrl-C did not end a call.")
        load.check_all(jobs, folder)

    failures, delay = [], rng.uniform(0, load.seconds[name])

    def fork():
        time.sleep(delay)
        try:
            load.in_child(in_child)
        except Failure as failure:
            failures.append(failure)

    thread = threading.Thread(target=fork, daemon=True)
    thread.start()
    load.check(name, None, folder)
    thread.join()
    if failures:
        raise failures[0]
    return f"a fork {delay:.2f} s into '{name}'"


def forks_in_callbacks(load, rng, folder):
    """The function that is told of progress forks, and computes in the child."""
    at, jobs = rng.randrange(3), load.some(rng, 2)

    def progress(net, epoch, loss, accuracy):
        if epoch == at:
            load.in_child(lambda: load.check_all(jobs, folder))

    model = perslay.train(load.world.graphs, "network", overrides=NETWORK, progress=progress)
    if "train a network" in load.expected:
        load.compare("train a network", model)
    return f"a fork after epoch {at}"


def _start(load):
    """Called in each process of a pool that starts anew; a forked one has it all."""
    global service
    service = load


def _in_process(jobs, world, folder):
    service.check_all(jobs, folder, world)
    return world.copy(), len(jobs)


def pools(load, rng, folder):
    """Pools of processes, forked or started anew, to which objects travel and from which they come back."""
    method = rng.choice(["fork", "fork", "spawn"])
    lists = [load.some(rng, 2) for _ in range(3)]
    names = [name for jobs in lists for name, _ in jobs]
    context = multiprocessing.get_context(method)
    with Beside(load, rng, folder, rng.randint(0, 2)):
        parts = Parts(load) if method == "spawn" else load
        with ProcessPoolExecutor(2, mp_context=context, initializer=_start, initargs=(parts,)) as pool:
            futures = [pool.submit(_in_process, jobs, load.world, folder) for jobs in lists]
            for future in futures:
                world, _ = future.result(timeout=load.patience / 2)
                if digest(list(vars(world).values())) != digest(list(vars(load.world).values())):
                    raise Failure("Objects that came back from a process are not what went there.")
    load.checked += names
    return f"a pool, {method}"


class Parts(Load):
    """What a process needs of a load, without the functions of its jobs, which do not travel."""

    def __init__(self, load):
        self.expected, self.patience, self.checked = load.expected, load.patience, []

    @property
    def all_jobs(self):
        return JOBS | LONG_JOBS

    @property
    def world(self):
        raise AttributeError("A process works on what it is given.")


def interrupts(load, rng, folder):
    """Ctrl-C at a random moment of a call, once to three times; then the same call again."""
    name, threads = rng.choice(list(load.long_jobs)), rng.choice(THREADS)
    said = []
    with Beside(load, rng, folder, rng.randint(0, 2)):
        for _ in range(rng.randint(1, 3)):
            delay = rng.uniform(0, 1.2 * load.seconds[name])
            ended = interrupted(lambda: load.check(name, threads, folder), delay)
            said.append(f"{delay:.2f} s{'' if ended else ' (too late)'}")
        load.check(name, threads, folder)
    return f"'{name}' interrupted after {', '.join(said)}"


def alarms(load, rng, folder):
    """A handler of signals that computes, while the main thread and others do."""
    calls, failures, busy = [], [], []

    def handle(*_):
        if busy:  # an alarm in the handler itself
            return
        busy.append(True)
        try:
            calls.append(load.check_all([(rng.choice(list(load.jobs)), 1)], folder))
        except Exception as failure:
            failures.append(failure)
        busy.clear()

    jobs = load.some(rng, 4)
    with Beside(load, rng, folder, rng.randint(0, 2)):
        before = signal.signal(signal.SIGALRM, handle)
        signal.setitimer(signal.ITIMER_REAL, 0.02, rng.uniform(0.1, 0.4))
        try:
            load.check_all(jobs, folder)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    if failures:
        raise failures[0]
    return f"alarms: {len(calls)}"


class Stop(Exception):
    """Raised by a function that is told of progress."""


def callbacks(load, rng, folder):
    """The function that is told of progress raises; that exception comes out, and the next training is as before."""
    model = rng.choice(["network", "ridge"])
    at, raised = rng.randrange(3), rng.choice([Stop, ValueError, KeyboardInterrupt, SystemExit, MemoryError])("stop")

    def progress(net, epoch, loss, accuracy):
        perslay.distance([(0, 4), (1, 2)], [(0, 3)])
        if epoch == at:
            raise raised

    def train():
        try:
            perslay.train(load.world.graphs, model, overrides=NETWORK, progress=progress)
        except BaseException as error:
            if error is not raised:
                raise Failure(f"{type(error).__name__} came out instead of {type(raised).__name__}: {error}") from error
            raised.__traceback__ = None
        else:
            raise Failure(f"The training went on after {type(raised).__name__}.")

    with Beside(load, rng, folder, rng.randint(0, 2)):
        train() if rng.random() < 0.5 else at_once([train])
    load.check_all(load.some(rng, 1), folder)
    return f"{type(raised).__name__} after step {at} of '{model}'"


def garbage(load, rng, folder):
    """Objects are dropped while views of their arrays live."""
    count = rng.randint(1, 6)
    views, digests = [], []
    for _ in range(count):
        own = load.world.copy()
        some = [own.holes.points, own.holes.to_list()[1], own.clouds[1], own.clouds.to_list()[0], own.graphs.labels]
        some += [own.graphs[3].edges, own.diagrams["hks:10", "ext1"].points, own.diagrams["degree", "ord0"].offsets]
        some += [list(own.holes)[0], own.diagrams.cycles(("hks:10", "ext1"))[2], own.models["network"].arrays]
        views.append(some)
        digests.append(digest(some))
        del own, some
    gc.collect()
    load.check_all(load.some(rng, 3), folder)
    at_once([lambda: load.check_all(load.some(rng, 2), folder)])
    if [digest(some) for some in views] != digests:
        raise Failure("Views of dropped objects changed.")
    at_once([views.clear])  # another thread drops the last of them
    return f"views of {count} dropped worlds"


def small_calls(load, rng, folder):
    """Thousands of calls of microseconds."""

    def calls():
        for _ in range(300):
            graph = perslay.Graphs([[(0, 1), (1, 2), (2, 0)]], labels=["ring"])
            square = perslay.extended_persistence(graph, [0.0, 1.0, 2.0])["ext1"]
            batch = perslay.DiagramBatch([[(0, 4), (1, 2)], [(0, 3)]])
            found = (
                perslay.distance([(0, 4), (1, 2)], [(0, 3)]),
                square.to_list()[0].tolist(),
                perslay.transform(batch, "prom:1").points.tolist(),
                perslay.vectorize(batch, "betti:3", range=(0, 4), threads=rng.choice(THREADS)).tolist(),
                perslay.Channel("gaussian:2x2").name,
            )
            if found != SMALL:
                raise Failure(f"Small calls gave {found} instead of {SMALL}.")

    count = rng.randint(1, 4)
    at_once([calls] * count)
    return f"small calls on {count} thread{'s' if count > 1 else ''}"


SMALL = (
    1.0, [[2.0, 0.0]], [[0.0, 4.0], [0.0, 3.0]], [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]], "phi=gaussian:2x2, weight=one, op=sum",
)  # fmt: skip

BAD = {
    "metric": lambda w, f: perslay.distance_matrix(w.holes, metric="nonsense"),
    "kernel": lambda w, f: perslay.gram(w.holes, "sw:-3"),
    "filtration": lambda w, f: perslay.diagrams(w.graphs, "hks:-1"),
    "kinds": lambda w, f: perslay.extended_persistence(w.graphs, w.values, kinds="ext7"),
    "values": lambda w, f: perslay.extended_persistence(w.graphs, w.values[:-1]),
    "edges": lambda w, f: perslay.Graphs([([(0, 5)], 2)]),
    "points": lambda w, f: perslay.alpha_persistence([[(0, 1, 2)]]),
    "infinite points": lambda w, f: perslay.alpha_persistence([[(0, 1), (float("inf"), 2)]]),
    "vectors": lambda w, f: perslay.vectorize(w.holes, "landscape:0x0"),
    "frames": lambda w, f: perslay.vectorize(w.holes, "betti:3", range=(1, 0)),
    "transform": lambda w, f: perslay.transform(w.holes, "prom"),
    "channel": lambda w, f: perslay.Channel("gaussian:0x4"),
    "threads": lambda w, f: perslay.shapes(1, threads=0),
    "labels": lambda w, f: perslay.train(perslay.Graphs([[(0, 1)]] * 4)),
    "override": lambda w, f: perslay.train(w.graphs, "network", overrides=["training.epoch=3"]),
    "predict": lambda w, f: w.models["ridge"].predict(w.clouds),
    "absent": lambda w, f: perslay.read_diagrams(f / "absent.h5"),
    "damaged diagrams": lambda w, f: perslay.read_diagrams(garbage_file(f, "damaged.h5")),
    "damaged text": lambda w, f: perslay.read_diagrams(garbage_file(f, "damaged.csv")),
    "damaged model": lambda w, f: perslay.load_model(garbage_file(f, "damaged.safetensors")),
    "damaged archive": lambda w, f: perslay.read_graphs(garbage_file(f, "damaged.zip")),
    "damaged cloud": lambda w, f: perslay.read_clouds(garbage_file(f, "damaged.npy")),
    "no folder": lambda w, f: w.diagrams.write(f / "absent" / "d.h5"),
}


def garbage_file(folder, name):
    path = folder / name
    if not path.exists():
        aside = folder / f"{name}.{threading.get_ident()}"
        aside.write_bytes(bytes(range(256)) * 8)
        aside.replace(path)
    return path


def refuse(load, name, folder):
    try:
        BAD[name](load.world, folder)
    except ValueError as error:
        said = str(error)
        if "\n" in said or not said.endswith((".", "?")):
            raise Failure(f"Bad input, '{name}', is refused without a sentence: {said}") from error
    except Exception as error:
        raise Failure(f"Bad input, '{name}', raised {type(error).__name__}: {error}") from error
    else:
        raise Failure(f"Bad input, '{name}', was taken.")


def bad_input(load, rng, folder):
    """Mistakes between good calls, on several threads: each is refused with a sentence."""

    def mistakes(seed):
        own = random.Random(seed)
        for _ in range(10):
            for name in own.sample(list(BAD), 5):
                refuse(load, name, folder)
            load.check_all(load.some(own, 1), folder) if own.random() < 0.2 else None

    count = rng.randint(1, 3)
    at_once([lambda s=rng.random(): mistakes(s) for _ in range(count)])
    return f"bad input on {count} thread{'s' if count > 1 else ''}"


def torch_layers(load, rng, folder):
    """The layer in PyTorch, forth and back, on several threads. Not in children: PyTorch itself may hang there."""
    job = torch_job()
    if job is None:
        return "PyTorch is not there"
    if "torch" not in load.expected:
        load.expected["torch"] = digest(job(load.world, None, folder))
    count = rng.randint(2, 4)
    with Beside(load, rng, folder, rng.randint(0, 2)):
        at_once([lambda: [load.compare("torch", job(load.world, None, folder)) for _ in range(5)]] * count)
    return f"the layer in PyTorch on {count} threads"


WAYS = {
    "threads": many_threads,
    "forks": forks,
    "forks on threads": forks_on_threads,
    "forks in callbacks": forks_in_callbacks,
    "pools": pools,
    "interrupts": interrupts,
    "alarms": alarms,
    "callbacks": callbacks,
    "garbage": garbage,
    "small calls": small_calls,
    "bad input": bad_input,
    "torch": torch_layers,
}

def way_of(seed, number):
    """The ways are dealt in rounds, each of which has them all."""
    ways = list(WAYS)
    random.Random(f"{seed}/round {number // len(ways)}").shuffle(ways)
    return ways[number % len(ways)]


# ---- what grows


def sample(before=None):
    """Memory in bytes, open files and threads, once garbage is collected and threads of the case have ended."""
    end = time.monotonic() + 2
    while before and len(os.listdir("/proc/self/task")) > before[2] and time.monotonic() < end:
        time.sleep(0.01)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    resident = int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resident, len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))


FEWEST = 8 * len(WAYS)  # samples from which growth is told: then a quarter has every way


def growth(samples, share=0.01, slack=4 << 20):
    """What the samples of a service's life, one after each case, say of growth. A quarter is warm-up; the medians of a
    tenth after it and of the last tenth are compared."""
    if len(samples) < FEWEST:
        return {"grew": "", "said": f"{len(samples)} cases are too few to tell growth"}
    tenth, begun = len(samples) // 10, len(samples) // 4
    (memory, files, threads), (memory_after, files_after, threads_after) = (
        [statistics.median(column) for column in zip(*part)]
        for part in (samples[begun : begun + tenth], samples[-tenth:])
    )
    grew = [
        name
        for name, does in (
            ("memory", memory_after - memory > max(share * memory, slack)),
            ("open files", files_after > files),
            ("threads", threads_after > threads),
        )
        if does
    ]
    said = (
        f"memory from {memory / 1e6:.1f} to {memory_after / 1e6:.1f} MB ({memory_after / memory - 1:+.2%}), "
        f"open files from {files:g} to {files_after:g}, threads from {threads:g} to {threads_after:g}"
    )
    return {"grew": " and ".join(grew), "said": said}


# ---- the service


def serve(options):
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    warnings.filterwarnings("ignore", ".*fork.*", DeprecationWarning)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource_tracker.ensure_running()  # the first pool of new processes would start it, and its pipe stays open
    begun, samples = time.monotonic(), []
    load = Load(options.folder, patience=options.patience)
    print(json.dumps({"ready": len(load.all_jobs)}), flush=True)
    number = options.first
    while number < options.last and time.monotonic() - begun < options.seconds:
        case_begun, failed, way = time.monotonic(), "", way_of(options.seed, number)
        load.checked.clear()
        try:
            said = load.case(way, f"{options.seed}/{number}")
        except Exception as failure:
            failed = str(failure) if isinstance(failure, Failure) else f"{type(failure).__name__}: {failure}"
            said = f"{way}: {failed}"
        samples.append(sample(samples[-1] if samples else None))
        line = {"case": number, "way": way, "said": said, "failed": bool(failed), "results": len(load.checked)}
        print(json.dumps(line | {"seconds": time.monotonic() - case_begun, "memory": samples[-1][0]}), flush=True)
        number += 1
    print(json.dumps({"end": growth(samples)}), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The service of scripts/campaign load, which starts it.")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--first", type=int, required=True)
    parser.add_argument("--last", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--patience", type=float, required=True)
    sys.exit(serve(parser.parse_args()))
