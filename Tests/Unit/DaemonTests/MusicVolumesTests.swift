import AudioCodecs
import Control
import EventLoop
import Foundation
import Glibc
import LibraryModel
import MusicFiles
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// The numbers of files of each stick, and the notices about them.
@Suite struct MusicVolumesTests {
  private func volume(_ path: String, _ mount: String = "1", isStick: Bool = true) -> MusicVolume {
    MusicVolume(path: path, mount: mount, name: "STICK", isStick: isStick)
  }

  private func count(_ causes: [UnplayableFile.Cause: Int], playable: Int = 0) -> VolumeCount {
    var count = VolumeCount()
    for _ in 0..<playable { count.addPlayable() }
    for (cause, number) in causes { for _ in 0..<number { count.add(cause) } }
    return count
  }

  @Test func errorsOfSongs_areForgottenWithTheirStick_andHaveALimit() {
    let (media, stick) = (volume("/media", "1", isStick: false), volume("/media/a", "2"))
    let present = [media, stick]
    var errors = SongErrors()
    errors.addReadError("/media/a/1.flac") { present }
    errors.addReadError("/media/a/1.flac") { present }
    errors.addDamage("/media/a/2.flac") { present }
    errors.addDamage("/media/3.flac") { present }
    errors.keep(present)
    #expect(errors.readErrors == ["/media/a/1.flac": 2])
    #expect(errors.damaged == ["/media/a/2.flac", "/media/3.flac"])
    // The same stick is inserted again.
    errors.keep([media, volume("/media/a", "3")])
    #expect(errors.readErrors == [:] && errors.damaged == ["/media/3.flac"])
    for number in 0..<2 * SongErrors.limit { errors.addDamage("/media/\(number)") { [media] } }
    #expect(errors.damaged.count == SongErrors.limit)
    errors.addReadError("/media/3.flac") { [media] }
    #expect(errors.readErrors == ["/media/3.flac": 1])
  }

  @Test func anEmptyFolderOfTheUnit_isNoSource_alsoWhileItWaits() {
    func report(
      _ identity: String, _ condition: VolumeReport.Condition, songs: Int = 0
    ) -> VolumeReport {
      VolumeReport(identity: identity, label: "", condition: condition, songs: songs)
    }
    func shown(_ reports: VolumeReport...) -> [String] {
      reports.withoutEmptyFolders(["stick 1": volume("/media/a")]).map(\.identity)
    }
    let (music, media) = ("folder /data/music", "folder /media")
    #expect(shown(report(music, .ready, songs: 16), report(media, .waiting)) == [music])
    #expect(shown(report(music, .ready, songs: 16), report(media, .empty)) == [music])
    #expect(shown(report(music, .ready, songs: 16), report(media, .ready)) == [music])
    #expect(shown(report(music, .ready, songs: 16), report(media, .listing(0))) == [music])
    #expect(shown(report(music, .waiting, songs: 16), report(media, .ready, songs: 1)).count == 2)
    // At the first start no songs are known yet. So the folder `/data/music` is shown while it waits for its scan.
    #expect(shown(report(music, .waiting), report(media, .empty)) == [music])
    #expect(shown(report(media, .unreadable), report(music, .ready, songs: 1)).count == 2)
    #expect(shown(report("stick 1", .waiting), report("stick 2", .empty)).count == 2)
  }

  private func notices(_ count: VolumeCount, isStick: Bool = true) -> [UnitNotice] {
    var volumes = MusicVolumes()
    let stick = volume("/media/a", isStick: isStick)
    volumes.apply(["/media/a": count], of: [stick], present: [stick])
    return volumes.takeNotices()
  }

  private func unplayable(_ count: Int, _ formats: String...) -> UnitNotice {
    UnitNotice(
      .filesUnplayable, about: "STICK", files: UnplayableFormats(count: count, formats: formats))
  }

  @Test func notice_countsAllFiles_andNamesTheFormatsByTheirNumbers() {
    #expect(notices(count([.format(.aac): 3])) == [unplayable(3, "AAC")])
    let mixed = count(
      [
        .format(.aac): 3, .format(.wma): 7, .format(.text): 9, .empty: 1, .other: 1, .coding: 2,
        .folder: 1,
      ], playable: 5)
    #expect(notices(mixed) == [unplayable(23, "WMA", "AAC")])
    #expect(
      mixed.details == "9 text, 7 WMA, 3 AAC, 2 unsupported coding, 1 damaged or unknown, 1 empty")
  }

  @Test func stickWithoutMusic_hasANotice_butNotAFolderOfTheUnit() {
    let none = [UnitNotice(.noMusic, about: "STICK")]
    #expect(notices(VolumeCount()) == none)
    #expect(notices(count([.format(.text): 2, .other: 1])) == none)
    #expect(notices(VolumeCount(), isStick: false).isEmpty)
    #expect(notices(count([.other: 1], playable: 1)).isEmpty)
    // The stick could not be read, so it is unknown whether it contains music.
    #expect(notices(count([.folder: 1])).isEmpty)
  }

  /// Files are unreadable if the stick was pulled during the search. So they cause no notice. A search that has reached
  /// a limit (`wasCut`) causes no notice either.
  @Test func filesThatCannotBeRead_areNotCounted_andAreNoReasonForANotice() {
    #expect(notices(count([.unreadable: 2000])).isEmpty)
    #expect(notices(count([.unreadable: 2000, .format(.aac): 3])) == [unplayable(3, "AAC")])
    var volumes = MusicVolumes()
    let stick = volume("/media/b")
    volumes.apply([:], of: [stick], present: [stick], wasCut: true)
    #expect(volumes.takeNotices().isEmpty && volumes.takeLines().isEmpty)
  }

  @Test func pathsOfAVolume_areNewOnce() {
    var volumes = MusicVolumes()
    let (folder, stick) = (volume("/media", isStick: false), volume("/media/a"))
    volumes.apply([:], of: [folder], present: [folder])
    #expect(volumes.takeNewPaths()("/media/x.m4a"))
    volumes.apply([:], of: [folder, stick], present: [folder, stick])
    let isNew = volumes.takeNewPaths()
    #expect(isNew("/media/a/x.m4a") && !isNew("/media/x.m4a"))
    #expect(!volumes.takeNewPaths()("/media/a/x.m4a"))
  }

  @Test(.enabled(if: MemoryFileSystem.obstacle == nil, "needs the right to mount"))
  func mountBelowAHiddenName_isNoStick_andASlashAtTheEndOfTheFolderIsIgnored() throws {
    let folder = try TemporaryFolder()
    let sticks = try ["m/a", "m/.b"].map { try MemoryFileSystem(at: folder.path($0)) }
    defer { for stick in sticks { stick.end() } }
    let found = MusicVolume.all(in: [folder.path("m") + "/"])
    #expect(found.map(\.path) == [folder.path("m"), folder.path("m/a")])
    #expect(MusicVolume.all(in: [folder.path("m")]) == found)
  }

  @Test func summary_namesTwoFormats() {
    #expect(count([.other: 1]).summary == nil)
    #expect(count([.format(.aac): 1]).summary == "AAC is not supported")
    #expect(count([.format(.protected): 1]).summary == "they are protected (DRM)")
    #expect(count([.format(.aac): 2, .format(.wma): 1]).summary == "AAC and WMA are not supported")
    let four: [UnplayableFile.Cause: Int] = [
      .format(.dsd): 1, .format(.ape): 2, .format(.aac): 9, .format(.wma): 8,
    ]
    #expect(count(four).summary == "AAC, WMA and 2 more are not supported")
  }

  @Test func notice_isTakenOnce_untilTheVolumeIsMountedAgain() {
    var volumes = MusicVolumes()
    let counts = ["/media/a": count([.format(.aac): 2])]
    let first = volume("/media/a", "1")
    volumes.apply(counts, of: [first], present: [first])
    #expect(volumes.takeNotices().count == 1 && volumes.takeLines().count == 1)
    // The folders are searched again.
    volumes.apply(counts, of: [first], present: [first])
    #expect(volumes.takeNotices().isEmpty && volumes.takeLines().isEmpty)
    // The stick was removed.
    volumes.apply([:], of: [], present: [])
    #expect(volumes.found.isEmpty && volumes.total == VolumeCount())
    let second = volume("/media/a", "2")
    volumes.apply(counts, of: [second], present: [second])
    #expect(volumes.takeNotices().count == 1 && volumes.takeLines().count == 1)
  }

  @Test func newStick_withTheNumberOfTheRemovedMount_hasItsOwnNotice() {
    var volumes = MusicVolumes()
    let stick = volume("/media/a", "1")
    let counts = ["/media/a": count([.format(.aac): 2])]
    volumes.apply(counts, of: [stick], present: [stick])
    #expect(volumes.takeNotices().count == 1)
    volumes.keep([])
    #expect(volumes.found.isEmpty)
    volumes.apply(counts, of: [stick], present: [stick])
    #expect(volumes.takeNotices().count == 1)
    // If only the name changes, the stick is not a new stick.
    let named = MusicVolume(path: "/media/a", mount: "1", name: "OTHER", isStick: true)
    volumes.apply(counts, of: [named], present: [stick])
    #expect(volumes.found.count == 1 && volumes.takeNotices().isEmpty)
  }

  @Test func volumeThatWasRemovedDuringTheSearch_isLeftOut() {
    var volumes = MusicVolumes()
    let (a, b) = (volume("/media/a"), volume("/media/b"))
    let counts = ["/media/b": count([:], playable: 3)]
    volumes.apply(counts, of: [a, b], present: [b])
    #expect(volumes.found.map(\.volume) == [b] && volumes.total.playable == 3)
    #expect(volumes.takeNotices().isEmpty)
  }

  @Test func volume_containsItselfAndAllBelowIt() {
    for path in ["/media/a", "/media/a/", "/media/a/b"] {
      #expect(MusicVolume.contains("/media/a", path) && MusicVolume.contains("/", path))
    }
    for path in ["/media", "/media/ab", "/media/A/b", ""] {
      #expect(!MusicVolume.contains("/media/a", path))
    }
  }

  @Test func label_isThatOfTheDevice() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("OTHER"), withDestinationPath: "../../sda1")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("MY\\x20STICK\\x2f\\x"), withDestinationPath: "../../sda11")
    func label(_ device: String) -> String? { VolumeLabel.of(device, links: folder.url.path) }
    #expect(label("/dev/sda1") == "OTHER")
    #expect(label("/dev/sda11") == "MY STICK/\\x")
    #expect(label("/dev/sda") == nil && label("stick") == nil)
    #expect(VolumeLabel.of("/dev/sda1", links: folder.path("missing")) == nil)
    #expect(VolumeLabel.unescaped("\\x20\\x20") == nil)
  }
}

/// The daemon and its music on real file systems.
@Suite struct UnplayableStickTests {
  private let aac: [UInt8] = [0xFF, 0xF1, 0x50, 0x83, 0xFF, 0xFF, 0xFC]

  /// The daemon counts more unplayable files than it stores.
  @Test func unplayableFiles_areCountedBeyondTheStoredOnes() throws {
    let home = try ServeProcess.Home()
    for index in 0..<1200 { try home.folder.write("music/\(index).m4a", aac) }
    try home.folder.write("music/a.wma", ASF.header)
    try home.folder.write("music/b.mp3", Array("text".utf8))
    try home.music("a", seconds: 1)
    let daemon = try ServeProcess(home)
    let line = try #require(daemon.waits(for: .musicUnsupported))
    #expect(line.contains(home.folder.path("music")) && line.contains("1202 files"))
    let storage = try ConsoleProcess(home.socket, ["storage"])
    // The console wraps a long row.
    let words = storage.output.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("1202 cannot be played: 1200 AAC, 1 WMA, 1 text"), "\(storage)")
    let status = try ConsoleProcess(home.socket, ["status"])
    #expect(status.output.contains("1202: AAC and WMA are not supported"), "\(status)")
    // Twenty files have their own lines, and one more line counts all other files.
    #expect(daemon.logged(.musicUnplayable, "1182"))
    let lines = daemon.log.filter { $0.starts(with: "music.unplayable: ") }.count
    // Another music folder is added, and all music folders are searched again. The lines must not be written again.
    try FileManager.default.createDirectory(
      atPath: home.folder.path("more"), withIntermediateDirectories: true)
    try home.folder.write("more/b.mp3", try home.folder.read("music/a.flac"))
    try home.configure([
      "music-folder = \(home.folder.path("music"))", "music-folder = \(home.folder.path("more"))",
    ])
    daemon.send(SIGHUP)
    #expect(daemon.waits(for: .musicFound, "2 files") != nil)
    #expect(daemon.end() == 0)
    #expect(daemon.log.filter { $0.starts(with: "music.unsupported: ") }.count == 1)
    #expect(daemon.log.filter { $0.starts(with: "music.unplayable: ") }.count == lines)
  }

  private enum ASF {
    static let header: [UInt8] = [
      0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
      0x6C,
    ]
  }

  @Test(.enabled(if: MemoryFileSystem.obstacle == nil, "needs the right to mount"))
  func stick_isReportedEachTimeItIsMounted_andForgottenWhenItIsRemoved() throws {
    let home = try ServeProcess.Home()
    try home.music("a", seconds: 1)
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    let loop = EventLoop()
    let client = ControlClient(loop, path: home.socket)
    var notices: [UnitNotice] = []
    client.onNotice = { notices.append($0) }
    client.follow(notices: true)
    client.start()
    try loop.turn { client.state == .connected }

    let path = home.folder.path("music/stick")
    var stick = try MemoryFileSystem(at: path)
    for name in ["a", "b"] { try home.folder.write("music/stick/\(name).m4a", aac) }
    #expect(daemon.waits(for: .musicUnsupported, path) != nil)
    try loop.turn { !notices.isEmpty }
    #expect(
      notices == [
        UnitNotice(
          .filesUnplayable, about: "stick", files: UnplayableFormats(count: 2, formats: ["AAC"]))
      ])
    #expect(try ConsoleProcess(home.socket, ["storage"]).output.contains("2 AAC"))

    stick.end()
    while try ConsoleProcess(home.socket, ["storage"]).output.contains("2 AAC") {}
    notices = []
    stick = try MemoryFileSystem(at: path)
    #expect(daemon.waits(for: .musicNone, path) != nil)
    try loop.turn { !notices.isEmpty }
    #expect(notices == [UnitNotice(.noMusic, about: "stick")])
    stick.end()
    #expect(daemon.end() == 0)
  }

  /// The notices that a screen receives if it connects after the search.
  private func notices(_ home: ServeProcess.Home) throws -> [UnitNotice] {
    let daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .musicFound) != nil)
    let loop = EventLoop()
    let client = ControlClient(loop, path: home.socket)
    var notices: [UnitNotice] = []
    client.onNotice = { notices.append($0) }
    client.follow(notices: true)
    client.start()
    try loop.turn { client.state == .connected }
    // The daemon answers in the order of the calls.
    var isAnswered = false
    client.call(Unit1.getFacts, .boot) { _ in isAnswered = true }
    try loop.turn { isAnswered }
    #expect(daemon.end() == 0)
    return notices
  }

  /// A stick often stays in the car for weeks, so its notice must not appear at each start.
  @Test func noticeAboutUnplayableFiles_isShownAgainOnlyIfTheyChange() throws {
    let home = try ServeProcess.Home()
    try home.folder.write("music/a.m4a", aac)
    #expect(
      try notices(home).map(\.files) == [UnplayableFormats(count: 1, formats: ["AAC"])])
    #expect(try notices(home).isEmpty)
    try home.folder.write("music/b.m4a", aac)
    #expect(
      try notices(home).map(\.files) == [UnplayableFormats(count: 2, formats: ["AAC"])])
  }
}
