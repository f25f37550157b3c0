"""Random perturbations and targeted attacks of the same kind side by side [stage 4, "Cross-Stage Consistency"]."""

from __future__ import annotations

from abalo.reporting import intervals, phrases
from abalo.reporting.attacks import attacks
from abalo.reporting.intervals import Scale
from abalo.reporting.markup import Column, bullets, estimate, section, table, text
from abalo.reporting.selection import Json

PAIRS = (
    ("character_noise", "char_typo"),
    ("word_insertion", "context_distractors"),
    ("word_insertion", "insert"),
    ("token_masking", "boundary"),
    ("synonyms", "synonym_attack"),
)
"""A random perturbation and the attack that does the like to chosen words."""

_WIDTH, _HEIGHT, _BAR = 200, 40, 9

_LEGEND = (
    '<span class="abalo-swatch abalo-swatch-random"></span>random, above',
    '<span class="abalo-swatch abalo-swatch-targeted"></span>targeted, below',
)

_NOTES = (
    "Intervals that overlap show no difference; they do not show that there is none.",
    "The two change different words, and not equally many.",
)


def render(document: Json) -> str:
    """A row per random case, attack and span source that belong together; empty where no pair is in the run."""
    pairs = _pairs(document)
    if not pairs:
        return ""
    reach = [end for pair in pairs for result in pair for end in intervals.extent(result["metrics"]["f1_drop"])]
    scale = intervals.spanning(reach, 4, _WIDTH - 4)
    columns = [
        Column("Random"),
        Column("F1 drop", numeric=True),
        Column("Targeted"),
        Column("F1 drop", numeric=True),
        Column(f"From {phrases.number(scale.low, 2)} to {phrases.number(scale.high, 2)}"),
        Column("Reading"),
    ]
    body = [_row(random, targeted, scale) for random, targeted in pairs]
    rows = f'<div class="abalo-dense">{table(columns, body)}</div>'
    legend = bullets(_LEGEND, "abalo-legend") + bullets(_NOTES, "abalo-notes")
    return section("Cross-check: random against targeted", rows + legend)


def reading(random: Json | None, targeted: Json | None) -> str:
    """Which of two F1 drops is the larger, as far as their intervals can tell."""
    if random is None or targeted is None or None in (*intervals.extent(random), *intervals.extent(targeted)):
        return "Not comparable: one of the drops has no meaning here."
    more = phrases.number(abs(targeted["value"] - random["value"]))
    if targeted["low"] > random["high"]:
        return f"The targeted attack costs {more} more F1; the intervals lie apart."
    if targeted["high"] < random["low"]:
        return f"The random perturbation costs {more} more F1; the intervals lie apart."
    return "No clear difference: the intervals overlap."


def _pairs(document: Json) -> list[tuple[Json, Json]]:
    """Compared in the projected view, whichever is bound."""
    targeted = attacks(document, "projected")
    random = [
        result for result in document["results"] if result["span_source"] is None and result["view"] == "projected"
    ]
    return [
        (ours, theirs)
        for name, attack in PAIRS
        for ours in random
        if ours["perturbation"] == name
        for theirs in targeted
        if theirs["perturbation"] == attack
    ]


def _row(random: Json, targeted: Json, scale: Scale) -> list[str]:
    drops = random["metrics"]["f1_drop"], targeted["metrics"]["f1_drop"]
    sentences = random["sentences"], targeted["sentences"]
    unlike = "" if len(set(sentences)) == 1 else " Not over the same sentences: {:,} and {:,}.".format(*sentences)
    return [
        text(phrases.scenario(random)),
        estimate(drops[0]),
        f'<span class="abalo-reading">{text(phrases.scenario(targeted))}</span>',
        estimate(drops[1]),
        _drawn(*drops, scale),
        f'<span class="abalo-reading">{text(reading(*drops) + unlike)}</span>',
    ]


def _drawn(random: Json | None, targeted: Json | None, scale: Scale) -> str:
    label = f"random {phrases.measured(random)}, targeted {phrases.measured(targeted)}"
    bars = "".join(
        f'<g class="abalo-{kind}">{intervals.bar(drop, scale, middle, _BAR)}</g>'
        for kind, drop, middle in (("random", random, 11), ("targeted", targeted, 29))
        if drop is not None
    )
    return (
        f'<svg class="abalo-pair" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img">'
        f"<title>{label}</title>"
        f"{intervals.baseline(scale, _HEIGHT / 2, _HEIGHT)}{bars}</svg>"
    )
