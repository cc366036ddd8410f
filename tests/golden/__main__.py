"""The golden run: what nobody may see a difference in while the code moves.

python -m tests.golden                     compare the small plays with the record that the tests compare with
python -m tests.golden --write             write that record anew, after a change that users are meant to see
python -m tests.golden --keep FOLDER       keep all that the plays leave as files, to look at with diff -r
python -m tests.golden --rounds 12 --seeds 3 --record FILE
                                           longer plays; --write into a record of their own, later compare
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from rich.console import Console

from tests.golden.plays import PLAYERS, play
from tests.golden.record import RECORDS, ROUNDS, compared, digests, things

_CONSOLE = Console(highlight=False, soft_wrap=True)


def main() -> int:
    """Play, and compare or write. 1 if something differs."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.golden", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("slugs", nargs="*", default=sorted(PLAYERS), help="rulesets, all if none is named")
    parser.add_argument("--write", action="store_true", help="write the record instead of comparing with it")
    parser.add_argument("--keep", type=Path, help="a folder for all that the plays leave")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how long a play is")
    parser.add_argument("--seeds", type=int, default=1, help="how many plays of each ruleset")
    parser.add_argument("--record", type=Path, default=RECORDS, help="the folder of the record")
    given = parser.parse_args()
    differs = False
    for slug in given.slugs:
        for seed in range(given.seeds):
            differs |= _one(given, slug, seed)
    return int(differs)


def _one(given: argparse.Namespace, slug: str, seed: int) -> bool:
    with (
        pytest.MonkeyPatch.context() as patch,
        TemporaryDirectory() as folder,
        play(Path(folder), slug, patch, seed, given.rounds) as played,
    ):
        found = things(played)
    name = f"{slug}-{seed}"
    for thing, data in found.items() if given.keep else ():
        path = given.keep / name / thing
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    record = given.record / f"{name}.txt"
    if given.write:
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text(digests(found))
        _CONSOLE.print(f"{name}: {len(found)} things written to {record}")
        return False
    difference = compared(record.read_text(), digests(found))
    _CONSOLE.print(f"{name}: {len(found)} things, {difference or 'all as recorded'}")
    return bool(difference)


if __name__ == "__main__":
    sys.exit(main())
