"""What `pbmd check` says about each thing that it tries."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One thing that was tried; `mend` says what to do if it failed, and `more` which command says all about it."""

    name: str
    ok: bool
    detail: str
    mend: str = ""
    more: str = ""
