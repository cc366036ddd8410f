"""Rules that never return: their game is paused and told of, once, and all others go on."""

import copy
import re
from contextlib import suppress
from dataclasses import fields, replace
from datetime import timedelta

import pytest

from pbmd.desk.books.timed_rules import clock
from pbmd.desk.changes import pauses
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import GameStatus, LetterState
from pbmd.rules.protocol import Ruleset
from tests.desk.world import address_of, body_of
from tests.rules import count

DAY = timedelta(days=1)
LIMIT = 0.05
NAMES = [field.name for field in fields(Ruleset) if field.name != "info" and callable(getattr(count.ruleset, field.name))]


def stubborn(*_):
    """Catches whatever it can."""
    while True:
        with suppress(Exception):
            re.fullmatch("(a|a)*b", "a" * 12)


@pytest.fixture
def two(world, monkeypatch):
    """A desk with a game of Count, "galaxy-7", and one of the same rules under another name, "endless", with the same
    players; gives what lets a function of these rules never return, and how often that one has been called."""
    monkeypatch.setattr(clock, "SECONDS", LIMIT)
    monkeypatch.setattr(clock, "SECONDS_OF", {})
    world.count()
    world.count("endless")
    rules = world.desk.ruleset("count")
    calls: list[str] = []

    def loop(name: str) -> list[str]:
        def endless(*given):
            calls.append(name)
            stubborn(*given)

        find = world.desk.ruleset
        broken = replace(rules, info=replace(rules.info, slug="endless"), **{name: endless})
        monkeypatch.setattr(type(world.desk), "ruleset", lambda _desk, slug: broken if slug == "endless" else find(slug))
        world.desk.positions._kept.clear()
        return calls

    with world.work() as work:
        table = work.table_named("endless")
        table.game.ruleset = "endless"
    monkeypatch.setattr(type(world.desk), "ruleset", lambda _desk, slug: rules)
    world.loop = loop
    return world


def play(world):
    """A letter for each game, and the next turn of both."""
    assert world.send("Altair", "Add 3", game="endless") is not None
    answer = world.send("Borealis", "Add 4")
    world.pass_time(3 * DAY + timedelta(minutes=1))
    world.pass_time(timedelta(minutes=1))
    return answer


@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_never_returns_stops_its_own_game_and_no_other(two, name):
    calls = two.loop(name)
    answer = play(two)
    assert "are in" in answer
    assert two.game().turn == 2
    assert two.game().status is GameStatus.RUNNING
    assert len(calls) <= 1
    if calls:
        assert two.game("endless").status is GameStatus.PAUSED


@pytest.mark.parametrize("name", ["receive", "resolve", "awaiting", "load", "view", "turn"])
def test_the_game_master_is_told_once_in_a_plain_sentence(two, name):
    two.loop(name)
    play(two)
    two.pass_time(3 * DAY)
    [alarm] = two.outbox("alarm")
    assert alarm.recipient == "gm@pbmd.test"
    assert f"the rules took more than {LIMIT:g} s of the processor, at" in " ".join(body_of(alarm).split())
    assert len([line for line in two.log("defect") if line.game == "endless"]) == 1


def test_a_letter_that_the_rules_never_answer_is_kept_and_dealt_with_when_the_game_goes_on(two, monkeypatch):
    two.loop("receive")
    play(two)
    assert [letter.state for letter in two.letters()] == [LetterState.QUARANTINED, LetterState.DONE]
    assert any(address_of("Altair") == mail.recipient for mail in two.outbox("notice"))
    monkeypatch.setattr(type(two.desk), "ruleset", lambda _desk, slug: count.ruleset)
    two.act("endless", pauses.resume)
    process_letters(two.desk)
    assert two.letters()[0].state is LetterState.DONE
    assert two.game("endless").status is GameStatus.RUNNING


def test_further_letters_for_such_a_game_make_nobody_wait(two):
    calls = two.loop("receive")
    for number in range(1, 6):
        two.send("Altair", f"Add {number}", game="endless")
    assert len(calls) == 1


def test_a_game_that_is_resumed_is_tried_again(two):
    calls = two.loop("receive")
    play(two)
    two.act("endless", pauses.resume)
    process_letters(two.desk)
    assert len(calls) == 2
    assert two.game("endless").status is GameStatus.PAUSED


def test_a_game_that_is_resumed_by_mail_is_tried_again(two, monkeypatch):
    two.loop("receive")
    play(two)
    monkeypatch.setattr(type(two.desk), "ruleset", lambda _desk, slug: count.ruleset)
    two.master("RESUME", game="endless")
    process_letters(two.desk)
    assert two.game("endless").status is GameStatus.RUNNING
    assert two.letters()[0].state is LetterState.DONE


def test_a_copy_of_the_rules_of_a_game_can_be_made(two):
    with two.work() as work:
        rules = copy.copy(work.table_named("galaxy-7").ruleset)
    assert rules.info == count.ruleset.info
