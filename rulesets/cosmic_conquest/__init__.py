"""Cosmic Conquest: star systems on a map, units shared out between defense, conquest and growth, and one Supreme Overlord."""

from pbmd.rules import Ruleset

from .checks import miss, receive, resign, tell, withdraw
from .form import order_form
from .imagine import imagine
from .position import CODEC, awaiting, outcome, places, seats, waits
from .random_player import random_orders
from .resolve import resolve
from .setup import check_signup, names, sample_signup, setup, signup_form
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
    names=names,
    sample_signup=sample_signup,
    signup_form=signup_form,
    resign=resign,
    waits=waits,
    tell=tell,
    imagine=imagine,
)
