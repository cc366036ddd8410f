"""The books of a game, against which a mail is checked, as far as its journal says what is in them. They come from an archive,
which may be anybody's, or from the ledger (`pbmd.archive.format.book_sources`)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from pbmd.archive.format.audience import entry_for_audience
from pbmd.archive.format.entries import Entry
from pbmd.archive.format.late_steps import late_steps
from pbmd.archive.format.orders_on_file import OrdersOnFile
from pbmd.archive.format.own_deeds import Deed, deeds_in
from pbmd.archive.format.press_and_deadlines import (
    Due,
    KeptNotice,
    KeptPress,
    deadlines_by_entry,
    deadlines_in,
    notices_in,
    press_in,
)
from pbmd.archive.format.salts import OPENS_SALTS, Shown, commitment_to, opened_salts
from pbmd.ledger.ballots import OF_VOTES, Poll, poll_of
from pbmd.ledger.entries.codec import E
from pbmd.ledger.entries.codec import Entry as Content
from pbmd.ledger.entries.kinds import turn_of
from pbmd.ledger.entries.parts import Orders
from pbmd.ledger.entries.player_entries import AddressEntry, EjectedEntry, HolderEntry, ResignedEntry
from pbmd.ledger.entries.reveal_entries import RevealedEntry, who_played
from pbmd.ledger.entries.step_entries import CreatedEntry, ImportedEntry, ResolvedEntry, StartedEntry, kept_back_in
from pbmd.ledger.entries.vote_entries import BallotEntry, ProposedEntry, VotedEntry
from pbmd.ledger.tables import step_words
from pbmd.rendering.vote_words import ballots_words


@dataclass(frozen=True, slots=True)
class ShownSecret:
    """A dice secret or a commitment to one: the entry that shows it, and the names of the steps that it belongs to, none if the
    books do not say; `told` says what it is."""

    entry: int
    value: str
    of: frozenset[str]
    told: str


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A report on a step: for which seat, empty if it is the public one; what the step is called, its dice secret and the
    commitment that was shown with it; for the beginning only the commitment. `text` and `page` are the report and its page."""

    seat: str
    of: str
    secret: str
    commitment: str
    text: Callable[[], str]
    page: Callable[[], str]


class VoteOver(NamedTuple):
    """How a vote ended, and by which `ballots`, in the words in which mails tell of these: empty if nobody is told, None if not
    all are shown."""

    entry: VotedEntry
    ballots: str | None


@dataclass(frozen=True)
class Books:
    """What is known of a game. `kinds` are the kinds of all entries of its journal and the turns they are about, the first at
    0, `hashes` their hashes (empty where they are not shown) and `times` when they were written; `heads`: hash → number of the
    entry. `secrets` and `promises` are those of the dice. `broken` says how the books contradict themselves, and `where` in
    which file and line of an archive; `told_by` names the source that says how orders were understood and what became of them,
    if that is somebody else. With `open_end` the game may have gone on where these end. `withheld` are the entries at which the
    chain begins anew, and `blanked` those whose secret part is not what was sealed: an archive can have such entries, and so
    can a forged one. `unseen` says why there may be orders whose digest is not shown here, empty if there are none.
    `first_name` is the name that the game had when it was created: one that was imported may have another. `unopened` are the
    entries that open or promise dice and do not show which. `before` are the head and number of the last entry of the journal
    that this one continues. `no_reports` says why no report can be compared, empty if those that are there can; `seats` are the
    names of all seats. `arrivals` are those of the orders that an entry holds, where the entry itself is the only source for
    them. `salts`: salt, in hex → what it is; with `sealed` there are others. `press` is what entries show, and all of it unless
    more of it is `unshown`. `key` is the one that the end of an archive's journal is signed with, if it says so. `passed_on`:
    seat → the entries since which it has had another holder or address, and whether it has had one. `numbers`: number of a
    seat → its name. `notices` are the mails that entries make, and `letters` the letters with orders that they hold, each
    with the number of its entry. `due` are the deadlines that run after each entry, and `deeds` what players did besides
    sending orders. `ballots` are those that are shown: whose, in which vote, and what; `votes_over`: entry → how a vote ended
    with it. `is_silent`: nobody is told who has
    sent, so receipts have no numbers. `late` are steps that waited though all was in, and `gone_on` are number and hash of the
    entry of the journal before this one after which the game went on, and the turn that was played next. `revealed`: entry →
    the lines by which an anonymous game said then who had played it; it does so each time it is over."""

    game: str
    kinds: Sequence[tuple[str, int | None]]
    heads: dict[str, int]
    secrets: Sequence[ShownSecret]
    promises: Sequence[ShownSecret]
    orders: Sequence[OrdersOnFile]
    hashes: Sequence[str] = ()
    times: Sequence[datetime] = ()
    broken: str = ""
    where: tuple[str, int] = ("", 0)
    open_end: bool = False
    told_by: str = ""
    withheld: Sequence[int] = ()
    blanked: frozenset[int] = frozenset()
    unseen: str = ""
    first_name: str = ""
    unopened: Sequence[int] = ()
    before: tuple[str, int] = ("", 0)
    reports: Sequence[KeptReport] = ()
    no_reports: str = ""
    seats: frozenset[str] = frozenset()
    arrivals: Mapping[int, datetime] = field(default_factory=dict[int, datetime])
    salts: Mapping[str, str] = field(default_factory=dict[str, str])
    sealed: bool = False
    press: Sequence[KeptPress] = ()
    unshown: bool = False
    deadlines: frozenset[datetime] = frozenset()
    due: Sequence[Due] = ()
    deeds: Sequence[Deed] = ()
    notices: Sequence[KeptNotice] = ()
    letters: Sequence[tuple[int, Orders]] = ()
    is_silent: bool = False
    ballots: frozenset[tuple[str, int, str]] = frozenset()
    votes_over: Mapping[int, VoteOver] = field(default_factory=dict[int, "VoteOver"])
    late: Sequence[tuple[int, str]] = ()
    gone_on: tuple[int, str, int] = (0, "", 0)
    numbers: Mapping[str, str] = field(default_factory=dict[str, str])
    key: str = ""
    passed_on: Mapping[str, Sequence[tuple[int, bool]]] = field(default_factory=dict[str, Sequence[tuple[int, bool]]])
    revealed: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])

    def could_vote(self, begun: str) -> int | None:
        """How many could vote when the vote was over that this notice tells of; None if that is not known."""
        return next((len(each.voters) for each, _ in self.votes_over.values() if f"vote {each.vote} has begun" == begun), None)

    @property
    def names(self) -> frozenset[str]:
        """The names under which mails may know the game."""
        return frozenset({self.game, self.first_name} - {""})

    @property
    def first_promise(self) -> str:
        """The commitment in the first reports."""
        opening = (shown for shown in self.promises if self.kinds[shown.entry - 1][0] in _FIRST)
        return next((shown.value for shown in opening), "")

    def kind_at(self, entry: int) -> str:
        """The kind of an entry; empty if there is no such entry."""
        return self.kinds[entry - 1][0] if 0 < entry <= len(self.kinds) else ""

    def who_played(self, finished: int) -> tuple[str, ...]:
        """Who played an anonymous game that was over with that entry; none for other games."""
        return self.revealed.get(finished + 1, ())


_FIRST = (StartedEntry.kind, ImportedEntry.kind)
OPENS_DICE = {
    CreatedEntry.kind: "the sign-up began",
    StartedEntry.kind: "the set-up",
    ImportedEntry.kind: "the beginning here",
    **OPENS_SALTS,
}
"""The entries that open or promise dice, and which dice."""


def books_of_entries(
    game: str, entries: Sequence[Entry], orders: Sequence[OrdersOnFile], broken: str, *, open_end: bool = False
) -> Books:
    """The books of a game as its entries tell them; nothing but the chain if they are `broken`."""
    shown = _shown(entries)
    contents = [content for _, content in shown]
    created, gone_on = _first(CreatedEntry, contents), _first(ImportedEntry, contents)
    old = gone_on.archive if gone_on else None
    secrets, promises = _dice(contents)
    books = Books(
        game=game,
        kinds=[(entry.kind, turn_of(content)) for entry, content in zip(entries, contents, strict=True)],
        heads={entry.hash: number for number, entry in enumerate(entries, start=1) if entry.hash},
        secrets=secrets,
        promises=promises,
        orders=orders,
        hashes=[entry.hash for entry in entries],
        times=[entry.at for entry in entries],
        broken=broken,
        open_end=open_end,
        first_name=created.game if created else "",
        before=(old.head, old.entries) if old else ("", 0),
        gone_on=(old.entry.number, old.entry.hash, gone_on.turn) if old and gone_on else (0, "", 0),
    )
    return books if broken else _with_contents(books, shown)


def _first(kind: type[E], contents: Iterable[Content | None]) -> E | None:
    return next((content for content in contents if isinstance(content, kind)), None)


def _with_contents(books: Books, entries: Sequence[Shown]) -> Books:
    """The books with what entries say: salts, press, deadlines, votes, and who has held a seat since when."""
    try:
        salts, sealed = opened_salts(entries)
    except ValueError:
        return replace(books, broken="an entry that opens salts has not what such an entry has")
    press, unshown = press_in(entries)
    told = [(number, content) for number, (_, content) in enumerate(entries, 1) if content]
    papers = ((each.vote, each.sealed) for _, each in told if isinstance(each, BallotEntry))
    return replace(
        books,
        salts=salts,
        sealed=sealed,
        letters=[
            (number, each)
            for number, content in told
            for each in (content.sealed, *kept_back_in(content))
            if isinstance(each, Orders)
        ],
        is_silent=any(isinstance(each, CreatedEntry) and each.terms.get("who_has_sent") == "nothing" for _, each in told),
        ballots=frozenset((paper.seat, vote, paper.answer) for vote, paper in papers if paper is not None),
        votes_over=_votes_over(entries),
        late=[*late_steps(entries, books.times)],
        press=press,
        unshown=unshown,
        deadlines=deadlines_in(entries),
        due=deadlines_by_entry(entries),
        deeds=deeds_in(entries),
        notices=notices_in(entries),
        passed_on=_passed_on(told),
        revealed={number: who_played(each.players) for number, each in told if isinstance(each, RevealedEntry)},
    )


def _votes_over(entries: Iterable[Shown]) -> Mapping[int, VoteOver]:
    polls, found = dict[int, Poll](), dict[int, VoteOver]()
    for number, (_, entry) in enumerate(entries, start=1):
        with suppress(ValueError):  # in archives of anybody; `pbmd verify` reports it
            if entry is None:  # it may be a ballot in any of them
                polls.clear()
            elif isinstance(entry, ProposedEntry):
                polls[entry.vote] = poll_of([entry])
            elif isinstance(entry, OF_VOTES):
                for poll in polls.values():
                    poll.take(entry)
        if isinstance(entry, VotedEntry):
            poll = polls.pop(entry.vote, None)
            found[number] = VoteOver(entry, ballots_words(poll, entry.voters) if poll and not poll.hidden else None)
    return found


def _passed_on(entries: Iterable[tuple[int, Content]]) -> Mapping[str, Sequence[tuple[int, bool]]]:
    """The entries since which seats have had another holder or address, and whether they have had one."""
    found = defaultdict[str, list[tuple[int, bool]]](list)
    for number, content in entries:
        if isinstance(content, HolderEntry | EjectedEntry | ResignedEntry):
            found[content.seat].append((number, isinstance(content, HolderEntry)))
        elif isinstance(content, AddressEntry) and content.sealed:
            found[content.sealed.seat].append((number, True))
    return found


def _shown(entries: Iterable[Entry]) -> list[Shown]:
    """What entries say, as far as they are shown. One that has not what its kind has says what no type has."""
    parts = ((entry.kind, entry.public, entry.secret) for entry in entries)
    return [(kind, None if public is None else entry_for_audience(kind, public, secret)) for kind, public, secret in parts]


def _dice(entries: Sequence[Content | None]) -> tuple[list[ShownSecret], list[ShownSecret]]:
    """The secrets and the commitments that the entries show, each where it is first. A commitment is to the secret of the steps
    that were resolved with it: where several moves were resolved together, these are several."""
    steps: dict[str, set[str]] = {}
    for entry in entries:
        if isinstance(entry, ResolvedEntry):
            steps.setdefault(entry.secret, set()).add(step_words(entry.turn, entry.name or ""))
    kept = {commitment_to(secret): words for secret, words in steps.items()}
    secrets, promises = dict[str, ShownSecret](), dict[str, ShownSecret]()
    for number, entry in enumerate(entries, start=1):
        if entry is None or entry.kind not in OPENS_DICE:
            continue
        what = OPENS_DICE[entry.kind].format(turn=turn_of(entry))
        secret, promise = getattr(entry, "secret", None) or "", getattr(entry, "commitment", None) or ""
        if secret:
            of = frozenset(steps[secret] if isinstance(entry, ResolvedEntry) else ())
            secrets.setdefault(secret, ShownSecret(number, secret, of, f"the dice secret of {what}"))
        if promise:
            told = f"the commitment to the dice that came after {what}"
            promises.setdefault(promise, ShownSecret(number, promise, frozenset(kept.get(promise, ())), told))
    return list(secrets.values()), list(promises.values())
