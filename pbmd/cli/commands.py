"""The commands, in the order of `pbmd --help` and by its panels: where each is, and what it does. Add a row here for a new one.

What a command does is the first paragraph of its docstring. It is repeated here so that the list of all commands, and the
completion of their names, need none of their modules (`tests/cli/test_start.py` compares them).
"""

from typing import NamedTuple


class Command(NamedTuple):
    """The module of `pbmd.cli` whose `app` has the command, alone or with others, and what it does."""

    module: str
    summary: str


PANELS = {
    "Try it": {
        "demo": Command(
            "demo",
            "Play a whole game by mail, through a post office on this machine: of Galactic Overlord, or of another ruleset.",
        ),
        "play": Command(
            "play",
            "Play a game in this terminal: no mail, no server, nothing to set up. You take one seat or several, random players "
            "the rest.",
        ),
    },
    "Set up and run": {
        "init": Command(
            "init",
            "Write a commented pbmd.toml to start from, filled in with what you say. A file that is there already is left "
            "alone.",
        ),
        "check": Command(
            "check",
            "Try everything that a game needs: settings, data folder, rulesets, positions, the login to both mail servers.",
        ),
        "new": Command(
            "new",
            "Make a game. With --players it begins at once; without, players join by mail until it is full or you start it.",
        ),
        "start": Command("new", "Begin a game with the seats that are taken so far: everybody gets the first report."),
        "run": Command(
            "run",
            "Run the daemon: read mail, answer it, resolve turns and send reports, until it is stopped (Ctrl-C or SIGTERM).",
        ),
        "tick": Command(
            "run",
            "Do one round of the daemon's work and exit, for use with cron. Exit code 1 if a mail server failed, 4 if the "
            "ledger is damaged.",
        ),
        "worker": Command(
            "worker",
            "Share the work of another pbmd run, until stopped (Ctrl-C or SIGTERM): deal with letters and resolve turns, one "
            "game at a time. It reads no mailbox, sends no mail and writes no pages.",
        ),
        "drain": Command(
            "drain",
            "Set this host aside for maintenance, and say when it can be switched off. Other hosts go on with its work.",
        ),
    },
    "Watch over it": {
        "status": Command("status", "Show the games (turn, deadline, who is missing) and the health of mailbox and outbox."),
        "log": Command("log", "Show the dashboard log: a line for everything that happened, without anybody's secrets."),
        "serve": Command(
            "serve",
            "Show the pages of the dashboard in a browser on this machine (Ctrl-C ends it). No other machine can reach them.",
        ),
        "clock": Command("clock", "Show pbmd's clock, and whether it can be trusted."),
        "outbox": Command(
            "outbox",
            "Show mails that are waiting, failed or on hold, newest last; or have some sent, held or dropped.",
        ),
        "letters": Command("letters", "List the letters that came in, without their contents, the newest last."),
        "letter": Command(
            "letters", "Show a letter as it came, orders and all, with tokens blanked; or have it dealt with again."
        ),
        "visitors": Command(
            "visitors",
            "List who watches which game and who stands by for a seat, in the order in which they asked.",
        ),
        "forget": Command(
            "forget",
            "Delete an address's record of played and missed turns, and its name among the results, at its owner's request.",
        ),
        "results": Command(
            "results",
            "Show the results of the games that are over, by the players who have agreed to be listed, with a rating of each.",
        ),
        "unlist": Command(
            "unlist",
            "Take a player's name off the results for good. They get a mail that says so.",
        ),
    },
    "Decide in a game": {
        "extend": Command("gm", "Move the deadline of the current turn, and tell the players whose deadline it is."),
        "pause": Command("gm", "Stop the clock of a game. Orders are still taken; nothing is resolved until `pbmd resume`."),
        "resume": Command("gm", "Resume a paused game. Its deadlines move by as long as it was paused."),
        "resolve": Command(
            "gm",
            "Resolve the current turn now, without waiting for anybody. Players without orders miss the turn.",
        ),
        "rotate": Command("gm", "Give a player a new token. Replies to older mails stop working."),
        "deadline": Command(
            "gm_commands",
            "Set the deadline of the current turn, and tell the players. It asks if that leaves them less time.",
        ),
        "rollback": Command(
            "gm_commands",
            "Take a game back to the beginning of a turn that is resolved. Nothing is deleted, and all players are told.",
        ),
        "eject": Command("gm_commands", "Take a seat from its player. All players are told."),
        "offer": Command(
            "gm_commands",
            "Offer a seat to the standby list. The first YES that arrives has it; until then it stays as it is.",
        ),
        "replace": Command(
            "gm_commands",
            "Offer a seat to another player. It is theirs once they have answered YES; until then it stays as it is.",
        ),
        "wake": Command(
            "gm_commands",
            "Wait again for a seat that is asleep, since it had missed too much. What it misses in a row counts anew.",
        ),
        "no-substitute": Command(
            "gm_commands", "End the time of a seat's substitute, or its player's wish for one. The seat is its player's again."
        ),
        "announce": Command("gm_commands", "Mail an announcement to all players of a game."),
        "approve": Command("gm_commands", "Grant a request, such as a long extension."),
        "refuse": Command("gm_commands", "Refuse a request. The player gets a mail."),
        "votes": Command(
            "gm_commands",
            "List the open votes of the players, or say what they may vote on from now on. All players are told of a change.",
        ),
        "veto": Command("gm_commands", "Stop a vote of the players. All players are told."),
        "set": Command(
            "gm_commands",
            "Change an option of the rules in a running game, where its ruleset allows it. All players are told.",
        ),
        "peek": Command(
            "gm_commands", "See the orders that a seat has in and its last report. All players get a mail that says so."
        ),
        "abandon": Command("gm_commands", "End a game without a winner. All players are told."),
        "gm-mail": Command("gm_commands", "Send yourself a mail that you can reply to in order to run the game."),
        "digest": Command(
            "gm_commands",
            "Say how often you get a mail with what happened in a game and what waits for you: after each turn (`turns`), "
            "only once a day if there is news (`daily`), or never (`off`).",
        ),
        "quiet": Command(
            "gm_commands",
            "Keep deadlines off some weekdays. One that would fall there moves to the next day. All players are told.",
        ),
        "holiday": Command(
            "gm_commands",
            "Say that no deadline of a game falls on a date, or from one to another. All players are told.",
        ),
        "timezone": Command("gm_commands", "Tell a player the times in another time zone, beside UTC."),
        "standing": Command(
            "gm_commands",
            "Open another game like this one whenever it fills up (galaxy-8 after galaxy-7).",
        ),
    },
    "Keep the ledger": {
        "tidy": Command(
            "tidy",
            "Take out of the ledger mails sent more than outbox_days ago, and pictures that no mail has any more, and give "
            "the room back to the disk.",
        ),
        "backup": Command(
            "backup",
            "Copy the ledger and its key as they are at this instant, while the daemon runs, and check the copy.",
        ),
        "restore": Command(
            "backup",
            "Put a backup in the place of the ledger; the daemon must not run. The replaced ledger is kept beside it.",
        ),
        "ledger": Command(
            "ledger",
            "Move the ledger into another database: from a file into PostgreSQL, back, or to another server. No pbmd must run.",
        ),
        "era": Command(
            "era",
            "Go on with a ledger in PostgreSQL that was restored from a backup; no daemon must run. Without --new, "
            "show its era.",
        ),
    },
    "Archive and proof": {
        "export": Command(
            "export",
            "Write a game as plain files: positions, orders, reports, maps, letters, journal, a database and pages to look at.",
        ),
        "receipt": Command(
            "receipt",
            "Check what the mails that a player has kept prove, against the books and against each other.",
        ),
        "compare": Command(
            "compare",
            "Compare mails that players have kept with each other. Two histories of one game are found out, and named.",
        ),
        "key": Command(
            "key",
            "Show the key that signs the checkpoints of a game. It is public: publish it where players find it "
            "without asking you.",
        ),
        "verify": Command(
            "verify",
            "Check an archive, and play its game again from the beginning to see whether everything comes out the "
            "same, byte for byte.",
        ),
        "replay": Command(
            "replay", "Play an archived game again and print the public report of each turn, or all reports of one."
        ),
        "diff": Command("diff", "Say in words what differs between two archives, two turns or two positions."),
        "import": Command(
            "import_",
            "Take a game over from an archive that has all of it: as a finished game, or to go on with it here.",
        ),
    },
    "Write rules": {
        "adjudicate": Command(
            "adjudicate",
            "Carry out orders on a position and print the reports. Needs neither mail nor database.",
        ),
        "rules": Command("rules", "List the rulesets, or show the players' handbook of one, or its options."),
        "simulate": Command("simulate", "Play whole games with players that send random orders, and print how they went."),
        "map": Command("map", "Draw the map of a position as SVG or PNG, with what this reader may know and nothing else."),
        "new-ruleset": Command(
            "new_ruleset",
            "Write the folder of a new ruleset, a small game that can be played as it is, to begin from.",
        ),
        "try": Command("try_", "Check that a ruleset keeps every promise that pbmd relies on, before anybody plays it."),
    },
    "Look up": {
        "docs": Command("docs", "List the pages of documentation that came with pbmd, or show one, or a chapter of it."),
        "completion": Command("completion", "Print what makes a shell complete commands and options when TAB is pressed."),
    },
}
"""Of each panel of `pbmd --help`, its commands."""
COMMANDS = {name: command for commands in PANELS.values() for name, command in commands.items()}
