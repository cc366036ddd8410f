"""The table `[smtp]`."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from pbmd.settings.login import Login


class Smtp(Login):
    """The server that takes pbmd's mail."""

    host: str = Field(description="the SMTP server")
    port: int = Field(465, description="465 goes with tls, 587 with starttls")
    tls: Literal["tls", "starttls", "none"] = Field("tls", description="encryption; none is for servers on this machine only")
    user: str = Field("", description="the name to log in with; empty for a server that asks for no login")
    timeout_seconds: int = Field(30, ge=1, le=3600, description="how long to wait for an answer of the server")
    ca_file: Path | None = Field(None, description="certificates to trust instead of the system's")
    connections: int = Field(1, ge=1, le=20, description="how many connections to send over at once")
    per_domain_per_minute: int = Field(0, ge=0, description="most mails a minute to one domain; 0: as many as there are")
    null_return_path: bool = Field(False, description="send answers with the empty return path, so that nothing answers them")
    bounce_address: bool = Field(
        False, description="give each mail a return path of its own, by which it is known when it bounces"
    )
