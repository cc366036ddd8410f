"""The contents of pbmd.toml: its tables, and how it is read."""

from pbmd.settings.alarms import Alarms
from pbmd.settings.backups import Backups
from pbmd.settings.dashboard import Dashboard
from pbmd.settings.forms import Address, Database, PublicUrl, Zone
from pbmd.settings.imap import Imap
from pbmd.settings.limits import Limits
from pbmd.settings.mail import Mail
from pbmd.settings.model import Settings
from pbmd.settings.pages import Pages
from pbmd.settings.read import SettingsError, holds_password, read_settings, unused_tables
from pbmd.settings.server import Server
from pbmd.settings.smtp import Smtp
from pbmd.settings.webhook import Webhook

__all__ = [
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
    "Webhook",
    "Zone",
    "holds_password",
    "read_settings",
    "unused_tables",
]
