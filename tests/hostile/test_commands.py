"""The commands of ``abalo`` with what cannot be meant: exit code 2, one message, and no file changed."""

import json
from pathlib import Path

import pytest

from abalo.cli import main

QUESTION = json.dumps({"id": "q", "question": "W?", "options": ["a", "b"], "target": 0}) + "\n"
LOG = '{"format": "abalo attack log 1"}\n'
GAZETTEER = ("--model", "models:gazetteer", "--corpus", "corpus.conll", "--out", "out.toml")


def perturb(*arguments: str) -> tuple[str, ...]:
    return ("perturb", "corpus.conll", *arguments, "--out", "out.conll")


REFUSED = {
    "verdict: no report": (
        ("verdict", "."),
        ".: holds no run (no robustness.json); give the folder of a run, or",
    ),
    "verdict: nothing": (("verdict", ""), ".: holds no run"),
    "verdict: columns": (("verdict", "corpus.conll"), "corpus.conll: is not JSON"),
    "verdict: a device": (("verdict", "/dev/null"), "/dev/null/robustness.json: cannot be read: Not a directory"),
    "verdict: a null": (("verdict", "a\0b"), "embedded null byte"),
    "rejudge: no run": (("rejudge", "nope"), "nope: there is no such folder"),
    "compare: no run": (("compare", "nope", "nope"), "the reference to judge against: nope: there is no such folder"),
    "compare: a null": (("compare", "a\0b", "nope"), "embedded null byte"),
    "compare: no thresholds": (
        ("compare", ".", ".", "--thresholds", "nope.toml"),
        "nope.toml: no such thresholds file",
    ),
    "history: no folder": (("history", "nope"), "nope: cannot be read: No such file or directory; give a folder of"),
    "history: no run": (("history", "."), ".: holds no run (no robustness.json)"),
    "history: a null": (("history", "a\0b"), "embedded null byte"),
    "history: the last of one": (("history", ".", "--last", "1"), "--last 1: expected a whole number from 2"),
    "show: no run": (
        ("show", "nope"),
        "nope: there is no such folder; give the folder of a run, or make one: ",
    ),
    "show: none": (("show", ".", "--most", "0"), "--most 0: expected a whole number from 1"),
    "show: against": (("show", ".", "--against", "nope"), "--against nope: is for --newly-broken; add it"),
    "list: a slip": (("list", "metric"), "metric: no such kind; did you mean 'metrics'?; there are tasks, cases, "),
    "list: a task": (
        ("list", "--task", "nre"),
        "--task nre: no such task; did you mean 'ner'?; there are aspects, choice, ",
    ),
    "list: a language": (("list", "--language", "Portuguese"), "expected the code of a language"),
    "accept: no run": (
        ("accept", "nope", "--as", "kept"),
        "nope: there is no such folder; give the folder of a run, or",
    ),
    "accept: no name": (("accept", "."), "--as: missing; name the reference"),
    "accept: no reference": (("accept", "--rerun", "nope"), "nope: there is no such folder"),
    "perturb: the corpus": (
        ("perturb", "corpus.conll", "--with", "accents", "--out", "./corpus.conll"),
        "is the corpus",
    ),
    "perturb: a folder": (
        ("perturb", "corpus.conll", "--with", "accents", "--out", "."),
        "--out .: is a folder",
    ),
    "perturb: no corpus": (("perturb", "nope", "--with", "accents", "--out", "out.conll"), "nope: no such file"),
    "perturb: nothing": (perturb(), "--with: missing; name a perturbation"),
    "perturb: a slip": (perturb("--with", "acents"), "did you mean 'accents'?"),
    "perturb: a rate in front": (perturb("--rate", "0.1", "--with", "accents"), "no --with before it"),
    "perturb: a rate of 2": (perturb("--with", "accents", "--rate", "2"), "rate is 2.0; expected a number from 0 to 1"),
    "perturb: a rate that is no number": (perturb("--with", "accents", "--rate", "nan"), "rate is nan; expected"),
    "perturb: no seeds": (perturb("--with", "accents", "--seeds", ""), "--seeds '': expected distinct whole numbers"),
    "perturb: a limit of 0": (
        perturb("--with", "accents", "--limit", "0"),
        "--limit 0: expected a whole number from 1",
    ),
    "perturb: a language": (
        perturb("--with", "accents", "--language", "Portuguese"),
        "expected the code of a language",
    ),
    "perturb: fillers": (perturb("--with", "word_insertion", "--param", "fillers=['a b']"), "expected words, at least"),
    "perturb: a lexicon": (
        perturb("--with", "synonyms", "--param", "lexicon=../../etc/passwd"),
        "lexicon: '../../etc",
    ),
    "perturb: a null": (("perturb", "a\0b", "--with", "accents", "--out", "o.conll"), "holds a null byte"),
    "init: a null": (("init", *GAZETTEER, "--out", "a\0b"), "holds a null byte"),
    "calibrate: a null in [run]": (("calibrate", "--thresholds", "null.toml"), "of [run], holds a null byte"),
    "augment: no report": (
        ("augment", "corpus.conll", "--out", "out.conll"),
        "reports: there is no such folder; give the folder of a run",
    ),
    "augment: a device": (
        ("augment", "corpus.conll", "--report", "/dev/null", "--out", "o.conll"),
        "/dev/null: no regular file; expected one",
    ),
    "augment: all": (("augment", "corpus.conll", "--share", "1", "--out", "out.conll"), "--share 1: expected a number"),
    "augment: none": (("augment", "corpus.conll", "--most", "0", "--out", "out.conll"), "--most 0: expected a whole"),
    "calibrate: no model": (("calibrate", "--model", "models:nope", *GAZETTEER[2:]), "models has no 'nope'"),
    "calibrate: the corpus": (
        ("calibrate", *GAZETTEER[:5], "corpus.conll"),
        "--out corpus.conll: is the corpus itself",
    ),
    "calibrate: no least": (("calibrate", *GAZETTEER, "--least", "nan"), "least: nan; expected a number"),
    "calibrate: a slip": (
        ("calibrate", *GAZETTEER, "--case", "acents"),
        "--case acents: no such case in the thresholds",
    ),
    "calibrate: a type": (("calibrate", *GAZETTEER, "--types", "X"), "--types X: corpus.conll has no entity type 'X'"),
    "replay: columns": (("replay", "corpus.conll"), "corpus.conll: not the log of an attack"),
    "replay: no object": (("replay", "three.jsonl"), "three.jsonl: record 1 cannot be made again"),
    "replay: half a record": (
        ("replay", "half.jsonl"),
        "half.jsonl: record 1 cannot be made again: TypeError(",
    ),
    "replay: edits outside": (("replay", "outside.jsonl"), "lies outside the 1 tokens"),
    "replay: no entity": (("replay", "beyond.jsonl"), "no entity with a"),
    "sheet: half a record": (
        ("sheet", "half.jsonl", "--out", "sheets"),
        "half.jsonl: result 1: tokens is missing; spaces is missing; sentence_id is missing",
    ),
    "ratings: no sheets": (("ratings", "."), "key.json: cannot be read"),
    "aggregate: no logs": (("aggregate", "--logs", "nope"), "nope: no such folder; give the one that Inspect writes"),
    "aggregate: a confidence": (
        ("aggregate", "--logs", ".", "--confidence", "2"),
        "--confidence 2.0: expected a number",
    ),
    "audit: columns": (("audit", "corpus.conll"), "corpus.conll: ends in .conll; expected .jsonl"),
    "audit: a likeness": (
        ("audit", "questions.jsonl", "--as-published", "--jaccard", "nan"),
        "--jaccard is nan; expected a number",
    ),
    "audit: a gap": (("audit", "questions.jsonl", "--gap", "-1"), "--gap is -1.0; expected a number from 0 to 1"),
    "audit: its own questions": (
        ("audit", "questions.jsonl", "--out", "questions.jsonl"),
        "is the corpus itself; choose",
    ),
    "pairs: none": (("pairs", "--sampled", "-1"), "--sampled -1: expected a whole number from 1"),
}

RECORD = {
    "attack": "entity_attack",
    "target": [0, 1, "X"],
    "tokens": ["a"],
    "tags": ["B-X"],
    "spaces": [""],
    "edits": [],
    "adversarial": {"tokens": ["b"], "spaces": [""]},
    "sentence_id": "a",
    "labels": {"clean": ["B-X"], "attacked": ["O"]},
    "broken": True,
}


@pytest.fixture
def files(here):
    """Files that the commands are given, and their content."""
    outside = {**RECORD, "edits": [{"start": -3, "stop": 99, "tokens": ["b"]}]}
    contents = {
        "questions.jsonl": QUESTION,
        "three.jsonl": f"{LOG}3\n",
        "null.toml": '[run]\ncorpus = "a\\u0000b"\nmodel = "models:gazetteer"\n[[ner.accents]]\n',
        "half.jsonl": f'{LOG}{{"broken": true}}\n',
        "outside.jsonl": f"{LOG}{json.dumps(outside)}\n",
        "beyond.jsonl": f"{LOG}{json.dumps({**RECORD, 'target': [5, 9, 'X']})}\n",
    }
    for name, content in contents.items():
        (here / name).write_text(content, encoding="utf-8")
    return here


def content_of(folder: Path) -> dict[str, bytes]:
    """Every file below, but for what Python keeps of modules."""
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(("arguments", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_meant_ends_in_one_message_and_changes_no_file(files, refused, arguments, said):
    before = content_of(files)
    assert said in refused(*arguments)
    assert content_of(files) == before


WRONG = {
    "no command": ((), "the following arguments are required: COMMAND"),
    "a slip": (("verdcit",), "verdcit: no such command; did you mean 'verdict'?"),
    "a share of nothing": (
        ("augment", "c", "--out", "o", "--share", "1/0"),
        "argument --share: '1/0': expected a number",
    ),
    "a share that is no number": (
        ("augment", "c", "--out", "o", "--share", "nan"),
        "argument --share: 'nan': expected",
    ),
    "a run and a reference": (("accept", "reports", "--rerun", "kept"), "not allowed with argument REPORTS"),
    "four at once": (("pairs", "--of", "4"), "argument --of: 4: expected one of 2, 3"),
    "a former option": (
        perturb("--with", "accents", "--scheme", "bio"),
        '--scheme: is a setting of the corpus now: --abalo-corpus "FILE?scheme=bio"',
    ),
    "a device that is none": (("calibrate", "--device", "tpu"), "argument --device: 'tpu': expected one of auto, cpu"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_what_is_no_command_ends_with_its_usage(capsys, arguments, said):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.startswith("usage: abalo")
    assert said in told


def test_replaying_asks_no_model_about_what_it_cannot_make_again(files, refused):
    (files / "models.py").write_text("raise SystemExit('it was asked')", encoding="utf-8")
    assert "lies outside" in refused("replay", "outside.jsonl", "--model", "models:gazetteer")
