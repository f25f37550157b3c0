"""McNemar's exact test: are originals right more or less often than their variants?

The main test compares originals with each variant separately; at 5 % it raises at most 5 % false alarms. The test
against the majority of variants is biased: with four options, a guessing model answers 25 % of the originals correctly
but wins a majority of four variants only 5 % of the time.

[McNemar, Note on the sampling error of the difference between correlated proportions, 1947]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from abalo.core.records.json_records import Count, JsonRecord, Share, declared
from abalo.questions.answers import ORIG, ChoiceAnswer
from abalo.questions.question import in_order
from abalo.questions.replies import NO_COPIES, AnswerSet, groups, together


@dataclass(frozen=True, slots=True)
class McNemar(JsonRecord):
    """Compares originals with one variant or with a majority.

    Only the original is right in ``lost`` of ``n`` groups, only the variant in ``gained``. ``p`` is two-sided and
    exact; None without groups. It is not an error rate if ``biased``, for a majority of two or more variants.
    """

    p: Share | None
    lost: Count
    gained: Count
    n: Count
    biased: bool = declared("Whether `p` is no error rate; absent if it is one.", default=False)


def mcnemar_by_variant(
    rows: Iterable[ChoiceAnswer], task: str | None = None, copies: Mapping[str, str] = NO_COPIES
) -> dict[str, McNemar]:
    """McNemar's test of originals against each variant separately; the headline.

    An answer is right if more than half of the shared repeats are. Groups without both answers are left out. ``copies``
    count as one question.
    """
    own = list(rows)
    variants = sorted({row.variant for row in own} - {ORIG}, key=in_order)
    questions = together(groups(own, task), copies)
    return {variant: mcnemar([each.beside(variant) for each in sets] for sets in questions) for variant in variants}


def mcnemar_orig_vs_variants(
    rows: Iterable[ChoiceAnswer], task: str | None = None, copies: Mapping[str, str] = NO_COPIES
) -> McNemar:
    """McNemar's test of originals against the majority of their variants; biased for two or more.

    More than half of a group's variants must be right. [module 3, "Analysis Metrics"]
    """
    return mcnemar(together(groups(rows, task), copies))


def mcnemar(by_question: Iterable[Sequence[AnswerSet]]) -> McNemar:
    """`mcnemar_orig_vs_variants` for answer sets."""
    lost = gained = n = 0
    biased = False
    for sets in by_question:
        pairs = [each for each in sets if each.comparable]
        if not pairs:
            continue
        before = _most(each.original.correct for each in pairs if each.original is not None)
        after = _most(answer.correct for each in pairs for answer in each.variants)
        n, lost, gained = n + 1, lost + (before and not after), gained + (after and not before)
        biased = biased or any(len(each.variants) > 1 for each in pairs)
    return McNemar(_exact_p(lost, gained) if n else None, lost, gained, n, biased)


def correct(tests: Mapping[str, McNemar]) -> dict[str, float | None]:
    """Corrects p values for multiple testing; None stays None.

    [Holm, A simple sequentially rejective multiple test procedure, 1979]
    """
    known = sorted((test.p, name) for name, test in tests.items() if test.p is not None)
    found: dict[str, float | None] = dict.fromkeys(tests)
    least = 0.0
    for rank, (p, name) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        found[name] = least
    return found


def _most(correct: Iterable[bool]) -> bool:
    answers = list(correct)
    return 2 * sum(answers) > len(answers)


def _exact_p(lost: int, gained: int) -> float:
    n = lost + gained
    coefficient = ways = 1
    for k in range(min(lost, gained)):
        coefficient = coefficient * (n - k) // (k + 1)
        ways += coefficient
    return min(1.0, float(Fraction(2 * ways, 2**n)))
