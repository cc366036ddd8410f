"""Who helps is not to do harm: a worker, or a host, that lacks something, or whose clock is in doubt."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbmd.daemon.dispatch import deal_with_due_games, game_pass
from pbmd.daemon.roles import Role
from pbmd.desk.due.advance import advance_games
from pbmd.ledger.tables import GameStatus
from pbmd.rules.protocol import Ruleset
from pbmd.rules.registry import UnknownRuleset
from pbmd.rules.troubles import MissingRuleset
from tests.desk.world import BEGIN, World
from tests.test_daemon import wait_until

NewDesk = Callable[[], World]
DUE = BEGIN + timedelta(days=3, minutes=10)


class NoRules(Mapping[str, Ruleset[Any]]):
    """Where no ruleset is installed."""

    def __contains__(self, _: object) -> bool:
        return True

    def __getitem__(self, slug: str) -> Ruleset[Any]:
        raise UnknownRuleset(f"there is no ruleset {slug}")

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0


@pytest.fixture
def due(new_desk: NewDesk) -> tuple[World, World]:
    """Two hosts of a game that is due; the second has no rules at all."""
    world, poor = new_desk(), new_desk()
    world.desk = replace(world.desk, host="alpha")
    poor.desk = replace(poor.desk, host="beta", rules=NoRules())
    world.count()
    world.now = poor.now = DUE
    world.read_mailbox()
    return world, poor


def test_a_worker_without_the_rules_leaves_the_game_to_others(due: tuple[World, World]) -> None:
    world, poor = due
    with pytest.raises(MissingRuleset):
        game_pass(poor.desk, 1)
    assert world.game().status is GameStatus.RUNNING
    assert advance_games(world.desk) == 1


def test_nor_does_a_host_pause_it_that_leads(due: tuple[World, World]) -> None:
    world, poor = due
    assert deal_with_due_games(poor.desk, lambda _: None) == 0
    assert world.game().status is GameStatus.RUNNING
    assert advance_games(world.desk) == 1


def test_a_worker_in_trouble_leaves_the_game_to_the_leader(new_desk: NewDesk) -> None:
    world = new_desk()
    world.start(ruleset="count", options={"target": 1000, "crash_turn": 1}, reminders=())
    world.now = DUE
    world.read_mailbox()
    with pytest.raises(ZeroDivisionError):
        game_pass(world.desk, 1)
    assert world.game().status is GameStatus.RUNNING
    deal_with_due_games(world.desk, lambda _: None)
    assert world.game().status is GameStatus.PAUSED


def test_who_stands_back_from_a_part_leaves_it_to_another_for_a_while(ledger: str) -> None:
    doubtful, sound = Role(ledger, "a part"), Role(ledger, "a part")
    assert doubtful.is_ours()
    doubtful.stand_back()
    assert not doubtful.is_ours()
    wait_until(sound.is_ours)  # PostgreSQL ends the other's connection in its own time
    for role in (doubtful, sound):
        role.give_back()


def test_it_has_it_again_if_there_is_nobody_else(ledger: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmd.daemon.roles.BACK_SECONDS", -1000.0)
    role = Role(ledger, "a part")
    assert role.is_ours()
    role.stand_back()
    wait_until(role.is_ours)
    role.give_back()
