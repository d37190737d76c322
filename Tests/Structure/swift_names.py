"""Finds Swift names in the backquotes of a page that do not exist in the code.

A text in backquotes is examined if it can be a name or a call: `FrameRing`, `Volume.decibels`, `open(_:)`,
`.failed(errno)`. These parts of the text must exist:

- a file that ends with `.swift`;
- a word with small and capital letters: as a declaration, a module, a folder, or a text in quotes (a name on the wire);
- `name(label:)`: as a function or a case with these labels. Parameters with defaults can be left out;
- `Type.member`: as a member of this type;
- the tests of `make test-unit FILTER=NAME`.

Words in small letters (`publish`) and in capitals (`EV_REL`) can be commands, settings or names of the kernel. They are
examined only in a call, and as a member of a type. Code blocks are not examined. In tables, the columns with names of
other systems are not examined either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

# The headings of columns with names of other systems.
FOREIGN_COLUMNS = {"elsewhere", "Apple"}
# Further names that do not come from this project, by their owner.
FOREIGN = {
    "Swift": {"Float", "Int32", "Mutex", "throws"},
    "Linux": {"VmHWM", "hciN", "sdX", "ttyAMA0", "ttyS0", "ttyS1"},
    "systemd": {"LimitNOFILE"},
    "BlueZ": {"InvalidSamplingFrequency", "VolumeCategory"},
    "Apple": {"MPRemoteCommandCenter", "Trashes"},
    "English": {"The"},
}

_TYPES = {"class", "struct", "enum", "protocol", "actor", "extension", "typealias", "associatedtype"}
_MODIFIERS = ("public", "package", "internal", "fileprivate", "private", "open", "final", "static", "mutating",
              "nonmutating", "override", "convenience", "required", "indirect", "weak", "unowned", "lazy",
              "nonisolated")
_DECLARATION = re.compile(
    rf"^(?P<indent> *)(?:@\w+(?:\([^)]*\))? |(?:{'|'.join(_MODIFIERS)})(?:\(\w+\))? )*"
    # A list of cases continues after a comma at the end of a line.
    r"(?:case (?P<cases>\w.*(?:,\n.*)*)"
    rf"|(?P<kind>{'|'.join(_TYPES)}|func|init|subscript|var|let)\b[?!]? ?`?(?P<name>[\w.]*)`?)", re.MULTILINE)
_PARAMETERS = re.compile(r"(?:<[^(]*>)?\(")
_BRACKET = re.compile(r"->|[][(){}<>,]|\Z")

_NAME_OR_CALL = re.compile(r"\.?\w[\w.]*(?:\(.*\)(?: \{.*\})?)?|\w+:")
_SIGNATURE = re.compile(r"(?:[\w.]*?(\w+)\.|\.)?(\w+)(\((?:\w+:)*\))")
_MIXED = re.compile(r"\b(?=\w*[a-z])(?=\w*[A-Z])\w+")


def _parts(text: str, begin: int = 0) -> list[str]:
    """The parts between the commas, from `begin` to the bracket that closes the list."""
    depth, found = 0, []
    for match in _BRACKET.finditer(text, begin):
        depth += (match[0] in tuple("([{<")) - (match[0] in tuple(")]}>"))
        if depth < 0 or depth == 0 and match[0] in (",", ""):
            found.append(text[begin:match.start()].strip())
            begin = match.end()
        if depth < 0:
            break
    return [part for part in found if part]


def _signatures(name: str, parameters: list[str]) -> list[str]:
    """`name(_:label:)` with all parameters, and without the parameters that have a default."""
    labels = [(part.split()[0].rstrip(":") if ":" in part else "_") + ":" for part in parameters]
    needed = [label for label, part in zip(labels, parameters) if " = " not in part]
    return [f"{name}({''.join(labels)})", f"{name}({''.join(needed)})"]


def _declared(match: re.Match[str], text: str) -> list[str]:
    """The names of a declaration. For a function or a case, also its signatures."""
    if match["cases"]:
        names = []
        for case in _parts(match["cases"]):
            name, bracket, _ = case.split(" = ")[0].partition("(")
            names += [name, *(_signatures(name, _parts(case, len(name) + 1)) if bracket else [])]
        return names
    name = match["name"].split(".")[-1] or match["kind"]
    begin = _PARAMETERS.match(text, match.end())
    return [name, *(_signatures(name, _parts(text, begin.end())) if begin else [])]


class SwiftNames:
    """The names that Swift files declare."""

    def __init__(self, files: dict[str, str], others: Iterable[str]):
        """`files` contains texts by their paths. `others` contains names of modules and folders."""
        self.files = {f"/{path}" for path in files}
        self.types: set[str] = set()
        # `member` and `Type.member`, with and without labels.
        self.members: set[str] = set()
        # Words that a page can use without the name of a type before them.
        self.words = set(others).union(*(Path(path).stem.split("+") for path in files))
        for path, text in files.items():
            self._add_declarations(text)
            if path.startswith("Sources/"):
                # A name on the wire can follow the name of its interface: "\(interface).Subscribe".
                quoted = re.findall(r'["\)]([\w.]+)"', text)
                self.words.update(word for name in quoted for word in name.split("."))
        self.words.update(word for name in self.members for word in re.findall(r"\w+", name))

    def _add_declarations(self, text: str) -> None:
        # The declarations that contain the current declaration: indent, name, and whether it is a type.
        around: list[tuple[int, str, bool]] = []
        for match in _DECLARATION.finditer(text):
            while around and around[-1][0] >= len(match["indent"]):
                around.pop()
            names = _declared(match, text)
            if not around or around[-1][2]:
                owner = f"{around[-1][1]}." if around else ""
                self.members.update(*({name, owner + name} for name in names))
            if match["kind"]:
                is_type = match["kind"] in _TYPES
                around.append((len(match["indent"]), names[0], is_type))
                self.types.update(names if is_type else ())

    def unknown(self, page: str) -> list[str]:
        """The texts in backquotes on this page that name something that does not exist."""
        return [text for text in re.findall(r"`([^`\n]+)`", _own(page)) if not self._exist(text)]

    def _exist(self, text: str) -> bool:
        if text.endswith(".swift"):
            return any(file.endswith(f"/{text}") for file in self.files)
        if tests := re.search(r"(?:FILTER=|--filter )'?([\w|]+)", text):
            return self.words >= set(tests[1].split("|")) - {"NAME"}
        if not _NAME_OR_CALL.fullmatch(text):
            return True
        if signature := _SIGNATURE.fullmatch(text):
            owner, name, labels = signature.groups()
            if name in self.types:
                owner, name = name, "init"
            # A variable `renderer` has the type `Renderer`, if there is one.
            owner = owner[0].upper() + owner[1:] if owner else None
            return (f"{owner}." if owner in self.types else "") + name + labels in self.members
        foreign = set().union(*FOREIGN.values())
        called = set(re.findall(r"(\w+)\(", text))
        members = {path for path in re.findall(r"\b[A-Z]\w*\.\w+", text) if path.split(".")[0] in self.types}
        return self.words >= set(_MIXED.findall(text)) - foreign and self.members >= (called - foreign) | members


def _own(page: str) -> str:
    """The page without code blocks and without columns with names of other systems."""
    lines, foreign = [], set()
    for line in re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL).splitlines():
        cells = line.split("|") if line.startswith("|") else [line]
        # The first line of a table contains the headings.
        foreign = (foreign if len(cells) > 1 else set()) or {
            number for number, cell in enumerate(cells) if cell.strip() in FOREIGN_COLUMNS}
        lines.append("|".join(cell for number, cell in enumerate(cells) if number not in foreign))
    return "\n".join(lines)
