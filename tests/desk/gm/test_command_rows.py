"""What a command of the game master does stands above how it is written, and the row of each names it: what holds of every
row."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.gm import commands, seat_commands
from pbmd.desk.gm.commands import Done, function_named
from pbmd.desk.gm.question_facts import FACTS, Said
from pbmd.desk.language.gm_commands import FORMS, MasterForm

TAKES = [Transaction, OpenGame, Said]
"""What is given to both functions of a row."""


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.kind)
def test_what_a_row_names_is_there_and_takes_what_it_is_given(form: MasterForm) -> None:
    for name, gives in ((form.act, Done), (form.foresee, str)):
        if name:
            assert takes(function_named(name)) == TAKES
            assert inspect.signature(function_named(name), eval_str=True).return_annotation is gives
    assert FACTS.keys() >= {*form.rests_on}
    assert bool(form.rests_on) == bool(form.foresee), "what is asked about rests on facts, and nothing else does"
    assert bool(form.unclosed) == bool(form.closed_by)


def test_every_function_that_takes_what_rows_give_has_a_row() -> None:
    found = {
        f"{module.__name__}:{name}"
        for module in (commands, seat_commands)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and takes(function) == TAKES
    }
    assert found == {name for form in FORMS for name in (form.act, form.foresee) if name}


def takes(function: Callable[..., Any]) -> list[Any]:
    return [parameter.annotation for parameter in inspect.signature(function, eval_str=True).parameters.values()]
