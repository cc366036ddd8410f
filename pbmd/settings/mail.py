"""The table `[mail]`."""

from pydantic import Field

from pbmd.settings.table import SettingsTable


class Mail(SettingsTable):
    """What pbmd makes of mail and its senders."""

    authserv_id: str = Field(
        "", description="whose Authentication-Results to believe: the name in it, or microsoft for Microsoft 365"
    )
    answer_strangers: bool = Field(True, description="answer people without a seat who ask for HELP or RULES, or how to join")
    hint_strangers: bool = Field(False, description="tell an address that holds no seat, once a week at most, how to play")
