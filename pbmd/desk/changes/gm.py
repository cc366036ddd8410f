"""What only the game master does: an announcement, a seat taken away, the end of a game, a new token."""

from dataclasses import dataclass

from pbmd.desk.books.holders import reveal
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.books.votes import end_votes
from pbmd.desk.changes.openings.series import is_open, opening_words
from pbmd.desk.changes.seats import give_up
from pbmd.desk.digest.requests import end_requests
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.notice import Notice, sealed_cause, tell
from pbmd.desk.mail.queue import tell_gm
from pbmd.desk.step.dice_secrets import forget, opened_salts
from pbmd.desk.step.end_questions import end_questions, must_have_begun
from pbmd.desk.step.moves_due import carry_on
from pbmd.desk.step.reporting.press import pass_on_waiting
from pbmd.desk.step.reporting.watchers import tell_watchers
from pbmd.desk.step.substitutes.wishes import end_wishes
from pbmd.ledger.entries.master_entries import AnnouncedEntry, GmTokenEntry
from pbmd.ledger.entries.parts import meanwhile_in
from pbmd.ledger.entries.player_entries import EjectedEntry
from pbmd.ledger.entries.step_entries import ABANDONED, Ending, FinishedEntry
from pbmd.ledger.tables import GameStatus, Seat, SeatState
from pbmd.rendering.entry_notices import ANNOUNCEMENT, notices_of
from pbmd.rendering.notice_sentences import TAKEN_FROM_PLAYER, TAKEN_FROM_YOU, TO_ALL
from pbmd.rules.protocol import Refused
from pbmd.rules.words import listing

TEXT_CHARS = 10_000
"""How long an announcement may be."""


def announce(work: Transaction, table: OpenGame, text: str) -> int:
    """Mail an announcement to everybody who plays; returns how many they are. Raises `Refused` and `AlteredGame`."""
    if not text.strip() or len(text) > TEXT_CHARS:
        raise Refused(f"an announcement has 1 to {TEXT_CHARS} characters, this has {len(text.strip())}")
    table.must_be_as_written()
    readers = [seat for seat in table.seats if seat.state is SeatState.ACTIVE]
    number = work.journal(table, AnnouncedEntry(turn=table.game.turn, text=text, sealed=sealed_cause(work)))
    work.log("announced", table, detail=f"to {len(readers)} players")
    tell(work, table, readers, Notice(f"notice {table.id} {number}", ANNOUNCEMENT, TO_ALL, text, by=""))
    return len(readers)


def eject(work: Transaction, table: OpenGame, seat: Seat, reason: str = "") -> None:
    """The seat's holder no longer plays; the others get a mail. Raises `Refused` and `AlteredGame`."""
    must_have_begun(table)
    table.must_be_as_written()
    if seat.state is not SeatState.ACTIVE:
        raise Refused(f"nobody holds {seat.name} in {table.game.name}")
    entry = EjectedEntry(seat=seat.name, reason=reason, sealed=sealed_cause(work))
    number, (own, for_others) = work.journal(table, entry), notices_of(entry)
    work.log("ejected", table, seat.name, reason)
    key = f"notice {table.id} {number}"
    seat.calendar = False  # so that this mail removes the deadline from it
    tell(work, table, [seat], Notice(key, own.headline, TAKEN_FROM_YOU, reason))
    others = [other for other in table.seats if other is not seat]
    tell(work, table, others, Notice(key, for_others.headline, TAKEN_FROM_PLAYER, reason))
    give_up(work, table, seat, ejected=True)
    # It may have been its turn to move.
    carry_on(work, table, begins=True)


@dataclass(frozen=True, slots=True)
class End:
    """How a game ends without its rules: `words` for the journal and the log, and how the text `goes_on` behind what the entry
    tells the players. `draw` are those who share it, if the players have agreed on one."""

    words: str
    goes_on: str
    draw: tuple[str, ...] = ()


def abandon(work: Transaction, table: OpenGame, reason: str = "") -> None:
    """End the game without a winner; everybody gets a mail. This reveals no secrets. Raises `Refused`."""
    words = ABANDONED + (f": {reason}" if reason else "")
    end_game(work, table, End(words, "without a winner." if table.game.position else "before it began."))


def end_game(work: Transaction, table: OpenGame, end: End) -> None:
    """End the game though its rules go on; everybody gets a mail. This reveals no secrets. Raises `Refused`."""
    game = table.game
    if game.status is GameStatus.FINISHED:
        raise Refused(f"{game.name} is over already")
    end_votes(work, table)
    waiting = meanwhile_in(game.meanwhile) or None
    sealed = Ending(cause=work.cause or None, salts=opened_salts(game.salts), meanwhile=waiting)
    entry = FinishedEntry(
        winners=(), reason=end.words, abandoned=True, draw=end.draw or None, secret=game.secret.hex(), sealed=sealed
    )
    number = work.journal(table, entry)
    work.log("finished", table, detail=end.words)
    players = reveal(work, table) if game.position else ()
    game.status, game.deadline = GameStatus.FINISHED, None
    forget(game)
    game.meanwhile, game.closed_at, game.paused_at, game.opened_at = "[]", None, None, work.now
    for seat in table.seats:
        seat.deadline, seat.settled_at = None, None
        end_questions(work, table, seat)
    end_wishes(work, table)
    end_requests(work, table)
    pass_on_waiting(work, table)
    (told,) = notices_of(entry)
    text = f"{told.words} {end.goes_on}" + (f" Who played: {'; '.join(players)}." if players else "")
    tell(work, table, table.seats, Notice(f"notice {table.id} {number}", told.headline, text, told.reason))
    tell_watchers(work, table, f"notice {table.id} {number}", told.headline, text)


_HOW_OFTEN = {
    "turns": "A digest comes after each turn, and between turns once a day if there is news.",
    "daily": "A digest comes once a day if there is news, and at the end of the game.",
    "off": "No digest comes any more.",
}


def set_digest(work: Transaction, table: OpenGame, when: str) -> str:
    """Set how often the game master gets a digest of the game (the term ``digest``); returns a sentence. Raises `Refused`."""
    if when not in _HOW_OFTEN:
        raise Refused(f'DIGEST takes {listing(_HOW_OFTEN, "or")}, not "{when[:40]}"')
    table.terms = table.terms.model_copy(update={"digest": when})
    table.game.terms = table.terms.model_dump_json()
    work.log("digest", table, detail=when)
    return _HOW_OFTEN[when]


def new_gm_token(work: Transaction, table: OpenGame) -> None:
    """A new token of the game master for this game, which is mailed; replies to older mails stop working."""
    table.game.gm_generation += 1
    number = work.journal(table, GmTokenEntry(sealed=sealed_cause(work)))
    work.log("gm-token", table)
    send_gm_token(work, table, f"gm-token {table.id} {number}")


def send_gm_token(work: Transaction, table: OpenGame, key: str, *, follows: str = "") -> None:
    """A mail to the game master that they can reply to in order to run the game. The game may have opened itself, since the one
    that it `follows` is full."""
    open_ = table.game.status is GameStatus.SIGNUP
    values = {"game": table.game, "title": table.title, "address": work.desk.settings.server.address, "open": open_}
    text = render("gm_token.txt", values | {"follows": follows, "when": opening_words(work, table)})
    soon = "now" if is_open(work, table) else "soon"
    title = f"takes sign-ups {soon}" if follows else "the game master's mail"
    tell_gm(work, Draft("alarm", key, subject(table, title), text), table)
