"""All pairs of an IMAP and an SMTP server, and the game on one of them."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path

from tests.acceptance.house import Sink
from tests.benchmarks.sink import running_sink
from tests.servers import courier, cyrus, dovecot, exim, opensmtpd, postfix
from tests.servers.audit import audit
from tests.servers.game import open_host, play
from tests.servers.kinds import StartImap, StartSmtp
from tests.servers.traits import traits_of_imap, traits_of_smtp

IMAP: dict[str, StartImap] = {"Dovecot": dovecot.running, "Cyrus": cyrus.running, "Courier": courier.running}
SMTP: dict[str, StartSmtp] = {"Postfix": postfix.running, "Exim": exim.running, "OpenSMTPD": opensmtpd.running}
NOTES = {"Cyrus": cyrus.NOTE, "Courier": courier.NOTE, "OpenSMTPD": opensmtpd.NOTE}
"""What a server does otherwise, though it does not say so itself."""
RECORD = Path(__file__).with_name("record.json")


@dataclass(frozen=True)
class ServerFacts:
    """A row of the table in docs/mail.md. `partners` are the servers of the other kind with which the game was played."""

    kind: str
    name: str
    version: str
    traits: tuple[str, ...]
    partners: tuple[str, ...] = ()


@dataclass(frozen=True)
class Match:
    """A game that was played, and what is wrong with it."""

    imap: ServerFacts
    smtp: ServerFacts
    letters: int
    mails: int
    seconds: float
    findings: tuple[str, ...]


def pairs(names: Sequence[str] = ()) -> list[tuple[str, str]]:
    """All pairs of these servers, with every one of the other kind where none of that is named. Raises ValueError for a name of
    no server."""
    known = {name.lower(): name for name in (*IMAP, *SMTP)}
    if unknown := [name for name in names if name.lower() not in known]:
        raise ValueError(f"no server is called {', '.join(unknown)}; there are {', '.join(known.values())}")
    wanted = {known[name.lower()] for name in names}
    imap, smtp = ([name for name in kind if name in wanted] or list(kind) for kind in (IMAP, SMTP))
    return list(product(imap, smtp))


def run_match(imap_name: str, smtp_name: str, folder: Path) -> Match:
    """Play the game on a pair, and look at what it has come to."""
    began = time.monotonic()
    sink = Sink()
    with running_sink(sink) as world_port, IMAP[imap_name]() as imap, SMTP[smtp_name](imap.delivery, world_port) as smtp:
        on_imap = ServerFacts("IMAP", imap_name, imap.version, tuple(traits_of_imap(imap)))
        on_smtp = ServerFacts("SMTP", smtp_name, smtp.version, tuple(traits_of_smtp(smtp)))
        with open_host(folder, imap, smtp, sink) as (host, to_imap, to_smtp):
            try:
                play(host, to_imap, to_smtp)
                findings = tuple(audit(host))
            except AssertionError as problem:
                findings = (f"{problem}\n{imap.told()[-3000:]}\n{smtp.told()[-3000:]}",)
        mails = sum(len(mails) for mails in sink.mails.values())
        return Match(on_imap, on_smtp, len(host.delivered), mails, time.monotonic() - began, findings)


def facts_of(matches: Sequence[Match]) -> list[ServerFacts]:
    """A row for each server, with all the partners it had."""
    rows: dict[str, ServerFacts] = {}
    for match in matches:
        for mine, other in ((match.imap, match.smtp), (match.smtp, match.imap)):
            before = rows[mine.name].partners if mine.name in rows else ()
            rows[mine.name] = ServerFacts(mine.kind, mine.name, mine.version, mine.traits, (*before, other.name))
    return sorted(rows.values(), key=lambda facts: facts.kind)


def write_record(rows: Sequence[ServerFacts]) -> None:
    """Keep them in the file beside this one."""
    RECORD.write_text(json.dumps([asdict(facts) for facts in rows], indent=1) + "\n")


def read_record() -> list[ServerFacts]:
    """What is kept there."""
    rows = json.loads(RECORD.read_text())
    return [ServerFacts(**{**row, "traits": tuple(row["traits"]), "partners": tuple(row["partners"])}) for row in rows]
