"""Word classes for the rules that paraphrase questions.

The lexicons ``question_words_en`` and ``question_words_pt`` say it by class. Of words in ``X because Y`` and the like:

* ``opener``: can begin a sentence and is no name; ``subject``: of these, what a subject begins with
* ``be``, ``adverb``: what before *because* belongs to it; an adverb is no noun either
* ``negation``, ``connective``, ``saying``: what a reason may be within the reach of
* ``pronoun``: could stand for what a question asks

Of words in noun phrases:

* ``determiner``, of these ``one`` and ``several``, which tell the number; ``preposition``
* ``person``: who can be caused something, ``suffered``: what they can be caused
* ``predicate``, ``no-noun``: what could be a verb, or no noun, where one is expected
* ``of-causes``: what before *causes* makes a noun of it
* ``likely``: nouns that something can be likely to be
* ``event``: what something can lead to; ``place``: what looks like an event by its ending, and is none
* ``bare``: causes that have no determiner; ``bare-feminine``, ``bare-masculine``: what can be caused without an article
"""

from perturbations.lexicons import of_class


def members_of(language: str, of: str) -> frozenset[str]:
    """The words of a class, in lower case."""
    return of_class(f"question_words_{language}", of)


def is_a(language: str, word: str, *classes: str) -> bool:
    """Whether the word, in lower case, is of one of these classes."""
    return any(word in members_of(language, of) for of in classes)
