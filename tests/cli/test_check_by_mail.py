"""`pbmd check --mail`: what it finds out, with a real Dovecot behind servers that treat mail in their own ways."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from pbmd.cli.own_mail import Came, Fate, mail_checks, signature, verdicts
from pbmd.ledger.tables import Letter, Outbox
from pbmd.post.imap.connection import InboxLost
from pbmd.post.imap.find import Finder, OwnMail
from pbmd.post.imap.wire import Client
from pbmd.post.smtp.client import Result, Sent, Smtp, SmtpError
from pbmd.settings import read_settings
from tests.benchmarks.sink import running_sink
from tests.cli.conftest import Home
from tests.cli.interruptible import running
from tests.cli.test_mail import use_dovecot
from tests.mailservers import DOMAIN, PASSWORD, Dovecot, Postfix, letter

JUNK = "Unsolicited"


class Carrier:
    """An SMTP server that does with each mail what it is told to, and keeps a copy."""

    def __init__(self, carry: Callable[[str, bytes], object], refuses: str = "") -> None:
        self.carry, self.refuses = carry, refuses
        self.taken: list[bytes] = []

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        del server, session, options
        if self.refuses and self.refuses in address:
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        del server, session
        self.taken.append(envelope.content)
        self.carry(envelope.rcpt_tos[0].partition("@")[0], envelope.content)
        return "250 OK"


@pytest.fixture
def mailbox(home: Home, dovecot: Dovecot) -> str:
    """A mailbox of Dovecot's, in which there is a letter of a player's."""
    user = dovecot.new_user()
    use_dovecot(home, dovecot, user=f'"{user}"')
    home.settings.write_text(home.settings.read_text().replace("games@pbmd.test", f"{user}@{DOMAIN}"))
    dovecot.deliver(user, letter("of a player"))
    return user


@contextmanager
def sending_over(home: Home, carrier: Carrier) -> Iterator[None]:
    with running_sink(carrier) as port:
        set_port(home, port)
        yield


def set_port(home: Home, port: int) -> None:
    head, _, smtp = home.settings.read_text().partition("[smtp]")
    home.settings.write_text(f"{head}[smtp]{smtp.replace('port = 1', f'port = {port}')}")


def found_out(home: Home, code: int = 0, wait: str = "120s") -> dict[str, dict[str, Any]]:
    done = home.run("check", "--mail", "--wait", wait, "--json")
    assert done.exit_code == code, (done.output, done.exception)
    return {check["name"]: check for check in json.loads(done.stdout)["checks"]}


def what_is_left(dovecot: Dovecot, user: str) -> list[str]:
    """Folder, flags and subject of all that is in the mailbox, but for the signs by which one pbmd knows another."""
    told = dovecot.doveadm("-f", "tab", "fetch", "-u", user, "mailbox flags hdr.subject", "ALL")
    lines = told.replace("\\Recent", "").splitlines()[1:]
    return [line for line in lines if line and not line.startswith("pbmd-lock")]


@pytest.mark.dovecot
class TestItFindsOut:
    @pytest.mark.postfix
    def test_that_plus_addresses_are_kept_and_leaves_the_mailbox_as_it_was(
        self, home: Home, mailbox: str, dovecot: Dovecot, postfix: Postfix
    ) -> None:
        set_port(home, postfix.smtp_port)
        before = what_is_left(dovecot, mailbox)
        found = found_out(home)
        assert found["own mail"]["detail"].startswith("it came into INBOX ")
        assert found["plus mail"]["detail"].startswith("plus addresses are kept: it came into INBOX ")
        assert "no Authentication-Results" in found["verdicts"]["detail"]
        assert "no DKIM-Signature" in found["signature"]["detail"]
        assert len(before) == 1
        assert what_is_left(dovecot, mailbox) == before

    @pytest.mark.usefixtures("mailbox")
    def test_that_plus_addresses_are_dropped(self, home: Home, dovecot: Dovecot) -> None:
        carrier = Carrier(lambda to, raw: "+" in to or dovecot.deliver(to, raw))
        with sending_over(home, carrier):
            found = found_out(home, code=1, wait="2s")
        assert found["own mail"]["ok"]
        assert found["plus mail"]["detail"] == "mail to plus addresses is dropped: it has not come within 2 s"
        assert "plus_addresses = false" in found["plus mail"]["mend"]
        assert found["plus mail"]["more"] == "pbmd docs did-not-arrive 5"
        assert len(carrier.taken) == 2

    @pytest.mark.usefixtures("mailbox")
    def test_that_plus_addresses_are_refused_and_waits_for_nothing_then(self, home: Home, dovecot: Dovecot) -> None:
        with sending_over(home, Carrier(dovecot.deliver, refuses="+check-")):
            found = found_out(home, code=1)
        assert found["own mail"]["ok"]
        assert found["plus mail"]["detail"] == "mail to plus addresses is refused: 550 5.1.1 no such mailbox"

    @pytest.mark.usefixtures("mailbox")
    def test_that_what_stood_behind_the_plus_is_lost(self, home: Home, dovecot: Dovecot) -> None:
        def carry(to: str, raw: bytes) -> None:
            plain = to.partition("+")[0]
            dovecot.deliver(plain, raw.replace(to.encode(), plain.encode()))

        with sending_over(home, Carrier(carry)):
            found = found_out(home, code=1)
        assert "is lost on the way" in found["plus mail"]["detail"]

    @pytest.mark.usefixtures("mailbox")
    def test_that_nothing_comes(self, home: Home) -> None:
        with sending_over(home, Carrier(lambda _to, _raw: None)):
            found = found_out(home, code=1, wait="1s")
        assert found["own mail"]["detail"].endswith("and has not come within 1 s")
        assert "--wait 10m" in found["own mail"]["mend"]
        assert "plus mail" not in found
        assert "verdicts" not in found
        assert found["tidying"]["detail"] == "what comes only now, or has come back, stays in the mailbox: delete it yourself"

    def test_that_it_falls_into_the_folder_for_junk_and_takes_it_away_from_there(
        self, home: Home, mailbox: str, dovecot: Dovecot
    ) -> None:
        dovecot.doveadm("mailbox", "create", "-u", mailbox, JUNK)
        put = ("save", "-u", mailbox, "-m", JUNK)
        dovecot.doveadm(*put, standard_input=letter("an offer"))
        with sending_over(home, Carrier(lambda _to, raw: dovecot.doveadm(*put, standard_input=raw))):
            found = found_out(home, code=1)
        assert f"it fell into {JUNK}, the folder for junk, " in found["own mail"]["detail"]
        assert found["own mail"]["more"] == "pbmd docs did-not-arrive 1"
        assert {line.split("\t")[0] for line in what_is_left(dovecot, mailbox)} == {"INBOX", JUNK}
        assert len(what_is_left(dovecot, mailbox)) == 2

    @pytest.mark.usefixtures("mailbox")
    def test_what_the_server_that_took_it_in_says_and_no_other(self, home: Home, dovecot: Dovecot) -> None:
        fields = (
            b"Authentication-Results: mx.pbmd.test; spf=pass smtp.mailfrom=pbmd.test; dkim=pass; dmarc=pass\r\n"
            b"DKIM-Signature: v=1; a=rsa-sha256; d=pbmd.test; s=x; bh=YQ==; b=YQ==\r\n"
            b"Authentication-Results: elsewhere.test; spf=fail\r\n"
        )
        with sending_over(home, Carrier(lambda to, raw: dovecot.deliver(to, fields + raw))):
            found = found_out(home)
        assert found["verdicts"]["detail"] == "mx.pbmd.test says: SPF pass, DKIM pass, DMARC pass"
        assert found["signature"]["detail"] == "DKIM-Signature of pbmd.test"

    def test_all_that_while_pbmd_reads_the_same_mailbox_which_knows_its_own_mail(
        self, home: Home, mailbox: str, dovecot: Dovecot
    ) -> None:
        tick = [sys.executable, "-m", "pbmd", "tick", "--settings", str(home.settings)]
        ended: list[int] = []

        def carry(to: str, raw: bytes) -> None:
            dovecot.deliver(to, raw)
            ended.append(subprocess.run(tick, capture_output=True, check=False).returncode)

        with sending_over(home, Carrier(carry)):
            found = found_out(home)
        assert ended == [0, 0]
        assert found["own mail"]["detail"].startswith("it came into pbmd-processed ")
        assert found["plus mail"]["ok"]
        notes = [each.note for each in home.rows(Letter)]
        assert sorted(notes) == ["not answered: it is from pbmd's own address"] * 2 + ["not answered: no token"]
        assert home.rows(Outbox) == []
        [left] = what_is_left(dovecot, mailbox)
        assert left.startswith("pbmd-processed\t")
        assert left.endswith("\tof a player")


@pytest.mark.dovecot
class TestItKeepsToItself:
    def test_no_password_is_in_what_it_sends_or_prints(self, home: Home, mailbox: str, dovecot: Dovecot) -> None:
        carrier = Carrier(dovecot.deliver)
        with sending_over(home, carrier):
            done = home.run("check", "--mail")
        assert done.exit_code == 0, done.output
        sent = [message_from_bytes(raw) for raw in carrier.taken]
        [token] = [str(mail["To"]).partition("+check-")[2].partition("@")[0] for mail in sent if "+" in str(mail["To"])]
        assert len(token) == 16
        assert token not in done.output
        for each in (done.output, *(raw.decode() for raw in carrier.taken)):
            assert PASSWORD not in each
        assert all(str(mail["From"]).endswith(f"<{mailbox}@{DOMAIN}>") for mail in sent)
        assert all(str(mail["Auto-Submitted"]) == "auto-generated" for mail in sent)

    def test_what_others_have_marked_as_deleted_stays(self, home: Home, mailbox: str, dovecot: Dovecot) -> None:
        dovecot.doveadm("flags", "add", "-u", mailbox, r"\Deleted", "mailbox", "INBOX", "ALL")
        with sending_over(home, Carrier(dovecot.deliver)):
            assert "tidying" not in found_out(home)
        [left] = what_is_left(dovecot, mailbox)
        assert left.endswith("\tof a player")

    def test_a_mail_that_looks_like_its_own_is_not_taken_for_it_and_stays(
        self, home: Home, mailbox: str, dovecot: Dovecot
    ) -> None:
        def carry(to: str, raw: bytes) -> None:
            head, _, rest = raw.partition(b"Message-ID: <")
            dovecot.deliver(to, b"Authentication-Results: mx.pbmd.test; dmarc=pass\r\n" + head + b"Message-ID: <x." + rest)

        with sending_over(home, Carrier(carry)):
            found = found_out(home, code=1, wait="1s")
        assert "has not come" in found["own mail"]["detail"]
        assert "verdicts" not in found
        assert len(what_is_left(dovecot, mailbox)) == 3

    def test_where_it_could_not_take_away_its_own_alone_it_takes_none_and_says_so(
        self, home: Home, mailbox: str, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        can = Client.has_capability
        monkeypatch.setattr(Client, "has_capability", lambda self, word: word != "UIDPLUS" and can(self, word))
        dovecot.doveadm("flags", "add", "-u", mailbox, r"\Deleted", "mailbox", "INBOX", "ALL")
        with sending_over(home, Carrier(dovecot.deliver)):
            assert "marked as deleted: delete them yourself" in found_out(home)["tidying"]["detail"]
        assert len(what_is_left(dovecot, mailbox)) == 3

    @pytest.mark.in_turn(3)
    @pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    def test_what_has_come_is_taken_away_when_it_is_ended_while_it_waits(
        self, home: Home, mailbox: str, dovecot: Dovecot, end: signal.Signals
    ) -> None:
        dropped = threading.Event()

        def carry(to: str, raw: bytes) -> None:
            if "+" in to:
                dropped.set()
            else:
                dovecot.deliver(to, raw)

        with (
            sending_over(home, Carrier(carry)),
            running("check", "--mail", "--settings", str(home.settings)) as process,
        ):
            assert dropped.wait(60)
            assert len(what_is_left(dovecot, mailbox)) == 2
            process.send_signal(end)
            assert process.wait(60) not in (0, -end)
        assert len(what_is_left(dovecot, mailbox)) == 1

    def test_what_has_come_is_taken_away_when_the_connection_is_lost_while_it_waits(
        self, home: Home, mailbox: str, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def look(self: Finder, _message_ids: object) -> dict[str, OwnMail]:
            self.close()
            raise InboxLost("mail.test:993: gone")

        monkeypatch.setattr(Finder, "look", look)
        with sending_over(home, Carrier(dovecot.deliver)):
            found = found_out(home, code=1)
        assert found["own mail"]["detail"] == "mail.test:993: gone"
        assert len(what_is_left(dovecot, mailbox)) == 1

    def test_where_the_mail_server_goes_away_between_the_mails_it_says_that_one_may_come(
        self, home: Home, mailbox: str, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        send = Smtp.send

        def once(self: Smtp, envelope_from: str, recipient: str, raw: bytes, otherwise: str = "") -> Result:
            if "+" in recipient:
                raise SmtpError("mail.test:465: gone")
            return send(self, envelope_from, recipient, raw, otherwise)

        monkeypatch.setattr(Smtp, "send", once)
        with sending_over(home, Carrier(lambda _to, _raw: None)):
            found = found_out(home, code=1)
        assert found["own mail"]["detail"] == "mail.test:465: gone"
        assert "what comes only now, or has come back, stays" in found["tidying"]["detail"]
        assert len(what_is_left(dovecot, mailbox)) == 1

    @pytest.mark.usefixtures("mailbox")
    def test_without_plus_addresses_it_sends_one_mail(self, home: Home, dovecot: Dovecot) -> None:
        home.settings.write_text(home.settings.read_text().replace("[server]", "[server]\nplus_addresses = false", 1))
        carrier = Carrier(dovecot.deliver)
        with sending_over(home, carrier):
            found = found_out(home)
        assert len(carrier.taken) == 1
        assert found["plus mail"]["ok"]
        assert "plus_addresses = false" in found["plus mail"]["detail"]

    def test_it_sends_nothing_that_it_could_not_see_come(self, home: Home, dovecot: Dovecot) -> None:
        use_dovecot(home, dovecot, password='"wrong"')
        carrier = Carrier(dovecot.deliver)
        with sending_over(home, carrier):
            found = found_out(home, code=1)
        assert found["own mail"]["detail"] == "not tried: IMAP login does not work"
        assert found["IMAP login"]["more"] == "pbmd docs did-not-arrive 2"
        assert carrier.taken == []

    @pytest.mark.usefixtures("mailbox")
    def test_it_sends_nothing_unless_it_is_asked(self, home: Home, dovecot: Dovecot) -> None:
        carrier = Carrier(dovecot.deliver)
        with sending_over(home, carrier):
            assert "own mail" not in home.good("check")
        assert carrier.taken == []


def test_a_time_to_wait_that_is_none_is_wrong_use(home: Home) -> None:
    assert home.problem("check", "--mail", "--wait", "soon").startswith('--wait: "soon" is not a length of time')


def results(value: str, authserv_id: str = "") -> tuple[bool, str]:
    check = verdicts(f"Authentication-Results: {value}\nFrom: a@b.test\n\n".encode(), authserv_id)
    return check.ok, check.detail


class TestVerdicts:
    @pytest.mark.parametrize(
        ("value", "ok", "said"),
        [
            ("mx.test; spf=pass; dkim=pass; dmarc=pass", True, "mx.test says: SPF pass, DKIM pass, DMARC pass"),
            ("mx.test; spf=none; dkim=none", True, "mx.test says: SPF none, DKIM none, DMARC not told"),
            ("mx.test; none", True, "mx.test says: SPF not told, DKIM not told, DMARC not told"),
            ("mx.test; spf=softfail; dkim=pass", False, "mx.test says: SPF softfail, DKIM pass, DMARC not told"),
            ("mx.test; dkim=fail; dkim=pass", True, "mx.test says: SPF not told, DKIM fail and pass, DMARC not told"),
            ("mx.test; dmarc=fail", False, "mx.test says: SPF not told, DKIM not told, DMARC fail"),
            ("spf=pass (x) smtp.mailfrom=b.test; dkim=none", True, "microsoft says: SPF pass, DKIM none, DMARC not told"),
            ("mx.test; spf=(", True, "there are Authentication-Results, which cannot be read"),
        ],
    )
    def test_are_told_as_they_are(self, value: str, ok: bool, said: str) -> None:
        assert results(value) == (ok, said)

    def test_of_another_server_than_the_one_that_is_believed_are_told_so(self) -> None:
        assert "its word is not believed" in results("mx.test; spf=pass", "other.test")[1]
        assert "believed" not in results("mx.test; spf=pass", "MX.test")[1]

    def test_of_a_signature_without_a_domain(self) -> None:
        [check] = signature(b"DKIM-Signature: v=1\n\n")
        assert check.detail == "DKIM-Signature of nobody"


def test_it_says_how_long_it_took(home: Home) -> None:
    came = Came(OwnMail("INBOX", False, b"To: games@pbmd.test\n\n"), timedelta(seconds=75))
    settings = read_settings(Path(home.settings))
    fates = [Fate("own mail", "games@pbmd.test", Sent(), came), Fate("plus mail", "games+a@pbmd.test", Sent(), came)]
    own, plus, *_ = mail_checks(settings, fates, timedelta(seconds=90))
    assert own.detail == "it came into INBOX after 1 min 15 s"
    assert "is lost on the way" in plus.detail
