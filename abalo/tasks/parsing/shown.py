"""Sentences with broken or wrong trees, as JSON values.

Arcs are strings as in CoNLL-U, ``"3 nsubj"``, with 0 for the root; "" for unscored words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.core.documents.found import WrongUnit
from abalo.core.records import words
from abalo.core.records.example import Example, JsonObject
from abalo.core.records.outcome import Outcome
from abalo.corpora.examples import TEXT, variant_of
from abalo.models.parsers.protocol import Parse
from abalo.tasks.parsing.corpus import TreeRules, arcs_of
from abalo.tasks.parsing.metrics.arcs import judge_words, judged_pairs, sentence_now
from abalo.tasks.tokens.examples import changes, example_of, first_edit, unit_of
from perturbations import ROOT, Arcs, Perturbed, Sentence
from perturbations.layers import HEADS, UNLABELLED

_AS_READ = TreeRules(subtypes=True)


def gold_arcs(sentence: Sentence, rules: TreeRules) -> list[str]:
    """The gold arcs; "" for unscored words."""
    arcs = arcs_of(sentence)
    rows = zip(rules.known(sentence), arcs.heads, arcs.relations, strict=True)
    return [
        f"{head + 1} {rules.relation(relation)}" if known and head is not None else UNLABELLED
        for known, head, relation in rows
    ]


def given_arcs(parse: Parse, rules: TreeRules) -> list[str]:
    """The predicted arcs."""
    pairs = zip(parse.heads, parse.relations, strict=True)
    return [f"{head + 1} {rules.relation(relation)}" for head, relation in pairs]


def read_arc(arc: str) -> tuple[int, str] | None:
    """The head (from 0, or `ROOT`) and relation; None if unscored."""
    head, _, relation = arc.partition(" ")
    return (int(head) - 1, relation) if relation else None


def errors_added(outcome: Outcome) -> int:
    """Wrong words after minus before, in both sentences."""
    if not outcome.changed:
        return 0
    return sum(not after.both for _, _, after in judged_pairs(outcome)) - sum(
        not before.both for _, before, _ in judged_pairs(outcome)
    )


def errors_before(outcome: Outcome) -> int:
    """Wrong words in the clean sentence."""
    judged = judge_words(outcome.sentence, outcome.clean, outcome.example.source)
    return sum(each is not None and not each.both for each in judged)


def example(errors: int, outcome: Outcome) -> JsonObject:
    """The outcome as reports show it."""
    rules: TreeRules = outcome.example.source
    return {
        **example_of(outcome, outcome.sentence, outcome.made, errors),
        "gold": gold_arcs(outcome.sentence, rules),
        "clean": given_arcs(outcome.clean, rules),
        "new_gold": gold_arcs(outcome.made.sentence, rules),
        "predicted": given_arcs(outcome.prediction, rules),
        "targets": [],
        "new_targets": [],
    }


def wrong(outcomes: Sequence[Outcome]) -> Iterator[JsonObject]:
    """Every outcome with a wrong word before or after the change."""
    for outcome in outcomes:
        rules: TreeRules = outcome.example.source
        gold, now = gold_arcs(outcome.sentence, rules), gold_arcs(sentence_now(outcome), rules)
        clean, predicted = given_arcs(outcome.clean, rules), given_arcs(outcome.prediction, rules)
        pairs = (*zip(gold, clean, strict=True), *zip(now, predicted, strict=True))
        if any(right not in (UNLABELLED, given) for right, given in pairs):
            unit = unit_of(outcome, outcome.sentence, outcome.made)
            yield {**unit, "gold": gold, "clean": clean, "predicted": predicted}


def outcome_of(record: WrongUnit) -> Outcome:
    """The outcome of a `wrong` record, without white space."""
    clean, made = _sentences(record)
    example = Example(record.sentence_id, {TEXT: clean}, record.sentence_id, source=_AS_READ)
    before, after = (_parse(each) for each in (record.clean, record.predicted))
    return Outcome(example, record.seed, before, variant_of(example, made) if made.edits else None, after)


def _sentences(record: WrongUnit) -> tuple[Sentence, Perturbed]:
    gold = [read_arc(arc) or (None, UNLABELLED) for arc in record.gold]
    arcs = Arcs(HEADS, tuple(head for head, _ in gold), tuple(relation for _, relation in gold))
    tokens = record.words
    clean = Sentence(tokens, (UNLABELLED,) * len(tokens), policy="each", layers=(arcs,))
    return clean, record.change(clean)


def _parse(arcs: Sequence[str]) -> Parse:
    found = [read_arc(arc) or (ROOT, UNLABELLED) for arc in arcs]
    return Parse(tuple(head for head, _ in found), tuple(relation for _, relation in found))


def line(record: WrongUnit) -> str:
    """A record as text: sentence, wrong words and edits."""
    clean, made = _sentences(record)
    gold = gold_arcs(made.sentence, _AS_READ)
    rows = zip(made.sentence.tokens, gold, record.predicted, strict=True)
    faults = [f"{word}: {given}, right: {right}" for word, right, given in rows if right not in (UNLABELLED, given)]
    more = [f"and {len(faults) - _FAULTS} more"] if len(faults) > _FAULTS else []
    told = "; ".join([*faults[:_FAULTS], *more, *changes(clean, made)])
    return f"{words.excerpt(made.sentence.text, first_edit(clean, made))}   ({told})"


_FAULTS = 3
