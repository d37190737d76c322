import EventLoop
import Foundation
import TestKit
import Testing

@Suite struct PrivateBusTests {
  private let loop = EventLoop()
  private let daemon: PrivateBus

  init() throws { daemon = try PrivateBus() }

  private func connect() throws -> Bus {
    let bus = try Bus(loop, to: .bus(daemon.address))
    var connected = false
    bus.onConnected = { connected = true }
    try loop.turn { connected }
    return bus
  }

  private func take(_ bus: Bus, _ name: String) throws -> Bool {
    var answer: Result<Bool, BusError>?
    bus.requestName(name) { answer = $0 }
    try loop.turn { answer != nil }
    return try answer!.get()
  }

  @Test func name_hasOneOwner_andItsChangesAreReported() throws {
    let watcher = try connect()
    var owners: [String?] = []
    let watch = try watcher.watchName("org.autoharp.Test") { owners.append($0) }
    try loop.turn { owners.count == 1 }
    var first: Bus? = try connect()
    #expect(try take(first!, "org.autoharp.Test"))
    #expect(try take(first!, "org.autoharp.Test"))
    let second = try connect()
    #expect(try !take(second, "org.autoharp.Test"))
    try loop.turn { owners.count == 2 }
    first = nil
    try loop.turn { owners.count == 3 }
    #expect(try take(second, "org.autoharp.Test"))
    try loop.turn { owners.count == 4 }
    #expect(owners.map { $0 != nil } == [false, true, false, true])
    #expect(owners[1] != owners[3])
    #expect(watch.owner == owners[3])
    watch.cancel()
  }

  @Test func descriptor_isTheSameFile_andIsClosedWithItsValue() throws {
    let service = try connect()
    service.objects = ObjectTree()
    try service.objects?.add(Echo.object())
    #expect(try take(service, "org.autoharp.Test"))
    let client = try connect()
    var pipes: [Int32] = [0, 0]
    try #require(pipe(&pipes) == 0)
    var sent = BusDescriptor(duplicating: pipes[1])
    close(pipes[1])
    #expect(BusDescriptor(duplicating: -1) == nil)
    var answer: Result<[BusValue], BusError>? = try loop.ask(
      client, "org.autoharp.Test", Echo.path, Echo.name, "Echo",
      [.variant(.descriptor(try #require(sent)))])
    sent = nil
    var received = try answer?.get().first?.descriptor
    #expect(write(try #require(received).number, "x", 1) == 1)
    var byte: UInt8 = 0
    #expect(read(pipes[0], &byte, 1) == 1 && byte == UInt8(ascii: "x"))
    (received, answer) = (nil, nil)
    // `read` returns 0 because all descriptors for writing to the pipe are closed.
    #expect(read(pipes[0], &byte, 1) == 0)
    close(pipes[0])
  }

  @Test func callsAndSignals_passTheBus() throws {
    let service = try connect()
    service.objects = ObjectTree()
    var kept: MethodCall?
    try service.objects?.add(Echo.object { kept = $0 })
    #expect(try take(service, "org.autoharp.Test"))
    let client = try connect()
    #expect(
      try loop.ask(
        client, "org.autoharp.Test", Echo.path, Echo.name, "Add", [.int32(1), .int32(2)])
        == .success([.int32(3)]))
    #expect(
      try loop.ask(client, "org.autoharp.Test", Echo.path, Echo.name, "Fail")
        == .failure(.remote(name: "org.autoharp.Error.Never", message: "not %s today")))
    guard
      case .failure(.remote("org.freedesktop.DBus.Error.ServiceUnknown", _)) = try loop.ask(
        client, "org.none.None", "/", "a.b", "C")
    else {
      Issue.record("the name has an owner")
      return
    }

    var seen: [BusMessage] = []
    let match = try client.match(
      MatchRule(sender: "org.autoharp.Test", pathNamespace: "/org/autoharp", member: "Changed")
    ) { seen.append($0) }
    // The bus processes the messages of a client in the order of their arrival. When this call is answered, the bus has
    // already added the match rule.
    _ = try loop.ask(
      client, "org.autoharp.Test", Echo.path, Echo.name, "Add", [.int32(1), .int32(2)])
    try service.emit(Echo.path, Echo.name, "Changed", [.string("x"), .uint32(1)])
    try loop.turn { !seen.isEmpty }
    #expect(seen[0].path == Echo.path)
    #expect(try seen[0].body().values == [.string("x"), .uint32(1)])

    // A call that requests no answer. BlueZ calls a player in this way.
    try client.post("org.autoharp.Test", Echo.path, Echo.name, "Later")
    try loop.turn { kept != nil }
    #expect(kept?.isAnswerable == false)
    #expect(kept?.message.sender.hasPrefix(":1.") == true)
    match.cancel()
  }

  @Test func endOfTheBus_isReported() throws {
    let bus = try connect()
    var ending: Bus.Ending?
    bus.onDisconnected = { ending = $0 }
    daemon.stop()
    try loop.turn { ending != nil }
    #expect(ending == .lost)
    #expect(throws: SystemError("sd_bus_start", ECONNREFUSED)) {
      try Bus(loop, to: .bus(daemon.address))
    }
  }

  /// Uses the object with the program `busctl`. `address` is the address of a bus, or the address of the server itself.
  private func examine(_ loop: EventLoop, _ address: String) throws {
    func busctl(_ arguments: String...) throws -> Result<String, any Error> {
      try loop.run("busctl", ["--address=\(address)"] + arguments)
    }
    let name = "org.autoharp.Test"
    let table = try busctl("introspect", name, Echo.path, Echo.name).get()
    let rows = table.split(separator: "\n").dropFirst().map {
      $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
    }
    #expect(
      rows == [
        [".Add", "method", "ii", "i", "-"], [".Echo", "method", "v", "v", "-"],
        [".Fail", "method", "-", "-", "-"], [".Later", "method", "-", "s", "-"],
        [".Wrong", "method", "-", "s", "-"],
        [".Absent", "property", "s", "-", "emits-invalidation"],
        [".Elapsed", "property", "x", "-5", "-"],
        [".Title", "property", "s", "\"first\"", "emits-change", "writable"],
        [".Version", "property", "u", "7", "const"],
        [".Changed", "signal", "su", "-", "-"],
      ], "\(table)")
    #expect(try busctl("introspect", name, Echo.path).get().contains("org.freedesktop.DBus.Peer"))
    #expect(try busctl("tree", "--list", name).get().split(separator: "\n").last ?? "" == Echo.path)
    #expect(try busctl("get-property", name, Echo.path, Echo.name, "Elapsed").get() == "x -5\n")
    _ = try busctl("set-property", name, Echo.path, Echo.name, "Title", "s", "ä").get()
    #expect(
      try busctl("get-property", name, Echo.path, Echo.name, "Title").get().hasPrefix("s \""))
    #expect(try busctl("call", name, Echo.path, Echo.name, "Add", "ii", "3", "4").get() == "i 7\n")
    #expect(
      try busctl(
        "call", name, Echo.path, "org.freedesktop.DBus.Properties", "GetAll", "s", Echo.name
      ).get().hasPrefix("a{sv} 3 \"Title\" s "))
    #expect(try busctl("call", name, Echo.path, "org.freedesktop.DBus.Peer", "Ping").get() == "")
    do {
      _ = try busctl("call", name, Echo.path, Echo.name, "Fail").get()
      Issue.record("no error")
    } catch {
      #expect("\(error)".contains("not %s today"))
    }
  }

  @Test func busctl_worksThroughABus() throws {
    let service = try connect()
    service.objects = ObjectTree()
    try service.objects?.add(Echo.object())
    #expect(try take(service, "org.autoharp.Test"))
    try examine(loop, daemon.address)
  }

  @Test func busctl_worksWithoutABus() throws {
    let server = try Server()
    try server.tree.add(Echo.object())
    try examine(server.loop, server.address)
    try server.loop.turn { server.listener.peerCount == 0 }
  }
}
