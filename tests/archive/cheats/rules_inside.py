"""A host that plays by other rules, and says in the archive that it was by those."""

import io
import zipfile

from pbmd.archive.format.source import read_source
from pbmd.edition import digest_of_source
from tests.archive.cheats.hosts import other_rules
from tests.archive.cheats.played import FRIEND, Evidence, Played
from tests.archive.made import seal_again

_THREE_MORE = f"""

import dataclasses as _dataclasses

_honest = ruleset.resolve


def _resolve(position, dice):
    came = _honest(position, dice)
    scores = {{**came.position.scores, {FRIEND!r}: came.position.scores[{FRIEND!r}] + 3}}
    return _dataclasses.replace(came, position=_dataclasses.replace(came.position, scores=scores))


ruleset = _dataclasses.replace(ruleset, resolve=_resolve)
"""


def puts_other_rules_inside(played: Played) -> Evidence:
    evidence = other_rules(played)
    path, game = evidence.archive / "rules.zip", evidence.archive / "data" / "game.toml"
    source = read_source(path)
    honest = digest_of_source(source)
    source["rules/__init__.py"] += _THREE_MORE.encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(source.items()):
            archive.writestr(name, content)
    path.write_bytes(packed.getvalue())
    game.write_text(game.read_text().replace(honest, digest_of_source(source)))
    seal_again(evidence.archive)
    return evidence
