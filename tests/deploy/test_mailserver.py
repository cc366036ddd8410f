"""The sample of a private mail server works: pbmd gets and sends mail by it, strangers do not."""

from __future__ import annotations

import json
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from pbmd.ledger.tables import Outbox
from pbmd.post.imap.fetched import Watermark
from pbmd.post.imap.inbox import Inbox
from pbmd.post.read.authentication import is_aligned
from pbmd.post.read.letter import read_letter
from pbmd.post.smtp.client import Deferred, Sent, Smtp
from pbmd.settings import read_settings
from tests.cli.conftest import Home
from tests.deploy.mailserver import FILES, GAMES, PASSWORDS, MailServer, running_mail_server
from tests.docs.pages import ROOT, blocks
from tests.rules import count

PAGE = ROOT / "docs" / "mail.md"
pytestmark = [pytest.mark.postfix, pytest.mark.dovecot]
SECONDS = 120.0
TAGGED = "games+g1p1.aaaaaaaaaaaaaaaa@example.org"


@pytest.fixture(scope="module")
def server() -> Iterator[MailServer]:
    with running_mail_server() as server:
        yield server


def mail(subject: str, *fields: str, to: str = TAGGED, sender: str = "gm@example.org") -> bytes:
    lines = [*fields, f"From: {sender}", f"To: {to}", f"Subject: {subject}", f"Message-ID: <{subject}@example.org>"]
    return "\r\n".join([*lines, "", "Attack Cygnus with all", ""]).encode()


def deliver(server: MailServer, raw: bytes, sender: str = "anna@example.org", to: str = TAGGED) -> None:
    """Hand a mail over as another mail server does."""
    with smtplib.SMTP("localhost", server.smtp_port, timeout=SECONDS) as smtp:
        smtp.sendmail(sender, [to], raw)


def arrived(server: MailServer, subject: str, user: str = GAMES) -> bytes:
    """The mail with this subject, as pbmd reads it."""
    with closing(Inbox(server.imap(user))) as inbox:
        inbox.connect()
        ends = time.monotonic() + SECONDS
        while time.monotonic() < ends:
            for batch in inbox.scan(Watermark(0, 0)):
                for fetched in batch:
                    if message_from_bytes(fetched.raw)["Subject"] == subject:
                        return fetched.raw
            time.sleep(0.1)
    raise AssertionError((server.base / "postfix.log").read_text() + (server.base / "dovecot.log").read_text())


def verdicts(raw: bytes) -> list[str]:
    return [" ".join(str(value).split()) for value in parsed(raw).get_all("Authentication-Results", [])]


def vouched_for(server: MailServer, subject: str, sender: str) -> bool:
    """Whether pbmd believes, with this server as `authserv_id`, that the mail is from that sender."""
    return is_aligned(read_letter(arrived(server, subject)).results, "mail.example.org", sender)


def subject_of(raw: bytes) -> str:
    return str(parsed(raw)["Subject"])


def parsed(raw: bytes) -> Message:
    return message_from_bytes(raw)


class TestMailForPbmd:
    def test_goes_from_submission_to_a_plus_address_and_keeps_its_tag(self, server: MailServer) -> None:
        with Smtp(server.smtp("gm@example.org")) as smtp:
            assert smtp.send("gm@example.org", TAGGED, mail("orders", to=GAMES)) == Sent()
        assert TAGGED in read_letter(arrived(server, "orders")).recipients

    def test_is_announced_and_can_be_moved(self, server: MailServer) -> None:
        with closing(Inbox(server.imap())) as inbox:
            inbox.connect()
            look = inbox.look()
        assert look.announces
        assert look.moves

    def test_wakes_pbmd_when_it_comes(self, server: MailServer) -> None:
        mine, other = socket.socketpair()
        with closing(mine), closing(other), closing(Inbox(server.imap())) as inbox:
            inbox.connect()
            inbox.look()
            deliver(server, mail("wake up"))
            began = time.monotonic()
            inbox.wait(SECONDS, mine)
            assert time.monotonic() - began < SECONDS / 2

    def test_for_postmaster_comes_to_the_game_master(self, server: MailServer) -> None:
        deliver(server, mail("a complaint"), to="postmaster@example.org")
        assert arrived(server, "a complaint", "gm@example.org")


class TestMailOfPbmd:
    def test_goes_out_signed(self, server: MailServer) -> None:
        with Smtp(server.smtp()) as smtp:
            assert smtp.send(GAMES, "anna@example.net", mail("a report", sender=GAMES)) == Sent()
        signature = "".join(str(parsed(server.went_out("a report"))["DKIM-Signature"]).split())
        assert "d=example.org;" in signature
        assert "s=pbmd;" in signature

    @pytest.mark.parametrize("envelope_from", ["", "games+bounce.g1p1.aaaaaaaaaaaaaaaa@example.org"])
    def test_may_have_the_null_return_path_or_one_of_its_own(self, server: MailServer, envelope_from: str) -> None:
        subject = f"from {len(envelope_from)}"
        with Smtp(server.smtp()) as smtp:
            assert smtp.send(envelope_from, "gm@example.org", mail(subject, sender=GAMES)) == Sent()
        assert parsed(arrived(server, subject, "gm@example.org"))["Return-Path"] == f"<{envelope_from}>"

    def test_cannot_be_sent_in_the_name_of_another(self, server: MailServer) -> None:
        with Smtp(server.smtp()) as smtp:
            refusal = smtp.send("gm@example.org", "anna@example.net", mail("not mine"))
        assert isinstance(refusal, Deferred)
        assert refusal.about_us
        assert "not owned by user" in refusal.text


class TestVerdicts:
    def test_on_a_signed_mail_is_that_of_this_server_alone(self, server: MailServer) -> None:
        with Smtp(server.smtp()) as smtp:
            smtp.send(
                GAMES, "anna@example.net", mail("signed", "Authentication-Results: mail.example.org; spf=pass", sender=GAMES)
            )
        signed = server.went_out("signed")
        deliver(server, b"Authentication-Results: mail.example.org; dmarc=pass header.from=example.net\r\n" + signed)
        [verdict] = verdicts(arrived(server, "signed"))
        assert verdict.startswith("mail.example.org; dkim=pass ")
        assert vouched_for(server, "signed", GAMES)
        assert not vouched_for(server, "signed", "anna@example.net")

    def test_on_a_mail_that_was_changed_on_its_way_is_fail(self, server: MailServer) -> None:
        with Smtp(server.smtp()) as smtp:
            smtp.send(GAMES, "anna@example.net", mail("changed", sender=GAMES))
        deliver(server, server.went_out("changed").replace(b"Cygnus", b"Altair"))
        [verdict] = verdicts(arrived(server, "changed"))
        assert verdict.startswith("mail.example.org; dkim=fail ")
        assert not vouched_for(server, "changed", GAMES)

    @pytest.mark.parametrize(
        "forged",
        [
            "Authentication-Results: mail.example.org; dkim=pass header.d=example.net",
            "authentication-results: mail.example.org; dmarc=pass header.from=example.net",
            "Authentication-Results : mail.example.org; dkim=pass header.d=example.net",
            "Authentication-Results:\r\n mail.example.org; dkim=pass header.d=example.net",
            "Authentication-Results: mail.example.org; dkim=pass\r\nAuthentication-Results: mail.example.org; spf=pass",
        ],
        ids=["plain", "small letters", "blank before the colon", "folded", "two"],
    )
    def test_that_are_forged_are_taken_out(self, server: MailServer, forged: str, request: pytest.FixtureRequest) -> None:
        subject = f"forged {request.node.callspec.id}"
        deliver(server, mail(subject, forged))
        [verdict] = verdicts(arrived(server, subject))
        assert verdict.startswith("mail.example.org; dkim=none")
        assert "pass" not in verdict


class TestAGame:
    """A game of pbmd by this server, from the settings that docs/mail.md shows for it."""

    @pytest.fixture
    def home(self, server: MailServer, tmp_path: Path) -> Home:
        home = Home(tmp_path)
        [text] = [block.text for block in blocks("toml pbmd.toml", PAGE) if "mail.example.org" in block.text]
        for table, port in (("imap", server.imaps_port), ("smtp", server.submission_port)):
            text = text.replace(f"[{table}]\n", f'[{table}]\nport = {port}\nca_file = "{server.ca_file}"\n')
        rulesets = f'rulesets = ["{Path(count.__file__).parent}"]\n'
        home.settings.write_text(rulesets + text.replace('host = "mail.example.org"', 'host = "localhost"'))
        home.write("games.password", PASSWORDS[GAMES])
        return home

    def test_finds_nothing_to_mend_but_the_addresses_of_the_sample(self, home: Home) -> None:
        checks = json.loads(home.run("check", "--send-to", "gm@example.org", "--json").stdout)["checks"]
        assert {"IMAP login", "IMAP folder", "SMTP"} < {check["name"] for check in checks}
        assert [check["name"] for check in checks if not check["ok"]] == ["settings"]

    def test_sees_its_own_mail_come_signed_and_with_its_plus_address(self, home: Home) -> None:
        checks = json.loads(home.run("check", "--mail", "--json").stdout)["checks"]
        found = {check["name"]: check for check in checks}
        assert found["own mail"]["ok"]
        assert found["plus mail"]["detail"].startswith("plus addresses are kept: it came into INBOX")
        assert found["signature"]["detail"] == "DKIM-Signature of example.org"
        assert found["verdicts"]["detail"].startswith("no Authentication-Results")  # the mail came from nowhere else

    def test_goes_from_report_to_reply_to_answer(self, server: MailServer, home: Home) -> None:
        players = '[[players]]\nseat = "A"\naddress = "gm@example.org"\n[[players]]\nseat = "B"\naddress = "bob@example.net"\n'
        home.good("new", "g", "--ruleset", "count", "--players", home.write("players.toml", players))
        home.good("tick")
        report = subject_of(home.rows(Outbox)[0].raw)
        told = parsed(arrived(server, report, "gm@example.org"))
        reply_to, return_path = str(told["Reply-To"]), str(told["Return-Path"])
        assert reply_to.startswith("games+g1p1.")
        assert return_path.startswith("<games+b.")
        with Smtp(server.smtp("gm@example.org")) as smtp:
            assert smtp.send("gm@example.org", reply_to, mail("Add 1", to=reply_to)) == Sent()
        arrived(server, "Add 1")
        home.good("tick")
        [answer] = home.rows(Outbox, Outbox.kind == "acknowledgement")
        got = parsed(arrived(server, subject_of(answer.raw), "gm@example.org"))
        assert got["Return-Path"] == "<>"
        assert "Attack Cygnus with all" in got.as_string()


class TestStrangers:
    @pytest.mark.parametrize("sender", ["anna@example.net", GAMES, ""])
    def test_cannot_send_mail_on_to_others(self, server: MailServer, sender: str) -> None:
        with smtplib.SMTP("localhost", server.smtp_port, timeout=SECONDS) as smtp:
            smtp.ehlo()
            smtp.mail(sender)
            code, said = smtp.rcpt("bob@example.com")
        assert code == 554
        assert b"Relay access denied" in said

    def test_cannot_write_to_who_is_not_here(self, server: MailServer) -> None:
        with smtplib.SMTP("localhost", server.smtp_port, timeout=SECONDS) as smtp:
            smtp.ehlo()
            smtp.mail(GAMES)
            assert smtp.rcpt("nobody@example.org")[0] == 550

    def test_are_offered_no_login_without_tls(self, server: MailServer) -> None:
        with smtplib.SMTP("localhost", server.smtp_port, timeout=SECONDS) as smtp:
            smtp.ehlo()
            assert smtp.has_extn("starttls")
            assert not smtp.has_extn("auth")


class TestTheTrial:
    def run(self, server: MailServer, tmp_path: Path, password: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "password").write_text(f"{password}\n")
        ports = {
            "--smtp-port": server.smtp_port,
            "--submission-port": server.submission_port,
            "--imaps-port": server.imaps_port,
        }
        command = [sys.executable, str(FILES / "try.py"), "localhost", GAMES, str(tmp_path / "password")]
        command += ["--ca-file", str(server.ca_file), *(str(word) for pair in ports.items() for word in pair)]
        return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)

    def test_finds_that_all_is_well(self, server: MailServer, tmp_path: Path) -> None:
        done = self.run(server, tmp_path, PASSWORDS[GAMES])
        assert [line.split()[0] for line in done.stdout.splitlines()] == ["ok"] * 9, done.stdout + done.stderr
        assert done.returncode == 0

    def test_tells_what_does_not_work(self, server: MailServer, tmp_path: Path) -> None:
        done = self.run(server, tmp_path, "wrong")
        assert done.returncode == 1
        assert "FAILED  a mail to a plus address comes, and its tag with it: (535, " in done.stdout
        assert "ok      a stranger cannot send mail on to others: 554 " in done.stdout


def test_the_settings_beside_it_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "pbmd.toml").write_text((FILES / "pbmd.toml").read_text())
    assert read_settings(tmp_path / "pbmd.toml").server.address == GAMES
