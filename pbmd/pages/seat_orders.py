"""The mail that the order form on a seat's pages results in. Orders come only by mail: a page merely writes it."""

from dataclasses import dataclass

from pbmd.post.compose import mailto
from pbmd.rendering.seat_now import Checked, OrderMail

MOST_URL = 1900
"""Some programs cut off or refuse longer addresses; then the text is to be copied."""


@dataclass(frozen=True, slots=True)
class Written:
    """The mail with a player's orders: its text, and the URL that opens it, empty if that would be too long."""

    text: str
    url: str


def written(mail: OrderMail, checked: Checked) -> Written:
    """The mail with what was written, without remarks and superfluous blank lines. If the player wrote a word for the dice, it
    is included."""
    lines = [line.strip() for line in checked.text.splitlines()]
    said = [line for line in lines if not line.startswith("#") or is_word(line)]
    said = "\n".join(each for each, before in zip(said, ["", *said], strict=False) if each or before).strip().split("\n")
    if not any(said):
        return Written("", "")
    for_step = [mail.for_step] if checked.orders and mail.for_step else []
    text = "\r\n".join([mail.mark, *for_step, *said, mail.end])
    url = mailto(mail.address, mail.subject, text)
    return Written(text.replace("\r\n", "\n"), url if len(url) <= MOST_URL else "")


def is_word(line: str) -> bool:
    """Whether a line is a word for the dice."""
    return line.lower().startswith("#word ")
