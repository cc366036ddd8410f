"""Whatever moves in the code: mails, log, journal, pages and archives of seeded games stay as they were, byte for byte."""

import json
from pathlib import Path

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.rules.registry import slugs
from tests.desk.world import opened
from tests.docs.journal_page import schema_of_entries
from tests.docs.mails.found import found, recorded
from tests.docs.mails.written import differing
from tests.golden.plays import PLAYERS, play
from tests.golden.record import RECORDS, ROUNDS, compared, digests, things
from tests.schemas import Draft202012Validator

pytestmark = pytest.mark.in_every_run


@pytest.mark.parametrize("slug", PLAYERS)
def test_everything_comes_out_as_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slug: str) -> None:
    """If users are meant to see a difference, look at it (`python -m tests.golden --keep`), and record it (`--write`); if it is
    one of mails, make their samples anew, too (`python -m tests.docs.mails`)."""
    with recorded(monkeypatch) as names, play(tmp_path / "desk", slug, monkeypatch, 0, ROUNDS) as played:
        left = things(played)
        came_out = digests(left)
        sent = played.world.outbox()
        mails = differing(found(sent, names), slug)
        unlike = [mail.key for mail in sent if claims_of_mail(opened(mail.raw)).shows_otherwise]
    entries = [json.loads(line) for line in left["archive for all journal.jsonl"].splitlines()]
    schema = Draft202012Validator(schema_of_entries())
    assert [entry for entry in entries if not schema.is_valid(entry)] == []
    assert unlike == [], "what programs show of honest mails is what their text says"
    assert (compared((RECORDS / f"{slug}-0.txt").read_text(), came_out), mails) == ("", [])


def test_every_ruleset_that_comes_along_is_played() -> None:
    assert {*slugs()} - {*PLAYERS} == set(), "tests/golden/plays.py has no players for them"


def test_a_difference_is_named() -> None:
    assert compared("aa mail 1\nbb mail 2\n", "aa mail 1\nbb mail 2\n") == ""
    assert compared("aa mail 1\nbb mail 2\n", "aa mail 1\ncc mail 2\n") == "1 differs, first mail 2"
    assert compared("aa mail 1\nbb mail 2\n", "aa mail 1\nbb mail 2\ncc log 1\n") == "1 differs, first log 1"
    assert compared("aa mail 1\nbb mail 2\n", "bb mail 1\n") == "2 differ, first mail 1"
