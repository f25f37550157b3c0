"""Blind rating sheets for people, and their results [Dirkson et al., Breaking BERT, 2021, 4.3 and 5.4]."""
