"""The table `[imap]`."""

from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator

from pbmd.settings.login import Login


class Imap(Login):
    """The mailbox that pbmd reads."""

    host: str = Field(description="the IMAP server")
    port: int = Field(993, description="993 goes with tls, 143 with starttls")
    tls: Literal["tls", "starttls", "none"] = Field("tls", description="encryption; none is for servers on this machine only")
    user: str = Field(description="the name to log in with, often the whole address")
    folder: str = Field("INBOX", description="the folder that is read")
    processed: Literal["move", "flag", "leave"] = Field("move", description="what to do with mail that is in the ledger")
    processed_folder: str = Field("pbmd-processed", description="where move puts it; made when needed")
    idle: bool = Field(True, description="let the server announce mail (IMAP IDLE)")
    poll_seconds: int = Field(60, ge=1, le=86_400, description="how often to look besides")
    timeout_seconds: int = Field(30, ge=1, le=3600, description="how long to wait for an answer of the server")
    clock_tolerance_seconds: int = Field(
        10, ge=0, le=3600, description="by how far the server's and this machine's clock may differ; turns close so much later"
    )
    ca_file: Path | None = Field(None, description="certificates to trust instead of the system's")

    @field_validator("folder", "processed_folder")
    @classmethod
    def _is_a_name(cls, value: str) -> str:
        if not value.strip() or not value.isprintable():
            raise ValueError("must be the name of a folder of the mailbox")
        return value
