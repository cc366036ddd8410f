"""What belongs to no phase (SO-R43): peace and revolutions at the start of a turn, war and concessions at its end."""

from dataclasses import replace

from ..orders import Concede, DeclarePeace, DeclareWar, Revolution, WithdrawConcession
from ..world.state import Concession
from .turn import Turn


def make_peace(turn: Turn) -> None:
    """Step 0: the war of every pair ends in which both offer peace (SO-82, SO-83, SO-R52)."""
    offers = {(name, order.to) for name in turn.acting for _, order in turn.orders(name, DeclarePeace)}
    for name in turn.acting:
        for place, order in turn.orders(name, DeclarePeace):
            both = (order.to, name) in offers
            pair = turn.in_sign_up_order(name, order.to)
            if not turn.start.at_war(*pair):
                turn.note(name, place, "you were not at war")
                continue
            turn.note(name, place, "peace is made" if both else "the other made no such offer")
            if not both:
                turn.tell("peace_offer", name, {"to": order.to}, (name, order.to))
            elif turn.now.at_war(*pair):
                wars = tuple(war for war in turn.now.wars if set(war.between) != set(pair))
                turn.now = replace(turn.now, wars=wars)
                turn.tell("peace", pair[0], {"societies": list(pair)})


def revolt(turn: Turn) -> None:
    """Step 0: revolutions are noted; with `same_turn` the new government counts at once (SO-R40)."""
    for name in turn.acting:
        for place, order in turn.orders(name, Revolution):
            turn.tell("revolution", name, {}, None, {"keep": order.keep})
            turn.note(name, place, "carried out")
            if turn.options.new_government_from == "same_turn":
                _govern(turn, name, order)


def declare(turn: Turn) -> None:
    """Step 7: declarations of war (SO-R51)."""
    for name in turn.acting:
        for place, order in turn.orders(name, DeclareWar):
            if not turn.society(order.on).living:
                turn.fail(name, place, "target_eliminated")
            else:
                turn.note(name, place, "you are at war")
                turn.make_war(name, order.on, "declared")


def change_governments(turn: Turn) -> None:
    """Step 7: the governments of this turn's revolutions begin (SO-41, SO-R40)."""
    if turn.options.new_government_from == "next_turn":
        for name in turn.acting:
            for _, order in turn.orders(name, Revolution):
                _govern(turn, name, order)


def concede(turn: Turn) -> None:
    """Step 7: a society has one standing concession at most; only it and the other learn of it (SO-R94)."""
    for name in turn.acting:
        for place, order in turn.orders(name, Concede, WithdrawConcession):
            before = [given.to for given in turn.now.concessions if given.by == name]
            to = order.to if isinstance(order, Concede) else ""
            if to and not turn.society(to).living:
                turn.fail(name, place, "target_eliminated")
                continue
            others = tuple(given for given in turn.now.concessions if given.by != name)
            turn.now = replace(turn.now, concessions=(*others, Concession(name, to)) if to else others)
            for other in sorted({*before, to} - {""}):
                turn.tell("concession", name, {"to": other, "stands": other == to}, (name, other))
            turn.note(name, place, "stands until you withdraw it" if to else "withdrawn")


def _govern(turn: Turn, name: str, order: Revolution) -> None:
    turn.change(name, government=order.government)
    turn.tell("government", name, {"government": order.government})
