"""Where adverbs stand in Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from perturbations.languages.language import words_in
from perturbations.languages.layout import Layout
from perturbations.languages.readings import PartsOfSpeech
from perturbations.languages.zh.borders import layout, occurrences
from perturbations.text import Edit, Sentence, entity_spans

_SUBJECTS = frozenset(("我", "你", "您", "他", "她", "它", "我们", "你们", "他们", "她们", "它们", "咱们", "大家"))
_CLAUSE_BEGINS = frozenset("，；。！？“")
_CLAUSE_ENDS = frozenset("，；：。！？、…”")
_NO_CLAIM_ENDS = ("后", "时", "前", "的", "者", "以来", "期间", "之际")
"""The words that end a clause that is no claim, but says when or which."""
_ASK = re.compile("[？?吗呢]|什么|怎么|如何|是否")
_CLAIMS = words_in(
    "认为 觉得 相信 知道 明白 理解 了解 记得 忘记 怀疑 承认 否认 意识到 希望 想要 打算 试图 需要 要求 支持 反对 "
    "赞成 同意 喜欢 喜爱 热爱 讨厌 害怕 担心 尊重 信任 感到 看到 看见 听到 听说 发现 拥有 具有 缺乏 缺少 存在 属于 "
    "说明 证明 证实 表明 表示 提出 提到 谈到 强调 决定 拒绝 建议 警告 批评 改变 改善 帮助 照顾 提供 坚持 建立 取得 "
    "获得 受到 遇到"
)
"""Verbs whose claim somebody could doubt, so that it can be *indeed* so."""


def adverbial(
    sentence: Sentence, adverbs: Sequence[str], parts_of_speech: PartsOfSpeech | None = None
) -> list[list[Edit]]:
    """The edits that put an adverb before a verb that follows its subject and claims something.

    Chinese puts them there and nowhere else, so a verb needs an entity or a pronoun before it that begins its clause.
    Not in questions, nor in clauses that say when. Raises ValueError where ``parts_of_speech`` are given.
    """
    if parts_of_speech is not None:
        raise ValueError("parts_of_speech is given; Chinese verbs are found by a list: leave it out")
    found = layout(sentence)
    if found is None or _ASK.search("".join(sentence.tokens)):
        return []
    verbs = occurrences(found, _CLAIMS)
    ends = _ends_of_subjects(found) if verbs else set()
    return [
        [found.inserting(start, (adverb,)) for adverb in adverbs]
        for start, stop in verbs
        if start in ends and found.is_outside(start, stop) and _is_claim(sentence.tokens[stop:])
    ]


def _is_claim(behind: Sequence[str]) -> bool:
    """Whether the clause whose verb stands before these tokens claims something."""
    if "".join(behind[:1]) in ("的", "者"):
        return False
    clause = "".join(takewhile(lambda token: token[0] not in _CLAUSE_ENDS, behind))
    return not clause.endswith(_NO_CLAIM_ENDS)


def _ends_of_subjects(found: Layout) -> set[int]:
    """Where a pronoun or an entity ends that begins a sentence or a clause."""
    tokens = found.sentence.tokens
    stretches = [(span.start, span.stop) for span in entity_spans(found.sentence.entity_tags or ())]
    stretches += occurrences(found, _SUBJECTS)
    return {stop for start, stop in stretches if start == 0 or tokens[start - 1] in _CLAUSE_BEGINS}
