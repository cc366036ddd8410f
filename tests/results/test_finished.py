"""Which games count, for whom, and in which places."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

from sqlalchemy import update
from sqlmodel import Session, col

from pbmd.desk.books.attendance import digest_of_player
from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import Consent, Holder, hand_over
from pbmd.ledger.tables import Game, JournalEntry
from pbmd.results.finished import SeatResult, Steps, finished_games
from tests.desk.world import World, address_of
from tests.results.games import list_as, over, play, players
from tests.rules.count import ruleset as count


def test_without_anybody_listed_nothing_counts(world: World) -> None:
    play(world, "nova-1", Altair="Add 9", Borealis="Add 2")
    assert over(world).games == ()


def test_a_game_has_the_places_of_its_rules_and_names_only_those_who_agreed(world: World) -> None:
    play(world, "nova-1", Altair="Add 9", Borealis="Add 2", Cygnus="Add 4")
    list_as(world, "Cygnus", "Cy", "nova-1")
    [game] = over(world).games
    assert (game.name, game.ruleset, game.title) == ("nova-1", "count", "Count")
    assert game.seats == (
        SeatResult("Altair", 1, won=True, drew=False),
        SeatResult("Cygnus", 2, won=False, drew=False, player="Cy"),
        SeatResult("Borealis", 3, won=False, drew=False),
    )
    assert game.steps == {"Cy": Steps(0, 1)}


def test_all_games_of_an_address_count_once_it_is_listed_and_none_when_it_is_no_more(world: World) -> None:
    play(world, "nova-1", Altair="Add 9", Borealis="Add 2")
    play(world, "nova-2", Altair="Add 1", Borealis="Add 9")
    list_as(world, "Altair", "Al", "nova-2")
    assert [game.name for game in over(world).games] == ["nova-1", "nova-2"]
    assert (players(world)["Al"].places, players(world)["Al"].wins) == ((1, 1, 0, 0), 1)
    world.send("Altair", "DO NOT LIST ME", game="nova-1")
    assert over(world).games == ()


def test_games_that_run_that_were_given_up_or_that_were_taken_back_do_not_count(world: World) -> None:
    play(world, "nova-1", Altair="Add 9", Borealis="Add 2")
    world.count("runs-1", ("Altair", "Borealis"))
    world.count("ended-1", ("Altair", "Borealis"))
    list_as(world, "Altair", "Al", "nova-1")
    world.act("ended-1", abandon)
    assert [game.name for game in over(world).games] == ["nova-1"]
    world.act("nova-1", roll_back, 1)
    assert over(world).games == ()
    for seat, order in (("Altair", "Add 2"), ("Borealis", "Add 9")):
        world.send(seat, order, game="nova-1")
    world.pass_time(timedelta(hours=80))
    [game] = over(world).games
    assert [seat.seat for seat in game.seats] == ["Borealis", "Altair"]
    assert game.steps == {"Al": Steps(0, 1)}, "what was taken back was not played"


def test_places_are_of_whoever_held_the_seat_at_the_end_and_missed_turns_of_whoever_missed_them(world: World) -> None:
    world.count("nova-1", ("Altair", "Borealis"), target=9)
    world.send("Borealis", "Add 4", game="nova-1")
    world.pass_time(timedelta(hours=80))
    list_as(world, "Altair", "Al", "nova-1")
    with world.work() as work:
        table = work.table_named("nova-1")
        assert table is not None
        hand_over(work, table, table.seats[0], "vega@players.test", Consent(1), Holder("Vega", "UTC"))
    world.send("Altair", "Add 9", game="nova-1", sender="vega@players.test")
    world.send("Borealis", "Add 1", game="nova-1")
    world.pass_time(timedelta(hours=80))
    found = players(world)
    assert (found["Al"].games, found["Al"].steps, found["Al"].rating) == (0, Steps(1, 0), None)
    world.send("Altair", "LIST ME AS Vee", game="nova-1", sender="vega@players.test")
    found = players(world)
    assert (found["Vee"].games, found["Vee"].wins, found["Vee"].steps) == (1, 1, Steps(0, 1))
    assert found["Al"].steps == Steps(1, 0)


def test_the_place_of_a_seat_that_a_substitute_has_at_the_end_is_its_players(world: World) -> None:
    world.count("nova-1", target=9)
    for seat, name in (("Cygnus", "Cy"), ("Altair", "Al")):
        list_as(world, seat, name, "nova-1")
    play_for(world, "Cygnus", "dora@players.test")
    world.send("Cygnus", "LIST ME AS Dora", game="nova-1", sender="dora@players.test")
    for seat, sender in (("Altair", None), ("Cygnus", "dora@players.test")):
        world.send(seat, "Add 9" if sender else "Add 1", game="nova-1", sender=sender)
    world.pass_time(timedelta(hours=80))
    found = players(world)
    assert (found["Cy"].games, found["Cy"].wins, found["Cy"].steps) == (1, 1, Steps())
    assert (found["Dora"].games, found["Dora"].wins, found["Dora"].steps) == (0, 0, Steps(0, 1))
    world.send("Altair", "DO NOT LIST ME", game="nova-1")
    world.send("Cygnus", "DO NOT LIST ME", game="nova-1", sender="dora@players.test")
    assert set(players(world)) == {"Cy"}, "though no seat is at their address"


def play_for(world: World, seat: str, address: str) -> None:
    """Somebody has a seat as its player's substitute from today on."""
    world.send(seat, f"SUBSTITUTE {address} FROM 2026-11-20 TO 2026-11-30", game="nova-1")
    asked = [mail for mail in world.outbox() if mail.recipient == address]
    world.reply(asked[-1], "YES")
    assert world.seat(seat).address == address


def test_a_draw_that_players_have_voted_for_counts_and_an_end_without_a_result_does_not(world: World) -> None:
    for name, what in (("nova-1", "DRAW"), ("nova-2", "CANCEL")):
        world.count(name, votes=("draw", "cancel"))
        world.send("Cygnus", "RESIGN", game=name)
        world.reply(world.questions(address_of("Cygnus"))[-1], "YES")
        world.send("Altair", f"PROPOSE {what}", game=name)
        world.send("Borealis", "VOTE YES", game=name)
    list_as(world, "Altair", "Al", "nova-1")
    [game] = over(world).games
    assert game.name == "nova-1"
    assert {(seat.seat, seat.place, seat.drew, seat.won) for seat in game.seats} == {
        ("Altair", 1, True, False),
        ("Borealis", 1, True, False),
        ("Cygnus", 3, False, False),
    }
    assert (players(world)["Al"].draws, players(world)["Al"].wins) == (1, 0)


def test_a_draw_counts_for_those_in_the_first_place_where_nobody_has_won(world: World) -> None:
    play(world, "nova-1", Altair="Add 9", Borealis="Add 9", Cygnus="Add 1")
    for seat, name in (("Altair", "Al"), ("Cygnus", "Cy")):
        list_as(world, seat, name, "nova-1")
    assert [(each.wins, each.draws) for each in players(world).values()] == [(1, 0), (0, 0)]
    with Session(world.desk.engine) as session:
        nobody = '{"reason":"All agreed to a draw.","winners":[]}'
        session.connection().execute(update(JournalEntry).where(col(JournalEntry.kind) == "finished").values(public=nobody))
        session.commit()
    assert [(each.wins, each.draws) for each in players(world).values()] == [(0, 1), (0, 0)]


def test_what_the_rules_give_no_places_does_not_count(world: World) -> None:
    play(world, "nova-1", Altair="Add 9", Borealis="Add 2")
    list_as(world, "Altair", "Al", "nova-1")
    without = replace(count, places=lambda _position: {})
    with world.work() as work:
        assert finished_games(work.session, lambda _slug: without, partial(digest_of_player, world.desk.key)).games == ()


def test_games_come_in_the_order_in_which_they_ended(world: World) -> None:
    world.count("first-1", ("Altair", "Borealis"), target=9)
    play(world, "nova-2", Altair="Add 9", Borealis="Add 2")
    for seat in ("Altair", "Borealis"):
        world.send(seat, "Add 9", game="first-1")
    world.pass_time(timedelta(hours=80))
    list_as(world, "Altair", "Al", "nova-2")
    assert [game.name for game in over(world).games] == ["nova-2", "first-1"]


def test_whoever_held_several_seats_of_a_game_counts_for_the_best(world: World) -> None:
    play(world, "nova-1", Altair="Add 9", Borealis="Add 2", Cygnus="Add 4")
    with world.work() as work:
        table = work.table_named("nova-1")
        assert table is not None
        table.seats[1].address = address_of("Cygnus")
    list_as(world, "Cygnus", "Cy", "nova-1")
    [game] = over(world).games
    assert [seat.player for seat in game.seats] == ["", "Cy", ""]


def test_a_game_that_cannot_be_read_holds_up_no_other(world: World) -> None:
    play(world, "nova-1", Altair="Add 9", Borealis="Add 2")
    play(world, "nova-2", Altair="Add 9", Borealis="Add 2")
    list_as(world, "Altair", "Al", "nova-2")
    with Session(world.desk.engine) as session:
        session.connection().execute(update(Game).where(col(Game.name) == "nova-1").values(position='{"turn": "?"}'))
        session.commit()
    found = over(world)
    assert [game.name for game in found.games] == ["nova-2"]
    [trouble] = found.troubles
    assert trouble.startswith("nova-1: its books are not what pbmd wrote")
