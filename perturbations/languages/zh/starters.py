"""Sentences and words of a first file of capabilities in Chinese."""

from perturbations.languages.starters import StarterWords

WORDS = StarterWords(
    {
        "person": ("他们 去年 见过 {x} 。", "{x} 今天 来信 了 。"),
        "place": ("他们 去年 搬到 了 {x} 。", "{x} 经常 下雨 。"),
        "organisation": ("他们 在 {x} 工作 。", "{x} 招聘 了 十 个 人 。"),
        "": ("他们 写 过 {x} 。", "这 篇 文章 也 谈到 {x} 。"),
    },
    ("其实 ，", "大家 都 知道 ，", "说 实话 ，"),
    {
        "NOUN": ("他们 有 {x} 。", ("房子", "书", "狗", "老师")),
        "VERB": ("他们 明天 {x} 。", ("离开", "睡觉", "付款", "唱歌")),
        "ADJ": ("这 个 房子 很 {x} 。", ("小", "旧", "漂亮", "大")),
    },
    (
        "{country}的首都是哪个城市？",
        "country",
        "city",
        (("法国", "巴黎"), ("意大利", "罗马"), ("挪威", "奥斯陆"), ("日本", "东京")),
    ),
    ("这部电影{x}。", {"negative": ("很差", "无聊", "糟糕"), "positive": ("很好", "精彩", "优秀")}),
    ("{x}正在家里睡觉。", "{x}正在睡觉。", "{x}没有在睡觉。", ("医生", "孩子", "小狗")),
    (
        "这里的{thing}{x}。",
        {"negative": ("很差", "很糟糕", "让人失望"), "positive": ("很好", "很棒", "不错")},
        ("服务", "环境", "饭菜"),
    ),
    in_front=True,
)
