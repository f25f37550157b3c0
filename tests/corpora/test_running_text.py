"""Text as people write it becomes words and marks, and is the same text again."""

import hashlib

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from abalo import Session
from abalo.corpora.running_text import cut_into, is_unspaced, replace_all, running_text
from tests.rows import every


@every(
    ("text", "tokens"),
    [
        ("I don't like it... 3.5 stars!", "I|don't|like|it|...|3.5|stars|!"),
        ("Não gostei (nada) do guarda-chuva.", "Não|gostei|(|nada|)|do|guarda-chuva|."),
        ("it 's `` fine '' -- :)", "it|'s|``|fine|''|--|:)"),
        ("Ask @ana at https://a.example/b?c=1 #now", "Ask|@ana|at|https://a.example/b?c=1|#now"),
        ("这部电影很好。", "这|部|电|影|很|好|。"),
        ("cafe\u0301 👩🏽‍💻 ok", "cafe\u0301|👩🏽‍💻|ok"),
        ("यह फिल्म बहुत अच्छी है और मुझे पसंद आई", "यह|फिल्म|बहुत|अच्छी|है|और|मुझे|पसंद|आई"),
        ("இந்தப் படம் நன்று.", "இந்தப்|படம்|நன்று|."),
        ("ছবিটি ভালো।", "ছবিটি|ভালো|।"),
        ("كِتَابٌ جَدِيدٌ، نَعَمْ", "كِتَابٌ|جَدِيدٌ|،|نَعَمْ"),
        ("שָׁלוֹם לְצה״ל", "שָׁלוֹם|לְצה״ל"),
        ("Ի՞նչ է սա՛։", "Ի՞նչ|է|սա|՛|։"),
        ('ד"ר כהן: "שלום" בית־ספר', 'ד"ר|כהן|:|"|שלום|"|בית־ספר'),
        ("می\u200cخواهم بروم.", "می\u200cخواهم|بروم|."),
        ("Donau\u00addampf\u00adschiff col·lecció", "Donau\u00addampf\u00adschiff|col·lecció"),
        ("🇧🇷🇵🇹 1️⃣ 👨‍👩‍👧‍👦!", "🇧🇷|🇵🇹|1️⃣|👨‍👩‍👧‍👦|!"),
        ("Ask (j.doe+x@mail.example.org).", "Ask|(|j.doe+x@mail.example.org|)|."),
        ("ดีมาก iPhoneใหม่ ๑๒๓", "ดีมาก|iPhone|ใหม่|๑๒๓"),
        ("မြန်မာဘာသာ ភាសាខ្មែរ ພາສາລາວ", "မြန်မာဘာသာ|ភាសាខ្មែរ|ພາສາລາວ"),
        ("https://t.co/ab❤\ufe0f", "https://t.co/ab|❤\ufe0f"),
        ("https://t.co/cafe\u0301.", "https://t.co/cafe\u0301|."),
        ("か\u3099く ２０ 𠮷野", "か\u3099|く|２０|𠮷|野"),
    ],
)
def test_words_and_marks_are_tokens(text, tokens):
    assert "|".join(running_text(text).tokens) == tokens


_PIECES = st.sampled_from([*"aAzſ9_ '’.-@#:/+·(),;=DP|[]`s€–\xad\xa0\r\n\tñ²", "http://", "www.", "re", "ll"])


@given(st.lists(_PIECES | st.characters(max_codepoint=0x2FF), min_size=1).map("".join))
def test_text_in_latin_letters_is_cut_as_beside_another_script(text):
    if text.strip():
        assert running_text(f"{text} न").tokens == (*running_text(text).tokens, "न")


@given(st.text(max_size=60).filter(str.strip))
def test_the_text_is_the_same_again(text):
    sentence = running_text(text)
    assert sentence.text == text.strip()
    assert all(sentence.tokens)


_ODD = st.sampled_from(
    "a1_é\u0301\u093f\u102c\u20e3\ufe0f\u200d\u200c\u00ad@.-:'’👩🏽🇧🇷กำ한\u1100\u1161か\u3099字\u0600 \u0e33"
)


@given(st.text(_ODD, max_size=20).filter(str.strip))
def test_no_grapheme_cluster_is_cut(text):
    sentence = running_text(text)
    clusters = regex.findall(r"\X", sentence.text)
    ends, at = set(), 0
    for cluster in clusters:
        at += len(cluster)
        ends.add(at - len(cluster) + len(cluster.rstrip()))
        ends.add(at)
    at = 0
    for token, space in zip(sentence.tokens, sentence.spaces, strict=True):
        assert at + len(token) in ends, sentence.tokens
        at += len(token) + len(space)


@pytest.mark.parametrize(
    ("task", "corpus", "digest"),
    [
        ("classification", "bundled:sentiment-pt", "9f6e58f3fcaa643b"),
        ("classification", "bundled:sentiment-en", "ae8c1315fd704e36"),
        ("pairs", "bundled:entailment-pt", "c7182bf1f8edcd30"),
        ("aspects", "bundled:aspects-en", "d4a897fc36f18a29"),
    ],
)
def test_bundled_corpora_keep_their_sentence_ids(task, corpus, digest):
    """References and baselines of users name sentences by ids that words decide."""
    ids = " ".join(example.id for example in Session(task, corpus=corpus).corpus.examples)
    assert hashlib.sha256(ids.encode()).hexdigest()[:16] == digest


def test_a_text_without_anything_to_see_is_none():
    with pytest.raises(ValueError, match="nothing that can be seen"):
        running_text(" \n")


@pytest.mark.parametrize(
    ("text", "old", "new", "made"),
    [
        ("The art of a party.", "art", "way", "The way of a party."),
        ("Oslo, not Oslo!", "Oslo", "New York", "New York, not New York!"),
        ("It is so good.", "so", "", "It is good."),
        ("so", "so", "", None),
        ("party", "art", "way", None),
        ("我住在北京。", "北京", "上海", "我住在上海。"),
        ("  a  b ", "a", "c", "c  b"),
    ],
)
def test_what_stands_between_borders_of_tokens_is_replaced(text, old, new, made):
    assert replace_all(text, old, new) == made


@pytest.mark.parametrize(
    ("text", "words", "spaces"),
    [("ฉันรักแมว มาก", ["ฉัน", "รัก", "แมว", "มาก"], ("", "", " ", "")), (" a  b ", ["a", "b"], ("  ", ""))],
)
def test_a_text_whose_words_are_known_is_cut_into_them(text, words, spaces):
    sentence = cut_into(text, words)
    assert (sentence.tokens, sentence.spaces) == (tuple(words), spaces)


@pytest.mark.parametrize("words", [["ฉัน", "แมว"], ["ฉัน", "รัก"], ["ฉัน", "", "รัก", "แมว"], []])
def test_words_that_are_not_those_of_the_text_are_refused(words):
    with pytest.raises(ValueError, match=r"does not come next|goes on"):
        cut_into("ฉันรักแมว", words)


@pytest.mark.parametrize(
    ("text", "unspaced"),
    [
        ("ดีมาก", True),
        ("ភាសា", True),
        ("မြန်မာ", True),
        ("बहुत अच्छी", False),
        ("很好", False),
        ("good", False),
        ("ก", False),
    ],
)
def test_scripts_without_spaces_between_words_are_told_from_others(text, unspaced):
    assert is_unspaced(text) is unspaced
