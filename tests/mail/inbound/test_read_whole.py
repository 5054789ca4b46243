"""A mail is read besides its lines: who wrote, whether a machine did, and why it cannot be used. Nothing raises, nothing is slow."""

import gc
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.corpus import hostile
from tests.shortened import shortened
from turnserver.errors import NotAllowed
from turnserver.mail.format.envelope import identity
from turnserver.mail.inbound.html_text import html_text
from turnserver.mail.inbound.phrases import Help
from turnserver.mail.inbound.read import Reading, read
from turnserver.mail.inbound.steps import resembles_step
from turnserver.mail.inbound.understanding import understand
from turnserver.rules.kit import reads_as_turn

OURS = "turns@play.example.org"
FROM = "From: Ada <ada@example.org>\n"


def reading(head: str, body: str = "f4", sender: str | None = None) -> Reading:
    return read(f"{head}\n{body}\n".encode(), None, OURS, sender)


AUTOMATIC = [
    # RFC 3834, 2 and 5: any value of Auto-Submitted other than "no", on whichever line, with whatever behind it
    (FROM + "Auto-Submitted: auto-notified\n", "Auto-Submitted: auto-notified"),
    (FROM + "Auto-Submitted: AUTO-REPLIED (vacation)\n", "Auto-Submitted: auto-replied"),
    (FROM + "Auto-Submitted: no\nAuto-Submitted: auto-replied\n", "Auto-Submitted: auto-replied"),
    (FROM + "Auto-Submitted: x-something-new\n", "Auto-Submitted: x-something-new"),
    # RFC 3834, 2: mailing lists, by any List- field (RFC 2369, RFC 2919), by Precedence, by the name of the sender
    (FROM + "List-Help: <mailto:list@example.org>\n", "list-help"),
    (FROM + "List-Archive: <https://example.org>\n", "list-archive"),
    (FROM + "Precedence: normal\nPrecedence: bulk\n", "Precedence: bulk"),
    ("From: owner-chess@example.org\n", "from owner-chess@example.org"),
    ("From: chess-request@example.org\n", "from chess-request@example.org"),
    ("From: chess-bounces@example.org\n", "from chess-bounces@example.org"),
    # RFC 3834, 2 and 4: the null return path, and senders that are programs
    (FROM + "Return-Path:  < > \nReturn-Path: <>\n", "null sender"),
    ("From: Mail Delivery Subsystem <MAILER-DAEMON@example.org>\n", "from MAILER-DAEMON@example.org"),
    ("From: Turns elsewhere <no-reply@example.net>\n", "from no-reply@example.net"),
    (FROM + "X-Auto-Response-Suppress: DR\nX-Auto-Response-Suppress: All\n", "x-auto-response-suppress"),
    (FROM + "Auto-Submitted: auto-replied\n", "Auto-Submitted: auto-replied"),
    (FROM + "Auto-Submitted: auto-generated; owner=x\n", "Auto-Submitted: auto-generated"),
    (FROM + "Precedence: bulk\n", "Precedence: bulk"),
    (FROM + "Precedence: List\n", "Precedence: list"),
    (FROM + "Precedence: junk\n", "Precedence: junk"),
    (FROM + "List-Id: <chess.example.org>\n", "list-id"),
    (FROM + "Return-Path: <>\n", "null sender"),
    (FROM + "X-Auto-Response-Suppress: DR, OOF, AutoReply\n", "x-auto-response-suppress"),
    (FROM + "X-Autoreply: yes\n", "x-autoreply"),
    (FROM + "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n", "multipart/report"),
    (FROM + f"X-Loop: {OURS}\n", "our own mail"),
    (f"From: turnserver <{OURS}>\n", "our own mail"),
    ("From: turns+k7f3q2x5m4n6p8r9@PLAY.example.org\n", "our own mail"),
    ("From: MAILER-DAEMON@mx.example.org\n", "from MAILER-DAEMON@mx.example.org"),
    (FROM + "Subject: Automatic reply: Take 17\n", "automatic subject"),
    (FROM + "Subject: Returned mail: see transcript for details\n", "automatic subject"),
    (FROM + "Subject: Re: Take 17 (delivery failed)\n", "automatic subject"),
    (FROM + "Subject: =?utf-8?q?R=C3=A9ponse_automatique=3A?= Take 17\n", "automatic subject"),
]
PERSONAL = [
    FROM + "Auto-Submitted: No (I typed it)\n",
    "From: request@example.org\n",
    "From: owner@example.org\n",
    FROM + "X-List: none\n",
    FROM,
    FROM + "Auto-Submitted: no\n",
    FROM + "Precedence: normal\n",
    FROM + "Return-Path: <ada@example.org>\n",
    FROM + "Subject: Re: Automatic reply wanted\n",
    FROM + "X-Loop: other@example.org\n",
    "From: turns@example.org\n",
]
PROBLEMS = [
    (FROM + FROM, "f4", "repeated_header"),
    (FROM + "Subject: a\nSubject: b\n", "f4", "repeated_header"),
    (FROM + "Message-ID: <1@a>\nmessage-id: <2@a>\n", "f4", "repeated_header"),
    (FROM + "Content-Type: text/plain\nContent-Type: text/html\n", "f4", "repeated_header"),
    ("Subject: x\n", "f4", "no_sender"),
    ("From: Ada\n", "f4", "no_sender"),
    ("From: ada@example.org, bob@example.org\n", "f4", "no_sender"),
    (FROM + "Content-Type: multipart/encrypted; boundary=b\n", "--b\n\nf4\n--b--", "encrypted"),
    (FROM + "Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n", "MIIB", "encrypted"),
    (FROM, "-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----", "encrypted"),
    (FROM + "Content-Type: multipart/mixed; boundary=b\n", "--b\nContent-Type: application/pgp-encrypted\n\nx\n--b--", "encrypted"),
    (FROM, "", "no_text"),
    (FROM + "Content-Type: image/png\n", "f4", "no_text"),
    (FROM + "Content-Type: text/plain\nContent-Disposition: attachment\n", "f4", "no_text"),
    (FROM, "> f4\n> resign", "only_quoted"),
    (FROM, "\n" * 5000 + "f4", "too_long"),
    (FROM, "f4" + "\n" * 5000 + "resign", "too_long"),
    (FROM + "Content-Type: text/plain; format=flowed; delsp=yes\n", "f4\n" + "> x \n" * 20_000 + "resign", "too_long"),
]
ONCE = """
    from sender reply-to to cc bcc subject message-id date in-reply-to references
    mime-version content-type content-transfer-encoding content-disposition
""".split()
SENDERS = [
    ("From: Ada <ada@example.org>\n", "ada@example.org"),
    ("From: ada@example.org (Ada)\n", "ada@example.org"),
    ('From: "bob@example.org" <ada@example.org>\n', "ada@example.org"),
    ("From: =?utf-8?q?=3Cbob=40example=2Eorg=3E?= <ada@example.org>\n", "ada@example.org"),
    ("From: Ada\n <ada@example.org>\n", "ada@example.org"),
    ("From: Ada <ada@example.org>\rTo: x\n", "ada@example.org"),
    (FROM + FROM, ""),
]
CHARSETS = [
    ("X-UNKNOWN", "gr\u00fcn".encode(), "gr\u00fcn"),
    ("", "gr\u00fcn".encode("cp1252"), "gr\u00fcn"),
    ("us-ascii", "gr\u00fcn".encode(), "gr\u00fcn"),
    ("iso-8859-1", b"\x93f4\x94", "\u201cf4\u201d"),
    ("base64", b"f4", "f4"),
    ("punycode", b"f4", "f4"),
    ('"utf-8\x00"', b"f4", "f4"),
    ("utf-8", b"\xff\xfe", "\u00ff\u00fe"),
    ("utf-8", b"\xef\xbb\xbff4", "f4"),
    ("gb2312", "\u4f60\u597d".encode("gb18030"), "\u4f60\u597d"),
    ("utf-8'en'x", b"f4", "f4"),
]
HTML = [
    ("f4" + " " * 70_000 + "<p>resign</p>resign", ["f4"]),
    ("<p>move <b>f4</b></p>", ["move f4"]),
    ("<div>f4</div><div>g2</div>", ["f4", "g2"]),
    ("f4<br>g2", ["f4", "g2"]),
    ("f4<blockquote>resign</blockquote>g2", ["f4", "> quoted", "g2"]),
    ("f4<div id='x_divRplyFwdMsg'>From: x</div>resign", ["f4", "----- quoted mail -----", "resign"]),
    ("<style>resign</style><script>resign</script>f4", ["f4"]),
    ("f4<p style='color: red; display: none'>resign</p>", ["f4"]),
    *(
        (f"f4<{tag}>resign</{tag.split()[0]}>", ["f4"])
        for tag in (
            "div style='max-height:0;overflow:hidden'",
            "div style='max-height: 0px'",
            "div style='mso-hide:all'",
            "span style='MSO-HIDE: ALL'",
            "span style='visibility:hidden'",
            "div style='opacity:0'",
            "div style='height:0;overflow:hidden'",
            "span style='font-size:0'",
            "span style='font-size: 1px; line-height: 1px'",
            "p style='color:#fff'",
            "p style='color:#FFFFFF;background:#ffffff'",
            "font color=white",
            "p style='color: rgb(255, 255, 255)'",
            "p style='color:red;background-color:red'",
            "p style='color:transparent'",
            "div style='text-indent:-9999px'",
            "div style='position:absolute;left:-5000px'",
            "p hidden",
            "noframes",
            "noembed",
            "select",
            "select><option",
            "datalist",
            "textarea",
            "dialog",
        )
    ),
    *(
        (f"f4<{tag}>g2</{tag.split()[0]}>", ["f4", "g2"])
        for tag in (
            "p style='color:#fff;background:#000'",
            "p style='max-height:100px'",
            "p style='max-height:0.5em'",
            "p style='opacity:0.9'",
            "p style='height:0'",
            "p style='font-size:10px'",
            "p style='color:inherit;background:inherit'",
            "p style='left:-1px'",
            "p style='color:windowtext'",
            "p style='display:block'",
        )
    ),
    ("<div style='background:#202020'><p style='color:white'>f4</p></div><p style='color:white'>resign</p>", ["f4"]),
    ("<div style='color:white'>resign<b style='color:black'>f4</b>resign</div>g2", ["f4", "g2"]),
    ("<table style='font-size:0'><tr><td style='font-size:12px'>f4</td></tr></table>", ["f4"]),
    ("<style>p.a, .B { Display : none; }</style>f4<p class=a>resign</p><b class='x b'>resign</b><p class=c>g2</p>", ["f4", "g2"]),
    ("<style>@media screen { #a{mso-hide:all} .c{color:red} }</style>f4<p id=A>resign</p><p class=c>g2</p>", ["f4", "g2"]),
    ("<style>.a .b{display:none}</style>f4<p class=a>g2</p>", ["f4", "g2"]),
    ("f4 &lt; g2", ["f4 < g2"]),
    ("<!-- resign -->f4", ["f4"]),
    ("", []),
    ("<", ["<"]),
    ("<?xml version='1.0' encoding='utf-8'?><p>f4</p>", ["f4"]),
]

TOO_MUCH = [
    "f4" + "<p>x</p>" * 900 + "resign",
    "<div>f4" + "<p></p>" * 900 + "<p>resign</p></div>",
    "<div>f4" + "<p></p>" * 900 + "</div>resign",
    "f4" + "<br>" * 5_000 + "resign",
    "f4<p>" + " " * 70_000 + "resign",
    "f4<!-- x -->" + " " * 70_000 + "resign",
    "f4" + " " * 300_000 + "resign",
    "f4" + "<div>" * 300 + "resign",
]
NOT_TOO_MUCH = [
    "f4" + "<p></p>" * 900,
    "f4" + " " * 300_000,
    "f4<blockquote>" + "<p>resign</p>" * 1_500 + "</blockquote>",
    "f4<div id='divRplyFwdMsg'>From: x</div>" + "<p>resign</p>" * 900,
    "f4<div id='divRplyFwdMsg'>From: x</div>" + "<p>resign</p>" * 9_000,
    "<p>f4</p><p>-- </p>" + "<p>Ada</p>" * 900,
]


@for_each(("head", "reason"), AUTOMATIC)
def test_a_machine_is_recognised(head: str, reason: str) -> None:
    assert reading(head).automatic == reason


@for_each("head", PERSONAL)
def test_a_person_is_not_taken_for_a_machine(head: str) -> None:
    assert reading(head, sender="ada@example.org").automatic is None


@pytest.mark.parametrize("sender", ["MAILER-DAEMON@example.org", "owner-chess@example.org", "chess-request@example.org"])
def test_the_envelope_may_name_the_machine(sender: str) -> None:
    assert reading(FROM, sender=sender).automatic == f"from {sender}"


@pytest.mark.parametrize("sender", ["", "<>"])
def test_the_null_sender_is_a_machine(sender: str) -> None:
    assert reading(FROM, sender=sender).automatic == "null sender"


@for_each(("head", "body", "code"), PROBLEMS)
def test_a_mail_that_cannot_be_used_says_why(head: str, body: str, code: str) -> None:
    problem = reading(head, body).problem
    assert problem is not None
    assert problem.code == code
    assert problem.message.endswith(".")


@for_each(("body", "code"), [("", "too_large"), ("f4", None)])
def test_a_mail_that_was_cut_off_is_too_large_if_it_has_no_text(body: str, code: str | None) -> None:
    raw = (FROM + "\n" + body).encode()
    for most, expected in ((len(raw), code), (len(raw) + 1, code and "no_text")):
        problem = read(raw, most=most).problem
        assert (problem and problem.code) == expected


@for_each("page", TOO_MUCH)
def test_a_page_beyond_the_limits_is_asked_about(page: str) -> None:
    problem = reading(FROM + "Content-Type: text/html\n", page).problem
    assert problem is not None
    assert problem.code == "too_long"


@for_each("page", NOT_TOO_MUCH)
def test_a_page_that_goes_on_without_the_senders_words_is_read(page: str) -> None:
    read = reading(FROM + "Content-Type: text/html\n", page)
    assert read.problem is None
    assert [line for line in read.lines if line] == ["f4"]


def test_what_was_read_of_a_page_is_its_beginning() -> None:
    """A signature behind what was left out must not hide that something was."""
    tail = "<div>" + "<p>g2</p>" * 900 + "</div>-- <br>Ada"
    assert reading(FROM + "Content-Type: text/html\n", f"<div>f4{tail}</div>").problem is not None
    assert reading(FROM + "Content-Type: text/html\n", f"<b>f4<i>{'x ' * 40_000}</i></b><p>--<p>Ada").problem is not None


def test_a_mail_of_too_many_parts_is_asked_about() -> None:
    parts = "--b\n\nf4\n" * 98
    head = FROM + "Content-Type: multipart/mixed; boundary=b\n"
    assert reading(head, f"{parts}--b--").problem is None
    last = "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\ng2\n--c\n\nresign\n--c--\n"
    problem = reading(head, f"{parts}{last}--b--").problem
    assert problem is not None
    assert problem.code == "too_long"


HALVES = {"tags": "</b>" * 2_500, "source": f"<!--{'x' * 120_000}-->"}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_the_parts_of_a_mail_share_its_room(half: str) -> None:
    """More than half of what is read of a mail stands in a part: twice that is too much."""
    head, page = FROM + "Content-Type: multipart/mixed; boundary=b\n", f"--b\nContent-Type: text/html\n\n{half}<p>f4</p>\n"
    assert reading(head, f"{page}--b--").problem is None
    problem = reading(head, f"{page}{page}--b--").problem
    assert problem is not None
    assert problem.code == "too_long"


@pytest.mark.parametrize(("size", "code"), [(1, None), (1_000_000, "too_long")])
def test_parts_within_parts_share_what_is_searched_for_them(size: int, code: str | None) -> None:
    around = "".join(f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n" for level in range(7))
    problem = reading(FROM + around, f"f4\n--b6\nContent-Type: image/png\n\n{'x' * size}").problem
    assert (problem and problem.code) == code


def test_parts_that_lie_too_deep_are_asked_about() -> None:
    deep = "".join(f"Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n" for level in range(12))
    problem = reading(FROM + "Content-Type: multipart/mixed; boundary=a\n", f"--a\n\nf4\n--a\n{deep}\nresign\n--a--").problem
    assert problem is not None
    assert problem.code == "too_long"


@for_each("field", ONCE)
def test_every_single_field_may_stand_once_only(field: str) -> None:
    """RFC 5322, 3.6, and RFC 2045, 3."""
    once = FROM if field == "from" else f"{FROM}{field}: text/plain\n"
    twice = once + f"{field.upper()}: text/plain\n"
    assert reading(once).problem is None
    problem = reading(twice).problem
    assert problem is not None
    assert problem.code == "repeated_header"


@for_each(("head", "sender"), SENDERS)
def test_the_sender_is_the_one_address_in_from(head: str, sender: str) -> None:
    assert reading(head).sender == sender


def test_the_surest_recipient_comes_first() -> None:
    head = FROM + "To: Turns <a@x.org>, b@x.org\nCc: c@x.org\nX-Original-To: d@x.org\nDelivered-To: e@x.org\n"
    assert reading(head).recipients == ("e@x.org", "d@x.org", "a@x.org", "b@x.org", "c@x.org")


def test_the_directly_answered_mail_comes_first() -> None:
    assert reading(FROM + "References: <1@x> <2@x>\n <3@x>\nIn-Reply-To: <3@x> (of today)\n").references == ("<3@x>", "<2@x>", "<1@x>")


@for_each(("charset", "body", "text"), CHARSETS)
def test_any_charset_is_read(charset: str, body: bytes, text: str) -> None:
    content_type = f"Content-Type: text/plain; charset={charset}\n" if charset else ""
    assert read(f"{FROM}{content_type}\n".encode() + body).lines == (text,)


@for_each(
    ("encoding", "body"),
    [
        ("base64", "ZjQ="),
        ("base64", "ZjQ"),
        ("BASE64", "Z\njQ=\n\nmore"),
        ("base64", "Zj!Q="),
        ("quoted-printable", "f=34"),
        ("quoted-printable", "f=\n4"),
        ("8bit", "f4"),
    ],
)
def test_transfer_encodings_are_undone_even_if_damaged(encoding: str, body: str) -> None:
    assert reading(f"{FROM}Content-Transfer-Encoding: {encoding}\n", body).lines == ("f4",)


@for_each(("source", "lines"), HTML)
def test_html_is_read_without_its_quotations(source: str, lines: list[str]) -> None:
    assert [line.strip() for line in html_text(source).splitlines() if line.strip()] == lines


def test_styles_ask_for_nothing() -> None:
    assert html_text("<p style='padding-left:100000em'>f4</p>").strip("\n") == "f4"


def test_a_boundary_that_begins_like_another_one_does_not_part() -> None:
    inner = "--ab2\nContent-Type: text/plain\n\nf4\n--ab2--\n"
    body = f"preamble\n--ab\nContent-Type: multipart/alternative; boundary=ab2\n\n{inner}--ab--\nresign"
    assert reading(FROM + "Content-Type: multipart/mixed; boundary=ab\n", body).lines == ("f4",)


def test_the_last_part_counts_even_if_the_mail_was_cut_off() -> None:
    assert reading(FROM + "Content-Type: multipart/mixed; boundary=ab\n", "--ab\n\nf4").lines == ("f4",)


HOSTILE = hostile.mails()
SENT = "some words that we did send to them today " * 400


@pytest.fixture(scope="module")
def frozen() -> None:
    """Leave out the objects of other tests, which the collector would look through again and again."""
    gc.collect()
    gc.freeze()


# What is flowed is text, and what has parts is a mail about some of them: `make long` tries each shape in these too.
ALIKE = ("format=flowed; delsp=yes", "boundary=b0")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] if name.endswith(ALIKE) else []) for name in HOSTILE])
@pytest.mark.usefixtures("frozen")
def test_no_mail_takes_long(name: str) -> None:
    """In time of the processor."""
    assert hostile.in_time(hostile.seconds(HOSTILE[name]()))


LINE_MAILS = hostile.line_mails()
BOARDS = hostile.boards()


@pytest.mark.parametrize("name", shortened(LINE_MAILS, first=3))
@pytest.mark.usefixtures("frozen")
def test_no_mail_takes_long_in_any_game(name: str) -> None:
    """In every variant, some way into the game, and about no game at all, where a line may be a move in any of them."""
    taken = {key: hostile.seconds(LINE_MAILS[name], board) for key, board in (*BOARDS.items(), ("no game", None))}
    assert hostile.in_time(max(taken.values())), taken


def test_what_would_take_long_is_said() -> None:
    """A long letter is read; a mail made of nothing but steps is too long in games of several."""
    board = BOARDS["sneaky-octopuses players=4"]
    resembles = partial(resembles_step, board.game.entry.step_words)
    lines = [*(f"Line {number} of a long letter, in which a friend tells what else goes on." for number in range(40)), "help"]
    understood = understand(lines, lambda text: reads_as_turn(board.game.rules, board.position, text), resembles=resembles)
    assert understood.phrases == (Help(),)
    with pytest.raises(NotAllowed) as refusal:
        understand(
            read(LINE_MAILS["chains of steps of its own"]).lines,
            lambda text: reads_as_turn(board.game.rules, board.position, text),
            resembles=resembles,
        )
    assert refusal.value.code == "too_long"


FRAGMENTS = st.sampled_from(
    [
        *(
            b"\n",
            b"\r",
            b"\r\n",
            b"\n\n",
            b"\0",
            b"\xff",
            b"(",
            b'"',
            b"\\",
            b"<",
            b"@",
            b"=",
            b">",
            b"<p>",
            b"--",
            b"a@b.c",
            b"utf-16",
            b"idna",
        ),
        *(
            b"From: ",
            b"References: ",
            b"Subject: =?utf-8?q?",
            b"?=",
            b"Content-Type: ",
            b"multipart/mixed; boundary=b",
            b"--b\n",
            b"--b--\n",
        ),
        *(b"text/html; charset=", b"; a*0*=", b"Content-Transfer-Encoding: base64\n", b"Content-Transfer-Encoding: quoted-printable\n"),
    ]
)


@given(st.one_of(st.binary(max_size=300), st.lists(st.one_of(FRAGMENTS, st.binary(max_size=4)), max_size=40).map(b"".join)))
def test_nothing_raises(raw: bytes) -> None:
    result = read(raw, lambda _: [SENT], OURS)
    assert isinstance(understand(result.lines, lambda _: False).phrases, tuple)
    assert len(identity(raw, OURS)) == 64
