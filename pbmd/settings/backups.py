"""The table `[backups]`."""

from pathlib import Path

from pydantic import Field

from pbmd.settings.table import SettingsTable


class Backups(SettingsTable):
    """Daily backups that the daemon makes."""

    keep: int = Field(0, ge=0, description="how many daily backups to keep; 0: make none")
    folder: Path = Field(Path("backups"), description="where to put them, from the data folder; best on another disk")
