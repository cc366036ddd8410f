"""The heads of games in a letter, as players write them who play in several: what stands below that of another game, or of
another turn, is not for this one, whatever it would do here. Commands are left out, too: a message would go to other people.
"""

import re
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import col, select

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.order_words import tokens_of
from pbmd.desk.language.vocabulary import LEADS_TO_ORDERS
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import MAX_ORDER_LINES, OF_OTHER_GAME, OF_OTHER_TURN, order_test
from pbmd.desk.player.orders.beside_orders import LINES_NOT_READ
from pbmd.ledger.tables import Game, Seat
from pbmd.post.lines.sorted_lines import HEADING, left_out
from pbmd.rules.protocol import Line
from pbmd.rules.words import counted

_HEAD = re.compile(
    r"[\s*_=#•-]*(?:[^\W\d_]{1,10} ?[:：] ?){0,3}\[pbmd (?P<game>[^\s\]]{1,60})"
    r"(?: t(?P<turn>\d{1,6})(?: (?P<step>[\w -]{1,40}))?)?\](?P<rest>.*)",
    re.IGNORECASE,
)
"""The subject of a mail of ours, perhaps with a "Re:" or a label before it."""
_NAMING = LEADS_TO_ORDERS | {"game"}
_MOST_WORDS = 8


@dataclass(frozen=True, slots=True)
class BelowHeads:
    """What of a letter stands below the heads of other games, or of other turns: for each reason why it is not read the lines,
    with these heads, and how many they are without. `idle` are the heads that change nothing."""

    idle: tuple[str, ...] = ()
    left: tuple[tuple[str, tuple[str, ...], int], ...] = ()
    is_beside_move: bool = False
    """Whether a move stands beside it: the subject of its report has little room."""

    def tell(self, answer: Answer) -> None:
        """List it, and say why it was not read."""
        answer.left_out += left_out(list(self.idle), HEADING)
        for reason, lines, many in self.left:
            answer.left_out += left_out(list(lines), reason)
            if many:
                head, other = _SAID[reason]
                them = "an order stands" if many == 1 else f"{many} lines stand"
                answer.remark(f"In your mail {them} below {head}.")
                unread = LINES_NOT_READ if self.is_beside_move else f"{counted(many, 'line')} for another {other} not read"
                answer.unread = answer.unread or unread


_SAID: Mapping[str, tuple[str, str]] = {
    OF_OTHER_TURN: ("the heading of another turn, where nothing is read", "turn"),
    OF_OTHER_GAME: ("the head of another game, where nothing is read: send each game a mail of its own", "game"),
}


def without_other_games(work: Transaction, sender: Sender, arrived: Arrived) -> tuple[Arrived, BelowHeads | None]:
    """The letter without the heads of games, and what stands below those of others; and what that is, None if it has none."""
    lines, game = arrived.script.orders[:MAX_ORDER_LINES], sender.table.game

    def is_taken(text: str) -> bool:
        return order_test(sender.table, sender.seat.name, arrived.arrival).is_taken(text)

    heads = ((line, _head(game, line.text, is_taken)) for line in lines if "[" in line.text)
    found = {line: why for line, why in heads if why is not None}
    if any(_may_be_label(line.text, game.name.lower()) for line in lines) and (games := _games_of(work, sender)):
        short = [line for line in lines if line not in found and len(line.text.split()) <= _MOST_WORDS]
        found |= {line: why for line in short if (why := _label(game, line.text, games)) is not None}
    if not found:
        return arrived, None
    rest, below = _split(arrived, found)
    return rest, replace(below, is_beside_move=sender.table.ruleset.sequential and bool(rest.script.orders))


def _head(game: Game, text: str, is_taken: Callable[[str], bool]) -> str | None:
    """Why nothing is read below the subject of a mail of ours, "" if it is; None for any other line."""
    found = _HEAD.fullmatch(text)
    if found is None:
        return None
    if found["game"].casefold() != game.name.casefold():
        return OF_OTHER_GAME
    is_other_step = found["step"] is not None and found["step"].casefold() != game.step_name.casefold()
    if found["turn"] is not None and (int(found["turn"]) != game.turn or is_other_step):
        return OF_OTHER_TURN
    return None if is_taken(found["rest"].strip(" :")) else ""


def _may_be_label(text: str, name: str) -> bool:
    """Whether a line may be the name of a game above what is for it: it is like a heading, or has a word of such, or the name
    of the game of the letter. Where no line is, nobody looks for names of others: most letters have none."""
    said = text.lower()
    return text[-1:] in _ENDS or name in said.replace(" ", "-") or any(word in said for word in _WORDS)


_ENDS = (":", "：", "*", "=", "-", "_", "]")
_WORDS = ("game", "turn", "orders")
_TURN = re.compile(r"\bt(?:urn )?(?P<turn>\d{1,6})\b")


def _label(game: Game, text: str, games: Mapping[str, str]) -> str | None:
    """The same of a line that names a game of the player, perhaps with the turn and their seat, and says nothing else."""
    said = tokens_of(text)
    for name, seat in games.items():
        beside = _beside(said, tokens_of(name))
        if beside is None or not _NAMING.union(tokens_of(seat)).issuperset(tokens_of(_TURN.sub("", beside))):
            continue
        if name != game.name:
            return OF_OTHER_GAME
        turn = _TURN.search(beside)
        return OF_OTHER_TURN if turn and int(turn["turn"]) != game.turn else ""
    return None


def _beside(said: Sequence[str], name: Sequence[str]) -> str | None:
    """The words beside a name, None if it is not said."""
    size = len(name)
    place = next((at for at in range(len(said)) if list(said[at : at + size]) == name), None)
    return None if place is None else " ".join((*said[:place], *said[place + size :]))


def _games_of(work: Transaction, sender: Sender) -> Mapping[str, str]:
    """The games that are played from the same address, if there are several, each with the seat; longer names come first."""
    work.write_rows()
    own = select(Game.name, Seat.name).join(Seat, col(Seat.game_id) == col(Game.id)).where(Seat.address == sender.seat.address)
    seats = dict(work.session.exec(own).all())
    return {name: seats[name] for name in sorted(seats, key=len, reverse=True)} if len(seats) > 1 else {}


def _split(arrived: Arrived, heads: Mapping[Line, str]) -> tuple[Arrived, BelowHeads]:
    script = arrived.script
    by_number = {line.number: why for line, why in heads.items()}
    begins = sorted(by_number)

    def reason_at(number: int) -> str:
        place = bisect(begins, number)
        return by_number[begins[place - 1]] if place else ""

    orders = tuple(line for line in script.orders if line not in heads and not reason_at(line.number))
    commands = tuple(each for each in script.commands if not reason_at(each.line.number))
    rest = replace(arrived, script=replace(script, orders=orders, commands=commands))
    written = sorted((*script.orders, *(each.line for each in script.commands)), key=lambda line: line.number)
    left = {why: [line for line in written if reason_at(line.number) == why] for why in _SAID}
    idle = tuple(line.text for line in written if heads.get(line) == "")
    return rest, BelowHeads(idle, tuple((why, *_told(lines, heads)) for why, lines in left.items() if lines))


def _told(lines: Sequence[Line], heads: Mapping[Line, str]) -> tuple[tuple[str, ...], int]:
    return tuple(line.text for line in lines), sum(line not in heads for line in lines)
