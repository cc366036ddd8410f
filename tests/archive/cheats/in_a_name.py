"""What a host does who does something in a player's name besides sending orders, and keeps the answer back."""

from typing import Any

from tests.archive.cheats.hosts import Host, then
from tests.archive.cheats.played import CHEATED, LOOKS_ON, MINUTE, MOVES, Evidence, Move, Played, World, late, sends


def _untold(name: str, move: Move, says: bytes) -> Host:
    """A move is made in Borealis's name, and the answer that says so is kept back."""

    def host(played: Played) -> Evidence:
        instead: dict[str, Any] = {name.replace(" ", "_"): move}
        gone_on = played.again(name, **instead)
        told = [raw for raw in gone_on.mails[CHEATED] if says in raw and b"<acknowledgement" in raw]
        assert told
        mails = tuple(raw for raw in gone_on.mails[CHEATED] if raw not in told)
        return Evidence(gone_on.archive, {**gone_on.mails, CHEATED: mails})

    return host


def votes_in_a_name(played: Played) -> Evidence:
    return _untold("vote b", MOVES["vote b"], b"You have voted")(played)


def writes_press_in_a_name(played: Played) -> Evidence:
    move = sends(CHEATED, f"PRESS TO {LOOKS_ON}\nI give up.\nEND PRESS")
    return _untold("c2", then(move, late), b"Your message went")(played)


def takes_orders_back_in_a_name(played: Played) -> Evidence:
    return _untold("c2", then(sends(CHEATED, "CANCEL ORDERS"), late), b"are cancelled")(played)


def takes_time_in_a_name(played: Played) -> Evidence:
    return _untold("c2", then(sends(CHEATED, "EXTEND 12h"), late), b"extension")(played)


def is_ready_in_a_name(played: Played) -> Evidence:
    move = then(sends(CHEATED, "Add 7\nWAIT"), sends(CHEATED, "READY"))
    return _untold("b3", move, b"may be resolved")(played)


def resigns_in_a_name(played: Played) -> Evidence:
    def move(world: World) -> None:
        world.now += 7 * MINUTE
        world.resign(CHEATED)

    gone_on = played.again("b3", b3=move)
    return Evidence(gone_on.archive, {**gone_on.mails, CHEATED: played.until("b3")[CHEATED]})
