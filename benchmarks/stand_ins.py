"""A folder laid out as the published corpora are, filled with a few sentences that ship.

It shows that a benchmark runs, and says nothing about models: the labels of some files are dealt in turn.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle, islice, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

from abalo.bundled import bundled_path
from perturbations.lexicons import rows as rows_of

SENTENCES = 64
"""Sentences of each file, of which the first have all labels."""

ENCODER = {
    "modules.json": [
        {"path": "", "type": "sentence_transformers.models.Transformer"},
        {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    ],
    "1_Pooling/config.json": {"pooling_mode_mean_tokens": True},
}
"""What makes a sentence encoder of the folder of the bundled model."""

ADVERSARIAL = {"adv1": "{}", "adv2": "{}, but the price was awful.", "adv3": "{} The box was grey."}


def write(folder: Path) -> None:
    """Writes every file that a benchmark reads from the folder of published corpora, and an encoder beside."""
    for name, make in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(make(), encoding="utf-8")
    encoder = folder / "encoder"
    shutil.copytree(bundled_path("fixtures/model"), encoder)
    config = json.loads((encoder / "config.json").read_text(encoding="utf-8"))
    (encoder / "config.json").write_text(json.dumps({**config, "architectures": ["BertModel"]}), encoding="utf-8")
    for name, content in ENCODER.items():
        encoder.joinpath(name).parent.mkdir(exist_ok=True)
        encoder.joinpath(name).write_text(json.dumps(content), encoding="utf-8")


def _lines(name: str) -> list[str]:
    return bundled_path(f"fixtures/corpora/{name}").read_text(encoding="utf-8").splitlines()


def _rows(name: str) -> list[Mapping[str, str]]:
    return list(islice(csv.DictReader(_lines(name), delimiter="\t", quoting=csv.QUOTE_NONE), SENTENCES))


def _blocks(name: str) -> str:
    """The first sentences of a file that has an empty line between them."""
    blocks = bundled_path(f"fixtures/corpora/{name}").read_text(encoding="utf-8").split("\n\n")
    kept = [block for block in blocks if "\tNUM\t" not in block]  # too rare for each half to have one
    return "\n\n".join(kept[:SENTENCES]) + "\n\n"


def _table(rows: Iterable[Sequence[object]]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def _texts() -> list[str]:
    return [row["text"] for row in _rows("sentiment-en/eval.tsv")]


def _sentiment() -> str:
    return _table((row["text"], int(row["label"] == "positive")) for row in _rows("sentiment-en/eval.tsv"))


def _english_pairs() -> list[tuple[str, str]]:
    texts = _texts()
    return [(text, text if number % 3 == 0 else other) for number, (text, other) in enumerate(pairwise(texts))]


def _entailment() -> str:
    labels = cycle(("ENTAILMENT", "NEUTRAL", "CONTRADICTION"))
    head = ("pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment")
    rows = enumerate(zip(_english_pairs(), labels, strict=False))
    return _table([head, *((number, *pair, 3, label) for number, (pair, label) in rows)])


def _paraphrases() -> str:
    head = ("Quality", "#1 ID", "#2 ID", "#1 String", "#2 String")
    rows = enumerate(_english_pairs())
    return _table([head, *((int(number % 3 == 0), number, number, *pair) for number, pair in rows)])


def _portuguese_pairs() -> str:
    root = ET.Element("entailment-corpus")
    for number, row in enumerate(_rows("entailment-pt/pairs.tsv")):
        label = "Entailment" if row["label"] == "entailment" else "None"
        pair = ET.SubElement(root, "pair", entailment=label, id=str(number), similarity="3.0")
        ET.SubElement(pair, "t").text = row["premise"]
        ET.SubElement(pair, "h").text = row["hypothesis"]
    return ET.tostring(root, encoding="unicode")


def _aspects() -> list[tuple[str, Mapping[str, object]]]:
    """Each aspect with its sentence."""
    found = [json.loads(line) for line in _lines("aspects-en/aspects.jsonl")[:SENTENCES]]
    return [(each["sentence"], aspect) for each in found for aspect in each["aspects"]]


def _laptop_train() -> str:
    found = {}
    for number, (sentence, aspect) in enumerate(_aspects()):
        own = f"{number}_0"
        found[str(number)] = {"id": str(number), "sentence": sentence, "term_list": {own: {"id": own, **aspect}}}
    return json.dumps(found)


def _arts_laptop() -> str:
    found = {}
    for number, (sentence, aspect) in enumerate(_aspects()):
        own = f"{number}_0"
        found[own] = {"id": own, "sentence": sentence, **aspect}
        for way, pattern in ADVERSARIAL.items():
            found[f"{own}_{way}"] = {"id": own, **aspect, "sentence": pattern.format(sentence)}
    return json.dumps(found)


def _chinese_tree() -> str:
    blocks = []
    for line in _lines("segmentation-zh/words.txt")[:SENTENCES]:
        words = line.split()
        head = f"# text = {''.join(words)}\n"
        rows = ((n, word, "_", "NOUN", "_", "_", n - 1, "dep" if n > 1 else "root") for n, word in enumerate(words, 1))
        blocks.append(head + _table((*row, "_", "SpaceAfter=No") for row in rows))
    return "\n".join(blocks)


def _chinese_entities() -> str:
    sentences = ["".join(line.split()) for line in _lines("segmentation-zh/words.txt")[:SENTENCES]]
    return "\n".join(_table((character, "O") for character in sentence) for sentence in sentences)


def _translations() -> str:
    rows = _rows("sentiment-pt/eval.tsv")
    return _table([("source", "target"), *((row["text"], text) for row, text in zip(rows, _texts(), strict=False))])


def _wordnet() -> str:
    groups = islice(rows_of("synonyms_pt"), SENTENCES)
    return _table(
        [
            ("# stand-in", "por", "https://example.org", "CC0"),
            *((f"{n:08d}-n", "lemma", word) for n, group in enumerate(groups, 1) for word in (group[0], group[-1])),
        ]
    )


def _word_list(name: str) -> Callable[[], str]:
    return lambda: _table((row[0], row[-1]) for row in islice(rows_of(name), SENTENCES))


def _copy(name: str) -> Callable[[], str]:
    return lambda: bundled_path(f"fixtures/corpora/{name}").read_text(encoding="utf-8")


def _blocks_of(name: str) -> Callable[[], str]:
    return lambda: _blocks(name)


FILES: Mapping[str, Callable[[], str]] = {
    **{f"sst2/{part}.tsv": _sentiment for part in ("train", "dev")},
    **{f"sick/{part}.tsv": _entailment for part in ("train", "dev")},
    **{f"msrp/{part}.tsv": _paraphrases for part in ("train", "dev")},
    **{f"assin2/{part}.xml": _portuguese_pairs for part in ("train", "dev")},
    "absa/laptop_train.json": _laptop_train,
    "absa/arts_laptop.json": _arts_laptop,
    **{f"ud/{name}.conllu": _blocks_of("parsing-pt/trees.conllu") for name in ("pt_gsd-train", "pt_gsd-dev")},
    **{f"ud/{name}-dev.conllu": _blocks_of("parsing-pt/trees.conllu") for name in ("en_ewt", "fr_sequoia")},
    **{f"ud/zh_gsdsimp-{part}.conllu": _chinese_tree for part in ("train", "dev")},
    **{f"lener-br/{part}.conll": _blocks_of("legal-pt/eval.conll") for part in ("train", "dev")},
    **{f"wnut17/{part}.conll": _blocks_of("news-en/eval.conll") for part in ("train", "dev", "test")},
    "msra/dev.conll": _chinese_entities,
    "reading/xquad-en.json": _copy("reading-en/reading.json"),
    "reading/faquad-train.json": _copy("reading-pt/reading.json"),
    "translation/tatoeba-pt-en.tsv": _translations,
    "wordnet/wn-data-por.tab": _wordnet,
    "wordnet/synonyms.tsv": _word_list("synonyms_en"),
    "wordnet/antonyms.tsv": _word_list("antonyms_en"),
}
"""What makes each file, by its place in the folder."""
