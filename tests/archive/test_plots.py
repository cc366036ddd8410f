"""How samples are made: games that end by their rules, and have between them what an old archive can have."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pbmd.rules.registry import get, slugs
from tests.archive import samples
from tests.archive.made import verified
from tests.archive.plots import PLOTS
from tests.archive.samples import make, pack


@pytest.mark.parametrize("slug", slugs())
def test_an_option_is_changed_where_any_can_be(slug: str) -> None:
    changeable = any(spec.midgame for spec in get(slug).info.options.values())
    assert ("set" in PLOTS[slug].has) == changeable


def test_the_samples_have_between_them_all_that_an_old_archive_can_have() -> None:
    had = {kind for plot in PLOTS.values() for kind in plot.has}
    assert had == {"press", "announced", "resigned", "holder", "set", "rolled-back"}


def test_a_sample_is_won_by_the_rules_has_what_its_plot_says_and_comes_out_the_same_again(tmp_path: Path) -> None:
    for place in ("once", "again"):
        make("societies", tmp_path / place / "societies")
        pack(tmp_path / place / "societies", tmp_path / f"{place}.tar.xz")
    assert (tmp_path / "once.tar.xz").read_bytes() == (tmp_path / "again.tar.xz").read_bytes()
    archive = tmp_path / "once" / "societies"
    findings = verified(archive)
    assert (findings.problems, findings.whole) == ([], True)
    entries: list[dict[str, Any]] = [json.loads(line) for line in (archive / "data/journal.jsonl").read_text().splitlines()]
    assert PLOTS["societies"].has <= {entry["kind"] for entry in entries}
    assert list((archive / "data/turns/rolled-back").glob("*/*/resolution.toml"))
    named, unnamed = (entry for entry in entries if entry["kind"] == "press")
    assert ("secret" in named, "secret" in unnamed) == (True, False)
    outcome = tomllib.loads((archive / "data/game.toml").read_text())["outcome"]
    assert (outcome["winners"], outcome["reason"]) == (["Altair"], "Altair has won because all others have conceded.")


def test_a_game_that_does_not_end_by_itself_makes_no_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "MOST_ROUNDS", 1)
    with pytest.raises(RuntimeError, match="societies has not ended after 1 rounds"):
        make("societies", tmp_path / "societies")
    assert not (tmp_path / "societies").exists()
