"""Of which letters it is certain what game they are of, what becomes of those that are not, and that no letter of a game
overtakes another."""

import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from pbmd.daemon.bell import Bell
from pbmd.daemon.dispatch import shared_pass
from pbmd.desk import mailroom
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.clerk import deal_with
from pbmd.desk.letter.lanes import GIVEN_BACK, assign_lanes, lanes_with_letters
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mailroom import process_letters, process_letters_of
from pbmd.ledger.postgresql import SILENT_SECONDS
from pbmd.ledger.tables import GameStatus, Letter, LetterState
from pbmd.post.read.letter import TOO_COSTLY, Limits
from tests.daemon_shared.test_bell import wait_until
from tests.desk.world import ADDRESS, World, body_of, message_of

NewDesk = Callable[[], World]


@pytest.fixture
def world(new_desk: NewDesk) -> World:
    """A desk with two games."""
    world = new_desk()
    world.count()
    world.count("galaxy-8", ("Deneb", "Altair"))
    return world


def in_base64(raw: bytes, text: str) -> bytes:
    """The same letter with another text, encoded so that nobody sees what is in it without reading it."""
    header = raw.partition(b"\r\n\r\n")[0].replace(b"7bit", b"base64")
    assert b"base64" in header
    return header + b"\r\n\r\n" + b64encode(text.encode()) + b"\r\n"


def the_tag(world: World, seat: str, game: str = "galaxy-7") -> str:
    return world.reply_address(seat, game).partition("@")[0].partition("+")[2]


def answer_to_question(world: World) -> bytes:
    world.send("Altair", "RESIGN")
    question = world.questions()[-1]
    mail = message_of(question)
    return world.letter("", "YES", sender=mail["To"], to=mail["Reply-To"], headers={"In-Reply-To": question.message_id})


CERTAIN: dict[str, Callable[[World], bytes]] = {
    "to the seat's own address": lambda world: world.letter("Altair", "Add 1"),
    "to pbmd, in answer to a mail to the seat": lambda world: world.letter(
        "Altair", "Add 1", to=ADDRESS, headers={"References": world.outbox("report", "Altair")[0].message_id}
    ),
    "with the address in capitals": lambda world: world.letter("Altair", "Add 1", sender="Altair <ALTAIR@players.test>"),
    "with tags of two seats of the game, of which one is the sender's": lambda world: world.letter(
        "Altair", f"{the_tag(world, 'Borealis')}\nAdd 1"
    ),
    "in base64, with the form of the game in it": lambda world: in_base64(
        world.letter("Altair", ""), f"{the_tag(world, 'Altair')}\nAdd 1\n"
    ),
}


def after_a_new_token(world: World) -> bytes:
    letter = world.letter("Altair", "Add 1")
    world.send("Altair", "NEW TOKEN")
    return letter


def after_the_game(world: World) -> bytes:
    letter = world.letter("Altair", "Add 1")
    with world.work() as work:
        work.table(world.game().id or 0).game.status = GameStatus.FINISHED
    return letter


UNCERTAIN: dict[str, Callable[[World], bytes]] = {
    "a stranger": lambda world: world.letter("", "Hello", sender="new@elsewhere.test", to=ADDRESS),
    "no tag in the header": lambda world: world.letter("Altair", f"{the_tag(world, 'Altair')}\nAdd 1", to=ADDRESS),
    "another sender than the holder": lambda world: world.letter("Altair", "Add 1", sender="mallory@elsewhere.test"),
    "two senders": lambda world: world.letter("Altair", "Add 1", sender="altair@players.test, mallory@elsewhere.test"),
    "a tag of another game besides": lambda world: world.letter("Altair", f"{the_tag(world, 'Deneb', 'galaxy-8')}\nAdd 1"),
    "a tag of another game in base64": lambda world: in_base64(
        world.letter("Altair", ""), f"{the_tag(world, 'Deneb', 'galaxy-8')}\nAdd 1\n"
    ),
    "a mail of another game is answered, too": lambda world: world.letter(
        "Altair", "Add 1", headers={"References": world.outbox("report", "Deneb")[0].message_id}
    ),
    "a tag of a game that there is not": lambda world: world.letter("Altair", "Add 1").replace(b"+g1p", b"+g99p"),
    "the code of a question": answer_to_question,
    "a token that counts no more": after_a_new_token,
    "a game that is over": after_the_game,
    "the game master": lambda world: world.letter("", "STATUS", sender="gm@pbmd.test", to=ADDRESS),
}


@pytest.mark.parametrize("what", CERTAIN)
def test_a_letter_is_of_the_game_whose_tags_alone_it_shows(world: World, what: str) -> None:
    world.arrive(CERTAIN[what](world))
    assert assign_lanes(world.desk) == {world.game().id}
    assert process_letters_of(world.desk, world.game().id or 0) == 1
    assert world.sheet("Altair") == ["Add 1"]


@pytest.mark.parametrize("what", UNCERTAIN)
def test_a_letter_that_points_anywhere_else_is_of_nobody(world: World, what: str) -> None:
    world.arrive(UNCERTAIN[what](world))
    assert assign_lanes(world.desk) == set()
    assert lanes_with_letters(world.desk) == []
    assert process_letters_of(world.desk, world.game().id or 0) == 0
    assert process_letters(world.desk) == 1


def test_a_letter_that_was_cut_is_of_nobody(world: World) -> None:
    world.arrive(world.letter("Altair", "Add 1"), truncated=True)
    assert assign_lanes(world.desk) == set()


def test_nobody_is_asked_about_letters_after_one_that_is_of_nobody(world: World) -> None:
    """They wait for it in any case."""
    world.arrive(world.letter("Altair", "Add 1"))
    world.arrive(UNCERTAIN["a stranger"](world))
    world.arrive(world.letter("Borealis", "Add 1"))
    assign_lanes(world.desk)
    assert [letter.game_id for letter in world.letters()] == [world.game().id, None, None]
    assert process_letters_of(world.desk, world.game().id or 0) == 1
    assert process_letters(world.desk) == 2


def test_letters_of_a_game_are_in_order_though_one_of_them_is_dealt_with_where_all_games_are(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one in the middle answers a mail of another game, too; the last changes the orders of the one before it."""
    monkeypatch.setattr("pbmd.daemon.dispatch.FEW", 0)
    world.arrive(world.letter("Altair", "Add 1"))
    world.arrive(UNCERTAIN["a mail of another game is answered, too"](world))
    world.arrive(world.letter("Altair", "Add 3"))
    shared_pass(world.desk, lambda _: None, lambda: None)
    assert {letter.state for letter in world.letters()} == {LetterState.DONE}
    assert [each.letter_id for each in sorted(world.submissions(), key=lambda each: each.number)] == [1, 2, 3]
    assert world.sheet("Altair") == ["Add 3"]


def test_a_letter_that_has_to_do_with_more_than_its_game_is_given_back_and_those_after_it_wait(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deal(work: Transaction, arrived: Arrived, *more: Any) -> None:
        if arrived.id == 2:
            work.must_be_alone()
        deal_with(work, arrived, *more)

    monkeypatch.setattr(mailroom, "deal_with", deal)
    for number in (1, 2, 3):
        world.arrive(world.letter("Altair", f"Add {number}"))
    (game,) = assign_lanes(world.desk)
    assert process_letters_of(world.desk, game) == 1
    assert [(letter.game_id, letter.note) for letter in world.letters()][1:] == [(None, GIVEN_BACK), (game, "")]
    assert assign_lanes(world.desk) == set(), "once is enough"
    assert process_letters_of(world.desk, game) == 0, "the next waits for it"
    assert process_letters(world.desk) == 2
    assert [each.letter_id for each in sorted(world.submissions(), key=lambda each: each.number)] == [1, 2, 3]
    assert world.sheet("Altair") == ["Add 3"]


_WORKER = """
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from secrets import token_bytes
from pbmd.daemon import worker
from pbmd.post import time_limit
from pbmd.post.read import letter
from tests.desk.world import World

def without_end(*_):
    while True:
        pass

letter._with_text = without_end
letter.within = lambda _seconds: time_limit.within(0.5)
world = World(Path(sys.argv[2]), database=sys.argv[1], now=datetime.fromisoformat(sys.argv[3]))
world.settle(server={"database": sys.argv[1]})
worker.work(replace(world.desk, entropy=token_bytes))
"""


def test_a_letter_that_would_take_a_worker_for_ever_is_let_go(
    new_desk: NewDesk, ledger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stops it is a signal, which is heard in the main thread only: so a worker deals with games there."""
    monkeypatch.setattr("pbmd.daemon.bell.LOOK_SECONDS", 0.0)
    world, other = new_desk(), new_desk()
    world.count()
    world.arrive(world.letter("Altair", "Add 1"))
    (game,) = assign_lanes(world.desk)
    command = [sys.executable, "-c", _WORKER, ledger, str(other.folder), world.now.isoformat()]
    with subprocess.Popen(command) as process, closing(Bell(ledger)) as ring:
        try:
            wait_until(ring.has_workers)
            ring.ring([game])
            wait_until(lambda: world.rows(Letter, Letter.state != LetterState.NEW))
        finally:
            process.terminate()
    # As long as it may take no transaction is ended for its silence, on the slowest machine.
    assert 10 * Limits().seconds <= SILENT_SECONDS
    assert TOO_COSTLY.partition(".")[0] in " ".join(body_of(world.outbox("acknowledgement")[-1]).split())
