"""What happened to a game around its turns is told on its pages: who did what, why, and in whose hands the seats were."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.archive.write import chronicle
from pbmd.archive.write.chronicle import Chronicle, Hand
from pbmd.archive.write.presentation import Message, happened_in
from pbmd.archive.write.reader import Archive, dated_entry
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.deadline_changes import extend
from pbmd.desk.changes.gm import abandon, announce, eject
from pbmd.desk.changes.pauses import pause, resume
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.changes.seats import Consent, Holder, hand_over
from pbmd.ledger.entries.kinds import KINDS
from tests.archive.kept import archived
from tests.desk.world import World

SECOND = "zaphod@players.test"
VIEWS = ("all", "public", "seat:Altair")
SHOWN_ELSEWHERE = {"press", "announced", "told", "missed", "resolved", "joined", "revealed", "finished"}
"""What the pages have among the messages, in the reports of the turn, or beside the name of the seat."""
OF_SEATS_ALONE = {
    *("created", "signed-up", "preferred", "orders", "cancelled", "wait", "ready", "token", "address", "timezone", "ballot"),
    *("decided", "gm-token"),
}
"""What the pages say nothing of: whoever wants it reads the journal."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """Archives of a game to which everything happened, by view."""
    home = tmp_path_factory.mktemp("told")
    with closing(World(home)) as world:
        world.count(reminders=(), votes="all", vote_ballots="open")
        world.send("Altair", "EXTEND 5h because of <b>a wedding</b>")
        world.act("galaxy-7", more_time)
        turn(world)
        world.act("galaxy-7", pause, "Christmas")
        world.now += timedelta(days=3, hours=2)
        world.act("galaxy-7", resume)
        world.act("galaxy-7", announce, "Half of it is over.")
        world.send("Borealis", "PRESS TO ALL\nShall we?\nEND PRESS\nPRESS TO Altair\nYou and me.\nEND PRESS")
        turn(world)
        world.act("galaxy-7", roll_back, 2, "a mistake in the rules")
        replaced(world)
        world.act("galaxy-7", removed)
        turn(world)
        world.send("Altair", "PROPOSE DRAW because of <b>the snow</b>")
        world.act("galaxy-7", abandon, "the snow is too deep")
        views = {view: archived(world, home / view.partition(":")[0], view, game="galaxy-7") for view in VIEWS}
        yield views | {"anonymised": archived(world, home / "anonymised", game="galaxy-7", anonymised=True)}


def turn(world: World) -> None:
    """The open turn ends by its deadline, a minute after orders of two came."""
    for seat in ("Borealis", "Cygnus"):
        world.send(seat, "Add 2", sender=world.seat(seat).address)
    world.now += timedelta(minutes=1)
    world.pass_time(timedelta(days=30))


def more_time(work: Transaction, table: OpenGame) -> None:
    extend(work, table, timedelta(hours=24), "the game master", "the mail was down", table.seat("Borealis"))


def removed(work: Transaction, table: OpenGame) -> None:
    eject(work, table, table.seat("Borealis"), "he was rude")


def replaced(world: World) -> None:
    """Cygnus goes to somebody else."""

    def hands_over(work: Transaction, table: OpenGame) -> None:
        hand_over(work, table, table.seat("Cygnus"), SECOND, Consent(1), Holder("Zaphod B.", "UTC"))

    world.act("galaxy-7", hands_over)


def happened(archive: Path) -> tuple[list[str], list[Hand]]:
    """What an archive tells in words, and who held its seats."""
    chronicle, told = Chronicle(), list[str]()
    for stretch in Archive(archive).stretches():
        for each in happened_in(chronicle, stretch, "then"):
            if isinstance(each, Message):
                told.append(f"{each.who} to {each.to}: {each.text}")
            else:
                told.append(f"{each.words} {each.reason}".strip())
    return told, chronicle.hands(Archive(archive).game["seats"])


TOLD = [
    "The game began with 3 players.",
    "Altair moved the deadline by 5 h, to Mon 23 Nov 2026 17:00 UTC. <b>a wedding</b>",
    "The game master gave Borealis 1 day more, until Tue 24 Nov 2026 17:00 UTC. the mail was down",
    "The game master paused the game. Christmas",
    "The game master resumed the game after 3 days 2 h; the deadline is now Sat 26 Dec 2026 14:01 UTC.",
    "the game master to all: Half of it is over.",
    "Borealis to all: Shall we?",
    "Borealis to Altair: You and me.",
    "The game master took the game back from turn 3 to the beginning of turn 2. a mistake in the rules",
    "Zaphod B. took over Cygnus.",
    "The game master took Borealis from its player. he was rude",
    "Altair proposed to vote on a draw (vote 1). <b>the snow</b>",
    "Vote 1 is over.",
]


@pytest.mark.parametrize(
    ("view", "lacks", "instead"),
    [
        ("all", "", ""),
        ("seat:Altair", "Zaphod B. took over Cygnus.", "Cygnus has a new player."),
        ("public", "Zaphod B. took over Cygnus.", "Cygnus has a new player."),
    ],
)
def test_who_did_what_and_why_is_told_to_those_who_may_know(told: dict[str, Path], view: str, lacks: str, instead: str) -> None:
    words, _ = happened(told[view])
    expected = [instead if each == lacks else each for each in TOLD if view != "public" or "You and me" not in each]
    assert words == expected


def test_who_held_a_seat_is_told_from_when_until_when(told: dict[str, Path]) -> None:
    when = "Fri 22 Jan 2027, then"
    assert happened(told["all"])[1] == [
        Hand("Altair", "Altair's player", "the start", "the end"),
        Hand("Borealis", "Borealis's player", "the start", f"{when}: removed by the game master"),
        Hand("Cygnus", "Cygnus's player", "the start", f"{when}: replaced"),
        Hand("Cygnus", "Zaphod B.", when, "the end"),
    ]
    names = [hand.holder for view in ("public", "anonymised") for hand in happened(told[view])[1]]
    assert names == ["", "", "the first player", "the second player"] * 2


def test_without_names_it_is_told_that_something_was_and_not_what(told: dict[str, Path]) -> None:
    assert happened(told["anonymised"])[0] == [
        "The game began with 3 players.",
        "Somebody got more time.",
        "Somebody got more time.",
        "The game master paused the game.",
        "The game master resumed the game after 3 days 2 h; the deadline is now Sat 26 Dec 2026 14:01 UTC.",
        "The game master wrote to all players.",
        "The game master took the game back.",
        "Cygnus has a new player.",
        "The game master took a seat from its player.",
        "A player proposed a vote.",
        "Vote 1 is over.",
    ]


def test_each_kind_of_entry_has_a_sentence_or_needs_none() -> None:
    silent = {*KINDS} - {*chronicle.SENTENCES}
    assert silent - SHOWN_ELSEWHERE - OF_SEATS_ALONE == set(), "chronicle.py has no sentence for them"
    assert silent >= SHOWN_ELSEWHERE | OF_SEATS_ALONE


def pages_of(archive: Path) -> str:
    """All pages of an archive, and what can be searched in them."""
    return "\n".join(
        path.read_text() for path in (archive / "index.html", *sorted((archive / "assets").rglob("*"))) if path.is_file()
    )


def test_the_pages_have_it_between_the_turns_and_escape_what_anybody_wrote(told: dict[str, Path]) -> None:
    index = (told["all"] / "index.html").read_text()
    story = index[index.index('id="story"') : index.index('id="files"')]
    places = [
        story.index(words)
        for words in ("&lt;b&gt;a wedding", ">Turn 1<", "Christmas", "Half of it", ">Turn 2, rolled", "a mistake")
    ]
    assert places == sorted(places)
    assert "You and me" not in index
    assert "1 private message" in index
    assert '<td class="words">Zaphod B.</td>' in index
    back = next((told["all"] / "assets" / "turns").glob("rolled-back-*-002.html")).read_text()
    assert 'by the game master: <q class="why">a mistake in the rules</q>' in back
    assert not [path for path in told["all"].rglob("*.html") if "<b>" in path.read_text()]


@pytest.mark.parametrize("view", ["all", "public", "seat:Altair", "anonymised"])
def test_no_address_is_on_any_page(told: dict[str, Path], view: str) -> None:
    pages = pages_of(told[view])
    assert "players.test" not in pages
    assert ("Zaphod" in pages) is (view == "all")
    assert ("wedding" in pages) is ("the snow&lt;" in pages) is (view != "anonymised")


@pytest.mark.parametrize(
    "given", [{"minutes": "1"}, {"minutes": 10**13}, {"minutes": 1, "by": 3}, {"minutes": 1, "deadline": "soon"}, {}]
)
def test_of_what_pbmd_does_not_write_no_more_is_told_than_its_kind(given: dict[str, object]) -> None:
    """The damaged row of a ledger must keep no archive from being written; `pbmd verify` names it."""
    public = {"turn": 1, "seat": "", "by": "Red", "reason": "", **given}
    entry = dated_entry({"number": 1, "at": "2026-11-20T12:00:00.000000Z", "kind": "extended", "public": public})
    assert [note.words for note in Chronicle().take([entry], "then")] == ["Somebody got more time."]


IMPORTED = {
    "seats": ["Red"],
    "given_up": ["Red"],
    "archive": {"game": "old", "entries": 9, "head": "ab", "entry": {"number": 8, "hash": "cd"}},
    "secret": "ef",
    "commitment": "01",
}


def test_older_entries_that_do_not_say_all_are_told_as_far_as_they_go() -> None:
    entries = [
        dated_entry({"number": number, "at": "2026-11-20T12:00:00.000000Z", "kind": kind, "public": {"turn": 1, **public}})
        for number, (kind, public) in enumerate(
            [
                ("extended", {"minutes": 90, "by": "Red", "seat": "Red", "reason": ""}),
                ("resumed", {}),
                ("paused", {"reason": "a defect"}),
                ("quiet", {"quiet_days": ["saturday"], "holidays": ["2026-12-24"], "quiet_zone": "UTC", "reason": ""}),
                ("absent", {}),
                ("absent", {"seat": "Red", "from": "2026-12-24", "to": "2027-01-02"}),
                ("imported", IMPORTED),
            ]
        )
    ]
    assert [note.words for note in Chronicle().take(entries, "then")] == [
        "Red took 1 h 30 min more.",
        "The game master resumed the game.",
        "The game stopped by itself, because of a fault.",
        "The game master changed the days on which no deadline falls: Saturday, 2026-12-24.",
        "Red was away Thu 24 Dec 2026 to Sat 2 Jan 2027.",
        "The game came here from another host, where it was called old.",
    ]
