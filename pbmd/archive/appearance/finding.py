"""The verdict on what a mail claims or shows."""

from dataclasses import dataclass

MOST_TOLD = 300
"""Characters of words that nothing is held against: honest ones must not hide what stands behind them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on a claim. `holds` is None if it cannot be decided; if it is not `whole`, the claim was not looked at, or
    not entirely, as the words say. `by_books`: of a mail by itself, and books that include its page can decide it."""

    what: str
    value: str
    holds: bool | None
    words: str
    whole: bool = True
    by_books: bool = False


def not_compared(what: str, value: str, words: str, *, by_books: bool = False) -> Finding:
    """Says that something was not compared: why, or what it is."""
    return Finding(what, value, None, f"not compared: {words}", whole=False, by_books=by_books)


def said_besides(what: str, value: str, words: str) -> Finding:
    """Names words that nothing is held against."""
    return not_compared(what, value, f'it says "{words[:MOST_TOLD]}" besides')
