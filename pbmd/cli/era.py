"""`pbmd era`: a ledger in PostgreSQL that `pg_restore` has put back goes on."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import at_desk, settings_of, troubles_told
from pbmd.cli.gone_back import UNKNOWN, go_on, must_not_have_reported, words_of_games
from pbmd.cli.new_key import tell_all_of_new_key
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.daemon.installation import only_one
from pbmd.desk.books.server_key import KEY
from pbmd.desk.upkeep.new_era import begin_new_era, lost_since, must_be_postgresql, must_have_key
from pbmd.ledger.address import address_problem
from pbmd.settings import Settings

app = typer.Typer(**SETTINGS)


@app.command("era", epilog=examples("pbmd era", "pbmd era --new --replaced postgresql+psycopg:///before"))
def era(
    new: Annotated[bool, typer.Option("--new", help="Begin a new one: the ledger was restored from a backup.")] = False,
    replaced: Annotated[
        str, typer.Option(help="The database that was used before, if it can still be read.", metavar="ADDRESS")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Also if reports have gone out since, or the key is lost.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Go on with a ledger in PostgreSQL that was restored from a backup; no daemon must run. Without --new, show its era.

    Mails get names that none of an earlier era has, and letters that came since the backup are read again. With --replaced it
    is known what was lost: players are told, and what has gone out does not go out again. Where reports have gone out since, it
    is refused without --force: those turns would be resolved and reported again in another way. With it they are paused.

    A ledger in a file needs none of this: pbmd restore does it.
    """
    if not new:
        with at_desk(settings) as desk:
            print(json.dumps({"era": desk.era}) if as_json else f"The ledger is of the era {desk.era}.")
        return
    if replaced and (trouble := address_problem(replaced)):
        fail(f"--replaced: {trouble}")
    chosen = settings_of(settings)
    with troubles_told(chosen):
        must_be_postgresql(chosen)
        chosen.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with only_one(chosen.data):
            told = _begin(chosen, settings, replaced, force=force)
    print(json.dumps(told, ensure_ascii=False, indent=2) if as_json else "\n".join(told["words"]))
    if told["mailbox"]:
        raise typer.Exit(WENT_WRONG)


def _begin(chosen: Settings, settings: Path, replaced: str, *, force: bool) -> dict[str, Any]:
    lacks = lost_since(chosen, replaced)
    if not force:
        must_have_key(chosen)
        must_not_have_reported(lacks, "--force begins the era, and pauses these games")
    games, letters, is_new = begin_new_era(chosen, lacks)
    with at_desk(settings) as desk:
        came, trouble = go_on(desk, f"from a dump, {games} games, {letters} letters", lacks)
        words = [f"A new era has begun, the {desk.era}, with {games} games and {letters} letters."]
        if is_new:
            words += [f"{chosen.data / KEY} is a new one.", *tell_all_of_new_key(desk)]
        if not lacks.readable:
            words.append(f"What came after the backup cannot be told. {UNKNOWN}")
        return {
            "era": desk.era,
            "lost": [asdict(each) for each in lacks.lost],
            "letters": lacks.letters,
            "brought_back": came,
            "mailbox": trouble,
            "words": [*words, *words_of_games(lacks), trouble or f"{came} letters are read again."],
        }
