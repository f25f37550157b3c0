"""Cases dealt to shards: by hand, and what every deal keeps."""

import json
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.bundled import OWN_GATE
from abalo.config.dealing import USUAL_COST, Deal, RunPart, Shard, cost, costs, deal
from abalo.config.thresholds import load
from benchmarks.costs import costs_in, table

PARTS = st.lists(
    st.builds(
        RunPart,
        st.text(st.characters(codec="utf-8", exclude_characters="ab"), min_size=1, max_size=4),
        st.integers(1, 50),
        st.sampled_from(["", "", "a", "b"]),
    ),
    unique_by=lambda part: part.id,
    max_size=12,
)


def loads(found: Deal) -> list[int]:
    """The cost of each shard."""
    return [sum(part.cost for part in found.parts if part.shard == k + 1) for k in range(found.of)]


def groups_of(parts) -> Counter:
    """The cost of what goes to one shard."""
    costs_of = Counter()
    for part in parts:
        costs_of[part.group or f" {part.id}"] += part.cost
    return costs_of


def test_the_costliest_goes_first_to_the_shard_with_the_least():
    parts = [RunPart("a", 3), RunPart("b", 7), RunPart("c", 5), RunPart("d", 4), RunPart("e", 1)]
    # b 7 to 1; c 5 to 2; d 4 to 3; a 3 to 3, which has 4; e 1 to 2, which has 5
    assert deal(parts, 3).by_id == {"a": [3], "b": [1], "c": [2], "d": [3], "e": [2]}


def test_ties_go_by_id_whatever_the_order():
    parts = [RunPart("c", 2), RunPart("a", 2), RunPart("b", 2)]
    for order in permutations(parts):
        assert deal(order, 2).by_id == {"a": [1], "b": [2], "c": [1]}


def test_parts_of_a_group_go_together_and_count_together():
    parts = [RunPart("predicted", 1, "twins"), RunPart("oracle", 6, "twins"), RunPart("a", 5), RunPart("b", 3)]
    assert deal(parts, 2).by_id == {"predicted": [1], "oracle": [1], "a": [2], "b": [2]}


@given(PARTS, st.integers(1, 5), st.randoms(use_true_random=False))
def test_every_deal_has_each_part_once_hangs_on_no_order_and_is_even(parts, of, chance):
    found = deal(parts, of)
    assert [part.id for part in found.parts] == [part.id for part in parts]
    shuffled = list(parts)
    chance.shuffle(shuffled)
    again = deal(shuffled, of)
    assert again.by_id == found.by_id
    assert again.sha256 == found.sha256
    for group in ("a", "b"):
        assert len({shard for part in parts if part.group == group for shard in found.by_id[part.id]}) <= 1
    largest, total = max(groups_of(parts).values(), default=0), sum(part.cost for part in parts)
    assert max(loads(found)) <= total / of + largest  # no list schedule is worse
    assert all(1 <= part.shard <= of for part in found.parts)


@given(PARTS, st.integers(1, 5))
def test_a_deal_can_be_written_and_read(parts, of):
    found = deal(parts, of, deep=True)
    assert Deal.from_json(json.loads(json.dumps(found.to_json()))) == found


@given(PARTS.filter(bool), st.integers(1, 4))
def test_the_digest_tells_other_deals(parts, of):
    found = deal(parts, of).sha256
    first, *rest = parts
    others = [
        deal(parts, of + 1),
        deal(parts, of, deep=True),
        deal(rest, of),
        deal([RunPart(first.id, first.cost + 1, first.group), *rest], of),
    ]
    assert found not in {other.sha256 for other in others}


def test_costs_are_those_of_the_table_else_of_the_name_else_the_usual_one():
    assert cost("ner/character_noise[rate-0.1]") == costs()["ner/character_noise[rate-0.1]"] > 200
    assert cost("ner/character_noise[rate-0.2]") == costs()["ner/character_noise[rate-0.1]"]
    pipelines = sorted(inputs for case, inputs in costs().items() if case.startswith("ner/pipeline["))
    middle = len(pipelines) // 2
    assert pipelines[middle - (1 - len(pipelines) % 2)] <= cost("ner/pipeline[other]") <= pipelines[middle]
    assert cost("mine/other") == USUAL_COST == 100


def test_the_table_knows_what_the_default_gate_costs_most():
    assert all(inputs >= 1 for inputs in costs().values())
    cases = [case for case in load(OWN_GATE).cases if not case.deep]
    assert len([case for case in cases if case.id in costs()]) > 0.8 * len(cases)
    parts = [part for case in cases for part in RunPart.of(case)]
    most = loads(deal(parts, 5))
    assert max(most) < 1.2 * min(most)


def test_cases_aimed_at_gold_and_at_predicted_spans_stay_together():
    cases = load(OWN_GATE).cases
    parts = [part for case in cases for part in RunPart.of(case)]
    twins = {part.id: part.group for part in parts if "[predicted" in part.id or "[oracle" in part.id}
    assert len(twins) == 2 * len(set(twins.values()))
    assert twins["ner/char_typo[oracle]"] == twins["ner/char_typo[predicted]"] != twins["ner/boundary[oracle]"]


def test_parts_of_one_case_go_to_different_shards():
    parts = [RunPart("long", 10, part=k) for k in range(11)] + [RunPart("b", 10), RunPart("c", 9)]
    found = deal(parts, 2)
    assert found.by_id == {"long": [2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2], "b": [1], "c": [1]}
    assert found.share("b", 1) is None
    first, second = found.share("long", 1), found.share("long", 2)
    assert [first.has(block) for block in range(13)] == [not second.has(block) for block in range(13)]
    assert [block for block in range(13) if first.has(block)] == [1, 3, 5, 7, 9, 12]  # block 11 is in part 0 again


def test_a_search_is_cut_into_parts_that_are_worth_a_start():
    cases = {case.id: case for case in load(OWN_GATE).cases}
    whole, sample = (f"ner/entity_attack{slug}" for slug in ("", "[sample-60-candidates-20]"))
    assert cost(whole) > 16 * 100
    assert [part.part for part in RunPart.of(cases[whole])] == list(range(16))
    assert len(RunPart.of(cases[sample])) == cost(sample) // 100
    assert all(part.cost >= 100 for name in (whole, sample) for part in RunPart.of(cases[name]))
    assert [part.part for part in RunPart.of(cases[whole], whole=True)] == [0]
    assert len(RunPart.of(cases["classification/word_attack[sample-150]"])) == 1  # costs less than 100
    assert len(RunPart.of(cases["ner/character_noise[rate-0.1]"])) == 1  # is no search


@pytest.mark.parametrize(("text", "number", "of"), [("1/1", 1, 1), ("2/5", 2, 5), ("10/10", 10, 10)])
def test_a_shard_is_read_and_written(text, number, of):
    assert Shard.read(text) == Shard(number, of)
    assert str(Shard(number, of)) == text


def test_the_benchmark_counts_inputs_for_a_hundred_of_the_corpus():
    result = {"task": "ner", "shared_inputs": 0}
    document = {
        "tasks": {"ner": {"inputs": {"clean": 50}}},
        "results": [
            {**result, "id": "ner/b[oracle]", "inputs": 60},
            {**result, "id": "ner/b[predicted]", "inputs": 55, "shared_inputs": 45},
            {**result, "id": "ner/a", "inputs": 0},
        ],
    }
    found = costs_in(document)
    assert found == {"ner/b[oracle]": 120, "ner/b[predicted]": 20, "ner/a": 1}
    assert table(found).splitlines()[2:] == ["ner/a\t1", "ner/b[oracle]\t120", "ner/b[predicted]\t20"]
