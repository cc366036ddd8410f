"""Every ledger that a released version has left is opened, brought up to date, played on, and exported."""

import re
from pathlib import Path

import pytest

from pbmd.daemon.installation import only_one
from pbmd.desk.books.desk import open_desk
from pbmd.ledger.backup import backups_in
from pbmd.ledger.database import MIGRATIONS, migrate, open_engine, reading, sqlite_url
from pbmd.ledger.schema import is_newest, schema_of
from pbmd.ledger.tables import Game, GameStatus, StepRecord
from tests.archive.made import export, verified
from tests.desk.world import settings_in
from tests.docs.pages import ROOT
from tests.ledger.migrations import LATER, be_newer
from tests.ledger.releases import GAMES, RELEASED, going_on, put
from tests.pages import sample

OF_1_0 = {"cosmic_conquest", "diplomacy", "galactic_overlord", "local_cluster", "societies", "starship_squadrons"}
"""The rulesets of the first version; later ones may have more."""


def schema(ledger: Path) -> set[str]:
    engine = open_engine(sqlite_url(ledger))
    try:
        return schema_of(reading(engine))
    finally:
        engine.dispose()


def test_there_is_one_of_every_version_that_the_changelog_dates() -> None:
    dated = re.findall(
        r"^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert dated
    assert [version for version in dated if version not in RELEASED] == []


def test_one_of_an_older_version_is_backed_up_before_it_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(sqlite_url(ledger := tmp_path / "ledger.sqlite"))
    was = schema(ledger)
    open_desk(settings_in(tmp_path)).engine.dispose()
    assert backups_in(tmp_path / "backups") == []  # it was up to date
    be_newer(monkeypatch, tmp_path)
    open_desk(settings_in(tmp_path)).engine.dispose()
    assert schema(ledger) == {LATER}
    assert [schema(path) for path in backups_in(tmp_path / "backups")] == [was]


def test_one_of_which_no_backup_can_be_made_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate(sqlite_url(ledger := tmp_path / "ledger.sqlite"))
    was = schema(ledger)
    (tmp_path / "backups").write_text("This is no folder.")
    be_newer(monkeypatch, tmp_path)
    with pytest.raises(OSError, match=r"to be brought up to date, and no backup of it can be made: .*backups"):
        open_desk(settings_in(tmp_path))
    assert schema(ledger) == was


def test_one_at_which_an_older_pbmd_is_at_work_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate(sqlite_url(ledger := tmp_path / "ledger.sqlite"))
    was = schema(ledger)
    be_newer(monkeypatch, tmp_path)
    with only_one(tmp_path), pytest.raises(OSError, match=r"another pbmd is at work on .*: stop it first"):
        open_desk(settings_in(tmp_path))
    assert schema(ledger) == was
    open_desk(settings_in(tmp_path)).engine.dispose()
    assert schema(ledger) == {LATER}


@pytest.mark.parametrize("version", RELEASED)
def test_a_released_one_goes_on(version: str, tmp_path: Path) -> None:
    ledger = put(version, tmp_path)
    before, was = ledger.read_bytes(), schema(ledger)
    open_desk(settings_in(tmp_path)).engine.dispose()
    assert is_newest(schema(ledger), MIGRATIONS)
    kept = backups_in(tmp_path / "backups")
    assert [schema(path) for path in kept] == ([] if is_newest(was, MIGRATIONS) else [was])
    assert kept or ledger.read_bytes() == before

    with going_on(tmp_path) as world:
        running = [game for game in world.rows(Game) if game.status is GameStatus.RUNNING]
        assert {game.ruleset for game in running} >= OF_1_0
        games = {game.name: game.step for game in running}
        sample.play(world, 3, samples={name: GAMES[name] for name in games})
        after = {game.name: game.step for game in world.rows(Game)}
        assert all(after[name] > step for name, step in games.items())
        assert len(world.rows(StepRecord)) > len(games)
        assert "quarantine" not in [line.what for line in world.log()]
        for name in games:
            assert not verified(export(world, tmp_path / name, name)).problems
