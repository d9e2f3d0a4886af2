"""The estimators keep scikit-learn's rules, and what they compute is what the library computes."""

import doctest
import pickle
import subprocess
import sys

import numpy as np
import pytest

import perslay

sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")

import perslay.sklearn as ours  # noqa: E402
from sklearn.base import clone, is_classifier  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.linear_model import RidgeClassifier  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate, train_test_split  # noqa: E402
from sklearn.pipeline import make_pipeline, make_union  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.svm import SVC  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402

ESTIMATORS = [getattr(ours, name) for name in ours.__all__]


@pytest.fixture(scope="module")
def graphs():
    return perslay.shapes(per_class=12)


@pytest.fixture(scope="module")
def new_graphs():
    return perslay.shapes(per_class=6, seed=1)


@pytest.fixture(scope="module")
def diagrams(graphs):
    return perslay.diagrams(graphs, "hks:10")


def test_examples():
    failed, tried = doctest.testmod(ours, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 20 and failed == 0


# ---- scikit-learn's own checks


@pytest.mark.parametrize("estimator", ESTIMATORS)
@pytest.mark.parametrize(
    "check",
    [
        "check_estimator_cloneable",
        "check_estimator_repr",
        "check_no_attributes_set_in_init",
        "check_do_not_raise_errors_in_init_or_set_params",
        "check_parameters_default_constructible",
        "check_get_params_invariance",
        "check_set_params",
        "check_mixin_order",
        "check_valid_tag_types",
        "check_estimator_tags_renamed",
    ],
)
def test_checks_that_need_no_data(estimator, check):
    """Those that hand over matrices are run on estimators of rows below."""
    run = getattr(estimator_checks, check, None)
    if run is None:
        pytest.skip(f"this scikit-learn has no {check}")
    run(estimator.__name__, estimator())


def _old():
    return tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 6)


def of_rows(X):
    """A matrix as items: a group for each column, in which each item has one point."""
    return perslay.DiagramSet({(f"column{j}", "h0"): [[(x, x + 1)] for x in X[:, j]] for j in range(X.shape[1])})


def checked(estimator, X, y=None, *, reset):
    from sklearn.utils.validation import validate_data

    return validate_data(estimator, X, reset=reset) if y is None else validate_data(estimator, X, y, reset=reset)


class _MatrixTags:
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        return tags


class RowVectorizer(_MatrixTags, ours.DiagramVectorizer):
    def __init__(self, name="landscape:2x10", *, random_state=0):
        super().__init__(name, random_state=random_state)

    def fit(self, X, y=None):
        return super().fit(of_rows(checked(self, X, reset=True)))

    def fit_transform(self, X, y=None):
        return super().fit_transform(of_rows(checked(self, X, reset=True)))

    def transform(self, X):
        estimator_checks.check_is_fitted(self)
        return super().transform(of_rows(checked(self, X, reset=False)))


class RowKernel(_MatrixTags, ours.DiagramKernel):
    def __init__(self, kernel="sw", *, bandwidth=1.0):
        super().__init__(kernel, bandwidth=bandwidth)

    def fit(self, X, y=None):
        return super().fit(of_rows(checked(self, X, reset=True)))

    def transform(self, X):
        estimator_checks.check_is_fitted(self)
        return super().transform(of_rows(checked(self, X, reset=False)))


class RowClassifier(_MatrixTags, ours.PersLayClassifier):
    def __init__(self, model="svm:sw", *, overrides=None):
        super().__init__(model, overrides=overrides)

    def fit(self, X, y):
        if y is None:
            return super().fit(X, y)
        X, y = checked(self, X, y, reset=True)
        return super().fit(of_rows(X), y)

    def predict_proba(self, X):
        estimator_checks.check_is_fitted(self)
        return super().predict_proba(of_rows(checked(self, X, reset=False)))


@pytest.mark.filterwarnings("ignore")  # checks that skip themselves warn
@pytest.mark.skipif(_old(), reason="the estimators of rows are written for scikit-learn 1.6 and later")
@pytest.mark.parametrize(
    "estimator", [RowVectorizer(), RowKernel(), RowClassifier(overrides={"svm.costs": [1, 100], "svm.folds": 2})]
)
def test_all_checks_on_rows(estimator):
    """Every check of scikit-learn, on estimators that make items of rows before they go on."""
    results = estimator_checks.check_estimator(estimator, on_fail=None)
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    assert len(results) > 40
    assert not failed


def test_tags():
    assert is_classifier(ours.PersLayClassifier())
    assert not is_classifier(ours.GraphDiagrams())
    if not _old():
        from sklearn.utils import get_tags

        assert all(not get_tags(estimator()).input_tags.two_d_array for estimator in ESTIMATORS)
        assert get_tags(ours.PersLayClassifier()).target_tags.required
        assert not get_tags(ours.GraphDiagrams()).requires_fit


@pytest.mark.parametrize("estimator", [ours.DiagramTransformer(), ours.DiagramVectorizer(), ours.DiagramKernel()])
def test_not_fitted(estimator, diagrams):
    with pytest.raises(NotFittedError):
        estimator.transform(diagrams)
    with pytest.raises(NotFittedError):
        ours.PersLayClassifier().predict([[(0, 1)]])


# ---- to diagrams


def test_graph_diagrams_are_the_librarys(graphs):
    found = ours.GraphDiagrams(["hks:1", "degree"], kinds=["ord0", "ext1"]).fit_transform(graphs)
    wanted = perslay.diagrams(graphs, ["hks:1", "degree"], kinds=["ord0", "ext1"])
    assert list(found.groups) == list(wanted.groups)
    assert all(found[key] == wanted[key] for key in wanted.groups)


def test_graphs_of_all_sorts():
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    sparse = pytest.importorskip("scipy.sparse", reason="SciPy is not installed")
    edges = np.array([(0, 1), (1, 2), (2, 0), (2, 3)])
    matrix = sparse.coo_array((np.ones(4), edges.T), shape=(4, 4))

    class Data:
        edge_index, num_nodes = edges.T, 4

    each = [networkx.Graph(edges.tolist()), matrix.tocsr(), edges, Data(), perslay.Graphs([edges])[0]]
    found = ours.GraphDiagrams("degree").fit_transform(each)
    assert len(found) == 5
    for _, batch in found.groups.items():
        assert all(np.array_equal(batch[0], batch[i]) for i in range(5))


def test_cloud_diagrams_are_the_librarys():
    clouds = perslay.orbits(2, points=100)
    wanted = perslay.alpha_persistence(clouds, radii=True, prominent=20)
    for given in (clouds, clouds.to_list(), np.array(clouds.to_list())):
        found = ours.CloudDiagrams(radii=True, prominent=20).fit_transform(given)
        assert all(found[key] == wanted[key] for key in wanted.groups)


def test_fit_refuses_what_means_nothing(graphs):
    with pytest.raises(ValueError, match="hsk"):
        ours.GraphDiagrams("hsk:10").fit(graphs)
    with pytest.raises(ValueError, match="h7"):
        ours.CloudDiagrams(kinds=["h7"]).fit([])
    with pytest.raises(ValueError, match="n_jobs"):
        ours.GraphDiagrams(n_jobs=0).fit(graphs)


def test_threads_change_nothing(graphs):
    one = ours.GraphDiagrams().fit_transform(graphs)
    for n_jobs in (2, -1, -100):
        many = ours.GraphDiagrams(n_jobs=n_jobs).fit_transform(graphs)
        assert all(one[key] == many[key] for key in one.groups)


# ---- what is fitted is fitted to the training part


def test_scale_is_fitted_to_training(diagrams):
    train, test = diagrams[::2], diagrams[1::2]
    scale = ours.DiagramTransformer(["reorder", "scale"]).fit(train)
    done = scale.transform(train)
    for key, batch in done.groups.items():
        assert batch.points.min() == 0 and batch.points.max() == 1
        low, high = scale.transforms_[list(done.groups).index(key)][1].scale
        raw = perslay.transform(test[key], "reorder").points
        assert np.allclose(scale.transform(test)[key].points, (raw - low) / (high - low))
    assert done["ord0"] == perslay.transform(train["ord0"], "reorder", "scale")


def test_transformer_keeps_what_it_gets(diagrams):
    prominent = ours.DiagramTransformer("prom:3")
    assert isinstance(prominent.fit_transform(diagrams), perslay.DiagramSet)
    assert isinstance(prominent.fit_transform(diagrams["ord0"]), perslay.DiagramBatch)
    assert prominent.fit_transform(diagrams["ord0"].to_list()).counts.max() == 3


def test_frames_are_fitted_to_training(diagrams):
    train, test = diagrams[::2], diagrams[1::2]
    vectorizer = ours.DiagramVectorizer("betti:7").fit(train)
    wanted, frames = perslay.vectorize(train, "betti:7", return_frames=True)
    assert vectorizer.frames_ == frames
    assert np.array_equal(vectorizer.transform(train), wanted)
    assert np.array_equal(vectorizer.transform(test), perslay.vectorize(test, "betti:7", frames=frames))
    assert not np.array_equal(vectorizer.transform(test), perslay.vectorize(test, "betti:7"))


def test_layers_as_vectors(diagrams):
    vectorizer = ours.DiagramVectorizer(None, phi="rational:6", weight="power:1", op="mean", random_state=3)
    first = vectorizer.fit_transform(diagrams)
    assert first.shape == (36, 4 * 6)
    assert np.array_equal(first, vectorizer.transform(diagrams))
    assert not np.array_equal(first, clone(vectorizer).set_params(random_state=4).fit_transform(diagrams))
    with pytest.raises(ValueError, match="phi"):
        ours.DiagramVectorizer("betti:5", phi="line:5").fit(diagrams)


def test_names_of_columns(diagrams):
    names = ours.DiagramVectorizer("landscape:2x3").fit(diagrams).get_feature_names_out()
    assert len(names) == 4 * 6 and len(set(names)) == len(names)
    assert names[0].startswith("hks:10/ord0/")
    assert len(ours.DiagramKernel().fit(diagrams).get_feature_names_out()) == 36


def test_kernel_is_the_librarys(diagrams):
    train, test = diagrams[::2], diagrams[1::2]
    for name in ("sw", "pss", "pwg", "pf"):
        fitted = perslay.Kernel(name).fit(train)
        kernel = ours.DiagramKernel(name)
        assert np.allclose(kernel.fit_transform(train), fitted.gram(train), rtol=1e-14)
        assert np.allclose(kernel.transform(test), fitted.gram(test, train), rtol=1e-14)


@pytest.mark.parametrize(("name", "power"), [("sw", 2), ("pwg", 2), ("pf", 1)])
def test_bandwidth(diagrams, name, power):
    base = ours.DiagramKernel(name).fit_transform(diagrams)
    wide = ours.DiagramKernel(name, bandwidth=3).fit_transform(diagrams)
    assert np.allclose(wide, base ** (1 / 3**power))


def test_bandwidth_refused(diagrams):
    with pytest.raises(ValueError, match="bandwidth"):
        ours.DiagramKernel(bandwidth=0).fit(diagrams)
    with pytest.raises(ValueError, match="no outer bandwidth"):
        ours.DiagramKernel("pss", bandwidth=2).fit(diagrams)


@pytest.mark.parametrize("estimator", [ours.DiagramTransformer(), ours.DiagramVectorizer(), ours.DiagramKernel()])
def test_other_groups_are_refused(diagrams, graphs, estimator):
    estimator = clone(estimator).fit(diagrams)
    with pytest.raises(ValueError, match="fitted to hks:10 ord0, .* X has hks:1 ord0"):
        estimator.transform(perslay.diagrams(graphs, "hks:1"))
    with pytest.raises(ValueError, match="one kind without a name"):
        estimator.transform(diagrams["ord0"])


@pytest.mark.parametrize("estimator", [ours.DiagramTransformer(), ours.DiagramVectorizer(), ours.DiagramKernel()])
def test_order_of_groups_is_that_of_fit(diagrams, estimator):
    estimator = clone(estimator).fit(diagrams)
    turned = perslay.DiagramSet({key: diagrams[key] for key in reversed(list(diagrams.groups))})
    one, other = estimator.transform(diagrams), estimator.transform(turned)
    if isinstance(one, perslay.DiagramSet):
        assert list(one.groups) == list(other.groups) and all(one[key] == other[key] for key in one.groups)
    else:
        assert np.array_equal(one, other)


def test_items_one_by_one(diagrams):
    """scikit-learn takes items out of a sequence one by one."""
    train, test = train_test_split(diagrams, test_size=10, random_state=0)
    assert len(train) == 26 and len(test) == 10 and isinstance(train, perslay.DiagramSet)
    train = [train[i] for i in range(len(train))]
    rows = ours.DiagramVectorizer("betti:5").fit_transform(train)
    places = train_test_split(np.arange(36), test_size=10, random_state=0)[0]
    assert np.array_equal(rows, ours.DiagramVectorizer("betti:5").fit_transform(diagrams[places]))
    few = ours.DiagramTransformer("prom:5").fit_transform(train)
    assert few["ord0"] == perslay.transform(diagrams[places], "prom:5")["ord0"]  # vertices included
    mixed = [diagrams[:1], perslay.DiagramSet({("a", "h0"): [[(0, 1)]]})]
    with pytest.raises(ValueError, match="Part 1 has a h0"):
        ours.DiagramVectorizer().fit(mixed)


# ---- in the company of scikit-learn


def test_pipeline_and_search(graphs, new_graphs):
    pipeline = make_pipeline(
        ours.GraphDiagrams(),
        ours.DiagramTransformer("prom:50"),
        make_union(ours.DiagramVectorizer("image:8x8"), ours.DiagramVectorizer("betti:20")),
        RidgeClassifier(),
    )
    search = GridSearchCV(
        pipeline,
        {
            "graphdiagrams__filtration": ["hks:10", "degree"],
            "diagramtransformer__steps": ["prom:50", ["prom:20", "scale"]],
        },
        cv=3,
    )
    search.fit(graphs, graphs.labels)
    assert len(search.cv_results_["params"]) == 4
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.score(new_graphs, new_graphs.labels) >= 0.9


def test_kernel_in_a_search(graphs, new_graphs):
    pipeline = make_pipeline(ours.GraphDiagrams(), ours.DiagramKernel(), SVC(kernel="precomputed"))
    search = GridSearchCV(pipeline, {"diagramkernel__bandwidth": [0.1, 1, 10], "svc__C": [1, 100]}, cv=3)
    assert search.fit(graphs, graphs.labels).score(new_graphs, new_graphs.labels) >= 0.9


def test_frames_as_output(diagrams):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    table = ours.DiagramVectorizer("betti:3").set_output(transform="pandas").fit_transform(diagrams)
    assert isinstance(table, pandas.DataFrame) and table.shape == (36, 12)


@pytest.mark.parametrize("model", ["ridge", "svm:sw"])
def test_classifier_on_graphs(model, graphs, new_graphs):
    classifier = ours.PersLayClassifier(model).fit(graphs, graphs.labels)
    assert classifier.score(new_graphs, new_graphs.labels) >= 0.9
    probabilities = classifier.predict_proba(new_graphs)
    assert probabilities.shape == (18, 3) and np.allclose(probabilities.sum(axis=1), 1, atol=1e-6)
    assert np.array_equal(classifier.classes_[probabilities.argmax(axis=1)], classifier.predict(new_graphs))
    assert cross_val_score(ours.PersLayClassifier(model), graphs, graphs.labels, cv=3).mean() >= 0.9


def test_classifier_on_clouds():
    train, test = perslay.orbits(20, points=400), perslay.orbits(8, points=400, seed=1)
    classifier = ours.PersLayClassifier().fit(train.to_list(), train.labels)
    assert classifier.content_ == "clouds"
    assert classifier.score(test, test.labels) >= 0.5  # guessing gives 0.2
    three = ours.PersLayClassifier().fit(train, train.labels)
    assert np.array_equal(three.predict_proba(test), classifier.predict_proba(test.to_list()))


def test_classifier_on_diagrams(graphs, new_graphs):
    classifier = ours.PersLayClassifier("svm:sw").fit(perslay.diagrams(graphs), graphs.labels)
    assert classifier.content_ == "diagrams"
    assert classifier.score(perslay.diagrams(new_graphs), new_graphs.labels) >= 0.9
    pipeline = make_pipeline(ours.GraphDiagrams(), ours.PersLayClassifier("svm:sw"))
    assert cross_val_score(pipeline, graphs, graphs.labels, cv=3).mean() >= 0.9
    with pytest.raises(ValueError, match="svm:sw"):
        ours.PersLayClassifier("ridge").fit(perslay.diagrams(graphs), graphs.labels)


def test_classes_of_any_type(graphs):
    for names in (np.array(["tree", "ring", "dense"]), np.array([30, 4, 100]), np.array([2.0, -1.0, 7.0])):
        y = names[graphs.labels]
        classifier = ours.PersLayClassifier("ridge").fit(graphs, y)
        assert np.array_equal(classifier.classes_, np.unique(names))
        assert classifier.predict(graphs).dtype == y.dtype
        assert classifier.score(graphs, y) >= 0.9


def test_node_labels():
    """Two classes of rings that differ in nothing but the labels of their vertices."""
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    items, y = [], []
    for place in range(24):
        ring = networkx.cycle_graph(6 + place // 2 % 4)
        networkx.set_node_attributes(ring, {v: v % 2 if place % 2 else 0 for v in ring}, "atom")
        items.append(ring)
        y.append(place % 2)
    labelled = ours.PersLayClassifier("ridge:labelled", node_labels="atom")
    assert cross_val_score(labelled, items, y, cv=3).mean() == 1
    assert cross_val_score(ours.PersLayClassifier("ridge"), items, y, cv=3).mean() < 0.8
    own = perslay.Graphs(items, node_labels="atom")
    assert ours.PersLayClassifier("ridge:labelled").fit(own, y).score(own, y) == 1


def test_settings_and_overrides(graphs):
    classifier = ours.PersLayClassifier("svm:sw", filtration="degree", overrides={"svm.folds": 3, "svm.costs": [1, 10]})
    settings = classifier.fit(graphs, graphs.labels).model_.settings
    assert 'filtrations = ["degree"]' in settings and "folds = 3" in settings and "costs = [1, 10]" in settings
    given = ours.PersLayClassifier("svm:sw", settings='name = "mine"\n[data]\nfiltrations = ["closeness"]')
    assert 'filtrations = ["closeness"]' in given.fit(graphs, graphs.labels).model_.settings
    with pytest.raises(ValueError, match="fold"):
        ours.PersLayClassifier("svm:sw", overrides={"svm.fold": 3}).fit(graphs, graphs.labels)


@pytest.mark.parametrize(
    ("changes", "y", "says"),
    [
        ({"filtration": "degree"}, np.arange(36) % 2, "what its pool names"),
        ({"overrides": "svm.folds=3"}, np.arange(36) % 2, "a dictionary or a list of texts"),
        ({}, np.zeros(36), "one|1 class"),
        ({}, np.arange(35) % 2, "inconsistent"),
        ({"model": "rigde"}, np.arange(36) % 2, "rigde"),
        ({"content": "trees"}, np.arange(36) % 2, "trees"),
    ],
)
def test_classifier_refuses(graphs, changes, y, says):
    with pytest.raises(ValueError, match=says):
        ours.PersLayClassifier(**changes).fit(graphs, y)


def test_failed_fit_leaves_it_unfitted(graphs):
    classifier = ours.PersLayClassifier("rigde")
    with pytest.raises(ValueError):
        classifier.fit(graphs, graphs.labels)
    with pytest.raises(NotFittedError):
        classifier.predict(graphs)


def test_arrays_are_edges_or_points(graphs):
    edges = [graph.edges for graph in graphs]
    assert ours.PersLayClassifier().fit(edges, graphs.labels).content_ == "graphs"
    assert ours.PersLayClassifier().fit([[], *edges], [0, *graphs.labels]).content_ == "graphs"
    assert ours.PersLayClassifier().fit([(part, 70) for part in edges], graphs.labels).content_ == "graphs"
    floats = [points.astype(float) for points in edges]
    assert ours.PersLayClassifier().fit(floats, graphs.labels).content_ == "clouds"
    assert ours.PersLayClassifier(content="graphs").fit(edges, graphs.labels).score(edges, graphs.labels) >= 0.9


@pytest.mark.parametrize(
    "estimator",
    [
        make_pipeline(
            ours.GraphDiagrams(),
            ours.DiagramTransformer(["prom:20", "scale"]),
            ours.DiagramVectorizer("image:5x5"),
            RidgeClassifier(),
        ),
        make_pipeline(ours.GraphDiagrams(), ours.DiagramKernel("pwg"), SVC(kernel="precomputed")),
        ours.PersLayClassifier("ridge"),
        ours.PersLayClassifier("svm:sw"),
    ],
)
def test_pickles_predict_the_same(estimator, graphs, new_graphs):
    fitted = clone(estimator).fit(graphs, graphs.labels)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(fitted.predict(new_graphs), again.predict(new_graphs))
    if hasattr(fitted, "predict_proba") and isinstance(fitted, ours.PersLayClassifier):
        assert np.array_equal(fitted.predict_proba(new_graphs), again.predict_proba(new_graphs))


def test_split_graphs_go_to_other_processes(graphs):
    """A list of single graphs, as scikit-learn cuts it, pickles."""
    some = [graphs[0], graphs[20]]
    again = pickle.loads(pickle.dumps(some))
    assert all(np.array_equal(a.edges, b.edges) and a.num_nodes == b.num_nodes for a, b in zip(some, again))


def test_model_files(graphs, new_graphs, tmp_path):
    classifier = ours.PersLayClassifier("svm:sw").fit(graphs, graphs.labels)
    classifier.model_.write(tmp_path / "model.safetensors")
    model = perslay.load_model(tmp_path / "model.safetensors")
    assert np.array_equal(model.predict_proba(new_graphs), classifier.predict_proba(new_graphs))


# ---- networks

QUICK = {"training.epochs": 30, "network.channel": "Pm(10,10,5,sum)"}


def test_network(graphs, new_graphs, tmp_path):
    classifier = ours.PersLayClassifier("network", filtration="hks:10", overrides=QUICK)
    classifier.fit(graphs, np.array(["tree", "ring", "dense"])[graphs.labels])
    truth = np.array(["tree", "ring", "dense"])[new_graphs.labels]
    assert isinstance(classifier.model_, perslay.Model) and len(classifier.model_.history) == 30
    assert classifier.score(new_graphs, truth) >= 0.9
    again = pickle.loads(pickle.dumps(classifier))
    assert np.array_equal(again.predict_proba(new_graphs), classifier.predict_proba(new_graphs))
    same = clone(classifier).fit(graphs, np.array(["tree", "ring", "dense"])[graphs.labels])
    assert np.array_equal(same.predict_proba(new_graphs), classifier.predict_proba(new_graphs))
    other = clone(classifier).set_params(random_state=1).fit(graphs, graphs.labels)
    assert not np.array_equal(other.predict_proba(new_graphs), classifier.predict_proba(new_graphs))
    classifier.model_.write(tmp_path / "network.safetensors")
    loaded = perslay.load_model(tmp_path / "network.safetensors")
    assert np.array_equal(loaded.predict_proba(new_graphs), classifier.predict_proba(new_graphs))


def test_network_is_that_of_train(graphs):
    options = {**QUICK, "data.filtrations": ["hks:10"]}
    expected = perslay.train(graphs, "network", overrides=options, seed=5).predict_proba(graphs)
    for n_jobs in (None, 2):
        classifier = ours.PersLayClassifier("network", overrides=options, random_state=5, n_jobs=n_jobs)
        assert np.array_equal(classifier.fit(graphs, graphs.labels).predict_proba(graphs), expected)


def test_network_in_a_search(graphs):
    network = ours.PersLayClassifier("network", filtration="hks:10")
    choices = [
        QUICK,
        {**QUICK, "network.channel": {"phi": "gaussian:8x8", "weight": "grid:5x5", "op": "sum"}, "network.hidden": [8]},
    ]
    search = GridSearchCV(network, {"overrides": choices}, cv=3).fit(graphs, graphs.labels)
    assert search.best_score_ >= 0.9


def test_settings_by_name(graphs):
    quick = {"training.epochs": 1}
    network = ours.PersLayClassifier(None, settings="mutag", overrides=quick).fit(graphs, graphs.labels).model_
    assert network.kind == "network" and 'name = "mutag"' in network.settings
    assert 'filtrations = ["hks:10"]' in network.settings
    changed = ours.PersLayClassifier("network", settings="mutag", filtration="degree", overrides=quick)
    assert 'filtrations = ["degree"]' in changed.fit(graphs, graphs.labels).model_.settings
    kernel = ours.PersLayClassifier("svm:sw", settings="mutag").fit(graphs, graphs.labels).model_
    assert kernel.kind == "svm:sw" and 'name = "mutag"' in kernel.settings
    assert ours.PersLayClassifier(None).fit(graphs, graphs.labels).model_.kind == "ridge:unlabelled"
    with pytest.raises(ValueError, match="no settings called 'mutagg'"):
        ours.PersLayClassifier("network", settings="mutagg").fit(graphs, graphs.labels)


WITHOUT_TORCH = """
import sys, perslay
from perslay.sklearn import PersLayClassifier
graphs = perslay.shapes(per_class=5)
options = {"training.epochs": 3, "network.channel": "Pm(5,5,5,sum)"}
print(PersLayClassifier("network", overrides=options).fit(graphs, graphs.labels).predict(graphs).shape)
print("torch" in sys.modules)
"""


def test_network_without_torch():
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True)
    assert done.stdout == "(15,)\nFalse\n", done.stderr


# ---- batches stay whole where scikit-learn cuts them into folds


def test_folds_of_batches_are_batches(graphs, diagrams):
    places = train_test_split(np.arange(36), test_size=10, random_state=0)[0]
    for batch in (graphs, diagrams, diagrams["ext1"], perslay.orbits(8, points=20)[:36]):
        train, test = train_test_split(batch, test_size=10, random_state=0)
        assert type(train) is type(batch) and (len(train), len(test)) == (26, 10)
        assert batch.shape == (36,)
        if isinstance(batch, perslay.DiagramBatch):
            assert train == batch[places]


def test_cross_validation_of_a_batch_is_of_diagrams(graphs, diagrams):
    found = cross_validate(
        ours.PersLayClassifier("svm:sw"), diagrams["ext1"], graphs.labels, cv=3, return_estimator=True
    )
    assert {estimator.content_ for estimator in found["estimator"]} == {"diagrams"}


def test_cross_validation_keeps_node_labels():
    """The classes differ in the labels of vertices alone."""
    ring = [(i, (i + 1) % 8) for i in range(8)]
    node_labels = [[0] * 8 if i % 2 else [0, 1] * 4 for i in range(24)]
    graphs = perslay.Graphs([ring] * 24, node_labels=node_labels)
    scores = cross_val_score(ours.PersLayClassifier("ridge:labelled"), graphs, np.arange(24) % 2, cv=3)
    assert scores.mean() == 1
    classifier = ours.PersLayClassifier("ridge:labelled").fit(graphs, np.arange(24) % 2)
    assert classifier.predict([graphs[1], graphs[0]]).tolist() == [1, 0]  # single graphs have theirs, too


def test_labels_that_items_have_are_learned(graphs):
    known = ours.PersLayClassifier().fit(graphs)
    assert known.classes_.tolist() == ["0", "1", "2"]
    assert known.score(graphs, perslay.class_names(graphs)) > 0.9
    with pytest.raises(ValueError, match="y to be passed"):
        ours.PersLayClassifier().fit([graph.edges for graph in graphs])


def test_weights_are_those_of_fit():
    """The classes differ in the weights of edges alone; some graphs have no edge."""
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")

    def path(heavy):
        graph = networkx.path_graph(6)
        networkx.set_edge_attributes(graph, {edge: 9.0 if heavy and edge[0] % 2 else 1.0 for edge in graph.edges}, "w")
        return graph

    y = np.arange(21) % 2
    items = [path(label) for label in y[:-1]] + [networkx.empty_graph(6)]
    classifier = ours.PersLayClassifier("svm:sw", filtration="hks:1", weights="w").fit(items, y)
    assert classifier.score(items, y) > 0.9
    graphs = perslay.Graphs(items, weights="w")
    assert np.array_equal(classifier.predict_proba(graphs), classifier.predict_proba(items))
    with pytest.raises(ValueError, match="Graph 0 has no weights"):
        classifier.predict(perslay.Graphs(items))
    own = ours.PersLayClassifier("svm:sw", filtration="hks:1").fit(graphs, y)
    assert own.score(graphs, y) > 0.9
    with pytest.raises(ValueError, match="have weights, and these have none"):
        own.predict(perslay.Graphs(items))
    weighted = ours.GraphDiagrams("hks:1", weights="w").fit_transform(items)
    assert weighted["ext0"] == perslay.diagrams(graphs, "hks:1")["ext0"]


def test_transforms_keep_labels_and_classes():
    found = perslay.diagrams(perslay.Graphs([[(0, 1)]] * 12, labels=range(12)), "degree")
    for part in (found, found[10:]):
        for done in (perslay.transform(part, "reorder"), ours.DiagramTransformer("reorder").fit_transform(part)):
            assert done.labels.tolist() == part.labels.tolist() and done.classes == found.classes


def test_a_transformer_is_not_fitted_to_nothing():
    with pytest.raises(ValueError, match="0 sample"):
        ours.DiagramTransformer("scale").fit([])


def test_settings_name_the_model_and_filtrations_are_never_ignored():
    graphs = perslay.shapes(per_class=6)
    few = {"training.epochs": 1, "network.channel": "Pm(3,3,2,sum)"}
    assert ours.PersLayClassifier(settings="mutag", overrides=few).fit(graphs).model_.kind == "network"
    assert ours.PersLayClassifier().fit(graphs).model_.kind == "ridge:unlabelled"
    for classifier in (ours.PersLayClassifier(filtration="degree"), ours.PersLayClassifier("ridge", filtration="degree"),
                       ours.PersLayClassifier(settings="graphs-ridge", filtration="degree")):  # fmt: skip
        with pytest.raises(ValueError, match="reads what its pool names"):
            classifier.fit(graphs)


# ---- whole pipelines in tables


def test_names_along_a_pipeline(graphs):
    pipeline = make_pipeline(
        ours.GraphDiagrams(["hks:1", "degree"], kinds=["ord0", "ext1"]),
        ours.DiagramTransformer("scale"),
        ours.DiagramVectorizer("betti:3"),
        StandardScaler(),
    )
    numbers = pipeline.fit_transform(graphs)
    names = ["hks:1/ord0", "hks:1/ext1", "degree/ord0", "degree/ext1"]
    assert pipeline[0].get_feature_names_out().tolist() == names
    assert pipeline[:2].get_feature_names_out().tolist() == names
    columns = pipeline.get_feature_names_out()
    assert len(columns) == numbers.shape[1] == 12
    assert [name.rpartition("/")[0] for name in columns[::3]] == names
    batch = ours.DiagramTransformer("scale").fit([[(0, 1)]])
    assert batch.get_feature_names_out().tolist() == ["diagrams"]
    assert ours.CloudDiagrams(radii=True).get_feature_names_out().tolist() == ["alpha:radii/h0", "alpha:radii/h1"]
    with pytest.raises(NotFittedError):
        ours.DiagramTransformer().get_feature_names_out()


def test_tables_along_a_pipeline(graphs, new_graphs):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    steps = [ours.GraphDiagrams(), ours.DiagramTransformer("scale"), ours.DiagramVectorizer("betti:3"), StandardScaler()]
    numbers = make_pipeline(*steps).fit(graphs).transform(new_graphs)
    pipeline = make_pipeline(*steps).set_output(transform="pandas").fit(graphs)
    table = pipeline.transform(new_graphs)
    assert isinstance(table, pandas.DataFrame) and np.array_equal(table.to_numpy(), numbers)
    assert table.columns.tolist() == pipeline.get_feature_names_out().tolist()
    assert isinstance(pipeline[:2].transform(new_graphs), perslay.DiagramSet)
    gram = make_pipeline(ours.GraphDiagrams(), ours.DiagramKernel("sw")).set_output(transform="pandas").fit_transform(graphs)
    assert gram.columns[0] == "diagramkernel0" and gram.shape == (len(graphs), len(graphs))
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(ours.GraphDiagrams().fit_transform(graphs), perslay.DiagramSet)
        assert isinstance(ours.DiagramVectorizer("betti:3").fit_transform(ours.GraphDiagrams().transform(graphs)), pandas.DataFrame)


@pytest.mark.parametrize("n_jobs", [0, 1.5, "all", True])
def test_what_is_no_number_of_jobs(graphs, diagrams, n_jobs):
    for estimator, X in (
        (ours.GraphDiagrams(n_jobs=n_jobs), graphs),
        (ours.CloudDiagrams(n_jobs=n_jobs), [[(0, 0), (1, 0)]]),
        (ours.DiagramVectorizer(n_jobs=n_jobs), diagrams),
        (ours.DiagramKernel(n_jobs=n_jobs), diagrams),
        (ours.PersLayClassifier("svm:sw", n_jobs=n_jobs), graphs),
    ):
        with pytest.raises(ValueError, match="n_jobs must be a number of threads, or -1 for all, not"):
            estimator.fit(X)
