"""The reversal against its definition, in every mode in which a layer is used."""

import pytest
import torch
import torch.multiprocessing as mp
from torch import nn

from ganzoo.gradient_reversal import ReverseGradient, reverse


def test_values_stay_and_gradients_turn():
    features = torch.randn(4, 3, requires_grad=True)
    out = reverse(features, 0.3)
    assert torch.equal(out, features)
    (gradient,) = torch.autograd.grad(out.square().sum(), features)
    assert torch.allclose(gradient, -0.3 * 2 * features)


def test_it_needs_no_gradient():
    assert not reverse(torch.randn(2, 3), 0.5).requires_grad
    with torch.no_grad():
        assert not reverse(torch.randn(2, 3, requires_grad=True), 0.5).requires_grad
    with torch.inference_mode():
        reverse(torch.randn(2, 3), 0.5)


def test_a_second_derivative_passes_it():
    features = torch.randn(4, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(reverse(features, 0.5).pow(3).sum(), features, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), features)
    # each of the two passes is reversed: d/dx of -c 3 y^2, with dy/dx = -c once more
    assert torch.allclose(second, 0.25 * 6 * features)


def test_it_works_under_autocast():
    layer, features = nn.Linear(3, 3), torch.randn(2, 3)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        hidden = layer(features)
        out = reverse(hidden, 0.5)
        loss = out.float().sum()
    assert out.dtype == torch.bfloat16
    loss.backward()
    assert torch.allclose(layer.bias.grad, torch.full((3,), -1.0))


def test_it_compiles_whole():
    features = torch.randn(4, 3, requires_grad=True)
    compiled = torch.compile(
        lambda x: reverse(x * 2, 0.5).sum(), backend="aot_eager", fullgraph=True
    )
    (gradient,) = torch.autograd.grad(compiled(features), features)
    assert torch.equal(gradient, torch.full((4, 3), -1.0))


def test_the_layer_takes_its_coefficient_of_the_moment():
    layer, features = ReverseGradient(0.5), torch.ones(2, requires_grad=True)
    for coefficient in (0.5, 0.25):
        layer.coefficient = coefficient
        (gradient,) = torch.autograd.grad(layer(features).sum(), features)
        assert torch.equal(gradient, torch.full((2,), -coefficient))
    assert "coefficient=0.25" in repr(layer)


def one_process(rank, folder, found):
    torch.set_num_threads(1)
    torch.distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2
    )
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 2), ReverseGradient(0.5), nn.Linear(2, 1))
    parallel = nn.parallel.DistributedDataParallel(model)
    parallel(torch.full((1, 3), float(rank + 1))).sum().backward()
    found[rank] = torch.cat([p.grad.flatten() for p in model.parameters()])
    torch.distributed.destroy_process_group()


@pytest.mark.slow
def test_two_processes_share_their_gradients(tmp_path):
    with mp.Manager() as manager:
        found = manager.dict()
        mp.spawn(one_process, args=(str(tmp_path), found), nprocs=2)
        gradients = [found[rank] for rank in range(2)]
    assert torch.equal(*gradients)
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 2), ReverseGradient(0.5), nn.Linear(2, 1))
    (sum(model(torch.full((1, 3), rank)).sum() for rank in (1.0, 2.0)) / 2).backward()
    alone = torch.cat([p.grad.flatten() for p in model.parameters()])
    assert torch.allclose(gradients[0], alone)
