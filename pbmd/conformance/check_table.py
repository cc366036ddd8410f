"""All checks in a table: those of a scene, and those of a ruleset."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pbmd.conformance import (
    declared_paths,
    derived_letters,
    documents,
    flow,
    forms,
    hostile_input,
    idle_waiting,
    imagining,
    mutation,
    order_checks,
    other_names,
    press_rooms,
    purity,
    rule_ids,
    ruleset_folder,
    seats,
    secrecy,
    setting_up,
    views,
    written_defaults,
)
from pbmd.conformance.findings import Wrong
from pbmd.conformance.scenes import Scene
from pbmd.rules import Ruleset

SceneCheck = Callable[[Scene], Iterable[Wrong]]
RulesetCheck = Callable[[Ruleset[Any]], Iterable[Wrong]]


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a scene. `few`: it takes long, so at most this many scenes are checked; 0 is all. `any_name`: it also works in
    games in which seats have odd names, which not all orders can contain. `light`: it is done for all steps of a game.
    `repeats`: it asks for nothing that others do not ask for, too, so that the lines which run in it need not be noted: that
    takes as long as to run them."""

    of: SceneCheck
    few: int = 0
    any_name: bool = False
    light: bool = False
    repeats: bool = False

    @property
    def name(self) -> str:
        """Its name in files that repeat it."""
        return self.of.__name__  # type: ignore[attr-defined]


OF_SCENES: Mapping[str, Check] = {
    check.name: check
    for check in (
        Check(flow.a_step_comes_out_the_same),
        Check(documents.documents_come_back, any_name=True, light=True, repeats=True),
        Check(setting_up.options_are_as_chosen, any_name=True),
        Check(documents.documents_can_be_toml, any_name=True),
        Check(documents.a_step_can_be_stored_at_any_instant),
        Check(documents.a_document_is_a_copy, few=4),
        Check(documents.options_can_be_changed_in_midgame, few=12),
        Check(order_checks.lines_are_answered_one_by_one),
        Check(order_checks.nonsense_is_answered),
        Check(order_checks.hints_are_orders),
        Check(order_checks.misspelt_orders_are_set_right_as_meant, few=24, repeats=True),
        Check(order_checks.canonical_lines_mean_what_was_written),
        Check(order_checks.orders_are_no_commands),
        Check(order_checks.sheets_are_in_order_of_arrival, any_name=True),
        Check(order_checks.a_refused_letter_changes_nothing_on_file),
        Check(order_checks.wrong_lines_count_as_the_policy_says),
        Check(order_checks.letters_found_late_are_outdated),
        Check(order_checks.later_letters_count_as_the_policy_says),
        Check(order_checks.a_withdrawn_sheet_is_gone),
        Check(forms.a_form_orders_nothing_as_it_stands),
        Check(forms.what_a_form_offers_is_taken),
        Check(forms.nobody_is_taken_for_somebody, few=20),
        Check(forms.random_players_have_orders_taken),
        Check(other_names.names_decide_nothing, few=40, repeats=True),
        Check(flow.everybody_plays_on, any_name=True, light=True),
        Check(idle_waiting.whoever_is_awaited_can_do_something, few=40),
        Check(flow.who_has_written_is_awaited_no_more, any_name=True),
        Check(flow.missed_deadlines_are_noted, any_name=True),
        Check(flow.a_step_ends, any_name=True, light=True),
        Check(ruleset_folder.phases_are_declared, any_name=True, light=True),
        Check(flow.phases_are_of_a_kind, any_name=True, light=True),
        Check(flow.whoever_missed_a_step_is_awaited_in_the_next),
        Check(flow.whoever_wins_has_played, any_name=True, light=True),
        Check(flow.what_is_opened_leaves_the_rest, any_name=True, light=True),
        Check(seats.seats_are_given_up, few=20),
        Check(seats.seats_are_taken_over, few=20),
        Check(seats.seats_go_to_disorder, few=20),
        Check(seats.everybody_gives_up, few=10),
        Check(seats.nobody_waits_for_a_seat_given_up, few=10),
        Check(press_rooms.rooms_can_be_written_to, any_name=True, light=True),
        Check(press_rooms.letters_on_file_open_no_room),
        Check(views.views_are_what_they_must_be, any_name=True, light=True),
        Check(views.events_are_json_for_those_who_play, any_name=True, light=True),
        Check(views.views_are_made_of_what_the_reader_may_know),
        Check(views.views_can_be_made_of_what_was_stored),
        Check(views.every_reader_gets_a_report, any_name=True, light=True, repeats=True),
        Check(views.html_escapes_what_players_write, any_name=True),
        Check(views.maps_can_be_drawn, few=10, any_name=True),
        Check(imagining.the_imagined_position_looks_like_the_real_one),
        Check(imagining.odd_assumptions_are_refused, few=3),
        Check(secrecy.letters_on_file_are_in_no_view, repeats=True),
        Check(secrecy.letters_on_file_are_in_no_answer, repeats=True),
        Check(secrecy.the_instant_of_arrival_shows_to_nobody),
        Check(secrecy.a_refused_letter_leaves_no_trace),
        Check(secrecy.a_replaced_letter_leaves_no_trace),
        Check(declared_paths.declared_secrets_show_to_nobody_else, few=24, repeats=True),
        Check(declared_paths.declared_secrets_are_not_told, few=20, repeats=True),
        Check(declared_paths.declared_sums_stay, any_name=True, light=True),
        Check(hostile_input.any_letter_is_answered, few=4),
        Check(derived_letters.lines_of_the_grammar_are_answered, few=2),
        Check(mutation.nothing_is_changed, few=8, repeats=True),
    )
}
OF_RULESETS: Mapping[str, RulesetCheck] = {
    check.__name__: check  # type: ignore[attr-defined]
    for check in (
        purity.code_is_pure,
        ruleset_folder.files_are_there,
        rule_ids.rules_have_ids_of_their_own,
        written_defaults.defaults_are_as_written,
        ruleset_folder.templates_can_be_read,
        setting_up.any_number_of_seats_makes_a_game,
        setting_up.fixed_seats_can_be_given,
        setting_up.sign_ups_are_answered,
        setting_up.sign_up_forms_are_taken,
        setting_up.options_at_their_limits_make_a_game,
        mutation.nothing_is_changed_by_a_set_up,
    )
}
