"""The Salon: dealers bid for paintings in secret, and trade them with each other."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Literal

from pbmd.rules import Dice, Event, Options, Outcome, Reader, Resolution, read_info
from pbmd.rules.checking import Fault
from pbmd.rules.documents import Count
from pbmd.rules.facts import stand
from pbmd.rules.randomly import shuffled
from pbmd.rules.small_game import AtOnce, Order, SmallGame, SmallPosition, one_of
from pbmd.rules.words import counted

INFO = read_info(files(__package__ or __name__))
School = Literal["Dutch", "Flemish", "French", "Roman"]
SCHOOLS: tuple[School, ...] = ("Dutch", "Flemish", "French", "Roman")
EACH = 3
WORDS = {
    "bought": "{by} bought the {school} painting for {price}.",
    "abroad": "Nobody bid, and the {school} painting went abroad.",
    "offered": "{by} offers a {school} painting to {to} for {price}.",
    "over": "{by} no longer offers a {school} painting to {to}.",
    "traded": "{by} sold a {school} painting to {to} for {price}.",
}


@dataclass(frozen=True)
class Offer:
    """A painting that a dealer has taken from their hand and offers to another."""

    school: School
    to: str
    price: Count


@dataclass(frozen=True, kw_only=True)
class Position(SmallPosition):
    """The paintings: in the pile, on the wall (for sale now), abroad, in hands, and offered (one at most by each dealer);
    and the money."""

    pile: tuple[School, ...]
    wall: tuple[School, ...]
    abroad: tuple[School, ...] = ()
    hands: Mapping[str, tuple[School, ...]]
    money: Mapping[str, Count]
    offers: Mapping[str, tuple[Offer, ...]]
    bank: Count = 0


def begin(names: tuple[str, ...], options: Options, dice: Dice) -> Position:
    """The first position, with three paintings of each school."""
    deck: list[School] = [school for school in SCHOOLS for _ in range(EACH)]
    first, *pile = shuffled(dice, deck)
    money = dict.fromkeys(names, int(options["money"]))
    hands, offers = (dict.fromkeys(names, ()) for _ in range(2))
    return Position(names=names, pile=tuple(pile), wall=(first,), hands=hands, money=money, offers=offers)


def others(position: Position, seat: str) -> list[str]:
    """All dealers but this one."""
    return [name for name in position.names if name != seat]


def choices(position: Position, seat: str) -> list[list[str]]:
    """A bid; and what has its effect at once."""
    held = sorted({*owned(position, seat)})
    sellers = [name for name, offer in offers_to(position, seat).items() if offer.price <= position.money[seat]]
    return [
        [f"Bid {price}" for price in range(1, max(1, position.money[seat]) + 1)],
        [f"Offer {school} to {name} for {price}" for school in held for name in others(position, seat) for price in (3, 5)],
        [f"Accept {name}" for name in sellers],
    ]


def offers_to(position: Position, seat: str) -> dict[str, Offer]:
    """What is offered to the seat, by who offers it."""
    return {name: offer for name in position.names for offer in position.offers[name] if offer.to == seat}


def understood(position: Position, seat: str, order: Order) -> str:
    """A bid as it is filed."""
    price = int(order.words[0])
    if not price:
        raise Fault("bid 1 at least, or write no bid")
    return f"Bid {price}"


def offer(position: Position, seat: str, order: Order) -> AtOnce:
    """A painting is offered; what the dealer offered before goes back into their hand."""
    written, name, price = order.words
    school = next(each for each in SCHOOLS if each.lower() == written.lower())
    hand = owned(position, seat)
    if school not in hand:
        raise Fault(f"you have no {school} painting")
    hand.remove(school)
    to = one_of(name, others(position, seat), "dealer")
    offers = {**position.offers, seat: (Offer(school, to, int(price)),)}
    after = replace(position, hands={**position.hands, seat: tuple(hand)}, offers=offers)
    over = [Event("over", {"by": seat, "school": old.school, "to": old.to}, (seat, old.to)) for old in position.offers[seat]]
    event = Event("offered", {"by": seat, "school": school, "to": to, "price": int(price)}, (seat, to))
    return AtOnce(after, f"Offer {school} to {to} for {int(price)}", (*over, event))


def accept(position: Position, seat: str, order: Order) -> AtOnce:
    """A painting changes hands, and the money, too."""
    seller = one_of(order.words[0], others(position, seat), "dealer")
    deal = offers_to(position, seat).get(seller)
    if deal is None:
        raise Fault(f"{seller} offers you nothing")
    if deal.price > position.money[seat]:
        raise Fault(f"you do not have {deal.price}")
    money = {seller: position.money[seller] + deal.price, seat: position.money[seat] - deal.price}
    after = replace(
        position,
        hands={**position.hands, seat: (*position.hands[seat], deal.school)},
        money={**position.money, **money},
        offers={**position.offers, seller: ()},
    )
    what = {"by": seller, "school": deal.school, "to": seat, "price": deal.price}
    return AtOnce(after, f"Accept {seller}", (Event("traded", what, (seller, seat)),))


def owned(position: Position, seat: str) -> list[School]:
    """The paintings of a dealer, with the one that is offered."""
    return [*position.hands[seat], *(offer.school for offer in position.offers[seat])]


def step(position: Position, orders: Sequence[tuple[str, Order]], dice: Dice) -> Resolution[Position]:
    """The painting on the wall goes to the highest bid; of equal ones to the first that came."""
    bids = {name: min(int(order.words[0]), position.money[name]) for name, order in orders}
    (school,) = position.wall
    after = replace(position, wall=position.pile[:1], pile=position.pile[1:], turn=position.turn + 1)
    price = max(bids.values(), default=0)
    if not price:
        return Resolution(replace(after, abroad=(*position.abroad, school)), (Event("abroad", {"school": school}),))
    winner = next(name for name, bid in bids.items() if bid == price)
    after = replace(
        after,
        hands={**position.hands, winner: (*position.hands[winner], school)},
        money={**position.money, winner: position.money[winner] - price},
        bank=position.bank + price,
    )
    return Resolution(after, (Event("bought", {"by": winner, "school": school, "price": price}),))


def points(position: Position, seat: str) -> int:
    """Of each school the number of paintings, times itself; and one for every two of money."""
    return sum(count**2 for count in Counter(owned(position, seat)).values()) + position.money[seat] // 2


def view(position: Position, events: Sequence[Event], reader: Reader) -> Mapping[str, object]:
    """A dealer sees their own hand and money, and offers to them."""
    open_to_all = outcome(position) is not None
    known = [name for name in position.names if open_to_all or reader.kind == "gm" or name == reader.seat]
    data: dict[str, object] = {
        "told": [tell(event) for event in events],
        "wall": f"A {position.wall[0]} painting is for sale." if position.wall else "No painting is left.",
        "dealers": [dealer(position, name) for name in known],
        "offers": [f"{name}: {each.school} for {each.price}" for name, each in offers_to(position, reader.seat).items()],
    }
    if not open_to_all:
        left = counted(len(position.pile) + 1, "painting")
        data["stand"] = stand("Who has most points at the end wins.", f"For sale now or later: {left}.")
    return data


def dealer(position: Position, name: str) -> Mapping[str, object]:
    """What somebody has."""
    count = Counter(owned(position, name))
    words = [f"One {each.school} painting is offered to {each.to} for {each.price}." for each in position.offers[name]]
    return {"name": name, "money": position.money[name], "hand": {each: count[each] for each in SCHOOLS}, "offered": words}


def tell(event: Event) -> str:
    """An event in words; also at once, by a mail of its own."""
    return WORDS[event.kind].format(**event.data)


def outcome(position: Position) -> Outcome | None:
    """Who has most points when the last painting is sold."""
    if position.wall:
        return None
    count = {name: points(position, name) for name in position.names}
    best = max(count.values())
    winners = tuple(name for name in position.names if count[name] == best)
    return Outcome(winners, f"Won by {' and '.join(winners)}, with {best} points.")


ruleset = replace(
    SmallGame(
        info=INFO,
        position=Position,
        begin=begin,
        choices=choices,
        understood=understood,
        step=step,
        view=view,
        outcome=outcome,
        at_once={"offer": offer, "accept": accept},
    ).ruleset,
    tell=tell,
)
