"""Word lists beside libraries and wordnets, on real text: the table of docs/how-to/word-lists.md.

    python -m benchmarks.resources ../shared/data --wordnet FOLDER
    python -m benchmarks.resources ../shared/data --wordnet FOLDER --show 30

DATA holds treebanks of Universal Dependencies (ud), W-NUT 17, LeNER-Br and OpenWordNet-PT (wordnet/wn-data-por.tab);
FOLDER the database files of WordNet. *Coverage* is the share of tokens that a perturbation can change, or that are
known; *agreement*, where something else tells what is right, the share of what was found that it confirms. What is not
here is named as skipped. With ``--show`` variants are drawn and printed instead, to be read.

    pip install 'abalo[english,faker,wordnet]' jieba num2words pypinyin
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from abalo.corpora import Corpus
from abalo.corpora.loading import load
from abalo.sources.faker_names import FakerGivenNames
from abalo.sources.loading import load_synonyms
from abalo.sources.resources import Resources
from benchmarks.arguments import Parser
from benchmarks.results import show
from perturbations import Perturbation, Sentence, entity_spans, find
from perturbations.languages.fr.numerals import numeral
from perturbations.languages.zh import borders
from perturbations.languages.zh.sounds import syllable_of
from perturbations.lexicons import entries, pairs, words

CONTENT = ("NOUN", "VERB", "ADJ", "ADV")
NUMERALS = (*range(10_000), *range(10_000, 1_000_000, 997))

ENGLISH, PORTUGUESE, CHINESE = "ud/en_ewt-dev.conllu", "ud/pt_gsd-dev.conllu", "ud/zh_gsdsimp-dev.conllu"

_NO_CORPUS = Corpus("none", ())


@dataclass(frozen=True, slots=True)
class Row:
    """A measure, its resource and its text: ``found`` of ``n``, and of ``checked`` how many are ``right``."""

    what: str
    by: str
    text: str
    n: int
    found: int
    right: int | None = None
    checked: int | None = None

    @property
    def shown(self) -> dict[str, object]:
        """As a row of a table."""
        agreement = "" if self.right is None or not self.checked else f"{self.right / self.checked:.1%}"
        return {
            "what": self.what,
            "by": self.by,
            "text": self.text,
            "n": f"{self.n:,}",
            "coverage": f"{self.found / self.n:.1%}" if self.n else "",
            "agreement": agreement,
        }


class Tree(NamedTuple):
    """A sentence of a treebank with the parts of speech of its tokens, and which of them are finite verbs."""

    sentence: Sentence
    kinds: tuple[str, ...]
    finite: frozenset[int]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("DATA",))
    parser.add_argument("data", type=Path, help="folder with the corpora")
    parser.add_argument("--wordnet", type=Path, help="folder with the database files of WordNet")
    parser.add_argument("--show", type=int, default=0, help="how many variants of each to print instead")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: %(default)s)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table, or variants to be read."""
    options = parser().parse_args(given)
    if options.show:
        for name, text, member in _members(options.data, options.wordnet):
            _print_variants(name, member, _trees(options.data / text), options.show, options.seed)
        return
    rows = [
        *_exchanged(options.data, options.wordnet),
        *_near(options.data, options.wordnet),
        *_verbs(options.data),
        *_first_names(options.data),
        *_borders(options.data),
        *_readings(options.data),
        *_numerals(),
    ]
    show("resources", [row.shown for row in rows])


def _members(data: Path, wordnet: Path | None) -> Iterator[tuple[str, str, Perturbation]]:
    """The measure, the text, and the perturbation, by lists and by each wordnet."""
    tab = f"wordnet:{data / 'wordnet' / 'wn-data-por.tab'}"
    for name, resource, language, text, spec in (
        ("synonym_wordnet", "synonyms", "en", ENGLISH, f"wordnet:{wordnet}" if wordnet else ""),
        ("antonym", "antonyms", "en", ENGLISH, f"wordnet:{wordnet}" if wordnet else ""),
        ("synonym_wordnet", "synonyms", "pt", PORTUGUESE, tab),
    ):
        resources = Resources(_NO_CORPUS, language=language)
        yield f"{name} {language}, list", text, resources.configured(find(name), {})
        if not spec:
            print(f"SKIPPED: {name} {language} by WordNet: give its folder with --wordnet")
            continue
        for meant in ("one", "first"):
            params = {resource: spec, "meant": meant}
            yield f"{name} {language}, wordnet, {meant} meaning", text, resources.configured(find(name), params)
    if _installed("lemminflect", "pip install 'abalo[english]'"):
        yield "tense en, lemminflect", ENGLISH, find("tense").configured(language="en", inflections="lemminflect")


def _exchanged(data: Path, wordnet: Path | None) -> Iterator[Row]:
    """Content words that have a synonym or an antonym."""
    for name, text, member in _members(data, wordnet):
        what, _, by = name.partition(", ")
        if what.startswith("tense"):
            continue
        kinds = ("ADJ", "ADV") if what.startswith("antonym") else CONTENT
        trees = _trees(data / text)
        places = sum(len(_changed(member, tree)) for tree in trees)
        yield Row(what, by, text, sum(kind in kinds for tree in trees for kind in tree.kinds), places)


def _near(data: Path, wordnet: Path | None) -> Iterator[Row]:
    """Content words for which attacks have candidates, whatever the meaning."""
    tab = f"wordnet:{data / 'wordnet' / 'wn-data-por.tab'}"
    for language, text, spec in (("en", ENGLISH, f"wordnet:{wordnet}" if wordnet else ""), ("pt", PORTUGUESE, tab)):
        trees = _trees(data / text)
        content = [(tree.sentence, i) for tree in trees for i, kind in enumerate(tree.kinds) if kind in CONTENT]
        for by, source in (("list", f"lexicon:near_synonyms_{language}"), ("wordnet", spec)):
            if source:
                found = sum(map(bool, load_synonyms(source).of(content)))
                yield Row(f"attack, synonyms {language}", by, text, len(content), found)


def _verbs(data: Path) -> Iterator[Row]:
    """Finite verbs that have another tense; the treebank tells whether what has one is finite."""
    trees = _trees(data / ENGLISH)
    every = sum(len(tree.finite) for tree in trees)
    for by in ("table", *(["lemminflect"] if _installed("lemminflect", "pip install 'abalo[english]'") else [])):
        member = find("tense").configured(language="en", inflections=by)
        found = [(place, tree) for tree in trees for place in _changed(member, tree)]
        right = sum(place in tree.finite for place, tree in found)
        yield Row("tense en, finite verbs", by, ENGLISH, every, right, right, len(found))


def _first_names(data: Path) -> Iterator[Row]:
    """First words of persons that are known as given names."""
    if not _installed("faker", "pip install 'abalo[faker]'"):
        return
    for text, language, kind, locale in (
        ("wnut17/dev.conll", "en", "person", "en_US"),
        ("lener-br/dev.conll", "pt", "PESSOA", "pt_BR"),
    ):
        firsts = [
            sentence.tokens[span.start].lower()
            for sentence in load(str(data / text)).sentences
            for span in entity_spans(sentence.entity_tags or ())
            if span.type == kind
        ]
        listed, known = pairs(f"given_names_{language}"), FakerGivenNames(f"faker:{locale}").genders
        both = listed.keys() & known.keys()
        right = sum(listed[name] == known[name] for name in both)
        yield _row_of_names(f"first names {language}", "list", text, firsts, listed)
        yield _row_of_names(f"first names {language}", "Faker", text, firsts, known, right, len(both))


def _row_of_names(what: str, by: str, text: str, firsts: Sequence[str], known: Collection[str], *agreeing: int) -> Row:
    return Row(what, by, text, len(firsts), sum(name in known for name in firsts), *agreeing)


def _borders(data: Path) -> Iterator[Row]:
    """Words of the lists in text cut into characters; the treebank tells where words begin and end."""
    wanted = {**entries("synonyms_zh"), **pairs("antonyms_zh"), **pairs("misspellings_zh")}
    trees = [tree.sentence for tree in _trees(data / CHINESE)]
    gold = [_cut(sentence.tokens, wanted) for sentence in trees]
    finders: dict[str, Callable[[str], Collection[tuple[int, int]]]] = {"list": lambda text: _by_list(text, wanted)}
    if _installed("jieba", "pip install jieba"):
        import jieba

        jieba.setLogLevel("ERROR")
        finders["jieba"] = lambda text: _cut(list(jieba.cut(text)), wanted)
    for by, finder in finders.items():
        found = [set(finder("".join(sentence.tokens))) for sentence in trees]
        right = sum(len(each & own) for each, own in zip(found, gold, strict=True))
        yield Row("word borders zh", by, CHINESE, sum(map(len, gold)), right, right, sum(map(len, found)))


def _by_list(text: str, wanted: Collection[str]) -> Collection[tuple[int, int]]:
    layout = borders.layout(Sentence(tuple(text), None, ("",) * len(text)))
    return [] if layout is None else borders.occurrences(layout, wanted)


def _cut(tokens: Sequence[str], wanted: Collection[str]) -> set[tuple[int, int]]:
    """Where the wanted words stand, in characters."""
    found, start = set(), 0
    for token in tokens:
        if token in wanted:
            found.add((start, start + len(token)))
        start += len(token)
    return found


def _readings(data: Path) -> Iterator[Row]:
    """Characters with one reading; that of the list is right if pypinyin reads the sentence so."""
    if not _installed("pypinyin", "pip install pypinyin"):
        return
    from pypinyin import Style, pinyin

    stop, listed = words("stop_words_zh"), syllable_of()
    n = found = right = single = 0
    for tree in _trees(data / CHINESE):
        text = "".join(tree.sentence.tokens)
        read = pinyin(text, style=Style.TONE3, neutral_tone_with_five=True, errors=list)
        for character, (syllable, *_) in zip(text, read, strict=True):
            if not borders.HAN.match(character) or character in stop:
                continue
            n += 1
            single += len(pinyin(character, style=Style.TONE3, heteronym=True)[0]) == 1
            found += character in listed
            right += listed.get(character) == syllable.replace("ü", "v")
    yield Row("readings zh", "list", CHINESE, n, found, right, found)
    yield Row("readings zh", "pypinyin, characters with one", CHINESE, n, single)


def _numerals() -> Iterator[Row]:
    """French numbers in words, the same by rule and by library."""
    if not _installed("num2words", "pip install num2words"):
        return
    from num2words import num2words

    same = sum(numeral(value) == num2words(value, lang="fr") for value in NUMERALS)
    yield Row("numerals fr", "rules, beside num2words", "numbers to 999,999", len(NUMERALS), same, same, len(NUMERALS))


def _print_variants(name: str, member: Perturbation, trees: Sequence[Tree], count: int, seed: int) -> None:
    """So many variants of one edit each, with the words around."""
    made = [(tree.sentence, site) for tree in trees for site in member.sites(tree.sentence)]
    draws = random.Random(seed)
    print(f"\n### {name}: {min(count, len(made))} of {len(made)}\n")
    for number, (sentence, site) in enumerate(draws.sample(made, min(count, len(made))), start=1):
        edit = draws.choice(site)
        old, new = " ".join(sentence.tokens[edit.start : edit.stop]), " ".join(edit.tokens)
        before = " ".join(sentence.tokens[max(0, edit.start - 8) : edit.start])
        print(f"{number}. {before} [{old} > {new}] {' '.join(sentence.tokens[edit.stop : edit.stop + 6])}")


def _changed(member: Perturbation, tree: Tree) -> list[int]:
    """The last token of each site, which is the word; an article may stand before."""
    return [site[0].stop - 1 for site in member.sites(tree.sentence)]


def _trees(path: Path) -> list[Tree]:
    """The sentences of a CoNLL-U file, their words as tokens."""
    found = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line and not line.startswith("#")]
        rows = [row for row in rows if row[0].isdecimal()]
        if rows:
            tokens, kinds = tuple(row[1] for row in rows), tuple(row[3] for row in rows)
            finite = frozenset(i for i, row in enumerate(rows) if "VerbForm=Fin" in row[5])
            found.append(Tree(Sentence(tokens), kinds, finite))
    return found


def _installed(library: str, how: str) -> bool:
    if find_spec(library) is None:
        print(f"SKIPPED: {library} is not installed: {how}")
        return False
    return True


if __name__ == "__main__":
    main()
