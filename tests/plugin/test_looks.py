"""A look at every task, its acceptance, then the same run against it by the same model and by a damaged one.

Labels are a user's own where the task lets them be. No file of thresholds is there: the default cases measure.
"""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from abalo.cli import main
from tests.plugin.conftest import Project
from tests.reports import document_in

UNDECIDED = 10

NAMES = ("Zoé", "René", "Inès", "Chloë", "Noël", "Élise", "Léa", "Hélène", "Jérôme", "Théo")
PLACES = ("Leeds", "Derby", "York", "Bath", "Ely", "Truro", "Wells")
WHERE = [(name, place) for name in NAMES for place in PLACES]
"""Seventy examples; every second has the word good in it, the others the word awful."""

DAYS = ("", "Monday", "Tuesday", "Sunday")
"""Words that make further seventies of them."""

PENN = {"told": "VBD", "us": "PRP", "that": "IN", "a": "DT", "good": "JJ", "awful": "JJ", "film": "NN", ".": "."}

MODELS = f"""
import unicodedata
import zlib

PENN = {PENN!r}


def plain(text):
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


NAMES, PLACES = [plain(name) for name in {NAMES!r}], {PLACES!r}


LOST = dict(damaged=NAMES[:4], blind=NAMES[:7])


def is_lost(text, kind):
    return any(name in plain(text) for name in LOST.get(kind, ()))


def drawn(text, labels):
    return labels[zlib.crc32(text.encode()) % len(labels)]


def by_word(known, labels, kind):
    def one(words):
        text = " ".join(words)
        if kind == "constant" or is_lost(text, kind):
            return [labels[0]] * len(words)
        if kind == "guess":
            return [drawn(text + str(place), labels) for place in range(len(words))]
        return [known(plain(word)) for word in words]

    return lambda batch: [one(words) for words in batch]


def whole(labels, kind):
    def one(text):
        text = text if isinstance(text, str) else text[0]
        if kind == "constant":
            return labels[0]
        if kind == "guess":
            return drawn(text, labels)
        return labels[("good" in text) != is_lost(text, kind)]

    return lambda batch: [one(text) for text in batch]


def entity(word):
    return "B-WHO" if word in NAMES else "B-WHERE" if word in PLACES else "O"


def tag(word):
    return PENN.get(word, "NNP" if word in NAMES or word in PLACES else "RB")


def chosen(kind):
    def one(question, options):
        number = int(question.strip("?. ").rpartition("number ")[2])
        if kind == "constant":
            return 0
        if kind == "guess":
            return drawn(question, range(len(options)))
        wrong = number % 10 < 10 * dict(damaged=0.4, blind=0.7).get(kind, 0)
        return options.index("thing " + str(number + wrong))

    return one


MADE = {{
    "ner": lambda kind: by_word(entity, ["O", "B-WHO", "B-WHERE"], kind),
    "pos": lambda kind: by_word(tag, ["RB", *PENN.values()], kind),
    "classification": lambda kind: whole(["0", "1"], kind),
    "aspects": lambda kind: whole(["negative", "positive"], kind),
    "pairs": lambda kind: whole(["0", "1"], kind),
    "choice": chosen,
}}
for task, made in MADE.items():
    for kind in ("good", "damaged", "blind", "constant", "guess"):
        globals()[task + "_" + kind] = lambda made=made, kind=kind: made(kind)
"""


def said(number: int) -> list[str]:
    """The words of an example."""
    day, (name, place) = DAYS[number // len(WHERE)], WHERE[number % len(WHERE)]
    kind = "awful" if number % 2 == 0 else "good"
    return [name, "told", "us", "that", place, "saw", "a", kind, "film", *day.split(), "."]


Written = Callable[[range], str]
"""The text of a corpus with the examples of these numbers."""


def columns(tag: Callable[[str], str]) -> Written:
    return lambda numbers: "\n".join("".join(f"{word} {tag(word)}\n" for word in said(each)) for each in numbers)


def table(*head: str, row: Callable[[str, int], tuple[str, ...]]) -> Written:
    def written(numbers: range) -> str:
        rows = [row(" ".join(said(number)), number % 2) for number in numbers]
        return "".join("\t".join(cells) + "\n" for cells in [head, *rows])

    return written


def records(row: Callable[[int], dict]) -> Written:
    return lambda numbers: "".join(json.dumps(row(number)) + "\n" for number in numbers)


def aspect(number: int) -> dict:
    text, polarity = " ".join(said(number)), ("negative", "positive")[number % 2]
    start = text.index("film")
    return {"sentence": text, "aspects": [{"term": "film", "from": start, "to": start + 4, "polarity": polarity}]}


def question(number: int) -> dict:
    options = [f"thing {number + (other + number) % 4}" for other in range(4)]
    return {
        "id": f"q{number}",
        "question": f"Which of the following is number {number}?",
        "options": options,
        "target": options.index(f"thing {number}"),
    }


@dataclass(frozen=True)
class Kind:
    """A corpus of a task, and which of the default cases are run on it."""

    name: str
    corpus: Written
    cases: str
    drop: str


KINDS = {
    "ner": Kind(
        "corpus.conll",
        columns(lambda word: "B-WHO" if word in NAMES else "B-WHERE" if word in PLACES else "O"),
        "baseline or accents",
        "[[ner.accents]]\nmax_f1_drop = 0.9",
    ),
    "pos": Kind(
        "corpus.txt",
        columns(lambda word: PENN.get(word, "NNP" if word in NAMES or word in PLACES else "RB")),
        "baseline or accents",
        "[[pos.accents]]\nmax_accuracy_drop = 0.9",
    ),
    "classification": Kind(
        "corpus.tsv",
        table("text", "label", row=lambda text, label: (text, str(label))),
        "baseline or accents",
        "[[classification.accents]]\nmax_accuracy_drop = 0.9",
    ),
    "aspects": Kind("corpus.jsonl", records(aspect), "baseline or slice", "[[aspects.typos]]\nmax_accuracy_drop = 0.9"),
    "pairs": Kind(
        "corpus.tsv",
        table("premise", "hypothesis", "label", row=lambda text, label: (text, f"{text[:-2]} it", str(label))),
        "baseline or accents",
        "[[pairs.accents]]\nmax_accuracy_drop = 0.9",
    ),
    "choice": Kind(
        "questions.jsonl",
        records(question),
        "baseline or paraphrase",
        "[[choice.paraphrase_consistency]]\nmax_fragility_score = 0.9",
    ),
}


@dataclass
class Look:
    """A folder with a corpus and models of one task, and no thresholds."""

    project: Project
    task: str

    @property
    def path(self) -> Path:
        return self.project.path

    def run(self, *more: str, model: str = "good") -> pytest.RunResult:
        """Runs the task's tests; the progress has no letters but those of the run."""
        given = ("--abalo-corpus", KINDS[self.task].name, "--abalo-model", f"models:{self.task}_{model}")
        asked = ("--pyargs", f"tests_behavioral.{self.task}", *given)
        return self.project.pytester.runpytest_inprocess("-p", "no:cacheprovider", *asked, *more)

    @property
    def selected(self) -> tuple[str, str]:
        return "-k", KINDS[self.task].cases

    def document(self) -> dict:
        return document_in(self.path / "reports")


@pytest.fixture
def look(project) -> Callable[[str], Look]:
    def of(task: str) -> Look:
        for name in ("thresholds.toml", "corpus.conll"):
            project.path.joinpath(name).unlink()
        project.write(KINDS[task].name, KINDS[task].corpus(range(len(WHERE))))
        project.write("models.py", MODELS)
        return Look(project, task)

    return of


@pytest.mark.slow
@pytest.mark.parametrize("task", KINDS)
def test_a_look_is_the_reference_of_the_next_run(look, task):
    here = look(task)
    result = here.run(*here.selected, "--junit-xml", "junit.xml")
    document = here.document()
    measured = {each["id"] for each in document["results"]}
    assert f"{task}/baseline" in measured
    assert len(measured) >= 2
    assert (result.ret, document["verdict"]) == (UNDECIDED, "measured")
    assert document["counts"] == {"pass": 0, "fail": 0, "inconclusive": 0, "not_blocking": 0}
    assert document["baseline"]["least"]["state"] == "above"
    assert result.parseoutcomes().keys() <= {"measured", "deselected"}
    assert result.parseoutcomes()["measured"] == len(measured)
    assert re.search(rf"^tests_behavioral\.{task}\.test_\w+ m", result.stdout.str(), re.MULTILINE)
    result.stdout.fnmatch_lines(["m measured", f"MEASURED, NOT JUDGED: {len(measured)} cases"])
    skipped = [node.attrib["message"] for node in ET.parse(here.path / "junit.xml").iter("skipped")]
    assert len(skipped) == len(measured)
    assert all(re.search(r"\d\.\d\d\d|–", message) for message in skipped)  # the slice of aspects is empty here
    page = (here.path / "reports" / "robustness.md").read_text("utf-8")
    assert "MEASURED, NOT JUDGED" in page.splitlines()[0]

    assert main(["accept", "reports", "--as", "references/1.0"]) == 0
    again = (*here.selected, "--abalo-against", "references/1.0")
    result = here.run(*again)
    assert (result.ret, here.document()["verdict"]) == (0, "pass")
    assert here.document()["comparison"]["state"] == "identical"
    result.stdout.fnmatch_lines(["PASS: *"])
    damaged = here.run(*again, "--junit-xml", "junit.xml", model="damaged")
    tests = ET.parse(here.path / "junit.xml").iter("testcase")
    failures = [test.get("name") for test in tests if test.find("failure") is not None]
    assert f"test_loss[{task}/baseline]" in failures
    assert (damaged.ret, damaged.parseoutcomes()["failed"]) == (pytest.ExitCode.TESTS_FAILED, len(failures))
    assert here.document()["baseline"]["least"]["state"] != "below"
    assert here.document()["comparison"]["tasks"][task]["baseline"]["state"] == "regressed"


@pytest.mark.slow
@pytest.mark.parametrize("task", KINDS)
def test_calibrated_bounds_hold_for_the_model_and_not_for_one_that_has_lost_most(look, task):
    here = look(task)
    here.project.write(KINDS[task].name, KINDS[task].corpus(range(len(DAYS) * len(WHERE))))
    asked = ("--task", task, "--model", f"models:{task}_good", "--corpus", KINDS[task].name)
    assert main(["calibrate", *asked]) == 0
    text = (here.path / "thresholds.toml").read_text(encoding="utf-8")
    assert {line.strip("[]").partition(".")[0] for line in text.splitlines() if line.startswith("[[")} == {task}
    assert 'extends = "default"' in text
    asked = ("-p", "no:cacheprovider", "--pyargs", "tests_behavioral", *here.selected)
    judged = here.project.pytester.runpytest_inprocess(*asked)
    assert (judged.ret, here.document()["verdict"]) == (0, "pass")
    assert here.run(*here.selected, model="blind").ret == pytest.ExitCode.TESTS_FAILED
    assert "fail" in {each["verdict"] for each in here.document()["results"] if each["id"] == f"{task}/baseline"}


EMPTY = [(task, kind) for task in KINDS for kind in ("constant", "guess")]


@pytest.mark.slow
@pytest.mark.parametrize(("task", "model"), EMPTY, ids=["-".join(each) for each in EMPTY])
def test_a_model_that_does_not_read_passes_no_bound_on_a_drop(look, task, model):
    """Nothing makes it much worse, so its clean score alone tells it from a good one."""
    here = look(task)
    here.project.write("thresholds.toml", f"[gate]\nresamples = 300\nseeds = [1]\n{KINDS[task].drop}\n")
    assert here.run().ret == 0
    assert here.run(model=model).ret in (1, UNDECIDED)
    assert here.document()["verdict"] in ("fail", "inconclusive")
    assert here.document()["baseline"]["least"]["state"] in ("below", "undecided")


def test_a_quick_look_ends_with_nothing_to_stop_for(look):
    here = look("classification")
    result = here.run(*here.selected, "--abalo-profile", "quick")
    assert (result.ret, here.document()["verdict"]) == (0, "measured")
    assert here.document()["seeds"] == [1], "the gate has three"
    assert here.run(*here.selected, "--abalo-profile", "quick", model="constant").ret in (1, UNDECIDED)


def test_a_case_that_is_not_selected_refuses_no_corpus(look):
    here = look("classification")
    bound = "[[classification.typos]]\nmin_macro_f1 = {overall = 0.5, negative = 0.5}\n"
    part = '[[classification.slice]]\nof = "label"\nlabel = "negative"\n'
    for entry, name in ((bound, "typos"), (part, "slice")):
        here.project.write("thresholds.toml", f"[gate]\nresamples = 300\n[[classification.accents]]\n{entry}")
        assert here.run("-k", "accents").ret == UNDECIDED
        assert here.document()["verdict"] == "measured"
        result = here.run("-k", name)
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        result.stdout.fnmatch_lines([f"*thresholds.toml [[][[]classification.{name}]]*'negative'*"])
        assert here.document()["verdict"] == "measured"  # the report of the run before: no case ran


def test_the_legend_has_the_letters_that_occurred_alone(look):
    here = look("classification")
    entries = "[[classification.accents]]\nmax_accuracy_drop = 0.02\n[[classification.baseline]]\n"
    here.project.write("thresholds.toml", f"[gate]\nresamples = 300\nseeds = [1]\n{entries}")
    here.run().stdout.fnmatch_lines(["m measured · u undecided"])
    assert "m measured" not in here.run("-v").stdout.str()
    assert "m measured" not in here.run("-k", "accents").stdout.str()
    here.project.write(
        "thresholds.toml", '[gate]\n[[classification.baseline]]\n[[classification.slice]]\nof = "phrase"\n'
    )
    here.run().stdout.fnmatch_lines(["m measured · s skipped"])


def test_a_look_at_four_documents_shows_its_costs_and_says_why_nothing_can_be_judged(project):
    for name in ("thresholds.toml", "corpus.conll"):
        project.path.joinpath(name).unlink()
    asked = ("--pyargs", "tests_behavioral.coreference", "--abalo-corpus", "bundled:coreference-en")
    size = ("-k", "baseline or letter_case", "--abalo-profile", "quick", "--abalo-limit", "4")
    result = project.pytester.runpytest_inprocess("-p", "no:cacheprovider", *asked, *size)
    assert result.ret == UNDECIDED
    document = document_in(project.path / "reports")
    least = document["baseline"]["least"]["judgements"]
    assert all(each["low"] > each["limit"] for each in least), "the score itself is high enough"
    said = result.stdout.str()
    assert re.search(r"^[A-Z ]+: coreference: .*fewer than 50 distinct documents \(4\)$", said, re.MULTILINE)
    assert "not wholly above" not in said
    assert "What costs most" in (project.path / "reports" / "robustness.md").read_text("utf-8")
