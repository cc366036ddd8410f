"""Whether a mail's claim is about the game of some books, and the verdict on it."""

from collections.abc import Sequence

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.claims import Claims
from pbmd.archive.evidence.statements import Statement
from pbmd.archive.format.books import Books
from pbmd.notes.notes_in_mail import FoundNote


def is_about(statement: Statement, books: Books) -> bool:
    """Whether a statement is about the game of these books, as far as it says."""
    return not statement.game or statement.game in books.names


def are_about(claims: Claims, books: Books) -> bool:
    """Whether anything in a mail is about the game of these books."""
    return any(is_about(each, books) for each in claims.statements) or bool(signed_about(claims, books))


def signed_about(claims: Claims, books: Books) -> list[FoundNote]:
    """The checkpoints in a mail that belong to the game of these books."""
    return [found for found in claims.checkpoints if found.checkpoint.game in books.names]


def of_another_game(claims: Claims, books: Books) -> Finding:
    """Says that a mail is about another game than these books."""
    return Finding("game", ", ".join(sorted(claims.games)), False, f"these are the books of {books.game}")


def not_looked_at(claims: Claims, books: Books) -> list[Finding]:
    """Says that parts of a mail are about other games than these books, if any are."""
    others = ", ".join(sorted(claims.games - books.names))
    return [Finding("game", others, None, f"a part of this mail; these are the books of {books.game}")] if others else []


def seat_of_mail(claims: Claims, books: Books) -> str:
    """The seat that one of pbmd's own mails is to, by the number in its header; empty if it does not say."""
    return seat_of_number(claims.own, books) if claims.own else ""


def seat_of_number(own: Own, books: Books) -> str:
    """The same, by what its header says."""
    number = own.seat.partition("p")[2]
    return books.numbers.get(number, "") if books.numbers.get(number, "") in books.seats else ""


def missing(books: Books) -> tuple[bool | None, str]:
    """Whether it counts against a claim that the books do not have it, and how to say so."""
    if books.open_end:
        return None, f"not in this archive, which ends with entry {len(books.kinds)}; it may be of a later one"
    return False, "not in these books: either this was altered or made up, or the books are not those of then"


def entries_named(entries: Sequence[int]) -> str:
    """``entries 3, 4``."""
    return f"entr{'y' if len(entries) == 1 else 'ies'} {', '.join(map(str, entries))}"
