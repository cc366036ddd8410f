"""Secret tokens in what people write: none is passed on to anybody.

Whatever a person writes may come to be read by others: press, reasons, names, announcements, orders; in mails, the log, the
journal, pages and archives. So each token in it is blanked (`pbmd.post.blank`) before anything is done with it, in one of
two places: a letter when it is opened (`pbmd.desk.letter.opening`), what is typed on the command line by
`pbmd.cli.changes.for_players`.

What is written like a tag (``g12p3.…``, ``c17.…``) is blanked whatever it is worth. A token without its numbers is only known
by looking for it, so those are looked for that can be at hand: the tokens of all who play in the game and of the writer, in all
their games, the game master's, the codes of questions that are open, and those of whatever seats and questions the text has
the numbers of. That what is worth nothing stays as it is helps nobody who guesses (see `_PART`). Who masters very many games
has those of the newest at hand, see `_MOST_GAMES`.

Names with a token are refused.
"""

import re
from collections.abc import Iterable, Iterator

from sqlalchemy import and_, bindparam, or_, select, union
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.tags import GM_SEAT
from pbmd.ledger.tables import Confirmation, ConfirmationState, Game, Seat
from pbmd.post.addresses import folded
from pbmd.post.blank import Blanker, readings
from pbmd.post.tags import make_code, make_page_token, make_token, make_visitor_code
from pbmd.rules.protocol import Refused

BLANKED = (
    "There was a secret token in your words; an x stands for each of its letters and digits now. Whoever has it can act for "
    "its seat, so leave such lines and addresses out of what others read. If anybody may have seen it, send NEW TOKEN."
)
"""What the writer of a text with a token is told."""
IN_NAMES = "there is a secret token in it, which others would read; write it without"
"""Why a name is refused: one that is blanked would be worth nothing to its holder."""
_AT_HAND = union(select(col(Seat.address)).where(col(Seat.game_id) == bindparam("game")), select(bindparam("writer")))
# Made once: putting a statement together takes longer than the ledger takes to answer.
_HELD = select(col(Seat.game_id), col(Seat.number), col(Seat.token_generation))
_SEATS = _HELD.where(col(Seat.address).in_(_AT_HAND))
_QUESTIONS = select(col(Confirmation.id)).where(
    col(Confirmation.state) == ConfirmationState.OPEN,
    col(Confirmation.seat_id).in_(select(col(Seat.id)).where(col(Seat.address).in_(_AT_HAND))),
)
_MOST_GAMES = 200
"""The game master's tokens of so many games, the newest, are looked for in what they write: that takes a millisecond, and no
longer on a host of a hundred thousand games. A token of another game is only known with its numbers."""
_GAMES = select(col(Game.id), col(Game.gm_generation))
_THIS_GAME = _GAMES.where(col(Game.id) == bindparam("game"))
_NEWEST_GAMES = _GAMES.order_by(col(Game.id).desc()).limit(_MOST_GAMES)
_OF_TAG, _OF_CODE = re.compile(r"g(\d{1,9})p(\d{1,6})"), re.compile(r"c(\d{1,9})")
_LIKE_ONE = re.compile(r"[A-Za-z2-7]{16}")
_PART = 10
"""So many characters of a token in their order are blanked like the whole: the rest may be in a line that is not passed on.
With nine of them 35 bits are left to guess, too many; and to find ten by guessing what is blanked takes some 10^13 tries."""
_MOST_NAMED = 20
"""So many numbers of seats, and of questions, are looked up for one text: each costs."""


# --- The tokens that are looked for -----------------------------------------------------------------------------------------


def tokens_of(work: Transaction, seat: Seat) -> list[str]:
    """The tokens of the seat and of its pages that are looked for in letters."""
    return list(tokens_known(work, seat.game_id, seat.number, seat.token_generation))


_MOST_KNOWN = 10
"""So many tokens of a seat are known again, that which holds and those before it: an older one is worth nothing, and the work
that a letter makes must not grow with how often somebody has asked for another."""


def generations_known(last: int) -> range:
    """Those of a seat's tokens that are known again, from the newest one on."""
    return range(max(last - _MOST_KNOWN, 0) + 1, last + 1)


def tokens_known(work: Transaction, game: int, number: int, last: int) -> Iterator[str]:
    """The tokens of a seat that are known again, and of its pages; `last` is the generation that holds. Of the game master's,
    whose number is 0, there are no pages."""
    for generation in generations_known(last):
        yield make_token(work.desk.key, game, number, generation)
        if number != GM_SEAT:
            yield make_page_token(work.desk.key, game, number, generation)


# --- Blanking them ----------------------------------------------------------------------------------------------------------


def blanker_for(work: Transaction, table: OpenGame | None, writer: str, text: str) -> Blanker:
    """What blanks the tokens that can be in a text of somebody at this address, who writes about this game, if any."""
    return _blanker((*tokens_at_hand(work, table.id if table else None, writer), *_named(work, text)))


def blanker_for_orders(work: Transaction, table: OpenGame, writer: str, text: str) -> Blanker:
    """The same for a text that is nothing but orders. Most letters are, so the ledger is only asked for the tokens of other
    games if there is anything in it that could be one."""
    if _LIKE_ONE.search(text):
        return blanker_for(work, table, writer, text)
    of_game = [token for seat in table.seats for token in tokens_known(work, table.id, seat.number, seat.token_generation)]
    return _blanker((*of_game, *tokens_known(work, table.id, GM_SEAT, table.game.gm_generation), *_named(work, text)))


def _blanker(tokens: Iterable[str]) -> Blanker:
    return Blanker(tokens, part=_PART)


def tokens_at_hand(work: Transaction, game_id: int | None, writer: str) -> Iterator[str]:
    """The tokens of all who play in the game and of the writer, in all their games, those too that ended last; those of the
    game master for the game, and if they are the writer, for the newest games; the codes of open questions, and that of the
    writer's address."""
    whose = {"game": game_id, "writer": folded(writer)}
    ledger = work.session.connection()
    for game, number, last in ledger.execute(_SEATS, whose).all():
        yield from tokens_known(work, game, number, last)
    for question in ledger.execute(_QUESTIONS, whose).scalars().all():
        yield make_code(work.desk.key, question or 0).secret
    yield make_visitor_code(work.desk.key, writer).secret
    is_gm = folded(writer) == folded(work.desk.settings.server.gm)
    games = (_THIS_GAME, _NEWEST_GAMES) if is_gm else (_THIS_GAME,)
    mastered = {game: last for statement in games for game, last in ledger.execute(statement, whose).all()}
    for game, last in mastered.items():
        yield from tokens_known(work, game or 0, GM_SEAT, last)


def passed_on(work: Transaction, table: OpenGame | None, text: str) -> str:
    """A text that did not come by mail, as others may read it."""
    return blanker_for(work, table, work.desk.settings.server.gm, text).written(text)


def must_have_no_token(work: Transaction, table: OpenGame | None, names: Iterable[str]) -> None:
    """Raises `Refused` if one of these names, or all together, show a token: they are read by all, and for long."""
    text = "\n".join(names)
    if len(text) >= _PART and passed_on(work, table, text) != text:
        raise Refused(f"this name cannot be taken: {IN_NAMES}")


def _named(work: Transaction, text: str) -> Iterator[str]:
    """The tokens of the seats, and the codes of the questions, that the text has the numbers of."""
    seats: set[tuple[int, int]] = set()
    questions: set[int] = set()
    for letters in readings(text):
        # A token may begin with a digit, so that nothing shows where the number before it ends.
        seats |= {(int(game), place) for game, number in _OF_TAG.findall(letters)[:_MOST_NAMED] for place in _begins(number)}
        questions |= {place for number in _OF_CODE.findall(letters)[:_MOST_NAMED] for place in _begins(number)}
    if seats:
        yield from _of_seats(work, seats)
    for question in questions:
        yield make_code(work.desk.key, question).secret


def _begins(digits: str) -> list[int]:
    return [int(digits[:length]) for length in range(1, len(digits) + 1)]


def _of_seats(work: Transaction, seats: Iterable[tuple[int, int]]) -> Iterator[str]:
    named = (and_(col(Seat.game_id) == game, col(Seat.number) == number) for game, number in seats)
    ledger = work.session.connection()
    for game, number, last in ledger.execute(_HELD.where(or_(*named))).all():
        yield from tokens_known(work, game, number, last)
    for game, last in ledger.execute(_GAMES.where(col(Game.id).in_({game for game, _ in seats}))).all():
        yield from tokens_known(work, game or 0, GM_SEAT, last)
