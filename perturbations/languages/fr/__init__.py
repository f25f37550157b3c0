"""French, as in France."""

from perturbations.languages.language import Language, words_in

LANGUAGE = Language(
    name="French",
    letters="aàâæbcçdeéèêëfghiîïjklmnoôœpqrstuùûüvwxyÿz",
    small_words=words_in(
        "le la les l' un une des du de d' au aux et ou ni mais à en dans par pour sur sous avec sans chez vers entre"
        " que qu'"
    ),
    behind_hyphens=words_in(
        "je tu il elle on nous vous ils elles le la les lui leur en y ce ci là t moi toi même mêmes"
    ),
    number_words=("trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"),
    # AZERTY of France. Digits need Shift there.
    keyboard={
        "azerty": (
            (0, "²&é\"'(-è_çà)="),
            (1.5, "azertyuiop $"),
            (1.75, "qsdfghjklmù*"),
            (1.25, "<wxcvbn,;:!"),
        )
    },
    fillers=("lorem", "ipsum", "qsdf", "etc"),
    handles=("@un_profil_d_exemple", "@exemple_de_la_seine", "@journal_de_l_exemple", "@amie_d_un_exemple"),
    joined_by="et",
    answer_articles=("l'", "le", "la", "les", "un", "une", "des", "du"),
    answer_words=("réponse",),
    label_words=("étiquette", "étiquettes", "catégorie", "sentiment"),
    translation_words=("traduction",),
    no_answers=("pas de réponse", "aucune réponse", "sans réponse", "il n'y a pas de réponse"),
    faker="fr_FR",
    libraries={"spacy": ("spacy", "fr_core_news_sm")},
    read=words_in("add_subtree chat_style delete_subtree misspelling"),
    rare=words_in("sentence_order"),
)
