"""Press in the archive: as the terms say, and never who wrote anonymously; the chain can be checked all the same."""

import hashlib
import json
from datetime import timedelta

import pytest

from pbmd.archive.format.seals import PAGE, PROGRAM, SOURCE
from pbmd.ledger.journal import FIRST_HASH
from tests.desk.test_secrecy import archive_of
from tests.desk.world import World


@pytest.fixture
def played(tmp_path):
    """Plays a turn with press of every kind in a game of these terms, and gives the files of its archive."""
    world = World(tmp_path)

    def play(**terms):
        world.count(**{"anonymous_press": True} | terms)
        world.send("Altair", "PRESS TO Borealis\nto one\nEND PRESS")
        world.send("Altair", "PRESS TO ALL\nto everybody\nEND PRESS\nAdd 1")
        world.send("Cygnus", "ANONYMOUS PRESS TO ALL\nwithout a name\nEND PRESS")
        world.send("Cygnus", "Add 2")
        world.send("Borealis", "Add 1")
        assert world.pass_time(timedelta(minutes=1)) == 1
        return {name: content.decode("utf-8", "replace") for name, content in archive_of(world).items()}

    yield play
    world.close()


@pytest.mark.parametrize(
    ("policy", "shown"),
    [("all", ["to one", "to everybody"]), ("public", ["to everybody"]), ("none", [])],
)
@pytest.mark.parametrize("delivery", ["now", "report"])
def test_the_journal_has_the_press_that_the_terms_allow(played, policy, shown, delivery):
    files = played(press_archive=policy, press_delivery=delivery)
    texts = [text for text in ("to one", "to everybody", "without a name") if text in files["journal.jsonl"]]
    assert texts == shown
    made_of_it = {"journal.jsonl", "game.sqlite", "index.html", "assets/turns/001.html", "assets/search/t0.js"}
    for name in files.keys() - {PAGE, PROGRAM, SOURCE}:
        found = [text for text in ("to one", "to everybody", "without a name") if text in files[name]]
        assert found == (shown if name in made_of_it - {"index.html"} else shown[-1:] if name == "index.html" else []), name


@pytest.mark.parametrize(("policy", "letters"), [("all", 5), ("public", 0), ("none", 0)])
@pytest.mark.parametrize("anonymous", [True, False])
def test_letters_are_shown_only_if_all_press_is_and_none_may_be_anonymous(played, policy, letters, anonymous):
    """Whoever wrote it, or tried to, may quote the answer to it in any letter."""
    files = played(press_archive=policy, anonymous_press=anonymous)
    assert files.get("letters.mbox", "").count("From pbmd ") == (0 if anonymous else letters)
    assert not (anonymous and any("without a name" in content for content in files.values()))


@pytest.mark.parametrize("policy", ["all", "none"])
def test_the_chain_can_be_checked_without_what_is_withheld(played, policy):
    """As the architecture page describes it, from the archive alone."""
    head = FIRST_HASH
    for line in played(press_archive=policy)["journal.jsonl"].splitlines():
        entry = json.loads(line)
        if "secret" in entry:
            secret = json.dumps(entry["secret"], sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
            assert entry["sealed"] == hashlib.sha256(bytes.fromhex(entry["salt"]) + secret).hexdigest()
        frame = {key: entry[key] for key in ("at", "kind", "number", "public")}
        frame |= {"previous": head, "secret": entry["sealed"]}
        head = hashlib.sha256(json.dumps(frame, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()
        assert head == entry["hash"]
