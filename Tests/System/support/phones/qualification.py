"""The cases with which BlueZ is qualified, and the table of docs/qualification.md with the unit's result for each
case."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Iterator

from machine import PROJECT

PAGE = PROJECT / "docs" / "qualification.md"
ROW = re.compile(r"^\| ((?:A2DP|AVRCP|IOPT)/\S+) \| (.+) \| (.+) \| (.+) \|$", re.MULTILINE)
PASSED, FAILED = "passed", "failed"
RESULTS = (PASSED, FAILED, "not possible here")

# BlueZ's list: doc/qualification/a2dp-pts.rst and avrcp-pts.rst.
SINK = """SDP/BV-02-I SET/BV-01-I SET/BV-03-I SET/BV-05-I REL/BV-01-I SYN/BV-01-C AS/BV-01-I
    CC/BV-01-I CC/BV-02-I CC/BV-05-I CC/BV-06-I CC/BV-07-I CC/BV-08-I
    AVP/BI-03-C AVP/BI-08-C AVP/BI-10-C AVP/BI-11-C AVP/BI-12-C AVP/BI-13-C AVP/BI-14-C AVP/BI-15-C AVP/BI-16-C
    AVP/BI-20-C"""
CONTROLLER = """CEC/BV-01-I CEC/BV-02-I CRC/BV-01-I CRC/BV-02-I PTH/BV-01-C PTT/BV-02-I VLH/BI-03-C VLH/BI-04-C
    VLH/BV-01-C VLH/BV-03-C VLH/BV-01-I VLH/BV-02-I NFY/BV-01-C"""
TARGET = """CEC/BV-01-I CFG/BI-01-C CFG/BV-02-C CRC/BV-01-I CRC/BV-02-I ICC/BV-01-I ICC/BV-02-I INV/BI-01-C
    INV/BV-02-C MDI/BV-02-C MDI/BV-04-C MDI/BV-05-C MPS/BI-01-C MPS/BV-02-C MPS/BV-06-C MPS/BV-09-C MPS/BV-12-C
    MPS/BV-01-I MPS/BV-02-I MPS/BV-03-I NFY/BI-01-C NFY/BV-02-C NFY/BV-04-C NFY/BV-05-C NFY/BV-08-C PTT/BV-01-I
    PTT/BV-02-I RCR/BV-02-C RCR/BV-04-C VLH/BI-01-C VLH/BI-02-C VLH/BV-02-C VLH/BV-04-C VLH/BV-01-I VLH/BV-02-I"""
CASES = [f"{role}/{case}" for role, cases in
         [("A2DP/SNK", SINK), ("AVRCP/CT", CONTROLLER), ("AVRCP/TG", TARGET)] for case in cases.split()]
CASES.append("IOPT/CL/AVRCP-CT/SFC/BV-03-I")


@dataclass(frozen=True)
class Row:
    """A row of the table. `result` begins with one of `RESULTS`."""

    case: str
    result: str
    test: str

    def is_(self, word: str) -> bool:
        return re.split("[:;]", self.result)[0] == word


def table() -> list[Row]:
    return [Row(case, result, test.strip("`")) for case, _, result, test in ROW.findall(PAGE.read_text())]


class Cases:
    """The cases of one test. A case fails if its block raises an error. The other cases still run."""

    def __init__(self, test: str) -> None:
        self.test = test
        self.results: dict[str, str | None] = {}

    @contextmanager
    def __call__(self, *cases: str) -> Iterator[None]:
        """Runs a `with` block as the steps of these cases."""
        error = None
        try:
            yield
        except Exception as raised:  # a case may fail in any way, and the next case must still run
            error = f"{type(raised).__name__}: {raised}"
        print("case", *cases, error or PASSED, flush=True)
        self.results |= dict.fromkeys(cases, error)

    def check(self) -> None:
        """Checks that the table lists exactly these cases for this test, with their results."""
        rows = [row for row in table() if row.test == self.test]
        assert {row.case for row in rows} == set(self.results)
        expected = {row.case for row in rows if row.is_(FAILED)}
        failed = {case: error for case, error in self.results.items() if error}
        assert failed.keys() == expected, failed
