"""The table of the kinds of entries that the journal has, and how any of them is read.

Each class is called as its kind, and what its docstring and the descriptions of its keys say is what `FORMAT.md` says of it to
whoever reads an archive. A kind that is not here can come from a later version, by an archive of its games: it is kept as it
is, and nothing of it is for anybody but the game master.
"""

from collections.abc import Mapping

from pbmd.ledger.entries.codec import Document, Entry, Part, content, read_as
from pbmd.ledger.entries.master_entries import (
    AnnouncedEntry,
    ClosedEntry,
    DeadlineEntry,
    DecidedEntry,
    ExtendedEntry,
    GmTokenEntry,
    PausedEntry,
    PeekedEntry,
    PutOffEntry,
    QuietEntry,
    ResumedEntry,
    RuledEntry,
    SetEntry,
    ShiftedEntry,
)
from pbmd.ledger.entries.player_entries import (
    AbsentEntry,
    AddressEntry,
    CancelledEntry,
    DisputedEntry,
    EjectedEntry,
    HolderEntry,
    OfferedEntry,
    OrdersEntry,
    PresentEntry,
    PressEntry,
    ReadyEntry,
    ResignedEntry,
    TimezoneEntry,
    TokenEntry,
    WaitEntry,
)
from pbmd.ledger.entries.reveal_entries import RevealedEntry
from pbmd.ledger.entries.seating_entries import PreferredEntry, SeatedEntry, SignedUpEntry
from pbmd.ledger.entries.sleep_entries import AsleepEntry, AwakeEntry
from pbmd.ledger.entries.step_entries import (
    CreatedEntry,
    FinishedEntry,
    ImportedEntry,
    JoinedEntry,
    MissedEntry,
    ResolvedEntry,
    RestoredEntry,
    RolledBackEntry,
    StartedEntry,
    ToldEntry,
)
from pbmd.ledger.entries.vote_entries import BallotEntry, ProposedEntry, VotedEntry, VotesEntry


@content
class UnlistedEntry(Entry):
    """An entry of a kind that this version does not know, as it is."""

    kind = "unlisted"

    name: str
    public: Document
    secret: Document | None
    sealed: Part | None = None


KINDS: Mapping[str, type[Entry]] = {
    of.kind: of
    for of in (
        CreatedEntry,
        SignedUpEntry,
        PreferredEntry,
        SeatedEntry,
        JoinedEntry,
        StartedEntry,
        ImportedEntry,
        OrdersEntry,
        CancelledEntry,
        WaitEntry,
        ReadyEntry,
        PressEntry,
        DisputedEntry,
        AbsentEntry,
        PresentEntry,
        ResignedEntry,
        TokenEntry,
        AddressEntry,
        HolderEntry,
        TimezoneEntry,
        OfferedEntry,
        EjectedEntry,
        AsleepEntry,
        AwakeEntry,
        ProposedEntry,
        BallotEntry,
        VotedEntry,
        VotesEntry,
        ExtendedEntry,
        PutOffEntry,
        ShiftedEntry,
        QuietEntry,
        PausedEntry,
        ResumedEntry,
        ClosedEntry,
        DeadlineEntry,
        DecidedEntry,
        RuledEntry,
        AnnouncedEntry,
        PeekedEntry,
        GmTokenEntry,
        SetEntry,
        ToldEntry,
        MissedEntry,
        ResolvedEntry,
        RolledBackEntry,
        RestoredEntry,
        RevealedEntry,
        FinishedEntry,
    )
}
"""All of them; the desk can write no other."""


def read(kind: str, public: Document, secret: Document | None) -> Entry:
    """What an entry says; `secret` is None where it is not shown, and empty where there is none. Raises `MalformedEntry`."""
    of = KINDS.get(kind)
    return UnlistedEntry(name=kind, public=public, secret=secret) if of is None else read_as(of, public, secret)


def turn_of(entry: Entry | None) -> int | None:
    """The turn that the public part of an entry names, None if it names none."""
    return getattr(entry, "turn", None)
