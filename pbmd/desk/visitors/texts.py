"""What people without a seat are told: which games there are, how playing by mail goes, and the rules of a game."""

from collections.abc import Callable, Mapping

from pbmd.desk.books.recent_answers import digest
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mail.draft import Draft, render, subject_before
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.mail.rate_limits import asked
from pbmd.desk.visitors.code_shown import has_proof, proof_for
from pbmd.desk.visitors.listing import listing, public_games
from pbmd.rendering.handbook import handbook_html, handbook_text

Told = tuple[str, str]
"""The subject of an answer, and its text."""


def tell_games(work: Transaction, _arrived: Arrived, _command: Command) -> Told:
    """LIST: the same to everybody."""
    return "games", listing(work)


def tell_how(work: Transaction, _arrived: Arrived, _command: Command) -> Told:
    """HELP, or a question how to join."""
    return "how to play here", render("visitor_help.txt", {"games": listing(work)})


def tell_rules(work: Transaction, arrived: Arrived, command: Command) -> Told:
    """RULES: the handbook of the game that is named, or of the only one that there is. It is long, so it goes only to an
    address that has been proven: nobody can have it sent to others."""
    games = {table.game.name: table for table in public_games(work)}
    named = command.words.get("topic", "").rstrip(".!;").lower()
    chosen = games.get(named) if named else next(iter(games.values())) if len(games) == 1 else None
    if chosen is None:
        return "rules", render("visitor_rules.txt", {"game": "", "games": sorted(games)})
    if has_proof(work, arrived.letter):
        _send_handbook(work, arrived, chosen)
    values = {"game": chosen.game.name, "info": chosen.ruleset.info, "sent": has_proof(work, arrived.letter)}
    return "rules", render("visitor_rules.txt", values)


def _send_handbook(work: Transaction, arrived: Arrived, table: OpenGame) -> None:
    letter, info = arrived.letter, table.ruleset.info
    title = subject_before(table, f"{info.title}: the players' handbook", "the players' handbook")
    text, page = handbook_text(info.handbook), handbook_html(info.handbook)
    draft = Draft("handbook", f"handbook {arrived.id}", title, text, page, digest=digest(asked(letter), "handbook"))
    mail_to(work, letter.sender, draft, table, proof_for(work, letter.sender))


TOLD: Mapping[str, Callable[[Transaction, Arrived, Command], Told]] = {
    "list": tell_games,
    "help": tell_how,
    "rules": tell_rules,
}
