"""The storm's game whose turns have phases, of Tides (tests/rules/tides): in some phases only one side acts."""

import random
from pathlib import Path

from tests.acceptance.house import House
from tests.rules import tides
from tests.torture.post import Player

FOLDER = Path(tides.__file__).parent
SEATS = ("Anchor", "Barque", "Caravel", "Dinghy")


def new_game(house: House, number: int, deadline: str) -> list[Player]:
    """`pbmd new`, for more days than a storm can last."""
    name = f"tides-{number}"
    players = [Player(name, seat, f"{seat.lower()}{number}@players.test", _orders) for seat in SEATS]
    file = house.folder / f"players-{name}.toml"
    file.write_text("\n".join(f'[[players]]\nseat = "{player.seat}"\naddress = "{player.address}"\n' for player in players))
    options = ("--option", "days=100", "--deadline", deadline)
    house.pbmd("new", name, "--ruleset", "tides", "--players", str(file), *options)
    return players


def _orders(chance: random.Random) -> str:
    """A line for each phase that there is: in every one of them the others are refused."""
    return f"Base {chance.randint(1, 9)}\nMarch {chance.randint(1, 9)}\nFire {chance.choice(SEATS)}"
