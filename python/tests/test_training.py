"""Training: networks and other models, settings by name, checkpoints, interruptions, progress."""

import io
import json
import math
import os
import pathlib
import pickle
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import perslay

EXPERIMENTS = pathlib.Path(__file__).resolve().parents[2] / "experiments"
CHANNEL = "network.channel=Pm(5,5,4,sum)"
QUICK = [CHANNEL, "training.epochs=4"]

# What a network may be made of; each is trained for a few epochs.
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
    "features": ["network.diagrams=false", "features.names=['size', 'deciles:degree']", "network.hidden=[10]"],
    "times": [
        "network.channel=Pm(4,5,4,sum)",
        "network.train_filtration=true",
        "network.filtration_pace=3",
        "data.filtrations=['hks:1', 'degree', 'hks:10']",
        "data.transforms=['prom:20']",
        "training.nets=2",
    ],
    "times and features": [
        "network.channel=Pm(4,5,4,sum)",
        "network.train_filtration=true",
        "network.train_features=true",
        "network.filtration_update=epoch",
        "network.filtration_pace=3",
        "data.filtrations=['hks:1', 'hks:10']",
        "features.names=['size', 'deciles:hks:10', 'eigenvalues', 'deciles:hks:1', 'deciles:hks:2']",
        "features.standardise=true",
        "features.clip=1.5",
    ],
    "channels": [
        "network.channel=Im(4,(2,2),3,max)",
        "network.channels.ext1=['Pm(3,4,3,sum)', {phi='triangle:6', convolution='2x3', op='max'}]",
        "network.channels.'hks:1'={phi='gaussian:5x4:axes=birth-death', equivariant=['4:mean', '3'], op='topk:2'}",
        "network.channels.'hks:1 ext1'=['Im(3,(),2,sum)', 'Im(3,(2,2),2,sum)']",
        "network.convolution=phi",
        "data.filtrations=['hks:0.1..10x3']",
    ],
    "chosen": [
        "network.channel=['Im(3,(),2,sum)', 'Pm(3,4,3,max)', {phi='triangle:5'}]",
        "network.choice_folds=2",
    ],
}


@pytest.fixture(scope="module")
def graphs():
    return perslay.shapes(per_class=8)


def assert_same(one, other):
    """The same model, bit for bit."""
    assert one.settings == other.settings and one.seed == other.seed and list(one.arrays) == list(other.arrays)
    for name, values in one.arrays.items():
        assert values.dtype == other.arrays[name].dtype and values.tobytes() == other.arrays[name].tobytes(), name


# ---- what comes out


@pytest.mark.parametrize("name", SETTINGS)
def test_files_are_those_of_the_program(name, program, graphs, tmp_path):
    graphs.write(tmp_path / "TRAIN")
    overrides = ["training.epochs=3", "training.average=0.5", *SETTINGS[name]]
    program(
        "train", tmp_path / "TRAIN", "--model", "network", "--seed", 3, *(f"--set={text}" for text in overrides),
        "--no-cache", "-o", tmp_path / "program.safetensors",
    )  # fmt: skip
    model = perslay.train(perslay.read_graphs(tmp_path / "TRAIN"), "network", overrides=overrides, seed=3)
    model.write(tmp_path / "python.safetensors")
    assert (tmp_path / "python.safetensors").read_bytes() == (tmp_path / "program.safetensors").read_bytes()


def test_files_of_built_in_settings_are_those_of_the_program(program, graphs, tmp_path):
    graphs.write(tmp_path / "TRAIN")
    program(
        "train", tmp_path / "TRAIN", "--settings", "mutag", "--set=training.epochs=2", "--seed", 0, "--no-cache",
        "-o", tmp_path / "program.safetensors",
    )  # fmt: skip
    model = perslay.train(perslay.read_graphs(tmp_path / "TRAIN"), settings="mutag", overrides={"training.epochs": 2})
    model.write(tmp_path / "python.safetensors")
    assert (tmp_path / "python.safetensors").read_bytes() == (tmp_path / "program.safetensors").read_bytes()


@pytest.mark.parametrize("name", SETTINGS)
def test_threads_change_nothing(name, graphs):
    overrides = ["training.epochs=2", *SETTINGS[name]]
    one, two = (perslay.train(graphs, "network", overrides=overrides, threads=threads) for threads in (1, 2))
    assert_same(one, two)
    np.testing.assert_array_equal(one.predict_proba(graphs, threads=1), two.predict_proba(graphs, threads=2))


def test_a_network_that_does_not_fit_into_memory(graphs):
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    # Numbers of the channels: each comes with the point it was taken from and two derivatives, 16 bytes in all.
    numbers = 1.2 * memory / (16 * len(graphs))
    if numbers * len(graphs.classes) > 2**28:
        pytest.skip("So many weights are refused before the memory is full.")
    k = int(numbers / 400)  # four kinds of diagrams, 100 features
    options = [f"network.channel={{phi='line:100', op='topk:{k}'}}", f"training.batch={len(graphs)}"]
    options.append("data.filtrations=['hks:1']")
    with pytest.raises(ValueError, match="Training the network on 24 items at once would need about "):
        perslay.train(graphs, "network", overrides=options)


def test_seeds_decide(graphs):
    options = ["network.hidden=[8]", "network.dropout=0.5", *QUICK]
    first, second, third = (perslay.train(graphs, "network", overrides=options, seed=seed) for seed in (3, 3, 4))
    assert_same(first, second)
    assert (first.predict_proba(graphs) != third.predict_proba(graphs)).any()


@pytest.mark.parametrize(
    "training",
    [
        ["training.optimiser=adam-tf", "training.schedule=halving:5", "training.average=0.9"],
        ["training.optimiser=adamw", "training.weight_decay=0.01", "training.schedule=one-cycle"],
        ["training.schedule=cosine", "training.label_smoothing=0.1", "training.batch=20"],
    ],
)
def test_networks_learn(training):
    overrides = ["network.channel=Pm(10,10,5,sum)", "training.epochs=20", *training]
    model = perslay.train(perslay.shapes(per_class=20), "network", overrides=overrides)
    losses = [loss for _, _, loss, _ in model.history]
    assert len(losses) == 20 and losses[-1] < losses[0]
    unseen = perslay.shapes(per_class=10, seed=5)
    assert (model.predict(unseen) == perslay.class_names(unseen)).mean() > 0.8


def test_times_of_heat_kernels_are_trained(graphs):
    model = perslay.train(graphs, "network", overrides=["training.epochs=3", *SETTINGS["times"]])
    assert model.arrays["net1.filtrations.heat.shift"].shape == (2,)
    assert model.arrays["net1.filtrations.heat.shift"].any()
    np.testing.assert_allclose(model.predict_proba(graphs[3:5]), model.predict_proba(graphs)[3:5], atol=1e-6)


def test_clouds_and_diagrams():
    clouds = perslay.orbits(4, points=100)
    model = perslay.train(clouds, "network", overrides=[CHANNEL, "training.epochs=2"])
    assert model.predict_proba(clouds).shape == (20, 5) and model.content == "clouds"
    found = perslay.diagrams(perslay.shapes(per_class=3), "degree")
    labelled = perslay.DiagramSet(dict(found.groups), ["a", "b", "c"] * 3)
    model = perslay.train(labelled, "network", overrides=["data.filtrations=[]", CHANNEL, "training.epochs=2"])
    assert model.classes == ["a", "b", "c"] and set(model.predict(labelled)) <= {"a", "b", "c"}


def test_ridge_and_a_network_together(graphs):
    model = perslay.train(graphs, "ridge:unlabelled+mlp", overrides=["training.epochs=2"])
    assert model.kind == "ridge:unlabelled+mlp"
    assert any(name.startswith("ridge.") for name in model.arrays)
    assert any(name.startswith("net0.") for name in model.arrays)
    assert (model.predict(graphs) == perslay.class_names(graphs)).mean() > 0.9


def test_history_and_accuracy(graphs, tmp_path):
    model = perslay.train(graphs, "network", overrides=["training.nets=2", *QUICK])
    assert [place[:2] for place in model.history] == [(net, epoch) for net in range(2) for epoch in range(4)]
    assert all(math.isfinite(loss) and 0 <= accuracy <= 1 for _, _, loss, accuracy in model.history)
    assert model.accuracy == pytest.approx((model.predict(graphs) == perslay.class_names(graphs)).mean())
    model.write(tmp_path / "model.safetensors")
    for other in (
        perslay.load_model(tmp_path / "model.safetensors"),
        pickle.loads(pickle.dumps(model)),
        model.with_arrays(model.arrays),
    ):
        assert other.history == [] and other.accuracy is None
        assert_same(other, model)
    svm = perslay.train(graphs, "svm:sw", overrides=["svm.folds=2"])
    assert svm.accuracy == pytest.approx((svm.predict(graphs) == perslay.class_names(graphs)).mean())


# ---- settings


def test_settings_by_name(graphs):
    model = perslay.train(graphs, settings="mutag", overrides={"training.epochs": 1})
    assert model.kind == "network" and 'name = "mutag"' in model.settings
    assert perslay.train(graphs, "svm:sw", settings="mutag").kind == "svm:sw"
    assert perslay.train(graphs, settings="graphs-ridge").kind == "ridge:unlabelled"
    with pytest.raises(ValueError, match="no settings called 'mutagg'.*mutag"):
        perslay.train(graphs, settings="mutagg")


def test_settings_in_files_and_texts(graphs, tmp_path, monkeypatch):
    text = 'name = "mine"\nmodel = "svm:sw"\n[svm]\nfolds = 2\n'
    monkeypatch.chdir(tmp_path)
    pathlib.Path("mine.toml").write_text(text)
    pathlib.Path("mutag").write_text(text)
    (tmp_path / "a=b").mkdir()
    (tmp_path / "a=b" / "mine.toml").write_text(text)
    expected = perslay.train(graphs, settings=text)
    assert expected.kind == "svm:sw" and 'name = "mine"' in expected.settings
    for source in ("mine.toml", "./mutag", pathlib.Path("mutag"), pathlib.Path("a=b/mine.toml"), "a=b/mine.toml"):
        assert_same(perslay.train(graphs, settings=source), expected)
    assert perslay.train(graphs, settings="mutag", overrides=QUICK).kind == "network"  # the name that perslay carries
    with pytest.raises(ValueError, match="none.toml"):
        perslay.train(graphs, settings="none.toml")
    with pytest.raises(ValueError, match=r"settings:2: .*did you mean 'epochs'"):
        perslay.train(graphs, settings="[training]\nepoch = 3")


def test_settings_in_dictionaries(graphs):
    expected = perslay.train(graphs, settings='name = "mine"\nmodel = "svm:sw"\n[svm]\nfolds = 2\ncosts = [1, 10]')
    for settings in (
        {"name": "mine", "model": "svm:sw", "svm": {"folds": 2, "costs": (1, 10.0)}},
        {"name": "mine", "model": "svm:sw", "svm.folds": np.int64(2), "svm.costs": [1, 10]},
    ):
        assert_same(perslay.train(graphs, settings=settings), expected)
    odd = 'a"b\\c\n\x7f\u00e9'
    assert perslay.train(graphs, "svm:sw", settings={"name": odd, "svm.folds": 2}).settings.startswith(
        'name = "a\\"b\\\\c\\u000A\\u007F\u00e9"'
    )


def test_mistakes_in_dictionaries_have_the_sentences_of_files(graphs):
    for settings, sentence in (
        ({"training": {"rate": 0}}, "training.rate needs a number above 0, not 0."),
        ({"training.rate": True}, "training.rate needs a number above 0, not true."),
        ({"data.filtrations": "degree"}, "data.filtrations needs a list of texts, not 'degree'."),
        ({"data": 5}, "data needs a table, not 5."),
        ({"a b": 5}, "There is no key 'a b' in the top level"),
        ({"training": {"epoch": 5}}, "There is no key 'epoch' in [training] (did you mean 'epochs'?)"),
    ):
        with pytest.raises(ValueError) as raised:
            perslay.train(graphs, settings=settings)
        assert str(raised.value).startswith(sentence)


def test_what_a_network_is_comes_as_dictionaries(graphs):
    settings = {"network": {"channel": {"phi": "line:5"}, "scale": "apart", "hidden": [4]}, "training.epochs": 1}
    model = perslay.train(graphs, "network", settings=settings)
    assert model.network["channel"] == {"phi": "line:5", "weight": "one", "op": "sum"}
    assert (model.network["scale"], model.network["hidden"]) == ("apart", [4])
    assert set(model.network["channels"]) == {" ".join(group) for group in model.groups}
    assert all(channels == [model.network["channel"]] for channels in model.network["channels"].values())
    assert (model.network["filtration_pace"], model.network["batch_norm"]) == (1, False)
    assert (model.training["epochs"], model.training["rate"], model.training["restart_from_average"]) == (1, 0.01, False)


def test_which_model(graphs):
    assert perslay.train(graphs).kind == perslay.train(graphs, None).kind == "ridge:unlabelled"
    assert perslay.train(graphs, overrides=["model=svm:sw"]).kind == "svm:sw"
    assert perslay.train(graphs, overrides=["model = 'svm:sw'"]).kind == "svm:sw"
    assert perslay.train(graphs, settings='model = "svm:sw"').kind == "svm:sw"
    assert perslay.train(graphs, "ridge", settings='model = "svm:sw"').kind == "ridge:unlabelled"
    with pytest.raises(ValueError, match="'svm:sw' and the override 'model=ridge:unlabelled' both name a model"):
        perslay.train(graphs, "svm:sw", overrides=["model=ridge:unlabelled"])
    with pytest.raises(ValueError, match="both name a model"):
        perslay.train(graphs, "svm:sw", overrides=["model = 'ridge'"])


def test_what_has_no_effect_is_refused(graphs):
    with pytest.raises(ValueError, match="reads what its pool names"):
        perslay.train(graphs, overrides={"data.filtrations": ["degree"]})


def test_spaces_in_overrides_change_nothing(graphs):
    few = ["training.epochs=1", "network.channel=Pm(3,3,2,sum)"]
    plain = perslay.train(graphs, overrides=["model=network", *few])
    spaced = perslay.train(graphs, overrides=["model = 'network'", *few])
    assert plain.settings == spaced.settings


def test_pickled_arrays_keep_their_precision(graphs):
    overrides = ["network.train_filtration=true", "data.filtrations=['hks:10']", "data.transforms=[]",
                 "features.names=[]", "network.channel=Pm(3,3,2,sum)", "training.epochs=1"]  # fmt: skip
    model = perslay.train(graphs, "network", overrides=overrides)
    again = model.with_arrays(pickle.loads(pickle.dumps(model.arrays)))
    np.testing.assert_array_equal(again.predict_proba(graphs), model.predict_proba(graphs))


def test_names_of_settings():
    found = perslay.names("settings")
    assert set(found) == {path.stem for path in EXPERIMENTS.glob("*.toml")}
    assert all(text and "#" not in text and "\n" not in text for text in found.values())
    assert found["graphs-strong"].endswith("and a small perceptron.")


# ---- checkpoints

LONG = ["network.channel=Pm(5,5,4,sum)", "training.epochs=12", "training.nets=2", "training.average=0.5"]

# Prints each epoch and, at the one that its second argument names, waits for a signal; each state is kept.
TRAINING = """
import signal, sys, threading, perslay
ended = threading.Event()

def end(*_):
    ended.set()
    raise KeyboardInterrupt

def wait_at_the_last(net, epoch, loss, accuracy):
    print(net, epoch, flush=True)
    if f"{net} {epoch}" == sys.argv[2]:
        ended.wait()

signal.signal(signal.SIGINT, end)

try:
    graphs = perslay.shapes(per_class=8)
    kept = {"checkpoint": sys.argv[1], "checkpoint_seconds": float(sys.argv[3])}
    perslay.train(graphs, "network", overrides=OVERRIDES, progress=wait_at_the_last, **kept)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(7)
"""


@pytest.fixture(scope="module")
def uninterrupted(graphs):
    return perslay.train(graphs, "network", overrides=LONG)


def ended(checkpoint, ending, after, seconds="0"):
    """A training in another process gets a signal after an epoch; gives back what it said after it, and its code."""
    code = TRAINING.replace("OVERRIDES", repr(LONG))
    process = subprocess.Popen([sys.executable, "-c", code, checkpoint, after, seconds], stdout=subprocess.PIPE, text=True)
    try:
        for line in process.stdout:
            if line == f"{after}\n":
                break
        process.send_signal(ending)
        rest, _ = process.communicate(timeout=60)
        return rest, process.returncode
    finally:
        process.kill()  # nothing is left behind, whatever failed


@pytest.mark.parametrize("after", ["0 3", "1 2"])
def test_a_training_that_was_killed_is_taken_up(after, graphs, uninterrupted, tmp_path):
    checkpoint = tmp_path / "state"
    _, code = ended(checkpoint, signal.SIGKILL, after)
    assert code == -signal.SIGKILL and checkpoint.exists()
    epochs = []
    model = perslay.train(
        graphs, "network", overrides=LONG, checkpoint=checkpoint, progress=lambda *place: epochs.append(place[:2])
    )
    assert_same(model, uninterrupted)
    assert model.history == uninterrupted.history
    net, epoch = map(int, after.split())
    assert (net, epoch) <= epochs[0] <= (net, epoch + 2)  # a state that it was about to write may be there or not
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seconds", ["0", "1e9"])  # the state is written when it is interrupted, too
def test_a_training_that_was_interrupted_is_taken_up(seconds, graphs, uninterrupted, tmp_path):
    checkpoint = tmp_path / "state"
    rest, code = ended(checkpoint, signal.SIGINT, "0 3", seconds)
    assert rest.endswith("interrupted\n") and code == 7 and [path.name for path in tmp_path.iterdir()] == ["state"]
    epochs = []
    model = perslay.train(
        graphs, "network", overrides=LONG, checkpoint=checkpoint, progress=lambda net, epoch, *_: epochs.append(epoch)
    )
    assert_same(model, uninterrupted)
    assert epochs[0] >= 3 and not checkpoint.exists()


class Enough(Exception):
    pass


def stop_after(net, epoch):
    def progress(*place):
        if place[:2] == (net, epoch):
            raise Enough(place)

    return progress


def test_what_progress_raises_leaves_the_state_of_the_last_epoch(graphs, uninterrupted, tmp_path):
    checkpoint = tmp_path / "state"
    with pytest.raises(Enough):
        perslay.train(
            graphs, "network", overrides=LONG, checkpoint=checkpoint, checkpoint_seconds=1e9, progress=stop_after(1, 4)
        )
    places = []
    model = perslay.train(
        graphs, "network", overrides=LONG, checkpoint=checkpoint, progress=lambda *place: places.append(place[:2])
    )
    assert_same(model, uninterrupted)
    assert places[0] == (1, 5)


def test_checkpoints_of_other_trainings_are_refused(graphs, tmp_path):
    checkpoint = tmp_path / "state"
    with pytest.raises(Enough):
        perslay.train(
            graphs, "network", overrides=LONG, checkpoint=checkpoint, checkpoint_seconds=0, progress=stop_after(0, 2)
        )
    kept = checkpoint.read_bytes()
    with pytest.raises(ValueError, match="not the state of this training"):
        perslay.train(graphs, "network", overrides=LONG, seed=1, checkpoint=checkpoint)
    with pytest.raises(ValueError, match="not the state of this training"):
        perslay.train(graphs[1:], "network", overrides=LONG, checkpoint=str(checkpoint))
    assert checkpoint.read_bytes() == kept
    model = perslay.train(graphs, "network", overrides=LONG, seed=1, checkpoint=checkpoint, fresh=True)
    assert_same(model, perslay.train(graphs, "network", overrides=LONG, seed=1))
    assert not checkpoint.exists()
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="notes.txt: This is not the state of a training"):
        perslay.train(graphs, "network", overrides=LONG, checkpoint=tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_damaged_checkpoints_are_refused(graphs, tmp_path):
    checkpoint = tmp_path / "state"
    with pytest.raises(Enough):
        perslay.train(
            graphs, "network", overrides=LONG, checkpoint=checkpoint, checkpoint_seconds=0, progress=stop_after(0, 2)
        )
    damaged = bytearray(checkpoint.read_bytes())
    damaged[len(damaged) // 2] ^= 0x40
    checkpoint.write_bytes(damaged)
    with pytest.raises(ValueError, match="state: This is not the state of a training, or it is damaged; remove it"):
        perslay.train(graphs, "network", overrides=LONG, checkpoint=checkpoint)
    assert checkpoint.read_bytes() == damaged


def test_files_of_others_stay_where_they_are(graphs, tmp_path):
    """Models that have no state of training say so, and leave a file alone."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="checkpoint is for networks, and the model is svm:sw"):
        perslay.train(graphs, "svm:sw", overrides=["svm.folds=2"], checkpoint=tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_places_for_checkpoints_that_are_none(graphs, tmp_path):
    for place in (tmp_path / "none" / "state", tmp_path):
        with pytest.raises((ValueError, RuntimeError), match=tmp_path.name):
            perslay.train(graphs, "network", overrides=QUICK, checkpoint=place)
    with pytest.raises(ValueError, match="checkpoint must be the name of a file, not ''"):
        perslay.train(graphs, "network", overrides=QUICK, checkpoint="")
    for seconds in (-1, math.nan):
        with pytest.raises(ValueError, match="checkpoint_seconds must be 0 or more, not"):
            perslay.train(graphs, "network", overrides=QUICK, checkpoint_seconds=seconds)


def test_a_training_that_fails_leaves_no_checkpoint(graphs, tmp_path):
    overrides = [CHANNEL, "training.rate=1e30", "training.epochs=5"]
    with pytest.raises(ValueError, match="training.rate below"):
        perslay.train(graphs, "network", overrides=overrides, checkpoint=tmp_path / "state", checkpoint_seconds=0)
    assert list(tmp_path.iterdir()) == []


# ---- progress


def test_progress_is_told(graphs):
    told = []
    model = perslay.train(
        graphs, "network", overrides=["training.nets=2", *QUICK], progress=lambda *place: told.append(place)
    )
    assert told == model.history and len(told) == 8


def test_progress_of_other_models(graphs):
    told = []
    model = perslay.train(graphs, "ridge", progress=lambda *place: told.append(place))
    assert told == model.history and all(len(place) == 4 for place in told)


def test_progress_may_use_the_library(graphs):
    """Here it is called on a thread of the library, on which Python listens to no signals."""
    found = []
    perslay.train(graphs, "network", overrides=QUICK, progress=lambda *_: found.append(perslay.distance([(0, 1)], [])))
    assert found == [0.5] * 4


def test_what_progress_raises_stops_the_training(graphs, uninterrupted, tmp_path):
    checkpoint = tmp_path / "state"
    options = {"overrides": LONG, "checkpoint": checkpoint, "checkpoint_seconds": 0}
    with pytest.raises(Enough) as raised:
        perslay.train(graphs, "network", progress=stop_after(1, 1), **options)
    assert raised.value.args[0][:2] == (1, 1) and checkpoint.exists()
    assert raised.traceback[-1].name == "progress"  # where it was raised
    assert_same(perslay.train(graphs, "network", **options), uninterrupted)
    with ThreadPoolExecutor(1) as pool, pytest.raises(Enough):
        pool.submit(perslay.train, graphs, "network", overrides=LONG, progress=stop_after(0, 0)).result()
    with pytest.raises(TypeError, match="positional"):
        perslay.train(graphs, "network", overrides=QUICK, progress=lambda net: None)
    with pytest.raises(KeyboardInterrupt):
        perslay.train(graphs, "network", overrides=QUICK, progress=lambda *_: signal.default_int_handler(2, None))
    with pytest.raises(Enough):  # of models without epochs
        perslay.train(graphs, "ridge", progress=stop_after(0, 0))


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_line_of_progress(graphs, capsys, monkeypatch):
    def on_terminal(*model, **options):
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", Terminal())
            perslay.train(graphs, *model, progress=True, **options)
            return sys.stderr.getvalue()

    drawn = on_terminal("network", overrides=["training.nets=2", *QUICK])
    assert drawn.startswith("\rnet 1 of 2, epoch 1 of 4: loss ")
    last = drawn.split("\r")[-1]
    assert last.startswith("net 2 of 2, epoch 4 of 4: loss ") and last.endswith("\n")
    assert "\repoch 4 of 4: loss " in on_terminal("network", overrides=QUICK)
    assert "\rcandidate 1 of " in on_terminal("ridge")
    channels = 'network.channel=["Pm(3,3,2,sum)", "Im(3,(),2,sum)"]'
    drawn = on_terminal("network", overrides=[channels, "network.choice_folds=2", "training.epochs=4"])
    assert drawn.startswith("\rchoosing a channel, training 1 of 4, epoch 1 of 4: loss ") and "\repoch 4 of 4: " in drawn
    perslay.train(graphs, "network", overrides=QUICK, progress=True)  # a file takes the last report, and no \r
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("epoch 4 of 4: loss ")
    assert captured.err.count("\n") == 1 and "\r" not in captured.err
    for quiet in (None, False):
        perslay.train(graphs, "network", overrides=QUICK, progress=quiet)
        assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="progress is True or a function"):
        perslay.train(graphs, "network", overrides=QUICK, progress="yes")


# ---- mistakes


def test_mistakes(graphs):
    with pytest.raises(ValueError, match="Batch norm needs at least 2"):
        perslay.train(graphs, "network", overrides=["network.channel_norm=true", "training.batch=1"])
    with pytest.raises(ValueError, match="training.rate below"):
        perslay.train(graphs, "network", overrides=[CHANNEL, "training.rate=1e30", "training.epochs=5"])
    with pytest.raises(ValueError, match="did you mean 'epochs'"):
        perslay.train(graphs, "network", overrides=["training.epoch=3"])
    with pytest.raises(ValueError, match="docs/python/torch.md"):
        perslay.train(graphs, "network", overrides=["network.channel={phi='mlp:12x8', op='sum'}"])
    with pytest.raises(ValueError, match="docs/python/torch.md"):
        perslay.train(graphs, "network", overrides=["data.filtrations=['learned:6x5']"])
    model = perslay.train(graphs, "network", overrides=QUICK)
    arrays = model.arrays
    arrays.pop("net0.dense0.bias")
    with pytest.raises(ValueError, match="net0.dense0.bias"):
        model.with_arrays(arrays).predict(graphs)
    with pytest.raises(ValueError):
        model.predict(perslay.orbits(1, points=10))


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ('"Pm(5,5,4,sum)"', '{phi = "mlp:12x8", op = "sum"}'),
        ('"Pm(5,5,4,sum)"', '{phi = "mlp:12x8", op = "sum+attention:4"}'),
        ('filtrations = ["degree"]', 'filtrations = ["learned:6x5"]'),
    ],
)
def test_older_files_that_name_what_is_torchs_now(now, before, graphs, tmp_path):
    path = tmp_path / "older.safetensors"
    perslay.train(graphs, "network", overrides=["data.filtrations=['degree']", *QUICK]).write(path)
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    model = json.loads(header["__metadata__"]["perslay"])
    assert now in model["settings"]
    model["settings"] = model["settings"].replace(now, before)
    header["__metadata__"]["perslay"] = json.dumps(model)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + size :])
    with pytest.raises(ValueError, match="older.safetensors.*docs/python/torch.md"):
        perslay.load_model(path)
