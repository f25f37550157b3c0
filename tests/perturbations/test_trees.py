"""Parts of trees that go and come."""

import pytest

from perturbations import Arcs, Edit, apply, parse
from perturbations.catalogue import find
from perturbations.families.tree.add_subtree import known_clauses
from perturbations.layers import arc_label, read_arc_label
from perturbations.lexicons import rows
from tests.rows import every


def arcs(sentence):
    (layer,) = sentence.layers
    return layer


def variants(name, text, **params):
    sentence = parse(text)
    return [
        apply(sentence, [edit]).sentence for site in find(name).configured(**params).sites(sentence) for edit in site
    ]


APPOSITION = (
    "[Ana =PROPN/7/nsubj] [, =PUNCT/4/punct] [filha =NOUN/1/appos] [de =ADP/5/case] [Rui =PROPN/3/nmod] "
    "[, =PUNCT/3/punct] [saiu =VERB/0/root] [. =PUNCT/7/punct]"
).replace("[, =PUNCT/4/punct]", "[, =PUNCT/3/punct]")


def test_a_part_goes_with_both_its_marks():
    (made,) = variants("delete_subtree", APPOSITION)
    assert made.tokens == ("Ana", "saiu", ".")
    assert arcs(made) == Arcs("heads", (1, -1, 1), ("nsubj", "root", "punct"))


def test_a_part_at_the_end_goes_with_the_mark_before_it():
    (made,) = variants(
        "delete_subtree",
        "[Saiu =VERB/0/root] [Ana =PROPN/1/nsubj] [, =PUNCT/4/punct] [filha =NOUN/2/appos] [de =ADP/6/case] "
        "[Rui =PROPN/4/nmod] [. =PUNCT/1/punct]",
    )
    assert made.tokens == ("Saiu", "Ana", ".")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("appos", "conj"),  # of a list
        ("[Rui =PROPN/3/nmod]", "[Rui =PROPN/7/obl]"),  # not all of the part
        ("[, =PUNCT/3/punct] [saiu", "[e =CCONJ/7/cc] [saiu"),  # no mark behind it
    ],
)
def test_what_is_needed_stays(old, new):
    assert variants("delete_subtree", APPOSITION.replace(old, new)) == []


def test_a_comma_that_the_next_part_needs_stays():
    (made,) = variants(
        "delete_subtree",
        "[Hoje =ADV/8/advmod] [, =PUNCT/5/punct] [em =ADP/5/case] [a =DET/5/det] [rua =NOUN/8/obl] [, =PUNCT/5/punct] "
        "[Ana =PROPN/8/nsubj] [saiu =VERB/0/root] [. =PUNCT/8/punct]",
    )
    assert made.tokens == ("Hoje", ",", "Ana", "saiu", ".")


PLAIN = "[Ana =PROPN/2/nsubj] [saiu =VERB/0/root] [. =PUNCT/2/punct]"
VISIT = (
    "[Ana =PROPN/2/nsubj] [viu =VERB/0/root] [o =DET/4/det] [museu =NOUN/2/obj] [em =ADP/7/case] [o =DET/7/det] "
    "[domingo =NOUN/2/obl] [. =PUNCT/2/punct]"
)


def test_a_clause_comes_with_a_tree_of_its_own():
    found = variants("add_subtree", VISIT)
    assert len(found) == len(known_clauses("pt"))
    made = next(each for each in found if "acima" in each.tokens)
    assert made.tokens == (
        "Ana",
        ",",
        "que",
        "mencionamos",
        "acima",
        ",",
        "viu",
        "o",
        *["museu", "em", "o", "domingo", "."],
    )
    assert made.tags[:7] == ("PROPN", "PUNCT", "PRON", "VERB", "ADV", "PUNCT", "VERB")
    assert made.text.startswith("Ana, que mencionamos acima, viu o")
    assert arcs(made).heads[:8] == (6, 3, 3, 0, 3, 3, -1, 8)
    assert arcs(made).relations[:7] == ("nsubj", "punct", "obj", "acl:relcl", "advmod", "punct", "root")


@every(
    ("old", "new"),
    [
        ("PROPN", "NOUN"),
        ("nsubj", "conj"),
        ("Ana", "ANA-1"),
        ("=VERB/0/root", "=NOUN/0/root"),
        ("[. =", "[? ="),
        ("[o =DET/4/det]", "[nosso =DET/4/det]"),
        ("[em =ADP/7/case] [o =DET/7/det] [domingo =NOUN/2/obl] [.", "[."),  # a slogan
    ],
)
def test_only_a_name_that_stands_alone_in_a_plain_sentence_is_followed(old, new):
    words = VISIT.replace(old, new)
    assert words != VISIT
    assert variants("add_subtree", words) == []


def test_a_clause_repeats_no_word_of_the_sentence():
    said = variants("add_subtree", VISIT.replace("[o =DET/4/det]", "[já =DET/4/det]"))
    assert {each.tokens.count("já") for each in said} == {1}


MET = (
    "[Hoje =ADV/2/advmod] [viu =VERB/0/root] [Ana =PROPN/2/obj] {} [casa =NOUN/2/obl] [de =ADP/7/case] "
    "[Rui =PROPN/5/nmod] [. =PUNCT/2/punct]"
)


@every(
    ("behind", "follows"),
    [
        ("[em =ADP/5/case]", True),
        ("[cantar =VERB/2/xcomp]", False),
        ("[para =ADP/5/mark]", False),
        ("[ele =PRON/2/nsubj]", False),
        ("[; =PUNCT/2/punct]", False),
    ],
)
def test_an_object_is_not_parted_from_what_tells_of_it(behind, follows):
    assert bool(variants("add_subtree", MET.format(behind))) == follows


@pytest.mark.parametrize("language", ["pt", "en", "fr"])
def test_every_clause_is_a_tree_below_the_noun(language):
    for clause in known_clauses(language):
        assert len(clause.words) == len(clause.tags) == len(clause.heads) == len(clause.relations)
        assert clause.heads.count(0) == 1
        for word in range(1, len(clause.words) + 1):
            seen = set()
            while word and word not in seen:
                seen.add(word)
                word = clause.heads[word - 1]
            assert word == 0
    assert len(rows(f"set_off_clauses_{language}")) == len(known_clauses(language))


def test_sentences_without_a_tree_have_no_variant():
    for name in ("delete_subtree", "add_subtree"):
        assert not find(name).fits(parse("Ana , filha de Rui , saiu ."))


def test_edits_give_arcs_to_new_tokens():
    sentence = parse(PLAIN)
    put = Edit(1, 1, ("não", "mais"), layers=(("heads", (arc_label(1, "advmod"), arc_label(0, "fixed", new=True))),))
    made = apply(sentence, [put, Edit(0, 1, ("Eva",))]).sentence
    assert arcs(made).heads == (3, 3, 1, -1, 3)
    assert arcs(made).relations == ("nsubj", "advmod", "fixed", "root", "punct")
    gone = apply(sentence, [put, Edit(1, 2, ())]).sentence
    assert arcs(gone).heads == (None, None, 1, None)
    assert Edit.from_json(put.to_json()) == put


@every("label", ["9 x", "+0 x", "+2 x", "-1 x", "x", "1"])
def test_arcs_to_no_token_are_refused(label):
    put = Edit(1, 1, ("não", "mais"), layers=(("heads", (label, "")),))
    with pytest.raises(ValueError, match=r"layer 'heads': .* gives the arc"):
        apply(parse(PLAIN), [put])


def test_a_label_of_an_arc_is_read_as_it_was_written():
    assert read_arc_label(arc_label(7, "nsubj:pass")) == (7, "nsubj:pass", False)
    assert read_arc_label(arc_label(0, "punct", new=True)) == (0, "punct", True)
    assert read_arc_label("") is None
