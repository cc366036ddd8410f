"""A check repeated: in the scene of a file that `pbmd try` has written, or in all games if it has no scene."""

from collections.abc import Iterator, Mapping
from typing import Any

from pbmd.conformance.check_table import OF_SCENES
from pbmd.conformance.findings import Wrong
from pbmd.conformance.scene_file import NotAgain, way_read
from pbmd.conformance.scenes import Scene, scene_again
from pbmd.conformance.trial import Plan, Seen, all_findings, seen_by_check, seen_in_scene
from pbmd.conformance.watched_ruleset import guarded, watchdog
from pbmd.rules import Ruleset


def found_again(rules: Ruleset[Any], plan: Plan, written: Mapping[str, Any]) -> list[Seen]:
    """What is found when the check of a file is repeated: in its scene, or in all games if it has none. Raises `NotAgain`."""
    name = str(written.get("check"))
    if "signups" not in written:
        return [seen for seen in all_findings(rules, plan) if seen.check == name]
    if name not in OF_SCENES:
        raise NotAgain(f'there is no check "{name}"')
    watched, made = guarded(rules, plan.limits), list[Scene]()
    opening, past, letters = way_read(watched, written)

    def played() -> Iterator[Wrong]:
        made.append(scene_again(watched, opening, past, letters))
        yield from ()

    with watchdog():
        seen = list(seen_by_check(Seen(Wrong("", ""), name, str(written.get("scene"))), played))
        return seen or [each for scene in made for each in seen_in_scene(OF_SCENES[name], scene)]
