"""Portuguese, as in Brazil."""

from perturbations.languages.language import Language, words_in

_TAKE_NONE = words_in(
    "os dos nos aos pelos as das nas às pelas este deste neste esta desta nesta esse desse nesse essa dessa nessa"
    " aquele daquele naquele aquela daquela naquela todo toda"
)

LANGUAGE = Language(
    name="Portuguese",
    letters="aáàâãbcçdeéêfghiíjklmnoóôõpqrstuúüvwxyz",
    telling_letters="áàâãéêíóôõúç",
    small_words=words_in(
        "a à ao aos as às o os e ou de do da dos das d' em no na nos nas num numa por pelo pela pelos pelas"
        " para com sem sob sobre que"
    ),
    behind_hyphens=words_in("me te se lhe lhes nos vos o a os as lo la los las no na nas lhos lhas"),
    number_words=("três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez"),
    # ABNT NBR 10346, variant 2
    keyboard={"abnt2": ((0, "'1234567890-="), (1.5, "qwertyuiop ["), (1.75, "asdfghjklç ]"), (1.25, "\\zxcvbnm,.;/"))},
    fillers=("xxx", "lorem", "teste", "ruido"),  # [stage 2, "Word insertion"]
    handles=("@perfil_de_exemplo", "@exemplo_da_silva", "@jornal_de_exemplo", "@amiga_de_exemplo"),
    joined_by="e",
    contrasted_by="mas",
    place_articles={
        **dict.fromkeys(("o", "do", "no", "ao", "pelo"), "o"),
        **dict.fromkeys(("da", "na", "à", "pela"), "a"),
        **dict.fromkeys(_TAKE_NONE, None),
    },
    determiner_kinds={
        **dict.fromkeys(words_in("o a os as este esta esse essa aquele aquela estes estas esses essas"), "definite"),
        **dict.fromkeys(words_in("um uma uns umas outro outra"), "indefinite"),
        **dict.fromkeys(words_in("meu minha seu sua nosso nossa meus minhas seus suas"), "possessive"),
        **dict.fromkeys(words_in("do da dos das no na nos nas ao à aos às pelo pela pelos pelas num numa"), "fused"),
    },
    factual_adverbs=words_in("efetivamente realmente"),
    months=words_in("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
    date_words={"década": "decade", "anos": "decade", "pessoas": "unit", "km": "unit"},
    range_words=words_in("e a ou"),
    name_joints=("de", "da", "do", "das", "dos", "e"),
    kept_names=words_in("I EUA USA God Internet Earth Bible Church Parliament Christian"),
    question_frames=("De acordo com o texto ,", "Com base na passagem ,"),
    text_words=words_in("acordo segundo base conforme texto passagem"),
    question_openers=words_in(
        "o a os as que quem qual quais quando onde como quanto quantos quantas em no na por para de do da desde com"
    ),
    misquoted_by=(
        "Uma versão anterior deste texto dizia por engano",
        "Antes de ser corrigida , a próxima frase dizia",
        "O primeiro rascunho deste texto dizia por engano",
    ),
    passage_words=words_in("texto trecho excerto fragmento"),
    announcing_words=words_in("seguinte seguir abaixo"),
    preamble="Leia a pergunta e escolha uma resposta.",
    answer_articles=("o", "a", "os", "as", "um", "uma", "uns", "umas"),
    answer_words=("resposta", "gabarito"),
    label_words=(
        *("rótulo", "rótulos", "classe", "classificação", "categoria", "sentimento", "relação", "alternativa"),
        *("opção", "letra"),
    ),
    translation_words=("tradução", "traduções", "texto traduzido"),
    no_answers=(
        *("sem resposta", "não há resposta", "nenhuma resposta", "irrespondível", "não respondível"),
        *("a passagem não responde", "o texto não responde", "não tem resposta", "a resposta não está no texto"),
    ),
    faker="pt_BR",
    read=words_in(
        "add_sent_diverse add_subtree chat_style contraction delete_subtree insert_adverb irrelevant_text "
        "misspelling modify_pos number perturb_answer perturb_question prejudice swap_antonym swap_ent "
        "swap_ent_cross_category swap_ent_longer swap_ent_oov swap_named_ent swap_number swap_parallel_num "
        "swap_parallel_same_word synonym_attack synonym_wordnet synonyms tense"
    ),
    rare=words_in("add_sum degree_adverb double_denial swap_parallel_num swap_special_ent"),
)
