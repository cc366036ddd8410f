"""The storm's game of Cosmic Conquest: a psionic that asks for the orders of others, and one of these that is often silent."""

import json
import random

from tests.acceptance.house import House
from tests.rulesets.cosmic_conquest.desk import HOMES, TECHS, setup_lines
from tests.torture.letters import Kind, asking
from tests.torture.post import Player

_ORDERS = ("Pass", "Defend {home} with {units} units", "Invest {units} units in {home}", "Pass\nPublish orders")
_SILENT = {"Green": 0.4}
"""In how many of its turns a faction sends no orders."""


def new_game(house: House, number: int, deadline: str) -> list[Player]:
    """`pbmd new` with factions whose homes are known. Nobody attacks, so that all orders stay good."""
    name, players = f"conquest-{number}", [_player(f"conquest-{number}", colour, number) for colour in HOMES]
    entries = (
        f'[[players]]\nseat = "{player.seat}"\naddress = "{player.address}"\nsetup = {json.dumps(setup_lines(player.seat))}\n'
        for player in players
    )
    file = house.folder / f"players-{name}.toml"
    file.write_text("\n".join(entries))
    options = ("--option", "home_choice=first_in", "--deadline", deadline)
    house.pbmd("new", name, "--ruleset", "cosmic_conquest", "--players", str(file), *options)
    return players


def _player(game: str, colour: str, number: int) -> Player:
    def orders(chance: random.Random) -> str:
        return chance.choice(_ORDERS).format(home=HOMES[colour], units=chance.randint(1, 9))

    targets = [other for other in HOMES if TECHS[other] != "Psionic"]
    more: tuple[Kind, ...] = (asking(targets),) if TECHS[colour] == "Psionic" else ()
    return Player(game, colour, f"{colour.lower()}{number}@players.test", orders, more, _SILENT.get(colour, 0))
