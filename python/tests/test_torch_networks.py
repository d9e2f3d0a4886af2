"""Networks: what the program trains is read here, and the other way round, with the same predictions."""

import copy
import csv
import io
import math
import os
import pathlib
import pickle
import subprocess

import numpy as np
import pytest

import perslay

torch = pytest.importorskip("torch", reason="perslay.torch is tested with PyTorch")
from perslay.torch import Classifier, Inputs, RaggedBatch, load_network, prepare_network, train_network  # noqa: E402
from perslay.torch._training import rate_factor  # noqa: E402

SETTINGS = {
    "image": ["network.channel=Im(5,(3,2),4,sum)"],
    "lines": ["network.channel=Pm(5,6,4,top-3)", "features.names=['eigenvalues', 'deciles:hks:10']"],
    "named": [
        "network.channel={phi='mixture:triangle+gaussian+line:9', weight='gmix:2', op='topk:2'}",
        "network.hidden=[16, 8]",
        "network.batch_norm=true",
        "network.channel_norm=true",
        "network.dropout=0.2",
        "network.input_dropout=0.1",
        "features.names=['size', 'statistics', 'landscape:2x5']",
        "features.standardise=true",
        "features.clip=4",
        "data.filtrations=['degree', 'hks:1']",
        "training.nets=2",
    ],
    "kinds": [
        "network.channel=Im(5,(),0,max)",
        "network.channels.ext1={phi='hofer:6:nu=0.2', weight='power:2', op='mean'}",
        "network.scale=false",
        "network.initialisation=authors",
        "data.transforms=['prom:10']",
        "data.diagonal=drop",
    ],
    "apart": ["network.channel=Im(5,(3,2),4,sum)", "network.scale=apart"],
    "points": ["network.channel={phi='mlp:12x8', op='sum+attention:3+topk:2'}"],
    "features": ["network.diagrams=false", "features.names=['size', 'deciles:degree']", "network.hidden=[10]"],
}

TRAINED = {
    "times": [
        "network.channel=Pm(4,5,4,sum)",
        "network.train_filtration=true",
        "network.filtration_pace=3",
        "data.filtrations=['hks:1', 'degree', 'hks:10']",
        "data.transforms=['prom:20']",
        "training.nets=2",
    ],
    "learned": ["network.channel=Pm(4,5,4,sum)", "data.filtrations=['learned:6x5', 'hks:1']", "data.diagonal=drop"],
}


@pytest.fixture(scope="module")
def program():
    """The program, if it was built with networks."""
    folder = pathlib.Path(__file__).resolve().parents[2]
    path = os.environ.get("PERSLAY_PROGRAM") or folder / "build" / "release" / "src" / "cli" / "perslay"
    if not pathlib.Path(path).exists():
        pytest.skip("PERSLAY_PROGRAM does not name the program")

    def run(*arguments):
        done = subprocess.run([path, *map(str, arguments), "--quiet", "--threads", "1"], capture_output=True, text=True)
        if "perslay-network" in done.stderr:
            pytest.skip("the program was built without networks")
        assert done.returncode == 0, done.stderr

    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("networks")
    perslay.shapes(per_class=8).write(folder / "TRAIN")
    perslay.shapes(per_class=5, seed=1).write(folder / "TEST")
    return folder


def probabilities(path):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return np.array([[float(row[name]) for name in row if name.startswith("p:")] for row in rows])


def predicted(program, model, data):
    program("predict", model, data, "-o", model.with_suffix(".csv"))
    return probabilities(model.with_suffix(".csv"))


@pytest.mark.parametrize("name", [*SETTINGS, *TRAINED])
def test_models_of_the_program(name, program, folder):
    model = folder / f"{name}.safetensors"
    settings = ["training.epochs=3", "training.average=0.5", *(SETTINGS | TRAINED)[name]]
    assignments = [f"--set={setting}" for setting in settings]
    program("train", folder / "TRAIN", "-o", model, *assignments)
    expected = predicted(program, model, folder / "TEST")
    network = load_network(model)
    np.testing.assert_allclose(network.predict_proba(folder / "TEST"), expected, atol=2e-6)
    # Points on the border of two cells of a weight may change sides.
    assert np.abs(network.double().predict_proba(folder / "TEST") - expected).mean() < 1e-3
    assert set(network.state_dict()) == set(perslay.load_model(model).arrays)
    network.write(folder / "again.safetensors")
    assert (folder / "again.safetensors").read_bytes() == model.read_bytes()


@pytest.mark.parametrize("name", SETTINGS)
def test_models_of_python(name, program, folder):
    model = folder / f"{name}-python.safetensors"
    data = perslay.read_graphs(folder / "TRAIN")
    network = train_network(data, overrides=["training.epochs=2", *SETTINGS[name]])
    network.write(model)
    expected = network.predict_proba(folder / "TEST")
    np.testing.assert_allclose(predicted(program, model, folder / "TEST"), expected, atol=2e-6)
    np.testing.assert_array_equal(load_network(model).predict_proba(folder / "TEST"), expected)


@pytest.mark.parametrize("name", TRAINED)
def test_gradients_reach_trained_filtrations(name, program, folder):
    model = folder / f"{name}-gradients.safetensors"
    program("train", folder / "TRAIN", "-o", model, "--set=training.epochs=1", *(f"--set={s}" for s in TRAINED[name]))
    network = load_network(model)
    inputs = network.inputs(folder / "TRAIN")
    torch.nn.functional.cross_entropy(network(inputs[[3, 1, 20]]), inputs.labels[[3, 1, 20]]).backward()
    found = [parameter.grad for key, parameter in network.named_parameters() if "filtrations" in key]
    assert found and all(gradient is not None and gradient.any() for gradient in found[-1:])
    with pytest.raises(ValueError, match="there are no graphs"):
        network(Inputs(inputs.diagrams, inputs.features))


def test_clouds_and_diagrams():
    clouds = perslay.orbits(4, points=100)
    network = train_network(clouds, overrides=["network.channel=Pm(5,5,4,sum)", "training.epochs=2"])
    assert network.predict_proba(clouds).shape == (20, 5) and network.model.content == "clouds"
    found = perslay.diagrams(perslay.shapes(per_class=3), "degree")
    labelled = perslay.DiagramSet(dict(found.items()), ["a", "b", "c"] * 3)
    options = ["data.filtrations=[]", "network.channel=Pm(5,5,4,sum)", "training.epochs=2"]
    network = train_network(labelled, overrides=options)
    assert network.classes == ["a", "b", "c"] and set(network.predict(labelled)) <= {"a", "b", "c"}


@pytest.mark.parametrize(
    "training",
    [
        ["training.optimiser=adam-tf", "training.schedule=halving:5", "training.average=0.9"],
        ["training.optimiser=adamw", "training.weight_decay=0.01", "training.schedule=one-cycle"],
        ["training.schedule=cosine", "training.label_smoothing=0.1", "training.batch=20"],
    ],
)
def test_training(training):
    graphs = perslay.shapes(per_class=20)
    losses = []
    network = train_network(
        graphs,
        overrides=["network.channel=Pm(10,10,5,sum)", "training.epochs=20", *training],
        report=lambda net, epoch, loss, accuracy: losses.append(loss),
    )
    assert len(losses) == 20 and losses[-1] < losses[0]
    unseen = perslay.shapes(per_class=10, seed=5)
    assert (network.predict(unseen) == perslay.class_names(unseen)).mean() > 0.8


def test_restart_from_average():
    def trained(*training):
        network = train_network(
            perslay.shapes(per_class=5), overrides=["network.channel=Pm(5,5,4,sum)", "training.batch=4", *training]
        )
        return torch.cat([parameter.detach().flatten() for parameter in network.parameters()])

    def differ(*training):
        return not torch.equal(trained(*training), trained("training.restart_from_average=true", *training))

    # After one epoch the average is the result either way; only the second begins with other weights.
    assert not differ("training.epochs=1", "training.average=0.9")
    assert differ("training.epochs=2", "training.average=0.9")
    assert not differ("training.epochs=2", "training.average=0")


def test_seeds_decide():
    graphs = perslay.shapes(per_class=5)
    options = ["network.channel=Pm(4,4,5,sum)", "network.hidden=[8]", "network.dropout=0.5", "training.epochs=2"]
    torch.manual_seed(1)
    before = torch.get_rng_state()
    first, second, third = (train_network(graphs, overrides=options, seed=seed) for seed in (3, 3, 4))
    assert torch.equal(torch.get_rng_state(), before)
    np.testing.assert_array_equal(first.predict_proba(graphs), second.predict_proba(graphs))
    assert (first.predict_proba(graphs) != third.predict_proba(graphs)).any()


def test_own_training():
    graphs = perslay.shapes(per_class=10)
    network = prepare_network(graphs, overrides=["network.channel=Pm(10,10,5,sum)", "features.names=['size']"])
    assert network.training
    inputs = network.inputs(graphs)
    assert torch.equal(inputs.labels, torch.tensor(graphs.labels, dtype=torch.int64))
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


def test_networks_are_copied_and_kept(folder):
    data = perslay.read_graphs(folder / "TRAIN")
    network = train_network(data, overrides=["training.epochs=1", *SETTINGS["named"]])
    expected = network.predict_proba(data)
    file = io.BytesIO()
    torch.save(network, file)
    file.seek(0)
    fresh = prepare_network(data, overrides=SETTINGS["named"], seed=9)
    fresh.load_state_dict(network.state_dict())
    for again in (pickle.loads(pickle.dumps(network)), copy.deepcopy(network), torch.load(file, weights_only=False), fresh):
        np.testing.assert_array_equal(again.predict_proba(data), expected)
    assert network.eval() and "Network" in repr(network)
    inputs = network.inputs(data)
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
    with pytest.raises(ValueError, match="no weight but 'one'"):
        Classifier(["h0"], channel={"phi": "mlp:3", "weight": "grid:3"})
    with pytest.raises(ValueError, match="has phi, weight and op"):
        Classifier(["h0"], channel={"phy": "line:3"})


def test_inputs_are_chosen_and_moved():
    batch = RaggedBatch.of([[(0.0, 1.0)], []])
    inputs = Inputs([batch], torch.zeros(2, 3), torch.tensor([0, 1]))
    assert len(inputs[[1]]) == 1 and inputs[1:].labels.tolist() == [1]
    moved = inputs.to(dtype=torch.float64)
    assert moved.features.dtype == moved.diagrams[0].dtype == torch.float64 and moved.labels.dtype == torch.int64


def test_rates():
    assert [rate_factor("halving:2", step, 3, 10) for step in (0, 5, 6, 12)] == [1, 1, 0.5, 0.25]
    assert math.isclose(rate_factor("cosine", 15, 3, 10), 0.5)
    assert math.isclose(rate_factor("one-cycle", 0, 1, 100), 1 / 25)
    assert math.isclose(rate_factor("one-cycle", 29, 1, 100), 1)
    assert math.isclose(rate_factor("one-cycle", 99, 1, 100), 4e-6)
    assert rate_factor("constant", 3, 1, 4) == 1


def test_mistakes(tmp_path):
    graphs = perslay.shapes(per_class=3)
    model = perslay.train(graphs, "svm:sw")
    model.write(tmp_path / "svm.safetensors")
    with pytest.raises(ValueError, match="'svm:sw', not a network"):
        load_network(tmp_path / "svm.safetensors")
    with pytest.raises(ValueError, match="no labels"):
        prepare_network(perslay.Graphs([[(0, 1)]]))
    with pytest.raises(ValueError, match="one class"):
        prepare_network(graphs[graphs.labels == 0])
    with pytest.raises(ValueError, match="did you mean 'epochs'"):
        train_network(graphs, overrides=["training.epoch=3"])
    network = prepare_network(graphs, overrides=["network.channel=Pm(4,4,5,sum)"])
    with pytest.raises(ValueError):
        network.predict(perslay.orbits(1, points=10))
    arrays = {name: value.numpy() for name, value in network.state_dict().items()}
    arrays.pop("net0.dense0.bias")
    network.model.with_arrays(arrays).write(tmp_path / "less.safetensors")
    with pytest.raises(ValueError, match="net0.dense0.bias that the network needs is missing"):
        load_network(tmp_path / "less.safetensors")
    arrays["net0.dense0.bias"] = np.zeros(7, np.float32)
    network.model.with_arrays(arrays).write(tmp_path / "other.safetensors")
    with pytest.raises(ValueError, match=r"has the shape \[7\], but the network needs \[3\]"):
        load_network(tmp_path / "other.safetensors")
    for name, settings in TRAINED.items():
        with pytest.raises(ValueError, match="'perslay train' does"):
            train_network(graphs, overrides=settings)
    with pytest.raises(ValueError, match="Batch norm needs at least 2"):
        train_network(graphs, overrides=["network.channel_norm=true", "training.batch=1"])
    with pytest.raises(ValueError, match="training.rate below"):
        train_network(graphs, overrides=["network.channel=Pm(4,4,5,sum)", "training.rate=1e30", "training.epochs=5"])
