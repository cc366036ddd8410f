"""Games that open themselves: when one is full, the next of the same set-up takes sign-ups."""

import json
from typing import Any

import pytest

from pbmd.desk.acts import standing
from pbmd.desk.acts.gm import send_gm_token
from pbmd.desk.letters.lanes import assign_lanes
from pbmd.desk.mailroom import process_letters, process_letters_of
from pbmd.ledger.tables import Game, GameStatus
from pbmd.rules.protocol import Refused
from tests.desk.world import ADDRESS, World, address_of, body_of, message_of


@pytest.fixture
def offered(world: World) -> World:
    """A game of two that stands, with one seat taken."""
    world.open("galaxy-1", "Altair", seats=2, deadline="48h", options={"target": 40})
    world.act("galaxy-1", standing.stand)
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
    world.act("galaxy-7", standing.stand)
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
        world.act("galaxy-1", standing.stand)


def test_what_keeps_the_next_from_being_made_does_not_keep_the_first_from_beginning(world: World) -> None:
    name = "g" * 29
    world.open(f"{name}-9", "Altair", seats=2)
    world.act(f"{name}-9", standing.stand)
    join(world, "Borealis", f"{name}-9")
    assert games(world) == {f"{name}-9": (GameStatus.RUNNING, False)}
    assert "the next game could not be made" in " ".join(body_of(world.outbox("alarm")[-1]).split())


@pytest.mark.parametrize(("given", "first"), [("galaxy", "galaxy-1"), ("galaxy-7", "galaxy-7"), ("a-b", "a-b-1")])
def test_the_first_of_them_has_a_number(given: str, first: str) -> None:
    assert standing.first_name(given) == first
