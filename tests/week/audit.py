"""What the auditor looks at after the week, and what it finds: nothing may be lost, doubled, silent or wrong."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage

from pbmd.ledger.tables import Game, GameStatus, Letter, LetterState
from tests.week.club import SERIAL, Written

MOST_A_DAY = 2
"""So many mails a day by which there is nothing to do a game master of a club gets at most, once the games are made."""
ARRIVED = "X-Arrived"
"""When the mail servers of the world had a mail, by the clock of the week."""
_DEFECTS = ("a defect of pbmd", "Traceback", "is quarantined", "cannot go on and is paused", "cannot be read")
_BRAKED = re.compile(r" brake .*\(letter (\d+)\)$", re.MULTILINE)
_TO_DO = re.compile(r"\b\d+ things? to do;")
_SERIAL = re.compile(rf"^{SERIAL}: (\d+)".encode(), re.MULTILINE)


@dataclass(frozen=True)
class Evidence:
    """What was sent in, what pbmd's books have, what it sent, and what it said while it ran."""

    days: float
    letters: Sequence[Written]
    rows: Sequence[Letter]
    games: Sequence[Game]
    mails: Mapping[str, Sequence[EmailMessage]]
    """By recipient."""
    log: str
    """The dashboard log."""
    said: Mapping[str, str]
    """By the name of a file of standard error."""
    verified: Mapping[str, Sequence[str]]
    """What `pbmd verify` finds wrong with each game's archive."""
    gm: str
    troubles: Sequence[str] = ()
    """What had gone wrong already while the week went on."""
    upgraded_at: datetime | None = None
    """Up to then it was another version that wrote."""


def mails_by_day(evidence: Evidence) -> dict[str, list[EmailMessage]]:
    """The mails to the game master, by their days."""
    days = defaultdict[str, list[EmailMessage]](list)
    for mail in evidence.mails.get(evidence.gm, ()):
        days[datetime.fromisoformat(str(mail[ARRIVED])).strftime("%Y-%m-%d %A")].append(mail)
    return dict(sorted(days.items()))


def audit(evidence: Evidence) -> Iterator[str]:
    """All that is wrong, a line each."""
    yield from _lost_or_doubled(evidence)
    yield from _unanswered(evidence)
    yield from _standing_still(evidence)
    yield from (f"{game.name} is paused" for game in evidence.games if game.status is GameStatus.PAUSED)
    yield from evidence.troubles
    yield from (
        f"{name}: {line}"
        for name, text in evidence.said.items()
        for line in text.splitlines()
        if any(word in line for word in _DEFECTS)
    )
    yield from (f"the archive of {name}: {problem}" for name, found in evidence.verified.items() for problem in found)
    yield from _too_many(evidence)


def _serial_of(raw: bytes) -> int | None:
    found = _SERIAL.search(raw)
    return int(found[1]) if found else None


def _lost_or_doubled(evidence: Evidence) -> Iterator[str]:
    kept = Counter(serial for row in evidence.rows if (serial := _serial_of(row.raw)) is not None)
    yield from (
        f"letter {each.serial} ({each.member.game}, {each.member.seat}) is lost"
        for each in evidence.letters
        if not kept[each.serial]
    )
    yield from (f"letter {serial} is in the ledger {times} times" for serial, times in kept.items() if times > 1)
    yield from (
        f"letter {_serial_of(row.raw)} is {row.state.value}" for row in evidence.rows if row.state is not LetterState.DONE
    )


def _unanswered(evidence: Evidence) -> Iterator[str]:
    """By a mail to whoever wrote it, but for those of which the log says why: the same question had just been answered."""
    answered = {(address, str(mail["In-Reply-To"])) for address, mails in evidence.mails.items() for mail in mails}
    braked = {int(found[1]) for found in _BRAKED.finditer(evidence.log)}
    ids = {_serial_of(row.raw): row.id for row in evidence.rows}
    for letter in evidence.letters:
        is_answered = (letter.member.address, letter.message_id) in answered
        if letter.answered and not is_answered and ids.get(letter.serial) not in braked:
            yield f"letter {letter.serial} ({letter.member.game}, {letter.member.seat}) was never answered"


def _standing_still(evidence: Evidence) -> Iterator[str]:
    for game in evidence.games:
        if game.step < evidence.days - 2:
            yield f"{game.name} has come to its step {game.step} alone in {evidence.days:g} days"


def _too_many(evidence: Evidence) -> Iterator[str]:
    """Those by which there is something to do do not count, nor those of the first day, on which the games begin, nor those of
    the version before."""
    for day, mails in list(mails_by_day(evidence).items())[1:]:
        asking_nothing = [mail for mail in mails if _is_ours(evidence, mail) and not _TO_DO.search(str(mail["Subject"]))]
        if len(asking_nothing) > MOST_A_DAY:
            yield f"{day}: {len(asking_nothing)} mails to the game master by which there is nothing to do"


def _is_ours(evidence: Evidence, mail: EmailMessage) -> bool:
    return evidence.upgraded_at is None or datetime.fromisoformat(str(mail[ARRIVED])) > evidence.upgraded_at
