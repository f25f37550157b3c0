"""Names and words that are markup, commands of a terminal or of a spreadsheet: shown, and never obeyed."""

import json
import re
from contextlib import suppress

import pytest

from abalo.cli import main
from abalo.corpora import load
from abalo.errors import visible_lines
from tests.plugin.conftest import GAZETTEER, NAMES, PLACES

pytestmark = pytest.mark.slow

NAME = "<script>alert(1)</script>|*x*\x1b[31m\u202e$\\\\input{x}"
TYPE = "<b>|`$&"
WORD = "<script>alert(2)</script>|`*[x](y)\u202e\x1b[31m"

MODEL = f"""

class Model:
    name = version = fingerprint = {NAME!r}

    def __call__(self, batch):
        return [["B-{TYPE}" if each == "B-PESSOA" else each for each in tags] for tags in gazetteer()(batch)]


class Blind(Model):
    def __call__(self, batch):
        return [["O"] * len(tokens) for tokens in batch]
"""


@pytest.fixture
def judged(project):
    """Judges a model with a hostile name on a corpus of hostile words and types."""
    project.write("models.py", GAZETTEER.format(people=NAMES, places=PLACES) + MODEL)
    corpus = project.path.joinpath("corpus.conll").read_text("utf-8")
    project.write("corpus.conll", corpus.replace("PESSOA", TYPE).replace("ouviu", WORD))

    def judge(model, *options):
        return project.run(*options, "--html=page.html", "--self-contained-html", "--abalo-latex", model=model)

    return judge


@pytest.mark.parametrize(("model", "code"), [("models:Model", 0), ("models:Blind", 1)])
def test_hostile_names_reach_no_page_no_terminal_and_no_table_as_they_are(judged, project, model, code):
    result = judged(model)
    assert result.ret == code
    page = project.path.joinpath("page.html").read_text("utf-8")
    markdown = project.path.joinpath("reports", "robustness.md").read_text("utf-8")
    latex = project.path.joinpath("reports", "robustness.tex").read_text("utf-8")
    assert "<script>alert" not in page
    assert not re.search(r"<script>|<b>", markdown)
    assert "\\input{" not in latex
    for told in (page, markdown, latex, result.stdout.str()):
        assert "\u202e" not in told
        assert "\x1b[31m\u202e" not in told
        assert "\x1b[31m$" not in told
    document = project.document()
    assert document["model"]["name"] == NAME
    assert set(document["corpus"]["entities"]) == {TYPE, "LOCAL", "ORGANIZACAO"}


def test_the_verdict_is_that_of_any_other_names(judged, project):
    judged("models:Model")
    assert {name: each["f1"]["value"] for name, each in project.document()["baseline"]["per_type"].items()} == {
        TYPE: 1.0,
        "LOCAL": 1.0,
        "ORGANIZACAO": 1.0,
    }


def test_examples_hold_the_words_as_they_are(judged, project):
    judged("models:Blind", "-k", "baseline")
    lines = project.path.joinpath("reports", "examples.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    assert len([each for each in found if "example" not in each]) == 70
    assert all(WORD in each.get("example", each)["tokens"] for each in found)
    assert WORD in load(str(project.path / "corpus.conll")).sentences[0].tokens


def test_nor_do_errors(project):
    project.write("named_so.py", f"def make():\n    raise ValueError({NAME!r})\n")
    result = project.run("--html=page.html", "--self-contained-html", model="named_so:make")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    told = result.stdout.str()
    assert r"raised ValueError: <script>alert(1)</script>|*x*\u001b[31m\u202e$" in told
    for text in (told, project.path.joinpath("page.html").read_text("utf-8")):
        assert "\u202e" not in text
        assert "\x1b[31m\u202e" not in text
    assert "<script>alert" not in project.path.joinpath("page.html").read_text("utf-8")


QUESTION = {
    "question": "Which of the {} is <script>alert(1)</script>|*x*?",
    "options": ["<b>a</b>", "`b`", "c|d", "[e](f)"],
}


def test_questions_are_shown_and_not_obeyed(pytester, monkeypatch):
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    lines = [
        json.dumps({"id": f"<img src=x>|{i}", **QUESTION, "question": QUESTION["question"].format(i), "target": i % 4})
        for i in range(60)
    ]
    pytester.path.joinpath("questions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    pytester.path.joinpath("first.py").write_text("def make():\n    return lambda question, options: 0\n")
    table = "[gate]\nresamples = 200\n[[choice.perturbation_stability]]\nk = 5\nmax_fragility_score = 0.1\n"
    pytester.path.joinpath("thresholds.toml").write_text(table)
    result = pytester.runpytest_inprocess(
        *("-p", "no:cacheprovider", "--pyargs", "tests_behavioral.choice", "--abalo-corpus", "questions.jsonl"),
        *("--abalo-model", "first:make", "--html=page.html", "--self-contained-html"),
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    page = pytester.path.joinpath("page.html").read_text("utf-8")
    markdown = pytester.path.joinpath("reports", "robustness.md").read_text("utf-8")
    assert not re.search(r"<script>alert|<img src=x>", page + markdown)


ODD = "odd\x1b[2Jx\u202ey\r.conll"
"""A name that clears a terminal, turns a line around and writes over it."""

NAMED = {
    "a corpus that is not there": ("perturb", ODD, "--with", "accents", "--out", "out.conll"),
    "a file to write": ("perturb", "corpus.conll", "--with", "accents", "--out", ODD),
    "a perturbation": ("perturb", "corpus.conll", "--with", ODD, "--out", "out.conll"),
    "a model": ("calibrate", "--model", f"{ODD}:x", "--corpus", "corpus.conll", "--out", "out.toml"),
    "a model folder": ("calibrate", "--model", f"./{ODD}", "--corpus", "corpus.conll", "--out", "out.toml"),
    "a folder of a run": ("show", ODD),
    "a reference": ("compare", ODD, ODD),
    "a log": ("replay", ODD),
    "a label map": (
        *("calibrate", "--model", "models:gazetteer", "--corpus", "corpus.conll", "--label-map", ODD),
        *("--out", "out.toml"),
    ),
    "bounds": ("rejudge", ODD, "--thresholds", ODD),
    "an option that is none": ("show", ".", f"--{ODD}"),
    "a choice that is none": ("compare", ".", ".", "--format", ODD),
}


@pytest.mark.parametrize("arguments", NAMED.values(), ids=NAMED)
def test_a_name_in_an_option_is_shown_and_not_obeyed(here, capsys, arguments):
    with suppress(SystemExit):
        main(arguments)
    told = "".join(capsys.readouterr())
    assert "odd" in told
    assert not {*told} & {"\x1b", "\u202e", "\r"}


@pytest.mark.parametrize(
    "options",
    [
        ("--abalo-corpus", ODD),
        ("--abalo-thresholds", ODD),
        ("--abalo-reports", "corpus.conll/" + ODD),
        ("--abalo-against", ODD),
        ("--abalo-label-map", ODD),
        ("--abalo-types", ODD),
        ("--abalo-regressions", ODD),
    ],
    ids=lambda options: options[0],
)
def test_so_is_one_in_an_option_of_a_run(project, options):
    result = project.run(*options)
    assert result.ret != 0
    told = "\n".join([result.stdout.str(), result.stderr.str()])
    assert "odd" in told
    assert not {*told} & {"\x1b", "\u202e", "\r"}


COMMANDS = ("::error::x", "##[error]x")
"""Words that GitHub Actions would take for a command where they begin a line, or anywhere in one."""


def test_no_word_of_a_corpus_is_a_command_to_a_job(here, capsys):
    """`suspects` shows the words around a label in a line of their own."""
    first, second = COMMANDS
    text = "".join(f"{first} O\n{name} O\nem O\n{second} O\n\n" for name in NAMES)
    (here / "odd.conll").write_text(text + "Rui B-PESSOA\n", encoding="utf-8")
    assert main(("suspects", "--model", "models:gazetteer,models:blind_to_accents", "--corpus", "odd.conll")) == 0
    told = capsys.readouterr().out
    assert "\\u003a:error::x «Ana» em ##\\u005berror]x" in told
    assert not any(line.strip().startswith("::") or "##[" in line for line in told.splitlines())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("::error::x", r"\u003a:error::x"),
        ("a\n \t::set-env name=x::y", "a\n \\u003a:set-env name=x::y"),
        ("a ##[add-mask]x", r"a ##\u005badd-mask]x"),
        ("test_x.py::test", "test_x.py::test"),
        ("a :: b", "a :: b"),
        ("two  spaces\n  and\x1b[1m\u202e lines", "two  spaces\n  and\\u001b[1m\\u202e lines"),
    ],
)
def test_lines_for_a_terminal_and_the_log_of_a_job(text, said):
    assert visible_lines(text) == said
