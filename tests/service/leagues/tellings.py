"""The news of leagues that players have been told, each in a mail of its own or in another one that tells it too."""

from tests.service.world import World
from turnserver.ids import PlayerId
from turnserver.mail.outbound.kinds import JOINED, MailKind

OF_LEAGUES = frozenset(kind for kind in MailKind if kind.startswith("league_")) | {MailKind.WELCOME}


def tellings(world: World, since: int = 0) -> list[tuple[str, PlayerId]]:
    """The kind and the reader of each piece of news that mails with a number above `since` have told. Every merged mail is told by one."""
    rows = {mail.id: mail for mail in world.outbox()}
    for mail in rows.values():
        if mail.status == "merged" and mail.game is None:
            assert mail.merged_into is not None
            teller = rows[mail.merged_into]
            assert (teller.player, [one["kind"] for one in teller.detail[JOINED]].count(mail.kind)) == (mail.player, 1)
    found = []
    for mail in rows.values():
        if mail.status == "sent" and mail.player is not None and mail.id > since:
            kinds = [mail.kind, *(one["kind"] for one in mail.detail.get(JOINED, ()))]
            found += [(kind, mail.player) for kind in kinds if kind in OF_LEAGUES]
    return found
