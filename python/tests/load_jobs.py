"""What a service asks of the package, as small jobs with the same result every time, bit for bit.

A job is a function of (world, threads, folder): what it works on, the argument `threads`, and a folder to write into.
"""

import dataclasses
import hashlib
import pathlib
import pickle
import uuid
import warnings

import numpy as np

import perslay

NETWORK = ["network.channel=Pm(5,5,4,sum)", "training.epochs=3"]


@dataclasses.dataclass
class World:
    """What jobs work on. Several threads may share one; a pickle makes another."""

    graphs: perslay.Graphs
    values: np.ndarray
    clouds: perslay.Clouds
    diagrams: perslay.DiagramSet
    holes: perslay.DiagramBatch
    models: dict[str, perslay.Model]

    @classmethod
    def make(cls):
        graphs, clouds = perslay.shapes(per_class=4, seed=3), perslay.orbits(2, points=100)
        return cls(
            graphs,
            perslay.vertex_function(graphs, "closeness"),
            clouds,
            perslay.diagrams(graphs, ["hks:10", "degree"], cycles=True),
            perslay.alpha_persistence(clouds)["h1"],
            {name: perslay.train(graphs, name, overrides=NETWORK) for name in ("network", "ridge", "svm:sw")},
        )

    def copy(self):
        return pickle.loads(pickle.dumps(self))


def digest(value):
    """A checksum over everything that a result holds."""
    state = hashlib.blake2b(digest_size=16)
    _add(state, value)
    return state.hexdigest()


def _add(state, value):
    if isinstance(value, np.ndarray):
        _add(state, f"{value.dtype.str} {value.shape}")
        state.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, (list, tuple)):
        _add(state, f"{len(value)} parts")
        for part in value:
            _add(state, part)
    elif isinstance(value, dict):
        _add(state, sorted(value.items()))
    elif isinstance(value, perslay.DiagramBatch):
        _add(state, [value.points, value.offsets, value.vertices])
    elif isinstance(value, perslay.DiagramSet):
        _add(state, [value.labels, value.classes, list(value.groups.items())])
    elif isinstance(value, perslay.Graphs):
        _add(state, [value.labels, value.classes, [[graph.num_nodes, graph.edges] for graph in value]])
    elif isinstance(value, perslay.Clouds):
        _add(state, [value.points, value.offsets, value.labels, value.classes])
    elif isinstance(value, perslay.Model):
        _add(state, [value.settings, value.classes, value.groups, value.scales, value.arrays])
    elif value is None or isinstance(value, (str, int, float)):
        state.update(f"{type(value).__name__} {value!r};".encode())
    else:
        raise TypeError(f"There is no digest of {type(value).__name__}.")


# ---- files: what is written is read again


def write_and_read(item, read, folder, suffix=""):
    path = pathlib.Path(folder) / f"{uuid.uuid4().hex}{suffix}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        item.write(path)
    return read(path)


def graph_files(world, threads, folder):
    return write_and_read(world.graphs, lambda path: perslay.read_graphs(path, threads=threads), folder)


def cloud_files(world, threads, folder):
    path = pathlib.Path(folder) / f"{uuid.uuid4().hex}.npy"
    np.save(path, world.clouds[0])
    return perslay.read_clouds(path, threads=threads)


def channel_gradients(world, threads, folder):
    channel = perslay.Channel("gaussian:4x4", "grid:3x3", "topk:2")
    numbers = list(channel.initial_parameters().values())
    points, offsets = np.sort(world.holes.points, axis=1), world.holes.offsets
    out, selection = channel.forward(points, offsets, numbers, threads=threads)
    return [out, *channel.backward(points, offsets, numbers, selection, np.ones_like(out), threads=threads)[:2]]


def heat_spectra(world, threads, folder):
    return perslay.HeatSpectra(world.graphs, threads)[::2].at(2.5, threads)


def checkpointed(world, threads, folder):
    """Repeated after an interruption it goes on where it was: name and content of the checkpoint stay the same."""
    return perslay.train(
        world.graphs, "network", overrides=[*NETWORK, "training.epochs=12"], threads=threads,
        checkpoint=pathlib.Path(folder) / "training.checkpoint", checkpoint_seconds=0,
    )  # fmt: skip


def pickled(world, threads, folder):
    return [pickle.loads(pickle.dumps(part)) for part in vars(world).values()]


JOBS = {
    "shapes": lambda w, t, f: perslay.shapes(per_class=3, seed=5, threads=t),
    "orbits": lambda w, t, f: perslay.orbits(2, points=80, seed=5, threads=t),
    "functions": lambda w, t, f: [perslay.vertex_function(w.graphs, n, threads=t) for n in ("closeness", "hks:1")],
    "heat kernels": lambda w, t, f: perslay.heat_kernel_signature(
        w.graphs, [0.1, 1, 10], derivatives=True, threads=t
    ),
    "eigenvalues": lambda w, t, f: perslay.laplacian_eigenvalues(w.graphs, threads=t),
    "spectra": heat_spectra,
    "diagrams": lambda w, t, f: perslay.diagrams(w.graphs, ["hks:10", "degree"], cycles=True, threads=t),
    "extended": lambda w, t, f: perslay.extended_persistence(w.graphs, w.values, cycles=True, threads=t),
    "ordinary": lambda w, t, f: perslay.ordinary_persistence(w.graphs, w.values, essential="clip", threads=t),
    "alpha": lambda w, t, f: perslay.alpha_persistence(w.clouds, radii=True, threads=t),
    "transforms": lambda w, t, f: perslay.transform(w.diagrams, "prom:5", "scale"),
    "bottleneck": lambda w, t, f: perslay.distance_matrix(w.holes, threads=t),
    "wasserstein": lambda w, t, f: perslay.distance_matrix(w.holes, metric="wasserstein:2:2", threads=t),
    "matching": lambda w, t, f: perslay.distance(w.holes[0], w.holes[1], "wasserstein:1", matching=True),
    "kernels": lambda w, t, f: [perslay.gram(w.holes, name, threads=t) for name in ("sw", "pf", "pwg")],
    "landscapes": lambda w, t, f: perslay.vectorize(w.diagrams, "landscape:3x20", threads=t),
    "layer": lambda w, t, f: perslay.vectorize(
        w.diagrams, phi="gaussian:8x8", weight="power:1", op="topk:2", threads=t
    ),
    "gradients": channel_gradients,
    "train a network": lambda w, t, f: perslay.train(w.graphs, "network", overrides=NETWORK, threads=t),
    "train ridge": lambda w, t, f: perslay.train(w.graphs, "ridge", threads=t),
    "train support vectors": lambda w, t, f: perslay.train(w.diagrams, "svm:sw", threads=t),
    "checkpoint": checkpointed,
    "predict": lambda w, t, f: [m.predict_proba(w.graphs, threads=t) for m in w.models.values()],
    "diagram files": lambda w, t, f: write_and_read(w.diagrams, perslay.read_diagrams, f, ".h5"),
    "diagram texts": lambda w, t, f: write_and_read(w.diagrams, perslay.read_diagrams, f, ".csv"),
    "model files": lambda w, t, f: write_and_read(w.models["network"], perslay.load_model, f, ".safetensors"),
    "graph files": graph_files,
    "cloud files": cloud_files,
    "pickles": pickled,
}

# Jobs of about a second, for interruptions to strike.
LONG_JOBS = {
    "many diagrams": lambda w, t, f: perslay.diagrams(perslay.concatenate([w.graphs] * 200), "hks:10", threads=t),
    "many distances": lambda w, t, f: perslay.distance_matrix(
        perslay.concatenate([w.holes] * 6), metric="wasserstein:1", threads=t
    ),
    "many kernels": lambda w, t, f: perslay.gram(perslay.concatenate([w.holes] * 12), "pf", threads=t),
    "many orbits": lambda w, t, f: perslay.alpha_persistence(perslay.orbits(50, points=500, threads=t), threads=t),
    "many vectors": lambda w, t, f: perslay.vectorize(
        perslay.concatenate([w.diagrams] * 20), "image:30x30", threads=t
    ),
    "train for long": lambda w, t, f: perslay.train(
        w.graphs, "network", overrides=[*NETWORK, "training.epochs=60"], threads=t
    ),
    "large files": lambda w, t, f: write_and_read(
        perslay.concatenate([w.diagrams] * 200), perslay.read_diagrams, f, ".h5"
    ),
    "checkpoint": checkpointed,
}


def torch_job():
    """The layer in PyTorch, forth and back; None without PyTorch."""
    try:
        import torch

        import perslay.torch
    except ImportError:
        return None
    torch.set_num_threads(1)

    def job(world, threads, folder):
        layer = perslay.torch.PersLay("gaussian:4x4", "grid:3x3", "sum")
        with torch.no_grad():
            for number, parameter in enumerate(layer.parameters()):
                parameter.fill_(0.1 * (number + 1))
        batch = perslay.torch.RaggedBatch.of(world.holes)
        out = layer(batch)
        out.sum().backward()
        return [out.detach().numpy(), *(parameter.grad.numpy() for parameter in layer.parameters())]

    return job
