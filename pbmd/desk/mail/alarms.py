"""What the game master must look at soon: a line in the log, and one mail.

An alarm that lasts is raised once and ends by itself (`all_clear`). Of one kind a mail goes out once in `AGAIN` at most, so
that a server which comes and goes, or an attack, makes lines in the log and no flood.
"""

import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import col, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.hosts import mailboxes_read, on_host
from pbmd.desk.books.work import Work
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.queue import tell_gm
from pbmd.ledger.tables import UNSENT, Alarm, Clock, Mailbox, Outage, Outbox, OutboxState
from pbmd.terms.times import describe_duration, describe_time

AGAIN = timedelta(hours=6)
WATCHED = ("mailbox", "outbox", "disk")
"""What is looked at every minute where one host has the ledger; the others are noticed when they happen."""
WATCHED_FOR_ALL = ("mailbox", "outbox")
"""What whoever looks after the games looks at where several hosts share it."""
WATCHED_BY_EACH = ("host-disk",)
"""What each of them looks at then."""
_OF_A_HOST = ("clock", "host-disk")
"""What each host of a ledger has of its own, so that one may be in trouble and another not."""
_MAILED_BY_HOST = ("host-disk",)
"""Of which a mail about one host says nothing of another."""
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class _About:
    """What an alarm is about, what it means, and the command that helps, if any does."""

    headline: str
    meaning: str
    command: str = ""


_KINDS: Mapping[str, _About] = {
    "mailbox": _About(
        "the mailbox is not read",
        "No turn is resolved until it is read again; what arrives meanwhile counts as of its arrival. To find out why, and "
        "which letter it is if it lies with one:",
        "pbmd check --letters",
    ),
    "outbox": _About(
        "no mail goes out",
        "All mails are kept, and sent as soon as the server takes them. What it said, mail by mail:",
        "pbmd outbox",
    ),
    "disk": _About(
        "the disk is nearly full",
        "When it is full nothing can be stored: letters stay at the mail server, and the games stand still. Make room.",
    ),
    "host-disk": _About(
        "the disk of a host is nearly full",
        "When it is full the log file and the pages cannot be written there; letters and games go on, for the ledger is "
        "elsewhere. Make room. How much of it PostgreSQL has for the ledger pbmd cannot see.",
    ),
    "given-up": _About(
        "a mailbox is not waited for any more",
        "Nobody has read it for a day, so no deadline waits for it from here on: a letter in it that came in time is late if "
        "its turn is over when it is read. If its host comes back, it is waited for again. If not, have another host read it.",
    ),
    "no-text": _About(
        "a letter cannot be read",
        "The mail server does not give this one; it is asked again and again. After ten minutes the letter is put aside, and "
        "those after it are read; after a day where nothing shows that it lies with the letter and not with the server. It may "
        "hold anybody's orders, so no deadline that came after it passes for a day. Look at it in the mailbox with a mail "
        "program: if it matters, ask its writer to send it again; then take it out of the folder. Which it is, and what the "
        "server says of it:",
        "pbmd check --letters",
    ),
    "unread-given-up": _About(
        "a letter that cannot be read is not waited for any more",
        "Deadlines pass without it from here on; what is missed then says so. It is still asked for once a day, and dealt with "
        "if it comes. Such letters are listed by:",
        "pbmd letters --quarantined",
    ),
    "arrival": _About(
        "a letter has a time of arrival that cannot be",
        "The mail server says that it arrived at a time that had not come yet, or before there was such mail. It counts as "
        "arrived when pbmd read it; judge for yourself whether it came in time. If it is so of all letters, set the clock "
        "of the mail server right.",
    ),
    "journal": _About(
        "a journal is not what was written",
        "Something other than pbmd has changed the ledger: the disk, or somebody. Receipts and archives of such a game prove "
        "nothing from there on, so it is paused if it was running. What else is wrong, and what leads back, is told by:",
        "pbmd check",
    ),
    "stamp": _About(
        "a head of a journal was not stamped",
        "The command in [stamp] of the settings has not brought a proof. It is tried again, later and later for a week; "
        "games go on meanwhile, and nothing of them depends on it. Try it by hand with any text on its standard input.",
    ),
    "webhook": _About(
        "news of a game cannot be posted",
        "The server of [webhook] in the settings has not taken them. It is tried again, later and later; what has happened "
        "meanwhile is posted then, and nothing of the game depends on it. Look at the address in the file that is named there.",
    ),
    "shared": _About(
        "two pbmds take turns with the mailbox",
        "Letters that the other one reads never come here, and the other way round. Stop one of them (its cron job, too), and "
        "have the letters that it took moved back into the folder that is read.",
    ),
    "sign": _About(
        "the mailbox is read without its sign",
        "Letters are read and games go on. But a second pbmd that reads the same mailbox, by mistake, is not seen. Most often "
        "a message in the folder pbmd-lock is broken: delete all that is in that folder, with a mail program. pbmd tries "
        "again every 20 minutes. What the server says is told, too, by:",
        "pbmd check",
    ),
    "clock": _About(
        "the clock of this machine is in doubt",
        "No deadline passes and no turn is resolved until it is trusted again. That comes by itself when the clock goes back "
        "to where it was, or when the mail server's clock agrees with it. If it is right as it is, reply to a mail about any "
        "game with CLOCK CONFIRM, or say:",
        "pbmd clock --confirm",
    ),
    "letter": _About(
        "a letter could not be dealt with",
        "It is kept and has changed nothing; all others are dealt with. No other mail comes about letters that act for no seat "
        f"within {describe_duration(AGAIN)}. Such letters are listed by:",
        "pbmd letters --quarantined",
    ),
}


ALARMS = tuple(_KINDS)
"""The kinds that there are."""


def headline(kind: str) -> str:
    """What a kind of alarm is about, in a few words."""
    return _KINDS[kind].headline


def alarm(work: Work, kind: str, detail: str, *, lasts: bool = True) -> None:
    """Raise an alarm, unless it lasts already. One that does not last is of something that is in the log anyway, and is raised
    only if there is to be a mail. `detail` must not tell anything secret."""
    work.must_be_alone()
    host = work.desk.host if kind in _OF_A_HOST else ""
    same = select(Alarm).where(Alarm.kind == kind, Alarm.host == host)
    before = work.session.exec(same.order_by(col(Alarm.id).desc()).limit(1)).first()
    if lasts and before is not None and before.ended is None:
        return
    mails = not mailed_lately(work, kind, host if kind in _MAILED_BY_HOST else None)
    if not lasts and not mails:
        return
    raised = Alarm(
        kind=kind, host=host, began=work.now, mailed_at=work.now if mails else None, ended=None if lasts else work.now
    )
    work.session.add(raised)
    work.session.flush()
    about, detail = _KINDS[kind], on_host(work, host, detail)
    work.log("alarm", detail=f"{about.headline}: {detail}")
    if mails:
        values = {"headline": about.headline, "detail": detail, "meaning": about.meaning, "command": about.command}
        tell_gm(work, Draft("alarm", f"alarm {raised.id}", f"[pbmd] {about.headline}", render("alarm.txt", values)))


def all_clear(work: Work, kind: str, detail: str, host: str | None = None) -> None:
    """End an alarm, if it lasts; of what hosts have of their own that of another `host` if one is given."""
    whose = (work.desk.host if host is None else host) if kind in _OF_A_HOST else ""
    for lasting in work.session.exec(select(Alarm).where(Alarm.kind == kind, Alarm.host == whose, col(Alarm.ended).is_(None))):
        work.must_be_alone()
        lasting.ended = work.now
        work.log("all-clear", detail=f"no more: {_KINDS[kind].headline}; {on_host(work, whose, detail)}")


def mailed_lately(work: Work, kind: str, host: str | None = None) -> bool:
    """Whether a mail about an alarm of this kind, of this `host` if one is given, has gone to the game master a short while
    ago."""
    # A time to come is of a clock that was ahead.
    lately = select(Alarm.id).where(Alarm.kind == kind, col(Alarm.mailed_at).between(work.now - AGAIN, work.now))
    whose = lately if host is None else lately.where(Alarm.host == host)
    return work.session.exec(whose.limit(1)).first() is not None


def note_mailed(work: Work, kind: str) -> None:
    """A mail of its own tells of something that is else an alarm of this kind."""
    work.session.add(Alarm(kind=kind, began=work.now, mailed_at=work.now, ended=work.now))
    work.session.flush()


def watch(desk: Desk, since: datetime | None = None, kinds: Collection[str] = WATCHED) -> None:
    """Look at mailbox, outbox and disk, and raise or end their alarms. `since` is when this process began to read the mailbox:
    nobody is alarmed of the time before."""
    with Work(desk, reads=True) as work:
        looks = {"mailbox": _unread(work, since), "outbox": _stuck(work), "disk": _full(desk), "host-disk": _full(desk)}
        found = {kind: words for kind, words in looks.items() if kind in kinds and words is not None}
        ours = (col(Alarm.ended).is_(None), col(Alarm.host).in_(("", desk.host)))
        lasting = set(work.session.exec(select(Alarm.kind).where(*ours)))
    if all(bool(words) == (kind in lasting) for kind, words in found.items()):
        return
    with Work(desk) as work:
        for kind, words in found.items():
            if words:
                alarm(work, kind, words)
            else:
                all_clear(work, kind, describe_time(work.now))


def _unread(work: Work, since: datetime | None) -> str | None:
    """Since when the mailbox has not been read, if for too long; None if that cannot be said."""
    most = timedelta(minutes=work.desk.settings.alarms.mailbox_minutes)
    clock = work.session.get(Clock, work.desk.host)
    if clock is not None and clock.doubted_at is not None:
        return None
    names = mailboxes_read(work)
    boxes = work.session.exec(select(Mailbox).where(col(Mailbox.name).in_(names)).order_by(Mailbox.name)).all()
    told = {box.name: _unread_for(work, box, since, most) for box in boxes if most}
    return "; ".join(f"{name}: {words}" if len(names) > 1 else words for name, words in told.items() if words)


def _unread_for(work: Work, box: Mailbox, since: datetime | None, most: timedelta) -> str:
    """Since when a mailbox has not been read, if for longer than that."""
    failing = select(Outage.began).where(Outage.mailbox_id == box.id, col(Outage.ended).is_(None))
    began = box.read_through or work.session.exec(failing).first()
    if began is None:
        return ""
    began = max(began, since or began)
    if work.now - began < most:
        return ""
    read = f"not since {describe_time(box.read_through)}" if box.read_through else "never yet"
    return f"{read}, by this machine's clock"


def _stuck(work: Work) -> str:
    """Since when no mail goes out though some should; empty if some do, or none should."""
    most = timedelta(minutes=work.desk.settings.alarms.outbox_minutes)
    if not most:
        return ""
    long_ago = work.now - most
    # What a server has put off until later does not wait for us; what is on its way may do so in vain.
    waits = (col(Outbox.next_try_at) <= work.now) | (col(Outbox.state) == OutboxState.SENDING)
    waiting = select(Outbox.id, Outbox.queued_at).where(UNSENT, waits, col(Outbox.queued_at) <= long_ago)
    oldest = work.session.exec(waiting.order_by(col(Outbox.id)).limit(1)).first()
    if oldest is None:
        return ""
    number, queued_at = oldest
    # What was queued before it went out before it: nothing but newer mail can show that the server takes any.
    sent = col(Outbox.id) > number, Outbox.state == OutboxState.SENT, col(Outbox.sent_at) > long_ago
    if work.session.exec(select(Outbox.id).where(*sent).limit(1)).first() is not None:
        return ""
    return f"mail {number} waits since {describe_time(queued_at)}, and none has gone out for {describe_duration(most)}"


def _full(desk: Desk) -> str:
    """How little room is left in the data folder, if it is too little."""
    free = shutil.disk_usage(desk.settings.data).free
    least = desk.settings.alarms.disk_megabytes * _MEGABYTE
    what = "its data folder" if desk.host else "the ledger"
    return f"{free // _MEGABYTE} MB are free where {what} is" if free < least else ""
