"""What a game master who leads a game by mail alone meets: questions, reasons, and clocks that say what holds."""

import pytest

from pbmd.rules.words import with_single_marks
from tests.desk.world import World, address_of, body_of, message_of


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


@pytest.mark.parametrize(
    ("line", "done"),
    [
        ("Extend until 2026-12-01 20:00 because of a fair", "The deadline of turn 1 is Tue 1 Dec 2026 20:00 UTC"),
        ("Please extend the deadline to 1 December 20:00.", "The deadline of turn 1 is Tue 1 Dec 2026 20:00 UTC"),
        ("Deadline: 1 Dec 2026 20:00", "The deadline of turn 1 is Tue 1 Dec 2026 20:00 UTC"),
        ("Extend by 2 days for everybody", "The deadline is 2 days later"),
        ("Pause the game, please", "galaxy-7 is paused"),
        ("Quiet on Saturday and Sunday", "No deadline will fall on these days: Saturday, Sunday"),
        ("Approve request #7", "there is no request 7"),
        ("Roll back turn 1", "turn 1 of galaxy-7 is not resolved"),
        ("EXTEND Altair 1d", "The deadline of Altair is 1 day later"),
        ("Extend the deadline for Altair by 2 days", "The deadline of Altair is 2 days later"),
        ("extend Altair by a day because he is ill", "The deadline of Altair is 1 day later"),
        ("Extend for everybody by one day", "The deadline is 1 day later"),
        ("extend until Friday 20:00 for Altair", "more time for one is written EXTEND 24h FOR Altair"),
        ("Set the deadline to 1 December 20:00", "The deadline of turn 1 is Tue 1 Dec 2026 20:00 UTC"),
        ("New deadline: Tue 1 Dec 2026 20:00 UTC", "The deadline of turn 1 is Tue 1 Dec 2026 20:00 UTC"),
        ("Deadline on Tuesday 1 December at 20:00", "The deadline of turn 1 is Tue 1 Dec 2026 20:00 UTC"),
        ("Extend it by 24h", "The deadline is 1 day later"),
        ("Extend the turn by a day", "The deadline is 1 day later"),
        ("EXTEND 90s", "The deadline is 2 min later"),
        ("Unpause", "galaxy-7 is not paused"),
        ("Kick Altair", "did you mean EJECT <seat>"),
    ],
)
def test_a_command_in_everyday_words_is_understood(running: World, line: str, done: str) -> None:
    assert done in running.master(f"Hello,\n\n{line}\n\nRegards\nBob")


def test_a_word_for_the_game_is_not_the_beginning_of_a_seats_name(world: World) -> None:
    world.count(seats=("Italy", "USA", "Himalaya"))
    assert "The deadline is 1 day later" in world.master("Extend it by 24h")
    for line in ("Extend us by 24h", "Extend him by 24h"):
        assert "for one counter write EXTEND 24h FOR and its name" in world.master(line)
    assert len(world.log("extended")) == 1


@pytest.mark.parametrize("lines", ["EXTEND Altair 24h\nEXTEND 24h FOR Altair", "EXTEND 24h FOR Altair\nextend altair by 24h"])
def test_time_for_a_seat_that_is_asked_for_in_two_ways_is_given_once(running: World, lines: str) -> None:
    running.master(lines)
    assert len(running.log("extended")) == 1


@pytest.mark.parametrize(
    "first", ["TO Altair", "to Altair: psst", "for Altair only", "Altair:", "ALTAIR", ": only for Altair", "to the winners"]
)
def test_what_is_announced_to_some_goes_to_nobody(running: World, first: str) -> None:
    answer = running.master(f"ANNOUNCE {first}\nA secret\nEND ANNOUNCE")
    assert "an announcement goes to all players, so nothing was sent" in answer
    assert not running.log("announced")


@pytest.mark.parametrize("first", ["", ":", " TO ALL", " to everybody:", ": Altair has won", "MENT for all players"])
def test_what_is_announced_to_all_does(running: World, first: str) -> None:
    running.master(f"ANNOUNCE{first}\nHello\nEND ANNOUNCE")
    assert running.log("announced")
    words = told(running, "Altair")
    assert "Hello" in words
    assert "everybody" not in words
    assert "TO ALL" not in words


@pytest.mark.parametrize("line", ["Resolve the turn now", "Abandon the game", "Extend to today 20:00"])
def test_everyday_words_are_still_asked_about_where_nothing_brings_it_back(running: World, line: str) -> None:
    running.master(line)
    assert running.questions("gm@pbmd.test")
    assert running.game().closed_at is None
    assert not running.log("extended")


@pytest.mark.parametrize("who", ["Ann Lee <ann@x.test>", '"Lee, Ann" <ann@x.test>', '"ann@x.test"', "<ann@x.test>"])
def test_a_seat_is_offered_to_an_address_as_mail_programs_write_it(running: World, who: str) -> None:
    running.master(f"Replace Altair with {who}")
    assert "It would be offered to ann@x.test." in body_of(running.questions("gm@pbmd.test")[-1])


def test_an_answer_is_about_what_may_have_been_a_command_and_not_about_the_greeting(running: World) -> None:
    running.master("Hello,\n\nPauze everything\n\nRegards\nBob")
    answer = running.outbox("gm")[-1]
    assert message_of(answer)["Subject"].startswith('[pbmd galaxy-7 t1] "Pauze everything" is no command')
    assert '"Hello," is no command' in body_of(answer)


@pytest.mark.parametrize(
    "text",
    [
        "If nobody answers, I shall have to\npause the game because\nwe are waiting.",
        "What I told the players: the\ndeadline is 1 Dec 2026 20:00\nand they agreed.",
    ],
)
def test_a_piece_of_a_sentence_is_no_command_and_is_told(running: World, text: str) -> None:
    answer = running.master(text)
    assert "stands in a sentence, so nothing was done" in answer
    assert not running.log("paused")
    assert not running.log("extended")


@pytest.mark.parametrize(
    "above", ["Hi", "Dear host,", "All is well now.", "STATUS", "What I want:", "I am on the road and it is\n"]
)
def test_a_command_below_a_greeting_or_a_whole_sentence_is_done(running: World, above: str) -> None:
    assert "galaxy-7 is paused" in running.master(f"{above}\npause the game\nthanks")


def test_a_command_in_capitals_is_meant_wherever_it_stands(running: World) -> None:
    assert "galaxy-7 is paused" in running.master("As I have said to everybody here\nPAUSE")


@pytest.mark.parametrize("line", ["Status?", "Log?", "Help me, please", "help?"])
def test_what_only_shows_something_can_be_asked(running: World, line: str) -> None:
    assert "is no command" not in running.master(line)
    assert message_of(running.outbox("gm")[-1])["Subject"].split("] ")[1] in ("status", "log", "help")


def test_a_command_that_does_something_is_not_done_if_it_is_a_question(running: World) -> None:
    assert '"Pause?" is no command' in running.master("Pause?")


def test_a_deadline_can_have_the_offset_of_its_clock(running: World) -> None:
    answer = running.master("DEADLINE 2026-11-27T20:00:00+01:00")
    assert "The deadline of turn 1 is Fri 27 Nov 2026 19:00 UTC" in answer


@pytest.mark.parametrize("seats", ["Altair, Borealis", "Altair and Cygnus", "Altair, Borealis, and Cygnus"])
def test_several_seats_in_one_command_need_a_line_each(running: World, seats: str) -> None:
    assert f'"{seats}" names several seats; write a line for each of them' in running.master(f"EXTEND 1d FOR {seats}")
    assert f'"{seats}" names several seats; write a line for each of them' in running.master(f"EXTEND {seats} 1d")
    assert not running.log("extended")


def test_a_new_game_may_be_called_one(running: World) -> None:
    running.master("New game nebula-2\nruleset: count\nEND NEW")
    assert running.game("nebula-2").ruleset == "count"


@pytest.mark.parametrize(
    "above",
    ["Please do the following for me:", "Anna is ill, so here is what I want :-)", "Bob Miller of galaxy-7 and more ->"],
)
def test_a_command_below_a_line_that_announces_it_is_done(running: World, above: str) -> None:
    assert "galaxy-7 is paused" in running.master(f"Hello,\n\n{above}\npause the game")


def test_what_only_asks_is_done_wherever_it_stands(running: World) -> None:
    assert "stands in a sentence" not in running.master("Let me see how it stands\nstatus?")


@pytest.mark.parametrize(
    ("topic", "usage"), [("extend", "EXTEND <time>"), ("on eject", "EJECT <seat>"), ("more time", "EXTEND <time>")]
)
def test_help_on_a_command_is_of_that_command_alone(running: World, topic: str, usage: str) -> None:
    answer = running.master(f"help {topic}")
    assert usage in answer
    assert "ABANDON" not in answer


def test_help_on_what_there_is_not_says_so(running: World) -> None:
    assert 'There is no help on "xyzzy"' in running.master("help xyzzy")


def test_an_announcement_may_begin_in_the_line_of_its_command(running: World) -> None:
    running.master("Announce: Hello all,\nPause because of Christmas\nEND ANNOUNCE")
    assert "| Hello all, | Pause because of Christmas" in told(running, "Altair")
    assert not running.log("paused")


def test_an_announcement_without_its_end_is_not_sent_and_no_command_in_it_is_done(running: World) -> None:
    assert "END ANNOUNCE is missing" in running.master("ANNOUNCE Hello all\nPause because of Christmas")
    assert not running.log("paused")


def test_a_sentence_that_begins_like_an_announcement_costs_no_command_below_it(running: World) -> None:
    answer = running.master("Hi,\nAnnounce the results soon.\nannounce it now!\n\nPAUSE because of Christmas")
    assert '"Announce the results soon." is no command' in answer
    assert running.log("paused")
    assert "| Hello all" in told_after(running, "Announce Hello all.\nEND ANNOUNCE")


def test_below_such_a_sentence_an_announcement_without_its_end_still_takes_all(running: World) -> None:
    assert "END ANNOUNCE is missing" in running.master("Announce the results soon.\nANNOUNCE\nPause because of Christmas")
    assert not running.log("paused")


def told_after(world: World, text: str) -> str:
    world.master(text)
    return told(world, "Altair")


def test_a_command_in_the_subject_is_told_as_not_read(running: World) -> None:
    running.master("STATUS")
    answer = running.reply(running.outbox("alarm")[-1], "", subject="Re: PAUSE")
    assert "A command in the subject is not read" in answer
    assert not running.log("paused")
