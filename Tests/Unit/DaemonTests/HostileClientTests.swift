import Control
import EventLoop
import Foundation
import Reports
import TestKit
import Testing

/// Clients that violate the rules of the protocol while music plays. The sound must continue, and other clients must
/// get answers.
@Suite(
  .serialized, .enabled(if: PacedPCM.obstacle == nil, "needs the paced PCM"))
struct HostileClientTests {
  /// A daemon that plays to a simulated sound card (``PacedPCM``).
  private final class Bench {
    let home: ServeProcess.Home
    let daemon: ServeProcess
    private let card: PacedPCM

    init() throws {
      card = try PacedPCM(.init())
      home = try ServeProcess.Home(["start = play", "output = car"])
      try home.music("a", seconds: 600)
      daemon = try ServeProcess(home, environment: try home.plugIn(card))
      #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil, "\(daemon.log)")
    }

    /// The number of bytes that the card has played.
    func played() throws -> Int { try card.captured().count }

    /// Checks that playback continues and that other clients get answers.
    func isWell(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
      let before = try played()
      let end = ContinuousClock.now + Hang.limit
      // 8000 × 4 bytes are more than the buffers can hold, so the daemon must have rendered new frames.
      while try played() < before + 8000 * 4, ContinuousClock.now < end { usleep(20_000) }
      #expect(
        try played() >= before + 8000 * 4, "the card plays no further frames",
        sourceLocation: sourceLocation)
      let status = try ConsoleProcess(home.socket, ["now"])
      #expect(status.status == 0, "\(status)", sourceLocation: sourceLocation)
      #expect(status.output.contains("playing"), "\(status)", sourceLocation: sourceLocation)
      #expect(daemon.isRunning, sourceLocation: sourceLocation)
    }

    func peer(authenticates: Bool = true) throws -> RawPeer {
      try #require(RawPeer(home.socket, authenticates: authenticates))
    }
  }

  private static let getState = call("GetState")
  private static func call(_ member: String) -> [UInt8] {
    RawPeer.call(
      path: ControlInterface.path, interface: NowPlaying1.interface.name, member: member)
  }

  /// The client sends calls and never reads an answer.
  @Test func clientThatNeverReads_isDisconnected() throws {
    let bench = try Bench()
    let nonReader = try bench.peer()
    #expect(nonReader.send(Self.call("Subscribe")))
    var calls = 0
    while calls < 1_000_000, nonReader.send(Self.getState) { calls += 1 }
    #expect(calls < 1_000_000)
    #expect(bench.daemon.waits(for: .clientDropped) != nil, "\(bench.daemon.log)")
    try bench.isWell()
    #expect(bench.daemon.end() == 0)
  }

  /// One user can have 512 clients. 500 clients are connected at the same time, so connections remain for the clients
  /// that check the daemon.
  @Test func fiveHundredClients_areServed() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 16384)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let bench = try Bench()
    // Each client needs four descriptors in the daemon.
    let count = min(500, (Int(limit.rlim_cur) - 200) / 5)
    try #require(count >= 100)
    var peers: [RawPeer] = []
    for _ in 0..<count {
      let peer = try bench.peer()
      #expect(peer.send(Self.call("Subscribe")))
      peers.append(peer)
    }
    for peer in peers { #expect(peer.receive()?.isEmpty == false) }
    try bench.isWell()
    // All clients disconnect at the same time. The second check runs while the daemon cleans up.
    peers = []
    try bench.isWell()
    #expect(bench.daemon.end() == 0)
  }

  @Test func invalidBytes_disconnectOnlyTheirClient() throws {
    let bench = try Bench()
    let huge: [UInt8] = [0x6C, 1, 0, 1, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0]
    let hugeFields: [UInt8] = [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255]
    var random = SystemRandomNumberGenerator()
    var messages = [huge, hugeFields, Array("nonsense, and more of it".utf8)]
    for _ in 0..<50 {
      // A message with one wrong bit. Many of these messages are still valid.
      var message = Self.getState
      let bit = Int.random(in: 0..<message.count * 8, using: &random)
      message[bit / 8] ^= 1 << (bit % 8)
      messages.append(message + Self.getState)
    }
    for (number, message) in messages.enumerated() {
      let peer = try bench.peer()
      #expect(peer.send(message))
      if number < 3 { #expect(peer.isEnded(), "\(message)") }
    }
    // Before authentication, one client sends a request of another protocol. Another client sends a line that does not
    // end.
    for text in ["GET / HTTP/1.1\r\n\r\n", String(repeating: "A", count: 100_000)] {
      let peer = try bench.peer(authenticates: false)
      peer.send(Array(text.utf8))
      #expect(peer.isEnded())
    }
    // These clients disconnect before their message is complete.
    for length in stride(from: 1, to: Self.getState.count, by: 7) {
      #expect(try bench.peer().send(Array(Self.getState.prefix(length))))
    }
    try bench.isWell()
    #expect(bench.daemon.log.allSatisfy { !$0.contains("Fatal") })
    #expect(bench.daemon.end() == 0)
  }
}
