import EventLoop
import Foundation
import Glibc
import TestKit
import Testing

@Suite struct PeerListenerTests {
  private func works(_ server: Server, _ client: Bus) throws -> Bool {
    try server.ask(client, Echo.path, Echo.name, "Add", [.int32(2), .int32(2)])
      == .success([.int32(4)])
  }

  private func works(_ server: Server) throws -> Bool {
    let client = try server.client()
    defer { client.close() }
    return try works(server, client)
  }

  @Test func peer_hasTheCredentialsOfTheKernel() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let client = try server.client()
    #expect(try works(server, client))
    let credentials = try #require(server.peers.first?.credentials)
    #expect(credentials.process == getpid())
    #expect(credentials.user == getuid())
    #expect(credentials.group == getgid())
    #expect(client.credentials == nil)
    #expect(client.isReady && server.peers[0].isReady)
  }

  @Test func peerThatSendsTooManyMessages_waits_andOthersDoNot() throws {
    var limits = PeerListener.Limits()
    (limits.messagesPerSecond, limits.messageBurst) = (1, 100)
    let server = try Server(limits)
    try server.tree.add(Echo.object())
    let client = try server.client()
    var answers = 0
    for _ in 0..<400 {
      client.call(nil, Echo.path, Echo.name, "Add", [.int32(2), .int32(2)], timeout: Hang.limit) {
        _ in answers += 1
      }
    }
    try server.loop.turn { answers >= 100 }
    for _ in 0..<50 { #expect(try works(server)) }
    #expect(answers < 400)
  }

  @Test func peerThatSendsTooManyMessages_getsAllItsAnswers() throws {
    var limits = PeerListener.Limits()
    (limits.messagesPerSecond, limits.messageBurst) = (500, 100)
    let server = try Server(limits)
    try server.tree.add(Echo.object())
    let client = try server.client()
    let start = EventClock.monotonic.now
    var answers: [Int32] = []
    for number in 0..<400 as Range<Int32> {
      client.call(
        nil, Echo.path, Echo.name, "Add", [.int32(number), .int32(0)], timeout: Hang.limit
      ) { answer in
        if case .success(let reply) = answer, case .int32(let value)? = reply.values.first {
          answers.append(value)
        }
      }
    }
    try server.loop.turn { answers.count == 400 }
    #expect(answers == Array(0..<400))
    // A burst comes at once, and the last chunk is counted after its answers.
    #expect(EventClock.monotonic.now - start >= 500_000_000)
  }

  @Test func socket_hasItsModeWithAnyUmask_andIsRemoved() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("control")
    for mode: UInt32 in [0o600, 0o660, 0o666] {
      let loop = EventLoop()
      var listener: PeerListener? = try PeerListener(loop, path: path, mode: mode)
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode == S_IFSOCK | mode)
      withExtendedLifetime(listener) {}
      listener = nil
      #expect(stat(path, &status) != 0)
    }
  }

  @Test func listenerThatStops_removesItsPath_andKeepsItsPeers() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let client = try server.client()
    #expect(try works(server, client))
    server.listener.stopListening()
    var status = stat()
    #expect(stat(server.path, &status) != 0)
    #expect(try works(server, client))
    // If another process has created a new socket with this path, the listener does not remove this socket.
    let other = try #require(UnixSocket.bound(to: server.path))
    server.listener.stopListening()
    #expect(stat(server.path, &status) == 0)
    close(other)
  }

  @Test func deadSocket_isReplaced_andALiveOneIsKept() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("control")
    // After `close(dead)`, the socket is in the same state as the socket of a killed process: the file exists, but no
    // process listens.
    let dead = try #require(UnixSocket.bound(to: path))
    let loop = EventLoop()
    listen(dead, 1)
    #expect(throws: SocketFileError.inUse(path: path)) { try PeerListener(loop, path: path) }
    close(dead)
    let listener = try PeerListener(loop, path: path)
    let refusal = #expect(throws: SocketFileError.self) { try PeerListener(loop, path: path) }
    let text = try #require(refusal).description
    #expect(text.hasPrefix("\(path): process \(getpid()) ("), "\(text)")
    var connected = false
    let client = try Bus(loop, to: .peer("unix:path=\(path)"))
    client.onConnected = { connected = true }
    try loop.turn { connected }
    withExtendedLifetime(listener) {}
  }

  /// A child process has copies of all descriptors until it executes its program. `dup` simulates these copies.
  @Test func closedSocket_isReplaced_whileAChildHasACopyOfTheLock() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("control")
    let loop = EventLoop()
    var listener: PeerListener? = try PeerListener(loop, path: path)
    withExtendedLifetime(listener) {}
    let lock = URL(filePath: path + ".lock").resolvingSymlinksInPath().path
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let copies = names.compactMap { Int32($0) }.filter { descriptor in
      let name = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(descriptor)")
      return name == lock
    }.map { dup($0) }
    defer { copies.forEach { _ = close($0) } }
    #expect(copies.count == 1)
    listener = nil
    listener = try PeerListener(loop, path: path)
    withExtendedLifetime(listener) {}
  }

  @Test func fileThatIsNoSocket_isKept() throws {
    let folder = try TemporaryFolder()
    let loop = EventLoop()
    try folder.write("file", [1, 2])
    let path = folder.path("file")
    #expect(throws: SocketFileError.notASocket(path: path)) {
      try PeerListener(loop, path: path)
    }
    #expect(try folder.read("file") == [1, 2])
    let long = folder.path(String(repeating: "x", count: 100))
    #expect(throws: SocketFileError.badPath(long)) { try PeerListener(loop, path: long) }
    #expect(throws: SocketFileError.self) {
      try PeerListener(loop, path: folder.path("none/control"))
    }
  }

  @Test func missingSocket_isAnError() throws {
    let folder = try TemporaryFolder()
    let loop = EventLoop()
    #expect(throws: SystemError("sd_bus_start", ENOENT)) {
      try Bus(loop, to: .peer("unix:path=\(folder.path("none"))"))
    }
    #expect(throws: SystemError.self) { try Bus(loop, to: .peer("nonsense")) }
  }

  @Test func peersAboveTheLimit_areRefused_withAReason() throws {
    var limits = PeerListener.Limits()
    limits.peers = 2
    let server = try Server(limits)
    try server.tree.add(Echo.object())
    let clients = try [server.client(), server.client()]
    for client in clients { #expect(try works(server, client)) }
    let third = try server.rawClient()
    try server.loop.turn { !server.refusals.isEmpty }
    guard case .tooManyPeers(let who)? = server.refusals.first else {
      Issue.record("\(server.refusals)")
      return
    }
    #expect(who.process == getpid())
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = recv(third, &buffer, buffer.count, 0)
    let answer = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    #expect(answer.hasPrefix("ERROR \"") && answer.hasSuffix("\"\r\n"))
    close(third)
    // A client that uses the D-Bus library gets an event when the connection ends.
    let fourth = try server.client()
    var ending: Bus.Ending?
    fourth.onDisconnected = { ending = $0 }
    try server.loop.turn { ending != nil }
    clients[0].close()
    try server.loop.turn { server.listener.peerCount == 1 }
    #expect(try works(server))
  }

  @Test func peerWithoutAuthentication_isDropped() throws {
    var limits = PeerListener.Limits()
    limits.authentication = .milliseconds(30)
    let server = try Server(limits)
    try server.tree.add(Echo.object())
    let client = try server.client()
    #expect(try works(server, client))
    let silent = try server.rawClient()
    let slow = try server.rawClient()
    write(slow, "\0AUTH EXTERNAL", 14)
    try server.loop.turn { server.endings.count == 2 }
    #expect(server.endings == [.neverAuthenticated, .neverAuthenticated])
    #expect(try works(server, client))
    close(silent)
    close(slow)
  }

  @Test func peerThatNeverReads_isDropped_andOthersAreServed() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let silent = try server.rawClient()
    let auth = "\0AUTH ANONYMOUS \r\nBEGIN\r\n"
    write(silent, auth, auth.utf8.count)
    try server.loop.turn { server.peers.first?.isReady == true }
    let client = try server.client()
    #expect(try works(server, client))
    let silentPeer = server.peers[0]
    let text = BusValue.string(String(repeating: "x", count: 10_000))
    var sent = 0
    while silentPeer.isOpen, sent < 100_000 {
      try silentPeer.emit(Echo.path, Echo.name, "Changed", [text, .uint32(1)])
      sent += 1
    }
    try server.loop.turn { server.endings == [.tooSlow] }
    // Only the buffer of the kernel and the buffer of the connection store the sent data, so the amount is limited.
    #expect(sent * 10_000 < 3 << 20)
    #expect(try works(server, client))
    close(silent)
  }

  @Test func peerThatCallsAndNeverReads_isDropped() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let silent = try server.rawClient()
    _ = fcntl(silent, F_SETFL, O_NONBLOCK)
    let auth = "\0AUTH ANONYMOUS \r\nBEGIN\r\n"
    write(silent, auth, auth.utf8.count)
    // A call of `Introspect`, because its answer is large. The message is little-endian and has the fields path,
    // interface and member.
    var fields: [UInt8] = []
    for (code, type, text) in [
      (1, "o", Echo.path), (2, "s", "org.freedesktop.DBus.Introspectable"), (3, "s", "Introspect"),
    ] {
      fields += [UInt8](repeating: 0, count: (8 - fields.count % 8) % 8)
      fields += [UInt8(code), 1, type.utf8.first!, 0, UInt8(text.utf8.count), 0, 0, 0]
      fields += Array(text.utf8) + [0]
    }
    var call: [UInt8] = [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(fields.count), 0, 0, 0]
    call += fields + [UInt8](repeating: 0, count: (8 - fields.count % 8) % 8)
    var rest: ArraySlice<UInt8> = []
    while server.endings.isEmpty {
      if rest.isEmpty { rest = call[...] }
      let count = rest.withUnsafeBytes {
        send(silent, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count > 0 { rest = rest.dropFirst(count) }
      try server.loop.step()
    }
    #expect(server.endings == [.tooSlow])
    #expect(try works(server))
    close(silent)
  }

  @Test func malformedBytes_endOnlyThatPeer() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let client = try server.client()
    #expect(try works(server, client))
    let auth = Array("\0AUTH ANONYMOUS \r\nBEGIN\r\n".utf8)
    let header: [UInt8] = [0x6C, 1, 0, 1]
    let cases: [([UInt8], Bus.Ending)] = [
      (Array("GET / HTTP/1.1\r\n\r\n".utf8), .malformedMessage),
      (auth + Array("nonsense, and more of it".utf8), .malformedMessage),
      (auth + header + [0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0], .oversizedMessage),
      // The header and the lengths are valid, but the contents are not. sd-bus detects this.
      (
        auth + header + [0, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0] + [9, 9, 9, 9, 9, 9, 9, 9],
        .malformedMessage
      ),
      (
        auth + header + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [9, 9, 9, 9, 9, 9, 9, 9],
        .malformedMessage
      ),
      (auth, .lost), ([], .lost),
    ]
    for (bytes, ending) in cases {
      server.endings = []
      let raw = try server.rawClient()
      write(raw, bytes, bytes.count)
      if ending == .lost { shutdown(raw, Int32(SHUT_WR)) }
      try server.loop.turn { !server.endings.isEmpty }
      #expect(server.endings == [ending], "\(bytes.count) bytes")
      #expect(server.listener.peerCount == 1)
      close(raw)
    }
    #expect(try works(server, client))
  }

  @Test func randomBytes_endOnlyThatPeer() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let client = try server.client()
    #expect(try works(server, client))
    let auth = Array("\0AUTH ANONYMOUS \r\nBEGIN\r\n".utf8)
    var state: UInt64 = 88_172_645_463_325_252
    func random() -> UInt8 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 32)
    }
    for round in 0..<300 {
      let raw = try server.rawClient()
      let noise = (0..<Int(random())).map { _ in random() }
      // In every second round, the random bytes follow a valid header, so they are the body of a message.
      let frame: [UInt8] =
        [0x6C, 1 + random() % 4, 0, 1, UInt8(noise.count), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
      let bytes = auth + (round % 2 == 0 ? frame : []) + noise
      write(raw, bytes, bytes.count)
      close(raw)
    }
    try server.loop.turn { server.endings.count == 300 }
    #expect(try works(server, client))
  }

  @Test func longMessage_isReceivedInChunks() throws {
    var limits = PeerListener.Limits()
    limits.peer.receivedBytes = 1 << 20
    // For the limits of memory, an open call counts as eight times its size plus the size of its answer. So the default
    // limits are too small here.
    (limits.bytes, limits.bytesOfUser) = (16 << 20, 16 << 20)
    let server = try Server(limits)
    try server.tree.add(Echo.object())
    let client = try server.client()
    let value = BusValue.bytes([UInt8](repeating: 7, count: 900_000))
    #expect(
      try server.ask(client, Echo.path, Echo.name, "Echo", [.variant(value)])
        == .success([.variant(value)]))
  }

  @Test func thousandPeers_areServed() throws {
    var limits = PeerListener.Limits()
    limits.peersOfUser = limits.peers
    let server = try Server(limits)
    try server.tree.add(Echo.object())
    var signals = 0
    var answers = 0
    var matches: [BusMatch] = []
    let clients = try (0..<1000).map { _ in
      let client = try server.client()
      matches.append(
        try client.match(MatchRule(interface: Echo.name, member: "Changed")) { _ in signals += 1 })
      client.call(nil, Echo.path, Echo.name, "Add", [.int32(1), .int32(1)]) { result in
        if (try? result.get())?.values == [.int32(2)] { answers += 1 }
      }
      try server.loop.step()
      return client
    }
    try server.loop.turn { answers == 1000 }
    server.listener.forEachPeer {
      try? $0.emit(Echo.path, Echo.name, "Changed", [.string("x"), .uint32(1)])
    }
    try server.loop.turn { signals == 1000 }
    for client in clients { client.close() }
    try server.loop.turn { server.listener.peerCount == 0 }
    #expect(server.endings == [Bus.Ending](repeating: .lost, count: 1000))
  }
}
