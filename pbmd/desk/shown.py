"""What the dashboard is made from, as the desk has it: the pages only read, and know nothing of the desk."""

from functools import partial

from pbmd.dashboard.source import Source, Words
from pbmd.desk.context import Desk
from pbmd.desk.ingest import mailbox_name
from pbmd.desk.outbox import without_addresses
from pbmd.desk.times import describe_duration, describe_time


def dashboard_source(desk: Desk) -> Source:
    """For the pages in the folder ``dashboard`` of the data folder, for the audience that the settings name."""
    settings = desk.settings
    told = partial(describe_time, zone_name=settings.server.timezone)
    return Source(
        engine=desk.engine,
        folder=settings.data / "dashboard",
        audience=settings.dashboard.audience,
        now=desk.now,
        ruleset=desk.ruleset,
        mailbox=mailbox_name(desk),
        words=Words(told, describe_duration, without_addresses),
    )
