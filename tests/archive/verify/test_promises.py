"""A dice secret is used for what is carried out in one go, and for nothing after it; what promised it may be withheld."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.options import set_option
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.mailroom import process_letters
from tests.archive.made import export, forge, verified
from tests.desk.relay import GAME, past_turn_0, relay
from tests.desk.world import NAMES, World

DAY = timedelta(days=1)


def turns(world: World, count: int) -> None:
    for _ in range(count):
        for seat in NAMES:
            world.now += timedelta(minutes=1)
            world.send(seat, "Add 2")
        world.pass_time(4 * DAY)


def test_an_anonymised_archive_of_a_game_that_was_rolled_back_with_a_reason_is_sound(world: World, tmp_path: Path) -> None:
    world.count(target=40)
    turns(world, 2)
    world.act("galaxy-7", roll_back, 2, "a mistake of mine")
    turns(world, 2)
    findings = verified(export(world, tmp_path / "archive", anonymised=True))
    assert findings.problems == []
    number = world.journal("resolved")[-2].number
    assert [said for said in findings.unchecked if f"promised the dice secret of entry {number} " in said]


def test_moves_whose_letters_were_read_together_have_one_secret(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world, die=True))
    for seat in NAMES:
        world.arrive(world.letter(seat, "Add 1"))
        world.now += timedelta(seconds=2)
    process_letters(world.desk)
    assert verified(export(world, tmp_path / "archive")).problems == []


def test_a_move_that_comes_after_a_skip_has_the_secret_of_the_skip(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world, die=True))
    world.now += 4 * DAY
    world.arrive(world.letter("Borealis", "Add 1"))
    world.read_mailbox()
    process_letters(world.desk)
    assert [entry.kind for entry in world.journal()][-4:] == ["missed", "resolved", "orders", "resolved"]
    assert verified(export(world, tmp_path / "archive")).problems == []


def test_what_is_carried_out_in_one_go_may_end_the_game(world: World, tmp_path: Path) -> None:
    """Then no further secret is promised, though the step before has promised one."""
    past_turn_0(relay(world, target=9))
    world.send("Borealis", "Add 9")
    world.send("Altair", "Add 1")
    assert world.game(GAME).status.value == "finished"
    assert verified(export(world, tmp_path / "archive", GAME)).problems == []


def one_secret(entries: list[dict[str, Any]]) -> None:
    """The last step is rolled with what was told after the one before it."""
    before, last = [entry for entry in entries if entry["kind"] == "resolved"][-2:]
    last["public"]["secret"] = before["public"]["secret"]
    before["public"]["commitment"] = last["public"]["commitment"]


def salts_chosen_afterwards(entries: list[dict[str, Any]]) -> None:
    last = [entry for entry in entries if entry["kind"] == "resolved"][-1]
    last["secret"]["salts"] = "ab" * 32


def salts_that_nobody_promised(entries: list[dict[str, Any]]) -> None:
    salts_chosen_afterwards(entries)
    before = [entry for entry in entries if entry["kind"] in ("started", "resolved")][-2]
    del before["public"]["salts_commitment"]


def no_salts_after_all(entries: list[dict[str, Any]]) -> None:
    """As in games from before there were salts."""
    del [entry for entry in entries if entry["kind"] == "resolved"][-1]["secret"]["salts"]


def others_in_one_go(entries: list[dict[str, Any]]) -> None:
    """Two steps with one dice secret, and the second with salts of its own."""
    before, last = [entry for entry in entries if entry["kind"] == "resolved"][-2:]
    assert (before["at"], before["public"]["secret"]) == (last["at"], last["public"]["secret"])
    last["secret"]["salts"] = "ab" * 32


@pytest.mark.parametrize("change", [salts_chosen_afterwards, salts_that_nobody_promised, no_salts_after_all])
def test_salts_are_those_that_were_promised(change: Callable[[Any], None], world: World, tmp_path: Path) -> None:
    world.start(ruleset="count", options={"target": 1000}, reminders=())
    turns(world, 2)
    archive = export(world, tmp_path / "archive")
    findings = verified(archive)
    assert (findings.problems, findings.checked["secrets of salts"]) == ([], 3)  # two turns, and the set-up
    forge(archive, change)
    assert "the secret of the salts" in " ".join(problem.problem for problem in verified(archive).problems)
    assert blamed(archive)


def test_all_of_one_go_have_the_same_salts(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world, die=True))
    world.send("Borealis", "Add 1")
    world.now += timedelta(minutes=1)
    world.send("Altair", "Add 1")
    archive = export(world, tmp_path / "archive", GAME)
    assert not blamed(archive)
    forge(archive, others_in_one_go)
    assert blamed(archive)


@pytest.mark.parametrize("anonymised", [False, True])
def test_salts_that_were_never_used_are_opened_too(world: World, tmp_path: Path, *, anonymised: bool) -> None:
    """Those of the step that was open when the game was taken back, or abandoned."""
    world.count(target=1000)
    turns(world, 2)
    world.act("galaxy-7", roll_back, 2)
    turns(world, 1)
    world.act("galaxy-7", abandon, "")
    findings = verified(export(world, tmp_path / "archive", anonymised=anonymised))
    assert findings.problems == []
    assert findings.checked["secrets of salts"] == 6 - int(anonymised)  # nobody may read the entry of the end


def blamed(archive: Path) -> bool:
    return any("is not the one that was promised" in problem.problem for problem in verified(archive).problems)


def test_a_secret_does_not_serve_steps_that_are_days_apart(world: World, tmp_path: Path) -> None:
    world.count(target=40)
    turns(world, 1)
    world.act("galaxy-7", set_option, "target", "50")
    world.pass_time(4 * DAY)
    archive = export(world, tmp_path / "archive")
    assert not blamed(archive)
    forge(archive, one_secret)
    assert blamed(archive)


def test_a_secret_does_not_serve_a_move_that_was_carried_out_later(world: World, tmp_path: Path) -> None:
    past_turn_0(relay(world, die=True))
    for seat in NAMES[:2]:
        world.now += timedelta(minutes=3)
        world.send(seat, "Add 1")
    archive = export(world, tmp_path / "archive", GAME)
    assert not blamed(archive)
    forge(archive, one_secret)
    assert blamed(archive)
