"""Kept replies: what they hold for, and a folder that somebody else has filled."""

import json
import os
import sys
from datetime import UTC, datetime, timedelta

import pytest

from abalo.core.protocols.options import Calling, RunOptions
from abalo.errors import AbaloError
from abalo.models.prompts.answers import AnswerForm
from abalo.models.prompts.asker import Asker
from abalo.models.prompts.cache import LARGEST, Kept, ReplyCache, usual_folder
from abalo.models.prompts.calls import Calls
from abalo.models.prompts.entities import EntityForm
from abalo.models.prompts.labels import LabelForm
from abalo.models.prompts.tags import TagForm
from abalo.models.prompts.translations import TranslationForm
from abalo.questions.question import Prompt
from abalo.tasks.choice.models.prompted import QuestionForm
from abalo.tasks.classification import TASK
from perturbations import parse
from tests.models.prompts.scripted import Scripted, prompt_of
from tests.reports import document_in
from tests.tasks.labels.scripted import texts_of

CORPUS = texts_of(("a fine film", "good"), ("an awful film", "bad"))
DAY = datetime.now(UTC).date()
TODAY = DAY.isoformat()

SERVICE = """
import json, os, pathlib
import helper, pack.inner

HERE = pathlib.Path(__file__).parent
SETTINGS = json.loads((HERE / "settings.json").read_text()) if (HERE / "settings.json").exists() else {}

class Service:
    draws = False

    def replies(self, prompts):
        import late
        with open("asked.txt", "a") as log:
            log.write("x" * len(prompts))
        words = (HERE / "words.txt").read_text()
        told = [os.environ["SVC_MODE"], os.getenv("svc_level"), os.environ.get("SVC_TOKEN")]
        return [helper.answer(prompt[-1]["content"]) for prompt in prompts]

def make():
    return Service()
"""

FILES = {
    "svc.py": SERVICE,
    "helper.py": 'def answer(question):\n    return "good" if "fine" in question else "bad"\n',
    "pack/__init__.py": "",
    "pack/inner.py": "from . import deeper\n",
    "pack/deeper.py": "",
    "late.py": "",
    "settings.json": "{}",
    "words.txt": "fine",
    "beside.py": "",
}


@pytest.fixture
def service(tmp_path, monkeypatch):
    """Counts the calls that the model makes about two texts, in a folder with a service."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name, value in {"SVC_MODE": "a", "svc_level": "1", "SVC_TOKEN": "t", "SVC_OTHER": "o"}.items():
        monkeypatch.setenv(name, value)
    for name, text in FILES.items():
        tmp_path.joinpath(name).parent.mkdir(exist_ok=True)
        tmp_path.joinpath(name).write_text(text, "utf-8")

    def ask(**calling):
        for name in [name for name in sys.modules if name.partition(".")[0] in ("helper", "pack", "late")]:
            monkeypatch.delitem(sys.modules, name)
        options = RunOptions(calling=Calling(**calling), **({"model_version": "1"} if "version" in calling else {}))
        model = TASK.load("svc.py:make", options, CORPUS)
        model.predict(CORPUS.inputs)
        return model.calls.made

    assert (ask(), ask()) == (2, 0)
    return ask


CHANGES = {
    "the file": lambda folder: folder.joinpath("svc.py").write_text(f"{SERVICE}# later\n", "utf-8"),
    "an imported module": lambda folder: folder.joinpath("helper.py").write_text(
        'def answer(question):\n    return "good"\n', "utf-8"
    ),
    "a module of a package": lambda folder: folder.joinpath("pack", "inner.py").write_text("X = 1\n", "utf-8"),
    "a module that another imports": lambda folder: folder.joinpath("pack", "deeper.py").write_text("X = 1\n", "utf-8"),
    "a module that a call imports": lambda folder: folder.joinpath("late.py").write_text("X = 1\n", "utf-8"),
    "a file read on loading": lambda folder: folder.joinpath("settings.json").write_text('{"a": 1}', "utf-8"),
    "a file that is gone": lambda folder: folder.joinpath("settings.json").unlink(),
    "a file read in a call": lambda folder: folder.joinpath("words.txt").write_text("awful", "utf-8"),
    "a variable": lambda _: os.environ.__setitem__("SVC_MODE", "b"),
    "a variable that is gone": lambda _: os.environ.__delitem__("svc_level"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_replies_of_a_service_that_changed_are_not_used(service, tmp_path, change):
    change(tmp_path)
    assert (service(), service()) == (2, 0)


@pytest.mark.parametrize("name", ["SVC_TOKEN", "SVC_OTHER"])
def test_secrets_and_variables_that_the_code_does_not_name_are_no_part_of_the_key(service, monkeypatch, name):
    monkeypatch.setenv(name, "another")
    assert service() == 0


def test_files_that_the_code_does_not_read_and_those_it_writes_are_no_part_of_the_key(service, tmp_path):
    tmp_path.joinpath("beside.py").write_text("X = 1\n", "utf-8")
    assert tmp_path.joinpath("asked.txt").read_text("utf-8") == "xx"
    tmp_path.joinpath("asked.txt").unlink()
    assert service() == 0


def test_values_of_variables_are_told_nobody(service, tmp_path, monkeypatch):
    monkeypatch.setenv("SVC_MODE", "a-long-and-private-value")
    assert service() == 2
    kept = b"".join(path.read_bytes() for path in tmp_path.joinpath("cache").rglob("*") if path.is_file())
    assert b"variable:SVC_MODE" in kept
    assert b"private" not in kept
    assert b"SVC_TOKEN" not in kept


def test_a_change_taken_back_has_its_replies_again(service, tmp_path):
    tmp_path.joinpath("words.txt").write_text("awful", "utf-8")
    assert service() == 2
    tmp_path.joinpath("words.txt").write_text("fine", "utf-8")
    assert service() == 0


def test_on_ci_replies_of_a_model_without_a_version_are_not_used(service, monkeypatch):
    monkeypatch.setenv("CI", "true")
    assert (service(), service(replies=usual_folder())) == (2, 2)
    options = RunOptions(model_version="1")
    for made in (2, 0):
        model = TASK.load("svc.py:make", options, CORPUS)
        model.predict(CORPUS.inputs)
        assert model.calls.made == made


def test_the_folder_is_not_that_of_the_project(service, tmp_path):
    assert not tmp_path.joinpath(".abalo").exists()
    assert usual_folder() == tmp_path / "cache" / "abalo" / "replies"
    assert usual_folder().stat().st_mode & 0o077 == 0


def test_the_headline_says_that_all_replies_are_old(project):
    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + PROJECT_SERVICE)
    options = ("-k", "baseline")
    headlines = []
    for _ in range(2):
        project.run(*options, model="models:service")
        verdict = document_in(project.path / "reports")
        page = project.path.joinpath("reports", "robustness.md").read_text("utf-8")
        headlines.append(f"all replies are of {TODAY}" in page)
        assert (verdict["tasks"]["ner"]["model"]["calls"]["made"] == 0) is headlines[-1]
    assert headlines == [False, True]


PROJECT_SERVICE = """

class Service:
    draws = False

    def replies(self, prompts):
        return ['{"entities": []}' for _ in prompts]

def service():
    return Service()
"""


@pytest.fixture
def opened(tmp_path):
    """A cache of "m" in the folder."""
    return ReplyCache("m", tmp_path)


def kept_in(cache, key="0" * 32):
    cache.refresh()
    return cache.get(key)


def test_a_link_is_followed_neither_to_read_nor_to_write(opened, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("mine\n", "utf-8")
    tmp_path.joinpath("m.jsonl").symlink_to(elsewhere)
    with pytest.raises(AbaloError, match=r"m\.jsonl: cannot be read: a link; .*--abalo-replies"):
        opened.refresh()
    with pytest.raises(AbaloError, match=r"m\.jsonl: replies cannot be kept: a link"):
        opened.put("0" * 32, Kept("x"))
    assert elsewhere.read_text("utf-8") == "mine\n"


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_is_no_regular_file_is_refused_at_once(opened, tmp_path, make):
    make(tmp_path / "m.jsonl")
    with pytest.raises(AbaloError, match="cannot be read: no regular file"):
        opened.refresh()
    with pytest.raises(AbaloError, match="cannot be kept: no regular file"):
        opened.put("0" * 32, Kept("x"))


def test_a_file_that_is_too_large_is_not_read(opened, tmp_path):
    with tmp_path.joinpath("m.jsonl").open("wb") as file:
        file.truncate(LARGEST + 1)
    with pytest.raises(AbaloError, match="larger than 1,073,741,824 bytes"):
        opened.refresh()


def entry(**given):
    return {"key": "0" * 32, "day": TODAY, "reply": "x", **given}


NO_ENTRIES = [
    *(b"", b"null", b"[]", b"42", b'"x"', b"{", b"\xff\xfe", b"[" * 100_000),
    *(
        json.dumps(each).encode()
        for each in (
            *(entry(key=key) for key in (None, 1, [], {}, "k", "A" * 32, "0" * 33)),
            *(entry(day=day) for day in (None, 20261129, "", "soon", "2026-13-01", "20261129", f"{TODAY}T00:00", [])),
            entry(day=(DAY + timedelta(days=3)).isoformat()),
            *(entry(reply=reply) for reply in (1, [], {}, True, "x" * 200_002)),
            *(entry(state=state) for state in (1, [], None)),
            {"holds": 3},
            {"holds": {"file:a": 1}},
            {"key": "0" * 32, "day": TODAY},
        )
    ),
]


@pytest.mark.parametrize("line", NO_ENTRIES, ids=lambda line: line[:40].decode("latin-1"))
def test_a_line_that_is_no_entry_is_no_reply(opened, tmp_path, line):
    good = json.dumps(entry(key="1" * 32)).encode()
    tmp_path.joinpath("m.jsonl").write_bytes(line + b"\n" + good + b"\n")
    assert kept_in(opened) is None
    assert opened.get("1" * 32) == Kept("x", day=TODAY)


def test_a_line_that_is_one_is_a_reply(opened, tmp_path):
    tmp_path.joinpath("m.jsonl").write_text(json.dumps(entry()), "utf-8")
    assert kept_in(opened) == Kept("x", day=TODAY)


SENTENCE = parse("[Ana PER] saiu")
QUESTION = Prompt("1", "orig", "orig", "q", ("a", "b"), 0, (0, 1), "choice", 1)
FORGED = {
    "labels": (
        LabelForm(("bad", "good"), several=False),
        "a",
        (["good"],),
        (1, "good", {}, [], ["nobody"], ["good", "bad"], [["good"]], [1], ["good", 1]),
    ),
    "several labels": (
        LabelForm(("bad", "good"), several=True),
        "a",
        ([], ["bad", "good"]),
        (["good", "good"], [None]),
    ),
    "entities": (
        EntityForm(("LOC", "PER")),
        SENTENCE,
        ([["B-PER", "O"], [], 0], [["B-PER", "I-PER"], ["LOC"], 2]),
        (
            *(3, [], [[]], [["O"], [], 0], [["O", "O", "O"], [], 0], [["B-ORG", "O"], [], 0], [["O", "I-PER"], [], 0]),
            *([["B-LOC", "I-PER"], [], 0], [["O", "O"], ["ORG"], 0], [["O", "O"], 3, 0], [["O", "O"], [], "1"]),
            *([["O", "O"], [], -1], [["O", "O"], [], 10**30], [["O", "O"], [], True], ["OO", [], 0], [[1, 2], [], 0]),
        ),
    ),
    "tags": (
        TagForm(("NOUN", "VERB")),
        SENTENCE,
        ([["NOUN", "VERB"], 0],),
        (3, [["NOUN"], 0], [["NOUN", "X"], 0], [["NOUN", "VERB"], -1], [["NOUN", "VERB"], 10**12], [None, 0]),
    ),
    "an answer": (AnswerForm(), ("a", "b"), ("", "x"), (1, [], {}, False, "x" * 200_001)),
    "a translation": (TranslationForm(), "a", ("x",), ("", 1, [], "x" * 200_001)),
    "an option": (QuestionForm(), QUESTION, (0, 1), (-1, 2, 0.0, "0", True, [0])),
}


@pytest.mark.parametrize(("form", "given", "right", "forged"), FORGED.values(), ids=FORGED)
def test_an_answer_that_a_reply_cannot_give_is_asked_for_again(form, given, right, forged):
    source = Scripted(lambda _: "")
    for packed, calls in [*((each, 0) for each in right), *((each, 1) for each in forged)]:
        asker = Asker(source, prompt_of(form), Calls(), keeps_text=False)
        planned = asker.estimating()
        planned.answers([given])
        (key,) = planned._estimated
        asker.cache._found[key] = Kept(parsed=packed, has_text=False)
        asker.answers([given])
        assert asker.calls.made == calls, packed
