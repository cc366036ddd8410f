"""How different colours look: to usual eyes, to those who are colour blind in one of the three common ways, and in grey."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

Matrix = Sequence[Sequence[float]]

_EYES: Mapping[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes 2009, at full severity, for linear light."""
_XYZ: Matrix = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
_WHITE = (0.95047, 1.0, 1.08883)
Lab = tuple[float, float, float]


def closest(colours: Mapping[str, str]) -> Mapping[str, tuple[float, str, str]]:
    """For each kind of eyes the two that look most alike, with their difference (ΔE, CIE 1976)."""
    return {eyes: _closest({name: lab(colour, eyes) for name, colour in colours.items()}, math.dist) for eyes in _EYES}


def closest_in_grey(colours: Mapping[str, str]) -> tuple[float, str, str]:
    """The two that are most alike in print without colours, with the difference of their lightness (0 to 100)."""
    return _closest({name: lab(colour) for name, colour in colours.items()}, lambda one, other: abs(one[0] - other[0]))


def _closest(seen: Mapping[str, Lab], apart: Callable[[Lab, Lab], float]) -> tuple[float, str, str]:
    return min((apart(seen[one], seen[other]), one, other) for one, other in combinations(seen, 2))


def contrast(one: str, other: str) -> float:
    """The contrast of WCAG 2, 1 to 21."""
    low, high = sorted(_times(_XYZ, _linear(colour))[1] for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, eyes: str = "usual") -> Lab:
    """A colour, "#rrggbb", in CIE Lab, as those eyes see it."""
    light = [min(1.0, max(0.0, share)) for share in _times(_EYES[eyes], _linear(colour))]
    x, y, z = (_root(value / white) for value, white in zip(_times(_XYZ, light), _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _linear(colour: str) -> list[float]:
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(one * other for one, other in zip(row, vector, strict=True)) for row in matrix]


def _root(value: float) -> float:
    return value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116
