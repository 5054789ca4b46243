"""The guide to DNS shows the records that `doctor --mail` prints, the settings that there are, and commands that exist."""

import re
import tomllib

import pytest

from turnserver import resources
from turnserver.cli.app import app
from turnserver.cli.doctor import dns as dnscheck
from turnserver.config import Settings, Site, handbook
from turnserver.tools import command_reference as reference

GUIDE = (resources.config_dir() / "MAIL.md").read_text(encoding="utf-8")
SETTINGS = Settings(site=Site(address="turns@club.example", admin="you@club.example"))


def test_its_records_are_those_that_the_program_asks_for() -> None:
    shown = re.findall(r"^\S+ IN (?:MX|TXT|PTR) .*$", GUIDE, re.MULTILINE)
    asked = {check.record for check in dnscheck.examine(SETTINGS, None, ["192.0.2.5"])}
    assert {line for line in shown if "_domainkey" not in line} == asked
    assert len(shown) == len(asked) + 1


def test_its_settings_exist() -> None:
    blocks = re.findall(r"^```text\n(\[.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    known = {setting.name for setting in handbook.every_setting()}
    written = {f"{section}.{key}" for block in blocks for section, keys in tomllib.loads(block).items() for key in keys}
    assert written == {"dkim.key_files"}
    assert written <= known
    assert set(re.findall(r"`((?:dkim|site|outgoing)\.\w+)", GUIDE)) <= known


@pytest.mark.parametrize("line", sorted(set(re.findall(r"\bturnserver((?: (?!turnserver)[a-z][a-z-]*)+)", GUIDE))))
def test_its_commands_exist(line: str) -> None:
    assert f"turnserver{line}" in {one.path for one in reference.commands(app)}
