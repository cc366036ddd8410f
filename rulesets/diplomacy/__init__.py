"""Diplomacy: seven powers write their moves at once, and who supports whom decides."""

from pbmd.rules import Ruleset

from .checks import order_keys, receive, withdraw
from .form import order_form
from .imagine import imagine
from .position import CODEC, awaiting, disorder, miss, outcome, phase, places, resign, seats, step_name, take_over
from .random_player import random_orders
from .resolve import resolve
from .setup import check_signup, fixed_seats, most_seats, sample_signup, setup, signup_form
from .tables import INFO
from .view import view
from .world.state import Position

ruleset: Ruleset[Position] = Ruleset(
    info=INFO,
    check_signup=check_signup,
    setup=setup,
    load=CODEC.load,
    dump=CODEC.dump,
    turn=lambda position: position.turn,
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
    places=places,
    random_orders=random_orders,
    imagine=imagine,
    sample_signup=sample_signup,
    signup_form=signup_form,
    most_seats=most_seats,
    fixed_seats=fixed_seats,
    resign=resign,
    take_over=take_over,
    disorder=disorder,
    step_name=step_name,
    phase=phase,
    order_keys=order_keys,
)
