"""New Game: diggers dig for gold, and steal it from each other."""

from pbmd.rules import Ruleset

from .checks import CODEC, miss, receive, withdraw
from .form import order_form, random_orders
from .position import INFO, Position, awaiting, outcome, seats
from .resolve import resolve
from .setup import check_signup, setup
from .view import view

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
    random_orders=random_orders,
    step_name=lambda position: position.phase,
)
