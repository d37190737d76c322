import EventLoop
import Foundation
import TestKit
import Testing

@Suite struct BusCallTests {
  private let server: Server
  private let client: Bus

  init() throws {
    server = try Server()
    client = try server.client()
  }

  private func ask(_ member: String, _ arguments: [BusValue] = [], interface: String = Echo.name)
    throws -> Result<[BusValue], BusError>
  {
    try server.ask(client, Echo.path, interface, member, arguments)
  }

  private func refusal(_ result: () throws -> Result<[BusValue], BusError>) throws -> String? {
    if case .failure(.remote(let name, _)) = try result() { name } else { nil }
  }

  @Test func call_isAnsweredAtOnce() throws {
    try server.tree.add(Echo.object())
    #expect(try ask("Add", [.int32(20), .int32(22)]) == .success([.int32(42)]))
  }

  @Test func call_isAnsweredLater() throws {
    var kept: [MethodCall] = []
    try server.tree.add(Echo.object { kept.append($0) })
    var answers: [Int: String] = [:]
    for number in 0..<3 {
      client.call(nil, Echo.path, Echo.name, "Later") { result in
        answers[number] = (try? result.get())?.values.first?.text
      }
    }
    try server.loop.turn { kept.count == 3 }
    #expect(kept.count { $0.isAnswerable } == 3)
    for (number, call) in kept.enumerated().reversed() {
      call.reply([.string("\(number)")])
      call.reply([.string("again")])
      call.fail(BusErrorName.failed, "again")
    }
    try server.loop.turn { answers.count == 3 }
    #expect(answers == [0: "0", 1: "1", 2: "2"])
    #expect(!kept.contains { $0.isAnswerable })
  }

  @Test func call_releasedWithoutAnAnswer_fails() throws {
    try server.tree.add(Echo.object())
    #expect(try refusal({ try ask("Later") }) == BusErrorName.failed)
  }

  @Test func errors_haveTheirDBusNames() throws {
    try server.tree.add(Echo.object())
    #expect(
      try ask("Fail")
        == .failure(.remote(name: "org.autoharp.Error.Never", message: "not %s today")))
    #expect(try refusal({ try ask("Wrong") }) == BusErrorName.failed)
    #expect(try refusal({ try ask("Add", [.string("1")]) }) == BusErrorName.invalidArguments)
    #expect(try refusal({ try ask("None") }) == BusErrorName.unknownMethod)
    #expect(
      try refusal({ try ask("Add", interface: "org.none.None1") }) == BusErrorName.unknownInterface)
    server.tree.remove(path: Echo.path)
    #expect(try refusal({ try ask("Fail") }) == BusErrorName.unknownObject)
  }

  @Test func call_withoutAnAnswer_timesOut() throws {
    var kept: [MethodCall] = []
    try server.tree.add(Echo.object { kept.append($0) })
    let answer = try server.ask(
      client, Echo.path, Echo.name, "Later", timeout: .milliseconds(20))
    #expect(answer == .failure(.timedOut))
    // When the call is released, the server sends an error as the answer. The client ignores this late answer.
    kept.removeAll()
    #expect(try ask("Add", [.int32(1), .int32(1)]) == .success([.int32(2)]))
  }

  @Test func cancelledCall_callsNoHandler() throws {
    try server.tree.add(Echo.object())
    var called = false
    let call = client.call(nil, Echo.path, Echo.name, "Fail") { _ in called = true }
    call.cancel()
    #expect(try ask("Add", [.int32(1), .int32(1)]) == .success([.int32(2)]))
    #expect(!called)
  }

  @Test func callsAboveTheLimit_areRefused_andTheOthersAreAnswered() throws {
    var kept: [MethodCall] = []
    try server.tree.add(Echo.object { kept.append($0) })
    var refused = 0
    var answered = 0
    let bound = PeerListener.Limits().peer.openCalls
    for _ in 0..<bound + 10 {
      client.call(nil, Echo.path, Echo.name, "Later") { result in
        switch result {
        case .success: answered += 1
        case .failure(.remote(BusErrorName.limitsExceeded, _)): refused += 1
        case .failure: break
        }
      }
    }
    try server.loop.turn { refused == 10 }
    #expect(kept.count == bound)
    for call in kept { call.reply([.string("")]) }
    kept.removeAll()
    try server.loop.turn { answered == bound }
  }

  @Test func disconnection_failsOpenCalls_andIsReportedOnce() throws {
    var kept: [MethodCall] = []
    try server.tree.add(Echo.object { kept.append($0) })
    var events: [String] = []
    client.onDisconnected = { events.append($0 == .lost ? "lost" : "\($0)") }
    client.call(nil, Echo.path, Echo.name, "Later") { result in
      if case .failure(.disconnected) = result { events.append("answer") }
    }
    try server.loop.turn { kept.count == 1 }
    server.peers[0].close()
    try server.loop.turn { events.count == 2 }
    #expect(events == ["answer", "lost"])
    #expect(!client.isOpen)
    #expect(server.listener.peerCount == 0)
    #expect(!kept[0].isAnswerable)
    kept[0].reply([.string("after the connection has ended")])
    #expect(
      try server.ask(client, Echo.path, Echo.name, "Fail") == .failure(.disconnected))
    #expect(throws: BusError.disconnected) { try client.emit("/", "a.b", "C") }
  }

  @Test func close_callsNoHandler() throws {
    try server.tree.add(Echo.object { _ in Issue.record("called") })
    client.onDisconnected = { _ in Issue.record("called for a closed connection") }
    client.call(nil, Echo.path, Echo.name, "Later") { _ in
      Issue.record("a closed connection has no answer")
    }
    client.close()
    let other = try server.client()
    _ = try server.ask(other, Echo.path, Echo.name, "Add", [.int32(1), .int32(1)])
    #expect(!client.isOpen)
  }

  @Test func connection_canBeReleasedInItsHandler() throws {
    try server.tree.add(Echo.object())
    var other: Bus? = try server.client()
    weak let released = other
    var called = false
    other?.call(nil, Echo.path, Echo.name, "Fail") { _ in
      called = true
      other = nil
    }
    try server.loop.turn { called && released == nil }
    try server.loop.turn { server.peers.count == 1 || server.peers.isEmpty }
    #expect(try ask("Add", [.int32(1), .int32(1)]) == .success([.int32(2)]))
  }

  @Test func signals_reachTheirMatches_untilTheseAreCancelled() throws {
    try server.tree.add(Echo.object())
    var seen: [String] = []
    var ended: BusMatch?
    let all = try client.match(MatchRule(interface: Echo.name)) { message in
      seen.append("all " + message.member)
    }
    ended = try client.match(MatchRule(interface: Echo.name, argument0: "this")) { message in
      seen.append("one " + ((try? message.body().values.first?.text) ?? "?"))
      ended?.cancel()
    }
    _ = try ask("Add", [.int32(1), .int32(1)])
    for text in ["other", "this", "this"] {
      try server.peers[0].emit(Echo.path, Echo.name, "Changed", [.string(text), .uint32(1)])
    }
    _ = try ask("Add", [.int32(1), .int32(1)])
    #expect(seen.filter { $0.hasPrefix("all") }.count == 3)
    #expect(seen.filter { $0.hasPrefix("one") } == ["one this"])
    #expect(throws: BusError.self) { try client.match(MatchRule(argument0: "it's")) { _ in } }
    all.cancel()
    try server.peers[0].emit(Echo.path, Echo.name, "Changed", [.string(""), .uint32(1)])
    _ = try ask("Add", [.int32(1), .int32(1)])
    #expect(seen.count == 4)
  }

  @Test func manyMessages_letOtherSourcesRun() throws {
    try server.tree.add(Echo.object())
    var seen = 0
    let match = try client.match(MatchRule(interface: Echo.name)) { _ in seen += 1 }
    _ = try ask("Add", [.int32(1), .int32(1)])
    let count = 400
    for _ in 0..<count {
      try server.peers[0].emit(Echo.path, Echo.name, "Changed", [.string("x"), .uint32(1)])
    }
    var seenAtTime: Int?
    let timer = TimerSource(server.loop) { seenAtTime = seen }
    timer.set(after: .zero)
    try server.loop.turn { seen == count && seenAtTime != nil }
    #expect(try #require(seenAtTime) < count / 2)
    match.cancel()
  }

  @Test func properties_areReadWrittenAndRefused() throws {
    try server.tree.add(Echo.object())
    let interface = "org.freedesktop.DBus.Properties"
    func get(_ name: String) throws -> Result<[BusValue], BusError> {
      try ask("Get", [.string(Echo.name), .string(name)], interface: interface)
    }
    func set(_ name: String, _ value: BusValue) throws -> Result<[BusValue], BusError> {
      try ask(
        "Set", [.string(Echo.name), .string(name), .variant(value)], interface: interface)
    }
    #expect(try get("Title") == .success([.variant(.string("first"))]))
    #expect(try set("Title", .string("second")) == .success([]))
    #expect(
      try ask("GetAll", [.string(Echo.name)], interface: interface)
        == .success([
          .properties([
            "Title": .string("second"), "Elapsed": .int64(-5), "Version": .uint32(7),
          ])
        ]))
    #expect(try refusal({ try set("Title", .byte(1)) }) == BusErrorName.invalidArguments)
    #expect(try refusal({ try set("Title", .string("")) }) == "org.autoharp.Error.Empty")
    #expect(try refusal({ try set("Version", .uint32(1)) }) == BusErrorName.propertyReadOnly)
    #expect(try refusal({ try get("Absent") }) == BusErrorName.unknownProperty)
    #expect(try refusal({ try get("None") }) == BusErrorName.unknownProperty)
    #expect(
      try refusal({ try ask("GetAll", [.string("a.b")], interface: interface) })
        == BusErrorName.unknownInterface)
  }

  @Test func propertiesChanged_hasExactlyTheGivenValues() throws {
    try server.tree.add(Echo.object())
    var bodies: [[BusValue]] = []
    let match = try client.match(MatchRule(member: "PropertiesChanged")) {
      bodies.append((try? $0.body().values) ?? [])
    }
    _ = try ask("Add", [.int32(1), .int32(1)])
    let changed: [(String, BusValue)] = [
      ("Metadata", .properties(["xesam:title": .string("t"), "mpris:length": .int64(1)])),
      ("Position", .int64(0)), ("PlaybackStatus", .string("Playing")),
    ]
    try server.peers[0].emitPropertiesChanged(Echo.path, Echo.name, changed, invalidated: ["Gone"])
    try server.loop.turn { !bodies.isEmpty }
    #expect(bodies == [[.string(Echo.name), .properties(changed), .strings(["Gone"])]])
    match.cancel()
  }

  /// Counts its living instances.
  private final class Witness {
    var count: Counter
    init(_ count: Counter) { self.count = count; count.alive += 1 }
    deinit { count.alive -= 1 }
  }
  private final class Counter { var alive = 0 }

  @Test func manyCallsAndConnections_leakNothing() throws {
    let counter = Counter()
    try server.tree.add(Echo.object())
    for round in 0..<200 {
      let other = try server.client()
      weak let weakOther = other
      var answers = 0
      for _ in 0..<10 {
        let witness = Witness(counter)
        other.call(nil, Echo.path, Echo.name, "Add", [.int32(1), .int32(1)]) { _ in
          withExtendedLifetime(witness) { answers += 1 }
        }
      }
      let witness = Witness(counter)
      let match = try other.match(MatchRule()) { _ in withExtendedLifetime(witness) {} }
      if round % 2 == 0 { try server.loop.turn { answers == 10 } }
      other.close()
      withExtendedLifetime(match) {}
      #expect(weakOther != nil)
    }
    try server.loop.turn { server.listener.peerCount <= 1 }
    #expect(counter.alive == 0)
  }
}
