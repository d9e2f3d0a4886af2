"""Ragged batches: made, chosen from, moved, collated."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from conftest import diagrams
from hypothesis import given
from hypothesis import strategies as st

import perslay

torch = pytest.importorskip("torch", reason="perslay.torch is tested with PyTorch")
from perslay.torch import RaggedBatch, collate  # noqa: E402


def a_batch(**options):
    return RaggedBatch.of([[(0.0, 1.0), (0.25, 0.5)], [], [(0.5, 0.75)]], **options)


@given(st.lists(diagrams(), max_size=6))
def test_lists_come_back(arrays):
    batch = RaggedBatch.of(arrays, dtype=torch.float64)
    assert len(batch) == len(arrays) and batch.counts.tolist() == [len(array) for array in arrays]
    for array, again in zip(arrays, batch.to_list()):
        np.testing.assert_array_equal(array, again)
    chosen = list(range(len(arrays)))[::-2]
    for place, again in zip(chosen, batch[chosen]):
        np.testing.assert_array_equal(arrays[place], again)


def test_points_below_the_diagonal_are_turned():
    found = perslay.diagrams(perslay.shapes(per_class=2))
    for kind in ("rel1", "ext1"):
        batch = RaggedBatch.of(found[kind], dtype=torch.float64)
        assert (batch.points[:, 0] <= batch.points[:, 1]).all()
        ordered = perslay.transform(found[kind], "reorder")
        np.testing.assert_array_equal(batch.points, ordered.points)
        np.testing.assert_array_equal(batch.offsets, ordered.offsets)
    turned = torch.tensor([[2.0, 1.0], [0.0, 3.0]], requires_grad=True)
    (RaggedBatch.of([turned]).points * torch.tensor([1.0, 10.0])).sum().backward()
    assert turned.grad.tolist() == [[10, 1], [1, 10]]


def test_choosing():
    batch = a_batch()
    assert batch[0].shape == (2, 2) and batch[-1].tolist() == [[0.5, 0.75]]
    assert batch[1:].offsets.tolist() == [0, 0, 1]
    assert batch[[2, 0, 2]].offsets.tolist() == [0, 1, 3, 4]
    assert batch[torch.tensor([True, False, True])].counts.tolist() == [2, 1]
    assert batch[np.array([], int)].offsets.tolist() == [0] and len(batch[[]]) == 0
    with pytest.raises(IndexError, match="no diagram 3 among 3"):
        batch[3]
    assert RaggedBatch.cat([batch, batch[1:]]).counts.tolist() == [2, 0, 1, 0, 1]


def test_elsewhere_and_otherwise():
    batch = a_batch().requires_grad_()
    assert batch.to(torch.float64).dtype == torch.float64 and batch.double().float().dtype == torch.float32
    assert batch.to("meta").device.type == "meta" and batch.to(device="meta", dtype=torch.half).dtype == torch.half
    assert batch.cpu().points is batch.points and batch.to() is batch
    batch.double().points.sum().backward()
    assert batch.points.grad.tolist() == [[1, 1]] * 3
    assert not batch.detach().points.requires_grad
    for again in (pickle.loads(pickle.dumps(batch)), copy.deepcopy(batch)):
        assert torch.equal(again.points, batch.points) and torch.equal(again.offsets, batch.offsets)


def test_collate():
    diagram = np.array([[0.0, 1.0], [2.0, 1.0]])
    samples = [{"h1": diagram, "both": (diagram, diagram[:0]), "y": 1, "x": np.zeros(3)}] * 2
    batch = collate(samples)
    assert batch["h1"].counts.tolist() == [2, 2] and batch["h1"].points[1].tolist() == [1, 2]
    assert batch["both"][1].counts.tolist() == [0, 0] and batch["y"].tolist() == [1, 1]
    assert batch["x"].shape == (2, 3)
    assert collate([torch.rand(3, 2).double()] * 2).dtype == torch.float64


@pytest.mark.parametrize("workers", [0, 2])
def test_data_loader(workers):
    graphs = perslay.shapes(per_class=4)
    loops = perslay.diagrams(graphs)["ext1"]
    samples = list(zip(loops.to_list(), graphs.labels.tolist()))
    loader = torch.utils.data.DataLoader(samples, batch_size=5, collate_fn=collate, num_workers=workers)
    batches = list(loader)
    assert [len(batch) for batch, _ in batches] == [5, 5, 2]
    assert torch.cat([labels for _, labels in batches]).tolist() == graphs.labels.tolist()
    together = RaggedBatch.cat([batch for batch, _ in batches])
    assert together.counts.tolist() == loops.counts.tolist()
    layer = perslay.torch.PersLay("triangle:5")
    torch.testing.assert_close(layer(together), layer(loops))


def test_mistakes():
    points = torch.rand(3, 2)
    for offsets in ([0, 2], [1, 3], [0, 2, 1, 3], [], [[0, 3]], [0.0, 3.0]):
        with pytest.raises(ValueError, match="offsets must"):
            RaggedBatch(points, offsets)
    for wrong in (torch.rand(3), torch.rand(3, 3), np.zeros((3, 2))):
        with pytest.raises(ValueError, match=r"shape \[N, 2\]"):
            RaggedBatch(wrong, [0, 3])
    with pytest.raises(ValueError, match="floating type, not int64"):
        RaggedBatch(torch.zeros(3, 2, dtype=torch.int64), [0, 3])
    with pytest.raises(ValueError, match="put it into a list"):
        RaggedBatch.of(np.zeros((3, 2)))
    with pytest.raises(ValueError, match="Diagram 1 must have the shape"):
        RaggedBatch.of([np.zeros((3, 2)), np.zeros((3, 3))])
    with pytest.raises(ValueError, match="choose it from the set"):
        RaggedBatch.of(perslay.diagrams(perslay.shapes(per_class=1)))
    with pytest.raises(ValueError, match="not float"):
        RaggedBatch.of(1.0)


def test_reordered_batches_are_no_clouds():
    clouds = [torch.rand(30, 2, generator=torch.Generator().manual_seed(i)) for i in range(2)]
    wanted = perslay.torch.alpha_persistence(clouds)["h1"].points
    packed = RaggedBatch(torch.cat(clouds), [0, 30, 60])
    assert torch.equal(perslay.torch.alpha_persistence(packed)["h1"].points, wanted)
    for batch in (perslay.torch.collate(clouds), RaggedBatch.of(clouds)[:1], RaggedBatch.of(clouds).double()):
        with pytest.raises(ValueError, match="made of diagrams"):
            perslay.torch.alpha_persistence(batch)


def test_offsets_of_unsigned_types_must_ascend():
    with pytest.raises(ValueError, match="ascend"):
        RaggedBatch(torch.zeros(2, 2), np.array([0, 2, 1, 2], np.uint8))


def test_lists_of_tensors_with_gradients_are_refused():
    """As numbers of one array they would lose their gradients."""
    birth, death = (torch.tensor(number, requires_grad=True) for number in (0.0, 1.0))
    for diagram in ([[birth, death]], [(0.0, death)], [torch.stack([birth, death])]):
        for make in (lambda: RaggedBatch.of([diagram]), lambda: perslay.torch.PersLay("line:2")([diagram])):
            with pytest.raises(ValueError, match="requires gradients, which would be lost"):
                make()
    with pytest.raises(ValueError, match="requires gradients, which would be lost"):
        perslay.torch.alpha_persistence([[(birth, death), (1.0, 1.0)]])
    with pytest.raises(ValueError, match="requires gradients, which would be lost"):
        perslay.torch.HeatKernelSignature(perslay.shapes(per_class=1), [death])
    assert RaggedBatch.of([torch.stack([torch.stack([birth, death])])]).points.requires_grad
    assert len(RaggedBatch.of([[(torch.tensor(0.0), torch.tensor(1.0))]]).points) == 1


def cast(data, dtype):
    """What Lightning's apply_to_collection does with a dataclass in another precision."""
    memo = {id(getattr(data, field.name)): getattr(data, field.name) for field in dataclasses.fields(data)}
    result = copy.deepcopy(data, memo)
    for field in dataclasses.fields(data):
        value = getattr(data, field.name)
        if isinstance(value, torch.Tensor) and value.is_floating_point():
            setattr(result, field.name, value.to(dtype))
    return result


def test_casts_of_trainers_reach_the_points():
    batch = RaggedBatch.of([[(0, 1), (3, 2)], []])
    for dtype in (torch.float64, torch.float16, torch.bfloat16):
        other = cast(batch, dtype)
        assert other.dtype == dtype and torch.equal(other.offsets, batch.offsets) and other.reordered
    assert batch.dtype == torch.float32 and batch.half().dtype == torch.float16
    assert batch.bfloat16().dtype == torch.bfloat16
    layer = perslay.torch.PersLay("triangle:3").double()
    assert torch.equal(layer(cast(batch, torch.float64)).float(), layer.float()(batch))
    moved = dataclasses.replace(batch, points=batch.points + 1)
    assert moved.points.tolist() == (batch.points + 1).tolist() and moved.reordered


def test_a_third_column_is_explained():
    for wrong in ([np.zeros((4, 3))], [torch.zeros(4, 3)]):
        with pytest.raises(ValueError, match=r"shape \[n, 2\], not \(4, 3\); if its columns are birth, death and dimension"):
            RaggedBatch.of(wrong)
