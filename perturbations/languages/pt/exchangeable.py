"""Portuguese words for things that stand alone, so that another can take their place."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages.language import words_in
from perturbations.languages.pt import verbs
from perturbations.lexicons import words

_COMPLEMENTS = frozenset(["de", "do", "da", "dos", "das"])
"""Words behind a noun with which it names one thing, such as *plan of studies*."""


def is_exchangeable(tokens: Sequence[str], place: int) -> bool:
    """Whether the words around leave the word its meaning: no title, no compound, no set phrase.

    Before it is an article or the like; behind it the end of its phrase.
    """
    stops = words("stop_words_pt")
    token, after = tokens[place], tokens[place + 1]
    before = tokens[place - 1] if place else ""
    if before.lower() in _NOT_BEFORE or "-" in (before, after):
        return False
    if token in _HEADS and before in stops and after.islower():
        return True
    if after.lower() in _COMPLEMENTS or (after == "com" and tokens[place + 2 : place + 3] == ("que",)):
        return False
    if token in _RANKS:
        return before.lower() in stops
    could_be_verb = verbs.could_be_finite(after)
    if (after[0].isalnum() and after.lower() not in stops and not could_be_verb) or after[0].isupper():
        return False
    return not place or before in _RANKS or (before.lower() in stops and (place == 1 or not before.isupper()))


_HEADS = words_in(
    "coordenador professor professores diretor reitor aluno alunos acadêmico acadêmicos discente discentes docente "
    "docentes curso cursos disciplina disciplinas universidade universidades instituição instituições empresa empresas "
    "departamento instituto projeto projetos profissionais candidato candidatos"
)
"""Words that mean the same before a complement or an adjective."""

_NOT_BEFORE = frozenset(["não", "mesmo", "mesma", "mesmos", "mesmas"])
"""Words before which a listed word is no thing alone."""

_RANKS = words_in("primeiro primeira segundo segunda terceiro terceira primeiros primeiras maior menor")
