"""Filled templates of questions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from abalo.core.protocols.templates import Templates
from abalo.core.records.example import Example
from abalo.core.records.filling import Filled, Filling
from abalo.corpora.running_text import replace_all, running_text
from abalo.models.questions.protocol import Answered, PassagePlace
from abalo.models.questions.scoring import Rules, score_answer
from abalo.tasks.reading.corpus import Questions
from abalo.tasks.reading.example import CONTEXT, QUESTION, GoldAnswer, QuestionFacts, example_of
from abalo.tasks.reading.shown import NONE, in_words

PASSAGE, ANSWER = "passage", "answer"

FIELDS: Mapping[str, str] = {
    PASSAGE: "the passage",
    QUESTION: "the question",
    ANSWER: "the answer as it is written in the passage, empty for none",
}


def _rules(corpus: object) -> Rules:
    return corpus.rules if isinstance(corpus, Questions) else Rules()


def _write_question(passage: str, question: str, answer: str | None, rules: Rules) -> Filling:
    text = running_text(passage)
    at = text.text.find(answer) if answer else -1
    if answer and at < 0:
        raise ValueError(f"{ANSWER} {answer!r} does not stand in the passage {text.text!r}")
    if answer == "":
        rules = Rules(rules.normalisation, impossible=True)
    answers = [GoldAnswer(answer, PassagePlace(at, at + len(answer)))] if answer else []
    return Filling(example_of(text, running_text(question), answers, QuestionFacts("", rules)))


def _exact(filling: Filling, text: str, golds: Sequence[str]) -> bool:
    return score_answer(text, golds, filling.example.source.rules).exact == 1


class ReadingTemplates(Templates):
    """Templates of questions. Raises ValueError for answers outside the passage."""

    fields = FIELDS
    gold = ANSWER

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: object) -> Filling:
        given = {name: each.plain.strip() for name, each in filled.items() if isinstance(each, Filled)}
        missing = [f"{name}: {FIELDS[name]}" for name in (PASSAGE, QUESTION) if not given.get(name)]
        if missing:
            raise ValueError(f"expected {', '.join(missing)}")
        return _write_question(given[PASSAGE], given[QUESTION], given.get(ANSWER), _rules(corpus))

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        old, new = Filled(old).plain, Filled(new).plain
        fields = {name: replace_all(each.text, old, new) for name, each in example.fields.items()}
        if not any(fields.values()) or len({*example.gold}) != 1 or not example.source.placed:
            return
        passage, question = (fields[name] or example.fields[name].text for name in (CONTEXT, QUESTION))
        answer = replace_all(example.gold[0], old, new) or example.gold[0]
        if answer in running_text(passage).text:
            yield Filling(example), _write_question(passage, question, answer, example.source.rules)

    def fault(self, filling: Filling, prediction: Answered) -> str:
        gold = filling.example.gold
        right = _exact(filling, prediction.text, gold)
        return "" if right else f"answered {prediction.text or NONE!r}, not {in_words(gold)!r}"

    def differing(
        self, before: Filling, first: Answered, after: Filling, second: Answered, free: Collection[str] = ()
    ) -> str:
        if _exact(before, second.text, [first.text]):
            return ""
        return f"answered {first.text or NONE!r}, then {second.text or NONE!r}"

    def predicted(self, filling: Filling, prediction: Answered, key: str = "") -> Collection[str]:
        return {prediction.text} if prediction.text else set()

    def confidence(self, filling: Filling, prediction: Answered, label: str, scale: object) -> float | None:
        return prediction.score if _exact(filling, prediction.text, [label]) else None

    def said(self, example: Example, prediction: Answered | None = None) -> str:
        answer = in_words(example.gold) if prediction is None else prediction.text or NONE
        return f"{example.fields[CONTEXT].text} {example.fields[QUESTION].text} ({answer})"
