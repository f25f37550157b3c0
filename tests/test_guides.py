"""attacks.md, capabilities.md, hardening.md, large-corpora.md and word-lists.md: their commands and cases work."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from abalo.bundled import bundled_path
from abalo.config.thresholds import load
from tests.test_how_to import columns, run

__all__ = ["run"]

ROOT = Path(__file__).parent.parent
NAMES = ("attacks", "capabilities", "hardening", "large-corpora", "word-lists")
PAGES = {name: ROOT.joinpath("docs", "how-to", f"{name}.md").read_text("utf-8") for name in NAMES}

NEEDED = ("counter-fitted.txt", "cc.pt.300.vec.gz")
"""Files that the cases of pages name; their contents are not read before a case runs."""

THRESHOLDS = """
[gate]
resamples = 200
seeds = [1]

[[ner.baseline]]
min_f1 = 0.3

[[ner.accents]]
max_f1_drop = 0.9

[[ner.context_attack]]
sample = 12
budget = 40
least_similarity = 0.3

[[ner.typo_outside]]
draws = 60
"""

TRAINER = """
def train(corpus, out):
    out.write_text(repr({word: tag for tokens, tags in corpus for word, tag in zip(tokens, tags)}))
    return "mine:load"


def load():
    known = eval(open("tagger.bin").read())
    return lambda batch: [[known.get(word, "O") for word in tokens] for tokens in batch]
"""


def tables(page: str) -> list[str]:
    return re.findall(r"```toml\n(.*?)```", PAGES[page], re.DOTALL)


@pytest.mark.parametrize("page", ["attacks", "word-lists"])
def test_cases_of_pages_can_be_read(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("dict").mkdir()
    for name in NEEDED:
        tmp_path.joinpath(name).touch()
    for table in tables(page):
        tmp_path.joinpath("thresholds.toml").write_text(table, "utf-8")
        assert len(load(Path("thresholds.toml")).cases) >= table.count("[[")


def commands(page: str) -> list[list[str]]:
    """The commands of the shell blocks of a page, in words."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", PAGES[page], re.DOTALL | re.MULTILINE)
    lines = [line for language, block in blocks if language in ("", "sh") for line in block.splitlines()]
    return [words for line in lines if (words := shlex.split(line, comments=True))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that pages take for granted: a corpus, a model of its own, few cases."""
    tmp_path.joinpath("thresholds.toml").write_text(THRESHOLDS, "utf-8")
    tmp_path.joinpath("other.toml").write_text(THRESHOLDS.replace("0.9", "0.8"), "utf-8")
    tmp_path.joinpath("mine.py").write_text(TRAINER, "utf-8")
    tmp_path.joinpath("dev.conll").write_text(columns("PESSOA", "LOCAL"), "utf-8")
    tmp_path.joinpath("train.conll").write_text(columns("PESSOA", "LOCAL").replace("filhos", "pais"), "utf-8")
    for name in ("my-checkpoint", "new-checkpoint"):
        shutil.copytree(bundled_path("fixtures/model"), tmp_path / name)
    return tmp_path


@pytest.fixture
def assert_ends(run):
    """Runs a command, which ends with one of the codes; gives its output."""

    def ended(command: list[str], folder: Path, *codes: int) -> str:
        done = run(command, folder)
        assert done.returncode in codes, f"{shlex.join(command)}\n{done.stdout}{done.stderr}"
        return done.stdout

    return ended


@pytest.mark.slow
def test_attacks_are_run_kept_and_replayed(folder, run, assert_ends):
    attack, vectors, invariances, save, regressions, replay, sheet, ratings = commands("attacks")
    assert vectors[:3] == ["python", "-m", "benchmarks.counter_fitted"]
    assert "1 measured" in assert_ends(attack, folder, 0, 10)
    assert "typo_outside" in assert_ends(invariances, folder, 0, 10)
    assert "broken.jsonl" in assert_ends(save, folder, 0, 10)
    assert "test_regressions" in assert_ends([*regressions, "-v"], folder, 1)
    assert "1. still broken" in assert_ends(replay, folder, 1)
    logs = [str(path.relative_to(folder)) for path in folder.glob("reports/attacks/*.jsonl")]
    place = sheet.index("reports/attacks/*.jsonl")
    assert "too few sentences" in run([*sheet[:place], *logs, *sheet[place + 1 :]], folder).stderr
    assert ratings == ["abalo", "ratings", "sheets"]


@pytest.mark.slow
def test_capabilities_are_written_shown_and_run(folder, assert_ends):
    init, show, gate, tests = commands("capabilities")
    assert gate[:2] == ["echo", "[gate]"]
    folder.joinpath("thresholds.toml").write_text("[gate]\n", "utf-8")
    own = [word.replace("PER,ORG,LOC", "PESSOA,LOCAL").replace("en", "pt") if word != "init" else word for word in init]
    assert_ends(own, folder, 0)
    assert "→" in assert_ends(show, folder, 0)
    assert "PESSOA_in_a_plain_sentence" in assert_ends([*tests, "-v"], folder, 10)
    assert_ends(["abalo", "capabilities", "suggest", "--corpus", "train.conll"], folder, 0)
    assert folder.joinpath("capabilities-draft.toml").exists()


@pytest.mark.slow
def test_a_model_is_hardened_and_training_data_written(folder, assert_ends):
    look, harden, other, augment, perturb = commands("hardening")
    fails = "[[ner.token_masking]]\nrate = 0.5\nmax_f1_drop = 0.0\n"  # it fails, and changes no characters
    folder.joinpath("thresholds.toml").write_text(THRESHOLDS + fails, "utf-8")
    tables = ["-k", "baseline or accents or token_masking"]
    assert_ends([*look, *tables], folder, 0, 1, 10)
    assert_ends([*harden, "--epochs", "1"], folder, 0, 1)
    assert folder.joinpath("reports", "hardening", "hardening.html").exists()
    shutil.rmtree(folder / "reports" / "hardening")
    assert_ends(other, folder, 0, 1)
    assert_ends(augment, folder, 0)
    assert_ends(perturb, folder, 0)
    assert folder.joinpath("noisy.conll").stat().st_size > 1000


@pytest.mark.slow
def test_large_corpora_are_judged_in_parts(folder, assert_ends):
    listed, early, first, second, merge, scale, again, ray, rejudge, compare = commands("large-corpora")
    folder.joinpath("thresholds.toml").write_text(THRESHOLDS.partition("[[ner.context_attack]]")[0], "utf-8")
    words = [["Ana", "mora", "em", "Natal", str(number)] for number in range(60)]
    records = [json.dumps({"tokens": each, "tags": ["B-PESSOA", "O", "O", "B-LOCAL", "O"]}) for each in words]
    folder.joinpath("corpus.jsonl").write_text("\n".join(records), "utf-8")
    assert "ner/accents" in assert_ends(listed, folder, 0)
    assert_ends(early, folder, 0, 10)
    for command in (first, second):
        assert_ends(command, folder, 0)
    assert_ends(merge, folder, 0, 10)
    assert_ends(["abalo", "accept", "reports", "--as", "references/1.0"], folder, 0)
    assert_ends(rejudge, folder, 0, 10)
    assert_ends(compare, folder, 0, 10)
    shutil.rmtree(folder / "reports")
    assert_ends(scale, folder, 0, 1, 10)
    assert_ends(again, folder, 0, 1, 10)
    assert ray[:2] == ["abalo", "scale"]
    assert "--gpus-per-actor" in ray


@pytest.mark.parametrize("page", NAMES)
def test_modules_that_commands_name_are_there(page):
    named = [words[2] for words in commands(page) if words[:2] == ["python", "-m"]]
    named += re.findall(r"`python -m (benchmarks\.\w+)", PAGES[page])
    assert [name for name in named if not ROOT.joinpath(*name.split(".")).with_suffix(".py").exists()] == []
