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
    *(
        "ja, doch!",
        "doch, gern",
        "I'm fine with that",
        "Can do!",
        "Do it now",
        "This is the right move",
        "ja\nBis bald!",
        "ok\nSee you soon",
    ),
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
    *("I'm fine, thanks", "I\u2019m fine!", "I am fine", "I'm alright", "I'm all right, thanks", "ok, I'm okay"),
    *("Ja, lass es", "klar, lass mal", "Ja, lass das lieber", "ja\nlass mal"),
    *(
        "is it right",
        "is the move right",
        "Can I send now",
        "Ok, can I send now",
        "do you agree",
        "Bin ich sicher",
        "passt das",
        "stimmt das",
    ),
    *(
        f"yes\n{hedge}"
        for hedge in (
            *("just kidding", "joking", "wait", "maybe", "maybe tomorrow", "perhaps", "possibly", "probably", "later", "tomorrow"),
            *(
                "soon",
                "hold on",
                "hang on",
                "I guess",
                "on second thought",
                "I think",
                "unsure",
                "or a draw",
                "a draw instead",
                "Hmm",
                "hm",
            ),
            *("actually", "really?", "a joke", "Oops", "Stop", "Cancel"),
        )
    ),
    *(
        f"ja\n{hedge}"
        for hedge in (
            *("vielleicht", "Vielleicht morgen", "eventuell", "evtl.", "wahrscheinlich", "vermutlich", "später", "morgen", "gleich"),
            *("Moment", "Moment mal", "warte noch", "wart mal", "noch ein Zug", "doch lieber Remis", "lieber Remis", "oder Remis"),
            *(
                "War ein Scherz",
                "Quatsch",
                "Halt!",
                "Stopp!",
                "Weiter",
                "Abbrechen",
                "Niemals",
                "mal sehen",
                "denke ich",
                "glaube ich",
                "Ich überlege es",
            ),
        )
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
    *((one, None) for one in ("bin ich dabei", "Bin ich bereit", "spiele ich mit", "Spiel ich mit", "Mache ich mit", "mach ich mit")),
    *((one, None) for one in ("bin dabei\neventuell", "Bin dabei\nvielleicht", "I'm in\nmaybe", "I'm ready\nsoon")),
    *((one, True) for one in ("Klar bin ich dabei", "Da mache ich mit! Gern", "Gern spiele ich mit", "Dann bin ich dabei, ja")),
    *((one, None) for one in ("Ich freue mich", "diesmal", "this time", "in this game", "Das Spiel mit dir", "all in good time")),
)


@for_each(("text", "means"), JOINING)
def test_means_to_somebody_who_asks_whether_they_will_play(text: str, means: bool | None) -> None:
    assert short_answer(text.split("\n"), joins=True) is means


FINAL = (
    *(
        (one, True)
        for one in (
            "yes",
            "Yes, I am sure",
            "I'm sure",
            "yes, that is right",
            "yes, please",
            "Yes, thank you!",
            "do it",
            "of course",
            "\U0001f44d",
        )
    ),
    *((one, True) for one in ("ja", "Ja, bitte", "Ja, ich bin sicher.", "Ja, doch!", "Na klar", "ja, leider", "ja, danke")),
    *((one, True) for one in ("yes\nAda", "ok\nBest,\nAda", "Yes\nthanks, Ada", "yes\nSee you soon!\nADA", "yes\n\nI had no time")),
    *((one, True) for one in ("ja\nLG Änne", "Ja\nLiebe Grüße\nÄnne", "ja\nVielen Dank!", "Ja\nBis bald", "Ja\nsay Gut gespielt!")),
    *((one, False) for one in ("no", "no, sorry", "nein", "Nein danke, diesmal nicht.", "lieber nicht", "no\nI play on")),
    *((one, None) for one in ("Ja, lass es", "klar, lass mal", "I'm fine, thanks", "ok\nmaybe tomorrow", "Ja\nvielleicht")),
    *(
        (one, None)
        for one in ("Yes, I will play", "ok, let's play", "Ja, lieber spielen wir", "ja, ich spiele", "yes, my move", "looks good")
    ),
    *((one, None) for one in ("ja\nweiter", "yes\ngood game", "yes\nplay on", "yes\nAda Byron", "Ja\nSpiel weiter", "ja\nLG\nich spiele")),
)


@for_each(("text", "means"), FINAL)
def test_means_to_somebody_who_asks_what_cannot_be_taken_back(text: str, means: bool | None) -> None:
    assert short_answer(text.split("\n"), final=True) is means


@for_each("text", ["Bin dabei!", "Ich bin bereit", "I am ready", "I'm in", "Mache ich", "Ich spiele mit", "Ja, ich bin am Zug", "Na ja"])
def test_whoever_will_play_says_no_yes_to_another_question(text: str) -> None:
    assert short_answer([text]) is None
