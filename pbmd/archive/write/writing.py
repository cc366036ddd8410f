"""How the files of an archive are written: nothing gets into one that may not be in any archive."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tomli_w

from pbmd.archive.write.anonymous import SHORTEST_HASH, Anonymiser, without_hashes, without_zones
from pbmd.post.blank import Blanker


@dataclass
class Writer:
    """Writes files below `folder`, without tokens and, with an `anonymiser`, without anything that shows who the players are.

    `changed` are the files that it took such a thing out of. `hidden` are the beginnings of the journal's hashes that no file
    may have, since they would confirm a guess at what was taken out.
    """

    folder: Path
    blanker: Blanker
    anonymiser: Anonymiser | None = None
    changed: list[str] = field(default_factory=list[str])
    hidden: set[str] = field(default_factory=set[str])

    def hide(self, head: str) -> None:
        """From here on, write this hash of the journal nowhere, nor its beginning."""
        self.hidden.add(head[:SHORTEST_HASH])

    def cleaned(self, text: str) -> str:
        """The text as it may stand in an archive."""
        text = without_hashes(self.blanker.text(text), self.hidden)
        return self.anonymiser.text(text) if self.anonymiser else text

    def anonymous(self, text: str) -> str:
        """The text as it may stand in an anonymised archive."""
        return without_zones(self.cleaned(text))

    def text(self, path: str, text: str) -> None:
        """Write a file, and the folders that it is in. Raises `OSError`."""
        blanked = without_hashes(self.blanker.text(text), self.hidden)
        if self.anonymiser:
            blanked = without_zones(blanked)  # the zones surround what the rules say, which comes out the same without them
        written = self.anonymiser.text(blanked) if self.anonymiser else blanked
        if written != blanked:
            self.changed.append(path)
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(written, encoding="utf-8", newline="\n")

    def toml(self, path: str, document: Mapping[str, object], *, multiline: bool = False) -> None:
        """Write a document as TOML. Raises `OSError`."""
        self.text(path, tomli_w.dumps(document, multiline_strings=multiline))

    def json(self, path: str, document: Mapping[str, object] | Sequence[object]) -> None:
        """Write a document as JSON. Raises `OSError`."""
        self.text(path, json.dumps(document, ensure_ascii=False, indent=2) + "\n")
