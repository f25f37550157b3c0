"""``abalo pairs``: the perturbations that can follow one another."""

import pytest

from abalo.cli import main
from abalo.tasks.ner.task import TASK
from perturbations.pipelines import combinations, sampled_combinations


def test_pairs_lists_what_can_be_made_in_turn(capsys):
    assert main(["pairs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "concat_sent ent_typos" in lines
    assert "ent_typos concat_sent" in lines
    assert lines == [" ".join(step.name for step in steps) for steps in combinations(2, "pt", TASK.accepts)]


def test_pairs_draws_those_that_a_case_would(capsys):
    assert main(["pairs", "--of", "3", "--sampled", "4", "--seed", "7", "--language", "en"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        " ".join(step.name for step in steps) for steps in sampled_combinations(4, 3, "en", TASK.accepts, seed=7)
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--language", "xx"], "--language xx: expected one of en, fr, pt"),
        (["--sampled", "0"], "--sampled 0: expected a whole number from 1"),
    ],
)
def test_pairs_refuses_what_it_cannot_do(capsys, arguments, expected):
    assert main(["pairs", *arguments]) == 2
    assert expected in capsys.readouterr().err
