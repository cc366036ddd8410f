"""A mail that could be for any of several games of its player is held; who names the game keeps the time at which it came."""

from datetime import timedelta

import pytest

from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Confirmation, ConfirmationState, GameStatus, LetterState
from tests.desk.due.test_advance import BEGIN, DEADLINE, HOUR
from tests.desk.world import ADDRESS, NAMES, address_of, body_of, message_of

ANNA = address_of("Altair")


@pytest.fixture
def two(world):
    """Anna is Altair in two games."""
    world.count("galaxy-7")
    world.count("galaxy-8")
    return world


def asked(world, text="Add 3", **more):
    """A mail for nobody knows which game; gives the question."""
    world.send("Altair", text, **({"to": ADDRESS} | more))
    return world.questions(ANNA)[-1]


def sheets(world):
    return {name: [sheet["lines"] for sheet in world.position(name)["sheets"]] for name in ("galaxy-7", "galaxy-8")}


NOTHING = {"galaxy-7": [], "galaxy-8": []}


@pytest.mark.parametrize("name", ["galaxy-8", "Galaxy-8.", "Altair in galaxy-8", "Hello,\ngalaxy-8\n\nAnna"])
def test_who_names_the_game_has_the_mail_dealt_with(two, name):
    answer = two.reply(asked(two), name)
    assert "your orders for turn 1 are in" in answer
    assert sheets(two) == {"galaxy-7": [], "galaxy-8": [["Add 3"]]}
    assert [letter.state for letter in two.letters()] == [LetterState.DONE] * 2
    assert two.log("held")[0].detail.endswith("its player was asked")


def test_it_counts_with_the_time_at_which_it_came(two):
    question = asked(two)
    two.now = DEADLINE - HOUR
    assert "late" not in two.reply(question, "galaxy-8")
    assert two.submissions()[0].arrived_at == BEGIN


@pytest.mark.parametrize("text", ["YES", "galaxy-7\ngalaxy-8", "galaxy-8\nNO", "galaxy-9", "> galaxy-8", "Add 4"])
def test_what_names_no_game_or_two_is_asked_again_and_a_reply_to_that_counts(two, text):
    question = asked(two)
    assert "the name of the game" in " ".join(two.reply(question, text).split())
    assert sheets(two) == NOTHING
    two.reply(two.outbox("acknowledgement")[-1], "galaxy-7")
    assert sheets(two) == {"galaxy-7": [["Add 3"]], "galaxy-8": []}


def test_what_else_the_answer_says_is_named(two):
    answer = two.reply(asked(two), "galaxy-8\nAdd 9")
    assert "Add 9" in answer.partition("SKIPPED, not read as orders")[2]
    assert "galaxy-8" not in answer.partition("SKIPPED, not read as orders")[2].partition("\nTO CHANGE SOMETHING\n")[0]


def test_a_no_changes_nothing(two):
    assert "Nothing was changed" in two.reply(asked(two), "NO")
    assert sheets(two) == NOTHING
    assert "not theirs" in two.letters()[0].note


@pytest.mark.parametrize("quote", ["", "> ", "| ", "\n"])
def test_a_vacation_reply_that_quotes_all_chooses_nothing(two, quote):
    question = asked(two, "galaxy-7\nAdd 3\nNO")
    quoted = "\n".join(quote + line for line in body_of(question).splitlines())
    two.reply(question, f"I am away.\n{quoted}")
    assert two.letters()[0].state is LetterState.HELD


@pytest.mark.parametrize("sender", ["mallory@evil.test", "borealis@players.test"])
def test_nobody_else_can_choose(two, sender):
    two.reply(asked(two), "galaxy-8", sender=sender)
    assert two.letters()[0].state is LetterState.HELD
    assert [mail for mail in two.outbox() if mail.recipient == "mallory@evil.test"] == []


def test_a_machine_chooses_nothing(two):
    assert two.reply(asked(two), "galaxy-8", headers={"Auto-Submitted": "auto-generated"}) == ""
    assert two.letters()[0].state is LetterState.HELD


def test_a_game_that_is_no_longer_the_players_cannot_be_chosen(two):
    question = asked(two)
    two.send("Altair", "RESIGN", game="galaxy-8")
    two.reply(two.questions(ANNA)[-1], "YES")
    two.reply(question, "galaxy-8")
    assert sheets(two) == NOTHING
    two.reply(question, "galaxy-7")
    assert sheets(two) == {"galaxy-7": [["Add 3"]], "galaxy-8": []}


def test_who_does_not_say_for_which_is_told_so_in_either_game(two):
    two.count("galaxy-9", seats=("Borealis", "Cygnus"))
    asked(two)
    two.pass_time(timedelta(days=4))
    missed = {line.game: line.detail for line in two.log("nmr") if line.seat == "Altair"}
    assert missed == dict.fromkeys(("galaxy-7", "galaxy-8"), "mail came in this player's name, but it was not confirmed")
    assert {line.detail for line in two.log("nmr") if line.seat != "Altair"} == {"no mail with orders arrived"}


def test_when_one_of_the_games_is_over_the_other_can_be_chosen_still(world):
    world.count("galaxy-7", target=1)
    world.count("galaxy-8")
    question = asked(world)
    for seat in NAMES:
        world.send(seat, "Add 5")
    world.pass_time(timedelta(minutes=1))
    assert world.game("galaxy-7").status is GameStatus.FINISHED
    assert "could not be read" in world.reply(question, "Hello")
    assert "galaxy-7 is over" in world.reply(question, "galaxy-7")
    world.reply(question, "galaxy-8")
    assert sheets(world)["galaxy-8"] == [["Add 3"]]


def test_with_two_seats_in_a_game_the_seat_must_be_named(world):
    world.count()
    with world.changed("Borealis") as seat:
        seat.address = ANNA
    question = asked(world)
    assert "Reply with one and your seat in it" in body_of(question)
    assert "the game and your seat in it, as they stand in the question" in " ".join(world.reply(question, "galaxy-7").split())
    world.reply(question, "Borealis in galaxy-7")
    assert world.sheet("Borealis") == ["Add 3"]


@pytest.mark.parametrize("named", ["galaxy-7: Borealis", "Galaxy-7, Borealis", "Hello,\ngalaxy-7: Borealis\n\nAnna"])
def test_a_seat_can_be_named_with_its_game_as_the_question_has_them(world, named):
    world.count()
    with world.changed("Borealis") as seat:
        seat.address = ANNA
    world.reply(asked(world), named)
    assert world.sheet("Borealis") == ["Add 3"]


def test_the_question_shows_the_mail_in_the_words_of_each_game_only(two):
    text = body_of(asked(two, "Add 3\nhttp://evil.test\nWAIT"))
    assert text.count("|     Add 3") == text.count("|     WAIT") == text.count("… and 1 more line") == 2
    assert "evil" not in text
    assert max(map(len, text.splitlines())) <= 72


def test_it_shows_no_token(two):
    question = asked(two)
    for game in ("galaxy-7", "galaxy-8"):
        assert two.reply_address("Altair", game).partition("+")[2].partition("@")[0].encode() not in question.raw
    assert message_of(question)["Reply-To"].startswith("games+c")


def test_after_some_days_it_is_too_late(two):
    question = asked(two)
    two.now += timedelta(days=8)
    process_letters(two.desk)
    assert "not open any more" in " ".join(two.reply(question, "galaxy-7", read=True).split())
    assert two.letters()[0].note == "it was never confirmed"
    assert two.rows(Confirmation)[0].state is ConfirmationState.EXPIRED


def test_while_it_waits_nobody_is_asked_anything_else_about_it(two):
    asked(two)
    process_letters(two.desk)
    two.send("Borealis", "STATUS")
    assert len(two.questions()) == 1
    assert two.letters()[0].state is LetterState.HELD
