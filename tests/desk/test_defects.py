"""A letter that meets a defect is kept, its game waits for it, its sender and the game master know, and it is tried again."""

from datetime import timedelta

import pytest

from pbmd.desk.changes import letters_put_aside, pauses
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import GameStatus, LetterState
from pbmd.rules import registry
from pbmd.rules.protocol import Refused
from tests.desk.world import ADDRESS, BEGIN, address_of, body_of, message_of

DAY = timedelta(days=1)


@pytest.fixture
def defect(monkeypatch):
    """A defect in the taking of orders; gives what mends it."""

    def breaks(*_):
        raise ZeroDivisionError("secret words")

    monkeypatch.setattr("pbmd.desk.player.serve.take_orders", breaks)
    return monkeypatch.undo


@pytest.fixture
def broken(running, defect):
    """A game that met the defect in a letter of Altair's."""
    running.send("Altair", "Add 3")
    running.mend = defect
    return running


def test_rules_that_try_to_end_the_process_end_their_own_game_and_no_other(running, monkeypatch):
    def ends(*_):
        raise SystemExit(0)

    running.count("galaxy-8", ("Altair", "Borealis"))
    monkeypatch.setattr("pbmd.desk.player.serve.take_orders", ends)
    running.send("Altair", "Add 3")
    monkeypatch.undo()
    assert running.letters()[0].state is LetterState.QUARANTINED
    assert running.game().status is GameStatus.PAUSED
    assert len(running.outbox("alarm")) == 1
    assert running.game("galaxy-8").status is GameStatus.RUNNING


def test_whose_letter_it_is_is_known(broken):
    (letter,) = broken.letters()
    assert (letter.state, letter.game_id) == (LetterState.QUARANTINED, broken.game().id)
    assert letter.seat_id == broken.seat("Altair").id


def test_the_game_waits_so_that_no_deadline_passes(broken):
    assert broken.game().status is GameStatus.PAUSED
    assert broken.pass_time(9 * DAY) == 0
    assert broken.log("nmr") == []


def test_the_game_master_gets_an_alarm_with_the_place_and_without_the_words(broken):
    (alarm,) = broken.outbox("alarm")
    assert alarm.recipient == "gm@pbmd.test"
    assert "ZeroDivisionError" in body_of(alarm)
    assert "pbmd letter 1" in body_of(alarm)
    assert "pbmd resume galaxy-7" in body_of(alarm)
    assert "secret words" not in body_of(alarm)
    assert "Add 3" not in body_of(alarm)


def test_the_player_is_answered_in_plain_words(broken):
    (notice,) = broken.outbox("notice")
    assert notice.recipient == address_of("Altair")
    told = " ".join(body_of(notice).split())
    for words in (
        "your mail has arrived and is kept",
        "a bug of its own",
        "The game master knows",
        "You need not send it again",
    ):
        assert words in told
    assert message_of(notice)["In-Reply-To"] == "<letter1@players.test>"


def test_other_letters_are_dealt_with(broken):
    broken.mend()
    assert "are in" in broken.send("Borealis", "Add 1")


def test_when_the_game_goes_on_the_letter_is_dealt_with_as_of_its_arrival(broken):
    broken.mend()
    broken.now += 9 * DAY
    broken.act("galaxy-7", pauses.resume)
    process_letters(broken.desk)
    assert broken.sheet("Altair") == ["Add 3"]
    assert broken.submissions()[0].arrived_at == BEGIN
    assert [line.detail for line in broken.log("retried")] == ["letter 1"]
    assert "your orders for turn 1 are in" in body_of(broken.outbox("acknowledgement")[-1])


def test_a_game_that_goes_on_too_soon_stops_again_and_the_player_is_not_told_again(broken):
    broken.act("galaxy-7", pauses.resume)
    process_letters(broken.desk)
    assert broken.game().status is GameStatus.PAUSED
    assert len(broken.outbox("alarm")) == 2
    waits = [mail for mail in broken.outbox("notice", "Altair") if "your mail waits" in message_of(mail)["Subject"]]
    assert len(waits) == 1


def test_several_letters_stop_the_game_once(broken):
    broken.send("Borealis", "Add 3")
    assert len(broken.log("defect")) == 1
    assert [mail.recipient for mail in broken.outbox("notice")] == [address_of("Altair"), address_of("Borealis")]


def test_many_letters_that_meet_a_defect_make_two_mails_to_the_game_master(broken):
    for number in range(20):
        broken.send("Borealis", f"Add {number}")
    assert len(broken.log("quarantine")) == 21
    assert len(broken.outbox("alarm")) == 2  # the game is paused, and one of the letters that came then


def test_an_automatic_letter_gets_no_answer(running, defect):
    running.send("Altair", "Add 3", headers={"Auto-Submitted": "auto-replied"})
    running.send("Altair", "Add 3", headers={"Precedence": "bulk"})
    assert running.outbox("notice") == []


def test_before_the_game_begins_it_is_not_paused_and_one_letter_can_be_tried_again(world, defect):
    world.open("galaxy-7", "Altair")
    world.send("Altair", "Add 3")
    assert world.game().status is GameStatus.SIGNUP
    assert "pbmd letter 1 --retry" in body_of(world.outbox("alarm")[0])
    for _ in range(2):
        with world.work() as work:
            letters_put_aside.retry(work, 1)
        process_letters(world.desk)
    assert len(world.outbox("alarm")) == 1
    defect()
    with world.work() as work:
        letters_put_aside.retry(work, 1)
    process_letters(world.desk)
    assert world.letters()[0].state is LetterState.DONE


def test_only_what_was_put_aside_can_be_tried_again(running):
    running.send("Altair", "Add 3")
    for letter, why in ((1, "was not put aside"), (2, "there is no letter 2")):
        with pytest.raises(Refused, match=why), running.work() as work:
            letters_put_aside.retry(work, letter)


def test_a_strangers_letter_stops_no_game(running, monkeypatch):
    def breaks(*_, **__):
        raise ZeroDivisionError

    running.open("galaxy-8")
    monkeypatch.setattr("pbmd.desk.clerk.receive_visitor", breaks)
    running.send("Mallory", "JOIN galaxy-8 AS Mallory", to=ADDRESS)
    assert running.letters()[0].state is LetterState.QUARANTINED
    assert running.game().status is GameStatus.RUNNING
    [alarm] = running.outbox("alarm")
    assert "letter 1: ZeroDivisionError" in " ".join(body_of(alarm).split())


def test_a_letter_of_a_game_whose_ruleset_is_missing_is_kept(running, monkeypatch):
    def gone(_):
        raise registry.UnknownRuleset("gone")

    raw = running.letter("Altair", "Add 3")
    with monkeypatch.context() as patch:
        patch.setattr(registry, "from_folder", gone)
        running.arrive(raw)
        process_letters(running.desk)
    assert running.letters()[0].state is LetterState.QUARANTINED
