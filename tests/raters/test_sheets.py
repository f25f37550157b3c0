"""Sheets for raters: who gets which sentences, and that nothing on a sheet tells what an attack has changed."""

import csv
import json
import re
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import abalo.raters.forms
from abalo.errors import AbaloError
from abalo.raters.sheets import ORIGINAL, SheetSentence, deal, items_of, write


def record(number, attack, adversarial):
    return {
        "sentence_id": f"{number:x}",
        "attack": attack,
        "tokens": ["Ana", f"{number}", "saiu", "."],
        "spaces": [" ", " ", "", "\n"],
        "edits": [],
        "adversarial": adversarial,
    }


def attacked(count, *kinds):
    """Originals 0 up to ``count``, each broken by each of the attacks."""
    originals = [SheetSentence(f"pair-{n}", ORIGINAL, f"{n} as it was") for n in range(count)]
    return originals + [
        SheetSentence(f"pair-{n}", kind, f"{n} was: {i}") for n in range(count) for i, kind in enumerate(kinds)
    ]


@st.composite
def dealings(draw):
    """Just as many items of each kind as are said to be enough, from whichever originals; and what is asked for."""
    raters, per_rater, overlap = draw(st.integers(1, 4)), draw(st.integers(1, 6)), draw(st.floats(0, 1))
    kinds = [*draw(st.sampled_from([["b"], ["b", "c"], ["b", "c", "d"]])), ORIGINAL]
    shared = round(overlap * per_rater)
    enough = [len(kinds) * shared + (raters + place) * (per_rater - shared) for place in range(len(kinds))]
    items = []
    for kind, count in zip(kinds, enough, strict=True):
        pairs = draw(st.permutations(range(enough[-1])))[:count]
        variants = 1 if kind == ORIGINAL else draw(st.integers(1, 2))
        items += [SheetSentence(f"{pair}", kind, f"{pair} {kind} {n}") for pair in pairs for n in range(variants)]
    return items, {"raters": raters, "per_rater": per_rater, "overlap": overlap, "seed": draw(st.integers(0, 9))}


def test_items_are_all_originals_and_the_adversarial_sentences_of_successes():
    changed = {"tokens": ["Ana", "partiu", "."], "spaces": [" ", "", ""]}
    twice = record(1, "context_attack", changed)
    assert items_of([twice, record(2, "context_attack", None), record(1, "entity_attack", changed), twice]) == [
        SheetSentence("1", "original", "Ana 1 saiu."),
        SheetSentence("1", "context_attack", "Ana partiu."),
        SheetSentence("2", "original", "Ana 2 saiu."),
        SheetSentence("1", "entity_attack", "Ana partiu."),
    ]
    failed = {**twice, "broken": False}
    assert items_of([failed]) == [SheetSentence("1", "original", "Ana 1 saiu.")]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"sentence_id": 7}, "sentence_id is 7; expected a text"),
        ({"attack": "original"}, "sentence_id '1', attack 'original'"),
        ({"tokens": "Ana"}, "tokens is 'Ana'"),
        ({"adversarial": {"tokens": [], "spaces": []}}, "tokens [], spaces []"),
        ({"adversarial": {"tokens": ["x"]}}, "adversarial.spaces is missing"),
        ({"adversarial": {"tokens": [1], "spaces": ["adversarial.tokens.0 is 1"]}}, ""),
        ({"adversarial": {"tokens": ["x"], "spaces": ["y"]}}, "spaces ('y',) hold more than white space"),
        ({"adversarial": 3}, "adversarial is 3"),
    ],
)
def test_what_is_no_attack_result_is_told_with_its_number(change, problem):
    fine = {"tokens": ["x"], "spaces": [""]}
    with pytest.raises(AbaloError) as caught:
        items_of([record(1, "a", fine), record(1, "a", fine) | change], "log.jsonl: result")
    assert str(caught.value).startswith(f"log.jsonl: result 2: {problem}")
    assert str(caught.value).endswith(
        "; expected an object with the strings sentence_id and attack, the lists tokens and spaces, and adversarial: "
        "null or an object with such lists"
    )


@given(dealings())
@settings(max_examples=40)
def test_each_rater_gets_as_many_of_each_kind_all_from_different_originals(dealing):
    items, asked = dealing
    sheets = deal(items, **asked)
    assert [sheet.rater for sheet in sheets] == [f"rater-{n}" for n in range(1, asked["raters"] + 1)]
    for sheet in sheets:
        shown = list(sheet.items.values())
        assert set(shown) <= set(items)
        assert Counter(item.kind for item in shown) == dict.fromkeys({item.kind for item in items}, asked["per_rater"])
        assert len({item.pair for item in shown}) == len(shown)


@given(dealings())
@settings(max_examples=40)
def test_raters_share_what_was_asked_of_each_kind_and_nothing_else(dealing):
    items, asked = dealing
    sheets = [set(sheet.items.values()) for sheet in deal(items, **asked)]
    kinds = {item.kind for item in items}
    shared = round(asked["overlap"] * asked["per_rater"])
    for one, other in combinations(sheets, 2):
        assert one & other == set.intersection(*sheets)
        assert [sum(item.kind == kind for item in one & other) for kind in kinds] == [shared] * len(kinds)


@given(dealings())
@settings(max_examples=40)
def test_ids_are_letters_that_stand_for_one_item_on_all_sheets(dealing):
    items, asked = dealing
    shown = {pair for sheet in deal(items, **asked) for pair in sheet.items.items()}
    assert len(shown) == len({name for name, _ in shown}) == len({item for _, item in shown})
    assert all(re.fullmatch("[bcdfghjkmnpqrstvwxz]{6}", name) for name, _ in shown)


@given(dealings())
@settings(max_examples=40)
def test_neither_ids_nor_order_depend_on_what_kinds_and_originals_are_called(dealing):
    items, asked = dealing
    renamed = [SheetSentence(f"p{i.pair}", i.kind if i.kind == ORIGINAL else f"kind {i.kind}", i.text) for i in items]
    sheets, others = deal(items, **asked), deal(renamed, **asked)
    for sheet, other in zip(sheets, others, strict=True):
        assert [(name, item.text) for name, item in sheet.items.items()] == [
            (name, item.text) for name, item in other.items.items()
        ]


@given(dealings())
@settings(max_examples=40)
def test_the_same_seed_and_items_in_any_order_give_the_same_sheets(dealing):
    items, asked = dealing
    sheets, again = deal(items, **asked), deal(items[::-1] + items, **asked)
    assert [(sheet.rater, *sheet.items.items()) for sheet in again] == [
        (sheet.rater, *sheet.items.items()) for sheet in sheets
    ]


def test_sheets_are_the_same_on_every_machine():
    first, second = deal(attacked(5, "a"), per_rater=1, overlap=0, seed=7)
    assert [(name, item.text) for name, item in first.items.items()] == [
        ("kfpkxs", "0 as it was"),
        ("czzzvj", "4 was: 0"),
    ]
    assert [(name, item.text) for name, item in second.items.items()] == [
        ("rqtsds", "3 as it was"),
        ("dhmngm", "2 was: 0"),
    ]


def test_another_seed_gives_other_sheets_under_other_ids():
    one, other = (deal(attacked(60, "a"), per_rater=10, seed=seed)[0].items for seed in (1, 2))
    assert set(one.values()) != set(other.values())
    assert not set(one) & set(other)


def test_every_kind_is_equally_likely_in_every_row():
    items = attacked(12, "a", "b")
    sheets = [[item.kind for item in deal(items, 1, 2, seed=seed)[0].items.values()] for seed in range(600)]
    for row in range(6):
        assert all(140 < n < 260 for n in Counter(kinds[row] for kinds in sheets).values())  # 200 ± 5 × 11.5


def test_every_variant_of_an_attacked_original_may_be_shown():
    items = [*attacked(2, "a"), SheetSentence("pair-0", "a", "other"), SheetSentence("pair-1", "a", "other")]
    shown = {item.text for seed in range(40) for item in deal(items, 1, 1, seed=seed)[0].items.values()}
    assert shown == {item.text for item in items}


def test_too_few_sentences_are_told_with_what_there_is_and_what_is_needed():
    with pytest.raises(AbaloError) as caught:
        deal([*attacked(400, "entity_attack"), *attacked(150, "context_attack")])
    assert str(caught.value) == (
        "too few sentences of kind 'context_attack' for 2 sheets with 100 of each kind, all from different originals: "
        "there are 150, and 220 are needed to be sure; attack more sentences, or ask for fewer with "
        "--per-rater or --raters"
    )


def test_without_adversarial_sentences_there_is_nothing_to_rate():
    with pytest.raises(AbaloError, match="no adversarial sentences to rate beside originals; give results of attacks"):
        deal(attacked(400))


@pytest.mark.parametrize("asked", [{"raters": 0}, {"per_rater": 0}, {"overlap": 1.1}, {"overlap": float("nan")}])
def test_what_cannot_be_asked_is_refused(asked):
    with pytest.raises(AbaloError, match=r"^--raters .*: expected two whole numbers from 1 and a share from 0 to 1$"):
        deal(attacked(9, "a"), **asked)


def test_a_folder_holds_a_blind_sheet_for_each_rater_and_the_key(tmp_path):
    sheets = deal(attacked(12, "=attack"), raters=2, per_rater=3)
    write(sheets, tmp_path / "new")
    assert {path.name for path in tmp_path.glob("new/*")} == {"rater-1.csv", "rater-2.csv", "README.txt", "key.json"}
    for sheet in sheets:
        with (tmp_path / "new" / f"{sheet.rater}.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file))
        assert rows == [["id", "sentence", "rating"], *([name, item.text, ""] for name, item in sheet.items.items())]
    key = json.loads((tmp_path / "new" / "key.json").read_text(encoding="utf-8"))
    assert key["form"] == "sentences"
    assert key["raters"] == {sheet.rater: sorted(sheet.items) for sheet in sheets}
    assert key["items"] == {
        name: {"pair": item.pair, "kind": item.kind} for sheet in sheets for name, item in sheet.items.items()
    }


def test_raters_read_of_the_scale_but_not_of_attacks(tmp_path):
    write(deal(attacked(12, "a"), per_rater=3), tmp_path)
    told = (tmp_path / "README.txt").read_text(encoding="utf-8")
    assert [line[0] for line in told.splitlines() if line[1:3] == "  "] == ["5", "4", "3", "2", "1"]
    assert not re.search("attack|adversar|original|chang|model|key", told.replace("Change nothing", ""), re.IGNORECASE)


def test_sheets_that_are_there_are_never_written_over(tmp_path):
    sheets = deal(attacked(12, "a"), per_rater=3)
    (tmp_path / "rater-2.csv").write_text("filled")
    with pytest.raises(AbaloError, match=r"already holds rater-2\.csv; choose another folder with --out FOLDER"):
        write(sheets, tmp_path)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("rater-2.csv", "filled")]


def test_all_files_are_there_or_none(tmp_path, monkeypatch):
    def failing(path, text, remedy):
        if path.name == "key.json":
            raise AbaloError("no space left")
        path.write_text(text)

    monkeypatch.setattr(abalo.raters.forms, "write_text", failing)
    with pytest.raises(AbaloError, match="no space left"):
        write(deal(attacked(12, "a"), per_rater=3), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_one_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(AbaloError, match="is a file, not a folder; choose another folder with --out FOLDER"):
        write(deal(attacked(12, "a"), per_rater=3), tmp_path / "file" / "sheets")
