"""The table `[webhook]`."""

from pathlib import Path

from pydantic import Field

from pbmd.settings.table import SettingsTable


class Webhook(SettingsTable):
    """Where the news of games are posted to besides, such as the chat of the group."""

    files: dict[str, Path] = Field(
        {}, description="the name of a game, and the file that holds the address to which its news are posted"
    )
    seconds: int = Field(10, ge=1, le=60, description="how long to wait for an answer of the server")
