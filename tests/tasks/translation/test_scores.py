"""BLEU, chrF and TER equal those of sacreBLEU, from sums; consistency and what is kept, by hand."""

import os
import random
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sacrebleu import metrics as sacrebleu

from abalo.core.documents.blocks import Mark
from abalo.core.documents.found import WorstExample, WrongUnit
from abalo.core.records.example import Variant
from abalo.core.records.json_records import read
from abalo.core.records.outcome import Outcome
from abalo.corpora.parallel import Direction, example_of, load
from abalo.corpora.running_text import running_text
from abalo.models.translators.protocol import TranslatedText
from abalo.models.translators.scoring import (
    bleu_of,
    bleu_statistics,
    chrf_of,
    chrf_pp_statistics,
    chrf_statistics,
    distance,
    sentence_chrf,
    signatures,
    ter_of,
    ter_statistics,
)
from abalo.tasks.translation.blocks import _lines
from abalo.tasks.translation.metrics.scores import LENGTHS, METRICS, length_of
from abalo.tasks.translation.metrics.stability import METRICS as STABILITY
from abalo.tasks.translation.shown import line, lost_most, worse
from perturbations import apply, find
from perturbations.text import Edit

KNOWN = {each.name: each for each in (*METRICS, *STABILITY)}


def bleu(translation, references):
    return bleu_statistics(translation, references, "13a")


SCORES = [
    (bleu, bleu_of, sacrebleu.BLEU),
    (chrf_statistics, chrf_of, sacrebleu.CHRF),
    (chrf_pp_statistics, chrf_of, partial(sacrebleu.CHRF, word_order=2)),
    (ter_statistics, ter_of, sacrebleu.TER),
]
of_every_score = pytest.mark.parametrize(("statistics", "of", "oracle"), SCORES, ids=["bleu", "chrf", "chrf++", "ter"])


def summed(statistics, translations, references):
    rows = [statistics(each, tuple(own)) for each, own in zip(translations, references, strict=True)]
    return np.array(rows, dtype=np.float64)


def agrees(statistics, of, oracle, translations, references):
    columns = [list(column) for column in zip(*references, strict=True)]
    expected = oracle().corpus_score(list(translations), columns).score
    return of(summed(statistics, translations, references).sum(axis=0)) * 100 == pytest.approx(expected, abs=1e-9)


HAND = [
    (["the cat sat"], [["the cat sat"]]),
    (["the cat"], [["the cat sat on the mat"]]),
    (["a b c d e f", "x"], [["f e d c b a", "b a"], ["y", "x z"]]),
    ([""], [["something"]]),
    (["Nothing of it, at all!", "é"], [["zzz", "yyy"], ["É", "e"]]),
    (["1,000.5 % of $3", "don't"], [["1,000.5% of $ 3", "1000"], ["do n't", "don’t"]]),
]


@of_every_score
@pytest.mark.parametrize(("translations", "references"), HAND)
def test_scores_are_those_of_sacrebleu_in_odd_cases_too(statistics, of, oracle, translations, references):
    assert agrees(statistics, of, oracle, translations, references)


@pytest.fixture(scope="module")
def tatoeba():
    """Published sentences, and translations that are wrong in many ways."""
    data = os.environ.get("ABALO_TEST_DATA")
    if not data:
        pytest.skip("ABALO_TEST_DATA names no folder with translation/tatoeba-pt-en.tsv")
    corpus = load(str(Path(data) / "translation" / "tatoeba-pt-en.tsv"))
    draws = random.Random(1)
    wrong = []
    for (reference,) in corpus.references:
        words = [word for word in reference.split() if draws.random() < 0.9]
        if draws.random() < 0.3:
            draws.shuffle(words)
        wrong.append(" ".join(words))
    return wrong, [[each, each.replace("Tom", "He").replace(".", "!")] for (each,) in corpus.references]


@of_every_score
@pytest.mark.parametrize("several", [1, 2])
def test_scores_of_published_sentences_are_those_of_sacrebleu(tatoeba, statistics, of, oracle, several):
    wrong, references = tatoeba
    assert agrees(statistics, of, oracle, wrong, [each[:several] for each in references])


@of_every_score
def test_sums_of_shards_and_resamples_score_as_their_corpora(tatoeba, statistics, of, oracle):
    wrong, references = tatoeba
    table = summed(statistics, wrong, [each[:1] for each in references])
    shards = np.stack([table[k::3].sum(axis=0) for k in range(3)])
    assert (shards.sum(axis=0) == table.sum(axis=0)).all()
    chosen = np.random.Generator(np.random.PCG64(1)).integers(0, len(wrong), size=(2, 60))
    found = of(table[chosen].sum(axis=1)) * 100
    for places, value in zip(chosen, found, strict=True):
        own = [references[k][0] for k in places]
        assert oracle().corpus_score([wrong[k] for k in places], [own]).score == pytest.approx(value, abs=1e-9)


def test_chinese_is_cut_into_characters_for_bleu():
    made = bleu_statistics("我喜欢猫", ("我喜欢狗",), "zh")
    assert made == (4, 4, 3, 2, 1, 0, 4, 3, 2, 1)
    assert Direction("en", "zh").tokenizer == "zh"
    assert Direction("zh", "en").tokenizer == "13a"


def test_signatures_say_all_that_sacrebleu_says():
    assert signatures([1, 1], "13a") == {
        "bleu": f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{version()}",
        "chrf": f"nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:{version()}",
        "chrf_pp": f"nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:{version()}",
        "ter": f"nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{version()}",
    }
    assert signatures([1, 2], "zh")["bleu"].startswith("nrefs:var|case:mixed|eff:no|tok:zh|")


def version():
    from importlib.metadata import version as of_package

    return of_package("sacrebleu")


def test_nothing_has_no_score():
    for of, columns in ((chrf_of, 18), (bleu_of, 10), (ter_of, 2)):
        assert np.isnan(of(np.zeros(columns)))


def test_two_translations_are_as_far_apart_as_chrf_says():
    assert distance("same", "same") == distance("", "") == 0
    assert distance("abc", "xyz") == distance("abc", "") == distance("", "abc") == 1
    assert distance("the cat", "the dog") == pytest.approx(1 - sentence_chrf("the dog", ("the cat",)))


def outcome(before, after, text="Tom leu 40 livros .", gold=("Tom read 40 books .",), change="typo"):
    example = example_of(running_text(text), gold, Direction("pt", "en"))
    if change == "typo":
        made = apply(example.sentence, [Edit(1, 2, ("lue",))])
    else:
        made = find(change).sample(example.sentence, seed=1)
    from abalo.tasks.translation import TASK

    variant = Variant(TASK.carry(example, {"text": made}), {"text": made})
    return Outcome(example, 1, TranslatedText(before), variant, TranslatedText(after))


def value(name, *outcomes):
    metric = KNOWN[name]
    return float(metric.value(metric.count(outcomes, "", LENGTHS)[:, 0].sum(axis=0)))


def test_what_a_change_costs_is_the_difference_of_two_corpus_scores():
    good, bad = "Tom read 40 books .", "Tom ate 41 looks ."
    found = outcome(good, bad)
    assert value("chrf_drop", found) == pytest.approx(1 - sentence_chrf(bad, (good,)))
    assert value("chrf", found) == pytest.approx(sentence_chrf(bad, (good,)))
    assert value("ter", found) == pytest.approx(3 / 5)
    assert value("chrf_drop", outcome(good, good)) == 0
    lost = KNOWN["bleu"].lost(KNOWN["bleu"].count([outcome(good, good)], "", LENGTHS)[0, 0])
    assert KNOWN["bleu"].value(lost) == 0


def test_consistency_compares_translations_where_the_reference_stays():
    same, other = "Tom read 40 books .", "Tom reads 40 books ."
    assert value("inconsistency", outcome(same, same)) == 0
    assert value("inconsistency", outcome(same, other), outcome(same, same)) == pytest.approx(distance(same, other) / 2)
    assert value("consistency", outcome(same, other)) == pytest.approx(1 - distance(same, other))
    assert np.isnan(value("consistency", outcome(same, other, change="parallel_twitter_type")))
    assert KNOWN["inconsistency"].outputs(outcome(same, other)) == ((same,), (other,))


def test_names_and_numbers_are_kept_or_not():
    assert value("kept", outcome("", "Tom read 40 books .")) == 1
    assert value("kept", outcome("", "Tim read 40.0 books .")) == 0
    assert value("kept", outcome("", "Tom read forty books .")) == 0.5
    assert np.isnan(value("kept", outcome("", "hi", text="Oi , oi .", gold=("Hi .",))))
    swapped = outcome("", "Tom read 40 books .", change="swap_parallel_num")
    assert value("kept", swapped) == 0.5, "the number of the new text is missing"


def test_texts_are_grouped_by_their_length():
    def of(words):
        return length_of(example_of(running_text("a " * words), ("a",), Direction()))

    assert [of(words) for words in (1, 5, 6, 10, 11, 20, 21)] == [LENGTHS[k] for k in (0, 0, 1, 1, 2, 2, 3)]


def test_examples_show_what_changed_in_references_and_translations():
    found = outcome("Tom read 40 books .", "he read 40", change="swap_parallel_same_word")
    (shown,) = lost_most([found], changed=True)
    (name,) = {*shown["new_tokens"]} - {*shown["tokens"]}
    lines = {each.which: each.pieces for each in _lines(read(WorstExample, shown), perturbs=True)}
    assert [*lines] == ["original", "perturbed", "reference", "now", "translation"]
    marked = [piece.parts for piece in lines["translation"] if isinstance(piece, Mark)]
    assert marked == [("Tom",), ("books",), (".",)]
    assert shown["new_gold"] == [f"{name} read 40 books ."]
    assert lost_most([found], changed=False) == []
    (record,) = worse([found])
    assert line(read(WrongUnit, record)).startswith(
        f"{name} leu 40 livros . → he read 40   (reference: {name} read 40 books .; changed: Tom"
    )
