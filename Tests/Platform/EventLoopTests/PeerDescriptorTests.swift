import EventLoop
import Foundation
import Glibc
import TestKit
import Testing

/// Descriptors are sent to peers, and are never received from peers.
@Suite struct PeerDescriptorTests {
  private static let path = "/org/autoharp/Giver"
  private static let name = "org.autoharp.Giver1"

  /// `Give` answers with the read end of a pipe that contains one byte.
  private static func giver() -> BusObject {
    BusObject(
      path: path,
      interfaces: [
        BusInterface(name, methods: [.init("Give", [], returns: [.init("target", "h")])])
      ],
      onCall: { call in
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, write(ends[1], "x", 1) == 1,
          let descriptor = BusDescriptor(duplicating: ends[0])
        else { return call.fail(BusErrorName.failed, "no pipe") }
        close(ends[0])
        close(ends[1])
        call.reply([.descriptor(descriptor)])
      })
  }

  /// A socket of which the test can tell whether another process or object still has its other end.
  private final class Witness {
    let own: Int32
    var given: Int32

    init() throws {
      var pair: [Int32] = [0, 0]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
      (own, given) = (pair[0], pair[1])
    }

    /// Waits until no copy of the given end exists.
    func isReleased() -> Bool {
      close(given)
      given = -1
      var byte: UInt8 = 0
      var entry = pollfd(fd: own, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, Int32(Hang.milliseconds)) == 1 && read(own, &byte, 1) == 0
    }

    deinit {
      close(own)
      if given >= 0 { close(given) }
    }
  }

  /// Sends bytes and copies of a descriptor.
  private func send(_ bytes: [UInt8], _ descriptors: [Int32], to socket: Int32) -> Bool {
    var bytes = bytes
    // struct cmsghdr: its length, SOL_SOCKET, SCM_RIGHTS, and the descriptors.
    let length = 16 + 4 * descriptors.count
    var control = [UInt8](repeating: 0, count: (length + 7) / 8 * 8)
    control.withUnsafeMutableBytes { buffer in
      buffer.storeBytes(of: length, as: Int.self)
      buffer.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      buffer.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
      for (index, descriptor) in descriptors.enumerated() {
        buffer.storeBytes(of: descriptor, toByteOffset: 16 + 4 * index, as: Int32.self)
      }
    }
    return bytes.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &vector) { vector in
          var message = msghdr()
          message.msg_iov = vector
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = control.count
          return sendmsg(socket, &message, Int32(MSG_NOSIGNAL)) == bytes.count
        }
      }
    }
  }

  @Test func descriptor_reachesThePeer() throws {
    let server = try Server()
    try server.tree.add(Self.giver())
    let client = try server.client()
    for _ in 0..<3 {
      let answer = try server.ask(client, Self.path, Self.name, "Give").get()
      let descriptor = try #require(answer.first?.descriptor)
      var byte: UInt8 = 0
      #expect(read(descriptor.number, &byte, 1) == 1 && byte == UInt8(ascii: "x"))
      // The unit has kept no copy of the other end.
      #expect(read(descriptor.number, &byte, 1) == 0)
    }
    #expect(server.peers.first?.canSendDescriptors == true)
  }

  @Test func peerThatDidNotNegotiate_getsAnError_andIsServed() throws {
    let server = try Server()
    try server.tree.add(Self.giver())
    let raw = try #require(RawPeer(server.path))
    let call = RawPeer.call(path: Self.path, interface: Self.name, member: "Give")
    for _ in 0..<2 {
      raw.send(call)
      var text = ""
      try server.loop.turn {
        if let bytes = raw.receive(within: 0) { text += String(decoding: bytes, as: UTF8.self) }
        return text.contains(BusErrorName.failed)
      }
    }
    #expect(server.peers.first?.canSendDescriptors == false)
    #expect(server.endings.isEmpty)
  }

  @Test func descriptorsOfAPeer_areClosed_andThePeerIsServed() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let witness = try Witness()
    let raw = try #require(RawPeer(server.path))
    let call = RawPeer.call(path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
    for _ in 0..<20 {
      #expect(send(call, [Int32](repeating: witness.given, count: 50), to: raw.descriptor))
      var count = 0
      try server.loop.turn {
        count += raw.receive(within: 0)?.count ?? 0
        return count > 0
      }
    }
    #expect(witness.isReleased())
    #expect(server.endings.isEmpty)
  }

  @Test func peerThatAnnouncesDescriptors_isDropped() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    let other = try server.client()
    let sum = Result<[BusValue], BusError>.success([.int32(4)])
    func add(_ client: Bus) throws -> Result<[BusValue], BusError> {
      try server.ask(client, Echo.path, Echo.name, "Add", [.int32(2), .int32(2)])
    }
    #expect(try add(other) == sum)
    let witness = try Witness()
    let client = try server.client()
    #expect(try add(client) == sum)
    let value = BusValue.variant(
      .descriptor(try #require(BusDescriptor(duplicating: witness.given))))
    #expect(
      try server.ask(client, Echo.path, Echo.name, "Echo", [value]) == .failure(.disconnected))
    #expect(server.endings == [.malformedMessage])
    client.close()
    #expect(try add(other) == sum)
    // The number of descriptors is the field 9 of the header.
    let raw = try #require(RawPeer(server.path))
    var call = RawPeer.call(path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
    call[12] = UInt8(call.count - 16 + 8)
    raw.send(call + [9, 1, UInt8(ascii: "u"), 0, 1, 0, 0, 0])
    try server.loop.turn { server.endings.count == 2 }
    #expect(server.endings.last == .malformedMessage)
    #expect(try add(other) == sum)
  }

  /// Without the check, the list of sizes of messages would grow with each message that libsystemd discards.
  @Test func messagesWithoutContents_endThePeer() throws {
    let server = try Server()
    let raw = try #require(RawPeer(server.path))
    let empty: [UInt8] = [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    raw.send((0..<10_000).flatMap { _ in empty }, within: 0)
    try server.loop.turn { !server.endings.isEmpty }
    #expect(server.endings == [.malformedMessage])
  }

  @Test func userWithALimitOfItsOwn_getsThisManyConnections() throws {
    let server = try Server()
    server.listener.peersOfUser = { $0 == getuid() ? 2 : .max }
    let clients = try (0..<3).map { _ in try server.rawClient() }
    try server.loop.turn { server.refusals.count == 1 && server.listener.peerCount == 2 }
    clients.forEach { close($0) }
  }

  /// The daemon calls the process of the library, which is a peer.
  @Test func peerThatIsCalled_staysConnected() throws {
    let server = try Server()
    let client = try server.client()
    client.objects = ObjectTree()
    try client.objects?.add(Echo.object())
    try server.loop.turn { server.peers.first?.isReady == true }
    let peer = try #require(server.peers.first)
    for _ in 0..<10 {
      #expect(
        try server.ask(peer, Echo.path, Echo.name, "Add", [.int32(2), .int32(2)])
          == .success([.int32(4)]))
    }
    #expect(server.endings.isEmpty)
  }
}

/// Sending through descriptors.
@Suite struct BusDescriptorTests {
  private func pipeEnds() throws -> (read: Int32, write: BusDescriptor) {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[1]) }
    return (ends[0], try #require(BusDescriptor(duplicating: ends[1])))
  }

  @Test func write_doesNotBlock_andSurvivesTheEndOfTheReader() throws {
    let (reader, writer) = try pipeEnds()
    writer.setNonBlocking()
    let bytes = [UInt8](repeating: 7, count: 1 << 20)
    guard case .bytes(let count) = bytes.withUnsafeBytes({ writer.write($0) }) else {
      Issue.record("nothing was written")
      return
    }
    #expect(count > 0 && count < bytes.count)
    #expect(bytes.withUnsafeBytes { writer.write($0) } == .full)
    close(reader)
    #expect(bytes.withUnsafeBytes { writer.write($0) } == .end)
    // The signal of the kernel does not wait for this thread either.
    var pending = sigset_t()
    sigpending(&pending)
    #expect(sigismember(&pending, SIGPIPE) == 0)
  }

  @Test func send_keepsTheBoundsOfPackets_andDoesNotBlock() throws {
    let (one, other) = try BusDescriptor.packetPair()
    let packet = [UInt8](repeating: 1, count: 4000)
    var count = 0
    while packet.withUnsafeBytes({ one.send($0) }) == .bytes(packet.count) { count += 1 }
    #expect(count > 0 && packet.withUnsafeBytes { one.send($0) } == .full)
    var memory = [UInt8](repeating: 0, count: 8000)
    #expect(memory.withUnsafeMutableBytes { other.receive(into: $0) } == .packet(packet.count))
    shutdown(other.number, Int32(SHUT_RDWR))
    #expect(packet.withUnsafeBytes { one.send($0) } == .end)
  }

  @Test func pipe_isClosedInProgramsThatAreStarted_andItsReadingDoesNotBlock() throws {
    let (reading, writing) = try BusDescriptor.pipe()
    for end in [reading, writing] {
      #expect(end.number > 2)
      #expect(fcntl(end.number, F_GETFD) & FD_CLOEXEC != 0)
    }
    #expect(fcntl(reading.number, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(writing.number, F_GETFL) & O_NONBLOCK == 0)
  }
}
