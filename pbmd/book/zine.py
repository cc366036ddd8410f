"""The newspaper of one turn: what everybody was told about it, to send to spectators. Nothing secret ever gets here: it is made
from the public report and from press to all."""

import textwrap
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbmd.archive.format.audience import TO_PUBLIC
from pbmd.archive.format.documents import GameDocument, GameHead
from pbmd.book.chapters import FINISHED, LONGEST_TITLE, NAMESPACE, standing, turn_chapter, with_press
from pbmd.book.clean_text import clean, shortened
from pbmd.book.elements import Block, Book, Heading
from pbmd.book.from_archive import BookStep, NotABook, as_pbmd_writes, moment
from pbmd.rendering.render import quoted as marked

PUBLIC_VIEW = str(TO_PUBLIC)
_WIDTH = 72


def zine_of(game: GameHead | GameDocument, turn: int, steps: Sequence[BookStep]) -> Book:
    """The newspaper of a turn, which consists of these steps. `game` has its `name`, the `title` of its rules, its `seats` and
    when it was made. Raises `NotABook` if nothing was reported about the turn, and `NotReadable` if its archive is not as pbmd
    writes them."""
    with as_pbmd_writes():
        return _zine_of(game, turn, steps)


def _zine_of(game: GameHead | GameDocument, turn: int, steps: Sequence[BookStep]) -> Book:
    if not any(step.blocks for step in steps):
        raise NotABook(f"nothing was told of turn {turn} of {clean(str(game['name']))}: it is not resolved, or there is none")
    at = moment(steps[-1].shown.resolved_at or game["created_at"])
    name, title = (shortened(clean(str(game[key])), LONGEST_TITLE) for key in ("name", "title"))
    about = "\n".join(("zine", name, str(turn), at.isoformat()))
    # What happened to the game is left to its book: the newspaper of a running game is made without it.
    chapter = turn_chapter(turn, [replace(step, notes=()) for step in steps])
    return Book(
        identifier=f"urn:uuid:{uuid.uuid5(NAMESPACE, about)}",
        title=f"{name}: turn {turn}" if steps[0].shown.step >= 0 or len(steps) > 1 else f"{name}: the beginning",
        subtitle=f"The newspaper of turn {turn} of a game of {title}",
        lines=(f"A game of {title} by mail. {at.day} {at:%B %Y}",),
        at=at,
        chapters=(replace(chapter, blocks=(*chapter.blocks, *_standing(game, steps))),),
        kind="zine",
    )


def _standing(game: GameHead | GameDocument, steps: Sequence[BookStep]) -> Iterator[Block]:
    last = next((step for step in reversed(steps) if step.numbers), None)
    # A game master's archive has figures that only they may know.
    for_all = game.get("view", PUBLIC_VIEW) == PUBLIC_VIEW or game.get("status") == FINISHED
    table = standing(last, [seat["name"] for seat in game["seats"]]) if last and for_all else None
    if table is not None:
        yield Heading(2, "How they stand")
        yield table


def zine_text(game: GameHead | GameDocument, turn: int, steps: Sequence[BookStep]) -> str:
    """The same as the text of a mail, in lines of 72 columns."""
    book = zine_of(game, turn, steps)
    pieces = [_wrapped(book.title), *map(_wrapped, book.lines)]
    for step, said in with_press(steps):
        pieces += ["", step.text] if step.text else []
        pieces += ["", "PRESS"] if said else []
        for each in said:
            pieces += [_wrapped(f"{clean(each.who)}:"), marked(clean(each.text)), ""]
    return "\n".join(pieces).rstrip("\n") + "\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH)
