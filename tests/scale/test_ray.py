"""Actors of Ray, some of which die, give the numbers of one process; in processes of their own, since Ray stays."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from abalo.core.records import json_records as typed
from abalo.reporting.runs.finished import read_run
from tests.scale.conftest import RECORDS
from tests.scale.test_scale import evidence_of, results_of

pytest.importorskip("ray")
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def ray(*more, model="by_word", out="ray", actors=2):
    """Runs the command with so many actors; its output."""
    given = ["--corpus", "corpus.jsonl", "--model", f"scale_models:{model}", "--out", out, "--chunk-size", "150"]
    command = [sys.executable, "-m", "abalo", "scale", *given, "--engine", "ray", "--actors", str(actors), *more]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def long_corpus(folder):
    records = [{**record, "tokens": [*record["tokens"][:5], f"n{i}"]} for i, record in enumerate(RECORDS * 7)][:2000]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")


@pytest.mark.usefixtures("long_corpus")
def test_two_thousand_sentences_give_the_same_with_two_actors_of_which_one_is_killed(scale):
    assert scale(size=150) == 0
    said = ray(model="killed", actors=2)
    assert "its actor ended (ActorDiedError)" in said
    assert evidence_of("ray") == evidence_of("out")
    assert results_of("ray") == results_of("out")


@pytest.mark.parametrize("actors", [1, 3])  # of two chunks
def test_the_number_of_actors_changes_nothing(scale, actors):
    assert scale(size=150) == 0
    ray(actors=actors)
    assert evidence_of("ray") == evidence_of("out")
    assert results_of("ray") == results_of("out")
    documents = [typed.as_json(read_run(Path(name)).document) for name in ("ray", "out")]
    for document in documents:
        document.pop("date")
        document.pop("run")
        for each in document["results"]:
            each.pop("seconds")
    assert documents[0] == documents[1]
