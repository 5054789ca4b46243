"""A mere yes or no, in every language; whatever says more, asks, or could be both is neither."""

from tests.cases import for_each
from turnserver.mail.inbound.short_answers import less_greeting, short_answer

YES = (
    *(
        "yes",
        "Yes!",
        "YES.",
        "yep",
        "y",
        "ok",
        "OK, let's play!",
        "ok, lets play",
        "sure, go ahead",
        "Sure, I'd love to play!",
        "fine by me",
    ),
    *(
        "sounds good to me",
        "looks good, thanks",
        "agreed",
        "of course",
        "do it",
        "\U0001f44d",
        "\U0001f44d\U0001f3fd",
        "*yes*",
        "1. yes",
        "count me in!",
        "\uff59\uff45\uff53",
    ),
    *("ja", "Ja gerne!", "ja, bitte", "gerne", "klar", "passt", "natürlich", "ok, ich bin dabei", "lass uns spielen, ja"),
    *("\nyes\n\nI have been waiting for this since spring!", "ok\nAda", "ok\nBest,\nAda", "yes\nLG Ada"),
)
NO = (
    *("no", "No, thanks!", "nope", "n", "no thank you", "I'd rather not", "not now", "please don't", "never", "\U0001f44e"),
    *("nein", "Nein danke", "lieber nicht", "leider nein", "nicht jetzt", "no\n\nmaybe in summer"),
)
NEITHER = (
    *("", "\n\n", "thanks", "great game!", "my turn", "good move", "please", "so", "gut", "danke"),
    *("yes and no", "sure, no problem", "do not", "not sure", "ja nein", "ok?", "yes?", "why not", "yes but only if I begin", "ok c4"),
    *(
        "yes\nno",
        "yes\nbut only if you give me three more days",
        "yes\nI do not mean it",
        "c4",
        "accept",
        "no idea what you mean",
        "Hallo\nBob",
        "Hi Bob,",
        "Hi Bob,\nyes",
        "yes, that was me",
        "yes, that was a great game",
        "gern, aber später",
        "gerne,\naber erst morgen",
        "ok\nif you begin",
    ),
    *(f"yes\n{word} Friday" for word in "but if only when unless until once after before except provided however though".split()),
    *(f"ja\n{word} Freitag" for word in "ab aber außer bevor erst falls jedoch nur sobald sofern solange vorausgesetzt wenn".split()),
)


@for_each(("text", "means"), [*((one, True) for one in YES), *((one, False) for one in NO), *((one, None) for one in NEITHER)])
def test_means(text: str, means: bool | None) -> None:
    assert short_answer(text.split("\n")) is means


GREETED = (
    ("Hallo Ada,\nja gerne!\nLG Cleo", True),
    ("Hi Bob\n\nyes please!\n\nBest,\nAda", True),
    ("Hi!\nyes", True),
    ("yes", True),
    ("Hallo Ada,\nleider nein.", False),
    ("Hi, if you begin\nyes", None),
    ("hello only tomorrow\nok", None),
    ("Hello later,\nok", None),
    ("Hey wait!\nOk, let's play", None),
    ("Hi no thanks\nok", None),
    ("Lieber Remis!\nDann gern.", None),
    ("Lieber Dienstag,\nda passt es", None),
    ("Bob,\nyes", None),
)


@for_each(("text", "means"), GREETED)
def test_means_below_a_greeting(text: str, means: bool | None) -> None:
    assert short_answer(less_greeting(text.split("\n"))) is means


JOINING = (
    *((one, True) for one in ("Ja, klar. Ich freue mich!", "Ja, ich bin bereit.", "Bin dabei!", "Na klar", "Ja, mache ich", "Mach ich!")),
    *(
        (one, True)
        for one in ("Yes, I am in!", "I'm in", "I am ready", "I will play", "Ja, ich spiele mit.", "Ich spiele gern mit!", "yes")
    ),
    *((one, False) for one in ("Nein danke, diesmal nicht.", "not this time", "Ich bin nicht dabei", "Ich mache nicht mit", "I'm not in")),
    *(
        (one, None)
        for one in ("not ready", "Mache ich nicht", "Bin dabei?", "dabei\naber erst morgen", "Ich bin dabei, falls Bob", "na ja")
    ),
    *((one, None) for one in ("Ich freue mich", "diesmal", "this time", "in this game", "Das Spiel mit dir", "all in good time")),
)


@for_each(("text", "means"), JOINING)
def test_means_to_somebody_who_asks_whether_they_will_play(text: str, means: bool | None) -> None:
    assert short_answer(text.split("\n"), joins=True) is means


@for_each("text", ["Bin dabei!", "Ich bin bereit", "I am ready", "I'm in", "Mache ich", "Ich spiele mit", "Ja, ich bin am Zug", "Na ja"])
def test_whoever_will_play_says_no_yes_to_another_question(text: str) -> None:
    assert short_answer([text]) is None
