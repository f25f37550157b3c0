"""Sentences and words of a first file of capabilities in Portuguese."""

from perturbations.languages.starters import StarterWords

WORDS = StarterWords(
    {
        "person": ("Eles viram {x} no ano passado .", "Uma carta de {x} chegou hoje ."),
        "place": ("Eles se mudaram para {x} no ano passado .", "Chove muito em {x} ."),
        "organisation": ("Eles trabalham para {x} .", "{x} contratou dez pessoas ."),
        "": ("Eles escreveram sobre {x} .", "O texto também fala de {x} ."),
    },
    (", para ser sincero", ", como todos sabem", ", aliás"),
    {
        "NOUN": ("Eles têm {x} .", ("casas", "livros", "rios", "professores")),
        "VERB": ("Eles vão {x} amanhã .", ("sair", "escrever", "dormir", "pagar")),
        "ADJ": ("A casa é muito {x} .", ("antiga", "bonita", "verde", "grande")),
    },
    (
        "Qual cidade é a capital de {country}?",
        "country",
        "city",
        (("Portugal", "Lisboa"), ("Angola", "Luanda"), ("Cuba", "Havana"), ("Moçambique", "Maputo")),
    ),
    (
        "O filme é {x}.",
        {"negative": ("ruim", "chato", "horrível"), "positive": ("bom", "emocionante", "excelente")},
    ),
    (
        "O {x} está dormindo em casa.",
        "O {x} está dormindo.",
        "O {x} não está dormindo.",
        ("médico", "menino", "cachorro"),
    ),
    (
        "O {thing} estava {x}.",
        {"negative": ("ruim", "horrível", "péssimo"), "positive": ("bom", "ótimo", "excelente")},
        ("prato", "atendimento", "vinho"),
    ),
)
