"""One of several processes that play a game of an archive again (`pbmd.archive.verify.replay_pool` starts them), or one that is
locked up since it plays by anybody's rules. It gets its task as JSON on standard input and answers in lines of JSON."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from pbmd.archive.format.entries import BrokenJournal, Entry, read_entries
from pbmd.archive.format.findings import JOURNAL, Archive, Findings, Problem, Progress
from pbmd.archive.format.seals import files_of
from pbmd.archive.verify.game_facts import Facts
from pbmd.archive.verify.isolated_step import check_alone
from pbmd.archive.verify.sandbox import ACT, lock_up
from pbmd.archive.verify.turn_by_turn import Played, Share, check_turns
from pbmd.rendering.render import load_templates
from pbmd.resources import folder as shipped
from pbmd.rules import Ruleset
from pbmd.rules.registry import UnknownRuleset, from_folder, get


@dataclass(frozen=True, slots=True)
class Task:
    """The `folder` of the archive, the `rules` by which it is played (the name of a ruleset, or the path of its folder, with a
    slash), and the `share` of the reports to check: its number, and out of how many. One that is `caged` is locked up before
    the rules run; if that fails, it runs them only if it is `uncaged`, too."""

    folder: str
    rules: str
    share: tuple[int, int]
    caged: bool = False
    uncaged: bool = False


def main() -> None:
    """Do the task on standard input."""
    task = Task(**json.loads(sys.stdin.buffer.read()))
    # Whatever the rules print must not be taken for an answer.
    answers, silence = os.fdopen(os.dup(1), "wb"), os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    with answers:
        _tell(answers, _done(task, lambda _what, count, total: _tell(answers, {"done": count, "of": total})))


def _tell(answers: BinaryIO, what: Mapping[str, object]) -> None:
    answers.write(json.dumps(what).encode() + b"\n")
    answers.flush()


def _done(task: Task, progress: Progress) -> dict[str, Any]:
    folder = Path(task.folder)
    archive = Archive(folder, files_of(folder), Findings(""))
    game = archive.game()
    if game is None:
        return {"trouble": "its game.toml cannot be used"}
    may = _locked_up(task) if task.caged else []
    if set(may) & set(ACT) and not task.uncaged:
        return {"refused": may}
    try:
        ruleset = from_folder(Path(task.rules)) if "/" in task.rules else get(task.rules)
    except UnknownRuleset as problem:
        return {"trouble": f"the rules cannot be read: {problem}"}
    if ruleset.info.slug != archive.findings.ruleset:
        return {"trouble": f"there are the rules of {ruleset.info.slug}"}
    entries = partial(read_entries, folder / JOURNAL)
    played = Played()
    if game.get("anonymised"):
        check_alone(archive, ruleset, game, entries())
    else:
        played = _turns(task, archive, ruleset, entries, progress)
    findings = archive.findings
    return {
        "problems": [asdict(problem) for problem in findings.problems],
        "unnamed": findings.unnamed,
        "checked": findings.checked,
        "unchecked": findings.unchecked,
        "places": played.places,
        "files": None if played.files is None else sorted(played.files),
        "may": may,
    }


def _locked_up(task: Task) -> list[str]:
    """Read in advance what would be read later, give up all rights, and return those that could not be given up."""
    load_templates(())
    return lock_up([Path(task.folder), Path(task.rules), shipped("templates")])


def _turns(
    task: Task, archive: Archive, ruleset: Ruleset[Any], entries: Callable[[], Iterator[Entry]], progress: Progress
) -> Played:
    facts = Facts(Archive(archive.folder, archive.files, Findings("")))  # the parent reports any problems with these
    try:
        for entry in entries():
            facts.take(entry)
    except BrokenJournal as problem:
        archive.findings.add(Problem(JOURNAL, str(problem), line=problem.line))
        return Played()
    return check_turns(archive, ruleset, entries, facts, progress, Share(*task.share))


if __name__ == "__main__":
    main()
