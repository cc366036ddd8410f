"""Dice: HMAC streams, scripts and records."""

import hashlib
import hmac
from collections import Counter

import pytest

from pbmd.rules import DiceError, HmacDice, RecordedDice, ScriptedDice, commitment
from pbmd.rules import dice as dice_module

SECRET = bytes.fromhex("00112233445566778899aabbccddeeff")
CONTEXT = hashlib.sha256(b"the sheets in force").digest()
FIRST_D90 = [63, 31, 81, 81, 77, 76]


def words(count):
    """The first 64-bit numbers of the stream, made with the standard library alone."""
    for counter in range(count):
        message = CONTEXT + counter.to_bytes(8, "big")
        yield int(hmac.new(SECRET, message, hashlib.sha256).hexdigest()[:16], 16)


def test_rolls_are_the_hmac_stream_reduced_to_the_sides_asked_for():
    dice = HmacDice(SECRET, CONTEXT)
    sides = [90, 6, 2, 10, 1, 90, 20, 100]
    assert [dice.roll(side) for side in sides] == [word % side + 1 for word, side in zip(words(8), sides, strict=True)]


def test_published_rolls_stay_what_they_are():
    # Anybody can recompute these from the secret and the context above; a change would falsify every game ever played.
    dice = HmacDice(SECRET, CONTEXT)
    assert [dice.roll(90) for _ in range(6)] == [word % 90 + 1 for word in words(6)] == FIRST_D90


def test_another_secret_or_other_sheets_give_other_rolls():
    def first(secret, context):
        dice = HmacDice(secret, context)
        return [dice.roll(1000) for _ in range(8)]

    rolls = first(SECRET, CONTEXT)
    assert rolls == first(SECRET, CONTEXT)
    assert rolls != first(SECRET + b"\0\1", CONTEXT)
    assert rolls != first(SECRET, CONTEXT + b"\0")


def test_numbers_in_the_incomplete_last_run_are_thrown_away(monkeypatch):
    # With numbers of one byte there are 256: for a d100 those from 200 on would favour the faces 1 to 56.
    monkeypatch.setattr(dice_module, "_WORD_BYTES", 1)
    monkeypatch.setattr(dice_module, "_WORDS", 256)
    stream = iter([255, 200, 199, 0, 230, 99])
    monkeypatch.setattr(dice_module.hmac, "digest", lambda *_: bytes([next(stream)]) + bytes(31))
    dice = HmacDice(SECRET, CONTEXT)
    assert [dice.roll(100) for _ in range(3)] == [100, 1, 100]


def test_every_face_is_hit_by_equally_many_numbers(monkeypatch):
    monkeypatch.setattr(dice_module, "_WORD_BYTES", 1)
    monkeypatch.setattr(dice_module, "_WORDS", 256)
    stream = iter(range(256))
    monkeypatch.setattr(dice_module.hmac, "digest", lambda *_: bytes([next(stream)]) + bytes(31))
    dice = HmacDice(SECRET, CONTEXT)
    faces = Counter(dice.roll(100) for _ in range(200))
    assert set(faces) == set(range(1, 101))
    assert set(faces.values()) == {2}


def test_a_roll_is_from_one_to_sides():
    dice = HmacDice(SECRET, CONTEXT)
    for sides in (1, 2, 3, 6, 90, 2**63 + 1):
        assert all(1 <= dice.roll(sides) <= sides for _ in range(50))


def test_drawn_tells_sides_and_rolls_in_order():
    dice = ScriptedDice([7, 3, 10])
    dice.roll(8), dice.roll(6), dice.roll(10)
    assert dice.drawn == ((8, 7), (6, 3), (10, 10))


@pytest.mark.parametrize("dice", [HmacDice(SECRET, CONTEXT), ScriptedDice([1]), RecordedDice([(1, 1)])])
def test_a_die_without_sides_is_an_error_and_draws_nothing(dice):
    with pytest.raises(ValueError, match="at least one side, not 0"):
        dice.roll(0)
    assert dice.drawn == ()


def test_a_script_that_is_too_short_says_which_roll_is_missing():
    dice = ScriptedDice([4])
    dice.roll(6)
    with pytest.raises(DiceError, match=r"roll 2 \(a d90\) was needed, but the dice script has only 1"):
        dice.roll(90)


@pytest.mark.parametrize("value", [0, 7, -1])
def test_a_scripted_roll_must_be_on_the_die(value):
    with pytest.raises(DiceError, match=f"roll 1 of the dice script is {value}, but a d6 was needed"):
        ScriptedDice([value]).roll(6)


def test_a_script_knows_what_was_not_used():
    dice = ScriptedDice([1, 2, 3])
    dice.roll(6)
    assert dice.unused == (2, 3)


def test_a_record_of_any_dice_repeats_them():
    played = HmacDice(SECRET, CONTEXT)
    rolls = [played.roll(sides) for sides in (6, 90, 10)]
    again = RecordedDice(played.drawn)
    assert [again.roll(sides) for sides in (6, 90, 10)] == rolls


def test_a_record_insists_on_the_same_dice():
    with pytest.raises(DiceError, match="roll 1: a d8 was asked for, but a d6 was recorded"):
        RecordedDice([(6, 2)]).roll(8)


def test_a_record_that_ends_early_says_so():
    with pytest.raises(DiceError, match=r"roll 1 .* only 0 were recorded"):
        RecordedDice([]).roll(6)


def test_the_commitment_is_the_hash_of_the_secret():
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()
