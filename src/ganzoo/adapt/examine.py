"""How well an adapted classifier does, beside one trained on the source alone."""

import copy

import torch
from torch import Tensor, nn

from ganzoo.adapt.base import Adapt
from ganzoo.adapt.fixed import FixedAdapt
from ganzoo.data import DomainPair
from ganzoo.data.pairs import labelled
from ganzoo.evaluation.scores import Score, fingerprint
from ganzoo.reversal.estimate import estimate, fit_critic
from ganzoo.trial import trial

CRITIC_STEPS = 300


def examine(program: Adapt, start: Adapt, data: DomainPair) -> list[Score]:
    """Return the scores of an adapted program and of its source-only control.

    The control is the same program from the same weights on the same source batches for as many
    steps; no target image reaches it, so that what BatchNorm learns of the target counts as
    adaptation. Images that were not trained on judge both:

    - ``target_accuracy``, ``source_accuracy``: shares in [0, 1]. The target's labels are read here
      and nowhere else; without any there is no target accuracy.
    - ``proxy_a_distance``: 2 (1 - 2 e), where e is the error of a linear classifier that tells the
      domains' features apart (Ben-David et al. 2007): 0 for features alike, 2 for separate ones.
    - ``wasserstein``: the estimate of a fresh critic with a gradient penalty, on features scaled to
      unit variance.

    Args:
        program: the trained program.
        start: the same before training.
        data: the domains that it was trained on.
    """
    control = copy.deepcopy(start)
    control.adversarial = False
    if program.generator_steps:
        trial(control, program.generator_steps, seed=data.seed, batches=data.stream(data.seed))
    found: list[Score] = []
    for label, judged in (("adapted", program), ("source_only", control)):
        values = {**accuracies(judged, data), **distances(judged, data)}
        for name, value in values.items():
            n = len(data.parts["source" if name == "source_accuracy" else "target"][1])
            key = fingerprint(protocol=name, data=data.fingerprint, held_out=str(n))
            found.append(Score(f"{name}/{label}", value, None, n, name, key))
    return found


def accuracies(program: Adapt, data: DomainPair) -> dict[str, float]:
    """Return the accuracy on the held-out images of the domains that have labels."""
    found = {}
    for role in ("target", "source"):
        if not labelled(data.domains[role]):
            continue
        images, labels = data.held_out(role)
        right = program.labels_of(images) == labels
        found[f"{role}_accuracy"] = float(right.float().mean())
    return found


def distances(program: Adapt, data: DomainPair) -> dict[str, float]:
    """Return how far apart the features of the two domains are, measured on held-out images."""
    train, test = [], []
    for role in ("source", "target"):
        train.append(program.features_of(torch.from_numpy(data.training(role))))
        test.append(program.features_of(data.held_out(role)[0]))
    together = torch.cat(train)
    mean, scale = together.mean(0), together.std().clamp_min(1e-12)
    train, test = ([(side - mean) / scale for side in sides] for sides in (train, test))
    if not all(bool(side.isfinite().all()) for side in (*train, *test)):
        return {"proxy_a_distance": float("nan"), "wasserstein": float("nan")}
    return {
        "proxy_a_distance": proxy_a_distance(*train, *test),
        "wasserstein": fresh_estimate(*train, *test),
    }


def proxy_a_distance(source: Tensor, target: Tensor, *judged: Tensor) -> float:
    """Return 2 (1 - 2 e) of a logistic regression, fitted on two sides and judged on two others."""
    features = torch.cat([source, target])
    labels = torch.cat([torch.zeros(len(source)), torch.ones(len(target))])
    sides = torch.tensor([len(target), len(source)]) / len(features)  # both weigh the same
    weights = sides[labels.long()]
    weight = torch.zeros(features.shape[1] + 1, requires_grad=True)
    optimizer = torch.optim.LBFGS([weight], max_iter=200, line_search_fn="strong_wolfe")

    def loss() -> Tensor:
        optimizer.zero_grad()
        logits = features @ weight[1:] + weight[0]
        fit = nn.functional.binary_cross_entropy_with_logits(logits, labels, weights)
        total = fit + 1e-4 * weight.square().sum()
        total.backward()
        return total

    optimizer.step(loss)  # pyright: ignore[reportArgumentType]
    with torch.no_grad():
        wrong = [
            float(((side @ weight[1:] + weight[0] > 0) != truth).float().mean())
            for side, truth in zip(judged, (False, True), strict=True)
        ]
    return 2 * (1 - sum(wrong))


def fresh_estimate(source: Tensor, target: Tensor, *judged: Tensor) -> float:
    """Return a fresh critic's estimate for two sides, fitted on two others of the same kind."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        program = FixedAdapt(features=source.shape[1], learning_rate=1e-3)
        rows = torch.Generator().manual_seed(0)

        def draw() -> tuple[Tensor, Tensor]:
            some = [
                side[torch.randint(len(side), (128,), generator=rows)] for side in (source, target)
            ]
            return some[0], some[1]

        fit_critic(program, draw, CRITIC_STEPS)
    return estimate(program, *judged)
