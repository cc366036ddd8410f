"""What pbmd.toml says: its tables, and how it is read."""

from pbmd.settings.model import Settings
from pbmd.settings.read import DEFAULT_FILE, SettingsError, holds_password, read_settings
from pbmd.settings.tables import (
    Address,
    Alarms,
    Backups,
    Dashboard,
    Database,
    Imap,
    Limits,
    Mail,
    Pages,
    PublicUrl,
    Server,
    Smtp,
    Stamp,
    Webhook,
    Zone,
)

__all__ = [
    "DEFAULT_FILE",
    "Address",
    "Alarms",
    "Backups",
    "Dashboard",
    "Database",
    "Imap",
    "Limits",
    "Mail",
    "Pages",
    "PublicUrl",
    "Server",
    "Settings",
    "SettingsError",
    "Smtp",
    "Stamp",
    "Webhook",
    "Zone",
    "holds_password",
    "read_settings",
]
