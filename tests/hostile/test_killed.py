"""Commands that are killed at any point: the next run makes what is missing, and equals one that nothing disturbed."""

import json
import random
import shutil
from itertools import product
from pathlib import Path

import pytest

from abalo.reporting.formats.files import ACCEPTED
from abalo.reporting.runs.finished import read_run
from tests.hostile.killing import killer
from tests.plugin.conftest import GAZETTEER, NAMES, PLACES, conll
from tests.reports import timeless

pytestmark = pytest.mark.slow

KILLS = 4
"""Points of each command, drawn by a seed among all that it comes to."""

MODEL = (
    GAZETTEER.format(people=NAMES, places=PLACES)
    + """

def counted():
    import sys

    answer = gazetteer()

    def predict(batch):
        sys.audit("asked", len(batch))
        return answer(batch)

    return predict
"""
)

THRESHOLDS = """
[gate]
language = "pt"
resamples = 200
seeds = [3]

[[ner.baseline]]
min_f1 = 0.5

[[ner.accents]]
max_f1_drop = 0.5

[[ner.letter_case]]

[[ner.entity_attack]]
least_similarity = 0.0
sample = 20
"""

CORPUS = conll(
    [
        f"o [TRIBUNAL SUPERIOR ORGANIZACAO] ouviu [{name} PESSOA] em [{place} LOCAL] às {hour} horas"
        for hour, name, place in product(range(3), NAMES, PLACES)
    ]
)

MODEL_AND_CORPUS = ("--model", "models:counted", "--corpus", "corpus.conll")

GATE = (
    *("pytest", "-p", "no:cacheprovider", "--pyargs", "tests_behavioral.ner"),
    *("--abalo-model", "models:counted", "--abalo-corpus", "corpus.conll"),
)

CALIBRATE = ("calibrate", *MODEL_AND_CORPUS, "--thresholds", "thresholds.toml", "--out", "bounds.toml")

SCALE = ("scale", *MODEL_AND_CORPUS, "--chunk-size", "70", "--out", "scaled")

SHARDS = [(*GATE, "--abalo-shard", f"{k}/2", "--abalo-reports", f"shards/{k}") for k in (1, 2)]

ACCEPT = ("accept", "reports", "--as", "kept")

COMMANDS = {
    "gate": ([GATE], GATE, (*GATE, "--abalo-resume")),
    "calibrate": ([], CALIBRATE, (*CALIBRATE, "--resume")),
    "accept": ([GATE], ACCEPT, (*ACCEPT, "--replace")),
    "scale": ([], sampled := (*SCALE, "--examples", "3"), sampled),
    "merge": (SHARDS, merge := ("merge", "shards/1", "shards/2", "--out", "merged"), merge),
    "merge of chunks": ([SCALE], merged := ("merge", "scaled", "--out", "merged"), merged),
    "perturb": ([], perturb := ("perturb", "corpus.conll", "--with", "accents", "--out", "new.jsonl"), perturb),
}
"""What is run before, the command that is killed, and the one that goes on."""

NOT_COMPARED = {".gitignore", "report.html", "robustness.md", "last-run.json"}
"""Written only into a folder that was not there, or with times or the name of a run."""


@pytest.fixture(scope="module")
def run():
    with killer() as found:
        yield found


@pytest.fixture(scope="module")
def begun(run, tmp_path_factory):
    """Gives a folder in which commands have run, made once."""
    made = {}

    def begin(before):
        key = json.dumps(before)
        if key not in made:
            folder = made[key] = tmp_path_factory.mktemp("begun") / "here"
            folder.mkdir()
            for name, text in (("models.py", MODEL), ("thresholds.toml", THRESHOLDS), ("corpus.conll", CORPUS)):
                (folder / name).write_text(text, encoding="utf-8")
            for command in before:
                assert run(folder, command)["code"] in (0, 10)
        return made[key]

    return begin


def without_times(path: Path) -> object:
    if path.name == "robustness.json" and not (path.parent / ACCEPTED).exists():
        document = timeless(json.loads(path.read_text("utf-8")))
        for task in document["tasks"].values():
            del task["inputs"]
        return document | {"options": None, "seal": None}
    if path.name in ("manifest.json", "done.json"):
        stored = json.loads(path.read_text("utf-8"))
        return {name: each for name, each in stored.items() if name not in ("made", "seconds", "chunk")} | {
            "facts": {case: {**own, "seconds": None} for case, own in stored.get("facts", {}).items()}
        }
    return path.read_bytes().replace(b" --resume", b"")  # in the command that made the bounds


def content(folder: Path) -> dict[str, object]:
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): without_times(path) for path in files if path.name not in NOT_COMPARED}


def finished(folder: Path) -> dict[str, int]:
    """The parts of a run that are done, each with when they were written."""
    parts = [*folder.glob("scaled/chunks/*/done.json"), *folder.glob("**/*.case")]
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in parts}


@pytest.mark.parametrize(("before", "command", "again"), COMMANDS.values(), ids=COMMANDS)
def test_the_next_run_makes_what_is_missing_and_nothing_else(run, begun, tmp_path, before, command, again):
    start, here = begun(before), tmp_path / "here"
    shutil.copytree(start, here)
    wanted = run(here, command)
    assert wanted["code"] in (0, 10), (tmp_path / "said.txt").read_text("utf-8")
    expected = content(here)
    draws = random.Random(" ".join(command))
    faults = {}
    for kill in draws.sample(range(wanted["points"]), min(KILLS, wanted["points"])):
        shutil.rmtree(here)
        shutil.copytree(start, here)
        assert run(here, command, kill) == {"code": -9}
        check_readable(here, command)
        done = finished(here)
        found = run(here, again)
        if found["code"] != wanted["code"]:
            faults[kill] = (tmp_path / "said.txt").read_text("utf-8")
            continue
        now, left = content(here), finished(here)
        faults[kill] = [
            *([f"asked {found['asked']} of {wanted['asked']}"] if found["asked"] > wanted["asked"] else []),
            *(f"made again: {name}" for name, time in done.items() if left.get(name, time) != time),
            *(f"other file: {name}" for name in now.keys() ^ expected.keys()),
            *(f"other content: {name}" for name in now.keys() & expected.keys() if now[name] != expected[name]),
        ]
    assert not {kill: each for kill, each in faults.items() if each}, f"of {wanted['points']} points"


def check_readable(folder: Path, command) -> None:
    """A reference is there as a whole or not at all."""
    if command[0] == "accept" and (folder / "kept" / "robustness.json").exists():
        assert read_run(folder / "kept").document.verdict
