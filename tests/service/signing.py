"""Players who sign in."""

import re

from tests.service.world import World

LINK = re.compile(r"/sign-in/([0-9a-z-]+)")


def sign_in_link(world: World, name: str) -> str:
    """The link that signs a player in, from a mail to them that was asked for just now."""
    address = world.service.people.find(name).address
    world.service.pages.sessions.ask(address, "", f"a form of {name}, after {len(world.mails(address))} mails")
    world.settle()
    (found,) = LINK.findall(world.text(address))
    return str(found)


def signed_in(world: World, name: str) -> str:
    """The secret of a new session of a player, which their browser sends as a cookie. Each needs a world with chance."""
    return world.service.pages.sessions.sign_in(sign_in_link(world, name), "a form of a test", "a test")
