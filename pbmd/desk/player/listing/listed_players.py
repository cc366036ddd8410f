"""Who has agreed to be listed among the results of games, and under which name.

A name is that of the address that was first listed under it, also after it is listed no more: nobody can take the name of
somebody else. It has letters, digits and little else, so that it is harmless on a page, in a table and on a terminal.
"""

import re
import unicodedata

from sqlalchemy import CursorResult, delete
from sqlmodel import col, select

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.likeness import name_problem
from pbmd.ledger.tables import ListedPlayer, ListingState
from pbmd.post.addresses import folded
from pbmd.rules.protocol import Refused

LONGEST_NAME = 30
_AROUND = " \t\"'“”„<>."
_BESIDE_LETTERS = " .'’-"
_LETTERS = ("L", "M", "N")
_NO_WORD_OF_OTHERS = "another player"
"""Whoever is not listed."""
_BARRED = "the game master has taken your name off the results, and it stays off; write to them if you think that is wrong"


def list_player(work: Transaction, address: str, wish: str, called: str) -> str:
    """List an address under a name, else under the one that it had, else under that which its holder is `called`. Returns the
    name. Raises `Refused`."""
    own, mine = folded(address), _row(work, address)
    if mine is not None and mine.state is ListingState.BARRED:
        raise Refused(_BARRED)
    name = _proper(wish or (mine.name if mine else called))
    if mine is not None and name == mine.name:
        _set_state(work, mine, ListingState.LISTED)
        return name
    others = work.session.exec(select(ListedPlayer.name).where(ListedPlayer.address != own)).all()
    if problem := name_problem(name, [*others, _NO_WORD_OF_OTHERS], work.desk.commands):
        raise Refused(problem)
    if mine is None:
        work.session.add(ListedPlayer(address=own, name=name, since=work.now))
    else:
        mine.name, mine.state = name, ListingState.LISTED
    work.session.flush()
    work.log("listed")
    return name


def end_listing(work: Transaction, address: str) -> None:
    """List an address no more. Nothing is done if it is not listed."""
    mine = _row(work, address)
    if mine is not None and mine.state is ListingState.LISTED:
        _set_state(work, mine, ListingState.ENDED)


def bar_name(work: Transaction, name: str) -> str:
    """Take a name off the results for good, and return the address that it was listed for. Raises `Refused` if nobody is listed
    under it."""
    found = work.session.exec(select(ListedPlayer).where(ListedPlayer.name == name)).first()
    if found is None or found.state is ListingState.BARRED:
        raise Refused(f'nobody is listed as "{name:.60}"')
    _set_state(work, found, ListingState.BARRED)
    return found.address


def forget_listing(work: Transaction, address: str) -> int:
    """Forget that an address was ever listed, and its name; returns whether it was."""
    theirs = delete(ListedPlayer).where(col(ListedPlayer.address) == folded(address))
    done = work.session.connection().execute(theirs)
    assert isinstance(done, CursorResult)
    if done.rowcount:
        work.log("unlisted")
    return done.rowcount


def _row(work: Transaction, address: str) -> ListedPlayer | None:
    return work.session.exec(select(ListedPlayer).where(ListedPlayer.address == folded(address))).first()


def _set_state(work: Transaction, player: ListedPlayer, state: ListingState) -> None:
    if player.state is not state:
        player.state = state
        work.session.flush()
        work.log("listed" if state is ListingState.LISTED else "unlisted")


def _proper(wish: str) -> str:
    """The name that somebody wants. Raises `Refused`."""
    name = unicodedata.normalize("NFC", re.sub(r"\s+", " ", wish)).strip(_AROUND)
    if not name:
        raise Refused("say under which name: LIST ME AS and the name")
    if len(name) > LONGEST_NAME:
        raise Refused(f"a name has at most {LONGEST_NAME} characters")
    if any(unicodedata.category(char)[0] not in _LETTERS and char not in _BESIDE_LETTERS for char in name):
        raise Refused("a name has letters, digits, blanks, hyphens, apostrophes and full stops")
    if not name[0].isalnum():
        raise Refused("a name begins with a letter or a digit")
    return name
