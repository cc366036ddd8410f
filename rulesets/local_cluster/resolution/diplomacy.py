"""Offers and their answers, war, the end of treaties, gifts and proclamations (7.4 of the rules), in a move or by mail."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from pbmd.rules import Dice, Event

from ..orders import Accept, Cancel, DeclareWar, Decline, Gift, Offer, Order, Proclaim, Treaty, Withdraw, Written
from ..world.economy import trade_treaties
from ..world.state import Position, Relation, StandingOffer, effect, with_relation, without_offers
from .eviction import evict
from .move import Move

_HEADS = 1


class Mailed(NamedTuple):
    """What became of a diplomatic mail: for each line the code of why it failed, or ""."""

    position: Position
    events: tuple[Event, ...]
    reasons: tuple[str, ...]


def diplomatic_mail(position: Position, state: str, lines: Iterable[Written]) -> Mailed:
    """Carry out the mail lines of a player outside of any move, one after the other (section 6.1)."""
    move = Move(position, state)
    reasons = tuple(diplomacy_line(move, written, None) for written in lines)
    return Mailed(move.position, tuple(move.events), reasons)


def diplomacy_line(move: Move, written: Written, dice: Dice | None) -> str:
    """Carry out a line of diplomacy, nothing for other lines; returns the code of why it failed, or "".

    Only offers to NPC States need dice, and they come in moves only.
    """
    reason = _carry_out(move, written.order, dice)
    return move.fail(written.line, reason) if reason else ""


def _carry_out(move: Move, order: Order, dice: Dice | None) -> str:
    match order:
        case Offer():
            return _offer(move, order.treaty, order.state, dice)
        case Accept():
            return _accept(move, order.treaty, order.state)
        case Decline():
            return _drop(move, order.treaty, order.state, move.state, "offer_declined")
        case Withdraw():
            return _drop(move, order.treaty, move.state, order.state, "offer_withdrawn")
        case DeclareWar():
            return _declare_war(move, order.state)
        case Cancel():
            return _cancel(move, order)
        case Gift():
            return _gift(move, order)
        case Proclaim():
            return _proclaim(move, order.state)
        case _:
            return ""


# --- Offers ------------------------------------------------------------------------------------------------------------


def _offer(move: Move, treaty: Treaty, other: str, dice: Dice | None) -> str:
    position = move.position
    if reason := impossible(position, treaty, move.state, other):
        return reason
    if position.by_name[other].kind == "npc":
        return _ask_npc(move, treaty, other, dice)
    if _standing(position, treaty, other, move.state):
        _agree(move, treaty, other)
        return ""
    # An offer made again is renewed (LC-R38); in the same Turn that changes nothing, and nobody is told.
    old = _standing(position, treaty, move.state, other)
    if old and old.turn == position.turn:
        return ""
    offer = StandingOffer(treaty, move.state, other, position.turn)
    kept = tuple(standing for standing in position.offers if standing != old)
    move.position = replace(position, offers=(*kept, offer))
    until = position.turn + position.options.offer_turns
    data = {"treaty": treaty, "from": move.state, "to": other, "until": until, "renewed": old is not None}
    move.tell_offer("offer_made", data, (move.state, other))
    return ""


def _ask_npc(move: Move, treaty: Treaty, other: str, dice: Dice | None) -> str:
    """NPC States answer at once: neighbours accept, others toss a coin (LC-43, LC-44, LC-R54)."""
    if move.position.turn == 0:
        return "wrong_phase"
    if dice is None:
        return "npc_only_in_move"
    if (other, treaty) in move.asked:
        return "already_asked"
    move.asked.add((other, treaty))
    if adjacent(move.position, move.state, other) or effect(move.position, move.state, "npc_always_accept") > 0:
        _agree(move, treaty, other)
        return ""
    coin = dice.roll(2)
    if coin == _HEADS:
        _agree(move, treaty, other, coin)
        return ""
    move.tell("npc_refused", {"treaty": treaty, "from": move.state, "to": other, "coin": coin}, (move.state,))
    return "npc_refused"


def adjacent(position: Position, one: str, other: str) -> bool:
    """Whether a line joins a planet of one State to a planet of the other (LC-R53)."""
    neighbours = position.galaxy.neighbours
    return any(position.planet(near).owner == other for planet in position.owned_by(one) for near in neighbours[planet.name])


def _accept(move: Move, treaty: Treaty, other: str) -> str:
    if _standing(move.position, treaty, other, move.state) is None:
        return "no_such_offer"
    if reason := impossible(move.position, treaty, move.state, other):
        return reason
    _agree(move, treaty, other)
    return ""


def _drop(move: Move, treaty: Treaty, by: str, to: str, kind: str) -> str:
    offer = _standing(move.position, treaty, by, to)
    if offer is None:
        return "no_such_offer"
    move.position = without_offers(move.position, (offer,))
    move.tell_offer(kind, {"treaty": treaty, "from": by, "to": to}, (by, to))
    return ""


def _standing(position: Position, treaty: Treaty, by: str, to: str) -> StandingOffer | None:
    return next((offer for offer in position.offers if offer[:3] == (treaty, by, to)), None)


def impossible(position: Position, treaty: Treaty, one: str, other: str) -> str:
    """Why the two cannot agree on this treaty now (LC-R37); "" if they can."""
    if position.by_name[other].kind == "eliminated":
        return "not_in_game"
    relation = position.relation(one, other)
    if treaty == "peace":
        return "" if relation.at_war else "not_at_war"
    if relation.at_war:
        return "at_war"
    if relation.trade if treaty == "trade" else relation.pact:
        return "already_agreed"
    limit = position.options.trade_limit
    if treaty == "trade" and max(trade_treaties(position, one), trade_treaties(position, other)) >= limit:
        return "treaty_limit"
    return ""


def _relation(position: Position, one: str, other: str) -> Relation:
    """The relation between two States, the one that is listed first named first."""
    first = next(state.name for state in position.states if state.name in (one, other))
    return position.relation(first, other if first == one else one)


def _agree(move: Move, treaty: Treaty, other: str, coin: int = 0) -> None:
    relation = _relation(move.position, move.state, other)
    changes: dict[Treaty, dict[str, Any]] = {"peace": {"status": "peace"}, "trade": {"trade": True}, "pact": {"pact": True}}
    move.position = with_relation(move.position, relation._replace(**changes[treaty]))
    pair = {move.state, other}
    settled = [offer for offer in move.position.offers if offer.treaty == treaty and {offer.by, offer.to} == pair]
    move.position = without_offers(move.position, settled)
    move.tell("agreed", {"treaty": treaty, "between": [move.state, other], "coin": coin})
    if treaty == "peace":
        evict(move)


# --- War, endings, gifts, proclamations --------------------------------------------------------------------------------


def _declare_war(move: Move, other: str) -> str:
    position = move.position
    relation = _relation(position, move.state, other)
    if position.by_name[other].kind == "eliminated":
        return "not_in_game"
    if relation.at_war:
        return "at_war"
    if relation.pact:
        return "pact_in_force"
    if other in move.nulled:
        return "pact_nulled_now"
    move.position = with_relation(position, relation._replace(status="war", trade=False))
    move.tell("war_declared", {"state": move.state, "on": other})
    if relation.trade:
        move.tell("treaty_ended", {"treaty": "trade", "state": move.state, "with": other})
    move.lapse(offer for offer in position.offers if {offer.by, offer.to} == {move.state, other})
    return ""


def _cancel(move: Move, order: Cancel) -> str:
    relation = move.position.relation(move.state, order.state)
    trade = order.treaty == "trade"
    if not (relation.trade if trade else relation.pact):
        return "no_such_treaty"
    move.position = with_relation(move.position, relation._replace(trade=False) if trade else relation._replace(pact=False))
    move.tell("treaty_ended", {"treaty": order.treaty, "state": move.state, "with": order.state})
    if not trade:
        move.nulled.add(order.state)
        evict(move)
    return ""


def _gift(move: Move, order: Gift) -> str:
    kind = move.position.by_name[order.state].kind
    if kind != "player":
        return "npc_no_gift" if kind == "npc" else "not_in_game"
    if move.position.at_war(move.state, order.state):
        return "at_war"
    if order.credits > move.gift_budget:
        return "gift_limit"
    if not move.pay(order.credits):
        return "no_credits"
    move.gift_budget -= order.credits
    move.earn(order.state, order.credits)
    move.tell("gift", {"state": move.state, "to": order.state, "credits": order.credits})
    return ""


def _proclaim(move: Move, whom: str) -> str:
    if whom and move.position.by_name[whom].kind != "player":
        return "not_a_player"
    if whom == move.power.proclaims:
        return ""
    move.change(move.state, proclaims=whom)
    move.tell("proclaimed", {"state": move.state, "whom": whom})
    return ""
