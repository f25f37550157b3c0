"""Calls and tokens a minute, and what tokens cost."""

import pytest

from abalo.core.records.rates import MinuteRate, Price, used_in_words
from abalo.errors import AbaloError
from tests.rows import every


@every(
    ("text", "calls", "tokens"),
    [("600c", 600, None), ("90000t", None, 90_000), ("600c,90000t", 600, 90_000), ("1t,2c", 2, 1)],
)
def test_a_rate_has_calls_tokens_or_both(text, calls, tokens):
    assert MinuteRate.read(text) == MinuteRate(calls, tokens)


@every("text", ["", "600", "0c", "-1c", "600c,", "600c,700c", "6e2c", "1.5c", "600 c", "600c;9t", "c", "٣c"])
def test_other_rates_are_refused(text):
    with pytest.raises(AbaloError, match="expected calls a minute, such as 600c"):
        MinuteRate.read(text)


@every(("text", "cost"), [("0.15,0.6", 990), ("1,2", 4_600), ("0,0", 0), ("0.0001,0", 1)])
def test_a_price_is_that_of_a_million_tokens(text, cost):
    assert Price.read(text).millionths(2_600, 1_000) == cost


@every("text", ["", "1", "1,2,3", "-1,2", "a,b", "1;2", "1,", "nan,1", "inf,1", "1e3,1"])
def test_other_prices_are_refused(text):
    with pytest.raises(AbaloError, match="expected the price of a million tokens"):
        Price.read(text)


def test_what_was_used_is_told_if_it_is_known():
    assert used_in_words({"made": 3}) == []
    assert used_in_words({"input_tokens": 1_200, "output_tokens": 300}) == ["1,200 of 1,500 tokens in prompts"]
    assert used_in_words({"input_tokens": 1, "output_tokens": 0, "cost": 1_239_999})[1] == "cost 1.24"
