"""What a letter does: its lines are checked, and what stands is the seat's sheet."""

from collections.abc import Iterable
from dataclasses import replace

from pbmd.rules import Mail, Receipt, Resolution, match_name
from pbmd.rules.checking import Fault, note_missed, one_by_one, receive_sheet, unknown
from pbmd.rules.codec import codec
from pbmd.rules.sheets import withdrawn
from pbmd.rules.sound import check_on_file

from .orders import Bid, Trade, clean, read
from .position import GEMS, INFO, Position, awaiting, dealer_of, seats


def _understood(position: Position, seat: str, text: str, before: tuple[str, ...]) -> str:
    """The canonical form of a clean line, with those that stand before it. Raises `Fault`."""
    order, done = read(text), [read(line) for line in before]
    if order is None:
        raise Fault("this is no order; there are Bid, Sell and Buy", example="Bid 1")
    if isinstance(order, Bid):
        return _bid(position, seat, order, any(isinstance(each, Bid) for each in done)).text
    others = [name for name in seats(position) if name != seat]
    example = f"Buy {GEMS[0]} from {others[0]} for 1"
    gem = match_name(order.gem, GEMS)
    if gem.found is None:
        raise unknown(gem, order.gem, "gem", example=example)
    match = match_name(order.other, others)
    if match.found is None:
        raise unknown(match, order.other, INFO.seat_word, example=example)
    trade = Trade(order.verb, gem.found, match.found, order.price)
    return _trade(position, seat, trade, [each for each in done if isinstance(each, Trade)]).text


def _bid(position: Position, seat: str, bid: Bid, again: bool) -> Bid:
    if again:
        raise Fault("you can bid once in a turn")
    if not 1 <= bid.price <= dealer_of(position, seat).money:
        raise Fault("a bid is at least 1, and not more than you have", example="Bid 1")
    return bid


def _trade(position: Position, seat: str, trade: Trade, done: Iterable[Trade]) -> Trade:
    dealer = dealer_of(position, seat)
    if trade in done:
        raise Fault("you have written that before")
    if trade.price < 1:
        raise Fault("a price is at least 1")
    if trade.verb == "Buy" and trade.price > dealer.money:
        raise Fault("you do not have so much money")
    if trade.verb == "Sell":
        offered = [each.gem for each in done if each.verb == "Sell"]
        if offered.count(trade.gem) >= dealer.hand.count(trade.gem):
            raise Fault(f"you have no {trade.gem} to sell, or have offered it")
    return trade


_checked = one_by_one(clean, _understood)
CODEC = codec(Position, INFO, lambda position: check_on_file(position, seats(position), _checked))
"""How positions are written and read: nothing can be on file but what a letter could put there."""


def receive(position: Position, mail: Mail) -> Receipt[Position]:
    """Every line that is not empty gets its verdict; those that are right are filed."""
    return receive_sheet(position, mail, INFO.sheets, _checked(position, mail.seat, mail.lines))


def withdraw(position: Position, seat: str) -> Position:
    """The seat takes its orders back."""
    return replace(position, sheets=withdrawn(INFO.sheets, position.sheets, seat))


def miss(position: Position, seat: str) -> Resolution[Position]:
    """The deadline of the seat has passed."""
    return note_missed(position, seat, awaiting(position))
