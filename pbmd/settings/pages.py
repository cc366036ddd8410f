"""The table `[pages]`."""

from pydantic import Field

from pbmd.settings.forms import PublicUrl
from pbmd.settings.table import SettingsTable


class Pages(SettingsTable):
    """What `pbmd serve --public` shows to players and observers, behind a web server."""

    public_url: PublicUrl = Field(
        "", description="where players reach their pages, like https://games.example.org; empty: no report has a link"
    )
    observers: bool = Field(False, description="show everybody the public pages of all games there, too")
