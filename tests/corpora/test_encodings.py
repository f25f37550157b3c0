"""Chinese in GB 18030 is found and told; what is as well something else is not taken for it."""

import pytest

from abalo.corpora.encodings import text_of
from abalo.corpora.findings import Findings
from abalo.errors import AbaloError

CHINESE = "这是一个中文句子，我们在这里看书。他是中国人。\n"
JAPANESE = "これは日本語の文章です。東京に行きました。人が大きい国を見る。\n"
KOREAN = "나는 오늘 학교에 갔다. 사람들이 많이 있었다.\n"
PORTUGUESE = "A ação não é tão fácil: não há pão, só maçãs e limões.\n"


@pytest.mark.parametrize("encoding", ["gb18030", "gbk", "gb2312"])
@pytest.mark.parametrize("text", [CHINESE, CHINESE * 50, f"id\tlabel\n1\t{CHINESE}"])
@pytest.mark.parametrize("lenient", [False, True])
def test_chinese_in_gb_18030_is_told_with_the_way_out(encoding, text, lenient):
    with pytest.raises(AbaloError, match=r"^a: seems to be GB 18030 .* iconv -f gb18030 -t utf-8"):
        text_of(text.encode(encoding), Findings("a", lenient=lenient))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(JAPANESE, "euc_jp"), (JAPANESE, "shift_jis"), (KOREAN, "euc_kr"), (PORTUGUESE, "latin-1"), (CHINESE, "gbk")],
)
def test_other_encodings_are_told_line_by_line(text, encoding):
    """Chinese that is cut inside a character, too."""
    findings = Findings("a", lenient=False)
    text_of(text.encode(encoding) + b"\xb0" * (text is CHINESE), findings)
    assert [place for place, _ in findings.problems] == [1, 2] if text is CHINESE else [1]


def test_chinese_in_utf_8_is_read():
    assert text_of(CHINESE.encode(), Findings("a", lenient=False)) == CHINESE
