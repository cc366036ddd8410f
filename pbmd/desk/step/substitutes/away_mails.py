"""What the player of a seat that a substitute has gets to read of it: copies of the reports, and what the substitute missed."""

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to
from pbmd.desk.step.substitutes.wishes import last_day_of, time_of_substitute
from pbmd.ledger.tables import Seat, Substitution
from pbmd.post.tags import Tag, make_token


def away_tag(work: Transaction, seat: Seat, wish: Substitution) -> Tag:
    """What a reply of the player shows who comes back: the tag that proved the seat before the substitute had it."""
    game, number = seat.game_id, seat.number
    return Tag(game, number, make_token(work.desk.key, game, number, wish.generation))


def mail_away(work: Transaction, table: OpenGame, seat: Seat, wish: Substitution, draft: Draft) -> None:
    """Queue a mail to the player who comes back. A reply to it can say CANCEL SUBSTITUTE, and nothing else."""
    mail_to(work, wish.address, draft, table, away_tag(work, seat, wish))


def copy_report(work: Transaction, table: OpenGame, seat: Seat, key: str, report: str) -> None:
    """Send the player whose seat a substitute has a copy of its report, if one has it."""
    wish = time_of_substitute(work, table, seat)
    if wish is None:
        return
    text = render("substitute_copy.txt", {"game": table.game, "seat": seat.name, "last": last_day_of(wish), "report": report})
    title = subject(table, f"{seat.name}: a copy of your substitute's report")
    mail_away(work, table, seat, wish, Draft("notice", f"{key} away", title, text, owed=True))


def tell_away_missed(work: Transaction, table: OpenGame, seat: Seat) -> None:
    """Tell the player whose seat a substitute has, if one has it, that the substitute has missed this step."""
    wish = time_of_substitute(work, table, seat)
    if wish is None:
        return
    text = render("substitute_missed.txt", {"game": table.game, "seat": seat.name, "last": last_day_of(wish)})
    title = subject(table, f"{seat.name}: your substitute missed {table.game.step_called}")
    key = f"substitute {wish.id} missed {table.game.step}"
    mail_away(work, table, seat, wish, Draft("notice", key, title, text, owed=True))


def tell_away_asleep(work: Transaction, table: OpenGame, seat: Seat, missed: str) -> None:
    """Tell the player whose seat a substitute has, if one has it, that it has fallen asleep, and how much was missed."""
    wish = time_of_substitute(work, table, seat)
    if wish is None:
        return
    sentence = (
        f"{seat.name} in {table.game.name} is asleep: your substitute has missed {missed}, so the game waits for orders for it "
        f"no longer. It is still yours, and awake again as soon as you have it back: that is after {last_day_of(wish)}. "
        "To take it back at once, reply with the line CANCEL SUBSTITUTE."
    )
    text = render("told.txt", {"seat": "", "game": table.game, "sentence": sentence, "left_out": ()})
    title = subject(table, f"{seat.name} is asleep")
    mail_away(
        work, table, seat, wish, Draft("notice", f"substitute {wish.id} asleep {table.game.step}", title, text, owed=True)
    )
