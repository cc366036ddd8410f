"""What `pbmd status` and `pbmd check` tell of the hosts that work on one ledger."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from pbmd import __version__
from pbmd.desk.books.hosts import LATELY, Rulesets, hosts_here, rulesets_of, rulesets_played
from pbmd.desk.books.server_key import KEY, key_digest
from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.sharing import HostState, SharedState, names_of_hosts
from pbmd.ledger.tables import Host
from pbmd.terms.times import describe_duration


def shared_words(state: SharedState, now: datetime) -> list[tuple[str, str]]:
    """The lines about it, each with what stands before it."""
    parts = [("part", f"{part}: {machine or 'nobody; is pbmd run at work anywhere?'}") for part, machine in state.parts.items()]
    return [*parts, ("workers", f"{state.workers}"), ("lanes", _lane_words(state)), ("lag", _lag_words(state, now))]


def _lane_words(state: SharedState) -> str:
    longest = f", up to {state.longest_lane} in one" if state.lanes else ""
    unassigned = f"; letters in none yet: {state.unassigned_letters}" if state.unassigned_letters else ""
    return f"{state.lanes} with letters waiting{longest}{unassigned}"


def _lag_words(state: SharedState, now: datetime) -> str:
    letter = f"the oldest letter waits for {_for(state.oldest_letter, now)}" if state.oldest_letter else "no letter waits"
    due = f"{state.games_due} due, the first of them for {_for(state.oldest_due, now)}" if state.oldest_due else "none is due"
    return f"{letter}; games: {due}"


def _for(since: datetime, now: datetime) -> str:
    return describe_duration(max(timedelta(0), now - since))


def host_words(host: HostState) -> str:
    """``alpha: run, pbmd 1.0, seen 20 s ago, clock not in doubt``."""
    ago = describe_duration(timedelta(seconds=max(0, host.age_seconds)))
    clock = f", clock {host.clock}" if host.clock else ""
    return f"{host.name}: {host.does}, pbmd {host.version}, seen {ago} ago{clock}"


def trouble_of_hosts(work: Transaction) -> tuple[str, str, str]:
    """Of the hosts that work now: who they are, in what they differ, and how to mend that; what there is not is empty."""
    hosts = hosts_here(work, LATELY)
    names = names_of_hosts(hosts)
    told = "; ".join(f"{names[host.name]} ({host.does})" for host in hosts)
    if others := sorted({names[host.name] for host in hosts if host.key != key_digest(work.desk.key)}):
        trouble = f"another {KEY} than the ledger's on {', '.join(others)}: no other host takes the tokens in their mails"
        return told, trouble, f"stop pbmd there, copy {KEY} from the data folder of this host to theirs, and start it again"
    versions = _where((host.version, names[host.name]) for host in hosts)
    if len({*versions, __version__}) > 1:
        mend = "install the same version on all hosts, and start pbmd anew where another was at work"
        return told, f"different versions of pbmd: {_told(versions)}; this command is {__version__}", mend
    return told, *_trouble_of_rulesets(hosts, names, rulesets_played(work.desk))


def _trouble_of_rulesets(hosts: Sequence[Host], names: Mapping[str, str], ours: Rulesets) -> tuple[str, str]:
    """In what the rules differ by which games are played, and how to mend that."""
    have = [(names[host.name], rulesets_of(host)) for host in hosts] + [("this command", ours)]
    digests = {slug: _where((f"digest {digest}", name) for name, has in have if (digest := has.get(slug))) for slug in ours}
    if different := [f"{slug} ({_told(where)})" for slug, where in digests.items() if len(where) > 1]:
        mend = "install the same on all hosts, then start pbmd and its workers anew: they go on with what they began with"
        return f"different rules of {', '.join(different)}", mend
    # A worker may lack rules: it leaves such games to others.
    leads = [(names[host.name], rulesets_of(host)) for host in hosts if host.does != "worker"]
    lacking = _where((slug, name) for name, has in leads for slug, digest in has.items() if digest is None)
    if lacking:
        return f"no rules of {_told(lacking)}", "install them there, so that its games go on if they are looked after there"
    return "", ""


def _where(found: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """The names of the hosts by what was found there, each once."""
    where = dict[str, list[str]]()
    for what, name in found:
        there = where.setdefault(what, [])
        if name not in there:
            there.append(name)
    return where


def _told(where: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{what} on {', '.join(there)}" for what, there in where.items())
