"""The table `[alarms]`."""

from pydantic import Field

from pbmd.settings.table import SettingsTable


class Alarms(SettingsTable):
    """When to alarm the game master; 0 is never."""

    mailbox_minutes: int = Field(
        30, ge=0, le=525_600, description="alarm the GM when the mailbox was not read for so long; 0: never"
    )
    outbox_minutes: int = Field(
        60, ge=0, le=525_600, description="alarm the GM when mail waits and none has gone out for so long; 0: never"
    )
    disk_megabytes: int = Field(
        200, ge=0, description="alarm the GM when less room is left where ledger or data folder is; 0: never"
    )
