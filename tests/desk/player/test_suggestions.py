"""A refused line is answered with what it may have meant, if the rules would take that."""

import re
from contextlib import closing

import pytest

from tests.desk.letter.test_beside_orders import CONQUEST, came_of
from tests.desk.letter.test_what_is_typed import game, setting
from tests.desk.world import World

RECORDED = re.compile(r"\b[0-9a-f]{64}\b|\.[a-z2-7]{20}\b")
"""Digests, which tell nothing that can be read."""


def answered(world: World, text: str) -> str:
    return " ".join(world.send("Altair", text).split())


@pytest.fixture
def galaxy(world: World) -> World:
    world.start("galaxy-7", ("Altair", "Borealis", "Cygnus"), reminders=())
    return world


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("Buld 4 Laserfrigates", "Right: Build"),
        ("Build | 4 | Laserfrigates", 'did you mean "Build 4 Laserfrigates"?'),
        ("Train spy; Build 99 Laserfrigates", "one order a line, please: Train spy | Build 99 Laserfrigates"),
        ("Also: Train spy", 'did you mean "Train spy"?'),
        ("Sorry, I meant Train spy", 'did you mean "Train spy"?'),
        ("https://docs.example.org/my-orders", "links are not opened: write what stands there into the mail itself"),
        ("YES", "To answer one, reply to the mail that asked it"),
    ],
)
def test_a_line_is_answered_with_what_it_may_have_meant(galaxy: World, line: str, meant: str) -> None:
    assert meant in answered(galaxy, line)


def test_what_the_rules_would_not_take_either_is_not_suggested(galaxy: World) -> None:
    answer = answered(galaxy, "Atack Deneb with all")
    assert 'Deneb with all"?' not in answer


def test_no_player_who_is_not_in_the_game_is_named(world: World) -> None:
    world.start("galaxy-7", ("Rigel", "Spica"), reminders=())
    answer = " ".join(
        world.send("Rigel", "Attack\nUse spy\nTransfer\nCaptured bases\nAttack vs\nspy on\nUse sppy on Cygnus").split()
    )
    assert not {"Altair", "Borealis", "Vega"} & set(answer.replace(",", " ").split())


def test_orders_in_the_subject_are_named(galaxy: World) -> None:
    assert "Orders in the subject are not read" in " ".join(galaxy.send("Altair", "\n", subject="Train spy").split())
    assert "Orders in the subject" not in galaxy.send("Altair", "", subject="hello")


def test_a_long_mail_of_nonsense_is_looked_at_for_a_while_only(galaxy: World) -> None:
    tried = []
    rules = galaxy.desk.ruleset("galactic_overlord")
    receive = rules.receive
    object.__setattr__(rules, "receive", lambda *given: tried.append(given) or receive(*given))
    try:
        galaxy.send("Altair", "\n".join(f"Biuld {number} Lazerfrigates; Atack now" for number in range(300)))
    finally:
        object.__setattr__(rules, "receive", receive)
    assert 1 < len(tried) < 80


@pytest.mark.parametrize(
    "line", ["Atack Borealis with everythng", "Build three Laserfrigates; Train spy", "Hello, Borealis", "Buld 4 Laserfrigates"]
)
def test_what_a_line_may_have_meant_tells_nothing_of_what_others_ordered(
    tmp_path_factory: pytest.TempPathFactory, line: str
) -> None:
    answers: list[str] = []
    for others in ("Stockpile", "Attack Altair with everything\nBuild 4 Laserfrigates"):
        with closing(World(tmp_path_factory.mktemp("desk"))) as world:
            world.start("galaxy-7", ("Altair", "Borealis", "Cygnus"), reminders=())
            assert "orders for turn 1 are in" in world.send("Borealis", others)
            answers.append(world.send("Altair", f"{line}\nStockpile"))
    assert len({RECORDED.sub("", answer) for answer in answers}) == 1


def test_no_command_is_meant_where_an_order_is_nearly_written() -> None:
    with game("diplomacy") as world:
        assert "If you meant a command" not in world.reply(setting("diplomacy").mail, "What about F TRI - ALB ?")
        assert "If you meant a command: WAIT" in " ".join(world.reply(setting("diplomacy").mail, "WIAT").split())


@pytest.mark.parametrize("behind", ["(8)", "[8]", "(8 left)", "(12)."])
def test_a_number_in_brackets_that_may_be_another_is_asked_about(behind: str) -> None:
    came = came_of(CONQUEST, f"Conquer Kapteyn with 3 units\nDefend Aldebaran 5 units {behind}")
    assert came.orders == ()
    assert f'did you mean "Defend Aldebaran 5 units"? As it stands: it is not clear what "{behind}" says' in came.text


def test_what_may_change_an_order_in_brackets_is_not_left_away() -> None:
    assert "did you mean" not in came_of(CONQUEST, "Defend Aldebaran with 5 units (if Tom attacks)").text


@pytest.mark.parametrize("said", ["No orders from me this turn, sorry, busy at work", "Sorry, no moves until Tom is back"])
def test_who_says_in_a_sentence_that_nothing_is_ordered_is_told_how(said: str) -> None:
    came = came_of("societies", said)
    assert came.orders == ()
    assert "if you want to give no orders this turn, send the single line NO ORDERS." in came.text
