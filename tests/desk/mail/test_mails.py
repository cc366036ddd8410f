"""The mails of the desk: their headers, their thread, and that nothing a player wrote can leave its place."""

import re
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs

import pytest
from sqlalchemy.exc import IntegrityError

from pbmd.desk.changes import new_game, pauses
from pbmd.desk.mail.draft import Draft, in_short
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.mail.tags import gm_tag
from pbmd.post.read.letter import read_letter
from pbmd.post.tags import plus_address, ranked_tags
from pbmd.rules.protocol import Signup
from tests.desk.world import ADDRESS, NAMES, address_of, body_of, html_of, message_of, opened

DAY = timedelta(days=1)
TEXT_AND_HTML = {"multipart/alternative", "text/plain", "text/html"}
SEAT_KINDS = ("acknowledgement", "report", "reminder", "notice", "press", "handbook")


def mails(world, kind):
    found = [message_of(mail) for mail in world.outbox(kind, "Altair")]
    assert found
    return found


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("kind", SEAT_KINDS)
class TestToASeat:
    """What every mail to a seat has, whatever it is."""

    def test_a_reply_to_it_is_known_as_the_seats(self, busy, kind):
        for mail in mails(busy, kind):
            assert mail["Reply-To"] == busy.reply_address("Altair")

    def test_its_message_id_alone_is_enough_to_know_a_reply(self, busy, kind):
        for mail in mails(busy, kind):
            reply = f"From: altair@players.test\r\nTo: {ADDRESS}\r\nIn-Reply-To: {mail['Message-ID']}\r\n\r\nSTATUS\r\n"
            ((tag,),) = filter(None, ranked_tags(read_letter(reply.encode()), ADDRESS))
            assert (tag.game, tag.seat) == (1, 1)

    def test_all_of_a_game_is_one_thread(self, busy, kind):
        threads = {mail["References"].split()[0] for one in SEAT_KINDS for mail in mails(busy, one)}
        assert len(threads) == 1
        for mail in mails(busy, kind):
            assert mail["References"].split()[0] in threads

    def test_it_says_that_a_program_wrote_it(self, busy, kind):
        for mail in mails(busy, kind):
            answers = kind in ("acknowledgement", "handbook")
            assert mail["Auto-Submitted"] == ("auto-replied" if answers else "auto-generated")
            assert mail["X-Auto-Response-Suppress"] == "All"
            assert mail["X-Loop"] == ADDRESS
            assert mail["Precedence"] is None

    def test_it_is_of_the_games_list(self, busy, kind):
        for mail in mails(busy, kind):
            assert mail["List-Id"] == "<galaxy-7.games.pbmd.test>"

    def test_it_says_how_to_leave_the_game_by_mail(self, busy, kind):
        for mail in mails(busy, kind):
            address, _, query = str(mail["List-Unsubscribe"]).removeprefix("<mailto:").rstrip(">").partition("?")
            assert address == busy.reply_address("Altair")
            assert parse_qs(query) == {"subject": ["Leave galaxy-7"], "body": ["RESIGN"]}

    def test_from_to_subject_and_date_are_for_people(self, busy, kind):
        for mail in mails(busy, kind):
            assert mail["From"] == f"galaxy-7 (pbmd) <{ADDRESS}>" or mail["From"] == f'"galaxy-7 (pbmd)" <{ADDRESS}>'
            assert mail["To"] == "Altair's player <altair@players.test>"
            assert mail["Subject"].startswith("[pbmd galaxy-7 t1] ")
            assert mail["Date"].datetime <= busy.now

    def test_no_other_seats_token_is_in_it(self, busy, kind):
        tokens = [busy.reply_address(name).partition(".")[2].partition("@")[0] for name in NAMES[1:]]
        for mail in busy.outbox(kind, "Altair"):
            assert not [token for token in tokens if token.encode() in mail.raw]


class TestToOthers:
    """Mail to the GM carries their own token, mail to strangers none, and neither is of a game's list."""

    def test_the_game_master(self, busy):
        (mail,) = busy.outbox("alarm")
        message = message_of(mail)
        with busy.work() as work:
            own = plus_address(ADDRESS, gm_tag(work, work.table_named("galaxy-7")))
        assert (mail.recipient, message["Reply-To"], message["List-Id"]) == ("gm@pbmd.test", own, None)
        shown = set(re.findall(rb"g\d+p\d+\.[a-z2-7]{16}", mail.raw))
        assert shown == {own.partition("+")[2].partition("@")[0].encode()}

    def test_a_stranger(self, busy):
        mail = next(mail for mail in busy.outbox() if mail.recipient == address_of("Deneb"))
        assert message_of(mail)["Auto-Submitted"] == "auto-replied"
        assert re.search(rb"g\d+p\d+\.[a-z2-7]{16}", mail.raw) is None


class TestThread:
    """An answer is an answer to its letter."""

    def test_it_refers_to_the_letter_and_to_the_games_thread(self, running):
        running.send("Altair", "STATUS")
        answer = message_of(running.outbox("acknowledgement")[0])
        letter = read_letter(running.letters()[0].raw)
        assert answer["In-Reply-To"] == letter.message_id
        assert answer["References"].split()[-1] == letter.message_id

    @pytest.mark.parametrize("wrong", ["no id", "<a@b>\x00", "<" + "x" * 2000 + "@y>", "", "<a b@c>"])
    def test_a_letter_without_a_proper_id_is_answered_all_the_same(self, running, wrong):
        raw = re.sub(rb"Message-ID: .*\r\n", f"Message-ID: {wrong}\r\n".encode(), running.letter("Altair", "STATUS"))
        running.arrive(raw)
        running.pass_time()
        answer = message_of(running.outbox("acknowledgement")[0])
        assert answer["In-Reply-To"] is None or answer["In-Reply-To"].startswith("<")

    def test_another_seat_has_another_thread(self, running):
        threads = {message_of(mail)["References"] for mail in running.outbox("report")}
        assert len(threads) == 3


class TestIds:
    """A mail keeps its bytes and its Message-ID; every mail has its own."""

    def test_each_mail_has_its_own(self, busy):
        ids = [mail.message_id for mail in busy.outbox()]
        assert len(set(ids)) == len(ids)
        assert all(message_of(mail)["Message-ID"] == mail.message_id for mail in busy.outbox())

    def test_it_does_not_tell_how_many_others_there_were(self, busy):
        form = r"<[a-z]+(-t\d+s\d+)?\.((g\d+p\d+|c0)\.[a-z2-7]{16}\.)?[a-z2-7]{16}@pbmd\.test>"
        assert [mail.message_id for mail in busy.outbox() if not re.fullmatch(form, mail.message_id)] == []

    def test_the_same_mail_cannot_be_queued_twice(self, world):
        def queue():
            with world.work() as work:
                mail_to(work, "a@players.test", Draft("notice", "the same key", "x", "y"))

        queue()
        with pytest.raises(IntegrityError):
            queue()
        assert len(world.outbox()) == 1


class TestHostile:
    """Whatever a player writes stays where it belongs."""

    HEADERS = "x\r\nBcc: victim@elsewhere.test\r\n\r\nbody"

    @pytest.fixture
    def hostile(self, world):
        """Borealis has names that no form would let through."""
        world.open("galaxy-7", "Altair", "Borealis", "Cygnus", reminders=())
        world.act("galaxy-7", new_game.start_game)
        with world.changed("Borealis") as seat:
            seat.holder = self.HEADERS
        return world

    def test_a_holders_name_begins_no_header(self, hostile):
        hostile.send("Borealis", "STATUS")
        mail = message_of(hostile.outbox("acknowledgement")[0])
        assert mail["Bcc"] is None
        assert [address.addr_spec for address in mail["To"].addresses] == [address_of("Borealis")]

    def test_a_letters_subject_is_not_repeated(self, hostile):
        hostile.send("Borealis", "STATUS", subject="[pbmd galaxy-7 t1] =?utf-8?q?=0D=0ABcc=3A_someone=40elsewhere.test?=")
        (mail,) = hostile.outbox("acknowledgement")
        assert b"someone" not in opened(mail.raw)

    @pytest.mark.parametrize(
        "line", ["Add 3\x00", "\x1b[31mAdd 3", "Add \u202e3", "=?utf-8?q?x?=", "<script>alert(1)</script>", ".", "From me"]
    )
    def test_an_order_line_comes_back_as_text_only(self, hostile, line):
        hostile.send("Altair", f"{line}\nAdd 2")
        (mail,) = hostile.outbox("acknowledgement")
        assert {part.get_content_type() for part in message_of(mail).walk()} == {*TEXT_AND_HTML, "multipart/mixed"}
        assert "<script" not in html_of(mail)
        assert "\x1b" not in body_of(mail)
        assert "\x00" not in body_of(mail)
        assert hostile.sheet("Altair")[-1] == "Add 2"

    def test_names_are_escaped_in_html(self, world):
        world.open("galaxy-7")
        for name in ("<img src=x onerror=alert(1)>", "Borealis & Sons"):
            world.act("galaxy-7", new_game.add_seat, Signup(name), new_game.Newcomer("a@players.test", name))
        world.act("galaxy-7", new_game.start_game)
        for mail in world.outbox("report"):
            html = html_of(mail)
            assert "<img" not in html
            assert ("&lt;img src=x" in html) or ("Borealis &amp; Sons" in html)

    def test_reasons_and_notices_stay_text(self, running):
        running.send("Altair", "EXTEND 1h because <b>x</b>\r\n")
        running.act("galaxy-7", pauses.pause, "moving\r\nBcc: victim@elsewhere.test")
        for mail in running.outbox("notice"):
            assert message_of(mail)["Bcc"] is None
            assert {part.get_content_type() for part in message_of(mail).walk()} == TEXT_AND_HTML
            assert "<b>" not in html_of(mail)

    def test_long_answers_are_valid_mail(self, running):
        running.send("Altair", "\n".join(["x" * 900, "ä" * 500] * 20))
        (mail,) = running.outbox("acknowledgement")
        assert max(len(line) for line in mail.raw.split(b"\r\n")) <= 998
        assert b"\n" not in mail.raw.replace(b"\r\n", b"")
        assert read_letter(mail.raw).problem == ""


def test_a_mail_of_the_daemon_that_comes_back_to_it_is_not_answered(running):
    sent = len(running.outbox())
    for mail in running.outbox("report"):
        running.arrive(mail.raw)
    running.pass_time()
    assert len(running.outbox()) == sent
    assert running.submissions() == []


class TestReturnPath:
    """Where a mail goes that cannot be delivered."""

    def settings(self, world, **smtp):
        settings = world.desk.settings
        changed = settings.model_copy(update={"smtp": settings.smtp.model_copy(update=smtp)})
        object.__setattr__(world.desk, "settings", changed)

    def paths(self, world):
        world.count()
        world.send("Altair", "STATUS")
        return {mail.kind: mail.envelope_from for mail in world.outbox(seat="Altair")}

    def test_it_is_pbmds_address(self, world):
        assert self.paths(world) == {"report": ADDRESS, "acknowledgement": ADDRESS}

    def test_answers_have_none_where_the_settings_say_so(self, world):
        self.settings(world, null_return_path=True)
        assert self.paths(world) == {"report": ADDRESS, "acknowledgement": ""}

    def test_each_mail_has_its_own_where_the_settings_say_so(self, world):
        self.settings(world, bounce_address=True)
        self.paths(world)
        mails = world.outbox()
        assert {mail.envelope_from for mail in mails} == {f"games+b.{mail.nonce}@pbmd.test" for mail in mails}
        assert len({mail.nonce for mail in mails}) == len(mails)
        assert all(f".{mail.nonce}@pbmd.test>" in mail.message_id for mail in mails)


class TestWithoutPlusAddresses:
    @pytest.fixture
    def plain(self, busy):
        settings = busy.desk.settings
        server = settings.server.model_copy(update={"plus_addresses": False})
        busy.desk = replace(busy.desk, settings=settings.model_copy(update={"server": server}))
        busy.send("Altair", "STATUS")
        return busy

    def test_a_reply_goes_to_the_address_that_the_provider_knows(self, plain):
        assert mails(plain, "acknowledgement")[-1]["Reply-To"] == ADDRESS

    def test_a_reply_is_known_by_the_mail_that_it_answers(self, plain):
        mail = mails(plain, "acknowledgement")[-1]
        assert "are in" in plain.send("Altair", "Add 1", to=ADDRESS, headers={"In-Reply-To": mail["Message-ID"]})

    def test_a_new_mail_is_nobodys(self, plain):
        assert plain.send("Altair", "Add 1", to=ADDRESS) == ""


class TestASubject:
    @pytest.mark.parametrize(
        ("headline", "short"),
        [
            ("your orders are in", "your orders are in"),
            ("x" * 70, "x" * 70),
            (f"your orders for turn 1 came too late: the turn, {'x' * 60}. Send again", "your orders for turn 1 came too late"),
            (f"{'one. ' * 9}Two; {'three ' * 30}", f"{'one. ' * 9}Two"),
            ("one, " * 30, f"{'one, ' * 12}one …"),
            ("x" * 71, f"{'x' * 69}…"),
        ],
    )
    def test_has_as_many_clauses_as_fit(self, headline, short):
        assert in_short(headline) == short

    def test_is_never_longer_than_lists_show_and_keeps_its_code_with_the_longest_names(self, world):
        game, seats = "g" * 31, ["A" * 30, "B" * 30, "C" * 30]
        world.count(game, seats, press=True)
        said = [
            "Add 1", "nonsense", "STATUS", "RESIGN", "PRESS TO ALL\nHello\nEND PRESS", "EXTEND 5h", "ORDERS FOR TURN 9\nAdd 1",
            "ADDRESS a.new.one@players.test", "PREVIEW\nAdd 2\nEND PREVIEW", "RULES", "NEW TOKEN",
        ]  # fmt: skip
        for text in said:
            world.send(seats[0], text, game=game)
        world.master("PAUSE because of a storm", game)
        world.master("RESUME", game)
        world.master(f"EJECT {seats[1]}", game)
        world.pass_time(timedelta(days=5))
        subjects = [str(message_of(mail)["Subject"]) for mail in world.outbox()]
        assert len(subjects) > 20
        assert [each for each in subjects if len(each) > 70] == []
        codes = [each for each in subjects if re.search(r"\(c\d+\.[a-z2-7]{16}\)$", each)]
        assert len(codes) == len(world.questions()) > 2

    def test_of_late_orders_is_short_and_the_mail_says_it_all(self, world):
        world.count()
        for seat in ("Altair", "Borealis", "Cygnus"):
            world.send(seat, "Add 1")
        world.pass_time(timedelta(hours=1))
        answer = world.send("Altair", "ORDERS FOR TURN 1\nAdd 2")
        mail = mails(world, "acknowledgement")[-1]
        assert mail["Subject"] == "[pbmd galaxy-7 t2] Altair: NOT TAKEN: turn 1 was over"
        assert "If you want them for turn 2, send them again in reply to the last report, or below" in " ".join(answer.split())
