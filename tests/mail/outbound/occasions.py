"""A game of Take between Ada and Bob as the service would tell it by mail: a context for every kind of mail and its variants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from msgspec import structs

from tests.mail.outbound.league_occasions import RATING, joined, league_lists, rounds_of_games, tales
from tests.play import small_games
from tests.terms import THREE_DAYS
from turnserver import games
from turnserver.config import Site
from turnserver.ids import Burden, GameId, LeagueId, PlayerId, Position, Recorded, Version, game_stream
from turnserver.mail.format.tokens import Purpose, Token, reply_address, sign
from turnserver.mail.outbound.context import LeagueContext, LeagueGame, MailContext, OwnGame, OwnNote, Stranger, Unsubscribing
from turnserver.mail.outbound.kinds import ANSWERS, JOINED, Detail, MailKind, Notice
from turnserver.mail.outbound.notices import game as notices
from turnserver.mail.outbound.notices import vacations as vacation_notices
from turnserver.mail.outbound.notices.admin import (
    claim_report,
    held_report,
    loss_report,
    outage_report,
    provider_report,
    rest_report,
    status_report,
    unreachable_report,
    vacant_report,
)
from turnserver.mail.outbound.notices.game import NotDone
from turnserver.mail.outbound.notices.vacations import Stopped, VacationChange, Year, own_plan
from turnserver.mail.outbound.telling.league_report import Matter, league_report
from turnserver.play import commands as c
from turnserver.play import events as e
from turnserver.play.chance import Chance
from turnserver.play.conditional_moves import Branch, read_plan
from turnserver.play.decide import decide
from turnserver.play.evolve import fold
from turnserver.play.state import GameState, Proposal
from turnserver.play.vacations import Span, Vacation
from turnserver.rules import Game, Seat
from turnserver.rules.options import Value
from turnserver.service.people import preferences
from turnserver.store.people.accounts import Person
from turnserver.text import say

ADA, BOB, CLEO, DAN, EVE = (PlayerId(number) for number in (8, 9, 10, 11, 12))
NAMES = {ADA: "Ada", BOB: "Bob", CLEO: "Cleo", DAN: "Dan", EVE: "Eve"}
GAME = GameId(17)
SITE = Site(name="Turns", address="turns@example.org", admin="admin@example.org")
KEYS = {1: b"a key for tests only, 32 bytes.."}
CHANCE = Chance(GAME, bytes(range(32)))
BEGIN = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
UNKNOWN = "5.1.1 550 5.1.1 <bob@example.org>: Recipient address rejected: User unknown in virtual mailbox table"


@dataclass(frozen=True)
class Player:
    id: PlayerId | None
    name: str
    address: str
    zone: str = "Europe/Berlin"


PLAYERS = {
    ADA: Player(ADA, "Ada", "ada@example.org"),
    BOB: Player(BOB, "Bob", "bob@example.org", "America/New_York"),
    CLEO: Player(CLEO, "Cleo", "cleo@example.org"),
    DAN: Player(DAN, "Dan", "dan@example.org"),
    EVE: Player(EVE, "Eve", "eve@example.net"),
}


def after(days: float) -> datetime:
    return BEGIN + timedelta(days=days)


TRIP = Vacation(2, datetime(2026, 6, 30, 22, tzinfo=UTC), datetime(2026, 7, 14, 22, tzinfo=UTC), "Europe/Berlin")
YEARS = Year(2026, 30, 16), Year(2027, 30, 30)
STOPPED = (
    Stopped(
        GameId(17),
        "Take 17",
        datetime(2026, 7, 2, 16, tzinfo=UTC),
        datetime(2026, 7, 16, 16, tzinfo=UTC),
        TRIP.ends,
        (),
        mine=True,
        version=Version(9),
    ),
    Stopped(
        GameId(18),
        "Tako Judo 18",
        datetime(2026, 7, 2, 16, tzinfo=UTC),
        datetime(2026, 7, 2, 16, tzinfo=UTC),
        TRIP.ends,
        (),
        mine=False,
        version=Version(9),
    ),
    Stopped(GameId(19), "Okago 19", None, None, datetime(2026, 7, 9, 16, 30, tzinfo=UTC), (), mine=True, version=Version(9)),
    Stopped(
        GameId(20),
        "Take 20",
        datetime(2026, 7, 2, 16, tzinfo=UTC),
        datetime(2026, 7, 2, 16, tzinfo=UTC),
        None,
        (),
        mine=True,
        version=Version(9),
    ),
)
"""A vacation and what it does in four games: two of them allow all of it, one a part, and one nothing."""
NEXT = Vacation(4, datetime(2027, 6, 30, 22, tzinfo=UTC), datetime(2027, 7, 14, 22, tzinfo=UTC), "Europe/Berlin")
NEXT_STOPPED = tuple(one._replace(until=NEXT.ends if one.until == TRIP.ends else one.until, before=None, after=None) for one in STOPPED)
"""One that begins later than all occasions."""
BACK = (STOPPED[0]._replace(others=(Span(datetime(2026, 8, 1, tzinfo=UTC), datetime(2026, 8, 5, tzinfo=UTC)),)), STOPPED[1])
"""What its end does in two games, where the days of the first go to another vacation."""


@dataclass(frozen=True)
class Story:
    """Requests to a game, one a quarter of a day unless said otherwise, and what came of it."""

    recorded: tuple[Recorded[e.GameEvent], ...] = ()
    state: GameState | None = None
    before: GameState | None = None
    now: datetime = BEGIN
    draws: bool = False
    small: bool = False

    def then(self, *commands: c.Command, days: float = 0.25) -> "Story":
        story = self
        for command in commands:
            story = story._one(command, story.now + timedelta(days=days))
        return story

    def _one(self, command: c.Command, now: datetime) -> "Story":
        events = decide(self.state, command, now, self.find, CHANCE, house=small_games.house if self.small else games.house_turn)
        recorded = list(self.recorded)
        for event in events:
            version = Version(len(recorded) + 1)
            digest = sha256(f"{version} {event}".encode()).digest()
            recorded.append(Recorded(Position(int(version)), game_stream(GAME), version, now, "player-8", "test", event, digest))
        return replace(self, recorded=tuple(recorded), state=fold(events, self.state, self.find), before=self.state, now=now)

    def play(self, *moves: str) -> "Story":
        story = self
        for move in moves:
            assert story.state is not None
            assert story.state.to_move is not None
            player = story.state.player_at(story.state.to_move)
            story = story.then(c.PlayTurn(player, story.now, move))
        return story

    @property
    def find(self) -> Any:
        return small_games.find if self.small else _take_with_draws if self.draws else games.find

    def notices(self) -> tuple[Notice, ...]:
        """Return who is told what because of the last thing that happened."""
        assert self.state is not None
        known = self.before.version if self.before else 0
        return notices.notices(self.before, [one.event for one in self.recorded[known:]], self.state)

    def notice(self, player: PlayerId) -> Notice:
        (found,) = (notice for notice in self.notices() if notice.player == player)
        return found


def _take_with_draws(key: str, revision: int | None = None, /, **options: Value) -> Game[Any, Any]:
    game = games.find(key, revision, **options)
    return replace(game, entry=replace(game.entry, draws=True))


def invited(
    *, size: int = 5, by: PlayerId | None = None, draws: bool = False, order: e.SeatOrder = e.SeatOrder.LOT, terms: e.Terms = THREE_DAYS
) -> Story:
    return Story(draws=draws).then(c.OpenGame("take", {"size": size}, (ADA, BOB), order, terms, by), days=0)


def begun(*, size: int = 5, draws: bool = False) -> Story:
    return invited(size=size, draws=draws).then(c.Accept(ADA, after(0)), c.Accept(BOB, after(0)))


def at_three(*commands: c.Command, terms: e.Terms = THREE_DAYS) -> Story:
    """A game of Ada, Bob and Cleo, from one of the tests' own."""
    opening = c.OpenGame("trio", {"heap": 9}, (ADA, BOB, CLEO), e.SeatOrder.GIVEN, terms)
    return Story(small=True).then(opening, *(c.Accept(player, after(0)) for player in (ADA, BOB, CLEO)), *commands)


def slowly() -> Story:
    """A game whose moves can be corrected for ten minutes."""
    slow = structs.replace(THREE_DAYS, correction_minutes=10)
    return invited(terms=slow).then(c.Accept(ADA, after(0)), c.Accept(BOB, after(0)))


OPENING = ("e5", "c3", "e6", "c4", "d4", "g4", "f6", "g5")


def finished() -> Story:
    """A game of side 2 that its rules end: the house's first legal steps until it is over."""
    story = begun(size=2)
    while story.state is not None and story.state.to_move is not None:
        rules, position = story.state.game.rules, story.state.line.position
        story = story.play(rules.format(position, rules.steps(position)[0]))
    return story


def context(story: Story, notice: Notice, *, detail: Detail | None = None, names: Mapping[PlayerId, str] = NAMES) -> MailContext:
    """The context that the service makes of a notice."""
    about_game = story.state is not None
    token = Token(notice.player or ADA, GAME, story.state.turn, story.state.edition) if story.state else Token(notice.player or ADA)
    person = PLAYERS[notice.player] if notice.player else Stranger(notice.address or "")
    named = replace(person, name=names.get(notice.player, "")) if notice.player else person
    return MailContext(
        kind=notice.kind,
        person=named,
        site=SITE,
        now=story.now + timedelta(minutes=1),
        message_id="<1.fixed@example.org>",
        reply_to=reply_address(SITE.address, KEYS, token),
        detail=notice.detail if detail is None else detail,
        game_id=GAME if about_game else None,
        state=story.state,
        history=story.recorded,
        people=names,
        unsubscribing=_unsubscribing(notice.player) if notice.player and notice.kind not in ANSWERS else None,
    )


def _unsubscribing(player: PlayerId) -> Unsubscribing:
    token = sign(KEYS, Token(player), Purpose.UNSUBSCRIBE)
    return Unsubscribing(f"turns+{token}@example.org", f"https://example.org/turns/unsubscribe/{token}")


def own_games(stories: Sequence[Story]) -> tuple[OwnGame, ...]:
    return tuple(
        OwnGame(GameId(17 + index), story.state, reply_address(SITE.address, KEYS, Token(ADA, GameId(17 + index))))
        for index, story in enumerate(stories)
        if story.state is not None
    )


def _own_proposals(running: Story) -> dict[str, tuple[Story, Notice]]:
    """Mails to players who have proposed something, by the proposal."""
    proposals = {
        "a draw with a move": Proposal(e.ProposalKind.DRAW, Seat(1)),
        "a pause": Proposal(e.ProposalKind.PAUSE, Seat(1), days=10),
        "to play on": Proposal(e.ProposalKind.REOPENING, Seat(1)),
        "to take back": Proposal(e.ProposalKind.TAKE_BACK, Seat(1)),
        "a substitute": Proposal(e.ProposalKind.SUBSTITUTE, Seat(1)),
    }
    return {
        f"proposal_sent, {what}": (running, notices.proposal_sent(ADA, proposal, moved="move" in what))
        for what, proposal in proposals.items()
    }


def every_occasion(names: Mapping[PlayerId, str] = NAMES) -> dict[str, MailContext]:
    """One or more occasions of every kind, by a name that begins with the kind."""
    corrected = _corrected().notice(ADA)
    running = begun().play(*OPENING)
    pausing = begun().play(*OPENING).then(c.Propose(ADA, after(3), e.ProposalKind.PAUSE, 10))
    drawing = begun(draws=True).play(*OPENING).then(c.OfferDraw(ADA, after(3)))
    unhurried = at_three(terms=structs.replace(THREE_DAYS, time="no limit")).play("1")
    banked = invited(terms=structs.replace(THREE_DAYS, time="5d+36h cap 10d, no vacation"))
    banking = banked.then(c.Accept(ADA, after(0)), c.Accept(BOB, after(0))).play("e5", "c3", "e6")
    nothing = Story(now=after(1))
    unheard = slowly().play("e5")
    words = "Well played!\nresign\nWill you be at the club on Thursday?"
    known = {"reliability": {"9": [412, 405, 1, 3], "10": [0, 0, 0, 0]}}
    chat = [{"player": BOB, "text": words}]
    both = {"said": [{"player": ADA, "text": "Good luck!"}, {"player": CLEO, "text": "To you too."}]}
    wrong = [
        NotDone("e5", say("Your own stone is on {square} already.", square="e5"), "occupied"),
        NotDone("challange Bob", say('This was not understood. Did you mean "{line}"?', line="challenge Bob"), "unclear"),
    ]
    told: dict[str, tuple[Story, Notice]] = {
        "welcome": (nothing, Notice(MailKind.WELCOME, ADA)),
        "invitation from an admin": (invited(), invited().notice(ADA)),
        "invitation from a player": (invited(by=BOB, order=e.SeatOrder.GIVEN), invited(by=BOB).notice(ADA)),
        "invitation from somebody who is known": (invited(by=BOB), replace(invited(by=BOB).notice(ADA), detail=known)),
        "opened": (invited(by=ADA), invited(by=ADA).notice(ADA)),
        "game_started": (begun(), begun().notice(BOB)),
        "turn, the first": (begun(), begun().notice(ADA)),
        "turn, the second": (begun().play("e5"), begun().play("e5").notice(BOB)),
        "turn": (running, running.notice(ADA)),
        "turn with a bank": (banking, banking.notice(BOB)),
        "turn with words": (running, replace(running.notice(ADA), detail={"said": chat})),
        "turn after a declined draw": (drawing.then(c.Decline(BOB, after(3))).play("b2", "h2"), Notice(MailKind.TURN, ADA)),
        "reminder": (running.then(c.CheckClock(), days=2.1), running.then(c.CheckClock(), days=2.1).notice(ADA)),
        "proposed": (drawing, drawing.notice(BOB)),
        "proposed, a pause": (pausing, pausing.notice(BOB)),
        **_own_proposals(running),
        "declined, a pause": (pausing.then(c.Decline(BOB, after(3))), pausing.then(c.Decline(BOB, after(3))).notice(ADA)),
        "clock_changed, a pause": (pausing.then(c.Accept(BOB, after(3))), pausing.then(c.Accept(BOB, after(3))).notice(ADA)),
        "declined": (drawing.then(c.Decline(BOB, after(3))), drawing.then(c.Decline(BOB, after(3))).notice(ADA)),
        "left": (at_three(c.Resign(BOB, after(1))), at_three(c.Resign(BOB, after(1))).notice(CLEO)),
        "turn that somebody left": (at_three(c.Resign(ADA, after(1))), at_three(c.Resign(ADA, after(1))).notice(BOB)),
        "left, to the one on move": (at_three(c.Resign(BOB, after(1))), at_three(c.Resign(BOB, after(1))).notice(ADA)),
        "left, out of time": (at_three().then(c.CheckClock(), days=3), at_three().then(c.CheckClock(), days=3).notice(CLEO)),
        "left, to the one out of time": (at_three().then(c.CheckClock(), days=3), at_three().then(c.CheckClock(), days=3).notice(ADA)),
        "said": (running, notices.said(_state(running), BOB, words)[0]),
        "said, to the other": (running, notices.said(_state(running), ADA, "Well played!")[0]),
        "said by two": (at_three(), replace(at_three().notice(BOB), kind=MailKind.SAID, detail=both)),
        "receipt": (unheard, notices.receipt(ADA)),
        "receipt, when the others know": (running, notices.receipt(BOB)),
        **_late(running),
        **_seat_offers(running),
        "retracted": (_retracted(running), _retracted(running).notice(ADA)),
        "retracted, a correction": (_corrected(), corrected),
        "retracted, a correction beside words": (_corrected(), replace(corrected, detail={**corrected.detail, "words": True})),
        "retracted, agreed on": (_agreed(running), _agreed(running).notice(ADA)),
        "retracted, several agreed on": (_agreed_on_two(running), _agreed_on_two(running).notice(BOB)),
        "proposed, to take back": (_asking(running), _asking(running).notice(ADA)),
        "declined, to take back": (
            _asking(running).then(c.Decline(ADA, after(3))),
            _asking(running).then(c.Decline(ADA, after(3))).notice(BOB),
        ),
        "retracted, to the other": (_retracted(running), _retracted(running).notice(BOB)),
        "turn without a limit": (unhurried, unhurried.notice(BOB)),
        "invitation to a game with a bank": (banked, banked.notice(ADA)),
        "clock_changed, time given": (_credited(running), _credited(running).notice(ADA)),
        **_claims(running),
        "clock_changed, time given by the opponent": (_gift(running), _gift(running).notice(ADA)),
        "clock_changed, an outage": (_was_down(running), _was_down(running).notice(ADA)),
        "clock_changed, no mail": (_unreached(running), _unreached(running).notice(ADA)),
        "clock_changed, a vacation": (_vacation(running), _vacation(running).notice(BOB)),
        "clock_changed, halted": (_halted(running), _halted(running).notice(ADA)),
        "clock_changed, running again": (_halted(running, 4), _halted(running, 4).notice(ADA)),
        "game_over, won": (finished(), finished().notice(_winner(finished()))),
        "game_over, lost": (finished(), finished().notice(ADA if _winner(finished()) == BOB else BOB)),
        "game_over, resigned": (running.then(c.Resign(BOB, after(3))), running.then(c.Resign(BOB, after(3))).notice(ADA)),
        "game_over, on time": (running.then(c.CheckClock(), days=4), running.then(c.CheckClock(), days=4).notice(ADA)),
        "game_over, on time at once": (begun().then(c.CheckClock(), days=4), begun().then(c.CheckClock(), days=4).notice(ADA)),
        "game_over, drawn": (drawing.then(c.Accept(BOB, after(3))), drawing.then(c.Accept(BOB, after(3))).notice(ADA)),
        "game_over, adjudicated": (_adjudicated(running), _adjudicated(running).notice(BOB)),
        "game_over, cancelled": (running.then(c.Cancel("the club is closed")), running.then(c.Cancel("the club is closed")).notice(ADA)),
        "game_over, called off": (invited().then(c.Cancel("")), invited().then(c.Cancel("")).notice(ADA)),
        "game_over, declined": (invited().then(c.Decline(BOB, after(0))), invited().then(c.Decline(BOB, after(0))).notice(ADA)),
        "game_over, annulled": (_annulled(running), _annulled(running).notice(ADA)),
        "refusal": (running, notices.refusal(wrong[:1], player=ADA)),
        "refusal of several": (running, notices.refusal(wrong, done=[say("Your words were passed on.")], player=ADA)),
        "refusal of nothing, from elsewhere": (
            running,
            notices.foreign(
                ADA,
                "eve@example.net",
                say("It went to your reply address, but we can't tell whether it really came from {sender}.", sender="eve@example.net"),
                "e5",
            ),
        ),
        "refusal out of turn": (
            running,
            notices.refusal([NotDone("c5", say("Turn {turn} is {seat}'s.", turn=9, seat=say("Red")), "not_your_turn")], player=BOB),
        ),
        "refusal without a game": (nothing, notices.refusal(wrong[1:], player=ADA)),
        "refusal of somebody who is invited": (invited(), notices.refusal([_neither("yes and no")], player=ADA)),
        "refusal with a suggestion": (running, notices.refusal([_neither("Hm ... d4, d4!")], suggestion="d4", player=ADA)),
        "resigning": (running, Notice(MailKind.RESIGNING, ADA)),
        "preview": (running, notices.preview(ADA, ["b2"])),
        **_plans(running),
        "board": (running, notices.board(ADA)),
        "board of the past": (running, notices.board(ADA, 3)),
        "board at the start": (running, notices.board(ADA, 0)),
        "board after the end": (finished(), notices.board(ADA)),
        "notes": (running, notices.notes(ADA, "shown")),
        "notes, none": (running, notices.notes(ADA, "shown")),
        "notes, one is kept": (running, notices.notes(ADA, "kept")),
        "notes, published": (finished(), notices.notes(ADA, "published")),
        "notes, hidden": (finished(), notices.notes(ADA, "hidden")),
        "turn with notes": (running, running.notice(ADA)),
        "board with notes": (running, notices.board(ADA)),
        "game_over, with notes": (finished(), finished().notice(ADA)),
        "transcript": (_retracted(running), Notice(MailKind.TRANSCRIPT, ADA)),
        "transcript after the end": (finished(), Notice(MailKind.TRANSCRIPT, ADA)),
        "clock": (_moved(running), Notice(MailKind.CLOCK, ADA)),
        "clock of the other": (_halted(running), Notice(MailKind.CLOCK, BOB)),
        "clock without a limit": (unhurried, Notice(MailKind.CLOCK, BOB)),
        "clock with a bank": (banking, Notice(MailKind.CLOCK, BOB)),
        "games": (nothing, Notice(MailKind.GAMES, ADA)),
        "games, none": (nothing, Notice(MailKind.GAMES, ADA)),
        "help": (nothing, notices.help_on(ADA)),
        "help in a game": (running, notices.help_on(ADA)),
        "help on one": (nothing, notices.help_on(ADA, "challenge")),
        "help on the clock": (nothing, notices.help_on(ADA, "clock")),
        "help on plans": (nothing, notices.help_on(ADA, "if")),
        "help on nothing": (nothing, notices.help_on(ADA, "chess")),
        "rules": (nothing, notices.rules_of(ADA, "take")),
        "restored": (nothing, notices.restored(ADA, after(0))),
        "admin_report, loss": (nothing, _loss(1, said=True)),
        "admin_report, loss of much that nobody has said": (nothing, _loss(25, said=False)),
        "settings": (nothing, Notice(MailKind.SETTINGS, ADA)),
        "settings of somebody unsubscribed": (nothing, Notice(MailKind.SETTINGS, ADA)),
        "vacation": (nothing, vacation_notices.vacation(ADA, (), YEARS)),
        "vacation, declared": (
            nothing,
            vacation_notices.vacation(ADA, (TRIP, TRIP._replace(number=3)), YEARS, VacationChange(TRIP, STOPPED, over=False)),
        ),
        "vacation, ahead": (nothing, vacation_notices.vacation(ADA, (NEXT,), YEARS, VacationChange(NEXT, NEXT_STOPPED, over=False))),
        "vacation, ended": (nothing, vacation_notices.vacation(ADA, (), YEARS, VacationChange(TRIP, BACK, over=True))),
        "vacation, called off": (
            nothing,
            vacation_notices.vacation(ADA, (), YEARS, VacationChange(TRIP._replace(ends=TRIP.begins), (), over=True)),
        ),
        "away": (nothing, vacation_notices.away(ADA, "Bob", VacationChange(TRIP, STOPPED[:3], over=False))),
        "away, ahead": (nothing, vacation_notices.away(ADA, "Bob", VacationChange(NEXT, NEXT_STOPPED[:3], over=False))),
        "away, over": (nothing, vacation_notices.away(ADA, "Bob", VacationChange(TRIP, BACK, over=True))),
        "away, called off": (
            nothing,
            vacation_notices.away(ADA, "Bob", VacationChange(TRIP._replace(ends=TRIP.begins), STOPPED[1:2], over=True)),
        ),
        "subscription, ended": (nothing, Notice(MailKind.SUBSCRIPTION, ADA)),
        "subscription, ended without games": (nothing, Notice(MailKind.SUBSCRIPTION, ADA)),
        "subscription, begun": (nothing, Notice(MailKind.SUBSCRIPTION, ADA)),
        "subscription, begun without games": (nothing, Notice(MailKind.SUBSCRIPTION, ADA)),
        "digest": (nothing, notices.digest(ADA, [])),
        "digest of one": (nothing, notices.digest(ADA, [])),
        "digest without a task": (nothing, notices.digest(ADA, [])),
        "turn, again": (running, notices.again(MailKind.TURN, ADA)),
        "unknown_sender": (nothing, Notice(MailKind.UNKNOWN_SENDER, address="eve@example.org")),
        "unreachable": (running, notices.unreachable(_state(running), BOB, waits=True)[0]),
        "unreachable, and time counts": (running, notices.unreachable(_state(running), BOB, waits=False)[0]),
        "reachable": (running, notices.reachable(_state(running), BOB)[0]),
        "admin_report, unreachable": (nothing, unreachable_report(SITE.admin, PLAYERS[BOB], UNKNOWN, [GameId(17), GameId(18)], waits=True)),
        "admin_report, unreachable while clocks run": (
            nothing,
            unreachable_report(SITE.admin, PLAYERS[BOB], UNKNOWN, [GameId(17)], waits=False),
        ),
        "admin_report, unreachable without a game": (nothing, unreachable_report(SITE.admin, PLAYERS[BOB], UNKNOWN, [], waits=True)),
        "admin_report, vacant": (nothing, vacant_report(SITE.admin, PLAYERS[BOB], GameId(17), Seat(2))),
        "admin_report, held": (nothing, held_report(SITE.admin, PLAYERS[BOB], UNKNOWN, GameId(17), 31, told=False)),
        "admin_report, held, told by now": (nothing, held_report(SITE.admin, PLAYERS[BOB], UNKNOWN, GameId(17), 31, told=True)),
        "admin_report, provider": (nothing, provider_report("admin@example.org", "example.net", "550 5.7.1 blocked", 0, [])),
        "admin_report, provider without mailboxes": (nothing, provider_report("admin@example.org", "example.net", "550", 4, [ADA])),
        "admin_report, a claim": (nothing, claim_report("admin@example.org", GameId(17), "Bob", "Ada", 12, "Nothing since March.")),
        "admin_report, rest": (nothing, rest_report("admin@example.org", GameId(17), "its rules are not installed", after(0))),
        "admin_report, status": (nothing, status_report("admin@example.org", TASKS)),
        "admin_report, status with one thing": (nothing, status_report("admin@example.org", TASKS[:1])),
        "admin_report, outage": (nothing, _outage([])),
        "admin_report, outage with games at odds": (nothing, _outage([GameId(17), GameId(18)])),
        "admin_report, outage by a restoration": (nothing, _outage([], days=0.01)),
        **{f"admin_report, league, {matter}": (nothing, _league(matter)) for matter in Matter},
        "help on leagues": (nothing, notices.help_on(ADA, "leagues")),
        "unknown_sender, where anybody can join": (nothing, Notice(MailKind.UNKNOWN_SENDER, address="eve@example.org")),
        "confirm": (nothing, notices.confirm("eve@example.org", 5, "Eve", after(3))),
        "new_address": (nothing, notices.new_address("ada@example.net", 6, "Ada", after(3))),
        "address, asked for": (nothing, notices.address(ADA, "ada@example.net", after(3))),
        "address, confirmed": (nothing, notices.address(ADA, "ada@example.net")),
        "sign_in": (nothing, notices.sign_in(ADA, 305419896, "/play/17-1", after(3))),
    }
    occasions = {name: context(story, notice, names=names) for name, (story, notice) in told.items()}
    occasions["sign_in"] = replace(occasions["sign_in"], page=f"https://club.example/sign-in/1-51u7i0o-0-0-1-{26 * 'a'}")
    table = own_games([running.play("b2"), invited(), running, invited(by=ADA)])
    occasions["games"] = replace(occasions["games"], games=table, people=names)
    occasions["restored"] = replace(occasions["restored"], games=table, people=names)
    joining = "unknown_sender, where anybody can join"
    occasions[joining] = replace(occasions[joining], site=structs.replace(SITE, registration="open"))
    for name in ("settings", "settings of somebody unsubscribed"):
        occasions[name] = replace(occasions[name], settings=SETTINGS, subscribed=name == "settings")
    for name in ("subscription, ended", "subscription, begun", "subscription, ended without games", "subscription, begun without games"):
        games_of = () if "without" in name else table
        occasions[name] = replace(occasions[name], games=games_of, people=names, subscribed="begun" in name)
    occasions["subscription, ended"] = replace(occasions["subscription, ended"], leagues=league_lists())
    asked = running.then(_name(BOB, CLEO), c.Accept(ADA, after(3)))
    occasions["games, and a seat"] = replace(occasions["games, none"], person=PLAYERS[CLEO], games=own_games([asked]), people=names)
    ended = finished()
    waiting = [(running, 0), (drawing, 1), (invited(), 2), (begun().play("e5"), 3), (ended, 4)]
    digests = {"digest": waiting, "digest of one": waiting[:1], "digest without a task": [waiting[3], waiting[4]]}
    for name, stories in digests.items():
        occasions[name] = replace(occasions[name], parts=tuple(_part(story, offset, words, names) for story, offset in stories))
    for name in ("notes", "notes, one is kept", "notes, published", "turn with notes", "board with notes", "game_over, with notes"):
        occasions[name] = replace(occasions[name], notes=NOTES)
    occasions["notes, hidden"] = replace(occasions["notes, hidden"], notes=[replace(note, published=False) for note in NOTES])
    occasions["digest with notes"] = replace(
        occasions["digest"], parts=tuple(replace(part, notes=NOTES) for part in occasions["digest"].parts)
    )
    place = LeagueGame(league="Take Winter", season=2, round=3, division="1.2")
    page = f"https://example.org/turns/turn/{sign(KEYS, Token(ADA, GAME, 9, 0), Purpose.PAGE)}"
    for name, about in (("turn with a page", "turn"), ("board with a page", "board")):
        occasions[name] = replace(occasions[about], page=page)
    for name, about in (("turn of a league", "turn"), ("game_over of a league", "game_over, won")):
        occasions[name] = replace(occasions[about], league_game=place)
    month = LeagueGame(league="Take Winter", season=2, round=0)
    digest = occasions["digest"]
    occasions["digest of a league"] = replace(digest, parts=tuple(replace(part, league_game=month) for part in digest.parts))
    leagues = _of_leagues(names)
    for name, shown in (("game_over with a page", occasions["game_over, won"]), ("league with a page", leagues[next(iter(leagues))])):
        occasions[name] = replace(shown, web="https://example.org/turns")
    return occasions | leagues


def _rated(about: LeagueContext, notice: Notice) -> LeagueContext:
    """Of Ada a rating is known."""
    return replace(about, rating=RATING) if notice.player == ADA and notice.kind is MailKind.LEAGUE_FINAL else about


def _of_leagues(names: Mapping[PlayerId, str]) -> dict[str, MailContext]:
    """The mails about leagues."""
    found = {
        name: replace(context(Story(now=tale.now), notice, names=names), league=_rated(tale.about(), notice), people=names)
        for name, (tale, notice) in tales().items()
    }
    for name, (tale, kind) in rounds_of_games().items():
        for notice in (begun().notice(ADA), begun().notice(BOB)):
            about, place = tale.about(), LeagueGame(league="Take Winter", season=1, round=1)
            since = about.before.version if about.before is not None else 0
            told = context(begun(), notice, detail={JOINED: [joined(kind, about.state, since)]}, names=names)
            found[f"{notice.kind} with {name}"] = replace(told, league=about, league_game=place, people=names)
    lists = {"leagues": league_lists(), "leagues, none": ()}
    for name, listed in lists.items():
        found[name] = replace(context(Story(now=after(30)), Notice(MailKind.LEAGUES, ADA), names=names), leagues=listed, people=names)
    return found


def _neither(quoted: str) -> NotDone:
    return NotDone(quoted, say("I couldn't find a move or a command in that."), "not_understood")


def _late(running: Story) -> dict[str, tuple[Story, Notice]]:
    """Return what is told when a time is up, and when a move is asked for."""
    graced = at_three(terms=structs.replace(THREE_DAYS, grace_hours=24)).then(c.CheckClock(), days=3)
    for_two = invited(terms=structs.replace(THREE_DAYS, grace_hours=24)).then(c.Accept(ADA, after(0)), c.Accept(BOB, after(0)))
    late_by_a_minute = for_two.then(c.PlayTurn(ADA, after(3.6), "e5"), days=3.1)
    skip, house, substitute = (
        at_three(terms=structs.replace(THREE_DAYS, when_late=policy)).then(c.CheckClock(), days=3)
        for policy in (e.WhenLate.SKIP, e.WhenLate.HOUSE, e.WhenLate.SUBSTITUTE)
    )
    ghost = skip
    for _ in range(2):
        ghost = ghost.play("1", "1").then(c.CheckClock(), days=3)
    nudged = running.then(c.Nudge(BOB, running.now + timedelta(days=2)), days=2)
    lost = running.then(c.CheckClock(), days=4)
    offered = lost.then(c.Propose(BOB, lost.now, e.ProposalKind.REOPENING))
    on_again = offered.then(c.Accept(ADA, offered.now))
    no_end = lost.then(c.Reopen("Ada's mail had been here in time"))
    back_again = at_three().then(c.Resign(BOB, after(1))).then(c.Resign(ADA, after(1))).then(c.Reopen("Ada had meant another game"))
    replaced = substitute.then(c.Substitute(Seat(1), DAN, "UTC", Burden.SEAT, "Nothing was heard of the player"), days=1)
    off_turn = at_three().then(c.Substitute(Seat(3), DAN, "UTC", Burden.NONE, "A long journey"), days=1)
    after_ada = at_three().play("1").then(c.Substitute(Seat(1), DAN, "UTC", Burden.SUBSTITUTE, "A long journey"))
    with_policy = {
        f"grace before {policy.value}": at_three(terms=structs.replace(THREE_DAYS, grace_hours=24, when_late=policy)).then(
            c.CheckClock(), days=3
        )
        for policy in (e.WhenLate.SKIP, e.WhenLate.HOUSE, e.WhenLate.SUBSTITUTE)
    }
    return {
        "grace": (graced, graced.notice(ADA)),
        "grace, to the others": (graced, graced.notice(BOB)),
        "grace of two": (for_two.then(c.CheckClock(), days=3), for_two.then(c.CheckClock(), days=3).notice(ADA)),
        "grace of a turn that came late": (late_by_a_minute, late_by_a_minute.notice(ADA)),
        "turn that came late": (late_by_a_minute, late_by_a_minute.notice(BOB)),
        **{name: (story, story.notice(ADA)) for name, story in with_policy.items()},
        "missed, skipped": (skip, skip.notice(ADA)),
        "missed for the last time": (ghost, ghost.notice(ADA)),
        "missed, played by the house": (house, house.notice(ADA)),
        "turn after one that was skipped": (skip, skip.notice(BOB)),
        "turn after one of the house": (house, house.notice(BOB)),
        "vacant": (substitute, substitute.notice(ADA)),
        "vacant, to the others": (substitute, substitute.notice(BOB)),
        "game_over, lost on time, to the winner": (lost, lost.notice(BOB)),
        "proposed, to play on": (offered, offered.notice(ADA)),
        "board with an offer to play on": (offered, notices.board(ADA)),
        "board with an offer to play on that is over": (replace(offered, now=offered.now + timedelta(days=9)), notices.board(ADA)),
        "declined, to play on": (offered.then(c.Decline(ADA, offered.now)), offered.then(c.Decline(ADA, offered.now)).notice(BOB)),
        "reopened, by the organisers": (no_end, no_end.notice(ADA)),
        "reopened, by the organisers, to the other": (no_end, no_end.notice(BOB)),
        "reopened, by the organisers, with somebody back": (back_again, back_again.notice(CLEO)),
        "reopened": (on_again, on_again.notice(ADA)),
        "reopened, to the winner": (on_again, on_again.notice(BOB)),
        "substituted, who has the turn": (replaced, replaced.notice(DAN)),
        "substituted, who was replaced": (replaced, replaced.notice(ADA)),
        "substituted, to the others": (replaced, replaced.notice(BOB)),
        "substituted off the turn": (off_turn, off_turn.notice(DAN)),
        "turn after one of somebody replaced": (after_ada, Notice(MailKind.TURN, BOB)),
        "board of somebody replaced": (replaced, notices.board(ADA)),
        "transcript of somebody replaced": (replaced.play("1"), Notice(MailKind.TRANSCRIPT, ADA)),
        "clock of a substitute": (replaced, Notice(MailKind.CLOCK, DAN)),
        "nudged": (nudged, nudged.notice(ADA)),
        "board after a turn that was skipped": (skip, notices.board(CLEO)),
        "transcript of late turns": (graced.then(c.CheckClock(), days=1), Notice(MailKind.TRANSCRIPT, ADA)),
        "transcript of nudges": (nudged, Notice(MailKind.TRANSCRIPT, ADA)),
        "transcript of skipped turns": (ghost, Notice(MailKind.TRANSCRIPT, ADA)),
        "transcript of turns of the house": (house, Notice(MailKind.TRANSCRIPT, ADA)),
        "transcript of a seat that waits": (substitute, Notice(MailKind.TRANSCRIPT, ADA)),
    }


def _seat_offers(running: Story) -> dict[str, tuple[Story, Notice]]:
    """Return what is told when the players themselves want a substitute."""
    wanted = running.then(_name(BOB, CLEO))
    asked = wanted.then(c.Accept(ADA, after(3)))
    own_turn = running.then(_name(ADA, CLEO), c.Accept(BOB, after(3)))
    for_another = at_three(terms=structs.replace(THREE_DAYS, when_late=e.WhenLate.SUBSTITUTE)).then(c.CheckClock(), days=3)
    for_another = for_another.then(_name(BOB, DAN))
    waits = for_another.then(c.Accept(CLEO, after(4)))
    declined, withdrawn = asked.then(c.Decline(CLEO, after(4))), asked.then(c.Withdraw(BOB, after(4)))
    seated = own_turn.then(c.Accept(CLEO, after(3)))
    known = {"reliability": {"8": [412, 405, 1], "9": [0, 0, 0]}}
    return {
        "proposal_sent, a substitute for another": (for_another, notices.proposal_sent(BOB, _on_offer(for_another), moved=False)),
        "proposed, a substitute": (wanted, wanted.notice(ADA)),
        "proposed, a substitute for another": (for_another, for_another.notice(CLEO)),
        "proposed, a substitute for oneself": (for_another, for_another.notice(ADA)),
        "declined, a substitute": (wanted.then(c.Decline(ADA, after(3))), wanted.then(c.Decline(ADA, after(3))).notice(BOB)),
        "seat_offered": (asked, replace(asked.notice(CLEO), detail=known)),
        "seat_offered, with the turn": (own_turn, own_turn.notice(CLEO)),
        "seat_offered, one that waits": (waits, waits.notice(DAN)),
        "seat_offered, again": (asked, notices.again(MailKind.SEAT_OFFERED, CLEO)),
        "seat_news, somebody is asked": (asked, asked.notice(BOB)),
        "seat_news, somebody is asked for a seat that waits": (waits, waits.notice(BOB)),
        "seat_news, to the one whose seat it is": (waits, waits.notice(ADA)),
        "seat_news, declined": (declined, declined.notice(ADA)),
        "seat_news, withdrawn": (withdrawn, withdrawn.notice(ADA)),
        "seat_gone": (withdrawn, withdrawn.notice(CLEO)),
        "seat_gone with the game": (asked.then(c.Cancel("")), asked.then(c.Cancel("")).notice(CLEO)),
        "substituted as agreed": (seated, seated.notice(BOB)),
        "substituted as agreed, to the substitute": (seated, seated.notice(CLEO)),
        "transcript with somebody who declined": (declined, Notice(MailKind.TRANSCRIPT, ADA)),
    }


def _name(player: PlayerId, substitute: PlayerId) -> c.Propose:
    return c.Propose(player, after(3), e.ProposalKind.SUBSTITUTE, substitute=substitute)


def in_language(one: MailContext, key: str) -> MailContext:
    """The same mail to somebody who reads that language, with pictures as small as can be: they take most of the time."""
    form = replace(one.form, language=key, picture_width=64)
    return replace(one, form=form, parts=tuple(in_language(part, key) for part in one.parts))


SETTINGS = preferences.listed(Person(ADA, "Ada", "ada@example.org", "Europe/Berlin", BEGIN))


def _part(story: Story, offset: int, words: str, names: Mapping[PlayerId, str]) -> MailContext:
    """One game of a digest, under a number of its own; to Bob if a draw is offered to Bob."""
    said = {"said": [{"player": BOB, "text": words}]} if offset == 0 else {}
    part = context(story, Notice(MailKind.DIGEST, BOB if story.draws else ADA), detail=said, names=names)
    game = GameId(GAME + offset)
    return replace(part, game_id=game, reply_to=reply_address(SITE.address, KEYS, Token(ADA, game, _state(story).turn)))


def _state(story: Story) -> GameState:
    assert story.state is not None
    return story.state


def _winner(story: Story) -> PlayerId:
    state = _state(story)
    assert state.result is not None
    return state.player_at(state.result.winners[0])


def _retracted(story: Story) -> Story:
    return story.then(c.Retract(7, "Bob's mail program had changed his move"))


def _credited(story: Story) -> Story:
    return story.then(c.CreditClock(36 * 3600, "the letter was lost"))


def _claims(running: Story) -> dict[str, tuple[Story, Notice]]:
    made = running.then(c.MakeClaim(BOB, running.now + timedelta(days=2)), days=2)
    dropped, dismissed = made.then(c.DropClaim(BOB, made.now)), made.then(c.DecideClaim(granted=False, reason="a storm"))
    return {
        "claim, to whoever made it": (made, made.notice(BOB)),
        "claim, to the other": (made, made.notice(ADA)),
        "claim taken back": (dropped, dropped.notice(ADA)),
        "claim dismissed": (dismissed, dismissed.notice(BOB)),
        "claim dismissed, to the other": (dismissed, dismissed.notice(ADA)),
        "claim granted": (made.then(c.DecideClaim(granted=True, reason="gone")), Notice(MailKind.GAME_OVER, ADA)),
    }


def _gift(story: Story) -> Story:
    return story.then(c.GiveTime(BOB, after(3), 48))


def _was_down(story: Story) -> Story:
    return story.then(c.FreezeClock(e.FreezeKind.OUTAGE, None, after(3), after(3.5)), days=1)


def _on_offer(story: Story) -> Proposal:
    assert story.state is not None and story.state.proposal is not None  # noqa: PT018
    return story.state.proposal


def _unreached(story: Story) -> Story:
    return story.then(c.FreezeClock(e.FreezeKind.UNDELIVERED, Seat(1), after(3), after(3.5)), days=1)


def _vacation(story: Story) -> Story:
    return story.then(c.FreezeClock(e.FreezeKind.VACATION, Seat(1), after(4), after(8)))


def _halted(story: Story, days: float = 0) -> Story:
    """Halted on day 3 without an end in sight, and so many days later, if there are any, set going again."""
    halted = story.then(c.FreezeClock(e.FreezeKind.HALT, None, after(3), None, "the club is on a journey"), days=0.5)
    return halted.then(c.ThawClock(1, after(3 + days)), days=days) if days else halted


def _corrected() -> Story:
    """Ada plays her third turn with Bob none the wiser, and takes it back."""
    slow = structs.replace(THREE_DAYS, correction_minutes=10)
    story = invited(terms=slow).then(c.Accept(ADA, after(0)), c.Accept(BOB, after(0))).play(*OPENING[:5])
    return story.then(c.Undo(ADA, story.now), days=0.001)


NOTES = (
    OwnNote(1, "Bob likes the corners.\nKeep the middle closed.", published=True),
    OwnNote(3, "e1 is weak: as soon as f1 falls, everything to the left of it can be taken from both sides at once, and nothing helps."),
    OwnNote(5, "Look at h2 again."),
)
"""The notes of Ada."""

PLAN = "if b4 then b5; else if c5 then c6 (if e8 then h3; else b2); else h2"
"""The plan of Bob in answer to the turn after the opening."""

STEPS = ("a1-b2-c3-d4-e5", "b5-c6-d7-e8-f8", "e1-e2-e3-e4-e5", "f2-f3-f4-f5-f6")
LONG_PLAN = (Branch(STEPS, STEPS[::-1], (Branch(STEPS[:2], STEPS[2:]), Branch(None, STEPS[:3]))), Branch(None, STEPS))


def _planning(story: Story, text: str = PLAN) -> Story:
    return story.then(c.LayPlan(BOB, after(2.1), text, bytes(32)))


def _answered(story: Story, move: str, text: str = PLAN) -> Story:
    """Return what becomes of a plan when that is played."""
    return _planning(story, text).play(move).then(c.AnswerByPlan(Seat(2), text, bytes(32)))


def _plans(running: Story) -> dict[str, tuple[Story, Notice]]:
    planning, going_on, played_out = _planning(running), _answered(running, "c5"), _answered(running, "b4")
    unforeseen, illegal = _answered(running, "b4", "if c5 then c6"), _answered(running, "h2")
    lost = planning.play("b4").then(c.AnswerByPlan(Seat(2), None))
    asked = (
        _planning(begun(draws=True).play(*OPENING)).play("b4").then(c.OfferDraw(ADA, after(3)), c.AnswerByPlan(Seat(2), PLAN, bytes(32)))
    )
    laid = read_plan(_state(running).game.rules, _state(running).line.position, PLAN)
    return {
        "plan, laid": (planning, own_plan(BOB, "laid", laid, "5d" * 32)),
        "plan, shown": (planning, own_plan(BOB, "shown", LONG_PLAN, "5d" * 32)),
        "plan, none": (running, own_plan(BOB, "shown")),
        "plan, forgotten": (planning.then(c.ForgetPlan(BOB, after(2.2))), own_plan(BOB, "forgotten")),
        "answered": (played_out, played_out.notice(BOB)),
        "answered, and the plan goes on": (going_on, going_on.notice(BOB)),
        "turn after an answer by plan": (played_out, played_out.notice(ADA)),
        "turn that a plan did not expect": (unforeseen, unforeseen.notice(BOB)),
        "turn to which a planned answer is not legal": (illegal, illegal.notice(BOB)),
        "turn with an offer that a plan must not answer": (asked, asked.notice(BOB)),
        "turn whose plan is lost": (lost, lost.notice(BOB)),
        "retracted, and with it a plan": (_retracted(planning), _retracted(planning).notice(BOB)),
    }


def _asking(story: Story) -> Story:
    return story.then(c.Undo(BOB, after(3)))


def _agreed(story: Story) -> Story:
    return _asking(story).then(c.Accept(ADA, after(3)))


def _agreed_on_two(story: Story) -> Story:
    return story.then(c.Undo(ADA, after(3)), c.Accept(BOB, after(3)))


def _moved(story: Story) -> Story:
    """A deadline that many things have moved."""
    return _was_down(_credited(story)).then(c.FreezeClock(e.FreezeKind.VACATION, Seat(1), after(4), after(8)))


def _adjudicated(story: Story) -> Story:
    return story.then(c.Adjudicate((Seat(1),), "Bob agreed by telephone"))


def _annulled(story: Story) -> Story:
    return _adjudicated(story).then(c.Annul("it was the wrong game"))


def _league(matter: Matter) -> Notice:
    items = [("Meeting 7", "Ada, Bob, round 3 of division 1.2, game 17"), ("Meeting 8", "Cleo, Dan, round 3 of division 1.2, game 18")]
    return league_report("admin@example.org", LeagueId(3), "Take Winter", matter, items)


TASKS = (
    ("Inbox", "2 mails could not be handled.", "turnserver mail inbox list --status failed"),
    ("League 3, Take Winter", "Season 2 begins when you say so: `turnserver league start 3`.", "turnserver league show 3"),
)


def _loss(number: int, *, said: bool) -> Notice:
    lost = [f"game {17 + one}, turn 8, edition 0: a reply address of player {BOB}" for one in range(number)]
    return loss_report("admin@example.org", lost, after(0) if said else None, told=said)


def _outage(at_odds: Sequence[GameId], days: float = 0.3) -> Notice:
    return outage_report("admin@example.org", after(0), after(days), games=12, at_odds=at_odds, tolerated=timedelta(minutes=30))
