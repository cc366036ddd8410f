#!/usr/bin/env python3
"""Does the mail server work? Tries what pbmd needs of it, and what strangers must not be able to do.

    ./try.py mail.example.org games@example.org /etc/pbmd/games.password

Each line says what was tried. The exit code is 0 if all of it went as it should, 1 if not. It leaves no mail behind.
"""

import argparse
import imaplib
import secrets
import smtplib
import ssl
import sys
import time
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

TAG = "g1p1.aaaaaaaaaaaaaaaa"
SECONDS = 20


class Wrong(Exception):
    """Something did not go as it should; the text says what."""


class Trial:
    """One mail server, and one mailbox on it."""

    def __init__(self, asked: argparse.Namespace) -> None:
        self.asked = asked
        self.user: str = asked.user
        self.password = Path(asked.password_file).read_text(encoding="utf-8").partition("\n")[0]
        self.context = ssl.create_default_context(cafile=asked.ca_file)

    def submission(self) -> smtplib.SMTP_SSL:
        """The way out, with a login."""
        server = smtplib.SMTP_SSL(self.asked.host, self.asked.submission_port, timeout=SECONDS, context=self.context)
        server.login(self.user, self.password)
        return server

    def stranger(self) -> smtplib.SMTP:
        """The way in, as any server in the world has it."""
        return smtplib.SMTP(self.asked.host, self.asked.smtp_port, timeout=SECONDS)

    def mail(self, to: str, *fields: tuple[str, str]) -> EmailMessage:
        """A mail that can be found again."""
        mail = EmailMessage()
        for name, value in (*fields, ("From", self.user), ("To", to), ("Subject", f"try {secrets.token_hex(8)}")):
            mail[name] = value
        mail.set_content("This is a trial of the mail server.\n")
        return mail

    def received(self, mail: EmailMessage) -> EmailMessage:
        """The mail as it came into the mailbox, which it leaves. Raises `Wrong` if it does not come."""
        with imaplib.IMAP4_SSL(self.asked.host, self.asked.imaps_port, timeout=SECONDS, ssl_context=self.context) as imap:
            imap.login(self.user, self.password)
            ends = time.monotonic() + SECONDS
            while time.monotonic() < ends:
                imap.select("INBOX")
                found = imap.search(None, "SUBJECT", f'"{mail["Subject"]}"')[1][0].split()
                if found:
                    raw = imap.fetch(found[-1], "(BODY.PEEK[])")[1][0][1]
                    imap.store(found[-1], "+FLAGS", "\\Deleted")
                    imap.expunge()
                    return message_from_bytes(raw, policy=policy.default)  # pyright: ignore[reportReturnType]
                time.sleep(0.2)
        raise Wrong(f"no mail in the mailbox after {SECONDS} s; look into the log of Postfix and Dovecot")

    # What has to work

    def plus_address(self) -> str:
        """a mail to a plus address comes, and its tag with it"""
        local, _, domain = self.user.partition("@")
        tagged = f"{local}+{TAG}@{domain}"
        mail = self.mail(tagged)
        with self.submission() as server:
            server.send_message(mail, self.user, [tagged])
        came = self.received(mail)
        if tagged not in came.get_all("Delivered-To", []):
            raise Wrong(f"Delivered-To is {came['Delivered-To']}, without the tag: see recipient_delimiter")
        return f"Delivered-To: {tagged}"

    def null_sender(self) -> str:
        """a mail with the null return path is taken"""
        mail = self.mail(self.user)
        with self.submission() as server:
            server.send_message(mail, "", [self.user])
        return f"Return-Path: {self.received(mail)['Return-Path']}"

    def signature(self) -> str:
        """mail that goes out is signed (DKIM)"""
        mail = self.mail(self.user)
        with self.submission() as server:
            server.send_message(mail, self.user, [self.user])
        signature = "".join(str(self.received(mail)["DKIM-Signature"] or "").split())
        domain = self.user.partition("@")[2]
        if f"d={domain};" not in signature:
            raise Wrong(f"there is no signature of {domain}: does OpenDKIM run, and has it the key?")
        return f"signed for {domain}"

    def forged_verdict(self) -> str:
        """a forged verdict on the sender is taken out"""
        mail = self.mail(self.user, ("Authentication-Results", f"{self.asked.host}; dkim=pass header.d=forged.example"))
        with self.stranger() as server:
            server.sendmail(self.user, [self.user], mail.as_bytes())
        verdicts = self.received(mail).get_all("Authentication-Results", [])
        if any("forged.example" in verdict for verdict in verdicts):
            raise Wrong("it came through: see header_checks")
        return "none is left but this server's own"

    # What must not work

    def relay(self) -> str:
        """a stranger cannot send mail on to others"""
        with self.stranger() as server:
            server.ehlo()
            server.mail(self.user)
            return _refused(*server.rcpt("somebody@example.com"))

    def unknown_recipient(self) -> str:
        """mail to an address that is not here is refused at the door"""
        with self.stranger() as server:
            server.ehlo()
            server.mail(self.user)
            return _refused(*server.rcpt(f"{secrets.token_hex(8)}@{self.user.partition('@')[2]}"))

    def other_sender(self) -> str:
        """who has logged in cannot send in another's name"""
        with self.submission() as server:
            server.mail(f"gm@{self.user.partition('@')[2]}")
            return _refused(*server.rcpt("somebody@example.com"))

    def wrong_password(self) -> str:
        """a wrong password lets nobody in"""
        with smtplib.SMTP_SSL(self.asked.host, self.asked.submission_port, timeout=SECONDS, context=self.context) as server:
            try:
                server.login(self.user, secrets.token_hex(8))
            except smtplib.SMTPAuthenticationError as refusal:
                return _refused(refusal.smtp_code, refusal.smtp_error)
        raise Wrong("it did")

    def clear_login(self) -> str:
        """there is no login without TLS"""
        with self.stranger() as server:
            server.ehlo()
            if server.has_extn("auth"):
                raise Wrong("port 25 offers one")
        return "none is offered"


def _refused(code: int, text: bytes | str) -> str:
    said = text.decode(errors="replace") if isinstance(text, bytes) else text
    if code < 500:
        raise Wrong(f"the server said {code} {said}")
    return f"{code} {said}".replace("\n", " ")


def main() -> int:
    """Try all; give the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", help="name of the server, as in its certificate")
    parser.add_argument("user", help="the mailbox, with its domain")
    parser.add_argument("password_file", help="a file with its password in the first line")
    parser.add_argument("--ca-file", help="a certificate to trust instead of the system's")
    parser.add_argument("--smtp-port", type=int, default=25)
    parser.add_argument("--submission-port", type=int, default=465)
    parser.add_argument("--imaps-port", type=int, default=993)
    trial = Trial(parser.parse_args())
    trials: tuple[Callable[[], str], ...] = (
        trial.plus_address,
        trial.null_sender,
        trial.signature,
        trial.forged_verdict,
        trial.relay,
        trial.unknown_recipient,
        trial.other_sender,
        trial.wrong_password,
        trial.clear_login,
    )
    good = True
    for each in trials:
        try:
            mark, said = "ok    ", each()
        except (Wrong, OSError, smtplib.SMTPException, imaplib.IMAP4.error) as problem:
            mark, said, good = "FAILED", str(problem) or type(problem).__name__, False
        sys.stdout.write(f"{mark}  {each.__doc__}: {said}\n")
        sys.stdout.flush()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
