"""Readers and their patterns take time in the size of a text, also of the worst one for them."""

import importlib
import json
import pkgutil
import re
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest

import abalo.corpora
import abalo.models
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.corpora import foreign
from abalo.corpora.running_text import running_text
from abalo.corpora.spans import _clusters
from abalo.errors import AbaloError
from tests.readers import cpu_limit
from tests.worst_texts import worst_texts

CONLLU = "{}\t{}\t_\tNOUN\t_\t_\t{}\tdep\t_\t{}\n".format
FUD = "# global.Entity = eid\n# newdoc id = d\n"


def lines(*records):
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records)


def spans(text, every):
    return lines(
        {"text": text, "spans": [{"start": k, "end": k + 1, "label": "X"} for k in range(0, len(text), every)]}
    )


def squad(passage, number):
    asked = [{"question": "Who?", "answers": [{"text": "Ann", "answer_start": 0}]}] * number
    return json.dumps({"data": [{"paragraphs": [{"context": passage, "qas": asked}]}]})


def table(row):
    return "".join(",".join(row(k) for k in range(10_000)) + f",{last}\n" for last in ("text,label", "a,b"))


def unit(inner):
    return f'<tu><tuv xml:lang="en"><seg>{inner}</seg></tuv><tuv xml:lang="pt"><seg>x</seg></tuv></tu>'


def nested(name, number):
    return f"<{name}>" * number + f"</{name}>" * number


def aspects(number):
    row = {"polarity": "positive", "term": "good"}
    return lines(
        {"sentence": "good one " * 3000, "aspects": [{**row, "from": 9 * k, "to": 9 * k + 4} for k in range(number)]}
    )


# Task, name, text of about 100 kB, or of what took seconds before.
WORST = {
    "brackets that never close": ("coreference", "a.conllu", FUD + CONLLU(1, "w", 0, "Entity=" + "(e1-x" * 20_000)),
    "brackets without a word": ("coreference", "a.conllu", FUD + CONLLU(1, "w", 0, "Entity=" + "(" * 90_000)),
    "a name of blanks": ("coreference", "a.conllu", "# newdoc id =" + " " * 90_000 + "\n" + CONLLU(1, "w", 0, "_")),
    "a begin line of blanks": ("coreference", "a.conll", "#begin document a" + " " * 90_000 + "x\n"),
    "a begin line of brackets": ("coreference", "a.conll", "#begin document " + "()" * 45_000 + "\n"),
    "windows": (
        "coreference",
        "a.conll?window=1",
        "#begin document (d); part 0\n"
        + "".join(f"a\t0\t0\tw\t-\t({k})\n\n" for k in range(5_500))
        + "#end document\n",
    ),
    "a chain of heads": ("parsing", "a.conllu", "".join(CONLLU(k, "w", k - 1, "_") for k in range(1, 4_500)) + "\n"),
    "a word of many": ("segmentation", "a.conllu", CONLLU(1, "a " * 45_000 + "我", 0, "_") + "\n"),
    "tags behind tags": ("segmentation", "a.txt", "我 " + "我_a" * 18_000 + " 我\n"),
    "a judgment": ("ner", "a.jsonl", spans("é" * 2_300, 1)),
    "entities in entities": (
        "ner",
        "a.jsonl",
        lines({"text": "é " * 1_200, "spans": [{"start": k, "end": 2_400 - k, "label": "X"} for k in range(1_199)]}),
    ),
    "a tag that is long": ("ner", "a.jsonl", lines({"tokens": ["w", "v"], "tags": ["O", "B" + "x" * 90_000]})),
    "an id of lines below": ("ner", "a.conll", "_" * 90_000 + " w O\n_ v O\n"),
    "flags": ("classification", "a.jsonl", lines({"text": "🇵" * 25_000, "label": "x"})),
    "dots between letters": ("classification", "a.jsonl", lines({"text": "a." * 50_000, "label": "x"})),
    "blanks": ("classification", "a.txt", " " * 99_000 + "x"),
    "a wide table": ("classification", "a.csv", table(lambda k: f"c{k}")),
    "a wide table of options": ("choice", "a.csv", table(lambda k: f"c{k}").replace("text,label", "question,answer")),
    "a wide record": (
        "classification",
        "a.jsonl",
        lines({**{f"c{k}": 1 for k in range(9_000)}, "text": "a", "label": "b"}),
    ),
    "a key twice": ("classification", "a.jsonl", "{" + ",".join(f'"k{k}":1' for k in range(9_000)) + ',"k8999":1}\n'),
    "questions about a passage": ("reading", "a.json", squad("Ann left home. " * 3_300, 500)),
    "answers elsewhere": (
        "reading",
        "a.jsonl",
        lines({"context": "ab " * 16_000, "question": "q", "answers": [{"text": "ab", "answer_start": 1}] * 1_200}),
    ),
    "aspects of a sentence": ("aspects", "a.jsonl", aspects(400)),
    "marks that never end": ("relations", "a.txt", '1\t"' + "<e1>" * 24_000 + '"\nOther\n\n'),
    "subjects alone": ("relations", "a.jsonl", '{"subject":' * 9_000 + "\n"),
    "elements in a text": ("translation", "a.tmx?from=en&to=pt", f"<tmx>{unit(nested('hi', 11_000))}</tmx>"),
    "units in units": ("translation", "a.tmx?from=en&to=pt", f"<tmx>{nested('tu', 10_000)}</tmx>"),
    "files in files": ("translation", "a.xlf?from=en&to=pt", f"<xliff>{nested('file', 6_000)}</xliff>"),
    "documents in documents": ("translation", "a.xml?from=en&to=pt", f"<dataset>{nested('doc', 7_000)}</dataset>"),
}


@pytest.mark.parametrize(("task", "name", "text"), WORST.values(), ids=WORST)
def test_100_kb_are_read_in_two_seconds(tmp_path, task, name, text):
    (tmp_path / name.partition("?")[0]).write_text(text, "utf-8")
    with cpu_limit(), suppress(AbaloError):
        tasks()[task].read(f"{tmp_path}/{name}", RunOptions())


# Patterns -------------------------------------------------------------------------------------------------------------

SIZE, SHORT = 20_000, 0.3
"""One pass takes about a millisecond of CPU, a step for each pair of places more than half a second."""

BOUNDED = {
    "abalo.corpora.foreign._BEGINNINGS": "the first 3,000 characters",
    "abalo.corpora.foreign._TAGGED_WORD": "words of the first 3,000 characters",
    "abalo.corpora.language_tags._IN_NAMES": "the name of a file",
    "abalo.models.prompts.reply_words.SAYING": "a sentence of some hundred characters",
    "abalo.models.prompts.reply_words.SENTENCES": "a sentence of some hundred characters",
}
"""Patterns that see no more."""

METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")


MODULES = [
    each.name
    for room in (abalo.corpora, abalo.models)
    for each in pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
]


def patterns_in(value, depth=0):
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | dict) and depth < 3:
        for each in value.values() if isinstance(value, dict) else value:
            yield from patterns_in(each, depth + 1)


SOURCES = {path: path.read_text("utf-8") for path in Path(abalo.models.__file__).parents[1].rglob("*.py")}


def own_patterns(module: ModuleType):
    """The patterns that a module makes itself, by name."""
    for name, value in vars(module).items():
        if re.search(rf"^(?:\w+, )*{name}\b[^=\n]*=", SOURCES[Path(module.__file__)], re.MULTILINE):
            yield from ((name, pattern) for pattern in patterns_in(value))


def methods_of(name: str, module: ModuleType):
    """How a pattern is used where it is made or imported; all ways if that is not to be seen."""
    own = SOURCES[Path(module.__file__)]
    texts = [own, *(text for text in SOURCES.values() if f"from {module.__name__} import" in text and name in text)]
    names = {name, *(each for text in texts for each in re.findall(rf"for (\w+) in [^:\n]*\b{name}\b", text))}
    used = {found for text in texts for found in re.findall(rf"\b(?:{'|'.join(names)})\.(\w+)", text)} & {*METHODS}
    return sorted(used) or ["search", "match", "fullmatch"]


def tried(pattern, methods, start, pump, end, size):
    text = start + pump * (size // len(pump)) + end
    given = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
    for method in methods:
        found = getattr(pattern, method)(*[b"" if isinstance(given, bytes) else ""] * (method == "sub"), given)
        for _ in found if method == "finditer" else ():
            pass


def slow_texts(pattern, methods):
    """The first text on which a pattern takes longer."""
    for start, pump, end in worst_texts(pattern):
        for size in (30, 70, SIZE):
            try:
                with cpu_limit(SHORT):
                    tried(pattern, methods, start, pump, end, size)
            except AssertionError:
                yield start, pump, end, size
                return


@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_patterns_are_linear_in_their_worst_texts(module):
    module = importlib.import_module(module)
    found = [
        (name, pattern.pattern, text)
        for name, pattern in own_patterns(module)
        if f"{module.__name__}.{name}" not in BOUNDED
        for text in slow_texts(pattern, methods_of(name, module))
    ]
    assert not found


@pytest.mark.parametrize("written", [r"(?:\([^()]+\)?|[^()]+\))*", r"(.*\S.*)[-_]([BI])", r"(a+)+b", r"\s*\[?\s*\{"])
def test_patterns_that_were_slow_here_are_found(written):
    assert [*slow_texts(re.compile(written), ["fullmatch", "match"])]


def test_beginnings_of_foreign_forms_are_looked_for_in_a_few_characters(tmp_path):
    for pump in ("('", "nlu:\n", " ", "a/B-", "(", '["a",', "\n", "__label__"):
        with cpu_limit(), suppress(AbaloError):
            foreign.refuse_text(pump * 50_000, tmp_path / "x.txt")


TOKENS = (
    "a",
    "a.",
    "a@",
    "a@b-",
    "www.",
    "http://!",
    "1.",
    "a-",
    'א\u05b0"',
    "e\u0301",
    "\u0301",
    "👩\u200d",
    "ก",
    "🇵",
    "@",
    ".",
    "a'",
)


@pytest.mark.parametrize("pump", TOKENS, ids=ascii)
def test_words_of_running_text_are_found_in_one_pass(pump):
    with cpu_limit():
        running_text(pump * (40_000 // len(pump)))
        _clusters(pump * (40_000 // len(pump)))


def test_flags_are_one_cluster_each():
    assert running_text("🇵🇹🇧🇷 🇵").tokens == ("🇵🇹", "🇧🇷", "🇵")
    assert _clusters("a🇵🇹\u200d🇧🇷e\u0301") == [0, 1, 4, 6, 8]
