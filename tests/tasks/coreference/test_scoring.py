"""MUC, B³, CEAFe and LEA: values worked out by hand, those of another program, and those of a change."""

import numpy as np
import pytest

from abalo.core.records.example import Example, Variant
from abalo.core.records.outcome import Outcome
from abalo.corpora.examples import TEXT
from abalo.models.coreference.protocol import Resolved
from abalo.models.coreference.rules import resolve
from abalo.models.coreference.scoring import USUAL, ClusterRules, count_clusters
from abalo.tasks.coreference.corpus import load
from abalo.tasks.coreference.metrics.clusters import (
    METRICS,
    SIZES,
    b3,
    ceafe,
    cluster_counts,
    conll_f1,
    lea,
    link_counts,
    links_of,
    muc,
)
from perturbations import Edit, Span, apply
from perturbations.documents import document_of
from tests.published import published

A, B, C, D, E, F, G, H, J = [(k, k + 1) for k in range(9)]
GOLD = [{A, B, C}, {D, E, F, G}]
PREDICTED = [{A, B}, {C, D}, {F, G, H, J}]


def scores(gold, predicted):
    sums = np.array([*count_clusters(gold, predicted)])
    return [float(score(sums, 0)) for score in (muc, b3, ceafe, conll_f1, lea)]


def test_the_example_of_the_paper_on_lea():
    # LEA [Moosavi and Strube 2016, section 4]: recall (3 · 1/3 + 4 · 1/6) / 7, precision (2 · 1 + 2 · 0 + 4 · 1/6) / 8.
    found = count_clusters(GOLD, PREDICTED)
    assert (found.lea_recall / found.mentions, found.lea_precision / found.predicted) == pytest.approx((5 / 21, 1 / 3))
    # MUC 2/5 and 2/5. B³ (4/3 + 1/3 + 1/4 + 4/4) / 7 and (2 + 1/2 + 1/2 + 1) / 8. CEAFe: 4/5 + 4/8, over 2 and over 3.
    assert (found.muc_links, found.muc_gold, found.muc_predicted) == (2, 5, 5)
    assert (found.b3_recall, found.b3_precision, found.ceafe) == pytest.approx((35 / 12, 4, 1.3))
    means = [0.4, 2 * (5 / 12 * 1 / 2) / (11 / 12), 2 * (0.65 * 1.3 / 3) / (0.65 + 1.3 / 3)]
    assert scores(GOLD, PREDICTED) == pytest.approx([*means, sum(means) / 3, 2 * (5 / 21 / 3) / (5 / 21 + 1 / 3)])


@pytest.mark.parametrize(
    ("gold", "predicted", "right"),
    [
        (GOLD, GOLD, [1, 1, 1, 1, 1]),
        (GOLD, [], [0, 0, 0, 0, 0]),
        ([{A}], [{A}], [0, 1, 1, 2 / 3, 1]),  # no link that MUC could count
        ([], [{A}], [0, 0, 0, float("nan"), 0]),
        ([{A, B}], [{A}, {B}], [0, 2 * (1 / 2 * 1) / (3 / 2), 2 * (2 / 3 * 1 / 3) / 1, (2 / 3 + 4 / 9) / 3, 0]),
        ([{A}, {B, C}], [{A}, {B, D}], [0, 1 / 2, 3 / 4, (1 / 2 + 3 / 4) / 3, 1 / 3]),
    ],
)
def test_small_documents(gold, predicted, right):
    assert scores(gold, predicted) == pytest.approx(right, nan_ok=True)


def test_each_document_scores_as_another_program_does():
    other = pytest.importorskip("scorch.scores", reason="needs scorch: pip install scorch==0.2.0")
    corpora = [load(str(published("coreference/711_allan_quatermain.conll"))), load("bundled:coreference-en", limit=60)]
    for document in (each for corpus in corpora for each in corpus.sentences):
        gold, predicted = USUAL.gold(document), [set(each) for each in resolve(document)]
        expected = [measure(gold, predicted)[2] for measure in (other.muc, other.b_cubed, other.ceaf_e)]
        assert scores(gold, predicted)[:3] == pytest.approx(expected, abs=1e-12)


# Outcomes -------------------------------------------------------------------------------------------------------------

TOKENS = ("Tom", "left", ".", "He", "ran", ".", "Tom", "fell", ".")
DOCUMENT = document_of(
    [(TOKENS[k : k + 3], (" ",) * 3) for k in (0, 3, 6)],
    [Span(0, 1, "t"), Span(3, 4, "t"), Span(6, 7, "t"), Span(1, 2, "x")],
    "d",
)
RIGHT = Resolved((((0, 1), (3, 4), (6, 7)), ((1, 2),)))


def outcome(clean, edits=(), prediction=None, rules=USUAL):
    example = Example("d", {TEXT: DOCUMENT}, "d", source=rules)
    if not edits:
        return Outcome(example, 1, clean, None, clean)
    made = apply(DOCUMENT, edits)
    variant = Variant(Example("d", {TEXT: made.sentence}, "d", source=rules), {TEXT: made})
    return Outcome(example, 1, clean, variant, prediction)


def values(found):
    sums = cluster_counts([found], "", ())[0, 0]
    return [round(float(conll_f1(sums, first)), 3) for first in (0, 12)]


def test_singletons_count_unless_they_are_dropped():
    assert USUAL.gold(DOCUMENT) == [{(0, 1), (3, 4), (6, 7)}, {(1, 2)}]
    without = ClusterRules(singletons=False)
    assert without.gold(DOCUMENT) == [{(0, 1), (3, 4), (6, 7)}]
    only = Resolved((((0, 1), (3, 4), (6, 7)), ((7, 8),)))
    assert values(outcome(only, rules=without)) == [1, 1]
    assert values(outcome(only))[0] < 1


def test_what_is_predicted_in_new_sentences_counts_for_nothing():
    new = Edit(3, 3, ("She", "sat", "."), origins=((), (), ()), layers=(("sentences", ("B", "M", "E")),))
    after = Resolved((((0, 1), (6, 7), (9, 10)), ((1, 2),), ((3, 4),)))
    assert values(outcome(RIGHT, [new], after)) == [1, 1]
    linked = Resolved((((0, 1), (3, 4)), ((1, 2),), ((6, 7), (9, 10))))
    assert values(outcome(RIGHT, [new], linked))[1] < 1


def test_a_cluster_left_with_one_mention_is_a_singleton():
    edits = [Edit(3, 9, ())]
    sums = cluster_counts([outcome(RIGHT, edits, Resolved((((0, 1),), ((1, 2),))))], "", ())[0, 0]
    assert [float(score(sums, 12)) for score in (b3, ceafe, lea)] == [1, 1, 1]


def test_links_are_followed_to_where_they_stand_now():
    gone = Edit(3, 6, ())
    after = Resolved((((0, 1),), ((3, 4),)))
    found = list(links_of(outcome(RIGHT, [gone], after)))
    assert found == []  # of each link one mention is gone
    longer = Edit(6, 7, ("Old", "Tom"), origins=((6,), (6,)))
    kept = list(links_of(outcome(RIGHT, [longer], Resolved((((0, 1), (3, 4)), ((6, 8),))))))
    assert [(each.now, each.before, each.after) for each in kept] == [
        (((0, 1), (3, 4)), True, True),
        (((3, 4), (6, 8)), True, False),
    ]
    table = link_counts([outcome(RIGHT, [longer], Resolved((((0, 1), (3, 4)), ((6, 8),))))], "", SIZES[1:])
    assert table.tolist() == [[[0, 0, 0, 0], [2, 2, 1, 1], [0, 0, 0, 0]]]


def test_documents_are_summed_before_scores_are_made():
    half = Resolved((((0, 1), (3, 4)), ((1, 2),)))
    table = cluster_counts([outcome(RIGHT), outcome(half)], "", ())
    assert float(muc(table.sum(0)[0], 12)) == pytest.approx(2 * (3 / 4 * 1) / (3 / 4 + 1))


def test_the_floor_is_low_since_rules_find_little():
    least = {each.name: each.least for each in METRICS}
    assert least["conll_f1"] == 0.15
