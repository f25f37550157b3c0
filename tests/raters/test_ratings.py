"""Results of raters, from filled sheets; means, p values and kappas worked out by hand."""

import csv
import json
import math
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.errors import AbaloError
from abalo.raters import forms
from abalo.raters.forms import SENTENCES, write_json
from abalo.raters.ratings import Agreement, RatedSheet, collect_ratings, kappa, markdown, p_value, report
from abalo.raters.sheets import ORIGINAL, SheetSentence, deal
from abalo.raters.sheets import write as write_sheets
from abalo.reporting.formats.cells import read_csv
from perturbations import stream

ratings = st.integers(1, 5)


def read(folder):
    return collect_ratings(*forms.read(folder))


KINDS = {"bb": "original", "cc": "=attack|", "dd": "original", "ff": "=attack|"}
KEY = {
    "form": "sentences",
    "raters": {"rater-1": ["bb", "cc", "dd"], "rater-2": ["bb", "ff"]},
    "items": {name: {"pair": f"p{name}", "kind": kind} for name, kind in KINDS.items()},
}


@pytest.fixture
def folder(tmp_path):
    """A key and two sheets, filled."""
    (tmp_path / "key.json").write_text(json.dumps(KEY))
    fill(tmp_path, 1, "bb,One,5", "cc,Two,2", "dd,Three,4")
    fill(tmp_path, 2, "bb,One,4", "ff,Four,4")
    return tmp_path


def fill(folder, rater, *rows):
    (folder / f"rater-{rater}.csv").write_text("\n".join([",".join(SENTENCES.columns), *rows]))


def refusal(folder):
    with pytest.raises(AbaloError) as caught:
        read(folder)
    return str(caught.value).replace(f"{folder}/", "")


def test_filled_sheets_are_read(folder):
    kinds = {"bb": "original", "cc": "=attack|", "dd": "original"}
    assert read(folder) == [
        RatedSheet("rater-1", kinds, {"bb": 5, "cc": 2, "dd": 4}),
        RatedSheet("rater-2", {"bb": "original", "ff": "=attack|"}, {"bb": 4, "ff": 4}),
    ]


def test_rows_may_be_sorted_and_blank_or_missing_ones_are_counted_not_guessed(folder):
    fill(folder, 1, "cc,Two,", "bb,One, 3 ")
    filled = read(folder)[0]
    assert filled.ratings == {"bb": 3, "cc": None, "dd": None}
    original, attack = report([filled]).found
    assert (original.n, original.blank, original.mean) == (1, 1, 3)
    assert (attack.n, attack.blank) == (0, 1)
    assert all(map(math.isnan, (attack.mean, attack.change, attack.p)))


@pytest.mark.parametrize("rating", ["0", "6", "4.0", "3,5", "-1", "x", "４", "1 2"])
def test_a_rating_that_is_no_whole_number_from_1_to_5_is_told_with_its_line(folder, rating):
    fill(folder, 1, "bb,One,5", f'cc,Two,"{rating}"')
    assert refusal(folder) == f"rater-1.csv:3: rating '{rating}'; expected 5, 4, 3, 2 or 1, or nothing"


def test_all_that_is_wrong_with_a_sheet_is_told_at_once(folder):
    fill(folder, 2, "bb,One,5", "cc,Two,1", "bb,One,9")
    assert refusal(folder).splitlines() == [
        "rater-2.csv: 3 problems",
        "  rater-2.csv:3: id 'cc'; expected one that key.json has for rater-2; put it right",
        "  rater-2.csv:4: id 'bb' for the second time; remove one of its rows",
        "  rater-2.csv:4: rating '9'; expected 5, 4, 3, 2 or 1, or nothing",
    ]


def test_a_sheet_that_is_not_there_is_told(folder):
    (folder / "rater-2.csv").unlink()
    assert refusal(folder) == "rater-2.csv: cannot be read: No such file or directory"


def test_means_changes_and_agreement_are_those_worked_out_by_hand():
    kinds = dict.fromkeys("abcd", ORIGINAL) | dict.fromkeys("efg", "swap")
    one = RatedSheet("rater-1", kinds, dict(zip("abcdefg", [5, 4, 5, 4, 3, 2, None], strict=True)))
    other = RatedSheet(
        "rater-2", kinds | {"h": "swap"}, dict(zip("abcdefgh", [5, 5, 4, None, 3, 3, 1, 1], strict=True))
    )
    found = report([one, other], resamples=9999)
    original, swap, other_original, other_swap = found.found
    assert (original.rater, original.kind, original.n, original.blank, original.mean) == (
        "rater-1",
        ORIGINAL,
        4,
        0,
        4.5,
    )
    assert math.isnan(original.change)
    assert math.isnan(original.p)
    assert (swap.kind, swap.n, swap.blank, swap.mean, swap.change) == ("swap", 2, 1, 2.5, -2)
    assert swap.p == pytest.approx(1 / 15, abs=0.0125)  # as far apart only when {3, 2} are drawn of C(6, 2); 5 sd
    assert (other_original.n, other_original.blank, other_swap.mean) == (3, 1, 2)
    assert other_swap.change == pytest.approx(2 - 14 / 3)
    # 5 5, 4 5, 5 4, 3 3, 2 3: mean distance 3/5; of all firsts to all seconds (5 + 4 + 5 + 5 + 10) / 25.
    assert found.agreement == (Agreement(("rater-1", "rater-2"), 5, pytest.approx(1 - 15 / 29)),)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([(1, 1), (2, 3), (5, 4), (3, 3)], 2 / 3),  # mean distance 1/2, by chance 24/16
        ([(1, 1), (5, 5)], 1),
        ([(1, 5), (5, 1)], -1),  # mean distance 4, by chance 2
        ([(3, 4), (3, 4)], 0),
        ([(1, 2)], 0),
        ([(4, 4), (4, 4)], math.nan),
        ([], math.nan),
    ],
)
def test_kappa_is_that_worked_out_by_hand(pairs, expected):
    assert kappa(pairs) == pytest.approx(expected, nan_ok=True)


@given(st.lists(st.tuples(ratings, ratings)))
def test_kappa_is_symmetric_at_most_one_and_the_same_on_a_scale_turned_round(pairs):
    value = kappa(pairs)
    assert kappa([(b, a) for a, b in pairs]) == pytest.approx(value, nan_ok=True)
    assert kappa([(6 - a, 6 - b) for a, b in pairs]) == pytest.approx(value, nan_ok=True)
    assert math.isnan(value) or value <= 1


def test_p_counts_the_ratings_as_they_are_among_the_divisions():
    assert p_value([1] * 20, [5] * 20, stream(1), 999) == 1 / 1000
    assert p_value([3, 3], [3, 3, 3], stream(1), 999) == 1


def test_p_is_undefined_without_ratings_on_both_sides():
    assert math.isnan(p_value([], [3], stream(1)))
    assert math.isnan(p_value([3], [], stream(1)))


@given(st.lists(ratings, min_size=1, max_size=4), st.lists(ratings, min_size=1, max_size=5))
@settings(max_examples=50)
def test_p_comes_near_the_share_of_all_divisions_that_part_the_means_as_far(first, second):
    both, size = [*first, *second], len(first)

    def distance(total):
        return abs(total * len(both) - size * sum(both))

    sums = [sum(chosen) for chosen in combinations(both, size)]
    exact = sum(distance(total) >= distance(sum(first)) for total in sums) / len(sums)
    assert p_value(first, second, stream(1)) == pytest.approx(exact, abs=0.03)


def test_the_same_seed_gives_the_same_p_and_it_depends_on_nobody_else():
    kinds = dict.fromkeys("abc", ORIGINAL) | dict.fromkeys("def", "swap")
    one, other = (RatedSheet(f"rater-{n}", kinds, dict(zip("abcdef", [5, 4, n, 2, 3, n], strict=True))) for n in (1, 2))
    assert report([other]).found == report([one, other]).found[2:] == report([other], seed=1).found
    assert report([other], seed=2).found != report([other]).found


def test_the_page_says_it_all_and_names_mean_nothing_in_it(folder):
    found = report(read(folder), resamples=99)
    page = markdown(found)
    assert page.splitlines()[2:8] == [
        "| Rater | Sentences | Rated | Blank | Mean | Change | p |",
        "| --- | --- | --: | --: | --: | --: | --: |",
        "| rater-1 | original | 2 | 0 | 4.50 | – | – |",
        f"| rater-1 | \\=attack\\| | 1 | 0 | 2.00 | −2.50 | {found.found[1].p:.3f} |",
        "| rater-2 | original | 1 | 0 | 4.00 | – | – |",
        "| rater-2 | \\=attack\\| | 1 | 0 | 4.00 | 0.00 | 1.000 |",
    ]
    assert "99 permutations, seed 1" in page
    assert page.endswith(
        "| Raters | Rated by both | Kappa (linear weights) |\n| --- | --: | --: |\n"
        "| rater-1 and rater-2 | 1 | 0.000 |\n"
    )


def test_the_numbers_are_written_as_json_with_null_for_what_has_no_meaning(folder):
    write_json(report(read(folder), seed=3, resamples=99), folder / "ratings.json")
    written = json.loads((folder / "ratings.json").read_text(encoding="utf-8"))
    assert (written["seed"], written["resamples"]) == (3, 99)
    assert written["found"][0] == {
        "rater": "rater-1",
        "kind": "original",
        "n": 2,
        "blank": 0,
        "mean": 4.5,
        "change": None,
        "p": None,
    }
    assert written["agreement"] == [{"raters": ["rater-1", "rater-2"], "n": 1, "kappa": 0.0}]


def test_from_attacks_to_sheets_to_ratings(tmp_path):
    items = [
        SheetSentence(f"p{n}", kind, f"{kind}; =1 ção {n}")
        for n in range(80)
        for kind in (ORIGINAL, "context", "entity")
    ]
    sheets = deal(items, raters=2, per_rater=10)
    write_sheets(sheets, tmp_path)
    for number, sheet in enumerate(sheets):
        path = tmp_path / f"{sheet.rater}.csv"
        rows = [row.cells for row in read_csv(path, SENTENCES.columns)]
        assert rows == [(name, item.text, "") for name, item in sheet.items.items()]
        # Saved as a Portuguese spreadsheet program does, the second rater a point kinder.
        with path.open("w", encoding="utf-8", newline="") as file:
            scores = {ORIGINAL: "4", "context": "2", "entity": "4"}
            filled = [(name, text, int(scores[text.split(";")[0]]) + number) for name, text, _ in rows]
            csv.writer(file, delimiter=";").writerows([SENTENCES.columns, *filled])
    found = report(read(tmp_path))
    assert [(row.kind, row.n, row.mean, row.change) for row in found.found[1:3]] == [
        ("context", 10, 2, -2),
        ("entity", 10, 4, 0),
    ]
    assert found.found[1].p < 0.001  # 2 of the C(20, 10) divisions
    assert found.found[2].p == 1
    # Four were given 4 and 5, two 2 and 3: a point apart. By chance (4·4·1 + 4·2·1 + 2·4·3 + 2·2·1)/36.
    assert found.agreement == (Agreement(("rater-1", "rater-2"), 6, pytest.approx(1 - 36 / 52)),)
