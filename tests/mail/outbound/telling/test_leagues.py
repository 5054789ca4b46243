"""Every event of a league as a sentence, and every result."""

from datetime import UTC, datetime

from tests.cases import for_each
from turnserver.ids import Burden, GameId, PlayerId
from turnserver.league import events as e
from turnserver.league.divisions import Why
from turnserver.league.evolve import fold
from turnserver.league.scoring.marks import Mark
from turnserver.league.scoring.tiebreaks import TieBreak
from turnserver.league.settings import Format, Settings, complete
from turnserver.mail.outbound.telling.leagues import LeagueTeller, happened, result_told

ADA, BOB, CARL = PlayerId(1), PlayerId(2), PlayerId(3)
TOLD = LeagueTeller({ADA: "Ada", BOB: "Bob"}, "Europe/Berlin")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DIGEST = "0" * 64
OPENED = e.LeagueOpened(name="Winter", game="take", options={}, time="", settings=complete(Settings()))
ANNOUNCED = e.SeasonAnnounced(season=1, entries_until=None, commitment=DIGEST)
STARTED = e.SeasonStarted(
    at=NOON,
    divisions=(e.Division(name="1", tier=1, players=(ADA, BOB, CARL), start=("0", "0", "0"), ratings=(1500.0, 1500.0, 1500.0)),),
    moves=(e.Move(player=ADA, why=Why.NEW, after=1),),
    odd_first=True,
)
PAIRED = e.RoundPaired(
    division="1", round=1, meetings=(e.Meeting(number=1, players=(ADA, BOB)), e.Meeting(number=2, players=(CARL,))), deadline=NOON
)
BEFORE = fold([OPENED, ANNOUNCED, STARTED, PAIRED])
TABLE = e.FinalTable(division="1", tier=1, lines=(e.FinalLine(place=1, player=BOB, points="2"),))
WON = (Mark.WIN, Mark.LOSS)

SENTENCES: list[tuple[e.LeagueEvent, str]] = [
    (OPENED, "The league was set up as Winter: take, round robin."),
    (ANNOUNCED, "Season 1 was announced: entries are open until it starts."),
    (
        e.SeasonAnnounced(season=2, entries_until=NOON, starts_at=NOON, commitment=DIGEST),
        "Season 2 was announced: entries are open until 2026-03-01 13:00. It starts on 2026-03-01 13:00.",
    ),
    (e.PlayerEntered(player=ADA, rating=1499.6), "Ada entered, rated 1500."),
    (
        e.SettingsChanged(settings=complete(Settings(at_once=4, next_days=7)), time="2d", next_at=NOON, reason="too slow"),
        'From the next season on: at_once = 4, next_days = 7, time = 2d ("too slow"). That is announced on 2026-03-01 13:00.',
    ),
    (
        e.SettingsChanged(settings=complete(Settings(tie_breaks=(TieBreak.WINS,))), time="", next_at=None, reason="too slow"),
        'From the next season on: tie_breaks = ["wins"] ("too slow").',
    ),
    (e.SeasonCancelled(reason="a typo", secret=DIGEST), 'The season was cancelled; it has no table ("a typo").'),
    (
        e.WordsSent(players=(ADA, BOB), digest="5d" * 32),
        "The organisers wrote to 2 players of the season; the digest of the words is 5d5d5d5d5d5d5d5d.",
    ),
    (
        e.WordsSent(players=(ADA,), digest="5d" * 32, division="2", round=3),
        "The organisers wrote to 1 player of round 3 of division 2; the digest of the words is 5d5d5d5d5d5d5d5d.",
    ),
    (
        e.RoundHeld(division="1", round=1, meetings=(1,), approved_at=NOON),
        "Round 1 begins once it is approved, or on 2026-03-01 13:00: meeting 1, Ada - Bob.",
    ),
    (e.RoundApproved(division="1", round=1, meetings=(1,)), "Round 1 may begin: meeting 1, Ada - Bob."),
    (
        e.SeasonDivided(divisions=STARTED.divisions, reason="too many"),
        'The divisions are others now ("too many"). Division 1: Ada, Bob and player 3.',
    ),
    (e.LeagueRenamed(name="Spring", reason="thaw"), 'The league is called Spring now ("thaw").'),
    (e.LeagueArchived(reason=""), "The league was archived."),
    (e.LeagueUnarchived(reason=""), "The league was brought back from the archive."),
    (
        e.SeasonMoved(entries_until=None, starts_at=NOON, reason="snow"),
        'The season has other dates ("snow"): entries are open until it starts. It starts on 2026-03-01 13:00.',
    ),
    (e.RoundsMoved(seconds=3 * 86_400, reason="snow"), 'What is to come has its date 3 days later ("snow").'),
    (e.RoundsMoved(seconds=-7_200, reason=""), "What is to come has its date 2 hours earlier."),
    (e.TablesHeld(), "Everything is played; the tables are final once they are approved."),
    (e.SeasonPaused(at=NOON, reason="the holidays"), 'The season is paused ("the holidays").'),
    (e.SeasonResumed(at=NOON, reason=""), "The season goes on after a pause."),
    (e.SeasonReopened(meetings=(1,), reason="by mistake"), 'The season goes on after all ("by mistake").'),
    (
        e.PenaltyGiven(player=ADA, points="1/2", reason="late"),
        "The organisers took points from Ada in season 1 of Winter: ½. Reason: late.",
    ),
    (
        e.PenaltyGiven(player=ADA, points="-1/2", reason="it was the post"),
        "The organisers gave Ada points back in season 1 of Winter: ½. Reason: it was the post.",
    ),
    (e.EntryWithdrawn(player=BOB), "Bob took the entry back."),
    (e.ReadyCheckBegun(until=NOON), "No more entries; everybody is asked whether they will play, until 2026-03-01 13:00."),
    (e.PlayerReady(player=ADA), "Ada is ready."),
    (e.SeasonDropped(reason="2 players of 3"), 'The season was dropped ("2 players of 3").'),
    (STARTED, "The season began with Ada, Bob and player 3."),
    (PAIRED, "Round 1: Ada - Bob; player 3 has a bye. To be over by 2026-03-01 13:00."),
    (e.RoundPaired(division="1", round=2, meetings=(), deadline=None), "Round 2: no games."),
    (e.RoundReminded(division="1", round=1, meetings=(1,)), "A reminder of round 1 went out: meeting 1, Ada - Bob."),
    (e.RoundOverdue(division="1", round=1, meetings=(1,)), "Not over in time in round 1: meeting 1, Ada - Bob."),
    (
        e.MeetingsAdded(division="1", meetings=(e.AddedMeeting(number=3, round=1, players=(CARL, ADA)),)),
        "Added: meeting 3, player 3 - Ada in round 1.",
    ),
    (
        e.MeetingsAdded(division="1", meetings=(e.AddedMeeting(number=3, round=1, players=(CARL,), worth="1/2"),)),
        "Added: meeting 3, player 3 has a bye worth ½ in round 1.",
    ),
    (e.ByeAsked(player=BOB, round=2, worth="1/2"), "Bob has a bye in round 2, worth ½."),
    (e.ByeDropped(player=BOB, round=2, reason="back early"), 'Bob plays in round 2 after all ("back early").'),
    (
        e.AdmissionUndone(player=BOB, reason="the wrong Bob"),
        (
            "The organisers undid the entry of Bob into season 1 of Winter. Bob is no longer in its table. Reason: the wrong Bob. "
            "Without a result end Ada - Bob."
        ),
    ),
    (e.RoundUnpaired(division="1", round=1, reason="a typo"), 'Round 1 is paired again ("a typo").'),
    (
        e.PlayerAdmitted(player=PlayerId(4), rating=1499.6, division="1", place=2, start="0", reason="the post was late"),
        'player 4 came in late, rated 1500, as number 2 ("the post was late").',
    ),
    (
        e.DeadlinesMoved(
            deadlines=(e.MovedDeadline(meeting=1, deadline=NOON), e.MovedDeadline(meeting=2)),
            reason="the holidays",
        ),
        "New deadline 2026-03-01 13:00: meeting 1, Ada - Bob. No more deadline: meeting 2, player 3 has a bye. Reason: the holidays.",
    ),
    (
        e.PlayerReturned(player=BOB, meetings=(1,), reason="a typo"),
        (
            "Bob is back in season 1 of Winter: the organisers undid the withdrawal. The games that Bob finished count again. "
            "Reason: a typo. To be played: meeting 1, Ada - Bob."
        ),
    ),
    (e.GameAttached(meeting=1, game=GameId(17)), "Meeting 1, Ada - Bob, is game 17."),
    (e.ResultRecorded(meeting=1, marks=WON, at=NOON, by=e.DecidedBy.GAME), "Meeting 1: Ada beat Bob."),
    (
        e.ResultRecorded(meeting=1, marks=(Mark.DRAW, Mark.DRAW), at=NOON, by=e.DecidedBy.ADMIN, reason="agreed by telephone"),
        'Meeting 1: Ada and Bob drew, as the organisers decided ("agreed by telephone").',
    ),
    (e.ResultCorrected(meeting=1, marks=WON[::-1], reason="typed wrongly"), 'Corrected: Meeting 1: Bob beat Ada ("typed wrongly").'),
    (e.ResultReopened(meeting=1), "Meeting 1, Ada - Bob, goes on: it has no result now."),
    (
        e.PlayerWithdrawn(player=BOB, struck=False, at=NOON),
        "Bob withdrew from season 1 of Winter. The games that Bob finished count. The others are won by forfeit.",
    ),
    (
        e.PlayerWithdrawn(player=BOB, struck=True, at=NOON),
        (
            "Bob withdrew from season 1 of Winter. Bob had played less than half of their games, so these are out of the table. "
            "Those that are finished still count for ratings; the others have no result."
        ),
    ),
    (
        e.PlayerSubstituted(player=ADA, substitute=CARL, rating=Burden.SUBSTITUTE, reason="ill"),
        "player 3 plays on for Ada in season 1 of Winter. The games that have begun count for the rating of player 3. Reason: ill.",
    ),
    (e.LotsDrawn(division="1", players=(BOB, ADA)), "Lots were drawn, the best first: Bob, Ada."),
    (e.LotsDrawn(division="1", players=(BOB, ADA), round=2), "By lots, Bob goes on in round 2, and not Ada."),
    (e.PlayoffDecided(division="1", players=(BOB, ADA)), "The playoff was decided, the best first: Bob, Ada."),
    (
        e.SeasonClosed(tables=(TABLE,), secret=DIGEST, next_at=NOON),
        "The season ended. Bob came first. The next one is announced on 2026-03-01 13:00.",
    ),
    (
        e.SeasonClosed(tables=(TABLE, e.FinalTable(division="2", tier=2, lines=TABLE.lines)), secret=DIGEST, next_at=None),
        "The season ended. First in division 1: Bob; 2: Bob.",
    ),
    (e.SeasonClosed(tables=(), secret=DIGEST, next_at=None), "The season ended."),
    (e.TablesCorrected(tables=(TABLE,)), "The final tables were corrected."),
    (e.PlayerMoved(player=ADA, tier=2, reason="asked for it"), 'Ada plays in tier 2 next season ("asked for it").'),
    (e.PlayerJoined(player=BOB, rating=1400, at=NOON), "Bob joined at the bottom, rated 1400."),
    (
        e.ChallengeMade(division="1", round=2, meeting=7, players=(ADA, BOB), challenger=BOB, at=NOON, deadline=NOON),
        "Bob challenged Ada: meeting 7, Ada - Bob. To be over by 2026-03-01 13:00.",
    ),
    (e.PlayersSunk(players=(ADA, BOB), at=NOON), "For playing nothing, Ada and Bob lost places, unless they were last already."),
    (e.ChallengesEnded(at=NOON), "No more challenges: the season ends when the games that run are over."),
    (e.RoleGiven(player=ADA, role=e.Role.ARBITER, reason="a jurist"), 'Ada now acts as arbiter of the league ("a jurist").'),
    (e.RoleTaken(player=ADA, role=e.Role.ARBITER, reason=""), "Ada no longer acts as arbiter of the league."),
    (e.PairBarred(players=(ADA, BOB)), "Ada and Bob are not to meet."),
    (e.PairAllowed(players=(ADA, BOB)), "Ada and Bob may meet again."),
]


def test_a_meeting_that_is_gone_does_not_end_with_an_undone_entry() -> None:
    before = fold([OPENED, ANNOUNCED, STARTED, PAIRED, e.RoundUnpaired(division="1", round=1, reason="")])
    told = happened(e.AdmissionUndone(player=BOB, reason=""), before, TOLD)
    assert told == "The organisers undid the entry of Bob into season 1 of Winter. Bob is no longer in its table."


def test_divisions_are_named_where_there_are_several() -> None:
    two = e.SeasonStarted(
        at=NOON,
        divisions=(*STARTED.divisions, e.Division(name="2", tier=2, players=(ADA,), start=("0",), ratings=(1500.0,))),
        moves=(),
        odd_first=True,
    )
    before = fold([OPENED, ANNOUNCED, two])
    assert happened(two, None, TOLD) == "The season began. Division 1: Ada, Bob and player 3. Division 2: Ada."
    assert happened(PAIRED, before, TOLD).startswith("Round 1 of division 1: Ada - Bob;")
    assert (
        happened(e.LotsDrawn(division="1", players=(BOB, ADA)), before, TOLD) == "Lots were drawn in division 1, the best first: Bob, Ada."
    )


def test_a_ladder_has_no_rounds() -> None:
    ladder = e.LeagueOpened(name="Winter", game="take", options={}, time="", settings=complete(Settings(format=Format.LADDER)))
    late = e.ResultRecorded(meeting=1, marks=WON, by=e.DecidedBy.DEADLINE, at=NOON)
    told = [happened(late, fold([opened, ANNOUNCED, STARTED, PAIRED]), TOLD) for opened in (OPENED, ladder)]
    assert told == ["Meeting 1: Ada beat Bob, at the deadline of the round.", "Meeting 1: Ada beat Bob, at its deadline."]


@for_each(("event", "sentence"), SENTENCES, ids=[sentence[:40] for _, sentence in SENTENCES])
def test_an_event_is_a_sentence(event: e.LeagueEvent, sentence: str) -> None:
    assert happened(event, BEFORE, TOLD) == sentence


def test_no_event_is_missing() -> None:
    assert {type(event) for event, _ in SENTENCES} == set(e.EVENT_TYPES)


RESULTS = [
    ((Mark.LOSS, Mark.WIN), (), "Bob beat Ada"),
    ((Mark.WIN_BY_FORFEIT, Mark.FORFEIT), (), "Ada beat Bob by forfeit"),
    ((Mark.FORFEIT, Mark.WIN_BY_FORFEIT), (), "Bob beat Ada by forfeit"),
    ((Mark.FORFEIT, Mark.FORFEIT), (), "Ada and Bob both forfeited"),
    ((Mark.WIN_ON_TIME, Mark.TIMEOUT), (), "Ada beat Bob on time"),
    ((Mark.TIMEOUT, Mark.WIN_ON_TIME), (), "Bob beat Ada on time"),
    ((Mark.NO_RESULT, Mark.NO_RESULT), (), "Ada and Bob have no result"),
    ((Mark.ANNULLED, Mark.ANNULLED), (), "Ada against Bob was annulled"),
    ((Mark.BYE,), (), "Ada has a bye"),
    ((Mark.LOSS, Mark.WIN, Mark.LOSS), (2, 1, 2), "1. Bob, 2. Ada, 2. Carl"),
    ((Mark.NO_RESULT,) * 3, (), "Ada: no result, Bob: no result, Carl: no result"),
]


@for_each(("marks", "places", "words"), RESULTS, ids=[words for *_, words in RESULTS])
def test_a_result_in_words(marks: tuple[Mark, ...], places: tuple[int, ...], words: str) -> None:
    assert result_told(("Ada", "Bob", "Carl")[: len(marks)], marks, places) == words
