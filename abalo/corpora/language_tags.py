"""Language tags: canonical forms (BCP 47) and basic filtering (RFC 4647)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

_LANGUAGES = """
aa aar, ab abk, ae ave, af afr, ak aka, am amh, an arg, ar ara arb, as asm, av ava, ay aym ayr, az aze azj, ba bak,
be bel, bg bul, bh bih, bi bis, bm bam, bn ben, bo bod tib, br bre, bs bos, ca cat, ce che, ch cha, co cos, cr cre,
cs ces cze, cu chu, cv chv, cy cym wel, da dan, de deu ger, dv div, dz dzo, ee ewe, el ell gre, en eng, eo epo, es spa,
et ekk est, eu baq eus, fa fas per pes, ff fuc ful, fi fin, fj fij, fo fao, fr fra fre, fy fry, ga gle, gd gla, gl glg,
gn grn gug, gu guj, gv glv, ha hau, he heb, hi hin, ho hmo, hr hrv, ht hat, hu hun, hy arm hye, hz her, ia ina, id ind,
ie ile, ig ibo, ii iii, ik esk ipk, io ido, is ice isl, it ita, iu ike iku, ja jpn, jv jav, ka geo kat, kg kng kon,
ki kik, kj kua, kk kaz, kl kal, km khm, kn kan, ko kor, kr kau knc, ks kas, ku kmr kur, kv kom kpv, kw cor, ky kir,
la lat, lb ltz, lg lug, li lim, ln lin, lo lao, lt lit, lu lub, lv lav lvs, mg mlg plt, mh mah, mi mao mri, mk mac mkd,
ml mal, mn khk mon, mr mar, ms may msa zsm, mt mlt, my bur mya, na nau, nb nob, nd nde, ne nep npi, ng ndo, nl dut nld,
nn nno, no nor, nr nbl, nv nav, ny nya, oc oci, oj oji, om gaz orm, or ori ory, os oss, pa pan, pi pli, pl pol,
ps pbu pus, pt por, qu que quz, rm roh, rn run, ro mol ron rum, ru rus, rw kin, sa san, sc srd, sd snd, se sme, sg sag,
si sin, sk slk slo, sl slv, sm smo, sn sna, so som, sq alb als sqi, sr srp, ss ssw, st sot, su sun, sv swe, sw swa swh,
ta tam, te tel, tg tgk, th tha, ti tir, tk tuk, tl tgl, tn tsn, to ton, tr tur, ts tso, tt tat, tw twi, ty tah, ug uig,
uk ukr, ur urd, uz uzb uzn, ve ven, vi vie, vo vol, wa wln, wo wol, xh xho, yi ydd yid, yo yor, za zha zyb,
zh chi cmn zho, zu zul
"""
"""ISO 639-1, each with its codes in ISO 639-2, ISO 639-3 and, as in FLORES, of its principal member.

Source: the IANA Language Subtag Registry, and Unicode CLDR, `languageAlias` (Unicode License V3).
"""

_SCRIPTS = """
Arab ar fa ps ur, Armn hy, Beng as bn, Cyrl ab be bg kk mk ru uk, Deva hi mr ne, Ethi am ti, Geor ka, Grek el, Gujr gu,
Guru pa, Hang ko, Hebr he yi, Jpan ja, Khmr km, Knda kn, Kore ko, Laoo lo, Latn af ay bs ca ch cs cy da de en eo es et
eu fi fj fo fr fy ga gl gn gv hr ht hu id is it kl la lb ln lt lv mg mh ms mt na nb nd nl nn no nr ny om pl pt qu rm rn
ro rw sg sk sl sm so sq ss st sv sw tl tn to tr ts ve vi xh zu, Mlym ml, Mymr my, Orya or, Sinh si, Taml ta, Telu te,
Thaa dv, Thai th, Tibt bo dz
"""
"""Scripts that go without saying: the registry's `Suppress-Script`, with Hangul for Korean and Tibetan for Tibetan."""

CHINESE = frozenset(re.findall("[a-z]+", "zh cdo cjy cnp cpx csp czh czo gan hak hsn lzh mnp nan wuu yue"))
"""Chinese and its members."""

_OLD = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro"}
_TAG = re.compile("([a-z]{2,3})((?:[-_][a-z0-9]{2,8})*)", re.IGNORECASE)
_IN_NAMES = re.compile(
    "((?:[a-z]{2,3}|[A-Z]{2,3})(?:[-_][A-Z][a-z]{3})?(?:(?<=[a-z])[-_](?:[A-Z]{2}|419))?)(?![^\\W\\d_])|[^\\W\\d_]+"
)
"""Words of a file's name. A region is in capitals and its language is not: *en-pt* and *EN-PT* are two languages."""


def _by_member(groups: str) -> dict[str, str]:
    return {member: first for first, *members in map(str.split, groups.split(",")) for member in members}


_SHORT = _by_member(_LANGUAGES)
_KNOWN = frozenset([*_SHORT, *_SHORT.values()])
_UNSAID = frozenset((code, script) for script, *codes in map(str.split, _SCRIPTS.split(",")) for code in codes)


@cache
def canonical(code: str) -> str | None:
    """The canonical form of a language tag; None if ``code`` has not the form of one.

    *zho_Hans* becomes *zh-Hans*, *POR* *pt*, *pt_br* *pt-BR*, *por_Latn* *pt*.
    """
    found = _TAG.fullmatch(code.strip())
    if found is None:
        return None
    first, rest = found[1].lower(), [part for part in re.split("[-_]", found[2].lower()) if part]
    if first == "zh" and rest and (rest[0] == "cmn" or rest[0] in CHINESE):
        first, rest = rest[0], rest[1:]
    first = _OLD.get(first, _SHORT.get(first, first))
    parts = [_cased(part) for part in rest]
    return "-".join([first, *parts[(first, *parts[:1]) in _UNSAID :]])


def _cased(part: str) -> str:
    if len(part) == 2:
        return part.upper()
    return part.title() if len(part) == 4 and part.isalpha() else part


def base_of(tag: str) -> str:
    """The language without script and region: *pt* for *pt-BR*."""
    return tag.partition("-")[0]


def is_known(tag: str) -> bool:
    """Whether the language has a code in ISO 639-1."""
    return base_of(tag) in _KNOWN


def takes(wanted: str, tag: str) -> bool:
    """Basic filtering of RFC 4647: *pt* takes *pt* and *pt-BR*, and *pt-BR* not *pt-PT*."""
    return f"{tag}-".startswith(f"{wanted}-")


def chosen_of(wanted: str, tags: Iterable[str]) -> list[str]:
    """The ``tags`` that ``wanted`` means: itself if it is there, else those that it takes; none for ""."""
    taken = [tag for tag in tags if wanted and takes(wanted, tag)]
    return [wanted] if wanted in taken else taken


def variants(wanted: str, names: Iterable[str]) -> list[str]:
    """The ``names`` of the tags that ``wanted`` means."""
    tags = {name: canonical(name) or "" for name in names}
    meant = {*chosen_of(wanted, tags.values())}
    return [name for name, tag in tags.items() if tag in meant]


def tags_in(name: str) -> list[str]:
    """The canonical tag of each word in a file's name, in order; "" for other words.

    A language without a code in ISO 639-1 counts only with its script.
    """
    tags = [canonical(found[1] or "") or "" for found in _IN_NAMES.finditer(name)]
    return [tag if is_known(tag) or re.search("-[A-Z][a-z]{3}", tag) else "" for tag in tags]
