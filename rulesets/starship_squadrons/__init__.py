"""Starship Squadrons: two sides fight over star systems on hex boards, under the fog of "?" counters."""

from pbmd.rules import Ruleset

from .checks import receive, withdraw
from .form import order_form
from .position import CODEC, awaiting, hours, miss, outcome, phase, resign, seats, step_name, take_over
from .random_player import random_orders
from .resolve import resolve
from .setup import check_signup, setup, signup_form
from .tables import INFO
from .view import view
from .world.state import Position

ruleset: Ruleset[Position] = Ruleset(
    info=INFO,
    check_signup=check_signup,
    signup_form=signup_form,
    setup=setup,
    load=CODEC.load,
    dump=CODEC.dump,
    turn=lambda position: position.day,
    seats=seats,
    awaiting=awaiting,
    sheets=lambda position: position.sheets,
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
    phase=phase,
    hours=hours,
)
