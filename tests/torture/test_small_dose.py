"""The storm in a small dose: enough to see that it still blows, and that nothing is lost or doubled in it."""

import re
from pathlib import Path

import pytest

from tests.doses import dose
from tests.mailservers import running_dovecot
from tests.postgresql import running_postgresql
from tests.torture.faults import FAULTS, SHARED_FAULTS
from tests.torture.storm import Plan, storm

# What takes longest is left to `make torture`.
_NAMES = ("uidvalidity", "imap cut", "smtp cut", "disk full", "clock", "letter ends the connection")
_SHORT = tuple(fault for fault in FAULTS if fault.name in _NAMES)


# The storm has limits of its own, which leave out what other work on the machine takes from it.
pytestmark = pytest.mark.timeout(2 * 3_600)


@pytest.mark.in_turn(3, of="long games")
@pytest.mark.dovecot
def test_a_short_storm_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    """With a Dovecot of its own, since a storm changes it under everybody's hands."""
    plan = Plan(
        seconds=dose(10, 15),
        seed=7,
        games=1,
        connections=2,
        per_second=4,
        least_letters=dose(30, 40),
        least_kills=2,
        deadline="6s",
        conquest_deadline="12s",
        tides_deadline="4s",
        kills=(1.5, 3.5),
        faults=_SHORT,
        between_faults=(0.3, 1.0),
        disk_megabytes=64,
    )
    with running_dovecot() as dovecot:
        outcome = storm(tmp_path, dovecot, plan)
    assert outcome.findings == []
    numbers = outcome.numbers()
    assert len(_SHORT) == len(_NAMES)
    assert set(outcome.skipped) == (set() if _may_mount() else {"disk full"}), outcome.skipped
    for fault in _SHORT:
        assert fault.name in outcome.skipped or numbers[f"fault: {fault.name}"] >= 1
    assert numbers["fault: kill"] >= 2
    assert numbers["letters in the ledger"] >= 20
    assert numbers["phases of them"] >= 1
    if outcome.skipped:
        pytest.skip(f"all was well, but without a full disk: {outcome.skipped['disk full']}")


_SHARED = tuple(
    fault for fault in SHARED_FAULTS if fault.name in ("leader killed", "connections ended", "back end killed", "stop and go")
)


@pytest.mark.in_turn(3, of="long games")
@pytest.mark.dovecot
def test_a_short_storm_over_several_hosts_and_their_database_loses_nothing_and_doubles_nothing(tmp_path: Path) -> None:
    """With a PostgreSQL of its own, whose processes are killed."""
    plan = Plan(
        seconds=dose(9, 12),
        seed=3,
        games=1,
        connections=2,
        per_second=4,
        least_letters=dose(30, 40),
        least_kills=3,
        deadline="6s",
        conquest_deadline="12s",
        tides_deadline="4s",
        cluster_deadline="8s",
        kills=(1.0, 3.0),
        faults=_SHARED,
        between_faults=(0.3, 1.0),
        hosts=2,
        workers=1,
    )
    with running_dovecot() as dovecot, running_postgresql(durable=True) as server:
        outcome = storm(tmp_path, dovecot, plan, server=server)
    assert outcome.findings == []
    assert outcome.skipped == {}
    numbers = outcome.numbers()
    assert len(_SHARED) == 4
    for kind in ("connections ended", "back end killed", "stop and go"):
        assert numbers[f"fault: {kind}"] >= 1
    assert numbers["fault: kill"] >= 3
    assert numbers["letters in the ledger"] >= 20
    assert numbers["phases of them"] >= 1


def _may_mount() -> bool:
    """Whether this process may mount a small disk (CAP_SYS_ADMIN), as root may outside of most containers."""
    capabilities = re.search(r"^CapEff:\s*([0-9a-f]+)$", Path("/proc/self/status").read_text(), re.MULTILINE)
    return capabilities is not None and bool(int(capabilities[1], 16) >> 21 & 1)
