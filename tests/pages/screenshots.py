"""`python -m tests.pages.screenshots`: take the pictures of the pages for docs/ anew."""

from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from pbmd.desk.changes import pauses
from pbmd.ledger.tables import OutboxState
from pbmd.pages.site import update
from tests.desk.world import World
from tests.pages import sample, seats
from tests.pages.browser import chromium

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = {
    # name: page, width, height, scheme, how far down
    "dashboard-games": ("index.html", 1180, 860, "light", 0),
    "dashboard-game": ("games/conquest-2/index.html", 1180, 1560, "light", 0),
    "dashboard-phone": ("games/conquest-2/index.html", 390, 780, "dark", 0),
}


def take(folder: Path, now: datetime) -> None:
    """The pictures of the pages in this folder, as a browser shows them at that time."""
    with chromium() as browser:
        for name, (page, width, height, scheme, down) in PICTURES.items():
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            shown = context.new_page()
            shown.clock.set_fixed_time(now)
            shown.goto((folder / page).as_uri())
            shown.evaluate(f"scrollTo(0, {down})")
            shown.wait_for_load_state("networkidle")
            shown.screenshot(path=DOCS / f"{name}.png")
            context.close()


def _send_all(world: World) -> None:
    """All mail has gone out."""
    with world.work() as work:
        for mail in world.outbox():
            mail.state, mail.sent_at = OutboxState.SENT, world.now
            work.session.merge(mail)


def take_of_seat() -> None:
    """The order form of a seat on a telephone, with a line that would be refused."""
    with TemporaryDirectory() as folder, closing(seats.with_pages(World(Path(folder)))) as world, chromium() as browser:
        world.start()
        with seats.served(seats.site_of(world)) as port:
            context = browser.new_context(viewport={"width": 390, "height": 844}, timezone_id="Europe/Berlin", locale="en-GB")
            shown = context.new_page()
            shown.clock.set_fixed_time(world.now + timedelta(hours=20))
            shown.goto(f"http://127.0.0.1:{port}{seats.path_of(world)}orders.html")
            shown.get_by_label("Your orders").fill("Build 2 Laserfrigates\nBild 3 Titans\nOOB default: LFTLTF\nWAIT")
            shown.get_by_label("Your orders").evaluate("area => { area.rows = 5; area.blur() }")
            shown.clock.run_for(2000)
            shown.locator("[data-open][href]").wait_for()
            shown.screenshot(path=DOCS / "seat-orders.png", full_page=True)
            context.close()


def main() -> None:
    """Play some weeks, something to do for the game master included."""
    take_of_seat()
    with TemporaryDirectory() as folder, sample.desk(Path(folder), "gm") as world:
        sample.start(world)
        sample.play(world, 30)
        world.act("societies-3", pauses.pause, "two of us are on a journey")
        with world.changed("Yellow") as seat:
            seat.unreachable_since = world.now - timedelta(days=1)
        away = [(world.now + timedelta(days=days)).date() for days in (2, 9)]
        world.send("Green", f"ABSENT FROM {away[0]} TO {away[1]}", game="conquest-2", sender="player2@conquest-2.test")
        world.send("Altair", "EXTEND 4 days because of an exam", game="galaxy-7", sender="player0@galaxy-7.test")
        world.read_mailbox()
        _send_all(world)
        world.now += timedelta(minutes=5)
        source = sample.source_of(world)
        update(source)
        take(source.folder, world.now)


if __name__ == "__main__":
    main()
