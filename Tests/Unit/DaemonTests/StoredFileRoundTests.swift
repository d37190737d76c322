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

@testable import Daemon
@testable import Settings
@testable import UnitState

/// Stored files that are damaged although their checksums are correct. `AUTOHARP_ROUNDS` sets the number of rounds.
@Suite struct StoredFileRoundTests {
  /// The files that the daemon reads at its start.
  enum File: String, CaseIterable {
    case state, queue, recent, settings
    case list, favourites, bookmarks, opinions

    var path: String {
      switch self {
      case .state, .queue, .recent: rawValue
      case .settings: "settings.conf"
      case .list: "playlists/list.m3u8"
      case .favourites: "playlists/Favourites.m3u8"
      case .bookmarks: "playlists/Bookmarks.m3u8"
      case .opinions: "playlists/.opinions.m3u8"
      }
    }

    var contents: [UInt8] {
      switch self {
      case .state: StoredFileSamples.state.encoded()
      case .queue: StoredFileSamples.queue.encoded(limit: .max).bytes
      case .recent: StoredFileSamples.recentLists.encoded(limit: .max)
      case .settings: Array(StoredFileSamples.settings.utf8)
      case .list, .favourites: StoredFileSamples.playlist().encoded()
      case .bookmarks: StoredFileSamples.playlist(bookmark: 5).encoded()
      case .opinions: StoredFileSamples.playlist(halfStars: 7).encoded()
      }
    }

    /// The check for the contents of this file.
    var check: StoredFileCheck {
      switch self {
      case .state: .state
      case .queue: .queue
      case .recent: .recentLists
      case .settings: .settings
      case .list, .favourites, .bookmarks, .opinions: .playlist
      }
    }

    /// The event that is logged if a part of `contents` is lost. Nil if no part is lost.
    func loss(of contents: [UInt8]) -> LogEvent? {
      switch self {
      case .state:
        var damage = StoredDamage()
        let state = try? UnitState(decoding: contents, damage: &damage)
        return state == nil ? .stateUnusable : damage.isEmpty ? nil : .stateRepaired
      case .queue:
        guard let queue = try? SavedQueue(decoding: contents) else { return .queueUnusable }
        return queue.damage.isEmpty ? nil : .queueRepaired
      case .recent:
        guard let lists = try? RecentLists(decoding: contents) else { return .positionsUnusable }
        return lists.damage.isEmpty ? nil : .positionsRepaired
      case .settings: return nil
      case .list, .favourites, .bookmarks, .opinions:
        return OwnPlaylist.read(contents) { _ in } == .damaged ? .playlistDamaged : nil
      }
    }
  }

  private static let given = ProcessInfo.processInfo.environment["AUTOHARP_ROUNDS"].flatMap {
    Int($0)
  }

  @Test(arguments: File.allCases)
  func read_damagedContents_keepsThePromises(file: File) throws {
    let contents = file.contents
    var mutator = StoredFileMutator(random: SeededRandom(UInt64(file.path.utf8.count)))
    for _ in 0..<(Self.given ?? 300) {
      let bytes = mutator.mutated(contents)
      do throws(StoredFileCheck.Fault) {
        try file.check.check(bytes)
      } catch {
        Issue.record("\(error.text): \(bytes)")
      }
    }
  }

  private let home: ServeProcess.Home

  init() throws {
    home = try ServeProcess.Home(["start = paused", "bluetooth = no"])
    try home.music("song", seconds: 1)
    for file in File.allCases { try write(file, file.contents) }
  }

  /// Writes the file as the unit does, with a correct checksum.
  private func write(_ file: File, _ contents: [UInt8]) throws {
    let bytes =
      switch file {
      case .state, .queue, .recent: Slot(sequence: 1, payload: contents).encoded
      default: contents
      }
    let path = home.folder.path("data/\(file.path)")
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Creates a whole daemon that reads its configuration from the files.
  private func daemon() -> UnitDaemon {
    let files = [home.folder.path("unit.conf")]
    let read = { @Sendable in
      Configuration(
        files: files, hasDriver: true,
        checks: SettingChecks(output: { _ in nil }, amplifier: { _ in nil }))
    }
    return UnitDaemon(
      UnitDaemon.Start(
        configuration: read(), readConfiguration: read,
        makeSink: { _, _, _ in NullSink(periodFrames: 512, bufferMilliseconds: 50) },
        version: "test"))
  }

  /// True if `file` is the queue, and the damaged state refers to a newer queue. The daemon cannot know that the state
  /// is wrong, so it can reject the queue as outdated.
  private static func isOlder(_ file: File, _ damaged: File, _ contents: [UInt8]) -> Bool {
    guard file == .queue, damaged == .state else { return false }
    let state = try? UnitState(decoding: contents)
    return state?.queue.map { $0.number > StoredFileSamples.queue.number } ?? false
  }

  @Test func start_aFileIsDamaged_saysSo_andKeepsTheOthers() throws {
    var mutator = StoredFileMutator(random: SeededRandom(1))
    for round in 0..<(Self.given ?? 24) {
      let damaged = File.allCases[round % File.allCases.count]
      let contents = mutator.mutated(damaged.contents)
      // The previous round has changed the files.
      for file in File.allCases { try write(file, file == damaged ? contents : file.contents) }
      let daemon = daemon()
      daemon.log.level = .info
      try daemon.begin()
      // A damaged state can contain failed starts, and then the daemon starts in safe mode.
      if daemon.thisRun.isSafeMode {
        #expect(damaged == .state)
        daemon.shutDown()
        continue
      }
      try daemon.unitLists.playlists.load(daemon.loop)
      try daemon.loop.turn {
        daemon.queueSaver.isRead && daemon.recentLists.isRead
          && daemon.logged(.musicFound)
      }
      for file in File.allCases
      where file != damaged && !Self.isOlder(file, damaged, contents) {
        #expect(daemon.has(file), "\(file.path), when \(damaged.path) is \(contents)")
      }
      if let event = damaged.loss(of: contents) {
        #expect(daemon.logged(event), "\(event.rawValue) of \(damaged.path): \(contents)")
      }
      #expect(daemon.unitSettings.configuration.driver.isDamaged == daemon.logged(.settingsDamaged))
      // Changes the data that was read, and saves it.
      let file = try #require(daemon.unit.player.queue.entries.first?.item)
      daemon.unit.player.insert([file], .next)
      var isDone = false
      let entry = OwnPlaylist.Entry(file)
      daemon.unitLists.playlists.change { store throws(PlaylistFailure) in
        try store.mark(entry, .bookmark(.zero))
      } _: { _ in
        isDone = true
      }
      daemon.queueSaver.update(at: .now())
      try daemon.loop.turn { isDone }
      daemon.shutDown()
    }
  }
}

extension UnitDaemon {
  fileprivate func logged(_ event: LogEvent) -> Bool {
    log.lines.contains { $0.text.hasPrefix("\(event.rawValue): ") }
  }

  fileprivate func has(_ file: StoredFileRoundTests.File) -> Bool {
    let playlists = unitLists.playlists
    func count(_ name: String) -> Int? {
      playlists.index.lists.first { $0.name.text == name }?.count
    }
    switch file {
    case .state:
      return unit.center.volume.stored.level == 425
        && memory.opened.phones == StoredFileSamples.state.phones
    case .queue: return unit.player.count == StoredFileSamples.queue.entries.count
    case .recent: return recentLists.lists.entries == StoredFileSamples.recentLists.entries
    case .settings: return settings.replayGain == .album && settings.skipInterval == .seconds(30)
    case .list: return count("list") == 6
    case .favourites: return playlists.index.songs.favourites.count == 6
    case .bookmarks: return playlists.index.songs.bookmarks.count == 6
    case .opinions: return playlists.index.songs.opinions.count == 6
    }
  }
}
