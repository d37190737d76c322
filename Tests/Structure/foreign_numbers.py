"""Finds arithmetic that can trap, in the files that read what strangers may have written.

A number from a file may have any value. `+`, `Int(number)` and the like end the process if the result is out of range.
These files therefore use `&+`, `Int(clamping:)`, `Int(exactly:)`, or the types `SongTime` and `EntryID`. If a line cannot
trap, it or the line above ends with `// in range: REASON`.
"""

from __future__ import annotations

import re
from pathlib import Path

MARK = re.compile(r"// in range: \w+")

# The rules of time zones are part of the program.
OWN_VALUES = ("ClockRule.swift", "ClockRuleReader.swift", "ClockZone.swift")

# A file is examined if it declares one of these, in any of these folders.
FOLDERS = ("Sources/Unit/UnitState", "Sources/Unit/Settings", "Sources/Control/Control/Wire")
READS = re.compile(
    r"init\??\((?:decoding|text|file)\b|\b_ text: (?:String|Substring)|UnitStateError|\bWire(?:Fields|Error)\b|struct QueueReader|func read\(_ bytes")

_NUMBER = r"U?Int(?:8|16|32|64)?"
# A conversion that traps. Conversions with these labels, and those of texts, do not.
_CONVERSION = re.compile(
    rf"(?<![\w.]){_NUMBER}\((?!(?:clamping|exactly|truncatingIfNeeded|bitPattern|ascii|littleEndian|bigEndian):|String\(|\)|text\b)")
# swift-format puts spaces around binary operators.
_OPERATOR = re.compile(r"(?<=\s)(?:[-+*/%]=?)(?=\s)")
_TRAPS = re.compile(r"Dictionary\(uniqueKeysWithValues:|\btry!|[\w)\]]!(?![=\w])")
# Operands of `+` that are texts or arrays: the end of the text before, and the beginning of the text behind.
_LIST_BEFORE = re.compile(r'(?:"|\]|\.utf8|[Bb]ytes|\b(?:result|text|path|root|fields|lines|entries|chosen)|, \d\))$')
_LIST_BEHIND = re.compile(r'(?:"|\[|Array\(|\(?\w[\w.]*\.(?:utf8|path)\b|\w*[Pp]ath\b|\w*[Bb]ytes\b(?!\.)|littleEndian\()')
# The marks of a calculation with real numbers, which cannot trap.
_REAL = re.compile(r"\bDouble\(|\bseconds:|\.rounded\(|\[\d\] \*")
_CONSTANT = re.compile(r"[\d_.eEx]+|(?:[A-Z]\w*\.)?(?:maximum|longest)\w*")


def _code(line: str) -> str:
    """The line without texts in quotes and comments. The values in a text stay."""
    def text(match: re.Match[str]) -> str:
        return '"' + " ".join(re.findall(r"\\\((.*?)\)(?=[^)]|$)", match[0])) + '"'
    line = re.sub(r'"(?:\\\([^"]*?\)|\\.|[^"\\])*"', text, line)
    return line.split("//")[0].rstrip()


def _is_harmless(operator: str, before: str, behind: str) -> bool:
    """True for an operation with constants, which the compiler checks, and for a division by one that is not 0."""
    # A line may begin with an operator; then the operand before it is on the line above.
    left, right = ((words or ["0"])[0].strip('(),"') for words in (before.split()[-1:], behind.split()[:1]))
    if operator in "/%":
        return bool(re.fullmatch(r"[1-9][\d_.]*", right))
    return bool(_CONSTANT.fullmatch(left) and _CONSTANT.fullmatch(right))


def traps(line: str) -> list[str]:
    """What in this line can trap."""
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


# Times and numbers of entries have types with limits.
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
    """Each line as FILE:LINE: what can trap."""
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
