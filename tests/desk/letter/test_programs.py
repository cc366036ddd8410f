"""Letters as mail programs and people make them, all the way to the sheet: marks around orders, HTML beside useless text,
struck-out orders, reactions."""

import email.policy
from email.message import EmailMessage

import pytest

from pbmd.desk.mailroom import process_letters
from tests.desk.world import World, address_of, body_of, message_of
from tests.doubts import doubts_of

PAGE = "<div>Add 5</div><div>Add 2</div>"


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize(
    "line",
    [
        "*Add 5*", "_Add 5_", "/Add 5/", '"Add 5"', "`Add 5`", "a) Add 5", "(i) Add 5", "i. Add 5",
        "① Add 5", "1️⃣ Add 5", "o  Add 5",
        "§  Add 5", "-> Add 5", "👉 Add 5", "- [x] Add 5", "Add 5 (as agreed)", "*Add* 5", "*Add 5",
        "a) *Add 5* (as agreed with Ann).",
    ],
)  # fmt: skip
def test_an_order_is_read_whatever_stands_around_it_and_told_as_it_was_written(running, line):
    answer = running.send("Altair", f"{line}\n\nThanks\n")
    assert running.sheet("Altair") == ["Add 5"]
    assert "REFUSED" not in answer
    assert "as we read them\n  Add 5" in answer
    assert doubts_of(running.outbox("acknowledgement")[-1].raw) == []


def test_the_answer_shows_the_written_line_and_the_order_as_understood(running):
    answer = flat(running.send("Altair", "*Add 5*\n"))
    assert "as we read them Add 5 (*Add 5*)" in answer


def test_bold_over_several_lines_is_read_line_by_line(running):
    running.send("Altair", "*Add 5\nAdd 2*\n")
    assert running.sheet("Altair") == ["Add 5", "Add 2"]


@pytest.mark.parametrize("line", ["~~Add 5~~", "-Add 5-", "Add 5?", "Add 5 (if Cygnus adds 3)", "❌ Add 5", "Add 5 (not)"])
def test_a_line_that_may_be_taken_back_is_refused_and_not_read(running, line):
    answer = running.send("Altair", f"{line}\nAdd 2\n")
    assert running.sheet("Altair") == ["Add 2"]
    assert "REFUSED" in answer


def test_numbers_of_a_list_on_lines_of_their_own_cost_nothing(running):
    answer = running.send("Altair", "   1.\n\n   Add 5\n   2.\n\n   Add 2\n   c)\n")
    assert running.sheet("Altair") == ["Add 5", "Add 2"]
    assert "REFUSED" not in answer


@pytest.mark.parametrize("line", ["*STATUS*", "- [x] STATUS", "a) STATUS", "👉 STATUS"])
def test_a_command_is_read_like_that_too(running, line):
    assert "STATUS" in running.send("Altair", f"{line}\n").upper()
    assert running.submissions() == []


def test_a_message_keeps_its_marks(running):
    running.send("Altair", "PRESS TO Borealis\n*STATUS*\na) wait\nEND PRESS\n")
    assert "| *STATUS*\n| a) wait" in body_of(running.outbox("press")[-1])


USELESS = [
    "[image: image.png]\n",
    "Sent from my iPhone\n",
    "Read this mail as HTML, please.\n",
    "Diese Nachricht kann nur in HTML angezeigt werden.\n",
    "This is an HTML formatted message. Please use an HTML capable program to read it.\n",
    "\u200b\n",
    "\n\nOn Fri, 20 Nov 2026 at 13:00, galaxy-7 (pbmd) <games@pbmd.test> wrote:\n\n> a report\n",
]


@pytest.mark.parametrize("plain", USELESS)
def test_html_is_read_if_nothing_in_the_plain_text_can_be_used(running, plain):
    answer = flat(running.send("Altair", plain, html=PAGE))
    assert running.sheet("Altair") == ["Add 5", "Add 2"]
    assert "REFUSED" not in answer


def test_what_stood_in_the_plain_text_is_told(running):
    answer = flat(running.send("Altair", "Bitte als HTML lesen.", html=PAGE))
    assert "It could not be used, so the HTML part of the mail was read instead: Bitte als HTML lesen." in answer


def test_plain_text_with_an_order_is_read(running):
    running.send("Altair", "Add 3\n", html=PAGE)
    assert running.sheet("Altair") == ["Add 3"]


def test_what_is_quoted_in_the_plain_text_is_not_read_where_the_html_does_not_show_that(running):
    answer = running.send("Altair", "Thanks!\n\n> Add 5\n> Add 2\n", html=f"<p>Thanks!</p>{PAGE}")
    assert running.sheet("Altair") is None
    assert "Add 5" in answer


def test_html_with_nothing_of_use_either_is_named(running):
    answer = flat(running.send("Altair", "Read it as HTML.", html="<p>My plans are secret</p>"))
    assert "only in the HTML part of the mail, and could not be used: My plans are secret" in answer
    same = flat(running.send("Borealis", "A long talk about\nnothing", html="<p>A long talk about nothing</p>"))
    assert "HTML part" not in same


def test_struck_out_orders_are_told_and_raise_no_doubt(running):
    answer = running.send("Altair", "Add 3\nAdd 5\nAdd 2\n", html=f"<s>Add 3</s>{PAGE}")
    assert running.sheet("Altair") == ["Add 5", "Add 2"]
    assert "It is struck out:\n    Add 3" in answer
    assert "could be orders" not in answer


def gmail_reaction(world: World, seat: str) -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = address_of(seat), world.reply_address(seat)
    message["Message-ID"] = "<reaction@players.test>"
    message.set_content("👍\n")
    message.add_alternative('{"emoji":"👍","version":1}', subtype="vnd.google.email-reaction+json")
    message.add_alternative("<p>👍 reacted via Gmail</p>", subtype="html")
    return message.as_bytes(policy=email.policy.SMTP)


def test_a_reaction_of_gmail_changes_nothing_and_gets_no_mail(running):
    running.send("Altair", "Add 5")
    mails, entries = len(running.outbox()), len(running.journal())
    running.arrive(gmail_reaction(running, "Altair"))
    process_letters(running.desk)
    assert (len(running.outbox()), len(running.journal())) == (mails, entries)
    assert running.sheet("Altair") == ["Add 5"]
    assert "it is a reaction to a mail" in running.log()[-1].detail


@pytest.mark.parametrize("words", ["reacted to your message:", "hat auf Ihre Nachricht reagiert:", ":"])
@pytest.mark.parametrize("sign", ["", "👍\n"])
def test_a_reaction_of_outlook_has_no_refused_orders(running, words, sign):
    running.send("Altair", "Add 5")
    mails, entries = len(running.outbox()), len(running.journal())
    answer = running.send("Altair", f"{sign}Ann Example {words}\n________________________________\n",
                          sender=f"Ann Example <{address_of('Altair')}>")  # fmt: skip
    assert running.sheet("Altair") == ["Add 5"]
    assert "REFUSED" not in answer
    assert "no line with an order" in answer
    assert (len(running.outbox()), len(running.journal())) == (mails + 1, entries)


def subject_of(world):
    return str(message_of(world.outbox("acknowledgement", "Altair")[-1])["Subject"])


@pytest.mark.parametrize("subject", [
    "Add 5", "Add 5 <eom>", "Re: [pbmd galaxy-7 t1] Add 5 (eom)", "RE: AW: Add 5 nt", "Re[2]: Add 5 -eom-", "Add 5; Add 6",
    "Re: [pbmd galaxy-7 t1] pass", "[a list] Sv: Add 5, Add 6 [no text]",
])  # fmt: skip
@pytest.mark.parametrize("text", ["\n", "see subject", "-- \nAnna", "Substract 5"])
def test_orders_in_the_subject_are_told_where_none_was_taken(running, subject, text):
    assert "Orders in the subject are not read" in flat(running.send("Altair", text, subject=subject))
    assert running.sheet("Altair") is None
    assert subject_of(running).endswith("NOT READ: orders in the subject")


@pytest.mark.parametrize("subject", ["Add 5", "Re: [pbmd galaxy-7 t1] Add 5", "Add 3, Add 6"])
def test_so_are_others_than_those_of_the_mail(running, subject):
    assert "Orders in the subject are not read" in flat(running.send("Altair", "Add 3", subject=subject))
    assert running.sheet("Altair") == ["Add 3"]
    assert subject_of(running).endswith("orders in, subject not read")


def test_so_are_they_beside_a_command(running):
    assert "Orders in the subject are not read" in flat(running.send("Altair", "STATUS", subject="Re: Add 5"))
    assert subject_of(running).endswith("orders in the subject not read")


def test_a_command_in_the_subject_is_told_where_nothing_else_is_said(running):
    assert "A command in the subject is not read" in flat(running.send("Altair", "\n", subject="Re: STATUS (eom)"))
    assert subject_of(running).endswith("NOT READ: a command in the subject")


def test_subjects_that_give_no_orders_are_not_spoken_of(running):
    for subject in ("orders", "My orders for turn 1", "Re: [pbmd galaxy-7 t1] the game begins; orders by Mon 23 Nov"):
        assert "in the subject" not in running.send("Altair", "see below", subject=subject)
    for subject in ("Add 3", "Re: add 3 please", "My orders: Add 3"):
        assert "in the subject" not in running.send("Altair", "Add 3", subject=subject)
    running.send("Altair", "STATUS")
    assert "in the subject" not in running.reply(running.outbox("acknowledgement", "Altair")[-1], "\n")
