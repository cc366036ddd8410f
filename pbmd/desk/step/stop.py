"""Stops a game because of a bug."""

from collections.abc import Sequence

from pbmd.desk.books.deadlines import sealed_since
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.deadlines.proof import differences
from pbmd.desk.mail.alarms import may_mail
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import is_queued, tell_gm
from pbmd.ledger.digests import with_found
from pbmd.ledger.entries.master_entries import PausedEntry
from pbmd.ledger.tables import GameStatus
from pbmd.rendering.entry_notices import OF_DEFECT
from pbmd.rules.troubles import BrokenGame, MissingRuleset


def stop_game(work: Transaction, table: OpenGame, trouble: str, letter_id: int | None = None) -> None:
    """Pause a running game and alarm the game master. `trouble` is the kind and place of the error, never its text, which may
    contain secrets; `letter_id` is the letter that could not be handled, None if it was the turn that could not be resolved. If
    the records of the game were altered, that is reported instead."""
    game = table.game
    key = f"defect {table.id} letter {letter_id}"
    if parts := differences(work, table):
        _stop_altered(work, table, parts)
        return
    if game.status is GameStatus.RUNNING:
        key = f"defect {table.id} {halt(work, table)}"
        work.log("defect", table, detail=f"paused: {trouble}")
    elif is_queued(work, key) or not may_mail(work, "letter", game.name):
        return  # tried again in vain, or one of many
    headline = "the game is paused" if game.status is GameStatus.PAUSED else "a letter could not be dealt with"
    template = "defect.txt" if letter_id is None else "defect_of_letter.txt"
    text = render(template, {"game": game, "trouble": trouble, "letter": letter_id})
    tell_gm(work, Draft("alarm", key, subject(table, headline), text), table)


def _stop_altered(work: Transaction, table: OpenGame, parts: Sequence[str]) -> None:
    known = table.altered_words
    found = [part for part in parts if part not in known]
    runs = table.game.status is GameStatus.RUNNING
    if not runs and not may_mail(work, "letter", table.game.name):
        return  # its game has stopped already, and this was reported
    table.game.digests, table.altered = with_found(table.game.digests, found), (*table.altered, *found)
    key = f"defect {table.id} {halt(work, table) if runs else work.now.isoformat()}"
    work.log("altered", table, detail=", ".join(parts))
    text = render("altered.txt", {"game": table.game, "parts": parts})
    tell_gm(work, Draft("alarm", key, subject(table, "the game is stopped"), text), table)


def lacks_rules(table: OpenGame) -> bool:
    """Whether the rules of a game are not on this machine. If several share the ledger, another may have them."""
    try:
        table.must_go_on()
    except BrokenGame as problem:
        return isinstance(problem, MissingRuleset)
    return False


def halt(work: Transaction, table: OpenGame) -> int:
    """Stop the clock of a running game because of a bug, and return the number of the journal's entry about it."""
    game = table.game
    game.status, game.paused_at = GameStatus.PAUSED, work.as_of
    return work.journal(table, PausedEntry(turn=game.turn, reason=OF_DEFECT, sealed=sealed_since(work)))
