"""What can be proved travels beside mails, as a file, and in no body."""

import email
import email.policy
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.mailbox import StoredMail
from pbmd.archive.evidence.witness import WITHOUT_FILE, judge
from pbmd.desk.changes.rollback import roll_back
from pbmd.ledger.tables import Outbox
from tests.desk.letter.test_attached import send
from tests.desk.restored import restored
from tests.desk.world import World, body_of, last_proof, message_of, opened, proof_of

HEX = re.compile(r"[0-9a-fA-F]{16,}")
DAYS = timedelta(days=4)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with closing(World(tmp_path)) as world:
        yield world


def files_of(mail: Outbox) -> list[str]:
    return [str(part.get_filename()) for part in message_of(mail).iter_attachments()]


def bodies_of(mail: Outbox) -> list[str]:
    """What a person sees of a mail: its subject and its text, and that of its page."""
    message = message_of(mail)
    page = message.get_body(("html",))
    shown = unescape(re.sub(r"<[^>]*>", " ", page.get_content())) if page else ""
    return [str(message["Subject"]), body_of(mail), shown]


def of_all_kinds(world: World, **terms: str) -> None:
    """A game with mails of each kind that has something to prove."""
    world.count(target=1000, **terms)
    world.send("", "WATCH galaxy-7", sender="carol@visitors.test", to="games@pbmd.test")
    world.send("Altair", "Add 3\nnonsense")
    world.pass_time(DAYS)
    world.send("Altair", "#head galaxy-7 2 " + "ab" * 12 + "\nAdd 4\nREPORT 0\nRULES FAIRNESS\nSTATUS")
    restored(world)
    world.act("galaxy-7", lambda work, table: roll_back(work, table, 1))
    world.pass_time(DAYS)


@pytest.mark.parametrize("told", ["count", "nothing"])
def test_no_body_has_digits_that_nobody_reads(world: World, told: str) -> None:
    of_all_kinds(world, who_has_sent=told)
    found = [(mail.key, HEX.findall(text)) for mail in world.outbox() for text in bodies_of(mail) if HEX.search(text)]
    assert found == []
    assert {"report", "acknowledgement", "notice", "alarm"} <= {mail.kind for mail in world.outbox()}
    (digest,) = [text for mail in world.outbox() if "disputed" in (text := body_of(mail)) and mail.key.startswith("digest")]
    assert "a letter names a head at entry 2 that is not in this journal" in " ".join(digest.split())


def test_files_are_called_after_game_turn_and_what_they_prove(world: World) -> None:
    of_all_kinds(world)
    named = [files_of(mail) for mail in world.outbox(seat="Altair") if files_of(mail)]
    assert named[0] == ["galaxy-7-set-up-proof.txt"]
    receipts = [name for names in named for name in names if "receipt" in name]
    assert re.fullmatch(r"galaxy-7-t1-receipt-\d+\.txt", receipts[0])
    assert ["galaxy-7-t1-proof.txt"] in named
    assert ["galaxy-7-t1-played-again-proof.txt"] in named
    assert any(name.endswith("-new-dice-proof.txt") for names in named for name in names)


def test_a_report_that_is_sent_again_brings_its_file_again(world: World) -> None:
    world.count(target=1000)
    world.pass_time(DAYS)
    world.send("Altair", "REPORT 1")
    (sent,) = [mail for mail in world.outbox("report", "Altair") if "galaxy-7-t1-proof.txt" in files_of(mail)]
    assert last_proof(world, "Altair") == proof_of(sent) != ""
    agreed = judge([(StoredMail(mail.key), claims_of_mail(mail.raw)) for mail in world.outbox(seat="Altair")])
    assert agreed.agreement.disagreements == ()


@pytest.mark.parametrize("topic", ["RULES FAIRNESS", "HELP FAIRNESS"])
def test_what_they_are_for_is_told(world: World, topic: str) -> None:
    world.count()
    assert "pbmd receipt MAILS --archive GAME" in world.send("Altair", topic)


class TestReading:
    def report(self, world: World) -> Outbox:
        world.count(target=1000)
        return world.outbox("report", "Altair")[0]

    def test_values_are_found_in_the_file_as_once_in_the_body(self, world: World) -> None:
        mail = self.report(world)
        (of_file,) = [each for each in claims_of_mail(mail.raw).statements if each.report is not None]
        as_once = email.message_from_bytes(mail.raw, policy=email.policy.default)
        headers = f"Subject: {as_once['Subject']}\nMessage-ID: {as_once['Message-ID']}\nTo: {as_once['To']}\n\n"
        (of_body,) = [
            each
            for each in claims_of_mail((headers + body_of(mail) + proof_of(mail)).encode()).statements
            if each.report is not None
        ]
        assert of_file.values == of_body.values
        assert {value.what for value in of_file.values} >= {"commitment", "salt", "chain head", "mail as sent", "deadline"}

    def test_words_that_were_altered_are_found_without_any_books(self, world: World) -> None:
        mail = self.report(world)
        judged = judge([(StoredMail("mail"), claims_of_mail(mail.raw))])
        assert judged.agreement.disagreements == ()
        altered = opened(mail.raw).replace(b"Reply to this mail", b"Do not reply to this mail")
        (found,) = judge([(StoredMail("mail"), claims_of_mail(altered))]).agreement.disagreements
        assert (found.about, found.mails) == ("words of the report of the beginning", ("mail", "mail"))

    def test_a_mail_that_was_wrapped_anew_has_the_same_words(self, world: World) -> None:
        raw = opened(self.report(world).raw).replace(b"Reply\r\nto this", b"Reply to\r\nthis").replace(b"\r\n", b"\n")
        assert judge([(StoredMail("mail"), claims_of_mail(raw))]).agreement.disagreements == ()

    def test_another_attached_file_is_no_proof(self, world: World) -> None:
        raw = self.report(world).raw.replace(b"galaxy-7-set-up-proof.txt", b"notes-of-mine.txt")
        assert claims_of_mail(raw).lost

    def test_a_mail_that_was_forwarded_in_a_text_says_how_to_have_its_file(self, world: World) -> None:
        world.count(target=1000)
        world.pass_time(DAYS)
        lines = body_of(world.outbox("report", "Altair")[-1])
        forwarded = f"From: a@x.test\nTo: b@x.test\nSubject: Fwd: [pbmd galaxy-7 t2] report\n\n{lines}"
        judged = judge([(StoredMail("mail"), claims_of_mail(forwarded.encode()))])
        (left,) = judged.left_out
        assert left.left_out == WITHOUT_FILE
        assert "REPORT 1, sent to the game, brings report and file again" in left.why
        reply = forwarded.replace("To: b@x.test", f"To: {world.reply_address('Altair')}")
        assert claims_of_mail(reply.encode()).lost == "", "it only quotes what it answers"


def test_a_file_that_comes_back_with_a_reply_is_no_orders(world: World) -> None:
    world.count(target=1000)
    world.send("Altair", "Add 3")
    proof = ("galaxy-7-t1-receipt-3.txt", "text/plain", last_proof(world, "Altair").encode())
    told = send(world, "Thanks\nSTATUS", proof)
    assert "receipt-3.txt" not in told
    assert world.sheet("Altair") == ["Add 3"]
