"""Press: messages between players by way of the daemon, without anybody's address."""

import json
from datetime import timedelta

import pytest

from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import Consent, Holder, hand_over
from pbmd.desk.player.press import PRESS_CHARS
from pbmd.ledger.tables import Report
from tests.desk.world import address_of, body_of, message_of


def readers(world):
    return [mail.recipient.partition("@")[0] for mail in world.outbox("press")]


def press(world, to, text="hello there", **more):
    return world.send("Altair", f"PRESS TO {to}\n{text}\nEND PRESS", **more)


@pytest.mark.parametrize(
    ("to", "names"),
    [
        ("ALL", ["borealis", "cygnus"]),
        ("all", ["borealis", "cygnus"]),
        ("Borealis", ["borealis"]),
        ("cyg", ["cygnus"]),
        ("Cygnus, Borealis", ["cygnus", "borealis"]),
        ("Borealis and Cygnus", ["borealis", "cygnus"]),
        ("Borealis, Borealis, bor", ["borealis"]),
        ("Borealis & Cygnus", ["borealis", "cygnus"]),
        ("CYGNUS AND BOREALIS", ["cygnus", "borealis"]),
        ("Borealis; Cygnus,", ["borealis", "cygnus"]),
        ("everybody", ["borealis", "cygnus"]),
        ("all players", ["borealis", "cygnus"]),
    ],
)
def test_a_message_goes_to_those_named(running, to, names):
    answer = press(running, to)
    assert readers(running) == names
    assert all(name.title() in answer for name in names)


@pytest.mark.parametrize(
    ("to", "names"),
    [
        ("Black and White", ["blackandwhite"]),
        ("Black and White, Deneb", ["blackandwhite", "deneb"]),
        ("Deneb & Black and White", ["blackandwhite", "deneb"]),
        ("White and Deneb", ["deneb", "whitestar"]),
        ("everybody and Deneb", ["blackandwhite", "deneb", "whitestar"]),
    ],
)
def test_a_name_with_and_in_it_is_one(world, to, names):
    world.count(seats=("Altair", "Black and White", "Deneb", "White Star"))
    press(world, to)
    assert sorted(readers(world)) == names


def test_who_is_called_like_a_list_of_others_does_not_get_what_is_for_them(world):
    world.count(seats=("Altair", "Borealis", "Cygnus", "Borealis and Cygnus"))
    answer = press(world, "Borealis and Cygnus")
    assert "this is one name here, and the names of several" in " ".join(answer.split())
    assert readers(world) == []


def test_the_reader_sees_who_wrote_to_whom_what_and_how_to_answer(running):
    press(running, "Borealis, Cygnus", "Shall we?\n\n  Yours, A.")
    told = body_of(running.outbox("press", "Borealis")[0])
    assert "From: Altair\n" in told
    assert "To:   Borealis, Cygnus\n" in told
    assert "| Shall we?\n|\n|   Yours, A.\n" in told
    assert "PRESS TO Altair" in told
    assert (
        message_of(running.outbox("press", "Borealis")[0])["Subject"]
        == "[pbmd galaxy-7 t1] press from Altair to Borealis, Cygnus"
    )


def test_nobodys_address_is_in_it(running):
    press(running, "ALL")
    for mail in running.outbox("press"):
        others = {address_of(name) for name in ("Altair", "Borealis", "Cygnus")} - {mail.recipient}
        assert not [address for address in others if address.encode() in mail.raw]


def test_a_reply_to_it_acts_for_the_reader(running):
    press(running, "Borealis")
    mail = message_of(running.outbox("press", "Borealis")[0])
    running.send("Borealis", "PRESS TO Altair\nAgreed.\nEND PRESS", to=mail["Reply-To"], subject=f"Re: {mail['Subject']}")
    assert "Agreed." in body_of(running.outbox("press", "Altair")[0])


def test_it_comes_as_it_was_written(running):
    press(running, "Borealis", "- one\n-  two\n# three\nsay \u201cyes\u201d")
    assert "| - one\n| -  two\n| # three\n| say \u201cyes\u201d\n" in body_of(running.outbox("press")[0])


def test_orders_beside_a_message_count(running):
    running.send("Altair", "Add 3\nPRESS TO ALL\nAdd 9\nEND PRESS\nAdd 4")
    assert running.sheet("Altair") == ["Add 3", "Add 4"]


def test_without_its_end_nothing_is_sent_and_the_answer_says_so(running):
    answer = running.send("Altair", "PRESS TO ALL\nhello\nAdd 9")
    assert "your message was not sent, since the line END PRESS is missing" in answer.replace("\n", " ")
    assert readers(running) == []
    assert running.sheet("Altair") is None


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("Deneb", 'there is no counter "Deneb"'),
        ("Borealsi", 'did you mean "Borealis"?'),
        ("Altair", '"Altair" is your own counter'),
        ("Borealis and altair", '"altair" is your own counter'),
        ("Borealis, Deneb", 'there is no counter "Deneb"'),
    ],
)
def test_a_name_that_is_nobody_elses_stops_the_whole_message(running, to, why):
    assert why in press(running, to).replace("\n", " ")
    assert readers(running) == []


def test_an_ambiguous_name_asks_for_more_of_it(world):
    world.count(seats=("Altair", "Borealis Major", "Borealis Minor"))
    assert "write more of the name" in press(world, "Bor").replace("\n", " ")


@pytest.mark.parametrize("text", ["", "\n\n", "x" * (PRESS_CHARS + 1)])
def test_a_message_has_something_to_say_and_an_end(running, text):
    assert f"1 to {PRESS_CHARS} characters" in press(running, "ALL", text).replace("\n", " ")
    assert readers(running) == []


def test_a_game_without_press(world):
    world.count(press=False)
    assert "this game has no press" in press(world, "ALL")
    assert readers(world) == []


def test_who_has_resigned_gets_none(running):
    running.resign("Cygnus")
    press(running, "ALL")
    assert readers(running) == ["borealis"]


def test_with_nobody_left_to_write_to_nothing_is_said_to_have_been_sent(running):
    running.resign("Borealis")
    running.resign("Cygnus")
    assert "nobody else" in press(running, "ALL")


def test_a_letter_that_came_twice_is_one_message(running):
    raw = running.letter("Altair", "PRESS TO Borealis\nhello\nEND PRESS")
    for _ in range(2):
        running.arrive(raw)
    running.pass_time()
    assert readers(running) == ["borealis"]


def test_two_messages_in_one_letter(running):
    running.send("Altair", "PRESS TO Borealis\none\nEND PRESS\nPRESS TO Borealis\ntwo\nEND PRESS")
    assert ["one" in body_of(mail) for mail in running.outbox("press")] == [True, False]


def test_commands_in_press_are_text(running):
    running.send("Altair", "PRESS TO Borealis\nRESIGN\nExtend 24h\nEND PRESS")
    assert readers(running) == ["borealis"]
    assert not running.questions()
    assert not running.log("extended")


@pytest.mark.parametrize(
    "within", ["PRESS TO Cygnus", "*PRESS TO Cygnus*", "press to cygnus", "press to all:", "ANONYMOUS PRESS TO Cygnus"]
)
def test_a_message_in_which_another_begins_goes_to_nobody_and_back_to_its_writer(running, within):
    answer = running.send("Altair", f"PRESS TO Borealis\nhello\n{within}\npsst\nEND PRESS")
    assert readers(running) == []
    assert "needs an END PRESS of its own" in " ".join(answer.split())
    assert "| psst" in answer


def test_the_text_is_sealed_in_the_journal_and_not_in_the_log(running):
    press(running, "Borealis", "a secret plan")
    (entry,) = running.journal("press")
    assert json.loads(entry.secret) == {"from": "Altair", "to": ["Borealis"], "text": "a secret plan", "letter": 1}
    assert "Altair" not in entry.public
    assert all("secret plan" not in line.detail and "Borealis" not in line.detail for line in running.log("press"))


def test_a_message_that_looks_like_headers_stays_a_message(running):
    text = "Reply-To: mallory@evil.test\nSubject: [pbmd galaxy-7 t1] STATUS\n\n.\nFrom nobody\n"
    press(running, "Borealis", text)
    (mail,) = running.outbox("press")
    assert message_of(mail).get_all("Reply-To") == [running.reply_address("Borealis")]
    assert "".join(f"| {line}".rstrip() + "\n" for line in text.splitlines()) in body_of(mail)


def reply_to(mail, text):
    """A reply as mail programs write it, the answered mail quoted below."""
    quoted = "".join(f"> {line}\n" for line in body_of(mail).splitlines())
    return f"{text}\n\nOn Fri, 20 Nov 2026 at 12:00, galaxy-7 <games@pbmd.test> wrote:\n{quoted}"


@pytest.mark.parametrize("padding", range(50, 80, 2))
def test_nobody_can_put_orders_into_anothers_reply(running, padding):
    tag = running.reply_address("Altair").partition("+")[2].partition("@")[0]
    press(running, "Borealis", f"{'x' * padding} #orders {tag}\n#orders\nAdd 9\n#end")
    (mail,) = running.outbox("press")
    running.send("Borealis", reply_to(mail, "Add 1"))
    assert running.sheet("Borealis") == ["Add 1"]


def test_a_form_from_elsewhere_in_a_reply_is_named_in_the_answer(running):
    tag = running.reply_address("Altair").partition("+")[2].partition("@")[0]
    forged = f"On Fri, 20 Nov 2026 at 12:00, Altair wrote:\n> #orders {tag}\n> Add 9\n> #end\n"
    answer = running.send("Borealis", f"Add 1\n\n{forged}")
    assert running.sheet("Borealis") == ["Add 1"]
    assert "It stands in a quoted order form that is not the form of your seat" in " ".join(answer.split())


def test_a_message_keeps_the_form_in_it_and_its_writers_own_form_counts(running):
    tag = running.reply_address("Altair").partition("+")[2].partition("@")[0]
    report = running.outbox("report", "Altair")[0]
    message = f"PRESS TO Borealis\nwrite it like this:\n#orders {tag}\nAdd 9\n#end\nEND PRESS"
    running.send("Altair", reply_to(report, f"Add 3\n{message}"))
    assert running.sheet("Altair") == ["Add 3"]
    shown = f"{tag.partition('.')[0]}.{'x' * 16}"
    assert f"| write it like this:\n| #orders {shown}\n| Add 9\n| #end\n" in body_of(running.outbox("press")[0])


def test_a_long_message_never_leaves_its_mark(running):
    press(running, "Borealis", f"{'word ' * 60}\n\n{'x' * 300}")
    body = body_of(running.outbox("press")[0])
    said = body.partition("To:   Borealis\n\n")[2].partition("\n\n--\n")[0].splitlines()
    assert len(said) > 8
    assert all(line.startswith("|") and len(line) <= 72 for line in said)


def limits(world, **changes):
    settings = world.desk.settings
    changed = settings.model_copy(update={"limits": settings.limits.model_copy(update=changes)})
    object.__setattr__(world.desk, "settings", changed)


def test_a_seat_may_cause_only_so_many_mails_of_press_in_an_hour(running):
    limits(running, press_per_hour=5)
    assert ["went to" in press(running, "ALL", f"no. {number}") for number in range(3)] == [True, True, False]
    assert "went to" in press(running, "Borealis", "one reader is within it")
    told = press(running, "Borealis", "the sixth")
    assert "at most 5 mails of yours in an hour, and this would be 6" in " ".join(told.split())
    assert len(readers(running)) == 5
    assert len(running.journal("press")) == 3
    running.now += timedelta(hours=1)
    assert "went to" in press(running, "ALL", "an hour later")


def test_and_in_a_day(running):
    limits(running, press_per_day=3)
    press(running, "ALL", "the first")
    running.now += timedelta(hours=23)
    assert "in 24 hours" in " ".join(press(running, "ALL", "the second").split())
    running.now += timedelta(hours=1)
    assert "went to" in press(running, "ALL", "the third")


def test_the_press_of_others_does_not_count(running):
    limits(running, press_per_hour=2)
    press(running, "ALL")
    assert "went to" in running.send("Borealis", "PRESS TO ALL\nhello\nEND PRESS")


def test_messages_in_one_letter_are_counted_together(running):
    limits(running, press_per_hour=5)
    running.send("Altair", "\n".join(f"PRESS TO ALL\nno. {number}\nEND PRESS" for number in range(4)))
    assert len(readers(running)) == 4


def test_one_letter_may_cause_only_so_many_mails(running):
    limits(running, mails_per_letter=3)
    told = running.send("Altair", "\n".join(f"PRESS TO ALL\nno. {number}\nEND PRESS" for number in range(4)))
    assert len(readers(running)) == 2
    assert "at most 3 mails" in " ".join(told.split())


class TestAnonymous:
    """Press without the name of the seat, where the game's terms allow it."""

    @pytest.fixture
    def masked(self, world):
        world.count(anonymous_press=True)
        return world

    def test_only_if_the_game_allows_it(self, running):
        answer = running.send("Altair", "ANONYMOUS PRESS TO ALL\nhello\nEND PRESS")
        assert "this game has no anonymous press, so nothing was sent" in " ".join(answer.split())
        assert readers(running) == []

    def test_nobody_learns_who_wrote_it_from_text_or_header(self, masked):
        answer = masked.send("Altair", "ANONYMOUS PRESS TO ALL\nhello\nEND PRESS")
        assert "went to Altair, Borealis and Cygnus, without your name" in " ".join(answer.split())
        assert readers(masked) == ["altair", "borealis", "cygnus"]
        for mail in masked.outbox("press")[1:]:
            assert b"ltair" not in mail.raw
            assert message_of(mail)["Subject"] == "[pbmd galaxy-7 t1] anonymous press to all"
        assert "To:   everybody\n" in body_of(masked.outbox("press")[1])

    def test_to_some_it_names_them_and_its_writer_may_be_among_them(self, masked):
        masked.send("Altair", "Anonymous press to Borealis, Altair\nhello\nEND PRESS")
        assert readers(masked) == ["borealis", "altair"]
        assert "To:   Borealis, Altair\n" in body_of(masked.outbox("press")[0])

    @pytest.mark.parametrize(
        "more",
        ["Add 3", "ORDERS", "STATUS", "PRESS TO Cygnus\npsst\nEND PRESS", "ANONYMOUS PRESS TO ALL\nmoo\nEND PRESS"],
    )
    @pytest.mark.parametrize("before", [True, False])
    def test_it_is_sent_only_if_nothing_else_is_in_the_mail_and_comes_back_to_its_writer(self, masked, more, before):
        """The journal has what came in one mail at one instant, side by side."""
        message = "ANONYMOUS PRESS TO ALL\nboo, says one\nEND PRESS"
        answer = masked.send("Altair", "\n".join((more, message) if before else (message, more)))
        assert "must be the only thing in its mail" in " ".join(answer.split())
        assert "YOUR MESSAGE, WHICH WAS NOT SENT\n\n| boo, says one\n" in answer
        assert not [mail for mail in masked.outbox("press") if "boo" in body_of(mail) or "moo" in body_of(mail)]
        assert not [entry for entry in masked.journal("press") if "anonymous" in entry.secret]
        assert masked.sheet("Altair") == {"Add 3": ["Add 3"], "ORDERS": []}.get(more)

    def test_what_is_not_read_may_stand_with_it(self, masked):
        answer = masked.send("Altair", "ANONYMOUS PRESS TO ALL\nboo\nEND PRESS\nEND\nregards")
        assert "without your name" in " ".join(answer.split())
        assert readers(masked) == ["altair", "borealis", "cygnus"]

    def test_the_log_names_neither_the_seat_nor_the_letter(self, masked):
        masked.send("Altair", "ANONYMOUS PRESS TO ALL\nhello\nEND PRESS")
        (line,) = masked.log("press")
        assert (line.seat, line.detail, line.cause) == ("-", "anonymous", "")

    def test_it_counts_for_the_limits_of_its_writer(self, masked):
        limits(masked, press_per_hour=3)
        masked.send("Altair", "ANONYMOUS PRESS TO ALL\none\nEND PRESS")
        told = masked.send("Altair", "ANONYMOUS PRESS TO Borealis\ntwo\nEND PRESS")
        assert "at most 3 mails of yours in an hour" in " ".join(told.split())


class TestWithTheReport:
    """Press that waits for the next report."""

    @pytest.fixture
    def slow(self, world):
        world.count(press_delivery="report", anonymous_press=True)
        return world

    def resolve(self, world):
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, "Add 1")
        assert world.pass_time(timedelta(minutes=1)) == 1

    def test_it_waits_and_the_writer_is_told(self, slow):
        assert "goes out with the next report, to Borealis." in " ".join(press(slow, "Borealis").split())
        assert readers(slow) == []

    def test_it_stands_in_the_report_of_its_readers_alone_text_and_html(self, slow):
        press(slow, "Borealis", "psst <b>")
        slow.send("Altair", "ANONYMOUS PRESS TO ALL\nboo\nEND PRESS")
        self.resolve(slow)
        to_borealis, to_cygnus = (body_of(slow.outbox("report", seat)[-1]) for seat in ("Borealis", "Cygnus"))
        assert "PRESS\n\nFrom Altair to Borealis:\n| psst <b>\n" in to_borealis
        assert "From somebody who gives no name to everybody:\n| boo\n" in to_borealis
        assert "psst" not in to_cygnus
        assert "Altair" not in to_cygnus.partition("PRESS\n\n")[2].partition("ORDER FORM")[0]
        html = message_of(slow.outbox("report", "Borealis")[-1]).get_body(("html",)).get_content()
        assert "| psst &lt;b&gt;" in html

    def test_it_is_in_one_report_only_and_report_brings_it_again(self, slow):
        press(slow, "Borealis", "psst")
        self.resolve(slow)
        press(slow, "Borealis", "again")
        self.resolve(slow)
        assert "psst" not in body_of(slow.outbox("report", "Borealis")[-1])
        assert "| psst" in slow.send("Borealis", "REPORT 1")
        assert "psst" not in slow.send("Borealis", "REPORT 2")
        assert "psst" not in slow.send("Cygnus", "REPORT 1")

    def test_who_takes_a_seat_over_does_not_get_what_was_written_to_the_one_before(self, slow):
        press(slow, "Borealis", "psst")
        press(slow, "ALL", "hello")
        self.resolve(slow)
        assert "| psst" in slow.send("Borealis", "REPORT 1")
        with slow.work() as work:
            table = work.table_named("galaxy-7")
            hand_over(work, table, table.seat("Borealis"), "new@players.test", Consent(1, ()), Holder("Newcomer", "UTC"))
        again = slow.send("Borealis", "REPORT 1", sender="new@players.test")
        assert ("| psst" in again, "| hello" in again) == (False, True)
        press(slow, "Borealis", "welcome")
        for seat, sender in (("Altair", None), ("Borealis", "new@players.test"), ("Cygnus", None)):
            slow.send(seat, "Add 1", sender=sender)
        assert slow.pass_time(timedelta(minutes=1)) == 1
        assert "| welcome" in slow.send("Borealis", "REPORT 2", sender="new@players.test")

    def test_no_report_that_is_kept_has_it(self, slow):
        press(slow, "ALL", "psst")
        self.resolve(slow)
        assert not [row for row in slow.rows(Report) if "psst" in row.text or "psst" in row.html]

    def test_what_waits_counts_for_the_limits(self, slow):
        limits(slow, press_per_hour=2)
        press(slow, "ALL")
        assert "at most 2 mails" in " ".join(press(slow, "Borealis").split())

    def test_a_game_that_ends_without_a_report_passes_it_on(self, slow):
        press(slow, "Borealis", "psst")
        slow.act("galaxy-7", abandon)
        assert "| psst" in body_of(slow.outbox("press", "Borealis")[0])
        assert slow.game().press_waits == "[]"

    def test_a_turn_that_is_played_again_loses_none(self, slow):
        self.resolve(slow)
        press(slow, "Borealis", "psst")
        slow.act("galaxy-7", roll_back, 1)
        slow.pass_time(timedelta(days=4))
        assert "| psst" in body_of(slow.outbox("report", "Borealis")[-1])

    def test_a_turn_that_is_still_open_shows_none_of_it(self, slow):
        press(slow, "Borealis", "psst")
        assert "psst" not in slow.send("Borealis", "REPORT 1\nSTATUS")


@pytest.mark.parametrize("line", ["press to the east, it is mine", "Press to win!"])
def test_prose_that_begins_like_a_message_is_sent(running, line):
    running.send("Altair", f"PRESS TO Borealis\nDo not\n{line}\nEND PRESS")
    assert readers(running) == ["borealis"]


def test_a_message_to_spectators_within_another_stops_it(running):
    running.send("Altair", "PRESS TO Borealis\nhello\nPRESS TO SPECTATORS OF galaxy-7\npsst\nEND PRESS")
    assert readers(running) == []


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("all but Cygnus", "write the names of all who are to get your message"),
        ("everybody except Cygnus and Borealis", "write the names of all who are to get your message"),
        ("Borealis, not Cygnus", "write the names of all who are to get your message"),
        ("ALL (anonymous)", "a message without your name begins with ANONYMOUS PRESS TO"),
        ("Borealis: I have a plan", "your message begins on the line below them"),
        ("GM", "the game master is none; write to them outside of the game"),
        ("the game master", "the game master is none; write to them outside of the game"),
    ],
)
def test_what_is_more_than_names_is_told_and_nobody_gets_the_message(running, to, why):
    answer = " ".join(press(running, to).split())
    assert why in answer
    assert "did you mean" not in answer
    assert not readers(running)
