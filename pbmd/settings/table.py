"""What all tables of pbmd.toml have in common."""

from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

MOST = 2**31 - 1
"""No number may be larger: databases and mail servers take none, and what meets one fails long after it was written."""


class SettingsTable(BaseModel):
    """A table of pbmd.toml: unknown keys are refused, and nothing changes it after it was read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*")
    @classmethod
    def _is_usable(cls, value: Any) -> Any:
        if isinstance(value, int) and value > MOST:
            raise ValueError(f"must be at most {MOST}")
        return value
