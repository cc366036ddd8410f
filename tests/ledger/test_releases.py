"""Every ledger that a released version has left is opened, brought up to date, played on, and exported."""

import re
from pathlib import Path

import pytest

from pbmd import __version__
from pbmd.daemon.installation import only_one
from pbmd.desk.books.desk import open_desk
from pbmd.edition import ruleset_digest
from pbmd.ledger.backup import backups_in
from pbmd.ledger.database import MIGRATIONS, migrate, open_engine, reading, sqlite_url
from pbmd.ledger.schema import is_newest, schema_of
from pbmd.ledger.tables import Game, GameStatus, StepRecord
from pbmd.rules.registry import get, slugs
from tests.archive import releases as archive_releases
from tests.archive.made import export, verified
from tests.archive.releases import ARCHIVED, about, archives
from tests.archive.samples import pack
from tests.desk.world import settings_in
from tests.docs.pages import ROOT
from tests.ledger import releases
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
    assert [version for version in dated if version not in ARCHIVED] == []


@pytest.mark.parametrize("version", ARCHIVED)
def test_each_has_an_archive_of_every_ruleset_that_it_has_written(version: str) -> None:
    kept = {packed.name.partition(".")[0]: about(packed) for packed in archives(version)}
    assert {*kept} >= OF_1_0
    assert {(game["pbmd"], game["status"]) for game in kept.values()} == {(version, "finished")}


class TestWhatIsKeptOfThisVersion:
    @pytest.fixture
    def folders(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
        """Those of ledgers and archives, with nothing of any version, beside samples that this one has played."""
        for name in ("ledgers", "archives", "samples"):
            (tmp_path / name).mkdir()
        monkeypatch.setattr(releases, "FOLDER", tmp_path / "ledgers")
        monkeypatch.setattr(archive_releases, "FOLDER", tmp_path / "archives")
        monkeypatch.setattr(archive_releases, "SAMPLES", tmp_path / "samples")
        for slug in slugs():
            self.sample(tmp_path, slug, __version__, ruleset_digest(get(slug)))
        return tmp_path / "ledgers", tmp_path / "archives"

    def sample(self, folder: Path, slug: str, version: str, digest: str) -> None:
        """Put something in the place of a sample that says who has played it."""
        (said := folder / slug / "data" / "game.toml").parent.mkdir(parents=True, exist_ok=True)
        said.write_text(f'pbmd = "{version}"\nruleset_digest = "{digest}"\nstatus = "finished"\n')
        pack(folder / slug, folder / "samples" / f"{slug}.tar.xz")

    def test_are_a_ledger_and_the_samples_once(self, folders: tuple[Path, Path], tmp_path: Path) -> None:
        ledgers, archived = folders
        releases.main()
        assert [path.name for path in ledgers.iterdir()] == [f"{__version__}.sqlite.xz"]
        ledger = put(__version__, tmp_path)
        kept = ledger.read_bytes()
        assert is_newest(schema(ledger), MIGRATIONS)
        open_desk(settings_in(tmp_path)).engine.dispose()
        assert ledger.read_bytes() == kept
        samples = {path.name: path.read_bytes() for path in (tmp_path / "samples").iterdir()}
        assert {path.name: path.read_bytes() for path in (archived / __version__).iterdir()} == samples
        assert {*samples} == {f"{slug}.tar.xz" for slug in slugs()}
        before = {path: path.stat().st_mtime_ns for folder in folders for path in folder.rglob("*")}
        with pytest.raises(SystemExit, match="is there: what was released stays as it is"):
            releases.main()
        assert {path: path.stat().st_mtime_ns for folder in folders for path in folder.rglob("*")} == before

    @pytest.mark.parametrize("other", ["version", "rules"])
    def test_are_no_samples_that_another_has_played(self, other: str, folders: tuple[Path, Path], tmp_path: Path) -> None:
        slug = slugs()[0]
        version, digest = ("0.9.0", ruleset_digest(get(slug))) if other == "version" else (__version__, "0" * 64)
        self.sample(tmp_path, slug, version, digest)
        with pytest.raises(SystemExit, match=f"make samples comes first: these are not of pbmd .* as it is now: {slug}$"):
            releases.main()
        assert [path for folder in folders for path in folder.iterdir()] == []


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


@pytest.mark.in_turn(2)
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
