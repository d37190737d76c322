"""Finds arithmetic that can trap, in the files that read untrusted data.

A number from a file can have any value. `+`, `Int(number)` and similar operations end the process if the result is out
of range. These files therefore use `&+`, `Int(clamping:)`, `Int(exactly:)`, or the types `SongTime` and `EntryID`. If
an operation on a line cannot trap, the line ends with `// in range: REASON`, or the line above it is this comment.
"""

from __future__ import annotations

import re
from pathlib import Path

MARK = re.compile(r"// in range: \w+")

# Files that are not examined. They read only the rules of time zones, which are part of the program. So their numbers
# are trusted.
OWN_VALUES = ("ClockRule.swift", "ClockRuleReader.swift", "ClockZone.swift")

# A file in one of these folders is examined if it contains one of the declarations READS.
FOLDERS = ("Sources/Unit/UnitState", "Sources/Unit/Settings", "Sources/Control/Control/Wire")
READS = re.compile(
    r"init\??\((?:decoding|text|file)\b|\b_ text: (?:String|Substring)|UnitStateError|\bWire(?:Fields|Error)\b|struct QueueReader|func read\(_ bytes")

_NUMBER = r"U?Int(?:8|16|32|64)?"
# A conversion that traps. Conversions with these labels, and conversions of texts, do not trap.
_CONVERSION = re.compile(
    rf"(?<![\w.]){_NUMBER}\((?!(?:clamping|exactly|truncatingIfNeeded|bitPattern|ascii|littleEndian|bigEndian):|String\(|\)|text\b)")
# swift-format puts spaces around binary operators.
_OPERATOR = re.compile(r"(?<=\s)(?:[-+*/%]=?)(?=\s)")
_TRAPS = re.compile(r"Dictionary\(uniqueKeysWithValues:|\btry!|[\w)\]]!(?![=\w])")
# `+` joins texts or arrays if _LIST_BEFORE matches the code before it, or if _LIST_BEHIND matches the code after it.
_LIST_BEFORE = re.compile(r'(?:"|\]|\.utf8|[Bb]ytes|\b(?:result|text|path|root|fields|lines|entries|chosen)|, \d\))$')
_LIST_BEHIND = re.compile(r'(?:"|\[|Array\(|\(?\w[\w.]*\.(?:utf8|path)\b|\w*[Pp]ath\b|\w*[Bb]ytes\b(?!\.)|littleEndian\()')
# Texts that mark a calculation with floating-point numbers, which cannot trap.
_REAL = re.compile(r"\bDouble\(|\bseconds:|\.rounded\(|\[\d\] \*")
_CONSTANT = re.compile(r"[\d_.eEx]+|(?:[A-Z]\w*\.)?(?:maximum|longest)\w*")


def _code(line: str) -> str:
    """The line without comments and without texts in quotes. Values that are inserted into a text stay."""
    def text(match: re.Match[str]) -> str:
        return '"' + " ".join(re.findall(r"\\\((.*?)\)(?=[^)]|$)", match[0])) + '"'
    line = re.sub(r'"(?:\\\([^"]*?\)|\\.|[^"\\])*"', text, line)
    return line.split("//")[0].rstrip()


def _is_harmless(operator: str, before: str, behind: str) -> bool:
    """True for an operation with constants, which the compiler checks, and for a division by a constant that is not
    0."""
    # If a line begins with an operator, its left operand is on the line above. This operand counts as a constant.
    left, right = ((words or ["0"])[0].strip('(),"') for words in (before.split()[-1:], behind.split()[:1]))
    if operator in "/%":
        return bool(re.fullmatch(r"[1-9][\d_.]*", right))
    return bool(_CONSTANT.fullmatch(left) and _CONSTANT.fullmatch(right))


def traps(line: str) -> list[str]:
    """The operations in this line that can trap."""
    if MARK.search(line):
        return []
    code = _code(line)
    found = [match[0] for match in _CONVERSION.finditer(code)] + [match[0] for match in _TRAPS.finditer(code)]
    for match in () if _REAL.search(code) else _OPERATOR.finditer(code):
        before, behind = code[:match.start()].rstrip(), code[match.end():].lstrip()
        if match[0] in ("+", "+=") and (_LIST_BEFORE.search(before) or _LIST_BEHIND.match(behind)):
            continue
        if not _is_harmless(match[0], before, behind):
            found.append(match[0])
    return found


# Times and numbers of entries must have types with limits. This finds declarations with a plain integer type.
_UNBOUNDED = re.compile(rf"(?<!static )(?:var|let) (?:id|entry|elapsed|duration|bookmark|\w*[mM]illiseconds): {_NUMBER}\b")


def unbounded(project: Path) -> list[str]:
    """Each stored time or number of an entry that has no limit."""
    return [f"{path.name}: {match[0]}"
            for path in sorted((project / "Sources/Unit/UnitState").glob("*.swift"))
            for match in _UNBOUNDED.finditer(path.read_text())
            # A computed value is not stored.
            if not path.read_text()[match.end():].lstrip(" ").startswith("{")]


def examined(project: Path) -> list[Path]:
    files = [path for folder in FOLDERS for path in sorted((project / folder).rglob("*.swift"))]
    return [path for path in files if path.name not in OWN_VALUES and READS.search(path.read_text())]


def findings(project: Path) -> list[str]:
    """A text for each line that can trap: FILE:LINE, the operations, and the line."""
    result = []
    for path in examined(project):
        before = ""
        for number, line in enumerate(path.read_text().splitlines(), 1):
            is_marked = before.lstrip().startswith("// in range: ")
            before = line
            if not is_marked and (found := traps(line)):
                result.append(f"{path.relative_to(project)}:{number}: {' '.join(found)}: {line.strip()}")
    return result


if __name__ == "__main__":
    print("\n".join(findings(Path(__file__).resolve().parents[2])))
