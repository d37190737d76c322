import AudioEngine
import Foundation
import MusicFiles
import NowPlaying
import TestKit
import Testing
import Threads

@testable import LocalPlayer

/// Random steps of a listener, of sticks and of a person at a computer, with real files, the real engine and a sink
/// without a sound card.
@Suite struct ListenerWalkTests {
  private static let sticks = ["red", "blue"]

  private final class Bench {
    let folder: TemporaryFolder
    let engine = PlaybackEngine(sink: NullSink())
    let player: LocalPlayer
    var present = Set(ListenerWalkTests.sticks)
    /// The paths of the songs that a person has deleted.
    var deleted: Set<String> = []
    private let bytes: [UInt8]

    init() throws {
      folder = try TemporaryFolder()
      try GeneratedMusic(channels: 1, rate: 8000, frames: 80_000).flac(folder, "song.flac", [])
      bytes = try folder.read("song.flac")
      player = LocalPlayer(files: [], engine: engine)
      for stick in ListenerWalkTests.sticks {
        try FileManager.default.createDirectory(
          atPath: folder.path(stick), withIntermediateDirectories: true)
        for song in 0..<6 { try folder.write("\(stick)/\(song).flac", bytes) }
      }
    }

    deinit { engine.shutDown() }

    func mount(_ stick: String) -> VolumeMount {
      VolumeMount(identity: stick, path: present.contains(stick) ? folder.path(stick) : nil)
    }

    func songs(_ count: Int, _ random: inout SeededRandom) -> [MusicFile] {
      var list = MusicFileList()
      for _ in 0..<count {
        let (stick, song) = (ListenerWalkTests.sticks[random.below(2)], random.below(6))
        list.add(
          mount(stick), path: "\(song).flac", title: "\(stick) \(song)", artist: nil,
          album: "\(stick) \(song / 3)", seconds: 10)
      }
      return list.take()
    }

    func delete(_ stick: String, _ song: Int, _ isDeleted: Bool) throws {
      let path = "\(stick)/\(song).flac"
      if isDeleted {
        try? FileManager.default.removeItem(atPath: folder.path(path))
        deleted.insert(path)
      } else if deleted.remove(path) != nil {
        try folder.write(path, bytes)
      }
    }

    /// True if the file of this entry can be opened.
    func canPlay(_ entry: LocalPlayer.Entry) -> Bool {
      !entry.item.isAbsent && FileManager.default.fileExists(atPath: entry.item.path)
    }

    /// Handles events until the condition holds.
    func wait(_ comment: Comment, _ condition: () -> Bool) throws {
      let limit = ContinuousClock.now + Hang.limit
      while true {
        _ = player.handleEvents()
        if condition() { return }
        try #require(ContinuousClock.now < limit, comment)
        var entry = pollfd(fd: engine.wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, 5)
      }
    }

    /// True if the current song is heard.
    var isHeard: Bool {
      !player.state.isStopped && !player.isSeeking && player.state.description != nil
        && player.queue.current.map(canPlay) == true
    }
  }

  /// Whenever the listener wants music and a song can be opened, a song is heard.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func whileMusicIsWanted_aSongIsHeard_afterAnySteps(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let bench = try Bench()
    let player = bench.player
    var operations: [Int] = []
    let context = QueueContext(list: "list", title: "List")
    for step in 0..<150 {
      let operation = random.below(15)
      operations.append(operation)
      let place = Comment(rawValue: "step \(step), the last operations \(operations.suffix(8))")
      let entry = player.queue.entries.randomElement(using: &random)
      switch operation {
      case 0:
        player.choose(
          bench.songs(4 + random.below(5), &random), first: random.chance(50) ? 0 : nil,
          shuffled: random.chance(30), from: context)
      case 1: player.insert(bench.songs(2, &random), .next)
      case 2: player.insert(bench.songs(2, &random), .last)
      case 3: if let entry { _ = player.remove(entry: entry.id) }
      case 4: if let entry { _ = player.move(entry: entry.id, before: nil) }
      case 5: if random.chance(30) { player.clearQueue() }
      case 6: _ = player.undoQueue()
      case 7: player.setShuffle(MediaCommand.ShuffleMode.allCases.randomElement(using: &random)!)
      case 8: player.setRepeat(MediaCommand.RepeatMode.allCases.randomElement(using: &random)!)
      case 9: if let entry { _ = player.play(entry: entry.id) }
      case 10:
        try bench.delete(Self.sticks[random.below(2)], random.below(6), random.chance(60))
      case 11:
        let stick = Self.sticks[random.below(2)]
        if bench.present.remove(stick) == nil { bench.present.insert(stick) }
        player.setVolumes(bench.mount)
      case 12: player.previous()
      case 13: player.stop()
      default: player.next()
      }
      // The daemon stops a song whose stick is gone, and *play* then begins with a song that is there.
      if player.queue.current?.item.isAbsent == true { player.stop() }
      if player.state.isStopped { player.resume() }
      let isPossible = { player.queue.entries.contains(where: bench.canPlay) }
      try bench.wait(place) { bench.isHeard || !isPossible() || player.state.isStopped }
      // What was asked for can be at the end of the queue, behind songs that cannot be opened. *Play* then finds the
      // song that can be.
      if player.state.isStopped, isPossible() {
        #expect(player.resume(), place)
        try bench.wait(place) { bench.isHeard }
      }
    }
  }
}
