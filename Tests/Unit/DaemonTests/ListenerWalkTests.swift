import AudioEngine
import Foundation
import LocalPlayer
import MusicFiles
import NowPlaying
import SystemClock
import TestKit
import Testing
import Threads

@testable import Daemon
@testable import UnitState

/// Random steps of a listener, of sticks and of a person at a computer, and power cuts. The files, the engine and the
/// saved queue are real; the sink needs no sound card.
@Suite struct ListenerWalkTests {
  private static let sticks = ["red", "blue"]
  private static let walks =
    ProcessInfo.processInfo.environment["AUTOHARP_WALKS"].flatMap { UInt64($0) } ?? 4

  private final class Bench {
    private let context: PartContext
    private let mounted = MountedVolumes()
    private(set) var engine = PlaybackEngine(sink: NullSink())
    private(set) var player: LocalPlayer
    private var saver: QueueSaver
    /// The state that the last step has left.
    private var state = UnitState()
    /// The current entry when the queue was saved last.
    private var savedCurrent: LocalPlayer.Entry.ID?
    var present = Set(ListenerWalkTests.sticks)
    /// The paths of the songs that a person has deleted.
    var deleted: Set<String> = []
    private let bytes: [UInt8]

    private var folder: TemporaryFolder { context.folder }

    init() throws {
      context = try PartContext()
      player = LocalPlayer(files: [], engine: engine, clock: { .now() })
      saver = Self.saver(player, mounted, UnitState(), context)
      let folder = context.folder
      try GeneratedMusic(channels: 1, rate: 8000, frames: 80_000).flac(folder, "song.flac", [])
      bytes = try folder.read("song.flac")
      for stick in ListenerWalkTests.sticks {
        try FileManager.default.createDirectory(
          atPath: folder.path(stick), withIntermediateDirectories: true)
        for song in 0..<6 { try folder.write("\(stick)/\(song).flac", bytes) }
      }
      sticksChanged()
      try readSavedQueue()
    }

    deinit {
      saver.shutDown()
      engine.shutDown()
    }

    // MARK: Sticks and songs

    func mount(_ stick: String) -> VolumeMount {
      mounted.present.volume("folder \(folder.path(stick))")
    }

    func plugOrUnplug(_ stick: String) {
      if present.remove(stick) == nil { present.insert(stick) }
      sticksChanged()
    }

    private func sticksChanged() {
      // A folder of the unit stands for each stick, because a stick would have to be mounted.
      let volumes = present.map {
        MusicVolume(path: folder.path($0), mount: "1", name: $0, isStick: false)
      }
      mounted.set(PresentVolumes(volumes, sticks: []))
      player.setVolumes { [mounted] in mounted.present.volume($0) }
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

    // MARK: Runs

    private static func saver(
      _ player: LocalPlayer, _ mounted: MountedVolumes, _ state: UnitState, _ context: PartContext
    ) -> QueueSaver {
      QueueSaver(
        player, mounted, folder: context.folder.path("data"), state: state, isHeld: false,
        context.turns, log: context.log)
    }

    private func readSavedQueue() throws {
      var entry = pollfd(
        fd: saver.store.openingDescriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&entry, 1, Int32(Hang.milliseconds)) > 0)
      _ = saver.restoreSaved()
    }

    /// Saves the queue and computes the state, as the daemon does in each turn.
    func save() {
      let number = saver.currentEntry?.number
      saver.update(at: .now())
      if saver.currentEntry?.number != number { savedCurrent = player.queue.currentID }
      state.queue = saver.currentEntry
      state.heard = saver.heard
      state.file = player.state.file.flatMap {
        FileLocation(
          path: Array($0.path.utf8), folderBytes: 0,
          stick: $0.volume.flatMap { volume in
            volume.path.map { (volume.identity, $0.utf8.count) }
          })
      }
    }

    /// Cuts the power, and starts again with what was saved. Everything that a listener had must be there again.
    /// - Parameter isStateLost: true if the power was cut after the queue of the last step was saved, and before the
    ///   state was saved.
    func restart(isStateLost: Bool, _ comment: Comment) throws {
      var old = state
      save()
      if !isStateLost { old = state }
      let (before, expected) = (player.queue, player.queue.saved)
      #expect(saver.store.flush(within: Hang.milliseconds))
      saver.shutDown()
      engine.shutDown()
      engine = PlaybackEngine(sink: NullSink())
      player = LocalPlayer(files: [], engine: engine, clock: { .now() })
      var damage = StoredDamage()
      let saved = try UnitState(decoding: old.encoded(), damage: &damage)
      #expect(damage.isEmpty)
      player.setRepeat(before.repeatMode)
      player.setShuffle(before.shuffleMode)
      saver = Self.saver(player, mounted, saved, context)
      try readSavedQueue()
      let after = player.queue
      guard before.isChosen, before.count > 0 else { return #expect(after.count == 0) }
      let isQueueNewer = old.queue?.number != state.queue?.number
      let current = isQueueNewer ? savedCurrent : old.queue?.entry.number
      #expect(after.ids == before.ids && after.currentID == current, comment)
      #expect(after.entries.map(\.id) == before.entries.map(\.id), comment)
      #expect(after.entries.map(\.item.title) == before.entries.map(\.item.title), comment)
      #expect(after.shuffleMode == before.shuffleMode && !after.canUndo, comment)
      #expect(after.absent == before.absent, comment)
      #expect(after.context == before.context && after.isEmptied == before.isEmptied, comment)
      #expect(after.hasEnded == before.hasEnded && after.saved.lastList == expected.lastList)
      guard !isStateLost else { return }
      let known = Set(before.ids)
      #expect(after.heard == before.heard.filter(known.contains), comment)
      #expect(
        after.saved.wishes.filter { $0.key != current }
          == expected.wishes.filter { $0.key != current }, comment)
      #expect(after.preceding == before.preceding, comment)
      #expect(after.upNext(limit: 20).map(\.id) == before.upNext(limit: 20).map(\.id), comment)
    }

    // MARK: Sound

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
    }
  }

  /// Whenever the listener wants music and a song can be opened, a song is heard. A power cut changes nothing.
  @Test(arguments: 1...walks)
  func whileMusicIsWanted_aSongIsHeard_afterAnySteps(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let bench = try Bench()
    var operations: [Int] = []
    let context = QueueContext(list: "list", title: "List")
    for step in 0..<150 {
      let operation = random.below(17)
      operations.append(operation)
      let place = Comment(rawValue: "step \(step), the last operations \(operations.suffix(8))")
      var player = bench.player
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
        bench.plugOrUnplug(Self.sticks[random.below(2)])
      case 12: player.previous()
      case 13: player.stop()
      case 14:
        try bench.restart(isStateLost: random.chance(30), place)
        player = bench.player
      case 15:
        player.extend(
          with: bench.songs(3, &random), from: QueueContext(list: "\(step)", title: "Further"))
      default: player.next()
      }
      // The daemon stops a song whose stick is gone, and *play* then begins with a song that is there.
      if player.queue.current?.item.isAbsent == true { player.stop() }
      // After a power cut, *play* begins with the song that was current.
      let begins = operation == 14 && !player.queue.hasEnded ? player.queue.current : nil
      if player.state.isStopped { player.resume() }
      let isPossible = { player.queue.entries.contains(where: bench.canPlay) }
      try bench.wait(place) { bench.isHeard || !isPossible() || player.state.isStopped }
      if let begins, bench.canPlay(begins), !player.state.isStopped {
        #expect(player.queue.currentID == begins.id, place)
      }
      // What was asked for can be at the end of the queue, behind songs that cannot be opened. *Play* then finds the
      // song that can be.
      if player.state.isStopped, isPossible() {
        #expect(player.resume(), place)
        try bench.wait(place) { bench.isHeard }
      }
      bench.save()
    }
  }
}
