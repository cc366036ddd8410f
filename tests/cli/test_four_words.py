"""The four words of a turn: all who follow a game have the same, and a host who writes others is found out."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.mail_patterns import ITS_WORDS
from pbmd.cli import app
from pbmd.desk.changes.rollback import roll_back
from pbmd.ledger.entries.rows import last_turn_entry
from pbmd.notes.four_words import four_words
from tests.archive.cheats.rewritten import in_all, rewritten
from tests.archive.made import export, verified
from tests.cli.test_compare import GAME, ask, begun, kept, played, told, world
from tests.desk.visitors.test_serve import confirmed
from tests.desk.world import NAMES, World, body_of, opened, proof_of

__all__ = ["begun", "world"]
LINE = r"This turn's words: ([a-z ]+)\. Everybody has the same\."


def words_of(world: World, reader: str) -> list[str]:
    """Those in the reports of a reader, one after the other; they are the last line of each."""
    bodies = [" ".join(body_of(mail).split()) for mail in world.outbox("report", reader)]
    return [found[1] for body in bodies if (found := re.fullmatch(rf".*{LINE}", body))]


def receipt(code: str, archive: Path) -> Result:
    return CliRunner().invoke(app, ["receipt", code, "--archive", str(archive)])


def test_all_who_get_a_report_have_the_same_and_each_turn_has_others(world: World) -> None:
    altair, *others = (words_of(world, seat) for seat in NAMES)
    assert others == [altair] * len(others)
    assert len(altair) == len(set(altair)) == 3


def test_whoever_watches_has_them_too(begun: Callable[..., World], tmp_path: Path) -> None:
    world = begun(listed=True)
    confirmed(world, "Deneb", f"WATCH {GAME}")
    played(world, 1)
    assert words_of(world, "Deneb") == words_of(world, "Altair"), "the first came at once, of what was then"
    archive = export(world, tmp_path / "archive")
    document = told(kept(world.outbox("report", "Deneb"), tmp_path / "kept"), more=("--archive", str(archive)))
    assert [each for each in document["findings"] if not each["holds"]] == []


def test_the_last_report_has_for_whoever_watches_what_it_is_to_have(begun: Callable[..., World], tmp_path: Path) -> None:
    """It begins like that of a seat, whose file has more."""
    world = begun(listed=True, target=6)
    confirmed(world, "Deneb", f"WATCH {GAME}")
    played(world, 1)
    confirmed(world, "Vega", f"WATCH {GAME}")
    played(world, 1, first=1)
    archive = export(world, tmp_path / "archive")
    for who in ("Deneb", "Vega", "Altair"):
        mails = world.outbox("report", who)
        assert "The game is over." in body_of(mails[-1])
        for more in ((), ("--archive", str(archive))):
            document = told(kept(mails, tmp_path / f"{who}{len(more)}"), more=more)
            assert [each for each in document["findings"] if not each["holds"] and each["whole"]] == []
            assert document["code"] == 0 or not (more or document["compared"]), "alone some have nothing to be compared with"


def test_whoever_begins_to_watch_gets_the_last_report_that_stands(begun: Callable[..., World]) -> None:
    world = played(begun(listed=True), 2)
    altair = words_of(world, "Altair")
    world.act(GAME, roll_back, 2, "a slip")
    confirmed(world, "Deneb", f"WATCH {GAME}")
    assert words_of(world, "Deneb") == altair[1:2]


def test_they_are_made_of_the_entry_of_the_turn_and_stand_on_the_pages_of_the_archive(world: World, tmp_path: Path) -> None:
    archive = export(world, tmp_path / "archive")
    with world.work() as work:
        last = last_turn_entry(work.session, world.game().id)
    assert last is not None
    pages = "".join(path.read_text() for path in sorted((archive / "data" / "assets" / "turns").glob("*.html")))
    assert re.findall(r"words in its mails: <strong>([a-z ]+)<", pages) == words_of(world, "Altair")
    assert words_of(world, "Altair")[-1] == four_words(last.hash)
    assert verified(archive).problems == []


def test_words_that_are_not_those_of_the_hash_beside_them_are_found_in_one_mail(world: World, tmp_path: Path) -> None:
    real = words_of(world, "Altair")[-1].split()[0]
    other = next(word for word in ("tiger", "copper") if word != real)
    document = told(kept(world.outbox("report", "Altair"), tmp_path / "kept", f"words: {real} ", f"words: {other} "))
    assert document["code"] == 1
    done = ask(tmp_path / "kept")
    said = rf"NO   .*: its four words \n     it says {other} .*, and the words of the hash in its file are {real} "
    assert re.search(said, done.stdout)


def test_another_hash_beside_fitting_words_is_found_by_a_second_mailbox_and_by_the_archive(
    world: World, tmp_path: Path
) -> None:
    """Whoever tells two histories can make words for each."""
    words, forged = words_of(world, "Altair")[-1], four_words("ab" * 32)
    shown = re.search(r"in the journal, entry \d+:\s+([0-9a-f]{64})", proof_of(world.outbox("report", "Altair")[-1]))
    assert shown is not None
    rewritten = kept(world.outbox("report", "Altair"), tmp_path / "forged", shown[1], "ab" * 32)
    for path in rewritten.iterdir():
        path.write_bytes(path.read_bytes().replace(words.encode(), forged.encode()))
    theirs = kept(world.outbox("report", "Borealis"), tmp_path / "borealis")
    told_apart = told(rewritten, theirs)
    assert any(each["about"].startswith("chain head at entry ") for each in told_apart["disagreements"])
    document = told(rewritten, more=("--archive", str(export(world, tmp_path / "archive"))))
    assert "entry of the turn" in {each["what"] for each in document["findings"] if each["holds"] is False}


LEFT_OUT: dict[str, str] = {
    "words of the turn": r"\nThis turn's words:(?s:.*?)the\s+same\.",
    "words of the turn in its file": r"Words of (?s:.*?\n  [0-9a-f]{64})\n",
    "head of the journal in its file": r"Head of the journal.*\n  [0-9a-f]{64}\n",
    "digest of itself in its file": r"Digest of the report (?s:.*?)\n  [0-9a-f]{64}\n",
    "signed head in its file": r"CHECKPOINT \((?s:.*)",
}


OF_READERS = [(what, reader) for what in LEFT_OUT for reader in ("Altair", "Deneb") if reader == "Altair" or "words" in what]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(("what", "reader"), OF_READERS)
def test_a_report_that_leaves_them_out_or_what_they_are_made_of_is_named(
    begun: Callable[..., World], tmp_path: Path, what: str, reader: str
) -> None:
    """What is not there contradicts nothing, so its absence must."""
    world = begun(listed=True)
    confirmed(world, "Deneb", f"WATCH {GAME}")
    played(world, 1)
    mails = [opened(mail.raw) for mail in world.outbox("report", reader)]
    assert not [each for raw in mails for each in claims_of_mail(raw).itself if not each.holds and each.what == ITS_WORDS]
    cut = rewritten(mails[-1], *in_all(lambda each: re.sub(LEFT_OUT[what], "", each)))
    (tmp_path / "kept").mkdir()
    for place, raw in enumerate((*mails[:-1], cut)):
        (tmp_path / "kept" / f"{place}.eml").write_bytes(raw)
    archive = export(world, tmp_path / "archive")
    for more in ((), ("--archive", str(archive))):
        document = told(tmp_path / "kept", more=more)
        assert f"it has no {what}, as every report has" in {each["words"] for each in document["findings"]}
        assert document["code"] == 1


@pytest.mark.parametrize("which", [0, 1, -1])
def test_words_from_a_chat_are_looked_up_in_an_archive(world: World, tmp_path: Path, which: int) -> None:
    archive = export(world, tmp_path / "archive")
    done = receipt(words_of(world, "Borealis")[which].title(), archive)
    assert (done.exit_code, "those of entry " in done.stdout) == (0, True), done.output
    assert receipt("tiger tulip copper tiger", archive).exit_code == 1
