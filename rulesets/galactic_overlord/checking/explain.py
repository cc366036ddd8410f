"""What is wrong with a line that is no order."""

import difflib
import re

from lark import UnexpectedInput, UnexpectedToken

from ..orders import Unclear

OOB_EXAMPLE = "OOB default: LFTLTF close in, bunch"

_HEADS: tuple[tuple[str, str, str], ...] = (
    (
        r"(oob|order of battle)\b|(attack|defen[cs]e|default)\b[^:]*:",
        "an order of battle is six weapons, then tactics",
        OOB_EXAMPLE,
    ),
    (r"attack\b", "an attack names the target and the ships that go", "Attack Cygnus with all"),
    (r"(re-?)?(build|buy)\b.*\bgenerator", "this builds one shield generator", "Build generator"),
    (
        r"(build|buy|construct|purchase|produce)\b",
        "build so many ships of a class, or bases",
        "Build 4 Laserfrigates, 1 Torpedocruiser, 1 base named Rigel",
    ),
    (r"repair\b", "repair so many ships of a class, or all", "Repair 2 Laserbattleships"),
    (r"(use\s+)?(a\s+)?(spy|spies)\b", "a spy is used on a faction", "Use spy on Cygnus"),
    (r"use\b", "a spy or counter-espionage can be used", "Use counter-espionage"),
    (r"counter", "counter-espionage stands alone", "Use counter-espionage"),
    (r"raise\b|shields?\b", "shields are raised without further words", "Raise shields"),
    (r"train\b", "one spy is trained", "Train spy"),
    (r"(transfer|give|trade)\b", "one base a line is transferred to a faction", "Transfer Vega to Borealis"),
    (r"(captured|spoils)\b", "captured bases are dealt to a list of factions", "Captured bases to Altair, Borealis"),
)
_SHAPES = tuple((re.compile(head, re.IGNORECASE), form, example) for head, form, example in _HEADS)
_STARTS = (
    "attack", "build", "captured bases", "counter-espionage", "default", "defence", "give", "oob", "order of battle", "raise",
    "raise shields", "repair", "shields", "spoils", "stockpile", "train", "train spy", "transfer", "use", "use spy",
)  # fmt: skip
"""The beginnings of orders."""
_OOB_STARTS = {
    "attack": "OOB attack",
    "defence": "OOB defence",
    "default": "OOB default",
    **dict.fromkeys(("oob", "order of battle"), "OOB"),
}
"""The beginning of an order of battle that a line almost has."""
_LIKE_OOB = re.compile(r":|\b[lft]{5,7}\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|unless|otherwise|or|instead)\b", re.IGNORECASE)
_NO_COLON = Unclear("an order of battle against one faction needs a colon after the name", "OOB attack vs Cygnus: LFTLTF")


def explain(line: str, stop: UnexpectedInput) -> Unclear:
    """Why the grammar stopped there; called for refused lines only."""
    ended = isinstance(stop, UnexpectedToken) and stop.token.type == "$END"
    place = len(line) if ended else stop.pos_in_stream or 0
    shape = next((shape for shape in _SHAPES if shape[0].match(line)), None)
    if shape is None:
        return _no_order(line)
    head, form, example = shape
    if head is _SHAPES[0][0]:
        return _explain_oob(line, place)
    if head is _SHAPES[1][0]:
        if re.match(r"attack\b\s*!?\s*(vs|versus|against)\b", line, re.IGNORECASE):
            return _NO_COLON
        if re.match(r"attack\b\s*[lft]{3,}\b", line, re.IGNORECASE):
            return Unclear("an order of battle without the word OOB needs a colon", "Attack: LFTLTF close in, bunch")
        if not re.search(r"\bwith\b", line, re.IGNORECASE):
            return Unclear("the attack does not say which ships go", example)
    if found := _CONDITION.search(line):
        return Unclear(f'an order cannot depend on anything, and leaves no choice ("{found[0]}"); {form}', example)
    rest = line[place:].strip()
    where = f'"{_short(rest)}" is not understood' if rest else "the line ends too early"
    return Unclear(f"{where}; {form}", example)


def _explain_oob(line: str, place: int) -> Unclear:
    if re.search(r"\b(vs\.?|versus|against)\b", line, re.IGNORECASE) and ":" not in line:
        return _NO_COLON
    rest = line[place:].strip()
    if not rest:
        return Unclear("the six weapons are missing", OOB_EXAMPLE)
    if re.match(r"[lft]{6}\b", line[: place + 6][-6:], re.IGNORECASE) or re.search(
        r"[lft]{6}\b.*\W$", line[:place], re.IGNORECASE
    ):
        return Unclear(
            f'"{_short(rest)}" is no tactic; there are close in, back off, bunch, spread, and for attacks to the death',
            OOB_EXAMPLE,
        )
    return Unclear(f'OOB "{_short(rest)}" must be six weapons: L, F and T twice each, then tactics', OOB_EXAMPLE)


def _no_order(line: str) -> Unclear:
    words = re.sub(r"[^a-z\s-]", " ", line.lower()).split()
    heads = {length: " ".join(words[:length]) for length in (3, 2, 1)}
    near = [
        (difflib.SequenceMatcher(None, start, head).ratio(), length, start)
        for length, head in heads.items()
        for start in difflib.get_close_matches(head, _STARTS, n=1, cutoff=0.7)
    ]
    if near:
        _, length, start = max(near)
        return _meant(line, start, length)
    first = line.split(maxsplit=1)[0] if line else ""
    if re.fullmatch(r"[lft]{5,7}", first, re.IGNORECASE):
        return Unclear(f'OOB "{first}" must be six weapons: L, F and T twice each', OOB_EXAMPLE)
    return Unclear("this is no order", "Build 2 Laserfrigates")


def _meant(line: str, start: str, words: int) -> Unclear:
    """What is wrong with a line in which this many words are spelt like the start of an order."""
    name, example = _OOB_STARTS.get(start, ""), "OOB default: LFTLTF"
    if not name or (start == "attack" and not _LIKE_OOB.search(line)):
        example = next((example for head, _, example in _SHAPES if head.match(start)), start.capitalize())
        name = example[: max(len(each) for each in _STARTS if example.lower().startswith(each))]
    elif name != "OOB":
        example = f"{name}: LFTLTF"
    written = re.match(rf"[a-z-]+(\s+[a-z-]+){{{words - 1}}}", line, re.IGNORECASE)
    return Unclear("this is no order", example, (name,), written[0] if written else "")


def _short(text: str, longest: int = 40) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"
