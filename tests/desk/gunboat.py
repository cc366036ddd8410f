"""An anonymous game (gunboat), to be played twice: all is the same but for who of two people plays which of two seats."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from pbmd.desk.changes import new_game
from tests.desk.world import ADDRESS, World

GAME = "galaxy-7"
PEOPLE = (("Anna Lindqvist", "anna@home.test", "Asia/Tokyo"), ("Bert Obermaier", "bert@away.test", "America/New_York"))
"""Name, address and time zone."""
SECRETS = ("Anna", "Lindqvist", "Bert", "Obermaier", "home.test", "away.test", "moved.test", "Tokyo", "New_York")
"""Words that stand nowhere else."""
CY, DORA, WATCHER = "cy@players.test", "dora@standby.test", "deneb@players.test"
HOMES = {"Altair": "Aquila", "Bellatrix": "Garnet", "Cygnus": "Quill"}
MINUTE = timedelta(minutes=1)


class Gunboat:
    """A game with three seats at a desk; the first two are the others' if `swapped`. Where it `stands` already it is not opened
    anew."""

    def __init__(self, world: World, *, swapped: bool, slug: str = "count", stands: bool = False, **terms: Any) -> None:
        self.world = world
        people = PEOPLE[::-1] if swapped else PEOPLE
        self.people = dict(zip(HOMES, (*people, ("Cy Ray", CY, "UTC")), strict=True))
        self.address = {seat: address for seat, (_, address, _) in self.people.items()}
        options = {"target": 10, "die": False} if slug == "count" else {}
        usual = {
            "holders": "hidden",
            "listed": True,
            "reminders": (),
            "deadline": "every Tuesday 20:00 UTC",
            "absences": "extend",
        }
        if not stands:
            world.open(GAME, ruleset=slug, options=options, **(usual | terms))
        self.form: Callable[[str], tuple[str, ...]] = _nation if slug == "local_cluster" else lambda _: ()

    def join(self) -> None:
        """All join by mail, in the order of seats, and somebody watches."""
        for seat, (name, address, _) in self.people.items():
            text = "\n".join((f"JOIN {GAME} AS {seat}", *self.form(seat)))
            self.world.send("", text, sender=f"{name} <{address}>", to=ADDRESS)
            self.world.confirm(address)
            self.world.now += MINUTE
        for address, text in ((WATCHER, f"WATCH {GAME}"), (f"Dora D. <{DORA}>", f"STANDBY {GAME}"), (WATCHER, "LIST")):
            self.world.send("", text, sender=address, to=ADDRESS)
            if text != "LIST":
                self.world.confirm(address.partition("<")[2].rstrip(">") or address)
        self.world.act(GAME, new_game.start_game)

    def play_another(self) -> None:
        """One of the two, always the same, plays in a second game with Cygnus, and writes a mail that could be for either."""
        name, address, _ = PEOPLE[0]
        self.world.open("nebula-8", options={"die": False}, holders="hidden", reminders=())
        for sender, seat in ((f"{name} <{address}>", "Vega"), (f"Cy Ray <{CY}>", "Wezen")):
            self.world.send("", f"JOIN nebula-8 AS {seat}", sender=sender, to=ADDRESS)
            self.world.confirm(address if seat == "Vega" else CY)
        self.world.act("nebula-8", new_game.start_game)
        self.world.send("Vega", "PRESS TO ALL\nhello\nEND PRESS", game="nebula-8", sender=f"{name} <{address}>")
        self.world.send("", "Add 4", sender=f"{name} <{address}>", to=ADDRESS)
        assert "Vega: your orders" in self.world.reply(self.world.questions(address)[-1], "nebula-8")

    def say(self, seat: str, text: str) -> str:
        """Whoever holds the seat writes; gives the answer, its lines made one."""
        name = self.people[seat][0]
        self.world.now += MINUTE
        return " ".join(self.world.send(seat, text, sender=f"{name} <{self.address[seat]}>").split())

    def chatter(self) -> None:
        """The two say all that could give them away without a word of their own that does, and Cygnus asks for all there is."""
        for seat in ("Altair", "Bellatrix"):
            assert "Your time zone is" in self.say(seat, f"TIMEZONE {self.people[seat][2]}")
        assert "You are away" in self.say("Altair", "ABSENT FROM 2026-12-02 TO 2026-12-02")
        assert "later, for everybody" in self.say("Bellatrix", "EXTEND 1h because of travel")
        assert "went to" in self.say("Altair", "PRESS TO ALL\nshall we\nEND PRESS")
        assert "went to" in self.say("Bellatrix", "PRESS TO Cygnus\nwe shall\nEND PRESS\nCALENDAR ON")
        self.say("Altair", "CANCEL ABSENCE")
        self.say("Cygnus", "CALENDAR ON\nSET REPORT DATA\nSTATUS\nHELP\nREPORT\nREPORT DATA")

    def move(self) -> None:
        """One of the two goes on from another address."""
        address = self.address["Altair"]
        there = f"{address.partition('@')[0]}@moved.test"
        self.say("Altair", f"ADDRESS {there}")
        for each in (address, there):
            self.world.reply(self.world.questions(each)[-1], "YES")
        self.address["Altair"] = there

    def replace(self) -> None:
        """The other resigns, and somebody who stood by takes over."""
        self.say("Bellatrix", "RESIGN")
        self.world.reply(self.world.questions(self.address["Bellatrix"])[-1], "YES")
        self.world.master("OFFER Bellatrix")
        self.world.reply(self.world.questions(DORA)[-1], "YES")
        self.is_replaced()

    def is_replaced(self) -> None:
        """Who stood by plays from here on."""
        self.people["Bellatrix"], self.address["Bellatrix"] = ("Dora D.", DORA, "UTC"), DORA

    def turn(self, orders: Mapping[str, str]) -> None:
        """A turn in which these seats order, to its end."""
        for seat, text in orders.items():
            self.say(seat, text)
        deadline = self.world.game().deadline
        assert deadline is not None
        assert self.world.pass_time(deadline + MINUTE - self.world.now)


def _nation(race: str) -> tuple[str, ...]:
    return (f"Race Name: {race}", f"Leader: Head of {race}", f"Home Planet: {HOMES[race]}", "Extra Traits: Warlike, Scholars")
