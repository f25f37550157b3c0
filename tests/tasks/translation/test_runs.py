"""Whole runs: costs by hand, repeats, shards, chunks, and a run about all tasks, which has no corpus of this one."""

import random
from pathlib import Path

import pytest

from abalo import Session
from abalo.bundled import CASES as DEFAULT
from abalo.bundled import bundled_path
from abalo.cli import main
from abalo.config.options import make_options
from abalo.config.tasks import idle_tasks
from abalo.core.protocols.task import tasks
from abalo.core.statistics.evidence import sha256_of
from abalo.reporting.runs.finished import read_run
from abalo.tasks.translation.blocks import sentences
from tests.reports import document_in, timeless
from tests.texts import TextWith

pytestmark = pytest.mark.slow

WORDS = ["casa", "gato", "livro", "mesa", "porta", "rio", "sol", "lua", "pedra", "folha", "carta", "noite", "barco"]

MODELS = """
import random

import unicodedata


def plain(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def echo():
    '''Translates every word by itself: the references are the texts.'''
    return lambda texts: list(texts)


def lost():
    return lambda texts: ["" for _ in texts]


class Drawing:
    '''Leaves out a word in ten, another one each time.'''
    draws = True

    def __init__(self):
        self.stream = random.Random(1)

    def __call__(self, texts):
        return [" ".join(word for word in text.split() if self.stream.random() < 0.9) for text in texts]


drawing = Drawing
"""

CASES = """
[gate]
language = "pt"
resamples = 200
seeds = [1]
least = 0.1

[[translation.baseline]]
min_chrf = 0.3

[[translation.typos]]
rate = 0.3
max_chrf_drop_changed = 0.9

[[translation.parallel_twitter_type]]
min_kept = 0.9

[[translation.swap_parallel_same_word]]
max_bleu_drop = 0.05

[[translation.pipeline]]
steps = ["typos", "accents"]
max_inconsistency = 0.9
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with a corpus of ninety texts, each its own translation but for one word, and with models."""
    monkeypatch.chdir(tmp_path)
    draws = random.Random(1)
    rows = []
    for number in range(90):
        words = [draws.choice(WORDS) for _ in range(draws.randint(3, 12))]
        words.insert(draws.randrange(len(words)), "Tamara" if number % 2 else str(number + 20))
        text = " ".join(words)
        rows.append(f"{text}\t{text.replace('gato', 'cat')}\n")
    Path("corpus-pt-en.tsv").write_text("source\treference\n" + "".join(rows), "utf-8")
    Path("own.py").write_text(MODELS, "utf-8")
    Path("thresholds.toml").write_text(CASES, "utf-8")
    return tmp_path


def session(model="own.py:echo", **options):
    options = {"thresholds": "thresholds.toml", **options}
    return Session("translation", model, "corpus-pt-en.tsv", **options)


def overall(result):
    """The numbers of a case, by metric."""
    judged = getattr(result, "judged", result)
    return {name: each.value for name, each in judged.bound_view.overall.items()}


def test_cases_cost_what_they_cost_a_model_that_gives_texts_back(here):
    opened = session()
    clean = overall(opened.baseline)
    assert 0.9 < clean["chrf"] < 1
    assert clean["kept"] == 1
    typos = opened.judge("typos", rate=0.3)
    found = overall(typos)
    assert 0.02 < found["chrf_drop_changed"] < 0.5
    assert found["inconsistency"] == pytest.approx(1 - found["consistency"], abs=0.1)
    handles = overall(opened.judge("parallel_twitter_type"))
    assert handles["kept"] == 1
    assert handles["chrf_drop_changed"] <= 0
    assert overall(opened.judge("swap_parallel_same_word"))["kept"] == 1


def test_a_model_that_copies_or_says_nothing_is_not_worth_judging(here):
    for model, passes in (("own.py:lost", False), ("own.py:echo", False)):
        report = session(model).run()
        assert (report.verdict == "pass") is passes, model


def test_a_pipeline_with_a_parallel_step_beside_another_says_that_it_shows_nothing(here):
    opened = session()
    result = opened.judge("pipeline", steps=["swap_parallel_same_word", "typos"])
    assert result.judged.bound_view.overall["chrf_drop_changed"].n < 50, (
        "texts that both steps change have no reference"
    )
    notes = result.evidence.notes
    assert TextWith("a step", "references", "other steps") in [*notes]


def test_noise_of_a_model_that_draws_is_no_inconsistency(here):
    opened = session("own.py:drawing", repeats=3)
    # One letter of a text of some fifty is another one: less than the word in ten that goes anyway.
    quiet = overall(opened.judge("character_noise", rate=0.004))
    found = overall(opened.judge("typos", rate=0.3))
    assert abs(quiet["inconsistency"]) < 0.1 < found["inconsistency"]
    assert quiet["consistency"] < 0.9, "which noise alone would be"


def test_the_report_shows_text_reference_and_both_translations(here):
    opened = session()
    (block,) = sentences(opened.judge("typos", rate=0.3).results[0], None)
    names = [each.which for each in block.examples[0].sentences]
    assert names == ["original", "perturbed", "reference", "translation", "now"]
    opened.run().write("reports")
    corpus = document_in(Path("reports"))["corpus"]
    assert corpus["signatures"]["chrf"].startswith("nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:")
    assert (corpus["from"], corpus["to"], corpus["references"]) == ("pt", "en", {"1": 90})
    assert "scores by sacreBLEU" in Path("reports/report.html").read_text("utf-8")


def test_a_text_that_has_a_tenth_of_the_words_is_told_by_name(here):
    assert session().run().document.tasks["translation"].notice is None
    rows = Path("corpus-pt-en.tsv").read_text("utf-8")
    Path("corpus-pt-en.tsv").write_text(f"{rows}{'o gato ' * 100}\t{'o cat ' * 100}\n", "utf-8")
    facts = session().run().document.tasks["translation"]
    (name, words), *others = facts.corpus.more["longest"].items()
    assert (words, len(others)) == (200, 9)
    assert facts.notice == TextWith(name, "21 %", "TER")


def test_chunks_have_the_numbers_of_one_process(here, monkeypatch):
    monkeypatch.setattr("abalo.core.protocols.predictor.PART", 40)
    given = ("--corpus", "corpus-pt-en.tsv", "--task", "translation", "--model", "own.py:echo", "--chunk-size", "40")
    assert main(["scale", *given, "--out", "out"]) in (0, 1, 10)
    session(no_text=True).run().write("plain")
    first, second = (read_run(Path(folder)) for folder in ("out", "plain"))
    assert sha256_of(first.evidence) == sha256_of(second.evidence)
    whole, plain = (each.document.tasks["translation"] for each in (first, second))
    assert whole.corpus.more == plain.corpus.more
    assert whole.baseline == plain.baseline
    assert whole.corpus.language == plain.corpus.language == "pt"


def test_merged_shards_are_the_whole_run(here, forks):
    def run(*given):
        about = ("--abalo-task", "translation", "--abalo-model", "own.py:echo", "--abalo-corpus", "corpus-pt-en.tsv")
        pytest_run = ["pytest", "-p", "no:cacheprovider", "--pyargs", "tests_behavioral.translation", *about, *given]
        return forks.run(pytest_run, here).returncode

    whole = run()
    folders = []
    for number in (1, 2):
        folders.append(f"shard-{number}")
        assert run("--abalo-shard", f"{number}/2", "--abalo-reports", folders[-1]) == 0
    assert main(["merge", *folders, "--out", "merged"]) == whole
    assert timeless(document_in(Path("merged"))) == timeless(document_in(Path("reports")))
    assert Path("merged/evidence.npz").read_bytes() == Path("reports/evidence.npz").read_bytes()


def test_a_run_about_all_tasks_skips_this_one_and_says_so(pytester, monkeypatch):
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    found = pytester.runpytest_inprocess("--pyargs", "tests_behavioral.translation")
    found.assert_outcomes(skipped=8, deselected=found.parseoutcomes().get("deselected", 0))
    found.stdout.fnmatch_lines(["abalo: 8 cases skipped: *of translation *"])


def test_tasks_are_idle_only_where_nobody_named_a_corpus():
    every = tasks().values()
    assert [*idle_tasks(make_options(thresholds=bundled_path(DEFAULT)), every)] == ["translation"]
    assert idle_tasks(make_options(thresholds=bundled_path(DEFAULT), task="translation"), every) == {}
    assert idle_tasks(make_options(thresholds=bundled_path(DEFAULT), corpus="a.tsv"), every) == {}
