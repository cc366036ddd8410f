"""The Atom feed held against what RFC 4287 wants of every feed."""

import re
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timedelta
from pathlib import Path

from pbmd.desk.changes import pauses
from pbmd.desk.changes.gm import announce
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.pages.site import update
from tests.desk.world import World

ATOM = "{http://www.w3.org/2005/Atom}"
_ONCE = {"id": 1, "title": 1, "updated": 1}
ALLOWED = {
    # element: those in it, and how often each must stand there (sections 4.1.1 and 4.1.2); 0 is at most once, None any number
    "feed": _ONCE | {"author": 1, "generator": 0, "link": None, "entry": None},
    "entry": _ONCE | {"published": 0, "link": None, "content": 0},
}
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")


def complaints(path: Path) -> list[str]:
    """What RFC 4287 has against a feed."""
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{ATOM}feed"
    found = [said for parent in (root, *root.iter(f"{ATOM}entry")) for said in _children(parent)]
    times = [time.text or "" for time in (*root.iter(f"{ATOM}updated"), *root.iter(f"{ATOM}published"))]
    found += [f"{time} is no time of RFC 3339 (3.3)" for time in times if not _TIME.fullmatch(time)]
    ids = [each.text or "" for each in root.iter(f"{ATOM}id")]
    found += [f"{name} is no IRI (4.2.6)" for name in ids if not re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", name)]
    found += ["two ids are the same (4.1.1)"] if len(set(ids)) != len(ids) else []
    for parent in (root, *root.iter(f"{ATOM}entry")):
        kinds = [(link.get("rel"), link.get("type")) for link in parent.findall(f"{ATOM}link")]
        found += ["two alternates of one type (4.1.1)"] if len(set(kinds)) != len(kinds) else []
        if parent.find(f"{ATOM}content") is None and ("alternate", "text/html") not in kinds:
            found.append("an entry has neither content nor an alternate (4.1.2)")
        found += ["a link without href (4.2.7.1)" for link in parent.findall(f"{ATOM}link") if not link.get("href")]
    if ("self", "application/atom+xml") not in [(link.get("rel"), link.get("type")) for link in root.findall(f"{ATOM}link")]:
        found.append("no link to itself (4.1.1)")
    return found + [f"content of type {each.get('type')}" for each in root.iter(f"{ATOM}content") if each.get("type") != "text"]


def _children(parent: ElementTree.Element) -> list[str]:
    rules = ALLOWED[parent.tag.removeprefix(ATOM)]
    counts = {name: len(parent.findall(f"{ATOM}{name}")) for name in rules}
    found = [f"{each.tag} in {parent.tag}" for each in parent if each.tag.removeprefix(ATOM) not in rules]
    return found + [
        f"{count} {name} in {parent.tag}"
        for name, count in counts.items()
        if (wanted := rules[name]) is not None and (count > 1 or count < wanted)
    ]


def feed_of(world: World) -> Path:
    source = dashboard_source(world.desk)
    update(source)
    return source.folder / "games" / "galaxy-7" / "feed.xml"


def test_it_is_valid_at_the_beginning_of_a_game_and_later(world: World) -> None:
    world.open("galaxy-7")
    assert complaints(feed_of(world)) == []


def test_names_with_marks_of_xml_do_not_spoil_it(world: World) -> None:
    world.count()
    with world.changed("Altair") as seat:
        seat.name = "<A>]]>&\x0b"
    with world.work() as work:
        work.log("resigned", work.table_named("galaxy-7"), "<A>]]>&\x0b")
    path = feed_of(world)
    assert complaints(path) == []
    assert ElementTree.parse(path).getroot().findtext(f"{ATOM}entry/{ATOM}title", "").startswith("<A>]]>&")


def test_all_that_everybody_is_told_is_news(world: World) -> None:
    world.count(absences="extend")
    world.pass_time(timedelta(days=3, minutes=1))
    world.send("Altair", "ABSENT FROM 2026-11-25 TO 2026-11-28")
    world.act("galaxy-7", announce, "the pub is open\x00 \x1b[1m & so <b>on</b>")
    world.act("galaxy-7", pauses.pause, "a journey")
    path = feed_of(world)
    assert complaints(path) == []
    root = ElementTree.parse(path).getroot()
    titles = [entry.findtext(f"{ATOM}title") for entry in root.iter(f"{ATOM}entry")]
    assert titles[:4] == [
        "The game is paused",
        "The game master has written to all players",
        "The deadline has moved",
        "Turn 1 is resolved",
    ]
    assert "the pub is" not in path.read_text("utf-8"), "what was written is in the mails"
    times = [datetime.fromisoformat(entry.findtext(f"{ATOM}updated") or "") for entry in root.iter(f"{ATOM}entry")]
    assert times == sorted(times, reverse=True)


def test_a_page_names_its_feed(world: World) -> None:
    world.count()
    page = feed_of(world).with_name("index.html").read_text("utf-8")
    assert '<link rel="alternate" type="application/atom+xml" title="galaxy-7" href="feed.xml">' in page
