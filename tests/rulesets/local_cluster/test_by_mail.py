"""A game by mail: a held move, a treaty, skips, a conversion, each of which everybody hears of at once and once."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import rulesets.local_cluster as package
from pbmd.desk.changes import new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.rules import Line, Signup
from pbmd.terms.terms import Terms
from tests.desk.world import World, address_of, body_of

GAME = "galaxy-7"
HOMES = {"Terrans": "Aquila", "Zorg": "Garnet", "Qix": "Quill"}
HOUR = timedelta(hours=1)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk with Terrans, Zorg and Qix in Turn 0."""
    world = World(tmp_path)
    folder = Path(package.__file__).parent
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"rulesets": (folder,)}))
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, "local_cluster", Terms(reminders=(), second_thought="0m"), {})
        for name, home in HOMES.items():
            form = (f"Race Name: {name}", f"Leader: Head of {name}", f"Home Planet: {home}", "Extra Traits: Warlike, Scholars")
            lines = tuple(Line(number, text) for number, text in enumerate(form, start=1))
            verdicts = new_game.add_seat(
                work, table, Signup(name, lines), new_game.Newcomer(address_of(name), f"{name}'s player")
            )
            assert not any(verdict.message for verdict in verdicts), verdicts
        new_game.start_game(work, table)
    yield world
    world.close()


def state(world: World, name: str) -> dict[str, object]:
    return next(table for table in world.position()["states"] if table["name"] == name)


def where(world: World) -> tuple[int, list[str]]:
    """The Turn, and who is still to move."""
    return world.position()["turn"], list(world.position()["waiting"])


@pytest.mark.rule("LC-03", "LC-R101", "LC-07", "LC-08")
def test_the_game_begins_with_the_holders_as_player_names(world: World) -> None:
    assert [state(world, name)["player_name"] for name in HOMES] == [f"{name}'s player" for name in HOMES]
    assert where(world) == (0, list(HOMES))


def to_turn_1(world: World) -> None:
    for name, home in HOMES.items():
        world.send(name, f"Build army at {home}")
    assert where(world) == (1, list(HOMES))


@pytest.mark.rule("LC-R02", "LC-11", "LC-R08", "LC-R11")
def test_turn_0_in_any_order_then_one_after_the_other_with_a_held_move(world: World) -> None:
    for name in ("Qix", "Terrans", "Zorg"):
        assert "REFUSED" not in world.send(name, f"Build army at {HOMES[name]}")
    assert where(world) == (1, list(HOMES))
    world.send("Zorg", "Research Bunkers")
    assert where(world) == (1, list(HOMES))
    assert state(world, "Zorg")["technologies"] == []
    assert "Bunkers" not in "".join(body_of(mail) for mail in world.outbox("report", "Terrans"))
    world.send("Terrans", "Build army at Aquila")
    assert (where(world), state(world, "Zorg")["technologies"]) == ((1, ["Qix"]), ["Bunkers"])
    # Both moves are in one report.
    last = body_of(world.outbox("report", "Qix")[-1])
    assert last.upper().index("TURN 1, TERRANS") < last.upper().index("TURN 1, ZORG")


@pytest.mark.rule("LC-10", "LC-30", "LC-R36")
def test_a_treaty_by_mail_and_reply(world: World) -> None:
    to_turn_1(world)
    world.send("Zorg", "Offer trade treaty to Terrans")
    told = [body_of(mail) for mail in world.outbox("notice", "Terrans")]
    assert any("Accept trade treaty from Zorg" in text for text in told)
    assert not any("trade treaty" in body_of(mail) for mail in world.outbox("notice", "Qix"))
    answer = world.send("Terrans", "Accept trade treaty from Zorg")
    assert "REFUSED" not in answer
    assert [entry for entry in world.position()["relations"] if entry.get("trade")]
    # The agreement is public; nobody has used up a move.
    assert any("trade treaty" in body_of(mail) for mail in world.outbox("notice", "Qix"))
    assert where(world) == (1, list(HOMES))


@pytest.mark.rule("LC-R37")
def test_a_mail_of_which_every_line_failed_has_taken_no_effect(world: World) -> None:
    to_turn_1(world)
    answer = world.send("Zorg", "Accept trade treaty from Terrans\nOffer peace to Qix")
    assert answer.startswith("Zorg: nothing in your mail had any effect.")
    assert "there is no such offer" in answer
    assert "taken effect" not in answer
    assert "taken effect at once" in world.send("Zorg", "Offer peace to Qix\nOffer trade treaty to Qix")


@pytest.mark.rule("LC-91", "LC-92", "LC-93", "LC-R11", "LC-R14")
def test_who_is_late_is_skipped_and_after_the_second_time_an_npc_empire(world: World) -> None:
    to_turn_1(world)
    world.pass_time(71 * HOUR)
    assert where(world) == (1, list(HOMES))
    world.pass_time(2 * HOUR)
    assert (where(world), state(world, "Terrans")["skips"]) == ((1, ["Zorg", "Qix"]), 1)
    # The clock of the next begins with the report of the skip.
    world.pass_time(70 * HOUR)
    assert where(world) == (1, ["Zorg", "Qix"])
    for name in ("Zorg", "Qix"):
        world.send(name, "End move")
    assert where(world) == (2, list(HOMES))
    world.pass_time(73 * HOUR)
    assert (state(world, "Terrans")["kind"], where(world)) == ("npc", (2, ["Zorg", "Qix"]))
    answer = world.send("Terrans", "End move")
    assert where(world) == (2, ["Zorg", "Qix"])
    assert answer


@pytest.mark.rule("LC-R10", "LC-91")
def test_a_returned_mail_does_not_stop_the_clock(world: World) -> None:
    to_turn_1(world)
    world.pass_time(60 * HOUR)
    assert "REFUSED" in world.send("Terrans", "Build army at Aqila")
    world.pass_time(13 * HOUR)
    assert (where(world), state(world, "Terrans")["skips"]) == ((1, ["Zorg", "Qix"]), 1)


def test_a_substitute_is_known_by_their_name_and_then_the_player_by_theirs(world: World) -> None:
    world.send("", "STANDBY ALL", to="games@pbmd.test", sender="Dora Day <dora@players.test>")
    world.confirm("dora@players.test")
    world.send("Zorg", "SUBSTITUTE FROM 2026-11-20 TO 2026-11-21")
    world.reply(world.questions("dora@players.test")[-1], "YES")
    assert state(world, "Zorg")["player_name"] == "Dora Day"
    assert "From now on Zorg is played by somebody else." in body_of(world.outbox("notice", "Qix")[-1])
    world.pass_time(48 * HOUR)
    assert state(world, "Zorg")["player_name"] == "Zorg's player"
    assert "From now on Zorg is played by its former player again." in body_of(world.outbox("notice", "Qix")[-1])
