"""Archives that are packed: read as if they were unpacked, and refused where somebody has made them to do harm."""

import gzip
import io
import json
import lzma
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from pbmd.archive.format import packed
from pbmd.archive.format.packed import unpacked
from pbmd.archive.format.seals import NotReadable
from pbmd.cli import app
from tests.archive.made import export, seal_again, write_settings
from tests.desk.world import World
from tests.rules import count

RULES = ("--ruleset", str(Path(count.__file__).parent))
PACKERS = {"zip": "zip", "tar": "tar", "tar.gz": "gztar", "tar.xz": "xztar"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive, and beside it an acknowledgement of its game."""
    folder = tmp_path_factory.mktemp("packed")
    (folder / "home").mkdir()
    world = World(folder / "home")
    world.start(options={"target": 99}, ruleset="count", reminders=())
    world.send("Altair", "Add 3")
    world.pass_time(timedelta(days=4))
    (folder / "answer.eml").write_bytes(world.outbox("acknowledgement", "Altair")[0].raw)
    export(world, folder / "galaxy-7")
    world.close()
    return folder


@pytest.fixture
def archive(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made / "galaxy-7", tmp_path / "galaxy-7"))


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


def pack(archive: Path, kind: str, *, within: bool = True) -> Path:
    """The archive in a file of its own, with the folder or what is in it."""
    base = archive.parent / "packed"
    where = (archive.parent, archive.name) if within else (archive, None)
    return Path(shutil.make_archive(str(base), PACKERS[kind], *where))


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("within", [True, False])
def test_is_verified_as_the_folder_is(kind: str, within: bool, archive: Path) -> None:
    file = pack(archive, kind, within=within)
    told = [run("verify", path, "--json", *RULES) for path in (archive, file)]
    assert [done.exit_code for done in told] == [0, 0], told[1].output
    one, other = (json.loads(done.stdout) for done in told)
    assert one | {"path": ""} == other | {"path": ""}
    assert other["path"] == str(file)


def test_what_systems_put_beside_an_archive_is_passed_over(archive: Path) -> None:
    """As a Mac does that packs a folder into which somebody has looked."""
    packed = pack(archive, "zip")
    with zipfile.ZipFile(packed, "a") as file:
        for name in (f"{archive.name}/.DS_Store", "__MACOSX/", f"__MACOSX/{archive.name}/._bagit.txt"):
            file.writestr(name, b"")
    done = run("verify", packed, *RULES)
    assert done.exit_code == 0, done.output


def test_damage_in_it_is_found(archive: Path) -> None:
    path = archive / "data" / "turns" / "001" / "after.toml"
    path.write_text(path.read_text() + "# more\n")
    done = run("verify", pack(archive, "zip"), *RULES)
    assert (done.exit_code, "after.toml: it is not what was written" in done.stdout) == (1, True), done.output


def test_all_commands_that_read_archives_read_it(made: Path, archive: Path) -> None:
    file = pack(archive, "tar.xz")
    receipt = run("receipt", made / "answer.eml", "--archive", file)
    assert (receipt.exit_code, "is in the books: 8 values" in receipt.stdout) == (0, True), receipt.output
    compared = run("compare", made / "answer.eml", "--archive", file)
    assert compared.exit_code == 0, compared.output
    assert "=== Turn 1, " in run("replay", file, *RULES).stdout
    assert run("diff", archive, file).stdout == "Nothing is different.\n"
    assert run("diff", file, archive / "data" / "turns" / "001").exit_code == 2


def test_a_game_is_imported_from_it(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    world = World(tmp_path / "new")
    (world.folder / "server.key").write_bytes(world.desk.key)
    settings = write_settings(world.folder)
    world.close()
    done = run("import", pack(archive, "tar.gz"), "--go-on", "--from-turn", 1, "--settings", settings)
    assert (done.exit_code, "galaxy-7" in done.stdout) == (0, True), done.output


def exported(folder: Path, to: Path, *more: str) -> Result:
    return run("export", "galaxy-7", "--to", to, "--settings", folder / "pbmd.toml", *more)


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    (tmp_path / "desk").mkdir()
    world = World(tmp_path / "desk")
    (world.folder / "server.key").write_bytes(world.desk.key)
    world.start(options={"target": 99}, ruleset="count", reminders=())
    world.close()
    write_settings(tmp_path / "desk")
    return tmp_path / "desk"


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("ending", [".zip", ".tar", ".tar.xz"])
def test_a_game_is_exported_packed(ending: str, desk: Path, tmp_path: Path) -> None:
    one, other = (tmp_path / number / f"galaxy-7{ending}" for number in ("1", "2"))
    assert [exported(desk, to).exit_code for to in (one, other)] == [0, 0]
    assert one.read_bytes() == other.read_bytes()
    assert stat.S_IMODE(one.stat().st_mode) == 0o600
    assert [path.name for path in one.parent.iterdir()] == [one.name]
    done = run("verify", one, *RULES)
    assert done.exit_code == 0, done.output
    with unpacked(one) as folder:
        assert folder.name == "galaxy-7"


def test_where_no_place_is_named_it_is_packed_under_the_name_of_the_game(
    desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("export", "galaxy-7", "--settings", desk / "pbmd.toml", "--json")
    assert (done.exit_code, json.loads(done.stdout)["folder"]) == (0, "galaxy-7.zip"), done.output
    with unpacked(tmp_path / "galaxy-7.zip") as folder:
        assert folder.name == "galaxy-7"
    unknown = run("export", "../galaxy-7", "--settings", desk / "pbmd.toml")
    assert (unknown.exit_code, [*tmp_path.parent.glob("galaxy-7*")]) == (2, [])


def test_no_file_is_replaced_but_a_packed_archive_and_only_by_force(desk: Path, tmp_path: Path) -> None:
    to = tmp_path / "galaxy-7.zip"
    to.write_text("something else")
    for more in ((), ("--force",)):
        done = exported(desk, to, *more)
        assert (done.exit_code, to.read_text()) == (2, "something else"), done.output
    to.unlink()
    assert exported(desk, to).exit_code == 0
    refused_again = exported(desk, to)
    assert (refused_again.exit_code, "is there already" in refused_again.stderr) == (2, True)
    assert exported(desk, to, "--force").exit_code == 0
    assert run("verify", to, *RULES).exit_code == 0


# What somebody could have made

Zipped = Callable[[zipfile.ZipFile], None]
Tarred = Callable[[tarfile.TarFile], None]


def zipped(folder: Path, change: Zipped) -> Path:
    file = folder / "hostile.zip"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("bag/bagit.txt", "x")
        change(made)
    return file


def tarred(folder: Path, change: Tarred) -> Path:
    file = folder / "hostile.tar"
    with tarfile.open(file, "w") as made:
        put(made, "bag/bagit.txt", b"x")
        change(made)
    return file


def put(made: tarfile.TarFile, name: str, content: bytes = b"", *, kind: bytes = tarfile.REGTYPE, link: str = "") -> None:
    about = tarfile.TarInfo(name)
    about.size, about.type, about.linkname = len(content), kind, link
    made.addfile(about, io.BytesIO(content))


def link_in_zip(made: zipfile.ZipFile) -> None:
    item = zipfile.ZipInfo("bag/data")
    item.external_attr = (stat.S_IFLNK | 0o777) << 16
    made.writestr(item, "/etc")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda made: made.writestr("../../evil", "x"), "a name that no archive has: '../../evil'"),
        (lambda made: made.writestr("/etc/evil", "x"), "a name that no archive has: '/etc/evil'"),
        (lambda made: made.writestr("bag/data/../../../evil", "x"), "a name that no archive has"),
        (lambda made: made.writestr("bag\\..\\evil", "x"), "a name that no archive has"),
        (lambda made: made.writestr("bag/a\nb", "x"), "a name that no archive has"),
        (lambda made: made.writestr("bag/" + "d/" * 40 + "x", "x"), "folders in folders in folders"),
        (lambda made: made.writestr("bag/bagit.txt", "y"), "it has bag/bagit.txt twice"),
        (lambda made: made.writestr("bag/bagit.txt/more", "y"), "bag/bagit.txt/more in what is a file"),
        (lambda made: made.writestr("bag/x", b"0" * 300_000, zipfile.ZIP_LZMA), "is compressed in a way that is not known"),
        (link_in_zip, "is a link or no file at all"),
        (
            lambda made: made.writestr("bag/bomb", b"0" * 300_000, zipfile.ZIP_DEFLATED),
            "unpacked it has more than 200,000 bytes",
        ),
        (lambda made: [made.writestr(f"bag/{n}", "x") for n in range(60)], "there are more than 50 files in it"),
        (lambda made: made.writestr("other/bagit.txt", "x"), "it has no archive in it"),
    ],
)
def test_a_hostile_zip_file_is_refused(change: Zipped, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "LARGEST_PACKED", 200_000)
    monkeypatch.setattr(packed, "MOST_FILES", 50)
    refused(zipped(tmp_path, change), words)


def header_at_length(made: tarfile.TarFile) -> None:
    put(made, "@LongLink", b"x" * 300_000, kind=tarfile.GNUTYPE_LONGNAME)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda made: put(made, "../evil", b"x"), "a name that no archive has: '../evil'"),
        (lambda made: put(made, "/etc/evil", b"x"), "a name that no archive has: '/etc/evil'"),
        (lambda made: put(made, "bag/bagit.txt", b"y"), "it has bag/bagit.txt twice"),
        (lambda made: put(made, "bag/data", kind=tarfile.SYMTYPE, link="/etc"), "is a link or no file at all"),
        (lambda made: put(made, "bag/data", kind=tarfile.LNKTYPE, link="bag/bagit.txt"), "is a link or no file at all"),
        (lambda made: put(made, "bag/disk", kind=tarfile.BLKTYPE), "is a link or no file at all"),
        (lambda made: put(made, "bag/terminal", kind=tarfile.CHRTYPE), "is a link or no file at all"),
        (lambda made: put(made, "bag/pipe", kind=tarfile.FIFOTYPE), "is a link or no file at all"),
        (lambda made: put(made, "bag/bomb", b"0" * 300_000), "unpacked it has more than 200,000 bytes"),
        (lambda made: [put(made, f"bag/{n}") for n in range(60)], "there are more than 50 files in it"),
        (lambda made: [put(made, "bag/d", kind=tarfile.DIRTYPE) for n in range(110)], "there are more than 50 files in it"),
        (header_at_length, "a header that is larger than any"),
    ],
)
def test_a_hostile_tar_file_is_refused(change: Tarred, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "LARGEST_PACKED", 200_000)
    monkeypatch.setattr(packed, "MOST_FILES", 50)
    plain = tarred(tmp_path, change)
    refused(plain, words)
    (tmp_path / "hostile.tgz").write_bytes(gzip.compress(plain.read_bytes()))
    refused(tmp_path / "hostile.tgz", words)


def refused(file: Path, words: str) -> None:
    """By all that read it, with nothing left behind where it was to be put."""
    before = sorted(file.parent.rglob("*"))
    for arguments, codes in ((("verify", file), 1), (("receipt", "5", "--archive", file), 2), (("diff", file, file), 2)):
        done = run(*arguments)
        assert (done.exit_code, done.stdout) == (codes, ""), done.output
        assert words in " ".join(done.stderr.split()), done.stderr
    assert sorted(file.parent.rglob("*")) == before
    assert not (file.parent.parent / "evil").exists()


def cut(archive: Path) -> Iterator[tuple[str, bytes]]:
    for kind in PACKERS:
        whole = pack(archive, kind).read_bytes()
        yield kind, whole[: len(whole) * 2 // 3]


def test_one_that_ends_too_early_is_refused(archive: Path, tmp_path: Path) -> None:
    for kind, content in list(cut(archive)):
        file = tmp_path / "short"
        file.write_bytes(content)
        with pytest.raises(NotReadable), unpacked(file):
            pytest.fail(f"a {kind} file without its end was taken")


@pytest.mark.parametrize("content", [b"", b"PK", b"\x1f\x8b", b"\xfd7zXZ\x00", b"BZh91AY", b"hello" * 200])
def test_what_is_no_such_file_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "what"
    file.write_bytes(content)
    done = run("verify", file)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "cannot be unpacked" in done.stderr or "neither a folder nor a file that can be unpacked here" in done.stderr


def test_a_file_that_asks_for_all_memory_does_not_get_it(tmp_path: Path) -> None:
    file = tmp_path / "greedy.tar.xz"
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 20}]
    content = bytearray(lzma.compress(b"0" * 10_000, filters=filters))
    monstrous = content.replace(b"\x21\x01\x10", b"\x21\x01\x28", 1)  # a dictionary of 4 GiB less one byte
    assert monstrous != content
    # The header of the block has a checksum of its own.
    size = (monstrous[12] + 1) * 4
    monstrous[12 + size - 4 : 12 + size] = zlib.crc32(monstrous[12 : 12 + size - 4]).to_bytes(4, "little")
    file.write_bytes(monstrous)
    with pytest.raises(NotReadable, match=r"[Mm]emory"), unpacked(file):
        pytest.fail("it was taken")


@pytest.mark.parametrize("name", ["journal.jsonl", "turns/001/sheets.json"])
def test_json_that_is_nested_too_deep_is_a_finding(name: str, archive: Path) -> None:
    (archive / "data" / name).write_text("[" * 200_000)
    seal_again(archive)
    done = run("verify", pack(archive, "zip"), *RULES)
    assert (done.exit_code, name in done.stdout, isinstance(done.exception, SystemExit)) == (1, True, True), done.output
