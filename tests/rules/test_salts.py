"""Salts: one for each seat and step, and what the dice are bound to with them."""

import hashlib
import hmac

import pytest

from pbmd.rules import Sheet
from pbmd.rules.salts import SALT_BYTES, digest_of_all, salt_of, salted_digest, salts_of
from pbmd.rules.sheets import bound, digest

SECRET = bytes(range(32))
ALTAIR, BOREALIS = Sheet("Altair", (1_000, 1), ("Add 3",)), Sheet("Borealis", (2_000, 1), ("Add 4", "Add 5"))
SEATS = [(1, "Altair"), (2, "Borealis"), (4, "Cygnus")]
SALTS = salts_of(SECRET, SEATS)


def test_a_salt_is_the_beginning_of_an_hmac_over_the_number_of_the_seat() -> None:
    mac = hmac.digest(SECRET, b"\0\0\0\0\0\0\0\4", hashlib.sha256)
    assert salt_of(SECRET, 4) == mac[:SALT_BYTES]
    assert len({salt for _, salt in SALTS}) == len(SEATS)


def test_salts_are_in_the_order_of_the_seats() -> None:
    assert salts_of(SECRET, reversed(SEATS)) == SALTS == tuple((name, salt_of(SECRET, number)) for number, name in SEATS)


def test_a_step_without_a_secret_has_none() -> None:
    assert salts_of(None, SEATS) == ()
    assert bound([ALTAIR, BOREALIS]) == digest([ALTAIR, BOREALIS])


def test_the_dice_are_bound_to_a_digest_of_salt_and_lines_for_each_seat() -> None:
    told = [b'["Add 3"]', b'["Add 4","Add 5"]', b"null"]
    digests = [hashlib.sha256(salt + lines).hexdigest() for (_, salt), lines in zip(SALTS, told, strict=True)]
    joined = '["{}","{}","{}"]'.format(*digests).encode()
    assert bound([ALTAIR, BOREALIS], SALTS) == hashlib.sha256(joined).digest()


def test_the_order_of_arrival_changes_no_roll() -> None:
    later = Sheet("Altair", (9_000, 1), ALTAIR.lines)
    assert bound([BOREALIS, later], SALTS) == bound([ALTAIR, BOREALIS], SALTS)


@pytest.mark.parametrize(
    ("sheets", "salts"),
    [
        ([ALTAIR], SALTS),
        ([ALTAIR, Sheet("Borealis", BOREALIS.arrival, ())], SALTS),
        ([ALTAIR, Sheet("Borealis", BOREALIS.arrival, ("Add 5", "Add 4"))], SALTS),
        ([ALTAIR, Sheet("Cygnus", BOREALIS.arrival, BOREALIS.lines)], SALTS),
        ([ALTAIR, BOREALIS], SALTS[:2]),
        ([ALTAIR, BOREALIS], SALTS[::-1]),
        ([ALTAIR, BOREALIS], salts_of(SECRET[::-1], SEATS)),
    ],
)
def test_whatever_else_is_another_changes_them(sheets: list[Sheet], salts: list[tuple[str, bytes]]) -> None:
    assert bound(sheets, salts) != bound([ALTAIR, BOREALIS], SALTS)


def test_no_orders_are_not_an_empty_sheet() -> None:
    assert salted_digest(b"salt", None) != salted_digest(b"salt", ())


def test_a_later_step_with_the_same_secrets_is_bound_to_the_one_before_too() -> None:
    first = bound([ALTAIR], SALTS)
    assert bound([BOREALIS], SALTS, first) == hashlib.sha256(first + bound([BOREALIS], SALTS)).digest()


def test_orders_of_a_seat_without_a_salt_are_an_error() -> None:
    with pytest.raises(ValueError, match="no salt for the orders of Deneb"):
        digest_of_all(SALTS, {"Altair": (), "Deneb": ()})
