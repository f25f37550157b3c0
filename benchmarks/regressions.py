"""The verdict of the gate on a model that has become worse: the bundled one with noise on its weights.

On every matrix of the model lies Gaussian noise of sigma times that matrix's standard deviation. Each noised model is
judged on the bundled corpus, by the shipped bounds and against the clean model. Cases that search, and promises, are
left out: nothing of them is compared.

    python -m benchmarks.regressions [SIGMA ...]
"""

from __future__ import annotations

import math
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from abalo import Session
from abalo.bundled import bundled
from abalo.core.case import BASELINE, Case
from abalo.core.comparison import Compared, Runs, compared
from abalo.core.evidence import Evidence
from abalo.core.judging import judged
from abalo.tasks.ner.task import TASK
from benchmarks.results import show

SIGMAS = (0.30, 0.35, 0.42)
SEEDS = (1, 2)
WEIGHTS = "model.safetensors"


def main() -> None:
    """Judges each noised model both ways."""
    sigmas = [float(sigma) for sigma in sys.argv[1:]] or SIGMAS
    session = Session("ner")
    reference = evidence_of(session)
    rows = [row_of(session, reference, "none", reference, same_model=True)]
    with tempfile.TemporaryDirectory() as folder:
        for sigma in sigmas:
            for seed in SEEDS:
                model = noised(sigma, seed, Path(folder) / f"{sigma}-{seed}")
                evidence = evidence_of(Session("ner", model=str(model)))
                rows.append(row_of(session, reference, f"{sigma}, seed {seed}", evidence))
    show("regressions", rows)


def _cases(session: Session) -> list[Case]:
    return [case for case in session.cases() if case.probe.compared_by(TASK) == TASK.floor]


def evidence_of(session: Session) -> dict[str, Evidence]:
    """The evidence of the clean corpus and of every case that can be compared."""
    found = {session.baseline.case.id: session.baseline.evidence}
    return found | {case.id: session.engine.run(case).evidence for case in _cases(session) if case.name != BASELINE}


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
    alone = [judged(case, TASK, evidence[case.id], session.gate, bounds) for case in cases]
    failed = sum(not each.holds for each in alone)
    found = compared(TASK, cases, Runs(evidence, reference, same_model), session.gate, date.today())
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
        "sight of baseline, mean": "" if same_model else _sights(found),
        "exit code": 1 if found.state == "regressed" else 0,
    }


def _sights(found: Compared) -> str:
    """The smallest losses that would be found four times in five, on the clean corpus and in the mean."""
    return f"{found.baseline.sight:.3f}, {math.nan if found.mean is None else found.mean.sight:.3f}"


def noised(sigma: float, seed: int, folder: Path) -> Path:
    """A copy of the bundled model with noise on its matrices."""
    shutil.copytree(bundled("fixtures/model"), folder)
    weights = load_file(folder / WEIGHTS)
    generator = np.random.Generator(np.random.PCG64(seed))
    for name in sorted(weights):
        matrix = weights[name].astype(np.float32)
        if matrix.ndim == 2:
            noise = generator.normal(size=matrix.shape) * sigma * matrix.std()
            weights[name] = (matrix + noise).astype(weights[name].dtype)
    save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
    return folder


if __name__ == "__main__":
    main()
