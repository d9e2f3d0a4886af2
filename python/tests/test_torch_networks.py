"""Networks that the library trained, as torch modules with the same predictions; and trainings of one's own."""

import copy
import csv
import io
import itertools
import pickle

import numpy as np
import pytest
from test_training import SETTINGS

import perslay

torch = pytest.importorskip("torch", reason="perslay.torch is tested with PyTorch")
from perslay.torch import Classifier, Inputs, RaggedBatch, load_network, prepare_network  # noqa: E402

CHANNEL = "network.channel=Pm(4,4,5,sum)"
# Filtrations are trained, and channels chosen, by perslay.train alone.
PREPARED = [name for name in SETTINGS if name != "chosen" and not name.startswith("times")]


@pytest.fixture(scope="module")
def graphs():
    return perslay.shapes(per_class=8)


@pytest.fixture(scope="module")
def unseen():
    return perslay.shapes(per_class=5, seed=1)


def is_counter(name):
    return name.endswith("num_batches_tracked")


# ---- what others trained


@pytest.mark.parametrize("name", SETTINGS)
def test_models_of_the_library(name, graphs, unseen, tmp_path):
    overrides = ["training.epochs=3", "training.average=0.5", *SETTINGS[name]]
    model = perslay.train(graphs, "network", overrides=overrides)
    expected = model.predict_proba(unseen)
    model.write(tmp_path / "model.safetensors")
    network = load_network(tmp_path / "model.safetensors")
    np.testing.assert_allclose(network.predict_proba(unseen), expected, atol=2e-6)
    np.testing.assert_array_equal(load_network(model).predict_proba(unseen), network.predict_proba(unseen))
    # Points on the border of two cells of a weight may change sides.
    assert np.abs(copy.deepcopy(network).double().predict_proba(unseen) - expected).mean() < 1e-3
    assert {key for key in network.state_dict() if not is_counter(key)} == {
        key for key in model.arrays if not key.startswith("choice.")
    }
    network.write(tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == (tmp_path / "model.safetensors").read_bytes()


@pytest.mark.parametrize("name", PREPARED)
def test_models_of_torch(name, graphs, unseen, tmp_path):
    """Parameters that torch moved are read by the library, with the same predictions."""
    network, inputs = prepare_network(graphs, overrides=SETTINGS[name])
    fit(network, inputs, steps=2)
    network.write(tmp_path / "model.safetensors")
    expected = network.predict_proba(unseen)
    model = perslay.load_model(tmp_path / "model.safetensors")
    np.testing.assert_allclose(model.predict_proba(unseen), expected, atol=2e-6)
    assert not any(is_counter(key) for key in model.arrays)
    np.testing.assert_array_equal(load_network(model).predict_proba(unseen), expected)


def test_models_of_torch_are_read_by_the_program(program, graphs, unseen, tmp_path):
    network, inputs = prepare_network(graphs, overrides=SETTINGS["named"])
    fit(network, inputs, steps=2)
    network.write(tmp_path / "model.safetensors")
    unseen.write(tmp_path / "TEST")
    program("predict", tmp_path / "model.safetensors", tmp_path / "TEST", "-o", tmp_path / "labels.csv")
    with open(tmp_path / "labels.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = np.array([[float(row[name]) for name in row if name.startswith("p:")] for row in rows])
    np.testing.assert_allclose(found, network.predict_proba(unseen), atol=2e-6)


@pytest.mark.parametrize("name", ["named", "times"])
def test_older_files(name, graphs, unseen, tmp_path):
    """They count the batches that batch norm has seen, which nobody reads."""
    overrides = ["training.epochs=2", "network.channel_norm=true", *SETTINGS[name]]
    model = perslay.train(graphs, "network", overrides=overrides)
    arrays = {}
    for key, values in model.arrays.items():
        arrays[key] = values
        if key.endswith("running_var"):
            arrays[key.replace("running_var", "num_batches_tracked")] = np.array(2, np.float32)
    assert sum(map(is_counter, arrays)) > 0
    model.with_arrays(arrays).write(tmp_path / "older.safetensors")
    older = perslay.load_model(tmp_path / "older.safetensors")
    assert any(map(is_counter, older.arrays))
    expected = model.predict_proba(unseen)
    np.testing.assert_array_equal(older.predict_proba(unseen), expected)
    np.testing.assert_allclose(load_network(older).predict_proba(unseen), expected, atol=2e-6)


def test_gradients_reach_trained_times(graphs):
    network = load_network(perslay.train(graphs, "network", overrides=["training.epochs=1", *SETTINGS["times"]]))
    inputs = network.inputs(graphs)
    torch.nn.functional.cross_entropy(network(inputs[[3, 1, 20]]), inputs.labels[[3, 1, 20]]).backward()
    for place in range(2):
        assert network.get_submodule(f"net{place}").filtrations.heat.shift.grad.all()
    with pytest.raises(ValueError, match="there are no graphs"):
        network(Inputs(inputs.diagrams, inputs.features))


GAUSSIANS = "gaussian:4x3:axes=birth-death"
COMBINED = [
    "network.channel={phi='gaussian:4x4', convolution='3x2', weight='grid:3x3', op='topk:2'}",
    "network.channels.ext1=[{phi='triangle:6', op='max'}, {phi='line:5', convolution='2x3', weight='grid:2x2'}]",
    f"network.channels.'hks:1'={{phi='{GAUSSIANS}', equivariant=['5:mean', '4:max'], op='mean'}}",
    f"network.channels.'hks:1 ext1'=[{{phi='{GAUSSIANS}'}}, {{phi='{GAUSSIANS}', convolution='2x2', op='max'}}]",
    "data.filtrations=['hks:0.1..10x3']",
]


@pytest.mark.parametrize("follows", ["op", "phi"])
def test_combined_channels_are_the_network_in_plain_torch(follows, graphs):
    """Every channel written out, diagram by diagram, with its own arrays; then the dense layer."""
    overrides = ["training.epochs=2", f"network.convolution={follows}", *COMBINED]
    model = perslay.train(graphs, "network", overrides=overrides)
    network = load_network(model).double()
    inputs = network.inputs(graphs)
    columns = []
    for diagrams, channels in zip(inputs.diagrams, model.network["channels"].values()):
        counts = diagrams.offsets.diff().tolist()
        for channel in channels:
            prefix = f"net0.channel{len(columns)}."
            own = {
                name.removeprefix(prefix).removeprefix("perslay."): torch.tensor(values).double()
                for name, values in model.arrays.items()
                if name.startswith(prefix)
            }
            rows = [plain_channel(channel, own, points, follows) for points in diagrams.points.split(counts)]
            columns.append(torch.stack(rows))
    assert len(columns) == 3 * 3 + 3 * 2  # ext1 has two channels in each of three filtrations
    dense = [torch.tensor(model.arrays[f"net0.dense0.{part}"]).double() for part in ("weight", "bias")]
    logits = torch.cat([*columns, inputs.features], 1) @ dense[0].T + dense[1]
    torch.testing.assert_close(network(inputs), logits.log_softmax(1), rtol=0, atol=1e-12)


def plain_channel(channel, own, points, follows):
    """op({ w(p) phi(p) }) of one diagram as it is written."""
    convolved = "convolution.weight" in own
    features, image = plain_features(own, points, "birth-death" in channel["phi"])
    for place, pool in enumerate(name.partition(":")[2] for name in channel.get("equivariant", ())):
        of = {key: own[f"equivariant.{place}.{key}"] for key in ("lambda", "gamma", "bias")}
        if len(points):
            pooled = features.mean(0) if pool == "mean" else features.max(0).values
            features = features @ of["lambda"] - pooled @ of["gamma"] + of["bias"]
        else:
            features = features @ of["lambda"]
    if convolved and follows == "phi":
        images = features.view(len(points), 1, *image)
        features = torch.conv2d(images, own["convolution.weight"], own["convolution.bias"]).flatten(1)
    if "weight.cells" in own:
        cells = own["weight.cells"]
        birth, death = ((points + 0.001) / 1.002 * len(cells)).long().clamp(0, len(cells) - 1).T
        features = cells[birth, death][:, None] * features
    chosen = plain_operation(channel["op"], features)  # [feature, rank]
    if convolved and follows == "op":
        planes = chosen.T.reshape(1, -1, *image)
        return torch.conv2d(planes, own["convolution.weight"], own["convolution.bias"]).flatten()
    return chosen.flatten()


def plain_features(own, points, reads_death):
    """phi of every point, and the image that a convolution sees."""
    birth, death = points[:, :1], points[:, 1:]
    if "phi.samples" in own:
        features = ((death - birth) / 2 - (own["phi.samples"] - (birth + death) / 2).abs()).clamp_min(0)
    elif "phi.directions" in own:
        features = points @ own["phi.directions"].T + own["phi.bias"]
    else:
        x = (birth - own["phi.births"]) ** 2
        y = ((death if reads_death else death - birth) - own["phi.persistences"]) ** 2
        features = torch.exp(-(own["phi.sharpness"] ** 2) * (x[:, :, None] + y[:, None, :]))
        return features.flatten(1), features.shape[1:]
    return features, (1, features.shape[1])


def plain_operation(op, features):
    if op == "sum":
        return features.sum(0)[:, None]
    if op == "mean":
        return features.sum(0)[:, None] / max(len(features), 1)
    ranks = int(op.partition(":")[2] or 1)
    chosen = features.sort(0, descending=True).values[:ranks].T
    return torch.nn.functional.pad(chosen, (0, ranks - chosen.shape[1]))


# ---- training, against torch's own

OPTIMISERS = {
    "adam": (["training.weight_decay=0.01"], lambda own: torch.optim.Adam(own, 0.01, eps=1e-4, weight_decay=0.01)),
    "adamw": (
        ["training.optimiser=adamw", "training.weight_decay=0.1"],
        lambda own: torch.optim.AdamW(own, 0.01, eps=1e-4, weight_decay=0.1),
    ),
}

NETS = {
    "image": SETTINGS["image"],
    "lines": SETTINGS["lines"],
    "deep": [
        "network.channel={phi='gaussian:4x4', weight='grid:4x4', op='mean'}",
        "network.hidden=[8, 6]",
        "network.batch_norm=true",
        "network.channel_norm=true",
        "features.names=['size']",
        "features.standardise=true",
        "training.label_smoothing=0.1",
    ],
    "times": ["network.train_filtration=true", "network.filtration_pace=2", "network.scale=false", CHANNEL],
}


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("name", NETS)
def test_training_is_that_of_torch(name, optimiser, graphs):
    """All items in one batch, so that their order does not matter: autograd and torch's optimiser go the same way."""
    changes, make = OPTIMISERS[optimiser]
    overrides = ["training.batch=128", "training.rate=0.01", "training.epsilon=1e-4", "training.schedule=constant"]
    overrides += ["training.average=0", *changes, *NETS[name]]
    start = perslay.train(graphs, "network", overrides=[*overrides, "training.rate=1e-30", "training.epochs=1"])
    network = load_network(start).train()
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm1d):
            module.reset_running_stats()
    smoothing = 0.1 if name == "deep" else 0.0
    inputs = network.inputs(graphs)
    optimiser, losses = make(network.parameters()), []
    for _ in range(3):
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(inputs), inputs.labels, label_smoothing=smoothing)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    model = perslay.train(graphs, "network", overrides=[*overrides, "training.epochs=3"])
    np.testing.assert_allclose([loss for _, _, loss, _ in model.history], losses, rtol=1e-4)
    found = network.state_dict()
    assert max(np.abs(values - start.arrays[key]).max() for key, values in model.arrays.items()) > 0.02
    for key, values in model.arrays.items():
        np.testing.assert_allclose(values, found[key].numpy(), atol=1e-4, rtol=1e-3, err_msg=key)


# Diagrams and features are written out: ext0 of a connected graph is its least and its largest signature.
FOLLOWED = [
    "network.channel={phi='line:4', op='sum'}",
    "network.scale=false",
    "network.train_filtration=true",
    "network.filtration_pace=5",
    "data.filtrations=['hks:2']",
    "data.kinds=['ext0']",
    "features.names=['deciles:hks:2']",
]


SHIFT = "net0.filtrations.heat.shift"


class PlainTraining:
    """The same training in torch alone, in float64, from the arrays of its start."""

    def __init__(self, arrays, graphs, update, follows):
        self.own = {name: torch.tensor(values).double().requires_grad_() for name, values in arrays.items()}
        self.labels = torch.tensor(graphs.labels, dtype=torch.int64)
        self.update, self.follows, self.spectra = update, follows, []
        for graph in graphs:
            adjacency = torch.zeros(graph.num_nodes, graph.num_nodes, dtype=torch.float64)
            for a, b in graph.edges:
                adjacency[a, b] = adjacency[b, a] = 1
            root = adjacency.sum(0).rsqrt()
            identity = torch.eye(len(root), dtype=torch.float64)
            self.spectra.append(torch.linalg.eigh(identity - root[:, None] * adjacency * root))
        rest = [array for name, array in self.own.items() if name != SHIFT]
        self.slow = torch.optim.Adam([self.own[SHIFT]], 0.02, eps=0.05)
        self.fast = torch.optim.Adam(rest if update == "epoch" else [*rest, self.own[SHIFT]], 0.02, eps=0.05)

    def signature(self, place, time):
        values, vectors = self.spectra[place]
        return vectors**2 @ torch.exp(-values * time)

    def logits(self, place):
        own = {name.removeprefix("net0."): array for name, array in self.own.items()}
        signature = self.signature(place, 2 * torch.exp(5 * self.own[SHIFT][0]))
        point = torch.stack([signature.min(), signature.max()])
        lines = own["channel0.phi.directions"] @ point + own["channel0.phi.bias"]
        followed = signature if self.follows else self.signature(place, 2.0)
        deciles = torch.quantile(followed, torch.linspace(0, 1, 11, dtype=torch.float64))
        return own["dense0.weight"] @ torch.cat([lines, deciles]) + own["dense0.bias"]

    def epoch(self, first):
        """Two batches, one of which is given; returns the mean loss."""
        total, gradient = 0.0, 0.0
        for places in (first, [place for place in range(5) if place not in first]):
            self.fast.zero_grad()
            self.slow.zero_grad()
            rows = torch.stack([self.logits(place) for place in places])
            loss = torch.nn.functional.cross_entropy(rows, self.labels[list(places)])
            loss.backward()
            total += len(places) / 5 * loss.item()
            gradient = gradient + len(places) / 5 * self.own[SHIFT].grad
            self.fast.step()
        if self.update == "epoch":
            self.own[SHIFT].grad = gradient
            self.slow.step()
        return total


@pytest.mark.parametrize("follows", [False, True])
@pytest.mark.parametrize("update", ["step", "epoch"])
def test_times_once_an_epoch_and_features_that_follow_are_those_of_torch(update, follows):
    """Batches of 3 and 2 items: nobody says which, but one of the ten ways gives what the library gives."""
    graphs = perslay.shapes(per_class=2, seed=3)[:5]
    overrides = [*FOLLOWED, "training.batch=3", "training.rate=0.02", "training.schedule=constant"]
    overrides += ["training.average=0", "training.epsilon=0.05"]  # gradients count with their size, not by sign alone
    overrides += [f"network.filtration_update={update}", f"network.train_features={str(follows).lower()}"]
    start = perslay.train(graphs, "network", overrides=[*overrides, "training.rate=1e-30", "training.epochs=1"])
    arrays = {name: values for name, values in start.arrays.items() if not name.endswith("scales")}
    now = PlainTraining(arrays, graphs, update, follows)
    for epochs in (1, 2, 3):
        model = perslay.train(graphs, "network", overrides=[*overrides, f"training.epochs={epochs}"])
        ways = []
        for first in itertools.combinations(range(5), 3):
            after = copy.deepcopy(now)
            errors = [abs(after.epoch(first) - model.history[-1][2])]
            errors += [np.abs(after.own[name].detach().numpy() - model.arrays[name]).max() for name in arrays]
            ways.append((max(errors), first, after))
        ways.sort(key=lambda way: way[0])
        assert ways[0][0] < 2e-5 and ways[1][0] > 2e-4, [way[:2] for way in ways]
        now = ways[0][2]
    assert abs(now.own[SHIFT].item()) > 0.01


# ---- a training of one's own


def fit(network, inputs, steps=60, rate=0.01):
    optimiser = torch.optim.Adam(network.parameters(), rate)
    for _ in range(steps):
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(network(inputs), inputs.labels)
        loss.backward()
        optimiser.step()
    network.eval()
    return loss.item()


@pytest.mark.parametrize("name", PREPARED)
def test_inputs_are_those_of_the_network(name, graphs):
    """What prepare_network computes in one go is what the network would compute again."""
    network, inputs = prepare_network(graphs, overrides=SETTINGS[name])
    again = network.inputs(graphs)
    assert network.training and len(inputs) == len(graphs) and len(inputs.diagrams) == len(again.diagrams)
    for one, other in zip(inputs.diagrams, again.diagrams):
        assert torch.equal(one.points, other.points) and torch.equal(one.offsets, other.offsets)
        assert one.reordered and other.reordered
    assert torch.equal(inputs.features, again.features) and torch.equal(inputs.labels, again.labels)
    assert torch.equal(inputs.labels, torch.tensor(graphs.labels, dtype=torch.int64)) and inputs.graphs is None


def test_own_training():
    graphs, unseen = perslay.shapes(per_class=10), perslay.shapes(per_class=5, seed=1)
    network, inputs = prepare_network(graphs, overrides=["network.channel=Pm(10,10,5,sum)", "features.names=['size']"])
    loader = torch.utils.data.DataLoader(range(len(inputs)), batch_size=10, collate_fn=inputs.__getitem__, shuffle=True)
    optimiser = torch.optim.Adam(network.parameters(), 0.01)
    losses = []
    for _ in range(10):
        for batch in loader:
            loss = torch.nn.functional.cross_entropy(network(batch), batch.labels)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
    assert losses[-1] < losses[0]
    fit(network, inputs)
    assert (network.predict(unseen) == perslay.class_names(unseen)).mean() > 0.8


def test_settings_by_name(graphs):
    network, _ = prepare_network(graphs, settings="mutag")
    assert 'name = "mutag"' in network.settings
    network, _ = prepare_network(graphs, settings='name = "mine"', overrides={"network.channel": "Pm(4,4,5,sum)"})
    assert 'name = "mine"' in network.settings


def test_clouds_and_diagrams():
    clouds = perslay.orbits(4, points=100)
    network, inputs = prepare_network(clouds, overrides=[CHANNEL])
    fit(network, inputs, steps=2)
    assert network.predict_proba(clouds).shape == (20, 5) and network.model.content == "clouds"
    found = perslay.diagrams(perslay.shapes(per_class=3), "degree")
    labelled = perslay.DiagramSet(dict(found.groups), ["a", "b", "c"] * 3)
    network, inputs = prepare_network(labelled, overrides=["data.filtrations=[]", CHANNEL])
    fit(network, inputs, steps=2)
    assert network.classes == ["a", "b", "c"] and set(network.predict(labelled)) <= {"a", "b", "c"}


def test_seeds_decide(graphs):
    torch.manual_seed(1)
    before = torch.get_rng_state()
    first, second, third = (prepare_network(graphs, overrides=[CHANNEL], seed=seed)[0].eval() for seed in (3, 3, 4))
    assert torch.equal(torch.get_rng_state(), before)
    np.testing.assert_array_equal(first.predict_proba(graphs), second.predict_proba(graphs))
    assert (first.predict_proba(graphs) != third.predict_proba(graphs)).any()


def test_networks_are_copied_and_kept(graphs):
    network, inputs = prepare_network(graphs, overrides=SETTINGS["named"])
    fit(network, inputs, steps=1)
    expected = network.predict_proba(graphs)
    file = io.BytesIO()
    torch.save(network, file)
    file.seek(0)
    fresh, _ = prepare_network(graphs, overrides=SETTINGS["named"], seed=9)
    fresh.load_state_dict(network.state_dict())
    for again in (
        pickle.loads(pickle.dumps(network)),
        copy.deepcopy(network),
        torch.load(file, weights_only=False),
        fresh,
    ):
        np.testing.assert_array_equal(again.predict_proba(graphs), expected)
    assert network.eval() and "Network" in repr(network)
    assert copy.deepcopy(network).to("meta")(inputs.to("meta")).shape == (24, 3)


def test_classifier_alone():
    torch.manual_seed(0)
    batch = RaggedBatch.of([[(0.0, 1.0)], [], [(0.0, 0.5), (0.2, 0.3)]])
    classifier = Classifier(
        ["ext0", "ext1"],
        features=2,
        classes=4,
        channel={"phi": "triangle:5", "op": "max"},
        channels={"ext1": "Im(3,(2,2),0)"},
        hidden=[6],
        batch_norm=True,
    )
    assert classifier([batch, batch], torch.zeros(3, 2)).shape == (3, 4)
    names = set(classifier.state_dict())
    assert {"channel0.phi.samples", "channel1.convolution.bias", "dense1.weight", "norm0.running_mean"} <= names
    with pytest.raises(ValueError, match="2 groups of diagrams, not 1"):
        classifier([batch], torch.zeros(3, 2))
    with pytest.raises(ValueError, match="2 features of each item, not none"):
        classifier([batch, batch])
    with pytest.raises(ValueError, match="nothing to read"):
        Classifier([])
    with pytest.raises(ValueError, match="'mlp:3' is a network on each point; perslay.torch.PointNetwork makes it"):
        Classifier(["h0"], channel={"phi": "mlp:3"})
    with pytest.raises(ValueError, match="has phi, equivariant, convolution, weight and op"):
        Classifier(["h0"], channel={"phy": "line:3"})


def test_inputs_are_chosen_and_moved():
    batch = RaggedBatch.of([[(0.0, 1.0)], []])
    inputs = Inputs([batch], torch.zeros(2, 3), torch.tensor([0, 1]))
    assert len(inputs[[1]]) == 1 and inputs[1:].labels.tolist() == [1]
    moved = inputs.to(dtype=torch.float64)
    assert moved.features.dtype == moved.diagrams[0].dtype == torch.float64 and moved.labels.dtype == torch.int64


def test_mistakes(tmp_path):
    graphs = perslay.shapes(per_class=3)
    model = perslay.train(graphs, "svm:sw")
    model.write(tmp_path / "svm.safetensors")
    for source in (tmp_path / "svm.safetensors", model):
        with pytest.raises(ValueError, match="'svm:sw', not a network"):
            load_network(source)
    with pytest.raises(ValueError, match="no labels"):
        prepare_network(perslay.Graphs([[(0, 1)]]))
    with pytest.raises(ValueError, match="one class"):
        prepare_network(graphs[graphs.labels == 0])
    with pytest.raises(ValueError, match="did you mean 'epochs'"):
        prepare_network(graphs, overrides=["training.epoch=3"])
    with pytest.raises(ValueError, match="network.train_filtration.*which perslay.train does"):
        prepare_network(graphs, overrides=SETTINGS["times"])
    with pytest.raises(ValueError, match="a list to choose from, which perslay.train does"):
        prepare_network(graphs, overrides=SETTINGS["chosen"])
    network, _ = prepare_network(graphs, overrides=[CHANNEL])
    with pytest.raises(ValueError):
        network.predict(perslay.orbits(1, points=10))
    arrays = {name: value.numpy() for name, value in network.state_dict().items()}
    arrays.pop("net0.dense0.bias")
    with pytest.raises(ValueError, match="net0.dense0.bias that the network needs is missing"):
        load_network(network.model.with_arrays(arrays))
    arrays["net0.dense0.bias"] = np.zeros(7, np.float32)
    with pytest.raises(ValueError, match=r"has the shape \[7\], but the network needs \[3\]"):
        load_network(network.model.with_arrays(arrays))
