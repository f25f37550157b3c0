"""The sentences that suffered most: original and perturbed, with gold and predicted entities."""

from __future__ import annotations

from abalo.reporting import phrases
from abalo.reporting.markup import bullets, section, text
from abalo.reporting.panels.case import Case
from abalo.reporting.panels.sentences import original, perturbed
from abalo.reporting.selection import Json, entity_types, is_about_questions

_OPEN = 3
"""How many examples are shown at once; the others unfold."""

_COLOURS = 8
"""How many colours style.css has for entity types; further types share them, and are told apart by their labels."""

_GOLD = '<span class="abalo-gold {kind}">words<span class="abalo-chip">{label}</span></span> {meaning}'

_LEGEND = (
    _GOLD.format(kind="abalo-found abalo-type-0", label="TYPE", meaning="gold entity, predicted just so"),
    _GOLD.format(kind="abalo-lost", label="✗ lost TYPE", meaning="gold entity no longer predicted"),
    _GOLD.format(kind="abalo-missed", label="– missed TYPE", meaning="gold entity missed on the clean sentence too"),
    '<span class="abalo-predicted abalo-type-0">words<span class="abalo-chip">+ TYPE</span></span> predicted, not gold',
    '<mark class="abalo-edited">word</mark> edited or inserted',
    '<del class="abalo-removed">word</del> removed',
)

_TARGET = '<span class="abalo-target abalo-target-start abalo-target-stop">words</span> target of the attack'


def render(case: Case) -> str:
    """The examples, worst first; a line where there are none to show.

    Nothing for the baseline, an unbound view and questions, whose answers are shown elsewhere.
    """
    if is_about_questions(case.result):
        return ""
    found = case.result["examples"]
    title = "Worst examples"
    if not found:
        bound = case.result["bound"] is not None and not case.is_baseline
        none = "<p>None: no sentence lost an entity, or the report was made with --abalo-no-text.</p>"
        return section(title, none if bound else "")
    colours = {kind: k % _COLOURS for k, kind in enumerate(entity_types(case.document))}
    shown = [_example(number, example, colours) for number, example in enumerate(found, start=1)]
    rest = "".join(shown[_OPEN:])
    if rest:
        rest = f"<details><summary>{phrases.count(len(shown) - _OPEN, 'more example')}</summary>{rest}</details>"
    legend = (*_LEGEND, _TARGET) if any(example["targets"] for example in found) else _LEGEND
    return section(title, bullets(legend, "abalo-legend") + "".join(shown[:_OPEN]) + rest)


def _example(number: int, example: Json, colours: dict[str, int]) -> str:
    return (
        f'<div class="abalo-example"><p class="abalo-caption"><b>{number}.</b> '
        f"{phrases.count(example['broken'], 'more entity error')} than on the clean sentence "
        f"(seed {example['seed']}, sentence {text(example['sentence_id'])})</p>"
        f'<p class="abalo-sentence"><b class="abalo-which">original</b>{original(example, colours)}</p>'
        f'<p class="abalo-sentence"><b class="abalo-which">perturbed</b>{perturbed(example, colours)}</p></div>'
    )
