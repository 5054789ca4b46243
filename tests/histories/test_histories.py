"""The recorded games: proved, folded, decided again, audited and recorded again."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import groupby
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.histories.record import record, turns
from tests.histories.recorded import NAMES, documented, events_of, every_history, opening_of, recorded_of, text_of
from tests.histories.scripts import DRAWING, PLANS, RECORDINGS, RESIGNING, Recording
from tests.histories.table import SALT
from turnserver import games
from turnserver.audit.game.plan_texts import KeptPlan, unfaithful
from turnserver.audit.game.recheck import recheck
from turnserver.ids import GameId, Recorded
from turnserver.play import commands as c
from turnserver.play.chance import Chance
from turnserver.play.decide import decide
from turnserver.play.events import (
    EVENT_TYPES,
    ClaimDecided,
    ClaimDropped,
    ClaimMade,
    ClockCredited,
    ClockFrozen,
    ClockThawed,
    DrawAccepted,
    DrawDeclined,
    DrawOffered,
    EndedBy,
    EndRetracted,
    GameEnded,
    GameEvent,
    GameOpened,
    GraceGranted,
    InvitationAccepted,
    InvitationDeclined,
    PlanActed,
    PlanDropped,
    PlanEnd,
    PlanLaid,
    PlayerNudged,
    PlayerReminded,
    ProposalAgreed,
    ProposalDeclined,
    ProposalMade,
    ResultAnnulled,
    RetractionKind,
    SeatResigned,
    SeatVacated,
    SecretRevealed,
    SubstituteDeclined,
    SubstituteSeated,
    SubstituteWithdrawn,
    TimeGiven,
    TurnClock,
    TurnPlayed,
    TurnSkipped,
    TurnsRetracted,
    TurnTimedOut,
)
from turnserver.play.evolve import fold
from turnserver.play.state import GameState
from turnserver.store.catalogue import events as catalogue
from turnserver.store.log import history


@every_history
def test_folds_to_the_end_in_its_heading(name: str) -> None:
    heading, rows = catalogue.read_history(text_of(name))
    history.prove(rows)
    assert catalogue.ending(fold(recorded.event for recorded in map(history.recorded, rows))) == heading.ends


@every_history
def test_the_chain_holds_for_somebody_who_has_only_the_file_and_python(name: str) -> None:
    hash_of, previous = documented()["hash_of"], ""
    for line, row in zip(text_of(name).splitlines()[1:], catalogue.read_history(text_of(name))[1], strict=True):
        event = json.loads(line)
        assert hash_of(event, previous) == event["hash"]
        assert hash_of({**event, "data": row.text}, previous) == event["hash"]
        assert hash_of({**event, "actor": "somebody else"}, previous) != event["hash"]
        previous = event["hash"]
    assert previous


TEXTS = (*PLANS, RESIGNING, DRAWING)


def opening(events: Sequence[GameEvent]) -> c.OpenGame:
    opened = events[0]
    assert isinstance(opened, GameOpened)
    own = next(((event.zone, event.entropy) for event in events if isinstance(event, InvitationAccepted)), ())
    return c.OpenGame(opened.game, opened.options, opened.players, opened.order, opened.terms, opened.opened_by, *own)


def asked(events: Sequence[GameEvent], state: GameState | None, at: datetime) -> c.Command:  # noqa: C901, PLR0912  # one branch a command
    """The command that its events give away."""
    if state is None:
        return opening(events)
    if isinstance(events[0], ProposalAgreed) and isinstance(events[-1], ClockFrozen):
        return c.Accept(state.player_at(events[0].seat), events[-1].begins)
    if isinstance(events[-1], SubstituteSeated) and events[-1].reason:
        return c.Substitute(*(getattr(events[-1], name) for name in ("seat", "player", "zone", "rating", "reason")))
    match events[0]:
        case InvitationAccepted(player=player, zone=zone, entropy=entropy):
            return c.Accept(player, at, zone=zone, entropy=entropy)
        case InvitationDeclined(player=player):
            return c.Decline(player, at)
        case PlayerReminded() | TurnTimedOut() | GraceGranted() | TurnSkipped() | SeatVacated() | TurnPlayed(by_house=True):
            return c.CheckClock()
        case PlanDropped(seat=seat, reason=PlanEnd.FORGOTTEN):
            return c.ForgetPlan(state.player_at(seat), at)
        case TurnPlayed(by_plan=True, seat=seat) | PlanDropped(seat=seat) | PlanActed(seat=seat):
            assert state.planned is not None
            return c.AnswerByPlan(seat, planned_text(state.planned.digest), SALT)
        case PlanLaid(seat=seat, digest=digest):
            return c.LayPlan(state.player_at(seat), at, planned_text(digest), SALT)
        case PlayerNudged(asked_by=seat, asked_at=asked_at):
            return c.Nudge(state.player_at(seat), asked_at)
        case TurnPlayed(turn=turn, seat=seat, received_at=received_at) as played:
            return c.PlayTurn(state.player_at(seat), received_at, played.text, turn, state.edition)
        case DrawOffered(seat=seat):
            return c.OfferDraw(state.player_at(seat), at)
        case DrawAccepted(seat=seat) | ProposalAgreed(seat=seat):
            return c.Accept(state.player_at(seat), at)
        case SubstituteSeated(player=player, zone=zone):
            return c.Accept(player, at, zone=zone)
        case SubstituteDeclined(player=player):
            return c.Decline(player, at)
        case SubstituteWithdrawn(seat=seat):
            return c.Withdraw(state.player_at(seat), at)
        case ProposalMade(seat=seat, kind=what, days=days, player=substitute):
            return c.Propose(state.player_at(seat), at, what, days, substitute)
        case DrawDeclined(seat=seat) | ProposalDeclined(seat=seat):
            return c.Decline(state.player_at(seat), at)
        case SeatResigned(seat=seat):
            return c.Resign(state.player_at(seat), at)
        case TurnsRetracted(kind=RetractionKind.CORRECTION, to_move=seat, clock=TurnClock(time=timedelta() as time)):
            undone = state.line.turns[-1]
            assert undone.left is not None
            return c.Undo(state.player_at(seat), undone.received_at + undone.left - time)
        case EndRetracted(reason=reason):
            return c.Reopen(reason)
        case TurnsRetracted(first=turn, reason=reason):
            return c.Retract(turn, reason)
        case ClaimMade(seat=seat, claimed_at=claimed_at):
            return c.MakeClaim(state.player_at(seat), claimed_at)
        case ClaimDropped(seat=seat):
            return c.DropClaim(state.player_at(seat), at)
        case ClaimDecided(granted=granted, reason=reason):
            return c.DecideClaim(granted, reason)
        case TimeGiven(seat=seat, seconds=seconds):
            return c.GiveTime(state.player_at(seat), at, seconds // 3600)
        case ClockCredited(seconds=seconds, reason=reason):
            return c.CreditClock(seconds, reason)
        case ClockFrozen(kind=kind, seat=frozen, begins=begins, ends=until, reason=reason):
            return c.FreezeClock(kind, frozen, begins, until, reason)
        case ClockThawed(by=int() as seat):
            return c.Resume(state.player_at(seat), at)
        case ClockThawed(number=number, ends=ends, reason=reason):
            return c.ThawClock(number, ends, reason)
        case ResultAnnulled(reason=reason) | GameEnded(by=EndedBy.ANNULMENT, reason=reason):
            return c.Annul(reason)
        case GameEnded(by=EndedBy.ADJUDICATION, winners=winners, reason=reason):
            return c.Adjudicate(winners, reason)
        case GameEnded(by=EndedBy.CANCELLATION, reason=reason):
            return c.Cancel(reason)
    raise AssertionError(f"no command begins with {events[0]}")


def planned_text(digest: str) -> str:
    """Return what was planned, which the log does not tell."""
    return next(text for text in TEXTS if sha256(SALT + text.encode()).hexdigest() == digest)


def game_of(name: str) -> GameId:
    return GameId(int(recorded_of(name)[0].stream.removeprefix("game-")))


@every_history
def test_every_command_is_decided_as_it_was(name: str) -> None:
    told = [bytes.fromhex(event.secret) for event in events_of(name) if isinstance(event, SecretRevealed)]
    chance = Chance(game_of(name), told[0]) if told else None
    state: GameState | None = None
    for cause, group in groupby(recorded_of(name), key=lambda recorded: recorded.cause):
        batch = list(group)
        events = tuple(recorded.event for recorded in batch)
        house = lambda _game, _position, first=events[0]: first.steps  # noqa: E731  # better houses leave what was played as it is
        assert decide(state, asked(events, state, batch[0].at), batch[0].at, chance=chance, house=house) == events, cause
        state = fold(events, state)


@every_history
def test_plans_did_what_they_say(name: str) -> None:
    kept = {sha256(SALT + text.encode()).hexdigest(): KeptPlan(text, SALT) for text in TEXTS}
    assert list(unfaithful(events_of(name), kept)) == []


@every_history
def test_the_rules_bear_out_everything(name: str) -> None:
    assert list(recheck(events_of(name), game_of(name))) == []


@pytest.mark.parametrize("path", sorted((Path(__file__).parent / "earlier").glob("*.jsonl")), ids=lambda path: path.stem)
def test_what_an_earlier_program_recorded_still_holds(path: Path) -> None:
    heading, rows = catalogue.read_history(path.read_text(encoding="utf-8"))
    kept: list[Recorded[GameEvent]] = [history.recorded(row) for row in rows]
    history.prove(rows)
    assert catalogue.ending(fold(row.event for row in kept)) == heading.ends
    game = GameId(int(kept[0].stream.removeprefix("game-")))
    assert list(recheck((row.event for row in kept), game, recorded=(row.at for row in kept))) == []


@pytest.mark.parametrize(
    ("recording", "number"),
    [pytest.param(one, n, id=one.name, marks=[pytest.mark.long] if n % 3 else []) for n, one in enumerate(RECORDINGS, start=1)],
)
def test_recording_again_gives_the_same_file(recording: Recording, number: int) -> None:
    text = text_of(recording.name)
    assert record(recording, number, turns(text)) == text, "review `git diff events` after `python -m tests.histories.record`"


def test_what_was_not_recorded_is_played_anew() -> None:
    number, recording = next((n, one) for n, one in enumerate(RECORDINGS, start=1) if one.name == "tako-won")
    known = turns(text_of(recording.name))[:3]
    text = record(recording, number, known)
    played = turns(text)
    assert played[:3] == known
    assert len(played) > 3
    result = catalogue.read_history(text)[0].ends.result
    assert result is not None
    assert result.by is EndedBy.RULES


def test_every_file_has_its_recording() -> None:
    assert sorted(recording.name for recording in RECORDINGS) == NAMES


def test_everything_that_can_happen_to_a_game_happens() -> None:
    happened = {type(event) for name in NAMES for event in events_of(name)}
    assert happened == {event for event, current in EVENT_TYPES.items() if current.name.startswith("game.")}
    ends = {event.by for name in NAMES for event in events_of(name) if isinstance(event, GameEnded)}
    assert ends == set(EndedBy)


@for_each("key", games.CATALOGUE)
def test_every_variant_of_a_game_is_played_to_its_end(key: str) -> None:
    finished = [opening_of(name) for name in NAMES if any(isinstance(e, GameEnded) and e.by is EndedBy.RULES for e in events_of(name))]
    played = {(name, value) for opened in finished if opened.game == key for name, value in opened.options.items()}
    for option in games.describe_options(games.CATALOGUE[key]):
        values = option.choices or option.numbers or ((False, True) if option.kind == "flag" else ())
        assert {(option.name, value) for value in values} - played == set()
