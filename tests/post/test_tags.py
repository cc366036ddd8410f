"""Seat tags: written into what we send, found again in whatever comes back, and of no use to anybody else."""

from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.post.read.letter import Letter, read_letter
from pbmd.post.tags import (
    Tag,
    bounce_address,
    bounced_nonces,
    make_token,
    message_id,
    plus_address,
    ranked_tags,
    read_tag,
    token_matches,
    write_tag,
)

KEY = b"k" * 32
TAG = Tag(12, 3, make_token(KEY, 12, 3, 0))
GM = "gm@pbmd.test"


def tags_of(letter, mailbox_address):
    """The tags a letter shows, each once, those first that say most about what it is for."""
    return tuple(dict.fromkeys(tag for rank in ranked_tags(letter, mailbox_address) for tag in rank))


seats = st.builds(
    Tag, st.integers(0, 10**6), st.integers(0, 10**4), st.text("abcdefghijklmnopqrstuvwxyz234567", min_size=16, max_size=16)
)


def test_a_token_is_80_bits_in_lower_case_base32_and_always_the_same():
    token = make_token(KEY, 12, 3, 0)
    assert len(token) == 16
    assert set(token) <= set("abcdefghijklmnopqrstuvwxyz234567")
    assert token == make_token(KEY, 12, 3, 0)


def test_every_game_seat_generation_and_key_has_another_token():
    tokens = {make_token(key, game, seat, generation) for key in (KEY, b"other") for game in (1, 11) for seat in (1, 11)
              for generation in (0, 1)}  # fmt: skip
    assert len(tokens) == 16


@given(seats)
def test_a_tag_reads_back_also_in_capitals(tag):
    assert read_tag(write_tag(tag)) == tag
    assert read_tag(write_tag(tag).upper()) == tag


@pytest.mark.parametrize(
    "text",
    [
        *("", "g1p2", "g1p2.short", "g1p2.aaaaaaaaaaaaaaaaa", "gp.aaaaaaaaaaaaaaaa", "g1p2.aaaaaaaaaaaaaaa1"),
        *("g١p2.aaaaaaaaaaaaaaaa", "xg1p2.aaaaaaaaaaaaaaaa", "g1p2.aaaaaaaaaaaaaaaſ"),
    ],
)
def test_what_is_no_tag_is_none(text):
    assert read_tag(text) is None


@given(seats)
def test_a_tag_is_found_in_the_address_in_the_message_id_and_in_the_form(tag):
    for letter in (
        Letter(recipients=(plus_address(GM, tag),)),
        Letter(references=("<x@example.org>", message_id("report", tag, "n0nce", "pbmd.test"))),
        Letter(form_tags=(write_tag(tag),)),
    ):
        assert tags_of(letter, GM) == (tag,)


def test_a_gateway_may_change_the_case():
    letter = Letter(
        recipients=(plus_address(GM, TAG).upper(),), references=(message_id("report", TAG, "n", "PBMD.test").upper(),)
    )
    assert tags_of(letter, "GM@pbmd.TEST") == (TAG,)


def test_each_tag_comes_once_and_different_ones_all():
    other = Tag(12, 4, "b" * 16)
    letter = Letter(form_tags=(write_tag(TAG),), recipients=(plus_address(GM, TAG), plus_address(GM, other)))
    assert tags_of(letter, GM) == (TAG, other)


def letter_with(text):
    mail = EmailMessage()
    mail["From"], mail["To"] = "ada@players.test", plus_address(GM, Tag(2, 1, "b" * 16))
    mail["References"] = message_id("report", Tag(3, 1, "c" * 16), "n0nce", "pbmd.test")
    mail.set_content(text)
    return read_letter(mail.as_bytes())


@pytest.mark.parametrize("quote", ["", "> ", "> > "])
def test_a_form_that_is_not_quoted_goes_before_addresses_and_a_quoted_one_behind_all(quote):
    letter = letter_with(f"Add 3\n\n{quote}#orders {write_tag(TAG)}\n{quote}Add 4\n{quote}#end\n")
    addressed = (Tag(2, 1, "b" * 16), Tag(3, 1, "c" * 16))
    assert tags_of(letter, GM) == ((*addressed, TAG) if quote else (TAG, *addressed))


def test_tags_at_other_peoples_addresses_and_domains_are_not_ours():
    letter = Letter(
        recipients=(plus_address("gm@elsewhere.test", TAG), plus_address("xgm@pbmd.test", TAG), "gm@pbmd.test"),
        references=(message_id("report", TAG, "n", "elsewhere.test"), "<report@pbmd.test>", "<>", "<a.b.c.d.e@pbmd.test>"),
    )
    assert tags_of(letter, GM) == ()


def test_a_message_id_without_a_seat_has_kind_and_nonce():
    assert message_id("alarm", None, "n0nce", "pbmd.test") == "<alarm.n0nce@pbmd.test>"
    assert message_id("report", TAG, "n0nce", "pbmd.test") == f"<report.{write_tag(TAG)}.n0nce@pbmd.test>"


def test_the_local_part_stays_within_64_characters():
    longest = Tag(999_999_999, 999_999, "a" * 16)
    assert len(plus_address(GM, longest).partition("@")[0]) <= 64


def test_tokens_match_in_any_case_and_nothing_else_does():
    assert token_matches(TAG.token, TAG.token.upper())
    assert not token_matches(TAG.token, TAG.token[:-1])
    assert not token_matches(TAG.token, "")
    assert not token_matches(TAG.token, "é" * 16)


def test_a_bounce_address_says_which_mail_came_back():
    address = bounce_address("Games@pbmd.test", "abcdefghijklmno2")
    assert address == "Games+b.abcdefghijklmno2@pbmd.test"
    seen = (address.lower(), "games+b.short@pbmd.test", "games+b.abcdefghijklmno2@other.test", "x@pbmd.test")
    assert bounced_nonces(seen, "games@pbmd.test") == ("abcdefghijklmno2",)
