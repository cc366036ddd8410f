"""The storm's sequential game, of Local Cluster: each moves when it is its turn, and what is sent ahead waits."""

import json
import random

from tests.acceptance.house import House
from tests.torture.post import Player

HOMES = {"Terrans": "Aquila", "Zorg": "Garnet", "Qix": "Quill"}
_MOVES = ("End move", "Build army at {home}\nEnd move", "Build army at {home}")


def new_game(house: House, number: int, deadline: str) -> list[Player]:
    """`pbmd new` with races whose homes are known. Nobody attacks."""
    name = f"cluster-{number}"
    players = [_player(name, race, number) for race in HOMES]
    entries = (
        f'[[players]]\nseat = "{player.seat}"\naddress = "{player.address}"\nsetup = {json.dumps(_setup(player.seat))}\n'
        for player in players
    )
    file = house.folder / f"players-{name}.toml"
    file.write_text("\n".join(entries))
    house.pbmd("new", name, "--ruleset", "local_cluster", "--players", str(file), "--deadline", deadline)
    return players


def _setup(race: str) -> list[str]:
    return [f"Race Name: {race}", f"Leader: Head of {race}", f"Home Planet: {HOMES[race]}", "Extra Traits: Warlike, Scholars"]


def _player(game: str, race: str, number: int) -> Player:
    def orders(chance: random.Random) -> str:
        return chance.choice(_MOVES).format(home=HOMES[race])

    return Player(game, race, f"{race.lower()}{number}@players.test", orders)
