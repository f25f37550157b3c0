"""No variant has a mention off its words: a sample of our own documents, and 20,000 variants of published ones."""

from collections import Counter
from pathlib import Path

import pytest

from perturbations import Edit, Span, apply, find
from perturbations.documents import document_of, mentions_of
from tests.published import published
from tests.tasks.coreference.variants import off_their_words, variants

ENOUGH = 20_000


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "pt"])
def test_mentions_of_our_own_documents_stay_on_their_words(language):
    counts = Counter()
    for name, document, made in variants(f"bundled:coreference-{language}", language, [1, 2], limit=12):
        assert off_their_words(document, made) == [], name
        counts[name] += 1
    own = {"rnd_concat", "rnd_delete", "rnd_insert", "rnd_repeat", "rnd_replace", "rnd_shuffle", "typos"}
    assert own <= {*counts}
    assert counts.total() > 300


@pytest.mark.slow
def test_mentions_of_twenty_thousand_variants_stay_on_their_words(tmp_path):
    first = published("coreference/158_emma.conll")
    path = tmp_path / "all.conll"
    files = sorted(Path(first).parent.glob("*.conll"))
    path.write_text("".join(each.read_text("utf-8") for each in files), encoding="utf-8")
    number = 0
    for name, document, made in variants(f"{path}?window=8&unit=window", "en", range(1, 8)):
        assert off_their_words(document, made) == [], name
        number += 1
    assert number >= ENOUGH


DOCUMENT = document_of([(("She", "'d", "go", "."), (" ",) * 4)], [Span(0, 1, "a"), Span(2, 4, "b")], "")


@pytest.mark.parametrize(
    ("edit", "faults"),
    [
        (Edit(0, 2, ("She'd",)), 1),  # the word holds more than the mention
        (Edit(0, 1, ("He",)), 0),
        (Edit(0, 1, ()), 0),
        (Edit(0, 4, ("She", "'d", "go", "."), origins=((1,), (0,), (3,), (2,))), 0),
    ],
)
def test_the_check_sees_what_is_wrong(edit, faults):
    made = apply(DOCUMENT, [edit])
    assert len(off_their_words(DOCUMENT, made)) == faults


def test_no_word_is_made_of_two_of_which_one_is_in_a_mention():
    would = document_of(
        [(("She", "would", "go", "if", "he", "is", "not", "in", "."), (" ",) * 9)], [Span(0, 1, "a")], ""
    )
    made = find("contraction").configured(rate=1, language="en").sample(would, seed=1)
    assert made is not None
    assert made.sentence.tokens[:3] == ("She", "would", "go")
    assert mentions_of(made.sentence) == (Span(0, 1, "a"),)
