"""Files of scores in a folder, and what a gate says of two."""

import json
import random

import pytest

from abalo.cli import main
from abalo.core.records.gate import Gate
from abalo.scores.facts import document_of
from abalo.scores.judging import judge_scores
from abalo.scores.readers import read_scores
from abalo.scores.rows import ScoreColumns, collect
from abalo.scores.rules import ScoreRule

QUICK = Gate(resamples=1000)


def scores_of(rows, **columns):
    """A file of scores from rows: an id and a score, or values by column."""
    given = [row if isinstance(row, dict) else dict(zip(("id", "score"), row, strict=True)) for row in rows]
    return collect("rows", "test", enumerate(given, start=1), ScoreColumns(**columns))


def judged(old, new, rule=None, gate=QUICK, **columns):
    """The judged metrics of two lists of rows, by name."""
    sides = [None if rows is None else scores_of(rows, **columns) for rows in (old, new)]
    names = {name for side in sides if side is not None for name in side.metrics}
    return {each.name: each for each in judge_scores(*sides, dict.fromkeys(names, rule or ScoreRule()), gate)}


def concluded(old, new, rule=None, gate=QUICK, **columns):
    """The document of two lists of rows."""
    sides = [None if rows is None else scores_of(rows, **columns) for rows in (old, new)]
    return document_of([*judged(old, new, rule, gate, **columns).values()], *sides, gate)


def answers(n, wrong=0, right_of=10):
    """Scores of n examples: one in ``right_of`` is wrong, and so are the first ``wrong`` of the others."""
    scores = [float(k % right_of > 0) for k in range(n)]
    lost = [k for k in range(n) if scores[k]][:wrong]
    return [(f"q{k:04}", 0.0 if k in lost else score) for k, score in enumerate(scores)]


def noisy(n, mean, seed):
    """Scores between 0 and 1 around a mean."""
    draw = random.Random(seed)
    return [(f"q{k:04}", min(1.0, max(0.0, draw.gauss(mean, 0.1)))) for k in range(n)]


@pytest.fixture
def gate(tmp_path, monkeypatch, capsys):
    """Runs ``abalo gate`` in a folder, and gives exit code and output; lists of rows become files."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = main(["gate", *map(str, arguments)])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out + said.err

    return run


def write_rows(path, rows):
    """Writes rows as JSON Lines, and returns the path."""
    given = [row if isinstance(row, dict) else dict(zip(("id", "score"), row, strict=True)) for row in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in given), encoding="utf-8")
    return path


def read(path, **columns):
    """The scores of a file."""
    return read_scores(path, ScoreColumns(**columns))
