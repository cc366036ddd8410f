"""The key by which reports are signed, held against the one by which the archive is."""

from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.mail_patterns import CHECKPOINT
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.desk.books.desk import Desk
from pbmd.notes.signed_note import Signer
from tests.archive.made import examined, export
from tests.desk.world import World


def _of_another(_desk: Desk, log: str) -> Signer:
    return Signer(f"pbmd.test/games/{log}", b"m" * 32)


def _of_another_host(_desk: Desk, log: str) -> Signer:
    return Signer(f"elsewhere.test/games/{log}", b"m" * 32)


@pytest.mark.parametrize("terms", [{}, {"who_has_sent": "nothing"}], ids=["entries", "reports"])
def test_it_must_be_the_same_unless_the_game_went_on_elsewhere(tmp_path: Path, terms: dict[str, Any]) -> None:
    with closing(World(tmp_path)) as world:
        world.count(**terms)
        report = claims_of_mail(world.outbox("report", "Altair")[-1].raw)
        told: list[bool | None] = []
        for place, signer in enumerate((None, _of_another, _of_another_host)):
            with patch("tests.archive.made.signer_of", signer) if signer else closing(world.desk.engine.connect()):
                folder = export(world, tmp_path / f"archive-{place}", signed=True)
            told += [each.holds for each in examined(report, books_of_archive(folder / "data")) if each.what == CHECKPOINT]
    assert told == [True, False, True]
