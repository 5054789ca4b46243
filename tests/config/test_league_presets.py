"""Presets of leagues: those that come with the program can be played, what is wrong in a file is said, and every setting is documented."""

from pathlib import Path

import msgspec
import pytest

from tests.cases import for_each
from turnserver import games
from turnserver.config import league_guide, leagues
from turnserver.config.leagues import MEANING, NO_VALUE, Preset, every_league_setting, preset, presets, settings_of, with_assignments
from turnserver.errors import BadOption
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import LIMITS, NEWEST, Format, Pace, Settings, TierSize, WhenUnfinished, complete
from turnserver.play.clock import controls

ABOUT = 'about = "x"\n'

WRONG = {
    "not TOML": ("about = ", "is not valid TOML: "),
    "no sentence about it": ("[settings]\nrounds = 5", "The key about is missing. Say in a sentence what such a league is like"),
    "a part misspelt": (f"{ABOUT}gaem = 'take'", "There is no gaem in a preset. Did you mean game?"),
    "a setting outside": (f"{ABOUT}rounds = 5", "There is no rounds in a preset. Write it below [settings]: rounds is a setting."),
    "text for a section": (f"{ABOUT}settings = 'swiss'", "The key settings must be a section."),
    "a number for text": (f"{ABOUT}game = 3", "The key game must be text."),
    "a setting misspelt": (f"{ABOUT}[settings]\nronds = 5", "There is no setting ronds. Did you mean rounds?"),
    "text for a number": (f"{ABOUT}[settings]\nrounds = 'five'", 'The setting rounds must be a whole number from 1 to 50, not "five".'),
    "true for a number": (f"{ABOUT}[settings]\nrounds = true", "The setting rounds must be a whole number from 1 to 50, not true."),
    "a number out of range": (f"{ABOUT}[settings]\nrounds = 51", "The setting rounds can't be 51. Choose 1 to 50."),
    "no such format": (f"{ABOUT}[settings]\nformat = 'chess'", 'format must be one of "round robin", "double round robin", "swiss"'),
    "no such tie-break": (f"{ABOUT}[settings]\ntie_breaks = ['luck']", 'tie_breaks must be a list; each item is one of "points"'),
    "no such mark": (f"{ABOUT}[settings.points]\ntie = 1", "points must be a section of exact numbers such as 1, 0.5 or 1/2"),
    "a tier without a size": (f"{ABOUT}[[settings.tiers]]\nmoves = 2", "tiers must be a list; each item is { size = 8,"),
    "what does not go together": (f"{ABOUT}[settings]\nbounds = [1400]", "Only McMahon events have bands."),
}


@pytest.mark.parametrize(("text", "sentence"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "winter.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadOption) as refused:
        preset(str(file))
    assert f"{file}" in refused.value.message
    assert sentence in refused.value.message


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"none\.toml cannot be read: No such file"):
        preset(str(tmp_path / "none.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(BadOption, match=r"bytes\.toml is not UTF-8 text\."):
        preset(str(tmp_path / "bytes.toml"))


@pytest.mark.parametrize(
    ("named", "hint"),
    [("swis", "Did you mean swiss?"), ("xyzzy", "`turnserver league presets` lists them."), ("../swiss", "cannot be read")],
)
def test_a_preset_that_there_is_not(named: str, hint: str) -> None:
    with pytest.raises(BadOption) as refused:
        preset(named)
    assert hint in refused.value.message


@pytest.mark.parametrize("named", ["double-knockout", "Double Knockout", " double-knockout "])
def test_a_preset_by_its_name(named: str) -> None:
    assert preset(named).settings.format is Format.DOUBLE_KNOCKOUT


@for_each("one", presets(), ids=lambda one: one.name)
def test_a_preset_can_be_played(one: Preset) -> None:
    complete(one.settings)
    assert one.about.endswith(".")
    controls.parse(one.time or "3d", "Europe/Berlin")
    if one.game:
        games.find(one.game, **one.options)


def test_there_is_a_preset_for_every_format() -> None:
    assert {one.settings.format for one in presets()} == set(Format)


@for_each("one", presets(), ids=lambda one: one.name)
def test_a_preset_is_explained_within(one: Preset) -> None:
    text = one.path.read_text("utf-8")
    assert text.startswith("# ")
    assert len([line for line in text.splitlines() if line.startswith("#")]) >= 3
    assert [line for line in text.splitlines() if len(line) > 140] == []


def test_every_setting_is_documented() -> None:
    assert set(MEANING) == set(Settings.__struct_fields__), "say in turnserver/config/league_settings.py what the setting does"
    assert {one.name for one in every_league_setting() if one.default is None} == set(NO_VALUE)
    assert [name for name, meaning in MEANING.items() if not meaning.endswith(".")] == []


def test_every_number_has_limits_or_is_a_rating() -> None:
    numbers = {one.name for one in every_league_setting() if "whole number" in one.may_be and "list" not in one.may_be}
    assert numbers - set(LIMITS) == {"rating_from", "rating_to"}


def test_the_guide_is_made_from_the_settings_and_the_presets() -> None:
    written = league_guide.file().read_text("utf-8")
    assert written == league_guide.guide(), "run `make docs`"


TYPED = {
    "a number": ("rounds=7", {"rounds": 7}),
    "blanks around it": (" rounds = 7 ", {"rounds": 7}),
    "words": ("format=double round robin", {"format": Format.DOUBLE_ROUND_ROBIN}),
    "quoted words": ('when_unfinished="no result"', {"when_unfinished": WhenUnfinished.NO_RESULT}),
    "a name with a dash": ("round-days=14", {"round_days": 14}),
    "yes": ("third_place=yes", {"third_place": True}),
    "no": ("third_place=off", {"third_place": False}),
    "true": ("third_place=true", {"third_place": True}),
    "never": ("next_days=never", {"next_days": None}),
    "none": ("rating_from=none", {"rating_from": None}),
    "a list of words": ("tie_breaks=buchholz, wins,lots", {"tie_breaks": (TieBreak.BUCHHOLZ, TieBreak.WINS, TieBreak.LOTS)}),
    "one word for a list": ("tie_breaks=lots", {"tie_breaks": (TieBreak.LOTS,)}),
    "a list of numbers": ("bounds=1400, 1600", {"bounds": (1400, 1600)}),
    "one number for a list": ("bounds=1400", {"bounds": (1400,)}),
    "nothing for a list": ("tie_breaks=", {"tie_breaks": ()}),
    "a list as TOML": ("bounds=[1400]", {"bounds": (1400,)}),
    "tiers": ("tiers=[{size=8, moves=2}, {size=6}]", {"tiers": (TierSize(size=8, moves=2), TierSize(size=6))}),
    "one of several": ("points.draw=1/3", {"points": {Mark.DRAW: "1/3"}}),
    "one of several with a name of two words": ("points.no result=0.5", {"points": {Mark.NO_RESULT: "0.5"}}),
    "no equals sign": ("rounds", None),
    "no such setting": ("ronds=3", None),
    "one of a single value": ("rounds.first=3", None),
    "a word for a number": ("rounds=some", None),
}


@for_each(("text", "expected"), TYPED.values(), ids=TYPED)
def test_a_setting_that_is_typed(text: str, expected: dict[str, object] | None) -> None:
    if expected is None:
        with pytest.raises(BadOption):
            with_assignments(Settings(), [text])
        return
    assert with_assignments(Settings(), [text]) == msgspec.structs.replace(Settings(), **expected)


def test_what_is_typed_goes_on_top_one_after_another() -> None:
    before = settings_of({"format": "swiss", "points": {"win": 3, "draw": 1.5}})
    after = with_assignments(before, ["points.draw=1", "rounds=9", "rounds=7"])
    assert after == Settings(format=Format.SWISS, rounds=7, points={Mark.WIN: "3", Mark.DRAW: "1"}, pace=Pace.TOGETHER, rules=NEWEST)


def test_the_presets_lie_where_the_guide_says() -> None:
    assert leagues.presets_dir() == league_guide.file().parent / "leagues"
