"""Forms of corpora by tasks: a small file of each form is written, and every task reads or refuses it."""

from __future__ import annotations

import json
import tempfile
import zlib
from collections.abc import Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abalo.config.tasks import read_corpus, task_of_corpus
from abalo.core.protocols.corpus_spec import readers
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import Task, tasks
from abalo.errors import AbaloError
from docs.made import NOTICE, table

PAGE = Path(__file__).parents[1] / "reference" / "corpora.md"

INTRODUCTION = f"""\
# Forms of corpora

{NOTICE}

Each row is a small file of one form, which every task has read or refused. [Labels and corpora of your
own](../how-to/labels.md) shows how to prepare a corpus.

* **read**: the task recognises the form.
* *read*: the task reads the form if `--abalo-task` names the task.
* → task: the task refuses the form, and the message names the task that reads it.
* refused: no task reads the form. [The messages](#forms-that-no-task-reads) name a remedy.

"""

READERS = """\
## Readers

A reader turns files of other tools into records that tasks read. [Write your own](../how-to/extend.md#a-reader).

"""

SETTINGS = """\
## Settings

`FILE?name=value&name=value` sets how a corpus is read, such as `reviews.tsv?text=body&label=stars`. An existing file
is read under its whole name. Otherwise the last `?` begins the settings. Write `%3F` for a `?` and `%26` for a `&`
elsewhere.

"""

TEXT = "Ann left Paris."
SPANS = [[0, 3, "PER"], [9, 14, "LOC"]]
LEFT, OTHER = "Ann left", "Bob stayed"

_OBJECTS = [{"start": start, "end": end, "label": label} for start, end, label in SPANS]
_RESULTS = [{"value": {"start": start, "end": end, "labels": [label]}} for start, end, label in SPANS]
_OPTIONS = ["red", "blue", "green", "black"]
_ANSWERS = {"answerA": "red", "answerB": "blue", "answerC": "green"}
_SETS: Mapping[str, Any] = {
    "SciQ": {"question": "?", "correct_answer": "red", **{f"distractor{k}": _OPTIONS[k] for k in (1, 2, 3)}},
    "GPQA": {"Question": "?", "Correct Answer": "red", **{f"Incorrect Answer {k}": _OPTIONS[k] for k in (1, 2, 3)}},
    "TruthfulQA, `mc1_targets`": {"question": "?", "mc1_targets": {"choices": _OPTIONS[:2], "labels": [1, 0]}},
    "Winogrande": {"sentence": "Ann saw the car and _ ran.", "option1": "Ann", "option2": "the car", "answer": "1"},
    "PIQA": {"goal": "Open a jar", "sol1": "Turn its lid.", "sol2": "Turn its floor.", "label": 0},
    "COPA": {
        "premise": "It rained.",
        "choice1": "He sang.",
        "choice2": "We got wet.",
        "question": "effect",
        "label": 1,
    },
    "BoolQ": {"question": "is it late", "passage": "It is late.", "answer": True},
    "LogiQA": {"context": "All cats sleep.", "query": "Which?", "options": _OPTIONS, "correct_option": 2},
}
_MASK = [{"value": TEXT[start:end], "start": start, "end": end, "label": label} for start, end, label in SPANS]
_TASK = {"data": {"text": TEXT}, "annotations": [{"result": _RESULTS}]}
_CHOSEN = {"data": {"text": TEXT}, "annotations": [{"result": [{"value": {"choices": ["good"]}}]}]}
_CATEGORY = {"text": TEXT, "_input_hash": 1, "options": [{"id": "good"}], "accept": ["good"], "answer": "accept"}
_SCREEN = {"term": "screen", "polarity": "positive", "from": 5, "to": 11}

_ANSWERED = {"text": ["Ann"], "answer_start": [0]}
_PARAGRAPH = {
    "context": TEXT,
    "qas": [{"id": "1", "question": "Who left?", "answers": [{"text": "Ann", "answer_start": 0}]}],
}


@dataclass(frozen=True, slots=True)
class Form:
    """A form of files: the ``task`` that recognises it, None if none does, and files, the first of which is given."""

    name: str
    task: str | None
    files: Mapping[str, str | bytes]


def _lines(*records: Any) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _labelled(form: str, record: Any) -> Form:
    return Form(form, "ner", {"dev.jsonl": _lines(record)})


_UNIT = '<tuv xml:lang="pt"><seg>Oi.</seg></tuv><tuv xml:lang="en"><seg>Hi.</seg></tuv>'
_DOCUMENT = "#begin document (a); part 0\na\t0\t0\tAnn\t-\t(1)\n\n#end document\n"
_UNITS = "<source>Oi.</source><target>Hi.</target>"
_OLD_UNIT = (
    f'<file source-language="pt" target-language="en"><body><trans-unit id="1">{_UNITS}</trans-unit></body></file>'
)
_NEW_UNIT = f'<file id="f"><unit id="1"><segment>{_UNITS}</segment></unit></file>'
_SEGMENTS = '<src lang="pt"><p><seg id="1">Oi.</seg></p></src><ref lang="en"><p><seg id="1">Hi.</seg></p></ref>'
_SPANS = {"subj_start": 0, "subj_end": 0, "obj_start": 1, "obj_end": 1}

FORMS = (
    Form("columns (CoNLL)", "ner", {"dev.conll": "Ann B-PER\nleft O\n\nParis B-LOC\n"}),
    Form(
        "table of words, with commas (Kaggle)",
        "ner",
        {"dev.csv": "Sentence #,Word,Tag\nSentence: 1,Ann,B-PER\n,left,O\n"},
    ),
    Form(
        "CoNLL-U with `name=B-PER` behind", "pos", {"dev.conllu": "1\tAnn\tAnn\tPROPN\t_\t_\t0\troot\t_\tname=B-PER\n"}
    ),
    Form("JSON with `tokens` and `tags`", "ner", {"dev.jsonl": _lines({"tokens": ["Ann"], "tags": ["B-PER"]})}),
    _labelled("doccano, `label`", {"id": 1, "text": TEXT, "label": SPANS}),
    _labelled("doccano, `labels`", {"id": 1, "text": TEXT, "labels": SPANS}),
    _labelled(
        "doccano, `entities`",
        {
            "id": 1,
            "text": TEXT,
            "entities": [
                {"id": k, "label": t, "start_offset": s, "end_offset": e} for k, (s, e, t) in enumerate(SPANS)
            ],
            "relations": [],
        },
    ),
    _labelled("spaCy 2, JSON lines", {"text": TEXT, "entities": SPANS}),
    Form("spaCy 2, list of pairs", "ner", {"dev.json": json.dumps([[TEXT, {"entities": SPANS}]])}),
    Form(
        "spaCy 2, `classes` and `annotations`",
        "ner",
        {"dev.json": json.dumps({"classes": ["PER"], "annotations": [[TEXT, {"entities": SPANS}]]})},
    ),
    _labelled("spaCy, `Doc.to_json`", {"text": TEXT, "ents": _OBJECTS, "tokens": [{"id": 0, "start": 0, "end": 3}]}),
    Form("spaCy, DocBin", None, {"dev.spacy": zlib.compress(b"\x82\xa5attrs")}),
    _labelled("Prodigy", {"text": TEXT, "_input_hash": 1, "_task_hash": 2, "spans": _OBJECTS, "answer": "accept"}),
    Form("Prodigy, categories", "classification", {"dev.jsonl": _lines(_CATEGORY)}),
    Form(
        "Label Studio, JSON",
        "ner",
        {"dev.json": json.dumps([_TASK])},
    ),
    Form(
        "Label Studio, JSON-MIN",
        "ner",
        {"dev.json": json.dumps([{"text": TEXT, "label": [each["value"] for each in _RESULTS]}])},
    ),
    Form("Label Studio, choices", "classification", {"dev.json": json.dumps([_CHOSEN])}),
    Form("Label Studio, not annotated", None, {"dev.json": json.dumps([{"data": {"text": TEXT}}])}),
    Form(
        "Label Studio, two annotators",
        "ner",
        {"dev.json": json.dumps([{**_TASK, "annotations": _TASK["annotations"] * 2}])},
    ),
    Form("WebAnno TSV", None, {"dev.tsv": "#FORMAT=WebAnno TSV 3.3\n\n#Text=Ann left\n1-1\t0-3\tAnn\tPER\n"}),
    Form("spaCy 2, Python", None, {"dev.py": f"TRAIN_DATA = [\n    ({TEXT!r}, {{'entities': [(0, 3, 'PER')]}}),\n]\n"}),
    Form("Rasa, YAML", None, {"nlu.yml": "nlu:\n- intent: greet\n  examples: |\n    - hi [Ann](person)\n"}),
    Form(
        "spans of tokens (GLiNER, SpERT)",
        None,
        {"dev.json": json.dumps([{"tokenized_text": ["Ann"], "ner": [[0, 0, "PER"]]}])},
    ),
    Form("words with tags in a line", None, {"dev.txt": "Ann/B-PER left/O home/O\nBob/B-PER ran/O ./O\n"}),
    Form("brat", "ner", {"dev.ann": "T1\tPER 0 3\tAnn\nT2\tLOC 9 14\tParis\nR1\tx Arg1:T1 Arg2:T2\n", "dev.txt": TEXT}),
    _labelled(
        "ai4privacy, `privacy_mask`",
        {
            "source_text": TEXT,
            "privacy_mask": [{"value": TEXT[s:e], "start": s, "end": e, "label": t} for s, e, t in SPANS],
        },
    ),
    _labelled(
        "Argilla 2",
        {
            "fields": {"text": TEXT},
            "responses": {"spans": [{"value": _OBJECTS, "user_id": "u", "status": "submitted"}]},
        },
    ),
    _labelled("UBIAI", {"document": TEXT, "tokens": [{"start": s, "end": e, "entityLabel": t} for s, e, t in SPANS]}),
    _labelled("CLUENER", {"text": TEXT, "label": {"PER": {"Ann": [[0, 2]]}, "LOC": {"Paris": [[9, 13]]}}}),
    _labelled("any text with spans", {"paragraph": TEXT, "mentions": [{"begin": 0, "stop": 3, "type": "PER"}]}),
    Form("CoNLL-U", "pos", {"dev.conllu": "1\tAnn\tAnn\tPROPN\t_\t_\t0\troot\t_\t_\n"}),
    Form("columns of a word and its part of speech", "pos", {"dev.tsv": "Ann\tPROPN\nleft\tVERB\n\nParis\tPROPN\n"}),
    Form("table of texts", "classification", {"dev.csv": f"text,label\n{LEFT},good\n{OTHER},bad\n"}),
    Form("JSON with `text` and `label`", "classification", {"dev.jsonl": _lines({"text": LEFT, "label": "good"})}),
    Form("fastText", None, {"dev.txt": "__label__good Ann left\n__label__bad Bob stayed\n"}),
    Form(
        "columns of pandas",
        None,
        {"dev.json": json.dumps({"text": {"0": LEFT, "1": OTHER}, "tag": {"0": "x", "1": "y"}})},
    ),
    Form("doccano, text classification", "classification", {"dev.jsonl": _lines({"text": LEFT, "label": ["good"]})}),
    Form("table of pairs", "pairs", {"dev.tsv": f"premise\thypothesis\tlabel\n{LEFT}\t{OTHER}\tneutral\n"}),
    Form("QNLI", "pairs", {"dev.tsv": f"question\tsentence\tlabel\n{LEFT}?\t{OTHER}\tentailment\n"}),
    Form(
        "XML of ASSIN",
        "pairs",
        {
            "dev.xml": '<entailment-corpus><pair id="1" entailment="None" similarity="2"><t>Ann left</t><h>Ann went</h>'
            "</pair></entailment-corpus>"
        },
    ),
    Form(
        "JSON with `sentence` and `aspects`",
        "aspects",
        {"dev.jsonl": _lines({"sentence": "Good screen.", "aspects": [_SCREEN]})},
    ),
    Form(
        "XML of SemEval-2014",
        "aspects",
        {
            "dev.xml": '<sentences><sentence id="1"><text>Good screen.</text><aspectTerms><aspectTerm term="screen" '
            'polarity="positive" from="5" to="11"/></aspectTerms></sentence></sentences>'
        },
    ),
    Form(
        "XML of SemEval-2015 and 2016",
        "aspects",
        {
            "dev.xml": '<Reviews><Review><sentences><sentence id="1"><text>Good screen.</text><Opinions><Opinion '
            'target="screen" category="DISPLAY#QUALITY" polarity="positive" from="5" to="11"/><Opinion target="NULL" '
            'category="LAPTOP#GENERAL" polarity="positive" from="0" to="0"/></Opinions></sentence></sentences></Review>'
            "</Reviews>"
        },
    ),
    Form("SemEval-2010 task 8", "relations", {"dev.txt": '1\t"<e1>Ann</e1> left <e2>Lima</e2>."\nOther\nComment:\n\n'}),
    Form(
        "TACRED, JSON", "relations", {"dev.json": json.dumps([{"token": ["Ann", "left"], **_SPANS, "relation": "x"}])}
    ),
    Form(
        "JSON with a sentence, `subject`, `object`, `relation`",
        "relations",
        {"dev.jsonl": _lines({"text": "Ann left", "subject": [0, 3], "object": [4, 8], "relation": "x"})},
    ),
    Form(
        "OpenNRE",
        "relations",
        {"dev.jsonl": _lines({"token": ["Ann", "left"], "h": {"pos": [0, 1]}, "t": {"pos": [1, 2]}, "relation": "x"})},
    ),
    Form(
        "SemEval-2010 task 8, of the hub",
        "relations",
        {"dev.jsonl": _lines({"sentence": "<e1>Ann</e1> left <e2>Lima</e2>.", "relation": 18})},
    ),
    Form("CoNLL-2012, clusters in the last column", "coreference", {"dev.conll": _DOCUMENT}),
    Form(
        "CorefUD, `Entity=`",
        "coreference",
        {"dev.conllu": f"# global.Entity = eid\n1\tAnn{chr(9)}{chr(9).join('_' * 7)}\tEntity=(e1)\n\n"},
    ),
    Form(
        "CorefUD, `Entity=`, with parts of speech",
        "coreference",
        {"dev.conllu": "# global.Entity = eid\n1\tAnn\tAnn\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1)\n\n"},
    ),
    Form(
        "JSON lines with `sentences` and `clusters`",
        "coreference",
        {"dev.jsonl": _lines({"sentences": [["Ann", "left", "."]], "clusters": [[[0, 0]]]})},
    ),
    Form(
        "SQuAD, JSON", "reading", {"dev.json": json.dumps({"version": "1.1", "data": [{"paragraphs": [_PARAGRAPH]}]})}
    ),
    Form(
        "JSON with `context`, `question`, `answers`",
        "reading",
        {
            "dev.jsonl": _lines(
                {"context": TEXT, "question": "Who left?", "answers": {"text": ["Ann"], "answer_start": [0]}}
            )
        },
    ),
    Form("JSON with `context` and `qas`", "reading", {"dev.json": json.dumps([_PARAGRAPH])}),
    Form(
        "SQuAD, table",
        "reading",
        {"dev.csv": f'id,title,context,question,answers\n1,t,{TEXT},Who left?,"{_ANSWERED}"\n'},
    ),
    Form("table with `source` and `reference`", "translation", {"dev.tsv": "source\treference\nOi.\tHi.\n"}),
    Form("table with the codes of two languages", "translation", {"dev.tsv": "pt\ten\nOi.\tHi.\n"}),
    Form("JSON with `translation`", "translation", {"dev.jsonl": _lines({"translation": {"pt": "Oi.", "en": "Hi."}})}),
    Form("TMX", "translation", {"dev.tmx": f'<tmx><header srclang="pt"/><body><tu>{_UNIT}</tu></body></tmx>'}),
    Form("XLIFF 1.2", "translation", {"dev.xlf": f'<xliff version="1.2">{_OLD_UNIT}</xliff>'}),
    Form("XLIFF 2", "translation", {"dev.xlf": f'<xliff version="2.0" srcLang="pt" trgLang="en">{_NEW_UNIT}</xliff>'}),
    Form("XML of WMT", "translation", {"dev.xml": f'<dataset id="d"><doc origlang="pt">{_SEGMENTS}</doc></dataset>'}),
    Form("words with spaces between, a line each (SIGHAN)", "segmentation", {"dev.txt": "他 在 看 书 。\n"}),
    Form("columns of a character and B, M, E or S", "segmentation", {"dev.txt": "我 B\n们 E\n看 S\n"}),
    Form(
        "JSON with `question`, `options`, `target`",
        "choice",
        {"dev.jsonl": _lines({"id": "q1", "question": "Which?", "options": _OPTIONS, "target": 2})},
    ),
    Form("MMLU, JSON", "choice", {"dev.jsonl": _lines({"question": "Which?", "choices": _OPTIONS, "answer": 2})}),
    Form("MMLU, table without a header", "choice", {"dev.csv": "Which?,red,blue,green,black,C\n"}),
    Form(
        "ARC, `choices.label`",
        "choice",
        {"dev.jsonl": _lines({"question": "?", "choices": {"text": _OPTIONS, "label": [*"ABCD"]}, "answerKey": "C"})},
    ),
    Form(
        "CommonsenseQA, `question.choices`",
        "choice",
        {
            "dev.jsonl": _lines(
                {
                    "answerKey": "C",
                    "question": {
                        "stem": "?",
                        "choices": [{"label": k, "text": t} for k, t in zip("ABCD", _OPTIONS, strict=True)],
                    },
                }
            )
        },
    ),
    Form("HellaSwag", "choice", {"dev.jsonl": _lines({"ind": 1, "ctx": "Ann", "endings": _OPTIONS, "label": 2})}),
    Form("Social IQa", "choice", {"dev.jsonl": _lines({"context": "", "question": "?", **_ANSWERS, "label": "2"})}),
    *(Form(name, "choice", {"dev.jsonl": _lines(record)}) for name, record in _SETS.items()),
    Form(
        "DocRED",
        None,
        {"dev.json": json.dumps([{"sents": [["Ann", "left"]], "vertexSet": [], "labels": [], "title": "t"}])},
    ),
    Form(
        "SpERT, with relations",
        None,
        {"dev.json": json.dumps([{"tokens": ["Ann", "left"], "entities": [], "relations": []}])},
    ),
    Form("FewRel", None, {"dev.json": json.dumps({"P1": [{"tokens": ["Ann"], "h": ["ann"], "t": ["ann"]}]})}),
    Form("CoQA", None, {"dev.json": json.dumps({"version": "1", "data": [{"story": TEXT, "questions": []}]})}),
    Form(
        "SGML of WMT", None, {"dev.sgm": '<srcset setid="d" srclang="any">\n<doc docid="1">\n<seg id="1">Oi.</seg>\n'}
    ),
    Form("Chinese in GB 18030", None, {"dev.txt": "我 在 看 书 。\n他 是 中国 人 ，\n".encode("gb18030")}),
    Form("ZIP archive", None, {"dev.zip": b"PK\x03\x04"}),
)
"""All forms, those of one task together."""


@dataclass(frozen=True, slots=True)
class Found:
    """The message of each task that refuses a form, None for one that reads it, and the task that recognises it."""

    refusals: Mapping[str, str | None]
    recognised: str | None


def tried(form: Form) -> Found:
    """The form, given to every task."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, content in form.files.items():
            Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        given = next(iter(form.files))
        try:
            recognised = task_of_corpus(given).name
        except AbaloError:
            recognised = None
        return Found({name: _refusal(task, given) for name, task in tasks().items()}, recognised)


def _refusal(task: Task, spec: str) -> str | None:
    try:
        read_corpus(task, spec, RunOptions())
    except AbaloError as error:
        return str(error)
    return None


def made() -> str:
    """The whole page."""
    found = {form.name: tried(form) for form in FORMS}
    names = [*tasks()]
    rows = [[form, *(_cell(each, name) for name in names)] for form, each in found.items()]
    said = [
        [f"`{name}`", f"`{each.form.replace('|', ' or ')}`", each.meaning]
        for name, task in tasks().items()
        for each in task.corpus_kind.settings
    ]
    read_by = [
        [f"`{each.name}:PATH`", each.meaning, ", ".join(f"`{name}`" for name in each.suffixes) or "by the records"]
        for each in readers().values()
    ]
    of_readers = [
        [f"`{each.name}:`", f"`{setting.form.replace('|', ' or ')}`", setting.meaning]
        for each in readers().values()
        for setting in each.settings
    ]
    parts = [
        f"{INTRODUCTION}{table(['form', *names], rows)}",
        f"{READERS}{table(['reader', 'reads', 'chosen without its name'], read_by)}",
        f"{SETTINGS}{table(['task or reader', 'setting', 'meaning'], [*said, *of_readers])}",
        "## Forms that no task reads\n",
    ]
    for form, each in found.items():
        if None in each.refusals.values():
            continue
        by_message: dict[str, list[str]] = {}
        for name, message in each.refusals.items():
            if message is not None:
                by_message.setdefault(message, []).append(name)
        parts.append(f"### {form}\n")
        parts += [f"* {', '.join(names)}: {_quoted(message)}" for message, names in by_message.items()]
        parts.append("")
    return "\n".join(parts)


def _cell(found: Found, name: str) -> str:
    message = found.refusals[name]
    if message is None:
        return "**read**" if found.recognised == name else "*read*"
    return f"→ {found.recognised}" if f"--abalo-task {found.recognised}" in message else "refused"


def _quoted(message: str) -> str:
    """A message as code, its lines in a row."""
    return "`` " + " ".join(line.strip() for line in message.splitlines()) + " ``"
