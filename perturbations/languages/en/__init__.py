"""English."""

from perturbations.languages.language import Language, words_in

LANGUAGE = Language(
    name="English",
    letters="abcdefghijklmnopqrstuvwxyz",
    small_words=words_in("a an the and or nor but of in on at to by for from with as"),
    number_words=("three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    # ANSI X3.154, the layout of the United States
    keyboard={
        "qwerty": ((0, "`1234567890-="), (1.5, "qwertyuiop[]\\"), (1.75, "asdfghjkl;'"), (2.25, "zxcvbnm,./")),
    },
    # No nouns, which would be read together with the words beside them; no *well*, which judges: it works well.
    fillers=("um", "uh", "hmm", "anyway"),
    handles=("@example_of_a_user", "@joanna_q_example", "@the_example_times", "@example_and_sons"),
    joined_by="and",
    contrasted_by="but",
    place_articles={"the": None, "as": None},
    determiner_kinds={
        **dict.fromkeys(("the", "this", "that", "these", "those"), "definite"),
        **dict.fromkeys(("a", "an", "some", "another"), "indefinite"),
        **dict.fromkeys(("my", "your", "his", "her", "its", "our", "their"), "possessive"),
    },
    factual_adverbs=frozenset(["actually"]),
    months=words_in("january february march april may june july august september october november december"),
    date_words={
        "decade": "decade",
        "century": "century",
        **dict.fromkeys(
            words_in("people men women soldiers books songs students seats members miles metres meters feet km"),
            "unit",
        ),
    },
    range_words=words_in("and to a or"),
    name_joints=("of", "the"),
    kept_names=words_in("None Most I USA God Internet Earth Bible Church Parliament Christian Protestant Huguenot"),
    question_frames=("According to the text ,", "Based on the passage ,"),
    text_words=words_in("according based base text passage"),
    question_openers=words_in(
        "what who whom whose which when where why how in at on for to by from of during a as no do"
    ),
    misquoted_by=(
        "An earlier version of this text wrongly read",
        "Before it was corrected , the next sentence read",
        "The first draft of this text wrongly said",
    ),
    passage_words=words_in("information passage excerpt extract text"),
    announcing_words=words_in("following below"),
    preamble="Read the question and choose one answer.",
    answer_words=("answer", "answers", "solution"),
    label_words=(
        *("label", "labels", "class", "rating", "classification", "category", "sentiment", "relation", "relationship"),
        *("prediction", "verdict", "stance", "topic", "choice", "option"),
    ),
    translation_words=("translation", "translations", "translated text"),
    no_answers=(
        *("no answer", "unanswerable", "not answerable", "unanswered", "no answer found", "no answer available"),
        *("there is no answer", "cannot be answered", "not in the passage", "not mentioned in the passage"),
        *("the passage does not answer it", "the passage does not answer the question"),
    ),
    faker="en_US",
    libraries={"lemminflect": ("lemminflect",)},
    usual={"contraction": {"which": "both"}},
    read=words_in(
        "add_diff add_sent_diverse add_subtree add_sum chat_style contraction degree_adverb delete_subtree "
        "insert_clause irrelevant_text misspelling modify_pos number other_gender perturb_answer perturb_question "
        "prejudice rev_non rev_tgt swap_ent swap_ent_cross_category swap_ent_oov swap_named_ent swap_number "
        "swap_parallel_num swap_parallel_same_word swap_special_ent synonym_wordnet tense"
    ),
    rare=words_in("accents add_sum rev_non swap_special_ent"),
)
