"""Sheets on which people rate how grammatical sentences are, blind to what an attack changed; and what they found.

After the human evaluation of Dirkson et al., Breaking BERT, 2021, 4.3 and 5.4.
"""
