"""Every reader takes or leaves out by name all that a naive counter finds in the file, and tells nothing of no loss."""

import json
import re

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.core.records.tally import Tally, add

NUMBER = 40


def table(head, row):
    return "\t".join(head) + "\n" + "".join("\t".join(row(k)) + "\n" for k in range(NUMBER))


def records(row):
    return "".join(json.dumps(row(k)) + "\n" for k in range(NUMBER))


def texts(lost):
    return table(["text", "label"], lambda k: (f"text {k}", "" if k in lost else "ab"[k % 2]))


def pairs(lost):
    return table(
        ["premise", "hypothesis", "label"],
        lambda k: (f"Ann {k} left.", "She left.", "-" if k in lost else ("entailment", "neutral")[k % 2]),
    )


def relations(lost):
    where = {"subject": {"from": 0, "to": 3}, "object": {"from": 9, "to": 13}}
    return records(lambda k: {"text": f"Ann left Rome {k}.", **where, "relation": None if k in lost else "ab"[k % 2]})


def aspects(lost):
    """A conflict, no word, the same place again: one after the other."""

    def row(k):
        good = {"term": "screen", "polarity": "positive", "from": 5, "to": 11}
        other = [
            {"term": "keyboard", "polarity": "conflict", "from": 13, "to": 21},
            {"term": "NULL", "polarity": "neutral"},
            good,
        ][k % 3]
        return {"sentence": f"Good screen, keyboard {k}.", "aspects": [good, *[other] * (k in lost)]}

    return records(row)


def questions(lost):
    return records(lambda k: {"question": f"Who {k}?", "options": ["x", "y"], "answer": -1 if k in lost else k % 2})


def spans(lost):
    def row(k):
        own = [{"start": 0, "end": 3, "label": "PER"}]
        return {"text": f"Ann left {k}.", "spans": own, "answer": "reject" if k in lost else "accept"}

    return records(row)


def tags(lost):
    return "".join(f"1\tw{k}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n" for k in range(NUMBER))


def trees(lost):
    return "".join(
        f"1\tw{k}\t_\tNOUN\t_\t_\t{'_' if k in lost else 0}\t{'_' if k in lost else 'root'}\t_\t_\n\n"
        for k in range(NUMBER)
    )


def documents(lost):
    """One more mention of a document is that of a word that is not written."""
    zero = "1.1\t_\t_\t_\t_\t_\t_\t_\t1:dep\tEntity=(e1-x-1)\n"
    return "# global.Entity = eid-etype-head-other\n" + "".join(
        f"# newdoc id = d{k}\n1\tw{k}\t_\tX\t_\t_\t0\troot\t_\tEntity=(e1-x-1)\n{zero * (k in lost)}\n"
        for k in range(NUMBER)
    )


def passages(lost):
    return records(
        lambda k: {
            "id": str(k),
            "context": "Ann left.",
            "question": f"Who {k}?",
            "answers": ["" if k in lost else "Ann"],
        }
    )


def words(lost):
    return "".join(f"我们{'_PN' if k in lost else ''} 看 {k} 书\n" for k in range(NUMBER))


def units(lost):
    def unit(k):
        other = "" if k in lost else f'<tuv xml:lang="pt"><seg>gato {k}</seg></tuv>'
        return f'<tu><tuv xml:lang="en"><seg>cat {k}</seg></tuv>{other}</tu>'

    return f'<tmx version="1.4"><header srclang="en"/><body>{"".join(map(unit, range(NUMBER)))}</body></tmx>'


# Task, file, writer, what stands once for each thing in the file, noun, and what is counted of the corpus.
READERS = [
    ("classification", "a.tsv", texts, r"\ntext ", "text"),
    ("pairs", "a.tsv", pairs, r"\nAnn ", "pair"),
    ("relations", "a.jsonl", relations, r"\"object\"", "sentence"),
    ("aspects", "a.jsonl", aspects, r"\"polarity\"", "aspect"),
    ("choice", "a.jsonl", questions, r"\"options\"", "question"),
    ("ner", "a.jsonl", spans, r"\"text\"", "record"),
    ("pos", "a.conllu", tags, r"(?m)^1\t", "sentence"),
    ("parsing", "a.conllu", trees, r"(?m)^1\t", "sentence"),
    ("coreference", "a.conllu", documents, r"newdoc", "document"),
    ("reading", "a.jsonl", passages, r"\"question\"", "question"),
    ("segmentation", "a.txt", words, r"书", "sentence"),
    ("translation", "a.tmx?from=en&to=pt", units, r"<tu>", "unit"),
]
UNHURT = {  # These lose a part, no example: so many things are told.
    "parsing": r"([\d,]+) words? without a head",
    "coreference": r"([\d,]+) mentions? of empty nodes",
    "reading": r"([\d,]+) questions? with answers that are empty",
    "segmentation": r"([\d,]+) words? ending in",
}


def read(tmp_path, task, name, text):
    (tmp_path / name.partition("?")[0]).write_text(text, "utf-8")
    return tasks()[task].read(f"{tmp_path}/{name}", RunOptions())


def numbers(line, pattern):
    return sum(int(each.replace(",", "")) for each in re.findall(pattern, line))


def test_every_task_has_a_reader_here():
    assert {task for task, *_ in READERS} == {*tasks()}


@pytest.mark.parametrize("lost", [(), (3,), (2, 5, 9, 10, 31), tuple(range(1, NUMBER))], ids=len)
@pytest.mark.parametrize(("task", "name", "write", "mark", "noun"), READERS, ids=[each[0] for each in READERS])
def test_what_is_read_and_what_is_left_out_is_the_file(tmp_path, task, name, write, mark, noun, lost):
    text = write({*lost})
    corpus = read(tmp_path, task, name, text)
    lines = [each for each in corpus.notices if each.startswith("Read ")]
    line = lines[0] if lines else ""
    out = numbers(line.partition("left out")[2], rf"([\d,]+) {noun}s? ")
    assert len(corpus.examples) + out == len(re.findall(mark, text))
    falls = 0 if task in {*UNHURT, "pos"} else len(lost)
    assert out == falls
    assert numbers(line, UNHURT.get(task, r"([\d,]+) of nothing")) == (len(lost) if task in UNHURT else 0)
    assert len(lines) == bool(lost and task != "pos")
    assert not lines or corpus.notices[-1] == line


def test_entities_of_spans_are_read_or_left_out_by_name(tmp_path):
    draws = [[(0, 3)], [(0, 3), (0, 3)], [(0, 8), (4, 8)], [], [(0, 3), (9, 13), (0, 8)], [(9, 13), (9, 13), (9, 13)]]
    rows = [
        {"text": "Ann left Rome.", "spans": [{"start": a, "end": b, "label": "X"} for a, b in draws[k % len(draws)]]}
        for k in range(60)
    ]
    text = "".join(json.dumps(each) + "\n" for each in rows)
    corpus = read(tmp_path, "ner", "a.jsonl", text)
    kept = sum(corpus.entity_counts.values())
    line = corpus.notices[-1]
    assert numbers(line, r"sentences, ([\d,]+) entit") == kept
    assert kept + numbers(line.partition("left out")[2], r"([\d,]+) entit") == text.count('"start"')
    assert numbers(line, r"([\d,]+) entit\w+ given before") == 30  # one of the second form, two of the last


def test_the_lines_of_parts_add_up_to_that_of_the_whole():
    parts = [Tally(), Tally(), Tally()]
    for number, each in enumerate(parts, start=1):
        each.read("entity", 1000 * number)
        each.left_out("entity", "given before", number - 1)
        each.left_out("text", "of no use", first=f"in line {number}")
    whole = add(each.to_json() for each in parts)
    assert whole.lines() == (
        "Read 6,000 entities; left out 3 entities given before, 3 texts of no use (the first in line 1).",
    )
    assert add([]).lines() == ()
