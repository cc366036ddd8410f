"""The table `[server]`."""

from pathlib import Path

from pydantic import Field

from pbmd.settings.forms import Address, Database, Zone
from pbmd.settings.table import SettingsTable


class Server(SettingsTable):
    """Who pbmd is: the address players write to, the GM, and where data is kept."""

    address: Address = Field(description="the mailbox that pbmd reads; players write to it")
    plus_addresses: bool = Field(True, description="mail to games+anything@ reaches the mailbox, too")
    name: str = Field("pbmd", description="the name in front of that address")
    gm: Address = Field(description="the game master's own address")
    timezone: Zone = Field("UTC", description="the GM's time zone")
    data: Path = Field(Path("data"), description="folder of the ledger, the log and exports, relative to this file")
    database: Database = Field(
        "", repr=False, description="address of the ledger in PostgreSQL; empty: the file data/ledger.sqlite"
    )
    outbox_days: int = Field(
        30,
        ge=1,
        le=36_500,
        description="how long the ledger keeps sent mails; those of the open step are kept as long as it is open",
    )
