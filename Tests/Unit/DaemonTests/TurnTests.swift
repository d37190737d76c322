import EventLoop
import HeadUnit
import LocalPlayer
import NowPlaying
import TestKit
import Testing

@testable import Daemon
@testable import Settings
@testable import UnitState

/// The order in which a turn updates the parts of the daemon, with a whole daemon.
@Suite struct TurnTests {
  @Test func queueIsSaved_beforeTheStateThatNamesIt() throws {
    let home = try ServeProcess.Home()
    try home.music("song", seconds: 600)
    let daemon = UnitDaemon(home) { $0.start = .paused }
    try daemon.begin()
    let player = daemon.unit.player
    try daemon.loop.turn { player.count == 1 && daemon.queueSaver.isRead }
    let song = try #require(player.queue.current?.item)
    player.insert([song], .last)
    daemon.turn()
    daemon.memory.saveLast()
    daemon.shutDown()
    let state = try #require(try SavedUnitState(home).latest)
    let store = StateStore(folder: home.folder.path("data"), name: "queue", layout: .queue)
    let opening = try #require(store.opening(within: Hang.milliseconds))
    defer { _ = store.shutDown(within: 0) }
    var entries = 0
    let queue = try SavedQueue(decoding: #require(opening.payload)) { _ in entries += 1 }
    #expect(entries == 2 && queue.number > 0)
    #expect(state.queue == .init(number: queue.number, entry: try #require(queue.current)))
  }
}
