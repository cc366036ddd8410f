"""What `pbmd status` and `pbmd check` tell of the hosts that work on one ledger."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import col, func, select

from pbmd import __version__
from pbmd.daemon.parts import names_of_parts
from pbmd.daemon.roles import holders, workers_heard_of
from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.books.hosts import LATELY, hosts_here, names_of_hosts
from pbmd.desk.books.server_key import KEY, key_digest
from pbmd.desk.books.work import Work
from pbmd.ledger.database import is_shared
from pbmd.ledger.tables import Game, GameStatus, Host
from pbmd.terms.times import describe_duration


@dataclass(frozen=True)
class HostState:
    """A host that works on the ledger, what it does there (``run``), and when it last said so."""

    name: str
    does: str
    version: str
    seen_at: datetime
    age_seconds: int


def states_of_hosts(work: Work) -> tuple[HostState, ...]:
    """The hosts that were there lately; none if there is but one."""
    hosts = hosts_here(work)
    names = names_of_hosts(hosts)
    if len(names) < 2:
        return ()
    return tuple(
        HostState(names[host.name], host.does, host.version, host.seen_at, int((work.now - host.seen_at).total_seconds()))
        for host in hosts
    )


@dataclass(frozen=True)
class SharedState:
    """Who does what at a ledger on PostgreSQL: part → the machine where it is done, "" if nowhere. `workers` were heard of
    lately; `games_due` are the games that wait for the clock, and `lag_seconds` how long the first of them has."""

    parts: Mapping[str, str]
    workers: int
    games_due: int
    lag_seconds: int


def shared_state(work: Work) -> SharedState | None:
    """Who does what, and how far behind they are; None for a ledger that one pbmd has for itself."""
    if not is_shared(work.desk.settings.database_url):
        return None
    ledger = work.session.connection()
    due = (Game.status == GameStatus.RUNNING, col(Game.due_at) <= work.now)
    count, first = work.session.exec(select(func.count(), func.min(Game.due_at)).where(*due)).one()
    lag = int((work.now - first).total_seconds()) if first else 0
    return SharedState(holders(ledger, names_of_parts(mailbox_name(work.desk))), workers_heard_of(ledger), count, lag)


def shared_words(state: SharedState) -> list[tuple[str, str]]:
    """The lines about it, each with what stands before it."""
    parts = [("part", f"{part}: {machine or 'nobody; is pbmd run at work anywhere?'}") for part, machine in state.parts.items()]
    due = describe_duration(timedelta(seconds=state.lag_seconds))
    late = f"; {state.games_due} games are due, the first of them for {due}" if state.games_due else ""
    return [*parts, ("workers", f"{state.workers}{late}")]


def host_words(host: HostState) -> str:
    """``alpha: run, pbmd 1.0, seen 20 s ago``."""
    ago = describe_duration(timedelta(seconds=max(0, host.age_seconds)))
    return f"{host.name}: {host.does}, pbmd {host.version}, seen {ago} ago"


def trouble_of_hosts(work: Work) -> tuple[str, str, str]:
    """Of the hosts that work now: who they are, in what they differ, and how to mend that; what there is not is empty."""
    hosts = hosts_here(work, LATELY)
    names = names_of_hosts(hosts)
    told = "; ".join(f"{names[host.name]} ({host.does})" for host in hosts)
    if others := sorted({names[host.name] for host in hosts if host.key != key_digest(work.desk.key)}):
        trouble = f"another {KEY} than the ledger's on {', '.join(others)}: no other host takes the tokens in their mails"
        return told, trouble, f"stop pbmd there, copy {KEY} from the data folder of this host to theirs, and start it again"
    versions = _by_version(hosts, names)
    if len({*versions, __version__}) > 1:
        each = "; ".join(f"{version} on {', '.join(there)}" for version, there in versions.items())
        mend = "install the same version on all hosts, and start pbmd anew where another was at work"
        return told, f"different versions of pbmd: {each}; this command is {__version__}", mend
    return told, "", ""


def _by_version(hosts: Sequence[Host], names: Mapping[str, str]) -> dict[str, list[str]]:
    found = dict[str, list[str]]()
    for host in hosts:
        there = found.setdefault(host.version, [])
        if names[host.name] not in there:
            there.append(names[host.name])
    return found
