"""Characters hit in words: slips of the finger, neighbouring keys, look-alikes; expected options by hand."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perturbations import Sentence, entity_spans, find, parse
from perturbations.families.character.keyboard import _neighbours
from perturbations.graphemes import clusters
from perturbations.lexicons import pairs
from perturbations.scripts import script
from perturbations.strategies import tokens
from tests.rows import every

MODES = ("swap", "replace", "insert", "delete")
WORDS = ("Ana", "TRIBUNAL", "juízes", "11.101", "2ª", "d'água", "e-mail", "aab", "rrn")

words = st.sampled_from(WORDS) | tokens()


def options(name: str, word: str, **params: object) -> list[str]:
    return [edit.tokens[0] for site in find(name).configured(**params).sites(Sentence((word,))) for edit in site]


@pytest.mark.parametrize(("published", "name"), [("Typos", "typos"), ("Keyboard", "keyboard"), ("Ocr", "ocr")])
def test_they_are_found_by_their_published_names(published, name):
    assert find(published) is find(name)


def test_rates_are_the_published_ones_and_a_rate_of_nothing_changes_nothing():
    # TextFlint changes one word at least, whatever the rate.
    assert [find(name).rate for name in ("typos", "keyboard", "ocr")] == [0.3, 0.2, 0.2]
    for name in ("typos", "keyboard", "ocr"):
        assert find(name).configured(rate=0).sample(parse("Tribunal Superior"), seed=1) is None


# typos


@every(
    ("word", "swapped"),
    [
        ("casa", ["csaa"]),
        ("carro", ["craro"]),
        ("Brasil", ["Barsil", "Brsail", "Braisl"]),
        ("aab", []),
        ("ab", []),
    ],
)
def test_neighbours_that_differ_change_places_within_the_word(word, swapped):
    assert options("typos", word, mode="swap") == swapped


@pytest.mark.parametrize(
    ("keep_first", "keep_last", "swapped"),
    [
        (True, True, ["acbd"]),
        (True, False, ["acbd", "abdc"]),
        (False, True, ["bacd", "acbd"]),
        (False, False, ["bacd", "acbd", "abdc"]),
    ],
)
def test_the_first_and_the_last_character_stay_where_asked(keep_first, keep_last, swapped):
    assert options("typos", "abcd", mode="swap", keep_first=keep_first, keep_last=keep_last) == swapped


def test_a_character_is_left_out_of_a_run_once():
    assert options("typos", "carro", mode="delete") == ["crro", "caro"]
    assert options("typos", "aab", mode="delete", keep_first=False, keep_last=False) == ["ab", "aa"]


def test_a_replacement_is_of_the_class_of_the_character():
    assert options("typos", "a1b", mode="replace") == [f"a{digit}b" for digit in "023456789"]
    assert options("typos", "ABC", mode="replace") == [f"A{letter}C" for letter in "ACDEFGHIJKLMNOPQRSTUVWXYZ"]
    assert options("typos", "não", mode="replace") == [f"n{letter}o" for letter in "abcdefghijklmnopqrstuvwxyz"]
    assert options("typos", "a-b", mode="replace") == []


def test_what_is_put_in_is_of_the_class_of_what_follows_and_makes_no_word_twice():
    assert options("typos", "Ab", mode="insert") == [f"A{letter}b" for letter in "acdefghijklmnopqrstuvwxyz"]
    found = options("typos", "n.1", mode="insert")
    assert found == [f"n{letter}.1" for letter in "abcdefghijklmnopqrstuvwxyz"] + [
        f"n.{digit}1" for digit in "023456789"
    ]


@every(
    ("word", "mode", "slips"),
    [
        ("мир", "replace", [f"м{letter}р" for letter in "абвгдежзйклмнопрстуфхцчшщъыьэюя"]),
        (
            "МИР",
            "insert",
            [f"М{letter}ИР" for letter in "АБВГДЕЖЗЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"]
            + [f"МИ{letter}Р" for letter in "АБВГДЕЖЗИЙКЛМНОПСТУФХЦЧШЩЪЫЬЭЮЯ"],
        ),
        ("אבגד", "swap", ["אגבד"]),
        ("۱۲۳", "replace", [f"۱{digit}۳" for digit in "۰۱۳۴۵۶۷۸۹"]),
        ("अच्छीब", "swap", ["अछीच्ब"]),
        ("अच्छीब", "delete", ["अछीब", "अच्ब"]),
        ("ae\u0301o", "delete", ["ao"]),
        ("中国人", "replace", []),
        ("중국인", "insert", []),
    ],
)
def test_slips_are_of_the_script_and_letters_take_their_marks_along(word, mode, slips):
    assert options("typos", word, mode=mode) == slips


def test_a_mark_stays_where_its_letter_is_replaced():
    found = options("typos", "मकिल", mode="replace")
    assert "मखिल" in found
    assert all(option[0] == "म" and option[2:] == "िल" for option in found)
    assert not any(letter.isascii() for option in found for letter in option)


@pytest.mark.parametrize("name", ["char_typo", "ent_typos"])
@pytest.mark.parametrize(("word", "first", "last"), [("Москва", "А", "я"), ("दिल्ली", "क", "ह"), ("Ελλάδα", "Α", "ω")])
def test_slips_in_names_are_of_their_script(name, word, first, last):
    sentence = Sentence((word,), ("B-LOC",))
    made = {edit.tokens[0] for site in find(name).sites(sentence) for edit in site}
    put_in = {letter for option in made for letter in option} - {*word}
    assert put_in
    assert all(first <= letter <= last for letter in put_in)


def test_noise_is_of_the_script():
    made = {edit.tokens[0] for site in find("character_noise").sites(Sentence(("и",))) for edit in site}
    assert made == {*"абвгдежзйклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ"}


@pytest.mark.parametrize(
    ("sentence", "own"), [("Дом № 5 .", "КИРИЛЛИЦА"), ("घर में 5 ।", "घकतह"), ("Το 5 %", "ΤΟ"), ("بيت 5 .", "بيت")]
)
def test_noise_in_digits_and_signs_is_of_the_script_of_the_sentence(sentence, own):
    made = {
        edit.tokens[0] for site in find("character_noise").sites(Sentence(tuple(sentence.split()))) for edit in site
    }
    assert {*own} <= made
    assert not any(letter.isascii() for letter in made)


@pytest.mark.parametrize("word", ["दिल्ली", "প্রকাশ", "தமிழ்"])
@pytest.mark.parametrize("mode", ["insert", "replace"])
def test_slips_in_indic_words_are_consonants(word, mode):
    put_in = {letter for option in options("typos", word, mode=mode) for letter in option} - {*word}
    assert put_in
    assert put_in.isdisjoint("अआइईउऊऋऌऍऎएऐऑऒओऔঅআইஅஆஇऩऱऴ")


@every("word", ["a", "7", "...", "--", "§§"])
def test_short_words_and_signs_stay(word):
    assert options("typos", word, keep_first=False, keep_last=False) == []


def test_a_word_of_two_kept_characters_can_only_grow():
    assert {len(option) for option in options("typos", "de")} == {3}


def test_at_random_each_kind_of_slip_that_there_is_comes_equally_often():
    # Of "aab" nothing can be swapped: replaced, put in and left out are left, though the last has a single option.
    typos = find("typos").configured(rate=1)
    drawn = [typos.sample(Sentence(("aab", str(key))), seed=1, key=str(key)).sentence.tokens[0] for key in range(1200)]
    lengths = [sum(len(word) == length for word in drawn) for length in (2, 3, 4)]
    assert all(abs(count - 400) < 4 * (1200 * 2 / 9) ** 0.5 for count in lengths)
    assert set(drawn) >= {"ab"}


@given(word=words, mode=st.sampled_from(MODES), keep_first=st.booleans(), keep_last=st.booleans())
def test_a_slip_never_gives_the_same_word_nor_one_twice(word, mode, keep_first, keep_last):
    # TextFlint's Typos returned 76 of 1918 texts unchanged.
    found = options("typos", word, mode=mode, keep_first=keep_first, keep_last=keep_last)
    assert word not in found
    assert len(found) == len(set(found))
    assert all(option[0] == word[0] for option in found if keep_first)
    assert all(option[-1] == word[-1] for option in found if keep_last)
    if mode == "delete":  # a letter with its marks
        assert all(len(clusters(option)) == len(clusters(word)) - 1 for option in found)
    else:
        assert all(len(option) == len(word) + (mode == "insert") for option in found)
    if mode == "swap":
        assert all(sorted(option) == sorted(word) for option in found)


def kind(char: str) -> str:
    if char.isdecimal():
        return "digit"
    if char.isupper() or char.islower():
        return "upper" if char.isupper() else "lower"
    return script(char) if char.isalpha() else char


@given(word=words)
@example(word="ؠ")
def test_one_character_is_replaced_by_one_of_its_class(word):
    for option in options("typos", word, mode="replace", keep_first=False, keep_last=False):
        changed = [(old, new) for old, new in zip(word, option, strict=True) if old != new]
        assert len(changed) == 1
        assert [kind(old) for old, _ in changed] == [kind(new) for _, new in changed]


@given(word=words)
def test_random_slips_are_those_of_all_modes(word):
    assert options("typos", word) == [option for mode in MODES for option in options("typos", word, mode=mode)]


def test_a_very_long_word_is_no_trouble():
    long = "ab" * 50_000
    sampled = find("typos").configured(rate=1).sample(Sentence((long,)), seed=1)
    assert abs(len(sampled.sentence.tokens[0]) - len(long)) <= 1


def test_slips_in_entities_keep_touching_entities_apart():
    # TextFlint loses an entity that follows another.
    sentence = Sentence(("Ana", "Bruna", "Souza"), ("B-PER", "B-PER", "I-PER"))
    for name in ("typos", "keyboard", "ocr"):
        perturbed = find(name).configured(rate=1).sample(sentence, seed=1)
        assert entity_spans(perturbed.sentence.tags) == entity_spans(sentence.tags)


# keyboard


@every(
    ("layout", "key", "near"),
    [
        ("abnt2", "g", "tyfhvb"),
        ("qwerty", "g", "tyfhvb"),
        ("abnt2", "q", "12wa"),
        ("abnt2", "l", "opkç"),
        ("qwerty", "l", "opk"),
        ("abnt2", "ç", "pl"),
        ("abnt2", "Ç", "PL"),
        ("abnt2", "5", "46rt"),
        ("abnt2", "0", "9op"),
    ],
)
def test_neighbours_are_the_keys_around(layout, key, near):
    found = _neighbours(layout, True, False)[key]
    assert sorted(found) == sorted(near)


@pytest.mark.parametrize("layout", ["abnt2", "qwerty"])
def test_neighbours_are_mutual(layout):
    near = _neighbours(layout, True, True)
    hittable = [key for key in near if key.islower() or key.isdecimal()]
    assert len(hittable) == (37 if layout == "abnt2" else 36)
    assert [(a, b) for a in hittable for b in near[a] if b in near and a not in near[b]] == []


def test_one_key_is_missed_in_the_letter_case_of_its_letter():
    assert options("keyboard", "AXXX", min_length=4)[:4] == ["QXXX", "WXXX", "SXXX", "ZXXX"]
    assert options("keyboard", "qÓÓÓ", digits=False) == ["wÓÓÓ", "aÓÓÓ"]


def test_digits_and_signs_come_only_where_asked():
    assert options("keyboard", "p...", digits=False) == ["o...", "l...", "ç..."]
    assert options("keyboard", "p...") == ["0...", "o...", "l...", "ç..."]
    assert options("keyboard", "p...", layout="qwerty", special=True) == [
        "0...",
        "-...",
        "o...",
        "[...",
        "l...",
        ";...",
    ]
    assert options("keyboard", "1999", digits=False) == []
    assert options("keyboard", "1.../", digits=True) == ["2.../", "q.../"]


@given(word=words, layout=st.sampled_from(["abnt2", "qwerty"]), min_length=st.integers(0, 8))
def test_min_length_is_honoured_and_the_case_is_kept(word, layout, min_length):
    # TextFlint ignores its parameter, and mixes cases within a word.
    found = options("keyboard", word, layout=layout, min_length=min_length, digits=False)
    assert not found or len(word) >= min_length
    for option in found:
        changed = [(old, new) for old, new in zip(word, option, strict=True) if old != new]
        assert len(changed) == 1
        assert kind(changed[0][0]) == kind(changed[0][1])


@pytest.mark.parametrize(
    ("language", "near"),
    [("pt", "oooo pppp kkkk çççç"), ("en", "oooo pppp kkkk"), ("fr", "oooo pppp kkkk mmmm"), ("any", "oooo pppp kkkk")],
)
def test_the_keyboard_is_that_of_the_language(language, near):
    found = options("keyboard", "l...", language=language)
    assert sorted(found) == sorted(f"{key[0]}..." for key in near.split())


def test_an_unknown_layout_is_refused():
    with pytest.raises(ValueError, match=r"layout is 'dvorak'; expected .*'qwerty'.* and 'abnt2'"):
        options("keyboard", "Silva", layout="dvorak")


# ocr


@every(
    ("word", "misread"),
    [
        ("m1", ["rn1", "nn1", "ml", "mI", "mi"]),
        ("rn", ["nn", "ru", "rh", "rr", "m"]),
        ("Ç", ["C"]),
        ("5", ["S", "s"]),
        ("§", []),
    ],
)
def test_one_character_is_taken_for_a_look_alike_or_two_for_one(word, misread):
    assert options("ocr", word) == misread


@given(word=words, min_length=st.integers(0, 8))
def test_reading_errors_change_the_word_and_spare_short_ones(word, min_length):
    found = options("ocr", word, min_length=min_length)
    assert word not in found
    assert bool(found) <= (len(word) >= min_length)


def test_nothing_looks_like_itself_and_nothing_is_invisible():
    for read, others in pairs("look_alikes").items():
        assert 1 <= len(read) <= 2
        assert read not in others.split("|")
        assert all(other.strip() == other != "" for other in others.split("|"))


def test_single_look_alikes_are_mostly_mutual():
    # What a scanner adds to or takes from a letter, such as the accent, goes one way.
    table = {read: others.split("|") for read, others in pairs("look_alikes").items()}
    plain = [(read, other) for read, others in table.items() for other in others if read.isascii() and other.isascii()]
    mutual = [pair for pair in plain if pair[0] in table.get(pair[1], ())]
    assert len(mutual) > 0.8 * len(plain)
