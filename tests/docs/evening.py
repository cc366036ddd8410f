"""`python -m tests.docs.evening`: play the game of docs/evening.md, which is led by mail alone, and write the page anew.

The desk is a real one; only the mail servers are missing. All that the page shows of mails is what was sent and what came, but
for the last lines of each mail, which are the same in all, and for what a line with … stands for.
"""

from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlmodel import col

from pbmd.desk.changes.gm import send_gm_token
from pbmd.ledger.tables import Outbox
from tests.desk.world import ADDRESS, BEGIN, World, address_of, body_of, message_of

FILE = Path(__file__).parents[2] / "docs" / "evening.md"
GAME = "evenings"
GM = "gm@pbmd.test"
MOST_LINES = 24
"""Of a longer mail the page has so many lines."""
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
HEAD = """\
# A game master's evenings: one game by mail

A whole game of Galactic Overlord, from `pbmd new` to its end, led with mails alone while the players go on writing. Each mail
of the game master is a reply to the one that stands above it. The page is written by a script that plays the game (`python -m
tests.docs.evening`), and a test plays it again: these are the mails that come. The last lines, which are the same in each
of them, are left out, and `…` stands for more lines. All times are UTC. What each command does stands in
[the manual](gm-decide.md#mastering-by-mail).
"""
_PEOPLE = {"Ada": "Altair", "Ben": "Borealis", "Cleo": "Cygnus", "Dora": "Cygnus"}


@dataclass
class Evenings:
    """A game, the page about it as far as it has come, and the mails that the game master has seen."""

    world: World
    page: list[str] = field(default_factory=lambda: [HEAD])
    seen: int = 0
    mails: list[Outbox] = field(default_factory=list[Outbox])

    # The page

    def chapter(self, title: str) -> None:
        """A new heading, with the time."""
        self.page.append(f"## {title}\n\n*{self.world.now:%A, %d %B %Y, %H:%M}*\n")

    def tell(self, text: str) -> None:
        """A paragraph."""
        self.page.append(f"{text}\n")

    def looks(self) -> list[Outbox]:
        """The game master reads what has come; gives the mails."""
        new = self.world.mails(col(Outbox.recipient) == GM, col(Outbox.id) > self.seen)
        for mail in new:
            self.seen = mail.id or 0
            self.page.append(f"```text\n{_shown(mail)}\n```\n")
        self.mails += new
        return new

    def writes(self, text: str, to: Outbox | None = None) -> list[Outbox]:
        """The game master replies, to the last mail unless it is another, and reads what comes of it."""
        self.page.append("You reply:\n\n```text\n" + text + "\n```\n")
        self.world.reply(to or self.mails[-1], text)
        return self.looks()

    # The players

    def at(self, day: int, hour: int, minute: int = 0) -> None:
        """Time passes until then, and what is due is done: the day of November, or counted on from there."""
        then = datetime(2026, 11, 1, hour, minute, tzinfo=BEGIN.tzinfo) + (day - 1) * DAY
        while self.world.now < then:
            self.world.pass_time(min(HOUR, then - self.world.now))

    def says(self, who: str, text: str) -> str:
        """A player writes to the game; gives the answer."""
        self.world.now += MINUTE
        answer = self.world.send(_PEOPLE[who], text, game=GAME, sender=address_of(who), read=True)
        assert answer, f"{who} was not answered"
        return answer

    def joins(self, who: str) -> None:
        """Somebody asks for the list, and replies with the lines in it, with a name of their own."""
        self.world.now += MINUTE
        answer = self.world.send("", "Hello! How do I join?", sender=address_of(who), to=ADDRESS)
        assert f"JOIN {GAME} AS" in answer
        listed = self.world.mails(col(Outbox.recipient) == address_of(who))[-1]
        self.world.now += MINUTE
        bases = f"Bases: {who} One, {who} Two, {who} Three"
        welcome = self.world.reply(listed, f"JOIN {GAME} AS {_PEOPLE[who]}\n{bases}\nCheers, {who}")
        assert welcome.startswith(f"Welcome to {GAME}")

    def order(self, *people: str) -> None:
        """Orders of these come, and the clock looks at the game."""
        for who in people:
            self.says(who, "Stockpile\nREADY")
        self.world.pass_time(MINUTE)


def _shown(mail: Outbox) -> str:
    body = body_of(mail).rpartition("\n--\n")[0] or body_of(mail)
    lines = body.strip("\n").splitlines()
    cut = lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "…"]
    return "\n".join([f"Subject: {message_of(mail)['Subject']}", "", *cut])


def play(world: World) -> Evenings:
    """The whole game."""
    game = Evenings(world)
    world.now = BEGIN + 8 * HOUR
    _opens(game)
    _first_turn(game)
    _rules_on_a_miss(game)
    _replaces(game)
    _is_overtaken(game)
    _ends(game)
    return game


def _opens(game: Evenings) -> None:
    game.chapter("Friday: a game for friends")
    game.tell("On the machine:")
    options = '--deadline "every Sunday 20:00" --second-thought 0m --option turn_limit=4'
    game.page.append(f"```sh\npbmd new {GAME} --ruleset galactic_overlord {options}\n```\n")
    world = game.world
    world.open(GAME, ruleset="galactic_overlord", options={"turn_limit": 4}, deadline="every Sunday 20:00", second_thought="0m")
    world.act(GAME, send_gm_token, f"gm-mail {GAME}")
    game.tell("That is all that is done there until the game is over. A mail comes:")
    game.looks()
    game.tell("The words go to Ada, Ben, Cleo and Dora. Three of them write, and join with the lines that they get.")
    game.at(21, 10)
    for who in ("Ada", "Ben", "Cleo"):
        game.joins(who)
    game.at(22, 11)
    game.chapter("Sunday: enough to begin")
    game.looks()
    game.tell("Dora has not written, and cannot before Christmas.")
    game.writes("START because Dora cannot play before Christmas")


def _first_turn(game: Evenings) -> None:
    game.at(29, 16)
    game.chapter("Sunday afternoon: more time, with a reason")
    game.says("Ada", "EXTEND 3 days because of a conference, until Wednesday")
    asked = game.looks()[-1]
    game.tell("Meanwhile Ben sends orders and writes to everybody, and Cleo's mail has nothing that could be an order.")
    game.says("Ben", "Stockpile\nPRESS TO ALL\nIs anybody awake?\nEND PRESS")
    game.says("Cleo", "my ships shall go somewhere nice")
    game.tell("None of that makes the question void.")
    game.writes("APPROVE 1 because nobody is in a hurry", asked)
    game.at(32, 18)
    game.says("Ada", "Stockpile")


def _rules_on_a_miss(game: Evenings) -> None:
    game.at(32, 21)
    game.chapter("Wednesday: a turn was missed")
    game.looks()
    game.tell("Cleo writes to you that she did not know how orders are written, and asks for another try.")
    game.writes("ROLLBACK TO TURN 1 because Cleo is new to this, and nobody minds")
    question = game.mails[-1]
    game.tell("Before you say yes Ada and Ben send orders for turn 2, and Ben asks for STATUS. The question still holds.")
    game.says("Ada", "Stockpile")
    game.says("Ben", "Stockpile")
    game.says("Ben", "STATUS")
    game.writes("YES", question)
    game.tell("All players get turn 1 once more. As soon as all orders are in it is over.")
    game.at(33, 18)
    game.order("Ada", "Ben", "Cleo")
    game.looks()


def _replaces(game: Evenings) -> None:
    game.at(35, 9)
    game.chapter("Saturday: a day more for all")
    game.tell("A storm has cut off half of the town.")
    game.writes("EXTEND 24h because of the storm\nQUIET Saturday because nobody sits at a desk then\nSTATUS")
    game.at(36, 19)
    game.says("Ada", "Stockpile")
    game.says("Ben", "Stockpile")
    game.at(45, 8)
    game.chapter("Tuesday: somebody else for Cygnus")
    game.looks()
    game.tell("Cleo is moving house. Dora would like to play after all; but Cleo still holds the seat, so you are asked first.")
    game.writes("REPLACE Cygnus BY dora@players.test because Cleo is moving house")
    question = game.mails[-1]
    game.tell("Ada sends orders, changes them, and asks for a report. Your yes counts all the same.")
    game.says("Ada", "Stockpile")
    game.says("Ada", "Stockpile\nREPORT")
    game.writes("YES", question)
    game.world.now += MINUTE
    game.world.reply(game.world.questions(address_of("Dora"))[-1], "Yes please!")
    game.tell('Dora answers "Yes please!", and Cygnus is hers. The news of the next day say so.')
    game.at(46, 9)
    game.looks()


def _is_overtaken(game: Evenings) -> None:
    game.at(47, 19)
    game.chapter("Thursday: overtaken by the players")
    game.tell("Ben has sent orders, too, and all want to go on. You do not want to wait for Dora.")
    game.says("Ben", "Stockpile")
    game.writes("RESOLVE because we all want to see what comes")
    question = game.mails[-1]
    game.tell("But her orders come first, and with them the turn is over. Your yes comes too late, and the answer says why.")
    game.order("Dora")
    game.writes("YES", question)
    game.tell("So you are asked again, as things stand now, and leave it.")
    game.writes("NO")


def _ends(game: Evenings) -> None:
    game.at(54, 18)
    game.chapter("The last turn")
    game.order("Ada", "Ben", "Dora")
    game.looks()
    game.tell(f"On the machine `pbmd export {GAME}` writes all of it to `{GAME}.zip`.")


def page() -> str:
    """The page, from a game that is played now."""
    with TemporaryDirectory() as folder, closing(World(Path(folder))) as world:
        return "\n".join(play(world).page)


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
