"""Sheets with variants: what is drawn, what raters see of it, and what the key says."""

import csv
import json
import re

import pytest

from abalo.bundled import bundled_path
from abalo.config.options import make_options
from abalo.config.tasks import task_called
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.raters.variants import VariantDraw, draw_variants, fitting, load, mark_differences, write
from abalo.sources.resources import Resources
from perturbations import Edit, Sentence, apply, find, parse, sentence_id
from perturbations.dependencies import digest
from perturbations.layers import ROOT, Arcs

OPTIONS = make_options(thresholds=bundled_path("thresholds.toml"), limit=5)
ENTITIES = task_called("ner")
CORPUS = Corpus("dev.conll", tuple(parse(f"[José{n} PESSOA] não saiu") for n in range(40)))


def asked(*names, **settings):
    return VariantDraw({name: find(name) for name in names}, "pt", **settings)


def seen(before, after, *, labels=True, language="pt"):
    return mark_differences(parse(before), parse(after), VariantDraw({}, language, labels=labels))


def rows(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_as_many_variants_as_asked_for_each_of_another_sentence():
    items = draw_variants(CORPUS, ENTITIES, asked("accents", "character_noise", n=7))
    assert [item.name for item in items] == ["accents"] * 7 + ["character_noise"] * 7
    assert len({item.original for item in items[:7]}) == 7


def test_a_draw_depends_on_neither_corpus_order_nor_other_perturbations():
    turned = Corpus("dev.conll", CORPUS.sentences[::-1])
    alone = draw_variants(turned, ENTITIES, asked("accents", n=5))
    assert [item.original for item in alone] == [
        item.original for item in draw_variants(CORPUS, ENTITIES, asked("typos", "accents", n=5))[5:]
    ]


def test_another_seed_draws_other_sentences():
    first, second = (draw_variants(CORPUS, ENTITIES, asked("accents", n=5, seed=seed)) for seed in (1, 2))
    assert {item.original for item in first} != {item.original for item in second}


def test_where_fewer_sentences_can_change_all_of_them_are_drawn():
    corpus = Corpus("few", (*CORPUS.sentences[:2], parse("Ana saiu"), CORPUS.sentences[0]))
    assert {item.original for item in draw_variants(corpus, ENTITIES, asked("accents"))} == set(CORPUS.sentences[:2])


def test_chance_passes_no_sentence_over_in_which_something_fits():
    rare = VariantDraw({"accents": find("accents").configured(rate=0.01)}, "pt", n=40)
    assert len(draw_variants(CORPUS, ENTITIES, rare)) == 40


def test_nothing_to_draw_is_an_error():
    with pytest.raises(AbaloError, match="plain: nothing fits in any of its sentences"):
        draw_variants(Corpus("plain", (parse("Ana saiu"),)), ENTITIES, asked("accents"))
    with pytest.raises(AbaloError, match="--n 0: expected a whole number from 1"):
        draw_variants(CORPUS, ENTITIES, asked("accents", n=0))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("[José Sá P] saiu", "[Jose Sa P] saiu", ("[«José Sá» P] saiu", "[«Jose Sa» P] saiu")),
        ("[José P] não saiu", "[Jose P] nao saiu", ("[«José» P] «não» saiu", "[«Jose» P] «nao» saiu")),
        ("o réu saiu", "o saiu", ("o «réu» saiu", "o saiu")),
        ("o réu saiu", "o bom réu saiu", ("o réu saiu", "o «bom» réu saiu")),
        ("viu [Rui P] [Ana P]", "viu [Eva P] [Lia P]", ("viu [«Rui» P] [«Ana» P]", "viu [«Eva» P] [«Lia» P]")),
        (r"\[ é « saiu", r"\[ e « saiu", (r"\[ ««é»» « saiu", r"\[ ««e»» « saiu")),
    ],
)
def test_words_that_differ_stand_between_signs_entities_in_brackets(before, after, expected):
    assert seen(before, after) == expected


def test_without_labels_no_bracket_is_added_or_escaped():
    assert seen(r"[José PESSOA] viu \[ \]", r"[Jose PESSOA] viu \[ \]", labels=False) == (
        "«José» viu [ ]",
        "«Jose» viu [ ]",
    )


def test_the_tree_stands_behind_the_text(tmp_path):
    tree = Arcs("heads", (ROOT, 0, None), ("root", "obj", ""))
    sentence = Sentence(("Vi", "José", "."), layers=(tree,))
    items = draw_variants(
        Corpus("one.conllu", (sentence,)), task_called("parsing"), VariantDraw({"accents": find("accents")}, "pt")
    )
    write("one.conllu", VariantDraw({"accents": find("accents")}, "pt", labels=True), items, 1, tmp_path)
    (row,) = rows(tmp_path / "rater-1.csv")
    assert row["original"] == "Vi «José» . → Vi (root ROOT) · José (obj Vi) · . (?)"
    assert row["variant"] == "Vi «Jose» . → Vi (root ROOT) · Jose (obj Vi) · . (?)"


def test_white_space_that_alone_differs_can_be_seen():
    before = Sentence(("Ana", "saiu", "."), spaces=(" ", "", ""))
    after = Sentence(("Ana", "saiu", "."), spaces=("  ", "", ""))
    assert mark_differences(before, after, asked()) == ("«Ana» saiu.", "«Ana»␣␣saiu.")


def test_characters_of_chinese_stand_without_spaces_and_latin_words_with_them():
    assert seen("[张 三 P] 用 Word 2000", "[张 四 P] 用 Word 2000", language="zh") == (
        "[张«三» P]用Word 2000",
        "[张«四» P]用Word 2000",
    )
    assert seen("2 0 年", "2 1 年", language="zh") == ("2«0»年", "2«1»年")


def test_each_rater_has_all_variants_in_another_order_and_no_perturbation_is_named(tmp_path):
    wanted = asked("accents", "character_noise", n=10, labels=True)
    write("/data/lener/dev.conll", wanted, draw_variants(CORPUS, ENTITIES, wanted), 2, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.txt", "key.json", "rater-1.csv", "rater-2.csv"]
    first, second = rows(tmp_path / "rater-1.csv"), rows(tmp_path / "rater-2.csv")
    assert first != second
    assert sorted(row["id"] for row in first) == sorted(row["id"] for row in second)
    assert list(first[0]) == ["id", "original", "variant", "text", "labels"]
    assert all(row["text"] == row["labels"] == "" for row in first)
    shown = (tmp_path / "rater-1.csv").read_text("utf-8") + (tmp_path / "README.txt").read_text("utf-8")
    assert "accents" not in shown
    assert "noise" not in shown


def test_the_key_makes_each_variant_again(tmp_path):
    wanted = asked("accents", n=3)
    write("/data/lener/dev.conll", wanted, draw_variants(CORPUS, ENTITIES, wanted), 1, tmp_path)
    key = json.loads((tmp_path / "key.json").read_text("utf-8"))
    originals = {sentence_id(sentence): sentence for sentence in CORPUS.sentences}
    assert (key["corpus"], key["language"], key["form"], [*key["raters"]]) == (
        "lener/dev.conll",
        "pt",
        "variants",
        ["rater-1"],
    )
    sheet = {row["id"]: row for row in rows(tmp_path / "rater-1.csv")}
    assert list(sheet[next(iter(sheet))]) == ["id", "original", "variant", "text"]
    for name, each in key["items"].items():
        assert (each["perturbation"], each["family"], each["seed"]) == ("accents", "character", 1)
        assert each["digest"] == digest(find("accents"), "pt")
        made = apply(originals[each["sentence_id"]], map(Edit.from_json, each["edits"]["text"])).sentence
        assert sheet[name]["variant"].replace("«", "").replace("»", "") == made.text


def test_sheets_that_may_be_filled_in_are_not_overwritten(tmp_path):
    wanted = asked("accents", n=1)
    write("c", wanted, draw_variants(CORPUS, ENTITIES, wanted), 1, tmp_path)
    with pytest.raises(AbaloError, match=r"already holds README.txt, rater-1.csv, key.json; choose another folder"):
        write("c", wanted, draw_variants(CORPUS, ENTITIES, wanted), 1, tmp_path)
    with pytest.raises(AbaloError, match="--raters 0: expected a whole number from 1"):
        write("c", wanted, draw_variants(CORPUS, ENTITIES, wanted), 0, tmp_path / "other")


def test_without_a_choice_all_that_fit_task_and_language_and_need_no_model_are_drawn_from(tmp_path):
    (tmp_path / "dev.conllu").write_text("1\tAna\t_\tPROPN\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    tagged, task = load(str(tmp_path / "dev.conllu"), OPTIONS)
    words = fitting(task, Resources(tagged, language="en"))
    assert {"multi_pos", "typos", "antonym"} <= set(words)
    assert not {"swap_named_ent", "synonyms", "back_translation"} & set(words)
    entities = fitting(load("bundled:legal-pt", OPTIONS)[1], Resources(CORPUS, language="pt"))
    assert {"swap_named_ent", "synonyms", "antonym"} <= set(entities)
    assert not {"multi_pos", "zh_digits", "back_translation"} & set(entities)


PAIRS = "premise\thypothesis\tlabel\nFive men are singing\tFive men sing\tentailment\n"


def test_of_a_pair_both_sentences_are_shown_with_the_label_that_is_right_after_the_change(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS + "A man sleeps\tA dog runs\tneutral\nHe ran\tHe sat\tcontradiction\n", "utf-8")
    corpus, task = load(str(path), OPTIONS)
    assert task.name == "pairs"
    wanted = VariantDraw(
        {"swap_number": find("swap_number").configured(language="en", one_event=True)}, "en", labels=True
    )
    write(str(path), wanted, draw_variants(corpus, task, wanted), 1, tmp_path / "out")
    (row,) = rows(tmp_path / "out" / "rater-1.csv")
    assert row["original"] == "Five men are singing ⇒ «Five» men sing → entailment"
    assert re.fullmatch("Five men are singing ⇒ «[A-Z][a-z]+» men sing → contradiction", row["variant"])
    (made,) = json.loads((tmp_path / "out" / "key.json").read_text("utf-8"))["items"].values()
    assert [(edit["start"], edit["stop"]) for edit in made["edits"]["hypothesis"]] == [(0, 1)]


def test_a_label_that_nobody_knows_after_the_change_is_a_question_mark(tmp_path):
    path = tmp_path / "texts.tsv"
    path.write_text("text\tlabel\nThe film was good\tpositive\n", "utf-8")
    corpus, task = load(str(path), OPTIONS)
    wanted = VariantDraw({"negation": find("negation").configured(language="en")}, "en", labels=True)
    write(str(path), wanted, draw_variants(corpus, task, wanted), 1, tmp_path / "out")
    (row,) = rows(tmp_path / "out" / "rater-1.csv")
    assert row["original"].endswith(" → positive")
    assert row["variant"].endswith(" → ?")


def test_aspects_whose_polarity_nobody_knows_after_the_change_have_no_brackets(tmp_path):
    path = tmp_path / "aspects.jsonl"
    aspect = {"term": "food", "from": 4, "to": 8, "polarity": "positive"}
    path.write_text(json.dumps({"sentence": "The food was good", "term_list": [aspect]}) + "\n", "utf-8")
    corpus, task = load(str(path), OPTIONS)
    wanted = VariantDraw(
        {name: find(name).configured(language="en") for name in ("negation", "rev_tgt")}, "en", labels=True
    )
    write(str(path), wanted, draw_variants(corpus, task, wanted), 1, tmp_path / "out")
    shown = [row["variant"] for row in rows(tmp_path / "out" / "rater-1.csv")]
    assert sorted("[food" in each for each in shown) == [False, True]
    assert any("was «not» good" in each and "[" not in each for each in shown)


def test_questions_have_no_sentences_to_judge():
    with pytest.raises(AbaloError, match="bundled:questions: the sheets have sentences, and choice has none"):
        load("bundled:questions", OPTIONS)
