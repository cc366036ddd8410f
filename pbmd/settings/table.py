"""What all tables of pbmd.toml have in common."""

from pydantic import BaseModel, ConfigDict


class SettingsTable(BaseModel):
    """A table of pbmd.toml: unknown keys are refused, and nothing changes it after it was read."""

    model_config = ConfigDict(extra="forbid", frozen=True)
