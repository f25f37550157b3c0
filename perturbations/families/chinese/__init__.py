"""Perturbations of simplified Chinese, whether tokens are words or single characters.

What would need a model is not here: back-translation, masked-language-model suggestions, neighbours in a vector space
[TextFlint, catalogue names "BackTrans", "MLMSuggestion", "CnSwapSynWordEmbedding"].
"""
