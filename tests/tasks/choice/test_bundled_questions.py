"""The questions that ship: as many as documented, fair, clean, and fit to be reworded."""

import json
import re
from collections import Counter

import pytest

from abalo.bundled import bundled_path
from abalo.errors import AbaloError
from abalo.questions.audit import audit_questions
from abalo.questions.question import MOST_PARAPHRASES
from abalo.tasks.choice.files import load_choices
from perturbations.families.choice import (
    FORMATTINGS,
    PARAPHRASES,
    language_of,
    question_languages,
    question_of,
)
from tests.rows import every
from tests.tasks.choice.prompts import paraphrased, reformatted

QUESTIONS = load_choices("bundled:questions")
REWORDED = Counter(
    (each.language, variant.kind) for each in QUESTIONS for variant in paraphrased(each, MOST_PARAPHRASES)
)
CARD = bundled_path("fixtures/choices/README.md").read_text(encoding="utf-8")


def test_half_are_english_and_half_portuguese():
    assert Counter(each.language for each in QUESTIONS) == {"en": 36, "pt": 36}
    assert all(language_of(question_of(each.question)) == each.language for each in QUESTIONS)


def test_they_are_distinct():
    assert len({" ".join(each.question.lower().split()) for each in QUESTIONS}) == len(QUESTIONS) >= 64


def test_right_answers_are_spread_evenly_over_four_places():
    assert {len(each.options) for each in QUESTIONS} == {4}
    places = Counter((each.language, each.target) for each in QUESTIONS)
    assert set(places.values()) == {9}
    assert len(places) == 8


def test_the_audit_flags_none():
    assert audit_questions({each.id: each.options for each in QUESTIONS}) == {}


MADE_FOR = ("these", "probable", "passive", "because", "determiner")
"""The rules that the questions were written for."""


@every(("language", "rule"), [(each, rule) for each in question_languages() for rule in PARAPHRASES[each]])
def test_each_paraphrase_rule_applies_to_as_many_as_the_card_says(language, rule):
    row = re.search(rf"^\| `{rule}` .*\| (\d+) \| (\d+) \|$", CARD, re.MULTILINE)
    assert REWORDED[language, rule] == (int(row[1 + question_languages().index(language)]) if row else 0)
    assert REWORDED[language, rule] >= (4 if rule in MADE_FOR else 0)


@pytest.mark.parametrize("language", question_languages())
def test_each_change_of_form_applies_to_some(language):
    kinds = Counter(
        variant.kind
        for each in QUESTIONS
        if each.language == language
        for variant in reformatted(each, len(FORMATTINGS))
    )
    assert {kind: kinds[kind] for kind in FORMATTINGS.values()} == {
        "punct": 36,
        "space": 4,
        "preamble": 36,
        "order:swap": 36,
        "order:reverse": 36,
    }


def test_the_card_names_the_licence():
    assert "Licence: Apache-2.0" in CARD


def test_the_file_has_nothing_but_the_known_keys():
    text = bundled_path("fixtures/choices/questions.jsonl").read_text(encoding="utf-8")
    assert {tuple(json.loads(line)) for line in text.splitlines()} == {
        ("id", "question", "options", "target", "language")
    }


def test_other_bundled_names_are_told_which_there_are():
    with pytest.raises(AbaloError, match="no such bundled corpus; expected one of bundled:questions; did you mean"):
        load_choices("bundled:question")
    with pytest.raises(AbaloError, match="no such bundled corpus"):
        load_choices("bundled:../corpora/README")
