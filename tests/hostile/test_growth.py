"""What perturbations and cases cost grows as the text and the file do, on texts made to be slow."""

import inspect
import time

import pytest

from abalo.config.thresholds import load
from perturbations import Sentence, members
from tests.rows import every

MEMBERS = [member for member in members().values() if member.function.__module__.startswith("perturbations.families.")]

SHORT, TIMES = 500, 4

MOST = 9
"""Twice the growth of a linear cost; with the square it is 16."""

CHEAP = 0.3
"""CPU seconds below which nothing is asked: on a busy machine they say little."""


def cycle(number, *words):
    return tuple(words[k % len(words)] for k in range(number // len(words) * len(words)))


def name(number):
    return "N" + "".join(chr(97 + number // 26**k % 26) for k in range(3))


def named(number, behind):
    """Distinct names, each with these tokens behind."""
    tokens = tuple(token for k in range(number // (1 + len(behind))) for token in (name(k), *behind))
    return Sentence(tokens, cycle(len(tokens), "B-PER", *("O" for _ in behind)))


TEXTS = {
    "names": lambda n: named(n, (",",)),
    "one name": lambda n: Sentence(cycle(n, "Ana", "e"), cycle(n, "B-PER", "O")),
    "one long name": lambda n: Sentence(tuple(map(name, range(n))), ("B-PER", *("I-PER",) * (n - 1))),
    "names that begin alike": lambda n: Sentence(
        tuple(token for k in range(n // 3) for token in ("Ana", name(k), ",")), cycle(n, "B-PER", "I-PER", "O")
    ),
    "names in brackets": lambda n: Sentence(cycle(n, "Supremo", "(", "STF", ")"), cycle(n, "B-ORG", "O", "B-ORG", "O")),
    "sentences": lambda n: Sentence(cycle(n, "Ele", "foi", "."), cycle(n, "O", "O", "O")),
    "sentences with names": lambda n: Sentence(cycle(n, "Ana", "foi", "."), cycle(n, "B-PER", "O", "O")),
    "stops": lambda n: Sentence((".",) * n, ("O",) * n),
    "brackets": lambda n: Sentence(cycle(n, "(", '"', "["), ("O",) * (n // 3 * 3)),
    "numbers": lambda n: Sentence(cycle(n, "1", "."), ("O",) * n),
    "one long word": lambda n: Sentence(("a1-'é" * (n // 5), "b"), ("O", "O")),
    "Chinese": lambda n: Sentence(cycle(n, *"王伟认为他五月在"), ("O",) * (n // 8 * 8), ("",) * (n // 8 * 8)),
}


def seconds(member, sentence):
    before = time.process_time()
    member.sample(sentence, seed=1)
    return time.process_time() - before


def test_there_are_twelve_texts():
    assert len(TEXTS) == 12


@pytest.mark.slow
@every("member", MEMBERS, ids=lambda member: member.name)
def test_a_perturbation_of_a_long_text_takes_time_in_proportion(member):
    for title, text in TEXTS.items():
        member.sample(text(48), seed=1)  # what is read once is not counted
        for _ in range(3):
            long = seconds(member, text(TIMES * SHORT))
            if long < CHEAP or long < MOST * seconds(member, text(SHORT)):
                break
        else:
            raise AssertionError(f"{title}: {long:.2f} s three times")


def test_the_family_of_a_bound_is_counted_once_for_all_cases(write, monkeypatch):
    asked = {}
    for number in (50, 200):
        tables = (f"[[ner.character_noise]]\nrate = {k / 1000}\nmax_f1_drop = 0.2\n" for k in range(1, number + 1))
        thresholds, calls, real = load(write("".join(tables))), [], inspect.signature
        monkeypatch.setattr(
            inspect, "signature", lambda *of, real=real, calls=calls, **more: calls.append(1) or real(*of, **more)
        )
        assert {thresholds.bounds_beside(case, deep=False) for case in thresholds.cases} == {number}
        monkeypatch.setattr(inspect, "signature", real)
        asked[number] = len(calls)
    assert asked[200] <= 4 * asked[50] + 4


@pytest.mark.parametrize("deep", [False, True])
def test_the_family_knows_deep_cases_languages_and_the_clean_corpus(write, deep):
    text = """
[gate]
language = "en"
[[ner.baseline]]
min_f1 = 0.5
[[ner.character_noise]]
max_f1_drop = 0.2
max_f1_changed_drop = 0.2
[[ner.character_noise]]
rate = 0.3
max_f1_drop = 0.2
deep = true
[[ner.accents]]
max_f1_drop = 0.1
blocking = false
"""
    thresholds = load(write(text.replace("max_f1_changed_drop = 0.2\n", "")))
    clean, noise, *_ = thresholds.cases
    assert thresholds.bounds_beside(clean, deep=deep) == 1
    assert thresholds.bounds_beside(noise, deep=deep) == 1 + deep
