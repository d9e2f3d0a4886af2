"""The guides in docs/python tell the truth: their snippets run, in order, and print what is shown below them."""

import contextlib
import doctest
import importlib.util
import io
import os
import pathlib
import re

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python"
NEEDS = {
    "tutorial.md": ["networkx", "matplotlib", "sklearn", "pandas"],
    "torch.md": ["torch"],
    "from-gudhi.md": ["gudhi"],
}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Language, text and line number of each block of a page."""
    text = page.read_text(encoding="utf-8")
    return [(found[1], found[2], text.count("\n", 0, found.start()) + 2) for found in BLOCK.finditer(text)]


def snippets(page):
    """Code, its line number, and the output shown below it or None."""
    found = blocks(page)
    for (language, code, line), following in zip(found, [*found[1:], ("", "", 0)]):
        if language == "python":
            yield code, line, following[1] if following[0] == "text" else None


def run(page, folder):
    """Runs all snippets of a page in one namespace; gives back how many outputs were compared."""
    names, compared = {"__name__": "__main__"}, 0
    check = doctest.OutputChecker().check_output
    for code, line, shown in snippets(page):
        printed = io.StringIO()
        with (
            contextlib.chdir(folder) if hasattr(contextlib, "chdir") else _inside(folder),
            contextlib.redirect_stdout(printed),
        ):
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
        if shown is not None:
            compared += 1
            assert check(shown, printed.getvalue(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), (
                f"{page.name}, line {line}, prints\n{printed.getvalue()}and not\n{shown}"
            )
    return compared


@contextlib.contextmanager
def _inside(folder):  # as contextlib.chdir, which Python 3.10 has not
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_guide(name, tmp_path):
    missing = [module for module in NEEDS[name] if importlib.util.find_spec(module) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed")
    if "matplotlib" in NEEDS[name]:
        import matplotlib

        matplotlib.use("Agg")
    assert run(FOLDER / name, tmp_path) >= 3


def test_readme(tmp_path):
    pytest.importorskip("sklearn")
    page = FOLDER.parents[1] / "README.md"
    assert [language for language, *_ in blocks(page)].count("python") == 1
    run(page, tmp_path)


def test_all_guides_are_run():
    assert {page.name for page in FOLDER.glob("*.md") if any(block[0] == "python" for block in blocks(page))} == set(
        NEEDS
    )


def test_every_output_belongs_to_a_snippet():
    for name in NEEDS:
        found = blocks(FOLDER / name)
        for place, (language, _, line) in enumerate(found):
            if language == "text":
                assert place > 0 and found[place - 1][0] == "python", f"{name}, line {line}"


def test_wrong_output_is_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\n```\n\n```text\n2\n```\n")
    with pytest.raises(AssertionError, match="line 2"):
        run(page, tmp_path)
