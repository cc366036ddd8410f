"""Phase 2: caravans are sent, then they pay (SO-76 to SO-89, SO-R44 to SO-R50)."""

from collections import Counter
from fractions import Fraction

from ..orders import Trade
from ..tables import GOVERNMENTS, rounded
from .turn import Turn

Income = dict[str, Fraction]
"""What caravans yield for each society, before the bonus of its government."""


def send_caravans(turn: Turn) -> Income:
    """Step 2a, at the levels of the chart (SO-20), which are still the present ones; returns what the caravans yield for
    whom."""
    sent: Counter[str] = Counter()
    income: Income = {name: Fraction(0) for name in turn.ranking}
    for name in turn.acting:
        level = turn.start.by_name[name].tech
        limit = min(level, turn.options.max_caravans)
        for place, order in turn.doable(name, "trade", Trade):
            obstacle = _obstacle(turn, name, order)
            cost, product = turn.now.caravan(name, order.partner)
            payable = turn.society(name).gold // cost if cost else order.count
            count = 0 if obstacle else min(order.count, limit - sent[name], payable)
            if count < order.count:
                why = "caravan_limit" if sent[name] + count == limit else obstacle or "no_gold"
                turn.fail(name, place, why, order.count - count)
            if count:
                sent[name] += count
                turn.pay(name, place, cost * count, count)
                for partner in dict.fromkeys((name, order.partner)):
                    income[partner] += product * count
                _tell(turn, name, place, order, count, cost)
    return income


def pay_out(turn: Turn, income: Income) -> None:
    """Step 2b: all caravans of a society together, times its own bonus, rounded up once (SO-R46)."""
    for name in turn.acting:
        raw = income[name]
        # A society that sends none only gets what others send; that is all a society that does not act can get.
        if not raw or (turn.obstacle(name, "trade") and turn.options.negated_trade_blocks_incoming):
            continue
        society = turn.society(name)
        bonus = GOVERNMENTS[society.government].bonus
        gold = rounded(raw * bonus)
        turn.change(name, gold=society.gold + gold)
        turn.tell_alone("trade_income", name, {"raw": _amount(raw), "bonus": _amount(bonus), "gold": gold})


def _obstacle(turn: Turn, name: str, order: Trade) -> str:
    """What prevents every caravan of a line; the society itself is never at war with itself nor far away."""
    if order.partner == name:
        return "" if turn.now.has_active(name, "NASCAR") else "no_nascar"
    if turn.now.at_war(name, order.partner):
        return "at_war"
    return "" if turn.now.reaches(name, order.partner) else "out_of_range"


def _tell(turn: Turn, name: str, place: int, order: Trade, count: int, cost: int) -> None:
    _, product = turn.now.caravan(name, order.partner)
    data = {"partner": order.partner, "count": count, "payout": _amount(product * count)}
    audience = tuple(dict.fromkeys((name, order.partner)))
    turn.tell("caravan", name, data, audience, {"cost": cost * count})
    turn.note(name, place, f"{count} sent, cost {cost * count}, brings {_amount(product * count)} before your bonus")


def _amount(value: Fraction) -> str:
    """ "24", "24½"."""
    whole, rest = divmod(value, 1)
    return f"{whole or ''}½" if rest else str(whole)
