"""A password proves whose mail it is, and is kept and shown nowhere as it was written."""

import base64
import email
import email.policy
import quopri
from datetime import timedelta
from email.message import EmailMessage
from io import StringIO

import pytest
from sqlmodel import Session

from pbmd.archive.export import write_archive
from pbmd.archive.plan import plan_export
from pbmd.desk import clerk
from pbmd.desk.acts import game_clock
from pbmd.desk.letters.passwords import hashed, is_password, taken_out
from pbmd.desk.letters.tries import ALL_TRIES_PER_HOUR, TRIES_PER_HOUR
from pbmd.desk.mailroom import process_letters
from pbmd.ledger.log_file import write_new_lines
from pbmd.ledger.tables import JournalEntry, Letter, LetterState, LogLine, Outbox, PasswordTry, Seat, Submission
from pbmd.post.blank import Blanker
from pbmd.post.letter import read_letter
from tests.desk.world import ADDRESS, body_of

WORD = "Sesam4711oeffne"


@pytest.fixture
def known(running):
    """Altair has set a password."""
    assert "Your password is set" in running.send("Altair", f"SET PASSWORD {WORD}")
    return running


def kept(world):
    """Everything in the ledger and the log file."""
    write_new_lines(world.desk.engine, world.folder / "dashboard.log")
    kinds = (Letter, Seat, Submission, JournalEntry, Outbox, LogLine)
    return repr([row.model_dump() for kind in kinds for row in world.rows(kind)]) + (world.folder / "dashboard.log").read_text()


def shown_in(world, word=WORD):
    """Whether the word stands anywhere in the ledger or the log, in any case or encoding."""
    mails = [email.message_from_bytes(mail.raw) for mail in (*world.letters(), *world.outbox())]
    texts = [part.get_payload(decode=True) or b"" for mail in mails for part in mail.walk()]
    return word.lower() in (kept(world) + b"".join(texts).decode("latin-1")).lower()


def test_a_mail_with_the_password_is_believed_without_a_token(known):
    known.send("Altair", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS)
    assert known.sheet("Altair") == ["Add 3"]
    assert not shown_in(known)


@pytest.mark.parametrize("line", [f"password: {WORD}", f"Password {WORD}.", f"- PASSWORD {WORD}", f"My password is {WORD}"])
def test_it_may_be_written_in_several_ways(known, line):
    known.send("Altair", f"Add 3\n{line}", to=ADDRESS)
    assert (known.sheet("Altair") == ["Add 3"]) is (" is " not in line)
    assert not shown_in(known)


@pytest.mark.parametrize(
    "text", ["PASSWORD wrong4711word", f"PASSWORD {WORD}x", f"> PASSWORD {WORD}", f"SET PASSWORD {WORD}", "PASSWORD"]
)
def test_a_wrong_or_quoted_one_is_no_proof(known, text):
    known.send("Altair", f"Add 3\n{text}", to=ADDRESS)
    assert known.letters()[-1].state is LetterState.HELD
    assert known.sheet("Altair") is None
    assert not shown_in(known)


def test_it_is_no_proof_from_another_address_or_for_another_seat(known):
    before = len(known.outbox())
    known.send("Altair", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS, sender="mallory@evil.test", subject="[pbmd galaxy-7]")
    assert len(known.outbox()) == before
    known.send("Borealis", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS)
    assert known.letters()[-1].state is LetterState.HELD


def test_after_some_wrong_ones_none_is_tried_for_an_hour(known, monkeypatch):
    known.settle(limits={"confirmations_per_day": 3})
    for number in range(TRIES_PER_HOUR):
        known.send("Altair", f"PASSWORD wrong4711word{number}\nAdd {number}", to=ADDRESS)
        known.now += timedelta(minutes=1)
    with monkeypatch.context() as patched:
        patched.setattr("pbmd.desk.letters.tries.is_password", lambda *_: pytest.fail("it was tried"))
        known.send("Altair", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS)
    assert known.sheet("Altair") is None
    known.now += timedelta(hours=1)
    known.send("Altair", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS)
    assert known.sheet("Altair") == ["Add 3"]


def test_after_too_many_the_right_one_waits_for_its_player(known):
    for number in range(TRIES_PER_HOUR):
        known.send("Altair", f"PASSWORD wrong4711word{number}\nAdd {number}", to=ADDRESS)
    known.send("Altair", f"PASSWORD {WORD}\nAdd 7", to=ADDRESS)
    assert known.letters()[-1].state is LetterState.HELD
    assert "too many wrong passwords" in known.letters()[-1].note


def counted(monkeypatch):
    """The passwords that are tried from here on."""
    tried = []
    monkeypatch.setattr("pbmd.desk.letters.tries.is_password", lambda kept, word: tried.append(word) or is_password(kept, word))
    return tried


@pytest.mark.parametrize(
    ("headers", "first"),
    [
        ({"Precedence": "list"}, ""),
        ({"Auto-Submitted": "auto-generated"}, ""),
        ({"Message-ID": "<alarm.aaaaaaaaaaaaaaaa@x.test>"}, ""),
        ({}, "JOIN nebula AS Zed\n"),
    ],
)
def test_none_is_tried_in_a_letter_that_may_not_count(known, monkeypatch, headers, first):
    tried = counted(monkeypatch)
    known.send("Altair", f"{first}PASSWORD {WORD}\nAdd 9", to=ADDRESS, headers=headers)
    assert tried == []
    assert known.sheet("Altair") is None


@pytest.mark.parametrize("text", ["PASSWORD wrong4711word", "PASSWORD wrong4711word\nSTATUS", "Add 1\nPASSWORD wrong4711word"])
def test_a_wrong_one_counts_whatever_else_the_mail_says(known, monkeypatch, text):
    tried = counted(monkeypatch)
    for _ in range(TRIES_PER_HOUR + 3):
        known.send("Altair", text, to=ADDRESS)
    assert len(tried) == TRIES_PER_HOUR


def test_all_seats_together_have_a_limit_too(known, monkeypatch):
    monkeypatch.setattr("pbmd.desk.letters.tries.ALL_TRIES_PER_HOUR", 3)
    assert ALL_TRIES_PER_HOUR > TRIES_PER_HOUR
    known.send("Borealis", f"SET PASSWORD {WORD}")
    tried = counted(monkeypatch)
    for seat in ("Altair", "Borealis") * 3:
        known.send(seat, "PASSWORD wrong4711word\nAdd 1", to=ADDRESS)
    assert len(tried) == 3
    known.now += timedelta(hours=1, seconds=1)
    known.send("Borealis", f"PASSWORD {WORD}\nAdd 4", to=ADDRESS)
    assert known.sheet("Borealis") == ["Add 4"]


def test_what_was_tried_is_forgotten_after_a_day(known):
    known.send("Altair", "PASSWORD wrong4711word\nAdd 1", to=ADDRESS)
    assert len(known.rows(PasswordTry)) == 1
    known.now += timedelta(days=1, minutes=1)
    known.send("Altair", "STATUS")
    assert known.rows(PasswordTry) == []


class TestSeveralGames:
    """A player of several games writes a new mail, which does not say for which it is."""

    @pytest.fixture
    def two(self, known):
        known.count("galaxy-8")
        return known

    def sheets(self, world):
        return {name: [sheet["lines"] for sheet in world.position(name)["sheets"]] for name in ("galaxy-7", "galaxy-8")}

    def asked(self, world):
        return [text for text in map(body_of, world.questions("altair@players.test")) if "for which" in text]

    def test_the_password_tells(self, two):
        two.send("Altair", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS)
        assert self.sheets(two) == {"galaxy-7": [["Add 3"]], "galaxy-8": []}
        two.send("Altair", "SET PASSWORD another4711word", game="galaxy-8")
        two.send("Altair", "PASSWORD another4711word\nAdd 4", to=ADDRESS)
        assert self.sheets(two)["galaxy-8"] == [["Add 4"]]
        assert two.rows(PasswordTry) == []

    @pytest.mark.parametrize("line", [f"PASSWORD {WORD}", "PASSWORD wrong4711word", ""])
    def test_if_it_does_not_the_player_is_asked(self, two, line):
        two.send("Altair", f"SET PASSWORD {WORD}", game="galaxy-8")
        two.send("Altair", f"{line}\nAdd 3", to=ADDRESS)
        assert self.sheets(two) == {"galaxy-7": [], "galaxy-8": []}
        (text,) = self.asked(two)
        assert "| galaxy-7: Altair" in text
        assert "| galaxy-8: Altair" in text
        assert not shown_in(two)

    def test_so_often_a_day(self, two):
        for number in range(5):
            two.send("Altair", f"Add {number}", to=ADDRESS)
        assert len(self.asked(two)) == two.desk.settings.limits.confirmations_per_day
        two.now += timedelta(days=1, minutes=1)
        two.send("Altair", "Add 7", to=ADDRESS)
        assert len(self.asked(two)) == two.desk.settings.limits.confirmations_per_day + 1

    @pytest.mark.parametrize(("text", "headers"), [("", {}), ("Add 3", {"Precedence": "list"})])
    def test_not_if_nothing_was_said_or_a_machine_said_it(self, two, text, headers):
        two.send("Altair", text, to=ADDRESS, headers=headers)
        assert self.asked(two) == []

    def test_it_tells_before_a_game_that_trusts_addresses(self, known):
        known.count("galaxy-8", trust="open")
        known.send("Altair", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS)
        assert self.sheets(known) == {"galaxy-7": [["Add 3"]], "galaxy-8": []}


def test_with_a_token_it_is_not_even_tried(known, monkeypatch):
    monkeypatch.setattr("pbmd.desk.letters.tries.is_password", lambda *_: pytest.fail("it was tried"))
    known.send("Altair", "PASSWORD wrong4711word\nAdd 3")
    assert known.sheet("Altair") == ["Add 3"]
    assert not shown_in(known, "wrong4711word")


def test_it_can_be_changed_and_taken_back(known):
    known.send("Altair", "SET PASSWORD another4711word")
    known.send("Altair", f"PASSWORD {WORD}\nAdd 1", to=ADDRESS)
    assert known.sheet("Altair") is None
    assert "no password any more" in known.send("Altair", "SET PASSWORD OFF")
    known.send("Altair", "PASSWORD another4711word\nAdd 1", to=ADDRESS)
    assert known.sheet("Altair") is None


@pytest.mark.parametrize("word", ["short1", "has blanks4711inside", "with-hyphen-4711", "x" * 65, ""])
def test_some_words_cannot_be_passwords(running, word):
    assert "8 to 64 letters and digits" in running.send("Altair", f"SET PASSWORD {word}")
    assert running.seat("Altair").password == ""
    assert word in ("", "x" * 65) or not shown_in(running, word.split()[-1])


def test_a_password_that_was_blanked_while_its_mail_waited_is_not_set(running):
    running.send("Altair", f"SET PASSWORD {WORD}\nAdd 3", to=ADDRESS)
    answer = running.reply(running.questions()[-1], "YES")
    assert "send the line again" in " ".join(answer.split())
    assert running.sheet("Altair") == ["Add 3"]
    assert running.seat("Altair").password == ""


def test_nor_when_its_mail_was_put_aside(running, monkeypatch):
    def fails(*_):
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr(clerk, "take_orders", fails)
        running.send("Altair", f"SET PASSWORD {WORD}\nAdd 3")
    running.act("galaxy-7", game_clock.resume)
    process_letters(running.desk)
    assert running.sheet("Altair") == ["Add 3"]
    assert running.seat("Altair").password == ""


@pytest.mark.parametrize("word", ["x" * 8, "x" * len(WORD), "X" * 10])
def test_what_passwords_are_blanked_with_is_none(running, word):
    with running.changed("Altair") as seat:
        seat.password = hashed(word, b"a" * 16)
    running.send("Altair", f"PASSWORD {word}\nAdd 9", to=ADDRESS)
    assert running.sheet("Altair") is None


def test_of_several_in_a_mail_the_first_counts(running):
    running.send("Altair", f"SET PASSWORD {WORD}\nSET PASSWORD another4711word")
    assert is_password(running.seat("Altair").password, WORD)


def test_it_is_kept_as_a_salted_hash():
    one, two = hashed(WORD, b"a" * 16), hashed(WORD, b"b" * 16)
    assert one != two
    assert WORD not in one
    assert is_password(one, WORD)
    assert not is_password(one, WORD.lower())
    assert not is_password("", "")


PLACES = {
    "set": f"SET PASSWORD {WORD}",
    "shown": f"PASSWORD {WORD}\nAdd 3",
    "quoted": f"Add 3\n\nOn Fri, 20 Nov 2026 at 12:00, Anna wrote:\n> PASSWORD {WORD}\n> > SET PASSWORD {WORD}\n",
    "in the signature": f"Add 3\n-- \nPASSWORD {WORD}",
    "after the end": f"Add 3\nEND\nPASSWORD {WORD}",
    "misspelt": f"Pasword {WORD}\nAdd 3\nPASSWORT: {WORD}",
    "in press": f"PRESS TO ALL\nPASSWORD {WORD}\nEND PRESS",
    "in a form": "{form}\nAdd 3\nPASSWORD " + WORD + "\n#end",
}


@pytest.mark.parametrize("encoding", ["7bit", "quoted-printable", "base64", "html"])
@pytest.mark.parametrize("place", PLACES)
def test_it_is_blanked_everywhere(running, place, encoding):
    form = "#orders " + running.reply_address("Altair").partition("+")[2].partition("@")[0]
    text = PLACES[place].replace("{form}", form)
    for to in (running.reply_address("Altair"), ADDRESS):
        raw = running.letter("Altair", "placeholder", to=to)
        if encoding == "html":
            body = "<br>\r\n".join(text.replace(">", "&gt;").splitlines()).encode()
            raw = raw.replace(b"text/plain", b"text/html").replace(b"placeholder", body)
        else:
            codec = {"7bit": bytes, "quoted-printable": quopri.encodestring, "base64": base64.encodebytes}[encoding]
            raw = raw.replace(b"7bit", encoding.encode()).replace(b"placeholder\r\n", codec(text.encode()))
        assert WORD in "\n".join(read_letter(raw).body.lines)
        running.arrive(raw)
        process_letters(running.desk)
    assert not shown_in(running)
    assert all(letter.fingerprint for letter in running.letters())


HARMLESS = {
    "Add 3\nPasswort vergessen, bitte zurücksetzen\nAdd 4": ["Add 3", "Add 4"],
    "PASSWORD geheim123 please add\nAdd 3": ["Add 3"],
    "Password from phone, content below\nAdd 3\nPassword content below 123456789": ["Add 3"],
    "SET PASSWORD forgotten\nAdd 3\nforgotten order": ["Add 3", "forgotten order"],
}


@pytest.mark.parametrize("cte", ["quoted-printable", "base64", "8bit"])
@pytest.mark.parametrize("text", HARMLESS)
def test_orders_and_header_of_a_letter_that_waits_are_read_as_they_came(running, text, cte):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "altair@players.test", ADDRESS, "content from my phone"
    mail["Message-ID"] = "<held@players.test>"
    mail.set_content(text + "\n", cte=cte)
    raw = mail.as_bytes(policy=email.policy.SMTP)
    running.arrive(raw)
    process_letters(running.desk)
    kept_raw = running.letters()[-1].raw
    lines = [line.text for line in read_letter(kept_raw).lines]
    assert [line for line in lines if "pass" not in line.lower()] == HARMLESS[text]
    assert "geheim123" not in "\n".join(lines)
    header, _, _ = kept_raw.partition(b"\r\n\r\n")
    assert header == raw.partition(b"\r\n\r\n")[0]
    running.reply(running.questions()[-1], "YES")
    assert running.sheet("Altair") == [line for line in HARMLESS[text] if line.startswith("Add")]


def test_a_password_in_a_letter_that_waits_can_be_taken_back(known):
    known.send("Altair", "SET PASSWORD OFF\nAdd 3", to=ADDRESS)
    known.reply(known.questions()[-1], "YES")
    assert known.seat("Altair").password == ""


@pytest.mark.parametrize(
    "subject", [WORD, f"my {WORD}!", f"=?utf-8?q?{WORD}?=", f"=?utf-8?b?{base64.b64encode(WORD.encode()).decode()}?="]
)
def test_it_is_blanked_in_the_subject_too(running, subject):
    raw = running.letter("Altair", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS)
    running.arrive(raw.replace(b"Subject: orders", f"Subject: {subject}".encode()))
    process_letters(running.desk)
    assert running.letters()[-1].state is LetterState.HELD
    assert WORD not in str(email.message_from_bytes(running.letters()[-1].raw, policy=email.policy.default)["Subject"])


def test_it_is_blanked_in_every_part_of_a_mail(running):
    html = f"<p>PASSWORD <b>{WORD}</b></p><p>Add 3</p>"
    running.send("Altair", f"PASSWORD {WORD}\nAdd 3", html=html, to=ADDRESS)
    assert running.letters()[-1].state is LetterState.HELD
    assert not shown_in(running)
    running.reply(running.questions()[-1], "YES")
    assert running.sheet("Altair") == ["Add 3"]


def test_a_letter_that_was_blanked_is_still_the_same_letter(known):
    raw = known.letter("Altair", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS)
    for _ in range(2):
        known.arrive(raw)
        process_letters(known.desk)
    assert len(known.letters()) == 2
    assert len(known.submissions()) == 1


def test_a_letter_that_a_defect_puts_aside_is_blanked_too(known, monkeypatch):
    def fails(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(clerk, "take_orders", fails)
    known.send("Altair", f"PASSWORD {WORD}\nAdd 3")
    assert known.letters()[-1].state is LetterState.QUARANTINED
    monkeypatch.setattr(clerk, "open_letter", fails)
    known.send("Borealis", f"PASSWORD {WORD}\nAdd 3")
    assert known.letters()[-1].state is LetterState.QUARANTINED
    assert not shown_in(known)


def test_a_letter_that_cannot_be_read_is_blanked_too(known):
    known.settle(limits={"letter_kilobytes": 16})
    known.send("Altair", f"PASSWORD {WORD}\n" + "Add 1\n" * 4000)
    assert not shown_in(known)


def test_no_archive_has_it(known):
    known.send("Altair", f"PASSWORD {WORD}\nAdd 3", to=ADDRESS)
    known.pass_time(timedelta(days=5))
    known.now += timedelta(days=1)
    with Session(known.desk.engine) as session:
        plan = plan_export(session, known.game(), known.desk.ruleset("count"))
        assert plan.letters
        write_archive(session, plan, known.folder / "archive", Blanker([]), lambda: None)
    written = b"".join(path.read_bytes() for path in (known.folder / "archive").rglob("*") if path.is_file())
    assert WORD.lower().encode() not in written.lower()


def test_what_only_looks_like_it_is_left_alone():
    raw = b"From: a@b.test\r\n\r\nBuild a Password factory\r\nCompass north\r\n"
    letter, found = taken_out(read_letter(raw))
    assert not found.words
    assert [line.text for line in letter.lines] == ["Build a Password factory", "Compass north"]


def test_a_long_hostile_line_is_looked_at_quickly():
    for line in (b"> " * 20_000 + b"pas", b"my " * 20_000 + b"password", b"1" * 40_000 + b"password x", b"password " * 20_000):
        taken_out(read_letter(b"From: a@b.test\r\n\r\n" + line))


def test_the_words_are_in_no_repr():
    _, found = taken_out(read_letter(f"From: a@b.test\r\n\r\nPASSWORD {WORD}".encode()))
    assert found.shown == WORD
    out = StringIO()
    print(found, file=out)
    assert WORD not in out.getvalue()
