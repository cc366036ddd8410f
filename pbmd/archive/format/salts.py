"""The salts that players were given, as far as a journal opens the secrets that they come from."""

from collections.abc import Iterable, Mapping
from typing import Any

from pbmd.rules.salts import salt_of

Part = tuple[str, Mapping[str, Any], Mapping[str, Any] | None]
"""For an entry: its kind, its public part, and its secret part if it is shown."""
_OPENING = {
    "resolved": "turn {turn}",
    "rolled-back": "a step taken back",
    "restored": "a restored backup",
    "finished": "the step that was open when the game ended",
}
"""The entries that open the secret of salts, and for what."""


def opened_salts(entries: Iterable[Part]) -> tuple[dict[str, str], bool]:
    """What each salt is for, in hex, and whether others are sealed: those of the step that is open, and where secret parts are
    not shown."""
    seats: dict[int, str] = {}
    found: dict[str, str] = {}
    sealed = promised = False
    for kind, public, secret in entries:
        if kind == "joined":
            sealed = sealed or "number" not in public
            seats |= {int(public["number"]): str(public["seat"])} if public else {}
        elif kind in _OPENING:
            sealed, opened = sealed or secret is None, (secret or {}).get("salts", "")
            what = _OPENING[kind].format(turn=public.get("turn"))
            salts = {salt_of(bytes.fromhex(opened), number).hex(): seat for number, seat in seats.items()} if opened else {}
            found |= {salt: f"the salt of {seat} for the dice of {what}" for salt, seat in salts.items()}
        if kind in _OPENING or "salts_commitment" in public:
            promised = bool(public.get("salts_commitment"))
    return found, sealed or promised
