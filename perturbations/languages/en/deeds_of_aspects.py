"""What English aspects do, and what has them or lacks them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perturbations.languages.en.judging_words import (
    DETERMINERS,
    THINGS,
    PlacedWord,
    Word,
    WordStretch,
    deeds,
    word_at,
    words_known,
)
from perturbations.languages.en.verbs import BE, paradigms
from perturbations.languages.language import words_in
from perturbations.languages.opinion import NEGATIVE, POSITIVE
from perturbations.text import Span


def having(lowered: Sequence[str], span: Span) -> Iterator[WordStretch]:
    """That a thing has the aspect or lacks it: *the laptop comes with a webcam*, *it has no fan*."""
    place = span.start - 1
    many = place
    if [*lowered[max(0, place - 1) : place + 1]] in (["plenty", "of"], ["lots", "of"]):
        place -= 2
    while place >= 0 and (lowered[place] in _FREE or lowered[place] in ("a", "an", "the")):
        place -= 1
    if place < 1:
        return
    word = deeds().get(("HAS", lowered[place]))
    subject = place - 1
    if word is not None and lowered[place] == "with":
        if lowered[subject] not in ("comes", "came", "come") or not subject:
            return
        subject -= 1
    while subject and lowered[subject] in ("also", "even"):
        subject -= 1
    if word is None or lowered[subject] not in THINGS:
        return
    if many > place and lowered[many] == "of":
        if word_at(lowered, span.stop) == ",":
            return
        yield place, span.stop, [PlacedWord(many, Word("DENIED", (NEGATIVE,), word.opposites), place)]
    else:
        yield place, span.stop, [PlacedWord(place, word)]


_FREE = words_in("free built-in new built in")


def deed(lowered: Sequence[str], span: Span, place: int) -> Iterator[WordStretch]:
    """A verb with all that it says up to the end of its clause: *the screen gives you room*, *the fan stopped working*.

    Of praise it can be denied, and of blame its denial can go.
    """
    if not _is_subject(lowered, span.start):
        return
    while word_at(lowered, place) in ("also", "really"):
        place += 1
    found = _denied_verb(lowered, place) or _blaming_verb(lowered, place)
    if found is None:
        return
    stop = next((i for i in range(found.place + 1, len(lowered)) if lowered[i] in _CLOSING), len(lowered))
    said = lowered[found.place + 1 : stop]
    signs = {sign for each in said for known in words_known().get(each, ()) for sign in known.polarities}
    is_blame = found.word.polarities == (NEGATIVE,)
    if not _UNSURE.isdisjoint(said) or any(each.endswith("n't") for each in said):
        return
    if is_blame and _tells_more(lowered, span.start, found.place, said):
        return
    if signs and (is_blame or signs == {NEGATIVE} or (NEGATIVE in signs and found.negation is None)):
        return
    if lowered[found.place] in BE and (not said or said[0] in _NOT_DENIED):
        return
    if found.negation is None and not is_blame and lowered[stop : stop + 1] == ["and"]:
        return
    yield span.start, stop, [found]


def _blaming_verb(lowered: Sequence[str], place: int) -> PlacedWord | None:
    """A verb that blames, or any verb, which an aspect that is praised does not do when it is denied."""
    verb = word_at(lowered, place)
    listed = deeds().get(("DO", verb))
    if listed is not None:
        return PlacedWord(place, listed)
    if verb in BE:
        return PlacedWord(place, Word("DO", (POSITIVE,), (f"{verb} not",)))
    for base, (third, past, *_) in paradigms().items():
        if verb == third and verb not in _AMBIGUOUS:
            return PlacedWord(place, Word("DO", (POSITIVE,), (f"does not {base}",)))
        if verb == past and verb != base and word_at(lowered, place + 1) not in ("by", "in", "on"):
            return PlacedWord(place, Word("DO", (POSITIVE,), (f"did not {base}",)))
    if ("BASE", verb.removesuffix("s")) not in deeds():
        return None
    return PlacedWord(
        place, Word("DO", (POSITIVE,), (f"does not {verb[:-1]}" if verb.endswith("s") else f"do not {verb}",))
    )


def _denied_verb(lowered: Sequence[str], place: int) -> PlacedWord | None:
    """A verb that is denied, as the blamed aspect does it without the denial."""
    first, following = word_at(lowered, place), word_at(lowered, place + 1)
    apart = following in ("not", "n't")
    whole = first.replace("n't", "").removesuffix("nt") if first.endswith(("n't", "dont", "doesnt", "didnt")) else ""
    helper = first if apart else whole
    if helper in ("is", "are", "was", "were", "ca", "can", "will", "wo", "could") and (apart or whole):
        if word_at(lowered, place + 1 + apart) == "there":
            return None
        plain = {"ca": "can", "wo": "will"}.get(helper, helper)
        return PlacedWord(place + apart, Word("DENIED", (POSITIVE,), (plain,)), place)
    if helper not in ("do", "does", "did"):
        return None
    base = word_at(lowered, place + 1 + apart)
    third, past = paradigms().get(base, (f"{base}s", f"{base}ed"))[:2]
    if base not in paradigms() and ("BASE", base) not in deeds():
        return None
    form = {"do": base, "does": third, "did": past}[helper]
    return PlacedWord(place + 1 + apart, Word("DENIED", (POSITIVE,), (form,)), place)


def _tells_more(lowered: Sequence[str], start: int, place: int, said: Sequence[str]) -> bool:
    """Whether a verb of blame is part of a story, which its denial would not fit."""
    if lowered[place] in ("stopped", "stops", "quit") and not "".join(said[:1]).endswith("ing"):
        return True
    if lowered[place] == "went" and said[:1] not in (["out"], ["bad"], ["down"]):
        return True
    return len(said) > _FEW or not _TELLING.isdisjoint((*lowered[:start], *said))


_FEW = 5
"""Words behind a verb of blame that still make one thing of it; more tell a story."""
_CLOSING = words_in(". , ; : ! ? ( ) - -- ... and but which who though although")
_UNSURE = words_in(
    "not no never without nothing none nor if than would like as until when while because since unless any anymore yet "
    "either ever even longer hardly so again at that andi"
)
_NOT_DENIED = words_in(
    "almost early just only even still another probably also like more most better in at on up going"
)
"""Words behind *is* that *not* cannot stand before, or before which it denies something else."""
_AMBIGUOUS = words_in("looks seems feels sounds works runs issues ports drives")


def _is_subject(lowered: Sequence[str], start: int) -> bool:
    """Whether nothing stands before the group in its clause but its article and adverbs."""
    while start and (lowered[start - 1] in DETERMINERS or lowered[start - 1] in _LEADING):
        start -= 1
    return not start or lowered[start - 1] in (".", ",", ";", "!", "?", "-", "--", ")", "and", "but")


_TELLING = words_in(
    "then day when after ago finally again months weeks days once later eventually suddenly "
    "twice times already within before month year week me us them only all time too on and but"
)


_LEADING = words_in("large big also overall both sometimes")
