"""The examples in the docstrings of perslay.torch are right."""

import doctest
import inspect

import pytest

torch = pytest.importorskip("torch", reason="perslay.torch is tested with PyTorch")
import perslay.torch  # noqa: E402

NAMES = [name for name in perslay.torch.__all__]
HELPERS = [perslay.torch.RaggedBatch.of, perslay.torch.RaggedBatch.cat]


@pytest.mark.parametrize("thing", [perslay.torch, *(getattr(perslay.torch, name) for name in NAMES), *HELPERS])
def test_examples(thing):
    text = inspect.getdoc(thing)
    assert text, f"{thing} has no docstring"
    test = doctest.DocTestParser().get_doctest(text, {}, str(thing), None, 0)
    failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert failed == 0
