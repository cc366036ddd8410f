"""What players do by mail besides their orders: more time, talk, promises (2.4, 2.10)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

import rulesets.cosmic_conquest as package
from pbmd.desk.changes import deadline_changes, new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.rules.options import complete
from pbmd.terms.terms import Terms
from rulesets.cosmic_conquest import ruleset
from tests.desk.world import World, address_of, body_of
from tests.rulesets.cosmic_conquest.harness import faction, fault, position, receive

GAME = "galaxy-7"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A desk with a running game of Red, Yellow and Green."""
    world = World(tmp_path)
    folder = Path(package.__file__).parent
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"rulesets": (folder,)}))
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, "cosmic_conquest", Terms(second_thought="0m"), {})
        assert table.ruleset.sample_signup is not None
        options = complete(ruleset.info.options, {})
        for _ in range(3):
            asked = table.ruleset.sample_signup(new_game.signups(table), options)
            verdicts = new_game.add_seat(
                work, table, replace(asked, seat=asked.seat.lower()), new_game.Newcomer(address_of(asked.seat), asked.seat)
            )
            assert not any(verdict.message for verdict in verdicts), verdicts
        new_game.start_game(work, table)
    yield world
    world.close()


@pytest.mark.rule("CC-02", "CC-R85")
def test_a_seat_is_named_by_its_colour_however_it_was_asked_for(world: World) -> None:
    assert [table["colour"] for table in world.position()["factions"]] == ["Red", "Yellow", "Green"]
    assert world.seat("Red").address == address_of("Red")


@pytest.mark.rule("CC-46", "CC-47")
def test_more_time_can_be_asked_for_and_beyond_the_budget_the_gm_decides(world: World) -> None:
    deadline = world.game().deadline
    world.send("Red", "EXTEND 3 days because of travel")
    (mail,) = world.outbox("alarm")
    assert "Red asks for 3 days more in turn 1 of galaxy-7" in body_of(mail)
    assert (world.game().deadline, world.seat("Red").deadline) == (deadline, None)


@pytest.mark.rule("CC-R82", "CC-46")
def test_what_the_gm_grants_to_one_player_is_for_that_player_only(world: World) -> None:
    deadline = world.game().deadline
    assert deadline is not None
    world.act(
        GAME, lambda work, table: deadline_changes.extend(work, table, timedelta(hours=10), "the GM", seat=table.seat("Red"))
    )
    assert world.seat("Red").deadline == deadline + timedelta(hours=10)
    assert (world.game().deadline, world.seat("Green").deadline) == (deadline, None)
    world.pass_time(timedelta(hours=73))
    assert (world.game().turn, world.seat("Green").missed_step, world.seat("Red").missed_step) == (1, 0, -1)


@pytest.mark.rule("CC-116", "CC-117")
def test_players_talk_in_private_or_to_all_at_any_time(world: World) -> None:
    world.send("Red", "PRESS TO Green\nShall we be friends?\nEND PRESS")
    assert any("friends" in body_of(mail) for mail in world.outbox("press", "Green"))
    assert not any("friends" in body_of(mail) for mail in world.outbox("press", "Yellow"))
    world.send("Red", "Pass\nPRESS TO ALL\nPeace with everybody!\nEND PRESS")
    for seat in ("Yellow", "Green"):
        assert any("Peace" in body_of(mail) for mail in world.outbox("press", seat))


@pytest.mark.rule("CC-118", "CC-R58", "CC-R10")
def test_no_promise_binds_anybody() -> None:
    start = position("Alpha Centauri 9 Red, Procyon 9 Green, Rigel 9 Teal", faction("Red"), faction("Green"), faction("Teal"))
    assert fault(start, "Red", "Ally with Green").startswith("this is no order")
    assert receive(start, "Red", "Conquer Procyon with 9 units").filed
    # There is no way to defend the system of a friend.
    assert fault(start, "Red", "Defend Procyon with 9 units") == "you do not hold Procyon"


@pytest.mark.rule("CC-R01")
def test_lordship_is_no_word_of_the_game() -> None:
    start = position("Sol 9 Red, Rigel 9 Green", faction("Red"), faction("Green"))
    assert fault(start, "Red", "5 units for defense of my Lordship").startswith('unknown system "my Lordship"')
    assert "Lordship" not in ruleset.order_form(ruleset.load(start), "Red")


@pytest.mark.rule("CC-45", "CC-41")
def test_orders_by_mail_are_acknowledged_final_and_resolved_when_all_are_in(world: World) -> None:
    home = next(table["name"] for table in world.position()["systems"] if table["owner"] == "Red")
    answer = world.send("Red", f"Hello\n[b]5 Resource Units for Defense of {home}.[/b]")
    assert f"Defend {home} with 5 units" in answer
    assert "your orders for turn 1 are in and final" in world.send("Red", "Pass")
    assert "REFUSED" in world.send("Green", "nonsense")
    for seat in ("Yellow", "Green"):
        world.send(seat, "Pass")
    world.pass_time(timedelta(days=1))
    assert world.position()["turn"] == 2
