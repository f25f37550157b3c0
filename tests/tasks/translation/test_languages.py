"""Languages by BCP 47 and RFC 4647, and the tokenizers that sacreBLEU's own command takes for them."""

import json

import pytest
import sacrebleu

from abalo import Session
from abalo.core.records.outcome import Outcome
from abalo.corpora import sacrebleu_tokenizers
from abalo.corpora.language_tags import canonical, takes
from abalo.corpora.parallel import Direction, load
from abalo.corpora.parallel_text import languages_in
from abalo.errors import AbaloError
from abalo.models.prompts.translations import TranslationForm
from abalo.models.translators.protocol import TranslatedText
from abalo.tasks.translation.metrics.scores import METRICS
from tests.rows import every
from tests.texts import TextWith


@pytest.fixture(autouse=True)
def no_dictionaries(monkeypatch):
    """Without MeCab, whatever is installed here."""
    monkeypatch.setattr(sacrebleu_tokenizers, "_is_installed", lambda name: False)


@every(
    ("code", "expected"),
    [
        ("zho", "zh"),
        ("cmn", "zh"),
        ("zh-cmn-Hant", "zh-Hant"),
        ("zh-yue", "yue"),
        ("zho_Hans", "zh-Hans"),
        ("zh_tw", "zh-TW"),
        ("jpn_Jpan", "ja"),
        ("kor_Hang", "ko"),
        ("por_Latn", "pt"),
        ("POR", "pt"),
        ("pt_br", "pt-BR"),
        ("arb_Arab", "ar"),
        ("pes", "fa"),
        ("ger", "de"),
        ("iw", "he"),
        ("srp-latn-rs", "sr-Latn-RS"),
        ("es-419", "es-419"),
        ("ceb_Latn", "ceb-Latn"),
        ("portuguese", None),
        ("", None),
        ("pt BR", None),
    ],
)
def test_codes_have_one_form(code, expected):
    assert canonical(code) == expected


def test_a_language_takes_its_regions_and_a_region_only_itself():
    there = ["pt", "pt-BR", "pt-PT", "zh-TW", "zh-Hant", "zh-Hant-TW"]
    taken = {
        wanted: [tag for tag in there if takes(wanted, tag)] for wanted in ("pt", "pt-BR", "p", "zh-TW", "zh-Hant")
    }
    assert taken == {
        "pt": ["pt", "pt-BR", "pt-PT"],
        "pt-BR": ["pt-BR"],
        "p": [],
        "zh-TW": ["zh-TW"],
        "zh-Hant": ["zh-Hant", "zh-Hant-TW"],
    }


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["s.pt-BR", "r.zh-TW"], ("pt-BR", "zh-TW")),
        (["dev.eng", "dev.zho"], ("en", "zh")),
        (["eng_Latn.dev", "yue_Hant.dev"], ("en", "yue-Hant")),
        (["dev.en-pt_BR.tsv"], ("en", "pt-BR")),
        (["EN-PT.tsv"], ("en", "pt")),
        (["pt2en.tsv"], ("pt", "en")),
        (["pt-data-en.tsv"], ("", "")),
        (["src.txt", "ref.txt"], ("", "")),
    ],
)
def test_names_of_files_tell_regions_scripts_and_long_codes(names, expected):
    assert languages_in(names) == expected


def memory(*units, source="en-US"):
    rows = ["".join(f'<tuv xml:lang="{code}"><seg>{text}</seg></tuv>' for code, text in unit) for unit in units]
    body = "".join(f"<tu>{row}</tu>" for row in rows)
    return f'<tmx version="1.4"><header srclang="{source}"/><body>{body}</body></tmx>'


REGIONS = memory(*([("en-US", f"Cat {k}."), ("pt-BR", f"Gato {k}."), ("pt-PT", f"Gata {k}.")] for k in (1, 2)))
SCRIPTS = memory([("en", "Cat."), ("zh-CN", "猫。"), ("zh_TW", "貓。")], source="en")


@pytest.mark.parametrize(
    ("asked", "expected", "other"),
    [
        ("from=en-US&to=pt-BR", ("Cat 1.", "Gato 1."), "2 further texts in pt-PT"),
        ("from=pt-BR&to=pt-PT", ("Gato 1.", "Gata 1."), "2 further texts in en-US"),
        ("from=por_BR&to=eng", ("Gato 1.", "Cat 1."), "2 further texts in pt-PT"),
        ("to=pt-PT", ("Cat 1.", "Gata 1."), "2 further texts in pt-BR"),
    ],
)
def test_a_region_selects_its_texts_alone_and_the_others_are_counted(tmp_path, asked, expected, other):
    path = tmp_path / "d.tmx"
    path.write_text(REGIONS, "utf-8")
    found = load(f"{path}?{asked}")
    assert (found.sentences[0].text, found.references[0]) == (expected[0], (expected[1],))
    assert len(found.sentences) == 2
    assert found.notices == (TextWith(other),)


def test_a_target_alone_takes_the_sources_of_the_header(tmp_path):
    path = tmp_path / "d.tmx"
    path.write_text(SCRIPTS, "utf-8")
    found = load(f"{path}?to=zh-TW")
    assert (found.direction.codes, found.references) == (("en", "zh-TW"), (("貓。",),))
    assert found.notices == (TextWith("1 further text in zh-CN"),)


@pytest.mark.parametrize(
    ("text", "asked", "message"),
    [
        (REGIONS, "from=en&to=pt", r"texts in pt-BR \(2\) and pt-PT \(2\), all of them pt; name one"),
        (REGIONS, "from=pt&to=en", r"texts in pt-BR \(2\) and pt-PT \(2\)"),
        (REGIONS, "from=en&to=pt-AO", "none in pt-AO"),
        (REGIONS, "", "units in en-US, pt-BR, pt-PT; name two"),
        (SCRIPTS, "to=zh", r"zh-CN \(1\) and zh-TW \(1\)"),
        (SCRIPTS, "to=zh-Hant", "none in zh-Hant"),
        (memory([("en", "Cat."), ("pt-BR", "Gato.")]), "from=pt&to=pt-BR", "pt and pt-BR are the same"),
    ],
)
def test_several_variants_and_missing_ones_are_refused_by_name(tmp_path, text, asked, message):
    path = tmp_path / "d.tmx"
    path.write_text(text, "utf-8")
    with pytest.raises(AbaloError, match=message):
        load(f"{path}?{asked}" if asked else str(path))


@pytest.mark.parametrize("ending", ["tsv", "jsonl"])
def test_columns_are_found_by_any_spelling_of_their_language(tmp_path, ending):
    names, values = ["eng_Latn", "pt_BR", "pt-PT"], ["Cat.", "Gato.", "Gata."]
    path = tmp_path / f"d.{ending}"
    table = "\t".join(names) + "\n" + "\t".join(values) + "\n"
    path.write_text(table if ending == "tsv" else json.dumps(dict(zip(names, values, strict=True))), "utf-8")
    found = load(f"{path}?from=en&to=pt-BR")
    assert (found.sentences[0].text, found.references[0]) == ("Cat.", ("Gato.",))
    for asked, message in (("to=pt", "'pt_BR', 'pt-PT' are all in pt"), ("to=fr", "no column for 'reference'")):
        with pytest.raises(AbaloError, match=message):
            load(f"{path}?from=en&{asked}")


PAIRS = {
    "ja": [("それは猫についての文1です。", "これは猫についての文1です。"), ("犬がいる。", "犬が走っている。")],
    "zho": [("那是关于猫的第0个句子。", "这是关于猫的第0个句子。"), ("我喜欢狗", "我喜欢猫")],
    "zh-Hant": [("那是關於貓的句子。", "這是關於貓的句子。")],
    "yue_Hant": [("我唔鍾意食呢啲嘢。", "我好鍾意食呢啲嘢。")],
    "tha": [("นี่คือแมวตัวที่หนึ่ง", "นั่นคือแมวตัวที่หนึ่ง"), ("แมวนอน", "แมวกิน")],
    "kor": [("이것은 고양이입니다.", "저것은 고양이입니다.")],
    "khm_Khmr": [("នេះគឺជាឆ្មា", "នោះគឺជាឆ្មា")],
    "de": [("Das ist ein guter Satz.", "Dies ist ein guter Satz.")],
}
TOKENIZERS = {"zho": "zh", "zh-Hant": "zh", "yue_Hant": "zh", "de": "13a"}


def bleu_of_texts(corpus, made):
    """BLEU of these translations by the task's own metric."""
    outcomes = [
        Outcome(example, 0, TranslatedText(text), None, TranslatedText(text))
        for example, text in zip(corpus.examples, made, strict=True)
    ]
    metric = next(each for each in METRICS if each.name == "bleu")
    return float(metric.value(metric.count(outcomes, "", ())[:, 0].sum(axis=0)))


@pytest.mark.parametrize("code", PAIRS)
def test_bleu_is_that_of_sacrebleu_with_the_tokenizer_of_the_language(tmp_path, code):
    path = tmp_path / "d.tsv"
    path.write_text(
        "source\treference\n" + "".join(f"text {k}\t{own}\n" for k, (_, own) in enumerate(PAIRS[code])), "utf-8"
    )
    corpus = load(f"{path}?from=en&to={code}")
    made = [translation for translation, _ in PAIRS[code]]
    found = bleu_of_texts(corpus, made)
    tokenizer = TOKENIZERS.get(code, "char")
    expected = sacrebleu.corpus_bleu(made, [[own for _, own in PAIRS[code]]], tokenize=tokenizer, force=True)
    assert found == pytest.approx(expected.score / 100)
    assert found > 0.3
    assert bool(corpus.notices) == (tokenizer == "char")


@pytest.mark.parametrize(("code", "expected"), [("zho", 0.904), ("cmn", 0.904), ("zh_CN", 0.904), ("ja", 0.924)])
def test_one_wrong_character_of_a_sentence_is_no_bleu_of_0(tmp_path, code, expected):
    japanese = code == "ja"
    good, bad = (
        ("これは猫についての文{}です。", "それは猫についての文{}です。")
        if japanese
        else ("这是关于猫的第{}个句子。", "那是关于猫的第{}个句子。")
    )
    (tmp_path / "s.en").write_text("".join(f"Sentence {k}.\n" for k in range(60)), "utf-8")
    (tmp_path / "r.txt").write_text("".join(f"{good.format(k)}\n" for k in range(60)), "utf-8")
    corpus = load(f"{tmp_path / 's.en'},{tmp_path / 'r.txt'}?from=en&to={code}")
    assert bleu_of_texts(corpus, [bad.format(k) for k in range(60)]) == pytest.approx(expected, abs=5e-4)


def test_a_dictionary_is_taken_if_it_is_installed(monkeypatch):
    monkeypatch.setattr(sacrebleu_tokenizers, "_is_installed", lambda name: name == "ja-mecab")
    assert [Direction("en", code).tokenizer for code in ("ja", "ko", "zh-TW", "pt-BR")] == [
        "ja-mecab",
        "char",
        "zh",
        "13a",
    ]


def test_texts_without_spaces_and_without_a_language_are_told(tmp_path):
    path = tmp_path / "d.tsv"
    path.write_text("source\treference\nCat.\t猫がいる。\n", "utf-8")
    assert load(str(path)).notices == (TextWith("tok:13a", "?to=ja", "?tok=char"),)
    assert load(f"{path}?tok=13a").notices == ()
    path.write_text("source\treference\n猫がいる。\tThe cat 猫.\n", "utf-8")
    assert load(str(path)).notices == ()


def test_the_tokenizer_is_chosen_stands_in_the_report_and_makes_another_corpus(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.tsv").write_text("en\tja\nCat.\t猫がいる。\n", "utf-8")
    (tmp_path / "own.py").write_text("def make(): return list\n", "utf-8")
    facts = {}
    for asked in ("", "?tok=zh", "?tok=char"):
        session = Session("translation", "own.py:make", f"d.tsv{asked}")
        facts[asked] = session.task.report.corpus_facts(session.prepared.engine) | {"digest": session.corpus.sha256}
    assert [each["tokenizer"] for each in facts.values()] == ["char", "zh", "char"]
    assert "|tok:zh|" in facts["?tok=zh"]["signatures"]["bleu"]
    assert facts[""]["digest"] == facts["?tok=char"]["digest"] != facts["?tok=zh"]["digest"]
    for asked, message in (("spm", "tok=spm; expected one of 13a, intl"), ("ko-mecab", r"sacrebleu\[ko\]")):
        with pytest.raises(AbaloError, match=message):
            load(f"d.tsv?tok={asked}")


def test_examples_speak_the_language_without_its_region(tmp_path):
    path = tmp_path / "d.tsv"
    path.write_text("pt_BR\tja\nGato.\t猫。\n", "utf-8")
    assert [each.language for each in load(str(path)).examples] == ["pt"]


def test_prompts_name_the_language_and_its_region():
    assert " from English to Portuguese (pt-BR)." in TranslationForm(("en", "pt-BR")).usual()
    assert " to yue-Hant." in TranslationForm(("", "yue-Hant")).usual()
