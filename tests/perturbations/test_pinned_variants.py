"""Draws of a seed, pinned: another machine, Python or version of ours has to agree.

A line that has to change changes every published number: say so in the changelog.
"""

from perturbations import find, members, parse, render
from tests.rows import every

TEXT = "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz"

CHINESE = "[王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车"
"""The text for perturbations that are for Chinese alone."""

PRAISE = "Vi [Ana PESSOA] em Vidas Secas . O filme é bom . Nada mais ."
"""The text for perturbations of praise and blame, and of several sentences."""

PLAIN = "[Ana PESSOA] tem 40 gatos e o carro azul está ali"
"""The text for perturbations of sentences that say plainly that something is so."""

OF_PLAIN = ("swap_antonym", "swap_number")

ASPECTS = "a bright [screen positive] and a quiet [fan positive]"
"""The text for perturbations of aspects."""

OF_ASPECTS = ("add_diff", "rev_non", "rev_tgt")

READ = "Quantos cursos existem em 2010 ? Lia tem [40 answer] cursos . Ana foi ver o mar ."
"""The text for perturbations of passages with answers, and of questions about them."""

OF_READING = (
    "add_sent_diverse",
    "drop_answer",
    "modify_pos",
    "more_passages",
    "no_question_mark",
    "perturb_answer",
    "perturb_question",
)

SEGMENTED = (
    "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
    "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] "
    "[给 =S] [央 =B] [视 =E]"
)
"""The text for perturbations that read words in gold."""

OF_WORDS = (
    "number_range",
    "reduplication",
    "segment_mlm",
    "swap_contraction",
    "swap_name",
    "swap_syn",
    "swap_verb",
)

BORN = "[Ana Silva PERSON] was born in [Lima PLACE] and teaches music"
"""The text for perturbations of relations."""


OF_DOCUMENTS = ("other_gender", "rnd_concat", "rnd_delete", "rnd_insert", "rnd_repeat", "rnd_replace", "rnd_shuffle")
OF_THEIR_EXAMPLE = (
    "insert_clause",
    "swap_age",
    "swap_employee",
    "swap_ent",
    "add_subtree",
    "delete_subtree",
    *OF_DOCUMENTS,
)
OF_RELATIONS = ("swap_birth", "swap_triple_pos")

TRANSLATED = "Hoje Tamara leu 40 livros ."
"""The text for perturbations that a text shares with its translations."""

OF_TRANSLATIONS = ("parallel_twitter_type", "swap_parallel_num", "swap_parallel_same_word")

OF_PRAISE = ("add_sum", "degree_adverb", "double_denial", "sentence_order", "swap_special_ent")

PINNED = {
    "accents": (
        0.5,
        "[Ana Sá PESSOA] nao foi ao [Tribunal de Justiça ORG] , disse o juiz",
        "[Ana Sa PESSOA] nao foi ao [Tribunal de Justica ORG] , disse o juiz",
    ),
    "add_diff": (
        1,
        "a bright [screen positive] and a quiet [fan positive] , but the [delivery negative] was a week late",
        "a bright [screen positive] and a quiet [fan positive] , but the [website negative] is hard to use",
    ),
    "add_sent_diverse": (
        1,
        (
            "Quantos cursos existem em 2010 ? Uma versão anterior deste texto dizia por engano : “ Lia tem 48 "
            "cursos . ” Lia tem [40 answer] cursos . Ana foi ver o mar ."
        ),
        (
            "Quantos cursos existem em 2010 ? O primeiro rascunho deste texto dizia por engano : “ Lia tem 45 "
            "cursos . ” Lia tem [40 answer] cursos . Ana foi ver o mar ."
        ),
    ),
    "add_sum": (
        1,
        "Vi [Ana PESSOA] em Vidas Secas ( filme de 1963 , de Nelson Pereira dos Santos ) . O filme é bom . Nada mais .",
        "Vi [Ana PESSOA] em Vidas Secas ( filme de 1963 , de Nelson Pereira dos Santos ) . O filme é bom . Nada mais .",
    ),
    "antonym": (1, None, None),
    "back_translation": (
        1,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , foi o que o juiz disse",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , foi o que o juiz disse",
    ),
    "boundary": (
        1,
        r"[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] \[MASK\] disse o juiz",
        r"[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] \[MASK\] disse o juiz",
    ),
    "char_typo": (
        0.5,
        "[Ana gá PESSOA] não foi ao [Tribunal ed Justiça ORG] , disse o juiz",
        "[Ana áS PESSOA] não foi ao [Tribunal we Justiça ORG] , disse o juiz",
    ),
    "character_noise": (
        0.1,
        "[Ana Sá PESSOA] não foi ao [Trikueal ke Jurtiça ORG] , disse o juiz",
        "[Ana Sá PESSOA] nJo fHi ao [Tribunal de Justiça ORG] , disse o Cuiz",
    ),
    "chat_style": (
        0.5,
        "[Ana Sá PESSOA] ñ foi ao [Tribunal de Justiça ORG] , disse o juiz",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz example.com/p/481",
    ),
    "concat_sent": (
        1,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz [Rui PESSOA] ficou . Nada mais foi dito .",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz [Rui PESSOA] ficou . Nada mais foi dito .",
    ),
    "context_distractors": (
        0.7,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] ruido disse o juiz",
        "[Ana Sá PESSOA] ruido foi ao [Tribunal de Justiça ORG] lorem disse o juiz",
    ),
    "contraction": (1, None, None),
    "degree_adverb": (
        1,
        "Vi [Ana PESSOA] em Vidas Secas . O filme é inegavelmente bom . Nada mais .",
        "Vi [Ana PESSOA] em Vidas Secas . O filme é inegavelmente bom . Nada mais .",
    ),
    "double_denial": (
        1,
        "Vi [Ana PESSOA] em Vidas Secas . O filme não é ruim . Nada mais .",
        "Vi [Ana PESSOA] em Vidas Secas . O filme não é ruim . Nada mais .",
    ),
    "drop_answer": (
        1,
        "Quantos cursos existem em 2010 ? Ana foi ver o mar .",
        "Quantos cursos existem em 2010 ? Ana foi ver o mar .",
    ),
    "ent_typos": (
        0.7,
        "[Ana Sh PESSOA] não foi ao [Tribunail de Justiça ORG] , disse o juiz",
        "[Ang Sá PESSOA] não foi ao [Tribuqal de Justiça ORG] , disse o juiz",
    ),
    "digits": (
        1,
        "[王 伟 PER] 认 为 他 五 月 在 [日 本 LOC] 购 买 汽 车",
        "[王 伟 PER] 认 为 他 五 月 在 [日 本 LOC] 购 买 汽 车",
    ),
    "homophone": (
        0.3,
        "[王 委 PER] 认 为 他 5 阅 在 [日 本 LOC] 购 买 气 车",
        "[亡 尾 PER] 认 为 他 5 月 在 [日 本 LOC] 够 买 汽 车",
    ),
    "insert": (
        0.5,
        "ruido [Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz",
        "[Ana Sá PESSOA] teste não foi ao teste [Tribunal de Justiça ORG] teste , disse o juiz",
    ),
    "insert_adverb": (
        1,
        "[Ana Sá PESSOA] realmente não foi ao [Tribunal de Justiça ORG] , disse o juiz",
        "[Ana Sá PESSOA] evidentemente não foi ao [Tribunal de Justiça ORG] , disse o juiz",
    ),
    "irrelevant_text": (
        1,
        f"Aliás , {TEXT} . Muitas coisas ficam por dizer .",
        f"No fim das contas , {TEXT} . Não há muito mais a dizer .",
    ),
    "keyboard": (
        1,
        "[Ana Sá PESSOA] não foi ao [Tribuhal de Just8ça ORG] , diase o ju9z",
        "[Ana Sá PESSOA] não foi ao [T5ibunal de Jusfiça ORG] , eisse o kuiz",
    ),
    "letter_case": (
        1,
        "[ANA SÁ PESSOA] NÃO FOI AO [TRIBUNAL DE JUSTIÇA ORG] , DISSE O JUIZ",
        "[ANA SÁ PESSOA] NÃO FOI AO [TRIBUNAL DE JUSTIÇA ORG] , DISSE O JUIZ",
    ),
    "misspelling": (
        0.5,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , dice o juiz",
        "[Ana Sá PESSOA] não foi ao [Tribunau de Justissa ORG] , disse o juíz",
    ),
    "mlm_suggestion": (
        1,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o julgador",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o julgador",
    ),
    "modify_pos": (
        1,
        "Ana foi ver o mar . Quantos cursos existem em 2010 ? Lia tem [40 answer] cursos .",
        "Ana foi ver o mar . Quantos cursos existem em 2010 ? Lia tem [40 answer] cursos .",
    ),
    "more_passages": (
        1,
        "Nada mais foi dito . Quantos cursos existem em 2010 ? Lia tem [40 answer] cursos . Ana foi ver o mar .",
        "Nada mais foi dito . Quantos cursos existem em 2010 ? Lia tem [40 answer] cursos . Ana foi ver o mar .",
    ),
    "multi_pos": (1, None, None),
    "nasal": (
        0.5,
        "[丸 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
        "[完 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
    ),
    "negation": (
        1,
        "[Ana Sá PESSOA] foi ao [Tribunal de Justiça ORG] , disse o juiz",
        "[Ana Sá PESSOA] foi ao [Tribunal de Justiça ORG] , disse o juiz",
    ),
    "no_question_mark": (
        1,
        None,
        None,
    ),
    "number": (1, None, None),
    "number_range": (
        1,
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [至 =S] [五 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [至 =S] [五 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
    ),
    "ocr": (
        0.3,
        "[Ana Sá PESSOA] não foi ao [Tribunal do Justiça ORG] , disse o juiz",
        "[Ana Sá PESSOA] não foi ae [Tribunal de Justiça ORG] , disse 0 juiz",
    ),
    "parallel_twitter_type": (
        1,
        "http://www.example.net/x7Qd Hoje Tamara leu 40 livros .",
        "https://example.com/ Hoje Tamara leu 40 livros .",
    ),
    "perturb_answer": (
        0.5,
        None,
        None,
    ),
    "perturb_question": (
        1,
        None,
        None,
    ),
    "prefix_swap": (1, None, None),
    "prejudice": (
        1,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse a juíza",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse a juíza",
    ),
    "punctuation": (
        1,
        '" [Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz "',
        '" [Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz "',
    ),
    "reduplication": (
        1,
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [干 =M] [净 =M] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [干 =M] [净 =M] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
    ),
    "rev_non": (
        1,
        "a bright [screen positive] but a noisy [fan negative]",
        "a bright [screen positive] but a loud [fan negative]",
    ),
    "rev_tgt": (
        1,
        "a dim [screen negative] but a quiet [fan positive]",
        "a dim [screen negative] but a quiet [fan positive]",
    ),
    "segment_mlm": (
        1,
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [电 =B] [影 =E] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [电 =B] [影 =E] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
    ),
    "sentence_order": (
        1,
        "Vi [Ana PESSOA] em Vidas Secas . Nada mais . O filme é bom .",
        "Vi [Ana PESSOA] em Vidas Secas . Nada mais . O filme é bom .",
    ),
    "sound_slip": (
        0.3,
        "[翁 外 PER] 认 为 他 5 月 在 [日 本 LOC] 购 眉 汽 车",
        "[王 外 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
    ),
    "swap_contraction": (
        1,
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] "
            "[给 =S] [中 =B] [央 =E] [电 =B] [视 =M] [台 =E]"
        ),
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] "
            "[给 =S] [中 =B] [央 =E] [电 =B] [视 =M] [台 =E]"
        ),
    ),
    "swap_ent_cross_category": (
        0.7,
        "[Gralheiral PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz",
        "[Barroso Valdevino PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz",
    ),
    "swap_ent_longer": (
        0.7,
        (
            "[Aristeu de Monterroso e Galvelas PESSOA] não foi ao [Tribunal Regional Federal da 1ª Região ORG]"
            " , disse o juiz"
        ),
        "[Ana Sá PESSOA] não foi ao [Tribunal Regional Federal da 5ª Região ORG] , disse o juiz",
    ),
    "swap_ent_oov": (
        1,
        "[Jocimara Tresbrito PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz",
        "[Rosemília Altafunda PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz",
    ),
    "swap_name": (
        1,
        (
            "[由 =S] [于 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
        (
            "[由 =S] [于 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
    ),
    "swap_named_ent": (
        0.7,
        "[Evandrina Colmeiro Tupaz PESSOA] não foi ao [Companhia Brasvolt de Energia do Sertão ORG] , disse o juiz",
        "[Vanúrcia Belmiral PESSOA] não foi ao [Quimbrás ORG] , disse o juiz",
    ),
    "swap_antonym": (
        1,
        "[Ana PESSOA] tem 40 gatos e o carro verde está ali",
        "[Ana PESSOA] tem 40 coelhos e o carro azul está ali",
    ),
    "swap_number": (
        1,
        "[Ana PESSOA] tem 50 gatos e o carro azul está ali",
        "[Ana PESSOA] tem 50 gatos e o carro azul está ali",
    ),
    "swap_parallel_num": (
        1,
        "Hoje Tamara leu 44 livros .",
        "Hoje Tamara leu 35 livros .",
    ),
    "swap_parallel_same_word": (
        1,
        "Hoje Batule leu 40 livros .",
        "Hoje Nedavi leu 40 livros .",
    ),
    "swap_special_ent": (
        1,
        "Vi [Ana PESSOA] em Luzes da Cidade . O filme é bom . Nada mais .",
        "Vi [Ana PESSOA] em O Iluminado . O filme é bom . Nada mais .",
    ),
    "swap_syn": (
        1,
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [教 =B] [材 =E] [给 =S] [央 =B] [视 =E]"
        ),
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =S] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [教 =B] [材 =E] [给 =S] [央 =B] [视 =E]"
        ),
    ),
    "swap_verb": (
        1,
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =B] [一 =M] [看 =E] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
        (
            "[由 =S] [王 =B] [伟 =E] [去 =S] [看 =B] [一 =M] [看 =E] [书 =S] [， =S] "
            "[买 =S] [三 =S] [本 =S] [干 =B] [净 =E] [的 =S] [课 =B] [本 =E] [给 =S] [央 =B] [视 =E]"
        ),
    ),
    "synonym_attack": (
        1,
        None,
        None,
    ),
    "synonym_embedding": (
        1,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o julgador",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o magistrado",
    ),
    "synonym_wordnet": (
        1,
        None,
        None,
    ),
    "synonyms": (
        1,
        "[Ana Sá PESSOA] não foi à [Corte de Justiça ORG] , disse o magistrado",
        "[Ana Sá PESSOA] não foi à [Corte de Justiça ORG] , disse o magistrado",
    ),
    "tense": (
        1,
        None,
        None,
    ),
    "token_masking": (
        0.15,
        r"[Ana Sá PESSOA] \[MASK\] foi ao [Tribunal de Justiça ORG] , disse o juiz",
        r"[\[MASK\] Sá PESSOA] não \[MASK\] ao [Tribunal \[MASK\] Justiça ORG] , disse o juiz",
    ),
    "typos": (
        0.3,
        "[Ana Saá PESSOA] no foi ao [Tribunal de Justiça ORG] , disse o juiz",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o jiuz",
    ),
    "word_insertion": (
        0.2,
        None,
        "[Ana Sá PESSOA] não foi ao [Tribunal ruido de Justiça ORG] teste , teste disse o juiz",
    ),
    "zh_antonym": (
        1,
        "[王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 出 售 汽 车",
        "[王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 出 售 汽 车",
    ),
    "zh_digits": (
        1,
        "[王 伟 PER] 认 为 他 五 月 在 [日 本 LOC] 购 买 汽 车",
        "[王 伟 PER] 认 为 他 五 月 在 [日 本 LOC] 购 买 汽 车",
    ),
    "zh_homophone": (
        0.3,
        "[王 委 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
        "[王 伪 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
    ),
    "zh_insert_adverb": (
        1,
        "[王 伟 PER] 的 确 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
        "[王 伟 PER] 的 确 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
    ),
    "zh_irrelevant_text": (
        1,
        "需 要 说 明 的 是 ， [王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车 。 亡 羊 补 牢 ， 犹 未 为 晚 。",
        "据 我 所 知 ， [王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车 。 时 间 就 是 金 钱 。",
    ),
    "zh_misspelling": (
        0.3,
        "[翁 外 PER] 染 为 他 5 月 在 [日 本 LOC] 购 美 汽 叉",
        "[嗡 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 测",
    ),
    "zh_miswritten": (
        1,
        "[王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 气 车",
        "[王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 气 车",
    ),
    "zh_named_ent": (
        1,
        "[叶 青 PER] 认 为 他 5 月 在 [萨 尔 瓦 多 LOC] 购 买 汽 车",
        "[姜 永 福 PER] 认 为 他 5 月 在 [多 米 尼 加 LOC] 购 买 汽 车",
    ),
    "zh_nasal": (
        0.5,
        "[丸 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
        "[玩 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车",
    ),
    "zh_number": (1, None, None),
    "zh_prejudice": (
        1,
        "[王 伟 PER] 认 为 他 5 月 在 [萨 尔 瓦 多 LOC] 购 买 汽 车",
        "[王 伟 PER] 认 为 他 5 月 在 [委 内 瑞 拉 LOC] 购 买 汽 车",
    ),
    "zh_punctuation": (
        1,
        "（ [王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车 ）",
        "“ [王 伟 PER] 认 为 他 5 月 在 [日 本 LOC] 购 买 汽 车 ”",
    ),
    "zh_synonym": (
        0.5,
        None,
        None,
    ),
    "swap_age": (
        1,
        "Aged [46 NUMBER] , [Ana Silva PERSON] teaches music",
        "Aged [46 NUMBER] , [Ana Silva PERSON] teaches music",
    ),
    "swap_birth": (
        1,
        "Born in [Lima PLACE] , [Ana Silva PERSON] teaches music",
        "Born in [Lima PLACE] , [Ana Silva PERSON] teaches music",
    ),
    "swap_employee": (
        1,
        "The president of [Acme ORGANIZATION] , [Ana Silva PERSON] , said no",
        "The president of [Acme ORGANIZATION] , [Ana Silva PERSON] , said no",
    ),
    "swap_ent": (
        1,
        "[Rosmarim PERSON] works in [Lajeal PLACE]",
        "[Palmerinda Fusquel PERSON] works in [Vitorial PLACE]",
    ),
    "swap_triple_pos": (
        1,
        "Born in [Lima PLACE] , [Ana Silva PERSON] teaches music",
        "Born in [Lima PLACE] , [Ana Silva PERSON] teaches music",
    ),
    "add_subtree": (
        1,
        "[Ana =PROPN/7/nsubj] [, =PUNCT/4/punct] [que =PRON/4/obj] [mencionamos =VERB/1/acl:relcl] [antes =ADV/4/advmod] [, =PUNCT/4/punct] [visitou =VERB/0/root] [o =DET/9/det] [museu =NOUN/7/obj] [em =ADP/12/case] [o =DET/12/det] [domingo =NOUN/7/obl] [. =PUNCT/7/punct]",  # noqa: E501
        "[Ana =PROPN/7/nsubj] [, =PUNCT/4/punct] [que =PRON/4/obj] [mencionamos =VERB/1/acl:relcl] [acima =ADV/4/advmod] [, =PUNCT/4/punct] [visitou =VERB/0/root] [o =DET/9/det] [museu =NOUN/7/obj] [em =ADP/12/case] [o =DET/12/det] [domingo =NOUN/7/obl] [. =PUNCT/7/punct]",  # noqa: E501
    ),
    "other_gender": (
        1,
        "[Jim a] said that [he a] saw [the dog b] .",
        "[Louis a] said that [he a] saw [the dog b] .",
    ),
    "rnd_concat": (
        1,
        "[Ana a] saiu . Nada mais foi dito .",
        "[Ana a] saiu . Nada mais foi dito .",
    ),
    "rnd_delete": (
        1,
        "[Ana a] saiu cedo .",
        "[Ana a] saiu cedo .",
    ),
    "rnd_insert": (
        1,
        "[Ana a] saiu . Nada mais foi dito . [O pai b] ficou ali só .",
        "[Ana a] saiu . Nada mais foi dito . [O pai b] ficou ali só .",
    ),
    "rnd_repeat": (
        1,
        "[Ana a] saiu bem cedo . [Ana a] saiu bem cedo .",
        "[Ana a] saiu bem cedo . [Ana a] saiu bem cedo .",
    ),
    "rnd_replace": (
        1,
        "[Ana a] saiu . Nada mais foi dito .",
        "[Ana a] saiu . Nada mais foi dito .",
    ),
    "rnd_shuffle": (
        1,
        "[O pai b] ficou em casa . [Ana a] saiu bem cedo .",
        "[O pai b] ficou em casa . [Ana a] saiu bem cedo .",
    ),
    "delete_subtree": (
        1,
        "[Ana =PROPN/2/nsubj] [saiu =VERB/0/root] [. =PUNCT/2/punct]",
        "[Ana =PROPN/2/nsubj] [saiu =VERB/0/root] [. =PUNCT/2/punct]",
    ),
    "insert_clause": (
        1,
        "[Ana Silva PERSON] , also mentioned elsewhere , teaches music in [Lima PLACE] .",
        "[Ana Silva PERSON] teaches music in [Lima PLACE] , already mentioned .",
    ),
    "elongation": (
        0.5,
        "[Anaaaaa Sá PESSOA] nãooooo foi aooo [Tribunaaal deeeee Justiçaaaaa ORG] , disse o juiiiiiz",
        "[Ana Sááá PESSOA] não foi ao [Tribunal deee Justiçaaa ORG] , disseee o juiiiz",
    ),
    "emoji": (
        0.5,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz 👀",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz 💬",
    ),
    "homoglyph": (
        0.2,
        "[\u0391na Sá PESSOA] \u057cão f\u043e\u04cf ao [Tribunal de Just\u03b9ça ORG] , d\u0456s\u0455e o \u03f3uiz",
        "[\u0391na S\xe1 PESSOA] n\xe3o \u0584oi a\u043e [Trib\u03c5nal de J\u057dsti\xe7\u03b1 ORG] , disse o juiz",
    ),
    "invisible": (
        0.2,
        "[A\u2060na S\xe1 PESSOA] n\xe3o foi ao [Tribunal de Justi\xe7a ORG] , disse o juiz",
        "[Ana S\xe1\u200b PESSOA] n\xe3o foi ao [Tribunal de Justi\u200e\xe7a ORG] , diss\u200de o juiz",
    ),
    "mixed_case": (
        0.5,
        "[Ana sÁ PESSOA] não FoI ao [TrIbUnAl dE Justiça ORG] , disse o juiz",
        "[Ana sÁ PESSOA] nÃo FoI Ao [tRiBuNaL De jUsTiÇa ORG] , dIsSe o JuIz",
    ),
    "strip_punctuation": (
        1,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] disse o juiz",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] disse o juiz",
    ),
    "unicode_form": (
        0.5,
        "[Ana S\xe1 PESSOA] na\u0303o foi ao [Tribunal de Justi\xe7a ORG] , disse o juiz",
        "[Ana Sa\u0301 PESSOA] n\xe3o foi ao [Tribunal de Justic\u0327a ORG] , disse o juiz",
    ),
    # White space is not shown: tests/perturbations/test_unicode_noise.py pins it.
    "white_space": (
        0.5,
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz",
        "[Ana Sá PESSOA] não foi ao [Tribunal de Justiça ORG] , disse o juiz",
    ),
}


OURS = [name for name, member in members().items() if member.function.__module__.startswith("perturbations.")]


@every("name", OURS)
def test_every_perturbation_is_pinned(name):
    assert name in PINNED, f"add a line to PINNED: {name!r}: (rate, variant of its text for seed 1, for seed 2),"


@every("name", PINNED)
def test_the_variants_of_a_seed_are_what_they_always_were(name):
    rate, *expected = PINNED[name]
    perturbation = find(name).configured(rate=rate)
    own = {**dict.fromkeys(OF_PRAISE, PRAISE), **dict.fromkeys(OF_PLAIN, PLAIN), **dict.fromkeys(OF_ASPECTS, ASPECTS)}
    own |= {**dict.fromkeys(OF_READING, READ), **dict.fromkeys(OF_WORDS, SEGMENTED)}
    own |= dict.fromkeys(OF_RELATIONS, BORN) | dict.fromkeys(OF_TRANSLATIONS, TRANSLATED)
    own |= {name: find(name).example.before for name in OF_THEIR_EXAMPLE}
    text = own.get(name, CHINESE if perturbation.params.get("language") == "zh" else TEXT)
    sampled = [perturbation.sample(parse(text), seed=seed) for seed in (1, 2)]
    assert [None if perturbed is None else render(perturbed.sentence) for perturbed in sampled] == expected
