"""A game by mail at a desk: a convoy, a retreat, builds sent ahead, an absence, previews, and a draw at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import new_game
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.desk.step.game_transaction import changing_games
from pbmd.pages.state import games
from pbmd.rules import Signup
from pbmd.terms.terms import Terms
from tests.desk.world import World, address_of, body_of, message_of
from tests.rulesets.diplomacy.harness import POWERS

GAME = "europe"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk at which seven powers play, in spring 1901."""
    world = World(tmp_path)
    begin(world, POWERS, Terms(reminders=(), second_thought="0m", who_has_sent="nothing"))
    yield world
    world.close()


def begin(world: World, powers: Iterable[str], terms: Terms) -> None:
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, "diplomacy", terms, {})
        for power in powers:
            verdicts = new_game.add_seat(work, table, Signup(power[:3]), new_game.Newcomer(address_of(power), power))
            assert not any(verdict.message for verdict in verdicts)
        new_game.start_game(work, table)


def send(world: World, power: str, text: str) -> str:
    world.now += timedelta(minutes=1)
    return world.send(power, text, game=GAME)


def report(world: World, power: str) -> str:
    return body_of(world.outbox("report", power)[-1])


def units(world: World, power: str) -> list[str]:
    return next(row["units"] for row in world.position(GAME)["powers"] if row["name"] == power)


def phase(world: World) -> str:
    return world.position(GAME)["phase"]


def all_send(world: World, **letters: str) -> None:
    """Letters of all who are named; the others hold, in a word."""
    for power in POWERS:
        send(world, power, letters.get(power, "ORDERS\n"))
    world.pass_time(timedelta(hours=2))


@pytest.mark.rule("DI-01", "DI-02", "DI-06", "DI-41", "DI-93", "DI-99", "DI-83")
def test_a_game_of_a_year(world: World) -> None:
    answer = send(world, "England", "F Lon-Nth, F Edi - Nwg\nArmy Liverpool to Yorckshire")
    assert '"Yorckshire" is taken for Yorkshire' in " ".join(answer.split())
    send(world, "England", "PREVIEW\nF Lon - Nth\nAS France\nF Bre - Eng\nEND PREVIEW")
    assert "France   F BRE - ENG            moved" in body_of(world.outbox("preview", "England")[-1])
    all_send(
        world,
        England="F Lon-Nth, F Edi - Nwg\nArmy Liverpool to Yorkshire",
        Austria="A Vie - Tyr\nF Tri - Ven",
        Germany="A Mun - Tyr",
        Italy="A Ven H",
    )
    assert phase(world) == "autumn moves"
    assert "A VIE - TYR            bounced with A MUN (Germany)" in report(world, "Italy")

    # Autumn: a convoy, an attack that dislodges, and orders ahead.
    all_send(
        world,
        England="A Yor-Nth-Nwy\nNorth Sea convoys Yor - Nwy\nBuilds:\nF Lon",
        Italy="A Ven - Tri\nA Rom - Apu",
        Austria="F Tri H\nA Vie H",
        Turkey="DRAW\nall hold",
    )
    assert "A NWY" in units(world, "England")
    assert "bounced: F TRI (Austria) stayed" in report(world, "Italy")
    # In winter England alone had something to build, and had said so.
    assert (phase(world), world.position(GAME)["turn"]) == ("spring moves", 2)
    assert "F LON" in units(world, "England")
    assert "England built F LON." in report(world, "Russia")
    assert "vote" not in report(world, "Russia").lower()

    # An absence: the deadline passes for one.
    for power in POWERS[:-1]:
        send(world, power, "PASS")
    # A vote alone is no order.
    answer = " ".join(send(world, "Turkey", "DRAW").split())
    assert "Turkey: your mail is in; your orders for spring 1902 are still missing." in answer
    assert world.pass_time(timedelta(hours=2)) == 0
    send(world, "Turkey", "CANCEL ORDERS")
    world.pass_time(timedelta(days=30))
    assert phase(world) == "autumn moves"
    assert "Turkey sent no orders." in report(world, "Austria")
    all_send(world, **dict.fromkeys(POWERS, "all hold\nDRAW"))
    assert phase(world) == "over"
    assert "All have agreed to a draw of" in report(world, "Turkey")


@pytest.mark.rule("DI-85", "DI-86")
def test_a_vote_alone_shows_nobody_that_it_was_sent(tmp_path: Path) -> None:
    """Who is awaited and has sent something can have sent a vote only."""
    with closing(World(tmp_path)) as world:
        begin(world, ("England", "France"), Terms(reminders=(), second_thought="0m", who_has_sent="names"))
        assert "Nobody has sent orders yet." in send(world, "England", "DRAW")
        status = send(world, "France", "STATUS")
        send(world, "France", "PASS")
        with Transaction(world.desk, reads=True) as work:
            row = next(row for row in games(work.session, dashboard_source(world.desk)) if row.name == GAME)
    assert "0 of 2" in status
    assert (row.sent, row.of, [seat.name for seat in row.seats if seat.sent]) == (1, 2, ["France"])


@pytest.mark.rule("DI-60", "DI-61", "DI-03")
def test_a_retreat_is_asked_of_those_only_who_are_dislodged(world: World) -> None:
    all_send(world, Italy="A Ven - Tyr\nA Rom - Ven", Germany="A Mun - Boh")
    all_send(world, Italy="A Tyr - Vie", Germany="A Boh S A Tyr - Vie")
    assert phase(world) == "autumn retreats"
    assert "Austria: A VIE, dislodged by an attack from TYR, to GAL" in " ".join(report(world, "Russia").split())
    assert "You have nothing to do in autumn 1901 retreats." in report(world, "Russia")
    assert "# A VIE R GAL" in report(world, "Austria")
    answer = send(world, "Austria", "A Vie - Tyr")
    assert "A VIE can retreat to GAL only. For example: A VIE R GAL" in " ".join(answer.split())
    send(world, "Austria", "A Vie - Gal")
    world.pass_time(timedelta(hours=2))
    assert "A GAL" in units(world, "Austria")
    assert phase(world) == "winter"


def test_the_subject_of_a_report_tells_for_which_phase_a_reply_is(world: World) -> None:
    """Where a mail program keeps no references: what began with the report of spring is autumn."""
    all_send(world)
    assert phase(world) == "autumn moves"
    subject = str(message_of(world.outbox("report", "Austria")[-1])["Subject"])
    assert subject.startswith("[pbmd europe t1] Spring 1901: what happened; orders by ")
    world.now += timedelta(minutes=1)
    taken = world.send("Austria", "A Vie - Boh", game=GAME, subject=f"Re: {subject}")
    assert "Austria: your orders for autumn 1901 are in." in " ".join(taken.split())
    all_send(world)
    assert phase(world) == "spring moves"
    late = world.send("Austria", "A Vie - Gal", game=GAME, subject=f"Re: {subject}")
    assert "your orders for autumn 1901 came too late" in late
