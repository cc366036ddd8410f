"""Whole games by mail, in both modes: from the set-up letters to the score, with the fog where it belongs."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import rulesets.starship_squadrons as package
from pbmd.desk.changes import new_game
from pbmd.desk.mailroom import process_letters
from pbmd.desk.step.game_transaction import changing_games
from pbmd.rules import Signup
from pbmd.terms.terms import Terms
from tests.desk.world import BEGIN, World, address_of, body_of, message_of, proof_of

GAME = "border-1"
MINUTE = timedelta(minutes=1)
_WORDS = r"This turn's words: [^.]+\.\s+Everybody\s+has\s+the\s+same|^  [a-z]{3,8}(?: [a-z]{3,8}){3}$"
"""The four words of a head, which everybody has, in a report and in its file."""
_SECRET = re.compile(rf"\b[0-9a-f]{{16,}}\b|(?<=^#orders ).+$|(?<!\S)[A-Za-z0-9+/]{{27,}}=*|{_WORDS}", re.MULTILINE)


def opened(
    folder: Path, names: tuple[str, ...] = ("anna", "ben"), terms: dict[str, Any] | None = None, **options: Any
) -> World:
    """A desk with a game in which squadrons are to be bought; on the map duel unless the options say otherwise."""
    folder.mkdir(exist_ok=True)
    world = World(folder)
    rules = Path(package.__file__).parent
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"rulesets": (rules,)}))
    with changing_games(world.desk) as work:
        table = new_game.create_game(
            work,
            GAME,
            "starship_squadrons",
            Terms(reminders=(), second_thought="0m", who_has_sent="nothing"),
            {"map": "duel"} | options,
        )
        for name in names:
            verdicts = new_game.add_seat(work, table, Signup(name), new_game.Newcomer(address_of(name), f"{name}'s player"))
            assert not any(verdict.message for verdict in verdicts), verdicts
        new_game.start_game(work, table)
    return world


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A game of its own for a test."""
    world = opened(tmp_path, day_limit=2)
    yield world
    world.close()


def send(world: World, name: str, text: str) -> str:
    """A letter a minute after the last one; the clerk reads it at once. Gives the answer."""
    world.now += MINUTE
    return world.send(name, text, game=GAME)


def step(world: World) -> None:
    """What is due is resolved, after the pause in which orders may still be mended."""
    world.pass_time(timedelta(hours=2))


def report(world: World, name: str) -> str:
    return body_of(world.outbox("report", name)[-1])


def unit(world: World, name: str) -> dict[str, Any]:
    return next(table for table in world.position(GAME)["units"] if table["name"] == name)


ANNA = """SQUADRON Iron Duke: J0 M6 S2 A20 R7 D6 AT 0508
SQUADRON Tender: M4 D2 U8 AT 0308
BUY ADMIRAL FOR Iron Duke
BUY SUPPLY 8 FOR Tender
BUY ? 2
PLACE Q1 ON Iron Duke"""
BEN = """SQUADRON Thunder: M5 S3 A15 R8 D9 AT 1508
SQUADRON Secret Reserve: M1 A9 R1 AT 1708
BUY ? 2
PLACE Q1 ON Secret Reserve"""


@pytest.mark.rule("SQ-R01", "SQ-05", "SQ-29", "SQ-33", "SQ-49", "SQ-79", "SQ-R74")
def test_a_game_of_two_days(world: World) -> None:
    answer = send(world, "anna", f"{ANNA}\nSQUADRON Too Much: A500")
    assert "Too Much" in answer
    for price in ("41", "14", "4"):
        assert price in answer
    send(world, "anna", ANNA)
    send(world, "ben", BEN)
    step(world)
    assert (world.position(GAME)["day"], world.position(GAME)["phase"]) == (1, "day")
    for secret in ("Secret Reserve", "Q1"):
        assert secret not in report(world, "anna").replace("Q1 ", "") or secret == "Q1"
    assert "Thunder" in report(world, "anna")
    assert "Iron Duke" not in report(world, "ben")
    assert "Tender" in report(world, "ben")

    # Day 1: Thunder comes near, Iron Duke fires from under its "?".
    answer = send(world, "anna", "FIRE 2 Iron Duke AT Thunder, Phantom\nMOVE Nobody TO 0101\nREPAIR Iron Duke FROM Tender")
    assert "not in view now" in answer
    assert "Nobody" in answer
    send(world, "ben", "MOVE 2 Thunder TO 1108\nHOLD FIRE")
    step(world)
    assert unit(world, "Thunder")["damage"] == 21
    assert "Iron Duke" in report(world, "ben")
    assert "Thunder" in report(world, "anna")
    assert "Secret Reserve" not in report(world, "anna")

    # Day 2 is the last: a repair, a captured planet, and everything is opened.
    send(world, "anna", "PASS")
    send(world, "ben", "PASS")
    step(world)
    position = world.position(GAME)
    assert (position["phase"], position["winner"] in (0, 1, 2)) == ("over", True)
    for name in ("anna", "ben"):
        assert "Secret Reserve" in report(world, name)
    # The game takes no more orders.
    send(world, "anna", "MOVE Iron Duke TO 0606")
    assert world.position(GAME)["day"] == position["day"]


@pytest.mark.rule("SQ-R01")
@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ("IMPULSE 1\nMOVE Iron Duke TO 0507", "Not read as orders: a heading of what stands below it (IMPULSE 1)."),
        ("MOVE Iron Duke TO 0507\nIMPULSE 2", "SKIPPED, not read as orders Nothing came of it: IMPULSE 2"),
    ],
)
def test_a_line_about_an_impulse_is_skipped_only_if_nothing_below_it_goes_by_it(world: World, orders: str, said: str) -> None:
    send(world, "anna", ANNA)
    send(world, "ben", BEN)
    step(world)
    answer = " ".join(send(world, "anna", orders).split())
    assert said in answer
    assert answer.count("SKIPPED") == said.count("SKIPPED")


@pytest.mark.rule("SQ-R01", "SQ-R02", "SQ-50", "SQ-51")
def test_a_day_phase_by_phase(tmp_path: Path) -> None:
    world = opened(tmp_path, turn_mode="phases", day_limit=1)
    send(world, "anna", ANNA)
    send(world, "ben", BEN.replace("1508", "1509"))
    step(world)
    assert world.position(GAME)["phase"] == "1a"
    # It is not ben's phase; he is answered, and nothing is filed.
    refused = send(world, "ben", "MOVE Thunder TO 1108")
    assert refused
    assert world.position(GAME)["phase"] == "1a"
    send(world, "anna", "MOVE Iron Duke, Q1 TO 0808")
    step(world)
    assert world.position(GAME)["phase"] == "1b"
    assert "0808" in report(world, "ben")
    send(world, "ben", "MOVE Thunder TO 1208")
    step(world)
    assert world.position(GAME)["phase"] == "1f"
    assert "1208" in report(world, "anna")
    send(world, "anna", "FIRE Iron Duke AT Thunder")
    assert "phase" in send(world, "ben", "MOVE Thunder TO 1508\nFIRE Thunder AT ?").lower()
    step(world)
    assert unit(world, "Thunder")["damage"] == 21
    # Deadlines pass for ben; anna always answers.
    for _ in range(4):
        if world.position(GAME)["phase"] == "over":
            break
        send(world, "anna", "PASS")
        step(world)
        world.pass_time(timedelta(hours=200))
    assert world.position(GAME)["phase"] == "over"
    world.close()


@pytest.mark.rule("SQ-R01", "SQ-27")
def test_no_mail_tells_whether_and_when_the_other_has_sent_orders(tmp_path: Path) -> None:
    """Ben is first, or last, or changes his mind, or buys other things that nobody can see: anna gets the same mails."""
    seen: list[list[tuple[str, str]]] = []
    other = BEN.replace("M1 A9 R1", "M2 A3 S1 D7") + "\nBUY SUPPLY 0 FOR Thunder\nBUY ? 7"
    for number, course in enumerate(("anna ben", "ben anna", "ben ben anna", "ben* anna")):
        world = opened(tmp_path / str(number))
        for minute, who in enumerate(course.split(), start=1):
            world.now = BEGIN + MINUTE * (9 if who == "anna" else minute)
            world.arrive(world.letter(who.strip("*"), ANNA if who == "anna" else other if "*" in who else BEN, game=GAME))
        world.now = BEGIN + timedelta(hours=1)
        process_letters(world.desk)
        world.pass_time(timedelta(days=1))
        assert world.position(GAME)["day"] == 1
        seen.append([(mail.kind, _SECRET.sub("…", body_of(mail) + proof_of(mail))) for mail in world.outbox(seat="anna")])
        world.close()
    assert [kind for kind, _ in seen[0]] == ["report", "acknowledgement", "report"]
    assert seen[0] == seen[1] == seen[2] == seen[3]


@pytest.mark.rule("SQ-88")
def test_reports_have_a_picture_of_the_boards(world: World) -> None:
    send(world, "anna", ANNA)
    send(world, "ben", BEN)
    step(world)
    mail = message_of(world.outbox("report", "anna")[-1])
    assert any(part.get_content_type() in ("image/png", "image/svg+xml") for part in mail.walk())


@pytest.mark.rule("SQ-R75")
def test_who_sends_nothing_gets_the_default_squadrons(world: World) -> None:
    send(world, "anna", ANNA)
    world.pass_time(timedelta(days=30))
    assert world.position(GAME)["day"] == 1
    assert unit(world, "Cruiser 1")["attack"] == 20
    assert "Cruiser 1" in report(world, "ben")


@pytest.mark.rule("SQ-R80")
def test_waiting_days_come_in_one_report(tmp_path: Path) -> None:
    world = opened(tmp_path, day_limit=9)
    send(world, "anna", "SQUADRON Duke: M1 AT 0308")
    send(world, "ben", "SQUADRON Swift: M1 AT 1708")
    step(world)
    send(world, "anna", "WAIT 3")
    send(world, "ben", "WAIT 5")
    step(world)
    assert world.position(GAME)["day"] == 4
    for day in ("Day 1", "Day 2", "Day 3"):
        assert day in report(world, "anna")
    # Only anna is asked for orders; ben waits.
    send(world, "anna", "PASS")
    step(world)
    assert world.position(GAME)["day"] == 5
    world.close()


@pytest.mark.rule("SQ-R72", "SQ-R75")
def test_allies_read_each_others_squadrons_and_inherit_them(tmp_path: Path) -> None:
    world = opened(tmp_path, ("anna", "ben", "carl", "dora"), players_per_side=2, max_missed=2)
    for name, column in (("anna", "03"), ("ben", "17"), ("carl", "04"), ("dora", "16")):
        send(world, name, f"SQUADRON Pride {name}: M2 A3 AT {column}08")
    step(world)
    assert "Pride anna" in report(world, "carl")
    for _ in range(2):
        for name in ("ben", "carl", "dora"):
            send(world, name, "PASS")
        world.pass_time(timedelta(days=5))
    assert unit(world, "Pride anna")["player"] == "carl"
    assert "Pride anna" in report(world, "carl")
    send(world, "carl", "MOVE 1 Pride anna TO 0307")
    send(world, "ben", "PASS")
    send(world, "dora", "PASS")
    step(world)
    assert unit(world, "Pride anna")["hex"] == "0307"
    world.close()


@pytest.mark.rule("SQ-49", "SQ-R01")
def test_each_kind_of_step_has_the_deadline_that_the_rules_recommend(tmp_path: Path) -> None:
    """A week for the set-up, three days for a day, one for a phase; the name of the step is in the subject."""
    for mode, hours, name in (("plotted", 72, ""), ("phases", 24, "1a")):
        folder = tmp_path / mode
        world = opened(folder, turn_mode=mode)
        deadline = world.game(GAME).deadline
        assert deadline is not None
        assert deadline - world.now == timedelta(hours=168)
        send(world, "anna", "SQUADRON Duke: M1 AT 0308")
        send(world, "ben", "SQUADRON Swift: M1 AT 1708")
        step(world)
        deadline = world.game(GAME).deadline
        assert deadline is not None
        assert timedelta(hours=hours - 3) < deadline - world.now <= timedelta(hours=hours)
        assert name in str(message_of(world.outbox("report", "anna")[-1])["Subject"])
        world.close()
