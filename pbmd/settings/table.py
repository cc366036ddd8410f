"""What all tables of pbmd.toml have in common."""

from pydantic import BaseModel, ConfigDict


class SettingsTable(BaseModel):
    """A table of pbmd.toml: what it does not know is refused, and nothing changes it once it is read."""

    model_config = ConfigDict(extra="forbid", frozen=True)
