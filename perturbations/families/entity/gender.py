"""Sentences about persons of the other gender: given names, words for persons, and what agrees with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from perturbations.families.character.accents import strip_accents
from perturbations.families.entity.places import listed_places
from perturbations.families.word.fitting import listed_kinds
from perturbations.languages import has, optional_rules
from perturbations.languages.language import words_in
from perturbations.languages.parts import Gender, GenderAgreement
from perturbations.lexicons import pairs, rows
from perturbations.lexicons import words as stop_words
from perturbations.numbered import OnDemand
from perturbations.resources import GivenNames, sort_of
from perturbations.sites import in_entities, is_like_a_name, rewriting
from perturbations.text import Edit, Sentence, entity_spans, lower_tokens


def _has_capitals(sentence: Sentence) -> bool:
    """Whether names can be told from other words, and are not all in small letters."""
    return any(char.isupper() for token in sentence.tokens for char in token)


def turn_gender(sentence: Sentence, to: Gender, language: str, more: GivenNames) -> Sequence[Edit]:
    """The sentence about persons of that gender, an edit for each name that the first of them could have.

    One edit where only words change that are no names, none where nothing does.
    """
    table = _table(to, language, more)
    persons = _persons(sentence, table, language)
    if not any(person.names for person in persons) and table.nouns.keys().isdisjoint(lower_tokens(sentence.tokens)):
        return []
    agreement = optional_rules(language, "agreement", GenderAgreement)
    words = _words(sentence, table, persons, agreement, language)
    if _sets_apart(words, sentence, table, language) or _may_mean_others(sentence, table, persons):
        return []
    if agreement is not None and (
        _is_unclear(sentence, table, persons)
        or agreement.leaves_open(lower_tokens(sentence.tokens), to)
        or _has_uncertain(words, sentence, table, agreement)
        or not _with_predicates(words, table, persons, sentence, agreement)
        or _leaves_behind(words, sentence, agreement, to)
        or _disagrees(words, sentence, persons, table, agreement)
    ):
        return []
    if sentence.entity_tags is None and not (
        _has_capitals(sentence) and _knows_who(sentence, words, persons, table, language)
    ):
        return []
    places = [i for person in persons for i in person.names]
    if not places and not words:
        return []
    bearers = list(dict.fromkeys(sentence.tokens[i].lower() for i in places))

    def edit(first: int) -> Edit:
        given = {name: table.choices[(first + _STRIDE * k) % len(table.choices)] for k, name in enumerate(bearers)}
        return rewriting(sentence, words | {i: given[sentence.tokens[i].lower()] for i in places})

    return OnDemand(len(table.choices) if bearers else 1, edit)


_STRIDE = 37
"""The distance in the alphabetical list between the new names of two persons in one sentence."""


@dataclass(frozen=True, slots=True)
class _GenderLists:
    """The word lists for one direction: names to replace, names to choose from, words with their counterparts.

    ``titles`` are the words that can stand beside a name; ``before_names`` the determiners that turn before one;
    ``before_persons`` the words behind which a participle is a word for a person; ``known`` nouns and adjectives;
    ``standing_for`` the pronouns, and what of the nouns is one too.
    """

    to: Gender
    names: frozenset[str]
    same: frozenset[str]
    listed: frozenset[str]
    choices: tuple[str, ...]
    nouns: Mapping[str, str]
    determiners: Mapping[str, str]
    adjectives: Mapping[str, str]
    pronouns: Mapping[str, str]
    titles: frozenset[str]
    before_names: Mapping[str, str]
    before_persons: frozenset[str]
    known: Mapping[str, str]
    standing_for: frozenset[str]


@cache
def _table(to: Gender, language: str, more: GivenNames) -> _GenderLists:
    known = listed_kinds(language) if has(language, "word_classes") else {}
    others = {name: gender for name, gender in more.genders.items() if name not in known}
    names = {**others, **pairs(f"given_names_{language}")}
    turning = {name for name, gender in names.items() if gender != to}
    staying = {strip_accents(name) for name, gender in names.items() if gender == to}
    plain = {strip_accents(name) for name in turning} - staying
    agreement = optional_rules(language, "agreement", GenderAgreement)
    agreeing = rows(f"agreeing_words_{language}") if agreement else ()
    nouns = _counterpart_map([(m, f) for m, f in rows(f"gendered_words_{language}")], to)
    determiners = agreement.determiners(to) if agreement else {}
    adjectives = agreement.adjectives(to) if agreement else {}
    titles = frozenset({*nouns, *adjectives, *determiners})
    pronouns = _counterpart_map([(his, her) for his, her, each in agreeing if each == "pronoun"], to)
    small = stop_words(f"stop_words_{language}")
    return _GenderLists(
        to,
        frozenset(turning | plain),
        frozenset(staying),
        frozenset(map(strip_accents, names)),
        tuple(name for name, gender in names.items() if gender == to),
        nouns,
        determiners,
        adjectives,
        pronouns,
        titles,
        {word: other for word, other in determiners.items() if word != "a"},  # as often the preposition
        titles | small,
        {**nouns, **adjectives},
        frozenset(pronouns) | small.intersection(nouns),
    )


def _counterpart_map(words: list[tuple[str, str]], to: Gender) -> Mapping[str, str]:
    """The counterpart of each word in the gender ``to``; a word with two is left out."""
    found = words if to == "woman" else [(feminine, masculine) for masculine, feminine in words]
    keys = [key for key, _ in found]
    return {key: word for key, word in found if keys.count(key) == 1}


@dataclass(frozen=True, slots=True)
class _Person:
    """Tokens [``start``, ``stop``) that name a person: first ``titles``, then ``names``, empty where they stay."""

    start: int
    stop: int
    titles: tuple[int, ...]
    names: tuple[int, ...]
    same: bool = False
    """Whether the name is already one of the gender that is turned to."""


def _persons(sentence: Sentence, table: _GenderLists, language: str) -> list[_Person]:
    """Those that are labelled; without labels, each name of the lists, but in places such as *São Paulo*."""
    if sentence.entity_tags is None:
        within = {i for place in listed_places(sentence.tokens, language) for i in range(*place)}
        places: list[int] = []
        for i in range(len(sentence)):
            follows = i > 0 and _is_name(sentence.tokens[i - 1], table) and i - 1 not in places
            if i not in within and not follows and _names_person(sentence.tokens, i, table):
                places.append(i)
        return [_Person(i, i + 1, (), (i,) if _turns_alone(sentence.tokens, i, table) else ()) for i in places]
    persons: list[_Person] = []
    for span in entity_spans(sentence.entity_tags):
        if sort_of(span.type) != "person":
            continue
        titles: list[int] = []
        i, stop = span.start, span.stop
        while i < stop and (sentence.tokens[i].lower() in table.nouns or (titles and sentence.tokens[i] == ".")):
            titles += [i] if sentence.tokens[i] != "." else []
            i += 1
        begun = i
        while i < stop and not _is_of_saint(sentence.tokens, i) and _is_name(sentence.tokens[i], table):
            i += 1
        same = begun < stop and strip_accents(sentence.tokens[begun].lower()) in table.same
        names = () if _is_of_men(sentence.tokens[begun:stop]) and table.to == "woman" else tuple(range(begun, i))
        persons.append(_Person(span.start, stop, tuple(titles), names, same))
    return persons


_OF_MEN = words_in("filho neto sobrinho júnior junior jr jr. fº")
"""Words behind the name of a man who is called like another of his family."""


_PARTICIPLES = words_in("acusado acusada delegado delegada empregado empregada")
"""Words for persons that are participles too."""
_OF_SOMEBODY = words_in("também ora ainda já igualmente")


def _is_of_men(name: Sequence[str]) -> bool:
    return any(word.lower() in _OF_MEN for word in name[1:])


def _turns_alone(tokens: Sequence[str], place: int, table: _GenderLists) -> bool:
    """Whether the words with a capital from this place on are a name that can be of the other gender."""
    stop = place + 1
    while stop < len(tokens) and (tokens[stop][0].isupper() or tokens[stop].lower() in _OF_MEN | _LINKS):
        stop += 1
    if not _FIRMS.isdisjoint(map(str.lower, tokens[place:stop])):
        return False
    return table.to == "man" or not _is_of_men(tokens[place:stop])


_FIRMS = words_in("company co corporation corp inc ltd ltda s.a. s/a group & filhos sons brothers irmãos")
"""Words in the names of firms that are called after somebody."""


_LINKS = words_in("da das de do dos e")


def _is_name(token: str, table: _GenderLists) -> bool:
    return token[0].isupper() and token.lower() in table.names


def _is_of_saint(tokens: Sequence[str], place: int) -> bool:
    """Whether a word for saints stands before the token: *São Caetano do Sul*, *Santo André*."""
    return place > 0 and tokens[place - 1].lower() in _SAINTS


_SAINTS = words_in("são santo santa sto sta s. san saint st st. dom dona")


def _names_person(tokens: Sequence[str], place: int, table: _GenderLists) -> bool:
    """Whether the token is a given name of the lists, and none of a saint, a street or another place called so."""
    if not _is_name(tokens[place], table) or _is_of_saint(tokens, place):
        return False
    first = place
    while first > max(0, place - _NEAR) and _may_stand_between(tokens[first - 1], table):
        first -= 1
    if first == 0:
        return True
    before = tokens[first - 1]
    return before.lower() not in _CALLED_AFTER and not (
        is_like_a_name(tokens, first - 1) and not _is_name(before, table)
    )


def _may_stand_between(token: str, table: _GenderLists) -> bool:
    """Whether a link or a title may come between a name and the words that it belongs to."""
    return token.lower() in _LINKS | table.titles or token[-1] in ".º"


_NEAR = 4
_CALLED_AFTER = words_in(
    "aeroporto alameda avenida av bairro barragem campo canal cidade colégio distrito edifício escola estação estádio "
    "estrada fazenda fundação ginásio hospital ilha instituto lago lagoa largo monte município museu palácio parque "
    "ponte porto praça praia prêmio presídio rio rodovia rua serra teatro troféu túnel universidade viaduto vila "
    "airport avenue bridge college hospital island lake mount park river road school stadium street university"
)
"""Words for places and things that bear the names of persons."""


def _knows_who(
    sentence: Sentence, words: Mapping[int, str], persons: Sequence[_Person], table: _GenderLists, language: str
) -> bool:
    """Whether, without labels, no word for a person turns that may be said of somebody whose name stays."""
    if all(_stands_beside(i, words, persons) or sentence.tokens[i].lower() in table.pronouns for i in words):
        return True
    places = {i for place in listed_places(sentence.tokens, language) for i in range(*place)}
    places |= {i for person in persons if person.names for i in range(person.start, person.stop)}
    tokens = sentence.tokens
    others = (i for i, token in enumerate(tokens) if len(token) > 1 and not token.isupper() and i not in places)
    return not any(is_like_a_name(tokens, i) for i in others if i not in words)


def _stands_beside(place: int, words: Mapping[int, str], persons: Sequence[_Person]) -> bool:
    """Whether only words that turn stand between this one and a name that turns."""
    ends = {i for person in persons if person.names for i in range(person.start, person.stop)}
    left, right = place - 1, place + 1
    while left in words:
        left -= 1
    while right in words:
        right += 1
    return left in ends or right in ends


def _exclamations(lower: Sequence[str], language: str) -> set[int]:
    """Where words for persons may be exclamations: *oh man*."""
    if not has(language, "exclaimed"):
        return set()
    listed = {word: behind.split("|") for word, behind in pairs(f"exclaimed_{language}").items()}
    return {i for i, word in enumerate(lower) if word in listed and (not i or lower[i - 1] not in listed[word])}


def _words(
    sentence: Sentence, table: _GenderLists, persons: list[_Person], agreement: GenderAgreement | None, language: str
) -> dict[int, str]:
    """The replacements of words that are no names, by place."""
    turning = _Turning(sentence)
    lower, held, beside_turning = turning.lower, set[int](), set[int]()
    titles = table.titles
    for person in persons:
        if person.names:
            beside_turning |= _beside(person, sentence, titles, after=False)
            turning.found |= {title: table.nouns[lower[title]] for title in person.titles}
            turning.agree(person.start, person.stop, table.before_names, table.adjectives)
        else:
            held |= _beside(person, sentence, titles)
    held = (held - beside_turning) | _before_unlabelled(sentence, table, titles)
    if any(not person.names and not person.same for person in persons) and table.to == "woman":
        held |= {i for i, word in enumerate(lower) if word in table.nouns and word.endswith("s")}  # mixed, then
    held |= _exclamations(lower, language)
    # What was delegated may be a thing: beside a verb, a participle turns with its subject or not at all.
    copulas = () if agreement is None else agreement.COPULAS
    held |= {
        i for i in range(1, len(lower)) if lower[i - 1] in copulas and lower[i].rstrip("s").endswith(("ado", "ada"))
    }
    # Behind another word it may be the participle: *poder delegado*. *Também réu* is somebody named before.
    held |= {
        i
        for i in range(1, len(lower))
        if (lower[i] in _PARTICIPLES and lower[i - 1].isalpha() and lower[i - 1] not in table.before_persons)
        or lower[i - 1] in _OF_SOMEBODY
    }
    for i, word in enumerate(lower):
        if word not in table.nouns or i in held or _is_surname(sentence.tokens, i):
            continue
        if turning.turns(i, table.nouns):
            turning.agree(i, i + 1, table.determiners, table.adjectives)
    if turning.found or any(person.names for person in persons):  # else it is as often a thing
        for i, word in enumerate(lower):
            if word in table.pronouns:
                turning.turns(i, table.pronouns)
    return turning.found


def _disagrees(
    words: Mapping[int, str],
    sentence: Sentence,
    persons: Sequence[_Person],
    table: _GenderLists,
    agreement: GenderAgreement,
) -> bool:
    """Whether anything in the sentence is left in the old gender that may agree with a person who turns.

    A word for a person or a pronoun, wherever it stands but before a colon; a determiner before words that the lists do
    not know as titles; an adjective or a participle that belongs to no noun beside it. The sentence agrees as a whole
    or stays as it is.
    """
    lower, taken = lower_tokens(sentence.tokens), in_entities(sentence)
    turning = {*words, *(i for person in persons if person.names for i in range(person.start, person.stop))}
    staying = {i for person in persons if not person.names for i in range(person.start, person.stop)}
    beside = {i for person in persons if not person.names for i in _beside(person, sentence, table.titles)}
    for i, word in enumerate(lower):
        if i in turning or i in staying or taken[i]:
            continue
        if lower[i + 1 : i + 2] == (":",) or lower[i + 1 : i + 4] in _BOTH_FORMS or lower[i + 2 : i + 4] == ("s", ")"):
            continue  # says what somebody else is, or both forms are given
        other = table.nouns.get(word) or table.nouns.get(word.removesuffix("s")) or table.pronouns.get(word)
        is_of_all = i > 0 and lower[i - 1] in agreement.PLURAL_COPULAS
        if other not in (None, word) and i not in beside and not is_of_all:
            return True
        if agreement.is_clitic(word, table.to) and i and (lower[i - 1] == "-" or "-" in word):
            return True
        if agreement.belongs_to_none(lower, i, table.to, turning):
            return True
    stops = [person.stop for person in persons if person.names]
    if sentence.entity_tags is None:
        stops = [_behind_capitals(sentence.tokens, stop) for stop in stops]
    if any(lower[i : i + 1] == (",",) and _turns_alone_in(lower[i + 1 : i + 2], table) for i in stops):
        return True  # a by-name: *João Souza, o Feijão*
    firsts = (i for i in turning if i - 1 not in turning and lower[i] not in table.determiners)
    return any(_has_other_determiner(lower, i, turning, table, agreement) for i in firsts)


def _behind_capitals(tokens: Sequence[str], place: int) -> int:
    while place < len(tokens) and tokens[place].istitle():
        place += 1
    return place


def _turns_alone_in(words: Sequence[str], table: _GenderLists) -> bool:
    return any(table.determiners.get(word, word) != word for word in words)


def _has_other_determiner(
    lower: Sequence[str], place: int, turning: Set[int], table: _GenderLists, agreement: GenderAgreement
) -> bool:
    """Whether a determiner farther to the left stays, with nothing between that a determiner cannot stand before."""
    i = place - 1
    while i >= 0 and i not in turning and (lower[i].isalpha() or lower[i] in _HYPHENS):
        if lower[i] in table.determiners and table.determiners[lower[i]] != lower[i]:
            return lower[i] != "a" and not (i > 0 and len(lower[i]) == len(lower[i - 1]) == 1)
        if lower[i] in agreement.OF_ONE_GENDER or lower[i] in table.before_persons - table.titles:
            return False
        i -= 1
    return False


_HYPHENS = frozenset(["-", "–", "—", "--"])


def _leaves_behind(words: Mapping[int, str], sentence: Sentence, agreement: GenderAgreement, to: Gender) -> bool:
    """Whether a word for a person that turns is left with a label, or a pronoun after it, in the old gender."""
    lower = lower_tokens(sentence.tokens)
    labels = [i for i, word in enumerate(lower) if word.endswith(_LABELS[to]) and i not in words]
    colons = [i + 1 + 3 * (lower[i + 1 : i + 4] == ("(", "s", ")")) for i in labels]
    labelled = any(
        lower[colon : colon + 1] == (":",) and not words.keys().isdisjoint(range(colon, colon + 3)) for colon in colons
    )
    first = min(words, default=len(lower))
    return labelled or any(i not in words and agreement.refers(lower, i, to) for i in range(first, len(lower)))


_LABELS: Mapping[Gender, tuple[str, str]] = {"woman": ("ado", "ido"), "man": ("ada", "ida")}
"""Endings of participles that say what somebody is before a colon, *impetrado*, in the gender that is left."""


def _is_unclear(sentence: Sentence, table: _GenderLists, persons: list[_Person]) -> bool:
    """Whether *a* before a name that turns could be its article: it begins a sentence or a clause."""
    if table.to == "woman":
        return False
    lower = (".", *lower_tokens(sentence.tokens))
    return any(
        person.names
        and lower[person.start] == "a"
        and (not lower[person.start - 1].isalnum() or lower[person.start - 1] in ("e", "que", "mas", "ou", "se"))
        for person in persons
    )


def _sets_apart(words: Mapping[int, str], sentence: Sentence, table: _GenderLists, language: str) -> bool:
    """Whether a word for persons that turns has its counterpart in the sentence, which so tells men from women."""
    lower = lower_tokens(sentence.tokens)
    small = stop_words(f"stop_words_{language}")
    return any(lower[i] in table.nouns and lower[i] not in small and word in lower for i, word in words.items())


def _may_mean_others(sentence: Sentence, table: _GenderLists, persons: list[_Person]) -> bool:
    """Whether a pronoun may stand for a labelled person whose name stays."""
    if all(person.names or person.same for person in persons):
        return False
    return not table.standing_for.isdisjoint(lower_tokens(sentence.tokens))


def _has_uncertain(
    words: Mapping[int, str], sentence: Sentence, table: _GenderLists, agreement: GenderAgreement
) -> bool:
    """Whether something beside the words that turn may have to turn too, in a form that is not known."""
    lower = lower_tokens(sentence.tokens)
    taken = in_entities(sentence)
    turning = [i for i in words if lower[i] not in table.pronouns]
    beside = {j for i in turning for j in (i - 1, i + 1) if 0 <= j < len(lower)}
    return any(
        not taken[j] and not sentence.tokens[j].istitle() and agreement.uncertain(lower, j, table.to)
        for j in beside - words.keys()
    )


def _with_predicates(
    words: dict[int, str], table: _GenderLists, persons: list[_Person], sentence: Sentence, agreement: GenderAgreement
) -> bool:
    """Adds to ``words`` what agrees with a subject across a verb; whether each of these is known."""
    lower = lower_tokens(sentence.tokens)
    starts = {i + 1: i for i in words if lower[i] in table.nouns}  # where a member of a subject starts, by its end
    turning = set(starts)
    for person in persons:
        starts[person.stop] = person.start
        turning |= {person.stop} if person.names else set()
    unknown = {person.stop for person in persons if not person.names and not person.same}
    for stop in list(starts):
        group, start, apposed = [stop], _first(starts[stop], lower, words, table), False
        while start > 0 and lower[start - 1] in ("e", ",") and start - 1 in starts:
            group.append(start - 1)
            apposed |= lower[start - 1] == ","
            start = _first(starts[start - 1], lower, words, table)
        several = len(group) > 1
        mixed = bool(unknown.intersection(group)) or (start > 0 and lower[start - 1] == "e")
        if not turning.intersection(group) or _is_complement(start, lower):
            continue
        if start > 0 and lower[start - 1] in agreement.OF_ONE_GENDER:
            continue
        i, copula = _behind_commas(stop, lower, table, apposed=apposed), ""
        while i < len(lower) and (lower[i] in agreement.COPULAS or lower[i] in agreement.AUXILIARIES):
            copula = lower[i] if lower[i] in agreement.COPULAS and not copula else copula
            i += 1
        plural = copula in agreement.PLURAL_COPULAS
        if plural and table.to == "woman" and mixed:
            continue
        if (
            not copula
            or i == len(lower)
            or (several and not plural and not apposed)
            or i in words
            or sentence.tokens[i].istitle()
        ):
            continue
        if sentence.entity_tags is not None and sentence.entity_tags[i] != "O":
            continue
        word = agreement.predicate(lower[i], table.to, table.known)
        if word is None:
            return False
        if word != lower[i]:
            words[i] = word
    return True


def _behind_commas(stop: int, lower: Sequence[str], table: _GenderLists, *, apposed: bool) -> int:
    """The place behind adjectives that commas set apart, and behind the comma that closes them or an apposition."""
    i = stop
    while lower[i : i + 1] == (",",) and "".join(lower[i + 1 : i + 2]) in table.adjectives:
        i += 2
    return i + (lower[i : i + 1] == (",",) and (apposed or i > stop))


def _first(start: int, lower: Sequence[str], words: Mapping[int, str], table: _GenderLists) -> int:
    """The first of the words that belong to the person whose name begins at ``start``."""
    while start > 0 and (start - 1 in words or lower[start - 1] in table.adjectives):
        start -= 1
        if lower[start] in table.determiners:
            break
    return start


def _is_complement(start: int, lower: Sequence[str]) -> bool:
    """Whether what starts here follows a preposition, and so is no subject."""
    first = lower[start]
    return first in _JOINED or (start > 0 and lower[start - 1] in _PREPOSITIONS)


_JOINED = words_in("do dos da das no nos na nas pelo pelos pela pelas ao aos à às num numa dum duma")
_PREPOSITIONS = words_in("de a por para com em sobre contra entre perante sem até como")
_SYMBOLS = frozenset("@#$%*&_^~|\\=+<>")


_BOTH_FORMS = frozenset(("(", ending, ")") for ending in ("a", "o", "as", "os"))


class _Turning:
    """Words that turn: ``found`` has what stands for them by their place. None within entities or at symbols does."""

    def __init__(self, sentence: Sentence) -> None:
        self.lower = lower_tokens(sentence.tokens)
        self.closed = {i for span in entity_spans(sentence.entity_tags or ()) for i in range(span.start, span.stop)}
        # What touches a symbol is as often a part of something: a censored word, a tag, a handle.
        self.closed |= {j for i, token in enumerate(self.lower) if token in _SYMBOLS for j in (i - 1, i + 1)}
        # Both forms are given: relator ( a )
        brackets = [i for i, word in enumerate(self.lower) if word == "("]
        self.closed |= {i - 1 for i in brackets if i and self.lower[i : i + 3] in _BOTH_FORMS}
        # Letters of a word with spaces between, but for the last, which may be an article: V O T O O Senhor
        single = [len(token) == 1 and token.isalpha() for token in self.lower] + [False]
        self.closed |= {i for i in range(1, len(self.lower)) if single[i - 1] and single[i] and single[i + 1]}
        self.found: dict[int, str] = {}

    def turns(self, i: int, words: Mapping[str, str]) -> bool:
        """Whether the token at ``i`` is one of these words; then it turns, unless both genders share it."""
        if not 0 <= i < len(self.lower) or i in self.closed or self.lower[i] not in words:
            return False
        if words[self.lower[i]] != self.lower[i]:
            self.found[i] = words[self.lower[i]]
        return True

    def agree(self, start: int, stop: int, determiners: Mapping[str, str], adjectives: Mapping[str, str]) -> None:
        """Adjectives and determiners right before ``start`` turn, and adjectives in a row from ``stop`` on."""
        while self.turns(start - 1, adjectives):
            start -= 1
        while self.turns(start - 1, determiners):
            start -= 1
        while self._agrees(stop) and self.turns(stop + self._is_between(stop), adjectives):
            stop += self._is_between(stop) + 1

    def _agrees(self, i: int) -> bool:
        """Whether no adverb follows: *, mesmo* is *even*."""
        return not (self._is_between(i) and self.lower[i + 1 : i + 2] == ("mesmo",))

    def _is_between(self, i: int) -> bool:
        return i < len(self.lower) and self.lower[i] in (",", "e")


def _beside(person: _Person, sentence: Sentence, words: Set[str], *, after: bool = True) -> set[int]:
    """Where these words stand in a row before a person, and after; marks and short titles may come between."""
    lower = lower_tokens(sentence.tokens)
    found = set[int]()
    i = person.start - 1
    while i >= 0 and (lower[i] in words or _passes(lower, i)):
        found |= {i} if lower[i] in words else set()
        i -= 1
    i = person.stop + (person.stop < len(lower) and lower[person.stop] in _MARKS)
    while after and i < len(lower) and lower[i] in words:
        found.add(i)
        i += 1
    return found


_MARKS = frozenset(",:(-–")
_SHORT_TITLES = words_in("min min. des des. rel rel. exmo exma prof prof. gen ten brig ar cel cap maj alte sgt ex esq")


def _passes(lower: Sequence[str], i: int) -> bool:
    """Whether what stands here may come between a word for a person and the name: one mark, or a short title."""
    if lower[i] in _SHORT_TITLES:
        return True
    return i > 0 and lower[i - 1] not in _MARKS and (lower[i] in _MARKS or (lower[i] == "." and len(lower[i - 1]) < 5))


def _before_unlabelled(sentence: Sentence, table: _GenderLists, words: Set[str]) -> set[int]:
    """Words for persons before a name that stays: no label tells it or, without labels, no list."""
    tokens, tags, lower = sentence.tokens, sentence.entity_tags, lower_tokens(sentence.tokens)
    held = set[int]()
    for i in range(1, len(tokens)):
        if lower[i - 1] not in table.nouns and lower[i - 1] != ":":
            continue
        is_listed = strip_accents(lower[i]) in table.listed
        stays = is_listed and tags[i] == "O" if tags else not _is_name(tokens[i], table)
        if stays and tokens[i][0].isupper() and lower[i] not in words:
            held |= _beside(_Person(i, i + 1, (), ()), sentence, words, after=False)
    return held


def _is_surname(tokens: tuple[str, ...], i: int) -> bool:
    """Whether this is *Filho*, *Neto* or *Sobrinho* at the end of a name."""
    return tokens[i].lower() in _OF_MEN and tokens[i][0].isupper() and _ends_upper(tokens[:i])


def _ends_upper(tokens: tuple[str, ...]) -> bool:
    return bool(tokens) and len(tokens[-1]) > 2 and tokens[-1][0].isupper()
