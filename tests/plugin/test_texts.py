"""Attacks and invariances on labelled texts in whole runs: what they broke is kept, and tried again in the next."""

import json

import pytest

from abalo.cli import main
from tests.reports import document_in

MODELS = '''
"""Models that go by the words they know."""

PRAISE, BLAME = {"good", "fine", "great"}, {"bad", "poor", "awful"}


def polarity(words, known=PRAISE):
    return "positive" if known & set(words) else "negative"


def texts():
    return lambda batch: [polarity(text.lower().replace(".", "").split()) for text in batch]


def better_texts():
    return lambda batch: [polarity(text.lower().replace(".", "").split(), PRAISE | {"decent"}) for text in batch]


def aspects():
    return lambda batch: [polarity(text.lower().replace(".", "").split()) for text, _ in batch]


def better_aspects():
    known = PRAISE | {"decent"}
    return lambda batch: [polarity(text.lower().replace(".", "").split(), known) for text, _ in batch]


def judge(premise, hypothesis):
    first, second = (set(text.lower().replace(".", "").split()) for text in (premise, hypothesis))
    return "entailment" if second <= first else "neutral"


def pairs():
    return lambda batch: [judge(*pair) for pair in batch]


def better_pairs():
    return lambda batch: [judge(first, second.replace("decent", "good")) for first, second in batch]
'''

THINGS = ("film", "book", "song", "play", "meal", "trip", "room", "game", "talk", "show", "test", "view")
WHO = ("doctor", "lawyer", "student", "baker", "teacher")

THRESHOLDS = """
[gate]
language = "en"
resamples = 300
seeds = [1]

[[{task}.word_attack]]
synonyms = "lexicon:mine.tsv"
stop_words = "stop_words_en"
similarity = "ngrams"
least_similarity = 0.0
max_success_rate = 0.1

[[{task}.final_full_stop]]
draws = 200
max_violations_per_thousand = 0
"""


def corpus(task: str) -> tuple[str, str]:
    """The name of a file of a corpus and its text: in half of the texts there is a word that can be replaced."""
    rows = [(thing, who, word) for thing in THINGS for who in WHO for word in ("good", "awful")]
    if task == "classification":
        label = {"good": "positive", "awful": "negative"}
        return "corpus.tsv", "text\tlabel\n" + "".join(f"The {w} saw a {x} {t}.\t{label[x]}\n" for t, w, x in rows)
    if task == "pairs":
        label = {"good": "entailment", "awful": "neutral"}
        lines = (f"The {w} saw a good {t}.\tA good {t}.\tentailment\n" for t, w, x in rows if x == "good")
        others = (f"The {w} saw a {t}.\tA {x} {t}.\tneutral\n" for t, w, x in rows if x == "awful")
        return "corpus.tsv", "premise\thypothesis\tlabel\n" + "".join([*lines, *others])
    records = []
    for thing, who, word in rows:
        text = f"The {who} saw a {word} {thing}."
        start = text.index(thing)
        polarity = {"good": "positive", "awful": "negative"}[word]
        aspect = {"term": thing, "from": start, "to": start + len(thing), "polarity": polarity}
        records.append(json.dumps({"sentence": text, "aspects": [aspect]}))
    return "corpus.jsonl", "\n".join(records) + "\n"


@pytest.fixture(params=["classification", "pairs", "aspects"])
def run(request, pytester, monkeypatch):
    """Runs a task here, and says of which."""
    task = request.param
    monkeypatch.chdir(pytester.path)
    monkeypatch.syspath_prepend(pytester.path)
    name, text = corpus(task)
    for file, content in (
        (name, text),
        ("models_of_texts.py", MODELS),
        ("thresholds.toml", THRESHOLDS.format(task=task)),
        ("mine.tsv", "# Source: by hand. Licence: Apache-2.0.\ngood\tADJ\tdecent\n"),
    ):
        pytester.path.joinpath(file).write_text(content, encoding="utf-8")
    model = {"classification": "texts"}.get(task, task)

    def done(*more, better=False):
        factory = f"models_of_texts:{'better_' * better}{model}"
        common = ("--pyargs", f"tests_behavioral.{task}", "--abalo-corpus", name, "--abalo-model", factory)
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *common, *more)

    done.task, done.path, done.model = task, pytester.path, model
    return done


def test_a_broken_text_is_kept_and_tried_again(run):
    result = run("--abalo-save-failures", "kept.jsonl")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    found = {each["name"]: each for each in document_in(run.path / "reports")["results"]}
    assert found["word_attack"]["metrics"]["success_rate"]["value"] == pytest.approx(0.5), "all with the word good"
    assert found["final_full_stop"]["metrics"]["violations_per_thousand"]["value"] == 0
    records = [json.loads(line) for line in run.path.joinpath("kept.jsonl").read_text("utf-8").splitlines()[1:]]
    assert len(records) == 60
    assert {(each["task"], each["attack"], each["target"]) for each in records} == {(run.task, "word_attack", None)}

    kept = ("-k", "regressions", "--abalo-regressions", "kept.jsonl")
    assert run(*kept).ret == pytest.ExitCode.TESTS_FAILED
    regressions = document_in(run.path / "reports")["regressions"]
    assert len(regressions) == len(records)
    assert {each["status"] for each in regressions} == {"still broken"}
    assert run(*kept, better=True).ret == 0
    assert {each["status"] for each in document_in(run.path / "reports")["regressions"]} == {"fixed"}


def test_a_broken_text_is_tried_again_by_the_command(run, capsys):
    run("-k", "word_attack", "--abalo-save-failures", "kept.jsonl")
    capsys.readouterr()
    assert main(["replay", "kept.jsonl", "--number", "1", "--model", f"models_of_texts:{run.model}"]) == 1
    status, before, after, labels = capsys.readouterr().out.splitlines()
    assert status == "1. still broken"
    assert ("good" in before, "decent" in after) == (True, True)
    noun = {"classification": "text", "pairs": "pair", "aspects": "aspect"}[run.task]
    was, now = ("entailment", "neutral") if run.task == "pairs" else ("positive", "negative")
    assert labels == f"  the {noun} is labelled {now}; then {now}"
    assert f"({was})" in before
    assert main(["replay", "kept.jsonl", "--model", f"models_of_texts:better_{run.model}"]) == 0
    assert main(["replay", "kept.jsonl", "--task", "ner"]) == 2
    assert "contains no failure of the task ner" in capsys.readouterr().err
