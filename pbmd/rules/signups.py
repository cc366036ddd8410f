"""What all rulesets do alike with sign-ups when a game begins: each is checked once more, with those before it."""

from collections.abc import Callable, Sequence

from pbmd.rules.options import Options
from pbmd.rules.protocol import Refused, Signup, Status, Verdict


def must_be_sound(
    check: Callable[[Signup, Sequence[Signup], Options], tuple[Verdict, ...]], signups: Sequence[Signup], options: Options
) -> None:
    """Raises `Refused` with the first thing that is wrong with any of them."""
    for place, signup in enumerate(signups):
        for verdict in check(signup, signups[:place], options):
            if verdict.status is Status.ERROR:
                raise Refused(f"{signup.seat}: {verdict.message}")
