"""Whoever has lost a seat and replies to a mail of it always learns what became of it, and how to play again."""

from typing import Any

import pytest
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.seats import Consent, Holder, give_up, hand_over
from pbmd.ledger.tables import Letter, Outbox
from pbmd.post.tags import Tag, make_token, plus_address
from pbmd.rules.protocol import Refused
from tests.desk.world import ADDRESS, World, address_of, body_of

DORA, EVE = "dora@players.test", "eve@players.test"
ALTAIR = address_of("Altair")


def to_other_address(work: Transaction, table: OpenGame) -> None:
    """As if it had been confirmed from both."""
    hand_over(work, table, table.seat("Altair"), DORA, Consent(0))


def to_eve(work: Transaction, table: OpenGame) -> None:
    hand_over(work, table, table.seat("Altair"), EVE, Consent(1), Holder("Eve", "UTC"))


def eve_moves(work: Transaction, table: OpenGame) -> None:
    hand_over(work, table, table.seat("Altair"), "eve@else.test", Consent(2))


def resigns(work: Transaction, table: OpenGame) -> None:
    give_up(work, table, table.seat("Altair"))


def answer_to(world: World, text: str, to: str, sender: str = ALTAIR) -> str:
    """What is answered to a reply of who had a seat."""
    before = len(world.outbox())
    world.send("", text, sender=sender, to=to)
    return " ".join(body_of(mail) for mail in world.outbox()[before:] if mail.recipient == sender).replace("\n", " ")


def lost(world: World, trust: str = "token") -> str:
    """The address for replies to Altair's mails, after somebody else got the seat."""
    if trust == "strict":
        world.settle(mail={"authserv_id": "mx.pbmd.test"})
    world.count(trust=trust)
    old = world.reply_address("Altair")
    world.act("galaxy-7", to_dora)
    return old


def to_dora(work: Transaction, table: OpenGame) -> None:
    """As if she had said yes to an offer."""
    hand_over(work, table, table.seat("Altair"), DORA, Consent(0), Holder("Dora", "UTC"))


@pytest.mark.parametrize(
    "line", ["I'M BACK", "Add 7", "STATUS", "RESIGN", "hello, what is going on?", "NEW TOKEN", "Add 7\nWAIT"]
)
@pytest.mark.parametrize("trust", ["open", "token", "strict"])
def test_whatever_they_write_they_learn_that_the_seat_is_not_theirs(world: World, line: str, trust: str) -> None:
    old = lost(world, trust)
    answer = answer_to(world, line, old)
    assert "Altair in galaxy-7 is played by somebody else now and is no longer yours" in answer
    assert "STANDBY ALL" in answer
    assert "You need not resign" in answer
    assert DORA not in answer
    assert world.sheet("Altair") is None


def test_what_they_wrote_stands_in_the_answer_as_not_read(world: World) -> None:
    assert "Add 7" in answer_to(world, "Add 7", lost(world))


def test_they_learn_it_each_time_they_write_something_else(world: World) -> None:
    old = lost(world)
    assert all("played by somebody else" in answer_to(world, line, old) for line in ("I'M BACK", "Add 7", "Add 8"))


def test_the_letter_stands_in_the_log_with_its_seat(world: World) -> None:
    answer_to(world, "Add 7", lost(world))
    assert world.log("letter")[-1].seat == "Altair"
    assert "from somebody who has lost the seat" in world.log("letter")[-1].detail
    assert world.rows(Letter)[-1].note == "from somebody who has lost the seat"


def test_a_machine_gets_no_answer(world: World) -> None:
    old = lost(world)
    before = len(world.outbox())
    world.send("", "Add 7", sender=ALTAIR, to=old, headers={"Auto-Submitted": "auto-replied"})
    assert len(world.outbox()) == before


def test_orders_for_a_lost_seat_do_not_go_to_another_game_of_the_same_player(world: World) -> None:
    old = lost(world, "open")
    world.count("galaxy-8", trust="open")
    assert "Altair in galaxy-7 is played by somebody else now" in answer_to(world, "Add 7", old)
    assert not world.journal("orders")


def test_who_has_the_seat_and_replies_to_an_older_mail_is_asked_as_before(world: World) -> None:
    world.count()
    old = world.reply_address("Altair")
    world.send("Altair", "NEW TOKEN")
    world.send("Altair", "Add 7", to=old)
    assert world.questions(ALTAIR)
    assert "played by somebody else" not in " ".join(body_of(mail) for mail in world.outbox(seat="Altair"))


def test_a_substitute_whose_time_is_over_learns_that_the_player_has_the_seat_again(world: World) -> None:
    world.count()
    world.send("Altair", f"SUBSTITUTE {DORA} FROM 2026-11-20 TO 2026-11-22")
    world.confirm(DORA)
    assert world.seat("Altair").address == DORA
    old = world.reply_address("Altair")
    world.master("NO SUBSTITUTE Altair")
    assert world.seat("Altair").address == ALTAIR
    answer = answer_to(world, "Add 7", old, sender=DORA)
    assert "Your time as a substitute is over: Altair in galaxy-7 is its player's again" in answer


def test_a_player_who_is_away_is_not_told_that_the_seat_is_lost(world: World) -> None:
    world.count()
    older = world.reply_address("Altair")
    world.send("Altair", "NEW TOKEN")
    last = world.reply_address("Altair")
    world.send("Altair", f"SUBSTITUTE {DORA} FROM 2026-11-20 TO 2026-11-22")
    world.confirm(DORA)
    assert "no longer yours" not in answer_to(world, "I'm back", older)
    assert "A substitute has Altair" in answer_to(world, "I'm back", last)


def test_who_plays_from_another_address_now_is_told_to_write_from_there(world: World) -> None:
    world.count()
    old = world.reply_address("Altair")
    world.act("galaxy-7", to_other_address)
    answer = answer_to(world, "I'm back", old)
    assert "Altair in galaxy-7 is played from another address now" in answer
    assert "write from that address" in answer
    assert DORA not in answer


def test_a_token_that_ended_long_ago_is_not_looked_for(world: World) -> None:
    old = lost(world)
    with world.changed("Altair") as seat:
        seat.token_generation += 100
    assert answer_to(world, "Add 7", old) == ""


def test_many_tags_of_a_seat_cost_no_more_tokens_than_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    lost(world)
    made: list[object] = []

    def counted(*of: Any) -> str:
        made.append(of)
        return make_token(*of)

    monkeypatch.setattr("pbmd.desk.letter.sender.make_token", counted)
    to = ", ".join(plus_address(ADDRESS, Tag(1, 1, make_token(b"x" * 32, 1, 1, each))) for each in range(50))
    answer_to(world, "Add 7", to)
    assert 0 < len(made) <= 2


def test_where_the_journal_does_not_say_who_had_the_seat_nothing_is_told(world: World) -> None:
    old = lost(world)
    with world.desk.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE journal SET secret = '{}' WHERE kind = 'holder'")
    assert answer_to(world, "Add 7", old) == ""
    assert "no token that is valid" in world.log("letter")[-1].detail


def test_who_gave_the_seat_up_learns_that_it_was(world: World) -> None:
    world.count()
    old = world.reply_address("Altair")
    world.resign("Altair")
    assert "Altair in galaxy-7 was given up and is no longer yours" in answer_to(world, "I'm back", old)


UNSURE = ("somebody else", "another address", "that address", "given up", "taken", "substitute")
"""What only those read for whom it is certain."""


@pytest.mark.parametrize(
    "changes",
    [(to_dora, resigns), (to_dora, to_eve), (to_other_address, resigns), (to_other_address, to_eve)],
    ids=lambda changes: " then ".join(each.__name__ for each in changes),
)
def test_who_lost_a_seat_that_has_changed_hands_since_reads_only_that_it_is_no_longer_theirs(
    world: World, changes: tuple[Any, ...]
) -> None:
    world.count()
    old = world.reply_address("Altair")
    for change in changes:
        world.act("galaxy-7", change)
    answer = answer_to(world, "I'm back", old)
    assert "Altair in galaxy-7 is no longer yours, so nothing in your mail was done." in answer
    assert not [each for each in UNSURE if each in answer]


def test_who_lost_it_to_another_does_not_learn_that_the_other_has_moved(world: World) -> None:
    world.count()
    old = world.reply_address("Altair")
    world.act("galaxy-7", to_eve)
    before = answer_to(world, "Add 7", old)
    world.act("galaxy-7", eve_moves)
    assert answer_to(world, "Add 8", old).replace("Add 8", "Add 7") == before != ""


def test_who_was_ejected_learns_that_the_game_master_has_taken_the_seat(world: World) -> None:
    world.count()
    old = world.reply_address("Altair")
    world.sure("EJECT Altair")
    answer = answer_to(world, "I'm back", old)
    assert "The game master has taken Altair in galaxy-7 from you, so nothing in your mail was done." in answer
    assert "given up" not in answer


def test_who_was_ejected_and_gives_the_seat_up_later_learns_that_it_was_given_up(world: World) -> None:
    world.count()
    world.sure("EJECT Altair")
    world.act("galaxy-7", to_dora)
    old = world.reply_address("Altair")
    world.act("galaxy-7", resigns)
    assert "Altair in galaxy-7 was given up" in answer_to(world, "I'm back", old, sender=DORA)


def test_a_substitute_from_whom_a_seat_that_is_out_of_the_game_comes_back_has_not_moved(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.count()
    world.send("Altair", f"SUBSTITUTE {DORA} FROM 2026-11-20 TO 2026-11-22")
    world.confirm(DORA)
    old = world.reply_address("Altair")

    def refuse(*_: Any) -> None:
        raise Refused("it is out of the game")

    monkeypatch.setattr("pbmd.desk.changes.seats.to_other_hands", refuse)
    world.master("NO SUBSTITUTE Altair")
    assert world.seat("Altair").address == ALTAIR
    assert world.journal("address")
    answer = answer_to(world, "Add 7", old, sender=DORA)
    assert "Altair in galaxy-7 is no longer yours" in answer
    assert not [each for each in UNSURE if each in answer]


def test_in_a_game_that_is_over_nobody_is_told_that_it_does_not_wait(world: World) -> None:
    old = lost(world)
    world.sure("ABANDON")
    answer = answer_to(world, "I'm back", old)
    assert "The game is over." in answer
    assert "need not resign" not in answer


@pytest.mark.parametrize(("line", "said"), [("STANDBY ALL", "when a seat becomes free"), ("LIST", "game"), ("HELP", "by mail")])
def test_what_anybody_may_ask_for_is_done_as_ever(world: World, line: str, said: str) -> None:
    old = lost(world)
    answer = answer_to(world, line, old)
    assert said in answer
    assert "NOTHING DONE" not in world.mails(col(Outbox.recipient) == ALTAIR)[-1].raw.decode("utf-8", "replace")


def test_a_stranger_who_shows_an_old_token_learns_nothing(world: World) -> None:
    old = lost(world)
    stranger = "eve@else.test"
    shown = answer_to(world, "Add 7", old, sender=stranger)
    assert shown == answer_to(world, "Add 7", ADDRESS, sender="emil@else.test") == ""


def test_nor_does_who_had_the_seat_and_shows_a_token_that_it_never_had(world: World) -> None:
    lost(world)
    assert answer_to(world, "Add 7", plus_address(ADDRESS, Tag(1, 1, "a" * 16))) == ""
