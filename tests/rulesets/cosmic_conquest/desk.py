"""A desk with a game of Cosmic Conquest whose seats, homes and technologies a test can rely on."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import rulesets.cosmic_conquest as package
from pbmd.desk.changes import new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.rules import Line, Signup
from pbmd.terms.terms import Terms
from tests.desk.world import World, address_of

GAME = "galaxy-7"
HOMES = {"Red": "Sol", "Purple": "Solaria", "Green": "Aldebaran"}
TECHS = {"Red": "Tachyon", "Purple": "Psionic", "Green": "BioMech"}


def setup_lines(colour: str) -> tuple[str, ...]:
    """The sign-up of a faction."""
    return (
        f"Faction: House {colour}",
        f"Colour: {colour}",
        f"Admiral: Admiral {colour}",
        "Traits: Conqueror, Defender",
        f"Technology: {TECHS[colour]}",
        f"Home: {HOMES[colour]}",
    )


def conquest(world: World, options: Mapping[str, Any] | None = None, *, game: str = GAME, **terms: Any) -> World:
    """Red, Purple (the psionic) and Green, in the homes of `HOMES`; without reminders unless the terms want them."""
    folder = Path(package.__file__).parent
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"rulesets": (folder,)}))
    with changing_games(world.desk) as work:
        chosen = {"home_choice": "first_in", **(options or {})}
        table = new_game.create_game(
            work, game, "cosmic_conquest", Terms(**({"reminders": (), "second_thought": "0m"} | terms)), chosen
        )
        for colour in HOMES:
            lines = tuple(Line(number, text) for number, text in enumerate(setup_lines(colour), start=1))
            verdicts = new_game.add_seat(
                work, table, Signup(colour, lines), new_game.Newcomer(address_of(colour), f"{colour}'s player")
            )
            assert not any(verdict.message for verdict in verdicts), verdicts
        new_game.start_game(work, table)
    return world
