"""What a player's command does and how it is written stand in two rooms: an act that no row names is never done."""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

from pbmd.desk import player
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.language.commands import Command
from pbmd.desk.language.player_commands import FORMS
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender

TAKES = [Transaction, Sender, Arrived, Command, Answer]
"""What an act is given."""


def test_every_act_has_a_row() -> None:
    acts = {*acts_in_the_room()}
    assert acts
    assert acts <= {form.act for form in FORMS}


def acts_in_the_room() -> Iterator[str]:
    """The functions of the players' room that take what an act takes, by the names that rows have for them."""
    for found in walk_packages(player.__path__, f"{player.__name__}."):
        for name, function in inspect.getmembers(import_module(found.name), inspect.isfunction):
            if function.__module__ == found.name and not name.startswith("_"):
                takes = inspect.signature(function, eval_str=True).parameters.values()
                if [parameter.annotation for parameter in takes] == TAKES:
                    yield f"{found.name}:{name}"
