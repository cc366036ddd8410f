"""Press by the rules tells nobody who is a wolf: neither what is refused, nor STATUS, nor what others get of a message."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from tests.desk.test_secrecy import bytes_for_others, two_desks  # noqa: F401 – a fixture
from tests.desk.village import choose, village
from tests.desk.world import World

PACKS = (("Altair", "Borealis"), ("Altair", "Deneb"))
TRIES = "\n".join(
    f"PRESS TO {name}\nAre you there?\nEND PRESS"
    for name in ("WOLVES", "Borealis", "Deneb", "Fornax", "graveyard", "nobody", "ALL")
)


def got(world: World, seat: str) -> list[Any]:
    return [(mail.message_id, mail.raw) for mail in world.outbox("", seat)]


def ask_for_all(world: World, seats: Sequence[str]) -> None:
    for seat in seats:
        world.send(seat, f"{TRIES}\nSTATUS\nHELP press")


def test_nobody_outside_the_pack_can_tell_by_press_who_is_in_it(two_desks: tuple[World, World]) -> None:  # noqa: F811
    """In one world Borealis is a wolf, in the other Deneb. Cygnus, who lives, and Fornax, who is dead, try everything."""
    seen: list[Any] = []
    for world, pack in zip(two_desks, PACKS, strict=True):
        village(world, wolves=pack, dead=("Fornax",))
        ask_for_all(world, ("Cygnus", "Fornax"))
        world.send("Altair", "PRESS TO wolves\nWhom do we take?\nEND PRESS")
        choose(world, "Electra")
        ask_for_all(world, ("Cygnus", "Fornax", "Electra"))
        seen.append([got(world, seat) for seat in ("Cygnus", "Fornax", "Electra")])
    assert seen[0] == seen[1]
    assert all(b"Whom do we take?" not in raw for mails in seen[0] for _, raw in mails)


def test_the_words_of_a_refusal_are_the_same_whoever_is_named(two_desks: tuple[World, World]) -> None:  # noqa: F811
    """A wolf, somebody who is dead, a room of others, and nobody at all."""
    world = village(two_desks[0], dead=("Fornax",))
    told = [
        " ".join(world.send("Cygnus", f"PRESS TO {name}\nhello\nEND PRESS").split())
        for name in ("Altair", "Fornax", "wolves", "Vega")
    ]
    refusals = [re.search(r"PRESS: by the rules .*? now\.", each) for each in told]
    assert {found and re.sub(r'"\w+"', '""', found[0]) for found in refusals} == {
        'PRESS: by the rules you cannot write to "" now; you can write to nobody now.'
    }


@pytest.mark.parametrize("delivery", ["now", "report"])
def test_a_message_to_a_room_is_in_nothing_that_others_get(two_desks: tuple[World, World], delivery: str) -> None:  # noqa: F811
    for world, text in zip(two_desks, ("take Electra", "take Cygnus!"), strict=True):
        village(world, press_delivery=delivery)
        world.send("Altair", f"PRESS TO wolves\n{text}\nEND PRESS")
        choose(world, "Electra")
    one, two = ([got(world, seat) for seat in ("Cygnus", "Deneb", "Electra", "Fornax")] for world in two_desks)
    assert one == two
    journals = [bytes_for_others(world)["public journal"] for world in two_desks]
    assert [entry[:3] for entry in journals[0]] == [entry[:3] for entry in journals[1]]
    assert all("wolves" not in entry[2] for entry in journals[0])
