"""How many fillings there are, and which are run."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.capabilities.drawing import draw_strata, numbers, share_sample
from abalo.capabilities.fillers import Means
from abalo.config.thresholds import case_of
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.errors import AbaloError
from perturbations.resources import FromCorpus, Listed
from tests.scripted import corpus_of

NER = tasks()["ner"]
CORPUS = corpus_of(*(f"[Ana PESSOA] vive em [{town} LOCAL] ." for town in ("Natal", "Belém", "Natal", "Belém")))
MEANS = Means(
    "pt",
    lambda name: FromCorpus(name, CORPUS.sentences),
    lambda name: Listed(name, {"…": (("canta", 0.6), ("fala", 0.3), ("dorme", 0.1))}),
)


def strata(seed=1, corpus=CORPUS, **values):
    plan = case_of(NER, "capability", {"name": "x", **values}, Gate()).plan
    return draw_strata(plan, NER, corpus, corpus.examples, MEANS, seed)


def texts(stratum):
    return [NER.templates.said(each.before.example) for each in stratum.drawn]


def pairs(stratum):
    return [(NER.templates.said(each.before.example), NER.templates.said(each.after.example)) for each in stratum.drawn]


# Which are drawn ------------------------------------------------------------------------------------------------------


@given(st.integers(0, 300), st.lists(st.integers(0, 90), min_size=1, max_size=6))
def test_a_sample_is_shared_out_evenly_and_wholly(sample, sizes):
    shares = share_sample(sample, sizes)
    assert sum(shares) == min(sample, sum(sizes))
    assert all(share <= size for share, size in zip(shares, sizes, strict=True))
    free = [share for share, size in zip(shares, sizes, strict=True) if share < size]
    assert not free or max(free) - min(free) <= 1
    assert not free or all(share <= min(free) + 1 for share in shares)


@given(st.integers(1, 10**12), st.integers(0, 60), st.integers(0, 60), st.integers(0, 9))
def test_numbers_are_distinct_in_range_and_the_same_at_the_beginning_of_a_larger_sample(size, count, more, seed):
    few, many = (list(numbers(size, each, seed, "x")) for each in (count, count + more))
    assert len(set(few)) == len(few) == min(count, size)
    assert all(0 <= number < size for number in few)
    if count + more < size:
        assert many[: len(few)] == few


def test_every_filling_is_as_likely_as_any_other():
    counts = [0] * 10
    for seed in range(3000):
        for number in numbers(10, 3, seed, "x"):
            counts[number] += 1
    assert all(820 < count < 980 for count in counts)  # 900, and four standard errors of 20


# What there is --------------------------------------------------------------------------------------------------------


def test_all_fillings_are_the_product_of_the_values():
    (found,) = strata(templates=["{a} e {b}"], a=["x", "y"], b=["1", "2", "3"])
    assert found.exist == 6
    assert found.census
    assert sorted(texts(found)) == sorted(f"{a} e {b}" for a, b in product("xy", "123"))


def test_numbered_slots_have_different_values():
    (found,) = strata(templates=["{a} e {a2}"], a=["x", "y", "z"])
    assert found.exist == 6
    assert sorted(texts(found)) == sorted(f"{a} e {b}" for a, b in product("xyz", "xyz") if a != b)


def test_a_sample_is_drawn_by_template_and_seed_alone():
    values = {"a": [f"a{k}" for k in range(100)], "sample": 20}
    (alone,) = strata(templates=["{a} um"], **values)
    beside, _ = strata(templates=["{a} um", "{a} dois"], **values)
    assert (alone.exist, len(alone.drawn), alone.census) == (100, 20, False)
    assert texts(beside) == texts(alone)[:10]
    assert texts(strata(2, templates=["{a} um"], **values)[0]) != texts(alone)


def test_equal_texts_are_run_once():
    first, second = strata(templates=["a {x}", "{y} b"], x=["b", "c"], y=["a", "d"])
    assert (texts(first), texts(second)) == (["a b", "a c"], ["d b"])
    assert (first.exist, second.exist) == (2, 1)


def test_where_something_changes_each_value_changes_to_every_other():
    (found,) = strata(templates=["[{a} LOCAL] é {b}"], a=["X", "Y", "Z"], b=["bom"], change="a")
    assert found.exist == 6
    assert ("[X LOCAL] é bom", "[Z LOCAL] é bom") in pairs(found)
    assert ("[Z LOCAL] é bom", "[X LOCAL] é bom") in pairs(found)


@pytest.mark.slow
def test_changes_among_very_many_values_are_counted_and_not_listed(tmp_path):
    path = tmp_path / "many.tsv"
    path.write_text("\n".join(f"w{k}" for k in range(100_000)), encoding="utf-8")
    (found,) = strata(templates=["{x} !"], x=f"lexicon:{path}", change="x", sample=5)
    assert (found.exist, len(found.drawn)) == (100_000 * 99_999, 5)
    with pytest.raises(AbaloError, match="9,999,900,000 changes; expected at most 100,000"):
        strata(templates="corpus", x=f"lexicon:{path}", change="x")


def test_or_to_what_it_says():
    (found,) = strata(templates=["{a} bom"], a=[{"a": "", "to": "não"}, {"a": "é", "to": "era"}], change="a")
    assert pairs(found) == [("bom", "não bom"), ("é bom", "era bom")]


def test_sentences_of_a_corpus_change_where_a_value_stands():
    (found,) = strata(templates="corpus", change="town", town=[{"town": "Natal", "to": "Rio Claro"}])
    assert pairs(found) == [("[Ana PESSOA] vive em [Natal LOCAL] .", "[Ana PESSOA] vive em [Rio Claro LOCAL] .")]


# Sources --------------------------------------------------------------------------------------------------------------


def test_a_pool_gives_the_entities_of_the_corpus():
    (found,) = strata(templates=["Em [{x} LOCAL]"], x="pool:LOCAL")
    assert texts(found) == ["Em [Belém LOCAL]", "Em [Natal LOCAL]"]


def test_a_language_model_gives_its_likeliest_words():
    (found,) = strata(templates=["Ele {x} bem"], x="masked-lm:2")
    assert texts(found) == ["Ele canta bem", "Ele fala bem"]


def test_a_list_that_ships_and_a_file_give_their_first_column(tmp_path):
    (found,) = strata(templates=["{x}"], x="lexicon:given_names_pt", sample=100_000)
    assert "abel" in texts(found)
    tmp_path.joinpath("mine.tsv").write_text("# mine\num\t1\ndois [2]\t2\n", encoding="utf-8")
    (found,) = strata(templates=["{x} !"], x=f"lexicon:{tmp_path / 'mine.tsv'}")
    assert texts(found) == ["um !", "dois \\[2\\] !"]


def test_faker_gives_the_same_each_time():
    pytest.importorskip("faker")
    first, second = (texts(strata(templates=["{x} !"], x="faker:city", sample=5)[0]) for _ in range(2))
    assert first == second
    assert len(first) == 5


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"templates": ["{x}"], "x": "pool:FUNGO"}, "pool:FUNGO: has no values here; name another source"),
        ({"templates": ["{x}"], "x": "lexicon:nowhere"}, "lexicon:nowhere: no such file, and no list of this name"),
        ({"templates": ["{o:x} {x}"], "x": ["Xyzzy"]}, "with x = 'Xyzzy': the gender of 'Xyzzy' is not known"),
        ({"templates": "corpus", "change": "x", "x": ["Oslo", "Rome"]}, "there is nothing to run: no sentence of the"),
        ({"templates": "failures:none.jsonl"}, "none.jsonl: no such file"),
        ({"templates": ["{x}"], "x": "faker:add_provider"}, "faker:add_provider: needs more than its name"),
    ],
)
def test_what_cannot_be_filled_is_an_error_that_names_it(values, said):
    with pytest.raises(AbaloError) as told:
        strata(**values)
    assert said in str(told.value)


def test_what_is_expected_of_sentences_of_a_corpus_is_filled_too():
    kinds = [{"town": "Natal", "to": {"town": "Rui", "kind": "PESSOA"}}]
    (found,) = strata(templates="corpus", change="town", town=kinds, expect="label of {town} becomes {town.kind}")
    (drawn,) = found.drawn
    assert (drawn.label, drawn.values) == ("PESSOA", {"town": "Natal → Rui"})
    assert drawn.after.places["town"][0][1].start == 3


def test_sentences_written_by_hand_are_known_failures(tmp_path):
    path = tmp_path / "failures.txt"
    path.write_text("# ours\n[Ana PESSOA] saiu\n\nNatal é festa\n", encoding="utf-8")
    (found,) = strata(templates=f"failures:{path}")
    assert texts(found) == ["[Ana PESSOA] saiu", "Natal é festa"]
    assert found.census


@pytest.mark.slow
def test_a_template_may_have_more_fillings_than_a_machine_word_counts():
    slots = {slot: [f"{slot}{number}" for number in range(2_000)] for slot in "abcdef"}
    (found,) = strata(templates=["{a} {b} {c} {d} {e} {f}"], sample=20, **slots)
    assert found.exist == 2_000**6 > 2**63
    assert len(set(texts(found))) == 20
