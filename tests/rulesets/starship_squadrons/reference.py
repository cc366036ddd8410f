"""Hex arithmetic word for word from section 7.1 of the specification, to compare with what the rules do."""

Hex = tuple[int, int]


def parse(text: str) -> Hex:
    """(column, row) of ``ccrr``."""
    return int(text[:2]), int(text[2:])


def shown(place: Hex) -> str:
    """``ccrr``."""
    return f"{place[0]:02}{place[1]:02}"


def axial(place: Hex) -> tuple[int, int]:
    """(q, s) of the specification."""
    q = place[0] - 1
    return q, place[1] - 1 - (q - q % 2) // 2


def distance(one: str, other: str) -> int:
    """Hexes from one to the other."""
    (q, s), (p, t) = axial(parse(one)), axial(parse(other))
    return max(abs(q - p), abs(s - t), abs(q + s - p - t))


def neighbours(place: str) -> list[str]:
    """The six neighbours, on a board or not, in the order N, NE, SE, S, SW, NW."""
    c, r = parse(place)
    up = 1 if c % 2 else 0
    return [
        shown(n) for n in ((c, r - 1), (c + 1, r - up), (c + 1, r - up + 1), (c, r + 1), (c - 1, r - up + 1), (c - 1, r - up))
    ]


def path(start: str, waypoints: list[str], steps: int, columns: int = 19, rows: int = 15) -> list[str]:
    """The hexes entered by a movement of that many steps."""
    entered: list[str] = []
    here = origin = start
    for target in waypoints:
        origin = here
        while here != target and len(entered) < steps:
            near = [n for n in neighbours(here) if 1 <= parse(n)[0] <= columns and 1 <= parse(n)[1] <= rows]
            near = [n for n in near if distance(n, target) == distance(here, target) - 1]
            here = min(near, key=lambda n: _off_line(origin, target, n))
            entered.append(here)
    return entered


def _off_line(origin: str, target: str, place: str) -> int:
    (qo, so), (qw, sw), (qp, sp) = (axial(parse(one)) for one in (origin, target, place))
    return abs((qp - qo) * (sw - so) - (sp - so) * (qw - qo))
