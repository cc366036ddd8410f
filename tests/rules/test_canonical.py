"""Canonical JSON, by the examples of RFC 8785."""

import json

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules import canonical_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_keys_are_sorted_and_blanks_left_out():
    assert canonical_json({"b": [1, True, None], "a": "x y"}) == b'{"a":"x y","b":[1,true,null]}'


def test_keys_are_sorted_by_utf_16_units():  # RFC 8785, section 3.2.3
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    ordered = list(json.loads(canonical_json(dict.fromkeys(keys, 0))))
    assert ordered == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


@pytest.mark.parametrize(
    ("number", "text"), [(1e30, b"1e+30"), (4.50, b"4.5"), (2e-3, b"0.002"), (1e-27, b"1e-27"), (2.0, b"2")]
)
def test_numbers_are_written_as_ecmascript_does(number, text):  # RFC 8785, section 3.2.2
    assert canonical_json(number) == text


@pytest.mark.parametrize("value", [float("nan"), 2**60, {1: 2}, object()])
def test_what_json_cannot_hold_exactly_is_refused(value):
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical_json(value)


@given(VALUES)
def test_reading_it_back_gives_the_same_value(value):
    assert json.loads(canonical_json(value)) == value


@given(VALUES)
def test_every_value_is_written_as_the_reference_library_does(value):
    assert canonical_json(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    "value", [2**53 - 1, -(2**53) + 1, '\x00\x1f\x7f\b\t\n\f\r"\\/', {"\ufb33": 1, "\U0001f600": 2}, (1, ("x",))]
)
def test_so_are_the_cases_at_the_border(value):
    assert canonical_json(value) == rfc8785.dumps(value)


@pytest.mark.parametrize("value", ["\ud800", {"key": ["\udfff"]}, [2**53], -(2**53)])
def test_what_the_reference_library_refuses_is_refused(value):
    with pytest.raises(rfc8785.CanonicalizationError):
        canonical_json(value)
