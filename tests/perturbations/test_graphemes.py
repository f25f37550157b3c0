"""Characters of several code points: no perturbation tears one apart."""

import pytest
import regex

from perturbations import Sentence, character_level, members
from perturbations.catalogue import restore_after
from perturbations.graphemes import borders, clusters, exchanges
from tests.rows import every

TEXTS = {
    "emoji with joiners": "A família 👩‍👩‍👧 e o médico 🧑🏽‍⚕️ saíram ontem",
    "skin tones": "Great work 👍🏽👋🏿 everyone ✌🏻 here",
    "flags": "O jogo 🇧🇷🇵🇹 foi ontem 🇫🇷 em Lisboa",
    "keycaps": "Press 1️⃣ or #️⃣ and then 2️⃣ quickly",
    "selectors": "We ❤️ coffee ☕️ and rain ☂︎ today 葛󠄀城",
    "decomposed Latin": "Nao\u0303 e\u0301 o\u0301rga\u0303o da Unia\u0303o , Jose\u0301",
    "Vietnamese": "Nguye\u0302\u0303n Va\u0306n Trỗi sinh ra tại Quảng Nam",
    "Greek": "Η Ἀθηνᾶ πῆγε στη Θεσσαλονι\u0301κη χθες",
    "Cyrillic": "За\u0301мок и\u0306од стоит в Москве",
    "Armenian": "Երևանը Հայաստանի մայրաքաղաքն է",
    "Georgian": "თბილისი საქართველოს დედაქალაქია",
    "Hebrew": "שָׁלוֹם לְכָל הַיְלָדִים בִּירוּשָׁלַיִם",
    "Arabic": "كِتَابٌ جَدِيدٌ فِي المَكْتَبَةِ بالقاهرة",
    "Persian": "کتاب‌ها را می‌خوانیم و به تهران می‌رویم",
    "Devanagari": "दिल्ली में अच्छी क्‍षमता और प्रकाश है",
    "Bengali": "ঢাকায় নতুন প্রকাশনা শুরু হয়েছে",
    "Gurmukhi": "ਅੰਮ੍ਰਿਤਸਰ ਵਿੱਚ ਸ੍ਰੀ ਹਰਿਮੰਦਰ",
    "Gujarati": "અમદાવાદમાં પ્રદર્શન શરૂ થયું",
    "Tamil": "சென்னையில் புதிய நூலகம் திறக்கப்பட்டது",
    "Telugu": "హైదరాబాద్‌లో కొత్త గ్రంథాలయం",
    "Malayalam": "കൊച്ചിയിൽ പുതിയ ഗ്രന്ഥശാല തുറന്നു",
    "Sinhala": "කොළඹ ශ්‍රී ලංකාවේ නගරයකි",
    "Thai": "เขากำลังไปที่กรุงเทพ น้ำท่วม ผู้ใหญ่",
    "Lao": "ນະຄອນຫຼວງວຽງຈັນ ນໍ້າ ເຈົ້າ",
    "Khmer": "ក្រុង ភ្នំពេញ ជា រដ្ឋធានី",
    "Myanmar": "မြန်မာ နိုင်ငံ ရန်ကုန် မန္တလေး",
    "Tibetan": "བོད་ཡིག བཀྲ་ཤིས",
    "Ethiopic": "አዲስ አበባ የኢትዮጵያ ዋና ከተማ",
    "Hangul": "서울에서 \u1112\u1161\u11ab국 사람을 만났다",
    "Kana": "か\u3099んば\u3099る ガラスの コップ です",
    "Chinese": "王伟 在 北京 工作 ， 是 医生 。",
}
"""Old failures first, then texts of the scripts."""

TORN = {
    "begins with a mark": r"^[\p{M}\u200c\u200d\p{Emoji_Modifier}]",
    "half a flag": r"(?<!\p{RI})(?:\p{RI}\p{RI})*\p{RI}(?!\p{RI})",
    "a joiner with nothing to join": (
        r"(?<![\p{M}\p{L}\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d|\u200d(?![\p{L}\p{Extended_Pictographic}])"
    ),
    "a skin tone without a hand": r"(?<!\p{Emoji_Modifier_Base})\p{Emoji_Modifier}",
    "a selector without its sign": r"(?<!\p{Emoji}|\u200d)\ufe0f|(?<![\p{Emoji}\p{L}\p{M}])\ufe0e",
    "a selector without its ideograph": r"(?<!\p{Han})[\U000e0100-\U000e01ef]",
    "a keycap without its key": r"(?<![0-9#*]\ufe0f?)\u20e3",
    "a mark on no letter": r"(?<![\p{L}\p{M}\p{N}\u200c\u200d])[\p{Mn}\p{Mc}--\p{Variation_Selector}]",
    "a mark of another script": (
        r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{Han}][\p{M}--[\p{sc=Inherited}\p{sc=Common}\p{Variation_Selector}]]"
    ),
}
PATTERNS = {name: regex.compile(pattern, regex.V1) for name, pattern in TORN.items()}


def torn(token: str) -> list[str]:
    return [name for name, pattern in PATTERNS.items() if pattern.search(token)]


@every(
    ("token", "fault"),
    [
        ("\u0303ao", "begins with a mark"),
        ("🇧", "half a flag"),
        ("🇧🇷🇵", "half a flag"),
        ("👩\u200d", "a joiner with nothing to join"),
        ("k🏽", "a skin tone without a hand"),
        ("k\ufe0f", "a selector without its sign"),
        ("k\u20e3", "a keycap without its key"),
        (".\u0303", "a mark on no letter"),
        ("kि", "a mark of another script"),
    ],
)
def test_the_faults_are_found(token, fault):
    assert fault in torn(token)


@pytest.mark.slow
@every("text", list(TEXTS.values()))
def test_no_perturbation_tears_a_character_apart(text):
    tokens = tuple(text.split())
    assert [token for token in tokens if torn(token)] == []
    sentence = Sentence(tokens, ("B-PER", "I-PER", *("O",) * (len(tokens) - 2)))
    for member in members().values():
        if member.cost == "text":
            for seed in range(6):
                made = member.configured(rate=1 if seed % 2 else 0.5).sample(sentence, seed=seed)
                new = () if made is None else made.sentence.tokens
                assert [(member.name, token, torn(token)) for token in new if torn(token)] == []


@every(
    ("text", "cut"),
    [
        ("casa", "c a s a"),
        ("São", "S ã o"),
        ("e\u0301x", "e\u0301 x"),
        ("👩‍👩‍👧a", "👩‍👩‍👧 a"),
        ("🇧🇷🇵🇹", "🇧🇷 🇵🇹"),
        ("अच्छी", "अ च् छी"),
        ("क्‍ष", "क्‍ष"),
        ("ក្រុង", "ក្រុ ង"),
        ("မာ", "မာ"),
        ("กำ", "กำ"),
    ],
)
def test_clusters_are_what_readers_see(text, cut):
    assert list(clusters(text)) == cut.split(" ")
    assert [text[a:b] for a, b in zip(borders(text), borders(text)[1:], strict=False)] == cut.split(" ")


def test_a_letter_takes_over_the_marks_of_its_own_script_alone():
    assert exchanges("e\u0301", lambda _: ["a", "0"]) == [["a"], ()]
    assert exchanges("कि", lambda _: ["ख", "k"]) == [["ख"], ()]
    assert exchanges("👍🏽", lambda _: ["k"]) == [[], ()]


@pytest.mark.parametrize(
    ("token", "options", "made"),
    [
        ("ae\u0301", {"e": ["", "o"]}, ["a", "ao\u0301"]),
        ("ae\u0301", {"e": ["", "o"], "\u0301": [""]}, ["ao\u0301", "ae"]),
        ("a👍🏽", {"👍": ["x"], "🏽": [""]}, ["ax"]),
    ],
)
def test_characters_change_with_what_hangs_on_them(token, options, made):
    with restore_after():

        @character_level(example=("a", "b"))
        def changed(char: str) -> list[str]:
            return options.get(char, [])

        edits = [edit for site in changed.sites(Sentence((token,))) for edit in site]
    assert [token[: edit.chars[0]] + edit.tokens[0] + token[edit.chars[1] :] for edit in edits] == made
