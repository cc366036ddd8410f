"""What the container files must not forget. That they do what they should, `make container` tries (`tests/container`)."""

import re
import tomllib
from pathlib import PurePath

from tests.docs.pages import ROOT, read

FOLDER = "deploy/container"


def test_all_that_the_package_is_made_of_gets_into_the_image_that_builds_it() -> None:
    copied = {
        PurePath(name)
        for line in re.findall(r"^COPY (?!--)(.+) \S+$", read(f"{FOLDER}/Containerfile"), re.M)
        for name in line.split()
    }
    project = tomllib.loads(read("pyproject.toml"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = [
        *wheel["packages"],
        *wheel["force-include"],
        project["project"]["readme"],
        "LICENSE",
        "CHANGELOG.md",
        "pyproject.toml",
    ]
    assert [name for name in needed if not copied & {PurePath(name), *PurePath(name).parents}] == []


def test_every_mailbox_of_the_sample_has_a_password_in_the_compose_file() -> None:
    compose = read(f"{FOLDER}/compose.yaml")
    [listed] = re.findall(r"^  dovecot:.*?secrets: \[(.*?)\]", compose, re.M | re.S)
    mailboxes = re.findall(r"^(\w+)@example\.org ", read("deploy/mailserver/postfix/mailboxes"), re.M)
    assert mailboxes
    assert {name.strip() for name in listed.split(",")} == {f"{name}_password" for name in mailboxes}
    for name in mailboxes:
        assert f"  {name}_password:\n    file: ${{PBMD_FOLDER}}/{name}.password\n" in compose


def test_what_compose_asks_for_is_in_the_example() -> None:
    asked = set(re.findall(r"\$\{(\w+)", read(f"{FOLDER}/compose.yaml")))
    assert asked == set(re.findall(r"^(\w+)=", (ROOT / FOLDER / ".env.example").read_text(), re.M))


def test_what_is_not_for_git_does_not_get_into_an_image() -> None:
    ignored = [line.strip("/") for line in read(".gitignore").splitlines() if line.startswith(f"/{FOLDER}/")]
    assert ignored
    kept_out = read(".dockerignore").splitlines()
    assert [name for name in ignored if name not in kept_out and f"**/{PurePath(name).name}" not in kept_out] == []
