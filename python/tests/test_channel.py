"""The layer forward and backward, for those who bring their own autograd."""

import pickle

import numpy as np
import pytest

import perslay

PHIS = ["triangle:4", "flat:4", "gaussian:3x4", "gaussian:5", "hofer:5", "exponential:4", "rational:4",
        "rational-hat:4", "line:4", "mixture:triangle+gaussian+line:4"]
WEIGHTS = ["one", "grid:3x3", "power:1", "gmix:2", "constant"]
OPS = ["sum", "mean", "max", "min", "kth:2", "topk:2"]


def batch(seed=0, dtype=np.float64):
    """Three diagrams, the second one empty."""
    points = np.sort(np.random.default_rng(seed).random((9, 2)), axis=1).astype(dtype)
    return points, np.array([0, 5, 5, 9])


def parameters_of(channel, dtype=np.float64):
    return [array.astype(dtype) for array in channel.initial_parameters(seed=3).values()]


def gradient_by_differences(function, array, step=1e-6):
    gradient = np.zeros_like(array)
    for place in np.ndindex(array.shape):
        kept = array[place]
        array[place] = kept + step
        above = function()
        array[place] = kept - step
        gradient[place] = (above - function()) / (2 * step)
        array[place] = kept
    return gradient


def check_gradients(channel, **given):
    points, offsets = batch()
    parameters = parameters_of(channel)
    out, selection = channel.forward(points, offsets, parameters, **given)
    direction = np.random.default_rng(1).standard_normal(out.shape)
    found = channel.backward(points, offsets, parameters, selection, direction, **given)

    def loss():
        return (channel.forward(points, offsets, parameters, **given)[0] * direction).sum()

    np.testing.assert_allclose(found[0], gradient_by_differences(loss, points), atol=1e-5)
    for gradient, parameter in zip(found[1], parameters):
        np.testing.assert_allclose(gradient, gradient_by_differences(loss, parameter), atol=1e-5)
    for gradient, name in ((found[2], "features"), (found[3], "weights")):
        if name in given:
            np.testing.assert_allclose(gradient, gradient_by_differences(loss, given[name]), atol=1e-5)
        else:
            assert gradient is None


@pytest.mark.parametrize("phi", PHIS)
def test_gradients_of_transformations(phi):
    for op in ("sum", "topk:2"):
        check_gradients(perslay.Channel(phi, "power:1", op))


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("op", OPS)
def test_gradients_of_weights_and_operations(weight, op):
    check_gradients(perslay.Channel("gaussian:4", weight, op))


@pytest.mark.parametrize("pool", ["none", "max", "min", "sum", "mean"])
def test_gradients_of_equivariant_layers(pool):
    channel = perslay.Channel("line:3", "one", "topk:2", equivariant=[(4, pool), (2, "max")])
    assert channel.size == 4 and "equivariant.1.bias" in channel.parameters
    check_gradients(channel)


def test_gradients_of_what_is_given():
    rng = np.random.default_rng(2)
    check_gradients(perslay.Channel.given(features=3, op="max"), features=rng.standard_normal((9, 3)))
    check_gradients(perslay.Channel.given(phi="gaussian:4", weight=None), weights=rng.standard_normal(9))


def test_single_precision():
    channel = perslay.Channel("gaussian:4x4", "grid:3x3", "sum")
    points, offsets = batch()
    expected, _ = channel.forward(points, offsets, parameters_of(channel))
    single, selection = channel.forward(points.astype(np.float32), offsets, parameters_of(channel, np.float32))
    assert single.dtype == np.float32 and expected.dtype == np.float64
    np.testing.assert_allclose(single, expected, rtol=1e-4)
    gradients = channel.backward(points.astype(np.float32), offsets, parameters_of(channel, np.float32), selection,
                                 np.ones_like(single))
    assert gradients[0].dtype == np.float32 and all(array.dtype == np.float32 for array in gradients[1])


def test_any_layout_and_any_threads():
    channel = perslay.Channel("triangle:4", "one", "topk:2")
    points, offsets = batch()
    parameters = parameters_of(channel)
    expected, selection = channel.forward(points, offsets, parameters)
    read_only = points.copy()
    read_only.setflags(write=False)
    for form in (read_only, np.asfortranarray(points), np.repeat(points, 2, axis=0)[::2], points.tolist()):
        np.testing.assert_array_equal(channel.forward(form, offsets.tolist(), parameters, threads=1)[0], expected)
    gradients = channel.backward(points, offsets, parameters, selection, np.ones_like(expected), need_points=False,
                                 need_parameters=[False])
    assert gradients[0] is None and gradients[1] == [None]


def test_empty_batches():
    channel = perslay.Channel("gaussian:3x3")
    for offsets, diagrams in (([0], 0), ([0, 0, 0], 2)):
        out, selection = channel.forward(np.empty((0, 2)), offsets, parameters_of(channel))
        assert out.shape == (diagrams, 9) and not out.any()
        gradients = channel.backward(np.empty((0, 2)), offsets, parameters_of(channel), selection, out)
        assert gradients[0].shape == (0, 2) and not any(array.any() for array in gradients[1])


def test_mistakes():
    channel = perslay.Channel("triangle:4")
    points, offsets = batch()
    parameters = parameters_of(channel)
    with pytest.raises(ValueError, match=r"phi.samples must have the shape \(4,\), not \(3,\)"):
        channel.forward(points, offsets, [np.zeros(3)])
    with pytest.raises(ValueError, match="has 1 parameters, not 0"):
        channel.forward(points, offsets, [])
    with pytest.raises(ValueError, match="offsets must begin with 0"):
        channel.forward(points, [0, 5], parameters)
    with pytest.raises(ValueError, match=r"points must have the shape \(N, 2\)"):
        channel.forward(points.T, offsets, parameters)
    with pytest.raises(ValueError, match="if, and only if"):
        channel.forward(points, offsets, parameters, weights=np.ones(9))
    with pytest.raises(ValueError, match=r"out_gradient must have the shape \(3, 4\)"):
        channel.backward(points, offsets, parameters, [], np.ones((3, 5)))
    with pytest.raises(ValueError, match="selection|chosen"):
        chooser = perslay.Channel("triangle:4", op="max")
        chooser.backward(points, offsets, parameters, [], np.ones((3, 4)))
    with pytest.raises(ValueError, match="gausian"):
        perslay.Channel("gausian:3x3")


def test_names_of_the_paper():
    channel, convolution = perslay.Channel.paper("Im(20,(10,2),10,sum)")
    assert convolution == (10, 2) and channel.weight == "grid:10x10" and channel.size == 21 * 21
    channel, convolution = perslay.Channel.paper("Pm(25,25,10,top-5)")
    assert convolution is None and channel.equivariant == [(25, "max")] and channel.size == 125


def test_pickles():
    for channel in (perslay.Channel("hofer:5:nu=0.05", "grid:2x3:low=0:high=2", "kth:3", equivariant=[(2, "sum")]),
                    perslay.Channel.given(features=3, weight=None)):
        assert pickle.loads(pickle.dumps(channel)) == channel


def test_initial_parameters_depend_on_the_seed():
    channel = perslay.Channel("gaussian:5")
    first, same, other = (channel.initial_parameters(seed=seed)["phi.centres"] for seed in (1, 1, 2))
    assert np.array_equal(first, same) and not np.array_equal(first, other)
    assert list(channel.initial_parameters("authors")) == list(channel.parameters)


@pytest.mark.parametrize(
    "channel",
    [perslay.Channel("triangle:3", op="max"), perslay.Channel("line:2", op="sum", equivariant=[(2, "max")])],
    ids=["max", "equivariant"],
)
def test_a_selection_that_is_not_forwards_is_refused(channel):
    parameters = list(channel.initial_parameters().values())
    points, offsets = np.array([[0.0, 1.0], [0.2, 0.6], [0.1, 0.3]]), [0, 2, 3]
    out, selection = channel.forward(points, offsets, parameters)
    assert len(selection) > 0
    for wrong in (10**8, 2, -2):
        changed = selection.copy()
        changed[-1] = wrong
        with pytest.raises(ValueError, match=f"selection has point {wrong} of diagram 1, which has 1 points"):
            channel.backward(points, offsets, parameters, changed, np.ones_like(out))
    assert channel != 5 and channel is not None
