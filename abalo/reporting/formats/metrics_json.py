"""report.metrics.json: the numbers of a run by name, for experiment trackers and dashboards."""

from __future__ import annotations

import json
from collections.abc import Mapping

from abalo.core.records.words import DECIMALS
from abalo.reporting.formats.report_format import ReportFormat
from abalo.reporting.formats.tracking import track

METRICS_NAME = "report.metrics.json"


def as_metrics(numbers: Mapping[str, float]) -> str:
    """Returns flat JSON: each number under its name, ends of intervals under the names with ``.low`` and ``.high``."""
    return json.dumps({name: round(value, DECIMALS) + 0.0 for name, value in numbers.items()}, indent=1) + "\n"


REPORT_FORMAT = ReportFormat("metrics", METRICS_NAME, lambda document, _: as_metrics(track(document).metrics))
