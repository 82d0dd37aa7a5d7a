"""What the runs of both families say, and the small pieces around their steps."""

import json

import pytest
import torch
from torch import nn

from ganzoo.mlp_gan import metric_oracles
from ganzoo.mlp_gan.advised import AdvisedMLPGAN
from ganzoo.mlp_gan.buggy import BuggyMLPGAN
from ganzoo.mlp_gan.faults import FAULTS
from ganzoo.mlp_gan.symptom import symptom as critic_wins
from ganzoo.run import Run
from ganzoo.trial import trial
from ganzoo.wgan_gp.buggy import BuggyWGANGP
from ganzoo.wgan_gp.fixed import FixedWGANGP
from ganzoo.wgan_gp.symptom import symptom as steep_critic
from tests.article.conftest import grafted, small
from tests.conftest import configured

CUDA = torch.cuda.is_available()


def test_the_posted_scale_has_the_printed_sizes_and_rates():
    program = small(AdvisedMLPGAN, scale="posted", image_size=28, width=256, latent=100)
    counts = [sum(p.numel() for p in n.parameters()) for n in (program.generator, program.critic)]
    # layer by layer, weights and biases, of 100-256-512-784 and 784-512-256-1
    assert counts == [
        101 * 256 + 257 * 512 + 513 * 784,
        785 * 512 + 513 * 256 + 257,
    ]
    assert [AdvisedMLPGAN.scales["posted"][k] for k in ("latent", "width")] == [100, 256]
    assert (program.generator_rate, program.critic_rate, program.betas) == (
        2e-4,
        2e-4,
        (0.5, 0.999),
    )
    assert BuggyMLPGAN.betas == (0.9, 0.999)
    assert (program.leak, program.smoothing) == (0.1, 0.1)


def test_the_critic_of_the_posted_program_wins_and_that_of_the_fixed_does_not():
    found = critic_wins(trial(small(BuggyMLPGAN), 60))
    assert (found.name, found.present) == ("critic_wins", True)
    assert found.evidence["critic_accuracy"] == 1
    assert "right about 100% of a batch" in found.sentence
    assert not critic_wins(trial(small(FAULTS.fixed, width=64, latent=16), 60)).present


def test_a_loss_that_is_no_number_is_a_symptom():
    seen = trial(grafted("mlp_gan", "log_of_zero", critic_rate=0.5), 60)
    assert critic_wins(seen).present


def test_the_slope_rises_under_the_printed_penalty_alone():
    slopes = {}
    for cls in (BuggyWGANGP, FixedWGANGP):
        program = small(cls, width=32, batch_size=32, learning_rate=5e-3)
        found = steep_critic(trial(program, 40))
        slopes[cls] = found.evidence["slope"]
        assert found.present == (cls is BuggyWGANGP)
        assert f"{slopes[cls]:.3g} for each image" in found.sentence
    assert slopes[BuggyWGANGP] > 2 * slopes[FixedWGANGP]


@pytest.mark.parametrize("layout", ["images", "flat"])
@pytest.mark.parametrize("size", [8, 28])
def test_both_layouts_train_at_both_sizes(layout, size):
    program = small(FixedWGANGP, layout=layout, image_size=size)
    assert trial(program, 1).generator.steps == 1
    assert program.sample(3).shape == (3, 1, size, size)


def test_three_channels_train_too():
    for cls in (FAULTS.fixed, FixedWGANGP):
        program = small(cls, image_channels=3)
        assert trial(program, 1).generator.steps == 1


def test_samples_fill_the_bytes_of_the_range():
    program = small(FAULTS.fixed)
    images = torch.tensor([-1.0, 0.0, 1.0]).view(3, 1, 1, 1)
    assert program.to_uint8(images).flatten().tolist() == [0, 128, 255]
    pixels = torch.arange(256, dtype=torch.uint8).view(-1, 1, 1, 1)
    assert torch.equal(program.to_uint8(program.reals_in_range(pixels)), pixels)


def test_rates_follow_their_stages():
    program = small(FAULTS.fixed, rate_stages=(0.5, 1.0, 1.5), stage_steps=2)
    rates = []
    program.on_train_batch_start = lambda *_: rates.append(  # type: ignore[method-assign]
        [o.param_groups[0]["lr"] for o in program.both_optimizers()]
    )
    trial(program, 7)
    # what is read before a step is the rate of the step before; the first is as it was made
    seen = [round(generator / 2e-4, 3) for generator, _ in rates[1:]]
    assert seen == [0.5, 0.5, 1.0, 1.0, 1.5, 1.5]


def test_the_generator_takes_its_turns_on_new_fakes():
    program = small(FAULTS.fixed, generator_turns=3)
    seen = trial(program, 6)
    assert (seen.generator.steps, seen.critic.steps) == (6, 2)
    assert seen.generator.change > 0


def test_the_critic_takes_its_turns():
    seen = trial(small(FAULTS.fixed, critic_turns=4), 2)
    assert (seen.generator.steps, seen.critic.steps) == (2, 8)


def test_smoothing_lowers_the_target_of_reals_alone():
    program = small(FAULTS.fixed, smoothing=0.1)
    targets = []
    program.adversarial_loss = lambda scores, target: (  # type: ignore[method-assign]
        targets.append(target.unique().tolist()) or scores.mean()
    )
    images = torch.zeros(4, 1, 8, 8)
    program.critic_loss(images, images)
    program.generator_loss(images)
    assert targets == [[pytest.approx(0.9)], [0.0], [1.0]]


def test_the_norm_is_that_of_torch():
    program = small(FAULTS.fixed)
    network = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1))
    network(torch.ones(2, 3)).sum().backward()
    everything = torch.cat([p.grad.flatten() for p in network.parameters()])  # type: ignore[union-attr]
    assert float(program.gradient_norm(network)) == pytest.approx(float(everything.norm()))


def test_the_metric_gives_the_distance_of_its_features():
    program = small(FAULTS.fixed)
    metric = metric_oracles.metric_for(program)
    found = program.frechet(metric, metric_oracles.grey(90), metric_oracles.grey(120))
    assert found == pytest.approx(3 * 30**2, rel=0.01)


def test_a_preset_runs_from_the_command_line_s_configuration(tmp_path):
    config = configured(
        "model=buggy_mlp_gan", "experiment=critic_wins", "evaluation=digits", "evaluation.n=100"
    )
    Run(config, tmp_path)()
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["state"]["name"] == "saturated"
    assert results["symptom"]["present"]
    assert "range_mismatch" not in results["faults"]
    assert results["metrics"]


@pytest.mark.gpu
@pytest.mark.skipif(not CUDA, reason="no CUDA device here")
@pytest.mark.parametrize("cls", [FAULTS.fixed, FixedWGANGP])
def test_it_trains_on_a_gpu(cls):
    assert trial(small(cls), 2, accelerator="gpu").generator.steps == 2


@pytest.mark.gpu
@pytest.mark.skipif(not CUDA, reason="no CUDA device here")
def test_shares_without_a_device_stop_a_gpu():
    with pytest.raises(RuntimeError, match="device"):
        trial(grafted("wgan_gp", "alpha_on_cpu"), 1, accelerator="gpu")
