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
