"""docs/how-to/extend.md: one module and a case for each thing, from a folder with the files of the page."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from abalo.config.thresholds import case_of, load
from abalo.core.records.gate import Gate
from abalo.corpora import load as load_corpus
from perturbations import render
from tests.conformance.subjects import of_every_task, session
from tests.plugin.conftest import NAMES, Project, miniature
from tests.reports import document_in

PAGE = Path(__file__).parent.parent / "docs" / "how-to" / "extend.md"


def shown(language: str) -> list[str]:
    """The blocks of the page in that language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


MODULES = {head.removeprefix("# "): body for head, _, body in (block.partition("\n") for block in shown("python"))}
"""The files of the page: a module for each thing, and the conftest that imports them."""

PROBE = MODULES["small_letters.py"]

CASES, PIPELINES = shown("toml")

TABLES = {block.partition("\n")[0].removeprefix("# "): block for block in shown("tsv")}
"""The word lists of the page."""

LANGUAGE_CASES = """
[gate]
resamples = 100
seeds = [1]

[[ner.antonym]]
rate = 1.0
max_f1_drop = 0.5

[[ner.number]]
rate = 1.0
max_f1_drop = 0.5

[[ner.contraction]]
max_f1_drop = 0.5
"""

TASK = '''
"""Sentences that are long or short: a label of the whole sentence."""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from abalo.extend import Example, Metric, Predictor, Registry, Resources, Task, made_by, share
from perturbations import Sentence


@dataclass
class Sentences:
    name: str
    examples: tuple

    @property
    def sha256(self):
        return hashlib.sha256(repr([(each.id, each.gold) for each in self.examples]).encode()).hexdigest()

    def first(self, limit):
        return replace(self, examples=self.examples[:limit])


@dataclass
class Said:
    label: str
    inputs: int = 1


class Model:
    settings = {}

    def __init__(self, spec):
        made, code = made_by(spec)
        self.name, self.fingerprint = spec, code.digest
        self.predict = lambda inputs: [Said(label) for label in made([each.tokens for each in inputs])]


class Labels(Predictor):
    def key(self, given):
        return given.tokens

    def checked(self, given, predictions):
        return list(predictions)

    def labels(self, prediction):
        return (prediction.label,)

    def pack(self, predictions):
        return {"labels": np.array([each.label for each in predictions])}

    def unpack(self, stored):
        return [Said(str(label)) for label in stored["labels"]]


def example(label, text):
    key = hashlib.sha256(text.encode()).hexdigest()
    return Example(key, {"text": Sentence(tuple(text.split()))}, key, label)


def counts(outcomes, view, groups):
    """Right clean, right after the change, and one."""
    table = np.zeros((len(outcomes), len(groups), 3))
    for row, outcome in enumerate(outcomes):
        now = outcome.variant.example.gold if outcome.variant else outcome.example.gold
        right = outcome.clean.label == outcome.example.gold, outcome.prediction.label == now
        table[row, groups.index(outcome.example.gold)] = (*right, 1)
    return table


def lost(sums):
    return (sums[..., 0] - sums[..., 1]) / np.maximum(sums[..., 2], 1)


class Lengths(Task):
    name = "lengths"
    title = "Long and short sentences"
    metrics = Registry("metric")
    views = ("",)
    usual_view = resized_view = ""
    floor = "accuracy"
    headline = "accuracy_drop"
    probes = ("baseline", "perturbation")
    group_noun = "length"
    held_noun = "sentence"

    def read(self, spec, options):
        lines = Path(spec).read_text("utf-8").splitlines()[: options.limit]
        return Sentences(spec, tuple(example(*line.split("\\t")) for line in lines))

    def recognises(self, spec):
        return spec.endswith(".lengths")

    def load(self, spec, options, corpus):
        return Model(spec)

    def predictor(self, model, corpus, store=None):
        return Labels(model, [example.sentence for example in corpus.examples], store)

    def resources(self, corpus, model, options, language):
        return Resources(corpus, None, language)

    def carry(self, example, edits):
        return replace(example, fields={name: made.sentence for name, made in edits.items()})

    def groups(self, outcomes):
        return sorted({outcome.example.gold for outcome in outcomes})

    def held(self, outcomes, groups):
        return np.array([[outcome.example.gold == group for group in groups] for outcome in outcomes], dtype=np.int64)


TASK = Lengths()
TASK.metrics.register(Metric("accuracy", counts, share(1, 2), of_clean=True, more_is_better=True))
TASK.metrics.register(Metric("accuracy_drop", counts, lost, low=-1.0, compares=True))
'''

CONFTEST = """
import small_letters
from abalo.extend import register
from abalo.pytest_plugin.fixtures import *
from lengths import TASK

register(TASK)
"""

TASK_TESTS = """
import pytest


@pytest.mark.abalo("lengths")
def test_bounds(case, judge):
    result = judge(case)
    if not result.holds:
        raise AssertionError(result.explanation)
"""

TASK_CASES = """
[gate]
resamples = 200
seeds = [1]

[[lengths.baseline]]
min_accuracy = 0.5

[[lengths.accents]]
max_accuracy_drop = 0.0

[[lengths.small_letters]]
max_accuracy_drop = 0.0
"""

LOUD = """
def factory():
    \"\"\"Calls a sentence long of more than five words, or with a capital.\"\"\"
    return lambda batch: ["long" if len(tokens) > 5 or tokens[0].istitle() else "short" for tokens in batch]
"""


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return miniature(pytester)


@dataclass
class Found:
    """The reports of a run."""

    folder: Path

    @property
    def document(self) -> dict:
        return document_in(self.folder / "reports")

    def metrics(self, case: str) -> dict[str, float | None]:
        result = next(each for each in self.document["results"] if each["id"] == case and each["bound"] is not None)
        return {name: None if found is None else found["value"] for name, found in result["metrics"].items()}

    def pages(self) -> tuple[str, ...]:
        return tuple((self.folder / name).read_text("utf-8") for name in ("reports/robustness.md", "page.html"))

    def panel(self, name: str) -> str:
        """A part of report.html that its contents name."""
        page = (self.folder / "reports" / "report.html").read_text("utf-8")
        assert f'<a href="#{name}">' in page
        return page.partition(f'<section id="{name}"')[2].partition("</section>")[0]


def gate(project: Project, *arguments: str, subprocess: bool = False) -> Found:
    """The reports of a run that stops no release."""
    page = ("-p", "no:cacheprovider", "--html=page.html", "--self-contained-html")
    run = project.pytester.runpytest_subprocess if subprocess else project.pytester.runpytest_inprocess
    result = run(*page, *arguments)
    assert result.ret == 0, result.stdout.str() + result.stderr.str()
    return Found(project.path)


def write_page(project: Project) -> None:
    """The files of the page, in the project."""
    for name, source in {**MODULES, **TABLES}.items():
        (project.path / name).parent.mkdir(parents=True, exist_ok=True)
        project.write(name, source)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "1"])
def test_one_module_each_and_a_case_where_it_has_one(project, workers):
    write_page(project)
    project.write("thresholds.toml", CASES)
    model = ("--abalo-corpus", "corpus.conll", "--abalo-model", "models:gazetteer")
    found = gate(project, "-n", workers, "--pyargs", "tests_behavioral", *model)

    verdicts = {each["id"]: each["verdict"] for each in found.document["results"] if each["bound"] is not None}
    assert verdicts == {
        "ner/baseline": "pass",
        "ner/tail_of_x": "fail",
        "ner/small_letters": "fail",
        "ner/slice[of-in_capitals]": "inconclusive",
        "ner/character_noise[rate-0.1-require_same_length-1]": "fail",
        "ner/stranger[least_similarity-_1.0]": "fail",
        "ner/shouting[search-at_once-ranking-longest_first]": "pass",
        "ner/exclaimed": "pass",
    }
    assert found.metrics("ner/baseline")["overlooked"] == 0
    assert found.metrics("ner/tail_of_x")["f1_drop"] == 1
    assert found.metrics("ner/small_letters")["overlooked"] == 1
    assert found.metrics("ner/stranger[least_similarity-_1.0]")["success_rate"] == 1
    assert found.metrics("ner/shouting[search-at_once-ranking-longest_first]")["success_rate"] == 0
    (cut,) = [each for each in found.document["results"] if each["id"] == "ner/slice[of-in_capitals]" and each["bound"]]
    assert (cut["distinct"], cut["slice"]["rest"]["distinct"]) == (70, 0)
    count = len(found.document["results"])
    for page in found.pages():
        assert "Colophon" in page
        assert f"Set by hand, {count} results." in page
    assert "This is ner/stranger[least_similarity-_1.0]." in found.pages()[1]
    panel = found.panel("slowest")
    assert '<h2 id="abalo-head-slowest">Slowest cases</h2>' in panel
    assert len(re.findall("<tr data-case=", panel)) == 3
    rows = (project.path / "reports" / "verdicts.tsv").read_text("utf-8").splitlines()
    assert rows == [f"{case}\t{verdict}" for case, verdict in verdicts.items()]


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_model_by_the_scheme_of_the_page(project, workers):
    write_page(project)
    project.write("thresholds.toml", "[gate]\nresamples = 200\n[[ner.baseline]]\nmin_f1 = 0.9\n")
    project.write("names.txt", "\n".join(NAMES))
    model = ("--abalo-types", "PESSOA", "--abalo-corpus", "corpus.conll", "--abalo-model", "people:names.txt")
    found = gate(project, "-n", workers, "--pyargs", "tests_behavioral", *model)
    assert found.document["tasks"]["ner"]["model"]["name"] == "people:names.txt"
    assert found.metrics("ner/baseline")["f1"] == 1


def write_brackets(project: Project, name: str) -> None:
    """The corpus of the project in the form of the page's reader, with a comment."""
    lines = [render(sentence) for sentence in load_corpus(str(project.path / "corpus.conll")).sentences]
    project.write(name, "\n".join(["# a comment", *lines]))


READ_CASES = """
[gate]
resamples = 100
seeds = [1]

[[ner.baseline]]
min_f1 = 0.9
"""


def assert_read(project: Project, found: Found, name: str) -> None:
    """That a run judged the sentences of the project, without the comment."""
    facts = found.document["tasks"]["ner"]["corpus"]
    assert (facts["name"], facts["sentences"]) == (name, len(load_corpus("corpus.conll").sentences))
    assert "left out 1 comment" in " ".join(facts["notices"])
    assert found.metrics("ner/baseline")["f1"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["dev.brackets", "brackets:dev.txt"])
def test_a_reader_is_chosen_by_suffix_or_name(project, spec):
    write_page(project)
    write_brackets(project, spec.removeprefix("brackets:"))
    project.write("thresholds.toml", READ_CASES)
    model = ("--abalo-corpus", spec, "--abalo-model", "models:gazetteer")
    assert_read(project, gate(project, "--pyargs", "tests_behavioral", *model), spec)


@pytest.mark.slow
def test_a_reader_from_an_installed_package(project):
    project.write("brackets.py", MODULES["brackets.py"].replace("register(Reader(", "READER = (Reader("))
    installed = project.path / "brackets-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: brackets\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text("[abalo.readers]\nbrackets = brackets:READER\n")
    write_brackets(project, "dev.brackets")
    project.write("thresholds.toml", READ_CASES + '\n[run]\ncorpus = "brackets:dev.brackets"\n')
    found = gate(project, "--pyargs", "tests_behavioral", "--abalo-model", "models:gazetteer", subprocess=True)
    assert_read(project, found, "brackets:dev.brackets")


@pytest.mark.slow
def test_the_test_of_examples_runs_them(project):
    write_page(project)
    arguments = ("-p", "no:cacheprovider", "-n0", "test_tail_of_x.py")
    assert project.pytester.runpytest_subprocess(*arguments).ret == 0
    project.write("tail_of_x.py", MODULES["tail_of_x.py"].replace("[Anax PESSOA]", "[Anaz PESSOA]"))
    assert project.pytester.runpytest_subprocess(*arguments).ret == 1


def test_pipelines_are_cases(tmp_path):
    path = tmp_path / "thresholds.toml"
    path.write_text(PIPELINES, "utf-8")
    steps, *drawn = load(path).cases
    assert steps.id == "ner/pipeline[concat_sent+character_noise.rate-0.05]"
    assert len(drawn) >= 20


@pytest.mark.slow
def test_a_language_is_a_folder_and_nothing_else(project):
    write_page(project)
    said = "La granda domo ne estas malnova , sed ŝi kaj tri amikoj vendas {} al"
    rows = ["".join(f"{word} O\n" for word in said.format(k).split()) for k in range(60)]
    project.write(
        "corpus.conll",
        "\n\n".join(f"{row}{name} B-PESSOA" for row, name in zip(rows, ["Ana", "Rui", "Eva"] * 20, strict=True)),
    )
    project.write("thresholds.toml", LANGUAGE_CASES)
    model = ("--abalo-corpus", "corpus.conll", "--abalo-model", "models:gazetteer")
    document = gate(project, "--pyargs", "tests_behavioral", "--abalo-task", "ner", *model).document

    assert (document["corpus"]["language"], document["corpus"]["language_found"]) == ("eo", True)
    changed = {each["name"]: each["changed"] for each in document["results"] if each["bound"] is not None}
    assert changed == {"antonym": 60, "number": 60}
    (reason,) = [each["reason"] for each in document["tasks"]["ner"]["skipped"]]
    assert reason.startswith(
        "contraction needs the language data 'contractions', which Abalo does not have for eo; it has them for en"
    )


@pytest.fixture
def lengths(project):
    """A project with sixty sentences, half of them long, and a module with a task about that."""
    project.write("thresholds.toml", TASK_CASES)
    project.write("lengths.py", TASK)
    project.write("small_letters.py", PROBE)
    project.write("loud.py", LOUD)
    project.write("test_lengths.py", TASK_TESTS)
    rows = [f"short\t{'É' if k < 6 else 'é'} curta {k}" for k in range(30)]
    rows += [f"long\té uma frase um pouco comprida {k}" for k in range(30)]
    project.write("dev.lengths", "\n".join(rows))
    return project


def assert_judged(found: Found) -> None:
    """That the numbers of the task are as its sentences have them: six short ones have a capital, as long ones do."""
    assert found.metrics("lengths/baseline") == {"accuracy": 0.9, "accuracy_drop": 0}
    assert found.metrics("lengths/accents") == {"accuracy": 0.9, "accuracy_drop": 0}
    assert found.metrics("lengths/small_letters") == {"accuracy": 1, "accuracy_drop": -0.1}
    facts = found.document["tasks"]["lengths"]
    assert (facts["model"]["name"], facts["corpus"]["name"]) == ("loud:factory", "dev.lengths")
    assert (facts["corpus"]["sentences"], facts["corpus"]["distinct"]) == (60, 60)
    for page in found.pages():
        assert "Accuracy drop" in page or "accuracy drop" in page
        assert "loud:factory" in page


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_task_from_the_conftest_of_its_user(lengths, workers):
    lengths.write("conftest.py", CONFTEST)
    assert_judged(gate(lengths, "-n", workers, "--abalo-corpus", "dev.lengths", "--abalo-model", "loud:factory"))


@pytest.mark.slow
def test_a_task_from_a_conftest_that_only_workers_come_across(lengths):
    inner = lengths.path / "inner"
    inner.mkdir()
    for name in ("lengths.py", "small_letters.py", "test_lengths.py"):
        (lengths.path / name).rename(inner / name)
    (inner / "conftest.py").write_text(CONFTEST)
    assert_judged(gate(lengths, "-n", "1", "--abalo-corpus", "dev.lengths", "--abalo-model", "loud:factory"))


@pytest.mark.slow
def test_a_task_from_an_installed_package(lengths):
    installed = lengths.path / "lengths-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: lengths\nVersion: 1.0\n")
    (installed / "entry_points.txt").write_text(
        "[abalo.tasks]\nlengths = lengths:TASK\n\n[abalo.probes]\nsmall_letters = small_letters:SmallLettersAlone\n"
    )
    lengths.write(
        "small_letters.py",
        PROBE.replace("PROBE = register(SmallLetters())", "SmallLettersAlone = SmallLetters()"),
    )
    lengths.write("conftest.py", "from abalo.pytest_plugin.fixtures import *\n")
    asked = ("--abalo-task", "lengths", "--abalo-corpus", "dev.lengths", "--abalo-model", "loud:factory")
    assert_judged(gate(lengths, *asked, subprocess=True))  # packages are found as Python starts


@pytest.fixture
def small_letters():
    """The probe, there for the time of a test."""
    made: dict = {}
    exec(PROBE, made)
    return made["PROBE"]


@of_every_task
def test_a_probe_for_all_has_cases_of_every_task(task, small_letters):
    case = case_of(task, "small_letters", {}, Gate())
    ran, judged = session(task).judge(case)
    assert case.probe is small_letters
    assert ran.facts["changed"] > 0
    assert task.headline in judged.bound_view.overall
