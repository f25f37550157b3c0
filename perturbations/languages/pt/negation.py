"""Negation in Portuguese."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.language import words_in
from perturbations.languages.lone_verbs import is_alone, sentence_around
from perturbations.languages.pt import verbs
from perturbations.languages.readings import Verb
from perturbations.lexicons import of_class
from perturbations.sites import begins_sentence, in_case_of, in_entities, put_before
from perturbations.text import Edit, Sentence

_REMOVABLE = frozenset(["não", "nunca", "jamais"])
_DEPENDENT = frozenset(["nada", "nem", "nenhum", "nenhuma", "ninguém", "sequer", "tampouco"])
"""Words that want a negation before them, or are one."""
_NOT_ALONE = frozenset(["apenas", "mais", "mesmo", "obstante", "raro", "somente", "só"])
"""After "não" these make something else of it."""
_SUBORDINATORS = of_class("grammar_words_pt", "subordinator")
_NOT_BESIDE = _SUBORDINATORS | words_in(
    "ademais ainda além ambos apenas até bem cada coisa eletrônico fim final fl fls igualmente inclusive já logo mas "
    "mesmo outrossim pois porém portanto principalmente qualquer quaisquer seguinte seguintes seguir somente sobretudo "
    "só também tampouco todavia tão vez vigor"
)
"""Words that open another clause, go on from another claim or tell of records, which a negation may contradict."""
_REASONS = words_in("ante apesar assim devido diante eis face motivo quando razão sendo vênia virtude visto vista")
"""Words with which a sentence gives its reason or condition, or takes leave to differ: it rests on what is claimed."""
_SET = words_in(
    "compete conhece conheço consta coube cuida cumpre cabe decido deu diz fica há incumbe inexiste inexistem nega "
    "negam negaram negou nego peço requer transcrevo trata versa voto"
)
"""Verbs of set phrases, or that deny, which nobody negates."""
_GOES_ON = (_NOT_BESIDE - _SUBORDINATORS) | words_in("embora enquanto porquanto porque quanto senão")
"""Words that tie the sentence to another claim, also where it has several verbs."""
_HARMLESS = words_in("bem cada fim final fl fls portanto quanto seguinte seguintes vigor")
"""Those that go on from a claim without a negation as well."""
_OPENS = words_in("conforme cuja cujas cujo cujos onde quais qual que")
"""Words behind the verb of the main clause that open one of which the negation says nothing."""
_NOT_OPENED_BEHIND = words_in("a de desde foi mais mas menos modo para sem sendo ser tal tanto vez é")
"""Behind these "que" is part of another conjunction, or of emphasis."""
_SAYING = words_in(
    "acrescentar admitir aduzir afirmar alegar anunciar apontar argumentar assegurar contar declarar dizer divulgar "
    "esclarecer explicar informar lembrar mencionar mostrar noticiar postular prometer propor recordar requerer "
    "ressaltar revelar saber salientar sustentar"
)
"""Denied, these verbs keep the mood behind "que"; others, as "acreditar" and "ocorrer", do not or are set phrases."""
_FOLLOWING_FROM = words_in("acontecer concluir decorrer extrair ocorrer resultar suceder verificar")
"""Verbs whose clause with "que" may stand further off."""
_WANT_ONE = words_in("algum alguma mais outra outro")
"""Words that may say something else behind a negation than without."""
_TIED = _GOES_ON | _WANT_ONE | _REASONS
_TIED_TO_NEGATION = (_GOES_ON - _HARMLESS) | _REASONS
_HANGING = _WANT_ONE | _DEPENDENT
_INDICATIVE = frozenset(["present", "preterite", "imperfect", "future"])
_LONGEST = 60
"""Words of a sentence whose main clause is believed to be found."""


def is_negation(word: str) -> bool:
    """Whether the word, in lower case, negates."""
    return word in _REMOVABLE or word in _DEPENDENT


def contracted(lowered: Sequence[str]) -> Sequence[Verb]:  # noqa: ARG001 - English asks for these
    """No verb: none is contracted with its subject."""
    return ()


def removal(sentence: Sentence, lowered: Sequence[str], in_entity: Sequence[bool]) -> Edit | None:
    """The edit that takes the first negation out; None where none can go."""
    for i, word in enumerate(lowered):
        if word not in _REMOVABLE or in_entity[i]:
            continue
        if not (_is_of_lone_verb(lowered, i, in_entity) or _stands_free(lowered, i, in_entity)):
            continue
        following = lowered[i + 1] if i + 1 < len(lowered) else ""
        reads_on = following[:1].isalnum() and following not in _NOT_ALONE and following not in _DEPENDENT
        if not reads_on or lowered[i - 1 : i] in (["ou"], ["se"], ["senão"]) or _something_hangs_on(lowered, i):
            continue
        if following in verbs.CLITICS and "".join(lowered[i + 2 : i + 3]).endswith("ndo"):
            continue
        token, next_token = sentence.tokens[i : i + 2]
        if token.istitle() and begins_sentence(sentence.tokens, i) and not in_entity[i + 1]:
            if following in verbs.CLITICS and verbs.readings_of("".join(lowered[i + 2 : i + 3])):
                verb = f"{in_case_of(token, lowered[i + 2])}-{following}"  # no pronoun begins a sentence
                return Edit(i, i + 3, (verb,), origins=((i + 1, i + 2),))
            return Edit(i, i + 2, (in_case_of(token, next_token),), origins=((i + 1,),))
        return Edit(i, i + 1, ())
    return None


def addition(sentence: Sentence, lowered: Sequence[str], verb: Verb) -> Edit | None:
    """The edit that puts "não" before the verb and its pronoun; None where it is not the only one of its sentence."""
    place, word = verb.place, lowered[verb.place]
    start = place - verbs.clitics_before(lowered, place)
    bare = verbs.base(word)
    if bare in _SET or lowered[0] in ("outra", "outro") or _is_joined(lowered, place):
        return None
    if not (verbs.follows_subject(lowered, start) and lowered[start - 1] != "e") and not _may_begin(lowered, verb):
        return None
    taken = in_entities(sentence)
    if not (_is_alone(lowered, place, taken) or _leads(lowered, verb, taken)) or _announces(lowered, place):
        return None
    if bare == word:
        return put_before(sentence, start, ["não"])
    token = sentence.tokens[place]
    stem, pronoun = token[: len(bare)], token[len(bare) + 1 :]
    no = in_case_of(token, "não")
    return Edit(place, place + 1, (no, pronoun, stem), origins=((), (place,), (place,)))


def _is_joined(lowered: Sequence[str], verb: int) -> bool:
    """Whether *e* joins another verb to this one further on, so that both would have to be denied."""
    return any(
        lowered[i] == "e" and i + 1 < len(lowered) and verbs.could_be_finite(lowered[i + 1])
        for i in sentence_around(lowered, verb)
        if i > verb
    )


def _is_of_lone_verb(lowered: Sequence[str], place: int, in_entity: Sequence[bool]) -> bool:
    """Whether the word stands right before a verb, its pronoun between, that is the only one of its sentence."""
    verb = place + 1 + ("".join(lowered[place + 1 : place + 2]) in verbs.CLITICS)
    return verb < len(lowered) and verbs.could_be_finite(lowered[verb]) and _is_alone(lowered, verb, in_entity)


def _is_alone(lowered: Sequence[str], verb: int, in_entity: Sequence[bool]) -> bool:
    """Whether its sentence has no other verb, no gerund, and no word that goes on from another claim."""
    own = verb - verbs.clitics_before(lowered, verb)

    def disturbs(place: int) -> bool:
        word = lowered[place]
        if in_entity[place] or own <= place < verb:
            return False
        return word in _NOT_BESIDE or word in _REASONS or word.endswith("ndo") or verbs.could_be_finite(word)

    return is_alone(lowered, verb, disturbs)


def _may_begin(lowered: Sequence[str], verb: Verb) -> bool:
    """Whether the verb begins its sentence, or follows a comma, and states something: it orders and wishes nothing."""
    before = "".join(lowered[verb.place - 1 : verb.place])
    if before not in ("", ".", ",") or not all(reading.tense in _INDICATIVE for reading in verb.readings):
        return False
    states = bool(verb.readings) and sum(word.isalpha() for word in lowered[verb.place + 1 : verb.place + 3]) > 1
    return states and not (lowered[verb.place] in ("é", "foi") and lowered[verb.place + 1] in ("o", "a"))


def _leads(lowered: Sequence[str], verb: Verb, in_entity: Sequence[bool]) -> bool:
    """Whether it is the first verb of its sentence, and others stand in clauses of which the negation says nothing."""
    around = sentence_around(lowered, verb.place)
    own = verb.place - verbs.clitics_before(lowered, verb.place)
    opened = False
    for place in around:
        word = lowered[place]
        if in_entity[place] or own <= place <= verb.place:
            continue
        is_open = word in _OPENS and lowered[place - 1] not in _NOT_OPENED_BEHIND
        if place > verb.place and is_open:
            if not opened and word == "que" and not _keeps_mood(verb, place):
                return False
            opened = True
        elif word in _TIED or (not opened and _is_clause(word)):
            return False
    return opened and len(around) <= _LONGEST


def _is_clause(word: str) -> bool:
    """Whether the word opens a clause, or is a verb of one."""
    return word in _SUBORDINATORS or word.endswith("ndo") or verbs.could_be_finite(word)


def _keeps_mood(verb: Verb, place: int) -> bool:
    """Whether the clause that the "que" at ``place`` opens reads on when the verb is denied."""
    lemmas = {reading.lemma for reading in verb.readings}
    if place == verb.place + 1:
        return not lemmas.isdisjoint(_SAYING)
    if "ser" in lemmas:
        return place > verb.place + 2
    return lemmas.isdisjoint(_FOLLOWING_FROM)


def _stands_free(lowered: Sequence[str], place: int, in_entity: Sequence[bool]) -> bool:
    """Whether the negation is that of one of several verbs, and no word of its sentence goes on from it."""
    start = place + 1 + ("".join(lowered[place + 1 : place + 2]) in verbs.CLITICS)
    word, behind = (*lowered[start : start + 2], "", "")[:2]
    if not verbs.could_be_finite(word) or verbs.base(word) in _SET or behind == "que":
        return False
    if start > place + 1 and place and not lowered[place - 1].isalnum():
        return False
    around = sentence_around(lowered, place)
    return (
        len(around) <= _LONGEST
        and not any(
            (lowered[i] in _TIED_TO_NEGATION or (i > place and lowered[i] in _HANGING) or is_negation(lowered[i]))
            and not in_entity[i]
            for i in around
            if i != place
        )
        and not any(lowered[i : i + 2] == [",", "se"] for i in around)
    )


def _something_hangs_on(lowered: Sequence[str], place: int) -> bool:
    """Whether a word further on in the clause wants the negation."""
    for word in lowered[place + 1 :]:
        if word in (".", ";", ":", "mas"):
            return False
        if word in _DEPENDENT:
            return True
    return False


def _announces(lowered: Sequence[str], place: int) -> bool:
    """Whether what is said follows behind a colon, which a negation would contradict."""
    return next((word for word in lowered[place:] if word in (".", ";", ":")), "") == ":"
