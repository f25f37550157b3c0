"""Bounds from a measurement, and how they get into the file."""

import pytest

from abalo.config.calibration import Calibrated, bounded, calibrated, described, rewritten
from abalo.config.thresholds import Thresholds, load
from abalo.core.case import BASELINE
from abalo.core.judging import Decided
from abalo.core.statistics import Estimate
from abalo.core.verdicts import Bound, Judgement, undecided
from tests.conftest import ids
from tests.scripted import read_case

ACCENTS = read_case("accents")


def judgement(bound: Bound, low: float, high: float) -> Judgement:
    return Judgement(bound, Estimate((low + high) / 2, low, high, 0.01, 100), "pass", "pass", 0.5)


def limit(bound: Bound, low: float, high: float, margin: float = 0.01) -> float | None:
    found = Decided(ACCENTS, [judgement(bound, low, high)])
    return calibrated(found, margin)[0].limit


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.1, 0.2431, 0.254),  # 0.2531, up to the next step
        (0.0, 0.1, 0.11),  # on a step, though as floats 0.1 + 0.01 is a little more
        (0.0, 0.0, 0.01),
        (-0.2, -0.1, -0.09),  # a perturbation that helps must go on helping
        (0.9, 0.995, None),  # no drop is larger
    ],
)
def test_a_maximum_is_the_upper_end_and_the_margin_rounded_up(low, high, expected):
    assert limit(Bound("f1_drop", "max", 0.5), low, high) == expected


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0.8999, 1, 0.889), (0.9, 1, 0.89), (0.3, 0.4, 0.29), (0.005, 0, None)]
)
def test_a_minimum_is_the_lower_end_less_the_margin_rounded_down(low, high, expected):
    assert limit(Bound("f1", "min", 0.5), low, high) == expected


def test_a_limit_is_one_that_some_value_breaks():
    assert limit(Bound("f1_drop", "min", 0.5), -0.999, 0) is None
    assert limit(Bound("entity_recovery_rate", "min", 0.5), 0.0, 0.018) is None
    assert limit(Bound("conf_drop_gold", "max", 0.5), 8.204, 12.205) == 12.215


def test_of_a_promise_the_margin_is_in_a_thousand_and_perfection_that_holds_stays():
    assert limit(Bound("violations_per_thousand", "max", 60), 20.0, 31.2507) == 41.251
    assert limit(Bound("violations_per_thousand", "max", 60), 0.0, 0.0) == 10.0
    assert limit(Bound("violations_per_thousand", "max", 0), 0.0, 0.0) == 0.0
    assert limit(Bound("violations_per_thousand", "max", 0), 0.0, 2.0) == 12.0


def test_without_a_margin_the_bound_is_the_end_of_the_interval():
    assert limit(Bound("f1_drop", "max", 0.5), 0.1, 0.243, margin=0) == 0.243


def test_what_cannot_be_judged_is_not_calibrated_and_says_why():
    bound = Bound("f1_drop", "max", 0.5, "LOCAL")
    few = undecided(bound, Estimate(0, 0, 0, 0, 3), "fewer than 50 distinct sentences with LOCAL (3)")
    (found,) = calibrated(Decided(ACCENTS, [few]), 0.01)
    assert found.limit is None
    assert described(found) == (
        "ner/accents: max_f1_drop of LOCAL not calibrated: fewer than 50 distinct sentences with LOCAL (3)"
    )


def test_what_was_calibrated_is_told_with_its_interval():
    found = Calibrated(ACCENTS, judgement(Bound("f1_drop", "max", 0.5), 0.1, 0.2), 0.21)
    assert described(found) == "ner/accents: f1_drop 0.150 [0.100, 0.200] -> max_f1_drop = 0.21"


def test_a_case_without_bounds_gets_the_usual_one():
    assert bounded(ACCENTS).bounds == (Bound("f1_drop", "max", 1.0),)
    assert bounded(read_case(BASELINE)).bounds == (Bound("f1", "min", 0.0),)
    own = read_case("accents", min_recall=0.2)
    assert bounded(own) == own


def lowered(thresholds: Thresholds) -> list[Calibrated]:
    """Every bound of the file with a limit of its own: 0.001, 0.002 and so on."""
    pairs = [(case, bound) for case in thresholds.cases for bound in bounded(case).bounds]
    return [Calibrated(case, judgement(bound, 0, 0), n / 1000) for n, (case, bound) in enumerate(pairs, start=1)]


COMMENTED = """\
# Our gate.

[gate]
seeds = [1, 2]       # enough

# Optical character recognition.
[[ner.accents]]
max_f1_drop = 0.5    # generous
"""


def test_comments_and_order_are_kept_and_the_provenance_is_added_to_the_opening_comment(write):
    thresholds = load(write(COMMENTED))
    assert rewritten(thresholds, lowered(thresholds), {"ner": "abalo calibrate --margin 0.01"}) == COMMENTED.replace(
        "0.5 ", "0.001 "
    ).replace("# Our gate.\n", "# Our gate.\n# Calibrated ner: abalo calibrate --margin 0.01\n")


def test_the_provenance_of_an_earlier_calibration_is_replaced(write):
    thresholds = load(write(COMMENTED))
    first = load(write(rewritten(thresholds, lowered(thresholds), {"ner": "the first time"})))
    second = rewritten(first, lowered(first), {"ner": "the second time"})
    assert second.count("# Calibrated ner: ") == 1
    assert "# Calibrated ner: the second time\n" in second


def test_a_file_without_an_opening_comment_opens_with_the_provenance(write):
    thresholds = load(write("[[ner.accents]]\n"))
    assert rewritten(thresholds, lowered(thresholds), {"ner": "abalo\ncalibrate"}) == (
        "# Calibrated ner: abalo calibrate\n[[ner.accents]]\nmax_f1_drop = 0.001\n"
    )


TWICE = """\
[[ner.character_noise]]
rate = 0.1
max_f1_drop = 0.5

[[ner.word_insertion]]
rate = 0.1
fillers = ["xxx"]
max_f1_drop = 0.5

[[ner.word_insertion]]
rate = 0.1
max_f1_drop = 0.5

[[ner.character_noise]]
max_f1_drop = 0.5
limit = 60

[[ner.character_noise]]
rate = 0.3
max_f1_drop = {overall = 0.5, PESSOA = 0.5}
min_recall = 0.5
"""


def test_every_limit_goes_to_the_entry_and_type_that_it_is_of(write):
    thresholds = load(write(TWICE))
    found = load(write(rewritten(thresholds, lowered(thresholds), {"ner": "by hand"}), "new.toml"))
    assert ids(found) == ids(thresholds)
    assert [bound.limit for case in found.cases for bound in case.bounds] == [n / 1000 for n in range(1, 8)]
    noise = {case.slug: case.bounds for case in found.cases if case.name == "character_noise"}
    assert noise["rate-0.3"] == (
        Bound("f1_drop", "max", 0.003),
        Bound("f1_drop", "max", 0.004, "PESSOA"),
        Bound("recall", "min", 0.005),
    )


@pytest.mark.parametrize(
    "text",
    [
        "[ner]\naccents = [{max_f1_drop = 0.5}, {rate = 0.5}]\n",
        "[[ner.accents]]\n[ner.accents.max_f1_drop]\noverall = 0.5\nPESSOA = 0.2\n[[ner.synonyms]]\n",
        "[[ner.accents]]\n[gate]\nseeds = [1]\n[[ner.synonyms]]\n",
        '# a line\u2028separator\n[[ner.token_masking]]\nmask_token = "\\u200b"\n',
    ],
)
def test_other_ways_to_write_the_same_are_kept(write, text):
    thresholds = load(write(text))
    found = load(write(rewritten(thresholds, lowered(thresholds), {"ner": "by hand"}), "new.toml"))
    expected = [(bound.metric, bound.type, n / 1000) for n, bound in enumerate(all_bounds(thresholds), start=1)]
    assert [(bound.metric, bound.type, bound.limit) for bound in all_bounds(found)] == expected
    assert [case.params for case in found.cases] == [case.params for case in thresholds.cases]


def all_bounds(thresholds: Thresholds) -> list[Bound]:
    return [bound for case in thresholds.cases for bound in bounded(case).bounds]


def test_a_limit_that_could_not_be_measured_goes_but_not_from_the_bundled_file(write):
    thresholds = load(write(COMMENTED))
    (only,) = lowered(thresholds)
    lost = Calibrated(only.case, only.judgement, None)
    assert "max_f1_drop" not in rewritten(thresholds, [lost], {"ner": "by hand"})
    assert "max_f1_drop = 0.5    # generous" in rewritten(thresholds, [lost], {"ner": "by hand"}, own=True)


def test_a_file_that_extends_another_is_written_out_whole(write):
    write(
        "# The base.\n[gate]\nconfidence = 0.9\n\n[[ner.accents]]\n\n[[ner.synonyms]]\nmax_f1_drop = 0.5\n", "base.toml"
    )
    thresholds = load(write('extends = "base.toml"\n[gate]\nseeds = [9]\n\n[[ner.accents]]\nrate = 0.5\n'))
    found = load(write(rewritten(thresholds, lowered(thresholds), {"ner": "by hand"}), "new.toml"))
    assert ids(found) == ["ner/accents[rate-0.5]", "ner/synonyms"]
    assert [bound.limit for bound in all_bounds(found)] == [0.001, 0.002]
    assert found.gate == thresholds.gate


def test_the_default_cases_extended_get_bounds_of_their_own(write):
    thresholds = load(write('extends = "default"\n[[ner.accents]]\nrate = 0.5\n'))
    found = load(write(rewritten(thresholds, lowered(thresholds), {"ner": "by hand"}), "new.toml"))
    assert not any(case.bounds for case in thresholds.cases)
    assert all(case.bounds for case in found.cases)
    assert ids(found) == ids(thresholds)
    entries = {(case.task, case.name, case.entry, each.name, each.type) for case in found.cases for each in case.bounds}
    assert len({bound.limit for bound in all_bounds(found)}) == len(entries)
