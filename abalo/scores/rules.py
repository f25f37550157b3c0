"""How the scores of a metric are judged: ``[[scores.NAME]]`` of thresholds.toml, or options of a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Literal, get_args

from annotated_types import Ge, Le, Len, Lt

from abalo.core.records.gate import Gate
from abalo.core.records.settings import Problems, Wanted, check_setting, one_of
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from perturbations.suggestions import did_you_mean

SECTION = "scores"

Better = Literal["more", "less"]
Missing = Literal["worst", "drop"]

NO_RANGE = "none"

_USUAL = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class ScoreRule:
    """The rule for one metric.

    * ``range``: smallest and largest score; None if scores have no limits.
    * ``better``: whether more or less is better.
    * ``max_loss``: largest loss of the mean, as a share of the range; without one, in the unit of the scores. None is
      the gate's.
    * ``minimum`` and ``maximum``: limits of the mean of the new scores, in their own unit.
    * ``max_newly_wrong``: largest share of newly wrong examples; only for scores 0 and 1, one of each example.
    * ``missing``: an example or a run without a new score gets the worst score of the range, or is dropped.
    * ``blocking``: whether a failure fails the gate.
    """

    range: tuple[float, float] | None = _USUAL
    better: Better = "more"
    max_loss: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    max_newly_wrong: float | None = None
    missing: Missing = "worst"
    blocking: bool = True

    @property
    def width(self) -> float:
        """The unit of losses: the width of the range, or 1."""
        return 1.0 if self.range is None else self.range[1] - self.range[0]

    @property
    def worst(self) -> float | None:
        """The worst score of the range, if it has one."""
        if self.range is None:
            return None
        return self.range[0] if self.better == "more" else self.range[1]

    def limit(self, gate: Gate) -> float:
        """The largest loss."""
        return gate.max_loss if self.max_loss is None else self.max_loss

    @property
    def bounds(self) -> Sequence[tuple[str, Bound]]:
        """The limits of the mean by key."""
        sides: Mapping[str, Literal["min", "max"]] = {"minimum": "min", "maximum": "max"}
        given = ((key, side, getattr(self, key)) for key, side in sides.items())
        return [(key, Bound("score", side, limit)) for key, side, limit in given if limit is not None]


SCORE_SETTINGS: Mapping[str, Wanted] = {
    "range": Wanted(
        Annotated[list[float], Len(2, 2)] | Literal["none"],
        'the smallest and the largest score, such as [1, 5], or "none" if scores have no limits, such as seconds',
        'Smallest and largest score. A score outside is an error. "none" is for scores without limits, such as '
        "seconds; `max_loss` must then be given.",
        list(_USUAL),
    ),
    "better": one_of(get_args(Better), "Whether more or less is better."),
    "max_loss": Wanted(
        Annotated[float, Ge(0)],
        "a number from 0, such as 0.02",
        "Largest loss of the mean, as a share of the range; without a range, in the unit of the scores. The default is "
        "`max_loss` of `[gate]`.",
    ),
    "minimum": Wanted(float, "a number, such as 0.8", "Smallest mean of the new scores, in their own unit."),
    "maximum": Wanted(float, "a number, such as 2.5", "Largest mean of the new scores, in their own unit."),
    "max_newly_wrong": Wanted(
        Annotated[float, Ge(0), Lt(1)],
        "a number from 0 to below 1, such as 0.02",
        "Largest share of examples that were right and are wrong now. Only for scores that are 0 or 1, one of each "
        "example.",
    ),
    "missing": one_of(
        get_args(Missing),
        "An example or a run without a new score gets the worst score of the range, or is dropped. If more than 2 % of "
        "the reference's examples are dropped, nothing is decided.",
    ),
    "blocking": Wanted(bool, "true or false", "false: a failure is reported but does not fail the gate.", True),
}
"""Keys of ``[[scores.NAME]]``."""

_SHARE = Annotated[float, Ge(0), Le(1)]


def rule_of(values: Mapping[str, object], place: str, problems: Problems, *, partial: bool = False) -> ScoreRule:
    """The rule that these settings give; problems are added.

    A ``partial`` rule is completed by others, so contradictions are looked for later (`check_rule`).
    """
    found: dict[str, Any] = {}
    for key, value in values.items():
        if key in SCORE_SETTINGS:
            found |= check_setting(SCORE_SETTINGS[key], key, value, f"{place} {key}".strip(), problems)
        else:
            near = did_you_mean(key, SCORE_SETTINGS)
            problems.add(f"{place} {key}".strip(), f"no such key{near}; there are {', '.join(SCORE_SETTINGS)}")
    if "range" in found:
        found["range"] = None if found["range"] == NO_RANGE else tuple(map(float, found["range"]))
    rule = ScoreRule(**found)
    for key, problem in () if partial else _contradictions(rule):
        problems.add(f"{place} {key}".strip(), problem)
    return rule


def check_rule(rule: ScoreRule, metric: str) -> None:
    """Raises `AbaloError` if options and file together contradict each other."""
    if problem := next(iter(_contradictions(rule)), None):
        raise AbaloError(f"{metric} {problem[0]}: {problem[1]}")


def _contradictions(rule: ScoreRule) -> list[tuple[str, str]]:
    found = []
    if rule.range is not None and not rule.range[0] < rule.range[1]:
        found.append(("range", f"{list(rule.range)}; expected the smaller score first"))
    if rule.range is None and rule.max_loss is None:
        found.append(("max_loss", "missing; scores without a range need it, in their own unit, such as 0.1 (seconds)"))
    if rule.range is not None and rule.max_loss is not None and rule.max_loss >= 1:
        share = f"{rule.max_loss / rule.width:g} for {rule.max_loss:g} of {rule.width:g}"
        found.append(
            ("max_loss", f"{rule.max_loss:g}; expected a share of the range, from 0 to below 1, such as {share}")
        )
    if rule.range is None and rule.max_newly_wrong is not None:
        found.append(("max_newly_wrong", "needs scores that are 0 or 1, and their range; leave it out"))
    for key, _ in rule.bounds:
        limit = getattr(rule, key)
        if rule.range is not None and not rule.range[0] <= limit <= rule.range[1]:
            low, high = rule.range
            unit = "a mean in the unit of the scores"
            found.append((key, f"{limit:g}; expected {unit}, from {low:g} to {high:g}, the range"))
    if rule.minimum is not None and rule.maximum is not None and rule.minimum > rule.maximum:
        found.append(("minimum", f"{rule.minimum:g} is above the maximum {rule.maximum:g}; correct one"))
    return found


def with_options(rule: ScoreRule, options: ScoreRule, given: Sequence[str]) -> ScoreRule:
    """The rule with the ``given`` fields of the options."""
    return replace(rule, **{name: getattr(options, name) for name in given})


RULE_KEYS = tuple(each.name for each in fields(ScoreRule))
