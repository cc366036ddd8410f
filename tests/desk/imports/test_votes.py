"""A game that moves to another host keeps what its players may vote on."""

import json
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

from pbmd.archive.format.entries import read_entries
from pbmd.archive.format.findings import JOURNAL
from pbmd.desk.imports.game import go_on
from pbmd.desk.votes.decide import set_votes
from pbmd.ledger.tables import Vote
from tests.archive.made import export, verified
from tests.desk.world import World


def test_what_the_game_master_has_changed_stays_and_votes_begin_anew(tmp_path: Path) -> None:
    for name in ("there", "here"):
        (tmp_path / name).mkdir()
    with closing(World(tmp_path / "there")) as there, closing(World(tmp_path / "here")) as here:
        there.count(votes=("draw", "cancel"))
        there.send("Altair", "PROPOSE DRAW")
        there.act("galaxy-7", set_votes, "draw pause")
        there.pass_time(timedelta(days=4))
        archive = export(there, tmp_path / "archive")
        with here.work() as work:
            table = go_on(work, partial(read_entries, archive / JOURNAL), 2)
            assert table.terms.votes == ("draw", "pause")
        assert here.rows(Vote) == []
        here.send("Borealis", "PROPOSE DRAW")
        for seat in ("Altair", "Cygnus"):
            here.send(seat, "VOTE YES")
        [end] = here.journal("finished")
        assert json.loads(end.public)["draw"] == ["Altair", "Borealis", "Cygnus"]
        assert verified(export(here, tmp_path / "end")).problems == []
