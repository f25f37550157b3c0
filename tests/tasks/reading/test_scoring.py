"""Exact match and F1 are those of the official scripts, whose rules are written again here from their specification."""

import collections
import json
import re
import string
import unicodedata

import pytest

from abalo.models.questions.scoring import Rules, answers_of, normalisations, normalise_answer, score_answer
from abalo.models.questions.shared_words import SharedWords
from tests.published import published

# The rules again ------------------------------------------------------------------------------------------------------

ARTICLES = {
    "squad": ("a", "an", "the"),
    "mlqa-es": ("un", "una", "unos", "unas", "el", "la", "los", "las"),
    "mlqa-de": ("ein", "eine", "einen", "einem", "eines", "einer", "der", "die", "das", "den", "dem", "des"),
    "mlqa-zh": (),
    "pt": ("o", "a", "os", "as", "um", "uma", "uns", "umas"),
    "fr": ("le", "la", "les", "un", "une", "des", "du"),
}


def words(text, rules, *, articles=True):
    text = text.lower()
    if rules == "fr" and articles:
        text = re.sub(r"\bl['’]", "", text)
    kept = []
    for char in text:
        is_mark = char in string.punctuation or (rules != "squad" and unicodedata.category(char)[0] == "P")
        kept.append("" if is_mark else char)
    text = "".join(kept)
    for article in ARTICLES[rules] if articles else ():
        text = re.sub(rf"\b{article}\b", " ", text)
    if rules != "mlqa-zh":
        return text.split()
    found, run = [], ""
    for char in text:
        if "\u4e00" <= char <= "\u9fa5":
            found += [*run.split(), char]
            run = ""
        else:
            run += char
    return found + run.split()


def official(answer, golds, rules, impossible):
    """Exact match and F1 of one answer, as the scripts of SQuAD 1.1, SQuAD 2.0 and MLQA compute them."""
    if impossible:
        own = rules in ("pt", "fr")
        golds = [gold for gold in golds if words(gold, rules, articles=not own)] or [""]
    best = [0.0, 0.0]
    for gold in golds:
        bare = rules in ("pt", "fr") and not words(gold, rules)
        given, right = (words(each, rules, articles=not bare) for each in (answer, gold))
        exact = float(" ".join(given) == " ".join(right))
        same = sum((collections.Counter(given) & collections.Counter(right)).values())
        if impossible and (not given or not right):
            f1 = float(given == right)
        elif same == 0:
            f1 = 0.0
        else:
            precision, recall = same / len(given), same / len(right)
            f1 = 2 * precision * recall / (precision + recall)
        best = [max(best[0], exact), max(best[1], f1)]
    return best


def questions(name):
    whole = json.loads(published(name).read_text("utf-8"))
    for article in whole["data"]:
        for paragraph in article["paragraphs"]:
            for asked in paragraph["qas"]:
                yield paragraph["context"], asked["question"], [each["text"] for each in asked["answers"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("reading/xquad-en.json", "squad"),
        ("reading/faquad-train.json", "squad"),
        ("reading/faquad-train.json", "pt"),
        ("reading/faquad-train.json", "fr"),
        ("reading/xquad-en.json", "mlqa-de"),
        ("reading/xquad-en.json", "mlqa-es"),
        ("reading/xquad-en.json", "mlqa-zh"),
    ],
)
def test_scores_are_those_of_the_official_rules_on_every_shared_question(name, rules):
    reader = SharedWords(short=True)
    different = 0
    for number, (context, question, golds) in enumerate(questions(name)):
        (found,) = reader.predict([(context, question)])
        guesses = [found.text, golds[0], f"the {golds[-1].upper()}!", golds[0].split()[0], "", "o", "l’État, uma"]
        for answer in guesses if number % 3 == 0 else guesses[:1]:
            for impossible in (False, True):
                got = score_answer(answer, golds, Rules(rules, impossible))
                exact, f1 = official(answer, golds, rules, impossible)
                assert got.exact == pytest.approx(exact, abs=1e-9)
                assert got.f1 == pytest.approx(f1, abs=1e-9)
                different += f1 not in (0.0, 1.0)
    assert different > 100


# By hand --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "text", "expected"),
    [
        ("squad", "The  cat's  hat.", "cats hat"),
        ("squad", "«a» cat", "« » cat"),
        ("mlqa-es", "¿El gato?", "gato"),
        ("mlqa-de", "„Der Hund“", "hund"),
        ("mlqa-zh", "1990年 the", "1990年 the"),
        ("pt", "A sede, em Lima", "sede em lima"),
        ("fr", "l'État et le roi", "état et roi"),
        ("fr", "L’eau", "eau"),
    ],
)
def test_texts_are_normalised_by_the_rules_of_their_language(rules, text, expected):
    assert normalise_answer(text, rules) == expected


def test_f1_is_that_of_shared_words():
    found = score_answer("the old red house", ["red house by the sea"], Rules())
    assert found.exact == 0
    assert found.f1 == pytest.approx(2 * 2 / (3 + 4))  # old red house; red house by sea


def test_chinese_is_cut_into_characters_and_runs_of_others():
    assert score_answer("1990年", ["1990"], Rules("mlqa-zh")).f1 == pytest.approx(2 / 3)


def test_a_gold_answer_that_is_an_article_is_compared_with_articles():
    assert score_answer("uma", ["uma"], Rules("pt")).f1 == 1
    assert score_answer("duas", ["uma"], Rules("pt")).exact == 0
    assert score_answer("", ["uma"], Rules("pt")).exact == 0


def test_no_answer_is_right_only_where_there_is_none():
    none = Rules(impossible=True)
    assert (score_answer("", [], none).exact, score_answer("", [], none).f1) == (1, 1)
    assert (score_answer("Lima", [], none).exact, score_answer("Lima", [], none).f1) == (0, 0)
    assert (score_answer("", ["Lima"], none).exact, score_answer("", ["Lima"], none).f1) == (0, 0)
    assert answers_of(["the", "Lima"], none) == ("Lima",)


def test_two_empty_answers_of_squad_1_match_exactly_and_share_no_word():
    assert (score_answer("the", ["a"], Rules()).exact, score_answer("the", ["a"], Rules()).f1) == (1, 0)


@pytest.mark.parametrize("rules", normalisations())
def test_every_normalisation_finds_a_text_equal_to_itself(rules):
    assert score_answer("Lima 1990", ["Lima 1990"], Rules(rules)).f1 == 1
