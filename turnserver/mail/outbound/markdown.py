"""The little Markdown that rule sheets are written in, as blocks for mails and pages."""

import re
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

BlockKind: TypeAlias = Literal["heading", "paragraph", "item", "code"]
_HEADING: Final = re.compile(r"#{1,6} +(.*)")
_ITEM: Final = re.compile(r"(?:[-*]|[0-9]{1,2}\.) +(.*)")
_MARKUP: Final = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=[\w.,;:!?)])[*_](?!\w)|\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a list item with its mark (`-` or `3.`), or one line of code. `text` carries no more mark-up."""

    kind: BlockKind
    text: str
    mark: str = ""


def blocks(markdown: str) -> tuple[Block, ...]:
    """Return the blocks from top to bottom. The lines of a table count as code."""
    found: list[Block] = []
    # `joined` means that a plain line goes on with the paragraph or the item before it.
    fenced = joined = False
    for line in markdown.splitlines():
        if line.lstrip().startswith("```"):
            fenced, joined = not fenced, False
            continue
        block = Block("code", line.rstrip()) if fenced else _block(line, joined=joined)
        if block.kind == "paragraph" and joined and block.text:
            found[-1] = replace(found[-1], text=f"{found[-1].text} {block.text}")
        elif block.text:
            found.append(block)
        joined = block.kind in {"paragraph", "item"} and bool(block.text)
    return tuple(block if block.kind == "code" else replace(block, text=_plain(block.text)) for block in found)


def _block(line: str, *, joined: bool) -> Block:
    """Return the block that one line begins. An indented line within a paragraph or item continues it."""
    if line.startswith("|") or (line.startswith("    ") and not joined):
        return Block("code", line.strip())
    heading, item = _HEADING.match(line), _ITEM.match(line)
    if heading:
        return Block("heading", heading.group(1))
    if item:
        return Block("item", item.group(1), line[: item.start(1)].strip().replace("*", "-"))
    return Block("paragraph", line.strip())


def _plain(text: str) -> str:
    return _MARKUP.sub(lambda match: match.group(1) or "", text)
