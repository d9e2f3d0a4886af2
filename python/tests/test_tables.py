"""What goes out: tables of pandas and Arrow, and what notebooks show."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import perslay

GRAPHS = perslay.shapes(per_class=2)
FOUND = perslay.diagrams(GRAPHS, ["degree", "hks:1"], kinds=["ord0", "ext1"])


def test_rows_of_pandas_are_points():
    pytest.importorskip("pandas", reason="pandas is not installed")
    table = FOUND.to_pandas()
    assert table.columns.tolist() == [
        "item", "filtration", "kind", "class", "birth", "death", "birth_vertex", "death_vertex"
    ]  # fmt: skip
    assert len(table) == sum(len(batch.points) for batch in FOUND.groups.values())
    for (filtration, kind), batch in FOUND.groups.items():
        for item, points in enumerate(batch):
            rows = table[(table.filtration == filtration) & (table.kind == kind) & (table["item"] == item)]
            assert np.array_equal(rows[["birth", "death"]], points)
            assert set(rows["class"]) <= {GRAPHS.classes[GRAPHS.labels[item]]}
    values = perslay.vertex_function(GRAPHS, "degree")
    degrees = table[table.filtration == "degree"]
    assert np.array_equal(values[GRAPHS.vertex_offsets[degrees["item"]] + degrees.birth_vertex], degrees.birth)
    one = FOUND["degree", "ext1"].to_pandas()
    assert one.columns.tolist() == ["item", "birth", "death", "birth_vertex", "death_vertex"]
    assert perslay.DiagramBatch([[], [(0, 1)]]).to_pandas().to_numpy().tolist() == [[1, 0, 1]]
    mixed = perslay.DiagramSet({("a", "h0"): [[(0, 1)]], ("a", "h1"): [[]]}).to_pandas()
    assert mixed.columns.tolist() == ["item", "filtration", "kind", "birth", "death"] and len(mixed) == 1
    assert len(perslay.DiagramSet({("a", "h0"): [[], []]}).to_pandas()) == 0
    assert len(perslay.DiagramSet({}).to_pandas()) == 0


def test_rows_of_arrow_are_items():
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = FOUND.to_arrow()
    assert table.column_names == ["class", "degree ord0", "degree ext1", "hks:1 ord0", "hks:1 ext1"]
    assert table["class"].to_pylist() == perslay.class_names(GRAPHS).tolist()
    for key, batch in FOUND.groups.items():
        column = table[" ".join(key)]
        assert column.to_pylist() == [points.tolist() for points in batch]
    lists = FOUND["degree", "ext1"].to_arrow()
    assert isinstance(lists, arrow.LargeListArray) and lists.to_pylist() == table["degree ext1"].to_pylist()
    points = lists.values.values.to_numpy(zero_copy_only=True)
    assert np.shares_memory(points, FOUND["degree", "ext1"].points)  # nothing was copied


def test_what_is_not_installed_is_named(monkeypatch):
    for module, call in (
        ("pandas", FOUND.to_pandas),
        ("pyarrow", FOUND.to_arrow),
        ("networkx", GRAPHS.to_networkx),
    ):
        monkeypatch.setitem(__import__("sys").modules, module, None)
        with pytest.raises(ImportError, match=f"(?i)this needs {module}; install it with: pip install"):
            call()


SHOWN = {
    "graphs": GRAPHS,
    "no graphs": perslay.Graphs([]),
    "clouds": perslay.orbits(1, points=20),
    "set": FOUND,
    "no groups": perslay.DiagramSet({}),
    "batch": FOUND["degree", "ext1"],
    "infinite": perslay.DiagramBatch([[(0, np.inf), (1, 2)]]),
    "one place": perslay.DiagramBatch([[(1, 1)]]),
    "empty": perslay.DiagramBatch([[]]),
    "names": perslay.DiagramSet({("<script>alert(1)</script>", "ext1"): [[(0, 1)]]}, labels=["<b>"]),
}


@pytest.mark.parametrize("name", SHOWN)
def test_notebooks_show_tables_and_pictures(name):
    shown = SHOWN[name]._repr_html_()
    root = ElementTree.fromstring(shown.replace("&nbsp;", " "))  # well-formed
    tags = {element.tag for element in root.iter()}
    assert "script" not in tags and "table" in tags and "http" not in shown
    assert root.find("p").text == repr(SHOWN[name])
    if name in ("set", "batch"):
        circles = list(root.iter("circle"))
        assert circles and all(0 <= float(circle.get("cx")) <= 160 and 0 <= float(circle.get("cy")) <= 160 for circle in circles)
    assert len(shown) < 100_000


def test_tables_count():
    rows = [
        [cell.text for cell in row.iter("td")] for row in ElementTree.fromstring(GRAPHS._repr_html_()).iter("tr")
    ][1:]
    assert [row[:2] for row in rows] == [["all", "6"], ["0", "2"], ["1", "2"], ["2", "2"]]
    sizes = GRAPHS.num_nodes
    assert rows[0][2] == f"{sizes.min()} · {np.median(sizes):g} · {sizes.max()}"


def test_pictures_stay_small():
    many = perslay.DiagramBatch([np.random.default_rng(0).random((100_000, 2))])
    assert len(many._repr_html_()) < 40_000
