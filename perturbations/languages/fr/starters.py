"""Sentences and words of a first file of capabilities in French."""

from perturbations.languages.starters import StarterWords

WORDS = StarterWords(
    {
        "person": ("Ils ont rencontré {x} l' année dernière .", "Une lettre de {x} est arrivée ."),
        "place": ("Ils parlent souvent de {x} .", "Le train passe par {x} ."),
        "organisation": ("Ils travaillent pour {x} .", "{x} a engagé dix personnes ."),
        "": ("Ils ont écrit sur {x} .", "Le texte parle aussi de {x} ."),
    },
    (", pour être franc", ", comme chacun sait", ", bien sûr"),
    {
        "NOUN": ("Le {x} est là .", ("chien", "livre", "jardin", "professeur")),
        "VERB": ("Ils vont {x} demain .", ("partir", "dormir", "payer", "chanter")),
        "ADJ": ("La maison est très {x} .", ("petite", "belle", "verte", "grande")),
    },
    (
        "Quelle ville est la capitale de {country} ?",
        "country",
        "city",
        (("Cuba", "La Havane"), ("Malte", "La Valette"), ("Chypre", "Nicosie"), ("Bahreïn", "Manama")),
    ),
    (
        "Le film est {x}.",
        {"negative": ("mauvais", "ennuyeux", "horrible"), "positive": ("bon", "passionnant", "excellent")},
    ),
    ("Le {x} dort dans la maison.", "Le {x} dort.", "Le {x} ne dort pas.", ("médecin", "garçon", "chien")),
    (
        "Le {thing} était {x}.",
        {"negative": ("mauvais", "horrible", "décevant"), "positive": ("bon", "excellent", "parfait")},
        ("repas", "service", "vin"),
    ),
    names={
        "person": ("Claire Fontaine", "Luc Morel", "Amina Diallo"),
        "place": ("Namur", "Dakar", "Lausanne"),
        "organisation": ("Velmont", "Arcadel", "Nortia"),
    },
)
