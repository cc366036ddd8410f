"""What firms and mail programs write around each mail in the language of the orders: warnings of links and of senders."""

from collections.abc import Iterable

from pbmd.desk.language.order_words import tokens_of

_OF_MAILS = frozenset(
    (
        *("attachment", "attachments", "caution", "click", "clicking", "content", "email", "emails", "environment", "external"),
        *("link", "links", "mail", "mails", "message", "open", "opening", "organisation", "organization", "originated"),
        *("outside", "phishing", "printing", "recipient", "recognise", "recognize", "reply", "safe", "sender", "suspicious"),
        *("trust", "unsubscribe", "virus", "viruses", "warning"),
    )
)  # fmt: skip
_MANY = 4
"""So many different words of mails in a few lines are about mails, and about no orders."""


def is_notice(lines: Iterable[str], least: int = _MANY) -> bool:
    """Whether lines one below the other are about mails as such: "Do not click links in mails from outside". They have so many
    different words of mails at least."""
    return len(_OF_MAILS.intersection(token for line in lines for token in tokens_of(line))) >= least
