"""examples.jsonl and evidence.npz: the units that went wrong, and the counts that everything is judged by."""

import io
import json
import zipfile

import numpy as np
import pytest

from abalo.core.statistics.evidence import read, to_bytes
from tests.plugin.conftest import NAMES, PLACES

pytestmark = pytest.mark.slow

FORGETFUL = """

def forgetful():
    \"\"\"Knows every word but Saulo, and José with his accent alone.\"\"\"
    return lambda batch: [["O" if word in ("Saulo", "Jose") else tag(word) for word in tokens] for tokens in batch]
"""

CASES = """
[gate]
language = "pt"
resamples = 200
seeds = [1, 2]

[[ner.accents]]
max_f1_drop = 0.5

[[ner.baseline]]
min_f1 = 0.5

[[ner.entity_attack]]
candidates = 5
least_similarity = 0.0
max_success_rate = 0.99
"""

ATTACK = "ner/entity_attack[least_similarity-0.0-candidates-5]"


@pytest.fixture
def kept(project):
    """A project with a model whose errors are known by heart."""
    project.write("models.py", (project.path / "models.py").read_text("utf-8") + FORGETFUL)
    project.write("thresholds.toml", CASES)
    return project


def run(project, *arguments: str) -> None:
    """Judges the forgetful model."""
    assert project.run(*arguments, model="models:forgetful").ret == 0


def records(project) -> list[dict]:
    """The lines of examples.jsonl about units that are wrong, without those about the worst of a case."""
    lines = (project.path / "reports" / "examples.jsonl").read_text("utf-8").splitlines()
    return [record for line in lines if "example" not in (record := json.loads(line))]


def evidence(project) -> dict[str, bytes]:
    """The evidence of each case by itself."""
    return {case: to_bytes({case: found}) for case, found in read(project.path / "reports" / "evidence.npz").items()}


def test_examples_are_all_that_is_wrong_clean_or_changed(kept):
    run(kept, "-k", "accents or baseline")
    units = [(each["case"], each["seed"], each["tokens"][4]) for each in records(kept)]
    assert sorted(units) == sorted(
        [("ner/baseline", 0, "Saulo")] * 7
        + [("ner/accents", seed, name) for seed in (1, 2) for name in ("Saulo", "José")] * 7
    )


def test_an_example_says_what_was_read_what_was_done_and_what_came_of_it(kept):
    run(kept, "-k", "accents")
    found = next(each for each in records(kept) if each["tokens"][4:7] == ["José", "em", "Belém"])
    edits = found.pop("edits")
    (same,) = {each["sentence_id"] for each in records(kept) if each["tokens"] == found["tokens"]}
    assert found == {
        "case": "ner/accents",
        "sentence_id": same,
        "seed": 1,
        "tokens": ["o", "TRIBUNAL", "SUPERIOR", "ouviu", "José", "em", "Belém", ",", "às", "7", "horas", "."],
        "gold": ["O", "B-ORGANIZACAO", "I-ORGANIZACAO", "O", "B-PESSOA", "O", "B-LOCAL", "O", "O", "O", "O", "O"],
        "clean": ["O", "B-ORGANIZACAO", "I-ORGANIZACAO", "O", "B-PESSOA", "O", "B-LOCAL", "O", "O", "O", "O", "O"],
        "predicted": ["O", "B-ORGANIZACAO", "I-ORGANIZACAO", "O", "O", "O", "B-LOCAL", "O", "O", "O", "O", "O"],
    }
    assert [(edit["start"], edit["stop"], edit["tokens"]) for edit in edits] == [
        (4, 5, ["Jose"]),
        (6, 7, ["Belem"]),
        (8, 9, ["as"]),
    ]


def test_a_target_of_an_attack_is_told_from_others_in_its_sentence(kept):
    run(kept, "-k", "entity_attack")
    keys = [(each["case"], each["sentence_id"], each["seed"], each.get("place")) for each in records(kept)]
    assert keys
    assert len(set(keys)) == len(keys)


def test_without_text_there_are_no_examples_nor_those_of_an_earlier_run(kept):
    run(kept)
    assert records(kept)
    run(kept, "--abalo-no-text")
    assert not (kept.path / "reports" / "examples.jsonl").exists()
    assert evidence(kept)


def test_evidence_holds_no_word_of_the_corpus(kept):
    run(kept)
    path = kept.path / "reports" / "evidence.npz"
    held = [path.read_bytes()]
    with zipfile.ZipFile(path) as members:
        held += [members.read(name) for name in members.namelist()]
    with np.load(io.BytesIO(held[0]), allow_pickle=False) as arrays:
        assert {array.dtype.kind for array in arrays.values()} <= set("biufU")
    for word in (*NAMES, *PLACES, "Jose", "TRIBUNAL", "SUPERIOR", "ouviu", "horas"):
        for encoding in ("utf-8", "utf-16-le", "utf-32-le", "unicode_escape"):
            assert not any(word.encode(encoding) in data for data in held), word


def test_two_runs_leave_the_same_bytes(kept):
    found = []
    for _ in range(2):
        run(kept)
        found.append([(kept.path / "reports" / name).read_bytes() for name in ("evidence.npz", "examples.jsonl")])
    assert found[0] == found[1]


@pytest.mark.slow
def test_evidence_is_the_same_in_another_order(kept):
    run(kept)
    alone = evidence(kept)
    assert set(alone) == {"ner/accents", "ner/baseline", ATTACK}

    modules = [f"tests_behavioral.ner.test_{name}" for name in ("entity_attack", "baseline", "accents")]
    asked = ("--abalo-corpus", "corpus.conll", "--abalo-model", "models:forgetful")
    kept.pytester.runpytest_inprocess("-p", "no:cacheprovider", "--pyargs", *modules, *asked)
    assert evidence(kept) == alone
    assert list(evidence(kept)) == ["ner/baseline", ATTACK, "ner/accents"]


@pytest.mark.slow
def test_an_interrupted_run_leaves_what_it_has_judged(kept):
    kept.write(
        "interruption.py",
        "def pytest_runtest_setup(item):\n    if 'baseline' in item.nodeid:\n        raise KeyboardInterrupt\n",
    )
    kept.pytester.syspathinsert()
    result = kept.run("-p", "interruption", model="models:forgetful", interrupted=True)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert set(evidence(kept)) == {"ner/baseline", "ner/accents"}  # the clean corpus is measured in every run
    assert {each["case"] for each in records(kept)} == {"ner/baseline", "ner/accents"}


def test_a_run_that_cannot_be_configured_leaves_the_previous_report_and_evidence(kept):
    run(kept)
    before = (evidence(kept), records(kept), kept.document())
    kept.write("thresholds.toml", "[[ner.acents]]\n")
    assert kept.run(model="models:forgetful").ret == pytest.ExitCode.USAGE_ERROR
    assert (evidence(kept), records(kept), kept.document()) == before
