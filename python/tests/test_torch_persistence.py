"""Persistence that gradients go through."""

import copy
import pickle

import numpy as np
import pytest
from conftest import graphs_with_values
from hypothesis import given

import perslay

torch = pytest.importorskip("torch", reason="perslay.torch is tested with PyTorch")
from perslay.torch import HeatKernelSignature, RaggedBatch, alpha_persistence, extended_persistence  # noqa: E402
from perslay.torch._persistence import signature  # noqa: E402

functional_call = getattr(torch, "func", torch.nn.utils.stateless).functional_call

KINDS = ["ord0", "rel1", "ext0", "ext1"]


def distinct_values(graphs, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.rand(int(graphs.vertex_offsets[-1]), generator=generator, dtype=torch.float64)


# ---- graphs


@given(graphs_with_values())
def test_points_are_those_of_the_library(graph):
    edges, values = graph
    graphs = perslay.Graphs([(edges, len(values))])
    found = extended_persistence(graphs, torch.tensor(values), return_vertices=True)
    plain = perslay.extended_persistence(graphs, values)
    for kind in KINDS:
        batch, vertices = found[kind]
        ordered = perslay.transform(plain[kind], "reorder")
        np.testing.assert_array_equal(batch.points, ordered.points)
        np.testing.assert_array_equal(batch.points, torch.tensor(values)[vertices])


def test_gradients_of_graphs():
    graphs = perslay.shapes(per_class=1)
    values = distinct_values(graphs).requires_grad_()

    def compute(values):
        return tuple(batch.points for batch in extended_persistence(graphs, values).values())

    assert torch.autograd.gradcheck(compute, (values,))


def test_values_of_each_graph():
    graphs = perslay.shapes(per_class=2)
    values = distinct_values(graphs)
    parts = [part.clone().requires_grad_() for part in values.split(graphs.num_nodes.tolist())]
    listed, packed = extended_persistence(graphs, parts), extended_persistence(graphs, values)
    assert all(torch.equal(listed[kind].points, packed[kind].points) for kind in KINDS)
    listed["ext0"].points.sum().backward()
    assert all(part.grad.sum() == 2 for part in parts)
    assert extended_persistence(graphs, values.float(), kinds="ext1")["ext1"].dtype == torch.float32


def test_fewer_points():
    graphs = perslay.Graphs([[(0, 1), (1, 2), (2, 0)], ([], 1)])
    values = torch.tensor([0.0, 0.0, 0.0, 1.0])
    kept, dropped = extended_persistence(graphs, values), extended_persistence(graphs, values, diagonal="drop")
    assert kept["ext0"].counts.tolist() == [1, 1] and dropped["ext0"].counts.tolist() == [0, 0]
    assert kept["ext1"].counts.tolist() == [1, 0] and dropped["ext1"].counts.tolist() == [0, 0]
    more = perslay.shapes(per_class=2)
    values = distinct_values(more)
    few = extended_persistence(more, values, prominent=2)["ord0"]
    assert few.counts.max() == 2
    np.testing.assert_array_equal(
        few.points, perslay.transform(perslay.extended_persistence(more, values.numpy())["ord0"], "prom:2").points
    )


def test_resolution_makes_ties():
    path = perslay.Graphs([[(0, 1), (1, 2)]])
    bumps = torch.tensor([1e-12, 1.0, 0.0], dtype=torch.float64)
    assert extended_persistence(path, bumps)["ord0"].points.tolist() == [[1e-12, 1.0]]
    tied = extended_persistence(path, bumps, resolution=2**-30)["ord0"].points
    assert tied.tolist() == [[0.0, 1.0]]  # of tied vertices the first is the elder


def test_a_function_learns_to_close_a_loop():
    ring = perslay.Graphs([[(i, (i + 1) % 8) for i in range(8)]])
    values = torch.linspace(0, 1, 8, requires_grad=True)
    for _ in range(50):
        loop = extended_persistence(ring, values, kinds=["ext1"])["ext1"].points
        ((loop[:, 1] - loop[:, 0]) - 0.1).square().sum().backward()
        with torch.no_grad():
            values -= 0.1 * values.grad
        values.grad = None
    assert abs(np.ptp(values.detach().numpy()) - 0.1) < 1e-2


# ---- clouds


def test_gradients_of_clouds():
    generator = torch.Generator().manual_seed(0)
    cloud = torch.rand(12, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    for radii in (False, True):

        def compute(points):
            found = alpha_persistence([points[:5], points[5:]], radii=radii)
            return tuple(batch.points for batch in found.values())

        assert torch.autograd.gradcheck(compute, (cloud,))


def test_clouds_are_those_of_the_library():
    clouds = perslay.orbits(1, points=60)
    for radii in (False, True):
        plain = perslay.alpha_persistence(clouds, radii=radii)
        found = alpha_persistence([torch.tensor(cloud) for cloud in clouds.to_list()], radii=radii)
        for kind in ("h0", "h1"):
            np.testing.assert_allclose(found[kind].points, plain[kind].points, rtol=1e-9, atol=1e-12)
            np.testing.assert_array_equal(found[kind].offsets, plain[kind].offsets)
    assert alpha_persistence(torch.rand(3, 10, 2))["h0"].counts.tolist() == [9, 9, 9]
    assert len(alpha_persistence([])["h1"]) == 0
    packed = alpha_persistence(RaggedBatch(torch.rand(5, 2), [0, 0, 5]))
    assert packed["h0"].counts.tolist() == [0, 4] and packed["h0"].dtype == torch.float32


# ---- the heat kernel signature


def test_signatures():
    graphs = perslay.shapes(per_class=2)
    signature = HeatKernelSignature(graphs, [0.5, 10.0])
    np.testing.assert_allclose(
        signature().detach(), perslay.heat_kernel_signature(graphs, [0.5, 10.0]), atol=1e-12, rtol=0
    )
    parts = signature().split(graphs.num_nodes.tolist(), 1)
    assert torch.equal(signature([4, 1]), torch.cat([parts[4], parts[1]], 1))


def test_gradients_of_times():
    graphs = perslay.shapes(per_class=1)
    signature = HeatKernelSignature(graphs, [0.5, 3.0], pace=2.0).double()

    def compute(shift):
        return functional_call(signature, {"shift": shift}, ())

    assert torch.autograd.gradcheck(compute, (torch.tensor([0.1, -0.2], dtype=torch.float64, requires_grad=True),))


@pytest.mark.parametrize("kind", ["module", "graphs seen once"])
def test_second_derivatives_of_times_are_refused(kind):
    """By backward() and by grad(), and also where other terms depend on the times."""
    graphs = perslay.shapes(per_class=1)
    module = HeatKernelSignature(graphs, [1.0, 10.0])
    compute = module if kind == "module" else lambda: signature(module.times, graphs)
    for loss in (lambda: compute().sum(), lambda: compute().square().sum()):
        (gradient,) = torch.autograd.grad(loss(), module.shift, create_graph=True)
        for total in (gradient.sum(), gradient.square().sum() + loss() + module.shift.square().sum()):
            for options in ({}, {"allow_unused": True}):
                with pytest.raises(RuntimeError, match="differentiated twice: the heat kernel"):
                    torch.autograd.grad(total, module.shift, retain_graph=True, **options)
            with pytest.raises(RuntimeError, match="differentiated twice"):
                total.backward(retain_graph=True)
    factors = torch.ones_like(compute()).requires_grad_()
    (gradient,) = torch.autograd.grad(compute(), module.shift, factors, create_graph=True)
    with pytest.raises(RuntimeError, match="differentiated twice"):
        torch.autograd.grad(gradient.sum(), factors, allow_unused=True)
    plain, kept = (torch.autograd.grad(compute().sum(), module.shift, create_graph=keep)[0] for keep in (False, True))
    assert torch.equal(plain, kept)


def test_times_are_trained_and_kept():
    graphs = perslay.shapes(per_class=1)
    signature = HeatKernelSignature(graphs, 1.0)
    target = torch.tensor(perslay.heat_kernel_signature(graphs, 2.0))
    optimiser = torch.optim.Adam(signature.parameters(), 0.05)
    for _ in range(80):
        optimiser.zero_grad()
        (signature()[0] - target).square().sum().backward()
        optimiser.step()
    assert abs(signature.times.item() - 2) < 0.05
    for again in (pickle.loads(pickle.dumps(signature)), copy.deepcopy(signature)):
        assert torch.equal(again(), signature())
    assert list(signature.state_dict()) == ["shift"]


def test_mistakes():
    square = perslay.Graphs([[(0, 1), (1, 2), (2, 3), (3, 0)]])
    for wrong in (torch.zeros(3), torch.zeros(4, 1, 1), torch.zeros(4, dtype=torch.int64)):
        with pytest.raises(ValueError, match="4 floating numbers, one for each vertex, or of the shape"):
            extended_persistence(square, wrong)
    with pytest.raises(ValueError, match="not 'h0'"):
        extended_persistence(square, torch.zeros(4), kinds=["h0"])
    with pytest.raises(ValueError, match="'keep' or 'drop'"):
        extended_persistence(square, torch.zeros(4), diagonal="maybe")
    with pytest.raises(ValueError, match="finite"):
        extended_persistence(square, torch.tensor([0.0, 1.0, torch.nan, 0.0]))
    with pytest.raises(ValueError, match="starts above 0"):
        HeatKernelSignature(square, [0.0])
    with pytest.raises(ValueError, match=r"shape \[N, 2\]"):
        alpha_persistence([torch.zeros(4, 3)])


def test_other_ways_to_differentiate_times_are_refused():
    """Forward mode, and the transforms of torch.func: an error, never zeros."""
    graphs = perslay.shapes(per_class=1)
    times = torch.tensor([1.0, 10.0], dtype=torch.float64)
    with pytest.raises((RuntimeError, NotImplementedError)):
        torch.func.jvp(lambda t: signature(t, graphs), (times,), (torch.ones_like(times),))
    with pytest.raises((RuntimeError, NotImplementedError)):
        torch.func.grad(lambda t: signature(t, graphs).sum())(times)


def test_second_derivatives_of_persistence_are_exact():
    """Extended persistence selects values, and alpha persistence is made of torch's operations."""
    graphs = perslay.shapes(per_class=1)
    values = torch.rand(int(graphs.num_nodes.sum()), dtype=torch.float64, requires_grad=True)
    compute = lambda numbers: extended_persistence(graphs, numbers, kinds="ord0")["ord0"].points.square()  # noqa: E731
    assert torch.autograd.gradgradcheck(compute, (values,))
    cloud = torch.rand(6, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda points: alpha_persistence([points])["h0"].points[:, 1], (cloud,))


def test_several_functions_at_once():
    graphs = perslay.shapes(per_class=2)
    values = torch.rand(int(graphs.vertex_offsets[-1]), 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    values.requires_grad_()
    found = extended_persistence(graphs, values, kinds=["ord0", "ext1"], return_vertices=True)
    assert list(found) == ["ord0", "ext1"] and all(len(each) == 3 for each in found.values())
    for kind, each in found.items():
        for column, (batch, places) in zip(values.unbind(1), each):
            alone, where = extended_persistence(graphs, column, kinds=kind, return_vertices=True)[kind]
            assert torch.equal(batch.points, alone.points) and torch.equal(batch.offsets, alone.offsets)
            assert torch.equal(places, where) and torch.equal(column[places], batch.points)
    found["ext1"][1][0].points.sum().backward()
    assert values.grad[:, 1].any() and not values.grad[:, ::2].any()
    parts = values.detach().split(graphs.num_nodes.tolist())
    listed = extended_persistence(graphs, parts, kinds="ext1")["ext1"]
    assert [torch.equal(one.points, two[0].points) for one, two in zip(listed, found["ext1"])] == [True] * 3
    with pytest.raises(ValueError, match="these must be transposed"):
        extended_persistence(graphs, values.detach().T)
