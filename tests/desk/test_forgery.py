"""Whoever is not a player learns nothing and changes nothing, whatever they write and however often."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import LetterState
from tests.desk.letter.test_sender import TestStrictGames, game_of, tag_address
from tests.desk.world import ADDRESS, World, address_of, body_of, message_of

LETTERS = {
    "unknown player": {"to": ADDRESS},
    "unknown game": {"to": tag_address(99, 1)},
    "unknown seat": {"to": tag_address(1, 99)},
    "wrong token": {"to": tag_address(1, 1, key=b"x" * 32)},
    "empty seat": {"to": tag_address(1, 3)},
    "token of a seat": {"to": tag_address(1, 1)},
    "a game by name": {"to": ADDRESS, "subject": "[pbmd galaxy-7 t1]"},
    "no game by name": {"to": ADDRESS, "subject": "[pbmd galaxy-9 t1]"},
    "a code": {"to": ADDRESS, "subject": "[pbmd galaxy-7 t1] (c1.aaaaaaaaaaaaaaaa)", "text": "YES"},
}


def got(world, sender, letter):
    """What a sender gets for a letter."""
    before = len(world.outbox())
    world.arrive(world.letter("", **({"text": "Add 3\nSTATUS\nRESIGN"} | letter), sender=sender))
    process_letters(world.desk)
    mails = [mail for mail in world.outbox()[before:] if mail.recipient == sender]
    return [(mail.kind, message_of(mail)["Subject"], body_of(mail)) for mail in mails]


@pytest.mark.parametrize("hints", [False, True])
def test_a_stranger_gets_the_same_whatever_is_shown(world, hints):
    world.settle(mail={"hint_strangers": hints})
    world.count()
    world.resign("Cygnus")
    answers = {name: got(world, f"stranger{n}@evil.test", letter) for n, (name, letter) in enumerate(LETTERS.items())}
    assert all(each == answers["unknown player"] for each in answers.values()), answers
    assert [kind for kind, _, _ in answers["unknown player"]] == (["hint"] if hints else [])


@pytest.mark.parametrize("text", ["JOIN galaxy-7 AS Zeta", "JOIN galaxy-7 AS Altair", "JOIN galaxy-7", "JOIN over AS Zeta"])
def test_a_sign_up_tells_a_stranger_nothing_of_the_games_under_way(world, text):
    world.count()
    world.open("nebula-1")
    unknown = got(world, "stranger1@evil.test", {"to": ADDRESS, "text": "JOIN galaxy-9 AS Zeta"})
    assert [kind for kind, _, _ in unknown] == ["refusal"]
    assert got(world, "stranger2@evil.test", {"to": ADDRESS, "text": text}) == unknown


def test_who_has_resigned_is_a_stranger(world):
    world.settle(mail={"hint_strangers": True})
    world.count()
    world.resign("Cygnus")
    assert got(world, address_of("Cygnus"), {"to": ADDRESS}) == got(world, "stranger@evil.test", {"to": ADDRESS})


def test_an_address_gets_one_hint_a_week(world):
    world.settle(mail={"hint_strangers": True})
    world.count()
    counts = []
    for _ in range(3):
        counts.append(len(got(world, "stranger@evil.test", {"to": ADDRESS})))
        world.now += timedelta(days=4)
    assert counts == [1, 0, 1]


def test_who_holds_a_seat_or_writes_by_machine_gets_no_hint(world):
    world.settle(mail={"hint_strangers": True})
    world.count()
    assert [kind for kind, _, _ in got(world, address_of("Altair"), {"to": ADDRESS})] == ["question"]
    assert got(world, "robot@evil.test", {"to": ADDRESS, "headers": {"Auto-Submitted": "auto-generated"}}) == []


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """A strict game under way, with orders of one player on file."""
    world = World(tmp_path_factory.mktemp("forgery"))
    # Else the questions of a day are used up by the first few forgeries, and the rest try nothing.
    world.settle(mail={"authserv_id": "mx.pbmd.test"}, limits={"confirmations_per_day": 10_000})
    world.count(trust="strict", deadline="9000h")
    world.send("Borealis", "Add 2", headers={"Authentication-Results": TestStrictGames.GOOD})
    assert world.sheet("Borealis") == ["Add 2"]
    yield world
    world.close()


PASS = "mx.pbmd.test; dmarc=pass header.from=players.test; dkim=pass header.d=players.test"
TAGS = {
    "right": tag_address(1, 1),
    "wrong": tag_address(1, 1, key=b"x" * 32),
    "old": tag_address(1, 1, generation=0),
    "none": ADDRESS,
    "another seat's": tag_address(1, 3),
}
RESULTS = {
    "none": (),
    "in a comment": (f"evil.test ({PASS}); none",),
    "in a reason": (f'mx.pbmd.test; dkim=fail reason="; {PASS}" header.d=evil.test',),
    "second": ("mx.pbmd.test; none", PASS),
    "of another server": (PASS.replace("mx.pbmd.test", "mx.evil.test"),),
    "for another domain": ("mx.pbmd.test; dmarc=pass header.from=evil.test; dkim=pass header.d=evil.test",),
    "in the body": (),
}
LINES = (
    "Add 9", "RESIGN", "CANCEL ORDERS", "ADDRESS mallory@evil.test", "NEW TOKEN", "WAIT",
    "YES", "PRESS TO ALL", "END PRESS", "EXTEND 24h", "STATUS", "ORDERS", "#end",
    "JOIN galaxy-7 AS Mallory", "JOIN galaxy-9 AS Mallory",
)  # fmt: skip


@settings(max_examples=50, deadline=None)
@given(
    senders=st.sampled_from(
        [("altair@players.test",), ("mallory@evil.test",), ("mallory@evil.test", "altair@players.test"),
         ("altair@players.test, mallory@evil.test",), ("altair@players.test", "altair@players.test")]
    ),
    tag=st.sampled_from(sorted(TAGS)),
    results=st.sampled_from(sorted(RESULTS)),
    text=st.lists(st.sampled_from(LINES), min_size=1, max_size=6),
    minutes=st.integers(0, 600),
)  # fmt: skip
def test_a_forged_letter_changes_nothing_of_the_game(stage, senders, tag, results, text, minutes):
    stage.now += timedelta(minutes=minutes)
    body = [f"Authentication-Results: {PASS}", "", *text] if results == "in the body" else text
    raw = stage.letter("Altair", "\n".join(body), to=TAGS[tag])
    forged = [f"Authentication-Results: {value}" for value in RESULTS[results]] + [f"From: {sender}" for sender in senders]
    raw = raw.replace(b"From: altair@players.test", "\r\n".join(forged).encode())
    before, mails = (game_of(stage), stage.position()), len(stage.outbox())
    stage.arrive(raw)
    process_letters(stage.desk)
    assert (game_of(stage), stage.position()) == before
    assert stage.letters()[-1].state in (LetterState.HELD, LetterState.DONE)
    holders = {("question", address_of(seat)) for seat in ("Altair", "Cygnus")}
    # Who asks for what needs no seat is told what anybody is, whoever they are said to be.
    sent = [mail for mail in stage.outbox()[mails:] if mail.kind not in ("visit", "refusal")]
    assert {(mail.kind, mail.recipient) for mail in sent} <= holders
