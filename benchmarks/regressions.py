"""The verdict of the gate on a model that has become worse: the bundled one with noise on its weights.

On every matrix of the model lies Gaussian noise of sigma times that matrix's standard deviation. Each noised model is
judged on the bundled corpus, by the shipped bounds and against the clean model. Cases that search, and invariances, are
left out: nothing of them is compared.

A second table has the smallest mean loss that is found with a power of 80 %, for three pairs of models that differ in
many sentences: the first noised model, and linear classifiers of texts and taggers of parts of speech that were trained
on the two halves of a training set. Aim: at most the limit and 3.2 standard errors of the mean loss, of which the level
takes 2.24 (half of 2.5 %) and the power 0.84.

    python -m benchmarks.regressions [--data DATA] [SIGMA ...]
"""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from abalo import Session
from abalo.bundled import bundled_path
from abalo.comparison.test.comparison import Compared, compare_task
from abalo.comparison.test.family import Runs
from abalo.core.protocols.probe import Case
from abalo.core.running.judging import judge_case
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.plan import BASELINE
from abalo.tasks.ner.task import TASK
from benchmarks.arguments import Parser
from benchmarks.foresight import ALWAYS, KINDS, run_of
from benchmarks.noised import noised
from benchmarks.published import add_data
from benchmarks.results import Aim, show

SIGMAS = (0.30, 0.35, 0.42)
SEEDS = (1, 2)
LINEAR = ("texts", "tags")
"""Kinds of `benchmarks.foresight` whose models differ in many sentences."""

MOST = 3.2
"""How many standard errors above its limit the mean loss lies that is found with a power of 80 %."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "DATA", "0.1", "--seeds", "1", "--limit", "3"))
    add_data(parser)
    parser.add_argument("sigmas", nargs="*", type=float, help=f"noise; default: {SIGMAS}")
    parser.add_argument("--seeds", type=int, nargs="+", default=SEEDS, help="of the noise; default: %(default)s")
    parser.add_limit()
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Judges each noised model both ways."""
    options = parser().parse_args(given)
    seen = [of_mean(f"{kind}: other half of the training set", linear(kind, options.data)) for kind in LINEAR]
    asked = {"thresholds": bundled_path("thresholds.toml"), "limit": options.limit}
    session = Session("ner", **asked)
    reference = evidence_of(session)
    rows = [row_of(session, reference, "none", reference, same_model=True)]
    with tempfile.TemporaryDirectory() as folder:
        for sigma in options.sigmas or SIGMAS:
            for seed in options.seeds:
                model = noised(sigma, seed, Path(folder) / f"{sigma}-{seed}")
                evidence = evidence_of(Session("ner", model=str(model), **asked))
                name = f"{sigma}, seed {seed}"
                rows.append(row_of(session, reference, name, evidence))
                found = compare_task(TASK, _cases(session), Runs(evidence, reference), session.gate, date.today())
                if found.mean is not None:  # None on few sentences
                    seen.append(of_mean(f"entities: noise {name}", found))
    show("regressions", rows)
    show("detectable_mean_loss", seen, [Aim("(detectable - limit) / se", MOST, at_most=True)])


def linear(kind: str, data: Path) -> Compared:
    """Two linear models compared, each trained on one half of a training set."""
    with tempfile.TemporaryDirectory() as folder:
        trained = KINDS[kind](data, Path(folder))
        reference, new = (run_of(trained, trained.models[name]()) for name in ALWAYS[0])
    return compare_task(new.task, new.cases, Runs(new.evidence, reference.evidence), new.gate, date.today())


def of_mean(name: str, found: Compared) -> dict[str, object]:
    """The mean loss of a comparison that is found with a power of 80 %, and how far it lies above its limit."""
    mean = found.mean
    assert mean is not None
    return {
        "models": name,
        "sentences": mean.loss.n,
        "that differ": mean.discordant,
        "mean loss": round(mean.loss.value, 4),
        "se": round(mean.loss.se, 4),
        "limit": mean.limit,
        "detectable": round(mean.detectable_loss, 4),
        "(detectable - limit) / se": round((mean.detectable_loss - mean.limit) / mean.loss.se, 2)
        if mean.loss.se
        else 0,
    }


def _cases(session: Session) -> list[Case]:
    return [case for case in session.cases() if case.probe.compared_by(TASK) == TASK.floor]


def evidence_of(session: Session) -> dict[str, Evidence]:
    """The evidence of the clean corpus and of every case that can be compared."""
    found = {session.baseline.case.id: session.baseline.evidence}
    return found | {
        case.id: session.prepared.engine.run(case).evidence for case in _cases(session) if case.name != BASELINE
    }


def row_of(
    session: Session,
    reference: Mapping[str, Evidence],
    noise: str,
    evidence: Mapping[str, Evidence],
    *,
    same_model: bool = False,
) -> dict[str, object]:
    """How the gate judges evidence by the shipped bounds, and against that of a reference."""
    cases = _cases(session)
    bounds = sum(len(case.bounds) for case in cases if case.blocking)
    alone = [judge_case(case, TASK, evidence[case.id], session.gate, bounds) for case in cases]
    failed = sum(not each.holds for each in alone)
    found = compare_task(TASK, cases, Runs(evidence, reference, same_model), session.gate, date.today())
    whole = [loss for loss in found.losses if loss.group is None and loss.blocking]
    states = Counter(loss.state for loss in whole)
    return {
        "noise": noise,
        "F1 lost": round(100 * found.baseline.loss.value, 1),
        "lost in cases": f"{100 * min(each.loss.value for each in whole):.1f} to "
        f"{100 * max(each.loss.value for each in whole):.1f}",
        "fail by bounds": f"{failed} of {len(cases)}",
        "baseline against": found.baseline.state,
        "mean against": found.mean.state if found.mean is not None else "",
        "cases regressed": f"{states['regressed']} of {len(whole)}",
        "types regressed": sum(loss.state == "regressed" and loss.group is not None for loss in found.losses),
        "detectable loss of baseline, mean": "" if same_model else _detectable_losses(found),
        "exit code": 1 if found.state == "regressed" else 0,
    }


def _detectable_losses(found: Compared) -> str:
    """The smallest losses that would be found four times in five, on the clean corpus and in the mean."""
    return f"{found.baseline.detectable_loss:.3f}, {math.nan if found.mean is None else found.mean.detectable_loss:.3f}"


if __name__ == "__main__":
    main()
