"""The layout of the sources: folders, files, the drawing, and the paths on the pages."""

from __future__ import annotations

import html
import re
import subprocess
import unittest
from collections import Counter
from pathlib import Path

from foreign_numbers import examined, findings, traps, unbounded
from package import PROJECT, edges, library_packages, modules, shipped, sources, used_by_folder
from public_comments import undocumented
from swift_names import SwiftNames

SOURCES = PROJECT / "Sources"
LIMIT = 450


def tracked(*patterns: str) -> list[str]:
    """Files in git, and new files that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    done = subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, check=True)
    return [name for name in done.stdout.decode().splitlines() if (PROJECT / name).exists()]


class Folders(unittest.TestCase):
    def test_sources_has_at_most_fourteen_folders_each_with_a_page(self):
        folders = sorted(path for path in SOURCES.iterdir() if path.is_dir())
        self.assertLessEqual(len(folders), 14)
        for folder in folders:
            page = (folder / "README.md").read_text()
            for heading in ("**Belongs here:**", "**Does not belong here:**", "**Dependencies:**"):
                self.assertIn(heading, page, folder.name)

    def test_page_of_a_folder_names_each_of_its_modules(self):
        for module in shipped().values():
            page = (SOURCES / module.folder / "README.md").read_text()
            self.assertIn(f"`{module.name}`", page)

    def test_page_of_a_folder_names_exactly_its_dependencies(self):
        for folder in (path.name for path in SOURCES.iterdir() if path.is_dir()):
            page = (SOURCES / folder / "README.md").read_text()
            sentence = re.search(r"\*\*Dependencies:\*\* (.*?\.)(?=\s)", page, re.DOTALL)[1]
            named = set(re.findall(r"`([\w/-]+)`", sentence))
            expected = set()
            for other, used in used_by_folder(folder).items():
                if other == "CLibraries":
                    expected |= used
                else:
                    # The page names either the other folder, or each module of the other folder that is used.
                    expected |= {other} if other in named else {f"{other}/{module}" for module in used}
            self.assertEqual(named, expected, folder)

    def test_page_of_the_architecture_names_each_module(self):
        page = (PROJECT / "docs" / "architecture.md").read_text()
        self.assertEqual([module.name for module in sources() if f"`{module.name}`" not in page], [])

    def test_only_one_module_uses_a_c_library(self):
        users = Counter(name for module in sources() if module.folder != "TestKit" for name in module.uses)
        shared = {module.name for module in sources() if module.folder == "CLibraries" and users[module.name] > 1}
        # This library is the exception, because all code below the real-time line needs it.
        self.assertEqual(shared, {"CRealtime"})

    def test_dependencies_between_folders_are_acyclic(self):
        below: dict[str, set[str]] = {}
        for module in modules().values():
            if module.kind != "test":
                used = {modules()[name].folder for name in module.uses}
                below.setdefault(module.folder, set()).update(used - {module.folder})
        left = dict(below)
        while free := [name for name, used in left.items() if not used & left.keys()]:
            for name in free:
                del left[name]
        self.assertEqual(left, {})

    def test_tests_are_in_the_folder_of_their_module(self):
        for module in modules().values():
            if module.kind == "test":
                tested = modules()[module.name.removesuffix("Tests")]
                self.assertEqual(module.folder, tested.folder, module.name)

    def test_source_file_has_at_most_450_lines(self):
        lengths = {name.removeprefix("Sources/"): (PROJECT / name).read_text().count("\n")
                   for name in tracked("Sources/*.swift")}
        long = {name: lines for name, lines in lengths.items() if lines > LIMIT}
        self.assertEqual(long, {})


class SwiftNamesOfPages(unittest.TestCase):
    NAMES = SwiftNames({"Sources/A/Song.swift": """
public struct Song: Hashable {
  /// The length.
  public let length: Int
  @discardableResult
  public func play(
    _ list: [String: Int], at now: Duration, quickly: Bool = false
  ) -> Bool {
    let hidden = 1
    return bus.call("org.autoharp.Play1")
  }
  init(of other: Song) { self = other }
}
enum Kind {
  case music, oneTalk
  case other(name: String)
}
"""}, {"Audio"})

    def test_names_that_exist_are_found(self):
        text = " ".join(f"`{name}`" for name in (
            "Song", "Song.length", "Song.swift", "A/Song.swift", "song.play(_:at:)", "Song.play(_:at:quickly:)",
            "Song(of:)", ".other(name:)", ".other(name)", "oneTalk", "Audio", "org.autoharp.Play1", "make FILTER=Song",
            "play", "EV_REL"))
        self.assertEqual(self.NAMES.unknown(text), [])

    def test_misspelled_names_are_found(self):
        wrong = ["Songs", "Song.lenght", "Songs.swift", "play(_:when:)", "Song.plays(_:at:)", "Song(from:)",
                 ".others(name)", "oneTalks", "isHidden", "Kind.length", "make FILTER=Songs"]
        self.assertEqual(self.NAMES.unknown(" ".join(f"`{name}`" for name in wrong)), wrong)

    def test_names_of_others_are_not_examined(self):
        page = "| term | elsewhere |\n|---|---|\n| `Wrong` | `MPOther` |\n\n`MPOther`\n```swift\n`MPOther`\n```\n"
        self.assertEqual(self.NAMES.unknown(page), ["Wrong", "MPOther"])


class Comments(unittest.TestCase):
    def test_comment_has_at_most_120_columns(self):
        long = [f"{name}:{number}" for name in tracked("Sources/*.swift", "Tests/*.swift")
                for number, line in enumerate((PROJECT / name).read_text().split("\n"), 1)
                if line.lstrip().startswith("//") and len(line) > 120]
        self.assertEqual(long, [])


class DaemonParts(unittest.TestCase):
    """Parts of the daemon get their collaborators in their initializers. A part must set callbacks only of objects that
    it owns. OWNED lists the names of these objects, by file."""

    OWNED = {
        "CarWires.swift": {"input", "hold", "encoder", "button"},
        "UnitDaemon.swift": {"unit"},
        "UnitApps.swift": {"player"},
        "UnitBluetooth.swift": {"client", "target", "phones", "link"},
        "UnitKeys.swift": {"devices"},
        # In this file, an initializer of `HeadUnit.Options` sets the callbacks in its own value (`self`).
        "UnitDaemon+Start.swift": {"self"},
        "UnitLibrary.swift": {"link"},
    }

    def test_page_has_a_sentence_for_each_folder(self):
        page = (SOURCES / "Unit" / "README.md").read_text()
        folders = {Path(name).parent for name in tracked("Sources/Unit/Daemon/*.swift")}
        self.assertNotIn(Path("Sources/Unit/Daemon"), folders, "a file is in no folder")
        named = set(re.findall(r"^\| `(\w+)` \|", page.split("The folders of `Daemon`:")[1], re.MULTILINE))
        self.assertEqual({folder.name for folder in folders}, named)

    def test_only_the_owner_of_an_object_sets_its_callbacks(self):
        found = set()
        for name in tracked("Sources/Unit/Daemon/*.swift"):
            file = Path(name).name
            for place in re.findall(r"^\s*([a-zA-Z?.]+\.[a-zA-Z]+) = \{", (PROJECT / name).read_text(), re.MULTILINE):
                if place.split(".")[0].rstrip("?") not in self.OWNED.get(file, set()):
                    found.add((file, place))
        self.assertEqual(found, set())

    def test_no_part_has_a_callback_or_a_part_that_another_file_could_set(self):
        texts = {name: (PROJECT / name).read_text() for name in tracked("Sources/Unit/Daemon/*.swift")}
        parts = set(re.findall(r"^(?:public )?final class (\w+)", "".join(texts.values()), re.MULTILINE))
        # A stored property of a type has two spaces before it. For a computed property, the brace is on the same line.
        stored = re.compile(r"^  (?:(?:weak|package|public) )*var (\w+): ([^={\n]+)(?: =.*)?$", re.MULTILINE)
        found = {(Path(name).name, property) for name, text in texts.items() for property, kind in stored.findall(text)
                 if "->" in kind or kind.strip("()?! ").removeprefix("any ") in parts}
        self.assertEqual(found, set())



class Health(unittest.TestCase):
    """`diagnose` checks each systemd unit of the image."""

    UNITS = PROJECT / "rootfs-overlay" / "usr" / "lib" / "systemd" / "system"

    def test_each_unit_of_the_image_belongs_to_a_part(self):
        kinds = (".service", ".socket", ".path", ".mount")
        own = {path.name for path in self.UNITS.iterdir() if path.is_file()}
        listed = (PROJECT / "board" / "only.list").read_text().split("[usr/lib/systemd/system]")[1]
        debian = {line.split()[0] for line in listed.split("\n[")[0].splitlines() if line}
        units = {name for name in own | debian if name.endswith(kinds)}
        part = (SOURCES / "Unit" / "Daemon" / "Diagnosis" / "UnitPart.swift").read_text()
        named = set(re.findall(r'"([\w@-]+\.(?:service|socket|path|mount))"', part))
        self.assertEqual(units - named, set(), "a part of UnitPart needs the unit")
        self.assertEqual(named - units, set(), "the unit is not in the image")


class PublicComments(unittest.TestCase):
    def test_public_declaration_has_a_comment(self):
        files = {name: (PROJECT / name).read_text() for name in tracked("Sources/*.swift")}
        self.assertEqual(undocumented(files), [], "see Tests/Structure/public_comments.py")

    def test_only_witnesses_and_plain_initializers_need_none(self):
        text = """
public protocol Player {
  /// Plays.
  func play()
}
public struct Song: Player {
  public init(a: Int, b: Int) {
    self.a = a
    (self.b, c) = (b, 1)
  }
  public init(of other: Song) { self = Song(a: other.a, b: other.b) }
  public func play() {}
  @discardableResult
  public func stop() -> Bool { true }
  /// The length.
  public var length: Int
  public private(set) var title: String
  var artist: String
}
"""
        self.assertEqual(undocumented({"a": text}), ["a:2", "a:6", "a:11", "a:14", "a:17"])


class PlayerCalls(unittest.TestCase):
    """A request of a person to the local player is a command of Now Playing, with a number, a trace and an answer. The
    daemon calls the player directly only for actions that no person requests at that moment."""

    ALLOWED = {
        ("QueueSaver.swift", "restore"): "the saved queue, at the start",
        ("UnitDaemon.swift", "setRepeat"): "the saved mode, at the start",
        ("UnitDaemon.swift", "setShuffle"): "the saved mode, at the start",
        ("MusicFolders+Findings.swift", "cue"): "the saved place, at the start",
        ("MusicFolders+Findings.swift", "hold"): "the place that was left, when a stick returns",
        ("MusicFolders+Findings.swift", "stop"): "the stick of the song was pulled out",
        ("MusicFolders+Losses.swift", "cue"): "the place of a song that waits for its stick",
        ("MusicFolders+Losses.swift", "stop"): "the stick of the song was pulled out",
        ("MusicFolders+Presence.swift", "hold"): "the place in a volume that was chosen, before its files are found",
        ("UnitQueue.swift", "cue"): "the place that was left in the queue of all files",
        ("UnitQueue.swift", "setFiles"): "the first files of a stick",
        ("UnitQueue.swift", "setVolumes"): "volumes that come and go",
        ("UnitQueue.swift", "replace"): "files that were moved",
        ("UnitQueue.swift", "extend"): "the list that follows at the end of the queue",
        ("UnitQueue.swift", "grow"): "the rest of a list that was chosen",
        ("QueueGrowth.swift", "grow"): "songs that the library has found later",
        ("MusicFolders+Findings.swift", "setPreceding"): "what was heard before the restart",
    }
    # These functions do not change what is heard.
    READING = {"album", "upNext"}
    # Only the engine and its owner call these functions.
    ENGINE = {"engineWillBeTaken", "handle", "handleEvents"}

    def test_daemon_calls_the_player_only_for_what_no_person_asks(self):
        texts = [(PROJECT / name).read_text() for name in tracked("Sources/Playback/LocalPlayer/LocalPlayer*.swift")]
        functions = set(re.findall(r"^  public func (\w+)", "".join(texts), re.MULTILINE)) - self.READING - self.ENGINE
        self.assertIn("choose", functions)
        call = re.compile(r"\bplayer\??\.(" + "|".join(sorted(functions)) + r")(?: \{|\()")
        found = {(Path(name).name, function) for name in tracked("Sources/Unit/*.swift", "Sources/Control/*.swift")
                 for function in call.findall((PROJECT / name).read_text())}
        self.assertEqual(found, set(self.ALLOWED))


class ForeignNumbers(unittest.TestCase):
    def test_no_number_from_a_file_can_trap(self):
        self.assertEqual(findings(PROJECT), [], "see Tests/Structure/foreign_numbers.py")

    def test_stored_times_and_numbers_of_entries_have_limits(self):
        self.assertEqual(unbounded(PROJECT), [])

    def test_each_coding_is_examined(self):
        names = {path.name for path in examined(PROJECT)}
        self.assertLessEqual(
            {"OwnPlaylistCoding.swift", "QueueBytes.swift", "SavedQueueCoding.swift", "RecentLists.swift",
             "UnitStateDecoding.swift", "Slot.swift", "SongOpinion.swift", "ValueText.swift", "WireFields.swift"}, names)

    def test_lines_that_can_trap_are_found_and_others_are_not(self):
        for line, expected in {
            "let a = (entry.milliseconds + 500) / 1000": ["+"],
            "entry.milliseconds = UInt32(seconds) * 1000": ["UInt32(", "*"],
            "number += 1": ["+="],
            "let a = total / count": ["/"],
            "a[b] = Dictionary(uniqueKeysWithValues: pairs)": ["Dictionary(uniqueKeysWithValues:"],
            "let a = list.first!": ["t!"],
            'let a = "\\(number - 1)"': ["-"],
            "let a = number &+ 1": [],
            "let a = Int(clamping: number)": [],
            "let a = Int(exactly: number) ?? 0": [],
            'let a = text + "x + y"': [],
            "let a = [1] + bytes": [],
            "let a = 4 * 1024": [],
            "let a = number % 7": [],
            "let a = number + 1  // in range: number has eight bits": [],
            "let a = number + 1  // in range:": ["+"],
            "return -1  // a + b": [],
        }.items():
            self.assertEqual(traps(line), expected, line)


class Packages(unittest.TestCase):
    def test_package_of_each_c_library_is_installed_on_the_host_and_for_the_image(self):
        for name in ("host/packages.list", "packages.list"):
            listed = set(re.findall(r"^([a-z0-9][^ ]*) ", (PROJECT / "board" / name).read_text(), re.M))
            self.assertEqual(library_packages() - listed, set(), name)


class Drawing(unittest.TestCase):
    def test_drawing_has_the_dependencies_of_the_package(self):
        text = html.unescape((PROJECT / "docs" / "modules.svg").read_text())
        drawn = set(re.findall(r"<title>([\w-]+)->([\w-]+)</title>", text))
        self.assertEqual(drawn, edges(shipped()), "the drawing is out of date; `make graph` renews it")


class Pages(unittest.TestCase):
    PAGES = ["README.md", *tracked("docs/*.md", "Sources/*/README.md", "board/*/README.md")]
    # The list of changes can name files that no longer exist.
    PRESENT = [page for page in PAGES if page != "docs/CHANGELOG.md"]
    # The tests check paths that begin with one of these names. Other texts are paths on the unit, or are
    # not paths.
    ROOTS = ("Sources/", "Tests/", "board/", "docs/", "rootfs-overlay/", ".ci/")

    def test_path_that_a_page_names_exists(self):
        for page in self.PRESENT:
            text = (PROJECT / page).read_text()
            for name in re.findall(r"`((?:[\w.@+-]+/)+[\w.@*+-]*)`", text):
                if name.startswith(self.ROOTS):
                    with self.subTest(page=page, name=name):
                        pattern = name.rstrip("/").replace("/NAME/", "/*/")
                        self.assertTrue(list(PROJECT.glob(pattern)))

    def test_name_of_swift_that_a_page_has_exists(self):
        files = {name: (PROJECT / name).read_text() for name in tracked("*.swift")}
        folders = {part for name in tracked("Sources") for part in Path(name).parts}
        names = SwiftNames(files, {*folders, *modules()})
        # The page about tests contains names of Python.
        pages = [page for page in self.PRESENT if page.startswith(("docs/", "Sources/")) and page != "docs/testing.md"]
        unknown = {page: found for page in pages if (found := names.unknown((PROJECT / page).read_text()))}
        self.assertEqual(unknown, {}, "see Tests/Structure/swift_names.py")

    def test_quoted_source_is_in_its_file(self):
        page = (PROJECT / "docs/CONTRIBUTING.md").read_text()
        for name, block in re.findall(r"\(`(\S+\.swift)`\):\n\n```swift\n(.*?)```", page, re.DOTALL):
            lines = [line.strip() for line in (PROJECT / name).read_text().splitlines()]
            self.assertEqual([line for line in block.splitlines() if line.strip() not in lines], [], name)

    def test_link_of_a_page_leads_to_a_file(self):
        for page in self.PAGES:
            text = (PROJECT / page).read_text()
            for target in re.findall(r"\]\(([^)#\s]+)", text):
                if "://" not in target:
                    with self.subTest(page=page, target=target):
                        self.assertTrue((PROJECT / page).parent.joinpath(target).exists())

    def test_make_target_that_a_page_names_exists(self):
        targets = set(re.findall(r"^([\w-]+):", (PROJECT / "Makefile").read_text(), re.M))
        for page in self.PRESENT:
            for name in re.findall(r"`make ([a-z][\w-]*)", (PROJECT / page).read_text()):
                with self.subTest(page=page, name=name):
                    self.assertIn(name, targets)


if __name__ == "__main__":
    unittest.main()
