"""How pbmd logs in: the settings that `[imap]` and `[smtp]` have in common."""

from pathlib import Path

from pydantic import Field

from pbmd.post.accounts import Secret
from pbmd.settings.table import SettingsTable


class Login(SettingsTable):
    """How to log in: exactly one of the four ways to get the secret."""

    password: str = Field("", repr=False, description="the password itself (better: one of the next three)")
    password_file: Path | None = Field(None, description="a file that holds it")
    password_command: str = Field("", description="a command that prints it")
    oauth2_command: str = Field("", description="a command that prints an OAuth2 access token")

    def secret(self) -> Secret | None:
        """The way to the secret, None when none is given. Raises `ValueError` for more than one."""
        ways = {
            "password": (self.password, Secret.literal),
            "password_file": (self.password_file, Secret.from_file),
            "password_command": (self.password_command, Secret.from_command),
            "oauth2_command": (self.oauth2_command, Secret.token_from_command),
        }
        given = [make(value) for value, make in ways.values() if value]  # pyright: ignore[reportArgumentType]
        if len(given) > 1:
            raise ValueError("give only one of " + ", ".join(ways))
        return given[0] if given else None
