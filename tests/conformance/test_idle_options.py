"""Options that change nothing in any game are named, and no others."""

from dataclasses import replace
from types import MappingProxyType

from pbmd.conformance.idle_options import idle_options
from pbmd.rules import Ruleset
from pbmd.rules.options import OptionSpec
from tests.rules import count, relay


def with_option(rules: Ruleset[count.Position], spec: OptionSpec) -> Ruleset[count.Position]:
    return replace(rules, info=replace(rules.info, options=MappingProxyType({**rules.info.options, spec.key: spec})))


def test_options_that_change_something_are_not_named() -> None:
    assert idle_options(count.ruleset, 5.0) == []
    assert idle_options(relay.ruleset, 5.0) == []


def test_an_option_that_nothing_depends_on_is_named() -> None:
    weather = OptionSpec("weather", True, "Whether it rains.")
    assert idle_options(with_option(count.ruleset, weather), 5.0) == ["weather"]


def test_what_there_is_no_time_for_is_not_named() -> None:
    assert idle_options(with_option(count.ruleset, OptionSpec("weather", True, "Whether it rains.")), 0.0) == []
