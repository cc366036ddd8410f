"""`pbmd check --mail`: pbmd sends itself two mails, one to its own address and one to a plus address of it, sees what becomes
of them, and removes them."""

import secrets
import signal
import sys
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from email.parser import BytesHeaderParser
from typing import Literal

from pbmd.cli.checks import Check
from pbmd.cli.dns import look_up_key
from pbmd.cli.hints import Server, about_login, mend
from pbmd.cli.progress import progress
from pbmd.cli.symptoms import Symptom, more, of_refusal
from pbmd.desk.books.desk import utc_now
from pbmd.desk.mail.unqueued import direct_mail
from pbmd.post.accounts import AccountError
from pbmd.post.imap.connection import InboxLost, LoginRefused
from pbmd.post.imap.find import Finder, OwnMail
from pbmd.post.read.authentication import read_whoevers
from pbmd.post.read.letter import read_letter
from pbmd.post.smtp.client import Result, Sent, Smtp, SmtpError, Unknown
from pbmd.settings import Settings
from pbmd.terms.times import describe_duration

Way = Literal["own mail", "plus mail"]
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 3.0
_TEXT = """\
pbmd has sent this to itself, to see whether it arrives. It takes it
away again; if it is still here after an hour, delete it.
"""
_BAD = ("fail", "softfail", "hardfail", "permerror", "policy")
_MOST_SIGNATURES = 5
_METHODS = ("spf", "dkim", "dmarc")


@dataclass(frozen=True, slots=True)
class _Mail:
    way: Way
    recipient: str
    message_id: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class Came:
    """A mail that came: where it was found, and how long after it was sent."""

    found: OwnMail
    after: timedelta


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mail: what the server said when it was sent, and where it arrived, if it did."""

    way: Way
    recipient: str
    said: Result
    came: Came | None = None


def check_by_mail(settings: Settings, wait: timedelta) -> Iterator[Check]:
    """Try it. What has arrived is removed, however this ends; what has not arrived, or could not be removed, is reported."""
    finder = Finder(settings.imap_account(), now=utc_now)
    fates: list[Fate] = []
    gone = True
    try:
        finder.connect()
        finder.begin()
        mails = _mails(settings)
        with _ended_in_order():
            gone = False
            try:
                fates.extend(_sent(settings, mails))
                fates = _awaited(finder, mails, fates, wait)
            finally:
                gone = _taken_away(finder, [mail.message_id for mail in mails])
    except (InboxLost, LoginRefused) as problem:
        yield Check("own mail", False, str(problem), mend(problem, Server.of(finder.account)), about_login(problem))
    except (SmtpError, AccountError) as problem:
        yield Check("own mail", False, str(problem), mend(problem, Server.of(settings.smtp_account())), about_login(problem))
    else:
        yield from mail_checks(settings, fates, wait)
    finally:
        finder.close()
    yield from _left(fates, gone=gone)


@contextmanager
def _ended_in_order() -> Generator[None]:
    """Make other signals end the process as Ctrl-C does, so that it cleans up. Ignored signals (nohup) stay ignored. (Python
    handles signals only in its first thread.)"""
    heard = (signal.SIGTERM, signal.SIGHUP) if threading.current_thread() is threading.main_thread() else ()
    ends = [each for each in heard if signal.getsignal(each) is signal.SIG_DFL]
    for each in ends:
        signal.signal(each, _end)
    try:
        yield
    finally:
        for each in ends:
            signal.signal(each, signal.SIG_DFL)


def _end(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _taken_away(finder: Finder, message_ids: Sequence[str]) -> bool:
    """False if the server keeps some of them. If the connection was lost meanwhile another one is made, once. Raises
    `InboxLost` and `LoginRefused`."""
    try:
        return finder.remove(message_ids)
    except InboxLost:
        finder.connect()
        return finder.remove(message_ids)


def _left(fates: Sequence[Fate], *, gone: bool) -> Iterator[Check]:
    """What may be in the mailbox now or later, of what was sent."""
    if fates and not gone:
        yield Check("tidying", True, "mails of this check are still there, or marked as deleted: delete them yourself")
    elif any(fate.came is None and isinstance(fate.said, (Sent, Unknown)) for fate in fates):
        yield Check("tidying", True, "what comes only now, or has come back, stays in the mailbox: delete it yourself")


def _mails(settings: Settings) -> list[_Mail]:
    address = settings.server.address
    local, _, domain = address.rpartition("@")
    ways: dict[Way, str] = {"own mail": address}
    if settings.server.plus_addresses:
        ways["plus mail"] = f"{local}+check-{secrets.token_hex(8)}@{domain}"
    return [_mail(settings, way, recipient) for way, recipient in ways.items()]


def _mail(settings: Settings, way: Way, recipient: str) -> _Mail:
    subject = "to its own address" if way == "own mail" else "to a plus address"
    raw = direct_mail(settings, recipient, "check", f"a mail to itself, {subject}", _TEXT, utc_now())
    return _Mail(way, recipient, str(BytesHeaderParser().parsebytes(raw)["Message-ID"]).strip(), raw)


def _sent(settings: Settings, mails: Sequence[_Mail]) -> Iterator[Fate]:
    """Send them, one by one. Raises `SmtpError` and `AccountError`."""
    with Smtp(settings.smtp_account()) as smtp:
        for mail in mails:
            yield Fate(mail.way, mail.recipient, smtp.send(settings.server.address, mail.recipient, mail.raw))


def _awaited(finder: Finder, mails: Sequence[_Mail], fates: Sequence[Fate], wait: timedelta) -> list[Fate]:
    """Look until all that were sent have arrived, or the time is over. Raises `InboxLost`."""
    waiting = {mail.message_id for mail, fate in zip(mails, fates, strict=True) if isinstance(fate.said, Sent)}
    came: dict[str, Came] = {}
    began, seconds, pause = time.monotonic(), wait.total_seconds(), _FIRST_PAUSE
    with progress("waiting for the mails") as told_of:
        while waiting:
            after = time.monotonic() - began
            for message_id, found in finder.look(waiting).items():
                came[message_id] = Came(found, timedelta(seconds=after))
            waiting -= set(came)
            if not waiting or after >= seconds:
                break
            told_of(int(after), max(1, int(seconds)))
            time.sleep(min(pause, max(0.0, seconds - after)))
            pause = min(pause * 1.5, _LONGEST_PAUSE)
    return [replace(fate, came=came.get(mail.message_id)) for mail, fate in zip(mails, fates, strict=True)]


def mail_checks(settings: Settings, fates: Sequence[Fate], wait: timedelta) -> Iterator[Check]:
    """What to say about it."""
    by_way: Mapping[Way, Fate] = {fate.way: fate for fate in fates}
    plain, plus = by_way["own mail"], by_way.get("plus mail")
    yield _own(settings, plain, wait)
    if plus is None:
        yield Check("plus mail", True, "not tried: plus_addresses = false in [server]")
    elif plain.came or plus.came or not isinstance(plus.said, Sent):
        yield _plus(plus, wait)
    if arrived := plain.came or (plus and plus.came):
        yield verdicts(arrived.found.header, settings.mail.authserv_id)
        yield from signature(arrived.found.header)


def _own(settings: Settings, fate: Fate, wait: timedelta) -> Check:
    if not isinstance(fate.said, Sent):
        where = f"{settings.smtp.host} did not take a mail to {fate.recipient}: {fate.said}"
        return Check("own mail", False, where, "ask your provider whether this login may send to that address", _told_by(fate))
    if fate.came is None:
        hint = (
            f"see with a mail program whether it came into another folder, and that {fate.recipient} is the mailbox of [imap]; "
            "if it is only slow, give it longer: --wait 10m"
        )
        told = f"was taken by {settings.smtp.host} and has not come within {describe_duration(wait)}"
        return Check("own mail", False, told, hint, more(Symptom.SPAM))
    return _by_folder("own mail", fate.came)


def _plus(fate: Fate, wait: timedelta) -> Check:
    hint = "set plus_addresses = false in [server]: replies are then known by the ids that they answer, and by the order form"
    see = more(Symptom.PLUS_ADDRESS)
    if not isinstance(fate.said, Sent):
        return Check("plus mail", False, f"mail to plus addresses is refused: {fate.said}", hint, see)
    if fate.came is None:
        told = f"mail to plus addresses is dropped: it has not come within {describe_duration(wait)}"
        where = "see whether it has come back, or was put into another folder"
        return Check("plus mail", False, told, f"{where}; if it was not, {hint}", see)
    if fate.recipient.lower() not in read_letter(fate.came.found.header).recipients:
        return Check("plus mail", False, "it came, but what stood behind the plus is lost on the way", hint, see)
    return _by_folder("plus mail", fate.came, "plus addresses are kept: ")


def _by_folder(way: Way, came: Came, before: str = "") -> Check:
    found = came.found
    how_long = "at once" if came.after < timedelta(seconds=1) else f"after {describe_duration(came.after)}"
    if not found.junk:
        return Check(way, True, f"{before}it came into {found.folder} {how_long}")
    hint = (
        "pbmd does not read there, and players' mails may go the same way: mark it as no spam, have the provider let in mail "
        "from your own address, and see that your domain names the servers that send for it (SPF, DKIM, DMARC)"
    )
    return Check(way, False, f"{before}it fell into {found.folder}, the folder for junk, {how_long}", hint, more(Symptom.SPAM))


def _told_by(fate: Fate) -> str:
    return more(*of_refusal(str(fate.said)))


def verdicts(header: bytes, authserv_id: str) -> Check:
    """What the receiving server has found out about the sender (RFC 8601): it puts its field above all others, so only that one
    counts."""
    field = read_letter(header).results
    if not field:
        told = "no Authentication-Results: the server that took it in does not say what SPF, DKIM and DMARC came to"
        return Check("verdicts", True, f"{told}; a mail to elsewhere shows it (--send-to)")
    results = read_whoevers(field)
    if results is None:
        return Check("verdicts", True, "there are Authentication-Results, which cannot be read")
    found = {method: [each.result for each in results.results if each.method == method] for method in _METHODS}
    said = ", ".join(f"{method.upper()} {' and '.join(found[method]) or 'not told'}" for method in _METHODS)
    other = ""
    if authserv_id and authserv_id.lower() not in (results.authserv_id.lower(), "microsoft"):
        other = f"; authserv_id in [mail] is {authserv_id}, so that its word is not believed"
    detail = f"{results.authserv_id} says: {said}{other}"
    if any(result in _BAD for method in _METHODS for result in found[method] if "pass" not in found[method]):
        hint = "see that your domain names the servers that send for it, and that they sign what they send: pbmd docs mail sent"
        return Check("verdicts", False, detail, hint, more(Symptom.SPAM, Symptom.FORWARDED))
    return Check("verdicts", True, detail)


def signature(header: bytes) -> Iterator[Check]:
    """Whether the mail was signed (RFC 6376), by whom, and whether others find the key."""
    signed = BytesHeaderParser().parsebytes(header).get_all("DKIM-Signature", [])
    if not signed:
        told = "no DKIM-Signature: fine for a mail that never left the server, but mail to others should have one (--send-to)"
        yield Check("signature", True, told)
        return
    keys = dict.fromkeys((_tag(str(each), "d"), _tag(str(each), "s")) for each in signed[:_MOST_SIGNATURES])
    yield Check("signature", True, f"DKIM-Signature of {', '.join(filter(None, (domain for domain, _ in keys))) or 'nobody'}")
    for domain, selector in keys:
        yield from look_up_key(domain, selector)


def _tag(signature: str, name: str) -> str:
    """The value of a tag in a signature (RFC 6376, 3.2)."""
    for part in signature.split(";"):
        key, _, value = part.partition("=")
        if key.strip() == name:
            return "".join(value.split())[:255]
    return ""
