"""Kernel models: trained, kept, used."""

import numpy as np
import pytest

import perslay


@pytest.fixture(scope="module")
def model():
    return perslay.train(perslay.shapes(per_class=15), "svm:sw", overrides=["svm.folds=3"])


def test_predictions(model, tmp_path):
    graphs = perslay.shapes(per_class=5, seed=1)
    labels = model.predict(graphs)
    assert (labels == perslay.class_names(graphs)).mean() > 0.8
    model.write(tmp_path / "model.safetensors")
    again = perslay.load_model(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(again.predict_proba(graphs), model.predict_proba(graphs, threads=1))
    assert again.kind == "svm:sw" and again.classes == ["0", "1", "2"] and again.content == "graphs"
    edges = [(graph.edges, graph.num_nodes) for graph in graphs]
    assert again.predict(edges).tolist() == labels.tolist()
    graphs.write(tmp_path / "NEW")
    assert again.predict(tmp_path / "NEW").tolist() == labels.tolist()
    assert "model = " in again.settings and again.arrays


def test_ridge_on_graphs_and_clouds():
    graphs = perslay.train(perslay.shapes(per_class=8))
    assert graphs.kind == "ridge:unlabelled"
    clouds = perslay.orbits(6, points=200)
    model = perslay.train(clouds)
    assert model.kind == "ridge:orbits" and (model.predict(clouds) == perslay.class_names(clouds)).mean() > 0.8


def test_inputs_are_prepared():
    graphs = perslay.shapes(per_class=4)
    model = perslay.train(graphs, "svm:sw", overrides=["data.filtrations=['hks:1']"])
    diagrams, features = model.inputs(graphs)
    assert diagrams.keys() == model.groups == [("hks:1", kind) for kind in ("ord0", "rel1", "ext0", "ext1")]
    assert (diagrams["ext1"].points[:, 0] <= diagrams["ext1"].points[:, 1]).all()
    assert features.shape == (12, 0)


def test_mistakes(model, tmp_path):
    with pytest.raises(ValueError, match="svm:swk|swk"):
        perslay.train(perslay.shapes(per_class=2), "svm:swk")
    with pytest.raises(ValueError, match="Training needs labelled"):
        perslay.train([[(0, 1)]])
    with pytest.raises(ValueError, match="label"):
        perslay.train(perslay.Graphs([[(0, 1)]]))
    (tmp_path / "none.safetensors").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="none.safetensors"):
        perslay.load_model(tmp_path / "none.safetensors")
    with pytest.raises(ValueError):
        model.predict(perslay.orbits(1, points=20))
