"""The examples in docstrings are right."""

import doctest
import inspect

import numpy as np
import pytest

import perslay
from perslay._methods import METHODS


@pytest.mark.parametrize("name", ["__init__", *perslay.__all__])
def test_examples(name):
    thing = perslay if name == "__init__" else getattr(perslay, name)
    text = inspect.getdoc(thing)
    assert text, f"{name} has no docstring"
    test = doctest.DocTestParser().get_doctest(text, {"perslay": perslay}, name, None, 0)
    with np.printoptions(precision=8):
        failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert failed == 0


NEEDS = {"to_pandas": "pandas", "to_arrow": "pyarrow", "to_networkx": "networkx"}


@pytest.mark.parametrize(("thing", "method"), [(thing, name) for thing, own in METHODS.items() for name in own])
def test_examples_of_methods(thing, method):
    if method in NEEDS:
        pytest.importorskip(NEEDS[method], reason=f"{NEEDS[method]} is not installed")
    function = getattr(thing, method)
    assert function.__qualname__ == f"{thing.__name__}.{method}"
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(function) or "", {}, function.__qualname__, None, 0)
    assert method.startswith("_") or test.examples
    failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert failed == 0


def test_most_have_examples():
    with_examples = [name for name in perslay.__all__ if ">>>" in (inspect.getdoc(getattr(perslay, name)) or "")]
    assert len(with_examples) >= 25
