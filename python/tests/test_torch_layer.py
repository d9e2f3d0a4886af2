"""PersLay as a torch module: both ways of computing it agree, gradients are right, and it behaves as modules do."""

import copy
import io
import itertools
import pickle
import re
import warnings

import numpy as np
import pytest
from conftest import diagrams
from hypothesis import given
from hypothesis import strategies as st

import perslay

torch = pytest.importorskip("torch", reason="perslay.torch is tested with PyTorch")
from perslay.torch import PaperChannel, PermutationEquivariant, PersLay, RaggedBatch, order_dependence  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:.*far outside the unit square")  # of diagrams by chance
functional_call = getattr(torch, "func", torch.nn.utils.stateless).functional_call

PHI = [
    "triangle:3", "betti:3", "flat:3", "entropy:3", "flat-entropy:3", "gaussian:3", "gaussian:3:widths=each",
    "gaussian:2x3", "gaussian:3:axes=birth-death", "gaussian:2x3:axes=birth-death", "hofer:3",
    "hofer:3:nu=0.4:widths=each", "exponential:3", "rational:3", "rational-hat:3", "rational-hat:3:norm=2", "line:3", "mixture:triangle+gaussian+line:3",
    "mixture:hofer:nu=0.2+gaussian:2x2+rational-hat:4:norm=2",
]  # fmt: skip
WEIGHTS = ["one", "constant", "grid:3x4", "grid:5:low=0.1:high=0.7", "power:1", "power:1.5", "gmix:2"]
OPS = ["sum", "mean", "max", "min", "kth:2", "topk:3"]
STACKS = [(), ((3, "max"),), ((3, "min"), (2, "mean")), ((2, "sum"), (4, "none"))]


def random_batch(counts, seed=0, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    points = torch.rand(sum(counts), 2, generator=generator, dtype=dtype).sort(1).values
    return RaggedBatch(points, np.cumsum([0, *counts]))


def moved_layer(*names, **options):
    """With parameters that are nothing special."""
    layer = PersLay(*names, seed=3, dtype=torch.float64, **options)
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter += 0.1 * torch.rand(parameter.shape, generator=generator, dtype=torch.float64)
    return layer


def values_and_gradients(layer, batch, path):
    layer.path = path
    points = batch.points.detach().requires_grad_()
    out = layer(RaggedBatch(points, batch.offsets))
    direction = torch.linspace(-1, 2, out.numel(), dtype=out.dtype).reshape(out.shape)
    gradients = torch.autograd.grad((out * direction).sum(), [points, *layer.parameters()], allow_unused=True)
    return [out.detach(), *(torch.zeros(()) if gradient is None else gradient for gradient in gradients)]


def assert_paths_agree(layer, batch, tolerance):
    for fused, plain in zip(*(values_and_gradients(layer, batch, path) for path in ("fused", "plain"))):
        torch.testing.assert_close(fused, plain.expand_as(fused), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("phi", PHI)
def test_fused_is_plain(phi):
    batch = random_batch([5, 0, 1, 5])
    batch.points[3] = batch.points[2]  # ties
    batch.points[4, 1] = batch.points[4, 0]  # the diagonal
    stacked = itertools.product(["grid:3x4"], OPS, STACKS[1:])
    for weight, op, stack in [*itertools.product(WEIGHTS, OPS, STACKS[:1]), *stacked]:
        assert_paths_agree(moved_layer(phi, weight, op, equivariant=stack), batch, 1e-12)


@given(st.lists(diagrams(), max_size=5), st.sampled_from(PHI), st.sampled_from(WEIGHTS), st.sampled_from(OPS))
def test_fused_is_plain_on_any_diagrams(arrays, phi, weight, op):
    layer = moved_layer(phi, weight, op)
    assert_paths_agree(layer, RaggedBatch.of(arrays, dtype=torch.float64), 1e-12)


@pytest.mark.parametrize("phi", PHI)
def test_gradients(phi):
    batch = random_batch([4, 0, 1], seed=11)
    points = batch.points.requires_grad_()
    for weight, op in itertools.product(WEIGHTS, OPS):
        layer = moved_layer(phi, weight, op)
        names = [name for name, _ in layer.named_parameters()]

        def compute(points, *values):
            return functional_call(layer, dict(zip(names, values)), RaggedBatch(points, batch.offsets))

        # All derivatives one by one for some, and along random directions for all.
        fast = (weight, op) not in (("grid:3x4", "sum"), ("gmix:2", "topk:3"))
        assert torch.autograd.gradcheck(compute, (points, *layer.parameters()), atol=1e-6, fast_mode=fast)


@pytest.mark.parametrize("stack", STACKS[1:])
def test_gradients_of_equivariant_layers(stack):
    batch = random_batch([4, 0, 2], seed=2)
    for phi, op in itertools.product(["line:2", "gaussian:2"], OPS):
        layer = moved_layer(phi, "grid:2x2", op, equivariant=stack)
        compute = lambda points, *_: layer(RaggedBatch(points, batch.offsets))  # noqa: E731
        assert torch.autograd.gradcheck(compute, (batch.points.requires_grad_(), *layer.parameters()), atol=1e-6)


def test_second_derivatives_are_plain():
    batch = random_batch([3, 2])
    layer = moved_layer("gaussian:2x2", "power:2", path="plain")
    compute = lambda points: layer(RaggedBatch(points, batch.offsets))  # noqa: E731
    assert torch.autograd.gradgradcheck(compute, (batch.points.requires_grad_(),))


def given_layer():
    """All that a gradient can go to: points, parameters, and what a user's phi and weight give."""
    layer = PersLay(torch.nn.Linear(2, 3), torch.nn.Linear(2, 1), "sum", features=3, equivariant=[(2, "mean")])
    return layer.double()


SECOND = {
    "points": (lambda: moved_layer("gaussian:2x2", "power:2"), lambda layer, points: [points]),
    "parameters": (lambda: moved_layer("gaussian:2x2", "grid:2x2"), lambda layer, points: list(layer.parameters())),
    "one parameter": (lambda: moved_layer("gaussian:2x2", "grid:2x2"), lambda layer, points: [layer.phi.sharpness]),
    "features": (given_layer, lambda layer, points: list(layer.phi.parameters())),
    "weights": (given_layer, lambda layer, points: list(layer.weight.parameters())),
    "layers after phi": (given_layer, lambda layer, points: list(layer.equivariant.parameters())),
}


@pytest.mark.parametrize("name", SECOND)
def test_second_derivatives_of_kernels_are_refused(name):
    """By backward() and by grad(), whatever is asked for, and also if the gradient that comes in is a constant."""
    make, choose = SECOND[name]
    batch = random_batch([3, 2]).requires_grad_()
    layer = make()
    wanted = choose(layer, batch.points)
    for loss in (lambda: layer(batch).sum(), lambda: layer(batch).square().sum()):
        for of in ([batch.points], list(layer.parameters())):
            gradients = torch.autograd.grad(loss(), of, create_graph=True)
            penalty = sum(gradient.square().sum() for gradient in gradients)
            others = sum(tensor.square().sum() for tensor in wanted)
            for total in (penalty, penalty + loss() + others):
                for options in ({}, {"allow_unused": True}):
                    with pytest.raises(RuntimeError, match="differentiated twice.*'plain' can"):
                        torch.autograd.grad(total, wanted, retain_graph=True, **options)
                with pytest.raises(RuntimeError, match="differentiated twice"):
                    total.backward(retain_graph=True)


def test_second_derivatives_in_the_gradient_that_comes_in_are_refused():
    batch = random_batch([3, 2]).requires_grad_()
    layer = moved_layer("gaussian:2x2", "grid:2x2")
    factors = torch.ones(2, layer.size, dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(layer(batch), batch.points, factors, create_graph=True)
    with pytest.raises(RuntimeError, match="differentiated twice"):
        torch.autograd.grad(gradient.sum(), factors, allow_unused=True)


def test_second_derivatives_of_what_stands_before_are_refused():
    """A penalty on the gradient of the input of a network whose phi is a module: all of it goes through the kernels."""
    batch = random_batch([3, 2]).requires_grad_()
    layer = given_layer()
    moved = RaggedBatch(batch.points.tanh(), batch.offsets)
    (gradient,) = torch.autograd.grad(layer(moved).sum(), batch.points, create_graph=True)
    with pytest.raises(RuntimeError, match="differentiated twice"):
        torch.autograd.grad(gradient.square().sum(), list(layer.parameters()), allow_unused=True)


def test_other_ways_to_differentiate_are_refused():
    """Forward mode, and the transforms of torch.func: an error, never zeros."""
    batch = random_batch([3, 2])
    layer = moved_layer("gaussian:2x2", "grid:2x2")

    def compute(points):
        return layer(RaggedBatch(points, batch.offsets))

    tangent = torch.ones_like(batch.points)
    with pytest.raises((RuntimeError, NotImplementedError)):
        torch.func.jvp(compute, (batch.points,), (tangent,))
    with pytest.raises((RuntimeError, NotImplementedError)):
        torch.func.grad(lambda points: compute(points).sum())(batch.points)
    with pytest.raises((RuntimeError, NotImplementedError)):
        torch.func.vmap(compute)(torch.stack([batch.points, batch.points]))
    with torch.autograd.forward_ad.dual_level(), pytest.raises((RuntimeError, NotImplementedError)):
        compute(torch.autograd.forward_ad.make_dual(batch.points, tangent))


def test_gradients_do_not_depend_on_how_tensors_lie_in_memory():
    """Points, parameters and the gradient that comes in: transposed, expanded, with strides; twice by one graph."""
    batch = random_batch([3, 2])
    layer = moved_layer("gaussian:2x2", "grid:2x2")
    factors = torch.ones(2, layer.size, dtype=torch.float64)

    def gradients(points, layer, factors):
        out = layer(RaggedBatch(points, batch.offsets))
        wanted = [points, *layer.parameters()]
        first = torch.autograd.grad(out, wanted, factors, retain_graph=True)
        second = torch.autograd.grad(out, wanted, factors)
        assert all(torch.equal(a, b) for a, b in zip(first, second))
        return first

    expected = gradients(batch.points.clone().requires_grad_(), layer, factors)
    turned = batch.points.t().contiguous().t().requires_grad_()
    assert not turned.is_contiguous()
    other = copy.deepcopy(layer)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.data = torch.stack([parameter, parameter], -1)[..., 0]
    assert not any(parameter.is_contiguous() for parameter in other.parameters() if parameter.numel() > 1)
    found = gradients(turned, other, torch.ones((), dtype=torch.float64).expand(2, layer.size))
    for a, b in zip(found, expected):
        assert torch.equal(a, b)


def test_changed_tensors_are_noticed():
    """What backward needs must not change between: torch counts the changes, and says so."""
    for change in ("points", "parameters"):
        batch = random_batch([3, 2]).requires_grad_()
        layer = moved_layer("gaussian:2x2", "grid:2x2")
        moved = RaggedBatch(batch.points * 1, batch.offsets)
        out = layer(moved).sum()
        with torch.no_grad():
            (moved.points if change == "points" else layer.phi.births).add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            out.backward()


def test_create_graph_alone_does_no_harm():
    """Gradients that are kept with their graph, and not differentiated again, train as others do."""
    batch = random_batch([3, 2, 4])
    one, other = (moved_layer("gaussian:2x2", "grid:2x2") for _ in range(2))
    other.load_state_dict(one.state_dict())
    target = torch.ones(3, one.size, dtype=torch.float64)
    for layer, create in ((one, False), (other, True)):
        optimiser = torch.optim.Adam(layer.parameters(), 0.01)
        for _ in range(5):
            loss = (layer(batch) - target).square().mean()
            found = torch.autograd.grad(loss, list(layer.parameters()), create_graph=create)
            for parameter, gradient in zip(layer.parameters(), found):
                parameter.grad = gradient.detach()
            optimiser.step()
    for a, b in zip(one.parameters(), other.parameters()):
        assert torch.equal(a, b)
    # What does not go through the kernels twice can be differentiated: here the second factor alone.
    scale = torch.ones((), dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(one(batch).sum() * scale.square(), scale, create_graph=True)
    (second,) = torch.autograd.grad(gradient, scale)
    torch.testing.assert_close(second, 2 * one(batch).sum())


def test_points_that_are_not_finite_are_refused_on_both_paths():
    for path, number in itertools.product(("fused", "plain"), (float("nan"), float("inf"))):
        layer = PersLay("line:2", "grid:3x3", path=path)
        with pytest.raises(ValueError, match="finite"):
            layer(RaggedBatch(torch.tensor([[0.0, number]]), [0, 1]))


def test_missing_places_are_zero():
    for op, path in itertools.product(OPS, ("fused", "plain")):
        layer = PersLay("line:2", "grid:2x2", op, path=path)
        none = torch.empty(0, 2, requires_grad=True)
        out = layer(RaggedBatch(none, [0, 0, 0]))
        assert out.shape == (2, layer.size) and not out.any()
        out.sum().backward()
        assert all(parameter.grad is None or not parameter.grad.any() for parameter in layer.parameters())
        assert layer(RaggedBatch(none, [0])).shape == (0, layer.size)
    one = PersLay("triangle:1", op="topk:3")([[(0.0, 1.0)]])
    assert one[0, 1:].tolist() == [0, 0]


def test_ties_go_to_the_first():
    for path in ("fused", "plain"):
        points = torch.tensor([[0.0, 1.0]] * 3, requires_grad=True)
        layer = PersLay("line:1", op="max", path=path)
        layer(RaggedBatch(points, [0, 3])).sum().backward()
        assert points.grad[0].any() and not points.grad[1:].any()


def test_single_precision():
    batch = random_batch([50, 0, 70], dtype=torch.float32)
    for phi, weight, op in itertools.product(PHI, ("one", "grid:10x10"), ("sum", "topk:3")):
        layer = PersLay(phi, weight, op, seed=1)
        layer.path = "plain"
        plain = layer(batch)
        layer.path = "fused"
        torch.testing.assert_close(layer(batch), plain, rtol=1e-4, atol=1e-4)


def test_threads_change_no_bit():
    batch = random_batch([30] * 40, dtype=torch.float32)
    results = []
    for threads in (1, 2, None):
        layer = PersLay("gaussian:5x5", "grid:10x10", seed=0, threads=threads)
        out = layer(batch)
        out.square().sum().backward()
        results.append([out, *(parameter.grad for parameter in layer.parameters())])
    for other in results[1:]:
        assert all(torch.equal(a, b) for a, b in zip(results[0], other))


# ---- modules


def test_names_are_the_librarys():
    layer = PersLay("mixture:triangle+gaussian+line:3", "gmix:2", "topk:2", equivariant=[(3, "max"), (2, "none")])
    assert {name: tuple(value.shape) for name, value in layer.state_dict().items()} == layer.channel.parameters
    own = layer.channel.initial_parameters("ours", 7)
    again = PersLay.from_channel(layer.channel, seed=7, dtype=torch.float64)
    for name, value in again.state_dict().items():
        np.testing.assert_array_equal(value, own[name])
    authors = PersLay("gaussian:3x3", init="authors")
    assert authors.phi.sharpness.item() == 3


def test_seeds():
    torch.manual_seed(0)
    first, second = PersLay("gaussian:5"), PersLay("gaussian:5")
    torch.manual_seed(0)
    assert torch.equal(PersLay("gaussian:5").phi.centres, first.phi.centres)
    assert not torch.equal(first.phi.centres, second.phi.centres)
    assert torch.equal(PersLay("gaussian:5", seed=4).phi.centres, PersLay("gaussian:5", seed=4).phi.centres)


@pytest.mark.parametrize(
    "make",
    [
        lambda: PersLay("mixture:triangle+line:3", "grid:4x4", "topk:2", equivariant=[(3, "max")]),
        lambda: PersLay(torch.nn.Linear(2, 5), torch.nn.Linear(2, 1), "max", features=5),
        lambda: PaperChannel("Im(4,(3,2),5,sum)"),
        lambda: PaperChannel("Pm(4,5,0,top-2)"),
        lambda: perslay.torch.PointNetwork("mlp:6x4", "sum+max+attention:2"),
    ],
)
def test_modules_are_copied_kept_and_moved(make):
    layer = make().eval()
    batch = random_batch([4, 0, 3], dtype=torch.float32)
    expected = layer(batch)
    assert expected.shape == (3, layer.size)
    file = io.BytesIO()
    torch.save(layer, file)
    file.seek(0)
    others = [pickle.loads(pickle.dumps(layer)), copy.deepcopy(layer), torch.load(file, weights_only=False)]
    fresh = make().eval()
    fresh.load_state_dict(layer.state_dict())
    for other in [*others, fresh]:
        assert torch.equal(other(batch), expected)
    double = copy.deepcopy(layer).double()
    torch.testing.assert_close(double(batch.double()), expected.double(), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(double.float()(batch), expected)
    assert copy.deepcopy(layer).to("meta")(batch.to("meta")).shape == expected.shape
    half = copy.deepcopy(layer).to(torch.bfloat16)(batch.to(torch.bfloat16))
    assert half.dtype == torch.bfloat16 and torch.isfinite(half).all()
    assert repr(layer)


def test_a_users_own_modules():
    batch = random_batch([4, 0, 3], dtype=torch.float32).requires_grad_()
    phi, weight = torch.nn.Linear(2, 5), torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Sigmoid())
    layer = PersLay(phi, weight, "sum", features=5, equivariant=[(2, "mean")])
    assert set(layer.state_dict()) >= {"phi.weight", "weight.0.bias", "equivariant.0.lambda"}
    layer(batch).square().sum().backward()
    fused = [parameter.grad.clone() for parameter in layer.parameters()] + [batch.points.grad.clone()]
    layer.zero_grad()
    batch.points.grad = None
    layer.path = "plain"
    layer(batch).square().sum().backward()
    for one, other in zip(fused, [parameter.grad for parameter in layer.parameters()] + [batch.points.grad]):
        torch.testing.assert_close(one, other)


def test_parts_can_be_frozen():
    layer = PersLay("gaussian:3x3", "grid:2x2")
    layer.phi.requires_grad_(False)
    layer([[(0.0, 1.0)]]).sum().backward()
    assert layer.phi.births.grad is None and layer.weight.cells.grad is not None


def test_layers_learn():
    """A weight that has to be found: only points born before 1/2 count."""
    torch.manual_seed(0)
    batch = random_batch([20] * 64, seed=1, dtype=torch.float32)
    target = torch.stack([(points[:, 0] < 0.5).sum() for points in batch]).float()
    layer = PersLay("gaussian:1x1:sigma=100", "grid:2x1")
    optimiser = torch.optim.Adam(layer.weight.parameters(), 0.1)
    for _ in range(200):
        optimiser.zero_grad()
        loss = (layer(batch)[:, 0] - target).square().mean()
        loss.backward()
        optimiser.step()
    assert loss < 0.1


def test_paper_channels():
    batch = random_batch([4, 0, 3], dtype=torch.float32)
    image = PaperChannel("Im(4,(3,2),5,top-2)")
    assert image.perslay.channel.phi == "gaussian:5x5" and image.size == 3 * 4 * 4
    assert set(image.state_dict()) == {
        "perslay.phi.births", "perslay.phi.persistences", "perslay.phi.sharpness", "perslay.weight.cells",
        "convolution.weight", "convolution.bias",
    }  # fmt: skip
    values = image.perslay(batch).reshape(3, 5, 5, 2)
    by_hand = torch.einsum("bijr,fr->bfij", values[:, :1, :1], image.convolution.weight[:, :, 0, 0])
    for i, j in ((0, 1), (1, 0), (1, 1)):
        by_hand = by_hand + torch.einsum(
            "bijr,fr->bfij", values[:, i : i + 1, j : j + 1], image.convolution.weight[:, :, i, j]
        )
    found = image(batch).reshape(3, 3, 4, 4)[:, :, :1, :1]
    torch.testing.assert_close(found, by_hand + image.convolution.bias[None, :, None, None])
    assert PaperChannel("Im(4,(),5)").convolution is None and PaperChannel("Im(4,(),5)").size == 25
    lines = PaperChannel("Pm(4,6,0,top-2)")
    assert lines.size == 12 and lines.perslay.channel.weight == "one"


def test_equivariant_layers_alone():
    batch = random_batch([4, 0, 3], dtype=torch.float64)
    for pool in ("max", "min", "sum", "mean", "none"):
        layer = PermutationEquivariant(2, 3, pool, dtype=torch.float64)
        out = layer(batch.points, batch.offsets)
        for part, own in zip(batch, out.split(batch.counts.tolist())):
            if len(part) == 0:
                continue
            pooled = {"max": part.max(0).values, "min": part.min(0).values, "sum": part.sum(0), "mean": part.mean(0)}
            expected = part @ getattr(layer, "lambda") + layer.bias
            if pool != "none":
                expected = expected - pooled[pool] @ layer.gamma
            torch.testing.assert_close(own, expected)
    with pytest.raises(ValueError, match=r"\[N, 2\], not \[7, 3\]"):
        layer(torch.zeros(7, 3), batch.offsets)
    with pytest.raises(ValueError, match="offsets end with 7"):
        layer(torch.zeros(6, 2), batch.offsets)


def test_attention_by_hand():
    network = perslay.torch.PointNetwork("mlp:4", "attention:2").eval()
    batch = random_batch([5, 0], dtype=torch.float32)
    b, d = batch.points.unbind(1)
    columns = torch.stack([b, d - b, d, (b + 1e-3).log(), (d - b + 1e-3).log()], 1)
    features = network.layer0(network.norm(columns)).relu()
    shares = network.attention(features).softmax(0)
    torch.testing.assert_close(network(batch)[0], (shares.t() @ features).flatten())
    assert not network(batch)[1].any()


def test_mistakes():
    batch = random_batch([2])
    with pytest.raises(ValueError, match="float64 on cpu, but phi.births is torch.float32"):
        PersLay()(batch)
    with pytest.raises(ValueError, match="no point transformation called 'gausian"):
        PersLay("gausian:3")
    with pytest.raises(ValueError, match="one of auto, fused, plain"):
        PersLay(path="quick")
    with pytest.raises(ValueError, match="number of its features"):
        PersLay(torch.nn.Linear(2, 3))
    with pytest.raises(ValueError, match=r"weight must give \[2\], not \[2, 3\]"):
        PersLay(weight=torch.nn.Linear(2, 3))(batch.float())
    with pytest.raises(ValueError, match=r"phi must give \[2, 4\], not \[2, 3\]"):
        PersLay(torch.nn.Linear(2, 3), features=4)(batch.float())
    with pytest.raises(ValueError, match="name or a module, not int"):
        PersLay(3)
    with pytest.raises(ValueError, match="fused kernels"):
        PersLay(path="fused", dtype=torch.bfloat16)(batch.to(torch.bfloat16))
    with pytest.raises(ValueError, match="lacks its parentheses|short forms"):
        PaperChannel("Im")
    with pytest.raises(ValueError, match="mlp needs"):
        perslay.torch.PointNetwork("mlp:")
    with pytest.raises(ValueError, match="attention needs"):
        perslay.torch.PointNetwork("mlp:3", "attention")


def test_what_has_no_plain_path_says_so():
    from perslay.torch import _plain

    with pytest.raises(ValueError, match="^new:3 has no plain path; take path='fused'.$"):
        _plain.phi("new:3", torch.zeros(1, 2), None, {})
    with pytest.raises(ValueError, match="^new:3 has no plain path; take path='fused'.$"):
        _plain.weight("new:3", torch.zeros(1, 2), {})


# ---- an op of the user


def segmented(name):
    """torch's own reduction of segments."""

    def op(features, offsets):
        return torch.segment_reduce(features, name, offsets=offsets, initial=0, unsafe=True)

    return op


def padded(reduce):
    """The operation on padded tensors, as networks without ragged batches do it."""

    def op(features, offsets):
        rows = [reduce(features[begin:end]) for begin, end in zip(offsets[:-1].tolist(), offsets[1:].tolist())]
        return torch.stack(rows) if rows else features.new_zeros(0, features.shape[1])

    return op


def largest(count):
    def reduce(rows):
        first = rows.sort(0, descending=True).values[:count]
        return torch.nn.functional.pad(first, (0, 0, 0, count - len(first))).T.flatten()

    return reduce


OWN_OPS = {
    "sum": padded(lambda rows: rows.sum(0)),
    "mean": padded(lambda rows: rows.sum(0) / max(len(rows), 1)),
    "max": padded(lambda rows: rows.max(0).values if len(rows) else rows.sum(0)),
    "topk:3": padded(largest(3)),
}


@pytest.mark.parametrize("phi", PHI)
@pytest.mark.parametrize("stack", [(), ((2, "mean"),)])
def test_an_own_op_is_the_built_in_one(phi, stack):
    batch = random_batch([5, 0, 1, 4])
    for name, op in OWN_OPS.items():
        built_in = moved_layer(phi, "grid:3x4", name, equivariant=stack)
        own = moved_layer(phi, "grid:3x4", op, equivariant=stack)
        own.load_state_dict(built_in.state_dict())
        for path in ("fused", "plain"):
            expected = values_and_gradients(built_in, batch, path)
            for a, b in zip(values_and_gradients(own, batch, "auto"), expected):
                torch.testing.assert_close(a, b.expand_as(a), rtol=1e-12, atol=1e-12)
        assert own.size == built_in.size


class Attention(torch.nn.Module):
    """An op with parameters: a mean, weighted by the softmax of a linear form of the features."""

    def __init__(self, width):
        super().__init__()
        self.score = torch.nn.Linear(width, 1)

    def forward(self, features, offsets):
        weights = self.score(features).exp()
        total, mass = (segmented("sum")(rows, offsets) for rows in (weights * features, weights))
        return total / mass.clamp_min(1e-30)


def test_an_op_that_is_a_module_is_trained_and_kept():
    batch = random_batch([4, 0, 3], seed=4)
    layer = PersLay("gaussian:2x2", "grid:2x2", Attention(4), size=4, seed=1).double()
    assert layer.size == 4 and "op.score.weight" in layer.state_dict()
    compute = lambda points, *_: layer(RaggedBatch(points, batch.offsets))  # noqa: E731
    assert torch.autograd.gradcheck(compute, (batch.points.requires_grad_(), *layer.parameters()), atol=1e-6)
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert torch.equal(twin(batch), layer(batch)) and twin.size == 4
    assert "op=Attention, size=4" in repr(layer)
    assert order_dependence(layer, batch) < 1e-14


def test_order_dependence_finds_what_is_not_invariant():
    batch = random_batch([4, 1, 3])

    def ranked(features, offsets):
        place = torch.arange(len(features)) - torch.repeat_interleave(offsets[:-1], offsets.diff())
        return segmented("sum")(features / (1 + place.unsqueeze(1)), offsets)

    assert order_dependence(moved_layer("line:3", "one", ranked), batch) > 1e-3
    for name in OPS:
        assert order_dependence(moved_layer("line:3", "grid:2x2", name), batch) < 1e-14
    assert order_dependence(moved_layer("line:3", "one", "sum"), []) == 0

    def hides(features, offsets):
        return torch.where(features[offsets[:-1]] > features[offsets[1:] - 1], torch.nan, 0)

    assert order_dependence(moved_layer("line:3", "one", hides), batch) == torch.inf
    with pytest.raises(ValueError, match="trials must be at least 1, not 0"):
        order_dependence(hides, batch, trials=0)


def test_order_dependence_leaves_modes_alone():
    layer = PersLay("line:2", op=torch.nn.ModuleDict({"frozen": torch.nn.Dropout().eval()}), size=1)
    layer.op.forward = lambda features, offsets: layer.op["frozen"](features[offsets[:-1], :1])
    assert layer.training and not layer.op["frozen"].training
    order_dependence(layer, random_batch([2, 3], dtype=torch.float32))
    assert layer.training and not layer.op["frozen"].training


def test_what_an_own_op_may_not_do():
    batch = random_batch([2, 1])
    with pytest.raises(ValueError, match="op is a name, a module or a function, not int"):
        PersLay("line:2", op=3)
    with pytest.raises(ValueError, match="size is that of an op of your own"):
        PersLay("line:2", op="sum", size=2)
    with pytest.raises(ValueError, match="path='fused' is not for it"):
        PersLay("line:2", op=segmented("sum"), path="fused")
    with pytest.raises(ValueError, match="not known before the first call"):
        PersLay("line:2", op=segmented("sum")).size
    for op, size in ((lambda x, _: x, None), (lambda x, _: x.sum(), None), (lambda x, _: 3, None)):
        with pytest.raises(ValueError, match="The op must give \\[2, size\\], not"):
            PersLay("line:2", op=op, size=size, dtype=torch.float64)(batch)
    layer = PersLay("line:2", op=segmented("sum"), size=3, dtype=torch.float64)
    with pytest.raises(ValueError, match="The op must give \\[2, 3\\], not \\[2, 2\\]"):
        layer(batch)


MODULES = {
    "fused": lambda: PersLay("gaussian:3x3", "grid:2x2", "topk:2"),
    "plain": lambda: PersLay("line:4", equivariant=[(3, "max")], path="plain"),
    "own": lambda: PersLay(torch.nn.Linear(2, 4), torch.nn.Linear(2, 1), features=4),
    "convolved": lambda: perslay.torch.PaperChannel("Im(5,(3,2),5,sum)"),
    "convolved phi": lambda: perslay.torch.PaperChannel("Im(5,(3,2),5,sum)", convolution="phi"),
    "points": lambda: perslay.torch.PointNetwork("mlp:8x4", "sum+attention:2"),
}


@pytest.mark.parametrize("name", MODULES)
def test_autocast(name):
    torch.manual_seed(3)
    module = MODULES[name]().eval()
    batch = RaggedBatch.of([[(0, 1), (0.25, 0.75)], [], [(0.125, 0.875)]])  # bfloat16 has these numbers
    expected = module(batch)
    for given in (batch, batch.bfloat16()):
        with torch.autocast("cpu", torch.bfloat16):
            found = module(given)
        if name in ("fused", "plain"):
            assert torch.equal(found, expected)
        torch.testing.assert_close(found.float(), expected, rtol=0.05, atol=0.02)
        found.float().sum().backward()
        assert all(torch.isfinite(parameter.grad).all() for parameter in module.parameters() if parameter.grad is not None)


def test_without_autocast_types_must_agree():
    with pytest.raises(ValueError, match="use to"):
        PersLay("triangle:3")(RaggedBatch.of([[(0, 1)]]).bfloat16())


@pytest.mark.parametrize(
    ("make", "points", "warns"),
    [
        (lambda: PersLay("gaussian:3x3"), [(40, 90), (10, 20), (0, 1)], "67% of the points .* gaussian:3x3 .* from 0 to 90"),
        (lambda: PersLay("line:3", "grid:3x3"), [(40, 90)], "grid:3x3 begins"),
        (lambda: perslay.torch.PaperChannel("Im(5,(3,2),5,sum)"), [(-30, -20)], "from -30 to -20"),
        (lambda: PersLay("line:3"), [(40, 90)], None),
        (lambda: PersLay("line:3", "grid:3x3:low=0:high=100"), [(40, 90)], None),
        (lambda: PersLay("triangle:3"), [(0, 1), (0.5, 1.7), (40, 90)], None),
        (lambda: PersLay(torch.nn.Linear(2, 3), features=3), [(40, 90)], None),
    ],
)
def test_diagrams_far_outside_the_frame(make, points, warns):
    layer = make()
    layer([[]])  # says nothing yet
    for again in range(2):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            layer([points])
        said = [str(warning.message) for warning in caught if warning.category is UserWarning]
        assert len(said) == (1 if warns and not again else 0)
        assert not said or re.search(warns, said[0]), said


def test_a_layer_that_was_moved_to_its_diagrams_does_not_warn():
    layer = PersLay("gaussian:3")
    with torch.no_grad():
        layer.phi.centres.copy_(torch.tensor([[0.0, 100.0], [50.0, 50.0], [80.0, 20.0]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        layer([[(40, 90)]])
