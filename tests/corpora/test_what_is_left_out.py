"""What readers take and what they leave out by name is all of the file, by counters that share no code with them."""

import json
import random
import re
from collections import Counter

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.corpora import conllu
from abalo.corpora.coreference import parse
from abalo.corpora.findings import Findings
from abalo.corpora.parallel import load as load_texts
from abalo.corpora.segmented import parse as parse_words
from abalo.tasks.classification.task import TASK as CLASSIFICATION
from abalo.tasks.parsing.corpus import arcs_of
from abalo.tasks.parsing.corpus import load as load_trees
from abalo.tasks.reading.corpus import load as load_questions
from perturbations.documents import mentions_of
from tests.texts import TextWith


def numbers(notices, pattern):
    """The number before a phrase in all notices, 0 without one."""
    return sum(int(found.replace(",", "")) for each in notices for found in re.findall(rf"([\d,]+) {pattern}", each))


def corefud(seed):
    """Documents with words, zeros at any place, mentions of both and mentions with gaps; no two alike."""
    draws = random.Random(seed)
    lines = ["# global.Entity = eid-etype-head-other"]
    for document in range(4):
        lines.append(f"# newdoc id = d{document}")
        number = 0
        for _ in range(draws.randint(1, 4)):
            if draws.random() < 0.3:
                number += 1
                lines.append(f"0.1\t_\tela\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=(e{draws.randint(1, 3)}-person-1)")
            word = 0
            while word < 6:
                word += 1
                marks, kind = "_", draws.random()
                name = f"e{draws.randint(1, 3)}"
                number += 1
                if kind < 0.4:
                    marks = f"Entity=({name}-person-1)"
                elif kind < 0.5 and word < 5:
                    gap = f"g{number}"
                    lines.append(f"{word}\tw{number}\t_\tX\t_\t_\t0\troot\t_\tEntity=({gap}[1/2]-person-1)")
                    lines.append(f"{word + 1}\tv{number}\t_\tX\t_\t_\t0\troot\t_\t_")
                    lines.append(f"{word + 2}\tu{number}\t_\tX\t_\t_\t0\troot\t_\tEntity=({gap}[2/2]-person-1)")
                    word += 2
                    continue
                elif kind < 0.6:
                    lines.append(f"{word}\tw{number}\t_\tX\t_\t_\t0\troot\t_\tEntity=({name}-person-1")
                    lines.append(f"{word}.1\t_\tela\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity={name})")
                    continue
                lines.append(f"{word}\tw{number}\t_\tX\t_\t_\t0\troot\t_\t{marks}")
                if draws.random() < 0.3:
                    lines.append(f"{word}.1\t_\tela\tPRON\t_\t_\t_\t_\t1:nsubj\tEntity=({name}-person-1)")
            lines.append("")
    return "\n".join(lines) + "\n"


def counted(text):
    """Mentions in all, those of zeros alone, those with gaps, clusters with none and with one mention left."""
    kept, lost, total, zeros, gaps = {}, {}, 0, 0, 0
    document, open_at, words = "", {}, 0
    for line in text.split("\n"):
        if line.startswith("# newdoc"):
            document, open_at, words = line, {}, 0
        cells = line.split("\t")
        if len(cells) != 10:
            continue
        words += "." not in cells[0]
        start = words - ("." not in cells[0])
        for opens, name, closes in re.findall(
            r"(\(?)([eg]\d+(?:\[\d/\d\])?)[^()]*(\)?)", cells[9].replace("Entity=", "")
        ):
            cluster, part = name.partition("[")[::2]
            if part:
                total += part == "1/2]"
                gaps += part == "1/2]"
                if part == "1/2]":
                    lost.setdefault((document, cluster), []).append(name)
                continue
            if opens:
                open_at[name] = start
                total += 1
            if closes:
                is_zero = open_at.pop(name) == words
                zeros += is_zero
                (lost if is_zero else kept).setdefault((document, cluster), []).append(name)
    gone = sum(cluster not in kept for cluster in lost)
    return total, zeros, gaps, gone, sum(len(kept.get(cluster, ())) == 1 for cluster in lost)


@pytest.mark.parametrize("seed", range(12))
def test_mentions_of_corefud_are_read_or_left_out_by_name(seed):
    text = corefud(seed)
    findings = Findings("x.conllu", lenient=False)
    read = sum(len(mentions_of(each)) for each in parse(text, findings, suffix=".conllu"))
    findings.raise_any()
    total, zeros, gaps, gone, alone = counted(text)
    told = findings.told[:1]
    assert numbers(told, "mentions? of empty nodes alone") == zeros
    assert numbers(told, "mentions? with gaps") == gaps
    assert numbers(told, "clusters? of such mentions alone") == gone
    assert numbers(told, "clusters? with one mention left") == alone
    assert read + zeros + gaps == total
    assert numbers(told, "mentions?; left out") == read


ZERO = "2.1\t_\tela\tPRON\t_\t_\t_\t_\t2:nsubj\tEntity=(e1-person-1)\n"


@pytest.mark.parametrize(
    ("zero", "left_out"),
    [
        ("", ()),
        (ZERO, ("1 mention of empty nodes alone", "1 cluster with one mention left")),
        (
            ZERO.replace("(e1-person-1)", "(e2-person-1)"),
            ("1 mention of empty nodes", "1 cluster of such mentions alone"),
        ),
        (
            ZERO.replace("(e1-person-1)", "(e2-person-1)(e1-person-1)"),
            ("2 mentions of empty nodes", "1 cluster of such", "1 cluster with one"),
        ),
        (
            ZERO.replace("(e1-person-1)", "(e1-person-1") + ZERO.replace("2.1", "2.2").replace("(e1-person-1)", "e1)"),
            ("1 mention",),
        ),
    ],
)
def test_zeros_are_counted_by_hand(zero, left_out):
    words = "1\tAna\t_\tX\t_\t_\t0\troot\t_\tEntity=(e1-person-1)\n2\tsaiu\t_\tX\t_\t_\t1\tdep\t_\t_\n"
    findings = Findings("x.conllu", lenient=False)
    (found,) = parse(
        f"# newdoc id = d\n# global.Entity = eid-etype-head-other\n{words}{zero}\n", findings, suffix=".conllu"
    )
    assert [(each.start, each.stop) for each in mentions_of(found)] == [(0, 1)]
    assert findings.repairs == 0
    assert findings.told == ((TextWith("Read 1 mention; left out ", *left_out),) if left_out else ())


def test_a_file_of_zeros_tells_each_kind_once():
    row = "{}\t{}\t_\tX\t_\t_\t{}\t_\t_\t{}\n"
    dropped = row.format("0.1", "_", "_", "Entity=(e1-person-1)") + row.format(1, "Saiu", 0, "_") + "\n"
    named = row.format(1, "Ana", 0, "Entity=(e2-person-1)") + row.format("1.1", "_", "_", "Entity=(e2-person-1)") + "\n"
    head = "# newdoc id = d{}\n# global.Entity = eid-etype-head-other\n"
    findings = Findings("x.conllu", lenient=False)
    found = parse("".join(head.format(k) + dropped * 2 + named for k in range(20)), findings, suffix=".conllu")
    assert [len(mentions_of(each)) for each in found] == [1] * 20
    (told,) = findings.told
    zeros = "left out 60 mentions of empty nodes alone (zeros), 20 clusters of such mentions alone"
    assert told == f"Read 20 mentions; {zeros}; 20 clusters with one mention left."


def test_words_are_scored_or_have_no_head(tmp_path):
    draws = random.Random(1)
    lines = []
    for _ in range(30):
        for word in range(1, draws.randint(2, 6)):
            head, relation = ("_", "_") if draws.random() < 0.3 else ("0", "root")
            lines.append(f"{word}\tw\t_\tX\t_\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    (tmp_path / "a.conllu").write_text("\n".join(lines) + "\n", "utf-8")
    corpus = load_trees(str(tmp_path / "a.conllu"))
    words, without = sum(map(bool, lines)), sum("\t_\t_\t_\t_" in line for line in lines)
    scored = sum(head is not None for each in corpus.sentences for head in arcs_of(each).heads)
    assert (scored, numbers(corpus.notices, "words? without a head")) == (words - without, without)
    assert numbers(corpus.notices, "words?; left out") == scored


@pytest.mark.parametrize("sign", ["_", "/", "|", "#"])
def test_words_with_tags_are_refused_and_some_with_tags_are_counted(sign):
    words = [f"我们{sign}PN", f"看{sign}VV-SHORT", f"书{sign}nz"]
    findings = Findings("x.txt", lenient=False)
    parse_words(" ".join(words) + "\n", findings)
    assert [problem for _, problem in findings.problems] == [TextWith("words with tags", words[0])]
    mixed = Findings("x.txt", lenient=False)
    found = parse_words(f"我们{sign}PN 看 书 。\n他 看 and/or 书\n", mixed)
    assert len(found) == 2
    assert mixed.told == (TextWith("Read 8 words; 1 word ending in what seems to be a tag", words[0]),)


def test_questions_and_answers_are_kept_or_counted(tmp_path):
    kinds = [["Ann"], [""], ["", "Ann"], [], ["Rome"]]
    rows = [
        {"id": str(k), "context": "Ann left Rome.", "question": f"Who {k}?", "answers": kinds[k % 5]} for k in range(50)
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    corpus = load_questions(str(tmp_path / "a.jsonl"))
    visible = Counter(bool([text for text in row["answers"] if text]) for row in rows)
    assert Counter(bool(each.gold) for each in corpus.questions) == visible
    assert numbers(corpus.notices, "questions with answers that are empty") == sum(
        row["answers"] == [""] for row in rows
    )


def test_units_and_texts_of_a_translation_memory_are_read_or_counted(tmp_path):
    draws = random.Random(2)
    units = [[code for code in ("en-US", "pt-BR", "pt-PT", "de") if draws.random() < 0.8] for _ in range(60)]
    body = "".join(
        "<tu>" + "".join(f'<tuv xml:lang="{code}"><seg>text {k}</seg></tuv>' for code in unit) + "</tu>"
        for k, unit in enumerate(units)
    )
    (tmp_path / "a.tmx").write_text(f'<tmx version="1.4"><header srclang="en-US"/><body>{body}</body></tmx>', "utf-8")
    corpus = load_texts(f"{tmp_path / 'a.tmx'}?from=en-US&to=pt-BR")
    both = [unit for unit in units if {"en-US", "pt-BR"} <= {*unit}]
    assert len(corpus.sentences) == len(both)
    assert numbers(corpus.notices, "units? without a text in") == len(units) - len(both)
    for code in ("pt-PT", "de"):
        assert numbers(corpus.notices, f"further texts? in {code}") == sum(code in unit for unit in both)


def test_texts_without_a_label_are_counted_by_the_value_that_stands_there(tmp_path):
    labels = ["pos", "neg", "", "pos", "neg"]
    rows = [f"text {k}\t{labels[k % 5]}" for k in range(50)]
    (tmp_path / "a.tsv").write_text("text\tlabel\n" + "\n".join(rows) + "\n", "utf-8")
    corpus = CLASSIFICATION.read(str(tmp_path / "a.tsv"), RunOptions())
    assert len(corpus.examples) + sum(corpus.unlabelled.values()) == 50
    assert sum(corpus.unlabelled.values()) == 10


def test_nothing_is_told_if_nothing_is_left_out():
    findings = Findings("x.conllu", lenient=False)
    words = "1\tAna\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    conllu.parse(words, findings, trees=True)
    assert findings.told == ()
