"""Cosmic Conquest: star systems on a map, units shared out between defense, conquest and growth, and one Supreme Overlord."""

from pbmd.rules import Ruleset

from .document import dump, load
from .form import order_form
from .generate import random_orders
from .imagine import imagine
from .position import Position, awaiting, outcome, seats, sheets, turn, waits
from .receive import miss, receive, resign, tell, withdraw
from .resolve import resolve
from .signup import check_signup, names, sample_signup, setup
from .tables import INFO
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
    names=names,
    sample_signup=sample_signup,
    resign=resign,
    waits=waits,
    tell=tell,
    imagine=imagine,
)
