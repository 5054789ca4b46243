"""A count of how well answers are read in mails that real programs wrote: `python -m tests.corpus DIRECTORY`.

The directory holds collections of other projects: `crisp/`, `discourse_trimmer/`, `talon/` and `flufl_bounce/`, as their repositories lay
them out. Exits with 1 if a target is missed.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.corpus import adapt, hostile, replies
from tests.corpus.adapt import Adapted, Quote
from tests.mail.inbound.turn_mails import TurnMail, sneaky_octopuses, take
from turnserver.mail.inbound.phrases import Move, Phrase, Resign, Say
from turnserver.mail.inbound.read import read
from turnserver.mail.inbound.understanding import Understood

OURS = "turns@example.org"
COLLECTIONS: dict[str, Callable[[Path], Iterable[Adapted]]] = {
    "discourse_trimmer": adapt.discourse_trimmer,
    "crisp": adapt.crisp,
    "talon": adapt.talon,
}
NO_REPORT = "reservas@yyyyy.cu"
"""The writer of the one mail in the collection of delivery failure reports that is a person's answer (`groupwise_03.txt`)."""
FOUND_TARGET = 0.97


class Answer(NamedTuple):
    """An answer of a player to `mail`, and what has to come of it."""

    name: str
    mail: TurnMail
    lines: Sequence[str]
    phrase: Phrase


def answers() -> Iterator[Answer]:
    yield Answer("a move", take(), ["g2"], Move("g2"))
    yield Answer("an example, copied", take(), ["b4"], Move("b4"))
    yield Answer("resign", take(), ["resign"], Resign())
    yield Answer("say", take(), ["say Good luck, and see you on Thursday!"], Say("Good luck, and see you on Thursday!"))
    steps = sneaky_octopuses().turn
    yield Answer("a turn of several lines", sneaky_octopuses(), steps, Move("\n".join(steps)))


def judged(understood: Understood, expected: tuple[Phrase, ...]) -> str:
    """`found`, `asked` if nothing is carried out, or `leaked` if something is that was not asked for."""
    if understood.unclear or understood.conflict or not understood.phrases:
        return "asked"
    return "found" if understood.phrases == expected else "leaked"


def measure(mails: Sequence[Adapted], quoted: str, known: bool) -> tuple[Counter[str], list[str]]:
    """The verdicts over all answers, and what went wrong. `known` says whether the mail tells which mail it answers."""
    verdicts: Counter[str] = Counter()
    wrong = []
    if quoted == "commands":
        mails = [mail for mail in mails if mail.name not in replies.UNPARTED]
    for answer in answers():
        quote = adapt.quotes(answer.mail)[quoted]
        for mail in mails:
            understood = _understood(answer, mail, quote, known)
            verdict = judged(understood, (answer.phrase,) if mail.has_answer else ())
            if verdict == "asked" and not mail.has_answer:
                verdict = "nothing to find"
            verdicts[verdict] += 1
            if verdict in ("asked", "leaked"):
                wrong.append(f"{verdict}: {mail.name}, {answer.name}: {understood}")
    return verdicts, wrong


def _understood(answer: Answer, mail: Adapted, quote: Quote, known: bool) -> Understood:
    sent = [answer.mail.text] if known else []
    return answer.mail.understood(read(mail.build(answer.lines, quote), lambda _: sent, OURS))


def bounces(directory: Path) -> list[str]:
    """The delivery failure reports that are not known as such, or the answer among them if anything of it would be carried out."""
    paths = sorted((directory / "flufl_bounce/tests/data").glob("*.txt"))
    assert len(paths) == 117, f"117 reports expected, {len(paths)} found"
    missed = [reading for path in paths if (reading := read(path.read_bytes(), None, OURS)).automatic is None]
    return [reading.subject for reading in missed if reading.sender != NO_REPORT or take().understood(reading).phrases]


def main(directory: Path, out: Callable[[str], object]) -> bool:
    """Print the figures; whether all targets are met."""
    good = True
    out(f"{'collection':18} {'quoted':15} {'answers':8} {'mails':>5} {'found':>6} {'asked':>6} {'leaked':>6} {'found %':>8}\n")
    for name, adapted in COLLECTIONS.items():
        mails = list(adapted(directory))
        for quoted, known in (("whole", True), ("without marker", True), ("whole", False), ("without marker", False), ("commands", False)):
            verdicts, wrong = measure(mails, quoted, known)
            share = verdicts["found"] / (verdicts["found"] + verdicts["asked"] + verdicts["leaked"])
            good = good and not verdicts["leaked"] and share >= FOUND_TARGET
            counts = " ".join(f"{verdicts[verdict]:6}" for verdict in ("found", "asked", "leaked"))
            count = len(mails) - (quoted == "commands") * sum(mail.name in replies.UNPARTED for mail in mails)
            out(f"{name:18} {quoted:15} {'known' if known else 'unknown':8} {count:5} {counts} {share:8.2%}\n")
            out("".join(f"    {line}\n" for line in wrong))
    missed = bounces(directory)
    out(f"delivery failure reports not recognised: {len(missed)} of 117 {missed}\n")
    slowest = sorted(((hostile.seconds(make()), name) for name, make in hostile.mails().items()), reverse=True)
    out(
        f"hostile mails: {len(slowest)}, the slowest:\n"
        + "".join(f"    {seconds * 1000:6.1f} ms {name}\n" for seconds, name in slowest[:10])
    )
    out("hostile lines, the slowest of each game:\n")
    for key, board in hostile.boards().items():
        taken, name = max((hostile.seconds(raw, board), name) for name, raw in hostile.line_mails().items())
        out(f"    {taken * 1000:6.1f} ms {key}: {name}\n")
        good = good and taken < hostile.LIMIT_SECONDS
    return good and not missed and slowest[0][0] < hostile.LIMIT_SECONDS


if __name__ == "__main__":
    sys.exit(not main(Path(sys.argv[1]), sys.stdout.write))
