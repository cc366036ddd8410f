"""A scene in a file: what is needed to see again what was found in it.

It holds how the game began, all letters, and the position for reading; with a mended ruleset the same game is played from it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbmd.conformance.scenes import Letters, Opening, Scene
from pbmd.rules import Line, Mail, Ruleset, Signup
from pbmd.rules.options import changed, complete


class NotAgain(ValueError):
    """A file from which nothing can be repeated; the message says why."""


def scene_written(scene: Scene) -> dict[str, Any]:
    """A scene as JSON; nothing if nobody knows how it came about."""
    opening = scene.opening
    if opening is None:
        return {}
    return {
        "scene": scene.name,
        "options": changed(scene.rules.info.options, opening.options),
        "signups": [_signup_written(signup) for signup in opening.signups],
        "dice": opening.dice,
        "steps_before": [[_mail_written(mail) for mail in letters] for letters in scene.past],
        "letters": [_mail_written(mail) for mail in scene.letters],
        "position": _position(scene),
    }


def _position(scene: Scene) -> Any:
    """The position before the letters; None if it cannot be written, which may be the very finding."""
    try:
        return json.loads(json.dumps(scene.rules.dump(scene.position)))
    except Exception:  # the ruleset is known to be wrong
        return None


def _signup_written(signup: Signup) -> dict[str, Any]:
    return {"seat": signup.seat, "lines": _lines_written(signup.lines), "holder": signup.holder}


def _mail_written(mail: Mail) -> dict[str, Any]:
    return {"seat": mail.seat, "arrival": list(mail.arrival), "lines": _lines_written(mail.lines)}


def _lines_written(lines: Iterable[Line]) -> list[list[Any]]:
    return [[line.number, line.text] for line in lines]


def way_read(rules: Ruleset[Any], written: Mapping[str, Any]) -> tuple[Opening, list[Letters], Letters]:
    """How the scene in a file came about, and its letters, for `scene_again`. Raises `NotAgain`."""
    try:
        options = complete(rules.info.options, written["options"])
        signups = tuple(Signup(each["seat"], _lines(each["lines"]), each["holder"]) for each in written["signups"])
        past = [_letters(letters) for letters in written["steps_before"]]
        return Opening(signups, options, str(written["dice"])), past, _letters(written["letters"])
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise NotAgain(f"this is no scene that pbmd try has written, or of other options: {problem}") from None


def _letters(written: Sequence[Mapping[str, Any]]) -> Letters:
    return tuple(Mail(each["seat"], _lines(each["lines"]), (each["arrival"][0], each["arrival"][1])) for each in written)


def _lines(written: Iterable[Sequence[Any]]) -> tuple[Line, ...]:
    return tuple(Line(int(number), str(text)) for number, text in written)
