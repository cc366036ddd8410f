"""What a game master who leads a game by mail alone meets: questions, reasons, and clocks that say what holds."""

from pbmd.rules.words import with_single_marks
from tests.desk.world import World, address_of, body_of


def told(world: World, seat: str) -> str:
    return " ".join(body_of([mail for mail in world.mails() if mail.recipient == address_of(seat)][-1]).split())


def test_a_command_in_reply_to_a_question_is_done_and_the_question_stays_open(running: World) -> None:
    running.master("RESOLVE")
    question = running.questions("gm@pbmd.test")[-1]
    answer = " ".join(running.reply(question, "EXTEND 24h").split())
    assert "could not be read" not in answer
    assert running.log("extended")
    assert running.game().closed_at is None
    running.reply(question, "perhaps")
    assert "could not be read" in " ".join(body_of(running.outbox("gm")[-1]).split())


def test_a_yes_still_answers_the_question(running: World) -> None:
    running.sure("RESOLVE")
    assert running.game().closed_at is not None


def test_after_resolve_nobody_is_told_that_time_is_left(running: World) -> None:
    running.sure("RESOLVE because all is said")
    words = told(running, "Altair")
    assert "Time left" not in words
    assert "Orders are due as soon as all mail that has arrived is read" in words
    answer = running.send("Borealis", "STATUS")
    assert "Time left" not in answer


def test_a_reason_is_told_with_who_gave_it(running: World) -> None:
    running.master("PAUSE because the server moves")
    assert "The game master gives this reason: | the server moves" in told(running, "Altair")
    running.master("RESUME")
    running.send("Altair", "EXTEND 1h because of a train")
    assert "Altair gives this reason: | a train" in told(running, "Borealis")
    running.master("ANNOUNCE\nHello\nEND ANNOUNCE")
    assert "gives this reason" not in told(running, "Altair")


def test_a_sentence_ends_once(running: World) -> None:
    answer = running.master("NEW nebula-1\nruleset: diplomcy\nseats: 7\nEND NEW")
    assert "?." not in answer
    assert "?." not in " ".join(running.send("Altair", "PRESS TO Boreals\nx\nEND PRESS").split())
    assert with_single_marks('did you mean "diplomacy"?. Wait... etc. So..') == 'did you mean "diplomacy"? Wait... etc. So.'


def test_time_can_be_given_in_other_words(running: World) -> None:
    running.master("Extend the deadline by 24h")
    assert running.log("extended")
