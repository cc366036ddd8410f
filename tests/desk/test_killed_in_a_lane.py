"""Who deals with one game beside those who deal with others ends between any two statements, again and again: no letter is
lost, answered twice or overtaken, no turn is resolved twice, and the games of others are not touched."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbmd.daemon.dispatch import game_pass
from pbmd.desk import mailroom
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.clerk import deal_with
from pbmd.desk.letter.lanes import GIVEN_BACK, assign_lanes
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mailroom import process_letters, process_letters_of
from pbmd.ledger.journal import Link, verify
from pbmd.ledger.tables import Letter, LetterState, StepRecord
from tests.desk.bunches import SECOND
from tests.desk.endings import ENDINGS, Ending, each_statement
from tests.desk.world import NAMES, World, message_of
from tests.doses import dose
from tests.postgresql import PostgreSQL

pytestmark = pytest.mark.postgresql

GAME, OTHER = "galaxy-7", "galaxy-8"
EVERY = dose(8, 1)


@pytest.fixture
def address(postgresql: PostgreSQL) -> Iterator[str]:
    address = postgresql.new_ledger()
    yield address
    postgresql.drop(address)


@pytest.fixture
def world(tmp_path: Path, address: str) -> Iterator[World]:
    """A desk with two games, at which nothing is limited."""
    world = World(tmp_path, database=address)
    world.settle(limits={"answers_per_hour": 1000, "answers_per_day": 1000})
    for name in (GAME, OTHER):
        world.count(name)
    yield world
    world.close()


@pytest.fixture(params=ENDINGS)
def ends_before(request: pytest.FixtureRequest) -> Ending:
    return ENDINGS[request.param]


def the_id(world: World, name: str = GAME) -> int:
    found = world.game(name).id
    assert found is not None
    return found


def of_game(world: World, name: str = GAME) -> list[Letter]:
    """The letters of a game, in order of arrival."""
    letters = [letter for letter in world.letters() if letter.game_id == the_id(world, name)]
    return sorted(letters, key=lambda letter: (letter.arrived_at, letter.uid))


def chains_are_whole(world: World) -> None:
    for name in (GAME, OTHER):
        game = world.game(name)
        entries = sorted((e for e in world.journal() if e.game_id == game.id), key=lambda entry: entry.number)
        links = (Link(e.number, e.at, e.kind, e.public, e.secret, e.salt, e.hash) for e in entries)
        assert verify(links) == game.chain_head


def answers(world: World) -> Counter[str]:
    """How many answers each letter has, by its Message-ID."""
    return Counter(str(message_of(mail)["In-Reply-To"]) for mail in world.outbox("acknowledgement"))


def test_letters_of_a_lane_are_answered_once_each_and_in_order(world: World, ends_before: Ending) -> None:
    def arrive() -> None:
        world.now += SECOND
        for text in ("Add 1", "STATUS", "Add 2"):
            world.arrive(world.letter("Altair", text))
        world.arrive(world.letter("Altair", "Add 9", game=OTHER))
        assert assign_lanes(world.desk) == {the_id(world), the_id(world, OTHER)}

    def answered(number: int) -> None:
        mine = of_game(world)
        assert (len(mine), {letter.state for letter in mine}) == (3 * number, {LetterState.DONE})
        orders = sorted(world.submissions(), key=lambda each: each.number)
        assert [each.letter_id for each in orders] == [letter.id for place, letter in enumerate(mine) if place % 3 != 1]
        assert world.sheet("Altair") == ["Add 2"]
        assert {letter.state for letter in of_game(world, OTHER)} == {LetterState.NEW}

    each_statement(world, arrive, lambda: process_letters_of(world.desk, the_id(world)), answered, ends_before, EVERY)
    assert set(answers(world).values()) == {1}
    assert len(answers(world)) == len(of_game(world))
    assert world.log("quarantine") == []
    chains_are_whole(world)


def test_letters_get_their_lane_once(world: World, ends_before: Ending) -> None:
    def arrive() -> None:
        for name in (GAME, OTHER):
            world.arrive(world.letter("Altair", "Add 1", game=name))

    def assigned(number: int) -> None:
        assert [len(of_game(world, name)) for name in (GAME, OTHER)] == [number, number]

    each_statement(world, arrive, lambda: assign_lanes(world.desk), assigned, ends_before, dose(2, 1))


def test_a_letter_that_is_given_back_is_dealt_with_once_where_all_games_are(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three each time the second has to do with more than its game; the third waits for it."""
    back: set[int] = set()

    def deal(work: Transaction, arrived: Arrived, *more: Any) -> None:
        if arrived.script.orders[0].text == "Add 2":
            work.must_be_alone()
            back.add(arrived.id)
        deal_with(work, arrived, *more)

    def arrive() -> None:
        world.now += SECOND
        for number in (1, 2, 3):
            world.arrive(world.letter("Altair", f"Add {number}"))
        assign_lanes(world.desk)

    def given_back(number: int) -> None:
        second, third = of_unread(world)
        assert (second.note, second.game_id, third.note) == (GIVEN_BACK, None, "")
        assert process_letters(world.desk) == 2
        mine = of_game(world)
        assert {letter.state for letter in mine} == {LetterState.DONE}
        orders = sorted(world.submissions(), key=lambda each: each.number)
        assert [each.letter_id for each in orders] == [letter.id for letter in mine]
        assert len(mine) == 3 * number
        assert world.sheet("Altair") == ["Add 3"]

    monkeypatch.setattr(mailroom, "deal_with", deal)
    each_statement(world, arrive, lambda: process_letters_of(world.desk, the_id(world)), given_back, every=EVERY)
    assert set(answers(world).values()) == {1}
    assert len(back) * 3 == len(of_game(world))
    chains_are_whole(world)


def of_unread(world: World) -> list[Letter]:
    return sorted(world.rows(Letter, Letter.state == LetterState.NEW), key=lambda letter: (letter.arrived_at, letter.uid))


def test_a_turn_is_resolved_once_by_a_worker(world: World, ends_before: Ending) -> None:
    """Letters first, then the clock, as a worker does for a game that it is woken for."""

    def over() -> None:
        for seat in NAMES[:2]:
            world.arrive(world.letter(seat, "Add 1"))
        assign_lanes(world.desk)
        deadline = world.game().deadline
        assert deadline is not None
        world.now = deadline.replace(microsecond=0) + SECOND
        world.read_mailbox()

    def resolved(number: int) -> None:
        assert len([record for record in world.rows(StepRecord) if record.game_id == the_id(world)]) == number
        assert [len(world.outbox("report", seat)) for seat in NAMES] == [number + 2] * 3, "two games have begun"
        assert {letter.state for letter in world.letters()} == {LetterState.DONE}
        assert world.game(OTHER).step == 0

    each_statement(world, over, lambda: game_pass(world.desk, the_id(world)), resolved, ends_before, EVERY)
    chains_are_whole(world)
