"""What the game master must look at soon: a line in the log, and one mail.

An alarm that lasts is raised once and ends by itself (`all_clear`). About the same thing a mail goes out once in `AGAIN` at
most, and of one kind `MOST_MAILS`, so that a server which comes and goes, or an attack, makes lines in the log and no
flood. How many more there were is told when mails of that kind may go out again.
"""

import logging
import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto

from sqlmodel import col, select

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.hosts import mailboxes_read, on_host
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.draft import Draft, render
from pbmd.desk.mail.queue import tell_gm
from pbmd.ledger.log_file import trouble_with
from pbmd.ledger.tables import UNSENT, Alarm, Clock, Mailbox, Outage, Outbox, OutboxState
from pbmd.rules.troubles import DEFECTS, place_of
from pbmd.rules.words import capital
from pbmd.terms.times import describe_duration, describe_time

_log = logging.getLogger("pbmd.desk")
AGAIN = timedelta(hours=6)
MOST_MAILS = 5
"""Of one kind in that time."""
_MOST_NAMED = 10
WATCHED = ("mailbox", "outbox", "disk", "log")
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
        "No turn ends until it is read again, so no player is punished for it, and mail that arrives meanwhile counts with the "
        "time at which the mail server got it. The usual causes: the password was changed, the mail server is down, the "
        "machine has no network. To find out which, and whether a single letter is to blame:",
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
    "log": _About(
        "the dashboard log cannot be written",
        "Games go on and nothing is lost: what the file lacks is written once it can be. Until then the same lines come from:",
        "pbmd log",
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
        "Something other than pbmd has changed the ledger: the disk, or somebody. Receipts and archives of such a game are "
        "worth nothing from there on, so it is paused if it was running. To see what else is wrong, and how to go back:",
        "pbmd check",
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
    "game": _About(
        "a game can neither go on nor be paused",
        "Something in its records makes whatever touches it fail; all other games go on. To see what it is, and how "
        "to go back:",
        "pbmd check",
    ),
    "failing": _About(
        "a part of pbmd fails",
        "It is tried again all the time, and no letter or mail is lost; but what depends on it stands still until it is "
        "mended. Most often it is a bug, or something in the records. Restarting pbmd does no harm, and may help. To see more:",
        "pbmd check",
    ),
    "archive": _About(
        "an archive could not be made",
        "Somebody has asked for the archive of a game that is over, and something in the records of the game, the seat or the "
        "observer makes that fail. Whoever asked was told to turn to you, if they could be told at all; all others get theirs. "
        "`pbmd export` may still be able to make the archive here. To see what is wrong:",
        "pbmd check",
    ),
    "letter": _About(
        "a letter could not be dealt with",
        "It is kept and has changed nothing; all others are dealt with. Such letters are listed by:",
        "pbmd letters --quarantined",
    ),
}


ALARMS = tuple(_KINDS)
"""The kinds that there are."""


def headline(kind: str) -> str:
    """What a kind of alarm is about, in a few words."""
    return _KINDS[kind].headline


class _Mailing(Enum):
    """Whether a mail about something goes out: yes; no, there were too many of the kind; no, one has told of it."""

    NOW = auto()
    HELD = auto()
    KNOWN = auto()


def alarm(work: Transaction, kind: str, detail: str, *, about: str = "", lasts: bool = True) -> None:
    """Raise an alarm, unless it lasts already. One that does not last is of something that is in the log anyway, and is raised
    only if there is to be a mail. `about` is which of the things it is about that there are several of. Neither that nor
    `detail` must tell anything secret."""
    work.must_be_alone()
    host = work.desk.host if kind in _OF_A_HOST else ""
    same = select(Alarm).where(Alarm.kind == kind, Alarm.host == host, Alarm.about == about)
    before = work.session.exec(same.order_by(col(Alarm.id).desc()).limit(1)).first()
    if lasts and before is not None and before.ended is None:
        return
    mailing = _mailing(work, kind, about, host if kind in _MAILED_BY_HOST else None)
    if lasts or mailing is not _Mailing.KNOWN:
        raised = _raised(work, kind, about, mailing, host, None if lasts else work.now)
        detail = on_host(work, host, detail)
        if lasts or mailing is _Mailing.NOW:
            work.log("alarm", detail=f"{headline(kind)}: {detail}")
        if mailing is _Mailing.NOW:
            _mail(work, raised, headline(kind), detail)


def _raised(work: Transaction, kind: str, about: str, mailing: _Mailing, host: str, ended: datetime | None) -> Alarm:
    row = Alarm(
        kind=kind,
        host=host,
        about=about,
        began=work.now,
        mailed_at=work.now if mailing is _Mailing.NOW else None,
        held=mailing is _Mailing.HELD,
        ended=ended,
    )
    work.session.add(row)
    work.session.flush()
    return row


def _mail(work: Transaction, raised: Alarm, title: str, detail: str) -> None:
    about = _KINDS[raised.kind]
    last = len(_mailed_lately(work, raised.kind, None)) >= MOST_MAILS
    silence = describe_duration(AGAIN) if last and raised.about else ""
    values = {
        "headline": capital(title),
        "detail": detail,
        "meaning": about.meaning,
        "command": about.command,
        "silence": silence,
    }
    tell_gm(work, Draft("alarm", f"alarm {raised.id}", f"[pbmd] ALARM: {title}", render("alarm.txt", values)))


def tell_of_failure(desk: Desk, words: str) -> None:
    """Tell the game master of what has failed in the program itself, and is tried again, so that nobody else hears of it.
    Raises nothing: what keeps this from being told is in the program's own log."""
    try:
        with Transaction(desk) as work:
            alarm(work, "failing", words, about=words, lasts=False)
    except DEFECTS as problem:
        _log.error("the game master cannot be told of that (%s)", place_of(problem))


def all_clear(work: Transaction, kind: str, detail: str, host: str | None = None, about: str = "") -> None:
    """End the alarm about that, if there is one; for what each host has of its own, that of another `host` if one is given."""
    whose = (work.desk.host if host is None else host) if kind in _OF_A_HOST else ""
    same = Alarm.kind == kind, Alarm.host == whose, Alarm.about == about
    for lasting in work.session.exec(select(Alarm).where(*same, col(Alarm.ended).is_(None))):
        work.must_be_alone()
        lasting.ended = work.now
        work.log("all-clear", detail=f"no more: {headline(kind)}; {on_host(work, whose, detail)}")


def may_mail(work: Transaction, kind: str, about: str) -> bool:
    """Whether a separate mail may go out about something that is otherwise an alarm of this kind. It counts as one."""
    mailing = _mailing(work, kind, about, None)
    if mailing is not _Mailing.KNOWN:
        _raised(work, kind, about, mailing, "", work.now)
    return mailing is _Mailing.NOW


def _mailing(work: Transaction, kind: str, about: str, host: str | None) -> _Mailing:
    lately = _mailed_lately(work, kind, host)
    held = select(Alarm.id).where(Alarm.kind == kind, Alarm.about == about, col(Alarm.held))
    if about in lately or work.session.exec(held.limit(1)).first() is not None:
        return _Mailing.KNOWN
    return _Mailing.HELD if len(lately) >= MOST_MAILS else _Mailing.NOW


def _mailed_lately(work: Transaction, kind: str, host: str | None) -> list[str]:
    """What the mails about alarms of this kind were about, of this `host` if one is given, that have gone to the game master a
    short while ago."""
    # A time to come is of a clock that was ahead.
    lately = select(Alarm.about).where(Alarm.kind == kind, col(Alarm.mailed_at).between(work.now - AGAIN, work.now))
    return [*work.session.exec(lately if host is None else lately.where(Alarm.host == host))]


def _tell_held(work: Transaction) -> None:
    """Say how many more there were of each kind of which mails may go out again."""
    held = work.session.exec(select(Alarm).where(col(Alarm.held)).order_by(col(Alarm.id))).all()
    for kind in dict.fromkeys(each.kind for each in held):
        if len(_mailed_lately(work, kind, None)) >= MOST_MAILS:
            continue
        more = [each for each in held if each.kind == kind]
        for each in more:
            each.held = False
        named = ", ".join([*(each.about for each in more[:_MOST_NAMED]), *(["and others"] if len(more) > _MOST_NAMED else [])])
        detail = f"{len(more)} more since {describe_time(more[0].began)}: {named}"
        work.log("alarm", detail=f"{headline(kind)}: {detail}")
        _mail(work, _raised(work, kind, "", _Mailing.NOW, "", work.now), headline(kind), detail)


def watch(desk: Desk, since: datetime | None = None, kinds: Collection[str] = WATCHED) -> None:
    """Look at mailbox, outbox, disk and log file, and raise or end their alarms. `since` is when this process began to read the
    mailbox: nobody is alarmed of the time before. Whoever looks at the mailbox tells what was held back of other alarms,
    too."""
    with Transaction(desk, reads=True) as work:
        looks = {kind: found for kind in kinds if (found := _LOOKS[kind](work, since)) is not None}
        ours = (col(Alarm.ended).is_(None), col(Alarm.host).in_(("", desk.host)), col(Alarm.kind).in_(looks))
        lasting = set(work.session.exec(select(Alarm.kind, Alarm.about).where(*ours)).all())
        held = "mailbox" in kinds and work.session.exec(select(Alarm.id).where(col(Alarm.held)).limit(1)).first() is not None
    found = {(kind, about): words for kind, of_kind in looks.items() for about, words in of_kind.items() if words}
    if found.keys() == lasting and not held:
        return
    with Transaction(desk) as work:
        for (kind, about), words in found.items():
            alarm(work, kind, words, about=about)
        for kind, about in sorted(lasting - found.keys()):
            all_clear(work, kind, describe_time(work.now), about=about)
        if held:
            _tell_held(work)


def _unread(work: Transaction, since: datetime | None) -> dict[str, str] | None:
    """Since when each mailbox has not been read, if for too long, by its name if there are several; None if that cannot be
    said."""
    most = timedelta(minutes=work.desk.settings.alarms.mailbox_minutes)
    clock = work.session.get(Clock, work.desk.host)
    if clock is not None and clock.doubted_at is not None:
        return None
    names = mailboxes_read(work)
    boxes = work.session.exec(select(Mailbox).where(col(Mailbox.name).in_(names)).order_by(Mailbox.name)).all()
    told = {box.name: _unread_for(work, box, since, most) for box in boxes if most}
    if len(names) > 1:
        return {name: words and f"{name}: {words}" for name, words in told.items()}
    return {"": "".join(told.values())}


def _unread_for(work: Transaction, box: Mailbox, since: datetime | None, most: timedelta) -> str:
    """Since when a mailbox has not been read, if for longer than that."""
    failing = select(Outage.began).where(Outage.mailbox_id == box.id, col(Outage.ended).is_(None))
    # What was noted of a time to come says nothing.
    read_through = box.read_through if box.read_through and box.read_through <= work.now else None
    known = (read_through or work.session.exec(failing).first(), since)
    began = max((at for at in known if at), default=work.now)
    if work.now - began < most:
        return ""
    read = f"not since {describe_time(read_through)}" if read_through else "not once so far"
    return f"{read}, by this machine's clock"


def _stuck(work: Transaction) -> str:
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


_Look = Callable[[Transaction, datetime | None], Mapping[str, str] | None]
_LOOKS: Mapping[str, _Look] = {
    "mailbox": _unread,
    "outbox": lambda work, _: {"": _stuck(work)},
    "disk": lambda work, _: {"": _full(work.desk)},
    "log": lambda work, _: {"": trouble_with(work.desk.settings.log_file)},
    "host-disk": lambda work, _: {"": _full(work.desk)},
}
"""What is found amiss of each of several things, in words, by what it is about; None if that cannot be said."""
