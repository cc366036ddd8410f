"""Who is asked must answer from the address that was asked, with the code and the word; then what was asked about is done."""

from datetime import timedelta

import pytest

from pbmd.daemon.heartbeat import deal_with_letters
from pbmd.desk.changes.seats import Holder, send_new_token
from pbmd.desk.confirming.held_letters import ask_whose
from pbmd.desk.mailroom import process_letters
from pbmd.desk.questions.ask import said_in
from pbmd.desk.questions.seat_offers import offer
from pbmd.desk.upkeep.tidying import tidy
from pbmd.ledger.tables import Confirmation, ConfirmationState, GameStatus, LetterState, Seat, SeatState, SubmissionState
from pbmd.post.read.letter import read_letter
from pbmd.rules.protocol import Refused
from tests.desk.due.test_advance import BEGIN, DAY, DEADLINE, HOUR
from tests.desk.world import ADDRESS, NAMES, address_of, body_of, message_of

ANNA, NEW = address_of("Altair"), "anna@elsewhere.test"


def words(text):
    return " ".join(text.split())


def held(world, text="Add 3", **more):
    """A letter without a token arrives and is held; gives the question."""
    world.send("Altair", text, **({"to": ADDRESS} | more))
    assert world.letters()[-1].state is LetterState.HELD
    return world.questions(ANNA)[-1]


class TestHeldLetters:
    """Was this mail yours?"""

    def test_the_player_says_yes_and_it_counts(self, running):
        answer = running.reply(held(running), "YES")
        assert "your orders for turn 1 are in" in answer
        assert running.sheet("Altair") == ["Add 3"]
        assert running.outbox("acknowledgement")[0].recipient == ANNA
        assert [letter.state for letter in running.letters()] == [LetterState.DONE, LetterState.DONE]
        assert running.log("held")[0].seat == running.log("confirmed")[0].seat == "Altair"

    def test_it_counts_with_the_time_at_which_it_came(self, running):
        question = held(running)
        running.now = DEADLINE - HOUR
        running.send("Borealis", "Add 4")
        assert "late" not in running.reply(question, "YES")
        assert running.submissions()[-1].arrived_at == BEGIN
        assert running.sheet("Altair") == ["Add 3"]
        assert [sheet["seat"] for sheet in running.position()["sheets"]] == ["Altair", "Borealis"]

    def test_what_came_late_is_late_however_soon_it_is_confirmed(self, running):
        running.now = DEADLINE + timedelta(seconds=2)
        assert " after the deadline: " in running.reply(held(running, "ORDERS FOR TURN 1\nAdd 3", read=True), "YES")

    def test_the_turn_does_not_wait_and_says_why_it_was_missed(self, running):
        question = held(running)
        for seat in ("Borealis", "Cygnus"):
            running.send(seat, "Add 1")
        assert running.pass_time(timedelta(days=4)) == 1
        assert running.log("nmr")[0].detail == "mail came in this player's name, but it was not confirmed"
        assert "were not taken" in words(running.reply(question, "YES"))
        assert running.sheet("Altair") is None

    def test_a_reminder_says_that_it_waits(self, world):
        world.count(reminders=("24h",))
        held(world)
        world.pass_time(timedelta(hours=50))
        assert "it was not confirmed" in words(body_of(world.outbox("reminder", "Altair")[0]))

    def test_a_later_mail_stays_in_force(self, running):
        question = held(running)
        running.now += HOUR
        running.send("Altair", "Add 5")
        assert "a later mail of yours is in force" in running.reply(question, "YES")
        assert running.sheet("Altair") == ["Add 5"]

    @pytest.mark.parametrize(("first", "then", "waits"), [("WAIT", "READY", False), ("READY", "WAIT", True)])
    def test_what_a_later_mail_said_about_waiting_stays(self, running, first, then, waits):
        question = held(running, first)
        running.now += HOUR
        running.send("Altair", then)
        assert "a later mail of yours is in force" in running.reply(question, "YES")
        assert running.seat("Altair").waits is waits

    def test_what_another_said_about_waiting_does_not_matter(self, running):
        question = held(running, "WAIT")
        running.now += HOUR
        running.send("Borealis", "READY")
        assert "Noted: this turn will wait" in running.reply(question, "YES")
        assert running.seat("Altair").waits

    def test_the_player_says_no_and_nothing_is_done(self, running):
        assert "Nothing was changed" in words(running.reply(held(running), "No."))
        assert running.sheet("Altair") is None
        assert "not theirs" in running.letters()[0].note
        assert running.log("denied")

    @pytest.mark.parametrize("text", ["yes", "Yes!", "> was it you?\n\nYES\n\nAnna", "Hello,\nYES"])
    def test_the_word_may_be_written_in_several_ways(self, running, text):
        running.reply(held(running), text)
        assert running.sheet("Altair") == ["Add 3"]

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "yes, but not like that",
            "YES\nNO",
            "> YES",
            "Add 4",
            "I am away until Monday. Yes, really.",
            "This mailbox is protected.\n\nConfirm\n",
            "Refuse",
        ],
    )
    def test_what_is_neither_yes_nor_no_is_asked_again_once(self, running, text):
        question = held(running)
        assert "only the word YES" in words(running.reply(question, text))
        assert running.sheet("Altair") is None
        assert running.reply(question, text) == ""
        running.reply(question, "YES")
        assert running.sheet("Altair") == ["Add 3"]

    @pytest.mark.parametrize("quote", ["", "> ", "| ", "\n"])
    def test_a_vacation_reply_that_owns_up_to_nothing_and_quotes_all_confirms_nothing(self, running, quote):
        question = held(running, "YES\nAdd 3\nNO\nCONFIRM")
        quoted = "\n".join(quote + line for line in body_of(question).splitlines())
        running.reply(question, f"I am away.\n{quoted}")
        assert running.letters()[0].state is LetterState.HELD
        assert running.sheet("Altair") is None

    @pytest.mark.parametrize(
        "headers", [{"Auto-Submitted": "auto-replied"}, {"Auto-Submitted": "auto-generated"}, {"Precedence": "bulk"}]
    )
    def test_a_machine_confirms_nothing_and_gets_no_answer(self, running, headers):
        assert running.reply(held(running), "YES", headers=headers) == ""
        assert running.letters()[0].state is LetterState.HELD

    @pytest.mark.parametrize("sender", ["mallory@evil.test", "borealis@players.test"])
    def test_nobody_else_can_confirm_even_with_the_code(self, running, sender):
        question = held(running)
        running.reply(question, "YES", sender=sender)
        assert running.letters()[0].state is LetterState.HELD
        assert [mail for mail in running.outbox() if mail.recipient == "mallory@evil.test"] == []

    def test_nor_can_who_does_not_know_the_code(self, running):
        held(running)
        running.send("Altair", "YES", to="games+c1.aaaaaaaaaaaaaaaa@pbmd.test")
        running.send("Altair", "YES", to=ADDRESS, headers={"In-Reply-To": "<question.c1.aaaaaaaaaaaaaaaa.bbbb@pbmd.test>"})
        assert running.letters()[0].state is LetterState.HELD

    @pytest.mark.parametrize("shown", ["to", "headers", "subject"])
    def test_the_code_is_enough_wherever_it_stands(self, running, shown):
        question = held(running)
        bare = {"to": ADDRESS, "headers": {"In-Reply-To": "<x@players.test>"}, "subject": "Re:"}
        del bare[shown]
        running.reply(question, "YES", **bare)
        assert running.sheet("Altair") == ["Add 3"]

    def test_the_same_answer_again_does_nothing(self, running):
        question = held(running)
        running.reply(question, "YES")
        assert "not open any more" in words(running.reply(question, "YES"))
        assert len(running.submissions()) == 1

    def test_an_order_in_the_answer_is_not_carried_out(self, running):
        running.reply(held(running), "YES\nAdd 7\nRESIGN")
        assert running.sheet("Altair") == ["Add 3"]
        assert len(running.questions()) == 1

    @pytest.mark.parametrize("word", ["YES", "NO", "YES and NO"])
    def test_what_else_an_answer_says_is_named_with_the_reason(self, running, word):
        answer = running.reply(held(running), f"{word}\nAdd 7\nRESIGN\n-- \nAnna")
        section = answer.partition("SKIPPED, not read as orders")[2]
        assert "Beside the answer to a question nothing is read" in words(section)
        shown = [line.strip() for line in section.splitlines() if line.startswith("    ")]
        assert shown[-2:] == ["Add 7", "RESIGN"]
        assert "a signature (-- / Anna)" in section

    @pytest.mark.parametrize("quote", ["> ", ""])
    def test_of_the_question_that_an_answer_copies_nothing_is_named(self, running, quote):
        question = held(running)
        copied = "\n".join(quote + line for line in body_of(question).splitlines())
        assert "NOT READ" not in running.reply(question, f"YES\n\n{copied}")

    def test_of_a_question_that_is_kept_no_more_the_answer_is_read_like_any_other(self, running):
        question = held(running)
        with running.work() as work:
            work.session.connection().exec_driver_sql("UPDATE outbox SET state = 'sent', sent_at = queued_at")
        running.pass_time(timedelta(days=31))
        tidy(running.desk, rest=lambda _: None)
        assert running.questions(ANNA)[-1].raw == b""
        answer = running.reply(question, f"YES\nAdd 7\n\n> {body_of(question).replace(chr(10), chr(10) + '> ')}")
        assert "not open any more" in words(answer)
        assert "Add 7" in answer.partition("SKIPPED, not read as orders")[2]

    def test_of_a_flood_besides_a_yes_the_beginning_is_shown(self, running):
        answer = running.reply(held(running), "YES\n" + "Add 1\n" * 1000)
        assert "and 900 more" in answer

    def test_after_some_days_it_is_too_late(self, running):
        question = held(running)
        running.now += timedelta(days=8)
        assert "not open any more" in words(running.reply(question, "YES", read=True))
        assert running.letters()[0].note == "it was never confirmed"
        assert running.rows(Confirmation)[0].state is ConfirmationState.EXPIRED
        assert running.log("expired")

    def test_a_seat_is_asked_three_times_a_day_at_most_and_the_rest_waits(self, running):
        for number in range(5):
            running.send("Altair", f"Add {number}", to=ADDRESS)
        assert len(running.questions()) == 3
        assert {letter.state for letter in running.letters()} == {LetterState.HELD}
        assert "asked often enough today, and will be asked later" in running.log("held")[-1].detail

    def test_what_waits_is_asked_about_when_there_may_be_questions_again(self, running):
        for number in range(5):
            running.send("Altair", f"Add {number}", to=ADDRESS)
        running.now += DAY + timedelta(seconds=1)
        process_letters(running.desk)
        assert ["| Add 3" in body_of(mail) for mail in running.questions()] == [False, False, False, True, False]
        running.reply(running.questions()[-1], "YES")
        assert running.sheet("Altair") == ["Add 4"]
        assert running.submissions()[-1].arrived_at == BEGIN
        process_letters(running.desk)
        assert len(running.questions()) == 5

    def test_a_question_says_how_many_wait(self, running):
        for number in range(5):
            running.send("Altair", f"Add {number}", to=ADDRESS)
        running.now += DAY + timedelta(seconds=1)
        process_letters(running.desk)
        texts = [words(body_of(mail)) for mail in running.questions()]
        assert ["1 more mail in your name waits, too" in text for text in texts] == [False, False, False, True, False]

    def test_forged_mail_does_not_crowd_out_what_shows_a_secret(self, running):
        for number in range(6):
            running.send("Altair", f"Add {number}", to=ADDRESS)
        running.send("Altair", "Add 7", sender="altair@elsewhere.test")
        assert "| Add 7" in body_of(running.questions()[-1])
        running.reply(running.questions()[-1], "YES")
        assert running.sheet("Altair") == ["Add 7"]

    def test_what_shows_a_secret_has_a_limit_of_its_own(self, running):
        for number in range(5):
            running.send("Altair", f"Add {number}", sender="altair@elsewhere.test")
        assert len(running.questions()) == 3
        held(running)
        assert len(running.questions()) == 4

    def test_beyond_a_limit_the_oldest_that_shows_no_secret_is_put_away(self, running, monkeypatch):
        monkeypatch.setattr("pbmd.desk.confirming.held_letters.MOST_WAITING", 4)
        for number in range(5):
            running.send("Altair", f"Add {number}", sender="altair@elsewhere.test")
        for number in range(6):
            running.send("Altair", f"Add {number}", to=ADDRESS)
        states = [letter.state is LetterState.HELD for letter in running.letters()]
        assert states == [True] * 5 + [True] * 3 + [False] + [True] * 2
        assert "newer ones wait already" in running.log("letter")[-1].detail

    def test_what_nobody_could_be_asked_about_does_not_wait_for_ever(self, running):
        running.settle(limits={"confirmations_per_day": 0})
        running.send("Altair", "Add 3", to=ADDRESS)
        running.now += timedelta(days=8)
        running.settle(limits={"confirmations_per_day": 3})
        running.send("Borealis", "STATUS")
        assert running.letters()[0].note == "it was never confirmed"
        assert running.questions() == []

    def test_the_daemon_asks_about_a_letter_that_waits_though_no_other_comes(self, running):
        running.settle(limits={"confirmations_per_day": 0})
        running.send("Altair", "Add 3", to=ADDRESS)
        deal_with_letters(running.desk, lambda: None)
        assert running.questions() == []
        running.settle(limits={"confirmations_per_day": 3})
        assert deal_with_letters(running.desk, lambda: None) == 0
        assert len(running.questions()) == 1

    @pytest.mark.parametrize(
        ("said", "title"),
        [("YES", "you have resigned"), ("NO", "nothing was changed"), ("Perhaps", "your answer could not be read")],
    )
    def test_the_answer_says_in_its_subject_what_came_of_it(self, running, said, title):
        running.send("Altair", "RESIGN")
        running.reply(running.questions()[-1], said)
        assert message_of(running.outbox("acknowledgement")[-1])["Subject"].endswith(title)

    def test_nobody_is_asked_for_a_seat_that_was_given_up(self, running):
        for number in range(4):
            running.send("Altair", f"Add {number}", to=ADDRESS)
        running.resign("Altair")
        before = len(running.questions())
        running.now += DAY + timedelta(seconds=1)
        process_letters(running.desk)
        assert len(running.questions()) == before

    def test_a_letter_that_cannot_be_asked_about_keeps_no_other_from_it(self, running, monkeypatch):
        for number in range(3):
            running.send("Altair", f"Add {number}", to=ADDRESS)
        running.send("Altair", "Add 4", to=ADDRESS)
        running.send("Altair", "Add 5", to=ADDRESS)

        def fails(work, doubt, arrived):
            if arrived.id == 4:
                raise ZeroDivisionError
            return ask_whose(work, doubt, arrived)

        monkeypatch.setattr("pbmd.desk.mailroom.ask_whose", fails)
        running.now += DAY + timedelta(seconds=1)
        process_letters(running.desk)
        assert running.letters()[3].state is LetterState.QUARANTINED
        assert "| Add 5" in body_of(running.questions()[-1])

    def test_one_player_asked_often_is_no_others_loss(self, running):
        for number in range(5):
            running.send("Altair", f"Add {number}", to=ADDRESS)
        running.send("Borealis", "Add 1", to=ADDRESS)
        assert len(running.questions(address_of("Borealis"))) == 1

    @pytest.mark.parametrize("text", ["", "> Add 3"])
    def test_a_mail_that_says_nothing_is_not_held(self, running, text):
        running.send("Altair", text, to=ADDRESS)
        assert running.questions() == []
        assert running.letters()[0].state is LetterState.DONE

    def test_a_mail_of_a_machine_is_not_held(self, running):
        running.send("Altair", "Add 3", to=ADDRESS, headers={"List-Id": "<x.y>"})
        assert running.questions() == []

    def test_the_question_says_what_the_mail_says_only_in_the_words_of_the_rules(self, running):
        hostile = "Add 3\nBuy pills at http://evil.test NOW\nWAIT\nPRESS TO ALL\nhttp://evil.test\nEND PRESS"
        text = body_of(held(running, hostile, sender="mallory@evil.test", to=running.reply_address("Altair")))
        assert "| Add 3" in text
        assert "| WAIT" in text
        assert "| PRESS TO" in text
        assert "mallory@evil.test" in text
        assert "1 line that cannot be shown" in text
        assert "http" not in text
        assert "pills" not in text

    def test_of_a_long_mail_the_question_shows_the_beginning(self, running):
        text = body_of(held(running, "Add 1\n" * 5000))
        assert text.count("| Add 1") == 12
        assert "4988 lines that cannot be shown" in text

    def test_the_question_shows_no_token_and_is_no_order_when_it_comes_back(self, running):
        question = held(running)
        token = running.reply_address("Altair").partition("+")[2].partition("@")[0]
        assert token.encode() not in question.raw
        assert read_letter(question.raw).automatic
        before = running.game().chain_number
        running.arrive(question.raw)
        process_letters(running.desk)
        assert running.game().chain_number == before

    def test_a_reply_to_being_asked_again_is_an_answer_too(self, running):
        running.reply(held(running), "Sure!")
        running.reply(running.outbox("acknowledgement")[-1], "YES")
        assert running.sheet("Altair") == ["Add 3"]

    def test_of_several_seats_the_token_tells_which_even_if_it_is_wrong(self, world):
        world.count("galaxy-7")
        world.count("galaxy-8")
        held(world, to=world.reply_address("Altair", "galaxy-8")[:-12] + "aa@pbmd.test", subject="[pbmd galaxy-8 t1]")
        world.reply(world.questions()[-1], "YES")
        assert [sheet["lines"] for sheet in world.position("galaxy-8")["sheets"]] == [["Add 3"]]

    def test_a_game_that_has_not_begun_holds_nothing(self, world):
        world.open("galaxy-7", "Altair")
        world.send("Altair", "STATUS", to=ADDRESS)
        assert world.questions() == []


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"])
def test_no_line_of_ours_says_yes_or_no_whoever_quotes_it(running, zone):
    with running.changed("Altair") as seat:
        seat.timezone = zone
    held(running, "YES\nAdd 3\nNO")
    running.send("Altair", f"RESIGN\nADDRESS {NEW}")
    running.reply(running.questions(ANNA)[-1], "YES")
    running.act("galaxy-7", offer, "Cygnus", "dora@players.test", Holder("Dora", "UTC"))
    questions = running.questions()
    assert len(questions) == 5
    for question in questions:
        lines = body_of(question).splitlines()
        ours = [line for line in lines if line and not line.startswith("|")]
        assert {said_in(read_letter(f"From: a@players.test\r\n\r\n{line}\r\n".encode())) for line in ours} == {"unclear"}
        assert max(map(len, lines)) <= 72


class TestResign:
    """Do you want to resign?"""

    def test_the_seat_stays_until_it_is_confirmed(self, running):
        running.send("Altair", "RESIGN")
        assert running.seat("Altair").state is SeatState.ACTIVE
        before = running.reply_address("Altair")
        assert "You have resigned" in running.reply(running.questions()[0], "YES")
        assert running.seat("Altair").state is SeatState.RESIGNED
        assert running.reply_address("Altair") != before
        assert [question.state for question in running.rows(Confirmation)] == [ConfirmationState.CONFIRMED]

    def test_a_no_points_to_a_new_secret(self, running):
        running.send("Altair", "RESIGN")
        assert "NEW TOKEN" in running.reply(running.questions()[0], "NO")
        assert running.seat("Altair").state is SeatState.ACTIVE

    def test_what_is_asked_about_a_seat_that_was_given_up_is_asked_no_more(self, running):
        question = held(running)
        running.resign("Altair")
        assert "not open any more" in words(running.reply(question, "YES"))
        assert running.letters()[0].state is LetterState.DONE

    def test_it_can_be_asked_for_again_but_not_without_end(self, running):
        answers = [running.send("Altair", f"RESIGN\nPRESS TO Cygnus\n{n}\nEND PRESS") for n in range(4)]
        assert ["enough today" in words(answer) for answer in answers] == [False, False, False, True]


class TestAddress:
    """ADDRESS new@example.org: both addresses must agree."""

    def moved(self, world):
        world.send("Altair", f"ADDRESS {NEW}")
        world.reply(world.questions(ANNA)[-1], "YES")
        return world.questions(NEW)[-1]

    def test_the_old_address_then_the_new_one_confirms(self, running):
        running.send("Altair", f"ADDRESS {NEW}")
        assert running.questions(NEW) == []
        assert NEW in running.reply(running.questions(ANNA)[0], "YES")
        assert running.seat("Altair").address == ANNA
        before = running.reply_address("Altair")
        running.reply(running.questions(NEW)[0], "YES")
        assert running.seat("Altair").address == NEW
        assert running.reply_address("Altair") != before
        assert running.log("address")[0].seat == "Altair"
        assert NEW not in running.journal("address")[0].public

    @pytest.mark.parametrize("written", [f"Ann Lee <{NEW}>", f'"Lee, Ann" <{NEW}>', f"<{NEW}>", f'"{NEW}"'])
    def test_an_address_may_be_written_as_mail_programs_write_it(self, running, written):
        running.send("Altair", f"Address: {written}")
        assert NEW in body_of(running.questions(ANNA)[0])

    def test_of_several_in_one_letter_only_the_last_is_asked_about(self, running):
        answer = running.send("Altair", f"ADDRESS second@elsewhere.test\nADDRESS {NEW}")
        assert f'Of several commands of one kind in a mail only the last counts: "ADDRESS {NEW}".' in words(answer)
        [question] = running.questions(ANNA)
        assert NEW in body_of(question)
        assert "second@" not in body_of(question)

    def test_the_old_address_is_told_and_proves_nothing_any_more(self, running):
        old = running.letter("Altair", "Add 9")
        running.reply(self.moved(running), "YES")
        told = [mail for mail in running.outbox("notice") if mail.recipient == ANNA][-1]
        assert "is played from another address now" in words(body_of(told))
        assert "+" not in message_of(told)["Reply-To"]
        running.arrive(old)
        process_letters(running.desk)
        assert running.sheet("Altair") is None

    def test_the_new_address_plays_on(self, running):
        running.reply(self.moved(running), "YES")
        yours = [mail for mail in running.outbox("notice") if mail.recipient == NEW][-1]
        running.reply(yours, "Add 4")
        assert running.sheet("Altair") == ["Add 4"]

    @pytest.mark.parametrize("who", ["old", "new"])
    def test_a_no_of_either_changes_nothing(self, running, who):
        running.send("Altair", f"ADDRESS {NEW}")
        running.reply(running.questions(ANNA)[0], "NO" if who == "old" else "YES")
        if who == "new":
            running.reply(running.questions(NEW)[0], "NO")
        assert running.seat("Altair").address == ANNA

    def test_the_new_address_alone_confirms_nothing(self, running):
        running.send("Altair", f"ADDRESS {NEW}")
        running.reply(running.questions(ANNA)[0], "YES", sender=NEW)
        assert running.seat("Altair").address == ANNA
        assert running.questions(NEW) == []

    @pytest.mark.parametrize("address", [ADDRESS, "games+x@pbmd.test", ANNA, "ann ann@x.test", "änne@x.test"])
    def test_some_addresses_cannot_be(self, running, address):
        running.send("Altair", f"ADDRESS {address}")
        assert running.questions() == []

    def test_the_address_of_another_player_is_found_out_by_that_player_only(self, running):
        taken, free = address_of("Borealis"), NEW
        texts = [running.send("Altair", f"ADDRESS {address}").replace(address, "…") for address in (taken, free)]
        assert texts[0] == texts[1]
        running.reply(running.questions(ANNA)[0], "YES")
        assert "You have a seat" in words(running.reply(running.questions(taken)[0], "YES"))
        assert running.seat("Altair").address == ANNA


class TestTakeOver:
    """The game master offers a seat; it is theirs who take it."""

    DORA = "dora@players.test"

    def offered(self, world, seat="Cygnus"):
        world.act("galaxy-7", offer, seat, self.DORA, Holder("Dora", "Europe/Berlin"))
        return world.questions(self.DORA)[-1]

    @pytest.mark.parametrize("resigned", [True, False])
    def test_the_seat_goes_to_who_says_yes(self, running, resigned):
        if resigned:
            running.resign("Cygnus")
        question = self.offered(running)
        assert running.seat("Cygnus").address == address_of("Cygnus")
        old = running.letter("Cygnus", "Add 9")
        running.reply(question, "YES")
        seat = running.seat("Cygnus")
        assert (seat.address, seat.holder, seat.timezone, seat.state) == (self.DORA, "Dora", "Europe/Berlin", SeatState.ACTIVE)
        running.arrive(old)
        process_letters(running.desk)
        assert running.sheet("Cygnus") is None
        yours = [mail for mail in running.outbox("notice") if mail.recipient == self.DORA][-1]
        running.reply(yours, "Add 4")
        assert running.sheet("Cygnus") == ["Add 4"]
        told = [mail for mail in running.outbox("notice") if mail.recipient == address_of("Cygnus")][-1]
        assert "is played by somebody else now" in words(body_of(told))

    def test_what_else_the_yes_says_is_named(self, running):
        running.reply(self.offered(running), "YES\nAdd 4")
        [yours] = [body_of(mail) for mail in running.outbox("notice") if mail.key.startswith("yours")]
        assert "Add 4" in yours.partition("SKIPPED, not read as orders")[2]
        assert running.sheet("Cygnus") is None

    def test_who_says_no_gets_nothing(self, running):
        running.reply(self.offered(running), "NO")
        assert running.seat("Cygnus").address == address_of("Cygnus")

    def test_a_seat_can_go_back_to_who_resigned(self, running):
        running.resign("Cygnus")
        running.act("galaxy-7", offer, "Cygnus", address_of("Cygnus"), Holder("Cy", "UTC"))
        running.reply(running.questions(address_of("Cygnus"))[-1], "YES")
        running.send("Cygnus", "Add 2")
        assert running.sheet("Cygnus") == ["Add 2"]

    @pytest.mark.parametrize(
        ("address", "zone", "said"),
        [
            (address_of("Borealis"), "UTC", "has another seat"),
            (ADDRESS, "UTC", "the game itself"),
            ("dora@players.test", "Mars/Olympus", "Mars/Olympus"),
            (address_of("Cygnus"), "UTC", "already"),
        ],
    )
    def test_some_offers_cannot_be_made(self, running, address, zone, said):
        with pytest.raises(Refused, match=said):
            running.act("galaxy-7", offer, "Cygnus", address, Holder("", zone))
        assert running.questions() == []

    def test_seats_change_hands_while_a_game_runs_only(self, world):
        world.open("galaxy-7", "Cygnus")
        with pytest.raises(Refused, match="has not begun"):
            self.offered(world)
        assert "has not begun" in world.send("Cygnus", "NEW TOKEN")
        assert "has not begun" in world.send("Cygnus", f"ADDRESS {NEW}")


class TestNewToken:
    """NEW TOKEN, or the game master's word, ends the secret of a seat."""

    def test_the_answer_has_the_new_one_and_the_old_one_ends(self, running):
        old = running.reply_address("Altair")
        running.send("Altair", "NEW TOKEN")
        answer = running.outbox("acknowledgement")[-1]
        assert message_of(answer)["Reply-To"] == running.reply_address("Altair") != old
        held(running, to=old)

    def test_the_game_master_can_end_it_and_the_player_gets_the_new_one(self, running):
        with running.work() as work:
            table = work.table_named("galaxy-7")
            send_new_token(work, table, table.seat("Altair"))
        (mail,) = running.outbox("notice")
        assert mail.recipient == ANNA
        running.reply(mail, "Add 3")
        assert running.sheet("Altair") == ["Add 3"]
        running.now += DAY
        assert [entry.public for entry in running.journal("token")] == ["{}"]


class TestConfirmedTooLate:
    """A letter that is confirmed when its step is over stays in the books of that step."""

    @pytest.mark.parametrize("subject", ["my orders", "Re: [pbmd galaxy-7 t1] report"])
    def test_it_is_told_so_and_is_no_evidence_in_the_next_turn(self, running, subject):
        running.send("Altair", "Add 3", to=ADDRESS, subject=subject)
        question = running.questions()[-1]
        running.pass_time(timedelta(days=3, hours=1))
        answer = " ".join(running.reply(question, "YES").split())
        assert "your orders came in time for turn 1, but were confirmed only after that was resolved" in answer
        assert [(row.step, row.state) for row in running.submissions()] == [(0, SubmissionState.REFUSED)]
        running.pass_time(timedelta(days=3, hours=1))
        assert [line.detail for line in running.log("nmr") if line.seat == "Altair"] == [
            "mail came in this player's name, but it was not confirmed",
            "no mail with orders arrived",
        ]

    def test_one_that_was_late_stays_late_by_what_it_was(self, running):
        with running.changed("Borealis") as seat:
            seat.deadline = DEADLINE + DAY
        running.now += timedelta(days=3, minutes=30)
        running.send("Altair", "Add 3", to=ADDRESS, read=True)
        question = running.questions()[-1]
        running.pass_time(2 * DAY)
        assert running.game().turn == 2
        answer = " ".join(running.reply(question, "YES").split())
        assert "came 30 min too late for turn 1, and were confirmed only after that was resolved" in answer
        assert [(row.step, row.state) for row in running.submissions()] == [(0, SubmissionState.LATE)]


class TestTheGameIsOver:
    """What was asked while a game ran is asked no more when it has ended."""

    @pytest.fixture
    def over(self, world):
        """A game that ended while Altair was asked three things, and Dora a fourth."""
        world.count(target=1)
        world.send("Altair", "RESIGN")
        world.send("Altair", f"ADDRESS {NEW}")
        held(world)
        world.act("galaxy-7", offer, "Cygnus", "dora@players.test", Holder("Dora", "UTC"))
        for seat in NAMES:
            world.send(seat, "Add 5")
        world.pass_time(timedelta(minutes=1))
        assert world.game().status is GameStatus.FINISHED
        return world

    def test_its_questions_end_with_it(self, over):
        assert {question.state for question in over.rows(Confirmation)} == {ConfirmationState.EXPIRED}
        assert LetterState.HELD not in {letter.state for letter in over.letters()}

    @pytest.mark.parametrize("which", range(4))
    def test_yes_does_nothing_any_more_and_the_answer_says_so(self, over, which):
        before = [seat.model_dump() for seat in over.rows(Seat)], over.game().chain_head, len(over.submissions())
        assert "galaxy-7 is over, so nothing was changed" in words(over.reply(over.questions()[which], "YES"))
        assert ([seat.model_dump() for seat in over.rows(Seat)], over.game().chain_head, len(over.submissions())) == before


class TestWhatAQuestionShows:
    """A question carries the game's words to its player, and none that only its letter has."""

    @pytest.mark.parametrize("name", ["www.evil.test", "evil.test/win", "SendYourTokenToEvil", "0190-123456", "(evil)"])
    def test_a_name_that_the_writer_made_up_is_left_out(self, world, name):
        world.start()
        held(world, f"Build 1 base named {name}\nTrain spy")
        text = body_of(world.questions(ANNA)[-1])
        assert "| Train spy" in text
        assert "Build 1 base named …" in text or "1 line that cannot be shown" in text
        assert name not in text.partition("If it is yours")[0]

    def test_names_that_the_game_has_are_shown(self, world):
        world.start()
        held(world, "Build 1 base named Borealis")
        assert "| Build 1 base named Borealis" in body_of(world.questions(ANNA)[-1])
