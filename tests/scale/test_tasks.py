"""Every task whose corpora are files is run in chunks, with the numbers of one process; the others say why not."""

import csv
import json
from pathlib import Path

import pytest

import abalo
from abalo.bundled import bundled_path
from abalo.cli import main
from abalo.core.protocols import predictor
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.statistics import linearised
from abalo.core.statistics.evidence import sha256_of
from abalo.reporting.runs.finished import read_run
from abalo.tasks.reading.corpus import record_of
from tests.scale.test_scale import evidence_of, results_of
from tests.texts import TextWith

pytestmark = pytest.mark.slow

CHUNK = 60

CASES = {
    "pos": '[[pos.accents]]\nmax_accuracy_drop = 0.9\n\n[[pos.pipeline]]\nsteps = ["accents", "typos"]\n',
    "classification": "[[classification.typos]]\nmax_accuracy_drop = 0.9\n\n[[classification.accents]]\n",
    "pairs": '[[pairs.typos]]\nmax_accuracy_drop = 0.9\n\n[[pairs.accents]]\nfield = "premise"\n',
    "aspects": "[[aspects.typos]]\nmax_accuracy_drop = 0.9\n\n[[aspects.ocr]]\n",
    "parsing": "[[parsing.accents]]\nmax_las_drop = 0.9\n\n[[parsing.delete_subtree]]\n",
    "relations": "[[relations.typos]]\nmax_accuracy_drop = 0.9\n\n[[relations.insert_clause]]\n",
    "reading": "[[reading.typos]]\nmax_f1_drop = 0.9\n\n[[reading.modify_pos]]\n",
    "segmentation": "[[segmentation.homophone]]\nmax_f1_drop = 0.9\n\n[[segmentation.swap_syn]]\n",
}
"""Cases of each task that can be run in parts, on the corpus and with the model that ship."""

LANGUAGES = {"aspects": "en", "reading": "en", "relations": "en", "segmentation": "zh"}
"""The languages of those corpora that are not Portuguese."""

NOT_OF_TASKS = ("artefacts",)
"""Facts of a corpus that need all of it at once."""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of its own, in which pytest cuts where the chunks are cut."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(predictor, "PART", CHUNK)
    return tmp_path


def cases(text, language="pt"):
    head = f'[gate]\nlanguage = "{language}"\nresamples = 200\nseeds = [1, 2]\n\n'
    Path("thresholds.toml").write_text(head + text, encoding="utf-8")


def chunks(corpus, *more, out="out", size=CHUNK):
    return main(["scale", "--corpus", str(corpus), "--out", out, "--chunk-size", str(size), *more])


def one_process(task, corpus):
    """The same cases in one process, as pytest runs them."""
    session = abalo.Session(task=task, corpus=str(corpus), thresholds="thresholds.toml", no_text=True)
    session.run().write("plain")
    return read_run(Path("plain"))


def corpus_facts(run, task):
    own = typed.as_json(run.document.tasks[task].corpus)
    return {name: each for name, each in own.items() if name not in NOT_OF_TASKS}


def in_lines(task):
    """200 questions that ship, as JSON lines: one object holds all of it, which is not read in parts."""
    own = tasks()[task]
    corpus = own.read(own.default_corpus, RunOptions())
    lines = [json.dumps(record_of(each)) for each in corpus.examples[:200]]
    Path("corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "corpus.jsonl"


@pytest.mark.parametrize("task", CASES)
def test_the_numbers_are_those_of_one_process(here, task):
    cases(CASES[task], LANGUAGES.get(task, "pt"))
    corpus = in_lines(task) if task == "reading" else tasks()[task].default_corpus
    assert chunks(corpus, "--task", task) in (0, 10)
    plain = one_process(task, corpus)
    assert len([*(here / "out/chunks").iterdir()]) > 3
    assert evidence_of("out") == sha256_of(plain.evidence)
    assert results_of("out") == results_of("plain")
    found = read_run(Path("out"))
    assert corpus_facts(found, task) == corpus_facts(plain, task)
    for name in ("model", "inputs", "baseline", "seeds", "types", "notice"):
        assert typed.as_json(found.document.tasks[task]).get(name) == typed.as_json(plain.document.tasks[task]).get(
            name
        )


def test_labels_that_do_not_fit_and_rows_without_a_label_are_counted_over_all_chunks(here):
    """Every chunk lacks a label of the others: 'never' stands in the last rows alone, what the model invents in all."""
    cases("[[classification.accents]]\n", "en")
    Path("own.py").write_text('def make():\n    return lambda texts: ["good" if "1" in t else "odd" for t in texts]\n')
    labels = [*["good"] * 60, *["-"] * 4, *["good"] * 60, *["never"] * 30, "-"]
    rows = [f"a text number {number}\t{label}\n" for number, label in enumerate(labels)]
    Path("corpus.tsv").write_text("text\tlabel\n" + "".join(rows), encoding="utf-8")
    assert chunks("corpus.tsv", "--task", "classification", "--model", "own.py:make") in (0, 1, 10)
    facts = typed.as_json(read_run(Path("out")).document)["tasks"]["classification"]
    odd = sum("1" not in str(number) for number, label in enumerate(labels) if label != "-")
    assert facts["types"] == {
        "corpus": ["good", "never"],
        "told_by_model": False,
        "never_predicted": {"never": 30},
        "outside": {"odd": odd},
    }
    assert facts["corpus"]["unlabelled"] == {"-": 5}
    assert facts["corpus"]["notices"][-1] == "Read 150 texts; left out 5 texts with - for a label."
    assert facts["notice"] == TextWith("never predicts", ": never 30")


def test_a_network_has_the_same_numbers_to_the_last_bit(here):
    """The scores of a sentence depend on what else is in its batch: pytest cuts its batches where chunks are cut."""
    aimed = '[[ner.char_typo]]\nspan_source = "predicted"\nmax_f1_drop = 0.9\n'
    cases(f"[[ner.accents]]\nmax_f1_drop_changed = 0.9\n\n{aimed}")
    text = bundled_path("fixtures/corpora/legal-pt/eval.conll").read_text("utf-8")
    Path("corpus.conll").write_text("\n\n".join(text.split("\n\n")[:64]) + "\n", encoding="utf-8")
    assert chunks("corpus.conll") in (0, 10)
    plain = one_process("ner", "corpus.conll")
    assert evidence_of("out") == sha256_of(plain.evidence)
    assert results_of("out") == results_of("plain")
    temperatures = [run.document.tasks["ner"].model.temperature for run in (plain, read_run(Path("out")))]
    assert temperatures[0] == temperatures[1] != 1.0


def test_a_label_counts_also_in_chunks_that_hold_none_of_it(here, monkeypatch):
    """Of a corpus in the order of its labels nearly every chunk lacks one, which the model gives there all the same."""
    cases("[[classification.baseline]]\nmin_macro_f1 = 0.5\n\n[[classification.typos]]\nmin_macro_f1 = 0.5\n")
    Path("rare_words.py").write_text(
        "def by_length():\n    return lambda texts: ['b' if len(text) % 3 else 'a' for text in texts]\n"
    )
    monkeypatch.syspath_prepend(str(Path.cwd()))
    texts = [f"texto número {'x' * (k % 7)} de {k}" for k in range(150)]
    rows = [f"{text}\t{'a' if k < 100 else 'b'}" for k, text in enumerate(texts)]
    Path("sorted.tsv").write_text("\n".join(["text\tlabel", *rows]) + "\n")
    model = ("--task", "classification", "--model", "rare_words:by_length")
    assert chunks("sorted.tsv", *model) == chunks("sorted.tsv", *model, out="whole", size=150) != 2
    assert len([*(here / "out/chunks").iterdir()]) == 3
    assert results_of("out") == results_of("whole")
    assert evidence_of("out") == evidence_of("whole")


def test_a_mean_over_labels_is_as_sure_as_its_rarest_label_in_a_large_corpus(here, monkeypatch):
    """Of a corpus that is too large to resample, whose rarest label stands in ten texts."""
    cases("[[classification.baseline]]\nmin_macro_f1 = 0.5\n")
    Path("rarest_words.py").write_text(
        "def by_length():\n    return lambda texts: ['c' if 'ç' in t else 'b' if len(t) % 3 else 'a' for t in texts]\n"
    )
    monkeypatch.syspath_prepend(str(Path.cwd()))
    texts = [f"texto número {'x' * (k % 7)} de {k}" for k in range(590)]
    rows = [f"{text}\t{'a' if len(text) % 3 == 0 or k % 5 == 0 else 'b'}" for k, text in enumerate(texts)]
    rows += [f"texto {'ç' if k % 2 else 'c'} número {k}\tc" for k in range(10)]
    Path("rare.tsv").write_text("\n".join(["text\tlabel", *rows]) + "\n")
    model = ("--task", "classification", "--model", "rarest_words:by_length")

    def interval(out):
        assert chunks("rare.tsv", *model, out=out, size=200) != 2
        (found,) = typed.as_json(read_run(Path(out)).document)["results"]
        return [found["metrics"]["macro_f1"][name] for name in ("value", "low", "high")]

    value, low, high = interval("resampled")
    monkeypatch.setattr(linearised, "MANY", 500)
    monkeypatch.setattr(linearised, "ENOUGH", 100)
    other, lower, higher = interval("large")
    assert other == value
    assert higher - lower == pytest.approx(high - low, rel=0.15), "200 resamples"
    assert high - low > 0.1, "the label of ten texts makes most of it"


def test_whether_labels_still_hold_is_a_question_of_all_of_the_corpus(here):
    cases("[[classification.typos]]\n\n[[classification.negation]]\n")
    assert chunks(tasks()["classification"].default_corpus, "--task", "classification") in (0, 10)
    (reason,) = json.loads(Path("out/manifest.json").read_text("utf-8"))["left_out"].values()
    assert reason == TextWith("labels still hold", "the corpus")


def test_other_cuts_have_other_last_bits(here, monkeypatch):
    """So the test above could fail."""
    cases("[[ner.accents]]\nmax_f1_drop_changed = 0.9\n")
    text = bundled_path("fixtures/corpora/legal-pt/eval.conll").read_text("utf-8")
    Path("corpus.conll").write_text("\n\n".join(text.split("\n\n")[:64]) + "\n", encoding="utf-8")
    first = one_process("ner", "corpus.conll")
    monkeypatch.setattr(predictor, "PART", 10_000)
    assert sha256_of(one_process("ner", "corpus.conll").evidence) != sha256_of(first.evidence)


def test_tables_json_lines_and_parquet_are_read_alike(here):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    cases(CASES["classification"])
    with bundled_path("fixtures/corpora/sentiment-pt/eval.tsv").open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)][:150]
    rows[70]["text"] = 'O filme é "bom",\nmas longo.'  # a record of two lines
    rows[71]["text"] = "Nada; presta, aqui."
    with Path("corpus.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ["label", "text"])
        table.writeheader()
        table.writerows(rows)
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    Path("corpus.jsonl").write_text("\n\n".join(lines), encoding="utf-8")
    parquet.write_table(pyarrow.Table.from_pylist(rows), "corpus.parquet", row_group_size=64)
    for name in ("csv", "jsonl", "parquet"):
        assert chunks(f"corpus.{name}", "--task", "classification", out=name) in (0, 10)
    assert evidence_of("csv") == evidence_of("jsonl") == evidence_of("parquet")
    assert evidence_of("csv") == sha256_of(one_process("classification", "corpus.csv").evidence)


def test_a_table_without_a_header_keeps_its_first_line_where_it_is(here):
    cases(CASES["classification"])
    text = bundled_path("fixtures/corpora/sentiment-pt/eval.tsv").read_text("utf-8").split("\n", 1)[1]
    Path("corpus.tsv").write_text(text, encoding="utf-8")
    assert chunks("corpus.tsv", "--task", "classification") in (0, 10)
    found = typed.as_json(read_run(Path("out")).document)["tasks"]["classification"]["corpus"]
    assert found["texts"] == len(text.splitlines())
    assert found["sha256"] == abalo.Session(task="classification", corpus="corpus.tsv").corpus.sha256


def test_what_is_no_example_is_made_up_for_so_that_chunks_are_full(here):
    cases(CASES["pairs"])
    head, *rows = bundled_path("fixtures/corpora/entailment-pt/pairs.tsv").read_text("utf-8").splitlines()
    undecided = [row if number % 7 else f"{row.rpartition(chr(9))[0]}\t-" for number, row in enumerate(rows)]
    Path("corpus.tsv").write_text("\n".join([head, *undecided]) + "\n", encoding="utf-8")
    assert chunks("corpus.tsv", "--task", "pairs") in (0, 10)
    parts = json.loads(Path("out/manifest.json").read_text("utf-8"))["parts"]
    assert {part["examples"] for part in parts[:-1]} == {CHUNK}
    assert evidence_of("out") == sha256_of(one_process("pairs", "corpus.tsv").evidence)


@pytest.mark.parametrize(
    ("task", "name", "text", "told"),
    [
        ("choice", "a.jsonl", '{"id": 1, "question": "?"}', "a.jsonl: a corpus of the task choice, which is not read"),
        ("pos", "a.jsonl", '{"tokens": ["a"]}', "a.jsonl: is JSON lines; expected a CoNLL file, not packed"),
        ("classification", "a.json", '[{"text": "a"}]', "an array, which cannot be read in parts; write an object"),
        ("pairs", "a.xml", "<entailment-corpus>", "a.xml: is XML, which cannot be read in parts; write it as a table"),
        (
            "translation",
            "a.tmx",
            '<?xml version="1.0"?><tmx>',
            "a.tmx: is XML, which cannot be read in parts; write it",
        ),
        (
            "pairs",
            "a.tsv",
            "premise\thypothesis\tlabel\tscore\na\tb\tyes\t1.5\n",
            "a.tsv: its pairs have similarity scores, which need the ranks of all pairs",
        ),
        (
            "classification",
            "a.jsonl",
            '{"text": "a", "label": "x"}\n{"text": "b", "label": "x"}\n{"text": "c", "label": ["x", "y"]}\n',
            "a.jsonl:3: several labels, ['x', 'y'], where texts before have one each; call the column 'labels'",
        ),
        (
            "aspects",
            "a.jsonl",
            """{"sentence": "Good food.", "polarity": "positive", "from": 5, "to": 9}
{"sentence": "Bad food.", "polarity": "negative", "from": 4, "to": 8}
{"sentence": "Good food.", "polarity": "positive", "from": 0, "to": 4}""",
            "the sentence 'Good food.' stands in two parts; expected each sentence once, with all its aspects",
        ),
        ("aspects", "a.json", '{\n "1": {"sentence": "Good food."}\n}\n', "a.json: is one object, which cannot be"),
        ("classification", "a.tsv", "text\tlabel\na\tx\nb\ty\nc\n", "a.tsv:4: 1 cells, 'c'; expected 2"),
        ("classification", "hub:imdb:test", "", "hub:imdb:test: is no file, so it cannot be read in parts"),
    ],
)
def test_what_cannot_be_read_in_parts_is_told(here, capsys, task, name, text, told):
    cases("[[ner.accents]]\n")
    if text:
        Path(name).write_text(text, encoding="utf-8")
    assert chunks(name, "--task", task, size=2) == 2
    assert told in " ".join(capsys.readouterr().err.split())


def test_every_task_is_read_in_parts_or_says_why_not():
    able = {
        name for name, task in tasks().items() if type(task).in_parts is not abalo.core.protocols.task.Task.in_parts
    }
    assert able == {*CASES, "ner", "translation"}, "that of translation is in tests/tasks/translation/test_runs.py"


def test_parquet_does_not_tell_its_task(here, capsys):
    Path("a.parquet").write_bytes(b"PAR1")
    assert chunks("a.parquet") == 2
    assert "a.parquet: is Parquet, which does not tell its task; say which with --task NAME" in capsys.readouterr().err


def test_pipelines_are_run_unless_a_step_draws_from_the_whole_corpus(here):
    steps = ['"accents", "typos"', '"accents", "concat_sent"']
    cases("".join(f"[[ner.pipeline]]\nsteps = [{each}]\nmax_f1_drop = 0.9\n\n" for each in steps))
    text = bundled_path("fixtures/corpora/legal-pt/eval.conll").read_text("utf-8")
    Path("corpus.conll").write_text("\n\n".join(text.split("\n\n")[:64]) + "\n", encoding="utf-8")
    assert chunks("corpus.conll") in (0, 10)
    document = typed.as_json(read_run(Path("out")).document)
    assert [each["message"] for each in document["not_run"]] == [TextWith("left out: ", "the corpus (following)")]
    plain = one_process("ner", "corpus.conll")
    assert evidence_of("out") == sha256_of({name: plain.evidence[name] for name in read_run(Path("out")).evidence})
