"""A person at a real browser: opens pages, taps what is seen, in frames too, and types."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from time import monotonic
from typing import Any

CHROMIUM = shutil.which("chromium")
PATIENCE_SECONDS = 60.0
"""Much longer than anything here takes: only a failing test waits so long."""
_QUIET = ("background-networking", "component-update", "sync", "gpu", "extensions")
_LAUNCH = """import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)
os.dup2(ends[1], 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Chromium reads what it is asked from 3 and writes to 4."""


class Browser:
    """One tab, driven through Chromium's own protocol; real taps, so that a page takes them for a person's."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._buffer = b""
        self._asked = 0
        self._events: list[str] = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "DOM"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: object) -> Any:
        """Ask the tab for something."""
        return self._ask(method, self._session, **params)

    def open(self, url: str) -> None:
        """Type an address."""
        self._events.clear()
        self.ask("Page.navigate", url=url)
        self.loaded()

    def loaded(self) -> None:
        """Wait until the page that is on its way is there, with its frames."""
        while "Page.loadEventFired" not in self._events:
            self._hear()
        self._events.clear()

    def value(self, script: str) -> Any:
        """The value of an expression in the page."""
        return self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)["result"].get("value")

    def until(self, script: str) -> None:
        """Wait until an expression in the page is true."""
        patience = monotonic() + PATIENCE_SECONDS
        while not self.value(script):
            assert monotonic() < patience, f"never: {script}\n{self.value('document.body.innerText')}"

    def found(self, words: str, within: str = "") -> list[int]:
        """The links and buttons, in frames too, that say these words; within the section of a label."""
        root = self.ask("DOM.getDocument", depth=-1, pierce=True)["root"]
        return [node["backendNodeId"] for node in _nodes(root, within) if _says(node) == words]

    def tap(self, words: str, within: str = "") -> None:
        """Tap a link or a button that leads to another page, and wait for that."""
        self.press(words, within)
        self.loaded()

    def press(self, words: str, within: str = "") -> None:
        """Tap a link or a button that says these words, as soon as it is there."""
        patience = monotonic() + PATIENCE_SECONDS
        while not (found := self.found(words, within)):
            assert monotonic() < patience, f"nothing says {words!r} within {within!r}:\n{self.value('document.body.innerText')}"
        self.ask("DOM.scrollIntoViewIfNeeded", backendNodeId=found[0])
        # A page that is new may still be about to scroll: nobody taps what moves.
        quad: list[float] = []
        while quad != (quad := self.ask("DOM.getContentQuads", backendNodeId=found[0])["quads"][0]):
            self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        point = {"x": sum(quad[0::2]) / 4, "y": sum(quad[1::2]) / 4, "button": "left", "clickCount": 1}
        self._events.clear()
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, **point)

    def type(self, text: str) -> None:
        """Type into whatever has the focus."""
        self.ask("Input.insertText", text=text)

    def _ask(self, method: str, session: str = "", **params: object) -> Any:
        self._asked += 1
        asked = {"id": self._asked, "method": method, "params": params, **({"sessionId": session} if session else {})}
        os.write(self._write, json.dumps(asked).encode() + b"\0")
        while (heard := self._hear()).get("id") != self._asked:
            pass
        assert "error" not in heard, heard
        return heard["result"]

    def _hear(self) -> dict[str, Any]:
        patience = monotonic() + PATIENCE_SECONDS
        while b"\0" not in self._buffer:
            assert select([self._read], [], [], patience - monotonic())[0], "the browser says nothing any more"
            came = os.read(self._read, 1 << 16)
            assert came, "the browser has ended"
            self._buffer += came
        line, _, self._buffer = self._buffer.partition(b"\0")
        heard: dict[str, Any] = json.loads(line)
        self._events.append(heard.get("method", ""))
        return heard


@contextmanager
def browser(directory: Path, width: int = 1200) -> Iterator[Browser]:
    """A browser of a width, with nothing remembered from before."""
    assert CHROMIUM is not None
    command = [CHROMIUM, "--headless=new", "--no-sandbox", *(f"--disable-{what}" for what in _QUIET)]
    # The frame of a mail stays in the process of the page, so that its links are seen from there.
    command += ["--disable-features=IsolateSandboxedIframes", "--no-first-run", f"--user-data-dir={directory / 'profile'}"]
    command += ["--remote-debugging-pipe"]
    (its_in, our_out), (our_in, its_out) = os.pipe(), os.pipe()
    launch = [sys.executable, "-c", _LAUNCH, str(its_in), str(its_out), *command]
    with subprocess.Popen(
        launch, pass_fds=(its_in, its_out), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        os.close(its_in)
        os.close(its_out)
        try:
            tab = Browser(our_out, our_in)
            # A window cannot be as narrow as a phone.
            tab.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            yield tab
        finally:
            os.close(our_out)
            process.terminate()
            process.wait(PATIENCE_SECONDS)
            os.close(our_in)


def _nodes(node: dict[str, Any], within: str, inside: bool = False) -> Iterator[dict[str, Any]]:
    attributes = node.get("attributes", [])
    inside = inside or not within or within in dict(zip(attributes[::2], attributes[1::2], strict=True)).get("aria-label", "")
    if inside and node["nodeName"] in ("A", "BUTTON"):
        yield node
    for child in (*node.get("children", ()), *([node["contentDocument"]] if "contentDocument" in node else [])):
        yield from _nodes(child, within, inside)


def _says(node: dict[str, Any]) -> str:
    words = [node["nodeValue"]] if node["nodeName"] == "#text" else [_says(child) for child in node.get("children", ())]
    return " ".join(" ".join(words).split())
