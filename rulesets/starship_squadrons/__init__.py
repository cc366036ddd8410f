"""Starship Squadrons: two sides fight over star systems on hex boards, under the fog of "?" counters."""

from pbmd.rules import Ruleset

from .document import dump
from .form import order_form
from .generate import random_orders
from .loading import load
from .receive import receive
from .resolve import resolve
from .setup import setup
from .signup import check_signup
from .state import Position
from .tables import INFO
from .turns import awaiting, hours, miss, outcome, resign, seats, sheets, step_name, take_over, turn, withdraw
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
    resign=resign,
    take_over=take_over,
    step_name=step_name,
    hours=hours,
)
