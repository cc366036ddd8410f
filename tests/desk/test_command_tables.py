"""What a command does and how it is written stand in two rooms: neither is there without the other."""

import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from pbmd.desk import player
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.gm.commands import DEEDS
from pbmd.desk.language.commands import Command
from pbmd.desk.language.gm_commands import FORMS as MASTER_FORMS
from pbmd.desk.language.player_commands import FORMS
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender

TAKES = [Transaction, Sender, Arrived, Command, Answer]
"""What the act of a player's command is given."""


def test_every_act_has_a_row() -> None:
    acts = {*acts_in_the_room()}
    assert acts
    assert acts <= {form.act for form in FORMS}


def acts_in_the_room() -> Iterator[str]:
    """What the rooms of the players' commands have that could be the act of one."""
    for found in iter_modules(player.__path__, f"{player.__name__}."):
        for name, function in inspect.getmembers(import_module(found.name), inspect.isfunction):
            if function.__module__ == found.name and not name.startswith("_"):
                takes = inspect.signature(function, eval_str=True).parameters.values()
                if [parameter.annotation for parameter in takes] == TAKES:
                    yield f"{found.name}:{name}"


def test_every_command_of_the_game_master_does_something_and_every_deed_can_be_asked_for() -> None:
    assert [form.kind for form in MASTER_FORMS] == [*dict.fromkeys(form.kind for form in MASTER_FORMS)]
    assert {*DEEDS} == {form.kind for form in MASTER_FORMS}
