"""Names that can be taken for others are refused wherever one is chosen, in all rulesets; what has a name keeps it."""

import itertools
import re

import pytest
from sqlalchemy import text
from sqlmodel import col, update

from pbmd.desk.changes import new_game
from pbmd.desk.changes.seats import Holder
from pbmd.desk.language.likeness import are_alike, game_like, game_name_problem, games_perhaps_like, name_problem
from pbmd.desk.questions.seat_offers import offer, offer_seat
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Game, Seat
from pbmd.rules.protocol import Line, Refused, Signup, Status
from pbmd.rules.registry import get, slugs
from pbmd.terms.terms import Terms
from tests.desk.world import ADDRESS, address_of, body_of
from tests.processor_time import takes_at_most

GM, PBMD, COMMAND, EVERYBODY = "the game master", "pbmd itself", "a command", "everybody"
TAKEN = "one that is taken already"


@pytest.mark.parametrize(
    "name",
    [
        *("Terra", "O'Neil", "Zoë", "Łódź", "Übermut", "İstanbul", "Red Star 7", "St. Ives-on-Sea", "Jean-Luc", "12 Monkeys"),
        *("Москва", "Ёлка", "Ελλάδα", "Ἀθῆναι", "Հայաստան", "საქართველო", "שלום", "مصر", "भारत", "ไทย", "한국", "中国", "日本"),
        *("織田信長", "ソニー", "さくら", "東京タワー Tower", "한국 Red", "北京 Star", "ㄅㄆ 中 A"),
        *(
            "Ali",
            "ALI",
            "Ian",
            "GMotors",
            "Big Mac",
            "Heavenly Host",
            "Master of the Rolls",
            "Grandmaster",
            "Allies",
            "Pressburg",
        ),
        *("New Terra", "Men of Iron", "Nobody's Business", "Observatory", "Umpire State", "Setna"),
    ],
)
def test_a_name_of_one_script_is_as_good_as_another(name):
    assert name_problem(name, ("Luna", "Ceres", "Прага", "Ольга")) == ""


@pytest.mark.parametrize(
    ("name", "scripts"),
    [
        ("Tеrra", "Cyrillic, Latin"),
        ("Αltair", "Greek, Latin"),
        ("Red Армия", "Cyrillic, Latin"),
        ("Δельта", "Cyrillic, Greek"),
        ("日本 Россия", "Cyrillic, Han"),
        ("한국 ソニー", "Hangul, Katakana"),
        ("µTerra", "Greek, Latin"),
    ],
)
def test_letters_of_several_scripts_are_refused_with_their_names(name, scripts):
    assert f"letters of several scripts ({scripts})" in name_problem(name, ())


@pytest.mark.parametrize(
    ("name", "role"),
    [
        *(
            (name, GM)
            for name in ("Game Master", "game masters", "GAMEMASTER", "The Game-Master", "G.M.", "g m", "Gáme Mäster")
        ),
        *((name, GM) for name in ("GM", "ＧＭ", "𝐆𝐌", "ɢᴍ", "ԌМ", "Garne Master", "Master", "Your Game Master")),
        *((name, PBMD) for name in ("pbmd", "P B M D", "pbmd support", "Server", "the hosts", "Host", "Administrator")),
        *((name, EVERYBODY) for name in ("all", "ALL!", "AII", "a l l", "Everybody", "everyone", "Players", "All Players")),
        *((name, GM) for name in ("Judge", "the judge", "Mr Judge", "JUDGE!", "judges", "Game Judge", "M0derator", "Mod")),
        *((name, PBMD) for name in ("root", "r00t", "Ro0t", "The Root", "Postmaster", "Adm1n", "@dmin", "Game Host", "System")),
        *((name, PBMD) for name in ("No-Reply", "Mailer-Daemon", "Mail Delivery Subsystem", "hostmaster", "Lord Admin")),
        *((name, "nobody") for name in ("Nobody", "no-one", "None")),
        *((name, "somebody who only watches") for name in ("Observer", "Observers", "The Observer")),
        *((name, "somebody who gives no name") for name in ("Somebody who gives no name", "Someone", "Anonymous")),
        *(
            (name, COMMAND)
            for name in ("Help", "ORDERS", "Cancel Orders", "New Token", "press", "Resign", "END", "End Press", "Rollback")
        ),
        *((name, "an answer") for name in ("Yes", "NO")),
        *((name, "whoever reads it") for name in ("You", "Me")),
    ],
)
def test_words_for_roles_are_refused_however_they_are_written(name, role):
    assert name_problem(name, ()) == f"the name could be taken for {role}; please choose another one"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Terra", "terra"),
        ("TERRA", "Térra"),
        ("Red Star", "Redstar"),
        ("Red-Star", "Red Star."),
        ("Modern", "Modem"),
        ("Sol", "SoI"),
        ("sol", "so1"),
        ("Team 0", "team O"),
        ("АТОС", "Atoc"),
        ("Ѕаѕ", "SAS"),
        ("Ｔｅｒｒａ", "Terra"),
        ("Łódź", "Lodz"),
        ("Ø", "O"),
        ("Ⅻ", "XII"),
        ("IIyria", "llyria"),
        ("Alta1r", "Altair"),
        ("A1ta1r", "Altair"),
        ("4l7a1r", "Altair"),
        ("ALTA1R", "altair"),
        ("Alt@ir", "Altair"),
        ("@ltair", "Altair"),
        ("B0rea1i5", "Borealis"),
        ("$olaris", "Solaris"),
        ("Vvega", "Wega"),
        ("Clelta", "delta"),
        ("O1O1O1O1O1O1O1O1", "OIOIOIOIOIOIOIOI"),
    ],
)
def test_what_looks_like_a_name_that_is_taken_is_refused(name, other):
    assert are_alike(name, other)
    assert are_alike(other, name)
    if name.isascii() and other.isascii():
        assert TAKEN in name_problem(name, ("Luna", other))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ian", "Lan"),
        ("Ali", "All"),
        ("ハル", "バル"),
        ("कि", "कु"),
        ("Player 1", "Player 11"),
        ("Terra", "Tera"),
        ("Иван", "Ивам"),
        ("Star 7", "Start"),
        ("Star 1", "Star 2"),
        ("Maria", "Marla"),
        ("Vega!", "Vegai"),
        ("R2", "R3"),
        ("2001", "zool"),
    ],
)
def test_what_is_told_apart_can_stand_side_by_side(name, other):
    assert not are_alike(name, other)


@pytest.mark.parametrize(
    "name",
    [
        *("Mr Altair", "Mr. Altair", "mr.altair", "MrAltair", "mraltair", "The Altair", "Dr. Alta1r", "Judge Altair"),
        *("The real ALTAIR", "Chief Judge Altair", "Prof. Dr. Altair", "Sir-Altair", "Señor Altair", "4dmin Altair"),
    ],
)
def test_a_title_makes_nobody_else_of_a_name_that_is_taken(name):
    assert TAKEN in name_problem(name, ("Luna", "Altair"))
    assert name_problem(name, ("Luna",)) == "" or "could be taken for" in name_problem(name, ("Luna",))


def test_a_title_is_seen_before_a_short_name_where_it_is_a_word():
    assert TAKEN in name_problem("MrVega", ("Vega",))


def test_nor_does_it_where_the_one_that_is_taken_has_the_title():
    assert TAKEN in name_problem("Altair", ("Mr Altair",))


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("Kingston", "Ston"), ("Lord Byron", "Lady Byron"), ("Altair Nova", "Altair"), ("New Altair", "Altair")),
        *(("The King", "The Queen"), ("King", "Queen"), ("Theta", "Ta"), ("Red Star", "Star"), ("Generals", "S")),
    ],
)
def test_a_longer_name_or_another_title_is_another_name(name, other):
    assert name_problem(name, (other,)) == ""
    assert name_problem(other, (name,)) == ""


@pytest.mark.parametrize("name", ["=?utf-8?q?Altair?=", "=?UTF-8?B?QWx0YWly?=", "a =?x", "b?=", "＝？utf-8？q？Altair？＝"])
def test_what_mail_programs_write_for_letters_is_no_name(name):
    assert "which stands around letters that a mail program could not write" in name_problem(name, ())


def test_a_long_name_of_digits_is_looked_at_in_no_time():
    name = "a" + "1" * 60
    with takes_at_most(2):
        for _ in range(20):
            name_problem(name, ("b" + "1" * 60, "a" + "!1" * 30))


@pytest.mark.parametrize("name", ["Ter\u200bra", "a\u3164b", "Te\u0001rra", "Terra\ufe0f", "\u202eTerra", "a\u034fb"])
def test_what_cannot_be_seen_is_refused(name):
    assert "a character that cannot be seen" in name_problem(name, ())


def test_a_name_of_marks_alone_cannot_be_written_by_others():
    assert "a name needs a letter or a digit" in name_problem("★", ())
    assert "a name needs a letter or a digit" in name_problem("-", ())


@pytest.mark.parametrize("name", ["all", "gm", "pbmd", "game-master", "help", "status", "off", "observers"])
def test_games_are_not_called_like_roles_either(name):
    assert "could be taken for" in game_name_problem(name)


@pytest.mark.parametrize(("one", "other"), [("galaxy-1", "galaxy-l"), ("modern", "modem"), ("go-0", "go-o"), ("rn", "m")])
def test_games_that_look_alike(one, other):
    for name, taken in ((one, other), (other, one)):
        assert game_like(name, ["else", taken]) == taken
        assert game_like(name, ["else"]) == ""


def test_the_pattern_for_the_ledger_misses_nothing(world):
    names = ["".join(letters) for letters in itertools.product("m0o1lrn-a", repeat=3)]
    asked = text("SELECT CAST(:other AS VARCHAR) LIKE CAST(:pattern AS VARCHAR)")
    with world.desk.engine.connect() as connection:
        for name in names[::7]:
            alike = {other for other in names if other != name and game_like(name, [other])}
            for other in alike:
                fits = connection.execute(asked, {"other": other, "pattern": games_perhaps_like(name)}).scalar()
                assert fits, (name, other)


# Wherever a name is chosen


def signup_of(slug, name, place=0):
    """A sign-up in which that is the name by which others know the seat."""
    rules = get(slug)
    if rules.sample_signup is None:
        return Signup(name)
    options = {key: spec.default for key, spec in rules.info.options.items()}
    before = []
    for _ in range(place + 1):
        before.append(rules.sample_signup(before, options))
    heads = {"cosmic_conquest": "Faction", "local_cluster": "Race Name"}
    if slug not in heads:
        return Signup(name, before[-1].lines)
    lines = [
        Line(line.number, f"{heads[slug]}: {name}" if line.text.startswith(heads[slug]) else line.text)
        for line in before[-1].lines
    ]
    return Signup(name, tuple(lines))


def take(world, signup, address="anna@players.test", game="nova"):
    with changing_games(world.desk) as work:
        table = work.table_named(game)
        return new_game.add_seat(work, table, signup, new_game.Newcomer(address, "Anna"))


@pytest.fixture(params=[slug for slug in slugs() if slug != "diplomacy"])
def nova(world, request):
    """A game that takes sign-ups of each ruleset in which players name their seats, with one seat taken."""
    with changing_games(world.desk) as work:
        new_game.create_game(work, "nova", request.param, Terms(second_thought="0m"), {})
    world.slug = request.param
    verdicts = take(world, signup_of(world.slug, "Solaris"), "bert@players.test")
    assert not [verdict for verdict in verdicts if verdict.status is Status.ERROR]
    return world


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Game Master", "could be taken for the game master"),
        ("Everybody", "could be taken for everybody"),
        ("Sоlaris B", "letters of several scripts"),
        ("Soіaris", "letters of several scripts"),
        ("SoIaris", TAKEN),
        ("Só-lárís", TAKEN),
        ("So1aris", TAKEN),
        ("Mr Solaris", TAKEN),
        ("Judge", "could be taken for the game master"),
        ("root", "could be taken for pbmd itself"),
    ],
)
def test_it_is_refused_in_every_ruleset_with_the_reason(nova, name, reason):
    with pytest.raises(Refused, match=re.escape(reason)):
        take(nova, signup_of(nova.slug, name, place=1))
    assert len(nova.rows(Seat)) == 1


@pytest.mark.parametrize("name", ["Москва", "Ελλάδα", "Zoë", "O'Neil", "日本"])
def test_honest_names_are_taken_in_every_ruleset(nova, name):
    verdicts = take(nova, signup_of(nova.slug, name, place=1))
    assert not [verdict for verdict in verdicts if verdict.status is Status.ERROR], verdicts
    assert len(nova.rows(Seat)) == 2


def test_a_nation_is_not_called_like_another_nations_player(world):
    with changing_games(world.desk) as work:
        new_game.create_game(work, "nova", "local_cluster", Terms(second_thought="0m"), {})
    signup = signup_of("local_cluster", "Solaris")
    named = [
        Line(line.number, "Player Name: Kim" if line.text.startswith("Player Name") else line.text) for line in signup.lines
    ]
    take(world, Signup("Solaris", tuple(named)), "bert@players.test")
    with pytest.raises(Refused, match=TAKEN):
        take(world, signup_of("local_cluster", "KIM", place=1))


def test_nor_is_a_player_called_the_game_master(world):
    with changing_games(world.desk) as work:
        new_game.create_game(work, "nova", "local_cluster", Terms(second_thought="0m"), {})
    signup = signup_of("local_cluster", "Solaris")
    lines = [line for line in signup.lines if not line.text.startswith("Player Name")]
    with (
        pytest.raises(Refused, match="Player Name: the name could be taken for the game master"),
        changing_games(world.desk) as work,
    ):
        new_game.add_seat(
            work,
            work.table_named("nova"),
            Signup("Solaris", tuple(lines)),
            new_game.Newcomer("anna@players.test", "The Game Master"),
        )


class TestNewHolders:
    """Where others read what the new holder of a seat is called."""

    @pytest.fixture
    def cluster(self, world):
        with changing_games(world.desk) as work:
            table = new_game.create_game(work, "nova", "local_cluster", Terms(listed=True), {})
            for place, (name, who) in enumerate((("Solaris", "Kim"), ("Terrans", "Ada"))):
                signup = signup_of("local_cluster", name, place)
                lines = tuple(line for line in signup.lines if not line.text.startswith("Player Name"))
                new_game.add_seat(work, table, Signup(name, lines), new_game.Newcomer(f"{who.lower()}@players.test", who))
            new_game.start_game(work, table)
        return world

    @pytest.mark.parametrize(
        ("holder", "reason"), [("The Game Master", "for the game master"), ("ADA", TAKEN), ("Terrаns", "several scripts")]
    )
    def test_the_game_master_does_not_give_them_a_name_that_deceives(self, cluster, holder, reason):
        with pytest.raises(Refused, match=f"the new holder: the name .*{reason}"):
            cluster.act("nova", offer, "Solaris", "dora@players.test", Holder(holder, "UTC"))
        cluster.act("nova", offer, "Solaris", "dora@players.test", Holder("Dora", "UTC"))

    @pytest.mark.parametrize(("given", "shown"), [("Dora", "Dora"), ("Game Master", ""), ("AdA", ""), ("Terrans", "")])
    def test_who_calls_themselves_like_somebody_else_gets_the_seat_and_no_name(self, cluster, given, shown):
        cluster.send("", "STANDBY nova", sender=f"{given} <dora@players.test>", to=ADDRESS)
        cluster.confirm("dora@players.test")
        cluster.act("nova", offer_seat, "Solaris")
        cluster.reply(cluster.questions("dora@players.test")[-1], "YES")
        states = {state["name"]: state for state in cluster.position("nova")["states"]}
        assert states["Solaris"].get("player_name", "") == shown
        assert cluster.seat("Solaris").address == "dora@players.test"


def test_join_by_mail_is_refused_with_the_reason_and_without_anybodys_name(world):
    world.open("newcomers", "Vega", seats=4)
    for name, reason in (
        ("Game Master", "for the game master"),
        ("Vegа", "several scripts (Cyrillic, Latin)"),
        ("VEGA.", TAKEN),
    ):
        answer = " ".join(world.send("", f"JOIN newcomers AS {name}", sender=address_of(f"n{reason[:3]}"), to=ADDRESS).split())
        assert reason in answer
        assert "Vega" not in answer
    assert len(world.rows(Seat)) == 1


def test_a_name_that_was_taken_meanwhile_is_refused_when_it_is_confirmed(world):
    world.open("newcomers", seats=4)
    for name, who in (("Sol", "anna@players.test"), ("SoI", "bert@players.test")):
        world.send("", f"JOIN newcomers AS {name}", sender=who, to=ADDRESS)
    for who in ("anna@players.test", "bert@players.test"):
        world.confirm(who)
    assert [seat.name for seat in world.rows(Seat)] == ["Sol"]
    told = body_of([mail for mail in world.outbox() if mail.recipient == "bert@players.test"][-1])
    assert TAKEN in " ".join(told.split())


def test_a_game_that_has_such_names_goes_on(world):
    world.open("old", "Vega", "Deneb", seats=3)
    with world.work() as work:
        # As they were taken before.
        for old, name in (("Vega", "Game Master"), ("Deneb", "ALL")):
            work.session.exec(update(Seat).where(col(Seat.name) == old).values(name=name))
        work.session.exec(update(Game).values(digests="{}"))
    world.act("old", new_game.start_game)
    assert "are in" in world.send("Game Master", "Add 3", game="old", sender=address_of("Vega"))
    assert "are in" in world.send("ALL", "Add 3", game="old", sender=address_of("Deneb"))


class TestGames:
    def test_a_game_that_looks_like_another_is_refused(self, world):
        world.open("galaxy-1")
        with pytest.raises(Refused, match='"galaxy-l" could be taken for the game "galaxy-1"'):
            world.open("galaxy-l")
        world.open("galaxy-2")

    def test_a_game_with_the_word_for_all_is_refused(self, world):
        with pytest.raises(Refused, match='"all" is no name for a game: it could be taken for everybody'):
            world.open("all")
