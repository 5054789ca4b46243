"""Authentication-Results: whose header counts, what proves a sender, and that nothing a stranger writes there breaks or slows anything."""

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.corpus.hostile import done_in_time
from turnserver.mail.format.authentication import Authenticity, aligned, authenticated

US = "mx.example.org"
ADA = "ada@example.org"
PROVEN, DISPROVEN, UNKNOWN = Authenticity.PROVEN, Authenticity.DISPROVEN, Authenticity.UNKNOWN

HEADERS: dict[str, tuple[list[str], Authenticity]] = {
    "no header": ([], UNKNOWN),
    "none": ([f"{US}; none"], UNKNOWN),
    "DMARC": ([f"{US}; dmarc=pass (p=none dis=none) header.from=example.org"], PROVEN),
    "DMARC, in another case": (["MX.Example.ORG 1; DMARC=Pass header.from=EXAMPLE.org"], PROVEN),
    "DMARC of another domain": ([f"{US}; dmarc=pass header.from=example.net"], UNKNOWN),
    "DMARC failed": ([f"{US}; dmarc=fail header.from=example.org; spf=pass smtp.mailfrom=example.org"], DISPROVEN),
    "DKIM": ([f"{US}; dkim=pass header.d=example.org header.s=s1 header.b=abc"], PROVEN),
    "DKIM by its identity": ([f"{US}; dkim=pass header.i=@mail.example.org"], PROVEN),
    "DKIM of somebody else": ([f"{US}; dkim=pass header.d=example.net"], UNKNOWN),
    "DKIM of a name that only looks alike": ([f"{US}; dkim=pass header.d=notexample.org"], UNKNOWN),
    "DKIM of a top-level domain": ([f"{US}; dkim=pass header.d=org"], UNKNOWN),
    "one signature of two": ([f"{US}; dkim=fail header.d=example.org; dkim=pass header.d=example.org"], PROVEN),
    "DKIM failed": ([f"{US}; dkim=fail header.d=example.org"], DISPROVEN),
    "SPF": ([f"{US}; spf=pass (sender is permitted) smtp.mailfrom=bounce@news.example.org"], PROVEN),
    "SPF of a forwarder": ([f"{US}; spf=pass smtp.mailfrom=srs0=x=example.org=ada@example.net"], UNKNOWN),
    "SPF failed": ([f"{US}; spf=fail smtp.mailfrom=example.org"], DISPROVEN),
    "SPF in doubt": ([f"{US}; spf=softfail smtp.mailfrom=example.org"], UNKNOWN),
    "SPF failed for a forwarder, but DKIM holds": ([f"{US}; spf=fail smtp.mailfrom=example.net; dkim=pass header.d=example.org"], PROVEN),
    "another server's word": (["mx.example.net; dmarc=pass header.from=example.org"], UNKNOWN),
    "a forged one below ours": ([f"{US}; dmarc=fail header.from=example.org", f"{US}; dmarc=pass header.from=example.org"], DISPROVEN),
    "a forged one of ours below ours that is silent": ([f"{US}; none", f"{US}; dmarc=pass header.from=example.org"], UNKNOWN),
    "ours below another server's": (["inner.example.net; none", f"{US}; dmarc=pass header.from=example.org"], PROVEN),
    "Microsoft's, which names no server": (["spf=pass smtp.mailfrom=example.org; dmarc=pass action=none header.from=example.org"], UNKNOWN),
    "ours in a form of its own": ([f"{US}; dmarc=pass action=none header.from=example.org;compauth=pass reason=100"], PROVEN),
    "ours, damaged": ([f"{US}; dmarc="], UNKNOWN),
    "a result in a comment": ([f"{US}; spf=none (dmarc=pass header.from=example.org)"], UNKNOWN),
    "our name as a result's": ([f"mx.example.net {US}; dmarc=pass header.from=example.org"], UNKNOWN),
}


@for_each(("headers", "verdict"), HEADERS.values(), ids=HEADERS)
def test_a_sender_is_judged_by_our_own_topmost_header(headers: list[str], verdict: Authenticity) -> None:
    assert authenticated(headers, US, ADA) is verdict


def test_without_a_name_nobody_is_trusted() -> None:
    assert authenticated(["; dmarc=pass header.from=example.org", " ; dmarc=pass header.from=example.org"], "", ADA) is UNKNOWN


@for_each("sender", ["", "ada", "ada@", "@example.net"])
def test_without_a_domain_nothing_is_proven(sender: str) -> None:
    assert authenticated([f"{US}; dkim=pass header.d=example.org; dmarc=pass header.from=example.org"], US, sender) is UNKNOWN


@for_each(
    ("one", "other", "together"),
    [
        ("example.org", "example.org", True),
        ("example.org", "Mail.Example.org.", True),
        ("a.example.org", "b.example.org", False),
        ("org", "example.org", False),
        ("org", "org", False),
        ("ample.org", "example.org", False),
        ("", "", False),
        ("", "example.org", False),
    ],
)
def test_domains_that_belong_together(one: str, other: str, together: bool) -> None:
    assert aligned(one, other) is aligned(other, one) is together


@for_each("tail", ["(" * 50_000, "a=b;" * 20_000, "(a)" * 20_000, 'smtp.mailfrom="' + '"\\' * 20_000, "spf=pass " * 20_000])
def test_a_hostile_header_takes_no_time(tail: str) -> None:
    assert authenticated([f"{US}; {tail}"], US, ADA) is UNKNOWN
    assert done_in_time(lambda: authenticated([f"{US}; {tail}"], US, ADA), 0.5)


PIECES = [*'=;()"\\.@ ,/\u00e9', "spf", "dkim", "dmarc", "pass", "header", "from", "smtp", "mailfrom", "example.org"]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_nothing_raises(text: str) -> None:
    assert isinstance(authenticated([f"{US}; {text}"], US, ADA), Authenticity)
