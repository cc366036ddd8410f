"""Sign-up (section 5 of the rules): the faction's name and the names of its bases."""

from collections.abc import Sequence

from pbmd.rules import Line, Options, Signup, Status, Verdict, fold

from .position import faction_name_problem, name_problem
from .reading import clean

_SETUP_HEAD = "bases:"


def check_signup(signup: Signup, accepted: Sequence[Signup], options: Options) -> tuple[Verdict, ...]:
    """The faction's name and its ``Bases:`` line (section 5); the first to arrive keeps a name."""
    problem = faction_name_problem(signup.seat)
    if not problem and any(fold(signup.seat) == fold(other.seat) for other in accepted):
        problem = "another faction has this name already"
    limit = int(options["max_players"])
    if not problem and limit and len(accepted) >= limit:
        problem = f"the game is for {limit} factions and full"
    head = (
        Verdict(0, signup.seat, Status.ERROR, f'"{signup.seat}": {problem}') if problem else Verdict(0, signup.seat, Status.OK)
    )
    taken = {fold(name) for other in accepted for name in bases_asked_for(other)}
    verdicts = [head]
    for place, line in enumerate(line for line in signup.lines if line.text.strip()):
        verdicts.append(_signup_line(line, taken, int(options["starting_bases"]), second=place > 0))
    return tuple(verdicts)


def bases_asked_for(signup: Signup) -> tuple[str, ...]:
    """The base names of an accepted sign-up, in the order written."""
    for line in signup.lines:
        if clean(line.text).lower().startswith(_SETUP_HEAD):
            return _base_list(line.text)
    return ()


def _base_list(text: str) -> tuple[str, ...]:
    return tuple(name.strip().rstrip(".").strip() for name in clean(text)[len(_SETUP_HEAD) :].split(","))


def _signup_line(line: Line, taken: set[str], most: int, *, second: bool) -> Verdict:
    example = "Example: Bases: Terra, Luna, Ceres"
    if not clean(line.text).lower().startswith(_SETUP_HEAD):
        return Verdict(
            line.number, line.text, Status.ERROR, f"a faction's set-up is one line with the names of its bases. {example}"
        )
    names = _base_list(line.text)
    problem = "the bases are named in one line only" if second else ""
    if len(names) > most:
        problem = problem or f"{len(names)} names for {most} {'base' if most == 1 else 'bases'}"
    for place, name in enumerate(names):
        wrong = name_problem(name)
        if not wrong and fold(name) in taken:
            wrong = "another base has this name already"
        if not wrong and fold(name) in {fold(other) for other in names[:place]}:
            wrong = "the name is there twice"
        problem = problem or (f'"{name}": {wrong}' if wrong else "")
    if problem:
        return Verdict(line.number, line.text, Status.ERROR, f"{problem}. {example}")
    return Verdict(line.number, line.text, Status.OK, canonical=f"Bases: {', '.join(names)}")
