"""Games that open themselves: when one is full, the next of the same set-up takes sign-ups."""

import json
from datetime import timedelta
from typing import Any

import pytest

from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.changes.openings import standing_games
from pbmd.desk.changes.seats import give_up
from pbmd.desk.letter.lanes import assign_lanes
from pbmd.desk.mailroom import process_letters, process_letters_of
from pbmd.ledger.tables import Game, GameStatus, Seat
from pbmd.rules.protocol import Refused
from tests.desk.world import ADDRESS, BEGIN, World, address_of, body_of, message_of


@pytest.fixture
def offered(world: World) -> World:
    """A game of two that stands, with one seat taken."""
    world.open("galaxy-1", "Altair", seats=2, deadline="48h", options={"target": 40})
    world.act("galaxy-1", standing_games.stand)
    return world


def join(world: World, seat: str, game: str = "galaxy-1") -> None:
    world.send(seat, f"JOIN {game} AS {seat}", to=ADDRESS)
    world.confirm(address_of(seat))


def games(world: World) -> dict[str, tuple[GameStatus, bool]]:
    return {game.name: (game.status, game.standing) for game in world.rows(Game)}


def created(world: World, name: str) -> Any:
    entry = next(entry for entry in world.journal("created") if json.loads(entry.public)["game"] == name)
    return json.loads(entry.public)


def test_the_join_that_fills_a_game_opens_the_next(offered: World) -> None:
    join(offered, "Borealis")
    assert games(offered) == {"galaxy-1": (GameStatus.RUNNING, False), "galaxy-2": (GameStatus.SIGNUP, True)}
    before, after = created(offered, "galaxy-1"), created(offered, "galaxy-2")
    for same in ("ruleset", "options", "terms"):
        assert before[same] == after[same]
    assert before["commitment"] != after["commitment"]


def test_so_it_goes_on(offered: World) -> None:
    join(offered, "Borealis")
    join(offered, "Cygnus", "galaxy-2")
    assert list(games(offered)) == ["galaxy-1", "galaxy-2"]
    join(offered, "Deneb", "galaxy-2")
    assert games(offered)["galaxy-3"] == (GameStatus.SIGNUP, True)
    assert games(offered)["galaxy-2"] == (GameStatus.RUNNING, False)


def test_of_two_who_say_yes_at_once_the_second_is_told_where_to_look(offered: World) -> None:
    for seat in ("Borealis", "Cygnus"):
        offered.send(seat, "JOIN galaxy-1 AS " + seat, to=ADDRESS)
    for mail in [mail for mail in offered.outbox("visit") if mail.key.startswith("question")]:
        header = message_of(mail)
        headers = {"In-Reply-To": mail.message_id}
        offered.arrive(offered.letter("", "YES", sender=mail.recipient, to=header["Reply-To"], headers=headers))
    process_letters(offered.desk)
    assert games(offered) == {"galaxy-1": (GameStatus.RUNNING, False), "galaxy-2": (GameStatus.SIGNUP, True)}
    told = " ".join(body_of(offered.outbox("", "Cygnus")[-1]).split())
    assert "galaxy-1 has begun without you, so you have no seat. LIST names the games that take sign-ups" in told


def test_a_letter_that_is_dealt_with_beside_other_games_is_given_back_for_that(world: World) -> None:
    """To make a game is not for one who has only this one at hand."""
    world.open("galaxy-7", "Altair", "Borealis", seats=3)
    world.act("galaxy-7", standing_games.stand)
    world.act("galaxy-7", send_gm_token, "gm-mail")
    mail = world.outbox("alarm")[-1]
    headers = {"In-Reply-To": mail.message_id}
    world.arrive(world.letter("", "START", sender=mail.recipient, to=message_of(mail)["Reply-To"], headers=headers))
    assign_lanes(world.desk)
    process_letters_of(world.desk, world.game().id or 0)
    assert games(world) == {"galaxy-7": (GameStatus.SIGNUP, True)}
    process_letters(world.desk)
    assert games(world) == {"galaxy-7": (GameStatus.RUNNING, False), "galaxy-8": (GameStatus.SIGNUP, True)}


def test_list_shows_the_one_that_is_open(offered: World) -> None:
    join(offered, "Borealis")
    told = offered.send("Eridanus", "LIST", to=ADDRESS)
    assert "galaxy-2" in told
    assert "galaxy-1" not in told


def test_the_game_master_is_told_by_a_mail_that_masters_the_new_game(offered: World) -> None:
    join(offered, "Borealis")
    told = next(mail for mail in offered.outbox("alarm") if "galaxy-2" in body_of(mail))
    assert "galaxy-1 is full and has begun, so galaxy-2 takes sign-ups now" in " ".join(body_of(told).split())
    says = "when it is full, the next game of the same set-up takes sign-ups (STANDING OFF ends that)"
    assert says in " ".join(offered.master("STATUS", "galaxy-2").replace("|", " ").split())
    assert says not in " ".join(offered.master("STATUS", "galaxy-1").replace("|", " ").split())
    assert "no other game follows it" in offered.master("STANDING OFF", "galaxy-2")
    join(offered, "Cygnus", "galaxy-2")
    join(offered, "Deneb", "galaxy-2")
    assert "galaxy-3" not in games(offered)


def test_a_game_that_the_game_master_begins_has_a_next_one_too(world: World) -> None:
    world.open("galaxy-7", "Altair", "Borealis", seats=3)
    assert "takes sign-ups" in world.master("STANDING ON")
    assert "has begun with 2 players. galaxy-8 takes sign-ups now." in world.master("START")
    assert games(world)["galaxy-8"] == (GameStatus.SIGNUP, True)


def test_of_a_game_that_goes_on_the_game_master_is_told_which_one_stands(offered: World) -> None:
    join(offered, "Borealis")
    assert "galaxy-2 does, so say it of that" in offered.master("STANDING OFF", "galaxy-1")
    assert "takes no sign-ups any more" in offered.master("STANDING ON", "galaxy-1")


def test_names_that_are_another_game_s_are_left_out(offered: World) -> None:
    offered.open("galaxy-2")
    join(offered, "Borealis")
    assert games(offered)["galaxy-3"] == (GameStatus.SIGNUP, True)


def test_a_game_without_a_number_of_seats_is_never_full(world: World) -> None:
    world.open("galaxy-1")
    with pytest.raises(Refused, match="never full"):
        world.act("galaxy-1", standing_games.stand)


def test_what_keeps_the_next_from_being_made_does_not_keep_the_first_from_beginning(world: World) -> None:
    name = "g" * 29
    world.open(f"{name}-9", "Altair", seats=2)
    world.act(f"{name}-9", standing_games.stand)
    join(world, "Borealis", f"{name}-9")
    assert games(world) == {f"{name}-9": (GameStatus.RUNNING, False)}
    assert "the next game could not be made" in " ".join(body_of(world.outbox("alarm")[-1]).split())


@pytest.mark.parametrize(("given", "first"), [("galaxy", "galaxy-1"), ("galaxy-7", "galaxy-7"), ("a-b", "a-b-1")])
def test_the_first_of_them_has_a_number(given: str, first: str) -> None:
    assert standing_games.first_name(given) == first


# How soon they follow each other


ADA, BOB = "ada@players.test", "bob@players.test"


def play(world: World, series: str, number: int, *addresses: str) -> None:
    """These addresses join a game of a series, and confirm it."""
    for address, seat in zip(addresses, ("Altair", "Borealis"), strict=False):
        seek(world, f"{series}-{number}", seat, address)


def seek(world: World, game: str, seat: str, address: str) -> None:
    """An address asks for a seat, and says yes if it is asked whether it means it."""
    before = len(world.outbox("visit"))
    world.send("", f"JOIN {game} AS {seat}", sender=address, to=ADDRESS)
    if any(mail.key.startswith("question") for mail in world.outbox("visit")[before:]):
        world.confirm(address)


def running(world: World) -> list[str]:
    return [name for name, (status, _) in games(world).items() if status is GameStatus.RUNNING]


@pytest.fixture
def series(world: World) -> World:
    """The first game of a series for two, with room for answers to all that is sent."""
    world.settle(limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    world.settle(limits={"strangers_per_hour": 1000, "strangers_per_domain": 1000, "series_games_per_address": 100})
    world.open("count-1", seats=2)
    world.act("count-1", standing_games.stand)
    return world


def friends(number: int) -> tuple[str, str]:
    return f"a{number}@players.test", f"b{number}@players.test"


def test_in_an_hour_only_so_many_open_and_the_next_says_when(series: World) -> None:
    for number in range(1, 8):
        play(series, "count", number, *friends(number))
    assert running(series) == ["count-1", "count-2", "count-3"]
    told = " ".join(series.send("", "JOIN count-4 AS Altair", sender="new@players.test", to=ADDRESS).split())
    assert "count-4 takes sign-ups from Fri 20 Nov 2026 13:00 UTC on" in told
    series.pass_time(timedelta(hours=1))
    play(series, "count", 4, *friends(4))
    assert running(series)[-1] == "count-4"


def test_in_a_day_only_so_many_open(series: World) -> None:
    for number in range(1, 40):
        series.now += timedelta(minutes=25)
        play(series, "count", len(games(series)), *friends(number))
    created_by_then = {line.game for line in series.log("created") if line.at < series.now - timedelta(hours=1)}
    assert series.now - BEGIN < timedelta(hours=17)
    assert len(running(series)) == 10
    assert len(created_by_then) == 11


def test_list_and_the_game_master_s_mail_say_when_the_next_takes_sign_ups(series: World) -> None:
    for number in range(1, 4):
        play(series, "count", number, *friends(number))
    shown = " ".join(series.send("", "LIST", sender="new@players.test", to=ADDRESS).split())
    assert "count-4 takes sign-ups from Fri 20 Nov 2026 13:00 UTC on, as others of its series have just opened" in shown
    assert "JOIN count-4" not in shown
    mails = [" ".join(body_of(mail).split()) for mail in series.outbox("alarm")]
    assert "count-3 is full and has begun, so count-4 takes sign-ups from Fri 20 Nov 2026 13:00 UTC on" in mails[-1]
    assert "sign-ups from Fri 20 Nov" in " ".join(series.master("STATUS", "count-4").split())
    assert "count-3 is full; it takes sign-ups from" in series.log("standing")[-1].detail


def test_who_was_asked_before_may_not_come_in_earlier(series: World) -> None:
    """An answer to a question counts when it comes."""
    series.settle(limits={"series_openings_per_hour": 1})
    play(series, "count", 1, *friends(1))
    told = series.send("", "JOIN count-2 AS Altair", sender=ADA, to=ADDRESS)
    assert "takes sign-ups from" in told
    assert not [mail for mail in series.outbox("visit") if mail.recipient == ADA]


def test_another_series_opens_beside_it(series: World) -> None:
    for number in range(1, 4):
        play(series, "count", number, *friends(number))
    series.open("relay-1", seats=2)
    series.act("relay-1", standing_games.stand)
    play(series, "relay", 1, *friends(9))
    assert series.game("relay-2").opens_at is None


def test_an_address_plays_in_few_games_of_a_series_at_once(series: World) -> None:
    series.settle(limits={"series_games_per_address": 2, "series_openings_per_hour": 100, "series_openings_per_day": 100})
    play(series, "count", 1, ADA, BOB)
    play(series, "count", 2, ADA, BOB)
    play(series, "count", 3, ADA, BOB)
    assert running(series) == ["count-1", "count-2"]
    told = " ".join(body_of([mail for mail in series.mails() if mail.recipient == ADA][-1]).split())
    assert "You have no seat: you play in count-1 and count-2, and in 2 games of a series at once at most" in told
    assert "RESIGN" in told


def test_who_may_not_join_is_told_once_and_so_is_the_game_master(series: World) -> None:
    series.settle(limits={"series_games_per_address": 1})
    play(series, "count", 1, ADA, BOB)
    before = len(series.mails())
    for minute in range(30):
        series.now += timedelta(minutes=1)
        for address, seat in ((ADA, "Altair"), (BOB, "Borealis")):
            series.send("", f"JOIN count-2 AS {seat} {'abcdefghij'[minute % 10]}", sender=address, to=ADDRESS)
    told = series.mails()[before:]
    assert sorted(mail.recipient for mail in told) == [ADA, BOB, "gm@pbmd.test"]
    assert "Altair of count-1" in " ".join(body_of(told[0]).split())
    assert sum("address plays in 1 game of the series" in line.detail for line in series.log("standing")) == 1


def test_a_seat_given_up_makes_room_for_another_game(series: World) -> None:
    series.settle(limits={"series_games_per_address": 1})
    play(series, "count", 1, ADA, BOB)
    series.act("count-1", lambda work, table: give_up(work, table, table.seat("Altair")))
    play(series, "count", 2, ADA)
    assert [seat.address for seat in series.rows(Seat) if seat.game_id == series.game("count-2").id] == [ADA]


def test_two_strangers_cannot_open_games_without_end(world: World) -> None:
    world.open("count-1", seats=2)
    world.act("count-1", standing_games.stand)
    for number in range(1, 61):
        for address, seat in ((ADA, "Altair"), (BOB, "Borealis")):
            world.now += timedelta(seconds=20)
            seek(world, f"count-{number}", seat, address)
    assert len(running(world)) <= 3
    assert len(world.outbox("alarm")) <= 4
