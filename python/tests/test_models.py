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


def test_damaged_models_are_refused(model, tmp_path):
    path = tmp_path / "model.safetensors"
    model.write(path)
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 97):
        damaged = bytearray(whole)
        damaged[place] ^= 0x40
        path.write_bytes(damaged)
        try:
            again = perslay.load_model(path)
        except ValueError as error:
            assert "model.safetensors" in str(error)
        else:  # the checksum's own name was damaged, so the file looks like one of an earlier version
            again.write(path)
            assert path.read_bytes() == whole
    damaged = bytearray(whole)
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(ValueError, match="The file is damaged: its content does not match its checksum"):
        perslay.load_model(path)


def test_models_keep_rights_and_links(model, tmp_path):
    path, link = tmp_path / "model.safetensors", tmp_path / "link.safetensors"
    path.touch(mode=0o600)
    link.symlink_to(path.name)
    model.write(link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o600
    assert perslay.load_model(path).classes == model.classes
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(ValueError, match="loop: The links of this name lead in a circle"):
        model.write(tmp_path / "loop")


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
    assert list(diagrams.groups) == model.groups == [("hks:1", kind) for kind in ("ord0", "rel1", "ext0", "ext1")]
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
