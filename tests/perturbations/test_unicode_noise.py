"""White space, Unicode forms, homoglyphs, invisible characters, emoji, long vowels, marks, mixed case: by hand."""

from unicodedata import normalize

import pytest
from hypothesis import given

from perturbations import Sentence, TokenLayer, WholeLabel, apply, find, parse
from perturbations.families.character.homoglyph import look_alikes
from perturbations.families.character.invisible import INVISIBLE, JOINERS
from perturbations.strategies import tokens
from tests.rows import every


def options(name: str, word: str, **params: object) -> list[str]:
    return [edit.tokens[0] for site in find(name).configured(**params).sites(Sentence((word,))) for edit in site]


def texts(name: str, sentence: Sentence, **params: object) -> list[str]:
    """The raw texts that single edits give."""
    sites = find(name).configured(**params).sites(sentence)
    return [apply(sentence, [edit]).sentence.text for site in sites for edit in site]


def whole(name: str, text: str, **params: object) -> str | None:
    """What all sites together give, if each has one option."""
    sentence = Sentence(tuple(text.split()))
    made = find(name).configured(rate=1, **params).sample(sentence, seed=1)
    return None if made is None else made.sentence.text


# white_space

SAID = Sentence(("Ana", "saiu", ",", "Rui", "ficou", "."), spaces=(" ", "", " ", " ", "", ""))


@every(
    ("change", "made"),
    [
        ("double", ["Ana  saiu, Rui ficou.", "Ana saiu,  Rui ficou.", "Ana saiu, Rui  ficou."]),
        ("tab", ["Ana\tsaiu, Rui ficou.", "Ana saiu,\tRui ficou.", "Ana saiu, Rui\tficou."]),
        ("line_break", ["Ana\nsaiu, Rui ficou.", "Ana saiu,\nRui ficou.", "Ana saiu, Rui\nficou."]),
        ("no_break", ["Ana\u00a0saiu, Rui ficou.", "Ana saiu,\u00a0Rui ficou.", "Ana saiu, Rui\u00a0ficou."]),
        ("thin", ["Ana\u2009saiu, Rui ficou.", "Ana saiu,\u2009Rui ficou.", "Ana saiu, Rui\u2009ficou."]),
        ("missing", ["Ana saiu,Rui ficou."]),
        ("leading", [" Ana saiu, Rui ficou."]),
        ("trailing", ["Ana saiu, Rui ficou. "]),
    ],
)
def test_white_space_changes_and_nothing_else(change, made):
    assert texts("white_space", SAID, change=change) == made


def test_any_white_space_is_each_of_them():
    changes = ("double", "tab", "line_break", "no_break", "thin", "missing", "leading", "trailing")
    assert set(texts("white_space", SAID)) == {
        text for each in changes for text in texts("white_space", SAID, change=each)
    }


def test_labelled_tokens_stay_as_they_are():
    sentence = parse("[Ana Sá PESSOA] saiu , disse Rui")
    for seed in range(30):
        made = find("white_space").configured(rate=1).sample(sentence, seed=seed).sentence
        assert (made.tokens, made.tags) == (sentence.tokens, sentence.tags)


def test_between_characters_white_space_stands_at_borders_of_words():
    words = TokenLayer("words", ("B", "E", "S", "S"), "bmes")
    sentence = Sentence(("北", "京", "很", "大"), spaces=("",) * 4, layers=(words,))
    assert texts("white_space", sentence, change="double") == ["北京  很大", "北京很  大"]
    assert texts("white_space", Sentence(("大", "。", "好"), spaces=("",) * 3), change="line_break") == ["大。\n好"]


# unicode_form


@every(
    ("text", "form", "made"),
    [
        ("São João", "nfd", "Sa\u0303o Joa\u0303o"),
        ("Sa\u0303o m² ½", "nfkc", "São m2 1\u20442"),
        ("A1 50%", "full_width", "Ａ１ ５０％"),
        ("Ａ１ （２）", "full_width", "A1 (2)"),
        ("fim office flor", "ligatures", "ﬁm oﬃce ﬂor"),
        ("عام 2016", "native_digits", "عام ٢٠١٦"),
        ("वर्ष 2016", "native_digits", "वर्ष २०१६"),
        ("वर्ष २०१६", "native_digits", "वर्ष 2016"),
        ("in 2016", "native_digits", None),
        ('He said "no" , " don\'t "', "quotes", "He said “no” , “ don’t ”"),
        ("He said “no” , don’t", "quotes", 'He said "no" , don\'t'),
        ("ex-minister 23–16 —", "dashes", "ex–minister 23-16 -"),
        ("plain words", "nfd", None),
        ("在 2016 年", "usual", "在 ２０１６ 年"),
    ],
)
def test_words_are_written_in_another_form(text, form, made):
    assert whole("unicode_form", text, form=form) == made


@given(word=tokens())
def test_decomposed_words_are_the_same_to_unicode(word):
    for form in ("nfd", "nfkc"):
        for option in options("unicode_form", word, form=form):
            assert normalize("NFKC", option) == normalize("NFKC", word)


# homoglyph


def test_a_homoglyph_is_of_the_script_that_is_asked_for():
    assert options("homoglyph", "c") == ["с"]
    assert options("homoglyph", "a", into="cyrillic") == ["а"]
    assert options("homoglyph", "a", into="greek") == ["α"]
    assert options("homoglyph", "о", into="latin") == ["o"]
    assert options("homoglyph", "é") == options("homoglyph", "中") == options("homoglyph", "7") == []


def test_a_homoglyph_bears_the_accent_of_its_letter():
    made = find("homoglyph").configured(rate=1, into="cyrillic").sample(Sentence(("o\u0301",)), seed=1)
    assert made.sentence.tokens == ("о\u0301",)


def test_look_alikes_are_in_one_letter_case():
    assert all(letter.isupper() == other.isupper() for letter, others in look_alikes().items() for other in others)


# invisible

EVERY = "".join(INVISIBLE.values()) + JOINERS


@every(
    ("word", "sort", "made"),
    [
        ("ab", "soft_hyphen", ["a\u00adb", "ab\u00ad"]),
        ("a1", "selector", ["a\ufe0e1"]),
        ("a", "bidi", ["a\u200e", "a\u200f", "a\u061c"]),
        (
            "ab",
            "zero_width",
            [f"a{char}b" for char in "\u200b\u2060\ufeff\u200c\u200d"] + [f"ab{char}" for char in "\u200b\u2060\ufeff"],
        ),
        ("कि", "soft_hyphen", ["कि\u00ad"]),
        ("👩‍👧", "any", []),
        ("...", "any", []),
    ],
)
def test_invisible_characters_stand_behind_letters(word, sort, made):
    assert options("invisible", word, sort=sort) == made


@given(word=tokens())
def test_without_what_is_invisible_the_word_is_as_before(word):
    for option in options("invisible", word):
        assert len(option) == len(word) + 1
        assert option.translate(dict.fromkeys(map(ord, EVERY))) == word.translate(dict.fromkeys(map(ord, EVERY)))


# emoji


def test_an_emoji_stands_behind_the_text_or_for_a_noun_or_in_another_tone():
    sentence = parse("o carro de [Porto Carro LOC] 👍🏽")
    assert texts("emoji", sentence, where="word", language="pt") == ["o 🚗 de Porto Carro 👍🏽"]
    assert texts("emoji", sentence, where="skin") == [f"o carro de Porto Carro 👍{tone}" for tone in "🏻🏼🏾🏿"]
    assert all(text.startswith(f"{sentence.text} ") for text in texts("emoji", sentence, where="append"))
    assert texts("emoji", sentence, where="word", language="en") == []


def test_a_noun_that_became_an_emoji_has_no_part_of_speech():
    sentence = Sentence(("o", "carro"), ("DET", "NOUN"), policy="each")
    made = find("emoji").configured(where="word", language="pt", rate=1).sample(sentence, seed=1).sentence
    assert (made.tokens, made.tags) == (("o", "🚗"), ("DET", ""))


def test_a_label_of_the_whole_stays_under_every_family():
    sentence = Sentence(("Muito", "bom", "carro", ",", "é", "novo"), layers=(WholeLabel("label", "good"),))
    for name in ("white_space", "unicode_form", "homoglyph", "invisible", "emoji", "elongation", "strip_punctuation"):
        made = find(name).configured(rate=1).sample(sentence, seed=1)
        assert made.sentence.layers == sentence.layers
        assert (made.meaning, made.relation) == ("keeps", "keeps")


# elongation


@every(
    ("word", "made"),
    [
        ("so", ["sooo"]),
        ("Boa", ["Boaaa"]),
        ("não", ["nãooo"]),
        ("café", ["cafééé"]),
        ("cafe\u0301", ["caf" + "e\u0301" * 3]),
        ("good", ["gooood"]),
        ("очень", ["очееень"]),
        ("πολύ", ["πολύύύ"]),
        ("a", []),
        ("psst", []),
        ("2nd", []),
        ("e-mail", []),
        ("好", []),
    ],
)
def test_the_last_vowel_is_held(word, made):
    assert options("elongation", word, times=(3,)) == made


def test_times_below_two_are_refused():
    with pytest.raises(ValueError, match=r"times is \[1\]; expected"):
        options("elongation", "so", times=(1,))


# strip_punctuation


@every(
    ("text", "made"),
    [
        ("Ana saiu , e Rui ficou .", "Ana saiu e Rui ficou"),
        ("“ Sim ” , (disse) ela...", "Sim disse ela"),
        ("don't 3.5 e-mail U.S.A. :) 50 %", None),
        ("大 。 好 ！", "大 好"),
        ("Really ?!", "Really"),
        ("Jason ' s here : D , don ’ t go", "Jason ' s here : D don ’ t go"),
        ("see http : //example.com : nothing", "see http : //example.com nothing"),
        ("... !", None),
    ],
)
def test_marks_between_words_are_left_out(text, made):
    assert whole("strip_punctuation", text) == made


def test_marks_in_entities_stay():
    sentence = parse("[Yahoo ! ORG] cresceu !")
    made = find("strip_punctuation").sample(sentence, seed=1).sentence
    assert (made.tokens, made.tags) == (("Yahoo", "!", "cresceu"), ("B-ORG", "I-ORG", "O"))


# mixed_case


@every(
    ("word", "made"),
    [
        ("casa", ["CaSa", "cAsA"]),
        ("Don't", ["DoN't", "dOn'T"]),
        ("aB", ["Ab"]),
        ("aß", ["Aß"]),
        ("e\u0301a", ["E\u0301a", "e\u0301A"]),
        ("a", []),
        ("王伟", []),
    ],
)
def test_capitals_and_small_letters_come_in_turn(word, made):
    assert options("mixed_case", word) == made
