"""What the handbook says an option is, where nobody has set it, is what ruleset.toml says."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbmd.conformance.findings import Wrong
from pbmd.conformance.rule_ids import handbook
from pbmd.rules import Ruleset
from pbmd.rules.options import OptionSpec
from pbmd.rules.troubles import PlaceInFile

_SAID = r"`{key}`[^`.;|]{{0,40}}?\bdefault(?:s to| is|:|,)?\s+[`\"]?(-?\w+)"
_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")


def defaults_are_as_written(rules: Ruleset[Any]) -> Iterator[Wrong]:
    """Only where it says so in so many words: "option `days`, default 10"."""
    file = Path(str(rules.info.folder)) / "RULES.md"
    text = handbook(file)
    for key, spec in rules.info.options.items():
        for said in re.finditer(_SAID.format(key=re.escape(key)), text):
            if _differs(spec, said[1].lower()):
                line = text.count("\n", 0, said.start(1)) + 1
                words = f"the handbook says that the default of {key} is {said[1]}, and in ruleset.toml it is {_written(spec)}"
                yield Wrong("files.defaults", words, PlaceInFile(str(file), line))


def _differs(spec: OptionSpec, said: str) -> bool:
    """What is no value of that type is only a word."""
    if isinstance(spec.default, bool):
        return said in (_NO if spec.default else _YES)
    if isinstance(spec.default, int):
        return said.lstrip("-").isdigit() and int(said) != spec.default
    return said in spec.choices and said != spec.default


def _written(spec: OptionSpec) -> str:
    return str(spec.default).lower()
