"""Which mails belong to one journal: two games can have one name, at two hosts, or at one where a game was started anew from an
archive.

Mails belong to one journal if they share what no two journals have: a dice secret or the promise of it, a whole head, the token
of a seat, or the name of the log in a signed checkpoint. So a host who goes on under another name, or from another address,
with one of two players is seen to have gone on with the same game. What a mail says about itself does not separate it from the
others, with one exception: where a mail says that the game was started anew from an archive, the tokens of seats and the name
of the log join nothing, since at one host both journals can have them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from pbmd.archive.evidence.claims import Claims
from pbmd.archive.evidence.mail_patterns import COMMITMENT, HEAD, OLD_HEAD, SECRET
from pbmd.archive.format.books import Books
from pbmd.archive.format.salts import commitment_to
from pbmd.notes.checkpoint import OF_REPORTS

_WHOLE = 64
"""From this many digits on, a head is more than just the beginning of one."""


class Mark(NamedTuple):
    """What only one journal has."""

    what: str
    value: str


_LOG, _DICE, _HEAD, _TOKEN, _NAMED = "log", "dice", "head", "token", "named"
_ALWAYS = frozenset({_DICE, _HEAD})
"""What joins even where a game was started anew from an archive."""
_Node = tuple[str, object]
"""The name of a game, and the place of a mail, or a mark."""
BOOKS = -1
"""The place of the books among the mails."""


class Journals(NamedTuple):
    """Which journal of a game each mail belongs to, by the place of the mail and the name of the game."""

    found: Mapping[tuple[int, str], int]

    def of(self, place: int, game: str) -> int | None:
        """The journal; None if it cannot be decided, because several have that name."""
        return self.found.get((place, game))

    def others(self, game: str) -> frozenset[int]:
        """The places of mails that belong to another journal than the books, if the books have mails of their own among
        them."""
        books = self.of(BOOKS, game)
        own = {place: journal for (place, name), journal in self.found.items() if place != BOOKS and name == game}
        has_mails = books in own.values()
        return frozenset(place for place, journal in own.items() if has_mails and journal != books)


def journals_of(mails: Sequence[Claims], books: Books | None = None) -> Journals:
    """The journals of all games in some mails, and in books."""
    marks = [*_all_marks(mails, books)]
    anew = {each.game for claims in mails for each in claims.statements if each.first(OLD_HEAD)}
    joined, several = _Joined(), _of_several_logs(marks)
    of_games = defaultdict[str, list[tuple[int, Mark]]](list)
    for place, game, mark in marks:
        joins = mark.what in _ALWAYS or (mark.what != _NAMED and game not in anew and (game, mark) not in several)
        joined.join((game, place), (game, mark) if joins else (game, place))
        of_games[game].append((place, mark))
    for game in of_games.keys() - anew:
        _join_by_domain(joined, game, of_games[game])
    return Journals(_numbered(joined, marks, {place: claims.dated for place, claims in enumerate(mails) if claims.dated}))


def _all_marks(mails: Sequence[Claims], books: Books | None) -> Iterator[tuple[int, str, Mark]]:
    yield from ((place, game, mark) for place, claims in enumerate(mails) for game, mark in _marks(claims))
    if books is not None:
        yield from ((BOOKS, game, mark) for game in sorted(books.names) for mark in _marks_of_books(books))


def _of_several_logs(marks: Sequence[tuple[int, str, Mark]]) -> set[tuple[str, Mark]]:
    """The tokens that mails of several logs have: a game that was begun again under its name has the tokens of before."""
    logs = {(place, game): mark.value for place, game, mark in marks if mark.what == _LOG}
    found = defaultdict[tuple[str, Mark], set[str]](set)
    for place, game, mark in marks:
        if mark.what == _TOKEN and (place, game) in logs:
            found[game, mark].add(logs[place, game])
    return {mark for mark, of in found.items() if len(of) > 1}


def _numbered(
    joined: "_Joined", marks: Sequence[tuple[int, str, Mark]], dates: Mapping[int, datetime]
) -> dict[tuple[int, str], int]:
    """The journals of each game, counted in the order of the mails. A mail without a mark goes to the only journal there is, or
    to that of the last mail before it."""
    numbers, found = defaultdict[str, dict[_Node, int]](dict), dict[tuple[int, str], int]()
    marked = {(place, game): None for place, game, mark in marks if mark.what in (*_ALWAYS, _LOG)}
    for place, game in marked:
        journal = joined.of((game, place))
        found[place, game] = numbers[game].setdefault(journal, len(numbers[game]))
    for place, game, _ in marks:
        if (place, game) not in found and len(numbers[game]) <= 1:
            found[place, game] = 0
        elif (place, game) not in found and place in dates:
            before = [
                (dates[each], each) for each, of in marked if of == game and each in dates and dates[each] <= dates[place]
            ]
            found |= {(place, game): found[max(before)[1], game]} if before else {}
    return found


def _join_by_domain(joined: "_Joined", game: str, marks: Sequence[tuple[int, Mark]]) -> None:
    """Mails that no checkpoint joins belong to the one journal with that name at their host, if there is only one; and those
    that do not name the host, to the only journal with that name."""
    logs = {joined.of((game, place)): mark.value.partition("/")[0] for place, mark in marks if mark.what == _LOG}
    named = [(place, mark) for place, mark in marks if mark.what == _NAMED]
    at_hosts = defaultdict[str, list[_Node]](list)
    for log, domain in logs.items():
        at_hosts[domain].append(log)
    for place, mark in named:
        at_host = at_hosts[mark.value]
        if mark.value and joined.of((game, place)) not in logs and len(at_host) <= 1:
            joined.join((game, place), next(iter(at_host), (game, mark)))
    hosts = {joined.of((game, place)) for place, mark in named if mark.value} | {*logs}
    for place, mark in named if len(hosts) <= 1 else ():
        joined.join((game, place), next(iter(hosts), (game, mark)))


def _marks(claims: Claims) -> Iterator[tuple[str, Mark]]:
    """The marks that a mail has, for each game."""
    own = claims.own
    for game in claims.games:
        yield game, Mark(_NAMED, own.domain if own else "")
        if own and own.token:
            yield game, Mark(_TOKEN, f"{own.token}@{own.domain}")
    for found in claims.checkpoints:
        said = found.checkpoint
        yield said.game, Mark(_LOG, said.origin.removesuffix(OF_REPORTS))
        yield said.game, Mark(_HEAD, said.head)
    for statement in claims.statements:
        for said in statement.values if statement.game else ():
            if said.what == SECRET:
                yield statement.game, Mark(_DICE, commitment_to(said.value) or "")
            elif said.what == COMMITMENT:
                yield statement.game, Mark(_DICE, said.value)
            elif said.what == HEAD and len(said.value) == _WHOLE:
                yield statement.game, Mark(_HEAD, said.value)


def _marks_of_books(books: Books) -> Iterator[Mark]:
    yield Mark(_NAMED, "")
    if name := books.key.partition("+")[0]:
        yield Mark(_LOG, name)
    yield from (Mark(_HEAD, head) for head in books.heads)
    yield from (Mark(_DICE, promise.value) for promise in books.promises)
    yield from (Mark(_DICE, told) for secret in books.secrets if (told := commitment_to(secret.value)))


class _Joined:
    """Sets that are joined by what they share."""

    def __init__(self) -> None:
        self._parents = dict[_Node, _Node]()

    def of(self, node: _Node) -> _Node:
        """The representative of everything that is joined to a node."""
        while (parent := self._parents.setdefault(node, node)) != node:
            self._parents[node] = self._parents[parent]
            node = parent
        return node

    def join(self, one: _Node, other: _Node) -> None:
        """Merge two sets."""
        self._parents[self.of(one)] = self.of(other)
