"""Every mail has HTML made from its text; its buttons open replies that are read like any other, and what programs make of it
when they quote it costs no line."""

import email.policy
import re
from datetime import timedelta
from email.message import EmailMessage
from html import unescape
from urllib.parse import parse_qs, unquote

import pytest

from pbmd.archive.format.audience import ALL
from pbmd.archive.format.plan import plan_export
from pbmd.archive.write.export import write_archive
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes import deadline_changes
from pbmd.desk.mail.tokens_of_game import tokens_about
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Outbox
from pbmd.post.blank import Blanker
from pbmd.post.read.html import html_lines
from pbmd.rendering.blocks.page import WRITE
from pbmd.rendering.blocks.page import html_of as made_of
from tests.desk.test_secrecy import OOB
from tests.desk.world import ADDRESS, World, address_of, body_of, html_of, message_of

OUTLOOK = "<div><b>From:</b> Games &lt;games@pbmd.test&gt;<br><b>Sent:</b> Friday, November 20, 2026<br><b>To:</b> Ada</div>"


def opened_by(mail: Outbox, label: str) -> tuple[str, str, str]:
    """To whom the button of a mail writes, with which subject and text."""
    found = re.search(f'<a href="mailto:([^"?]*)\\?([^"]*)"[^>]*>{label}</a>', html_of(mail))
    assert found, html_of(mail)
    fields = parse_qs(unescape(found[2]), strict_parsing=True, keep_blank_values=True)
    return unquote(found[1]), fields["subject"][0], fields["body"][0]


def written(world: World, seat: str, to: str, subject: str, text: str) -> str:
    """What is answered to a mail that such a button opened: new, and no reply."""
    return world.send(seat, text, to=to, subject=subject)


class TestEveryMail:
    def test_has_html_that_is_made_of_its_text(self, busy):
        kinds = set[str]()
        for mail in busy.outbox():
            if mail.kind not in ("report", "handbook"):
                kinds.add(mail.kind)
                page = re.sub("<table[^>]*><tr><td bgcolor.*\n", "", html_of(mail))
                assert page == made_of(body_of(mail), links=(ADDRESS,))
        assert {"acknowledgement", "reminder", "notice", "press", "digest"} <= kinds

    def test_has_no_token_in_it_if_it_is_an_answer(self, busy):
        busy.send("Altair", "Add 5")
        token = busy.reply_address("Altair").partition("+")[2].partition("@")[0]
        answers = busy.outbox("acknowledgement", "Altair")
        assert any("#orders -" in body_of(mail) for mail in answers)
        assert not any(token in html_of(mail) or "<a " in html_of(mail) for mail in answers)


class TestButtons:
    def test_orders_are_written_with_the_form(self, busy):
        [mail] = busy.outbox("reminder", "Altair")
        to, subject, text = opened_by(mail, WRITE)
        assert to == busy.reply_address("Altair")
        assert subject == message_of(mail)["Subject"]
        assert text.startswith("#orders g1p1.")
        assert text.endswith("#end\r\n")
        answer = written(busy, "Altair", to, subject, re.sub("(?m)^Add\\b.*$", "Add 4", text))
        assert "REFUSED" not in answer
        assert "orders for turn 1 are in" in answer

    def test_a_form_that_is_too_long_for_an_address_is_left_out(self, running, monkeypatch):
        whole = running.outbox("report", "Altair")[-1]
        assert "Add" in opened_by(whole, WRITE)[2]
        monkeypatch.setattr("pbmd.desk.mail.tags._LONGEST_URL", 200)
        running.pass_time(timedelta(days=3, hours=1))
        assert opened_by(running.outbox("report", "Altair")[-1], WRITE)[2] == ""

    def test_where_pages_are_on_they_are_opened(self, running):
        running.settle(pages={"public_url": "https://play.test"})
        running.pass_time(timedelta(days=3, hours=1))
        page = html_of(running.outbox("report", "Altair")[-1])
        assert re.search(f'<a href="https://play.test/s/g1p1[^"]*/orders.html"[^>]*>{WRITE}</a>', page)

    @pytest.mark.parametrize(("word", "came"), [("YES", ["Add 5"]), ("NO", None)])
    def test_a_question_is_answered(self, running, word, came):
        running.send("Altair", "Add 5", to=ADDRESS)
        [question] = running.questions()
        to, subject, text = opened_by(question, f"Answer {word}")
        running.send("Altair", text, to=to, subject=subject)
        assert running.sheet("Altair") == came

    def test_no_line_of_a_quoted_question_answers_it(self, running):
        running.send("Altair", "Add 5", to=ADDRESS)
        [question] = running.questions()
        lines = "\n".join(line.replace("\xa0", "\n") for line in html_lines(html_of(question), 1000))
        running.reply(question, f"What is that?\n\n{lines}\n")
        assert running.sheet("Altair") is None
        assert len(running.questions()) > 0


def page_of(mail: Outbox) -> str:
    """What stands between the body tags of a mail."""
    return html_of(mail).partition("<body")[2].partition(">")[2].partition("</body>")[0]


INTRODUCTION = "<div>On Fri, Nov 20, 2026 at 1:00 PM Games &lt;games@pbmd.test&gt; wrote:</div>"
DRESSES = {
    "quoted": f"{{above}}{INTRODUCTION}<blockquote>{{page}}</blockquote>{{below}}",
    "below a header": f"{{above}}{OUTLOOK}{{page}}{{below}}",
    "alone": "{above}<br>{page}{below}",
}
ORDERS = "<div>Add 5</div><div>Add 2</div>"


def answered(world: World, mail: Outbox, page: str) -> str:
    """What is answered to a reply of HTML alone."""
    letter = EmailMessage()
    letter["From"], letter["To"] = address_of("Altair"), world.reply_address("Altair")
    letter["Message-ID"] = f"<reply{len(world.outbox())}@players.test>"
    letter["In-Reply-To"] = mail.message_id
    letter.set_content(f"<html><body>{page}</body></html>", subtype="html")
    world.arrive(letter.as_bytes(policy=email.policy.SMTP))
    process_letters(world.desk)
    return body_of(world.outbox("acknowledgement", "Altair")[-1])


@pytest.fixture(params=["an answer", "a reminder", "a notice"])
def mail(request, world: World) -> Outbox:
    """A mail that has no HTML of its own, to Altair."""
    world.count(reminders=("24h",))
    world.act("galaxy-7", deadline_changes.extend, timedelta(days=1), "the game master", "a storm\nAdd 7")
    world.send("Altair", "Biuld 2\nAdd 3" if request.param == "an answer" else "Biuld 2")
    world.pass_time(timedelta(days=3, hours=1))
    kind = {"an answer": "acknowledgement", "a reminder": "reminder", "a notice": "notice"}[request.param]
    return world.outbox(kind, "Altair")[-1]


class TestReplies:
    """Of programs that write HTML and nothing else, and put the mail below or above as they had shown it."""

    @pytest.mark.parametrize("dress", DRESSES)
    @pytest.mark.parametrize("place", ["above", "below"])
    def test_orders_around_it_are_read_and_nothing_else(self, world, mail, dress, place):
        page = DRESSES[dress].format(**{"above": "", "below": "", "page": page_of(mail), place: ORDERS})
        answer = answered(world, mail, page)
        if dress == "below a header" and place == "below":
            assert "Add 5" in answer  # told that it is not read, since it may be of the earlier mail
        else:
            assert world.sheet("Altair") == ["Add 5", "Add 2"]
        assert "REFUSED" not in answer

    @pytest.mark.parametrize("dress", DRESSES)
    def test_an_order_put_into_the_form_is_read(self, world, mail, dress):
        if "#orders" not in body_of(mail):
            return
        page = page_of(mail).replace("\n#end", "\nAdd 9\n#end")
        answer = answered(world, mail, DRESSES[dress].format(above="", below="", page=page))
        if (dress, mail.kind) == ("quoted", "acknowledgement"):
            assert "1 line that is an order stands in a quote" in answer  # as in text: "without quote marks"
        else:
            assert "Add 9" in world.sheet("Altair")
        assert "REFUSED" not in answer

    @pytest.mark.parametrize("dress", DRESSES)
    def test_what_comes_back_as_it_was_changes_nothing(self, world, mail, dress):
        before = world.sheet("Altair")
        answer = answered(world, mail, DRESSES[dress].format(above="", below="", page=page_of(mail)))
        assert world.sheet("Altair") == before
        assert "REFUSED" not in answer


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_the_secret_in_the_link_of_a_button_gets_into_no_archive_with_a_letter_that_quotes_it(world, encoding):
    world.start()
    report = world.outbox("report", "Altair")[-1]
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Message-ID"] = address_of("Altair"), world.reply_address("Altair"), "<a@players.test>"
    page = f"<html><body>{OOB}<blockquote>{page_of(report)}</blockquote></body></html>"
    letter.set_content(page, subtype="html", cte=encoding)
    world.arrive(letter.as_bytes(policy=email.policy.SMTP))
    for seat in ("Borealis", "Cygnus"):
        world.send(seat, OOB)
    world.pass_time(timedelta(days=4))
    token = world.reply_address("Altair").partition("@")[0].rpartition(".")[2]
    assert token in opened_by(report, WRITE)[0]
    with Transaction(world.desk, reads=True) as work:
        table = work.table(world.game().id or 0)
        plan = plan_export(work.session, table.game, table.ruleset, ALL)
        blanker = Blanker(tokens_about(work, table), tags=False)
        write_archive(work.session, plan, world.folder / "archive", blanker, lambda: None, force=True)
    letters = (world.folder / "archive" / "data" / "letters.mbox").read_bytes()
    said = b"".join(
        part.get_payload(decode=True) or b"" for part in email.message_from_bytes(letters.partition(b"\n")[2]).walk()
    )
    assert b"Write your orders" in said
    assert token.encode() not in letters.replace(b"=\n", b"")
    assert token.encode() not in said
