import Control
import EventLoop
import Glibc
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests many, slow and faulty clients. The tests run one after the other, because each needs many file descriptors.
@Suite(.serialized) struct LoadTests {
  init() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 16384)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  @Test func thousandClients_receiveEachState() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // Each client needs four descriptors of the server and one of its own.
    let count = min(1000, (Int(limit.rlim_cur) - 200) / 5)
    try #require(count >= 100)
    var limits = PeerListener.Limits()
    limits.peersOfUser = limits.peers
    let bench = try Bench(limits: limits)
    var revisions = [Int](repeating: 0, count: count)
    var clients: [ControlClient] = []
    for index in 0..<count {
      let client = ControlClient(bench.loop, path: bench.path, policy: Bench.policy)
      client.onNowPlaying = { revisions[index] = $0.revision }
      client.subscribe()
      client.start()
      clients.append(client)
    }
    let first = bench.center.state.revision
    try bench.loop.turn { revisions.allSatisfy { $0 == first } }
    #expect(bench.server?.peerCount == count)
    // One client sends a command, and all clients get the new state.
    _ = try bench.answer { clients[0].call(Commands1.send, SentCommand(.media(.next)), $0) }
    let second = bench.center.state.revision
    #expect(second > first)
    try bench.loop.turn { revisions.allSatisfy { $0 == second } }
    clients = []
    try bench.loop.turn { bench.server?.peerCount == 0 }
  }

  /// A connected client on the event loop `idle`. The client reads only while the test runs steps of this loop.
  private func client(of bench: Bench, on idle: EventLoop) throws -> ControlClient {
    let client = ControlClient(idle, path: bench.path, policy: Bench.policy)
    client.start()
    try step(bench, idle) { client.state == .connected }
    return client
  }

  private func step(_ bench: Bench, _ idle: EventLoop, until condition: () -> Bool) throws {
    try bench.loop.turn {
      while (try? idle.step()) == true {}
      return condition()
    }
  }

  @Test func followerOfTheLogThatNeverReads_isDisconnected_andOthersAreServed() throws {
    let bench = try Bench()
    let idle = EventLoop()
    let nonReader = try client(of: bench, on: idle)
    var received = 0
    nonReader.onLog = { _ in received += 1 }
    nonReader.follow(log: true)
    var isFollowing = false
    nonReader.call(Unit1.getFacts, .boot) { _ in isFollowing = true }
    try step(bench, idle) { isFollowing }
    bench.unit.outbox.put(.line(LogLine(at: .zero, severity: .info, text: "first")))
    try step(bench, idle) { received > 0 }
    let client = try bench.client()
    var revision = 0
    client.onNowPlaying = { revision = $0.revision }
    client.subscribe()
    var count = 0
    while bench.endings.isEmpty, count < 10_000 {
      bench.unit.outbox.put(
        .line(LogLine(at: .seconds(count), severity: .info, text: "line \(count)")))
      count += 1
      try bench.loop.step()
    }
    #expect(bench.endings == [.tooSlow])
    bench.source.go(to: 1)
    try bench.loop.turn { revision == bench.center.state.revision }
    #expect(bench.server?.peerCount == 1)
    #expect(bench.server?.clientBytes == 0)
  }

  @Test func subscriberThatReadsSlowly_receivesTheNewestState_andNoBacklog() throws {
    let bench = try Bench()
    let idle = EventLoop()
    let slow = try client(of: bench, on: idle)
    var revisions: [Int] = []
    slow.onNowPlaying = { revisions.append($0.revision) }
    slow.subscribe()
    try step(bench, idle) { !revisions.isEmpty }
    revisions = []
    for index in 0..<5000 {
      bench.source.go(to: index % 4)
      try bench.loop.step()
      // For the slow client, at most one message waits in the daemon. The messages before it are in the buffer of the
      // kernel.
      #expect((bench.server?.clientBytes ?? 0) < 64 << 10)
    }
    try step(bench, idle) { revisions.last == bench.center.state.revision }
    #expect(revisions.count < 200 && revisions == revisions.sorted())
    #expect(bench.server?.peerCount == 1)
  }

  /// Many clients do not read the large answers that they request. The memory of all these clients has one limit.
  @Test func manyClientsThatNeverRead_stayWithinTheSharedLimit() throws {
    let bench = try Bench()
    let limit = PeerListener.Limits().bytesOfUser
    let text = String(repeating: "x", count: 4000)
    bench.unit.log = (0..<1000).map { .init(at: .seconds($0), severity: .info, text: text) }
    let idle = EventLoop()
    let clients = try (0..<40).map { _ in try client(of: bench, on: idle) }
    var largest = 0
    for client in clients {
      client.call(Unit1.getLog, 1000) { _ in }
      while (try? idle.step()) == true {}
      for _ in 0..<20 { try bench.loop.step() }
      largest = max(largest, bench.server?.clientBytes ?? 0)
    }
    #expect(largest > limit / 2 && largest <= limit)
    #expect(!bench.endings.isEmpty && bench.endings.allSatisfy { $0 == .overBudget })
    // The server has disconnected the clients with the most unread data. So a client that reads is still served.
    let reader = try bench.client()
    #expect(try bench.answer { reader.call(Unit1.getLog, 1000, $0) }.get().count > 100)
  }

  @Test func invalidMessage_disconnectsOnlyItsClient() throws {
    let bench = try Bench()
    let client = try bench.client()
    let huge: [UInt8] = [0x6C, 1, 0, 1, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0]
    for bytes in [huge, Array("nonsense, and more of it".utf8)] {
      let raw = try bench.rawClient()
      _ = bytes.withUnsafeBytes { send(raw, $0.baseAddress, $0.count, 0) }
      let count = bench.endings.count
      try bench.loop.turn { bench.endings.count == count + 1 }
      close(raw)
    }
    #expect(bench.endings == [.oversizedMessage, .malformedMessage])
    // `ControlClient` itself refuses to send messages that are too long.
    let text = String(repeating: "x", count: 2 << 20)
    let answer = try bench.answer { client.call(Commands1.playQueueItem, text, $0) }
    guard case .failure(.refused) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(try bench.answer { client.call(Unit1.getFacts, .audio, $0) }.get().sections.count == 2)
  }

  @Test func tooLongAnswer_isAnErrorForTheCaller() throws {
    let bench = try Bench()
    let client = try bench.client()
    bench.unit.factsLength = 100_000
    guard
      case .failure(.refused(let refusal)) = try bench.answer({
        client.call(Unit1.getFacts, .audio, $0)
      })
    else {
      Issue.record("no error")
      return
    }
    #expect(refusal.code == .failed)
    bench.unit.factsLength = 1
    #expect(try bench.answer { client.call(Unit1.getFacts, .audio, $0) }.get().sections.count == 2)
  }

  @Test func longLog_isTruncatedAtItsBeginning() throws {
    let bench = try Bench()
    let client = try bench.client()
    let text = String(repeating: "x", count: 5000)
    bench.unit.log = (0..<2000).map {
      .init(at: .seconds($0), severity: .info, text: "\($0) \(text)")
    }
    let lines = try bench.answer { client.call(Unit1.getLog, 100_000, $0) }.get()
    #expect(lines.count > 400 && lines.count < 1000)
    #expect(lines.last?.text.hasPrefix("1999 ") == true)
  }
}
