"""Bounds from a measurement, and how they get into the file."""

from pathlib import Path

import numpy as np
import pytest

from abalo.config.calibration import (
    Calibrated,
    add_bounds,
    calibrate_case,
    describe_calibration,
    refusal,
    rewrite_limits,
    with_groups,
)
from abalo.config.thresholds import Thresholds, load
from abalo.core.records.gate import Gate
from abalo.core.running.judging import Decided
from abalo.core.statistics.estimates import Estimate, Measurement
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import Bound, Judgement, judge, judge_undecided
from tests.conftest import ids
from tests.scripted import read_case

ACCENTS = read_case("accents")


ONE_IN_40 = Gate()
"""Its one-sided level is 0.025, that of an interval of 95 %."""


def judgement(bound: Bound, low: float, high: float) -> Judgement:
    return Judgement(bound, Estimate((low + high) / 2, low, high, (high - low) / 3.92, 1000), "pass", "pass", 0.5)


def limit(bound: Bound, low: float, high: float, bounds: int = 1) -> float | None:
    (found,) = calibrate_case(Decided(ACCENTS, [judgement(bound, low, high)]), ONE_IN_40, bounds)
    return found.limit


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.1, 0.12, 0.125),  # 0.11 + 1.4142 * 0.01 = 0.1241, up to the next step
        (0.0, 0.02, 0.025),
        (0.1, 0.1, 0.1),  # all that there is was measured
        (-0.12, -0.1, -0.095),  # a perturbation that helps must go on helping
        (0.97, 0.995, None),  # no drop is larger
    ],
)
def test_a_maximum_is_the_upper_end_of_the_interval_of_a_difference(low, high, expected):
    assert limit(Bound("f1_drop", "max", 0.5), low, high) == expected


def test_no_limit_is_minus_zero():
    assert str(limit(Bound("f1_drop", "max", 0.5), -0.0005, -0.0003)) == "0.0"


@pytest.mark.parametrize(("low", "high", "expected"), [(0.88, 0.92, 0.871), (0.9, 0.9, 0.9), (0.005, 0.015, None)])
def test_a_minimum_is_the_lower_end_of_the_interval_of_a_difference(low, high, expected):
    assert limit(Bound("f1", "min", 0.5), low, high) == expected


def test_a_limit_is_corrected_for_the_bounds_of_the_family():
    """At a level of 0.0025 the interval reaches 2.807 standard errors of 0.01, in place of 1.96."""
    assert limit(Bound("f1", "min", 0.5), 0.8804, 0.9196, bounds=10) == 0.860  # 0.9 - 1.4142 * 0.02807 = 0.8603


def test_another_measurement_of_the_same_model_is_within_the_limit():
    """In 1 of 40 runs, by the level, the second measurement lies beyond; in far fewer it fails."""
    generator = np.random.Generator(np.random.PCG64(1))
    beyond, failed, runs = 0, 0, 1000
    for _ in range(runs):
        first, second = (generator.normal(0.9, 0.01, 2)).tolist()
        bound = Bound("f1", "min", limit(Bound("f1", "min", 0.5), first - 0.0196, first + 0.0196) or 0)
        again = Estimate(second, second - 0.0196, second + 0.0196, 0.01, 1000)
        beyond += second < bound.limit
        failed += judge(bound, again, confidence=0.95, blocking_bounds=1).verdict == "fail"
    assert 0.01 < beyond / runs < 0.04
    assert failed / runs < 0.004


def test_a_bound_that_would_let_a_loss_of_15_points_pass_is_not_written():
    wide = judgement(Bound("f1", "min", 0.5), 0.74, 0.86)
    (found,) = calibrate_case(Decided(ACCENTS, [wide]), ONE_IN_40, 1)
    assert found.limit is None
    assert (found.detectable or 0) > 0.15
    assert refusal([found], Path("new.toml"), bounded=True) is not None
    assert refusal([found], Path("new.toml"), bounded=False) is None
    narrow = judgement(Bound("f1", "min", 0.5), 0.79, 0.81)
    (written,) = calibrate_case(Decided(ACCENTS, [narrow]), ONE_IN_40, 1)
    assert (written.detectable or 1) < 0.05
    assert refusal([found, written], Path("new.toml"), bounded=True) is None


def test_of_a_rate_in_a_thousand_the_largest_loss_is_150():
    per_thousand = Bound("violations_per_thousand", "max", 1000)
    assert limit(per_thousand, 20.0, 40.0) == 44.143  # 30 + 1.4142 * 10
    assert limit(per_thousand, 20.0, 180.0) is None
    assert limit(per_thousand, 0.0, 0.0) == 0.0


def test_a_limit_is_one_that_some_value_breaks():
    assert limit(Bound("f1_drop", "min", 0.5), -0.999, 0) is None
    assert limit(Bound("entity_recovery_rate", "min", 0.5), 0.0, 0.018) is None
    assert limit(Bound("conf_drop_gold", "max", 0.5), 10.0, 10.2) == 10.242


def test_bounds_on_clean_labels_are_measured_with_a_limit_that_nothing_breaks():
    baseline = read_case(BASELINE, min_f1={"overall": 0.5, "PER": 0.9})
    held = Measurement("", {}, {each: {"f1": Estimate(0.9, 0.8, 1.0, 0.05, 60)} for each in ("PER", "LOC")}, {})
    assert with_groups(baseline, held).bounds == (
        Bound("f1", "min", 0.5),
        Bound("f1", "min", 0.0, "PER"),
        Bound("f1", "min", 0.0, "LOC"),
    )


def test_what_cannot_be_judged_is_not_calibrated_and_says_why():
    bound = Bound("f1_drop", "max", 0.5, "LOCAL")
    few = judge_undecided(bound, Estimate(0, 0, 0, 0, 3), "fewer than 50 distinct sentences with LOCAL (3)")
    (found,) = calibrate_case(Decided(ACCENTS, [few]), ONE_IN_40, 1)
    assert found.limit is None
    assert describe_calibration(found) == (
        "ner/accents: max_f1_drop of LOCAL not calibrated: fewer than 50 distinct sentences with LOCAL (3)"
    )


def test_what_was_calibrated_is_told_with_its_interval():
    found = Calibrated(ACCENTS, judgement(Bound("f1_drop", "max", 0.5), 0.1, 0.2), 0.21)
    assert describe_calibration(found) == "ner/accents: f1_drop 0.150 [0.100, 0.200] -> max_f1_drop = 0.21"


def test_a_case_without_bounds_gets_the_usual_one():
    assert add_bounds(ACCENTS).bounds == (Bound("f1_drop_changed", "max", 1.0),)
    assert add_bounds(read_case(BASELINE)).bounds == (Bound("f1", "min", 0.0),)
    own = read_case("accents", min_recall=0.2)
    assert add_bounds(own) == own


def lowered(thresholds: Thresholds) -> list[Calibrated]:
    """Every bound of the file with a limit of its own: 0.001, 0.002 and so on."""
    pairs = [(case, bound) for case in thresholds.cases for bound in add_bounds(case).bounds]
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
    assert rewrite_limits(thresholds, lowered(thresholds), {"ner": "abalo calibrate --deep"}) == COMMENTED.replace(
        "0.5 ", "0.001 "
    ).replace("# Our gate.\n", "# Our gate.\n# Calibrated ner: abalo calibrate --deep\n")


def test_the_provenance_of_an_earlier_calibration_is_replaced(write):
    thresholds = load(write(COMMENTED))
    first = load(write(rewrite_limits(thresholds, lowered(thresholds), {"ner": "the first time"})))
    second = rewrite_limits(first, lowered(first), {"ner": "the second time"})
    assert second.count("# Calibrated ner: ") == 1
    assert "# Calibrated ner: the second time\n" in second


def test_a_file_without_an_opening_comment_opens_with_the_provenance(write):
    thresholds = load(write("[[ner.accents]]\n"))
    assert rewrite_limits(thresholds, lowered(thresholds), {"ner": "abalo\ncalibrate"}) == (
        "# Calibrated ner: abalo calibrate\n[[ner.accents]]\nmax_f1_drop_changed = 0.001\n"
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
    found = load(write(rewrite_limits(thresholds, lowered(thresholds), {"ner": "by hand"}), "new.toml"))
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
    found = load(write(rewrite_limits(thresholds, lowered(thresholds), {"ner": "by hand"}), "new.toml"))
    expected = [(bound.metric, bound.type, n / 1000) for n, bound in enumerate(all_bounds(thresholds), start=1)]
    assert [(bound.metric, bound.type, bound.limit) for bound in all_bounds(found)] == expected
    assert [case.params for case in found.cases] == [case.params for case in thresholds.cases]


def all_bounds(thresholds: Thresholds) -> list[Bound]:
    return [bound for case in thresholds.cases for bound in add_bounds(case).bounds]


def test_a_limit_that_could_not_be_measured_goes_but_not_from_the_bundled_file(write):
    thresholds = load(write(COMMENTED))
    (only,) = lowered(thresholds)
    lost = Calibrated(only.case, only.judgement, None)
    assert "max_f1_drop" not in rewrite_limits(thresholds, [lost], {"ner": "by hand"})
    assert "max_f1_drop = 0.5    # generous" in rewrite_limits(thresholds, [lost], {"ner": "by hand"}, own=True)


def test_a_group_without_a_limit_leaves_that_of_all(write):
    thresholds = load(write("[[ner.baseline]]\nmin_f1 = {overall = 0.5, TEMPO = 0.9}\n"))
    (case,) = thresholds.cases
    limits = {None: 0.25, "LOCAL": None, "PESSOA": None, "TEMPO": None}
    found = [Calibrated(case, judgement(Bound("f1", "min", 0, name), 0, 0), limit) for name, limit in limits.items()]
    assert "min_f1 = {overall = 0.25}\n" in rewrite_limits(thresholds, found, {"ner": "by hand"})
    plain = load(write("[[ner.baseline]]\nmin_f1 = 0.5\n"))
    assert "min_f1 = 0.25\n" in rewrite_limits(plain, found, {"ner": "by hand"})


def test_a_file_that_extends_another_is_written_out_whole(write):
    write(
        "# The base.\n[gate]\nconfidence = 0.9\n\n[[ner.accents]]\n\n[[ner.synonyms]]\nmax_f1_drop = 0.5\n", "base.toml"
    )
    thresholds = load(write('extends = "base.toml"\n[gate]\nseeds = [9]\n\n[[ner.accents]]\nrate = 0.5\n'))
    found = load(write(rewrite_limits(thresholds, lowered(thresholds), {"ner": "by hand"}), "new.toml"))
    assert ids(found) == ["ner/accents[rate-0.5]", "ner/synonyms"]
    assert [bound.limit for bound in all_bounds(found)] == [0.001, 0.002]
    assert found.gate == thresholds.gate


@pytest.mark.slow
def test_the_default_cases_extended_get_bounds_of_their_own(write):
    thresholds = load(write('extends = "default"\n[[ner.accents]]\nrate = 0.5\n'))
    found = load(write(rewrite_limits(thresholds, lowered(thresholds), {"ner": "by hand"}), "new.toml"))
    assert not any(case.bounds for case in thresholds.cases)
    assert all(case.bounds for case in found.cases)
    assert ids(found) == ids(thresholds)
    entries = {(case.task, case.name, case.entry, each.name, each.type) for case in found.cases for each in case.bounds}
    assert len({bound.limit for bound in all_bounds(found)}) == len(entries)
