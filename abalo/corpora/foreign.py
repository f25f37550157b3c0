"""Recognises forms that no task reads, of any task, and raises errors with a way out."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from pathlib import Path

from abalo.errors import AbaloError, visible
from abalo.files import is_file

_COLUMNS = "expected a token and its tag on each line"

GIT_LFS = b"version https://git-lfs.github.com/spec/"

_BINARY = (
    (re.escape(GIT_LFS), "a pointer of Git LFS, not the file; run git lfs pull"),
    (rb"PAR1(?s:.*)PAR1\Z", "a Parquet file; put it in a folder by the name of its split and give hub:FOLDER:SPLIT"),
    (rb"ARROW1\0\0", "an Arrow file; write it as JSON lines with 'tokens' and 'tags' and give that file"),
    (rb"\xff\xff\xff\xff", "an Arrow file; give the folder that save_to_disk wrote, in which it is"),
    (rb"PK\x03\x04", "a ZIP archive; unpack it and give a file in it, or pack that file with gzip"),
    (rb"BZh[1-9]1AY&SY", "packed with bzip2; unpack it, or pack it with gzip"),
    (rb"\xfd7zXZ\0", "packed with xz; unpack it, or pack it with gzip"),
    (rb"\x28\xb5\x2f\xfd", "packed with Zstandard; unpack it, or pack it with gzip"),
    (rb"\x1f\x8b", "packed with gzip twice; unpack it once"),
)

_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_BRAT_LINE = re.compile(r"(?:T\d+\t\S+ \d+ \d+(?:;\d+ \d+)*\t|[REAMN]\d+\t\S+ \S|\*\t\S+ T\d+ )")
_WORD_ID = re.compile(r"[1-9]\d*(?:-[1-9]\d*)?|0\.[1-9]\d*")

_BRAT = "the text of annotations of brat in {name}; {expected}; give that file, or its folder"
_DOCBIN = (
    "a DocBin of spaCy; {expected}; give the file that python -m spacy convert made it from, or write "
    "the text and ent_iob_-ent_type_ of each token in its docs"
)
_NO_ANNOTATION = (
    "tasks of Label Studio without an annotation; {expected}; export them once they are annotated, as JSON or CONLL2003"
)
_OF_TOKENS = (
    "tokens with spans that count tokens, not characters; {expected}; write JSON lines with 'tokens' and 'tags', B- "
    "and I- where a span is"
)
_SPACY_TRAINING = (
    "the JSON that spaCy 2 was trained on; {expected}; write the 'orth' and the 'ner' of each of its tokens, one on a "
    "line"
)
_PANDAS = "columns of pandas; expected a record for each row; write it with to_json(FILE, orient='records', lines=True)"
_WEBANNO = (
    "WebAnno TSV, of INCEpTION or WebAnno; {expected}; export it as CoNLL 2002 or CoNLL 2003 there, and give that file"
)
_SPACY_CODE = (
    "Python code with texts and entities; expected JSON; write it: json.dump(TRAIN_DATA, open('train.json', 'w')), "
    "and give that file"
)
_RASA = (
    "training data of Rasa; expected its JSON; write it with rasa data convert nlu -f json --data FILE --out nlu.json, "
    "and give that file"
)
_FAST_TEXT = (
    "texts for fastText; expected a table with the columns text and label; write labels there in place of __label__"
)
_IN_LINES = (
    "words with their tags in one line, such as {example}; {expected}; write a word and its tag on each line, and an "
    "empty line between sentences"
)
_CONLLU = (
    "CoNLL-U, which has parts of speech and heads but no column for entities; {expected}; judge tagging with "
    "--abalo-task pos, or give columns of the words and their entity tags"
)


_PAIRS = "write a record for each relation: 'token', 'subject' and 'object' as [first, last + 1] in it, 'relation'"
_ASKED = "write JSON lines with 'context', 'question' and 'answers', each with 'text' and 'answer_start'"
_OPTIONS = "write JSON lines with 'question', 'options' and 'target'"
_CLUSTERS = "write JSON lines with 'sentences' and 'clusters', lists of [first, last] token of the document"
_TWO_FILES = "write two files with a line a text, source and reference, and give both with a comma between"

_KEYS = (
    (
        "vertexSet sents",
        (
            f"DocRED, with relations of documents; expected a sentence with two spans; {_PAIRS}, where both "
            "mentions of 'vertexSet' have one 'sent_id'"
        ),
    ),
    (
        "tokens entities relations",
        (
            f"the JSON of SpERT; expected one relation a record; {_PAIRS}; or, for entities, lines "
            "with 'tokens' and 'tags'"
        ),
    ),
    ("story questions", f"CoQA, whose questions go on from each other; expected questions that stand alone; {_ASKED}"),
    ("passage qa_pairs", f"DROP, whose answers are counted; expected answers that stand in the passage; {_ASKED}"),
    ("supporting_facts context", f"HotpotQA, with several passages; expected one passage a question; {_ASKED}"),
    ("document_text question_text", f"Natural Questions; expected one passage a question; {_ASKED}"),
    ("query passages", f"MS MARCO, with several passages; expected one passage a question; {_ASKED}"),
    (
        "article questions options",
        f"RACE, several questions a record; expected one question; {_OPTIONS}, the article with the question",
    ),
    (
        "sentences mention_clusters",
        f"PreCo, whose mentions count the words of sentences; expected those of documents; {_CLUSTERS}",
    ),
    (
        "span1_text span2_text",
        f"a set of WSC, with one pair of mentions; expected all mentions of a document; {_CLUSTERS}",
    ),
)
"""Keys of a record, the form that they tell, what is expected and the way out."""


def refuse_binary(data: bytes, path: Path) -> None:
    """Raises `AbaloError` for archives, tables and spaCy documents."""
    for beginning, found in _BINARY:
        if re.match(beginning, data):
            raise AbaloError(f"{visible(path)}: {found}")
    if path.name.lower().endswith((".spacy", ".spacy.gz")) or _is_docbin(data):
        _refuse(path, _DOCBIN)


_BEGINNINGS = (
    (re.compile(r"\A#FORMAT=WebAnno"), _WEBANNO),
    (re.compile(r"[(\[]\s*u?(['\"]).+\1\s*,\s*\{\s*['\"]entities['\"]\s*:\s*\[\s*\("), _SPACY_CODE),
    (re.compile(r"^nlu:\s*$(?s:.*)^\s+examples:\s*\|", re.MULTILINE), _RASA),
    (re.compile(r"\A\s*## (?:intent|synonym|lookup|regex):"), _RASA),
    (re.compile(r"\A\s*__label__\S+[ ,]"), _FAST_TEXT),
    (
        re.compile(r"<(?:srcset|refset|tstset)\s", re.IGNORECASE),
        f"SGML of WMT; expected its XML, or texts; {_TWO_FILES}, as sacrebleu writes them",
    ),
    (re.compile(r'^msgid "', re.MULTILINE), "a catalogue of gettext; expected XLIFF or TMX; write it with po2xliff"),
    (
        re.compile(r"\A\s*\d+\s*\n\d\d:\d\d:\d\d,\d{3} --> "),
        f"subtitles; expected texts with their translations; {_TWO_FILES}",
    ),
    (
        re.compile(r"\A[^\n]*\$T\$[^\n]*\n[^\n]+\n-?[01]\s*(?:\n|\Z)"),
        (
            "three lines an aspect, with $T$ for its words; expected JSON; write lines with 'sentence' and 'aspects', "
            "each with 'term', 'from', 'to' and 'polarity'"
        ),
    ),
    (
        re.compile(r"\A\s*[abcd]\n[^\n]+\n[^\n]+\nA\."),
        f"the text of LogiQA, eight lines a question; expected records; {_OPTIONS}, the passage with the question",
    ),
    (
        re.compile(r"\A\s*\(\s*(?:TOP|ROOT|S1?)?\s*\((?:S|NP|IP|CP|SBARQ|SINV|SQ|FRAG)[\s(-]"),
        "trees of constituents; expected heads; write CoNLL-U with a converter to Universal Dependencies",
    ),
    (
        re.compile(r"\AID\tText\tPronoun\tPronoun-offset\t"),
        f"GAP, with one pronoun a text; expected all mentions of a document; {_CLUSTERS}",
    ),
)
"""Signs of forms in the beginning of a text, what they tell, what is expected and the way out."""

_BEGUN = 3000
"""Characters of that beginning."""

_TAGGED_WORD = re.compile(r"\S+[/|_](?:O|[BIESLUM]-[^\s/|]+)")


_TEXTS = frozenset(("text", "sentence", "review", "content", "premise", "sentence1", "source_text", "document"))


def refuse_text(text: str, path: Path) -> None:
    """Raises `AbaloError` for other programs' text formats."""
    begin = text[:_BEGUN]
    for sign, found in _BEGINNINGS:
        if sign.search(begin):
            _refuse(path, found)
    line = next((line for line in begin.split("\n") if line.strip()), "").split()
    if len(line) > 1 and all(map(_TAGGED_WORD.fullmatch, line)):
        raise AbaloError(f"{visible(path)}: {_IN_LINES.format(expected=_COLUMNS, example=visible(line[0]))}")


def refuse_brat(path: Path) -> None:
    """Raises `AbaloError` for a text that brat annotates in another file."""
    beside = path.with_suffix(".ann")
    if path.suffix.lower() == ".txt" and _begins_as_brat(beside):
        raise AbaloError(f"{visible(path)}: {_BRAT.format(name=visible(beside.name), expected=_COLUMNS)}")


def refuse_export(record: object, source: str) -> None:
    """Raises `AbaloError` for unsupported exported records."""
    if not isinstance(record, Mapping) or {"tokens", "tags"} <= record.keys():
        return
    listed = record.get("data")
    inner = listed[0] if isinstance(listed, list) and listed else next(iter(record.values()), None)
    names = [{*each} for each in (record, inner) if isinstance(each, Mapping)]
    for keys, found in _KEYS:
        if any(each.issuperset(keys.split()) for each in names):
            _refuse(source, found)
    if record and all(_holds_few_shots(each) for each in record.values()):
        _refuse(source, f"FewRel, records by relation; expected one relation a record; {_PAIRS}")
    if "question" in record:
        return
    if isinstance(record.get("paragraphs"), list) and "id" in record:
        _refuse(source, _SPACY_TRAINING)
    if _counts_tokens(record):
        _refuse(source, _OF_TOKENS)
    if len(record) > 1 and all(isinstance(column, Mapping) and "0" in column for column in record.values()):
        _refuse(source, _PANDAS)
    listed = all(isinstance(column, list) for column in record.values())
    if {"columns", "index", "data"} == record.keys() or (listed and not _TEXTS.isdisjoint(record)):
        _refuse(source, _PANDAS)
    data = record.get("data")
    if isinstance(data, Mapping) and record.keys() <= {"id", "data", "meta", "predictions"}:
        _refuse(source, _NO_ANNOTATION)


def _holds_few_shots(value: object) -> bool:
    first = value[0] if isinstance(value, list) and value else None
    return isinstance(first, Mapping) and {"tokens", "h", "t"} <= first.keys()


def _counts_tokens(record: Mapping[object, object]) -> bool:
    tokens = next((record[key] for key in ("tokens", "tokenized_text", "sentences") if key in record), None)
    if not isinstance(tokens, list) or any(isinstance(record.get(key), str) for key in _TEXTS):
        return False
    spans = next((record[key] for key in ("ner", "entities", "spans") if key in record), None)
    first = spans[0] if isinstance(spans, list) and spans else None
    return (isinstance(first, list) and bool(first)) or (
        isinstance(first, Mapping) and {"start", "end"} <= first.keys()
    )


def refuse_conllu(text: str, source: str) -> None:
    """Raises `AbaloError` for CoNLL-U."""
    if is_conllu(text):
        _refuse(source, _CONLLU)


def is_conllu(text: str) -> bool:
    """Whether the first word has ten columns."""
    line = next((line for line in text.split("\n") if line.strip() and not line.startswith("#")), "")
    cells = line.rstrip("\r").split("\t")
    return len(cells) == 10 and bool(_WORD_ID.fullmatch(cells[0])) and (cells[6].isdecimal() or cells[6] == "_")


def _refuse(source: object, message: str) -> None:
    raise AbaloError(f"{visible(source)}: {message.format(expected=_COLUMNS)}")


def _is_docbin(data: bytes) -> bool:
    if not data.startswith(_ZLIB):
        return False
    try:
        return b"attrs" in zlib.decompressobj().decompress(data[:4096], 256)
    except zlib.error:
        return False


def _begins_as_brat(path: Path) -> bool:
    if not is_file(path):
        return False
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            return _BRAT_LINE.match(file.readline(4096)) is not None
    except OSError:
        return False
