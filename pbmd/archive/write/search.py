"""Full-text search in pages that have no server: which words stand where, in small scripts of which a browser loads only those
that it needs, one for each letter with which a word may begin, and the texts of the hits.

``documents.js`` calls ``pbmdDocuments([[title, page, piece], …], [letter, …])``; ``61.js`` (the code point of "a", in hex)
calls ``pbmdWords("61", {word: [first document, how many further the next is, …]})``; ``t3.js``, a piece of the texts, calls
``pbmdTexts({document: text, …})``.
"""

import json
import re
from array import array
from pathlib import Path

_WORD = re.compile(r"[^\W_]{2,40}")
_LEAST = 200_000
"""The minimum size of a piece of texts, in characters: a browser loads those that have a line to show."""


class SearchIndex:
    """Gathers documents, and writes scripts into `folder`: the texts whenever a piece is full, everything else with `write`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._documents: list[tuple[str, str, int]] = []
        self._found: dict[str, array[int]] = {}
        self._texts: dict[int, str] = {}
        self._pieces = 0

    def add(self, title: str, page: str, text: str) -> None:
        """Another document; `page` is where it is, as the overview links to it below ``assets/turns/``."""
        number = len(self._documents)
        self._documents.append((title, page, self._pieces))
        self._texts[number] = text
        for word in set(_WORD.findall(text.lower())):
            self._found.setdefault(word, array("I")).append(number)

    def keep(self, least: int = _LEAST) -> None:
        """Write the texts that are still in memory, if they have this many characters. Raises `OSError`."""
        if self._texts and sum(map(len, self._texts.values())) >= least:
            self._folder.mkdir(exist_ok=True)
            _script(self._folder / f"t{self._pieces}.js", f"pbmdTexts({_literal(self._texts)});\n")
            self._texts, self._pieces = {}, self._pieces + 1

    def write(self) -> None:
        """Write the scripts. Raises `OSError`."""
        self.keep(least=0)
        self._folder.mkdir(exist_ok=True)
        by_letter: dict[str, list[str]] = {}
        for word in sorted(self._found):
            by_letter.setdefault(f"{ord(word[0]):x}", []).append(word)
        for letter, words in by_letter.items():
            content = {word: _steps(self._found[word]) for word in words}
            _script(self._folder / f"{letter}.js", f"pbmdWords({_literal(letter)},{_literal(content)});\n")
        documents = f"{_literal(self._documents)},{_literal(list(by_letter))}"
        _script(self._folder / "documents.js", f"pbmdDocuments({documents});\n")


def _steps(numbers: "array[int]") -> list[int]:
    """Ascending numbers as the first and the distances of the others, which are shorter to write."""
    return [number - before for before, number in zip([0, *numbers], numbers, strict=False)]


def _literal(value: object) -> str:
    """A JavaScript literal: JSON, in ASCII, so that no line separator ends a line."""
    return json.dumps(value, separators=(",", ":"))


def _script(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
