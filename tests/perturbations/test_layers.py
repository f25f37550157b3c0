"""Layers of labels: what they refuse, and how edits carry each of them."""

import json
import re
from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import (
    ROOT,
    UNLABELLED,
    Arcs,
    Edit,
    Pipeline,
    Sentence,
    Span,
    TokenLayer,
    WholeLabel,
    apply,
    compose,
    entity_spans,
    find,
    parse,
    render,
    unchanged,
)
from perturbations.composition import edits_between
from perturbations.resources import Always
from perturbations.strategies import edits, sentences
from tests.rows import every

pytestmark = pytest.mark.slow


def put(start: int, stop: int, words: str = "", **given: object) -> Edit:
    return Edit(start, stop, tuple(words.split()), **given)


def tagged(text: str) -> Sentence:
    """Words with a label each, as in "the/DET cat/NOUN"; nothing behind the stroke is no label."""
    pairs = [word.split("/") for word in text.split()]
    return Sentence(tuple(word for word, _ in pairs), tuple(label for _, label in pairs), policy="each")


def shown(sentence: Sentence) -> str:
    return " ".join(map("/".join, zip(sentence.tokens, sentence.tags, strict=True)))


def segmented(text: str) -> Sentence:
    """Characters with their place in a word, as in "北京 大学"; one in round brackets has no label."""
    labels = []
    for word in text.split():
        labels += [""] if word[0] == "(" else ["S"] if len(word) == 1 else ["B", *"M" * (len(word) - 2), "E"]
    return Sentence(tuple(re.sub(r"[ ()]", "", text)), tuple(labels), policy="bmes")


def words(sentence: Sentence) -> str:
    parts = {"B": " {}", "M": "{}", "E": "{}", "S": " {}", "": " ({})"}
    pairs = zip(sentence.tokens, sentence.tags, strict=True)
    return "".join(parts[label].format(token) for token, label in pairs).strip()


def depending(tokens: str, heads: tuple[int | None, ...], relations: str) -> Sentence:
    """Words, the place of the head of each, and the relation to it, "-" for none."""
    labels = tuple("" if relation == "-" else relation for relation in relations.split())
    return Sentence(tuple(tokens.split()), layers=(Arcs("dependencies", heads, labels),))


# A label for each token by itself.


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (put(1, 2, "dog"), "the/DET dog/NOUN sat/VERB down/ADV there/ADV"),
        (Edit(1, 2, ("o",), chars=(1, 2)), "the/DET cot/NOUN sat/VERB down/ADV there/ADV"),
        (put(1, 1, "old"), "the/DET old/ cat/NOUN sat/VERB down/ADV there/ADV"),
        (put(5, 5, "again"), "the/DET cat/NOUN sat/VERB down/ADV there/ADV again/"),
        (put(0, 1), "cat/NOUN sat/VERB down/ADV there/ADV"),
        (put(1, 2, "tom cat"), "the/DET tom/ cat/ sat/VERB down/ADV there/ADV"),
        (put(3, 5, "here"), "the/DET cat/NOUN sat/VERB here/ADV"),
        (put(2, 4, "rested"), "the/DET cat/NOUN rested/ there/ADV"),
        (put(2, 4, "lay around"), "the/DET cat/NOUN lay/ around/ there/ADV"),
        (put(3, 5, "up here now"), "the/DET cat/NOUN sat/VERB up/ here/ now/"),
    ],
)
def test_a_token_keeps_the_label_of_the_one_it_stands_for_and_no_other_has_one(edit, expected):
    assert shown(apply(tagged("the/DET cat/NOUN sat/VERB down/ADV there/ADV"), [edit]).sentence) == expected


def test_origins_say_which_token_stands_for_which():
    source = tagged("she/PRON sings/VERB well/ADV")
    moved = put(0, 3, "well she sings", origins=((2,), (0,), (1,)))
    assert shown(apply(source, [moved]).sentence) == "well/ADV she/PRON sings/VERB"
    opened = put(0, 1, "clearly she", origins=((), (0,)))
    assert shown(apply(source, [opened]).sentence) == "clearly/ she/PRON sings/VERB well/ADV"
    split = put(1, 2, "does sing", origins=((1,), (1,)))
    assert shown(apply(source, [split]).sentence) == "she/PRON does/ sing/ well/ADV"
    one_of_two = put(1, 2, "does sing", origins=((), (1,)))
    assert shown(apply(source, [one_of_two]).sentence) == "she/PRON does/ sing/VERB well/ADV"


def test_a_token_that_stays_keeps_its_label_beside_a_copy_which_has_none():
    repeated = put(1, 1, "she", origins=((0,),))
    assert shown(apply(tagged("she/PRON sings/VERB"), [repeated]).sentence) == "she/PRON she/ sings/VERB"


def test_tokens_without_a_label_make_one_without():
    assert shown(apply(tagged("a/ b/X c/"), [put(0, 2, "d")]).sentence) == "d/ c/"


def test_labels_that_an_edit_gives_are_taken():
    given_labels = put(1, 2, "tom cat", tags=("ADJ", "NOUN"))
    inserted = put(0, 0, "so", tags=("ADV",))
    after = apply(tagged("the/DET cat/NOUN sat/VERB"), [given_labels, inserted]).sentence
    assert shown(after) == "so/ADV the/DET tom/ADJ cat/NOUN sat/VERB"


# Words of Chinese characters.


@every(
    ("edit", "expected"),
    [
        (put(0, 1, "南"), "南京 大学生 在"),
        (put(1, 1, "x"), "北x京 大学生 在"),
        (put(2, 2, "x"), "北京 (x) 大学生 在"),
        (put(2, 2, "x y"), "北京 (x) (y) 大学生 在"),
        (put(0, 1), "京 大学生 在"),
        (put(2, 3), "北京 学生 在"),
        (put(3, 4), "北京 大生 在"),
        (put(4, 5), "北京 大学 在"),
        (put(5, 6), "北京 大学生"),
        (put(5, 6, "住 在"), "北京 大学生 住在"),
        (put(2, 5, "人"), "北京 人 在"),
        (put(2, 5, "居 民"), "北京 居民 在"),
        (put(3, 5, "x y z"), "北京 大xyz 在"),
        (put(1, 3, "x"), "北 (x) 学生 在"),
        (put(0, 5, "x y"), "(x) (y) 在"),
        (put(1, 3), "北 学生 在"),
        (put(0, 2, "京 北", origins=((1,), (0,))), "京北 大学生 在"),
    ],
)
def test_the_words_that_are_left_are_written_as_bmes_again(edit, expected):
    assert words(apply(segmented("北京 大学生 在"), [edit]).sentence) == expected


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (put(2, 3, "x y", tags=("B", "E")), "北京 xy 学生"),
        (put(2, 2, "x y", tags=("B", "E")), "北京 xy 大学生"),
        (put(2, 2, "x", tags=("E",)), "北京x 大学生"),
        (put(2, 3, "x", tags=("S",)), "北京 x 学生"),
        (put(2, 3, "x", tags=("B",)), "北京 x学生"),
        (put(2, 3, "x", tags=("",)), "北京 (x) 学生"),
        (put(2, 3, "x y", tags=("S", "B")), "北京 x y学生"),
    ],
)
def test_labels_that_an_edit_gives_say_where_words_begin_and_end(edit, expected):
    assert words(apply(segmented("北京 大学生"), [edit]).sentence) == expected


def test_a_middle_that_is_in_no_word_is_refused_instead_of_making_one_of_its_neighbour():
    with pytest.raises(ValueError, match=r"layer 'tags': .* gives the label 'M', but the token is not in the middle"):
        apply(segmented("我 你"), [put(1, 1, "x", tags=("M",))])
    assert words(apply(segmented("我们 你"), [put(1, 1, "x", tags=("M",))]).sentence) == "我x们 你"
    both = [put(0, 1, "x y", tags=("B", "M")), put(1, 2, "z", tags=("E",))]
    assert words(apply(segmented("我 你"), both).sentence) == "xyz"


def test_a_label_that_is_not_bmes_is_refused():
    with pytest.raises(ValueError, match=r"layer 'tags': .* gives the label 'O'; expected B, M, E, S or ''"):
        apply(segmented("北京"), [put(2, 2, "x", tags=("O",))])


# Arcs.

# saw the cat there: saw is the root; the depends on cat; cat and there depend on saw
SAW = depending("saw the cat there", (ROOT, 2, 0, 0), "root det obj advmod")


@pytest.mark.parametrize(
    ("edit", "heads", "relations"),
    [
        (put(0, 0, "we"), (None, ROOT, 3, 1, 1), " root det obj advmod"),
        (put(2, 2, "old"), (ROOT, 3, None, 0, 0), "root det  obj advmod"),
        (put(1, 2), (ROOT, 0, 0), "root obj advmod"),
        (put(2, 3), (ROOT, None, 0), "root  advmod"),
        (put(0, 1), (1, None, None), "det  "),
        (put(2, 3, "tom cat"), (ROOT, None, None, None, 0), "root    advmod"),
        (put(1, 3, "Tom"), (ROOT, 0, 0), "root obj advmod"),
        (put(2, 4, "dog"), (ROOT, 2, None), "root det "),
        (put(0, 4, "there saw the cat", origins=((3,), (0,), (1,), (2,))), (1, ROOT, 3, 1), "advmod root det obj"),
    ],
)
def test_an_arc_stays_where_its_token_and_its_head_are_each_still_one(edit, heads, relations):
    (arcs,) = apply(SAW, [edit]).sentence.layers
    assert arcs == Arcs("dependencies", heads, tuple(relations.split(" ")))


# Further layers, spans, the label of the whole.


def test_every_layer_is_carried_by_its_own_policy():
    source = Sentence(
        ("Ana", "Sá", "saiu"),
        ("B-PER", "I-PER", "O"),
        anchors=(Span(0, 2, "subject"), Span(2, 3, "verb")),
        layers=(
            TokenLayer("upos", ("PROPN", "PROPN", "VERB")),
            TokenLayer("case", ("B-upper", "B-upper", "O"), "bio"),
            WholeLabel("mood", "indicative"),
        ),
    )
    after = apply(source, [put(1, 1, "de"), put(2, 3, "foi embora")]).sentence
    assert render(after) == "[Ana de Sá PER] foi embora"
    assert after.anchors == (Span(0, 3, "subject"), Span(3, 5, "verb"))
    assert after.layers == (
        TokenLayer("upos", ("PROPN", "", "PROPN", "", "")),
        TokenLayer("case", ("B-upper", "O", "B-upper", "O", "O"), "bio"),
        WholeLabel("mood", "indicative"),
    )


def test_labels_given_for_the_tags_are_for_no_other_layer():
    source = Sentence(("Ana", "saiu"), ("B-PER", "O"), layers=(TokenLayer("upos", ("PROPN", "VERB")),))
    after = apply(source, [put(0, 1, "Eva Reis", tags=("B-PER", "I-PER"))]).sentence
    assert after.tags == ("B-PER", "I-PER", "O")
    assert after.layers == (TokenLayer("upos", ("", "", "VERB")),)


def test_an_edit_can_give_the_labels_of_a_further_layer():
    source = Sentence(("Ana", "saiu"), ("B-PER", "O"), layers=(TokenLayer("upos", ("PROPN", "VERB")),))
    edit = put(1, 2, "foi embora", layers=(("upos", ("VERB", "ADV")),))
    after = apply(source, [edit]).sentence
    assert after.tags == ("B-PER", "O", "O")
    assert after.layers == (TokenLayer("upos", ("PROPN", "VERB", "ADV")),)
    assert Edit.from_json(json.loads(json.dumps(edit.to_json()))) == edit
    one_word = put(1, 2, "sai", layers=(("upos", ("NOUN",)),))
    assert apply(source, [one_word]).sentence.layers == (TokenLayer("upos", ("PROPN", "NOUN")),)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (put(0, 2, "x"), "layer 'ner': .* replaces tokens labelled B-PER O as one: give the labels of the new tokens"),
        (put(0, 1, "x", layers=(("pos", ("X",)),)), "layer 'pos': .* the sentence has no such token layer"),
        (put(0, 1, "x", layers=(("ner", ("O", "O")),)), r"layer 'ner': .* 1 tokens but gives the labels \('O', 'O'\)"),
        (put(0, 1, "x", layers=(("mood", ("X",)),)), "layer 'mood': .* the sentence has no such token layer"),
        (Edit(0, 1, ("x",), chars=(0, 1), layers=(("ner", ("O",)),)), "keeps its labels"),
    ],
)
def test_what_cannot_be_carried_is_refused_by_the_name_of_its_layer(edit, message):
    layers = (TokenLayer("ner", ("B-PER", "O"), "bio"), WholeLabel("mood", "indicative"))
    with pytest.raises(ValueError, match=message):
        apply(Sentence(("Ana", "saiu"), layers=layers), [edit])


@every(
    ("wrong", "message"),
    [
        (lambda: TokenLayer("upos", ("X",), "iob"), "layer 'upos': policy is 'iob'; expected one of bio, each, bmes"),
        (lambda: TokenLayer("seg", ("B", "S"), "bmes"), r"layer 'seg': \('B', 'S'\) are not BMES; expected S, or B"),
        (lambda: TokenLayer("seg", ("O",), "bmes"), "layer 'seg': .* are not BMES"),
        (lambda: TokenLayer("seg", ("BE",), "bmes"), "layer 'seg': .* are not BMES"),
        (
            lambda: Arcs("deps", (0,), ("x",)),
            "layer 'deps': the head of token 0 is 0; expected another of the 1 tokens",
        ),
        (lambda: Arcs("deps", (1,), ("x",)), "layer 'deps': the head of token 0 is 1"),
        (lambda: Arcs("deps", (ROOT,), ()), "layer 'deps': 1 heads but 0 relations"),
        (lambda: Sentence(("a",), ("E",), policy="bmes"), "layer 'tags': .* are not BMES"),
        (lambda: Sentence(("a",), ("E",), policy="x"), "layer 'tags': policy is 'x'"),
        (lambda: Sentence(("a",), layers=(TokenLayer("upos", ()),)), "layer 'upos': labels for 0 tokens, .* are 1"),
        (lambda: Sentence((), layers=(WholeLabel("a", "x"), WholeLabel("a", "y"))), "layer 'a': .* already"),
        (lambda: Sentence((), layers=(WholeLabel("tags", "x"),)), "layer 'tags': .* one of that name already"),
    ],
)
def test_a_layer_that_does_not_fit_is_refused_by_its_name(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_labels_in_a_list_are_refused():
    with pytest.raises(TypeError, match=r"layer 'upos': labels is \['X'\]; expected a tuple"):
        TokenLayer("upos", ["X"])
    with pytest.raises(TypeError, match=r"layers is \[\]; expected a tuple"):
        Sentence((), layers=[])


def test_a_sentence_with_layers_is_a_key():
    assert {SAW: 1}[replace(SAW)] == 1
    assert Sentence(SAW.tokens) != SAW


def test_only_bio_tags_mark_entities():
    labels = ("B-verb", "I-verb")
    assert Sentence(("a", "b"), labels).entity_tags == labels
    assert Sentence(("a", "b"), labels, policy="each").entity_tags is None
    assert render(Sentence(("a", "b"), labels, policy="each")) == "a b"


@pytest.mark.parametrize("name", ["ent_typos", "swap_named_ent", "swap_ent_longer", "char_typo", "insert"])
def test_what_changes_entities_finds_none_in_labels_of_another_scheme(name):
    sentence = Sentence(("Ana", "Reis"), ("B-PER", "I-PER"), policy="each")
    assert find(name).configured(rate=1).sample(sentence, seed=1) is None
    assert find(name).configured(rate=1).sample(replace(sentence, policy="bio"), seed=1) is not None


def test_words_outside_entities_are_all_words_where_labels_are_of_another_scheme():
    sentence = Sentence(("José",), ("B-X",), policy="each")
    made = find("accents").configured(inside_entities=False).sample(sentence, seed=1)
    assert made.sentence == Sentence(("Jose",), ("B-X",), policy="each")


@pytest.mark.parametrize(
    ("following", "expected"),
    [
        (tagged("it/PRON ran/VERB"), "so/ADV it/PRON ran/VERB"),
        (parse("it [ran X]"), "so/ADV it/ ran/"),
        (Sentence(("it", "ran")), "so/ADV it/ ran/"),
    ],
)
def test_a_joined_sentence_brings_its_labels_if_they_are_of_the_same_scheme(following, expected):
    concat = find("concat_sent").configured(following=Always("corpus", (following,)))
    assert shown(concat.sample(tagged("so/ADV"), seed=1).sentence) == expected


def test_a_joined_sentence_brings_its_further_layers():
    one, other = (Sentence((token,), layers=(TokenLayer("upos", ("X",)),)) for token in "ab")
    concat = find("concat_sent").configured(following=Always("corpus", (other, Sentence(("c",)))))
    assert concat.sample(one, seed=1).sentence.layers == (TokenLayer("upos", ("X", "X", "")),)


# Whatever the edits.

LAYERED = {
    "tagged": sentences(policy="each", further=("bmes", "bio")),
    "segmented": sentences(policy="bmes", further=("each",)),
    "entities": sentences(further=("each", "bmes")),
}
layered = st.one_of(*LAYERED.values())


@given(st.data())
def test_labels_stay_as_many_as_tokens_and_well_formed(data):
    source = data.draw(layered)
    new = apply(source, data.draw(edits(source))).sentence  # which checks its layers
    for before, after in zip(source.token_layers, new.token_layers, strict=True):
        assert (before.name, before.policy, len(after)) == (after.name, after.policy, len(new))
    assert [layer for layer in new.layers if isinstance(layer, WholeLabel)] == [source.layers[-1]]


@given(st.data())
def test_a_label_is_only_on_a_token_whose_origins_have_it(data):
    source = data.draw(layered)
    made = apply(source, data.draw(edits(source)))
    for before, after in zip(source.token_layers, made.sentence.token_layers, strict=True):
        if before.policy == "each":
            for label, origin in zip(after.labels, made.origins, strict=True):
                assert label in ("", *{before.labels[old] for old in origin})
                assert origin or label == UNLABELLED


@given(st.data())
def test_an_arc_leads_from_where_it_came_from(data):
    source = data.draw(layered)
    made = apply(source, data.draw(edits(source)))
    before, after = (next(each for each in it.layers if isinstance(each, Arcs)) for it in (source, made.sentence))
    for head, relation, origin in zip(after.heads, after.relations, made.origins, strict=True):
        ends = [ROOT] if head == ROOT else [] if head is None else made.origins[head]
        found = {(end, before.relations[old]) for old in origin for end in ends if before.heads[old] == end}
        assert (head is None and relation == "") or relation in {label for _, label in found}


def word_numbers(labels: tuple[str, ...]) -> list[int | None]:
    """For each character the number of its word, None where it has none."""
    begun = list(accumulate(label in ("B", "S") for label in labels))
    return [number if label else None for number, label in zip(begun, labels, strict=True)]


@given(st.data())
def test_segmentation_joins_no_words(data):
    source = data.draw(sentences(policy="bmes"))
    made = apply(source, data.draw(edits(source)))
    old, sources = word_numbers(source.tags), {}
    for number, origin in zip(word_numbers(made.sentence.tags), made.origins, strict=True):
        sources.setdefault(number, set()).update(old[each] for each in origin)
    assert all(len(words) <= 1 for number, words in sources.items() if number is not None)


@given(st.data())
def test_composing_is_applying_in_turn_in_every_token_layer(data):
    source = data.draw(layered)
    first = apply(source, data.draw(edits(source)))
    second = apply(first.sentence, data.draw(edits(first.sentence)))
    whole = compose(source, first, second)
    assert whole.sentence.tokens == second.sentence.tokens
    assert whole.sentence.token_layers == second.sentence.token_layers
    assert whole.sentence.layers[-1] == source.layers[-1]
    written = json.dumps([edit.to_json() for edit in whole.edits])
    assert apply(source, map(Edit.from_json, json.loads(written))) == whole
    assert compose(source, unchanged(source), first).sentence.token_layers == first.sentence.token_layers


@given(st.data())
def test_edits_lead_from_any_layers_to_any_others(data):
    name = data.draw(st.sampled_from(sorted(LAYERED)))
    source, target = data.draw(LAYERED[name]), data.draw(LAYERED[name])
    some = (
        st.lists(st.integers(0, len(source) - 1), max_size=2, unique=True).map(sorted) if source.tokens else st.just([])
    )
    origins = tuple(tuple(data.draw(some)) for _ in target.tokens)
    made = apply(source, edits_between(source, target, origins))
    assert (made.sentence.tokens, made.sentence.spaces) == (target.tokens, target.spaces)
    assert made.sentence.token_layers == target.token_layers
    assert made.origins == origins


def test_no_edits_lead_from_one_policy_to_another():
    one, other = tagged("a/X"), Sentence(("a",), ("O",))
    with pytest.raises(ValueError, match="layer 'tags': no edits lead from policy 'each' to 'bio'"):
        edits_between(one, other, ((0,),))
    one, other = (Sentence(("a",), layers=(TokenLayer("x", ("O",), policy),)) for policy in ("each", "bio"))
    with pytest.raises(ValueError, match="layer 'x': no edits lead from policy 'each' to 'bio'"):
        edits_between(one, other, ((0,),))


def test_a_pipeline_carries_every_layer():
    source = Sentence(
        ("José", "não", "saiu"),
        ("PROPN", "ADV", "VERB"),
        policy="each",
        layers=(TokenLayer("ner", ("B-PER", "O", "O"), "bio"), Arcs("deps", (2, 2, ROOT), ("nsubj", "advmod", "root"))),
    )
    steps = (find("word_insertion").configured(rate=1, fillers=["x"]), find("accents").configured(rate=1))
    new = Pipeline(steps).sample(source, seed=1).sentence
    assert shown(new) == "Jose/PROPN x/ nao/ADV x/ saiu/VERB x/"
    assert new.layers == (
        TokenLayer("ner", ("B-PER", "O", "O", "O", "O", "O"), "bio"),
        Arcs("deps", (4, None, 4, None, ROOT, None), ("nsubj", "", "advmod", "", "root", "")),
    )
    assert entity_spans(new.entity_tags or ()) == []
