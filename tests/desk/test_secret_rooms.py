"""Press by the rules tells nobody who is a wolf: neither what is refused, nor STATUS, nor what others get of a message."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from tests.desk.test_secrecy import bytes_for_others, two_desks  # noqa: F401 – a fixture
from tests.desk.village import choose, village
from tests.desk.world import ADDRESS, World, address_of, message_of

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


def watched(world: World, pack: Sequence[str]) -> World:
    """A village in which somebody is dead, watched by two, by the dead and by one who lives."""
    village(world, wolves=pack, dead=("Fornax",), listed=True, spectators=True)
    for name in ("Vega", "Wega", "Fornax", "Cygnus"):
        world.send(name, "WATCH galaxy-7", to=ADDRESS)
        world.confirm(address_of(name))
    return world


def to_room(world: World, name: str, text: str) -> str:
    """Somebody who watches writes to the others, or tries to."""
    mail = [each for each in world.outbox("", name) if "+c0." in str(message_of(each)["Reply-To"])][-1]
    return world.reply(mail, f"PRESS TO SPECTATORS OF galaxy-7\n{text}\nEND PRESS")


def test_nothing_that_spectators_write_reaches_a_seat_be_it_dead_or_alive(two_desks: tuple[World, World]) -> None:  # noqa: F811
    seats = ("Altair", "Cygnus", "Deneb", "Electra", "Fornax")
    seen: list[Any] = []
    for world, text in zip(two_desks, ("Altair is a wolf.", "Cygnus is not one!"), strict=True):
        to_room(watched(world, ("Altair", "Borealis")), "Vega", text)
        ask_for_all(world, seats)
        choose(world, "Electra")
        seen.append(([got(world, seat) for seat in seats], bytes_for_others(world)["public journal"]))
        assert len(world.outbox("press", "Wega")) == 1
    assert seen[0] == seen[1]


def test_nothing_that_the_dead_know_reaches_those_who_watch(two_desks: tuple[World, World]) -> None:  # noqa: F811
    """Fornax, who is dead and watches, tries it in every way; the packs of the two worlds differ."""
    seen: list[Any] = []
    for world, pack in zip(two_desks, PACKS, strict=True):
        watched(world, pack)
        secret = f"The wolves are {', '.join(pack)}."
        assert "whoever plays in a game" in " ".join(to_room(world, "Fornax", secret).split())
        told = world.send("Fornax", f"PRESS TO SPECTATORS OF galaxy-7\n{secret}\nEND PRESS")
        assert "whoever plays in a game" in " ".join(told.split())
        world.send("Fornax", f"PRESS TO spectators\n{secret}\nEND PRESS")
        to_room(world, "Vega", "Who is it?")
        choose(world, "Electra")
        seen.append([got(world, name) for name in ("Vega", "Wega")])
    assert seen[0] == seen[1]
    assert all(b"The wolves are" not in raw for mails in seen[0] for _, raw in mails)
