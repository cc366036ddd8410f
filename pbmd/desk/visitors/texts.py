"""Texts for people without a seat: which games there are, how playing by mail works, and the rules of a game. Each is an answer
by itself, and leaves no note on the letter."""

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.openings.places import gives_later
from pbmd.desk.language.commands import Command
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mail.draft import Draft, render, subject_before
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.mail.rate_limits import answer_digest, request_text
from pbmd.desk.visitors.ask import answer_visitor
from pbmd.desk.visitors.code_shown import has_proof, proof_for
from pbmd.desk.visitors.listing import listing, public_games
from pbmd.rendering.handbook import handbook_html, handbook_text
from pbmd.terms.seating import seating_words


def tell_games(work: Transaction, arrived: Arrived, _command: Command, _plays: bool) -> str:
    """LIST: the same for everybody."""
    return _answer(work, arrived, "games", listing(work))


def tell_how(work: Transaction, arrived: Arrived, _command: Command, _plays: bool) -> str:
    """HELP, or a question how to join."""
    return _answer(work, arrived, "how to play here", render("visitor_help.txt", {"games": listing(work)}))


def tell_way_back(work: Transaction, arrived: Arrived, _command: Command, _plays: bool) -> str:
    """I'M BACK of somebody who proves no seat: the same for everybody."""
    return _answer(work, arrived, "your seat", render("no_way_back.txt", {"host": work.desk.settings.server.name}))


def tell_rules(work: Transaction, arrived: Arrived, command: Command, _plays: bool) -> str:
    """RULES: the handbook of the game that is named, or of the only one that there is. It is long, so it goes only to an
    address that has been proven: nobody can have it sent to others."""
    games = {table.game.name: table for table in public_games(work)}
    named = command.words.get("topic", "").rstrip(".!;").lower()
    chosen = games.get(named) if named else next(iter(games.values())) if len(games) == 1 else None
    if chosen is None:
        return _answer(work, arrived, "rules", render("visitor_rules.txt", {"game": "", "games": sorted(games)}))
    if has_proof(work, arrived.letter):
        _send_handbook(work, arrived, chosen)
    info, later = chosen.ruleset.info, gives_later(chosen)
    values = {"game": chosen.game.name, "info": info, "sent": has_proof(work, arrived.letter)}
    values |= {"seating": seating_words(chosen.terms, info.seat_word) if later else ""}
    return _answer(work, arrived, "rules", render("visitor_rules.txt", values))


def _answer(work: Transaction, arrived: Arrived, title: str, text: str) -> str:
    answer_visitor(work, arrived.letter, arrived.id, title, text)
    return ""


def _send_handbook(work: Transaction, arrived: Arrived, table: OpenGame) -> None:
    letter, info = arrived.letter, table.ruleset.info
    title = subject_before(table, f"{info.title}: the players' handbook", "the players' handbook")
    text, page = handbook_text(info.handbook_with_scenes), handbook_html(info.handbook_with_scenes)
    draft = Draft(
        "handbook", f"handbook {arrived.id}", title, text, page, digest=answer_digest(request_text(letter), "handbook")
    )
    mail_to(work, letter.sender, draft, table, proof_for(work, letter.sender))
