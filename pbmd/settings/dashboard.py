"""The table `[dashboard]`."""

from typing import Literal

from pydantic import Field

from pbmd.settings.table import SettingsTable


class Dashboard(SettingsTable):
    """The pages in the folder dashboard of the data folder."""

    pages: bool = Field(True, description="write the pages whenever something has changed")
    audience: Literal["gm", "public"] = Field(
        "gm",
        description="whom the pages are for; gm: you alone, with names, causes, mails; public: all, with what players may know",
    )
