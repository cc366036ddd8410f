"""What a letter did to the orders that its seat had on file before: the commonest accident in the field is a player who sends
"and also …" and loses the rest, so it is said first of all."""

from collections import Counter
from dataclasses import replace

from pbmd.desk.game.on_file import arrival_words, sheet_on_file
from pbmd.desk.letters.answer import OrdersAnswer
from pbmd.desk.letters.arrived import Sender
from pbmd.rules.joining import Joined
from pbmd.rules.protocol import Sheet
from pbmd.rules.words import counted


def with_replaced(sender: Sender, orders: OrdersAnswer, before: Sheet, joined: Joined) -> OrdersAnswer:
    """The answer to orders that were filed, with what became of the sheet `before`, if that was another."""
    after = sheet_on_file(sender.table, sender.seat)
    if after is None or after.lines == before.lines:
        return orders
    gone = fallen_away(before.lines, after.lines)
    came = arrival_words(before, sender.seat)
    info, is_move = sender.table.ruleset.info, sender.table.ruleset.sequential
    joins = joined.kept or (info.letters == "amend" and not gone)
    words, short = _added(came, len(gone)) if joins else _replaced(came, len(gone), is_move)
    short = orders.short if is_move else short
    return replace(orders, replacing=words, short=short, no_longer=gone)


def fallen_away(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of a sheet that do not stand in the one after it, in their order; one that stood twice counts twice."""
    left, gone = Counter(after), list[str]()
    for line in before:
        if left[line]:
            left[line] -= 1
        else:
            gone.append(line)
    return tuple(gone)


def _replaced(came: str, gone: int, is_move: bool) -> tuple[str, str]:
    """Of a letter that took the place of the one before: a sentence, and the words for the subject."""
    what = f"It replaces the one that came on {came}" if is_move else f"They replace those that came on {came}"
    if not gone:
        return f"{what}.", "orders replaced"
    stand = "1 line no longer stands" if gone == 1 else f"{gone} lines no longer stand"
    return f"{what}, so {stand}.", f"orders replaced; {counted(gone, 'old line')} dropped"


def _added(came: str, gone: int) -> tuple[str, str]:
    """The same of one beside whose orders others stand."""
    in_place = f", in place of {gone} of them" if gone else ""
    words = f"They joined those that came on {came}{in_place}; the whole counts from when this mail came."
    return words, f"orders joined; {counted(gone, 'old line')} replaced" if gone else "orders joined to those before"
