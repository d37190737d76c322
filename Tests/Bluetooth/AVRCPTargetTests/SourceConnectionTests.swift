import EventLoop
import Bluez
@testable import AVRCPTarget
import NowPlaying
import SystemClock
import TestKit
import Testing

/// Tests how the unit connects to phones that are sources of sound.
@Suite struct SourceConnectionTests {
  private static let ann = "AA:BB:CC:DD:EE:01"
  private static let bob = "AA:BB:CC:DD:EE:02"
  private static let remote = "AA:BB:CC:DD:EE:03"
  private static let controller = "0000110e-0000-1000-8000-00805f9b34fb"

  /// Values that ``Connections`` reads through closures: whether a phone streams, and the clock.
  private final class Streaming {
    var isOn = false
    /// The time by which the clock of the test is ahead of the real clock.
    var offset = Duration.zero
  }

  private func bench() throws -> ClientBench {
    try ClientBench {
      for (address, name) in [(Self.ann, "Ann's"), (Self.bob, "Bob's")] {
        $0.addDevice(
          address, name: name,
          uuids: [FakeBluez.source, FakeBluez.target, Self.controller])
      }
      $0.addDevice(Self.remote, name: "Ring")
    }
  }

  private func connections(
    _ bench: ClientBench, firstChoice: String? = nil, lastUsed: [String] = [],
    streaming: Streaming = Streaming()
  ) -> Connections {
    Connections(
      bench.client, AVRCPTarget.Options(),
      Connections.Rules(isStreaming: { streaming.isOn }), lastUsed: lastUsed,
      controllers: [Self.remote], firstChoice: firstChoice, seed: 1,
      clock: { MonotonicInstant.now().advanced(by: streaming.offset) })
  }

  /// The last byte of the address, and the service, of each attempt to connect.
  private func dials(_ bench: ClientBench) -> [String] {
    bench.bluez.calls.filter { $0.hasPrefix("ConnectProfile") }.map {
      String($0.dropFirst("ConnectProfile AA:BB:CC:DD:EE:".count))
    }
  }

  @Test func dial_firstChoice_isBeforeTheLastUsed() throws {
    let bench = try bench()
    let connections = connections(
      bench, firstChoice: Self.bob, lastUsed: [Self.ann, Self.remote])
    try bench.start()
    try bench.turn { connections.controlsSince.count == 3 }
    #expect(dials(bench) == ["02 0000110a", "01 0000110a", "03 0000110e"])
  }

  @Test func dial_withoutChoice_beginsWithTheLastUsed() throws {
    let bench = try bench()
    let connections = connections(bench, lastUsed: [Self.bob])
    try bench.start()
    try bench.turn { connections.controlsSince.count == 3 }
    #expect(dials(bench).first == "02 0000110a")
  }

  @Test func dial_whileAPhoneStreams_waits() throws {
    let bench = try bench()
    let streaming = Streaming()
    streaming.isOn = true
    let connections = connections(bench, streaming: streaming)
    try bench.start()
    try bench.turn { connections.plan.nextDeadline != nil }
    while try bench.loop.step() {}
    #expect(dials(bench).isEmpty)
    streaming.isOn = false
    connections.update()
    try bench.turn { connections.controlsSince.count == 3 }
  }

  @Test func stream_begins_endsTheAttemptToConnectAnotherPhone_untilItEnds() throws {
    let bench = try bench()
    let streaming = Streaming()
    var answers = false
    bench.bluez.onConnect = { _ in answers ? .success : .noAnswer }
    let connections = connections(bench, lastUsed: [Self.bob], streaming: streaming)
    try bench.start()
    try bench.turn { dials(bench) == ["02 0000110a"] }
    streaming.isOn = true
    connections.update()
    connections.update()
    try bench.turn { connections.plan.candidates[Self.bob]?.crossings == 1 }
    streaming.offset = .seconds(10)
    connections.update()
    while try bench.loop.step() {}
    #expect(bench.bluez.calls.filter { $0.hasPrefix("Disconnect") } == ["Disconnect \(Self.bob)"])
    #expect(dials(bench).count == 1)
    answers = true
    streaming.isOn = false
    connections.update()
    try bench.turn { connections.controlsSince[Self.bob] != nil }
  }

  @Test func stream_begins_leavesTheAttemptThatAPersonHasRequested() throws {
    let bench = try bench()
    let streaming = Streaming()
    bench.bluez.onConnect = { _ in .noAnswer }
    let connections = connections(bench, streaming: streaming)
    streaming.isOn = true
    try bench.start()
    try bench.turn { connections.plan.nextDeadline != nil }
    let bob = try #require(bench.client.devices.first { $0.address == Self.bob })
    connections.dialNow(bob) { _ in }
    connections.update()
    try bench.turn { dials(bench) == ["02 0000110a"] }
    while try bench.loop.step() {}
    #expect(!bench.bluez.calls.contains { $0.hasPrefix("Disconnect") })
  }

  /// A user chooses a phone that the unit is already dialling. BlueZ would refuse a second attempt.
  @Test func dialNow_deviceThatIsBeingDialled_getsTheResultOfThatAttempt() throws {
    let bench = try bench()
    bench.bluez.onConnect = { _ in .noAnswer }
    let connections = connections(bench, lastUsed: [Self.ann])
    try bench.start()
    try bench.turn { dials(bench) == ["01 0000110a"] }
    let ann = try #require(bench.client.devices.first { $0.address == Self.ann })
    var results: [BusError?] = []
    connections.dialNow(ann) { results.append($0) }
    connections.dialNow(ann) { results.append($0) }
    while try bench.loop.step() {}
    #expect(dials(bench) == ["01 0000110a"] && results.isEmpty)
    bench.bluez.answerConnect(Self.ann)
    try bench.turn { results.count == 2 }
    #expect(results.allSatisfy { $0 == nil })
  }

  @Test func dial_sourceThatRefusesSound_isAskedForItsRemoteControl() throws {
    let bench = try ClientBench {
      $0.addDevice(Self.ann, name: "Ann's", uuids: [FakeBluez.source, Self.controller])
    }
    bench.bluez.onConnect = { [bluez = bench.bluez] _ in
      bluez.calls.last?.hasSuffix("0000110a") == true
        ? .refused("Failed", "br-connection-refused") : .success
    }
    let time = Streaming()
    let connections = connections(bench, streaming: time)
    try bench.start()
    try bench.turn { connections.plan.candidates[Self.ann]?.refusals == 1 }
    time.offset = .seconds(10)
    connections.update()
    try bench.turn { connections.controlsSince[Self.ann] != nil }
    #expect(dials(bench) == ["01 0000110a", "01 0000110e"])
  }

  @Test func source_withATransport_isConnected() throws {
    let bench = try ClientBench {
      $0.addDevice(Self.ann, name: "Ann's", uuids: [FakeBluez.source], isConnected: true)
      $0.addTransport(Self.ann, volume: 64)
    }
    let connections = connections(bench)
    try bench.start()
    try bench.turn { connections.plan.candidates[Self.ann]?.isConnected == true }
    #expect(dials(bench).isEmpty)
  }

  @Test func firstChoice_forgottenPhone_isNone() throws {
    let bench = try bench()
    let connections = connections(bench, firstChoice: Self.ann)
    var choices: [String?] = []
    connections.onFirstChoice = { choices.append($0) }
    connections.forget(Self.ann)
    connections.setFirstChoice(Self.bob)
    connections.setFirstChoice(Self.bob)
    #expect(choices == [nil, Self.bob])
  }
}
