"""Functions on vertices that are learned."""

import copy
import math
import pickle

import numpy as np
import pytest
from conftest import graphs_with_values
from hypothesis import given

import perslay

torch = pytest.importorskip("torch", reason="perslay.torch is tested with PyTorch")
from perslay.torch import PersLay, VertexNetwork, extended_persistence  # noqa: E402

functional_call = getattr(torch, "func", torch.nn.utils.stateless).functional_call


def by_hand(network, graph, labels=None):
    """The same with the whole adjacency matrix of one graph, before numbers are normalised."""
    size = graph.num_nodes
    adjacency = np.zeros((size, size))
    for a, b in graph.edges:
        adjacency[a, b] = adjacency[b, a] = 1
    degree = adjacency.sum(1)
    roots = np.sqrt(np.where(degree > 0, degree, 1))
    features = np.zeros((size, 65))
    features[:, 0] = np.log(1 + degree)
    if labels is not None:
        features[np.arange(size), 1 + np.asarray(labels) % 64] = 1
    arrays = {name: values.double().numpy() for name, values in network.state_dict().items()}
    dense = lambda x, name: x @ arrays[name + ".weight"].T + arrays[name + ".bias"]  # noqa: E731
    values = dense(features, "input")
    for place in range(len(network.widths)):
        together = values + (adjacency / np.outer(roots, roots)) @ values
        values = np.maximum(dense(np.maximum(dense(together, f"layer{place}a"), 0), f"layer{place}b"), 0)
    return dense(values, "output")[:, 0]


def squashed(numbers, mean, variance):
    return 1 / (1 + np.exp(-2 * (numbers - mean) / np.sqrt(variance + 1e-5)))


@given(graphs_with_values())
def test_values_are_those_by_hand(graph):
    edges, values = graph
    labels = np.abs(values).astype(int) * 40  # some are above 63
    network = VertexNetwork([5, 3], seed=1)
    for own in (None, labels):
        options = {} if own is None else {"node_labels": [own]}
        graphs = perslay.Graphs([(edges, len(values))], **options)
        numbers = by_hand(network, graphs[0], own)
        found = copy.deepcopy(network)(graphs).detach()
        np.testing.assert_allclose(found, squashed(numbers, numbers.mean(), numbers.var()), rtol=1e-9, atol=1e-12)
        found = copy.deepcopy(network).eval()(graphs).detach()
        np.testing.assert_allclose(found, squashed(numbers, 0, 1), rtol=1e-9, atol=1e-12)


def test_running_averages_are_those_of_batch_norm():
    graphs = perslay.shapes(per_class=2)
    network, norm = VertexNetwork([4], seed=2), torch.nn.BatchNorm1d(1, affine=False).double()
    for part in (graphs, graphs[:3], graphs[3:]):
        numbers = torch.tensor(np.concatenate([by_hand(network, graph) for graph in part]))
        norm(numbers.unsqueeze(1))
        network(part)
    size = len(numbers)
    torch.testing.assert_close(network.mean, norm.running_mean)
    # Batch norm keeps the variance of a sample; ours is that of the batch. They differ by about one part in the size.
    torch.testing.assert_close(network.variance, norm.running_var, rtol=3 / size, atol=0)
    network.eval()
    kept = network.mean.clone()
    one = network(graphs[:1])
    assert torch.equal(one, network(graphs)[: len(one)]) and torch.equal(network.mean, kept)


def test_fit():
    """Evaluation mode then gives what training mode gives for these graphs as one batch."""
    graphs = perslay.shapes(per_class=2)
    network = VertexNetwork([4], seed=2)
    expected = copy.deepcopy(network)(graphs)
    assert network.fit(graphs) is network and network.training
    torch.testing.assert_close(network.eval()(graphs), expected, rtol=0, atol=1e-12)
    before = network.mean.clone()
    assert torch.equal(network.fit(perslay.Graphs([])).mean, before) and before.dtype == torch.float64


def test_the_order_of_vertices_does_not_matter():
    graph = perslay.shapes(per_class=1)[1]
    order = np.random.default_rng(0).permutation(graph.num_nodes)
    network = VertexNetwork([6, 6], seed=3).eval()
    values = network([(graph.edges, graph.num_nodes)])
    moved = network([(order[graph.edges], graph.num_nodes)])
    torch.testing.assert_close(moved[torch.tensor(order)], values, rtol=0, atol=1e-13)


def test_gradients():
    graphs = perslay.Graphs([[(0, 1), (1, 2), (2, 0), (2, 3)], [(0, 1), (1, 2)]])
    network = VertexNetwork([3, 2], seed=5).double()
    names = [name for name, _ in network.named_parameters()]

    def compute(*parameters):
        return functional_call(copy.deepcopy(network), dict(zip(names, parameters)), (graphs,))

    assert torch.autograd.gradcheck(compute, tuple(network.parameters()), atol=1e-6)


def test_a_network_learns_through_diagrams():
    torch.manual_seed(0)
    graphs = perslay.shapes(per_class=8)
    labels = torch.tensor(graphs.labels, dtype=torch.int64)
    vertices, layer, dense = VertexNetwork([8, 8]), PersLay("gaussian:5x5", "grid:5x5"), torch.nn.Linear(25, 3)
    model = torch.nn.ModuleList([vertices, layer, dense])
    optimiser = torch.optim.Adam(model.parameters(), 0.02)
    losses = []
    for _ in range(30):
        optimiser.zero_grad()
        loops = extended_persistence(graphs, vertices(graphs), kinds=["ext1"], resolution=2**-30)["ext1"]
        loss = torch.nn.functional.cross_entropy(dense(layer(loops.float()) / 10), labels)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert all(parameter.grad is not None and parameter.grad.isfinite().all() for parameter in model.parameters())
    assert losses[-1] < 0.7 * losses[0]


def test_seeds_copies_and_nothing():
    graphs = perslay.shapes(per_class=1)
    network = VertexNetwork(seed=7).eval()
    assert network.widths == [16, 16] and "widths=[16, 16]" in repr(network)
    expected = network(graphs)
    for other in (VertexNetwork((16, 16), seed=7).eval(), pickle.loads(pickle.dumps(network)), copy.deepcopy(network)):
        assert torch.equal(other(graphs), expected)
    assert not torch.equal(VertexNetwork(seed=8).eval()(graphs), expected)
    bound = math.sqrt(6 / 65)
    assert 0.9 * bound < network.input.weight.abs().max() <= bound
    assert network.train()(perslay.Graphs([])).shape == (0,) and network.mean.item() == 0
    assert network([([], 2)]).shape == (2,)  # vertices without an edge
    for dtype in (torch.float32, torch.float64):
        assert copy.deepcopy(network).to(dtype)(graphs).dtype == torch.float64


def test_mistakes():
    with pytest.raises(ValueError, match="needs the widths"):
        VertexNetwork([])
    for width in (0, -1, 2.5, True, "8"):
        with pytest.raises(ValueError, match="whole number from 1 on"):
            VertexNetwork([8, width])
