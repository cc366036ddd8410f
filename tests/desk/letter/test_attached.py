"""Orders in an attached file: read if nothing in the mail itself can be used, and named in the answer in any case."""

import email.policy
from email.message import EmailMessage

import pytest

from pbmd.desk.changes.gm import send_gm_token
from pbmd.desk.mailroom import process_letters
from pbmd.post.read.limits import Limits
from tests.desk.world import ADDRESS, World, address_of, body_of, message_of

ORDERS = "Add 5\nAdd 2\n"


def letter(world: World, text: str, *files: tuple[str, str, bytes], seat: str = "Altair") -> bytes:
    """A mail with files, each its name, its media type and its bytes."""
    world.uid += 1
    message = EmailMessage()
    message["From"], message["To"] = address_of(seat), world.reply_address(seat)
    message["Message-ID"] = f"<with-files{world.uid}@players.test>"
    message.set_content(text)
    for name, kind, data in files:
        maintype, _, subtype = kind.partition("/")
        message.add_attachment(data, maintype=maintype, subtype=subtype, filename=name)
    return message.as_bytes(policy=email.policy.SMTP)


def answer(world: World, raw: bytes) -> tuple[str, str]:
    """The subject and the text of the answer to a mail."""
    world.arrive(raw)
    process_letters(world.desk)
    mail = world.outbox("acknowledgement")[-1]
    return str(message_of(mail)["Subject"]), body_of(mail)


def send(world: World, text: str, *files: tuple[str, str, bytes]) -> str:
    return answer(world, letter(world, text, *files))[1]


GREETINGS = ["Orders attached.", "Hello,\n\nplease find my orders in the file.\n\nRegards, Ann", "ORDERS:", "", "\n\n-- \nAnn"]


@pytest.mark.parametrize("text", GREETINGS)
def test_a_file_is_read_if_nothing_in_the_mail_can_be_used(running, text):
    subject, told = answer(running, letter(running, text, ("orders.txt", "text/plain", ORDERS.encode())))
    assert running.sheet("Altair") == ["Add 5", "Add 2"]
    assert 'Your orders were read from the attached file "orders.txt".' in " ".join(told.split())
    assert subject.endswith("Altair: orders in")
    assert "could be orders" not in subject
    assert all(line.strip() in told for line in text.splitlines() if not line.startswith("ORDERS"))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("orders.txt", "application/octet-stream"),
        ("orders", "application/octet-stream"),
        ("orders.ord", "text/x-orders"),
        ("ORDERS.TXT", "application/x-unknown"),
        ("orders.md", "text/markdown"),
        ("orders.pdf", "application/pdf"),
    ],
)
def test_plain_text_is_read_under_any_media_type(running, name, kind):
    assert f'read from the attached file "{name}"' in " ".join(send(running, "see file", (name, kind, ORDERS.encode())).split())
    assert running.sheet("Altair") == ["Add 5", "Add 2"]


@pytest.mark.parametrize(
    "data", [ORDERS.encode("utf-16"), b"\xef\xbb\xbf" + ORDERS.encode(), ORDERS.replace("\n", "\r\n").encode()]
)
def test_so_is_what_an_editor_writes(running, data):
    send(running, "see file", ("orders.txt", "text/plain", data))
    assert running.sheet("Altair") == ["Add 5", "Add 2"]


def test_beside_orders_that_count_the_file_is_named_with_its_lines_and_not_read(running):
    subject, told = answer(running, letter(running, "Add 1", ("orders.txt", "text/plain", ORDERS.encode())))
    assert running.sheet("Altair") == ["Add 1"]
    told_flat = " ".join(told.split())
    assert (
        'The attached file "orders.txt", which is read only if nothing in the mail itself can be used: Add 5 Add 2' in told_flat
    )
    assert subject.endswith("orders in, lines not read")


def test_a_command_is_something_that_can_be_used(running):
    told = send(running, "STATUS", ("orders.txt", "text/plain", ORDERS.encode()))
    assert running.sheet("Altair") is None
    assert "Add 5" in told


def test_a_line_that_says_for_which_turn_the_orders_are_counts_for_the_file(running):
    told = send(running, "ORDERS FOR TURN 9\n", ("orders.txt", "text/plain", ORDERS.encode()))
    assert "your orders say turn 9" in told
    assert "Add 5" in told
    assert running.sheet("Altair") is None
    send(running, "ORDERS FOR TURN 1\n", ("orders.txt", "text/plain", ORDERS.encode()))
    assert running.sheet("Altair") == ["Add 5", "Add 2"]


def test_of_several_files_those_are_read_in_which_something_can_be_used(running):
    files = [
        ("notes.txt", "text/plain", b"milk\nbread\n"),
        ("a.txt", "text/plain", b"Add 1\n"),
        ("b.txt", "text/plain", b"Add 2\n"),
    ]
    told = " ".join(send(running, "see the files", *files).split())
    assert running.sheet("Altair") == ["Add 1", "Add 2"]
    assert 'Your orders were read from the attached files "a.txt" and "b.txt".' in told
    assert 'The attached file "notes.txt", in which nothing could be used: milk bread' in told


def test_a_file_in_which_nothing_can_be_used_is_refused_line_by_line(running):
    told = send(running, "see file", ("orders.txt", "text/plain", b"Substract 5\n"))
    assert running.sheet("Altair") is None
    assert "REFUSED\n  line 1    Substract 5" in told
    assert "see file" in told


@pytest.mark.parametrize(
    ("kind", "subtype"), [("text/plain", "related"), ("application/octet-stream", "related"), ("text/plain", "signed")]
)
@pytest.mark.parametrize("text", ["see file", "Add 1"])
def test_a_file_beside_the_page_that_shows_pictures_is_a_file_too(running, text, kind, subtype):
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = (
        address_of("Altair"),
        running.reply_address("Altair"),
        "<page@x.test>",
    )
    message.set_content(f"<p>{text} <img src='cid:logo'></p>", subtype="html")
    message.add_related(b"\x89PNG\0", "image", "png", cid="<logo>", filename="logo.png")
    message.add_related(ORDERS.encode(), *kind.split("/"), filename="orders.txt", disposition="attachment")
    message.set_type(f"multipart/{subtype}")
    _, told = answer(running, message.as_bytes(policy=email.policy.SMTP))
    assert running.sheet("Altair") == (["Add 1"] if text == "Add 1" else ["Add 5", "Add 2"])
    assert 'attached file "orders.txt"' in " ".join(told.split())
    assert "logo.png" not in told


LETTER = b"From: bob@players.test\r\nTo: games@pbmd.test\r\nSubject: orders\r\nDate: now\r\n\r\nAdd 7\r\n"
UNREAD = {
    "a picture": ("orders.png", "image/png", b"\x89PNG\r\n\x1a\n" + bytes(50)),
    "a text processor's file": ("orders.docx", "application/octet-stream", b"PK\x03\x04" + bytes(50)),
    "rich text": ("orders.rtf", "application/rtf", b"{\\rtf1 Add 7}"),
    "a page": ("orders.html", "text/html", b"<p>Add 7</p>"),
    "a page in disguise": ("orders.txt", "text/plain", b"<!DOCTYPE html><p>\nAdd 7\n</p>"),
    "noise": ("orders.txt", "text/plain", b"Add 7\n\x00\x01\x02"),
    "a mail by its name": ("fwd.eml", "application/octet-stream", LETTER),
    "a mail by its beginning": ("orders.txt", "text/plain", LETTER),
    "nothing": ("orders.txt", "text/plain", b"\n\n"),
    "a novel": ("orders.txt", "text/plain", b"Add 7\n" * (Limits().file_bytes // 6 + 1)),
}


@pytest.mark.parametrize("file", UNREAD.values(), ids=UNREAD)
@pytest.mark.parametrize("text", ["see file", "Add 1", ""])
def test_what_is_not_read_is_named(running, file, text):
    subject, told = answer(running, letter(running, text, file))
    assert running.sheet("Altair") == (["Add 1"] if text == "Add 1" else None)
    assert f'"{file[0]}"' in told
    assert "your orders for turn 1 are in" not in subject or text == "Add 1"


def forwarding(world: World, text: str) -> bytes:
    """A mail with another in it."""
    message = EmailMessage()
    message["From"], message["To"], message["Message-ID"] = address_of("Altair"), world.reply_address("Altair"), "<fwd@x.test>"
    message.set_content(text)
    inner = EmailMessage()
    inner["From"], inner["Subject"] = "bob@players.test", "my orders"
    inner.set_content(ORDERS)
    message.add_attachment(inner)
    return message.as_bytes(policy=email.policy.SMTP)


@pytest.mark.parametrize("text", ["see below", "", "Add 1"])
def test_a_forwarded_mail_is_never_read_as_orders(running, text):
    _, told = answer(running, forwarding(running, text))
    assert running.sheet("Altair") == (["Add 1"] if text == "Add 1" else None)
    assert "it is a mail of its own" in " ".join(told.split()) or "message/rfc822" in told


def test_the_form_in_a_file_is_read_as_in_a_mail(running):
    report = body_of(running.outbox("report", "Altair")[0])
    filled = report.replace("#end", "Add 5\n#end")
    send(running, "see file", ("report.txt", "text/plain", filled.encode()))
    assert running.sheet("Altair") == ["Add 5"]


def test_a_report_sent_along_gives_no_orders(running):
    report = body_of(running.outbox("report", "Altair")[0])
    told = send(running, "see file", ("report.txt", "text/plain", report.encode()))
    assert running.sheet("Altair") is None
    assert "report.txt" in told


def test_the_name_of_a_file_cannot_spoil_the_answer(running):
    name = "a\u202e\x1b[2J\r\nBcc: x\u0000" + "y" * 300 + ".txt"
    told = send(running, "Add 1", (name, "text/plain", b"Add 9\n"))
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert not any(line.startswith("Bcc:") for line in told.splitlines())
    assert all(len(line) < 100 for line in told.splitlines())


def test_many_files_cost_little_and_all_are_named(running):
    files = [(f"file{n}.txt", "text/plain", b"Add 1\n") for n in range(20)]
    told = send(running, "see files", *files)
    assert running.sheet("Altair") == ["Add 1"] * 5
    assert all(f'"file{n}.txt"' in told for n in range(20))


def test_press_in_a_file_goes_out_as_it_was_written(running):
    text = b"PRESS TO Borealis\n  two  blanks\nEND PRESS\nAdd 3\n"
    send(running, "see file", ("orders.txt", "text/plain", text))
    assert running.sheet("Altair") == ["Add 3"]
    assert "  two  blanks" in body_of(running.outbox("press", "Borealis")[-1])


def test_a_letter_of_which_its_player_is_asked_shows_the_orders_of_its_file(running):
    raw = letter(running, "Orders attached.", ("orders.txt", "text/plain", ORDERS.encode()))
    raw = raw.replace(running.reply_address("Altair").encode(), b"games@pbmd.test")
    running.arrive(raw)
    process_letters(running.desk)
    (question,) = running.questions(address_of("Altair"))
    assert "Add 5" in body_of(question)
    told = running.reply(question, "YES")
    assert running.sheet("Altair") == ["Add 5", "Add 2"]
    assert 'attached file "orders.txt"' in " ".join(told.split())


def test_the_game_master_is_told_of_files_that_were_not_read(running):
    running.act("galaxy-7", send_gm_token, "gm-mail")
    token = running.outbox("alarm")[-1]
    message = EmailMessage()
    message["From"], message["In-Reply-To"], message["Message-ID"] = "gm@pbmd.test", token.message_id, "<gm1@x.test>"
    message["To"] = "games@pbmd.test"
    message.set_content("STATUS\n")
    message.add_attachment(b"PAUSE\n", maintype="text", subtype="plain", filename="more.txt")
    running.arrive(message.as_bytes(policy=email.policy.SMTP))
    process_letters(running.desk)
    told = [mail for mail in running.outbox() if mail.recipient == "gm@pbmd.test"][-1]
    assert 'The attached file "more.txt" was not read.' in body_of(told)


@pytest.mark.parametrize(
    ("text", "first", "title"),
    [
        ("", "Your mail has no text of its own, but a mail attached to it", "NOT READ: only an attached mail"),
        ("Resending, see attached.", "orders that stand in it were not read", "NOT TAKEN: attached mail not read"),
    ],
)
def test_of_orders_in_an_attached_mail_it_is_said_first_that_they_are_not_read(
    running: World, text: str, first: str, title: str
) -> None:
    inner = EmailMessage()
    inner["From"], inner["To"], inner["Subject"] = address_of("Altair"), ADDRESS, "orders"
    inner.set_content("Add 3")
    letter = EmailMessage()
    letter["From"], letter["To"] = address_of("Altair"), running.reply_address("Altair")
    letter["Subject"], letter["Message-ID"] = "orders", "<attached@players.test>"
    letter.set_content(text)
    letter.add_attachment(inner)
    running.arrive(letter.as_bytes(policy=email.policy.SMTP))
    process_letters(running.desk)
    answer = running.outbox("acknowledgement", "Altair")[-1]
    assert first in " ".join(body_of(answer).partition("\n\n")[0].split())
    assert str(message_of(answer)["Subject"]).endswith(title)


@pytest.mark.parametrize(
    ("name", "kind", "title"),
    [
        (
            "orders.docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "NOT READ: an attached file",
        ),
        ("orders.pdf", "application/pdf", "NOT READ: an attached file"),
        ("logo.png", "image/png", "NOT TAKEN"),
    ],
)
def test_of_a_file_that_cannot_be_read_the_subject_says_so_if_there_is_nothing_else(
    running: World, name: str, kind: str, title: str
) -> None:
    subject, told = answer(running, letter(running, "See attached.", (name, kind, b"\x00\x01PK")))
    assert title in subject
    assert ("Write your orders into the mail itself" in " ".join(told.split())) == (name != "logo.png")
    assert "orders in" in answer(running, letter(running, "Add 5", (name, kind, b"\x00\x01PK")))[0]
