import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon

/// The control socket with all parts of the daemon, but without `UnitDaemon`. The clients are real.
@Suite struct ControlSocketTests {
  private let bench: PartsBench
  private var context: PartContext { bench.context }

  init() throws { bench = try PartsBench() }

  private func socket(_ path: String) -> ControlSocket {
    ControlSocket(
      context.loop, bench.control, path: path, lock: nil, context.turns, log: context.log)
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func messages_reachTheClientsThatFollowThem_inTheTurn() throws {
    let path = context.folder.path("control")
    let socket = socket(path)
    socket.open()
    #expect(context.logged(.controlListening) == 0, "only a failure before makes it news")
    context.onTurn = { socket.update() }
    var policy = ClientPolicy()
    policy.serviceName = nil
    let client = ControlClient(context.loop, path: path, policy: policy)
    var notices: [UnitNotice] = []
    client.onNotice = { notices.append($0) }
    client.follow(notices: true)
    client.start()
    try context.loop.turn { client.state == .connected }
    var isAnswered = false
    client.call(NowPlaying1.state.get) { _ in isAnswered = true }
    try context.loop.turn { isAnswered }
    context.outbox.put(.notice(UnitNotice(.outputGone)))
    try context.loop.turn { !notices.isEmpty }
    #expect(notices == [UnitNotice(.outputGone)])
    socket.close()
    #expect(!exists(path))
  }

  @Test func socketThatCannotBeOpened_isReportedOnce_andOpenedLater() throws {
    let folder = context.folder.path("later")
    let socket = socket("\(folder)/control")
    for _ in 1...2 { socket.open() }
    #expect(context.logged(.controlFailed) == 1)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try context.loop.turn { context.logged(.controlListening) == 1 }
    #expect(exists("\(folder)/control") && context.logged(.controlFailed) == 1)
    socket.close()
  }

  @Test func pathOfAnotherProcess_isTakenWhenItIsFree() throws {
    let path = context.folder.path("control")
    var other: SocketLock? = try SocketLock(socket: path)
    let socket = socket(path)
    socket.open()
    #expect(context.logged(.controlFailed) == 1 && !exists(path) && other != nil)
    other = nil
    try context.loop.turn { exists(path) }
    #expect(context.logged(.controlListening) == 1)
    socket.close()
  }

  /// Messages are dropped while no server runs. Otherwise the first client would receive old messages.
  @Test func update_withoutAServer_dropsTheMessages() {
    let socket = socket(context.folder.path("missing/control"))
    socket.open()
    context.outbox.put(.notice(UnitNotice(.outputGone)))
    socket.update()
    #expect(context.outbox.take().isEmpty)
    socket.close()
  }
}
