"""Finds public declarations of Swift files without a documentation comment.

A declaration that a protocol requires is documented in the protocol. An initializer that only
stores its arguments is documented by the comments of the properties. So these declarations need no
comment."""

from __future__ import annotations

import re
from pathlib import Path

DECLARATION = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))? )*(?:public|open) (?:(?:internal|private|package|fileprivate)\(set\) )?"
    r"(?:(?:static|final|mutating|nonmutating|convenience|override|indirect|weak|unowned|lazy|nonisolated) )*"
    r"(func|var|let|init|subscript|struct|class|enum|protocol|typealias|actor)\b\??\s*([^\s:(<{=]*)")
# Requirements of protocols of the standard library.
STANDARD = {
    "description", "==", "<", "hash", "rawValue", "RawValue", "next", "makeIterator", "startIndex", "endIndex", "index",
    "count", "encode", "Element", "ID", "subscript",
}
LITERAL = re.compile(r"init\((?:stringLiteral|integerLiteral|arrayLiteral|dictionaryLiteral|nilLiteral|rawValue) ")


def requirements(texts: list[str]) -> set[str]:
    """The names of all members that protocols declare."""
    names: set[str] = set()
    for text in texts:
        for start in re.finditer(r"^(?:public |package )?protocol [^{]*\{$", text, re.MULTILINE):
            body = text[start.end():text.index("\n}", start.end())]
            names.update(re.findall(r"^  (?:(?:static|mutating|@\w+) )*(?:func|var) (\w+)", body, re.MULTILINE))
    return names


def only_stores(lines: list[str], number: int) -> bool:
    """True if the initializer at this line only stores its arguments."""
    indent = len(lines[number]) - len(lines[number].lstrip())
    end = number
    if not re.search(r"\{.*\}$", lines[number]):
        end = next(index for index in range(number + 1, len(lines)) if lines[index].rstrip() == " " * indent + "}")
    text = "\n".join(lines[number:end + 1])
    # The body begins after the brace that follows the parameters.
    begin = list(re.finditer(r"\)(?: throws(?:\(\w+\))?)? \{(?=\n|[^{}]*\}$)", text))
    body = text[begin[0].end():].rstrip().removesuffix("}") if begin else "?"
    return all(re.fullmatch(r"((self\.)?(?!self )\w+ = [^={]+|\(.*\) = \(.*\))?", line.strip()) for line in body.split("\n"))


def undocumented(files: dict[str, str]) -> list[str]:
    """`file:line` of each public declaration that needs a comment."""
    required = requirements(list(files.values())) | STANDARD
    found = []
    for name, text in files.items():
        lines = text.split("\n")
        for number, line in enumerate(lines):
            match = DECLARATION.match(line)
            if not match:
                continue
            kind, member = match.groups()
            above = number - 1
            while lines[above].strip().startswith("@"):
                above -= 1
            if lines[above].strip().startswith("///"):
                continue
            if member in required or kind == "subscript" and "subscript" in required:
                continue
            if kind == "init" and (LITERAL.search(line) or only_stores(lines, number)):
                continue
            found.append(f"{name}:{number + 1}")
    return found
