"""Formats of other programs: one line that names the format and the way out. docs/how-to/labels.md shows the ways."""

import gzip
import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from abalo.config.tasks import read_corpus, task_of_corpus
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.corpora import load
from abalo.corpora.foreign import _KEYS
from abalo.errors import AbaloError
from tests.texts import TextWith

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "labels.md").read_text("utf-8")
COLUMNS = "expected a token and its tag on each line"

ANNOTATED = "T1\tPER 0 3\tAnn\nT2\tLOC 9 14\tParis\nR1\tGoes Arg1:T1 Arg2:T2\n"
CONLLU = (
    "# sent_id = 1\n# text = Ann left\n1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\t_\n"
    "2\tleft\tleave\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
)
LABEL_STUDIO = {
    "id": 1,
    "data": {"text": "Ann left"},
    "annotations": [
        {"id": 7, "result": [{"type": "labels", "value": {"start": 0, "end": 3, "text": "Ann", "labels": ["PER"]}}]}
    ],
}
LABEL_STUDIO_MIN = {"id": 1, "text": "Ann left", "label": [{"start": 0, "end": 3, "text": "Ann", "labels": ["PER"]}]}
PRODIGY = {
    "text": "Ann left",
    "_input_hash": 1,
    "_task_hash": 2,
    "tokens": [{"text": "Ann", "start": 0, "end": 3, "id": 0}, {"text": "left", "start": 4, "end": 8, "id": 1}],
    "spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PER"}],
    "answer": "accept",
}
SHORT_PRODIGY = {"text": "Ann left", "spans": [{"start": 0, "end": 3, "label": "PER"}]}


@pytest.mark.parametrize("name", ["dev.conllu", "dev.conll"])
@pytest.mark.parametrize("first", ["", "1-2\tAnnleft\t_\t_\t_\t_\t_\t_\t_\t_\n", "0.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n"])
def test_conllu_has_no_entities(written, refusal, name, first):
    assert refusal(written(first + CONLLU, name)) == (
        f"{name}: CoNLL-U, which has parts of speech and heads but no column for entities; {COLUMNS}; judge tagging "
        "with --abalo-task pos, or give columns of the words and their entity tags"
    )


def test_ten_columns_that_end_in_a_tag_are_no_conllu(written, rendered):
    row = "{}\tx\tx\tx\tx\tx\tx\tx\tx\t{}\n"
    assert rendered(load(written(row.format("1", "O") + row.format("Ann", "B-PER")))) == ["1 [Ann PER]"]


def test_two_columns_may_be_called_conllu(written, rendered):
    assert rendered(load(written("Ann B-PER\nleft O\n", "dev.conllu"))) == ["[Ann PER] left"]


@pytest.mark.parametrize("record", [LABEL_STUDIO, LABEL_STUDIO_MIN], ids=["json", "json-min"])
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_label_studio_is_read(written, rendered, record, packed):
    content = json.dumps([record, record], indent=2).encode()
    name = written(gzip.compress(content) if packed else content, "export.json.gz" if packed else "export.json")
    assert rendered(load(name)) == ["[Ann PER] left"] * 2


def test_what_label_studio_exports_as_conll2003_is_read(written, rendered):
    name = written("-DOCSTART- -X- O\nAnn -X- _ B-PER\nleft -X- _ O\n\nParis -X- _ B-LOC\n\n")
    assert rendered(load(name)) == ["[Ann PER] left", "[Paris LOC]"]


@pytest.mark.parametrize("record", [PRODIGY, SHORT_PRODIGY], ids=["db-out", "spans"])
def test_prodigy_is_read(written, rendered, record):
    assert rendered(load(written(json.dumps(record) + "\n", "export.jsonl"))) == ["[Ann PER] left"]


def test_answers_of_prodigy_that_are_not_accepted_are_left_out_and_counted(written, rendered):
    bare = {key: value for key, value in PRODIGY.items() if key != "spans"}
    bare["_task_hash"] = 3
    records = [PRODIGY, {**PRODIGY, "answer": "reject"}, {**PRODIGY, "answer": "ignore"}, bare]
    corpus = load(written("".join(json.dumps(each) + "\n" for each in records), "export.jsonl"))
    assert rendered(corpus) == ["[Ann PER] left", "Ann left"]
    assert corpus.notices == (
        TextWith("Read 2 sentences, 1 entity; left out 1 record", " 'reject'", "1 record", " 'ignore'"),
    )


def test_records_with_tokens_and_tags_are_read_whatever_else_they_hold(written, rendered):
    record = {**PRODIGY, "tokens": ["Ann", "left"], "tags": ["B-PER", "O"]}
    assert rendered(load(written(json.dumps(record) + "\n", "dev.jsonl"))) == ["[Ann PER] left"]


def test_the_text_of_brat_names_the_file_with_its_annotations(written, refusal):
    written("Ann saw  Paris", "dev.txt")
    written(ANNOTATED, "dev.ann")
    assert refusal("dev.txt") == (
        f"dev.txt: the text of annotations of brat in dev.ann; {COLUMNS}; give that file, or its folder"
    )


@pytest.mark.parametrize("beside", [None, "Ann B-PER\n"])
def test_columns_may_be_called_txt(written, rendered, beside):
    if beside:
        written(beside, "dev.ann")
    assert rendered(load(written("Ann B-PER\nleft O\n", "dev.txt"))) == ["[Ann PER] left"]


@pytest.fixture
def docbin(written):
    """A file of spaCy with `[Ann Smith PER] left [Paris LOC]` and a line end in it."""
    spacy = pytest.importorskip("spacy", reason="the spacy extra is not installed: pip install 'abalo[spacy]'")
    from spacy.tokens import Doc, DocBin

    doc = Doc(
        spacy.blank("en").vocab,
        words=["Ann", "Smith", "\n", "left", "Paris"],
        ents=["B-PER", "I-PER", "O", "O", "B-LOC"],
    )
    return written(DocBin(docs=[doc]).to_bytes(), "dev.spacy")


def test_a_docbin_of_spacy_names_the_attributes_to_write(docbin, refusal, written):
    rest = (
        f"a DocBin of spaCy; {COLUMNS}; give the file that python -m spacy convert made it from, "
        "or write the text and ent_iob_-ent_type_ of each token in its docs"
    )
    assert refusal(docbin) == f"dev.spacy: {rest}"
    assert refusal(written(Path(docbin).read_bytes(), "other.bin")) == f"other.bin: {rest}"


def test_the_lines_on_the_page_convert_a_docbin(docbin, rendered):
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(program, "docs/how-to/labels.md", "exec"), {})
    assert rendered(load("dev.jsonl")) == ["[Ann Smith PER] left [Paris LOC]"]


def archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("dev.conll", "Ann B-PER\n")
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (archive(), "a ZIP archive; unpack it and give a file in it, or pack that file with gzip"),
        (b"BZh91AY&SY\x00\x00", "packed with bzip2; unpack it, or pack it with gzip"),
        (b"\xfd7zXZ\x00\x00", "packed with xz; unpack it, or pack it with gzip"),
        (b"\x28\xb5\x2f\xfd\x00", "packed with Zstandard; unpack it, or pack it with gzip"),
        (b"ARROW1\x00\x00\xff", "an Arrow file; write it as JSON lines with 'tokens' and 'tags' and give that file"),
    ],
    ids=["zip", "bzip2", "xz", "zstd", "arrow"],
)
def test_what_is_no_text_is_named(written, refusal, content, said):
    assert refusal(written(content)) == f"dev.conll: {said}"


@pytest.mark.parametrize("word", ["PAR1", "ARROW1", "PK", "BZh91", "x^"])
def test_a_first_token_like_the_mark_of_another_format_is_a_token(written, rendered, word):
    assert rendered(load(written(f"{word} O\nAnn B-PER\n"))) == [f"{word} [Ann PER]"]


OF_OTHERS = {
    "tasks of Label Studio": (json.dumps([{"data": {"text": "Ann left"}}]), "without an annotation"),
    "spans of tokens": (json.dumps([{"tokenized_text": ["Ann"], "ner": [[0, 0, "PER"]]}]), "count tokens"),
    "spans of tokens in objects": (
        json.dumps([{"tokens": ["Ann"], "entities": [{"type": "PER", "start": 0, "end": 1}]}]),
        "count tokens",
    ),
    "what spaCy 2 was trained on": (json.dumps([{"id": 0, "paragraphs": [{"sentences": []}]}]), "'orth'"),
    "columns of pandas": (
        json.dumps({"text": {"0": "a", "1": "b"}, "label": {"0": "x", "1": "y"}}),
        "orient='records'",
    ),
    "lists of columns": (json.dumps({"text": ["a b", "b"], "label": ["x", "y"]}), "orient='records'"),
    "WebAnno TSV": ("#FORMAT=WebAnno TSV 3.3\n\n#Text=Ann left\n1-1\t0-3\tAnn\tPER\n", "CoNLL 2002"),
    "Python of spaCy 2": (
        "TRAIN_DATA = [\n    ('Ann left', {'entities': [(0, 3, 'PER')]}),\n]\n",
        "json.dump(TRAIN_DATA",
    ),
    "YAML of Rasa": ("nlu:\n- intent: greet\n  examples: |\n    - hi [Ann](person)\n", "rasa data convert nlu"),
    "fastText": ("__label__good Ann left\n__label__bad Bob stayed\n", "in place of __label__"),
    "tags behind words in a line": ("Ann/B-PER left/O\nBob/B-PER ran/O\n", "such as Ann/B-PER"),
}


@pytest.mark.parametrize(("content", "remedy"), OF_OTHERS.values(), ids=OF_OTHERS)
def test_what_others_write_is_named_with_the_way_out_whatever_the_task(written, refusal, content, remedy):
    name = written(content, "dev.json" if content[0] in "[{" else "dev.txt")
    assert remedy in refusal(name)
    with pytest.raises(AbaloError) as caught:
        read_corpus(task_of_corpus(name), name, RunOptions())
    assert remedy in str(caught.value)


@pytest.mark.parametrize(("keys", "told"), _KEYS, ids=[each[0].replace(" ", "-") for each in _KEYS])
@pytest.mark.parametrize("within", [lambda each: each, lambda each: {"data": [each]}, lambda each: {"a": each}])
def test_a_record_of_another_form_is_named_by_every_task_that_reads_json(written, keys, told, within):
    name = written(json.dumps(within({key: [] for key in (*keys.split(), "question")})) + "\n", "dev.json")
    for task in ("ner", "classification", "relations", "reading", "choice", "coreference"):
        with pytest.raises(AbaloError) as caught:
            tasks()[task].read(name, RunOptions())
        assert str(caught.value) == f"{name}: {told}"
    assert all(part in told for part in ("; expected ", "; write "))


TEXTS = {
    "SGML of WMT": '<srcset setid="d" srclang="any">\n<doc docid="1">\n',
    "gettext": '#: a.py\nmsgid "Save"\nmsgstr "Guardar"\n',
    "subtitles": "1\n00:00:01,000 --> 00:00:02,000\nOi.\n",
    "with $T$": "The $T$ is good\nscreen\n1\n",
    "LogiQA": "\na\nAll cats sleep.\nWhat follows?\nA.Tom sleeps.\nB.Tom runs.\n",
    "trees of constituents": "( (S (NP (NNP Ann)) (VP (VBD left))))\n",
    "GAP": "ID\tText\tPronoun\tPronoun-offset\tA\n",
}


@pytest.mark.parametrize(("form", "text"), TEXTS.items(), ids=TEXTS)
def test_a_text_of_another_form_is_named_with_the_way_out(written, form, text):
    for name, of in (("dev.txt", text), ("dev.tsv", "\ufeff" + text)):
        for task in ("ner", "pos", "translation", "segmentation"):
            with pytest.raises(AbaloError, match=rf"{re.escape(form)}.*; expected .*; write "):
                tasks()[task].read(written(of, name), RunOptions())
