"""`pbmd new` and `pbmd start`."""

import json
import shutil
from pathlib import Path

import pytest
from sqlmodel import Session, update
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli.common import Problems
from pbmd.cli.new import read_players
from pbmd.ledger.database import open_engine
from pbmd.ledger.tables import Game, GameStatus, JournalEntry, LogLine, Outbox, Seat
from rulesets.diplomacy.world.board import board
from tests.cli.conftest import PLAYERS, Home
from tests.rules import count
from tests.rulesets.diplomacy.test_own_maps import STRAIT as _STRAIT

COUNT = Path(count.__file__).parent
STRAIT = _STRAIT.lstrip()


def new(home: Home, *more: str) -> tuple[str, ...]:
    return ("new", "galaxy-7", "--ruleset", "count", *more)


class TestSignUpByMail:
    def test_is_open_without_a_players_file(self, home: Home) -> None:
        told = home.good(*new(home))
        assert "galaxy-7 takes sign-ups. Players write to games@pbmd.test" in told
        assert "  JOIN galaxy-7 AS Altair\n" in told
        assert "pbmd start galaxy-7 begins it." in told
        assert home.rows(Game)[0].status is GameStatus.SIGNUP

    def test_tells_programs_the_same(self, home: Home) -> None:
        told = json.loads(home.good(*new(home, "--seats", "3", "--json")))
        assert (told["game"], told["ruleset"], told["status"]) == ("galaxy-7", "count", "signup")
        assert (told["address"], told["seats"], told["seats_wanted"]) == ("games@pbmd.test", 0, 3)
        assert told["join"].endswith("\nJOIN galaxy-7 AS Altair")
        assert (told["deadline"], told["warnings"]) == (None, [])
        players = ("--players", str(home.write("players.toml", PLAYERS)))
        begun = json.loads(home.good("new", "galaxy-8", "--ruleset", "count", *players, "--json"))
        assert (begun["status"], begun["seats"], begun["join"]) == ("running", 2, "")
        assert begun["deadline"].endswith("Z")

    def test_tells_which_lines_a_sign_up_has_where_a_name_alone_makes_none(self, home: Home) -> None:
        told = home.good("new", "galaxy-7", "--ruleset", "cosmic_conquest")
        assert "\n  Faction: Red Concord\n" in told
        assert "Home: " not in told
        assert "Home: " in home.good("new", "galaxy-8", "--ruleset", "cosmic_conquest", "--option", "home_choice=first_in")

    def test_ends_by_itself_when_the_number_of_seats_is_given(self, home: Home) -> None:
        assert "It begins when 3 seats are filled." in home.good(*new(home, "--seats", "3"))

    def test_tells_how_seats_are_given_by_lists_and_how_one_is_written(self, home: Home) -> None:
        told = home.good("new", "friday", "--ruleset", "diplomacy", "--seating", "preference")
        assert "\n  JOIN friday PREFER Austria, [England, France]\n" in told
        assert "by the lists that players have sent" in " ".join(told.split())
        assert json.loads(home.rows(Game)[0].terms)["seating"] == "preference"
        assert "\n  JOIN chance\n" in home.good("new", "chance", "--ruleset", "diplomacy", "--seating", "lot")

    def test_gives_no_seats_where_players_name_their_own_or_a_file_says_whose_they_are(self, home: Home) -> None:
        assert "there are no seats to give by lot" in home.problem(*new(home, "--seating", "lot"))
        players = ("--players", str(home.write("players.toml", PLAYERS)))
        assert "a players file says who has which seat" in home.problem(*new(home, "--seating", "lot", *players))

    def test_with_players_named_the_settings_say_nothing_of_seats(self, home: Home) -> None:
        home.write_settings(more='[game]\nseating = "lot"\n')
        home.good(*new(home, "--players", str(home.write("players.toml", PLAYERS))))
        assert "seating" not in json.loads(home.rows(Game)[0].terms)

    def test_is_told_in_the_dashboard_log(self, home: Home) -> None:
        home.good(*new(home))
        assert "created" in home.log


class TestARulesetThatCannotBeRead:
    @pytest.mark.parametrize(
        ("file", "old", "new", "line", "problem"),
        [
            ("ruleset.toml", "title = ", "titel = ", 2, 'there is no key "titel"; did you mean "title"?'),
            ("ruleset.toml", 'prefix = "CT"\n', "", 1, '"prefix" is missing'),
            ("ruleset.toml", "min_seats = 2", 'min_seats = "2"', 7, 'min_seats is a whole number, not "2"'),
            (
                "ruleset.toml",
                'slug = "count"',
                'slug = "count"\nprotocol = 99',
                2,
                "asks for version 99 of the ruleset protocol",
            ),
            ("__init__.py", "import re\n", "import re =\n", 7, "SyntaxError: invalid syntax"),
            ("__init__.py", "import re\n", "import res\n", 7, "ModuleNotFoundError: No module named 'res'"),
            ("__init__.py", "    view=_view,\n", "", 145, "missing 1 required positional argument: 'view'"),
            ("__init__.py", "\nruleset = ", "\nrules = ", 0, "it has no ruleset = Ruleset(…)"),
        ],
    )
    def test_is_refused_in_one_line(self, home: Home, file: str, old: str, new: str, line: int, problem: str) -> None:
        folder = home.folder / "count"
        shutil.copytree(COUNT, folder, ignore=shutil.ignore_patterns("__pycache__"))
        text = (folder / file).read_text()
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1))
        home.settings.write_text(home.settings.read_text().replace(str(COUNT), str(folder)))
        done = home.run("new", "galaxy-7", "--ruleset", "count")
        assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        place = f"{folder / file}, line {line}: " if line else f"{folder / file}: "
        assert done.stderr.startswith(f"pbmd: {place}")
        assert problem in done.stderr


class TestPlayersFile:
    def test_may_have_another_address_for_trouble_with_the_first(self, home: Home) -> None:
        home.good(*new(home, "--players", home.write("p.toml", PLAYERS + 'other_address = "Bert@Elsewhere.test"\n')))
        assert [seat.other_address for seat in home.rows(Seat)] == ["", "bert@elsewhere.test"]

    @pytest.mark.parametrize("address", ["games@pbmd.test", "Games+x@PBMD.test"])
    def test_pbmd_plays_in_no_game_itself(self, home: Home, address: str) -> None:
        told = home.problem(*new(home, "--players", home.write("p.toml", PLAYERS.replace("bert@players.test", address))))
        assert "no. 2 (Borealis): that is the address of the game itself" in told

    def test_that_other_address_must_be_one(self, home: Home) -> None:
        told = home.problem(*new(home, "--players", home.write("p.toml", PLAYERS + 'other_address = "bert"\n')))
        assert "[[players]] no. 2: other_address: must be an e-mail address" in told

    def test_tells_what_will_happen_with_dates(self, home: Home) -> None:
        told = home.good(*new(home, "--players", home.write("p.toml", PLAYERS), "--second-thought", "2h", "--min-met", "80%"))
        for words in ("First deadline", "Reminders", "the turn is resolved 2 h", "A miss", "Next deadline", "Who may join"):
            assert words in " ".join(told.split())

    def test_of_games_that_open_themselves_the_first_has_a_number(self, home: Home) -> None:
        told = home.good("new", "galaxy", "--ruleset", "count", "--seats", "2", "--standing")
        assert told.startswith("galaxy-1 takes sign-ups.")
        assert "pbmd standing galaxy-1 off ends that" in told
        assert home.rows(Game)[0].standing
        home.good("standing", "galaxy-1", "off")
        assert not home.rows(Game)[0].standing

    def test_they_need_a_number_of_seats_and_sign_ups_by_mail(self, home: Home) -> None:
        assert "--seats 5" in home.problem("new", "galaxy", "--ruleset", "count", "--standing")
        assert "--standing is for games" in home.problem(*new(home, "--players", home.write("p.toml", PLAYERS), "--standing"))
        assert "--min-met: " in home.problem("new", "galaxy", "--ruleset", "count", "--min-met", "many")
        assert home.rows(Game) == []

    def test_begins_the_game_at_once(self, home: Home) -> None:
        told = home.good(*new(home, "--players", home.write("p.toml", PLAYERS)))
        assert told.startswith("galaxy-7 has begun with 2 players; the first deadline is ")
        assert home.rows(Game)[0].status is GameStatus.RUNNING
        assert [mail.recipient for mail in home.rows(Outbox) if mail.kind == "report"] == [
            "anna@players.test",
            "bert@players.test",
        ]

    def test_gives_seats_as_written(self, home: Home) -> None:
        home.good(*new(home, "--players", home.write("p.toml", PLAYERS + 'setup = ["one", "two"]\n')))
        anna, bert = home.rows(Seat)
        assert (anna.name, anna.address, anna.holder, anna.timezone) == ("Altair", "anna@players.test", "Anna", "Europe/Berlin")
        assert (bert.name, bert.holder, bert.timezone) == ("Borealis", "", "UTC")
        assert json.loads(bert.signup) == [[1, "one"], [2, "two"]]

    def test_may_have_addresses_with_a_plus(self, home: Home) -> None:
        home.good(*new(home, "--players", home.write("p.toml", PLAYERS.replace("anna@", "anna+games@"))))
        assert home.rows(Seat)[0].address == "anna+games@players.test"

    @pytest.mark.parametrize("address", ["anna", "@players.test", "anna@players", "a b@players.test", "\u00e4nna@players.test"])
    def test_with_what_is_no_address_makes_no_game(self, home: Home, address: str) -> None:
        file = home.write("p.toml", PLAYERS.replace("anna@players.test", address))
        said = home.problem(*new(home, "--players", file))
        assert said == f"{file}: [[players]] no. 1: address: must be an e-mail address like ada@example.org (line 3)"

    def test_that_is_wrong_in_many_places_is_told_of_all_at_once_a_line_each(self, home: Home) -> None:
        file = home.write("p.toml", PLAYERS.replace("anna@", "anna ").replace("bert@", "bert ") + "adress = 1\n")
        with pytest.raises(Problems) as problem:
            read_players(Path(file))
        assert [said.partition("no. ")[2].split(":")[0] for said in problem.value.problems] == ["1", "2", "2"]
        assert all("(line " in said for said in problem.value.problems)

    def test_that_the_ruleset_refuses_makes_no_game_and_names_the_player(self, home: Home) -> None:
        file = home.write("p.toml", PLAYERS.replace("Borealis", "Altair"))
        assert home.problem(*new(home, "--players", file)) == f"{file}: [[players]] no. 2 (Altair): the name is taken (line 7)"
        assert [home.rows(kind) for kind in (Game, Seat, JournalEntry, Outbox, LogLine)] == [[]] * 5

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("Game Master", "the name could be taken for the game master; please choose another one"),
            ("Altaіr", "the name has letters of several scripts (Cyrillic, Latin) and could be taken for another"),
            ("A1tair", "the name could be taken for one that is taken already; please choose another one"),
        ],
    )
    def test_with_a_name_that_can_be_taken_for_another_makes_no_game(self, home: Home, name: str, said: str) -> None:
        file = home.write("p.toml", PLAYERS.replace("Borealis", name))
        assert home.problem(*new(home, "--players", file)).startswith(f"{file}: [[players]] no. 2 ({name}): {said}")
        assert home.rows(Game) == []

    def test_with_too_many_players_makes_no_game(self, home: Home) -> None:
        entries = "".join(f'[[players]]\nseat = "S{n}"\naddress = "p{n}@players.test"\n' for n in range(5))
        assert "no. 5 (S4): galaxy-7 is full" in home.problem(*new(home, "--players", home.write("p.toml", entries)))
        assert home.rows(Game) == []

    def test_with_too_few_players_makes_no_game(self, home: Home) -> None:
        one = PLAYERS.partition("\n\n")[0]
        said = home.problem(*new(home, "--players", home.write("p.toml", one)))
        assert said == "Count needs at least 2 players, galaxy-7 has 1"
        assert home.rows(Game) == []

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", 'p.toml: players: there is no entry; each begins with "[[players]]"'),
            ("players = 3\n", 'p.toml: players: there is no entry; each begins with "[[players]]"'),
            ("x = \n", "p.toml: this is not TOML: Invalid value (at line 1, column 5)"),
            ("[[player]]\n", 'p.toml: player: a players file has only "[[players]]" entries'),
            (PLAYERS.replace("bert@", "bert "), "p.toml: [[players]] no. 2: address: must be an e-mail address like"),
            (PLAYERS.replace("Europe/Berlin", "Berlin"), '[[players]] no. 1: timezone: there is no time zone "Berlin"'),
            (PLAYERS + "adress = 1\n", "[[players]] no. 2: adress: there is no such key"),
            (PLAYERS.replace('name = "Borealis"\n', ""), "[[players]] no. 2: seat: this is missing"),
            (PLAYERS + 'setup = "x"\n', '[[players]] no. 2: setup: a list of texts is wanted here, like ["'),
        ],
    )
    def test_that_is_wrong_is_told_with_its_place(self, home: Home, text: str, said: str) -> None:
        assert said in home.problem(*new(home, "--players", home.write("p.toml", text)))

    def test_that_is_not_there_is_told(self, home: Home) -> None:
        assert home.problem(*new(home, "--players", "nowhere.toml")) == "nowhere.toml: No such file or directory"


class TestTerms:
    def test_are_those_of_the_settings_unless_given(self, home: Home) -> None:
        home.write_settings(more='[game]\ngrace = "2h"\ndeadline = "48h"\n')
        more = ("--deadline", "every Friday 20:00 Europe/Berlin", "--no-press", "--reminder", "1d", "--reminder", "2h")
        home.good(*new(home, *more, "--who-has-sent", "names"))
        terms = json.loads(home.rows(Game)[0].terms)
        assert terms["grace"] == "2h"
        assert terms["deadline"] == "every Friday 20:00 Europe/Berlin"
        assert terms["press"] is False
        assert terms["reminders"] == ["1d", "2h"]
        assert terms["who_has_sent"] == "names"

    @pytest.mark.parametrize("word", ["", "none", "NONE", " None "])
    def test_can_do_without_reminders(self, home: Home, word: str) -> None:
        home.good(*new(home, "--reminder", word))
        assert json.loads(home.rows(Game)[0].terms)["reminders"] == []

    def test_can_hide_who_plays(self, home: Home) -> None:
        told = " ".join(home.good(*new(home, "--holders", "hidden")).split())
        assert "An anonymous game (gunboat): nobody learns who plays which seat until the game is over" in told
        assert json.loads(home.rows(Game)[0].terms)["holders"] == "hidden"

    def test_that_are_choices_are_read_in_any_case(self, home: Home) -> None:
        home.good(*new(home, "--trust", "Open", "--holders", "HIDDEN", "--vote", "Pause", "--vote", "draw"))
        terms = json.loads(home.rows(Game)[0].terms)
        assert (terms["trust"], terms["holders"], terms["votes"]) == ("open", "hidden", ["pause", "draw"])

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (("--deadline", "soon"), '--deadline: "soon" is not a length of time; write it like 72h'),
            (("--deadline", "every Fryday 20:00"), '--deadline: "every Fryday 20:00" is not a deadline rule'),
            (("--reminder", "x"), '--reminder: "x" is not a length of time'),
            (("--grace", "x"), '--grace: "x" is not a length of time'),
        ],
    )
    def test_that_cannot_be_read_are_told_with_the_option(self, home: Home, more: tuple[str, ...], said: str) -> None:
        assert home.problem(*new(home, *more)).startswith(said)


FRIDAYS = ("--deadline", "every Friday 20:00", "--deadline", "retreats=24h", "--deadline", "builds=24h", "--no-early", "moves")


class TestTermsOfPhases:
    def test_are_kept_with_those_of_the_game_and_told(self, home: Home) -> None:
        told = home.good("new", "friday", "--ruleset", "diplomacy", "--second-thought", "builds=0m", *FRIDAYS)
        terms = json.loads(home.rows(Game)[0].terms)
        assert (terms["deadline"], terms["early"]) == ("every Friday 20:00", True)
        assert terms["phases"] == {
            "retreats": {"deadline": "24h"},
            "builds": {"deadline": "24h", "second_thought": "0m"},
            "moves": {"early": False},
        }
        assert "Retreats        due 1 day after the report; " in told
        assert "if the first turn ends at" in told

    def test_are_in_no_terms_of_games_without(self, home: Home) -> None:
        home.good("new", "friday", "--ruleset", "diplomacy")
        assert "phases" not in json.loads(home.rows(Game)[0].terms)

    def test_have_the_pause_that_goes_with_their_deadline(self, home: Home) -> None:
        home.good("new", "friday", "--ruleset", "diplomacy", "--second-thought", "pace", *FRIDAYS)
        terms = json.loads(home.rows(Game)[0].terms)
        assert terms["second_thought"] == "6h"
        assert [terms["phases"][kind]["second_thought"] for kind in ("retreats", "builds")] == ["1h", "1h"]

    def test_of_the_settings_hold_where_the_rules_have_such_phases(self, home: Home) -> None:
        home.write_settings(more='[game.phases.retreats]\ndeadline = "12h"\nreminders = ["2h"]\n')
        home.good("new", "friday", "--ruleset", "diplomacy", "--deadline", "retreats=24h")
        home.good(*new(home))
        of_diplomacy, of_count = (json.loads(game.terms) for game in home.rows(Game))
        assert of_diplomacy["phases"] == {"retreats": {"deadline": "24h", "reminders": ["2h"]}}
        assert "phases" not in of_count

    def test_of_the_settings_must_be_for_a_kind_that_some_rules_have(self, home: Home) -> None:
        home.write_settings(more='[game.phases.retreat]\ndeadline = "12h"\n')
        said = home.problem("new", "friday", "--ruleset", "diplomacy")
        assert said.startswith("[game.phases.retreat] in the settings: no ruleset has phases of that kind")
        assert '(did you mean "retreats"?)' in said
        assert "Diplomacy has moves, retreats and builds" in said
        assert home.rows(Game) == []

    def test_that_no_rules_have_are_named_by_the_check(self, home: Home) -> None:
        home.good("new", "friday", "--ruleset", "diplomacy", "--deadline", "retreats=24h")
        terms = home.rows(Game)[0].terms.replace('"retreats"', '"retreat"')
        engine = open_engine(f"sqlite:///{home.folder / 'data' / 'ledger.sqlite'}")
        with Session(engine) as session:
            session.exec(update(Game).values(terms=terms))
            session.commit()
        engine.dispose()
        home.write_settings(more='[game.phases.days]\ndeadline = "24h"\n[game.phases.winter]\ndeadline = "12h"\n')
        checks = json.loads(home.run("check", "--json").stdout)["checks"]
        found = [check["detail"] for check in checks if check["name"] == "phases"]
        assert [told.partition(";")[0] for told in found] == [
            "[game.phases.winter] in the settings: no ruleset has phases of that kind",
            'friday: Diplomacy has no phases of the kind "retreat"',
        ]

    @pytest.mark.parametrize("words", [("f", "--no-early", "moves"), ("--no-early", "moves", "f")])
    def test_no_early_takes_a_kind(self, home: Home, words: tuple[str, ...]) -> None:
        home.good("new", *words, "--ruleset", "diplomacy")
        terms = json.loads(home.rows(Game)[0].terms)
        assert (terms["early"], terms["phases"]) == (True, {"moves": {"early": False}})

    def test_no_early_before_the_name_of_the_game_is_for_all(self, home: Home) -> None:
        home.good("new", "--no-early", "f", "--early", "builds", "--ruleset", "diplomacy")
        terms = json.loads(home.rows(Game)[0].terms)
        assert (home.rows(Game)[0].name, terms["early"], terms["phases"]) == ("f", False, {"builds": {"early": True}})

    @pytest.mark.parametrize(
        ("ruleset", "more", "said"),
        [
            (
                "diplomacy",
                ("--deadline", "retreat=24h"),
                'Diplomacy has no phases of the kind "retreat"; it has moves, retreats and builds',
            ),
            (
                "diplomacy",
                ("--no-early", "days"),
                'Diplomacy has no phases of the kind "days"; it has moves, retreats and builds',
            ),
            (
                "count",
                ("--deadline", "retreats=24h"),
                'Count has no phases of the kind "retreats"; all its steps have the same terms',
            ),
            (
                "diplomacy",
                ("--deadline", "retreats=soon"),
                '--deadline retreats: "soon" is not a length of time; write it like 72h',
            ),
            ("diplomacy", ("--deadline", "24h", "--deadline", "48h"), "--deadline: it is given twice"),
            (
                "diplomacy",
                ("--deadline", "retreats=rules"),
                "the rules of Diplomacy recommend no time for retreats; write it like 24h",
            ),
        ],
    )
    def test_that_cannot_be_are_refused(self, home: Home, ruleset: str, more: tuple[str, ...], said: str) -> None:
        assert home.problem("new", "f", "--ruleset", ruleset, *more).startswith(said)
        assert home.rows(Game) == []

    def test_are_told_by_status(self, home: Home) -> None:
        home.good("new", "friday", "--ruleset", "diplomacy", *FRIDAYS)
        assert "phases" in home.good("status")
        assert json.loads(home.good("status", "--json"))["games"][0]["phases"].startswith(
            "Moves: due every Friday 20:00; never"
        )


class TestOptions:
    def test_are_read_by_their_kind(self, home: Home) -> None:
        home.good(*new(home, "--option", "target=30", "--option", "die=no"))
        assert json.loads(home.rows(Game)[0].options) == {"target": 30, "die": False}

    @pytest.mark.parametrize(
        ("option", "said"),
        [
            ("target", '--option takes KEY=VALUE, not "target"; its options are target, die, greeting, crash_turn'),
            ("target=x", 'option "target" is a whole number, not "x"'),
            ("traget=3", 'there is no option "traget"; did you mean "target"?'),
            ("target=0", 'option "target" is at least 1, not 0'),
        ],
    )
    def test_that_are_wrong_are_told(self, home: Home, option: str, said: str) -> None:
        assert home.problem(*new(home, "--option", option)) == said
        assert home.rows(Game) == []

    def test_that_make_no_game_are_told_before_anybody_joins(self, home: Home) -> None:
        said = home.problem("new", "war", "--ruleset", "diplomacy", "--option", "last_year=5")
        assert said == 'option "last_year" is 0, or a year from 1901 on, not 5'
        assert home.rows(Game) == []


CLUB_PLAYERS = """\
[[players]]
seat = "North"
address = "anna@players.test"

[[players]]
seat = "South"
address = "bert@players.test"
"""


class TestAFileAsAnOption:
    """A club's map of Diplomacy, which the game has from then on."""

    def club_map(self, home: Home, text: str = STRAIT) -> str:
        return home.write("our-map.toml", text)

    def test_is_read_once_and_kept_with_the_game(self, home: Home) -> None:
        path, players = self.club_map(home), home.write("players.toml", CLUB_PLAYERS)
        home.good("new", "strait", "--ruleset", "diplomacy", "--option", f"map={path}", "--players", players)
        Path(path).unlink()
        assert json.loads(home.rows(Game)[0].options) == {"map": STRAIT}
        assert "strait" in home.good("resolve", "strait", "--yes")
        archive = str(home.folder / "archive")
        home.good("export", "strait", "--to", archive)
        verified = CliRunner().invoke(app, ["verify", archive])
        assert (verified.exit_code, "Nothing is wrong" in verified.output) == (0, True), verified.output

    def test_may_have_been_written_on_windows(self, home: Home) -> None:
        path = home.folder / "our-map.toml"
        path.write_bytes(b"\xef\xbb\xbf" + STRAIT.replace("\n", "\r\n").encode())
        home.good("new", "strait", "--ruleset", "diplomacy", "--option", f"map={path}")
        assert json.loads(home.rows(Game)[0].options) == {"map": STRAIT}

    def test_that_comes_with_the_rules_is_named_in_any_case(self, home: Home) -> None:
        home.good("new", "war", "--ruleset", "diplomacy", "--option", "map=Hundred")
        assert json.loads(home.rows(Game)[0].options) == {"map": "hundred"}

    def test_is_named_by_its_length_where_options_are_listed(self, home: Home) -> None:
        home.good("new", "strait", "--ruleset", "diplomacy", "--option", f"map={self.club_map(home)}")
        mail = home.rows(Outbox)[0].raw.decode()
        assert "provinces" not in mail
        assert STRAIT.splitlines()[0] not in mail

    def test_that_is_wrong_makes_no_game(self, home: Home) -> None:
        path = self.club_map(home, STRAIT.replace("year = 700\n", ""))
        said = home.problem("new", "strait", "--ruleset", "diplomacy", "--option", f"map={path}")
        assert said == 'option "map": year is missing'
        assert home.rows(Game) == []

    def test_that_is_not_there_or_no_text_is_told_with_its_path(self, home: Home) -> None:
        path = home.folder / "our-map.toml"
        new_game = ("new", "strait", "--ruleset", "diplomacy", "--option", f"map={path}")
        assert home.problem(*new_game) == f'option "map": {path}: No such file or directory'
        path.write_bytes(b"title = 3\n\xff")
        assert home.problem(*new_game) == f'option "map": {path}, line 2: this is not UTF-8 text'
        path.write_bytes(b"#" * 300_000)
        assert home.problem(*new_game) == f'option "map": {path} has more than 65536 characters'

    def test_that_lies_here_is_named_when_its_name_alone_is_typed(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        self.club_map(home)
        monkeypatch.chdir(home.folder)
        said = home.problem("new", "strait", "--ruleset", "diplomacy", "--option", "map=our-map.toml")
        assert said.endswith('or a file, not "our-map.toml". The file of that name is ./our-map.toml')


@pytest.mark.parametrize("name", ["chaos", "ancient_mediterranean", "hundred", "pure"])
def test_all_powers_of_a_map_of_diplomacy_can_sit_in_one_game(home: Home, name: str) -> None:
    powers = [power.name for power in board(name).powers]
    players = "".join(
        f'[[players]]\nseat = "{power}"\naddress = "player{place}@players.test"\n' for place, power in enumerate(powers)
    )
    home.good("new", "war", "--ruleset", "diplomacy", "--option", f"map={name}", "--players", home.write("all.toml", players))
    assert [seat.name for seat in home.rows(Seat)] == powers
    [game] = home.json("status")["games"]
    assert (game["status"], sorted(game["awaited"])) == ("running", sorted(powers))


class TestNames:
    def test_of_a_ruleset_that_does_not_exist_are_told(self, home: Home) -> None:
        assert home.problem("new", "g", "--ruleset", "chess").startswith('there is no ruleset "chess".')

    def test_of_a_game_are_taken_once(self, home: Home) -> None:
        home.good(*new(home))
        assert home.problem(*new(home)) == 'there is already a game "galaxy-7"'

    def test_of_a_game_cannot_be_taken_for_others(self, home: Home) -> None:
        home.good("new", "galaxy-1", "--ruleset", "count")
        said = home.problem("new", "galaxy-l", "--ruleset", "count")
        assert said == '"galaxy-l" could be taken for the game "galaxy-1"; choose another name'
        said = home.problem("new", "help", "--ruleset", "count")
        assert said == '"help" is no name for a game: it could be taken for a command'

    def test_of_a_game_have_only_letters_digits_and_hyphens(self, home: Home) -> None:
        assert home.problem("new", "../x", "--ruleset", "count").startswith('"../x" is no name for a game')


class TestStart:
    def test_refuses_a_game_with_too_few_players(self, home: Home) -> None:
        home.good(*new(home))
        assert home.problem("start", "galaxy-7") == "Count needs at least 2 players, galaxy-7 has 0"

    def test_refuses_a_game_that_runs(self, home: Home) -> None:
        home.start_game()
        assert home.problem("start", "galaxy-7") == "galaxy-7 has already begun"

    def test_of_an_unknown_game_tells_what_was_meant(self, home: Home) -> None:
        assert home.problem("start", "galaxy-8") == 'there is no game "galaxy-8"; pbmd new makes one'
        home.good(*new(home))
        assert home.problem("start", "galaxy-8") == 'there is no game "galaxy-8"; did you mean "galaxy-7"?'
        assert home.problem("start", "gal") == 'there is no game "gal"; did you mean "galaxy-7"?'


class TestSettings:
    def test_that_are_wrong_are_told_one_a_line(self, home: Home) -> None:
        home.write_settings(more="x = 1\n[limits]\ny = 2\n")
        done = home.run("status")
        assert done.exit_code == 2
        lines = done.stderr.splitlines()
        assert [line.rpartition(", ")[2] for line in lines] == [
            "line 20: smtp.x: there is no such setting",
            "line 22: limits.y: there is no such setting",
        ]
        assert all(line.startswith("pbmd: ") for line in lines)

    def test_may_be_named_by_the_environment(self, home: Home) -> None:
        done = CliRunner().invoke(app, ["status"], env={"PBMD_SETTINGS": str(home.settings)})
        assert (done.exit_code, done.stderr) == (0, "")

    def test_of_a_folder_that_cannot_be_made_are_one_line(self, home: Home) -> None:
        Path(home.folder / "data").write_text("a file is in the way")
        assert "data" in home.problem("status", code=1)

    def test_with_a_ledger_that_is_none_are_one_line(self, home: Home) -> None:
        (home.folder / "data").mkdir()
        (home.folder / "data" / "ledger.sqlite").write_text("not a database, whatever its name says" * 100)
        told = home.problem("status", code=4)
        assert told.startswith("the ledger is damaged: SQLite says: file is not a database. There is no backup in ")
