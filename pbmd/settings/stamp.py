"""The table `[stamp]`."""

from pydantic import Field

from pbmd.settings.table import SettingsTable


class Stamp(SettingsTable):
    """An outside service that says when a head of a journal was there, such as one of RFC 3161 or OpenTimestamps."""

    command: tuple[str, ...] = Field((), description="program and arguments: a checkpoint goes in, a proof comes out")
    seconds: int = Field(60, ge=1, le=600, description="how long it may take")
    kilobytes: int = Field(64, ge=1, le=1000, description="how large a proof may be")
