"""The mails about plans: what their details hold, beside `turnserver.mail.outbound.notices.game`."""

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from turnserver.ids import PlayerId
from turnserver.mail.outbound.notices.game import Kind, Notice
from turnserver.play.conditional_moves import Plan

PlanNews: TypeAlias = Literal["laid", "shown", "forgotten"]
"""Why a player is shown his plan: he has laid or forgotten it, or asks for it."""


def own_plan(player: PlayerId, news: PlanNews, plan: Plan = (), digest: str = "") -> Notice:
    """Show a player his plan, or what is left of it, with the digest that the log has; nothing of either if there is none.

    Detail: `news`; `digest`; `branches`, in the order of their writing a list of {`number`, `expected`, `reply`}: the number as `2.1` for
    the first branch in the brackets of the second, the turns as lists of steps, `expected` being null for any turn.
    """
    return Notice(Kind.PLAN, player, detail={"news": news, "digest": digest, "branches": list(_numbered(plan))})


def _numbered(plan: Plan, above: str = "") -> Iterator[dict[str, str | Sequence[str] | None]]:
    for at, branch in enumerate(plan, start=1):
        number = f"{above}{at}"
        yield {"number": number, "expected": branch.expected and list(branch.expected), "reply": list(branch.reply)}
        yield from _numbered(branch.then, f"{number}.")
