"""The game master's letters: whose they are, what each command does and refuses, and what is asked about first."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col

from pbmd.desk.changes import deadline_changes, new_game, options
from pbmd.desk.changes import gm as gm_acts
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import Holder
from pbmd.desk.deadlines.doubt_watch import look_at_clock
from pbmd.desk.language.gm_commands import FORMS
from pbmd.desk.mailroom import process_letters
from pbmd.desk.questions import seat_offers
from pbmd.ledger.journal import Link, verify
from pbmd.ledger.tables import Confirmation, GameStatus, JournalEntry, LetterState, Outbox, Request, RequestState, SeatState
from pbmd.rules.protocol import PositionError
from tests.archive.made import export, verified
from tests.desk.world import ADDRESS, BEGIN, NAMES, World, address_of, body_of, message_of

GM = "gm@pbmd.test"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class Desk:
    """The game master at their mail program: replies to the last mail about the game."""

    def __init__(self, world: World, name: str = "galaxy-7") -> None:
        self.world, self.name = world, name
        world.act(name, gm_acts.send_gm_token, f"gm-mail {name}")
        self.mail = self.mails()[-1]

    def mails(self, kind: str = "") -> list[Outbox]:
        return self.world.mails(col(Outbox.recipient) == GM, *([col(Outbox.kind) == kind] if kind else []))

    def says(self, text: str, **more) -> str:
        """A reply to the game's mail; gives the text of the answer, blanks and line ends made one."""
        return " ".join(self.world.reply(self.mail, text, **more).split())

    def asked(self, text: str) -> str:
        """The same for what is asked about first; gives the text of the question."""
        before = len(self.mails("question"))
        self.says(text)
        (question,) = self.mails("question")[before:]
        return " ".join(body_of(question).split())

    def yes(self, word: str = "YES", **more) -> str:
        """The answer to the last question."""
        return " ".join(self.world.reply(self.mails("question")[-1], word, **more).split())

    def sure(self, text: str) -> str:
        """What is asked about first, and confirmed."""
        self.asked(text)
        return self.yes()


def test_the_first_mail_has_words_to_send_to_friends_while_the_game_takes_sign_ups(world):
    world.open("galaxy-7")
    desk = Desk(world)
    told = body_of(desk.mail)
    assert "To send to your friends:" in told
    assert "  games@pbmd.test\n  with the word LIST." in told.replace("\r", "")
    assert max(map(len, told.splitlines())) <= 72


def test_later_there_is_nobody_to_be_asked(world):
    world.count()
    assert "friends" not in body_of(Desk(world).mail)


def confirmed(world, who, text):
    """What somebody without a seat asks for, and the YES to the question that comes back."""
    world.send("", text, sender=address_of(who), to=ADDRESS)
    world.reply(world.outbox("visit", who)[-1], "YES")


@pytest.fixture
def gm(running):
    return Desk(running)


def notices(world, seat):
    return [body_of(mail) for mail in world.outbox("notice", seat)]


class TestWhose:
    """Only the game master's address and token together count; everything else is a stranger's letter."""

    def test_a_reply_to_a_mail_about_the_game_masters_it(self, gm):
        assert "galaxy-7 (Count) | | now running, turn 1" in gm.says("STATUS")

    def test_without_the_token_it_is_a_strangers_letter(self, running):
        before = running.outbox()
        assert running.send("", "PAUSE", sender=GM, to=ADDRESS, subject="[pbmd galaxy-7 t1] Re") == ""
        assert (running.game().status, running.outbox()) == (GameStatus.RUNNING, before)

    def test_the_token_from_another_address_is_a_strangers_letter(self, running, gm):
        before = running.outbox()
        assert gm.says("PAUSE", sender="mallory@elsewhere.test") == ""
        assert (running.game().status, running.outbox()) == (GameStatus.RUNNING, before)

    def test_a_wrong_token_a_wrong_game_and_no_token_look_alike(self, running, gm):
        address = message_of(gm.mail)["Reply-To"]
        wrong = [address.replace("+g1p0.", f"+g{game}p0.")[:-30] + ("a" * 8) + address[-22:] for game in (1, 9)]
        before = len(running.outbox())
        for to in (*wrong, ADDRESS):
            running.send("", "STATUS", sender=GM, to=to, subject="hello")
        assert len(running.outbox()) == before
        notes = [letter.note for letter in running.letters()]
        assert all(note.startswith("not answered: no token") for note in notes), notes

    def test_a_token_is_of_one_game(self, running, gm):
        running.count("nova", ("Deneb", "Vega"))
        gm.says("PAUSE")
        assert running.game("nova").status is GameStatus.RUNNING

    def test_a_players_token_gives_no_power_over_the_game(self, running):
        running.send("Altair", "PAUSE")
        running.send("Altair", "PAUSE", sender=GM)
        assert running.game().status is GameStatus.RUNNING

    def test_a_new_token_ends_the_old_one(self, running, gm):
        gm.says("NEW TOKEN")
        before = len(running.outbox())
        assert gm.says("PAUSE") == ""
        assert (running.game().status, len(running.outbox())) == (GameStatus.RUNNING, before)
        newest = next(mail for mail in reversed(gm.mails("alarm")) if "game master's mail" in message_of(mail)["Subject"])
        running.reply(newest, "PAUSE")
        assert running.game().status is GameStatus.PAUSED

    def test_in_an_open_game_the_name_in_the_subject_is_enough(self, world):
        world.count(trust="open")
        world.send("", "PAUSE", sender=GM, to=ADDRESS, subject="Re: [pbmd galaxy-7 t1] the game begins")
        assert world.game().status is GameStatus.PAUSED

    def test_in_an_open_game_in_which_the_game_master_plays_it_is_not(self, world):
        world.count(trust="open")
        with world.changed("Altair") as seat:
            seat.address = GM
        world.send("", "PAUSE", sender=GM, to=ADDRESS, subject="Re: [pbmd galaxy-7 t1] the game begins")
        assert world.game().status is GameStatus.RUNNING

    def test_in_a_strict_game_the_mail_server_must_vouch_for_it(self, world):
        world.settle(mail={"authserv_id": "mx.pbmd.test"})
        world.count(trust="strict")
        gm = Desk(world)
        assert gm.says("PAUSE") == ""
        assert world.game().status is GameStatus.RUNNING
        gm.says("PAUSE", headers={"Authentication-Results": "mx.pbmd.test; dkim=pass header.d=pbmd.test"})
        assert world.game().status is GameStatus.PAUSED

    def test_a_game_master_who_plays_too_does_both_by_replying(self, running, gm):
        with running.changed("Altair") as seat:
            seat.address = GM
        assert "Add 3" in running.send("Altair", "Add 3", sender=GM)
        gm.says("PAUSE")
        assert (running.sheet("Altair"), running.game().status) == (["Add 3"], GameStatus.PAUSED)

    def test_a_vacation_reply_does_nothing(self, running, gm):
        gm.says("PAUSE", headers={"Auto-Submitted": "auto-replied"})
        assert running.game().status is GameStatus.RUNNING

    def test_every_mail_to_the_game_master_about_a_game_can_be_replied_to(self, running, gm):
        running.resign("Cygnus")
        running.send("Altair", "EXTEND 5 days")
        for mail in gm.mails("alarm"):
            running.reply(mail, "STATUS")
        assert [letter.note for letter in running.letters() if letter.note == "from the game master"]
        assert {message_of(mail)["Reply-To"] for mail in gm.mails("alarm")} == {message_of(gm.mail)["Reply-To"]}

    def test_the_letter_is_in_the_books_of_its_game(self, running, gm):
        gm.says("PAUSE because of rain")
        (letter,) = running.letters()
        assert (letter.state, letter.game_id, letter.seat_id) == (LetterState.DONE, running.game().id, None)
        assert running.log("gm")[-1].detail == f"letter {letter.id}: pause"
        assert running.log("paused")[-1].cause == f"letter {letter.id}"
        since = letter.arrived_at.isoformat(timespec="microseconds").replace("+00:00", "Z")
        assert json.loads(running.journal("paused")[-1].secret) == {"cause": f"letter {letter.id}", "since": since}


class TestAnswers:
    """What is no command is said to be none, and nothing is done twice."""

    def test_what_is_no_command_is_named(self, gm):
        answer = gm.says("PAUZE\nHello")
        assert '"PAUZE" is no command; did you mean PAUSE [because …]?' in answer
        assert '"Hello" is no command.' in answer

    def test_an_empty_letter_is_told_so(self, gm):
        assert "Your mail had no command in it" in gm.says("\n")

    def test_commands_are_carried_out_in_the_order_written(self, running, gm):
        answer = gm.says("RESUME now\nPAUSE\nRESUME\nEND\nPAUSE")
        assert "is not paused" not in answer
        assert running.game().status is GameStatus.RUNNING

    def test_the_copy_of_a_mail_below_a_reply_is_not_read(self, running, gm):
        gm.says("HELP")
        help_mail = gm.mails("gm")[-1]
        copied = "\n".join(line.removeprefix("| ") for line in body_of(help_mail).splitlines())
        before = len(running.journal())
        running.reply(help_mail, f"STATUS\n\n-----Original Message-----\n{copied}")
        running.reply(help_mail, f"STATUS\n\n{body_of(help_mail)}")
        assert len(running.journal()) == before

    def test_help_lists_every_command(self, gm):
        answer = gm.says("HELP")
        assert all(" ".join(form.usage.split()) in answer.replace("| ", "") for form in FORMS)

    def test_too_many_commands_are_not_all_carried_out(self, gm):
        days = [f"NO HOLIDAY 2027-06-{day:02}" for day in range(1, 31)]
        assert "Of your 30 commands only the first 20 were read." in gm.says("\n".join(days))


class TestTelling:
    def test_status_tells_how_the_game_stands_and_no_orders(self, running, gm):
        running.send("Altair", "Add 7")
        running.resign("Cygnus")
        running.send("Borealis", "EXTEND 5 days because of travel")
        answer = gm.says("STATUS")
        assert "| missing Borealis |" in answer
        assert "| Altair in | Borealis missing | Cygnus played by nobody |" in answer
        assert "| request 1 Borealis asks for 5 days more in turn 1" in answer
        assert "Add 7" not in answer

    def test_log_tells_the_last_lines(self, running, gm):
        running.send("Altair", "Add 7")
        answer = gm.says("LOG 2")
        assert "joined" not in answer
        assert "orders Altair | receipt" in answer
        assert "Add 7" not in answer

    def test_status_and_log_are_tables_that_no_mail_program_wraps(self, world):
        long = "The United Federation of Planets beyond the Rim"
        world.count(seats=(long, "Altair"), reminders=())
        world.pass_time(73 * HOUR)
        world.send("Altair", "EXTEND 5 days because of a journey to the other side of the world, which takes long")
        desk = Desk(world)
        status, log = (world.reply(desk.mail, word).splitlines() for word in ("STATUS", "LOG"))
        assert max(map(len, [*status, *log])) <= 72
        assert f"| {long}" in status
        assert any(line.split() == ["|", "missing", "1"] for line in status), "it has missed a turn"
        assert any(line.split()[3:5] == ["t1", "nmr"] for line in log if line.startswith("| 2026"))
        assert any(long in line for line in log)

    def test_before_the_game_begins_too(self, world):
        world.open("galaxy-7", "Altair")
        assert "| now sign-up is open | | seat orders missed notes | Altair" in Desk(world).says("STATUS")


class TestClock:
    def test_pause_and_resume(self, running, gm):
        assert "galaxy-7 is paused" in gm.says("PAUSE because of the holidays")
        assert "the holidays" in notices(running, "Altair")[-1]
        assert "PAUSE: galaxy-7 is paused." in gm.says("PAUSE")
        running.now += HOUR
        assert "galaxy-7 goes on" in gm.says("RESUME")
        assert "RESUME: galaxy-7 is not paused." in gm.says("RESUME")

    def test_extend_for_all_and_for_one(self, running, gm):
        before = running.game().deadline
        gm.says("EXTEND 1 day 12h because of a storm")
        assert running.game().deadline == before + 36 * HOUR
        gm.says("EXTEND 2 days FOR bor")
        assert running.seat("Borealis").deadline == before + 36 * HOUR + 2 * DAY
        assert json.loads(running.journal("extended")[-1].public)["by"] == "the game master"

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("EXTEND soon", '"soon" is not a length of time'),
            ("EXTEND 0h", "longer than nothing"),
            ("EXTEND 24h FOR Deneb", 'there is no counter "Deneb"'),
            ("DEADLINE whenever", "is no point in time"),
            ("DEADLINE 2020-01-01 12:00", "is over; RESOLVE ends the turn now"),
        ],
    )
    def test_refuses_what_it_does_not_understand(self, running, gm, text, why):
        before = running.game().deadline
        assert why in gm.says(text)
        assert running.game().deadline == before

    @pytest.mark.parametrize(
        ("when", "days", "hour"),
        [("2026-11-27 20:00", 7, 20), ("Friday 20:00", 7, 20), ("in 7 days", 7, 12), ("Tuesday 8:30 UTC", 4, 8)],
    )
    def test_a_later_deadline_is_set_at_once(self, running, gm, when, days, hour):
        running.now += HOUR * 12 if when.startswith("Friday") else timedelta(0)
        answer = gm.says(f"DEADLINE {when} because of rain")
        deadline = running.game().deadline
        assert "The deadline of turn 1 is" in answer
        assert ((deadline.date() - gm.world.game().created_at.date()).days, deadline.hour) == (days, hour)
        assert "rain" in notices(running, "Cygnus")[-1]
        assert running.log("deadline")

    def test_an_earlier_deadline_is_asked_about_first(self, running, gm):
        before = running.game().deadline
        assert "2 days earlier than it is" in gm.asked("DEADLINE in 24h")
        assert running.game().deadline == before
        gm.yes()
        assert running.game().deadline == before - 2 * DAY

    def test_who_was_granted_more_keeps_what_is_beyond_the_new_deadline(self, running, gm):
        gm.says("EXTEND 10 days FOR Altair\nEXTEND 1h FOR Borealis")
        kept = running.seat("Altair").deadline
        gm.says("DEADLINE in 5 days")
        assert (running.seat("Altair").deadline, running.seat("Borealis").deadline) == (kept, None)

    def test_resolve_closes_the_turn_and_waits_only_for_what_had_arrived(self, running, gm):
        running.send("Altair", "Add 3")
        running.send("Borealis", "Add 4")
        assert "Cygnus has sent nothing, and would miss it." in gm.asked("RESOLVE")
        assert running.pass_time() == 0
        gm.yes()
        assert running.pass_time(reading=False) == 0
        running.arrive(running.letter("Cygnus", "Add 5"))  # arrived in the second in which the turn was closed
        assert running.pass_time(timedelta(seconds=2)) == 1
        assert json.loads(running.journal("resolved")[-1].public)["cause"] == "the game master decided so"
        assert [player["score"] for player in running.position()["players"]] == [3, 4, 5]
        assert running.game().closed_at is None

    def test_what_comes_after_the_turn_was_closed_is_late(self, running, gm):
        gm.sure("RESOLVE")
        report = running.outbox("report", "Cygnus")[-1]
        running.now += timedelta(seconds=5)
        answer = " ".join(running.reply(report, "Add 5", read=True).split())
        assert "came too late: turn 1 was played" in answer
        assert "because the game master decided so" in answer

    @pytest.mark.parametrize("text", ["EXTEND 24h", "DEADLINE in 9 days"])
    def test_more_time_takes_the_closing_back(self, running, gm, text):
        gm.sure("RESOLVE")
        gm.says(text)
        assert running.pass_time(HOUR) == 0
        running.send("Altair", "Add 3")
        assert running.sheet("Altair") == ["Add 3"]

    def test_pausing_takes_the_closing_back(self, running, gm):
        gm.sure("RESOLVE")
        gm.says("PAUSE\nRESUME")
        assert running.pass_time(HOUR) == 0

    def test_in_a_sequential_game_whose_move_it_is_is_skipped(self, world):
        world.start("galaxy-7", NAMES, ruleset="relay", reminders=())
        gm = Desk(world)
        while world.game().turn == 0:  # all may move before the first turn
            gm.sure("RESOLVE")
            assert world.pass_time(timedelta(seconds=2)) >= 1

    @pytest.mark.parametrize("command", ["EXTEND 24h", "DEADLINE in 9 days", "RESOLVE", "PAUSE"])
    def test_a_game_that_stands_is_not_moved(self, gm, command):
        gm.says("PAUSE")
        assert "galaxy-7 is paused" in gm.says(command)


class TestFarAway:
    """A deadline so far away that sums with it are no dates any more."""

    @pytest.mark.parametrize("when", ["9999-12-31 23:59", "9999-12-30", "5000-01-01"])
    def test_is_refused_and_holds_up_nothing(self, running, gm, when):
        before = running.game().deadline
        assert "is too far away; ten years are the most" in gm.says(f"DEADLINE {when}")
        running.pass_time(DAY)
        assert running.game().status is GameStatus.RUNNING
        assert running.game().deadline == before


class TestStart:
    def test_the_game_begins_when_the_game_master_says_so(self, world):
        world.open("galaxy-7", "Altair", "Borealis")
        assert "has begun with 2 players" in Desk(world).says("START")
        assert world.game().status is GameStatus.RUNNING

    def test_it_does_not_with_too_few(self, world):
        world.open("galaxy-7", "Altair")
        assert "START: Count needs at least 2 players, galaxy-7 has 1." in Desk(world).says("START")

    def test_it_begins_once(self, gm):
        assert "START: galaxy-7 has already begun." in gm.says("START")


class TestSeats:
    def test_eject_empties_a_seat_and_tells_everybody(self, running, gm):
        question = gm.asked("EJECT bor because of silence")
        assert "Borealis would be taken from Borealis's player" in question
        assert running.seat("Borealis").state is SeatState.ACTIVE
        gm.yes()
        assert running.seat("Borealis").state is SeatState.RESIGNED
        assert "you play Borealis no more" in " ".join(notices(running, "Borealis")[-1].split())
        assert "silence" in notices(running, "Altair")[-1]
        assert running.send("Borealis", "Add 3") == ""
        assert gm.mails("alarm") == [gm.mail]  # they need not be told of what they did

    def test_eject_of_nobody_is_refused(self, running, gm):
        running.resign("Borealis")
        assert "EJECT Borealis: nobody holds Borealis in galaxy-7." in gm.says("EJECT Borealis")
        assert "there is no counter" in gm.says("EJECT Deneb")

    def test_in_a_sequential_game_the_game_goes_on_at_once(self, world):
        world.start("galaxy-7", NAMES, ruleset="relay", reminders=())
        gm = Desk(world)
        for seat in NAMES:  # all may move before the first turn
            world.send(seat, "Add 1")
        assert world.game().turn == 1
        step = world.game().step
        gm.sure("EJECT Altair")
        assert world.game().step == step + 1
        assert json.loads(world.journal("resolved")[-1].public)["cause"] == "Altair made no move"

    def test_replace_offers_the_seat_to_an_address(self, running, gm):
        question = gm.asked("REPLACE Borealis BY dora@players.test")
        assert "Borealis is played by Borealis's player. It would be offered to dora@players.test." in question
        assert (running.questions("dora@players.test"), notices(running, "Borealis")) == ([], [])
        assert "dora@players.test is asked to take over Borealis" in gm.yes()
        (question,) = running.questions("dora@players.test")
        running.reply(question, "YES")
        assert running.seat("Borealis").address == "dora@players.test"

    def test_of_a_seat_that_nobody_plays_no_question_is_asked(self, running, gm):
        confirmed(running, "Dora", "STANDBY ALL")
        running.resign("Borealis")
        assert "emil@players.test is asked to take over Borealis." in gm.says("REPLACE Borealis BY emil@players.test")
        assert "Borealis is offered to 1 on the standby list." in gm.says("OFFER Borealis")
        assert gm.mails("question") == []
        assert notices(running, "Borealis") == []

    @pytest.mark.parametrize(
        ("command", "to"),
        [("OFFER bor", "1 on the standby list"), ("REPLACE bor BY emil@players.test", "emil@players.test")],
    )
    def test_whoever_plays_a_seat_that_is_offered_is_told_at_once(self, running, gm, command, to):
        confirmed(running, "Dora", "STANDBY ALL")
        assert f"It would be offered to {to}. Borealis's player would be told at once" in gm.asked(command)
        assert "Nothing was done." in gm.yes("NO")
        assert (notices(running, "Borealis"), [mail for mail in running.questions() if mail.recipient != GM]) == ([], [])
        assert "Whoever plays it is told." in gm.sure(command)
        told = " ".join(notices(running, "Borealis")[-1].split())
        assert "The game master has offered your seat to somebody else. Until somebody says yes it is yours: play on" in told
        assert "If you want to keep your seat, write to the game master now." in told
        assert "players.test" not in told
        assert notices(running, "Altair") == []
        assert "Add 3" in running.send("Borealis", "Add 3")

    @pytest.mark.parametrize("between", ["RESIGN", "ADDRESS berta@players.test"])
    def test_an_offer_holds_though_its_holder_gives_the_seat_up_or_moves(self, running, gm, between):
        gm.sure("REPLACE Borealis BY dora@players.test")
        offer = running.questions("dora@players.test")[-1]
        running.send("Borealis", between)
        running.reply(running.questions(address_of("Borealis"))[-1], "YES")
        if between.startswith("ADDRESS"):
            running.reply(running.questions("berta@players.test")[-1], "YES")
            assert running.seat("Borealis").address == "berta@players.test"
        running.reply(offer, "YES")
        seat = running.seat("Borealis")
        assert (seat.address, seat.state) == ("dora@players.test", SeatState.ACTIVE)

    @pytest.mark.parametrize("address", ["altair@players.test", "games@pbmd.test"])
    def test_replace_by_who_cannot_have_it_is_refused(self, running, gm, address):
        assert "REPLACE Borealis BY" in gm.says(f"REPLACE Borealis BY {address}")
        assert running.questions() == []

    def test_offer_without_anybody_who_stands_by_is_refused(self, gm):
        assert "OFFER Borealis: nobody stands by for galaxy-7." in gm.says("OFFER Borealis")

    def test_offer_goes_to_the_standby_list(self, running, gm):
        confirmed(running, "Dora", "STANDBY ALL")
        gm.sure("EJECT Borealis")
        assert "Borealis is offered to 1 on the standby list" in gm.says("OFFER Borealis")
        running.reply(running.questions("dora@players.test")[-1], "YES")
        seat = running.seat("Borealis")
        assert (seat.address, seat.state) == ("dora@players.test", SeatState.ACTIVE)


class TestAnnounce:
    def test_goes_to_all_as_it_was_written(self, running, gm):
        answer = gm.says("ANNOUNCE\nThe next turn is long.\n\n  PAUSE is not meant.\nEND ANNOUNCE")
        assert "went to 3 players" in answer
        assert running.game().status is GameStatus.RUNNING
        for seat in NAMES:
            assert "| The next turn is long.\n|\n|   PAUSE is not meant." in notices(running, seat)[-1]
        assert "long" in json.loads(running.journal("announced")[-1].public)["text"]

    def test_without_its_end_nothing_is_sent(self, running, gm):
        assert "END ANNOUNCE is missing" in gm.says("ANNOUNCE\nHello\nPAUSE")
        assert (notices(running, "Altair"), running.game().status) == ([], GameStatus.RUNNING)

    def test_of_nothing_is_refused(self, gm):
        assert "an announcement has 1 to 10000 characters" in gm.says("ANNOUNCE\n\nEND ANNOUNCE")


class TestRequests:
    @pytest.fixture
    def asked(self, running, gm):
        running.send("Altair", "EXTEND 3 days because of travel")
        return gm

    @pytest.mark.usefixtures("asked")
    def test_an_extension_beyond_the_budget_waits_for_the_word(self, running):
        (request,) = running.rows(Request)
        assert (request.number, request.kind, request.state) == (1, "extension", RequestState.OPEN)

    def test_approve_does_it(self, running, asked):
        before = running.game().deadline
        mail = asked.mails("alarm")[-1]
        running.reply(mail, "APPROVE 1")
        assert running.game().deadline == before + 3 * DAY
        assert running.rows(Request)[0].state is RequestState.APPROVED
        assert json.loads(running.journal("decided")[-1].public)["decision"] == "approved"

    def test_refuse_tells_who_asked(self, running, asked):
        before = running.game().deadline
        assert "Request 1 is refused." in asked.says("REFUSE 1 because of the others")
        assert running.game().deadline == before
        told = " ".join(notices(running, "Altair")[-1].split())
        assert "You asked for 3 days more in turn 1" in told
        assert "the others" in told
        assert notices(running, "Borealis") == []

    def test_a_word_counts_once(self, running, asked):
        asked.says("APPROVE 1")
        deadline = running.game().deadline
        assert "request 1 in galaxy-7 was approved already" in asked.says("APPROVE 1\nREFUSE 1")
        assert running.game().deadline == deadline

    def test_there_must_be_such_a_request(self, asked):
        assert "there is no request 2 in galaxy-7; open are 1" in asked.says("APPROVE 2")

    def test_it_is_of_no_use_when_the_turn_is_over(self, running, asked):
        running.pass_time(4 * DAY)
        assert "request 1 in galaxy-7 came to nothing, since what it was about is over" in asked.says("APPROVE 1")

    @pytest.mark.usefixtures("asked")
    def test_who_has_asked_is_told_that_it_came_to_nothing(self, running):
        running.pass_time(4 * DAY)
        told = [" ".join(body_of(mail).split()) for mail in running.outbox("notice") if "came to nothing" in body_of(mail)]
        assert len(told) == 1
        assert "The turn was over before the game master had answered." in told[0]


class TestSet:
    def test_changes_an_option_where_the_rules_allow_it(self, running, gm):
        question = gm.asked("SET target 50 because of boredom")
        assert "target would be 50 from now on instead of 1000" in question
        assert running.position()["options"]["target"] == 1000
        gm.yes()
        assert running.position()["options"]["target"] == 50
        assert json.loads(running.game().options)["target"] == 50
        assert "target is 50 from now on; it was 1000." in " ".join(notices(running, "Cygnus")[-1].split())
        for number, seat in enumerate(NAMES):
            running.send(seat, "\n".join(["Add 9"] * 6) if not number else "Add 1")
        running.pass_time(HOUR)
        assert running.game().status is GameStatus.FINISHED

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("SET die true", '"die" cannot be changed in mid-game; these can be: target'),
            ("SET height 3", '"height" is no option of this game'),
            ("SET target many", "is a whole number"),
            ("SET target 0", "is at least 1"),
            ("SET target 1000", "target is 1000 already"),
        ],
    )
    def test_refuses(self, running, gm, text, why):
        assert why in gm.says(text)
        assert running.questions() == []

    def test_alone_lists_what_can_be_set(self, gm):
        answer = gm.says("SET")
        assert "target (whole number, usually 20)" in answer
        assert "greeting" not in answer

    def test_an_option_with_the_length_of_a_turn_sets_the_clock(self, world):
        world.start("galaxy-7", ("Ann", "Bob"), ruleset="societies", reminders=())
        gm = Desk(world)
        gm.sure("SET turn_hours 48")
        assert json.loads(world.game().terms)["deadline"] == "48h"
        opened = world.game().opened_at
        world.pass_time(25 * HOUR)
        assert world.game().deadline == world.game().opened_at + 48 * HOUR
        assert world.game().opened_at > opened

    def test_what_does_not_fit_how_the_game_stands_is_refused(self, running, gm, monkeypatch):
        rules = running.desk.ruleset("count")

        def load(document):
            raise PositionError("options.target", "somebody has more already")

        before = running.position()
        gm.asked("SET target 5")
        monkeypatch.setattr(type(running.desk), "ruleset", lambda *_: replace(rules, load=load))
        assert "does not fit how the game stands: options.target: somebody has more already" in gm.yes()
        assert running.position() == before

    def test_where_orders_are_final_none_may_be_on_file(self, running, gm, monkeypatch):
        rules = running.desk.ruleset("count")
        final = replace(rules, info=replace(rules.info, sheets=replace(rules.info.sheets, later="final")))
        monkeypatch.setattr(type(running.desk), "ruleset", lambda *_: final)
        assert gm.asked("SET target 50")
        running.send("Altair", "Add 3")
        assert "orders are final in this game and some are in" in gm.says("SET target 50")


class TestPeek:
    """The game master is blind; what they look at all the same, everybody knows."""

    def test_is_asked_about_and_told_to_all_at_once(self, running, gm):
        running.send("Altair", "Add 7")
        question = gm.asked("PEEK Altair because of a doubt")
        assert "All players get a mail that says so" in question
        assert "Add 7" not in question
        assert notices(running, "Borealis") == []
        answer = gm.yes()
        assert "Add 7" in answer
        for seat in NAMES:
            told = " ".join(notices(running, seat)[-1].split())
            assert "the game master has looked at the orders of Altair" in told
            assert "a doubt" in told
            assert "Add 7" not in told
        entry = running.journal("peeked")[-1]
        assert json.loads(entry.public) == {"turn": 1, "seat": "Altair", "reason": "a doubt"}
        assert running.log("peeked")[-1].seat == "Altair"

    def test_no_shows_nothing(self, running, gm):
        running.send("Altair", "Add 7")
        gm.asked("PEEK Altair")
        assert "Nothing was done." in gm.yes("NO")
        assert running.journal("peeked") == []

    def test_of_nobody_is_refused(self, gm):
        assert 'there is no counter "Deneb"' in gm.says("PEEK Deneb")

    def test_no_other_mail_to_the_game_master_has_orders_in_it(self, running, gm):
        running.send("Altair", "Add 7\nEXTEND 9 days")
        gm.says("STATUS\nLOG\nHELP\nSET")
        gm.sure("EJECT Altair")
        running.pass_time(4 * DAY)
        gm.sure("ROLLBACK TO TURN 1")
        gm.sure("ABANDON")
        assert not [mail for mail in gm.mails() if "Add 7" in body_of(mail)]


class TestAbandon:
    def test_ends_the_game_for_all(self, running, gm):
        assert "would end in turn 1 without a winner, and all 3 players be told" in gm.asked("ABANDON because of the end")
        gm.yes()
        game = running.game()
        assert (game.status, game.deadline, game.due_at, game.secret) == (GameStatus.FINISHED, None, None, b"")
        assert "the end" in notices(running, "Cygnus")[-1]
        assert "the game is over" in running.send("Altair", "Add 3")
        assert "ABANDON: galaxy-7 is over already." in gm.says("ABANDON")

    def test_before_it_begins_too(self, world):
        world.open("galaxy-7", "Altair")
        Desk(world).sure("ABANDON")
        assert world.game().status is GameStatus.FINISHED
        assert "before it began" in notices(world, "Altair")[-1]

    @pytest.mark.parametrize(
        "command", ["PAUSE", "EXTEND 24h", "RESOLVE", "DEADLINE in 9 days", "EJECT Altair", "SET target 5", "PEEK Altair"]
    )
    def test_then_nothing_moves_it_any_more(self, running, gm, command):
        gm.sure("ABANDON")
        before = len(running.journal())
        assert "galaxy-7 is over" in gm.says(command)
        assert len(running.journal()) == before


class TestConfirmation:
    """The code of a question counts once, for one state of the game, and only from the game master's address."""

    def test_it_counts_once(self, running, gm):
        running.pass_time(4 * DAY)
        gm.sure("ROLLBACK TO TURN 1")
        step = running.game().step
        assert "This question is not open any more" in gm.yes()
        assert running.game().step == step

    def test_a_stale_one_does_nothing_says_what_changed_and_asks_again(self, running, gm):
        gm.asked("ABANDON")
        running.pass_time(4 * DAY)
        stale = gm.mails("question")[-1]
        answer = gm.yes()
        assert (
            "Nothing was done, because things have changed since you were asked: turn 1 was resolved, and it is turn 2 now."
            in answer
        )
        assert "Another mail asks you again, for how it is now." in answer
        assert running.game().status is GameStatus.RUNNING
        assert gm.mails("question")[-1].key != stale.key
        gm.yes()
        assert running.game().status is GameStatus.FINISHED

    def test_a_stale_one_of_another_turn_does_nothing(self, running, gm):
        gm.asked("RESOLVE")
        running.pass_time(4 * DAY)
        assert running.game().turn == 2
        assert "Nothing was done" in gm.yes()
        assert running.game().closed_at is None

    def test_a_newer_question_ends_the_older(self, running, gm):
        gm.asked("ABANDON")
        older = gm.mails("question")[-1]
        gm.asked("EJECT Altair")
        assert "not open any more" in running.reply(older, "YES")
        assert running.game().status is GameStatus.RUNNING

    def test_it_does_not_count_from_elsewhere(self, running, gm):
        gm.asked("ABANDON")
        gm.yes(sender="mallory@elsewhere.test")
        assert running.game().status is GameStatus.RUNNING

    def test_it_does_not_count_after_its_time(self, running, gm):
        gm.asked("ABANDON")
        running.now += 8 * DAY
        gm.yes()
        assert running.game().status is GameStatus.RUNNING

    def test_one_that_is_not_answered_expires(self, running, gm):
        gm.asked("ABANDON")
        running.now += 8 * DAY
        running.send("Altair", "STATUS")
        assert "do this now?" in running.log("expired")[-1].detail
        assert running.rows(Confirmation)[0].state.value == "expired"

    @pytest.mark.parametrize("words", ["YES\nNO", "perhaps", "YES if all agree"])
    def test_what_is_neither_yes_nor_no_does_nothing(self, running, gm, words):
        gm.asked("ABANDON")
        assert "could not be read" in gm.yes(words)
        assert running.game().status is GameStatus.RUNNING
        gm.yes()
        assert running.game().status is GameStatus.FINISHED

    def test_one_letter_asks_one_question(self, running, gm):
        running.reply(gm.mail, "ABANDON\nEJECT Altair")
        assert len(gm.mails("question")) == 1
        assert "one question a mail is enough" in body_of(gm.mails("gm")[-1])

    @pytest.mark.parametrize("text", ["ABANDON\nANNOUNCE\nIt is over.\nEND ANNOUNCE", "ABANDON\nPAUSE"])
    def test_what_else_the_letter_does_makes_it_no_stale_one(self, running, gm, text):
        running.reply(gm.mail, text)
        gm.yes()
        assert running.game().status is GameStatus.FINISHED

    def test_what_the_rest_of_the_letter_makes_pointless_is_not_asked(self, gm):
        answer = gm.says("RESOLVE\nPAUSE")
        assert "RESOLVE: galaxy-7 is paused." in answer
        assert gm.mails("question") == []

    @pytest.mark.parametrize("when", ["in 24h", "Saturday 20:00"])
    def test_a_time_is_the_one_that_was_foreseen_however_late_the_yes(self, running, gm, when):
        question = gm.asked(f"DEADLINE {when}")
        running.now += 5 * HOUR
        gm.yes()
        deadline = running.game().deadline
        assert deadline < BEGIN + 2 * DAY
        assert f"{deadline:%H:%M} UTC" in question

    def test_a_time_that_is_over_when_the_yes_comes_is_refused(self, running, gm):
        before = running.game().deadline
        gm.asked("DEADLINE Friday 20:00")
        running.now += 9 * HOUR
        assert "Fri 20 Nov 2026 20:00 UTC is over" in gm.yes()
        assert running.game().deadline == before

    def test_the_code_is_not_the_token(self, gm):
        gm.asked("ABANDON")
        assert message_of(gm.mails("question")[-1])["Reply-To"] != message_of(gm.mail)["Reply-To"]


def orders(running):
    running.send("Altair", "Add 3")


def refused_orders(running):
    running.send("Cygnus", "Subtract 3")


def late_orders(running):
    running.send("Cygnus", "ORDERS FOR TURN 1\nAdd 3", at=BEGIN)


def press(running):
    running.send("Altair", "PRESS TO ALL\nHello\nEND PRESS")


def a_wish_for_more_time(running):
    running.send("Altair", "EXTEND 9 days")


def words_of_the_game_masters(running):
    running.act("galaxy-7", gm_acts.announce, "Good luck!")


def another_time_zone_and_a_day_away(running):
    running.send("Altair", "TIMEZONE Europe/Berlin\nABSENT FROM 2027-12-24 TO 2027-12-26")


def another_token(running):
    running.send("Borealis", "NEW TOKEN")


def another_address(running):
    running.send("Borealis", "ADDRESS berta@players.test")
    running.reply(running.questions(address_of("Borealis"))[-1], "YES")
    running.reply(running.questions("berta@players.test")[-1], "YES")


HARMLESS = (
    orders, refused_orders, late_orders, press, a_wish_for_more_time, words_of_the_game_masters,
    another_time_zone_and_a_day_away, another_token, another_address,
)  # fmt: skip
DONE = {
    "DEADLINE in 24h": "deadline",
    "RESOLVE": "closed",
    "ROLLBACK TO TURN 1": "rolled-back",
    "EJECT Borealis": "ejected",
    "SET target 50": "set",
    "PEEK Borealis": "peeked",
    "ABANDON": "finished",
}


def a_resolution(running):
    assert running.pass_time(4 * DAY) == 1


def a_new_holder(running):
    running.act("galaxy-7", seat_offers.offer, "Borealis", "dora@players.test", Holder("Dora", "UTC"))
    running.reply(running.questions("dora@players.test")[-1], "YES")


def a_resignation(running):
    running.resign("Borealis")


def another_deadline(running):
    running.act("galaxy-7", deadline_changes.extend, HOUR, "the game master")


def another_option(running):
    running.act("galaxy-7", options.set_option, "target", "60")


def a_rollback(running):
    running.act("galaxy-7", roll_back, 1)


def the_end(running):
    running.act("galaxy-7", gm_acts.abandon)


def orders_taken_back(running):
    running.send("Altair", "CANCEL ORDERS")


class TestWhatAQuestionIsAbout:
    """A YES is void if what the question was about has changed, and only then; and the answer says what."""

    @pytest.fixture
    def gm(self, running):
        running.pass_time(4 * DAY)
        return Desk(running)

    @pytest.mark.in_turn(4)
    @pytest.mark.parametrize("happens", HARMLESS, ids=lambda one: one.__name__)
    @pytest.mark.parametrize("command", DONE)
    def test_what_does_not_touch_it_makes_no_yes_void(self, running, gm, command, happens):
        gm.asked(command)
        running.now += timedelta(minutes=1)
        before = len(running.log())
        happens(running)
        assert len(running.log()) > before
        gm.yes()
        assert running.journal(DONE[command])

    @pytest.mark.in_turn(4)
    @pytest.mark.parametrize("command", ["OFFER Borealis", "REPLACE Borealis BY emil@players.test"])
    @pytest.mark.parametrize("happens", HARMLESS, ids=lambda one: one.__name__)
    def test_nor_of_an_offer(self, running, gm, command, happens):
        confirmed(running, "Emil", "STANDBY ALL")
        gm.asked(command)
        happens(running)
        gm.yes()
        assert running.questions("emil@players.test")

    @pytest.mark.in_turn(3)
    @pytest.mark.parametrize(
        ("command", "happens", "words"),
        [
            ("DEADLINE in 24h", another_deadline, "the deadline of turn 2 is Fri 27 Nov 2026 13:00 UTC"),
            ("DEADLINE in 24h", a_resolution, "turn 2 was resolved, and it is turn 3 now"),
            ("RESOLVE", a_resolution, "turn 2 was resolved, and it is turn 3 now"),
            ("RESOLVE", a_rollback, "galaxy-7 was rolled back, and is in turn 1"),
            ("ROLLBACK TO TURN 1", a_resolution, "turn 2 was resolved, and it is turn 3 now"),
            ("ROLLBACK TO TURN 1", the_end, "galaxy-7 is over"),
            ("EJECT Borealis", a_new_holder, "Borealis has a new holder"),
            ("EJECT Borealis", a_resignation, "nobody plays Borealis any more"),
            ("REPLACE Borealis BY emil@players.test", a_new_holder, "Borealis has a new holder"),
            ("REPLACE Borealis BY emil@players.test", a_resignation, "nobody plays Borealis any more"),
            ("OFFER Borealis", a_new_holder, "Borealis has a new holder"),
            ("SET target 50", another_option, "target is 60 now"),
            ("SET target 50", a_resolution, "turn 2 was resolved, and it is turn 3 now"),
            ("PEEK Borealis", a_new_holder, "Borealis has a new holder"),
            ("PEEK Borealis", a_resolution, "turn 2 was resolved, and it is turn 3 now"),
            ("ABANDON", a_resolution, "turn 2 was resolved, and it is turn 3 now"),
            ("ABANDON", a_rollback, "galaxy-7 was rolled back, and is in turn 1"),
        ],
    )
    def test_what_has_changed_is_said(self, running, gm, command, happens, words):
        confirmed(running, "Emil", "STANDBY ALL")
        gm.asked(command)
        happens(running)
        before = {kind: len(running.journal(kind)) for kind in DONE.values()}
        answer = gm.yes()
        assert f"Nothing was done, because things have changed since you were asked: {words}" in answer
        assert any(
            how in answer for how in ("Another mail asks you again", "Send your command again", "Nor can it be done any more")
        )
        assert {kind: len(running.journal(kind)) for kind in DONE.values()} == before
        assert running.questions("emil@players.test") == []

    def test_of_a_turn_that_is_to_be_closed_only_who_would_miss_it_besides_matters(self, running, gm):
        running.send("Altair", "Add 1")
        assert "Borealis and Cygnus have sent nothing" in gm.asked("RESOLVE")
        orders_taken_back(running)
        assert "Altair has sent nothing now, and would miss it, too" in gm.yes()
        running.send("Altair", "Add 1")
        gm.yes()
        assert running.journal("closed")

    def test_a_seat_that_nobody_plays_any_more_can_be_offered_without_a_question(self, running, gm):
        gm.asked("REPLACE Borealis BY emil@players.test")
        a_resignation(running)
        assert "Send your command again if you still want it." in gm.yes()
        assert "emil@players.test is asked to take over Borealis." in gm.says("REPLACE Borealis BY emil@players.test")

    def test_a_clock_that_jumps_again_is_another_one(self, running, gm):
        running.pass_time()
        look_at_clock(running.desk)
        running.set_clock(2 * HOUR)
        look_at_clock(running.desk)
        assert "it was set 2 h ahead" in gm.asked("CLOCK CONFIRM")
        running.send("Altair", "Add 3")
        gm.yes()
        assert running.log("all-clear")

    def test_a_question_that_another_has_replaced_says_so(self, running, gm):
        gm.asked("ABANDON")
        older = gm.mails("question")[-1]
        gm.asked("EJECT Altair")
        assert "not open any more: you have been asked something else since. Nothing was done." in " ".join(
            running.reply(older, "YES").split()
        )


def test_a_chain_with_all_that_a_game_master_does_holds(running, gm):
    running.send("Altair", "Add 3\nEXTEND 9 days")
    gm.says("PAUSE\nRESUME\nEXTEND 1h\nANNOUNCE\nHello\nEND ANNOUNCE\nAPPROVE 1\nNEW TOKEN")
    gm.mail = gm.mails("alarm")[-1]
    running.pass_time(15 * DAY)
    for text in ("SET target 500", "PEEK Altair", "RESOLVE", "EJECT Cygnus", "ROLLBACK TO TURN 1", "ABANDON"):
        gm.sure(text)
    links = [
        Link(entry.number, entry.at, entry.kind, entry.public, entry.secret, entry.salt, entry.hash)
        for entry in running.rows(JournalEntry, col(JournalEntry.game_id) == running.game().id)
    ]
    assert verify(links) == running.game().chain_head
    assert {"peeked", "set", "ejected", "rolled-back", "finished", "announced", "decided", "gm-token"} <= {
        link.kind for link in links
    }


def test_a_whole_game_is_mastered_with_mails_alone(world):
    """From sign-up to its end: joined by mail, begun, extended, a player lost and replaced, and won."""
    with world.work() as work:
        new_game.create_game(
            work, "galaxy-7", "count", new_game.Terms(reminders=(), second_thought="0m"), {"die": False, "target": 20}
        )
    gm = Desk(world)
    for seat in NAMES:
        confirmed(world, seat, f"JOIN galaxy-7 AS {seat}")
    assert "Altair Borealis Cygnus" in gm.says("STATUS").replace("| ", "")
    gm.says("START")
    assert world.game().status is GameStatus.RUNNING
    world.send("Altair", "Add 5")
    gm.says("EXTEND 24h because of Cygnus")
    gm.sure("EJECT Cygnus")
    gm.says("REPLACE Cygnus BY dora@players.test")
    world.reply(world.questions("dora@players.test")[-1], "YES")
    world.send("Cygnus", "Add 6", sender="dora@players.test")
    world.send("Borealis", "Add 4")
    assert world.pass_time(HOUR) == 1
    world.send("Altair", "Add 9\nAdd 9")
    gm.sure("RESOLVE")
    assert world.pass_time(HOUR) == 1
    assert world.game().status is GameStatus.FINISHED
    assert "Altair" in json.loads(world.journal("finished")[-1].public)["winners"]
    process_letters(world.desk)
    assert all(letter.state is LetterState.DONE for letter in world.letters())


class TestWhy:
    """What is decided comes to the players with the reason that the game master gives, and stands in the journal."""

    @pytest.mark.parametrize(
        ("before", "command", "readers"),
        [
            ("", "PAUSE because of a storm", NAMES),
            ("PAUSE", "RESUME because of a storm", NAMES),
            ("", "EXTEND 24h because of a storm", NAMES),
            ("", "EXTEND 24h FOR Altair because of a storm", ("Altair",)),
            ("", "DEADLINE in 90h because of a storm", NAMES),
            ("", "QUIET Sunday because of a storm", NAMES),
            ("", "HOLIDAY 2026-12-24 because of a storm", NAMES),
            ("", "RESOLVE because of a storm", NAMES),
            ("", "PEEK Altair because of a storm", NAMES),
            ("", "EJECT Altair because of a storm", ("Borealis", "Cygnus")),
            ("", "ABANDON because of a storm", NAMES),
            ("", "REPLACE Altair BY dora@players.test because of a storm", ("Altair",)),
        ],
    )
    def test_a_reason_comes_to_the_players_and_stands_in_the_journal(self, world, before, command, readers):
        world.count()
        desk = Desk(world)
        if before:
            desk.says(before)
        newest = max(mail.id for mail in world.outbox())
        desk.says(command)
        if asked := [mail for mail in desk.mails("question") if mail.id > newest]:
            world.reply(asked[-1], "YES")
        told = {mail.recipient for mail in world.outbox("notice") if mail.id > newest and "a storm" in body_of(mail)}
        assert {address_of(seat) for seat in readers} <= told
        assert any("a storm" in entry.public for entry in world.rows(JournalEntry)), "the journal does not tell why"

    def test_why_a_game_begins_now_is_told(self, world):
        world.open("galaxy-7", *NAMES)
        Desk(world).says("START because Dora cannot come")
        told = [mail for mail in world.outbox("notice") if "Dora cannot come" in body_of(mail)]
        assert {mail.recipient for mail in told} == {address_of(seat) for seat in NAMES}
        assert any("Dora cannot come" in entry.public for entry in world.rows(JournalEntry) if entry.kind == "started")

    def test_why_a_seat_is_offered_is_told_to_whom_it_is_offered(self, world):
        world.count()
        world.resign("Altair")
        Desk(world).says("REPLACE Altair BY dora@players.test because Altair has moved to the moon")
        (question,) = world.questions("dora@players.test")
        assert "Altair has moved to the moon" in body_of(question)

    def test_why_more_time_is_granted_is_told(self, world):
        world.count(extension_budget="0h")
        world.send("Altair", "EXTEND 24h")
        Desk(world).says("APPROVE 1 because it is the first time")
        assert any("it is the first time" in body_of(mail) for mail in world.outbox("notice"))
        assert any("it is the first time" in entry.secret for entry in world.rows(JournalEntry) if entry.kind == "decided")

    def test_the_archive_of_a_game_with_reasons_verifies(self, world, tmp_path):
        world.count()
        desk = Desk(world)
        world.resign("Cygnus")
        for text in ("PAUSE", "RESUME because it is over", "REPLACE Cygnus BY dora@players.test because it is free"):
            desk.says(text)
        desk.asked("RESOLVE because all agree")
        desk.yes()
        world.pass_time(HOUR)
        assert [str(problem) for problem in verified(export(world, tmp_path / "archive")).problems] == []
