"""Galactic Overlord: factions with bases and build points, secret orders, and battles fought by orders of battle."""

from pbmd.rules import Ruleset

from .document import dump, load
from .generate import random_orders
from .imagine import imagine
from .position import Position, awaiting, miss, outcome, seats, sheets, turn
from .receive import receive, withdraw
from .resolve import resolve, setup
from .signup import check_signup
from .tables import INFO
from .view import order_form, view

ruleset: Ruleset[Position] = Ruleset(
    info=INFO,
    check_signup=check_signup,
    setup=setup,
    load=load,
    dump=dump,
    turn=turn,
    seats=seats,
    awaiting=awaiting,
    sheets=sheets,
    receive=receive,
    withdraw=withdraw,
    miss=miss,
    resolve=resolve,
    view=view,
    order_form=order_form,
    outcome=outcome,
    random_orders=random_orders,
    imagine=imagine,
)
