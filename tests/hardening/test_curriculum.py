"""Lessons: the training corpus, and as many changed examples as the share has room for."""

from typing import ClassVar

import pytest

from abalo.config.thresholds import case_of
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.records.lesson import Lesson
from abalo.errors import AbaloError
from abalo.hardening.curriculum import Curriculum
from abalo.models.labelling.classified import Classified
from abalo.tasks.classification.corpus import load as load_texts
from tests.scripted import Gazetteer, corpus_of, read_case, session_of

TEXTS = [f"[Ana PESSOA] saiu {k} vezes de [Niterói LOCAL]" for k in range(12)]
CASE = read_case("character_noise", rate=0.5)


def curriculum(*cases, share=0.5, seed=1, searched=100, kept_back=(), texts=TEXTS):
    session = session_of(corpus_of(*texts), Gazetteer("[Ana PESSOA] [Niterói LOCAL]"))
    return Curriculum(session, cases or (CASE,), share, seed, searched, kept_back)


def test_half_of_the_lessons_are_changed_and_know_their_originals():
    lessons = curriculum()(1)
    originals, changed = [[each for each in lessons if (each.original is None) is plain] for plain in (True, False)]
    assert (len(originals), len(changed)) == (12, 12)
    assert originals[0] == Lesson(
        ("Ana", "saiu", "0", "vezes", "de", "Niterói"), ("B-PESSOA", "O", "O", "O", "O", "B-LOCAL"), tagged=True
    )
    assert all(each.original in originals and each.texts != each.original.texts for each in changed)


def test_cases_share_the_room_evenly():
    found = curriculum(CASE, read_case("character_noise", rate=0.6))
    found(1)
    assert sorted(found.made.values()) == [6, 6]


def test_every_epoch_draws_anew_and_the_same_seed_the_same():
    first, again, other = curriculum(), curriculum(), curriculum(seed=2)
    assert first(1) == again(1) != first(2)
    assert first(1) != other(1)


def test_examples_on_which_the_model_is_judged_are_not_taught():
    kept_back = {example.cluster for example in corpus_of(*TEXTS[:3]).examples}
    found = curriculum(kept_back=kept_back)
    taught = {text for lesson in found(1) for text in (lesson.original or lesson).texts}
    assert found.left_out == 3
    assert taught.isdisjoint({"0", "1", "2"})


def test_what_is_searched_for_is_searched_once_a_round_and_stays():
    case = read_case("typo_outside")
    first = curriculum(case, searched=5)
    assert first(1) == first(2)
    assert first.made[case.id] == 5
    second = first.next(first.engine)
    assert {*first(1)} < {*second(1)}


def test_lessons_carry_the_labels_through_the_change():
    lessons = curriculum(read_case("word_insertion", rate=1.0))(1)
    changed = [each for each in lessons if each.original is not None]
    assert changed
    assert all([label for label in each.labels if label != "O"][:1] == ["B-PESSOA"] for each in changed)
    assert all(len(each.labels) == len(each.texts) > 6 for each in changed)


class Positive:
    """Calls every text positive."""

    name = fingerprint = "positive"
    labels = ("negative", "positive")
    mask_token = None
    device = "cpu"
    settings: ClassVar = {}

    def predict(self, texts):
        return [Classified(("positive",)) for _ in texts]


def test_texts_whose_label_nobody_knows_after_a_change_are_not_taught():
    corpus = load_texts("bundled:sentiment-en", limit=40)
    session = session_of(corpus, Positive(), task="classification", gate=Gate(language="en"))
    kept = Curriculum(session, [read_case("letter_case", task="classification")], 0.5, 1, 10)
    turned = Curriculum(session, [read_case("negation", task="classification")], 0.5, 1, 10)
    assert kept(1)[0] == Lesson((corpus.sentences[0].text,), corpus.golds[0], tagged=False)
    assert len(kept(1)) > len(turned(1)) == len({example.id for example in corpus.examples})


def test_a_corpus_without_an_example_to_teach_is_refused():
    everything = {example.cluster for example in corpus_of(*TEXTS).examples}
    with pytest.raises(AbaloError, match="--train: no example with gold labels that is not judged as well"):
        curriculum(kept_back=everything)(1)


def test_capabilities_teach_their_fillings():
    entry = {"name": "people", "templates": ["[{who} PESSOA] saiu"], "who": ["Ana", "Rui", "Eva"]}
    case = case_of(tasks()["ner"], "capability", entry, Gate(language="pt"))
    lessons = curriculum(case)(1)
    assert Lesson(("Rui", "saiu"), ("B-PESSOA", "O"), tagged=True) in lessons
