import AudioEngine
import EventLoop
import Foundation
import HeadUnit
import LibraryModel
import LocalPlayer
import MusicFiles
import NowPlaying
import Reports
import Settings
import SystemClock
import TestKit
import Testing

@testable import Daemon
@testable import UnitState

/// Saving the queue in a real store, without the daemon.
@Suite struct QueueSaverTests {
  private let folder: TemporaryFolder
  private let unit = HeadUnit(files: [], sink: NullSink())
  private let parts: QueueParts
  private var saver: QueueSaver { parts.saver }

  init() throws {
    folder = try TemporaryFolder()
    parts = Self.parts(unit, folder, UnitLog(level: .info))
  }

  /// Creates the parts of a queue. The library is off.
  private static func parts(
    _ unit: HeadUnit, _ folder: TemporaryFolder, _ log: UnitLog
  ) -> QueueParts {
    let loop = EventLoop()
    let (mounted, turns, settings) = (MountedVolumes(), Turns(loop), Settings())
    let library = UnitLibrary(
      loop, settings, absence: .off, configurationFiles: [], socket: folder.path("control"), turns,
      log: log)
    return QueueParts(
      unit, UnitLists(UnitPlaylists(loop, settings, mounted, turns, log: log), library), mounted,
      folder: folder.path(""), turns, log: log)
  }

  private func isReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// The control thread wakes up while the descriptor of the store is readable. If it stayed readable after each save,
  /// the thread would never sleep.
  @Test func restoreSaved_afterEachSave_makesTheDescriptorUnreadable() throws {
    defer {
      parts.shutDown()
      unit.shutDown()
    }
    let descriptor = saver.store.openingDescriptor
    try #require(isReadable(descriptor, milliseconds: Int32(Hang.milliseconds)))
    #expect(saver.restoreSaved() == nil)
    var list = MusicFileList()
    for name in ["a", "b", "c"] {
      list.add(nil, path: "/\(name).flac", title: name, artist: nil, album: nil, seconds: nil)
      unit.player.insert(list.take(), .last)
      saver.update(at: .now())
      try #require(isReadable(descriptor, milliseconds: Int32(Hang.milliseconds)))
      #expect(saver.store.flush(within: Hang.milliseconds))
      _ = saver.restoreSaved()
      #expect(!isReadable(descriptor, milliseconds: 0))
      #expect(!saver.isSaving(at: .now()))
    }
  }

  /// The saved state refers to the saved queue, so the queue must be on the medium first. But if the queue cannot be
  /// written, it must not delay the state for ever.
  @Test func isSaving_whileTheQueueIsNotOnTheMedium_isTrueForTwoSeconds() throws {
    let folder = try TemporaryFolder()
    let other = StateStore(folder: folder.path(""), name: "queue", layout: .queue)
    #expect(other.opening(within: Hang.milliseconds)?.payload == nil)
    let parts = Self.parts(unit, folder, UnitLog(level: .info) { _ in })
    defer {
      parts.shutDown()
      unit.shutDown()
    }
    let saver = parts.saver
    try #require(isReadable(saver.store.openingDescriptor, milliseconds: Int32(Hang.milliseconds)))
    #expect(saver.restoreSaved() == nil)
    insert(["a"], seconds: 5, unit)
    let now = MonotonicInstant.now()
    #expect(!saver.isSaving(at: now))
    saver.update(at: now)
    #expect(saver.currentEntry?.number == 1)
    #expect(saver.isSaving(at: now) && saver.isSaving(at: now.advanced(by: .milliseconds(1999))))
    #expect(!saver.isSaving(at: now.advanced(by: .seconds(2))))
    #expect(
      other.shutDown(within: Hang.milliseconds) && saver.store.flush(within: Hang.milliseconds))
    #expect(!saver.isSaving(at: now))
  }

  /// Creates a unit with this saved queue, restores the queue, and calls `body`.
  private func restored(
    _ payload: [UInt8], _ body: (QueueParts, HeadUnit, UnitLog) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("queue", Slot(sequence: 1, payload: payload).encoded)
    let unit = HeadUnit(files: [], sink: NullSink())
    let log = UnitLog(level: .info) { _ in }
    let parts = Self.parts(unit, folder, log)
    defer {
      parts.shutDown()
      unit.shutDown()
    }
    try #require(
      isReadable(parts.saver.store.openingDescriptor, milliseconds: Int32(Hang.milliseconds)))
    _ = parts.saver.restoreSaved()
    try body(parts, unit, log)
  }

  private func insert(_ names: [String], seconds: Double, _ unit: HeadUnit) {
    var list = MusicFileList()
    for name in names {
      list.add(
        nil, path: "/\(name).flac", title: name, artist: nil, album: nil, seconds: seconds)
    }
    unit.player.insert(list.take(), .next)
  }

  private func seed(_ name: String) throws -> [UInt8] {
    let bytes = try Data(contentsOf: ProjectFile.url("Tests/Fuzz/state/\(name)"))
    return Array(bytes.dropFirst())
  }

  @Test func restoreSaved_numberOf64Bits_isRefused_andTheNextQueueIsSaved() throws {
    try restored(seed("queue-number-of-64-bits")) { parts, unit, log in
      #expect(log.lines.map { String($0.text.prefix(15)) } == ["queue.unusable:"])
      insert(["a"], seconds: 5, unit)
      parts.saver.update(at: .now())
      #expect(parts.saver.currentEntry?.number == 1 && unit.player.count == 1)
    }
  }

  @Test func restoreSaved_doubledNumbers_keepsAllSongs_andTheyCanBeEditedAndSaved() throws {
    try restored(seed("queue-doubled-numbers")) { parts, unit, log in
      #expect(
        log.lines.map { String($0.text.prefix(15)) } == ["queue.repaired:", "queue.restored:"])
      #expect(unit.player.count == 5 && unit.player.queue.isShuffled)
      insert(["x", "y", "z"], seconds: 5, unit)
      unit.player.shuffleFromTheStart()
      parts.saver.update(at: .now())
      #expect(parts.saver.store.flush(within: Hang.milliseconds))
      let ids = unit.player.queue.ids
      #expect(Set(ids).count == 8 && ids.allSatisfy { EntryID($0) != nil })
    }
  }

  @Test func restoreSaved_valuesOf64Bits_areNotKnown() throws {
    try restored(seed("queue-values-of-64-bits")) { parts, unit, _ in
      #expect(unit.player.queue.entries.map(\.item.declaredSeconds) == [nil, nil, nil])
      #expect(parts.commands.report(first: 0, limit: 10).entries.allSatisfy { $0.duration == nil })
    }
  }

  /// The header of a FLAC file can state 99 days, and an MPEG header even more.
  @Test(arguments: [68_719_476_735.0 / 8000, 1e300, .infinity])
  func update_durationThatNoSongHas_isSavedAsNotKnown(seconds: Double) throws {
    try restored(SavedQueue().encoded(limit: .max).bytes) { parts, unit, _ in
      insert(["a"], seconds: seconds, unit)
      parts.saver.update(at: .now())
      let file = try #require(unit.player.queue.current?.item)
      #expect(file.declaredTime == .zero)
      let list = OwnPlaylist([OwnPlaylist.Entry(file)])
      #expect(OwnPlaylist(decoding: list.encoded()).entries.map(\.duration) == [.zero])
    }
  }
}
