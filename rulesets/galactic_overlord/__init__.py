"""Galactic Overlord: factions with bases and build points, secret orders, and battles fought by orders of battle."""

from pbmd.rules import Ruleset

from .checks import receive, withdraw
from .form import order_form
from .imagine import imagine
from .position import CODEC, awaiting, miss, outcome, places, seats
from .random_player import random_orders
from .resolve import resolve, reveal
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
    reveal=reveal,
)
