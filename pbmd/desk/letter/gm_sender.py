"""Whether a letter is the game master's.

A letter counts if it is from the game master's address and shows the token that every mail to the game master about that game
has: it is proof of the same kind, and bound to one game, as that of a seat (`pbmd.desk.letter.sender`). What falls short of
that is a stranger's letter, and treated as any other.

| the game's `trust` | what counts, always from the game master's address |
|---|---|
| ``open`` | the token, or the game's name in the subject as in our mails, unless the game master plays in it, too |
| ``token`` | the token |
| ``strict`` | the token, and the mail server vouches for the address |
"""

from collections.abc import Sequence

from pbmd.desk.books.question_payloads import Subject
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.gm_commands import MASTERS
from pbmd.desk.language.order_words import commands_test
from pbmd.desk.letter.answered_mails import answered_of_gm
from pbmd.desk.letter.opened_letter import Master
from pbmd.desk.letter.sender import named_game, proven_seat
from pbmd.desk.mail.tags import GM_SEAT, gm_tag
from pbmd.ledger.tables import Confirmation, SeatState
from pbmd.post.addresses import folded
from pbmd.post.lines.command_text import NOBODY
from pbmd.post.read.authentication import is_aligned
from pbmd.post.read.letter import Letter, for_seat
from pbmd.post.tags import ranked_tags, token_matches

ABOUT: Subject = "master"
"""The subject of the questions to the game master."""


def master_of(work: Transaction, letter: Letter, questions: Sequence[Confirmation]) -> Master | None:
    """The game that a letter masters, None if it is not certain that the game master sent it."""
    server = work.desk.settings.server
    if not letter.sender or letter.automatic or letter.vacation or letter.sender != folded(server.gm):
        return None
    found = _answering(work, questions) or _by_token(work, letter) or _by_name(work, letter)
    if found is None:
        return None
    strict = found.table.terms.trust == "strict"
    vouched = is_aligned(letter.results, work.desk.settings.mail.authserv_id, letter.sender)
    return found if vouched or not strict else None


def for_master(work: Transaction, master: Master, letter: Letter) -> Letter:
    """The letter without what it copies from the mails that it answers."""
    address = work.desk.settings.server.address
    return for_seat(letter, NOBODY, answered_of_gm(work, master.table, letter), address=address, is_order=_IS_ORDER)


_IS_ORDER = commands_test(MASTERS).is_order


def _answering(work: Transaction, questions: Sequence[Confirmation]) -> Master | None:
    of_games = ((each.game_id, each) for each in questions if each.subject == ABOUT)
    return next((Master(work.table(game_id), question) for game_id, question in of_games if game_id is not None), None)


def _by_token(work: Transaction, letter: Letter) -> Master | None:
    for rank in ranked_tags(letter, work.desk.settings.server.address):
        for tag in rank:
            if tag.seat == GM_SEAT:
                table = work.table_if_any(tag.game)
                if table is not None and token_matches(gm_tag(work, table).token, tag.token):
                    return Master(table)
            elif proven_seat(work, tag, letter.sender):
                return None  # They play, too, and this is their seat's.
    return None


def _by_name(work: Transaction, letter: Letter) -> Master | None:
    name = named_game(letter)
    table = work.table_named(name) if name else None
    if table is None or table.terms.trust != "open":
        return None
    plays = any(seat.address == letter.sender and seat.state is SeatState.ACTIVE for seat in table.seats)
    return None if plays else Master(table, proven=False)
