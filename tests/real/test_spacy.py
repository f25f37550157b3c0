"""A pretrained spaCy pipeline for English: its entities on two corpora of other types, and its parts of speech."""

from pathlib import Path

import pytest

from tests.published import published
from tests.real.conftest import PIPELINE
from tests.real.counting import conll, conllu, entities, f1

pytestmark = pytest.mark.real

TWEETS = "wnut17/dev.conll"
TWEET_TYPES = {"PERSON": "person", "GPE": "location", "LOC": "location", "ORG": "corporation", "PRODUCT": "product"}
NEWS = Path(__file__).parents[2] / "fixtures/corpora/news-en/eval.conll"
NEWS_TYPES = {"PERSON": "PER", "GPE": "LOC", "LOC": "LOC", "ORG": "ORG"}


def read(pipeline, words, spaces=None):
    """The pipeline's document of words as they are, with a space between them if none is told, and none at the end."""
    from spacy.tokens import Doc

    spaces = [True] * len(words) if spaces is None else spaces
    return pipeline(Doc(pipeline.vocab, words, [*spaces[:-1], False]))


def counted(pipeline, corpus, names):
    """F1 of the entities whose types have new names, under these."""
    found = [
        {(names[each.label_], each.start, each.end - 1) for each in read(pipeline, words).ents if each.label_ in names}
        for words, _ in corpus
    ]
    return pytest.approx(f1([entities(tags, names.values()) for _, tags in corpus], found), abs=1e-6)


@pytest.mark.parametrize(
    ("file", "names", "left_out"),
    [
        (TWEETS, TWEET_TYPES, "17 entities (creative-work 14, group 3) of the corpus and * entities (CARDINAL *)"),
        (NEWS, NEWS_TYPES, "0 entities of the corpus and * entities (DATE *)"),
    ],
    ids=["tweets", "news"],
)
def test_entities_are_counted_as_by_hand_before_and_after_noise(judge, variants, english, file, names, left_out):
    corpus, types = file if file == NEWS else published(file), list(dict.fromkeys(names.values()))
    label_map = ",".join(f"{own}={kind}" for own, kind in names.items())
    clean, noisy = judge(
        *("--abalo-model", f"spacy:{PIPELINE}", "--abalo-label-map", label_map, "--abalo-types", ",".join(types)),
        *("--abalo-corpus", corpus, "--abalo-limit", "150"),
        notice=f"Only the entity types {', '.join(types)} are judged (--abalo-types). All others count as O: "
        f"{left_out} predicted by the model.",
    )
    changed = conll(variants(corpus, "--limit", "150"))
    assert clean.metric("f1") == counted(english, conll(corpus, 150), names)
    assert noisy.metric("f1_changed") == counted(english, changed, names)
    assert noisy.result["changed"] == len(changed)


@pytest.mark.parametrize(
    ("asked", "column", "read_off"),
    [(("", ""), 3, "pos_"), (("?tag", "?xpos"), 4, "tag_")],
    ids=["universal", "fine"],
)
def test_parts_of_speech_are_counted_as_by_hand(judge, english, asked, column, read_off):
    corpus = published("ud/en_ewt-dev.conllu")
    model, tags = f"spacy:{PIPELINE}{asked[0]}", f"{corpus}{asked[1]}"
    options = ("--abalo-model", model, "--abalo-corpus", tags, "--abalo-limit", "150")
    clean, _ = judge(*options, task="pos", floor="accuracy", notice="*")  # rare tags are never predicted
    right = [
        getattr(word, read_off) == tag
        for words, tags, spaces in conllu(corpus, column, 150)
        for word, tag in zip(read(english, words, spaces), tags, strict=True)
    ]
    assert clean.metric("accuracy") == pytest.approx(sum(right) / len(right), abs=1e-6)
    assert clean.metric("accuracy") > 0.9
