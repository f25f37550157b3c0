"""Chinese sentences to test with, cut into words and into characters."""

from dataclasses import replace

from hypothesis import strategies as st

from perturbations import Perturbation, Sentence, apply, find, parse, render
from perturbations.languages import language_named

CHINESE = sorted(name for name in language_named("zh").called if name.startswith("zh_"))
"""The names that perturbations have for Chinese alone, by which they are set to it."""

WORDS = (
    *("他", "她们", "父亲", "认为", "购买", "礼物", "医生", "喜欢", "夏天", "安装", "中国", "日本", "发展", "国家"),
    *("王伟", "李秀英", "北京", "大学", "学生", "的", "了", "在", "一", "〇", "，", "。", "……", "”", "（", "第"),
    *("5", "105", "2023", "年", "月", "2", "个", "25", "%", "１２", "3.5", "10:30", "A4", "98年", "1998年", "IBM"),
    *("[MASK]", "é", "🙂", "中\ufe0f"),
)


def words(text: str) -> Sentence:
    """The sentence in bracket notation, with nothing between its tokens, as Chinese is written."""
    sentence = parse(text)
    return replace(sentence, spaces=("",) * len(sentence))


def characters(sentence: Sentence) -> Sentence:
    """The same text, every character a token."""
    tags = sentence.tags or ()
    return Sentence(
        tuple(character for token in sentence.tokens for character in token),
        tuple(
            f"I{tag[1:]}" if k and tag != "O" else tag
            for token, tag in zip(sentence.tokens, tags, strict=True)
            for k in range(len(token))
        ),
        tuple(
            space if k == len(token) - 1 else max(sentence.spaces, default="")
            for token, space in zip(sentence.tokens, sentence.spaces, strict=True)
            for k in range(len(token))
        ),
    )


_TAGS = ("O", "O", "I", "B-PER", "B-LOC", "B-ORG", "B-DATE")
_TOKENS = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(_TAGS)), min_size=1, max_size=12)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Sentences of Chinese words, some of them entities, cut either way, with or without spaces."""
    drawn, gap, split = draw(_TOKENS), draw(st.sampled_from(("", " "))), draw(st.booleans())
    tags: list[str] = []
    for _, tag in drawn:
        goes_on = f"I{tags[-1][1:]}" if tags and tags[-1] != "O" else "O"
        tags.append(goes_on if tag == "I" else tag)
    sentence = Sentence(tuple(word for word, _ in drawn), tuple(tags), (gap,) * (len(drawn) - 1) + ("",))
    return characters(sentence) if split else sentence


def options(member: str | Perturbation, sentence: Sentence, **params: object) -> list[list[str]]:
    """Site by site, what the sentence becomes by each option alone, in bracket notation without spaces."""
    perturbation = (find(member) if isinstance(member, str) else member).configured(**params)
    return [[shown(apply(sentence, [edit]).sentence) for edit in site] for site in perturbation.sites(sentence)]


def everywhere(member: str, sentence: Sentence, **params: object) -> str | None:
    """The sentence where every site is hit, for a perturbation with one option a site; None: nothing."""
    perturbation = find(member).configured(rate=1, **params)
    assert all(len(site) == 1 for site in perturbation.sites(sentence))
    perturbed = perturbation.sample(sentence, seed=1)
    return None if perturbed is None else shown(perturbed.sentence)


def shown(sentence: Sentence) -> str:
    """The bracket notation without any space but the one before an entity's type."""
    parts = render(sentence).split(" ")
    return "".join(f" {part}" if part.endswith("]") and not part.endswith("\\]") else part for part in parts)
