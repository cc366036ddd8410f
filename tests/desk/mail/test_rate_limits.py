"""The brakes: pbmd falls silent whatever the header of a letter says, and the log says why; orders count all the same."""

from datetime import timedelta

import pytest

from pbmd.desk.letter.sender import made_by_pbmd
from pbmd.desk.mail.draft import Draft
from pbmd.desk.mail.queue import mail_to, tell_gm
from pbmd.desk.step.game_transaction import changing_games
from pbmd.post.read.letter import read_letter
from tests.desk.gm.test_commands import Desk
from tests.desk.world import ADDRESS, NAMES, address_of, body_of, message_of

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
TOKEN, NONCE = "prcnnjn76sno3vgs", "abcdefghijklmno2"


def answers(world, seat="Altair"):
    return world.outbox("acknowledgement", seat)


def limit(world, **limits):
    """The desk with these settings of [limits]."""
    settings = world.desk.settings
    changed = settings.limits.model_copy(update=limits)
    object.__setattr__(world.desk, "settings", settings.model_copy(update={"limits": changed}))


def flood(world, count, every=MINUTE):
    """So many letters of Altair's with orders, each another; gives the answers."""
    told = []
    for number in range(count):
        told.append(world.send("Altair", f"Add {number % 9 + 1}\nAdd {number // 9 + 1}"))
        world.now += every
    return told


class TestRates:
    """So many answers to one address, then one notice, then silence."""

    def test_ten_in_an_hour_are_answered_then_there_is_one_notice_and_silence(self, running):
        told = flood(running, 15)
        assert [bool(text) for text in told] == [True] * 10 + [False] * 5
        (notice,) = running.outbox("silence")
        assert notice.recipient == address_of("Altair")
        assert "stop answering" in body_of(notice)

    def test_the_notice_says_until_when_and_answers_come_again_then(self, running):
        begin = running.now
        flood(running, 12)
        until = begin + HOUR
        assert f"{until:%H:%M} UTC" in body_of(running.outbox("silence")[0])
        running.now = until - timedelta(seconds=1)
        assert running.send("Altair", "Add 5") == ""
        running.now = until
        assert "Add 6" in running.send("Altair", "Add 6")
        assert len(running.outbox("silence")) == 1

    def test_thirty_in_a_day(self, running):
        limit(running, answers_per_hour=1000)
        told = flood(running, 40, timedelta(minutes=6))
        assert sum(map(bool, told)) == 30
        assert len(running.outbox("silence")) == 1

    def test_all_in_one_batch_of_letters_too(self, running):
        for number in range(1, 10):
            for more in range(1, 3):
                running.arrive(running.letter("Altair", f"Add {number}\nAdd {more}"))
        running.pass_time()
        assert len(answers(running)) == 10
        assert len(running.outbox("silence")) == 1

    def test_orders_are_filed_all_the_same(self, running):
        flood(running, 15)
        assert running.sheet("Altair") == ["Add 6", "Add 2"]
        assert len(running.submissions()) == 15

    def test_the_log_says_why_each_was_not_answered(self, running):
        flood(running, 15)
        lines = running.log("brake")
        assert len(lines) == 5
        assert {line.seat for line in lines} == {"Altair"}
        assert "acknowledgement 11; 10 answers in an hour are the most for one address" in lines[0].detail
        assert not [line for line in lines if "@" in line.detail or "Add" in line.detail]

    def test_another_address_is_answered(self, running):
        flood(running, 15)
        assert "Add 1" in running.send("Borealis", "Add 1")

    def test_reports_are_no_answers(self, running):
        flood(running, 12)
        before = len(running.outbox("report", "Altair"))
        running.pass_time(timedelta(days=4))
        assert len(running.outbox("report", "Altair")) == before + 1

    def test_strangers_have_fewer_and_no_notice(self, world):
        world.open("nebula-1")
        for number in range(15):
            world.send("Deneb", f"JOIN nebula-{number + 2} AS Deneb", to=ADDRESS)
        assert [mail.kind for mail in world.outbox()] == ["refusal"] * 3
        assert "3 refusals in an hour are the most for one address" in world.log("brake")[0].detail

    def test_a_clock_that_is_set_back_silences_nobody(self, running):
        running.now += timedelta(days=1)
        for number in range(11):
            running.send("Altair", f"Add {number + 1}")
        running.now -= timedelta(days=1)
        assert running.send("Altair", "STATUS")


class TestTheSameAgain:
    """An identical answer to an identical letter is sent once an hour."""

    def test_it_is_answered_once_and_in_the_log(self, running):
        assert running.send("Altair", "STATUS")
        running.now += 10 * MINUTE
        assert running.send("Altair", "STATUS") == ""
        (line,) = running.log("brake")
        assert line.detail == "not sent: acknowledgement 2; the same question had just been answered"

    def test_it_is_answered_again_after_the_hour(self, running):
        running.send("Altair", "STATUS")
        running.now += HOUR
        assert running.send("Altair", "STATUS")

    def test_it_is_answered_when_the_answer_is_another(self, running):
        running.send("Altair", "STATUS")
        running.send("Borealis", "Add 1")
        assert "1 of 3" in running.send("Altair", "STATUS")

    def test_another_letter_is_answered(self, running):
        running.send("Altair", "Add 1")
        assert running.send("Altair", "Add 2")

    @pytest.mark.parametrize("between", ["Add 2", "CANCEL ORDERS"])
    def test_what_was_changed_and_changed_back_is_answered(self, running, between):
        assert running.send("Altair", "Add 1")
        assert running.send("Altair", between)
        assert "Add 1" in running.send("Altair", "Add 1")

    def test_another_seat_is_answered(self, running):
        running.send("Altair", "STATUS")
        assert running.send("Borealis", "STATUS")

    def test_in_the_next_turn_it_is_answered(self, running):
        assert running.send("Altair", "Add 1")
        for name in NAMES[1:]:
            running.send(name, "Add 1")
        assert running.pass_time(MINUTE) == 1
        assert running.send("Altair", "Add 1")

    def test_the_same_orders_again_are_filed_again(self, running):
        running.send("Altair", "Add 1")
        running.send("Altair", "Add 1")
        running.send("Altair", "Add 1")
        assert len(running.submissions()) == len(running.journal("orders")) == 3


class TestOwnMail:
    """What a pbmd has written is no letter of a player."""

    @pytest.mark.parametrize("sender", [ADDRESS, ADDRESS.upper(), f"games+g1p1.{TOKEN}@pbmd.test"])
    def test_mail_from_pbmds_own_address_changes_nothing(self, running, sender):
        with running.changed("Altair") as seat:
            seat.address = sender.lower()
        assert running.send("Altair", "Add 1", sender=sender) == ""
        assert running.submissions() == []
        assert "pbmd's own address" in running.log("letter")[0].detail

    @pytest.mark.parametrize("kind", ["report", "acknowledgement", "notice"])
    def test_its_own_mails_sent_back_change_nothing(self, running, kind):
        running.send("Altair", "EXTEND 1h")
        mail = message_of(running.outbox(kind, "Altair")[0])
        letters = len(running.letters())
        assert running.send("Altair", "Add 1", headers={"Message-ID": mail["Message-ID"]}) == ""
        assert running.submissions() == []
        assert len(running.letters()) == letters + 1

    @pytest.mark.parametrize("header", ["Message-ID", "References"])
    def test_mail_of_another_pbmd_changes_nothing(self, running, header):
        other = f"<acknowledgement-t3.g7p2.{TOKEN}.{NONCE}@other.test>"
        assert running.send("Altair", "Add 1", headers={header: other}) == ""
        assert running.submissions() == []
        assert "a pbmd has written it" in running.log("letter")[0].detail

    def test_a_players_reply_is_none(self, running):
        mail = message_of(running.outbox("report", "Altair")[0])
        assert running.send("Altair", "Add 1", headers={"In-Reply-To": mail["Message-ID"], "References": mail["References"]})

    @pytest.mark.parametrize("ended", [False, True])
    def test_a_reply_to_what_it_sent_from_another_domain_is_none(self, running, ended):
        report = message_of(running.outbox("report", "Altair")[0])
        if ended:
            running.send("Altair", "NEW TOKEN")
        running.settle(server={"address": "games@new.test"})
        to = running.reply_address("Altair").replace("@pbmd.test", "@new.test")
        thread = {"In-Reply-To": report["Message-ID"], "References": report["References"]}
        assert "Add 1" in running.send("Altair", "Add 1", to=to, headers=thread)

    @pytest.mark.parametrize(
        "own", ["<CAF=abcdefgh@mail.gmail.com>", f"<{NONCE}@other.test>", f"<a.{NONCE}@other.test>", "", "x"]
    )
    def test_an_id_of_a_mail_program_is_none(self, own):
        letter = read_letter(f"From: ada@players.test\r\nMessage-ID: {own}\r\n\r\nAdd 1\r\n".encode())
        assert made_by_pbmd(letter, ADDRESS, lambda _: False) == ""


class TestAResponderWithoutAnyMark:
    """A vacation program that answers every mail, says so nowhere in the header, and quotes what it got."""

    def respond(self, world, text):
        """Let it answer each mail to Altair, until there are no more or there is no end of it; gives the number of answers."""
        answered = 0
        while (mails := world.outbox(seat="Altair")[answered:]) and answered < 100:
            for mail in mails:
                answered += 1
                message = message_of(mail)
                thread = {
                    "In-Reply-To": message["Message-ID"],
                    "References": f"{message['References']} {message['Message-ID']}",
                }
                world.arrive(world.letter("Altair", text(mail), subject=f"Re: {message['Subject']}", headers=thread))
                world.now += MINUTE
                world.pass_time()
        return answered

    def test_with_the_same_words_each_time_it_gets_one_answer(self, running):
        assert self.respond(running, lambda _mail: "I am away until Monday.") == 2

    @pytest.mark.parametrize("quote", [lambda text: text, lambda text: text.replace("\n", "\n> ")], ids=["bare", "quoted"])
    def test_with_other_words_each_time_it_gets_ten_and_a_notice(self, running, quote):
        answered = self.respond(running, lambda mail: f"I am away, mail {mail.id}.\n\n{quote(body_of(mail))}")
        assert answered <= 1 + 10 + 1
        assert running.log("brake")


class TestNothingToItself:
    """No mail ever goes to pbmd's own address."""

    @pytest.mark.parametrize("address", [ADDRESS, "GAMES@pbmd.test", f"games+g1p1.{TOKEN}@pbmd.test"])
    def test_whoever_asks_for_it(self, running, address):
        before = len(running.outbox())
        with changing_games(running.desk) as work:
            mail_to(work, address, Draft("notice", "to myself", "a subject", "a text"))
        assert len(running.outbox()) == before
        assert running.log("brake")[0].detail == "not sent: to myself; it would go to pbmd itself"

    def test_a_seat_with_that_address_gets_no_report(self, running):
        with running.changed("Altair") as seat:
            seat.address = ADDRESS
        before = len(running.outbox("report"))
        running.pass_time(timedelta(days=4))
        assert len(running.outbox("report")) == before + 2


class TestWhatALetterCauses:
    """One letter makes no flood of mails to others."""

    def test_mails_beyond_the_limit_are_not_sent(self, running):
        limit(running, mails_per_letter=2)
        running.send("Altair", "EXTEND 1m")
        assert len(running.outbox("notice")) == 2
        assert len(running.log("brake")) == 1
        assert len(answers(running)) == 1

    def test_each_letter_counts_for_itself(self, running):
        limit(running, mails_per_letter=5)
        for number in range(1, 4):
            running.send("Altair", f"EXTEND {number}m")
        assert len(running.outbox("notice")) == 9

    def test_what_no_letter_causes_has_no_limit(self, running):
        limit(running, mails_per_letter=5)
        with changing_games(running.desk) as work:
            for number in range(9):
                tell_gm(work, Draft("alarm", f"alarm {number}", "a subject", "a text"))
        assert len(running.outbox("alarm")) == 9


class TestTheGameMaster:
    """Their mail that is proved has a budget of its own, for an evening's work."""

    @pytest.fixture
    def gm(self, running):
        return Desk(running)

    def work_through(self, gm, count, every=timedelta(seconds=30)):
        """So many letters with a command each, every other of them a question that is answered with YES."""
        told = []
        for number in range(count // 3):
            told.append(gm.says("STATUS"))
            gm.says(f"SET target {900 - number}")
            told.append(gm.yes())
            told.append(gm.says(f"EXTEND {number + 1}h"))
            gm.world.now += every
        return told

    def test_an_evenings_work_is_answered_to_the_end(self, running, gm):
        told = self.work_through(gm, 90)
        assert all(told)
        assert running.outbox("silence") == []
        assert [line.detail for line in running.log("brake")] == []

    def test_a_hundred_in_an_hour_are_then_there_is_one_notice(self, running, gm):
        told = [gm.says(f"EXTEND {number + 1}min") for number in range(105)]
        assert [bool(text) for text in told] == [True] * 100 + [False] * 5
        (notice,) = running.outbox("silence")
        assert notice.recipient == "gm@pbmd.test"
        assert "100 answers in an hour are the most for one address" in running.log("brake")[0].detail
        assert len(running.journal("extended")) == 105

    def test_the_settings_say_how_many(self, running, gm):
        limit(running, gm_answers_per_hour=1000, gm_answers_per_day=12)
        told = [gm.says(f"EXTEND {number + 1}min") for number in range(14)]
        assert sum(map(bool, told)) == 12

    def test_what_they_play_counts_apart(self, running, gm):
        with running.changed("Altair") as seat:
            seat.address = "gm@pbmd.test"
        for number in range(12):
            running.send("Altair", f"Add {number % 9 + 1}\nAdd 1", sender="gm@pbmd.test")
        assert len(running.outbox("silence")) == 1
        assert gm.says("STATUS")
        assert sum(mail.kind == "acknowledgement" for mail in running.outbox()) == 10

    def test_the_same_answer_to_the_same_text_is_sent_once_in_an_hour(self, gm):
        assert gm.says("STATUS")
        assert gm.says("STATUS") == ""

    def test_a_machine_gets_no_answer(self, gm):
        assert gm.says("STATUS", headers={"Auto-Submitted": "auto-replied"}) == ""

    def test_what_only_shows_their_address_has_no_such_budget(self, world):
        world.count(trust="open")
        for number in range(12):
            world.send("", f"EXTEND {number + 1}min", sender="gm@pbmd.test", to=ADDRESS, subject="Re: [pbmd galaxy-7 t1]")
        assert len(world.outbox("acknowledgement")) == 10
        assert Desk(world).says("STATUS")
