"""The stream of an account: what nobody could bring about there is named."""

from typing import NamedTuple

from tests.cases import for_each
from tests.play.clock.test_explain_deadline import history
from tests.play.given import ADA, BOB, day
from turnserver.audit.accounts import faults
from turnserver.ids import actor
from turnserver.play import events as e

OWN, ADMIN, SERVICE = actor(ADA), "admin:cleo", "service"
MADE = e.PlayerRegistered(player=ADA)
LOST, FOUND = e.PlayerUnreachable(player=ADA), e.PlayerReachable(player=ADA)
ERASED = e.PlayerErased(player=ADA)


def trip(number: int, begins: float, ends: float) -> e.VacationDeclared:
    return e.VacationDeclared(player=ADA, number=number, begins=day(begins), ends=day(ends), zone="UTC")


def back(number: int, ends: float) -> e.VacationEnded:
    return e.VacationEnded(player=ADA, number=number, ends=day(ends))


class Account(NamedTuple):
    """Events after the registration, one a day, each with its actor; and the problem of the last of them, if there is any."""

    events: tuple[tuple[str, e.PlayerEvent], ...]
    wrong: str = ""
    made: e.PlayerEvent = MADE


CASES = {
    "all that can be": Account(
        (
            (OWN, e.PlayerEdited(player=ADA, fields=("zone",))),
            ("stranger", e.PlayerEdited(player=ADA, fields=("subscribed",))),
            (SERVICE, LOST),
            (OWN, FOUND),
            (SERVICE, LOST),
            (actor(BOB), FOUND),
            (OWN, trip(1, 5, 9)),
            (ADMIN, trip(2, 9, 12)),
            (OWN, back(1, 7)),
            (OWN, trip(3, 7, 9)),
            (OWN, back(2, 9)),
            (SERVICE, LOST),
            (ADMIN, ERASED),
            (SERVICE, LOST),
        )
    ),
    "a vacation ended again by a clock that was set back": Account(((OWN, trip(1, 1, 9)), (OWN, back(1, 3)), (OWN, back(1, 2.9)))),
    "of another": Account(((OWN, e.PlayerEdited(player=BOB, fields=())),), f"it is about player {BOB}, in the stream of player {ADA}"),
    "by another": Account(((actor(BOB), LOST),), f"it is said to be by {actor(BOB)}, who has nothing to do with the account"),
    "by nobody": Account((("nobody", ERASED),), "it is said to be by nobody, who has nothing to do with the account"),
    "made twice": Account(((ADMIN, MADE),), "an account is registered once, before anything else"),
    "made by nothing": Account((), "an account is registered once, before anything else", e.PlayerEdited(player=ADA, fields=())),
    "reached where it was reached": Account(((OWN, FOUND),), "mail reached the player before it either"),
    "lost twice": Account(((SERVICE, LOST), (SERVICE, LOST)), "mail did not reach the player before it either"),
    "erased twice": Account(((ADMIN, ERASED), (ADMIN, ERASED)), "the player was erased before"),
    "a vacation left out": Account(((OWN, trip(5, 5, 9)),), "vacation 5 is declared, where vacation 1 is next"),
    "a vacation of no time": Account(((OWN, trip(1, 5, 5)),), "the vacation ends before it begins"),
    "a vacation far away": Account(((OWN, trip(1, 400, 410)),), "the vacation begins more than a year after it was declared"),
    "two at once": Account(((OWN, trip(1, 5, 9)), (OWN, trip(2, 8, 12))), "the player had vacation 1 in that time already"),
    "the end of none": Account(((OWN, back(2, 9)),), "vacation 2 ends, which was never declared"),
    "an end before its beginning": Account(
        ((OWN, trip(1, 5, 9)), (OWN, back(1, 4))), "vacation 1 does not end sooner by it than was declared"
    ),
    "an end that is later": Account(((OWN, trip(1, 5, 9)), (OWN, back(1, 10))), "vacation 1 does not end sooner by it than was declared"),
}


@for_each("account", CASES.values(), ids=CASES)
def test_what_can_happen_to_an_account(account: Account) -> None:
    rows = history([(day(at), who, event) for at, (who, event) in enumerate(((ADMIN, account.made), *account.events))])
    assert list(faults(ADA, rows)) == ([(len(rows), account.wrong)] if account.wrong else [])
