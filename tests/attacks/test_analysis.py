"""How rare what breaks a model is, and which words were replaced, worked out by hand."""

import pytest

from abalo.attacks import attacks
from abalo.attacks.analysis import failures, parts_replaced, rarity, rows_of
from abalo.attacks.attack import training_files
from abalo.core.protocols.task import tasks
from abalo.core.records.outcome import Searched, Tried
from perturbations import Edit, apply, entity_spans, parse
from tests.scripted import corpus_of, outcome

NER = tasks()["ner"]
TRAIN = corpus_of("[Ana P] viu o mar", "[Ana P] Viu a [Eva P]")
SHOWN = Tried(1, 0, 0, 1)
DEV = corpus_of("[Ana P] viu [Rui P]")


def attacked(notation: str, edits: list[Edit], labels: str, seed: int = 1, tried: Tried = SHOWN):
    """The sentence with these edits, after which it is labelled so; its last entity is the target."""
    sentence = parse(notation)
    target = entity_spans(sentence.tags)[-1]
    made = apply(sentence, edits)
    searched = Searched(1, 1, False, 1.0, tried)
    return outcome(sentence, None, made, labels.split(), seed, targets=(target,), searched=searched)


def other(name: str, labels: str = "O O", seed: int = 1):
    return attacked("[Ana P] saiu", [Edit(0, 1, (name,), ("B-P",))], labels, seed)


def test_entities_are_counted_in_train_and_dev():
    found = rarity(rows_of([other("Rui")], NER, [TRAIN, DEV], "entities"), "entities")
    assert (found["original"], found["replacement"], found["pairs"]) == (3, 1, 1)
    assert rarity(rows_of([other("Rui")], NER, [TRAIN], "entities"), "entities")["original"] == 2


def test_all_seeds_count_and_one_entity_is_one_pair():
    found = rarity(
        rows_of([other("Rui"), other("Eva", seed=2), other("Zé", seed=4)], NER, [TRAIN, DEV], "entities"), "entities"
    )
    assert (found["changes"], found["pairs"]) == (3, 1)
    assert found["replacement"] == pytest.approx(2 / 3)  # Rui and Eva once, Zé never


def test_what_did_not_break_the_model_is_not_counted():
    found = rarity(rows_of([other("Rui", "B-P O")], NER, [TRAIN], "entities"), "entities")
    assert found == {
        "of": "entities",
        "changes": 0,
        "pairs": 0,
        "original": None,
        "replacement": None,
        "p": None,
    }


def test_words_are_counted_whatever_their_letter_case():
    broken = attacked("Viu [Ana P]", [Edit(0, 1, ("Avistou",))], "O O")
    found = rarity(rows_of([broken], NER, [TRAIN, DEV], "words"), "words")
    assert (found["original"], found["replacement"], found["of"]) == (3, 0, "words")


def test_parts_of_speech_of_replaced_words_stand_beside_those_that_could_have_been():
    class Tagger:
        name = "by hand"

        def of(self, sentences):
            known = {"viu": "VERB", "mar": "NOUN", "belo": "ADJ"}
            return [tuple(known.get(word, "PROPN") for word in sentence.tokens) for sentence in sentences]

    broken = attacked("viu mar belo [Ana P]", [Edit(0, 1, ("avistou",))], "O O O O")
    kept = attacked("viu mar belo [Ana P]", [Edit(1, 2, ("oceano",))], "O O O B-P")
    assert parts_replaced(rows_of([broken, kept], NER, places=[(0, 1), (0, 1, 2)], parts_of_speech=Tagger())) == [
        {"part": "VERB", "replaced": 1, "could": 1},
        {"part": "NOUN", "replaced": 0, "could": 1},
    ]


def test_words_that_are_put_in_replace_none():
    class Tagger:
        name = "all nouns"

        def of(self, sentences):
            return [("NOUN",) * len(sentence) for sentence in sentences]

    broken = attacked("viu [Ana P] hoje", [Edit(0, 1, ("via",)), Edit(3, 3, ("Ana",))], "O O O O")
    assert rarity(rows_of([broken], NER, [TRAIN], "words"), "words")["changes"] == 1
    assert parts_replaced(rows_of([broken], NER, places=[(0, 2)], parts_of_speech=Tagger())) == [
        {"part": "NOUN", "replaced": 1, "could": 2}
    ]


def test_failures_are_counted_by_reason_and_a_success_is_none():
    nothing, unlike = Tried(0, 0, 0, 0), Tried(2, 2, 0, 0)
    edits = [Edit(1, 2, ("foi",))]
    outcomes = [
        attacked("[Ana P] saiu", edits, "O O"),
        attacked("[Ana P] saiu", edits, "B-P O"),
        attacked("[Ana P] saiu", edits, "B-P O", tried=nothing),
        attacked("[Ana P] saiu", edits, "B-P O", tried=unlike),
    ]
    assert failures(rows_of(outcomes, NER)) == {
        "nothing_to_try": 1,
        "similarity": 1,
        "part_of_speech": 0,
        "budget": 0,
        "resisted": 1,
    }


@pytest.mark.parametrize("name", ["context_attack", "entity_attack"])
def test_training_corpora_are_one_or_a_list(name, tmp_path):
    paths = [tmp_path / "train.conll", tmp_path / "dev.conll"]
    for path in paths:
        path.write_text("Ana B-P\n", "utf-8")
    files = list(map(str, paths))
    assert training_files(attacks()[name].configured(training=files).training) == tuple(files)
    assert training_files(attacks()[name].configured(training=files[0]).training) == (files[0],)
    assert training_files(attacks()[name].configured().training) == ()
    with pytest.raises(ValueError, match=r"training is 'nope\.conll'; no such file"):
        attacks()[name].configured(training=[files[0], "nope.conll"])
