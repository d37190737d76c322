#!/usr/bin/env python3
"""Measures the library as a surface sees it: the daemon and its library run, and a client sends calls on the control
socket.

    library.py --autoharp BIN [--files 100000] [--collection FOLDER] [--folders FOLDER] [--rounds 5] [--markdown FILE]
    library.py --image build/image/BOARD/tree [--files 100000] [--markdown FILE]

There are two collections. The small collection (10 000 files in 1050 folders) is for the queue and for the time from
the start until lists have rows. The large collection (100 000 files) is for pages, searches and memory. The music plays
to the output `null`. `autoharp-library` must be in the folder of the daemon.

With `--image`, the programs and the libraries of an image run, and only their memory is measured. These programs need
less memory than the programs of the host: in the image, libstdc++ is linked statically, and users are looked up only in
files.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path

import collection
import report
from control_client import ControlClient, Refused, plain
from paced import Cards, EventReader
from processes import Children
from report import log
from scanning import empty_caches
from slow_stick import SlowStick, make_high_resolution

LISTS = ["songs", "albums", "artists"]
LIMITS = [12, 24]
# The keys with which a search is typed, as on a phone: 2 = ABC to 9 = WXYZ.
KEYS = {letter: str(key) for key, letters in
        enumerate("abc def ghi jkl mno pqrs tuv wxyz".split(), 2) for letter in letters}
# For each kind of search, the number of letters of each of its words.
SHAPES = [(1,), (2,), (3,), (4,), (2, 2), (4, 4, 4)]
DEADLINE_S = 600
# The time between two polls. It is short compared with the aims that are measured by polling.
INTERVAL_S = 0.005


class Memory:
    """The largest memory of a process: with the pages of files (`peak_kb`), and without them (`own_kb`)."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.own_kb = 0

    def look(self) -> int:
        """The memory that belongs to this process alone, in KB."""
        own = self._value("RssAnon")
        self.own_kb = max(self.own_kb, own)
        return own

    @property
    def peak_kb(self) -> int:
        return self._value("VmHWM")

    def _value(self, key: str) -> int:
        found = re.search(rf"{key}:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        assert found, "a process has ended"
        return int(found[1])


class Unit:
    """The daemon with its library. It starts without a database, and plays."""

    def __init__(
        self, children: Children, binary: Path, folder: Path, music: Path, output: str = "null",
        start: str = "play", prefix: list[str] | None = None, environment: dict[str, str] | None = None,
    ) -> None:
        self.begin = time.monotonic()
        configuration = folder / "unit.conf"
        configuration.write_text(
            f"music-folder = {music}\noutput = {output}\nstart = {start}\nstate-folder = {folder}/state\n"
            f"artwork-folder = {folder}/art\ncontrol-socket = {folder}/control\nlibrary = yes\n"
            f"library-folder = {folder}/library\n")
        # The daemon saves the queue in this folder only if the folder exists.
        (folder / "state").mkdir()
        self.log = folder / "log"
        self._children = children
        with self.log.open("w") as file:
            command = (prefix or []) + [str(binary), "serve", "--config", str(configuration)]
            self.daemon = children.start(command, stdin=subprocess.DEVNULL, stderr=file, env=environment)
        self.client = self.when("the control socket", lambda: self._connect(folder / "control"))

    @staticmethod
    def _connect(path: Path) -> ControlClient | None:
        try:
            return ControlClient(path)
        except (FileNotFoundError, ConnectionRefusedError):
            return None

    def end(self) -> None:
        self.client.close()
        self._children.end(self.daemon)

    def when(self, what: str, condition: Callable):
        """Waits for a condition, and returns its value."""
        while time.monotonic() < self.begin + DEADLINE_S:
            if self.daemon.poll() is not None:
                sys.exit(f"the daemon has ended: {self.log.read_text()}")
            if value := condition():
                return value
            time.sleep(INTERVAL_S)
        sys.exit(f"waited in vain for {what}: {self.log.read_text()}")

    @property
    def age_ms(self) -> float:
        return 1000 * (time.monotonic() - self.begin)

    def ask(self, method: str, signature: str = "", *arguments):
        return self.client.ask("Library1", method, signature, *arguments)

    def library_pid(self) -> int:
        """The id of the library's process, which is a child of the daemon. 0 until the library runs."""
        found = subprocess.run(["pgrep", "--parent", str(self.daemon.pid), "autoharp-lib"],
                               capture_output=True, text=True).stdout.split()
        return int(found[0]) if found else 0

    def rows(self, node: str) -> list[dict]:
        """The first rows of a list. Empty if the library does not answer yet."""
        try:
            return [plain(row) for row in self.ask("GetPage", "ssua{sv}", node, "", 12, {}).values[1]]
        except Refused as refusal:
            if refusal.code != "library-unavailable":
                raise
            return []

    def is_ready(self) -> bool:
        state = plain(self.ask("GetRoot").values[0])
        return state.get("condition") == "ready" and state.get("songs", 0) > 0

    def is_playing(self) -> bool:
        state = plain(self.client.ask("NowPlaying1", "GetState").values[0])
        return plain(state["playback"])["state"] == "playing"

    def queue(self) -> tuple[int, list[dict], dict]:
        revision, rows, queue = self.ask("GetQueue", "uu", 0, 12).values
        return revision, [plain(row) for row in rows], plain(queue)


@contextmanager
def unit_of(binary: Path, music: Path, **options):
    with tempfile.TemporaryDirectory(prefix="autoharp-library.") as scrap, Children() as children:
        unit = Unit(children, binary, Path(scrap), music, **options)
        try:
            yield unit
        finally:
            unit.end()


def with_files_of(image: Path) -> list[str]:
    """The beginning of a command line that runs the rest of the line with the files of an image. Temporary files keep
    their paths, and the process keeps its id."""
    script = ('for place in /proc /dev "$1"; do mount --rbind "$place" "$0$place" || exit; done; shift; '
              'exec chroot "$0" "$@"')
    return ["unshare", "--mount", "sh", "-c", script, str(image), tempfile.gettempdir()]


# --- The first scan -------------------------------------------------------------------------------


def measure_start(binary: Path, music: Path, found: dict[str, list[float]]) -> None:
    """Measures the times from the start of the daemon until lists have rows, and from a call until its list is in the
    queue."""
    with unit_of(binary, music) as unit:
        def keep(name: str, ms: float) -> None:
            found.setdefault(name, []).append(ms)

        folder = unit.when("a folder", lambda: unit.rows("folders"))[0]
        unit.when("an open folder", lambda: unit.rows(folder["id"]))
        keep("folders", unit.age_ms)
        unit.when("an album", lambda: unit.rows("albums"))
        keep("album", unit.age_ms)
        # The time and the number of listed folders, at each change of this number.
        listed = [(0.0, 0)]
        while not unit.is_ready():
            count = unit.ask("GetPage", "ssua{sv}", "folders", "", 1, {}).values[4]
            if count != listed[-1][1]:
                listed.append((unit.age_ms, count))
            time.sleep(INTERVAL_S)
        keep("scan", unit.age_ms)
        keep("all folders", listed[-1][0] or unit.age_ms)
        for album in unit.rows("albums")[:5]:
            keep("play album", play(unit, album["id"], album["count"]))
        songs = plain(unit.ask("GetRoot").values[0])["songs"]
        keep("play songs", play(unit, "songs", min(songs, 10_000)))
        for ms in edits(unit):
            keep("edit", ms)


def play(unit: Unit, node: str, songs: int) -> float:
    """The time from the call until the queue contains the list."""
    begin = time.monotonic()
    unit.ask("Play", "sss", node, "", "now")

    def is_there() -> bool:
        queue = unit.queue()[2]
        return queue.get("list") == node and queue.get("count") == songs

    unit.when(f"the queue of {node}", is_there)
    return 1000 * (time.monotonic() - begin)


def edits(unit: Unit, times: int = 5) -> list[float]:
    """The times of edits of the queue, each until GetQueue shows its result."""
    found = []

    def edit(method: str, signature: str = "", *arguments: str) -> None:
        revision = unit.queue()[0]
        begin = time.monotonic()
        unit.ask(method, "t" + signature, revision, *arguments)
        unit.when("the edit", lambda: unit.queue()[0] != revision)
        found.append(1000 * (time.monotonic() - begin))

    for _ in range(times):
        items = [row["id"] for row in unit.queue()[1]]
        edit("MoveQueueItem", "ss", items[10], items[5])
        edit("RemoveQueueItem", "s", items[7])
        edit("UndoQueue")
    return found


# --- A slow stick ---------------------------------------------------------------------------------

HIGH_RESOLUTION_S = 300


def measure_slow_stick(binary: Path, tree: Path, rounds: int) -> report.Rows | None:
    """Measures how soon a slow stick can be browsed, and plays a file with 24 bits at 96 kHz from it during its scan.
    None if the machine has no slow stick."""
    if not SlowStick.is_possible():
        log("a slow stick needs root and the kernel's limits for block devices; it is left out")
        return None
    found: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="autoharp-library.") as scrap:
        # Without compression, a second of the file has 96 000 frames of 6 bytes.
        with SlowStick(Path(scrap), tree, room=HIGH_RESOLUTION_S * 96_000 * 6) as stick:
            with stick.mounted() as folder:
                make_high_resolution(folder / HIGH_RESOLUTION, HIGH_RESOLUTION_S)
            cards = Cards(Path(scrap))
            for number in range(rounds):
                log(f"slow stick, round {number + 1} of {rounds}")
                assert empty_caches()
                card = cards.add(f"card{number}")
                with unit_of(binary, stick.folder.parent, output=card.name, start="paused", prefix=stick.prefix,
                             environment=cards.environment()) as unit:
                    unit.when("the library", lambda: plain(unit.ask("GetRoot").values[0]).get("condition") == "ready")
                    with stick.mounted():
                        try:
                            measure_scan_of_stick(unit, EventReader(card), found)
                        finally:
                            unit.end()
    rows = [["", "n", "median", "longest", "aim"]]
    for name, aim in STICK_ROWS.items():
        times = found[name]
        rows.append([name, str(len(times)), f"{statistics.median(times):.0f}", f"{max(times):.0f}", aim])
    return rows


HIGH_RESOLUTION = "0 high resolution.flac"
STICK_ROWS = {
    "mount → a folder in the first folder can be opened": "≤ 1000",
    "mount → the first album is listed": "≤ 3000",
    "mount → all files are read": "",
    "underruns of the file that plays meanwhile": "0",
}


def measure_scan_of_stick(unit: Unit, card: EventReader, found: dict[str, list[float]]) -> None:
    begin = time.monotonic()
    names = iter(STICK_ROWS)

    def keep(value: float | None = None) -> None:
        found.setdefault(next(names), []).append(1000 * (time.monotonic() - begin) if value is None else value)

    def folders(node: str) -> list[dict]:
        return [row for row in unit.rows(node) if row["kind"] == "folder"]

    volume = unit.when("the stick", lambda: [row for row in folders("folders") if row["title"] == "stick"])[0]
    first = unit.when("a folder", lambda: folders(volume["id"]))[0]
    unit.when("a folder in it", lambda: folders(first["id"]))
    keep()
    unit.when("an album", lambda: unit.rows("albums"))
    keep()

    title = HIGH_RESOLUTION.removesuffix(".flac")

    def song() -> str:
        rows = unit.ask("GetPage", "ssua{sv}", "songs", "", 12, {"letter": ("s", "#")}).values[1]
        return next((row["id"] for row in map(plain, rows) if row["title"] == title), "")

    unit.ask("Play", "sss", "row", unit.when("the song", song), "now")

    def sounds() -> bool:
        card.refresh()
        return bool(card.runs)

    unit.when("the first sound", sounds)
    assert not unit.is_ready(), "the scan has ended before the file plays"
    unit.when("all files", unit.is_ready)
    keep()
    state = plain(unit.client.ask("NowPlaying1", "GetState").values[0])
    assert title in str(state), "another file plays"
    assert unit.is_playing()
    card.refresh()
    keep(card.dry)
    card.close()


# --- Pages and searches ---------------------------------------------------------------------------


def measure_pages(unit: Unit, chance: random.Random, pages: int) -> dict[tuple[str, int], list[float]]:
    """The times of random pages. Half of the pages begin at a heading. Each other page follows one of these pages."""
    found: dict[tuple[str, int], list[float]] = {}
    for node in LISTS:
        groups = headings(unit, node)
        for limit in LIMITS:
            times: list[float] = []
            while len(times) < pages:
                letter = chance.choice(groups)
                answer = unit.ask("GetPage", "ssua{sv}", node, "", limit, {"letter": ("s", letter)})
                assert answer.values[1], (node, letter)
                times.append(answer.ms)
                if following := answer.values[2]:
                    times.append(unit.ask("GetPage", "ssua{sv}", node, following, limit, {}).ms)
            found[node, limit] = times
    return found


def measure_deep_pages(unit: Unit, pages: int) -> list[float]:
    """The times of the pages of all songs below the folder of the collection, from the first page on."""
    node = unit.rows("folders")[0]["id"].replace("folder:", "below:")
    times: list[float] = []
    cursor = ""
    while len(times) < pages:
        answer = unit.ask("GetPage", "ssua{sv}", node, cursor, 12, {})
        assert len(answer.values[1]) == 12, node
        times.append(answer.ms)
        cursor = answer.values[2]
    return times


def measure_queue(unit: Unit, pages: int) -> list[float]:
    """The times of pages of the queue with 10 000 songs."""
    play(unit, "songs", 10_000)
    return [unit.ask("GetQueue", "uu", 12 * number, 12).ms for number in range(pages)]


def headings(unit: Unit, node: str) -> list[str]:
    """All headings of a list: the headings with one letter, and for each of them the longer headings below it."""
    first = [name for name, _ in unit.ask("GetLetters", "ss", node, "").values[0]]
    longer = [name for letter in first for name, _ in unit.ask("GetLetters", "ss", node, letter).values[0]]
    return first + longer


def measure_letters(unit: Unit) -> dict[str, list[float]]:
    found = {}
    for node in LISTS:
        first = [name for name, _ in unit.ask("GetLetters", "ss", node, "").values[0]]
        found[node] = [unit.ask("GetLetters", "ss", node, prefix).ms for prefix in ["", *first]]
    return found


def measure_searches(
    unit: Unit, chance: random.Random, searches: int
) -> dict[tuple[bool, tuple[int, ...]], list[float]]:
    """The times of searches for the beginnings of random words. The result is grouped by the kind of input and by the
    numbers of letters. A third of the searches asks for songs only."""
    words = [word.lower() for words in collection.WORDS.values() for word in words]
    latin = [word for word in words if all(letter in KEYS for letter in word)]
    found = {}
    for is_by_keys in (False, True):
        for shape in SHAPES:
            times = []
            fit = [word for word in (latin if is_by_keys else words) if len(word) >= max(shape)]
            for number in range(searches):
                parts = [chance.choice(fit)[:length] for length in shape]
                if is_by_keys:
                    parts = ["".join(KEYS[letter] for letter in part) for part in parts]
                query = ("0" if is_by_keys else " ").join(parts)
                options = {"isByKeys": ("b", is_by_keys)}
                if number % 3 == 0:
                    options["kind"] = ("s", "song")
                answer = unit.ask("Search", "stua{sv}", query, number, 12, options)
                # A search with two or more words finds nothing if no artist, album or song has all these words.
                assert answer.values[1] or number % 3 == 0 or len(shape) > 1, query
                times.append(answer.ms)
            found[is_by_keys, shape] = times
    return found


# --- The report -----------------------------------------------------------------------------------


def measure_large(
    binary: Path, music: Path, options: argparse.Namespace, prefix: list[str] | None = None,
) -> tuple[report.Rows, report.Rows]:
    """The tables of the large collection: answers, and memory."""
    with unit_of(binary, music, prefix=prefix) as unit:
        daemon = Memory(unit.daemon.pid)
        library = Memory(unit.when("the library", unit.library_pid))
        while not unit.is_ready():
            if unit.age_ms > 1000 * DEADLINE_S:
                sys.exit("waited in vain for the scan")
            daemon.look()
            library.look()
            time.sleep(0.02)
        scan_s = unit.age_ms / 1000
        assert unit.is_playing(), "the music does not play"
        scanned = [(one.peak_kb, one.own_kb) for one in (daemon, library)]
        log(f"{options.files} files scanned in {scan_s:.1f} s")
        chance = random.Random(25)
        pages = measure_pages(unit, chance, options.pages)
        below = measure_deep_pages(unit, 20)
        letters = measure_letters(unit)
        searches = measure_searches(unit, chance, options.pages)
        asked = [(one.peak_kb, one.look()) for one in (daemon, library)]
        queue = measure_queue(unit, options.pages)

    answers = [["", "n", "p50", "p99", "longest", "aim"]]

    def row(name: str, times: list[float], aim: str) -> None:
        marks = (report.percentile(times, 50), report.percentile(times, 99), max(times))
        answers.append([name, str(len(times)), *(f"{mark:.2f}" for mark in marks), aim])

    for (node, limit), times in pages.items():
        row(f"page of {node}, {limit} rows", times, "≤ 5")
    row("page of the songs below a folder, 12 rows", below, "")
    row("page of the queue, 12 rows", queue, "")
    for node, times in letters.items():
        row(f"letters of {node}", times, "")
    for (is_by_keys, shape), times in searches.items():
        what = "key" if is_by_keys else "letter"
        row(f"search, {' + '.join(map(str, shape))} {what}{'s' if shape != (1,) else ''}", times, "≤ 10")

    memory = [["", "daemon", "library"],
              ["peak while scanning, in MB", *(f"{peak / 1024:.1f}" for peak, _ in scanned)],
              ["aim", "≤ 20", "≤ 24"],
              ["of the peak, memory of the process alone", *(f"{own / 1024:.1f}" for _, own in scanned)],
              ["peak after all questions", *(f"{peak / 1024:.1f}" for peak, _ in asked)],
              ["memory of the process alone, at the end", *(f"{own / 1024:.1f}" for _, own in asked)]]
    return answers, memory


START_ROWS = {
    "folders": ("start → a folder can be opened", "≤ 1000"),
    "all folders": ("start → the first list of folders is complete", ""),
    "album": ("start → the first album is listed", "≤ 2000"),
    "scan": ("start → all files are read", ""),
    "play album": ("play of an album → the album is in the queue", ""),
    "play songs": ("play of 10 000 songs → the songs are in the queue", ""),
    "edit": ("edit of the queue of 10 000 songs", ""),
}


def start_rows(warm: dict[str, list[float]], cold: dict[str, list[float]]) -> report.Rows:
    rows = [["", "n", "median", "longest", "without caches", "aim"]]
    for key, (name, aim) in START_ROWS.items():
        times = warm[key]
        empty = f"{statistics.median(cold[key]):.0f}" if key in cold else "–"
        rows.append([name, str(len(times)), f"{statistics.median(times):.1f}", f"{max(times):.1f}", empty, aim])
    return rows


METHOD = """\
All times are in milliseconds. The first table shows the times for a collection of {files} songs, from the first byte
of the call to the last byte of the answer. A page begins at a random heading, or follows a page that began at a
random heading. The words of the searches are the beginnings of random words of the names; the collection has few
different words, so most searches find thousands of songs. A third of the searches asks for songs only. The second
table shows the memory during the scan of this collection, while music plays. The third table shows the times for a
collection of 10 000 files in 1050 folders. Its *start* is the start of the daemon, without a database. Each figure is
from {rounds} rounds. An edit moves an item, removes an item, or undoes it. *Without caches* is the median after the
caches of the kernel were emptied."""

STICK_METHOD = """The fourth table shows the times for the same collection on a stick: the kernel limits reads to 12
MB/s and 500 in a second. The daemon runs before the stick is mounted, and all caches are empty. A FLAC file with 24
bits at 96 kHz plays from the stick to a paced card. The file begins to play as soon as the library has read it, and
plays until the scan has ended."""


def large_collection(options: argparse.Namespace, scrap: str) -> Path:
    if options.collection:
        return options.collection
    log(f"making {options.files} files")
    large = Path(scrap) / "large"
    collection.make(large, options.files, is_silent=True)
    return large


def measure_image(options: argparse.Namespace) -> None:
    """Measures the memory of the programs of an image."""
    with tempfile.TemporaryDirectory(prefix="autoharp-library.") as scrap:
        _, memory = measure_large(
            Path("/usr/bin/autoharp"), large_collection(options, scrap), options,
            with_files_of(options.image.resolve()))
    facts = report.machine() + report.today()
    print(f"{report.plain(memory)}\n\n{report.lines_of(facts)}")
    if options.markdown:
        report.write_section(
            options.markdown, "library-image", "\n\n".join([report.table(memory), report.bullets(facts)]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures the library on the control socket.")
    programs = parser.add_mutually_exclusive_group(required=True)
    programs.add_argument("--autoharp", type=Path, help="the program of the daemon")
    programs.add_argument("--image", type=Path, help="the files of an image; only the memory is measured; needs root")
    parser.add_argument("--files", type=int, default=100_000, help="files of the large collection (default: 100000)")
    parser.add_argument("--collection", type=Path, help="a large collection that was made before")
    parser.add_argument("--folders", type=Path, help="a collection of 10 000 files in 1050 folders, made before")
    parser.add_argument("--rounds", type=int, default=5, help="starts without a database (default: 5)")
    parser.add_argument("--pages", type=int, default=200, help="pages and searches of each kind (default: 200)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="writes the tables into this page")
    options = parser.parse_args()
    if options.image:
        if options.collection and not options.collection.resolve().is_relative_to(tempfile.gettempdir()):
            parser.error(f"with --image, the collection must be in {tempfile.gettempdir()}")
        return measure_image(options)
    binary = options.autoharp.resolve()
    if not (binary.parent / "autoharp-library").exists():
        sys.exit(f"autoharp-library is not in {binary.parent}")
    disturbance = report.Disturbance()
    with tempfile.TemporaryDirectory(prefix="autoharp-library.") as scrap:
        small = options.folders or Path(scrap) / "folders"
        if not options.folders:
            log("making 10 000 files in 1050 folders")
            collection.make(small, 10_000, artists=50)
        warm: dict[str, list[float]] = {}
        cold: dict[str, list[float]] = {}
        # The first round fills the caches, and is not counted.
        for number in range(options.rounds + 1):
            log(f"round {number} of {options.rounds}")
            measure_start(binary, small, warm if number else {})
        for _ in range(options.rounds):
            if empty_caches():
                measure_start(binary, small, cold)
        stick = measure_slow_stick(binary, small, options.rounds)
        answers, memory = measure_large(binary, large_collection(options, scrap), options)
    starts = start_rows(warm, cold)
    facts = report.machine() + disturbance.facts() + report.today()
    measured = [rows for rows in (answers, memory, starts, stick) if rows]
    print("\n\n".join([*map(report.plain, measured), report.lines_of(facts)]))
    if options.markdown:
        tables = [report.table(rows) for rows in measured]
        method = METHOD.format(files=options.files, rounds=options.rounds) + (" " + STICK_METHOD if stick else "")
        report.write_section(options.markdown, "library", "\n\n".join([*tables, method, report.bullets(facts)]))


if __name__ == "__main__":
    main()
