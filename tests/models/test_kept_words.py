"""Words that a translation may have to repeat."""

from abalo.models.translators.kept_words import is_kept
from tests.rows import every


@every(
    ("word", "kept"),
    [
        ("12", True),
        ("@ana", True),
        ("@", False),  # a sign alone names nobody
        ("https://example.org", True),
        ("www.example.org", True),
        ("house", False),
    ],
)
def test_numbers_handles_and_links_are_kept_and_other_words_are_not(word, kept):
    assert is_kept(word) is kept
