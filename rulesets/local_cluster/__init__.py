"""Local Cluster: nations act one after another on a map of 34 planets, with treaties by mail and NPC States."""

from pbmd.rules import Ruleset

from .checks import miss, receive, withdraw
from .form import order_form
from .position import CODEC, awaiting, load, outcome, places, ready, seats
from .random_player import random_orders
from .resolution.npc import resign, take_over
from .resolve import resolve
from .setup import check_signup, names, sample_signup, setup, signup_form
from .tables import INFO
from .view import tell, view
from .world.state import Position

ruleset: Ruleset[Position] = Ruleset(
    info=INFO,
    check_signup=check_signup,
    setup=setup,
    load=load,
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
    tell=tell,
    ready=ready,
    resign=resign,
    take_over=take_over,
)
