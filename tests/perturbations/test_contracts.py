"""Promises of every perturbation, tested once over all of them."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import (
    UNLABELLED,
    Edit,
    Perturbation,
    Perturbed,
    Sentence,
    apply,
    entity_spans,
    members,
    parse,
    render,
    word_level,
)
from perturbations.strategies import sentences
from tests.rows import every

pytestmark = pytest.mark.slow

MEMBERS = [member for member in members().values() if member.function.__module__.startswith("perturbations.families.")]

SHOWN = 5
"""How many options of a site a failure shows."""

every_member = every("member", MEMBERS, ids=lambda member: member.name)

FULL = {member.name: member.configured(rate=1) for member in MEMBERS}
"""Each at rate 1."""


def variants(member: Perturbation, sentence: Sentence) -> list[Perturbed]:
    """At the default rate and at rate 1, for two seeds; those that are None are left out."""
    both = (member, FULL[member.name])
    sampled = (perturbation.sample(sentence, seed=seed) for perturbation in both for seed in (1, 2))
    return [perturbed for perturbed in sampled if perturbed is not None]


@every_member
def test_it_is_described_and_stands_where_its_name_says(member):
    assert member.summary.endswith("."), "the docstring begins with one line that ends in a full stop"
    assert getattr(import_module(member.function.__module__), member.function.__name__) is member
    assert member.name == member.function.__name__
    assert all(len(language) == 2 for language in member.languages)


@every_member
def test_its_example_holds(member):
    assert_example_holds(member)


def assert_example_holds(member: Perturbation) -> None:
    before, after = parse(member.example.before), parse(member.example.after)
    sites = list(member.sites(before))
    fitting = [[edit for edit in site if all(string in token_text(after) for string in edit.tokens)] for site in sites]
    assert prod(map(len, fitting)) < 100_000, "make the example shorter: there are too many ways to reach it"
    reached = {render(apply(before, chosen).sentence) for chosen in product(*fitting)}
    assert member.example.after in reached, "\n".join(
        [
            f"{member.name} does not make {member.example.after!r} of {member.example.before!r}. It makes:",
            *(f"  at site {number}: {made(before, site)}" for number, site in enumerate(sites, start=1)),
            *(["  nothing: it has no site there"] if not sites else []),
        ]
    )


def token_text(sentence: Sentence) -> str:
    return " ".join(sentence.tokens)


def made(sentence: Sentence, site: Sequence[Edit]) -> str:
    """Some sentences that the options of a site give."""
    rendered = [repr(render(apply(sentence, [edit]).sentence)) for edit in site[:SHOWN]]
    return ", ".join(rendered) + f" and {len(site) - SHOWN} more" * (len(site) > SHOWN)


def test_an_example_that_fails_shows_what_the_function_made():
    @word_level(example=("[Ana PER] saiu", "[Ana PER] ficou"))
    def stays(word: str):
        return [word.upper(), *"abcdef"]

    @word_level(example=("a", "b"))
    def does_nothing(word: str):
        return []

    with pytest.raises(AssertionError) as caught:
        assert_example_holds(stays)
    assert [line.strip() for line in str(caught.value).splitlines()[:3]] == [
        "stays does not make '[Ana PER] ficou' of '[Ana PER] saiu'. It makes:",
        "at site 1: '[ANA PER] saiu', '[a PER] saiu', '[b PER] saiu', '[c PER] saiu', '[d PER] saiu' and 2 more",
        "at site 2: '[Ana PER] SAIU', '[Ana PER] a', '[Ana PER] b', '[Ana PER] c', '[Ana PER] d' and 2 more",
    ]
    with pytest.raises(AssertionError, match="nothing: it has no site there"):
        assert_example_holds(does_nothing)


@given(sentence=sentences(), seed=st.integers(0, 2**32))
@every_member
def test_every_variant_keeps_what_is_promised(sentence, seed, member):
    before = random.getstate()
    found = variants(member, sentence)
    again = member.configured(rate=member.rate)
    assert member.sample(sentence, seed=seed) == again.sample(sentence, seed=seed)
    assert random.getstate() == before, "global randomness is used"
    for perturbed in found:
        new = perturbed.sentence
        assert (new.tokens, new.spaces) != (sentence.tokens, sentence.spaces), "an unchanged copy"
        assert_labels_and_origins_fit(member, sentence, perturbed)
        written = json.dumps([edit.to_json() for edit in perturbed.edits])
        assert apply(sentence, map(Edit.from_json, json.loads(written))) == perturbed, "replayed from JSON"
        if member.labels == "keeps":
            assert_every_entity_is_still_one_of_its_type(sentence, perturbed)


def assert_labels_and_origins_fit(member: Perturbation, sentence: Sentence, perturbed: Perturbed) -> None:
    new = perturbed.sentence
    assert all(token.strip() for token in new.tokens)
    assert len(new.tags) == len(new.tokens) == len(perturbed.origins)
    assert [
        tag for i, tag in enumerate(new.tags) if tag[:2] == "I-" and (i == 0 or new.tags[i - 1][1:] != tag[1:])
    ] == []
    flat = [old for origin in perturbed.origins for old in origin]
    assert set(flat) <= set(range(len(sentence)))
    assert flat == sorted(flat) or not member.monotone


def assert_every_entity_is_still_one_of_its_type(sentence: Sentence, perturbed: Perturbed) -> None:
    old_spans, new_spans = entity_spans(sentence.tags), entity_spans(perturbed.sentence.tags)
    assert Counter(span.type for span in new_spans) == Counter(span.type for span in old_spans)
    for old, new in zip(old_spans, new_spans, strict=True):
        survivors = [
            i for i, origin in enumerate(perturbed.origins) if any(old.start <= token < old.stop for token in origin)
        ]
        assert set(survivors) <= set(range(new.start, new.stop))


@given(sentence=sentences(policy="each", further=("each", "bmes")))
@every_member
def test_labels_of_single_tokens_are_never_wrong(sentence, member):
    for perturbed in variants(member, sentence):
        for old, new in zip(sentence.token_layers, perturbed.sentence.token_layers, strict=True):
            assert len(new) == len(perturbed.sentence) == len(perturbed.origins)
            if old.policy == "each":
                for label, origin in zip(new.labels, perturbed.origins, strict=True):
                    assert label == UNLABELLED or label in {old.labels[token] for token in origin}


@given(sentence=sentences())
@every_member
def test_every_option_of_every_site_can_be_applied_and_changes_something(sentence, member):
    for site in member.sites(sentence):
        assert site
        for edit in site:
            new = apply(sentence, [edit]).sentence
            assert (new.tokens, new.spaces) != (sentence.tokens, sentence.spaces)


SAMPLES = """
import hashlib
from perturbations import members, parse, render
texts = (
    r"[Ana Sá PESSOA] não foi ao [TRIBUNAL DE JUSTIÇA ORG] de [São Paulo LOC] \\[sic\\] , disse o juiz da 2ª vara",
    "[王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
)
ways = [(text, rate, seed) for text in texts for rate in (0.3, 1) for seed in range(20)]
for member in members().values():
    variants = [member.configured(rate=rate).sample(parse(text), seed=seed) for text, rate, seed in ways]
    print(member.name, hashlib.sha256(repr(variants).encode()).hexdigest())
"""


@pytest.mark.slow
def test_variants_do_not_depend_on_the_hash_seed():
    def printed(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", SAMPLES], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    one = printed("1")
    assert one == printed("2")
    assert len(one.splitlines()) >= len(MEMBERS)
