"""The verdict on what a mail claims."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on a claim. `holds` is None if the books cannot decide; if it is not `whole`, the claim was not looked at, or
    not entirely, as the words say."""

    what: str
    value: str
    holds: bool | None
    words: str
    whole: bool = True
