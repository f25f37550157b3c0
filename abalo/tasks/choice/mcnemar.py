"""Whether originals are right more or less often than their variants: McNemar's test, exact.

Of each variant by itself first: there the two answers of a pair have the same chances wherever the wording makes no
difference, so that a test at 5 % has at most 5 % of false alarms. Of originals against most of their variants this is
not so: most of several answers are right more often, or less often, than a single one. A model that guesses among four
options is right in 25 % of originals, and in 5 % of majorities of four variants.

[McNemar, Note on the sampling error of the difference between correlated proportions, 1947]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from abalo.tasks.choice.answers import ORIG, Answer
from abalo.tasks.choice.question import in_order
from abalo.tasks.choice.replies import NO_COPIES, AnswerSet, groups, together


@dataclass(frozen=True, slots=True)
class McNemar:
    """Whether originals are right more or less often than a variant, or than most of their variants.

    Of ``n`` groups, the original alone is right in ``lost``, the variant alone in ``gained``. ``p`` is two-sided
    and exact; NaN where there are no groups. ``biased`` says that originals were set against most of two or more
    variants, so that ``p`` is no error rate.
    """

    p: float
    lost: int
    gained: int
    n: int
    biased: bool = False


def mcnemar_by_variant(
    rows: Iterable[Answer], task: str | None = None, copies: Mapping[str, str] = NO_COPIES
) -> dict[str, McNemar]:
    """McNemar's test of originals against each variant by itself, by variant in their order; the headline.

    Of several seeds and epochs, both are right where they are in more than half of those in which both were answered:
    a tie is not. Groups without an original, or without the variant, are left out; ``copies`` are one question.
    """
    own = list(rows)
    variants = sorted({row.variant for row in own} - {ORIG}, key=in_order)
    questions = together(groups(own, task), copies)
    return {variant: mcnemar([each.beside(variant) for each in sets] for sets in questions) for variant in variants}


def mcnemar_orig_vs_variants(
    rows: Iterable[Answer], task: str | None = None, copies: Mapping[str, str] = NO_COPIES
) -> McNemar:
    """McNemar's test of originals against the majority of their variants; biased where these are two or more.

    The variants of a group are right where more than half of them are: a tie is not. Of several seeds and epochs all
    originals and all variants count alike. Groups without an original, or without variants, are left out.
    [module 3, "Analysis Metrics"]
    """
    return mcnemar(together(groups(rows, task), copies))


def mcnemar(by_question: Iterable[Sequence[AnswerSet]]) -> McNemar:
    """The same for answer sets, those of all seeds and epochs of a question together."""
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
    return McNemar(_exact_p(lost, gained) if n else math.nan, lost, gained, n, biased)


def corrected(tests: Mapping[str, McNemar]) -> dict[str, float]:
    """The p of each test, corrected for their number; NaN where it has none.

    The chance that any is 0.05 or less is at most 5 % where no wording makes a difference.
    [Holm, A simple sequentially rejective multiple test procedure, 1979]
    """
    known = sorted((test.p, name) for name, test in tests.items() if not math.isnan(test.p))
    found, least = dict.fromkeys(tests, math.nan), 0.0
    for rank, (p, name) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        found[name] = least
    return found


def _most(correct: Iterable[bool]) -> bool:
    answers = list(correct)
    return 2 * sum(answers) > len(answers)


def _exact_p(lost: int, gained: int) -> float:
    """Twice the chance of at most the smaller count among as many fair coins as both together; 1 where that is more."""
    n = lost + gained
    coefficient = ways = 1
    for k in range(min(lost, gained)):
        coefficient = coefficient * (n - k) // (k + 1)
        ways += coefficient
    return min(1.0, float(Fraction(2 * ways, 2**n)))
