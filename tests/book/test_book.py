"""What stands in the book of a game: its chapters, and nothing that the archive does not open."""

import json
import random
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from pbmd.archive.format.packed import unpacked
from pbmd.archive.format.seals import NotReadable
from pbmd.book.chapters import book_of
from pbmd.book.elements import Block, Book, Box, Heading, Items, Paragraph, Picture, Press, Table, Verbatim, plain_words
from pbmd.book.epub import epub_of
from pbmd.book.from_archive import NotABook, read_story
from pbmd.book.zine import zine_of, zine_text
from pbmd.desk.changes.gm import abandon
from pbmd.rules.registry import slugs
from tests.archive.kept import archived, conquered
from tests.archive.made import forge
from tests.desk.world import World
from tests.doses import dose
from tests.rulesets.cosmic_conquest.desk import GAME


def words_of(blocks: tuple[Block, ...]) -> Iterator[str]:
    """All words of these blocks."""
    for block in blocks:
        match block:
            case Heading(_, text) | Verbatim(text):
                yield text
            case Paragraph(runs):
                yield plain_words(runs)
            case Items(items):
                for item in items:
                    yield from words_of(item)
            case Table(rows):
                yield from (plain_words(cell.runs) for row in rows for cell in row)
            case Box(inner):
                yield from words_of(inner)
            case Press(who, text):
                yield from (who, text)
            case Picture(_, alt):
                yield alt


def chapter(book: Book, name: str) -> str:
    """The words of a chapter, in lines."""
    [found] = [each for each in book.chapters if each.name == name]
    return "\n".join(words_of(found.blocks))


def changed(archive: Path, to: Path) -> Path:
    """A copy that may be changed."""
    return Path(shutil.copytree(archive, to / "archive"))


def test_a_book_has_a_chapter_for_each_turn_and_what_frames_them(book) -> None:
    names = [each.name for each in book("societies").chapters]
    assert names == ["seats", *(f"turn-{turn}" for turn in range(9)), "end", "numbers", "orders", "colophon"]
    assert book("societies").lines == ("Played by mail from 20 November 2026 to 16 September 2027", "8 turns", "Won by Altair")
    assert book("societies").cover is not None


@pytest.mark.parametrize("slug", dose(["local_cluster"], slugs()))
def test_every_turn_has_its_map_and_what_its_report_says(slug: str, book, story) -> None:
    told, made = story(slug), book(slug)
    for step in told.steps:
        if step.text:
            said = " ".join(chapter(made, f"turn-{step.shown.turn}").replace("\N{NO-BREAK SPACE}", " ").split())
            names = [seat["name"] for seat in told.game["seats"] if seat["name"] in step.text]
            assert names
            assert [name for name in names if name not in said] == []
    drawn = {step.drawn for step in told.steps if step.drawn}
    shown = {block for each in made.chapters for block in each.blocks if isinstance(block, Picture)}
    assert drawn <= shown | {None}


def test_the_players_are_told_from_when_until_when_and_who_won(book) -> None:
    told = chapter(book("diplomacy"), "seats").splitlines()
    assert told[:6] == ["Seat", "From", "Until", "Austria", "the start", "the end: won"]
    assert "before autumn 1902: resigned" in told[told.index("France") + 2]
    told = chapter(book("local_cluster"), "seats").splitlines()
    place = told.index("the second player")
    assert told[place - 4 : place - 1] == ["the first player", "the start", told[place + 1] + ": replaced"]
    assert told[place - 1] == "People 3"


def test_what_happened_to_the_game_is_told_before_the_turn_in_which_it_did(book) -> None:
    took = "The game master took the game back from turn 4 to the beginning of turn 2. “a mistake” (Thu 18 Feb 2027)"
    assert chapter(book("societies"), "turn-2").splitlines()[0] == took
    changed = "The game master changed the option supply_loss_percent from 10 to 20. “the drought” (Tue 19 Jan 2027)"
    assert [
        each.name for each in book("galactic_overlord").chapters if changed in chapter(book("galactic_overlord"), each.name)
    ] == ["turn-3"]
    assert "has a new player" in repr(book("local_cluster"))


def test_the_steps_of_a_turn_stand_below_each_other_by_their_names(book) -> None:
    [first] = [each for each in book("local_cluster").chapters if each.name == "turn-0"]
    assert [head.text for head in first.blocks if isinstance(head, Heading) and head.level == 2] == [
        "The beginning",
        "Step 1",
        "Step 2",
        "Step 3",
    ]
    [second] = [each for each in book("diplomacy").chapters if each.name == "turn-2"]
    heads = [head.text for head in second.blocks if isinstance(head, Heading) and head.level == 2]
    assert heads == ["Spring 1902", "Spring 1902 retreats", "Autumn 1902", "Winter 1902"]


def test_press_to_all_is_in_the_newspaper_of_its_turn_and_no_other_press_is_anywhere(book) -> None:
    assert "Press\nPeople 2\nWho trades with us?" in chapter(book("local_cluster"), "turn-1")
    assert "Half of the game is over." in chapter(book("galactic_overlord"), "turn-5")
    for slug, private in (("diplomacy", "A truce in the Adriatic?"), ("societies", "Peace?"), ("societies", "Beware of them.")):
        assert private not in repr(book(slug))


def test_orders_are_opened_as_they_were_understood_and_carried_out(book, sample) -> None:
    [path] = Path(sample("societies")).glob("data/turns/004/sheets.json")
    used = [sheet for sheet in json.loads(path.read_text()) if sheet["state"] == "used"]
    told = chapter(book("societies"), "orders")
    for sheet in used:
        assert "\n".join((sheet["seat"], *sheet["lines"])) in told


def test_turns_that_were_taken_back_are_counted_and_not_told(book, story) -> None:
    assert story("societies").taken_back == 2
    assert "2 resolved steps were taken back and are not told." in chapter(book("societies"), "colophon")
    one = book_of(replace(story("societies"), taken_back=1))
    assert "1 resolved step was taken back and is not told." in chapter(one, "colophon")


def test_the_end_has_the_reason_and_the_last_numbers(book, story) -> None:
    told = chapter(book("societies"), "end").splitlines()
    assert told[:2] == ["Altair has won because all others have conceded.", "Won by Altair."]
    last = story("societies").steps[-1].numbers
    row = told.index("Altair")
    assert told[row : row + 4] == ["Altair", *(str(numbers["Altair"]) for numbers in last.values())]


def test_the_end_does_not_say_twice_that_nobody_has_won(book) -> None:
    assert chapter(book("galactic_overlord"), "end").casefold().count("nobody has won") == 1


def test_the_colophon_has_the_head_of_the_journal_and_how_to_check_it(book, story) -> None:
    told = chapter(book("societies"), "colophon")
    assert "".join(told.split()).count(story("societies").head) == 1
    assert "58 entries" in told
    assert "pbmd verify societies.zip" in told
    assert "SIL Open Font License" in told


def test_of_a_game_that_runs_there_is_no_book(sample, tmp_path: Path) -> None:
    archive = changed(sample("societies"), tmp_path)
    game = archive / "data" / "game.toml"
    game.write_text(game.read_text().replace('status = "finished"', 'status = "running"'))
    with pytest.raises(NotABook, match=r"societies is not over.* --zine"):
        book_of(read_story(archive, lambda: None))


def test_the_newspaper_of_an_archive_that_only_the_game_master_may_see_counts_nothing(sample, story, tmp_path: Path) -> None:
    """What the rules count for a game master may be secret; of a game that is over it is not."""
    told = story("societies")
    steps = [step for step in told.steps if step.shown.turn == 3]
    for status, view, counted in (("running", "all", False), ("running", "public", True), ("finished", "all", True)):
        paper = zine_of({**told.game, "status": status, "view": view}, 3, steps)
        assert ("How they stand" in "\n".join(words_of(paper.chapters[0].blocks))) == counted
        assert "orders" not in {each.name for each in paper.chapters}
    assert "How they stand" not in zine_text({**told.game, "status": "running"}, 3, steps)


def test_a_newspaper_is_of_one_turn_alone(sample) -> None:
    told = read_story(sample("local_cluster"), lambda: None, 1)
    text = zine_text(told.game, 1, told.steps)
    assert text.startswith("local-cluster: turn 1\nA game of Local Cluster by mail. ")
    assert "\nPRESS\nPeople 2:\n| Who trades with us?\n" in text
    assert max(map(len, text.splitlines())) <= 72
    assert {step.shown.turn for step in told.steps} == {1}
    with pytest.raises(NotABook, match="nothing was told of turn 9 of local-cluster"):
        zine_of(told.game, 9, read_story(sample("local_cluster"), lambda: None, 9).steps)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("data/journal.jsonl", '"kind":"joined"', '"kind":"JOINED"', "its journal does not hold, line 2"),
        ("data/game.toml", 'head = "', 'head = "e', "another head than its journal"),
        ("data/game.toml", "seats = [", "chairs = [", "does not say which game"),
        ("data/turns/003/sheets.json", '"state"', '"estate"', "pbmd verify says what is wrong"),
        ("data/turns/003/numbers.json", "{", "[", "pbmd verify says what is wrong"),
        ("data/turns/003/resolution.toml", "step = 5", 'step = "x"', "pbmd verify says what is wrong"),
        ("data/turns/003/resolution.toml", "turn = 3", 'turn = "../../x"', "turn '../../x' comes after turn 2"),
        ("data/turns/003/resolution.toml", "turn = 3", "turn = 1", "turn 1 comes after turn 2"),
    ],
)
def test_an_archive_that_is_not_as_pbmd_writes_them_makes_no_book(
    file: str, old: str, new: str, said: str, sample, tmp_path: Path
) -> None:
    archive = changed(sample("societies"), tmp_path)
    text = (archive / file).read_text()
    assert old in text
    (archive / file).write_text(text.replace(old, new, 1))
    with pytest.raises(NotReadable, match=said):
        read_story(archive, lambda: None)


def test_a_report_that_cannot_be_read_as_a_page_is_shown_as_text(sample, tmp_path: Path) -> None:
    archive = changed(sample("societies"), tmp_path)
    (archive / "data/turns/003/reports/public.html").write_text("<div>" * 100 + "x")
    (archive / "data/turns/003/maps/public.svg").write_text("<svg><script/></svg>")
    told = chapter(book_of(read_story(archive, lambda: None)), "turn-3")
    assert "THE CHART" in told
    assert "Map" not in told


def test_what_players_call_themselves_is_in_the_book_unless_it_is_an_address(sample, tmp_path: Path) -> None:
    archive = changed(sample("societies"), tmp_path)
    game = archive / "data" / "game.toml"
    text = game.read_text()
    for holder in ("Anna #1 <b>", "bert@players.test", "Cid [cid@players.test]"):
        text = text.replace('active", holder = "",', f'ACTIVE", holder = "{holder}",', 1)
    game.write_text(text.replace("ACTIVE", "active"))
    made = book_of(read_story(archive, lambda: None))
    told = chapter(made, "seats")
    assert "Played by" in told
    assert "Anna #1 <b>" in told
    assert told.splitlines()[told.splitlines().index("Borealis") + 1] == ""
    assert "players.test" not in repr(made)


def test_a_forged_chain_shows_its_own_head(sample, tmp_path: Path) -> None:
    """Whoever makes a chain up gets a book; but its head is another than players have in their mails."""
    archive = changed(sample("local_cluster"), tmp_path)

    def say(entries: list[dict]) -> None:
        [press] = [each for each in entries if each["kind"] == "press"]
        press["secret"]["text"] = "Nobody said so."

    before = read_story(archive, lambda: None).head
    forge(archive, say)
    after = read_story(archive, lambda: None)
    assert after.head != before
    assert "Nobody said so." in chapter(book_of(after), "turn-1")


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A game of Cosmic Conquest with press, maps and a request with its reason, which its game master has abandoned."""
    world = conquered(tmp_path_factory.mktemp("ended"))
    world.send("Red", "PRESS TO ALL\nRed is Bartholomew, bart@players.test.\nEND PRESS")
    world.send("Green", "Pass")
    world.send("Purple", "Dear host, I am ill and go to hospital today.")
    world.act(GAME, abandon, "Bartholomew moves house")
    with world.changed("Red") as seat:
        seat.holder = "Bartholomew"
    return world


def test_orders_that_were_on_file_at_the_end_are_opened_and_other_letters_never(ended: World, tmp_path: Path) -> None:
    told = read_story(archived(ended, tmp_path / "a").parent, lambda: None)
    assert ("Purple", "refused") in {(each.seat, each.state) for each in told.ending.left}
    made = book_of(told)
    assert "Green, would have counted\nPass" in chapter(made, "orders")
    assert "hospital" not in repr(made)


@pytest.mark.parametrize("view", ["all", "public", "seat:Red"])
def test_a_book_of_an_anonymised_archive_does_not_tell_who_the_players_are(view: str, ended: World, tmp_path: Path) -> None:
    named = book_of(read_story(archived(ended, tmp_path / "a", view).parent, lambda: None))
    made = book_of(read_story(archived(ended, tmp_path / "b", view, anonymised=True).parent, lambda: None))
    assert "Bartholomew" in repr(named)
    assert "bart@" not in repr(named)
    assert "Bartholomew" not in repr(made)
    assert "was taken out" in chapter(made, "colophon")
    assert [each.name for each in made.chapters] == [each.name for each in named.chapters]


@pytest.mark.parametrize(
    ("view", "holders", "ordered"), [("all", 1, {"Green", "Purple", "Red"}), ("public", 0, set()), ("seat:Red", 1, {"Red"})]
)
def test_a_book_has_of_holders_and_orders_what_its_archive_has(
    view: str, holders: int, ordered: set[str], ended: World, tmp_path: Path
) -> None:
    made = book_of(read_story(archived(ended, tmp_path / "a", view).parent, lambda: None))
    assert chapter(made, "seats").count("Bartholomew") == holders
    tables = [block for each in made.chapters if each.name == "orders" for block in each.blocks if isinstance(block, Table)]
    assert {plain_words(row[0].runs) for table in tables for row in table.rows[1:]} == ordered


def test_an_archive_of_an_older_format_makes_a_newspaper() -> None:
    """Such as somebody finds after years."""
    older = Path(__file__).parents[1] / "archive" / "old" / "format-2.tar.xz"
    with unpacked(older) as folder:
        told = read_story(folder, lambda: None, 1)
    paper = zine_of(told.game, 1, told.steps)
    assert "plain, everybody: 21" in "\n".join(words_of(paper.chapters[0].blocks))


def test_whatever_is_changed_in_an_archive_ends_in_words(sample, tmp_path: Path) -> None:
    """A book, or a sentence: never anything else, and none that does not end."""
    archive = changed(sample("starship_squadrons"), tmp_path)
    chance = random.Random(22)
    files = [archive / "data" / "game.toml", *sorted((archive / "data" / "turns").rglob("*.*"))]
    files = [path for path in files if path.name in READ or path.parent.name == "reports"]
    made = 0
    for _ in range(dose(25, 2_000)):
        path = chance.choice(files)
        whole = path.read_bytes()
        path.write_bytes(damaged(whole, chance))
        with suppress(NotABook, NotReadable):
            epub_of(book_of(read_story(archive, lambda: None)))
            made += 1
        path.write_bytes(whole)
    assert made


READ = {"game.toml", "resolution.toml", "sheets.json", "numbers.json", "public.svg"}
SNIPPETS = (
    b"null",
    b"[]",
    b"{}",
    b'""',
    b"-1",
    b"1e999",
    b"NaN",
    b"\\ud800",
    b"<table>",
    b"<svg>",
    b"\xff",
    b"\x00",
    b"true",
    b"9" * 5000,
)


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The content with something else in place of a value, or of a few bytes."""
    values = list(re.finditer(rb'"[^"]*"|-?\d+|true|false|>[^<]*<', content)) or [re.match(b"", content)]
    begin, end = chance.choice(values).span()
    if chance.random() < 0.3:
        begin = chance.randrange(len(content) + 1)
        end = begin + chance.randrange(4)
    return content[:begin] + chance.choice(SNIPPETS) + content[end:]
