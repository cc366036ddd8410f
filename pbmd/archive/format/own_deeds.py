"""What players did besides sending orders, as entries show it: each is done by a letter, and has an answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbmd.archive.format.salts import Shown
from pbmd.ledger.entries import kinds
from pbmd.ledger.entries.codec import Entry
from pbmd.ledger.entries.player_entries import UNTIL_ORDERS


@dataclass(frozen=True, slots=True)
class Deed:
    """What a seat did, in words, and the entry of it; `said` is what two such deeds have otherwise that are not the same."""

    entry: int
    seat: str
    words: str
    said: str = ""


def deeds_in(entries: Sequence[Shown]) -> list[Deed]:
    """The deeds of seats that entries show."""
    shown = [(number, entry) for number, (_, entry) in enumerate(entries, 1) if entry is not None]
    # A player whom the game master ejects has resigned, too, as the entries have it.
    ejected = {(number, entry.seat) for number, entry in shown if isinstance(entry, kinds.EjectedEntry)}
    return [
        Deed(number, seat, words, said)
        for number, entry in shown
        for seat, words, said in _deeds(entry)
        if not (isinstance(entry, kinds.ResignedEntry) and {(number - 1, seat), (number + 1, seat)} & ejected)
    ]


def _deeds(entry: Entry) -> Iterator[tuple[str, str, str]]:
    match entry:
        case kinds.BallotEntry(sealed=paper) if paper is not None:
            yield paper.seat, f"a ballot in vote {entry.vote}", paper.answer
        case kinds.ProposedEntry(sealed=voter) if voter is not None:
            yield voter.seat, f"the proposal of vote {entry.vote}", ""
        case kinds.PressEntry(sealed=message) if message is not None:
            yield message.writer, "press", f"{', '.join(message.to)}: {message.text}"
        case kinds.CancelledEntry(sealed=of) if of is not None:
            yield of.seat, "orders taken back", ""
        case kinds.ReadyEntry(sealed=end) if end is not None:
            yield end.seat, "READY", ""
        case kinds.WaitEntry(sealed=end) if end is not None and end.until != UNTIL_ORDERS:
            yield end.seat, "WAIT", ""
        case kinds.ExtendedEntry(by=who):
            yield who, "more time", str(entry.minutes)
        case kinds.ResignedEntry(seat=seat):
            yield seat, "a resignation", ""
        case _:
            pass
