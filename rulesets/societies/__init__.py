"""Societies: spies, trade, research, cities, wonders and wars on a square grid; at each step, first in is first served."""

from pbmd.rules import Ruleset

from .document import dump, load
from .form import order_form
from .generate import random_orders
from .imagine import imagine
from .position import Position, awaiting, miss, outcome, seats, sheets, turn, withdraw
from .receive import receive
from .resolve import resolve
from .setup import setup
from .signup import check_signup
from .tables import INFO
from .victory import rule, rulings
from .view import view

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
    rulings=rulings,
    rule=rule,
    imagine=imagine,
)
