"""The chapters of a book: the seats, each turn with its map and newspaper, the end, the numbers, the orders, the colophon."""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from typing import Any

from pbmd.archive.format.documents import GameDocument
from pbmd.archive.write.chronicle import Hand, Note
from pbmd.archive.write.presentation import Message, charts_of
from pbmd.book.clean_text import clean, shortened
from pbmd.book.colophon import colophon
from pbmd.book.drawings import chart_picture, chart_table
from pbmd.book.elements import (
    Block,
    Book,
    Cell,
    Chapter,
    Heading,
    Items,
    Paragraph,
    Press,
    Run,
    Table,
    Verbatim,
    levelled,
    paragraph,
)
from pbmd.book.from_archive import BookStep, NotABook, Ordered, Story, as_pbmd_writes, moment
from pbmd.rendering.charts import plain
from pbmd.rules.words import capital, listing
from pbmd.terms.times import describe_day

FINISHED = "finished"
LONGEST_TITLE = 60
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "https://pypi.org/project/pbmd-games/")
_NO_ORDERS = frozenset({"refused", "late", "granted"})
"""The states of letters that never were anybody's orders: they may say whatever their writers meant for pbmd alone."""


def book_of(story: Story) -> Book:
    """The book of a finished game. Raises `NotABook`, and `NotReadable` if its archive is not as pbmd writes them."""
    with as_pbmd_writes():
        return _book_of(story)


def _book_of(story: Story) -> Book:
    game, name = story.game, clean(str(story.game["name"]))
    check_over(name, game["status"])
    if not story.steps:
        raise NotABook(f"{name} has no turn, so there is nothing to tell")
    turns = [turn_chapter(turn, list(steps)) for turn, steps in groupby(story.steps, key=lambda step: step.shown.turn)]
    maps = [step.drawn for step in story.steps if step.drawn]
    chapters = (_players(story), *turns, _end(story), *_numbers(story), *_orders(story), colophon(story))
    return Book(
        identifier=identifier(story, "book"),
        title=shortened(name, LONGEST_TITLE),
        subtitle=shortened(f"The book of a game of {clean(str(game['title']))}", LONGEST_TITLE),
        lines=tuple(shortened(line, 3 * LONGEST_TITLE) for line in _title_lines(story)),
        at=_ended_at(story),
        chapters=chapters,
        cover=maps[-1] if maps else None,
    )


def check_over(name: str, status: str) -> None:
    """A book reveals what is secret while a game is running. Raises `NotABook`."""
    if status != FINISHED:
        raise NotABook(
            f"{name} is not over, and a book opens what is secret until then; --zine TURN makes the newspaper of a turn"
        )


def identifier(story: Story, kind: str) -> str:
    """The identifier for libraries and e-readers: the same for the same archive."""
    game = story.game
    about = "\n".join((kind, str(game["name"]), str(game["view"]), str(game.get("anonymised")), story.head))
    return f"urn:uuid:{uuid.uuid5(NAMESPACE, about)}"


def _ended_at(story: Story) -> datetime:
    return story.ending.at or moment(story.steps[-1].shown.resolved_at or story.game["created_at"])


def _title_lines(story: Story) -> Iterator[str]:
    played = [step.shown for step in story.steps if step.shown.step >= 0]
    began, ended = (f"{at.day} {at:%B %Y}" for at in (story.game["created_at"], _ended_at(story)))
    yield f"Played by mail from {began} to {ended}" if began != ended else f"Played by mail on {began}"
    if played:
        last = max(each.turn for each in played)
        yield f"{last} turns" if last != 1 else "One turn"
    if won := _winners(story.game):
        yield won


def _winners(game: GameDocument) -> str:
    outcome = game.get("outcome", {})
    if "winners" not in outcome:
        return ""
    names = [clean(str(name)) for name in outcome["winners"]]
    if not names:
        return "Nobody has won"
    return f"Won by {listing(names)}"


def _row(*words: str, head: bool = False, right: Sequence[int] = ()) -> tuple[Cell, ...]:
    """A row of a table; its first cell, or with `head` every cell, is a header."""
    return tuple(
        Cell((Run(each),) if each else (), head=head or place == 0, right=place in right) for place, each in enumerate(words)
    )


# The players


def _players(story: Story) -> Chapter:
    """Everybody who ever held a seat, including those who were replaced; and the options of the game."""
    game = story.game
    won = {clean(str(name)) for name in game.get("outcome", {}).get("winners", ())}
    told = any(hand.holder.strip() for hand in story.hands)
    heads = ("Seat", *(["Played by"] if told else []), "From", "Until")
    rows = (_row(*_hand(hand, won, told=told)) for hand in story.hands)
    blocks: list[Block] = [Table((_row(*heads, head=True), *rows), 1, "Who played the seats of the game")]
    if options := game.get("options"):
        rules = (_row(clean(str(key)), clean(_as_text(value))) for key, value in sorted(options.items()))
        head = _row("Option", "Value", head=True)
        blocks += [Heading(2, "Options of the rules"), Table((head, *rules), 1, "Options of the rules that were set")]
    return Chapter("seats", "The players", tuple(blocks))


def _hand(hand: Hand, won: set[str], *, told: bool) -> tuple[str, ...]:
    seat, until = clean(hand.seat), hand.until or "the end"
    until = f"{until}: won" if until == "the end" and seat in won else until
    return (seat, *([clean(hand.holder)] if told else []), clean(hand.since), clean(until))


def _as_text(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_as_text(each) for each in value)  # pyright: ignore[reportUnknownVariableType]
        case _:
            return str(value)


# The turns


def turn_chapter(turn: int, steps: Sequence[BookStep]) -> Chapter:
    """A turn, which consists of these steps: maps, reports, press."""
    begins = steps[0].shown.step < 0
    title = "The beginning" if begins and len(steps) == 1 else f"Turn {turn}"
    told = [step for step in steps if step.blocks]
    blocks: list[Block] = []
    for step, said in with_press(steps):
        if len(told) > 1:
            blocks.append(Heading(2, capital(_of_turn(clean(step.shown.words), turn))))
        blocks += happened(step.notes)
        blocks += newspaper(step, said, under=2 if len(told) > 1 else 1)
    return Chapter(f"turn-{turn}", title, tuple(blocks))


def _of_turn(words: str, turn: int) -> str:
    """What a step is called in the chapter of its turn: "moves of turn 3", "turn 3, step 2"; the first has no number."""
    return words.removesuffix(f" of turn {turn}").removeprefix(f"turn {turn}").removeprefix(", ") or "step 1"


def with_press(steps: Sequence[BookStep]) -> Iterator[tuple[BookStep, tuple[Message, ...]]]:
    """The steps that have a report, each with what was said and happened before it, and at the end what came after them."""
    said: tuple[Message, ...] = ()
    notes: tuple[Note, ...] = ()
    shown = False
    for step in steps:
        said, notes = (*said, *step.said), (*notes, *step.notes)
        if step.blocks or (step is steps[-1] and (said or notes or not shown)):
            yield replace(step, notes=notes), said
            said, notes, shown = (), (), True


def newspaper(step: BookStep, said: Sequence[Message], under: int) -> Iterator[Block]:
    """A step as a newspaper shows it, below a heading of the level `under`."""
    if step.shown.resolved_at is not None:
        at = step.shown.resolved_at
        cause = f": {clean(step.shown.cause)}" if step.shown.cause else ""
        yield Paragraph((Run(f"Resolved on {at.day} {at:%B %Y at %H:%M} UTC{cause}.", "soft"),))
    yield from levelled(step.blocks or (paragraph("There is no report of this step alone."),), under)
    yield from press(said, under + 1)


def happened(notes: Iterable[Note]) -> Iterator[Block]:
    """What happened to the game before a step: who did what, when, and why."""
    told = tuple((_note(each),) for each in notes)
    if told:
        yield Items(told)


def _note(note: Note) -> Paragraph:
    why = f" “{clean(' '.join(note.reason.split()))}”" if note.reason.strip() else ""
    day = describe_day(datetime.fromisoformat(note.at).date())
    return Paragraph((Run(f"{clean(note.words)}{why} "), Run(f"({day})", "soft")))


def press(said: Iterable[Message], level: int) -> Iterator[Block]:
    """What was said to everybody."""
    found = [Press(capital(clean(each.who)), clean(each.text).strip("\n")) for each in said]
    if found:
        yield Heading(level, "Press")
        yield from found


# The end, and what came of it


def _end(story: Story) -> Chapter:
    reason = clean(str(story.game.get("outcome", {}).get("reason", "")))
    at = story.ending.at
    blocks: list[Block] = [Paragraph((Run(capital(reason) or "The game is over.", "strong"),))]
    if (won := _winners(story.game)) and won.casefold() not in reason.casefold():
        blocks.append(paragraph(f"{won}."))
    if at is not None:
        blocks.append(Paragraph((Run(f"The game ended on {at.day} {at:%B %Y at %H:%M} UTC.", "soft"),)))
    blocks += happened(story.ending.notes)
    blocks += _standing(story)
    blocks += press(story.ending.said, 2)
    return Chapter("end", "The end", tuple(blocks))


def _standing(story: Story) -> Iterator[Block]:
    last = next((step for step in reversed(story.steps) if step.numbers), None)
    table = standing(last, [seat["name"] for seat in story.game["seats"]]) if last else None
    if table is not None:
        yield Heading(2, "Final standing")
        yield table


def standing(step: BookStep, seats: Sequence[str]) -> Table | None:
    """The figures of a step's report, a row for each seat; None if it has none about seats."""
    labels = list(step.numbers)
    rows = [
        (seat, *(_number(step.numbers[label].get(seat)) for label in labels))
        for seat in seats
        if any(seat in step.numbers[label] for label in labels)
    ]
    if not rows:
        return None
    right = range(1, len(labels) + 1)
    head = _row("Seat", *(capital(clean(label)) for label in labels), head=True, right=right)
    return Table((head, *(_row(clean(row[0]), *row[1:], right=right) for row in rows)), 1, "What the seats had")


def _number(value: Any) -> str:
    return "" if value is None else plain(float(value))


def _numbers(story: Story) -> Iterator[Chapter]:
    """The charts, if there are any."""
    steps = [step.shown for step in story.steps]
    numbers = {(step.shown.turn if step.shown.step >= 0 else None): step.numbers for step in story.steps}
    blocks: list[Block] = []
    for chart in charts_of(story.archive, steps, numbers):
        blocks += [Heading(2, capital(clean(chart.title))), chart_picture(chart), chart_table(chart)]
    if blocks:
        yield Chapter("numbers", "The numbers, turn by turn", tuple(blocks))


def _orders(story: Story) -> Iterator[Chapter]:
    """The orders, now public, if the archive has them."""
    blocks: list[Block] = []
    for step in story.steps:
        if step.orders:
            words = capital(clean(step.shown.words))
            blocks += [Heading(2, words), _orders_table(step.orders, words)]
    if left := [letter for letter in story.ending.left if letter.state not in _NO_ORDERS]:
        blocks.append(Heading(2, "Orders for a turn that was never played"))
        for letter in left:
            lines = "\n".join(letter.lines)
            state = "would have counted" if letter.state == "filed" else letter.state
            blocks += [Heading(3, clean(f"{letter.seat}, {state}")), Verbatim(clean(lines))]
    if blocks:
        whose = "" if story.game["view"] == "all" else ", of one seat alone"
        words = f"What was secret as long as the game ran{whose}: the orders that counted, as understood."
        about = Paragraph((Run(words, "soft"),))
        yield Chapter("orders", "The orders", (about, *blocks))


def _orders_table(orders: Sequence[Ordered], words: str) -> Table:
    rows = ((Cell((Run(each.seat),), head=True), Cell(_lines(each.lines))) for each in orders)
    return Table((_row("Seat", "Orders", head=True), *rows), 1, f"Orders of {words}")


def _lines(lines: Sequence[str]) -> tuple[Run, ...]:
    found: list[Run] = []
    for line in lines or ("none",):
        found += [*([Run("\n")] if found else []), Run(" ".join(line.split()))]
    return tuple(found)
