"""Estimators for scikit-learn: graphs or clouds to diagrams, diagrams to numbers or kernels, and a classifier.

    make_pipeline(GraphDiagrams("hks:10"), DiagramVectorizer("landscape:5x60"), LogisticRegression())
    make_pipeline(CloudDiagrams(), DiagramTransformer("prom:200"), DiagramKernel("sw"), SVC(kernel="precomputed"))
    PersLayClassifier("ridge")

A sample is a graph, a cloud or the diagrams of one item, not a row of a matrix. So `X` is a list of graphs (NetworkX,
SciPy sparse, arrays of edges, PyTorch Geometric, perslay's own), a list of arrays of points, or what an earlier step of
a pipeline gives. Whatever is fitted (scales, frames, bandwidths, models) is fitted to what `fit` is given and to
nothing else, so a cross-validation is honest. `n_jobs` is as in scikit-learn: None for one thread, -1 for all; the
library's own functions call that `threads`, where None stands for all. Every estimator that may take long has it, and
`DiagramTransformer`, which never does, has none.

`set_output(transform="pandas")` and `get_feature_names_out` work along whole pipelines. Diagrams remain diagrams; their
names are those of their groups, "hks:10/ext1". Numbers become a table whose columns have the names of the numbers.

Of scikit-learn's checks for estimators, those that hand over matrices do not apply, and there is no `n_features_in_`;
the tests run them all the same, on subclasses that make items of rows.

>>> import perslay
>>> from perslay.sklearn import DiagramVectorizer, GraphDiagrams
>>> from sklearn.linear_model import RidgeClassifier
>>> from sklearn.model_selection import cross_val_score
>>> from sklearn.pipeline import make_pipeline
>>> graphs = perslay.shapes(per_class=10)
>>> pipeline = make_pipeline(GraphDiagrams("hks:10"), DiagramVectorizer("image:10x10"), RidgeClassifier())
>>> bool(cross_val_score(pipeline, graphs, graphs.labels, cv=3).mean() > 0.9)
True
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin
    from sklearn.utils import check_consistent_length, check_random_state, column_or_1d
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise ImportError("perslay.sklearn needs scikit-learn; install it with: pip install 'perslay[sklearn]'") from error

from . import _core
from ._convert import DATA_KINDS, as_batch, as_labelled, as_range, assignments, kind_of
from ._diagrams import class_names, concatenate
from ._functions import Filtration
from ._graph_items import is_dataset, is_graph
from ._models import train
from ._names import Kind
from ._persistence import EXTENDED, alpha_persistence, diagrams

__all__ = [
    "CloudDiagrams",
    "DiagramKernel",
    "DiagramTransformer",
    "DiagramVectorizer",
    "GraphDiagrams",
    "PersLayClassifier",
]


# ---- what all have in common


class _Samples(BaseEstimator):
    """Says to scikit-learn that X is not a matrix."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags

    def _more_tags(self) -> dict[str, Any]:  # the same before scikit-learn 1.6
        return {"X_types": ["samples"], "no_validation": True}


class _ToDiagrams(TransformerMixin, _Samples):
    """A transformer whose output are diagrams, whatever container is wished for numbers."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(auto_wrap_output_keys=None, **options)

    def set_output(self, *, transform: str | None = None) -> _ToDiagrams:
        """Changes nothing: diagrams are no table. A pipeline passes it on to the steps that give numbers."""
        return self


class _Stateless(_ToDiagrams):
    """A transformer that learns nothing: `fit` tells whether the parameters mean something."""

    def fit(self, X: Any, y: Any = None) -> _Stateless:
        """Checks the parameters; nothing is learned."""
        self._compute([])
        return self

    def transform(self, X: Any) -> _core.DiagramSet:
        """The diagrams of all items."""
        return self._compute(X)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The groups of the diagrams, as "filtration/kind"."""
        return _group_names(list(self._compute([]).groups))

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {**super()._more_tags(), "requires_fit": False}


def _threads(n_jobs: int | None) -> int | None:
    """The library's number of threads, where None stands for all."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs must be a number of threads, or -1 for all, not {n_jobs!r}.")
    return int(n_jobs)


def _seed(random_state: Any) -> int:
    """The library's seed: an integer as it is, otherwise drawn."""
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31))


def _diagrams(X: Any) -> _core.DiagramBatch | _core.DiagramSet:
    """A set or a batch; scikit-learn cuts sets into lists of sets of one item."""
    if isinstance(X, (_core.DiagramBatch, _core.DiagramSet)):
        return X
    if isinstance(X, np.ndarray) and X.ndim == 2:
        return as_batch(X)  # which says what is wrong with that
    items = list(X)
    if items and all(isinstance(item, _core.DiagramSet) for item in items):
        return concatenate(items)
    return as_batch(items)


def _groups(found: _core.DiagramBatch | _core.DiagramSet) -> list[tuple[str, str]] | None:
    """Filtration and kind of each group; None for a batch, which has no names."""
    return list(found.groups) if isinstance(found, _core.DiagramSet) else None


def _group_names(groups: list[tuple[str, str]] | None) -> np.ndarray:
    names = ["diagrams"] if groups is None else [f"{filtration}/{kind}" for filtration, kind in groups]
    return np.array(names, dtype=object)


def _titles(groups: list[tuple[str, str]] | None) -> str:
    if groups is None:
        return "diagrams of one kind without a name"
    return ", ".join(f"{filtration} {kind}" for filtration, kind in groups) or "no diagrams"


def _as_fitted(X: Any, groups: list[tuple[str, str]] | None) -> _core.DiagramBatch | _core.DiagramSet:
    """Diagrams that have the groups that were there in `fit`, in the same order."""
    found = _diagrams(X)
    given = _groups(found)
    if given == groups:
        return found
    if isinstance(found, _core.DiagramBatch) or groups is None or sorted(found.groups) != sorted(groups):
        raise ValueError(f"It was fitted to {_titles(groups)}, and X has {_titles(given)}.")
    return found.with_diagrams({key: found[key] for key in groups})


# ---- to diagrams


class GraphDiagrams(_Stateless):
    """From graphs to their persistence diagrams, a `perslay.DiagramSet`.

    Parameters
    ----------
    filtration : name, function, list of these or dictionary
        Functions on vertices: names of `perslay.names("filtrations")`, functions of your own, which get a
        `perslay.Graph` and return a number for each vertex, or {"name": function}. A function that is to be pickled
        has a place in a module; a lambda has none.
    kinds : list of names
        Of `ord0`, `rel1`, `ext0`, `ext1` (extended persistence), `sub0`, `sup0`, `sub1` (ordinary).
    keep_diagonal : bool
        Whether points of zero persistence stay.
    essential : "drop", "clip", "clip:VALUE" or a number
        What becomes of classes of ordinary persistence that never die.
    weights : bool, name or None
        True, or the name of an attribute: edges have these weights, see `perslay.Graphs`, whose own are always read.
    n_jobs : int or None

    `X` is a list of graphs, see `perslay.Graphs`.

    >>> from perslay.sklearn import GraphDiagrams
    >>> triangle, edge = [(0, 1), (1, 2), (2, 0)], [(0, 1)]
    >>> found = GraphDiagrams("degree", kinds=["ext1"]).fit_transform([triangle, edge])
    >>> found["ext1"].to_list()
    [array([[2., 2.]]), array([], shape=(0, 2), dtype=float64)]
    """

    def __init__(
        self,
        filtration: Filtration = "hks:10",
        *,
        kinds: Kind | Sequence[Kind] = EXTENDED,
        keep_diagonal: bool = False,
        essential: str | float = "drop",
        weights: bool | str | None = None,
        n_jobs: int | None = None,
    ):
        self.filtration = filtration
        self.kinds = kinds
        self.keep_diagonal = keep_diagonal
        self.essential = essential
        self.weights = weights
        self.n_jobs = n_jobs

    def _compute(self, X: Any) -> _core.DiagramSet:
        _require_functions(self.filtration)
        return diagrams(
            X if self.weights is None else _core.Graphs(X, weights=self.weights),
            self.filtration,
            kinds=self.kinds,
            keep_diagonal=self.keep_diagonal,
            essential=self.essential,
            threads=_threads(self.n_jobs),
        )


def _require_functions(filtration: Any) -> None:
    """Refuses numbers, which belong to certain graphs, while X may be any."""
    parts = filtration.values() if isinstance(filtration, Mapping) else filtration
    one = isinstance(filtration, str) or callable(filtration) or not isinstance(filtration, Iterable)
    if not (one or all(isinstance(part, str) or callable(part) for part in parts)):
        raise ValueError(
            "filtration is a name or a function of a graph, since X may be any graphs; for values that are known, there "
            "is perslay.diagrams(graphs, values)."
        )


class CloudDiagrams(_Stateless):
    """From point clouds in the plane to the diagrams of their alpha complexes, a `perslay.DiagramSet`.

    Parameters
    ----------
    kinds : list of names
        `h0` (components), `h1` (holes).
    radii : bool
        Radii instead of their squares.
    prominent : int or None
        So many points of each diagram are kept, those farthest from the diagonal.
    essential : "drop", "clip:VALUE" or a number
        What becomes of the component that never dies.
    n_jobs : int or None

    `X` is a list of arrays (N, 2), an array (clouds, N, 2) or `perslay.Clouds`.

    >>> from perslay.sklearn import CloudDiagrams
    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> CloudDiagrams(kinds=["h1"]).fit_transform([square])["h1"][0]
    array([[1., 2.]])
    """

    def __init__(
        self,
        *,
        kinds: Kind | Sequence[Kind] = ("h0", "h1"),
        radii: bool = False,
        prominent: int | None = None,
        essential: str | float = "drop",
        n_jobs: int | None = None,
    ):
        self.kinds = kinds
        self.radii = radii
        self.prominent = prominent
        self.essential = essential
        self.n_jobs = n_jobs

    def _compute(self, X: Any) -> _core.DiagramSet:
        return alpha_persistence(
            X,
            kinds=self.kinds,
            radii=self.radii,
            prominent=self.prominent,
            essential=self.essential,
            threads=_threads(self.n_jobs),
        )


# ---- from diagrams to diagrams, numbers, kernels


class DiagramTransformer(_ToDiagrams):
    """Transforms of diagrams by name, one after the other: the most prominent points, scaling to the unit square, etc.

    Parameters
    ----------
    steps : name or list of names
        See `perslay.names("transforms")`. `scale` is fitted to the diagrams that `fit` is given, each group by itself.

    Attributes
    ----------
    transforms_ : list of lists of `perslay.Transform`
        The fitted steps of each group.

    >>> from perslay.sklearn import DiagramTransformer
    >>> scale = DiagramTransformer(["prom:1", "scale"]).fit([[(0, 4), (1, 2)]])
    >>> scale.transform([[(1, 3)]])[0]
    array([[0.25, 0.75]])
    """

    def __init__(self, steps: str | Sequence[str] = "scale"):
        self.steps = steps

    def fit(self, X: Any, y: Any = None) -> DiagramTransformer:
        """Fits each step to what the steps before it give."""
        self._fit(_diagrams(X))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The same as `fit(X).transform(X)`, in one go."""
        return self._fit(_diagrams(X))

    def transform(self, X: Any) -> _core.DiagramBatch | _core.DiagramSet:
        """A batch of a batch or a list of arrays, a set of a set."""
        check_is_fitted(self)
        found = _as_fitted(X, self.groups_)
        done = []
        for batch, steps in zip(_batches(found), self.transforms_):
            for step in steps:
                batch = step(batch)
            done.append(batch)
        return _like(found, done)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The groups of the diagrams, as "filtration/kind"."""
        check_is_fitted(self)
        return _group_names(self.groups_)

    def _fit(self, found: _core.DiagramBatch | _core.DiagramSet) -> Any:
        if len(found) == 0:
            raise ValueError("Found 0 sample(s); transforms are fitted to at least one diagram.")
        names = [self.steps] if isinstance(self.steps, str) else list(self.steps)
        transforms, done = [], []
        for batch in _batches(found):
            steps = []
            for name in names:
                step = _core.Transform(name)
                steps.append(step.fit(batch) if step.needs_fit else step)
                batch = steps[-1](batch)
            transforms.append(steps)
            done.append(batch)
        self.groups_ = _groups(found)
        self.transforms_ = transforms
        return _like(found, done)


def _batches(found: _core.DiagramBatch | _core.DiagramSet) -> list[_core.DiagramBatch]:
    return list(found.groups.values()) if isinstance(found, _core.DiagramSet) else [found]


def _like(found: _core.DiagramBatch | _core.DiagramSet, batches: list[_core.DiagramBatch]) -> Any:
    if isinstance(found, _core.DiagramBatch):
        return batches[0]
    return found.with_diagrams(dict(zip(found.groups, batches)))


class DiagramVectorizer(TransformerMixin, _Samples):
    """One row of numbers for each item: landscapes, images, silhouettes, ..., or a PersLay with its initial parameters.

    Parameters
    ----------
    name : name or None
        See `perslay.names("vectorizations")`.
    phi, weight, op, init : names
        Instead of `name` (None then): a layer, see `perslay.names("phi")`, `"weight"` and `"op"`.
    range : pair of numbers or None
        Where births and deaths are taken to lie. None: where those of `fit` lie, each group by itself.
    random_state : int, RandomState or None
        Of initial parameters that are drawn.
    n_jobs : int or None

    Attributes
    ----------
    frames_ : list
        Where the diagrams of each group were taken to lie; samples and grids are spread over it.
    groups_ : list of pairs, or None
        The filtration and kind of each group, if X was a set.

    The numbers of all groups stand side by side; `get_feature_names_out` names them.

    >>> from perslay.sklearn import DiagramVectorizer
    >>> landscape = DiagramVectorizer("landscape:1x5").fit([[(0, 4)]])
    >>> landscape.transform([[(1, 3)], []])
    array([[0., 0., 1., 0., 0.],
           [0., 0., 0., 0., 0.]])
    >>> landscape.get_feature_names_out()[1]
    't1=1/k1'
    """

    def __init__(
        self,
        name: str | None = "landscape:5x60",
        *,
        phi: str | None = None,
        weight: str = "one",
        op: str = "sum",
        init: str = "ours",
        range: tuple[float, float] | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ):
        self.name = name
        self.phi = phi
        self.weight = weight
        self.op = op
        self.init = init
        self.range = range
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> DiagramVectorizer:
        """Finds out where the diagrams lie."""
        self._fit(_diagrams(X))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """The same as `fit(X).transform(X)`, in one go."""
        return self._fit(_diagrams(X))

    def transform(self, X: Any) -> np.ndarray:
        """An array (items, numbers)."""
        check_is_fitted(self)
        return self._vectorize(_as_fitted(X, self.groups_), frames=self.frames_)[0]

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """What each column is: filtration, kind, and place within the vectorization."""
        check_is_fitted(self)
        return np.array(self._columns, dtype=object)

    def _fit(self, found: _core.DiagramBatch | _core.DiagramSet) -> np.ndarray:
        if len(found) == 0:
            raise ValueError("Found 0 sample(s); a vectorization is fitted to at least one diagram.")
        self._seed = _seed(self.random_state)
        matrix, frames = self._vectorize(found, range=as_range(self.range))
        columns = _core.column_names(
            found, self.name, self.phi, self.weight, self.op, self.init, frames, self._seed
        )
        self.groups_ = _groups(found)
        self.frames_ = frames
        self._columns = columns if self.groups_ is not None else [_without_group(column) for column in columns]
        return matrix

    def _vectorize(self, found: Any, *, range: Any = None, frames: Any = None) -> tuple[np.ndarray, Any]:
        return _core.vectorize(
            found,
            self.name,
            self.phi,
            self.weight,
            self.op,
            self.init,
            range,
            frames,
            self._seed,
            _threads(self.n_jobs),
        )


def _without_group(column: str) -> str:
    """A batch has no name, so the first two parts of the column's, filtration and kind, say nothing."""
    return column.split("/", 2)[2]


class DiagramKernel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, _Samples):
    """Gram matrices of a kernel between diagrams, for `SVC(kernel="precomputed")` and its like.

    `fit` keeps its diagrams, and `transform` gives the kernel between new ones (rows) and these (columns).

    Parameters
    ----------
    kernel : name
        `sw`, `pss`, `pwg`, `pwg-linear` or `pf`, with parameters (`sw:10:sigma=1`) or without, as listed by
        `perslay.names("kernels")`. What the name leaves open is chosen by the papers' median rules from the diagrams
        that `fit` is given.
    bandwidth : float
        The outer bandwidth as a multiple of that: sigma of `sw`, tau of `pwg`, 1/t of `pf`. The others have none.
    n_jobs : int or None

    Attributes
    ----------
    kernel_ : `perslay.Kernel`
        With all its parameters.
    rate_ : float or None
        The kernel is exp(-rate * base).
    diagrams_ : `perslay.DiagramSet` or `perslay.DiagramBatch`

    >>> import perslay
    >>> from perslay.sklearn import CloudDiagrams, DiagramKernel
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import SVC
    >>> train, test = perslay.orbits(6, points=300), perslay.orbits(4, points=300, seed=1)
    >>> svm = make_pipeline(CloudDiagrams(), DiagramKernel("sw"), SVC(kernel="precomputed", C=10))
    >>> svm.fit(train, train.labels).score(test, test.labels) > 0.5
    True
    """

    def __init__(
        self,
        kernel: str = "sw",
        *,
        bandwidth: float = 1.0,
        n_jobs: int | None = None,
    ):
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> DiagramKernel:
        """Chooses what the kernel's name leaves open, and keeps the diagrams."""
        if not self.bandwidth > 0:
            raise ValueError(f"bandwidth must be a number above 0, not {self.bandwidth}.")
        found = _diagrams(X)
        if len(found) == 0:
            raise ValueError("Found 0 sample(s); a kernel is fitted to at least one diagram.")
        self.kernel_ = _core.Kernel(self.kernel).fit(found, threads=_threads(self.n_jobs))
        self.rate_ = self._rate()
        self.groups_ = _groups(found)
        self.diagrams_ = found
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """The symmetric matrix of all pairs."""
        self.fit(X)
        return self._gram(self.diagrams_, None)

    def transform(self, X: Any) -> np.ndarray:
        """An array (items of X, items of fit)."""
        check_is_fitted(self)
        return self._gram(_as_fitted(X, self.groups_), self.diagrams_)

    @property
    def _n_features_out(self) -> int:
        return len(self.diagrams_)

    def _rate(self) -> float | None:
        rate = self.kernel_.rate
        if rate is None:
            if self.bandwidth != 1:
                raise ValueError(f"{self.kernel} has no outer bandwidth; give its own in its name, such as pss:0.1.")
            return None
        return rate / self.bandwidth if self.kernel.startswith("pf") else rate / self.bandwidth**2

    def _gram(self, rows: Any, columns: Any) -> np.ndarray:
        base = self.kernel_.gram(rows, columns, base=True, threads=_threads(self.n_jobs))
        return base if self.rate_ is None else np.exp(-self.rate_ * base)


# ---- the classifier


class PersLayClassifier(ClassifierMixin, _Samples):
    """Learns to classify graphs, point clouds or diagrams: everything from the data to the label in one estimator.

    Parameters
    ----------
    model : name or None
        `ridge` or `ridge:POOL`: kernel ridge on blocks of features of graphs or clouds; `svm:KERNEL`, such as
        `svm:sw`: support vectors on a kernel between diagrams; `network`: the paper's network. The first two make
        all choices inside the training part. `perslay.names("models")` lists them. None: the model of the settings, or
        `ridge` if there are none.
    filtration : name, list of names or None
        Of graphs or clouds, for `svm` and `network`; for functions of your own, put `GraphDiagrams` before. None: those
        of the settings, or else `hks:0.1` and `hks:10` for graphs and `alpha` for clouds. A pool of `ridge` determines
        its filtrations itself.
    settings : None, name, path, text or dictionary
        Settings as the program reads them: a name of `perslay.names("settings")` such as `mutag`, a TOML file, TOML, or
        a dictionary such as `{"svm": {"folds": 3}}`.
    overrides : dictionary, list of texts or None
        Single keys of the settings, such as `{"svm.folds": 3}` or `{"training.epochs": 50, "network.hidden": [64]}`.
    content : "auto", "graphs", "clouds" or "diagrams"
        What X is a list of. "auto" takes arrays of integers for edges of graphs and other arrays for points of clouds,
        so a list of arrays that are diagrams needs "diagrams".
    node_labels : name or None
        The attribute that holds the labels of vertices, for models that read them (`ridge:labelled`).
    weights : bool, name or None
        True, or the name of the attribute that holds the weights of edges. Those of `perslay.Graphs` are always read.
    random_state : int, RandomState or None
    n_jobs : int or None

    Attributes
    ----------
    classes_ : array
    model_ : `perslay.Model`
        `model_.write("model.safetensors")` makes a file that the program reads, too; classes are numbered there, in the
        order of `classes_`.
    content_ : str
        What X was.

    >>> import perslay
    >>> from perslay.sklearn import PersLayClassifier
    >>> train, test = perslay.shapes(per_class=10), perslay.shapes(per_class=5, seed=1)
    >>> classifier = PersLayClassifier("ridge").fit(train, perslay.class_names(train))
    >>> classifier.predict(test[:2]).tolist(), classifier.score(test, perslay.class_names(test))
    (['0', '0'], 1.0)
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        filtration: None | str | Sequence[str] = None,
        settings: None | str | os.PathLike[str] | Mapping[str, Any] = None,
        overrides: Mapping[str, Any] | Sequence[str] | None = None,
        content: str = "auto",
        node_labels: str | None = None,
        weights: bool | str | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ):
        self.model = model
        self.filtration = filtration
        self.settings = settings
        self.overrides = overrides
        self.content = content
        self.node_labels = node_labels
        self.weights = weights
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> PersLayClassifier:
        """Learns from items and their classes, of any type.

        Without `y` the labels that X has itself are learned, by their names: those of `perslay.Graphs`, `Clouds` and
        `DiagramSet`, and the `y` of PyTorch Geometric's `Data`.
        """
        if is_graph(X) or is_dataset(X):  # one object that holds them all
            X = _core.Graphs(X, None if y is None else False, node_labels=self.node_labels, weights=self.weights)
        if y is None:
            y = _own_classes(X)
        if y is None:
            raise ValueError("PersLayClassifier requires y to be passed, but the target y is None.")
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        check_consistent_length(X, y)
        classes, numbers = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"To learn, two classes are needed at least, and y has {len(classes)} class.")
        content = self.content if self.content != "auto" else _content_of(X)
        data = self._data(X, content, numbers)
        self.model_ = self._train(data, content)
        self._weighted = _is_weighted(data)
        self.content_ = content
        self.classes_ = classes
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """An array (items, classes), in the order of `classes_`."""
        check_is_fitted(self)
        data = self._data(X, self.content_, False)
        if isinstance(data, _core.Graphs) and data.num_edges.any() and _is_weighted(data) != self._weighted:
            known, new = ("have", "have none") if self._weighted else ("have no", "have")
            raise ValueError(f"The graphs that were learned from {known} weights, and these {new}.")
        return self.model_.predict_proba(data, threads=_threads(self.n_jobs))

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each item."""
        places = np.argmax(self.predict_proba(X), axis=1)
        return self.classes_[places]

    def _train(self, data: Any, content: str) -> _core.Model:
        ridge = self.model == "ridge" or (self.model is None and self.settings is None)
        if ridge and content == "diagrams":
            raise ValueError("'ridge' reads graphs or clouds; for diagrams there are 'svm:sw' and 'network'.")
        model = "ridge" if ridge else self.model
        if self.filtration is not None and model is not None and _core.chooses_data(model):
            raise ValueError(f"'{model}' reads what its pool names; filtration is for 'svm:...' and 'network'.")
        return train(
            data,
            self.model,
            settings=self.settings,
            overrides=self._assignments(),
            seed=_seed(self.random_state),
            threads=_threads(self.n_jobs),
        )

    def _assignments(self) -> list[str]:
        """Overrides as the library reads them."""
        changes = assignments(self.overrides)
        if self.filtration is not None:
            names = [self.filtration] if isinstance(self.filtration, str) or callable(self.filtration) else self.filtration
            if not all(isinstance(name, str) for name in names):
                raise ValueError(
                    "filtration is a name or several: a model file holds names. For functions of your own there is "
                    "make_pipeline(GraphDiagrams(function), PersLayClassifier('svm:sw'))."
                )
            changes += assignments({"data.filtrations": list(names)})
        return changes

    def _data(self, X: Any, content: str, labels: np.ndarray | bool) -> Any:
        if content == "graphs":
            return _core.Graphs(X, labels, node_labels=self.node_labels, weights=self.weights)
        if content == "clouds":
            return _core.Clouds(X.to_list() if isinstance(X, _core.Clouds) else X, labels)
        if content == "diagrams":
            found = _diagrams(X)
            return _core.DiagramSet(_named(found), labels)
        names = ", ".join(f"'{name}'" for name in DATA_KINDS)
        raise ValueError(f"content must be 'auto' or one of {names}, not '{content}'.")


def _content_of(X: Any) -> str:
    """What X is a list of."""
    if (held := kind_of(X)) is not None:
        return held
    for item in X:
        if isinstance(item, _core.DiagramSet):
            return "diagrams"
        if is_graph(item) or (isinstance(item, tuple) and len(item) == 2 and np.ndim(item[1]) == 0):
            return "graphs"
        numbers = np.asarray(item)
        if numbers.size > 0:
            return "graphs" if numbers.dtype.kind in "iu" else "clouds"
    return "graphs"


def _own_classes(X: Any) -> np.ndarray | None:
    """The names of the classes of items that know them."""
    data = as_labelled(X)
    known = isinstance(data, (_core.Graphs, _core.Clouds, _core.DiagramSet))
    return class_names(data) if known else None


def _is_weighted(data: Any) -> bool:
    return isinstance(data, _core.Graphs) and any(graph.weights is not None for graph in data)


def _named(found: _core.DiagramBatch | _core.DiagramSet) -> dict[tuple[str, str], _core.DiagramBatch]:
    return dict(found.groups) if isinstance(found, _core.DiagramSet) else {("diagrams", "h0"): found}
