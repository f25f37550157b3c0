"""Evidence: counts without text, and the file that they go through unchanged."""

import io
import json
import pickle
import zipfile
from dataclasses import fields, replace
from functools import partial

import numpy as np
import pytest

from abalo.core.protocols.probe import probes
from abalo.core.protocols.task import tasks
from abalo.core.statistics.evidence import (
    ALIKE,
    EXIST,
    FORMAT,
    Evidence,
    collect,
    from_bytes,
    join_trainings,
    read,
    spread,
    to_bytes,
)
from abalo.core.statistics.metrics import Metric
from abalo.errors import AbaloError
from perturbations import Edit, Sentence, apply
from tests.rows import every
from tests.scripted import evidence_of, outcome

ANA = Sentence(("Ana", "saiu"), ("B-PER", "O"))
RUI = Sentence(("Rui", "ficou"), ("B-PER", "O"))


def some(clean=("B-PER", "O"), after=("O", "O")):
    """Ana without her entity after a change, Rui unchanged, both under two seeds."""
    return [
        each
        for seed in (1, 2)
        for each in (
            outcome(ANA, clean, apply(ANA, [Edit(0, 1, ("Axa",))]), after, seed=seed),
            outcome(RUI, seed=seed),
        )
    ]


def letters(outcomes, view, groups):
    """How many letters each sentence has, and how many of its view."""
    return np.array([[[len(each.sentence.text), len(view)]] * len(groups) for each in outcomes], dtype=np.float64)


LETTERS = Metric("letters", letters, lambda sums: sums[..., 0])
ONLY_IN_B = Metric("only_in_b", letters, lambda sums: sums[..., 0], views=("bb",))


def with_all(outcomes, _view, groups):
    """7 for all groups together, 1 for each."""
    return np.array([[[7.0], *[[1.0]] * len(groups)] for _ in outcomes])


def collected(outcomes, metrics, *, alike, views=("a", "bb"), groups=("PER", "LOC"), notes=None):
    held = np.array([[1, 0]] * len(outcomes), dtype=np.int64).reshape(len(outcomes), len(groups))
    return collect(outcomes, groups, held, metrics, views, alike=alike, notes=notes)


# Collecting -----------------------------------------------------------------------------------------------------------


def test_there_is_a_row_for_every_outcome_with_all_that_tells_it_apart():
    found = evidence_of(some(), notes={"filtered": 3})
    assert found.groups == ("PER",)
    assert found.ids.tolist()[:2] == found.ids.tolist()[2:]
    assert found.ids[0] != found.ids[1]
    assert found.clusters.tolist() == found.ids.tolist()
    assert found.seeds.tolist() == [1, 1, 2, 2]
    assert found.changed.tolist() == [True, False, True, False]
    assert found.outside.tolist() == [False] * 4
    assert found.held.tolist() == [[1]] * 4
    assert found.notes == {"filtered": 3}
    assert (len(found), found.distinct) == (4, 2)


@pytest.mark.parametrize(
    ("exist", "whole"),
    [({}, False), ({"PER": 4, "LOC": 0}, True), ({"PER": 5, "LOC": 0}, False), ({"PER": 4, "LOC": 1}, False)],
)
def test_evidence_is_whole_if_as_many_units_were_run_as_it_notes(exist, whole):
    notes = {f"{EXIST}{group}": count for group, count in exist.items()}
    found = evidence_of(some(), notes=notes)
    assert found.whole is whole
    trainings = join_trainings([found, evidence_of(some(), notes=notes)])
    assert trainings.whole is whole


def test_variants_are_told_apart_by_a_digest_and_no_text_is_kept():
    found = evidence_of(some())
    assert [len(digest) for digest in found.digests.tolist()] == [16, 0, 16, 0]
    other = outcome(ANA, None, apply(ANA, [Edit(0, 1, ("Bea",))]), ("B-PER", "O"))
    assert evidence_of([other]).digests[0] != found.digests[0]
    said = to_bytes({"a case": found})
    with np.load(io.BytesIO(said)) as stored:
        everything = b"".join(stored[name].tobytes() for name in stored.files)
    for word in ("Ana", "Axa", "saiu", "Rui", "ficou"):
        assert word.encode() not in everything
        assert word.encode("utf-32-le") not in everything


def test_each_count_is_made_once_however_many_metrics_share_it_and_once_per_view():
    made = []

    def noted(outcomes, view, groups):
        made.append(view)
        return letters(outcomes, view, groups)

    pair = [Metric("one", noted, lambda sums: sums[..., 0]), Metric("two", noted, lambda sums: sums[..., 1])]
    found = collected(some(), pair, alike=False)
    assert made == ["a", "bb"]
    assert {view: list(part) for view, part in found.tables.items()} == {"a": ["noted"], "bb": ["noted"]}
    assert not found.alike


def test_where_all_views_see_the_same_counts_are_made_once():
    found = collected(some(), [LETTERS], alike=True)
    assert found.alike
    assert list(found.tables) == [ALIKE]
    assert (found.counts(LETTERS, "a") == found.counts(LETTERS, "bb")).all()


def test_the_first_group_is_the_sum_of_all_unless_the_count_has_one_of_its_own():
    letters_of = collected(some(), [LETTERS], alike=True).counts(LETTERS, "a")
    assert letters_of.shape == (4, 3, 2)
    assert letters_of[:, 0, 0].tolist() == [16, 18, 16, 18]  # "Ana saiu" has 8, "Rui ficou" 9, in each of two groups
    own = Metric("own", with_all, lambda sums: sums[..., 0])
    assert collected(some(), [own], alike=True).counts(own, "a")[0, :, 0].tolist() == [7, 1, 1]


def test_a_metric_is_counted_only_in_views_that_give_it_a_meaning():
    found = collected(some(), [ONLY_IN_B], alike=False)
    assert list(found.tables["bb"]) == ["letters"]
    assert list(found.tables["a"]) == []


def test_counts_that_are_not_there_are_told_with_the_remedy():
    found = collected(some(), [LETTERS], alike=True)
    with pytest.raises(AbaloError, match=r"the evidence has no with_all, which own is made of: .*run the gate again"):
        found.counts(Metric("own", with_all, lambda sums: sums[..., 0]), "a")


def test_some_of_the_units_are_evidence_by_themselves():
    whole = evidence_of(some(), notes={"filtered": 3})
    part = whole.only(whole.changed)
    assert (len(part), part.distinct, part.seeds.tolist(), part.notes) == (2, 1, [1, 2], {"filtered": 3})
    assert all((table == whole.tables[ALIKE][name][[0, 2]]).all() for name, table in part.tables[ALIKE].items())
    assert len(whole.only(np.zeros(4, dtype=bool))) == 0


def renamed(function, name):
    function.__name__ = name
    return function


def flat(outcomes, view, groups):
    """A row for each sentence, without one for each group."""
    return np.ones((len(outcomes), 2))


def short(outcomes, view, groups):
    """A row too few."""
    return letters(outcomes[1:], view, groups)


def test_counts_stay_narrow_until_they_are_read():
    found = collected(some(), [LETTERS], alike=True)
    part = found.only(found.changed).only([1])
    for each in (found, part, join_trainings([part, part]), spread(part, ("LOC", "ORG", "PER"), ("",), ())):
        assert each.kept[ALIKE].kept("letters").dtype == np.uint8
    assert np.array_equal(part.counts(LETTERS, "a"), found.counts(LETTERS, "a")[[2]])
    assert np.array_equal(part.stored_counts(LETTERS, "a", overall=True), part.counts(LETTERS, "a")[:, :1])


def test_counts_that_are_only_measured_overall_are_kept_overall_and_read_as_any_others():
    alone = Metric("alone", with_all, lambda sums: sums[..., 0], per_group=False)
    found = collected(some(), [LETTERS, alone], alike=True)
    both = join_trainings([found, collected(some()[1:2], [LETTERS, alone], alike=True)])
    for each in (found, both, from_bytes(to_bytes({"case": both}))["case"]):
        assert each.kept[ALIKE].kept("with_all").shape == (len(each), 1, 1)
        assert each.kept[ALIKE].kept("letters").shape == (len(each), 1 + len(each.groups), 2)
        assert each.counts(alone, "a")[:, 0].tolist() == [[7.0]] * len(each)
        assert not each.counts(alone, "a")[:, 1:].any()


@pytest.mark.parametrize(
    ("count", "shape"), [(flat, r"flat returned an array of shape \(4, 2\)"), (short, r"short returned .*\(3, 2, 2\)")]
)
def test_counts_of_another_shape_name_the_metric_and_what_is_expected(count, shape):
    with pytest.raises(AbaloError, match=rf"metric odd: .*{shape}; expected .*\(4, 2, columns\)"):
        collected(some(), [Metric("odd", count, lambda sums: sums[..., 0])], alike=True)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (lambda sums: sums[..., 5], r"reads a column that its count function letters lacks.*; the columns are 0 to 1"),
        (lambda sums: sums[0], r"has the shape \(2,\) for sums of the shape \(3, 2\); expected \(3,\)"),
    ],
    ids=["column", "axis"],
)
def test_a_value_that_does_not_fit_the_counts_is_refused_beside_one_that_does(value, said):
    with pytest.raises(AbaloError, match=rf"metric odd: its value {said}"):
        collected(some(), [LETTERS, Metric("odd", letters, value)], alike=True)


def test_two_counts_of_one_name_are_refused_instead_of_sharing_a_table():
    other = Metric("words", renamed(lambda _o, _v, groups: np.zeros((4, len(groups), 1)), "letters"), LETTERS.value)
    with pytest.raises(AbaloError, match="the metrics letters and words count by two functions that are both called"):
        collected(some(), (LETTERS, other), alike=True)
    assert collected(some(), (LETTERS, ONLY_IN_B), alike=True), "metrics of the same function share its table"


def test_evidence_is_not_measured_by_counts_that_cannot_be_told_apart():
    task, other = tasks()["pos"], renamed(lambda _o, _v, _g: np.zeros(0), "token_counts")
    task.metrics.register(Metric("mine", other, LETTERS.value))
    with pytest.raises(AbaloError, match="rename one of the functions, abalo"):
        probes()["baseline"].measure(None, None, task, None)


@pytest.mark.parametrize("count", [lambda _o, _v, _g: np.zeros(0), partial(letters)], ids=["lambda", "partial"])
def test_a_count_without_a_name_that_stays_the_same_is_refused(count):
    with pytest.raises(AbaloError, match="has no name to keep its table by: write it as a function with def"):
        collected(some(), (Metric("mine", count, LETTERS.value),), alike=True)


# Files ----------------------------------------------------------------------------------------------------------------


def same(one: Evidence, other: Evidence) -> bool:
    """Whether two are equal bit for bit, types of arrays included."""
    arrays = [each.name for each in fields(one) if isinstance(getattr(one, each.name), np.ndarray)]
    rows = all(
        getattr(one, name).dtype.kind == getattr(other, name).dtype.kind
        and np.array_equal(getattr(one, name), getattr(other, name))
        for name in arrays
    )
    keys = {view: list(part) for view, part in one.tables.items()} == {view: [*p] for view, p in other.tables.items()}
    tables = keys and all(
        table.dtype == other.tables[view][name].dtype == np.float64
        and table.shape == other.tables[view][name].shape
        and table.tobytes() == other.tables[view][name].tobytes()
        for view, part in one.tables.items()
        for name, table in part.items()
    )
    return rows and tables and (one.groups, dict(one.notes)) == (other.groups, dict(other.notes))


def there_and_back(evidence: Evidence) -> Evidence:
    return from_bytes(to_bytes({"a case": evidence}))["a case"]


def numbers(*values: float) -> Evidence:
    """Evidence whose one table holds these values."""
    table = np.array([[[value]] * 2 for value in values], dtype=np.float64)
    some_units = evidence_of([outcome(f"[Ana{k} PER]") for k in range(len(values))])
    return replace(some_units, tables={ALIKE: {"numbers": table}})


def test_what_is_written_is_read_again_bit_for_bit():
    cases = {
        "ner/a[x-0.1]": evidence_of(some(), notes={"filtered": 3}),
        "ner/b": evidence_of(some(after=("B-PER", "O"))),
    }
    again = from_bytes(to_bytes(cases))
    assert list(again) == list(cases)
    assert all(same(again[name], cases[name]) for name in cases)


def test_the_same_evidence_gives_the_same_bytes():
    assert to_bytes({"a case": evidence_of(some())}) == to_bytes({"a case": evidence_of(some())})
    assert to_bytes({"a case": evidence_of(some())}) != to_bytes({"another": evidence_of(some())})


@every(
    ("values", "stored"),
    [
        ((0, 255), np.uint8),
        ((0, 256), np.uint16),
        ((65535, 1), np.uint16),
        ((65536, 0), np.int32),
        ((-1, 3), np.int32),
        ((2**31 - 1, -(2**31)), np.int32),
        ((2**31, 0), np.float64),
        ((0.5, 1), np.float64),
        ((-0.25, 7), np.float64),
        ((1e-300, 1e300), np.float64),
        ((float("nan"), 1), np.float64),
        ((float("inf"), 1), np.float64),
    ],
)
def test_numbers_are_stored_in_the_narrowest_type_that_holds_them_exactly(values, stored):
    evidence = numbers(*values)
    with np.load(io.BytesIO(to_bytes({"a case": evidence}))) as archive:
        assert archive["0/all/numbers"].dtype == stored
    assert same(there_and_back(evidence), evidence)


@pytest.mark.parametrize("task", ["ner", "choice"])
def test_a_case_without_a_unit_is_evidence_too(task):
    empty = evidence_of([], task)
    assert len(empty) == empty.distinct == 0
    assert same(there_and_back(empty), empty)


def test_no_case_at_all_is_a_file_too():
    assert from_bytes(to_bytes({})) == {}


def test_words_of_any_script_are_kept():
    evidence = evidence_of([outcome("[王 伟 人名] 认 为")])
    again = there_and_back(replace(evidence, places=np.array(["0-2-人名"])))
    assert again.groups == ("人名",)
    assert again.places.tolist() == ["0-2-人名"]


# Files that mean harm -------------------------------------------------------------------------------------------------

GOOD = to_bytes({"a case": evidence_of(some())})


def archive(content_index: object = None, **arrays: np.ndarray) -> bytes:
    """A good archive with these arrays in place of its own, and with this index."""
    with np.load(io.BytesIO(GOOD)) as stored:
        content = {name: stored[name] for name in stored.files}
    if content_index is not None:
        text = content_index if isinstance(content_index, bytes) else json.dumps(content_index).encode()
        content["index"] = np.frombuffer(text, dtype=np.uint8)
    stream = io.BytesIO()
    np.savez(stream, **{**content, **{name.replace("__", "/"): array for name, array in arrays.items()}})
    return stream.getvalue()


def good_index() -> dict:
    with np.load(io.BytesIO(GOOD)) as stored:
        return json.loads(stored["index"].tobytes())


def indexed(**changed: object) -> bytes:
    """A good archive whose one case has these values in the index."""
    index = good_index()
    index["cases"][0] |= changed
    return archive(index)


class Bomb:
    """Sets off when it is unpickled."""

    def __reduce__(self):
        return pytest.fail, ("code of the file was run",)


def pickled() -> np.ndarray:
    return np.array([Bomb()] * 4, dtype=object)


def array_file() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.ones(3))
    return stream.getvalue()


def without(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(GOOD)) as source, zipfile.ZipFile(stream, "w") as target:
        for each in source.namelist():
            if each != f"{name}.npy":
                target.writestr(each, source.read(each))
    return stream.getvalue()


def corrupted() -> bytes:
    """The bytes of the largest member overwritten."""
    data = bytearray(GOOD)
    with zipfile.ZipFile(io.BytesIO(GOOD)) as source:
        largest = max(source.infolist(), key=lambda each: each.compress_size)
    start = largest.header_offset + 100
    data[start : start + 40] = b"\xff" * 40
    return bytes(data)


def claiming(shape: str) -> bytes:
    """A good archive whose ids claim a shape that they do not have."""
    stream = io.BytesIO()
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    array = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()
    with zipfile.ZipFile(io.BytesIO(GOOD)) as source, zipfile.ZipFile(stream, "w") as target:
        for each in source.namelist():
            target.writestr(each, array if each == "0/ids.npy" else source.read(each))
    return stream.getvalue()


HOSTILE = {
    "nothing": b"",
    "text": b"{}",
    "one array, no archive": np.array([1]).tobytes(),
    "an array file": array_file(),
    "a pickle": pickle.dumps(Bomb()),
    "half of it": GOOD[: len(GOOD) // 2],
    "all but the end": GOOD[:-4],
    "a corrupted member": corrupted(),
    "pickled objects": archive(**{"0__ids": pickled()}),
    "a pickled index": archive(index=pickled()),
    "no index": without("index"),
    "no ids": without("0/ids"),
    "an index that is no JSON": archive(b"{"),
    "an index too deep": archive(b"[" * 100_000),
    "an index that is a list": archive([1, 2]),
    "another format": archive({"format": "abalo-evidence/99", "cases": []}),
    "no format": archive({"cases": []}),
    "cases that are a number": archive({"format": FORMAT, "cases": 3}),
    "a case that is a word": archive({"format": FORMAT, "cases": ["x"]}),
    "groups that are a number": indexed(groups=3),
    "more groups than counts": indexed(groups=["A", "B"]),
    "rows that are a list": indexed(rows=[]),
    "a row that leads nowhere": indexed(rows={**good_index()["cases"][0]["rows"], "ids": "gone"}),
    "tables that are a list": indexed(tables=[1]),
    "a table that leads nowhere": indexed(tables={"projected": {"entity_counts": "../../etc/passwd"}}),
    "a table that is a row": indexed(tables={"projected": {"entity_counts": "0/ids"}}),
    "notes that are a list": indexed(notes=[1]),
    "notes that are words": indexed(notes={"a": "x"}),
    "fewer seeds than ids": archive(**{"0__seeds": np.array([1])}),
    "held that is flat": archive(**{"0__held": np.array([1, 1, 1, 1])}),
    "a table of other length": archive(**{"0__all__entity_counts": np.zeros((3, 2, 6))}),
    "a table that is flat": archive(**{"0__all__entity_counts": np.zeros((4, 2))}),
    "an array as large as the world": claiming("(10**15,)"),
    "an array that claims too much": claiming("(1000000000000000,)"),
    "an array of negative size": claiming("(-4,)"),
}


@every("name", HOSTILE)
def test_a_file_that_is_no_evidence_ends_in_one_message_with_a_remedy(name):
    with pytest.raises(AbaloError) as caught:
        from_bytes(HOSTILE[name], "reports/evidence.npz")
    message = str(caught.value)
    assert message.startswith("reports/evidence.npz: not the evidence of a run: ")
    assert message.endswith("; run the gate again")


def test_the_format_that_was_found_is_told():
    with pytest.raises(AbaloError, match="its format is 'abalo-evidence/99'; expected 'abalo-evidence/1'"):
        from_bytes(HOSTILE["another format"])


@pytest.mark.parametrize("end", range(0, len(GOOD), 997))
def test_wherever_a_file_is_cut_off_it_is_refused(end):
    with pytest.raises(AbaloError):
        from_bytes(GOOD[:end])


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(
        AbaloError, match=r"evidence\.npz: cannot be read: No such file or directory; run the gate again"
    ):
        read(tmp_path / "evidence.npz")
    (tmp_path / "evidence.npz").write_bytes(GOOD)
    assert list(read(tmp_path / "evidence.npz")) == ["a case"]
