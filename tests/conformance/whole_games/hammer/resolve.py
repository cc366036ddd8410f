"""The resolution of a turn: first all trades, in the order in which the sellers' orders came, then the auction."""

from dataclasses import replace

from pbmd.rules import Dice, Event, Resolution

from .orders import Bid, Trade, read
from .position import Dealer, Position, game_options


def resolve(position: Position, dice: Dice) -> Resolution[Position]:
    """The next turn, and what happened. A trade is known to the two, the price of a gem to all."""
    orders = [(sheet.seat, order) for sheet in position.sheets for line in sheet.lines if (order := read(line))]
    events = [Event("slept", {"by": name}) for name in position.missed]
    wanted = [(name, order) for name, order in orders if isinstance(order, Trade) and order.verb == "Buy"]
    for seller, order in orders:
        if isinstance(order, Trade) and order.verb == "Sell":
            answer = (order.other, Trade("Buy", order.gem, seller, order.price))
            if answer in wanted:
                wanted.remove(answer)
                position = _traded(position, seller, order, events)
    bids = [(name, order.price) for name, order in orders if isinstance(order, Bid)]
    position = _sold(position, bids, events)
    gem, *pile = position.pile or ("",)
    after = replace(position, sale=(gem,) if gem else (), pile=tuple(pile), turn=position.turn + 1, sheets=(), missed=())
    return Resolution(replace(after, reserve=dice.roll(game_options(position.given).reserve)) if gem else after, tuple(events))


def _traded(position: Position, seller: str, trade: Trade, events: list[Event]) -> Position:
    """The seller pays the fee, rounded down; a buyer who has not enough any more gets nothing."""
    buyer = next(each for each in position.dealers if each.name == trade.other)
    data = {"by": seller, "to": trade.other, "gem": trade.gem, "price": trade.price}
    if buyer.money < trade.price:
        events.append(Event("failed", data, (seller, trade.other)))
        return position
    fee = trade.price * game_options(position.given).fee // 100
    events.append(Event("traded", {**data, "fee": fee}, (seller, trade.other)))
    changes = {seller: (trade.price - fee, False), trade.other: (-trade.price, True)}
    dealers = tuple(_changed(each, trade.gem, *changes.get(each.name, (0, None))) for each in position.dealers)
    return replace(position, dealers=dealers, bank=position.bank + fee)


def _changed(dealer: Dealer, gem: str, money: int, gets: bool | None) -> Dealer:
    hand = [*dealer.hand]
    if gets:
        hand.append(gem)
    elif gets is False:
        hand.remove(gem)
    return replace(dealer, money=dealer.money + money, hand=tuple(sorted(hand)))


def _sold(position: Position, bids: list[tuple[str, int]], events: list[Event]) -> Position:
    """To the highest bid that can be paid and is not below the reserve; of several to the one that came first."""
    money = {each.name: each.money for each in position.dealers}
    good = [(name, price) for name, price in bids if position.reserve <= price <= money[name]]
    [gem] = position.sale
    if not good:
        events.append(Event("unsold", {"gem": gem}))
        return replace(position, unsold=(*position.unsold, gem))
    winner, price = max(good, key=lambda bid: bid[1])
    events.append(Event("sold", {"gem": gem, "to": winner, "price": price}))
    dealers = tuple(_changed(each, gem, -price, True) if each.name == winner else each for each in position.dealers)
    return replace(position, dealers=dealers, bank=position.bank + price)
