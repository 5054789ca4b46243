"""Sneaky Octopuses in other languages: what it says can be told in each, and German is complete."""

import copy
import pickle
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.cases import for_each
from tests.games.sneaky_octopuses.scenes import play, scene
from tests.games.told import (
    GERMAN,
    AnyGame,
    Listening,
    check_all_told,
    check_german_fits,
    check_mailed,
    check_sheet,
    every_game,
    lettering,
)
from tests.mail.outbound.languages.catalogues import parts
from tests.shortened import shortened
from turnserver.errors import StepError
from turnserver.games.sneaky_octopuses.notation import Filled
from turnserver.games.sneaky_octopuses.position import Options, Position, opening
from turnserver.games.sneaky_octopuses.resolve import verdict
from turnserver.games.sneaky_octopuses.rules import SneakyRules
from turnserver.games.sneaky_octopuses.view import SneakyView
from turnserver.rules.options import describe
from turnserver.rules.options import told as told_options
from turnserver.text import retold, say

FOUR, TWO = Options(), Options(players=2)
RULES, VIEW = SneakyRules(FOUR), SneakyView(FOUR)
GAMES = every_game("sneaky-octopuses", {}, {"players": 3, "target": 3}, {"players": 2, "max_rounds": 3})
TEXTS = (
    "what",
    "",
    "Tako steal red",
    "Speedy slide b5",
    "Squirt ink N",
    "Squish escape b9",
    "Tako throw 3 home",
    "Tako move b9-b8",
    "die 3",
)
NOTATION = (
    *("speedy", "tako", "squish", "squirt", "escape", "move", "slide", "steal", "throw", "keep", "home", "keeper", "shower"),
    *("players", "target", "max_rounds"),
)
OPENED = scene(
    "Blue Speedy b10, Blue Tako b8, Blue Squish d10, Red Tako f8",
    keepers="north h10 west, west b7 north",
    fish="3 b8, 4 b8, 1 c9, 1 c7, 2 c5, 5 d9, 2 b9",
)
CHAIN, _ = play(OPENED, "Tako throw 3 b10")
CONTACT, _ = play(OPENED, "Tako move b8-b7")
NAMED, _ = play(OPENED, "keeper b7")
ACTED, _ = play(scene("Blue Speedy b9"), "Speedy move b9-b8")
BOTH_ACTED, _ = play(scene(), "Tako escape b9; Speedy escape b10")
TAKEN, _ = play(scene("Blue Tako b9", keepers="west b8 north, south a5 east"), "Tako move b9-b8")
PASSED = scene("Blue Tako b9, Red Squish b8", fish="4 b8")
PLENTY = "3 c9, 3 d9, 3 e9, 3 g9"
DEALT = opening(FOUR)._replace(tanks=bytes([1, 2, 3] * 8))

REFUSALS = [
    (
        OPENED,
        "hm",
        (
            "„hm“ ist kein Schritt in Sneaky Octopuses. Schreib einen Kraken, was er tut und die Felder dazu, oder "
            "keeper und das Feld eines Wärters."
        ),
    ),
    (OPENED, "Tako b7", "Nenne jedes Feld auf dem Weg nach b7, zuerst das, auf dem Tako ist."),
    (OPENED, "Speedy slide b10-b5", "Beim Gleiten nennst du nur das Feld, auf dem es endet."),
    (OPENED, "Tako steals red from c9", "Nenne den Fisch oder sein Feld, nicht beides."),
    (OPENED, "Tako throw home", "Sag mit seiner Nummer, welchen Fisch Tako wirft."),
    (OPENED, "Squirt move b9-b8", "Squirt ist noch zu Hause und muss erst mit escape heraus."),
    (OPENED, "Tako escape b9", "Tako ist nicht mehr zu Hause, sondern auf b8."),
    (OPENED, "Squirt escape b10", "Dein Speedy steht schon auf b10."),
    (OPENED, "Squirt escape j9", "Das Feld j9 grenzt nicht an das Heimbecken von Blau."),
    (OPENED, "Tako move b8-c8-d8-c8-b8", "Ein Weg geht höchstens 3 Felder weit, und dieser hier 4."),
    (OPENED, "Tako move b9-b8", "Tako ist auf b8, nicht auf b9. Dort beginnt der Weg."),
    (OPENED, "Tako move b8-d8", "Die Felder b8 und d8 liegen nicht nebeneinander. Nenne jedes Feld auf dem Weg."),
    (
        OPENED,
        "Tako move b8-b9-c9",
        "Auf c9 steht ein Fischbecken. Nur Squish kann sich hindurchzwängen, unter der Mitte: Nenne die Felder davor und dahinter.",
    ),
    (OPENED, "Tako move b8-c8-d8-d6", "Zwischen d8 und d6 liegt das Fischbecken d7, und nur Squish kann sich hindurchzwängen."),
    (OPENED, "Tako move b8-a8", "Auf a8 steht eine Wand."),
    (OPENED, "Tako move b8-a9", "Auf a9 ist ein Heimbecken, und da laufen Kraken nicht hinein."),
    (OPENED, "Tako move b8-b9-b10", "Dein Speedy steht auf b10. Vorbei kannst du da, bleiben nicht."),
    (OPENED, "Tako move b8-b7-b6", "Der Weg endet auf b7, denn dort steht der Westwärter. Lass weg, was danach kommt."),
    (OPENED, "Tako move b8+5-b9", "Auf b8 gibt es keinen schwarzen Fisch, den Tako mitnehmen kann."),
    (OPENED, "Tako move b8-b9+2", "Der Weg endet auf b9, und am Ende wird nichts mehr aufgehoben. Lass das Plus weg."),
    (OPENED, "Tako steal c5", "Das Feld c5 liegt nicht neben Tako auf b8."),
    (OPENED, "Tako steal b9", "Auf b9 steht kein Fischbecken."),
    (OPENED, "Tako steal white", "Neben Tako auf b8 gibt es in keinem Becken einen weißen Fisch."),
    (OPENED, "Tako steal red", "Neben Tako auf b8 gibt es in keinem Becken einen roten Fisch."),
    (OPENED, "Tako throw 5 b9", "Tako hat auf b8 keinen schwarzen Fisch."),
    (OPENED, "Tako throw 3 home", "Nach Hause werfen kannst du Fische nur von b9, b10 oder c10 aus, und Tako ist auf b8."),
    (OPENED, "Tako throw 3 b4", "Der Westwärter steht auf b7 im Weg: Ein Fisch fliegt nur bis zur ersten Figur."),
    (OPENED, "Tako throw 3 c7", "Von b8 nach c7 führt kein gerader Weg über den Boden."),
    (OPENED, "Tako ink N", "Nur Squirt spritzt Tinte, nicht Tako."),
    (OPENED, "Squish slide d2", "Nur Speedy gleitet, nicht Squish."),
    (OPENED, "Speedy slide c10", "Gleiten geht weiter als 3 Felder. Nach c10 schreib stattdessen move."),
    (OPENED, "Speedy slide b5", "Der Westwärter steht auf b7 im Weg."),
    (OPENED, "Speedy slide c8", "Von b10 nach c8 führt kein gerader Weg über den Boden."),
    (OPENED, "Speedy keep", "Niemand hat Speedy gerade einen Fisch zugeworfen, also gibt es keinen, den er behalten könnte."),
    (OPENED, "shower a5", "Gerade muss kein Wärter duschen, denn niemand hat eben einen getroffen oder ist einem in die Arme gelaufen."),
    (OPENED, "keeper b8", "Auf b8 steht kein Wärter. Die Wärter sind auf h10 (Nord), k6 (Ost), f1 (Süd) und b7 (West)."),
    (OPENED, "die 4", "Über die Fische, den Anfang und den Würfel entscheidet der Zufall. Lass das weg."),
    (NAMED, "Tako steal c9", "Erst ist der Zufall dran: Vorher gibt es nichts zu wählen."),
    (NAMED, "first red", "Jetzt wird gewürfelt, nicht das."),
    (RULES.start(), "deal d9 1", "Der nächste Fisch kommt nach c9, und er kann rot, orange, gelb, weiß oder schwarz sein."),
    (DEALT, "die 1", "Jetzt wird ausgelost, wer anfängt, nicht das."),
    (
        CHAIN,
        "Squish steal d9",
        ("Speedy hat gerade den gelben Fisch gefangen. Sag erst, was er damit macht."),
    ),
    (CHAIN, "Speedy throw 3 e10", "Dein Squish steht auf d10 im Weg: Ein Fisch fliegt nur bis zur ersten Figur."),
    (CONTACT, "keeper k6", "Erst muss der Westwärter unter eine Dusche."),
    (CONTACT, "shower f6", "Auf f6 ist keine Dusche."),
    (TAKEN, "shower west", "In der Dusche a5 ist schon ein Wärter."),
    (ACTED, "Speedy move b8-b9", "Speedy hat in diesem Zug schon gehandelt."),
    (
        PASSED,
        "Tako move b9-b8",
        (
            "Squish von Rot steht auf b8. Vorbei geht es mit genau zwei Schritten: "
            "auf dieses Feld und weiter auf ein freies daneben, ohne sich durchzuzwängen."
        ),
    ),
    (PASSED, "Tako move b9-b8+4-b7", "Squish von Rot sitzt auf den Fischen auf b8, deshalb kann Tako sie nicht aufheben."),
    (
        scene("Blue Tako b9", fish="4 b8, 4 b9"),
        "Tako move b9+4-b8+4-b7",
        "Tako bringt schon einen weißen Fisch nach b8 mit. Lass das Plus dort weg.",
    ),
    (scene("Blue Tako b9"), "Tako steal c9", "Auf c9 ist kein Fisch mehr."),
    (scene("Blue Tako b6"), "Tako move b6-a6", "Auf a6 ist der Eingang einer Dusche, und da kommen Kraken nicht hinein."),
    (scene("Blue Tako b6"), "Tako move b6-a5", "Auf a5 ist eine Dusche, und da kommen Kraken nicht hinein."),
    (scene("Blue Squirt b10"), "Squirt ink E", "Squirt ist in der Ecke b10, und aus einer Ecke spritzt man keine Tinte."),
    (scene("Blue Squirt b9"), "Squirt ink W", "Von b9 aus gibt es nach Westen kein offenes Feld für die Tinte."),
    (scene("Blue Speedy b9", fish="4 b9"), "Speedy slide b4", "Speedy gleitet nur ohne Fisch und hat auf b9 einen."),
    (scene("Blue Speedy b9, Blue Tako b4"), "Speedy slide b4", "Dein Tako steht schon auf b4."),
    (scene("Blue Speedy b9, Red Tako b5"), "Speedy slide b4", "Tako von Rot steht auf b5 im Weg."),
    (
        scene("Blue Tako f8", keepers="north e11 south", fish="4 f8"),
        "Tako throw 4 f11",
        "In einem Eingang bleibt kein Fisch liegen, und auf f11 ist niemand, der ihn fängt.",
    ),
    (scene(home="Red 3 3 3 3"), "keeper f11", "Die Partie ist zu Ende."),
]

STORIES = [
    (
        RULES.start()._replace(tanks=bytes([1, 2, 3, 4, 5] * 4 + [1, 2, 3])),
        "deal i3 4",
        [
            "Die Fische sind auf die Becken verteilt, bis auf einen schwarzen Fisch, der nicht mitspielt.",
        ],
    ),
    (
        DEALT,
        "first red",
        [
            "Das Los entscheidet: Rot fängt an.",
        ],
    ),
    (
        scene(),
        "Speedy escape b9",
        [
            "Speedy von Blau entwischt nach b9.",
        ],
    ),
    (
        scene("Blue Squirt b9", fish="1 b9, 5 b9, 5 b9, 3 b9"),
        "Squirt move b9+3-b8-c8",
        [
            "Squirt von Blau geht mit dem gelben Fisch von b9 nach c8 und lässt den roten und die zwei schwarzen Fische zurück.",
        ],
    ),
    (
        scene("Blue Squirt b9", fish="5 b9, 5 b9, 1 b9"),
        "Squirt move b9+5-b8",
        [
            "Squirt von Blau geht mit dem schwarzen Fisch von b9 nach b8 und lässt den roten und den schwarzen Fisch zurück.",
        ],
    ),
    (
        scene("Blue Squirt b9", fish="1 b9, 1 b9, 3 b9"),
        "Squirt move b9-b8",
        [
            "Squirt von Blau geht von b9 nach b8 und lässt die zwei roten und den gelben Fisch zurück.",
        ],
    ),
    (
        scene("Blue Squirt b9", fish="1 b9, 2 b9, 3 b9, 4 b9, 4 b9"),
        "Squirt move b9-b8",
        [
            "Squirt von Blau geht von b9 nach b8 und lässt 5 Fische zurück.",
        ],
    ),
    (
        scene("Blue Squirt b9", fish="1 b9, 4 b8, 2 c8"),
        "Squirt move b9+1-b8+4-c8+2-d8",
        [
            "Squirt von Blau geht mit dem roten Fisch von b9 nach d8.",
            "Auf b8 nimmt Squirt den weißen Fisch auf und lässt den roten dort.",
            "Auf c8 nimmt Squirt den orangen Fisch auf und lässt den weißen dort.",
        ],
    ),
    (
        scene("Blue Squirt b9", fish="4 b8"),
        "Squirt move b9-b8+4-c8",
        [
            "Squirt von Blau geht von b9 nach c8.",
            "Auf b8 nimmt Squirt den weißen Fisch auf.",
        ],
    ),
    (
        scene("Blue Speedy b9"),
        "Speedy slide b3",
        [
            "Speedy von Blau geht von b9 nach b3.",
            "Der Westwärter sieht, was auf b6 los ist, und kommt nach b6.",
            "Der Ostwärter sieht, was auf b6 los ist, und kommt nach j6.",
        ],
    ),
    (
        scene("Blue Squirt f8", fish="2 g8", keepers="north f10 west"),
        "Squirt steal g8",
        [
            "Squirt von Blau stiehlt den orangen Fisch aus g8.",
            "Der Nordwärter hört ein Geräusch auf f8 und dreht sich nach Süden.",
            "Der Südwärter sieht, was auf f8 los ist, und kommt nach f2.",
        ],
    ),
    (
        scene("Blue Tako b9", keepers="west b8 north"),
        "Tako move b9-b8; shower a5; keeper f11",
        [
            "Tako von Blau geht von b9 nach b8.",
            "Tako von Blau läuft auf b8 dem Westwärter in die Arme und muss nach Hause.",
            "Der Westwärter muss unter die Dusche auf a5.",
        ],
    ),
    (
        scene("Blue Tako b9", fish=f"3 b9, {PLENTY}", home="Blue 3"),
        "Tako throw 3 home",
        [
            "Tako von Blau wirft den gelben Fisch nach Hause und holt 2 Punkte; Blau hat jetzt 3.",
        ],
    ),
    (
        scene("Blue Tako b9", fish="3 b9"),
        "Tako throw 3 home",
        [
            "Tako von Blau wirft den gelben Fisch nach Hause und holt 1 Punkt; Blau hat jetzt 1.",
        ],
    ),
    (
        scene("Blue Tako c8, Blue Squirt e8", fish="3 c8"),
        "Tako throw 3 e8; Squirt throw 3 c8",
        [
            "Tako von Blau wirft den gelben Fisch von c8 zu Squirt auf e8.",
            "Squirt von Blau wirft den gelben Fisch von e8 zu Tako auf c8; der behält ihn.",
        ],
    ),
    (
        scene("Blue Tako c8, Blue Squirt e8", fish="5 c8"),
        "Tako throw 5 e8; Squirt keep",
        [
            "Tako von Blau wirft den schwarzen Fisch von c8 zu Squirt auf e8.",
            "Squirt von Blau behält den schwarzen Fisch.",
        ],
    ),
    (
        scene("Blue Tako c8, Red Squirt e8", fish="4 c8"),
        "Tako throw 4 e8",
        [
            "Tako von Blau wirft den weißen Fisch von c8 und trifft Squirt von Rot auf e8; der muss nach Hause.",
        ],
    ),
    (
        scene("Blue Tako c8", fish="4 c8"),
        "Tako throw 4 d8",
        [
            "Tako von Blau wirft den weißen Fisch von c8 nach d8.",
        ],
    ),
    (
        scene("Blue Tako f8", fish="4 f8", keepers="north f10 west"),
        "Tako throw 4 f10",
        [
            "Tako von Blau wirft den weißen Fisch von f8 und trifft den Nordwärter auf f10.",
        ],
    ),
    (
        scene("Blue Tako f8", fish="2 f8"),
        "Tako throw 2 f11",
        [
            "Tako von Blau wirft den orangen Fisch von f8 und trifft den Nordwärter auf f11; der Fisch bleibt auf f10.",
        ],
    ),
    (
        scene("Blue Squirt c8, Red Tako e8"),
        "Squirt ink E",
        [
            "Squirt von Blau spritzt Tinte von c8 nach Osten und trifft Tako von Rot auf e8; der muss nach Hause.",
        ],
    ),
    (
        scene("Blue Squirt c8, Blue Tako e8"),
        "Squirt ink E",
        [
            "Squirt von Blau spritzt Tinte von c8 nach Osten und trifft Tako auf e8; der muss nach Hause.",
        ],
    ),
    (
        scene("Blue Squirt b8", keepers="west c8 north"),
        "Squirt ink E",
        [
            "Squirt von Blau spritzt Tinte von b8 nach Osten und trifft den Westwärter auf c8.",
        ],
    ),
    (
        scene("Blue Squirt b9, Red Tako b10"),
        "Squirt ink N",
        [
            "Squirt von Blau spritzt Tinte von b9 nach Norden auf Tako von Rot, der in der Ecke b10 sicher ist.",
        ],
    ),
    (
        scene("Blue Squirt b9", keepers="west a6 east, east j2 north"),
        "Squirt ink S",
        [
            "Squirt von Blau spritzt Tinte von b9 nach Süden bis b2 und trifft niemanden.",
            "Der Westwärter sieht, was auf b6 los ist, und kommt nach b6.",
            "Der Ostwärter hört ein Geräusch auf b2 und dreht sich nach Westen.",
        ],
    ),
    (
        scene("Blue Speedy c10", keepers="north f11 south, east g10 west"),
        "Speedy move c10-d10-e10-f10",
        [
            "Speedy von Blau geht von c10 nach f10.",
            "Der Nordwärter sieht, was auf f10 los ist, kommt nach f10 und erwischt Speedy von Blau.",
            "Der Ostwärter sieht, was auf f10 los ist, kann aber nicht näher kommen.",
            "Der Südwärter sieht, was auf f10 los ist, und kommt nach f2.",
        ],
    ),
    (
        scene(keepers="north f9 east"),
        "keeper f9; die 5",
        [
            "Der Würfel zeigt 5: Der Nordwärter läuft von f9 über f8 nach f7.",
        ],
    ),
    (
        scene("Red Tako f7", keepers="north f9 south"),
        "keeper f9; die 1",
        [
            "Der Würfel zeigt 1: Der Nordwärter läuft von f9 über f8 nach f7 und erwischt Tako von Rot.",
        ],
    ),
    (
        scene(keepers="east f10 south"),
        "keeper f11; die 2",
        [
            "Der Würfel zeigt 2: Der Nordwärter bleibt auf f11.",
        ],
    ),
    (
        scene(keepers="north e11 south"),
        "keeper e11; die 3",
        [
            "Der Würfel zeigt 3: Der Nordwärter bleibt in der Dusche.",
            "Der Nordwärter kommt aus der Dusche nach f11.",
        ],
    ),
    (
        scene(keepers="north e11 south"),
        "keeper e11; die 5",
        [
            "Der Würfel zeigt 5: Der Nordwärter kommt aus der Dusche über f11 nach f10.",
        ],
    ),
    (
        scene(keepers="north e11 south, east f10 south"),
        "keeper e11; die 6",
        [
            "Der Würfel zeigt 6: Der Nordwärter kommt aus der Dusche nach f11.",
        ],
    ),
    (
        scene("Blue Squirt b9", fish="2 b9, 3 b9, 5 b9"),
        "Squirt move b9-b8",
        [
            "Squirt von Blau geht von b9 nach b8 und lässt den orangen, den gelben und den schwarzen Fisch zurück.",
        ],
    ),
    (
        scene("Blue Squirt b9", fish=", ".join(["2 b9"] * 3 + ["3 b9"] * 4 + ["4 b9"] * 5)),
        "Squirt move b9-b8",
        [
            "Squirt von Blau geht von b9 nach b8 und lässt die drei orangen, die vier gelben und die fünf weißen Fische zurück.",
        ],
    ),
    (
        scene("Blue Squirt b9", fish="3 b9, 3 b9, 4 b9, 4 b9, 5 b9"),
        "Squirt move b9-b8",
        [
            "Squirt von Blau geht von b9 nach b8 und lässt die zwei gelben, die zwei weißen und den schwarzen Fisch zurück.",
        ],
    ),
    (
        scene("Red Tako f8", keepers="north f9 south"),
        "keeper f9; die 1",
        [
            "Der Würfel zeigt 1: Der Nordwärter läuft von f9 nach f8 und erwischt Tako von Rot.",
        ],
    ),
]

HEADLINES = [
    (opening(FOUR), "Die Fische sind noch nicht verteilt."),
    (DEALT, "Es ist noch nicht ausgelost, wer anfängt."),
    (scene(), "Runde 2: Blau ist am Zug."),
    (ACTED, "Runde 2: Blau ist am Zug; Speedy hat gehandelt."),
    (BOTH_ACTED, "Runde 2: Blau ist am Zug; Speedy und Tako haben gehandelt."),
    (CHAIN, "Runde 2: Speedy von Blau behält den Fisch oder wirft ihn weiter."),
    (CONTACT, "Runde 2: Blau schickt den Westwärter unter eine Dusche."),
    (NAMED, "Runde 2: Für den Westwärter wird noch gewürfelt."),
    (scene(home="Red 1 1 1 1"), "Die Partie ist zu Ende."),
]

PLACES = [
    (OPENED, "", "b10", "b10, dein Speedy"),
    (OPENED, "", "b8", "b8, dein Tako, Fische: gelb, weiß"),
    (OPENED, "", "f8", "f8, Tako von Rot"),
    (OPENED, "", "a9", "dein Squirt zu Hause"),
    (OPENED, "", "b11", "Platz von Speedy im Heimbecken von Blau"),
    (OPENED, "", "k11", "Heimbecken von Rot"),
    (OPENED, "", "h10", "h10, der Nordwärter mit Blick nach Westen"),
    (TAKEN, "", "a5", "a5, der Südwärter in der Dusche"),
    (OPENED, "", "c9", "c9, Becken, Fisch: rot"),
    (OPENED, "", "c4", "c4, leeres Becken"),
    (OPENED, "", "b9", "b9, Fisch: orange"),
    (OPENED, "", "e6", "e6, leer"),
    (OPENED, "", "a6", "a6, Eingang"),
    (OPENED, "", "a5", "a5, Dusche"),
    (OPENED, "", "a8", "a8, Wand"),
    (OPENED, "b8", "take3", "Nimm den gelben Fisch mit"),
    (OPENED, "b8", "throw4", "Wirf den weißen Fisch"),
    (OPENED, "b8 throw4", "home", "Dein Heimbecken"),
    (scene("Blue Squirt b9"), "b9", "ink", "Spritz Tinte"),
    (CHAIN, "", "keep", "Behalte den gelben Fisch"),
]

REASONS = [
    (scene(home="Red 1 1 1 1"), FOUR, "Rot hat 10 Punkte"),
    (scene(home="Red 1"), Options(target=1), "Rot hat 1 Punkt"),
    (scene(home="Red 1, Blue 1"), Options(target=1), "Blau und Rot haben 1 Punkt"),
    (scene()._replace(left=0b1011), FOUR, "nur Lila ist noch dabei"),
    (scene(home="Red 1"), FOUR, "niemand kann noch auf 10 Punkte kommen, und Rot hat die meisten"),
    (scene(home="Red 1, Blue 2"), FOUR, "niemand kann noch auf 10 Punkte kommen, und Blau und Rot haben die meisten"),
    (scene(fish=PLENTY, home="Red 1"), Options(max_rounds=1), "1 Runde ist gespielt, und Rot hat die meisten Punkte"),
    (scene(fish=PLENTY)._replace(round=61, left=0b1100), FOUR, "60 Runden sind gespielt, und Blau und Rot haben die meisten Punkte"),
]

BUSY = scene(
    "Blue Speedy b10, Blue Tako d8, Red Squish f5, Green Squirt d4",
    keepers="north h10 east, east e11 south, west b8 north",
    fish="3 c9, 1 d9, 3 d8, 1 f5, 4 f5, 2 b6, 1 d6, 3 d6, 5 j8, 1 j8, 1 j8, 2 j8, 3 j8",
    home="Blue 1 3 3, Red 5",
    to_move="Purple",
)._replace(left=0b10)
BELOW_BUSY = """\
Blau: 4 von 10 Punkten, Fische 1 3 3 zu Hause; Speedy auf b10, Tako auf
  d8 mit 3, Squish zu Hause, Squirt zu Hause
Rot, ausgestiegen: 1 von 10 Punkten, Fisch 5 zu Hause; Speedy zu Hause,
  Tako zu Hause, Squish auf f5 mit 1 4, Squirt zu Hause
Lila: 0 von 10 Punkten, kein Fisch zu Hause; Speedy zu Hause, Tako zu
  Hause, Squish zu Hause, Squirt zu Hause
Grün: 0 von 10 Punkten, kein Fisch zu Hause; Speedy zu Hause, Tako zu
  Hause, Squish zu Hause, Squirt auf d4
Wärter: Nord auf h10 mit Blick nach Osten, Ost auf e11 mit Blick nach
  Süden, Süd auf f1 mit Blick nach Norden, West auf b8 mit Blick nach
  Norden
lose Fische: 1 1 2 3 5 auf j8, 2 auf b6, 1 3 auf d6

BSp: Speedy von Blau; Ta Tako, Sh Squish, St Squirt
B Blau, R Rot, P Lila, G Grün; ~~ Heimbecken, Punkte im Winkel
BSp3 hält Fisch 3, BSp+ hält mehrere; 3 allein: loser Fisch
(3) Fisch im Becken, {3} über dem Spalt für Squish
kN> Nordwärter mit Blick nach Osten; E Ost, S Süd, W West
|  | Eingang, //// Dusche, ## Wand, o Ecke ohne Tinte
[ ] wohin im letzten Zug etwas kam
Fische: 1 rot, 2 orange, 3 gelb, 4 weiß, 5 schwarz
"""

QUOTED = (
    r"\b(?:Speedy|Tako|Squish|Squirt) (?:move|steal|slide) [-+0-9a-k]+|\bT\w+ throw \w+ \w+|\bSquirt keep"
    r"|\bshower a5|\bdeal c9 3|\bfirst red|\bdie 4"
)
"""The steps that the rules quote."""


def refused(state: Position, text: str, options: Options = FOUR) -> str:
    with pytest.raises(StepError) as caught:
        SneakyRules(options).parse(state, text)
    return caught.value.message


def stories(state: Position, steps: str) -> Iterator[str]:
    for text in steps.split(";"):
        step = RULES.parse(state, text.strip())
        yield from VIEW.tell(state, step)
        state = RULES.apply(state, step)


def reason(state: Position, options: Options = FOUR) -> str:
    over = verdict(options, state)
    assert over is not None
    return over.reason


@pytest.mark.thorough
@pytest.mark.parametrize("game", shortened(GAMES), ids=lambda game: str(game.options))
def test_everything_said_can_be_told_in_other_languages(game: AnyGame) -> None:
    check_all_told(game, 1, TEXTS, NOTATION)


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.options))
def test_german_fits_a_mail_and_reads_as_no_move(game: AnyGame) -> None:
    check_german_fits(game, 1)


@for_each(("state", "text", "words"), REFUSALS)
def test_refusals_in_german(state: Position, text: str, words: str) -> None:
    assert GERMAN.told(refused(state, text)) == words


MISSING = (
    (OPENED, "Der letzte Schritt fehlt: der Wärter, der gehen soll."),
    (CONTACT, "Der Westwärter muss unter eine Dusche, und der letzte Schritt fehlt: der Wärter, der gehen soll."),
    (
        CHAIN,
        (
            "Speedy hat gerade den gelben Fisch gefangen. Zweierlei fehlt: was er damit macht, "
            "und der letzte Schritt, der Wärter, der gehen soll."
        ),
    ),
)


@pytest.mark.parametrize(("state", "words"), MISSING)
def test_what_a_turn_lacks_in_german(state: Position, words: str) -> None:
    assert GERMAN.told(SneakyRules(Options()).missing(state)) == words


def test_refusals_that_need_another_table_in_german() -> None:
    start = SneakyRules(TWO).start()
    assert GERMAN.told(refused(start, "first green", TWO)) == "Grün spielt hier nicht mit. Die Teams sind Blau und Lila."
    twice = refused(scene("Blue Tako c8", fish="1 c9, 1 c7"), "Tako steal red")
    assert GERMAN.told(twice) == "Tako ist neben 2 roten Fischen. Nenne das Feld des Fisches, den er stehlen soll."


@for_each(("state", "steps", "sentences"), STORIES)
def test_stories_in_german(state: Position, steps: str, sentences: list[str]) -> None:
    assert [GERMAN.told(one) for one in stories(state, steps)] == sentences


def place(state: Position, touched: str, name: str) -> str:
    """Return what is said of a place that can be touched next."""
    return VIEW.places(state, tuple(touched.split()))[name].words


@for_each(("state", "touched", "name", "words"), PLACES)
def test_places_in_german(state: Position, touched: str, name: str, words: str) -> None:
    assert GERMAN.told(place(state, touched, name)) == words


@for_each(("state", "options", "words"), REASONS)
def test_reasons_in_german(state: Position, options: Options, words: str) -> None:
    assert GERMAN.told(reason(state, options)) == words


@for_each(("state", "words"), HEADLINES)
def test_both_boards_say_in_german_how_the_game_stands(state: Position, words: str) -> None:
    assert GERMAN.told(VIEW.text(state)).split("\n\n")[1] == words
    assert words in lettering(GERMAN.told(VIEW.svg(state)))


def test_the_text_board_in_german() -> None:
    assert GERMAN.told(VIEW.text(BUSY)).split("\n\n", 2)[2] == BELOW_BUSY


def marked() -> tuple[str, str]:
    """The boards after a throw and a walk, with everything that can be marked on them."""
    rules = SneakyRules(Options())
    state, step = scene("Blue Squirt b9, Blue Tako c10, Blue Speedy e8", fish="3 b9"), None
    for words in ("Tako move c10-d10", "Squirt throw 3 b7"):
        step = rules.parse(state, words)
        state = rules.apply(state, step)
    return VIEW.text(state, step), VIEW.svg(state, step, rules.steps(state))


def test_marks_of_the_last_turn_in_german() -> None:
    text, picture = map(GERMAN.told, marked())
    assert text.splitlines()[-2] == "[ ] wohin im letzten Zug etwas kam"
    assert {"letzter Zug", "Wurf oder Tinte", "wo es endete", "möglicher Schritt"} <= set(lettering(picture))


def test_the_picture_in_german() -> None:
    words = [one for one in lettering(GERMAN.told(VIEW.svg(BUSY))) if len(one) > 2 and not one.isdigit()]
    assert words == [
        *("Sneaky Octopuses, 4 Teams", "Runde 2: Lila ist am Zug."),
        *("Blau", "4 von 10", "Rot", "ausgestiegen", "Lila", "0 von 10", "Grün", "0 von 10"),
        *("Speedy", "Tako", "Squish", "Squirt"),
        *("Nordwärter", "was ein Wärter sieht", "nicht zu Hause", "Spalt für Squish", "Ecke ohne Tinte", "Dusche", "Eingang"),
    ]


def test_paragraphs_can_be_copied_and_kept() -> None:
    words = Filled(say("no fish at home"), "  ")
    for same in (copy.copy(words), copy.deepcopy(words), pickle.loads(pickle.dumps(words))):  # noqa: S301  # our own
        assert (same, GERMAN.told(same)) == ("no fish at home", "kein Fisch zu Hause")


def test_each_language_is_filled_by_itself() -> None:
    english, german = (text.split("\n\n")[2] for text in (VIEW.text(BUSY), GERMAN.told(VIEW.text(BUSY))))
    for text in (english, german):
        lines = text.splitlines()
        assert max(map(len, lines)) <= 72
        assert all(len(line) + len(then.split()[0]) >= 72 for line, then in pairwise(lines) if then.startswith("  "))


@pytest.mark.thorough
def test_nothing_that_can_be_said_is_left_out_of_these_tests() -> None:
    """So that German is compared for whatever a player may read."""
    told = Listening()
    texts = [*GAMES[0].view.seat_names, GAMES[0].entry.summary, GAMES[0].entry.notation, *(one.doc for one in describe(Options))]
    texts += [refused(state, text) for state, text, _ in REFUSALS]
    texts += [refused(SneakyRules(TWO).start(), "first green", TWO)]
    texts += [SneakyRules(Options()).missing(state) for state, _ in MISSING]
    texts += [refused(scene("Blue Tako c8", fish="1 c9, 1 c7"), "Tako steal red")]
    texts += [one for state, steps, _ in STORIES for one in stories(state, steps)]
    texts += [place(state, touched, name) for state, touched, name, _ in PLACES]
    texts += [reason(state, options) for state, options, _ in REASONS]
    texts += [*marked(), told_options(Options())]
    texts += [text for state, _ in (*HEADLINES, (BUSY, "")) for text in (VIEW.text(state), VIEW.svg(state))]
    for text in texts:
        retold(text, told)
    assert set(parts()["sneaky_octopuses"]) - told.asked == set()


def test_the_german_rules_are_those_in_english() -> None:
    check_sheet(GAMES[0], QUOTED)


def test_the_german_quick_reference_has_the_same_examples() -> None:
    english, german = (
        re.findall(r": ([^:;(]+?)(?= \(|;|$)", text.partition("\n  ")[2], flags=re.MULTILINE)
        for text in (GAMES[0].entry.notation, GERMAN.told(GAMES[0].entry.notation))
    )
    assert english == german


def test_nothing_on_a_busy_board_in_german_is_taken_for_a_turn_or_a_command() -> None:
    check_mailed(GAMES[0], scene(), GERMAN.told(VIEW.text(BUSY)).splitlines())
