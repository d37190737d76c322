import AudioEngine
import Foundation
import HeadUnit
import LocalPlayer
import MusicFiles
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing
import UnitState

@testable import Daemon

/// The queue of the daemon with a real store, without the daemon.
@Suite struct UnitQueueTests {
  private let folder: TemporaryFolder
  private let unit = HeadUnit(files: [], sink: NullSink())
  private let queue: UnitQueue

  init() throws {
    folder = try TemporaryFolder()
    queue = UnitQueue(
      unit, folder: folder.path(""), state: UnitState(), log: UnitLog(level: .info))
  }

  private func isReadable(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
  }

  /// A descriptor that stays readable keeps the control thread busy.
  @Test func takeSaved_afterEachSave_makesTheDescriptorUnreadable() throws {
    defer {
      queue.shutDown()
      unit.shutDown()
    }
    let descriptor = queue.store.openingDescriptor
    try #require(isReadable(descriptor, milliseconds: 30_000))
    #expect(queue.takeSaved() == nil)
    var list = MusicFileList()
    for name in ["a", "b", "c"] {
      list.add(nil, path: "/\(name).flac", title: name, artist: nil, album: nil, seconds: nil)
      unit.player.insert(list.take(), .last)
      queue.update(at: .now())
      try #require(isReadable(descriptor, milliseconds: 30_000))
      #expect(queue.store.flush(within: 30_000))
      _ = queue.takeSaved()
      #expect(!isReadable(descriptor, milliseconds: 0))
      #expect(!queue.isSaving(at: .now()))
    }
  }
}
