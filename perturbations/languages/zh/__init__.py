"""Simplified Chinese, whether tokens are words or single characters."""

from perturbations.languages.language import Called, Language, words_in

LANGUAGE = Language(
    name="Chinese",
    fillers=("xxx", "asdf", "嗯", "呃"),  # single characters, for text whose tokens are such
    final_marks=("。",),
    brackets=(("“", "”"), ("（", "）")),
    things_counted_by=frozenset("条座部本只辆艘架首"),
    question_frames=tuple(map(" ".join, ("根据文章，", "根据上文，"))),
    text_words=frozenset("文"),
    question_synonyms={
        "什么时候": "何时",
        "为什么": "为何",
        "什么地方": "何处",
        "哪里": "什么地方",
        "哪儿": "哪里",
        "哪一年": "哪年",
        "怎么样": "怎样",
        "如何": "怎样",
        "谁": "什么人",
    },
    misquoted_by=tuple(map(" ".join, ("本文的早期版本误写为", "更正之前，下一句写的是", "本文的初稿误写为"))),
    answer_words=("答案", "答", "回答"),
    label_words=("标签", "標籤", "类别", "類別", "分类", "情感", "情感倾向", "关系", "选项", "選項"),
    translation_words=("译文", "翻译", "譯文", "翻譯"),
    no_answers=("无答案", "没有答案", "無答案", "沒有答案", "无法回答", "無法回答", "不能回答", "无解"),
    faker="zh_CN",
    called={
        **dict.fromkeys(("zh_antonym", "CnAntonym"), Called("antonym")),
        **dict.fromkeys(("zh_synonym", "CnSynonym"), Called("synonym_wordnet")),
        **dict.fromkeys(("zh_number", "CnSwapNum"), Called("number")),
        **dict.fromkeys(("zh_punctuation", "CnPunctuation"), Called("punctuation")),
        **dict.fromkeys(("zh_irrelevant_text", "CnAppendIrr"), Called("irrelevant_text")),
        **dict.fromkeys(("zh_insert_adverb", "CnInsertAdv"), Called("insert_adverb")),
        **dict.fromkeys(("zh_prejudice", "CnPrejudice"), Called("prejudice", {"to": "america"})),
        **dict.fromkeys(("zh_named_ent", "CnSwapNamedEnt"), Called("swap_named_ent")),
        **dict.fromkeys(("CNDoubleDenial", "CnDoubleDenial"), Called("double_denial")),
        "zh_miswritten": Called("misspelling"),
        **dict.fromkeys(("zh_misspelling", "CnSpellingError"), Called("sound_slip")),
        **dict.fromkeys(("zh_homophone", "CnHomophones"), Called("homophone")),
        **dict.fromkeys(("zh_nasal", "CnNasal"), Called("nasal")),
        **dict.fromkeys(("zh_digits", "CnDigit2Char"), Called("digits")),
    },
    usual={
        "synonym_wordnet": {"kinds": ("NOUN", "VERB")},
        # Hardly any real name is of two sorts or long.
        "swap_ent_cross_category": {"otherwise": "invented:zh"},
        "swap_ent_longer": {"otherwise": "invented:zh"},
    },
    read=words_in(
        "digits homophone insert_adverb misspelling nasal number sound_slip swap_contraction "
        "swap_ent_cross_category swap_ent_longer swap_ent_oov swap_name swap_named_ent swap_syn synonym_wordnet"
    ),
    rare=words_in(
        "degree_adverb double_denial insert_adverb number_range reduplication sentence_order swap_contraction "
        "swap_name swap_verb"
    ),
)
