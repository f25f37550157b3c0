"""The verdict of the gate on other trainings of the bundled model, and how far the trainings are apart.

Each is judged on the bundled corpus against the one that ships, and the other way round; cases that search, and
promises, are left out. Then all are judged as trainings of one model: mean and standard deviation, case by case.

    python -m benchmarks.trainings MODEL [MODEL ...]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import fmean, stdev

from abalo import Session
from abalo.core.evidence import Evidence
from abalo.tasks.ner.task import TASK
from benchmarks.regressions import evidence_of, row_of
from benchmarks.results import show


def main() -> None:
    """Judges each pair, then all together."""
    others = sys.argv[1:]
    if not others:
        raise SystemExit(__doc__)
    session = Session("ner")
    shipped = evidence_of(session)
    found = [evidence_of(Session("ner", model=other)) for other in others]
    rows = []
    for name, other in zip(others, found, strict=True):
        rows.append(row_of(session, shipped, f"{name} against the one that ships", other))
        rows.append(row_of(session, other, f"the one that ships against {name}", shipped))
    show("trainings", rows)
    every = [shipped, *found]
    whole = [case for case in shipped if not case.startswith("ner/slice")]  # slices share F1 with the clean corpus
    show("trainings_by_case", [_spread(case, [each[case] for each in every]) for case in whole])


def _spread(case: str, trainings: Sequence[Evidence]) -> dict[str, object]:
    """F1 of one case: mean and standard deviation over the trainings."""
    metric = TASK.metrics()[TASK.floor]
    view = next(view for view in TASK.views if metric.meant_in(view))
    values = [float(metric.value(each.counts(metric, view)[:, 0].sum(axis=0))) for each in trainings]
    return {"case": case, "mean F1": round(fmean(values), 3), "sd": round(stdev(values), 3)}


if __name__ == "__main__":
    main()
