"""A whole game by mail in which the first in gets a wonder and a war, and nobody is told who was the first."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import rulesets.societies as package
from pbmd.desk.changes import new_game
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.rules import Line, Signup
from pbmd.terms.terms import Terms
from tests.desk.world import BEGIN, World, address_of, body_of, proof_of

GAME = "valley"
NAMES = ("Ann", "Bob", "Cat")
MINUTE = timedelta(minutes=1)
_WORDS = r"This turn's words: [^.]+\.\s+Everybody\s+has\s+the\s+same|^  [a-z]{3,8}(?: [a-z]{3,8}){3}$"
"""The four words of a head, which everybody has, in a report and in its file."""
_SECRET = re.compile(rf"\b[0-9a-f]{{16,}}\b|(?<=^#orders ).+$|(?<!\S)[A-Za-z0-9+/]{{27,}}=*|{_WORDS}", re.MULTILINE)


def opened(folder: Path, **terms: Any) -> World:
    """A desk with a running game of three societies side by side: A1, B1, C1."""
    folder.mkdir(exist_ok=True)
    world = World(folder)
    rules = Path(package.__file__).parent
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"rulesets": (rules,)}))
    with changing_games(world.desk) as work:
        table = new_game.create_game(
            work, GAME, "societies", Terms(**({"reminders": (), "second_thought": "0m"} | terms)), {"starts": "A1, B1, C1"}
        )
        for name in NAMES:
            asked = Signup(name, (Line(1, f"Society The people of {name}"),))
            verdicts = new_game.add_seat(work, table, asked, new_game.Newcomer(address_of(name), f"{name}'s player"))
            assert not any(verdict.message for verdict in verdicts), verdicts
        new_game.start_game(work, table)
    return world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game of its own for a test."""
    world = opened(tmp_path)
    yield world
    world.close()


def at(world: World, square: str) -> str:
    """Who has the city there."""
    return next(city["owner"] for city in world.position(GAME)["city"] if city["square"] == square)


def society(world: World, name: str) -> dict[str, object]:
    return next(table for table in world.position(GAME)["society"] if table["name"] == name)


def send(world: World, name: str, text: str) -> str:
    """A letter a minute after the last one; the clerk reads it at once."""
    world.now += MINUTE
    return world.send(name, text, game=GAME)


def report(world: World, name: str) -> str:
    return body_of(world.outbox("report", name)[-1])


@pytest.mark.rule("SO-15", "SO-32", "SO-33", "SO-53", "SO-121", "SO-170", "SO-R03", "SO-R72", "SO-R75", "SO-R56")
def test_the_first_in_gets_the_wonder_and_then_the_war_and_the_game(world: World) -> None:
    left, middle, right = (at(world, square) for square in ("A1", "B1", "C1"))

    # Turn 1. Both outer societies bid the same for the Tower of Babel; the left one was first, but changes its mind.
    bid = "Tower of Babel (2)\nArmies x4 (4)"
    assert "Build Tower of Babel for 2" in send(world, left, f"{bid}\nSpoils of {right} to me")
    answer = send(world, right, bid)
    assert "Buy 4 armies" in answer
    send(world, left, bid)
    send(world, middle, "")
    assert world.pass_time() in (0, 1)
    world.pass_time(timedelta(days=1))
    assert world.position(GAME)["turn"] == 2
    assert [(wonder["name"], wonder["owner"]) for wonder in world.position(GAME)["wonder"]] == [("Tower of Babel", right)]
    assert (society(world, left)["gold"], society(world, right)["gold"]) == (2 + 5, 5 + 1)
    assert "outbid" in report(world, left) or "another society" in report(world, left)
    for name in NAMES:
        told = "built at C1, cost 2" if name == right else f"{right} has built Tower of Babel at C1."
        assert told in report(world, name)

    # Turn 2. Both attack the society in the middle; now the left one is first, although its letter is read last.
    late = world.letter(right, f"Attack {middle} with all armies", game=GAME)
    early = world.letter(left, f"Attack {middle} with 4 armies\nTargets: B1", game=GAME)
    stamps = world.now + MINUTE, world.now + 5 * MINUTE
    world.now += 10 * MINUTE
    world.arrive(late, stamps[1])
    world.arrive(early, stamps[0])
    send(world, middle, "Research 1")
    world.pass_time(timedelta(days=1))
    assert world.position(GAME)["turn"] == 3
    assert at(world, "B1") == left
    assert (society(world, middle)["eliminated_turn"], society(world, right)["armies"]) == (2, 4)
    assert "the target was eliminated" in report(world, right)
    assert f"{left} has attacked {middle} and captured B1." in report(world, right)
    assert f"{middle} was eliminated" in report(world, middle)

    # Turn 3. The two that are left attack each other: their armies meet first. Seven against four, and the game is over.
    assert "3 armies" in send(world, left, f"Buy 3 armies\nAttack {right} with all armies")
    send(world, right, f"Attack {left} with 4 armies")
    world.pass_time(timedelta(days=1))
    result = world.position(GAME)["result"]
    assert (result["over"], result["victories"]) == (True, [{"society": left, "kind": "conquest"}])
    assert world.position(GAME)["wonder"][0]["owner"] == left
    for name in (left, right):
        assert f"{left} has won" in report(world, name) or f"{left} is the last society left" in report(world, name)
    # The orders are opened, and the game takes no more.
    assert "Attack" in report(world, right)
    assert world.position(GAME)["turn"] == 4
    send(world, left, "Buy 1 army")
    assert world.position(GAME)["turn"] == 4


@pytest.mark.rule("SO-53", "SO-R03", "SO-R97")
def test_no_mail_tells_whether_and_when_others_have_sent_orders(tmp_path: Path) -> None:
    """Ann is first in, or Bob, or Bob is silent, or Ann changes her mind: Cat gets the same mails to the letter."""
    seen: list[list[tuple[str, str]]] = []
    for number, names in enumerate(("Ann Bob Cat", "Bob Ann Cat", "Ann Cat", "Ann Bob Ann Cat")):
        world = opened(tmp_path / str(number))
        for minute, name in enumerate(names.split(), start=1):
            world.now = BEGIN + MINUTE * (3 if name == "Cat" else minute / 2)
            world.arrive(world.letter(name, "Buy 1 army\nSTATUS", game=GAME))
        world.now = BEGIN + timedelta(hours=1)
        process_letters(world.desk)
        world.pass_time(timedelta(days=1))
        assert world.position(GAME)["turn"] == 2
        # The secret of the dice is another in every game.
        seen.append([(mail.kind, _SECRET.sub("…", body_of(mail) + proof_of(mail))) for mail in world.outbox(seat="Cat")])
        world.close()
    assert [kind for kind, _ in seen[0]] == ["report", "acknowledgement", "report"]
    assert seen[0] == seen[1] == seen[2] == seen[3]


def test_a_deadline_of_the_game_master_goes_before_the_default_of_the_rules(tmp_path: Path) -> None:
    world = opened(tmp_path, deadline="48h")
    deadline = world.game(GAME).deadline
    assert deadline is not None
    assert deadline - world.now == timedelta(hours=48)
    world.close()


@pytest.mark.rule("SO-13")
def test_a_turn_lasts_a_day_and_is_resolved_at_once_when_all_orders_are_in(world: World) -> None:
    deadline = world.game(GAME).deadline
    assert deadline is not None
    assert deadline - world.now == timedelta(hours=24)
    for name in NAMES:
        send(world, name, "Buy 1 army")
    world.pass_time(timedelta(hours=2))
    assert world.position(GAME)["turn"] == 2


@pytest.mark.rule("SO-54", "SO-60")
def test_a_wrong_line_is_answered_and_the_others_stand(world: World) -> None:
    answer = send(world, "Ann", "Colosseum\nBuy 2 armies")
    assert "state how much gold you spend" in answer
    (sheet,) = world.position(GAME)["sheets"]
    assert sheet["lines"] == ["Buy 2 armies"]


@pytest.mark.rule("SO-86", "SO-R14")
def test_the_acknowledgement_prices_the_plan(world: World) -> None:
    answer = send(world, "Ann", "Buy 3 armies\nCity of Annopolis (6)")
    assert "9 gold" in answer
    assert "6" in answer
