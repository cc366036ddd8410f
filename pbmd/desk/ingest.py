"""Letters from the mailbox into the ledger: stored first, whole, in order of arrival, each of them once.

The place in the mailbox (UIDVALIDITY, UID) says what has been fetched; the fingerprint of what the writer sent says what
is the same letter again, after a change of UIDVALIDITY or when a server delivers it twice.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Protocol

from sqlalchemy import Connection, bindparam, insert, update
from sqlalchemy import select as columns_of
from sqlmodel import col, select

from pbmd.desk.books.desk import Desk, mailbox_name
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.doubt_watch import server_says
from pbmd.desk.deadlines.possible_times import with_possible_times
from pbmd.desk.deadlines.trusted_clock import doubt
from pbmd.desk.deadlines.unread_letters import ASKED_EVERY
from pbmd.desk.due.outages import end_outage
from pbmd.desk.mail.alarms import alarm
from pbmd.desk.unreadable.looks import despite_unreadable
from pbmd.ledger.database import make_lasting, padded
from pbmd.ledger.lately import lately
from pbmd.ledger.postgresql import one_at_a_time
from pbmd.ledger.tables import Game, GameStatus, Letter, LetterState, LogLine, Mailbox, Outage, Sighting, UnreadLetter
from pbmd.post.imap.connection import NoText
from pbmd.post.imap.fetched import Fetched, Watermark
from pbmd.post.imap.inbox import Inbox
from pbmd.post.read.letter import fingerprint as fingerprint_of
from pbmd.terms.times import describe_duration, describe_time

NO_TEXT_TRIES = 5
NO_TEXT_TIME = timedelta(minutes=10)
"""A letter that the server gives no text for holds up the mailbox for so many readings and so long, for most servers mend
themselves; then it is put aside, for a broken one must not hold it up for ever."""
UNPROVED_TIME = timedelta(days=1)
"""The same where nothing shows that it lies with the letter: no other is there, or the server says that it will pass."""
_TOLD_EVERY = timedelta(hours=1)

FEW = 20
"""So many letters are on the disk with what is written for them, which spares a wait for it; for more it does not matter."""
_NAMED = 10
"""Of more letters that came again the log does not give the numbers."""
_ASKED_AT_ONCE = 20
CLOCK_TOLD_EVERY = timedelta(days=1)
FOLLOWS_ONCE = timedelta(days=1)
# Made once: who has written a letter waits for them.
_PLACE = columns_of(col(Mailbox.id), col(Mailbox.uidvalidity), col(Mailbox.last_uid)).where(
    col(Mailbox.name) == bindparam("mailbox")
)
_FAILING = (
    columns_of(col(Outage.id))
    .join(Mailbox, col(Mailbox.id) == col(Outage.mailbox_id))
    .where(col(Mailbox.name) == bindparam("mailbox"), col(Outage.ended).is_(None))
    .limit(1)
)
_READ_ON = update(Mailbox).where(col(Mailbox.id) == bindparam("place"))
_KNOWN = columns_of(col(Letter.fingerprint)).where(col(Letter.fingerprint).in_(bindparam("prints", expanding=True)))
_SEEN = columns_of(col(Sighting.uid)).where(
    col(Sighting.mailbox_id) == bindparam("place"),
    col(Sighting.uidvalidity) == bindparam("uidvalidity"),
    col(Sighting.uid).in_(bindparam("uids", expanding=True)),
)
_ANY_NEW = columns_of(col(Letter.id)).where(col(Letter.state) == LetterState.NEW).limit(1)
_STORE, _SIGHT = insert(Letter), insert(Sighting)
_NEW_PLACE = insert(Mailbox).returning(col(Mailbox.id))


class LetterSource(Protocol):
    """Where letters come from: a mailbox on a server (`pbmd.post.imap.inbox.Inbox`), or what stands for one."""

    def scan(self, watermark: Watermark, *, careful: bool = False) -> Iterable[Sequence[Fetched]]:
        """The letters above the watermark by rising UID, in batches."""
        ...

    def tidy(self, uids: Sequence[int], uidvalidity: int) -> object:
        """These letters are stored."""
        ...


def read_mailbox(
    desk: Desk,
    inbox: LetterSource,
    letters_came: Callable[[], object] = lambda: None,
    give_way: Callable[[], object] = lambda: None,
    evidence_is_wanted: Callable[[], bool] = lambda: True,
) -> int:
    """Store everything that is new in the mailbox and give the number of new letters. `letters_came` is called as soon as
    some of them are stored, before the mailbox is tidied; `give_way` before anything else is waited for, for who waits for an
    answer should not have to wait for that. The evidence of the reading is only written if `evidence_is_wanted`.

    Raises `InboxLost` when the server fails: what was stored until then stays stored. Only a reading that came to its
    end is evidence that nothing else had arrived before it began.
    """
    name = mailbox_name(desk)
    began = desk.now()
    with desk.reading_engine.connect() as connection:
        place = connection.execute(_PLACE, {"mailbox": name}).first()
        mark = Watermark(place.uidvalidity, place.last_uid) if place else Watermark(0, 0)
        # Where the last reading was lost, too, it may lie with a letter.
        careful = connection.execute(_FAILING, {"mailbox": name}).first() is not None
    new = 0
    try:
        for given in inbox.scan(mark, careful=careful):
            batch = with_possible_times(desk, given)
            are_few = len(batch) <= FEW
            if fresh := store(desk, name, batch, hasty=are_few):
                new += fresh
                letters_came()
                if any(fetched.impossible_arrival for fetched in batch):
                    _tell_of_impossible(desk)
                if are_few:
                    give_way()
            if are_few and not (fresh and _are_dealt_with(desk)):
                make_lasting(desk.engine)
            inbox.tidy([fetched.uid for fetched in batch], batch[0].uidvalidity)
    except NoText as missing:
        _note_missing(desk, name, missing)
        raise
    if evidence_is_wanted() or careful:
        _note_reading(desk, name, began)
    return new


@despite_unreadable
def store(desk: Desk, name: str, batch: Sequence[Fetched], *, hasty: bool = False) -> int:
    """Store a batch of letters in one transaction and give the number of those not known before. If it is `hasty` they stay in
    the mailbox as they are until it has become lasting."""
    prints = [fingerprint_of(fetched.raw, truncated=fetched.truncated) for fetched in batch]
    with Transaction(desk, beside=True, hasty=hasty) as work:
        connection = work.session.connection()
        one_at_a_time(connection, b"in")
        place = _place(connection, name)
        fresh = _fresh(connection, batch, prints)
        if fresh:
            connection.execute(_STORE, [_letter_row(fetched, mark) for mark, fetched in fresh.items()])
            _note_estimates(work, {mark: fetched for mark, fetched in fresh.items() if fetched.arrival_is_of_scan})
            _note_short(work, {mark: fetched for mark, fetched in fresh.items() if fetched.missing_bytes})
        _note_sightings(connection, place, batch, prints)
        read_on = {"uidvalidity": batch[-1].uidvalidity, "last_uid": max(fetched.uid for fetched in batch)}
        connection.execute(_READ_ON, {"place": place, **read_on})
        if len(fresh) < len(batch):
            again = f"{len(batch) - len(fresh)} of {len(batch)} letters read were in the ledger already"
            work.log("duplicate", detail=again, cause=_named_letters(work, set(prints) - set(fresh)))
    return len(fresh)


def _are_dealt_with(desk: Desk) -> bool:
    """Whether no letter waits to be dealt with: what was written for those that came is on the disk, and so are they."""
    with desk.reading_engine.connect() as connection:
        return connection.execute(_ANY_NEW).first() is None


def _fresh(connection: Connection, batch: Sequence[Fetched], prints: Sequence[str]) -> dict[str, Fetched]:
    """The letters of a batch that the ledger does not have, by their fingerprints and in order of arrival, each but once."""
    known = set(connection.execute(_KNOWN, {"prints": padded(prints)}).scalars())
    fresh: dict[str, Fetched] = {}
    for fetched, fingerprint in sorted(zip(batch, prints, strict=True), key=lambda pair: (pair[0].arrived_at, pair[0].uid)):
        if fingerprint not in known:
            fresh.setdefault(fingerprint, fetched)
    return fresh


def _note_sightings(connection: Connection, place: int, batch: Sequence[Fetched], prints: Sequence[str]) -> None:
    """Where in the mailbox each letter of a batch was seen. A restored mailbox may come back with the UIDVALIDITY it once had,
    and what was seen there is known."""
    here = {"place": place, "uidvalidity": batch[0].uidvalidity, "uids": padded(fetched.uid for fetched in batch)}
    seen = set(connection.execute(_SEEN, here).scalars())
    sightings = [
        {"mailbox_id": place, "uidvalidity": fetched.uidvalidity, "uid": fetched.uid, "fingerprint": fingerprint}
        for fetched, fingerprint in zip(batch, prints, strict=True)
        if fetched.uid not in seen
    ]
    if sightings:
        connection.execute(_SIGHT, sightings)


def _named_letters(work: Transaction, fingerprints: Collection[str]) -> str:
    """The letters of the ledger that these are, for the log."""
    known = select(Letter.id).where(col(Letter.fingerprint).in_(fingerprints)).order_by(col(Letter.id))
    numbers = [str(number) for number in work.session.exec(known.limit(_NAMED + 1))]
    if not numbers:
        return ""  # twice in this batch, and nowhere else
    more = " and others" if len(numbers) > _NAMED else ""
    return f"letter{'s' if len(numbers) > 1 else ''} {', '.join(numbers[:_NAMED])}{more}"


def _note_estimates(work: Transaction, estimated: Mapping[str, Fetched]) -> None:
    """Tell of letters whose arrival the server did not tell: a person may have to judge whether they came in time."""
    if not estimated:
        return
    columns = select(Letter.id, Letter.fingerprint).where(col(Letter.fingerprint).in_(estimated)).order_by(col(Letter.id))
    for number, mark in work.session.exec(columns):
        at = estimated[mark].impossible_arrival
        told = f"told {describe_time(at, seconds=True)}, which cannot be" if at else "told no time"
        detail = f"letter {number}: the mail server {told}; it counts as arrived when it was read"
        work.log("no-arrival", detail=detail)


def _tell_of_impossible(desk: Desk) -> None:
    """Tell the game master of the newest letter whose stamp could not be: not beside others, as letters are stored."""
    with Transaction(desk) as work:
        newest = select(LogLine.detail).where(LogLine.what == "no-arrival").order_by(col(LogLine.id).desc()).limit(1)
        alarm(work, "arrival", work.session.exec(newest).one(), lasts=False)


def _note_short(work: Transaction, short: Mapping[str, Fetched]) -> None:
    """Tell of letters of which the server gave far less than it says that they have: what came is read, and may be a part."""
    if not short:
        return
    numbers = work.session.exec(select(Letter.fingerprint, Letter.id).where(col(Letter.fingerprint).in_(short))).all()
    for mark, number in sorted(numbers, key=lambda pair: pair[1] or 0):
        came, missing = short[mark].size, short[mark].missing_bytes
        work.log("short-text", detail=f"letter {number}: {came:,} bytes of {came + missing:,} came, and are read")


def tidy_again(desk: Desk, inbox: Inbox) -> int:
    """Tidy letters that are in the ledger and still in the folder, and give their number: pbmd or its connection ended
    between the two, or the server would not. Raises `InboxLost`."""
    with Transaction(desk) as work:
        box = _mailbox(work, mailbox_name(desk))
        mark = Watermark(box.uidvalidity, box.last_uid)
    here = inbox.untidied(mark)
    if not here:
        return 0
    with Transaction(desk, reads=True) as work:
        place = (Sighting.mailbox_id == box.id, Sighting.uidvalidity == mark.uidvalidity)
        span = col(Sighting.uid).between(here[0], here[-1])
        stored = set(work.session.exec(select(Sighting.uid).where(*place, span)))
    again = [uid for uid in here if uid in stored]
    if again:
        make_lasting(desk.engine)  # pbmd may have ended after it had stored them, and before they were on the disk
        inbox.tidy(again, mark.uidvalidity)
    return len(again)


def note_clock(desk: Desk, ahead: timedelta | None) -> None:
    """What is to be done when the mail server's clock was looked at: hear whether it bears ours out, and tell, once a day, if
    they differ by more than the settings allow. Nothing if it could not be looked at (None)."""
    if ahead is None:
        return
    server_says(desk, ahead)
    told = clock_trouble(ahead, desk.settings.imap.clock_tolerance_seconds)
    if not told:
        return
    with Transaction(desk) as work:
        told_lately = (LogLine.what == "server-clock", lately(LogLine.at, work.now, CLOCK_TOLD_EVERY))
        if not work.session.exec(select(LogLine.id).where(*told_lately).limit(1)).first():
            work.log("server-clock", detail=told)


def note_follows(desk: Desk, host: str, data: str, left_at: datetime | None) -> None:
    """Another pbmd has read the mailbox until then, and left. That is so once when a server moves; if it is so again, two take
    turns, and each of them gets some of the letters."""
    place = f"on {host or '?'}, data folder {data or '?'}"
    when = f" until {left_at:%Y-%m-%d %H:%M:%S} UTC" if left_at else ""
    with Transaction(desk) as work:
        again = (
            LogLine.what == "imap-follows",
            lately(LogLine.at, work.now, FOLLOWS_ONCE),
            col(LogLine.detail).contains(place),
        )
        twice = work.session.exec(select(LogLine.id).where(*again).limit(1)).first() is not None
        work.log("imap-follows", detail=f"another pbmd read this mailbox{when}: {place}")
        if twice:
            alarm(work, "shared", f"the other one is {place}", lasts=False)


def clock_trouble(ahead: timedelta, tolerance_seconds: float) -> str:
    """What comes of a server's clock that is so far ahead of ours (or behind); empty if that is tolerated."""
    if abs(ahead) <= timedelta(seconds=tolerance_seconds):
        return ""
    how = f"{describe_duration(abs(ahead))} {'ahead of' if ahead > timedelta(0) else 'behind'} this machine's"
    what = (
        "letters that come in time may count as late" if ahead > timedelta(0) else "letters that come late may count as in time"
    )
    return f"the mail server's clock is {how}: {what}"


def _place(connection: Connection, name: str) -> int:
    """The id of the mailbox, which is put into the ledger if it is not there."""
    place = connection.execute(_PLACE, {"mailbox": name}).first() or connection.execute(_NEW_PLACE, {"name": name}).one()
    return place.id


def _mailbox(work: Transaction, name: str) -> Mailbox:
    box = work.session.exec(select(Mailbox).where(Mailbox.name == name)).first()
    if box is None:
        box = Mailbox(name=name)
        work.session.add(box)
        work.session.flush()
    return box


@despite_unreadable
def _note_reading(desk: Desk, name: str, began: datetime) -> None:
    end_outage(desk, began)
    with Transaction(desk, beside=True) as work:
        one_at_a_time(work.session.connection(), b"in")
        if doubt(work):
            return  # nobody knows when that was
        box = _mailbox(work, name)
        known = box.read_through
        # Of two that read at once, who began earlier takes no evidence away; but what a clock that ran ahead noted is none.
        box.read_through = max(known, began) if known and known <= work.now else began
        work.session.add(box)


def _note_missing(desk: Desk, name: str, missing: NoText) -> None:
    """Write down that a letter came without text, and tell the game master when it does so again. After enough of that it is
    put aside, so that the next reading goes on.

    What is put aside has no sighting: the message itself is not in the ledger, and stays in the mailbox for people to look at.
    """
    place = f"letter {missing.uid} (UIDVALIDITY {missing.uidvalidity})"
    detail = f"{place}: {missing.why}"
    with Transaction(desk) as work:
        noted = LogLine.what == "no-text", col(LogLine.detail).startswith(f"{place}: ", autoescape=True)
        before = work.session.exec(select(LogLine.at).where(*noted).order_by(col(LogLine.id))).all()
        if len(before) < NO_TEXT_TRIES or work.now - before[-1] >= _TOLD_EVERY:
            work.log("no-text", detail=detail)
        if before:
            arrived = f"it arrived {describe_time(missing.arrived_at, seconds=True)}"
            alarm(work, "no-text", f"{detail}; {arrived}", about=place, lasts=False)
        patience = NO_TEXT_TIME if missing.is_proved else UNPROVED_TIME
        if len(before) + 1 < NO_TEXT_TRIES or work.now - before[0] < patience:
            return
        box = _mailbox(work, name)
        number = _put_aside(work, box, missing, before[0], detail)
        box.uidvalidity, box.last_uid = missing.uidvalidity, missing.uid
        work.session.add(box)
        words = f"{detail}, again and again; it is letter {number} here, and in the mailbox for you to look at"
        work.log("quarantine", detail=words)
        alarm(work, "letter", words, about=f"letter {number}", lasts=False)


def _put_aside(work: Transaction, box: Mailbox, missing: NoText, noticed_at: datetime, note: str) -> int:
    """Keep a place in the ledger for a letter without text, and have deadlines wait for it. Gives its number."""
    mark = sha256(f"no text: {box.name} {missing.uidvalidity} {missing.uid}".encode()).hexdigest()
    known = work.session.exec(select(Letter.id).where(Letter.fingerprint == mark)).first()
    if known is not None:
        return known
    arrived_at = noticed_at.replace(microsecond=0) if missing.is_estimated else missing.arrived_at
    empty = Fetched(missing.uidvalidity, missing.uid, arrived_at, 0, b"", truncated=True)
    aside = {"state": LetterState.QUARANTINED, "note": note, "arrival_estimated": missing.is_estimated}
    row = _letter_row(empty, mark) | aside
    number = work.session.connection().execute(_STORE.returning(col(Letter.id)), row).scalar_one() or 0
    work.session.add(
        UnreadLetter(
            letter_id=number,
            mailbox_id=box.id or 0,
            uidvalidity=missing.uidvalidity,
            uid=missing.uid,
            aside_at=work.now,
            tried_at=work.now,
        )
    )
    work.session.flush()
    return number


def ask_again(desk: Desk, inbox: Inbox, since: datetime | None = None) -> int:
    """Ask the server for letters that were put aside since it gave no text for them, and give how many have come: those that it
    was not asked for lately, nor since `since`, when this process began. Raises `InboxLost`."""
    name, came = mailbox_name(desk), 0
    with Transaction(desk, reads=True) as work:
        due = _to_be_asked_for(work, name, since)
    for unread in due:
        with Transaction(desk) as work:  # first, for it may break the connection
            work.session.exec(
                update(UnreadLetter).where(col(UnreadLetter.letter_id) == unread.letter_id).values(tried_at=work.now)
            )
        try:
            fetched = inbox.letter(unread.uidvalidity, unread.uid)
        except NoText:
            continue
        with Transaction(desk) as work:
            came += _end_unread(work, unread, fetched)
        if fetched is not None:
            inbox.tidy([fetched.uid], fetched.uidvalidity)
    return came


def _to_be_asked_for(work: Transaction, name: str, since: datetime | None) -> Sequence[UnreadLetter]:
    hour_ago, day_ago = work.now - ASKED_EVERY, work.now - UNPROVED_TIME
    near = Game.status == GameStatus.RUNNING, col(Game.deadline).between(work.now, work.now + ASKED_EVERY)
    a_deadline_is_near = work.session.exec(select(Game.id).where(*near).limit(1)).first() is not None
    tried = col(UnreadLetter.tried_at)
    # A time to come is of a clock that was ahead.
    long_enough_ago = (tried <= (hour_ago if a_deadline_is_near else day_ago)) | (tried > work.now)
    due = long_enough_ago | (col(UnreadLetter.given_up_at).is_(None) & (tried <= hour_ago))
    if since is not None:
        due |= tried < since
    here = select(UnreadLetter).join(Mailbox, col(Mailbox.id) == UnreadLetter.mailbox_id).where(Mailbox.name == name)
    return work.session.exec(here.where(due).order_by(tried).limit(_ASKED_AT_ONCE)).all()


def _end_unread(work: Transaction, unread: UnreadLetter, fetched: Fetched | None) -> bool:
    """The letter has come (whole and as it arrived), or is not there any more; gives whether it is to be dealt with now."""
    letter, row = work.session.get(Letter, unread.letter_id), work.session.get(UnreadLetter, unread.letter_id)
    assert letter is not None
    assert row is not None
    work.session.delete(row)
    work.session.flush()
    if fetched is None:
        letter.state, letter.note = LetterState.DONE, f"{letter.note}; it is not in the mailbox any more"
        work.log("text-gone", detail=f"letter {letter.id}: {letter.note}")
        return False
    mark = fingerprint_of(fetched.raw, truncated=fetched.truncated)
    _note_sightings(work.session.connection(), unread.mailbox_id, [fetched], [mark])
    if same := work.session.exec(select(Letter.id).where(Letter.fingerprint == mark)).first():
        letter.state, letter.note = LetterState.DONE, f"the same as letter {same}"
        work.log("text-gone", detail=f"letter {letter.id}: {letter.note}")
        return False
    letter.fingerprint, letter.raw, letter.size, letter.truncated = mark, fetched.raw, fetched.size, fetched.truncated
    if letter.arrival_estimated and not fetched.arrival_is_of_scan:
        letter.arrived_at, letter.arrival_estimated = min(fetched.arrived_at, letter.arrived_at), False
    letter.state, letter.note = LetterState.NEW, ""
    when = describe_time(letter.arrived_at, seconds=True)
    work.log("text-came", detail=f"letter {letter.id}, which arrived {when}: the mail server gives its text now")
    return True


def _letter_row(fetched: Fetched, fingerprint: str) -> dict[str, object]:
    return {
        "fingerprint": fingerprint,
        "uid": fetched.uid,
        "arrived_at": fetched.arrived_at,
        "arrival_estimated": fetched.arrival_is_of_scan,
        "size": fetched.size,
        "truncated": fetched.truncated,
        "raw": fetched.raw,
        "state": LetterState.NEW,
        "note": "",
    }
